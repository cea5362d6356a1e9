import numpy as np
import pytest


@pytest.fixture
def text_cub(load_benchmark):
    return load_benchmark(".", "text_cub")[0]


@pytest.mark.parametrize(
    ("attribute", "phrase"),
    [
        ("has_crown_color::red", "a red crown"),
        ("has_bill_shape::curved_(up_or_down)", "a curved bill"),
        ("has_tail_shape::pointed_tail", "a pointed tail"),
        ("has_wing_shape::long-wings", "long-wings"),
        ("has_underparts_color::blue", "blue underparts"),
        ("has_throat_color::orange", "an orange throat"),
        ("has_bill_length::shorter_than_head", "a bill shorter than head"),
        ("has_primary_color::black", "a black body"),
        ("has_size::small_(5_-_9_in)", "a small size"),
        ("has_shape::gull-like", "a gull-like shape"),
    ],
)
def test_attributes_in_words(text_cub, attribute, phrase):
    assert text_cub.phrase(attribute) == phrase


def test_what_stands_out_comes_first(text_cub):
    A = np.array([[0.9, 0.5, 0.1], [0.9, 0.1, 0.2]])
    names = ["has_eye_color::black", "has_crown_color::red", "has_size::small"]
    told = text_cub.lines(A, names, ["001.Red_Bird", "002.Dull_Bird"])
    assert told["001.Red_Bird"][0].startswith("Red Bird, a bird with a red crown, a black eye")
    assert told["002.Dull_Bird"][0].startswith("Dull Bird, a bird with a small size")


def test_the_table_counts_leads_draw_by_draw(text_cub):
    def row(method, seed, accuracy, weight):
        told = {"annotated": 1, "seed": seed, "method": method}
        return {**told, "accuracy": accuracy, "weight_of_words": weight}

    rows = [row("attributes", s, 0.5 + s / 10, 0.0) for s in (0, 1)]
    rows += [row("lines", s, 0.4, 1.0) for s in (0, 1)]
    rows += [row("attributes and lines", s, 0.6 + s / 10, 0.3 + s / 10) for s in (0, 1)]
    assert text_cub.table(rows, [1]).splitlines()[2:] == [
        "| attributes | 55.0 ± 7.1 |  | 0, 0 |",
        "| attributes and lines | 65.0 ± 7.1 | +10.0 ± 0.0 | 0.3, 0.4 |",
        "| lines | 40.0 ± 0.0 | −15.0 ± 5.0 | 1, 1 |",
    ]
