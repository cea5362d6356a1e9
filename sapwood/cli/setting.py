"""Which images a model is fitted to: those of a data set, by split and draw, and others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sapwood.cli.columns import require_columns
from sapwood.cli.output import note
from sapwood.errors import InputError, counted

if TYPE_CHECKING:
    from sapwood.data import FeatureTable, Setting, ZeroShotData


def make_setting(
    data: ZeroShotData, split: str | None, annotated: int | None, seed: int, holdout: float | None
) -> Setting:
    """Return the images that are annotated, unannotated and held out; say where there are too few.

    Parameters
    ----------
    data : ZeroShotData
    split : str, optional
        Without it the paper's split, or else the proposed one.
    annotated : int, optional
        Images a class; without it all labels given.
    seed : int
    holdout : float, optional
        Share of each seen class that is kept for the evaluation.
    """
    from sapwood.data import generalized_setting, get_split, standard_setting

    which = split or next((name for name in ("paper", "proposed") if name in data.splits), None)
    if holdout is None:
        setting = standard_setting(data, which, annotated, seed)
    else:
        setting = generalized_setting(data, which, annotated, seed, holdout)
        if not len(setting.test_seen):
            note(f"--holdout {holdout:g} keeps no image: seen classes have too few; raise it")
        elif get_split(data, which).test_seen is not None:
            note("--holdout: the split names its own test images of seen classes; these are kept")
    _note_small_classes(setting, annotated)
    return setting


def with_extra(setting: Setting, extra: FeatureTable, data: ZeroShotData, source: str) -> Setting:
    """Add images without labels, which must have the features of the data set."""
    found, d = extra.features.shape[1], data.features.shape[1]
    if found != d:
        raise InputError(
            f"--unlabelled {source}: has {found} features an image, the data set {d}; compute both "
            "with the same program"
        )
    usual = data.provenance.get("feature_columns")
    require_columns(f"--unlabelled {source}", extra.provenance, usual, "of the data set")
    return replace(setting, extra=extra.features)


def _note_small_classes(setting: Setting, annotated: int | None) -> None:
    counts = np.bincount(setting.y[setting.y >= 0], minlength=setting.seen.max() + 1)
    small = int((counts[setting.seen] < (annotated or 0)).sum())
    if small:
        which = counted(small, "seen class has", "seen classes have")
        note(f"{which} fewer than {annotated} images to annotate")
