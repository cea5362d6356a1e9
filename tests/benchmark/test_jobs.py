"""What is planned, what is run of it, and what is not run again."""

import json
import threading
from dataclasses import replace

import numpy as np
import pytest

from sapwood.benchmark import (
    BENCHES,
    Asked,
    Bench,
    Case,
    append_rows,
    datasets,
    read_rows,
    register_data,
)
from sapwood.benchmark.jobs import Job, plan, preset_of, run_job
from sapwood.benchmark.locks import claimed
from sapwood.benchmark.provenance import provenance
from sapwood.benchmark.run import run_jobs
from sapwood.benchmark.workplace import claim_file, kept_choice, working_in
from sapwood.data import Split, ZeroShotData
from sapwood.errors import InputError

METHODS = ["a", "b", "sapwood-paper"]


@pytest.fixture
def ran():
    """Cases and methods that the benchmark of these tests has run."""
    return []


@pytest.fixture(autouse=True)
def some(ran, monkeypatch):
    def cases(asked):
        return [
            Case("some", data, "paper", K, seed, asked.quick)
            for seed in range(asked.seeds or 2)
            for data in asked.data
            for K in asked.annotated or (1, 5)
        ]

    def run(case, methods):
        for method in methods:
            ran.append((case.annotated, case.seed, method))
            yield {"method": method, "accuracy": case.annotated / 10 + case.seed}

    monkeypatch.setattr(datasets, "_data", {})
    for name in ("cub", "awa"):
        register_data(name, data_of)
    bench = Bench("some", "Some", cases, lambda case: METHODS, run, lambda: ["rare"])
    monkeypatch.setitem(BENCHES, "some", bench)
    yield bench
    datasets.get_data.cache_clear()


def data_of(**others):
    given = {"features": np.eye(3), "labels": [0, 1, 2], "attributes": np.eye(3), **others}
    return ZeroShotData(**given)


def test_every_case_has_its_methods_unless_others_are_asked_for(some):
    assert plan([some], Asked(("cub",)))[0] == Job(
        Case("some", "cub", "paper", 1, 0), tuple(METHODS)
    )
    assert len(plan([some], Asked(("cub", "awa"), seeds=3))) == 12
    (job,) = plan([some], Asked(("cub",), annotated=(7,), seeds=1, methods=("rare", "a")))
    assert (job.case.annotated, job.methods) == (7, ("rare", "a"))
    (job,) = plan([some], Asked(("cub",), annotated=(7,), seeds=1, presets=("robust",)))
    assert job.methods == ("a", "b")
    with pytest.raises(InputError, match="--methods rate: no such method; did you mean 'rare'"):
        plan([some], Asked(("cub",), methods=("a", "rate")))


@pytest.mark.parametrize(
    ("method", "preset"),
    [
        ("sapwood", "robust"),
        ("sapwood-all", "robust"),
        ("sapwood-paper", "paper"),
        ("paper:lambda1=0.01", "paper"),
        ("paper", "paper"),
        ("robust:bpl", "robust"),
        ("rpl+paper", None),
    ],
)
def test_the_preset_of_a_method_is_in_its_name(method, preset):
    assert preset_of(method) == preset


def test_rows_tell_case_method_and_origin(some, tmp_path):
    found = run_jobs(plan([some], Asked(("cub",))), tmp_path)
    files = [str(tmp_path / "some.jsonl")]
    assert found == {"wanted": 12, "found": 0, "added": 12, "skipped": [], "files": files}
    row = read_rows(tmp_path / "some.jsonl")[0]
    assert list(row)[:7] == ["bench", "data", "split", "annotated", "seed", "quick", "method"]
    assert {"version", "commit", "numpy", "threads", "cpu", "started"} <= set(row)
    assert row["accuracy"] == 0.1


def test_what_was_found_is_not_run_again_and_what_is_resumed_is_said(some, ran, tmp_path, capsys):
    path = tmp_path / "some.jsonl"
    run_jobs(plan([some], Asked(("cub",), seeds=1)), tmp_path)
    assert "resuming" not in capsys.readouterr().err
    lines = path.read_text().splitlines(keepends=True)
    # The last of six is cut short.
    path.write_text("".join(lines)[:-9])
    ran.clear()
    found = run_jobs(plan([some], Asked(("cub",), annotated=(1, 5))), tmp_path)
    assert f"resuming: 5 of 12 rows found in {tmp_path}" in capsys.readouterr().err
    assert ran[0] == (5, 0, "sapwood-paper")
    assert (found["found"], found["added"], len(ran)) == (5, 7, 7)
    kept = read_rows(path)
    assert len({(r["annotated"], r["seed"], r["method"]) for r in kept}) == len(kept) == 12


def test_methods_that_could_not_be_run_are_told_when_resuming(some, tmp_path, monkeypatch, capsys):
    def run(case, methods):
        for name in methods:
            yield {"method": name, **({"skipped": "no torch"} if name == "b" else {})}

    monkeypatch.setitem(BENCHES, "some", replace(some, run=run))
    jobs = plan([some], Asked(("cub",), seeds=1))
    assert run_jobs(jobs, tmp_path)["skipped"] == ["b: no torch"] * 2
    assert "could not be run" not in capsys.readouterr().err
    assert run_jobs(jobs, tmp_path)["skipped"] == ["b: no torch"] * 2
    assert "2 of these only say why a method could not be run (b)" in capsys.readouterr().err


def test_a_case_that_fails_stops_no_other_and_is_raised_in_the_end(some, ran, tmp_path, capsys):
    def failing(case, methods):
        yield {"method": "a"}
        if case.annotated == 1:
            raise ZeroDivisionError("by zero")
        yield {"method": "b"}

    jobs = [job._replace(methods=("a", "b")) for job in plan([some], Asked(("cub",), seeds=1))]
    object.__setattr__(some, "run", failing)
    with pytest.raises(ZeroDivisionError):
        run_jobs(jobs, tmp_path)
    assert (
        "failed: some cub paper K=1 seed=0: ZeroDivisionError: by zero" in capsys.readouterr().err
    )
    rows = read_rows(tmp_path / "some.jsonl")
    assert [(row["annotated"], row["method"]) for row in rows] == [(1, "a"), (5, "a"), (5, "b")]


def test_a_full_disk_ends_the_run_at_once(some, ran, tmp_path, monkeypatch):
    def full(path, rows):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("sapwood.benchmark.jobs.append_rows", full)
    with pytest.raises(OSError, match="No space"):
        run_jobs(plan([some], Asked(("cub",))), tmp_path)
    assert len(ran) == 1


def test_a_log_tells_how_far_it_is(some, tmp_path, capsys):
    run_jobs(plan([some], Asked(("cub",), seeds=1)), tmp_path)
    assert "2 of 2 cases: some cub paper K=5 seed=0" in capsys.readouterr().err


def test_quick_rows_and_others_do_not_mix(some, tmp_path):
    run_jobs(plan([some], Asked(("cub",), quick=True)), tmp_path)
    with pytest.raises(InputError, match="rows of a quick run, this one is whole"):
        run_jobs(plan([some], Asked(("cub",))), tmp_path)


@pytest.mark.parametrize(
    "others",
    [
        {"features": 2 * np.eye(3)},
        {"labels": [0, 1, 1]},
        {"attributes": 2 * np.eye(3)},
        {"splits": {"paper": Split(name="paper", unseen=[2])}},
    ],
)
def test_rows_of_other_data_under_the_same_name_are_refused(some, ran, tmp_path, others):
    run_jobs(plan([some], Asked(("cub",), seeds=1)), tmp_path)
    register_data("cub", lambda: data_of(**others))
    for K in (1, 7):
        with pytest.raises(InputError, match=r"rows of cub .* other data than --data cub has now;"):
            run_jobs(plan([some], Asked(("cub",), annotated=(K,), seeds=1)), tmp_path)
    assert len(ran) == 6
    # What nobody computes with may change, and other names have nothing to do with it.
    register_data("cub", lambda: data_of(provenance={"path": "elsewhere"}))
    found = run_jobs(plan([some], Asked(("cub", "awa"), seeds=1)), tmp_path)
    assert (found["found"], found["added"]) == (6, 6)


def test_rows_that_do_not_tell_their_data_are_trusted(some, ran, tmp_path):
    jobs = plan([some], Asked(("cub",), seeds=1))
    append_rows(tmp_path / "some.jsonl", [job.row(m) for job in jobs for m in job.methods])
    assert run_jobs(jobs, tmp_path)["found"] == 6
    assert ran == []


def test_a_case_in_other_hands_is_left_to_them_and_looked_after_later(some, ran, tmp_path, capsys):
    jobs = plan([some], Asked(("cub",), seeds=1))
    claim = claim_file(tmp_path, jobs[0].case)
    held = claimed(claim)
    held.__enter__()
    assert run_job(tmp_path, False, jobs[0]) is None
    # The other process ends without having run it.
    threading.Timer(0.3, held.__exit__, (None, None, None)).start()
    found = run_jobs(jobs, tmp_path)
    assert found["added"] == 6
    assert [K for K, _, _ in ran] == [5, 5, 5, 1, 1, 1]
    assert "1 cases are being run by another command; waiting" in capsys.readouterr().err


def test_rows_that_another_process_wrote_meanwhile_are_not_found_again(some, ran, tmp_path):
    (job, *_) = plan([some], Asked(("cub",), seeds=1))
    assert run_job(tmp_path, False, job) == 3
    assert run_job(tmp_path, False, job) == 0
    assert len(ran) == 3


def test_a_choice_is_made_once(tmp_path):
    made = []

    def choose():
        made.append(1)
        return {"parameters": {"rate": 0.2}}

    key = {"data": "cub", "annotated": 5}
    assert kept_choice(key, choose) == {"parameters": {"rate": 0.2}}
    with working_in(tmp_path):
        first = kept_choice(key, choose)
        assert kept_choice(key, choose) == first
        kept_choice({**key, "annotated": 10}, choose)
    assert len(made) == 3
    lines = (tmp_path / "tuned.jsonl").read_text().splitlines()
    assert json.loads(lines[0]) == {**key, **first}


def test_a_choice_on_other_data_is_made_again(tmp_path):
    old, key = {"parameters": {"rate": 0.1}}, {"data": "birds"}
    new, prints = {"parameters": {"rate": 0.2}}, {"data": "abc"}
    with working_in(tmp_path, prints):
        assert kept_choice(key, lambda: old) == old
        assert kept_choice(key, lambda: new) == old
    with working_in(tmp_path, {"data": "def"}):
        assert kept_choice(key, lambda: new) == new
    append_rows(tmp_path / "tuned.jsonl", [{"data": "cub", **old}])
    with working_in(tmp_path, prints):
        assert kept_choice({"data": "cub"}, lambda: new) == old


def test_provenance_names_no_file_and_no_host():
    told = provenance()
    assert told["threads"] == 1
    assert not any("/" in str(value) for value in told.values())
