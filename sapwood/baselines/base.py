"""What the rival methods share: the interface of the estimator, around one closed form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from sapwood.baselines.unlabelled import FILLS, IGNORE
from sapwood.data.labels import as_labels
from sapwood.errors import InputError
from sapwood.features import ATTRIBUTE_MAPS, FEATURE_MAPS, AttributeMap, FeatureMap
from sapwood.models.annotations import Annotations, read_annotations
from sapwood.models.base import Self, ZeroShotClassifier
from sapwood.models.calibration import seen_bias, unseen_temperature
from sapwood.models.checks import (
    check_features,
    check_mapped,
    check_training_features,
    check_weights,
    require_row_order,
)
from sapwood.models.limits import Choice, Limit, require
from sapwood.models.relearning import Relearner
from sapwood.models.restored import require_maps
from sapwood.models.state import forget_fitted
from sapwood.projection import Evidence, fit_temperature

#: What `solve` yields: named arrays and numbers, kept with a trailing underscore after fit.
Parts = dict[str, Any]


class Baseline(ZeroShotClassifier):
    """Base of the rivals; a subclass says what it may be set to, solves and scores.

    Attributes
    ----------
    limits : dict
        Limits of the subclass's own parameters.
    parts : dict
        Names of what `solve` finds, each with its number of dimensions (0: a number).
    grid : list of dict
        What the search tries for each feature map: as many trials for every method that is not
        slow.
    once : bool
        Whether a fit takes so long that settings are chosen once for several draws.
    slow : bool
        Whether it takes so long that the search has few trials too.

    Notes
    -----
    After fit, ``settings_`` holds the parameters it was fitted with: a parameter changed later has
    no effect before the next fit.
    """

    limits: ClassVar[dict[str, Limit]] = {}
    parts: ClassVar[dict[str, int]] = {}
    grid: ClassVar[list[dict[str, Any]]] = []
    once: ClassVar[bool] = False
    slow: ClassVar[bool] = False
    common: ClassVar[dict[str, Limit]] = {
        "features": Choice(tuple(FEATURE_MAPS)),
        "attribute_map": Choice(tuple(ATTRIBUTE_MAPS)),
        "unlabelled": Choice(tuple(FILLS)),
    }

    @classmethod
    def solve(cls, evidence: Evidence, trials: Sequence[dict[str, Any]]) -> Iterator[Parts]:
        """Yield what each trial learns from `evidence`; what trials share is computed once.

        Parameters
        ----------
        evidence : Evidence
        trials : sequence of dict
            Values of the parameters in `limits`.
        """
        raise NotImplementedError

    @classmethod
    def compare(
        cls, parts: Parts, trial: dict[str, Any], X: np.ndarray, Z: np.ndarray
    ) -> np.ndarray:
        """Score images against classes, higher being better.

        Parameters
        ----------
        parts : dict
            What `solve` yielded for `trial`.
        trial : dict
        X : ndarray of shape (n, d)
            Mapped features.
        Z : ndarray of shape (classes, k)
            Attributes, as mapped.
        """
        raise NotImplementedError

    @classmethod
    def score_trials(
        cls, evidence: Evidence, trials: Sequence[dict[str, Any]], X: np.ndarray, Z: np.ndarray
    ) -> Iterator[np.ndarray]:
        """Yield for each trial what :meth:`compare` gives after :meth:`solve`."""
        for trial, parts in zip(trials, cls.solve(evidence, trials), strict=True):
            yield cls.compare(parts, trial, X, Z)

    def fit(
        self: Self,
        X: Any,
        y: Any = None,
        *,
        class_attributes: Any = None,
        class_names: Any = None,
        attribute_names: Any = None,
        sample_weight: Any = None,
    ) -> Self:
        """Learn from annotated images, and from unannotated ones as `unlabelled` says.

        Parameters
        ----------
        X, y, class_attributes, class_names, attribute_names, sample_weight
            As in :meth:`sapwood.SparseAttributePropagation.fit`. The feature map is fitted to all
            images, annotated or not, unless those that are not are ignored.
        """
        forget_fitted(self)
        X = check_training_features(self, X, y, sample_weight)
        known = read_annotations(y, len(X), class_attributes, class_names, attribute_names)
        weight = check_weights(sample_weight, known.codes)
        known = known.voting(weight)
        self._checked(vars(self))
        if self.unlabelled == IGNORE:
            X, weight, known = X[known.annotated], weight[known.annotated], known.of_annotated()
        feature_map = FeatureMap(**FEATURE_MAPS[self.features])
        X = check_mapped(feature_map.fit_transform(X), self.features)
        evidence = FILLS[self.unlabelled](X, known.seen_codes, known.Z[known.seen], weight)
        self._learn(feature_map, X, known, weight, evidence)
        return self

    def calibrate(
        self: Self,
        X: Any,
        y: Any,
        *,
        sample_weight: Any = None,
        random_state: int = 0,
    ) -> Self:
        """Find ``seen_bias_`` and ``unseen_temperature_``, as the robust preset does at fit.

        It learns eight times or more from some of the classes; so it is a step of its own.

        Parameters
        ----------
        X, y, sample_weight
            As given to fit.
        random_state : int
            Divides classes and images.
        """
        check_is_fitted(self)
        require_row_order(X, y, "y")
        require_row_order(X, sample_weight, "sample_weight")
        X = self.feature_map_.transform(check_features(self, X, reset=False))
        y = as_labels(y)
        described = y.ndim == 1 and not self.one_hot_
        classes = (self.class_attributes_, self.class_names_) if described else (None, None)
        known = read_annotations(y, len(X), *classes)
        weight = check_weights(sample_weight, known.codes)
        known = known.voting(weight)
        codes = known.seen_codes
        evidence = FILLS[self.unlabelled_](X, codes, known.Z[known.seen], weight)
        relearner = Relearner(evidence, self._relearned)
        self.seen_bias_ = seen_bias(relearner, random_state)
        own = codes if len(evidence.X) == len(X) else codes[codes >= 0]
        found = unseen_temperature(relearner, own, random_state)
        self.unseen_temperature_ = self.temperature_ if found is None else found
        return self

    def _relearned(self, taught: Evidence, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        """Learn from some classes, and score mapped images against attributes as given."""
        mapped = AttributeMap(**self.attribute_map_.get_params()).fit(taught.Z)
        found = next(iter(self.solve(taught.described(mapped.transform), [self.settings_])))
        return self.compare(found, self.settings_, X, mapped.transform(Z))

    def _learn(
        self,
        feature_map: FeatureMap,
        X: np.ndarray,
        known: Annotations,
        weight: np.ndarray,
        evidence: Evidence,
    ) -> None:
        """Learn from mapped features X and evidence whose Z are the seen classes as given."""
        own = self._checked(vars(self))
        self._remember(known)
        self.settings_, self.feature_map_, self.unlabelled_ = own, feature_map, self.unlabelled
        self.attribute_map_ = AttributeMap(**ATTRIBUTE_MAPS[self.attribute_map]).fit(evidence.Z)
        mapped = evidence.described(self.attribute_map_.transform)
        found = next(iter(self.solve(mapped, [own])))
        for name in self.parts:
            part = np.asarray(found[name])[()]
            if not np.isfinite(part).all():
                raise InputError(
                    f"{type(self).__name__} finds no answer in numbers with {own} for features of "
                    "this size; raise its ridge, or use features='unit'"
                )
            setattr(self, f"{name}_", part)
        scores = self.compare(found, own, X[known.annotated], mapped.Z)
        self.temperature_ = fit_temperature(scores, known.seen_codes[known.annotated])

    def _checked(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the subclass's own parameters among `given`, all of them being within limits."""
        for name, limit in {**self.common, **self.limits}.items():
            require(name, given[name], limit)
        return {name: given[name] for name in self.limits}

    def _score(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        parts = {name: getattr(self, f"{name}_") for name in self.parts}
        mapped, Z = self.feature_map_.transform(X), self.attribute_map_.transform(Z)
        return self.compare(parts, self.settings_, mapped, Z)

    def _check_restored(self, source: str) -> None:
        super()._check_restored(source)
        for name, dimensions in {**self.parts, "temperature": 0}.items():
            part = getattr(self, f"{name}_", None)
            if part is None or np.ndim(part) != dimensions or not np.isfinite(part).all():
                raise InputError(f"{source} has no usable {name}_; save the model again")
        require_maps(self, source)
        try:
            self._checked({**vars(self), **self.settings_})
            self._score(np.ones((1, self.n_features_in_)), self.class_attributes_)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise InputError(
                f"{source} has parts that do not belong together ({error}); save the model again"
            ) from None
