"""Whether a map allows what an execution did: Z3 is asked for the numbers that nobody knows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from itertools import product
from random import Random
from typing import Any

import z3

from symcute.errors import InputError
from symcute.expr import terms
from symcute.expr.expression import value_at
from symcute.expr.node import Term
from symcute.kernel.access_map import Access, AccessMap, Computation, Phase, Variable
from symcute.kernel.ir.expression import Binary, Cast, Const, Unary
from symcute.kernel.ir.interpreter import Trace, run
from symcute.kernel.ir.interpreter import state as machine
from symcute.kernel.ir.interpreter.choices import Choice
from symcute.kernel.ir.interpreter.trace import Touch
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Kernel
from symcute.kernel.ir.setting import Setting
from symcute.kernel.symexec import symexecute

WORD = 1 << 64
#: Rounds of a loop that are looked at for accesses that should have happened.
MOST = 8


@dataclass
class Event:
    """Something that went wrong in a thread, before so many of all accesses."""

    kind: str
    before: int
    thread: Any
    place: Any
    rounds: Any
    exact: int = 0
    type: Any = None
    explicit: bool = False
    conversion: bool = False


@dataclass
class Execution:
    """A trace, and all that went wrong in the order in which it did."""

    trace: Trace
    events: list[Event] = field(default_factory=list)


def execute(
    kernel: Kernel, setting: Setting, dims: Mapping[str, int], rng: Random, limit: int
) -> Execution:
    """Run a kernel, with anything for what it does not know."""
    events: list[Event] = []
    plain_wrap, plain_fault = machine.Thread.wrap, machine.Thread.fault

    def wrap(t, key, exact, type, place, role, conversion=False, explicit=False):
        events.append(
            Event("wrap", len(t.machine.trace.accesses), (t.block, t.index), place, t.rounds,
                  exact, type, explicit, conversion)
        )  # fmt: skip
        return plain_wrap(t, key, exact, type, place, role, conversion, explicit)

    def fault(t, kind, place, text, touch=None):
        if kind in ("division", "shift", "bounds"):
            before = len(t.machine.trace.accesses)
            events.append(Event(kind, before, (t.block, t.index), place, t.rounds))
        return plain_fault(t, kind, place, text, touch)

    def choose(choice: Choice) -> int:
        low, high = choice.low, choice.high
        if rng.randrange(10) and high - low > 8:
            low, high = max(low, -2), min(high, 6)
            low, high = min(low, choice.high), max(high, choice.low)
        return rng.randint(low, high)

    machine.Thread.wrap, machine.Thread.fault = wrap, fault
    try:
        trace = run(kernel, setting, dims, choices=choose, limit=limit)
    finally:
        machine.Thread.wrap, machine.Thread.fault = plain_wrap, plain_fault
    return Execution(trace, events)


# --- terms for Z3 -------------------------------------------------------------------------------


class Solver:
    """Whether truths can hold together; after so many questions that stays open."""

    def __init__(self, most: int) -> None:
        self.cache: dict[Any, bool | None] = {}
        self.undecided = 0
        self.left = most

    def possible(self, truths: Iterable[Term], otherwise: bool = True) -> bool:
        """Return whether there are numbers for all names, or `otherwise` where that stays open."""
        todo = []
        for t in truths:
            if terms.names(t):
                todo.append(t)
            elif not _holds(t):
                return False
        if not todo:
            return True
        key = frozenset(todo)
        if key not in self.cache:
            self.left -= 1
            if self.left < 0:
                return otherwise
            solver = z3.Solver()
            solver.set("timeout", 200)
            for t in todo:
                solver.add(_truth(t))
            answer = solver.check()
            self.cache[key] = None if answer == z3.unknown else answer == z3.sat
        if self.cache[key] is None:
            self.undecided += 1
            return otherwise
        return bool(self.cache[key])


def _holds(t: Term) -> bool:
    try:
        return bool(terms.evaluate(t, {}))
    except InputError:
        return False


def _truth(t: Any) -> Any:
    if isinstance(t, bool):
        return z3.BoolVal(t)
    op, args = t.op, t.args
    if op in ("and", "or"):
        parts = [_truth(x) for x in args]
        return z3.And(parts) if op == "and" else z3.Or(parts)
    if op == "not":
        return z3.Not(_truth(args[0]))
    a, b = (_number(x) for x in args)
    return {"<": a < b, "<=": a <= b, "==": a == b, "!=": a != b}[op]


def _number(t: Any) -> Any:
    if isinstance(t, str):
        return z3.Int(t)
    if isinstance(t, int):
        return z3.IntVal(t)
    op, args = t.op, t.args
    if op == "if":
        return z3.If(_truth(args[0]), _number(args[1]), _number(args[2]))
    a, b = map(_number, args)
    if op in ("&", "|", "^", "<<", ">>"):
        x, y = z3.Int2BV(a, 128), z3.Int2BV(b, 128)
        bits = {"&": x & y, "|": x | y, "^": x ^ y, "<<": x << y, ">>": x >> y}[op]
        return z3.BV2Int(bits, is_signed=True)
    return {
        "+": a + b, "*": a * b, "//": a / b, "%": a % b,
        "min": z3.If(a < b, a, b), "max": z3.If(a < b, b, a),
    }[op]  # fmt: skip


# --- the comparison -----------------------------------------------------------------------------


class Comparison:
    """What one kernel did, against what its map says."""

    def __init__(
        self,
        kernel: Kernel,
        setting: Setting,
        dims: Mapping[str, int],
        seed: int,
        limit: int = 1500,
        questions: int = 40,
    ) -> None:
        rng = Random(seed)
        self.rng = rng
        self.dims = dict(dims)
        self.kernel, self.setting = kernel, setting
        self.map: AccessMap = symexecute(kernel, setting)
        self.run = execute(kernel, setting, dims, rng, limit)
        self.solver = Solver(questions)
        self.questions = questions
        self.checked: dict[str, int] = defaultdict(int)
        self.events: dict[int, list[int]] = {}
        self.literals = literals(kernel)
        self.at_place: dict[Any, list[Access]] = defaultdict(list)
        for a in self.map.accesses:
            self.at_place[a.place, a.array, a.kind, a.width].append(a)

    def names(self, thread: Any, rounds: Any, variables: Iterable[Variable]) -> dict[str, int]:
        """Return the numbers of a thread in rounds."""
        block, index = thread
        values = dict(self.dims)
        values |= dict(zip(("bx", "by", "bz"), block, strict=True))
        values |= dict(zip(("tx", "ty", "tz"), index, strict=True))
        at = dict(rounds)
        values |= {v.name: at[v.loop] for v in variables if v.kind == "round" and v.loop in at}
        return values

    def fails(self) -> list[str]:
        """Return all in which the execution is not one that the map allows."""
        self._cut()
        for f in self.map.facts:
            if not terms.evaluate(f, self.dims):
                return []  # the dims do not meet what is assumed of a launch
        found: list[str] = []
        parts = [self._accesses, self._first_wraps]
        if not (self.run.events or self.run.trace.stopped or self.outside):
            parts.append(self._exact)
        if not self.run.trace.divergence:
            parts.append(self._together)
        for part in parts:
            self.solver.left = self.questions
            found += part()
        return found

    def _cut(self) -> None:
        """Leave out what a thread did after it was outside of an array, where anything may be."""
        ends: dict[Any, int] = {}
        for e in self.run.events:
            if e.kind == "bounds":
                ends.setdefault(e.thread, e.before)
        touches = self.run.trace.accesses
        self.touches = [
            (n, t) for n, t in enumerate(touches) if n < ends.get((t.block, t.thread), len(touches))
        ]
        self.outside = bool(ends)
        self.run.events = [
            e
            for e in self.run.events
            if e.kind != "bounds" and e.before < ends.get(e.thread, len(touches) + 1)
        ]

    def said(self, a: Access, t: Touch) -> list[Term]:
        """Return what must hold where a touch is this access."""
        values = self.names((t.block, t.thread), t.rounds, a.variables)
        offset = terms.substitute(a.offset, values)
        same = terms.equal(terms.remainder(terms.sub(offset, t.offset), WORD), 0)
        return [same, *(terms.substitute(g, values) for g in a.guard)]

    def _allowing(self, t: Touch) -> list[Access]:
        found = self.at_place[t.place, t.array, t.kind, t.width]
        return [a for a in found if self.solver.possible(self.said(a, t))]

    def _accesses(self) -> Iterable[str]:
        events: dict[Any, list[Event]] = defaultdict(list)
        for e in self.run.events:
            events[e.thread].append(e)
        self.rng.shuffle(self.touches)
        for number, t in self.touches:
            self.checked["accesses"] += 1
            if self._allowing(t):
                continue
            if any(d.place == t.place for d in self.map.unsupported):
                continue
            if any(d.arrays is None or t.array in d.arrays for d in self.map.unsupported):
                continue
            wrong = {
                n
                for e in events[t.block, t.thread]
                if e.before <= number
                for n in self._computed(e)
            }
            here = self.at_place[t.place, t.array, t.kind, t.width]
            if any(a.needs & wrong for a in here):
                self.checked["accesses after a wrap"] += 1
                continue
            yield f"not allowed: {t}"

    def _first_wraps(self) -> Iterable[str]:
        """Yield what wrapped first in a thread, but for what the map follows, and is not in it."""
        seen = set()
        for e in self.run.events:
            if e.thread in seen or e.place in self.literals:
                continue
            self.checked["first wraps"] += 1
            found = [c for c in self.map.computations if self._wraps(c, e)]
            if not found and not _meant(e):
                yield f"no computation wraps: {e}"
            if not all(c.followed for c in found):
                seen.add(e.thread)

    def _computed(self, e: Event) -> list[int]:
        """Return the computations that may be an event."""
        if id(e) not in self.events:
            self.events[id(e)] = [
                n
                for n, c in enumerate(self.map.computations)
                if c.place == e.place or self._wraps(c, e)
            ]
        return self.events[id(e)]

    def _wraps(self, c: Computation, e: Event) -> bool:
        values = self.names(e.thread, e.rounds, c.variables)
        guard = [terms.substitute(g, values) for g in c.guard]
        if e.kind == "division" and c.divisor is not None:
            said = terms.equal(terms.substitute(c.divisor, values), 0)
        elif e.kind == "shift" and c.shift is not None and e.type is None:
            count = terms.substitute(c.shift, values)
            inside = terms.all_of(terms.at_most(0, count), terms.less(count, c.type.bits))
            said = terms.negate(inside)
        elif e.kind == "wrap" and c.type == e.type:
            said = terms.equal(terms.substitute(c.value, values), e.exact)
        else:
            return False
        return self.solver.possible([said, *guard])

    def _exact(self) -> Iterable[str]:
        """Yield exact accesses that did not happen where their guards hold."""
        trace = self.run.trace
        rounds: dict[str, int] = defaultdict(int)
        happened: dict[Any, set[Any]] = defaultdict(set)
        for t in trace.accesses:
            for label, k in t.rounds:
                rounds[label] = max(rounds[label], k)
            happened[t.place, t.array, t.block, t.thread].add((t.offset, t.rounds))
        threads = self._threads()
        for a in self.map.accesses:
            if not a.exact or a.needs & self._ever():
                continue
            loops = [v for v in a.variables if v.kind == "round"]
            if len(loops) > 2:
                continue
            for thread in threads[:6]:
                for at in product(*(range(min(rounds[v.loop] + 3, MOST)) for v in loops)):
                    where = tuple((v.loop, k) for v, k in zip(loops, at, strict=True))
                    values = self.names(thread, where, a.variables)
                    guard = [terms.substitute(g, values) for g in a.guard]
                    if not self.solver.possible(guard, otherwise=False):
                        continue
                    self.checked["exact accesses"] += 1
                    offset = terms.substitute(a.offset, values)
                    if not any(
                        (not isinstance(offset, int) or (o - offset) % WORD == 0)
                        and all(dict(r).get(label) == k for label, k in where)
                        for o, r in happened[(a.place, a.array, *thread)]
                    ):
                        yield f"said to happen for {thread} in {where}: {a}"

    def _ever(self) -> frozenset[int]:
        return frozenset(n for e in self.run.events for n in self._computed(e))

    def _threads(self) -> list[Any]:
        grid = [range(value_at(x, self.dims)) for x in self.setting.grid]
        block = [range(value_at(x, self.dims)) for x in self.setting.block]
        return [(b, t) for b in product(*grid) for t in product(*block)]

    # --- intervals ------------------------------------------------------------------------------

    def _together(self) -> Iterable[str]:
        """Yield pairs of accesses between the same barriers that share no interval in the map."""
        bad = {e.thread for e in self.run.events}
        groups: dict[Any, list[Touch]] = defaultdict(list)
        for _, t in sorted(self.touches):
            if (t.block, t.thread) not in bad:
                groups[t.block, t.epoch].append(t)
        pairs = []
        for group in groups.values():
            for _ in range(min(2 * len(group), 24)):
                a, b = self.rng.choice(group), self.rng.choice(group)
                if a.thread != b.thread:
                    pairs.append((a, b))
        self.rng.shuffle(pairs)
        # Those of different places or rounds say most.
        pairs.sort(key=lambda p: (p[0].place, p[0].rounds) == (p[1].place, p[1].rounds))
        for a, b in pairs[:60]:
            if any(
                d.arrays is None or {a.array, b.array} & {*d.arrays} for d in self.map.unsupported
            ):
                continue
            self.checked["pairs"] += 1
            if not self._share(a, b):
                yield f"share no interval: {a} and {b}"

    def _share(self, s: Touch, t: Touch) -> bool:
        for a in self.at_place[s.place, s.array, s.kind, s.width]:
            for b in self.at_place[t.place, t.array, t.kind, t.width]:
                for i, j in product(a.phases, b.phases):
                    if i.start == j.start and self._at_once(a, s, i, b, t, j):
                        return True
        return False

    def _at_once(self, a: Access, s: Touch, i: Phase, b: Access, t: Touch, j: Phase) -> bool:
        first, second = self.said(a, s), self.said(b, t)
        mine = self.names((s.block, s.thread), s.rounds, a.variables)
        other = self.names((t.block, t.thread), t.rounds, b.variables)
        first += [terms.substitute(w, mine) for w in i.when]
        second += [terms.substitute(w, other) for w in j.when]
        mine_rounds = {label: terms.substitute(r, mine) for label, r in i.rounds}
        other_rounds = {label: terms.substitute(r, other) for label, r in j.rounds}
        own: dict[str, Term] = {}
        shared = {v.name: v for v in a.variables}
        for v in b.variables:
            same = v.uniform and v.name in shared
            at, there = dict(s.rounds), dict(t.rounds)
            if not same or any(at.get(x) != there.get(x) for x in v.around):
                own[v.name] = v.name + "_other"
        second = [terms.substitute(x, own) for x in second]
        equal = [
            terms.equal(r, terms.substitute(other_rounds[label], own))
            for label, r in mine_rounds.items()
            if label in other_rounds
        ]
        return self.solver.possible([*first, *second, *equal])


def _meant(e: Event) -> bool:
    """Whether bits are cut off because the programmer wrote so, which the map just follows."""
    return e.explicit


def literals(kernel: Kernel) -> set[Place]:
    """Return the places of what is computed from numbers alone, whose wraps are meant."""
    found: set[Place] = set()

    def is_literal(x: object) -> bool:
        if isinstance(x, Const):
            return True
        if isinstance(x, (Binary, Unary, Cast)):
            parts = [x.left, x.right] if isinstance(x, Binary) else [x.arg]
            known = [is_literal(part) for part in parts]
            if all(known):
                found.add(x.place)
            return all(known)
        return False

    stack: list[object] = [*kernel.body]
    while stack:
        x = stack.pop()
        is_literal(x)
        if isinstance(x, tuple):
            stack.extend(x)
        elif is_dataclass(x):
            stack.extend(getattr(x, f.name) for f in fields(x))
    return found
