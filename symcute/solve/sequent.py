"""Sequents: hypotheses under which goals are asked for, over dims, threads and rounds.

What is found out about the hypotheses is found out once: ranges, words, points. Fewer hypotheses
than there are may be handed on, which is sound as long as all dims keep what bounds them from
below: one that nothing bounds counts from 1. The tiers (`tiers.py`) decide goals.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property

from symcute.errors import InputError
from symcute.expr.node import Node, Term
from symcute.expr.ranges import Names, ranges_under
from symcute.expr.terms import evaluate, names, negate
from symcute.solve.memory import Memory, memory
from symcute.solve.sampling import Points, draw
from symcute.solve.stated import Stated, Words, bounded
from symcute.solve.wording import Wording

__all__ = ["Sequent"]


class Sequent:
    """Hypotheses, under which several goals are asked for: what holds at one place of a kernel.

    `dims` are at least 1 where no hypothesis bounds them from below. The hypotheses of a sequent
    `before` come first: what that has found out is so here.
    """

    def __init__(
        self, hypotheses: Iterable[Term], dims: Collection[str], before: Sequent | None = None
    ) -> None:
        parts = dict.fromkeys(p for h in hypotheses for p in _conjuncts(h))
        self.hypotheses: tuple[Term, ...] = tuple(parts)
        self.dims = frozenset(dims)
        self.tried: dict[str, int] = {}
        self._words: dict[tuple[bool, bool], Words] = {}
        self._stated: dict[object, Stated] = {}
        self._before = before

    def extended(self, more: Iterable[Term]) -> Sequent:
        """Return the sequent in which more holds."""
        return Sequent((*self.hypotheses, *more), self.dims, self)

    @cached_property
    def memory(self) -> Memory:
        """What was found out, of this sequent or of one that says the same."""
        return memory(self.hypotheses, self.dims)

    @cached_property
    def ranges(self) -> Names:
        """The constant ranges of the names."""
        start = {n: (1, float("inf")) for n in self._default_dims}
        return ranges_under(self.hypotheses, start) if start else self._stated_ranges

    @cached_property
    def _default_dims(self) -> set[str]:
        """Dims that nothing bounds from below by a constant: they are at least 1."""
        known = self._stated_ranges
        return {n for n in self.dims if known.get(n, (-float("inf"), 0))[0] == -float("inf")}

    @cached_property
    def _stated_ranges(self) -> Names:
        """The ranges that the hypotheses alone say, each sequent's from those of the one before."""
        chain = [self]
        while (before := chain[-1]._before) is not None and "_stated_ranges" not in vars(before):
            chain.append(before)
        known, said = Names(), 0
        if before is not None:
            known, said = before._stated_ranges, len(before.hypotheses)
        for one in reversed(chain):  # a chain may be longer than calls go deep
            known = ranges_under(one.hypotheses, known, said)
            vars(one)["_stated_ranges"], one._before = known, None
            said = len(one.hypotheses)
        return known

    @cached_property
    def empty(self) -> bool:
        """Whether ranges alone show that it never happens, or that all cases of one are denied."""
        known = self.ranges
        if any(low > high for low, high in known.values()):
            return True
        if any(known.ranges.decides(h) is False for h in self.hypotheses):
            return True
        cases = [h.args for h in self.hypotheses if isinstance(h, Node) and h.op == "or"]
        said = frozenset(self.hypotheses) if cases else frozenset()
        return any(all(negate(x) in said for x in parts) for parts in cases)

    @cached_property
    def drawn(self) -> Points:
        """Points at which the hypotheses hold."""
        return draw(self.hypotheses, self.ranges)

    def met(self, model: dict[str, int]) -> bool:
        """Return whether a model gives all names values at which all hypotheses hold."""
        try:
            return all(evaluate(h, model) for h in self.hypotheses)
        except (KeyError, InputError, ZeroDivisionError):
            return False

    def stated(
        self,
        goal: Term,
        overlap: Collection[Term] = (),
        choices: bool = False,
        named: bool = False,
    ) -> Stated:
        """Return a goal in the words of certificates; `Wording` has the others."""
        how = choices, named
        key = goal, tuple(overlap), how
        if key not in self._stated:
            asked = names(goal).union(*map(names, overlap))
            # A name that was made for the hypotheses may be one of the goal.
            if how not in self._words or self._words[how].wording.made & asked:
                taken = asked.union(*map(names, self.hypotheses))
                # Other dims may be below 1, and no hypothesis says plainly from where they count.
                said = {n for h in self.hypotheses if (n := bounded(h))}
                known = self.ranges.ranges
                dims = frozenset(n for n in self.dims if n in said or known.of(n)[0] >= 1)
                wording = Wording(self.ranges, dims, choices, named, taken)
                self._words[how] = Words(self.hypotheses, dims, wording)
            self._stated[key] = self._words[how].stated(goal, overlap)
        return self._stated[key]


def _conjuncts(truth: Term) -> Iterator[Term]:
    if isinstance(truth, Node) and truth.op == "and":
        for x in truth.args:
            yield from _conjuncts(x)
    elif truth is not True:
        yield truth
