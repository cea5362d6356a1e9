"""How data on disk is broken: each function writes some into a folder, or returns what does."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tests.data.layouts import (
    write_npz,
    write_tables,
    write_v5,
    write_xlsa17,
    xlsa17_content,
)


@dataclass(frozen=True)
class Given:
    source: str | Path
    attributes: str | None = None
    split: str | Path | None = None


def npz(message: str, **changes: Any) -> tuple[Callable[[Path], Given], str]:
    return lambda folder: Given(write_npz(folder, **changes)), message


def tables(message: str, **changes: Any) -> tuple[Callable[[Path], Given], str]:
    return lambda folder: Given(write_tables(folder, **changes)), message


def xlsa17(message: str, **changes: Any) -> tuple[Callable[[Path], Given], str]:
    return lambda folder: Given(write_xlsa17(folder, **changes)), message


def raw(message: str, name: str, content: bytes) -> tuple[Callable[[Path], Given], str]:
    def write(folder: Path) -> Given:
        (folder / name).write_bytes(content)
        return Given(folder / name)

    return write, message


def split(message: str, content: str, name: str = "u.txt") -> tuple[Callable[[Path], Given], str]:
    def write(folder: Path) -> Given:
        (folder / name).write_text(content, encoding="utf-8")
        return Given(write_npz(folder), split=folder / name)

    return write, message


def having(array: Any, place: Any, value: Any) -> Any:
    changed = np.array(array)
    changed[place] = value
    return changed


def truncated(folder: Path) -> Given:
    path = write_npz(folder)
    path.write_bytes(path.read_bytes()[:-200])
    return Given(path)


def flipped(folder: Path) -> Given:
    path = write_npz(folder)
    raw = bytearray(path.read_bytes())
    raw[200] ^= 255  # inside the data of the first array
    path.write_bytes(bytes(raw))
    return Given(path)


def escaping(folder: Path) -> Given:
    path = write_npz(folder)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("../x.npy", archive.read("labels.npy"))
    return Given(path)


def stray(folder: Path) -> Given:
    path = write_npz(folder)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("run.py", "print('no')")
    return Given(path)


def entry_cut(folder: Path) -> Given:
    path = write_npz(folder, features=None)
    with zipfile.ZipFile(write_npz(folder, "whole.npz")) as whole:
        raw = whole.read("features.npy")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("features.npy", raw[:-40])
    return Given(path)


def empty_zip(folder: Path) -> Given:
    zipfile.ZipFile(folder / "set.npz", "w").close()
    return Given(folder / "set.npz")


def directory(folder: Path) -> Given:
    (folder / "features.csv").mkdir()
    return Given(write_tables(folder, features=None))


def swapped(folder: Path) -> Given:
    from tests.data.layouts import ATTRIBUTES, FEATURES

    return Given(write_tables(folder, features=ATTRIBUTES, attributes=FEATURES))


def ambiguous(folder: Path) -> Given:
    write_npz(folder, "features.npz")
    return Given(write_tables(folder))


def mat_cut(folder: Path) -> Given:
    path = write_xlsa17(folder)
    raw = (path / "res101.mat").read_bytes()
    (path / "res101.mat").write_bytes(raw[: len(raw) // 2])
    return Given(path)


def mat_missing(folder: Path) -> Given:
    path = write_xlsa17(folder)
    (path / "att_splits.mat").unlink()
    return Given(path)


def mat_link(folder: Path) -> Given:
    import h5py

    path = write_xlsa17(folder, matlab="7.3", features=None)
    with h5py.File(path / "res101.mat", "r+") as file:
        file["features"] = h5py.ExternalLink("/etc/other.mat", "/features")
    return Given(path)


def shuffled_paths(folder: Path) -> Given:
    files = xlsa17_content()[0]["image_files"]
    return Given(write_xlsa17(folder, image_files=[*files[1:], files[0]]))


def lone_mat(folder: Path) -> Given:
    write_v5(folder / "res101.mat", xlsa17_content()[0])
    return Given(folder / "res101.mat")


def parquet_text(folder: Path) -> Given:
    import pyarrow
    from pyarrow import parquet

    table = pyarrow.table({"image": ["a.jpg"], "f1": ["one"]})
    parquet.write_table(table, folder / "features.parquet")
    return Given(write_tables(folder, features=None))


def fifo(folder: Path) -> Given:
    import os

    os.mkfifo(folder / "set.npz")
    return Given(folder / "set.npz")
