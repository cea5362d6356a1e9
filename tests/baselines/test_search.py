import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from sapwood import InputError
from sapwood.baselines import ESZSL, RPL, SAE, KernelESZSL
from sapwood.baselines.search import Workshop, tune
from sapwood.features import ATTRIBUTE_MAPS, FEATURE_MAPS, AttributeMap, FeatureMap
from sapwood.models.annotations import read_annotations
from sapwood.models.folds import class_folds
from sapwood.progress import listening
from sapwood.projection import Evidence
from sapwood.projection import evidence as module
from tests.rivals import METHODS, brief_grid


@pytest.fixture(params=METHODS.values(), ids=METHODS)
def method(request, monkeypatch):
    monkeypatch.setattr(request.param, "grid", brief_grid(request.param))
    return request.param


@pytest.fixture
def hard(draw_world):
    return draw_world(noise=0.6)


def tuned(world, *estimators, **options):
    return tune(estimators, world.X, world.y, class_attributes=world.Z, **options)


def test_the_best_of_all_trials_is_fitted(method, hard):
    given = method(unlabelled="nearest")
    (model,) = tuned(hard, given)
    log = model.search_log_
    # Five feature maps, two attribute maps.
    assert len(log) == 10 * len(method.grid)
    assert len({tuple(sorted(row["parameters"].items())) for row in log}) == len(log)
    best = max(log, key=lambda row: row["reciprocal_rank"])
    assert min(row["reciprocal_rank"] for row in log) < best["reciprocal_rank"]
    assert model.get_params() == {**best["parameters"], "unlabelled": "nearest"}
    again = clone(given).set_params(**best["parameters"])
    again.fit(hard.X, hard.y, class_attributes=hard.Z)
    np.testing.assert_array_equal(
        model.decision_function(hard.X_unseen), again.decision_function(hard.X_unseen)
    )
    np.testing.assert_array_equal(model.predict(hard.X), again.predict(hard.X))
    assert set(vars(model)) == set(vars(again)) | {"search_log_"}
    assert given.get_params() == method(unlabelled="nearest").get_params()


def test_several_at_once_find_what_each_finds_alone(hard, monkeypatch):
    for cls in METHODS.values():
        monkeypatch.setattr(cls, "grid", brief_grid(cls))
    estimators = [cls() for cls in METHODS.values()] + [RPL(unlabelled="propagate")]
    maps = ["raw", "whitened"]
    together = tuned(hard, *estimators, features=maps)
    workshop = Workshop(hard.X)
    for given, model in zip(estimators, together, strict=True):
        (alone,) = tuned(hard, given, features=maps, workshop=workshop)
        assert type(model) is type(given)
        assert model.search_log_ == alone.search_log_
        np.testing.assert_array_equal(
            model.decision_function(hard.X_unseen), alone.decision_function(hard.X_unseen)
        )


def test_a_workshop_maps_once(world, monkeypatch):
    calls, real = [], FeatureMap.fit_transform
    monkeypatch.setattr(FeatureMap, "fit_transform", lambda *a: calls.append(1) or real(*a))
    shop = Workshop(world.X)
    for _ in range(2):
        tuned(world, RPL(unlabelled="nearest"), workshop=shop)
    assert len(calls) == len(FEATURE_MAPS)


@pytest.mark.parametrize("features", ["rooted", "whitened"])
def test_ignored_images_are_not_even_looked_at(hard, features):
    known = hard.y >= 0
    assert not known.all()
    whole, part = (hard.X, hard.y), (hard.X[known], hard.y[known])
    given = {"class_attributes": hard.Z}
    fitted = [RPL(features=features).fit(*images, **given) for images in (whole, part)]
    found = [tune([RPL()], *images, features=[features], **given)[0] for images in (whole, part)]
    for first, second in (fitted, found):
        scores = [model.decision_function(hard.X_unseen) for model in (first, second)]
        np.testing.assert_array_equal(*scores)
    assert found[0].search_log_ == found[1].search_log_


def test_a_row_of_the_log_is_a_cross_validation(method, hard):
    """One trial in each 61, with the pieces put together by hand."""
    (model,) = tuned(hard, method(unlabelled="nearest"), random_state=5)
    known = read_annotations(hard.y, len(hard.X), hard.Z)
    for row in model.search_log_[7::61]:
        settings = row["parameters"]
        X = FeatureMap(**FEATURE_MAPS[settings["features"]]).fit_transform(hard.X)
        near = np.linalg.norm(X[:, None] - X[hard.y >= 0], axis=2).argmin(axis=1)
        F, ranks = np.eye(6)[hard.y[hard.y >= 0][near]], []
        whole = Evidence(X, F, hard.Z[:6], np.ones(len(X)))
        for fold in class_folds(whole, X, known.seen_codes, 3, 5):
            classes = AttributeMap(**ATTRIBUTE_MAPS[settings["attribute_map"]])
            classes.fit(fold.evidence.Z)
            evidence = fold.evidence.described(classes.transform)
            trial = {name: settings[name] for name in method.limits}
            (parts,) = method.solve(evidence, [trial])
            scores = method.compare(parts, trial, fold.X, classes.transform(fold.held))
            ranks.append(fold.reciprocal_ranks(scores))
        found = np.concatenate(ranks)
        assert row["reciprocal_rank"] == pytest.approx(found.mean(), abs=1e-12)
        assert row["accuracy"] == pytest.approx((found == 1).mean(), abs=1e-12)


@pytest.mark.parametrize("d", [7, 60], ids=["n >= d", "n < d"])
def test_scores_of_trials_order_classes_as_single_fits_do(method, draw_evidence, d):
    evidence, rng = draw_evidence(d=d), np.random.default_rng(1)
    X, Z = rng.standard_normal((30, d)), rng.random((6, 4))
    together = method.score_trials(evidence, method.grid, X, Z)
    for trial, scores in zip(method.grid, together, strict=True):
        (parts,) = method.solve(draw_evidence(d=d), [trial])
        expected = method.compare(parts, trial, X, Z)
        ahead = expected[:, :, None] - expected[:, None, :]
        clear = ahead > 1e-9 * np.abs(expected).max()
        assert clear.sum() > 30
        assert ((scores[:, :, None] > scores[:, None, :]) | ~clear).all()


@pytest.mark.parametrize("d", [7, 60])
def test_trials_of_several_kernels_are_scored_each_by_its_own(draw_evidence, d):
    evidence, rng = draw_evidence(d=d), np.random.default_rng(1)
    X, Z = rng.standard_normal((30, d)), rng.random((6, 4))
    changes = [{}, {"width": 0.7}, {"landmarks": 9}, {"kernel": "linear"}, {}]
    trials = [{**KernelESZSL.grid[24], **change} for change in changes]
    for trial, scores in zip(trials, KernelESZSL.score_trials(evidence, trials, X, Z), strict=True):
        (parts,) = KernelESZSL.solve(draw_evidence(d=d), [trial])
        expected = KernelESZSL.compare(parts, trial, X, Z)
        np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-5 * np.abs(expected).max())


def test_fewer_maps_are_fewer_trials(world):
    (model,) = tuned(world, ESZSL(), features=["unit"], attribute_maps=["l2"])
    assert len(model.search_log_) == 49
    assert (model.features, model.attribute_map) == ("unit", "l2")


def test_names_of_features_are_kept(world):
    frame = pd.DataFrame(world.X, columns=[f"f{j}" for j in range(world.X.shape[1])])
    for model in tune([RPL(), SAE()], frame, world.y, features=["unit"], class_attributes=world.Z):
        assert model.feature_names_in_.tolist() == frame.columns.tolist()


def test_another_seed_divides_otherwise(hard):
    logs = [tuned(hard, RPL(), random_state=seed)[0].search_log_ for seed in (0, 0, 1)]
    assert logs[0] == logs[1]
    assert logs[0] != logs[2]


def test_progress_is_told(world):
    heard = []
    with listening(lambda stage, done: heard.append((stage, done))):
        tuned(world, RPL())
    shares = [done for stage, done in heard if stage == "trials"]
    assert shares == sorted(shares)
    assert len(shares) == 5


def test_what_cannot_be_tuned_is_refused_before_the_search(world):
    with pytest.raises(InputError, match=r"^unlabelled is 'nearst'"):
        tuned(world, RPL(unlabelled="nearst"))
    with pytest.raises(InputError, match=r"^workshop holds other features"):
        tuned(world, RPL(), workshop=Workshop(world.X[:, ::-1]))
    with pytest.raises(InputError, match=r"^n_splits=7: more folds than annotated classes"):
        tuned(world, RPL(), n_splits=7)


def test_a_kernel_is_decomposed_once_for_all_coordinates(draw_evidence, monkeypatch):
    evidence, calls, real = draw_evidence(), [], module.symmetric_eigen
    monkeypatch.setattr(module, "symmetric_eigen", lambda *a: calls.append(1) or real(*a))
    for factor in (1.0, 2.0):
        list(KernelESZSL.solve(evidence.described(lambda Z, by=factor: by * Z), KernelESZSL.grid))
    assert calls == [1]


def test_a_trial_that_fails_costs_no_rival_its_search(world):
    X = 1e7 * np.c_[world.X, np.zeros(len(world.X))]
    estimators = [ESZSL(unlabelled="nearest"), RPL(unlabelled="nearest")]
    found = tune(estimators, X, world.y, class_attributes=world.Z, features=["raw"])
    assert all(np.isfinite(model.projection_).all() for model in found)
    worst = min(row["reciprocal_rank"] for row in found[0].search_log_)
    small = [row for row in found[0].search_log_ if row["parameters"]["ridge_features"] == 1e-3]
    assert all(row["reciprocal_rank"] == worst for row in small)


def test_names_of_classes_are_kept(world):
    names = np.array([f"class {i}" for i in range(len(world.Z))])
    y = np.where(world.y >= 0, names[world.y], "")
    given = {"class_attributes": world.Z, "class_names": list(names)}
    (model,) = tune([RPL(unlabelled="nearest")], world.X, y, features=["unit"], **given)
    assert set(model.predict(world.X)) <= set(names)
    model.calibrate(world.X, y)
    assert np.isfinite(model.seen_bias_)


def test_nothing_to_tune(world):
    assert tune([], world.X, world.y, class_attributes=world.Z) == []
