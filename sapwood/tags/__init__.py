"""Social image annotation: noisy tags repaired, then concepts learned from them."""

from sapwood.tags.annotator import SocialImageAnnotator
from sapwood.tags.decisions import Change, TagDecisions, decide_tags
from sapwood.tags.refiner import TagRefiner
from sapwood.tags.svm import OneVsAllSVM
from sapwood.tags.vocabulary import STOP_TAGS, Vocabulary, build_vocabulary, fold_tag

__all__ = [
    "STOP_TAGS",
    "Change",
    "OneVsAllSVM",
    "SocialImageAnnotator",
    "TagDecisions",
    "TagRefiner",
    "Vocabulary",
    "build_vocabulary",
    "decide_tags",
    "fold_tag",
]
