"""Late accesses that may not have happened yet, and how they come from one round to the next.

A late access is written down where it begins, and once more behind each barrier that comes before
the wait for it; what the thread itself does meanwhile is written down beside it. A round of a loop
begins with what the round before left on its way: the same accesses, of one round earlier. Where a
round makes them no older, as nothing is committed, they may be of any earlier round.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from symcute.expr import terms
from symcute.expr.intervals import Range
from symcute.expr.node import Term
from symcute.kernel.access_map import Access, Variable
from symcute.kernel.symexec.record import Quantity
from symcute.kernel.symexec.recorder import Recorder
from symcute.kernel.symexec.state import Flight, Needs, Path, Start

__all__ = ["Carried", "awaited", "committed", "joined", "recorded"]

#: A late access is followed through so many rounds; then it may be of any round before.
MAX_TURNS = 6
#: The name of the round itself in what is carried, where that may be any one before.
_ANY = "@round"


def committed(flights: tuple[Flight, ...]) -> tuple[Flight, ...]:
    """Return what is on its way when a group has been made of what was in none."""
    return tuple(replace(f, age=f.age + 1) for f in flights)


def awaited(flights: tuple[Flight, ...], groups: int | None) -> tuple[Flight, ...]:
    """Return what may be on its way behind a wait for all but the last groups (None: for all)."""
    return () if groups is None else tuple(f for f in flights if f.age < groups)


def joined(one: tuple[Flight, ...], other: tuple[Flight, ...]) -> tuple[Flight, ...]:
    """Return what may be on its way behind two ways: the younger one of each."""
    if one == other:
        return one
    found: dict[object, Flight] = {}
    for f in (*one, *other):
        known = found.setdefault(f.begun, f)
        if f.age < known.age:
            found[f.begun] = f
    return tuple(found.values())


def recorded(recorder: Recorder, flights: Iterable[Flight], path: Path, start: Start) -> None:
    """Write late accesses down where they may happen behind a barrier."""
    for f in flights:
        way: Path | None = path
        for g in f.guards:
            way = None if way is None else way.under(g, f.needs)
        if way is not None:
            recorder.landing(replace(f.access, needs=f.needs), way, (start,))


# --- rounds of loops ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Frozen:
    """A late access as a round leaves it, with the variables of the round under names of its own.

    `turns` is how many rounds earlier than this one it began.
    """

    flight: Flight
    own: tuple[tuple[str, Quantity, Range], ...]
    turns: int
    wide: bool = False


class Carried:
    """What rounds of one loop leave on its way; `k` counts them.

    `ages`: something in the loop commits or waits.
    """

    def __init__(self, recorder: Recorder, k: str, ages: bool) -> None:
        self._recorder, self._k, self._ages = recorder, k, ages
        self._frozen: dict[_Frozen, None] = {}
        self._parents: dict[object, _Frozen] = {}
        self._before: frozenset[Flight] = frozenset()
        self._group = 0

    def begin(self, before: tuple[Flight, ...], around: tuple[str, ...]) -> tuple[Flight, ...]:
        """Return what is on its way where round k begins; `before` was where the first one does."""
        self._parents, self._before = {}, frozenset()
        self._group = self._recorder.group()
        if not self._ages:
            self._before = frozenset(before)
        else:
            first = terms.equal(self._k, 0)
            before = tuple(replace(f, guards=(*f.guards, first)) for f in before)
        rounds = []
        for frozen in sorted(self._frozen, key=lambda x: x.flight.age):
            flight = self._thawed(frozen, around)
            self._parents.setdefault(flight.begun, frozen)
            rounds.append(flight)
        return joined(before, tuple(rounds))

    def end(self, left: tuple[Flight, ...], local: set[str]) -> bool:
        """Take what a round leaves on its way, and return whether there is nothing new."""
        needs: Needs = frozenset().union(*(f.needs for f in left))
        self._recorder.resolve(self._group, needs)
        new = False
        for f in left:
            if f in self._before:
                continue
            parent = self._parents.get(f.begun)
            if parent is not None and parent.wide:
                continue
            turns = 0 if parent is None else parent.turns + 1
            if parent is not None and (f.age <= parent.flight.age or turns > MAX_TURNS):
                # A round makes it no older: it goes on so.
                frozen = self._widened(parent)
            else:
                frozen = self._freeze(f, local, turns)
                if not self._ages:
                    frozen = self._widened(frozen)
            if frozen not in self._frozen:
                self._frozen[frozen] = None
                new = True
        return not new

    def _freeze(self, f: Flight, local: set[str], turns: int) -> _Frozen:
        """Give the variables of the round names that say nothing but their order."""
        recorder = self._recorder
        order = {n: i for i, n in enumerate(recorder.quantities)}
        names: dict[str, Term] = {}
        quantities: dict[str, tuple[Quantity, Range]] = {}
        todo = [f.access.offset, *f.guards]
        while todo:
            inside = terms.names(todo.pop(0)) & local - {self._k} - names.keys()
            for name in sorted(inside, key=order.__getitem__):
                names[name] = f"@{len(names)}"
                q = recorder.quantities[name]
                quantities[name] = q, recorder.known[name]
                todo += [*q.always, *q.bounds, *q.home]
                if q.variable.element is not None:
                    todo.append(q.variable.element[1])
        own = tuple((str(names[n]), _moved(q, names), r) for n, (q, r) in quantities.items())
        return _Frozen(replace(_renamed(f, names), needs=frozenset()), own, turns)

    def _widened(self, frozen: _Frozen) -> _Frozen:
        """Return a late access as one of this round or any one before."""
        inside = terms.all_of(terms.at_most(0, _ANY), terms.at_most(_ANY, self._k))
        variable = Variable(_ANY, "havoc", reason="the round in which a copy began")
        any_round = _ANY, Quantity(variable, (terms.at_most(0, _ANY),)), (0, float("inf"))
        names: dict[str, Term] = {self._k: _ANY}
        moved = tuple((n, _moved(q, names), r) for n, q, r in frozen.own)
        flight = _renamed(frozen.flight, names)
        flight = replace(flight, guards=(*flight.guards, inside))
        return _Frozen(flight, (any_round, *moved), 0, True)

    def _thawed(self, frozen: _Frozen, around: tuple[str, ...]) -> Flight:
        """Return a late access of the round before, in variables of its own."""
        recorder = self._recorder
        names: dict[str, Term] = {self._k: terms.add(self._k, -1)}
        for name, q, known in frozen.own:
            new = recorder.fresh("c")
            names[name] = new
            recorder.add(replace(q, variable=replace(q.variable, name=new), depends=None), known)
        for _, q, known in frozen.own:
            moved = _moved(q, names)
            variable = replace(moved.variable, uniform=False, exact=False, around=around)
            recorder.add(replace(moved, variable=variable, depends=None), known)
        flight = _renamed(frozen.flight, names)
        guards = (*flight.guards, terms.at_most(1, self._k))
        return replace(flight, guards=guards, needs=frozenset({self._group}))


def _moved(q: Quantity, names: dict[str, Term]) -> Quantity:
    variable = q.variable
    name = names.get(variable.name, variable.name)
    if variable.element is not None:
        array, index = variable.element
        variable = replace(variable, element=(array, terms.substitute(index, names)))
    return Quantity(
        replace(variable, name=str(name)),
        tuple(terms.substitute(t, names) for t in q.always),
        tuple(terms.substitute(t, names) for t in q.bounds),
        tuple(terms.substitute(t, names) for t in q.home),
    )


def _renamed(f: Flight, names: dict[str, Term]) -> Flight:
    access: Access = replace(f.access, offset=terms.substitute(f.access.offset, names))
    return replace(f, access=access, guards=tuple(terms.substitute(g, names) for g in f.guards))
