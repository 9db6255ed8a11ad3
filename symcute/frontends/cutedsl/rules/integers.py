"""Rules of arithmetic on integers, which are taken not to wrap.

What rounds towards 0 is what rounds down where nothing is below 0; elsewhere there is no rule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symcute.expr.expression import is_symbolic
from symcute.expr.formula import ge, gt
from symcute.frontends.cutedsl.rules.call import RULES, Call, Unruled
from symcute.solve.entailment import facts


def _rule(name: str) -> Callable[[Callable[[Call], Any]], None]:
    def enter(function: Callable[[Call], Any]) -> None:
        RULES[f"arith.{name}"] = function

    return enter


def _integers(call: Call) -> tuple[Any, ...]:
    for x in call.values:
        if not isinstance(x, int) and not is_symbolic(x):
            raise Unruled("no integers")
    return call.values


@_rule("addi")
def _(call: Call) -> Any:
    left, right = _integers(call)
    return left + right


@_rule("subi")
def _(call: Call) -> Any:
    left, right = _integers(call)
    return left - right


@_rule("muli")
def _(call: Call) -> Any:
    left, right = _integers(call)
    return left * right


def _divided(call: Call, rounds_down: bool) -> tuple[Any, Any]:
    left, right = _integers(call)
    known = facts(call.given())
    if not known.proves(gt(right, 0)):
        raise Unruled("a divisor that may not be above 0")
    if not rounds_down and not known.proves(ge(left, 0)):
        raise Unruled("a dividend that may be below 0")
    return left, right


@_rule("floordivsi")
def _(call: Call) -> Any:
    left, right = _divided(call, rounds_down=True)
    return left // right


@_rule("divsi")
def _(call: Call) -> Any:
    left, right = _divided(call, rounds_down=False)
    return left // right


@_rule("remsi")
def _(call: Call) -> Any:
    left, right = _divided(call, rounds_down=False)
    return left % right


@_rule("ceildivsi")
def _(call: Call) -> Any:
    left, right = _divided(call, rounds_down=True)
    return -(-left // right)


@_rule("andi")
def _(call: Call) -> Any:
    left, right = _integers(call)
    if not isinstance(right, int):
        left, right = right, left
    if not isinstance(right, int) or right >= 0 or -right & (-right - 1):
        raise Unruled("a mask that does not only clear the last bits")
    return left // -right * -right


def _same(call: Call) -> Any:
    (x,) = _integers(call)
    return x


# A wider integer has the same value, and a divisor is the integer that it is made of.
RULES["arith.extsi"] = RULES["cute.fast_divmod.create_divisor"] = _same


@_rule("extui")
def _(call: Call) -> Any:
    (x,) = _integers(call)
    if not facts(call.given()).proves(ge(x, 0)):
        raise Unruled("an integer that may be below 0, read without its sign")
    return x
