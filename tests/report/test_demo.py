"""The demo on a small world: its page says what its rows say."""

import copy
import dataclasses
import os
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from sapwood.data.world import make_attribute_world
from sapwood.errors import InputError
from sapwood.report import picture_uri, render_page
from sapwood.report.demo import demo_page, demo_table, run_demo, run_study
from sapwood.report.demo.experiment import ALONE, METHODS, SAPWOOD, _nearest_labels, given
from sapwood.report.demo.predictions import REMOTE, predicted


class Tables(HTMLParser):
    """The text of the cells of each table."""

    def __init__(self, html):
        super().__init__()
        self.tables, self.open = [], False
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
            self.open = True

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.open = False

    def handle_data(self, data):
        if self.open:
            self.tables[-1][-1][-1] += data


@pytest.fixture(scope="module")
def small():
    return make_attribute_world(seen=8, unseen=4, strangers=2, per_class=10, web=30, size=48)


@pytest.fixture(scope="module")
def study(small):
    return run_study(small, annotated=[1, 5, 10], draws=2)


@pytest.fixture(scope="module")
def result(small, tmp_path_factory):
    out = tmp_path_factory.mktemp("demo") / "out"
    return run_demo(out, world=small, annotated=[1, 5], draws=2)


def test_the_rows_are_all_there(study):
    few = [(m, k, d) for k in (1, 5) for d in (0, 1) for m in METHODS]
    every = [(SAPWOOD, "all", 0), (ALONE, "all", 0)]
    assert [(r["method"], r["annotated"], r["draw"]) for r in study.rows] == few + every
    assert all(0 <= row["accuracy"] <= 1 for row in study.rows)


def test_the_page_has_the_numbers_of_the_table(result):
    html = result["report"].read_text()
    table = demo_table(result["rows"])
    assert Tables(html).tables[0] == [table.columns, *table.rows]
    assert result["table"] == table.text()
    for method in METHODS:
        mean = np.mean([r["accuracy"] for r in result["rows"]
                        if (r["method"], r["annotated"]) == (method, 1)])  # fmt: skip
        row = next(row for row in table.rows if row[0] == method)
        assert float(row[1].split()[0]) == pytest.approx(100 * mean, abs=0.0501)
    headline = re.search(r'class="main"><strong>([\d.]+)', html)
    assert headline[1] == next(r for r in table.rows if r[0] == SAPWOOD)[1].split()[0]


def test_the_page_has_every_section_and_little_weight(result):
    html = result["report"].read_text()
    ids = re.findall(r'<section id="(\w+)">', html)
    assert ids == ["results", "creatures", "propagated", "predicted", "trust", "graph",
                   "convergence", "elsewhere", "own"]  # fmt: skip
    assert len(html) < 4_000_000
    assert "<script" not in html
    assert html.count("<svg") == 3


def test_bars_add_up_to_the_lead(result, study):
    assert study.model.remoteness_
    bars = [t for t in Tables(result["report"].read_text()).tables if t and t[-1][0] == "lead"]
    assert bars
    for table in bars:
        assert table[-2][0] == REMOTE
        values = [float(row[-1].replace("−", "-")) for row in table]
        assert values[-1] >= 0
        assert sum(values[:-1]) == pytest.approx(values[-1], abs=0.0005 * len(values))


def test_the_page_tells_which_attributes_count(small, study):
    """Few classes tell nothing of weights, so they are given here."""
    assert study.model.attribute_freedom_ == 0
    titles = [block.get("title") for block in predicted(small, study)["blocks"]]
    assert "Which attributes count" not in titles
    model = copy.deepcopy(study.model)
    model.attribute_freedom_ = 5.0
    weights = np.random.default_rng(0).permutation(np.arange(1.0, len(small.attribute_names) + 1))
    model.attribute_map_.weights_ = weights
    (block,) = (
        block
        for block in predicted(small, dataclasses.replace(study, model=model))["blocks"]
        if block.get("title") == "Which attributes count"
    )
    most, least = (item["bars"] for item in block["items"])
    by_weight = np.array(small.attribute_names)[np.argsort(-weights)]
    assert [bar["name"] for bar in most] == by_weight[:8].tolist()
    assert [bar["name"] for bar in least] == by_weight[::-1][:8].tolist()
    assert [float(bar["text"]) for bar in most] == np.sort(weights)[::-1][:8].tolist()
    assert float(most[0]["share"]) == 1


def test_confusions_count_every_test_picture(small, study):
    heat = demo_page(small, study)["sections"][3]["blocks"][-1]
    assert heat["kind"] == "heat"
    assert sum(sum(row["values"]) for row in heat["rows"]) == len(study.test) == 40


def test_the_page_says_what_abstaining_gains(small, study, monkeypatch):
    X, truth = small.features[study.test], small.labels[study.test]
    level = np.median(study.model.predict_proba(X, classes=small.unseen).max(axis=1))
    monkeypatch.setattr("sapwood.report.demo.trust.REJECT", level)
    section = next(s for s in demo_page(small, study)["sections"] if s["id"] == "trust")
    answers = study.model.predict(X, classes=small.unseen, reject=level)
    given = answers >= 0
    assert 0 < given.mean() < 1
    right = np.mean(answers[given] == truth[given])
    numbers = [float(n) for n in re.findall(r"([\d.]+)\s%", section["text"][0])]
    assert numbers == pytest.approx([100 * given.mean(), 100 * right], abs=0.0501)


def test_the_page_says_what_its_two_shares_of_seen_pictures_are_of(small, study):
    page = demo_page(small, study)
    sections = {section["id"]: section for section in page["sections"]}
    given = sections["propagated"]["text"][0]
    named = sections["trust"]["blocks"][1]["caption"]
    assert re.search(r"propagation along the graph gave [\d.]+\s% attributes", given)
    unknown = study.known < 0
    X, truth = small.features[study.train][unknown], small.labels[study.train][unknown]
    wrong = np.mean(study.model.predict(X, classes="seen") != truth)
    share = re.search(r"among the seen classes, .* and for ([\d.]+)\s% of all", named)
    assert float(share[1]) == pytest.approx(100 * wrong, abs=0.0501)
    assert "goes by their features" in named
    assert "table of attributes" in page["lead"][1]


def test_pictures_worth_an_annotation_have_none(small, study):
    section = next(s for s in demo_page(small, study)["sections"] if s["id"] == "trust")
    shown = [item["src"] for item in section["blocks"][1]["strips"][0]["items"]]
    without = [picture_uri(small.pictures[row]) for row in study.train[study.known < 0]]
    assert len(shown) == 8
    assert set(shown) <= set(without)


def test_the_page_is_the_same_for_the_same_seed(small, study):
    again = run_study(small, annotated=[1, 5, 10], draws=2)
    assert render_page(demo_page(small, study)) == render_page(demo_page(small, again))


@pytest.mark.parametrize(
    ("rounds", "information", "said"),
    [
        (1, None, r"propagates once here and"),
        (1, -0.001, r"propagates once here: .* tells 0\.0\s% .* too little for a vote"),
        (4, 0.5, r"number of rounds, 4: .* tells 50\.0\s% .* from the second on it votes"),
    ],
)
def test_the_page_says_whether_the_projection_votes(small, study, rounds, information, said):
    model = copy.copy(study.model)
    model.n_iter_, model.information_ = rounds, information
    page = demo_page(small, dataclasses.replace(study, model=model))
    text = next(s for s in page["sections"] if s["id"] == "convergence")["text"][0]
    assert re.match(f"The default .*{said}", text)


def test_a_class_named_like_a_script_does_no_harm(small, study):
    names = [f"<script>alert({i})</script>" for i in range(12)]
    attributes = [f"<img src=x onerror=alert({j})>" for j in range(len(small.attribute_names))]
    kept = ("wings", "stripes", "long neck", "one eye")
    attributes = [
        old if old in kept else new
        for old, new in zip(small.attribute_names, attributes, strict=True)
    ]
    evil = dataclasses.replace(small, class_names=names, attribute_names=attributes)
    html = render_page(demo_page(evil, study))
    assert "<script" not in html
    assert "<img src=x" not in html
    assert "&lt;script&gt;alert(11)" in html


def test_nearest_labels_are_the_labels_of_the_nearest(small, study):
    from sapwood.features import FEATURE_MAPS, FeatureMap

    X = small.features[study.train]
    mapped = FeatureMap(**FEATURE_MAPS["whitened"]).fit_transform(X)
    annotated = np.flatnonzero(study.known >= 0)
    distance = ((mapped[:, None] - mapped[annotated]) ** 2).sum(axis=2)
    expected = study.known[annotated][distance.argmin(axis=1)]
    assert (_nearest_labels(X, study.known) == expected).all()


def test_annotations_are_k_of_each_class_and_true(small, study):
    for k in (1, 5):
        y = given(small, study.train, k, 3)
        assert np.bincount(y[y >= 0]).tolist() == [k] * 8
        assert (y[y >= 0] == small.labels[study.train][y >= 0]).all()


def test_the_commands_of_the_page_name_files_that_are_there(result):
    html = result["report"].read_text()
    named = set(re.findall(r"\bdata/[\w./]+", html))
    assert {"data/tables", "data/tables/new_pictures.csv"} <= named
    assert all((result["report"].parent / name).exists() for name in named)


def test_the_python_of_the_page_runs(result, monkeypatch):
    from sapwood.report.demo.closing import PYTHON

    monkeypatch.chdir(result["report"].parent)
    scope = {}
    exec("\n".join(PYTHON).replace("{data}", "data"), scope)
    assert set(scope["answers"]) <= set(scope["data"].class_names[8:])
    assert len(scope["answers"]) == 40


def test_progress_ends_with_the_report(small, tmp_path):
    told = []
    run_demo(tmp_path, progress=lambda *step: told.append(step), world=small,
             annotated=[1], draws=1)  # fmt: skip
    assert [stage for stage, _ in dict.fromkeys(told)][-1] == "writing the report"
    assert told[-1][1] == 1.0
    assert {stage for stage, _ in told} == {"writing pictures", "fitting", "writing the report"}


def test_a_file_in_place_of_the_folder_is_refused_before_the_work(tmp_path):
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(InputError, match=r"cannot write into .*taken: .*; give another folder"):
        run_demo(tmp_path / "taken")
    assert (tmp_path / "taken").read_text() == "mine"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root writes anywhere")
def test_a_read_only_folder_is_refused_before_the_work(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="cannot write into"):
        run_demo(tmp_path / "out")


def test_a_full_disk_is_named(small, tmp_path, monkeypatch):
    import errno

    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match=r"cannot write .*README\.txt: No space left on device"):
        run_demo(tmp_path, world=small, annotated=[1], draws=1)
    assert not (tmp_path / "report.html").exists()
