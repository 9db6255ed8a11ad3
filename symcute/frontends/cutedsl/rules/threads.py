"""Rules of memory, and of what a thread gets of a tensor."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from symcute.errors import NotAdmissible
from symcute.expr.expression import value_at
from symcute.frontends.cutedsl import atoms, types
from symcute.frontends.cutedsl.bent import bend
from symcute.frontends.cutedsl.rules.call import (
    RULES,
    Call,
    Unruled,
    integers_of,
    layout_of,
    plain,
    rule,
)
from symcute.frontends.cutedsl.rules.values import moved
from symcute.frontends.cutedsl.values import Bent, Pointer, Tensor, dims_of
from symcute.layout.layout import Layout
from symcute.layout.slices import slice_and_offset
from symcute.layout.swizzle import ComposedLayout
from symcute.layout.tv.mma import OPERANDS
from symcute.layout.tv.slicing import require_whole_tiles


@rule("memref.alloca")
def _(call: Call) -> Any:
    kind = call.type()
    if not isinstance(kind, types.TensorType) or not isinstance(kind.start, types.PointerType):
        raise Unruled("no memory")
    name = call.operation.results[0].name
    start = replace(call.scope.make(kind.start, name), taken=False)
    if call.values:
        return Tensor(start, layout_of(call.values[0]))
    return Tensor(start, call.scope.make(kind.layout, name))


@rule("make_tiled_copy", "make_tiled_mma", "make_atom")
def _(call: Call) -> Any:
    return call.type()


@rule("tiled.copy.partition_S")
def _(call: Call) -> Any:
    return _copied(call, "S")


@rule("tiled.copy.partition_D")
def _(call: Call) -> Any:
    return _copied(call, "D")


def _copied(call: Call, side: str) -> Any:
    kind, x, thread = call.values
    if not isinstance(kind, types.TiledCopyType) or not isinstance(x, Tensor):
        raise Unruled("no tiled copy of a tensor")
    copy = (atoms.loaded(kind) if side == "D" else None) or atoms.tiled_copy(kind)
    tiler = copy.tiler_mn if isinstance(copy.tiler_mn, tuple) else (copy.tiler_mn,)
    whole = _inside(x)
    _whole(tiler, whole, call)
    deal = copy.tidfrg_S if side == "S" else copy.tidfrg_D
    shares = deal(whole, given=call.given())
    if isinstance(x.layout, ComposedLayout):
        return _bent(call, x, x.layout, *_share(shares, thread), thread)
    return _dealt(call, x, shares, thread)


def _inside(x: Tensor) -> Layout:
    """Return the layout that is divided: that before the swizzle, where there is one."""
    return x.layout.layout if isinstance(x.layout, ComposedLayout) else x.layout


def _bent(
    call: Call, x: Tensor, whole: ComposedLayout, share: Layout, offset: Any, thread: Any
) -> Tensor:
    """Return a thread's share of what is swizzled."""
    count = call.scope.whole.get(str(thread))
    if count is None or not isinstance(x.start, Pointer) or not share.is_static():
        raise Unruled(f"{whole} is swizzled")
    bent = Bent(whole.swizzle, x.start.offset, whole.offset + offset, str(thread), count)
    found = bend(call.type(), x.start, whole, share, bent, call.scope)
    if found is None:
        raise Unruled(f"{whole} is swizzled, and its share is not as it is known")
    return found


def _share(shares: Any, thread: Any) -> tuple[Layout, Any]:
    """Return the share of a thread of (threads, values, rest), the rest opened, and where it is."""
    rest = (None,) * shares[2].rank() if isinstance(shares[2].shape, tuple) else None
    return slice_and_offset((integers_of(thread), None, rest), shares)


def _whole(tiler: Any, layout: Layout, call: Call) -> None:
    """Leave to their types what is rounded up."""
    try:
        require_whole_tiles(tiler, layout, "a tensor", call.given())
    except NotAdmissible as error:
        raise Unruled("a tile that does not divide the tensor") from error


def _dealt(call: Call, x: Tensor, shares: Any, thread: Any) -> Tensor:
    kept, offset = _share(shares, thread)
    return Tensor(_given_to(call, x.start, offset, shares[0], thread), kept)


def _given_to(call: Call, start: Any, offset: Any, threads: Any, thread: Any) -> Any:
    """Return where the share of a thread is, and where those of all threads are."""
    found = moved(start, offset)
    if not isinstance(start, Pointer) or start.threads is not None:
        return replace(found, threads=None) if isinstance(found, Pointer) else found
    block = call.scope.whole.get(str(thread))
    if block is None or not isinstance(threads, Layout):
        return found
    return replace(found, threads=threads, base=start.offset, block=block)


@rule("tiled.mma.partition")
def _(call: Call) -> Any:
    kind, x, thread = call.values
    if not isinstance(kind, types.TiledMmaType) or not isinstance(x, Tensor):
        raise Unruled("no tiled MMA of a tensor")
    (operand,) = call.numbers("operand_id")
    mma = atoms.tiled_mma(kind)
    name = "ABC"[operand]
    whole = _inside(x)
    _whole(tuple(mma.tile_size(m) for m in OPERANDS[name]), whole, call)
    part = getattr(mma.get_slice(integers_of(thread)), f"partition_{name}")
    kept, offset = part(whole, given=call.given())
    if isinstance(x.layout, ComposedLayout):
        return _bent(call, x, x.layout, kept, offset, thread)
    return Tensor(_given_to(call, x.start, offset, None, thread), kept)


def _warp_uniform(call: Call) -> Any:
    """What lane 0 has: the value itself, where it is the same for all lanes of a warp."""
    (x,) = call.values
    free = dims_of(x) - call.scope.uniform
    if not free:
        return x
    ((name, *others), count) = sorted(free), call.scope.whole.get(min(free), 0)
    if others or not count or dims_of(x) != free:
        raise Unruled("lanes may have other values")
    if any(value_at(x, {name: t}) != value_at(x, {name: t // 32 * 32}) for t in range(count)):
        raise Unruled("lanes have other values")
    return x


RULES["cute_nvgpu.arch.make_warp_uniform"] = _warp_uniform


def _tma_tensor(call: Call) -> Any:
    """The atom of a descriptor, and the coordinates of the elements of its tensor."""
    kinds, x = (call.type(0), call.type(1)), call.values[0]
    if not isinstance(x, Tensor) or not isinstance(kinds[1], types.TensorType):
        raise Unruled("no tensor")
    stride, start = kinds[1].layout.stride, kinds[1].start
    if not isinstance(start, types.TupleType) or types.holes((stride, start.tree)):
        raise Unruled("coordinates that are not known")
    made = call.scope.make(kinds[1], call.operation.results[1].name)
    return kinds[0], Tensor(made.start, Layout(plain(x).shape, made.layout.stride))


TMA_TENSORS = tuple(f"cute_nvgpu.atom.make_non_exec_tiled_tma_{x}" for x in ("load", "store"))
RULES.update(dict.fromkeys(TMA_TENSORS, _tma_tensor))


def _tma_partition(call: Call) -> Any:
    """The boxes of TMA, of one block: where each begins in shared memory is where the tile does."""
    _, coordinate, blocks, memory, _ = call.values
    if integers_of(coordinate) != 0 or plain(blocks).size() != 1:
        raise Unruled("boxes that several blocks share")
    kinds = call.type(0), call.type(1)
    if not isinstance(memory, Tensor) or not isinstance(kinds[0], types.TensorType):
        raise Unruled("no tensor")
    layout, whole = call.scope.make(kinds[0].layout, ""), plain(memory)
    same = layout.is_static() and whole.is_static() and layout.size() == whole.size()
    if not same or layout.cosize() != whole.cosize():
        raise Unruled("boxes that are not all of the tile")
    return Tensor(memory.start, layout), _far(call, kinds[1])


def _far(call: Call, kind: Any) -> Any:
    """Return the boxes in global memory: of one tile they begin where the tile does."""
    whole = call.values[4]
    made = call.scope.make(kind, call.operation.results[1].name)
    if not isinstance(whole, Tensor) or not isinstance(made, Tensor):
        return made
    if isinstance(whole.start, Pointer) or isinstance(made.start, Pointer):
        return made
    return Tensor(whole.start, made.layout)


RULES["cute_nvgpu.atom.tma_partition"] = _tma_partition
