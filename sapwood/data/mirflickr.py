"""The folder of MIRFLICKR-25000 as its authors give it: tags and annotations."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sapwood.data.files import read_bytes
from sapwood.data.names import clean, position, quote
from sapwood.data.originals import Fields, refuse
from sapwood.data.plain_text import read_lines
from sapwood.data.problems import Report
from sapwood.data.tag_text import tag_fields
from sapwood.data.wanted import Wanted

_TAGS = ("mirflickr/meta/tags", "meta/tags", "tags")
_WORDS = ("mirflickr/doc/common_tags.txt", "doc/common_tags.txt", "common_tags.txt")
_ANNOTATIONS = (
    "mirflickr25k_annotations_v080",
    "annotations_v080",
    "mirflickr/annotations",
    "annotations",
)
_STRICT = "_r1"
#: MIRFLICKR's own list of common tags has those of at least so many images.
_COMMON = 20


def _first(folder: Path, places: tuple[str, ...]) -> Path | None:
    beside = [folder / place for place in places] + [folder.parent / place for place in places[:2]]
    return next((path for path in beside if path.exists()), None)


def _tag_folder(folder: Path) -> Path | None:
    places = (folder / place for place in _TAGS)
    return next((p for p in places if p.is_dir() and any(p.glob("tags*.txt"))), None)


def is_mirflickr(folder: Path) -> bool:
    """Tell whether a folder has a file of tags for each image.

    Examples
    --------
    >>> is_mirflickr(Path("no such folder"))
    False
    """
    return _tag_folder(folder) is not None


def read_mirflickr(folder: Path, report: Report, wanted: Wanted) -> tuple[str, Fields]:
    """Return the fields of MIRFLICKR, not yet checked.

    The tags are those of ``doc/common_tags.txt`` or, without it, of at least 20 images. Images
    without any of them are dropped.

    Parameters
    ----------
    folder : Path
    report : Report
    wanted : Wanted
        Concepts "wide" (the default: everything that may be seen, 24 files) or "strict" (the
        files ending in ``_r1``: what the image is mainly about, 14 files).
    """
    refuse(wanted, report, "features", "concepts")
    words = _image_tags(_tag_folder(folder), report)  # type: ignore[arg-type]
    numbers = sorted(words)
    vocabulary = _vocabulary(folder, words, report)
    at = position(vocabulary)
    tags = np.zeros((len(numbers), len(vocabulary)), dtype=np.uint8)
    for row, number in enumerate(numbers):
        tags[row, [at[word] for word in words[number] if word in at]] = 1
    concepts, names = _concepts(folder, numbers, wanted.concepts or "wide", report)
    found = {
        "image_names": [f"im{number}.jpg" for number in numbers],
        "tags": tags,
        "tag_names": vocabulary,
        "concepts": concepts,
        "concept_names": names,
        "train": None,
        "test": None,
        "provenance": {"card": "MIRFlickr", "listed": f"{len(numbers)} images"},
    }
    return tag_fields(folder, found, wanted, report)


def _image_tags(folder: Path, report: Report) -> dict[int, set[str]]:
    words = {}
    for path in folder.glob("tags*.txt"):
        number = re.fullmatch(r"tags(\d+)", path.stem)
        if number:
            # A byte that is not UTF-8 costs one tag, not the data set; a file may be empty.
            text = path.read_bytes().decode("utf-8", "replace")
            words[int(number[1])] = {clean(line) for line in text.splitlines()} - {""}
    if not words:
        raise report.fatal(folder.name, "no file such as tags1.txt", "copy the folder again")
    return words


def _vocabulary(folder: Path, words: dict[int, set[str]], report: Report) -> list[str]:
    path = _first(folder, _WORDS)
    if path is not None:
        text = clean(read_bytes(path, report, path.name).decode("utf-8-sig", "replace"))
        return list(dict.fromkeys(line.split()[0] for line in text.splitlines() if line.split()))
    counts = Counter(word for tags in words.values() for word in tags)
    common = sorted(word for word, count in counts.items() if count >= _COMMON)
    if not common:
        message = f"no common_tags.txt, and no tag of at least {_COMMON} images"
        raise report.fatal("", message, "copy the folder again, with doc/common_tags.txt")
    return common


def _concepts(
    folder: Path, numbers: list[int], which: str, report: Report
) -> tuple[NDArray[np.uint8] | None, list[str] | None]:
    if which not in ("wide", "strict"):
        raise report.fatal("", f"concepts={which!r}", "give wide or strict")
    place = _first(folder, _ANNOTATIONS)
    paths = [] if place is None else sorted(place.glob("*.txt"))
    paths = [p for p in paths if p.stem.casefold() != "readme"]
    paths = [p for p in paths if p.stem.endswith(_STRICT) == (which == "strict")]
    if not paths:
        report.warning("annotations", f"no {which} ones found", "add mirflickr25k_annotations_v080")
        return None, None
    columns = [_column(path, numbers, report) for path in paths]
    return np.column_stack(columns), [path.stem.removesuffix(_STRICT) for path in paths]


def _column(path: Path, numbers: list[int], report: Report) -> NDArray[np.uint8]:
    lines = read_lines(path, report) if path.stat().st_size else []
    odd = [line for line in lines if not line.isdecimal()]
    if odd:
        message = f"{quote(odd[0])} is not the number of an image"
        raise report.fatal(path.name, message, "copy the original file again")
    return np.isin(numbers, [int(line) for line in lines]).astype(np.uint8)
