"""The lemmas "mod", "aligned" and "offset mod": arguments by divisibility.

Content. All strides are `p * d'_k` with one p >= 1. Then the offset is p times that of the layout
with the strides `d'`: digit by digit, by induction on the number of modes (`content_step`), from
the empty sum 0 = p*0. Since p*a == p*b only for a == b (`content_end`), one of the two layouts is
injective exactly when the other is.

Mod. g >= 1; the modes fall into J, whose strides are multiples `g * c_k`, and the others, "outer",
with strides `r_k + g * c_k`. Let w be the sum of `x_k * r_k` over the outer modes. If the outer
layout (strides r) is injective with all offsets in an interval of g numbers, and the layout of J
with the strides `c` is injective, then the whole layout is.
Induction on the number of modes: every partial sum is `w + g*t`, with w as above and t the sum of
`x_k * c_k` over all modes (`mod_step_outer`, `mod_step_inner`); base 0 = 0 + g*0. Take two
coordinates with one offset, `w + g*t == w' + g*t'`. w and w' lie in one interval of g numbers, so
they are equal, and so are t and t' (`mod_end`; with `mod_end_apart` for the case t > t'). The outer
layout being injective, the outer digits are equal; so are their parts of t and t', and what is left
of t and t' are the offsets of J with the strides c (`mod_rest`), so the digits of J are equal, too.
(w, w' count from the lower end of the interval, t and t' from a number below both.)

Mod, u times. As above, but it is u times the outer strides that are `r_k + g * c_k`. Let o be the
sum of the outer modes, z that of J over g: the offset is `o + g*z`, and u times it is
`w + g*(t + u*z)` (`mod_times`). So the offset says what w is, as above, and the outer digits are
those of one coordinate; then so is o, and z by "content", and with z the digits of J.

Two cases of it have names. Content: all modes are in J, and g is p. An extent of 1: modulo 1 the
others are all in J, and what is left has one coordinate and reaches 0, which is below 1.

Aligned. If n divides the stride of every mode of extent 2 or more it divides every offset: that is
n times another sum, as in "content".

Offset mod, for A and B without a common offset, B shifted by t. Each stride of A and of B is
`r_k + g * c_k` in every mode of extent 2 or more, r_k >= 0 (`offset_mod_residue`). As above every
offset of A is `a + g*m` with a from 0 to A's reach in the residues, and every one of B is `b + g*n`
with b from 0 to B's reach; and `t = rho + g*l`. If A's reach is below rho and rho plus B's reach is
below g, the two differ (`offset_mod_end`, in three cases by the order of m and n + l, which count
from a number below both). It is not enough that g divides `(s_k - 1) * (d_k - r_k)`, as
`offset_mod_residue_neighbour` shows.

Bezout, for two modes: mod, u times, for g = d_1, J of mode 1 alone, and the residue 1 of u*d_0. If
`u*d_0 + v*d_1 == 1` for some integers u and v, and `1 <= d_1` and `s_0 <= d_1`, the layout is
injective. Take two coordinates with one offset; let the digits in mode 0 differ by x >= 0 (the
other case is the same, exchanged), so `d_0*x == d_1*t` with t the difference in mode 1, of any
sign. Multiplying `u*d_0 + v*d_1 == 1` by x gives `x == d_1*(u*t + v*x)` (`bezout_times_x`,
`bezout_multiplied`): d_1 divides x. But `x <= s_0 - 1 < d_1`, so x == 0 (`bezout_small_multiple`),
and `d_1*t == 0` leaves t == 0 (`content_end`).
"""

from __future__ import annotations

from symcute import theorem

BOTH = ("z3", "cvc5")
CONTENT = "the engine's lemma content"
MOD = "the engine's lemma mod g"
OFFSET = "the engine's lemma offset mod"
BEZOUT = "the engine's lemma two-mode Bezout"

#: A partial sum w + g*t, of any sign, with w = w1 - w0 and t = t1 - t0, and the digit of a mode.
STEP = ["g >= 1", "w0 >= 0", "w1 >= 0", "t0 >= 0", "t1 >= 0", "x >= 0"]
#: A stride r + g*c of any sign.
STRIDE = ["r0 >= 0", "r1 >= 0", "c0 >= 0", "c1 >= 0"]
#: Residues of both coordinates in one interval of g numbers, which may begin anywhere.
RESIDUES = ["g >= 1", "w >= 0", "w <= g - 1", "v >= 0", "v <= g - 1", "t >= 0", "z >= 0"]
REACHES = [
    *("g >= 1", "A >= 0", "B >= 0", "rho >= A + 1", "rho + B <= g - 1"),
    *("a >= 0", "a <= A", "b >= 0", "b <= B", "n >= 0", "k >= 0"),
]


@theorem(
    given=["p >= 1", "u0 >= 0", "u1 >= 0", "c0 >= 0", "c1 >= 0", "x >= 0"],
    source=CONTENT,
    solvers=BOTH,
)
def content_step() -> str:
    """A sum that is p times another stays so with one more mode of stride p*c."""
    return "p*(u1 - u0) + x*(p*(c1 - c0)) == p*((u1 - u0) + x*(c1 - c0))"


@theorem(given=["p >= 1", "a >= 0", "b >= 0", "p*a == p*b"], source=CONTENT, solvers=BOTH)
def content_end() -> str:
    """p*a == p*b only for a == b; both are offsets, moved up to be at least 0."""
    return "a == b"


@theorem(given=["p >= 0", "a >= 0", "b >= 0", "p*a == p*b"], expect="refuted")
def content_end_neighbour() -> str:
    """The same for p >= 0."""
    return "a == b"


@theorem(given=[*STEP, *STRIDE], source=MOD, solvers=BOTH)
def mod_step_outer() -> str:
    """An outer mode of stride r + g*c moves w by x*r and t by x*c."""
    return (
        "w1 - w0 + g*(t1 - t0) + x*(r1 - r0 + g*(c1 - c0))"
        " == (w1 - w0 + x*(r1 - r0)) + g*(t1 - t0 + x*(c1 - c0))"
    )


@theorem(given=[*STEP, *STRIDE], source=MOD, solvers=BOTH)
def mod_step_inner() -> str:
    """A mode of J of stride g*c leaves w and moves t by x*c."""
    return "w1 - w0 + g*(t1 - t0) + x*(g*(c1 - c0)) == (w1 - w0) + g*(t1 - t0 + x*(c1 - c0))"


@theorem(given=[*RESIDUES, "k >= 0"], source=MOD, solvers=BOTH)
def mod_end_apart() -> str:
    """If t exceeds t' by 1 + k the sums differ: residues below g cannot make up for g."""
    return "w + g*(t + 1 + k) > v + g*t"


@theorem(given=[*RESIDUES, "w + g*t == v + g*z"], source=MOD, solvers=BOTH)
def mod_end() -> str:
    """Equal sums have equal residues and equal quotients."""
    return "w == v and t == z"


@theorem(
    given=[
        "g >= 1",
        "w >= 0",
        "w <= g",
        "v >= 0",
        "v <= g",
        "t >= 0",
        "z >= 0",
        "w + g*t == v + g*z",
    ],
    expect="refuted",
)
def mod_end_reach_neighbour() -> str:
    """The same when the residues may reach g, not g - 1."""
    return "w == v and t == z"


@theorem(
    given=["a >= 0", "b >= 0", "c >= 0", "d >= 0", "a + c == b + d", "c == d"],
    source=MOD,
    solvers=BOTH,
)
def mod_rest() -> str:
    """Equal quotients with equal outer parts c leave equal parts of J."""
    return "a == b"


@theorem(given=["a >= 0", "b >= 0", "c >= 0", "d >= 0", "a + c == b + d"], expect="refuted")
def mod_rest_neighbour() -> str:
    """Equal quotients leave equal parts of J whatever the outer parts are."""
    return "a == b"


@theorem(
    given=[*STEP, "u0 >= 0", "u1 >= 0", "o >= 0", "z >= 0", "(u1 - u0)*o == w1 - w0 + g*(t1 - t0)"],
    source=MOD,
    solvers=BOTH,
)
def mod_times() -> str:
    """u times an offset is u times its outer part and g times a multiple of u."""
    return "(u1 - u0)*(o + g*z) == w1 - w0 + g*(t1 - t0 + (u1 - u0)*z)"


@theorem(given=["u >= 1", "a >= 0", "b >= 0", "(u*a) % g == (u*b) % g", "g >= 2"], expect="refuted")
def mod_times_back_neighbour() -> str:
    """What agrees modulo g u times agrees modulo g."""
    return "a % g == b % g"


@theorem(given=["S >= 2", "g >= 2"], expect="refuted")
def mod_inner_not_injective_neighbour() -> str:
    """A chain below g, and any modes that are multiples of g, are injective together."""
    return "injective((g,S,S):(1,g,g))"


@theorem(given=["n >= 2", "s >= 1", "x >= 0", "x <= s - 1", "d >= 0"], expect="refuted")
def aligned_step_neighbour() -> str:
    """Where n divides the largest offset of a mode it divides all: (s-1)*d in the place of d."""
    return "((s - 1)*d) % n == 0 implies (x*d) % n == 0"


@theorem(given=REACHES, source=OFFSET, solvers=BOTH)
def offset_mod_end() -> tuple[str, str, str]:
    """Offsets whose residues lie in different parts of [0,g) differ: m > n, m == n and m < n."""
    return (
        "a + g*(n + 1 + k) > rho + b + g*n",
        "a + g*n < rho + b + g*n",
        "a + g*n < rho + b + g*(n + 1 + k)",
    )


@theorem(
    given=[x if x != "rho + B <= g - 1" else "rho + B <= g" for x in REACHES], expect="refuted"
)
def offset_mod_end_wraps_neighbour() -> str:
    """The same when the residues of B may reach g, where those of A begin again."""
    return "a + g*(n + 1 + k) != rho + b + g*n"


@theorem(given=[x if x != "rho >= A + 1" else "rho >= A" for x in REACHES], expect="refuted")
def offset_mod_end_touches_neighbour() -> str:
    """The same when the residues of B may begin where those of A end."""
    return "a + g*n != rho + b + g*n"


@theorem(
    given=["g >= 1", "m >= 0", "x >= 0", "r >= 0", "c0 >= 0", "c1 >= 0"],
    source=OFFSET,
    solvers=BOTH,
)
def offset_mod_residue() -> str:
    """Where g divides d - r, every digit x moves the residue by x*r: x*d == x*r + g*(x*c)."""
    return "x*(r + g*(c1 - c0)) == x*r + g*(x*(c1 - c0))"


@theorem(given=["s >= 1", "d >= 0", "x >= 0", "x <= s - 1", "g >= 1"], expect="refuted")
def offset_mod_residue_neighbour() -> str:
    """Where g divides (s-1)*(d - r) every digit moves the residue by x*r; here r = 0."""
    return "((s - 1)*d) % g == 0 implies (x*d) % g == 0"


@theorem(
    given=[
        "u0 >= 0",
        "u1 >= 0",
        "v0 >= 0",
        "v1 >= 0",
        "t0 >= 0",
        "t1 >= 0",
        "x >= 0",
        "y >= 0",
        "y == e*(t1 - t0)",
    ],
    source=BEZOUT,
    solvers=BOTH,
)
def bezout_multiplied() -> str:
    """Where y = d_0*x is d_1*t, x*(u*d_0 + v*d_1) is d_1*(u*t + v*x).

    With u = u1 - u0, v = v1 - v0, t = t1 - t0 and `u*d_0*x` written u*y.
    """
    return "(u1 - u0)*y + (v1 - v0)*e*x == e*((u1 - u0)*(t1 - t0) + (v1 - v0)*x)"


@theorem(
    given=["u0 >= 0", "u1 >= 0", "v0 >= 0", "v1 >= 0", "d0 >= 0", "d1 >= 0", "x >= 0"],
    source=BEZOUT,
    solvers=BOTH,
)
def bezout_times_x() -> str:
    """Multiplied by x, `u*d_0 + v*d_1` splits into `u*(d_0*x)` and `v*d_1*x`; d_0 is d1 - d0."""
    return "x*((u1 - u0)*(d1 - d0) + (v1 - v0)*e) == (u1 - u0)*((d1 - d0)*x) + (v1 - v0)*e*x"


@theorem(
    given=["x >= 0", "m >= 0", "n >= 0", "x <= s - 1", "s <= e", "x == e*(m - n)"],
    source=BEZOUT,
    solvers=BOTH,
)
def bezout_small_multiple() -> str:
    """A multiple of e that is a digit difference below s <= e is 0."""
    return "x == 0"


@theorem(
    given=["x >= 0", "m >= 0", "n >= 0", "x <= s", "s <= e", "x == e*(m - n)"], expect="refuted"
)
def bezout_small_multiple_neighbour() -> str:
    """The same for a difference that may reach the extent."""
    return "x == 0"


@theorem(given=["S <= d", "T >= 2", "d >= 2"], expect="refuted")
def bezout_without_coprime_strides_neighbour() -> str:
    """Strides d0 and d with s0 <= d are enough, coprime or not: here d0 = 2*d."""
    return "injective((S,T + 1):(2*d,d))"


@theorem(given=["S == d + 1", "T >= d + 2"], expect="refuted")
def bezout_extent_too_long_neighbour() -> str:
    """Coprime strides d + 1 and d tell s0 = d + 1 digits apart."""
    return "injective((S,T):(d + 1,d))"
