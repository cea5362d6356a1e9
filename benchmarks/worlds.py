"""Twelve other worlds, drawn as the demo's is, for `sapwood bench --plugin`: see the Makefile."""

from __future__ import annotations

from functools import partial

from sapwood.benchmark import register_data
from sapwood.benchmark.datasets import zero_shot_of
from sapwood.data import ZeroShotData, make_attribute_world

#: Seeds of the creatures and of their pictures; the demo has 11 and 0.
WORLDS = range(21, 33)


def load(seed: int) -> ZeroShotData:
    return zero_shot_of(make_attribute_world(seed, creatures=seed))


for seed in WORLDS:
    register_data(f"world-{seed}", partial(load, seed))
