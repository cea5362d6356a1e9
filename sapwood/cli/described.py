"""Classes described in words: the options of ``sapwood fit``, and what a model keeps of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from sapwood.errors import InputError

if TYPE_CHECKING:
    from sapwood.data import AttributeTable, Setting, ZeroShotData
    from sapwood.models import SparseAttributePropagation
    from sapwood.text import TextEncoder

Encoder = Annotated[
    str | None,
    typer.Option(
        help="What reads text: wordllama (default), minilm, a file of word vectors, "
        "sentence-transformers:NAME or clip:NAME."
    ),
]


@dataclass(frozen=True)
class Words:
    """What was said of the classes in words, as `sapwood fit` goes on with it.

    Attributes
    ----------
    encoder : str
        Its name.
    table : AttributeTable
        Vectors of the classes.
    with_attributes : bool
        Whether the attributes of the data set count, too.
    """

    encoder: str
    table: AttributeTable
    with_attributes: bool


def read_words(
    descriptions: Path | None, encoder: str | None, with_attributes: bool
) -> Words | None:
    """Read and encode the descriptions; None where there are none."""
    from sapwood.text import class_vectors, encoder_named, read_descriptions

    if descriptions is None:
        if encoder is not None or with_attributes:
            option = "--with-attributes" if encoder is None else "--encoder"
            raise InputError(f"{option} is about --descriptions, which is not given; add it")
        return None
    texts, reader = read_descriptions(descriptions), encoder_named(encoder)
    return Words(reader.name, class_vectors(reader, texts), with_attributes)


def load_data(
    data: str, attributes: str | None, features: str | None, words: Words | None
) -> ZeroShotData:
    """Load a data set, its classes described by words where they are given in place of attributes.

    With attributes and words it has its own attributes; :func:`mix` brings them together.
    """
    from sapwood.data import load_zero_shot
    from sapwood.text import load_described

    if words is None or words.with_attributes:
        return load_zero_shot(data, attributes=attributes, features=features)
    return load_described(data, words.table, features=features)


def load_for(
    model: SparseAttributePropagation, data: str, annotations: str | None, features: str | None
) -> ZeroShotData:
    """Load a data set for a model, which knows the classes where tables do not describe them.

    Parameters
    ----------
    model : SparseAttributePropagation
    data : str
        A data set; with `annotations` features of images.
    annotations : str, optional
        A table image,class.
    features : str, optional
        For a folder in its original layout.
    """
    from sapwood.data import AttributeTable, load_zero_shot
    from sapwood.text.load import join_tables, tables_without_attributes

    if annotations is not None and features is not None:
        raise InputError(
            f"--features {features} is for a folder in its original layout, which has its own "
            "annotations; leave it or --annotations out"
        )
    if annotations is not None and model.class_names_ is None:
        raise InputError(
            f"--annotations {annotations}: the model's classes have no names to match; fit with "
            "class_names, or with `sapwood fit`"
        )
    tables = tables_without_attributes(data) if annotations is None else (data, annotations)
    if tables is None or features is not None or model.class_names_ is None:
        return load_zero_shot(data, features=features)
    known = AttributeTable(
        attributes=model.class_attributes_, class_names=np.array(model.class_names_)
    )
    return join_tables(tables[0], tables[1], known)


def mix(data: ZeroShotData, setting: Setting, words: Words) -> tuple[ZeroShotData, dict, str]:
    """Weigh attributes and words, and describe the classes by both.

    Returns
    -------
    ZeroShotData
    dict
        What the model keeps, to describe other classes in the same way.
    str
        Why the weights are what they are.
    """
    from sapwood.models.space_weights import weigh_spaces
    from sapwood.text import ClassSpaces
    from sapwood.text.load import with_table

    X, y = setting.training(data)
    described = with_table(data, words.table)
    pair = [data.attributes, described.attributes]
    found = weigh_spaces(X, y, pair, names=["attributes", "words"])
    if found.weights == (1.0, 0.0):
        return data, {}, found.summary
    if found.weights == (0.0, 1.0):
        return described, {"encoder": words.encoder}, found.summary
    spaces = ClassSpaces(found.weights).fit([Z[setting.seen] for Z in pair])
    names = np.concatenate([data.attribute_names, described.attribute_names])
    mixed = replace(data, attributes=spaces.transform(pair), attribute_names=names)
    own = [str(name) for name in data.attribute_names]
    kept = {"encoder": words.encoder, "attribute_names": own, **spaces.to_dict()}
    return mixed, kept, found.summary


def meaning_of(model: SparseAttributePropagation) -> dict[str, Any]:
    """Return what the model keeps of words: the encoder's name, and how they join attributes."""
    kept = getattr(model, "meaning_", None)
    return kept if isinstance(kept, dict) and isinstance(kept.get("encoder"), str) else {}


def meaning_facts(kept: dict[str, Any]) -> dict[str, Any]:
    """Say for people which encoder was used, and how much words count beside attributes."""
    if not kept:
        return {}
    weights = {"weight_of_words": round(kept["weights"][1], 2)} if "weights" in kept else {}
    return {"encoder": kept["encoder"], **weights}


def encoder_of(model: SparseAttributePropagation, given: str | None) -> TextEncoder:
    """Return the encoder that the model was fitted with; refuse another."""
    from sapwood.text import encoder_named

    fitted = meaning_of(model)["encoder"]
    try:
        encoder = encoder_named(given or fitted)
    except InputError:
        if given is not None:
            raise
        raise InputError(
            f"the model was fitted with the encoder {fitted!r}, which is not found by its name; "
            "give it by --encoder, as in fit"
        ) from None
    if encoder.name != fitted:
        raise InputError(
            f"the model was fitted with the encoder {fitted!r}, and this is {encoder.name!r}; "
            "their vectors do not mean the same: give the one it was fitted with"
        )
    return encoder


def describe_both(
    model: SparseAttributePropagation, attributes: AttributeTable, text: AttributeTable
) -> np.ndarray:
    """Describe new classes to a model that was fitted on attributes and words."""
    from sapwood.models.attributes import column_order
    from sapwood.text import ClassSpaces
    from sapwood.text.load import rows_of

    kept = meaning_of(model)
    try:
        names, spaces = kept["attribute_names"], ClassSpaces.from_dict(kept)
    except (KeyError, TypeError, ValueError):
        raise InputError(
            "the model does not say how attributes and words join; fit it again"
        ) from None
    aligned = attributes.attributes[:, column_order(attributes.attribute_names, names)]
    words = text.attributes[rows_of(text, attributes.class_names)]
    return spaces.transform([aligned, words])
