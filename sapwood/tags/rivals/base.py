"""What all annotators of the comparison share: inputs, decisions and how they are taught."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from sapwood.errors import InputError
from sapwood.features import FEATURE_MAPS
from sapwood.models.limits import Choice, Limit, Number, require
from sapwood.tags.checks import check_flags, check_rows, check_same_length
from sapwood.tags.design import fit_design
from sapwood.tags.inputs import holds_words, read_matrix
from sapwood.tags.rivals.training import Net, Pictures, import_torch, score, teach
from sapwood.tags.svm import decide
from sapwood.tags.threshold import best_threshold

#: What the parameters may be; those that a method does not have are left out.
LIMITS: dict[str, Limit] = {
    "rate": Number(0, strict=True),
    "units": Number(0, integer=True),
    "dropout": Number(0, below=1),
    "epochs": Number(1, integer=True),
    "inputs": Choice(("features", "tags+features")),
    "tag_weight": Number(0),
    "features": Choice(tuple(FEATURE_MAPS)),
    "nearest": Number(1, integer=True),
    "neighbours": Number(1, integer=True),
    "embedding": Number(1, integer=True),
    "beam": Number(1, integer=True),
}
#: Images, their tags and their concepts.
Known = tuple[Any, Any, Any]


class TagRival(BaseEstimator):
    """An annotator that is a small network over fixed features.

    Teaching and scoring need torch, the extra ``deep``, and take the GPU that torch
    finds.

    Parameters
    ----------
    rate : float
        Adam's learning rate; entries of the inputs are of the order of 1.
    units : int
        Hidden units.
    dropout : float
        Share of the inputs of each layer that are left out while it is taught.
    epochs : int
        At most.
    inputs : {"features", "tags+features"}
        What the network looks at: features, as its authors have it, or tags beside them.
    tag_weight : float
        Length of a row of tags in units of that of a row of features.
    features : {"raw", "unit", "centered", "rooted", "whitened"}
        Preprocessing of features.
    threshold : float, optional
        Taken off the scores. By default 0, or where a method's own zero means nothing, what gives
        the highest C-F1 on the validation images (the training images where there are none).
    random_state : int
        Draws the first weights, the mini-batches and whatever else is drawn.

    Attributes
    ----------
    net_ : dict of ndarray
        Weights by name.
    epochs_ : int
        After which the network was kept.
    validation_ : ndarray
        Mean average precision of the images held out after each epoch.
    threshold_ : float
    """

    #: Whether scores above 0 are the method's own decision.
    decides: ClassVar[bool] = True
    #: Settings that a benchmark chooses among.
    grid: ClassVar[list[dict[str, Any]]] = []

    def __init__(
        self,
        *,
        rate: float = 3e-4,
        units: int = 512,
        dropout: float = 0.5,
        epochs: int = 60,
        inputs: str = "features",
        tag_weight: float = 0.5,
        features: str = "rooted",
        threshold: float | None = None,
        random_state: int = 0,
    ) -> None:
        self.rate = rate
        self.units = units
        self.dropout = dropout
        self.epochs = epochs
        self.inputs = inputs
        self.tag_weight = tag_weight
        self.features = features
        self.threshold = threshold
        self.random_state = random_state

    def fit(self, X: Any, tags: Any, concepts: Any, *, validation: Known | None = None) -> TagRival:
        """Teach the network.

        Parameters
        ----------
        X : array of shape (n, d)
            Features.
        tags : array-like or sparse array of shape (n, t), or None
            What users wrote; methods that look at features alone do without.
        concepts : array-like of shape (n, c)
            What the images show, 0 and 1.
        validation : tuple of X, tags and concepts, optional
            Other images: the network is kept as it was when it ranked these best.
        """
        import_torch()
        for name, value in self.get_params().items():
            if name in LIMITS:
                require(name, value, LIMITS[name])
        X, T = self._read(X, tags)
        flags = check_flags(concepts, "concepts", X.shape[0])
        self.design_ = fit_design(T if self._sees_tags() else None, X, self.features)
        self.n_features_in_, self.n_tags_in_ = X.shape[1], None if T is None else T.shape[1]
        self.n_concepts_ = flags.shape[1]
        given = self.prepare(self._pictures(X, T, flags), fitting=True)
        held = None if validation is None else self._held(*validation)
        rng = np.random.default_rng(self.random_state)
        first = self.new_net(given, rng)
        taught = teach(self, first, given, held, rate=self.rate, epochs=self.epochs, rng=rng)
        self.net_, self.epochs_, self.validation_ = taught
        self.threshold_ = self._threshold(given if held is None else held)
        return self

    def decision_function(self, X: Any, tags: Any = None) -> np.ndarray:
        """Return how far each image is on each concept's side, shape (n, c).

        Parameters
        ----------
        X : array-like of shape (n, d)
        tags : as in fit
        """
        check_is_fitted(self, "net_")
        given = self.prepare(self._pictures(*self._read(X, tags, fitted=True)), fitting=False)
        return score(self, self.net_, given) - self.threshold_

    def predict(self, X: Any, tags: Any = None, *, top: int | None = None) -> np.ndarray:
        """Give each image its concepts: those that score above 0, or the `top` best.

        Returns
        -------
        ndarray of bool of shape (n, c)
        """
        return decide(self.decision_function(X, tags), top, 0.0)

    def new_net(self, given: Pictures, rng: np.random.Generator) -> Net:
        """Draw the first weights."""
        raise NotImplementedError

    def loss(self, net: Net, given: Pictures, rng: np.random.Generator) -> Any:
        """Return the loss of a mini-batch, a tensor with one entry."""
        raise NotImplementedError

    def scores(self, net: Net, given: Pictures) -> Any:
        """Return how well concepts go with images, a tensor of shape (n, c)."""
        raise NotImplementedError

    def prepare(self, given: Pictures, fitting: bool) -> Pictures:
        """Add what a method needs besides; nothing by default."""
        return given

    def _threshold(self, known: Pictures) -> float:
        if self.threshold is not None:
            return self.threshold
        if self.decides:
            return 0.0
        return best_threshold(known.Y > 0, score(self, self.net_, known))

    def _needs_tags(self) -> bool:
        return self._sees_tags()

    def _sees_tags(self) -> bool:
        return self.inputs == "tags+features"

    def _read(self, X: Any, tags: Any, fitted: bool = False) -> tuple[Any, Any]:
        d, t = (self.n_features_in_, self.n_tags_in_) if fitted else (None, None)
        if X is None:
            raise InputError(f"X is None; {type(self).__name__} needs features of the images")
        if tags is None and self._needs_tags():
            raise InputError(f"tags is None; {type(self).__name__} needs tags of the images")
        if holds_words(tags):
            raise InputError(f"tags are words; {type(self).__name__} needs a matrix (images, tags)")
        X = check_rows(X, "X", columns=d)
        T = read_matrix(tags, t) if tags is not None and self._needs_tags() else None
        check_same_length(X=X, tags=T)
        return X, T

    def _held(self, X: Any, tags: Any, concepts: Any) -> Pictures:
        X, T = self._read(X, tags, fitted=True)
        flags = check_flags(concepts, "concepts of validation", X.shape[0])
        return self.prepare(self._pictures(X, T, flags), fitting=False)

    def _pictures(self, X: Any, T: Any, flags: np.ndarray | None = None) -> Pictures:
        D = self.design_.rows(T if self._sees_tags() else None, X)
        # Rows of unit length become rows whose entries are of the order of 1.
        factors = np.sqrt(X.shape[1]) * self.design_.weighted(self.tag_weight, D.shape[1])
        D *= factors.astype(np.float32)
        Y = np.zeros((len(D), self.n_concepts_)) if flags is None else flags
        tags = np.zeros((len(D), 0)) if T is None else T.toarray()
        near = np.zeros((len(D), 0), dtype=np.int64)
        return Pictures(D, tags.astype(np.float32), Y.astype(np.float32), near, D[:0])
