"""What a model file must hold for its parts to belong together."""

from __future__ import annotations

from typing import Any

import numpy as np

from sapwood.errors import InputError
from sapwood.features import AttributeMap, FeatureMap
from sapwood.models.comparison import PLAIN
from sapwood.models.limits import Number
from sapwood.models.parameters import LIMITS

#: Shapes that a matrix may have, the usual one first.
Shapes = list[tuple[int | None, ...]]


def require_classes(model: Any, source: str) -> None:
    """Refuse a model that does not know its classes, or has a temperature that is none."""
    Z, classes = getattr(model, "class_attributes_", None), getattr(model, "classes_", None)
    if not isinstance(Z, np.ndarray) or not isinstance(classes, np.ndarray):
        raise InputError(f"{source} has no classes; save the model again")
    shaped = Z.ndim == 2 and classes.shape == (len(Z),) and np.isfinite(Z).all()
    if not shaped or not np.isin(getattr(model, "seen_", ()), np.arange(len(Z))).all():
        raise InputError(f"{source} describes its classes wrongly; save the model again")
    for name in ("temperature_", "unseen_temperature_"):
        value = getattr(model, name, None)
        if value is not None and not Number(0, strict=True).accepts(value):
            raise InputError(f"{source} has a {name} of {value!r}; save the model again")


def require_propagation(model: Any, source: str) -> None:
    """Refuse a `SparseAttributePropagation` without its maps, rules or matrices."""
    require_maps(model, source)
    for name in ("metric", "remoteness"):
        if not LIMITS[name].accepts(getattr(model, f"{name}_", None)):
            raise InputError(f"{source} lacks its {name}; save the model again")
    d, k = getattr(model, "n_features_in_", None), model.class_attributes_.shape[1]
    shapes: dict[str, Shapes] = {
        "projection_": [(model.attribute_map_.dimension, d)],
        "forward_": [(k, d)],
        "comparison_": [(d, d), PLAIN.shape],
    }
    require_matrices(model, source, shapes)


def require_maps(model: Any, source: str) -> None:
    """Refuse a model without its maps of features and attributes."""
    maps: dict[str, type] = {"feature_map_": FeatureMap, "attribute_map_": AttributeMap}
    lacking = [n for n, kind in maps.items() if not isinstance(getattr(model, n, None), kind)]
    if lacking:
        raise InputError(f"{source} lacks its {lacking[0]}; save the model again")


def require_matrices(model: Any, source: str, shapes: dict[str, Shapes]) -> None:
    """Refuse a model with a matrix that is missing, of another shape, or not finite."""
    for name, allowed in shapes.items():
        matrix = getattr(model, name, None)
        if not isinstance(matrix, np.ndarray) or matrix.shape not in allowed:
            raise InputError(f"{source} has no {name} of shape {allowed[0]}; save the model again")
        if not np.isfinite(matrix).all():
            raise InputError(f"{source} has a {name} with NaN or inf; fit the model again")
