"""Methods by name, each fitted to a problem with the settings it has or chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from sapwood.baselines import BASELINES
from sapwood.baselines.base import Baseline
from sapwood.baselines.unlabelled import IGNORE
from sapwood.benchmark.cases import Case
from sapwood.benchmark.clock import clocked
from sapwood.benchmark.problems import Problem
from sapwood.benchmark.quiet import quiet
from sapwood.benchmark.rivals import Search, new_rival, rival_names, stem_of, tuned_rivals
from sapwood.benchmark.rows import Row
from sapwood.benchmark.workplace import kept_choice, kept_graphs
from sapwood.errors import InputError
from sapwood.models import SparseAttributePropagation, SparseAttributePropagationCV
from sapwood.models.parameters import PRESETS

#: Ours, and how each differs from the default.
OURS: dict[str, dict[str, Any]] = {
    "sapwood": {},
    "sapwood-annotated": {"steps": "bpl"},
    "sapwood-paper": {"preset": "paper"},
}
TUNED = "sapwood-tuned"
#: Rivals whose settings are chosen once for all draws, on the first one: their trials take long.
ONCE = tuple(name for name, rival in BASELINES.items() if rival.once)
#: What the slow ones of these choose among.
SLOW_SEARCH: dict[str, Any] = {"features": ("rooted", "whitened"), "attribute_maps": ("powered",)}
#: What a quick run chooses among.
QUICK_SEARCH: dict[str, Any] = {"features": ("whitened",), "attribute_maps": ("l2",)}

#: What a row can tell of a setting.
PLAIN = (bool, int, float, str)

_own: dict[str, Callable[[], Any]] = {}


class Learned(NamedTuple):
    """A fitted method and what its row tells so far; no model where it could not be fitted."""

    method: str
    model: Any
    told: Row


def register_method(name: str, make: Callable[[], Any]) -> None:
    """Have the benchmarks that compare methods run one more.

    Parameters
    ----------
    name : str
    make : callable
        Returns an object with ``fit(X, y, class_attributes=...)`` and ``predict(X, classes=...)``;
        ``y`` is -1 for unannotated images.
    """
    if name in (*OURS, TUNED, *rival_names()):
        raise InputError(f"method {name!r}: there is one of this name; choose another")
    _own[name] = make


def own_methods() -> list[str]:
    """Return the names of the methods that were registered."""
    return list(_own)


def known_methods() -> list[str]:
    """Return the name of every method that can be fitted to a problem.

    Examples
    --------
    >>> {"sapwood", "rpl0", "label-spreading"} <= set(known_methods())
    True
    """
    return [*OURS, TUNED, *rival_names(), *_own]


def learned(
    problem: Problem,
    methods: Sequence[str],
    case: Case,
    draw: Callable[[Case], Problem],
    search: Search | None = None,
) -> Iterator[Learned]:
    """Fit methods to a problem and yield each as soon as it is fitted, or the reason why not.

    Parameters
    ----------
    problem : Problem
    methods : sequence of str
    case : Case
        That of the problem.
    draw : callable
        From a case to its problem: settings that are chosen once are chosen on the first draw.
    search : Search, optional
        What rivals choose among.
    """
    search = replace(search or Search(), seed=case.seed, **(QUICK_SEARCH if case.quick else {}))
    for name in methods:
        if name in _own:
            model, refused = attempted(name, _own[name])
            yield Learned(name, None, refused) if refused else fitted(problem, name, model)
        elif name in OURS:
            yield fitted(problem, name, SparseAttributePropagation(**OURS[name]))
        elif name == TUNED:
            yield _tuned(problem, case.seed)
    rivals = [name for name in methods if name in rival_names()]
    yield from _each_time(problem, [n for n in rivals if stem_of(n) not in ONCE], search)
    for name in rivals:
        if stem_of(name) in ONCE:
            yield _once(problem, name, search, case, draw)


def attempted(method: str, work: Callable[[], Any]) -> tuple[Any, Row]:
    """Return what `work` returns; where the method refuses its input, nothing and the reason.

    Anything else that goes wrong in a method that was registered is told as its own mistake.

    Parameters
    ----------
    method : str
    work : callable

    Returns
    -------
    result : object
    refused : dict
        The field ``skipped`` of its row; empty where the work was done.
    """
    try:
        return work(), {}
    except InputError as error:
        return None, {"skipped": str(error)}
    except Exception as error:
        if method not in _own:
            raise
        said = f"method {method}: {type(error).__name__}: {error}; mend its plugin"
        raise InputError(said) from error


def row_of(one: Learned, scores: Callable[[Any], Row]) -> Row:
    """Return the row of a method: its scores, or why it has none.

    Parameters
    ----------
    one : Learned
    scores : callable
        From the model to its scores.
    """
    if one.model is None:
        return {"method": one.method, **one.told}
    found, refused = attempted(one.method, partial(scores, one.model))
    return {"method": one.method, **(refused or {**one.told, **found})}


def fitted(problem: Problem, method: str, model: Any, **told: Any) -> Learned:
    """Fit a model inside the clock; input it refuses is the reason why it is skipped.

    Parameters
    ----------
    problem : Problem
    method : str
    model : estimator
    **told
        Fields of its row that are known before.
    """
    # The printed algorithm's lists are long, and a rival that takes them asks for them once.
    long = "paper" in (getattr(model, "preset", ""), getattr(model, "unlabelled", ""))
    with quiet(), clocked() as taken, nullcontext() if long else kept_graphs():
        fit = partial(model.fit, problem.X, problem.y, class_attributes=problem.Z)
        _, refused = attempted(method, fit)
    if refused:
        return Learned(method, None, refused)
    row: Row = {
        "preset": _preset_of(model),
        "tuned": False,
        "parameters": settings_of(model),
        "fit_seconds": taken.seconds,
        "search_seconds": 0.0,
        "peak_mb": taken.peak_mb,
        "n_features": int(problem.X.shape[1]),
        "n_train": int((problem.y >= 0).sum()) if _ignores(model) else len(problem.X),
        "n_test": len(problem.X_test),
    }
    return Learned(method, model, {**row, **told})


def _ignores(model: Any) -> bool:
    return isinstance(model, Baseline) and model.unlabelled == IGNORE


def _preset_of(model: Any) -> str | None:
    """Return the preset of a fitted model of ours; a method of one's own may mean others by it."""
    return str(model.preset_) if isinstance(model, SparseAttributePropagation) else None


def settings_of(model: Any) -> Row:
    """Return what a fitted model was set to, or what was decided for it."""
    preset = PRESETS.get(_preset_of(model) or "")
    if preset is None:
        # Rows hold nothing but plain values; a method of one's own may be set to anything.
        given = dict(model.get_params()) if hasattr(model, "get_params") else {}
        return {n: v if v is None or isinstance(v, PLAIN) else repr(v) for n, v in given.items()}
    decided = {name: getattr(model, f"{name}_", value) for name, value in preset.items()}
    plain = {name: value for name, value in decided.items() if isinstance(value, PLAIN)}
    return {**preset, **plain, "attribute_map": model.coordinates_}


def _tuned(problem: Problem, seed: int) -> Learned:
    tuner = SparseAttributePropagationCV(random_state=seed)
    search = partial(tuner.search, problem.X, problem.y, class_attributes=problem.Z)
    with quiet(), clocked() as taken, kept_graphs():
        chosen, refused = attempted(TUNED, search)
    if refused:
        return Learned(TUNED, None, refused)
    model = SparseAttributePropagation(random_state=seed, **chosen)
    return fitted(problem, TUNED, model, tuned=True, search_seconds=taken.seconds)


def _each_time(problem: Problem, names: Sequence[str], search: Search) -> Iterator[Learned]:
    done = set()
    try:
        for rival in tuned_rivals(problem, names, search):
            told = {"tuned": True, "search_seconds": rival.seconds, "sharing": rival.shared}
            model = new_rival(rival.method).set_params(**rival.model.get_params())
            yield fitted(problem, rival.method, model, **told)
            done.add(rival.method)
    except InputError as error:
        for name in (name for name in names if name not in done):
            yield Learned(name, None, {"skipped": str(error)})


def _once(
    problem: Problem, name: str, search: Search, case: Case, draw: Callable[[Case], Problem]
) -> Learned:
    # Where every seed has other unseen classes, the first draw would give some of them away.
    first = case if case.split == "fresh" else case._replace(seed=0)
    among = SLOW_SEARCH if BASELINES[stem_of(name)].slow and not case.quick else {}
    search = replace(search, seed=first.seed, **among)

    def choose() -> Row:
        (rival,) = tuned_rivals(draw(first), [name], search)
        return {"parameters": rival.model.get_params(), "search_seconds": rival.seconds}

    try:
        chosen = kept_choice({**first.told(), "method": name}, choose)
    except InputError as error:
        return Learned(name, None, {"skipped": str(error)})
    model = new_rival(name).set_params(**chosen["parameters"])
    told = {"tuned": True, "tuned_on_seed": first.seed, "search_seconds": chosen["search_seconds"]}
    return fitted(problem, name, model, **told)
