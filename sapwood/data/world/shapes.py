"""Shapes as signed distances: negative inside, zero on the edge, positive outside.

Only + − × ÷ √ and comparisons are used, which round alike on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

Point = tuple[float, float]


class Shape(Protocol):
    """A distance to every point, and a circle (x, y, radius) that holds the shape."""

    def distance(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the signed distance of each point, shape as broadcast from x and y."""

    def bounds(self) -> tuple[float, float, float]:
        """Return the centre and radius of a circle round the shape."""


@dataclass(frozen=True)
class Ellipse:
    """An ellipse; `tilt` is the tangent of half its angle.

    Examples
    --------
    >>> Ellipse(0, 0, 1, 1).distance(np.array([2.0]), np.array([0.0]))
    array([1.])
    """

    cx: float
    cy: float
    rx: float
    ry: float
    tilt: float = 0.0

    def distance(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the distance, exact for circles and close to it near the edge of the others."""
        c, s = turn(self.tilt)
        dx, dy = x - self.cx, y - self.cy
        u, v = (c * dx + s * dy) / self.rx, (c * dy - s * dx) / self.ry
        # The small number keeps the very centre inside.
        size = np.sqrt(u * u + v * v + 1e-12)
        u, v = u / self.rx, v / self.ry
        slope = np.sqrt(u * u + v * v)
        return size * (size - 1) / np.maximum(slope, 1e-6)

    def bounds(self) -> tuple[float, float, float]:
        """Return the circle round the centre with the longer radius."""
        return self.cx, self.cy, max(self.rx, self.ry)


@dataclass(frozen=True)
class Capsule:
    """A thick line from a to b whose half-width goes from ra to rb.

    Examples
    --------
    >>> Capsule((0, 0), (4, 0), 1, 1).distance(np.array([2.0]), np.array([3.0]))
    array([2.])
    """

    a: Point
    b: Point
    ra: float
    rb: float

    def distance(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the distance to the nearest point of the line, less the width there."""
        bx, by = self.b[0] - self.a[0], self.b[1] - self.a[1]
        dx, dy = x - self.a[0], y - self.a[1]
        along = np.clip((dx * bx + dy * by) / max(bx * bx + by * by, 1e-9), 0, 1)
        dx, dy = dx - along * bx, dy - along * by
        return np.sqrt(dx * dx + dy * dy) - (self.ra + (self.rb - self.ra) * along)

    def bounds(self) -> tuple[float, float, float]:
        """Return the circle round the middle."""
        (ax, ay), (bx, by) = self.a, self.b
        half = (((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5) / 2
        return (ax + bx) / 2, (ay + by) / 2, half + max(self.ra, self.rb)


@dataclass(frozen=True)
class Convex:
    """A convex polygon, its points in either order round it, grown by `growth`.

    Examples
    --------
    >>> square = Convex(((0, 0), (2, 0), (2, 2), (0, 2)))
    >>> square.distance(np.array([1.0, 3.0]), np.array([1.0, 1.0]))
    array([-1.,  1.])
    """

    points: tuple[Point, ...]
    growth: float = 0.0

    def distance(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the largest distance beyond any side."""
        cx, cy, _ = self.bounds()
        result: np.ndarray | None = None
        for ax, ay, nx, ny in self._sides():
            outward = -1 if (cx - ax) * nx + (cy - ay) * ny > 0 else 1
            side = (x - ax) * (outward * nx) + (y - ay) * (outward * ny)
            result = side if result is None else np.maximum(result, side)
        assert result is not None
        return result - self.growth

    def bounds(self) -> tuple[float, float, float]:
        """Return the circle round the mean of the corners, grown as the nearest side is."""
        n = len(self.points)
        cx, cy = sum(p[0] for p in self.points) / n, sum(p[1] for p in self.points) / n
        far = max((px - cx) ** 2 + (py - cy) ** 2 for px, py in self.points) ** 0.5
        near = min(abs((cx - ax) * nx + (cy - ay) * ny) for ax, ay, nx, ny in self._sides())
        return cx, cy, far * (1 + self.growth / max(near, 1e-9))

    def _sides(self) -> list[tuple[float, float, float, float]]:
        """Return a point and the unit normal of each side."""
        sides = []
        for (ax, ay), (bx, by) in zip(self.points, self.points[1:] + self.points[:1], strict=True):
            nx, ny = by - ay, ax - bx
            length = max((nx * nx + ny * ny) ** 0.5, 1e-9)
            sides.append((ax, ay, nx / length, ny / length))
        return sides


@dataclass(frozen=True)
class Box:
    """An upright rectangle with half-sides rx and ry and rounded corners.

    Examples
    --------
    >>> Box(0, 0, 2, 1).distance(np.array([5.0, 5.0]), np.array([0.0, 5.0]))
    array([3., 5.])
    """

    cx: float
    cy: float
    rx: float
    ry: float
    rounding: float = 0.0

    def distance(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the distance to the sides or, beyond two of them, to the corner."""
        dx = np.abs(x - self.cx) - (self.rx - self.rounding)
        dy = np.abs(y - self.cy) - (self.ry - self.rounding)
        ox, oy = np.maximum(dx, 0), np.maximum(dy, 0)
        inner = np.minimum(np.maximum(dx, dy), 0)
        return np.sqrt(ox * ox + oy * oy) + inner - self.rounding

    def bounds(self) -> tuple[float, float, float]:
        """Return the circle through the corners."""
        return self.cx, self.cy, (self.rx**2 + self.ry**2) ** 0.5


@dataclass(frozen=True)
class Union:
    """Everything that is inside any of the shapes."""

    shapes: tuple[Shape, ...]

    def distance(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the smallest of the distances."""
        result = self.shapes[0].distance(x, y)
        for shape in self.shapes[1:]:
            result = np.minimum(result, shape.distance(x, y))
        return result

    def bounds(self) -> tuple[float, float, float]:
        """Return a circle round the shapes' circles."""
        circles = [shape.bounds() for shape in self.shapes]
        left, right = min(x - r for x, _, r in circles), max(x + r for x, _, r in circles)
        top, bottom = min(y - r for _, y, r in circles), max(y + r for _, y, r in circles)
        cx, cy = (left + right) / 2, (top + bottom) / 2
        return cx, cy, max(((x - cx) ** 2 + (y - cy) ** 2) ** 0.5 + r for x, y, r in circles)


@dataclass(frozen=True)
class Inside:
    """The part of `shape` that is inside `mask`, `margin` away from its edge."""

    shape: Shape
    mask: Shape
    margin: float = 0.0

    def distance(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the larger of the two distances."""
        return np.maximum(self.shape.distance(x, y), self.mask.distance(x, y) + self.margin)

    def bounds(self) -> tuple[float, float, float]:
        """Return the circle of `shape`."""
        return self.shape.bounds()


def curve(points: Sequence[Point], ra: float, rb: float, steps: int = 6) -> Union:
    """Return a thick quadratic curve through the first and last point, bent to the middle one.

    Examples
    --------
    >>> len(curve([(0, 0), (1, 0), (1, 1)], 0.1, 0.1, steps=4).shapes)
    4
    """
    (ax, ay), (bx, by), (cx, cy) = points
    at = [i / steps for i in range(steps + 1)]
    line = [
        ((1 - t) ** 2 * ax + 2 * t * (1 - t) * bx + t * t * cx,
         (1 - t) ** 2 * ay + 2 * t * (1 - t) * by + t * t * cy)
        for t in at
    ]  # fmt: skip
    width = [ra + (rb - ra) * t for t in at]
    return Union(tuple(Capsule(line[i], line[i + 1], width[i], width[i + 1]) for i in range(steps)))


def turn(half_tangent: float) -> tuple[float, float]:
    """Return the cosine and sine of an angle from the tangent of its half.

    Examples
    --------
    >>> turn(1.0)
    (0.0, 1.0)
    """
    square = half_tangent * half_tangent
    return (1 - square) / (1 + square), 2 * half_tangent / (1 + square)
