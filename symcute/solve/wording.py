"""Obligations in the words of certificates: terms as text and as formulas over the same names.

What certificates have no operation for gets a name and is defined beside the hypotheses: for `if(c,
a, b)` stands `b + s*(a - b)`, where s is 1 with c and 0 without; for a number of either sign that
nothing bounds the difference of two that are at least 0. Where quotients are named, q and r stand
for `a // b` and `a % b` with `a == b*q + r` and `r < b`, b being at least 1. Every integer is such
a difference, has such a q and r, and c always has one of the two values, so what is stated of all
values of the names is stated of the kernel: `proofs/lemmas/` (rounding; inverse, of divisions by
products; bits, of masks). Of bits that are no arithmetic, and of powers of two whose exponent is no
number, their range and how they lie beside what they are made of is said, which is taken for
granted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import reduce
from math import gcd, inf

from symcute.expr.formula import POWERS, Formula, all_of, any_of, divides, eq, le, lt, ne, not_
from symcute.expr.intervals import Range
from symcute.expr.leaf import dim
from symcute.expr.lowering import lower
from symcute.expr.node import Node, Term
from symcute.expr.polynomial import ONE, Poly, divide, variable, variables
from symcute.expr.ranges import Names
from symcute.expr.ratio import ATOMS, Atom, Ratio, show_ratio
from symcute.expr.terms import divide as over
from symcute.expr.terms import is_truth, mul, names, remainder, substitute

__all__ = ["Wording", "conjuncts", "formula", "number", "term", "text"]

_SIGNS = {"<": "<", "<=": "<=", "==": "==", "!=": "!="}
_RELATIONS = {"<": lt, "<=": le, "==": eq, "!=": ne}
_OPPOSITE = {"<": "<=", "<=": "<", "==": "!=", "!=": "=="}
_ATOMS = {"//": ("floor_div", "FloorDiv"), "%": ("mod", "Modulo"), "min": ("min", "Minimum")}
_ATOMS |= {"max": ("max", "Maximum")}
#: The largest shift that is written as a power of two.
MAX_SHIFT = 512
#: In how many pieces the ones of a mask may be.
MAX_PIECES = 4


class Wording:
    """Writes the terms of one obligation with the operations of certificates.

    `known` are the ranges of the names, `dims` those that are at least 1 unless a hypothesis says
    otherwise. With `choices`, minima and maxima become choices too; when `named`, quotients and
    remainders get names, with the ranges that they have. `defined` are the hypotheses
    that say what new names are, `made` these names: none of `taken`, which are all others.
    """

    def __init__(
        self, known: Names, dims: Collection[str], choices: bool = False, named: bool = False,
        taken: Collection[str] = (),
    ) -> None:  # fmt: skip
        self.known, self.dims, self.choices, self.named = Names(known), dims, choices, named
        self.taken, self.made = {*known, *dims, *taken}, set[str]()
        self.defined: list[Term] = []
        self._signs: dict[str, tuple[str, str]] = {}
        self._leaves: dict[Term, Term] = {}
        self._numbers: dict[Term, Ratio] = {}
        self._divisions: list[tuple[Term, Term, Term]] = []
        #: Quotients and remainders; of what one is the remainder; by what a number is divided.
        self._parts: dict[tuple[Term, Term], tuple[Term, Term]] = {}
        self._rests: dict[Term, tuple[Term, Term]] = {}
        self._divisors: dict[Term, tuple[Term, ...]] = {}

    def again(self, taken: Collection[str]) -> Wording:
        """Return a wording that goes on from here, for a goal of its own with its names."""
        every = {*self.taken, *taken}
        found = Wording(self.known, self.dims, self.choices, self.named, every)
        found.defined, found._leaves = [*self.defined], {**self._leaves}
        found._numbers = self._numbers
        found._signs, found._divisors = {**self._signs}, {**self._divisors}
        found._parts, found._rests = {**self._parts}, {**self._rests}
        return found

    def truth(self, x: Term) -> Node:
        """Return a truth."""
        if isinstance(x, bool):
            return _whole(x)
        if not isinstance(x, Node):
            return Node("!=", self.leaf(x), 0)
        op = x.op
        if op in ("and", "or"):
            return Node(op, *map(self.truth, x.args))
        if op == "not":
            return _negated(self.truth(x.args[0]))
        if op in _SIGNS:
            a, b = x.args if is_truth(x.args[0]) else x.args[::-1]
            if op in ("==", "!=") and is_truth(a) and isinstance(b, int) and int(b) in (0, 1):
                return self.truth(a) if (op == "==") == bool(b) else _negated(self.truth(a))
            parts = _ordered(op, *x.args)
            if parts:
                return Node("and", *map(self.truth, parts))
            return Node(op, *map(self.leaf, x.args))
        if op == "if":
            test, then, other = map(self.truth, x.args)
            return Node("or", Node("and", test, then), Node("and", _negated(test), other))
        return Node("!=", self.leaf(x), 0)

    def leaf(self, x: Term) -> Term:
        """Return a number."""
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
            test, then, other = self.truth(args[0]), self.leaf(args[1]), self.leaf(args[2])
            if self.named:
                return self._either(test, then, other, self.known.ranges.of(x))
            return self._chosen(test, then, other)
        if op in ("//", "%") and self.named and self.known.ranges.of(args[1])[0] >= 1:
            a, b = map(self.leaf, args)
            return self._divided(a, b, self.known.ranges.of(Node("//", *args)))[op == "%"]
        if op in ("min", "max") and (settled := self._settled(op, *args)) is not None:
            return self.leaf(settled)
        if op in ("min", "max") and self.named and len(args) == 2:
            a, b = map(self.leaf, args)
            return self._extreme(op, a, b, self.known.ranges.of(x))
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
        if op in ("<<", ">>"):
            written = type(b) is int and 0 <= b <= MAX_SHIFT
            power = 1 << b if type(b) is int and written else self._power(b)
            return Node("*" if op == "<<" else "//", self.leaf(a), power)
        if type(a) is int:
            a, b = b, a
        kept = self._masked(a, b) if type(b) is int else None
        return kept if op == "&" and kept is not None else self._bits(op, a, b, kept)

    def _settled(self, op: str, a: Term, b: Term) -> Term | None:
        """Return what a minimum or a maximum of two is, where ranges tell."""
        for low, high in ((a, b), (b, a)):
            if self.known.ranges.decides(Node("<=", low, high)):
                return low if op == "min" else high
        return None

    def _chosen(self, test: Node, a: Term, b: Term) -> Term:
        return Node("+", b, Node("*", self._switch(test), Node("+", a, Node("*", b, -1))))

    def _either(self, test: Node, a: Term, b: Term, ends: Range) -> Term:
        """Return a name for what is chosen."""
        found = self._new(*ends)
        cases = (test, a), (_negated(test), b)
        self.defined.append(Node("or", *(Node("and", c, Node("==", found, y)) for c, y in cases)))
        return found

    def _extreme(self, op: str, a: Term, b: Term, ends: Range) -> Term:
        """Return a name for a minimum or a maximum."""
        found = self._new(*ends)
        self.defined += [Node("<=", *((found, y) if op == "min" else (y, found))) for y in (a, b)]
        self.defined.append(Node("or", Node("==", found, a), Node("==", found, b)))
        return found

    def _switch(self, test: Node) -> Term:
        """Return a name that is 1 where a truth holds, and 0 where it does not."""
        s = self._new(0, 1)
        parts = Node("and", test, Node("==", s, 1)), Node("and", _negated(test), Node("==", s, 0))
        self.defined.append(Node("or", *parts))
        return s

    def _divided(self, a: Term, b: Term, ends: Range = (-inf, inf)) -> tuple[Term, Term]:
        """Return the quotient and the remainder of a division by what is at least 1, in names.

        The quotient is known to lie between the ends.
        """
        value = number(b)
        if value.den == ONE and variables(value.num).isdisjoint(ATOMS):
            b = term(value.num)  # as it is written everywhere
        if (a, b) not in self._parts:
            self._parts[a, b] = self._digits(a, b) or self._named(a, b, ends)
            self._rests.setdefault(self._parts[a, b][1], (a, b))
        return self._parts[a, b]

    def _digits(self, a: Term, b: Term) -> tuple[Term, Term] | None:
        """Return what of a division digits are that have names, so that each has one.

        `x % (d*b) // b` is `x // b % d`, and `x % (d*b) % b` is `x % b`; `a // (d*e)` is
        `a // e // d`, and `a % (d*e)` is `a // e % d * e + a % e`, where a is divided by e too.
        """
        x, whole = self._rests.get(a, (a, b))
        if (d := self._times(b, whole)) is not None:
            above, rest = self._divided(x, b)
            return self._divided(above, d)[1], rest
        for e in self._divisors.get(a, ()):
            if (d := self._times(e, b)) is not None:
                above, rest = self._divided(a, e)
                above, digit = self._divided(above, d)
                return above, Node("+", Node("*", e, digit), rest)
        return None

    def _times(self, b: Term, whole: Term) -> Term | None:
        """Return d where a divisor is b times d; both are at least 1, and so is d."""
        p, q = number(whole), number(b)
        d = divide(p.num, q.num) if p.den == q.den == ONE and p != q else None
        return None if d is None else term(d)

    def _named(self, a: Term, b: Term, ends: Range) -> tuple[Term, Term]:
        low, high = self.known.ranges.of(Node("//", a, b))
        q, r = self._new(max(low, ends[0]), min(high, ends[1])), self._new(0, inf)
        self._parts[a, b] = q, r
        self._say(a, b, q, r)
        for e in self._divisors.get(a, ()):  # by the product of both it was divided before
            if (d := self._times(b, e)) is not None and (q, d) not in self._parts:
                self._parts[q, d] = above, digit = self._parts[a, e][0], self._new(0, inf)
                self._rests[digit], self._divisors[q] = (q, d), (*self._divisors.get(q, ()), d)
                self._say(q, d, above, digit)
        self._divisors[a] = (*self._divisors.get(a, ()), b)
        return q, r

    def _say(self, whole: Term, divisor: Term, q: Term, r: Term) -> None:
        """Say what a quotient and a remainder are."""
        both = Node("+", Node("*", divisor, q), r)
        self.defined += [Node("==", whole, both), Node("<", r, divisor)]
        self._divisions.append((whole, divisor, q))

    def rooms(self, given: Iterable[Term]) -> Iterator[Term]:
        """Yield `a // b < e` for quotients with names, where what is given says `a < b*e`."""
        if not self._divisions:
            return
        known = [h for h in given if isinstance(h, Node) and h.op in ("<", "<=")]
        gaps = [self._gap(h) for h in known]
        for whole, divisor, q in self._divisions:
            a, b = self._number(whole), self._number(divisor).num
            for gap in [*gaps]:
                e = divide((gap + a).num, b)
                if e is not None and not variables(e) & ATOMS.keys():
                    room = Node("<", q, term(e))
                    gaps.append(self._gap(room))
                    yield room

    def _number(self, x: Term) -> Ratio:
        """Return what a number is; it is worked out once."""
        found = self._numbers.get(x)
        if found is None:
            found = self._numbers[x] = number(x)
        return found

    def _gap(self, h: Node) -> Ratio:
        """Return by how much the right side of a relation is larger: 1 or more where it holds."""
        low, high = map(self._number, h.args)
        return high - low + 1 if h.op == "<=" else high - low

    def _masked(self, a: Term, mask: int) -> Term | None:
        """Return a & mask where the ones of the mask, or its zeros, are in few pieces."""
        if mask < 0:
            rest = self._masked(a, ~mask)
            return rest if rest is None else Node("+", self.leaf(a), Node("*", rest, -1))
        kept: Term = 0
        for _ in range(MAX_PIECES):
            if not mask:
                break
            low = mask & -mask
            ones = mask & ~(mask + low)
            piece = self.leaf(mul(remainder(over(a, low), ones // low + 1), low))
            kept = piece if kept == 0 else Node("+", kept, piece)
            mask -= ones
        return None if mask else kept

    def _power(self, exponent: Term) -> Term:
        """Return 2**exponent, where exponent is at least 0."""
        key = Node("<<", 1, exponent)
        if key not in self._leaves:
            low, high = self.known.ranges.of(exponent)
            start = 1 << int(low) if 0 <= low < MAX_SHIFT else 1
            self._leaves[key] = self._new(start, 1 << int(high) if 0 <= high < MAX_SHIFT else inf)
        return self._leaves[key]

    def _bits(self, op: str, x: Term, y: Term, both: Term | None) -> Term:
        """Return a name for bits, of which `both` are in x and in y; a sum where none is.

        Where quotients are named it is the sum that it comes to, if that is known.
        """
        a, b = self.leaf(x), self.leaf(y)
        ranges = self.known.ranges
        (low_a, high_a), (low_b, high_b) = ranges.of(x), ranges.of(y)
        apart = (low_b >= 0 and high_b < _step(a)) or (low_a >= 0 and high_a < _step(b))
        if op in ("|", "^") and apart:
            return Node("+", a, b)
        exact: Term | None = None
        if both is not None:  # a ^ b is a + b without what is in both, twice
            exact = Node("+", Node("+", a, b), Node("*", both, -2 if op == "^" else -1))
        if exact is not None and self.named:
            return exact
        found = self._new(*ranges.of(Node(op, x, y)))
        if op == "&":
            self.defined += [Node("<=", found, z) for z, least in ((a, low_a), (b, low_b))
                             if least >= 0]  # fmt: skip
        elif low_a >= 0 and low_b >= 0:
            self.defined.append(Node("<=", found, Node("+", a, b)))
            if op == "|":
                self.defined += [Node("<=", z, found) for z in (a, b)]
        if exact is not None:
            self.defined.append(Node("==", found, exact))
        return found

    def _new(self, low: int | float, high: int | float) -> str:
        name = self._fresh(f"s_{len(self._leaves)}_{len(self.defined)}")
        self.known[name] = (low, high)
        self.defined += [Node("<=", int(low), name)] if low > -inf else []
        self.defined += [Node("<=", name, int(high))] if high < inf else []
        return name

    def _fresh(self, name: str) -> str:
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        self.made.add(name)
        return name

    def unsigned(self, truths: Iterable[Term], bounded: Collection[str]) -> list[Term]:
        """Return truths with a difference for each name that is no dim and has no lower bound."""
        every = list(truths)
        used = set().union(*map(names, every)) if every else set()
        instead: dict[str, Term] = {}
        for n in sorted(used - {*self.dims} - {*bounded}):
            if n not in self._signs:
                self._signs[n] = self._fresh(f"{n}_up"), self._fresh(f"{n}_down")
            a, b = self._signs[n]
            self.defined += [Node("<=", 0, a), Node("<=", 0, b)]
            instead[n] = Node("+", a, Node("*", b, -1))
        return [_whole(substitute(t, instead)) for t in every] if instead else every


def _ordered(op: str, low: Term, high: Term) -> list[Node]:
    """Return what together says that something is below a minimum, or a maximum below something."""
    if op in ("<", "<=") and isinstance(high, Node) and high.op == "min":
        return [Node(op, low, y) for y in high.args]
    if op in ("<", "<=") and isinstance(low, Node) and low.op == "max":
        return [Node(op, y, high) for y in low.args]
    return []


def _whole(x: Term) -> Node:
    """Return a truth as an operation, whatever it folded to."""
    return x if isinstance(x, Node) else Node("==", 0, 0 if x else 1)


def conjuncts(x: Term) -> Iterable[Term]:
    """Yield what a truth says, one by one."""
    if isinstance(x, Node) and x.op == "and":
        for y in x.args:
            yield from conjuncts(y)
    else:
        yield x


def term(p: Poly) -> Term:
    """Return a polynomial as a `Wording` would write it.

    >>> print(text(term({(("M", 2),): 3, (): -1})))
    -1 + M*M*3
    """
    products = [([v for v, e in m for _ in range(e)], c) for m, c in sorted(p.items())]
    return _folded("+", [_folded("*", [*atoms, c]) for atoms, c in products] or [0])


def _folded(op: str, parts: Iterable[Term]) -> Term:
    return reduce(lambda x, y: Node(op, x, y), parts)


def _step(x: Term) -> int:
    """Return the largest power of two that divides a number by its coefficients."""
    common = gcd(*number(x).num.values())
    return common & -common


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
        whole, divisor = args[0].args
        if whole == POWERS and isinstance(divisor, str):
            return divides(dim(divisor), POWERS)  # a power of two is known as one
        return divides(number(divisor), number(whole))
    return _RELATIONS[op](*map(number, args))


def number(x: Term) -> Ratio:
    """Return a number that a `Wording` made as a ratio, with quotients as atoms."""
    if isinstance(x, int):
        return lower(x)
    if isinstance(x, str):
        return Ratio(variable(x), ONE)
    a, b = map(number, x.args)
    if x.op in ("+", "*"):
        return a + b if x.op == "+" else a * b
    sign, kind = _ATOMS[x.op]
    name = f"{sign}({show_ratio(a)},{show_ratio(b)})"
    ATOMS[name] = Atom(kind, a, b)
    return Ratio(variable(name), ONE)
