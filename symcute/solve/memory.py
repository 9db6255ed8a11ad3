"""What was found out under some hypotheses, so that the same is not looked for twice.

To ask again counts as work what it counted at first, done or not: what others have left, and so
every verdict, is the same whatever was asked before.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from functools import lru_cache
from typing import Any, TypeVar

from symcute.expr import limits
from symcute.expr.node import Term

__all__ = ["Memory", "memory"]

#: Of how many hypotheses it is remembered what was asked under them.
KEPT = 1 << 12
T = TypeVar("T")


class Memory:
    """Answers with the steps that they took, and what had too little work: how much, and done."""

    def __init__(self) -> None:
        self._told: dict[Hashable, tuple[Any, int]] = {}
        self._short: dict[Hashable, tuple[float, int]] = {}

    def recall(self, key: Hashable, road: Callable[[], T]) -> T:
        """Return what a road comes to, which is taken once, unless there is more work for it now.

        Pre-conditions: what it comes to hangs on the key and the hypotheses alone.
        Errors: WorkLimit, where the work of the block around is done, or would be.

        >>> def road():
        ...     print("taken")
        ...     limits.spend(1500)
        ...     return 7
        >>> known = Memory()
        >>> known.recall("it", road), known.recall("it", road)
        taken
        (7, 7)
        >>> with limits.budget(1) as work:
        ...     known.recall("it", road)
        Traceback (most recent call last):
        symcute.expr.limits.WorkLimit
        >>> work.done
        1
        """
        left = limits.allowance()
        told, short = self._told.get(key), self._short.get(key)
        if told is not None:
            known: T = told[0]
            steps = told[1]
            if steps > left * limits.STEPS:
                _give_up(left, steps)
            if steps:
                limits.spend(steps)
            return known
        if short is not None and left <= short[0]:
            _give_up(left, short[1])
        with limits.budget(left) as work:
            try:
                found = road()
            except limits.TooLarge:
                raise  # of which there may be more elsewhere
            except limits.WorkLimit:
                self._short[key] = left, work.steps
                raise
        self._told[key] = found, work.steps
        return found


def _give_up(left: float, steps: int) -> None:
    """Count what would be done, and no more than is left."""
    limits.spend(min(steps, int(left * limits.STEPS)))
    raise limits.WorkLimit


@lru_cache(maxsize=KEPT)
def memory(hypotheses: tuple[Term, ...], dims: Collection[str]) -> Memory:
    """Return what is remembered of hypotheses."""
    return Memory()
