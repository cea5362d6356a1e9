import csv
import json

import numpy as np
import pytest

QUICK = ("--no-refine", "--quiet")


def write_photos(path, n=120, seed=0, **change):
    rng = np.random.default_rng(seed)
    look = np.random.default_rng(9).random((3, 8))
    concepts = rng.random((n, 3)) < 0.4
    tags = concepts & (rng.random((n, 3)) < 0.8)
    arrays = {
        "features": concepts @ look + 0.2 * rng.random((n, 8)),
        "tags": tags.astype(np.uint8),
        "concepts": concepts.astype(np.uint8),
        "tag_names": ["dog", "sea", "snow"],
        "concept_names": ["a dog", "the sea", "snow"],
        "image_files": [f"{i}.jpg" for i in range(n)],
        **change,
    }
    np.savez(path, **{name: value for name, value in arrays.items() if value is not None})
    return path


@pytest.fixture
def train(tmp_path):
    return write_photos(tmp_path / "train.npz")


def test_new_photos_get_the_concepts_they_show(run, train, tmp_path):
    new = write_photos(tmp_path / "new.npz", n=40, seed=1, concepts=None, concept_names=None)
    out = tmp_path / "out.csv"
    code, printed, _ = run("annotate", train, new, "--no-refine", "--out", out)
    assert code == 0
    assert "Annotated" in printed
    with out.open() as file:
        rows = list(csv.DictReader(file))
    given = {(row["image"], row["concept"]) for row in rows}
    truth = np.load(write_photos(tmp_path / "truth.npz", n=40, seed=1))["concepts"]
    names = ["a dog", "the sea", "snow"]
    shown = {(f"{i}.jpg", names[c]) for i, c in np.argwhere(truth)}
    assert len(given & shown) > 0.8 * len(shown)
    assert {row["image"] for row in rows} == {f"{i}.jpg" for i in range(40)}
    assert all(0 < float(row["probability"]) < 1 for row in rows)


def test_the_test_photos_of_a_set_are_annotated_by_default(run, tmp_path):
    rows = np.arange(120)
    path = write_photos(tmp_path / "all.npz", train=rows[:80], test=rows[80:])
    code, printed, told = run("annotate", path, "--no-refine", "--top", 2, "--json")
    assert code == 0
    answers = json.loads(printed)
    assert [answer["rank"] for answer in answers] == [1, 2] * 40
    assert "mean average precision" in told


def test_a_file_and_json_are_both_what_programs_read(run, train, tmp_path):
    out = tmp_path / "out.csv"
    code, printed, told = run("annotate", train, train, "--no-refine", "--json", "--out", out)
    assert code == 0
    with out.open() as file:
        assert len(list(csv.DictReader(file))) == len(json.loads(printed))
    assert "note: photos 120, " in told


def test_tags_are_matched_by_name_and_not_by_place(run, train, tmp_path):
    change = {"features": None, "concepts": None, "concept_names": None}
    new = write_photos(tmp_path / "new.npz", n=30, seed=1, **change)
    tags = np.load(new)["tags"]
    turned = {"tags": tags[:, [2, 0]], "tag_names": ["#Snow", "DOG"], **change}
    other = write_photos(tmp_path / "turned.npz", n=30, seed=1, **turned)
    options = ("--inputs", "tags", "--top", 3, "--json", *QUICK)
    plain, same = (json.loads(run("annotate", train, path, *options)[1]) for path in (new, other))
    without_sea = [i for i, row in enumerate(tags) if not row[1]]
    kept = {f"{i}.jpg" for i in without_sea}
    assert [a for a in plain if a["image"] in kept] == [a for a in same if a["image"] in kept]


def test_features_alone_are_enough(run, train, tmp_path):
    np.savez(tmp_path / "new.npz", features=np.load(train)["features"][:9])
    code, printed, _ = run("annotate", train, tmp_path / "new.npz", "--json", *QUICK)
    assert code == 0
    assert len({answer["image"] for answer in json.loads(printed)}) == 9


def test_a_photo_without_concepts_has_an_empty_row(run, train):
    code, printed, _ = run("annotate", train, train, "--threshold", 1e9, "--json", *QUICK)
    assert code == 0
    answers = json.loads(printed)
    assert len(answers) == 120
    assert {answer["concept"] for answer in answers} == {""}


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({"concepts": None, "concept_names": None}, (), "has no concepts to learn"),
        ({}, (), "names no test photos"),
        ({}, ("{train}", "--top", 4), "--top is 4; "),
        ({}, ("{train}", "--inputs", "words"), "inputs is 'words'"),
        ({}, ("{train}", "--out", "{train}"), "is the file to be read"),
        ({"features": None}, ("{train}", "--inputs", "features"), "X is None"),
        ({}, ("no-such.npz",), "no such file"),
        ({}, ("{train}", "--top", 1, "--threshold", 0), "give one of them"),
        ({}, ("{train}", "--threshold", "nan"), "--threshold is nan"),
        ({}, ("{folder}/classes.csv",), "holds attributes of classes, but photos were expected"),
    ],
)
def test_refusals_are_one_line_and_exit_2(run, tmp_path, change, options, message):
    train = write_photos(tmp_path / "train.npz", **change)
    (tmp_path / "classes.csv").write_text("class,beak\nowl,1\njay,0\n")
    options = [str(option).format(train=train, folder=tmp_path) for option in options]
    code, printed, told = run("annotate", train, *options, *QUICK)
    assert code == 2
    assert printed == ""
    assert message in told
    assert len(told.strip().splitlines()) == 1


@pytest.mark.parametrize("options", [(), ("--no-refine",)])
def test_later_photos_are_annotated_by_what_was_kept(run, train, tmp_path, options):
    new = write_photos(tmp_path / "new.npz", n=30, seed=1, concepts=None, concept_names=None)
    kept = tmp_path / "kept.sap"
    asked = ("--top", 2, "--json", "--quiet")
    code, expected, _ = run("annotate", train, new, "--save", kept, *options, *asked)
    assert code == 0
    code, found, _ = run("annotate", new, "--model", kept, *asked)
    assert code == 0
    assert json.loads(found) == json.loads(expected)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("{train}",), "photos cannot be chosen any more"),
        (("--inputs", "tags"), "inputs cannot be chosen any more"),
        (("--no-refine",), "refine cannot be chosen any more"),
        (("--save", "{folder}/other.sap"), "save cannot be chosen any more"),
        (("--seed", 0), "seed cannot be chosen any more"),
        (("--together",), "together cannot be chosen any more"),
        (("--top", 4), "kept.sap has 3 concepts"),
        (("--out", "{kept}"), "is the file to be read"),
    ],
)
def test_what_a_kept_model_has_learned_is_learned(run, train, tmp_path, options, message):
    kept = tmp_path / "kept.sap"
    assert run("annotate", train, train, "--save", kept, *QUICK)[0] == 0
    content = kept.read_bytes()
    given = [str(option).format(train=train, kept=kept, folder=tmp_path) for option in options]
    code, printed, told = run("annotate", train, "--model", kept, "--quiet", *given)
    assert (code, printed) == (2, "")
    assert message in told
    assert kept.read_bytes() == content


def test_photos_to_annotate_are_refined_together_with_the_others(run, train, tmp_path):
    tags = np.load(train)["tags"][:30]
    tags[-2:] = 0
    new = write_photos(tmp_path / "new.npz", n=30, tags=tags, concepts=None, concept_names=None)
    answers = {}
    for options in ((), ("--together",)):
        code, printed, _ = run("annotate", train, new, "--top", 3, "--json", "--quiet", *options)
        assert code == 0
        found = {(row["image"], row["concept"]): row["score"] for row in json.loads(printed)}
        answers[options] = found
    assert len(answers["--together",]) == 90
    changed = [key for key, score in answers["--together",].items() if score != answers[()][key]]
    assert len(changed) > 60


@pytest.mark.parametrize(
    ("new", "options", "message"),
    [
        ({}, ("--no-refine",), "about repairing tags, and here none are"),
        ({}, ("--inputs", "features"), "about repairing tags, and here none are"),
        ({"tags": None, "tag_names": None}, (), "that have tags"),
        ({"features": None}, (), "only the photos to learn from have features"),
    ],
)
def test_together_needs_something_to_refine(run, train, tmp_path, new, options, message):
    path = write_photos(tmp_path / "new.npz", concepts=None, concept_names=None, **new)
    code, printed, told = run("annotate", train, path, "--together", "--quiet", *options)
    assert (code, printed) == (2, "")
    assert message in told
