"""What was true in some round of a loop, said behind the loop: names of the round made new ones."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import inf

from symcute.expr import terms
from symcute.expr.node import Term
from symcute.kernel.access_map import Variable
from symcute.kernel.symexec.record import Quantity
from symcute.kernel.symexec.recorder import Recorder
from symcute.kernel.symexec.state import (
    Flight,
    Needs,
    Option,
    Path,
    Start,
    State,
    SymbolicValue,
    Value,
)

__all__ = ["Renaming"]


@dataclass(slots=True)
class Renaming:
    """Gives the variables of a round (`local`) new names, with the same bounds in new terms."""

    recorder: Recorder
    local: set[str]
    around: list[str]
    uniform: bool = False  # threads agree on the round, and so on what they agree on in it
    terms: dict[str, Term] = field(default_factory=dict)
    counter: str = ""

    def count(self, k: str, reason: str, exact: bool = False) -> None:
        """Let a new variable stand for the round."""
        self.counter = self.recorder.fresh("n")
        variable = Variable(
            self.counter, "havoc", self.uniform, reason=reason, exact=exact,
            around=tuple(self.around),
        )  # fmt: skip
        self.recorder.add(Quantity(variable, (terms.at_most(0, self.counter),)), (0, inf))
        self.terms[k] = self.counter

    def term(self, term: Term) -> Term:
        """Return a term in the new names."""
        used = terms.names(term)
        if used.isdisjoint(self.local) and used.isdisjoint(self.terms):
            return term
        for name in sorted(used & self.local - self.terms.keys()):
            self._rename(name)
        return terms.substitute(term, self.terms)

    def _rename(self, name: str) -> None:
        q = self.recorder.quantities[name]
        known = self.recorder.known[name]
        new = self.recorder.fresh("h")
        self.terms[name] = new
        uniform = self.uniform and q.variable.uniform
        variable = replace(q.variable, name=new, uniform=uniform, around=tuple(self.around))
        if variable.element is not None:
            array, index = variable.element
            variable = replace(variable, element=(array, self.term(index)))
        self.recorder.add(Quantity(variable, depends=None), known)
        renamed = Quantity(
            variable,
            tuple(self.term(b) for b in q.always),
            tuple(self.term(b) for b in q.bounds),
            tuple(self.term(g) for g in q.home),
        )
        self.recorder.add(renamed, known)

    def world(self, world: SymbolicValue) -> SymbolicValue:
        """Return a value or an address in the new names."""
        if isinstance(world, Value):
            term = self.term(world.term)
            return world if term is world.term else replace(world, term=term)
        options = tuple(
            Option(o.array, self.term(o.offset), tuple(self.term(w) for w in o.when))
            for o in world.options
        )
        return replace(world, options=options)

    def state(self, state: State, base: Path, behind: Path) -> State:
        """Return a state in the new names; its path goes on from `behind` as it did from `base`."""
        needs = state.path.needs
        path = replace(
            behind,
            needs=behind.needs | needs,
            ends=behind.ends | state.path.ends,
            lost=behind.lost or state.path.lost,
        )
        for g in state.path.guards[len(base.guards) :]:
            path = path.under(self.term(g)) or path
        env: dict[str | tuple[str, int, int], SymbolicValue] = {}
        for name, world in state.env.items():
            env[name] = self.world(world).resting_on(needs)
        flights = tuple(self._flight(f, needs) for f in state.flights)
        return State(path, env, self._starts(state.starts, path), flights)

    def _flight(self, f: Flight, needs: Needs) -> Flight:
        offset, guards = self.term(f.access.offset), tuple(self.term(g) for g in f.guards)
        if offset == f.access.offset and guards == f.guards:
            return f
        access = replace(f.access, offset=offset)
        return replace(f, access=access, guards=guards, needs=f.needs | needs)

    def _starts(self, starts: tuple[Start, ...], path: Path) -> tuple[Start, ...]:
        """Return barriers in the new names, without those that the path rules out."""
        found = []
        for s in starts:
            when = [self.term(t) for t in s.when]
            if not any(path.decides(t) is False for t in when):
                rounds = tuple((label, self.term(t)) for label, t in s.rounds)
                open_ends = tuple(t for t in when if path.decides(t) is None)
                found.append(Start(s.event, rounds, open_ends, s.warp))
        return tuple(found)
