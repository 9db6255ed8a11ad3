"""Arithmetic at a width, on values: what the machine computes, and when that is what it means.

Why that is what division, bits and wrapping come to: `proofs/lemmas/machine.py` and `bits.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from symcute.expr import terms
from symcute.expr.intervals import ANY, Range, meet
from symcute.expr.node import Node, Term
from symcute.expr.ranges import Ranges
from symcute.kernel.access_map import Computation, Variable
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Int
from symcute.kernel.ir.semantics import BITS
from symcute.kernel.symexec.division import (
    choosing,
    cut_remainder,
    made_positive,
    multiple,
    quotient,
    remainder,
)
from symcute.kernel.symexec.modular import (
    inside,
    is_arithmetic,
    is_large,
    is_modular,
    near_zero,
    wrapped,
)
from symcute.kernel.symexec.record import Quantity
from symcute.kernel.symexec.recorder import Recorder
from symcute.kernel.symexec.state import Needs, Origin, Path, Value

__all__ = ["Arithmetic"]

#: A term of more operations is given up for a number that is not known.
MAX_SIZE = 160
_COMPARISONS: dict[str, Callable[[Term, Term], Term]] = {
    "<": terms.less,
    "<=": terms.at_most,
    "==": terms.equal,
    "!=": terms.unequal,
    ">": lambda a, b: terms.less(b, a),
    ">=": lambda a, b: terms.at_most(b, a),
}
#: What takes numbers for what they are, not only modulo the type.
_USING = frozenset({*_COMPARISONS, "/", "%", ">>", "min", "max"})


@dataclass(frozen=True, slots=True)
class _Site:
    """Where something is computed, and at what type."""

    type: Int
    path: Path
    place: Place


def _within(op: str, a: Value, b: Value, operand: Int, path: Path) -> Range:
    """Return the range of an operation on two values, which lie in their type where it is asked."""
    whole = (operand.low, operand.high)
    sides = {
        name: known if x.origins or isinstance(x.term, int) else meet(known, whole)
        for name, x in (("a", a), ("b", b))
        for known in (path.known.of(x.term),)
    }
    made = Node("+", "a", Node("*", "b", -1)) if op == "-" else Node(op, "a", "b")
    return Ranges(sides).of(made)


class Arithmetic:
    """C's operations on integers, writing down each that may leave its type."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        #: Whether a relation follows on a path, where that takes more than ranges to see.
        self.follows: Callable[[Term, Path], bool] = lambda goal, path: False
        #: The labels of the loops around, from outside in.
        self.around: list[str] = []
        #: Whether what is computed is written in numbers alone, as `0u - 1`.
        self.literal = False
        #: Dims that are powers of two.
        self.powers: frozenset[str] = frozenset()

    def unknown(
        self, type: Int, reason: str, place: Place | None, *,
        low: int | None = None, high: int | None = None, uniform: bool = False,
    ) -> Value:  # fmt: skip
        """Return any value of a type, in [low, high] if these are given."""
        least = type.low if low is None else max(low, type.low)
        most = type.high if high is None else min(high, type.high)
        if least > most:  # nothing is known of it, rather than that it cannot be
            least, most = type.low, type.high
        if least == most:
            return Value(least == 1 if type.bits == 1 else least)
        name = self._recorder.fresh("h")
        variable = Variable(
            name, "havoc", uniform, reason=reason, place=place, around=tuple(self.around)
        )
        always = (terms.at_most(least, name), terms.at_most(name, most))
        self._recorder.add(Quantity(variable, always), (least, most))
        return Value(Node("==", name, 1) if type.bits == 1 else name)

    def compact(self, value: Value, type: Int, path: Path, place: Place | None) -> Value:
        """Return a value, given up for one in its range where it is too large to write."""
        if terms.size(value.term, MAX_SIZE) <= MAX_SIZE:
            return value
        value = self.used(value, path)
        if terms.is_truth(value.term):
            return self.unknown(Int(1, False), "a condition too long to follow", place)
        low, high = path.known.of(value.term)
        given_up = self.unknown(
            type, "an expression too long to follow", place,
            low=int(max(low, type.low)), high=int(min(high, type.high)),
        )  # fmt: skip
        return Value(given_up.term, value.needs, value.needs, value.seen)

    def used(self, value: Value, path: Path) -> Value:
        """Return a value as what uses it has it: whether its type holds it is asked here."""
        if not value.origins:
            return value
        origins, term = value.origins, value.term
        type = origins[0].type
        if inside(type, term, path):
            return replace(value, origins=())
        if value.wraps:
            return Value(wrapped(type, term, path), value.low, value.low, value.seen)
        number = isinstance(term, int)
        found = frozenset(
            self._computed(
                _Site(type, path, o.place), term, value.needs,
                conversion=o.conversion, followed=number, one_of=len(origins),
            )
            for o in origins
        )  # fmt: skip
        if isinstance(term, int):  # the machine goes on with a number
            return Value(type.wrap(term), value.needs, value.low, value.seen | found)
        return Value(term, value.needs | found, value.low, value.seen | found)

    # --- one operation --------------------------------------------------------------------------

    def binary(
        self, op: str, a: Value, b: Value, type: Int, operand: Int, path: Path, place: Place
    ) -> Value:  # fmt: skip
        """Return `a op b`; `operand` is the type of the sides."""
        site = _Site(type, path, place)
        if op in _USING or (type.signed and op in ("+", "-", "*", "<<")):
            low_bits = op == "%" and _cuts_bits(b.term) and not type.signed
            if op in ("==", "!="):
                a, b = self._told_apart(a, b, operand, path)
            else:
                a, b = a if low_bits else self.used(a, path), self.used(b, path)
        elif op == "<<":
            b = self.used(b, path)
        if op in _COMPARISONS:
            truth = self._compared(op, a, b, path)
            return Value(truth, *_both(a, b))
        if op in ("/", "%"):
            result = self._divided(op, a, b, site)
        elif op in ("<<", ">>"):
            result = self._shifted(op, a, b, site)
        elif op in ("&", "|", "^"):
            result = self._bitwise(op, a, b, site)
        elif op in ("min", "max"):
            term = (terms.minimum if op == "min" else terms.maximum)(a.term, b.term)
            needs = a.needs | b.needs
            result = Value(term, needs, needs, a.seen | b.seen)
        else:
            build = {"+": terms.add, "-": terms.difference, "*": terms.mul}[op]
            if not type.signed:
                b = replace(b, term=near_zero(b.term, type))
                a = a if op == "-" else replace(a, term=near_zero(a.term, type))
            within = _within(op, a, b, operand, path)
            modular = any(is_modular(x) for x in (a, b))
            modular |= op == "*" and any(is_large(x.term, type) for x in (a, b))
            result = self._fitted(build(a.term, b.term), _both(a, b), site, within, modular)
            if result.origins and any(x.origins for x in (a, b)):
                x, y = (self._as_written(v, path) for v in (a, b))
                term = build(x.term, y.term)
                if not (x.origins or y.origins) and inside(type, term, path):
                    return Value(term, *_both(x, y))
        return self.compact(result, type, path, place)

    def unary(self, op: str, a: Value, type: Int, path: Path, place: Place) -> Value:
        """Return `-a`, `~a` or `!a`."""
        if op == "!":
            return Value(terms.negate(a.term), a.needs, a.low, a.seen)
        if type.signed:
            a = self.used(a, path)
        negative = terms.mul(a.term, -1)
        site, sets = _Site(type, path, place), (a.needs, a.low, a.seen)
        if op == "~":
            term = terms.add(negative, -1 if type.signed else type.high)
            return self._fitted(term, sets, site) if a.origins else Value(term, *sets)
        return self._fitted(negative, sets, site)

    def bits(
        self, op: str, a: Value, source: Int, type: Int, path: Path, place: Place
    ) -> Value:  # fmt: skip
        """Return what the bits of an unsigned number come to, as one of `BITS`: in its range."""
        a = self.used(a, path)
        low, high = path.known.of(a.term)
        low, high = int(max(low, source.low)), int(min(high, source.high))
        if low >= high:
            return Value(BITS[op](low, source.bits), a.needs, a.needs, a.seen)
        width, most, some = source.bits, high.bit_length(), int(low > 0)
        least, largest = {
            "popc": (some, most),
            "clz": (width - most, width - low.bit_length()),
            "ffs": (some, most),
            "brev": (some, type.high),
        }[op]
        uniform = self._recorder.is_uniform(a.term)
        found = self.unknown(
            type, f"{op} of a number", place, low=least, high=largest, uniform=uniform
        )
        if isinstance(found.term, str):
            # What they come to for 0, they come to for nothing else.
            none = BITS[op](0, width)
            both = terms.all_of(terms.equal(a.term, 0), terms.equal(found.term, none))
            neither = terms.all_of(terms.unequal(a.term, 0), terms.unequal(found.term, none))
            q = self._recorder.quantities[found.term]
            known = self._recorder.known[found.term]
            q = replace(q, always=(*q.always, terms.any_of(both, neither)))
            self._recorder.add(q, known)
        return Value(found.term, a.needs, a.needs, a.seen | found.seen)

    def cast(
        self, a: Value, type: Int, source: Int, path: Path, place: Place, explicit: bool
    ) -> Value:  # fmt: skip
        """Return the value converted from one type to another."""
        if type.bits == 1:
            a, _ = self._told_apart(a, Value(0), source, path)
            truth = a.term if terms.is_truth(a.term) else terms.unequal(a.term, 0)
            return Value(truth, a.needs, a.needs, a.seen)
        narrows = type.bits <= source.bits
        if not narrows:
            a = self.used(a, path)
        if terms.is_truth(a.term):
            return Value(terms.number_of(a.term), a.needs, a.needs, a.seen)
        low = a.low if narrows else a.needs
        # A number of the type that is congruent to what is converted is what comes of it.
        if narrows and inside(type, a.term, path):
            return Value(a.term, low, low, a.seen)
        if not a.origins and inside(type, a.term, path, (source.low, source.high)):
            return Value(a.term, a.needs, low, a.seen)
        origin = Origin(type, place, True, explicit or self.literal)
        return Value(a.term, low, low, a.seen, (origin,))

    def _told_apart(self, a: Value, b: Value, type: Int, path: Path) -> tuple[Value, Value]:
        """Return two values of a type that are equal just where the machine has the same number.

        What unsigned arithmetic comes to may leave its type where that tells nothing apart: two
        numbers that are less than 2 to the bits apart are congruent only if they are equal.
        """
        a, b = (x if is_arithmetic(x) else self.used(x, path) for x in (a, b))
        if a.origins or b.origins:
            full = 1 << type.bits
            low, high = path.known.of(terms.difference(a.term, b.term))
            if -full < low and high < full:
                a, b = (Value(x.term, x.low, x.low, x.seen) if x.origins else x for x in (a, b))
        return self.used(a, path), self.used(b, path)

    def _as_written(self, a: Value, path: Path) -> Value:
        """Return the number that a conversion leaves, where the programmer wrote one."""
        return self.used(a, path) if all(o.meant for o in a.origins) else a

    # --- how ------------------------------------------------------------------------------------

    def _computed(
        self, site: _Site, value: Term, needs: Needs, *, conversion: bool = False,
        divisor: Term | None = None, shift: Term | None = None, followed: bool = False,
        one_of: int = 1,
    ) -> int:  # fmt: skip
        found = Computation(
            value, site.type, (), (), site.place, "other", terms.show(value), needs,
            divisor, shift, conversion, followed,
        )  # fmt: skip
        return self._recorder.computation(found, site.path, here=one_of > 1)

    def _fitted(
        self, term: Term, sets: tuple[Needs, Needs, Needs], site: _Site, within: Range = ANY,
        meant: bool = False, conversion: bool = False,
    ) -> Value:  # fmt: skip
        """Return the result of arithmetic that is congruent to a term at the type."""
        needs, low, seen = sets
        if inside(site.type, term, site.path, within):
            return Value(term, needs, low, seen)
        if not site.type.signed:
            origin = Origin(site.type, site.place, meant=meant or self.literal)
            return Value(term, needs, low, seen, (origin,))
        number = self._computed(site, term, needs, conversion=conversion)
        return Value(term, needs | {number}, low, seen | {number})

    def _compared(self, op: str, a: Value, b: Value, path: Path) -> Term:
        if terms.is_truth(a.term) or terms.is_truth(b.term):
            truth = _COMPARISONS[op](_number(a.term), _number(b.term))
        else:
            truth = _COMPARISONS[op](a.term, b.term)
        decided = path.decides(truth)
        return truth if decided is None else decided

    def _bitwise(self, op: str, a: Value, b: Value, site: _Site) -> Value:
        if site.type.bits == 1:
            return _logical(op, a, b)
        if isinstance(a.term, int):
            a, b = b, a
        needs, low, seen = _both(a, b)
        if op == "&" and isinstance(b.term, int) and b.term >= 0:
            mask, full = b.term, 1 << site.type.bits
            if not site.type.signed and mask and mask + (mask & -mask) == full:
                mask -= full  # all bits from one up: a multiple of a power of two
            else:
                needs = low
            term = self._masked(a.term, mask, site.path)
        elif op == "&" and (power := self._power(b)):
            term = remainder(a.term, power, site.path)
        elif op == "&" and (power := self._power(a)):
            term = remainder(b.term, power, site.path)
        elif op == "^" and _all_bits(b.term, site.path.known.of(a.term)):
            term = terms.sub(b.term, a.term)
        else:
            build = {"&": terms.bit_and, "|": terms.bit_or, "^": terms.bit_xor}[op]
            term = build(a.term, b.term)
        if (a.origins or b.origins) and not inside(site.type, term, site.path):
            # Bits never leave their type: a number that is converted for them does.
            return Value(term, needs, low, seen, (Origin(site.type, site.place, True),))
        return Value(term, needs, low, seen)

    def _power(self, mask: Value) -> str:
        """Return the power of two of which a mask, which has not wrapped, is one less."""
        p = {} if mask.origins else terms.polynomial(mask.term) or {}
        return next((n for n in self.powers if p == {(n,): 1, (): -1}), "")

    def _masked(self, a: Term, mask: int, path: Path) -> Term:
        """Return a & mask, simply where all that the mask leaves out is 0."""
        if _all_bits(mask, path.known.of(a)):
            return a
        if mask > 0 and mask & (mask + 1) == 0:
            return remainder(a, mask + 1, path)
        return terms.bit_and(a, mask)

    def _shifted(self, op: str, a: Value, b: Value, site: _Site) -> Value:
        bits = site.type.bits
        needs, seen = a.needs | b.needs, a.seen | b.seen
        low = a.low | b.needs
        count = b.term
        least, most = site.path.known.of(count)
        if least < 0 or most >= bits:
            clear = terms.minimum(terms.maximum(count, 0), bits - 1)
            number = self._computed(site, 0, needs, shift=count)
            needs, low, seen = needs | {number}, low | {number}, seen | {number}
            count = clear
        if op == ">>":
            if isinstance(count, int):
                term = quotient(a.term, 1 << count, site.path)
            else:
                term = terms.shift_right(a.term, count)
            return Value(term, needs, needs, seen)
        # Of a signed number the bits are shifted, and what they are is converted back.
        term, sets = terms.shift_left(a.term, count), (needs, low, seen)
        return self._fitted(term, sets, site, conversion=site.type.signed)

    def _divided(self, op: str, a: Value, b: Value, site: _Site) -> Value:
        needs, seen = a.needs | b.needs, a.seen | b.seen
        known, divisor = site.path.known, b.term
        least, most = meet(known.of(divisor), (site.type.low, site.type.high))
        if least <= 0 <= most:
            number = self._computed(site, 0, needs, divisor=divisor)
            needs, seen = needs | {number}, seen | {number}
        if op == "%" and _cuts_bits(divisor) and not site.type.signed:
            return Value(remainder(a.term, divisor, site.path), a.low, a.low, seen)
        size = divisor  # how large the divisor is, at least 1
        if least < 1:
            # Whoever divides by a number that is made of others means one above 0, mostly.
            above = not isinstance(divisor, int) and least < 0
            if above and self.follows(terms.less(0, divisor), site.path):
                least = 0
            size = terms.if_(terms.less(0, divisor), divisor, terms.mul(divisor, -1))
            size = terms.maximum(divisor if least == 0 else size, 1)
        negative = site.type.signed and choosing(known, a.term).of(a.term)[0] < 0
        if negative and multiple(a.term, divisor) is not None:
            negative = False  # nothing is rounded
        if negative and self._counts_down(a.term):
            negative = not self.follows(terms.at_most(0, a.term), site.path)
        if op == "%":
            term = remainder(a.term, size, site.path)
            if negative:
                made = made_positive(a.term, size) if least > 0 else None
                term = cut_remainder(a.term, size) if made is None else made
            return Value(term, needs, needs, seen)
        whole = terms.if_(terms.less(a.term, 0), terms.mul(a.term, -1), a.term)
        magnitude = whole if negative else a.term
        term = quotient(magnitude, size, site.path)
        opposite = terms.less(a.term, 0) if negative else False
        if least < 0:
            flipped = terms.less(divisor, 0)
            opposite = terms.if_truth(flipped, terms.negate(opposite), opposite)
        term = terms.if_(opposite, terms.mul(term, -1), term)
        if least > -1 or most < -1:  # else the smallest number by -1 leaves the type
            return Value(term, needs, needs, seen)
        return self._fitted(term, (needs, needs, seen), site)

    def _counts_down(self, a: Term) -> bool:
        """Return whether a coordinate is taken away from something, as from a number of blocks."""
        taken = {n for m, c in (terms.polynomial(a) or {}).items() if c < 0 for n in m}
        known = self._recorder.quantities
        coordinates = (n for n in taken if isinstance(n, str) and n in known)
        return any(known[n].variable.kind in ("block", "thread") for n in coordinates)


def _all_bits(mask: Term, known: Range) -> bool:
    """Return whether a mask has all the bits that a number in a range may have."""
    if not isinstance(mask, int) or not _cuts_bits(mask + 1):
        return False
    return known[0] >= 0 and known[1] <= mask


def _cuts_bits(divisor: Term) -> bool:
    """Return whether what a division leaves are the low bits."""
    return isinstance(divisor, int) and divisor > 0 and divisor & (divisor - 1) == 0


def _both(a: Value, b: Value) -> tuple[Needs, Needs, Needs]:
    return a.needs | b.needs, a.low | b.low, a.seen | b.seen


def _number(a: Term) -> Term:
    return terms.number_of(a) if terms.is_truth(a) else a


def _logical(op: str, a: Value, b: Value) -> Value:
    if op == "&":
        term = terms.all_of(a.term, b.term)
    elif op == "|":
        term = terms.any_of(a.term, b.term)
    else:
        term = terms.if_truth(a.term, terms.negate(b.term), b.term)
    return Value(term, *_both(a, b))
