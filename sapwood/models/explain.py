"""Which attributes decided between the two best classes of an image."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sapwood.errors import InputError
from sapwood.features import AttributeMap, unit_rows
from sapwood.models.candidates import Candidates
from sapwood.models.comparison import PLAIN, compared
from sapwood.models.explanation import Explanation
from sapwood.models.limits import Number, require

#: Images explained at once.
CHUNK = 4096
#: Points of the Gauss-Legendre rule on the way from one class to the other. The cosine turns fast
#: where a prototype on the way is short.
POINTS = {"euclidean": 24, "dot": 24, "cosine": 96}


def explain_scores(
    model: Any, X: Any, candidates: Candidates, scores: np.ndarray, top: int
) -> Explanation:
    """Split the lead of each image's best candidate over the second.

    Parameters
    ----------
    model : ZeroShotClassifier
        Fitted.
    X : array-like of shape (n, d)
    candidates : Candidates
    scores : ndarray of shape (n, candidates)
        Of these images, with what candidates have whatever these show.
    top : int
        Attributes to name in texts.
    """
    require("top", top, Number(1, integer=True))
    if len(candidates.Z) < 2:
        raise InputError("explain compares two classes; give at least two candidates, not one")
    order = np.argsort(-scores, axis=1, kind="stable")
    winner, second = order[:, 0], order[:, 1]
    rows, labels = np.arange(len(scores)), candidates.labels
    favour = model._favour(candidates)
    return Explanation(
        winner=labels[winner],
        runner_up=labels[second],
        lead=scores[rows, winner] - scores[rows, second],
        parts=_parts(model, np.asarray(X, dtype=float), winner, second, candidates.Z),
        bias=favour[winner] - favour[second],
        attribute_names=_attribute_names(model),
        shown=int(top),
        class_names=dict(zip(labels.tolist(), candidates.names, strict=True)),
    )


def _parts(
    model: Any, X: np.ndarray, winner: np.ndarray, second: np.ndarray, Z: np.ndarray
) -> np.ndarray:
    cuts = [slice(start, start + CHUNK) for start in range(0, len(X), CHUNK)]
    return np.concatenate([lead_by_attribute(model, X[c], winner[c], second[c], Z) for c in cuts])


def _attribute_names(model: Any) -> list[str]:
    k = model.class_attributes_.shape[1]
    return model.attribute_names_ or [f"attribute {j}" for j in range(k)]


def lead_by_attribute(
    model: Any, X: Any, winner: Any, rival: Any, class_attributes: np.ndarray | None = None
) -> np.ndarray:
    """Split the lead of one class over another into a share for each attribute.

    The score ``s(z)`` of an image x, such as ``−‖x − φ(z) W‖²`` (x and W as the model compares
    them, see ``comparison_``), is followed along the straight
    line from the rival's scaled attributes to the winner's: attribute j's share is
    ``(z_a − z_b)_j`` times the mean of ``∂s/∂z_j`` on the way. The shares sum to the lead, whatever
    φ is; where φ is linear and the metric Euclidean, this is
    ``2 (z_a − z_b)_j w_j·(x − (p_a + p_b)/2)`` with the prototypes ``p_c = z_c W``. Attributes that
    both classes have alike decide nothing.

    Parameters
    ----------
    model : ZeroShotClassifier
        Fitted; one with a projection of attributes.
    X : array-like of shape (n, d)
    winner, rival : array-like of int, shape (n,)
        Rows of `class_attributes`.
    class_attributes : ndarray of shape (classes, k), optional
        By default those the model was fitted with.

    Returns
    -------
    ndarray of shape (n, k)
        Rows sum to the lead, the score of the winner less that of the rival, without what either
        has whatever the image shows: the bias against seen classes and the favour for remote ones
        are no attribute's.

    Examples
    --------
    >>> from sapwood import SparseAttributePropagation
    >>> Z, X = np.array([[1.0, 0, 1], [0, 1, 1], [1, 1, 0]]), np.eye(9)[:, :6] + 0.1
    >>> model = SparseAttributePropagation(k_g=2).fit(X, np.arange(9) % 3, class_attributes=Z)
    >>> lead = lead_by_attribute(model, X[:1], [0], [1])
    >>> scores = model.decision_function(X[:1], calibrated=False)
    >>> bool(np.isclose(lead.sum(), scores[0, 0] - scores[0, 1]))
    True
    """
    metric = _metric(model)
    classes, comparison = model.attribute_map_, getattr(model, "comparison_", PLAIN)
    W = compared(model.projection_, comparison)
    Z = classes.scale(model.class_attributes_ if class_attributes is None else class_attributes)
    start, end = Z[np.asarray(rival)], Z[np.asarray(winner)]
    mapped = compared(model.feature_map_.transform(np.asarray(X, dtype=float)), comparison)
    images = (unit_rows(mapped) if metric == "cosine" else mapped) @ W.T
    gram, lead = W @ W.T, np.zeros(start.shape)
    for at, weight in zip(*_quadrature(POINTS[metric]), strict=True):
        between = start + at * (end - start)
        slope = _SLOPES[metric](images, classes.place(between), gram)
        lead += weight * classes.pull_back(between, slope)
    lead *= end - start
    return lead + _jump(lead, images, start, end, classes, gram) if metric == "cosine" else lead


def _jump(
    lead: np.ndarray,
    images: np.ndarray,
    start: np.ndarray,
    end: np.ndarray,
    classes: AttributeMap,
    gram: np.ndarray,
) -> np.ndarray:
    """Share what the way does not show: a cosine jumps where the prototype is nearly zero."""
    before, after = (_cosine(images, classes.place(Z), gram)[0] for Z in (start, end))
    rest, moved = (after - before)[:, 0] - lead.sum(axis=1), np.abs(end - start)
    total = moved.sum(axis=1)
    return moved * np.divide(rest, total, out=np.zeros(len(rest)), where=total > 0)[:, None]


def _metric(model: Any) -> str:
    """How the model compares images with projected classes."""
    parts = ("projection_", "attribute_map_", "feature_map_")
    if hasattr(model, "metric_"):
        metric = model.metric_
    else:
        metric = model.rule(model.settings_) if hasattr(model, "rule") else None
    if metric not in _SLOPES or not all(hasattr(model, name) for name in parts):
        raise InputError(
            f"{type(model).__name__} does not compare images with projected attributes, so its "
            "leads cannot be split among these; use SparseAttributePropagation"
        )
    return str(metric)


def _euclidean_slope(images: np.ndarray, places: np.ndarray, gram: np.ndarray) -> np.ndarray:
    return 2 * (images - places @ gram)


def _cosine_slope(images: np.ndarray, places: np.ndarray, gram: np.ndarray) -> np.ndarray:
    cosine, length = _cosine(images, places, gram)
    return (images - cosine * (places @ gram) / length) / length


def _cosine(
    images: np.ndarray, places: np.ndarray, gram: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the cosine of each image and its prototype, and the prototype's length, (n, 1)."""
    length = np.sqrt(np.maximum(np.einsum("ij,ij->i", places @ gram, places), 0.0))
    # A prototype of length zero has no direction; `prototype_scores` gives it the cosine 0.
    length = np.where(length > 0, length, np.inf)[:, None]
    return np.einsum("ij,ij->i", images, places)[:, None] / length, length


def _dot_slope(images: np.ndarray, places: np.ndarray, gram: np.ndarray) -> np.ndarray:
    return images


#: Gradient of the score with respect to the coordinates of a class, one row an image.
#: ``images`` is X Wᵀ (of unit rows for the cosine), ``places`` φ(z), ``gram`` W Wᵀ.
_SLOPES: dict[str, Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]] = {
    "euclidean": _euclidean_slope,
    "cosine": _cosine_slope,
    "dot": _dot_slope,
}


def _quadrature(count: int) -> tuple[np.ndarray, np.ndarray]:
    points, weights = np.polynomial.legendre.leggauss(count)
    return (points + 1) / 2, weights / 2
