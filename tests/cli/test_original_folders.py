"""Folders as authors give them: --features names the matrix that they lack."""

import json

from tests.data.original_layouts import BIRDS, cub_images, write_cub, write_features


def test_features_from_elsewhere(run, tmp_path):
    folder = write_cub(tmp_path)
    features = write_features(tmp_path / "net.npz", cub_images(), d=6)
    given, model = [folder, "--features", features], tmp_path / "cub.sap"
    unseen = tmp_path / "unseen.txt"
    unseen.write_text("\n".join(BIRDS[::2]))
    code, out, err = run("fit", *given, "--split", unseen, "--out", model, "--json")
    assert code == 0, err
    assert json.loads(out)["unseen_classes"] == 2
    code, out, err = run("predict", model, *given, "--classes", "unseen", "--json")
    assert code == 0, err
    assert [row["image"] for row in json.loads(out)] == cub_images()
    code, out, err = run("explain", model, *given, "--json")
    assert code == 0, err
    assert [one["image"] for one in json.loads(out)] == cub_images()
    code, out, err = run("suggest", model, *given, "-n", 1, "--json")
    assert code == 0, err
    assert json.loads(out)[0]["image"] in cub_images()
    code, out, err = run("evaluate", model, *given, "--json")
    assert code == 0, err
    assert json.loads(out)["images"] == 4


def test_without_them_the_message_says_so(run, tmp_path):
    code, _, err = run("fit", write_cub(tmp_path), "--out", tmp_path / "cub.sap")
    assert code == 2
    assert "features" in err
