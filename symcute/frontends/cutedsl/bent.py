"""Shares of tensors whose layout is swizzled: where that of each thread begins, and goes on.

The DSL gives a thread a plain layout behind a pointer: the pointer is what the swizzle makes of the
share's first offset, and a stride what it makes of a step from there, which hangs on the thread. So
both are dims here, and it is known what each is for every thread: `swizzle(inner + layout)`. That a
plain layout is just this is computed for all threads and coordinates, where a share is made and
wherever it is used again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from math import gcd
from typing import Any

from symcute.expr.expression import value_at, with_values
from symcute.expr.formula import divides
from symcute.expr.htuple import Leaf, flatten, product, transform
from symcute.frontends.cutedsl import types
from symcute.frontends.cutedsl.values import Bent, Pointer, Scope, Tensor, dims_of
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout, Swizzle
from symcute.solve.entailment import facts

__all__ = ["Unbent", "bend", "block_of", "unbent"]

#: The most places of all threads that are compared one by one.
_MOST = 1 << 16


def block_of(swizzle: Swizzle) -> int:
    """Return the size of the blocks inside which a swizzle moves: those of the bits it changes."""
    return int(1 << swizzle.bits + swizzle.base + max(0, -swizzle.shift))


def _period(swizzle: Swizzle) -> int:
    """Return what may be added before a swizzle as well as behind it."""
    return int(1 << swizzle.bits + swizzle.base + abs(swizzle.shift))


def bend(
    kind: Any, start: Pointer, whole: ComposedLayout, share: Layout, bent: Bent, scope: Scope
) -> Tensor | None:
    """Return a thread's share as its type has it, or None where that is not `share` swizzled.

    `share` lies at `bent.inner` in `whole`, whose elements lie behind `start`.
    """
    if not isinstance(kind, types.TensorType) or not isinstance(kind.start, types.PointerType):
        return None
    swizzled = kind.layout.swizzle is not None or kind.start.swizzle is not None
    if swizzled or start.swizzle is not None:
        return None
    if (refined := _refined(kind.layout.shape, share.shape, share.stride)) is None:
        return None
    share = Layout(kind.layout.shape, refined)
    if dims_of(bent.inner) - {bent.thread} or bent.count * int(share.size()) > _MOST:
        return None
    inner = [value_at(bent.inner, {bent.thread: t}) for t in range(bent.count)]
    if min(inner) < 0 or min(_steps(share), default=0) < 0:
        return None
    found = [whole.swizzle(x) for x in inner]
    strides = []
    for said, step, extent in _modes(kind.layout.stride, share.stride, share.shape):
        if not isinstance(said, types.Hole):
            if said != step and extent != 1:
                return None
            continue
        made = [whole.swizzle(x + step) - y for x, y in zip(inner, found, strict=True)]
        if step % said.divisor or any(x % said.divisor for x in made):
            return None
        each = [x // said.divisor for x in made]
        number = scope.integer("n", least=min(each))
        scope.below[str(number)] = max(each) + 1
        scope.bent[str(number)] = (bent, step // said.divisor, tuple(each))
        strides.append(said.divisor * number)
    unit = gcd(*found) or 1
    number = scope.integer("n", least=min(found) // unit)
    scope.below[str(number)] = max(found) // unit + 1
    scope.bent[str(number)] = (bent, None, tuple(x // unit for x in found))
    stride = scope.filled(kind.layout.stride, iter(strides))
    begin = replace(start, offset=start.offset + unit * number, threads=None, base=0)
    result = Tensor(begin, Layout(share.shape, stride))
    return result if unbent(result, scope) is not None else None


def _refined(said: Any, shape: Any, stride: Any) -> Any:
    """Return the strides for a shape whose modes may be cut into several; None where it is another.

    >>> _refined(((2, 2), 8), (4, 8), (16, 1))
    ((16, 32), 1)
    """
    if isinstance(shape, tuple):
        if not isinstance(said, tuple) or len(said) != len(shape):
            return None
        found = tuple(_refined(*x) for x in zip(said, shape, stride, strict=True))
        return None if None in found else found
    if isinstance(said, tuple):
        sizes = flatten(said)
        if product(sizes) != shape or not all(isinstance(x, int) for x in sizes):
            return None
        each = iter([stride * product(sizes[:k]) for k in range(len(sizes))])
        return transform(lambda _: next(each), said)
    return stride if said == shape else None


def _steps(layout: Layout) -> list[int]:
    return [int(d) for _, d in layout.modes()]


def _modes(said: Any, stride: Any, shape: Any) -> Iterator[tuple[Any, int, int]]:
    if isinstance(stride, tuple):
        for a, b, c in zip(said, stride, shape, strict=True):
            yield from _modes(a, b, c)
    else:
        yield said, int(stride), int(shape)


@dataclass(frozen=True)
class Unbent:
    """What a share is: `base` elements behind its root, `swizzle(inner + layout)` of each thread.

    `threads` are the inner offsets of the threads behind that of thread 0, which is `first`.
    """

    base: Leaf
    swizzle: Swizzle
    inner: Leaf
    layout: Layout
    first: int
    threads: tuple[int, ...]


def unbent(x: Tensor, scope: Scope) -> Unbent | None:
    """Return what a tensor is if its start and strides are of a swizzled share, else None.

    Post-conditions: for every thread and coordinate the tensor's place is that of the result.
    """
    start, layout = x.start, x.layout
    if not isinstance(start, Pointer) or not isinstance(layout, Layout):
        return None
    ours = sorted(d for d in dims_of(start) | dims_of(layout) if d in scope.bent)
    firsts = [d for d in ours if scope.bent[d][1] is None]
    if len(firsts) != 1:
        return None
    bent = scope.bent[firsts[0]][0]
    if any(scope.bent[d][0] != bent for d in ours):
        return None
    plain = dict.fromkeys(ours, 0)
    inner: Any = with_values(start.offset, plain) - bent.base + bent.inner
    for d in ours:
        step = scope.bent[d][1]
        factor = with_values(start.offset, {**plain, d: 1}) - with_values(start.offset, plain)
        if not isinstance(factor, int):
            return None
        inner = inner + factor * (step or 0)
    steps = {d: scope.bent[d][1] or 0 for d in ours}
    share = Layout(layout.shape, _told(layout.stride, steps))
    others = dims_of(inner) - {bent.thread}
    still = with_values(inner, dict.fromkeys(others, 0))
    outside = inner - still
    given = scope.given(inner)
    period = _period(bent.swizzle)
    if outside != 0 and not facts(given).proves(divides(period, outside)):
        return None
    if not share.is_static() or min(_steps(share), default=0) < 0:
        return None
    threads = _compared(x, still, share, ours, others, scope)
    if threads is None:
        return None
    behind = tuple(y - threads[0] for y in threads)
    return Unbent(bent.base + outside, bent.swizzle, still, share, threads[0], behind)


def _told(stride: Any, steps: dict[str, int]) -> Any:
    """Return strides before the swizzle."""
    if isinstance(stride, tuple):
        return tuple(_told(d, steps) for d in stride)
    return with_values(stride, {d: n for d, n in steps.items() if d in dims_of(stride)})


def _compared(
    x: Tensor, inner: Leaf, share: Layout, ours: list[str], others: set[str], scope: Scope
) -> tuple[int, ...] | None:
    """Return where each thread's share begins before the swizzle; None where a place is another."""
    bent = scope.bent[ours[0]][0]
    if bent.count * int(share.size()) > _MOST:
        return None
    rest = with_values(x.start.offset - bent.base, dict.fromkeys(others, 0))
    parts = tuple((d, *scope.bent[d][1:]) for d in ours)
    return _begins(bent.thread, bent.count, bent.swizzle, rest, inner, x.layout, share, parts)


@lru_cache(maxsize=256)
def _begins(
    thread: str, count: int, swizzle: Swizzle, rest: Leaf, inner: Leaf, layout: Layout,
    share: Layout, parts: tuple[tuple[str, int | None, tuple[int, ...]], ...],
) -> tuple[int, ...] | None:  # fmt: skip
    """Return where each thread's share begins before the swizzle; None where a place is another.

    Unrolled loops ask for the same ones over and over.
    """
    inside, swizzled, reach = _places(share), cache(swizzle), swizzle.reach
    places: dict[tuple[int, ...], list[int]] = {}
    found, alike = list[int](), set[object]()
    for t in range(count):
        at = {d: values[t] for d, _, values in parts} | {thread: t}
        begin, first = value_at(rest, at), value_at(inner, {thread: t})
        steps = tuple([at[d] for d, step, _ in parts if step is not None])
        if steps not in places:
            places[steps] = _places(Layout(layout.shape, _told(layout.stride, at)))
        if first < 0:
            return None
        found.append(first)
        # Multiples of the reach go through a swizzle.
        low = first % reach
        begin -= first - low
        if (begin, low, steps) in alike:
            continue
        for p, i in zip(places[steps], inside, strict=True):
            over = (low + i) // reach * reach
            if begin + p != swizzled(low + i - over) + over:
                return None
        alike.add((begin, low, steps))
    return tuple(found)


def _places(layout: Layout) -> list[int]:
    """Return what a layout of numbers is at each index.

    >>> _places(Layout((2, 3), (3, 1)))
    [0, 3, 1, 4, 2, 5]
    """
    found = [0]
    for extent, stride in layout.modes():
        found = [x + i * int(stride) for i in range(int(extent)) for x in found]
    return found
