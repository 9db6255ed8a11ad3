"""What host code makes a narrower number of: that nothing wraps there is a line."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import pytest

from symcute import check_kernel
from symcute.expr.node import Node, Term, names
from symcute.expr.terms import add, at_most, evaluate, less, mul, remainder
from symcute.frontends.cuda import read_kernels
from symcute.kernel.contracts.contract import contract
from symcute.kernel.contracts.launched import Launched
from symcute.kernel.contracts.lines import Line, Unlaunched
from symcute.kernel.contracts.suggesting import _possible
from symcute.kernel.contracts.unwrapping import unwrapped
from symcute.kernel.findings import GOOD

#: Sizes of 64 bits that a launch makes numbers of 32 bits of; `ROWS` is how many rows it takes.
NARROWED = """__global__ void k(float *x, int rows, int columns) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < rows * columns) x[i] = 0;
}
void go(float *x, long long rows, long long columns) {
    int n = rows * columns;
    k<<<(n + 255) / 256, 256>>>(x, ROWS, columns);
}
"""


def wrapped(x: Term, bits: int, signed: bool) -> Term:
    half = 2 ** (bits - 1) if signed else 0
    return add(remainder(add(x, half), 2**bits), -half)


def noted(met: list[Term], relation: Term) -> bool:
    met.append(relation)
    return True


@pytest.mark.parametrize(("bits", "signed"), [*product((8, 16), (False, True))])
def test_terms_are_equal_where_their_relations_hold(bits: int, signed: bool) -> None:
    inner = wrapped(add(mul("m", "n"), 3), bits, signed)
    twice = wrapped(add(wrapped(add("n", 64 + 2**bits), bits, False), -1), bits, False)
    for term in (inner, add(mul(inner, "n"), -5), wrapped(mul(inner, "m"), bits, signed), twice):
        met: list[Term] = []
        plain = unwrapped(term, partial(noted, met))
        assert met and "%" not in repr(plain)
        both = 0
        for m, n in product((-300, -129, -128, -2, 0, 1, 5, 11, 127, 255, 256), repeat=2):
            at = {"m": m, "n": n}
            if all(evaluate(t, at) for t in met):
                both += 1
                assert evaluate(plain, at) == evaluate(term, at)
        assert both
        # One that is not assumed leaves its remainder, and all others are as equal as before.
        for left in met:
            some = unwrapped(term, {*met}.difference([left]).__contains__)
            for m, n in product((-300, -1, 0, 7, 128, 256), repeat=2):
                at = {"m": m, "n": n}
                if all(evaluate(t, at) for t in met if t != left):
                    assert evaluate(some, at) == evaluate(term, at)


def test_other_remainders_stay() -> None:
    for size in (7, 2**31, "n"):
        term = Node("%", "m", size)
        assert unwrapped(term, lambda _: True) == term


@pytest.mark.parametrize(("rows", "holds"), [("rows", True), ("rows + 1", False)])
def test_that_nothing_wraps_in_host_code_is_a_line(rows: str, holds: bool) -> None:
    kernel = read_kernels(NARROWED.replace("ROWS", rows)).kernels["k"]
    (family,) = kernel.families
    wanted = ["no_overflow", "in_bounds", "write_race_free"]
    found = contract(kernel, wanted, family=family, quick=True)
    assert {found.verdicts()[p] for p in wanted} <= {*GOOD}
    lines = {c.text for c in found.conditions}
    assert "-2147483648 <= columns_2 and columns_2 <= 2147483647" in lines
    setting = found.blank.setting([c.line for c in found.conditions])
    assert "4294967296" not in str(setting.grid) + str(setting.arguments)
    assert ("numel(x) >= columns_2*rows_2" in lines) == holds
    without = [c.line for c in found.conditions if "columns_2 <= 2147483647" not in c.text]
    assert "4294967296" in str(found.blank.setting(without).arguments["columns"])


def test_what_one_element_fewer_has_is_refuted_inside_of_the_lines() -> None:
    text = NARROWED.replace("ROWS", "rows").replace("void go", "void go_")
    launch: dict[str, Any] = {"launch": "grid=1 block=256", "arguments": {"rows": 8, "columns": 4}}
    for elements, status in ((32, "proved"), (31, "refuted")):
        told = check_kernel(text, extents={"x": elements}, properties=["in_bounds"], **launch)
        assert {f.status for f in told} == {status}


def test_lines_that_leave_no_block_are_none() -> None:
    kernel = read_kernels("__global__ void k(float *x, int n) { x[n] = 0; }").kernels["k"]
    blank = Unlaunched(kernel)
    blocks, threads = blank.grid[0], blank.block[1]
    for none in (at_most(blocks, 0), less(threads, 1), at_most(add("n", blocks), "n")):
        assert not _possible(blank, (Line("assume", none),))
    for some in (at_most(blocks, 1), less(threads, 2), at_most(add("n", blocks), add("n", 1))):
        assert _possible(blank, (Line("assume", some),))
    assert _possible(blank, (Line("assume", at_most("n", 0)), Line("extent", "n", "x")))


@pytest.mark.parametrize(
    ("host", "left"), [("a * b < 0", {"c"}), ("a * b > 0", {"a", "b", "c"}), ("c < 0", {"a", "b"})]
)
def test_what_the_host_denies_is_not_assumed_of_signs(host: str, left: set[str]) -> None:
    text = f"""__global__ void k(float *x, int n, int c) {{ if (threadIdx.x < c - n) x[c] = 0; }}
    void go(float *x, int a, int b, int c) {{ if ({host}) k<<<1, 32>>>(x, a * b, c); }}"""
    kernel = read_kernels(text).kernels["k"]
    (family,) = kernel.families
    signs = Launched(kernel, family).signs()
    assert {str(n) for x in signs for n in names(x.term)} == left
    assert signs == tuple(Line("assume", at_most(1, n)) for n in sorted(left))
