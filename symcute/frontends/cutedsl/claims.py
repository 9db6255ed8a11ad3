"""What is claimed of a module's layouts: each with its place in the source and what it speaks of.

A claim is text of our language, which `prove` decides for all sizes; where none can be stated the
reason stands in its place. How many threads share an element comes from the instruction and from
how a tiled MMA repeats it, never from trying.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from symcute.errors import SymcuteError
from symcute.expr.htuple import product, show
from symcute.frontends.cutedsl import atoms, types
from symcute.frontends.cutedsl.evaluation import Evaluation, Step
from symcute.frontends.cutedsl.values import UNKNOWN, Pointer, Scope, Tensor
from symcute.kernel.ir.place import Place
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout
from symcute.layout.tv.mma import TiledMMA

__all__ = [
    "GUARDED",
    "PROMISE",
    "Claimed",
    "claims",
    "copied_vectors",
    "is_guarded",
    "is_tma",
    "name_at",
]

#: Why what is false of a tile may not be of what is touched.
GUARDED = "whether a predicate or a condition keeps that from being is not known"
_BY_TYPE = "of its alignment only what its type says is known"

#: The property that a source's promises are kept, on which others rest.
PROMISE = "promises_kept"

#: Bits of a row that a lane of ldmatrix or stmatrix names: eight elements of 16 bits.
_ROW = 128
_MATRICES = re.compile(r"atom\.(ldsm|stsm)<")
_OPERANDS = {"A": (0, 2), "B": (1, 2), "C": (0, 1)}


@dataclass(frozen=True)
class Claimed:
    """A property of something in the source: a claim to prove, or why none can be stated."""

    property: str
    place: Place
    subject: str
    words: str
    claim: str = ""
    given: tuple[str, ...] = ()
    reason: str = ""
    #: Why a refutation says nothing, as where predicates keep what is beyond from being touched.
    doubt: str = ""
    #: Claims of what a compiler may make of it: a refutation says something where all are refuted.
    unless: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = ()
    #: Whether it speaks of a pointer of which only the type is known, which believes promises.
    by_type: bool = False


def claims(found: Evaluation) -> Iterator[Claimed]:
    """Yield what is claimed of an evaluated module, in the order of its operations."""
    guarded = any(is_guarded(step) for step in found.steps())
    mmas, several = _mmas(found), _given_by_several(found)
    for step in found.steps():
        name, place = step.operation.name, step.operation.place
        if place is None:
            continue
        if name == "cute.assume":
            yield _promise(step, place, found.scope)
        for made in step.results:
            if isinstance(made, types.TiledCopyType):
                yield _copy(made, place, mmas)
            elif isinstance(made, types.TiledMmaType):
                yield from _mma(made, place)
        if (
            name in ("cute.tiled.copy.partition_S", "cute.tiled.copy.partition_D")
            or name == "cute.tiled.mma.partition"
        ):
            yield from _divided(step, place, found.scope, guarded or step.conditional)
        elif name == "cute.copy" and not is_tma(step.operands[0]):
            yield from _vectors(step, place, found.scope)
            yield from _shares(step, place, several)


def is_guarded(step: Step) -> bool:
    """Return whether an operation may keep accesses from being made: a comparison, a predicate."""
    sizes = step.operation.properties.get("operandSegmentSizes", "")
    name = step.operation.name
    return name == "cute.elem_less" or (
        name in ("cute.copy", "cute.autovec_copy") and sizes == "array<i32: 1, 1, 1, 1>"
    )


def _promise(step: Step, place: Place, scope: Scope) -> Claimed:
    """What the source promises of an integer is so."""
    value, kind = step.operands[0], types.read_type(step.operation.results[0].type)
    words = "what cute.assume says of an integer"
    if not isinstance(kind, types.IntegerType) or value is UNKNOWN:
        return Claimed(PROMISE, place, "", words, reason="what it says, or of what, is not known")
    words = f"cute.assume: {show(value)} is a multiple of {kind.divisor}"
    doubt = GUARDED if step.conditional else ""
    claim = f"({_kept(show(value), kind)}) % {kind.divisor} == 0"
    return Claimed(PROMISE, place, "", words, claim, scope.given(value), doubt=doubt)


def _kept(value: str, kind: types.IntegerType) -> str:
    """Return what a type keeps of a value, or another number that its divisor divides if it does.

    A value that wraps differs by a multiple of a power of two.
    """
    if 2**kind.bits % kind.divisor == 0:
        return value
    half = 2 ** (kind.bits - 1)
    return f"({value} + {half}) % {2 * half} - {half}"


def is_tma(kind: Any) -> bool:
    """Return whether what copies is TMA: no thread moves anything."""
    return isinstance(kind, types.AtomType) and kind.text.startswith("!cute_nvgpu.atom.tma_")


def name_at(place: Place) -> str:
    """Return what is assigned at a place of a Python source; "" where it is not known."""
    lines = _lines(place.file)
    line = lines[place.line - 1] if 0 < place.line <= len(lines) else ""
    found = re.match(r"\s*([A-Za-z_][\w., ]*?)\s*=[^=]", line)
    return found.group(1) if found else ""


@lru_cache(maxsize=64)
def _lines(path: str) -> tuple[str, ...]:
    try:
        return tuple(Path(path).read_text(encoding="utf-8").splitlines())
    except (OSError, ValueError):
        return ()


# --- who holds what ----------------------------------------------------------------------------


def _mmas(found: Evaluation) -> list[TiledMMA]:
    kinds = {
        value
        for step in found.steps()
        for value in (*step.operands, *step.results)
        if isinstance(value, types.TiledMmaType)
    }
    result = []
    for kind in kinds:
        try:
            result.append(atoms.tiled_mma(kind))
        except SymcuteError:
            continue
    return result


def _copy(kind: types.TiledCopyType, place: Place, mmas: list[TiledMMA]) -> Claimed:
    """Every element of the tile is held once, or as often as threads share the MMA's operand."""
    words = f"tiled copy {name_at(place)}".rstrip()
    try:
        copy = atoms.tiled_copy(kind)
    except SymcuteError as error:
        reason = str(error).splitlines()[0]
        return Claimed("partition_exact", place, words, words, reason=reason)
    tile = tuple(int(product(_size(x))) for x in copy.tiler_mn)
    often, why = 1, ""
    for mma in mmas:
        for operand, modes in _OPERANDS.items():
            shape = tuple(mma.tile_size(m) for m in modes)
            if shape == tile and _same(getattr(mma, f"get_layout{operand}_TV")(), copy.layout_tv):
                often = atoms.shared_by(mma)[operand]
                why = f", as operand {operand} of {mma.atom.name}"
    copies = f", {often}" if often > 1 else ""
    claim = f"partition_exact({copy.layout_tv}, {show(tile)}{copies})"
    each = "one" if often == 1 else str(often)
    words += f": each element of the tile {show(tile)} belongs to {each} (thread, value){why}"
    return Claimed("partition_exact", place, name_at(place), words, claim)


def _size(x: Any) -> Any:
    return x.size() if isinstance(x, Layout) else x


def _same(left: Layout, right: Layout) -> bool:
    if left.size() != right.size() or left[0].size() != right[0].size():
        return False
    return all(left(i) == right(i) for i in range(int(left.size())))


def _mma(kind: types.TiledMmaType, place: Place) -> Iterator[Claimed]:
    words = f"tiled MMA {name_at(place)}".rstrip()
    try:
        mma = atoms.tiled_mma(kind)
    except SymcuteError as error:
        reason = str(error).splitlines()[0]
        yield Claimed("partition_exact", place, name_at(place), words, reason=reason)
        return
    shared = atoms.shared_by(mma)
    for operand, modes in _OPERANDS.items():
        layout = getattr(mma, f"get_layout{operand}_TV")()
        tile, often = tuple(mma.tile_size(m) for m in modes), shared[operand]
        each = "one" if often == 1 else str(often)
        text = f"{words}: each element of {operand} {show(tile)} belongs to {each} (thread, value)"
        copies = f", {often}" if often > 1 else ""
        claim = f"partition_exact({layout}, {show(tile)}{copies})"
        yield Claimed("partition_exact", place, name_at(place), text, claim)


def _divided(step: Step, place: Place, scope: Scope, guarded: bool) -> Iterator[Claimed]:
    """The tile divides what is partitioned: else the partition reaches beyond it."""
    kind, tensor = step.operands[:2]
    if not isinstance(tensor, Tensor):
        yield Claimed("divides", place, name_at(place), "partition", reason="its tensor is unknown")
        return
    tile: tuple[Any, ...]
    try:
        if isinstance(kind, types.TiledCopyType):
            tile = tuple(atoms.tiled_copy(kind).tiler_mn)
        else:
            operand = step.operation.properties.get("operand_id", "")[:1]
            mma = atoms.tiled_mma(kind)
            tile = tuple(mma.permutation(m) for m in tuple(_OPERANDS.values())[int(operand)])
    except (SymcuteError, ValueError) as error:
        reason = str(error).splitlines()[0]
        yield Claimed("divides", place, name_at(place), "partition", reason=reason)
        return
    layout = tensor.layout
    if layout.rank() < len(tile):
        reason = f"{layout} has fewer modes than the tile {show(tile)}"
        yield Claimed("divides", place, name_at(place), "partition", reason=reason)
        return
    extents = tuple(layout[k].size() for k in range(len(tile)))
    parts = [_divides(t, e) for e, t in zip(extents, tile, strict=True) if t != 1]
    claim = " and ".join(parts) or "1 == 1"
    words = f"the tile {show(tile)} divides the tensor {show(extents)}"
    given = scope.given(extents)
    yield Claimed(
        "divides", place, name_at(place), words, claim, given, doubt=GUARDED if guarded else ""
    )


def _divides(tile: Any, extent: Any) -> str:
    """Return that repeated tiles have each element once: for an extent, that it divides.

    What a layout leaves out is repeated to fill the mode; the result is all of it where it is a
    bijection of that size.
    """
    if not isinstance(tile, Layout):
        return f"({show(extent)}) % {show(product(tile))} == 0"
    divided = f"logical_divide({show(extent)}:1, {tile})"
    return f"size({divided}) == {show(extent)} and bijective({divided})"


# --- what is accessed --------------------------------------------------------------------------


def _vectors(step: Step, place: Place, scope: Scope) -> Iterator[Claimed]:
    """Each copied vector is contiguous and aligned, on the sides that are memory."""
    kind, *tensors = step.operands
    atom = kind.atom if isinstance(kind, types.TiledCopyType) else kind
    if not isinstance(atom, types.AtomType):
        yield Claimed("vectorizable", place, "", "copy", reason="what copies is not known")
        return
    bits = copied_vectors(kind)
    for side, tensor in zip(("source", "destination"), tensors, strict=False):
        pointer = tensor.start if isinstance(tensor, Tensor) else None
        if isinstance(pointer, Pointer) and pointer.space == "rmem":
            continue
        words = f"{side} of the copy"
        if bits is None or not isinstance(pointer, Pointer) or pointer.space not in _MEMORIES:
            reason = f"{atom.text.removeprefix('!cute_nvgpu.').partition('<')[0]} is not known here"
            yield Claimed("vectorizable", place, "", words, reason=reason)
            continue
        guarded = step.conditional or is_guarded(step)
        start = Claimed("vectorizable", place, "", words, doubt=GUARDED if guarded else "")
        yield _vector(tensor, pointer, bits, start, scope)


def copied_vectors(kind: Any) -> int | None:
    """Return how many bits a thread moves at once in memory; None where that is not known."""
    atom = kind.atom if isinstance(kind, types.TiledCopyType) else kind
    if not isinstance(atom, types.AtomType):
        return None
    return _ROW if _MATRICES.search(atom.text) else atoms.copied_bits(atom)


_MEMORIES = ("gmem", "smem", "generic")


def _vector(tensor: Tensor, pointer: Pointer, bits: int, start: Claimed, scope: Scope) -> Claimed:
    def said(**more: Any) -> Claimed:
        return Claimed(**{**vars(start), **more})

    try:
        element = types.bits_of(pointer.element)
    except SymcuteError as error:
        return said(reason=str(error).splitlines()[0])
    words = f"{start.words} in {pointer.space}: vectors of {bits} bits are contiguous and aligned"
    rests = ("the alignment that the module's types state",) if pointer.taken else ()
    layout: Any = tensor.layout
    # A pointer's swizzle acts on bytes: it keeps vectors whole that are not wider than its unit.
    if pointer.swizzle is not None and 8 << pointer.swizzle[1] < bits:
        return said(words=words, reason=f"the swizzle {pointer.swizzle} moves parts of vectors")
    if isinstance(layout, ComposedLayout) and element << layout.swizzle.base < bits:
        return said(words=words, reason=f"the swizzle of {layout} moves parts of vectors")
    aligned = f"{8 * pointer.alignment} % {bits} == 0"
    claim = f"{aligned} and 1 == 1" if bits <= element else ""
    if not claim:
        base = "" if pointer.offset == 0 else f", {show(pointer.offset)}"
        # The instruction is repeated over all modes but the first, which it has to fill.
        filled = f"({show(_first_mode(layout))}) * {element} % {bits} == 0"
        claim = f"vectorizable({layout}, {element}, {bits}{base}) and {aligned} and {filled}"
    given = scope.given(layout, pointer.offset)
    by_type = pointer.taken and pointer.root not in scope.given_roots
    doubt = start.doubt or (_BY_TYPE if by_type else "")
    return said(words=words, claim=claim, given=given, rests_on=rests, doubt=doubt, by_type=by_type)


def _first_mode(layout: Any) -> Any:
    inner = layout.layout if isinstance(layout, ComposedLayout) else layout
    return inner[0].size() if isinstance(inner.shape, tuple) else inner.size()


def _shares(step: Step, place: Place, several: set[str]) -> Iterator[Claimed]:
    """Each thread of the block has one share of what is copied, and every share a thread."""
    kind, *tensors = step.operands
    starts = [x.start for x in tensors if isinstance(x, Tensor)]
    found = {
        (int(x.threads.size()), x.block)
        for x in starts
        if isinstance(x, Pointer) and x.threads is not None and isinstance(x.threads.size(), int)
    }
    for shares, block in sorted(found):
        words = f"the {block} threads of the block have the {shares} shares of the copy, each one"
        doubt = GUARDED if step.conditional or is_guarded(step) else ""
        if _copies(kind) in several:
            doubt = doubt or "other numbers than those of the threads are given shares, too"
        claim = f"{block} == {shares}"
        yield Claimed("shares", place, "", words, claim, doubt=doubt)


def _copies(kind: Any) -> str:
    return f"{kind.layout_tv} {kind.tiler}" if isinstance(kind, types.TiledCopyType) else ""


def _given_by_several(found: Evaluation) -> set[str]:
    """Return the tiled copies whose shares are given by more than one number."""
    by: dict[str, set[str]] = {}
    for step in found.steps():
        if step.operation.name.startswith("cute.tiled.copy.partition_"):
            by.setdefault(_copies(step.operands[0]), set()).add(str(step.operands[2]))
    return {copy for copy, numbers in by.items() if len(numbers) > 1}
