"""What a definition names: quotients, minima and maxima, with what is known of them.

Every step is shown to the core as it is written; proofs of what a step needs are found here.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import Any, TypeAlias

from symcute.checker.poly import Poly, combine, constant, mul, power, sub, variable
from symcute.checker.settle import Place, Settler, Way
from symcute.checker.terms import ATOMS, Node, Refused, data, dim, le, names, term
from symcute.recheck.division import divide, integral, parted, written
from symcute.recheck.parametrisation import Parametrisation, assumed, constant_bounds

__all__ = ["Naming", "Spot", "Terms"]

#: Weights with their factors, as certificates have them.
Terms: TypeAlias = list[list[Any]]


@dataclass
class Spot:
    """A place: as drafts count what is assumed there, and as certificates do."""

    old: Place
    new: Place
    index: list[int]
    drafts: dict[int, Any] = field(default_factory=dict)

    def plus(self, f: Node) -> Spot:
        """Return the spot with a formula assumed, and with the bounds that it names."""
        old, new = self.old.plus(f), self.new.plus(f)
        bounds = dict(old.bounds)
        for fact in old.facts[len(self.old.facts) :]:
            for name, bound in constant_bounds(fact):
                bounds[name] = max(bound, bounds[name])
        index = [*self.index, *range(len(self.new.facts), len(new.facts))]
        return Spot(Place(bounds, old.facts), new, index)


class Naming:
    """A definition that is written, with the names in it."""

    def __init__(self, spot: Spot, settler: Settler) -> None:
        self.spot, self.way = spot, Way(spot.new, settler.settle)
        self.steps: list[list[Any]] = []
        self.par = Parametrisation(spot.old)
        self.number: int | None = None
        #: Whether no dim is written in variables; the names of exact quotients that stay.
        self.bare, self.quotients = False, list[str]()
        #: What stands for the variables of the parametrisation.
        self.renamed: dict[str, Poly] = {}
        #: The names of quotients, of minima and maxima, by what they are of.
        self.known: dict[Any, str] = {}
        #: The quotients by which a quotient of the same dim is written, with their divisors.
        self.shares: dict[str, list[tuple[int, str]]] = {}
        #: Extremes that are looked at, so that none is looked at inside itself.
        self.looking: list[Node] = []
        #: The dividend and the divisor of a quotient that is a variable.
        self.floors: dict[str, tuple[Poly, Poly, str]] = {}

    def step(self, kind: str, name: str, what: Any, by: Any) -> None:
        """Take a step, and write it down."""
        item = [kind, name, what, by]
        self.way.step(item)
        self.steps.append(item)

    def fresh(self, stem: str) -> str:
        """Return a name that is new."""
        name, k = stem, 0
        while name in self.way.values or name in self.way.facts:
            name, k = f"{stem}{k}", k + 1
        return name

    def sum(self, terms: Terms | None = None, factor: Any = 1) -> list[Any]:
        """Return a sum in this definition."""
        return ["sum", self, *([terms or [], factor] if factor != 1 else [terms] if terms else [])]

    # --- proofs ----------------------------------------------------------------------------------

    def facts(self) -> dict[Any, Node]:
        """Return what a sum may use: assumptions by their numbers, facts by their names."""
        return {**self.way.facts, **dict(enumerate(self.spot.new.facts))}

    def by_one(self, f: Node, name: str = "") -> list[Any]:
        """Return a proof of a relation by one fact, perhaps of what `name` is. Errors: Refused."""
        with contextlib.suppress(Refused):
            return self._by_any(f)
        done = {n for n, q in self.way.values.items() if q != variable(n)} | {name}
        for fact in self.spot.new.facts:
            if {*names(fact)} <= done:
                with contextlib.suppress(Refused):
                    self.ensure(fact)
        return self._by_any(f)

    def _by_any(self, f: Node) -> list[Any]:
        if f.op == "eq":
            found = self._by_one(self.way.gap(f), True)
        else:
            found = self._by_one(self.way.above(f), False)
        return self.sum(found)

    def _by_one(self, p: Poly, equation: bool) -> Terms:
        """Return a term without which p is 0, or positive."""
        if not p if equation else self.way.known(p, 1):
            return []
        # What has no sign must go, if no equation takes it out.
        signless = [m for m in p if m and (equation or any(v[-1] != "'" for v, _ in m))]
        must = [] if self.quotients else signless[:1]
        for key, fact in self.facts().items():
            if fact.op != "eq" and (equation or fact.op not in ("le", "lt")):
                continue
            with contextlib.suppress(Refused):
                g, _ = self.way.factor(key)
                shared = {Fraction(p[m]) / g[m] for m in must or p if m and g.get(m)}
                for w in shared:
                    rest = combine(p, g, -w)
                    more = self.cancelled(rest)
                    rest = sub(rest, self.way.summed(more)[0])
                    fits = not rest if equation else rest.get((), 0) > 0 and self.way.known(rest, 0)
                    if fits and (w > 0 or fact.op == "eq"):
                        return [[str(w), [key]], *more]
        raise Refused("no assumption says it")

    def factor(self, p: Poly, equation: bool = False) -> Terms:
        """Return what is at least 0 (or 0) as terms: variables, facts, or a fact of its own."""
        if not equation and self.way.known(p, 0):
            return [[str(c), [v for v, e in m for _ in range(e)]] for m, c in p.items()]
        for key, fact in self.facts().items():
            if fact.op == "eq" if equation else fact.op in ("le", "lt"):
                with contextlib.suppress(Refused):
                    g, _ = self.way.factor(key)
                    m = next(iter(g), ())
                    w = Fraction(p.get(m, 0)) / g[m] if g else Fraction(0)
                    if w and (w > 0 or equation) and combine(p, g, -w) == {}:
                        return [[str(w), [key]]]
        scale = lcm(*(c.denominator for c in p.values()))
        key, fact = self.fresh("h"), le(0, written(combine({}, p, scale)))
        self.step("fact", key, data(fact), self.by_one(fact))
        return [[str(Fraction(1, scale)), [key]]]

    def old(self, p: Poly) -> Poly:
        """Return a polynomial of the parametrisation in the variables here."""
        found: Poly = {}
        for m, c in p.items():
            product = constant(c)
            for v, e in m:
                product = mul(product, power(self.renamed.get(v, variable(v)), e))
            found = combine(found, product)
        return found

    def cancelled(self, p: Poly) -> Terms:
        """Return the equations that take exact quotients out of a polynomial, as far as they do."""
        found: Terms = []
        for q in self.quotients:
            v = f"{q}'" if f"{q}'" in self.way.values else q
            gap = self.way.gap(self.way.facts[f"{q}.0"])
            b, a = parted(gap, v)
            alone, others = parted(p, v)
            b = combine({}, b, -1)
            times, rest = divide(alone, b, False)
            if times and not rest:
                for m, c in times.items():
                    found.append([str(-c), [*(w for w, e in m for _ in range(e)), f"{q}.0"]])
                p = combine(others, mul(times, a))
        return found

    # --- quotients, minima, maxima ---------------------------------------------------------------

    def ensure(self, x: Node) -> None:
        """Give everything in a term or formula that is no polynomial a name."""
        if x.op in ("int", "dim"):
            return
        for y in x.args if x.op != "pow" else x.args[:1]:
            self.ensure(y)
        if x.op not in (*ATOMS, "div"):
            return
        try:
            self.way.poly(x)
        except Refused:
            (a, b), op = x.args, x.op
            if op in ("min", "max"):
                self._extreme(x)
            elif op == "div":
                self._exact(x)
            else:
                q = self.way.poly(b)
                if self.way.known(combine({}, q, -1), 1):
                    a, b = (y.args[0] if y.op == "neg" else Node("neg", (y,)) for y in (a, b))
                    if b.op != "neg":
                        raise
                self._floor(Node("floor_div", (a + b - 1 if op == "ceil_div" else a, b)))
        self._rename(Node("floor_div", x.args) if x.op == "mod" else x)

    def _rename(self, x: Node) -> None:
        """Note what stands for the variable that a parametrisation has for a quotient."""
        with contextlib.suppress(Refused):
            p = self.par.poly(x)
            for v in sorted({v for m in p for v, _ in m if v[0] == "@"} - self.renamed.keys()):
                c = p.get(((v, 1),), 0)
                rest = combine(p, variable(v), -c)
                if c in (1, -1) and not any(w == v for m in rest for w, _ in m):
                    here = sub(self.way.poly(x), self.old(rest))
                    self.renamed[v] = combine({}, here, c)

    def _floor(self, x: Node) -> None:
        if x in self.way.atoms:
            return
        a, b = map(self.way.poly, x.args)
        q = self.fresh("q")
        self.step("let", q, data(x), self.sum())
        found = self._rounded(a, b, q)
        if found is None:
            return
        y, low, high = found
        factor = data(x.args[1])
        # With b*y <= a < b*y + b both y and q are what is next below a/b.
        up = self.sum([["1", [f"{q}.1"]], *low], factor)
        down = self.sum([["1", [f"{q}.0"]], *high], factor)
        self.step("is", q, data(written(y)), ["and", [up, down]])

    def _rounded(self, a: Poly, b: Poly, own: str = "") -> tuple[Poly, Terms, Terms] | None:
        """Return floor(a/b) with proofs of 0 <= a - b*y and of a - b*y <= b - 1; None: it is own's.

        Errors: Refused where b is not known to be at least 1.
        """
        content = gcd(*(int(c) for p in (a, b) for c in p.values()))
        if content > 1:
            parts = (combine({}, p, Fraction(1, content)) for p in (a, b))
            small: list[Poly] = [{m: int(c) for m, c in p.items()} for p in parts]
            found = self._rounded(small[0], small[1])
            assert found is not None
            y, low, high = found
            scaled = [[[str(Fraction(w) * content), f] for w, f in terms] for terms in (low, high)]
            return y, scaled[0], scaled[1]
        y, r = divide(a, b, True)
        for k in (0, 1):
            s = combine(r, b, k)
            low_, high_ = self._nonneg(s), self._nonneg(sub(sub(b, constant(1)), s))
            if low_ is not None and high_ is not None:
                return combine(y, constant(k), -1), low_, high_
        for name in sorted({v for m in r for v, _ in m} & self.floors.keys()):
            if r.get(((name, 1),)) == 1 and sum(name == v for m in r for v, _ in m) == 1:
                return self._nested(name, y, r, b)
        key = ("//", frozenset(r.items()), frozenset(b.items()))
        q = self.known.get(key)
        mine = q is None and not y and bool(own)
        if q is None:
            q = own if mine else self.fresh("q")
            if not mine:
                self.step("let", q, data(Node("floor_div", (written(r), written(b)))), self.sum())
            self.known[key] = q
            low_ = self._nonneg(r)
            if low_ is None:
                low_ = self._above_remainder(r)
            if low_ is not None:
                by = self.sum([["1", [f"{q}.1"]], *low_], data(written(b)))
                self.step("from", q, 0, by)
                self.floors[f"{q}'"] = r, b, q
            else:
                self.floors[q] = r, b, q
        if mine:
            return None
        return combine(y, self.way.values[q]), [["1", [f"{q}.0"]]], [["1", [f"{q}.1"]]]

    def _above_remainder(self, r: Poly) -> Terms | None:
        """Return why r >= 0, if it is a remainder and more."""
        for key in [k for k in self.way.facts if str(k).endswith(".0")]:
            with contextlib.suppress(Refused):
                if self.way.facts[key].op == "le":
                    g = self.way.gap(self.way.facts[key])
                    if self.way.known(sub(r, g), 0):
                        return [["1", [key]]]
        return None

    def _nested(self, name: str, y: Poly, r: Poly, b: Poly) -> tuple[Poly, Terms, Terms]:
        """Return floor((floor(s/e) + m) / b) as floor((s + e*m) / (e*b)), with the proofs."""
        s, e, q = self.floors[name]
        m = sub(r, variable(name))
        found = self._rounded(combine(mul(e, m), s), mul(e, b))
        assert found is not None
        z, low, high = found
        factor, keys = data(written(e)), []
        ends = sub(r, mul(b, z)), sub(combine(mul(b, z), b), combine(r, constant(1)))
        for p, terms, key in zip(ends, (low, high), (f"{q}.1", f"{q}.0"), strict=True):
            keys.append(self.fresh("h"))
            by = self.sum([["1", [key]], *terms], factor)
            self.step("fact", keys[-1], data(le(0, written(p))), by)
        return combine(y, z), [["1", [keys[0]]]], [["1", [keys[1]]]]

    def _nonneg(self, p: Poly) -> Terms | None:
        """Return terms without which nothing negative is left: boxed variables at their ends."""
        found: Terms = []
        for _ in range(24):
            bad = next((m for m, c in p.items() if c < 0 and m), None)
            if bad is None:
                break
            tops = {}
            for v, top in self.par.tops.items():
                w = self.renamed.get(v, variable(v))
                name = next(iter(next(iter(w))))[0] if len(w) == 1 else ""
                tops[name] = top
            v = next((v for v, _ in bad if v in tops), "")
            if not v:
                return None
            rest = [w for w, e in bad for _ in range(e)]
            rest.remove(v)
            c = -p[bad]
            try:
                room_ = self.factor(sub(constant(tops[v]), variable(v)))
            except Refused:
                return None
            found += [[str(Fraction(w) * c), [*rest, *keys]] for w, keys in room_]
            room = sub(constant(tops[v]), variable(v))
            for x in rest:
                room = mul(room, variable(x))
            p = combine(p, room, -c)
        return found if self.way.known(p, 0) else None

    def _exact(self, x: Node) -> None:
        """Give an exact quotient a name."""
        a, b = map(self.way.poly, x.args)
        wanted = Node("divides", x.args[::-1])
        by: list[Any] | None = None
        for k, fact in enumerate(self.spot.new.facts):
            if fact == wanted:
                by = ["given", k]
            elif fact.op == "implies" and fact.args[1] == wanted:
                with contextlib.suppress(ValueError):
                    by = ["follows", k, self._given(fact.args[0])]
        y, r = divide(a, b, False) if b else ({}, constant(1))
        exact, beside = not r and integral(y), list[list[Any]]()
        if by is None and exact:
            by = self.sum([], data(written(y)))
        for k, fact in enumerate(self.spot.new.facts if by is None else ()):
            if fact.op == "divides":
                with contextlib.suppress(Refused):
                    for z in fact.args:
                        self.ensure(z)
                    d, multiple = map(self.way.poly, fact.args)
                    if (multiple, d) == (a, b):
                        name = self.fresh("q")
                        self.step("let", name, ["/", *map(data, fact.args[::-1])], ["given", k])
                        beside = [["1", [f"{name}.0"]]]
                        by, y, exact = self.sum(beside, name), variable(name), True
                        break
        if by is None:
            raise Refused("nothing says that it divides")
        q = self.fresh("q")
        self.step("let", q, data(x), by)
        if exact:  # b*q == a == b*y
            proof = self.sum([["-1", [f"{q}.0"]], *beside], data(x.args[1]))
            self.step("is", q, data(written(y)), proof)
            return
        self.quotients.append(q)
        if not self.bare:
            least = next((k for k in (1, 0) if self.way.known(a, k)), None)
            if least is not None and self.way.known(b, 1):  # b*q == a
                self.step("from", q, least, self.sum([["-1", [f"{q}.0"]]], data(x.args[1])))
            return
        # What is divided may be a name of which nothing is known: then it is b*q.
        [(m, c), *others] = a.items() if a else [((), 1)]
        p, rest = divide(b, constant(c), False)
        if not others and len(m) == 1 and integral(p) and not rest:
            v = m[0][0]
            if m[0][1] == 1 and self.way.values.get(v) == variable(v) and v[-1] != "'":
                what = data(written(mul(p, variable(q))))
                self.step("is", v, what, self.sum([["1", [f"{q}.0"]]], int(c)))

    def _given(self, f: Node) -> list[Any]:
        """Return a proof of what is assumed. Errors: ValueError."""
        if f.op == "and":
            return ["and", [self._given(x) for x in f.args]]
        return ["given", self.spot.new.facts.index(f)]

    def _extreme(self, x: Node) -> None:
        """Give a minimum or a maximum a name; where it is known which it is, that."""
        a, b = map(self.way.poly, x.args)
        least = x.op == "min"
        said = self._assumed(x.op, a, b)
        if said is not None and said[1] != x:  # the way it is written there comes first
            self.ensure(said[1])
        m = self.fresh("m")
        self.step("let", m, data(x), ["and", []])

        def beyond(y: Any, proofs: list[Any]) -> str:
            """Note that y is on the side of both on which the extreme is."""
            key = self.fresh("h")
            ends = (term(y), x) if least else (x, term(y))
            self.step("fact", key, data(le(*ends)), ["and", proofs])
            return key

        for k, (p, q) in enumerate(((a, b), (b, a))):
            if self.way.known(sub(q, p) if least else sub(p, q), 0):
                # That a maximum is below a minimum would be said of the minimum's parts.
                plain = least or x.args[k].op != "min"
                y = data(x.args[k] if plain else written(p))
                h = beyond(y, [self.sum(), self.sum()])
                near, far = self.sum([["1", [f"{m}.{k}"]]]), self.sum([["1", [h]]])
                proofs = [far, near] if least else [near, far]
                self.step("is", m, y, ["and", proofs])
                return
        key = (x.op, frozenset((frozenset(a.items()), frozenset(b.items()))))
        if key in self.known:
            other = self.known[key]
            node = next(y for y, n in self.way.atoms.items() if n == other)
            swapped = self.way.poly(node.args[0]) != a
            order = (1, 0) if swapped else (0, 1)
            h = beyond(other, [self.sum([["1", [f"{other}.{j}"]]]) for j in order])
            back = self.fresh("h")
            ends = (dim(m), node) if least else (node, dim(m))
            proofs = [self.sum([["1", [f"{m}.{j}"]]]) for j in order]
            self.step("fact", back, data(le(*ends)), ["and", proofs])
            up, down = self.sum([["1", [h]]]), self.sum([["1", [back]]])
            self.step("is", m, other, ["and", [up, down] if least else [down, up]])
            return
        self.known[key] = m
        if said is not None:
            self.step("from", m, 1, self.sum([["1", [said[0]]]]))
            return
        known = all if least else any
        for k in (1, 0):
            if known(self.way.known(p, k) for p in (a, b)):
                if least:
                    terms: Terms = [["1", [beyond(k, [self.sum(), self.sum()])]]]
                else:
                    which = 0 if self.way.known(a, k) else 1
                    terms = [["1", [f"{m}.{which}"]]]
                self.step("from", m, k, self.sum(terms))
                return

    def _assumed(self, op: str, a: Poly, b: Poly) -> tuple[int, Node] | None:
        """Return an assumption that the extreme of these two is at least 1, and how it is there."""
        for k, x in assumed(self.spot.new, op):
            if x not in self.looking:
                self.looking.append(x)
                with contextlib.suppress(Refused):
                    for y in x.args:
                        self.ensure(y)
                    if [self.way.poly(y) for y in x.args] in ([a, b], [b, a]):
                        self.looking.pop()
                        return k, x
                self.looking.pop()
        return None
