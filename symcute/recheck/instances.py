"""Small instances of the dims: what is true there, in plain integers.

They find what is false before it is taken on trust, and assumptions that nothing meets. An instance
proves nothing about the others.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import chain, islice, product
from math import lcm, prod
from typing import Any
from weakref import WeakKeyDictionary

from symcute.checker.evaluate import coordinates, is_true
from symcute.checker.poly import budget
from symcute.checker.primitive import Primitive
from symcute.checker.settle import Place
from symcute.checker.terms import Node, Refused, lit, names
from symcute.checker.values import Instance, Undefined, meets, number, truth
from symcute.recheck.division import searching
from symcute.recheck.parametrisation import constant_bounds

#: How many values of a dim are tried, how many instances, and how many are kept for a place.
MAX_VALUES, MAX_TRIED, MAX_KEPT = 12, 4096, 48
#: How many of the numbers that stand in assumptions are looked at.
MAX_NUMBERS = 24
#: Up to how many instances all are gone through, to see that none meets the assumptions.
MAX_BOX = 1 << 14
#: How many coordinates a claim may have at a small instance.
FEW_COORDINATES = 1 << 10

#: A sum: terms with their signs.
Terms = list[tuple[int, Node]]
#: What was found for a place.
_SMALL: WeakKeyDictionary[Place, list[Instance]] = WeakKeyDictionary()


def instances(place: Place) -> list[Instance]:
    """Return small instances of the dims that meet what is assumed at a place, as far as found."""
    if place in _SMALL:
        return _SMALL[place]
    found = _SMALL[place] = list[Instance]()
    with searching():
        for tried in _near(place), _far(place):
            found.extend(islice(_fitting(tried, place), MAX_KEPT))
    return found


def witness(place: Place) -> Instance | None:
    """Return an instance that meets what is assumed at a place, if one was found."""
    found = None if place.facts else dict(place.bounds)
    with searching():
        tried = chain.from_iterable(_fitting(x, place) for x in (_near(place), _far(place)))
        found = next(tried, None) if found is None else found
    return found  # noqa: RET504 (the block may have been ended before)


def _fitting(tried: Iterator[Instance], place: Place) -> Iterator[Instance]:
    for at in islice(tried, MAX_TRIED):
        if all(at[n] >= c for n, c in place.bounds.items()) and meets(place.facts, at):
            yield at


def _near(place: Place) -> Iterator[Instance]:
    """Yield instances, those near the lower bounds first; equations give the dims they solve."""
    solved, values = _solved(place.facts), _values(place)
    for total in range(1 + sum(len(v) - 1 for v in values.values())):
        for index in _indices([len(v) for v in values.values()], total):
            at = {n: v[k] for (n, v), k in zip(values.items(), index, strict=True)}
            yield from _completed(at, solved)


def _far(place: Place) -> Iterator[Instance]:
    """Yield instances anywhere among the values that are tried, without an end."""
    solved, values = _solved(place.facts), _values(place)
    rng = random.Random(0)  # noqa: S311 (the same each time)
    while values and all(values.values()):
        yield from _completed({n: rng.choice(v) for n, v in values.items()}, solved)


def _completed(at: Instance, solved: dict[str, tuple[int, Terms]]) -> Iterator[Instance]:
    try:
        for name, (sign, rest) in solved.items():
            at[name] = sign * sum(s * number(x, at) for s, x in rest)
        yield at
    except Undefined:
        return


def _indices(sizes: list[int], total: int) -> Iterator[tuple[int, ...]]:
    """Yield the tuples of numbers below the sizes that sum up to a total."""
    if not sizes:
        yield from [()] if total == 0 else []
        return
    for k in range(min(sizes[0], total + 1)):
        yield from ((k, *rest) for rest in _indices(sizes[1:], total - k))


def _values(place: Place) -> dict[str, list[int]]:
    """Return values of the dims that no equation gives: the least, and those around the numbers in
    what is assumed; only those that meet what is assumed of the dim alone.
    """
    said = sorted({abs(c) for f in place.facts for c in _numbers(f) if c})[:MAX_NUMBERS]
    divisors = (f.args[0] for f in place.facts if f.op == "divides")
    together = lcm(*(abs(d.args[0]) for d in divisors if d.op == "int")) or 1
    result = {}
    for name in sorted(place.bounds.keys() - _solved(place.facts).keys()):
        low = place.bounds[name]
        found = {*range(low, low + 6)}
        for c in {*said, together}:
            first = -(-low // c) * c
            found |= {c - 1, c, c + 1, first, first + 1, first + c, first + c // 2}
            found |= {first + e for e in said if e < c}
        alone = [f for f in place.facts if set(names(f)) == {name}]
        fit = (x for x in sorted(found) if low <= x and meets(alone, {name: x}))
        result[name] = list(islice(fit, MAX_VALUES))
    return result


def _numbers(node: Node) -> Iterator[int]:
    if node.op == "int":
        yield node.args[0]
    for x in node.args:
        if isinstance(x, Node):
            yield from _numbers(x)


def _solved(facts: list[Node]) -> dict[str, tuple[int, Terms]]:
    """Return dims that equations give by others: name == sign * sum of the terms."""
    found: dict[str, tuple[int, Terms]] = {}
    for fact in facts:
        if fact.op != "eq":
            continue
        terms = [*_terms(fact.args[0], 1), *_terms(fact.args[1], -1)]
        for k, (sign, x) in enumerate(terms):
            rest = terms[:k] + terms[k + 1 :]
            others = {n for _, y in rest for n in names(y)}
            used = {n for _, (_, inner) in found.items() for _, y in inner for n in names(y)}
            if x.op == "dim" and x.args[0] not in others | used | found.keys():
                found[x.args[0]] = (-sign, rest)
                break
    return found


def _terms(x: Node, sign: int) -> Terms:
    if x.op in ("add", "sub"):
        a, b = x.args
        return [*_terms(a, sign), *_terms(b, sign if x.op == "add" else -sign)]
    return _terms(x.args[0], -sign) if x.op == "neg" else [(sign, x)]


def shown(at: Instance) -> str:
    """Return an instance as text, to be put behind a sentence."""
    return f" at {', '.join(f'{n}={c}' for n, c in sorted(at.items()))}" if at else ""


def breaking(f: Node, place: Place) -> Instance | None:
    """Return a small instance at which a formula is false, if one was found."""
    found, tried = None, instances(place)
    with searching():
        for at in tried:
            try:
                if not truth(f, at):
                    found = at
                    break
            except Undefined:  # that it has a value is an obligation of its own
                continue
    return found


def nothing_meets(place: Place) -> bool:
    """Return whether assumptions whose dims lie in small intervals contradict each other.

    All instances of those dims are gone through. False says that it is not known.
    """
    spans: dict[str, range] = {}
    for name, low in place.bounds.items():
        tops = [c for f in place.facts for n, c in constant_bounds(f, upper=True) if n == name]
        if tops:
            spans[name] = range(low, min(tops) + 1)
    if any(not span for span in spans.values()):
        return True
    about = [f for f in place.facts if set(names(f)) <= spans.keys()]
    used = sorted({n for f in about for n in names(f)})
    empty = False
    with searching():
        if prod(len(spans[n]) for n in used) <= MAX_BOX:
            empty = not any(
                meets(about, dict(zip(used, values, strict=True)))
                for values in product(*(spans[n] for n in used))
            )
    return empty


def falsifying(claim: Primitive, place: Place) -> Instance | None:
    """Return a small instance at which a primitive claim is false, if one was found."""
    if claim.kind == "holds":
        return breaking(claim.body, place)
    found, tried = None, instances(place)
    with searching():
        for at in tried:
            try:
                here = _instance(claim, at)
                if coordinates(here) <= FEW_COORDINATES and not is_true(here):
                    found = at
                    break
            except Refused:  # no value there, or too large
                budget.spend(1)
    return found


def _instance(item: Any, at: Instance) -> Any:
    """Return a claim, or what it consists of, at an instance."""
    if isinstance(item, Node):
        return lit(number(item, at))
    if isinstance(item, tuple):
        return tuple(_instance(x, at) for x in item)
    if isinstance(item, Primitive):
        return replace(item, **{f.name: _instance(getattr(item, f.name), at) for f in fields(item)})
    return item
