"""``sapwood fit --tune`` chooses settings, shows why, and writes a model like any other."""

import json

import numpy as np
import pytest

from sapwood import SparseAttributePropagation, SparseAttributePropagationCV
from sapwood.cli import estimator, output
from sapwood.data import load_zero_shot, standard_setting
from sapwood.evaluation import evaluate, fit_setting


@pytest.fixture
def noisy_file(tmp_path, draw_world):
    """A problem on which the search leaves the preset."""
    world, path = draw_world(n=240, noise=0.8, classes=14), tmp_path / "noisy.npz"
    np.savez(
        path,
        features=np.vstack([world.X, world.X_unseen]).astype(np.float32),
        labels=np.r_[world.labels, world.labels_unseen],
        attributes=world.Z,
        paper_unseen_classes=[12, 13],
    )
    return path


@pytest.fixture(autouse=True)
def easily_convinced(monkeypatch):
    """Twelve classes are too few to leave the preset for by the usual rule."""
    monkeypatch.setattr("sapwood.models.choice.CLEAR", 0.5)


@pytest.fixture
def tuned(noisy_file):
    data = load_zero_shot(noisy_file)
    setting = standard_setting(data, annotated=4, seed=0)
    return fit_setting(SparseAttributePropagationCV(), data, setting), data


def test_it_gives_the_numbers_of_the_python_api(run, noisy_file, tmp_path, tuned):
    model, data = tuned
    assert model.best_params_
    path = tmp_path / "m.sap"
    options = ["--annotated", 4, "--tune", "--out", path, "--json"]
    code, out, _ = run("fit", noisy_file, *options)
    assert code == 0
    facts = json.loads(out)
    assert (facts["best_params"], facts["summary"]) == (model.best_params_, model.search_summary_)
    code, out, _ = run("evaluate", path, noisy_file, "--json")
    assert (code, json.loads(out)) == (0, evaluate(model, data))
    code, out, _ = run("predict", path, noisy_file, "--classes", "unseen", "--json")
    assert code == 0
    answers = model.predict(data.features, classes="unseen")
    assert [row["class"] for row in json.loads(out)] == list(answers)


def test_the_file_has_the_settings_and_the_search(run, noisy_file, tmp_path, tuned):
    path = tmp_path / "m.sap"
    run("fit", noisy_file, "--annotated", 4, "--tune", "--out", path, "--quiet")
    model = SparseAttributePropagation.load(path)
    assert model.search_log_ == tuned[0].search_log_
    given = model.get_params()
    assert {name: given[name] for name in model.best_params_} == tuned[0].best_params_


def test_it_shows_why_and_the_five_best(run, noisy_file, tmp_path, tuned, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    code, out, err = run("fit", noisy_file, "--annotated", 4, "--tune", "--out", tmp_path / "m.sap")
    assert code == 0
    assert tuned[0].search_summary_ in out
    leads = sorted((row["lead"] for row in tuned[0].search_log_), reverse=True)
    shown = [line for line in out.splitlines() if " ± " in line and " % " in line]
    assert [line.split("+")[1].split(" ±")[0] for line in shown] == [f"{x:.4f}" for x in leads[:5]]
    best = ", ".join(f"{name}={value}" for name, value in tuned[0].best_params_.items())
    assert best in shown[0]
    stages = ["features", "neighbours", "propagation", "trials", "learning"]
    said = err.splitlines()
    assert said[: len(stages)] == [f"{stage} ..." for stage in stages]
    assert said[len(stages)].startswith(
        "note: 152 of 152 unannotated images were left out (152 unproven)"
    )


def test_where_nothing_can_be_held_out_it_says_so(run, data_file, tmp_path):
    with np.load(data_file) as arrays:
        few = {**arrays, "paper_unseen_classes": [3, 4, 5, 6, 7]}
    path = tmp_path / "few.npz"
    np.savez(path, **few)
    code, out, _ = run("fit", path, "--tune", "--out", tmp_path / "m.sap", "--quiet")
    assert code == 0
    assert "the preset is kept: seen classes can be held out only where four" in out
    assert " ± " not in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--param", "k_g=20"], "--param k_g=20: --tune chooses the settings itself"),
        (["--param", "sigma=mean"], "leave sigma or --tune out"),
        (["--preset", "paper"], "leave --preset paper or --tune out"),
        (["--param", "n_split=2"], "did you mean 'n_splits'"),
        (["--param", "n_splits=1"], "n_splits is 1; expected a whole number of at least 2"),
    ],
)
def test_settings_that_contradict_a_search(run, data_file, tmp_path, options, message):
    code, _, err = run("fit", data_file, "--tune", "--out", tmp_path / "m.sap", *options)
    assert code == 2
    assert message in err
    assert not (tmp_path / "m.sap").exists()


def test_what_the_search_takes_can_be_given(run, noisy_file, tmp_path):
    summaries = []
    for splits in (2, 6):
        options = ["--tune", "--param", f"n_splits={splits}", "--out", tmp_path / "m.sap", "--json"]
        _, out, _ = run("fit", noisy_file, "--annotated", 4, *options)
        summaries.append(json.loads(out)["summary"])
    assert summaries[0] != summaries[1]


def test_the_bar_never_goes_back():
    shares = estimator.shares_of_search(100, 8, 4, {"features": 1, "neighbours": 2, "learning": 3})
    assert list(shares) == ["features", "neighbours", "propagation", "trials", "learning"]
    places = []

    class Bar:
        def add_task(self, *arguments, **options):
            return 0

        def update(self, task, description, completed):
            places.append(completed)

    show = output._shown_in(Bar(), shares)
    for stage in ["features", "neighbours", "trials", "features", "neighbours", "learning"]:
        for done in (0.0, 0.5):
            show(stage, done)
    assert places == sorted(places)
    assert 0 < places[2] < places[-1] < 1
