"""Fixtures shared by all tests."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest


def pytest_addoption(parser):
    parser.addoption(
        "--xlsa17",
        metavar="PATH",
        help="folder with the features of Xian et al.: CUB, AWA1, AWA2, APY and SUN below it",
    )


@dataclass(frozen=True)
class World:
    """A small zero-shot problem: classes 0..5 are seen, 6 and 7 unseen."""

    X: np.ndarray
    y: np.ndarray
    Z: np.ndarray
    labels: np.ndarray
    X_unseen: np.ndarray
    labels_unseen: np.ndarray


def make_world(seed=0, n=160, d=24, k=9, classes=8, noise=0.25, annotated=4):
    """Draw images near a linear image of their class's attributes; a few of each are annotated."""
    rng = np.random.default_rng(seed)
    Z = rng.random((classes, k)) + 0.05
    labels = rng.integers(0, classes, n)
    labels[:classes] = np.arange(classes)
    X = np.abs(Z[labels] @ rng.random((k, d)) + noise * rng.standard_normal((n, d)))
    seen = labels < classes - 2
    y = np.full(n, -1)
    for c in range(classes - 2):
        y[np.flatnonzero(labels == c)[:annotated]] = c
    return World(X[seen], y[seen], Z, labels[seen], X[~seen], labels[~seen])


@pytest.fixture
def world():
    return make_world()


@pytest.fixture(scope="session")
def shared_data():
    """Folder with the real data sets; the tests that need it skip where it is not given."""
    folder = os.environ.get("SAPWOOD_DATA")
    if not folder:
        pytest.skip("SAPWOOD_DATA is not set: it names the folder that holds the real data sets")
    return Path(folder)


class NoTorch:
    """Finds that there is none."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] == "torch":
            raise ModuleNotFoundError(name)


@pytest.fixture
def forget_torch(monkeypatch):
    def forget():
        monkeypatch.delitem(sys.modules, "torch", raising=False)
        monkeypatch.setattr(sys, "meta_path", [NoTorch, *sys.meta_path])

    return forget


@pytest.fixture
def draw_world():
    return make_world


@pytest.fixture
def data_file(tmp_path, world):
    """The small problem as a data set on disk, with a split and names."""
    path = tmp_path / "birds.npz"
    rows = len(world.X)
    np.savez(
        path,
        features=np.vstack([world.X, world.X_unseen]).astype(np.float32),
        labels=np.r_[world.labels, world.labels_unseen],
        attributes=world.Z,
        class_names=[f"bird {c}" for c in "abcdefgh"],
        attribute_names=[f"trait {j}" for j in range(world.Z.shape[1])],
        image_files=[f"{i:03d}.jpg" for i in range(rows + len(world.X_unseen))],
        paper_unseen_classes=[6, 7],
    )
    return path
