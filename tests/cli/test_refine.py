import base64
import csv
import json
import re

import numpy as np
import pytest

from sapwood.data import make_attribute_world, write_attribute_world
from sapwood.tags import TagRefiner


@pytest.fixture(scope="module")
def world():
    return make_attribute_world(seen=6, unseen=2, strangers=0, per_class=12, web=1, size=32)


@pytest.fixture(scope="module")
def folder(world, tmp_path_factory):
    path = write_attribute_world(world, tmp_path_factory.mktemp("demo"))
    rows = [
        (file, world.tag_names[j])
        for file, row in zip(world.image_files, world.tags, strict=True)
        for j in np.flatnonzero(row)
    ]
    with (path / "tags.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("image", "tag"), *rows])
    return path


def read(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_command_gives_the_decisions_of_the_python_api(run, world, folder, tmp_path):
    out = tmp_path / "refined.csv"
    code, shown, _ = run("refine", folder / "tags.npz", "--out", out, "--json", "--quiet")
    assert code == 0
    refiner = TagRefiner()
    found = refiner.decide(refiner.fit_transform(world.features, world.tags), world.tags)
    rows = read(out)
    assert {k: json.loads(shown)[k] for k in ("kept", "dropped", "added")} == found.counts()
    assert [row["decision"] for row in rows] == [c.decision for c in found.changes()]
    assert [row["tag"] for row in rows] == [world.tag_names[c.column] for c in found.changes()]
    assert json.loads(shown)["images"] == len(world.image_files)


def test_tags_of_a_table_are_matched_by_name(run, world, folder, tmp_path):
    out = tmp_path / "refined.csv"
    asked = ("refine", folder / "world.npz", "--tags", folder / "tags.csv", "--out", out)
    code, shown, err = run(*asked, "--quiet")
    assert code == 0, err
    assert "kept" in shown
    given = {(r["image"], r["tag"]) for r in read(out) if r["decision"] != "added"}
    written = {
        (world.image_files[i], world.tag_names[j].casefold()) for i, j in np.argwhere(world.tags)
    }
    assert given == written


def test_no_given_tag_is_lost_for_being_rare(run, world, folder, tmp_path):
    out = tmp_path / "refined.csv"
    asked = ("refine", folder / "world.npz", "--tags", folder / "tags.csv", "--out", out)
    code, shown, err = run(*asked, "--words", 3, "--json")
    assert code == 0, err
    left = [row for row in read(out) if row["decision"] == "unjudged"]
    given = [row for row in read(out) if row["decision"] != "added"]
    assert len(given) == world.tags.sum()
    assert json.loads(shown)["unjudged"] == len(left) > 0
    assert f"note: {len(left)} given tags, such as " in err
    assert "--words sets how many" in err
    assert {row["score"] for row in left} == {""}
    assert len({row["tag"] for row in given} - {row["tag"] for row in left}) == 3


def test_tags_that_were_dropped_do_not_come_back(run, world, folder, tmp_path):
    once, twice = tmp_path / "once.csv", tmp_path / "twice.csv"
    first = ("refine", folder / "world.npz", "--tags", folder / "tags.csv", "--out", once)
    assert run(*first, "--quiet")[0] == 0
    code, _, err = run("refine", folder / "world.npz", "--tags", once, "--out", twice, "--quiet")
    assert code == 0, err
    repaired = {(r["image"], r["tag"]) for r in read(once) if r["decision"] != "dropped"}
    given = {(r["image"], r["tag"]) for r in read(twice) if r["decision"] != "added"}
    assert given == repaired


def test_a_table_alone_is_refined_by_the_tags_themselves(run, folder, tmp_path):
    cells = "image;tags\na.jpg;Sea, #surf\nb.jpg;sea,sand\nc.jpg;\nd.jpg;sea,surf,sand\n"
    (tmp_path / "t.csv").write_text(cells)
    code, shown, _ = run("refine", "--tags", tmp_path / "t.csv", "--json", "--quiet")
    assert code == 0
    assert {k: json.loads(shown)[k] for k in ("images", "tags")} == {"images": 4, "tags": 3}


def test_without_a_file_json_has_the_rows_of_the_file(run, folder, tmp_path):
    asked, out = ("refine", folder / "tags.npz", "--json", "--quiet"), tmp_path / "refined.csv"
    found = json.loads(run(*asked)[1])
    assert "decisions" not in json.loads(run(*asked, "--out", out)[1])
    written = [{**row, "score": float(row["score"]), "rank": int(row["rank"])} for row in read(out)]
    assert found["decisions"] == written
    assert len(found["decisions"]) == found["kept"] + found["dropped"] + found["added"]


def test_a_tag_that_was_not_judged_has_no_score_in_json(run, folder):
    asked = ("refine", folder / "world.npz", "--tags", folder / "tags.csv", "--words", 3)
    rows = json.loads(run(*asked, "--json", "--quiet")[1])["decisions"]
    assert {row["score"] for row in rows if row["decision"] == "unjudged"} == {None}


def test_changes_that_go_into_no_file_are_printed(run, folder, tmp_path):
    asked = ("refine", folder / "tags.npz", "--quiet")
    code, shown, _ = run(*asked)
    assert code == 0
    found = json.loads(run(*asked, "--json")[1])
    assert shown.count("\n") > found["dropped"] + found["added"]
    assert "Changes" in shown
    assert "Changes" not in run(*asked, "--save", tmp_path / "photos.tags")[1]


def test_a_folder_without_the_photos_is_noted(run, folder, tmp_path):
    asked = ("refine", folder / "tags.npz", "--page", tmp_path / "p.html", "--pictures")
    (tmp_path / "empty").mkdir()
    code, _, err = run(*asked, tmp_path / "empty")
    assert code == 0
    assert "none of the 96 photos is in it" in err
    assert "--pictures" not in run(*asked, folder)[2]


def test_a_folder_of_pictures_takes_features_from_a_file(run, world, folder, tmp_path):
    outs = [tmp_path / "one.csv", tmp_path / "other.csv"]
    tags = ("--tags", folder / "tags.csv", "--quiet", "--out")
    assert run("refine", folder / "world.npz", *tags, outs[0])[0] == 0
    pictures = tmp_path / "photos"
    for name in world.image_files:
        (pictures / name).parent.mkdir(parents=True, exist_ok=True)
        (pictures / name).touch()
    code, _, err = run("refine", pictures, "--features", folder / "world.npz", *tags, outs[1])
    assert code == 0, err
    assert sorted(map(str, read(outs[0]))) == sorted(map(str, read(outs[1])))


def test_the_page_says_what_scores_cannot_be_compared(run, folder, tmp_path):
    page = tmp_path / "page.html"
    assert run("refine", folder / "tags.npz", "--page", page, "--quiet")[0] == 0
    told = page.read_text()
    assert "includes its writer" in told
    assert "(dropped)" in told
    assert "(added)" in told
    assert "(wrong)" not in told


def test_the_page_shows_pictures_and_words(run, world, folder, tmp_path):
    page = tmp_path / "page.html"
    asked = ("refine", folder / "tags.npz", "--page", page, "--pictures", folder, "--quiet")
    assert run(*asked, "--add", "0.1", "--most", "2")[0] == 0
    text = page.read_text()
    assert "data:image/png;base64," in text
    assert "The largest changes" in text
    assert any(name in text for name in world.tag_names)


@pytest.mark.parametrize("name", ["{secret}", "../secret.png", "link.png", "a\0.png"])
def test_the_page_shows_no_picture_from_elsewhere(run, tmp_path, name):
    inside, secret, page = tmp_path / "pictures", tmp_path / "secret.png", tmp_path / "page.html"
    inside.mkdir()
    secret.write_bytes(b"secret")
    (inside / "own.png").write_bytes(b"own")
    (inside / "link.png").symlink_to(secret)
    names = [name.format(secret=secret), "./own.png"] * 10
    tags = np.random.default_rng(0).random((20, 3)) < 0.5
    images = [f"{i % 10}/../{name}" if i > 1 else name for i, name in enumerate(names)]
    np.savez(tmp_path / "t.npz", tags=tags, tag_names=list("abc"), image_files=images)
    asked = ("refine", tmp_path / "t.npz", "--page", page, "--pictures", inside, "--quiet")
    code, _, err = run(*asked, "--drop", 2)
    assert code == 0, err
    pictures = re.findall('data:image/png;base64,([^"]+)', page.read_text())
    assert set(pictures) == {base64.b64encode(b"own").decode()}


def test_a_page_without_pictures_or_changes_is_a_page(run, folder, tmp_path):
    page = tmp_path / "page.html"
    asked = ("refine", folder / "tags.npz", "--page", page, "--quiet", "--drop", "-9", "--add", "9")
    assert run(*asked)[0] == 0
    assert "Which tags changed" in page.read_text()
    assert "<img" not in page.read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "neither photos nor --tags"),
        (["{folder}/world.npz"], "has no tags; give them as well"),
        (["--tags", "{folder}/tags.csv", "--features", "f.npz"], "give f.npz as the photos"),
        (["{folder}/world.npz", "--tags", "{folder}/other.csv"], "none of its 1 images"),
        (["{folder}/tags.npz", "--preset", "papr"], "did you mean 'paper'"),
        (["{folder}/tags.npz", "--out", "{folder}/tags.npz"], "is the file to be read"),
        (["{folder}/world.npz", "--tags", "{folder}/wrong.csv"], "name the columns image and tag"),
        (["--tags", "{folder}/short.csv"], "1 rows without an image, first line 3"),
        (["--tags", "{folder}/gaps.csv"], "2 rows without an image, first line 2"),
        (["{folder}/classes.csv"], "holds attributes of classes, but photos were expected"),
    ],
)
def test_mistakes_are_explained(run, folder, arguments, message):
    (folder / "other.csv").write_text("image,tag\nx.png,sea\n")
    (folder / "wrong.csv").write_text("photo,word\nx.png,sea\n")
    (folder / "short.csv").write_text("tag,image\nsea,x.png\nsky\nsea,y.png\n")
    (folder / "gaps.csv").write_text("image,tag\n,sea\nx.png,sky\n ,sky\n")
    (folder / "classes.csv").write_text("class,beak\nowl,1\njay,0\n")
    code, _, err = run("refine", *(part.format(folder=folder) for part in arguments), "--quiet")
    assert code == 2
    assert message in err


def test_images_that_are_not_among_the_photos_are_counted(run, folder, tmp_path):
    table = tmp_path / "t.csv"
    table.write_text((folder / "tags.csv").read_text() + "elsewhere.png,sea\n")
    code, _, err = run("refine", folder / "world.npz", "--tags", table)
    assert code == 0
    assert "1 of" in err
    assert "not among the photos" in err


def test_what_was_learned_is_kept_for_photos_to_come(run, world, folder, tmp_path):
    model, out = tmp_path / "photos.tags", tmp_path / "refined.csv"
    assert run("refine", folder / "tags.npz", "--save", model, "--quiet")[0] == 0
    asked = ("refine", folder / "world.npz", "--tags", folder / "tags.csv", "--model", model)
    code, shown, err = run(*asked, "--out", out, "--json", "--quiet")
    assert code == 0, err
    refiner = TagRefiner().fit(world.features, world.tags, tag_names=list(world.tag_names))
    scores = refiner.transform(world.features, world.tags)
    found = refiner.decide(scores, world.tags)
    assert {k: json.loads(shown)[k] for k in ("kept", "dropped", "added")} == found.counts()
    assert [row["tag"] for row in read(out)] == [world.tag_names[c.column] for c in found.changes()]


def test_words_that_a_model_does_not_know_are_kept(run, folder, tmp_path):
    model, tags, out = tmp_path / "m.tags", tmp_path / "tags.csv", tmp_path / "refined.csv"
    learned = ("refine", folder / "world.npz", "--tags", folder / "tags.csv", "--save", model)
    assert run(*learned, "--quiet")[0] == 0
    lines = (folder / "tags.csv").read_text().splitlines()
    tags.write_text("\n".join([*lines, f"{lines[1].partition(',')[0]},Moose"]))
    asked = ("refine", folder / "world.npz", "--tags", tags, "--model", model, "--out", out)
    code, _, err = run(*asked)
    assert code == 0, err
    assert [row["tag"] for row in read(out) if row["decision"] == "unjudged"] == ["Moose"]
    assert "words that the model knows" in err
    assert "--words" not in err


def test_a_model_that_knows_none_of_the_words_is_refused(run, folder, tmp_path):
    model, strange = tmp_path / "photos.tags", tmp_path / "strange.csv"
    assert run("refine", folder / "tags.npz", "--save", model, "--quiet")[0] == 0
    image = read(folder / "tags.csv")[0]["image"]
    strange.write_text(f"image,tag\n{image},zzz\n", encoding="utf-8")
    asked = ("refine", folder / "world.npz", "--tags", strange, "--model", model, "--quiet")
    code, _, err = run(*asked)
    assert code == 2
    assert "is one of the 96 that the model knows, such as" in err


def test_photos_without_tags_get_some_by_a_model(run, world, folder, tmp_path):
    model, out, bare = tmp_path / "photos.tags", tmp_path / "out.csv", tmp_path / "bare.npz"
    assert run("refine", folder / "tags.npz", "--save", model, "--quiet")[0] == 0
    np.savez(bare, features=world.features[:9])
    code, _, err = run("refine", bare, "--model", model, "--out", out, "--quiet")
    assert code == 0, err
    assert {row["decision"] for row in read(out)} == {"added"}
    assert run("refine", bare, "--quiet")[0] == 2


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--pictures", "no-such-folder", "--page", "p.html"), "no such folder"),
        (("--pictures", "."), "give --page as well"),
        (("--model", "m.tags", "--preset", "paper"), "preset cannot be chosen any more"),
        (("--model", "m.tags", "--words", "9"), "words cannot be chosen any more"),
        (("--model", "m.tags", "--seed", "0"), "seed cannot be chosen any more"),
        (("--words", "5"), "--words chooses among the tags of a table, and "),
        (("--drop", "nan"), "drop is nan; expected a score"),
        (("--add", "nan"), "add is nan; expected a score"),
    ],
)
def test_options_that_lead_nowhere_are_refused(run, folder, more, said):
    code, _, err = run("refine", folder / "tags.npz", *more, "--quiet")
    assert code == 2
    assert said in " ".join(err.split())
