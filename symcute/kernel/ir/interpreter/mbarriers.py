"""mbarriers in an execution: phases, and what came before what by them.

Each thread counts the points at which others may learn of it: a release is one more of them. It
has seen so many of each thread of its block. An arrival hands on all that its thread has seen, and
a phase that is over all that its arrivals handed on, to those who waited for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from symcute.kernel.ir.interpreter.memory import Room

__all__ = ["Bar", "Stamp", "is_before"]

#: The most arrivals that a phase may wait for (PTX ISA, mbarrier: valid counts).
MOST = (1 << 20) - 1


class Stamp(NamedTuple):
    """When a thread was somewhere: its number in the block, its points, and those it has seen."""

    number: int
    points: int
    seen: tuple[int, ...]

    def joined(self, others: Iterable[tuple[int, ...]]) -> Stamp:
        """Return the stamp when more was seen."""
        return self._replace(seen=tuple(map(max, zip(self.seen, *others, strict=True))))

    def released(self) -> Stamp:
        """Return the stamp behind a release, which is seen by the thread itself."""
        mine = self.points + 1
        seen = (*self.seen[: self.number], mine, *self.seen[self.number + 1 :])
        return Stamp(self.number, mine, seen)


def is_before(a: Stamp | None, b: Stamp | None) -> bool:
    """Return whether what was done at a is known at b, by what b's thread has seen."""
    return a is not None and b is not None and b.seen[a.number] > a.points


@dataclass(eq=False, slots=True)
class Bar:
    """An mbarrier: how many arrivals end a phase, how many phases are over, who has arrived.

    `bytes` are those that this phase waits for besides.
    """

    room: Room
    count: int
    phases: int = 0
    arrived: int = 0
    bytes: int = 0
    handed: tuple[int, ...] = ()
    known: tuple[int, ...] = ()

    def take(self, stamp: Stamp, arrivals: int, bytes: int) -> None:
        """Take arrivals, and wait for so many bytes more, or less; the last of a phase ends it."""
        self.handed = tuple(map(max, zip(self.handed or stamp.seen, stamp.seen, strict=True)))
        self.arrived, self.bytes = self.arrived + arrivals, self.bytes + bytes
        if self.arrived == self.count and not self.bytes:
            self.phases, self.arrived, self.known = self.phases + 1, 0, self.handed
