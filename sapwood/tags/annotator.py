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
from sapwood.solvers import Rows
from sapwood.tags.annotator_files import annotator_state, restored_annotator
from sapwood.tags.apart import refine_apart
from sapwood.tags.checks import (
    check_concepts,
    check_decision,
    check_features,
    check_names,
    check_same_length,
)
from sapwood.tags.concepts import Concepts, Taught, learn_concepts
from sapwood.tags.design import dense
from sapwood.tags.frames import in_order, names_of
from sapwood.tags.inputs import (
    NAMED_TWICE,
    holds_words,
    read_matrix,
    read_words,
    settled,
    vocabulary_of,
)
from sapwood.tags.refiner import TagRefiner
from sapwood.tags.svm import OneVsAllSVM, decide
from sapwood.tags.vocabulary import Vocabulary

#: What the SVM is given.
INPUTS = ("tags+features", "tags", "features")
#: How much longer a row of tag scores may be than a row of features, among which to choose.
TAG_WEIGHTS = (0.25, 0.5, 1.0, 2.0, 4.0)


class SocialImageAnnotator(BaseEstimator):
    """Concepts of images from noisy tags and features: one-vs-all SVMs on ``[Y*, X]``.

    The tags are refined first. Refined tags of training images are made as those of new images
    will be, without their own tags' part in what is predicted: an SVM that learns from scores
    which had seen their own answer would trust them too much. What an SVM's score means is learned
    on training images held out; where concepts are called as tags are, those tags' scores have a
    say in it, in the same way for all of them. Images whose concepts nobody knows may be given,
    too: their tags help to refine those of others.

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
        The tags that are called as concepts are, and what they say of them.
    threshold_ : float
        The log-odds from which on a concept is given: one for all, at which F1, from the means of
        precision and recall over concepts, is highest on training images held out, of those at
        which these are given no more than twice as many concepts as they show.
    design_ : Design
        How tag scores and features become what the SVM is given.
    vocabulary_ : Vocabulary or None
        The words that have a column, where tags were given as words.
    concept_names_ : list of str
    tag_names_ : list of str or None
    unannotated_scores_ : ndarray of shape (u, c)
        Scores of the images that were given to fit without concepts, in their order, made as those
        of annotated images were, without their own tags' part in what is predicted;
        `decision_function` is for images that were not given to fit. They are not saved.

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
            1,000 most frequent are kept, those of annotated images first.
        concepts : array-like of shape (n, c)
            What the images show, 0 and 1; -1 (or NaN) throughout for an image that nobody has
            annotated.
        concept_names, tag_names : sequence of str, optional
            Names of the columns; tags that are given as words have theirs. A concept and a tag of
            the same name are taken to mean the same.
        """
        forget_fitted(self)
        self.refiner_: Any = None
        self.vocabulary_: Vocabulary | None = None
        self._check_parameters()
        self.n_features_in_ = self.n_tags_in_ = None
        framed = names_of(tags) if tag_names is None else tag_names
        concept_names = names_of(concepts) if concept_names is None else concept_names
        n, known, flags = check_concepts(concepts, self.cv)
        X, tags = self._given(X, tags, known)
        if n != (images := check_same_length(X=X, tags=tags)):
            raise InputError(f"concepts has {n} rows; expected {images}, one for each image")
        self.concept_names_ = check_names("concept", concept_names, flags.shape[1])
        self.tag_names_ = self._names_of(tags, framed)
        self.n_tags_in_ = None if tags is None else tags.shape[1]
        Y = self._refined(X, tags) if self._uses("tags") else None
        seen = X if self._uses("features") else None
        names = self.concept_names_, self.tag_names_
        self._learn(Taught(_rows(Y, known), _rows(seen, known), flags, *names))
        others = np.setdiff1d(np.arange(n), known)
        self.unannotated_scores_ = np.empty((0, flags.shape[1]))
        if len(others):
            self.unannotated_scores_ = self._scores(_rows(Y, others), _rows(seen, others))
        return self

    def decision_function(self, X: Any, tags: Any = None) -> np.ndarray:
        """Return how far each image is on each concept's side: log-odds less `threshold_`.

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
            Y = tags if self.refiner_ is None else dense(self.refiner_.transform(X, tags))
        return self._scores(Y, X if self._uses("features") else None)

    def predict(
        self, X: Any, tags: Any = None, *, top: int | None = None, threshold: float | None = None
    ) -> np.ndarray:
        """Give each image its concepts; see :meth:`decide`."""
        return self.decide(self.decision_function(X, tags), top=top, threshold=threshold)

    def decide(
        self, scores: np.ndarray, *, top: int | None = None, threshold: float | None = None
    ) -> np.ndarray:
        """Return which concepts images with scores of `decision_function` are given.

        Parameters
        ----------
        scores : ndarray of shape (n, c)
        top : int, optional
            The so many best ones of every image.
        threshold : float, optional
            Without `top`: those that are more probable than this, above 0 and below 1. By default
            those that score above 0, as did best on training images held out.

        Returns
        -------
        ndarray of bool of shape (n, c)
        """
        check_is_fitted(self, "svm_")
        check_decision(top, threshold)
        if threshold is None:
            return decide(scores, top, 0.0)
        return decide(self.probabilities(scores), None, threshold)

    def predict_proba(self, X: Any, tags: Any = None) -> np.ndarray:
        """Return the probability that each image shows each concept, shape (n, c)."""
        return self.probabilities(self.decision_function(X, tags))

    def probabilities(self, scores: np.ndarray) -> np.ndarray:
        """Return the probabilities that go with scores of `decision_function`, shape (n, c)."""
        check_is_fitted(self, "svm_")
        return expit(scores + self.threshold_)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write what annotates new images to one safetensors file, at once or not at all."""
        check_is_fitted(self, "svm_")
        write_model(path, type(self).__name__, annotator_state(self))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> SocialImageAnnotator:
        """Read an annotator that :meth:`save` wrote; no code in the file is run."""
        return restored_annotator(cls, read_model(path, cls.__name__), str(path))

    def _check_parameters(self) -> None:
        one_of("inputs", self.inputs, INPUTS)
        one_of("features", self.features, tuple(FEATURE_MAPS))
        if isinstance(self.refiner, str):
            one_of("refiner", self.refiner, ("default",))
        if self.tag_weight is not None:
            require("tag_weight", self.tag_weight, Number(0))

    def _names_of(self, tags: Any, given: Any) -> list[str] | None:
        """Return the names of the tags that are used, where they have any."""
        if self.vocabulary_ is not None and given is not None:
            raise InputError(NAMED_TWICE)
        words = given if self.vocabulary_ is None else self.vocabulary_.names
        if words is None or tags is None or not self._uses("tags"):
            return None
        return check_names("tag", words, tags.shape[1])

    def _refined(self, X: Rows | None, tags: Any) -> Any:
        if self.refiner is None:
            return tags
        self.refiner_ = TagRefiner() if self.refiner == "default" else clone(self.refiner)
        names, seed = self.tag_names_, self.random_state
        return refine_apart(self.refiner_, X, tags, names, self.folds, seed)

    def _learn(self, taught: Taught) -> None:
        weights = TAG_WEIGHTS if self.tag_weight is None else (float(self.tag_weight),)
        if self.inputs != "tags+features":
            weights = (1.0,)
        svm = OneVsAllSVM(self.C, cv=self.cv, random_state=self.random_state)
        found = learn_concepts(taught, svm, self.features, weights)
        self.design_, self.named_, self.threshold_ = found.design, found.named, found.threshold
        self.C_, self.tag_weight_ = svm.C_, float(svm.scale_[0])
        self.svm_ = svm

    def _scores(self, Y: Rows | None, X: Rows | None) -> np.ndarray:
        return Concepts(self.design_, self.svm_, self.named_, self.threshold_).scores(Y, X)

    def _uses(self, part: str) -> bool:
        return part in self.inputs.split("+")

    def _given(
        self, X: Any, tags: Any, annotated: np.ndarray | None = None
    ) -> tuple[Rows | None, Rows | None]:
        """Read features and tags, to fit where the `annotated` rows are told."""
        fitted = annotated is None
        if fitted and X is not None and self.n_features_in_ is None:
            raise InputError("X is given; fit was without features: leave it out")
        # Features stand in for tags that a new image does not have, once there is a refiner.
        optional = fitted and X is not None and self.refiner_ is not None
        needed = {"X": self._uses("features"), "tags": self._uses("tags") and not optional}
        for name, value in (("X", X), ("tags", tags)):
            if value is None and needed[name]:
                raise InputError(f"{name} is None; inputs={self.inputs!r} needs it")
        X = None if X is None else check_features(self, X, fitting=not fitted)
        unused = tags is None or not self._uses("tags")
        return X, None if unused else self._read_tags(tags, annotated)

    def _read_tags(self, tags: Any, annotated: np.ndarray | None) -> Any:
        tags, fitted = settled(tags), annotated is None
        if not holds_words(tags):
            return read_matrix(in_order(tags, self.tag_names_ if fitted else None), self.n_tags_in_)
        if fitted:
            known = self.vocabulary_ or vocabulary_of(self.tag_names_)
            return read_words(tags, known, 0, None)[0]
        own = self.refiner if isinstance(self.refiner, TagRefiner) else TagRefiner()
        T, self.vocabulary_ = read_words(tags, None, own.n_tags, own.stop_tags, annotated)
        return T


def _rows(given: Any, rows: np.ndarray) -> Any:
    """Return some rows of what may be None; all of them are not copied."""
    return given if given is None or len(rows) == given.shape[0] else given[rows]
