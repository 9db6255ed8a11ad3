"""Choices whose sides are at least 0 where each is chosen: what is divided is rounded down."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from symcute import check_kernel
from symcute.expr.node import Node, Term
from symcute.expr.ranges import Ranges
from symcute.expr.terms import evaluate, show, sub
from symcute.kernel.findings import verdict_of
from symcute.kernel.symexec.division import choosing

from ..full import many

#: The blocks of two halves, each of which counts its tiles from 0.
KERNEL = """__global__ void k(float *x, int n, int m) {
    const int h = gridDim.x / 2;
    const int b = blockIdx.x < h ? blockIdx.x : blockIdx.x - h;
    int i = b * 128 + threadIdx.x;
    if (i < n * m) x[(i / m) % n * m + i % m] = 1;
}
"""


def said(old: str = "", new: str = "") -> dict[str, str]:
    """Return the verdicts on the kernel with something else in it."""
    assert not old or KERNEL.count(old) == 1
    text = KERNEL.replace(old, new) if old else KERNEL
    given = ["1 <= g", "g <= 1000", "1 <= n", "1 <= m", "n*m <= 100000"]
    launch = "grid=2*g block=128"
    return dict(verdict_of(check_kernel(text, launch=launch, extents={"x": "n*m"}, given=given)))


def test_halves_of_a_grid() -> None:
    found = said()
    assert (found["in_bounds"], found["no_overflow"]) == ("proved", "proved")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x[(", "x[1 + ("),
        ("blockIdx.x - h;", "int(blockIdx.x) - h - 1;"),  # -1 in the first block of the half
        ("blockIdx.x - h;", "h - int(blockIdx.x);"),
        ("blockIdx.x < h ?", "blockIdx.x > h ?"),
    ],
)
def test_neighbours_are_not_proved(old: str, new: str) -> None:
    assert said(old, new)["in_bounds"] != "proved"


def _term(random: Random, depth: int) -> Term:
    if not depth:
        return random.choice(("i", "n", random.randrange(-2, 4)))
    kind = random.choice(("if", "if", "+", "-", "*", "//"))
    a, b = _term(random, depth - 1), _term(random, depth - 1)
    if kind == "if":
        x, y = random.sample(("i", "n", 2), 2)
        other = random.choice((sub(x, y), sub(y, x), b))
        return Node("if", Node(random.choice(("<", "<=")), x, y), a, other)
    if kind in ("*", "//"):
        return Node(kind, a, random.randrange(1, 4))
    return sub(a, b) if kind == "-" else Node("+", a, b)


def test_what_is_known_besides_is_so_everywhere() -> None:
    random, more = Random(3), 0
    known = Ranges({"i": (0, 5), "n": (0, 5)})
    for _ in range(many(1500, 20000)):
        a = _term(random, 3)
        found = choosing(known, a)
        more += found.of(a) != known.of(a)
        low, high = found.of(a)
        for i, n in product(range(6), repeat=2):
            assert low <= evaluate(a, {"i": i, "n": n}) <= high, show(a)
    assert more >= 20
