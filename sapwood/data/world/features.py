"""Numbers from pictures without any network: where which colours are, and which edges.

All counts are integers, so they are the same on every machine.
"""

from __future__ import annotations

import numpy as np

#: Colours a pixel may count as: twelve hues, each light and dark, and three greys.
HUES = 12
COLOURS = 2 * HUES + 3
DIRECTIONS = 8
#: Tangents of 11¼°, 33¾°, 56¼° and 78¾° in thousandths: they part the directions.
_TANGENTS = (199, 668, 1497, 5027)
#: Histograms sum to about this many.
PARTS = 10_000
#: Pictures described at once.
CHUNK = 64


def picture_features(pictures: np.ndarray) -> np.ndarray:
    """Describe pictures by histograms of colours and of edge directions.

    Both are counted over the whole picture and in cells, colours in 4 × 4, edges in 3 × 3 and
    6 × 6. A picture and its mirror image have the same features.

    Parameters
    ----------
    pictures : ndarray of uint8, shape (n, size, size, 3)

    Returns
    -------
    ndarray of float32, shape (n, d)
        Whole numbers.

    Examples
    --------
    >>> black = np.zeros((2, 24, 24, 3), dtype=np.uint8)
    >>> picture_features(black).shape
    (2, 443)
    """
    starts = range(0, max(len(pictures), 1), CHUNK)
    return np.concatenate([_described(pictures[i : i + CHUNK].astype(np.int32)) for i in starts])


def _described(pixels: np.ndarray) -> np.ndarray:
    colours = _colour_of(pixels)
    directions, strength = _edges_of(pixels)
    same, ones = np.arange(COLOURS), np.ones_like(colours)
    mirror = -np.arange(DIRECTIONS) % DIRECTIONS
    parts = [_histogram(colours, ones, cells, same) for cells in (1, 4)]
    parts += [_histogram(directions, strength, cells, mirror) for cells in (1, 3, 6)]
    return np.concatenate(parts, axis=1).astype(np.float32)


def _colour_of(pixels: np.ndarray) -> np.ndarray:
    """Return the colour number of each pixel, shape (n, size, size)."""
    red, green, blue = pixels[..., 0], pixels[..., 1], pixels[..., 2]
    high, low = pixels.max(axis=-1), pixels.min(axis=-1)
    chroma = np.maximum(high - low, 1)
    # A sixth of the circle of hues is 256 wide.
    hue = np.where(
        high == red,
        (green - blue) * 256 // chroma,
        np.where(
            high == green, 512 + (blue - red) * 256 // chroma, 1024 + (red - green) * 256 // chroma
        ),
    )
    width = 6 * 256 // HUES
    number = (hue + width // 2) % (6 * 256) // width + HUES * (high < 150)
    grey = 2 * HUES + (high >= 90) + (high >= 190)
    return np.where(5 * (high - low) < high + 20, grey, number)


def _edges_of(pixels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the direction number and the strength of the edge at each inner pixel."""
    tone = pixels @ np.array([3, 5, 2])
    across = tone[:, 1:-1, 2:] - tone[:, 1:-1, :-2]
    down = tone[:, 2:, 1:-1] - tone[:, :-2, 1:-1]
    a, b = np.abs(across), np.abs(down)
    steps = sum((1000 * b > tangent * a).astype(np.int32) for tangent in _TANGENTS)
    directions = np.where((across < 0) != (down < 0), -steps % DIRECTIONS, steps)
    return directions, np.maximum(a, b) + np.minimum(a, b) // 2


def _histogram(
    numbers: np.ndarray, weights: np.ndarray, cells: int, mirror: np.ndarray
) -> np.ndarray:
    """Count the numbers in cells × cells cells, together with those of the mirror image.

    Parameters
    ----------
    numbers, weights : ndarray of shape (n, size, size)
    cells : int
    mirror : ndarray of shape (bins,)
        What each number is in the mirror image.

    Returns
    -------
    ndarray of int, shape (n, cells · ceil(cells / 2) · bins)
        In parts of all; the right half of the cells would repeat the left.
    """
    n, size, _ = numbers.shape
    bins, half = len(mirror), (size + 1) // 2
    row, column = np.arange(size) * cells // size, np.arange(half) * cells // size
    across = int(column[-1]) + 1
    cell = (np.arange(n)[:, None, None] * cells + row[:, None]) * across + column
    counts = np.zeros(n * cells * across * bins)
    # The left half as it is, and the right half as the left half of the mirror image.
    for number, weight in ((numbers, weights), (mirror[numbers[:, :, ::-1]], weights[:, :, ::-1])):
        where = cell * bins + number[:, :, :half]
        counts += np.bincount(where.ravel(), weight[:, :, :half].ravel(), len(counts))
    whole = counts.astype(np.int64).reshape(n, cells * across * bins)
    return whole * PARTS // np.maximum(whole.sum(axis=1, keepdims=True), 1)
