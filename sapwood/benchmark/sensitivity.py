"""One parameter at a time: how far accuracy depends on it.

The paper calls its algorithm insensitive to k_g, m, λ1, λ2 and λ3 and shows it in a supplement; the
ranges here are ours, with its own values in the middle. The robust preset has other parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sapwood.benchmark.cases import Asked, Case
from sapwood.benchmark.methods import quiet
from sapwood.benchmark.printed_fits import PrintedFits, Settings, printed_settings
from sapwood.benchmark.problems import Problem
from sapwood.benchmark.rows import Row
from sapwood.benchmark.studies import draw, long_cases, plain_row, variant_row
from sapwood.errors import InputError
from sapwood.models.parameters import PRESETS

SWEPT: dict[str, dict[str, tuple[float, ...]]] = {
    "paper": {
        "k_g": (50, 100, 200, 300, 500),
        "m": (10, 25, 50, 100, 200),
        "lambda1": (1e-4, 1e-3, 1e-2, 1e-1, 1.0),
        "lambda2": (1e-6, 1e-5, 1e-4, 1e-3, 1e-2),
        "lambda3": (1e-8, 1e-7, 1e-6, 1e-5, 1e-4),
    },
    "robust": {
        "k_g": (5, 10, 20, 50),
        "lambda1": (0.1, 1.0, 10.0),
        "lambda3": (0.01, 0.1, 1.0),
        "lambda4": (0.008, 0.08, 0.8),
        "sharpness": (1.0, 2.0, 4.0),
        "error_whitening": (0.0, 0.15, 0.3),
    },
}


@dataclass(frozen=True)
class Trial:
    """A preset with one parameter set to a value.

    Examples
    --------
    >>> Trial("paper", "lambda2", 1e-4).method, Trial("paper", "lambda2", 1e-4).default
    ('paper:lambda2=0.0001', True)
    """

    preset: str
    parameter: str
    value: float

    @property
    def method(self) -> str:
        """Its name among the methods."""
        return f"{self.preset}:{self.parameter}={self.value:g}"

    @property
    def default(self) -> bool:
        """Whether the value is the preset's own."""
        return bool(PRESETS[self.preset][self.parameter] == self.value)

    @property
    def options(self) -> dict[str, Any]:
        """What the estimator is given: a value of its own is left to it."""
        return {} if self.default else {self.parameter: self.value}

    @property
    def told(self) -> Row:
        """The fields of a row that name the trial."""
        return {"parameter": self.parameter, "value": self.value, "default": self.default}


TRIALS = {
    trial.method: trial
    for preset, swept in SWEPT.items()
    for parameter, values in swept.items()
    for trial in (Trial(preset, parameter, value) for value in values)
}


def cases(asked: Asked) -> list[Case]:
    """Return data × seed at one K."""
    return long_cases("sensitivity", asked)


def methods(case: Case) -> list[str]:
    """Return every value of every parameter; in a quick run the preset's own and the next.

    Examples
    --------
    >>> len(methods(Case("sensitivity", "cub", "paper", 5, 0)))
    44
    """
    if not case.quick:
        return list(TRIALS)
    chosen = []
    for preset, swept in SWEPT.items():
        for parameter, values in swept.items():
            at = values.index(PRESETS[preset][parameter])
            chosen += [Trial(preset, parameter, value).method for value in values[at : at + 2]]
    return chosen


def run(case: Case, methods: Sequence[str]) -> Iterator[Row]:
    """Yield a row for each of `methods`."""
    problem, trials = draw(case), [TRIALS[name] for name in methods]
    yield from _printed(problem, [trial for trial in trials if trial.preset == "paper"])
    yield from _robust(case, problem, [trial for trial in trials if trial.preset == "robust"])


def _printed(problem: Problem, trials: Sequence[Trial]) -> Iterator[Row]:
    settings: dict[Trial, Settings] = {}
    for trial in trials:
        try:
            with quiet():
                settings[trial] = printed_settings(trial.options, len(problem.X))
        except InputError as error:
            row = {"method": trial.method, "preset": "paper", **trial.told}
            yield {**row, "skipped": str(error)}
    if settings:
        yield from _fitted(problem, settings)


def _fitted(problem: Problem, settings: dict[Trial, Settings]) -> Iterator[Row]:
    found: dict[Trial | None, Row] = {}
    with quiet():
        fits = PrintedFits(problem, settings.values())
    for trial, own in settings.items():
        # The preset's own value is the same fit for every parameter.
        key = None if trial.default else trial
        if key not in found:
            with quiet():
                found[key] = fits.scores(own)
        row = plain_row(problem, trial.method, "paper", own)
        yield {**row, **trial.told, "value": own[trial.parameter], **found[key]}


def _robust(case: Case, problem: Problem, trials: Sequence[Trial]) -> Iterator[Row]:
    found: dict[Trial | None, Row] = {}
    for trial in trials:
        key = None if trial.default else trial
        if key not in found:
            options = {"preset": "robust", **trial.options}
            found[key] = variant_row(case, problem, trial.method, options)
        yield {**found[key], "method": trial.method, **trial.told}
