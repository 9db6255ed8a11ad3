"""Expressions as values and addresses."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, product

from symcute.expr import terms
from symcute.expr.node import Node, Term
from symcute.kernel.access_map import Variable
from symcute.kernel.ir.expression import (
    Base,
    Binary,
    Builtin,
    Cast,
    Const,
    Expr,
    PtrAdd,
    Select,
    Unary,
    Var,
)
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Array, Int, Pointer
from symcute.kernel.ir.semantics import BITS
from symcute.kernel.symexec.arithmetic import MAX_SIZE, Arithmetic
from symcute.kernel.symexec.record import Quantity
from symcute.kernel.symexec.recorder import Recorder
from symcute.kernel.symexec.state import NOTHING, Address, Option, Path, State, SymbolicValue, Value

__all__ = ["Expressions", "integer", "pick"]

_BOOL = Int(1, False)
_POINTERS = "pointers that may be into different arrays"
#: The memory that pointers of the host are into.
_GIVEN = {"global", "constant"}
#: A pointer that may point to more places is one that is not known.
MAX_OPTIONS = 8


class Expressions:
    """Evaluates expressions for the generic thread."""

    def __init__(
        self, recorder: Recorder, arithmetic: Arithmetic, builtins: dict[str, Value],
        arrays: Iterable[Array],
    ) -> None:  # fmt: skip
        self._recorder = recorder
        self._arithmetic = arithmetic
        self._builtins = builtins
        self._arrays = {a.name: a for a in arrays}

    def value(self, expr: Expr, state: State, path: Path | None = None) -> Value:
        """Return what an integer expression is."""
        found = self.world(expr, state, state.path if path is None else path)
        if isinstance(found, Address):
            raise TypeError(f"{expr} is a pointer")
        return found

    def address(self, expr: Expr, state: State, path: Path | None = None) -> Address:
        """Return what a pointer expression is."""
        found = self.world(expr, state, state.path if path is None else path)
        if isinstance(found, Value):
            raise TypeError(f"{expr} is no pointer")
        return found

    def world(self, expr: Expr, state: State, path: Path) -> SymbolicValue:
        """Return what an expression is where a path has led."""
        if not self._arithmetic.literal and _is_literal(expr):
            self._arithmetic.literal = True
            try:
                return self.world(expr, state, path)
            finally:
                self._arithmetic.literal = False
        match expr:
            case Const(value=number, type=type):
                return Value(number != 0 if type.bits == 1 else number)
            case Var():
                return self._variable(expr, state)
            case Builtin(name=name, type=type):
                if name not in self._builtins:
                    return self._arithmetic.unknown(type, name, None)
                return self._builtins[name]
            case Base(array=array):
                return Address((Option(array),))
            case PtrAdd():
                return self._moved(expr, state, path)
            case Select():
                return self._selected(expr, state, path)
            case Cast(arg=arg, type=type, place=place, explicit=explicit):
                source = arg.type
                if isinstance(source, Pointer):
                    return self._arithmetic.unknown(type, "a pointer made a number", place)
                inner = self.value(arg, state, path)
                return self._arithmetic.cast(inner, type, source, path, place, explicit)
            case Unary(op=op, arg=arg, type=type, place=place):
                inner = self.value(arg, state, path)
                if op in BITS and isinstance(arg.type, Int):
                    return self._arithmetic.bits(op, inner, arg.type, type, path, place)
                return self._arithmetic.unary(op, inner, type, path, place)
            case Binary():
                return self._binary(expr, state, path)

    def _variable(self, expr: Var, state: State) -> SymbolicValue:
        found = state.env.get(expr.name)
        if found is None:
            if isinstance(expr.type, Pointer):
                found = Address((Option(None),))
            else:
                reason = f"{expr.name}, which is not set on every way here"
                found = self._arithmetic.unknown(expr.type, reason, None)
            state.env[expr.name] = found
        return found

    def _moved(self, expr: PtrAdd, state: State, path: Path) -> Address:
        base = self.address(expr.pointer, state, path)
        index = self.value(expr.index, state, path)
        type = expr.index.type
        # An address is modulo 2**64, and so is an index of that width.
        wide = isinstance(type, Int) and type.bits >= 64
        if not wide:
            index = self._arithmetic.used(index, path)
        by = terms.mul(integer(index.term), expr.scale)
        options = []
        for o in base.options:
            offset = terms.add(o.offset, by)
            if terms.size(offset, MAX_SIZE) > MAX_SIZE:
                whole = self._arithmetic.unknown(
                    Int(64, True), "an offset too long to follow", expr.place
                )
                offset = whole.term
            options.append(Option(o.array, offset, o.when))
        needs = index.low if wide else index.needs
        return Address(tuple(options), base.needs | needs, base.seen | index.seen)

    def _selected(self, expr: Select, state: State, path: Path) -> SymbolicValue:
        test = self.value(expr.test, state, path)
        then = path.under(test.term, test.needs)
        other = path.under(terms.negate(test.term), test.needs)
        if then is None or other is None:
            only = expr.other if then is None else expr.then
            way = then or other or path
            return self.world(only, state, way).resting_on(test.needs)
        a, b = self.world(expr.then, state, then), self.world(expr.other, state, other)
        found = pick(test.term, a, b).resting_on(test.needs)
        if isinstance(found, Value) and isinstance(expr.type, Int) and hasattr(expr.test, "place"):
            return self._arithmetic.compact(found, expr.type, path, expr.test.place)
        return found

    def _binary(self, expr: Binary, state: State, path: Path) -> Value:
        if expr.op in ("&&", "||"):
            return self._short(expr, state, path)
        operand = expr.left.type
        if isinstance(operand, Pointer):
            return self._of_pointers(expr, state, path)
        a, b = self.value(expr.left, state, path), self.value(expr.right, state, path)
        return self._arithmetic.binary(expr.op, a, b, expr.type, operand, path, expr.place)

    def _short(self, expr: Binary, state: State, path: Path) -> Value:
        """Return `left && right` or `left || right`; the right side only where it is asked."""
        a = self.value(expr.left, state, path)
        both = expr.op == "&&"
        further = path.under(a.term if both else terms.negate(a.term), a.needs)
        if further is None:
            return Value(not both, a.needs, a.needs, a.seen)
        b = self.value(expr.right, state, further)
        join = terms.all_of if both else terms.any_of
        needs = a.needs | b.needs
        found = Value(join(a.term, b.term), needs, needs, a.seen | b.seen)
        return self._arithmetic.compact(found, _BOOL, path, expr.place)

    def _of_pointers(self, expr: Binary, state: State, path: Path) -> Value:
        a, b = self.address(expr.left, state, path), self.address(expr.right, state, path)
        needs, seen = a.needs | b.needs, a.seen | b.seen
        one = len(a.options) == len(b.options) == 1
        p, q = a.options[0], b.options[0]
        if one and p.array is not None and p.array == q.array:
            x, y = Value(p.offset, needs, needs, seen), Value(q.offset, needs, needs, seen)
            wide = Int(64, True)
            return self._arithmetic.binary(expr.op, x, y, expr.type, wide, path, expr.place)
        if expr.op not in ("==", "!=") or not (_is_one(a) and _is_one(b)):
            return self._arithmetic.unknown(expr.type, _POINTERS, expr.place)
        same = terms.any_of(
            *(
                terms.all_of(*p.when, *q.when, self._are_same(p, q, expr.place))
                for p, q in product(a.options, b.options)
            )
        )
        found = Value(same if expr.op == "==" else terms.negate(same), needs, needs, seen)
        return self._arithmetic.compact(found, _BOOL, path, expr.place)

    def _are_same(self, p: Option, q: Option, place: Place) -> Term:
        """Return whether two places are one."""
        if p.array is None or q.array is None:
            return self._arithmetic.unknown(_BOOL, _POINTERS, place).term
        if p.array == q.array:
            return terms.equal(p.offset, q.offset)
        if self._are_apart(p, q):
            return False
        if p.offset != 0 or q.offset != 0:
            return self._arithmetic.unknown(_BOOL, _POINTERS, place).term
        key = ("same", *sorted((p.array, q.array)))
        name = self._recorder.loads.get(key)
        if name is None:  # the same for all threads, whenever it is asked
            name = self._recorder.loads[key] = self._recorder.fresh("h")
            variable = Variable(name, "havoc", True, reason=_POINTERS, place=place)
            always = (terms.at_most(0, name), terms.at_most(name, 1))
            self._recorder.add(Quantity(variable, always), (0, 1))
        return Node("==", name, 1)

    def _are_apart(self, p: Option, q: Option) -> bool:
        """Return whether two places in two arrays are never one.

        A pointer that a kernel is given may be null, and behind an array another one may begin.
        """
        x, y = (self._arrays[str(o.array)] for o in (p, q))
        for one, other in ((x, y), (y, x)):
            if one.bytes == 0:  # no variable is where the null pointer points
                return other.space not in _GIVEN or bool(other.bytes)
        if x.space != y.space and not {x.space, y.space} <= _GIVEN:
            return True
        whole = all(a.bytes and not a.view_of for a in (x, y))
        return whole and p.offset == q.offset == 0


def _is_one(address: Address) -> bool:
    """Return whether the conditions of one option alone hold."""
    return all(
        any(terms.negate(t) in q.when for t in p.when) for p, q in combinations(address.options, 2)
    )


def _is_literal(expr: Expr) -> bool:
    """Return whether an operation is one on numbers alone."""
    if isinstance(expr, Binary):
        return _of_numbers(expr.left) and _of_numbers(expr.right)
    return isinstance(expr, (Unary, Cast)) and _of_numbers(expr.arg)


def _of_numbers(expr: Expr) -> bool:
    return isinstance(expr, Const) or _is_literal(expr)


def integer(term: Term) -> Term:
    """Return a term as an integer, 1 for a truth that holds."""
    return terms.number_of(term) if terms.is_truth(term) else term


def pick(test: Term, a: SymbolicValue, b: SymbolicValue) -> SymbolicValue:
    """Return one of two by a truth, on which the result does not yet rest."""
    if a == b:
        return a
    if isinstance(a, Value) and isinstance(b, Value):
        truths = terms.is_truth(a.term) and terms.is_truth(b.term)
        if truths:
            term = terms.if_truth(test, a.term, b.term)
        else:
            term = terms.if_(test, integer(a.term), integer(b.term))
        origins = tuple(dict.fromkeys((*a.origins, *b.origins)))
        return Value(term, a.needs | b.needs, a.low | b.low, a.seen | b.seen, origins)
    if isinstance(a, Address) and isinstance(b, Address):
        needs, seen = a.needs | b.needs, a.seen | b.seen
        p, q = a.options, b.options
        if len(p) == len(q) == 1 and p[0].array == q[0].array and p[0].when == q[0].when:
            offset = terms.if_(test, p[0].offset, q[0].offset)
            return Address((Option(p[0].array, offset, p[0].when),), needs, seen)
        options = (
            *(Option(o.array, o.offset, (*o.when, test)) for o in p),
            *(Option(o.array, o.offset, (*o.when, terms.negate(test))) for o in q),
        )
        if len(options) > MAX_OPTIONS:
            return Address((Option(None),), NOTHING, seen)
        return Address(options, needs, seen)
    raise TypeError(f"{a} and {b} are not of one type")
