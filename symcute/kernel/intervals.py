"""Constant bounds of terms: interval arithmetic under what guards say.

A range is a pair of ints, or of infinities where nothing is known. It only ever loses precision:
the value of a term lies in its range wherever the names and the known terms lie in theirs.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import TypeAlias

from symcute.expr.node import Node, Term

__all__ = ["ANY", "Names", "Range", "Ranges", "join", "meet"]

Range: TypeAlias = tuple[int | float, int | float]
ANY: Range = (-inf, inf)
#: Beyond this nothing is counted.
FAR = 1 << 512


def join(a: Range, b: Range) -> Range:
    """Return the smallest range around two.

    >>> join((0, 4), (2, 9))
    (0, 9)
    """
    return min(a[0], b[0]), max(a[1], b[1])


def meet(a: Range, b: Range) -> Range:
    """Return what two ranges share."""
    return max(a[0], b[0]), min(a[1], b[1])


def _times(a: int | float, b: int | float) -> int | float:
    if a == 0 or b == 0:
        return 0
    if abs(a) > FAR or abs(b) > FAR:
        return inf if (a > 0) == (b > 0) else -inf
    return a * b


def _products(a: Range, b: Range) -> Range:
    corners = [_times(x, y) for x in a for y in b]
    return min(corners), max(corners)


def _quotient(a: int | float, b: int | float) -> int | float:
    """Return a // b for a divisor of at least 1 that may be infinite."""
    if abs(a) > FAR:
        return a
    return (0 if a >= 0 else -1) if abs(b) > FAR else a // b


def _quotients(a: Range, b: Range) -> Range:
    if not 1 <= b[0] <= b[1]:
        return ANY
    corners = [_quotient(x, y) for x in a for y in b]
    return min(corners), max(corners)


def _remainders(a: Range, b: Range) -> Range:
    if not 1 <= b[0] <= b[1]:
        return ANY
    if a[0] >= 0 and a[1] < b[0]:
        return a
    return 0, min(b[1] - 1, a[1]) if a[0] >= 0 else b[1] - 1


def _bitwise(op: str, a: Range, b: Range) -> Range:
    if a[0] >= 0 and b[0] >= 0:
        if op == "&":
            return 0, min(a[1], b[1])
        top = max(a[1], b[1])
        high = top if top == inf else (1 << int(top).bit_length()) - 1
        return (max(a[0], b[0]) if op == "|" else 0), high
    if op == "&" and (a[0] >= 0 or b[0] >= 0):
        return 0, a[1] if a[0] >= 0 else b[1]
    extremes = [*a, *b]
    if any(abs(x) > FAR for x in extremes):
        return ANY
    bits = max((int(x) if x >= 0 else ~int(x)).bit_length() for x in extremes)
    return -(1 << bits), (1 << bits) - 1


def _shifts(op: str, a: Range, b: Range) -> Range:
    if not 0 <= b[0] <= b[1] <= 256:
        return ANY
    powers = (1 << int(b[0]), 1 << int(b[1]))
    return _products(a, powers) if op == "<<" else _quotients(a, powers)


class Names(dict[str, Range]):
    """Ranges of names, which count how often one of them has changed."""

    version = 0

    def __setitem__(self, name: str, known: Range) -> None:
        """Set the range of a name."""
        self.version += name in self
        super().__setitem__(name, known)

    def __delitem__(self, name: str) -> None:
        """Forget a name."""
        self.version += 1
        super().__delitem__(name)


class Ranges:
    """What is known of terms: of names for good, and of other terms under a path of guards.

    >>> known = Ranges({"i": (0, 9)})
    >>> known.of(Node("+", Node("*", "i", 4), 3)), known.narrowed(Node("<", "i", 5)).of("i")
    ((3, 39), (0, 4))
    """

    __slots__ = ("_found", "_version", "names", "terms")

    def __init__(
        self, names: Mapping[str, Range], terms: Mapping[Term, Range] | None = None
    ) -> None:
        self.names = names
        self.terms: Mapping[Term, Range] = {} if terms is None else terms
        #: What was found, by the identity of a term, which is kept; until names change.
        self._found: dict[int, tuple[Term, Range]] = {}
        self._version: int | None = -1

    def of(self, term: Term) -> Range:
        """Return bounds of an integer."""
        if type(term) is int:
            return term, term
        if isinstance(term, str):
            found = self.names.get(term, ANY)
        elif isinstance(term, Node):
            return self._of_node(term)
        else:
            return ANY
        known = self.terms.get(term)
        return found if known is None else meet(found, known)

    def _of_node(self, term: Node) -> Range:
        version = getattr(self.names, "version", None)
        if version != self._version:
            self._found, self._version = {}, version
        held = None if version is None else self._found.get(id(term))
        if held is not None:
            return held[1]
        found = self._of_operation(term.op, term.args)
        if self.terms:
            known = self.terms.get(term)
            found = found if known is None else meet(found, known)
        if version is not None:
            self._found[id(term)] = (term, found)
        return found

    def _of_operation(self, op: str, args: tuple[Term, ...]) -> Range:
        if op == "if":
            truth = self.decides(args[0])
            if truth is not None:
                return self.of(args[1] if truth else args[2])
            return join(self.of(args[1]), self.of(args[2]))
        a, b = self.of(args[0]), self.of(args[1])
        if op == "+":
            return a[0] + b[0], a[1] + b[1]
        if op == "*":
            square = args[0] == args[1]
            low, high = _products(a, b)
            return (max(low, 0) if square else low), high
        if op == "//":
            return _quotients(a, b)
        if op == "%":
            return _remainders(a, b)
        if op == "min":
            return min(a[0], b[0]), min(a[1], b[1])
        if op == "max":
            return max(a[0], b[0]), max(a[1], b[1])
        return _bitwise(op, a, b) if op in ("&", "|", "^") else _shifts(op, a, b)

    def decides(self, truth: Term) -> bool | None:
        """Return whether a truth holds, where the ranges tell.

        >>> Ranges({"i": (0, 9)}).decides(Node("<", "i", 10))
        True
        """
        if truth is True or truth is False:
            return truth
        if not isinstance(truth, Node):
            return None
        op, args = truth.op, truth.args
        if op in ("and", "or"):
            found = [self.decides(x) for x in args]
            if any(x is (op == "or") for x in found):
                return op == "or"
            return None if None in found else op == "and"
        if op == "not":
            inner = self.decides(args[0])
            return None if inner is None else not inner
        a, b = self.of(args[0]), self.of(args[1])
        if op in ("<", "<="):
            if a[1] < b[0] or (op == "<=" and a[1] == b[0]):
                return True
            return False if a[0] > b[1] or (op == "<" and a[0] == b[1]) else None
        if a[0] > b[1] or b[0] > a[1]:
            return bool(op == "!=")
        return bool(op == "==") if a[0] == a[1] == b[0] == b[1] else None

    def narrowed(self, truth: Term) -> Ranges:
        """Return what is known where a truth holds as well."""
        found: dict[Term, Range] = {}
        self._narrow(truth, found)
        return Ranges(self.names, {**self.terms, **found}) if found else self

    def excludes(self, truth: Term) -> bool:
        """Return whether nothing is left where a truth holds as well.

        >>> Ranges({"i": (0, 9)}).excludes(Node("and", Node("<", "i", 3), Node("<", 5, "i")))
        True
        """
        inner = self.narrowed(truth)
        if inner is self:
            return False
        changed = (t for t, r in inner.terms.items() if self.terms.get(t) != r)
        return any(low > high for low, high in map(inner.of, changed))

    def with_range(self, term: Term, known: Range) -> Ranges:
        """Return what is known when a term lies in a range as well."""
        if not isinstance(term, (str, Node)) or known == ANY:
            return self
        return Ranges(self.names, {**self.terms, term: meet(known, self.terms.get(term, ANY))})

    def _narrow(self, truth: Term, found: dict[Term, Range]) -> None:
        if not isinstance(truth, Node):
            return
        op, args = truth.op, truth.args
        if op == "and":
            for x in args:
                self._narrow(x, found)
        elif op in ("<", "<="):
            gap = 1 if op == "<" else 0
            a, b = self.of(args[0]), self.of(args[1])
            self._learn(args[0], (-inf, b[1] - gap), found)
            self._learn(args[1], (a[0] + gap, inf), found)
        elif op == "==":
            self._learn(args[0], self.of(args[1]), found)
            self._learn(args[1], self.of(args[0]), found)
        elif op == "!=":
            for x, y in (args, args[::-1]):
                low, high = self.of(x)
                if type(y) is int and y in (low, high):
                    self._learn(x, (low + (y == low), high - (y == high)), found)

    def _learn(self, term: Term, known: Range, found: dict[Term, Range]) -> None:
        """Note the range of a term, and of what is inside it but for numbers."""
        if not isinstance(term, (str, Node)) or known == ANY:
            return
        before = found.get(term, self.terms.get(term, ANY))
        found[term] = meet(before, known)
        if not isinstance(term, Node):
            return
        inner, c = term.args[0], term.args[-1]
        low, high = known
        if type(c) is not int:
            return
        if term.op == "+":
            self._learn(inner, (low - c, high - c), found)
        elif term.op == "*" and c > 0:
            self._learn(inner, (-_quotient(-low, c), _quotient(high, c)), found)
        elif term.op == "*" and c < 0:
            self._learn(inner, (-_quotient(high, -c), _quotient(-low, -c)), found)
