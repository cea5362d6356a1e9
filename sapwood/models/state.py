"""A fitted estimator as a flat dictionary, and back."""

from __future__ import annotations

import re
from typing import Any, TypeVar

import numpy as np
from sklearn.base import BaseEstimator

from sapwood.errors import InputError
from sapwood.features import AttributeMap, FeatureMap

Estimator = TypeVar("Estimator", bound=BaseEstimator)

#: Estimators within an estimator.
NESTED: dict[str, type[BaseEstimator]] = {
    "feature_map_": FeatureMap,
    "attribute_map_": AttributeMap,
}
#: What a file may set: fitted attributes, and those of nested estimators.
FITTED = re.compile(rf"(({'|'.join(NESTED)})/)?(params|[a-zA-Z][a-zA-Z0-9_]*_)")
TEXT = re.compile(r"<U\d{1,5}|\|O")


def state_of(estimator: BaseEstimator) -> dict[str, Any]:
    """Collect parameters and fitted attributes; nested maps are flattened with a slash."""
    state: dict[str, Any] = {"params": storable(estimator.get_params(deep=False))}
    for name, value in vars(estimator).items():
        if not name.endswith("_") or name.startswith("_"):
            continue
        if name in NESTED:
            state.update({f"{name}/{key}": v for key, v in state_of(value).items()})
        elif isinstance(value, np.ndarray) and value.dtype.kind in "UO":
            kind = value.dtype.newbyteorder("<")
            state[name] = {"strings": value.tolist(), "dtype": kind.str}
        else:
            state[name] = value
    return state


def restore(cls: type[Estimator], state: dict[str, Any], source: str) -> Estimator:
    """Rebuild the estimator that :func:`state_of` took apart; `source` is named in errors."""
    own = {name: value for name, value in state.items() if "/" not in name}
    strange = [name for name in state if not FITTED.fullmatch(name)]
    if strange:
        raise InputError(f"{source} does not describe a {cls.__name__} ({strange[0]!r} is no part)")
    try:
        estimator = cls(**own.pop("params"))
        for name, value in own.items():
            setattr(estimator, name, _value(value))
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        raise InputError(f"{source} does not describe a {cls.__name__} ({error})") from None
    for outer, kind in NESTED.items():
        inner = {n.split("/", 1)[1]: v for n, v in state.items() if n.startswith(f"{outer}/")}
        if inner:
            setattr(estimator, outer, restore(kind, inner, source))
    return estimator


def _value(stored: Any) -> Any:
    if not isinstance(stored, dict) or "strings" not in stored:
        return stored
    if not TEXT.fullmatch(str(stored["dtype"])):
        raise ValueError(f"{stored['dtype']!r} is no type of text")
    return np.array(stored["strings"], dtype=stored["dtype"])


def storable(params: dict[str, Any]) -> dict[str, Any]:
    """Return parameters for a file: a generator of random numbers is no part of a model."""
    generators = (np.random.RandomState, np.random.Generator)
    return {name: None if isinstance(v, generators) else v for name, v in params.items()}


def forget_fitted(estimator: BaseEstimator) -> None:
    """Drop what an earlier fit found, so that nothing of it outlives a later one."""
    for name in [n for n in vars(estimator) if n.endswith("_") and not n.startswith("_")]:
        delattr(estimator, name)
