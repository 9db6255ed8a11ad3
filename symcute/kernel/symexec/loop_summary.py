"""Where a loop stands at the start of round k: its variables, its test, the barriers behind it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import Protocol

from symcute.expr import terms
from symcute.expr.node import Node, Term
from symcute.kernel.access_map import Variable
from symcute.kernel.ir.expression import Expr
from symcute.kernel.ir.program import Int, Loop, Stmt
from symcute.kernel.ir.setting import OWN
from symcute.kernel.symexec import scan
from symcute.kernel.symexec.arithmetic import Arithmetic
from symcute.kernel.symexec.induction import Induction, Turn
from symcute.kernel.symexec.invariants import said_of
from symcute.kernel.symexec.path_join import Merger
from symcute.kernel.symexec.record import Quantity
from symcute.kernel.symexec.recorder import Recorder
from symcute.kernel.symexec.relations import Relation, Relations
from symcute.kernel.symexec.state import (
    Address,
    Needs,
    Option,
    Path,
    Start,
    State,
    SymbolicValue,
    Value,
)
from symcute.kernel.symexec.trip_count import first_failure

__all__ = ["BEFORE", "Executes", "Headers", "Plan", "again", "cleaned"]

#: A variable that moves by more than this in a round is not said to move by at most so much.
MAX_DRIFT = 1 << 16
#: Stands for the barriers before a loop while it is walked for the first time.
BEFORE = Start(-2), Start(-2, warp=True)


class Executes(Protocol):
    """What walks statements."""

    recorder: Recorder
    arithmetic: Arithmetic
    merger: Merger
    scan: scan.Scan
    exits: dict[str, list[State]]
    relations: Relations
    unordered: int  # above 0 where barriers are taken to order nothing

    def block(self, body: tuple[Stmt, ...], state: State) -> State | None:
        """Return the state behind statements, None where they are never left."""

    def test(self, expr: Expr, state: State) -> Value:
        """Return a condition as a truth."""


@dataclass(slots=True)
class Plan:
    """What the first execution found."""

    carried: dict[str, Induction]
    test: Term
    of: dict[str, str]  # from probes to variables
    starts: tuple[Start, ...]
    goes_on: bool
    local: set[str]
    orderly: bool  # threads of a block leave it in the same round, but by its test
    tested: set[str]  # the variables in the test
    kept: list[tuple[str, Term]]  # the invariants that rounds are seen to keep
    relations: tuple[Relation, ...] = ()  # what is kept besides, found by itself


class Headers:
    """Makes the states with which rounds begin."""

    def __init__(self, walker: Executes) -> None:
        self._walker = walker
        self._recorder = walker.recorder
        self._names: dict[str, str] = {}

    def name_of(self, label: str) -> str:
        """Return the variable that counts the rounds of a loop."""
        found = self._names.get(label)
        if found is None:
            found = "k_" + "".join(c if c.isalnum() and c.isascii() else "_" for c in label)
            taken = {*self._names.values(), *self._recorder.reserved}
            while found in taken or OWN.fullmatch(found):
                found += "_"
            self._names[label] = found
        return found

    def count(self, label: str) -> str:
        """Make the variable that counts the rounds of a loop."""
        k = self.name_of(label)
        around = tuple(self._walker.arithmetic.around[:-1])
        variable = Variable(k, "round", True, label, around=around)
        self._recorder.add(Quantity(variable, (terms.at_most(0, k),)), (0, inf))
        return k

    def head(self, s: Loop, state: State, worlds: dict[str, SymbolicValue]) -> State:
        """Return the start of a round, where the variables that the loop sets are `worlds`."""
        head = state.at(state.path)
        for name in self._walker.scan.assigned(s):
            head.env.pop(name, None)
        head.env.update(worlds)
        for key in [key for key in head.env if isinstance(key, tuple)]:
            if self._walker.scan.writes(s, key[0]):
                del head.env[key]
        return head

    def keeping(self, kept: list[tuple[str, Term]], head: State) -> Path:
        """Return the path to the start of a round where invariants hold."""
        path = head.path
        for invariant in kept:
            said = said_of(invariant, head, self._recorder.reserved, self._walker.arithmetic.used)
            path = path.under(said.term, said.needs) or path
        return path

    def at_round(
        self, s: Loop, state: State, plan: Plan, k: str, groups: dict[str, tuple[int, ...]]
    ) -> tuple[State, Path]:  # fmt: skip
        """Return the start of round k, and the path to it with what is known of steps."""
        worlds: dict[str, SymbolicValue] = {}
        path = state.path
        # What turns hangs on what others are in the same round.
        for name, c in sorted(plan.carried.items(), key=lambda each: each[1].turn is not None):
            before = state.env[name]
            sets = [frozenset({g}) for g in groups[name]]
            if isinstance(before, Value):
                origins = () if c.step is None else (*before.origins, *c.origins)
                if c.step is None:
                    before = self._walker.arithmetic.used(before, path)
                turned = None if c.turn is None else self._turned(c.turn, plan, worlds, k, path)
                needs, low, seen = before.needs | sets[0], before.low | sets[1], before.seen
                if turned is not None:
                    term, needs = terms.add(before.term, turned[0]), needs | turned[1]
                else:
                    term = self._number(name, c, before, k, path)
                if c.step is not None and not origins:
                    path = replace(path, known=path.known.with_range(term, c.known))
                if c.step is None and not c.cycle:
                    low = needs
                origins = tuple(dict.fromkeys(origins))
                worlds[name] = Value(term, needs, low, seen | sets[2], origins)
            else:
                worlds[name] = self._pointer(c, before, k, sets[0], sets[2])
        self._relate(plan.relations, worlds, path)
        return self.head(s, state, worlds), path

    def _relate(
        self, relations: tuple[Relation, ...], worlds: dict[str, SymbolicValue], path: Path
    ) -> None:
        """Say what is kept of the variables; each proof may have used all of the others."""
        names = sorted({n for r in relations for n in r.variables})
        needs: Needs = frozenset().union(*(worlds[n].needs for n in names))
        for n in names:
            worlds[n] = worlds[n].resting_on(needs)
        for r in relations:
            said = r.at(worlds)
            for n in r.variables:
                world = worlds[n]
                if said is not None and isinstance(world, Value) and isinstance(world.term, str):
                    self._recorder.bound(world.term, said, home=path.guards)

    def _turned(
        self, turn: Turn, plan: Plan, worlds: dict[str, SymbolicValue], k: str, path: Path
    ) -> tuple[Term, Needs] | None:
        """Return what has been added before round k, and what that rests on.

        That is known where the test holds up to a round and never after, or the other way about,
        as all that it asks about steps and does not wrap.
        """
        values: dict[str, Term] = {}
        needs: Needs = frozenset()
        for probe in terms.names(turn.test) & plan.of.keys():
            world = worlds.get(plan.of[probe])
            if plan.carried[plan.of[probe]].step is None:
                return None
            if not isinstance(world, Value) or world.wraps:
                return None
            values[probe], needs = world.term, needs | world.needs
        test, first, last = terms.substitute(turn.test, values), turn.then, turn.other
        end = first_failure(test, k, path.known)
        if end is None:
            end, first, last = first_failure(terms.negate(test), k, path.known), last, first
        if end is None:
            return None
        before = terms.mul(terms.minimum(k, end), first - last)
        return terms.add(before, terms.mul(k, last)), needs

    def _number(self, name: str, c: Induction, before: Value, k: str, path: Path) -> Term:
        """Return a variable at the start of round k."""
        if c.step is not None:
            return terms.add(before.term, terms.mul(c.step, k))
        if c.cycle:
            return _cycled([v.term for v in c.cycle if isinstance(v, Value)], k)
        type = self._walker.scan.types.get(name, Int(64, True))
        assert isinstance(type, Int)
        low, high = int(max(c.known[0], type.low)), int(min(c.known[1], type.high))
        found = self._walker.arithmetic.unknown(
            type, f"{name} in a round of a loop", None, low=low, high=high, uniform=c.uniform
        )
        if isinstance(found.term, str):
            start, home = before.term, path.guards
            for sign, by in zip((1, -1), c.drift, strict=True):
                if abs(by) <= MAX_DRIFT:
                    end = terms.add(start, terms.mul(k, int(by)))
                    pair = (end, found.term) if sign == 1 else (found.term, end)
                    self._recorder.bound(found.term, terms.at_most(*pair), home=home)
        return found.term

    def _pointer(self, c: Induction, before: Address, k: str, needs: Needs, seen: Needs) -> Address:
        rest = (before.needs | needs, before.seen | seen)
        if c.step is not None:
            option = before.options[0]
            offset = terms.add(option.offset, terms.mul(c.step, k))
            return Address((Option(option.array, offset, option.when),), *rest)
        if c.cycle:
            length = len(c.cycle)
            evenly = _evenly(c.cycle, k)
            if evenly is not None:
                return Address((evenly,), *rest)
            options = tuple(
                Option(o.array, o.offset, (*o.when, terms.equal(terms.remainder(k, length), j)))
                for j, world in enumerate(c.cycle)
                if isinstance(world, Address)
                for o in world.options
            )
            return Address(options, *rest)
        wide = Int(64, True)
        reason = "a pointer in a round of a loop"
        options = tuple(
            Option(a, 0 if a is None else self._walker.arithmetic.unknown(wide, reason, None).term)
            for a in c.arrays
        )
        return Address(options or (Option(None),), *rest)

    def test(self, plan: Plan, head: State) -> tuple[Term | None, bool]:
        """Return what the test of a round asks in terms of k, None for nothing, and if that is all.

        What a test asks besides, of memory say, or of what wraps, may end the loop in any round.
        """
        parts = plan.test.args if isinstance(plan.test, Node) and plan.test.op == "and" else ()
        said = [self._said(x, plan, head) for x in parts or (plan.test,)]
        found = [x for x in said if x is not None]
        return (terms.all_of(*found) if found else None), len(found) == len(said)

    def _said(self, test: Term, plan: Plan, head: State) -> Term | None:
        inside = terms.names(test)
        if inside & plan.local:
            return None
        values: dict[str, Term] = {}
        for probe in inside & plan.of.keys():
            name = plan.of[probe]
            c, world = plan.carried.get(name), head.env.get(name)
            if c is None or (c.step is None and not c.cycle):
                return None
            if isinstance(world, Value) and not world.wraps:
                values[probe] = world.term
            elif isinstance(world, Address) and c.step is not None:
                values[probe] = world.options[0].offset
            else:
                return None
        return terms.substitute(test, values)

    def starts(self, s: Loop, state: State, plan: Plan, k: str) -> tuple[Start, ...]:
        """Return the barriers since which no other may have come at the start of round k."""
        if self._walker.unordered:
            return state.starts
        found: list[Start] = []
        for warp in (False, True):
            old, new = ([st for st in x if st.warp is warp] for x in (state.starts, plan.starts))
            if not self._walker.scan.has_barrier(s, warp):
                found += old
                continue
            passing = BEFORE[warp] in new
            first = () if passing else (terms.equal(k, 0),)
            found += [replace(st, when=(*st.when, *first)) for st in old]
            shift: dict[str, Term] = {k: terms.add(k, -1)}
            for st in new:
                if st != BEFORE[warp]:
                    rounds = tuple(
                        (label, terms.substitute(t, shift))
                        for label, t in st.rounds
                        if not (passing and label == s.label)
                    )
                    later = () if passing else (terms.at_most(1, k),)
                    found.append(Start(st.event, rounds, later, warp))
        return tuple(dict.fromkeys(found))


def again(tested: Term | None, k: str) -> Term | None:
    """Return what holds where round k begins: it is the first, or the test held before."""
    if tested is None:
        return None
    before = terms.substitute(tested, {k: terms.add(k, -1)})
    return terms.any_of(terms.equal(k, 0), before)


def _evenly(places: tuple[SymbolicValue, ...], k: str) -> Option | None:
    """Return places[k % len(places)] where they are one, two... times as far from the first."""
    options = [o for p in places if isinstance(p, Address) for o in p.options]
    array, first = options[0].array, options[0].offset
    if not 1 < len(options) == len(places) or any(o.when or o.array != array for o in options):
        return None
    by = terms.sub(options[1].offset, first)
    if any(o.offset != terms.add(first, terms.mul(by, j)) for j, o in enumerate(options)):
        return None
    return Option(array, terms.add(first, terms.mul(by, terms.remainder(k, len(places)))))


def _cycled(values: list[Term], k: str) -> Term:
    """Return values[k % len(values)]."""
    length = len(values)
    at = terms.remainder(k, length)
    first = values[0]
    if all(v == terms.add(first, j) for j, v in enumerate(values)):
        return terms.add(first, at)
    found = values[-1]
    for j in reversed(range(length - 1)):
        found = terms.if_(terms.equal(at, j), values[j], found)
    return found


def cleaned(starts: tuple[Start, ...], local: set[str]) -> tuple[Start, ...]:
    """Return starts without what can only be said in a round."""
    found = (
        Start(s.event, tuple((x, t) for x, t in s.rounds if not terms.names(t) & local), (), s.warp)
        for s in starts
    )
    return tuple(dict.fromkeys(found))
