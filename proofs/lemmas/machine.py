"""What C computes, in quotients that round down: division towards zero, and what wraps.

Division. For b >= 1 C's `a / b` and `a % b` are the q and r with `a == b*q + r`, r between -b and
b, of the sign of a or 0. For a of at least 0 these are `a // b` and `a % b`. For `a == -n`, n at
least 1, they are `-(n // b)` and `-(n % b)` (`cut_below_zero`); there is one such pair for each
sign (`floor_is_unique` of rounding, applied to n). By -b the quotient is the negated one and the
rest the same (`cut_by_a_negative`).

`(a % n + n) % n`, in C, is what n leaves of a, rounded down: of a at least 0 because n is added in
vain (`made_positive_of_a_positive`); of -a the first remainder is `-(a % n)`, and n less that
leaves what -a leaves (`made_positive_of_a_negative`).

Of a sum of which c divides a part, and the other lies in [0, c), quotient and remainder are seen
(`floor_evaluated` of rounding). `i - i / n * n` is `i % n` (`parts_make_the_number` of inverse). d
leaves nothing of a multiple of what it divides (`remainder_of_a_multiple`), so that nothing is cut
where each addend is one, whatever the sign; and of `x % c`, where it divides c, what it leaves of x
(`remainder_of_a_remainder`).

Wrapping. At a type with F = 2**w numbers from `low` on a machine keeps the number of the type that
is congruent to what was computed: `(t - low) % F + low` (`wrapped_into_the_type`). That is `t + F`
where t is below the type by no more than F (`wrapped_from_below`), and likewise from above
(`wrapped_from_above`). Sums, differences and products of congruent numbers are congruent
(`classes_of_a_sum` and its like of classes), so that it does not matter how often one has wrapped.
"""

from __future__ import annotations

from symcute import theorem

BOTH = ("z3", "cvc5")
DIVISION = "how C is read: division"
WRAPPING = "how C is read: what wraps"


@theorem(given=["q >= 0", "r >= 0", "r <= b - 1"], source=DIVISION, solvers=BOTH)
def cut_below_zero() -> tuple[str, str]:
    """-(b*q + r) is b times -q and a rest -r, which is above -b."""
    return "-(b*q + r) == b*(-q) + (-r)", "-r > -b and -r <= 0"


@theorem(given=["q >= 0", "r >= 0", "r <= b - 1"], expect="refuted")
def cut_below_zero_rounded_down_neighbour() -> str:
    """Rounded down, the quotient is the same."""
    return "-(b*q + r) // b == -q"


@theorem(given=["q0 >= 0", "q1 >= 0", "r0 >= 0", "r1 >= 0"], source=DIVISION, solvers=BOTH)
def cut_by_a_negative() -> str:
    """By -b the quotient has the other sign, and the rest is the same."""
    return "b*(q1 - q0) + (r1 - r0) == (-b)*(-(q1 - q0)) + (r1 - r0)"


@theorem(given=["q >= 0", "r >= 0"], expect="refuted")
def cut_by_a_negative_with_another_rest_neighbour() -> str:
    """By -b the rest has the other sign."""
    return "b*q + r == (-b)*(-q) - r"


@theorem(given=["a >= 0"], source=DIVISION, solvers=BOTH)
def made_positive_of_a_positive() -> str:
    """n more than a remainder leaves that remainder."""
    return "(a % n + n) % n == a % n"


@theorem(given=["a >= 0"], source=DIVISION, solvers=BOTH)
def made_positive_of_a_negative() -> str:
    """n less the remainder of a leaves what -a leaves, rounded down."""
    return "(n - a % n) % n == -a % n"


@theorem(given=["a >= 0"], expect="refuted")
def made_positive_without_the_last_remainder_neighbour() -> str:
    """Without the second remainder a multiple of n comes to n."""
    return "n - a % n == -a % n"


@theorem(given=["x0 >= 0", "x1 >= 0", "d >= 1", "m >= 1"], source=DIVISION, solvers=BOTH)
def remainder_of_a_multiple() -> str:
    """A multiple of d*m is d times a number, and nothing more."""
    return "(x1 - x0)*(d*m) == d*((x1 - x0)*m) + 0"


@theorem(given=["x >= 0", "d >= 1", "m >= 1"], expect="refuted")
def remainder_of_a_multiple_by_more_neighbour() -> str:
    """It leaves nothing by d*m*2."""
    return "x*(d*m) % (d*m*2) == 0"


@theorem(
    given=["q0 >= 0", "q1 >= 0", "v >= 0", "v <= m - 1", "r >= 0", "r <= d - 1"],
    source=DIVISION, solvers=BOTH,
)  # fmt: skip
def remainder_of_a_remainder() -> tuple[str, str]:
    """d*m leaves d*v + r of d*(m*q + v) + r, less than d*m; and d leaves r of both."""
    return (
        "d*(m*(q1 - q0) + v) + r - d*m*(q1 - q0) == d*v + r and d*v + r <= d*m - 1",
        "(d*v + r) - d*v == r and d*(m*(q1 - q0) + v) + r - d*(m*(q1 - q0) + v) == r",
    )


@theorem(given=["x >= 0", "c >= d", "d >= 2"], expect="refuted")
def remainder_of_another_remainder_neighbour() -> str:
    """d need not divide c."""
    return "x % c % d == x % d"


#: A number t1 - t0, the least of a type, l1 - l0, and F numbers in it.
TYPE = ["t0 >= 0", "t1 >= 0", "l0 >= 0", "l1 >= 0"]


@theorem(given=TYPE, source=WRAPPING, solvers=BOTH)
def wrapped_into_the_type() -> tuple[str, str]:
    """It lies in the type, and differs by a multiple of F."""
    kept = "((t1 - t0) - (l1 - l0)) % F + (l1 - l0)"
    return (
        f"l1 - l0 <= {kept} and {kept} <= l1 - l0 + F - 1",
        f"{kept} == t1 - t0 - F*(((t1 - t0) - (l1 - l0)) // F)",
    )


@theorem(given=TYPE, expect="refuted")
def wrapped_into_another_type_neighbour() -> str:
    """Without the least of the type it is another number."""
    return "(t1 - t0) % F == ((t1 - t0) - (l1 - l0)) % F + (l1 - l0)"


@theorem(given=["l0 >= 0", "l1 >= 0", "d >= 1", "d <= F"], source=WRAPPING, solvers=BOTH)
def wrapped_from_below() -> str:
    """d below the type, and not more than F, F is added once."""
    return "l1 - l0 <= (l1 - l0 - d) + F and (l1 - l0 - d) + F <= l1 - l0 + F - 1"


@theorem(given=["l0 >= 0", "l1 >= 0", "d >= 1", "d <= F + 1"], expect="refuted")
def wrapped_from_further_below_neighbour() -> str:
    """The same from one further below."""
    return "l1 - l0 <= (l1 - l0 - d) + F"


@theorem(given=["l0 >= 0", "l1 >= 0", "d >= 1", "d <= F"], source=WRAPPING, solvers=BOTH)
def wrapped_from_above() -> str:
    """d above the type, and not more than F, F is taken away once."""
    at = "(l1 - l0 + F - 1 + d) - F"
    return f"l1 - l0 <= {at} and {at} <= l1 - l0 + F - 1"
