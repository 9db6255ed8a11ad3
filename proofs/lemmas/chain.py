"""The lemma "chain", which proves that a layout is injective; and "drop".

The lemma. A layout has modes `(s_k, d_k)`: the coordinate `x`, with `0 <= x_k <= s_k - 1`, has the
offset `sum of x_k * d_k`. Take its modes in some order and give each a sign `+1` or `-1`; write
`e_k` for the stride times its sign, and `R_k` for the sum of `(s_j - 1) * e_j` over the modes
before k. If every mode has

    0 <= (s_k - 1) * (e_k - 1 - R_k)

then the layout is injective: it takes no offset at two coordinates.

Signs first. Replacing the digit `x_k` by `s_k - 1 - x_k` in the modes of sign -1 is a bijection of
the coordinates (`reflection_keeps_the_digits`, `reflection_undoes_itself`), and changes the offset
`x_k * d_k` to `x_k * e_k` plus a constant (`reflection_turns_the_sign`). So the layout with the
strides `d` is injective exactly when that with the strides `e` is, and we may speak of `e` alone.

Induction on the number of modes, in the given order. The invariant after k modes:

    R_k >= 0; the partial sum of any coordinate lies in [0, R_k]; and two coordinates with equal
    partial sums agree in all k digits.

Base: without modes the sum is 0 and R_0 = 0; `chain_base` is the first mode, where R = 0.
Step: the mode `(s, e)` joins partial sums u, v in `[0, R]` with digits x, y.
- If s = 1 both digits are 0 and nothing changes (`chain_step_extent_1`), whatever e is.
- If s >= 2 the condition says `e >= R + 1` (`chain_step_condition`). Then the sum stays in
  `[0, R + (s-1)*e]` (`chain_step_reach`). If the digits differ, say x = y + 1 + k, the sums
  differ: `u + e*x > v + e*y` (`chain_step_tells_digits_apart`), the reach of what came before being
  too small to make up for e. So equal sums have equal digits in this mode, hence equal partial sums
  before it, hence, by the invariant, equal digits everywhere.
Both cases of the order of x and y together are `chain_step`.
The step uses nothing about how many modes came before but the invariant; so it holds for every
rank, and at the last mode it says that equal offsets have equal coordinates. QED.

Drop. A mode of extent 1 has the digit 0 alone (`drop_has_one_digit`): without it the layout takes
the same offsets at the same other digits, and is injective exactly when it was.

The neighbours are what the lemma would be with one of its conditions weakened: each is false.
"""

from __future__ import annotations

from symcute import theorem

BOTH = ("z3", "cvc5")
SOURCE = "the engine's lemma chain"

DIGIT = ["s >= 1", "x >= 0", "x <= s - 1"]
#: The partial sums of two coordinates, and what they cannot exceed.
SUMS = ["R >= 0", "u >= 0", "u <= R", "v >= 0", "v <= R"]
#: A stride of any sign is `p - q`.
SIGNED = ["p >= 0", "q >= 0"]


@theorem(given=DIGIT, source=SOURCE, solvers=BOTH)
def reflection_keeps_the_digits() -> str:
    """A reflected digit `s - 1 - x` is a digit of the same mode."""
    return "0 <= s - 1 - x and s - 1 - x <= s - 1"


@theorem(given=DIGIT, source=SOURCE, solvers=BOTH)
def reflection_undoes_itself() -> str:
    """Reflecting a digit twice gives the digit: reflection is a bijection."""
    return "s - 1 - (s - 1 - x) == x"


@theorem(given=[*DIGIT, *SIGNED], source=SOURCE, solvers=BOTH)
def reflection_turns_the_sign() -> str:
    """A digit with the stride d is the reflected digit with the stride -d, plus a constant."""
    return "x*(p - q) == (s - 1 - x)*(q - p) + (s - 1)*(p - q)"


@theorem(given=[*DIGIT, *SIGNED], expect="refuted")
def reflection_turns_the_sign_neighbour() -> str:
    """Turning the sign of a stride, without reflecting the digit, changes only a constant."""
    return "x*(p - q) == x*(q - p) + (s - 1)*(p - q)"


@theorem(given=["e >= 1", "x >= 0", "y >= 0", "x*e == y*e"], source=SOURCE, solvers=BOTH)
def chain_base() -> str:
    """One mode of stride e >= 1: digits that give one offset are equal."""
    return "x == y"


@theorem(given=["e >= 0", "x >= 0", "y >= 0", "x*e == y*e"], expect="refuted")
def chain_base_neighbour() -> str:
    """The same for the stride 0."""
    return "x == y"


@theorem(
    given=["s >= 2", "R >= 0", *SIGNED, "(s - 1)*(p - q - 1 - R) >= 0"], source=SOURCE, solvers=BOTH
)
def chain_step_condition() -> str:
    """For an extent of at least 2 the condition says that the stride exceeds the reach."""
    return "p - q >= R + 1"


@theorem(given=["s >= 1", "R >= 0", *SIGNED, "(s - 1)*(p - q - 1 - R) >= 0"], expect="refuted")
def chain_step_condition_neighbour() -> str:
    """The same for every extent, 1 included."""
    return "p - q >= R + 1"


@theorem(
    given=["s >= 1", "x >= 0", "x <= s - 1", *SUMS, *SIGNED, "s == 1"], source=SOURCE, solvers=BOTH
)
def chain_step_extent_1() -> str:
    """A mode of extent 1 changes neither sum nor reach, whatever its stride."""
    return "u + x*(p - q) == u and R + (s - 1)*(p - q) == R"


@theorem(given=[*DIGIT, *SUMS, "e >= R + 1"], source=SOURCE, solvers=BOTH)
def chain_step_reach() -> str:
    """With the digit of a further mode the sum stays between 0 and the reach, which grows."""
    return "0 <= u + e*x and u + e*x <= R + (s - 1)*e and 0 <= R + (s - 1)*e"


@theorem(given=[*SUMS, "e >= R + 1", "y >= 0", "k >= 0"], source=SOURCE, solvers=BOTH)
def chain_step_tells_digits_apart() -> str:
    """A larger digit gives a larger sum, whatever the sums before: the digit y + 1 + k beats y."""
    return "u + e*(y + 1 + k) > v + e*y"


@theorem(
    given=[*SUMS, "e >= R + 1", "x >= 0", "y >= 0", "u + e*x == v + e*y"],
    source=SOURCE,
    solvers=BOTH,
)
def chain_step() -> str:
    """Equal sums have equal digits in the last mode, and equal sums before it."""
    return "x == y and u == v"


@theorem(given=[*SUMS, "e >= R", "x >= 0", "y >= 0", "u + e*x == v + e*y"], expect="refuted")
def chain_step_stride_equal_to_the_reach_neighbour() -> str:
    """The same when the stride may equal the reach: >= in the place of >."""
    return "x == y and u == v"


@theorem(
    given=["R >= 0", "u >= 0", "v >= 0", "u <= R", "e >= R + 1", "u + e*2 == v + e*1"],
    expect="refuted",
)
def chain_step_one_sum_unbounded_neighbour() -> str:
    """The same when only one of the two sums is known to lie within the reach."""
    return "u == v"


@theorem(given=["s >= 0", "R >= 0", "e >= R + 1"], expect="refuted")
def chain_step_reach_of_an_empty_mode_neighbour() -> str:
    """The reach stays at least 0 when an extent may be 0."""
    return "0 <= R + (s - 1)*e"


@theorem(given=["D > S", "D > (S + 1)*T"], expect="refuted")
def chain_of_pairs_neighbour() -> str:
    """A stride beyond the reach of each earlier mode, but not beyond their sum, is enough."""
    return "injective((S + 1, T + 1, 2):(1, S + 1, D))"


@theorem(given=["x >= 0", "x <= s - 1", "s == 1"], source="the engine's lemma drop", solvers=BOTH)
def drop_has_one_digit() -> str:
    """A mode of extent 1 has the digit 0 alone: leaving it out changes no offset."""
    return "x == 0"


@theorem(given=["x >= 0", "x <= s - 1", "s >= 1", "s <= 2"], expect="refuted")
def drop_has_one_digit_neighbour() -> str:
    """A mode of extent at most 2 has the digit 0 alone."""
    return "x == 0"
