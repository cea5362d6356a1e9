import numpy as np
import pytest

from sapwood.models import verdict
from sapwood.models.likeness import Likeness
from sapwood.models.relearning import Relearner
from sapwood.projection import Evidence

ALIKE, UNLIKE, UNSURE = Likeness(0.5, 0.01), Likeness(0.7, 0.01), Likeness(0.5, 0.1)


@pytest.fixture
def judged(monkeypatch):
    """Judge with a likeness and a usefulness that are made up."""

    def judge(like, useful, informed=True):
        burdens = []

        def usefulness(relearner, codes, seed, burden):
            burdens.append(burden)
            return useful

        monkeypatch.setattr(verdict, "likeness", lambda *_: like)
        monkeypatch.setattr(verdict, "usefulness", usefulness)
        evidence = Evidence(np.eye(2), np.eye(2), np.eye(2), np.ones(2))
        return verdict.judge(Relearner(evidence, None), np.array([0, 1]), informed, 0), burdens[0]

    return judge


@pytest.mark.parametrize("like", [UNLIKE, UNSURE, None])
def test_images_that_are_not_known_to_be_alike_must_prove_themselves(judged, like):
    (found, burden) = judged(like, 1.9)
    assert burden == 2.0
    assert not found.all
    assert judged(like, 2.0)[0].all


def test_images_like_the_annotated_ones_must_do_no_harm(judged):
    (found, burden) = judged(ALIKE, 0.1)
    assert burden == 0.0
    assert found.all
    assert not judged(ALIKE, -0.1)[0].all


def test_where_features_tell_little_looking_alike_is_no_proof(judged):
    (found, burden) = judged(ALIKE, 1.9, informed=False)
    assert burden == 2.0
    assert not found.all


def test_what_cannot_be_asked_is_taken_in(judged):
    (found, _) = judged(None, None)
    assert found == (True, None, None)


def test_figures_are_told(judged):
    assert judged(UNLIKE, 3.0)[0] == (True, 3.0, 0.7)
