"""Executions of the threads that a model speaks of: none is made twice that showed nothing."""

from __future__ import annotations

import pytest

import symcute.kernel.execution as execution
from symcute.frontends.cuda import read_kernels
from symcute.kernel.execution import Executor
from symcute.kernel.launch.notes import read_setting
from symcute.kernel.properties.context import Context
from symcute.kernel.symexec import symexecute

GATHER = """
// symcute: launch grid=1 block=32
// symcute: extent x = 32
// symcute: extent at = 32
__global__ void gather(float *x, const int *at) { x[at[threadIdx.x]] = 1.0f; }
"""


def test_a_model_that_answers_as_before_is_not_followed_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kernel = read_kernels(GATHER).kernels["gather"]
    setting = read_setting(kernel)
    map = symexecute(kernel, setting)
    executor = Executor(kernel, Context(map, setting, kernel))
    variables = [v for a in map.accesses for v in a.variables]
    (loaded,) = {v.name for v in variables if v.kind == "havoc"}
    made: list[object] = []
    run = execution.run
    monkeypatch.setattr(execution, "run", lambda *a, **k: (made.append(a), run(*a, **k))[1])

    def followed(value: int, thread: int) -> tuple[int, set[str]]:
        before = len(made)
        found = executor.follow({loaded: value, "tx": thread}, variables, {})
        return len(made) - before, {e.property for e in found.events}

    assert followed(3, 1) == (1, set())
    assert followed(3, 1) == (0, set())  # the same again
    assert followed(4, 1) == (1, set())  # another content
    assert followed(3, 2) == (1, set())  # another thread
    assert followed(99, 1) == (1, {"in_bounds"})
    assert followed(99, 1) == (1, {"in_bounds"})  # what showed something shows it again
