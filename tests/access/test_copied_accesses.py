"""Copies of an access are asked about as one: it is each of them, and no copy is forgotten."""

from __future__ import annotations

import random
from dataclasses import replace
from math import prod

import pytest

from symcute.expr.node import Node, Term
from symcute.expr.terms import evaluate, substitute
from symcute.kernel.access_map import Access, Phase, Variable
from symcute.kernel.ir.place import Place
from symcute.kernel.launch.sources import check_kernel
from symcute.kernel.properties.copies import Rows, model_of, together
from tests.full import many

FIXED = ("tx", "bx", "n")
HERE = Place("k.cu", 1, 1)
SOURCE = """__device__ void put(float *x, int i) { x[i] = 1; }
__global__ void k(float *x, int n, int rows) {
  int t = threadIdx.x / 8, c = threadIdx.x % 8, r = blockIdx.x * BLOCK + t;
  for (int v = 0; v < 2; v++)
    if (c + 8 * v < n) {
COPIES
    }
}
"""


def _sum(*terms: Term) -> Term:
    found = terms[0]
    for t in terms[1:]:
        found = Node("+", found, t)
    return found


def _drawn(draw: random.Random) -> list[Access]:
    """Return accesses in rows, now and then one of them with other numbers."""
    rows = draw.choice(((2,), (4,), (5,), (2, 3), (4, 2), (2, 2, 2)))
    steps = [draw.choice((0, 1, 3, 16)) for _ in rows]
    factor, inside, said = draw.choice((1, "n")), draw.choice((False, True)), draw.choice((1, 2))
    odd = draw.randrange(prod(rows)) if draw.random() < 0.4 else None
    copies = []
    for k in range(prod(rows)):
        more, stride = 0, 1
        for length, step in zip(rows, steps, strict=True):
            more += k // stride % length * step
            stride *= length
        more += draw.choice((0, 1)) if k == odd else 0
        own, free = f"k_{k}", f"h_{k}"
        at: Term = _sum(Node("*", "tx", 4), Node("*", own, 2), free)
        if inside:
            at = Node("%", _sum(at, more), 8)
        elif draw.random() < 0.9 or k:
            at = _sum(at, Node("*", more, factor)) if more else at
        guard = [Node("<", own, 3), Node("<", _sum("tx", own, said * more), "n")]
        if k == odd and draw.random() < 0.5:
            guard = guard[: draw.randrange(3)]
        variables = (Variable("tx", "thread"), Variable(own, "round", loop=own),
                     Variable(free, "havoc"))  # fmt: skip
        copies.append(Access("x", "write", at, 1, tuple(guard), variables, (Phase(-1),), HERE))
    return copies


def _digits(k: int, rows: Rows) -> dict[str, int]:
    """Return the numbers of a copy."""
    found = {}
    for name, n in rows:
        k, found[name] = k // n, k % n
    assert k == 0
    return found


def test_each_copy_is_the_access_in_its_round() -> None:
    draw, joined = random.Random(7), 0
    for _ in range(many(60, 20_000)):
        copies = _drawn(draw)
        found = together(copies, FIXED)
        if found is None:
            continue
        one, rows = found
        joined += 1
        for k, copy in enumerate(copies):
            digits = _digits(k, rows)
            for _ in range(4):
                values = {n: draw.randrange(-4, 20) for n in FIXED}
                mine = {"k_0": draw.randrange(-1, 5), "h_0": draw.randrange(-9, 9)}
                theirs = {f"{n[:2]}{k}": x for n, x in mine.items()}
                at = values | mine | digits
                assert evaluate(one.offset, at) == evaluate(copy.offset, values | theirs), (
                    copies, rows,
                )  # fmt: skip
                if all(evaluate(g, values | theirs) for g in copy.guard):
                    assert all(evaluate(g, at) for g in one.guard), (copies, rows)
    assert joined > many(30, 10_000)


def test_a_model_of_all_copies_is_one_of_the_two_that_it_speaks_of() -> None:
    draw, asked = random.Random(8), 0
    for _ in range(many(40, 5000)):
        copies = _drawn(draw)
        if (told := together(copies, FIXED)) is None:
            continue
        one, rows = told
        k, m = sorted(draw.randrange(len(copies)) for _ in range(2))
        i, j = draw.choice(((k, m), (m, k)))
        model = {"n": draw.randrange(20)}
        for who, number in (("__1", i), ("__2", j)):
            mine = {n: draw.randrange(9) for n in ("tx", "bx", "k_0", "h_0")}
            model |= {n + who: x for n, x in (mine | _digits(number, rows)).items()}
        found = model_of(model, copies, rows, (copies[k], copies[m]), FIXED)
        assert found is not None
        ends = ("__1", "__2") if (i, j) == (k, m) else ("__2", "__1")
        for who, side, number in zip(("__1", "__2"), ends, (i, j), strict=True):
            at = {n.removesuffix(who): x for n, x in model.items()}
            here = {n.removesuffix(side): x for n, x in found.items()}
            assert evaluate(one.offset, at) == evaluate(copies[number].offset, here)
        other = next(c for c in range(len(copies)) if c != k)
        if other != m:
            assert model_of(model, copies, rows, (copies[k], copies[other]), FIXED) is None
        asked += 1
    assert asked > many(20, 2500)


def test_what_is_no_copy_is_none() -> None:
    a = Access("x", "write", Node("*", "tx", 4), 4, (), (Variable("tx", "thread"),), (), HERE)
    b = replace(a, offset=_sum(a.offset, 512))
    assert together([a, b], FIXED) is not None
    for other in (
        _sum(Node("*", "tx", "tx"), Node("//", "tx", 2)),
        _sum(a.offset, "bx"),
        Node("%", substitute(a.offset, {"tx": 3}), "n"),
    ):
        found = together([a, replace(a, offset=other), b], FIXED)
        assert found is None, other
    element = Variable("tx", "havoc", element=("t", "i"))
    assert together([replace(a, variables=(element,)), b], ()) is None


@pytest.mark.parametrize(("step", "block", "status"), [(16, 128, "proved"), (15, 128, "refuted")])
def test_eight_copies_of_a_store_are_asked_about_at_once(
    step: int, block: int, status: str
) -> None:
    copies = "".join(
        f"if (r + {k * step} < rows) put(x, (r + {k * step}) * n + c + 8 * v);" for k in range(8)
    )
    found = check_kernel(
        SOURCE.replace("BLOCK", str(block)).replace("COPIES", copies),
        launch="grid=M block=128", extents={"x": "rows*n"}, properties=["write_race_free"],
        given=["M <= 1024", "n <= 1024", "rows <= 131072", "rows >= 1", "n >= 1"],
    )  # fmt: skip
    assert {f.status for f in found} == {status}
    if status == "proved":
        assert {(f.how, f.count) for f in found} == {("digits", 36)}


@pytest.mark.parametrize(("most", "status"), [(2**31 - 8, "proved"), (2**31 - 1, "unproved")])
def test_no_copy_of_a_computation_wraps_but_the_last(most: int, status: str) -> None:
    copies = "".join(f"put(x, n * m, {k});" for k in range(1, 8))
    found = check_kernel(
        "__device__ void put(float *x, int n, int k) { x[n + k] = 1; }\n"
        f"__global__ void k(float *x, int n, int m) {{ {copies} }}",
        launch="grid=1 block=1", properties=["no_overflow"],
        given=["n >= 1", "m >= 1", f"n*m <= {most}"],
    )  # fmt: skip
    assert ({f.status for f in found} == {"proved"}) is (status == "proved")
