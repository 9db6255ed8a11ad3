"""How an obligation is settled: exact arithmetic over a way of writing the dims."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from math import comb, gcd
from typing import Any

from symcute.checker.forms import formula, leaf
from symcute.checker.instances import breaking, shown
from symcute.checker.poly import (
    ONE,
    Poly,
    budget,
    combine,
    constant,
    divide,
    integral,
    mul,
    over_integers,
    sub,
    value,
    variable,
)
from symcute.checker.ranges import in_ranges
from symcute.checker.text import Node, Refused, conjunction, lit, names, parse, show
from symcute.checker.ways import Place, Way

MAX_BERNSTEIN = 4096
ABSURD = Node("le", (lit(1), lit(0)))
_RELATIONS = ("eq", "ne", "le", "lt", "divides")


def listed(item: Any, *kinds: type) -> list[Any]:
    """Return a JSON list whose items have these types."""
    if type(item) is not list or len(item) != len(kinds):
        raise Refused(f"{str(item)[:60]} is no list of {len(kinds)} items")
    for x, kind in zip(item, kinds, strict=True):
        if kind is not object and type(x) is not kind:
            raise Refused(f"{str(x)[:40]!r} is no {kind.__name__}")
    return list(item)


def number(item: Any, end: int) -> int:
    """Return an int from 0 to end - 1."""
    if type(item) is not int or not 0 <= item < end:
        raise Refused(f"{str(item)[:40]!r} is no number from 0 to {end - 1}")
    return item


def negation(f: Node) -> Node:
    """Return the negation, pushed inwards as far as it goes."""
    if f.op in ("le", "lt"):
        return Node("lt" if f.op == "le" else "le", f.args[::-1])
    if f.op in ("eq", "ne"):
        return Node("ne" if f.op == "eq" else "eq", f.args)
    if f.op == "and":
        return Node("or", tuple(map(negation, f.args)))
    if f.op == "or":
        return conjunction([negation(x) for x in f.args])
    if f.op == "implies":
        return conjunction([f.args[0], negation(f.args[1])])
    return f.args[0] if f.op == "not" else Node("not", (f,))


def plainly(f: Node) -> bool | None:
    """Return whether a formula is true whatever the dims are: the polynomials say it."""
    if f.op == "not":
        inner = plainly(f.args[0])
        return None if inner is None else not inner
    if f.op == "implies":
        f = Node("or", (Node("not", f.args[:1]), f.args[1]))
    if f.op in ("and", "or"):
        found = {plainly(x) for x in f.args}
        end = f.op == "or"
        return end if end in found else None if None in found else not end
    way = Way(Place({}, ()))
    try:
        if f.op == "divides":
            a, b = (value(way.poly(x)) for x in f.args)
            return None if a is None or b is None else a != 0 and (b / Fraction(a)).denominator == 1
        c = value(way.gap(f))
    except Refused:  # a quotient that is no polynomial
        return None
    return None if c is None else {"eq": c == 0, "ne": c != 0}.get(f.op, c >= 0)


class Settler:
    """Settles obligations by the ways of one document, and keeps what that rests on."""

    def __init__(self, ways: list[Any]) -> None:
        self.ways, self.used = ways, set[int]()
        #: What the proofs name, and what of that was not done again.
        self.named, self.rests_on = {"arithmetic"}, {"arithmetic"}
        #: Where something contradicts the negation of an obligation, and by what.
        self.absurd: list[tuple[Place, Any]] = []

    def way(self, index: Any, place: Place) -> Way:
        """Return a fresh copy of a way, checked against what is assumed at this place."""
        k = number(index, len(self.ways))
        self.used.add(k)
        if k not in place.ways:
            way = Way(place)
            for item in self.ways[k]:
                way.define(*listed(item, *[str] * (4 if len(item) == 4 else 3)))
            place.ways[k] = way
        return place.ways[k].copy()

    def settle(self, f: Node, by: Any, place: Place) -> None:
        """Return when the proof holds, else raise Refused."""
        budget.spend(10)
        if by == "-":
            if plainly(f) is not True:
                raise Refused("it is not evident")
            return
        if type(by) is not list or not by or type(by[0]) is not str:
            raise Refused(f"{str(by)[:60]} is no proof")
        kind = by[0]
        if kind == "case":
            _, text, then, other = listed(by, str, str, object, object)
            yes, no = cases(text, place)
            self.settle(f, then, yes)
            self.settle(f, other, no)
        elif kind == "either":
            branches = either(place, listed(by, str, int, list)[1])
            for branch, inner in zip(
                branches, listed(by[2], *[object] * len(branches)), strict=True
            ):
                self.settle(f, inner, branch)
        elif kind == "cut":
            # What is proved here may be used here.
            _, text, first, then = listed(by, str, str, object, object)
            between = spoken(text, place)
            self.settle(between, first, place)
            self.settle(f, then, _under(place, between))
        elif kind == "range":
            cut = listed(by, str, list)[1]
            if not in_ranges(f, place, listed(cut, *[str] * len(cut))):
                raise Refused("ranges do not show it")
        elif kind == "solver":
            self.trust(*listed(by, str, str, str)[1:])
            at = breaking(f, place)
            if at is not None:
                raise Refused(f"it is false{shown(at)}")
        elif kind == "given":
            fact = place.facts[number(listed(by, str, int)[1], len(place.facts))]
            if f != fact and not _same(f, fact):
                raise Refused(f"it is not the assumption {show(fact)}")
        elif kind == "and" and f.op == "and":
            for x, inner in zip(
                f.args, listed(listed(by, str, list)[1], *[object] * len(f.args)), strict=True
            ):
                self.settle(x, inner, place)
        elif kind == "both" and f.op == "eq":
            up, down = Node("le", f.args), Node("le", f.args[::-1])
            _, one, other = listed(by, str, object, object)
            try:
                self.settle(up, one, place)
                self.settle(down, other, place)
            except Refused:  # the two may stand in either order
                self.settle(down, one, place)
                self.settle(up, other, place)
        elif kind == "or" and f.op in ("or", "ne"):
            _, k, inner = listed(by, str, int, object)
            parts = f.args if f.op == "or" else (Node("lt", f.args), Node("lt", f.args[::-1]))
            self.settle(parts[number(k, len(parts))], inner, place)
        elif kind == "implies" and f.op == "implies":
            self.settle(f.args[1], listed(by, str, object)[1], _under(place, f.args[0]))
        elif kind == "absurd":
            inner = listed(by, str, object)[1]
            self.settle(ABSURD, inner, place.plus(negation(f)))
            self.absurd.append((place, inner))
        elif kind == "not" and f.op == "not" and negation(f.args[0]).op != "not":
            self.settle(negation(f.args[0]), listed(by, str, object)[1], place)
        elif kind in ("way", "bern", "handelman") and f.op in _RELATIONS:
            most = 5 if kind == "handelman" else 2
            hints = listed(by, *[object] * max(min(len(by), most), most if most == 2 else 3))[1:]
            way = self.way(hints[0], place)
            if kind == "way":
                holds = _by_sign(f, way)
            elif f.op not in ("le", "lt"):
                raise Refused(f"{kind} does not settle {f.op}")
            elif kind == "bern":
                holds = _bernstein(way.gap(f), way)
            else:
                holds = _handelman(way.gap(f), way, hints[1:], place)
            if not holds:
                raise Refused(f"{kind} does not show it")
        else:
            raise Refused(f"{kind[:20]!r} does not settle {f.op}")

    def trust(self, solver: str, version: str) -> None:
        """Note that something rests on a solver alone."""
        if solver not in ("z3", "cvc5") or not re.fullmatch(r"[0-9A-Za-z.+-]{1,40}", version):
            raise Refused(f"unknown solver {solver[:20]!r} {version[:20]!r}")
        self.named.add(f"solver {solver} {version}")
        self.rests_on.add(f"solver {solver} {version}")

    def contradictory(self, place: Place) -> bool:
        """Return whether what contradicts the negation of an obligation contradicts a place."""
        for where, by in self.absurd:
            alone = Settler(self.ways)
            try:
                if where is place:
                    alone.settle(ABSURD, by, place)
            except Refused:
                continue
            if where is place and alone.rests_on == {"arithmetic"}:
                return True
        return False


def cases(text: str, place: Place) -> tuple[Place, Place]:
    """Return the place where a formula holds, and where it does not: one of them is the case."""
    f = spoken(text, place)
    return _under(place, f), place.plus(negation(f))


def _under(place: Place, f: Node) -> Place:
    """Return the place with a formula assumed; what it denies is pushed inwards."""
    return place.plus(negation(f.args[0]) if f.op == "not" else f)


def spoken(text: str, place: Place) -> Node:
    """Return the formula that a text says of the dims of a place.

    It must have a value at every instance: no quotient, and divisors that are numbers or dims of at
    least 1.
    """
    f = formula(parse(text))
    if not set(names(f)) <= place.bounds.keys():
        raise Refused(f"{text[:60]} speaks of other dims")
    stack = [f]
    while stack:
        x = stack.pop()
        if x.op in ("div", "floor_div", "ceil_div", "mod"):
            (kind, (what,)) = (x.args[1].op, x.args[1].args[:1])
            least = what if kind == "int" else place.bounds[what] if kind == "dim" else 0
            if x.op == "div" or least < 1:
                raise Refused(f"{text[:60]} has a quotient, or a divisor that may be 0")
        stack.extend(y for y in x.args if isinstance(y, Node))
    return f


def either(place: Place, k: Any) -> list[Place]:
    """Return the places for the parts of assumption k, one of which holds: `or`, or `!=`."""
    fact = place.facts[number(k, len(place.facts))]
    if fact.op == "ne":
        return [place.plus(Node("lt", fact.args)), place.plus(Node("lt", fact.args[::-1]))]
    if fact.op != "or":
        raise Refused(f"the assumption {show(fact)} has no parts")
    return [_under(place, x) for x in fact.args]


def _same(f: Node, fact: Node) -> bool:
    """Return whether two relations are one: the same difference as polynomials over the dims."""
    if f.op != fact.op or f.op not in _RELATIONS:
        return False
    way = Way(Place({}, ()))
    if f.op == "divides":
        return all(way.poly(x) == way.poly(y) for x, y in zip(f.args, fact.args, strict=True))
    a, b = way.gap(f), way.gap(fact)
    return a == b or (f.op in ("eq", "ne") and a == combine({}, b, -1))


def _by_sign(f: Node, way: Way) -> bool:
    if f.op == "divides":
        a, b = (way.poly(x) for x in f.args)
        if not way.nonneg(sub(a, ONE)) or not integral(a):
            return False
        y, r = divide(b, a, False)
        return not r and integral(y)
    p = way.gap(f)
    if f.op == "ne":
        return way.nonneg(sub(p, ONE)) or way.nonneg(sub(combine({}, p, -1), ONE))
    return not p if f.op == "eq" else way.nonneg(p)


def _bernstein(p: Poly, way: Way) -> bool:
    """p over a box is a convex combination of its Bernstein coefficients: those are >= 0.

    For x = u*t, 0 <= t <= 1, and degree n the i-th is the sum over j <= i of C(i,j)/C(n,j)*a_j*u^j.
    """
    boxed = sorted({v for m in p for v, _ in m if v in way.tops})
    degrees = [max(dict(m).get(v, 0) for m in p) for v in boxed]
    size = 1
    for n in degrees:
        size *= n + 1
    if size > MAX_BERNSTEIN:
        raise Refused("too many Bernstein coefficients")
    for index in product(*(range(n + 1) for n in degrees)):
        budget.spend(len(p) * (1 + len(boxed) // 4))
        total: Poly = {}
        for m, c in p.items():
            powers = dict(m)
            for v, n, i in zip(boxed, degrees, index, strict=True):
                j = powers.pop(v, 0)
                c = c * Fraction(comb(i, j), comb(n, j)) * way.tops[v] ** j
            if c:
                total = combine(total, {tuple(powers.items()): c})
        if not way.nonneg(total):
            return False
    return True


def _handelman(p: Poly, way: Way, hints: list[Any], place: Place) -> bool:
    """f*(p + 1) is a sum of products of what is >= 0 with positive weights, and of a rest > 0.

    As f >= 1, p is above -1, and it is an integer. Before, p may be divided by some g >= 1, and by
    what its terms but the constant have in common, rounding the constant down.
    """
    terms, f, g = (*hints, "1", "1")[:3]
    scale, whole = (way.poly(leaf(parse(x))) for x in (f, g))
    if not way.nonneg(sub(scale, ONE)) or not way.nonneg(sub(whole, ONE)):
        raise Refused("a factor of handelman is not known to be at least 1")
    p, rest = divide(over_integers(p, {})[0], whole, False)
    if type(terms) is not list or rest or not integral(p):
        raise Refused("the terms of handelman are no list, or it does not divide by its factor")
    content = gcd(*(int(c) for m, c in p.items() if m)) or 1
    p = {m: c // content for m, c in p.items() if c // content}
    p = mul(scale, combine(p, ONE))
    for item in terms:
        text, factors = listed(item, str, list)
        if not re.fullmatch("-?[0-9]{1,300}(/0*[1-9][0-9]{0,300})?", text):
            raise Refused(f"{text[:20]!r} is no rational number")
        weight = Fraction(text)
        term, equation = constant(weight), False
        for factor in factors:
            q, zero = _factor(factor, way, place)
            term, equation = mul(term, q), equation or zero
        if weight <= 0 and not equation:
            raise Refused(f"the weight {text} is not positive")
        p = sub(p, term)
    return way.nonneg(p) and p.get((), 0) > 0


def _factor(factor: Any, way: Way, place: Place) -> tuple[Poly, bool]:
    """Return something that is >= 0 everywhere, and whether it is 0 everywhere."""
    if type(factor) is str and factor[-1:] == "'":
        return variable(factor), False
    kind, key, *more = factor if type(factor) is list and len(factor) in (2, 3) else ["", ""]
    if kind in ("g", "e") and not more:
        fact = place.facts[number(key, len(place.facts))]
        if fact.op not in (("eq",) if kind == "e" else ("le", "lt")):
            raise Refused(f"{show(fact)} is no {'equation' if kind == 'e' else 'inequality'}")
        return over_integers(way.gap(fact), {})[0], fact.op == "eq"
    if type(key) is str and kind == "u" and not more and key in way.tops:
        return sub(constant(way.tops[key]), variable(key)), False
    if type(key) is str and kind == "l" and not more and key in place.bounds:
        return sub(way.poly(Node("dim", (key,))), constant(place.bounds[key])), False
    if type(key) is str and kind in ("a", "v") and len(more) == (kind == "a"):
        if kind == "a":
            rooms = way.rooms(leaf(parse(key)))
            return over_integers(rooms[number(more[0], len(rooms))], {})[0], False
        atom = way.atom(leaf(parse(key)))
        if atom in way.signed:
            # What stands for the atom may count from 1; the atom itself is meant.
            return next(p for p in way.atoms.values() if ((atom, 1),) in p), False
    raise Refused(f"{str(factor)[:40]} is no factor")
