"""The command line on real data gives the numbers of the Python interface."""

import json

import numpy as np
import pytest

from sapwood import SparseAttributePropagation
from sapwood.cli import main
from sapwood.data import load_zero_shot, standard_setting


def run(*arguments):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert not stop.value.code


def test_fit_evaluate_and_predict_on_cub(shared_data, tmp_path, capsys):
    path, model_file = str(shared_data / "cub.npz"), str(tmp_path / "birds.sap")
    run("fit", path, "--annotated", "5", "--seed", "0", "--out", model_file, "--quiet")
    capsys.readouterr()
    run("evaluate", model_file, path, "--json")
    score = json.loads(capsys.readouterr().out)
    run("predict", model_file, path, "--classes", "unseen", "--json")
    answers = json.loads(capsys.readouterr().out)

    data = load_zero_shot(path)
    setting = standard_setting(data, annotated=5, seed=0)
    X, y = setting.training(data)
    model = SparseAttributePropagation().fit(X, y, class_attributes=data.attributes)
    expected = model.predict(data.features, classes=setting.unseen)
    assert [row["class"] for row in answers] == list(data.class_names[expected])
    rows = setting.test_unseen
    assert score["accuracy"] == np.mean(expected[rows] == data.labels[rows])
    assert score["images"] == len(rows) == 2946
