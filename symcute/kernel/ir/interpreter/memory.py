"""The bytes of arrays. A byte is a number, part of a pointer, or not known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from symcute.kernel.ir.program import Array, Int

__all__ = ["Address", "Content", "Room", "Value", "initial"]

#: A place in memory: the room, and how many bytes from its start; None is the null pointer.
Address: TypeAlias = "tuple[Room, int] | None"
#: An integer or a pointer.
Value: TypeAlias = "int | tuple[Room, int] | None"
#: What an array holds at the start: bytes, its elements, or a function from the number of one.
Content: TypeAlias = "bytes | Sequence[int] | Callable[[int], int | None]"

_UNKNOWN = object()


@dataclass(eq=False, slots=True)
class Room:
    """The memory of one array, in one block or thread if it is shared or private.

    `size` is None where nobody said how large it is. `alignment` is what the address of its first
    byte is a multiple of. What is not in `cells` is as it was at the start, if nothing is `lost`.
    """

    array: Array
    name: str
    size: int | None
    alignment: int
    cells: dict[int, Any]  # numbers, parts of pointers, None for what is not known
    start: Callable[[int], int | None] | None = None
    lost: bool = False

    def read(self, offset: int, type: Int) -> int | None:
        """Return the integer at an offset, or None where some of its bytes are not known."""
        width = max(type.bits // 8, 1)
        found = self._bytes(offset, width)
        if found is None:
            return None
        value = int.from_bytes(found, "little", signed=type.signed)
        return value if type.bits > 1 else int(value != 0)

    def untouched(self, offset: int, type: Int) -> bool:
        """Return whether an integer is what it was at the start."""
        places = range(offset, offset + max(type.bits // 8, 1))
        return not self.lost and not any(k in self.cells for k in places)

    def read_pointer(self, offset: int) -> tuple[Value, bool]:
        """Return the pointer at an offset and True, or None and False where there is none."""
        found = self.cells.get(offset, _UNKNOWN)
        if not isinstance(found, tuple) or found[1] != 0:
            return None, False
        if any(self.cells.get(offset + k) != (found[0], k) for k in range(8)):
            return None, False
        return cast("tuple[Value]", found[0])[0], True

    def write(self, offset: int, width: int, value: Value, known: bool = True) -> None:
        """Store an integer or a pointer; without `known`, what is there is forgotten."""
        cells = self.cells
        if not known:
            for k in range(offset, offset + width):
                cells[k] = None
        elif isinstance(value, int):
            bits = value & ((1 << 8 * width) - 1)
            for k, byte in enumerate(bits.to_bytes(width, "little"), offset):
                cells[k] = byte
        else:
            boxed = (value,)
            for k in range(width):
                cells[offset + k] = (boxed, k)

    def forget(self, changed: bool) -> None:
        """Let every byte be unknown, which perhaps is `changed` by what nobody knows."""
        self.lost = self.lost or changed or bool(self.cells)
        self.start, self.cells = None, {}

    def _bytes(self, offset: int, width: int) -> bytes | None:
        cells, found = self.cells, bytearray()
        if self.start is None:
            try:
                return bytes([cells[k] for k in range(offset, offset + width)])
            except (KeyError, TypeError):  # nothing, part of a pointer, or not known
                return None
        for k in range(offset, offset + width):
            byte = cells.get(k, _UNKNOWN)
            if byte is _UNKNOWN:
                byte = self.start(k)
            if not isinstance(byte, int):
                return None
            found.append(byte)
        return bytes(found)


def initial(array: Array, content: Content) -> Callable[[int], int | None]:
    """Return the function that gives the bytes that an array holds at the start."""
    if isinstance(content, bytes):
        data = content
        return lambda k: data[k] if 0 <= k < len(data) else None
    width = array.element
    mask = (1 << 8 * width) - 1

    def byte(k: int) -> int | None:
        index, part = divmod(k, width)
        if callable(content):
            value = content(index)
        else:
            value = content[index] if 0 <= index < len(content) else None
        return None if value is None else (value & mask) >> 8 * part & 255

    return byte


Memory: TypeAlias = Mapping[str, Content]
