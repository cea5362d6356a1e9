"""Reading the arrays of an ``.npz`` file that may be damaged or hostile."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from sapwood.data.files import require_file
from sapwood.data.names import listed, quote, repeated
from sapwood.data.problems import Report

_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, TypeError, SyntaxError)


def read_arrays(path: Path, report: Report, where: str = "") -> dict[str, NDArray[Any]]:
    """Return the arrays of an ``.npz`` file by name; nothing in it is ever executed.

    Parameters
    ----------
    path : Path
    report : Report
        Every entry that cannot be used is reported here; an archive that cannot be opened
        raises `InputError`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.savez(Path(folder) / "a.npz", labels=np.arange(3))
    ...     read_arrays(Path(folder) / "a.npz", Report())
    {'labels': array([0, 1, 2])}
    """
    with _opened(path, report, where) as archive:
        return _read_all(archive, report, where)


def array_names(path: Path, report: Report) -> list[str]:
    """Return what the arrays of an ``.npz`` file are called; none of them is read.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.savez(Path(folder) / "a.npz", labels=np.arange(3))
    ...     array_names(Path(folder) / "a.npz", Report())
    ['labels']
    """
    with _opened(path, report, "") as archive:
        return [name.removesuffix(".npy") for name in archive.namelist()]


@contextmanager
def _opened(path: Path, report: Report, where: str) -> Iterator[zipfile.ZipFile]:
    require_file(path, report, where)
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError):
        raise report.fatal(
            where, "not a whole .npz (zip) file, perhaps cut short", "copy it again"
        ) from None
    except OSError as error:
        raise report.fatal(
            where, f"cannot be read ({error.strerror})", "check the file and its disk"
        ) from error


def _read_all(archive: zipfile.ZipFile, report: Report, where: str) -> dict[str, NDArray[Any]]:
    entries = archive.infolist()
    if not entries:
        raise report.fatal(where, "an archive without arrays", "write it with numpy.savez")
    twice = repeated(entry.filename for entry in entries)
    if twice:
        report.error(where, f"entries given twice: {listed(twice)}", "write the file again")
    arrays = {}
    for entry in entries:
        if _is_foreign(entry.filename):
            message = f"entry {quote(entry.filename)} points outside its folder"
            report.error(where, message, "do not trust this file; write it with numpy.savez")
        elif not entry.filename.endswith(".npy"):
            message = f"entry {quote(entry.filename)} is not an array"
            report.error(where, message, "write the file with numpy.savez")
        else:
            array = _read_entry(archive, entry, report, where)
            if array is not None:
                arrays[entry.filename.removesuffix(".npy")] = array
    return arrays


def _is_foreign(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    return name.startswith(("/", "\\")) or ".." in parts or ":" in parts[0]


def _read_entry(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, report: Report, where: str
) -> NDArray[Any] | None:
    place = f"{where} {entry.filename}".strip()
    try:
        with archive.open(entry) as stream:
            _check_size(stream, entry)
        with archive.open(entry) as stream:
            return np.asarray(npy.read_array(stream, allow_pickle=False))
    except _Pickled:
        fix = "store numbers as a numeric array and names as a string array"
        report.error(place, "a pickled object array, which could run code, is never read", fix)
    except (*_DAMAGE, RuntimeError, NotImplementedError):
        report.error(place, "the array is damaged or encrypted", "copy or write the file again")
    return None


class _Pickled(Exception):
    """The entry would have to be unpickled."""


def _check_size(stream: IO[bytes], entry: zipfile.ZipInfo) -> None:
    """Compare the shape in the header with the bytes there are, before any memory is taken."""
    version = npy.read_magic(stream)
    header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, _, dtype = header(stream)
    if dtype.hasobject:
        raise _Pickled
    items = 1
    for length in shape:
        items *= int(length)
    if items * dtype.itemsize > entry.file_size:
        raise ValueError("shorter than its header says")
