"""Sums of digits times strides, place by place: how they stay within bounds.

A sum that is to be at least 0 is taken apart by a stride s of at least 0: it is `s*a + b`, where a
is what s counts and b the rest. By induction on the number of places, each of which takes one
stride out of what the places before it left in a:
- base: a sum that speaks of one place is at least 0 by the bounds of its digit;
- step: where a and b are at least 0, so is the sum (`places_step`); where a is at least 1 the rest
  may borrow a stride, and be down to -s (`places_step_that_borrows`).
So `x*s + y` is below `n*s` for x below n and y below s (`places_end`), and likewise for more
digits, without multiplying out. What is at least 0 less a room of at least 0 is so with the room:
a sum that is below a product of sizes is below what that product is below (`places_room`).

Digits are quotients and remainders of an index. Let `b*q + r` be the index, r at least 0, and D
above it. Let `D/b` be `E/g` in lowest terms, that is `g*D == E*b`: then `g*q` is below E
(`places_end_of_a_quotient`), and where g divides E, q + 1 is at most E/g
(`places_last_quotient`).

An equation is taken apart, too: where `s*a + b` is 0 and b lies between -s and s, both are 0. Were
a at least 1, the sum would be above 0, and so its negation for a at most -1 (`places_above_zero`
with both signs of b); with a == 0 what is left is b (`places_rest_of_zero`).
"""

from __future__ import annotations

from symcute import theorem

BOTH = ("z3", "cvc5")
PLACES = "how bounds of sums are shown: place by place"
QUOTIENTS = "how bounds of digits are shown: ends of quotients"
EQUATIONS = "how threads are told apart: equations taken apart"


@theorem(given=["s >= 0", "a >= 0", "b >= 0"], source=PLACES, solvers=BOTH)
def places_step() -> str:
    """What a stride counts and the rest are at least 0: so is the sum."""
    return "s*a + b >= 0"


@theorem(given=["s >= 0", "a0 >= 0", "a1 >= 0", "a1 - a0 >= 0 - 1", "b >= 0"], expect="refuted")
def places_step_of_a_count_below_zero_neighbour() -> str:
    """The same for a count that may be -1."""
    return "s*(a1 - a0) + b >= 0"


@theorem(given=["s >= 0", "a >= 1", "b >= 0", "b <= s"], source=PLACES, solvers=BOTH)
def places_step_that_borrows() -> str:
    """A count of at least 1 makes up for a rest that is down to -s."""
    return "s*a - b >= 0"


@theorem(given=["s >= 0", "a >= 0", "b >= 0", "b <= s"], expect="refuted")
def places_step_that_borrows_of_nothing_neighbour() -> str:
    """The same for a count that may be 0."""
    return "s*a - b >= 0"


@theorem(given=["s >= 0", "a >= 1", "b >= 0", "b <= s + 1"], expect="refuted")
def places_step_that_borrows_too_much_neighbour() -> str:
    """The same for a rest that may be one less."""
    return "s*a - b >= 0"


@theorem(given=["x >= 0", "x <= n - 1", "y >= 0", "y <= s - 1"], source=PLACES, solvers=BOTH)
def places_end() -> str:
    """What is left to n*s - 1 is s times what is left to n - 1, and what is left to s - 1."""
    return "n*s - 1 - (x*s + y) == s*(n - 1 - x) + (s - 1 - y)"


@theorem(given=["x >= 0", "x <= n - 1", "y >= 0", "y <= s"], expect="refuted")
def places_end_of_a_long_digit_neighbour() -> str:
    """With a digit that may be the stride, the sum may be n*s."""
    return "x*s + y <= n*s - 1"


@theorem(given=["p >= 0", "d >= 0", "w >= 0", "p <= d - 1", "d <= w"], source=PLACES, solvers=BOTH)
def places_room() -> str:
    """Below a size that is at most a number, a sum is below the number."""
    return "p <= w - 1"


@theorem(given=["p >= 0", "d >= 0", "w >= 0", "p <= d - 1", "d <= w + 1"], expect="refuted")
def places_room_of_a_larger_size_neighbour() -> str:
    """The same for a size that may be one more than the number."""
    return "p <= w - 1"


#: An index b*q + r that is below D, and E/g, which is D/b.
INDEX = ["q >= 0", "r >= 0", "D >= 0", "E >= 0", "b*q + r <= D - 1", "g*D == E*b"]


@theorem(given=INDEX, source=QUOTIENTS, solvers=BOTH)
def places_end_of_a_quotient() -> tuple[str, str]:
    """g*q is below E: b times it is at most g times the index, which is below b*E."""
    return "b*(g*q) <= b*E - 1", "b*(g*q) <= b*E - 1 implies g*q <= E - 1"


@theorem(given=[*INDEX[:4], "b*q + r <= D", "g*D == E*b"], expect="refuted")
def places_end_of_a_quotient_later_neighbour() -> str:
    """The same for an index that may be D."""
    return "g*q <= E - 1"


@theorem(given=["q >= 0", "m >= 0", "g*q <= g*m - 1"], source=QUOTIENTS, solvers=BOTH)
def places_last_quotient() -> str:
    """Where g*q is below g*m, q + 1 is at most m."""
    return "q + 1 <= m"


@theorem(given=["q >= 0", "E >= 0", "g*q <= E - 1"], expect="refuted")
def places_last_quotient_of_a_part_neighbour() -> str:
    """Where g does not divide the end, the last quotient may be the end over g, rounded down."""
    return "q + 1 <= E // g"


@theorem(given=["k >= 0", "b >= 0", "b <= s - 1"], source=EQUATIONS, solvers=BOTH)
def places_above_zero() -> tuple[str, str]:
    """A count of 1 + k is more than a rest between -s and s makes up for, of either sign."""
    return "s*(1 + k) - b >= 1", "s*(1 + k) + b >= 1"


@theorem(given=["k >= 0", "b >= 0", "b <= s"], expect="refuted")
def places_above_zero_of_a_long_rest_neighbour() -> str:
    """The same for a rest that may be the stride."""
    return "s*(1 + k) - b >= 1"


@theorem(
    given=["a0 >= 0", "a1 >= 0", "b0 >= 0", "b1 >= 0", "s*(a1 - a0) + b1 - b0 == 0", "a1 == a0"],
    source=EQUATIONS, solvers=BOTH,
)  # fmt: skip
def places_rest_of_zero() -> str:
    """Where nothing is counted, the rest is all of the sum."""
    return "b1 == b0"


@theorem(given=["a >= 0", "b >= 0", "b <= s", "s*a - b == 0"], expect="refuted")
def places_equation_with_a_long_rest_neighbour() -> str:
    """Of s*a - b == 0 both are 0 also where b may be s."""
    return "a == 0 and b == 0"
