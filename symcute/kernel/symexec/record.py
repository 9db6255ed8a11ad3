"""What is written down of an execution: variables, points to go back to, and what rests on what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from symcute.expr.node import Term
from symcute.kernel.access_map import (
    Access,
    BarrierEvent,
    Computation,
    Fenced,
    Promised,
    Unsupported,
    Variable,
)
from symcute.kernel.symexec.state import Needs, Path, Start

__all__ = ["Closures", "Finished", "Mark", "Met", "Quantity"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A variable, and what bounds it.

    `bounds` hold wherever the guards of `home` do; there is always a value that meets `always`.
    `depends`: the value is a function of these names alone (None: of anything). `before` is what it
    was until a point in time, `since`: what is said of it later may hold for those threads alone
    that come so far.
    """

    variable: Variable
    always: tuple[Term, ...] = ()
    bounds: tuple[Term, ...] = ()
    home: tuple[Term, ...] = ()
    depends: frozenset[str] | None = None
    before: Quantity | None = None
    since: int = 0


class Met(NamedTuple):
    """Where something is met: on a path, at a time, since barriers."""

    path: Path
    time: int
    starts: tuple[Start, ...] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """A point of the record to go back to."""

    quantities: int
    accesses: int
    computations: int
    events: int
    unsupported: int
    groups: int
    tests: int
    promises: int
    landings: int
    overtaken: int
    fences: int


class Finished(NamedTuple):
    """What was written down, as access maps have it."""

    accesses: tuple[Access, ...]
    computations: tuple[Computation, ...]
    events: tuple[BarrierEvent, ...]
    unsupported: tuple[Unsupported, ...]
    promises: tuple[Promised, ...]
    landings: tuple[Access, ...]
    overtaken: tuple[tuple[Access, Access], ...]
    fences: tuple[Fenced, ...]


class Closures:
    """What each computation or group rests on, followed to the end."""

    def __init__(self, computations: list[Computation], groups: list[Needs]) -> None:
        self._next = {n: c.needs for n, c in enumerate(computations)}
        self._next |= {-n - 1: needs for n, needs in enumerate(groups)}
        self._found: dict[int, frozenset[int]] = {}

    def __call__(self, start: int) -> frozenset[int]:
        """Return the computations that one rests on, itself among them."""
        found = self._found.get(start)
        if found is None:
            seen = {start}
            todo = [start]
            while todo:
                for n in self._next[todo.pop()]:
                    if n not in seen:
                        seen.add(n)
                        if n in self._found:
                            seen |= self._found[n]
                        else:
                            todo.append(n)
            found = self._found[start] = frozenset(n for n in seen if n >= 0)
        return found
