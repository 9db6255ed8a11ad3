"""Classes of residues: formulas that know dims by their remainders alone.

Let L be a number that every divisor in the formula divides. Two instances are congruent where each
dim of the one is that of the other plus a multiple of L. In a term without quotients, remainders,
minima and maxima, congruent instances have values that differ by a multiple of L: by induction on
the term. A number and a dim: by definition. A sum, a difference and a product of terms that do:
`classes_of_a_sum`, `classes_of_a_difference`, `classes_of_a_product`; a power is a product.

So what c leaves of such a term, L = c*m, is the same at both (`classes_of_a_remainder`; there is
one rest only, `residues_of_a_number_are_unique`), and c divides it at both or at neither. A
remainder that is the same is congruent, too: remainders may stand in remainders. What is made of
equal numbers is equal, and a formula about them is true at both or at neither, and so is an
assumption about such terms.

Each instance is congruent to the one that has for each dim x the rest `x % L`, which lies below L
(`classes_of_a_dim`). So the formula holds at every instance at which the assumptions do if it holds
at those among `0, ..., L - 1` at which they do. QED.

Two loads or stores of kernels may depend on a name in the same way, in `(x + c) % m` alone, beside
other names. With L a multiple of all m, x is as good as `x % L` (`classes_of_a_shifted_name`): what
holds for the numbers below L holds for all x.

Neither holds with the quotient in the place of the remainder (`classes_of_a_quotient_neighbour`),
nor for a divisor that does not divide L (`classes_of_another_divisor_neighbour`), nor for a minimum
of dims themselves (`classes_of_a_minimum_neighbour`).

The dims of the theorems are at least 1. An equation of polynomials that holds there holds for all
integers; elsewhere u1 - u0 stands for any integer.
"""

from __future__ import annotations

from symcute import theorem

BOTH = ("z3", "cvc5")
CLASSES = "the engine's lemma classes"


@theorem(given=["x == u + L*s", "y == v + L*t"], source=CLASSES, solvers=BOTH)
def classes_of_a_sum() -> str:
    """Sums of what differs by multiples of L differ by one."""
    return "x + y == (u + v) + L*(s + t)"


@theorem(given=["x == u + L*s", "y == v + L*t"], source=CLASSES, solvers=BOTH)
def classes_of_a_difference() -> str:
    """And so do differences."""
    return "x - y == (u - v) + L*(s - t)"


@theorem(given=["x == u + L*s", "y == v + L*t"], source=CLASSES, solvers=BOTH)
def classes_of_a_product() -> str:
    """And products."""
    return "x*y == u*v + L*(u*t + v*s + L*s*t)"


@theorem(given=["x == u + L*s"], expect="refuted")
def classes_of_a_product_neighbour() -> str:
    """A product of which one factor is congruent, and the other is one less."""
    return "(x*v - u*(v - 1)) % L == 0"


@theorem(given=["L == c*m", "x == c*q + r"], source=CLASSES, solvers=BOTH)
def classes_of_a_remainder() -> str:
    """With a multiple of L added, what a divisor c of L leaves stays, and the quotient moves."""
    return "x + L*(s1 - s0) == c*(q + m*(s1 - s0)) + r"


@theorem(given=["L >= c"], expect="refuted")
def classes_of_another_divisor_neighbour() -> str:
    """The same for a number that does not divide L."""
    return "(u + L) % c == u % c"


@theorem(given=["L == c*m"], expect="refuted")
def classes_of_a_quotient_neighbour() -> str:
    """The same for the quotient."""
    return "(u + L) // c % L == u // c % L"


@theorem(given=["L == c*m"], expect="refuted")
def classes_of_a_minimum_neighbour() -> str:
    """The same for a minimum of dims, one of which is replaced."""
    return "min(u + L, v) % c == min(u, v) % c"


@theorem(
    given=["L == m*n", "q0 >= 0", "q1 >= 0", "r >= 0", "r <= L - 1", "c0 >= 0", "c1 >= 0"],
    source=CLASSES, solvers=BOTH,
)  # fmt: skip
def classes_of_a_shifted_name() -> str:
    """L*q + r and r, both shifted by c, differ by a multiple of a divisor m of L."""
    return "(L*(q1 - q0) + r + c1 - c0) - (r + c1 - c0) == m*(n*(q1 - q0))"


@theorem(given=["L == m*n"], expect="refuted")
def classes_of_a_shifted_name_doubled_neighbour() -> str:
    """The same where the name stands outside of the remainder as well."""
    return "(x + c) % m + x == (x % L + c) % m + x % L"


@theorem(source=CLASSES, solvers=BOTH)
def classes_of_a_dim() -> tuple[str, str]:
    """Each integer is its rest modulo L, below L, plus a multiple of L."""
    return (
        "x1 - x0 == (x1 - x0) % L + L*((x1 - x0) // L)",
        "0 <= (x1 - x0) % L and (x1 - x0) % L <= L - 1",
    )
