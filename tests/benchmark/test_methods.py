"""Methods by name: what each is given, what its row tells."""

import json

import numpy as np
import pytest

from sapwood import SparseAttributePropagationCV
from sapwood.baselines import BASELINES, RPL
from sapwood.baselines.search import tune
from sapwood.benchmark import Case, methods, register_method
from sapwood.benchmark.clock import clocked
from sapwood.benchmark.methods import fitted, known_methods, learned, settings_of
from sapwood.benchmark.rivals import Search, new_rival, rival_names
from sapwood.benchmark.workplace import working_in
from sapwood.errors import InputError

CASE = Case("zsl", "small", "paper", 4, 1)
FEW = Search(features=("whitened", "rooted"), attribute_maps=("l2",))


def found(problem, names, case=CASE, draw=None, search=FEW):
    return list(learned(problem, names, case, draw or (lambda case: problem), search))


def test_every_name_is_a_rival_with_a_way():
    for name in rival_names():
        rival = new_rival(name)
        assert BASELINES[next(b for b in BASELINES if BASELINES[b] is type(rival))]
    ways = {name: new_rival(name).unlabelled for name in ("sae0", "sae", "sae+sap", "sae+paper")}
    assert list(ways.values()) == ["ignore", "nearest", "propagate", "paper"]
    assert new_rival("label-spreading").unlabelled == "spread"
    assert type(new_rival("kernel-eszsl0")) is BASELINES["kernel-eszsl"]


def test_a_tuned_rival_is_what_tuning_it_alone_gives(problem):
    (one,) = found(problem, ["rpl0"])
    (alone,) = tune(
        [RPL(unlabelled="ignore")],
        problem.X,
        problem.y,
        class_attributes=problem.Z,
        features=FEW.features,
        attribute_maps=FEW.attribute_maps,
        random_state=CASE.seed,
    )
    assert one.told["parameters"] == alone.get_params()
    np.testing.assert_array_equal(
        one.model.predict(problem.X_test, classes=problem.unseen),
        alone.predict(problem.X_test, classes=problem.unseen),
    )
    assert one.told["tuned"]
    assert one.told["search_seconds"] > 0


def test_rows_come_way_by_way_and_tell_what_they_took(problem):
    rows = found(problem, ["rpl", "rpl0", "sae", "sapwood", "sapwood-paper"])
    assert [row.method for row in rows] == ["sapwood", "sapwood-paper", "rpl", "sae", "rpl0"]
    told = {row.method: row.told for row in rows}
    assert (told["sapwood"]["preset"], told["sapwood-paper"]["preset"]) == ("robust", "paper")
    assert told["sapwood"]["parameters"]["k_g"] == 10
    assert told["rpl"]["sharing"] == told["sae"]["sharing"] == 2
    known = int((problem.y >= 0).sum())
    assert known < len(problem.X)
    taken = {method: known if method == "rpl0" else len(problem.X) for method in told}
    assert {method: t["n_train"] for method, t in told.items()} == taken
    assert all(t["fit_seconds"] > 0 for t in told.values())


def test_the_tuned_estimator_tells_the_fit_apart_from_the_search(problem):
    (one,) = found(problem, ["sapwood-tuned"])
    assert one.told["tuned"]
    assert one.told["search_seconds"] > one.told["fit_seconds"] > 0
    assert one.told["preset"] == "robust"
    assert one.told["parameters"]["k_g"] == one.model.k_g_
    whole = SparseAttributePropagationCV(random_state=CASE.seed)
    whole.fit(problem.X, problem.y, class_attributes=problem.Z)
    scores = (model.decision_function(problem.X_test) for model in (one.model, whole))
    np.testing.assert_array_equal(*scores)


def test_a_slow_rival_chooses_once_on_the_first_draw(problem, monkeypatch, tmp_path):
    monkeypatch.setattr(methods, "ONCE", ("sae",))
    drawn = []

    def draw(case):
        drawn.append(case.seed)
        return problem

    with working_in(tmp_path):
        rows = [
            row
            for seed in (2, 0, 1)
            for row in found(problem, ["sae0"], CASE._replace(seed=seed), draw)
        ]
    assert drawn == [0]
    assert [row.told["tuned_on_seed"] for row in rows] == [0, 0, 0]
    assert len({str(row.told["parameters"]) for row in rows}) == 1
    fresh = CASE._replace(split="fresh", seed=2)
    (own,) = found(problem, ["sae0"], fresh, draw)
    assert (drawn[-1], own.told["tuned_on_seed"]) == (2, 2)


def test_what_cannot_be_run_is_skipped_with_the_reason(problem, monkeypatch):
    def refuse(*args, **kwargs):
        raise InputError("RN is taught with torch, which is not installed")

    monkeypatch.setattr("sapwood.benchmark.rivals.tune", refuse)
    rows = found(problem, ["rn0", "rpl0", "rpl"])
    assert [row.method for row in rows] == ["rpl0", "rpl", "rn0"]
    assert all(row.model is None and "torch" in row.told["skipped"] for row in rows)


def test_a_method_of_ones_own_may_be_set_to_anything(problem):
    settings = settings_of(RPL(ridge=np.float64(2.0), metric=object))
    assert settings["metric"] == repr(object)
    assert json.loads(json.dumps(settings))["ridge"] == 2.0


def test_a_method_of_ones_own_may_mean_others_by_a_preset(problem):
    class Mine(RPL):
        def __init__(self, preset="robust"):
            super().__init__()
            self.preset = preset

    one = fitted(problem, "mine", Mine())
    assert (one.told["preset"], one.told["parameters"]["preset"]) == (None, "robust")


def test_a_name_that_is_taken_is_refused():
    with pytest.raises(InputError, match="'rpl0': there is one of this name"):
        register_method("rpl0", RPL)
    assert len(known_methods()) == len(set(known_methods()))


def test_the_clock_sees_memory_come_and_go():
    with clocked() as small:
        np.ones(10).sum()
    with clocked() as large:
        np.ones(20_000_000).sum()
    if large.peak_mb is not None:
        assert large.peak_mb > 140 > small.peak_mb
