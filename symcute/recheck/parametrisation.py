"""Dims as polynomials in parameters that are at least 0, and terms by them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from symcute.checker.poly import (
    ONE,
    Number,
    Poly,
    budget,
    combine,
    constant,
    mul,
    power,
    sub,
    value,
    variable,
)
from symcute.checker.settle import Place
from symcute.checker.terms import ATOMS, Node, Refused, lit, names, show, term
from symcute.recheck.division import divide, integral, lowest, over_integers, reduced


def constant_bounds(fact: Node, upper: bool = False) -> Iterator[tuple[str, int]]:
    """Yield (x, c) when a relation says `c <= x`, `c < x` (then c + 1) or `x == c`.

    With `upper` when it says `x <= c`, `x < c` (then c - 1) or `x == c`. What a rounded quotient, a
    minimum or a maximum of dims comes to, as in `M // M <= N`, is for a proof to say.
    """
    if fact.op in ("le", "lt", "eq"):
        plain = Parametrisation(Place({}, []))
        try:
            a, b = (plain.poly(opaque(x)) for x in (fact.args[::-1] if upper else fact.args))
        except Refused:  # a quotient
            return
        for p, q in ((a, b), (b, a)) if fact.op == "eq" else ((a, b),):
            c, m = value(p), next(iter(q), ())
            known = c is not None and integral(p) and len(m) == 1 and q == variable(m[0][0])
            if known and m[0][0][0] != "@":
                yield m[0][0], int(c or 0) + (fact.op == "lt") * (-1 if upper else 1)


def assumed(place: Place, op: str) -> Iterator[tuple[int, Node]]:
    """Yield the minima, or maxima, that are assumed to be at least 1, with where they are."""
    for k, fact in enumerate(place.facts):
        if fact.op == "le" and fact.args[0] == lit(1) and fact.args[1].op == op:
            yield k, fact.args[1]


def opaque(x: Node) -> Node:
    """Return a leaf where a rounded quotient, a minimum or a maximum of dims is a dim of its own.

    What such a one comes to, as in `M // M`, is for a proof to say, but where what it is of comes
    to numbers, as in `min(1, 1 + 0*M)`.
    """
    if x.op in ("int", "dim"):
        return x
    parts = tuple(map(opaque, x.args))
    if x.op not in ATOMS or not any(names(x)):
        return Node(x.op, parts)
    numbers = [_number(y) for y in parts]
    if None not in numbers:
        return Node(x.op, tuple(lit(int(c or 0)) for c in numbers))
    return Node("dim", (f"@{x.op}{tuple(map(_key, parts))}",))


def _number(x: Node) -> int | None:
    """Return the integer that an opaque leaf comes to, if it comes to one."""
    try:
        c = value(Parametrisation(Place({}, [])).poly(x))
    except Refused:  # a quotient
        return None
    return None if c is None or c.denominator != 1 else int(c)


def _key(x: Node) -> str:
    """Return a text that opaque leaves have in common just if they are the same sum of products."""
    try:
        found = Parametrisation(Place({}, [])).poly(x)
    except Refused:
        return f"text {show(x)!r}"
    return repr(sorted((m, str(c)) for m, c in found.items()))


@dataclass
class Parametrisation:
    """Dims as polynomials; a dim that is not among them is a variable of unknown sign.

    A variable that ends in a prime is a parameter, at least 0; `tops` bounds some from above.
    `@k` is what is left of an atom that could not be evaluated; those in `signed` are at least 0.
    """

    place: Place
    dims: dict[str, Poly] = field(default_factory=dict)
    tops: dict[str, int] = field(default_factory=dict)
    atoms: dict[Any, Poly] = field(default_factory=dict)
    floors: dict[str, tuple[Poly, Poly]] = field(default_factory=dict)
    signed: set[str] = field(default_factory=set)
    #: What remainders of divisions by something at least 1 came to: at least 0.
    remainders: list[Poly] = field(default_factory=list)
    #: The variable and the rooms of the atom that was looked at last.
    last: str = ""
    near: list[Poly] = field(default_factory=list)
    #: Extremes that are looked at, so that none is looked at inside itself.
    looking: list[Node] = field(default_factory=list)

    def copy(self, name: str = "") -> Parametrisation:
        """Return one that can be added to; with that dim as a variable of unknown sign."""
        dims = self.dims | ({name: variable(name)} if name else {})
        return Parametrisation(
            self.place, dims, self.tops, dict(self.atoms), dict(self.floors), set(self.signed),
            list(self.remainders),
        )  # fmt: skip

    def define(self, name: str, kind: str, item: Any, residue: int = 0) -> None:
        """Add a definition; that it holds is for the steps to say that are written of it."""
        if name not in self.place.bounds or name in self.dims:
            raise Refused(f"{name} is no dim of the statement, or is defined twice")
        p, least = self.poly(term(item)), self.place.bounds[name]
        c, prime = value(p), variable(name + "'")
        if not integral(p):
            raise Refused(f"{show(term(item))} is not known to be an integer")
        if kind == "is":
            self.dims[name] = p
        elif kind == "from":
            self.dims[name] = combine(p, prime)
        elif kind == "upto":
            self.dims[name] = sub(p, prime)
            if c is not None and c >= least:
                self.tops[name + "'"] = int(c) - least
        elif kind == "times":
            # N = p*m for an integer m. As p >= 1, m is at least least/p, rounded up; for a p that
            # is no number all that is known is m >= 1 where N >= 1, and m >= 0 where N >= 0.
            start = min(least, 1) if not c else -(-least // int(c))
            self.dims[name] = mul(p, combine(prime, ONE, start))
        elif kind == "residue" and c is not None and c >= 2 and 0 <= residue < c:
            # N = c*m + r for an integer m, which is at least (least - r)/c, rounded up.
            start = -((residue - least) // int(c))
            self.dims[name] = combine(mul(p, combine(prime, ONE, start)), constant(residue))
        elif kind == "rest" and c is not None and c >= 2 and least >= 0:
            # N = c*N' + N'' is division with remainder.
            self.dims[name] = combine(variable(name + "''"), prime, c)
            self.tops[name + "''"] = int(c) - 1
        else:
            raise Refused(f"a dim is not defined by {kind!r}")
        # N = a + b*N', b > 0, and an assumption k*N <= t bound N' by (t/k - a)/b.
        b, a = self.dims[name].get(((name + "'", 1),), 0), dict(self.dims[name])
        a.pop(((name + "'", 1),), None)
        low = value(a)
        if low is None or b <= 0:
            return
        for k, t in self._gaps(name):
            if k < 0 and t is not None and Fraction(t) / -k >= low:
                top = int((Fraction(t) / -k - low) // b)
                self.tops[name + "'"] = min(top, self.tops.get(name + "'", top))

    def _gaps(self, name: str) -> Iterator[tuple[Fraction, Number | None]]:
        """Yield k, r of the assumptions that say 0 <= k*name + r; r None: no number."""
        budget.spend(len(self.place.facts))
        v = ((name, 1),)
        spoken = {name, *(n for n, p in self.dims.items() if v in p)}
        for fact in self.place.facts:
            if fact.op in ("le", "lt", "eq") and not spoken.isdisjoint(names(fact)):
                try:
                    gap = self.copy(name).gap(fact)
                except Refused:  # it speaks of dims that are not defined yet
                    continue
                for g in (gap, combine({}, gap, -1)) if fact.op == "eq" else (gap,):
                    if k := Fraction(g.get(v, 0)):
                        yield k, value(combine(g, variable(name), -k))

    # --- leaves ----------------------------------------------------------------------------------

    def gap(self, relation: Node) -> Poly:
        """Return b - a for a == b, a <= b; b - a - 1 for a < b."""
        a, b = relation.args
        return combine(self.poly(b - a), ONE, -1 if relation.op == "lt" else 0)

    def nonneg(self, p: Poly) -> bool:
        """Return whether p >= 0: no negative coefficient, each variable at least 0."""
        known = all(v[-1] == "'" or v in self.signed for m in p for v, _ in m)
        return known and all(c > 0 for c in p.values())

    def poly(self, x: Node) -> Poly:
        """Return a leaf as a polynomial that has its value at every instance."""
        p, d = self._ratio(x)
        if d != ONE:
            raise Refused(f"{show(x)} is not known to be a polynomial")
        return p

    def _ratio(self, x: Node) -> tuple[Poly, Poly]:
        """Return a leaf over a divisor, which is not 0 at any instance: which is asked for."""
        op = x.op
        if op == "int":
            return constant(x.args[0]), ONE
        if op == "dim":
            return self.dims.get(x.args[0], variable(x.args[0])), ONE
        p, d = self._ratio(x.args[0])
        if op == "neg":
            return combine({}, p, -1), d
        if op == "pow":
            k = x.args[1].args[0]
            return power(p, k), power(d, k)
        q, e = self._ratio(x.args[1])
        if op in ("add", "sub"):
            sign = 1 if op == "add" else -1
            return reduced(*(combine(p, q, sign), d) if d == e
                           else (combine(mul(p, e), mul(q, d), sign), mul(d, e)))  # fmt: skip
        if op in ("mul", "div"):
            return reduced(*(mul(p, q), mul(d, e)) if op == "mul" else (mul(p, e), mul(d, q)))
        if op in ("min", "max"):
            return self._extreme(op, self.poly(x.args[0]), self.poly(x.args[1])), ONE
        n, m = self._signed(*over_integers(*reduced(mul(p, e), mul(d, q))))
        if op == "ceil_div" and not self.nonneg(sub(m, ONE)):
            return combine({}, self._floor(combine({}, n, -1), m), -1), ONE
        y = self._floor(combine(combine(n, m), ONE, -1) if op == "ceil_div" else n, m)
        if op != "mod":
            return y, ONE
        found, over = reduced(sub(mul(p, e), mul(d, mul(q, y))), mul(d, e))
        # A remainder has the sign of its divisor as it is written, not as it was reduced.
        positive = e == ONE and self.nonneg(sub(q, ONE))
        if over == ONE and positive and found not in self.remainders:
            self.remainders.append(found)
        return found, over

    def _extreme(self, op: str, a: Poly, b: Poly) -> Poly:
        sign, known = (1, all) if op == "min" else (-1, any)

        def rooms(m: Poly) -> list[Poly]:
            return [combine({}, sub(x, m), sign) for x in (a, b)]

        for x, y in ((a, b), (b, a)):
            if self.nonneg(sub(y, x)):
                found = x if op == "min" else y
                self.near = rooms(found)
                return found
        least = next((k for k in (1, 0) if known(self.nonneg(combine(x, ONE, -k))
                                                 for x in (a, b))), None)  # fmt: skip
        if least != 1 and self._assumed(op, a, b):
            least = 1
        return self._atom(op, a, b, least, rooms)

    def _assumed(self, op: str, a: Poly, b: Poly) -> bool:
        """Return whether an assumption says that the extreme of these two is at least 1."""
        for _, x in assumed(self.place, op):
            if x not in self.looking:
                self.looking.append(x)
                with contextlib.suppress(Refused):
                    if [self.poly(y) for y in x.args] in ([a, b], [b, a]):
                        return bool(self.looking.pop())
                self.looking.pop()
        return False

    def _signed(self, n: Poly, d: Poly) -> tuple[Poly, Poly]:
        """Return a quotient in lowest terms, its divisor not evidently negative."""
        sign = -1 if self.nonneg(sub(combine({}, d, -1), ONE)) else 1
        return lowest(combine({}, n, sign), combine({}, d, sign))

    def _floor(self, n: Poly, d: Poly) -> Poly:
        """Return floor(n / d), for d >= 1 as y over y + r/d with 0 <= r < d."""
        n, d = self._signed(n, d)
        if not self.nonneg(sub(d, ONE)):
            return self._atom("floor_div", n, d)  # all that is known: it is asked that d != 0
        for name in sorted(self.floors):
            # floor((floor(r/e) + m) / d) is floor((r + e*m) / (e*d)) for every integer m.
            if n.get(((name, 1),)) == 1 and sum(name == v for m in n for v, _ in m) == 1:
                r, e = self.floors[name]
                n, d = combine(mul(e, sub(n, variable(name))), r), mul(e, d)
                break
        y, r = divide(n, d, True)
        for k in (0, 1):
            top = s = combine(r, d, k)
            for v, u in self.tops.items():
                top = _at(top, v, u)
            if self.nonneg(s) and any(self.nonneg(sub(sub(d, ONE), x)) for x in (s, top)):
                self.near = [s, sub(sub(d, ONE), s)]
                return combine(y, ONE, -k)
        least = 0 if any(self.nonneg(sub(r, x)) for x in ({}, *self.remainders)) else None
        q = self._atom("floor_div", r, d, least, lambda q: [
            sub(r, mul(d, q)), sub(combine(mul(d, q), sub(d, ONE)), r)])  # fmt: skip
        self.floors[next(v for m in q for v, _ in m)] = (r, d)
        return combine(y, q)

    def _atom(
        self, kind: str, a: Poly, b: Poly, least: int | None = None, says: Any = None
    ) -> Poly:
        """Return least + a variable that stands for the rest of an atom.

        Its rooms are in the order of its arguments here, whatever their order elsewhere.
        """
        parts = frozenset(a.items()), frozenset(b.items())
        key = (kind, frozenset(parts) if kind in ("min", "max") else parts)
        if key not in self.atoms:
            name = f"@{len(self.atoms)}"
            self.atoms[key] = combine(variable(name), constant(least or 0))
            if least is not None:
                self.signed.add(name)
        self.last = next(v for m in self.atoms[key] for v, _ in m)
        self.near = says(self.atoms[key]) if says else []
        return self.atoms[key]

    def rooms(self, x: Node) -> list[Poly]:
        """Return what is at least 0 because x is an atom, whether it was evaluated or not."""
        self.near = []
        self.poly(x)
        if x.op not in ATOMS:
            raise Refused(f"{show(x)} is no quotient, remainder, minimum or maximum")
        return self.near

    def atom(self, x: Node) -> str:
        """Return the variable of an expression that is an atom which was not evaluated."""
        self.last = ""
        self.poly(x)
        if x.op not in ATOMS or not self.last:
            raise Refused(f"{show(x)} leaves no variable")
        return self.last


def _at(p: Poly, variable: str, number: int) -> Poly:
    """Return p where a variable is a number."""
    result: Poly = {}
    for m, c in p.items():
        rest = tuple((v, e) for v, e in m if v != variable)
        result = combine(result, {rest: c}, number ** dict(m).get(variable, 0))
    return result
