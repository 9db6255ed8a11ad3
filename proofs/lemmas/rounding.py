"""The rules for quotients, remainders, minima and boxes in obligations about polynomials.

Quotients. For b >= 1 the integer `a // b` is the q with `b*q <= a <= b*q + b - 1`, and `a % b` is
`a - b*q` (`floor_constraints`, `floor_is_unique`). Hence
- a numerator that splits as `b*y + r` with `0 <= r <= b - 1` has the quotient y and the remainder r
  (`floor_evaluated`);
- rounding up is rounding down of `a + b - 1` (`ceiling_is_a_floor`), with the constraints
  `b*q >= a` and `b*q <= a + b - 1` (`ceiling_constraints`);
- it is the quotient, and one more where something is left (`ceiling_by_a_choice`);
- a quotient inside a numerator goes out of it: `(n + r // c) // d` is `(c*n + r) // (c*d)`
  (`floor_of_a_floor`);
- a quotient of something of at least 0 is at least 0, of at least b at least 1, and rounded up of
  something of at least 1 at least 1 (`floor_least`, `ceiling_least`);
- a number is at most a quotient where b times it is at most a, and above it where b times it is
  above a (`floor_compared`);
- a quotient that leaves no remainder is exact (`floor_of_a_multiple`).

Minima and maxima are what is bounded by both and is one of them (`minimum_constraints`,
`maximum_constraints`), so that something is at most a minimum where it is at most both
(`minimum_compared`); both at least 1 makes the minimum, one the maximum at least 1
(`minimum_least`, `maximum_least`). If the difference of the two has a sign, it says which of them
it is (`minimum_evaluated`). A choice between two of which the difference is what the test asks to
be at least 0, or one more, is their minimum (`minimum_by_a_choice`), and with the sides exchanged
their maximum.

Assumptions that bound a dim. If `u <= v` and `v - u` is `c*(N - p) + r` with `c >= 1` and
`0 <= r <= c - 1`, then `p <= N`: N and p are integers (`bound_rounds`).

Boxes. Where `N = c*(k + N')` and `N <= C`, N' is at most `C // c - k` (`box_of_multiples`); where
`N = c*N' + N''` is division with remainder, `0 <= N'' <= c - 1`, and every N >= 0 is of that form
(`box_of_remainders`).

None of these is an induction: they are the cases of one step of an evaluation, which goes from the
innermost atom of an expression to the outermost.
"""

from __future__ import annotations

from symcute import theorem

BOTH = ("z3", "cvc5")
QUOTIENTS = "how obligations are settled: quotients"
MINIMA = "how obligations are settled: minima and maxima"
BOUNDS = "how obligations are settled: bounds of dims"

#: A numerator a = a1 - a0 of any sign, and a divisor b >= 1.
ANY = ["a0 >= 0", "a1 >= 0", "b >= 1"]


@theorem(given=ANY, source=QUOTIENTS, solvers=BOTH)
def floor_constraints() -> tuple[str, str]:
    """The quotient leaves at least 0 and less than the divisor; that rest is the remainder."""
    return (
        "b*((a1 - a0) // b) <= a1 - a0 and a1 - a0 <= b*((a1 - a0) // b) + b - 1",
        "(a1 - a0) % b == a1 - a0 - b*((a1 - a0) // b)",
    )


@theorem(
    given=["b >= 1", "r >= 0", "r <= b - 1", "t >= 0", "t <= b - 1", "q >= 0", "k >= 0"],
    source=QUOTIENTS,
    solvers=BOTH,
)
def floor_is_unique() -> str:
    """No other quotient does: q + 1 + k leaves less than any rest above q leaves."""
    return "b*q + r < b*(q + 1 + k) + t"


@theorem(
    given=["b >= 1", "r >= 0", "r <= b - 1", "y0 >= 0", "y1 >= 0"], source=QUOTIENTS, solvers=BOTH
)
def floor_evaluated() -> tuple[str, str]:
    """b*y + r has the quotient y and the remainder r, for y of any sign."""
    return "(b*(y1 - y0) + r) // b == y1 - y0", "(b*(y1 - y0) + r) % b == r"


@theorem(given=["b >= 1", "r >= 0", "r <= b", "y >= 0"], expect="refuted")
def floor_evaluated_neighbour() -> str:
    """The same for a rest that may be b."""
    return "(b*y + r) // b == y"


@theorem(given=ANY, source=QUOTIENTS, solvers=BOTH)
def ceiling_is_a_floor() -> str:
    """Rounding up is rounding down of a + b - 1."""
    return "ceil_div(a1 - a0, b) == (a1 - a0 + b - 1) // b"


@theorem(given=ANY, expect="refuted")
def ceiling_is_a_floor_neighbour() -> str:
    """Rounding up is rounding down of a + b."""
    return "ceil_div(a1 - a0, b) == (a1 - a0 + b) // b"


@theorem(given=ANY, source=QUOTIENTS, solvers=BOTH)
def ceiling_constraints() -> str:
    """Rounded up, the quotient takes at least a and less than a + b."""
    return "b*ceil_div(a1 - a0, b) >= a1 - a0 and b*ceil_div(a1 - a0, b) <= a1 - a0 + b - 1"


@theorem(
    given=["b >= 1", "q0 >= 0", "q1 >= 0", "r >= 1", "r <= b - 1"], source=QUOTIENTS, solvers=BOTH
)
def ceiling_by_a_choice() -> tuple[str, str]:
    """With b - 1 more b*q + r leaves r - 1 beside q + 1 times b, and b*q leaves b - 1 beside q."""
    q = "(q1 - q0)"
    return (
        f"b*{q} + r + b - 1 == b*({q} + 1) + (r - 1) and 0 <= r - 1 and r - 1 <= b - 1",
        f"b*{q} + b - 1 - b*{q} <= b - 1",
    )


@theorem(given=ANY, expect="refuted")
def ceiling_by_a_choice_always_neighbour() -> str:
    """One more where nothing is left, too."""
    return "ceil_div(a1 - a0, b) == (a1 - a0) // b + 1"


@theorem(
    given=["q >= 0", "c >= 1", "d >= 1", "s >= 0", "s <= c - 1", "k >= 0", "k <= d - 1"],
    source=QUOTIENTS,
    solvers=BOTH,
)
def floor_of_a_floor() -> str:
    """Where n + r // c is d*q + k, and r % c is s, the rest of c*n + r by c*d is c*k + s.

    c*n + r is then c*(d*q + k) + s, with the quotient q by c*d.
    """
    return "c*(d*q + k) + s == (c*d)*q + (c*k + s) and 0 <= c*k + s and c*k + s <= c*d - 1"


@theorem(given=["n >= 0", "r >= 0", "c >= 2", "d >= 2"], expect="refuted")
def floor_of_a_floor_neighbour() -> str:
    """(n + r // c) // d is (n + r) // (c*d)."""
    return "(n + r // c) // d == (n + r) // (c*d)"


@theorem(given=["a >= 0", "b >= 1"], source=QUOTIENTS, solvers=BOTH)
def floor_least() -> tuple[str, str]:
    """Of something of at least 0 the quotient is at least 0, of at least b at least 1."""
    return "a // b >= 0", "a >= b implies a // b >= 1"


@theorem(given=["a >= 1", "b >= 1"], source=QUOTIENTS, solvers=BOTH)
def ceiling_least() -> str:
    """Rounded up, the quotient of something of at least 1 is at least 1."""
    return "ceil_div(a, b) >= 1"


@theorem(given=["a >= 1", "b >= 1"], expect="refuted")
def floor_least_neighbour() -> str:
    """Rounded down, the quotient of something of at least 1 is at least 1."""
    return "a // b >= 1"


@theorem(
    given=["b >= 1", "r >= 0", "r <= b - 1", "q0 >= 0", "q1 >= 0", "k >= 0"],
    source=QUOTIENTS, solvers=BOTH,
)  # fmt: skip
def floor_compared() -> tuple[str, str]:
    """b times the quotient q of b*q + r, or times k less, is at most that; times 1 + k more above.

    So a number is at most the quotient just where b times it is at most what is divided.
    """
    return "b*(q1 - q0 - k) <= b*(q1 - q0) + r", "b*(q1 - q0) + r < b*(q1 - q0 + 1 + k)"


@theorem(given=[*ANY, "c0 >= 0", "c1 >= 0"], expect="refuted")
def floor_compared_rounded_up_neighbour() -> str:
    """The same for a quotient that is rounded up."""
    return "c1 - c0 <= ceil_div(a1 - a0, b) implies b*(c1 - c0) <= a1 - a0"


@theorem(given=[*ANY, "(a1 - a0) % b <= 0"], source=QUOTIENTS, solvers=BOTH)
def floor_of_a_multiple() -> str:
    """Where b leaves nothing of a, b times the quotient is a."""
    return "b*((a1 - a0) // b) == a1 - a0"


@theorem(given=[*ANY, "(a1 - a0) % b <= 1"], expect="refuted")
def floor_of_a_multiple_and_more_neighbour() -> str:
    """The same where it may leave 1."""
    return "b*((a1 - a0) // b) == a1 - a0"


@theorem(given=["a >= 0", "b >= 0"], source=MINIMA, solvers=BOTH)
def minimum_constraints() -> str:
    """The minimum is at most both, and one of them."""
    return "min(a,b) <= a and min(a,b) <= b and (min(a,b) == a or min(a,b) == b)"


@theorem(given=["a >= 0", "b >= 0"], source=MINIMA, solvers=BOTH)
def maximum_constraints() -> str:
    """The maximum is at least both, and one of them."""
    return "max(a,b) >= a and max(a,b) >= b and (max(a,b) == a or max(a,b) == b)"


@theorem(given=["a >= 0", "b >= 0", "c >= 0"], source=MINIMA, solvers=BOTH)
def minimum_compared() -> tuple[str, str]:
    """Below both is below the smaller, and above both above the larger; and the other way about."""
    return (
        "(c <= min(a,b) implies c <= a and c <= b) and (c <= a and c <= b implies c <= min(a,b))",
        "(max(a,b) <= c implies a <= c and b <= c) and (a <= c and b <= c implies max(a,b) <= c)",
    )


@theorem(given=["a >= 0", "b >= 0", "c >= 0"], expect="refuted")
def minimum_compared_with_one_neighbour() -> str:
    """Below one of two is below the smaller."""
    return "c <= a or c <= b implies c <= min(a,b)"


@theorem(given=["a >= 1", "b >= 1"], source=MINIMA, solvers=BOTH)
def minimum_least() -> str:
    """The minimum of two of at least 1 is at least 1."""
    return "min(a,b) >= 1"


@theorem(given=["a >= 1", "b >= 0"], source=MINIMA, solvers=BOTH)
def maximum_least() -> str:
    """The maximum of one of at least 1 with another is at least 1."""
    return "max(a,b) >= 1"


@theorem(given=["a >= 1", "b >= 0"], expect="refuted")
def minimum_least_neighbour() -> str:
    """The minimum of one of at least 1 with another is at least 1."""
    return "min(a,b) >= 1"


@theorem(given=["a >= 0", "k >= 0"], source=MINIMA, solvers=BOTH)
def minimum_evaluated() -> str:
    """Where b - a is k, of at least 0, the minimum is a and the maximum b."""
    return "min(a, a + k) == a and max(a, a + k) == a + k"


@theorem(given=["x >= 0", "g0 >= 0", "g1 >= 0", "c >= 0", "c <= 1"], source=MINIMA, solvers=BOTH)
def minimum_by_a_choice() -> tuple[str, str]:
    """Where g = g1 - g0 is at least 0, x is at most x + g + c, and elsewhere at least that."""
    return (
        "g1 - g0 >= 0 implies x <= x + (g1 - g0) + c",
        "g1 - g0 <= -1 implies x + (g1 - g0) + c <= x",
    )


@theorem(given=["x >= 0", "g0 >= 0", "g1 >= 0", "c >= 0", "c <= 2"], expect="refuted")
def minimum_by_a_choice_neighbour() -> str:
    """The same for a difference of two more."""
    return "g1 - g0 <= -1 implies x + (g1 - g0) + c <= x"


@theorem(
    given=["c >= 1", "r >= 0", "r <= c - 1", "N >= 0", "p0 >= 0", "p1 >= 0"],
    source=BOUNDS,
    solvers=BOTH,
)
def bound_rounds() -> str:
    """A gap c*(N - p) + r of at least 0, with r below c, says p <= N; p = p1 - p0 of any sign."""
    return "c*(N - (p1 - p0)) + r >= 0 implies p1 - p0 <= N"


@theorem(given=["c >= 1", "r >= 0", "r <= c", "N >= 0", "p >= 0"], expect="refuted")
def bound_rounds_neighbour() -> str:
    """The same for a rest that may be c."""
    return "c*(N - p) + r >= 0 implies p <= N"


@theorem(
    given=["c >= 1", "k >= 0", "n >= 0", "C >= 0", "c*(k + n) <= C"], source=BOUNDS, solvers=BOTH
)
def box_of_multiples() -> str:
    """A multiple c*(k + n) of at most C has n <= C // c - k."""
    return "n <= C // c - k"


@theorem(given=["c >= 1", "k >= 0", "n >= 0", "C >= 0", "c*(k + n) <= C"], expect="refuted")
def box_of_multiples_neighbour() -> str:
    """The same one below that end."""
    return "n <= C // c - k - 1"


@theorem(given=["c >= 1", "N >= 0"], source=BOUNDS, solvers=BOTH)
def box_of_remainders() -> str:
    """Every N >= 0 is c*(N // c) + N % c, with N // c >= 0 and N % c in the box up to c - 1."""
    return "N == c*(N // c) + N % c and N // c >= 0 and N % c >= 0 and N % c <= c - 1"


@theorem(given=["c >= 2", "N >= 0"], expect="refuted")
def box_of_remainders_neighbour() -> str:
    """The box of the remainder ends at c - 2."""
    return "N % c <= c - 2"
