import numpy as np
import pytest

from tests.rivals import METHODS, brief_grid


@pytest.fixture(params=METHODS.values(), ids=METHODS)
def method(request):
    return request.param


@pytest.fixture
def brief(method, monkeypatch):
    monkeypatch.setattr(method, "grid", brief_grid(method))
    return method


def test_every_method_has_as_many_different_trials(method):
    expected = 3 if method.slow else 49
    assert len(method.grid) == expected
    assert len({tuple(sorted(trial.items())) for trial in method.grid}) == expected


def test_trials_set_every_parameter_within_its_limits(method):
    for trial in method.grid:
        assert set(trial) == set(method.limits)
        assert all(method.limits[name].accepts(value) for name, value in trial.items())


@pytest.mark.parametrize("d", [7, 60])
def test_a_search_finds_what_single_fits_find(brief, draw_evidence, d):
    together = brief.solve(draw_evidence(d=d), brief.grid)
    for trial, found in zip(brief.grid, together, strict=True):
        (alone,) = brief.solve(draw_evidence(d=d), [trial])
        assert set(found) == set(alone) == set(brief.parts)
        for name, dimensions in brief.parts.items():
            assert np.ndim(np.asarray(found[name])) == dimensions
            np.testing.assert_allclose(found[name], alone[name], rtol=1e-12, atol=1e-12)


def test_the_order_of_trials_does_not_matter(brief, evidence):
    chosen = brief.grid[:: max(1, len(brief.grid) // 8)]
    forwards = list(brief.solve(evidence, chosen))
    backwards = list(brief.solve(evidence, chosen[::-1]))[::-1]
    for one, other in zip(forwards, backwards, strict=True):
        for name in brief.parts:
            np.testing.assert_allclose(one[name], other[name], rtol=1e-12, atol=1e-12)
