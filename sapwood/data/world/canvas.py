"""A small picture one can paint shapes on, with soft edges, outlines and shading."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sapwood.data.world.shapes import Shape, turn

Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Frame:
    """Where a drawing's own coordinates lie on the picture: place, size, turn and mirror.

    Examples
    --------
    >>> Frame(0.5, 0.5, 0.1).place(1, 0)
    (0.6, 0.5)
    """

    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0
    tilt: float = 0.0
    mirrored: bool = False

    def place(self, u: float, v: float) -> tuple[float, float]:
        """Return the place on the picture of a point of the drawing."""
        c, s = turn(self.tilt)
        u = -u if self.mirrored else u
        return self.x + self.scale * (c * u - s * v), self.y + self.scale * (s * u + c * v)

    def local(self, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the drawing's coordinates of points of the picture."""
        c, s = turn(self.tilt)
        dx, dy = (x - self.x) / self.scale, (y - self.y) / self.scale
        u = c * dx + s * dy
        return (-u if self.mirrored else u), c * dy - s * dx


PICTURE = Frame()


class Canvas:
    """A square picture; x goes right and y down, both from 0 to 1.

    Parameters
    ----------
    size : int
        Pixels a side.

    Examples
    --------
    >>> from sapwood.data.world.shapes import Ellipse
    >>> canvas = Canvas(9)
    >>> canvas.paint(Ellipse(0.5, 0.5, 0.2, 0.2), (1.0, 0.0, 0.0))
    >>> canvas.bytes()[4, 4].tolist(), canvas.bytes()[0, 0].tolist()
    ([255, 0, 0], [0, 0, 0])
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.pixels = np.zeros((size, size, 3), dtype=np.float32)
        at = (np.arange(size, dtype=np.float32) + np.float32(0.5)) / np.float32(size)
        self.x, self.y = at[None, :], at[:, None]

    def sweep(self, top: Colour, bottom: Colour, start: float = 0.0, end: float = 1.0) -> None:
        """Fill the picture with a vertical run of colour between the heights start and end."""
        share = np.clip((self.y - start) / (end - start), 0, 1)[:, :, None]
        a, b = np.array(top, dtype=np.float32), np.array(bottom, dtype=np.float32)
        self.pixels[:] = a + share * (b - a)

    def paint(
        self,
        shape: Shape,
        colour: Colour,
        frame: Frame = PICTURE,
        *,
        outline: Colour | None = None,
        width: float = 0.0,
        shade: float = 0.0,
        opacity: float = 1.0,
        blur: float = 0.0,
    ) -> None:
        """Paint a shape.

        Parameters
        ----------
        shape : Shape
        colour : tuple of float
            Red, green and blue in 0–1.
        frame : Frame
            Whose coordinates the shape is given in.
        outline : tuple of float, optional
            Colour of a line of `width`, in the frame's units, round the shape.
        shade : float
            How much lighter the top of the shape is than its middle, and darker the bottom.
        opacity : float
        blur : float
            Width of the soft edge in the frame's units, if more than one pixel.
        """
        cx, cy, radius = shape.bounds()
        window = self._window(*frame.place(cx, cy), (radius + width + blur) * frame.scale)
        if window is None:
            return
        rows, columns = window
        u, v = frame.local(self.x[:, columns], self.y[rows])
        distance = shape.distance(u, v)
        target = self.pixels[rows, columns]
        soft = max(1 / self.size, blur * frame.scale) / frame.scale
        if outline is not None:
            _blend(target, (width - distance) / soft, outline, opacity)
        tone = 1 - np.clip((v - cy) / radius, -1, 1) * shade if shade else None
        _blend(target, -distance / soft, colour, opacity, tone)

    def light(self, gain: Colour, slope: tuple[float, float]) -> None:
        """Multiply by a colour of light that grows along x and y by `slope`."""
        field = 1 + slope[0] * (self.x - 0.5) + slope[1] * (self.y - 0.5)
        self.pixels *= field[:, :, None] * np.array(gain, dtype=np.float32)

    def bytes(self) -> np.ndarray:
        """Return the picture as uint8, shape (size, size, 3)."""
        return (np.clip(self.pixels, 0, 1) * np.float32(255) + np.float32(0.5)).astype(np.uint8)

    def _window(self, x: float, y: float, radius: float) -> tuple[slice, slice] | None:
        reach = radius + 1 / self.size
        left, right = int(max((x - reach) * self.size, 0)), int((x + reach) * self.size) + 1
        top, bottom = int(max((y - reach) * self.size, 0)), int((y + reach) * self.size) + 1
        if right <= 0 or bottom <= 0 or left >= self.size or top >= self.size:
            return None
        return slice(top, min(bottom, self.size)), slice(left, min(right, self.size))


def _blend(
    target: np.ndarray,
    depth: np.ndarray,
    colour: Colour,
    opacity: float,
    tone: np.ndarray | None = None,
) -> None:
    """Mix colour into the target where the depth below the edge, in soft widths, is above −½."""
    cover = np.clip(depth + 0.5, 0, 1)[:, :, None]
    cover = cover if opacity == 1 else cover * opacity
    paint = np.array(colour, dtype=np.float32)
    paint = paint if tone is None else paint * tone[:, :, None]
    target += cover * (paint - target)
