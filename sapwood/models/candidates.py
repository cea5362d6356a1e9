"""The classes among which images are named: known ones by label, new ones by attributes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from sapwood.errors import InputError, closest
from sapwood.models.attributes import align_attributes, read_attributes


@dataclass(frozen=True, eq=False)
class Candidates:
    """Classes an image may be of.

    Attributes
    ----------
    Z : ndarray of shape (candidates, k)
    labels : ndarray of shape (candidates,)
        What `predict` answers for each of them.
    names : list of str
        What people call them: their labels where they have no names.
    seen : ndarray of bool, shape (candidates,)
        Which of them were annotated; none of those that are new to the model.
    handicap : ndarray of shape (candidates,)
        What is taken from the score of each.
    """

    Z: np.ndarray
    labels: np.ndarray
    names: list[str]
    seen: np.ndarray
    handicap: np.ndarray


def choose_candidates(
    model: Any, classes: Any, class_attributes: Any, calibrated: bool
) -> Candidates:
    """Return the candidates that the arguments of `predict` name.

    Parameters
    ----------
    model : ZeroShotClassifier
        Fitted.
    classes, class_attributes, calibrated
        As in :meth:`sapwood.models.base.ZeroShotClassifier.predict`.
    """
    check_is_fitted(model)
    if class_attributes is None:
        return _known(model, classes, calibrated)
    if classes is not None:
        raise InputError("give predict either classes= or class_attributes=, not both")
    class_attributes = align_attributes(class_attributes, model.attribute_names_)
    k = model.class_attributes_.shape[1]
    if np.ndim(class_attributes) == 2 and np.shape(class_attributes)[1] != k:
        raise InputError(
            f"class_attributes has {np.shape(class_attributes)[1]} attributes; the model was "
            f"fitted with {k}"
        )
    new = read_attributes(class_attributes, fill=model.class_attributes_.mean(axis=0))
    labels = np.arange(len(new.Z)) if new.class_names is None else np.array(new.class_names)
    never = np.zeros(len(labels), dtype=bool)
    return Candidates(new.Z, labels, [str(label) for label in labels], never, np.zeros(len(labels)))


def _known(model: Any, classes: Any, calibrated: bool) -> Candidates:
    rows = _rows(model, classes)
    seen = np.isin(rows, model.seen_)
    # Among seen classes alone a handicap changes no order.
    bias = getattr(model, "seen_bias_", 0.0) if calibrated and not seen.all() else 0.0
    names = model.class_names_ or [str(label) for label in model.classes_]
    return Candidates(
        Z=model.class_attributes_[rows],
        labels=model.classes_[rows],
        names=[names[row] for row in rows],
        seen=seen,
        handicap=np.where(seen, bias, 0.0),
    )


def _rows(model: Any, classes: Any) -> np.ndarray:
    everything = np.arange(len(model.classes_))
    if classes is None:
        return everything
    if isinstance(classes, str):
        if classes not in ("seen", "unseen"):
            raise InputError(
                f"classes is {classes!r}; expected 'seen', 'unseen' or a sequence of labels"
            )
        seen = np.isin(everything, model.seen_)
        rows = everything[seen if classes == "seen" else ~seen]
    else:
        rows = _look_up(model, classes)
    if not len(rows):
        raise InputError("classes names no class; give at least one candidate")
    if len(np.unique(rows)) < len(rows):
        raise InputError("classes names a class twice; give each candidate once")
    return rows


def _look_up(model: Any, classes: Any) -> np.ndarray:
    labels = np.asarray(list(classes) if isinstance(classes, set) else classes).ravel()
    if labels.dtype.kind == "b" and model.classes_.dtype.kind != "b":
        if len(labels) != len(model.classes_):
            raise InputError(
                f"classes is a mask of {len(labels)}; the model knows {len(model.classes_)}"
            )
        return np.flatnonzero(labels)
    known = {label: row for row, label in enumerate(model.classes_.tolist())}
    named = {name: row for row, name in enumerate(model.class_names_ or [])}
    asked = labels.tolist()
    unknown = [label for label in asked if label not in known and label not in named]
    if unknown:
        raise InputError(
            f"classes holds {len(unknown)} labels the model does not know (first: "
            f"{unknown[0]!r}{closest(unknown[0], [*known, *named])})"
        )
    return np.array([known[a] if a in known else named[a] for a in asked], dtype=np.int64)
