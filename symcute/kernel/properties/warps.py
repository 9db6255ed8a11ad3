"""Which threads are a warp: the coordinates of its lanes, as terms in what the lanes share.

The lanes of a warp are threads whose linear index differs by less than 32 (CUDA C++ Programming
Guide, SIMT Architecture). Where the rows of a block, or its only row, are cut by 32, or a few whole
rows are a warp, all warps are alike; otherwise they follow from the extents of the block. A warp
that the block does not fill is taken as if it did: a lane that is not there accesses nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isinf, prod
from typing import cast

from symcute.errors import InputError
from symcute.expr.intervals import Range
from symcute.expr.node import Node, Term
from symcute.expr.terms import (
    add,
    build,
    divide,
    equal,
    from_polynomial,
    mul,
    polynomial,
    remainder,
    show,
    substitute,
)
from symcute.hardware.access import WARP
from symcute.kernel.properties.context import Context
from symcute.kernel.symexec.entry import term_of
from symcute.solve.tiers import quickly

__all__ = ["Warp", "at_lanes", "reduced", "warps"]

_AXES = ("tx", "ty", "tz")


@dataclass(frozen=True)
class Warp:
    """A warp, or all warps of a block at once: for each lane what the coordinates are.

    `tx` or `ty` in a lane's coordinates is then the number of the warp in its row or block;
    `ranges` are what the names in them lie between.
    """

    lanes: tuple[dict[str, Term], ...]
    ranges: dict[str, Range]


def warps(context: Context) -> list[Warp]:
    """Return the warps of a block, in one where the lanes are alike in all of them.

    Errors: InputError where the extents of the block do not tell which threads are a warp, and
    for warps that are not those of the hardware that is modelled.
    """
    if context.map.target.warp != WARP:
        raise InputError(
            f"requests are modelled for warps of {WARP} threads",
            f"those of {context.map.target.name} have {context.map.target.warp}",
        )
    x, y, z = extents = [term_of(e) for e in context.setting.block]
    here = context.at(())
    most = [here.ranges.ranges.of(e)[1] for e in extents]
    if y == z == 1 or quickly(here, equal(remainder(x, WARP), 0)).status == "proved":
        return [_warp("tx", WARP, lambda n, first: {"tx": add(first, n)}, most)]
    if isinstance(x, int) and WARP % x == 0:
        rows = WARP // x
        if z == 1 or quickly(here, equal(remainder(y, rows), 0)).status == "proved":
            return [
                _warp("ty", rows, lambda n, first: {"tx": n % x, "ty": add(first, n // x)}, most)
            ]
    if not all(isinstance(e, int) for e in extents):
        shown = ",".join(map(show, extents))
        raise InputError(
            f"the extents of the block ({shown}) do not say which threads are a warp",
            "give a block of numbers, or one whose first extent is a multiple of 32",
        )
    sizes = [int(cast(int, e)) for e in extents]
    count = -(-prod(sizes) // WARP)
    return [Warp(tuple(_point(WARP * w + n, sizes) for n in range(WARP)), {}) for w in range(count)]


def _warp(
    axis: str, step: int, lane: Callable[[int, Term], dict[str, Term]], most: list[int | float]
) -> Warp:
    """Return all warps at once: they lie one after the other along an axis, `step` threads apart.

    That axis is then the number of the warp along it.
    """
    shared: dict[str, Range] = {n: (0, m - 1) for n, m in zip(_AXES, most, strict=True)}
    high = shared[axis][1]
    shared[axis] = (0, high if isinf(high) else int(high) // step)
    first: Term = mul(axis, step) if shared[axis][1] > 0 else 0
    return Warp(tuple(lane(n, first) for n in range(WARP)), shared)


def _point(index: int, sizes: list[int]) -> dict[str, Term]:
    """Return the coordinates of a linear index; beyond the block they go on along z."""
    x, y, _ = sizes
    return {"tx": index % x, "ty": index // x % y, "tz": index // (x * y)}


def at_lanes(term: Term, warp: Warp) -> list[Term]:
    """Return a term at each lane of a warp.

    >>> at_lanes(Node("%", "tx", 32), Warp(({"tx": Node("+", Node("*", "tx", 32), 5)},), {}))
    [5]
    """
    return [reduced(substitute(term, lane)) for lane in warp.lanes]


def reduced(term: Term) -> Term:
    """Return a term in which multiples of a number are taken out of divisions by it.

    >>> reduced(Node("//", Node("+", Node("*", "w", 32), 37), 32))
    ('+', 'w', 1)
    """
    if not isinstance(term, Node):
        return term
    op, args = term.op, [reduced(x) for x in term.args]
    if op in ("//", "%") and type(args[1]) is int and args[1] > 0:
        p = polynomial(args[0])
        if p is not None:
            c = args[1]
            left = from_polynomial({m: k % c for m, k in p.items() if k % c})
            if op == "%":
                return remainder(left, c)
            whole = from_polynomial({m: k // c for m, k in p.items() if k // c})
            return add(whole, divide(left, c))
    return build(op, *args)
