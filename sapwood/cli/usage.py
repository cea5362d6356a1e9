"""Which training images a model used, how far, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sapwood.cli.output import note
from sapwood.cli.targets import write_csv

if TYPE_CHECKING:
    from sapwood.models import SparseAttributePropagation

COLUMNS = ("image", "weight", "reason")
#: The reason of images that are not trained on.
HELD_OUT = "held out: kept for evaluate"


def usage_facts(model: SparseAttributePropagation) -> dict[str, Any]:
    """Say how many unannotated images count for what reason, and what annotated ones said."""
    unannotated = model.reasons_ != "annotated"
    if not unannotated.any():
        return {}
    asked = {"strangeness": model.strangeness_, "usefulness": model.usefulness_}
    found = {name: round(value, 2) for name, value in asked.items() if value is not None}
    why = Counter(reason.split(":")[0] for reason in model.reasons_[unannotated])
    return {**found, "unannotated_images": dict(why)}


def note_left_out(model: SparseAttributePropagation, tuned: bool) -> None:
    """Say that unannotated images do not count, how many and why, unless the user wanted it so.

    Parameters
    ----------
    model : SparseAttributePropagation
    tuned : bool
        Whether settings were chosen, and none can be given.
    """
    unannotated = model.reasons_ != "annotated"
    left = unannotated & (model.weights_ == 0)
    why = Counter(reason.split(":")[0] for reason in model.reasons_[left])
    if not left.any() or set(why) == {"ignored"}:
        return
    told = ", ".join(f"{count} {reason}" for reason, count in why.most_common())
    judged = {"far", "unproven"} & set(why) and not tuned
    note(
        f"{left.sum()} of {unannotated.sum()} unannotated images were left out ({told}); --usage "
        f"FILE tells why of each{', --param unlabelled=all takes them all' if judged else ''}"
    )


def write_usage(
    path: Path,
    model: SparseAttributePropagation,
    images: Iterable[object],
    held_out: Iterable[object],
) -> None:
    """Write a table with the weight and the reason of each image.

    Parameters
    ----------
    path : Path
    model : SparseAttributePropagation
    images : iterable
        What the training images are called, in their order.
    held_out : iterable
        What the images are called that were kept for `evaluate`.
    """
    each = zip(images, model.weights_, model.reasons_, strict=True)
    rows = [[image, f"{weight:.4g}", why] for image, weight, why in each]
    kept = [[image, "0", HELD_OUT] for image in held_out]
    write_csv(path, COLUMNS, rows + kept)
