"""What each preset means, which values a parameter may take, and which preset uses it."""

from __future__ import annotations

import warnings
from typing import Any

from sapwood.errors import InputError, closest
from sapwood.features import ATTRIBUTE_MAPS, FEATURE_MAPS
from sapwood.graph import SYMMETRISATIONS
from sapwood.models.coordinates import USUAL_MAP
from sapwood.models.limits import Choice, Limit, Number, require
from sapwood.models.parts import WAYS
from sapwood.projection import METRICS
from sapwood.propagation import PENALTIES

#: The ablations of the paper: which steps are run.
STEPS = ("bpl", "sap1+bpl", "sap1+sap2+bpl")
#: Exact neighbours, landmarks, or whichever suits the number of images.
GRAPHS = ("auto", "knn", "landmark")
#: Beyond this many images "auto" takes landmarks: comparing all pairs of 50,000 images of 2,048
#: features takes minutes on two cores, and four times that for twice as many.
EXACT_IMAGES = 50_000

#: Coordinates of classes that annotated images choose, and those that the paper leaves open.
AUTO, PRINTED_MAPS = "auto", ("raw", "l1", "l2")

#: Every value a preset decides; a parameter it does not name has no meaning there.
PRESETS: dict[str, dict[str, Any]] = {
    "paper": {
        "features": "unit",
        "attribute_map": "l1",
        "graph": "auto",
        "k_g": 300,
        "sigma": 1.0,
        "symmetrize": "max",
        "m": 50,
        "lambda1": 0.01,
        "lambda2": 1e-4,
        "lambda3": 1e-6,
        "lambda4": 0.01,
        "penalty": "double-l1",
        "steps": "sap1+sap2+bpl",
        "metric": "euclidean",
        "max_iter": 5,
        "tol": 1e-3,
    },
    "robust": {
        "features": "whitened",
        "attribute_map": AUTO,
        "attribute_freedom": AUTO,
        "graph": "auto",
        "k_g": 10,
        "sigma": 1.0,
        "symmetrize": "max",
        "lambda1": 1.0,
        "lambda3": 0.1,
        "lambda4": 0.08,
        "beta": 0.0,
        "sharpness": 2.0,
        "steps": "sap1+sap2+bpl",
        "metric": "euclidean",
        "error_whitening": 0.15,
        "remoteness": 0.1,
        "max_iter": 4,
        "unlabelled": "auto",
    },
}

#: The robust preset before anybody is asked about coordinates; remote classes are not favoured yet.
USUAL: dict[str, Any] = {
    **PRESETS["robust"],
    "attribute_map": USUAL_MAP,
    "attribute_freedom": 0.0,
    "remoteness": 0.0,
}

#: Why a preset does not take a parameter of the other one.
WITHOUT_MEANING = {
    "m": "the robust preset uses the whole spectrum",
    "lambda2": "the robust preset holds annotated rows exactly",
    "penalty": "the robust preset has the quadratic graph term",
    "tol": "the robust preset runs a fixed number of iterations",
    "beta": "the printed objective weighs both directions equally",
    "sharpness": "the printed objective has no class posteriors",
    "unlabelled": "the printed algorithm takes every image in",
    "attribute_freedom": "all attributes count alike in the printed objective",
    "error_whitening": "the printed rule compares features as they are",
    "remoteness": "the printed rule is the nearest class",
}


LIMITS: dict[str, Limit] = {
    "features": Choice(tuple(FEATURE_MAPS)),
    "attribute_map": Choice((*ATTRIBUTE_MAPS, AUTO)),
    "attribute_freedom": Number(0, words=(AUTO,)),
    "graph": Choice(GRAPHS),
    "k_g": Number(1, integer=True),
    "sigma": Number(0, strict=True, words=("mean", "local")),
    "symmetrize": Choice(SYMMETRISATIONS),
    "m": Number(1, integer=True),
    "lambda1": Number(0),
    "lambda2": Number(0),
    "lambda3": Number(0),
    "lambda4": Number(0, strict=True),
    "beta": Number(0),
    "sharpness": Number(1),
    "penalty": Choice(PENALTIES),
    "steps": Choice(STEPS),
    "metric": Choice(METRICS),
    "error_whitening": Number(0, below=1),
    "remoteness": Number(0, below=1),
    "max_iter": Number(1, integer=True),
    "tol": Number(0),
    "unlabelled": Choice(WAYS),
}
MEMORY_LIMIT = Number(0, strict=True)


def resolve(params: dict[str, Any], n: int) -> dict[str, Any]:
    """Fill what was left to the preset and check the rest.

    Parameters
    ----------
    params : dict
        The estimator's parameters; None is left to the preset.
    n : int
        Number of training images, which k_g and m must stay below.

    Returns
    -------
    dict
        A value for every parameter of the preset.
    """
    preset = params["preset"]
    if not isinstance(preset, str) or preset not in PRESETS:
        raise InputError(
            f"preset is {preset!r}; expected one of {', '.join(map(repr, PRESETS))}"
            f"{closest(preset, PRESETS)}"
        )
    limit_gb = params["memory_limit"]
    if limit_gb is not None and not MEMORY_LIMIT.accepts(limit_gb):
        raise InputError(f"memory_limit is {limit_gb!r}; expected {MEMORY_LIMIT}, in GB")
    settings = dict(PRESETS[preset])
    for name, limit in LIMITS.items():
        value = params[name]
        if value is None:
            continue
        if name not in settings:
            raise InputError(
                f"{name} has no meaning under preset={preset!r} ({WITHOUT_MEANING[name]}); leave "
                f"it out or choose another preset"
            )
        require(name, value, limit)
        settings[name] = value
    if preset == "paper" and settings["attribute_map"] not in PRINTED_MAPS:
        raise InputError(
            f"attribute_map is {settings['attribute_map']!r} under preset='paper', which projects "
            "to the attributes themselves; leave it out, or take one of "
            f"{', '.join(map(repr, PRINTED_MAPS))}"
        )
    # Without propagation there is no graph for them to be too large for.
    for name in () if settings["steps"] == "bpl" else ("k_g", "m"):
        if settings.get(name, 0) >= n:
            settings[name] = _below(n, name, params[name], settings[name], preset)
    return settings


def graph_for(graph: str, n: int) -> str:
    """Return the graph that n images get: what was asked for, or what "auto" means for them.

    Examples
    --------
    >>> graph_for("auto", 9_000), graph_for("auto", 160_000)
    ('knn', 'landmark')
    """
    if graph == "auto":
        return "landmark" if n > EXACT_IMAGES else "knn"
    return graph


def _below(n: int, name: str, asked: int | None, value: int, preset: str) -> int:
    if asked is not None:
        raise InputError(
            f"{name} is {asked} but there are only {n} training images; expected at most {n - 1}"
        )
    if preset == "paper":
        warnings.warn(
            f"the paper's {name} = {value} needs more than the {n} training images given; using "
            f"{n - 1}. Set {name} to silence this",
            UserWarning,
            stacklevel=4,
        )
    return n - 1
