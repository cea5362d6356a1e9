"""The rows of a benchmark's folder, read and put in order."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sapwood.benchmark.cases import IDENTITY, identity
from sapwood.benchmark.paper_figures import data_slug
from sapwood.benchmark.rows import Row, read_rows
from sapwood.data.cards import find_card
from sapwood.errors import InputError

#: The file of a folder that tells, where somebody wrote one, what features data sets have: names
#: and words, such as {"cub": "ResNet-101"}.
FEATURES = "features.json"
#: Fields of a row's identity that are whole numbers; the others are text.
NUMBERS = ("annotated", "seed")
#: The paper's data sets come first.
PAPERS = ("cub", "awa1", "apy", "sun", "cub_web")
#: Data sets without a card of their own.
TITLES = {"awa1_lowlevel": "AwA1 (low-level features)", "demo": "The demo's creatures"}
#: Splits in the order of the page, and what they are called there.
SPLITS = {
    "paper": "the paper's split",
    "proposed": "the proposed split",
    "fresh": "unseen classes drawn anew for every seed",
    "listed": "the published list of annotated images",
    "drawn": "annotated images drawn at random",
}


@dataclass(frozen=True)
class Results:
    """What was found, and what could not be run.

    Parameters
    ----------
    folder : str
        Where the rows lie, as it was given.
    rows, skipped : list of dict
        Rows with scores, and rows with a reason instead.
    features : mapping of str to str
        What the features of a data set are, as the folder's `FEATURES` tells.
    """

    folder: str
    rows: list[Row]
    skipped: list[Row]
    features: Mapping[str, str] = field(default_factory=dict)

    def of(self, bench: str) -> list[Row]:
        """Return the rows of one benchmark.

        Examples
        --------
        >>> Results("out", [{"bench": "zsl"}, {"bench": "gzsl"}], []).of("zsl")
        [{'bench': 'zsl'}]
        """
        return [row for row in self.rows if row["bench"] == bench]


def read_results(folder: str | os.PathLike[str]) -> Results:
    """Read all rows of a folder that ``sapwood bench --out`` wrote, also while it is running.

    Lines that are not whole, or not rows of a benchmark, are left out; of rows that share their
    identity the last is taken.

    Parameters
    ----------
    folder : path

    Examples
    --------
    >>> read_results("no-such-folder")
    Traceback (most recent call last):
        ...
    sapwood.errors.InputError: no-such-folder: no such folder; give the one that `sapwood bench...
    """
    path = Path(folder)
    if not path.is_dir():
        found = "a file, not a folder" if path.exists() else "no such folder"
        raise InputError(f"{folder}: {found}; give the one that `sapwood bench --out` wrote into")
    files = sorted(path.glob("*.jsonl"))
    rows = {identity(row): row for file in files for row in read_rows(file) if _is_of(row, file)}
    if not rows:
        raise InputError(
            f"{folder}: no rows of a benchmark in it; write some into a folder of their own with "
            "`sapwood bench all --out sapwood-bench`, and give that"
        )
    kept = list(rows.values())
    return Results(
        str(folder),
        [row for row in kept if not row.get("skipped")],
        [row for row in kept if row.get("skipped")],
        _features(path / FEATURES),
    )


def _features(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{path}: not JSON ({error}); mend or remove it") from None
    if not isinstance(told, dict) or not all(isinstance(text, str) for text in told.values()):
        raise InputError(f'{path}: expected names and words, such as {{"cub": "ResNet-101"}}')
    return told


def _is_of(row: Row, file: Path) -> bool:
    # Other files in the folder tell of other things, such as settings that were chosen.
    return row.get("bench") == file.stem and all(
        type(row.get(name)) is (int if name in NUMBERS else str) for name in IDENTITY
    )


def by_case(rows: Iterable[Row]) -> dict[tuple[str, str], list[Row]]:
    """Return rows by data and split, in the order of the page.

    Examples
    --------
    >>> rows = [{"data": "cub", "split": split} for split in ("proposed", "paper")]
    >>> list(by_case(rows))
    [('cub', 'paper'), ('cub', 'proposed')]
    """
    cases: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        cases.setdefault((row["data"], row["split"]), []).append(row)
    return dict(sorted(cases.items(), key=lambda item: _order(*item[0])))


def _order(data: str, split: str) -> tuple[int, str, int, str]:
    return _place(PAPERS, data_slug(data)), data, _place(tuple(SPLITS), split), split


def _place(known: Sequence[str], name: str) -> int:
    return known.index(name) if name in known else len(known)


def data_title(data: str) -> str:
    """Return the usual name of the data a row is of.

    Examples
    --------
    >>> data_title("cub"), data_title("cub:sentence_attributes"), data_title("mine")
    ('CUB', 'CUB (sentence_attributes)', 'mine')
    """
    base, _, attributes = data.partition(":")
    card = find_card(base)
    name = card.name if card else TITLES.get(base, base)
    return f"{name} ({attributes})" if attributes else name


def case_title(data: str, split: str) -> str:
    """Return data and split in words.

    Examples
    --------
    >>> case_title("cub", "paper"), case_title("demo", "paper")
    ("CUB, the paper's split", "The demo's creatures")
    >>> case_title("demo", "fresh")
    "The demo's creatures, unseen classes drawn anew for every seed"
    """
    if (data, split) == ("demo", "paper"):
        return data_title(data)
    known = SPLITS.get(split, f"split {split}")
    if split == "paper" and data_slug(data) not in PAPERS:
        known = f"split {split}"
    return f"{data_title(data)}, {known}"


def slug(*parts: object) -> str:
    """Return a name for files and links.

    Examples
    --------
    >>> slug("zsl", "cub:sentence_attributes", "paper")
    'zsl-cub-sentence-attributes-paper'
    """
    text = "-".join(str(part).lower() for part in parts)
    return "-".join("".join(c if c.isalnum() else " " for c in text).split())
