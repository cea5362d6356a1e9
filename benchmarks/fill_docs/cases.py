"""The tables of the documentation: what each is called and which rows it shows."""

from __future__ import annotations

from typing import NamedTuple

from sapwood.benchmark import Row


class Shown(NamedTuple):
    """A table's title and the data and split of its rows."""

    title: str
    data: str
    split: str

    def of(self, rows: list[Row]) -> list[Row]:
        """Return the rows of the table that have scores."""
        return [
            row
            for row in rows
            if (row["data"], row["split"]) == (self.data, self.split) and "skipped" not in row
        ]


#: What the rows of all worlds together have as their data.
WORLDS = "worlds"
ZSL = {
    "cub": Shown("CUB, the paper's 150/50 split", "cub", "paper"),
    "cub-fresh": Shown("CUB, five fresh 150/50 splits", "cub", "fresh"),
    "cub-proposed": Shown("CUB, proposed split", "cub", "proposed"),
    "cub-sentences": Shown(
        "CUB, the paper's split, classes known by sentences", "cub:sentence_attributes", "paper"
    ),
    "awa1": Shown("AwA1, low-level features, the paper's 40/10 split", "awa1_lowlevel", "paper"),
    "awa1-proposed": Shown("AwA1, low-level features, proposed split", "awa1_lowlevel", "proposed"),
    "awa1-fresh": Shown("AwA1, low-level features, fresh 40/10 splits", "awa1_lowlevel", "fresh"),
    "demo": Shown("The demo's creatures", "demo", "paper"),
    "demo-fresh": Shown(
        "The demo's creatures, ten fresh divisions into 30 and 10 kinds", "demo", "fresh"
    ),
    "worlds": Shown("Twelve other worlds of creatures, a draw of each", WORLDS, "paper"),
}
GZSL = {
    "generalized-cub": ZSL["cub"],
    "generalized-awa1": ZSL["awa1"],
}
EXTERNAL = {
    "web-listed": Shown("CUB+Web, the paper's annotated images", "cub+web", "listed"),
    "web-drawn": Shown("CUB+Web, annotated images drawn at random", "cub+web", "drawn"),
}
STRESS = {
    "stress-cub": Shown("CUB; another subject: photographs from Flickr", "cub", "paper"),
    "stress-demo": Shown(
        "The demo's creatures; another subject: features shuffled among images", "demo", "paper"
    ),
}
SUGGEST = {"suggest": Shown("CUB, the paper's 150/50 split", "cub", "paper")}
SIA = {"annotators": Shown("Photographs from Flickr", "flickr8k_tags", "given")}


def pooled(rows: list[Row]) -> list[Row]:
    """Return the rows of worlds as draws of one data set: the world's number becomes the seed.

    Examples
    --------
    >>> pooled([{"data": "world-21", "seed": 0}])
    [{'data': 'worlds', 'seed': 21}]
    """
    return [{**row, "data": WORLDS, "seed": int(row["data"].partition("-")[2])} for row in rows]
