"""What a loop does to its variables in one round, and what they are at the start of round k.

Each rule is an induction over the rounds: `proofs/lemmas/rounds.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import inf

from symcute.errors import InputError
from symcute.expr import terms
from symcute.expr.intervals import ANY, Range, join, meet
from symcute.expr.node import Node, Term
from symcute.expr.ranges import Ranges
from symcute.kernel.access_map import Variable
from symcute.kernel.ir.program import Int, Type
from symcute.kernel.symexec.record import Mark, Quantity
from symcute.kernel.symexec.recorder import Recorder
from symcute.kernel.symexec.state import Address, Option, Origin, State, SymbolicValue, Value

__all__ = ["Induction", "Probes", "local_names"]

#: The longest cycle of values that is followed.
MAX_CYCLE = 16


@dataclass(frozen=True, slots=True)
class Turn:
    """What is added in a round: one number where a test of probes holds, else another.

    Neither goes back where the other goes on, so that no sum of them hides one that was larger.
    """

    test: Term
    then: int
    other: int


@dataclass(frozen=True, slots=True)
class Induction:
    """How a variable changes from round to round.

    One of: `step` is added in every round; it runs through `cycle`; or it is any number in `known`
    that has moved by at least `drift[0]` and at most `drift[1]` in each round (an address into any
    of `arrays`), which is the sum of what `turn` adds, if that is known.
    """

    step: Term | None = None
    turn: Turn | None = None
    cycle: tuple[SymbolicValue, ...] = ()
    known: Range = ANY
    drift: Range = ANY
    uniform: bool = False
    arrays: tuple[str | None, ...] = ()
    origins: tuple[Origin, ...] = ()  # of a step that may leave the type


def local_names(recorder: Recorder, mark: Mark, more: frozenset[str] = frozenset()) -> set[str]:
    """Return the variables made after a mark that may differ from round to round."""
    local = set(more)
    for name in recorder.made_since(mark):
        depends = recorder.quantities[name].depends
        if depends is None or depends & local:
            local.add(name)
    return local


@dataclass(slots=True)
class Probes:
    """Variables at the start of a round of which nothing is known but their types."""

    recorder: Recorder
    entry: State
    types: dict[str, Type]
    names: tuple[str, ...]  # the variables that the loop may set
    worlds: dict[str, SymbolicValue] = field(default_factory=dict)
    of: dict[str, str] = field(default_factory=dict)  # from probes to variables
    arrays: dict[str, tuple[str | None, ...]] = field(default_factory=dict)
    #: Between what numbers are taken to lie in every round, until a round shows otherwise.
    guessed: dict[str, Range] = field(default_factory=dict)

    def place(self) -> dict[str, SymbolicValue]:
        """Return what the variables hold at the start of the round."""
        self.worlds, self.of = {}, {}
        for name in self.names:
            before = self.entry.env.get(name)
            if isinstance(before, Value):
                self.worlds[name] = self._number(name)
            elif isinstance(before, Address):
                arrays = self.arrays.setdefault(name, _arrays(before))
                options = tuple(Option(a, self._probe(name, ANY)) for a in arrays)
                self.worlds[name] = Address(options)
        return self.worlds

    def widen(self, back: State) -> bool:
        """Take in the arrays that pointers came to; return whether there are new ones."""
        new = False
        for name, arrays in self.arrays.items():
            after = back.env.get(name)
            found = _arrays(after) if isinstance(after, Address) else (None,)
            merged = tuple(dict.fromkeys((*arrays, *found)))
            if merged != arrays:
                self.arrays[name] = (None,) if None in merged or len(merged) > 4 else merged
                new = new or self.arrays[name] != arrays
        return new

    def _number(self, name: str) -> Value:
        type = self.types.get(name, Int(64, True))
        assert isinstance(type, Int)
        probe = self._probe(name, meet(self.guessed.get(name, ANY), (type.low, type.high)))
        return Value(Node("==", probe, 1) if type.bits == 1 else probe)

    def _probe(self, name: str, known: Range) -> str:
        probe = self.recorder.fresh("p")
        always: tuple[Term, ...] = ()
        if known != ANY:
            low, high = int(known[0]), int(known[1])
            always = (terms.at_most(low, probe), terms.at_most(probe, high))
        self.recorder.add(Quantity(Variable(probe, "havoc"), always), known)
        self.of[probe] = name
        return probe

    def guess(self, carried: dict[str, Induction]) -> bool:
        """Take numbers to stay above, or below, what they begin with; return whether any new one.

        That is an invariant once a round that begins with it ends with it, as `refuse` sees.
        """
        known, new = self.entry.path.known, False
        for name, c in carried.items():
            before, type = self.entry.env[name], self.types.get(name)
            if c.step is not None or c.cycle or not isinstance(before, Value):
                continue
            if before.origins or not isinstance(type, Int) or type.bits == 1:
                continue
            low, high = known.of(before.term)
            reach = meet((type.low, type.high), c.known)
            low = low if reach[0] < low else -inf
            high = high if high < reach[1] else inf
            if name not in self.guessed and (low, high) != ANY:
                self.guessed[name] = (low, high)
                new = True
        return new

    def refuse(self, back: State) -> bool:
        """Drop the guesses that a round does not keep; return whether there were any."""
        dropped = False
        for name, (low, high) in list(self.guessed.items()):
            after, type = back.env.get(name), self.types.get(name)
            least, most = ANY
            if isinstance(after, Value) and isinstance(type, Int):
                least, most = _held(after, back.path.known, type)
            kept = (low if least >= low else -inf, high if most <= high else inf)
            if kept != (low, high):
                self.guessed[name] = kept
                dropped = True
        return dropped

    # --- what came of them ----------------------------------------------------------------------

    def steps(self, name: str, back: State, local: set[str]) -> bool:
        """Return whether a number changes by the same in every round."""
        probe, after = self.worlds[name], back.env.get(name)
        if not isinstance(probe, Value) or not isinstance(after, Value):
            return False
        return isinstance(probe.term, str) and _step(after.term, probe.term, local) is not None

    def classified(self, back: State, mark: Mark) -> dict[str, Induction]:
        """Return how each variable changes, by where it is at the end of the round."""
        local = local_names(self.recorder, mark)
        found: dict[str, Induction] = {}
        for name, probe in self.worlds.items():
            before, after = self.entry.env[name], back.env.get(name)
            found[name] = Induction(arrays=self.arrays.get(name, ()))
            if isinstance(probe, Value) and isinstance(after, Value):
                found[name] = self._number_changed(name, probe, before, after, back, local)
            elif isinstance(probe, Address) and isinstance(after, Address):
                step = _pointer_step(probe, after, local)
                if step is not None:
                    found[name] = Induction(step=step, arrays=found[name].arrays)
        for name in found:
            cycle = self._cycle(name, back, local)
            if cycle:
                found[name] = Induction(cycle=cycle, uniform=True)
        return self._with_uniform(found, back)

    def _number_changed(
        self, name: str, probe: Value, before: SymbolicValue, after: Value, back: State,
        local: set[str],
    ) -> Induction:  # fmt: skip
        type = self.types.get(name, Int(64, True))
        assert isinstance(type, Int) and isinstance(before, Value)
        if type.bits == 1:
            return Induction(known=(0, 1))
        p, known = probe.term, back.path.known
        assert isinstance(p, str)
        first, last = _held(before, self.entry.path.known, type), _held(after, known, type)
        reach = meet(join(first, last), (type.low, type.high))
        step = _step(after.term, p, local)
        if step is not None:
            return Induction(step=step, known=reach, origins=after.origins)
        if after.term == before.term and not terms.names(after.term) & local:
            # It is set again to what it was.
            return Induction(step=0, known=reach, origins=after.origins)
        wraps = any(o.meant for o in after.origins) and last == (type.low, type.high)
        drift = ANY if wraps else _drift(after.term, p, known)
        if drift[0] >= 0:
            reach = meet(reach, (first[0], inf))
        if drift[1] <= 0:
            reach = meet(reach, (-inf, first[1]))
        return Induction(turn=self._turn(after.term, p, local), known=reach, drift=drift)

    def _turn(self, after: Term, probe: str, local: set[str]) -> Turn | None:
        """Return what is added to a number, if that hangs on other variables of the loop alone."""
        if not isinstance(after, Node) or after.op != "if":
            return None
        test, *ways = after.args
        inside = terms.names(test)
        if probe in inside or inside & (local - self.of.keys()):
            return None
        then, other = (_step(way, probe, local) for way in ways)
        if type(then) is not int or type(other) is not int or then * other < 0:
            return None
        return Turn(test, then, other)

    def _cycle(self, name: str, back: State, local: set[str]) -> tuple[SymbolicValue, ...]:
        """Return the values that a variable takes over and over, if they rest on numbers alone.

        A pointer may be at a place that such numbers give.
        """
        needed, todo = {name}, [name]
        while todo:
            x = todo.pop()
            after = back.env.get(x)
            start = self.entry.env.get(x)
            number = isinstance(start, Value) and type(start.term) is int and not start.origins
            if isinstance(after, Value) and number:
                inside = terms.names(after.term)
                if not inside <= self.of.keys():
                    return ()
                new = {self.of[n] for n in inside}
            elif isinstance(after, Address):
                same = [y for y, w in self.worlds.items() if w == Address(after.options)]
                inside = frozenset().union(*(_names(o) for o in after.options))
                if not same and inside & (local - self.of.keys()):
                    return ()
                new = {same[0]} if same else {self.of[n] for n in inside & self.of.keys()}
            else:
                return ()
            todo += new - needed
            needed |= new
        first = {x: self.entry.env[x] for x in needed}
        history = [first]
        while len(history) <= MAX_CYCLE:
            following = self._following(history[-1], back)
            if following is None:
                return ()
            if all(_what(following[x]) == _what(first[x]) for x in needed):
                return tuple(h[name] for h in history)
            history.append(following)
        return ()

    def _following(
        self, now: dict[str, SymbolicValue], back: State
    ) -> dict[str, SymbolicValue] | None:
        values: dict[str, int] = {}
        for probe, x in self.of.items():
            held = now.get(x)
            if isinstance(held, Value) and type(held.term) is int:
                values[probe] = held.term
        result: dict[str, SymbolicValue] = {}
        for x in now:
            after = back.env[x]
            if isinstance(after, Address):
                same = [y for y in now if self.worlds[y] == Address(after.options)]
                place = now[same[0]] if same else self._placed(after, values)
                if place is None:
                    return None
                result[x] = place
                continue
            width = self.types.get(x)
            try:
                value = terms.evaluate(after.term, values)
            except InputError:
                return None
            if not isinstance(width, Int) or not width.low <= value <= width.high:
                return None
            result[x] = Value(value)
        return result

    def _placed(self, address: Address, values: Mapping[str, Term]) -> Address | None:
        """Return where a pointer is for some numbers, None where it rests on others."""
        found = tuple(
            Option(
                o.array,
                terms.substitute(o.offset, values),
                tuple(terms.substitute(w, values) for w in o.when),
            )
            for o in address.options
        )
        return None if any(_names(o) & self.of.keys() for o in found) else Address(found)

    # --- who agrees -----------------------------------------------------------------------------

    def _with_uniform(self, found: dict[str, Induction], back: State) -> dict[str, Induction]:
        """Mark the variables on which threads in the same round agree."""
        agreed = set()
        for name in found:
            before = self.entry.env[name]
            if isinstance(before, Value) and self.recorder.is_uniform(before.term):
                agreed.add(name)
        while True:
            differing = set()
            for name in agreed:
                after = back.env.get(name)
                if not isinstance(after, Value) or not self.is_uniform(after.term, agreed):
                    differing.add(name)
            if not differing:
                break
            agreed -= differing
        return {name: replace(c, uniform=name in agreed) for name, c in found.items()}

    def is_uniform(self, term: Term, agreed: set[str]) -> bool:
        """Return whether threads that agree on some variables agree on a term."""
        return all(
            self.of[n] in agreed if n in self.of else self.recorder.is_uniform(n)
            for n in terms.names(term)
        )


def _names(option: Option) -> frozenset[str]:
    return terms.names(option.offset).union(*map(terms.names, option.when))


def _what(world: SymbolicValue) -> object:
    return world.term if isinstance(world, Value) else world.options


def _arrays(address: Address) -> tuple[str | None, ...]:
    found = tuple(dict.fromkeys(o.array for o in address.options))
    return (None,) if None in found else found


def _pointer_step(probe: Address, after: Address, local: set[str]) -> Term | None:
    if len(probe.options) != 1 or len(after.options) != 1:
        return None
    p, q = probe.options[0], after.options[0]
    if p.array is None or p.array != q.array or q.when or not isinstance(p.offset, str):
        return None
    return _step(q.offset, p.offset, local)


def _step(after: Term, probe: str, local: set[str]) -> Term | None:
    """Return what is added to a variable, if that is the same in every round."""
    a = terms.polynomial(after)
    if a is None:
        return None
    d = dict(a)
    d[(probe,)] = d.get((probe,), 0) - 1
    term = terms.from_polynomial({m: c for m, c in d.items() if c})
    if not terms.names(term) & local:
        return term
    if isinstance(after, Node) and after.op == "if":
        test, then, other = after.args
        if not terms.names(test) & local:
            x = _step(then, probe, local)
            y = _step(other, probe, local)
            if x is not None and y is not None:
                return terms.if_(test, x, y)
    return None


def _held(value: Value, known: Ranges, type: Int) -> Range:
    """Return what a variable of a type lies between that holds a value, which may have wrapped."""
    low, high = known.of(value.term)
    fits = type.low <= low and high <= type.high
    return (low, high) if fits or not value.origins else (type.low, type.high)


def _drift(after: Term, probe: str, known: Ranges) -> Range:
    """Return between what a variable changes in a round."""
    if isinstance(after, Node) and after.op == "if":
        test, then, other = after.args
        x = _drift(then, probe, known.narrowed(test))
        y = _drift(other, probe, known.narrowed(terms.negate(test)))
        return join(x, y)
    found = known.of(_less(after, probe))
    size = after.args[1] if isinstance(after, Node) and after.op == "//" else 0
    if isinstance(after, Node) and isinstance(size, int) and size > 0:
        # a // c - x is (a - c*x) // c. That it shrinks is what is of use, not by how little.
        shrinks = known.of(_less(after.args[0], probe, size))[1] < size
        found = meet(found, (-inf, 0)) if shrinks else found
    if isinstance(after, Node) and after.args[0] == probe:
        if after.op in ("//", "%") and known.of(probe)[0] >= 0:
            found = meet(found, (-inf, 0))
        if after.op in ("min", "max"):
            found = meet(found, (-inf, 0) if after.op == "min" else (0, inf))
    return found


def _less(after: Term, probe: str, times: int = 1) -> Term:
    """Return a term less so many times a variable."""
    difference = terms.sub(after, terms.mul(probe, times))
    polynomial = terms.polynomial(difference)
    return difference if polynomial is None else terms.from_polynomial(polynomial)
