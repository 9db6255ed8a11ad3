"""Obligations: how a relation between leaves is proved by polynomials, written for the checker."""

from symcute.solve.obligations.definitions import ways
from symcute.solve.obligations.engine import By, harder, plain
from symcute.solve.obligations.handelman import Work
from symcute.solve.obligations.parametrisation import NoValue, Parametrisation
from symcute.solve.obligations.pool import Pool

__all__ = ["By", "NoValue", "Parametrisation", "Pool", "Work", "harder", "plain", "ways"]
