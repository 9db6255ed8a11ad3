"""SMT-LIB text in, sat, unsat or unknown out; each solver in a process that can be killed."""

from __future__ import annotations

from symcute.solve.solvers.answer import Answer, is_mishap
from symcute.solve.solvers.pool import SolverPool, available, solve, version
from symcute.solve.solvers.portfolio import portfolio
from symcute.solve.workers.serve import MEMORY_REASON

__all__ = [
    "MEMORY_REASON",
    "Answer",
    "SolverPool",
    "available",
    "is_mishap",
    "portfolio",
    "solve",
    "version",
]
