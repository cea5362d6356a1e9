"""Names of feature columns: those a model was fitted on must come again, in the same order."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING

from sapwood.errors import InputError

if TYPE_CHECKING:
    from sapwood.models import SparseAttributePropagation


def columns_of(model: SparseAttributePropagation) -> str | None:
    """Return the names of the feature columns that a model was fitted on, where they had any."""
    return getattr(model, "training_", {}).get("feature_columns")


def require_columns(
    source: str, provenance: Mapping[str, str], usual: str | None, whose: str
) -> None:
    """Refuse features with columns named otherwise, or in another order, than the usual ones.

    Parameters
    ----------
    source : str
        Where the features are from.
    provenance : mapping of str to str
        Theirs.
    usual : str or None
        Names with tabs between them; None where there are none.
    whose : str
        What has the usual ones, after "those".
    """
    new = provenance.get("feature_columns")
    if usual and new and usual != new:
        given, expected = new.split("\t"), usual.split("\t")
        how = f"others than those {whose} ({len(given)} given, {len(expected)} expected)"
        if sorted(given) == sorted(expected):
            how = f"in another order than those {whose}"
        raise InputError(
            f"{source}: its feature columns are {how}: {_first_difference(given, expected)}; give "
            "the same columns in the same order"
        )


def _first_difference(given: list[str], expected: list[str]) -> str:
    pairs = enumerate(zip_longest(given, expected), 1)
    place, (found, wanted) = next((i, pair) for i, pair in pairs if pair[0] != pair[1])
    said = "missing" if found is None else repr(found)
    return f"column {place} is {said}, expected {'none' if wanted is None else repr(wanted)}"
