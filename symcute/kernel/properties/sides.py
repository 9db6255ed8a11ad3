"""What two accesses that may meet are told apart by: the access of a thread, and orders of both."""

from __future__ import annotations

from dataclasses import dataclass

from symcute.expr.node import Term
from symcute.kernel.access_map import Access

__all__ = ["ANY", "BLOCKS", "THREADS", "Order", "Side"]

#: The coordinates of threads in a block, and of blocks.
THREADS, BLOCKS = ("tx", "ty", "tz"), ("bx", "by", "bz")
#: The threads that make the two accesses may be one.
ANY = "any threads"


@dataclass(frozen=True)
class Side:
    """An access by one of the two threads, and terms for names that stand for something else.

    `terms` gives the round of a loop that this thread may be ahead of the other.
    """

    access: Access
    terms: tuple[tuple[str, Term], ...] = ()


@dataclass(frozen=True)
class Order:
    """The terms of the two threads that are equal, and those that are at most, for an order."""

    equal: tuple[tuple[Term, Term], ...]
    at_most: tuple[Term, Term]
    back: bool = False  # the second thread's is at most the first one's
