"""A fitted estimator as a flat dictionary, and back."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from sklearn.base import BaseEstimator

from sapwood.errors import InputError
from sapwood.features import FeatureMap

Estimator = TypeVar("Estimator", bound=BaseEstimator)


def state_of(estimator: BaseEstimator) -> dict[str, Any]:
    """Collect parameters and fitted attributes; a nested feature map is flattened with a slash."""
    state: dict[str, Any] = {"params": _storable(estimator.get_params(deep=False))}
    for name, value in vars(estimator).items():
        if not name.endswith("_") or name.startswith("_"):
            continue
        if isinstance(value, FeatureMap):
            state.update({f"{name}/{key}": v for key, v in state_of(value).items()})
        elif isinstance(value, np.ndarray) and value.dtype.kind in "UO":
            state[name] = {"strings": value.tolist(), "dtype": value.dtype.str}
        else:
            state[name] = value
    return state


def restore(cls: type[Estimator], state: dict[str, Any], source: str) -> Estimator:
    """Rebuild the estimator that :func:`state_of` took apart; `source` is named in errors."""
    try:
        estimator = cls(**state["params"])
    except (TypeError, KeyError) as error:
        raise InputError(f"{source} does not describe a {cls.__name__} ({error})") from None
    maps: dict[str, dict[str, Any]] = {}
    for name, value in state.items():
        if "/" in name:
            owner, key = name.split("/", 1)
            maps.setdefault(owner, {})[key] = value
        elif isinstance(value, dict) and "strings" in value:
            setattr(estimator, name, np.array(value["strings"], dtype=value["dtype"]))
        elif name != "params":
            setattr(estimator, name, value)
    for owner, parts in maps.items():
        setattr(estimator, owner, restore(FeatureMap, parts, source))
    return estimator


def _storable(params: dict[str, Any]) -> dict[str, Any]:
    """A generator of random numbers is no part of a model; a seed is."""
    generators = (np.random.RandomState, np.random.Generator)
    return {name: None if isinstance(v, generators) else v for name, v in params.items()}
