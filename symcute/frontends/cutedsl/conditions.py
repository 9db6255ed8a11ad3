"""Rules for conditions and integers that the evaluation does not know."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from symcute.errors import SymcuteError
from symcute.expr.htuple import flatten
from symcute.expr.leaf import dim
from symcute.frontends.cutedsl import types
from symcute.frontends.cutedsl.arithmetic import (
    BOOL,
    I32,
    Unwritten,
    all_of,
    is_at_least,
    joined,
    negated,
    width,
)
from symcute.frontends.cutedsl.evaluation import Step
from symcute.frontends.cutedsl.text import Value
from symcute.frontends.cutedsl.values import dims_of
from symcute.frontends.cutedsl.walk import Rule, Walk
from symcute.kernel.ir.expression import Binary, Const, Expr, Select, Var
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Havoc, Int
from symcute.layout.layout import Layout

__all__ = ["RULES", "as_truth"]

RULES: dict[str, Rule] = {}
#: `arith.cmpi`: the predicates by number, the last four of numbers without a sign.
_COMPARED = ("==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">=")
_SIGNED = 6


def _rule(*names: str) -> Callable[[Rule], Rule]:
    def enter(function: Rule) -> Rule:
        RULES.update(dict.fromkeys(names, function))
        return function

    return enter


# --- conditions -----------------------------------------------------------------------------------


def _truth(walk: Walk, step: Step, value: Expr) -> None:
    walk.truths[step.operation.results[0].name] = value


def as_truth(walk: Walk, value: Value, number: Any) -> Expr | None:
    """Return an integer that is 0 or 1 as a truth, None where it is not known to be."""
    found = walk.truths.get(value.name)
    if found is None and isinstance(number, int) and number in (0, 1):
        return Const(number, BOOL)
    return found


@_rule("cute.elem_less")
def _(walk: Walk, step: Step, at: Place) -> None:
    """Each integer of a coordinate is less than that of the other."""
    left, right = (flatten(x) for x in step.operands)
    if len(left) != len(right):
        raise Unwritten("coordinates of other forms")
    found = []
    for a, b in zip(left, right, strict=True):
        type = width(walk.scope, a, b)
        one, other = (
            walk.cast(walk.integer(x, at, width(walk.scope, x)), type, at) for x in (a, b)
        )
        found.append(Binary("<", one, other, BOOL, at))
    _truth(walk, step, all_of(found, at))


@_rule("arith.cmpi")
def _(walk: Walk, step: Step, at: Place) -> None:
    number = int(step.operation.properties["predicate"].partition(" ")[0])
    kind = types.read_type(step.operation.operands[0].type)
    bits = kind.bits if isinstance(kind, types.IntegerType) else 0
    names = [x.name for x in step.operation.operands]
    if number in (0, 1) and names[0] in walk.truths and step.operands[1] == 0:
        found = walk.truths[names[0]]
        _truth(walk, step, negated(found, at) if number == 0 else found)
        return
    if number in (0, 1) and names[0] in walk.truths and names[1] in walk.truths:
        one, other = (walk.truths[n] for n in names)
        _truth(walk, step, Binary("!=" if number else "==", one, other, BOOL, at))
        return
    if bits not in (32, 64) or number >= _SIGNED:
        raise Unwritten(f"a comparison of {bits} bits")
    type = Int(bits, True)
    left, right = (walk.integer(x, at, type) for x in step.operands)
    _truth(walk, step, Binary(_COMPARED[number], left, right, BOOL, at))


@_rule("arith.cmpf")
def _(walk: Walk, step: Step, at: Place) -> None:
    """What data decide may be so or not."""
    if step.operation.results[0].type == "i1":
        name = walk.name()
        walk.out.append(Havoc(name, BOOL, f"what {step.operation.name} gives", at))
        walk.registers.levels[name] = len(walk.around)
        _truth(walk, step, Var(name, BOOL))


@_rule("arith.andi", "arith.ori", "arith.xori")
def _(walk: Walk, step: Step, at: Place) -> None:
    if step.operation.results[0].type != "i1":
        if step.operation.name == "arith.xori":
            _other_phase(walk, step, at)
        return
    left, right = (walk.truth(x) for x in step.operation.operands)
    match step.operation.name:
        case "arith.andi":
            _truth(walk, step, joined("&&", left, right, at))
        case "arith.ori":
            _truth(walk, step, joined("||", left, right, at))
        case _:
            _truth(walk, step, Binary("!=", left, right, BOOL, at))


def _other_phase(walk: Walk, step: Step, at: Place) -> None:
    """The other one of 0 and 1, of what is known to be one of them."""
    (result,) = step.results
    names = dims_of(result)
    for phase, flip in (step.operands, step.operands[::-1]):
        known = dims_of(phase) and dims_of(phase) <= walk.phases and str(phase) in walk.phases
        if not known or flip not in (0, 1) or {str(result)} != names or names & walk.dims.keys():
            continue
        type = walk.type_of(str(result))
        value = walk.integer(phase, at, type)
        if flip:
            value = Binary("-", Const(1, type), value, type, at)
        walk.assign(str(result), value, at)
        walk.dims[str(result)] = Var(str(result), type)
        walk.phases.add(str(result))
        return


@_rule("arith.constant")
def _(walk: Walk, step: Step, at: Place) -> None:
    if step.operation.properties.get("value") in ("true", "false"):
        _truth(walk, step, Const(int(step.operation.properties["value"] == "true"), BOOL))


@_rule("arith.extui", "arith.trunci", "cute_nvgpu.arch.make_warp_uniform")
def _(walk: Walk, step: Step, at: Place) -> None:
    """A truth stays one in more bits, or fewer; what lane 0 has is it where it is that of all."""
    (value,) = step.operation.operands
    of_lane = step.operation.name.endswith("make_warp_uniform") and value.name in walk.of_lanes
    if value.name in walk.truths and not of_lane:
        _truth(walk, step, walk.truths[value.name])


# --- integers -------------------------------------------------------------------------------------


def _give(walk: Walk, step: Step, made: Callable[[Int], Expr], at: Place, number: int = 0) -> None:
    """Let an integer that is made be a variable, where the evaluation does not know it."""
    result = step.results[number]
    names = sorted(dims_of(result) - walk.dims.keys())
    if len(names) == 1 and str(result) == names[0]:
        type = walk.type_of(names[0])
        walk.assign(names[0], made(type), at)
        walk.dims[names[0]] = Var(names[0], type)


@_rule("arith.select")
def _(walk: Walk, step: Step, at: Place) -> None:
    condition, yes, no = step.operation.operands
    test = walk.truth(condition)
    _, a, b = step.operands
    if yes.name in walk.truths or no.name in walk.truths:
        one, other = as_truth(walk, yes, a), as_truth(walk, no, b)
        if one is not None and other is not None:
            one, other = joined("&&", test, one, at), joined("&&", negated(test, at), other, at)
            _truth(walk, step, joined("||", one, other, at))
            return
    _give(walk, step, lambda t: Select(test, walk.integer(a, at, t), walk.integer(b, at, t), t), at)


def _of_two(op: str) -> Rule:
    def rule(walk: Walk, step: Step, at: Place) -> None:
        a, b = step.operands
        both = walk.integer
        _give(walk, step, lambda t: Binary(op, both(a, at, t), both(b, at, t), t, at), at)

    return rule


for _name, _op in (("minsi", "min"), ("maxsi", "max"), ("divsi", "/"), ("remsi", "%")):
    RULES[f"arith.{_name}"] = _of_two(_op)


@_rule("cute.tuple_mod")
def _(walk: Walk, step: Step, at: Place) -> None:
    """The rest of an integer; how one below 0 rounds is not known."""
    if not is_at_least(walk.scope, step.operands[0], 0):
        raise Unwritten(f"{step.operands[0]} in a quotient may be below 0")
    _of_two("%")(walk, step, at)


@_rule("cute.fast_divmod.compute")
def _(walk: Walk, step: Step, at: Place) -> None:
    """Quotient and remainder; what becomes of a number below 0 is not known."""
    a, b = (walk.integer(x, at, I32) for x in step.operands)
    zero, one = Const(0, I32), Const(1, I32)
    asked = []
    if not is_at_least(walk.scope, step.operands[0], 0):
        asked.append(Binary(">=", a, zero, BOOL, at))
        a = Binary("max", a, zero, I32, at)
    if not is_at_least(walk.scope, step.operands[1], 1):
        asked.append(Binary(">=", b, one, BOOL, at))
        b = Binary("max", b, one, I32, at)
    for number, op in enumerate("/%"):
        value: Expr = Binary(op, a, b, I32, at)
        if asked:
            name = walk.name()
            walk.out.append(Havoc(name, I32, "what fast_divmod gives there", at))
            walk.registers.levels[name] = len(walk.around)
            value = Select(all_of(asked, at), value, Var(name, I32), I32)
        _give(walk, step, partial(_same, value), at, number)


def _same(value: Expr, _: Int) -> Expr:
    return value


@_rule("cute.get_flat_coord")
def _(walk: Walk, step: Step, at: Place) -> None:
    """Each leaf (s, d) has the coordinate (index / d) % s, those of a mode are one number.

    What becomes of a number below 0, and where a layout has nothing, is not known.
    """
    (found,) = step.results
    for mode, coordinate in enumerate(found if isinstance(found, tuple) else ()):
        for name in sorted(dims_of(coordinate) - walk.dims.keys()):
            type = walk.type_of(name)
            asked: list[Expr] = []
            known: Expr | None = None
            if coordinate == dim(name):
                with suppress(SymcuteError):
                    asked, known = _coordinate(walk, step, mode, type, at)
            if known is None or asked:
                other = walk.name()
                walk.out.append(Havoc(other, type, f"what {step.operation.name} gives", at))
                walk.unclear.add(other)
                walk.registers.levels[other] = len(walk.around)
                rest = Var(other, type)
                known = Select(all_of(asked, at), known, rest, type) if known else rest
            walk.assign(name, known, at)
            walk.dims[name] = Var(name, type)


def _coordinate(walk: Walk, step: Step, mode: int, type: Int, at: Place) -> tuple[list[Expr], Expr]:
    """Return the coordinate of a mode, and when it is that. Errors: Unwritten."""
    index, layout = step.operands
    if not isinstance(layout, Layout):
        raise Unwritten("a layout of another form")
    asked: list[Expr] = []

    def least(x: Any, low: int) -> Expr:
        """Return a number, no less than one, which is asked for."""
        made = walk.integer(x, at, type)
        if is_at_least(walk.scope, x, low):
            return made
        bound = Const(low, type)
        asked.append(Binary(">=", made, bound, BOOL, at))
        return Binary("max", made, bound, type, at)

    total: Expr = Const(0, type)
    width: Expr = Const(1, type)
    for s, d in layout[mode].modes():
        if s == 1:
            continue
        extent = least(s, 1)
        value = Binary("/", least(index, 0), least(d, 1), type, at)
        value = Binary("*", Binary("%", value, extent, type, at), width, type, at)
        total = Binary("+", total, value, type, at)
        width = Binary("*", width, extent, type, at)
    return asked, total
