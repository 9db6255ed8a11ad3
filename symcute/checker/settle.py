"""How an obligation is settled: nonnegative combinations, over variables that are defined."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd
from typing import Any

from symcute.checker.classes import holds_in_classes
from symcute.checker.poly import Poly, budget, combine, constant, mul, power, sub, value, variable
from symcute.checker.terms import (
    ATOMS,
    Node,
    Refused,
    asked,
    dim,
    divides,
    eq,
    every,
    formula,
    le,
    listed,
    lit,
    name,
    names,
    negation,
    number,
    show,
    term,
)  # fmt: skip
from symcute.checker.values import number as evaluated

#: What is not done here, by its kind.
LEFT = {"ranges": "constant ranges", "search": "exact search",
        "printing": "the layout algebra (printing)"}  # fmt: skip
ABSURD = Node("le", (lit(1), lit(0)))


@dataclass(eq=False)
class Place:
    """Where an obligation stands: the dims with their lower bounds, and what is assumed there."""

    bounds: dict[str, int]
    facts: list[Node]
    ways: dict[int, Way] = field(default_factory=dict)

    def plus(self, f: Node) -> Place:
        """Return the place with a formula assumed; what it denies is pushed inwards."""
        budget.spend(len(self.facts))
        f = negation(f.args[0]) if f.op == "not" else f
        return Place(self.bounds, [*self.facts, *(f.args if f.op == "and" else (f,))])


class Way:
    """A way to write names as polynomials in variables.

    At each instance that meets what is assumed at the place the variables have integer values, at
    least 0 for those whose name ends in a prime, such that each name, a dim or one that a step
    defines, is what its polynomial in `values` comes to, and that all of `facts` holds.
    """

    def __init__(self, place: Place, settle: Callable[..., None]) -> None:
        self.place, self._settle = place, settle
        self.values = {n: variable(n) for n in place.bounds}
        self.facts = {n: le(c, dim(n)) for n, c in place.bounds.items()}
        self.atoms: dict[Node, str] = {}
        #: The factors that sums have used, as long as no name is written anew.
        self._factors: dict[int | str, tuple[Poly, bool]] = {}

    def step(self, item: Any) -> None:
        """Take a step of a definition: a name for a quotient, a fact, or a name written anew."""
        kind, key, what, by = listed(item, str, str, object, object)
        if kind in ("let", "fact") and (name(key) in self.values or key in self.facts):
            raise Refused(f"{key} is defined twice")
        if kind == "let":
            x = term(what)
            needed, said = defining(x, dim(key))
            for y in x.args:  # it must not speak of what is defined later, by it perhaps
                self.poly(y)
            self._settle(needed, by, self.place, self)
            self.values[key], self.atoms[x] = variable(key), key
            self.facts |= {f"{key}.{k}": f for k, f in enumerate(said)}
        elif kind == "fact":
            fact = formula(what)
            self._settle(fact, by, self.place, self)
            self.facts[key] = fact
        elif kind in ("from", "upto", "is"):
            if self.values.get(key) != variable(key) or key[-1] == "'":
                raise Refused(f"{key[:40]} is not there to be defined, or is defined twice")
            p = term(what)
            ends = (dim(key), p) if kind == "upto" else (p, dim(key))
            self._settle(Node("eq" if kind == "is" else "le", ends), by, self.place, self)
            self._factors = {}
            self.values[key] = self.poly(p)
            if kind != "is":  # what is left is at least 0
                self.values[key + "'"] = variable(key + "'")
                self.values[key] = combine(
                    self.values[key], variable(key + "'"), -1 if kind == "upto" else 1
                )
        else:
            raise Refused(f"{kind[:20]!r} is no step")

    def poly(self, x: Node) -> Poly:
        """Return a term as a polynomial that has its value at every instance."""
        if x.op == "int":
            return constant(x.args[0])
        if x.op == "dim":
            if x.args[0] not in self.values:
                raise Refused(f"{x.args[0]} is not defined")
            return self.values[x.args[0]]
        p = self.poly(x.args[0])
        if x.op == "neg":
            return combine({}, p, -1)
        if x.op == "pow":
            return power(p, x.args[1].args[0])
        q = self.poly(x.args[1])
        if x.op in ("add", "sub"):
            return combine(p, q, 1 if x.op == "add" else -1)
        if x.op == "mul":
            return mul(p, q)
        m, n = value(p), value(q)
        if m is not None and n is not None:
            return constant(evaluated(Node(x.op, (lit(int(m)), lit(int(n)))), {}))
        return self._atom(x, p, q)

    def _atom(self, x: Node, p: Poly, q: Poly) -> Poly:
        """Return what stands for a quotient and the like; for a divisor whose sign is known.

        What is asked for beside: that a // b is -a // -b, that ceil_div(a, b) for b >= 1 is
        (a + b - 1) // b, and that a % b is a - b*(a // b).
        """
        (a, b), op = x.args, x.op
        if x in self.atoms:
            return self.values[self.atoms[x]]
        if op == "mod":
            return sub(p, mul(q, self.poly(Node("floor_div", (a, b)))))
        found = Node("floor_div", (a + b - 1, b))
        if op == "ceil_div" and found in self.atoms:
            return self.values[self.atoms[found]]
        if op in ("floor_div", "ceil_div") and b.op != "neg":
            return self.poly(Node(op, (Node("neg", (a,)), Node("neg", (b,)))))
        raise Refused(f"nothing says what {show(x)[:100]} is")

    def gap(self, f: Node) -> Poly:
        """Return b - a for a == b and a <= b, b - a - 1 for a < b."""
        a, b = map(self.poly, f.args)
        return combine(sub(b, a), constant(1), -1 if f.op == "lt" else 0)

    def known(self, p: Poly, least: int = 1) -> bool:
        """Return whether p >= least: no negative coefficient, each variable at least 0."""
        signs = all(c > 0 and all(v[-1] == "'" for v, _ in m) for m, c in p.items() if m)
        return signs and p.get((), 0) >= least

    def combined(self, f: Node, terms: Any, factor: Any) -> bool:
        """Return whether a nonnegative combination shows a relation.

        For p >= 0, p first divided by what its coefficients but the constant have in common, that
        rounded down: factor*(p + 1) is a sum of products of what is >= 0, with positive weights,
        and of a rest > 0, one without negative coefficients. As the factor is > 0, p is above -1,
        and it is an integer. For a == b the products have equations in them, and no rest is left.
        A divisor a >= 1 divides b if b - factor*a is shown to be 0 so.
        """
        k, (found, zero) = self.poly(term(factor)), self.summed(terms)
        if f.op in ("le", "lt"):
            rest = sub(mul(k, self.above(f)), found)
            return self.known(k) and rest.get((), 0) > 0 and self.known(rest, 0)
        if f.op == "divides":
            a, b = map(self.poly, f.args)
            return zero and self.known(a) and sub(b, mul(k, a)) == found
        return f.op == "eq" and zero and self.known(k) and mul(k, self.gap(f)) == found

    def above(self, f: Node) -> Poly:
        """Return p + 1 for p >= 0, divided by what its coefficients but the constant share."""
        p = self.gap(f)
        content = gcd(*(int(c) for m, c in p.items() if m)) or 1
        return combine({m: c // content for m, c in p.items() if c // content}, constant(1))

    def summed(self, terms: Any) -> tuple[Poly, bool]:
        """Return a sum of products, which is >= 0, and whether it is 0, by equations in each."""
        found, zero = Poly(), True
        for weight, factors in (listed(x, str, list) for x in every(terms)):
            if not re.fullmatch("-?[0-9]{1,300}(/0*[1-9][0-9]{0,300})?", weight):
                raise Refused(f"{weight[:20]!r} is no rational number")
            product, equation = constant(Fraction(weight)), False
            for key in factors:
                q, is_zero = self.factor(key)
                product, equation = mul(product, q), equation or is_zero
            if Fraction(weight) <= 0 and not equation:
                raise Refused(f"the weight {weight} is not positive")
            found, zero = combine(found, product), zero and equation
        return found, zero

    def factor(self, key: Any) -> tuple[Poly, bool]:
        """Return something that is >= 0 everywhere, and whether it is 0 everywhere."""
        if type(key) in (int, str) and key in self._factors:
            return self._factors[key]
        if type(key) is str and key[-1:] == "'" and key in self.values:
            return variable(key), False
        if type(key) is int:
            fact = self.place.facts[number(key, len(self.place.facts))]
        elif type(key) is str and key in self.facts:
            fact = self.facts[key]
        else:
            raise Refused(f"{str(key)[:40]} is no factor")
        if fact.op not in ("eq", "le", "lt"):
            raise Refused(f"{show(fact)} is no equation or inequality")
        found = self._factors[key] = self.gap(fact), fact.op == "eq"
        return found

    def ends(self, item: Any) -> dict[str, int]:
        """Return the numbers that variables are below, by the facts that say so."""
        found = {}
        for v, key in (item if type(item) is dict else {}).items():
            top = value(combine(self.factor(key)[0], variable(v)))
            if v not in self.values or v[-1:] != "'" or top is None:
                raise Refused(f"{str(key)[:40]} is no upper end of {v[:40]}")
            found[v] = int(top) + 1
        return found


def defining(x: Node, q: Node) -> tuple[Node, list[Node]]:
    """Return what has to hold for q to be a quotient, a minimum or a maximum, and what is then so.

    Only of a minimum and a maximum it says less: `conjuncts` has what lies on their other side.
    """
    a, b = x.args if x.op in ATOMS or x.op == "div" else (lit(0), lit(0))
    if x.op == "floor_div":
        return le(1, b), [le(b * q, a), le(a, b * q + b - 1)]
    if x.op == "div":
        return divides(b, a), [eq(b * q, a)]
    if x.op in ("min", "max"):
        return Node("and", ()), [le(*((q, y) if x.op == "min" else (y, q))) for y in (a, b)]
    raise Refused(f"{show(x)[:60]} is not defined so")


class Trail:
    """What a walk through a document comes by: how far it came, and what concerns others.

    `found` are obligations, ends of cases, what contradicts the negation of an obligation, and what
    the core does not do, each with its place.
    """

    def __init__(self) -> None:
        self.where: list[str] = []
        #: What the proof names as what it rests on.
        self.named = {"arithmetic"}
        self.found: list[tuple[str, Place, Any]] = []

    def note(self, kind: str, place: Place, about: Any) -> bool:
        """Note something; return whether it was done, which it is not here.

        Errors: Refused for what others find to be false.
        """
        self.found.append((kind, place, about))
        return False


class Settler:
    """Settles obligations by the definitions of one document, and keeps what that rests on."""

    def __init__(self, definitions: list[Any], trail: Trail) -> None:
        self.definitions, self.used, self.trail = definitions, set[int](), trail
        self.rests_on = {"arithmetic"}

    def way(self, k: Any, place: Place) -> Way:
        """Return the names as definition k has them, each step shown at a place."""
        self.used.add(number(k, len(self.definitions)))
        if k not in place.ways:
            place.ways[k] = Way(place, self.settle)
            for item in every(self.definitions[k]):
                self.trail.where.append(f"definition {k}, {str(item)[:60]}")
                place.ways[k].step(item)
                self.trail.where.pop()
        return place.ways[k]

    def settle(self, f: Node, by: Any, place: Place, inside: Way | None = None) -> None:
        """Return when the proof holds, else raise Refused.

        A step's own formulas are settled `inside` their way, whose names they may have.
        """
        budget.spend(10)
        if type(by) is not list or not by or type(by[0]) is not str:
            raise Refused(f"{str(by)[:60]} is no proof")
        if inside is None and not {*names(f)} <= place.bounds.keys():
            raise Refused(f"{show(f)[:60]} speaks of other dims")
        kind, count = by[0], len(by) - 1

        def settled(*pairs: tuple[Node, Any]) -> None:
            for x, inner in pairs:
                self.settle(x, inner, place, inside)

        if kind == "sum" and 1 <= count <= 3:
            way = self.way(by[1], place)
            if inside not in (None, way) or not way.combined(f, *by[2:], *([], 1)[count - 1 :]):
                raise Refused("the sum does not show it")
        elif kind == "given":
            fact = place.facts[number(listed(by, str, int)[1], len(place.facts))]
            if f != fact:
                raise Refused(f"it is not the assumption {show(fact)}")
        elif kind == "follows":
            _, k, inner = listed(by, str, int, object)
            fact = place.facts[number(k, len(place.facts))]
            if fact.op != "implies" or fact.args[1] != f:
                raise Refused(f"it does not follow from {show(fact)}")
            settled((fact.args[0], inner))
        elif kind == "and" and (parts := conjuncts(f)) is not None:
            proofs = listed(listed(by, str, list)[1], *[object] * len(parts))
            settled(*zip(parts, proofs, strict=True))
        elif kind == "or" and (parts := disjuncts(f)) is not None:
            _, k, inner = listed(by, str, int, object)
            settled((parts[number(k, len(parts))], inner))
        elif inside is not None:
            raise Refused(f"{kind[:20]!r} does not settle {f.op} in a step")
        else:
            self._elsewhere(f, by, place)

    def _elsewhere(self, f: Node, by: list[Any], place: Place) -> None:
        """Settle an obligation where more is assumed, or leave it."""
        kind = by[0]
        if kind in ("case", "either"):
            for inner, branch in branches(by, place):
                self.settle(f, inner, branch)
        elif kind == "cut":
            # What is proved here may be used here.
            _, item, first, then = listed(by, str, list, object, object)
            between = spoken(item, place)
            self.settle(between, first, place)
            self.settle(f, then, place.plus(between))
        elif kind == "implies" and f.op == "implies":
            self.settle(f.args[1], listed(by, str, object)[1], place.plus(f.args[0]))
        elif kind == "absurd":
            inner = listed(by, str, object)[1]
            self.settle(ABSURD, inner, place.plus(negation(f)))
            self.trail.note("absurd", place, inner)
        elif kind == "powers" and f.op in ("divides", "le"):
            # Of two powers of two, one that is less than twice the other divides it.
            a, b = f.args
            if not (_power(a, place) and _power(b, place)):
                raise Refused(f"{show(f)} is not about powers of two")
            self.settle(Node("lt", (a, b + b)), listed(by, str, object)[1], place)
        elif kind == "classes":
            numbers = [number(k, len(place.facts)) for k in every(listed(by, str, list)[1])]
            if not holds_in_classes(f, [place.facts[k] for k in numbers]):
                raise Refused("it does not hold in each class of residues")
        elif kind == "range":
            self.leave("ranges", place, (f, every(listed(by, str, list)[1], str)))
        elif kind == "solver":
            self.trust(*listed(by, str, str, str)[1:])
            self.trail.note("solver", place, f)
        else:
            raise Refused(f"{kind[:20]!r} does not settle {f.op}")

    def trust(self, solver: str, version: str) -> None:
        """Note that something rests on a solver alone."""
        if solver not in ("z3", "cvc5") or not re.fullmatch(r"[0-9A-Za-z.+-]{1,40}", version):
            raise Refused(f"unknown solver {solver[:20]!r} {version[:20]!r}")
        self.trail.named.add(f"solver {solver} {version}")
        self.rests_on.add(f"solver {solver} {version}")

    def leave(self, kind: str, place: Place, about: Any) -> None:
        """Leave something to others; the proof rests on that, or on that they did it."""
        done = self.trail.note(kind, place, about)
        self.rests_on.add(f"arithmetic ({kind})" if done else LEFT[kind])


def conjuncts(f: Node) -> tuple[Node, ...] | None:
    """Return the formulas of which each is so where one is, if it is a conjunction.

    So are a == b, c <= min(a, b) and max(a, b) <= c; of a negation it is what that is inwards.
    """
    if f.op == "and":
        return f.args
    if f.op == "eq":
        return le(*f.args), le(*f.args[::-1])
    if f.op == "le" and f.args[1].op == "min":
        return tuple(le(f.args[0], x) for x in f.args[1].args)
    if f.op == "le" and f.args[0].op == "max":
        return tuple(le(x, f.args[1]) for x in f.args[0].args)
    pushed = negation(f.args[0]) if f.op == "not" else f
    return (pushed,) if f.op == "not" != pushed.op else None


def disjuncts(f: Node) -> tuple[Node, ...] | None:
    """Return the formulas of which one is so where a formula is, if it is a disjunction."""
    if f.op == "ne":
        return Node("lt", f.args), Node("lt", f.args[::-1])
    return f.args if f.op == "or" else None


def branches(by: list[Any], place: Place) -> list[tuple[Any, Place]]:
    """Return what is proved by cases, and where: one of these places is the case.

    `["case", FORMULA, then, else]`, or `["either", k, [then...]]` for the parts of assumption k.
    """
    if by[0] == "case":
        _, item, then, other = listed(by, str, list, object, object)
        f = spoken(item, place)
        return [(then, place.plus(f)), (other, place.plus(negation(f)))]
    kind, k, inner = listed(by, str, int, list)
    if kind != "either":
        raise Refused(f"{kind[:20]!r} tells no cases apart")
    fact = place.facts[number(k, len(place.facts))]
    parts = disjuncts(fact)
    if parts is None:
        raise Refused(f"the assumption {show(fact)} has no parts")
    return list(zip(listed(inner, *[object] * len(parts)), map(place.plus, parts), strict=True))


def _power(x: Node, place: Place) -> bool:
    """Return whether a term is a power of two: a number, a dim that divides one, a product."""
    if x.op == "mul":
        return all(_power(y, place) for y in x.args)
    if x.op == "int":
        return bool(x.args[0] > 0 and x.args[0] & (x.args[0] - 1) == 0)
    return x.op == "dim" and place.bounds[x.args[0]] >= 1 and any(
        f.op == "divides" and f.args[0] == x and f.args[1].op == "int" and _power(f.args[1], place)
        for f in place.facts)  # fmt: skip


def _positive(x: Node, place: Place) -> bool:
    """Return whether a term is a product of numbers and dims that are at least 1, or of parts of
    such a dim, rounded down, that is at least what it is divided by."""
    if x.op == "mul":
        return all(_positive(y, place) for y in x.args)
    if x.op == "floor_div" and (x.args[0].op, x.args[1].op) == ("dim", "int"):
        return bool(place.bounds[x.args[0].args[0]] >= x.args[1].args[0] >= 1)
    return x.op in ("int", "dim") and (x.args[0] if x.op == "int" else place.bounds[x.args[0]]) >= 1


def spoken(item: Any, place: Place) -> Node:
    """Return the formula that data says of the dims of a place.

    It must have a value at every instance: no quotient, and divisors that are numbers, or products
    of numbers and of dims of at least 1.
    """
    f = formula(item)
    if not {*names(f)} <= place.bounds.keys():
        raise Refused(f"{show(f)[:60]} speaks of other dims")
    for needed in asked(f):
        while needed.op == "implies":
            needed = needed.args[1]
        if needed.op != "ne" or not _positive(needed.args[0], place):
            raise Refused(f"{show(f)[:60]} has a quotient, or a divisor that may be 0")
    return f
