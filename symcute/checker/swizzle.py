"""Swizzles `Sw<bits,base,shift>`: a field of bits is exclusive-ored with the one `shift` above.

For a negative shift it is the upper field that changes. The other one stays as it is, so a swizzle
undoes itself, on all integers.
"""

from __future__ import annotations

from typing import Any

from symcute.checker.terms import Refused, listed

Fields = tuple[int, int, int]
#: How far up a swizzle may reach.
MAX_BITS = 64
#: The swizzle of no bits, which changes nothing.
PLAIN: Fields = (0, 0, 0)


def fields_of(item: Any) -> Fields:
    """Return the swizzle that three ints are."""
    bits, base, shift = listed(item, int, int, int)
    if min(bits, base) < 0 or abs(shift) < bits or bits + base + abs(shift) > MAX_BITS:
        raise Refused(f"Sw<{bits},{base},{shift}> is no swizzle of at most {MAX_BITS} bits")
    return bits, base, shift


def swizzle(fields: Fields, x: int) -> int:
    """Return an integer with the lower field (the upper, for a negative shift) changed."""
    bits, base, shift = fields
    moved = x & ((1 << bits) - 1) << base + max(shift, 0)
    return x ^ (moved >> shift if shift >= 0 else moved << -shift)


def period(fields: Fields) -> int:
    """Return the power of two above the highest bit that changes.

    The bits from there on stay as they are, so [k*period, (k+1)*period) is mapped into itself for
    each k: onto itself, as different integers stay different.
    """
    bits, base, shift = fields
    return 1 << base + max(-shift, 0) + bits if bits else 1
