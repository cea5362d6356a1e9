import multiprocessing
import os
import signal
import sys
from functools import partial

import pytest
from threadpoolctl import threadpool_info

from sapwood.benchmark import Task, command_line, compute, read_rows, run_missing

#: What other processes import.
WORKERS = """
import os, pathlib, signal, time

def named(task):
    return [{"task": task, "process": os.getpid()}]

def stop_the_command(path, task):
    if task == "stop":
        while not path.exists():
            time.sleep(0.01)
        os.kill(os.getppid(), signal.SIGINT)
    if task in ("stop", "long"):
        time.sleep(60)
    return named(task)
"""


@pytest.fixture(autouse=True)
def _hears_ctrl_c():
    """Where the tests run in the background, Ctrl-C is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def workers(tmp_path, monkeypatch):
    (tmp_path / "workers_of_this_test.py").write_text(WORKERS)
    monkeypatch.syspath_prepend(str(tmp_path))
    import workers_of_this_test

    yield workers_of_this_test
    del sys.modules["workers_of_this_test"]


def tasks_in(path):
    return [row["task"] for row in read_rows(path)]


def doubled(task):
    return [{"task": task}, {"task": 2 * task}]


def test_rows_are_written_task_by_task(tmp_path, capsys):
    compute(doubled, [1, 5], tmp_path / "rows.jsonl", title="numbers")
    assert tasks_in(tmp_path / "rows.jsonl") == [1, 2, 5, 10]
    assert "2 numbers in 0.0 minutes" in capsys.readouterr().err


def test_nothing_to_do_is_done_without_a_word(tmp_path, capsys):
    compute(doubled, [], tmp_path / "rows.jsonl")
    assert capsys.readouterr().err == ""
    assert read_rows(tmp_path / "rows.jsonl") == []


def test_work_has_one_thread_and_its_neighbour_lists_are_kept(tmp_path):
    import numpy as np

    from sapwood.graph import nearest_neighbors

    def work(task):
        nearest_neighbors(np.eye(4), 2)
        return [{"task": max([library["num_threads"] for library in threadpool_info()])}]

    compute(work, [0], tmp_path / "rows.jsonl", graphs=tmp_path / "graphs")
    assert tasks_in(tmp_path / "rows.jsonl") == [1]
    assert len(list((tmp_path / "graphs").iterdir())) == 1


def test_a_task_that_fails_is_heard_of_and_earlier_rows_are_there(tmp_path):
    def work(task):
        return [{"task": 1 / task}]

    with pytest.raises(ZeroDivisionError):
        compute(work, [1, 0, 1], tmp_path / "rows.jsonl")
    assert tasks_in(tmp_path / "rows.jsonl") == [1.0]


def test_ctrl_c_leaves_a_file_that_can_be_resumed(tmp_path, capsys):
    stopped = []

    def work(task):
        if task == 3 and not stopped:
            stopped.append(task)
            os.kill(os.getpid(), signal.SIGINT)
        return [{"task": task}]

    path = tmp_path / "rows.jsonl"
    with pytest.raises(SystemExit) as ended:
        compute(work, [1, 2, 3, 4], path)
    assert ended.value.code == 130
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert said == "stopped after 2 of 4 problems; run it again for the others"
    assert tasks_in(path) == [1, 2]
    compute(work, [3, 4], path)
    assert tasks_in(path) == [1, 2, 3, 4]


# Starting processes takes a second or two.
def test_several_processes_share_the_tasks(tmp_path, workers):
    compute(workers.named, list("abcd"), tmp_path / "rows.jsonl", jobs=2)
    rows = read_rows(tmp_path / "rows.jsonl")
    assert sorted(row["task"] for row in rows) == list("abcd")
    assert os.getpid() not in {row["process"] for row in rows}


def test_ctrl_c_ends_the_processes_at_once(tmp_path, workers, capfd):
    path = tmp_path / "rows.jsonl"
    work = partial(workers.stop_the_command, path)
    with pytest.raises(SystemExit) as ended:
        compute(work, ["a", "stop", "long", "b"], path, jobs=2)
    assert ended.value.code == 130
    assert tasks_in(path) == ["a"]
    assert multiprocessing.active_children() == []
    said = capfd.readouterr().err
    assert "of 4 problems; run it again for the others" in said
    assert "Traceback" not in said


def asked_for(folder, *options):
    where = ["--rows", str(folder / "rows.jsonl"), "--out", str(folder / "out"), "--jobs", "1"]
    return command_line("What is measured.", "some").parse_args([*where, *options])


def test_only_what_is_missing_and_asked_for_is_run(tmp_path):
    ran = []

    def work(task):
        ran.append(task)
        return task.rows([{"method": "a"}, {"method": "b"}])

    tasks = [Task("ours", "cub", K, seed) for seed in (0, 1) for K in (1, 5)]
    run_missing(asked_for(tmp_path, "--annotated", "5", "--seeds", "1"), work, tasks, lambda _: 2)
    assert ran == [tasks[1]]
    rows = run_missing(asked_for(tmp_path), work, tasks, lambda _: 2)
    assert ran == [tasks[1], tasks[0], tasks[2], tasks[3]]
    assert len(rows) == 8
    assert {row["method"] for row in rows} == {"a", "b"}
