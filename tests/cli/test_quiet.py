"""One rule for -q: no progress and no notes, and all that was found or written is told."""

import numpy as np
import pytest

from sapwood import SparseAttributePropagation
from sapwood.evaluation import evaluate


@pytest.fixture
def files(data_file, model_file, tmp_path):
    """Inputs of which every command has something to note."""
    rng = np.random.default_rng(0)
    shown = rng.random((80, 3)) < 0.4
    photos = {"features": shown @ rng.random((3, 8)) + 0.1 * rng.random((80, 8)), "tags": shown}
    for name, n in (("photos", 80), ("new", 9)):
        tags = {"tag_names": ["dog", "sea", f"of {name}"], "concepts": shown[:n]}
        np.savez(tmp_path / f"{name}.npz", **{k: v[:n] for k, v in photos.items()}, **tags)
    images = [f"{i:03d}.jpg" for i in range(160)]
    rows = [f"{image},{tag}" for image in [*images, "none.jpg"] for tag in ("sea", "sky")]
    (tmp_path / "tags.csv").write_text("\n".join(["image,tag", *rows]))
    model = SparseAttributePropagation.load(model_file)
    del model.annotated_hashes_
    model.save(model_file)
    return {"data": data_file, "model": model_file, "folder": tmp_path}


@pytest.mark.parametrize(
    ("command", "noted"),
    [
        ("fit {data} --annotated 999 --out {folder}/m.sap", "fewer than 999 images"),
        ("fit {data} --annotated 999 --out {folder}/m.sap --json", "fewer than 999 images"),
        ("predict {model} {data} --reject 0.9", "images rejected"),
        ("predict {model} {data} --classes unseen --out {folder}/a.csv", ""),
        ("explain {model} {data} --limit 1", ""),
        ("suggest {model} {data} -n 2", "does not say which images were annotated"),
        ("evaluate {model} {data}", ""),
        ("annotate {folder}/photos.npz {folder}/new.npz --no-refine", "1 of 3 training tags"),
        ("annotate {folder}/photos.npz {folder}/new.npz --no-refine --out {folder}/a.csv", "1 of"),
        ("refine {data} --tags {folder}/tags.csv --out {folder}/a.csv", "1 of 161 images are not"),
    ],
)
def test_quiet_leaves_out_progress_and_notes_and_nothing_else(run, files, command, noted):
    arguments = [part.format(**files) for part in command.split()]
    code, said, told = run(*arguments)
    assert code == 0, told
    assert said
    assert noted in told
    assert run(*arguments, "-q") == (0, said, "")


def test_quiet_is_forgotten_by_the_next_command(run, files):
    arguments = ["suggest", files["model"], files["data"], "-n", 2]
    assert run(*arguments, "--quiet")[2] == ""
    assert "note: " in run(*arguments)[2]


def test_the_note_of_evaluate_obeys(run, files, monkeypatch):
    def lopsided(*arguments, **options):
        return {**evaluate(*arguments, **options), "acc_s": 0.9, "acc_u": 0.1}

    monkeypatch.setattr("sapwood.evaluation.evaluate", lopsided)
    arguments = ["evaluate", files["model"], files["data"], "--setting", "generalized"]
    assert "note: seen classes win too often" in run(*arguments)[2]
    assert run(*arguments, "-q")[2] == ""


def test_quiet_silences_no_error(run):
    code, _, told = run("fit", "absent.npz", "--out", "m.sap", "--quiet")
    assert code == 2
    assert told.startswith("error: ")
