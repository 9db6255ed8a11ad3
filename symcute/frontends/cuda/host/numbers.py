"""Integers of host code as terms: C's arithmetic, and what of it is left when sizes are known.

A sum at a signed type does not overflow in a program that means anything, which is a fact from
there on. What wraps or cuts towards zero is a name with a definition as long as it is not known
whether it does; when the launch says more (a grid has at least one block), definitions fall away.
"""

from __future__ import annotations

import math
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from symcute.expr import terms
from symcute.expr.intervals import Range
from symcute.expr.node import Node, Term
from symcute.expr.ranges import Ranges, ranges_under
from symcute.kernel.ir.expression import Binary
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Int

__all__ = ["Fact", "Numbers", "Symbol", "choice_in", "chosen", "number_of"]

#: How often the launch is asked what it says of definitions.
ROUNDS = 6
#: How many ways a number may go that is converted.
CHOICES = 8
#: What stands for a number that is not followed.
_ANY = "the result of symcute_any"
_PLAIN: dict[str, Callable[[Term, Term], Term]] = {
    "+": terms.add, "-": terms.sub, "*": terms.mul,
}  # fmt: skip
_COMPARED: dict[str, Callable[[Term, Term], Term]] = {
    "<": terms.less, "<=": terms.at_most, "==": terms.equal, "!=": terms.unequal,
    ">": lambda a, b: terms.less(b, a), ">=": lambda a, b: terms.at_most(b, a),
}  # fmt: skip


@dataclass(frozen=True)
class Fact:
    """What holds of every execution that comes here, where it is seen, and why it does.

    `chosen`: a side of a choice supposes it, which says nothing of the other.
    """

    holds: Term
    place: Place
    why: str
    chosen: bool = False


@dataclass
class Symbol:
    """An integer that host code does not compute: what it is called, and what it comes from.

    `free`: any value of its range is one that a caller, or who runs the program, can give it.
    """

    title: str
    type: Int
    reason: str
    place: Place
    free: bool = False


@dataclass(frozen=True)
class _Defined:
    """What a name stands for: "wrap", C's "/" or "%", or "/" where a choice then rounds up.

    Which does so where anything is left ("up"), or where what is left is above 0 ("above").
    """

    op: str
    a: Term
    b: Term
    type: Int


@dataclass
class Numbers:
    """The symbols of a function, and terms over them."""

    symbols: dict[str, Symbol] = field(default_factory=dict)
    ranges: dict[str, Range] = field(default_factory=dict)
    _defined: dict[str, _Defined] = field(default_factory=dict)
    _names: dict[_Defined, str] = field(default_factory=dict)
    _known: dict[tuple[Fact, ...], Ranges] = field(default_factory=dict)

    def fresh(self, symbol: Symbol, low: int | None = None, high: int | None = None) -> Term:
        """Return a new integer of a type, or a truth."""
        name = f"s{len(self.symbols)}"
        self.symbols[name] = symbol
        type = symbol.type
        self.ranges[name] = (type.low if low is None else low, type.high if high is None else high)
        return terms.unequal(name, 0) if type.bits == 1 else name

    def bound(self, name: str, low: float, high: float) -> None:
        """Let a symbol lie between bounds as well, unless that leaves it no value."""
        least, most = self.ranges[name]
        within = max(least, low), min(most, high)
        if within != (least, most) and within[0] <= within[1]:
            self.ranges[name] = within
            self._known.clear()

    def known(self, facts: tuple[Fact, ...]) -> Ranges:
        """Return what facts say that terms lie between."""
        if facts not in self._known:
            truths = [f.holds for f in facts]
            spoken = set[str]().union(*map(terms.names, truths))
            names = ranges_under(truths, {n: self.ranges[n] for n in spoken})
            found = Ranges(ChainMap(names, self.ranges))
            for t in truths:
                found = found.narrowed(t)
            self._known[facts] = found
        return self._known[facts]

    def spoken(self, said: Iterable[Term]) -> set[str]:
        """Return the names in terms, and in what defined names stand for."""
        waiting, seen = list(said), set[str]()
        while waiting:
            for name in terms.names(waiting.pop()) - seen:
                seen.add(name)
                if name in self._defined:
                    made = self._defined[name]
                    waiting += [made.a, made.b]
        return seen

    def is_defined(self, name: str) -> bool:
        """Does a name stand for what wraps, or cuts towards zero?"""
        return name in self._defined

    def defines(self, name: str) -> bool:
        """Does a name stand in what wraps, or cuts towards zero?"""
        made = self._defined.values()
        return any(name in terms.names(x) for d in made for x in (d.a, d.b))

    def is_hazy(self, name: str) -> bool:
        """May a value of a symbol be one that no execution gives it?"""
        if name in self._defined:
            made = self._defined[name]
            return any(self.is_hazy(n) for x in (made.a, made.b) for n in terms.names(x))
        symbol = self.symbols.get(name)
        if symbol is None or symbol.reason == _ANY:
            return True
        return not (symbol.free or symbol.reason.startswith("the result of "))

    # --- arithmetic

    def converted(self, a: Term, of: Int, to: Int, facts: tuple[Fact, ...]) -> Term:
        """Return an integer as one of another type."""
        if of.bits == 1:
            return a if to.bits == 1 else terms.number_of(a)
        return terms.unequal(a, 0) if to.bits == 1 else self._wrapped(a, to, facts)

    def combined(
        self, e: Binary, a: Term, b: Term, facts: tuple[Fact, ...]
    ) -> tuple[Term | None, tuple[Fact, ...]]:
        """Return what an operation gives, or None, and the facts with what it says by itself."""
        op, type = e.op, e.type
        if op in _COMPARED:
            holds = _COMPARED[op](_number(a), _number(b))
            told = self.known(facts).decides(holds)
            return (holds if told is None else told), facts
        if op in ("&&", "||"):
            return (terms.all_of if op == "&&" else terms.any_of)(a, b), facts
        if op in _PLAIN:
            return self._fitted(_PLAIN[op](a, b), e, facts)
        if op in ("min", "max"):
            return (terms.minimum if op == "min" else terms.maximum)(a, b), facts
        if op in ("/", "%"):
            facts = _with(facts, terms.unequal(b, 0), e.place, "nothing is divided by 0")
            return self._divided(op, a, b, type, facts), facts
        if op in ("<<", ">>") and type_of_number(b):
            assert isinstance(b, int)
            if not 0 <= b < type.bits:
                return None, facts
            if op == "<<":  # drops bits above the type's, also of signed numbers
                return self._wrapped(terms.shift_left(a, b), type, facts), facts
            return terms.shift_right(a, b), facts
        if op == "&" and (type_of_number(a) or type_of_number(b)):
            # Above the sign there are ones without an end: of a type without one, its own zeros.
            x, mask = (a, b) if type_of_number(b) else (b, a)
            assert isinstance(mask, int)
            if not type.signed and mask >> type.bits - 1:
                mask -= 1 << type.bits
            return terms.bit_and(x, mask), facts
        return None, facts

    def _fitted(
        self, value: Term, e: Binary, facts: tuple[Fact, ...]
    ) -> tuple[Term, tuple[Fact, ...]]:
        type = e.type
        low, high = self.known(facts).of(value)
        if type.low <= low and high <= type.high:
            return value, facts
        if not type.signed:
            return self._wrapped(value, type, facts), facts
        why = "signed arithmetic of the host does not overflow"
        if low < type.low:
            facts = _with(facts, terms.at_most(type.low, value), e.place, why)
        if high > type.high:
            facts = _with(facts, terms.at_most(value, type.high), e.place, why)
        return value, facts

    def _wrapped(self, a: Term, type: Int, facts: tuple[Fact, ...], most: int = CHOICES) -> Term:
        low, high = self.known(facts).of(a)
        if type.low <= low and high <= type.high:
            return a
        a = self.rounded_up(a)
        choice = choice_in(a)
        if choice is not None and most > 1:  # what is chosen is seen from outside
            ways = (chosen(a, choice, way) for way in (1, 2))
            one, other = (self._wrapped(way, type, facts, most // 2) for way in ways)
            return terms.if_(choice.args[0], one, other)
        return type.wrap(a) if isinstance(a, int) else self._define("wrap", a, 0, type)

    def rounded_up(self, a: Term) -> Term:
        """Return a number, as one division where it is a quotient that a choice rounds up.

        `n % b != 0 ? n / b + 1 : n / b`, or `n / b + (n % b > 0)`: `ceiling_by_a_choice` of
        `proofs/lemmas/rounding.py`.
        """
        choice = choice_in(a)
        if choice is None:
            return a
        test, one, other = choice.args[0], chosen(a, choice, 1), chosen(a, choice, 2)
        if isinstance(test, Node) and test.op == "==":
            test, one, other = terms.negate(test), other, one
        exact = self._sides("/", other)
        if exact is None or one != terms.add(other, 1):
            return a
        x, by = exact
        if not isinstance(other, str):
            rest = terms.remainder(x, by)
            exactly = test in (terms.unequal(rest, 0), terms.less(0, rest))
            return terms.divide(terms.add(x, terms.sub(by, 1)), by) if exactly else a
        type = self._defined[other].type
        left = self._names.get(_Defined("%", x, by, type))
        # What is left of a number below 0 is below 0 too: it counts which of both is asked.
        asked = {} if left is None else {terms.unequal(left, 0): "up", terms.less(0, left): "above"}
        return self._define(asked[test], x, by, type) if test in asked else a

    def _sides(self, op: str, a: Term) -> tuple[Term, Term] | None:
        """Return what a quotient or a remainder is of, and by what."""
        if isinstance(a, str) and a in self._defined:
            made = self._defined[a]
            return (made.a, made.b) if made.op == op else None
        plain = {"/": "//", "%": "%"}[op]
        return (a.args[0], a.args[1]) if isinstance(a, Node) and a.op == plain else None

    def _divided(self, op: str, a: Term, b: Term, type: Int, facts: tuple[Fact, ...]) -> Term:
        known = self.known(facts)
        if isinstance(a, int) and isinstance(b, int) and b:
            q = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return q if op == "/" else a - q * b
        if known.of(a)[0] >= 0 and known.of(b)[0] >= 1:
            return (terms.divide if op == "/" else terms.remainder)(a, b)
        return self._define(op, a, b, type)

    def _define(self, op: str, a: Term, b: Term, type: Int) -> str:
        made = _Defined(op, a, b, type)
        if made not in self._names:
            name = f"d{len(self._names)}"
            self._names[made], self._defined[name] = name, made
            self.ranges[name] = (type.low, type.high)
        return self._names[made]

    # --- definitions that fall away

    def settled(self, facts: Iterable[Fact]) -> tuple[tuple[Fact, ...], Callable[[Term], Term]]:
        """Return facts without the definitions that they decide, and what does that to a term."""
        now = tuple(facts)
        for _ in range(ROUNDS):
            known = self.known(now)
            more = [x for f in now if f.holds is not True for x in (f, *self._fixed(f, known))]
            for name, made in self._defined.items():
                more += self._told(name, made, known, now)
            again = tuple(dict.fromkeys(self._without(f, known) for f in more))
            again = tuple(f for f in again if f.holds is not True)
            if again == now:
                break
            now = again
        known = self.known(now)

        def resolve(term: Term) -> Term:
            return term if self._gives_value(term) else self._written(self._resolved(term, known))

        return now, resolve

    def _gives_value(self, holds: Term) -> bool:
        """Does a fact give a name its one value? One that is computed goes on to be that."""
        two = holds.args if isinstance(holds, Node) and holds.op == "==" else ()
        named = len(two) == 2 and isinstance(two[0], str) and two[0] not in self._defined
        return named and type_of_number(two[1])

    def _fixed(self, fact: Fact, known: Ranges) -> Iterator[Fact]:
        """Yield of names in a fact which one value they have, where they have no more."""
        free = () if self._gives_value(fact.holds) else terms.names(fact.holds)
        for name in sorted(n for n in free if n not in self._defined):
            low, high = known.of(name)
            if low == high:
                yield Fact(terms.equal(name, int(low)), fact.place, fact.why)

    def _without(self, f: Fact, known: Ranges) -> Fact:
        holds = f.holds if self._gives_value(f.holds) else self._resolved(f.holds, known)
        return Fact(holds, f.place, f.why)

    def _told(
        self, name: str, made: _Defined, known: Ranges, facts: tuple[Fact, ...]
    ) -> list[Fact]:
        """Return what the range of a defined name says of what it is defined by."""
        users = [f for f in facts if name in terms.names(f.holds)]
        if not users:
            return []
        place, why = users[0].place, users[0].why
        (low, high), (least, most) = known.of(name), known.of(made.a)
        if made.op == "wrap":
            size = 1 << made.type.bits
            if least > high - size and most < size + low:
                return [
                    Fact(terms.at_most(int(low), made.a), place, why),
                    Fact(terms.at_most(made.a, int(high)), place, why),
                ]
        above = {"/": made.b, "above": 1, "up": terms.sub(1, made.b)}.get(made.op)
        if above is not None and low >= 1 and known.of(made.b)[0] >= 1:
            return [Fact(_at_most(above, made.a), place, why)]
        return []

    def _resolved(self, term: Term, known: Ranges) -> Term:
        if isinstance(term, str) and term in self._defined:
            made = self._defined[term]
            a, b = self._resolved(made.a, known), self._resolved(made.b, known)
            least, most = known.of(a)
            if made.op == "wrap":
                return self._in_type(a, (least, most), made.type)
            build = terms.remainder if made.op == "%" else terms.divide
            if least >= 0 and known.of(b)[0] >= 1:
                up = terms.sub(b, 1) if made.op in ("up", "above") else 0
                return build(terms.add(a, up), b)
            if most <= 0 and known.of(b)[0] >= 1 and made.op != "up":
                return terms.mul(build(terms.mul(a, -1), b), -1)
            if made.op == "up" and most < 0 and known.of(terms.add(a, b))[0] >= 1:
                return 1
            return self._define(made.op, a, b, made.type)
        if isinstance(term, str):
            low, high = known.of(term)
            return int(low) if low == high else term
        if isinstance(term, Node):
            new = [self._resolved(x, known) for x in term.args]
            return term if list(term.args) == new else terms.build(term.op, *new)
        return term

    def _in_type(self, a: Term, known: Range, type: Int) -> Term:
        """Return what is left of a number in a type, written out where it wraps as often always."""
        size, (least, most) = 1 << type.bits, known
        if math.isfinite(least) and math.isfinite(most):
            rounds = {(int(end) - type.low) // size for end in known}
            if len(rounds) == 1:
                return terms.add(a, -size * rounds.pop())
        return self._define("wrap", a, 0, type)

    def signed(self, said: Iterable[Term], known: Ranges) -> Term | None:
        """Return a number in terms of which it counts that it may be below 0, if there is one.

        It is divided, rounding towards zero, or becomes one without a sign.
        """
        for name in sorted(self.spoken(said) & self._defined.keys()):
            made = self._defined[name]
            matters = not made.type.signed if made.op == "wrap" else known.of(made.b)[0] >= 1
            plain = not terms.names(made.a) & self._defined.keys()
            least, most = known.of(made.a)
            if matters and plain and least < 0 <= most:
                return made.a
        return None

    def _written(self, term: Term) -> Term:
        """Return a term in which what wraps is written out."""
        if isinstance(term, str) and term in self._defined:
            made = self._defined[term]
            if made.op != "wrap":
                return term
            size, low = 1 << made.type.bits, made.type.low
            rest = terms.remainder(terms.add(self._written(made.a), -low), size)
            return terms.add(rest, low)
        if isinstance(term, Node):
            return terms.build(term.op, *map(self._written, term.args))
        return term


def number_of(truth: Term, known: Ranges) -> Term | None:
    """Return the number that a truth is, where that is one without a choice."""
    if not isinstance(truth, Node):
        return int(bool(truth))
    match truth.op, truth.args:
        case "<" | "<=", (left, right):
            gap = terms.add(terms.sub(right, left), int(truth.op == "<="))
            return terms.minimum(terms.maximum(gap, 0), 1)
        case "==" | "!=", (str(name), 0):
            low, high = known.of(name)
            if low >= 0 and high <= 1:
                return name if truth.op == "!=" else terms.sub(1, name)
    return None


def choice_in(term: Term | None) -> Node | None:
    """Return a choice between two integers that is part of a term, an inner one first."""
    if not isinstance(term, Node):
        return None
    inner = next((c for c in map(choice_in, term.args) if c is not None), None)
    return inner or (term if term.op == "if" else None)


def chosen(term: Term, choice: Node, way: int) -> Term:
    """Return a term in which one side of a choice stands for it: the first, or the second."""
    if term is choice:
        return choice.args[way]
    if isinstance(term, Node):
        return terms.build(term.op, *(chosen(x, choice, way) for x in term.args))
    return term


def _at_most(a: Term, b: Term) -> Term:
    """Return a <= b with what is on both sides taken off."""
    gap = terms.polynomial(terms.sub(b, a))
    if gap is None:
        return terms.at_most(a, b)
    rest = gap.pop((), 0)
    return terms.at_most(-rest, terms.from_polynomial(gap))


def type_of_number(term: Term) -> bool:
    """Is a term an integer that is written down?"""
    return type(term) is int


def _number(term: Term) -> Term:
    return terms.number_of(term) if terms.is_truth(term) else term


def _with(facts: tuple[Fact, ...], holds: Term, place: Place, why: str) -> tuple[Fact, ...]:
    if holds is True or any(f.holds == holds for f in facts):
        return facts
    return (*facts, Fact(holds, place, why))
