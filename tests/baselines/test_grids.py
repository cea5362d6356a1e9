import numpy as np
import pytest

from sapwood.baselines import BASELINES


@pytest.fixture(params=BASELINES.values(), ids=BASELINES)
def method(request):
    return request.param


def test_every_method_has_as_many_different_trials(method):
    assert len(method.grid) == 49
    assert len({tuple(sorted(trial.items())) for trial in method.grid}) == 49


def test_trials_set_every_parameter_within_its_limits(method):
    for trial in method.grid:
        assert set(trial) == set(method.limits)
        assert all(method.limits[name].accepts(value) for name, value in trial.items())


@pytest.mark.parametrize("d", [7, 60])
def test_a_search_finds_what_single_fits_find(method, draw_evidence, d):
    together = method.solve(draw_evidence(d=d), method.grid)
    for trial, found in zip(method.grid, together, strict=True):
        (alone,) = method.solve(draw_evidence(d=d), [trial])
        assert set(found) == set(alone) == set(method.parts)
        for name, dimensions in method.parts.items():
            assert np.ndim(np.asarray(found[name])) == dimensions
            np.testing.assert_allclose(found[name], alone[name], rtol=1e-12, atol=1e-12)


def test_the_order_of_trials_does_not_matter(method, evidence):
    chosen = method.grid[::6]
    forwards = list(method.solve(evidence, chosen))
    backwards = list(method.solve(evidence, chosen[::-1]))[::-1]
    for one, other in zip(forwards, backwards, strict=True):
        for name in method.parts:
            np.testing.assert_allclose(one[name], other[name], rtol=1e-12, atol=1e-12)
