"""The lemma "cover": a layout takes every offset below M.

The lemma. Take some modes `(s_k, d_k)` of a layout in some order (the coordinates of the others are
0), and let `R_k` be the sum of `(s_j - 1) * d_j` over those before k. If every mode has

    0 <= d_k <= R_k + 1

then every m in `[0, R]`, with R the sum over all of them, is an offset; so the layout covers
`[0,M)` when `M <= R + 1` (`cover_end`).

Induction on the number of modes. The invariant: every m in `[0, R]` is a partial sum, and R >= 0.
Base: without modes the sum is 0 and R = 0. Step: a mode `(s, d)`, and m in `[0, R + (s-1)*d]`.
- If d = 0 the reach does not grow; m lies in `[0, R]` and the digit 0 will do (`cover_step_zero`).
- If d >= 1 let `x = min(m // d, s - 1)`, a digit of the mode (`cover_step_digit`). What is left,
  `m - d*x`, lies in `[0, R]` (`cover_step_rest`), so by the invariant it is a partial sum u, and
  m = u + d*x. The proof of the rest has two cases: `m // d <= s - 1` leaves less than d, which is
  at most R (`cover_step_remainder`); otherwise x = s - 1 and m was at most `R + (s-1)*d`
  (`cover_step_last_digit`).
R stays at least 0 as d does (`cover_step_reach`). QED.

The lemma "missing". Where `0 <= m` and `m + 1 <= M`, and the layout lies apart from `1:0` at m, it
does not cover `[0,M)`: m is one of these numbers, and the one offset of `1:0` at m
(`missing_number`) is no offset of the layout. QED.
"""

from __future__ import annotations

from symcute import theorem

BOTH = ("z3", "cvc5")
SOURCE = "the engine's lemma cover"

STEP = ["s >= 1", "R >= 0", "d >= 1", "d <= R + 1", "m >= 0", "m <= R + (s - 1)*d"]
#: Quotient k and remainder r of m by d.
DIVIDED = ["s >= 1", "R >= 0", "d >= 1", "d <= R + 1", "k >= 0", "r >= 0", "r < d"]


@theorem(given=["s >= 1", "R >= 0", "d >= 0", "m >= 0", "d == 0"], source=SOURCE, solvers=BOTH)
def cover_step_zero() -> str:
    """A mode of stride 0 leaves the reach as it is, and the digit 0 the sum."""
    return "R + (s - 1)*d == R and m - d*0 == m"


@theorem(given=STEP, source=SOURCE, solvers=BOTH)
def cover_step_digit() -> str:
    """min(m // d, s - 1) is a digit of the mode."""
    return "0 <= min(m // d, s - 1) and min(m // d, s - 1) <= s - 1"


@theorem(given=STEP, source=SOURCE, solvers=BOTH)
def cover_step_rest() -> str:
    """What this digit leaves of m is covered by the modes before."""
    return "0 <= m - d*min(m // d, s - 1) and m - d*min(m // d, s - 1) <= R"


@theorem(given=[*DIVIDED, "k <= s - 1"], source=SOURCE, solvers=BOTH)
def cover_step_remainder() -> str:
    """A quotient that is a digit leaves the remainder, which is at most the reach."""
    return "0 <= k*d + r - d*k and k*d + r - d*k <= R"


@theorem(given=[*DIVIDED, "k >= s", "k*d + r <= R + (s - 1)*d"], source=SOURCE, solvers=BOTH)
def cover_step_last_digit() -> str:
    """A quotient beyond the last digit leaves, with the last digit, at most the reach."""
    return "0 <= k*d + r - d*(s - 1) and k*d + r - d*(s - 1) <= R"


@theorem(given=["s >= 1", "R >= 0", "d >= 0"], source=SOURCE, solvers=BOTH)
def cover_step_reach() -> str:
    """The reach does not shrink."""
    return "R <= R + (s - 1)*d"


@theorem(given=["M <= R + 1", "m >= 0", "m < M", "R >= 0"], source=SOURCE, solvers=BOTH)
def cover_end() -> str:
    """Below M every offset lies within the reach."""
    return "m <= R"


@theorem(
    given=["s >= 1", "R >= 0", "d >= 1", "d <= R + 2", "m >= 0", "m <= R + (s - 1)*d"],
    expect="refuted",
)
def cover_step_gap_neighbour() -> str:
    """A stride of R + 2 leaves no gap."""
    return "m - d*min(m // d, s - 1) <= R"


@theorem(
    given=["s >= 1", "R >= 0", "d >= 1", "d <= R + 1", "m >= 0", "m <= R + s*d"], expect="refuted"
)
def cover_step_one_extent_too_many_neighbour() -> str:
    """The digits of a mode reach s*d beyond what came before."""
    return "m - d*min(m // d, s - 1) <= R"


@theorem(given=["s >= 0", "R >= 0", "d >= 0"], expect="refuted")
def cover_step_empty_mode_neighbour() -> str:
    """The reach does not shrink when an extent may be 0."""
    return "R <= R + (s - 1)*d"


@theorem(given=["S >= 2", "d >= 1", "d <= S"], expect="refuted")
def cover_without_the_reach_neighbour() -> str:
    """Modes of reach S - 1 and of stride d cover one element more than their reach."""
    return "covers((S,2):(1,d), S + d + 1)"


@theorem(
    given=["m >= 0", "m + 1 <= M", "c >= 0", "c + 1 <= 1"],
    source="the engine's lemma missing",
    solvers=BOTH,
)
def missing_number() -> str:
    """What lies apart from 1:0 at m has no offset m, which is a number below M."""
    return "0 <= m and m < M and m + c*0 == m and c == 0"


@theorem(given=["m >= 0", "m <= M", "c >= 0", "c + 1 <= 1"], expect="refuted")
def missing_bound_neighbour() -> str:
    """The same where m may be the bound."""
    return "m < M"
