"""Rounds of loops: what a variable is at the start of round k, and when a test first fails.

A loop is looked at twice: once from variables of which nothing is known, which says what a round
does to each; then from what they are at the start of round k. Each rule is an induction over k. Its
base is what holds before the loop: no step, the first value of a cycle, 0 rounds.
- What grows by the same s in each round, of either sign, is `x + s*k` (`round_adds_a_step`).
- What takes L values over and over has number `k % L`: behind the last comes the first
  (`round_goes_on_in_a_cycle`, `round_begins_a_cycle_anew`).
- What changes by at least d in each round has changed by at least d*k, and likewise for at most
  (`round_drifts`, of both signs). What never grows is at most what it was (d = 0).
- What grows by u in the first e rounds, and by v ever after, has grown by
  `min(k, e)*(u - v) + k*v` (`round_turns`): in round k it grows by u if k is below e.
- What is divided by a number of at least 1 does not grow where it is at least 0, nor does a
  remainder of it (`round_divides`); a sum divided by c is no larger than the variable where it is
  less than c above c times that (`round_divides_a_sum`). While one variable is divided by c another
  may be multiplied by c: their product does not grow (`round_keeps_a_product`).
- What is at least l before the loop, and is changed by a round from any start to what is not below
  that start, or not below l, is at least l (`round_stays_above`), and likewise for at most.
- Any other relation is a guess: one that holds before the loop, and behind each round at whose
  start all guesses hold, holds at the start of every round. Each is proved of each loop.

Tests. `s*k + b < 0`, where s is at least 0, fails ever after a round in which it fails
(`round_test_stays_false`), and where s is at least 1 it fails in some round (`round_test_ends`). It
first fails in round `ceil_div(-b, s)`, or in round 0 (`round_test_first_fails`,
`round_test_fails_at_once`). `k != e` is `k < e` in all rounds up to its first failure, where e is
at least 0: what comes to its end in equal steps does not pass it (`round_test_of_an_end`).
Where round k begins, it is the first or the test held in round k - 1.
"""

from __future__ import annotations

from symcute import theorem

BOTH = ("z3", "cvc5")
VALUES = "what a loop has made of a variable: its rounds"
TESTS = "when a loop ends: its test"

#: A start x1 - x0, a step s1 - s0 of any sign, rounds k.
STEP = ["x0 >= 0", "x1 >= 0", "s0 >= 0", "s1 >= 0", "k >= 0"]


@theorem(given=STEP, source=VALUES, solvers=BOTH)
def round_adds_a_step() -> str:
    """With a step more it is what k + 1 steps come to."""
    return "((x1 - x0) + (s1 - s0)*k) + (s1 - s0) == (x1 - x0) + (s1 - s0)*(k + 1)"


@theorem(given=["x >= 0", "s >= 0", "k >= 0"], expect="refuted")
def round_adds_a_step_before_the_first_neighbour() -> str:
    """The start of round k has one step less than its end."""
    return "(x + s*(k + 1)) + s == x + s*(k + 1)"


@theorem(given=["k >= 0", "k % L <= L - 2"], source=VALUES, solvers=BOTH)
def round_goes_on_in_a_cycle() -> str:
    """Before the last value of a cycle comes the next one."""
    return "(k + 1) % L == k % L + 1"


@theorem(given=["k >= 0", "k % L <= L - 1"], expect="refuted")
def round_goes_on_in_a_cycle_for_ever_neighbour() -> str:
    """The same for the last value."""
    return "(k + 1) % L == k % L + 1"


@theorem(given=["k >= 0", "k % L == L - 1"], source=VALUES, solvers=BOTH)
def round_begins_a_cycle_anew() -> str:
    """Behind the last value of a cycle comes its first."""
    return "(k + 1) % L == 0"


@theorem(
    given=[
        "k >= 0", "d >= 0", "x >= 0", "y >= 0", "z >= 0", "x + d*k <= y", "y + d <= z",
        "u >= 0", "v >= 0", "w >= 0", "v <= u - d*k", "w <= v - d",
    ],
    source=VALUES, solvers=BOTH,
)  # fmt: skip
def round_drifts() -> tuple[str, str]:
    """At least d more than at least k*d more; and at least d less than at least k*d less."""
    return "x + d*(k + 1) <= z", "w <= u - d*(k + 1)"


@theorem(given=["k >= 0", "d >= 0", "x >= 0", "x + d*k <= y", "y + d <= z + 1"], expect="refuted")
def round_drifts_by_less_neighbour() -> str:
    """One less in a round is less in all."""
    return "x + d*(k + 1) <= z"


@theorem(
    given=["l >= 0", "x >= l", "y >= 0", "h >= 0", "z <= h", "w >= 0"], source=VALUES, solvers=BOTH
)
def round_stays_above() -> tuple[str, str]:
    """What ends not below where it began, which is at least l, is at least l; so for at most h."""
    return "x <= y implies l <= y", "w <= z implies w <= h"


@theorem(given=["l >= 0", "x >= l", "y >= 0"], expect="refuted")
def round_stays_above_one_less_neighbour() -> str:
    """To one less than its start."""
    return "x <= y + 1 implies l <= y"


#: Steps u1 - u0 and v1 - v0, and the round e in which they turn.
TURN = ["k >= 0", "e >= 0", "u0 >= 0", "u1 >= 0", "v0 >= 0", "v1 >= 0"]
ADDED = "min({k}, e)*((u1 - u0) - (v1 - v0)) + ({k})*(v1 - v0)"
GROWN = f"{ADDED.format(k='k + 1')} == {ADDED.format(k='k')}"


@theorem(given=TURN, source=VALUES, solvers=BOTH)
def round_turns() -> tuple[str, str]:
    """Before round e one step is added, from then on the other."""
    return (f"k <= e - 1 implies {GROWN} + (u1 - u0)", f"e <= k implies {GROWN} + (v1 - v0)")


@theorem(given=TURN, expect="refuted")
def round_turns_too_late_neighbour() -> str:
    """In round e itself it is the other step."""
    return f"k <= e implies {GROWN} + (u1 - u0)"


@theorem(given=["x >= 0", "c >= 1", "y >= 0"], source=VALUES, solvers=BOTH)
def round_divides() -> tuple[str, str]:
    """Quotient and remainder of what is at least 0 are at most that."""
    return "x // c <= x and x % c <= x", "min(x, y) <= x and x <= max(x, y)"


@theorem(given=["x >= 0", "c >= 2"], expect="refuted")
def round_divides_what_is_below_zero_neighbour() -> str:
    """A quotient of what is below 0, rounded down, is larger."""
    return "-x // c <= -x"


@theorem(
    given=["c >= 1", "x0 >= 0", "x1 >= 0", "r >= 0", "r <= c - 1"], source=VALUES, solvers=BOTH
)
def round_divides_a_sum() -> str:
    """A sum that is less than c above c*x has a quotient by c of at most x."""
    return "(c*(x1 - x0) + r) // c <= x1 - x0"


@theorem(given=["c >= 1", "x >= 0", "r >= 0", "r <= c"], expect="refuted")
def round_divides_a_larger_sum_neighbour() -> str:
    """A sum that is c above has a larger one."""
    return "(c*x + r) // c <= x"


@theorem(given=["c >= 1", "q >= 0", "r >= 0", "r <= c - 1", "y >= 0"], source=VALUES, solvers=BOTH)
def round_keeps_a_product() -> str:
    """c*q + r, divided by c, times y, multiplied by c, is at most their product."""
    return "q*(y*c) <= (c*q + r)*y"


@theorem(given=["c >= 2", "x >= 1", "y >= 1"], expect="refuted")
def round_keeps_a_product_rounded_up_neighbour() -> str:
    """The same where the division rounds up."""
    return "ceil_div(x, c)*(y*c) <= x*y"


@theorem(given=["s >= 0", "k >= 0", "j >= 0", "b0 >= 0", "b1 >= 0"], source=TESTS, solvers=BOTH)
def round_test_stays_false() -> str:
    """What is at least 0 in a round is so in those behind it."""
    return "s*k + b1 - b0 >= 0 implies s*(k + j) + b1 - b0 >= 0"


@theorem(given=["s >= 0", "k >= 0", "j >= 0", "b >= 0"], expect="refuted")
def round_test_stays_false_going_down_neighbour() -> str:
    """The same for what shrinks."""
    return "b - s*k >= 0 implies b - s*(k + j) >= 0"


@theorem(given=["s >= 1", "b >= 0"], source=TESTS, solvers=BOTH)
def round_test_ends() -> str:
    """By round b a step of at least 1 has made up for b."""
    return "s*b - b >= 0"


@theorem(given=["s >= 0", "b >= 0"], expect="refuted")
def round_test_ends_without_a_step_neighbour() -> str:
    """The same for a step that may be 0."""
    return "s*b - b >= 0"


@theorem(given=["s >= 1", "k >= 0", "b >= 0"], source=TESTS, solvers=BOTH)
def round_test_first_fails() -> tuple[str, str]:
    """s*k is below b in the rounds before ceil_div(b, s), and in no others."""
    return (
        "s*k <= b - 1 implies k <= ceil_div(b, s) - 1",
        "k <= ceil_div(b, s) - 1 implies s*k <= b - 1",
    )


@theorem(given=["s >= 1", "k >= 0", "b >= 0"], expect="refuted")
def round_test_first_fails_rounded_down_neighbour() -> str:
    """It may still hold in round b // s."""
    return "s*k <= b - 1 implies k <= b // s - 1"


@theorem(given=["k >= 0", "b0 >= 0", "b1 >= 0"], source=TESTS, solvers=BOTH)
def round_test_fails_at_once() -> str:
    """What a test bounds by a number below 0 fails in round 0."""
    return "(k < b1 - b0 implies k < max(b1 - b0, 0)) and (k < max(b1 - b0, 0) implies k < b1 - b0)"


@theorem(given=["k >= 0", "e >= 0", "k <= e"], source=TESTS, solvers=BOTH)
def round_test_of_an_end() -> tuple[str, str]:
    """Up to its end a variable is not there just where it is below, and the next is not past it."""
    return "(k != e implies k < e) and (k < e implies k != e)", "k != e implies k + 1 <= e"


@theorem(given=["k >= 0", "e >= 0"], expect="refuted")
def round_test_of_an_end_that_is_passed_neighbour() -> str:
    """The same for a variable that may be past its end."""
    return "k != e implies k < e"
