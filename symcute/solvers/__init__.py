"""SMT-LIB text in, sat, unsat or unknown out; each solver in a process that can be killed."""

from __future__ import annotations

from symcute.solvers.answer import Answer
from symcute.solvers.pool import SolverPool, available, solve, version

__all__ = ["Answer", "SolverPool", "available", "solve", "version"]
