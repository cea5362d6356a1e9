"""What was found, in a few sentences and numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sapwood.benchmark.cells import signed
from sapwood.benchmark.found import collected
from sapwood.benchmark.leads import Lead, leads_by_count
from sapwood.benchmark.rows import Row
from sapwood.benchmark.significance import LEVEL, holm, paired_p
from sapwood.report.bench.results import Results, by_case, data_title
from sapwood.report.bench.section import Item
from sapwood.report.bench.sections.convergence import PRINTED, iterations_needed

#: Benchmarks in which sapwood has rivals: name, and the score that counts.
CONTESTS = {
    "zsl": ("standard setting", "accuracy"),
    "gzsl": ("generalized setting", "harmonic_mean"),
    "external": ("external images", "accuracy"),
}


@dataclass(frozen=True)
class Standing:
    """Our default against the best rival on one data set, split and K.

    Parameters
    ----------
    where : str
    rival : str
        The best of them on the draws both were run on.
    lead : float
        Points, mean over these draws.
    draws : int
        How many these are.
    clear : bool
        Whether the lead, or the lag, is significant: ahead of every rival, or behind one, by
        paired t-tests with Holm's correction over all rivals.
    """

    where: str
    rival: str
    lead: float
    draws: int
    clear: bool


def standings(rows: list[Row], score: str) -> list[Standing]:
    r"""Compare ``sapwood`` with its rivals wherever both were run.

    Examples
    --------
    >>> told = {"data": "cub", "split": "paper", "annotated": 5}
    >>> rows = [{**told, "seed": s, "method": m, "accuracy": a[s]} for s in (0, 1, 2)
    ...         for m, a in (("sapwood", (0.59, 0.6, 0.61)), ("rpl", (0.5, 0.5, 0.5)))]
    >>> standings(rows, "accuracy")
    [Standing(where='CUB, K\xa0=\xa05', rival='rpl', lead=10.0, draws=3, clear=True)]
    """
    found = []
    for (data, split), of_case in by_case(rows).items():
        scores = collected(of_case, score)
        named = (
            data_title(data) if split in ("paper", "listed") else f"{data_title(data)} ({split})"
        )
        for K, led in leads_by_count(scores).items():
            where = f"{named}, K\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{K}"
            found.append(
                _standing(where, led, {name: of.get(K, {}) for name, of in scores.items()})
            )
    return found


def _standing(where: str, led: list[Lead], column: dict[str, dict[int, float]]) -> Standing:
    sure = holm([paired_p(column["sapwood"], column[lead.rival]) for lead in led]) <= LEVEL
    lags = [lead.mean < 0 for lead in led]
    clear = bool(np.any(sure & lags)) if any(lags) else bool(np.all(sure))
    return Standing(where, led[0].rival, round(led[0].mean, 6), len(led[0].points), clear)


def lead_sentences(results: Results) -> list[str]:
    """Return the headline in sentences, all of whose numbers are from the rows."""
    contests = {
        name: standings(results.of(bench), score) for bench, (name, score) in CONTESTS.items()
    }
    held = {name: found for name, found in contests.items() if found}
    if not held:
        return ["No problem here has both sapwood and a rival yet.", *_warnings(results)]
    spans = [f"{name} {_span(found)}" for name, found in held.items()]
    first = f"Lead of sapwood's default on the best rival, in points: {'; '.join(spans)}."
    lags = [_lag(name, found) for name, found in held.items()]
    return [first, *(lag for lag in lags if lag), *_warnings(results)]


def _span(found: list[Standing]) -> str:
    least, most = min(found, key=lambda one: one.lead), max(found, key=lambda one: one.lead)
    if len(found) == 1:
        return _points(most)
    if signed(least.lead) == signed(most.lead):
        return f"{signed(most.lead)} on each of {len(found)} problems"
    return f"from {_points(least)} to {_points(most)}"


def _points(one: Standing) -> str:
    single = ", one draw" if one.draws == 1 else ""
    return f"{signed(one.lead)} ({one.where}, {one.rival}{single})"


def _lag(name: str, found: list[Standing]) -> str:
    behind = [one for one in found if one.lead < 0]
    if not behind:
        return ""
    return (
        f"A rival is ahead on {len(behind)} of {len(found)} problems ({name}), significantly on "
        f"{_clear(behind)}."
    )


def _warnings(results: Results) -> list[str]:
    quick = [bool(row.get("quick")) for row in results.rows]
    if quick and all(quick):
        return ["This was a quick run: it shows that everything works, not how well."]
    return (
        ["Some rows are of a quick run, on smaller data: do not quote these."] if any(quick) else []
    )


def _clear(found: list[Standing]) -> int:
    return sum(one.clear for one in found)


def facts(results: Results) -> list[Item]:
    """Return the numbers at the top of the page."""
    tiles: list[Item] = []
    for bench, (name, score) in CONTESTS.items():
        found = standings(results.of(bench), score)
        if found:
            ahead = [one for one in found if one.lead > 0]
            mean = signed(float(np.mean([one.lead for one in found])))
            tiles.append(
                {
                    "value": f"{len(ahead)} of {len(found)}",
                    "label": f"problems led by sapwood, {name}",
                    "note": f"{_clear(ahead)} significantly; on the best rival {mean} points on "
                    "average",
                    "main": not tiles,
                }
            )
    return tiles + _convergence_fact(results)


def _convergence_fact(results: Results) -> list[Item]:
    fits = [row for row in results.of("convergence") if row["method"] == "paper"]
    if not fits:
        return []
    quick = [row for row in fits if (iterations_needed(row) or PRINTED + 1) <= PRINTED]
    return [
        {
            "value": f"{len(quick)} of {len(fits)}",
            "label": "fits of the printed algorithm converge",
            "note": f"within the {PRINTED} iterations the paper tells of",
            "main": False,
        }
    ]
