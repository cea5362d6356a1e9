"""Small data sets written in the real layouts; `from tests.data.layouts import …`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy.io import savemat

#: Not in alphabetical order, as in the published files.
CLASSES = ("zebra", "grizzly+bear", "rat", "pig")
UNSEEN = 3


def arrays(**changes: Any) -> dict[str, Any]:
    """Return a valid zero-shot set (12 images, 4 classes, the last unseen) with changes.

    A change to None drops the array.
    """
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(4), 3)
    content = {
        "features": rng.random((12, 5)).astype(np.float32),
        "labels": labels,
        "attributes": rng.random((4, 6)),
        "class_names": np.array(CLASSES),
        "attribute_names": np.array([f"a{j}" for j in range(6)]),
        "image_files": np.array([f"{CLASSES[c]}/{i}.jpg" for i, c in enumerate(labels)]),
        "paper_unseen_classes": np.array([UNSEEN]),
        "ps_trainval": np.array([0, 1, 3, 4, 6, 7]),
        "ps_train": np.array([0, 1, 3, 4]),
        "ps_val": np.array([6, 7]),
        "ps_test_seen": np.array([2, 5, 8]),
        "ps_test_unseen": np.array([9, 10, 11]),
    }
    content.update(changes)
    return {name: value for name, value in content.items() if value is not None}


def write_npz(folder: Path, name: str = "set.npz", **changes: Any) -> Path:
    path = folder / name
    np.savez(path, **arrays(**changes))
    return path


def cells(texts: Any) -> np.ndarray:
    """Return a MATLAB cell column of strings, for savemat."""
    column = np.empty((len(texts), 1), dtype=object)
    column[:, 0] = [str(text) for text in texts]
    return column


def xlsa17_content(version: str = "2", **changes: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the variables of res101.mat and att_splits.mat: columns are images, from 1."""
    a = arrays()
    raw = np.round(a["attributes"] * 100)
    raw[1, 2] = -1
    images = {
        "features": a["features"].T.astype(np.float64),
        "labels": a["labels"][:, None] + 1.0,
        "image_files": [f"/somewhere/JPEGImages/{file}" for file in a["image_files"]],
    }
    classes = {
        "att": (raw / np.linalg.norm(raw, axis=1, keepdims=True)).T,
        "original_att": raw.T,
        "allclasses_names": list(a["class_names"]),
    }
    rows = {n.removeprefix("ps_"): r for n, r in a.items() if n.startswith("ps_")}
    if version == "1":
        rows["train"] = np.array([0, 1, 2, 3, 4, 5])
        rows["val"] = np.array([6, 7, 8])
    classes.update({f"{n}_loc": r[:, None] + 1.0 for n, r in rows.items()})
    for name, value in changes.items():
        target = images if name in images else classes
        target[name] = value
    return (
        {n: v for n, v in images.items() if v is not None},
        {n: v for n, v in classes.items() if v is not None},
    )


def write_xlsa17(
    folder: Path, name: str = "AWA1", version: str = "2", matlab: str = "5", **changes: Any
) -> Path:
    images, classes = xlsa17_content(version, **changes)
    (folder / name).mkdir()
    write = write_v73 if matlab == "7.3" else write_v5
    write(folder / name / "res101.mat", images)
    write(folder / name / "att_splits.mat", classes)
    return folder / name


def write_v5(path: Path, content: dict[str, Any]) -> None:
    savemat(path, {n: cells(v) if isinstance(v, list) else v for n, v in content.items()})


def write_v73(path: Path, content: dict[str, Any]) -> None:
    """Write as MATLAB's ``save -v7.3``: a 512-byte block, axes reversed, cells by reference."""
    import h5py

    with h5py.File(path, "w", userblock_size=512) as file:
        for name, value in content.items():
            if isinstance(value, list):
                _write_cell(file, name, value, h5py)
            else:
                file.create_dataset(name, data=np.asarray(value).T)
                file[name].attrs["MATLAB_class"] = np.bytes_("double")
    with path.open("r+b") as raw:
        raw.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(116) + b" " * 8 + b"\0\2IM")


def _write_cell(file: Any, name: str, texts: list[str], h5py: Any) -> None:
    references = np.empty((1, len(texts)), dtype=h5py.ref_dtype)
    for i, text in enumerate(texts):
        units = np.frombuffer(str(text).encode("utf-16-le"), dtype="<u2")[:, None]
        item = file.create_dataset(f"#refs#/{name}_{i}", data=units)
        item.attrs["MATLAB_class"] = np.bytes_("char")
        references[0, i] = item.ref
    file.create_dataset(name, data=references, dtype=h5py.ref_dtype)
    file[name].attrs["MATLAB_class"] = np.bytes_("cell")


FEATURES = "image,f1,f2\na.jpg,1,2\nb.jpg,3,4\nc.jpg,5,6\n"
ANNOTATIONS = "image,class\na.jpg,owl\nb.jpg,\n"
ATTRIBUTES = "class,beak,tail\nowl,1,0.5\njay,0,\n"


def write_tables(
    folder: Path,
    features: str | bytes | None = FEATURES,
    annotations: str | bytes | None = ANNOTATIONS,
    attributes: str | bytes | None = ATTRIBUTES,
) -> Path:
    content = {"features": features, "annotations": annotations, "attributes": attributes}
    for name, text in content.items():
        if text is not None:
            raw = text.encode() if isinstance(text, str) else text
            (folder / f"{name}.csv").write_bytes(raw)
    return folder
