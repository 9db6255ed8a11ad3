"""What executions of a kernel show: an event is one thing that goes wrong, and where."""

from __future__ import annotations

from dataclasses import dataclass, field

from symcute.kernel.access_map import Access
from symcute.kernel.findings import Example
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Int

__all__ = ["CONVERTED", "Event", "Execution"]

#: What is said of a number that a conversion loses, between it and what is left.
CONVERTED = "is converted to"


@dataclass(frozen=True)
class Event:
    """Something that goes wrong: the property, the places it is about, and the example.

    `certain`: it may happen on a machine; otherwise `why_not` says what was made up.
    """

    property: str
    places: frozenset[Place]
    example: Example
    certain: bool
    why_not: str = ""
    access: Access | None = None  # the one that it is about, where a place does not say
    kinds: frozenset[str] = frozenset()  # of the accesses
    wrap: tuple[Int, bool] | None = None  # the type, and whether it is a conversion
    array: str = ""  # that is to be covered

    def key(self) -> object:
        """Return what is the same of an event in several executions."""
        return self.property, self.places, self.kinds, self.alone(), self.wrap, self.access

    def alone(self) -> bool:
        """Whether one thread meets what it does itself."""
        x = self.example
        return x.other is not None and x.other[:2] == (x.block, x.thread)


@dataclass
class Execution:
    """A run: what went wrong, and whether it was cut off where more steps would show more.

    Of one that is `unordered` nobody knows which accesses race.
    """

    events: list[Event] = field(default_factory=list)
    cut: bool = False
    unordered: bool = False
