"""What expressions are while they are lowered: values, and places that hold them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from clang.cindex import Cursor

from symcute.frontends.cuda.ctype import CType, Record
from symcute.kernel.ir.expression import Expr
from symcute.kernel.ir.program import Int, Pointer

__all__ = [
    "OPAQUE",
    "SPOTS",
    "Address",
    "Bits",
    "Bound",
    "Choice",
    "Closure",
    "Described",
    "Fields",
    "Function",
    "Hole",
    "Lost",
    "Memory",
    "Numbered",
    "Opaque",
    "Parts",
    "Slot",
    "Spot",
    "Value",
    "Window",
]


@dataclass(frozen=True)
class Opaque:
    """A value that no integer comes from: floating point, handles."""


OPAQUE = Opaque()


@dataclass(frozen=True)
class Fields:
    """The value of a struct, by the names of its fields."""

    record: Record
    values: dict[str, Value]


@dataclass(frozen=True)
class Function:
    """A function, to be called."""

    cursor: Cursor


@dataclass(frozen=True)
class Choice:
    """One of two functions, by a test that later statements do not change."""

    test: Expr
    then: Function | Choice
    other: Function | Choice


@dataclass(frozen=True)
class Closure:
    """A lambda: its cursor, what it holds copies of, by their declarations, and its `this`."""

    cursor: Cursor
    copies: dict[int, Spot] = field(default_factory=dict)
    this: Spot | None = None


@dataclass(frozen=True)
class Address:
    """A pointer to something that is not in memory."""

    spot: Spot


@dataclass(frozen=True)
class Numbered:
    """The number that an address is within shared memory, or within global memory."""

    pointer: Expr
    shared: bool


@dataclass(frozen=True)
class Described:
    """A descriptor: the array and the pointer into it that it has the address of, and its bits.

    Those of the address are 0. The array begins at a multiple of `aligned` bytes.
    """

    array: str
    pointer: Expr
    bits: int
    aligned: int


Value: TypeAlias = (
    Expr | Opaque | Fields | Function | Choice | Closure | Address | Numbered | Described
)


@dataclass(frozen=True)
class Slot:
    """A variable of the program; a bit-field is as large as `bits`, though of its type."""

    name: str
    type: Int | Pointer
    owner: int  # the declaration that it is, or is part of
    bits: Int | None = None


@dataclass(frozen=True)
class Hole:
    """A variable that no integer comes from."""

    owner: int


@dataclass(frozen=True)
class Parts:
    """A struct outside memory, by its fields."""

    record: Record
    spots: dict[str, Spot]
    owner: int


@dataclass(frozen=True)
class Memory:
    """A place in an array."""

    pointer: Expr
    type: CType


@dataclass(frozen=True)
class Bits:
    """A bit-field as large as `bits`, in the integer of `type` at the pointer."""

    pointer: Expr
    type: Int
    bits: Int


@dataclass(frozen=True)
class Window:
    """A variable that holds the number of an address, as `Numbered` is one: the pointer is kept."""

    name: str
    shared: bool
    owner: int


@dataclass(frozen=True)
class Bound:
    """A value that a name stands for and that is never changed: a pointer parameter, a lambda."""

    value: Value
    owner: int = 0


@dataclass(frozen=True)
class Lost:
    """A place that was not understood."""


Spot: TypeAlias = Slot | Hole | Parts | Memory | Bits | Window | Bound | Lost

SPOTS = (Slot, Hole, Parts, Memory, Bits, Window, Bound, Lost)
