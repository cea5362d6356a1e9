"""Shapes, canvas, parts and features, each against something known."""

import io

import numpy as np
import pytest

from sapwood.data.world import ATTRIBUTES, png_bytes
from sapwood.data.world.canvas import Canvas, Frame
from sapwood.data.world.draws import Draws
from sapwood.data.world.features import DIRECTIONS, picture_features
from sapwood.data.world.picture import Nuisance, draw_picture
from sapwood.data.world.shapes import Box, Capsule, Convex, Ellipse, Inside, Union, curve, turn
from sapwood.data.world.traits import GROUPS

PLAIN = {"round body", "red", "meadow"}
EXTRAS = [name for name in ATTRIBUTES if name not in PLAIN]


def at(shape, x, y):
    return float(shape.distance(np.array([float(x)]), np.array([float(y)]))[0])


@pytest.mark.parametrize(
    ("shape", "point", "distance"),
    [
        (Ellipse(1, 2, 3, 3), (1, 7), 2.0),
        (Ellipse(0, 0, 4, 2), (4, 0), 0.0),
        (Ellipse(0, 0, 4, 2, tilt=1.0), (2, 0), 0.0),
        (Capsule((0, 0), (0, 4), 1, 2), (5, 4), 3.0),
        (Convex(((0, 0), (0, 2), (2, 2), (2, 0)), growth=0.5), (1, 4), 1.5),
        (Box(0, 0, 2, 2, rounding=1), (4, 5), 4.0),
        (Union((Ellipse(0, 0, 1, 1), Ellipse(9, 0, 1, 1))), (7, 0), 1.0),
        (Inside(Ellipse(0, 0, 3, 3), Ellipse(4, 0, 2, 2)), (0, 0), 2.0),
    ],
)
def test_distances(shape, point, distance):
    assert at(shape, *point) == pytest.approx(distance, abs=1e-6)


@pytest.mark.parametrize(
    "shape",
    [
        Ellipse(0.4, 0.5, 0.2, 0.1, 0.3),
        Capsule((0.2, 0.3), (0.7, 0.6), 0.05, 0.1),
        Convex(((0.2, 0.2), (0.8, 0.3), (0.5, 0.9)), 0.03),
        Box(0.5, 0.4, 0.2, 0.1, 0.05),
        curve([(0.2, 0.2), (0.9, 0.2), (0.8, 0.8)], 0.05, 0.02),
    ],
)
def test_the_inside_lies_within_the_bounds(shape):
    axis = np.linspace(-0.5, 1.5, 201)
    x, y = np.meshgrid(axis, axis)
    cx, cy, radius = shape.bounds()
    inside = shape.distance(x, y) < 0
    assert inside.any()
    assert (np.hypot(x - cx, y - cy)[inside] <= radius + 1e-9).all()


def test_turning_by_half_tangents():
    assert turn(0.0) == (1.0, 0.0)
    c, s = turn(np.tan(0.35))
    assert (c, s) == pytest.approx((np.cos(0.7), np.sin(0.7)))


def test_place_and_local_undo_each_other():
    frame = Frame(0.3, 0.6, 0.2, tilt=0.2, mirrored=True)
    x, y = frame.place(0.5, -0.7)
    u, v = frame.local(np.array([x]), np.array([y]))
    assert (u[0], v[0]) == pytest.approx((0.5, -0.7))


def test_painting_through_a_window_is_painting_the_whole():
    small, shape = Canvas(40), Ellipse(0.2, 0.9, 0.15, 0.3, 0.2)
    small.paint(shape, (0.2, 0.4, 0.6), outline=(1.0, 1.0, 1.0), width=0.05)
    x, y = np.meshgrid((np.arange(40) + 0.5) / 40, (np.arange(40) + 0.5) / 40)
    untouched = shape.distance(x, y) > 0.05 + 1 / 40
    assert (small.pixels[untouched] == 0).all()
    assert np.allclose(small.pixels[shape.distance(x, y) < -1 / 40], (0.2, 0.4, 0.6))


def test_a_shape_beside_the_picture_paints_nothing():
    canvas = Canvas(24)
    canvas.paint(Ellipse(3, 3, 0.2, 0.2), (1.0, 1.0, 1.0))
    assert not canvas.pixels.any()


@pytest.mark.parametrize("extra", EXTRAS)
def test_every_attribute_is_to_be_seen(extra):
    group = next(names for names in GROUPS.values() if extra in names)
    still = Nuisance().times(0)
    plain = draw_picture(PLAIN, "yellow", Draws(0), 48, still).astype(int)
    shown = (PLAIN - set(group)) | {extra}
    changed = draw_picture(shown, "yellow", Draws(0), 48, still).astype(int)
    assert (np.abs(plain - changed).max(axis=2) > 40).sum() > 12


@pytest.mark.parametrize("size", [48, 51])
def test_a_picture_and_its_mirror_image_have_the_same_features(size):
    picture = draw_picture(PLAIN | {"wings", "long tail"}, "blue", Draws(3), size)
    X = picture_features(np.stack([picture, picture[:, ::-1]]))
    assert (X[0] == X[1]).all()


def test_edges_are_counted_by_direction():
    ramp = np.zeros((1, 24, 24, 3), dtype=np.uint8)
    ramp[:] = (np.arange(24, dtype=np.uint8) * 10)[None, None, :, None]
    whole = picture_features(ramp)[0, 27 + 8 * 27 :][:DIRECTIONS]
    assert whole.tolist() == [10_000] + [0] * 7
    whole = picture_features(ramp.swapaxes(1, 2))[0, 27 + 8 * 27 :][:DIRECTIONS]
    assert whole[4] == 10_000


def test_colours_are_told_apart():
    colours = [(220, 60, 60), (240, 140, 40), (250, 210, 70), (90, 180, 90), (70, 140, 220),
               (150, 100, 200), (245, 245, 240), (40, 40, 45)]  # fmt: skip
    plain = np.array([np.full((24, 24, 3), colour, dtype=np.uint8) for colour in colours])
    bins = picture_features(plain)[:, :27].argmax(axis=1)
    assert len(set(bins.tolist())) == len(colours)


def test_png_files_hold_the_pixels():
    from PIL import Image

    picture = draw_picture(PLAIN, "blue", Draws(1), 30)
    with Image.open(io.BytesIO(png_bytes(picture))) as image:
        assert (np.asarray(image) == picture).all()


def test_draws_stay_within_their_limits():
    draws = Draws(5)
    assert all(2 <= draws.between(2, 3) < 3 for _ in range(100))
    assert all(abs(draws.bell(1.0)) <= 3 for _ in range(100))
    assert {draws.index(3) for _ in range(100)} == {0, 1, 2}
    assert sorted(draws.shuffled([3, 1, 2])) == [1, 2, 3]
    assert np.std([Draws(0, i).bell(1.0) for i in range(2000)]) == pytest.approx(1, abs=0.05)
