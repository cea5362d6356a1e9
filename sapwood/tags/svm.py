"""One-vs-all linear SVMs for many labels at once, their settings chosen on images held out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import expit
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from sapwood.errors import InputError
from sapwood.metrics import decide_threshold, decide_top_k
from sapwood.models.limits import Number, require
from sapwood.solvers import (
    as_floats,
    fit_sigmoids,
    map_blocks,
    minimise_squared_hinge,
    rows_at_a_time,
)
from sapwood.tags.checks import check_features, check_flags
from sapwood.tags.settings import ScaledRows, choose_settings, signs_of


class OneVsAllSVM(BaseEstimator):
    """A linear SVM with squared hinge loss for each label, all of them fitted together.

    Parameters
    ----------
    C : float, array-like of shape (c,) or None
        Weight of the loss, the same for all labels or one for each; None takes the one with the
        highest mean average precision on images held out.
    cv : int
        Parts into which images are divided, to be held out in turn.
    tol : float
        Proven relative distance of each objective to its minimum.
    max_iter : int
        Newton steps.
    random_state : int
        Seeds the division.

    Attributes
    ----------
    coef_ : ndarray of shape (c, d)
    intercept_ : ndarray of shape (c,)
    C_ : float or ndarray of shape (c,)
    scale_ : ndarray of shape (d,)
        Factors of the columns of X under which C_ is to be understood.
    tried_ : list of dict
        Each setting tried on images held out: ``scale``, ``C``, ``mean_average_precision``.
    held_out_rows_ : ndarray of shape (h,)
        The images on which settings were chosen.
    held_out_scores_ : ndarray of shape (h, c)
        Their scores by classifiers that were not fitted to them.
    slope_, offset_ : ndarray of shape (c,)
        Of the sigmoids that make probabilities of scores, fitted on images held out.

    Examples
    --------
    >>> X = np.array([[2.0, 0.0], [3.0, 1.0], [-2.0, 1.0], [-3.0, 0.0]] * 5)
    >>> model = OneVsAllSVM(C=1.0).fit(X, X > 0)
    >>> model.predict([[5.0, 0.1]])
    array([[ True, False]])
    """

    def __init__(
        self,
        C: Any = None,
        *,
        cv: int = 3,
        tol: float = 1e-4,
        max_iter: int = 100,
        random_state: int = 0,
    ) -> None:
        self.C = C
        self.cv = cv
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: Any, Y: Any, *, scales: Sequence[np.ndarray] | None = None) -> OneVsAllSVM:
        """Fit a classifier for each column of Y.

        Parameters
        ----------
        X : array or Rows of shape (n, d)
            Read a block of rows at a time; float32 is worked on as float32.
        Y : array-like of shape (n, c)
            1 or True where the image has the label.
        scales : sequence of ndarray of shape (d,), optional
            Factors of the columns of X among which to choose, neighbours being alike.
        """
        X = check_features(self, X, fitting=True)
        flags = check_flags(Y, "Y", X.shape[0])
        scales = [np.ones(X.shape[1])] if scales is None else scales
        C = _checked(self.C, flags.shape[1])
        chosen = choose_settings(X, flags, scales, C, self.cv, self.random_state)
        self.C_, self.scale_, self.tried_ = chosen.C, scales[chosen.scale], chosen.tried
        self.held_out_rows_, self.held_out_scores_ = chosen.rows, chosen.scores
        self.slope_, self.offset_ = fit_sigmoids(chosen.scores, chosen.flags)
        # Rare labels may have a larger share of the images looked at than of all.
        self.offset_ = self.offset_ + _log_odds(flags) - _log_odds(chosen.flags)
        solved = minimise_squared_hinge(
            ScaledRows(X, self.scale_),
            signs_of(flags),
            self.C_,
            moment=chosen.moment,
            tol=self.tol,
            max_iter=self.max_iter,
        )
        solved.warn_unless_converged("the SVM", "raise max_iter, scale the features or lower C")
        self.coef_, self.intercept_ = solved.solution[:, :-1] * self.scale_, solved.solution[:, -1]
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Return how far each image is on the label's side, shape (n, c)."""
        check_is_fitted(self)
        X = check_features(self, X, fitting=False)
        weights = self.coef_.T.astype(as_floats(X[:1]).dtype)

        def score(rows: slice) -> np.ndarray:
            return as_floats(X[rows]) @ weights + self.intercept_

        return np.concatenate(list(map_blocks(score, X.shape[0], rows_at_a_time(X.shape[1]))))

    def predict(self, X: Any, *, top: int | None = None, threshold: float = 0.0) -> np.ndarray:
        """Give each image its labels.

        Parameters
        ----------
        X : array-like of shape (n, d)
        top : int, optional
            The so many labels with the highest scores, for every image.
        threshold : float
            Without `top`: the labels that score above it, be they many or none.

        Returns
        -------
        ndarray of bool of shape (n, c)
        """
        return decide(self.decision_function(X), top, threshold)

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the probability that each image has each label, shape (n, c)."""
        return self.probabilities(self.decision_function(X))

    def probabilities(self, scores: np.ndarray) -> np.ndarray:
        """Return the probabilities that go with scores of `decision_function`, shape (n, c)."""
        return expit(self.slope_ * scores + self.offset_)


def _log_odds(flags: np.ndarray) -> np.ndarray:
    """Return those of each label; one image more on either side, so that they are finite."""
    true = flags.sum(axis=0)
    return np.log((true + 1) / (len(flags) - true + 1))


def _checked(C: Any, c: int) -> Any:
    """Return C, unless it is no weight, or not one for each of c labels."""
    if C is None or np.ndim(C) == 0:
        if C is not None:
            require("C", C, Number(0, strict=True))
        return C
    try:
        weights = np.asarray(C, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"C has entries that are not numbers ({error})") from None
    if weights.shape != (c,) or not (np.isfinite(weights) & (weights > 0)).all():
        raise InputError(
            f"C has shape {weights.shape}, or entries that are not above 0; expected one number, "
            f"or {c}, one for each label, all above 0"
        )
    return weights


def decide(scores: np.ndarray, top: int | None, threshold: float) -> np.ndarray:
    """Return the `top` best of each row, or those above `threshold`, as booleans.

    Examples
    --------
    >>> decide(np.array([[-1.0, -2.0]]), None, 0.0), decide(np.array([[-1.0, -2.0]]), 1, 0.0)
    (array([[False, False]]), array([[ True, False]]))
    """
    return decide_threshold(scores, threshold) if top is None else decide_top_k(scores, top)
