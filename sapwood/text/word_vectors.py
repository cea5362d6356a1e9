"""Word vectors from files as word2vec, GloVe and fastText write them in text."""

from __future__ import annotations

import gzip
import hashlib
import re
import warnings
import zlib
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import IO

import numpy as np

from sapwood.errors import InputError

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
#: Bytes from which a file is recognised: files of word vectors have gigabytes.
RECOGNISED = 2**20


class WordVectors:
    r"""Mean of the vectors of a text's words.

    A line of the file is a word and its numbers, separated by blanks; a first line of two whole
    numbers (how many words, how many numbers) may stand before them. Only words that are asked for
    are kept in memory. Case is ignored: a word in lower case goes before other spellings.

    Parameters
    ----------
    path : str or Path
        Text, possibly packed by gzip.

    Attributes
    ----------
    missing : Counter
        Words of the texts encoded last that the file does not have, and how often they occur.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "tiny.vec").write_text("red 1 0\nbird 0 1\n")
    ...     WordVectors(Path(folder, "tiny.vec")).encode(["Red bird", "bird"])
    array([[0.5, 0.5],
           [0. , 1. ]])
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.missing: Counter[str] = Counter()

    @cached_property
    def name(self) -> str:
        """Recognises the file by its size and its beginning, wherever it lies."""
        with self.path.open("rb") as file:
            start = file.read(RECOGNISED)
        digest = hashlib.sha256(start + str(self.path.stat().st_size).encode())
        return f"word vectors {digest.hexdigest()[:16]}"

    def encode(self, texts: list[str]) -> np.ndarray:
        """Return a vector for each of n texts, shape (n, t).

        Warns
        -----
        UserWarning
            If words have no vector; they are left out of the mean.
        """
        words = [WORD.findall(text.casefold()) for text in texts]
        known = self._look_up({word for found in words for word in found})
        self.missing = Counter(word for found in words for word in found if word not in known)
        hopeless = [i for i, found in enumerate(words) if not any(word in known for word in found)]
        if hopeless:
            raise InputError(
                f"{self.path.name} has no vector for any word of {texts[hopeless[0]]!r} "
                f"({len(hopeless)} of {len(texts)} texts); use other words or other vectors"
            )
        self._warn(sum(map(len, words)))
        return np.array(
            [np.mean([known[word] for word in found if word in known], axis=0) for found in words]
        )

    def _warn(self, total: int) -> None:
        if self.missing:
            first = ", ".join(repr(word) for word, _ in self.missing.most_common(3))
            warnings.warn(
                f"{self.path.name}: {self.missing.total()} of {total} words have no vector and are "
                f"left out; {len(self.missing)} different ones, the most frequent {first}",
                stacklevel=3,
            )

    def _look_up(self, wanted: set[str]) -> dict[str, np.ndarray]:
        found: dict[str, np.ndarray] = {}
        exact: set[str] = set()
        width = None
        for number, line in self._lines():
            if width is None:
                width = _width(line, self.path, number)
            word, *rest = line.rsplit(" ", width)
            key = word.casefold()
            if key not in wanted or key in exact or (key in found and word != key):
                continue
            found[key] = _numbers(rest, width, self.path, number)
            if word == key:
                exact.add(key)
        return found

    def _lines(self) -> Iterator[tuple[int, str]]:
        """Yield line numbers and lines, without the one that only counts words and numbers."""
        try:
            with _opened(self.path) as file:
                for number, raw in enumerate(file, start=1):
                    line = (
                        raw.decode("utf-8-sig" if number == 1 else "utf-8")
                        .rstrip()
                        .replace("\t", " ")
                    )
                    if line and not (number == 1 and re.fullmatch(r"\d+ \d+", line)):
                        yield number, line
        except UnicodeDecodeError:
            raise InputError(
                f"{self.path}: line {number} is not text; word2vec's binary format is not read: "
                "save the vectors as text"
            ) from None
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(f"{self.path} cannot be read: {error}") from None


def _opened(path: Path) -> IO[bytes] | gzip.GzipFile:
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    return gzip.open(path) if packed else path.open("rb")


def _width(line: str, path: Path, number: int) -> int:
    width = len(line.split(" ")) - 1
    if width < 2:
        raise InputError(
            f"{path}: line {number} has {width} numbers; expected a word and its vector, separated "
            "by blanks"
        )
    return width


def _numbers(cells: list[str], width: int, path: Path, number: int) -> np.ndarray:
    try:
        vector = np.array(cells, dtype=np.float64)
    except ValueError:
        vector = np.empty(0)
    if len(vector) != width or not np.isfinite(vector).all():
        raise InputError(
            f"{path}: line {number} is not a word and {width} numbers, as the first is; repair the "
            "file or fetch it again"
        )
    return vector
