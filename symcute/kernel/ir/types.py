"""The types of what programs compute: integers of so many bits, and pointers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["Int", "Pointer", "Type"]


@dataclass(frozen=True, slots=True)
class Int:
    """An integer type; `bool` is `Int(1, False)`."""

    bits: int
    signed: bool

    @property
    def low(self) -> int:
        """The smallest value."""
        return -(1 << self.bits - 1) if self.signed else 0

    @property
    def high(self) -> int:
        """The largest value."""
        return (1 << self.bits - self.signed) - 1

    def wrap(self, value: int) -> int:
        """Return the value of this type that is congruent to an integer.

        >>> Int(32, True).wrap(2**31), Int(32, False).wrap(-1)
        (-2147483648, 4294967295)
        """
        return (value - self.low) % (1 << self.bits) + self.low


@dataclass(frozen=True, slots=True)
class Pointer:
    """The type of pointers: a place inside an array, counted in bytes."""


Type: TypeAlias = Int | Pointer
