"""Text of the original tag data sets: large matrices of 0 and 1, and lists of image numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapwood.data.files import require_file
from sapwood.data.names import quote
from sapwood.data.originals import Fields, matched, read_wanted_features
from sapwood.data.problems import Report
from sapwood.data.wanted import Wanted

_BLOCK = 1 << 24  # bytes read at once: NUS-WIDE's tags are half a gigabyte of text


def read_indicators(path: Path, report: Report) -> NDArray[np.uint8]:
    r"""Return a matrix of 0 and 1 from lines of digits with blanks or tabs between them.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "t.dat").write_text("0\t1\t\n1\t1\t\n")
    ...     read_indicators(Path(folder, "t.dat"), Report()).tolist()
    [[0, 1], [1, 1]]
    """
    require_file(path, report, path.name)
    blocks, width, before = [], 0, 0
    with path.open("rb") as file:
        while lines := file.readlines(_BLOCK):
            rows = [row for line in lines if (row := line.translate(None, b" \t\r\n"))]
            if not rows:
                continue
            width = width or len(rows[0])
            _check_rows(rows, width, before, path, report)
            digits = np.frombuffer(b"".join(rows), dtype=np.uint8)
            blocks.append(digits.reshape(len(rows), -1) - ord("0"))
            before += len(rows)
    if not before:
        raise report.fatal(path.name, "no line of 0 and 1", "copy the original file again")
    return np.concatenate(blocks)


def _check_rows(rows: list[bytes], width: int, before: int, path: Path, report: Report) -> None:
    for number, row in enumerate(rows, before + 1):
        if len(row) != width or row.strip(b"01"):
            message = f"row {number} is not {width} values of 0 and 1"
            raise report.fatal(path.name, message, "copy the original file again")


def read_marks(path: Path, report: Report) -> NDArray[np.uint8]:
    """Return a column of 0 and 1; anything else counts as 0 and is reported.

    NUS-WIDE's ``Labels_lake_Train.txt`` has -1130179 in its line 78372.
    """
    require_file(path, report, path.name)
    words = path.read_bytes().split()
    marks = np.array([word == b"1" for word in words], dtype=np.uint8)
    odd = [i for i, word in enumerate(words, 1) if word not in (b"0", b"1")]
    if odd:
        value = quote(words[odd[0] - 1].decode("utf-8", "replace"))
        message = f"{len(odd)} values are neither 0 nor 1, first {value} in line {odd[0]}"
        report.warning(path.name, message, "taken as 0; copy the original file again")
    return marks


def tag_fields(folder: Path, found: Fields, wanted: Wanted, report: Report) -> tuple[str, Fields]:
    """Return the fields of a tag data set: without untagged images, with features if there are any.

    Parameters
    ----------
    folder : Path
    found : dict
        ``image_names``, ``tags``, ``tag_names``, ``concepts``, ``concept_names``, ``train``,
        ``test`` and ``provenance`` of all images listed.
    wanted : Wanted
    report : Report
    """
    matrix, where = read_wanted_features(wanted, report, folder)
    notes = dict(found["provenance"])
    kept, features = np.arange(len(found["image_names"])), None
    if matrix is not None:
        from sapwood.data.join import join_features

        joined = join_features(found["image_names"], matrix, where, report)
        kept, features = joined.images, joined.features
        notes |= matched(joined.note, where, matrix)
    tagged = found["tags"][kept].any(axis=1)
    if not tagged.all():
        notes["dropped"] = f"{np.count_nonzero(~tagged)} images without any of the tags"
        kept = kept[tagged]
        features = None if features is None else features[tagged]
    fields = {**found, "features": features, "provenance": notes}
    return "tags", {**fields, **_kept_rows(found, kept)}


def _kept_rows(found: Fields, kept: NDArray[np.int64]) -> Fields:
    """Return the fields that have a row for each image, and the rows of train and test, cut."""
    rows: dict[str, Any] = {"image_names": [found["image_names"][i] for i in kept]}
    for name in ("tags", "concepts"):
        rows[name] = None if found[name] is None else found[name][kept]
    for part in ("train", "test"):
        given = found[part]
        rows[part] = None if given is None else np.flatnonzero(np.isin(kept, given))
    return rows
