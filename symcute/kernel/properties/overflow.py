"""no_overflow: arithmetic of indices and conditions stays inside the types that C gives it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

from symcute.expr.node import Node, Term
from symcute.kernel.access_map import Access, Computation
from symcute.kernel.ir.program import Int
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.copies import OPEN, if_proved, same_for_all, together
from symcute.kernel.properties.question import Common, Question, Ways, about, under
from symcute.solve.obligation import Answer

__all__ = ["no_overflow"]


def no_overflow(context: Context, every: bool = False) -> Iterator[Question]:
    """Yield, for every computation of an index or a condition, that it does not wrap.

    Nor divides by 0, nor shifts by what the width does not allow. With `every`, also those that
    reach neither an index nor a condition.
    """
    common = _common(context)
    for k, c in enumerate(context.map.computations):
        if c.role == "other" and not every:
            continue
        goals: list[Term] = []
        if c.divisor is not None:
            goals.append(Node("!=", c.divisor, 0))
        if c.shift is not None:
            goals += [Node("<=", 0, c.shift), Node("<", c.shift, c.type.bits)]
        goal = Node("and", *goals, *_inside(c.value, c.type))
        quick, patient = about(context.at(c.guard), goal)
        yield Question(
            "no_overflow",
            c.place,
            f"{c.text or 'arithmetic'}",
            f"inside {type_text(c)}",
            quick,
            patient,
            needs=c.needs,
            computation=k,
            under=under(context.at(c.guard), goal),
            common=common.get(k),
        )


def _inside(value: Term, type: Int) -> tuple[Term, Term]:
    return Node("<=", type.low, value), Node("<=", value, type.high)


def _common(context: Context) -> dict[int, Common]:
    """Return, for computations that are copies of one, what is asked of all together."""
    fixed = same_for_all(context)
    alike: dict[object, list[int]] = {}
    for k, c in enumerate(context.map.computations):
        if c.divisor is None and c.shift is None:
            kinds = tuple(v.kind for v in c.variables if v.name not in fixed)
            key = c.place, c.type, c.role, _shape(c.value, fixed), kinds, len(c.guard)
            alike.setdefault(key, []).append(k)
    found: dict[int, Common] = {}
    for every in alike.values():
        if len(every) > 1:
            copies = [context.map.computations[k] for k in every]
            found.update(dict.fromkeys(every, _together(context, copies, fixed)))
    return found


def _together(context: Context, copies: list[Computation], fixed: set[str]) -> Common:
    @cache
    def ways() -> Ways | None:
        # They need not come in the order of what they compute.
        inside = sorted(copies, key=lambda c: _numbers(c.value))
        values = [Access("", "", c.value, 0, c.guard, c.variables, (), c.place) for c in inside]
        found = together(values, fixed)
        if found is None:
            return None
        goal = Node("and", *_inside(found[0].offset, copies[0].type))
        return about(context.at(found[0].guard), goal)

    def way(number: int) -> Answer:
        told = ways()
        return OPEN if told is None else if_proved(told[number]())

    return Common(partial(way, 0), partial(way, 1), 1, lambda *_: None, waits=True)


def _shape(term: Term, fixed: set[str]) -> object:
    """Return a term without its numbers and the names that are a copy's own."""
    if isinstance(term, Node):
        return term.op, *(_shape(x, fixed) for x in term.args)
    return term if isinstance(term, str) and term in fixed else type(term).__name__


def _numbers(term: Term) -> tuple[int, ...]:
    """Return the numbers in a term, from left to right."""
    if isinstance(term, Node):
        return tuple(n for x in term.args for n in _numbers(x))
    return () if isinstance(term, str) else (int(term),)


def type_text(c: Computation) -> str:
    """Return the name of the type in which a result must fit."""
    kind = "signed" if c.type.signed else "unsigned"
    return f"{c.type.bits}-bit {kind} integers"
