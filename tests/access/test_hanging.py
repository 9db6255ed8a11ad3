"""What does not hang on memory is the same whatever memory holds: against executions."""

from __future__ import annotations

from random import Random

import pytest

from symcute.errors import InputError
from symcute.kernel.ir.hanging import hanging
from symcute.kernel.ir.interpreter import Choice, Trace, run
from symcute.kernel.ir.interpreter.choices import Chooser, plain
from symcute.kernel.ir.program import Atomic, Havoc, Kernel, Load, Stmt
from tests.access.cases import Case, cases
from tests.access.ground_truth import launch_fault
from tests.access.replay import kernel_of, setting_of
from tests.full import some

CASES = some(list(cases()), 112, 1, 4)


def _memory(s: Stmt) -> bool:
    return isinstance(s, (Load, Atomic, Havoc))


def _drawn(seed: int) -> Chooser:
    draw = Random(seed)

    def choose(choice: Choice) -> int:
        low, high = choice.low, choice.high
        return draw.choice((low, high, min(max(draw.randrange(-2, 9), low), high)))

    return choose


def _seen(kernel: Kernel, trace: Trace) -> list[str]:
    """Return the accesses that hang on no memory, but for their order."""
    found = hanging(kernel, _memory)
    return sorted(
        repr((t.place, t.kind, t.array, t.offset, t.width, t.block, t.thread, t.epoch, t.grid))
        for t in trace.accesses
        if not found.of(t.place)
    )


def _traces(case: Case, dims: dict[str, int]) -> list[Trace]:
    kernel, setting = kernel_of(case), setting_of(case)
    choosers = [plain, *map(_drawn, range(3))]
    try:
        return [run(kernel, setting, dims, choices=c, limit=20_000) for c in choosers]
    except InputError:
        return []


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.label)
def test_what_hangs_on_no_memory_is_the_same(case: Case) -> None:
    kernel = kernel_of(case)
    for r in [r for r in case.small_runs(6) if not launch_fault(case, r.dims)][:3]:
        traces = [t for t in _traces(case, dict(r.dims)) if t.complete and not t.unsupported]
        first, *others = traces or [Trace()]
        assert all(_seen(kernel, t) == _seen(kernel, first) for t in others)


def test_of_many_kernels_something_hangs_on_no_memory() -> None:
    found = [hanging(kernel_of(c), _memory) for c in CASES]
    assert sum(not h.waits for h in found) * 2 > len(found)
    assert any(h.places for h in found)
