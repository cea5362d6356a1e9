"""The colours of creatures and of things."""

from __future__ import annotations

from sapwood.data.world.canvas import Colour
from sapwood.data.world.draws import Draws

COAT: dict[str, Colour] = {
    "red": (0.87, 0.25, 0.24),
    "orange": (0.96, 0.56, 0.18),
    "yellow": (0.98, 0.84, 0.30),
    "green": (0.38, 0.72, 0.35),
    "blue": (0.28, 0.54, 0.88),
    "purple": (0.60, 0.38, 0.80),
    "white": (0.96, 0.95, 0.91),
    "black": (0.23, 0.23, 0.29),
}
INK: Colour = (0.16, 0.13, 0.20)
IVORY: Colour = (0.98, 0.93, 0.80)
AMBER: Colour = (0.99, 0.70, 0.20)
ROSE: Colour = (0.97, 0.62, 0.66)
SNOW: Colour = (0.99, 0.99, 1.0)
BARK: Colour = (0.55, 0.38, 0.26)


def mix(a: Colour, b: Colour, share: float) -> Colour:
    """Return a, with `share` of b mixed in.

    Examples
    --------
    >>> mix((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), 0.25)
    (0.25, 0.25, 0.25)
    """
    r, g, b_ = (x + share * (y - x) for x, y in zip(a, b, strict=True))
    return r, g, b_


def vary(colour: Colour, draws: Draws, spread: float) -> Colour:
    """Return the colour with each of its parts moved a little, within 0–1."""
    r, g, b = (min(max(part + draws.bell(spread), 0.0), 1.0) for part in colour)
    return r, g, b
