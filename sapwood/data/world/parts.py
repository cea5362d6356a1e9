"""Tails, legs, wings and what else grows on a body, each a function of pen and body."""

from __future__ import annotations

from collections.abc import Callable

from sapwood.data.world.anatomy import Body, Pen
from sapwood.data.world.palette import BARK, IVORY, SNOW, mix
from sapwood.data.world.shapes import Box, Capsule, Convex, Ellipse, Inside, curve

Part = Callable[[Pen, Body], None]


def long_tail(pen: Pen, body: Body) -> None:
    """Draw a thin tail with a tuft."""
    wag = pen.draws.bell(0.08)
    end = (-body.rx - 0.38, -0.42 + wag)
    pen.draw(curve([(-body.rx * 0.8, 0.12), (-body.rx - 0.42, 0.35), end], 0.075, 0.045), pen.coat)
    pen.draw(Ellipse(end[0], end[1] - 0.06, 0.11, 0.14), pen.accent)


def bushy_tail(pen: Pen, body: Body) -> None:
    """Draw a big round tail with a bright tip."""
    tilt = -0.28 + pen.draws.bell(0.06)
    x, y = -body.rx - 0.17, -0.30
    brush = Ellipse(x, y, 0.23, 0.43, tilt)
    pen.draw(brush, mix(pen.coat, SNOW, 0.15))
    pen.fill(
        Inside(Ellipse(x - 0.16, y - 0.36, 0.26, 0.24), brush, 0.02), mix(pen.accent, SNOW, 0.5)
    )


def tail_fin(pen: Pen, body: Body) -> None:
    """Draw a forked fin behind and one on top."""
    x = -body.rx + 0.06
    wag = pen.draws.bell(0.05)
    upper = Convex(((x, 0.05), (x - 0.42, -0.42 + wag), (x - 0.24, 0.02)), 0.03)
    lower = Convex(((x, 0.0), (x - 0.42, 0.42 + wag), (x - 0.24, 0.02)), 0.03)
    crest = Convex(((-0.28, body.top(0.5)), (-0.30, -body.ry - 0.30), (0.16, body.top(0.3))), 0.03)
    for fin in (upper, lower, crest):
        pen.draw(fin, pen.accent)


def side_fin(pen: Pen, body: Body) -> None:
    """Draw a fin on the flank."""
    pen.draw(Ellipse(-0.10, body.ry * 0.35, 0.23, 0.11, -0.25), pen.accent)


def _legs(pen: Pen, body: Body, at: tuple[float, ...], thick: float) -> None:
    ground = body.ry + 0.30
    for i, share in enumerate(at):
        x = share * body.rx
        step = pen.draws.bell(0.04) + (0.05 if i % 2 else -0.05)
        leg = Capsule((x, body.ry * 0.55), (x + step, ground - thick), thick, thick * 0.85)
        pen.draw(leg, mix(pen.coat, pen.line, 0.12), 0.05)
        pen.draw(Ellipse(x + step + 0.04, ground - 0.04, thick * 1.35, 0.065), pen.accent, 0.1)


def two_legs(pen: Pen, body: Body) -> None:
    """Draw two sturdy legs."""
    _legs(pen, body, (-0.34, 0.34), 0.11)


def four_legs(pen: Pen, body: Body) -> None:
    """Draw four legs in two pairs."""
    _legs(pen, body, (-0.70, -0.38, 0.36, 0.68), 0.095)


def many_legs(pen: Pen, body: Body) -> None:
    """Draw a row of thin legs."""
    _legs(pen, body, (-0.82, -0.55, -0.28, 0.0, 0.28, 0.55, 0.82), 0.05)


def wings(pen: Pen, body: Body) -> None:
    """Draw three feathers, fanned out over the back."""
    colour = mix(pen.accent, SNOW, 0.55)
    lift = pen.draws.bell(0.07)
    y = -body.ry * 0.35
    for length, tilt in ((0.44, 0.24), (0.50, 0.42), (0.46, 0.66)):
        c = 0.78 - tilt * 0.55
        feather = Ellipse(-0.06 - length * c, y - length * (tilt + 0.2) + lift, length, 0.15, tilt)
        pen.draw(feather, colour, 0.08)


def spines(pen: Pen, body: Body) -> None:
    """Draw a row of spikes along the back."""
    for share in (-0.86, -0.58, -0.30, -0.02, 0.26):
        x, y = share * body.rx, body.top(share * 0.96)
        lean = share * 0.16 - 0.06 + pen.draws.bell(0.015)
        spike = Convex(((x - 0.13, y + 0.1), (x + lean, y - 0.27), (x + 0.13, y + 0.1)), 0.012)
        pen.draw(spike, pen.accent)


def shell(pen: Pen, body: Body) -> None:
    """Draw a dome with plates."""
    x, rx, ry = -0.10, body.rx * 0.80, body.ry + 0.20
    dome = Inside(Ellipse(x, 0.02, rx, ry), Box(x, -1.0, 2.0, 1.04))
    pen.draw(dome, BARK, 0.3)
    for plate in (-0.55, 0.0, 0.55):
        high = -ry * 0.50 if plate else -ry * 0.66
        pen.fill(Ellipse(x + plate * rx, high, rx * 0.21, ry * 0.17), mix(BARK, IVORY, 0.45))
    pen.fill(Inside(Box(x, -0.01, rx, 0.045), dome), mix(BARK, IVORY, 0.6))


def stripes(pen: Pen, body: Body) -> None:
    """Draw slanted bands over the body."""
    slant = 0.10 + pen.draws.bell(0.03)
    shift = pen.draws.bell(0.04)
    for share in (-0.72, -0.36, 0.0, 0.36, 0.72):
        x = share * body.rx + shift
        band = Capsule((x - slant, -1), (x + slant, 1), 0.055, 0.055)
        pen.fill(Inside(band, body.shape, 0.015), pen.accent)


def spots(pen: Pen, body: Body) -> None:
    """Draw dots over the body."""
    for sx, sy in ((-0.6, -0.15), (-0.28, 0.42), (-0.22, -0.52), (0.1, -0.02), (0.38, -0.5),
                   (0.45, 0.4), (0.72, 0.02), (-0.62, 0.5)):  # fmt: skip
        x = sx * body.rx + pen.draws.bell(0.03)
        y = sy * body.ry + pen.draws.bell(0.03)
        size = 0.085 + pen.draws.bell(0.01)
        pen.fill(Inside(Ellipse(x, y, size, size), body.shape, 0.015), pen.accent)


def pale_belly(pen: Pen, body: Body) -> None:
    """Draw a light patch on the underside."""
    patch = Ellipse(0.06, body.ry * 0.72, body.rx * 0.72, body.ry * 0.62)
    pen.fill(Inside(patch, body.shape, 0.015), mix(pen.coat, IVORY, 0.8))


#: What is drawn before the body, so that the body covers where it grows.
BEHIND: dict[str, Part] = {
    "long tail": long_tail,
    "bushy tail": bushy_tail,
    "fins": tail_fin,
    "two legs": two_legs,
    "four legs": four_legs,
    "many legs": many_legs,
    "spines": spines,
}
#: What is drawn over the body, from the skin outwards.
OVER: dict[str, Part] = {
    "pale belly": pale_belly,
    "stripes": stripes,
    "spots": spots,
    "shell": shell,
    "wings": wings,
    "fins": side_fin,
}
