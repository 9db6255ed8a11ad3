"""Bits as quotients and remainders: masks, `&`, `|`, `^` and `~`.

Integers are endless two's complement: bit k of x is `(x // P) % 2` with P = 2**k. The first k bits
are `x % P`: by induction on k, from `x % 1`, which is 0, the next bit is added with its weight
(`bits_next`). Above them stands `x - x % P`, a multiple of P (`bits_above`). So
- a row of w ones from bit l keeps `x // 2**l % 2**w * 2**l`: bit k of `x // 2**l` is bit k + l of x
  (`quotient_by_a_product`), of which the first w stay;
- for a power of two B, `x & (B-1)` is `x % B`, `x & -B` is `x - x % B`, `x & B` the bit B alone;
- a mask of several rows keeps their sum, and a mask below 0 what the others do not: each bit is in
  a mask or in its complement (`bits_of_a_mask`).

Two numbers. Bit by bit `a & b` is the smaller, `a | b` the larger, and `a ^ b` what the sum of both
leaves of 2. So with each further bit, of weight P, `a | b` stays `a + b - (a & b)` (`bits_or`),
`a ^ b` stays `a + b - 2*(a & b)` (`bits_xor`), and `~a`, with 1 less each bit, `-a - 1`
(`bits_not`, `bits_not_parity`). Numbers of either sign have one more bit, which counts below 0:
the equations are linear, and hold with a weight of -P as well.
- Where a is a multiple of P and b lies in [0, P), no bit is in both (`bits_apart`), so that `a | b`
  and `a ^ b` are `a + b`.
- Where c is a power of two, `x ^ c` is `x + c - 2*c*t` with the bit t of x that c has: `x + c` or
  `x - c` (`bits_flipped`), and never x. Two numbers that both change by the same bits are equal
  where they were (`bits_changed_alike`), and what changes by the same bits twice is what it was
  (`bits_turned_back`).
- Bounds: of numbers of at least 0 `a & b` is at most each, `a | b` at least each and at most
  `a + b`, `a ^ b` at most `a + b`; and all are below 2**w where a and b are (`bits_bounds`,
  `bits_below`).
"""

from __future__ import annotations

from symcute import theorem

BOTH = ("z3", "cvc5")
MASKS = "how bits are read: masks"
PAIRS = "how bits are read: two numbers"

#: A number x1 - x0 of any sign, and a weight P.
ANY = ["x0 >= 0", "x1 >= 0", "P >= 1"]
#: Two bits, and what the bits before them came to.
BITS = ["a >= 0", "a <= 1", "b >= 0", "b <= 1"]


@theorem(given=["u0 >= 0", "u1 >= 0", "t >= 0", "t <= 1", "r >= 0", "r <= P - 1"],
         source=MASKS, solvers=BOTH)  # fmt: skip
def bits_next() -> tuple[str, str]:
    """P*(2*u + t) + r, u of any sign, leaves P*t + r of 2*P: one bit more than r, which P leaves.

    Its quotient by P is 2*u + t, of which t is the last bit.
    """
    whole = "(P*(2*(u1 - u0) + t) + r)"
    return f"{whole} - 2*P*(u1 - u0) == P*t + r", "0 <= P*t + r and P*t + r <= 2*P - 1"


@theorem(given=ANY, expect="refuted")
def bits_next_of_the_quotient_neighbour() -> str:
    """The next bit counts P times, not once."""
    return "(x1 - x0) % (2*P) == (x1 - x0) % P + (x1 - x0) // P % 2"


@theorem(given=ANY, source=MASKS, solvers=BOTH)
def bits_above() -> str:
    """Without its first bits a number is a multiple of their weight."""
    return "(x1 - x0) - (x1 - x0) % P == P*((x1 - x0) // P)"


@theorem(given=ANY, expect="refuted")
def bits_above_the_next_neighbour() -> str:
    """It need not be one of twice the weight."""
    return "(x1 - x0) - (x1 - x0) % P == 2*P*((x1 - x0) // (2*P))"


@theorem(given=[*BITS, "k0 >= 0", "k1 >= 0", "l0 >= 0", "l1 >= 0", "P >= 1"],
         source=MASKS, solvers=BOTH)  # fmt: skip
def bits_of_a_mask() -> str:
    """Bit a is kept by a bit b of a mask, or by its complement 1 - b: both sums grow to P*a more.

    k1 - k0 and l1 - l0 are what mask and complement kept of the bits before.
    """
    kept = "(k1 - k0) + (l1 - l0)"
    return f"({kept}) + P*min(a, b) + P*min(a, 1 - b) == {kept} + P*a"


@theorem(given=[*BITS, "P >= 1"], expect="refuted")
def bits_of_a_mask_twice_neighbour() -> str:
    """What one mask keeps twice is not the bit."""
    return "P*min(a, b) + P*min(a, b) == P*a"


#: What numbers came to so far: x and y, what is in both, in one of them, in just one.
SUMS = [*BITS, "x >= 0", "y >= 0", "n >= 0", "P >= 1"]


@theorem(given=SUMS, source=PAIRS, solvers=BOTH)
def bits_or() -> str:
    """x + y - n and the larger of two bits: still both numbers less what is in both."""
    return "(x + y - n) + P*max(a, b) == (x + P*a) + (y + P*b) - (n + P*min(a, b))"


@theorem(given=SUMS, expect="refuted")
def bits_or_neighbour() -> str:
    """The same without what is in both."""
    return "(x + y) + P*max(a, b) == (x + P*a) + (y + P*b)"


@theorem(given=SUMS, source=PAIRS, solvers=BOTH)
def bits_xor() -> str:
    """x + y - 2*n and what two bits leave of 2: both numbers less twice what is in both."""
    return "(x + y - 2*n) + P*((a + b) % 2) == (x + P*a) + (y + P*b) - 2*(n + P*min(a, b))"


@theorem(given=SUMS, expect="refuted")
def bits_xor_neighbour() -> str:
    """The same with what is in both taken away once."""
    return "(x + y - n) + P*((a + b) % 2) == (x + P*a) + (y + P*b) - (n + P*min(a, b))"


@theorem(given=["q0 >= 0", "q1 >= 0", "P >= 1", "r >= 0", "r <= P - 1"], source=PAIRS, solvers=BOTH)
def bits_not() -> tuple[str, str]:
    """-x - 1 has the quotient -q - 1 by P where x has q: the rest is what r lacks to P - 1."""
    return (
        "-(P*(q1 - q0) + r) - 1 == P*(-(q1 - q0) - 1) + (P - 1 - r)",
        "0 <= P - 1 - r and P - 1 - r <= P - 1",
    )


@theorem(given=["q0 >= 0", "q1 >= 0"], source=PAIRS, solvers=BOTH)
def bits_not_parity() -> str:
    """The last bit of -q - 1 is the other one than that of q."""
    return "(-(q1 - q0) - 1) % 2 == 1 - (q1 - q0) % 2"


@theorem(given=["q0 >= 0", "q1 >= 0"], expect="refuted")
def bits_not_parity_neighbour() -> str:
    """The last bit of -q is the other one."""
    return "(-(q1 - q0)) % 2 == 1 - (q1 - q0) % 2"


@theorem(given=["u0 >= 0", "u1 >= 0", "P >= 1", "b >= 0", "b <= P - 1"], source=PAIRS, solvers=BOTH)
def bits_apart() -> tuple[str, str]:
    """A multiple of P has no bits below P, and what is below P no others."""
    return "(P*(u1 - u0)) % P == 0", "b // P == 0 and b % P == b"


@theorem(given=["u >= 0", "P >= 1", "b >= 0", "b <= P"], expect="refuted")
def bits_apart_of_a_long_number_neighbour() -> str:
    """P itself has a bit from P on."""
    return "b // P == 0"


@theorem(given=["t >= 0", "t <= 1", "c >= 1"], source=PAIRS, solvers=BOTH)
def bits_flipped() -> tuple[str, str]:
    """Turned over, a bit of weight c adds or takes away c: it is 1 - t instead of t."""
    return "c - 2*c*t == c*(1 - t) - c*t", "c - 2*c*t == c or c - 2*c*t == 0 - c"


@theorem(given=["t >= 0", "t <= 1", "c >= 1"], expect="refuted")
def bits_flipped_once_neighbour() -> str:
    """A bit that is set adds its weight once more."""
    return "c - 2*c*t == c"


@theorem(given=[*BITS, "d >= 0", "d <= 1"], source=PAIRS, solvers=BOTH)
def bits_changed_alike() -> tuple[str, str]:
    """Two bits that one bit changes are equal where they were, and none is what it was but by 0."""
    return "(a + d) % 2 == (b + d) % 2 implies a == b", "(a + d) % 2 == a implies d == 0"


@theorem(given=BITS, source=PAIRS, solvers=BOTH)
def bits_turned_back() -> str:
    """A bit that another one changes twice is the bit."""
    return "((a + b) % 2 + b) % 2 == a"


@theorem(given=BITS, expect="refuted")
def bits_turned_once_neighbour() -> str:
    """A bit that is changed once is the bit."""
    return "(a + b) % 2 == a"


@theorem(given=[*BITS, "d >= 0", "d <= 1"], expect="refuted")
def bits_kept_alike_neighbour() -> str:
    """Two bits of which one bit keeps the same are equal."""
    return "min(a, d) == min(b, d) implies a == b"


@theorem(given=[*SUMS, "n <= x", "n <= y"], source=PAIRS, solvers=BOTH)
def bits_bounds() -> tuple[str, str]:
    """What is in both stays at most each, and what is in one at least each."""
    both, one = "n + P*min(a, b)", "(x + y - n) + P*max(a, b)"
    return (
        f"{both} <= x + P*a and {both} <= y + P*b",
        f"x + P*a <= {one} and y + P*b <= {one}",
    )


@theorem(given=[*SUMS, "n <= x", "n <= y"], expect="refuted")
def bits_bounds_of_the_larger_neighbour() -> str:
    """What is in just one is at least each."""
    return "x + P*a <= (x + y - 2*n) + P*((a + b) % 2)"


@theorem(given=["r >= 0", "r <= P - 1", "t >= 0", "t <= 1"], source=PAIRS, solvers=BOTH)
def bits_below() -> str:
    """With a bit of weight P what is below P is below 2*P."""
    return "r + P*t <= 2*P - 1"


@theorem(given=["r >= 0", "r <= P", "t >= 0", "t <= 1"], expect="refuted")
def bits_below_neighbour() -> str:
    """The same for what may be P."""
    return "r + P*t <= 2*P - 1"


@theorem(given=["0 <= x < 3", "0 <= y < 3"], expect="refuted")
def bits_below_no_power_neighbour() -> str:
    """Bits of two numbers below 3, which is no power of two, are below it."""
    return "(x ^ y) < 3"
