"""Queries in SMT-LIB: integer declarations, assertions, and the side conditions they rest on.

A query is satisfiable exactly when what it describes exists, *provided* its `conditions` hold:
every exact quotient is named by a fresh constant with `den * q = num`, which is sound only when the
divisor is not 0 and divides. Whoever trusts an "unsat" must prove the conditions as well.
"""

from __future__ import annotations

from collections.abc import Iterable

from symcute.expr.formula import Formula
from symcute.expr.htuple import Leaf
from symcute.expr.lowering import lower
from symcute.expr.polynomial import ONE, Poly, is_constant, show
from symcute.expr.ratio import ATOMS, Ratio

__all__ = ["Condition", "Query", "literal"]


class Condition(tuple[str, Poly, Poly]):
    """A side condition: ("nonzero", p, ONE) says p != 0, ("divides", d, p) says d | p."""

    __slots__ = ()

    def __str__(self) -> str:
        """Return the condition in our grammar."""
        kind, p, q = self
        return f"{show(p)} != 0" if kind == "nonzero" else f"{_group(q)} % {_group(p)} == 0"


def _group(p: Poly) -> str:
    text = show(p)
    return text if text.isidentifier() or text.isdigit() else f"({text})"


def literal(value: int) -> str:
    """Return an integer as SMT-LIB writes it.

    >>> literal(-3)
    '(- 3)'
    """
    return str(value) if value >= 0 else f"(- {-value})"


def apply(operator: str, parts: Iterable[str], empty: str) -> str:
    """Return `(operator parts...)`, or the only part, or `empty`."""
    items = list(parts)
    if not items:
        return empty
    return items[0] if len(items) == 1 else f"({operator} {' '.join(items)})"


class Query:
    """A script being written: declare, assert, then `script()`.

    >>> q = Query()
    >>> q.require(f"(< {q.name('M')} 1)")
    >>> print(q.script())
    (declare-const |M| Int)
    (assert (< |M| 1))
    """

    def __init__(self) -> None:
        self.conditions: list[Condition] = []
        self._declared: dict[str, None] = {}
        self._lines: list[str] = []
        self._known: dict[str, str] = {}
        self._fresh = 0

    def name(self, name: str) -> str:
        """Return the constant of that name, declared."""
        symbol = f"|{name}|"
        self._declared.setdefault(symbol)
        return symbol

    def fresh(self, kind: str) -> str:
        """Return a constant nobody else uses."""
        self._fresh += 1
        return self.name(f"{kind}!{self._fresh}")

    def require(self, text: str) -> None:
        """Assert a formula given as SMT-LIB text."""
        self._lines.append(f"(assert {text})")

    def assume(self, formula: Formula) -> None:
        """Assert a formula over dims."""
        self.require(self.formula(formula))

    def script(self) -> str:
        """Return the SMT-LIB text."""
        return "\n".join([*(f"(declare-const {s} Int)" for s in self._declared), *self._lines])

    def poly(self, p: Poly) -> str:
        """Return a polynomial as an SMT-LIB term; atoms are defined on first use."""
        terms = []
        for m, c in p.items():
            factors = [self._variable(v) for v, e in m for _ in range(e)]
            if c != 1 or not factors:
                factors.insert(0, literal(c))
            terms.append(apply("*", factors, "1"))
        return apply("+", terms, "0")

    def ratio(self, r: Ratio) -> str:
        """Return a ratio as a term; a true quotient becomes a constant with its definition."""
        if r.den == ONE:
            return self.poly(r.num)
        num, den = self.poly(r.num), self.poly(r.den)
        key = f"{num}/{den}"
        if key not in self._known:
            self._known[key] = q = self.fresh("quotient")
            self.conditions.append(Condition(("divides", r.den, r.num)))
            self.require(f"(= (* {den} {q}) {num})")
        return self._known[key]

    def leaf(self, leaf: Leaf) -> str:
        """Return a leaf as a term."""
        return literal(leaf) if isinstance(leaf, int) else self.ratio(lower(leaf))

    def formula(self, f: Formula) -> str:
        """Return a formula over dims as an SMT-LIB formula."""
        if f.op in ("true", "false"):
            return f.op
        if f.op in ("and", "or"):
            return apply(f.op, (self.formula(x) for x in f.args), f.op)
        if f.op == "not":
            return f"(not {self.formula(f.args[0])})"
        if f.op == "implies":
            return f"(=> {self.formula(f.args[0])} {self.formula(f.args[1])})"
        a, b = (self.leaf(x) for x in f.args)
        if f.op == "divides":
            # Remainder witnesses instead of `mod`: a symbolic divisor of 0 must not be left open.
            q, r = self.fresh("q"), self.fresh("r")
            self.require(f"(=> (not (= {a} 0)) (and (= {b} (+ (* {a} {q}) {r})) (<= 0 {r})))")
            self.require(f"(=> (> {a} 0) (< {r} {a}))")
            self.require(f"(=> (< {a} 0) (< {r} (- {a})))")
            return f"(and (not (= {a} 0)) (= {r} 0))"
        if f.op == "ne":
            return f"(not (= {a} {b}))"
        return f"({ {'eq': '=', 'le': '<=', 'lt': '<'}[f.op] } {a} {b})"

    def _variable(self, name: str) -> str:
        if name not in ATOMS:
            return self.name(name)
        if name not in self._known:
            atom = ATOMS[name]
            a, b = self.ratio(atom.a), self.ratio(atom.b)
            if atom.kind in ("Minimum", "Maximum"):
                sign = "<=" if atom.kind == "Minimum" else ">="
                self._known[name] = f"(ite ({sign} {a} {b}) {a} {b})"
            else:
                self._known[name] = self._division(atom.kind, a, b, atom.b)
        return self._known[name]

    def _division(self, kind: str, a: str, b: str, divisor: Ratio) -> str:
        """Define quotient and remainder of a by b, rounded down, once for each pair."""
        key = f"{a} div {b}"
        if key not in self._known:
            q, r = self.fresh("q"), self.fresh("r")
            self.conditions.append(Condition(("nonzero", divisor.num, ONE)))
            inside = f"(and (<= 0 {r}) (< {r} {b}))"
            c = is_constant(divisor.num) if divisor.den == ONE else None
            if c is None or c < 1:
                inside = f"(ite (< 0 {b}) {inside} (and (< {b} {r}) (<= {r} 0)))"
            self.require(f"(and (= {a} (+ (* {b} {q}) {r})) {inside})")
            self._known[key], self._known[f"{a} mod {b}"] = q, r
        q, r = self._known[key], self._known[f"{a} mod {b}"]
        if kind == "CeilDiv":
            return f"(ite (= {r} 0) {q} (+ {q} 1))"
        return q if kind == "FloorDiv" else r
