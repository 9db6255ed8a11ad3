"""What a generic thread holds at a point of the program: values, the path to it, open barriers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeAlias

from symcute.expr import terms
from symcute.expr.node import Node, Term
from symcute.expr.ranges import Ranges
from symcute.kernel.access_map import Access
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Int

__all__ = [
    "NOTHING",
    "Address",
    "Arrived",
    "Flight",
    "Name",
    "Needs",
    "Option",
    "Origin",
    "Path",
    "Start",
    "State",
    "SymbolicValue",
    "Value",
]

#: Computations by number; groups of computations that are not known yet below 0.
Needs: TypeAlias = frozenset[int]
NOTHING: Needs = frozenset()


@dataclass(frozen=True, slots=True)
class Origin:
    """The operation behind a value that its type may not hold.

    `meant`: the programmer wrote a conversion, or numbers alone, so that what is cut off is meant.
    """

    type: Int
    place: Place
    conversion: bool = False
    meant: bool = False


@dataclass(frozen=True, slots=True)
class Value:
    """An integer, or a truth for a bool.

    The machine has `term` where nothing in `needs` wraps. It has something congruent to `term`,
    modulo 2 to the bits of the type, where nothing in `low` wraps. `seen` is all that was computed
    on the way.

    A value with `origins` is one that nothing has used yet: the machine has what is congruent to
    `term` in their type, and whether that is `term` itself is asked where it is used. So sums and
    products may leave the type on the way, as long as they come back.
    """

    term: Term
    needs: Needs = NOTHING
    low: Needs = NOTHING
    seen: Needs = NOTHING
    origins: tuple[Origin, ...] = ()

    @property
    def wraps(self) -> bool:
        """Whether the machine has another number than `term` where the type does not hold that."""
        return bool(self.origins) and all(o.meant for o in self.origins)

    def resting_on(self, needs: Needs) -> Value:
        """Return the value when it rests on more."""
        if needs <= self.low:
            return self
        return replace(self, needs=self.needs | needs, low=self.low | needs, seen=self.seen | needs)


@dataclass(frozen=True, slots=True)
class Option:
    """A place that a pointer may have: bytes into an array (None: no array that is known)."""

    array: str | None
    offset: Term = 0
    when: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Address:
    """A pointer: at least one of the options whose conditions hold is where it points."""

    options: tuple[Option, ...]
    needs: Needs = NOTHING
    seen: Needs = NOTHING

    def resting_on(self, needs: Needs) -> Address:
        """Return the pointer when it rests on more."""
        return replace(self, needs=self.needs | needs, seen=self.seen | needs)


#: A variable, or a place of private memory: array, byte, width.
Name: TypeAlias = str | tuple[str, int, int]
#: What a variable holds.
SymbolicValue: TypeAlias = Value | Address


@dataclass(frozen=True, slots=True)
class Start:
    """A barrier since which no other may have come, for a block or a `warp`; see `Phase`."""

    event: int
    rounds: tuple[tuple[str, Term], ...] = ()
    when: tuple[Term, ...] = ()
    warp: bool = False


@dataclass(frozen=True, slots=True)
class Path:
    """The way to a point: all of `guards` hold there.

    That they do rests on `needs`; that the loops before it end, on `ends`. `exact`: and it is
    reached wherever they hold. `lost`: other threads of the block may have left the loop around it,
    or the kernel, in earlier rounds, which the guards do not show.
    """

    guards: tuple[Term, ...]
    known: Ranges
    needs: Needs = NOTHING
    exact: bool = True
    lost: bool = False
    before: tuple[Path, ...] = ()  # the path before each of the guards
    closed: bool = False  # the guards contradict each other
    ends: Needs = NOTHING

    def under(self, truth: Term, needs: Needs = NOTHING) -> Path | None:
        """Return the path where a truth holds as well, None where no machine gets to.

        A machine on which something wraps may get to where the guards cannot all hold: a path that
        is closed by what rests on computations goes on, with guards that contradict each other.
        """
        decided = self.decides(truth)
        if decided is True:  # of the integers; whether of the machine rests on what was computed
            if needs <= self.needs:
                return self
            # A guard that says nothing, so that it is seen where the other way comes in again.
            guards, before = (*self.guards, True), (*self.before, self)
            return replace(self, guards=guards, needs=self.needs | needs, before=before)
        closed = decided is False or self.known.excludes(truth)
        if closed and not needs and (not self.needs or self.sure.decides(truth) is False):
            return None
        return replace(
            self,
            guards=(*self.guards, truth),
            known=self.known if closed else self.known.narrowed(truth),
            needs=self.needs | needs,
            before=(*self.before, self),
            closed=self.closed or closed,
        )

    @property
    def sure(self) -> Ranges:
        """What is known on every path."""
        return self.known.sure

    def decides(self, truth: Term) -> bool | None:
        """Return whether a truth holds on this path, where that is easily seen."""
        found = self.known.decides(truth)
        if found is None and isinstance(truth, Node):
            if truth in self.guards:
                return True
            if terms.negate(truth) in self.guards:
                return False
        return found


@dataclass(frozen=True, slots=True)
class Flight:
    """A late access that began where `guards` hold, resting on `needs`, and may still happen.

    `age` is how many groups at least are behind its own; -1 where it is in none.
    """

    access: Access
    guards: tuple[Term, ...]
    needs: Needs
    age: int = -1

    @property
    def begun(self) -> object:
        """What it is, whatever its age."""
        return self.access, self.guards, self.needs


@dataclass(frozen=True, slots=True)
class Arrived:
    """The last arrival at a barrier that counts: its event, where that barrier is, the token.

    Behind `guards`, in the loops `around`; before it one of the barriers of `starts` was the last.
    """

    event: int
    held: tuple[str, Term]
    token: Term
    guards: tuple[Term, ...]
    around: tuple[str, ...]
    starts: tuple[Start, ...]


@dataclass(slots=True)
class State:
    """A point of the program, for one thread.

    `env` holds variables by name, and what is known of private memory by (array, byte, width);
    `flights` are all late accesses that may not have happened; `arrived` is an arrival that is not
    awaited yet, if that is known.
    """

    path: Path
    env: dict[Name, SymbolicValue] = field(default_factory=dict)
    starts: tuple[Start, ...] = (Start(-1),)
    flights: tuple[Flight, ...] = ()
    arrived: Arrived | None = None

    def at(self, path: Path) -> State:
        """Return a copy that is on another path."""
        return State(path, dict(self.env), self.starts, self.flights, self.arrived)
