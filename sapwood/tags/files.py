"""A fitted refiner as a flat dictionary, for a model file, and back."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from sapwood.errors import InputError
from sapwood.features import FeatureMap
from sapwood.graph import LandmarkBasis, LandmarkGraph
from sapwood.models.state import restore, state_of, storable
from sapwood.tags.alone import TagsAlone
from sapwood.tags.calibration import Calibration
from sapwood.tags.companions import Companions
from sapwood.tags.kernel import KernelModel
from sapwood.tags.printed import PrintedTags
from sapwood.tags.robust import RobustTags
from sapwood.tags.vocabulary import Vocabulary

Learned = RobustTags | TagsAlone | PrintedTags
#: What a file may hold.
KINDS: dict[str, type] = {kind.__name__: kind for kind in (RobustTags, TagsAlone, PrintedTags)}
#: Parts that have parts.
PARTS: dict[str, type] = {
    "kernel": KernelModel,
    "calibration": Calibration,
    "companions": Companions,
    "graph": LandmarkGraph,
    "basis": LandmarkBasis,
}
#: What is written beside the parameters and what was learned.
SAVED = (
    "tag_names_",
    "n_tags_in_",
    "n_features_in_",
    "graph_",
    "drop_threshold_",
    "add_threshold_",
)


def refiner_state(refiner: Any) -> dict[str, Any]:
    """Return everything a fitted :class:`sapwood.tags.TagRefiner` needs to refine new images."""
    known = refiner._vocabulary
    state = {name: getattr(refiner, name) for name in SAVED}
    params = storable(refiner.get_params(deep=False))
    stop = params["stop_tags"]
    params["stop_tags"] = None if stop is None else sorted(map(str, stop))
    state |= {"params": params, "unit": refiner._unit}
    state["words"] = None if known is None else list(known.names)
    state["feature_names"] = feature_names(refiner)
    return state | under("learned", take_apart(refiner._refinement))


def restored_refiner(cls: type, state: dict[str, Any], source: str) -> Any:
    """Rebuild what :func:`refiner_state` is of; `source` is named in errors."""
    learned = {n.removeprefix("learned/"): v for n, v in state.items() if "/" in n}
    try:
        refiner = cls(**state["params"])
        for name in SAVED:
            setattr(refiner, name, state[name])
        words = state["words"]
        refiner._unit = float(state["unit"])
        refiner._vocabulary = None if words is None else Vocabulary(tuple(map(str, words)))
        name_features(refiner, state.get("feature_names"))
        t = len(refiner.tag_names_)
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        raise InputError(f"{source} does not describe a {cls.__name__} ({error})") from None
    refiner._refinement = put_together(learned, source)
    check_parts(refiner._refinement, t, refiner.n_features_in_, source)
    return refiner


def feature_names(estimator: Any) -> list[str] | None:
    """Return what the columns of features were called in fit, if they were."""
    names = getattr(estimator, "feature_names_in_", None)
    return None if names is None else list(names)


def name_features(estimator: Any, names: list[str] | None) -> None:
    """Give an estimator the names of its features, if there are any."""
    if names is not None:
        estimator.feature_names_in_ = np.array(names, dtype=object)


def take_apart(learned: Any) -> dict[str, Any]:
    """Return arrays and plain values, those of a part under its name and a slash.

    Parameters
    ----------
    learned : RobustTags, TagsAlone or PrintedTags

    Returns
    -------
    dict
    """
    flat: dict[str, Any] = {"learned": type(learned).__name__}
    for name, value in _values(learned).items():
        if isinstance(value, FeatureMap):
            flat.update(under(name, state_of(value)))
        elif name in PARTS:
            flat.update(under(name, _values(value)))
        else:
            flat[name] = value
    return flat


def put_together(flat: dict[str, Any], source: str) -> Learned:
    """Rebuild what :func:`take_apart` took apart; `source` is named in errors."""
    nested: dict[str, dict[str, Any]] = {}
    own: dict[str, Any] = {}
    for name, value in flat.items():
        part, _, inner = name.partition("/")
        if inner:
            nested.setdefault(part, {})[inner] = value
        else:
            own[name] = value
    try:
        kind = KINDS[own.pop("learned")]
        for part, values in nested.items():
            of_map = part == "feature_map"
            own[part] = restore(FeatureMap, values, source) if of_map else PARTS[part](**values)
        if kind is PrintedTags:
            graph, basis = own.pop("graph", None), own.pop("basis", None)
            own["landmarks"] = None if graph is None else (graph, basis)
        return kind(**own)
    except (TypeError, KeyError) as error:
        raise InputError(f"{source} does not describe a TagRefiner ({error})") from None


def check_parts(learned: Learned, t: int, d: int | None, source: str) -> None:
    """Refuse parts that do not belong together: all are about t tags and d features."""
    try:
        found = _columns(learned)
    except (AttributeError, IndexError, TypeError):
        found = None
    if found != (t, d):
        raise InputError(f"{source} has parts that do not belong together; save the model again")


def _columns(learned: Learned) -> tuple[int, int | None]:
    """Tags and features."""
    feature_map = getattr(learned, "feature_map", None)
    W = learned.W.T if isinstance(learned, PrintedTags) else learned.kernel.weights
    return W.shape[1], None if feature_map is None else len(feature_map.mean_)


def _values(part: Any) -> dict[str, Any]:
    values = {field.name: getattr(part, field.name) for field in fields(part)}
    landmarks = values.pop("landmarks", None) if isinstance(part, PrintedTags) else None
    if landmarks is not None:
        values["graph"], values["basis"] = landmarks
    return values


def under(part: str, values: dict[str, Any]) -> dict[str, Any]:
    """Put the name of a part and a slash before every name.

    Examples
    --------
    >>> under("svm", {"C": 1.0})
    {'svm/C': 1.0}
    """
    return {f"{part}/{name}": value for name, value in values.items()}
