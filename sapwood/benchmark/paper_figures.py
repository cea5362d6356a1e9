"""The figures printed in the paper, as data to be joined with ours."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from importlib import resources
from typing import Any

from sapwood.benchmark.rows import Row
from sapwood.data.cards import find_card
from sapwood.errors import InputError, closest

#: Tables of results, and what each is of.
TABLES = {
    "zsl": "standard zero-shot learning",
    "gzsl": "generalized zero-shot learning",
    "external": "zero-shot learning with external data",
    "sia": "social image annotation",
}
#: What the paper says of its features, section "Semantic and Feature Spaces".
FEATURES = "ResNet-101"
#: The paper's data sets by the names of their cards; only AwA's differs.
_CARDS = {"AwA": "awa1"}
#: Data sets with other features than those of the card they belong to.
_OTHER_FEATURES = {"awa1_lowlevel": "awa1"}
#: Our names of the rows of the table of social image annotation.
_ANNOTATORS = {
    "Ours (Refined Tags+CNN+SVM)": "sapwood",
    "Ours (Refined Tags+SVM)": "sapwood-refined",
    "Ours (Noisy Tags+SVM)": "sapwood-noisy",
    "TagNeighboor": "tag-neighbour",
    "CNN+WARP": "cnn-warp",
    "CNN+softmax": "cnn-softmax",
    "CNN+logistic": "cnn-logistic",
}
_PERCENT = ("accuracy", "harmonic_mean", "std", "C-P", "C-R", "C-F1", "I-P", "I-R", "I-F1")


def read_paper(table: str) -> list[Row]:
    """Return the figures of one of the paper's tables.

    Parameters
    ----------
    table : {"zsl", "gzsl", "external", "sia"}

    Returns
    -------
    list of dict
        One a figure, in the order of print: ``table`` and ``row`` (numbers), ``dataset`` and
        ``printed`` (names as printed), ``data`` (the slug of the data set's card), ``annotated``
        (K), ``method`` (our name of it), and the score in 0–1: ``accuracy`` or
        ``harmonic_mean`` with ``std`` where one is printed. The rows of "sia" have no K and six
        scores.

    Examples
    --------
    >>> one = read_paper("zsl")[0]
    >>> one["data"], one["annotated"], one["method"], one["accuracy"], one["std"]
    ('cub', 5, 'rpl', 0.294, 0.014)
    """
    if table not in TABLES:
        hint = closest(table, TABLES) or f"; there are {', '.join(TABLES)}"
        raise InputError(f"table {table!r}: the paper has no such table of results{hint}")
    file = resources.files("sapwood.benchmark") / "paper" / f"table_{table}.csv"
    lines = csv.DictReader(file.read_text(encoding="utf-8").splitlines())
    return [_figure(line) for line in lines]


def _figure(line: Mapping[str, str]) -> Row:
    name = line.get("dataset", "NUS-WIDE")
    known: dict[str, Any] = {
        "table": int(line["table"]),
        "row": int(line["row"]),
        "dataset": name,
        "data": data_slug(_CARDS.get(name, name)),
        "printed": line["method"],
        "method": _our_name(line["method"]),
    }
    if "annotated" in line:
        known["annotated"] = int(line["annotated"])
    if "label_correlation" in line:
        known["label_correlation"] = line["label_correlation"] == "yes"
    return known | {name: _share(line[name]) for name in _PERCENT if name in line}


def _our_name(printed: str) -> str:
    if printed in _ANNOTATORS:
        return _ANNOTATORS[printed]
    return "sapwood-paper" if printed == "Ours" else printed.lower()


def _share(percent: str) -> float:
    return round(float(percent) / 100, 6)


def data_slug(data: str) -> str:
    """Return the slug of the card a benchmark's data belongs to, or the name itself.

    What follows ":" (another array of attributes) is left out.

    Examples
    --------
    >>> data_slug("awa1_lowlevel"), data_slug("cub+web"), data_slug("cub:sentence_attributes")
    ('awa1', 'cub_web', 'cub')
    >>> data_slug("demo")
    'demo'
    """
    base = data.split(":")[0]
    card = find_card(_OTHER_FEATURES.get(base, base))
    return card.slug if card else base
