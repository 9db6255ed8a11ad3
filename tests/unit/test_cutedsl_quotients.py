"""Quotients of CuTe DSL round down, those of programs towards 0."""

from __future__ import annotations

from typing import Any

import pytest

from symcute.errors import SymcuteError
from symcute.expr.expression import floor_div, mod
from symcute.expr.leaf import dim
from symcute.frontends.cutedsl.arithmetic import I32, written
from symcute.frontends.cutedsl.values import Scope
from symcute.kernel.ir.expression import Binary, Const, Var
from symcute.kernel.ir.place import Place

AT = Place("k.py", 1, 1)


def value(e: Any, t: int) -> int:
    """What a program computes: its quotients round towards 0."""
    if isinstance(e, Const):
        return int(e.value)
    if isinstance(e, Var):
        return t
    assert isinstance(e, Binary)
    a, b = value(e.left, t), value(e.right, t)
    if e.op in "/%":
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return quotient if e.op == "/" else a - b * quotient
    return {"+": a + b, "-": a - b, "*": a * b}[e.op]


@pytest.mark.parametrize("least", [0, -300])
@pytest.mark.parametrize("by", [1, 2, 7, 8, 32])
@pytest.mark.parametrize("moved", [0, -1, -127, -128, 5])
def test_quotients_of_what_may_be_below_0_round_down(least: int, by: int, moved: int) -> None:
    scope = Scope()
    name = str(scope.integer(least=least))
    scope.below[name] = 256
    x = dim(name) + moved
    for made in (floor_div(x, by), mod(x, by), floor_div(floor_div(x, by), 2), 3 * mod(x, by) + 1):
        program = written(made, I32, {name: Var(name, I32)}, scope, AT)
        for t in range(least, 256):
            wanted = eval_at(made, name, t)
            assert value(program, t) == wanted, (made, t)


def eval_at(x: Any, name: str, t: int) -> int:
    from symcute.expr.expression import value_at

    return int(value_at(x, {name: t}))


def test_what_has_no_least_is_not_written() -> None:
    scope = Scope()
    name = str(scope.integer())
    for made in (floor_div(dim(name), 8), mod(dim(name), 8)):
        with pytest.raises(SymcuteError):
            written(made, I32, {name: Var(name, I32)}, scope, AT)


def test_what_is_added_does_not_leave_the_type() -> None:
    scope = Scope()
    name = str(scope.integer(least=-8))
    scope.below[name] = 1 << 31
    with pytest.raises(SymcuteError):
        written(floor_div(dim(name), 8), I32, {name: Var(name, I32)}, scope, AT)
