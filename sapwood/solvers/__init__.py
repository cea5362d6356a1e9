"""Pure mathematics: arrays in, arrays out."""

from sapwood.solvers.blocks import map_blocks, worker_count
from sapwood.solvers.eigen import Eigen, largest_eigenpairs, scatter_eigen, symmetric_eigen
from sapwood.solvers.l1_quadratic import minimise_l1_quadratic
from sapwood.solvers.neumann import Factored, solve_nonnegative
from sapwood.solvers.prox import soft_threshold
from sapwood.solvers.result import SolverResult
from sapwood.solvers.rows import Rows, as_floats, rows_at_a_time
from sapwood.solvers.sigmoid import fit_sigmoids
from sapwood.solvers.squared_hinge import minimise_squared_hinge, second_moment
from sapwood.solvers.sylvester import solve_sylvester

__all__ = [
    "Eigen",
    "Factored",
    "Rows",
    "SolverResult",
    "as_floats",
    "fit_sigmoids",
    "largest_eigenpairs",
    "map_blocks",
    "minimise_l1_quadratic",
    "minimise_squared_hinge",
    "rows_at_a_time",
    "scatter_eigen",
    "second_moment",
    "soft_threshold",
    "solve_nonnegative",
    "solve_sylvester",
    "symmetric_eigen",
    "worker_count",
]
