"""A fitted annotator as a flat dictionary, for a model file, and back."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
from sklearn.base import clone

from sapwood.errors import InputError
from sapwood.features import FeatureMap
from sapwood.models.state import restore, state_of
from sapwood.tags.design import Design
from sapwood.tags.files import feature_names, name_features, refiner_state, restored_refiner, under
from sapwood.tags.named import FACTS, SLOPES, NamedTags
from sapwood.tags.refiner import TagRefiner
from sapwood.tags.svm import OneVsAllSVM
from sapwood.tags.vocabulary import Vocabulary

#: What is written beside the parameters and the parts.
SAVED = (
    "concept_names_",
    "tag_names_",
    "n_features_in_",
    "n_tags_in_",
    "threshold_",
    "C_",
    "tag_weight_",
)
SVM = ("coef_", "intercept_", "scale_", "slope_", "offset_", "C_", "n_features_in_")
#: Stands for a refiner with parameters of its own, which is in the file.
OWN = "own"


def annotator_state(annotator: Any) -> dict[str, Any]:
    """Return what a fitted :class:`sapwood.tags.SocialImageAnnotator` needs for new images."""
    refiner, design = annotator.refiner_, annotator.design_
    if refiner is not None and not isinstance(refiner, TagRefiner):
        raise InputError(
            f"the annotator's refiner is a {type(refiner).__name__}, which cannot be written to a "
            "file; take a TagRefiner, or refine apart and give refiner=None"
        )
    params = annotator.get_params(deep=False)
    own = params["refiner"] is not None and not isinstance(params["refiner"], str)
    C = params["C"] if params["C"] is None else np.asarray(params["C"]).tolist()
    words = annotator.vocabulary_
    state: dict[str, Any] = {name: getattr(annotator, name) for name in SAVED}
    state["params"] = {**params, "C": C, "refiner": OWN if own else params["refiner"]}
    state["words"] = None if words is None else list(words.names)
    state["feature_names"] = feature_names(annotator)
    state |= under("svm", {name: getattr(annotator.svm_, name) for name in SVM})
    state |= under("named", asdict(annotator.named_))
    state |= under("design", {"tag_mean": design.tag_mean, "tag_length": design.tag_length})
    if design.feature_map is not None:
        state |= under("feature_map", state_of(design.feature_map))
    return state if refiner is None else state | under("refiner", refiner_state(refiner))


def restored_annotator(cls: type, state: dict[str, Any], source: str) -> Any:
    """Rebuild what :func:`annotator_state` is of; `source` is named in errors."""
    if "threshold_" not in state and "offset_" in state:
        raise InputError(
            f"{source} is of an earlier sapwood, whose scores had another meaning; learn anew and "
            "save the model again"
        )
    parts: dict[str, dict[str, Any]] = {"svm": {}, "named": {}, "design": {}}
    for name, value in state.items():
        part, slash, inner = name.partition("/")
        if slash:
            parts.setdefault(part, {})[inner] = value
    try:
        annotator, words = cls(**state["params"]), state["words"]
        for name in SAVED:
            setattr(annotator, name, state[name])
        annotator.vocabulary_ = None if words is None else Vocabulary(tuple(map(str, words)))
        name_features(annotator, state.get("feature_names"))
        annotator.refiner_ = None
        if "refiner" in parts:
            annotator.refiner_ = restored_refiner(TagRefiner, parts["refiner"], source)
        if annotator.refiner == OWN:
            annotator.refiner = annotator.refiner_ and clone(annotator.refiner_)
        mapped = parts.get("feature_map")
        feature_map = None if mapped is None else restore(FeatureMap, mapped, source)
        annotator.design_ = Design(**parts["design"], feature_map=feature_map)
        annotator.named_ = NamedTags(**parts["named"])
        annotator.svm_ = OneVsAllSVM()
        for name in SVM:
            setattr(annotator.svm_, name, parts["svm"][name])
        annotator.threshold_ = float(annotator.threshold_)
        columns = _columns(annotator)
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        raise InputError(f"{source} does not describe a {cls.__name__} ({error})") from None
    if not _belong_together(annotator, columns):
        raise InputError(f"{source} has parts that do not belong together; save the model again")
    return annotator


def _columns(annotator: Any) -> int:
    """Columns of what the SVM is given."""
    design = annotator.design_
    return len(design.tag_mean) + (0 if design.feature_map is None else annotator.n_features_in_)


def _belong_together(annotator: Any, columns: int) -> bool:
    """Tell whether shapes and columns of the parts are those of one annotator."""
    svm, named = annotator.svm_, annotator.named_
    c, k = len(annotator.concept_names_), np.shape(named.concepts)
    shapes = [
        (svm.coef_, (c, columns)),
        *((part, (c,)) for part in (svm.intercept_, svm.slope_, svm.offset_)),
        *((part, k) for part in (named.tags, named.rarity)),
        (named.offset, (FACTS,)),
        (named.slope, (SLOPES,)),
    ]
    fitting = all(np.shape(part) == shape for part, shape in shapes)
    limits = (named.concepts, c), (named.tags, len(annotator.design_.tag_mean))
    return fitting and all(np.isin(own, np.arange(limit)).all() for own, limit in limits)
