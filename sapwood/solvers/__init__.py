"""Pure mathematics: arrays in, arrays out."""

from sapwood.solvers.blocks import map_blocks, worker_count
from sapwood.solvers.eigen import Eigen, largest_eigenpairs, symmetric_eigen
from sapwood.solvers.l1_quadratic import minimise_l1_quadratic
from sapwood.solvers.neumann import solve_nonnegative
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
    "solve_nonnegative",
    "solve_sylvester",
    "symmetric_eigen",
    "worker_count",
]
