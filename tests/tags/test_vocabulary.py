import pytest

from sapwood.errors import InputError
from sapwood.tags import STOP_TAGS, Vocabulary, build_vocabulary, fold_tag


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("Dog", "dog"),
        ("#Dog", "dog"),
        ("##dog ", "dog"),
        ("“dog”,", "dog"),
        ("new\t york", "new york"),
        ("ＤＯＧ", "dog"),
        ("cafe\u0301", "café"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("ΣΊΣΥΦΟΣ", "σίσυφοσ"),
        ("İstanbul", "i̇stanbul"),
        ("犬", "犬"),
        ("#", ""),
    ],
)
def test_spellings_of_one_tag_are_one(written, folded):
    assert fold_tag(written) == folded
    assert fold_tag(folded) == folded


def test_the_most_frequent_tags_are_kept_ties_by_the_alphabet():
    tags = [["bee", "ant"], ["bee", "cat"], ["BEE", "#bee"], ["cat"], ["yak"]]
    assert build_vocabulary(tags, 3).names == ("bee", "cat", "ant")
    assert build_vocabulary(tags, 99).names == ("bee", "cat", "ant", "yak")


def test_an_image_counts_once_however_often_it_repeats_a_tag():
    assert build_vocabulary([["ant", "Ant", "#ant"], ["bee"], ["bee"]], 1).names == ("bee",)


def test_stop_tags_are_left_out_in_any_spelling():
    tags = [["Nikon", "#Canon", "sea"], ["THE", "sea"]]
    assert build_vocabulary(tags, 9).names == ("sea",)
    assert build_vocabulary(tags, 9, stop_tags=["SEA"]).names == ("canon", "nikon", "the")
    assert {fold_tag(word) for word in STOP_TAGS} == STOP_TAGS


def test_nothing_but_stop_tags_is_refused():
    with pytest.raises(InputError, match="stop list"):
        build_vocabulary([["nikon"], []], 5)


def test_encoding_leaves_out_what_it_does_not_know():
    matrix = Vocabulary(("sea", "sky")).encode([["Sea", "surf", "#SEA"], [], ["sky", "sea"]])
    assert matrix.toarray().tolist() == [[1, 0], [0, 0], [1, 1]]
