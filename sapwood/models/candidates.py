"""The classes among which images are named: known ones by label, new ones by attributes."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.utils.validation import check_is_fitted

from sapwood.data.names import listed
from sapwood.errors import InputError, closest, counted
from sapwood.models.attributes import align_attributes, read_attributes

#: A class described anew has the attributes of another if it is as near to it as this, relatively.
SAME = 1e-6


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
        Which of them were annotated, or have the attributes of a class that was.
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
    if classes is not None and class_attributes is not None:
        raise InputError("give predict either classes= or class_attributes=, not both")
    known = class_attributes is None
    found = _known(model, classes) if known else _described(model, class_attributes)
    # Among seen classes alone a handicap changes no order.
    bias = getattr(model, "seen_bias_", 0.0) if calibrated and not found.seen.all() else 0.0
    return replace(found, handicap=np.where(found.seen, bias, 0.0))


def _known(model: Any, classes: Any) -> Candidates:
    rows = _rows(model, classes)
    names = model.class_names_ or [str(label) for label in model.classes_]
    Z, own = model.class_attributes_[rows], [names[row] for row in rows]
    seen = np.isin(rows, model.seen_)
    if seen.any():
        # What is described as one of them is no other class to the model.
        taught = {row.tobytes() for row in model.class_attributes_[model.seen_]}
        seen = np.array([row.tobytes() in taught for row in Z])
    return Candidates(Z, model.classes_[rows], own, seen, np.zeros(len(rows)))


def _described(model: Any, class_attributes: Any) -> Candidates:
    class_attributes = align_attributes(class_attributes, model.attribute_names_)
    new = read_attributes(class_attributes, fill=model.class_attributes_.mean(axis=0))
    labels = np.arange(len(new.Z)) if new.class_names is None else np.array(new.class_names)
    # What is described as a seen class is that class, and as much at home among the answers.
    taught = model.class_attributes_[model.seen_]
    limit = SAME * np.linalg.norm(taught, axis=1)
    seen = (cdist(new.Z, taught) <= limit).any(axis=1)
    return Candidates(new.Z, labels, [str(c) for c in labels], seen, np.zeros(len(labels)))


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
        if classes == "unseen" and seen.all():
            raise InputError(
                "classes is 'unseen', but every class of this model has annotated images; leave it "
                "out, or describe new classes by class_attributes="
            )
        rows = everything[seen if classes == "seen" else ~seen]
    else:
        rows = _look_up(model, classes)
    if not len(rows):
        raise InputError("classes names no class; give at least one candidate")
    if len(np.unique(rows)) < len(rows):
        raise InputError("classes names a class twice; give each candidate once")
    return rows


def _look_up(model: Any, classes: Any) -> np.ndarray:
    plain = isinstance(classes, Iterable) and not hasattr(classes, "dtype")
    labels = np.asarray(list(classes) if plain else classes).ravel()
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
        several = f"; its classes are {listed(named)}" if named else ""
        hint = closest(unknown[0], [*known, *named]) or several
        raise InputError(
            f"classes holds {counted(len(unknown), 'label')} the model does not know (first: "
            f"{unknown[0]!r}{hint})"
        )
    rows = np.array([known[a] if a in known else named[a] for a in asked], dtype=np.int64)
    # A set has another order in every run.
    return np.sort(rows) if isinstance(classes, Set) else rows
