"""From words as people type them to columns of a matrix."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import scipy.sparse

from sapwood.errors import InputError

#: Tags that say something about the camera, the site or the group, and nothing about the picture.
STOP_TAGS = frozenset(
    """
    canon nikon sony olympus pentax fujifilm leica kodak lumix panasonic iphone ipad dslr slr eos
    d40 d50 d70 d80 d90 d200 d300 350d 400d 450d 30d 40d 5d 18-55mm 50mm 1.8 f1.8 lens camera
    geotagged geotag flickr flickrtoday flickrdiamond instagram insta instagood explore explored
    interestingness i500 top20 aplusphoto abigfave supershot anawesomeshot impressedbeauty
    diamondclassphotographer theperfectphotographer platinumphoto goldstaraward superbmasterpiece
    photo photos photography picture pictures pic pics image images foto fotos photographer
    2004 2005 2006 2007 2008 2009 2010
    the a an of and in on at to for with by from
    """.split()
)


def fold_tag(text: str) -> str:
    """Write a tag in the one way all its spellings share.

    Unicode is normalised (NFKC), capitals become small, number signs, quotation marks and spaces
    around the word go, and spaces within become one.

    Examples
    --------
    >>> fold_tag(" #New  York "), fold_tag("ＳＥＡ"), fold_tag("Straße")
    ('new york', 'sea', 'strasse')
    """
    # Folding can bring back what NFKC had removed, and the other way round.
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", str(text)).casefold())
    return " ".join(folded.strip("#\"'“”‘’`,;. \t\r\n").split())


@dataclass(frozen=True)
class Vocabulary:
    """The tags that have a column, in the order of the columns.

    Attributes
    ----------
    names : tuple of str
    """

    names: tuple[str, ...]
    _column: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_column", {name: j for j, name in enumerate(self.names)})

    def encode(self, tags: Iterable[Iterable[str]]) -> scipy.sparse.csr_array:
        """Return a matrix of shape (n, t) with 1 where an image has a tag.

        Tags that have no column are left out; a tag written twice counts once.

        Examples
        --------
        >>> Vocabulary(("sea", "sky")).encode([["Sky", "#sky"], []]).toarray()
        array([[0., 1.],
               [0., 0.]], dtype=float32)
        """
        rows = [sorted(self._columns(words)) for words in tags]
        indptr = np.cumsum([0, *map(len, rows)])
        columns = np.array([j for row in rows for j in row], dtype=np.int64)
        shape = (len(rows), len(self.names))
        return scipy.sparse.csr_array((np.ones(len(columns), np.float32), columns, indptr), shape)

    def _columns(self, words: Iterable[str]) -> set[int]:
        folded = (fold_tag(word) for word in words)
        return {self._column[word] for word in folded if word in self._column}


def build_vocabulary(
    tags: Sequence[Iterable[str]],
    n_tags: int,
    stop_tags: Iterable[str] | None = None,
    first: Iterable[int] | None = None,
) -> Vocabulary:
    """Keep the tags that most images have, the most frequent first, ties by the alphabet.

    Parameters
    ----------
    tags : sequence of iterables of str
        The tags of each image.
    n_tags : int
        How many to keep at most.
    stop_tags : iterable of str, optional
        Left out; by default words about cameras, sites and groups.
    first : iterable of int, optional
        Images whose tags come before those that only others have; by default all are equal.

    Examples
    --------
    >>> build_vocabulary([["Sea", "sky"], ["#sea", "Nikon"]], 10).names
    ('sea', 'sky')
    """
    if isinstance(stop_tags, str):
        raise InputError(f"stop_tags is the text {stop_tags!r}; expected a list of words")
    stop = {fold_tag(word) for word in (STOP_TAGS if stop_tags is None else stop_tags)} | {""}
    counts: Counter[str] = Counter()
    for words in tags:
        counts.update({fold_tag(word) for word in words} - stop)
    if not counts:
        raise InputError(
            "no image has a tag that is not in the stop list; give lists of words, such as "
            "[['dog', 'grass'], ['sea']], or another stop_tags"
        )
    before = () if first is None else [i for i in first if i < len(tags)]
    favoured = {fold_tag(word) for i in before for word in tags[i]}
    ranked = sorted(counts.items(), key=lambda item: (item[0] not in favoured, -item[1], item[0]))
    return Vocabulary(tuple(word for word, _ in ranked[:n_tags]))
