"""Obligations in the words of certificates: terms as text and as formulas over the same names.

What certificates have no operation for gets a name and is defined beside the hypotheses: for
`if(c, a, b)` stands `b + s*(a - b)`, where s is 1 with c and 0 without; for a number of either sign
that nothing bounds the difference of two that are at least 0. Every integer is such a difference,
and c always has one of the two values, so what is stated of all values of the names is stated of
the kernel. Of bits that are no arithmetic only the range is said, which is taken for granted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from symcute.expr.formula import Formula, all_of, any_of, divides, eq, le, lt, ne, not_
from symcute.expr.lowering import lower
from symcute.expr.node import Node, Term
from symcute.expr.polynomial import ATOMS, ONE, Atom, Ratio, show_ratio, variable
from symcute.expr.ranges import Names
from symcute.expr.terms import names, substitute

__all__ = ["Unwritten", "Wording", "conjuncts", "formula", "text"]

_SIGNS = {"<": "<", "<=": "<=", "==": "==", "!=": "!="}
_RELATIONS = {"<": lt, "<=": le, "==": eq, "!=": ne}
_OPPOSITE = {"<": "<=", "<=": "<", "==": "!=", "!=": "=="}
_ATOMS = {"//": ("floor_div", "FloorDiv"), "%": ("mod", "Modulo"), "min": ("min", "Minimum")}
_ATOMS |= {"max": ("max", "Maximum")}
#: The largest shift that is written as a power of two.
MAX_SHIFT = 512


class Unwritten(Exception):
    """A term for which certificates have no words."""


class Wording:
    """Writes the terms of one obligation with the operations of certificates.

    `known` are the ranges of the names, `dims` those that are at least 1 unless a hypothesis says
    otherwise. With `choices`, minima and maxima become choices too. `defined` are the hypotheses
    that say what new names are, `bits` whether some stand for bits of which only the range is said.
    """

    def __init__(self, known: Names, dims: Collection[str], choices: bool = False) -> None:
        self.known, self.dims, self.choices = Names(known), dims, choices
        self.defined: list[Term] = []
        self.bits = False
        self._leaves: dict[Term, Term] = {}

    def truth(self, x: Term) -> Node:
        """Return a truth. Errors: Unwritten."""
        if isinstance(x, bool):
            return Node("==", 0, 0 if x else 1)
        if not isinstance(x, Node):
            return Node("!=", self.leaf(x), 0)
        op = x.op
        if op in ("and", "or"):
            return Node(op, *map(self.truth, x.args))
        if op == "not":
            return _negated(self.truth(x.args[0]))
        if op in _SIGNS:
            return Node(op, *map(self.leaf, x.args))
        if op == "if":
            test, then, other = map(self.truth, x.args)
            return Node("or", Node("and", test, then), Node("and", _negated(test), other))
        return Node("!=", self.leaf(x), 0)

    def leaf(self, x: Term) -> Term:
        """Return a number. Errors: Unwritten."""
        if isinstance(x, (int, str)):
            return int(x) if isinstance(x, int) else x
        if x not in self._leaves:
            self._leaves[x] = self._operation(x)
        return self._leaves[x]

    def _operation(self, x: Node) -> Term:
        op, args = x.op, x.args
        if x.sort == "truth":
            return self._switch(self.truth(x))
        if op == "if":
            return self._chosen(self.truth(args[0]), self.leaf(args[1]), self.leaf(args[2]))
        if op in ("+", "*", "//", "%") or (op in ("min", "max") and not self.choices):
            found = self.leaf(args[0])
            for y in args[1:]:
                found = Node(op, found, self.leaf(y))
            return found
        if op in ("min", "max"):
            found = self.leaf(args[0])
            for y in map(self.leaf, args[1:]):
                one, other = (found, y) if op == "min" else (y, found)
                found = self._chosen(Node("<=", one, other), found, y)
            return found
        a, b = args
        if op in ("<<", ">>") and type(b) is int and 0 <= b <= MAX_SHIFT:
            return Node("*" if op == "<<" else "//", self.leaf(a), 1 << b)
        if op == "&" and type(a) is int:
            a, b = b, a
        if op == "&" and type(b) is int and (kept := self._masked(a, b)) is not None:
            return kept
        return self._bits(x)

    def _chosen(self, test: Node, a: Term, b: Term) -> Term:
        return Node("+", b, Node("*", self._switch(test), Node("+", a, Node("*", b, -1))))

    def _switch(self, test: Node) -> Term:
        """Return a name that is 1 where a truth holds, and 0 where it does not."""
        s = self._new(0, 1)
        parts = Node("and", test, Node("==", s, 1)), Node("and", _negated(test), Node("==", s, 0))
        self.defined.append(Node("or", *parts))
        return s

    def _masked(self, a: Term, mask: int) -> Term | None:
        """Return a & mask where the ones of the mask are in one piece."""
        low = mask & -mask
        if mask < 0:
            whole = self.leaf(a)
            return Node("+", whole, Node("*", Node("%", whole, low), -1)) if mask == -low else None
        ones = mask // low if low else 0
        if low == 0 or ones & (ones + 1):
            return 0 if low == 0 else None
        inner = self.leaf(a) if low == 1 else Node("//", self.leaf(a), low)
        return Node("*", Node("%", inner, ones + 1), low)

    def _bits(self, x: Node) -> Term:
        low, high = self.known.ranges.of(x)
        if not (low > float("-inf") and high < float("inf")):
            raise Unwritten(x.op)
        self.bits = True
        return self._new(int(low), int(high))

    def _new(self, low: int, high: int) -> str:
        name = f"s_{len(self._leaves)}_{len(self.defined)}"
        while name in self.known:
            name += "_"
        self.known[name] = (low, high)
        self.defined += [Node("<=", low, name), Node("<=", name, high)]
        return name

    def unsigned(self, truths: Iterable[Term], bounded: Collection[str]) -> list[Term]:
        """Return truths with a difference for each name that is no dim and has no lower bound."""
        every = list(truths)
        used = set().union(*map(names, every)) if every else set()
        parts = {n: (f"{n}_up", f"{n}_down") for n in sorted(used - {*self.dims} - {*bounded})}
        self.defined += [Node("<=", 0, x) for pair in parts.values() for x in pair]
        instead: dict[str, Term] = {
            n: Node("+", a, Node("*", b, -1)) for n, (a, b) in parts.items()
        }
        return [substitute(t, instead) for t in every] if instead else every


def conjuncts(x: Term) -> Iterable[Term]:
    """Yield what a truth says, one by one."""
    if isinstance(x, Node) and x.op == "and":
        for y in x.args:
            yield from conjuncts(y)
    else:
        yield x


def _negated(x: Term) -> Node:
    assert isinstance(x, Node), "a truth that was written is an operation"
    op, args = x.op, x.args
    if op in ("and", "or"):
        return Node("or" if op == "and" else "and", *map(_negated, args))
    if op in ("<", "<="):
        return Node(_OPPOSITE[op], *args[::-1])
    return Node(_OPPOSITE[op], *args)


def text(x: Term) -> str:
    """Return a term that a `Wording` made as text.

    >>> text(Node("<", Node("//", Node("+", "n", 3), 4), Node("*", "m", -1)))
    '(n + 3) // 4 < m*(-1)'
    """
    return _text(x, 0)


_LEVEL = {"or": 1, "and": 2, "+": 6, "*": 7, "//": 7, "%": 7} | dict.fromkeys(_SIGNS, 4)


def _text(x: Term, place: int) -> str:
    if not isinstance(x, Node):
        return f"({x})" if place > 6 and isinstance(x, int) and x < 0 else str(x)
    op, args = x.op, x.args
    if op in ("min", "max"):
        return f"{op}({', '.join(_text(y, 0) for y in args)})"
    level = _LEVEL[op]
    sign = "*" if op == "*" else f" {op} "
    said = sign.join(_text(y, level + (k > 0 or level <= 4)) for k, y in enumerate(args))
    return f"({said})" if level < place else said


def formula(x: Term) -> Formula:
    """Return a truth that a `Wording` made as a formula, with quotients as atoms."""
    assert isinstance(x, Node), "a truth that was written is an operation"
    op, args = x.op, x.args
    if op in ("and", "or"):
        return (all_of if op == "and" else any_of)(*map(formula, args))
    if op == "not":
        return not_(formula(args[0]))
    if op == "==" and args[1] == 0 and isinstance(args[0], Node) and args[0].op == "%":
        return divides(*map(_ratio, args[0].args[::-1]))
    return _RELATIONS[op](*map(_ratio, args))


def _ratio(x: Term) -> Ratio:
    if isinstance(x, int):
        return lower(x)
    if isinstance(x, str):
        return Ratio(variable(x), ONE)
    a, b = map(_ratio, x.args)
    if x.op in ("+", "*"):
        return a + b if x.op == "+" else a * b
    sign, kind = _ATOMS[x.op]
    name = f"{sign}({show_ratio(a)},{show_ratio(b)})"
    ATOMS[name] = Atom(kind, a, b)
    return Ratio(variable(name), ONE)
