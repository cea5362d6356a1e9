"""Classes described in words: fit --descriptions, predict --describe, --with-attributes."""

import csv
import json

import numpy as np
import pytest

from sapwood import SparseAttributePropagation

WORDS = "red blue green small large round long striped spotted".split()
NAMES = [f"bird {c}" for c in "abcdefgh"]


def said(z):
    """Say an attribute the more often the stronger it is: the mean of unit vectors tells it."""
    return " ".join(
        word for word, value in zip(WORDS, z, strict=True) for _ in range(int(20 * value))
    )


@pytest.fixture
def vectors(tmp_path):
    path = tmp_path / "unit.vec"
    numbers = np.eye(len(WORDS), dtype=int)
    lines = [f"{w} {' '.join(map(str, v))}" for w, v in zip(WORDS, numbers, strict=True)]
    path.write_text("\n".join(lines))
    return path


@pytest.fixture
def write_classes(tmp_path):
    def write(name, texts, column="description"):
        path = tmp_path / name
        with path.open("w", newline="") as file:
            csv.writer(file).writerows([("class", column), *texts.items()])
        return path

    return write


@pytest.fixture
def classes(write_classes, world):
    return write_classes("classes.csv", {n: said(z) for n, z in zip(NAMES, world.Z, strict=True)})


@pytest.fixture
def text_model(run, data_file, classes, vectors, tmp_path):
    path = tmp_path / "words.sap"
    options = ["--descriptions", classes, "--encoder", vectors, "--annotated", 3]
    code, _, err = run("fit", data_file, *options, "--out", path, "--quiet")
    assert code == 0, err
    return path


def answers(run, *arguments):
    code, out, err = run(*arguments, "--json")
    assert code == 0, err
    return [row["class"] for row in json.loads(out)]


def test_words_name_images_as_the_attributes_they_tell(run, text_model, data_file, tmp_path):
    by_attributes = tmp_path / "attributes.sap"
    assert run("fit", data_file, "--annotated", 3, "--out", by_attributes, "--quiet")[0] == 0
    found = answers(run, "predict", text_model, data_file, "--classes", "unseen")
    expected = answers(run, "predict", by_attributes, data_file, "--classes", "unseen")
    assert np.mean(np.array(found) == np.array(expected)) > 0.9
    code, out, _ = run("evaluate", text_model, data_file, "--json")
    assert code == 0
    assert json.loads(out)["accuracy"] > 0.7


def test_a_sentence_is_a_class_of_its_own(run, text_model, data_file, vectors, world):
    sentences = [said(world.Z[6]), said(world.Z[7])]
    options = ["--describe", sentences[0], "--describe", sentences[1], "--encoder", vectors]
    found = answers(run, "predict", text_model, data_file, *options)
    known = answers(run, "predict", text_model, data_file, "--classes", "unseen")
    name = dict(zip(sentences, NAMES[6:], strict=True))
    assert [name[sentence] for sentence in found] == known
    code, _, err = run("predict", text_model, data_file, *options[:2], *options[4:])
    assert code == 0
    assert "is the only candidate" in err


def test_a_table_of_descriptions(run, text_model, data_file, vectors, write_classes, world):
    new = write_classes("new.csv", {"dodo": said(world.Z[6]), "moa": said(world.Z[7])})
    options = ["--describe", new, "--encoder", vectors]
    found = answers(run, "predict", text_model, data_file, *options)
    assert set(found) == {"dodo", "moa"}
    code, out, err = run("explain", text_model, data_file, *options, "--json")
    assert code == 0, err
    assert [one["winner"] for one in json.loads(out)] == found


def test_the_model_remembers_its_encoder(run, text_model, data_file, vectors, tmp_path):
    kept = SparseAttributePropagation.load(text_model).meaning_["encoder"]
    assert kept.startswith("word vectors ")
    ask = ["predict", text_model, data_file, "--describe", "a red bird"]
    code, _, err = run(*ask)
    assert code == 2
    assert f"fitted with the encoder {kept!r}, which is not found by its name" in err
    other = tmp_path / "other.vec"
    other.write_text(vectors.read_text().replace("1", "2"))
    code, _, err = run(*ask, "--encoder", other)
    assert code == 2
    assert "their vectors do not mean the same" in err
    code, _, err = run(*ask, "--encoder", "minilm")
    assert code == 2
    assert "this is 'minilm'" in err


@pytest.mark.filterwarnings("default")
def test_unknown_words_are_noted(run, text_model, data_file, vectors):
    ask = ["predict", text_model, data_file, "--encoder", vectors, "--describe"]
    code, _, err = run(*ask, "a red bird", "--describe", "blue")
    assert code == 2
    assert "blue: no such file" in err
    code, _, err = run(*ask, "a red bird", "--describe", "very blue")
    assert code == 0
    assert "note: unit.vec: 3 of 5 words have no vector" in err


@pytest.mark.parametrize(
    ("described", "message"),
    [
        (["a red bird"], "the model knows attributes and no words"),
        (["new birds.csv"], "new birds.csv: no such file"),
        (["classes.csv"], "the model knows attributes and no words"),
    ],
)
def test_words_to_a_model_of_attributes(
    run, model_file, data_file, classes, tmp_path, monkeypatch, described, message
):
    monkeypatch.chdir(tmp_path)
    code, _, err = run("predict", model_file, data_file, "--describe", *described)
    assert code == 2
    assert message in err


def test_attributes_to_a_model_of_words(run, text_model, data_file, tmp_path):
    table = tmp_path / "z.csv"
    table.write_text("class,trait 0\ndodo,1\n")
    code, _, err = run("predict", text_model, data_file, "--describe", table)
    assert code == 2
    assert "is a table of attributes, but the model was fitted on words" in err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--encoder", "minilm"], "--encoder is about --descriptions"),
        (["--with-attributes"], "--with-attributes is about --descriptions"),
        (["--descriptions", "none.csv"], "none.csv: no such file"),
    ],
)
def test_options_that_need_each_other(run, data_file, tmp_path, options, message):
    code, _, err = run("fit", data_file, "--out", tmp_path / "x.sap", *options)
    assert code == 2
    assert message in err


def test_an_undescribed_class(run, data_file, vectors, write_classes, tmp_path):
    short = write_classes("short.csv", {"bird a": "red", "Bird B": "blue"})
    options = ["--descriptions", short, "--encoder", vectors, "--out", tmp_path / "x.sap"]
    code, _, err = run("fit", data_file, *options)
    assert code == 2
    assert (
        "7 of 8 classes are not described in words (first: 'bird b'; did you mean 'Bird B'" in err
    )


def folder_of(path, world, names):
    """Write features and annotations as tables, without attributes."""
    path.mkdir()
    images = [f"{i}.jpg" for i in range(len(world.X))]
    columns = ",".join(f"f{j}" for j in range(world.X.shape[1]))
    rows = [f"{n},{','.join(map(str, x))}" for n, x in zip(images, world.X, strict=True)]
    (path / "features.csv").write_text("\n".join([f"image,{columns}", *rows]))
    known = [f"{n},{names[c]}" for n, c in zip(images, world.y, strict=True) if c >= 0]
    (path / "annotations.csv").write_text("\n".join(["image,class", *known]))
    return path


def test_a_folder_without_attributes(run, world, classes, vectors, tmp_path):
    folder = folder_of(tmp_path / "mine", world, NAMES)
    model, options = tmp_path / "m.sap", ["--descriptions", classes, "--encoder", vectors]
    code, out, err = run("fit", folder, *options, "--out", model, "--json")
    assert code == 0, err
    assert json.loads(out)["unseen_classes"] == 2
    found = answers(run, "predict", model, folder / "features.csv", "--classes", "unseen")
    assert set(found) <= {"bird g", "bird h"}
    code, _, err = run("evaluate", model, folder)
    assert code == 2
    assert "no annotated image of an unseen class that is new" in err
    code, _, err = run("evaluate", model, folder, "--features", "none.npz")
    assert code == 2
    assert "features='none.npz' means nothing for this kind of data" in err
    code, _, err = run("fit", folder, "--out", model)
    assert code == 2
    assert "no attributes.csv" in err


@pytest.fixture
def halves(tmp_path, write_classes, draw_world):
    """A data set whose attributes tell one half of what images show, and words the other."""
    world = draw_world(n=1200, k=9, classes=26, noise=0.5)
    names = [f"bird {c}" for c in range(26)]
    path = tmp_path / "halves.npz"
    np.savez(
        path,
        features=np.vstack([world.X, world.X_unseen]),
        labels=np.r_[world.labels, world.labels_unseen],
        attributes=world.Z[:, :5],
        class_names=names,
        attribute_names=[f"trait {j}" for j in range(5)],
        paper_unseen_classes=[24, 25],
    )
    told = world.Z.copy()
    told[:, :5] = 0
    texts = {n: said(z) for n, z in zip(names, told, strict=True)}
    return path, write_classes("halves.csv", texts), world, told


def test_attributes_and_words_together(run, halves, vectors, write_classes, tmp_path):
    data, texts, world, told = halves
    model = tmp_path / "both.sap"
    options = ["--annotated", 4, "--descriptions", texts, "--encoder", vectors]
    code, out, err = run("fit", data, *options, "--with-attributes", "--out", model, "--json")
    assert code == 0, err
    assert 0.1 <= json.loads(out)["weight_of_words"] <= 0.9
    assert "did best on seen classes held out" in err
    alone = tmp_path / "alone.sap"
    assert run("fit", data, "--annotated", 4, "--out", alone, "--quiet")[0] == 0
    scores = [json.loads(run("evaluate", m, data, "--json")[1])["accuracy"] for m in (model, alone)]
    assert scores[0] > scores[1]

    attributes = tmp_path / "new_z.csv"
    rows = [",".join(["class", *(f"trait {j}" for j in range(5))])]
    rows += [f"new {i},{','.join(map(str, world.Z[24 + i, :5]))}" for i in (1, 0)]
    attributes.write_text("\n".join(rows))
    words = write_classes("new_t.csv", {f"new {i}": said(told[24 + i]) for i in (0, 1)})
    ask = ["predict", model, data, "--encoder", vectors, "--describe", words]
    found = answers(run, *ask, "--describe", attributes)
    known = answers(run, "predict", model, data, "--classes", "unseen")
    name = {"new 0": "bird 24", "new 1": "bird 25"}
    assert [name[n] for n in found] == known
    code, _, err = run(*ask)
    assert code == 2
    assert "the model was fitted on both; give --describe twice" in err
    broken = SparseAttributePropagation.load(model)
    del broken.meaning_["spaces"]
    broken.save(model)
    code, _, err = run(*ask, "--describe", attributes)
    assert code == 2
    assert "does not say how attributes and words join" in err


def test_words_that_tell_nothing_are_left_out(run, halves, vectors, write_classes, tmp_path):
    data, _, _, _ = halves
    rng = np.random.default_rng(99)
    noise = write_classes("noise.csv", {f"bird {c}": said(rng.random(9)) for c in range(26)})
    model, plain = tmp_path / "noise.sap", tmp_path / "plain.sap"
    options = ["--annotated", 4, "--descriptions", noise, "--encoder", vectors]
    code, _, err = run("fit", data, *options, "--with-attributes", "--out", model)
    assert code == 0
    assert "note: attributes alone: " in err
    assert run("fit", data, *options, "--with-attributes", "--out", model, "--quiet")[2] == ""
    run("fit", data, "--annotated", 4, "--out", plain, "--quiet")
    assert model.read_bytes() == plain.read_bytes()
