"""Meaning from words: encoders of text, classes described in words, several spaces as one."""

from sapwood.text.clip import ClipEncoder
from sapwood.text.descriptions import class_vectors, read_descriptions
from sapwood.text.encoder import TextEncoder, encode
from sapwood.text.load import load_described
from sapwood.text.named import DEFAULT, encoder_named
from sapwood.text.packaged import PackagedEncoder
from sapwood.text.sentences import SentenceEncoder
from sapwood.text.spaces import ClassSpaces
from sapwood.text.word_vectors import WordVectors

__all__ = [
    "DEFAULT",
    "ClassSpaces",
    "ClipEncoder",
    "PackagedEncoder",
    "SentenceEncoder",
    "TextEncoder",
    "WordVectors",
    "class_vectors",
    "encode",
    "encoder_named",
    "load_described",
    "read_descriptions",
]
