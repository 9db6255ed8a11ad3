"""What would have to be assumed: the largest bound of a dim or of a product that proves a goal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from symcute.access.access_map import Term
from symcute.access.properties.obligations import Clock
from symcute.access.terms import at_most, mul, show

__all__ = ["bound_for"]

#: The largest bound that is tried, and the seconds that are spent.
MAX_BITS, SECONDS = 40, 1.5


def bound_for(
    proves: Callable[[Term], bool], dims: frozenset[str], least: Callable[[Term], int]
) -> str:
    """Return the weakest `dim <= number` found under which a goal is proved, or nothing.

    Powers of two come first, then what the time allows between two of them.

    `proves` decides the goal under an assumption more; `least` is how large a term is at the
    smallest instance, below which a bound would leave none.

    >>> bound_for(lambda t: t[2] <= 1000, frozenset(["N"]), lambda t: 1)
    'N <= 1000'
    """
    clock = Clock(SECONDS)
    for term in _candidates(dims):
        low = max(least(term), 1) - 1
        if clock.left() == 0 or not proves(at_most(term, low + 1)):
            continue
        low, high = low + 1, 1 << (low + 1).bit_length()
        while high < 1 << MAX_BITS and clock.left() > 0 and proves(at_most(term, high)):
            low, high = high, 2 * high
        while high - low > 1 and clock.left() > 0:
            middle = (low + high) // 2
            low, high = (middle, high) if proves(at_most(term, middle)) else (low, middle)
        if 16 < low < 1 << MAX_BITS - 1:
            return show(at_most(term, low))
    return ""


def _candidates(dims: frozenset[str]) -> Iterator[Term]:
    yield from sorted(dims)
    for a, b in combinations(sorted(dims), 2):
        yield mul(a, b)
