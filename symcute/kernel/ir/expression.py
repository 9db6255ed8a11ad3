"""Expressions of programs: pure, each at the type at which it is computed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from symcute.kernel.ir.place import Place
from symcute.kernel.ir.types import Int, Pointer, Type

__all__ = [
    "BUILTINS",
    "Base",
    "Binary",
    "Builtin",
    "Cast",
    "Const",
    "Expr",
    "PtrAdd",
    "Select",
    "Unary",
    "Var",
]


@dataclass(frozen=True, slots=True)
class Const:
    """A number."""

    value: int
    type: Int


@dataclass(frozen=True, slots=True)
class Var:
    """A local variable or a parameter, by its unique name."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Builtin:
    """`threadIdx.x`, `blockIdx.y`, `blockDim.z`, `gridDim.x`, `warpSize`, `laneId`..."""

    name: str
    type: Int


#: The builtins that there are.
BUILTINS = frozenset(
    f"{name}.{axis}" for name in ("threadIdx", "blockIdx", "blockDim", "gridDim") for axis in "xyz"
) | {"warpSize", "laneId"}


@dataclass(frozen=True, slots=True)
class Unary:
    """`-x` or `~x` at the type, `!x` as a bool, or one of `BITS` of an unsigned number."""

    op: str
    arg: Expr
    type: Int
    place: Place


@dataclass(frozen=True, slots=True)
class Binary:
    """`+ - * / % << >> & | ^` at the type, to which both sides have been converted.

    Of shifts the left side has. `< <= > >= == !=` and `&& ||` are bools; the sides of a comparison
    have one type, that of `&&` and `||` are bools and the right one is evaluated only where the
    left does not decide. `min` and `max` are C's. Division cuts towards zero.
    Two pointers may be compared, and subtracted: `-` of two pointers is the distance in bytes, an
    `Int(64, True)`, where they point into one array.
    """

    op: str
    left: Expr
    right: Expr
    type: Int
    place: Place


@dataclass(frozen=True, slots=True)
class Select:
    """`test ? then : other`; only one of the two is evaluated."""

    test: Expr
    then: Expr
    other: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Cast:
    """A conversion between integer types, modulo 2**bits; to bool it is `!= 0`.

    `explicit`: the programmer wrote it.
    """

    arg: Expr
    type: Int
    place: Place
    explicit: bool = False


@dataclass(frozen=True, slots=True)
class Base:
    """The address of the first byte of an array."""

    array: str
    type: Pointer = field(default_factory=Pointer)


@dataclass(frozen=True, slots=True)
class PtrAdd:
    """A pointer moved by `index * scale` bytes; the product has the 64 bits of a pointer."""

    pointer: Expr
    index: Expr
    scale: int
    place: Place
    type: Pointer = field(default_factory=Pointer)


Expr: TypeAlias = Const | Var | Builtin | Unary | Binary | Select | Cast | Base | PtrAdd
