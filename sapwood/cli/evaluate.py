"""``sapwood evaluate``: an honest number for a model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sapwood.cli.output import Json, Quiet, Threads, print_facts, print_json, working


def evaluate(
    model: Annotated[Path, typer.Argument(help="A model file that `sapwood fit` wrote.")],
    data: Annotated[str, typer.Argument(help="A data set: a file, a folder or a known name.")],
    setting: Annotated[str, typer.Option(help="standard or generalized.")] = "standard",
    json_: Json = False,
    quiet: Quiet = False,
    threads: Threads = None,
) -> None:
    """Score a model on images it was not trained on."""
    from sapwood.data import load_zero_shot
    from sapwood.evaluation import evaluate as score
    from sapwood.models import SparseAttributePropagation

    fitted = SparseAttributePropagation.load(model)
    loaded = load_zero_shot(data)
    with working({"scoring": 1.0}, quiet, threads):
        found = score(fitted, loaded, setting)
    if json_:
        print_json(found)
        return
    percent = {n: f"{100 * v:.1f} %" if isinstance(v, float) else v for n, v in found.items()}
    print_facts("Evaluation", percent)
