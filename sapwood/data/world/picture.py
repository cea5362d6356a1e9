"""One picture: a creature in its place, seen as chance has it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sapwood.data.world.anatomy import BODIES, Body, Pen
from sapwood.data.world.canvas import Canvas, Frame
from sapwood.data.world.draws import Draws
from sapwood.data.world.heads import draw_head
from sapwood.data.world.palette import BARK, COAT, INK, mix, vary
from sapwood.data.world.parts import BEHIND, OVER
from sapwood.data.world.scenes import SCENES
from sapwood.data.world.shapes import Ellipse, Union
from sapwood.data.world.traits import GROUPS


@dataclass(frozen=True)
class Nuisance:
    """How much pictures of one class differ.

    Parameters
    ----------
    pose, scale, place : float
        Spread of the tilt (tangent of half the angle), of the size (share) and of the place
        (share of the picture).
    light, tint : float
        Spread of brightness and of its colour.
    clutter : float
        Things in the scene and before it, 1 being a usual number.
    occlusion : float
        Share of pictures in which something hides part of the creature.

    Examples
    --------
    >>> Nuisance().times(0).occlusion
    0.0
    """

    pose: float = 0.07
    scale: float = 0.115
    place: float = 0.04
    light: float = 0.105
    tint: float = 0.04
    clutter: float = 1.15
    occlusion: float = 0.4

    def times(self, factor: float) -> Nuisance:
        """Return the same, `factor` times as strong."""
        return Nuisance(*(value * factor for value in vars(self).values()))


def draw_picture(
    shown: set[str], accent: str, draws: Draws, size: int = 96, nuisance: Nuisance | None = None
) -> np.ndarray:
    """Draw a creature that has the attributes `shown`.

    Parameters
    ----------
    shown : set of str
        Names from :data:`ATTRIBUTES`; one of each group at most, and a habitat. Without a body
        only the place is drawn.
    accent : str
        The second colour, a name from the group "colour".
    draws : Draws
    size : int
        Pixels a side.
    nuisance : Nuisance, optional

    Returns
    -------
    ndarray of uint8, shape (size, size, 3)

    Examples
    --------
    >>> shown = {"round body", "red", "meadow"}
    >>> draw_picture(shown, "blue", Draws(0), size=32).shape
    (32, 32, 3)
    """
    nuisance = nuisance or Nuisance()
    canvas = Canvas(size)
    habitat = next(name for name in GROUPS["habitat"] if name in shown)
    SCENES[habitat](canvas, draws, nuisance.clutter)
    if shown.intersection(GROUPS["body"]):
        _creature(canvas, shown, accent, draws, nuisance)
    if draws.chance(nuisance.occlusion):
        _occluder(canvas, draws)
    gain = 0.96 + draws.bell(nuisance.light)
    red, green, blue = (gain * (1 + draws.bell(nuisance.tint)) for _ in range(3))
    canvas.light((red, green, blue), (draws.bell(nuisance.light), draws.bell(nuisance.light)))
    return canvas.bytes()


def _creature(
    canvas: Canvas, shown: set[str], accent: str, draws: Draws, nuisance: Nuisance
) -> None:
    coat = vary(COAT[next(c for c in GROUPS["colour"] if c in shown)], draws, nuisance.tint)
    body = BODIES[next(b for b in GROUPS["body"] if b in shown)]
    frame = _frame(body, shown, draws, nuisance)
    pen = Pen(canvas, frame, draws, coat, COAT[accent], mix(coat, INK, 0.82))
    if not shown.intersection(("sea", "night")):
        pen.canvas.paint(
            Ellipse(0, body.ry + 0.26, body.rx * 1.15, 0.10), INK, frame, opacity=0.25, blur=0.08
        )
    for name, part in BEHIND.items():
        if name in shown:
            part(pen, body)
    pen.draw(body.shape, coat)
    for name, part in OVER.items():
        if name in shown:
            part(pen, body)
    draw_head(pen, body, shown)


def _frame(body: Body, shown: set[str], draws: Draws, nuisance: Nuisance) -> Frame:
    """Place the creature so that, but for chance, the whole of it is to be seen."""
    crown = 0.35 if shown.intersection(GROUPS["head"]) else 0.0
    top = body.head[1] - body.skull - crown - (0.5 if "long neck" in shown else 0.0)
    foot = body.ry + 0.3
    scale = min(0.335, 0.84 / (foot - top)) * (1 + draws.bell(nuisance.scale))
    x, y = 0.5 + draws.bell(nuisance.place), 0.54 + draws.bell(nuisance.place)
    y -= scale * (top + foot) / 2
    return Frame(x, y, scale, draws.bell(nuisance.pose), draws.chance(0.5))


def _occluder(canvas: Canvas, draws: Draws) -> None:
    """Put a bush or a stone in front."""
    x, y = draws.between(0.0, 1.0), draws.between(0.80, 1.0)
    size = draws.between(0.10, 0.17)
    if draws.chance(0.5):
        leaves = Union(tuple(
            Ellipse(x + dx * size, y + dy * size, size * 0.75, size * 0.7)
            for dx, dy in ((-0.7, 0.3), (0.0, -0.3), (0.7, 0.3))
        ))  # fmt: skip
        colour = vary((0.28, 0.52, 0.27), draws, 0.04)
        canvas.paint(leaves, colour, outline=mix(colour, INK, 0.7), width=0.012, shade=0.15)
        return
    stone = Ellipse(x, y, size * 1.2, size * 0.9)
    colour = vary(mix(BARK, (0.6, 0.6, 0.62), 0.7), draws, 0.04)
    canvas.paint(stone, colour, outline=mix(colour, INK, 0.7), width=0.012, shade=0.25)
