"""What the drawn world holds, and that it is the same everywhere."""

import hashlib

import numpy as np
import pytest

from sapwood.data.world import ATTRIBUTES, SYNONYMS, make_attribute_world
from sapwood.data.world.traits import GROUPS
from sapwood.errors import InputError

SMALL = {"seen": 6, "unseen": 3, "strangers": 2, "per_class": 4, "web": 12, "size": 48}


@pytest.fixture(scope="module")
def world():
    return make_attribute_world(**SMALL)


def digest(array):
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()[:16]


def test_pictures_and_features_are_the_same_on_every_machine(world):
    assert digest(world.pictures) == "38dcda22e33a0d58"
    assert digest(world.features.astype("<f4")) == "bee092a1faec5f2f"
    assert digest(world.web_pictures) == "717448808c5c432e"
    assert digest(world.tags) == "befbe96afa32b431"


def test_the_same_seed_gives_the_same_world_and_another_seed_another(world):
    again, other = make_attribute_world(**SMALL), make_attribute_world(1, **SMALL)
    assert (again.pictures == world.pictures).all()
    assert (again.tags == world.tags).all()
    assert other.class_names == world.class_names
    assert (other.pictures != world.pictures).any(axis=(1, 2, 3)).all()
    assert make_attribute_world(creatures=5, **SMALL).class_names != world.class_names


def test_more_pictures_a_class_leave_the_first_ones_alone(world):
    more = make_attribute_world(**{**SMALL, "per_class": 5})
    kept = more.pictures.reshape(9, 5, 48, 48, 3)[:, :4]
    assert (kept.reshape(world.pictures.shape) == world.pictures).all()


def test_shapes_of_a_world(world):
    n, k = 9 * 4, len(ATTRIBUTES)
    assert world.pictures.shape == (n, 48, 48, 3)
    assert world.features.shape[0] == world.concepts.shape[0] == world.tags.shape[0] == n
    assert world.attributes.shape == (9, k)
    assert np.bincount(world.labels).tolist() == [4] * 9
    assert world.unseen.tolist() == [6, 7, 8]
    assert world.seen.tolist() == [0, 1, 2, 3, 4, 5]
    assert len(set(world.class_names)) == 9
    assert len(set(world.image_files + world.web_files)) == n + 12
    assert world.tags.shape[1] == len(world.tag_names) == len(set(world.tag_names))


def test_features_are_whole_numbers_that_sum_to_the_whole(world):
    X = world.features
    assert (X.astype(int) == X).all()
    assert X.min() >= 0
    # Five histograms of 10,000 parts each, rounded down.
    assert (X.sum(axis=1) <= 50_000).all()
    assert (X.sum(axis=1) > 48_000).all()


def test_pictures_show_what_their_class_has(world):
    assert world.concepts[world.attributes[world.labels] == 1].all()
    assert not world.concepts[world.attributes[world.labels] == 0].any()


def test_one_body_colour_and_habitat_each_and_at_most_one_of_the_rest(world):
    for group, names in GROUPS.items():
        columns = [ATTRIBUTES.index(name) for name in names]
        count = world.concepts[:, columns].sum(axis=1)
        assert count.max() <= 1
        if group in ("body", "colour", "habitat"):
            assert count.min() == 1


def test_the_web_has_strangers_and_empty_scenes():
    world = make_attribute_world(**{**SMALL, "web": 60, "size": 24})
    outside = [name for name in world.web_classes if name and name not in world.class_names]
    inside = [name for name in world.web_classes if name in world.class_names]
    assert len(world.web_pictures) == len(world.web_classes) == 60
    assert len(set(outside)) == 2
    assert len(outside) > len(inside) > 0
    assert "" in world.web_classes


def test_tags_miss_some_invent_some_and_use_other_words():
    world = make_attribute_world(**{**SMALL, "per_class": 40, "web": 0, "size": 24})
    k = len(ATTRIBUTES)
    column = {word: j for j, word in enumerate(world.tag_names)}
    meant = world.tags[:, :k].astype(bool)
    for name, words in SYNONYMS.items():
        for word in words:
            meant[:, ATTRIBUTES.index(name)] |= world.tags[:, column[word]].astype(bool)
    recall, wrong = meant[world.concepts].mean(), (meant & ~world.concepts).sum(axis=1).mean()
    own_word = world.tags[:, :k][world.concepts].mean()
    assert 0.5 < recall < 0.6
    assert 0.5 < wrong < 1.1
    assert own_word < recall - 0.05


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"seed": -1}, "seed is -1; give a whole number from 0"),
        ({"creatures": "a"}, "creatures is 'a'; give a whole number from 0"),
        ({"seen": 1}, "seen is 1; give a whole number from 2"),
        ({"unseen": 0}, "unseen is 0; give a whole number from 1"),
        ({"per_class": 2.5}, "per_class is 2.5; give a whole number from 1"),
        ({"size": 8}, "size is 8; give a whole number from 24"),
        ({"web": True}, "web is True; give a whole number from 0"),
        ({"nuisance": -0.1}, "nuisance is -0.1; give a number from 0 to 3"),
        ({"seen": 190}, "more than 200 classes"),
    ],
)
def test_wrong_arguments_are_named(wrong, message):
    with pytest.raises(InputError, match=message):
        make_attribute_world(**{**SMALL, **{"unseen": 20}, **wrong})


def test_two_hundred_classes_still_have_names_of_their_own():
    from sapwood.data.world.draws import Draws
    from sapwood.data.world.species import make_species

    for creatures in range(5):
        made = make_species((140, 40, 20), Draws(creatures))
        assert len({species.name for species in made}) == 200


def test_progress_goes_from_stage_to_stage():
    told = []
    make_attribute_world(**SMALL, progress=lambda stage, share: told.append((stage, share)))
    assert list(dict(told)) == [
        "drawing creatures",
        "finding pictures on the web",
        "measuring colours and edges",
    ]
    assert all(0 <= share <= 1 for _, share in told)
