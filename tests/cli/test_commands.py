import csv
import json

import numpy as np
import pytest

from sapwood import SparseAttributePropagation, __version__
from sapwood.cli.demo import SHARES
from sapwood.data import generalized_setting, load_zero_shot, make_attribute_world
from sapwood.evaluation import evaluate, fit_setting
from sapwood.report.demo import run_demo


def test_version(run):
    assert run("--version") == (0, f"sapwood {__version__}\n", "")


def test_without_arguments_it_shows_the_commands(run):
    _, out, err = run()
    for command in ("fit", "predict", "evaluate", "data", "demo"):
        assert command in out + err


def test_the_command_line_gives_the_numbers_of_the_python_api(run, model_file, data_file):
    data = load_zero_shot(data_file)
    setting = generalized_setting(data, annotated=3, seed=0, holdout=0.25)
    model = fit_setting(SparseAttributePropagation(), data, setting)
    for name in ("standard", "generalized"):
        code, out, _ = run("evaluate", model_file, data_file, "--setting", name, "--json")
        assert code == 0
        assert json.loads(out) == evaluate(model, data, name)
    code, out, _ = run("predict", model_file, data_file, "--classes", "unseen", "--json")
    expected = model.predict(data.features, classes="unseen")
    assert [row["class"] for row in json.loads(out)] == list(expected)


def test_the_same_seed_gives_the_same_file(run, model_file, data_file, tmp_path):
    again = tmp_path / "again.sap"
    run("fit", data_file, "--annotated", 3, "--holdout", 0.25, "--out", again, "--quiet")
    assert again.read_bytes() == model_file.read_bytes()


def test_tables_for_people(run, model_file, data_file):
    code, out, _ = run("evaluate", model_file, data_file, "--setting", "generalized")
    assert code == 0
    assert "harmonic mean" in out
    assert " %" in out


def test_answers_as_csv(run, model_file, data_file, tmp_path):
    answers = tmp_path / "answers.csv"
    code, _, _ = run("predict", model_file, data_file, "--top", 3, "--out", answers)
    assert code == 0
    with answers.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["image", "rank", "class", "probability", "score"]
    assert [row["rank"] for row in rows[:4]] == ["1", "2", "3", "1"]
    assert rows[0]["image"] == "000.jpg"
    assert float(rows[0]["score"]) >= float(rows[1]["score"])


def test_candidates_by_name(run, model_file, data_file):
    _, out, _ = run("predict", model_file, data_file, "--classes", "bird a, bird h", "--json")
    assert {row["class"] for row in json.loads(out)} <= {"bird a", "bird h"}
    code, _, err = run("predict", model_file, data_file, "--classes", "bird z")
    assert code == 2
    assert "'bird z'" in err


def test_classes_it_never_heard_of(run, model_file, data_file, tmp_path, world):
    new = tmp_path / "new.csv"
    order = np.arange(9)[::-1]
    header = ",".join(["class", *(f"trait {j}" for j in order)])
    lines = [",".join([f"newbird {i}", *map(str, world.Z[6 + i][order])]) for i in range(2)]
    new.write_text("\n".join([header, *lines]))
    code, out, _ = run("predict", model_file, data_file, "--describe", new, "--json")
    _, known, _ = run("predict", model_file, data_file, "--classes", "unseen", "--json")
    assert code == 0
    names = {"newbird 0": "bird g", "newbird 1": "bird h"}
    assert [names[row["class"]] for row in json.loads(out)] == [
        row["class"] for row in json.loads(known)
    ]
    new.write_text("\n".join([header.replace("trait 4", "trait four"), *lines]))
    code, _, err = run("predict", model_file, data_file, "--describe", new)
    assert code == 2
    assert "'trait 4'; did you mean 'trait four'" in err


@pytest.mark.parametrize(
    ("classes", "message"),
    [
        (",", "--classes , names no class"),
        ("seen,unseen", "'seen' stands alone"),
        ("bird a,all", "'all' stands alone"),
        ("bird a,bird h,bird a", "names a class twice; give each once"),
        ("bird z", "knows no 'bird z'; did you mean 'bird "),
        ("foo", "no 'foo'; its classes are 'bird a', 'bird b', 'bird c', … (8 in all)"),
    ],
)
def test_candidates_that_cannot_be_meant(run, model_file, data_file, classes, message):
    code, _, err = run("predict", model_file, data_file, "--classes", classes)
    assert code == 2
    assert message in err


def test_a_model_without_unseen_classes_says_so(run, data_file, tmp_path):
    arrays = dict(np.load(data_file))
    del arrays["paper_unseen_classes"]
    path, model = tmp_path / "all.npz", tmp_path / "all.sap"
    np.savez(path, **arrays)
    assert run("fit", path, "--out", model, "--quiet")[0] == 0
    code, _, err = run("predict", model, path, "--classes", "unseen")
    assert code == 2
    assert "every class of this model has annotated images; leave it out, or describe" in err


def test_more_unlabelled_images(run, data_file, tmp_path, world):
    web = tmp_path / "web.npz"
    np.savez(web, features=world.X_unseen.astype(np.float32))
    out_file = tmp_path / "w.sap"
    code, out, _ = run("fit", data_file, "--unlabelled", web, "--out", out_file, "--json")
    assert code == 0
    assert json.loads(out)["training_images"] == len(world.X) + len(world.X_unseen)
    np.savez(web, features=world.X_unseen[:, :5])
    code, _, err = run("fit", data_file, "--unlabelled", web, "--out", out_file)
    assert code == 2
    assert "has 5 features an image, the data set 24" in err


def test_parameters_and_presets(run, data_file, tmp_path):
    out = tmp_path / "p.sap"
    options = ["--preset", "paper", "--param", "k_g=10", "--param", "m=9", "--param", "tol=1.0"]
    code, _, err = run("fit", data_file, "--annotated", 3, "--out", out, *options)
    assert code == 0, err
    assert SparseAttributePropagation.load(out).k_g_ == 10
    code, _, err = run("fit", data_file, "--out", out, "--param", "kg=10")
    assert code == 2
    assert "did you mean 'k_g'" in err


def test_own_data_without_a_split(run, tmp_path, world):
    folder = tmp_path / "mine"
    folder.mkdir()
    images = [f"{i}.jpg" for i in range(len(world.X))]
    columns = ",".join(f"f{j}" for j in range(world.X.shape[1]))
    rows = [f"{n}," + ",".join(map(str, x)) for n, x in zip(images, world.X, strict=True)]
    (folder / "features.csv").write_text("\n".join([f"image,{columns}", *rows]))
    known = [(n, f"bird {c}") for n, c in zip(images, world.y, strict=True) if c >= 0]
    (folder / "annotations.csv").write_text(
        "\n".join(["image,class", *(f"{a},{b}" for a, b in known)])
    )
    traits = ",".join(f"t{j}" for j in range(world.Z.shape[1]))
    described = [f"bird {c}," + ",".join(map(str, z)) for c, z in enumerate(world.Z)]
    (folder / "attributes.csv").write_text("\n".join([f"class,{traits}", *described]))
    code, out, err = run("fit", folder, "--out", tmp_path / "m.sap", "--json")
    assert code == 0, err
    model, moved = tmp_path / "m.sap", tmp_path / "moved.csv"
    code, _, _ = run("predict", model, folder / "features.csv", "--json")
    assert code == 0
    code, _, err = run("predict", model, folder / "features.csv", "--features", "nosuch.npz")
    assert code == 2
    assert "features='nosuch.npz' means nothing for this kind of data" in err
    moved.write_text((folder / "features.csv").read_text().replace("f0,f1", "f1,f0", 1))
    labels = folder / "annotations.csv"
    for command in (
        ("predict", model, moved),
        ("evaluate", model, moved, "--annotations", labels),
        ("fit", folder, "--unlabelled", moved, "--out", model),
    ):
        code, _, err = run(*command)
        assert code == 2, command
        assert "feature columns are in another order" in err, command
        assert "column 1 is 'f1', expected 'f0'; give the same columns" in err, command
    options = ["--describe", folder / "attributes.csv", "--classes", "a"]
    code, _, err = run("predict", model, moved, *options)
    assert code == 2
    assert "the model knows no 'a'" in err
    facts = json.loads(out)
    assert (facts["annotated"], facts["seen_classes"], facts["unseen_classes"]) == (24, 6, 2)


def test_data_commands(run, data_file):
    code, out, _ = run("data", "list", "--json")
    assert code == 0
    assert "CUB" in {card["name"] for card in json.loads(out)}
    code, out, _ = run("data", "info", data_file, "--json")
    assert json.loads(out)["split_paper"] == "6 seen, 2 unseen, standard"
    assert run("data", "info", "AwA2")[0] == 0
    code, out, _ = run("data", "check", data_file)
    assert (code, out.splitlines()[-1]) == (0, f"{data_file}: 0 errors, 0 warnings")


def test_info_tells_that_a_known_set_cannot_be_read(run, tmp_path, monkeypatch):
    monkeypatch.setenv("SAPWOOD_DATA", str(tmp_path))
    monkeypatch.setenv("SAPWOOD_HOME", str(tmp_path / "home"))
    code, out, err = run("data", "info", "cub")
    assert (code, err) == (0, "")
    (tmp_path / "cub.npz").write_bytes(b"garbage")
    code, out, err = run("data", "info", "cub")
    assert code == 0
    assert "Caltech" in out
    assert err.startswith("note: it is here, but cannot be read: ")
    assert "cub.npz" in json.loads(run("data", "info", "cub", "--json")[1])["problem"]


def test_check_reports_every_problem_and_exits_with_2(run, tmp_path):
    path = tmp_path / "bad.npz"
    features = np.eye(4)
    features[1, 1] = np.nan
    np.savez(path, features=features, labels=[0, 1, 7, 1], attributes=np.eye(2))
    code, out, _ = run("data", "check", path)
    assert code == 2
    assert "2 errors" in out.splitlines()[-1]


def test_demo(run, tmp_path, monkeypatch):
    def small(out, seed, progress):
        world = make_attribute_world(
            seed, seen=5, unseen=2, strangers=1, per_class=8, web=8, size=32, progress=progress
        )
        return run_demo(out, seed, progress, world=world, annotated=[1, 5], draws=2)

    monkeypatch.setattr("sapwood.report.demo.run_demo", small)
    monkeypatch.chdir(tmp_path)
    code, out, err = run("demo", "--out", tmp_path / "d")
    assert code == 0
    assert (tmp_path / "d" / "report.html").stat().st_size > 10_000
    assert str(tmp_path / "d" / "report.html") in out
    assert out.splitlines()[-1].startswith(f"Next:     `cd {tmp_path / 'd'}`, then the commands")
    assert [line.removesuffix(" ...") for line in err.splitlines()] == list(SHARES)
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "activate").touch()
    _, out, _ = run("demo", "--out", "d")
    assert "`. .venv/bin/activate`, `cd d`, then" in out.splitlines()[-1]
    code, out, _ = run("demo", "--out", tmp_path / "d", "--json")
    table = json.loads(out)["rows"]
    assert {"method", "annotated", "draw", "accuracy"} == set(table[0])


def test_demo_into_a_file(run, tmp_path):
    (tmp_path / "taken").write_text("x")
    code, _, err = run("demo", "--out", tmp_path / "taken")
    assert code == 2
    assert "taken" in err


def test_fit_tells_what_each_training_image_counted(run, data_file, tmp_path):
    usage, model = tmp_path / "usage.csv", tmp_path / "m.sap"
    extra = tmp_path / "web.csv"
    extra.write_text("image," + ",".join(f"f{j}" for j in range(24)) + "\nfound.jpg" + ",1" * 24)
    options = ("--annotated", 2, "--unlabelled", extra, "--usage", usage)
    code, out, _ = run("fit", data_file, "--out", model, *options)
    assert code == 0
    assert "unannotated images" in out
    assert "strangeness" in out
    with usage.open() as file:
        rows = list(csv.DictReader(file))
    weights = SparseAttributePropagation.load(model).weights_
    np.testing.assert_allclose([float(row["weight"]) for row in rows], weights, rtol=1e-3)
    assert sum(row["reason"] == "annotated" for row in rows) == 12
    assert rows[0]["image"].endswith(".jpg")
    assert rows[-1]["image"] == "found.jpg"
    options = ("--annotated", 2, "--holdout", 0.25, "--usage", usage)
    assert run("fit", data_file, "--out", model, *options)[0] == 0
    with usage.open() as file:
        held = [row for row in csv.DictReader(file) if row["reason"].startswith("held out")]
    assert len(held) == SparseAttributePropagation.load(model).training_["held_out"] > 0
    _, _, told = run("fit", data_file, "--out", model, "--holdout", 0.001)
    assert "note: --holdout 0.001 keeps no image" in told


def test_a_split_that_names_its_own_test_images_keeps_them(run, data_file, tmp_path):
    arrays = dict(np.load(data_file))
    labels, unseen = arrays["labels"], arrays["paper_unseen_classes"]
    seen = np.flatnonzero(~np.isin(labels, unseen))
    arrays["ps_trainval"], arrays["ps_test_seen"] = seen[3:], seen[:3]
    arrays["ps_test_unseen"] = np.flatnonzero(np.isin(labels, unseen))
    path, model = tmp_path / "own.npz", tmp_path / "m.sap"
    np.savez(path, **arrays)
    options = ("--split", "proposed", "--holdout", 0.5, "--out", model)
    code, _, told = run("fit", path, *options)
    assert code == 0, told
    assert "note: --holdout: the split names its own test images of seen classes" in told
    assert SparseAttributePropagation.load(model).training_["held_out"] == 3
    code, _, err = run("fit", path, *options, "--holdout", 1.5)
    assert code == 2
    assert "holdout=1.5: not a share" in err


def test_images_and_their_classes_in_two_tables_are_scored(run, model_file, data_file, tmp_path):
    data = load_zero_shot(data_file)
    images, truth = tmp_path / "new.csv", tmp_path / "truth.csv"
    rows = [",".join(map(str, [i, *x])) for i, x in enumerate(data.features.tolist())]
    images.write_text("\n".join(["image," + ",".join(f"f{j}" for j in range(24)), *rows]))
    named = [f"{i},{data.class_names[c]}" for i, c in enumerate(data.labels)]
    truth.write_text("\n".join(["image,class", *named]))
    expected = json.loads(run("evaluate", model_file, data_file, "--json")[1])
    code, out, err = run("evaluate", model_file, images, "--annotations", truth, "--json")
    assert code == 0, err
    assert json.loads(out) == expected
    options = ("--annotations", truth, "--features", images)
    code, _, err = run("evaluate", model_file, images, *options)
    assert (code, "leave it or --annotations out" in err) == (2, True)
    nameless = tmp_path / "nameless.sap"
    model = SparseAttributePropagation()
    model.fit(data.features, data.labels, class_attributes=data.attributes).save(nameless)
    code, _, err = run("evaluate", nameless, images, "--annotations", truth)
    assert (code, "have no names to match" in err) == (2, True)
    code, out, _ = run("evaluate", model_file, data_file, "--setting", "seen", "--json")
    assert (code, json.loads(out)["candidates"]) == (0, 6)


def test_few_seen_classes_are_told(run, tmp_path):
    rng = np.random.default_rng(0)
    Z, labels = rng.random((5, 6)), np.repeat(np.arange(4), 8)
    X = Z[labels] @ rng.random((6, 9)) + 0.1 * rng.random((32, 9))
    np.savez(tmp_path / "few.npz", features=X, labels=labels, attributes=Z)
    _, _, told = run("fit", tmp_path / "few.npz", "--out", tmp_path / "m.sap")
    assert "4 seen classes are too few to find out how unseen ones are named (6 are enough)" in told
