"""What symbolic execution writes down, and how it becomes an access map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symcute.expr import terms
from symcute.expr.intervals import ANY, Range
from symcute.expr.node import Node, Term
from symcute.expr.ranges import Names
from symcute.kernel.access_map import (
    Access,
    BarrierEvent,
    Computation,
    Fenced,
    Phase,
    Promised,
    Unsupported,
    Variable,
)
from symcute.kernel.ir.place import Place
from symcute.kernel.symexec.record import Closures, Finished, Mark, Met, Quantity
from symcute.kernel.symexec.state import NOTHING, Needs, Path, Start

__all__ = ["Recorder"]


class Recorder:
    """Collects accesses, computations, events and unsupported, and makes variables."""

    def __init__(self) -> None:
        self.quantities: dict[str, Quantity] = {}
        self.known = Names()
        self.loads: dict[object, str] = {}
        #: Names that no variable may take.
        self.reserved: frozenset[str] = frozenset()
        self._order: list[str] = []
        self._time = 0
        #: What happens, and where that is met: under which guards is found out in the end, since
        #: most of it is forgotten before.
        self._accesses: list[tuple[Access, Met, Needs]] = []
        self._computations: list[tuple[Computation, Met]] = []
        self._index: dict[object, list[tuple[tuple[Term, ...], int]]] = {}
        self._events: list[tuple[BarrierEvent, Met]] = []
        self._unsupported: list[Unsupported] = []
        self._groups: list[Needs] = []
        self._tests: list[Needs] = []
        self._promises: list[Promised] = []
        self._landings: list[Access] = []
        self._overtaken: list[tuple[Access, Access]] = []
        self._fences: list[Fenced] = []

    # --- going back -----------------------------------------------------------------------------

    def mark(self) -> Mark:
        """Return the point that has been reached."""
        return Mark(
            len(self._order),
            len(self._accesses),
            len(self._computations),
            len(self._events),
            len(self._unsupported),
            len(self._groups),
            len(self._tests),
            len(self._promises),
            len(self._landings),
            len(self._overtaken),
            len(self._fences),
        )

    def rewind(self, mark: Mark) -> None:
        """Forget what was written down after a point."""
        # What a place holds that is never written goes on to be that, if the place is still known.
        gone: set[str] = set()
        for name in self._order[mark.quantities :]:
            depends = self.quantities[name].depends
            if depends is None or depends & gone:
                gone.add(name)
        for name in gone:
            del self.quantities[name], self.known[name]
        self._order = [n for n in self._order if n not in gone]
        self.loads = {key: name for key, name in self.loads.items() if name not in gone}
        del self._accesses[mark.accesses :]
        for key in {_key(c) for c, _ in self._computations[mark.computations :]}:
            self._index[key] = [e for e in self._index[key] if e[1] < mark.computations]
        del self._computations[mark.computations :]
        del self._events[mark.events :]
        del self._unsupported[mark.unsupported :]
        del self._groups[mark.groups :]
        del self._tests[mark.tests :]
        del self._promises[mark.promises :]
        del self._landings[mark.landings :]
        del self._overtaken[mark.overtaken :]
        del self._fences[mark.fences :]

    def made_since(self, mark: Mark) -> list[str]:
        """Return the variables made after a point."""
        return self._order[mark.quantities :]

    # --- variables ------------------------------------------------------------------------------

    def add(self, quantity: Quantity, known: Range = ANY) -> str:
        """Take a variable, with a range in which it always lies."""
        name = quantity.variable.name
        if name not in self.quantities:
            self._order.append(name)
        self._put(name, quantity)
        self.known[name] = known
        return name

    def fresh(self, stem: str) -> str:
        """Return a name that no variable has."""
        number = len(self._order)
        while (name := f"{stem}_{number}") in self.quantities or name in self.reserved:
            number += 1
        return name

    def bound(self, name: str, *bounds: Term, home: tuple[Term, ...] = ()) -> None:
        """Add bounds of a variable, which hold where the guards of `home` do."""
        q = self.quantities[name]
        self._put(name, replace(q, bounds=(*q.bounds, *bounds), home=home or q.home))

    def _put(self, name: str, quantity: Quantity) -> None:
        before = self.quantities.get(name)
        self._time += before is not None
        since = self._time if before is not None else 0
        self.quantities[name] = replace(quantity, before=before, since=since)

    def _at(self, name: str, time: int) -> Quantity | None:
        """Return a quantity as it was known at a time."""
        q = self.quantities.get(name)
        while q is not None and q.since > time:
            q = q.before
        return q

    def is_uniform(self, term: Term) -> bool:
        """Return whether threads of a block in the same rounds agree on a term."""
        quantities = (self.quantities.get(n) for n in terms.names(term))
        return all(q is None or q.variable.uniform for q in quantities)

    # --- what happens ---------------------------------------------------------------------------

    def access(self, access: Access, path: Path, starts: tuple[Start, ...], seen: Needs) -> None:
        """Write down an access; its guard and variables follow from the path, in the end."""
        self._accesses.append((access, Met(path, self._time, starts), seen))

    def _happening(self, access: Access, met: Met) -> Access:
        """Return an access with when it happens, and the variables of that."""
        path, starts, rounds = met.path, met.starts, _rounds(met.starts)
        guard, variables = self._guard(met, [access.offset, access.value, *rounds], access.guard)
        # What is stored makes no difference to when and where.
        without, _ = self._guard(met, [access.offset, *rounds], access.guard)
        exact = path.exact and all(
            v.kind != "havoc" or v.exact
            for v in self._of(terms.names(terms.all_of(*without)) | terms.names(access.offset))
        )
        return replace(
            access,
            guard=guard,
            variables=variables,
            phases=_phases(starts, False),
            warps=() if access.late or access.agent or access.signal else _phases(starts, True),
            exact=exact and access.exact,
            needs=access.needs | path.needs,
            ends=path.ends,
        )

    def landing(self, access: Access, path: Path, starts: tuple[Start, ...]) -> None:
        """Write down that a late access may happen behind a barrier, and not before it."""
        guard, variables = self._guard(self._here(path), [access.offset, *_rounds(starts)])
        needs = access.needs | path.needs
        self._landings.append(
            replace(
                access, guard=guard, variables=variables, phases=_phases(starts, False),
                needs=needs, ends=path.ends, exact=False,
            )
        )  # fmt: skip

    def overtake(self, late: Access, access: Access, path: Path) -> None:
        """Write down that an access happens while a late one of the thread is on its way."""
        guard, variables = self._guard(self._here(path), [late.offset, access.offset])
        needs = late.needs | access.needs | path.needs
        first, second = (
            replace(a, guard=guard, variables=variables, needs=needs, ends=path.ends, exact=False)
            for a in (late, access)
        )
        self._overtaken.append((first, second))

    def fence(self, of: str, path: Path, around: tuple[str, ...]) -> None:
        """Write down a fence of a thread."""
        counts = len(self._accesses), len(self._events)
        self._fences.append(Fenced(of, *counts, self.holding(path, ()), around))

    def computation(self, found: Computation, path: Path, here: bool = False) -> int:
        """Write down a computation, and return its number; one that is there already is reused.

        With `here`, one at another place does not do.
        """
        key = _key(found)
        for guards, number in self._index.get(key, ()):
            elsewhere = here and self._computations[number][0].place != found.place
            if path.guards[: len(guards)] == guards and not elsewhere:
                return number
        number = len(self._computations)
        self._index.setdefault(key, []).append((path.guards, number))
        found = replace(found, needs=found.needs | path.needs)
        self._computations.append((found, self._here(path)))
        return number

    def holds_also(self, made: Path, path: Path, mark: Mark) -> None:
        """Let what was computed since on one path count on another, which goes on from there."""
        for key in {_key(c) for c, _ in self._computations[mark.computations :]}:
            entries = self._index[key]
            entries += [(path.guards, n) for guards, n in entries if guards == made.guards]

    def event(
        self, scope: str, place: Place, path: Path, starts: tuple[Start, ...],
        held: tuple[str, Term] | None = None, arrival: int | None = None,
    ) -> int:  # fmt: skip
        """Write down a barrier, and return its number."""
        if path.lost:
            reason = "threads may have left a loop before this barrier in different rounds"
            self.unsupported(Unsupported(reason, place, (), True))
        happens = BarrierEvent(
            scope,
            (),
            (),
            place,
            path.needs | path.ends,
            path.exact,
            (),
            len(self._accesses),
            held,
            arrival,
        )
        self._events.append((happens, Met(path, self._time, starts)))
        return len(self._events) - 1

    def _passed(self, event: BarrierEvent, met: Met) -> BarrierEvent:
        """Return a barrier with when it is passed, and the variables of that."""
        guard, variables = self._guard(met, _rounds(met.starts))
        exact = event.exact and all(
            v.kind != "havoc" or v.exact for v in self._of(terms.names(terms.all_of(*guard)))
        )
        phases = _phases(met.starts, False)
        return replace(event, guard=guard, variables=variables, phases=phases, exact=exact)

    def promise(self, said: Promised, path: Path) -> None:
        """Write down what is promised, whose guard and variables follow from the path."""
        guard, variables = self._guard(self._here(path), [said.truth])
        exact = path.exact and all(v.kind != "havoc" or v.exact for v in variables)
        needs = said.needs | path.needs | path.ends
        found = replace(said, guard=guard, variables=variables, needs=needs, exact=exact)
        self._promises.append(found)

    def unsupported(self, unsupported: Unsupported) -> None:
        """Write down something that was not understood."""
        if unsupported not in self._unsupported:
            self._unsupported.append(unsupported)

    def test(self, needs: Needs) -> None:
        """Write down what a condition rests on."""
        self._tests.append(needs)

    def group(self) -> int:
        """Return a number that stands for computations to be named later."""
        self._groups.append(NOTHING)
        return -len(self._groups)

    def resolve(self, group: int, needs: Needs) -> None:
        """Name the computations that a group stands for."""
        self._groups[-group - 1] = needs

    # --- the end --------------------------------------------------------------------------------

    def finish(self) -> Finished:
        """Return everything, with what each rests on followed to the end."""
        reach = self._closures()

        def closed(needs: Needs) -> Needs:
            found: set[int] = set()
            for n in needs:
                found |= reach(n)
            return frozenset(found)

        accesses = []
        index, tests = set[int](), set[int]()
        for one, met, seen in self._accesses:
            access = self._happening(one, met)
            index |= closed(seen)
            tests |= closed(access.needs)
            accesses.append(
                replace(
                    access,
                    needs=closed(access.needs),
                    value_needs=closed(access.value_needs),
                    ends=closed(access.ends),
                )
            )
        events = tuple(replace(self._passed(*m), needs=closed(m[0].needs)) for m in self._events)
        tests.update(n for m in events for n in m.needs)
        tests |= closed(frozenset().union(*self._tests))
        computations = []
        for number, (c, met) in enumerate(self._computations):
            role = "index" if number in index else "test" if number in tests else c.role
            mentioned = [c.value, c.divisor, c.shift]
            guard, variables = self._guard(met, mentioned)
            computations.append(
                replace(
                    c, guard=guard, variables=variables, needs=closed(c.needs) - {number}, role=role
                )
            )
        promises = tuple(replace(p, needs=closed(p.needs)) for p in self._promises)

        def whole(a: Access) -> Access:
            return replace(a, needs=closed(a.needs), ends=closed(a.ends))

        return Finished(
            tuple(accesses), tuple(computations), events, tuple(self._unsupported), promises,
            tuple(map(whole, self._landings)),
            tuple((whole(a), whole(b)) for a, b in self._overtaken), tuple(self._fences),
        )  # fmt: skip

    def _closures(self) -> Closures:
        return Closures([c for c, _ in self._computations], self._groups)

    def _of(self, found: frozenset[str]) -> list[Variable]:
        return [self.quantities[n].variable for n in sorted(found) if n in self.quantities]

    def holding(self, path: Path, mentioned: Sequence[Term]) -> tuple[Term, ...]:
        """Return all that holds on a path and bounds what is mentioned."""
        return self._guard(self._here(path), mentioned)[0]

    def _here(self, path: Path) -> Met:
        return Met(path, self._time)

    def _guard(
        self, met: Met, mentioned: Sequence[Term | None], more: tuple[Term, ...] = ()
    ) -> tuple[tuple[Term, ...], tuple[Variable, ...]]:
        """Return all that holds on a path and bounds what is mentioned, and the variables of it."""
        guard: dict[Term, None] = {}
        todo = [t for t in mentioned if t is not None]
        for g in (*met.path.guards, *more):
            _open(g, guard)
        todo += guard
        seen: set[str] = set()
        while todo:
            new = terms.names(todo.pop()) - seen
            for name in sorted(new):
                seen.add(name)
                q = self._at(name, met.time)
                if q is None:
                    continue
                if q.variable.element is not None:
                    todo.append(q.variable.element[1])
                for b in _bounds(q, met.path):
                    if b not in guard:
                        _open(b, guard)
                        todo.append(b)
        variables = tuple(self.quantities[n].variable for n in self._order if n in seen)
        guard.pop(True, None)
        return tuple(guard), variables


def _bounds(q: Quantity, path: Path) -> list[Term]:
    """Return what bounds a quantity on a path."""
    away = [g for g in q.home if g not in path.guards]
    if not away:
        return [*q.always, *q.bounds]
    apart = [terms.negate(g) for g in away]
    return [*q.always, *(terms.any_of(*apart, b) for b in q.bounds)]


def _key(c: Computation) -> object:
    return c.value, c.type, c.conversion, c.divisor, c.shift, c.followed


def _open(guard: Term, into: dict[Term, None]) -> None:
    """Put a guard, or each part of a conjunction, among others."""
    if isinstance(guard, Node) and guard.op == "and":
        into.update(dict.fromkeys(guard.args))
    else:
        into[guard] = None


def _phases(starts: tuple[Start, ...], warp: bool) -> tuple[Phase, ...]:
    return tuple(Phase(s.event, s.rounds, s.when) for s in starts if s.warp is warp)


def _rounds(starts: tuple[Start, ...]) -> list[Term]:
    """Return the rounds of loops since which phases began, and when."""
    return [t for s in starts for t in (*(r for _, r in s.rounds), *s.when)]
