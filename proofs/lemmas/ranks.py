"""Laws of the algebra for layouts of every rank, by induction on the number of modes.

`proofs/laws` proves laws for layouts of one to four modes; here is the step that takes them to any
number. Partial sums, digits and indices are as in `chain.py` and `digits.py`.

Compact layouts. Strides `1, s_0, s_0*s_1, ...` in some order of the modes take every offset below
the size once. Invariant, in the order of the strides: the modes so far take every offset below n,
the product of their extents, once. Base: no mode, the offset 0, n = 1. Step: `index_step_bound`,
`index_step_injective`, `index_step_onto` of digits.py. The cosize grows with the size
(`compact_cosize_step`).

Padded layouts. If each stride, in some order, is at least the extent times the stride of the mode
before, and the first at least 1, the layout is injective. Invariant: the reach R of the modes so
far is below `s*d`, the extent times the stride of the last of them. Base: `(s-1)*d < s*d`. Step
(`padded_step`): a stride `e >= s*d` exceeds R, as "chain" asks, and `R + (t-1)*e` is below `t*e`.

Complements. A has the modes `(s_k, d_k)`, sorted by strides, and `c_k` is the extent times the
stride of the mode before k, `c_0 = 1`; every `d_k` is a multiple `q_k * c_k` (shape and stride of
a complement: B has the modes `(q_k, c_k)`, and a last one `(m, c)`).
- A and B together take every offset below `M = m*c` once. Invariant: the modes before k, of both,
  take every offset below c_k once. Step: the gap `(q, c)` extends that to `q*c`, and A's mode
  `(s, q*c)` to `s*q*c`, the next c: two steps of a compact layout (`complement_step_fills`).
- B is strictly increasing: its reach before mode k is below c_k, its stride there. Step:
  `complement_step_increases`.
- The size of A times the size of B is M: `complement_step_size`.
- The complement of B up to c is A again: in B the mode after `(q, c)` has the stride `s*q*c`, so
  what it leaves out there is `(s, q*c)`, A's mode (`complement_step_of_the_complement`).

Products. A takes every offset below n once, B is injective; the product takes the offsets `i +
n*b`. For every rank of A and B: equal ones have equal i and equal b (`product_step_injective`), and
the cosize is n times that of B (`product_step_cosize`).

Divides. Each mode of a matrix of any rank is cut into `(t, s/t)` with strides `(d, t*d)`. The
element `(x_k)` of the tile `(y_k)` is the element `(x_k + t_k*y_k)`: mode by mode
(`divide_step`), from the empty sums; and the pairs of digits of a mode stand for its digits once
(digits.py, with t for n).

Inverses. A compact layout has the strides S in memory and takes the index `sum of x_k * T_k` to
`sum of x_k * S_k`. Its inverse has the extents in the order of S, and T for strides: it reads the
offset in the digits of S, which are the x_k and no others (`index_step_injective`), and so gives
the index back. No further step is needed.
"""

from __future__ import annotations

from symcute import theorem

BOTH = ("z3", "cvc5")
SOURCE = "the laws of proofs/laws, for every rank"


@theorem(given=["n >= 1", "s >= 1"], source=SOURCE, solvers=BOTH)
def compact_cosize_step() -> str:
    """A mode of stride n takes the cosize from n to n*s."""
    return "(n - 1) + (s - 1)*n + 1 == n*s"


@theorem(given=["n >= 2", "s >= 2"], expect="refuted")
def compact_cosize_step_neighbour() -> str:
    """A mode of stride n + 1 does so too."""
    return "(n - 1) + (s - 1)*(n + 1) + 1 == n*s"


@theorem(
    given=["R >= 0", "s >= 1", "d >= 1", "R < s*d", "e >= s*d", "t >= 1"],
    source=SOURCE,
    solvers=BOTH,
)
def padded_step() -> str:
    """A stride of at least s*d exceeds the reach, and the new reach stays below t*e."""
    return "e >= R + 1 and R + (t - 1)*e < t*e"


@theorem(given=["R >= 0", "s >= 2", "d >= 1", "R <= s*d", "e >= s*d", "t >= 1"], expect="refuted")
def padded_step_neighbour() -> str:
    """The same when the reach may be s*d."""
    return "e >= R + 1"


@theorem(
    given=["i >= 0", "i <= c - 1", "x >= 0", "x <= q - 1", "y >= 0", "y <= s - 1"],
    source=SOURCE,
    solvers=BOTH,
)
def complement_step_fills() -> str:
    """An offset below c, a digit of the gap and one of A's mode: an offset below s*(q*c)."""
    return "0 <= i + x*c + y*(q*c) and i + x*c + y*(q*c) <= s*(q*c) - 1"


@theorem(given=["c >= 1", "q >= 1", "s >= 1", "R >= 0", "R <= c - 1"], source=SOURCE, solvers=BOTH)
def complement_step_increases() -> str:
    """B's reach stays below its next stride: R + (q-1)*c is below s*(q*c)."""
    return "R < c and R + (q - 1)*c <= s*(q*c) - 1"


@theorem(given=["c >= 1", "q >= 1", "s >= 1", "R >= 0", "R <= c"], expect="refuted")
def complement_step_increases_neighbour() -> str:
    """The same when the reach may be the stride."""
    return "R + (q - 1)*c <= s*(q*c) - 1"


@theorem(
    given=["a >= 1", "b >= 1", "c >= 1", "q >= 1", "s >= 1", "a*b == c"],
    source=SOURCE,
    solvers=BOTH,
)
def complement_step_size() -> str:
    """If sizes a of A and b of B multiply to c, then a*s and b*q multiply to the next c."""
    return "(a*s)*(b*q) == s*(q*c)"


@theorem(given=["a >= 1", "b >= 1", "c >= 1", "q >= 1", "s >= 1", "a*b == c"], expect="refuted")
def complement_step_size_neighbour() -> str:
    """The same with the cosize in the place of the size: a*s and b*q*c."""
    return "(a*s)*(b*q*c) == s*(q*c)"


@theorem(
    given=["c >= 1", "q >= 1", "s >= 1", "r >= 0", "r*(q*c) == s*(q*c)"],
    source=SOURCE,
    solvers=BOTH,
)
def complement_step_of_the_complement() -> str:
    """Between B's modes (q,c) and (.., s*q*c) there is room for r elements q*c apart: r is s."""
    return "r == s"


@theorem(
    given=[
        "n >= 1",
        "i >= 0",
        "i <= n - 1",
        "k >= 0",
        "k <= n - 1",
        "b >= 0",
        "c >= 0",
        "i + n*b == k + n*c",
    ],
    source=SOURCE,
    solvers=BOTH,
)
def product_step_injective() -> str:
    """Equal offsets of a product have equal offsets in the block and in the arrangement."""
    return "i == k and b == c"


@theorem(
    given=[
        "n >= 1",
        "i >= 0",
        "i <= n",
        "k >= 0",
        "k <= n",
        "b >= 0",
        "c >= 0",
        "i + n*b == k + n*c",
    ],
    expect="refuted",
)
def product_step_injective_neighbour() -> str:
    """The same when the copies lie one element closer than the block is long."""
    return "i == k and b == c"


@theorem(given=["n >= 1", "K >= 1"], source=SOURCE, solvers=BOTH)
def product_step_cosize() -> str:
    """With the cosize K of the arrangement, the last offset is n*K - 1."""
    return "(n - 1) + n*(K - 1) == n*K - 1"


@theorem(
    given=["u >= 0", "x >= 0", "y >= 0", "t >= 1", "p >= 0", "q >= 0"], source=SOURCE, solvers=BOTH
)
def divide_step() -> str:
    """Digits x of the tile and y of the rest add what the digit x + t*y adds."""
    return "u + x*(p - q) + y*(t*(p - q)) == u + (x + t*y)*(p - q)"


@theorem(given=["u >= 0", "x >= 0", "y >= 0", "t >= 1", "d >= 1"], expect="refuted")
def divide_step_neighbour() -> str:
    """Digits of tile and rest add the same when they are exchanged."""
    return "u + x*d + y*(t*d) == u + (y + t*x)*d"
