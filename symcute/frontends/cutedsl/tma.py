"""What the hardware asks of copies by TMA, which no thread makes: descriptors and their boxes.

CUDA's driver API says of `cuTensorMapEncodeTiled`: addresses in global memory are multiples of 16
bytes, and so is each stride but the first, which is one element; a box has at most 256 elements a
mode, and its rows are multiples of 16 bytes, as long as the swizzle reaches at most; PTX says that
its address in shared memory is a multiple of 128 bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from symcute.expr.htuple import flatten, show
from symcute.frontends.cutedsl import types
from symcute.frontends.cutedsl.claims import GUARDED, Claimed, is_tma
from symcute.frontends.cutedsl.evaluation import Evaluation, Step
from symcute.frontends.cutedsl.values import Pointer, Scope, Tensor
from symcute.kernel.ir.place import Place
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout

__all__ = ["tma"]

_MADE = re.compile(r"cute_nvgpu\.atom\.make_non_exec_tiled_tma_(?:load|store|reduce)\Z")
_BASIS = re.compile(r'tma_gbasis = <"(?P<layout>[^"]*)">')
#: What descriptors take elements for, by their bits: `internal_type` may be another type.
_FORMAT = re.compile(r"tma_format = (?:U|S|F|BF|TF)(?P<bits>8|16|32|64)(?:_RN|_RN_FTZ)?\b(?!_)")
#: Bytes of addresses and strides in global memory, and of addresses in shared memory.
GLOBAL, SHARED = 16, 128
#: Elements that a mode of a box has at most.
MOST = 256
#: The swizzles of bytes that TMA has, with the most bytes of a row; None for no limit.
SPANS = {(0, 4, 3): None, (1, 4, 3): 32, (2, 4, 3): 64, (3, 4, 3): 128, (2, 5, 2): 128}


def tma(found: Evaluation) -> Iterator[Claimed]:
    """Yield what is claimed of each descriptor, and of each place that TMA copies to or from."""
    for step in found.steps():
        place = step.operation.place
        if place is None:
            continue
        if _MADE.match(step.operation.name):
            yield from _descriptor(step, place, found.scope)
        elif step.operation.name == "cute.copy" and is_tma(step.operands[0]):
            for x in step.operands[1:]:
                start = x.start if isinstance(x, Tensor) else None
                if isinstance(start, Pointer) and start.space == "smem":
                    yield _box(start, step, place, found.scope)


def _descriptor(step: Step, place: Place, scope: Scope) -> Iterator[Claimed]:
    x, memory = step.operands[:2]
    start = x.start if isinstance(x, Tensor) else None
    words = "TMA: base and strides in global memory are multiples of 16 bytes, the first stride 1"
    doubt = GUARDED if step.conditional else ""
    if not isinstance(start, Pointer) or not isinstance(x.layout, Layout):
        yield Claimed("tma", place, "", words, reason="its tensor in global memory is not known")
        return
    bits = types.bits_of(start.element)
    if bits < 8:
        reason = f"TMA asks more of elements of {bits} bits, which lie in memory in several ways"
        yield Claimed("tma", place, "", words, reason=reason)
        return
    strides = [d for _, d in x.layout.modes() if d != 1]
    if len(strides) == len(x.layout.modes()):
        reason = f"no stride of {x.layout} is known to be 1"
        yield Claimed("tma", place, "", words, reason=reason)
    else:
        address = (
            f"{start.alignment} % {GLOBAL} == 0 and (({show(start.offset)}) * {bits}) % 128 == 0"
        )
        parts = [address, *(f"(({show(d)}) * {bits}) % {8 * GLOBAL} == 0" for d in strides)]
        given = scope.given(x.layout, start.offset)
        rests = ("the alignment that the module's types state",) if start.taken else ()
        yield Claimed(
            "tma", place, "", words, " and ".join(parts), given, doubt=doubt, rests_on=rests
        )
    text = step.operation.results[0].type
    basis, element = _BASIS.search(text), _FORMAT.search(text)
    words = "TMA: each mode of the box has at most 256 elements, its rows are multiples of 16 bytes"
    if basis is None or not isinstance(memory, Layout | ComposedLayout):
        yield Claimed("tma", place, "", words, reason="its box is not known")
        return
    box = flatten(_shape(basis["layout"]))
    if element is None:
        yield Claimed("tma", place, "", words, reason="what its box has as elements is not known")
        return
    row = int(box[0]) * int(element["bits"])
    parts = [f"{row} % {8 * GLOBAL} == 0", *(f"{n} <= {MOST}" for n in box)]
    if isinstance(memory, ComposedLayout):
        swizzle = memory.swizzle.bits, memory.swizzle.base, memory.swizzle.shift
        if swizzle not in SPANS:
            reason = f"{memory.swizzle} is no swizzle that TMA is known to have"
            yield Claimed("tma", place, "", words, reason=reason)
            return
        if span := SPANS[swizzle]:
            words += f" and at most the {span} of the swizzle"
            parts.append(f"{row} <= {8 * span}")
    yield Claimed("tma", place, "", words, " and ".join(parts), doubt=doubt)


def _shape(text: str) -> Any:
    found = types.read_type(f'!cute.layout<"{text}">')
    return found.shape if isinstance(found.shape, tuple) else (found.shape,)


def _box(start: Pointer, step: Step, place: Place, scope: Scope) -> Claimed:
    bits = types.bits_of(start.element)
    words = "TMA: the box begins at a multiple of 128 bytes in shared memory"
    claim = f"{start.alignment} % {SHARED} == 0"
    if start.offset != 0:
        claim += f" and (({show(start.offset)}) * {bits}) % {8 * SHARED} == 0"
    doubt = GUARDED if step.conditional else ""
    if start.taken:
        doubt = doubt or "of its alignment only what its type says is known"
    rests = ("the alignment that the module's types state",) if start.taken else ()
    given = scope.given(start.offset)
    return Claimed("tma", place, "", words, claim, given, doubt=doubt, rests_on=rests)
