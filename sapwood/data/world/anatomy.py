"""Where things are on each kind of body: creatures face right, feet down, about 1 in size."""

from __future__ import annotations

from dataclasses import dataclass

from sapwood.data.world.canvas import Canvas, Colour, Frame
from sapwood.data.world.draws import Draws
from sapwood.data.world.shapes import Box, Capsule, Ellipse, Point, Shape


@dataclass(frozen=True)
class Body:
    """A trunk with its half-width and half-height, and where the head sits on it."""

    shape: Shape
    rx: float
    ry: float
    head: Point
    skull: float

    def top(self, share: float) -> float:
        """Return the height of the back at x = share · rx, for shares in −1 … 1."""
        if isinstance(self.shape, Ellipse):
            return -self.ry * max(1 - share * share, 0.0) ** 0.5
        return -self.ry


BODIES: dict[str, Body] = {
    "round body": Body(Ellipse(0, 0, 0.57, 0.51), 0.57, 0.51, (0.46, -0.45), 0.33),
    "long body": Body(Capsule((-0.5, 0), (0.5, 0), 0.31, 0.31), 0.81, 0.31, (0.76, -0.30), 0.29),
    "tall body": Body(Ellipse(0, 0, 0.39, 0.66), 0.39, 0.66, (0.16, -0.78), 0.31),
    "square body": Body(Box(0, 0, 0.51, 0.46, 0.16), 0.51, 0.46, (0.50, -0.45), 0.31),
}


@dataclass(frozen=True)
class Pen:
    """What a part of a creature is drawn with.

    Parameters
    ----------
    canvas : Canvas
    frame : Frame
    draws : Draws
        For the pose.
    coat, accent, line : tuple of float
        Colours of the body, of what stands out from it and of outlines.
    """

    canvas: Canvas
    frame: Frame
    draws: Draws
    coat: Colour
    accent: Colour
    line: Colour

    def draw(self, shape: Shape, colour: Colour, shade: float = 0.16) -> None:
        """Draw with an outline."""
        self.canvas.paint(shape, colour, self.frame, outline=self.line, width=0.035, shade=shade)

    def fill(self, shape: Shape, colour: Colour, opacity: float = 1.0) -> None:
        """Draw without an outline."""
        self.canvas.paint(shape, colour, self.frame, opacity=opacity)
