"""MATLAB files, version 5 and version 7.3 (HDF5, by h5py), as one kind of dictionary."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapwood.data.files import require_file
from sapwood.data.mat5 import Damaged, NotRead, read_mat5
from sapwood.data.problems import Report
from sapwood.extras import how_to_install

_HDF5 = b"\x89HDF\r\n\x1a\n"


def read_mat(path: Path, names: tuple[str, ...], report: Report) -> dict[str, Any]:
    """Return the named variables a MATLAB file has: numeric arrays, and lists for cells of text.

    Parameters
    ----------
    path : Path
    names : tuple of str
        The variables to read; others are left alone.
    report : Report

    Examples
    --------
    >>> import tempfile
    >>> from scipy.io import savemat
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     savemat(Path(folder) / "a.mat", {"x": np.eye(2)})
    ...     read_mat(Path(folder) / "a.mat", ("x", "y"), Report())["x"].shape
    (2, 2)
    """
    where = path.name
    require_file(path, report, where)
    with path.open("rb") as file:
        start = file.read(520)
    if start.startswith(_HDF5) or start[512:] == _HDF5:
        return _read_hdf5(path, names, report)
    try:
        return read_mat5(path.read_bytes(), names)
    except NotRead as error:
        raise report.fatal(where, str(error), error.fix) from error
    except (Damaged, UnicodeDecodeError, OSError) as error:
        raise report.fatal(
            where, f"not a readable MATLAB file ({error})", "copy it again"
        ) from error


def _read_hdf5(path: Path, names: tuple[str, ...], report: Report) -> dict[str, Any]:
    where = path.name
    try:
        import h5py
    except ImportError:
        fix = f"{how_to_install('matlab')}, or save the file in MATLAB with -v7"
        raise report.fatal(where, "MATLAB 7.3 files need h5py", fix) from None
    try:
        with h5py.File(path, "r") as file:
            present = [name for name in names if name in file]
            for name in present:
                if _is_foreign(file, name, h5py):
                    break
            else:
                return {name: _from_hdf5(file, file[name], h5py) for name in present}
    except Exception as error:  # a foreign parser on foreign bytes fails in any way it likes
        reason = str(error).splitlines()[0][:100] if str(error) else type(error).__name__
        raise report.fatal(
            where, f"not a readable MATLAB 7.3 file ({reason})", "copy it again"
        ) from error
    fix = "do not trust this file; write it again from MATLAB"
    raise report.fatal(where, f"variable {name!r} points to another file", fix)


def _is_foreign(file: Any, name: str, h5py: Any) -> bool:
    if not isinstance(file.get(name, getlink=True), h5py.HardLink):
        return True
    item = file[name]
    return not isinstance(item, h5py.Dataset) or bool(item.external) or item.is_virtual


def _from_hdf5(file: Any, item: Any, h5py: Any) -> Any:
    if item.dtype == h5py.ref_dtype:
        # MATLAB stores a cell as references to arrays of UTF-16 code units.
        cells = item[()].T.ravel()
        return [_utf16(file[ref][()]) for ref in cells]
    # HDF5 lists the axes in the opposite order of MATLAB.
    return np.asarray(item[()]).T


def _utf16(units: NDArray[Any]) -> str:
    return units.T.ravel().astype("<u2").tobytes().decode("utf-16-le")
