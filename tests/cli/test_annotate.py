import csv
import json

import numpy as np
import pytest

from sapwood.tags import SocialImageAnnotator

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


def test_a_threshold_is_a_probability(run, train):
    code, printed, _ = run("annotate", train, train, "--threshold", 0.8, "--json", *QUICK)
    assert code == 0
    given = [answer for answer in json.loads(printed) if answer["concept"]]
    assert min(answer["probability"] for answer in given) > 0.8
    told = run("annotate", train, train, "--threshold", 0.8, "--json", "--no-refine")[2]
    assert "more probable than 0.8" in told


def test_a_photo_without_concepts_has_an_empty_row(run, train):
    code, printed, _ = run("annotate", train, train, "--threshold", 1 - 1e-12, "--json", *QUICK)
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
        ({"features": None}, ("{train}", "--inputs", "features"), "not all photos have features"),
        ({}, ("--tags", "{folder}/classes.csv"), "--tags is a table for --concepts"),
        ({}, ("no-such.npz",), "no such file"),
        ({}, ("{train}", "--top", 1, "--threshold", 0), "give one of them"),
        ({}, ("{train}", "--threshold", "nan"), "--threshold is nan"),
        ({}, ("{train}", "--threshold", 1.5), "expected a probability above 0 and below 1"),
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
        (("--top", 4), "expected 1 to 3: "),
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


def scores_of(printed):
    return {(row["image"], row["concept"]): row["score"] for row in json.loads(printed)}


def test_photos_to_annotate_are_refined_together_with_the_others(run, train, tmp_path):
    new = dict(np.load(write_photos(tmp_path / "all.npz", n=30, seed=1)))
    new["tags"][[4, 9]] = 0
    new["features"][7] = np.load(train)["features"][3]
    path = write_photos(tmp_path / "new.npz", **{**new, "concepts": None, "concept_names": None})
    code, printed, told = run("annotate", train, path, "--together", "--top", 3, "--json")
    assert code == 0
    assert "1 of the 30 photos to annotate are among those learned from" in told
    known = np.load(train)
    joined = np.setdiff1d(np.flatnonzero(new["tags"].any(axis=1)), [7])
    parts = [np.concatenate([known[name], new[name][joined]]) for name in ("features", "tags")]
    concepts = np.concatenate([known["concepts"].astype(int), np.full((len(joined), 3), -1)])
    names = {name: known[name] for name in ("concept_names", "tag_names")}
    annotator = SocialImageAnnotator().fit(*parts, concepts, **names)
    expected = annotator.decision_function(new["features"], new["tags"])
    expected[joined] = annotator.unannotated_scores_
    found = scores_of(printed)
    for i, c in np.ndindex(expected.shape):
        assert found[f"{i}.jpg", names["concept_names"][c]] == pytest.approx(
            expected[i, c], rel=1e-5
        )


def write_tables(folder, known):
    """The training photos' tags and concepts as tables; concepts of the first `known` alone."""
    arrays = np.load(write_photos(folder / "whole.npz"))
    np.savez(folder / "photos.npz", features=arrays["features"], image_files=arrays["image_files"])
    lines = {"tag": ["image,tag"], "concept": ["image,concept"]}
    for what, matrix in (("tag", arrays["tags"]), ("concept", arrays["concepts"][:known])):
        for i, row in enumerate(matrix):
            words = [str(name) for name in arrays[f"{what}_names"][row > 0]] or [""]
            lines[what] += [f"{i}.jpg,{word}" for word in words]
    for what, text in lines.items():
        (folder / f"{what}s.csv").write_text("\n".join(text) + "\n")
    return folder / "photos.npz", folder / "tags.csv", folder / "concepts.csv", arrays


@pytest.mark.parametrize("options", [(), ("--apart",)])
def test_tags_and_concepts_may_stand_in_tables(run, tmp_path, options):
    photos, tags, concepts, arrays = write_tables(tmp_path, 80)
    given = ("annotate", photos, "--tags", tags, "--concepts", concepts)
    kept = tmp_path / "kept.sap"
    out = tmp_path / "out.csv"
    code, printed, _ = run(*given, "--save", kept, "--out", out, *options)
    assert code == 0
    with out.open() as file:
        rows = list(csv.DictReader(file))
    assert {row["image"] for row in rows} == {f"{i}.jpg" for i in range(80, 120)}
    names = [str(name) for name in arrays["concept_names"]]
    shown = {(f"{i}.jpg", names[c]) for i, c in np.argwhere(arrays["concepts"]) if i >= 80}
    assert len({(row["image"], row["concept"]) for row in rows} & shown) > 0.8 * len(shown)
    # Later photos have tables, too.
    code, printed, _ = run("annotate", photos, "--model", kept, "--tags", tags, "--json", "--quiet")
    assert code == 0
    assert len({row["image"] for row in json.loads(printed)}) == 120


def test_tables_say_the_same_as_an_archive(run, tmp_path):
    photos, tags, concepts, arrays = write_tables(tmp_path, 80)
    unknown = arrays["concepts"].astype(int)
    unknown[80:] = -1
    archive = write_photos(tmp_path / "archive.npz", concepts=unknown)
    asked = ("--top", 3, "--json", "--quiet")
    code, first, _ = run("annotate", photos, "--tags", tags, "--concepts", concepts, *asked)
    assert code == 0
    code, second, _ = run("annotate", archive, *asked)
    assert code == 0
    found, expected = scores_of(first), scores_of(second)
    assert found.keys() == expected.keys()
    assert list(found.values()) == pytest.approx([expected[key] for key in found], rel=1e-3)
    # Both are one set, so photos that nobody annotated take part unless they are told not to.
    code, together, _ = run("annotate", archive, "--together", *asked)
    assert scores_of(together) == expected
    code, apart, _ = run("annotate", archive, "--apart", *asked)
    assert scores_of(apart) != expected
    assert run("annotate", archive, "--no-refine", *asked)[0] == 0


def test_tables_are_enough(run, tmp_path):
    _, tags, concepts, _ = write_tables(tmp_path, 80)
    kept, asked = tmp_path / "kept.sap", ("--tags", tags, "--top", 1, "--json")
    code, printed, told = run("annotate", "--concepts", concepts, "--save", kept, *asked)
    assert code == 0
    assert {row["image"] for row in json.loads(printed)} == {f"{i}.jpg" for i in range(80, 120)}
    assert "learned from tags, annotated photos 80" in told
    code, printed, _ = run("annotate", "--model", kept, *asked)
    assert code == 0
    assert len(json.loads(printed)) == 120
    code, _, told = run("annotate", "--top", 1)
    assert code == 2
    assert "no photos are given; give a set" in told
    code, _, told = run("annotate", "--model", kept)
    assert code == 2
    assert "neither photos nor --tags is given" in told


def test_tables_that_name_too_few_photos_or_others(run, tmp_path):
    photos, tags, concepts, _ = write_tables(tmp_path, 2)
    given = ("annotate", photos, "--tags", tags, "--concepts", concepts)
    code, _, told = run(*given)
    assert code == 2
    assert "concepts.csv: tells the concepts of 2 photos; at least 3 are needed" in told
    with concepts.open("a") as file:
        file.writelines(f"{name},snow\n" for name in ("2.jpg", "3.jpg", "cat.jpg"))
    _, _, told = run(*given)
    assert "1 of 5 images are not among the photos, and their concepts are left out" in told


def test_tables_that_leave_nothing_to_do(run, tmp_path):
    photos, tags, concepts, _ = write_tables(tmp_path, 120)
    given = ("annotate", photos, "--tags", tags, "--concepts", concepts)
    code, _, told = run(*given)
    assert code == 2
    assert "names all 120 photos" in told
    code, _, told = run(*given[:2], photos, *given[2:])
    assert code == 2
    assert "is given beside --concepts" in told
    concepts.write_text("image,concept\n0.jpg,\n1.jpg,\n")
    code, _, told = run(*given)
    assert code == 2
    assert "names no concept of any photo" in told


def test_features_count_where_both_kinds_of_photos_have_them(run, train, tmp_path):
    bare = {"concepts": None, "concept_names": None}
    new = write_photos(tmp_path / "new.npz", n=30, seed=1, features=None, **bare)
    code, _, told = run("annotate", train, new, "--no-refine", "--json")
    assert code == 0
    assert "new.npz has no features: tags are all that is learned from" in told
    wide = write_photos(tmp_path / "wide.npz", n=30, features=np.ones((30, 9)), **bare)
    kept = tmp_path / "kept.sap"
    code, _, told = run("annotate", train, wide, "--save", kept)
    assert (code, kept.exists()) == (2, False)
    assert "wide.npz: 9 features a photo; those to learn from have 8" in told
    assert run("annotate", train, train, "--save", kept, *QUICK)[0] == 0
    for path, message in ((wide, "has 9 features a photo"), (new, "has no features")):
        code, _, told = run("annotate", path, "--model", kept)
        assert code == 2
        assert message in told
        assert "was learned from 8 a photo" in told


def test_photos_whose_concepts_are_known_are_scored(run, train, tmp_path):
    new = write_photos(tmp_path / "new.npz", n=40, seed=1)
    code, _, told = run("annotate", train, new, "--no-refine", "--json")
    assert code == 0
    assert "mean average precision" in told
    for names, scored in (
        (["A Dog", "the sea", "#snow"], True),
        (["cat", "the sea", "snow"], False),
    ):
        new = write_photos(tmp_path / "new.npz", n=40, seed=1, concept_names=names)
        _, _, told = run("annotate", train, new, "--no-refine", "--json")
        assert ("mean average precision" in told) == scored
        assert ("none called 'a dog', so nothing is scored" in told) != scored


@pytest.mark.parametrize(
    ("new", "options", "message"),
    [
        ({}, ("--no-refine",), "needs photos to annotate that have tags"),
        ({}, ("--inputs", "features"), "needs photos to annotate that have tags"),
        ({"tags": None, "tag_names": None}, (), "needs photos to annotate that have tags"),
    ],
)
def test_together_needs_something_to_refine(run, train, tmp_path, new, options, message):
    path = write_photos(tmp_path / "new.npz", concepts=None, concept_names=None, **new)
    code, printed, told = run("annotate", train, path, "--together", "--quiet", *options)
    assert (code, printed) == (2, "")
    assert message in told
