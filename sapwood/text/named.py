"""From what users write to an encoder."""

from __future__ import annotations

from pathlib import Path

from sapwood.errors import InputError, closest
from sapwood.text.clip import PREFIX as CLIP
from sapwood.text.clip import ClipEncoder
from sapwood.text.encoder import TextEncoder
from sapwood.text.packaged import PackagedEncoder
from sapwood.text.sentences import PACKAGED, SentenceEncoder
from sapwood.text.sentences import PREFIX as SENTENCES
from sapwood.text.word_vectors import WordVectors

#: The encoder that is meant where none is named.
DEFAULT = PackagedEncoder.name


def encoder_named(name: str | None = None) -> TextEncoder:
    """Return the encoder of that name; nothing is loaded before it is asked to encode.

    Parameters
    ----------
    name : str, optional
        ``wordllama`` (the default), ``minilm``, ``sentence-transformers:NAME_OR_FOLDER``,
        ``clip:NAME_OR_FOLDER``, or the path of a file of word vectors.

    Examples
    --------
    >>> encoder_named().name
    'wordllama'
    >>> encoder_named("clip:openai/clip-vit-base-patch32").name
    'clip:openai/clip-vit-base-patch32'
    """
    if name is None or name == DEFAULT:
        return PackagedEncoder()
    if name == PACKAGED:
        return SentenceEncoder()
    if name.startswith(SENTENCES):
        return SentenceEncoder(name.removeprefix(SENTENCES))
    if name.startswith(CLIP):
        return ClipEncoder(name.removeprefix(CLIP))
    if Path(name).is_file():
        return WordVectors(name)
    known = [DEFAULT, PACKAGED, f"{SENTENCES}NAME", f"{CLIP}NAME"]
    raise InputError(
        f"no encoder {name!r}; give {', '.join(known)} or a file of word vectors"
        f"{closest(name, known)}"
    )
