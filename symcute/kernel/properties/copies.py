"""Copies of one access, as unrolling leaves them, as one access with more rounds.

Where offsets and guards of several accesses differ by numbers alone, and these go up by a step
from copy to copy (or do so in rows), all are one access: the number of the copy is a variable, as
if a loop went round. What is never so of two threads in any rounds is never so of two copies.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import TypeAlias

from symcute.expr.node import Node, Term
from symcute.expr.terms import (
    add,
    at_most,
    from_polynomial,
    less,
    mul,
    names,
    polynomial,
    substitute,
)
from symcute.kernel.access_map import Access, Variable
from symcute.kernel.properties.apart import Pair
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.question import Common, Model, Question, all_proved
from symcute.kernel.properties.sides import BLOCKS, THREADS
from symcute.solve.obligation import Answer

__all__ = ["OPEN", "Copies", "Rows", "if_proved", "model_of", "same_for_all", "together"]

#: What numbers may differ in: comparisons, divisions by one divisor, choices.
OPERATIONS = ("<", "<=", "==", "!=", "and", "or", "//", "%", "min", "max", "if")
#: What says nothing of each copy.
OPEN = Answer("open")
#: In how many rows of rows copies are.
MAX_ROWS = 3
#: Numbers of a copy, from the innermost row out, each with how many there are.
Rows: TypeAlias = tuple[tuple[str, int], ...]


class Copies:
    """What is asked of all copies of an access together: whether two threads meet in any of them.

    `pairs` are the ways in which they meet in rounds of one access, whatever barriers order, those
    by threads of several blocks first. A model `tells` where no execution would show a race.
    """

    def __init__(
        self, accesses: Iterable[Access], fixed: Collection[str],
        pairs: Callable[[Access], Iterable[Pair]], tells: bool,
    ) -> None:  # fmt: skip
        self._fixed, self._pairs, self._tells = fixed, pairs, tells
        self._common: dict[int, Common] = {}
        alike: dict[object, list[Access]] = {}
        for a in accesses:
            if a.kind != "read" and not a.signal:
                key = a.place, a.array, a.kind, a.width, a.scope, a.unit, a.late, a.agent
                alike.setdefault(key, []).append(a)
        for every in alike.values():
            if len(every) > 1:
                common = self._asked(every)
                self._common.update((id(a), common) for a in every)

    def with_common(self, asked: Question) -> Question:
        """Return a question about two accesses that knows what is asked of all copies of both."""
        first, *others = (self._common.get(id(a)) for a in asked.accesses)
        if first is None or any(c is not first for c in others):
            return asked
        common = first

        def unordered() -> Answer:
            known = (x for x in common.found.values() if x.status == "proved")
            return next(known, None) or (asked.unordered or asked.quick)()

        return replace(asked, common=common, unordered=unordered)

    def _asked(self, copies: Sequence[Access]) -> Common:
        @cache
        def asked() -> tuple[tuple[Pair, ...] | None, bool, Rows]:
            found = together(copies, self._fixed)
            if found is None:
                return None, False, ()
            one, rows = found
            # A model of fewer guards may be one of no copy.
            whole = all(len({*a.guard}) + 2 * len(rows) == len(one.guard) for a in copies)
            return tuple(self._pairs(one)), whole, rows

        def quickly() -> Answer:
            pairs, *_ = asked()
            return OPEN if pairs is None else if_proved(all_proved(p.quickly() for p in pairs))

        def patiently() -> Answer:
            pairs, whole, _ = asked()
            return OPEN if pairs is None else _patiently(pairs, whole)

        def model(found: Model, of: tuple[Access, ...]) -> Model | None:
            return model_of(found, copies, asked()[2], of, self._fixed)

        count = len(copies) * (len(copies) + 1) // 2
        return Common(quickly, patiently, count, model, self._tells)


def same_for_all(context: Context) -> set[str]:
    """Return the names that stand for the same in each copy; see `together`."""
    return {*context.dims, *THREADS, *BLOCKS}.union(*map(names, context.map.facts))


def if_proved(found: Answer) -> Answer:
    """Return a proof of all copies; what is none says nothing of each."""
    return found if found.status == "proved" else OPEN


def _patiently(pairs: Iterable[Pair], whole: bool) -> Answer:
    """Return a proof, or, of what is the `whole` of copies, a model: of threads of two blocks.

    What barriers may order is no race yet.
    """

    def decided() -> Iterator[Answer]:
        for p in pairs:
            found = p.quickly()
            found = found if found.status == "proved" else p.patiently()
            apart = bool(p.differ) and {*p.differ} <= {*BLOCKS}
            yield found if found.status == "refuted" and whole and apart else if_proved(found)

    return all_proved(decided())


def model_of(
    found: Model, copies: Sequence[Access], rows: Rows, of: tuple[Access, ...],
    fixed: Collection[str],
) -> Model | None:  # fmt: skip
    """Return what a model of all copies is in the names of a question about two of them, or None.

    The first thread's names end in `__1`, the second's in `__2`.
    """
    numbers = []
    for who in ("__1", "__2"):
        number, stride = 0, 1
        for name, n in rows:
            number += stride * found.get(name + who, 0)
            stride *= n
        numbers.append(number)
    own = [copies[k] for k in numbers]
    sides = ("__1", "__2") if own[0] is of[0] else ("__2", "__1")
    if {*map(id, own)} != {*map(id, of)}:
        return None
    model = {n: x for n, x in found.items() if not n.endswith(("__1", "__2"))}
    for access, who, side in zip(own, ("__1", "__2"), sides, strict=True):
        both = zip(_own(copies[0], fixed), _own(access, fixed), strict=True)
        ours = {w.name: v.name for w, v in both}
        for name, x in found.items():
            if name.endswith(who):
                short = name.removesuffix(who)
                model[ours.get(short, short) + side] = x
    return model


def together(copies: Sequence[Access], fixed: Collection[str]) -> tuple[Access, Rows] | None:
    """Return one access that is each of the copies in some round, or None where they do not fit.

    In which round of which rows that is says its number.

    Pre-conditions: all are to one array, of one kind and width; `fixed` are the names that stand
    for the same in each copy, whatever else has a name is a copy's own.
    Post-conditions: with the digits of k for the new variables, and the names of copy k for those
    of the first, the offset is that of copy k, each guard is one of copy k or a range of digits.
    Where an access lies between barriers is not said.
    """
    first, count = copies[0], len(copies)
    renamed = [_renamed(a, first, fixed) for a in copies]
    own = [r for r in renamed if r is not None]
    if len(own) < count or any(v.element is not None for a in copies for v in a.variables):
        return None
    guards = [dict.fromkeys(a.guard) for a in own]
    taken = {*fixed}.union(*(names(t) for a in own for t in (a.offset, *a.guard)))
    for rows in _rows(count, taken):
        offset = _general([a.offset for a in own], rows)
        if offset is None:
            continue
        guard = [g for g in guards[0] if all(g in other for other in guards)]
        # What is said of one copy alone is said in the same order of each.
        left = [[g for g in each if g not in guard] for each in guards]
        for each in zip(*left, strict=False) if len({*map(len, left)}) == 1 else ():
            said = _general(each, rows)
            guard += [] if said is None else [said]
        ends = [f for name, n in rows for f in (at_most(0, name), less(name, n))]
        variables = [Variable(name, "round", loop=name) for name, _ in rows]
        one = replace(
            first, offset=offset, guard=(*guard, *ends), variables=(*first.variables, *variables),
            phases=tuple(p for a in copies for p in a.phases), warps=(), value=None,
        )  # fmt: skip
        return one, rows
    return None


def _renamed(access: Access, first: Access, fixed: Collection[str]) -> Access | None:
    """Return an access with the names of the first copy's variables for its own, place by place."""
    ours, theirs = _own(access, fixed), _own(first, fixed)
    used = names(access.offset).union(*map(names, access.guard)) - {*fixed}
    if [v.kind for v in ours] != [v.kind for v in theirs] or not used <= {v.name for v in ours}:
        return None
    rename: dict[str, Term] = {v.name: w.name for v, w in zip(ours, theirs, strict=True)}
    if len({*rename.values()}) < len(rename):
        return None
    return replace(
        access,
        offset=substitute(access.offset, rename),
        guard=tuple(substitute(g, rename) for g in access.guard),
    )


def _own(access: Access, fixed: Collection[str]) -> list[Variable]:
    """Return the variables that are a copy's own."""
    return [v for v in access.variables if v.name not in fixed]


def _rows(count: int, taken: Collection[str]) -> Iterator[Rows]:
    """Yield ways to number copies: in a row, in rows, in rows of rows."""
    free = [n for n in (f"copy{k}" for k in range(len(taken) + MAX_ROWS)) if n not in taken]
    for depth in range(1, MAX_ROWS + 1):
        for lengths in _factors(count, depth):
            yield tuple(zip(free, lengths, strict=False))


def _factors(count: int, depth: int) -> Iterator[tuple[int, ...]]:
    """Yield the products of so many numbers above 1 that are a number."""
    if depth == 1:
        yield (count,)
        return
    for n in range(2, count // 2 + 1):
        if count % n == 0:
            yield from ((n, *rest) for rest in _factors(count // n, depth - 1))


def _general(terms: Sequence[Term], rows: Rows) -> Term | None:
    """Return a term that is each of some in one round, or None."""
    first = terms[0]
    if all(t == first for t in terms):
        return first
    if not all(isinstance(t, Node) or type(t) is int for t in terms):
        return None
    if all(isinstance(t, Node) and t.op not in ("+", "*") for t in terms):
        nodes = [t for t in terms if isinstance(t, Node)]
        if len({(t.op, len(t.args)) for t in nodes}) > 1:
            return None
        args = [_general(each, rows) for each in zip(*(t.args for t in nodes), strict=True)]
        known = [x for x in args if x is not None]
        divided = nodes[0].op in ("//", "%") and args[1] != nodes[0].args[1]
        fits = nodes[0].op in OPERATIONS and len(known) == len(args) and not divided
        return Node(nodes[0].op, *known) if fits else None
    return _sum(terms, rows)


def _sum(terms: Sequence[Term], rows: Rows) -> Term | None:
    """Return a sum that is each of some in one round: what multiplies its atoms goes up."""
    sums = [polynomial(t) for t in terms]
    found: Term = 0
    every = [p for p in sums if p is not None]
    if len(every) < len(sums):
        return None
    left: list[list[tuple[Term, ...]]] = [[] for _ in every]
    for m in dict.fromkeys(m for p in every for m in p):
        values = [p.get(m, 0) for p in every]
        times = _affine(values, rows)
        if times is not None:
            found = add(found, mul(from_polynomial({m: 1}), times))
            continue
        for own, c in zip(left, values, strict=True):
            own += [m] * (c != 0)
    if not any(left):
        return found
    if any(len(own) != 1 for own in left):
        return None
    # One product differs in what is multiplied.
    products = [own[0] for own in left]
    factors = {p[m] for p, m in zip(every, products, strict=True)}
    if len({*map(len, products)}) > 1 or len(factors) > 1:
        return None
    product: Term = factors.pop()
    for atoms in zip(*products, strict=True):
        atom = _general(atoms, rows)
        if atom is None:
            return None
        product = mul(product, atom)
    return add(found, product)


def _affine(values: Sequence[int], rows: Rows) -> Term | None:
    """Return numbers as a sum of the rows' numbers times steps."""
    found: Term = values[0]
    stride = 1
    expected = [values[0]] * len(values)
    for name, n in rows:
        step = values[stride] - values[0]
        expected = [x + step * (k // stride % n) for k, x in enumerate(expected)]
        found = add(found, mul(name, step))
        stride *= n
    return found if expected == [*values] else None
