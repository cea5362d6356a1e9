"""Jobs of a benchmark: what is asked for, what is missing of it, and how that is run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from sapwood.benchmark.benches import BENCHES, Bench
from sapwood.benchmark.cases import Asked, Case, identity
from sapwood.benchmark.datasets import data_alone, path_field
from sapwood.benchmark.fingerprints import FIELD, Prints
from sapwood.benchmark.locks import claimed
from sapwood.benchmark.plugins import plugins_of
from sapwood.benchmark.provenance import accelerator, provenance
from sapwood.benchmark.rows import Row, append_rows, read_rows
from sapwood.benchmark.workplace import claim_file, rows_file, working_in
from sapwood.errors import InputError, closest


class Job(NamedTuple):
    """A case, the methods that are to be run on it, and the fingerprints of its data."""

    case: Case
    methods: tuple[str, ...]
    prints: Prints | None = None

    def missing(self, rows: Iterable[Row]) -> list[str]:
        """Return the methods without a row among `rows`."""
        found = {identity(row) for row in rows}
        return [name for name in self.methods if identity(self.row(name)) not in found]

    def row(self, method: str) -> Row:
        """Return the first fields of a method's row."""
        prints = {FIELD: self.prints} if self.prints else {}
        return {**self.case.told(), "method": method, **prints}


def plan(benches: Sequence[Bench], asked: Asked) -> list[Job]:
    """Return the jobs that were asked for.

    Parameters
    ----------
    benches : sequence of Bench
    asked : Asked
        A benchmark runs those of the methods that it knows; one that none of them knows is
        refused.
    """
    jobs, known = [], set[str]()
    for bench in benches:
        known.update(bench.known())
        # Where it is asked for with others, annotated images are those of a class.
        whole = bench.name == "sia" and len(benches) > 1
        for case in bench.cases(replace(asked, annotated=None) if whole else asked):
            usual = bench.methods(case)
            known.update(usual)
            may = {*usual, *bench.known()}
            wanted = usual if asked.methods is None else [m for m in asked.methods if m in may]
            methods = tuple(m for m in wanted if _is_of(m, asked.presets))
            if methods:
                jobs.append(Job(case, methods))
    for name in asked.methods or ():
        if name not in known:
            hint = closest(name, known) or f"; known are {', '.join(sorted(known))}"
            raise InputError(f"--methods {name}: no such method{hint}")
    return jobs


def preset_of(method: str) -> str | None:
    """Return the preset a method of ours is made with; None for a rival.

    Examples
    --------
    >>> preset_of("sapwood"), preset_of("sapwood-paper"), preset_of("paper:bpl"), preset_of("rpl")
    ('robust', 'paper', 'paper', None)
    """
    start = method.partition(":")[0]
    if start in ("paper", "robust"):
        return start
    if start.startswith("sapwood"):
        return "paper" if start == "sapwood-paper" else "robust"
    return None


def _is_of(method: str, presets: Sequence[str] | None) -> bool:
    return presets is None or preset_of(method) in (None, *presets)


def run_job(folder: Path, wait: bool, job: Job) -> int | None:
    """Run what is missing of a job, writing each row when it is found.

    Parameters
    ----------
    folder : Path
    wait : bool
        Whether to wait for another process that runs the case.
    job : Job

    Returns
    -------
    int or None
        How many rows were found; None where another process runs the case.
    """
    path, count = rows_file(folder, job.case.bench), 0
    with claimed(claim_file(folder, job.case), wait) as mine:
        if not mine:
            return None
        # Another process may have run it since the jobs were planned.
        missing = job.missing(read_rows(path))
        if missing:
            with working_in(folder, job.prints):
                given = path_field(data_alone(job.case.bench, job.case.data, job.case.split))
                begun = provenance()
                for row in BENCHES[job.case.bench].run(job.case, missing):
                    found = {**row, **given, **plugins_of(job.case, row["method"])}
                    told = {**job.row(row["method"]), **found, **begun, **accelerator()}
                    append_rows(path, [told])
                    count, begun = count + 1, provenance()
    return count
