"""Everything that is wrong with a data set, or odd about it."""

from __future__ import annotations

from pathlib import Path

from sapwood.data.containers import ZeroShotData
from sapwood.data.load import KINDS
from sapwood.data.oddities import oddities
from sapwood.data.problems import Problem, Report
from sapwood.data.sources import locate, read
from sapwood.data.wanted import Wanted
from sapwood.errors import InputError


def check(
    source: str | Path,
    *,
    attributes: str | None = None,
    features: str | Path | None = None,
    concepts: str | None = None,
) -> list[Problem]:
    """Read everything and return every problem found, errors first.

    Parameters
    ----------
    source : str or Path
        As for :func:`sapwood.data.load`.
    attributes, features, concepts : str, optional
        As for :func:`sapwood.data.load`.

    Returns
    -------
    list of Problem
        Empty if there is nothing to say. A data set without errors can be loaded.

    Examples
    --------
    >>> import tempfile, numpy as np
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.savez(folder + "/a.npz", features=np.eye(2), labels=[0], attributes=np.eye(2))
    ...     [problem.message for problem in check(folder + "/a.npz")]
    ['1 label for 2 images']
    """
    try:
        path = locate(source)
    except InputError as error:
        return [Problem("error", "", *_halves(str(error)))]
    report = Report(path, checkable=True)
    try:
        wanted = Wanted(attributes=attributes, features=features, concepts=concepts)
        kind, fields = read(path, report, wanted)
        fields = KINDS[kind]._tidy(fields, report)
        oddities(kind, fields, report)
    except InputError:
        pass  # the report has it
    return sorted(report.problems, key=lambda p: p.severity != "error")


def warnings_about(data: ZeroShotData, source: str | Path) -> list[Problem]:
    """Return what :func:`check` warns of in data already loaded, less what is often meant.

    Parameters
    ----------
    data : ZeroShotData
    source : str or Path
        What it is called.

    Examples
    --------
    >>> import numpy as np
    >>> data = ZeroShotData(features=np.eye(2), labels=[0, 1], attributes=np.ones((2, 2)))
    >>> print(warnings_about(data, "birds")[0])
    birds: attributes: the same row for another class as for 'class_1'; add an attribute that ...
    """
    report = Report(source)
    oddities("zero-shot", vars(data), report)
    return [p for p in report.problems if p.severity == "warning" and not p.often_meant]


def _halves(text: str) -> tuple[str, str]:
    message, _, fix = text.partition("; ")
    return message, fix
