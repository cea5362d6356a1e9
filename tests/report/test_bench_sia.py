"""The section of social image annotation: the rows' figures, the lead, and the paper's."""

import numpy as np
import pytest

from sapwood.benchmark.paper_figures import read_paper
from sapwood.report.bench.results import Results
from sapwood.report.bench.sections import sia

NAMES = [figure["method"] for figure in read_paper("sia")]


def row(method, seed, level):
    scores = {f"{a}-{m}{e}": level for a in "CIO" for m in ("P", "R", "F1") for e in ("", "_top3")}
    if method not in ("cnn-softmax", "cnn-warp"):
        scores |= {f"{a}-{m}_own": level / 2 for a in "CIO" for m in ("P", "R", "F1")}
    told = {"bench": "sia", "data": "flickr8k_tags", "split": "given", "annotated": 3213}
    more = {"n_features": 1280, "n_train": 3213, "n_tags": 400, "n_concepts": 81}
    ranking = {"mAP": level, "mAP_images": level, "concept_ap": [level - 0.1, None, level + 0.1]}
    return {**told, **more, **scores, **ranking, "method": method, "seed": seed}


@pytest.fixture(scope="module")
def item():
    rows = []
    for i, name in enumerate(NAMES):
        for seed in range(1 if name.startswith("sapwood") else 3):
            rows.append(row(name, seed, 0.6 - 0.02 * i + 0.01 * seed))
    rows.append(row("frequency", 0, 0.1))
    return sia.SECTION.item(Results("out", rows, []))


def test_eleven_rows_in_three_ways_and_the_rest_apart(item):
    tables = [block for block in item["blocks"] if block["kind"] == "table"]
    assert [len(table["rows"]) for table in tables] == [11, 11, 9, 1, 11]
    first = {cells[0]: cells[1:] for cells in tables[0]["rows"]}
    assert list(first) == NAMES
    assert first["sapwood"][0] == "60.0"
    assert first["sinn"][0] == "53.0 ± 1.0"
    assert tables[0]["columns"][:3] == ["method", "mAP", "mAP by image"]
    assert tables[0]["marked"] == [0]
    assert tables[3]["rows"][0][0] == "frequency"
    assert "flickr8k" in tables[0]["title"].lower()


def test_the_lead_is_on_the_best_of_the_eight(item):
    (text,) = [block for block in item["blocks"] if block["kind"] == "text"]
    expected = 60 - np.mean([54, 55, 56])
    assert f"C-F1 +{expected:.1f} on sr-cnn-rnn" in text["paragraphs"][0]
    assert f"mAP +{expected:.1f} ± 0.0 (over concepts) on sr-cnn-rnn" in text["paragraphs"][0]


def test_rows_of_other_concepts_have_a_lead_without_an_error():
    rows = [row("sapwood", 0, 0.5), row("ria", 0, 0.4)]
    rows[1]["concept_ap"] = [0.4]
    blocks = sia.SECTION.item(Results("out", rows, []))["blocks"]
    (text,) = [block for block in blocks if block["kind"] == "text"]
    assert text["paragraphs"][0].endswith("mAP +10.0 on ria.")


def test_the_papers_figures_stand_beside(item):
    last = item["blocks"][-1]
    assert last["rows"][3][:4] == ["SR-CNN-RNN", "sr-cnn-rnn", "66.4", "77.1"]
    assert last["rows"][3][4:] == ["55.0", "−11.4", "55.0", "−22.1"]
    assert "1280 fixed features" in last["caption"]
    figures = [block for block in item["blocks"] if block["kind"] == "figure"]
    assert [figure["file"] for figure in figures] == ["sia-flickr8k-tags-given-3213"]
    assert "<svg" in figures[0]["svg"]


def test_part_of_the_methods_is_shown_as_well():
    rows = [row("sinn", 0, 0.5), row("svm", 0, 0.4)]
    blocks = sia.SECTION.item(Results("out", rows, []))["blocks"]
    assert blocks[-1]["rows"][0][4:] == ["–"] * 4
