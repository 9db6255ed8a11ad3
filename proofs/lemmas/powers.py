"""Powers of two: of two of them, one that is less than twice the other divides it.

`pow2(x)` says that x is at least 1 and divides 2**64. What divides a power of two and is at least 1
is a power of two: 2**k = x*y with k >= 1 has x even, and then x/2 divides 2**(k-1), or y even, and
then x divides 2**(k-1) (`odd_times_odd`, `half_of_the_whole`, `half_of_the_cofactor`); at k = 0
it is 1 (`one_is_its_only_divisor`).

Let a and b be powers of two with a < 2*b: then a divides b. Induction on b. At b = 1 it is a = 1
(`base`). From b to 2*b, with a < 4*b: where a < 2*b, a divides b and so 2*b (`step_smaller`); else
a is at least 2, a = 2*c with a power of two c < 2*b (`step_halved`), which divides b, so that a
divides 2*b (`step_doubled`). What divides b, both at least 1, is at most b (`at_most`).

So twice a power of two, as long as it is at most 2**64, divides that: it is a power of two. Where s
is below b, 2*s is below twice b and divides it (`twice_the_smaller_divides_neighbour` has both the
same). Of multiples of s, and of 2*s, one below another is so by a whole step (`a_step_below`), and
so is one below b.
"""

from __future__ import annotations

from symcute import theorem

BOTH = ("z3", "cvc5")
POWERS = "the engine's lemma powers"


@theorem(source=POWERS, solvers=BOTH)
def odd_times_odd() -> str:
    """The product of two odd numbers is odd: of two factors of an even number one is even."""
    return "(2*u - 1)*(2*v - 1) == 2*(2*u*v - u - v) + 1"


@theorem(given=["3*p == x*y"], expect="refuted")
def a_factor_is_even_neighbour() -> str:
    """Of two factors of a number that 3 divides one is even."""
    return "x % 2 == 0 or y % 2 == 0"


@theorem(given=["2*p == 2*x*y"], source=POWERS, solvers=BOTH)
def half_of_the_whole() -> str:
    """Half of an even factor is a factor of the half."""
    return "p == x*y"


@theorem(given=["2*p == x*(2*y)"], source=POWERS, solvers=BOTH)
def half_of_the_cofactor() -> str:
    """A factor beside an even one is a factor of the half."""
    return "p == x*y"


@theorem(given=["x*y == 1"], source=POWERS, solvers=BOTH)
def one_is_its_only_divisor() -> str:
    """1 has the divisor 1 alone."""
    return "x == 1"


@theorem(given=["a < 2*b", "b == 1"], source=POWERS, solvers=BOTH)
def base() -> str:
    """Below twice 1 there is 1 alone, which divides 1."""
    return "a == 1"


@theorem(given=["a <= 2*b", "b == 1"], expect="refuted")
def base_neighbour() -> str:
    """The same for what may be twice as large."""
    return "a == 1"


@theorem(given=["b == a*q"], source=POWERS, solvers=BOTH)
def step_smaller() -> str:
    """What divides b divides 2*b."""
    return "2*b == a*(2*q)"


@theorem(given=["a == 2*c", "a < 4*b"], source=POWERS, solvers=BOTH)
def step_halved() -> str:
    """Half of what is below 4*b is below 2*b."""
    return "c < 2*b"


@theorem(given=["a == 2*c", "b == c*q"], source=POWERS, solvers=BOTH)
def step_doubled() -> str:
    """Where c divides b, 2*c divides 2*b."""
    return "2*b == a*q"


@theorem(given=["b == a*q"], source=POWERS, solvers=BOTH)
def at_most() -> str:
    """What divides b is at most b."""
    return "a <= b"


@theorem(given=["a < 2*b"], expect="refuted")
def any_two_numbers_neighbour() -> str:
    """The lemma for numbers that are no powers of two."""
    return "b % a == 0"


@theorem(given=["pow2(a)", "pow2(b)", "a <= 2*b"], expect="refuted")
def twice_as_large_neighbour() -> str:
    """The lemma for powers of two of which one may be twice the other."""
    return "b % a == 0"


@theorem(given=["x0 >= 0", "x1 >= 0", "s*(x1 - x0) < s*b"], source=POWERS, solvers=BOTH)
def a_step_below() -> str:
    """A multiple of a step, of either sign, below another one is so by a whole step."""
    return "s*(x1 - x0) + s <= s*b"


@theorem(given=["s*x <= s*b", "x >= 0"], expect="refuted")
def a_step_below_neighbour() -> str:
    """The same for what may be the other multiple."""
    return "s*x + s <= s*b"


@theorem(given=["x >= 0", "s*x < 2*s*b"], expect="refuted")
def two_steps_below_neighbour() -> str:
    """A multiple of s below one of 2*s is so by two steps."""
    return "s*x + 2*s <= 2*s*b"


@theorem(given=["pow2(s)", "pow2(b)", "s <= b"], expect="refuted")
def twice_the_smaller_divides_neighbour() -> str:
    """Twice one of two powers of two divides the other, where both may be one."""
    return "b % (2*s) == 0"
