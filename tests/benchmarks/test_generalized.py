"""The generalized benchmark on a small problem, and its tables and pictures on made-up rows."""

import numpy as np
import pytest

from sapwood import SparseAttributePropagation
from sapwood.benchmark import Problem, Task
from sapwood.metrics import SeenUnseenCurve


def small_problem(draw_world):
    """Images of seen classes are tested on as well."""
    world = draw_world(n=320, annotated=5)
    held = np.arange(len(world.X)) % 4 == 0
    return Problem(
        world.X[~held],
        world.y[~held],
        world.Z,
        np.vstack([world.X[held], world.X_unseen]),
        np.concatenate([world.labels[held], world.labels_unseen]),
        np.array([6, 7]),
    )


@pytest.fixture
def problem(draw_world):
    return small_problem(draw_world)


@pytest.fixture
def model(problem):
    return SparseAttributePropagation().fit(problem.X, problem.y, class_attributes=problem.Z)


def accuracies(answers, problem):
    unseen = np.isin(problem.truth, problem.unseen)
    right = answers == problem.truth
    acc_u, acc_s = right[unseen].mean(), right[~unseen].mean()
    return acc_u, acc_s, 2 * acc_u * acc_s / (acc_u + acc_s) if acc_u + acc_s else 0.0


def test_class_scores_are_those_of_the_answers(load_benchmark, model, problem):
    (scores,) = load_benchmark("generalized", "scores")
    model.seen_bias_ = 0.05
    row = scores.class_scores(model, problem, curve=True)
    calibrated = accuracies(model.predict(problem.X_test), problem)
    assert (row["acc_u"], row["acc_s"], row["harmonic_mean"]) == pytest.approx(calibrated)
    plain = accuracies(model.predict(problem.X_test, calibrated=False), problem)
    assert row["uncalibrated"] == pytest.approx(plain[2])
    assert row["uncalibrated_at"] == pytest.approx(list(plain[:2]))
    assert row["ceiling"] >= max(row["uncalibrated"], row["harmonic_mean"]) - 1e-12
    assert 0 < row["ausuc"] <= 1
    assert row["seen_bias"] == 0.05
    assert "curve" not in scores.class_scores(model, problem)


def test_the_ceiling_is_the_best_of_all_biases(load_benchmark, model, problem):
    (scores,) = load_benchmark("generalized", "scores")
    found = []
    for bias in np.linspace(-1, 1, 400):
        model.seen_bias_ = bias
        found.append(accuracies(model.predict(problem.X_test), problem)[2])
    assert scores.class_scores(model, problem)["ceiling"] == pytest.approx(max(found), abs=0.02)


def test_a_thinned_curve_keeps_its_ends_and_its_order(load_benchmark):
    (scores,) = load_benchmark("generalized", "scores")
    share = np.linspace(0, 1, 1000)
    thin = np.array(scores.thinned(SeenUnseenCurve(share, 0.8 * share**2, 0.6 * (1 - share))))
    assert thin.shape == (scores.POINTS, 2)
    assert thin[0].tolist() == [0, 0.6]
    assert thin[-1].tolist() == [0.8, 0]
    assert (np.diff(thin[:, 0]) >= 0).all()
    assert (np.diff(thin[:, 1]) <= 0).all()


def test_probabilities_are_of_unseen_images_among_unseen_classes(load_benchmark, model, problem):
    (scores,) = load_benchmark("generalized", "scores")
    fitted, plain = scores.probability_scores(model, problem, curves=True)
    unseen = np.isin(problem.truth, problem.unseen)
    answers = model.predict(problem.X_test[unseen], classes=problem.unseen)
    assert fitted["accuracy"] == plain["accuracy"] == np.mean(answers == problem.truth[unseen])
    proba = model.predict_proba(problem.X_test[unseen], classes=problem.unseen)
    own = proba[np.arange(len(proba)), problem.truth[unseen] - 6]
    assert fitted["nll"] == pytest.approx(-np.log(own).mean())
    assert fitted["nll"] != plain["nll"]
    assert np.array(fitted["reliability"])[:, 0].sum() == unseen.sum()
    assert fitted["risk"][-1] == pytest.approx([1.0, 1 - fitted["accuracy"]], abs=1e-4)


@pytest.mark.parametrize("K", [1, 5])
def test_a_finished_task_has_as_many_rows_as_are_expected(load_benchmark, problem, K, monkeypatch):
    (methods,) = load_benchmark("generalized", "methods")
    monkeypatch.setattr(methods, "draw", lambda case, K, seed: problem)
    rows = methods.work(task := Task("ours", "cub", K, 0))
    assert len(rows) == methods.expected(task)
    assert {(row["case"], row["annotated"]) for row in rows} == {("cub", K)}
    assert all(("curve" in row) == (K == 5) for row in rows if row["about"] == "classes")
    monkeypatch.setattr(methods, "RIVALS", {"rpl": ("ignore", "nearest")})
    rivals = methods.work(task := Task("rivals", "cub", K, 1))
    assert [row["method"] for row in rivals] == ["rpl, ignore", "rpl, nearest"]
    assert len(rivals) == methods.expected(task)
    assert not any("curve" in row for row in rivals)


def made_up(method, K, seed, H, case="cub", **more):
    told = {"case": case, "annotated": K, "seed": seed, "about": "classes", "method": method}
    scores = ("acc_u", "acc_s", "uncalibrated", "ausuc", "ceiling", "harmonic_mean_over_classes")
    return {**told, **dict.fromkeys(scores, H / 2), "harmonic_mean": H, **more}


CURVE = {"curve": [[0, 0.6], [0.4, 0.4], [0.5, 0]], "uncalibrated_at": [0.1, 0.6]}
PROBABILITIES = {
    "case": "cub",
    "annotated": 5,
    "about": "probabilities",
    "reliability": [[10, 0.2, 0.3], [20, 0.9, 0.8]],
    "risk": [[0.1, 0.0], [1.0, 0.3]],
}
ROWS = [
    *(made_up("sapwood", K, seed, 0.4 + seed / 100) for K in (1, 5) for seed in (1, 2)),
    *(made_up("rpl, nearest", K, seed, 0.4) for K in (1, 5) for seed in (1, 2)),
    made_up("sapwood", 5, 0, 0.4, **CURVE),
    made_up("rpl, nearest", 5, 0, 0.3, **CURVE),
    {**PROBABILITIES, "seed": 0, "method": "sapwood, predict_proba", "ece": 0.1, "nll": 1.0,
     "aurc": 0.05},
    {**PROBABILITIES, "seed": 0, "method": "sapwood, softmax of raw similarities", "ece": 0.5,
     "nll": 3.0, "aurc": 0.06},
]  # fmt: skip


def test_tables_have_the_lead_and_all_scores(load_benchmark):
    (tables,) = load_benchmark("generalized", "tables")
    text = tables.case_text(ROWS, "cub")
    assert "| sapwood | 41.5 ± 0.7 | 41.0 ± 1.0 |" in text
    assert "K = 1: +1.5 ± 0.5 on rpl, nearest" in text
    half, whole = "20.8 ± 0.4", "41.5 ± 0.7"
    assert f"| sapwood | {half} | {half} | {whole} | {half} | {half} | {half} | {half} |" in text
    said = tables.probabilities(ROWS).splitlines()
    assert said[0] == "CUB, the paper's 150/50 split, K = 5:"
    assert "| predict_proba | 0.100 | 1.000 | 0.050 |" in said


def test_the_page_gets_tables_and_pictures(load_benchmark, tmp_path):
    pages, cases = load_benchmark("generalized", "pages", "cases")
    names = [f"generalized-{case}" for case in cases.CASES] + ["probabilities", *pages.CAPTIONS]
    page = tmp_path / "beyond.md"
    page.write_text(
        "\n".join(f"<!-- {n}: made by {pages.MAKER} -->\n<!-- end of {n} -->" for n in names)
    )
    pages.rewrite(ROWS, page)
    text = page.read_text()
    assert "### CUB" in text
    assert "AwA1" not in text
    for name in pages.CAPTIONS:
        assert f"(images/{name}.png)" in text
        assert (tmp_path / "images" / f"{name}.png").read_bytes()[1:4] == b"PNG"


def test_the_documentation_has_a_place_for_everything(load_benchmark):
    pages, cases = load_benchmark("generalized", "pages", "cases")
    page = (pages.Path(__file__).parents[2] / pages.PAGE).read_text()
    names = [f"generalized-{case}" for case in cases.CASES] + ["probabilities", *pages.CAPTIONS]
    assert [n for n in names if f"<!-- {n}: made by {pages.MAKER} -->" not in page] == []
    assert [n for n in names if f"<!-- end of {n} -->" not in page] == []


def test_held_out_images_are_neither_given_nor_forgotten(load_benchmark, shared_data):
    (cases,) = load_benchmark("generalized", "cases")
    problem = cases.draw("cub", 5, 0)
    seen = ~np.isin(problem.truth, problem.unseen)
    assert set(np.bincount(problem.y[problem.y >= 0])) == {0, 5}
    assert len(problem.X) + len(problem.X_test) == 11788
    assert seen.sum() / (seen.sum() + len(problem.X)) == pytest.approx(0.2, abs=0.01)
    assert (~seen).sum() == 2946
