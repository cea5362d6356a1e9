"""What every zero-shot classifier of sapwood shares: candidates, prediction, model files."""

from __future__ import annotations

import os
from typing import Any, TypeVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from sapwood.errors import InputError, closest
from sapwood.features import AttributeMap, FeatureMap
from sapwood.models.annotations import Annotations
from sapwood.models.attributes import align_attributes, read_attributes
from sapwood.models.checks import check_features
from sapwood.models.files import read_model, write_model
from sapwood.models.state import restore, state_of
from sapwood.projection import softmax

#: Images scored at once.
CHUNK = 4096

Self = TypeVar("Self", bound="ZeroShotClassifier")


class ZeroShotClassifier(ClassifierMixin, BaseEstimator):
    """Base of classifiers that know classes by their attributes.

    A subclass fits, calls :meth:`_remember`, sets ``temperature_`` and scores images in
    :meth:`_score`.
    """

    def predict(
        self,
        X: Any,
        *,
        classes: Any = None,
        class_attributes: Any = None,
        calibrated: bool = True,
    ) -> np.ndarray:
        """Name the class of each image.

        Parameters
        ----------
        X : array-like of shape (n, d)
        classes : sequence of labels or names, "seen" or "unseen", optional
            Candidates among the classes known at fit time; default: all of them.
        class_attributes : array-like or DataFrame of shape (new classes, k), optional
            Candidates nobody knew at fit time, in place of `classes`.
        calibrated : bool
            Where seen and unseen classes are candidates together, take ``seen_bias_`` from the
            scores of seen ones, which would win too often otherwise.

        Returns
        -------
        ndarray of shape (n,)
            Labels as they were given to fit: rows of the attribute matrix, or names. For new
            classes, rows of `class_attributes`, or its index if that holds names.
        """
        Z, labels, handicap = self._candidates(classes, class_attributes, calibrated)
        return labels[(self._scores(X, Z) - handicap).argmax(axis=1)]

    def decision_function(
        self,
        X: Any,
        *,
        classes: Any = None,
        class_attributes: Any = None,
        calibrated: bool = True,
    ) -> np.ndarray:
        """Score each image against each candidate class, higher being better.

        Parameters
        ----------
        X, classes, class_attributes, calibrated
            As in :meth:`predict`.

        Returns
        -------
        ndarray of shape (n, candidates)
            Shape (n,) where two classes are their own attributes, as scikit-learn has it.
        """
        Z, _, handicap = self._candidates(classes, class_attributes, calibrated)
        scores = self._scores(X, Z) - handicap
        if self.one_hot_ and len(Z) == 2 and classes is None and class_attributes is None:
            return scores[:, 1] - scores[:, 0]
        return scores

    def predict_proba(
        self,
        X: Any,
        *,
        classes: Any = None,
        class_attributes: Any = None,
        calibrated: bool = True,
    ) -> np.ndarray:
        """Return the probability of each candidate class: a softmax of the scores.

        Its temperature was fitted to the annotated images.

        Parameters
        ----------
        X, classes, class_attributes, calibrated
            As in :meth:`predict`.

        Returns
        -------
        ndarray of shape (n, candidates)
        """
        Z, _, handicap = self._candidates(classes, class_attributes, calibrated)
        return softmax(self._scores(X, Z) - handicap, self.temperature_)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted model to one safetensors file, at once or not at all."""
        check_is_fitted(self)
        write_model(path, type(self).__name__, state_of(self))

    @classmethod
    def load(cls: type[Self], path: str | os.PathLike[str]) -> Self:
        """Read a model that :meth:`save` wrote; no code in the file is run."""
        model = restore(cls, read_model(path, cls.__name__), str(path))
        model._check_restored(str(path))
        return model

    def __sklearn_is_fitted__(self) -> bool:
        # The last thing that a fit finds: one that failed half-way has not fitted.
        return hasattr(self, "temperature_")

    def _forget(self) -> None:
        """Drop what an earlier fit found, so that nothing of it outlives a later one."""
        for name in [n for n in vars(self) if n.endswith("_") and not n.startswith("_")]:
            delattr(self, name)

    def _remember(self, known: Annotations) -> None:
        self.classes_ = known.classes
        self.class_attributes_ = known.Z
        self.class_names_ = known.class_names
        self.attribute_names_ = known.attribute_names
        self.one_hot_ = known.one_hot
        self.seen_ = known.seen

    def _check_restored(self, source: str) -> None:
        """Refuse a file whose parts do not belong together; subclasses know theirs."""
        Z, classes = getattr(self, "class_attributes_", None), getattr(self, "classes_", None)
        if not isinstance(Z, np.ndarray) or not isinstance(classes, np.ndarray):
            raise InputError(f"{source} has no classes; save the model again")
        if Z.ndim != 2 or len(Z) != len(classes) or not np.isfinite(Z).all():
            raise InputError(f"{source} describes its classes wrongly; save the model again")

    def _check_maps(self, source: str) -> None:
        maps = {"feature_map_": FeatureMap, "attribute_map_": AttributeMap}
        lacking = [n for n, kind in maps.items() if not isinstance(getattr(self, n, None), kind)]
        if lacking:
            raise InputError(f"{source} lacks its {lacking[0]}; save the model again")

    def _score(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        """Score checked features, shape (n, d), against attributes Z, shape (candidates, k)."""
        raise NotImplementedError

    def _scores(self, X: Any, Z: np.ndarray) -> np.ndarray:
        X = check_features(self, X, reset=False)
        starts = range(0, len(X), CHUNK)
        return np.concatenate([self._score(X[start : start + CHUNK], Z) for start in starts])

    def _candidates(
        self, classes: Any, class_attributes: Any, calibrated: bool
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the candidates' attributes, their labels, and what each is handicapped by."""
        check_is_fitted(self)
        if class_attributes is None:
            rows = self._rows(classes)
            handicap = self._handicap(rows) if calibrated else np.zeros(len(rows))
            return self.class_attributes_[rows], self.classes_[rows], handicap
        if classes is not None:
            raise InputError("give predict either classes= or class_attributes=, not both")
        k = self.class_attributes_.shape[1]
        if np.ndim(class_attributes) == 2 and np.shape(class_attributes)[1] != k:
            raise InputError(
                f"class_attributes has {np.shape(class_attributes)[1]} attributes; the model was "
                f"fitted with {k}"
            )
        new = read_attributes(class_attributes, fill=self.class_attributes_.mean(axis=0))
        labels = np.arange(len(new.Z)) if new.class_names is None else np.array(new.class_names)
        return align_attributes(new, self.attribute_names_), labels, np.zeros(len(labels))

    def _handicap(self, rows: np.ndarray) -> np.ndarray:
        seen = np.isin(rows, self.seen_)
        both = seen.any() and not seen.all()
        return np.where(seen & both, getattr(self, "seen_bias_", 0.0), 0.0)

    def _rows(self, classes: Any) -> np.ndarray:
        if classes is None:
            return np.arange(len(self.classes_))
        if isinstance(classes, str):
            if classes not in ("seen", "unseen"):
                raise InputError(
                    f"classes is {classes!r}; expected 'seen', 'unseen' or a sequence of labels"
                )
            everything = np.arange(len(self.classes_))
            seen = np.isin(everything, self.seen_)
            rows = everything[seen if classes == "seen" else ~seen]
        else:
            rows = self._look_up(classes)
        if not len(rows):
            raise InputError("classes names no class; give at least one candidate")
        if len(np.unique(rows)) < len(rows):
            raise InputError("classes names a class twice; give each candidate once")
        return rows

    def _look_up(self, classes: Any) -> np.ndarray:
        labels = np.asarray(list(classes) if isinstance(classes, set) else classes).ravel()
        if labels.dtype.kind == "b" and self.classes_.dtype.kind != "b":
            if len(labels) != len(self.classes_):
                raise InputError(
                    f"classes is a mask of {len(labels)}; the model knows {len(self.classes_)}"
                )
            return np.flatnonzero(labels)
        known = {label: row for row, label in enumerate(self.classes_.tolist())}
        named = {name: row for row, name in enumerate(self.class_names_ or [])}
        asked = labels.tolist()
        unknown = [label for label in asked if label not in known and label not in named]
        if unknown:
            raise InputError(
                f"classes holds {len(unknown)} labels the model does not know (first: "
                f"{unknown[0]!r}{closest(unknown[0], [*known, *named])})"
            )
        return np.array([known[a] if a in known else named[a] for a in asked], dtype=np.int64)
