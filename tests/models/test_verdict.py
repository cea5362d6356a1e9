import numpy as np
import pytest

from sapwood.models import verdict
from sapwood.models.relearning import Relearner
from sapwood.projection import Evidence


@pytest.fixture
def judged(monkeypatch):
    """Judge with a strangeness and a usefulness that are made up."""

    def judge(strange, useful, informed=True, p=6, guided=True):
        burdens = []

        def usefulness(relearner, codes, seed, burden):
            burdens.append(burden)
            return useful

        monkeypatch.setattr(verdict, "strangeness", lambda *_: strange)
        monkeypatch.setattr(verdict, "usefulness", usefulness)
        evidence = Evidence(np.eye(p), np.eye(p), np.eye(p), np.ones(p))
        counts = np.ones(p, dtype=bool)
        asked = Relearner(evidence, None), np.arange(p), counts
        return verdict.judge(*asked, informed, guided, 0), burdens

    return judge


@pytest.mark.parametrize("strange", [0.11, 0.9, None])
def test_images_that_are_not_known_to_be_alike_must_prove_themselves(judged, strange):
    found, burdens = judged(strange, 1.9)
    assert burdens == [2.0]
    assert not found.all
    assert judged(strange, 2.0)[0].all


def test_images_like_the_annotated_ones_must_do_no_harm(judged):
    found, burdens = judged(0.1, 0.1)
    assert burdens == [0.0]
    assert found.all
    assert not judged(0.1, -0.1)[0].all


def test_where_features_tell_little_looking_alike_is_no_proof(judged):
    found, burdens = judged(0.0, 1.9, informed=False)
    assert burdens == [2.0]
    assert not found.all


@pytest.mark.parametrize(
    ("strange", "p", "taken"),
    [(None, 6, True), (0.66, 6, True), (0.67, 6, False), (0.1, 400, True), (0.11, 400, False)],
)
def test_where_no_class_can_play_an_unseen_one_looking_alike_decides(judged, strange, p, taken):
    """Few images differ by chance: six of them by up to two thirds, 400 by less than 0.1."""
    assert judged(strange, -9.0, p=p, guided=False) == ((taken, None, strange), [])


def test_with_too_few_classes_nobody_is_asked_and_all_take_part(judged):
    assert judged(0.9, -9.0, p=5) == ((True, None, None), [])


def test_figures_are_told(judged):
    assert judged(0.7, 3.0)[0] == (True, 3.0, 0.7)
