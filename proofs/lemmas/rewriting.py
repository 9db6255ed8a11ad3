"""The rewrites "merge", "split" and "drop" of flat lists of modes, "stride", and "agree".

A list of modes `(s_k, d_k)` is a map: the index i, written in the digits of the extents
(digits.py), goes to the sum of `x_k * d_k`. A rewrite replaces one mode, or two neighbours, by
others that give the same sum at the same index. So do any number of rewrites, one after the other
(the invariant: the list is the same map), and lists with equal extents and equal contributions are
equal maps (`agree_end_step`, from the empty sums 0 == 0).

Why a rewrite may look at its modes alone: the index is `i + n*(j + t*r)`, with i below n what the
modes before stand for, j below t what the rewritten ones do, and r what those behind do
(`rewrite_in_the_middle`); the sum is what the three contribute. The rewrite keeps t and what j
contributes; n and r do not see it.

- drop: an extent 1 has the digit 0: neither index nor sum change (`rewrite_drop`).
- merge: `(s,d), (t,e)` with `0 == (t-1)*(e - s*d)` become `(s*t, d)`. The digits x, y are the one
  digit `x + s*y` below s*t (`rewrite_merge_digit`). If t == 1 then y is 0 and contributes nothing
  (`rewrite_merge_extent_1`); otherwise e is s*d (`rewrite_merge_condition`) and `x*d + y*e` is what
  `x + s*y` contributes with the stride d (`rewrite_merge`).
- split: `(s,d)` becomes `(t,d), (s/t, t*d)` where t divides s: merge, read backwards, with s = t*w
  (`rewrite_split_digits`, `rewrite_split`).
- stride: `(s,d)` becomes `(s,e)` where `0 == (s-1)*(d-e)`: either the digit is 0 or the strides are
  the same (`rewrite_stride`).

A layout that is applied to indices beyond its size has no upper end to its last digit. There
`drop`, `merge` and `stride` of the last mode rest on `y <= t - 1` or `x <= s - 1`, which is not
known: the neighbours show each of them false there. Only split, a merge where e is s*d
(`rewrite_merge` has no upper end of y), and what leaves the last mode alone, keeps the map beyond
the size. Stride is no rewrite of its own: it is how the two lists are compared in the end.
"""

from __future__ import annotations

from symcute import theorem

BOTH = ("z3", "cvc5")
SOURCE = "the engine's lemma agree: "

#: A digit x below s with the stride d.
DIGIT = ["s >= 1", "x >= 0", "x <= s - 1", "d >= 0"]
#: A second digit y below t with the stride e.
SECOND = ["t >= 1", "y >= 0", "y <= t - 1", "e >= 0"]


@theorem(
    given=[
        "i >= 0",
        "i <= n - 1",
        "j >= 0",
        "j <= t - 1",
        "r >= 0",
        "x >= 0",
        "y >= 0",
        "s >= 1",
        "j == x + s*y",
    ],
    source=f"{SOURCE}rewrites",
    solvers=BOTH,
)
def rewrite_in_the_middle() -> str:
    """Two digits x, y below s and w with j == x + s*y give the index that j gives."""
    return "i + n*(j + t*r) == i + n*(x + s*(y)) + n*t*r"


@theorem(
    given=["s == 1", "x >= 0", "x <= s - 1", "d >= 0", "r >= 0"],
    source=f"{SOURCE}drop",
    solvers=BOTH,
)
def rewrite_drop() -> str:
    """A mode of extent 1 contributes nothing to the sum, and nothing to the index x + s*r."""
    return "x*d == 0 and x + s*r == r"


@theorem(given=["s == 1", "x >= 0", "d >= 1"], expect="refuted")
def rewrite_drop_without_a_bound_neighbour() -> str:
    """The same for the last mode of a layout that goes on beyond its size."""
    return "x*d == 0"


@theorem(
    given=["s >= 1", "d >= 0", "t >= 2", "e >= 0", "(t - 1)*(e - s*d) == 0"],
    source=f"{SOURCE}merge",
    solvers=BOTH,
)
def rewrite_merge_condition() -> str:
    """For an extent of at least 2 the condition says that the second mode goes on where the
    first ends.
    """
    return "e == s*d"


@theorem(given=[*DIGIT, *SECOND, "t == 1"], source=f"{SOURCE}merge", solvers=BOTH)
def rewrite_merge_extent_1() -> str:
    """A second mode of extent 1 contributes nothing, and nothing to the merged digit."""
    return "x*d + y*e == (x + s*y)*d and y == 0"


@theorem(given=[*DIGIT, "t >= 1", "y >= 0"], source=f"{SOURCE}merge", solvers=BOTH)
def rewrite_merge() -> str:
    """Where e is s*d two digits contribute what the merged digit x + s*y does."""
    return "x*d + y*(s*d) == (x + s*y)*d"


@theorem(given=[*DIGIT, *SECOND], source=f"{SOURCE}merge", solvers=BOTH)
def rewrite_merge_digit() -> str:
    """The merged digit lies below s*t."""
    return "0 <= x + s*y and x + s*y <= s*t - 1"


@theorem(given=[*DIGIT, *SECOND, "e == s*d + 1"], expect="refuted")
def rewrite_merge_with_a_gap_neighbour() -> str:
    """Two digits contribute what the merged digit does also where e is s*d + 1."""
    return "x*d + y*e == (x + s*y)*d"


@theorem(given=[*DIGIT, "t >= 1", "y >= 0", "e >= 0", "(t - 1)*(e - s*d) == 0"], expect="refuted")
def rewrite_merge_without_a_bound_neighbour() -> str:
    """Merging takes in the last mode of a layout that goes on beyond its size."""
    return "x*d + y*e == (x + s*y)*d"


@theorem(
    given=["t >= 1", "w >= 1", "x >= 0", "x <= t*w - 1"], source=f"{SOURCE}split", solvers=BOTH
)
def rewrite_split_digits() -> tuple[str, str]:
    """A digit x below t*w is x % t below t with x // t below w."""
    return "0 <= x % t and x % t <= t - 1", "0 <= x // t and x // t <= w - 1"


@theorem(given=["t >= 1", "x >= 0", "p >= 0", "q >= 0"], source=f"{SOURCE}split", solvers=BOTH)
def rewrite_split() -> str:
    """Both digits contribute what x does, for a stride of any sign and beyond the size too."""
    return "x*(p - q) == (x % t)*(p - q) + (x // t)*(t*(p - q))"


@theorem(given=["t >= 1", "s >= 1", "x >= 0", "x <= s - 1"], expect="refuted")
def rewrite_split_without_division_neighbour() -> str:
    """A digit below s is x % t with x // t below s // t, whether or not t divides s."""
    return "x // t <= s // t - 1"


@theorem(
    given=["s >= 1", "x >= 0", "x <= s - 1", "d >= 0", "e >= 0", "(s - 1)*(d - e) == 0"],
    source=f"{SOURCE}stride",
    solvers=BOTH,
)
def rewrite_stride() -> str:
    """Where `(s-1)*(d-e)` is 0 a digit contributes the same with either stride."""
    return "x*d == x*e"


@theorem(given=["s >= 1", "x >= 0", "d >= 0", "e >= 0", "(s - 1)*(d - e) == 0"], expect="refuted")
def rewrite_stride_without_a_bound_neighbour() -> str:
    """The same for the last mode of a layout that goes on beyond its size."""
    return "x*d == x*e"


@theorem(expect="refuted")
def rewrite_stride_of_an_open_mode_neighbour() -> str:
    """1:D and 1:0 are one map after T:1, their extents being 1."""
    return "is_composition(T + 1:0, 1:D, T + 1:1)"


@theorem(
    given=["u >= 0", "v >= 0", "x >= 0", "d >= 0", "e >= 0", "u == v", "x*d == x*e"],
    source=f"{SOURCE}end",
    solvers=BOTH,
)
def agree_end_step() -> str:
    """Equal sums with equal contributions of a further mode are equal sums."""
    return "u + x*d == v + x*e"


@theorem(given=["u >= 0", "v >= 0", "x >= 0", "d >= 0", "e >= 0", "u == v"], expect="refuted")
def agree_end_step_neighbour() -> str:
    """Equal sums with a further mode of another stride are equal sums."""
    return "u + x*d == v + x*e"
