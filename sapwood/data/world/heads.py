"""Heads and faces: ears, horns, eyes, beaks."""

from __future__ import annotations

from collections.abc import Callable

from sapwood.data.world.anatomy import Body, Pen
from sapwood.data.world.palette import AMBER, INK, IVORY, ROSE, SNOW, mix
from sapwood.data.world.shapes import Capsule, Convex, Ellipse, Point, curve

Piece = Callable[[Pen, float, float, float], None]


def horns(pen: Pen, x: float, y: float, r: float) -> None:
    """Draw two bent horns."""
    for side, lean in ((-0.45, -0.5), (0.35, 0.35)):
        base = (x + side * r, y - 0.75 * r)
        tip = (x + (side + lean) * r, y - 2.05 * r)
        pen.draw(curve([base, (base[0] + lean * r * 1.1, y - 1.3 * r), tip], 0.09, 0.02), IVORY)


def antennae(pen: Pen, x: float, y: float, r: float) -> None:
    """Draw two feelers with a ball at the end."""
    for side, lean in ((-0.3, -0.55), (0.3, 0.5)):
        sway = pen.draws.bell(0.04)
        tip = (x + (side + lean) * r + sway, y - 2.2 * r)
        stem = curve([(x + side * r, y - 0.8 * r), (x + side * r, y - 1.7 * r), tip], 0.022, 0.022)
        pen.draw(stem, pen.line, 0)
        pen.draw(Ellipse(tip[0], tip[1], 0.1, 0.1), pen.accent)


def big_ears(pen: Pen, x: float, y: float, r: float) -> None:
    """Draw two large round ears."""
    for side in (-0.85, 0.62):
        ex, ey = x + side * r, y - 0.98 * r
        pen.draw(Ellipse(ex, ey, 0.25, 0.27), pen.coat)
        pen.fill(Ellipse(ex, ey + 0.02, 0.14, 0.16), ROSE)


def beak(pen: Pen, x: float, y: float, r: float) -> None:
    """Draw a pointed bill."""
    upper = Convex(
        ((x + 0.6 * r, y - 0.18 * r), (x + 1.85 * r, y + 0.25 * r), (x + 0.6 * r, y + 0.5 * r))
    )
    pen.draw(upper, AMBER, 0.2)


def trunk(pen: Pen, x: float, y: float, r: float) -> None:
    """Draw a hanging snout that turns up at the end."""
    swing = pen.draws.bell(0.06)
    path: list[Point] = [
        (x + 0.7 * r, y + 0.2 * r),
        (x + 1.9 * r, y + 0.3 * r),
        (x + 1.55 * r, y + 2.0 * r + swing),
    ]
    pen.draw(curve(path, 0.13, 0.075), pen.coat, 0.05)


def _eye(pen: Pen, x: float, y: float, size: float, look: Point) -> None:
    pen.draw(Ellipse(x, y, size, size * 1.08), SNOW, 0)
    px, py = x + look[0] * size, y + look[1] * size
    pen.fill(Ellipse(px, py, size * 0.58, size * 0.62), INK)
    pen.fill(Ellipse(px - size * 0.2, py - size * 0.24, size * 0.2, size * 0.2), SNOW)


def _eyes(pen: Pen, x: float, y: float, r: float, single: bool) -> None:
    look = (0.25 + pen.draws.bell(0.06), pen.draws.bell(0.08))
    if single:
        _eye(pen, x + 0.16 * r, y - 0.14 * r, 0.52 * r, look)
        return
    _eye(pen, x - 0.16 * r, y - 0.14 * r, 0.27 * r, look)
    _eye(pen, x + 0.52 * r, y - 0.14 * r, 0.27 * r, look)


def _mouth(pen: Pen, x: float, y: float, r: float) -> None:
    smile: list[Point] = [
        (x - 0.02 * r, y + 0.42 * r),
        (x + 0.2 * r, y + 0.72 * r),
        (x + 0.5 * r, y + 0.42 * r),
    ]
    pen.fill(curve(smile, 0.022, 0.022, steps=4), pen.line)


ON_TOP: dict[str, Piece] = {"horns": horns, "antennae": antennae, "big ears": big_ears}
IN_FRONT: dict[str, Piece] = {"beak": beak, "trunk": trunk}


def draw_head(pen: Pen, body: Body, shown: set[str]) -> None:
    """Draw neck, head and face with what is in `shown`."""
    x, y = body.head
    r = body.skull
    x, y = x + pen.draws.bell(0.03), y + pen.draws.bell(0.03)
    if "long neck" in shown:
        foot = (x - 0.22, y + 0.32)
        x, y = x + 0.04, y - 0.50
        pen.draw(Capsule(foot, (x - 0.05, y + 0.1), 0.17, 0.13), pen.coat, 0.02)
        pen.fill(Ellipse(foot[0], foot[1], 0.165, 0.165), pen.coat)
    for name, piece in ON_TOP.items():
        if name in shown:
            piece(pen, x, y, r)
    pen.draw(Ellipse(x, y, r * 1.06, r), pen.coat)
    pen.fill(Ellipse(x - 0.42 * r, y + 0.38 * r, 0.2 * r, 0.14 * r), mix(pen.coat, ROSE, 0.7))
    pieces = [piece for name, piece in IN_FRONT.items() if name in shown]
    for piece in pieces or [_mouth]:
        piece(pen, x, y, r)
    _eyes(pen, x, y, r, "one eye" in shown)
