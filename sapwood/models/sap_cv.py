"""The estimator that chooses its own settings, on seen classes held out as if unseen."""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import check_is_fitted

from sapwood.models.annotations import read_annotations
from sapwood.models.checks import check_training_features, check_weights, draw_seed
from sapwood.models.choice import choose
from sapwood.models.limits import Number, require
from sapwood.models.memory import SEARCH, estimate_bytes, require_memory
from sapwood.models.parameters import resolve
from sapwood.models.sap import SparseAttributePropagation
from sapwood.models.search import search
from sapwood.models.state import forget_fitted


class SparseAttributePropagationCV(SparseAttributePropagation):
    """The robust preset with settings chosen by class-wise cross-validation.

    Annotated images of held-out classes are named among those classes; nothing else is asked of
    them, and no image of an unseen class is looked at. One neighbour search and one
    eigendecomposition of the features serve the whole search: while it lasts, labels are
    propagated over the graph of the usual features, and every image takes part. The preset is kept
    unless others do better by more than two standard errors; in the search it stands for itself
    with ``attribute_map="kernel"``, before annotated images are asked about maps and ridges, and
    images are compared with classes as they are (``error_whitening=0``, ``remoteness=0``). Whether
    attributes count alike in kernels is asked once, and not tried.

    Parameters
    ----------
    n_splits : int
        Parts into which seen classes are divided; fewer if parts would have less than two classes.
        With fewer than four seen classes, or classes without attributes, the preset is kept.
    memory_limit, random_state
        As in `SparseAttributePropagation`.

    Attributes
    ----------
    best_params_ : dict
        What was chosen, other than the preset's settings.
    search_log_ : list of dict
        For each trial its parameters, the mean reciprocal rank and the accuracy on held-out
        classes, and the mean difference of the former from the preset's with its standard error.
    search_summary_ : str
        Why that was chosen.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Z, labels = rng.random((7, 6)), np.repeat(np.arange(7), 20)
    >>> X = Z[labels] @ rng.random((6, 9)) + 0.1 * rng.random((140, 9))
    >>> y = np.where((np.arange(140) % 20 < 3) & (labels < 6), labels, -1)
    >>> model = SparseAttributePropagationCV().fit(X[:120], y[:120], class_attributes=Z)
    >>> len(model.search_log_)
    490
    """

    def __init__(
        self, *, n_splits: int = 3, memory_limit: float | None = None, random_state: Any = 0
    ) -> None:
        super().__init__(memory_limit=memory_limit, random_state=random_state)
        self.n_splits = n_splits

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        class_attributes: Any = None,
        class_names: Any = None,
        attribute_names: Any = None,
        sample_weight: Any = None,
    ) -> SparseAttributePropagationCV:
        """Choose settings, then fit with them; parameters as in the parent's `fit`."""
        described = {
            "class_attributes": class_attributes,
            "class_names": class_names,
            "attribute_names": attribute_names,
            "sample_weight": sample_weight,
        }
        chosen = self.search(X, y, **described)
        _copy_fitted(self._with(chosen).fit(X, y, **described), self)
        return self

    def search(
        self,
        X: Any,
        y: Any = None,
        *,
        class_attributes: Any = None,
        class_names: Any = None,
        attribute_names: Any = None,
        sample_weight: Any = None,
    ) -> dict[str, Any]:
        """Choose settings without fitting with them; parameters as in the parent's `fit`.

        Returns
        -------
        dict
            ``best_params_``; the record of the search is kept, too.
        """
        forget_fitted(self)
        require("n_splits", self.n_splits, Number(2, integer=True))
        checked = check_training_features(self, X, y, sample_weight)
        known = read_annotations(y, len(checked), class_attributes, class_names, attribute_names)
        weight = check_weights(sample_weight, known.codes)
        known = known.voting(weight)
        settings = resolve(self._with({}).get_params(deep=False), len(checked))
        size = (checked.shape, known.Z.shape[1], len(known.seen))
        needed = estimate_bytes(*size, settings, matrices=SEARCH)
        require_memory(needed, self.memory_limit, checked.shape)
        seed = draw_seed(self.random_state)
        found = choose(list(search(checked, known, weight, self.n_splits, seed)))
        self.best_params_, self.search_log_, self.search_summary_ = found
        return self.best_params_

    @property
    def best_estimator_(self) -> SparseAttributePropagation:
        """The same fit as a model of the parent's kind, which has the search's record, too."""
        check_is_fitted(self)
        model = self._with(self.best_params_)
        _copy_fitted(self, model)
        return model

    def _with(self, chosen: dict[str, Any]) -> SparseAttributePropagation:
        common = {"memory_limit": self.memory_limit, "random_state": self.random_state}
        return SparseAttributePropagation(**common, **chosen)


def _copy_fitted(source: SparseAttributePropagation, target: SparseAttributePropagation) -> None:
    for name in [name for name in vars(source) if name.endswith("_")]:
        setattr(target, name, getattr(source, name))
