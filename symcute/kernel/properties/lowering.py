"""Terms as polynomials and formulas, with names for what is no polynomial.

A quotient `a // b` becomes a new name q with `b*q <= a <= b*q + b - 1`; `if`, `min` and `max`
become new names with cases; bits become multiples of powers of two where they are, and otherwise
names with ranges. What is said of a new name is true of what it stands for, so that a proof for all
values of the names is a proof; a model may be none.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from math import gcd, inf
from typing import TypeAlias

from symcute.expr.formula import FALSE, TRUE, Formula, all_of, any_of, eq, le, lt, ne, negation
from symcute.expr.intervals import ANY, Range
from symcute.expr.lowering import lower
from symcute.expr.node import Node, Term
from symcute.expr.polynomial import (
    ONE,
    Poly,
    Ratio,
    constant,
    divide,
    is_constant,
    names_in,
    sub,
    variable,
)
from symcute.expr.ranges import Names
from symcute.expr.terms import is_truth

__all__ = ["FRESH", "Case", "Lowering"]

#: How the names begin that stand for what is no polynomial.
FRESH = "q__"
#: What holds in one of several cases.
Case: TypeAlias = tuple[Formula, ...]
_RELATIONS = {"<": lt, "<=": le, "==": eq, "!=": ne}


class Lowering:
    """Lowers the terms of one obligation; `sides` and `cases` say what the new names are.

    `dims` are at least 1 where `known` does not say otherwise; `proves` answers cheap questions
    about polynomials under what is assumed, and may always say no.
    """

    def __init__(
        self,
        known: Mapping[str, Range],
        dims: Collection[str],
        proves: Callable[[Formula], bool] = lambda f: False,
    ) -> None:
        self.known = Names(known)
        self.sides: list[Formula] = []
        self.cases: list[tuple[Case, ...]] = []
        self.lows: dict[str, int] = {}
        self._dims = dims
        self._proves = proves
        self._leaves: dict[Term, Ratio] = {}
        self._powers: dict[Term, Ratio] = {}
        self._quotients: dict[tuple[Ratio, Ratio], Ratio] = {}
        self._fresh = 0

    def formula(self, truth: Term) -> Formula:
        """Return a truth as a formula over dims and names."""
        if isinstance(truth, bool):
            return TRUE if truth else FALSE
        if not isinstance(truth, Node):
            return ne(self.leaf(truth), 0)
        op, args = truth.op, truth.args
        if op in _RELATIONS:
            if any(is_truth(x) for x in args):
                return self._of_truths(op, *args)
            return _RELATIONS[op](*(self.leaf(x) for x in args))
        if op == "not":
            return negation(self.formula(args[0]))
        if op in ("and", "or"):
            parts = [self.formula(x) for x in args]
            return all_of(*parts) if op == "and" else any_of(*parts)
        if op == "if":
            test, then, other = (self.formula(x) for x in args)
            return any_of(all_of(test, then), all_of(negation(test), other))
        return ne(self.leaf(truth), 0)

    def _of_truths(self, op: str, a: Term, b: Term) -> Formula:
        """Return a comparison one side of which is a truth: it counts as 1 or 0."""
        if is_truth(b) and not is_truth(a) and op in ("==", "!="):
            a, b = b, a
        if op in ("==", "!=") and isinstance(b, int) and int(b) in (0, 1):
            found = self.formula(a)
            return found if (op == "==") == bool(b) else negation(found)
        return _RELATIONS[op](self.leaf(a), self.leaf(b))

    def leaf(self, term: Term) -> Ratio:
        """Return a number as a polynomial over dims and names."""
        if isinstance(term, int):
            return lower(int(term))
        found = self._leaves.get(term)
        if found is None:
            found = self._name(term) if isinstance(term, str) else self._operation(term)
            self._leaves[term] = found
        return found

    def _name(self, name: str) -> Ratio:
        low, high = self.known.get(name, ANY)
        if low == -inf and name in self._dims:
            low = 1
        if low > -inf:
            self.lows[name] = int(low)
            return _variable(name)
        if high < inf:
            rest = self._new((0, inf))
            return lower(int(high)) - rest
        return self._new((0, inf)) - self._new((0, inf))

    def _new(self, known: Range) -> Ratio:
        """Return a new name for a number in a range."""
        low, high = known
        if low == -inf:
            if high == inf:
                return self._new((0, inf)) - self._new((0, inf))
            return lower(int(high)) - self._new((0, inf))
        self._fresh += 1
        name = f"{FRESH}{self._fresh}"
        self.lows[name], self.known[name] = int(low), known
        found = _variable(name)
        if high < inf:
            self.sides.append(le(found, int(high)))
        return found

    def _operation(self, term: Node) -> Ratio:
        op, args = term.op, term.args
        if term.sort == "truth":
            return self._choice(term, 1, 0)
        if op == "if":
            return self._choice(*args)
        if op in ("+", "*"):
            found = self.leaf(args[0])
            for x in args[1:]:
                found = found + self.leaf(x) if op == "+" else found * self.leaf(x)
            return found
        if op in ("min", "max"):
            return self._extreme(op, args)
        a, b = args
        if op == "//":
            return self._quotient(self.leaf(a), self.leaf(b), self.known.ranges.of(term))
        if op == "%":
            return self._remainder(a, b)
        if op in ("<<", ">>"):
            return self._shift(op, a, b)
        return self._bits(op, a, b)

    def _choice(self, test: Term, then: Term, other: Term) -> Ratio:
        told = self.known.ranges.decides(test)
        if told is not None:
            return self.leaf(then if told else other)
        formula = self.formula(test)
        a, b = self.leaf(then), self.leaf(other)
        found = self._new(self.known.ranges.of(Node("if", test, then, other)))
        self.cases.append(((formula, eq(found, a)), (negation(formula), eq(found, b))))
        return found

    def _extreme(self, op: str, args: tuple[Term, ...]) -> Ratio:
        found = self.leaf(args[0])
        done = args[0]
        for x in args[1:]:
            a, b = found, self.leaf(x)
            done = Node(op, done, x)
            first, second = (a, b) if op == "min" else (b, a)
            if self._proves(le(first, second)):
                found = a
            elif self._proves(le(second, first)):
                found = b
            else:
                found = self._new(self.known.ranges.of(done))
                for y in (a, b):
                    self.sides.append(le(found, y) if op == "min" else le(y, found))
                self.cases.append(
                    ((le(first, second), eq(found, a)), (lt(second, first), eq(found, b)))
                )
        return found

    def _quotient(self, a: Ratio, b: Ratio, known: Range) -> Ratio:
        """Return a // b, where b is at least 1."""
        whole, rest = _split(a.num, b.num)
        if not rest:
            return Ratio(whole, ONE)
        c = is_constant(b.num)
        left = Ratio(rest, ONE)
        low, high = self._range(rest)
        if low >= 0 and (high < (c or 0) or self._proves(lt(left, b))):
            return Ratio(whole, ONE)
        key = (left, b)
        if key not in self._quotients:
            if c is not None:
                span: Range = (low // c if low > -inf else low, high // c if high < inf else high)
            elif not whole:
                span = known
            else:
                span = (0, high) if low >= 0 else ANY
            if span[0] < 0 and self._proves(le(0, left)):
                span = (0, span[1])
            if span[0] >= 0 and self._proves(lt(left, b)):
                return Ratio(whole, ONE)
            q = self._new(span)
            self.sides += [le(b * q, left), le(left, b * q + b - 1)]
            if c is None:
                self.sides.append(le(1, b))
            self._quotients[key] = q
        return Ratio(whole, ONE) + self._quotients[key]

    def rooms(self, formula: Formula, given: Iterable[Formula]) -> Iterator[Formula]:
        """Yield `a // b + 1 <= e` for quotients in a formula where what is given says `a < b*e`."""
        wanted = formula.dims()
        for (left, b), q in self._quotients.items():
            if not names_in(q) <= wanted:
                continue
            for f in given:
                if f.op not in ("le", "lt"):
                    continue
                small, large = (lower(x) for x in f.args)
                above = large - small + left + (f.op == "le")  # left is below it
                e = divide(above.num, b.num) if above.den == ONE else None
                if e is not None:
                    yield le(q + 1, Ratio(e, ONE))

    def _remainder(self, a: Term, b: Term) -> Ratio:
        value, divisor = self.leaf(a), self.leaf(b)
        return value - divisor * self._quotient(
            value, divisor, self.known.ranges.of(Node("//", a, b))
        )

    def _range(self, p: Poly) -> Range:
        """Return the range of a polynomial in names."""
        low: int | float = 0
        high: int | float = 0
        for m, c in p.items():
            term: Term = c
            for v, e in m:
                for _ in range(e):
                    term = Node("*", term, v)
            a, b = self.known.ranges.of(term)
            low, high = low + a, high + b
        return low, high

    def _power(self, exponent: Term) -> Ratio:
        """Return 2**exponent, where exponent is at least 0."""
        if exponent not in self._powers:
            low, high = self.known.ranges.of(exponent)
            start = 1 << int(low) if 0 <= low < 256 else 1
            self._powers[exponent] = self._new((start, 1 << int(high) if 0 <= high < 256 else inf))
        return self._powers[exponent]

    def _shift(self, op: str, a: Term, b: Term) -> Ratio:
        power = lower(1 << b) if isinstance(b, int) and 0 <= b <= 4096 else self._power(b)
        if op == "<<":
            return self.leaf(a) * power
        return self._quotient(self.leaf(a), power, self.known.ranges.of(Node(">>", a, b)))

    def _bits(self, op: str, a: Term, b: Term) -> Ratio:
        if isinstance(a, int):
            a, b = b, a
        if op == "&" and isinstance(b, int):
            found = self._masked(a, b)
            if found is not None:
                return found
        x, y = self.leaf(a), self.leaf(b)
        (low_a, high_a), (low_b, high_b) = self.known.ranges.of(a), self.known.ranges.of(b)
        if op in ("|", "^") and (
            (low_b >= 0 and high_b < _step(x.num)) or (low_a >= 0 and high_a < _step(y.num))
        ):
            return x + y  # no bit in common
        found = self._new(self.known.ranges.of(Node(op, a, b)))
        if op == "&":
            for value, other in ((x, low_a), (y, low_b)):
                if other >= 0:
                    self.sides.append(le(found, value))
        elif low_a >= 0 and low_b >= 0:
            self.sides.append(le(found, x + y))
            if op == "|":
                self.sides += [le(x, found), le(y, found)]
        return found

    def _masked(self, a: Term, mask: int) -> Ratio | None:
        """Return a & mask where the ones of the mask are in one piece."""
        if mask == 0:
            return lower(0)
        low = mask & -mask
        ones = mask // low
        if mask < 0:
            return self.leaf(a) - self._remainder(a, low) if ones == -1 else None
        if ones & (ones + 1):
            return None
        inner = a if low == 1 else Node("//", a, low)
        return self._remainder(inner, ones + 1) * low


def _variable(name: str) -> Ratio:
    return Ratio(variable(name), ONE)


def _step(p: Poly) -> int:
    """Return the largest power of two that divides a polynomial by its coefficients."""
    common = gcd(*p.values()) if p else 0
    return common & -common


def _split(p: Poly, q: Poly) -> tuple[Poly, Poly]:
    """Return w and r with p == q*w + r, as much in w as the terms show."""
    c = is_constant(q)
    if c is not None:
        whole = {m: k // c for m, k in p.items() if k // c}
        return whole, {m: k % c for m, k in p.items() if k % c}
    exact = divide(p, q)
    if exact is not None:
        return exact, {}
    if len(q) != 1:
        return {}, p
    whole, rest = {}, dict(p)
    for m, k in p.items():
        part = divide({m: k}, q)
        if part is not None:
            whole.update(part)
            rest = sub(rest, {m: k})
    return whole, rest or constant(0)
