"""Label spreading followed by ridge regression: the obvious choice today."""

from __future__ import annotations

from sapwood.baselines.rpl import RPL


class LabelSpreadingRidge(RPL):
    """RPL on labels that scikit-learn's `LabelSpreading` carries to the unannotated images.

    Parameters
    ----------
    ridge, metric, features, attribute_map, unlabelled
        As in :class:`sapwood.baselines.RPL`, of which this differs in the default of `unlabelled`
        alone.

    Attributes
    ----------
    projection_ : ndarray of shape (k, d)

    Examples
    --------
    >>> LabelSpreadingRidge().unlabelled
    'spread'
    """

    def __init__(
        self,
        *,
        ridge: float = 1.0,
        metric: str = "euclidean",
        features: str = "centered",
        attribute_map: str = "l2",
        unlabelled: str = "spread",
    ) -> None:
        super().__init__(
            ridge=ridge,
            metric=metric,
            features=features,
            attribute_map=attribute_map,
            unlabelled=unlabelled,
        )
