import inspect

import numpy as np
import pytest

from sapwood import metrics


@pytest.mark.parametrize("name", metrics.__all__)
def test_every_public_name_has_a_runnable_example(name):
    assert ">>> " in inspect.getdoc(getattr(metrics, name))


def test_no_argument_is_changed():
    rng = np.random.default_rng(0)
    labels, scores = np.arange(20) % 4, rng.random((20, 4))
    proba, flags = scores / scores.sum(1, keepdims=True), scores > 0.5
    arrays = (labels, scores, proba, flags)
    for array in arrays:
        array.flags.writeable = False
    correct, confidence = metrics.top_label(labels, proba)
    metrics.accuracy(labels, labels, average="classes")
    metrics.top_k_accuracy(labels, scores, 2)
    metrics.generalized_accuracy(labels, labels, [3])
    metrics.ausuc(labels, scores, [3])
    metrics.negative_log_likelihood(labels, proba)
    metrics.expected_calibration_error(correct, confidence, bins="mass")
    metrics.aurc(correct, confidence)
    metrics.tag_precision_recall(flags, metrics.decide_top_k(scores, 2))
    metrics.mean_average_precision(flags, scores)
    metrics.harmonic_mean(confidence, confidence)


def test_numbers_are_python_floats():
    labels, tags = [0, 1, 1], [[1, 0], [0, 1]]
    found = [
        metrics.accuracy(labels, labels),
        metrics.accuracy(labels, labels, average="classes"),
        metrics.top_k_accuracy([0, 1], tags, 1),
        metrics.ausuc([0, 1], tags, [1]),
        metrics.harmonic_mean(np.float64(0.5), np.float64(0.5)),
        metrics.negative_log_likelihood([0, 1], tags),
        metrics.expected_calibration_error([1, 0], [1, 0]),
        metrics.aurc([1, 0], [1, 0]),
        metrics.mean_average_precision(tags, tags),
        metrics.tag_precision_recall(tags, tags).f1,
    ]
    assert [type(value) for value in found] == [float] * len(found)
