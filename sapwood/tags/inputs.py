"""Tags as users have them, matrices or lists of words, as one sparse matrix."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import scipy.sparse

from sapwood.errors import InputError
from sapwood.tags.checks import usual_names
from sapwood.tags.frames import numbers_of
from sapwood.tags.vocabulary import Vocabulary, build_vocabulary, fold_tag

Tags: TypeAlias = scipy.sparse.csr_array
NAMED_TWICE = "tag_names is given beside words, which name themselves; leave it out"


def settled(tags: Any) -> Any:
    """Return tags that can be read more than once: what can be read but once becomes lists.

    Examples
    --------
    >>> settled(map(str.split, ["sea sky", ""]))
    [['sea', 'sky'], []]
    """
    if len(getattr(tags, "shape", ())) == 2 or not isinstance(tags, Iterable):
        return tags
    return [list(row) if hasattr(row, "__next__") else row for row in tags]


def holds_words(tags: Any) -> bool:
    """Tell whether `tags` are lists of words, and not a matrix.

    Examples
    --------
    >>> holds_words([["sea"], []]), holds_words([[0, 1]]), holds_words(np.eye(2))
    (True, False, False)
    """
    if hasattr(tags, "shape") and len(tags.shape) == 2:
        return False
    try:
        rows = iter(tags)
    except TypeError:
        return False
    for row in rows:
        if isinstance(row, str) or not isinstance(row, Iterable):
            continue
        words = [isinstance(word, str) for word in row]
        if words:
            return all(words)
    # Nothing but empty lists: there is no number that would make it a matrix.
    return hasattr(tags, "__len__") and len(tags) > 0 and all(_is_empty(row) for row in tags)


def read_words(
    tags: Any,
    vocabulary: Vocabulary | None,
    n_tags: int,
    stop_tags: Iterable[str] | None,
    first: Iterable[int] | None = None,
) -> tuple[Tags, Vocabulary]:
    """Return the matrix of lists of words, and its vocabulary, which is made where None is given.

    Parameters
    ----------
    tags : sequence of sequences of str
    vocabulary : Vocabulary, optional
    n_tags, stop_tags, first
        As in :func:`sapwood.tags.build_vocabulary`.
    """
    rows = list(tags)
    for i, row in enumerate(rows):
        wrong = isinstance(row, str) or not isinstance(row, Iterable)
        if wrong or not all(isinstance(word, str) for word in row):
            raise InputError(
                f"tags[{i}] is {row!r}; expected a list of words for each image, such as "
                "['dog', 'grass'], empty where it has none"
            )
    if vocabulary is None:
        vocabulary = build_vocabulary(rows, n_tags, stop_tags, first)
    return vocabulary.encode(rows), vocabulary


def vocabulary_of(names: Sequence[str] | None) -> Vocabulary:
    """Return a vocabulary of the names that came with a matrix of tags.

    Examples
    --------
    >>> vocabulary_of(["Sea", "#sky"]).names
    ('sea', 'sky')
    """
    folded = tuple(map(fold_tag, names or ()))
    if not names or list(names) == usual_names("tag", len(names)) or len(set(folded)) < len(folded):
        raise InputError(
            "tags are words, and the columns of the matrix given to fit have no names, or names "
            "that are one word; give a matrix, or fit with tag_names that differ"
        )
    return Vocabulary(folded)


def read_matrix(tags: Any, columns: int | None = None) -> Tags:
    """Return a matrix of tags, shape (n, t), as sparse single precision.

    Parameters
    ----------
    tags : array-like, sparse matrix or DataFrame of shape (n, t)
        0 and 1, or non-negative weights.
    columns : int, optional
        How many it must have.

    Examples
    --------
    >>> read_matrix([[0, 1], [2, 0]]).toarray()
    array([[0., 1.],
           [2., 0.]], dtype=float32)
    """
    if not scipy.sparse.issparse(tags):
        tags = _as_array(numbers_of(tags))
    if tags.ndim != 2 or tags.dtype.kind not in "biuf":
        raise InputError(
            f"tags has shape {tags.shape} and holds {tags.dtype}; expected numbers of shape "
            "(images, tags), or a list of words for each image"
        )
    if 0 in tags.shape:
        raise InputError(f"tags has shape {tags.shape}; expected at least one image and one tag")
    if columns is not None and tags.shape[1] != columns:
        raise InputError(f"tags has {tags.shape[1]} columns; expected {columns}, as in fit")
    # A copy: the weights will be divided by their median, and the matrix is the user's.
    T = scipy.sparse.csr_array(tags, dtype=np.float32, copy=True)
    T.sum_duplicates()
    T.eliminate_zeros()
    if not np.isfinite(T.data).all() or (T.data < 0).any():
        raise InputError(
            "tags has negative, NaN or infinite entries; write 0 where a tag is absent, 1 or a "
            "weight where it is given"
        )
    return T


def _as_array(tags: Any) -> np.ndarray:
    try:
        return np.asarray(tags)
    except ValueError:
        raise InputError(
            "tags has rows of unequal length that are not lists of words; give a rectangular "
            "matrix, or a list of words for each image"
        ) from None


def _is_empty(row: Any) -> bool:
    return isinstance(row, Iterable) and not isinstance(row, str) and not list(row)
