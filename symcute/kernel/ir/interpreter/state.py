"""The state of an execution: one thread's variables, and what all threads share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from symcute.expr import limits
from symcute.kernel.ir.interpreter.choices import Choice, Chooser
from symcute.kernel.ir.interpreter.mbarriers import MOST, Bar, Stamp
from symcute.kernel.ir.interpreter.memory import Address, Room, Value
from symcute.kernel.ir.interpreter.trace import Coordinate, Fault, Race, Rounds, Touch, Trace, Wrap
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Barrier, Int, Signal
from symcute.kernel.ir.semantics import MBARRIER

__all__ = ["Loose", "Machine", "Stop", "Thread"]

#: What a statement of one thread costs, in steps of work: some microseconds.
STATEMENT_STEPS = 3

#: How many steps are counted together.
TOGETHER = 64
#: A number that nothing has used is used when it gets larger than this.
MAX_BITS = 512


class Stop(Exception):
    """The execution cannot or need not go on; the text says why."""


class Loose(int):
    """A number outside of its type, congruent to what the machine has, that nothing has used yet.

    Sums and products go on with it, since they may come back into the type. Whatever uses it has
    what the machine has, and records the wrap.
    """

    #: What to record: see `Thread.wrap`.
    behind: tuple[int, Int, Place, str, bool, bool]


@dataclass(eq=False, slots=True)
class Flight:
    """A late access that may not have happened.

    `age` is how many groups are behind its own; -1 where it is in none.
    """

    touch: Touch
    age: int = -1


@dataclass(eq=False, slots=True)
class Machine:
    """What all threads of a launch share."""

    trace: Trace
    choose: Chooser
    limit: int
    contents: dict[str, tuple[int, int]]
    #: Expressions that wrapped, and kinds of faults at places: the first of each is in the trace.
    wrapped: set[int] = field(default_factory=set)
    faulty: set[tuple[str, Place]] = field(default_factory=set)
    doubted: set[Place] = field(default_factory=set)
    #: Which late accesses were met by which of their own thread, by places and kinds.
    overtaken: set[tuple[Place, str, Place, str]] = field(default_factory=set)
    #: What was chosen where threads get the same: by statement, epoch and rounds, for all blocks.
    uniform: dict[object, int] = field(default_factory=dict)
    #: The mbarriers that were made, by room and byte.
    bars: dict[tuple[int, int], Bar] = field(default_factory=dict)
    #: How many choices were made.
    asked: int = 0
    #: Whether nothing is wanted where the order of accesses is not known.
    ordered: bool = False
    #: How many steps may be taken until they are counted together, and how many there were.
    ahead: int = 0
    granted: int = 0

    def settle(self) -> None:
        """Count the steps that were taken."""
        taken = self.granted - self.ahead
        self.trace.steps += taken
        self.granted = self.ahead = max(0, min(TOGETHER, self.limit - self.trace.steps))
        limits.spend(taken * STATEMENT_STEPS)

    def lose_order(self) -> None:
        """Say that the order of accesses is not known from here on."""
        self.trace.unordered = True
        if self.ordered:
            raise Stop("the order of accesses is not followed")


@dataclass(eq=False, slots=True)
class Thread:
    """A thread: its variables, where it is, and the memory it sees."""

    machine: Machine
    block: Coordinate
    index: Coordinate
    env: dict[str, Any]  # variables, and builtins by `@` and their name
    rooms: dict[str, Room]
    warp: tuple[int, int]  # its number in the block, and how many barriers of it were passed
    epoch: int = 0
    moves: int = 0
    grid: int = 0
    rounds: Rounds = ()
    body: Iterator[Any] | None = None
    #: What variables hold that may be anything: chosen when it is read.
    pending: dict[str, Choice] = field(default_factory=dict)
    #: Which pointers may be any, why, and since where: nothing is known once one is read.
    lost: dict[str, tuple[str, Place]] = field(default_factory=dict)
    #: The barrier at which it waits, and the rounds of the loops around that.
    waiting: tuple[Barrier | Signal, Rounds] | None = None
    #: The mbarrier that it waits for, and the parity that the number of its phases must not have.
    awaits: tuple[Bar, int] | None = None
    stamp: Stamp | None = None
    #: Whether it passed a wait that may not end.
    held: bool = False
    flights: list[Flight] = field(default_factory=list)

    def spend(self, steps: int) -> None:
        """Count steps, and stop the execution when there were too many."""
        machine = self.machine
        machine.ahead -= steps
        if machine.ahead < 0:
            machine.settle()
            if machine.trace.steps > machine.limit:
                raise Stop(
                    f"more than {machine.limit} steps; "
                    f"it is in thread {self.index} of block {self.block}"
                )

    def choose(self, kind: str, name: str, type: Int, place: Place, **more: int) -> int:
        """Ask for a value of a type, or in [low, high] if these are given."""
        low, high = more.pop("low", type.low), more.pop("high", type.high)
        return self._ask(
            Choice(kind, name, low, high, self.block, self.index, self.rounds, place, **more)
        )

    def later(self, name: str, place: Place, low: int, high: int) -> None:
        """Let a variable be any value in [low, high], to be chosen when it is read."""
        self.env.pop(name, None)
        self.pending[name] = Choice(
            "havoc", name, low, high, self.block, self.index, self.rounds, place
        )

    def first_read(self, name: str, type: Int, place: Place) -> int:
        """Return the value of a variable that nothing has set."""
        choice = self.pending.pop(name, None)
        if choice is None:
            self.fault("unset", place, f"{name} is read before it is set")
            value = self.choose("unset", name, type, place)
        else:
            value = self._ask(choice)
        self.env[name] = value
        return value

    def _ask(self, choice: Choice) -> int:
        if choice.low > choice.high:
            raise Stop(f"no value of {choice.name} is in [{choice.low}, {choice.high}]")
        self.machine.asked += 1
        value = self.machine.choose(choice)
        if not choice.low <= value <= choice.high:
            raise Stop(
                f"the choice {value} for {choice.name} is outside [{choice.low}, {choice.high}]"
            )
        return value

    def loose(
        self, key: int, exact: int, type: Int, place: Place, role: str,
        conversion: bool = False, explicit: bool = False,
    ) -> int:  # fmt: skip
        """Return a result that its type does not hold, for sums and products to go on with."""
        if exact.bit_length() > MAX_BITS:
            return self.wrap(key, exact, type, place, role, conversion, explicit)
        found = Loose(exact)
        found.behind = key, type, place, role, conversion, explicit
        return found

    def used(self, value: int) -> int:
        """Return what the machine has."""
        if not isinstance(value, Loose):
            return value
        key, type, place, role, conversion, explicit = value.behind
        return self.wrap(key, int(value), type, place, role, conversion, explicit)

    def wrap(
        self, key: int, exact: int, type: Int, place: Place, role: str,
        conversion: bool = False, explicit: bool = False,
    ) -> int:  # fmt: skip
        """Record that a type does not hold a result, and return what the machine computes."""
        machine, got = self.machine, type.wrap(exact)
        if key not in machine.wrapped:
            machine.wrapped.add(key)
            machine.trace.wraps.append(
                Wrap(
                    place, type, exact, got, role, conversion, explicit,
                    self.block, self.index, self.rounds, self.held,
                )
            )  # fmt: skip
        return got

    def fault(self, kind: str, place: Place, text: str, touch: Touch | None = None) -> None:
        """Record that something undefined happened."""
        machine = self.machine
        if (kind, place) not in machine.faulty:
            machine.faulty.add((kind, place))
            who = self.block, self.index, self.rounds
            fault = Fault(kind, place, text, *who, touch, asked=machine.asked, held=self.held)
            machine.trace.faults.append(fault)

    def unsupported(self, reason: str, place: Place) -> None:
        """Record that something not understood was passed."""
        if place not in self.machine.doubted:
            self.machine.doubted.add(place)
            if not self.machine.trace.unsupported:
                self.machine.trace.sure = len(self.machine.trace.wraps)
            self.machine.trace.unsupported.append((reason, place))

    # --- memory ---------------------------------------------------------------------------------

    def touch(
        self, kind: str, pointer: Address, width: int, place: Place, value: int | None = None,
        scope: str = "", unit: int = 0, late: bool = False,
    ) -> tuple[Room, int, bool] | None:  # fmt: skip
        """Record an access. Returns where it goes and whether it is inside, None for no array."""
        if pointer is None:
            self.fault("pointer", place, f"{kind} of {width} bytes at a null or unknown pointer")
            return None
        room, offset = pointer
        touch = Touch(
            room.name, kind, offset, width, self.block, self.index,
            self.epoch, self.warp, self.rounds, place, value, self.grid, scope, unit or width, late,
            self.stamp, self.moves,
        )  # fmt: skip
        self.machine.trace.accesses.append(touch)
        if self.flights:
            self._overtake(touch)
        if late:
            # What mbarriers order copies by, which happen later, is not followed.
            if self.stamp is not None:
                self.machine.lose_order()
            self.flights.append(Flight(touch))
        inside = offset >= 0 and (room.size is None or offset + width <= room.size)
        if not inside:
            text = f"{kind} of {width} bytes at byte {offset} of {room.name}"
            if room.size is not None:
                text += f", which has {room.size}"
            self.fault("bounds", place, text, touch)
        unit = min(16, width & -width)
        if offset % unit or room.alignment % unit:
            text = (
                f"{kind} of {width} bytes at byte {offset} of {room.name}, "
                f"which is aligned to {room.alignment}"
            )
            self.fault("misaligned", place, text, touch)
        return room, offset, inside

    def lose_order(self, barrier: bool) -> None:
        """Go on where it is not known what orders accesses; and at what may be a barrier."""
        self.machine.lose_order()
        if barrier:  # whom it waits for is not known, nor whether they come
            self.held = self.machine.trace.held = True

    def gather(self, pointer: Address, place: Place, waits: bool) -> None:
        """Arrive at a barrier that counts, or wait for it: nobody counts the arrivals here."""
        where = self.touch("atomic", pointer, MBARRIER, place, None, "block")
        if where is not None:
            where[0].write(where[1], MBARRIER, None, False)
        if waits:
            self.lose_order(barrier=True)

    # --- mbarriers ------------------------------------------------------------------------------

    def make(self, pointer: Address, count: int, place: Place) -> None:
        """Make an mbarrier of memory."""
        where = self.touch("write", pointer, MBARRIER, place)
        self._inside(where, place)
        if where is None or not 1 <= count <= MOST:
            self.unsupported("an mbarrier that cannot be", place)
            return
        room, offset, _ = where
        room.write(offset, MBARRIER, None, False)
        self.machine.bars[id(room), offset] = Bar(room, count)

    def bar(self, pointer: Address, place: Place) -> Bar | None:
        """Return the mbarrier at an address; what happens where there is none is not known."""
        where = self.touch("atomic", pointer, MBARRIER, place, None, "block")
        self._inside(where, place)
        found = None if where is None else self.machine.bars.get((id(where[0]), where[1]))
        if found is None or found.room.array.space != "shared":
            self.unsupported("an mbarrier that was not made", place)
            return None
        return found

    def _inside(self, where: tuple[Room, int, bool] | None, place: Place) -> None:
        if where is not None and not where[2]:
            raise Stop(f"an mbarrier outside of {where[0].name} at {place}")

    def signal(self, pointer: Address, place: Place, arrivals: int = 0, bytes: int = 0) -> None:
        """Arrive at an mbarrier, or let it wait for so many bytes more.

        A copy is done at once where it begins.
        """
        bar = self.bar(pointer, place)
        if bar is not None and self.stamp is not None:
            self.stamp = self.stamp.released()
            bar.take(self.stamp, arrivals, bytes)

    def is_free(self) -> bool:
        """Return whether there is nothing more to wait for at an mbarrier."""
        return self.awaits is None or self.awaits[0].phases % 2 != self.awaits[1]

    def freed(self) -> None:
        """Go on behind a wait for an mbarrier, with what its phases have told."""
        if self.awaits is not None and self.stamp is not None and self.awaits[0].known:
            self.stamp = self.stamp.joined([self.awaits[0].known])
        self.awaits = None

    def _overtake(self, touch: Touch) -> None:
        """Record the late accesses of this thread that an access meets before they are awaited."""
        races = self.machine.trace.races
        for first in (f.touch for f in self.flights):
            apart = first.offset >= touch.offset + touch.width
            apart |= touch.offset >= first.offset + first.width
            if apart or first.array != touch.array or first.kind == touch.kind == "read":
                continue
            met = first.place, first.kind, touch.place, touch.kind
            if met not in self.machine.overtaken:
                self.machine.overtaken.add(met)
                races.append(Race(first, touch, False))

    def land(self) -> None:
        """Record late accesses where they may still happen, behind the barrier just passed."""
        self.machine.trace.landings += (
            f.touch._replace(epoch=self.epoch, warp=self.warp, grid=self.grid) for f in self.flights
        )

    def commit(self) -> None:
        """Make a group of the late accesses that are in none."""
        for f in self.flights:
            f.age += 1

    def wait(self, groups: int | None) -> None:
        """Wait for late accesses but those of the last groups."""
        self.flights = [] if groups is None else [f for f in self.flights if f.age < groups]

    def part(
        self, where: tuple[Room, int, bool] | None, name: str, shift: int, type: Int, place: Place
    ) -> int:
        """Return an integer out of what was read, chosen where the memory does not know it."""
        if where is None or not where[2]:
            return self.choose("fault", name, type, place)
        room, offset = where[0], where[1] + shift
        value = room.read(offset, type)
        if value is None:
            low, high = type.low, type.high
            if room.name in self.machine.contents:
                least, most = self.machine.contents[room.name]
                low, high = max(low, least), min(high, most)
            kind = "content" if room.untouched(offset, type) else "lost"
            value = self._ask(
                Choice(
                    kind, room.name, low, high,
                    self.block, self.index, self.rounds, place, offset,
                )
            )  # fmt: skip
            room.write(offset, max(type.bits // 8, 1), value)
        return value

    def store(
        self, pointer: Address, width: int, place: Place, value: Value, known: bool,
        scope: str = "", late: bool = False,
    ) -> None:  # fmt: skip
        """Write a value, or something not known."""
        number = value if known and isinstance(value, int) else None
        where = self.touch("write", pointer, width, place, number, scope, late=late)
        if where is not None and where[2]:
            where[0].write(where[1], width, value, known)

    def forget(self, arrays: tuple[str, ...] | None, changed: bool) -> None:
        """Let every byte of some arrays, or of all, be unknown from now on."""
        for name, room in self.rooms.items():
            if arrays is None or name in arrays:
                room.forget(changed)
