"""What a call may take: work, which is counted, and time, as a backstop.

Work is counted in steps of the innermost loops, so that a verdict is the same on any machine, busy
or not: a thousand steps are one unit, which takes about a millisecond. Where a call takes longer
than its caller is willing to wait all the same, it ends by `TimeLimit`, and its verdict says so.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf

__all__ = [
    "STEPS",
    "Budget",
    "TimeLimit",
    "TooLarge",
    "WorkLimit",
    "allowance",
    "budget",
    "check",
    "collecting_rarely",
    "countdown",
    "expanding",
    "left",
    "multiply",
    "spend",
    "within",
]

#: How many steps are one unit of work; after how many the time is looked at.
STEPS, BETWEEN = 1000, 50_000
#: After how many new objects garbage is looked for where most of what is made is kept.
COLLECTED = 50_000, 50, 100


class TimeLimit(Exception):
    """The time of a call is over. No fault of the program's: whoever set the limit catches it."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"the time limit of {seconds:g} s was reached (--timeout); "
            "more may be decided with more time"
        )


class WorkLimit(Exception):
    """All the work that was allowed is done. Whoever set the limit catches it."""


class TooLarge(WorkLimit):
    """The polynomials of a claim have too many terms."""

    def __init__(self, units: float) -> None:
        super().__init__(
            f"its polynomials are too large: more than {units * STEPS:.0f} products of terms, "
            "the limit for one claim"
        )


class Budget:
    """Work that is counted, with a limit in units."""

    def __init__(self, units: float = inf) -> None:
        self._limit: float = units * STEPS
        self._done = 0
        self._look = BETWEEN

    def spend(self, steps: int) -> None:
        """Count steps; those that go beyond the limit are the last.

        Errors: WorkLimit when the limit was reached before, TimeLimit when the time is over.
        """
        if self._done >= self._limit:
            raise WorkLimit
        self._done += steps
        if self._done >= self._look:
            self._look = self._done + BETWEEN
            check()

    @property
    def done(self) -> int:
        """The units that were done, rounded up."""
        return -(-self._done // STEPS)

    @property
    def steps(self) -> int:
        """The steps that were done."""
        return self._done

    @property
    def left(self) -> float:
        """The units that are left."""
        return max(0.0, (self._limit - self._done) / STEPS)


#: When the time is over, on the clock of `time.monotonic`, and of how many seconds it was.
_end: ContextVar[tuple[float, float]] = ContextVar("end", default=(inf, inf))
_work: ContextVar[Budget] = ContextVar("work", default=Budget())  # noqa: B039 (it has no limit)


@contextmanager
def budget(units: float) -> Iterator[Budget]:
    """Limit the work of a block, which counts for the block around, too.

    >>> with budget(2) as work:
    ...     spend(1500)
    >>> work.done, work.left
    (2, 0.5)
    >>> with budget(1):
    ...     for _ in range(3):
    ...         spend(500)
    Traceback (most recent call last):
    symcute.expr.limits.WorkLimit
    """
    outer = _work.get()
    mine = Budget(min(units, outer.left))
    token = _work.set(mine)
    try:
        yield mine
    finally:
        _work.reset(token)
        outer._done += mine._done


def spend(steps: int) -> None:
    """Count steps of the block around.

    Errors: WorkLimit when its limit was reached before, TimeLimit when its time is over.
    """
    work = _work.get()  # as `Budget.spend`, which a call would make dear: it is done everywhere
    if work._done >= work._limit:
        raise WorkLimit
    work._done += steps
    if work._done >= work._look:
        work._look = work._done + BETWEEN
        check()


def allowance() -> float:
    """Return how many units the block around may still do.

    >>> allowance()
    inf
    """
    return _work.get().left


#: How many units of products polynomials may still take, and of how many.
_products: ContextVar[tuple[Budget, float] | None] = ContextVar("products", default=None)


@contextmanager
def expanding(units: float, *, anew: bool = False) -> Iterator[None]:
    """Limit the products of terms in a block; those of a block inside count too, unless `anew`.

    >>> with expanding(1):
    ...     multiply(1500)
    ...     multiply(1)
    Traceback (most recent call last):
    symcute.expr.limits.TooLarge: its polynomials are too large: more than 1000 products ...
    """
    outer = None if anew else _products.get()
    mine = Budget(units if outer is None else min(units, outer[0].left))
    token = _products.set((mine, units))
    try:
        yield
    finally:
        _products.reset(token)
        if outer is not None:
            outer[0]._done += mine._done


def multiply(products: int) -> None:
    """Count products of terms. Errors: TooLarge beyond the limit, TimeLimit."""
    meter = _products.get()
    if meter is not None:
        try:
            meter[0].spend(products)
        except WorkLimit:
            raise TooLarge(meter[1]) from None


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Limit the time of a block; within a block that ends sooner, its limit stays.

    >>> with within(60):
    ...     59 < left() <= 60
    True
    """
    mine = (time.monotonic() + seconds, seconds)
    token = _end.set(min(mine, _end.get()))
    try:
        yield
    finally:
        _end.reset(token)


def countdown(seconds: float) -> Callable[[], float]:
    """Return what says how many of the seconds from now on are left.

    >>> 59 < countdown(60)() <= 60
    True
    """
    end = time.monotonic() + seconds
    return lambda: max(0.0, end - time.monotonic())


def left() -> float:
    """Return the seconds that are left, infinite where nobody set a limit.

    >>> left()
    inf
    """
    return max(0.0, _end.get()[0] - time.monotonic())


def check() -> None:
    """Raise `TimeLimit` when the time is over.

    >>> with within(0):
    ...     check()
    Traceback (most recent call last):
    symcute.expr.limits.TimeLimit: the time limit of 0 s was reached (--timeout); more may ...
    """
    end, seconds = _end.get()
    if time.monotonic() >= end:
        raise TimeLimit(seconds)


@contextmanager
def collecting_rarely() -> Iterator[None]:
    """Look for garbage in circles less often in a block: terms and programs have none.

    Looking through all that is kept would take a quarter of the time.

    >>> before = gc.get_threshold()
    >>> with collecting_rarely():
    ...     gc.get_threshold() == COLLECTED
    True
    >>> gc.get_threshold() == before
    True
    """
    before = gc.get_threshold()
    if not 0 < before[0] < COLLECTED[0]:  # a block around has set it, or nobody is to look
        yield
        return
    gc.set_threshold(*COLLECTED)
    try:
        yield
    finally:
        if gc.get_threshold() == COLLECTED:  # nobody has set another one inside
            gc.set_threshold(*before)
