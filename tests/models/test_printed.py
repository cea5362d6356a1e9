import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from sapwood.graph import affinity_matrix, laplacian, nearest_neighbors, spectral_basis
from sapwood.models.printed import Printed, solve_printed
from sapwood.projection import proposition_bounds

PROBLEMS = 200


def random_problem(seed):
    rng = np.random.default_rng(seed)
    n, d, k = int(rng.integers(12, 40)), int(rng.integers(2, 12)), int(rng.integers(2, 9))
    X = rng.standard_normal((n, d))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    A = affinity_matrix(*nearest_neighbors(X, int(rng.integers(3, 8))))
    basis = spectral_basis(A, int(rng.integers(8, n)))
    Y_given = rng.random((n, k)) * (rng.random((n, 1)) < 0.4)
    Y_given[0] = rng.random(k)
    lambdas = dict(
        zip(("lambda1", "lambda2", "lambda3", "lambda4"), 10 ** rng.uniform(-4, 1, 4), strict=True)
    )
    penalty = ("double-l1", "single-l1", "no-l1")[seed % 3]
    return rng, A, Printed(X, Y_given, basis, penalty=penalty, **lambdas)


def printed_objective(problem, state, spectrum):
    """Eq. 3 from W, Y and Ỹ alone, with B = Σ^½ Vᵀ from a dense spectrum of L."""
    values, V = spectrum
    # The null space is exact in ours; the root of its rounding error would not be small.
    B = np.sqrt(np.where(values > 1e-12, values, 0))[:, None] * V.T
    Y, W, X = state.Y, state.W, problem.X
    smooth = np.abs(B @ state.Y_smooth).sum()
    if problem.penalty != "double-l1":
        smooth = np.linalg.norm(B @ state.Y_smooth) ** 2
    return (
        np.linalg.norm(Y - state.Y_smooth) ** 2
        + problem.lambda1 * smooth
        + problem.lambda2 * np.abs(Y - problem.Y_given).sum()
        + problem.lambda3
        * (
            np.linalg.norm(X @ W.T - Y) ** 2
            + np.linalg.norm(X - Y @ W) ** 2
            + problem.lambda4 * np.linalg.norm(W) ** 2
        )
    )


@pytest.mark.parametrize("seed", range(PROBLEMS))
def test_the_printed_objective_never_increases_and_the_propositions_hold(seed):
    rng, A, problem = random_problem(seed)
    spectrum = np.linalg.eigh(laplacian(A).toarray())
    states = list(problem.iterate(4))[1:]
    # Degenerate eigenvalues let two decompositions of L differ, and the L1 norm with them.
    distinct = np.diff(spectrum[0]).min() > 1e-9
    if distinct or problem.penalty != "double-l1":
        ours = [state.objective for state in states]
        theirs = [printed_objective(problem, state, spectrum) for state in states]
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-9)
        assert (np.diff(theirs) <= 1e-6 * np.abs(theirs[:-1]) + 1e-12).all()
    assert (np.diff([s.objective for s in states]) <= 1e-9 * states[0].objective).all()
    check_propositions(rng, problem, states[-1])


def check_propositions(rng, problem, state):
    X_norm, C1 = np.linalg.norm(problem.X), problem.attribute_bound()
    if problem.lambda2 == 0:
        # Proposition 1 has no M there; Proposition 2 holds for any bound on Y, such as its norm.
        assert np.inf == C1
        C1 = np.linalg.norm(state.Y)
    bounds = proposition_bounds(C1, X_norm, problem.lambda4)
    assert np.linalg.norm(state.Y) <= bounds.C1
    assert np.linalg.norm(state.W) <= bounds.C2
    delta = 10 ** rng.uniform(-4, 1) * rng.standard_normal(state.Y.shape)
    moved = problem.project(state.Y + delta) - problem.project(state.Y)
    assert np.linalg.norm(moved) <= bounds.change_of_projection(delta)


def test_most_problems_are_drawn_where_the_comparison_is_made():
    gaps = [
        np.diff(np.linalg.eigvalsh(laplacian(random_problem(s)[1]).toarray())) for s in range(60)
    ]
    assert np.mean([gap.min() > 1e-9 for gap in gaps]) > 0.8


@pytest.mark.parametrize("steps", ["bpl", "sap1+bpl", "sap1+sap2+bpl"])
def test_the_ablations_are_what_they_say(steps):
    _, _, full = random_problem(0)
    problem = Printed(full.X, full.Y_given, full.basis, steps=steps)
    states = list(problem.iterate(3))
    if steps == "bpl":
        assert [s.step for s in states] == ["start"]
    elif steps == "sap1+bpl":
        np.testing.assert_array_equal(states[-1].Y, states[-1].Y_smooth)
    else:
        assert not np.allclose(states[-1].Y, states[-1].Y_smooth)
    np.testing.assert_allclose(states[-1].W, problem.project(states[-1].Y))


def test_it_stops_when_nothing_changes_and_warns_when_it_is_stopped():
    _, _, problem = random_problem(0)
    solution = solve_printed(problem, max_iter=5000, tol=1e-3)
    last = solution.trace[-1]
    assert len(solution.trace) < 5000
    assert last["delta_W"] <= 1e-3
    assert {"objective_sap1", "objective_sap2", "objective", "residual"} <= set(last)
    with pytest.warns(ConvergenceWarning, match="stopped after 2 iterations while W still changed"):
        solve_printed(problem, max_iter=2, tol=1e-12)
