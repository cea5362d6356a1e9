"""Which classes are unseen, and which rows belong to which part."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sapwood.data.arrays import read_only, rows_below
from sapwood.data.problems import Report
from sapwood.errors import InputError, closest, counted

if TYPE_CHECKING:
    from sapwood.data.containers import ZeroShotData

Rows = NDArray[np.int64]
PARTS = ("trainval", "test_seen", "test_unseen")


@dataclass(frozen=True, eq=False, kw_only=True)
class Split:
    """A division of the classes into seen and unseen.

    Parameters
    ----------
    name : str
        "paper", "proposed", or the name of the file it was read from.
    unseen : array of int, shape (n_unseen,)
        Positions of the unseen classes; all other classes are seen.
    version : str
        "standard" for the paper's, "1" or "2" for the proposed split of Xian et al., "unknown"
        where it cannot be told.
    trainval, test_seen, test_unseen : array of int, optional
        Rows of the images, where the split says so; None means "all images of the classes".

    Examples
    --------
    >>> Split(name="mine", unseen=np.array([2])).seen(4).tolist()
    [0, 1, 3]
    """

    name: str
    unseen: Rows
    version: str = "unknown"
    trainval: Rows | None = None
    test_seen: Rows | None = None
    test_unseen: Rows | None = None

    def seen(self, n_classes: int) -> Rows:
        """Return the positions of the seen classes, ascending."""
        return np.setdiff1d(np.arange(n_classes), self.unseen)


def tidy_split(split: Split, labels: Rows, n_classes: int, report: Report) -> Split:
    """Return the split with sorted unseen classes and read-only rows; report what is wrong.

    Examples
    --------
    >>> split = Split(name="mine", unseen=np.array([2, 0]))
    >>> tidy_split(split, np.array([0, 1, 2]), 3, Report()).unseen.tolist()
    [0, 2]
    """
    where = f"split {split.name!r}"
    unseen = rows_below(split.unseen, n_classes, f"{where}: unseen", report, what="classes")
    parts: dict[str, Rows | None] = dict.fromkeys(PARTS)
    for part in PARTS:
        given = getattr(split, part)
        if given is not None:
            parts[part] = rows_below(given, len(labels), f"{where}: {part}", report)
    if unseen is not None:
        _check_classes(unseen, n_classes, where, report)
        _check_parts(parts, np.isin(labels, unseen), labels, where, report)
    kept = {k: None if v is None else read_only(v) for k, v in parts.items()}
    unseen = np.sort(unseen) if unseen is not None else np.empty(0, np.int64)
    return Split(name=split.name, unseen=read_only(unseen), version=split.version, **kept)


def _check_classes(unseen: Rows, n_classes: int, where: str, report: Report) -> None:
    if len(unseen) == 0:
        report.error(where, "no unseen class", "name at least one")
    elif len(np.unique(unseen)) == n_classes:
        report.error(where, f"all {n_classes} classes are unseen", "leave some classes seen")


def _check_parts(
    parts: Mapping[str, Rows | None],
    is_unseen: NDArray[np.bool_],
    labels: Rows,
    where: str,
    report: Report,
) -> None:
    given = {name: rows for name, rows in parts.items() if rows is not None}
    names = list(given)
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            shared = np.intersect1d(given[one], given[other])
            if len(shared):
                found = counted(len(shared), "row")
                message = f"{found} both in {one} and in {other}, first {shared[0]}"
                report.error(where, message, "keep each row in one part")
    for name, rows in given.items():
        nameless = rows[labels[rows] < 0] if name.startswith("test") else rows[:0]
        if len(nameless):
            found = counted(len(nameless), "row")
            message = f"{found} of {name} without a label, first {nameless[0]}"
            report.error(where, message, "leave them out: nothing says whether an answer is right")
        expected = name == "test_unseen"
        wrong = rows[(is_unseen[rows] != expected) & (labels[rows] >= 0)]
        if len(wrong):
            kind = "seen" if expected else "unseen"
            found = counted(len(wrong), "row")
            message = f"{found} of {name} from {kind} classes, first {wrong[0]}"
            report.error(where, message, "correct the rows or the list of unseen classes")


def proposed_version(train: Rows | None, val: Rows | None, parts: Mapping[str, Any]) -> str:
    """Tell version 1 of the proposed split from version 2.

    In version 1 the train and val rows (for tuning) contain rows of test_seen; in version 2
    they stay inside trainval. Anything else, or no train and val rows, is "unknown".

    Examples
    --------
    >>> parts = {"trainval": np.array([0, 1]), "test_seen": np.array([2])}
    >>> proposed_version(np.array([0]), np.array([1]), parts)
    '2'
    >>> proposed_version(np.array([0]), np.array([1, 2]), parts)
    '1'
    """
    if train is None or val is None or any(parts.get(k) is None for k in PARTS[:2]):
        return "unknown"
    tuning = np.union1d(train, val)
    if len(np.intersect1d(tuning, parts["test_seen"])):
        return "1"
    return "2" if not len(np.setdiff1d(tuning, parts["trainval"])) else "unknown"


def get_split(data: ZeroShotData, which: str | Path | Split | None = "paper") -> Split:
    """Return a split of `data`: one it came with, or one read from a file.

    Parameters
    ----------
    data : ZeroShotData
    which : str, Path, Split or None
        "paper", "proposed", a file with one unseen class name a line (text or CSV), or a JSON
        file ``{"unseen": [names], "trainval": [rows or image names], …}``. With None the classes
        without an annotated image are unseen, possibly none.

    Examples
    --------
    >>> from sapwood.data import ZeroShotData
    >>> data = ZeroShotData(features=np.eye(3), labels=[0, 1, 2], attributes=np.eye(3),
    ...                     splits={"paper": Split(name="paper", unseen=[2])})
    >>> get_split(data, "paper").unseen.tolist()
    [2]
    """
    if which is None:
        classes = np.arange(len(data.class_names))
        return Split(name="none", unseen=np.setdiff1d(classes, data.labels))
    if isinstance(which, Split):
        report = Report()
        tidy = tidy_split(which, data.labels, len(data.class_names), report)
        report.stop()
        return tidy
    if str(which) in data.splits:
        return data.splits[str(which)]
    has = ", ".join(repr(name) for name in data.splits) or "none"
    if str(which) in ("paper", "proposed"):
        raise InputError(
            f"split {str(which)!r}: this data set does not come with it (it has: {has}); "
            "give a file with one unseen class name a line"
        )
    from sapwood.data.split_files import read_split_file

    if not os.path.exists(which) and not Path(which).suffix:
        hint = closest(which, [*data.splits, "paper", "proposed"]).lstrip("; ")
        raise InputError(
            f"split {str(which)!r}: neither a split of this data set (it has: {has}) nor a file; "
            f"{hint or 'give paper, proposed or a file with one unseen class name a line'}"
        )
    return read_split_file(which, data)
