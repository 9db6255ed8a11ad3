"""The lemmas "bounds", "beyond", "given bound" and "compact": where the offsets of a layout lie.

Bounds. A layout has modes `(s_k, d_k)`, each with a sign for which `0 <= sign * (s_k - 1) * d_k`.
Let H be the sum of `(s_k - 1) * d_k` over the modes of sign +1 and L that over the modes of sign
-1. Then every offset lies in `[L, H]`, and both ends are offsets. So a layout with `0 <= L` and
`H + 1 <= b` is in bounds b (`bounds_end`).

Induction on the number of modes. The invariant: every partial sum lies in `[L, H]`, for L and H of
the modes so far, and both are partial sums. Base: without modes the sum is 0 = L = H. Step: in a
mode of extent 1 the digit is 0 and nothing changes (`drop` in chain.py). Otherwise the condition
says which sign the stride has (`bounds_step_condition`, and its mirror image for the sign -1). A
stride e >= 0 leaves L and moves H by `(s-1)*e` (`bounds_step_upwards`), a stride -e is the mirror
image (`bounds_step_downwards`); the ends are attained at the digits 0 and s - 1
(`bounds_step_is_attained`). L and H may be of any sign: they are written `L - m` and `H - m`, a dim
m subtracted from both, since dims have lower bounds.

Beyond. If the largest offset of A is below the smallest of `shift + B`, they share none
(`beyond_end`).

Given bound. Where a guard `G(c) < M` has the strides of the layout itself, offset and guard are one
number, and the guard is the bound (`given_bound_end`); digit by digit `x*d == x*g` by
`given_bound_step`.

Compact. An injective layout of size n with all offsets in `[0, n)` takes each exactly once: an
injective map f of `{0, ..., n-1}` into itself is onto. Induction on n. Base: n = 1, one value for
one place (`compact_base`). Step: f on `{0, ..., n}`; let c = f(n), and define g on `{0, ..., n-1}`
as f, but c where f takes the value n. Then g takes values in `[0, n-1]` only
(`compact_step_values`) and is injective (`compact_step_injective`), so by induction it is onto
`[0, n-1]`; the values of f are those of g and n, so f is onto `[0, n]`.

With an offset x that is added, and where a swizzle follows that maps [0, q) onto itself: the
offsets lie in [0, q) where `x + L >= 0` and `x + H < q` (`shifted_inside`).
"""

from __future__ import annotations

from symcute import theorem

BOTH = ("z3", "cvc5")
BOUNDS = "the engine's lemma bounds"
BEYOND = "the engine's lemma beyond"
GIVEN = "the engine's lemma given bound"
COMPACT = "the engine's lemma compact"

#: A digit of the mode, a stride e >= 0, and a partial sum u - m between L - m and H - m.
STEP = ["s >= 1", "x >= 0", "x <= s - 1", "e >= 0", "m >= 0", "L <= u", "u <= H"]
#: Three different values of f in [0, n]: at i, at j, and c at n.
VALUES = [
    *("n >= 1", "a >= 0", "a <= n", "b >= 0", "b <= n", "c >= 0", "c <= n"),
    *("a != b", "a != c", "b != c"),
]


@theorem(given=["s >= 2", "p >= 0", "q >= 0", "(s - 1)*(p - q) >= 0"], source=BOUNDS, solvers=BOTH)
def bounds_step_condition() -> str:
    """For an extent of at least 2 the condition gives the sign of the stride p - q."""
    return "p - q >= 0"


@theorem(given=["s >= 1", "p >= 0", "q >= 0", "(s - 1)*(p - q) >= 0"], expect="refuted")
def bounds_step_condition_neighbour() -> str:
    """The same for every extent, 1 included."""
    return "p - q >= 0"


@theorem(given=STEP, source=BOUNDS, solvers=BOTH)
def bounds_step_upwards() -> str:
    """A stride e >= 0 leaves the lower end and moves the upper one by (s-1)*e."""
    return "L - m <= u - m + x*e and u - m + x*e <= H - m + (s - 1)*e"


@theorem(given=STEP, source=BOUNDS, solvers=BOTH)
def bounds_step_downwards() -> str:
    """A stride -e <= 0 moves the lower end by -(s-1)*e and leaves the upper one."""
    return "L - m - (s - 1)*e <= u - m - x*e and u - m - x*e <= H - m"


@theorem(given=[*STEP, "x == s - 1"], source=BOUNDS, solvers=BOTH)
def bounds_step_is_attained() -> str:
    """The last digit takes the upper end to the new upper end, or the lower to the new lower."""
    return (
        "(u == H implies u - m + x*e == H - m + (s - 1)*e)"
        " and (u == L implies u - m - x*e == L - m - (s - 1)*e)"
    )


@theorem(given=STEP, expect="refuted")
def bounds_step_wrong_sign_neighbour() -> str:
    """A stride -e leaves the lower end too."""
    return "L - m <= u - m - x*e"


@theorem(given=STEP, expect="refuted")
def bounds_step_extent_neighbour() -> str:
    """The upper end moves by (s-2)*e: one digit too few."""
    return "u - m + x*e <= H - m + (s - 2)*e"


@theorem(given=["L <= u", "u <= H", "L >= 0", "H + 1 <= b"], source=BOUNDS, solvers=BOTH)
def bounds_end() -> str:
    """Ends inside [0,b) keep every offset inside."""
    return "0 <= u and u < b"


@theorem(given=["L <= u", "u <= H", "L >= 0", "H <= b"], expect="refuted")
def bounds_end_neighbour() -> str:
    """The same when the upper end may be b itself."""
    return "u < b"


@theorem(given=["u <= H", "H + 1 <= K + t", "K <= v"], source=BEYOND, solvers=BOTH)
def beyond_end() -> str:
    """An offset u of A up to H and an offset v of B from K on, shifted by t beyond H, differ."""
    return "u != v + t"


@theorem(given=["u <= H", "H <= K + t", "K <= v"], expect="refuted")
def beyond_end_neighbour() -> str:
    """The same when the intervals have one end in common."""
    return "u != v + t"


@theorem(
    given=["s >= 1", "x >= 0", "x <= s - 1", "d >= 0", "g >= 0", "(s - 1)*(d - g) == 0"],
    source=GIVEN,
    solvers=BOTH,
)
def given_bound_step() -> str:
    """Where `(s-1)*(d-g) == 0` a digit adds the same to the offset and to the guard."""
    return "x*d == x*g"


@theorem(
    given=["s >= 1", "x >= 0", "x <= s", "d >= 0", "g >= 0", "(s - 1)*(d - g) == 0"],
    expect="refuted",
)
def given_bound_step_neighbour() -> str:
    """The same for a digit that may reach s."""
    return "x*d == x*g"


@theorem(given=["u >= 0", "G >= 0", "u == G", "G < M", "M <= b"], source=GIVEN, solvers=BOTH)
def given_bound_end() -> str:
    """An offset that is what the guard compares stays below every bound of the guard."""
    return "u < b"


@theorem(given=["u >= 0", "G >= 0", "u <= G + 1", "G < M", "M <= b"], expect="refuted")
def given_bound_end_neighbour() -> str:
    """The same for an offset one beyond what the guard compares."""
    return "u < b"


@theorem(given=["n == 1", "a >= 0", "a < n", "m >= 0", "m < n"], source=COMPACT, solvers=BOTH)
def compact_base() -> str:
    """In [0,1) there is one value: the map takes it."""
    return "a == m"


@theorem(given=VALUES, source=COMPACT, solvers=BOTH)
def compact_step_values() -> tuple[str, str]:
    """With c in the place of n all values lie below n."""
    return "a != n implies a <= n - 1", "a == n implies c <= n - 1"


@theorem(given=VALUES, source=COMPACT, solvers=BOTH)
def compact_step_injective() -> tuple[str, str]:
    """With c in the place of n different places keep different values."""
    return "a != n and b != n implies a != b", "a == n implies c != b"


@theorem(given=[*(x for x in VALUES if x != "b != c"), "a == n"], expect="refuted")
def compact_step_injective_neighbour() -> str:
    """The same when f takes c twice: a map that is not injective."""
    return "c != b"


@theorem(given=["n >= 2", "a >= 0", "a <= n", "b >= 0", "b <= n", "a != b"], expect="refuted")
def compact_one_value_too_many_neighbour() -> str:
    """An injective map of two places into [0,n] takes n: values beyond the size leave gaps."""
    return "a == n or b == n"


@theorem(
    given=["u0 >= 0", "u1 >= 0", "u0 <= u1 + l", "u1 <= u0 + h", "x >= l", "x + h + 1 <= q"],
    source=BOUNDS,
    solvers=BOTH,
)
def shifted_inside() -> str:
    """Between its extremes -l and h, with x added, an offset u = u1 - u0 lies in [0, q)."""
    return "0 <= x + u1 - u0 and x + u1 - u0 < q"


@theorem(
    given=["u0 >= 0", "u1 >= 0", "u0 <= u1 + l", "u1 <= u0 + h", "x >= l - 1", "x + h + 1 <= q"],
    expect="refuted",
)
def shifted_one_short_neighbour() -> str:
    """The same where x is one short of making up for what lies below 0."""
    return "0 <= x + u1 - u0"


@theorem(
    given=["u0 >= 0", "u1 >= 0", "u0 <= u1 + l", "u1 <= u0 + h", "x >= l", "x + h <= q"],
    expect="refuted",
)
def shifted_one_too_far_neighbour() -> str:
    """The same where x is one too much for what lies above."""
    return "x + u1 - u0 < q"
