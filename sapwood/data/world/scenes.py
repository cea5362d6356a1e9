"""The places creatures live in, each painted over the whole picture."""

from __future__ import annotations

from collections.abc import Callable

from sapwood.data.world.canvas import Canvas, Colour
from sapwood.data.world.draws import Draws
from sapwood.data.world.palette import AMBER, BARK, COAT, SNOW, mix, vary
from sapwood.data.world.shapes import Box, Capsule, Convex, Ellipse, Union

Scene = Callable[[Canvas, Draws, float], None]
Sky = tuple[Colour, Colour]


def _hills(canvas: Canvas, draws: Draws, colour: Colour, height: float) -> None:
    for depth in (0.0, 0.10):
        x, wide = draws.between(0.1, 0.9), draws.between(0.7, 1.1)
        top = height + depth + draws.bell(0.02)
        hill = Ellipse(x, top + wide * 0.6, wide, wide * 0.62)
        canvas.paint(hill, mix(colour, SNOW, 0.14 - depth), shade=0.1)
    floor = Box(0.5, height + 0.70, 0.7, 0.5)
    canvas.paint(floor, colour, shade=0.12)


def _scatter(draws: Draws, expected: float, low: float, high: float) -> list[tuple[float, float]]:
    """Draw about `expected` places with heights from low to high."""
    count = int(expected * draws.between(0.4, 1.6) + 0.5)
    return [(draws.between(0, 1), draws.between(low, high)) for _ in range(count)]


def meadow(canvas: Canvas, draws: Draws, clutter: float) -> None:
    """Paint sky, clouds, a green hill and flowers."""
    canvas.sweep((0.55, 0.79, 0.96), (0.86, 0.94, 0.98), 0, 0.6)
    for x, y in _scatter(draws, 2, 0.05, 0.3):
        puffs = (Ellipse(x, y, 0.10, 0.045), Ellipse(x + 0.07, y - 0.03, 0.07, 0.05))
        canvas.paint(Union(puffs), SNOW, opacity=0.85, blur=0.02)
    _hills(canvas, draws, vary((0.50, 0.76, 0.36), draws, 0.03), draws.between(0.58, 0.68))
    for x, y in _scatter(draws, 7 * clutter, 0.74, 0.98):
        petal = draws.pick(((0.98, 0.95, 0.6), (0.98, 0.75, 0.8), SNOW, (0.95, 0.5, 0.45)))
        canvas.paint(Capsule((x, y), (x, y + 0.05), 0.006, 0.006), (0.3, 0.55, 0.25))
        canvas.paint(Ellipse(x, y, 0.02, 0.02), petal)


def sea(canvas: Canvas, draws: Draws, clutter: float) -> None:
    """Paint deep water, light from above, weed and bubbles."""
    canvas.sweep((0.36, 0.78, 0.84), (0.07, 0.32, 0.50))
    for x, _ in _scatter(draws, 2, 0, 1):
        ray = Convex(((x, -0.1), (x + 0.12, -0.1), (x - 0.05, 1.0), (x - 0.3, 1.0)))
        canvas.paint(ray, SNOW, opacity=0.13)
    canvas.paint(Ellipse(draws.between(0.2, 0.8), 1.16, 0.9, 0.28), (0.85, 0.77, 0.56))
    for x, y in _scatter(draws, 4 * clutter, 0.55, 0.8):
        bend = x + draws.bell(0.04)
        canvas.paint(Capsule((x, 1.0), (bend, y), 0.022, 0.008), (0.16, 0.52, 0.38))
    for x, y in _scatter(draws, 8 * clutter, 0.05, 0.9):
        size = draws.between(0.010, 0.028)
        canvas.paint(Ellipse(x, y, size, size), (0.85, 0.96, 0.98), opacity=0.55)


def desert(canvas: Canvas, draws: Draws, clutter: float) -> None:
    """Paint a warm sky, a sun, dunes and cacti."""
    canvas.sweep((0.98, 0.80, 0.55), (1.0, 0.93, 0.76), 0, 0.6)
    canvas.paint(
        Ellipse(draws.between(0.1, 0.9), draws.between(0.1, 0.3), 0.09, 0.09), (1, 0.97, 0.8)
    )
    height = draws.between(0.58, 0.68)
    _hills(canvas, draws, vary((0.90, 0.70, 0.42), draws, 0.03), height)
    for x, y in _scatter(draws, 2 * clutter, height + 0.02, 0.8):
        arm = (Capsule((x, y - 0.05), (x + 0.06, y - 0.06), 0.012, 0.012),
               Capsule((x + 0.06, y - 0.06), (x + 0.06, y - 0.12), 0.012, 0.012))  # fmt: skip
        plant = Union((Capsule((x, y), (x, y - 0.17), 0.02, 0.018), *arm))
        canvas.paint(plant, (0.40, 0.60, 0.36))
    for x, y in _scatter(draws, 5 * clutter, 0.78, 0.98):
        canvas.paint(Ellipse(x, y, 0.025, 0.016), (0.70, 0.54, 0.38), shade=0.2)


def night(canvas: Canvas, draws: Draws, clutter: float) -> None:
    """Paint a dark sky with a moon, stars and black hills."""
    canvas.sweep((0.09, 0.09, 0.25), (0.26, 0.22, 0.44), 0, 0.75)
    for x, y in _scatter(draws, 16 * clutter, 0.0, 0.7):
        size = draws.between(0.004, 0.011)
        canvas.paint(Ellipse(x, y, size, size), (1, 0.97, 0.85), opacity=0.9)
    x, y = draws.between(0.1, 0.9), draws.between(0.1, 0.28)
    canvas.paint(Ellipse(x, y, 0.12, 0.12), (1, 0.97, 0.8), opacity=0.25, blur=0.12)
    canvas.paint(Ellipse(x, y, 0.07, 0.07), (1, 0.96, 0.8))
    canvas.paint(Ellipse(x + 0.03, y - 0.01, 0.055, 0.055), (0.13, 0.12, 0.29))
    _hills(canvas, draws, vary((0.15, 0.18, 0.30), draws, 0.02), draws.between(0.62, 0.7))


def snow(canvas: Canvas, draws: Draws, clutter: float) -> None:
    """Paint a grey sky, firs, white ground and falling flakes."""
    canvas.sweep((0.70, 0.78, 0.87), (0.90, 0.93, 0.96), 0, 0.65)
    height = draws.between(0.58, 0.66)
    for x, y in _scatter(draws, 3 * clutter, height, height + 0.04):
        for step in (0.0, 0.07, 0.14):
            wide = 0.11 - step * 0.35
            fir = Convex(((x - wide, y - step), (x + wide, y - step), (x, y - step - 0.13)))
            canvas.paint(fir, (0.33, 0.52, 0.50))
    _hills(canvas, draws, vary((0.93, 0.95, 0.98), draws, 0.015), height)
    for x, y in _scatter(draws, 14 * clutter, 0, 1):
        size = draws.between(0.006, 0.014)
        canvas.paint(Ellipse(x, y, size, size), SNOW, opacity=0.95)


def forest(canvas: Canvas, draws: Draws, clutter: float) -> None:
    """Paint trunks under leaves and a shady floor."""
    canvas.sweep((0.52, 0.68, 0.46), (0.72, 0.80, 0.58), 0, 0.7)
    for x, _ in _scatter(draws, 4, 0, 1):
        wide = draws.between(0.025, 0.05)
        canvas.paint(Box(x, 0.4, wide, 0.45), vary(mix(BARK, (0.3, 0.3, 0.2), 0.3), draws, 0.02))
    for x, y in _scatter(draws, 9, -0.02, 0.16):
        size = draws.between(0.09, 0.16)
        canvas.paint(Ellipse(x, y, size, size * 0.8), vary((0.22, 0.46, 0.24), draws, 0.03))
    _hills(canvas, draws, vary((0.36, 0.42, 0.22), draws, 0.02), draws.between(0.66, 0.72))
    for x, y in _scatter(draws, 4 * clutter, 0.78, 0.95):
        canvas.paint(Capsule((x, y), (x, y + 0.05), 0.012, 0.015), (0.95, 0.92, 0.85))
        canvas.paint(Ellipse(x, y, 0.035, 0.022), draws.pick((COAT["red"], AMBER, BARK)), shade=0.2)


SCENES: dict[str, Scene] = {
    "meadow": meadow, "sea": sea, "desert": desert, "night": night, "snow": snow, "forest": forest,
}  # fmt: skip
