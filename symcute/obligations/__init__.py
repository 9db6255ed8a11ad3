"""Obligations: how a relation between leaves is proved by polynomials, written for the checker."""

from symcute.obligations.definitions import ways
from symcute.obligations.engine import By, harder, plain
from symcute.obligations.handelman import Work
from symcute.obligations.pool import Pool
from symcute.obligations.way import NoValue, Way

__all__ = ["By", "NoValue", "Pool", "Way", "Work", "harder", "plain", "ways"]
