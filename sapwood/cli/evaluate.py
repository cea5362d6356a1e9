"""``sapwood evaluate``: an honest number for a model."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from sapwood.cli.columns import columns_of, require_columns
from sapwood.cli.described import load_for
from sapwood.cli.inputs import Features, Model
from sapwood.cli.output import (
    Json,
    Quiet,
    Threads,
    emit,
    note,
    print_facts,
    print_json,
    print_table,
    working,
)

#: What the numbers are called for people.
LABELS = {
    "accuracy": "images named correctly",
    "accuracy_over_classes": "mean over classes",
    "calibrated": "seen classes handicapped",
    "aurc": "mistakes, mean over all coverages (AURC)",
    "acc_u": "unseen classes' images named correctly (acc_u)",
    "acc_s": "seen classes' images named correctly (acc_s)",
    "harmonic_mean": "harmonic mean of the two (H)",
    "ausuc": "area under the seen-unseen curve (AUSUC)",
    "acc_u_over_classes": "acc_u, mean over classes",
    "acc_s_over_classes": "acc_s, mean over classes",
    "harmonic_mean_over_classes": "H, mean over classes",
    "ausuc_over_classes": "AUSUC, mean over classes",
}


def evaluate(
    model: Model,
    data: Annotated[
        str,
        typer.Argument(
            help="A data set: a file, a folder or a known name; with --annotations, features."
        ),
    ],
    annotations: Annotated[
        str | None, typer.Option(help="The right classes of the images: a table image,class.")
    ] = None,
    setting: Annotated[
        str, typer.Option(help="standard (unseen classes), generalized (all), or seen.")
    ] = "standard",
    uncalibrated: Annotated[
        bool, typer.Option("--uncalibrated", help="Do not handicap seen classes.")
    ] = False,
    features: Features = None,
    json_: Json = False,
    quiet: Quiet = False,
    threads: Threads = None,
) -> None:
    """Score a model on images it was not trained on."""
    from sapwood.evaluation import evaluate as score
    from sapwood.models import SparseAttributePropagation

    fitted = SparseAttributePropagation.load(model)
    loaded = load_for(fitted, data, annotations, features)
    require_columns(data, loaded.provenance, columns_of(fitted), "the model was fitted on")
    with working({"scoring": 1.0}, quiet, threads):
        found = score(fitted, loaded, setting, calibrated=not uncalibrated)
    if json_:
        print_json(found)
        return
    against = found.pop("accuracy_against_coverage")
    print_facts("Evaluation", {LABELS.get(n, n): _percent(value) for n, value in found.items()})
    emit("")
    _print_coverage(against)
    if setting == "generalized" and found["acc_s"] > 2 * found["acc_u"]:
        note("seen classes win too often; predict --classes unseen leaves them out")


def _percent(value: Any) -> Any:
    return f"{100 * value:.1f} %" if isinstance(value, float) else value


def _print_coverage(against: list[dict[str, float]]) -> None:
    options = _as_options([one["reject"] for one in against])
    rows = [
        (_percent(one["coverage"]), _percent(one["accuracy"]), option)
        for one, option in zip(against, options, strict=True)
    ]
    columns = ["images answered", "named correctly", "predict --reject"]
    # Shares of few images are the same number of them.
    print_table("The surest answers alone", columns, list(dict.fromkeys(rows)))


def _as_options(rejects: list[float]) -> list[str]:
    """Write them as predict takes them, no image fewer for being rounded, told apart if they are.

    Examples
    --------
    >>> _as_options([0.25, 0.5]), _as_options([0.50034, 0.50041, 1.0])
    (['0.250', '0.500'], ['0.5003', '0.5004', '0.9999'])
    """
    for digits in range(3, 13):
        unit = 10**digits
        cut = [min(max(int(unit * reject), 1), unit - 1) for reject in rejects]
        if len(set(cut)) == len(set(rejects)):
            break
    return [f"{one / unit:.{digits}f}" for one in cut]
