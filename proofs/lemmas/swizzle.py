"""The lemma "swizzle": it undoes itself, and keeps each aligned block of offsets.

`Sw<bits,base,shift>` exclusive-ors one field of `bits` bits of an offset with another, `|shift|`
places away; the two do not overlap. Offsets are integers in two's complement: all bits above some
place are alike.

It undoes itself. A bit z that changes becomes the exclusive or with a bit y of the other field,
`z + y - 2*z*y`, which is a bit again (`swizzle_gives_a_bit`). y itself stays, so that a second time
z comes back (`swizzle_of_a_bit_twice`). The other bits never change. Hence different offsets go to
different offsets; with x added to both they stay different (`swizzle_after_an_offset`). So
`Sw o x o L` is injective exactly where L is.

It keeps blocks. Let P be the power of two above the highest bit that changes, the swizzle's period.
An offset is `r + P*h`, 0 <= r < P, with h of any sign. h is what the bits from P on make: it stays.
The bits below, changed or not, make a number from 0 to P - 1 again, by induction on their number
(`swizzle_low_bits_step`). So [P*h, P*h + P) goes into itself, for all h, and onto itself, as it is
finite and different offsets stay different. Where q = P*n, an offset in [0, q) has 0 <= h < n, as
those of the blocks from n on are not below q (`swizzle_of_the_blocks_above`) and those of h < 0 are
below 0; so it stays in [0, q) (`swizzle_stays_below_a_multiple`).
Then InBounds(Sw o x o L, b) follows from q <= b and 0 <= x + L(c) < q, which for x of at least 0 is
InBounds(L, q - x) (`swizzle_bounds_of_the_layout`).

That the fields are these, bit by bit, `proofs/cutlass/swizzles.py` checks for all small swizzles.
"""

from __future__ import annotations

from symcute import theorem

BOTH = ("z3", "cvc5")
SOURCE = "CuTe: cute/swizzle.hpp"
BITS = ["0 <= y", "y <= 1", "0 <= z", "z <= 1"]


@theorem(given=BITS, source=SOURCE, solvers=BOTH)
def swizzle_gives_a_bit() -> str:
    """z + y - 2*z*y is the exclusive or of two bits: 0 or 1, and 0 where they are alike."""
    return "0 <= z + y - 2*z*y <= 1 and (z == y implies z + y - 2*z*y == 0)"


@theorem(given=["0 <= y", "y <= 1", "0 <= z", "z <= 2"], expect="refuted", source=SOURCE)
def swizzle_gives_a_bit_neighbour() -> str:
    """The same when z may be 2."""
    return "0 <= z + y - 2*z*y <= 1"


@theorem(given=BITS, source=SOURCE, solvers=BOTH)
def swizzle_of_a_bit_twice() -> str:
    """The exclusive or with the same bit twice gives the bit back."""
    return "(z + y - 2*z*y) + y - 2*(z + y - 2*z*y)*y == z"


@theorem(given=["0 <= y", "y <= 2", "0 <= z", "z <= 1"], expect="refuted", source=SOURCE)
def swizzle_of_a_bit_twice_neighbour() -> str:
    """The same when y may be 2."""
    return "(z + y - 2*z*y) + y - 2*(z + y - 2*z*y)*y == z"


@theorem(given=["a >= 0", "b >= 0", "x >= 0", "a + x == b + x"], source=SOURCE, solvers=BOTH)
def swizzle_after_an_offset() -> str:
    """Offsets that are equal after x is added, or before a negative x is, are equal."""
    return "a == b"


@theorem(given=["w >= 1", "0 <= r", "r < w", "0 <= z", "z <= 1"], source=SOURCE, solvers=BOTH)
def swizzle_low_bits_step() -> str:
    """With one more bit of weight w, a number from 0 to w - 1 becomes one from 0 to 2*w - 1."""
    return "0 <= r + w*z < 2*w"


@theorem(given=["P >= 1", "0 <= r", "n >= 0", "k >= 0"], source=SOURCE, solvers=BOTH)
def swizzle_of_the_blocks_above() -> str:
    """An offset of the block n + k is not below P*n."""
    return "P*n <= r + P*(n + k)"


@theorem(given=["P >= 1", "0 <= r", "n >= 0", "k >= -1"], expect="refuted", source=SOURCE)
def swizzle_of_the_blocks_above_neighbour() -> str:
    """The same from the block n - 1 on."""
    return "P*n <= r + P*(n + k)"


@theorem(given=["P >= 1", "0 <= r", "r < P", "h >= 0", "h < n"], source=SOURCE, solvers=BOTH)
def swizzle_stays_below_a_multiple() -> str:
    """Whatever becomes of the bits below P, an offset of a block below n stays in [0, P*n)."""
    return "0 <= r + P*h < P*n"


@theorem(
    given=["P >= 1", "0 <= r", "r < P", "h >= 0", "0 <= s", "s < P", "r + P*h < q"],
    expect="refuted",
    source=SOURCE,
)
def swizzle_stays_below_a_multiple_neighbour() -> str:
    """The same for a bound that is no multiple of the period."""
    return "s + P*h < q"


@theorem(given=["x >= 0", "0 <= l", "l < q - x", "q <= b"], source=SOURCE, solvers=BOTH)
def swizzle_bounds_of_the_layout() -> str:
    """An offset of L in [0, q - x) is one of x + L in [0, q)."""
    return "0 <= x + l < q <= b"
