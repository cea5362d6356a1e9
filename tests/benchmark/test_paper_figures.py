"""The paper's figures as data."""

import pytest

from sapwood.benchmark.paper_figures import data_slug, read_paper
from sapwood.errors import InputError

SCORE = {"zsl": "accuracy", "gzsl": "harmonic_mean", "external": "accuracy"}


def figure(table, dataset, K, printed):
    (found,) = [
        f
        for f in read_paper(table)
        if (f["dataset"], f["annotated"], f["printed"]) == (dataset, K, printed)
    ]
    return found


@pytest.mark.parametrize(
    ("table", "dataset", "K", "printed", "method", "score", "std"),
    [
        ("zsl", "CUB", 5, "Ours", "sapwood-paper", 0.409, 0.015),
        ("zsl", "SUN", 1, "RN", "rn", 0.542, 0.038),
        ("zsl", "aPY", 25, "ZSKL", "zskl", 0.404, 0.046),
        ("gzsl", "AwA", 20, "SSE", "sse", 0.286, 0.006),
        ("external", "CUB+Web", 3, "ESZSL0", "eszsl0", 0.221, None),
        ("external", "CUB+Web", 5, "RPL", "rpl", 0.373, None),
    ],
)
def test_figures_as_printed(table, dataset, K, printed, method, score, std):
    found = figure(table, dataset, K, printed)
    assert found["method"] == method
    assert found[SCORE[table]] == pytest.approx(score)
    assert found.get("std") == (None if std is None else pytest.approx(std))


@pytest.mark.parametrize(
    ("table", "number", "datasets", "counts", "methods"),
    [("zsl", 2, 4, 5, 6), ("gzsl", 3, 2, 5, 6), ("external", 4, 1, 5, 7)],
)
def test_tables_are_whole(table, number, datasets, counts, methods):
    rows = read_paper(table)
    assert len(rows) == datasets * counts * methods
    assert {row["table"] for row in rows} == {number}
    assert len({(row["dataset"], row["annotated"]) for row in rows}) == datasets * counts
    assert sorted({row["row"] for row in rows}) == list(range(1, datasets * counts + 1))
    assert len({row["method"] for row in rows}) == methods
    assert all(0 < row[SCORE[table]] < 1 for row in rows)


def test_social_image_annotation_has_six_scores():
    rows = read_paper("sia")
    assert len(rows) == 11
    assert rows[3]["printed"] == "SR-CNN-RNN"
    assert rows[3]["label_correlation"] is True
    assert rows[3]["I-F1"] == pytest.approx(0.7715)
    assert "annotated" not in rows[0]


def test_data_is_known_by_its_card():
    assert {row["data"] for row in read_paper("zsl")} == {"cub", "awa1", "apy", "sun"}
    assert {row["data"] for row in read_paper("external")} == {"cub_web"}
    assert data_slug("cub+web") == "cub_web"
    assert data_slug("awa1_lowlevel") == data_slug("AWA1") == "awa1"
    assert data_slug("awa2") == "awa2"
    assert data_slug("my_birds") == "my_birds"
    assert data_slug("sun_flowers") == "sun_flowers"


def test_a_table_nobody_printed():
    with pytest.raises(InputError, match=r"'zsll'.*did you mean 'zsl'"):
        read_paper("zsll")
