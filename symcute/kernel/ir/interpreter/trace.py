"""What an execution of a kernel left behind: its accesses, and all that went wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from symcute.kernel.ir.interpreter.mbarriers import Stamp
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Int
from symcute.kernel.ir.semantics import atomic_to

__all__ = ["Coordinate", "Divergence", "Fault", "Race", "Rounds", "Touch", "Trace", "Wrap"]

#: Three numbers as in `threadIdx`: x, y, z.
Coordinate = tuple[int, int, int]
#: The loops around a statement, from outside in, and how often each has gone round before.
Rounds = tuple[tuple[str, int], ...]


class Touch(NamedTuple):
    """One access of one thread. Two of one thread are in the order of the trace."""

    array: str
    kind: str  # "read", "write", "atomic"
    offset: int  # in bytes from the start of the array; may be outside
    width: int
    block: Coordinate
    thread: Coordinate
    epoch: int  # how many barriers the block has passed
    warp: tuple[int, int]  # the warp's number in the block, how many barriers of its own it passed
    rounds: Rounds
    place: Place
    value: int | None = None  # what was written, where it is a known integer
    grid: int = 0  # how many barriers of the whole grid were passed
    scope: str = ""  # of an atomic access, as in programs
    unit: int = 0
    late: bool = False  # it happens then or later, until its thread waits
    stamp: Stamp | None = None  # where mbarriers order threads: what this one has seen
    moves: int = 0  # behind how many moves of elements, each of which may order the block


@dataclass(frozen=True, slots=True)
class Wrap:
    """A result that its type does not hold: the first one of an expression.

    `exact` is the result in integers, `got` what the machine continues with. `conversion`: a cast
    did it, and `explicit` that it is meant, as of a cast or numbers that the programmer wrote. What
    is computed of unsigned numbers wraps where something uses it. `role`: "index" where the value
    goes into an address, "test" where it goes into a condition, "other" elsewhere.
    """

    place: Place
    type: Int
    exact: int
    got: int
    role: str
    conversion: bool
    explicit: bool
    block: Coordinate
    thread: Coordinate
    rounds: Rounds
    held: bool = False


@dataclass(frozen=True, slots=True)
class Fault:
    """What a source leaves undefined: the first one at a place.

    `kind`: "bounds" (an access outside of its array), "misaligned", "pointer" (null, or pointers
    into different arrays compared), "division" (by zero), "shift" (by less than 0, or by as many
    bits as there are or more), "unset" (a variable is read before it is set), "promise" (the
    programmer says what is not so). `asked`: how many choices had been made before. `held`: the
    thread had passed a wait that may not end.
    """

    kind: str
    place: Place
    text: str
    block: Coordinate
    thread: Coordinate
    rounds: Rounds
    touch: Touch | None = None
    asked: int = 0
    held: bool = False


@dataclass(frozen=True, slots=True)
class Divergence:
    """A barrier at which a thread waits and another thread does not come.

    `scope`: "block", "warp" or "grid".

    `kind`: "exited" (the other has left the kernel; since Volta the barrier does not wait for it,
    but CUDA allows a barrier in conditional code only where all threads decide alike), "elsewhere"
    (it waits at another barrier), "round" (it waits at this one, in another round of a loop).
    """

    scope: str
    kind: str
    block: Coordinate
    thread: Coordinate
    other: Coordinate
    place: Place
    elsewhere: Place | None
    rounds: Rounds


@dataclass(frozen=True, slots=True)
class Race:
    """Two accesses to a byte by different threads, not ordered by a barrier, of which one writes.

    Of one thread they are where the first is late, and it has not waited for it. Neither is atomic
    to the other. `same_value`: both write, and they write the same; a pair of places is only
    flagged so where none of its pairs of accesses is a worse one.
    """

    first: Touch
    second: Touch
    same_value: bool

    @property
    def both_write(self) -> bool:
        """Whether no reader takes part."""
        return self.first.kind != "read" and self.second.kind != "read"

    @property
    def apart(self) -> str:
        """Why two atomic accesses are not atomic to each other."""
        a, b = self.first, self.second
        if not atomic_to(a.scope, b.scope, a.block == b.block):
            narrow = min(a.scope, b.scope, key=("thread", "block", "device", "system").index)
            return f"the scope of {'both' if a.scope == b.scope else 'one'} is the {narrow}"
        return f"{a.unit} bytes at once are not atomic to {b.unit} that overlap them"


@dataclass(slots=True)
class Trace:
    """An execution. `complete` is False where it did not run to the end, and `stopped` says why.

    `unsupported` are the places that the front end did not understand and that were passed: what
    comes after them need not be what a machine does; so many `sure` wraps came before the first.
    `unordered`: nor is the order of accesses.
    `checked`: something does not hold at which a machine may have stopped, or which its compiler
    took as given.
    """

    accesses: list[Touch] = field(default_factory=list)
    #: Late accesses once more behind each barrier that they may happen behind.
    landings: list[Touch] = field(default_factory=list)
    wraps: list[Wrap] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    divergence: list[Divergence] = field(default_factory=list)
    races: list[Race] = field(default_factory=list)
    unsupported: list[tuple[str, Place]] = field(default_factory=list)
    sure: int = 0
    unordered: bool = False
    #: Whether a thread passed a wait that may not end.
    held: bool = False
    checked: bool = False
    stopped: str = ""
    steps: int = 0

    def until_held(self) -> Trace:
        """Return what happens whether or not the waits end that may not."""
        faults = [f for f in self.faults if not f.held]
        wraps = [w for w in self.wraps if not w.held]
        why = self.stopped or "a wait may not end"
        return replace(self, faults=faults, wraps=wraps, divergence=[], stopped=why)

    @property
    def complete(self) -> bool:
        """Whether every thread that was asked for ran to its end."""
        return not self.stopped

    @property
    def out_of_bounds(self) -> list[Fault]:
        """The accesses outside of their arrays, the first one at each place."""
        return [f for f in self.faults if f.kind == "bounds"]

    @property
    def misaligned(self) -> list[Fault]:
        """The accesses that are not aligned to their width, the first one at each place."""
        return [f for f in self.faults if f.kind == "misaligned"]

    def written(self, array: str) -> Counter[int]:
        """Return how often each byte of an array was written, atomics included."""
        found: Counter[int] = Counter()
        for t in self.accesses:
            if t.array == array and t.kind != "read":
                found.update(range(t.offset, t.offset + t.width))
        return found
