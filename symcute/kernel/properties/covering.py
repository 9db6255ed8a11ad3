"""covers, implements: the writes to an array are the elements of a layout, each exactly once.

`covers out` is the layout of all elements of the array. Each element is written at most once when
no two writes, of whatever threads and rounds, touch the same byte; none is left out when for every
coordinate of the layout a thread can be named that writes there: its index and its rounds are the
digits of the coordinate in the radix of the strides of the store.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

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
    polynomial,
    remainder,
    sub,
    substitute,
)
from symcute.kernel.access_map import Access
from symcute.kernel.properties.apart import Pair, Side
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.question import Question, Ways, about, settled
from symcute.kernel.symexec.entry import term_of
from symcute.layout.layout import Layout
from symcute.solve.obligation import Answer
from symcute.solve.sequent import Sequent

__all__ = ["covers", "implements"]

LARGE, SMALL = 1009, 31
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
    unsupported = context.unsupported(array)
    needs = frozenset[int]().union(*(a.needs | a.ends for a in writes))
    for i, a in enumerate(writes):
        for b in writes[i:]:
            pair = _pair(context, a, b)
            yield Question(
                name, a.place, f"{array}[{layout}]", "no element written twice",
                pair.quickly, pair.patiently, needs=needs, unsupported=unsupported,
                accesses=(a, b), other=b.place if b is not a else None,
            )  # fmt: skip
    here, goal, reason = _every(context, array, layout, writes)
    ways = about(here, goal) if goal is not None else settled(Answer("open", reason=reason))
    yield Question(
        name, place, f"{array}[{layout}]", "every element written", *_proving(ways),
        needs=needs, unsupported=unsupported, rests_on=("every thread runs to its end",),
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
class _Digit:
    """A variable of a store, its stride, and in which mode of the layout it counts."""

    name: str
    stride: Term
    size: int


def _every(
    context: Context, array: str, layout: Layout, writes: list[Access]
) -> tuple[Sequent, Term | None, str]:
    """Return that a thread named by the digits of a coordinate writes the element there.

    Of several stores it is one whose own thread does.
    """
    modes = [(term_of(s), term_of(d)) for s, d in layout.modes()]
    coordinates = [f"c_{k}" for k in range(len(modes))]
    given: list[Term] = [*context.map.facts]
    for c, (extent, _) in zip(coordinates, modes, strict=True):
        given += [at_most(0, c), less(c, extent)]
    here = Sequent(given, context.dims)
    element = context.arrays[array].element
    axes = context.axis_facts(COORDINATES)
    index: Term = 0
    for c, (_, stride) in zip(coordinates, modes, strict=True):
        index = add(index, mul(c, stride))
    ways: list[Term] = []
    reason = "no store is exact" if writes else "there is no store"
    for a in writes:
        if not a.exact:
            continue
        found = _witness(context, a, element, modes, coordinates)
        if found is None:
            reason = "the digits of an element in the strides of the store were not found"
            continue
        start = add(substitute(a.offset, found), mul(found.get("@part", 0), element))
        guard = (substitute(g, found) for g in (*axes, *a.guard))
        ways.append(all_of(*guard, equal(start, mul(index, element))))
    return here, any_of(*ways) if ways else None, reason


def _witness(
    context: Context,
    a: Access,
    element: int,
    modes: list[tuple[Term, Term]],
    coordinates: list[str],
) -> dict[str, Term] | None:
    """Return block, thread and rounds as digits of the coordinates of a layout."""
    p = polynomial(a.offset)
    if p is None or a.width % element or any(c % element for c in p.values()):
        return None
    own = [v.name for v in a.variables if v.kind in ("block", "thread", "round")]
    strides: dict[str, dict[tuple[Term, ...], int]] = {}
    rest: dict[tuple[Term, ...], int] = {}
    for m, c in p.items():
        here = [atom for atom in m if isinstance(atom, str) and atom in own]
        if any(not isinstance(atom, str) and names(atom) & set(own) for atom in m) or len(here) > 1:
            return None
        if here:
            others = tuple(atom for atom in m if atom != here[0])
            strides.setdefault(here[0], {})[others] = c // element
        else:
            rest[m] = c // element
    if a.width > element:
        strides["@part"] = {(): 1}
    small = set().union(*(names(context.extents[n]) for n in context.extents if n[0] == "t"))
    digits: list[list[_Digit]] = [[] for _ in modes]
    for name, q in strides.items():
        stride = from_polynomial(q)
        mode = _mode_of(stride, [d for _, d in modes], small)
        if mode is None:
            return None
        inner = _exact(stride, modes[mode][1])
        if inner is None:
            return None
        digits[mode].append(_Digit(name, inner, _size(inner, small)))
    found: dict[str, Term] = dict.fromkeys(own, 0)
    for g in a.guard:  # a thread that is one for good
        if isinstance(g, Node) and g.op == "==":
            for one, other in (g.args, g.args[::-1]):
                if one in found and not names(other) & found.keys():
                    found[str(one)] = other
        elif isinstance(g, Node) and g.op == "!=" and g.args[0] in found and g.args[1] == 0:
            found[str(g.args[0])] = 1
    shifts: list[Term] = [0] * len(modes)
    for m, c in rest.items():
        part = from_polynomial({m: c})
        mode = _mode_of(part, [d for _, d in modes], small)
        by = None if mode is None else _exact(part, modes[mode][1])
        if mode is None or by is None:
            return None
        shifts[mode] = add(shifts[mode], by)
    for name, shift, group in zip(coordinates, shifts, digits, strict=True):
        left: Term = sub(name, shift)
        for digit in sorted(group, key=lambda d: -d.size):
            found[digit.name] = divide(left, digit.stride)
            left = remainder(left, digit.stride)
    return found


def _mode_of(stride: Term, strides: list[Term], small: set[str]) -> int | None:
    """Return the mode with the largest stride that divides a stride."""
    fitting = [k for k, d in enumerate(strides) if _exact(stride, d) is not None]
    return max(fitting, key=lambda k: _size(strides[k], small), default=None)


def _exact(a: Term, b: Term) -> Term | None:
    """Return the exact quotient of two polynomials in dims."""
    if b == 1:
        return a
    if a == b:
        return 1
    p, q = polynomial(a), polynomial(b)
    if p is None or q is None or len(q) != 1:
        return None
    ((m, c),) = q.items()
    found = {}
    for n, d in p.items():
        rest = list(n)
        for atom in m:
            if atom not in rest:
                return None
            rest.remove(atom)
        if d % c:
            return None
        found[tuple(rest)] = d // c
    return from_polynomial(found)


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
        given += [at_most(0, "part"), less("part", a.width // element)]
        left = add(left, "part")
    goals = []
    for extent, stride in sorted(modes, key=lambda m: -_size(m[1], ())):
        digit = divide(left, stride)
        goals += [at_most(0, digit), less(digit, extent)]
        left = remainder(left, stride)
    return about(context.at(tuple(given)), all_of(*goals, equal(left, 0)))
