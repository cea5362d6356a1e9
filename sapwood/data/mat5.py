"""MATLAB 5 files: numbers, text and cells of text, which is all that published sets hold.

SciPy has a reader for all of the format, but its compiled part trusts the type codes and sizes
in the file: a damaged one can end the whole process, where we owe the user one line. This one
takes every length from the bytes that are there; the tests compare it with SciPy's.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MATRIX, _COMPRESSED = 14, 15
_CELL, _CHAR, _SPARSE, _COMPLEX = 1, 4, 5, 0x0800
#: Type codes of stored numbers, classes of MATLAB arrays, and encodings of stored text.
_STORED = {
    1: "i1",
    2: "u1",
    3: "i2",
    4: "u2",
    5: "i4",
    6: "u4",
    7: "f4",
    9: "f8",
    12: "i8",
    13: "u8",
}
_CLASSES = {6: "f8", 7: "f4", 8: "i1", 9: "u1", 10: "i2", 11: "u2", 12: "i4", 13: "u4",
            14: "i8", 15: "u8"}  # fmt: skip
_TEXT = {1: "latin-1", 2: "latin-1", 4: "utf-16", 16: "utf-8", 17: "utf-16", 18: "utf-32"}


class Damaged(ValueError):
    """The bytes are not those of a MATLAB 5 file."""


class NotRead(Damaged):
    """Nothing is damaged, but this kind of file or variable is not read here; `fix` tells more."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.fix = fix


class _Element:
    """One tag and its payload: type code, bytes, and where the next element starts."""

    def __init__(self, raw: memoryview, at: int, order: str) -> None:
        code, size = struct.unpack(f"{order}II", _need(raw, at, 8))
        if code >> 16:  # a small element keeps code, size and data in eight bytes
            self.code, size = code & 0xFFFF, code >> 16
            self.data, self.next = _need(raw, at + 4, size), at + 8
        else:
            self.code, self.data = code, _need(raw, at + 8, size)
            self.next = at + 8 + size + -size % 8


def _need(raw: memoryview, at: int, size: int) -> memoryview:
    if at + size > len(raw):
        raise Damaged("cut short")
    return raw[at : at + size]


def read_mat5(content: bytes, wanted: Collection[str]) -> dict[str, Any]:
    """Return the wanted variables: arrays for numbers, lists of str for text and cells of text.

    Parameters
    ----------
    content : bytes
        The whole file.
    wanted : collection of str
        Names of the variables to read; others may be of any kind.

    Examples
    --------
    >>> read_mat5(b"not a MATLAB file", ["x"])
    Traceback (most recent call last):
        ...
    sapwood.data.mat5.Damaged: no MATLAB 5 header
    """
    mark = content[126:128]
    if mark not in (b"IM", b"MI"):
        if _is_mat4(content):
            raise NotRead("a MATLAB 4 file", "save it again with -v7")
        raise Damaged("no MATLAB 5 header")
    order = "<" if mark == b"IM" else ">"
    raw, at, found = memoryview(content), 128, {}
    while at < len(raw):
        code, size = struct.unpack(f"{order}II", _need(raw, at, 8))
        variable = _variable(code, _need(raw, at + 8, size), order)
        if variable.name in wanted:
            found[variable.name] = variable.value()
        at += 8 + size  # variables are not padded
    return found


def _is_mat4(content: bytes) -> bool:
    """Tell the header of MATLAB 4: the kind of a matrix, its shape, and how long its name is."""
    for order in "<>" if len(content) >= 20 else "":
        kind, _, _, imaginary, name = struct.unpack_from(f"{order}5i", content)
        if 0 <= kind <= 4052 and imaginary in (0, 1) and 0 < name <= 64:
            return True
    return False


def _variable(code: int, payload: memoryview, order: str) -> _Matrix:
    if code == _COMPRESSED:
        try:
            inner = _Element(memoryview(zlib.decompress(payload)), 0, order)
        except zlib.error as error:
            raise Damaged(str(error)) from error
        code, payload = inner.code, inner.data
    return _Matrix(code, payload, order)


class _Matrix:
    """A MATLAB array: class, shape and name are read at once, the data when asked for."""

    def __init__(self, code: int, raw: memoryview, order: str) -> None:
        if code != _MATRIX:
            raise Damaged(f"type {code} where an array belongs")
        flags = _Element(raw, 0, order)
        shape = _Element(raw, flags.next, order)
        name = _Element(raw, shape.next, order)
        if flags.code != 6 or len(flags.data) != 8 or name.code != 1:
            raise Damaged("no array flags or no name")
        if shape.code != 5 or len(shape.data) % 4 or len(shape.data) < 8:
            raise Damaged("no shape")
        self.flags = struct.unpack_from(f"{order}I", flags.data)[0]
        self.shape = struct.unpack(f"{order}{len(shape.data) // 4}i", shape.data)
        self.name = bytes(name.data).decode("latin-1")
        self.raw, self.at, self.order = raw, name.next, order
        if min(self.shape) < 0:
            raise Damaged("a negative length")

    def value(self) -> Any:
        kind = self.flags & 0xFF
        if kind == _CELL:
            return self._cells()
        if kind == _CHAR:
            return self._rows_of_text()
        if kind in _CLASSES and not self.flags & _COMPLEX:
            return self._numbers().astype(_CLASSES[kind], copy=False)
        if kind == _SPARSE:
            message = f"variable {self.name!r} is a sparse matrix"
            raise NotRead(message, "store it full: full(…) in MATLAB, .toarray() in Python")
        message = f"variable {self.name!r} is neither real numbers, text nor a cell of text"
        raise NotRead(message, "store it as one of these")

    def _numbers(self) -> NDArray[Any]:
        part = _Element(self.raw, self.at, self.order)
        stored = np.dtype(self.order + _STORED.get(part.code, "V1"))
        if stored.kind == "V" or len(part.data) != math.prod(self.shape) * stored.itemsize:
            raise Damaged(f"variable {self.name!r} is not as long as its shape says")
        return np.frombuffer(part.data, dtype=stored).reshape(self.shape, order="F")

    def _rows_of_text(self) -> list[str]:
        if 0 in self.shape:
            return []
        part = _Element(self.raw, self.at, self.order)
        codec = _TEXT.get(part.code, "")
        if codec.startswith("utf-") and codec != "utf-8":
            codec += "-le" if self.order == "<" else "-be"
        if not codec:
            raise Damaged(f"type {part.code} where text belongs")
        text = bytes(part.data).decode(codec)
        if self.shape[0] == 1:
            return [text]
        rows = self.shape[0]
        if len(text) != math.prod(self.shape):
            raise Damaged(f"variable {self.name!r} is not as long as its shape says")
        return [text[i::rows].rstrip() for i in range(rows)]  # columns are stored first

    def _cells(self) -> list[str]:
        texts = []
        for _ in range(math.prod(self.shape)):
            element = _Element(self.raw, self.at, self.order)
            self.at = element.next
            inner = _Matrix(element.code, element.data, self.order)
            if inner.flags & 0xFF != _CHAR:
                raise Damaged(f"a cell of variable {self.name!r} is not text")
            texts.append("".join(inner._rows_of_text()))
        return texts
