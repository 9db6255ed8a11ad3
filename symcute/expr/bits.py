"""Bits of integers as quotients and remainders: `&`, `|`, `^` and `~` of what is known to be small.

An integer is endless two's complement. A row of ones in a mask is a remainder of a quotient; what a
bitwise `and` of two unknowns is takes one of them to have few bits (`proofs/lemmas/bits.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from symcute.errors import InputError
from symcute.expr.assumptions import Assumptions, ambient
from symcute.expr.expression import floor_div, minimum, mod
from symcute.expr.formula import states_power
from symcute.expr.htuple import Leaf, show_leaf
from symcute.expr.leaf import Expression
from symcute.expr.lowering import lower
from symcute.expr.polynomial import ONE, is_constant

__all__ = ["bit_and", "bit_not", "bit_or", "bit_xor"]

#: How many rows of ones a mask may have, and how many bits one of two unknowns.
MAX_ROWS, MAX_WIDTH = 32, 12


def bit_and(a: Leaf, b: Leaf) -> Leaf:
    """Return `a & b`: of a mask, of a power of two or one less, of what is known to be small.

    Errors: InputError for two unknowns of which nothing bounds the bits.

    >>> from symcute.expr.assumptions import assuming, dims
    >>> x, B = dims("x B")
    >>> bit_and(x, 31), bit_and(x, -4)
    (mod(x,32), x-mod(x,4))
    >>> with assuming("pow2(B)"):
    ...     print(bit_and(x, B - 1))
    mod(x,B)
    """
    if isinstance(a, int):
        a, b = b, a
    if isinstance(a, int) and isinstance(b, int):
        return a & b
    found = _by_mask(a, b)
    if found is not None:
        return found
    total: Leaf = 0
    for k in range(_fewest(a, b)):
        total = total + minimum(_bit(a, k), _bit(b, k)) * (1 << k)
    return total


def bit_or(a: Leaf, b: Leaf) -> Leaf:
    """Return `a | b`. Errors: as `bit_and`.

    >>> from symcute.expr.assumptions import dims
    >>> bit_or(4 * dims("x"), 3)
    4*x-mod(4*x,4)+3
    """
    return a + b - bit_and(a, b)


def bit_xor(a: Leaf, b: Leaf) -> Leaf:
    """Return `a ^ b`. Errors: as `bit_and`.

    >>> from symcute.expr.assumptions import dims
    >>> bit_xor(dims("x"), 1)
    x-2*mod(x,2)+1
    """
    if isinstance(a, int) or isinstance(b, int) or _by_mask(a, b) is not None:
        return a + b - 2 * bit_and(a, b)
    width = _fewest(a, b)
    total: Leaf = 0
    for x in (a, b):  # what is above the bits of one of them stays
        if _width(x, ambient()) != width:
            total = total + x - mod(x, 1 << width)
    for k in range(width):
        total = total + mod(_bit(a, k) + _bit(b, k), 2) * (1 << k)
    return total


def bit_not(a: Leaf) -> Leaf:
    """Return `~a`, which is -a - 1.

    >>> bit_not(127)
    -128
    """
    return -a - 1


def _bit(x: Leaf, k: int) -> Leaf:
    return mod(floor_div(x, 1 << k), 2)


def _by_mask(a: Leaf, b: Leaf) -> Leaf | None:
    """Return a & b where b is a number, or one of them a mask by a power of two."""
    if isinstance(b, int):
        return a - _masked(a, ~b) if b < 0 else _masked(a, b)
    known = ambient()
    found = _by_power(a, b, known)
    return _by_power(b, a, known) if found is None else found


def _fewest(a: Leaf, b: Leaf) -> int:
    """Return in how many bits one of two leaves fits. Errors: InputError where that is not seen."""
    widths = [w for w in (_width(x, ambient()) for x in (a, b)) if w is not None]
    if not widths or min(widths) > MAX_WIDTH:
        sides = " and ".join(map(show_leaf, (a, b)))
        raise InputError(
            f"the bits of {sides} may be any",
            f'assume that one is small, such as "{show_leaf(b)} < 16", or pow2(B) for a mask B - 1',
        )
    return min(widths)


def _masked(x: Leaf, mask: int) -> Leaf:
    """Return x & mask for a mask of at least 0: each row of ones is a remainder."""
    total: Leaf = 0
    for rows in range(MAX_ROWS + 1):
        if not mask:
            return total
        low = (mask & -mask).bit_length() - 1
        row = (mask >> low) ^ ((mask >> low) + 1)  # the lowest ones, and the bit above them
        width = row.bit_length() - 1
        total = total + mod(floor_div(x, 1 << low) if low else x, 1 << width) * (1 << low)
        mask &= ~(((1 << width) - 1) << low)
        if rows == MAX_ROWS:
            break
    raise InputError("a mask has too many rows of ones", "mask the bits in parts")


def _by_power(x: Leaf, mask: Leaf, known: Assumptions) -> Leaf | None:
    """Return x & mask where the mask is B - 1, -B or B for a power of two B."""
    if _is_power(mask + 1, known):
        return mod(x, mask + 1)
    if _is_power(-mask, known):
        return x - mod(x, -mask)
    if _is_power(mask, known):
        return mod(floor_div(x, mask), 2) * mask
    return None


def _is_power(x: Leaf, known: Assumptions) -> bool:
    """Return whether a leaf is a power of two: a number, a product of dims that are, a half."""
    if isinstance(x, Expression) and x.op == "FloorDiv" and isinstance(x.args[1], int):
        # Half of one that is at least 2 is one.
        c, names = x.args[1], lower(x.args[0]).num
        only = next(iter(names), ())
        return (
            c >= 1 and c & (c - 1) == 0 and len(only) == 1 and _is_power(x.args[0], known)
            and names[only] * known.lower_bound(only[0][0]) >= c
        )  # fmt: skip
    found = lower(x)
    c = next(iter(found.num.values()), 0)
    powers = set(_powers(known))
    return (
        found.den == ONE and len(found.num) == 1 and c > 0 and c & (c - 1) == 0
        and all(v in powers for v, _ in next(iter(found.num)))
    )  # fmt: skip


def _powers(known: Assumptions) -> Iterator[str]:
    """Yield the dims that are powers of two."""
    for f in known.formulas:
        if states_power(f) and known.lower_bound(f.args[0].args[0]) >= 1:
            yield f.args[0].args[0]


def _width(x: Leaf, known: Assumptions) -> int | None:
    """Return in how many bits a leaf fits, which is then at least 0; None where it is not seen."""
    if isinstance(x, int):
        return x.bit_length() if x >= 0 else None
    if not isinstance(x, Expression):
        return None
    if x.op == "dim":
        name = str(x.args[0])
        tops = [t for f in known.formulas if (t := _top(f, x)) is not None]
        return min(tops).bit_length() if tops and known.lower_bound(name) >= 0 else None
    if x.op == "Modulo" and isinstance(x.args[1], int) and x.args[1] > 0:
        return (x.args[1] - 1).bit_length()
    return None


def _top(f: Any, x: Expression) -> int | None:
    """Return the number that a formula says a dim does not exceed."""
    if f.op not in ("le", "lt", "eq"):
        return None
    for a, b in [f.args, f.args[::-1]] if f.op == "eq" else [f.args]:
        if isinstance(a, Expression) and a is x:
            c = is_constant(lower(b).num) if lower(b).den == ONE else None
            return None if c is None else c - (f.op == "lt")
    return None
