import numpy as np
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.calibration import _sigmoid_calibration

from sapwood.solvers import fit_sigmoids


def test_sigmoids_are_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    scores = rng.standard_normal((300, 4)) * [1, 5, 0.01, 200] + [0, 3, -1, 50]
    flags = rng.random((300, 4)) < expit(2 * (scores - scores.mean(0)) / scores.std(0) - 1)
    slope, offset = fit_sigmoids(scores, flags)
    for j in range(4):
        a, b = _sigmoid_calibration(scores[:, j], flags[:, j])
        np.testing.assert_allclose(
            expit(slope[j] * scores[:, j] + offset[j]), expit(-(a * scores[:, j] + b)), atol=2e-4
        )


def test_scores_that_separate_perfectly_ask_for_a_finite_slope():
    scores = np.r_[np.full(50, -1.0), np.full(50, 1.0)][:, None]
    slope, offset = fit_sigmoids(scores, scores > 0)
    np.testing.assert_allclose(expit(slope + offset), 51 / 52, atol=1e-6)


def test_scores_that_mislead_or_say_nothing_give_the_share_of_true_rows():
    flags = (np.arange(40) % 4 == 0)[:, None]
    for scores in (-1.0 * flags, np.zeros((40, 1))):
        slope, offset = fit_sigmoids(scores, flags)
        assert slope[0] == 0
        np.testing.assert_allclose(expit(offset), 0.25, atol=0.03)


def test_rare_concepts_with_far_scores_are_fitted_too():
    rng = np.random.default_rng(0)
    flags = rng.random((2000, 6)) < 0.01
    # Nearly all scores are alike, so the first Newton steps are far too long.
    scores = np.where(flags & (rng.random(flags.shape) < 0.5), 0.5, -1.0)
    scores += 1e-3 * rng.random(flags.shape)
    slope, offset = fit_sigmoids(scores, flags)
    for c in range(flags.shape[1]):
        true, n = flags[:, c].sum(), len(flags)
        target = np.where(flags[:, c], (true + 1) / (true + 2), 1 / (n - true + 2))

        def loss(x, s=scores[:, c], t=target):
            at = x[0] * s + x[1]
            return (np.logaddexp(0, at) - t * at).sum()

        best = minimize(loss, [1.0, 0.0], method="Nelder-Mead", options={"maxiter": 2000})
        assert loss([slope[c], offset[c]]) <= best.fun + 1e-3 * abs(best.fun)
