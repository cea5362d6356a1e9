"""Abstaining, explaining and suggesting on the command line."""

import csv
import json

import numpy as np
import pytest

from sapwood import SparseAttributePropagation
from sapwood.cli import evaluate
from sapwood.data import generalized_setting, load_zero_shot


@pytest.fixture
def model(model_file):
    """The model of the file, less sure than it would be on so small a problem."""
    model = SparseAttributePropagation.load(model_file)
    model.temperature_ = model.unseen_temperature_ = 0.1
    model.save(model_file)
    return model


def test_rejected_images_have_no_class(run, model, model_file, data_file):
    X = load_zero_shot(data_file).features
    sure = model.predict_proba(X).max(axis=1)
    reject = float(np.median(sure))
    code, out, err = run("predict", model_file, data_file, "--reject", reject, "--top", 2, "--json")
    assert code == 0
    rows = json.loads(out)
    first = [row for row in rows if row["rank"] == 1]
    answers = model.predict(X, reject=reject)
    assert [row["class"] for row in first] == list(answers)
    assert [row["probability"] for row in first] == pytest.approx(sure.tolist())
    rejected = int((answers == "").sum())
    assert len(rows) == 2 * len(X) - rejected
    assert f"note: {rejected} of {len(X)} images rejected" in err


def test_the_summary_counts_what_was_rejected(run, model, model_file, data_file, tmp_path):
    X = load_zero_shot(data_file).features
    sure = model.predict_proba(X, classes="unseen").max(axis=1)
    reject, out_file = float(np.quantile(sure, 0.3)), tmp_path / "a.csv"
    options = ["--classes", "unseen", "--reject", reject]
    code, out, err = run("predict", model_file, data_file, *options, "--out", out_file)
    assert code == 0
    rejected = int((sure < reject).sum())
    assert ["rejected", str(rejected)] in [line.split() for line in out.splitlines()]
    assert "rejected" not in err
    with out_file.open(newline="") as file:
        assert sum(row["class"] == "" for row in csv.DictReader(file)) == rejected
    _, out, err = run("predict", model_file, data_file, *options)
    assert sum("│ – │" in " ".join(line.split()) for line in out.splitlines()) == rejected
    assert f"{rejected} of {len(X)}" in err
    assert run("predict", model_file, data_file, *options, "--quiet")[2] == ""


def test_what_is_no_probability_is_refused_before_the_work(run, data_file, tmp_path):
    code, _, err = run("predict", tmp_path / "none.sap", data_file, "--reject", 50)
    assert code == 2
    assert "reject is 50.0; expected a number between 0 and 1" in err


def test_evaluate_shows_accuracy_against_coverage(run, model, model_file, data_file):
    _, out, _ = run("evaluate", model_file, data_file, "--json")
    found = json.loads(out)["accuracy_against_coverage"]
    data = load_zero_shot(data_file)
    rows = np.flatnonzero(data.labels >= 6)
    truth, X = data.class_names[data.labels[rows]], data.features[rows]
    for one in found:
        # A little less, for probabilities that are rounded otherwise.
        answers = model.predict(X, classes="unseen", reject=one["reject"] * (1 - 1e-9))
        given = answers != ""
        assert given.mean() == pytest.approx(one["coverage"])
        assert np.mean(answers[given] == truth[given]) == pytest.approx(one["accuracy"])
    assert found[-1]["accuracy"] == json.loads(out)["accuracy"]
    _, out, _ = run("evaluate", model_file, data_file, "--setting", "generalized")
    assert "predict --reject" in out
    assert "100.0 %" in out


def test_shares_of_few_images_that_coincide_are_printed_once(run, model, model_file, data_file):
    data = load_zero_shot(data_file)
    few = np.flatnonzero(data.labels >= 6)[:3]
    path = data_file.parent / "few.npz"
    with np.load(data_file) as arrays:
        np.savez(
            path, **{**arrays, **{n: arrays[n][few] for n in ("features", "labels", "image_files")}}
        )
    code, out, _ = run("evaluate", model_file, path)
    assert code == 0
    lines = [line for line in out.splitlines() if "100.0 %" in line and "│" in line]
    assert len(lines) == len(set(lines)) >= 1
    assert sum(line.strip().startswith("100.0 %") for line in lines) == 1


def test_explanations_add_up_and_name_everybody(run, model, model_file, data_file):
    code, out, _ = run("explain", model_file, data_file, "--top", 3, "--json")
    assert code == 0
    told = json.loads(out)
    data = load_zero_shot(data_file)
    winners = list(model.predict(data.features))
    assert [one["winner"] for one in told] == winners
    assert [one["image"] for one in told] == data.image_names.tolist()
    for one in told:
        assert [part["name"] in data.attribute_names for part in one["attributes"]] == [True] * 3
        parts = sum(part["part"] for part in one["attributes"])
        assert parts + one["others"] + one["bias"] == pytest.approx(one["lead"])


def test_explanations_go_into_a_file(run, model, model_file, data_file, tmp_path):
    out = tmp_path / "why.csv"
    ask = ("explain", model_file, data_file, "--top", 3, "--limit", 2)
    told = json.loads(run(*ask, "--json")[1])
    for _ in range(2):
        code, said, _ = run(*ask, "--out", out)
        assert code == 0
        assert said.splitlines()[0] == "Explained"
    with out.open() as file:
        rows = list(csv.DictReader(file))
    assert [row["image"] for row in rows] == [one["image"] for one in told for _ in range(5)]
    assert [row["rank"] for row in rows] == ["1", "2", "3", "", ""] * 2
    assert [row["attribute"] for row in rows[3:5]] == ["others", "bias"]
    for one, five in zip(told, (rows[:5], rows[5:]), strict=True):
        assert {row["class"] for row in five} == {one["winner"]}
        assert sum(float(row["part"]) for row in five) == pytest.approx(one["lead"])
    assert json.loads(run(*ask, "--out", out, "--json")[1]) == told


def test_explanations_for_people(run, model, model_file, data_file):
    options = ["--classes", "unseen", "--limit", 2]
    code, out, _ = run("explain", model_file, data_file, *options)
    assert code == 0
    lines = out.splitlines()
    heads = [line for line in lines if not line.startswith("  ")]
    assert [head.split(":")[0] for head in heads] == ["000.jpg", "001.jpg"]
    assert all("ahead of bird " in head for head in heads)
    assert any(line.startswith("  for      trait ") for line in lines)
    # Two unseen classes are not equally far from the seen ones.
    assert sum(line.startswith("  bias") for line in lines) == 2


def test_classes_it_never_heard_of(run, model, model_file, data_file, tmp_path, world):
    new = tmp_path / "new.csv"
    header = ",".join(["class", *(f"trait {j}" for j in range(9))])
    lines = [",".join([f"newbird {i}", *map(str, world.Z[6 + i])]) for i in range(2)]
    new.write_text("\n".join([header, *lines]))
    _, out, _ = run("explain", model_file, data_file, "--describe", new, "--json")
    _, known, _ = run("explain", model_file, data_file, "--classes", "unseen", "--json")
    names = {"newbird 0": "bird g", "newbird 1": "bird h"}
    for one, other in zip(json.loads(out), json.loads(known), strict=True):
        assert names[one["winner"]] == other["winner"]
        assert one["lead"] == pytest.approx(other["lead"])


@pytest.fixture
def describe(data_file, tmp_path):
    """Write a table that describes the classes of the small problem by other attributes."""

    def write(Z):
        names, path = load_zero_shot(data_file).class_names, tmp_path / "all.csv"
        header = ",".join(["class", *(f"trait {j}" for j in range(9))])
        rows = [",".join([name, *map(str, z)]) for name, z in zip(names, Z, strict=True)]
        path.write_text("\n".join([header, *rows]))
        return path

    return write


@pytest.mark.parametrize("options", [(), ("--classes", "seen"), ("--classes", "all")], ids=str)
def test_described_classes_that_the_model_knows_are_those_it_knows(
    run, model_file, data_file, describe, world, options
):
    table, ask = describe(world.Z), ("predict", model_file, data_file, "--json")
    expected = [(row["class"], pytest.approx(row["score"])) for row in json.loads(run(*ask)[1])]
    code, out, err = run(*ask, "--describe", table, *options)
    assert code == 0
    assert [(row["class"], row["score"]) for row in json.loads(out)] == expected
    assert "note: " not in err


def test_a_new_description_of_a_known_class_that_is_not_used_is_told(
    run, model_file, data_file, describe, world
):
    Z = world.Z.copy()
    Z[6] += 1
    Z[7, 0] = np.nan
    ask = ("predict", model_file, data_file, "--describe", describe(Z))
    _, _, err = run(*ask, "--classes", "unseen")
    assert "note: what --describe says of 'bird g' is not used: --classes names" in err
    assert "leave --classes out, or give what is new another name" in err
    assert "is not used" not in run(*ask)[2]


def test_suggestions_leave_out_what_was_annotated(run, model, model_file, data_file):
    data = load_zero_shot(data_file)
    setting = generalized_setting(data, annotated=3, seed=0, holdout=0.25)
    y = np.full(len(data.labels), -1)
    y[setting.train] = setting.y
    code, out, _ = run("suggest", model_file, data_file, "-n", 12, "--json")
    assert code == 0
    rows = json.loads(out)
    assert [row["row"] for row in rows] == model.suggest(data.features, 12, y).tolist()
    assert [row["rank"] for row in rows] == list(range(1, 13))
    assert [row["image"] for row in rows] == [f"{row['row']:03d}.jpg" for row in rows]
    assert all(0 <= row["novelty"] <= 1 and row["reached"] >= 0 for row in rows)
    assert np.isin(y[[row["row"] for row in rows]], -1).all()


def test_suggestions_go_into_a_file(run, model, model_file, data_file, tmp_path):
    out = tmp_path / "next.csv"
    ask = ("suggest", model_file, data_file, "-n", 3)
    told = json.loads(run(*ask, "--json")[1])
    for _ in range(2):
        code, said, _ = run(*ask, "--out", out)
        assert code == 0
        assert "Annotate next" not in said
        assert str(out) in said.replace("\n", "")
    with out.open() as file:
        rows = list(csv.DictReader(file))
    assert [{name: str(value) for name, value in one.items()} for one in told] == rows


def test_suggestions_for_people(run, model, model_file, data_file):
    code, out, _ = run("suggest", model_file, data_file, "-n", 3)
    assert code == 0
    for word in ("Annotate next", "novelty", "reached", ".jpg"):
        assert word in out
    code, _, err = run("suggest", model_file, data_file, "-n", 999)
    assert code == 2
    assert "n is 999, but only 142 of the 160 images are unannotated" in err


def test_of_a_few_images_all_are_suggested(run, model, model_file, data_file, tmp_path):
    few = tmp_path / "few.npz"
    np.savez(few, features=load_zero_shot(data_file).features[-8:])
    code, out, err = run("suggest", model_file, few, "--json")
    assert code == 0, err
    assert sorted(row["row"] for row in json.loads(out)) == list(range(8))
    assert len(json.loads(run("suggest", model_file, data_file, "--json")[1])) == 20


def test_a_model_that_does_not_know_what_was_annotated_says_so(run, model, model_file, data_file):
    del model.annotated_hashes_
    model.save(model_file)
    code, out, err = run("suggest", model_file, data_file, "-n", 160, "--json")
    assert code == 0
    assert "note: the model does not say which images were annotated" in err
    assert sorted(row["row"] for row in json.loads(out)) == list(range(160))


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ([1.0], ["0.999"]),
        ([0.99996, 0.4567, 0.4567], ["0.999", "0.456", "0.456"]),
        ([0.0, 0.5], ["0.001", "0.500"]),
        ([0.99994, 0.99996], ["0.99994", "0.99996"]),
    ],
    ids=str,
)
def test_what_evaluate_prints_is_what_predict_takes(found, said):
    assert evaluate._as_options(found) == said
