"""What is proved of a place of a random kernel does not happen there when it is executed.

Each kernel is decided for ranges of sizes, and executed at both ends of them, with the least, the
largest and other values for all that an execution cannot know. `python -m
tests.access.test_proved_kernels FIRST LAST` goes on as long as you like.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from symcute.expr.assumptions import Assumptions, dims
from symcute.kernel import execution
from symcute.kernel.aggregation import findings
from symcute.kernel.budget import Purse
from symcute.kernel.ir.program import Kernel
from symcute.kernel.ir.setting import Setting
from symcute.kernel.item import fits
from symcute.kernel.properties.context import Context
from symcute.kernel.scheduler import Work
from symcute.kernel.symexec import symexecute
from tests.access.random_kernels import kernel as random_kernel
from tests.access.random_kernels import setting as random_setting

#: Work for one kernel, statements of one execution.
SOLVING, STEPS = 500, 4000
#: Kernels in each of which something is proved.
FEW = (1, 3, 7, 10, 29)
WANTED = (
    "in_bounds", "no_overflow", "aligned", "write_race_free", "read_write_race_free",
    "barrier_uniform",
)  # fmt: skip


def made(seed: int) -> tuple[Kernel, Setting, list[dict[str, int]]]:
    """A kernel, a family of launches, and the ends of its ranges."""
    rng = Random(seed)
    program = random_kernel(rng, calm=seed % 3 != 0)
    setting, _ = random_setting(rng)
    n, m, g, b = dims("n m G B")
    most = {"n": rng.choice([5, 12]), "m": rng.choice([2, 9]), "G": 2, "B": rng.choice([3, 4])}
    size = rng.choice([n + m + b * g, 16 * n * m + 64 * b, n * b + 40, 4 * n])
    extents = {"x": size, "y": size + 8 * g, "r": n + 64}
    given = Assumptions.of([f"{name} <= {high}" for name, high in most.items()])
    ends = [dict(zip(most, at, strict=True)) for at in product(*((1, k) for k in most.values()))]
    rng.shuffle(ends)
    small, large = dict.fromkeys(most, 1), most
    return program, replace(setting, extents=extents, given=given), [large, small, *ends[:1]]


def hold(seed: int) -> Counter[str]:
    """Decide one kernel, execute it, and count the places of which something was proved."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(execution, "STEPS", STEPS)
        return _hold(seed)


def _hold(seed: int) -> Counter[str]:
    program, setting, ends = made(seed)
    work = Work(
        Context(symexecute(program, setting), setting, program),
        program,
        Purse(SOLVING, 60.0),
        False,
    )
    told = [f for name in WANTED for f in findings(work, name, WANTED)]
    for f in told:
        assert "disagree" not in f.reason, f"seed {seed}: {f} {f.reason}"
    if work.vacuous:
        return Counter()
    assert work.executor is not None
    for event in (e for at in ends for x in work.executor.at(at) for e in x.events):
        about = [i for i in work._near(event) if fits(i, event, work.context.map.computations)]
        sure = [i for i in about if i.answer.status == "proved" and not work.shaky(i)]
        wrong = about and len(sure) == len(about)
        assert not wrong, f"seed {seed}: {event.property}: {sure[0].question.place} {event.example}"
    return Counter(
        i.question.property
        for i in work._all()
        if i.answer.status == "proved" and not work.shaky(i)
    )


@pytest.mark.full
def test_what_is_proved_does_not_happen() -> None:
    counted: Counter[str] = Counter()
    for seed in FEW:
        counted += hold(seed)
    assert all(counted[name] for name in WANTED), counted


@pytest.mark.full
@pytest.mark.parametrize("first", range(1000, 1060, 20))
def test_what_is_proved_of_many_kernels_does_not_happen(first: int) -> None:
    counted: Counter[str] = Counter()
    for seed in range(first, first + 20):
        counted += hold(seed)
    assert counted.total() >= 40, counted


if __name__ == "__main__":
    start, end = map(int, sys.argv[1:])
    total: Counter[str] = Counter()
    for number in range(start, end):
        try:
            total += hold(number)
        except AssertionError as wrong:
            print(str(wrong)[:1500])
    print(dict(total))
