"""Which classes are taken for which: a square of cells, readable with three or fifty classes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

#: Points: side of a cell at least and at most, and of all of them where there is a choice.
_SMALL, _LARGE, _ALL = 15.0, 36.0, 360.0
#: Points: text, and the width of a letter in the margins.
_FONT, _LETTER = 10.0, 5.6


def heat_map(counts: np.ndarray, names: Sequence[str], label: str) -> str:
    """Draw how often the images of each class (down) were given each name (across).

    Classes are put in an order in which those that are mixed up stand together. A cell's strength
    is its share of the row; right answers have one colour and mistakes another, and each cell
    tells its count to whoever points at it.

    Parameters
    ----------
    counts : ndarray of int, shape (classes, classes)
        True classes in rows, answers in columns.
    names : sequence of str
    label : str
        What is shown, for those who cannot see it.

    Returns
    -------
    str
        An ``<svg>`` element; texts in it are escaped.

    Examples
    --------
    >>> svg = heat_map(np.array([[3, 1], [0, 2]]), ["wren", "owl"], "Two birds")
    >>> svg.count("<rect"), "wren taken for owl: 1 of 4" in svg
    (4, True)
    """
    from markupsafe import escape

    counts = np.asarray(counts)
    order = mixed_up_together(counts)
    counts, names = counts[np.ix_(order, order)], [str(escape(names[i])) for i in order]
    margin = _LETTER * max((len(name) for name in names), default=1) + 10
    cell = min(max(_ALL / max(len(names), 1), _SMALL), _LARGE)
    side = margin + cell * len(names) + 4
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(label)}" '
        f'style="--side: {side:.0f}pt; max-width: {side:.0f}pt" '
        f'viewBox="0 0 {side:.0f} {side:.0f}" font-size="{_FONT:g}">'
    )
    ground = _rectangle(margin, margin, cell * len(names), "var(--code)")
    return "\n".join([head, ground, *_margins(names, margin, cell),
                      *_cells(counts, names, margin, cell), "</svg>"])  # fmt: skip


def mixed_up_together(counts: np.ndarray) -> np.ndarray:
    """Return an order of the classes that puts those mixed up with one another side by side.

    Parameters
    ----------
    counts : ndarray of int, shape (classes, classes)

    Examples
    --------
    >>> counts = np.array([[5, 0, 4], [0, 9, 0], [4, 0, 5]])
    >>> order = mixed_up_together(counts).tolist()
    >>> abs(order.index(0) - order.index(2))
    1
    """
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    if len(counts) < 3:
        return np.arange(len(counts))
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    apart = 1.0 - (shares + shares.T) / 2
    np.fill_diagonal(apart, 0.0)
    tree = linkage(squareform(apart, checks=False), "average", optimal_ordering=True)
    return leaves_list(tree)


def _margins(names: list[str], margin: float, cell: float) -> list[str]:
    texts = []
    for i, name in enumerate(names):
        at = margin + cell * (i + 0.5) + _FONT * 0.35
        style = 'fill="var(--soft)"'
        texts.append(f'<text x="{margin - 5:.1f}" y="{at:.1f}" text-anchor="end" {style}>{name}'
                     "</text>")  # fmt: skip
        texts.append(f'<text transform="translate({at:.1f} {margin - 5:.1f}) rotate(-90)" {style}>'
                     f"{name}</text>")  # fmt: skip
    return texts


def _cells(counts: np.ndarray, names: list[str], margin: float, cell: float) -> list[str]:
    totals = counts.sum(axis=1)
    cells = []
    for i, j in np.argwhere(counts > 0):
        share = counts[i, j] / totals[i]
        colour, said = ("good", "named correctly") if i == j else ("bad", f"taken for {names[j]}")
        # A single mistake of many is still to be seen.
        strength = 0.12 + 0.88 * share
        told = f"{names[i]} {said}: {counts[i, j]} of {totals[i]}"
        x, y = margin + cell * j + 0.5, margin + cell * i + 0.5
        fill = f'var(--{colour})" fill-opacity="{strength:.2f}'
        cells.append(_rectangle(x, y, cell - 1, fill, f"<title>{told}</title>"))
    return cells


def _rectangle(x: float, y: float, side: float, fill: str, inside: str = "") -> str:
    size = f'width="{side:g}" height="{side:g}"'
    return f'<rect x="{x:.1f}" y="{y:.1f}" {size} fill="{fill}">{inside}</rect>'
