"""What the value of an index says of the names in it, and that every value is taken.

One name or digit after another. The invariant: each of the terms looked at has one value wherever
the index has one; at first that is the index alone.
- A sum `s*a + r` with `0 <= r <= s - 1`: were two counts different, the rests could not
  make up for it (`split_tells_counts_apart`); so they are one, and so are the rests
  (`split_leaves_one_rest`).
- A number is made of its quotient and its remainder by a divisor of at least 1
  (`parts_make_the_number`).
- A digit in `[0, b)` whose sum with a known number has a known remainder by b: two such digits
  differ by a multiple of b, and so not at all (`shift_tells_digits_apart`).
- A choice whose test is known takes one of two ways at both points.
Where all names are reached, two points of one index are one. Certificates take the same steps with
both points side by side: the sums are an equation, `one_rest_leaves_a_multiple` makes another one
of two numbers with one remainder, and a quotient ends where what is divided does (`counts_end`).

Every value is taken if the values found are those of a point. They exist: each `c >= 0` has a
quotient and a rest (`counts_exist`), which is below m where c is below `s*m` (`counts_end`), and
below m over s, rounded up, where c is below g*m and counts in strides g*s (`counts_end_rounded`);
each r in `[0, b)` is the remainder of a digit and a shift (`shifted_digits_exist`). That the point
meets the guard, and has the index that it was made from, is shown of each kernel.

Terms are folded before, which changes no value: a quotient and a remainder of a sum with a small
rest (`floor_evaluated` of rounding), a remainder in a sum of which the remainder is taken
(`remainder_in_a_sum`), a factor that all but a small rest shares (`shared_factor_of_a_quotient`,
`shared_factor_of_a_remainder`), and divisions by a product, one factor after another
(`quotient_by_a_product`, `remainder_by_a_product`, `digit_of_a_remainder`).
"""

from __future__ import annotations

from symcute import theorem

BOTH = ("z3", "cvc5")
POINTS = "how threads are told apart: the inverse of an index"
VALUES = "how every element is written: the inverse of an index"
FOLDED = "how terms are folded: quotients and remainders"

#: A stride s with what it counts, and rests r and t below it.
SPLIT = ["s >= 1", "r >= 0", "r <= s - 1", "t >= 0", "t <= s - 1", "a >= 0", "k >= 0"]
#: A number x1 - x0 of any sign, and divisors.
ANY = ["x0 >= 0", "x1 >= 0", "d >= 1", "b >= 1"]


@theorem(given=SPLIT, source=POINTS, solvers=BOTH)
def split_tells_counts_apart() -> str:
    """Another count is another sum, whatever the rests below the stride are."""
    return "s*a + r < s*(a + 1 + k) + t"


@theorem(given=[*SPLIT[:3], "t >= 0", "a >= 0", "k >= 0", "r <= s", "t <= s"], expect="refuted")
def split_tells_counts_apart_of_long_rests_neighbour() -> str:
    """A rest as long as the stride is one more in the count."""
    return "s*a + t < s*(a + 1 + k) + r"


@theorem(given=SPLIT, source=POINTS, solvers=BOTH)
def split_leaves_one_rest() -> str:
    """Of one sum and one count there is one rest."""
    return "s*a + r == s*a + t implies r == t"


@theorem(given=SPLIT, expect="refuted")
def split_leaves_one_rest_of_any_count_neighbour() -> str:
    """Two counts have two rests."""
    return "s*a + r == s*(a + k) + t implies r == t and k == 1"


@theorem(given=ANY, source=POINTS, solvers=BOTH)
def parts_make_the_number() -> str:
    """A number is its quotient times the divisor and its remainder."""
    return "b*((x1 - x0) // b) + (x1 - x0) % b == x1 - x0"


@theorem(given=ANY, expect="refuted")
def parts_of_two_divisors_make_the_number_neighbour() -> str:
    """The remainder has to be by the divisor of the quotient."""
    return "b*((x1 - x0) // b) + (x1 - x0) % d == x1 - x0"


#: Two numbers with quotients q and p by b, and rests r and t.
DIVIDED = ["b >= 1", "q >= 0", "p >= 0", "r >= 0", "t >= 0", "x == b*q + r", "y == b*p + t"]


@theorem(given=[*DIVIDED, "r == t"], source=POINTS, solvers=BOTH)
def one_rest_leaves_a_multiple() -> str:
    """Two numbers with one remainder differ by the difference of their quotients, b times."""
    return "x - y == b*(q - p)"


@theorem(given=[*DIVIDED, "r <= b - 1", "t <= b - 1"], expect="refuted")
def two_rests_leave_no_multiple_neighbour() -> str:
    """With two remainders they do not."""
    return "x - y == b*(q - p)"


@theorem(given=["b >= 1", "z >= 0", "y >= 0", "y <= b - 1", "k >= 0"], source=POINTS, solvers=BOTH)
def shift_tells_digits_apart() -> str:
    """No digit below b is another one and a multiple of b more."""
    return "y < z + b*(1 + k)"


@theorem(given=["b >= 1", "z >= 0", "y >= 0", "y <= b", "k >= 0"], expect="refuted")
def shift_tells_digits_up_to_the_divisor_apart_neighbour() -> str:
    """b itself leaves what 0 leaves."""
    return "y < z + b*(1 + k)"


@theorem(given=["c >= 0", "s >= 1"], source=VALUES, solvers=BOTH)
def counts_exist() -> tuple[str, str]:
    """A number of at least 0 has a count of at least 0 and a rest below the stride."""
    return "c // s >= 0", "0 <= c - s*(c // s) and c - s*(c // s) <= s - 1"


@theorem(given=["c >= 0", "s >= 1", "m >= 0", "c <= s*m - 1"], source=VALUES, solvers=BOTH)
def counts_end() -> str:
    """Below s*m the stride s counts fewer than m."""
    return "c // s <= m - 1"


@theorem(given=["c >= 0", "s >= 1", "m >= 0", "c <= s*m"], expect="refuted")
def counts_end_later_neighbour() -> str:
    """At s*m it counts m."""
    return "c // s <= m - 1"


@theorem(
    given=["q >= 0", "r >= 0", "s >= 1", "g >= 1", "m >= 0", "g*s*q + r <= g*m - 1"],
    source=VALUES, solvers=BOTH,
)  # fmt: skip
def counts_end_rounded() -> tuple[str, str]:
    """Below g*m the stride g*s counts fewer than m over s, rounded up."""
    return "s*q <= m - 1", "s*q <= m - 1 implies q <= (m + s - 1) // s - 1"


@theorem(
    given=["q >= 0", "r >= 0", "s >= 1", "g >= 1", "m >= 0", "g*s*q + r <= g*m - 1"],
    expect="refuted",
)  # fmt: skip
def counts_end_rounded_down_neighbour() -> str:
    """The last stride may be counted in part."""
    return "q <= m // s - 1"


@theorem(
    given=["c0 >= 0", "c1 >= 0", "b >= 1", "r >= 0", "r <= b - 1"], source=VALUES, solvers=BOTH
)
def shifted_digits_exist() -> tuple[str, str]:
    """r less the shift c1 - c0 has a remainder that is such a digit, up to a multiple of b."""
    return (
        "0 <= (r + c0 - c1) % b and (r + c0 - c1) % b <= b - 1",
        "(r + c0 - c1) % b + b*((r + c0 - c1) // b) + c1 - c0 == r",
    )


@theorem(given=["c0 >= 0", "c1 >= 0", "b >= 1", "r >= 0", "r <= b - 1"], expect="refuted")
def shifted_digits_exist_without_the_multiple_neighbour() -> str:
    """Without the multiple of b it is another number."""
    return "(r + c0 - c1) % b + c1 - c0 == r"


@theorem(given=[*ANY, "y0 >= 0", "y1 >= 0"], source=FOLDED, solvers=BOTH)
def remainder_in_a_sum() -> str:
    """A sum without what leaves no remainder differs from it by a multiple of b."""
    return "x1 - x0 + y1 - y0 - ((x1 - x0) % b + y1 - y0) == b*((x1 - x0) // b)"


@theorem(given=[*ANY, "y0 >= 0", "y1 >= 0"], expect="refuted")
def remainder_of_another_divisor_in_a_sum_neighbour() -> str:
    """The remainder by another number is not left out."""
    return "((x1 - x0) % d + y1 - y0) % b == (x1 - x0 + y1 - y0) % b"


#: u is d*q + v, and r is below the factor g.
SHARED = ["g >= 1", "d >= 1", "r >= 0", "r <= g - 1", "v >= 0", "v <= d - 1", "q0 >= 0", "q1 >= 0"]


@theorem(given=SHARED, source=FOLDED, solvers=BOTH)
def shared_factor_of_a_quotient() -> tuple[str, str]:
    """g*(d*q + v) + r leaves at least 0 and less than g*d beside q times g*d."""
    rest = "g*(d*(q1 - q0) + v) + r - g*d*(q1 - q0)"
    return f"{rest} >= 0", f"{rest} <= g*d - 1"


@theorem(given=SHARED, source=FOLDED, solvers=BOTH)
def shared_factor_of_a_remainder() -> str:
    """That rest is g times the remainder of what g counts, and r."""
    return "g*(d*(q1 - q0) + v) + r - g*d*(q1 - q0) == g*v + r"


@theorem(given=[*SHARED[:3], "r <= g", *SHARED[4:]], expect="refuted")
def shared_factor_with_a_long_rest_neighbour() -> str:
    """A rest as large as the factor may be one more."""
    return "g*(d*(q1 - q0) + v) + r - g*d*(q1 - q0) <= g*d - 1"


#: x is e*(d*q + v) + w, with the digits v below d and w below e.
CHAIN = ["e >= 1", "d >= 1", "w >= 0", "w <= e - 1", "v >= 0", "v <= d - 1", "q0 >= 0", "q1 >= 0"]


@theorem(given=CHAIN, source=FOLDED, solvers=BOTH)
def quotient_by_a_product() -> tuple[str, str]:
    """The quotient by d of the quotient by e is that by both: less than d*e is left."""
    rest = "e*(d*(q1 - q0) + v) + w - d*e*(q1 - q0)"
    return f"{rest} >= 0", f"{rest} <= d*e - 1"


@theorem(given=CHAIN, source=FOLDED, solvers=BOTH)
def remainder_by_a_product() -> str:
    """What the product leaves is the digit by d times e, and the digit by e."""
    return "e*(d*(q1 - q0) + v) + w - d*e*(q1 - q0) == e*v + w"


@theorem(given=CHAIN, source=FOLDED, solvers=BOTH)
def digit_of_a_remainder() -> tuple[str, str]:
    """Of what the product leaves the quotient by e is the digit by d: less than e is left."""
    return "(e*v + w) - e*v >= 0", "(e*v + w) - e*v <= e - 1"


@theorem(given=[*CHAIN[:5], "v <= d", *CHAIN[6:]], expect="refuted")
def quotient_by_a_product_of_a_long_digit_neighbour() -> str:
    """A digit as large as its radix is carried."""
    return "e*(d*(q1 - q0) + v) + w - d*e*(q1 - q0) <= d*e - 1"
