"""Indices and coordinates; and the lemma "no carry", by which layouts are composed.

Indices. The natural coordinate `(x_0, ..., x_n)` of a shape `(s_0, ..., s_n)` has the index `sum of
x_k * S_k`, with `S_k` the product of the extents before k. Induction on the number of modes, the
invariant: the index of the first k digits lies in `[0, S_k - 1]` and each number there is the index
of exactly one choice of digits. Base: no digits, the index 0, S_0 = 1. Step: with a digit x below s
an index i below n becomes `i + n*x`, below n*s (`index_step_bound`); two of them are equal only if
both parts are (`index_step_injective`); and every j below n*s is one, of `j % n` and the digit
`j // n` (`index_step_onto`). So coordinates and indices correspond one to one; this is the step
"start" by which the identity on indices is written as a layout.

No carry. A has modes `(a_j, e_j)` and radices `A_j`, the product of the `a_i` before j. It takes
the index `sum of y_j * A_j` with `0 <= y_j <= a_j - 1` to `sum of y_j * e_j`, its last digit having
no upper end. B has modes `(s_k, b_k)` with `b_k == sum over j of c_kj * A_j`, all `c_kj >= 0`, and
for each j but the last `sum over k of (s_k - 1) * c_kj <= a_j - 1`. Then A o B is the layout with
the extents of B and the strides `sum over j of c_kj * e_j`.

Let x be a coordinate of B, and `y_j` the sum of `x_k * c_kj` over k.
- The offset of B is `sum of y_j * A_j`, and `sum of y_j * e_j` is the offset of the layout with the
  strides claimed: two sums exchanged, by induction on the number of modes of B, one mode at a time
  and, inside, one j at a time (`no_carry_exchange`).
- `0 <= y_j <= a_j - 1`: by induction on the modes of B the partial sum of `x_k * c_kj` lies between
  0 and that of `(s_k - 1) * c_kj` (`no_carry_digit_step`), which ends at most at a_j - 1.
- So the y_j are digits, and since an index has one coordinate only (above; for the last mode
  `no_carry_digits_are_unique`, where the digit has no upper end) they are the coordinate at which A
  is evaluated (`no_carry_digits_are_read_back`, as CuTe computes them). Hence A(B(x)) is `sum of
  y_j * e_j`. QED.
The bound is on the sum over *all* modes of B: each alone is not enough.
"""

from __future__ import annotations

from symcute import Formula, Layout, dims, eq, theorem

BOTH = ("z3", "cvc5")
INDEX = "the engine's lemma start: indices and coordinates"
CARRY = "the engine's lemma no carry"

#: Indices i and k below n, digits x and y of the next mode.
STEP = ["i >= 0", "i <= n - 1", "k >= 0", "k <= n - 1", "x >= 0", "y >= 0"]


@theorem(given=[*STEP, "x <= s - 1"], source=INDEX, solvers=BOTH)
def index_step_bound() -> str:
    """An index below n, with a digit below s, is an index below n*s."""
    return "0 <= i + n*x and i + n*x <= n*s - 1"


@theorem(given=[*STEP, "x <= s"], expect="refuted")
def index_step_bound_neighbour() -> str:
    """The same for a digit that may be s."""
    return "i + n*x <= n*s - 1"


@theorem(given=[*STEP, "i + n*x == k + n*y"], source=INDEX, solvers=BOTH)
def index_step_injective() -> str:
    """Equal indices have equal digits and equal indices before them."""
    return "i == k and x == y"


@theorem(
    given=["i >= 0", "i <= n", "k >= 0", "k <= n", "x >= 0", "y >= 0", "i + n*x == k + n*y"],
    expect="refuted",
)
def index_step_injective_neighbour() -> str:
    """The same for indices that may be n."""
    return "i == k and x == y"


@theorem(given=["j >= 0", "j <= n*s - 1"], source=INDEX, solvers=BOTH)
def index_step_onto() -> tuple[str, str, str]:
    """Every j below n*s is j % n, below n, with the digit j // n, below s."""
    return (
        "j == j % n + n*(j // n)",
        "0 <= j % n and j % n <= n - 1",
        "0 <= j // n and j // n <= s - 1",
    )


@theorem(given=["j >= 0", "j <= n*s"], expect="refuted")
def index_step_onto_neighbour() -> str:
    """The same for the index n*s."""
    return "j // n <= s - 1"


@theorem(
    given=["x >= 0", "y0 >= 0", "y1 >= 0", "z0 >= 0", "z1 >= 0", "c >= 0", "A >= 1"],
    source=CARRY,
    solvers=BOTH,
)
def no_carry_exchange() -> str:
    """Adding x*c to a digit y adds x*(c*A) to y*A: mode by mode and digit by digit.

    y = y1 - y0; z = z1 - z0 stands for what the other digits contribute.
    """
    return "(z1 - z0) + (y1 - y0 + x*c)*A == ((z1 - z0) + (y1 - y0)*A) + x*(c*A)"


@theorem(
    given=["s >= 1", "x >= 0", "x <= s - 1", "c >= 0", "R >= 0", "y >= 0", "y <= R"],
    source=CARRY,
    solvers=BOTH,
)
def no_carry_digit_step() -> str:
    """A mode of B moves a digit of A by at most (s-1)*c, and never below 0."""
    return "0 <= y + x*c and y + x*c <= R + (s - 1)*c"


@theorem(
    given=["s >= 1", "x >= 0", "x <= s - 1", "c >= 0", "R >= 0", "y >= 0", "y <= R"],
    expect="refuted",
)
def no_carry_negative_digit_neighbour() -> str:
    """The same for a digit of stride -c: it stays at least 0."""
    return "0 <= y - x*c"


@theorem(
    given=[
        "y >= 0",
        "y <= a - 1",
        "z >= 0",
        "z <= a - 1",
        "Y >= 0",
        "Z >= 0",
        "y + a*Y == z + a*Z",
    ],
    source=CARRY,
    solvers=BOTH,
)
def no_carry_digits_are_unique() -> str:
    """A digit below a, and what is above it without an upper end, are told apart by the index."""
    return "y == z and Y == Z"


@theorem(
    given=["y >= 0", "y <= a", "z >= 0", "z <= a", "Y >= 0", "Z >= 0", "y + a*Y == z + a*Z"],
    expect="refuted",
)
def no_carry_digits_are_unique_neighbour() -> str:
    """The same for digits that may be a: a digit that carries."""
    return "y == z and Y == Z"


@theorem(given=["y >= 0", "y <= S - 1", "z >= 0"], source=CARRY, solvers=BOTH)
def no_carry_digits_are_read_back() -> str:
    """The coordinate at which a layout is evaluated at y + S*z is (y, z), y being below S."""
    return "(y + S*z) % S == y and (y + S*z) // S == z"


@theorem(given=["y >= 0", "y <= S", "S >= 2", "T >= 2", "E > S*D"], expect="refuted")
def no_carry_digit_bound_dropped_neighbour() -> Formula:
    """At an index y up to S the matrix (S,T):(D,E) is y*D: without the bound a digit carries."""
    S, T, D, E, y = dims("S T D E y")
    return eq(Layout((S, T), (D, E))(y), y * D)


@theorem(given=["S >= 2", "x >= 0", "x <= S - 1", "y >= 0", "y <= S - 1"], expect="refuted")
def no_carry_each_mode_alone_neighbour() -> str:
    """Two modes of B whose digits each stay below S stay below S together."""
    return "x + y <= S - 1"


@theorem(given=["S >= 2", "T >= 2", "E > S*D"], expect="refuted")
def no_carry_sum_over_one_mode_neighbour() -> str:
    """(S,T):(D,E) o (S,S):(1,1) is (S,S):(D,D): each mode of B alone stays below S."""
    return "is_composition((S,S):(D,D), (S,T):(D,E), (S,S):(1,1))"
