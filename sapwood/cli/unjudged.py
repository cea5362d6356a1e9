"""Given tags and the words a refiner knows: those it can take, and those it leaves unjudged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sapwood.cli.output import note
from sapwood.cli.photos import Tagged
from sapwood.errors import InputError

if TYPE_CHECKING:
    from sapwood.tags import TagRefiner


def known_words(given: Tagged, refiner: TagRefiner) -> list[list[str]]:
    """Return the words of each photo, some of which a fitted refiner must know."""
    from sapwood.tags.vocabulary import fold_tag

    names = given.tag_names
    words = (
        given.tags
        if names is None
        else [[names[j] for j in row.nonzero()[0]] for row in given.tags]
    )
    known = set(map(fold_tag, refiner.tag_names_))
    if not any(fold_tag(word) in known for own in words for word in own):
        first = next((f" (first: {word!r})" for own in words for word in own), "")
        raise InputError(
            f"none of the tags{first} is one of the {len(known)} that the model knows, such as "
            f"{refiner.tag_names_[0]!r}; give a model of photos that were tagged alike"
        )
    return words


def unjudged_words(words: Any, names: list[str]) -> list[tuple[int, str]]:
    """Return the words that have no column: the photo's number and the word, each once."""
    from sapwood.tags.inputs import holds_words
    from sapwood.tags.vocabulary import fold_tag

    if not holds_words(words):
        return []
    known = set(map(fold_tag, names))
    left = {
        (i, folded): word
        for i, own in enumerate(words)
        for word in own
        if (folded := fold_tag(word)) not in known
    }
    return [(i, word) for (i, _), word in left.items()]


def note_unjudged(left: list[tuple[int, str]], known: int, learned: bool) -> None:
    """Say how many words were left, and which the refiner does judge."""
    if left:
        which = (
            f"{known} words that are: the most frequent (--words sets how many), less those about "
            "cameras, sites and groups"
            if learned
            else f"{known} words that the model knows"
        )
        note(
            f"{len(left)} given tags, such as {left[0][1]!r}, were not judged, being none of the "
            f"{which}"
        )
