"""``sapwood fit``: from a data set to a model file."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sapwood.cli.described import Encoder, load_data, meaning_facts, mix, read_words
from sapwood.cli.estimator import make_estimator, print_search, shares_of_search
from sapwood.cli.inputs import Features
from sapwood.cli.output import (
    Json,
    Quiet,
    Threads,
    note,
    print_facts,
    print_json,
    working,
)
from sapwood.cli.setting import make_setting, with_extra
from sapwood.cli.targets import check_targets
from sapwood.cli.usage import note_left_out, usage_facts, write_usage

#: Attributes that are named at either end.
NAMED = 5

if TYPE_CHECKING:
    from sapwood.data import Problem, Setting
    from sapwood.models import SparseAttributePropagation


def fit(
    data: Annotated[str, typer.Argument(help="A data set: a file, a folder or a known name.")],
    out: Annotated[Path, typer.Option(help="The model file to write.")],
    annotated: Annotated[
        int | None, typer.Option(min=1, help="Annotated images a class; default: all labels given.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Chooses which images are annotated.")] = 0,
    split: Annotated[
        str | None,
        typer.Option(
            help="paper, proposed, or a file that lists the unseen classes; default: the paper's "
            "split if the data has it, else the proposed one, else classes without a label are "
            "unseen."
        ),
    ] = None,
    holdout: Annotated[
        float | None,
        typer.Option(
            help="Share of each seen class kept for `evaluate`, such as 0.2; a split that names "
            "its own test images keeps those."
        ),
    ] = None,
    unlabelled: Annotated[
        str | None, typer.Option(help="More images without labels, such as photos from the web.")
    ] = None,
    attributes: Annotated[
        str | None, typer.Option(help="Which class attributes to use, where the file has several.")
    ] = None,
    features: Features = None,
    descriptions: Annotated[
        Path | None,
        typer.Option(help="Classes in words, in place of attributes: a table class,description."),
    ] = None,
    encoder: Encoder = None,
    with_attributes: Annotated[
        bool,
        typer.Option("--with-attributes", help="Use attributes and --descriptions together."),
    ] = False,
    preset: Annotated[
        str, typer.Option(help="robust, or paper for the printed algorithm.")
    ] = "robust",
    param: Annotated[
        list[str] | None, typer.Option(help="A parameter of the estimator, such as k_g=20.")
    ] = None,
    tune: Annotated[
        bool, typer.Option("--tune", help="Choose the settings on seen classes held out.")
    ] = False,
    usage: Annotated[
        Path | None,
        typer.Option(help="A table to write: what each training image counted, and why."),
    ] = None,
    json_: Json = False,
    quiet: Quiet = False,
    threads: Threads = None,
) -> None:
    """Learn from a few annotated and many unannotated images."""
    from sapwood.data import load_features
    from sapwood.data.check import warnings_about
    from sapwood.evaluation import fit_setting
    from sapwood.models import SparseAttributePropagationCV

    sources = (data, features, unlabelled, split, descriptions, encoder)
    kinds = {"--out": "SparseAttributePropagation"}
    check_targets({"--out": out, "--usage": usage}, *sources, models=kinds)
    model = make_estimator(preset, param or [], tune)
    words = read_words(descriptions, encoder, with_attributes)
    loaded = load_data(data, attributes, features, words)
    warned = warnings_about(loaded, data)
    for problem in warned:
        note(str(problem))
    extra = None if unlabelled is None else load_features(unlabelled)
    setting = make_setting(loaded, split, annotated, seed, holdout)
    if extra is not None:
        setting = with_extra(setting, extra, loaded, str(unlabelled))
    about = {
        "data": os.fsencode(Path(data).name).decode("utf-8", "replace"),
        "split": split,
        "annotated_a_class": annotated,
        "seed": seed,
        "feature_columns": loaded.provenance.get("feature_columns"),
    }
    meaning = {} if words is None else {"encoder": words.encoder}
    if words is not None and with_attributes:
        with working({"neighbours": 0.9, "weights": 0.1}, quiet, threads):
            loaded, meaning, why = mix(loaded, setting, words)
        note(why)
    with working(_shares(setting, loaded.features.shape[1], tune), quiet, threads):
        fit_setting(model, loaded, setting, about)
        # What chose its settings is saved as what it chose, which every command reads.
        if isinstance(model, SparseAttributePropagationCV):
            model = model.best_estimator_
        if meaning:
            model.meaning_ = meaning
        model.save(out)
    if usage is not None:
        named, held = (loaded.image_names[rows] for rows in (setting.train, setting.test_seen))
        images = [*named, *(() if extra is None else extra.image_names)]
        write_usage(usage, model, images, held)
    facts = {"model": str(out), **_facts(model), **meaning_facts(meaning)}
    _tell(model, facts, warned, tune, json_)


def _facts(model: SparseAttributePropagation) -> dict[str, Any]:
    return {
        "training_images": model.training_["images"],
        "annotated": model.training_["annotated"],
        "held_out": model.training_["held_out"],
        "seen_classes": len(model.seen_),
        "unseen_classes": len(model.classes_) - len(model.seen_),
        "mean_confidence": round(float(model.confidence_.mean()), 3),
        "coordinates": model.coordinates_,
        "lambda4": model.lambda4_,
        "attribute_freedom": model.attribute_freedom_,
        **_counting(model),
        "error_whitening": model.error_whitening_,
        "remoteness": model.remoteness_,
        **usage_facts(model),
    }


def _counting(model: SparseAttributePropagation) -> dict[str, list[str]]:
    """Name the attributes that count most and least, where they do not count alike."""
    if not model.attribute_freedom_:
        return {}
    names = model.get_feature_names_out()[(-model.attribute_weights_).argsort(kind="stable")]
    shown = min(NAMED, len(names) // 2)
    return {"counts_most": names[:shown].tolist(), "counts_least": names[::-1][:shown].tolist()}


def _tell(
    model: SparseAttributePropagation,
    facts: dict[str, Any],
    warned: list[Problem],
    tune: bool,
    json_: bool,
) -> None:
    if json_:
        found = (
            {"best_params": model.best_params_, "summary": model.search_summary_} if tune else {}
        )
        print_json({**facts, **found, "warnings": [asdict(problem) for problem in warned]})
        return
    print_facts("Fitted", facts)
    _note_few_classes(model)
    note_left_out(model, tune)
    if tune:
        print_search(model)


def _note_few_classes(model: SparseAttributePropagation) -> None:
    from sapwood.models.calibration import LEAST

    if len(model.seen_) < min(LEAST, len(model.classes_)) and model.preset_ == "robust":
        note(
            f"{len(model.seen_)} seen classes are too few to find out how unseen ones are named "
            f"({LEAST} are enough): seen ones are not handicapped beside unseen ones and may win "
            "too often, so predict with --classes unseen where that is the question; probabilities "
            "are on the scale of seen classes"
        )


def _shares(setting: Setting, d: int, tune: bool) -> dict[str, float]:
    """Expected cost of the stages: whitening, all pairs of images, the projection, the question."""
    n, cube = len(setting.y), 30.0 * d**3
    asked = 9 * (4.0 * min(n, 2000) * d * d + 2 * cube)
    ahead = {"features": 4.0 * n * d * d + cube, "neighbours": 3.0 * n * n * d, "learning": cube}
    # Nine divisions of the classes, each with the sums over its images.
    shares = {**ahead, "usefulness": asked, "coordinates": 18.0 * n * d * 100}
    return shares_of_search(n, d, len(setting.seen), shares) if tune else shares
