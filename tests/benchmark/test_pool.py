import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_info

import sapwood
from sapwood.benchmark import compute, read_rows
from sapwood.benchmark.pool import outcomes
from sapwood.graph import nearest_neighbors

#: What other processes import.
WORKERS = """
import os, pathlib, time

told = []

def begin():
    told.append("ready")

def named(task):
    return task, os.getpid(), list(told)

class Odd(Exception):
    def __init__(self, what, which):
        super().__init__(f"{what} {which}")

def failing(task):
    raise Odd("bad", "thing")

def lasting(folder, task):
    pathlib.Path(folder, f"{os.getpid()}.begun").touch()
    time.sleep(60)
"""
PARENT = """
import sys
from functools import partial
import workers_of_this_test as workers
from sapwood.benchmark.pool import outcomes

if __name__ == "__main__":
    list(outcomes(partial(workers.lasting, sys.argv[1]), [1, 2], jobs=2))
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


def test_a_task_that_fails_is_told_and_stops_no_other():
    first, second, third = outcomes(lambda task: 1 / task, [1, 0, 2])
    assert (first.result, third.result) == (1.0, 0.5)
    assert isinstance(second.error, ZeroDivisionError)


def test_work_has_one_thread():
    def threads(task):
        return max(library["num_threads"] for library in threadpool_info())

    assert [done.result for done in outcomes(threads, [0])] == [1]


# Starting processes takes a second or two.
def test_an_error_that_cannot_be_sent_is_told_in_words(workers):
    (done,) = outcomes(workers.failing, [1], 2)
    assert type(done.error) is RuntimeError
    assert str(done.error) == "Odd: bad thing"


def test_several_processes_share_the_tasks_and_are_made_ready(workers):
    found = [done.result for done in outcomes(workers.named, list("abcd"), 2, workers.begin)]
    assert sorted(task for task, _, _ in found) == list("abcd")
    assert os.getpid() not in {process for _, process, _ in found}
    assert all(told == ["ready"] for _, _, told in found)


def test_ctrl_c_ends_the_processes_at_once(workers, tmp_path):
    running = outcomes(partial(workers.lasting, tmp_path), [1, 2], jobs=2)
    interrupter = threading.Thread(target=interrupt_when_two_have_begun, args=(tmp_path,))
    interrupter.start()
    with pytest.raises(KeyboardInterrupt):
        next(running)
    interrupter.join()
    assert multiprocessing.active_children() == []
    assert not any(is_running(int(path.stem)) for path in tmp_path.glob("*.begun"))


def interrupt_when_two_have_begun(folder):
    wait_until(lambda: len(list(folder.glob("*.begun"))) == 2)
    os.kill(os.getpid(), signal.SIGINT)


def test_workers_end_when_their_parent_is_killed(tmp_path):
    (tmp_path / "workers_of_this_test.py").write_text(WORKERS)
    (tmp_path / "parent.py").write_text(PARENT)
    root = Path(sapwood.__file__).parents[1]
    env = {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{tmp_path}"}
    parent = subprocess.Popen([sys.executable, str(tmp_path / "parent.py"), str(tmp_path)], env=env)
    wait_until(lambda: len(list(tmp_path.glob("*.begun"))) == 2)
    children = [int(path.stem) for path in tmp_path.glob("*.begun")]
    parent.kill()
    parent.wait(timeout=30)
    wait_until(lambda: not any(is_running(child) for child in children))


def wait_until(true, seconds=60):
    limit = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < limit
        time.sleep(0.02)


def is_running(process):
    """A process that has ended may be there until somebody asks how."""
    try:
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text().split(")")[1].split()[0] != "Z"
    except OSError:
        return False


def doubled(task):
    return [{"task": task}, {"task": 2 * task}]


def test_rows_are_written_task_by_task(tmp_path, capsys):
    compute(doubled, [1, 5], tmp_path / "rows.jsonl", title="numbers")
    assert tasks_in(tmp_path / "rows.jsonl") == [1, 2, 5, 10]
    assert "2 numbers in 0.0 minutes" in capsys.readouterr().err


def test_nothing_to_do_is_done_without_a_word(tmp_path, capsys):
    compute(doubled, [], tmp_path / "rows.jsonl")
    assert capsys.readouterr().err == ""


def test_neighbour_lists_are_kept(tmp_path):
    def work(task):
        nearest_neighbors(np.eye(4), 2)
        return []

    compute(work, [0], tmp_path / "rows.jsonl", graphs=tmp_path / "graphs")
    assert len(list((tmp_path / "graphs").iterdir())) == 1


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
