import numpy as np
import pytest

from sapwood.data import CARDS, card, load_attributes, load_zero_shot
from sapwood.data.cards import paper_split
from sapwood.errors import InputError

TABLE_1 = {
    "AwA1": (30475, 85, 40, 10),
    "CUB": (11788, 312, 150, 50),
    "aPY": (15339, 64, 20, 12),
    "SUN": (14340, 102, 707, 10),
}


def test_every_known_set_has_a_card_with_all_its_fields():
    names = {"AwA1", "AwA2", "CUB", "aPY", "SUN", "FLO", "CUB+Web", "NUS-WIDE", "MIRFlickr",
             "Flickr8k tags"}  # fmt: skip
    assert set(CARDS) == names
    for known in CARDS.values():
        for field in ("title", "what", "source", "licence", "citation", "get"):
            assert len(getattr(known, field)) > 2, (known.name, field)
        assert known.kind in ("zero-shot", "tags", "features")
        assert "\n" not in known.get


@pytest.mark.parametrize("name", TABLE_1)
def test_counts_are_those_of_table_1(name):
    counts = card(name).paper
    found = tuple(counts[key] for key in ("images", "attributes", "seen", "unseen"))
    assert found == TABLE_1[name]


def test_splits_add_up():
    sizes = {"AwA1": 30475, "AwA2": 37322, "CUB": 11788, "aPY": 15339, "SUN": 14340, "FLO": 8189}
    classes = {"AwA1": 50, "AwA2": 50, "CUB": 200, "aPY": 32, "SUN": 717, "FLO": 102}
    for name, total in sizes.items():
        split = card(name).splits["proposed"]
        assert sum(split[part] for part in ("trainval", "test_seen", "test_unseen")) == total
        for known in card(name).splits.values():
            assert known["seen"] + known["unseen"] == classes[name]
            assert len(known.get("classes", range(known["unseen"]))) == known["unseen"]


@pytest.mark.parametrize("spelling", ["cub", "CUB", "cub-200-2011", "Caltech UCSD birds"])
def test_names_are_found_by_any_spelling(spelling):
    assert card(spelling).name == "CUB"


def test_an_unknown_name_gets_the_nearest():
    with pytest.raises(InputError, match=r"^data set 'AwA3': not a known name; did you mean 'AwA"):
        card("AwA3")
    with pytest.raises(InputError, match=r"known are AwA1, AwA2|known are"):
        card("ImageNet")


@pytest.mark.parametrize(("name", "file"), [("CUB", "cub.npz"), ("AwA1", "awa1_lowlevel.npz")])
def test_the_papers_classes_are_those_of_the_real_files(real, name, file):
    data = load_zero_shot(real(file))
    split = paper_split(card(name), data.class_names.tolist())
    np.testing.assert_array_equal(split.unseen, data.splits["paper"].unseen)


def test_the_papers_classes_exist_in_the_real_attribute_tables(real):
    for name, file in (("AwA2", "awa2"), ("aPY", "apy")):
        names = load_attributes(real(f"class_attributes_{file}.npz")).class_names
        assert (
            len(paper_split(card(name), names.tolist()).unseen)
            == card(name).splits["paper"]["unseen"]
        )
