"""Parts of sums: what is no more than a computation that does not wrap does not wrap either."""

from __future__ import annotations

import pytest

from symcute import recheck
from symcute.expr.terms import all_of, at_most
from symcute.kernel.launch.sources import check_kernel
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.overflow import _beyond
from symcute.kernel.properties.sides import BLOCKS, THREADS
from symcute.kernel.symexec import symexecute
from symcute.solve.sequent import Sequent
from tests.access.cases import cases
from tests.access.replay import kernel_of, setting_of
from tests.full import some


def test_a_part_is_no_more_than_its_sum_at_any_point() -> None:
    pairs = points = 0
    for case in some(cases(), 12):
        kernel, setting = kernel_of(case), setting_of(case)
        context = Context(symexecute(kernel, setting), setting, kernel)
        places = context.axis_facts((*BLOCKS, *THREADS))
        for k, end in _beyond(context).items():
            c, d = context.map.computations[k], context.map.computations[end]
            assert c.type == d.type and c.divisor is c.shift is d.divisor is d.shift is None
            here = Sequent((*context.map.facts, *c.guard, *places), context.dims).drawn
            goal = all_of(at_most(c.type.low, c.value), at_most(c.value, d.value), *d.guard)
            assert here.breaks(goal) is None, (case.label, c.text, d.text)
            pairs, points = pairs + 1, points + here.size
    assert pairs >= 20 and points >= 2000, (pairs, points)


@pytest.mark.parametrize(
    ("index", "given", "status"),
    [
        ("i * 3 + a + 7", "a <= 100000", "proved"),
        # The whole sum is inside, a part of it is not: what is added may be below 0.
        ("i * 3000000 + (a - 2147483647)", "a <= 5", "refuted"),
        ("a * 3 + (i - 1000000)", "a <= 715827883", "refuted"),
        # As much as there is room for, and one more.
        ("i + a + 2147482000", "a <= 648", "proved"),
        ("i + a + 2147482000", "a <= 649", "refuted"),
    ],
)
def test_sums_and_their_parts(index: str, given: str, status: str) -> None:
    found = check_kernel(
        "__global__ void k(float *x, int n, int a) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        f"  if (i < n) x[{index}] = 0;\n}}",
        launch="grid=(n+31)//32 block=32", given=["n <= 1000", given],
        properties=["no_overflow"], certificates=True,
    )  # fmt: skip
    assert ({f.status for f in found} == {"proved"}) is (status == "proved")
    assert any(f.status == status for f in found)
    lines = [line for f in found for line in f.certificates]
    assert bool(lines) is (status == "proved")
    assert all(recheck.check(line["certificate"]).status == "checked" for line in lines)
