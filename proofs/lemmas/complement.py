"""The lemmas "together" (disjoint images) and "increasing", on which "complement" rests.

Together. If the modes of A and B are injective together, A and B have no offset but 0 in
common. Take a coordinate a of A and b of B with one offset. In the layout (A, B) the coordinates
(a, 0) and (0, b) then have one offset. That layout is injective, so (a, 0) == (0, b): a is 0 and b
is 0, and the common offset is that of the coordinate 0, which is 0. For a chain, mode by mode:
u is the partial sum of (a, 0), v that of (0, b), both in `[0, R]`; a mode of A adds a digit to u
alone, a mode of B to v alone. If the sums agree behind a mode, its digit is 0 and they agreed
before it (`apart_step_left`, `apart_step_right`); so all digits are 0. Base: u = v = 0. A mode with
`(s-1)*d == 0` contributes no offset (`apart_still_mode`) and may stay out. Signs may
be turned in A ++ B, as in every chain: then the digit 0 of a reflected mode is its last one,
`chain_step` stands for the two steps, and the two coordinates are still (a, 0) and (0, b).

Increasing. B is strictly increasing, B(0) < B(1) < ... < B(size - 1), exactly when in the *given*
order of its modes, each with its *given* sign, `s_k == 1` or `R_k < d_k`, with `R_k` the sum of
`(s_j - 1) * d_j` over the modes before k. From the index i to i + 1 the digits before some mode k
fall from s_j - 1 to 0 and the digit of k grows by 1. The index grows by 1, as `S_k*(x + 1)` is one
more than `S_k*x + S_k - 1` (`increasing_step_is_one_index`); the offset grows by `d_k - R_k`
(`increasing_step_offset`), which is at least 1 (`increasing_step`). Every mode with s_k >= 2
occurs, at the index S_k - 1, so the condition is needed as well. R_k is what digits at their ends
add up to, by induction on k (`increasing_reach`), from 0. Monotone is the same with `R_k <= d_k`,
and an offset that grows by at least 0 (`monotone_step`).

Complement. B is a complement of A up to M when the images are apart, B is increasing and the
product of the sizes is at least M; nothing else is asserted. Neither a turned sign nor another
order of the modes may enter "increasing", though both are sound in a chain; the layout of
`complement_in_the_given_order` with its modes exchanged is a neighbour, and no complement.
"""

from __future__ import annotations

from symcute import Claim, Complement, Layout, dims, theorem

BOTH = ("z3", "cvc5")
APART = "the engine's lemma apart"
INCREASING = "the engine's lemma increasing"
COMPLEMENT = "the engine's lemma complement"

SUMS = ["R >= 0", "u >= 0", "u <= R", "v >= 0", "v <= R", "x >= 0"]


@theorem(given=[*SUMS, "e >= R + 1", "u + e*x == v"], source=APART, solvers=BOTH)
def apart_step_left() -> str:
    """A mode of A: if the sums agree behind it, its digit is 0 and they agreed before."""
    return "x == 0 and u == v"


@theorem(given=[*SUMS, "e >= R + 1", "u == v + e*x"], source=APART, solvers=BOTH)
def apart_step_right() -> str:
    """A mode of B: the same."""
    return "x == 0 and u == v"


@theorem(given=[*SUMS, "e >= R", "u + e*x == v"], expect="refuted")
def apart_step_neighbour() -> str:
    """The same when the stride may equal the reach of the modes before it."""
    return "x == 0"


@theorem(
    given=["s >= 1", "x >= 0", "x <= s - 1", "d >= 0", "(s - 1)*d == 0"],
    source=APART,
    solvers=BOTH,
)
def apart_still_mode() -> str:
    """A mode whose last digit contributes nothing never does: its stride is 0, or s is 1."""
    return "x*d == 0"


@theorem(given=["s >= 1", "x >= 0", "x <= s", "d >= 0", "(s - 1)*d == 0"], expect="refuted")
def apart_still_mode_neighbour() -> str:
    """The same for a digit that may be s."""
    return "x*d == 0"


@theorem(given=["S >= 2", "T >= 2"], expect="refuted")
def apart_each_injective_neighbour() -> str:
    """Two layouts that are injective each have no offset but 0 in common."""
    return "disjoint(S:1, T:1)"


@theorem(given=["S >= 3", "T >= 2"], expect="refuted")
def apart_but_for_0_neighbour() -> str:
    """A layout and another that begins at its last offset have no offset but 0 in common."""
    return "disjoint(S:1, T:(S - 1))"


@theorem(given=["n >= 1", "x >= 0"], source=INCREASING, solvers=BOTH)
def increasing_step_is_one_index() -> str:
    """Digits falling from their ends to 0 and a digit growing by 1 are one step of the index."""
    return "n*(x + 1) - (n*x + (n - 1)) == 1"


@theorem(
    given=["R0 >= 0", "R1 >= 0", "p >= 0", "q >= 0", "w >= 0", "x >= 0"],
    source=INCREASING,
    solvers=BOTH,
)
def increasing_step_offset() -> str:
    """The offset then grows by d - R: R = R1 - R0 and d = p - q of any sign, w the other digits."""
    return "(w + (x + 1)*(p - q)) - (w + x*(p - q) + (R1 - R0)) == (p - q) - (R1 - R0)"


@theorem(
    given=["R0 >= 0", "R1 >= 0", "p >= 0", "q >= 0", "p - q > R1 - R0"],
    source=INCREASING,
    solvers=BOTH,
)
def increasing_step() -> str:
    """A stride beyond the reach grows the offset by at least 1."""
    return "(p - q) - (R1 - R0) >= 1"


@theorem(
    given=["R0 >= 0", "R1 >= 0", "p >= 0", "q >= 0", "p - q >= R1 - R0"],
    source="the engine's lemma monotone",
    solvers=BOTH,
)
def monotone_step() -> str:
    """A stride of at least the reach never lets the offset fall."""
    return "(p - q) - (R1 - R0) >= 0"


@theorem(given=["R >= 0", "d >= 0", "d >= R - 1"], expect="refuted")
def monotone_step_neighbour() -> str:
    """The same for a stride that may be one below the reach."""
    return "d - R >= 0"


@theorem(
    given=[
        "s >= 1",
        "R0 >= 0",
        "R1 >= 0",
        "u0 >= 0",
        "u1 >= 0",
        "p >= 0",
        "q >= 0",
        "u1 - u0 == R1 - R0",
    ],
    source=INCREASING,
    solvers=BOTH,
)
def increasing_reach() -> str:
    """If digits at their ends add up to R, they do so with the last digit of one more mode."""
    return "(u1 - u0) + (s - 1)*(p - q) == (R1 - R0) + (s - 1)*(p - q)"


@theorem(given=["R >= 0", "d >= R"], expect="refuted")
def increasing_step_neighbour() -> str:
    """A stride equal to the reach grows the offset: not decreasing is increasing."""
    return "d - R >= 1"


@theorem(given=["R >= 0", "p >= 0", "q >= 0", "q - p >= R + 1"], expect="refuted")
def increasing_with_a_turned_sign_neighbour() -> str:
    """A stride whose absolute value is beyond the reach grows the offset: a flip is allowed."""
    return "(p - q) - R >= 1"


@theorem(given=["M >= 2", "N >= 2"], expect="refuted")
def complement_with_a_turned_sign_neighbour() -> Claim:
    """M:-N is a complement of N:1: apart, and a chain once its sign is turned."""
    M, N = dims("M N")
    return Complement(Layout(M, -N), Layout(N, 1), M * N)


@theorem(given=["M >= 2", "N >= 2"], expect="refuted")
def complement_in_another_order_neighbour() -> Claim:
    """(M,N):(N*K,K) is a complement of K:1: apart, and a chain once its modes are exchanged."""
    M, N, K = dims("M N K")
    return Complement(Layout((M, N), (N * K, K)), Layout(K, 1), M * N * K)


@theorem(given=["M >= 2", "N >= 2"], source=COMPLEMENT, solvers=BOTH)
def complement_in_the_given_order() -> Claim:
    """(N,M):(K,N*K) is a complement of K:1: the same modes in the order of their strides."""
    M, N, K = dims("M N K")
    return Complement(Layout((N, M), (K, N * K)), Layout(K, 1), M * N * K)


@theorem(given=["M >= 2", "N >= 2"], expect="refuted")
def complement_one_short_neighbour() -> Claim:
    """(N,M):(K,N*K) is a complement of K:1 up to one more than the product of the sizes."""
    M, N, K = dims("M N K")
    return Complement(Layout((N, M), (K, N * K)), Layout(K, 1), M * N * K + 1)
