"""What a data set is, where to get it, how to load, check and divide it.

>>> from sapwood.data import card
>>> card("CUB").paper["unseen"]
50
"""

from sapwood.data.cards import CARDS, Card, card
from sapwood.data.check import check
from sapwood.data.class_kfold import ClassKFold
from sapwood.data.containers import AttributeTable, FeatureTable, TagData, ZeroShotData
from sapwood.data.load import (
    load,
    load_attributes,
    load_features,
    load_tables,
    load_tags,
    load_zero_shot,
)
from sapwood.data.problems import Problem
from sapwood.data.samplers import annotate, hold_out
from sapwood.data.settings import Setting, external_setting, generalized_setting, standard_setting
from sapwood.data.splits import Split, get_split
from sapwood.data.world import AttributeWorld, make_attribute_world, write_attribute_world

__all__ = [
    "CARDS",
    "AttributeTable",
    "AttributeWorld",
    "Card",
    "ClassKFold",
    "FeatureTable",
    "Problem",
    "Setting",
    "Split",
    "TagData",
    "ZeroShotData",
    "annotate",
    "card",
    "check",
    "external_setting",
    "generalized_setting",
    "get_split",
    "hold_out",
    "load",
    "load_attributes",
    "load_features",
    "load_tables",
    "load_tags",
    "load_zero_shot",
    "make_attribute_world",
    "standard_setting",
    "write_attribute_world",
]
