"""What the copies of a module cost in shared memory: the request of each warp, as an access.

Known are the shares of all threads where a tiled copy gave them to the threads by their number in
x, of a block that has no others. A copy to or from shared memory makes a request for each vector.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from symcute.errors import SymcuteError
from symcute.expr.formula import divides
from symcute.expr.htuple import flatten, show
from symcute.frontends.cutedsl import types
from symcute.frontends.cutedsl.bent import Unbent, unbent
from symcute.frontends.cutedsl.claims import GUARDED, Claimed, copied_vectors, is_guarded, is_tma
from symcute.frontends.cutedsl.evaluation import Evaluation, Step
from symcute.frontends.cutedsl.values import Pointer, Scope, Tensor
from symcute.hardware.access import WARP, Access
from symcute.hardware.architecture import ARCHITECTURES
from symcute.kernel.ir.place import Place
from symcute.layout.algebra import coalesce, composition, logical_divide
from symcute.layout.layout import Layout, make_layout
from symcute.layout.swizzle import ComposedLayout, Swizzle
from symcute.solve.entailment import facts

__all__ = ["requests"]

#: Bits of a bank: a request asks for no less.
(_BANK,) = {8 * a.bank_bytes for a in ARCHITECTURES.values()}
#: Bits that a lane accesses at once in shared memory at most.
_WIDEST = min(8 * a.largest_shared_access for a in ARCHITECTURES.values())


def requests(found: Evaluation, ways: int) -> Iterator[Claimed]:
    """Yield that no request of a copy to or from shared memory needs more ways of a bank."""
    for step in found.steps():
        if step.operation.name != "cute.copy" or step.operation.place is None:
            continue
        kind, *tensors = step.operands
        if is_tma(kind):
            continue
        bits = copied_vectors(kind)
        for side, tensor in zip(("source", "destination"), tensors, strict=False):
            start = tensor.start if isinstance(tensor, Tensor) else None
            if isinstance(start, Pointer) and start.space == "smem":
                yield _request(step, side, tensor, start, bits, ways, found.scope)


def _request(
    step: Step, side: str, tensor: Tensor, start: Pointer, bits: int | None, ways: int, scope: Scope
) -> Claimed:
    place = step.operation.place
    assert isinstance(place, Place)
    words = f"{side} of the copy in smem: at most {ways} way{'s' * (ways > 1)} of a bank"
    try:
        access, why = _access(tensor, start, bits, scope)
    except SymcuteError as error:
        access, why = None, str(error).splitlines()[0]
    if access is None:
        return Claimed("bank_conflicts", place, "", words, reason=why)
    claim = f"bank_conflict({access}, {ways})"
    doubt = GUARDED if step.conditional or is_guarded(step) else ""
    unless = tuple(f"bank_conflict({wider}, {ways})" for wider in joined(access))
    return Claimed("bank_conflicts", place, "", words, claim, doubt=doubt, unless=unless)


def joined(access: Access) -> Iterator[Access]:
    """Yield what a compiler may make of accesses, and does: neighbouring vectors become one.

    It makes no conflict that is not there without: what lanes begin with lies in other banks than
    what they end with, so that of each bank no more is asked than by one of both.
    """
    wider = twice(access)
    while wider is not None:
        yield wider
        wider = twice(wider)


def twice(access: Access) -> Access | None:
    """Return accesses of twice the bits, of vectors of a thread that are neighbours; or None."""
    length = access.width // access.element_bits
    lanes, (warps, vectors) = (m for m in access.inner)
    flat = coalesce(vectors)
    modes = list(zip(flatten(flat.shape), flatten(flat.stride), strict=True))
    pair = next((k for k, (s, d) in enumerate(modes) if d == length and s % 2 == 0), None)
    if pair is None or 2 * access.width > _WIDEST:
        return None
    modes[pair] = modes[pair][0] // 2, 2 * length
    others = [*flatten(lanes.stride), *flatten(warps.stride), *(d for s, d in modes if s != 1)]
    swizzle = access.swizzle
    if any(d % (2 * length) for d in others) or (swizzle.bits and 2 * length > 1 << swizzle.base):
        return None
    shapes, strides = zip(*modes, strict=True)
    layout: Any = make_layout(lanes, make_layout(warps, Layout(shapes, strides)))
    if swizzle.bits:
        layout = ComposedLayout(swizzle, access.offset, layout)
    return Access(layout, access.element_bits, 2 * access.width, access.base)


def _access(
    tensor: Tensor, start: Pointer, bits: int | None, scope: Scope
) -> tuple[Access | None, str]:
    """Return what the lanes access: (lane, (warp, vector)) to an element; or why that is open."""
    element = types.bits_of(start.element)
    if bits is None or bits < element:
        return None, "how much a thread moves at once is not known"
    inner: Any = tensor.layout
    if share := unbent(tensor, scope):
        return _of_share(share, start, element, bits, scope)
    if start.threads is None:
        return None, "which elements each thread has is not known"
    if why := _unturned(start.base, max(_BANK, bits), start, element, scope):
        return None, why
    swizzle = Swizzle(0, 0, 0)
    if isinstance(inner, ComposedLayout):
        if start.swizzle is not None or inner.offset != 0:
            return None, f"{inner} behind a swizzle or an offset"
        return None, f"the shares of the threads in {inner} are not known"
    if start.swizzle is not None:
        swizzle, why = _of_elements(start, element, scope)
        if why:
            return None, why
    threads = start.threads
    if not inner.is_static() or not threads.is_static():
        return None, "its layout has sizes that are not known"
    if int(threads.size()) != start.block:
        return None, f"of {start.block} threads in the block {threads.size()} have a share"
    return _made(swizzle, 0, threads, inner, element, bits)


def _made(
    swizzle: Swizzle, offset: int, threads: Layout, share: Layout, element: int, bits: int
) -> tuple[Access | None, str]:
    """Return the access of all threads to the vectors of their shares."""
    length = bits // element
    size, count = int(share.size()), int(threads.size())
    if size % length or (count % WARP and count > WARP):
        return None, "its vectors or warps are not whole"
    vectors: Any = composition(share, Layout(size // length, length))
    lanes = logical_divide(threads, WARP) if count > WARP else make_layout(threads, Layout(1, 0))
    layout: Any = make_layout(lanes[0], make_layout(lanes[1], vectors))
    if swizzle.bits:
        layout = ComposedLayout(swizzle, offset, layout)
    return Access(layout, element, bits), ""


def _of_share(
    share: Unbent, start: Pointer, element: int, bits: int, scope: Scope
) -> tuple[Access | None, str]:
    """Return the access of all threads to their shares of what is swizzled."""
    unit = max(_BANK, bits)
    if why := _unturned(share.base, unit, start, element, scope):
        return None, why
    threads = _by_bits(share.threads)
    if threads is None:
        return None, "the shares of the threads are no layout"
    return _made(share.swizzle, share.first, threads, share.layout, element, bits)


def _unturned(base: Any, unit: int, start: Pointer, element: int, scope: Scope) -> str:
    """Return why banks may not only turn with what lies before a tensor; "" where they do.

    They turn with the base, as long as that is a whole number of what is asked for.
    """
    if not scope.is_uniform(base):
        return f"the lanes of a warp may begin at other places: {show(base)}"
    if base != 0 and not facts(scope.given(base)).proves(divides(unit // element, base)):
        return f"{show(base)} elements are not seen to be a multiple of {unit} bits"
    if 8 * start.alignment % unit:
        return f"it is aligned to {start.alignment} bytes, and {unit} bits are asked for"
    return ""


def _by_bits(places: tuple[int, ...]) -> Layout | None:
    """Return the layout of places that are sums over the bits of their numbers.

    >>> print(_by_bits((0, 8, 16, 24)), _by_bits((0, 1, 2, 4)))
    (2,2):(8,16) None
    """
    bits = (len(places) - 1).bit_length()
    found = Layout((2,) * bits or 1, tuple(places[1 << k] for k in range(bits)) or 0)
    if len(places) != 1 << bits or any(found(t) != x for t, x in enumerate(places)):
        return None
    return found


def _of_elements(start: Pointer, element: int, scope: Scope) -> tuple[Swizzle, str]:
    """Return a pointer's swizzle, which acts on bytes, as one of elements behind the base."""
    assert start.swizzle is not None
    bits, base, shift = start.swizzle
    reach = 1 << bits + base + abs(shift)
    inside = (8 * reach) // element
    less = (element // 8).bit_length() - 1
    if element < 8 or base < less:
        return Swizzle(0, 0, 0), "its swizzle moves parts of elements"
    if start.base != 0 and not facts(scope.given(start.base)).proves(divides(inside, start.base)):
        return Swizzle(0, 0, 0), f"{start.base} elements are not seen to be whole blocks"
    if start.alignment % reach:
        why = f"its swizzle moves bytes within {reach}, and it is aligned to {start.alignment}"
        return Swizzle(0, 0, 0), why
    return Swizzle(bits, base - less, shift), ""
