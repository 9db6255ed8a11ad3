"""Definitions are written: the steps by which dims are written in variables, each with its proof.

A draft names a parametrisation and leaves to the reader what quotients, remainders, minima and
maxima come to in it. Here that is worked out, so that nothing has to be searched for when a
certificate is checked.
"""

from __future__ import annotations

import contextlib
from fractions import Fraction
from math import gcd
from typing import Any

from symcute.checker.poly import Poly, constant, sub, value, variable
from symcute.checker.terms import Node, Refused, data, dim, le, lit, term
from symcute.recheck.division import written
from symcute.recheck.naming import Naming, Terms

__all__ = ["Draft"]


class Draft(Naming):
    """A definition by a parametrisation; it stands for its number in proofs.

    It is broken where a step of it does not hold at its spot.
    """

    broken = False

    def define(self, name: str, kind: str, item: Any, residue: int = 0) -> None:
        """Write a dim as a parametrisation has it. Errors: Refused where nothing says so."""
        x, p = dim(name), term(item)
        self.ensure(p)
        whole = self.way.poly(p)
        least = self.spot.old.bounds.get(name, 1)
        self.par.define(name, kind, item, residue)
        if kind in ("from", "upto", "is"):
            ends = (x, p) if kind == "upto" else (p, x)
            f = Node("eq" if kind == "is" else "le", ends)
            self.step(kind, name, item, self.by_one(f, name))
        elif kind == "rest":
            q = self.fresh(f"{name}_q")
            bound = self.at_least(name, least)
            self.step("let", q, ["//", name, item], self.sum())
            self.step("from", q, 0, self.sum([["1", [f"{q}.1"]], ["1", [bound]]], item))
            self.step("from", name, ["*", item, q], self.sum([["1", [f"{q}.0"]]]))
            self.renamed |= {f"{name}'": variable(f"{q}'"), f"{name}''": variable(f"{name}'")}
        elif kind == "times":
            q = self.quotient(name, p, whole)
            c = value(whole)
            start = min(least, 1) if c is None else -(-least // int(c))
            terms: Terms = [["1", [self.at_least(name, least)]], ["-1", [f"{q}.0"]]]
            self.step("from", q, start, self.sum(terms, item))
            self.step("is", name, ["*", item, q], self.sum([["1", [f"{q}.0"]]]))
            self.renamed[f"{name}'"] = variable(f"{q}'")
            for n, other in self.shares.get(q, []):  # quotients of the dim that it was made of
                if c and not int(c) % n:
                    by = self.sum([["-1", [f"{other}.0"]]], n)
                    self.step("is", other, ["*", int(c) // n, q], by)
        else:
            self.residue(name, int(value(whole) or 1), residue, least)

    def at_least(self, name: str, least: int) -> str:
        """Return the fact that a dim is at least a number."""
        if self.spot.new.bounds[name] == least:
            return name
        key, fact = self.fresh("h"), le(least, dim(name))
        self.step("fact", key, data(fact), self.by_one(fact))
        return key

    def quotient(self, name: str, p: Node, divisor: Poly) -> str:
        """Return the name of name/p, for p that divides the dim as is assumed."""
        found: list[tuple[int, str]] = []
        for k, fact in enumerate(self.spot.old.facts):
            if fact.op != "divides":
                continue
            with contextlib.suppress(Refused):
                for x in fact.args:
                    self.ensure(x)
                stated, multiple = map(self.way.poly, fact.args)
                if multiple != variable(name):
                    continue
                c = value(stated)
                if stated == divisor or (c and value(divisor) is not None):
                    q = self.fresh(f"{name}_q")
                    by = ["given", self.spot.index[k]]
                    self.step("let", q, ["/", *map(data, fact.args[::-1])], by)
                    if stated == divisor:
                        return q
                    found.append((int(c or 0), q))
        c, modulus, y = value(divisor), 1, dict[str, int]()
        for n, q in found:  # name == modulus * sum of y, as u*modulus + v*n is their gcd
            n, common = abs(n), gcd(modulus, abs(n))
            v = pow(n // common, -1, modulus // common) if modulus > common else 0
            u = (common - v * n) // modulus
            both = modulus * n // common
            y = {k: w * v for k, w in y.items()} | {q: u}
            modulus = both
        if not c or modulus % int(c):
            raise Refused("nothing assumed says that it divides")
        numbers = {q: n for n, q in found}
        y = {q: w * (modulus // int(c)) * (1 if numbers[q] > 0 else -1) for q, w in y.items() if w}
        terms = [[str(Fraction(w * int(c), numbers[q])), [f"{q}.0"]] for q, w in y.items()]
        name_ = self.fresh(f"{name}_q")
        factor = written({((q, 1),): w for q, w in y.items()})
        self.step("let", name_, ["/", name, data(p)], self.sum(terms, data(factor)))
        self.shares[name_] = [(n, q) for n, q in found if n > 0]
        return name_

    def residue(self, name: str, c: int, r: int, least: int) -> None:
        """Write a dim that leaves r when divided by c as c*q + a number."""
        for k, fact in enumerate(self.spot.old.facts):
            modulo = fact.op == "eq" and fact.args[0].op == "mod"
            if not modulo and fact.op != "divides":
                continue
            x, d = fact.args[0].args if modulo else fact.args[::-1]
            rest = fact.args[1] if modulo else lit(0)
            with contextlib.suppress(Refused):
                for y in (x, d, rest):
                    self.ensure(y)
                shift = value(sub(self.way.poly(x), variable(name)))
                divisor, said = value(self.way.poly(d)), value(self.way.poly(rest))
                if shift is None or divisor != c or said is None or (said - shift - r) % c:
                    continue
                q, at = self.fresh(f"{name}_q"), self.spot.index[k]
                op, by, key = ("//", self.sum(), at) if modulo else ("/", ["given", at], "")
                self.step("let", q, [op, data(x), data(d)], by)
                terms: Terms = [["1", [self.at_least(name, least)]],
                                ["1" if modulo else "-1", [key or f"{q}.0"]]]  # fmt: skip
                key = at if modulo else f"{q}.0"
                terms[1][1] = [key]
                start = -((r - least) // c) - int(said - shift - r) // c
                self.step("from", q, start, self.sum(terms, c))
                p = ["+", ["*", c, q], int(said - shift)]
                self.step("is", name, p, self.sum([["-1" if modulo else "1", [key]]]))
                self.renamed[f"{name}'"] = variable(f"{q}'")
                return
        raise Refused("nothing assumed says what it leaves")

    def ends(self) -> dict[str, Any]:
        """Return the facts that bound variables from above by numbers."""
        found = {}
        for v, top in self.par.tops.items():
            [(m, _), *more] = self.renamed.get(v, variable(v)).items()
            [[weight, keys]] = self.factor(self.old(sub(constant(top), variable(v))))
            if not more and weight == "1" and len(keys) == 1:
                found[m[0][0]] = keys[0]
        return found
