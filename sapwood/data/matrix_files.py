"""Features of images from any file that holds a matrix, with or without the images' names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapwood.data.arrays import numeric
from sapwood.data.files import require_file
from sapwood.data.mat import read_mat
from sapwood.data.names import clean
from sapwood.data.own import read_features
from sapwood.data.plain_text import read_number_rows
from sapwood.data.problems import Report


@dataclass(frozen=True)
class Matrix:
    """Features (n × d) and, where the file has them, the names of their images.

    Examples
    --------
    >>> Matrix(np.eye(2), None).names is None
    True
    """

    values: NDArray[Any]
    names: list[str] | None
    columns: str | None = None


def read_matrix(path: Path, report: Report) -> Matrix:
    r"""Read features from ``.npz``, ``.npy``, ``.mat``, CSV, Parquet or rows of plain numbers.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "f.txt").write_text("1 2\n3 4\n")
    ...     read_matrix(Path(folder, "f.txt"), Report()).values.shape
    (2, 2)
    """
    suffix = path.suffix.lower()
    if suffix not in _READERS:
        fix = f"give one that ends in {', '.join(_READERS)}"
        raise report.fatal(path.name, f"features in a file ending in {suffix!r}", fix)
    require_file(path, report, path.name)
    return _READERS[suffix](path, report)


def _from_table(path: Path, report: Report) -> Matrix:
    fields = read_features(path, report)
    values = numeric(fields["features"], 2, f"{path.name}: features", report)
    report.stop()
    names = fields["image_names"]
    texts = None if names is None else [_text(name) for name in np.ravel(names)]
    columns = fields.get("provenance", {}).get("feature_columns")
    return Matrix(values, texts, columns)  # type: ignore[arg-type]  # stop() raised if it is None


def _text(name: Any) -> str:
    return clean(name.decode("utf-8", "replace") if isinstance(name, bytes) else name)


def _from_npy(path: Path, report: Report) -> Matrix:
    try:
        # Mapped, not read: a matrix of all features may be larger than memory.
        values = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, OSError, EOFError, SyntaxError) as error:
        message = "not a whole .npy file of numbers"
        raise report.fatal(path.name, message, "write it with numpy.save") from error
    checked = numeric(values, 2, path.name, report)
    report.stop()
    return Matrix(checked, None)  # type: ignore[arg-type]


def _from_mat(path: Path, report: Report) -> Matrix:
    content = read_mat(path, ("features", "image_files"), report)
    if "features" not in content:
        raise report.fatal(path.name, "no variable 'features'", "store d × n features under it")
    values = numeric(content["features"], 2, f"{path.name}: features", report)
    report.stop()
    files = content.get("image_files")
    # Columns are images in MATLAB files, as in the xlsa17 layout.
    return Matrix(values.T, None if files is None else [clean(f) for f in files])  # type: ignore[union-attr]


def _from_text(path: Path, report: Report) -> Matrix:
    with path.open("rb") as file:
        first = file.readline(1 << 20)
    try:
        np.array(first.split(), dtype=np.float64)
    except ValueError:
        return _from_table(path, report)
    return Matrix(read_number_rows(path, report, np.float32), None)


_READERS: dict[str, Callable[[Path, Report], Matrix]] = {
    ".npz": _from_table,
    ".npy": _from_npy,
    ".mat": _from_mat,
    ".csv": _from_table,
    ".tsv": _from_table,
    ".parquet": _from_table,
    ".txt": _from_text,
    ".dat": _from_text,
}
MATRICES = tuple(_READERS)
