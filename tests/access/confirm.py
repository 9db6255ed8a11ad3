"""A counterexample of a verdict, executed on the CPU."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain
from math import prod

from symcute.kernel.findings import Example, Finding
from tests.access.cases import MORE, Case, Run
from tests.access.ground_truth import launch_fault, violations
from tests.access.host import MOST_CONTENTS, Execution, Program, program

#: A number in an array, as counterexamples name it.
_CELL = re.compile(r"(\w+)\[(\d+)\]$")
#: An array of the CPU's is as long as this around its start.
_REACH = 1 << 35
#: More threads are not run for one counterexample.
MOST_THREADS = 5000


def confirmed(case: Case, finding: Finding, compiled: Program | None = None) -> bool | None:
    """Whether an execution shows what a counterexample says; None where the CPU cannot.

    The CPU's compiler says nothing of unsigned numbers and conversions that wrap, and it does not
    run what reaches further than the memory set aside for an array, or what rests on a number too
    far inside one.
    """
    example = finding.counterexample
    assert example is not None, finding
    assert case.admits(example.dims), f"{finding} does not meet what is assumed"
    if finding.property == "launch_valid":
        return bool(launch_fault(case, example.dims))
    if launch_fault(case, example.dims):
        return False
    if finding.property in MORE:  # which is about all threads together
        if prod(chain(*case.launch(example.dims))) > MOST_THREADS:
            return None
        run = Run(example.dims)
        return finding.property in violations(case, run, _execute(case, run, example, compiled))
    if example.block is None:
        return False
    run = _run(example)
    execution = _execute(case, run, example, compiled)
    shown = violations(case, run, execution)
    if finding.property in shown:
        return True
    far = any(abs(r.offset) > _REACH // 2 for r in execution.records)
    far |= any(int(m[2]) >= MOST_CONTENTS for m in map(_CELL.match, example.values) if m)
    return None if far or execution.status != "done" or finding.property == "no_overflow" else False


def _run(example: Example) -> Run:
    assert example.block is not None and example.thread is not None
    blocks, threads = {example.block}, {example.thread}
    if example.other is not None:
        blocks.add(example.other[0])
        threads.add(example.other[1])
    return Run(example.dims, tuple(sorted(blocks)), tuple(sorted(threads)))


def _execute(case: Case, run: Run, example: Example, compiled: Program | None) -> Execution:
    cells = {}
    for name, value in example.values.items():
        if m := _CELL.match(name):
            cells[m[1], int(m[2])] = value
    return (compiled or program(case.file)).run(case, [replace(run, cells=cells)])[0]
