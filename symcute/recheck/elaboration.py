"""Drafts of proofs are elaborated: what they leave to the reader is written out.

A draft settles obligations in the coefficients of parametrisations, which is short and leaves much
to be worked out; a certificate says each step. Where a draft does not hold neither does what is
made of it, and the core refuses that.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from math import gcd
from typing import Any

from symcute.checker.document import Statement
from symcute.checker.evaluate import without_dims
from symcute.checker.lemmas import LEMMAS, Hints
from symcute.checker.poly import Poly, combine, constant, mul, sub, value, variable
from symcute.checker.primitive import Primitive
from symcute.checker.settle import (
    ABSURD,
    Place,
    Settler,
    Trail,
    Way,
    conjuncts,
    disjuncts,
    spoken,
)
from symcute.checker.terms import RELATIONS, Node, Refused, data, le, negation, term
from symcute.recheck.division import divide, integral, over_integers, written
from symcute.recheck.drafts import Draft
from symcute.recheck.naming import Spot, Terms

__all__ = ["elaborated"]

#: How many parametrisations are tried that nothing has named where it is tried.
OTHERS = 3


def elaborated(stated: Statement, ways: list[Any], proof: Any) -> tuple[list[Any], Any]:
    """Return the definitions and the proof that a draft comes to."""
    place = stated.place
    spot = Spot(place, Place(place.bounds, place.facts), [*range(len(place.facts))])
    found = _Elaborator(stated, ways).proof(proof, spot)
    drafts: list[list[Any]] = []
    return drafts, _numbered(found, drafts)


def _numbered(item: Any, drafts: list[list[Any]]) -> Any:
    """Return a proof with the numbers of its definitions; those that are alike are one."""
    if isinstance(item, Draft):
        if item.number is None:
            # A definition speaks of itself by its number: it is compared as if it were the next.
            item.number = len(drafts)
            steps = [_numbered(x, drafts) for x in item.steps]
            same = (k for k, other in enumerate(drafts) if _again(steps, item.number, k) == other)
            found = next(same, None)
            if found is None:
                drafts.append(steps)
            else:
                item.number = found
        return item.number
    if isinstance(item, dict):
        return {k: _numbered(v, drafts) for k, v in item.items()}
    return [_numbered(x, drafts) for x in item] if isinstance(item, (list, tuple)) else item


def _again(item: Any, number: int, other: int) -> Any:
    """Return steps that speak of one definition as if it were the other."""
    if isinstance(item, list):
        if item[:1] == ["sum"] and len(item) > 1 and item[1] == number:
            return ["sum", other, *item[2:]]
        return [_again(x, number, other) for x in item]
    return item


class _Settler(Settler):
    """A settler of the core for definitions that are being written."""

    def way(self, k: Any, place: Place) -> Way:
        return k.way if isinstance(k, Draft) else super().way(k, place)


class _Elaborator:
    """Walks through a draft as the core walks through a proof."""

    def __init__(self, stated: Statement, ways: list[Any]) -> None:
        self.stated, self.ways = stated, ways
        self.settler = _Settler([], Trail())

    # --- proofs ----------------------------------------------------------------------------------

    def proof(self, proof: Any, spot: Spot) -> Any:
        if type(proof) is not dict:
            return proof
        if "case" in proof or "either" in proof:
            keys = ("case", "then", "else") if "case" in proof else ("either", "proofs")
            by = [keys[0], *(proof.get(k) for k in keys)]
            return {"cases": self.branched(by, spot, self.proof)}
        found = dict(proof)
        if type(proof.get("defined")) is list:
            found["defined"] = self.settled(self.stated.defined, proof["defined"], spot)
        facts = [*spot.new.facts, *self.stated.defined]
        inside = Spot(spot.old, Place(spot.new.bounds, facts), spot.index, spot.drafts)
        if type(proof.get("parts")) is list:
            found["parts"] = [
                self.part(p, self.stated.parts[k], inside) if k < len(self.stated.parts) else p
                for k, p in enumerate(proof["parts"])
            ]
        return found

    def branched(self, by: list[Any], spot: Spot, inner: Any) -> list[Any]:
        """Return what is proved by cases."""
        kind, key, *rest = by
        if kind == "case":
            with contextlib.suppress(Refused):
                f = spoken(key, spot.new)
                spots = [spot.plus(f), spot.plus(negation(f))]
                return [kind, key, *(inner(x, s) for x, s in zip(rest, spots, strict=False))]
        elif type(key) is int and 0 <= key < len(spot.index):
            at = spot.index[key]
            with contextlib.suppress(Refused):
                parts = disjuncts(spot.new.facts[at])
                spots = [spot.plus(x) for x in parts or ()]
                found = [inner(x, s) for x, s in zip(rest[0], spots, strict=False)]
                return [kind, at, [*found, *rest[0][len(found) :]]]
        return by

    def part(self, part: Any, claim: Primitive, spot: Spot) -> Any:
        lemma = part.get("lemma") if type(part) is dict else None
        if lemma == "residues":
            draft = self.draft(part.get("parametrisation"), spot)
            if draft is None:
                return part
            with contextlib.suppress(Refused):
                for x in claim.leaves():
                    draft.ensure(x)
            more = {k: v for k, v in part.items() if k != "parametrisation"}
            return more | {"definition": draft, "ends": draft.ends()}
        if lemma == "evaluate" and claim.kind == "holds" and not without_dims(claim):
            with contextlib.suppress(Refused):
                return {"lemma": "formula", "by": [self.evident(claim.body, spot)]}
        if type(lemma) is not str or (lemma, claim.kind) not in LEMMAS:
            return part
        found, hint = dict(part), Hints(part)
        with contextlib.suppress(Refused):
            asked, inner = LEMMAS[lemma, claim.kind](hint, claim)
            if type(part.get("by")) is list:
                found["by"] = self.settled(hint.asked + asked, part["by"], spot)
            for key, rest in inner.items():
                if key in part:
                    found[key] = self.part(part[key], rest, spot)
        return found

    def settled(self, asked: list[Node], by: list[Any], spot: Spot) -> list[Any]:
        """Return the proofs of obligations."""
        return [self.by(asked[k], x, spot) if k < len(asked) else x for k, x in enumerate(by)]

    def draft(self, k: Any, spot: Spot) -> Draft | None:
        """Return what a parametrisation comes to at a spot."""
        if type(k) is not int or not 0 <= k < len(self.ways):
            return None
        if k not in spot.drafts:
            found = spot.drafts[k] = Draft(spot, self.settler)
            for item in self.ways[k]:
                if type(item) is not list or len(item) not in (3, 4):
                    found.steps.append(item)
                    continue
                try:
                    found.define(*item)
                except Refused:  # nothing says it: the core will say so
                    found.steps.append([item[1], item[0], item[2], ["sum", found]])
                    found.broken = True
        draft: Draft = spot.drafts[k]
        return draft

    # --- obligations -----------------------------------------------------------------------------

    def by(self, f: Node, by: Any, spot: Spot) -> Any:
        """Return how an obligation is settled."""
        with contextlib.suppress(Refused, TypeError, ValueError, IndexError, StopIteration):
            found = self._by(f, by, spot)
            if found is not None:
                return found
        return by

    def _by(self, f: Node, by: Any, spot: Spot) -> Any:
        if by == "-":
            return self.evident(f, spot)
        kind, *rest = by
        if kind in ("case", "either"):
            return self.branched(by, spot, lambda x, s: self.by(f, x, s))
        if kind == "cut":
            between = spoken(rest[0], spot.new)
            inner = self.by(between, rest[1], spot), self.by(f, rest[2], spot.plus(between))
            return [kind, rest[0], *inner]
        if kind == "given":
            return self.given(f, rest[0], spot)
        if kind == "and":
            return [kind, self.settled(list(conjuncts(f) or ()), rest[0], spot)]
        if kind == "both":
            up, down = le(*f.args), le(*f.args[::-1])
            one = [self.by(up, rest[0], spot), self.by(down, rest[1], spot)]
            try:
                self.settler.settle(up, one[0], spot.new)
            except Refused:  # the two may stand in either order
                one = [self.by(up, rest[1], spot), self.by(down, rest[0], spot)]
            return ["and", one]
        if kind == "or":
            return [kind, rest[0], self.by((disjuncts(f) or ())[rest[0]], rest[1], spot)]
        if kind == "implies":
            return [kind, self.by(f.args[1], rest[0], spot.plus(f.args[0]))]
        if kind == "absurd":
            return [kind, self.by(ABSURD, rest[0], spot.plus(negation(f)))]
        if kind == "powers":
            a, b = f.args
            return [kind, self.by(Node("lt", (a, b + b)), rest[0], spot)]
        if kind == "classes":
            return [kind, [spot.index[k] for k in rest[0]]]
        if kind == "not":
            return ["and", [self.by(negation(f.args[0]), rest[0], spot)]]
        if kind == "sum":
            draft = self.draft(rest[0], spot)
            if draft is None:
                return by
            with contextlib.suppress(Refused, KeyError, TypeError, ValueError, IndexError):
                found = self.sum(f, draft, *rest[1:])
                if rest[1:] or self.ways[rest[0]]:
                    return found
            if not rest[1:] and not self.ways[rest[0]]:  # signs of divisors may be needed
                return self.evident(f, spot)
            return ["sum", draft, *rest[1:3]]
        return by

    def given(self, f: Node, k: int, spot: Spot) -> Any:
        """Return why an assumption, perhaps written otherwise, says what is asked."""
        at = spot.index[k]
        fact = spot.new.facts[at]
        if f == fact or f.op != fact.op or f.op not in RELATIONS:
            return ["given", at]
        if f.op != "divides":
            with contextlib.suppress(Refused):
                return self.said(f, at, self.plain(spot), spot)
        return self.said(f, at, self.bounded(spot), spot)  # where divisors are known to be positive

    def said(self, f: Node, at: int, draft: Draft, spot: Spot) -> Any:
        """Return why a relation is an assumption, written otherwise. Errors: Refused."""
        fact = spot.new.facts[at]
        for x in (f, fact):
            draft.ensure(x)
        if f.op == "divides":
            name = draft.fresh("q")
            draft.step("let", name, ["/", *map(data, fact.args[::-1])], ["given", at])
            return draft.sum([["1", [f"{name}.0"]]], name)
        gap, same = draft.way.gap(f), draft.way.gap(f) == draft.way.gap(fact)
        if f.op == "ne":
            inner = []
            for j in (0, 1):
                here = spot.plus(Node("lt", fact.args[:: 1 - 2 * j]))
                k = j if same else 1 - j
                part = Node("lt", f.args[:: 1 - 2 * k])
                inner.append(["or", k, self.given(part, len(here.index) - 1, here)])
            return ["either", at, inner]
        if f.op == "eq":
            return draft.sum([["1" if same else "-1", [at]]])
        # What is to be shown is first divided by what its coefficients have in common.
        content = gcd(*(int(c) for m, c in gap.items() if m)) or 1
        return draft.sum([[str(Fraction(1, content)), [at]]])

    def plain(self, spot: Spot) -> Draft:
        """Return the definition that leaves every dim as it is."""
        if -1 not in spot.drafts:
            spot.drafts[-1] = Draft(spot, self.settler)
            spot.drafts[-1].bare = True
        draft: Draft = spot.drafts[-1]
        return draft

    def bounded(self, spot: Spot) -> Draft:
        """Return the definition that writes every dim from its lower bound."""
        if -2 not in spot.drafts:
            found = spot.drafts[-2] = Draft(spot, self.settler)
            for name, least in spot.old.bounds.items():
                found.define(name, "from", least)
        draft: Draft = spot.drafts[-2]
        return draft

    def evident(self, f: Node, spot: Spot) -> Any:
        """Return how what is true whatever the dims are is settled. Errors: Refused."""
        if f.op == "and":
            return ["and", [self.evident(x, spot) for x in f.args]]
        if f.op in ("or", "ne"):
            for k, x in enumerate(disjuncts(f) or ()):
                with contextlib.suppress(Refused):
                    return ["or", k, self.evident(x, spot)]
            raise Refused("it is not evident")
        pushed = negation(f.args[0]) if f.op == "not" else f
        if pushed.op != f.op:
            return ["and", [self.evident(pushed, spot)]]
        if f.op == "implies":
            inside = spot.plus(f.args[0])
            with contextlib.suppress(Refused):
                return ["implies", self.evident(f.args[1], inside)]
            draft = self.plain(inside)
            for k in range(len(spot.new.facts), len(inside.new.facts)):
                for w in ("1", "-1"):
                    if draft.way.combined(ABSURD, [[w, [k]]], 1):
                        absurd = inside.plus(negation(f.args[1]))
                        by = self.plain(absurd).sum([[w, [k]]])
                        return ["implies", ["absurd", by]]
            raise Refused("it is not evident")
        for draft in self.drafts(spot) if f.op != "not" else ():
            with contextlib.suppress(Refused):
                draft.ensure(f)
                by = draft.sum()
                if f.op == "divides":
                    a, b = (value(draft.way.poly(x)) for x in f.args)
                    by = draft.sum([], int(b // a)) if a and b is not None else by
                self.settler.settle(f, by, spot.new)
                return by
        raise Refused("it is not evident")

    def drafts(self, spot: Spot) -> Iterator[Draft]:
        """Yield definitions to try, those that are there first."""
        seen = [x for k, x in sorted(spot.drafts.items()) if k >= 0]
        yield from (x for x in seen if not x.broken)
        yield self.plain(spot)
        yield self.bounded(spot)
        others = (k for k in range(len(self.ways)) if k not in spot.drafts)
        for k in [*islice(others, OTHERS)]:
            found = self.draft(k, spot)
            if found and not found.broken:
                yield found

    def sum(self, f: Node, draft: Draft, terms: Any = (), scale: Any = 1, whole: Any = 1) -> Any:
        """Return a nonnegative combination with what it speaks of written out."""
        way = draft.way
        draft.ensure(f)
        for x in (scale, whole):
            draft.ensure(term(x))
        if f.op == "ne":
            strict = [Node("lt", f.args), Node("lt", f.args[::-1])]
            k = next((k for k, x in enumerate(strict) if way.combined(x, [], 1)), 0)
            return ["or", k, draft.sum()]
        if f.op == "divides":
            a, b = map(way.poly, f.args)
            y, r = divide(b, a, False) if a else ({}, constant(1))
            if r or not integral(y):
                raise Refused("it does not divide")
            return draft.sum([], data(written(y)))
        found: Terms = []
        for weight, factors in terms:
            products: Terms = [[str(weight), []]]
            for factor in factors:
                more = self.factor(factor, draft)
                products = [[str(Fraction(w) * Fraction(u)), [*x, *y]]
                            for w, x in products for u, y in more]  # fmt: skip
            found += products
        if whole != 1:
            return self.whole(f, draft, found, scale, whole)
        if not draft.quotients or way.combined(f, found, scale):
            return draft.sum(found, scale)
        p = way.gap(f) if f.op == "eq" else way.above(f)
        p = sub(mul(way.poly(term(scale)), p), way.summed(found)[0])
        return draft.sum([*found, *draft.cancelled(p)], scale)

    def whole(self, f: Node, draft: Draft, terms: Terms, scale: Any, whole: Any) -> Any:
        """Return a sum for g*p' >= 0, where p' >= 0 is shown first."""
        p, g = draft.way.gap(f), draft.way.poly(term(whole))
        inner, rest = divide(p, g, False)
        if rest or not integral(inner) or not draft.way.known(g):
            raise Refused("it does not divide by its factor")
        key = draft.fresh("h")
        draft.step("fact", key, data(le(0, written(inner))), draft.sum(terms, scale))
        content = gcd(*(int(c) for m, c in p.items() if m)) or 1
        products = [[str(Fraction(c, content)), [*(v for v, e in m for _ in range(e)), key]]
                    for m, c in g.items()]  # fmt: skip
        return draft.sum(products)

    def factor(self, factor: Any, draft: Draft) -> Terms:
        """Return something that is at least 0 as terms."""
        par, spot = draft.par, draft.spot
        if type(factor) is str:
            return draft.factor(draft.old(variable(factor)))
        kind, key, *more = factor
        if kind in ("g", "e"):
            at = spot.index[key]
            fact = spot.new.facts[at]
            draft.ensure(fact)
            old: Poly = {}
            with contextlib.suppress(Refused):
                old = draft.old(over_integers(par.gap(fact), {})[0])
            new = draft.way.gap(fact)
            m = next(iter(new), ())
            scale = Fraction(old.get(m, 0)) / new[m] if new and old else Fraction(1)
            return [[str(scale if combine(old, new, -scale) == {} else 1), [at]]]
        if kind == "u":
            return draft.factor(draft.old(sub(constant(par.tops[key]), variable(key))))
        if kind == "l":
            return [["1", [draft.at_least(key, spot.old.bounds[key])]]]
        x = term(key)
        draft.ensure(x)
        if kind == "a":
            rooms = par.rooms(x)
            return draft.factor(draft.old(over_integers(rooms[more[0]], {})[0]))
        atom = par.atom(x)
        return draft.factor(draft.old(next(p for p in par.atoms.values() if ((atom, 1),) in p)))
