"""What each preset of the refiner means, and which values a parameter may take."""

from __future__ import annotations

from typing import Any

from sapwood.errors import InputError, closest
from sapwood.features import FEATURE_MAPS
from sapwood.models.limits import Choice, Limit, Number, require

#: Beyond this many images neighbours are found through landmarks.
MANY = 25_000
GRAPHS = ("auto", "knn", "landmark")

#: Every value a preset decides; a parameter it does not name has no meaning there.
PRESETS: dict[str, dict[str, Any]] = {
    "robust": {
        "features": "rooted",
        "sigma": 1.0,
        "ridge": 3.0,
        "landmarks": 4096,
        "k_g": 20,
        "relations": 3.0,
        "doubt": 2.0,
        "own": 1 / 3,
    },
    "paper": {
        "features": "unit",
        "sigma": 1.0,
        "landmarks": 1000,
        "k_g": 300,
        "m": 50,
        "lambda1": 0.01,
        "lambda2": 1e-4,
        "lambda3": 1e-6,
        "lambda4": 0.01,
        "max_iter": 5,
        "tol": 1e-3,
    },
}
#: For many images: half the landmarks take a third of the time.
LANDMARKS_FOR_MANY = 2048

LIMITS: dict[str, Limit] = {
    # Kernels of a fixed width need rows of a fixed length.
    "features": Choice(tuple(name for name in FEATURE_MAPS if name != "raw")),
    "sigma": Number(0, strict=True),
    "ridge": Number(0, strict=True),
    "landmarks": Number(1, integer=True),
    "k_g": Number(1, integer=True),
    "relations": Number(0),
    "doubt": Number(0),
    "own": Number(0),
    "m": Number(1, integer=True),
    "lambda1": Number(0),
    "lambda2": Number(0),
    "lambda3": Number(0),
    "lambda4": Number(0, strict=True),
    "max_iter": Number(1, integer=True),
    "tol": Number(0),
}


def resolve(params: dict[str, Any], n: int) -> dict[str, Any]:
    """Fill what was left to the preset and check the rest.

    Parameters
    ----------
    params : dict
        The refiner's parameters; None is left to the preset.
    n : int
        Number of images.
    """
    preset = params["preset"]
    require("preset", preset, Choice(tuple(PRESETS)))
    require("graph", params["graph"], Choice(GRAPHS))
    settings = dict(PRESETS[preset])
    if preset == "robust" and n > MANY:
        settings["landmarks"] = LANDMARKS_FOR_MANY
    for name, limit in LIMITS.items():
        value = params[name]
        if value is None:
            continue
        if name not in settings:
            raise InputError(
                f"{name} has no meaning under preset={preset!r}; leave it out or choose another "
                f"preset ({', '.join(settings)} do){closest(name, settings)}"
            )
        require(name, value, limit)
        settings[name] = value
    if settings.get("own", 0) > 1:
        raise InputError(f"own is {settings['own']}; expected a share from 0 to 1")
    settings = _sized(settings, params["graph"], n)
    if preset == "paper" and settings["graph"] == "landmark" and params["sigma"] is None:
        # Landmarks stand for many images each; their width is that of Chen & Cai (2011).
        settings["sigma"] = "mean"
    return settings


def _sized(settings: dict[str, Any], graph: str, n: int) -> dict[str, Any]:
    """Bring numbers of neighbours, eigenvectors and landmarks within those of the images."""
    for name, most in {"k_g": n - 1, "m": n, "landmarks": n}.items():
        if name in settings:
            settings[name] = min(settings[name], most)
    settings["graph"] = graph if graph != "auto" else "knn" if n <= MANY else "landmark"
    return settings
