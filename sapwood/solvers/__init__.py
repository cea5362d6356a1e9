"""Pure mathematics: arrays in, arrays out."""

from sapwood.solvers.blocks import map_blocks, worker_count
from sapwood.solvers.chebyshev import solve_shifted
from sapwood.solvers.eigen import Eigen, largest_eigenpairs, symmetric_eigen
from sapwood.solvers.l1_quadratic import minimise_l1_quadratic
from sapwood.solvers.prox import soft_threshold
from sapwood.solvers.result import SolverResult
from sapwood.solvers.sylvester import solve_sylvester

__all__ = [
    "Eigen",
    "SolverResult",
    "largest_eigenpairs",
    "map_blocks",
    "minimise_l1_quadratic",
    "soft_threshold",
    "solve_shifted",
    "solve_sylvester",
    "symmetric_eigen",
    "worker_count",
]
