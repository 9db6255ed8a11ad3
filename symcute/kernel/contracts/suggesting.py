"""Conditions that the accesses of a kernel suggest: what would perhaps prove an open question."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from symcute.expr.node import Node, Term, names
from symcute.expr.terms import (
    add,
    all_of,
    any_of,
    at_most,
    equal,
    mul,
    negate,
    plus,
    polynomial,
    remainder,
)
from symcute.kernel.access_map import Access
from symcute.kernel.contracts.bounding import inequality
from symcute.kernel.contracts.ends import MOST, Suggestion, assumed, bounds, ends, ranges
from symcute.kernel.contracts.joining import elements
from symcute.kernel.contracts.lines import Line, Unlaunched
from symcute.kernel.contracts.spreading import apart, pins
from symcute.kernel.properties.bounds import MAX_ALIGNMENT
from symcute.kernel.properties.context import AXES, Context
from symcute.kernel.properties.question import Question

__all__ = ["Suggestion", "suggestions"]


def suggestions(
    blank: Unlaunched, context: Context, q: Question, patient: bool
) -> Iterator[Suggestion]:
    """Yield lines under which a question is perhaps proved, the weakest first.

    The `patient` have some that leave little of a launch.
    """
    if q.computation is not None:
        yield from _wrapping(blank, context, q.computation)
    elif q.property == "in_bounds":
        yield from _inside(blank, context, q.accesses[0])
    elif q.property == "aligned":
        yield from _multiples(blank, context, q.accesses[0])
    elif q.property == "barrier_uniform":
        yield from _met(blank, context, q)
    elif q.property == "promises_kept":  # of parameters they are what is assumed first
        yield from _kept(blank, context, q)
    else:
        for s in apart(blank, context, q.accesses, patient):
            if _possible(blank, s):
                yield tuple(x for x in s if x.term is not True)


# --- overflow and bounds ------------------------------------------------------------------------


def _wrapping(blank: Unlaunched, context: Context, number: int) -> list[Suggestion]:
    """Return lines under which a computation stays in its type."""
    c = context.map.computations[number]
    sides: list[list[Term]] = []
    for guard in _cases(c.guard):
        known = context.at(guard).ranges.ranges.of(c.value)
        for sign, far in ((1, known[1] > c.type.high), (-1, known[0] < c.type.low)):
            if far:
                end = c.type.high if sign == 1 else -c.type.low
                for most in ends(blank, context, mul(c.value, sign), guard):
                    sides.append([inequality(plus(p, {(): -end})) for p in most])
    if c.divisor is not None:
        sides.append([at_most(1, c.divisor)])
    if c.shift is not None:
        sides.append([all_of(at_most(0, c.shift), at_most(c.shift, c.type.bits - 1))])
    some = [side[: MOST if len(sides) == 1 else 2] for side in sides if side]
    found = [assumed(choice) for choice in product(*some)] if len(some) <= 4 else []
    found += [assumed([x]) for side in sides for x in side]
    return [s for s in dict.fromkeys(found) if s and _possible(blank, s)]


def _cases(guard: tuple[Term, ...]) -> list[tuple[Term, ...]]:
    """Return the guard in each case of the first choice in it, such as of a loop's first round."""
    for g in guard:
        if isinstance(g, Node) and g.op == "or":
            rest = tuple(h for h in guard if h is not g)
            return [(*rest, case) for case in g.args]
    return [guard]


def _possible(blank: Unlaunched, suggestion: Suggestion) -> bool:
    """Return whether no line is false, or says of blocks or threads that there are none."""
    return not any(x.term is False or _says_none(blank, x.term) for x in suggestion)


def _says_none(blank: Unlaunched, relation: Term) -> bool:
    if not isinstance(relation, Node) or relation.op not in ("<", "<="):
        return False
    low, high = (polynomial(x) for x in relation.args)
    if low is None or high is None:
        return False
    over = plus(plus(low, high, -1), {(): 1 if relation.op == "<" else 0})
    extents = (polynomial(n) for n in (*blank.grid, *blank.block))
    more = (plus(over, e, -1) for e in extents if e is not None)
    return any(p.keys() <= {()} and p.get((), 0) >= 0 for p in more)


def _inside(blank: Unlaunched, context: Context, a: Access) -> list[Suggestion]:
    """Return lines under which an access is inside its array."""
    array = context.arrays[a.array]
    found: list[Suggestion] = []
    outside = array.name in blank.extents
    for sides in product(*ends(blank, context, add(a.offset, a.width), a.guard, not outside)):
        if outside:
            said = (Line("extent", elements(p, array.element), array.name) for p in sides)
            found.append(tuple(dict.fromkeys(said)))
        else:
            size = polynomial(context.bytes_of(array) or 0) or {}
            found.append(assumed(inequality(plus(p, size, -1)) for p in sides))
    if context.at(a.guard).ranges.ranges.of(a.offset)[0] < 0:
        low = product(*ends(blank, context, mul(a.offset, -1), a.guard))
        starts = [assumed(map(inequality, ps)) for ps in low]
        found += [(*x, *y) for y in starts for x in found] + starts
    return [s for s in found if s and _possible(blank, s)]


# --- alignment and barriers ---------------------------------------------------------------------


def _multiples(blank: Unlaunched, context: Context, a: Access) -> Iterator[Suggestion]:
    """Yield that the array is aligned, and parameters in an offset multiples, for an access."""
    offset = polynomial(a.offset) or {}
    wanted = min(a.width & -a.width, MAX_ALIGNMENT)
    start: Suggestion = ()
    if context.alignment_of(context.arrays[a.array])[0] % wanted:
        start = (Line("align", wanted, a.array),)
        yield start
    factors: dict[str, int] = {}
    for m, c in offset.items():
        step = wanted // _common(c, wanted)
        for n in (_multiple_of(x, step) for x in m):
            if n in blank.params.values() and step > 1:
                factors[n] = max(factors.get(n, 1), step)
    every = [equal(remainder(n, k), 0) for n, k in factors.items()]
    yield from ((*start, *assumed([t])) for t in every)
    if len(every) > 1:
        yield (*start, *assumed(every))


def _multiple_of(term: Term, step: int) -> str:
    """Return the name of which a term is a multiple of a step just where the name is, or nothing.

    n % 2**64 is one of 4 just where n is.
    """
    if isinstance(term, Node) and term.op == "%":
        term, by = term.args
        if not isinstance(by, int) or by % step:
            return ""
    return term if isinstance(term, str) else ""


def _common(c: int, power: int) -> int:
    """Return the largest power of two that divides both."""
    return min(c & -c, power)


def _met(blank: Unlaunched, context: Context, q: Question) -> Iterator[Suggestion]:
    """Yield lines under which a barrier's guard holds for all threads."""
    for event in context.map.events:
        if event.place != q.place:
            continue
        always: list[Term] = []
        unit = {"warp": 1, "elected": 1, "lanes": 1, "warpgroup": 4}.get(
            event.scope, 0
        ) * context.map.target.warp
        if unit and isinstance(blank.block[0], str):
            # Threads of a unit differ by less than it has, and whole units by multiples of it.
            whole = assumed([equal(remainder(blank.block[0], unit), 0)])
            yield whole
            yield (*whole, *pins(n for n in blank.block[1:] if n != 1))
        for g in event.guard:
            if not names(g) & {*AXES} or not isinstance(g, Node) or g.op not in ("<", "<="):
                continue
            a, b = (polynomial(x) for x in g.args)
            if a is None or b is None or g in ranges(context):
                continue
            over = plus(plus(a, b, -1), {(): 1 if g.op == "<" else 0})
            others = tuple(h for h in event.guard if h is not g)
            for n in sorted(names(g) & {*blank.params.values()}):
                for extent in blank.block:
                    if extent in {x for m in over for t in m for x in names(t)}:
                        yield assumed([equal(remainder(n, extent), 0)])
            always += [inequality(p) for p in bounds(blank, context, over, others)[:2]]
        yield from (assumed([t]) for t in always if t is not False)


def _kept(blank: Unlaunched, context: Context, q: Question) -> Iterator[Suggestion]:
    """Yield what is promised at a place, or that nothing comes there, so far as dims say it."""
    always = frozenset((*context.map.facts, *ranges(context)))
    for p in context.map.promises:
        if p.place == q.place:
            denied = [negate(g) for g in p.guard if g not in always]
            plain = [t for t in denied if names(t) <= context.dims]
            cases = [any_of(*plain)] if len(plain) > 1 else []
            for t in (p.truth, *cases, *denied):
                parts = t.args if isinstance(t, Node) and t.op == "and" else (t,)
                ways = (_true(blank, context, x, p.guard) for x in parts)
                yield from (tuple(x for s in some for x in s) for some in product(*ways))


def _true(
    blank: Unlaunched, context: Context, t: Term | None, guard: tuple[Term, ...]
) -> list[Suggestion]:
    """Return lines under which a relation holds wherever a guard does but for its opposite."""
    if not isinstance(t, Node):
        return []
    if names(t) <= context.dims:
        return [pins(t.args[:1], 1) if _single(blank, t) else assumed([t])]
    a, b = (polynomial(x) for x in t.args[:2])
    if a is None or b is None or t.op not in ("<", "<=", "=="):
        return []
    others = tuple(g for g in guard if g != negate(t))
    over = plus(plus(a, b, -1), {(): 1 if t.op == "<" else 0})
    both = (over, plus({}, over, -1)) if t.op == "==" else (over,)
    sides = [bounds(blank, context, p, others)[:2] for p in both]
    return [x for ps in product(*sides) if _possible(blank, x := assumed(map(inequality, ps)))]


def _single(blank: Unlaunched, t: Node) -> bool:
    """Return whether a relation says that there is one block or thread along an axis."""
    return t.op == "==" and t.args[0] in (*blank.grid, *blank.block) and t.args[1] == 1
