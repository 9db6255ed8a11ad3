"""Executions that are kept: a map that is taken over is the one that executing again would make."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from symcute.errors import InputError
from symcute.expr.terms import at_most, equal, remainder
from symcute.frontends.cuda import read_kernels
from symcute.kernel.access_map import AccessMap
from symcute.kernel.contracts.lines import Line, Unlaunched
from symcute.kernel.ir.program import Kernel
from symcute.kernel.ir.setting import Setting
from symcute.kernel.symexec import symexecute
from tests.access.cases import KERNELS
from tests.full import some

FILES = sorted(KERNELS.glob("*.cu"))
#: What hangs on facts: whether i, which moves by no fixed step, stays below n.
WALKS = """__global__ void k(float *x, const int *y, int n, int a) {
    int i = a;
    while (i < n) { x[i] = 0; i += y[i] > 0 ? 1 : 2; }
}
"""


def _settings(blank: Unlaunched) -> list[Setting]:
    """Return the settings under some lines each of which says something else."""
    params = [*blank.params.values()]
    every = [Line("assume", at_most(1, n)) for n in params]
    every += [Line("assume", at_most(a, b)) for a, b in combinations(params, 2)][:3]
    every += [Line("pin", 1, str(n)) for n in blank.grid[1:2]]
    every += [Line("assume", equal(remainder(n, 32), 0)) for n in blank.block[:1]]
    every += [Line("extent", n, a) for a in blank.extents for n in params[:1]]
    every += [Line("contents", n, a) for a, n in blank.ends.items()]
    found = []
    for lines in ((), *((x,) for x in every), tuple(every)):
        try:
            found.append(blank.setting(lines, searching=True))
        except InputError:
            continue
    return found


def _kept(kernel: Kernel) -> tuple[int, int]:
    """Return how many maps were kept, and how many taken over; each is the right one."""
    kept: dict[object, AccessMap] = {}
    taken = 0
    for setting in _settings(Unlaunched(kernel)):
        before = [m.accesses for m in kept.values()]
        found = symexecute(kernel, setting, kept)
        assert found == symexecute(kernel, setting)
        taken += any(found.accesses is x for x in before)
    return len(kept), taken


@pytest.mark.parametrize("path", some(FILES, 8, 4, 2), ids=lambda p: p.stem)
def test_what_is_taken_over_is_what_executing_again_would_make(path: Path) -> None:
    kernels = [k for k in read_kernels(path).kernels.values() if isinstance(k, Kernel)]
    counts = [_kept(replace(k, notes=())) for k in some(kernels, 3)]
    kept, taken = map(sum, zip(*counts, strict=True))
    assert taken > 0 or not kept  # where a loop asks facts, nothing is kept


def test_an_execution_that_asks_facts_is_not_taken_over() -> None:
    kernel = read_kernels(WALKS).kernels["k"]
    assert isinstance(kernel, Kernel)
    kept: dict[object, AccessMap] = {}
    symexecute(kernel, Unlaunched(kernel).setting(()), kept)
    assert not kept
    _kept(kernel)
