"""The estimator that repairs noisy tags."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from sapwood.errors import InputError
from sapwood.models.checks import draw_seed
from sapwood.models.files import read_model, write_model
from sapwood.models.limits import Number, require
from sapwood.models.state import forget_fitted
from sapwood.solvers import Rows
from sapwood.tags.checks import (
    check_features,
    check_names,
    check_same_length,
    require_variety,
    usual_names,
)
from sapwood.tags.decisions import TagDecisions, decide_tags, thresholds_of
from sapwood.tags.files import refiner_state, restored_refiner
from sapwood.tags.frames import in_order, names_of
from sapwood.tags.inputs import (
    NAMED_TWICE,
    Tags,
    holds_words,
    read_matrix,
    read_words,
    settled,
    vocabulary_of,
)
from sapwood.tags.parameters import resolve
from sapwood.tags.printed import learn_printed
from sapwood.tags.robust import learn_robust
from sapwood.tags.vocabulary import Vocabulary


class Refinement(Protocol):
    """What a preset learns."""

    @property
    def add_threshold(self) -> float | None:
        """The refined score from which on a tag is worth adding, where it is known."""

    def refine(self, X: Rows | None, T: Tags | None) -> np.ndarray:
        """Return the refined scores of images that were not fitted, shape (n, t)."""


Learner = Callable[[Rows | None, Tags, dict[str, Any]], tuple[Refinement, np.ndarray]]
LEARNERS: dict[str, Learner] = {"paper": learn_printed, "robust": learn_robust}


class TagRefiner(TransformerMixin, BaseEstimator):
    """Repairs noisy tags: scores every tag of every image, those given and those forgotten.

    The robust preset predicts the tags of each image from its features and from the tags of all
    *other* images, brings the predictions to a common scale, raises tags that are related to the
    ones given, and mixes the result with the tags given. Without features it goes by images with
    similar tags and by the company that tags keep.

    Parameters left at None are decided by the preset.

    Parameters
    ----------
    preset : {"robust", "paper"}
        "paper" is Algorithm 1 as printed, the tags in place of the attributes.
    graph : {"auto", "knn", "landmark"}
        How similar images are found: by exact neighbours, or through landmarks, whose cost grows
        with the images and not with their pairs. "auto" takes landmarks beyond 25,000 images.
    features : {"unit", "centered", "rooted", "whitened"}, optional
        Preprocessing of features; robust: "rooted", paper: "unit".
    sigma : float, optional
        Width of the Gaussian kernel (robust) or affinity (paper); 1. Paper, with landmarks: the
        mean squared distance to them.
    ridge : float, optional
        Of the kernel regression; robust: 3.
    landmarks : int, optional
        Images by which the kernel is represented; robust: 4096, beyond 25,000 images 2048.
        Paper: landmarks of ``graph="landmark"``, 1000.
    k_g : int, optional
        Neighbours of an image; robust: 20, paper: 300.
    relations : float, optional
        Strength with which related tags speak for each other; robust: 3. 0 leaves it out.
    doubt : float, optional
        Standard errors by which relations are lowered; robust: 2.
    own : float, optional
        Share of the tags given in the result, from 0 to 1; robust: 1/3, the voice of one among
        three.
    m, lambda1, lambda2, lambda3, lambda4, max_iter, tol : optional
        Paper: as in :class:`sapwood.SparseAttributePropagation`.
    n_tags : int
        For lists of words: the so many most frequent become the vocabulary.
    stop_tags : iterable of str, optional
        For lists of words: left out; by default words about cameras, sites and groups.
    random_state : int, RandomState or None
        Seeds the choice of landmarks (robust) and the eigensolver (paper).

    Attributes
    ----------
    tag_names_ : list of str
    n_tags_in_ : int
    n_features_in_ : int or None
        None where there were no features.
    graph_ : {"knn", "landmark"}
    drop_threshold_, add_threshold_ : float
        The refined scores at which :meth:`decide` drops and adds.
    relations_ : ndarray of shape (t, t)
        Robust, with features: how far a surprising tag (row) raises another (column).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.random((300, 3)) < 0.3
    >>> X = truth @ rng.random((3, 10)) + 0.05 * rng.random((300, 10))
    >>> tags = truth & (rng.random((300, 3)) < 0.6)
    >>> refined = TagRefiner().fit_transform(X, tags)
    >>> forgotten = truth & ~tags
    >>> bool(refined[forgotten].mean() > 5 * refined[~truth].mean())
    True
    """

    def __init__(
        self,
        preset: str = "robust",
        *,
        graph: str = "auto",
        features: str | None = None,
        sigma: float | None = None,
        ridge: float | None = None,
        landmarks: int | None = None,
        k_g: int | None = None,
        relations: float | None = None,
        doubt: float | None = None,
        own: float | None = None,
        m: int | None = None,
        lambda1: float | None = None,
        lambda2: float | None = None,
        lambda3: float | None = None,
        lambda4: float | None = None,
        max_iter: int | None = None,
        tol: float | None = None,
        n_tags: int = 1000,
        stop_tags: Any = None,
        random_state: Any = 0,
    ) -> None:
        self.preset = preset
        self.graph = graph
        self.features = features
        self.sigma = sigma
        self.ridge = ridge
        self.landmarks = landmarks
        self.k_g = k_g
        self.relations = relations
        self.doubt = doubt
        self.own = own
        self.m = m
        self.lambda1 = lambda1
        self.lambda2 = lambda2
        self.lambda3 = lambda3
        self.lambda4 = lambda4
        self.max_iter = max_iter
        self.tol = tol
        self.n_tags = n_tags
        self.stop_tags = stop_tags
        self.random_state = random_state

    def fit(self, X: Any, tags: Any = None, *, tag_names: Any = None) -> TagRefiner:
        """Learn from images with noisy tags.

        Parameters
        ----------
        X : array, memory-mapped array or None, of shape (n, d)
            Features, read a block of rows at a time; None where there are none, and the tags are
            to be compared by themselves.
        tags : array-like, sparse matrix or lists of str
            Shape (n, t): 0 and 1, or non-negative weights; or the words of each image.
        tag_names : sequence of str, optional
            Names of the columns of a matrix.
        """
        self.fit_transform(X, tags, tag_names=tag_names)
        return self

    def fit_transform(self, X: Any, tags: Any = None, *, tag_names: Any = None) -> np.ndarray:
        """Learn, and return the refined tags of the same images.

        What is predicted of an image here had no part of its own tags, so the result differs from
        ``fit(X, tags).transform(X, tags)``, which is meant for images that were not fitted.

        Parameters
        ----------
        X, tags, tag_names
            As in :meth:`fit`.

        Returns
        -------
        ndarray of shape (n, t)
            Y*: for the robust preset about the share of people who would write the tag.
        """
        require("n_tags", self.n_tags, Number(1, integer=True))
        forget_fitted(self)
        self._vocabulary: Vocabulary | None = None
        T = self._read(tags, fitting=True)
        self.n_tags_in_, self.n_features_in_ = T.shape[1], None
        rows = None if X is None else self._training_rows(X, T.shape[0])
        self.tag_names_ = check_names("tag", self._names_of(tags, tag_names), T.shape[1])
        settings = resolve(self.get_params(deep=False), T.shape[0])
        self.graph_ = settings["graph"]
        settings["seed"] = draw_seed(self.random_state)
        # A typical weight counts as a plain tag.
        self._unit = float(np.median(T.data))
        T.data /= self._unit
        self._refinement, Y = LEARNERS[self.preset](rows, T, settings)
        self.drop_threshold_, middle = thresholds_of(Y, T)
        known = self._refinement.add_threshold
        self.add_threshold_ = middle if known is None else known
        return Y

    def transform(self, X: Any, tags: Any = None) -> np.ndarray:
        """Refine the tags of images that were not fitted, or predict them where there are none.

        Parameters
        ----------
        X : array-like of shape (n, d) or None
            As in :meth:`fit`.
        tags : as in :meth:`fit`, optional
            Words that have no column are left out.

        Returns
        -------
        ndarray of shape (n, t)
        """
        check_is_fitted(self, "add_threshold_")
        T = None if tags is None else self._read(tags, fitting=False)
        if (X is None) != (self.n_features_in_ is None):
            told = "without" if self.n_features_in_ is None else "with"
            raise InputError(f"X is {'None' if X is None else 'given'}; fit was {told} features")
        if X is None and T is None:
            raise InputError("neither X nor tags is given; there is nothing to go by")
        rows = None if X is None else check_features(self, X, fitting=False)
        check_same_length(X=rows, tags=T)
        if T is not None:
            T.data /= self._unit
        return self._refinement.refine(rows, T)

    def decide(
        self,
        scores: np.ndarray,
        tags: Any,
        *,
        drop: float | None = None,
        add: float | None = None,
        most: int | None = None,
    ) -> TagDecisions:
        """Say which tags images keep, lose and gain.

        Parameters
        ----------
        scores : ndarray of shape (n, t)
            Refined scores of `tags`, from :meth:`fit_transform` or :meth:`transform`.
        tags : as in :meth:`fit`
        drop, add : float, optional
            A given tag that scores below `drop` goes, another that scores above `add` comes; by
            default ``drop_threshold_``, the lowest tenth of the tags given to fit, and
            ``add_threshold_``, at which half of all people would write it (paper: the middle one
            of the tags given to fit).
        most : int, optional
            Tags added to an image at most.

        Returns
        -------
        TagDecisions
        """
        check_is_fitted(self, "add_threshold_")
        if most is not None:
            require("most", most, Number(0, integer=True))
        drop = self.drop_threshold_ if drop is None else float(drop)
        add = self.add_threshold_ if add is None else float(add)
        return decide_tags(np.asarray(scores), self._read(tags, fitting=False), drop, add, most)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted refiner to one safetensors file, at once or not at all."""
        check_is_fitted(self, "add_threshold_")
        write_model(path, type(self).__name__, refiner_state(self))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> TagRefiner:
        """Read a refiner that :meth:`save` wrote; no code in the file is run."""
        return restored_refiner(cls, read_model(path, cls.__name__), str(path))

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the tags."""
        check_is_fitted(self, "add_threshold_")
        return np.asarray(self.tag_names_, dtype=object)

    @property
    def relations_(self) -> np.ndarray:
        """How far a surprising tag raises another, shape (t, t)."""
        check_is_fitted(self, "add_threshold_")
        if not hasattr(self._refinement, "relations"):
            raise AttributeError("only the robust preset, with features, relates tags")
        return self._refinement.relations

    def _read(self, tags: Any, *, fitting: bool) -> Tags:
        if tags is None:
            raise InputError("tags is None; give a matrix (images, tags) or lists of words")
        tags = settled(tags)
        if holds_words(tags):
            known = None if fitting else self._vocabulary or vocabulary_of(self.tag_names_)
            T, vocabulary = read_words(tags, known, self.n_tags, self.stop_tags)
            self._vocabulary = vocabulary if fitting else self._vocabulary
        elif fitting:
            T = read_matrix(tags)
        else:
            T = read_matrix(in_order(tags, self._named()), self.n_tags_in_)
        if fitting and not T.nnz:
            raise InputError("no image has a tag; at least one must be given")
        if fitting and T.shape[0] < 2:
            raise InputError("tags has 1 row; there is nothing to compare: give 2 images or more")
        return T

    def _training_rows(self, X: Any, n: int) -> Rows:
        rows = check_features(self, X, fitting=True)
        check_same_length(X=rows, tags=scipy.sparse.csr_array((n, 1)))
        require_variety(rows)
        return rows

    def _names_of(self, tags: Any, given: Any) -> Any:
        """Return what the columns are called: by the words, by the user or by the frame."""
        if self._vocabulary is None:
            return names_of(tags) if given is None else given
        if given is not None:
            raise InputError(NAMED_TWICE)
        return self._vocabulary.names

    def _named(self) -> list[str] | None:
        made_up = usual_names("tag", self.n_tags_in_)
        return None if self.tag_names_ == made_up else self.tag_names_
