"""What turns text into vectors, and the checks that every answer passes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from sapwood.errors import InputError


class TextEncoder(Protocol):
    """Anything that turns texts into vectors and can say which it is.

    Attributes
    ----------
    name : str
        Two encoders of one name give the same vectors; a model file remembers it.
    """

    @property
    def name(self) -> str:
        """What a model file remembers."""

    def encode(self, texts: list[str]) -> np.ndarray:
        """Return a vector for each of n texts, shape (n, t)."""


def encode(encoder: TextEncoder, texts: Sequence[str]) -> np.ndarray:
    """Return the vectors of texts, checked.

    Parameters
    ----------
    encoder : TextEncoder
    texts : sequence of n str

    Returns
    -------
    ndarray of shape (n, t)

    Examples
    --------
    >>> class Lengths:
    ...     name = "lengths"
    ...     def encode(self, texts):
    ...         return np.array([[len(text), 1] for text in texts])
    >>> encode(Lengths(), ["an owl", "a jay"])
    array([[6., 1.],
           [5., 1.]])
    """
    blank = [i for i, text in enumerate(texts) if not text.strip()]
    if blank or not len(texts):
        which = f"text {blank[0] + 1} of {len(texts)} is empty" if blank else "there is no text"
        raise InputError(f"{which}; describe every class in words")
    vectors = np.asarray(encoder.encode(list(texts)), dtype=np.float64)
    if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
        raise InputError(
            f"the encoder {encoder.name!r} returned an array of shape {vectors.shape} for "
            f"{len(texts)} texts; it should return one row of finite numbers for each"
        )
    return vectors
