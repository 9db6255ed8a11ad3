"""Counterexamples as lines of Python that one can paste."""

from symcute.report.pasting.writing import call_lines

__all__ = ["call_lines"]
