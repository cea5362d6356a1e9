"""Every benchmark by name; a new one is one more line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sapwood.benchmark import (
    ablation,
    convergence,
    external,
    gzsl,
    propagation_forms,
    sensitivity,
    sia,
    stress,
    suggest,
    zsl,
)
from sapwood.benchmark.cases import Asked, Case
from sapwood.benchmark.methods import known_methods
from sapwood.benchmark.rows import Row


@dataclass(frozen=True)
class Bench:
    """A benchmark: which cases it has, which methods a case has, and how they are run.

    Attributes
    ----------
    name, title : str
    cases : callable
        From what a user asks for to the cases.
    methods : callable
        From a case to the names of its methods where nobody asks for any.
    run : callable
        From a case and some of these names to an iterator of rows, each with its ``method``; what
        methods share is done once.
    known : callable
        Returns the methods that may be asked for besides those; none by default.
    hidden : bool
        Whether ``all`` leaves it out.
    """

    name: str
    title: str
    cases: Callable[[Asked], list[Case]]
    methods: Callable[[Case], list[str]]
    run: Callable[[Case, Sequence[str]], Iterator[Row]]
    known: Callable[[], Sequence[str]] = tuple
    hidden: bool = False


BENCHES: dict[str, Bench] = {
    bench.name: bench
    for bench in (
        Bench("zsl", "Unseen classes", zsl.cases, zsl.methods, zsl.run, known_methods),
        Bench("gzsl", "Seen and unseen classes", gzsl.cases, gzsl.methods, gzsl.run, known_methods),
        Bench(
            "external",
            "Images from elsewhere",
            external.cases,
            external.methods,
            external.run,
            external.known,
        ),
        Bench("ablation", "Steps", ablation.cases, ablation.methods, ablation.run),
        Bench(
            "propagation",
            "Forms of propagation",
            propagation_forms.cases,
            propagation_forms.methods,
            propagation_forms.run,
        ),
        Bench("sensitivity", "Parameters", sensitivity.cases, sensitivity.methods, sensitivity.run),
        Bench("convergence", "Iterations", convergence.cases, convergence.methods, convergence.run),
        Bench("sia", "Concepts of tagged images", sia.cases, sia.methods, sia.run, sia.known),
        Bench(
            "stress",
            "Images that should not do harm",
            stress.cases,
            stress.methods,
            stress.run,
            hidden=True,
        ),
        Bench(
            "suggest",
            "Images to annotate next",
            suggest.cases,
            suggest.methods,
            suggest.run,
            hidden=True,
        ),
    )
}
