"""Every mistake in an argument is refused in words that name it and say what to give instead."""

import re

import numpy as np
import pytest

from sapwood import metrics as m
from sapwood.errors import InputError

NAN = float("nan")
PROBA = [[0.5, 0.5], [0.2, 0.8]]
TAGS = [[1, 0], [0, 1]]

REFUSALS = {
    # lengths, shapes and emptiness
    "short y_pred": (
        lambda: m.accuracy([0, 1, 1], [0, 1]),
        "y_true has 3 rows and y_pred has 2; give one row for each image",
    ),
    "no labels": (lambda: m.accuracy([], []), "y_true is empty (shape (0,)); give at least one"),
    "one-hot labels": (
        lambda: m.class_recalls(np.eye(2), [0, 1]),
        "y_true has shape (2, 2); give an array of 1 dimension",
    ),
    "no scores": (
        lambda: m.top_k_accuracy([0], np.zeros((1, 0)), 1),
        "scores is empty (shape (1, 0))",
    ),
    "one row of scores": (
        lambda: m.top_k_accuracy([0], [0.1, 0.9], 1),
        "scores has shape (2,); give an array of 2 dimensions",
    ),
    "ragged scores": (
        lambda: m.decide_top_k([[1, 2], [3]], 1),
        "scores has rows of unequal length; give a rectangular array",
    ),
    "short scores": (
        lambda: m.top_k_accuracy([0, 1, 1], PROBA, 1),
        "y_true has 3 rows and scores has 2",
    ),
    "other generalized length": (
        lambda: m.generalized_accuracy([0, 1, 1], [0, 1], [1]),
        "y_true has 3 rows and y_pred has 2",
    ),
    "other curve length": (
        lambda: m.ausuc([0, 1, 1], PROBA, [1]),
        "y_true has 3 rows and scores has 2",
    ),
    "other proba length": (
        lambda: m.negative_log_likelihood([0], PROBA),
        "y_true has 1 rows and proba has 2",
    ),
    "other confidence length": (
        lambda: m.aurc([1, 0, 1], [0.5, 0.5]),
        "correct has 3 rows and confidence has 2",
    ),
    "no confidence": (lambda: m.expected_calibration_error([], []), "correct is empty"),
    "other tag shape": (
        lambda: m.tag_precision_recall(TAGS, [[1, 0, 0], [0, 1, 0]]),
        "y_true has shape (2, 2) and y_pred has shape (2, 3); give one row for each image and",
    ),
    "other score shape": (
        lambda: m.mean_average_precision(TAGS, [[1.0, 0.0]]),
        "y_true has shape (2, 2) and scores has shape (1, 2)",
    ),
    "no images to tag": (
        lambda: m.mean_average_precision(np.zeros((0, 2)), np.zeros((0, 2))),
        "y_true is empty (shape (0, 2))",
    ),
    "other harmonic shape": (
        lambda: m.harmonic_mean(np.ones(2), np.ones(3)),
        "a has shape (2,) and b (3,); give equal shapes",
    ),
    # NaN, infinities, and things that are not numbers
    "NaN label": (
        lambda: m.accuracy([0.0, NAN], [0, 1]),
        "y_true has 1 NaN value(s), the first in row 1; remove or replace them before scoring",
    ),
    "NaN score": (
        lambda: m.top_k_accuracy([0, 1], [[0.1, 0.2], [0.3, NAN]], 1),
        "scores has 1 NaN value(s), the first in row 1, column 1",
    ),
    "NaN decision score": (lambda: m.decide_threshold([[NAN, 1]]), "scores has 1 NaN value(s)"),
    "NaN ranking score": (
        lambda: m.average_precisions(TAGS, [[0.1, NAN], [NAN, 0]]),
        "scores has 2 NaN value(s), the first in row 0, column 1",
    ),
    "infinite curve score": (
        lambda: m.seen_unseen_curve([0, 1], [[0.0, -np.inf], [0, 1]], [1]),
        "scores has 1 NaN or infinite value(s), the first in row 0, column 1",
    ),
    "NaN confidence": (lambda: m.aurc([1, 0], [NAN, 1]), "confidence has 1 NaN value(s)"),
    "NaN probability": (lambda: m.top_label([0], [[NAN, 1]]), "proba has 1 NaN value(s)"),
    "NaN tag": (lambda: m.tag_precision_recall([[NAN, 1]], [[0, 1]]), "y_true has 1 NaN value(s)"),
    "NaN accuracy": (
        lambda: m.harmonic_mean(NAN, 0.5),
        "a must hold finite numbers of at least 0",
    ),
    "negative accuracy": (
        lambda: m.harmonic_mean(0.5, -0.5),
        "b must hold finite numbers of at least 0",
    ),
    "text accuracy": (lambda: m.harmonic_mean("high", "low"), "a must hold finite numbers"),
    "text scores": (
        lambda: m.decide_top_k([["high", "low"]], 1),
        "scores holds <U4 values; give a dense array of numbers",
    ),
    "missing label": (
        lambda: m.accuracy(np.array(["a", None], dtype=object), ["a", "b"]),
        "y_true holds values of type NoneType, str; give labels that are all text or all integers",
    ),
    "bytes labels": (
        lambda: m.accuracy([b"a"], [b"a"]),
        "y_true holds |S1 values; give labels as integers or as str",
    ),
    "text beside numbers": (
        lambda: m.accuracy(["a", "b"], [0, 1]),
        "y_true holds <U1 labels and y_pred holds int64; give both as integers or both as text",
    ),
    # labels and columns
    "unknown column": (
        lambda: m.top_k_accuracy([0, 2], PROBA, 1),
        "y_true has 2, which no column of scores stands for; without classes, labels are column "
        "numbers from 0 to 1",
    ),
    "negative column": (lambda: m.top_k_accuracy([0, -1], PROBA, 1), "y_true has -1, which no"),
    "text without classes": (
        lambda: m.top_k_accuracy(["a", "b"], PROBA, 1),
        "y_true holds text; give classes, the label of each column of scores",
    ),
    "misspelt class": (
        lambda: m.negative_log_likelihood(["wren", "crwo"], PROBA, classes=["wren", "crow"]),
        "y_true has 'crwo', which no column of scores stands for; add it to classes; "
        "did you mean 'crow'?",
    ),
    "too few classes": (
        lambda: m.top_label(["a", "a"], PROBA, classes=["a"]),
        "classes has 1 labels for 2 columns of scores; give one label for each column",
    ),
    "class twice": (
        lambda: m.top_label(["a", "a"], PROBA, classes=["a", "a"]),
        "classes names 'a' more than once; give each column its own label",
    ),
    "classes of other kind": (
        lambda: m.top_label([0, 1], PROBA, classes=["a", "b"]),
        "y_true holds int64 labels and classes holds <U1",
    ),
    "unknown unseen class": (
        lambda: m.ausuc([0, 1], PROBA, [7]),
        "unseen_classes has 7, which no column of scores stands for",
    ),
    "no unseen classes": (lambda: m.ausuc([0, 1], PROBA, []), "unseen_classes is empty"),
    "no unseen image": (
        lambda: m.generalized_accuracy([0, 0], [0, 1], [1]),
        "y_true has no image of an unseen class; the generalized setting needs images of both",
    ),
    "no seen image": (
        lambda: m.seen_unseen_curve([1, 1], PROBA, [1]),
        "y_true has no image of a seen class",
    ),
    "everything unseen": (
        lambda: m.ausuc([0, 1], PROBA, [0, 1]),
        "y_true has no image of a seen class",
    ),
    "unseen of other kind": (
        lambda: m.generalized_accuracy([0, 1], [0, 1], ["b"]),
        "y_true holds int64 labels and unseen_classes holds <U1",
    ),
    # probabilities
    "scores as confidence": (
        lambda: m.expected_calibration_error([1, 0], [2.5, 0.5]),
        "confidence holds 2.5, outside 0–1; give probabilities, not scores",
    ),
    "negative probability": (
        lambda: m.negative_log_likelihood([0], [[-0.5, 1.5]]),
        "proba holds -0.5, outside 0–1",
    ),
    "unnormalised rows": (
        lambda: m.negative_log_likelihood([0, 1], [[0.5, 0.5], [0.5, 0.4]]),
        "proba row 1 sums to 0.9, not 1; normalise each row (softmax)",
    ),
    "not yes or no": (
        lambda: m.aurc([0, 1, 2], [0.1, 0.2, 0.3]),
        "correct holds 2; give only 0 and 1, or False and True",
    ),
    "floor of one": (lambda: m.negative_log_likelihood([0, 1], PROBA, floor=1), "floor is 1; give"),
    "no floor": (
        lambda: m.negative_log_likelihood([0, 1], PROBA, floor=None),
        "floor is None; give one number",
    ),
    # tags
    "minus-one tags": (
        lambda: m.tag_precision_recall([[1, -1]], [[1, 0]]),
        "y_true holds -1; give only 0 and 1",
    ),
    "scores as decisions": (
        lambda: m.tag_precision_recall(TAGS, [[0.7, 0.1], [0, 1]]),
        "y_pred holds 0.7; give only 0 and 1",
    ),
    "nothing true": (
        lambda: m.tag_precision_recall(np.zeros((2, 2)), TAGS),
        "y_true marks no concept in any image; give the true concepts as 1",
    ),
    "nothing true to rank": (
        lambda: m.mean_average_precision(np.zeros((2, 2)), TAGS),
        "y_true marks no concept in any image",
    ),
    # options
    "k of zero": (
        lambda: m.top_k_accuracy([0, 1], PROBA, 0),
        "k is 0; give a whole number from 1 up to 2, the number of columns",
    ),
    "k beyond the columns": (lambda: m.decide_top_k(PROBA, 3), "k is 3; give a whole number"),
    "fractional k": (lambda: m.decide_top_k(PROBA, 1.5), "k is 1.5; give a whole number"),
    "true k": (lambda: m.decide_top_k(PROBA, True), "k is True; give a whole number"),
    "no bins": (
        lambda: m.expected_calibration_error([1], [0.5], n_bins=0),
        "n_bins is 0; give a whole number from 1",
    ),
    "NaN threshold": (lambda: m.decide_threshold(PROBA, NAN), "threshold is nan; give one number"),
    "text threshold": (lambda: m.decide_threshold(PROBA, "0"), "threshold is '0'; give one number"),
    "unknown average": (
        lambda: m.accuracy([0], [0], average="class"),
        "average is 'class'; give 'images' or 'classes'; did you mean 'classes'?",
    ),
    "unknown top-k average": (
        lambda: m.top_k_accuracy([0, 1], PROBA, 1, average="macro"),
        "average is 'macro'; give 'images' or 'classes'",
    ),
    "unknown generalized average": (
        lambda: m.generalized_accuracy([0, 1], [0, 1], [1], average=None),
        "average is None; give 'images' or 'classes'",
    ),
    "unknown curve average": (
        lambda: m.ausuc([0, 1], PROBA, [1], average="concepts"),
        "average is 'concepts'; give 'images' or 'classes'",
    ),
    "unknown tag average": (
        lambda: m.tag_precision_recall(TAGS, TAGS, average="classes"),
        "average is 'classes'; give 'concepts' or 'images' or 'overall'",
    ),
    "unknown ranking average": (
        lambda: m.mean_average_precision(TAGS, TAGS, average="overall"),
        "average is 'overall'; give 'concepts' or 'images'",
    ),
    "unknown empty rule": (
        lambda: m.tag_precision_recall(TAGS, TAGS, empty="drop"),
        "empty is 'drop'; give 'zero' or 'skip'",
    ),
    "unknown ranking empty rule": (
        lambda: m.mean_average_precision(TAGS, TAGS, empty="one"),
        "empty is 'one'; give 'zero' or 'skip'",
    ),
    "unknown bins": (
        lambda: m.reliability_curve([1], [0.5], bins="masses"),
        "bins is 'masses'; give 'width' or 'mass'; did you mean 'mass'?",
    ),
}


@pytest.mark.parametrize(("call", "text"), REFUSALS.values(), ids=REFUSALS.keys())
def test_refused_in_words(call, text):
    with pytest.raises(InputError, match=re.escape(text)):
        call()
