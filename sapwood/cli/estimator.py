"""The estimator that the options of ``sapwood fit`` ask for, and what its search found."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sapwood.cli.output import emit, print_table
from sapwood.errors import InputError, closest

if TYPE_CHECKING:
    from sapwood.models import SparseAttributePropagation

#: Trials shown after a search.
SHOWN = 5


def make_estimator(preset: str, given: list[str], tune: bool) -> SparseAttributePropagation:
    """Return the estimator to fit.

    Parameters
    ----------
    preset : str
    given : list of str
        Parameters as NAME=VALUE.
    tune : bool
        Whether it is to choose its settings itself.
    """
    from sapwood.models import SparseAttributePropagation, SparseAttributePropagationCV

    every = [name for name in SparseAttributePropagation().get_params() if name != "preset"]
    if not tune:
        return SparseAttributePropagation(preset, **_parameters(given, every))
    if preset != "robust":
        raise InputError(
            f"--tune chooses settings of the robust preset; leave --preset {preset} or --tune out"
        )
    taken = list(SparseAttributePropagationCV().get_params())
    for text in given:
        name = text.partition("=")[0]
        if name in every and name not in taken:
            raise InputError(
                f"--param {text}: --tune chooses the settings itself and takes "
                f"{', '.join(taken)} only; leave {name} or --tune out"
            )
    return SparseAttributePropagationCV(**_parameters(given, taken))


def shares_of_search(n: int, d: int, p: int, shares: dict[str, float]) -> dict[str, float]:
    """Expected cost of the stages of a search among p classes, the fit after it being the last.

    `shares` are those of a fit alone. The constants were measured on CUB.
    """
    search = {"propagation": 4e5 * n * p, "trials": 600.0 * n * p * d}
    ahead = {name: shares[name] for name in ("features", "neighbours")}
    return {**ahead, **search, "learning": sum(shares.values())}


def print_search(model: SparseAttributePropagation) -> None:
    """Print what the search found best, and why that was taken or not."""
    emit(f"\n{model.search_summary_}")
    best = sorted(model.search_log_, key=lambda row: -row["lead"])[:SHOWN]
    if best:
        columns = ["settings", "accuracy", "1 / rank", "lead"]
        title = f"Best of {len(model.search_log_)} trials on seen classes held out"
        emit("")
        print_table(title, columns, [_shown(row) for row in best])


def _shown(row: dict[str, Any]) -> list[str]:
    changes = ", ".join(f"{name}={value}" for name, value in row["parameters"].items())
    return [
        changes or "the preset",
        f"{100 * row['accuracy']:.1f} %",
        f"{row['reciprocal_rank']:.4f}",
        f"{row['lead']:+.4f} ± {row['standard_error']:.4f}",
    ]


def _parameters(given: list[str], known: list[str]) -> dict[str, Any]:
    result = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or name not in known:
            raise InputError(
                f"--param {text}: expected NAME=VALUE with one of {', '.join(known)}"
                f"{closest(name, known)}"
            )
        try:
            result[name] = json.loads(value)
        except ValueError:
            result[name] = value
    return result
