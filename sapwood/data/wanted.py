"""What the caller asked for where a source holds, or needs, more than one thing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Wanted:
    """Choices that only some layouts know.

    Parameters
    ----------
    attributes : str, optional
        Which description of the classes.
    features : str or Path, optional
        A matrix of features for the images that a folder lists.
    concepts : str, optional
        Which annotations of the concepts.

    Examples
    --------
    >>> Wanted(features="feats.npz").beyond("attributes")
    ['features']
    """

    attributes: str | None = None
    features: str | Path | None = None
    concepts: str | None = None

    def beyond(self, *known: str) -> list[str]:
        """Return the names of the choices made that are not among `known`."""
        return [n for n, value in vars(self).items() if value is not None and n not in known]
