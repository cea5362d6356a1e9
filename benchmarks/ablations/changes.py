"""One change at a time from the default, in groups."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any

from recipe import (
    Recipe,
    alone,
    balanced,
    decorrelated,
    described,
    over_basis,
    over_graph,
    over_two_graphs,
    rare_first,
)
from shared import Graph

Options = dict[str, Any]
DEFAULT = "default"


@dataclass(frozen=True)
class Change:
    """A named change: what is learned, and how test images are scored."""

    group: str
    name: str
    recipe: Recipe
    scoring: Options = field(default_factory=dict)


def _graph(**options: Any) -> Options:
    return {"propagate": partial(over_graph, graph=Graph(**options))}


def _features(name: str, **graph: Any) -> Options:
    return {"features": name, **_graph(features=name, **graph)}


def _basis(m: int, **options: Any) -> Options:
    return {"propagate": partial(over_basis, m=m, **options)}


def _attributes(ridge: float = 0.08, absolute: bool = False, **options: Any) -> Options:
    return {
        "coordinates": partial(described, **options),
        "ridge": ridge,
        "absolute": absolute,
    }


def _linear(norm: str, ridge: float, absolute: bool = False) -> Options:
    return _attributes(ridge, absolute, norm=norm, power=1.0, center=False, width=None)


CAUSES: dict[str, Options] = {
    "1: mass not divided out, rows not held": {"divide": False, "hold": False},
    "1: mass not divided out, not held, weight 1": {"divide": False, "hold": False, "say": "equal"},
    "1: mass not divided out, rows held": {"divide": False},
    "1: mass divided out, rows not held": {"hold": False},
    "2: absolute ridge 0.01, attributes in 0–1": _linear("none", 0.01, absolute=True),
    "2: absolute ridge 0.01, L1 attributes": _linear("l1", 0.01, absolute=True),
    "2: absolute ridge 0.01, L2 attributes": _linear("l2", 0.01, absolute=True),
    "2: scaled ridge 1, attributes in 0–1": _linear("none", 1.0),
    "2: scaled ridge 1, L1 attributes": _linear("l1", 1.0),
    "2: scaled ridge 1, L2 attributes": _linear("l2", 1.0),
    "3: m = 50 eigenvectors": _basis(50),
    "3: m = 400 eigenvectors": _basis(400),
    "4: k_g = 300": _graph(k_g=300),
    "4: k_g = 300 on unit features": _graph(k_g=300, features="unit"),
    "4: k_g = 10 on unit features": _graph(features="unit"),
    "6: β = 1": {"beta": 1.0},
    "6: β = 0.1": {"beta": 0.1},
    "6: β = 0.003": {"beta": 0.003},
}
COMPARISONS: dict[str, Options] = {
    "5: cosine": {"metric": "cosine"},
    "5: prototypes doubled": {"scale": 2.0},
    "5: prototypes halved": {"scale": 0.5},
    "5: prototypes doubled, cosine": {"scale": 2.0, "metric": "cosine"},
}
FEATURES: dict[str, Options] = {
    # σ = 1 means nothing for distances of any size.
    "raw, σ from the data": _features("raw", sigma="mean"),
    "unit length": _features("unit"),
    "centred": _features("centered"),
    "root, no whitening": _features("rooted"),
    "whitened, no root": _features("whitened, no root"),
    "whitened fully (exponent 0.5)": _features("whitened fully"),
    "graph alone on unwhitened (root) features": _graph(features="rooted"),
    "statistics of annotated images alone, same graph": {"annotated_statistics": True},
}
PROPAGATION: dict[str, Options] = {
    "no sharpening": {"sharpness": 1.0},
    "sharpness 4": {"sharpness": 4.0},
    "hard labels (sharpness 64)": {"sharpness": 64.0},
    "weight 1 for every image": {"say": "equal"},
    "weight c²": {"say": "squared"},
    "weight by mass": {"say": "mass"},
    "no vote (one round)": {"rounds": 1},
    "two rounds": {"rounds": 2},
    "eight rounds": {"rounds": 8},
    "λ3 = 0.03": {"lambda3": 0.03},
    "λ3 = 0.3": {"lambda3": 0.3},
    "λ1 = 0.5": {"propagate": partial(over_graph, lambda1=0.5)},
    "λ1 = 2": {"propagate": partial(over_graph, lambda1=2.0)},
    "k_g = 5": _graph(k_g=5),
    "k_g = 20": _graph(k_g=20),
}
ATTRIBUTES: dict[str, Options] = {
    "linear, power and centring (λ4 = 2)": _attributes(2.0, width=None),
    "linear, L2 (λ4 = 1)": _linear("l2", 1.0),
    "kernel without power": _attributes(power=1.0),
    "kernel without centring": _attributes(center=False),
    "kernel without power or centring": _attributes(power=1.0, center=False),
    "kernel width 0.8": _attributes(width=0.8),
    "kernel width 2": _attributes(width=2.0),
    "λ4 = 0.04": {"ridge": 0.04},
    "λ4 = 0.16": {"ridge": 0.16},
}
LADDER: dict[str, Options] = {
    "BPL": {"propagate": alone, "sharpness": 1.0, "say": "equal"},
    "SAP-I + BPL": {"sharpness": 1.0, "say": "equal"},
    "SAP-I + SAP-II + BPL": {},
}
IDEAS: dict[str, Options] = {
    "mutual neighbours": _graph(symmetrize="mutual"),
    "local σ": _graph(sigma="local"),
    "equal class mass (Sinkhorn)": {"adjust": balanced},
    "half-way to equal class mass": {"adjust": partial(balanced, power=0.1, steps=10)},
    "graph × projection, two rounds": {"multiply": True, "rounds": 2},
    "graph × projection, four rounds": {"multiply": True},
    "mean of two graphs (5 and 20)": {"propagate": over_two_graphs},
    "no graph: the projection teaches itself": {"propagate": alone},
    "unannotated images at half weight": {"trust": 0.5},
    "unannotated images at quarter weight": {"trust": 0.25},
    "rare attributes count more": {"coordinates": rare_first},
    "attributes whitened (exponent 0.2)": {"coordinates": decorrelated},
}
LENGTHS: dict[str, Options] = {
    "prototype length × 0.8 in the score": {"length": 0.8},
    "prototype length × 1.2 in the score": {"length": 1.2},
}
#: λ1 has another unit in each form of the smoothness, so each has a grid of its own.
PENALTIES: dict[str, tuple[Options, tuple[float, ...]]] = {
    "No L1": ({"penalty": "no-l1", "sharpness": 1.0}, (0.3, 1.0, 3.0, 10.0, 30.0)),
    "Single L1": ({"penalty": "single-l1"}, (0.3, 1.0, 3.0, 10.0, 30.0)),
    "Double L1": ({"penalty": "double-l1"}, (0.003, 0.01, 0.03, 0.1, 0.3)),
}
#: Causes that the vote might mend, without it.
UNVOTED = "Causes without the vote (one round)"
UNMENDED: dict[str, Options] = {
    "nothing else changed": {},
    "1: mass not divided out, rows not held": {"divide": False, "hold": False},
    "1: mass divided out, rows not held": {"hold": False},
    "3: m = 50 eigenvectors": _basis(50),
    "3: m = 400 eigenvectors": _basis(400),
    "4: k_g = 300": _graph(k_g=300),
    "4: k_g = 300 on unit features": _graph(k_g=300, features="unit"),
    "4: k_g = 10 on unit features": _graph(features="unit"),
}
#: Changes that do as well as the default or better on the unseen classes, or nearly.
CLOSE = (
    "kernel without centring",
    "equal class mass (Sinkhorn)",
    "no graph: the projection teaches itself",
    "graph × projection, four rounds",
    "weight 1 for every image",
    "λ3 = 0.03",
    "λ4 = 0.16",
    "6: β = 0.003",
    "5: cosine",
    "no vote (one round)",
    "no sharpening",
    "unannotated images at half weight",
    "k_g = 20",
)
LADDERS = {"The ladder, one round": 1, "The ladder, with the vote": 4}
NORMS = {"L1 norms, one round": 1, "L1 norms, with the vote": 4}


def changes() -> list[Change]:
    """Return every change, the default first."""
    groups = {
        "The six causes": (CAUSES, COMPARISONS),
        "Features": (FEATURES, {}),
        "Propagation, weights and the vote": (PROPAGATION, {}),
        "Attributes": (ATTRIBUTES, {}),
        "Ideas": (IDEAS, LENGTHS),
    }
    found = [Change(DEFAULT, DEFAULT, Recipe())]
    for group, (learned, scored) in groups.items():
        found += [Change(group, name, Recipe(**own)) for name, own in learned.items()]
        found += [Change(group, name, Recipe(), own) for name, own in scored.items()]
    found += [Change(UNVOTED, n, Recipe(**own, rounds=1)) for n, own in UNMENDED.items()]
    for group, rounds in LADDERS.items():
        found += [Change(group, n, Recipe(**own, rounds=rounds)) for n, own in LADDER.items()]
    return found + [change for group in NORMS.items() for change in _norms(*group)]


def _norms(group: str, rounds: int) -> list[Change]:
    found = []
    for name, (own, grid) in PENALTIES.items():
        for lambda1 in grid:
            propagate = _basis(400, lambda1=lambda1, penalty=own["penalty"])
            recipe = Recipe(**propagate, sharpness=own.get("sharpness", 2.0), rounds=rounds)
            found.append(Change(group, f"{name}, λ1 = {lambda1:g}", recipe))
    return found
