"""Kill a benchmark again and again inside a case, resume it, and compare its rows with whole ones.

Each kill is a SIGKILL at a random moment at which a case is known to be in hand: the command is
frozen, its claims are looked at, and only then is it killed. Every other time it has two worker
processes, which have to end by themselves.

    python benchmarks/kill_and_resume.py [KILLS]
"""

from __future__ import annotations

import fcntl
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import sapwood
from sapwood.benchmark import IDENTITY, Row, read_rows
from sapwood.benchmark.provenance import provenance

PLUGIN = """
import time
import numpy as np
from sapwood.benchmark import register_data, register_method
from sapwood.data import Split, ZeroShotData

def tiny():
    rng = np.random.default_rng(0)
    Z, labels = rng.random((6, 4)), np.repeat(np.arange(6), 5)
    X = Z[labels] @ rng.random((4, 5)) + 0.3 * rng.random((30, 5))
    split = Split(name="paper", unseen=np.array([4, 5]))
    return ZeroShotData(features=X, labels=labels, attributes=Z, splits={"paper": split})

class Ridge:
    def __init__(self, ridge):
        self.ridge = ridge

    def fit(self, X, y, *, class_attributes):
        time.sleep(0.04)
        self.Z, Y = class_attributes, class_attributes[y[y >= 0]]
        square = Y.T @ Y + self.ridge * np.eye(Y.shape[1])
        self.W = np.linalg.solve(square, Y.T @ X[y >= 0])
        return self

    def predict(self, X, *, classes):
        P = self.Z[classes] @ self.W
        return np.asarray(classes)[((X[:, None] - P) ** 2).sum(axis=2).argmin(axis=1)]

register_data("tiny", tiny)
for ridge in (0.1, 1.0, 10.0, 100.0):
    register_method(f"ridge-{ridge:g}", lambda ridge=ridge: Ridge(ridge))
"""
METHODS = "ridge-0.1,ridge-1,ridge-10,ridge-100"
#: Fields that differ from run to run.
PASSING = {*provenance(), "fit_seconds", "search_seconds", "peak_mb"}
#: Draws of annotations for each kill, and the longest time to one once a case is in hand.
SEEDS_A_KILL, LONGEST = 8, 0.5


class Command:
    """The benchmark in a process of its own, in a group that can be frozen and killed."""

    def __init__(self, folder: Path, plugin: Path, seeds: int, jobs: int) -> None:
        asked = ["zsl", "--data", "tiny", "--annotated", "2", "--methods", METHODS]
        where = ["--plugin", str(plugin), "--out", str(folder)]
        counts = ["--seeds", str(seeds), "--jobs", str(jobs)]
        root = str(Path(sapwood.__file__).parents[1])
        self.claims = folder / ".work" / "claims"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sapwood", "bench", *asked, *where, *counts],
            env={**os.environ, "PYTHONPATH": root},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def finished(self) -> bool:
        """Tell whether it has ended by itself."""
        return self.process.poll() is not None

    def in_a_case(self) -> bool:
        """Tell whether some process has a case in hand."""
        return any(_is_held(path) for path in self.claims.glob("*.lock"))

    def kill_in_a_case(self, rng: random.Random) -> bool:
        """Kill it at a random moment inside a case; False if it was finished before that."""
        while not self.finished():
            if not self.in_a_case():
                time.sleep(0.01)
                continue
            time.sleep(LONGEST * rng.random())
            if self.finished():
                break
            os.killpg(self.process.pid, signal.SIGSTOP)
            inside = self.in_a_case()
            if inside:
                self.process.kill()
            os.killpg(self.process.pid, signal.SIGCONT)
            if inside:
                self.process.wait(timeout=30)
                self.require_no_orphans()
                return True
        return False

    def require_no_orphans(self) -> None:
        """Wait until no worker has a case in hand any more."""
        limit = time.monotonic() + 10
        while self.in_a_case():
            if time.monotonic() > limit:
                raise AssertionError("a worker outlived its command by ten seconds")
            time.sleep(0.01)


def kill_and_resume(kills: int, folder: Path, seed: int = 0) -> dict[str, int]:
    """Return how many kills landed inside a case and how many rows there were in the end.

    Parameters
    ----------
    kills : int
    folder : Path
        For the plugin and the rows.
    seed : int
        Of the moments.
    """
    plugin, rng, seeds = folder / "tiny.py", random.Random(seed), SEEDS_A_KILL * kills
    plugin.write_text(PLUGIN, encoding="utf-8")
    whole = Command(folder / "whole", plugin, seeds, jobs=1)
    landed = 0
    while landed < kills:
        command = Command(folder / "killed", plugin, seeds, jobs=1 + landed % 2)
        if not command.kill_in_a_case(rng):
            raise AssertionError(f"it was finished after {landed} of {kills} kills")
        landed += 1
    assert Command(folder / "killed", plugin, seeds, jobs=1).process.wait(timeout=600) == 0
    assert whole.process.wait(timeout=600) == 0
    found, expected = (_kept(folder / name / "zsl.jsonl") for name in ("killed", "whole"))
    assert len({json.loads(row)["seed"] for row in expected}) == seeds
    assert len(found) == len(set(found)), "rows are doubled"
    assert sorted(found) == sorted(expected), "rows were lost or differ"
    return {"kills": landed, "rows": len(found)}


def _kept(path: Path) -> list[str]:
    rows = read_rows(path)
    assert len({tuple(row[name] for name in IDENTITY) for row in rows}) == len(rows)
    return [json.dumps(_lasting(row), sort_keys=True) for row in rows]


def _lasting(row: Row) -> Row:
    return {name: value for name, value in row.items() if name not in PASSING}


def _is_held(path: Path) -> bool:
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def main() -> None:
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 25
    with tempfile.TemporaryDirectory() as folder:
        found = kill_and_resume(kills, Path(folder), seed=random.randrange(10**6))
    print(f"{found['kills']} kills inside a case; {found['rows']} rows, none lost, none doubled")


if __name__ == "__main__":
    main()
