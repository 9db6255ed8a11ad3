"""What a loop keeps between its variables and what does not change: guessed, proved, then used.

Of a variable that moves by no fixed step it is guessed that it stays on the side of its start, or
below what it is compared with; of one that is divided while another is multiplied, that their
product does not grow; of one that doubles, that it is a power of two. A guess is kept that holds
before the loop and that every round keeps: this is asked of the same tiers as the properties are
(`solve/tiers.py`), without solvers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from symcute.expr import limits, terms
from symcute.expr.formula import POWERS
from symcute.expr.node import Node, Term
from symcute.kernel.symexec.induction import Induction, Probes
from symcute.kernel.symexec.recorder import Recorder
from symcute.kernel.symexec.state import Name, Path, State, SymbolicValue, Value
from symcute.solve.bits import powers_in
from symcute.solve.folding import choice_in, instead_of, ways
from symcute.solve.sequent import Sequent
from symcute.solve.tiers import quickly

__all__ = ["Relation", "Relations"]

#: The work for one question, and how many guesses of a loop are looked at.
WORK, MOST = 120, 12
#: A term with more choices than these is taken as it is; of a start so many ways are looked at.
CHOICES, WAYS = 4, 4


@dataclass(frozen=True, slots=True)
class Relation:
    """A truth over the variables of a loop, in which each is written `@name`."""

    truth: Term
    variables: frozenset[str]

    def cases(self, worlds: Mapping[str, SymbolicValue]) -> Iterator[tuple[Term, Term | None]]:
        """Yield what it says where the variables hold these, by the tests that decide on that."""
        for name in sorted(self.variables):
            world = worlds.get(name)
            choice = choice_in(world.term, CHOICES) if isinstance(world, Value) else None
            if isinstance(world, Value) and choice is not None:
                test, *sides = choice.args
                for decided, side in zip((test, terms.negate(test)), sides, strict=True):
                    inner = {
                        **worlds,
                        name: replace(world, term=instead_of(world.term, {choice: side})),
                    }
                    for truth in _orders(decided):
                        for more, said in self.cases(inner):
                            yield terms.all_of(truth, more), said
                return
        yield True, self.at(worlds)

    def at(self, worlds: Mapping[str, SymbolicValue]) -> Term | None:
        """Return what it says where the variables hold these, None where one is no number."""
        values: dict[str, Term] = {}
        for name in sorted(self.variables):
            world = worlds.get(name)
            if not isinstance(world, Value) or world.origins or terms.is_truth(world.term):
                return None
            values[f"@{name}"] = world.term
        return terms.substitute(self.truth, values)


class Relations:
    """Finds the relations that a loop keeps."""

    def __init__(self, recorder: Recorder, facts: Iterable[Term], dims: frozenset[str]) -> None:
        self._recorder = recorder
        self._facts, self._dims = tuple(facts), dims
        self._answers: dict[tuple[Term, tuple[Term, ...]], bool] = {}
        #: Whether facts were asked: what was found then may be another thing under others.
        self.asked = False
        #: Whether there are dims that are powers of two, beside which it matters what else is one.
        self._powers = bool(powers_in(self._facts))

    def kept(
        self, probes: Probes, carried: Mapping[str, Induction], test: Term, back: State,
        local: set[str],
    ) -> tuple[Relation, ...]:  # fmt: skip
        """Return the relations that hold before the loop and that a round keeps."""
        entry = probes.entry
        guesses = dict.fromkeys(_guesses(probes, carried, test, back, local, self._powers))
        found = [g for g in list(guesses)[:MOST] if self._holds(g, entry, ())]
        while found:
            before = [t for g in found if (t := g.at(probes.worlds)) is not None]
            still = [g for g in found if self._holds(g, back, before)]
            if len(still) == len(found):
                break
            found = still
        return tuple(found)

    def _holds(self, relation: Relation, state: State, more: Sequence[Term]) -> bool:
        return all(
            self.follows(part, state.path, (test, *more))
            for test, goal in relation.cases(_numbers(state.env))
            for part in _parts(goal)
        )

    def follows(self, goal: Term | None, path: Path, more: Sequence[Term] = ()) -> bool:
        """Return whether a goal is quickly proved on a path, where more is so."""
        if goal is None or isinstance(goal, bool):
            return goal is True
        guard = (*self._recorder.holding(path, (goal, *more)), *more)
        known = self._answers.get((goal, guard))
        if known is None:
            known = self._answers[goal, guard] = self._asked(goal, guard)
        return known

    def always(self, goal: Term, path: Path) -> bool:
        """Return whether a goal is quickly proved, whatever the path to it."""
        return self.follows(goal, replace(path, guards=(), before=()))

    def _asked(self, goal: Term, guard: tuple[Term, ...]) -> bool:
        self.asked = True
        try:
            with limits.budget(WORK):
                return quickly(Sequent((*self._facts, *guard), self._dims), goal).status == "proved"
        except limits.WorkLimit:
            return False


def _orders(truth: Term) -> tuple[Term, ...]:
    """Return a truth, of which one holds where the truth does: to differ is to be less or more."""
    if isinstance(truth, Node) and truth.op == "!=":
        a, b = truth.args
        return terms.less(a, b), terms.less(b, a)
    return (truth,)


def _parts(goal: Term | None) -> Iterator[Term | None]:
    """Yield what together says the same: to be at most a minimum is to be at most each."""
    if isinstance(goal, Node) and goal.op == "<=":
        a, b = goal.args
        if isinstance(b, Node) and b.op == "min":
            for x in b.args:
                yield from _parts(terms.at_most(a, x))
            return
    yield goal


def _numbers(env: Mapping[Name, SymbolicValue]) -> dict[str, SymbolicValue]:
    return {name: world for name, world in env.items() if isinstance(name, str)}


def _guesses(
    probes: Probes, carried: Mapping[str, Induction], test: Term, back: State, local: set[str],
    powers: bool,
) -> Iterator[Relation]:  # fmt: skip
    """Yield what may hold in every round."""
    numbers = _numbers(back.env)
    moving = {
        name: (first.term, last.term)
        for name, c in carried.items()
        if c.step is None and not c.cycle
        if isinstance(first := probes.entry.env[name], Value) and not first.origins
        if isinstance(last := numbers.get(name), Value) and not last.origins
        if not terms.is_truth(first.term)
    }
    changing = local | probes.of.keys()
    probes_of = {name: _probe(probes, name) for name in moving}
    for name, (start, after) in moving.items():
        low, high = carried[name].drift
        only = frozenset({name})
        if low < 0 and not isinstance(start, int):
            yield Relation(terms.at_most(start, f"@{name}"), only)
        if high > 0 and not isinstance(start, int):
            yield Relation(terms.at_most(f"@{name}", start), only)
        anew = _numbers_in(after)
        if low < 0:
            for number in anew:
                for truth, value in islice(ways(start, CHOICES), WAYS):
                    least = terms.at_most(terms.minimum(value, number), f"@{name}")
                    yield Relation(terms.any_of(terms.negate(truth), least), only)
        if high > 0:
            firsts = [*anew, *([start] if anew and type(start) is int else ())]
            for limit in _limits(after, test, probes_of[name], changing):
                for most in (limit, *(terms.maximum(limit, x) for x in sorted({*firsts}))):
                    yield Relation(terms.at_most(f"@{name}", most), only)
    for name, (start, after) in moving.items():
        if powers and type(start) is int and start > 0 and _multiplied(after, probes_of[name]):
            divides = terms.equal(terms.remainder(POWERS, f"@{name}"), 0)
            for truth in (terms.at_most(1, f"@{name}"), divides):
                yield Relation(truth, frozenset({name}))
    for x, (x_start, x_after) in moving.items():
        for y, (y_start, y_after) in moving.items():
            if _divided(x_after, probes_of[x]) and _multiplied(y_after, probes_of[y]):
                most = terms.mul(x_start, y_start)
                both = frozenset({x, y})
                yield Relation(terms.at_most(terms.mul(f"@{x}", f"@{y}"), most), both)


def _probe(probes: Probes, name: str) -> str:
    world = probes.worlds[name]
    assert isinstance(world, Value) and isinstance(world.term, str)
    return world.term


def _limits(after: Term, test: Term, probe: str, changing: set[str]) -> Iterator[Term]:
    """Yield what a variable is compared with, or cut to, where that is the same in every round."""
    todo = [after, test]
    while todo:
        term = todo.pop()
        if not isinstance(term, Node):
            continue
        todo += term.args
        if term.op == "min":
            yield from (a for a in term.args if not terms.names(a) & changing)
        if term.op not in ("==", "!=", "<", "<="):
            continue
        difference = terms.polynomial(terms.sub(*term.args))
        factor = 0 if difference is None else difference.pop((probe,), 0)
        if difference is not None and factor in (1, -1):
            rest = terms.from_polynomial({m: -c * factor for m, c in difference.items()})
            if not terms.names(rest) & changing:
                yield rest


def _numbers_in(after: Term) -> list[int]:
    """Return the numbers with which a variable begins anew."""
    if not isinstance(after, Node) or after.op != "if":
        return []
    return [x for x in after.args[1:] if type(x) is int]


def _divided(after: Term, probe: str) -> bool:
    if not isinstance(after, Node) or after.op != "//":
        return False
    return after.args[0] == probe and isinstance(after.args[1], int) and after.args[1] > 1


def _multiplied(after: Term, probe: str) -> bool:
    polynomial = terms.polynomial(after)
    return polynomial is not None and polynomial.keys() == {(probe,)} and after != probe
