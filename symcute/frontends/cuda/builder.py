"""Statements in the making: names, arrays, blocks, and what each declaration stands for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import NoReturn, Protocol

from clang.cindex import Cursor

from symcute.frontends.cuda.ctype import CType, Types, align_of, element, size_of
from symcute.frontends.cuda.headers import is_ours
from symcute.frontends.cuda.library import place_of
from symcute.frontends.cuda.values import Spot, Value
from symcute.kernel.ir.expression import Expr, Var
from symcute.kernel.ir.inside import reads
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Array, Havoc, Int, Let, NotUnderstood, Pointer, Stmt

__all__ = ["Builder", "Frame", "HostRules", "NeedsMemory"]


#: No program has it: `verify` refuses it.
_NOWHERE = Place("", 0, 0)


class NeedsMemory(Exception):
    """A variable must lie in memory, since its address is used as a number."""

    def __init__(self, owner: int) -> None:
        self.owner = owner
        super().__init__(owner)


class NeedsStores(Exception):
    """Something may write to a local array that was taken for a table."""

    def __init__(self, owner: int) -> None:
        self.owner = owner
        super().__init__(owner)


class NeedsVariable(Exception):
    """A name that stands for a value is given another one."""

    def __init__(self, owner: int) -> None:
        self.owner = owner
        super().__init__(owner)


class NeedsNumber(Exception):
    """A variable that was taken for the number of an address holds something else."""

    def __init__(self, owner: int) -> None:
        self.owner = owner
        super().__init__(owner)


@dataclass
class Frame:
    """The function that is being lowered: where its result goes, and its `return`."""

    label: str
    type: CType
    result: Spot | None = None
    returned: list[Value | Spot] = field(default_factory=list)
    direct: bool = False  # its one return is its last statement
    leaves: bool = False  # somewhere it returns early
    this: Spot | None = None
    #: (label for break, label for continue) from the outside in.
    loops: list[tuple[str, str]] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    #: Labels that may be gone to from here, and what to leave for them.
    labels: dict[str, str] = field(default_factory=dict)


class HostRules(Protocol):
    """What is different about host code."""

    #: The variables that a struct which is handed over by reference is taken apart into.
    referred: list[str]

    def takes(self, b: Builder, cursor: Cursor) -> bool:
        """Lower a statement in a way of the host's own, if there is one."""

    def enter(self, cursor: Cursor) -> None:
        """Begin a block."""

    def before(self, b: Builder, cursor: Cursor, end: bool = False) -> None:
        """Look at what stands before a statement of a block, or at its end."""

    def called(
        self, b: Builder, cursor: Cursor, function: Cursor | None = None
    ) -> Value | Spot | None:
        """Return the value of a call that is the host's, or None for one like any other.

        `function` is what is called where that is not the name of it.
        """

    def not_understood(self, b: Builder, cursor: Cursor, reason: str) -> Value:
        """Say that something was not understood, and return any value of its type."""

    def refused(self, reason: str) -> NoReturn:
        """Give up the whole function."""

    def taken_as(self, b: Builder, type: CType) -> CType:
        """Return the type that a parameter of the function is taken for."""

    def received(self, b: Builder, name: str, spot: Spot | None, place: Place) -> None:
        """Look at a parameter of the function."""


@dataclass
class Builder:
    """A kernel in the making.

    `in_memory` are declarations that are private arrays though they could have been variables,
    `changed` pointers that could have been names of one address, `counted` those of them that hold
    no numbers of addresses alone, `stored` arrays that could have been `tables`, which are here by
    the names of the arrays.
    """

    types: Types
    in_memory: frozenset[int] = frozenset()
    changed: frozenset[int] = frozenset()
    counted: frozenset[int] = frozenset()
    stored: frozenset[int] = frozenset()
    tables: dict[str, int] = field(default_factory=dict)
    arrays: dict[str, Array] = field(default_factory=dict)
    shared: dict[int, str] = field(default_factory=dict)
    bound: dict[int, Spot] = field(default_factory=dict)
    frames: list[Frame] = field(default_factory=list)
    active: list[int] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)
    numbers: dict[str, int] = field(default_factory=dict)
    out: list[Stmt] = field(default_factory=list)
    prologue: list[Stmt] = field(default_factory=list)
    last: Place = _NOWHERE
    pins: list[Place] = field(default_factory=list)
    pointers: dict[int, tuple[Expr, ...]] = field(default_factory=dict)
    alive: list[NotUnderstood] = field(default_factory=list)
    given: dict[str, Expr] = field(default_factory=dict)
    #: Accesses whose address must lie in "global" or in "shared" memory, and what is not understood
    #: and may touch all of it.
    windows: list[tuple[Stmt, str]] = field(default_factory=list)
    #: Launches by the kernel, and whether it launches itself.
    launched: list[tuple[NotUnderstood, bool]] = field(default_factory=list)
    reached: list[Cursor] = field(default_factory=list)
    dynamic: str = ""
    #: Integer template arguments of the kernel, by name.
    constants: Mapping[str, int] = field(default_factory=dict)
    kept: Mapping[tuple[str, int], tuple[str, ...]] = field(default_factory=dict)
    host: HostRules | None = None

    @property
    def frame(self) -> Frame:
        """The function that is being lowered."""
        return self.frames[-1]

    def place(self, cursor: Cursor) -> Place:
        """Return where something stands; what our own headers do is done where they are called.

        What clang adds and says no place of stands where what was before it does.
        """
        here = place_of(cursor)
        if here.line:
            self.last = self.pins[-1] if self.pins and is_ours(here.file) else here
        return self.last

    def havoc_into(self, name: str, type: Int | Pointer, reason: str, place: Place) -> None:
        """Give a variable any value."""
        self.emit(Havoc(name, type, reason, place))

    def invariants(self, cursor: Cursor) -> tuple[str, ...]:
        """Return what the comments directly above a loop say that it keeps."""
        here = place_of(cursor)
        return self.kept.get((here.file, here.line), ())

    def fresh(self, hint: str) -> str:
        """Return a name that nothing has yet."""
        base = re.sub(r"[^A-Za-z0-9_.]", "_", hint) or "t"
        # What was taken stays so: of one base, the numbers below the last one given are.
        number = self.numbers.get(base, 1)
        name = base if number == 1 else f"{base}_{number}"
        while name in self.taken:
            number += 1
            name = f"{base}_{number}"
        self.taken.add(name)
        self.numbers[base] = number
        return name

    def emit(self, statement: Stmt) -> None:
        """Append a statement."""
        self.out.append(statement)

    @contextmanager
    def block(self) -> Iterator[list[Stmt]]:
        """Collect the statements of a block."""
        outer, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = outer

    def let(self, hint: str, value: Expr, place: Place) -> Var:
        """Set a new variable, and return it."""
        name = self.fresh(hint)
        self.emit(Let(name, value, place))
        return Var(name, value.type)

    def havoc(
        self,
        type: Int | Pointer,
        reason: str,
        place: Place,
        low: int | None = None,
        high: int | None = None,
        uniform: bool = False,
        hint: str = "any",
    ) -> Var:
        """Return a variable with any value."""
        name = self.fresh(hint)
        self.emit(Havoc(name, type, reason, place, low, high, uniform))
        return Var(name, type)

    def steady(self, value: Expr, hint: str, place: Place) -> Expr:
        """Return an expression that later statements do not change."""
        return self.let(hint, value, place) if reads(value) else value

    def array(
        self, name: str, space: str, type: CType, place: Place, text: str,
        values: tuple[int, ...] | None = None,
    ) -> str:  # fmt: skip
        """Declare an array for a value of a type, and return its name."""
        name = self.fresh(name)
        inner = element(type)
        size = size_of(type) or None
        integer = inner if isinstance(inner, Int) else None
        self.arrays[name] = Array(
            name, space, size_of(inner), size, align_of(type), place, text, integer, values
        )
        return name

    def align(self, name: str, bytes: int) -> None:
        """Say that an array is aligned at least so."""
        array = self.arrays[name]
        self.arrays[name] = replace(array, alignment=max(array.alignment, bytes))

    def not_understood(
        self,
        reason: str,
        place: Place,
        variables: tuple[str, ...] | None = None,
        pointers: Sequence[Expr] | None = None,
        barrier: bool = True,
    ) -> None:
        """Say that something was not understood; `pointers` are those through which it touches."""
        if self.host is not None and variables is not None:
            # What is referred to may be reached in other ways.
            variables = (*variables, *self.host.referred)
        statement = NotUnderstood(
            reason, place, variables, None if pointers is None else (), barrier
        )
        if pointers:
            # What they may point to is known only when all is read.
            self.touching(statement, pointers)
        self.emit(statement)

    def touching(self, statement: NotUnderstood, pointers: Iterable[Expr]) -> None:
        """Let a statement touch what pointers may point to at last."""
        self.pointers[id(statement)] = tuple(pointers)
        # Another one must not come to be in its place in memory.
        self.alive.append(statement)
