"""Scoring a fitted model on images it has not seen."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from sapwood.data import ZeroShotData
from sapwood.errors import InputError, closest, counted
from sapwood.evaluation.coverage import accuracy_against_coverage
from sapwood.evaluation.record import row_hashes
from sapwood.metrics import accuracy, aurc, ausuc, generalized_accuracy, top_k_accuracy
from sapwood.models.base import ZeroShotClassifier

#: How a model is scored: on unseen classes alone, on seen and unseen classes together, or on seen
#: classes alone.
SETTINGS = ("standard", "generalized", "seen")


def evaluate(
    model: ZeroShotClassifier,
    data: ZeroShotData,
    setting: str = "standard",
    *,
    calibrated: bool = True,
) -> dict[str, Any]:
    """Score `model` on the annotated images of `data` that it was not trained on.

    Parameters
    ----------
    model : ZeroShotClassifier
        Fitted; if :func:`fit_setting` fitted it, its training images are recognised and left out.
    data : ZeroShotData
    setting : {"standard", "generalized", "seen"}
        Images of unseen classes against unseen classes, images of all classes against all, or
        images of seen classes against seen classes.
    calibrated : bool
        Whether seen classes are handicapped in the generalized setting, as in `predict`. Those of
        a model without a bias never are, which is told.

    Returns
    -------
    dict
        Accuracies in 0-1 over images and over classes, and how many images they are of;
        ``accuracy_against_coverage`` among the surest images alone (see
        :func:`accuracy_against_coverage`), and ``aurc``, the share of mistakes averaged over all
        coverages.
    """
    if setting not in SETTINGS:
        raise InputError(
            f"setting is {setting!r}; expected 'standard', 'generalized' or 'seen'"
            f"{closest(setting, SETTINGS)}"
        )
    check_is_fitted(model)
    if not hasattr(model, "training_hashes_"):
        raise InputError(
            "the model has no record of its training images, so they might be scored as new; fit "
            "it with `sapwood fit`, or with sapwood.evaluation.fit_setting"
        )
    labels, hashes = _labels_for(model, data), row_hashes(data.features)
    trained = np.isin(hashes, model.training_hashes_)
    rows, left_out = _new_rows(model, labels, trained, setting)
    result: dict[str, Any] = {"setting": setting, "training_images_left_out": left_out}
    unseen = np.setdiff1d(np.arange(len(model.classes_)), model.seen_)
    if setting == "standard":
        return result | _among(unseen, model, data, labels, rows)
    held = np.isin(hashes[rows], model.held_out_hashes_) & np.isin(labels[rows], model.seen_)
    result["images_held_out_by_fit"] = int(held.sum())
    if setting == "seen":
        return result | _among(model.seen_, model, data, labels, rows)
    return result | _generalized(model, data, labels, rows, calibrated)


def _new_rows(
    model: ZeroShotClassifier,
    labels: NDArray[np.int64],
    trained: NDArray[np.bool_],
    setting: str,
) -> tuple[NDArray[np.intp], int]:
    """Return annotated images that are new, seen classes first, and how many are not new."""
    new, is_seen = (labels >= 0) & ~trained, np.isin(labels, model.seen_)
    unseen, seen = np.flatnonzero(new & ~is_seen), np.flatnonzero(new & is_seen)
    left_out = int((trained & (labels >= 0)).sum())
    if setting != "seen" and not len(unseen):
        raise InputError(
            f"data has no annotated image of an unseen class that is new to the model "
            f"({int(trained.sum())} of its {len(labels)} images were trained on); give images of "
            "other classes, fit with a split that leaves classes unseen, or score seen classes "
            "alone (setting 'seen')"
        )
    if setting == "standard":
        return unseen, left_out
    if not len(seen):
        raise InputError(
            f"data has no annotated image of a seen class that is new to the model ({left_out} "
            "were trained on, and scoring those would flatter it); fit with --holdout 0.2, or give "
            "other images"
        )
    return seen if setting == "seen" else np.concatenate([seen, unseen]), left_out


def _among(
    candidates: NDArray[np.int64],
    model: ZeroShotClassifier,
    data: ZeroShotData,
    labels: NDArray[np.int64],
    rows: Any,
) -> dict[str, Any]:
    X = data.features[rows]
    options: dict[str, Any] = {"classes": model.classes_[candidates]}
    scores = model.decision_function(X, **options)
    answers, truth = candidates[scores.argmax(axis=1)], labels[rows]
    k = min(5, len(candidates))
    return {
        "images": len(rows),
        "candidates": len(candidates),
        "accuracy": accuracy(truth, answers),
        "accuracy_over_classes": accuracy(truth, answers, average="classes"),
        f"top_{k}_accuracy": top_k_accuracy(truth, scores, k, classes=candidates),
        **_selective(truth == answers, model.predict_proba(X, **options)),
    }


def _generalized(
    model: ZeroShotClassifier,
    data: ZeroShotData,
    labels: NDArray[np.int64],
    rows: Any,
    calibrated: bool,
) -> dict[str, Any]:
    everything = np.arange(len(model.classes_))
    unseen = np.setdiff1d(everything, model.seen_)
    X, options = data.features[rows], {"calibrated": calibrated}
    scores = model.decision_function(X, **options)
    truth, answers = labels[rows], scores.argmax(axis=1)
    result: dict[str, Any] = {
        "images": len(rows),
        "candidates": len(everything),
        "calibrated": calibrated and bool(getattr(model, "seen_bias_", 0.0)),
    }
    for average, suffix in (("images", ""), ("classes", "_over_classes")):
        found = generalized_accuracy(truth, answers, unseen, average=average)
        result[f"acc_u{suffix}"] = found.acc_u
        result[f"acc_s{suffix}"] = found.acc_s
        result[f"harmonic_mean{suffix}"] = found.harmonic_mean
        result[f"ausuc{suffix}"] = ausuc(truth, scores, unseen, average=average)
    return result | _selective(truth == answers, model.predict_proba(X, **options))


def _selective(correct: NDArray[np.bool_], proba: NDArray[np.float64]) -> dict[str, Any]:
    sure = proba.max(axis=1)
    against = accuracy_against_coverage(correct, sure)
    return {"aurc": aurc(correct, sure), "accuracy_against_coverage": against}


def _labels_for(model: ZeroShotClassifier, data: ZeroShotData) -> NDArray[np.int64]:
    """The model's row for each image's class, -1 where unannotated; classes matched by name."""
    if model.class_names_ is None:
        return data.labels
    row = {name: i for i, name in enumerate(model.class_names_)}
    used = np.unique(data.labels[data.labels >= 0])
    unknown = [data.class_names[c] for c in used if data.class_names[c] not in row]
    if unknown:
        raise InputError(
            f"data has images of {counted(len(unknown), 'class', 'classes')} the model does not "
            f"know (first: {str(unknown[0])!r}{closest(unknown[0], row)}); use predict with "
            "--describe for classes that are new to it"
        )
    table = np.array([row.get(name, -1) for name in data.class_names] + [-1])
    return table[data.labels]
