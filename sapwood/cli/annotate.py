"""``sapwood annotate``: from photos with tags and concepts to the concepts of other photos."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from sapwood.cli.output import (
    Json,
    Quiet,
    Threads,
    complain,
    print_facts,
    print_json,
    print_table,
    working,
)
from sapwood.cli.targets import check_targets, write_csv
from sapwood.errors import InputError

if TYPE_CHECKING:
    from sapwood.data import TagData

COLUMNS = ("image", "rank", "concept", "probability", "score")
#: Expected shares of the work.
STAGES = {"refining": 5.0, "settings": 4.0, "annotation": 1.0}
Answer = tuple[str, int, str, float, float]


@dataclass(frozen=True)
class Photos:
    """Photos, and what they show, if that is known."""

    names: list[str]
    features: np.ndarray | None
    tags: np.ndarray | None
    concepts: np.ndarray | None = None
    tag_names: list[str] = field(default_factory=list)
    concept_names: list[str] = field(default_factory=list)


def annotate(
    train: Annotated[
        str,
        typer.Argument(
            help="Photos with tags and concepts: a file, a folder or a known name; with --model "
            "the photos to annotate."
        ),
    ],
    photos: Annotated[
        str | None,
        typer.Argument(help="Photos to annotate; default: the test photos of the first set."),
    ] = None,
    inputs: Annotated[
        str | None, typer.Option(help="What to learn from: tags+features, tags or features.")
    ] = None,
    refine: Annotated[
        bool, typer.Option("--refine/--no-refine", help="Repair noisy tags first.")
    ] = True,
    top: Annotated[
        int | None, typer.Option(min=1, help="So many concepts for each photo, the best ones.")
    ] = None,
    threshold: Annotated[
        float, typer.Option(help="Without --top: the concepts that score above this.")
    ] = 0.0,
    save: Annotated[
        Path | None, typer.Option(help="A file to keep what was learned in, for later photos.")
    ] = None,
    model: Annotated[
        Path | None, typer.Option(help="Annotate by what --save kept, without learning anew.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the division into parts held out.")] = 0,
    out: Annotated[Path | None, typer.Option(help="A CSV file to write.")] = None,
    json_: Json = False,
    quiet: Quiet = False,
    threads: Threads = None,
) -> None:
    """Learn concepts from photos that have them and give them to other photos.

    A photo that gets no concept has one row, its concept left empty.
    """
    from sapwood.metrics import decide_threshold, decide_top_k

    check_targets({"--out": out, "--save": save}, train, photos, model)
    if model is None:
        taught, given, annotator = _untaught(train, photos, inputs, refine, seed)
    else:
        _refuse_with_model(photos=photos, inputs=inputs, save=save, refine=None if refine else "no")
        taught, (given, annotator) = None, _kept(model, train)
    concepts = annotator.concept_names_ if taught is None else taught.concept_names
    if top is not None and top > len(concepts):
        raise InputError(f"--top is {top}; {model or train} has {len(concepts)} concepts")
    with working(STAGES, quiet, threads):
        if taught is not None:
            names = {"concept_names": concepts, "tag_names": taught.tag_names}
            annotator.fit(taught.features, taught.tags, taught.concepts, **names)
        scores = annotator.decision_function(given.features, given.tags)
        proba = annotator.probabilities(scores)
    if save is not None:
        annotator.save(save)
    chosen = decide_threshold(scores, threshold) if top is None else decide_top_k(scores, top)
    answers = _answers(given.names, concepts, scores, proba, chosen)
    if out is not None:
        write_csv(out, COLUMNS, answers)
    if json_:
        print_json([dict(zip(COLUMNS, answer, strict=True)) for answer in answers])
    elif out is None:
        shown = [[i, rank, name or "–", f"{p:.3f}", f"{s:.4g}"] for i, rank, name, p, s in answers]
        print_table("Annotations", COLUMNS, shown)
    if not quiet:
        _tell(annotator, given, scores, chosen, out)


def _untaught(
    train: str, photos: str | None, inputs: str | None, refine: bool, seed: int
) -> tuple[Photos, Photos, Any]:
    """Return photos to learn from and to annotate, and who is to do it."""
    from sapwood.data import load_tags

    known = load_tags(train)
    taught = _training_photos(known, train)
    if photos is None:
        given = _test_photos(known, train)
    else:
        given = load_photos(photos, taught.tag_names, known.features is not None)
    return taught, given, _annotator(taught, given, inputs, refine, seed)


def _kept(model: Path, photos: str) -> tuple[Photos, Any]:
    from sapwood.tags.annotator import SocialImageAnnotator

    annotator = SocialImageAnnotator.load(model)
    names, sees = annotator.tag_names_ or [], annotator.n_features_in_ is not None
    return load_photos(photos, names, sees), annotator


def _refuse_with_model(**given: object) -> None:
    for name, value in given.items():
        if value is not None:
            raise InputError(
                f"--model has learned already, so {name} cannot be chosen any more; with it, give "
                "the photos to annotate and nothing to learn from"
            )


def load_photos(source: str, tag_names: list[str], by_features: bool) -> Photos:
    """Load photos with tags, features or both; columns of tags are matched by their names.

    Parameters
    ----------
    source : str
    tag_names : list of str
        The training photos'.
    by_features : bool
        Whether these had features, too.
    """
    from sapwood.data import TagData, load, load_features

    try:
        data: Any = load(source)
    except InputError:
        # A table of features is no data set of its own.
        data = load_features(source)
    if not by_features and not isinstance(data, TagData):
        raise InputError(f"{source}: has no tags, and the training photos have nothing else")
    tagged = isinstance(data, TagData) and tag_names
    tags = _aligned(data, tag_names, source) if tagged else None
    return Photos([str(name) for name in data.image_names], data.features, tags)


def _aligned(data: TagData, names: list[str], source: str) -> np.ndarray:
    column = {str(name): j for j, name in enumerate(data.tag_names)}
    shared = [(j, column[name]) for j, name in enumerate(names) if name in column]
    if not shared:
        raise InputError(
            f"{source}: none of its {len(column)} tags is one of the training photos'; name the "
            "same words alike (tag_names)"
        )
    if len(shared) < len(names):
        missing = len(names) - len(shared)
        complain("note", f"{missing} of {len(names)} training tags are not in {source}")
    ours, theirs = np.array(shared).T
    tags = np.zeros((len(data.tags), len(names)), dtype=data.tags.dtype)
    tags[:, ours] = data.tags[:, theirs]
    return tags


def _training_photos(known: TagData, source: str) -> Photos:
    if known.concepts is None:
        raise InputError(f"{source}: has no concepts to learn; give a set with `concepts`")
    return _photos(known, np.arange(len(known.tags)) if known.train is None else known.train)


def _test_photos(known: TagData, source: str) -> Photos:
    if known.test is None:
        raise InputError(f"{source}: names no test photos; give the photos to annotate as well")
    return _photos(known, known.test)


def _photos(known: TagData, rows: np.ndarray) -> Photos:
    names = [str(name) for name in known.image_names[rows]]
    features = None if known.features is None else known.features[rows]
    concepts = None if known.concepts is None else known.concepts[rows]
    called = [] if known.concept_names is None else [str(name) for name in known.concept_names]
    tags = [str(name) for name in known.tag_names]
    return Photos(names, features, known.tags[rows], concepts, tags, called)


def _annotator(taught: Photos, given: Photos, inputs: str | None, refine: bool, seed: int) -> Any:
    from sapwood.tags.annotator import SocialImageAnnotator

    if inputs is None:
        # A refiner can do without the tags of new photos, an SVM on tags as given cannot.
        tagged = refine or given.tags is not None
        parts = ["tags"] * tagged + ["features"] * (taught.features is not None)
        inputs = "+".join(parts)
    refiner = "default" if refine else None
    return SocialImageAnnotator(refiner, inputs=inputs, random_state=seed)


def _tell(
    annotator: Any, given: Photos, scores: np.ndarray, chosen: np.ndarray, out: Path | None
) -> None:
    from sapwood.metrics import mean_average_precision, tag_precision_recall

    facts: dict[str, object] = {"photos": len(scores), "learned_from": annotator.inputs}
    facts["concepts_a_photo"] = round(float(chosen.sum(axis=1).mean()), 2)
    if given.concepts is not None:
        found = mean_average_precision(given.concepts, scores)
        facts["mean_average_precision"] = f"{100 * found:.1f} %"
        by_concept = tag_precision_recall(given.concepts, chosen)
        facts["precision_recall"] = f"{by_concept.precision:.3f}, {by_concept.recall:.3f}"
    if out is not None:
        print_facts("Annotated", {**facts, "file": out})
    else:
        complain("note", ", ".join(f"{name.replace('_', ' ')} {v}" for name, v in facts.items()))


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
