"""The lemma "reorder", and what the claims about threads come down to.

The lemma. Take modes `(s_k, d_k)`. Their offsets are the sums of `x_k * d_k` with `0 <= x_k < s_k`.
- Two neighbours may change places: the sum is the same (`image_neighbours`), and so, one exchange
  after the other, the modes may be in any order.
- A mode with `0 == (s-1)*d` may be left out: it adds 0 (`image_still`).
- Two lists that are the same map of the same size have the same offsets: what one takes at an
  index the other takes at that index (`image_at_the_index`).
So a proof that the lists agree, in any orders and without modes that add 0, proves that the layouts
have the same offsets.

Who holds what. Thread t of a thread-value layout holds the elements `f(t) + S`, where f are the
modes of the thread and S the offsets of the values: an offset is a sum. As f(0) = 0, thread 0 holds
S. If two layouts have the same S, and thread t holds the same set in both, then with m the least
element of S the least of `f(t) + S` is `f(t) + m`, so f(t) and g(t) are the same
(`threads_least_element`); and the same f and S are the same sets. So same_elements says that
f and g agree, and that the values have the same offsets.

How often. Of modes with strides other than 0 the largest offset occurs once. Induction on the
number of modes. Base: no modes, one offset. Step: U is the largest sum of the modes before, u any
of them, and a mode (s, d) comes with the digit x. If d >= 1 the largest sum is `U + (s-1)*d`: it is
an upper bound (`largest_bound`) and taken only with u = U and x = s-1 (`largest_once`). If d <= -1
it is U, taken only with u = U and x = 0 (`largest_bound_turned`, `largest_once_turned`). Modes of
stride 0 repeat each offset as often as their extents multiply to. So if every element of a tile
occurs equally often, it is that often, and the other modes map one to one onto the tile: the parts
of partition_exact. QED.
"""

from __future__ import annotations

from symcute import theorem

BOTH = ("z3", "cvc5")
REORDER = "the engine's lemma reorder"
THREADS = "the parts of same_elements"
COPIES = "the parts of partition_exact"

#: A sum of the modes before, at most U, and a digit x of the mode (s, d).
STEP = ["s >= 1", "x >= 0", "x <= s - 1", "u <= U"]


@theorem(given=["x >= 0", "y >= 0"], source=REORDER, solvers=BOTH)
def image_neighbours() -> str:
    """Two modes add the same in either order."""
    return "u + (x*d + y*e) == u + (y*e + x*d)"


@theorem(given=["x >= 0", "y >= 0"], expect="refuted", source=REORDER)
def image_strides_exchanged_neighbour() -> str:
    """Two modes add the same when they exchange their strides only."""
    return "x*d + y*e == x*e + y*d"


@theorem(
    given=["s >= 1", "x >= 0", "x <= s - 1", "d >= 0", "(s - 1)*d == 0"],
    source=REORDER,
    solvers=BOTH,
)
def image_still() -> str:
    """A mode of extent 1, or of stride 0, adds 0."""
    return "x*d == 0"


@theorem(given=["s >= 1", "x >= 0", "x <= s", "d >= 0", "(s - 1)*d == 0"], expect="refuted")
def image_still_and_one_beyond_neighbour() -> str:
    """Such a mode adds 0 also at the coordinate after its last."""
    return "x*d == 0"


@theorem(
    given=["i >= 0", "i <= n - 1", "n == m", "a >= 0", "b >= 0", "a == b", "u == a"],
    source=REORDER,
    solvers=BOTH,
)
def image_at_the_index() -> str:
    """An offset that one list takes at an index the other takes there, and the index is one."""
    return "u == b and i <= m - 1"


@theorem(given=["i >= 0", "i <= n - 1", "m <= n"], expect="refuted")
def image_of_fewer_neighbour() -> str:
    """An index of a list is one of a shorter list."""
    return "i <= m - 1"


@theorem(
    given=["f >= 0", "g >= 0", "m >= 0", "f + m >= g + m", "g + m >= f + m"],
    source=THREADS,
    solvers=BOTH,
)
def threads_least_element() -> str:
    """Sets f + S and g + S that contain each other's least element start alike."""
    return "f == g"


@theorem(given=["f >= 0", "g >= 0", "m >= 0", "f + m >= g + m"], expect="refuted")
def threads_one_contains_the_other_neighbour() -> str:
    """It is enough that one of them contains the least element of the other."""
    return "f == g"


@theorem(given=[*STEP, "d >= 1"], source=COPIES, solvers=BOTH)
def largest_bound() -> str:
    """A sum and a digit with a positive stride are at most both at their largest."""
    return "u + x*d <= U + (s - 1)*d"


@theorem(given=[*STEP, "d >= 1", "u + x*d == U + (s - 1)*d"], source=COPIES, solvers=BOTH)
def largest_once() -> str:
    """The largest sum is taken only where both are at their largest."""
    return "u == U and x == s - 1"


@theorem(given=[*STEP, "d >= 0", "u + x*d == U + (s - 1)*d"], expect="refuted")
def largest_once_with_stride_0_neighbour() -> str:
    """The same where the stride may be 0."""
    return "u == U and x == s - 1"


@theorem(given=[*STEP, "e >= 1"], source=COPIES, solvers=BOTH)
def largest_bound_turned() -> str:
    """A sum and a digit with a negative stride -e are at most the largest sum."""
    return "u - x*e <= U"


@theorem(given=[*STEP, "e >= 1", "u - x*e == U"], source=COPIES, solvers=BOTH)
def largest_once_turned() -> str:
    """With a negative stride the largest sum is taken only at the digit 0."""
    return "u == U and x == 0"
