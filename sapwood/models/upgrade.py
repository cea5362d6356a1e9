"""Model files of earlier formats, in today's terms."""

from __future__ import annotations

from typing import Any

import numpy as np

#: How training images are recognised.
_HASHES = ("training_hashes_", "annotated_hashes_", "held_out_hashes_")


def upgrade(state: dict[str, Any], version: int) -> dict[str, Any]:
    """Return the state of a file as the newest format has it.

    Format 1 knew attributes scaled by a norm; format 2 has maps of attributes, and format 3 maps
    with one parameter more, which earlier ones leave at its default. Before format 5 training
    images were recognised by hashes that rounding could change, so those are forgotten, and rivals
    did not keep how they had taken unannotated images in. Before format 6 images and classes were
    compared as they are. Before format 7 all attributes counted alike. Before format 8 remote
    classes were not favoured.
    """
    if version < 8 and "metric_" in state:
        state = {**state, "remoteness_": 0.0}
    if version < 6 and "metric_" in state:
        state = {**state, "comparison_": np.empty((0, 0)), "error_whitening_": 0.0}
    if version < 5:
        state = {name: value for name, value in state.items() if name not in _HASHES}
        params = state.get("params")
        if isinstance(params, dict) and "settings_" in state:
            state["unlabelled_"] = params.get("unlabelled")
    state = _with_maps(state) if version == 1 else state
    return _weighed_alike(state) if version < 7 else state


def _weighed_alike(state: dict[str, Any]) -> dict[str, Any]:
    mean = state.get("attribute_map_/mean_")
    if not isinstance(mean, np.ndarray):
        return state
    freedom = {"attribute_freedom_": 0.0} if "metric_" in state else {}
    return {**state, **freedom, "attribute_map_/weights_": np.ones(mean.shape)}


def _with_maps(state: dict[str, Any]) -> dict[str, Any]:
    state = dict(state)
    params, Z = state.get("params"), state.get("class_attributes_")
    if not isinstance(params, dict) or not isinstance(Z, np.ndarray) or Z.ndim != 2:
        # What is missing here is missing from the file: loading says so.
        return state
    params = dict(params)
    asked, norm = params.pop("attribute_norm", None), state.pop("attribute_norm_", "l2")
    state["params"] = {**params, "attribute_map": "raw" if asked == "none" else asked}
    k = Z.shape[1]
    linear = {
        "params": {"norm": norm},
        "power_": 1.0,
        "mean_": np.zeros(k),
        "anchors_": np.empty((0, k)),
        "scale_": 0.0,
        "mixing_": np.empty((0, 0)),
    }
    return {**state, **{f"attribute_map_/{name}": value for name, value in linear.items()}}
