"""How well the offsets of a layout are aligned, as runs of neighbours.

Source: cute/layout.hpp and cute/swizzle_layout.hpp, max_alignment.
"""

from __future__ import annotations

from math import gcd

from symcute.expr.assumptions import Given
from symcute.expr.basis import require_integers
from symcute.expr.htuple import Leaf
from symcute.layout.algebra.inverse import right_inverse
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout, Swizzle
from symcute.solve.entailment import Entailment, facts

__all__ = ["max_alignment"]


def max_alignment(layout: Layout | ComposedLayout | Swizzle, *, given: Given = ()) -> int:
    """Return n such that the offsets come in runs of n neighbours, each at a multiple of n.

    CuTe's answer, but that CuTe takes strides known at run time only for multiples of everything:
    here of what is proved. Of a swizzle it is the run that it moves as it is.
    Post-conditions: where every offset x that is reached lies in a run: all of
    x - x % n ... x - x % n + n - 1 are reached.

    >>> max_alignment(Layout.parse("(8,4):(1,16)")), max_alignment(Layout.parse("(8,4):(1,12)"))
    (8, 4)
    >>> max_alignment(ComposedLayout(Swizzle(3, 3, 3), 4, Layout((64, 8))))
    4
    >>> max_alignment(Layout.parse("(64,M):(1,LD)"), given=["LD % 8 == 0"])
    8
    """
    if isinstance(layout, Swizzle):
        return 1 << layout.base
    known = facts(given)
    if isinstance(layout, ComposedLayout):
        inside = max_alignment(layout.layout, given=given)
        return _shared(gcd(inside, 1 << layout.swizzle.base), layout.offset, known)
    if layout.coordinate_strides:
        require_integers(layout.stride, "max_alignment")
    numbers = [(s, d) for s, d in layout.modes() if isinstance(s, int) and isinstance(d, int)]
    inner = Layout(tuple(s for s, _ in numbers), tuple(d for _, d in numbers)) if numbers else None
    run = int(right_inverse(inner).size()) if inner is not None else 1
    found, left = run, run
    # The modes of the run, the smallest strides that continue each other, and all others.
    rest: list[tuple[Leaf, Leaf]] = list(layout.modes())
    current = 1
    while left > 1:
        mode = next(m for m in rest if m[1] == current and isinstance(m[0], int) and m[0] > 1)
        rest.remove(mode)
        current, left = current * int(mode[0]), left // int(mode[0])
    for s, d in rest:
        if not known.same(s, 1):
            found = _shared(found, d, known)
    return found


def _shared(n: int, leaf: Leaf, known: Entailment) -> int:
    """Return the greatest common divisor of n and a leaf, of one with dims what is proved."""
    if isinstance(leaf, int):
        return gcd(n, leaf)
    return next(k for k in sorted(_divisors(n), reverse=True) if known.divides(k, leaf))


def _divisors(n: int) -> list[int]:
    """Return the divisors of n, of a large one those that are powers of two."""
    if n <= 1 << 12:
        return [k for k in range(1, n + 1) if n % k == 0]
    return [1 << k for k in range((n & -n).bit_length())]
