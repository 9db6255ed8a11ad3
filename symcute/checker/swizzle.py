"""Swizzles `Sw<bits,base,shift>`: a field of bits is exclusive-ored with the one `shift` above.

For a negative shift it is the upper field that changes. The other one stays as it is, so a swizzle
undoes itself, on all integers.
"""

from __future__ import annotations

from symcute.checker.forms import leaf
from symcute.checker.text import Node, Refused

Fields = tuple[int, int, int]
#: What a swizzle, an offset and a layout are in a text, and how far up a swizzle may reach.
SWIZZLED, MAX_BITS = "swizzled", 64


def parts(node: Node) -> tuple[Fields, Node, Node]:
    """Return the swizzle, the offset and the tree of the layout of `Sw<..> o offset o layout`."""
    bits, base, shift, offset, layout = node.args
    if abs(shift) < bits or bits + base + abs(shift) > MAX_BITS:
        raise Refused(f"Sw<{bits},{base},{shift}> is no swizzle of at most {MAX_BITS} bits")
    return (bits, base, shift), leaf(offset), layout


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
