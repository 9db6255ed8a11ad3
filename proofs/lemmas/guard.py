"""The lemma "guard": a tile and its rest, under the predicate of the tail, are one mode.

The lemma. A layout L has modes (T, d_t) and (P, d_b), a tile and its rest, with `d_b == T*d_t`. A
guard G(c) < M, G of the same extents, has the strides g >= 1 and `T*g` in these two modes and
contributes nothing in the others. Then the coordinates that the guard lets through, in these two
modes, are those of the one mode `(ceil_div(M, g), d_t)`: for a guard of stride 1, (M, d_t).

Proof. The digits t below T and b below P are the one number `z = t + T*b`, below T*P, and every z
there has one such pair (digits.py: `index_step_bound`, `index_step_injective`, `index_step_onto`,
with n = T). In terms of z the guard is `g*z < M` (`guard_value`), which says `z < ceil_div(M, g)`
(`guard_is_a_bound`, both directions; `guard_is_rounded_up`), and the offset is `z*d_t`
(`guard_offset`). So L on the coordinates that are let through is the layout with the one mode, on
those z that are below both `ceil_div(M, g)` and T*P. Then
- what is injective for all z below ceil_div(M, g) is so for fewer, and what is in bounds likewise;
- what covers needs them all: `ceil_div(M, g) <= T*P`, which `M <= g*T*P` gives (`guard_covers`).
The other modes are as before. More than two modes `(T, d), (P, T*d), (Q, T*P*d), ...` are one index
in the same way: the first two are (T*P, d) in L and in G alike (rewriting.py, merge), by induction
down to two. By induction on the number of guards, each with modes of its own, all of them are
replaced; without one there is nothing to do. QED.

`guard_of_a_vector` and `guard_of_a_vector_is_the_bound` are the lemma for the divided vector of
`guarded_divide`, as the algebra builds it.
"""

from __future__ import annotations

from symcute import Claim, Equal, Formula, Layout, dims, eq, guarded_divide, implies, lt, theorem

BOTH = ("z3", "cvc5")
SOURCE = "the engine's lemma guard"

PAIR = ["t >= 0", "t <= T - 1", "b >= 0", "b <= P - 1", "g >= 1"]


@theorem(given=PAIR, source=SOURCE, solvers=BOTH)
def guard_value() -> str:
    """With the strides g and T*g the guard compares g*z, z = t + T*b."""
    return "t*g + b*(T*g) == g*(t + T*b)"


@theorem(given=[*PAIR, "p >= 0", "q >= 0"], source=SOURCE, solvers=BOTH)
def guard_offset() -> str:
    """With the strides d and T*d, of any sign, the offset is z*d."""
    return "t*(p - q) + b*(T*(p - q)) == (t + T*b)*(p - q)"


@theorem(given=[*PAIR, "d >= 1"], expect="refuted")
def guard_offset_of_padded_tiles_neighbour() -> str:
    """The same where a tile is followed by a gap of one element."""
    return "t*d + b*(T*d + 1) == (t + T*b)*d"


@theorem(
    given=["z >= 0", "g >= 1", "c >= 0", "g*c >= M", "g*c <= M + g - 1"],
    source=SOURCE,
    solvers=BOTH,
)
def guard_is_a_bound() -> tuple[str, str]:
    """g*z < M says z < c, for c the quotient of M by g rounded up: M <= g*c < M + g."""
    return "g*z < M implies z < c", "z < c implies g*z < M"


@theorem(given=["z >= 0", "g >= 1", "g*z < M"], expect="refuted")
def guard_is_a_bound_neighbour() -> str:
    """g*z < M says z < M // g: the quotient rounded down."""
    return "z < M // g"


@theorem(given=["z >= 0", "g >= 1"], source=SOURCE, solvers=BOTH)
def guard_is_rounded_up() -> str:
    """The quotient of M by g rounded up is between M/g and less than M/g + 1."""
    return "g*ceil_div(M, g) >= M and g*ceil_div(M, g) <= M + g - 1"


@theorem(given=["z >= 0", "M <= g*n", "g >= 1", "n >= 1", "g*z < M"], source=SOURCE, solvers=BOTH)
def guard_covers() -> str:
    """Where M <= g*T*P every z that the guard lets through is a pair of digits: n = T*P."""
    return "z < n"


@theorem(given=["z >= 0", "M <= g*n + 1", "g >= 1", "n >= 1", "g*z < M"], expect="refuted")
def guard_covers_neighbour() -> str:
    """The same where M may be one more: the last element has no tile."""
    return "z < n"


@theorem(
    given=["t >= 0", "t <= T", "b >= 0", "c >= 0", "r >= 0", "r <= T - 1", "t + T*b == r + T*c"],
    expect="refuted",
)
def guard_digit_bound_dropped_neighbour() -> str:
    """Pairs with t up to T, and not below it, are still told apart by z."""
    return "t == r and b == c"


@theorem(given=["t >= 0", "t < m", "b >= 0"], source=SOURCE, solvers=BOTH)
def guard_of_a_vector() -> Formula:
    """What the guard of a divided vector lets through is the vector at t + m*b."""
    t, b, m = dims("t b m")
    vector = Layout.parse("M:D")
    guarded = guarded_divide(vector, m)
    return implies(guarded.guard.formula((t, b)), eq(guarded.layout(t, b), vector(t + m * b)))


@theorem(given=["t >= 0", "t < m", "b >= 0"], source=SOURCE, solvers=BOTH)
def guard_of_a_vector_is_the_bound() -> Formula:
    """The guard of a divided vector compares t + m*b with its extent."""
    t, b, m, M = dims("t b m M")
    return implies(guarded_divide(Layout.parse("M:D"), m).guard.formula((t, b)), lt(t + m * b, M))


@theorem(given="m >= 2", expect="refuted")
def guard_is_not_needed_neighbour() -> Claim:
    """A vector divided with a rounded-up number of tiles is the vector, without a guard."""
    return Equal(guarded_divide(Layout.parse("M:D"), dims("m")).layout, Layout.parse("M:D"))
