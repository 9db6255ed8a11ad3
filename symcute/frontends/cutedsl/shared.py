"""What is claimed of shared memory: that each tensor lies in its room, alone, and that all fits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from symcute.expr.formula import divides
from symcute.expr.htuple import show
from symcute.frontends.cutedsl import types
from symcute.frontends.cutedsl.bent import block_of, unbent
from symcute.frontends.cutedsl.claims import GUARDED, Claimed, name_at
from symcute.frontends.cutedsl.evaluation import Evaluation, Function, Step
from symcute.frontends.cutedsl.values import Pointer, Scope, Tensor
from symcute.hardware.architecture import ARCHITECTURES, Architecture
from symcute.kernel.ir.place import Place
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout, Swizzle
from symcute.solve.entailment import facts

__all__ = ["shared"]


ROUNDED = "how far a swizzle reaches is rounded up to what it permutes"


def shared(found: Evaluation, arch: str | None = None) -> Iterator[Claimed]:
    """Yield what is claimed of the shared memory of each kernel of an evaluated module.

    `arch` is that of the device, as `sm_90a`; where it is not known, or none of those that are, the
    most that any device has is what there is.
    """
    for function in found.functions:
        yield from _seen_in(function, found.scope)
        yield from _fits(function, arch)


def _seen_in(function: Function, scope: Scope) -> Iterator[Claimed]:
    rooms: dict[str, Tensor] = {}
    spans: dict[str, list[_Span]] = {}
    for step in function.steps:
        for made in step.results:
            start = made.start if isinstance(made, Tensor) else None
            if not isinstance(start, Pointer) or start.space != "smem":
                continue
            if step.operation.name == "cute.memref.alloca":
                rooms[start.root] = made
            elif step.operation.name == "cute.make_view" and step.operation.place:
                yield from _seen(made, start, rooms.get(start.root), step, scope)
                if start.root in rooms and (span := _span(made, start, step.operation.place)):
                    spans.setdefault(start.root, []).append(span)
    for each in spans.values():
        yield from _apart(each)


# --- inside --------------------------------------------------------------------------------------


def _seen(
    view: Tensor, pointer: Pointer, room: Tensor | None, step: Step, scope: Scope
) -> Iterator[Claimed]:
    """What is seen of an allocation lies inside, and no two elements lie at one place."""
    place = step.operation.place
    assert place is not None
    name, layout = name_at(place), view.layout
    called = name or "the tensor"
    words = f"{called} {layout} lies in what is allocated for it"
    inner = layout.layout if isinstance(layout, ComposedLayout) else layout
    if room is None or not isinstance(room.start, Pointer) or not room.layout.is_static():
        reason = "where it points to is not known: it is none of the allocations that are seen"
        yield Claimed("in_bounds", place, name, words, reason=reason)
        return
    element = types.bits_of(pointer.element)
    whole = int(room.layout.cosize()) * types.bits_of(room.start.element)
    bound, words = whole // element, f"{words}, {whole // 8} bytes"
    doubt = GUARDED if step.conditional else ""
    if why := _leaves(pointer, whole // 8):
        yield Claimed("in_bounds", place, name, words, reason=why)
    elif share := unbent(view, scope):
        # It ends with a whole block of the swizzle, which begins at a multiple behind the base.
        block, base = block_of(share.swizzle), share.base
        end = f"{show(share.inner)} + {show(share.layout.cosize())}"
        if isinstance(base, int):
            claim = f"{end} <= {(bound - base) // block * block}"
        elif facts(scope.given(base)).proves(divides(block, base)):
            claim = f"({show(base)}) + {end} <= {bound // block * block}"
        else:
            claim = f"({show(base)}) + {end} + {block - 1} <= {bound}"
        claim = f"0 <= {show(base)} and 0 <= {show(share.inner)} and {claim}"
        given = scope.given(base, share.inner)
        doubt = doubt or ROUNDED
        yield Claimed("in_bounds", place, name, words, claim, given, doubt=doubt)
        return
    elif not all(isinstance(d, int) and d >= 0 for _, d in inner.modes()):
        reason = f"the strides of {layout} may be below 0"
        yield Claimed("in_bounds", place, name, words, reason=reason)
    elif isinstance(layout, ComposedLayout) and not _whole_number(layout.offset):
        reason = f"the offset of {layout} is no number that is known"
        yield Claimed("in_bounds", place, name, words, reason=reason)
    elif pointer.offset == 0:
        claim = f"in_bounds({layout}, {bound})"
        yield Claimed("in_bounds", place, name, words, claim, scope.given(layout), doubt=doubt)
    else:
        first = show(pointer.offset)
        claim = f"0 <= {first} and ({first}) + {_reach(layout, bound)}"
        given = scope.given(layout, pointer.offset)
        if isinstance(layout, ComposedLayout):
            doubt = doubt or ROUNDED
        yield Claimed("in_bounds", place, name, words, claim, given, doubt=doubt)
    if pointer.offset == 0 and not any(d == 0 and s != 1 for s, d in inner.modes()):
        words = f"no two elements of {called} {layout} share a place"
        yield Claimed("injective", place, name, words, f"injective({layout})", doubt=doubt)


def _whole_number(x: object) -> bool:
    return isinstance(x, int) and x >= 0


def _reach(layout: Layout | ComposedLayout, bound: int) -> str:
    """Return that a layout ends below a bound.

    A swizzle before an offset permutes the blocks that it reaches over: it ends with a whole one.
    """
    if isinstance(layout, ComposedLayout):
        block = block_of(layout.swizzle)
        end = f"{show(layout.offset)} + {show(layout.layout.cosize())}"
        return f"ceil_div({end}, {block})*{block} <= {bound}"
    return f"{show(layout.cosize())} <= {bound}"


def _leaves(pointer: Pointer, size: int) -> str:
    """Return why a pointer's swizzle may lead out of an allocation; "" where it does not.

    It permutes the bytes of each block of addresses, of which the allocation must be whole ones.
    """
    if pointer.swizzle is None:
        return ""
    block = block_of(Swizzle(*pointer.swizzle))
    if size % block == 0 and pointer.alignment % block == 0:
        return ""
    return (
        f"its swizzle moves bytes within {block}, and the {size} bytes that are allocated for it "
        f"are aligned to {pointer.alignment}"
    )


# --- apart ---------------------------------------------------------------------------------------


class _Span(NamedTuple):
    """The bytes from one to before another that a tensor has, and what its addresses are turned by.

    Seen without that, it has those from `low` to before `high` at most.
    """

    start: int
    end: int
    name: str
    place: Place
    swizzle: tuple[int, int, int] | None
    low: int
    high: int

    def beside(self, other: _Span) -> tuple[int, int]:
        """Return its bytes beside another tensor: what turns both alike keeps them apart."""
        same = self.swizzle == other.swizzle
        return (self.start, self.end) if same else (self.low, self.high)


def _span(view: Tensor, pointer: Pointer, place: Place) -> _Span | None:
    """Return the bytes of a tensor, where they are numbers.

    A swizzle permutes blocks of places: those that it may reach are the tensor's.
    """
    layout = view.layout
    inner = layout.layout if isinstance(layout, ComposedLayout) else layout
    name, element = name_at(place) or str(layout), types.bits_of(pointer.element)
    if not isinstance(pointer.offset, int) or not inner.is_static():
        return None
    if isinstance(layout, ComposedLayout) and layout.offset != 0:
        return None
    ends = [(int(s) - 1) * int(d) for s, d in inner.modes()]
    low, high = sum(x for x in ends if x < 0), sum(x for x in ends if x > 0) + 1
    if isinstance(layout, ComposedLayout):
        block = block_of(layout.swizzle)
        low, high = low // block * block, -(-high // block) * block
    start = (pointer.offset + low) * element // 8
    end = -(-(pointer.offset + high) * element // 8)
    least, most = start, end
    if pointer.swizzle is not None:
        # Where blocks of addresses begin is known where the allocation begins with one.
        block = block_of(Swizzle(*pointer.swizzle))
        more = 0 if pointer.alignment % block == 0 else block
        least, most = start // block * block - more, -(-end // block) * block + more
    return _Span(start, end, name, place, pointer.swizzle, least, most)


def _apart(spans: list[_Span]) -> Iterator[Claimed]:
    """Tensors of one allocation are apart, but for those that lie in another."""
    outer = [
        x
        for k, x in enumerate(spans)
        if not any(_inside(x, y, first=j < k) for j, y in enumerate(spans) if j != k)
    ]
    outer.sort(key=lambda x: x[:2])
    if len(outer) < 2:
        return
    pairs = list(combinations(outer, 2))
    shares = [(x, y) for x, y in pairs if x.beside(y)[1] > y.beside(x)[0]]
    place = (shares[0][1] if shares else outer[0]).place
    names = ", ".join(x.name for x in outer)
    words = f"{names} share no byte of what is allocated for them"
    if shares:
        x, y = shares[0]
        (x_start, x_end), (y_start, y_end) = x.beside(y), y.beside(x)
        reason = (
            f"{x.name} has the bytes from {x_start} to {x_end - 1}, and {y.name} those from "
            f"{y_start} to {y_end - 1}; whether that is on purpose is not known"
        )
        yield Claimed("disjoint", place, y.name, words, reason=reason)
        return
    claim = " and ".join(f"{x.beside(y)[1]} <= {y.beside(x)[0]}" for x, y in pairs)
    yield Claimed("disjoint", place, names, words, claim)


def _inside(x: _Span, y: _Span, first: bool) -> bool:
    """Return whether all of x is y's; of two that have the same bytes, the first has them."""
    return y.start <= x.start and x.end <= y.end and (x[:2] != y[:2] or first)


# --- all -----------------------------------------------------------------------------------------


def _fits(function: Function, arch: str | None) -> Iterator[Claimed]:
    """All allocations of a kernel, one behind the other, fit what a block may have."""
    rooms = [s for s in function.steps if s.operation.name == "cute.memref.alloca"]
    rooms = [s for s in rooms if _is_shared(s)]
    if not rooms:
        return
    unknown = next((s for s in rooms if _room(s) is None), None)
    if unknown is not None:
        place = unknown.operation.place or Place("module.mlir", unknown.operation.line, 1)
        why = "how much is allocated here is not known"
        yield Claimed("fits", place, function.name, "what is allocated fits a block", reason=why)
        return
    known = _architecture(arch)
    most = known.shared_bytes if known else max(a.shared_bytes for a in ARCHITECTURES.values())
    of = f"{known}" if known else "any device that is known"
    end = 0
    for step in rooms:
        size, alignment = _room(step) or (0, 1)
        end = -(-end // alignment) * alignment + size
    place = rooms[0].operation.place or Place("module.mlir", rooms[0].operation.line, 1)
    words = f"{end} bytes of shared memory are no more than a block of {of} may have"
    doubt = GUARDED if any(s.conditional for s in rooms) else ""
    yield Claimed("fits", place, function.name, words, f"{end} <= {most}", doubt=doubt)


def _is_shared(step: Step) -> bool:
    """Return whether an allocation is in shared memory, or may be."""
    (made,) = step.results
    start = made.start if isinstance(made, Tensor) else None
    return not isinstance(start, Pointer) or start.space == "smem"


def _room(step: Step) -> tuple[int, int] | None:
    """Return the bytes of an allocation in shared memory, and its alignment."""
    (made,) = step.results
    start = made.start if isinstance(made, Tensor) else None
    if not isinstance(start, Pointer) or start.space != "smem" or not made.layout.is_static():
        return None
    size = -(-int(made.layout.cosize()) * types.bits_of(start.element) // 8)
    return size, start.alignment


def _architecture(name: str | None) -> Architecture | None:
    """Return what is known of an architecture such as sm_90a."""
    plain = (name or "").replace("_", "").rstrip("af")
    return ARCHITECTURES.get(plain)
