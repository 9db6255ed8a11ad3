"""Loads, stores and atomics: where they go, and what is known of what they read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from math import gcd

from symcute.expr import terms
from symcute.expr.intervals import join, meet
from symcute.expr.node import Term
from symcute.expr.ranges import Ranges
from symcute.kernel.access_map import Access, Unsupported, Variable
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Array, Atomic, Int, Load, Pointer, Signal, Store, Type
from symcute.kernel.ir.semantics import GATHERS, MBARRIER
from symcute.kernel.symexec.arithmetic import Arithmetic
from symcute.kernel.symexec.expressions import MAX_OPTIONS, Expressions, integer, pick
from symcute.kernel.symexec.record import Quantity
from symcute.kernel.symexec.recorder import Recorder
from symcute.kernel.symexec.state import (
    NOTHING,
    Address,
    Flight,
    Needs,
    Option,
    Path,
    State,
    SymbolicValue,
    Value,
)
from symcute.kernel.symexec.tables import Tables

__all__ = ["Memory"]

#: An element of a table that may be one of more is any number between the least and the largest.
_MOST_LISTED = 32
_POINTER = 8


@dataclass(frozen=True, slots=True)
class _Touch:
    kind: str
    width: int
    place: Place
    text: str = ""
    value: Value | None = None
    scope: str = ""
    unit: int = 0
    late: bool = False
    agent: str = ""
    signal: str = ""


class Memory:
    """Writes accesses down, and makes the numbers that loads give.

    `unwritten` are the arrays that nothing in the kernel writes; `hidden` those that are only
    reached by their names; `contents` is what the integers of an array lie between, and `tables`
    how they hang together.
    """

    def __init__(
        self,
        recorder: Recorder,
        arithmetic: Arithmetic,
        expressions: Expressions,
        arrays: Iterable[Array],
        unwritten: frozenset[str],
        hidden: frozenset[str],
        contents: Mapping[str, tuple[Term, Term]],
        tables: Tables,
    ) -> None:
        self._recorder = recorder
        self._arithmetic = arithmetic
        self._expressions = expressions
        self._arrays = {a.name: a for a in arrays}
        self._unwritten = unwritten
        self._hidden = hidden
        self._contents = contents
        self._tables = tables

    def load(self, s: Load, state: State) -> None:
        """Read, and set the variables that take what was read."""
        address = self._expressions.address(s.pointer, state)
        touch = _Touch("read", s.width, s.place, scope=s.scope, late=s.late, agent=s.agent)
        self._touch(address, touch, state)
        for name, offset, type in s.parts:
            state.env[name] = self._read(address, offset, type, s.place, state)

    def store(self, s: Store, state: State) -> None:
        """Write, and keep in mind what private memory holds."""
        address = self._expressions.address(s.pointer, state)
        value = None
        held: SymbolicValue | None = None
        if s.value is not None and isinstance(s.value.type, Pointer):
            held = self._expressions.address(s.value, state)
        elif s.value is not None:
            held = value = self._arithmetic.used(
                self._expressions.value(s.value, state), state.path
            )
        touch = _Touch(
            "write", s.width, s.place, value=value, scope=s.scope, late=s.late, agent=s.agent
        )
        self._touch(address, touch, state)
        self._forget(address, s.width, state)
        where = self._own(address)
        if where is not None and held is not None:
            state.env[(*where, s.width)] = held.resting_on(address.needs)

    def atomic(self, s: Atomic, state: State) -> None:
        """Read and write at once."""
        address = self._expressions.address(s.pointer, state)
        if s.value is not None and not isinstance(s.value.type, Pointer):
            self._expressions.value(s.value, state)
        touch = _Touch("atomic", s.width, s.place, s.op, scope=s.scope, unit=s.unit)
        self._touch(address, touch, state)
        self._forget(address, s.width, state)
        if s.result is not None:
            name, type = s.result
            state.env[name] = self._arithmetic.unknown(type, f"what {s.op} found", s.place)

    def signal(self, s: Signal, state: State) -> None:
        """Let a thread do something to an mbarrier (one that is made is written), or to a barrier
        that counts.
        """
        address = self._expressions.address(s.pointer, state)
        value = None
        if s.value is not None:
            value = self._arithmetic.used(self._expressions.value(s.value, state), state.path)
        kind = "write" if s.op == "init" else "atomic"
        scope = "" if s.op == "init" else "block"
        # Some signals come later than where they stand.
        agent = "store" if s.op in ("commit", "complete") else ""
        touch = _Touch(
            kind, MBARRIER, s.place, f"mbarrier {s.op}", value, scope, agent=agent, signal=s.op
        )
        if s.op in GATHERS:
            touch = _Touch(kind, MBARRIER, s.place, f"barrier {s.op}", scope=scope)
        self._touch(address, touch, state)
        self._forget(address, MBARRIER, state)

    def forget(self, arrays: tuple[str, ...] | None, state: State) -> None:
        """Let private memory hold anything (None: all of it)."""
        for key in [k for k in state.env if isinstance(k, tuple)]:
            if arrays is None or key[0] in arrays:
                del state.env[key]

    # --- accesses -------------------------------------------------------------------------------

    def _touch(self, address: Address, t: _Touch, state: State) -> None:
        for option in address.options:
            path = state.path.under(terms.all_of(*option.when), address.needs)
            if path is None:
                continue
            if option.array is None:
                reason = f"a {t.kind} through a pointer that is not followed"
                self._recorder.unsupported(Unsupported(reason, t.place))
                continue
            value = t.value
            found = Access(
                option.array, t.kind, option.offset, t.width, (), (), (), t.place, address.needs,
                None if value is None else integer(value.term),
                len(address.options) == 1 or bool(option.when), t.text,
                NOTHING if value is None else value.needs, NOTHING,
                t.scope, t.unit or t.width, t.late, t.signal, tuple(self._arithmetic.around),
                t.agent,
            )  # fmt: skip
            self._recorder.access(found, path, state.starts, address.seen)
            self._overtake(found, path, state)
            if t.late:
                self._depart(found, path, state)

    def _overtake(self, found: Access, path: Path, state: State) -> None:
        """Write down with what on its way an access may meet."""
        array = self._arrays[found.array]
        for f in state.flights:
            late, other = f.access, self._arrays[f.access.array]
            if late.kind == found.kind == "read":
                continue
            if other is not array:
                if (other.view_of or other.name) != (array.view_of or array.name):
                    continue
                late = replace(late, array=array.name, offset=0, width=array.bytes or 0)
            way: Path | None = path
            for g in f.guards:
                way = None if way is None else way.under(g, f.needs)
            if way is not None:
                self._recorder.overtake(replace(late, needs=f.needs), found, way)

    def _depart(self, found: Access, path: Path, state: State) -> None:
        """Let an access be on its way."""
        if self._arrays[found.array].space == "private":
            reason = "an asynchronous copy to or from memory of a thread"
            self._recorder.unsupported(Unsupported(reason, found.place, (found.array,)))
        flight = Flight(replace(found, needs=NOTHING), path.guards, found.needs | path.needs)
        state.flights = (*state.flights, flight)

    def _own(self, address: Address) -> tuple[str, int] | None:
        """Return array and byte where a pointer is to one known place of private memory."""
        option = address.options[0]
        if len(address.options) > 1 or option.array is None or not isinstance(option.offset, int):
            return None
        array = self._arrays.get(option.array)
        return (option.array, option.offset) if array and array.space == "private" else None

    def _forget(self, address: Address, width: int, state: State) -> None:
        """Forget the private memory that a write may change."""
        for option in address.options:
            if option.array is not None and self._arrays[option.array].space != "private":
                continue
            for key in [k for k in state.env if isinstance(k, tuple)]:
                array, byte, size = key
                if option.array != array and (option.array is not None or array in self._hidden):
                    continue
                at = option.offset
                apart = isinstance(at, int) and not byte - width < at < byte + size
                if option.array is None or not apart:
                    del state.env[key]

    # --- values ---------------------------------------------------------------------------------

    def _read(
        self, address: Address, offset: int, type: Type, place: Place, state: State
    ) -> Value | Address:
        if isinstance(type, Pointer):
            held = self._held(address, offset, _POINTER, state)
            return held if isinstance(held, Address) else Address((Option(None),))
        held = self._held(address, offset, max(type.bits // 8, 1), state)
        if isinstance(held, Value) and self._fits(held, type, state):
            return self._arithmetic.compact(held, type, state.path, place)
        option = address.options[0]
        if len(address.options) == 1 and option.array in self._unwritten:
            listed = self._listed(option, offset, type, place, address.needs, state)
            if listed is not None:
                return listed
            return self._looked_up(option, offset, type, place, address.needs, state)
        found = self._arithmetic.unknown(type, _reason(address), place)
        if isinstance(found.term, str):
            self._limit(found.term, address, type)
        return found

    def _held(
        self, address: Address, offset: int, width: int, state: State
    ) -> SymbolicValue | None:
        """Return what private memory holds, where that is known of each place that it may be."""
        option = address.options[0]
        array = None if option.array is None else self._arrays[option.array]
        if len(address.options) > 1 or array is None or array.space != "private":
            return None
        at = terms.add(option.offset, offset)
        low, high = state.path.known.of(at)
        if not 0 <= low <= high <= (array.bytes or 0) - width:
            return None
        found: SymbolicValue | None = None
        for place in _places(at, int(low), int(high)):
            held = state.env.get((array.name, place, width))
            if held is None or not (found is None or isinstance(held, type(found))):
                return None
            found = held if found is None else pick(terms.equal(at, place), held, found)
        return None if found is None else found.resting_on(address.needs)

    @staticmethod
    def _fits(held: Value, type: Int, state: State) -> bool:
        if terms.is_truth(held.term):
            return type.bits == 1
        low, high = state.path.known.of(held.term)
        return type.bits > 1 and type.low <= low and high <= type.high

    def _listed(
        self, option: Option, offset: int, type: Int, place: Place, needs: Needs, state: State
    ) -> Value | None:
        """Return the element of a table whose number may be few, as a choice among these."""
        array = self._arrays[str(option.array)]
        at = terms.polynomial(terms.add(option.offset, offset))
        if not array.values or array.integer != type or at is None:
            return None
        if any(c % array.element for c in at.values()):
            return None
        index = terms.from_polynomial({m: c // array.element for m, c in at.items()})
        low, high = state.path.known.of(index)
        first, last = int(max(low, 0)), int(min(high, len(array.values) - 1))
        if not 0 <= last - first < _MOST_LISTED:
            return None
        term: Term = array.values[last]
        if low < 0 or high >= len(array.values):
            term = self._arithmetic.unknown(type, f"what lies outside {array.name}", place).term
            last += 1
        for k in range(last - 1, first - 1, -1):
            if array.values[k] != term:
                below = terms.at_most(index, k) if low >= 0 else terms.equal(index, k)
                term = terms.if_(below, array.values[k], term)
        found = Value(term, needs, needs, needs)
        return self._arithmetic.compact(found, type, state.path, place)

    def _looked_up(
        self, option: Option, offset: int, type: Int, place: Place, needs: Needs, state: State
    ) -> Value:
        """Return what a place holds that is never written: the same whenever it is read."""
        at = terms.add(option.offset, offset)
        key = (option.array, at, type)
        element = self._tables.element(self._arrays[str(option.array)], at, type)
        if element is not None and (back := self._tables.undone(element)) is not None:
            return Value(back, needs, needs, needs)
        name = self._recorder.loads.get(key)
        if name is None:
            whole = Int(8, False) if type.bits == 1 else type
            found = self._arithmetic.unknown(whole, f"what {option.array} holds", place)
            assert isinstance(found.term, str)
            name = found.term
            self._limit(name, Address((option,)), whole)
            self._between(name, option, at, whole, state)
            q = self._recorder.quantities[name]
            inside = terms.names(at)
            uniform = self._recorder.is_uniform(at)
            around = self._around(inside)
            v = Variable(
                name, "havoc", uniform, "", q.variable.reason, place, False, around, element
            )
            always = (*q.always, *self._tables.beside(name, element))
            new = Quantity(v, always, q.bounds, q.home, inside)
            self._recorder.add(new, self._recorder.known[name])
            self._recorder.loads[key] = name
        # Which number it is follows from the address, so the value rests on that.
        term: Term = terms.unequal(name, 0) if type.bits == 1 else name
        return Value(term, needs, needs, needs)

    def _between(self, name: str, option: Option, at: Term, type: Int, state: State) -> None:
        """Bound an element of a table by the least and the largest, where it is one."""
        array = self._arrays[str(option.array)]
        low, high = state.path.known.of(at)
        whole = array.bytes is not None and low >= 0 and high <= array.bytes - array.element
        terms_of = terms.polynomial(at)
        aligned = terms_of is not None and not any(c % array.element for c in terms_of.values())
        if not array.values or array.integer != type or not whole or not aligned:
            return
        least, most = min(array.values), max(array.values)
        q, known = self._recorder.quantities[name], self._recorder.known[name]
        always = (*q.always, terms.at_most(least, name), terms.at_most(name, most))
        self._recorder.add(replace(q, always=always), meet(known, (least, most)))

    def _around(self, inside: frozenset[str]) -> tuple[str, ...]:
        found: set[str] = set()
        for n in inside:
            q = self._recorder.quantities.get(n)
            if q is not None:
                found.update(q.variable.around)
                if q.variable.loop:
                    found.add(q.variable.loop)
        return tuple(x for x in self._arithmetic.around if x in found)

    def _limit(self, name: str, address: Address, type: Int) -> None:
        """Bound what was read by what the array is said to hold, unless the kernel writes it."""
        held = [o.array for o in address.options]
        if any(a not in self._contents or a not in self._unwritten for a in held):
            return
        if any(self._arrays[str(a)].integer != type for a in held):
            return
        ranges = Ranges(self._recorder.known)
        parts, hulls, certain = [], [], True
        for a in held:
            low, high = self._contents[str(a)]
            # Where nothing lies between the two, there is no such element, and nothing is said.
            nothing = [
                terms.less(high, low), terms.less(high, type.low), terms.less(type.high, low)
            ]  # fmt: skip
            inside = terms.all_of(terms.at_most(low, name), terms.at_most(name, high))
            open_ends = [t for t in nothing if not _fails(t, ranges)]
            certain = certain and not open_ends
            parts.append(terms.any_of(*open_ends, inside))
            hulls.append((ranges.of(low)[0], ranges.of(high)[1]))
        q, known = self._recorder.quantities[name], self._recorder.known[name]
        if certain:
            known = meet(known, reduce(join, hulls))
        limited = Quantity(q.variable, (*q.always, terms.any_of(*parts)), q.bounds, q.home)
        self._recorder.add(limited, known)


def _fails(truth: Term, ranges: Ranges) -> bool:
    return ranges.decides(truth) is False


def _places(at: Term, low: int, high: int) -> range:
    """Return the numbers between two that a term may be, where they are not many."""
    terms_of = terms.polynomial(at) or {(): 0}
    step = gcd(*(c for m, c in terms_of.items() if m)) or 1
    found = range(low + (terms_of.get((), 0) - low) % step, high + 1, step)
    return found if len(found) <= MAX_OPTIONS else range(0)


def _reason(address: Address) -> str:
    arrays = " or ".join(sorted({o.array or "an unknown array" for o in address.options}))
    return f"what {arrays} holds"
