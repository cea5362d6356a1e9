"""``sapwood annotate``: from photos with tags and concepts to the concepts of other photos."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from sapwood.cli.answers import Answer, give_answers
from sapwood.cli.concept_photos import kept_annotator, photos_to_work_at
from sapwood.cli.concepts import (
    learned_scores,
    require_enough,
    require_tags_together,
    tags_together,
)
from sapwood.cli.output import Json, Quiet, Threads, note, print_facts, working
from sapwood.cli.photos import Photos, refuse_with_model
from sapwood.cli.targets import check_targets
from sapwood.errors import InputError

#: Expected shares of the work.
STAGES = {"refining": 5.0, "settings": 4.0, "annotation": 1.0}


def annotate(
    train: Annotated[
        str | None,
        typer.Argument(
            help="Photos with tags and concepts: a file or a known name; with --concepts features "
            "of all photos, if there are any; with --model the photos to annotate."
        ),
    ] = None,
    photos: Annotated[
        str | None,
        typer.Argument(
            help="Photos to annotate; default: the test photos of the first set, or those whose "
            "concepts are -1."
        ),
    ] = None,
    tags: Annotated[
        Path | None,
        typer.Option(help="A table with the columns image and tag, or image and tags."),
    ] = None,
    concepts: Annotated[
        Path | None,
        typer.Option(
            help="A table with the columns image and concept, or image and concepts: the photos "
            "that it names are learned from, all others annotated."
        ),
    ] = None,
    inputs: Annotated[
        str | None, typer.Option(help="What to learn from: tags+features, tags or features.")
    ] = None,
    refine: Annotated[
        bool, typer.Option("--refine/--no-refine", help="Repair noisy tags first.")
    ] = True,
    together: Annotated[
        bool | None,
        typer.Option(
            "--together/--apart",
            help="Learn to repair tags from those of the photos to annotate, too, or not: better, "
            "but what is said of one photo depends on the others. Default: together where nobody "
            "has annotated them in a set that holds both, else apart.",
        ),
    ] = None,
    top: Annotated[
        int | None, typer.Option(min=1, help="So many concepts for each photo, the best ones.")
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            help="Without --top: the concepts that are more probable than this; default: above a "
            "score of 0, which did best on photos held out."
        ),
    ] = None,
    save: Annotated[
        Path | None, typer.Option(help="A file to keep what was learned in, for later photos.")
    ] = None,
    model: Annotated[
        Path | None, typer.Option(help="Annotate by what --save kept, without learning anew.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Random seed for the held-out parts; default: 0.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="A CSV file to write.")] = None,
    json_: Json = False,
    quiet: Quiet = False,
    threads: Threads = None,
) -> None:
    """Learn concepts from photos that have them and give them to other photos.

    A photo that gets no concept has one row, its concept left empty; probability and score are
    those of the concept that it would have got first.
    """
    from sapwood.tags.checks import check_decision

    kinds = {"--save": "SocialImageAnnotator"}
    sources = train, photos, tags, concepts, model
    check_targets({"--out": out, "--save": save}, *sources, models=kinds)
    check_decision(top, threshold, "--")
    if model is None:
        taught, given, one_set = photos_to_work_at(train, photos, tags, concepts)
        annotator = _annotator(taught, given, inputs, refine, seed or 0)
        names = taught.concept_names
        require_enough(annotator, taught, concepts or train)
        if together:
            require_tags_together(annotator, given)
        elif together is None:
            together = one_set and tags_together(annotator, given)
    else:
        learning = {"photos": photos, "concepts": concepts, "inputs": inputs, "save": save}
        chosen_before = {"refine": None if refine else "no", "together": together}
        refuse_with_model(**learning, seed=seed, **chosen_before)
        taught, (given, annotator) = None, kept_annotator(model, train, tags)
        names = annotator.concept_names_
    if top is not None and top > len(names):
        source = model or concepts or train
        raise InputError(
            f"--top is {top}; expected 1 to {len(names)}: {source} has so many concepts"
        )
    with working(STAGES, quiet, threads):
        if taught is None:
            scores = annotator.decision_function(given.features, given.tags)
        else:
            scores = learned_scores(annotator, taught, given, bool(together))
        proba = annotator.probabilities(scores)
    if save is not None:
        annotator.save(save)
    chosen = annotator.decide(scores, top=top, threshold=threshold)
    give_answers("concept", _answers(given.names, names, scores, proba, chosen), out, json_)
    facts = _how_learned(annotator, taught, len(scores))
    if top is None:
        least = annotator.probabilities(np.zeros(())) if threshold is None else threshold
        facts["more_probable_than"] = round(float(least), 3)
    facts |= _quality(given, scores, chosen)
    files = {"file": out, "model": save}
    facts |= {name: str(path) for name, path in files.items() if path is not None}
    if out is not None and not json_:
        print_facts("Annotated", facts)
    else:
        note(", ".join(f"{name.replace('_', ' ')} {value}" for name, value in facts.items()))


def _annotator(taught: Photos, given: Photos, inputs: str | None, refine: bool, seed: int) -> Any:
    from sapwood.tags.annotator import SocialImageAnnotator

    if inputs is None:
        # A refiner can do without the tags of new photos, an SVM on tags as given cannot.
        tagged = refine or given.tags is not None
        parts = ["tags"] * tagged + ["features"] * (taught.features is not None)
        inputs = "+".join(parts)
    if "features" in inputs and taught.features is None:
        raise InputError(
            f"--inputs is {inputs}, and not all photos have features; give features of both kinds "
            "of photos, or --inputs tags"
        )
    refiner = "default" if refine else None
    return SocialImageAnnotator(refiner, inputs=inputs, random_state=seed)


def _how_learned(annotator: Any, taught: Photos | None, photos: int) -> dict[str, object]:
    facts: dict[str, object] = {"photos": photos, "learned_from": annotator.inputs}
    return facts if taught is None else {**facts, "annotated_photos": len(taught.names)}


def _quality(given: Photos, scores: np.ndarray, chosen: np.ndarray) -> dict[str, object]:
    from sapwood.metrics import mean_average_precision, tag_precision_recall

    facts: dict[str, object] = {"concepts_a_photo": round(float(chosen.sum(axis=1).mean()), 2)}
    known = None if given.concepts is None else (given.concepts >= 0).all(axis=1)
    if given.concepts is not None and known is not None and given.concepts[known].any():
        truth = given.concepts[known]
        found = mean_average_precision(truth, scores[known])
        facts["mean_average_precision"] = f"{100 * found:.1f} %"
        mean = tag_precision_recall(truth, chosen[known])
        facts["precision_and_recall_of_a_concept"] = f"{mean.precision:.3f}, {mean.recall:.3f}"
    return facts


def _answers(
    images: list[str],
    concepts: list[str],
    scores: np.ndarray,
    proba: np.ndarray,
    chosen: np.ndarray,
) -> list[Answer]:
    order = np.argsort(-scores, axis=1, kind="stable")
    answers: list[Answer] = []
    for i, image in enumerate(images):
        best = [c for c in order[i] if chosen[i, c]]
        if not best:
            c = order[i, 0]
            answers.append((image, 1, "", float(proba[i, c]), float(scores[i, c])))
        answers += [
            (image, rank, concepts[c], float(proba[i, c]), float(scores[i, c]))
            for rank, c in enumerate(best, 1)
        ]
    return answers
