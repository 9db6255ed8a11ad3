"""covers, implements: the writes to an array are the elements of a layout, each exactly once.

`covers out` is the layout of all elements of the array. Each element is written at most once when
no two writes, of whatever threads and rounds, touch the same byte; none is left out when for every
coordinate of the layout a thread can be named that writes there: the inverse of the index of the
store says which, and it is shown that this thread does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, reduce

from symcute.expr.node import Node, Term
from symcute.expr.terms import (
    add,
    all_of,
    any_of,
    at_most,
    divide,
    equal,
    evaluate,
    from_polynomial,
    less,
    mul,
    names,
    plus,
    polynomial,
    remainder,
    substitute,
)
from symcute.kernel.access_map import Access
from symcute.kernel.properties.apart import Pair
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.question import Question, Ways, about, settled
from symcute.kernel.properties.sides import Side
from symcute.kernel.symexec.entry import term_of
from symcute.layout.layout import Layout
from symcute.solve.folding import Folding, divided
from symcute.solve.inverse import Equation, Inverse, Point
from symcute.solve.obligation import Answer
from symcute.solve.sequent import Sequent
from symcute.solve.tiers import patiently, quickly, shows
from symcute.solve.wording import conjuncts

__all__ = ["covers", "implements"]

LARGE, SMALL = 1009, 31
OWN = frozenset({"block", "thread", "round"})
COORDINATES = ("bx", "by", "bz", "tx", "ty", "tz")


def covers(context: Context) -> Iterator[Question]:
    """Yield, for each array that is to be covered, what that takes."""
    for name in context.setting.covers:
        if name in context.setting.extents:
            yield from _written(context, "covers", name, Layout(context.setting.extents[name], 1))
        else:
            reason = f"the extent of {name} is not given; write --extent {name}=..."
            ways = settled(Answer("open", reason=reason))
            yield Question(
                "covers", context.arrays[name].place, name, "written exactly once", *ways
            )


def implements(context: Context) -> Iterator[Question]:
    """Yield, for each array with a layout, what it takes to write the elements of the layout."""
    for name, layout in context.setting.implements.items():
        yield from _written(context, "implements", name, layout)


def _written(context: Context, name: str, array: str, layout: Layout) -> Iterator[Question]:
    writes = [a for a in context.map.accesses if a.array == array and a.kind != "read"]
    place = writes[0].place if writes else context.arrays[array].place
    unsupported = context.unsupported(array, others=True)
    needs = frozenset[int]().union(*(a.needs | a.ends for a in writes))
    for i, a in enumerate(writes):
        for b in writes[i:]:
            pair = _pair(context, a, b)
            yield Question(
                name, a.place, f"{array}[{layout}]", "no element written twice",
                pair.quickly, pair.patiently, needs=needs, unsupported=unsupported,
                accesses=(a, b), other=b.place if b is not a else None,
            )  # fmt: skip
    ways = _every(context, array, layout, writes)
    yield Question(
        name, place, f"{array}[{layout}]", "every element written", *_proving(ways),
        needs=needs, unsupported=unsupported or context.endless(),
        rests_on=("every thread runs to its end",),
    )  # fmt: skip
    for a in writes:
        yield Question(
            name, a.place, f"{array}[{layout}]", "nothing else written",
            *_proving(_inside(context, a, layout)), needs=needs, unsupported=unsupported,
            accesses=(a,),
        )  # fmt: skip


def _proving(ways: Ways) -> Ways:
    """Return ways that do not refute: where a digit does not fit, another thread may write."""

    def proving(way: Callable[[], Answer]) -> Answer:
        found = way()
        if found.status == "refuted":
            return Answer("open", reason="the thread that writes an element was not found")
        return found

    quick, patient = ways
    return lambda: proving(quick), lambda: proving(patient)


def _pair(context: Context, a: Access, b: Access) -> Pair:
    """Return two writes by threads, or in rounds, that differ (two stores always do)."""
    axes = tuple(n for n in COORDINATES if n in context.extents)
    facts = (*context.map.facts, *context.axis_facts(axes))
    rounds = tuple(v.name for v in a.variables if v.kind == "round")
    differ = (*axes, *rounds) if a is b else (*axes, *rounds, "@store")
    return Pair(
        Side(a), Side(b), facts, context.dims, differ, frozenset(), alike=a is b,
        tables=context.setting.tables,
    )  # fmt: skip


@dataclass(frozen=True)
class _Elements:
    """The elements of a layout: a name for each coordinate, its mode, and what is known of them."""

    modes: tuple[tuple[str, Term, Term], ...]
    facts: tuple[Term, ...]

    @property
    def index(self) -> Term:
        """The offset of the element of a coordinate."""
        start: Term = 0
        return reduce(add, (mul(c, stride) for c, _, stride in self.modes), start)


@dataclass(frozen=True)
class _Store:
    """What a store does: when, at which byte, and the names of what a thread is."""

    guard: tuple[Term, ...]
    start: Term
    own: frozenset[str]
    points: list[Point]

    def by(self, values: Mapping[str, Term], folding: Folding, element: Term) -> Term:
        """Return that the thread with some values does it, and at the byte of an element."""
        found: dict[str, Term] = dict.fromkeys(self.own, 0)
        for g in self.guard:  # a thread that is one for good
            if isinstance(g, Node) and g.op == "==":
                for one, other in (g.args, g.args[::-1]):
                    if one in found and not names(other) & found.keys():
                        found[str(one)] = other
            elif isinstance(g, Node) and g.op == "!=" and g.args[0] in found and g.args[1] == 0:
                found[str(g.args[0])] = 1
        found.update(values)
        goals = (*self.guard, equal(self.start, element))
        return all_of(*(folding.fold(substitute(x, found)) for x in goals))


@dataclass(frozen=True)
class _Case:
    """What it takes that one of some stores, with the values of its thread, writes an element.

    First what steps `needs` before they are taken. What was folded is remembered.
    """

    stores: tuple[tuple[_Store, Mapping[str, Term]], ...]
    element: Term
    needs: tuple[tuple[Sequent, Term], ...]
    folding: Folding

    def goals(self) -> Iterator[tuple[Sequent, Term]]:
        """Yield what is to be shown, and where."""
        yield from self.needs
        told = any_of(*(s.by(values, self.folding, self.element) for s, values in self.stores))
        yield from ((self.folding.here, x) for x in conjuncts(told))


def _every(context: Context, array: str, layout: Layout, writes: list[Access]) -> Ways:
    """Return how to show that for every coordinate there is a thread that writes the element.

    Of several stores it is one whose own thread does.
    """
    exact = [a for a in writes if a.exact]
    if not exact:
        reason = "no store is exact" if writes else "there is no store"
        return settled(Answer("open", reason=reason))
    # Each round asks again: what was found and shown in the ones before is remembered.
    shown: dict[tuple[Sequent, Term], Answer] = {}

    @cache
    def cases() -> tuple[_Case, ...]:
        return tuple(_cases(context, exact, layout, context.arrays[array].element))

    def way(asked: Callable[[Sequent, Term], Answer]) -> Answer:
        if not cases():
            reason = "the digits of an element in the strides of the store were not found"
            return Answer("open", reason=reason)
        answers: list[Answer] = []
        for goal in (goal for case in cases() for goal in case.goals()):
            answers.append(shown.get(goal) or asked(*goal))
            if answers[-1].status != "proved":
                return answers[-1]
            shown[goal] = answers[-1]
        return replace(
            answers[-1],
            how=" and ".join(dict.fromkeys(x.how for x in answers)),
            rests_on=tuple(dict.fromkeys(r for x in answers for r in x.rests_on)),
            obligations=tuple(o for x in answers for o in x.obligations),
            shown=None,
        )

    return lambda: way(quickly), lambda: way(patiently)


def _cases(context: Context, exact: list[Access], layout: Layout, size: int) -> Iterator[_Case]:
    """Yield what it takes that one of some stores writes each element; nothing if that is not seen.

    Of one store its cases, with digits in place of the coordinates.
    """
    taken = _taken(context, exact)
    elements = _elements(context, layout, taken)
    stores = [x for a in exact if (x := _store(context, a, elements, taken)) is not None]
    element = mul(elements.index, size)
    if len(stores) > 1:
        folding = Folding(Sequent(elements.facts, context.dims), shows)
        single = tuple((x, x.points[0].closed) for x in stores if len(x.points) == 1)
        yield _Case(single, element, (), folding)
        return
    for store in stores:
        for point in store.points:
            here = Sequent([substitute(x, point.digits) for x in elements.facts], context.dims)
            needs: list[tuple[Sequent, Term]] = []
            for step in point.steps:
                needs += [(here, x) for x in conjuncts(step.needs) if x is not True]
                here = here.extended(step.facts)
            told = substitute(element, point.digits)
            yield _Case(((store, point.values),), told, tuple(needs), Folding(here, shows))


def _elements(context: Context, layout: Layout, taken: set[str]) -> _Elements:
    """Return the elements of a layout, modes with large strides first."""
    modes: list[tuple[str, Term, Term]] = []
    facts: list[Term] = [*context.map.facts]
    every = [(term_of(s), term_of(d)) for s, d in layout.modes()]
    for extent, stride in sorted(every, key=lambda m: -_size(m[1], ())):
        c = _fresh("c", taken)
        modes.append((c, extent, stride))
        facts += [at_most(0, c), less(c, extent)]
    return _Elements(tuple(modes), tuple(facts))


def _store(context: Context, a: Access, elements: _Elements, taken: set[str]) -> _Store | None:
    """Return a store with the threads that an element names, case by case; None where none are."""
    element = context.arrays[a.array].element
    p = polynomial(a.offset)
    if p is None or a.width % element or any(c % element for c in p.values()):
        return None
    own = {v.name for v in a.variables if v.kind in OWN}
    if not names(a.offset) <= own | context.dims:
        return None
    guard, start = [*context.axis_facts(COORDINATES), *a.guard], a.offset
    left = {m: c // element for m, c in p.items()}
    if a.width > element:
        part = _fresh("part", taken)
        own.add(part)
        guard += [at_most(0, part), less(part, a.width // element)]
        left, start = plus(left, {(part,): 1}), add(start, mul(part, element))
    equations: list[Equation] = []
    for c, extent, stride in elements.modes:
        d = polynomial(stride)
        if not d:
            return None
        above, left = divided(left, d)
        equations.append(Equation(from_polynomial(above), c, extent, True))
    if left:
        return None
    points = Inverse(own, taken, shows).points(context.at(tuple(guard)), equations)
    return None if points is None else _Store(tuple(guard), start, frozenset(own), points)


def _taken(context: Context, accesses: list[Access]) -> set[str]:
    """Return the names that are spoken of where accesses are."""
    said = [g for a in accesses for g in (a.offset, *a.guard)]
    return {*context.dims}.union(*map(names, (*context.map.facts, *said)))


def _fresh(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _size(stride: Term, small: Collection[str]) -> int:
    """Return how large a stride is when the extents of a block are small and all else is large."""
    values = {n: SMALL if n in small else LARGE for n in names(stride)}
    return abs(int(evaluate(stride, values)))


def _inside(context: Context, a: Access, layout: Layout) -> Ways:
    """Return how to decide that every element written is one of the layout, digit by digit."""
    element = context.arrays[a.array].element
    modes = [(term_of(s), term_of(d)) for s, d in layout.modes()]
    p = polynomial(a.offset)
    if p is None or a.width % element or any(c % element for c in p.values()):
        return settled(Answer("open", reason="the offset is no whole number of elements"))
    left = from_polynomial({m: c // element for m, c in p.items()})
    given = list(a.guard)
    if a.width > element:
        part = _fresh("part", _taken(context, [a]))
        given += [at_most(0, part), less(part, a.width // element)]
        left = add(left, part)
    goals = []
    for extent, stride in sorted(modes, key=lambda m: -_size(m[1], ())):
        digit = divide(left, stride)
        goals += [at_most(0, digit), less(digit, extent)]
        left = remainder(left, stride)
    return about(context.at(tuple(given)), all_of(*goals, equal(left, 0)))
