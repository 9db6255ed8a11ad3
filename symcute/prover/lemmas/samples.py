"""Instances at which a suggestion is tried before anything is proved."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from symcute.errors import InputError
from symcute.expr.formula import eq
from symcute.expr.polynomial import ONE, is_constant
from symcute.expr.ratio import Ratio, evaluate_ratio
from symcute.solve.entailment import Entailment

__all__ = ["Samples", "Values", "number"]

#: The values of a leaf, one an instance.
Values: TypeAlias = tuple[int, ...]


class Samples:
    """A few instances that meet the assumptions, and what leaves are there.

    What holds at all of them is worth proving, what fails at one is not. With no instance at all
    everything is worth trying.
    """

    def __init__(self, known: Entailment, names: Iterable[str]) -> None:
        self.known = known
        self.points = known.samples(names)
        self._values: dict[Ratio, Values | None] = {}

    def __len__(self) -> int:
        """Return the number of instances."""
        return len(self.points)

    def of(self, leaf: Ratio) -> Values | None:
        """Return the values of a leaf; None when it is not an integer everywhere."""
        constant = number(leaf)
        if constant is not None:
            return (constant,) * len(self.points)
        if leaf not in self._values:
            try:
                found = tuple([evaluate_ratio(leaf, at) for at in self.points])
            except InputError:
                found = None
            self._values[leaf] = found
        return self._values[leaf]

    def least(self, leaf: Ratio) -> int:
        """Return the smallest value of a leaf; what is no integer, and no sample, counts as 0."""
        return min(self.of(leaf) or (0,))

    def all(self, leaf: Ratio, value: int) -> bool:
        """Return whether a leaf has this value at every instance, and there is one to look at."""
        constant = number(leaf)
        if constant is not None:
            return constant == value
        found = self.of(leaf)
        return bool(found) and all(x == value for x in found or ())

    def surely(self, leaf: Ratio) -> bool:
        """Return whether a leaf is 0 for all dims, by polynomials; samples save the asking."""
        if not leaf.num:
            return True
        return self.all(leaf, 0) and self.known.proves(eq(leaf, 0), solver=False)


def number(leaf: Ratio) -> int | None:
    """Return the value of a leaf that is a number, else None."""
    return is_constant(leaf.num) if leaf.den == ONE else None
