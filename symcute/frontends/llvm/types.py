"""Types of LLVM, and how a GPU lays them out.

Source: the LLVM Language Reference, Type System and Data Layout; NVPTX's layout, where all is
aligned by its size, and vectors by theirs rounded up to a power of two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from symcute.kernel.ir.program import Int

__all__ = [
    "LType",
    "Listed",
    "Number",
    "Other",
    "Ptr",
    "Real",
    "Record",
    "align_of",
    "is_odd",
    "leaves",
    "natural",
    "offset_of",
    "size_of",
    "within",
]

_POINTER = 8


@dataclass(frozen=True, slots=True)
class Number:
    """An integer."""

    bits: int


@dataclass(frozen=True, slots=True)
class Real:
    """A number with a point."""

    bytes: int


@dataclass(frozen=True, slots=True)
class Ptr:
    """A pointer into an address space: 0 generic, 1 global, 3 shared, 4 constant, 5 local."""

    space: int = 0


@dataclass(frozen=True, slots=True)
class Listed:
    """An array or a vector."""

    count: int
    element: LType
    vector: bool = False


@dataclass(frozen=True, slots=True)
class Record:
    """A struct; its size and alignment are computed once, since structs hold structs."""

    fields: tuple[LType, ...]
    packed: bool = False
    align: int = field(init=False, compare=False)
    size: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        end, align = 0, 1
        for f in self.fields:
            own = 1 if self.packed else align_of(f)
            end, align = -(-end // own) * own + size_of(f), max(align, own)
        object.__setattr__(self, "align", align)
        object.__setattr__(self, "size", -(-end // align) * align)


@dataclass(frozen=True, slots=True)
class Other:
    """What has no size: void, labels, what is opaque."""

    name: str


LType: TypeAlias = Number | Real | Ptr | Listed | Record | Other


def natural(size: int) -> int:
    """Return the most that an access asks of the address of a type of a size."""
    return min(16, size & -size)


def is_odd(type: LType) -> bool:
    """Return whether a type is of whole bytes of which no machine moves so many at once.

    >>> is_odd(Number(24)), is_odd(Number(32)), is_odd(Number(1))
    (True, False, False)
    """
    return isinstance(type, Number) and not type.bits % 8 and bool(type.bits & (type.bits - 1))


def align_of(type: LType) -> int:
    """Return the alignment of a type in bytes.

    >>> align_of(Listed(3, Real(4), vector=True)), align_of(Record((Number(8), Number(64))))
    (16, 8)
    """
    match type:
        case Number(bits):
            return min(16, 1 << max(0, (max(bits, 8) + 7) // 8 - 1).bit_length())
        case Real(bytes):
            return bytes
        case Ptr():
            return _POINTER
        case Listed(count, element, vector):
            if not vector:
                return align_of(element)
            return 1 << max(0, count * size_of(element) - 1).bit_length()
        case Record():
            return type.align
    return 1


def size_of(type: LType) -> int:
    """Return the bytes that a value takes in memory, those between two of a row with it.

    >>> size_of(Record((Number(8), Number(64)))), size_of(Listed(3, Real(4), vector=True))
    (16, 16)
    """
    match type:
        case Number(bits):
            return -(-max(bits, 8) // 8 // align_of(type)) * align_of(type) if bits > 8 else 1
        case Real(bytes):
            return bytes
        case Ptr():
            return _POINTER
        case Listed(count, element, vector):
            size = count * size_of(element)
            return -(-size // align_of(type)) * align_of(type) if vector else size
        case Record():
            return type.size
    return 0


def offset_of(type: Record, number: int) -> int:
    """Return where a field begins.

    >>> offset_of(Record((Number(8), Number(64))), 1)
    8
    """
    at = 0
    for k, f in enumerate(type.fields):
        align = 1 if type.packed else align_of(f)
        at = -(-at // align) * align
        if k == number:
            return at
        at += size_of(f)
    raise IndexError(number)


def within(type: LType, number: int) -> tuple[LType, int]:
    """Return the element or field of a number, and where it begins."""
    match type:
        case Listed(count, element) if 0 <= number < count:
            return element, number * size_of(element)
        case Record(fields) if 0 <= number < len(fields):
            return fields[number], offset_of(type, number)
    raise IndexError(number)


def leaves(type: LType, at: int = 0) -> Iterator[tuple[LType, int]]:
    """Yield the numbers and pointers in a type, with their offsets in bytes."""
    match type:
        case Listed(count, element):
            for k in range(count):
                yield from leaves(element, at + k * size_of(element))
        case Record(fields):
            for k, f in enumerate(fields):
                yield from leaves(f, at + offset_of(type, k))
        case Other():
            return
        case _:
            yield type, at


def integer(type: Number, signed: bool = False) -> Int:
    """Return the type of programs that an integer has; one bit has no sign."""
    return Int(type.bits, signed and type.bits > 1)
