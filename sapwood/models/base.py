"""What every zero-shot classifier of sapwood shares: candidates, prediction, model files."""

from __future__ import annotations

import os
from typing import Any, TypeVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from sapwood.models.annotations import Annotations
from sapwood.models.candidates import Candidates, choose_candidates
from sapwood.models.checks import check_features
from sapwood.models.explain import explain_scores
from sapwood.models.explanation import Explanation
from sapwood.models.files import read_model, write_model
from sapwood.models.reject import abstain, check_reject
from sapwood.models.restored import require_classes
from sapwood.models.state import restore, state_of
from sapwood.models.suggest import rank_images
from sapwood.projection import softmax

#: Images scored at once.
CHUNK = 4096

Self = TypeVar("Self", bound="ZeroShotClassifier")


class ZeroShotClassifier(ClassifierMixin, BaseEstimator):
    """Base of classifiers that know classes by their attributes.

    A subclass fits, calls :meth:`_remember`, sets ``temperature_`` and, if it can,
    ``unseen_temperature_``, and scores images in :meth:`_score`.
    """

    def predict(
        self,
        X: Any,
        *,
        classes: Any = None,
        class_attributes: Any = None,
        calibrated: bool = True,
        reject: float | None = None,
    ) -> np.ndarray:
        """Name the class of each image.

        Parameters
        ----------
        X : array-like of shape (n, d)
        classes : sequence of labels or names, "seen" or "unseen", optional
            Candidates among the classes known at fit time; default: all of them.
        class_attributes : array-like or DataFrame of shape (new classes, k), optional
            Candidates by their attributes, in place of `classes`: classes that nobody knew at fit
            time, and others. Those with the attributes of a seen class count as seen.
        calibrated : bool
            Where seen and unseen classes are candidates together, take ``seen_bias_`` from the
            scores of seen ones, which would win too often otherwise.
        reject : float, optional
            Between 0 and 1: give no answer where the largest `predict_proba` is below it.

        Returns
        -------
        ndarray of shape (n,)
            Labels as they were given to fit: rows of the attribute matrix, or names. For new
            classes, rows of `class_attributes`, or its index if that holds names. Where there is
            no answer: -1, or "" among names.
        """
        chosen = choose_candidates(self, classes, class_attributes, calibrated)
        if reject is not None:
            check_reject(reject)
        scores = self._scores(X, chosen)
        answers = chosen.labels[scores.argmax(axis=1)]
        if reject is None:
            return answers
        sure = softmax(scores, self._softmax_temperature(chosen)).max(axis=1)
        return abstain(answers, sure < reject)

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
        chosen = choose_candidates(self, classes, class_attributes, calibrated)
        scores = self._scores(X, chosen)
        if self.one_hot_ and len(chosen.Z) == 2 and classes is None and class_attributes is None:
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

        Where all candidates are seen classes its temperature is ``temperature_``. Where an unseen
        or a new class is among them, scores mean less, and it is ``unseen_temperature_``, which
        was found on seen classes that played unseen ones; a model that has none, such as one of
        an older file, keeps to ``temperature_``.

        Parameters
        ----------
        X, classes, class_attributes, calibrated
            As in :meth:`predict`.

        Returns
        -------
        ndarray of shape (n, candidates)
        """
        chosen = choose_candidates(self, classes, class_attributes, calibrated)
        return softmax(self._scores(X, chosen), self._softmax_temperature(chosen))

    def explain(
        self, X: Any, *, classes: Any = None, class_attributes: Any = None, top: int = 5
    ) -> Explanation:
        """Say for each image which attributes put the winner ahead of the runner-up.

        Only models whose scores compare an image with projected attributes can say it.

        Parameters
        ----------
        X, classes, class_attributes
            As in :meth:`predict`; at least two candidates.
        top : int
            Attributes that are named when the result is printed.

        Returns
        -------
        Explanation
        """
        chosen = choose_candidates(self, classes, class_attributes, calibrated=True)
        return explain_scores(self, X, chosen, self._scores(X, chosen), top)

    def suggest(self, X: Any, n: int, y: Any = None) -> np.ndarray:
        """Choose the images to annotate next: they stand for many that no annotation reaches.

        Parameters
        ----------
        X : array-like of shape (images, d)
            Images among which to choose, such as those given to fit.
        n : int
            How many.
        y : array-like of shape (images,), optional
            Their annotations as given to fit; images that have one are not chosen, and what they
            stand for already is not looked for again. By default no image has one.

        Returns
        -------
        ndarray of shape (n,)
            Rows of X, the most useful first.
        """
        return rank_images(self, X, n, y).rows

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

    def _remember(self, known: Annotations) -> None:
        # scikit-learn's scorers take the columns of probabilities to be in sorted order.
        order = np.argsort(known.classes, kind="stable")
        names = known.class_names
        self.classes_ = known.classes[order]
        self.class_attributes_ = known.Z[order]
        self.class_names_ = None if names is None else [names[row] for row in order]
        self.attribute_names_ = known.attribute_names
        self.one_hot_ = known.one_hot
        self.seen_ = np.flatnonzero(np.isin(order, known.seen))

    def _check_restored(self, source: str) -> None:
        """Refuse a file whose parts do not belong together; subclasses know theirs."""
        require_classes(self, source)

    def _score(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        """Score checked features, shape (n, d), against attributes Z, shape (candidates, k)."""
        raise NotImplementedError

    def _favour(self, candidates: Candidates) -> np.ndarray:
        """What the score of each candidate holds whatever an image shows."""
        return -candidates.handicap

    def _scores(self, X: Any, candidates: Candidates) -> np.ndarray:
        """Score images as given, with what candidates have whatever these show."""
        X, Z = check_features(self, X, reset=False), candidates.Z
        starts = range(0, len(X), CHUNK)
        scores = np.concatenate([self._score(X[start : start + CHUNK], Z) for start in starts])
        return scores + self._favour(candidates)

    def _softmax_temperature(self, candidates: Candidates) -> float:
        unseen = getattr(self, "unseen_temperature_", None)
        return self.temperature_ if unseen is None or candidates.seen.all() else float(unseen)
