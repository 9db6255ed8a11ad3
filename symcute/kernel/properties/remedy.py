"""What would have to be assumed: the largest bound of a dim or of a product that proves a goal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from symcute.expr import limits
from symcute.expr.node import Term
from symcute.expr.terms import at_most, mul, show

__all__ = ["bound_for"]

#: The least bound that is worth saying, the largest that is tried, and the work that is done.
LEAST, MAX_BITS, WORK = 17, 40, 1500


def bound_for(
    proves: Callable[[Term], bool], dims: frozenset[str], least: Callable[[Term], int]
) -> str:
    """Return the weakest `dim <= number` found under which a goal is proved, or nothing.

    Powers of two come first, then what the work allows between two of them.

    `proves` decides the goal under an assumption more; `least` is how large a term is at the
    smallest instance, below which a bound would leave none.

    >>> bound_for(lambda t: t.args[1] <= 1000, frozenset(["N"]), lambda t: 1)
    'N <= 1000'
    """
    best = ""
    try:
        with limits.budget(WORK):
            for term in _candidates(dims):
                for low in _bounds(proves, term, max(least(term), LEAST)):
                    best = show(at_most(term, low)) if low < 1 << MAX_BITS - 1 else ""
                if best:
                    break
    except (limits.WorkLimit, limits.TimeLimit):
        pass
    return best


def _bounds(proves: Callable[[Term], bool], term: Term, low: int) -> Iterator[int]:
    """Yield larger and larger bounds of a term that prove a goal, where the least does."""
    if not proves(at_most(term, low)):
        return
    yield low
    high = 1 << low.bit_length()
    while high < 1 << MAX_BITS and proves(at_most(term, high)):
        yield high
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if proves(at_most(term, middle)):
            low = middle
            yield low
        else:
            high = middle


def _candidates(dims: frozenset[str]) -> Iterator[Term]:
    yield from sorted(dims)
    for a, b in combinations(sorted(dims), 2):
        yield mul(a, b)
