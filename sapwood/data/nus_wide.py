"""The folder of NUS-WIDE as its authors give it: image lists, tags and ground truth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapwood.data.names import listed, position, repeated
from sapwood.data.originals import Fields, refuse
from sapwood.data.plain_text import read_lines, require_length
from sapwood.data.problems import Report
from sapwood.data.tag_text import read_indicators, read_marks, tag_fields
from sapwood.data.wanted import Wanted

_PLACES = ("", "ImageList", "NUS_WID_Tags", "ConceptsList", "Groundtruth")
_PARTS = {"train": "Train", "test": "Test"}


def _find(folder: Path, name: str) -> Path | None:
    """Return a file by name, spelt in any case, in the folder or one that an archive makes."""
    for place in _PLACES:
        inside = folder / place
        paths = sorted(inside.iterdir()) if inside.is_dir() else []
        for path in paths:
            if path.name.casefold() == name.casefold():
                return path
    return None


def is_nus_wide(folder: Path) -> bool:
    """Tell whether a folder has the image list and the thousand tags of NUS-WIDE.

    Examples
    --------
    >>> is_nus_wide(Path("no such folder"))
    False
    """
    if not folder.is_dir():
        return False
    tags = any(_find(folder, name) for name in ("AllTags1k.txt", "Train_Tags1k.dat"))
    return tags and any(_find(folder, f"{part}Imagelist.txt") for part in ("", "Train"))


def read_nus_wide(folder: Path, report: Report, wanted: Wanted) -> tuple[str, Fields]:
    r"""Return the fields of NUS-WIDE, not yet checked.

    Images without any of the thousand tags are dropped, as in the paper, and so are images
    without features where features are given. Image names have slashes here where the lists have
    backslashes.

    Notes
    -----
    The rows of ``train`` and ``test`` are those of the official lists. The paper trains on more
    images (162,806) than the official list has (161,789), so its own division is another.
    """
    refuse(wanted, report, "features")
    parts = {name: _image_list(folder, prefix, report) for name, prefix in _PARTS.items()}
    images = _image_list(folder, "", report) or [*(parts["train"] or []), *(parts["test"] or [])]
    twice = repeated(images)
    if twice:
        fix = "their rows in train and test cannot be told apart"
        report.warning("Imagelist.txt", f"listed twice: {listed(twice)}", fix)
    at = position(images)
    rows = {name: _rows(part, at, name, report) for name, part in parts.items()}
    tags = _tags(folder, rows, len(images), report)
    concepts, concept_names = _concepts(folder, rows, len(images), report)
    found = {
        "image_names": images,
        "tags": tags,
        "tag_names": _tag_names(folder, tags.shape[1], report),
        "concepts": concepts,
        "concept_names": concept_names,
        **rows,
        "provenance": {"card": "NUS-WIDE", "listed": f"{len(images)} images"},
    }
    return tag_fields(folder, found, wanted, report)


def _image_list(folder: Path, prefix: str, report: Report) -> list[str] | None:
    path = _find(folder, f"{prefix}Imagelist.txt")
    if path is None:
        return None
    return [line.replace("\\", "/").lstrip("/") for line in read_lines(path, report)]


def _rows(
    part: list[str] | None, at: dict[str, int], name: str, report: Report
) -> NDArray[np.int64] | None:
    if part is None:
        return None
    lost = [image for image in part if image not in at]
    if lost:
        message = f"{len(lost)} of {len(part)} images are not in Imagelist.txt ({listed(lost[:3])})"
        raise report.fatal(f"{_PARTS[name]}Imagelist.txt", message, "use lists of one copy")
    return np.array([at[image] for image in part], dtype=np.int64)


def _tags(folder: Path, rows: Fields, images: int, report: Report) -> NDArray[np.uint8]:
    whole = _find(folder, "AllTags1k.txt")
    if whole is not None:
        tags = read_indicators(whole, report)
        require_length(tags, images, "images", whole.name, report)
        return tags
    halves = {}
    for name, prefix in _PARTS.items():
        path = _find(folder, f"{prefix}_Tags1k.dat")
        if path is None or rows[name] is None:
            fix = "add AllTags1k.txt, or both halves with their image lists"
            raise report.fatal("", f"no {prefix}_Tags1k.dat with {prefix}Imagelist.txt", fix)
        halves[name] = read_indicators(path, report)
        require_length(halves[name], len(rows[name]), "images", path.name, report)
    return _together(halves, rows, images)


def _together(halves: Fields, rows: Fields, images: int) -> NDArray[np.uint8]:
    width = halves["train"].shape[1:]
    whole = np.zeros((images, *width), dtype=np.uint8)
    for name, half in halves.items():
        whole[rows[name]] = half
    return whole


def _tag_names(folder: Path, count: int, report: Report) -> list[str] | None:
    path = _find(folder, "TagList1k.txt")
    if path is None:
        report.warning("TagList1k.txt", "not there", "tags are numbered without it")
        return None
    names = read_lines(path, report)
    require_length(np.array(names), count, "tags", path.name, report)
    return names


def _concepts(
    folder: Path, rows: Fields, images: int, report: Report
) -> tuple[NDArray[Any] | None, list[str] | None]:
    whole = _label_files(folder, "AllLabels", "")
    halves = {part: _label_files(folder, "TrainTestLabels", f"_{p}") for part, p in _PARTS.items()}
    names = _concept_names(folder, list(whole or halves["train"]), report)
    if not names:
        message = "no Labels_*.txt in Groundtruth/AllLabels"
        report.warning("Groundtruth", message, "add them to score against the 81 concepts")
        return None, None
    if whole:
        columns = [_column(whole[name], images, report) for name in names]
        return np.column_stack(columns), names
    if any(rows[part] is None or set(names) - set(halves[part]) for part in _PARTS):
        raise report.fatal("Groundtruth", "labels of one half only", "add Groundtruth/AllLabels")
    columns = [
        _together({p: _column(halves[p][name], len(rows[p]), report) for p in _PARTS}, rows, images)
        for name in names
    ]
    return np.column_stack(columns), names


def _label_files(folder: Path, inner: str, ending: str) -> dict[str, Path]:
    places = (folder / "Groundtruth" / inner, folder / inner)
    paths = [p for place in places for p in sorted(place.glob(f"Labels_*{ending}.txt"))]
    return {p.stem.removeprefix("Labels_").removesuffix(ending): p for p in paths}


def _concept_names(folder: Path, found: list[str], report: Report) -> list[str]:
    path = _find(folder, "Concepts81.txt")
    names = sorted(found) if path is None else read_lines(path, report)
    lost = [name for name in names if name not in found]
    if lost and found:
        message = f"no labels for the concepts {listed(lost)}"
        raise report.fatal("Groundtruth", message, "copy the original files again")
    return names if found else []


def _column(path: Path, images: int, report: Report) -> NDArray[np.uint8]:
    marks = read_marks(path, report)
    require_length(marks, images, "images", path.name, report)
    return marks
