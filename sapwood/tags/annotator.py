"""Social image annotation: which concepts an image shows, from its tags and its features."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from scipy.special import expit
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted

from sapwood.errors import InputError
from sapwood.features import FEATURE_MAPS
from sapwood.metrics._checks import one_of
from sapwood.models.files import read_model, write_model
from sapwood.models.limits import Number, require
from sapwood.models.state import forget_fitted
from sapwood.progress import report
from sapwood.solvers import Rows, fit_sigmoids
from sapwood.tags.annotator_files import annotator_state, restored_annotator
from sapwood.tags.checks import check_features, check_flags, check_names, check_same_length
from sapwood.tags.design import fit_design
from sapwood.tags.frames import in_order, names_of
from sapwood.tags.inputs import (
    NAMED_TWICE,
    holds_words,
    read_matrix,
    read_words,
    settled,
    vocabulary_of,
)
from sapwood.tags.named import NamedTags, choose_weight, match_names
from sapwood.tags.refiner import TagRefiner
from sapwood.tags.settings import divide
from sapwood.tags.svm import OneVsAllSVM, decide
from sapwood.tags.vocabulary import Vocabulary

#: What the SVM is given.
INPUTS = ("tags+features", "tags", "features")
#: How much longer a row of tag scores may be than a row of features, among which to choose.
TAG_WEIGHTS = (0.25, 0.5, 1.0, 2.0, 4.0)
#: Parts into which images are divided to be refined by what was learned from the others.
FOLDS = 5


class SocialImageAnnotator(BaseEstimator):
    """Concepts of images from noisy tags and features: one-vs-all SVMs on ``[Y*, X]``.

    The tags are refined first. Refined tags of training images are made as those of new images
    will be, without their own tags' part in what is predicted: an SVM that learns from scores
    which had seen their own answer would trust them too much. Where a concept is called as a tag
    is, that tag's score is added to the SVM's, with a weight chosen on training images held out.

    Parameters
    ----------
    refiner : "default", None or estimator
        A :class:`TagRefiner`; None takes tags as they are. Any estimator with ``fit(X, tags)`` and
        ``transform(X, tags)`` will do.
    inputs : {"tags+features", "tags", "features"}
        What the SVM is given: the paper's "refined tags + CNN", "refined tags" (with
        ``refiner=None`` "noisy tags"), or features alone.
    features : {"raw", "unit", "centered", "rooted", "whitened"}
        Preprocessing of features for the SVM.
    tag_weight : float, optional
        Length of a row of tag scores in units of that of a row of features; by default chosen
        with C.
    C : float, array-like of shape (concepts,), optional
        Weight of the loss; by default the one with the highest mean average precision on training
        images held out.
    cv : int
        Parts into which training images are divided to choose settings.
    folds : int, optional
        Parts into which they are divided, each to be refined by what was learned from the others.
        By default none for a robust :class:`TagRefiner`, which leaves each image's own tags out
        by itself, and 5 for any other refiner.
    random_state : int
        Seeds both divisions.

    Attributes
    ----------
    refiner_ : estimator or None
        Fitted to all training images; it refines the tags of new ones.
    svm_ : OneVsAllSVM
    tag_weight_, C_ : float
    named_ : NamedTags
        The tags that are called as concepts are, and their weight.
    design_ : Design
        How tag scores and features become what the SVM is given.
    vocabulary_ : Vocabulary or None
        The words that have a column, where tags were given as words.
    concept_names_ : list of str
    tag_names_ : list of str or None

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> concepts = rng.random((80, 3)) < 0.4
    >>> X = concepts @ rng.random((3, 10)) + 0.1 * rng.random((80, 10))
    >>> tags = concepts & (rng.random((80, 3)) < 0.7)
    >>> annotator = SocialImageAnnotator(refiner=None, C=1.0, tag_weight=1.0)
    >>> annotator.fit(X[:60], tags[:60], concepts[:60]).predict(X[60:], tags[60:]).shape
    (20, 3)
    """

    def __init__(
        self,
        refiner: Any = "default",
        *,
        inputs: str = "tags+features",
        features: str = "rooted",
        tag_weight: float | None = None,
        C: Any = None,
        cv: int = 3,
        folds: int | None = None,
        random_state: int = 0,
    ) -> None:
        self.refiner = refiner
        self.inputs = inputs
        self.features = features
        self.tag_weight = tag_weight
        self.C = C
        self.cv = cv
        self.folds = folds
        self.random_state = random_state

    def fit(
        self,
        X: Any,
        tags: Any,
        concepts: Any,
        *,
        concept_names: Any = None,
        tag_names: Any = None,
    ) -> SocialImageAnnotator:
        """Refine the tags and learn the concepts.

        Parameters
        ----------
        X : array, memory-mapped array or None, of shape (n, d)
            Features; None where there are none.
        tags : array-like or sparse array of shape (n, t), lists of words, or None
            What users wrote: 0 and 1 or weights, or a list of words for each image, of which the
            1,000 most frequent are kept.
        concepts : array-like of shape (n, c)
            What the images show, 0 and 1.
        concept_names, tag_names : sequence of str, optional
            Names of the columns; tags that are given as words have theirs. A concept and a tag of
            the same name are taken to mean the same.
        """
        forget_fitted(self)
        self.refiner_: Any = None
        self.vocabulary_: Vocabulary | None = None
        one_of("inputs", self.inputs, INPUTS)
        one_of("features", self.features, tuple(FEATURE_MAPS))
        if isinstance(self.refiner, str):
            one_of("refiner", self.refiner, ("default",))
        if self.tag_weight is not None:
            require("tag_weight", self.tag_weight, Number(0))
        self.n_features_in_ = self.n_tags_in_ = None
        framed = names_of(tags) if tag_names is None else tag_names
        concept_names = names_of(concepts) if concept_names is None else concept_names
        X, tags = self._given(X, tags)
        flags = check_flags(concepts, "concepts", check_same_length(X=X, tags=tags))
        self.concept_names_ = check_names("concept", concept_names, flags.shape[1])
        self.tag_names_ = self._names_of(tags, framed)
        self.n_tags_in_ = None if tags is None else tags.shape[1]
        Y = self._refined_apart(X, tags) if self._uses("tags") else None
        seen = X if self._uses("features") else None
        self.design_ = fit_design(Y, seen, self.features)
        D = self.design_.rows(Y, seen)
        weights = TAG_WEIGHTS if self.tag_weight is None else (float(self.tag_weight),)
        if self.inputs != "tags+features":
            weights = (1.0,)
        svm = OneVsAllSVM(self.C, cv=self.cv, random_state=self.random_state)
        scales = [self.design_.weighted(weight, D.shape[1]) for weight in weights]
        svm.fit(D, flags, scales=scales)
        self.C_, self.tag_weight_ = svm.C_, float(svm.scale_[0])
        self._weigh_names(svm, Y, flags)
        self.svm_ = svm
        return self

    def decision_function(self, X: Any, tags: Any = None) -> np.ndarray:
        """Return how far each image is on each concept's side.

        Parameters
        ----------
        X : array-like of shape (n, d) or None
            As in fit.
        tags : as in fit
            None where new images have no tags and a refiner can do without.

        Returns
        -------
        ndarray of shape (n, c)
        """
        check_is_fitted(self, "svm_")
        X, tags = self._given(X, tags)
        check_same_length(X=X, tags=tags)
        Y = None
        if self._uses("tags"):
            Y = tags if self.refiner_ is None else self.refiner_.transform(X, tags)
        D = self.design_.rows(Y, X if self._uses("features") else None)
        scores = self.svm_.decision_function(D)
        return scores if Y is None else self.named_.add(scores, Y)

    def predict(
        self, X: Any, tags: Any = None, *, top: int | None = None, threshold: float = 0.0
    ) -> np.ndarray:
        """Give each image its concepts: those that score above `threshold`, or the `top` best.

        Returns
        -------
        ndarray of bool of shape (n, c)
        """
        return decide(self.decision_function(X, tags), top, threshold)

    def predict_proba(self, X: Any, tags: Any = None) -> np.ndarray:
        """Return the probability that each image shows each concept, shape (n, c)."""
        return self.probabilities(self.decision_function(X, tags))

    def probabilities(self, scores: np.ndarray) -> np.ndarray:
        """Return the probabilities that go with scores of `decision_function`, shape (n, c)."""
        return expit(self.slope_ * scores + self.offset_)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write what annotates new images to one safetensors file, at once or not at all."""
        check_is_fitted(self, "svm_")
        write_model(path, type(self).__name__, annotator_state(self))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> SocialImageAnnotator:
        """Read an annotator that :meth:`save` wrote; no code in the file is run."""
        return restored_annotator(cls, read_model(path, cls.__name__), str(path))

    def _names_of(self, tags: Any, given: Any) -> list[str] | None:
        """Return the names of the tags that are used, where they have any."""
        if self.vocabulary_ is not None and given is not None:
            raise InputError(NAMED_TWICE)
        words = given if self.vocabulary_ is None else self.vocabulary_.names
        if words is None or tags is None or not self._uses("tags"):
            return None
        return check_names("tag", words, tags.shape[1])

    def _weigh_names(self, svm: OneVsAllSVM, Y: Rows | None, flags: np.ndarray) -> None:
        """Choose what tags of the concepts' names add, and fit probabilities to the sum."""
        rows, scores = svm.held_out_rows_, svm.held_out_scores_
        self.named_ = NamedTags(*(np.empty(0, dtype=np.int64),) * 2, np.empty(0))
        if Y is not None and self.tag_names_ is not None:
            named = match_names(self.concept_names_, self.tag_names_, self.design_.tag_mean)
            self.named_, scores = choose_weight(named, scores, Y[rows], flags[rows])
        self.slope_, self.offset_ = fit_sigmoids(scores, flags[rows])

    def _uses(self, part: str) -> bool:
        return part in self.inputs.split("+")

    def _given(self, X: Any, tags: Any) -> tuple[Rows | None, Rows | None]:
        fitted = hasattr(self, "svm_")
        # Features stand in for tags that a new image does not have, once there is a refiner.
        optional = fitted and X is not None and self.refiner_ is not None
        needed = {"X": self._uses("features"), "tags": self._uses("tags") and not optional}
        for name, value in (("X", X), ("tags", tags)):
            if value is None and needed[name]:
                raise InputError(f"{name} is None; inputs={self.inputs!r} needs it")
        X = None if X is None else check_features(self, X, fitting=not fitted)
        unused = tags is None or not self._uses("tags")
        return X, None if unused else self._read_tags(tags, fitted)

    def _read_tags(self, tags: Any, fitted: bool) -> Any:
        tags = settled(tags)
        if not holds_words(tags):
            return read_matrix(in_order(tags, self.tag_names_ if fitted else None), self.n_tags_in_)
        if fitted:
            known = self.vocabulary_ or vocabulary_of(self.tag_names_)
            return read_words(tags, known, 0, None)[0]
        own = self.refiner if isinstance(self.refiner, TagRefiner) else TagRefiner()
        T, self.vocabulary_ = read_words(tags, None, own.n_tags, own.stop_tags)
        return T

    def _refined_apart(self, X: Rows | None, tags: Any) -> np.ndarray:
        """Refine each part of the training images by what was learned from the others."""
        if self.refiner is None:
            return tags
        report("refining")
        self.refiner_ = TagRefiner() if self.refiner == "default" else clone(self.refiner)
        if self.folds is None and _leaves_own_tags_out(self.refiner_):
            return self.refiner_.fit_transform(X, tags, tag_names=self.tag_names_)
        parts = FOLDS if self.folds is None else self.folds
        folds = divide(tags.shape[0], parts, np.random.default_rng(self.random_state), "folds")
        refined = np.empty(tags.shape, dtype=np.float32)
        for part in range(parts):
            report("refining", part / (parts + 1))
            own, others = np.flatnonzero(folds == part), np.flatnonzero(folds != part)
            fitted = self._fit(clone(self.refiner_), _take(X, others), tags[others])
            refined[own] = fitted.transform(_take(X, own), tags[own])
        self._fit(self.refiner_, X, tags)
        return refined

    def _fit(self, refiner: Any, X: Rows | None, tags: Any) -> Any:
        named = {"tag_names": self.tag_names_} if isinstance(refiner, TagRefiner) else {}
        return refiner.fit(X, tags, **named)


def _leaves_own_tags_out(refiner: Any) -> bool:
    return isinstance(refiner, TagRefiner) and refiner.preset == "robust"


def _take(X: Rows | None, rows: np.ndarray) -> np.ndarray | None:
    return None if X is None else X[rows]
