"""Ways through the program that come together again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from operator import is_

from symcute.expr import terms
from symcute.expr.node import Term
from symcute.kernel.ir.program import Int, Type
from symcute.kernel.symexec.arithmetic import MAX_SIZE, Arithmetic
from symcute.kernel.symexec.expressions import MAX_OPTIONS, integer, pick
from symcute.kernel.symexec.flights import joined
from symcute.kernel.symexec.recorder import Recorder
from symcute.kernel.symexec.state import (
    NOTHING,
    Address,
    Name,
    Option,
    Path,
    State,
    SymbolicValue,
    Value,
)

__all__ = ["Merger", "shared_guards"]


def shared_guards(a: Path, b: Path) -> int:
    """Return how many guards two paths begin with together."""
    count = 0
    for x, y in zip(a.guards, b.guards, strict=False):
        if x is not y and x != y:
            break
        count += 1
    return count


class Merger:
    """Merges states of one thread, of which it is in exactly one."""

    def __init__(self, recorder: Recorder, arithmetic: Arithmetic, types: dict[str, Type]) -> None:
        self._recorder = recorder
        self._arithmetic = arithmetic
        self._types = types

    def merged(self, states: list[State]) -> State | None:
        """Return the state behind all of these, None for none."""
        left = list(states)
        while len(left) > 1:
            # Those that went the same way longest are the two branches of one test.
            pairs = [(i, i + 1) for i in range(len(left) - 1)]
            if len(left) <= 6:
                pairs = [(i, j) for i in range(len(left)) for j in range(i + 1, len(left))]
            i, j = max(pairs, key=lambda p: shared_guards(left[p[0]].path, left[p[1]].path))
            b = left.pop(j)
            left[i] = self._pair(left[i], b)
        return left[0] if left else None

    def _pair(self, a: State, b: State) -> State:
        if a.path.closed != b.path.closed:
            return _open_one(a, b) if b.path.closed else _open_one(b, a)
        count = shared_guards(a.path, b.path)
        rest_a, rest_b = a.path.guards[count:], b.path.guards[count:]
        test: Term | None = None
        if rest_a and rest_b:
            opposite = terms.negate(rest_a[0])
            if opposite == rest_b[0] or terms.negate(rest_b[0]) == rest_a[0]:
                test = rest_a[0]
        starts = tuple(dict.fromkeys((*a.starts, *b.starts)))
        path = self._path(a.path, b.path, count, test, a.starts == b.starts)
        needs = a.path.needs | b.path.needs
        env = dict(a.env)
        for name in _differing(a.env, b.env):
            x, y = a.env[name], b.env.get(name)
            if y is None or type(x) is not type(y):
                del env[name]
            elif x == y:
                continue
            elif test is not None:
                env[name] = self._small(name, pick(test, x, y).resting_on(needs), path)
            else:
                env[name] = self._either(name, x, y, a, b)
        arrived = a.arrived if a.arrived == b.arrived else None
        return State(path, env, starts, joined(a.flights, b.flights), arrived)

    def _path(self, a: Path, b: Path, count: int, test: Term | None, same: bool) -> Path:
        """Return the path behind two, which share `count` guards."""
        rest_a, rest_b = a.guards[count:], b.guards[count:]
        # What was known before the ways parted is known behind them, and rests on no more.
        fork_a, fork_b = _fork(a, count), _fork(b, count)
        before = Path(
            a.guards[:count],
            fork_a.known,
            fork_a.needs | fork_b.needs,
            a.exact and b.exact,
            a.lost or b.lost,
            a.before[:count],
            a.closed and b.closed,
            a.ends | b.ends,
        )
        if test is not None and len(rest_a) == len(rest_b) == 1:
            return before
        if test is not None and (len(rest_a) == 1 or len(rest_b) == 1):
            long, short = (rest_b, rest_a) if len(rest_a) == 1 else (rest_a, rest_b)
            truth = terms.any_of(short[0], terms.all_of(*long[1:]))
        else:
            truth = terms.any_of(terms.all_of(*rest_a), terms.all_of(*rest_b))
        if truth is True:
            return before
        if terms.size(truth, MAX_SIZE) > MAX_SIZE:
            return replace(before, exact=False, lost=True)
        return before.under(truth, a.needs | b.needs) or before

    def _small(self, name: object, found: SymbolicValue, path: Path) -> SymbolicValue:
        type = self._types.get(name) if isinstance(name, str) else None
        if isinstance(found, Value):
            width = type if isinstance(type, Int) else Int(64, True)
            return self._arithmetic.compact(found, width, path, None)
        if any(terms.size(o.offset, MAX_SIZE) > MAX_SIZE for o in found.options):
            return Address((Option(None),), NOTHING, found.seen)
        return found

    def _either(
        self, name: object, x: SymbolicValue, y: SymbolicValue, a: State, b: State
    ) -> SymbolicValue:
        """Return what may be one or the other, which nothing tells apart."""
        needs = a.path.needs | b.path.needs
        if isinstance(x, Value) and isinstance(y, Value):
            x, y = self._arithmetic.used(x, a.path), self._arithmetic.used(y, b.path)
            type = self._types.get(name) if isinstance(name, str) else None
            width = type if isinstance(type, Int) else Int(64, True)
            low, high = _hull(x, a.path, y, b.path, width)
            found = self._arithmetic.unknown(
                width, f"{name}, which has been set in several ways", None, low=low, high=high
            )
            if isinstance(found.term, str):
                self._says_which(found.term, x.term, y.term, a.path, b.path)
            rest = x.needs | y.needs | needs
            return Value(found.term, rest, rest, x.seen | y.seen)
        if isinstance(x, Address) and isinstance(y, Address):
            options = tuple(dict.fromkeys((*x.options, *y.options)))
            rest = x.needs | y.needs | needs
            if len(options) <= MAX_OPTIONS:
                return Address(options, rest, x.seen | y.seen)
            return Address((Option(None),), NOTHING, x.seen | y.seen)
        raise TypeError(f"{name} is a number on one way, a pointer on the other")

    def _says_which(self, name: str, x: Term, y: Term, a: Path, b: Path) -> None:
        """Say of a number that it is the one on the one way, or the other on the other."""
        count = shared_guards(a, b)
        fact = terms.any_of(
            terms.all_of(terms.equal(name, x), *a.guards[count:]),
            terms.all_of(terms.equal(name, y), *b.guards[count:]),
        )
        if terms.size(fact, MAX_SIZE) <= MAX_SIZE and not terms.is_truth(x):
            self._recorder.bound(name, fact, home=a.guards[:count])


def _fork(path: Path, count: int) -> Path:
    """Return the path where it had so many guards."""
    return path.before[count] if count < len(path.guards) else path


def _open_one(a: State, b: State) -> State:
    """Return the one of two states that integers come to, which rests on that."""
    needs = a.path.needs | b.path.needs
    env = dict(a.env)
    for name in _differing(a.env, b.env):
        env[name] = a.env[name].resting_on(needs)
    count = shared_guards(a.path, b.path)
    path = replace(a.path, needs=needs)
    if all(g is True for g in a.path.guards[count:]):  # where it was before, whichever way it came
        path = replace(
            _fork(b.path, count), exact=a.path.exact, lost=a.path.lost, closed=a.path.closed
        )
    path = replace(path, ends=a.path.ends | b.path.ends)
    return State(path, env, a.starts, a.flights)


def _differing(a: Mapping[Name, SymbolicValue], b: Mapping[Name, SymbolicValue]) -> list[Name]:
    """Return the names in the first that are not plainly the same in the second."""
    if len(a) == len(b) and all(map(is_, a, b)) and all(map(is_, a.values(), b.values())):
        return []
    return [name for name, x in a.items() if b.get(name) is not x]


def _hull(x: Value, p: Path, y: Value, q: Path, type: Int) -> tuple[int, int]:
    a, b = p.known.of(integer(x.term)), q.known.of(integer(y.term))
    low, high = min(a[0], b[0]), max(a[1], b[1])
    return int(max(low, type.low)), int(min(high, type.high))
