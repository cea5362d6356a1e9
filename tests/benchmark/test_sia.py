"""The annotation table: its rows, its rule of tuning, and NUS-WIDE's folder as it is given."""

import json

import numpy as np
import pytest

from sapwood.benchmark import BENCHES, Asked, Case, datasets, read_rows, sia
from sapwood.benchmark.jobs import plan
from sapwood.benchmark.paper_figures import read_paper
from sapwood.benchmark.sia_data import TagProblem, draw, get_tags, has_tags
from sapwood.benchmark.sia_methods import FREQUENCY, Method, chosen, method_of
from sapwood.cli import main
from sapwood.errors import InputError
from tests.data.original_layouts import write
from tests.rivals import needs_torch

WORDS = ("sky", "sea", "dog", "grass", "night", "snow")


def bench(*arguments, code=0):
    with pytest.raises(SystemExit) as stop:
        main(["bench", "sia", *map(str, arguments)])
    assert (stop.value.code or 0) == code


@pytest.fixture(autouse=True)
def forget_data(monkeypatch):
    monkeypatch.setattr(datasets, "_data", {})
    get_tags.cache_clear()
    yield
    get_tags.cache_clear()


def write_nus_wide(folder, n=120, features=True):
    r"""NUS-WIDE's layout: backslashes, CRLF, tabs, a file for each concept, official lists."""
    rng = np.random.default_rng(0)
    concepts = (rng.random((n, 4)) < 0.35).astype(int)
    tags = (np.hstack([concepts, concepts[:, :2]]) & (rng.random((n, 6)) < 0.7)).astype(int)
    tags[:, 0] |= ~tags.any(axis=1)
    images = [f"{WORDS[i % 6]}\\{i:04d}_{7 * i}.jpg" for i in range(n)]
    half = {"Train": range(0, n, 2), "Test": range(1, n, 2)}
    for prefix, rows in {"": range(n), **half}.items():
        path = folder / "ImageList" / f"{prefix}Imagelist.txt"
        write(path, *(images[i] for i in rows), end="\r\n")
    lines = ["".join(f"{value}\t" for value in row) for row in tags]
    write(folder / "NUS_WID_Tags" / "AllTags1k.txt", *lines, end="\r\n")
    write(folder / "NUS_WID_Tags" / "TagList1k.txt", *WORDS)
    write(folder / "ConceptsList" / "Concepts81.txt", *WORDS[:4])
    for j, name in enumerate(WORDS[:4]):
        path = folder / "Groundtruth" / "AllLabels" / f"Labels_{name}.txt"
        write(path, *map(str, concepts[:, j]))
    if features:
        X = concepts @ rng.random((4, 9)) + 0.2 * rng.random((n, 9))
        np.save(folder / "features.npy", X.astype(np.float32))
    return folder


@needs_torch
def test_the_folder_of_nus_wide_runs_and_resumes(tmp_path, capsys):
    folder = write_nus_wide(tmp_path / "nus")
    names = "sapwood,sapwood-noisy,frequency,sinn,cnn-softmax,ria,cnn-logistic+tags"
    asked = ("--data", folder, "--quick", "--seeds", 2, "--methods", names, "--out", tmp_path / "o")
    bench(*asked)
    rows = read_rows(tmp_path / "o" / "sia.jsonl")
    assert {row["method"] for row in rows} == set(names.split(","))
    assert len(rows) == 2 * 7
    for row in rows:
        assert (row["data"], row["split"], row["annotated"]) == ("nus", "given", 60)
        assert (row["n_features"], row["n_tags"], row["n_concepts"]) == (9, 6, 4)
        assert all(0 <= row[f"{a}-F1{m}"] <= 1 for a in "CIO" for m in ("", "_top3"))
        assert ("C-F1_own" in row) == (row["method"] != "cnn-softmax")
    by_name = {row["method"]: row for row in rows if row["seed"] == 0}
    assert by_name["sapwood"]["mAP"] > by_name["frequency"]["mAP"] + 0.2
    capsys.readouterr()
    bench(*asked, "--json")
    assert json.loads(capsys.readouterr().out)["added"] == 0


def test_without_features_tags_alone_are_learned_from_and_the_rest_says_why_not(tmp_path):
    folder = write_nus_wide(tmp_path / "nus", features=False)
    names = "sapwood,sapwood-refined,cnn-logistic"
    bench("--data", folder, "--quick", "--methods", names, "--out", tmp_path / "o")
    rows = {row["method"]: row for row in read_rows(tmp_path / "o" / "sia.jsonl")}
    assert "mAP" in rows["sapwood-refined"]
    assert "X is None" in rows["sapwood"]["skipped"]
    assert "mAP" not in rows["cnn-logistic"]


def test_without_torch_the_networks_are_skipped(tmp_path, monkeypatch):
    from sapwood.tags.rivals import base

    def missing():
        raise sia.InputError('install it with: pip install ".[deep]"')

    monkeypatch.setattr(base, "import_torch", missing)
    folder = write_nus_wide(tmp_path / "nus")
    bench("--data", folder, "--quick", "--methods", "frequency,ria", "--out", tmp_path / "o")
    rows = {row["method"]: row for row in read_rows(tmp_path / "o" / "sia.jsonl")}
    assert "mAP" in rows["frequency"]
    assert ".[deep]" in rows["ria"]["skipped"]


def test_data_without_tags_or_concepts_has_no_case(tmp_path):
    np.savez(tmp_path / "z.npz", features=np.eye(4), labels=[0, 1, 0, 1], attributes=np.eye(2))
    np.savez(tmp_path / "t.npz", features=np.eye(4), tags=np.eye(4))
    assert not has_tags(datasets.add_data(str(tmp_path / "z.npz")))
    assert has_tags(datasets.add_data(str(tmp_path / "t.npz")))
    assert sia.cases(Asked(("z",))) == []
    with pytest.raises(sia.InputError, match="no concepts to learn"):
        sia.cases(Asked(("t",)))


@pytest.mark.parametrize("content", [b"no archive", b"PK\x03\x04 cut short"])
def test_a_broken_file_is_the_users(tmp_path, capsys, content):
    (tmp_path / "broken.npz").write_bytes(content)
    bench("--data", tmp_path / "broken.npz", "--out", tmp_path / "o", code=2)
    said = capsys.readouterr().err
    assert "broken.npz: not a whole .npz (zip) file" in said
    assert len(said.splitlines()) == 1


def test_fewer_training_images_may_be_asked_for(tmp_path):
    name = datasets.add_data(str(write_nus_wide(tmp_path / "nus")))
    cases = sia.cases(Asked((name,), annotated=(20, 500), seeds=2))
    assert [(case.annotated, case.seed) for case in cases] == [(20, 0), (60, 0), (20, 1), (60, 1)]
    few = draw(cases[0])
    assert (len(few.tags), few.held.sum(), len(few.truth)) == (20, 4, 60)


def test_every_seed_has_the_same_training_images(tmp_path):
    name = datasets.add_data(str(write_nus_wide(tmp_path / "nus")))
    first, second = (draw(Case("sia", name, "given", 20, seed)) for seed in (0, 1))
    np.testing.assert_array_equal(first.tags, second.tags)
    np.testing.assert_array_equal(first.concepts, second.concepts)


def test_training_images_of_which_none_can_be_held_out_are_refused(tmp_path):
    name = datasets.add_data(str(write_nus_wide(tmp_path / "nus")))
    with pytest.raises(sia.InputError, match=r"--annotated 2: .* give 3 or more"):
        sia.cases(Asked((name,), annotated=(2,)))


def test_all_benchmarks_together_ask_for_annotations_of_classes():
    asked = Asked(("demo",), annotated=(2,), seeds=1, quick=True)
    jobs = plan([BENCHES["zsl"], BENCHES["sia"]], asked)
    found = {job.case.bench: job.case.annotated for job in jobs}
    assert found["zsl"] == 2
    assert found["sia"] > 100


def test_the_eleven_rows_of_the_paper_are_methods():
    eleven = [figure["method"] for figure in read_paper("sia")]
    case = Case("sia", "demo", "drawn", 720, 0)
    assert set(eleven) <= set(sia.methods(case)) <= set(sia.known())
    assert len(eleven) == 11
    later = sia.methods(case._replace(seed=1))
    assert all(method_of(name).drawn for name in later)
    assert {len(method_of(name).grid) for name in sia.known() if name != FREQUENCY} == {6}


class Wavering:
    """Scores are the truth of the second column, or of the first, by its setting."""

    def __init__(self, good):
        self.good = good

    def fit(self, X, tags, concepts):
        self.fitted_on = len(X)
        return self

    def decision_function(self, X, tags):
        return X[:, :2] if self.good else -X[:, :2]


def test_settings_and_threshold_are_chosen_on_the_images_held_out():
    rng = np.random.default_rng(0)
    concepts = rng.random((40, 2)) < 0.4
    held = np.arange(40) < 12
    # The right signs are those of the images held out; all others would choose otherwise.
    X = np.where(held[:, None], 1.0, -1.0) * (concepts - 0.3)
    problem = TagProblem(X, X, concepts, X, X, concepts, held)
    found = chosen(Method(Wavering, [{"good": False}, {"good": True}]), problem, quick=False)
    assert found["parameters"] == {"good": True}
    assert found["held_out"] == 1.0
    assert found["tried"][0] < 0.9
    assert -0.3 <= found["threshold"] < 0.7
    assert chosen(Method(Wavering, [{"good": False}]), problem, quick=True)["held_out"] < 0.9


def test_images_that_nobody_annotated_are_no_test_images(tmp_path):
    path = tmp_path / "half.npz"
    np.savez(path, tags=np.eye(4), concepts=[[1, 0], [0, 1], [-1, -1], [-1, -1]])
    with pytest.raises(InputError, match="nobody has annotated 2 images"):
        get_tags(str(path), quick=False)
