"""Settings of an experiment: which rows are trained on, which labels are known, what is tested."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sapwood.data.arrays import feature_matrix, rows_below
from sapwood.data.containers import FeatureTable, ZeroShotData
from sapwood.data.problems import Report
from sapwood.data.samplers import annotate, hold_out, images_a_class, require_share
from sapwood.data.splits import Split, get_split
from sapwood.errors import InputError

Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False, kw_only=True)
class Setting:
    """Rows to train on and rows to test on.

    Parameters
    ----------
    name : {"standard", "generalized", "external"}
    train : array of int, shape (m,)
        Rows of the training images, ascending.
    y : array of int, shape (m,)
        Their classes as far as the learner may know them, −1 elsewhere.
    test_unseen, test_seen : array of int
        Rows of the test images; `test_seen` is empty except in the generalized setting.
    seen, unseen : array of int
        Positions of the classes.
    extra : array, shape (e, d), optional
        Features of unlabelled images from elsewhere.

    Examples
    --------
    >>> data = ZeroShotData(features=np.eye(5), labels=[0, 0, 1, 1, 2], attributes=np.eye(3),
    ...                     splits={"paper": Split(name="paper", unseen=[2])})
    >>> setting = standard_setting(data, annotated=1, seed=0)
    >>> setting.train.tolist(), sorted(setting.y.tolist()), setting.test_unseen.tolist()
    ([0, 1, 2, 3], [-1, -1, 0, 1], [4])
    """

    name: str
    train: Rows
    y: Rows
    test_unseen: Rows
    seen: Rows
    unseen: Rows
    test_seen: Rows = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    extra: NDArray[Any] | None = None

    def training(self, data: ZeroShotData) -> tuple[NDArray[Any], Rows]:
        """Return features (m + e, d) and labels (m + e,) to fit on, the extra images last."""
        X = data.features[self.train]
        if self.extra is None:
            return X, self.y
        unknown = np.full(len(self.extra), -1, dtype=np.int64)
        return np.concatenate([X, self.extra]), np.concatenate([self.y, unknown])


def _known(data: ZeroShotData, train: Rows, annotated: Rows) -> Rows:
    if not len(annotated):
        told = [data.provenance[n] for n in ("path", "annotations") if n in data.provenance]
        where = ": ".join(told) or "annotated"
        raise InputError(f"{where}: no image of a seen class is annotated; annotate some")
    y = np.full(len(data.labels), -1, dtype=np.int64)
    y[annotated] = data.labels[annotated]
    return y[train]


def _parts(data: ZeroShotData, split: Split) -> tuple[Rows, Rows, Rows]:
    """Return the seen classes, the rows that may be trained on and the unseen test rows."""
    seen, unseen = split.seen(len(data.class_names)), split.unseen
    # Unannotated images are of unknown class: they may be learnt from but not tested on.
    train = np.flatnonzero(np.isin(data.labels, [-1, *seen]))
    train = train if split.trainval is None else np.sort(split.trainval)
    test = np.flatnonzero(np.isin(data.labels, unseen))
    return seen, train, test if split.test_unseen is None else np.sort(split.test_unseen)


def standard_setting(
    data: ZeroShotData,
    split: str | Split | None = "paper",
    annotated: int | None = None,
    seed: int = 0,
) -> Setting:
    """Return the standard setting: train on seen classes, test on images of unseen ones.

    Parameters
    ----------
    data : ZeroShotData
    split : str, Split or None
        See :func:`sapwood.data.get_split`.
    annotated : int, optional
        K, the annotated images of each seen class; the others are given without label. All
        are annotated if it is not given.
    seed : int

    Examples
    --------
    >>> data = ZeroShotData(features=np.eye(3), labels=[0, 0, 1], attributes=np.eye(2))
    >>> setting = standard_setting(data, Split(name="mine", unseen=[1]), annotated=1)
    >>> setting.seen.tolist(), sorted(setting.y.tolist()), setting.test_unseen.tolist()
    ([0], [-1, 0], [2])
    """
    split = get_split(data, split)
    seen, train, test = _parts(data, split)
    chosen = annotate(data.labels, seen, annotated, seed, rows=train)
    y = _known(data, train, chosen)
    return Setting(
        name="standard", train=train, y=y, test_unseen=test, seen=seen, unseen=split.unseen
    )


def generalized_setting(
    data: ZeroShotData,
    split: str | Split | None = "paper",
    annotated: int | None = None,
    seed: int = 0,
    holdout: float = 0.2,
) -> Setting:
    """Return the generalized setting: images of seen classes are held out for the test too.

    A split that names its own test images of seen classes (the proposed split) is followed;
    otherwise a share of each seen class is held out before any image is annotated.

    Parameters
    ----------
    data, split, annotated, seed
        As for :func:`standard_setting`.
    holdout : float
        The share held out of each seen class, between 0 and 1.

    Examples
    --------
    >>> data = ZeroShotData(features=np.eye(12), labels=[0] * 5 + [1] * 5 + [2] * 2,
    ...                     attributes=np.eye(3), splits={"paper": Split(name="paper", unseen=[2])})
    >>> setting = generalized_setting(data, annotated=1)
    >>> len(setting.test_seen), len(setting.train), setting.test_unseen.tolist()
    (2, 8, [10, 11])
    """
    require_share(holdout)
    split = get_split(data, split)
    seen, train, test = _parts(data, split)
    if split.test_seen is not None:
        held = np.sort(split.test_seen)
    else:
        held = hold_out(data.labels, seen, holdout, seed, rows=train)
    train = np.setdiff1d(train, held)
    chosen = annotate(data.labels, seen, annotated, seed, rows=train)
    y = _known(data, train, chosen)
    return Setting(
        name="generalized", train=train, y=y, test_unseen=test, test_seen=held, seen=seen,
        unseen=split.unseen,
    )  # fmt: skip


def external_setting(
    data: ZeroShotData,
    extra: FeatureTable | ArrayLike,
    split: str | Split | None = "paper",
    annotated: int | None = None,
    seed: int = 0,
    listed: str | ArrayLike | None = None,
) -> Setting:
    """Return the setting with external data: annotated images and unlabelled ones from elsewhere.

    Parameters
    ----------
    data, split, annotated, seed
        As for :func:`standard_setting`; here the unannotated images of `data` are not used.
    extra : FeatureTable or array, shape (e, d)
        Features of the images from elsewhere, of the same kind as those of `data`.
    listed : str or array of int, optional
        A published list of annotated rows (a name in ``data.annotated``, or rows): of each
        class the first K in the order of the list are taken, and nothing is drawn.

    Examples
    --------
    >>> data = ZeroShotData(features=np.eye(4), labels=[0, 0, 1, 2], attributes=np.eye(3),
    ...                     splits={"paper": Split(name="paper", unseen=[2])})
    >>> X, y = external_setting(data, np.ones((2, 4)), annotated=1).training(data)
    >>> X.shape, y[-2:].tolist()
    ((4, 4), [-1, -1])
    """
    split = get_split(data, split)
    seen, train, test = _parts(data, split)
    if listed is None:
        chosen = annotate(data.labels, seen, annotated, seed, rows=train)
    else:
        chosen = _first_of_list(data, seen, annotated, listed)
    rows = np.sort(chosen)
    return Setting(
        name="external", train=rows, y=_known(data, rows, rows), test_unseen=test,
        seen=seen, unseen=split.unseen, extra=_extra(extra, data),
    )  # fmt: skip


def _extra(extra: FeatureTable | ArrayLike, data: ZeroShotData) -> NDArray[Any]:
    report = Report()
    value = extra.features if isinstance(extra, FeatureTable) else extra
    array = feature_matrix(value, "extra", report)
    report.stop()
    width = data.features.shape[1]
    if array is None or array.shape[1] != width:
        found = None if array is None else array.shape[1]
        raise InputError(
            f"extra: {found} features, but the data set has {width}; use the same kind"
        )
    return array


def _first_of_list(data: ZeroShotData, seen: Rows, k: int | None, listed: str | ArrayLike) -> Rows:
    if isinstance(listed, str):
        if listed not in data.annotated:
            has = ", ".join(data.annotated) or "none"
            raise InputError(f"listed={listed!r}: no such list of rows; the data set has: {has}")
        listed = data.annotated[listed]
    report, limit = Report(), images_a_class(k)
    rows = rows_below(listed, len(data.labels), "listed", report)
    report.stop()
    parts = [rows[data.labels[rows] == c][:limit] for c in seen]  # type: ignore[index]
    return np.concatenate(parts)
