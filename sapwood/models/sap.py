"""The estimator: sparse attribute propagation and bidirectional projection learning."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import TransformerMixin
from sklearn.utils.validation import check_is_fitted

from sapwood.errors import InputError
from sapwood.models.annotations import read_annotations
from sapwood.models.base import ZeroShotClassifier
from sapwood.models.candidates import Candidates
from sapwood.models.checks import (
    check_features,
    check_training_features,
    check_weights,
    draw_seed,
)
from sapwood.models.comparison import compared_scores, remoteness
from sapwood.models.learn_paper import learn_printed
from sapwood.models.learn_robust import learn_robust
from sapwood.models.memory import estimate_bytes, require_memory
from sapwood.models.parameters import graph_for, resolve
from sapwood.models.parts import REASONS
from sapwood.models.restored import require_propagation
from sapwood.models.state import forget_fitted
from sapwood.projection import Bounds, proposition_bounds

LEARNERS = {"paper": learn_printed, "robust": learn_robust}


class SparseAttributePropagation(TransformerMixin, ZeroShotClassifier):
    """Zero-shot classifier for few annotations: SAP and BPL.

    A few annotated images a seen class, many unannotated ones and an attribute vector for every
    class, also for those without any image, are enough to name images of unseen classes.

    Parameters left at None are decided by the preset and kept after fit with a trailing
    underscore (``k_g_``, ``lambda1_`` ...).

    Parameters
    ----------
    preset : {"robust", "paper"}
        "robust" is free of scale and holds the annotated images' attributes; "paper" is Algorithm
        1 as printed.
    features : {"raw", "unit", "centered", "rooted", "whitened"}, optional
        Preprocessing of features; robust: "whitened", paper: "unit".
    attribute_map : {"auto", "raw", "l1", "l2", "powered", "kernel", ...}, optional
        Coordinates of classes, by one of the names of `sapwood.features.ATTRIBUTE_MAPS`; paper:
        "l1". Robust: "auto": those among four kernels in which annotated images of seen classes
        held out are named best.
    attribute_freedom : float or "auto", optional
        How far attributes may differ in what they count in these kernels, from 0, not at all.
        Robust: "auto": 0, or 5 where annotated images of seen classes held out are named better so.
        See `attribute_weights_`.
    graph : {"auto", "knn", "landmark"}, optional
        Ties of images to their nearest neighbours, or to the nearest of 1,000 landmarks (Chen &
        Cai 2011), which costs less where there are very many; "auto" takes landmarks for more than
        50,000 images.
    k_g : int, optional
        Neighbours of an image in the graph; robust: 10, paper: 300. Landmarks do without.
    sigma : float, "mean" or "local", optional
        Width of the Gaussian affinity; 1.
    symmetrize : {"max", "mean", "mutual"}, optional
        How the two directions of an edge become one; "max".
    m : int, optional
        Eigenvectors kept; paper: 50.
    lambda1 : float, optional
        Weight of smoothness over the graph; robust: 1, paper: 0.01.
    lambda2 : float, optional
        Weight of the L1 distance to the given attributes; paper: 1e-4.
    lambda3 : float, optional
        Weight of the projection in propagation; robust: 0.1, paper: 1e-6.
    lambda4 : float, optional
        Ridge of the projection; robust: 0.08, in units of the attributes' mean square, paper: 0.01.
        With ``attribute_map="auto"`` half of it and twice as much are tried, too.
    beta : float, optional
        Weight of features → attributes against attributes → features; robust: 0.
    sharpness : float, optional
        Power to which class posteriors are raised; robust: 2.
    penalty : {"double-l1", "single-l1", "no-l1"}, optional
        The propagation model of the paper; "double-l1".
    steps : {"bpl", "sap1+bpl", "sap1+sap2+bpl"}, optional
        Which steps are run; all. "bpl" propagates nothing: the robust preset then learns from the
        annotated images alone, and in the paper's the others have no attributes.
    metric : {"euclidean", "cosine"}, optional
        How an image is compared with a projected class; "euclidean".
    error_whitening : float, optional
        How far directions in which classes not learned from project to the wrong place count less
        there, from 0, not at all, to below 1; robust: 0.15. See `comparison_`.
    remoteness : float, optional
        What is added to the score of a class, in units of the squared distance (or of one less the
        cosine) at which it projects from the nearest seen one: the further away, the less is known
        of where its images lie. From 0, nothing, to below 1; robust: 0.1.
    max_iter : int, optional
        Rounds of propagation and projection; robust: 4, paper: 5.
    unlabelled : {"auto", "all", "near", "ignore"}, optional
        Which unannotated images take part; robust: "auto". "near" takes those that are very near
        to an annotated image, with little weight and without a say in the propagation's later
        rounds; "auto" takes all if that helps to name annotated images of seen classes that play
        unseen ones (see `usefulness_`), or does no harm and they are like the annotated ones (see
        `strangeness_`), and if not, "near", or none where features tell too little to pick some
        (see `information_`). The paper takes all.
    tol : float, optional
        Relative change of W and of the objective at which it stops; paper: 1e-3.
    memory_limit : float, optional
        GB a fit may take; by default what the system has available.
    random_state : int, RandomState or None
        Seeds the start vector of the eigensolver (paper) and the division of annotations by which
        `information_` is found (robust).

    Attributes
    ----------
    classes_ : ndarray of shape (classes,)
        What `predict` answers for each row of the attribute matrix.
    seen_ : ndarray
        Rows of the attribute matrix that were annotated.
    class_attributes_ : ndarray of shape (classes, k)
    class_names_, attribute_names_ : list of str, or None
    attributes_ : ndarray of shape (n, k)
        Propagated attributes of the training images, in the units given.
    confidence_ : ndarray of shape (n,)
        How sure they are, 0 to 1. Robust: the largest class posterior; paper: the cosine to the
        nearest seen class.
    projection_ : ndarray of shape (q, d)
        W: the q coordinates of `attribute_map_` to mapped features.
    comparison_ : ndarray of shape (d, d) or (0, 0)
        By what mapped features and projected classes are multiplied before they are compared.
        Robust: found on seen classes held out. (0, 0) for nothing: where these are fewer than 12,
        have too few images or are all equally unlike, with `beta`, and in the paper's preset;
        ``error_whitening_`` is then 0.
    forward_, offset_ : ndarray of shape (k, d) and (k,)
        Mapped features to attributes in the units given.
    feature_map_ : FeatureMap
    attribute_map_ : AttributeMap
    coordinates_ : str
        Its name: what was given, or what was chosen; ``lambda4_`` was chosen with it.
    attribute_weights_ : ndarray of shape (k,)
        How much each attribute counts between classes. Robust: as far as it helps to tell where the
        images of a seen class lie from those of the others. All 1 where annotated images of classes
        held out are not named better so, where classes are fewer than 12 or all equally unlike,
        without a kernel, with `beta`, and in the paper's preset; ``attribute_freedom_`` is then 0.
    information_ : float or None
        Robust: how much of withheld annotations the projection tells, from 0 to 1; it votes in the
        propagation only where this is a third or more. None where nobody asked.
    usefulness_ : float or None
        Robust: how far unannotated images help to name annotated images of seen classes held out,
        in standard errors. All of them take part only where this is 2 or more, or 0 or more and
        they are like the annotated ones. None where nobody asked.
    strangeness_ : float or None
        Robust: how far the distances of unannotated images to annotated ones differ from those of
        other annotated images, from 0 to 1. Up to 0.1 they count as alike, unless features tell
        too little (see `information_`). None where nobody asked, or many classes have one
        annotated image.
    weights_ : ndarray of shape (n,)
        What each training image counted in the projection; 0 if it was not used.
    reasons_ : ndarray of shape (n,)
        Why: a sentence for each training image.
    seen_bias_ : float
        What `predict` takes from the scores of seen classes where unseen ones are candidates, too.
        Robust: found on seen classes that play unseen ones; paper: 0.
    trace_ : list of dict
        Paper: objective (Eq. 3), SAP-II residual and change of W for each iteration, after a row
        for the start. Robust: steps and residual of each propagation.
    n_iter_ : int
    temperature_, unseen_temperature_ : float
        Of the softmax in `predict_proba`, among seen classes, and where an unseen one is among the
        candidates. The first was found on annotated images that the projection was not learned
        from (paper, and where no class has two: on those it was), the second on those of seen
        classes that play unseen ones (paper: the same).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> Z = np.array([[1.0, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1], [1, 1, 0, 0]])
    >>> labels = rng.integers(0, 4, 200)
    >>> X = Z[labels] @ rng.random((4, 30)) + 0.05 * rng.random((200, 30))
    >>> y = np.where((labels < 3) & (np.arange(200) < 30), labels, -1)[labels < 3]
    >>> model = SparseAttributePropagation().fit(X[labels < 3], y, class_attributes=Z)
    >>> model.predict(X[labels == 3][:5], classes=[3, 0])
    array([3, 3, 3, 3, 3])
    """

    def __init__(
        self,
        preset: str = "robust",
        *,
        features: str | None = None,
        attribute_map: str | None = None,
        attribute_freedom: float | str | None = None,
        graph: str | None = None,
        k_g: int | None = None,
        sigma: float | str | None = None,
        symmetrize: str | None = None,
        m: int | None = None,
        lambda1: float | None = None,
        lambda2: float | None = None,
        lambda3: float | None = None,
        lambda4: float | None = None,
        beta: float | None = None,
        sharpness: float | None = None,
        penalty: str | None = None,
        steps: str | None = None,
        metric: str | None = None,
        error_whitening: float | None = None,
        remoteness: float | None = None,
        max_iter: int | None = None,
        tol: float | None = None,
        unlabelled: str | None = None,
        memory_limit: float | None = None,
        random_state: Any = 0,
    ) -> None:
        self.preset = preset
        self.features = features
        self.attribute_map = attribute_map
        self.attribute_freedom = attribute_freedom
        self.graph = graph
        self.k_g = k_g
        self.sigma = sigma
        self.symmetrize = symmetrize
        self.m = m
        self.lambda1 = lambda1
        self.lambda2 = lambda2
        self.lambda3 = lambda3
        self.lambda4 = lambda4
        self.beta = beta
        self.sharpness = sharpness
        self.penalty = penalty
        self.steps = steps
        self.metric = metric
        self.error_whitening = error_whitening
        self.remoteness = remoteness
        self.max_iter = max_iter
        self.tol = tol
        self.unlabelled = unlabelled
        self.memory_limit = memory_limit
        self.random_state = random_state

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        class_attributes: Any = None,
        class_names: Any = None,
        attribute_names: Any = None,
        sample_weight: Any = None,
    ) -> SparseAttributePropagation:
        """Propagate annotations over all training images and learn the projection.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n, d)
            Features of annotated and unannotated training images.
        y : array-like of shape (n,) or (n, k)
            Row of `class_attributes`, or class name, for each image; -1, NaN, None or "" where it
            is unannotated. Or attribute vectors, all NaN where unannotated: each distinct vector
            is then a class of its own.
        class_attributes : array-like or DataFrame of shape (classes, k), optional
            Seen classes are those that occur in `y`. Missing values (NaN) are filled with the
            attribute's mean. By default classes are their own attributes (one-hot).
        class_names, attribute_names : sequence of str, optional
            Names of the rows and columns of `class_attributes`; a DataFrame brings its own.
        sample_weight : array-like of shape (n,), optional
            Weight of an annotated image's vote and of every image in the projection.

        Notes
        -----
        scikit-learn's cross-validation cuts every argument that is as long as X into folds. If
        there are exactly as many classes as images, give `class_attributes` one class more.

        Returns
        -------
        SparseAttributePropagation
        """
        forget_fitted(self)
        X = check_training_features(self, X, y, sample_weight)
        known = read_annotations(y, len(X), class_attributes, class_names, attribute_names)
        weight = check_weights(sample_weight, known.codes)
        known = known.voting(weight)
        settings = resolve(self.get_params(deep=False), len(X))
        needed = estimate_bytes(X.shape, known.Z.shape[1], len(known.seen), settings)
        require_memory(needed, self.memory_limit, X.shape)
        self._remember(known)
        graph = graph_for(settings["graph"], len(X))
        self._keep({"preset": self.preset, **settings, "graph": graph})
        settings["seed"] = draw_seed(self.random_state)
        self._keep(vars(LEARNERS[self.preset](X, known, weight, settings)))
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Project features to attributes, in the units of the attributes given to fit.

        Parameters
        ----------
        X : array-like of shape (n, d)

        Returns
        -------
        ndarray of shape (n, k)
        """
        check_is_fitted(self)
        X = check_features(self, X, reset=False)
        return self.feature_map_.transform(X) @ self.forward_.T + self.offset_

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the attributes `transform` gives."""
        check_is_fitted(self)
        k = self.class_attributes_.shape[1]
        names = self.attribute_names_ or [f"attribute{j}" for j in range(k)]
        return np.asarray(names, dtype=object)

    @property
    def attribute_weights_(self) -> np.ndarray:
        """How much each attribute counts between classes, shape (k,)."""
        check_is_fitted(self)
        return self.attribute_map_.weights_

    @property
    def reasons_(self) -> np.ndarray:
        """Why each training image counts as it does: a sentence for each, shape (n,)."""
        check_is_fitted(self)
        return np.array(REASONS)[self.reason_codes_]

    def bounds(self) -> Bounds:
        """Return Proposition 1's constants; their method gives Proposition 2's bound.

        For the paper preset they bound ‖Y*‖ and ‖W*‖. The objective never rises, so λ2 ‖Y* -
        Y^(s)‖₁ is at most its value at Ỹ = 0, W = 0, which only depends on the data: M = ((1 + λ3)
        ‖Y^(s)‖² + λ3 ‖X‖²) / λ2. For the robust preset they hold in the units in which the
        projection is learned, where the weighted coordinates of attributes have norm √q and the
        features √d.
        """
        check_is_fitted(self)
        if not np.isfinite(self.attribute_bound_):
            raise InputError(
                "Proposition 1 bounds ‖Y - Y^(s)‖₁ by 1/λ2; it needs lambda2 above 0 and a penalty "
                "with that term, not penalty='no-l1'"
            )
        beta = 1.0 if self.preset_ == "paper" else self.beta_
        return proposition_bounds(self.attribute_bound_, self.feature_norm_, self.lambda4_, beta)

    def _check_restored(self, source: str) -> None:
        super()._check_restored(source)
        require_propagation(self, source)

    def _keep(self, values: dict[str, Any]) -> None:
        for name, value in values.items():
            setattr(self, f"{name}_", value)

    def _score(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        mapped = self.feature_map_.transform(X)
        return compared_scores(mapped, self._prototypes(Z), self.comparison_, self.metric_)

    def _prototypes(self, Z: np.ndarray) -> np.ndarray:
        return self.attribute_map_.transform(Z) @ self.projection_

    def _favour(self, candidates: Candidates) -> np.ndarray:
        favour, new = super()._favour(candidates), ~candidates.seen
        if self.remoteness_ and new.any():
            taught = self._prototypes(self.class_attributes_[self.seen_])
            places = self._prototypes(candidates.Z[new])
            far = remoteness(places, taught, self.comparison_, self.metric_)
            favour[new] += self.remoteness_ * far
        return favour
