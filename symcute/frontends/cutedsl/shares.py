"""Where tensors of a kernel lie in memory: an address in a program, and the layout behind it.

A pointer is what it was made of, moved by an offset of the width that the DSL gives it. A swizzle
only exchanges places of an allocation: where all that is seen of it is swizzled alike, addresses
are those before the swizzle: two places are one, or inside, just when their swizzled ones are. What
is swizzled in several ways, as room that is used again, has a view for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeAlias

from symcute.errors import SymcuteError
from symcute.expr.formula import divides
from symcute.expr.htuple import Leaf
from symcute.frontends.cutedsl import types
from symcute.frontends.cutedsl.arithmetic import WIDE, Unwritten, written
from symcute.frontends.cutedsl.arithmetic import offset as written_offset
from symcute.frontends.cutedsl.bent import block_of, unbent
from symcute.frontends.cutedsl.origins import Origin
from symcute.frontends.cutedsl.values import Pointer, Scope, Tensor, dims_of
from symcute.frontends.cutedsl.vectors import vectors
from symcute.kernel.ir.expression import Base, Expr, PtrAdd
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Array, NotUnderstood
from symcute.layout.layout import Layout
from symcute.layout.swizzle import Swizzle
from symcute.solve.entailment import facts

__all__ = ["Shares", "pointer_of"]

#: How a place is swizzled: bits, base and shift of bytes, and what else tells it from another.
Swizzled: TypeAlias = tuple[Any, ...]
_SPACES = ("gmem", "smem", "generic")


def _line(way: Swizzled) -> int:
    """Return inside how many bytes a swizzle moves what there is."""
    bits, base, shift, *_ = way
    return int(1 << bits + base + max(0, -shift))


def _view(array: str, swizzle: Swizzled) -> str:
    """Return the name of an array as it is swizzled in a way, until all ways are known."""
    return f"{array} {swizzle}"


def pointer_of(x: Any) -> Pointer | None:
    """Return the pointer of a tensor, or one itself, into memory that is no register."""
    start = x.start if isinstance(x, Tensor) else x
    return start if isinstance(start, Pointer) and start.space in _SPACES else None


class Shares:
    """The addresses of values, by name, as the walk over a kernel goes on.

    `arrays` are those that pointers begin in, by their roots; `origins` are those of other roots.
    """

    def __init__(
        self,
        scope: Scope,
        arrays: dict[str, Array],
        dims: dict[str, Expr],
        origins: Mapping[str, Origin],
    ) -> None:
        self.scope, self.arrays, self.dims, self.origins = scope, arrays, dims, origins
        self.pointers: dict[str, Expr] = {}
        #: How what is accessed of an array is swizzled: (bits, base, shift) of bytes.
        self.swizzles: dict[str, dict[Swizzled, None]] = {}
        #: The swizzles of what is accessed by pointers that variables hold.
        self.held: dict[str, set[Swizzled]] = {}

    def take(self, name: str, value: Any, sources: list[tuple[str, Any]], place: Place) -> None:
        """Let a value have the address that follows from those it is made of, if any does."""
        self.pointers.pop(name, None)
        start = pointer_of(value)
        if start is None:
            return
        for source, made in sources:
            before = pointer_of(made)
            if before is None or before.root != start.root or source not in self.pointers:
                continue
            with suppress(SymcuteError):
                moved = self._moved(made, before, value, start)
                self.pointers[name] = self._at(self.pointers[source], moved, start, place)
            return
        if not sources and start.root in self.arrays:
            base = Base(self.arrays[start.root].name)
            with suppress(SymcuteError):  # what the host computed does not wrap
                self.pointers[name] = self._at(base, start.offset, start, place, wide=True)

    def _at(
        self, pointer: Expr, offset: Leaf, start: Pointer, place: Place, wide: bool = False
    ) -> Expr:
        if offset == 0:
            return pointer
        bits = types.bits_of(start.element)
        if bits % 8:
            raise Unwritten(f"elements of {bits} bits")
        if wide:
            index = written(offset, WIDE, self.dims, self.scope, place)
        else:
            index = written_offset(offset, self.dims, self.scope, place)
        return PtrAdd(pointer, index, bits // 8, place)

    def _moved(self, made: Any, before: Pointer, value: Any, start: Pointer) -> Leaf:
        """Return by how many elements a value lies behind what it is made of."""
        old, new = types.bits_of(before.element), types.bits_of(start.element)
        if old != new and not (isinstance(before.offset, int) and isinstance(start.offset, int)):
            raise Unwritten("elements of another size behind an offset that is no number")
        if old != new:
            if (start.offset * new - before.offset * old) % new:
                raise Unwritten("a part of an element")
            return (start.offset * new - before.offset * old) // new
        moved = start.offset - before.offset
        if dims_of(moved) & self.scope.bent.keys():
            return self._unbent(value, start) - self._unbent(made, before)
        return moved

    def _unbent(self, x: Any, start: Pointer) -> Leaf:
        """Return where a tensor begins before its swizzle."""
        if not dims_of(start.offset) & self.scope.bent.keys():
            return start.offset
        found = unbent(x, self.scope) if isinstance(x, Tensor) else None
        if found is None:
            raise Unwritten("where a share of what is swizzled begins is not known")
        return found.base + found.inner

    # --- accesses ----------------------------------------------------------------------------

    def array_of(self, value: Any) -> tuple[str, ...] | None:
        """Return the array that a value lies in, None where it is not known.

        () for registers and tensor memory, which are no arrays.
        """
        start = value.start if isinstance(value, Tensor) else value
        if not isinstance(start, Pointer):
            return ()
        if start.space in ("rmem", "tmem"):
            return ()
        found = self.arrays.get(self._root(start))
        return (found.name,) if found is not None else None

    def in_space(self, space: str) -> tuple[str, ...]:
        """Return the arrays of a memory."""
        return tuple(a.name for a in self.arrays.values() if a.space == space)

    def _root(self, start: Pointer) -> str:
        """Return the root that a pointer is behind, through what control flow made of it."""
        origin = self.origins.get(start.root)
        return start.root if origin is None else origin.root

    def seen(self, name: str, value: Tensor, length: int) -> tuple[Expr, Layout]:
        """Return the address of a tensor and its layout, for vectors of so many elements.

        Errors: Unwritten where they are not known.
        """
        start = pointer_of(value)
        assert start is not None
        address = self.pointers.get(name)
        if address is None:
            raise Unwritten("where it points to is not known")
        layout: Any = value.layout
        bits = types.bits_of(start.element)
        swizzle: Swizzled = (0, 0, 0)
        bent = (dims_of(start.offset) | dims_of(layout)) & self.scope.bent.keys()
        if bent:
            found = unbent(value, self.scope)
            if found is None:
                raise Unwritten("a share of what is swizzled is not as it is known")
            layout = found.layout
            first = [x + found.first for x in found.threads]
            self._whole(found.swizzle, length, [*first, *(d for _, d in layout.modes())])
            self._aligned(found.swizzle, found.base, start)
            swizzle = self._of_bytes(found.swizzle, bits)
        elif not isinstance(layout, Layout):
            raise Unwritten(f"{layout} is swizzled")
        elif start.swizzle is not None:
            each = vectors(layout, length)
            origin = self.origins.get(start.root)
            before = () if origin is None else origin.offsets
            places = (start.offset, *before, *(d for _, d in (*each.first, *each.rest)))
            swizzle = self._by_address(start, length * bits // 8, places)
        root = self._root(start)
        self.swizzles.setdefault(root, {})[swizzle] = None
        return self._viewed(address, root, swizzle), layout

    # --- views ---------------------------------------------------------------------------------

    def _viewed(self, address: Expr, root: str, swizzle: Swizzled) -> Expr:
        """Return an address as one of the view of an array that is swizzled in a way."""
        parts = [address]
        while isinstance(parts[-1], PtrAdd):
            parts.append(parts[-1].pointer)
        if not isinstance(parts[-1], Base):
            self.held.setdefault(root, set()).add(swizzle)
            return address
        found: Expr = Base(_view(parts[-1].array, swizzle))
        for part in reversed(parts[:-1]):
            assert isinstance(part, PtrAdd)
            found = replace(part, pointer=found)
        return found

    def views(self) -> dict[str, Array]:
        """Return the arrays that accesses are in, by the names that they have now.

        Variables hold places of the array itself, as do accesses that are swizzled as those are.
        """
        found: dict[str, Array] = {}
        for root, array in self.arrays.items():
            ways, held = [*self.swizzles.get(root, ())], self.held.get(root, set())
            own = next((x for x in ways if x in held), ways[0] if ways else None)
            for k, way in enumerate(ways, 1):
                line = max(_line(way), _line(own or way))
                view = replace(array, name=f"{array.name}_{k}", view_of=array.name, line=line)
                itself = way == own or not self._is_split(root)
                found[_view(array.name, way)] = array if itself else view
        return found

    def _is_split(self, root: str) -> bool:
        """Return whether each way in which an array is swizzled has a view."""
        array = self.arrays[root]
        return len(self.held.get(root, ())) < 2 and array.space == "shared" and bool(array.bytes)

    def _whole(self, swizzle: Swizzle, length: int, places: list[Any]) -> None:
        """Ask that vectors are whole in the units that a swizzle moves."""
        if length > 1 << swizzle.base or any(x % length for x in places if x != 1):
            raise Unwritten(f"{swizzle} moves parts of vectors of {length}")

    def hull(self, name: str, value: Tensor) -> tuple[Expr, int]:
        """Return the address of a tensor, and how many bytes it reaches from there.

        Errors: Unwritten where they are not known.
        """
        address = self.pointers.get(name)
        if address is None:
            raise Unwritten("where it points to is not known")
        return address, self.hull_of(value)

    def hull_of(self, value: Tensor) -> int:
        """Return how many bytes a tensor reaches from its first one. Errors: Unwritten."""
        start, layout = pointer_of(value), value.layout
        if start is None or not isinstance(layout, Layout) or not layout.is_static():
            raise Unwritten(f"how far {layout} reaches is not known")
        if dims_of(start.offset) & self.scope.bent.keys() or any(d < 0 for _, d in layout.modes()):
            raise Unwritten(f"how far {layout} reaches is not known")
        bits = int(layout.cosize()) * types.bits_of(start.element)
        if bits % 8:
            raise Unwritten("a part of a byte")
        if start.swizzle is not None:
            way = self._by_address(start, 1, ())
            self.swizzles.setdefault(self._root(start), {})[way] = None
            self.held.setdefault(self._root(start), set()).add(way)
        return bits // 8

    def _by_address(self, start: Pointer, width: int, places: Iterable[Any]) -> Swizzled:
        """Return the swizzle of a pointer, which exchanges units of bytes by their addresses.

        It keeps them inside of lines, which an array has to be whole lines of; what is accessed is
        `width` bytes at some elements, which must be whole in a unit.
        """
        assert start.swizzle is not None
        bits, base, shift = start.swizzle
        line, array = 1 << bits + base, self.arrays.get(self._root(start))
        length = width * 8 // types.bits_of(start.element)
        if width > 1 << base or not all(self._divides(length, x) for x in places):
            raise Unwritten(f"a swizzle {start.swizzle} moves parts of vectors of {length}")
        whole = array is not None and array.bytes is not None and array.bytes % line == 0
        if shift < bits or array is None or not whole or array.alignment % line:
            raise Unwritten(f"a pointer that is swizzled by {start.swizzle}")
        # By addresses it is one with that of offsets where the array begins with a block.
        alike = array.alignment % (1 << bits + base + shift) == 0
        return (*start.swizzle, *(() if alike else ("by address",)))

    def _aligned(self, swizzle: Swizzle, base: Leaf, start: Pointer) -> None:
        """Ask that an allocation is whole blocks of a swizzle, and begins with one."""
        block, array = block_of(swizzle), self.arrays.get(start.root)
        size = None if array is None or array.bytes is None else array.bytes * 8
        bits = types.bits_of(start.element)
        whole = size is not None and size % (block * bits) == 0
        if not whole or not self._divides(block, base):
            raise Unwritten(f"{swizzle} of an allocation that is not whole blocks of {block}")

    def _divides(self, number: int, x: Leaf) -> bool:
        if number == 1 or isinstance(x, int):
            return number == 1 or x % number == 0
        return bool(facts(self.scope.given(x)).proves(divides(number, x)))

    def _of_bytes(self, swizzle: Swizzle, bits: int) -> tuple[int, int, int]:
        if swizzle.bits == 0:
            return (0, 0, 0)
        return swizzle.bits, swizzle.base + (bits // 8).bit_length() - 1, swizzle.shift

    def doubts(self, place: Place) -> list[NotUnderstood]:
        """Return what is not understood of arrays that are swizzled in ways without a view."""
        # A root that is no array's may be in any.
        other = set().union(*(x for r, x in self.swizzles.items() if r not in self.arrays))
        found = {
            a.name: other
            if self._is_split(r) and not other
            else other | {*self.swizzles.get(r, ())}
            for r, a in self.arrays.items()
        }
        return [
            NotUnderstood(f"{name} is swizzled in several ways", place, (), (name,), effect="order")
            for name, ways in found.items()
            if len(ways) > 1
        ]
