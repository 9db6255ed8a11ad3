"""Arrays that are addresses: every access is judged and kept, whatever the array's size.

An array begins at an address of its own, 2**44 bytes from the next, so that an address says which
array was meant, far beyond either end. Nothing lies there: what an element holds at the start is
computed from its index, and what was written since is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

APART = 1 << 44


@dataclass
class Array:
    """An array, of so many bytes; its elements are drawn from [low, high), or as `how` says.

    What a program is handed points `offset` bytes behind the beginning of what is stored.
    """

    name: str
    number: int
    dtype: np.dtype[Any]
    size: int
    align: int = 16
    offset: int = 0
    low: int = 0
    high: int = 0
    how: str = "random"
    cells: Mapping[int, int] = field(default_factory=dict)
    written: dict[int, int] = field(default_factory=dict)  # bytes

    def __post_init__(self) -> None:
        # Just as aligned as is said, and no more.
        self.start = (2 * self.number + 1) * APART + (self.align if self.align < 1 << 20 else 0)

    @property
    def pointer(self) -> int:
        return self.start + self.offset

    def initial(self, index: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """What elements hold at the start, any index."""
        mixed = (index.astype(np.uint64) + np.uint64(self.number + 1)) * np.uint64(
            0x9E3779B97F4A7C15
        )
        mixed ^= mixed >> np.uint64(29)
        mixed = (mixed * np.uint64(0xBF58476D1CE4E5B9)) >> np.uint64(33)
        drawn: np.ndarray[Any, Any]
        if self.dtype.kind == "f":
            drawn = (mixed % np.uint64(2001)).astype(np.float64) / 1000 - 1
        else:
            span = max(self.high - self.low, 1)
            drawn = {
                "random": lambda: (mixed % np.uint64(span)).astype(np.int64),
                "low": lambda: np.zeros(index.shape, np.int64),
                "high": lambda: np.full(index.shape, span - 1, np.uint64).astype(np.int64),
                "rising": lambda: index.astype(np.int64) % min(span, 1 << 62),
            }[self.how]() + self.low
        for at, held in self.cells.items():
            drawn = np.where(index == at, held, drawn)
        return drawn.astype(self.dtype)

    def read(self, at: np.ndarray[Any, Any], width: int) -> np.ndarray[Any, Any]:
        """The bytes at offsets (1-d): a row of `width` each."""
        spots = at[:, None] + np.arange(width)
        element, byte = np.divmod(spots, self.dtype.itemsize)
        flat = np.ascontiguousarray(self.initial(element.ravel()))
        held = flat.view(np.uint8).reshape(-1, self.dtype.itemsize)
        found = held[np.arange(flat.size), byte.ravel()]
        if self.written:
            found = np.array(
                [
                    self.written.get(s, b)
                    for s, b in zip(spots.ravel().tolist(), found.tolist(), strict=True)
                ],
                np.uint8,
            )
        return found.astype(np.uint8).reshape(spots.shape)

    def held(self) -> bytes:
        """All that it holds."""
        item = self.dtype.itemsize
        return self.read(np.arange(0, self.size - item + 1, item), item).tobytes()

    def write(self, at: np.ndarray[Any, Any], rows: np.ndarray[Any, Any]) -> None:
        """Write a row of bytes at each offset."""
        spots = at[:, None] + np.arange(rows.shape[1])
        self.written.update(zip(spots.ravel().tolist(), rows.ravel().tolist(), strict=True))


@dataclass(frozen=True)
class Access:
    """The elements that one operation of one program touches: bytes from the array's beginning."""

    program: int
    kind: str  # read, write, atomic, atomic of a program's own scope
    array: Array
    at: np.ndarray[Any, Any]
    lanes: np.ndarray[Any, Any]
    width: int
    line: int
    barriers: int
    shape: tuple[int, ...]  # of the tensor of pointers: a lane is a place in it
    rows: np.ndarray[Any, Any] | None = None  # what is written


class Memory:
    """All arrays of a launch, and what was done to them."""

    def __init__(self, arrays: list[Array]) -> None:
        self.arrays = {a.number: a for a in arrays}
        self.accesses: list[Access] = []
        self.program = self.line = self.barriers = 0
        self.shape: tuple[int, ...] = ()
        self.stray: str = ""

    def located(self, addresses: np.ndarray[Any, Any]) -> dict[int, np.ndarray[Any, Any]]:
        """Which of the addresses belong to which array."""
        numbers = (addresses // np.uint64(2 * APART)).astype(np.int64)
        return {int(n): np.flatnonzero(numbers == n) for n in np.unique(numbers)}

    def split(self, addresses: np.ndarray[Any, Any]) -> list[tuple[Array, Any, Any]]:
        """Array, places among the addresses, and offsets in the array."""
        found = []
        for number, places in self.located(addresses).items():
            if number not in self.arrays:
                self.stray = (
                    self.stray or f"line {self.line}: address {int(addresses[places[0]]):#x}"
                )
                continue
            array = self.arrays[number]
            offsets = (addresses[places] - np.uint64(array.start)).astype(np.int64)
            found.append((array, places, offsets))
        return found

    def note(
        self, kind: str, array: Array, at: Any, lanes: Any, width: int, rows: Any = None
    ) -> None:
        self.accesses.append(
            Access(
                self.program,
                kind,
                array,
                at,
                lanes,
                width,
                self.line,
                self.barriers,
                self.shape,
                rows,
            )
        )
