"""The lemma "residues": what requests cost depends on the residues of the dims alone.

A lane's offset is a polynomial with integer coefficients in parameters and in the coordinates of
the request, swizzled if there is a swizzle; behind it an offset that all lanes have in common is
added. An element has e bits, memory is cut into units of U bits, U a multiple of e, and unit q lies
in the place q mod p. A phase costs the most different units that its lanes need of one place.

An access lies in one unit. It is aligned to its width w, which divides U, so that it does not reach
into the next unit (`residues_of_an_access_in_a_unit`). A bank of shared memory is a place, or for
accesses wider than a bank one of several that such a place has: it is asked for as many different
words as the place for units.

Classes. Let Q be a number, and c the coefficient of a term in which v occurs, and n with n*c a
multiple of Q. When v grows by n*k its square, and by induction each of its powers, grows by a
multiple of n (`residues_of_a_power`), so that the term grows by a multiple of Q
(`residues_of_a_term`), and so does the sum of all terms. So modulo Q the offsets of all lanes are
those of a member of the class, where each variable is below its n, or below its end if that is
less.

Let e*Q be a multiple of the U*p bits of a round of the places, and Q beyond all bits that the
swizzle reads or changes. An offset is r + Q*h, 0 <= r < Q, in one way only
(`residues_of_a_number_are_unique`): the swizzle makes s + Q*h of it, where s comes from r. So it
takes x + Q*t to what it takes x to, plus Q*t (`residues_under_a_swizzle`). The unit of the lane
moves by p*t (`residues_move_units_by_rounds`), which leaves its place (`residues_keep_the_place`).
Lanes whose offsets differ by a number have the same t: they need the same unit where they did
(`residues_keep_units_alike`). What all have in common moves, modulo a unit, all units by the same
number, so that two of them lie in one place where they did (`residues_of_what_is_common`), and
leaves accesses aligned (`residues_keep_accesses_aligned`). So with every other pair of lanes in one
place counted as different units the member costs at least what each instance of its class costs.

The least. Lanes that are a unit or more apart need different units
(`residues_of_lanes_far_apart`). A swizzle with the period P moves an offset inside its block of P:
from 2*(P-1) more on they stay that far apart (`residues_of_swizzled_lanes_far_apart`). With only
those counted as different, and lanes that differ by a number as they are, a set of lanes that are
pairwise different is one in every instance of the class.

Pairs. What a load costs whose lanes go in pairs is asked of every class in which they may: two
offsets are not the same where their difference is a number other than 0, leaves a rest modulo Q
(`residues_that_differ`), or is at least 1.

The dims of the theorems are at least 1 where nothing else is said. An equation of polynomials that
holds there holds for all integers; the other theorems speak of differences, which stay when the
same number of units, or of blocks, is added everywhere.
"""

from __future__ import annotations

from symcute import theorem

BOTH = ("z3", "cvc5")
SOURCE = "CUDA C++ Programming Guide, Shared Memory; Device Memory Accesses"
UNITS = ["U >= 1", "0 <= r", "r < U"]


@theorem(
    given=["w >= 1", "m >= 1", "U == w*m", "w*k == U*q + r", "0 <= r", "r < U"],
    source=SOURCE,
    solvers=BOTH,
)
def residues_of_an_access_in_a_unit() -> str:
    """An access that is aligned to its width w ends inside the unit it begins in."""
    return "r + w <= U"


@theorem(given=["w >= 1", "m >= 1", "U == w*m", "0 <= r", "r < U"], expect="refuted", source=SOURCE)
def residues_of_an_access_in_a_unit_neighbour() -> str:
    """The same wherever it begins."""
    return "r + w <= U"


@theorem(given=["b == a + n*m"], source=SOURCE, solvers=BOTH)
def residues_of_a_power() -> str:
    """When a factor grows by n*m and the other by n*k, the product grows by a multiple of n."""
    return "(v + n*k)*b == v*a + n*(v*m + k*a + n*k*m)"


@theorem(given=["n*c == Q*j", "b == a + n*m"], source=SOURCE, solvers=BOTH)
def residues_of_a_term() -> str:
    """When a power grows by a multiple of n, its term grows by a multiple of Q."""
    return "c*b*r == c*a*r + Q*(j*m*r)"


@theorem(given=["n*c == Q*j", "b == a + m"], expect="refuted", source=SOURCE)
def residues_of_a_term_neighbour() -> str:
    """The same when it grows by any number."""
    return "c*b*r == c*a*r + Q*(j*m*r)"


@theorem(
    given=["Q >= 1", "0 <= r", "r < Q", "0 <= s", "s < Q", "r + Q*h == s + Q*g"],
    source=SOURCE,
    solvers=BOTH,
)
def residues_of_a_number_are_unique() -> str:
    """A number is r + Q*h with 0 <= r < Q in one way only."""
    return "h == g and r == s"


@theorem(
    given=["Q >= 1", "0 <= r", "r <= Q", "0 <= s", "s <= Q", "r + Q*h == s + Q*g"],
    expect="refuted",
    source=SOURCE,
)
def residues_of_a_number_are_unique_neighbour() -> str:
    """The same when r may be Q."""
    return "h == g and r == s"


@theorem(given=["x == r + Q*h", "y == s + Q*h"], source=SOURCE, solvers=BOTH)
def residues_under_a_swizzle() -> str:
    """Where x goes to y, s coming from r alone, x + Q*t = r + Q*(h+t) goes to y + Q*t."""
    return "x + Q*t == r + Q*(h + t) and s + Q*(h + t) == y + Q*t"


@theorem(given=[*UNITS, "e*x == U*q + r", "e*Q == U*p"], source=SOURCE, solvers=BOTH)
def residues_move_units_by_rounds() -> str:
    """When an offset grows by Q*t its unit grows by p*t, and its place in the unit stays."""
    return "e*(x + Q*t) == U*(q + p*t) + r"


@theorem(given=[*UNITS, "e*x == U*q + r", "e*Q == U"], expect="refuted", source=SOURCE)
def residues_move_units_by_rounds_neighbour() -> str:
    """The same when Q elements are one unit."""
    return "e*(x + Q*t) == U*(q + p*t) + r"


@theorem(given=["p >= 1", "q == p*a + b", "0 <= b", "b < p"], source=SOURCE, solvers=BOTH)
def residues_keep_the_place() -> str:
    """The units q and q + p*t lie in the same place b."""
    return "q + p*t == p*(a + t) + b"


@theorem(source=SOURCE, solvers=BOTH)
def residues_keep_units_alike() -> str:
    """Units that move by the same p*t are the same where they were."""
    return "(q + p*t == g + p*t implies q == g) and (q == g implies q + p*t == g + p*t)"


@theorem(given=["t != u"], expect="refuted", source=SOURCE)
def residues_keep_units_alike_neighbour() -> str:
    """The same when they move by different rounds."""
    return "q == g implies q + p*t == g + p*u"


@theorem(given=["p >= 1"], source=SOURCE, solvers=BOTH)
def residues_of_what_is_common() -> str:
    """Units that move by the same t lie in one place where they did."""
    return "q - g == p*k implies (q + t) - (g + t) == p*k"


@theorem(given=["w >= 1", "U == w*m", "y == w*k"], source=SOURCE, solvers=BOTH)
def residues_keep_accesses_aligned() -> str:
    """What is aligned to w, which divides U, still is when it moves by U*t."""
    return "y + U*t == w*(k + m*t)"


@theorem(given=["w >= 1", "y == w*k"], expect="refuted", source=SOURCE)
def residues_keep_accesses_aligned_neighbour() -> str:
    """The same for any U."""
    return "w*k + U*t == w*(k + m*t)"


@theorem(
    given=[*UNITS, "0 <= s", "s < U", "y == U*q + r", "z == U*g + s", "y - z >= U"],
    source=SOURCE,
    solvers=BOTH,
)
def residues_of_lanes_far_apart() -> str:
    """Lanes that are a unit or more apart need different units."""
    return "q >= g + 1"


@theorem(
    given=[*UNITS, "0 <= s", "s < U", "y == U*q + r", "z == U*g + s", "y - z >= U - 1"],
    expect="refuted",
    source=SOURCE,
)
def residues_of_lanes_far_apart_neighbour() -> str:
    """The same for lanes a bit less than a unit apart."""
    return "q >= g + 1"


@theorem(given=["Q >= 1", "0 < r", "r < Q", "x - y == r + Q*h"], source=SOURCE, solvers=BOTH)
def residues_that_differ() -> str:
    """Offsets whose difference leaves a rest modulo Q are not the same."""
    return "x != y"


@theorem(given=["Q >= 1", "0 < r", "r <= Q", "x - y == r - Q*h"], expect="refuted", source=SOURCE)
def residues_that_differ_neighbour() -> str:
    """The same where the rest may be Q."""
    return "x != y"


@theorem(
    given=["P >= 1", "0 <= r", "r < P", "0 <= s", "s < P", "0 <= a", "a < P", "0 <= b", "b < P"],
    source=SOURCE,
    solvers=BOTH,
)
def residues_of_swizzled_lanes_far_apart() -> str:
    """Offsets u + 2*(P-1) apart are u apart however they move inside their blocks of P."""
    return "(r + P*h) - (s + P*g) >= u + 2*(P-1) implies (a + P*h) - (b + P*g) >= u"


@theorem(
    given=["P >= 1", "0 <= r", "r < P", "0 <= s", "s < P", "0 <= a", "a < P", "0 <= b", "b < P"],
    expect="refuted",
    source=SOURCE,
)
def residues_of_swizzled_lanes_far_apart_neighbour() -> str:
    """The same for offsets that are P - 1 nearer."""
    return "(r + P*h) - (s + P*g) >= u + (P-1) implies (a + P*h) - (b + P*g) >= u"
