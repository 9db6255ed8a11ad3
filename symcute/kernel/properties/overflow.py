"""no_overflow: arithmetic of indices and conditions stays inside the types that C gives it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial

from symcute.expr.node import Node, Term
from symcute.expr.ranges import Ranges
from symcute.expr.terms import Polynomial, plus, polynomial
from symcute.kernel.access_map import Access, Computation
from symcute.kernel.ir.program import Int
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.copies import OPEN, if_proved, same_for_all, together
from symcute.kernel.properties.question import Common, Question, Ways, about, all_proved, under
from symcute.kernel.properties.sides import BLOCKS, THREADS
from symcute.solve.obligation import Answer, Obligation

__all__ = ["no_overflow"]


def no_overflow(context: Context, every: bool = False) -> Iterator[Question]:
    """Yield, for every computation of an index or a condition, that it does not wrap.

    Nor divides by 0, nor shifts by what the width does not allow. With `every`, also those that
    reach neither an index nor a condition. Those that are no more than another one come behind it.
    """
    computations = context.map.computations
    beyond = _beyond(context)
    proofs = dict[int, Answer]()
    common = _common(context, beyond, proofs)
    for k in sorted(range(len(computations)), key=lambda k: (k in beyond, k)):
        c = computations[k]
        if c.role == "other" and not every:
            continue
        goals: list[Term] = []
        if c.divisor is not None:
            goals.append(Node("!=", c.divisor, 0))
        if c.shift is not None:
            goals += [Node("<=", 0, c.shift), Node("<", c.shift, c.type.bits)]
        goal = Node("and", *goals, *_inside(c.value, c.type))
        ways = about(context.at(c.guard), goal)
        quick, patient = (partial(_kept, way, [k], proofs) for way in ways)
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


def _kept(way: Callable[[], Answer], those: Sequence[int], proofs: dict[int, Answer]) -> Answer:
    """Return an answer, and keep it for computations where it is a proof."""
    found = way()
    if found.status == "proved":
        proofs.update(dict.fromkeys(those, found))
    return found


def _beyond(context: Context) -> dict[int, int]:
    """Return, for computations that are no more than another one in all states, that other one.

    Parts of a sum are: what is added is not below 0. Both are at least what their type holds, and
    come by the same guard, but for where threads and blocks are, which is so of every thread.
    """
    places = context.axis_facts((*BLOCKS, *THREADS))
    alike: dict[object, list[tuple[int, Polynomial]]] = {}
    for k, c in enumerate(context.map.computations):
        p = polynomial(c.value) if c.divisor is None and c.shift is None else None
        if p is not None:
            alike.setdefault((c.type, frozenset(c.guard).difference(places)), []).append((k, p))
    found: dict[int, int] = {}
    for every in alike.values():
        if len(every) == 1:
            continue
        c = context.map.computations[every[0][0]]
        known = context.at(tuple(dict.fromkeys((*c.guard, *places)))).ranges.ranges
        ends = list[tuple[int, Polynomial]]()
        for k, p in sorted(every, key=lambda one: (-len(one[1]), -sum(one[1].values()), one[0])):
            value = context.map.computations[k].value
            end = next((n for n, q in ends if _adds(known, plus(q, p, -1))), None)
            if end is None:
                ends.append((k, p))
            elif known.of(value)[0] >= c.type.low:
                found[k] = end
    return found


def _adds(known: Ranges, p: Polynomial) -> bool:
    """Return whether no addend of a sum is below 0."""
    return all(c >= 0 for c in p.values()) and all(known.of(x)[0] >= 0 for m in p for x in m)


def _inside(value: Term, type: Int) -> tuple[Term, Term]:
    return Node("<=", type.low, value), Node("<=", value, type.high)


def _common(
    context: Context, beyond: Mapping[int, int], proofs: dict[int, Answer]
) -> dict[int, Common]:
    """Return what is asked of copies of one computation together, and what is known of more."""
    fixed = same_for_all(context)
    alike: dict[object, list[int]] = {}
    for k, c in enumerate(context.map.computations):
        if c.divisor is None and c.shift is None:
            kinds = tuple(v.kind for v in c.variables if v.name not in fixed)
            key = c.place, c.type, c.role, _shape(c.value, fixed), kinds, len(c.guard)
            alike.setdefault(key, []).append(k)
    found: dict[int, Common] = {}
    for every in alike.values():
        if len(every) > 1 or every[0] in beyond:
            common = _together(context, every, fixed, beyond, proofs)
            found.update(dict.fromkeys(every, common))
    return found


def _together(
    context: Context, every: Sequence[int], fixed: set[str], beyond: Mapping[int, int],
    proofs: dict[int, Answer],
) -> Common:  # fmt: skip
    copies = [context.map.computations[k] for k in every]

    @cache
    def ways() -> Ways | None:
        # They need not come in the order of what they compute.
        inside = sorted(copies, key=lambda c: _numbers(c.value))
        values = [Access("", "", c.value, 0, c.guard, c.variables, (), c.place) for c in inside]
        found = together(values, fixed) if len(copies) > 1 else None
        if found is None:
            return None
        goal = Node("and", *_inside(found[0].offset, copies[0].type))
        return about(context.at(found[0].guard), goal)

    def way(number: int) -> Answer:
        ends = [beyond.get(k, k) for k in every]
        if ends != [*every] and all(k in proofs for k in ends):
            found = all_proved(proofs[k] for k in ends)
            steps = (_step(context, k, beyond[k]) for k in every if k in beyond)
            return replace(found, obligations=(*found.obligations, *steps))
        told = ways()
        return OPEN if told is None else if_proved(told[number]())

    quick, patient = (partial(_kept, partial(way, n), every, proofs) for n in (0, 1))
    return Common(quick, patient, 1, lambda *_: None, waits=len(copies) > 1)


def _step(context: Context, k: int, end: int) -> Obligation:
    """Return that a computation does not wrap since one that is not less does not."""
    c, d = context.map.computations[k], context.map.computations[end]
    given = (*c.guard, *context.axis_facts((*BLOCKS, *THREADS)), Node("<=", d.value, d.type.high))
    here = context.at(tuple(dict.fromkeys(given)))
    return Obligation(here.hypotheses, Node("and", *_inside(c.value, c.type)), context.dims)


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
