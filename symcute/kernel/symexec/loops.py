"""Loops: summarised for a generic round k, or walked round by round where that is exact and short.

A loop is walked twice: once from variables of which nothing is known, to see what a round does to
them and which barriers it ends with; then from what they are at the start of round k.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import count

from symcute.expr import terms
from symcute.expr.node import Term
from symcute.kernel.access_map import Unsupported
from symcute.kernel.ir.inside import every
from symcute.kernel.ir.program import Loop
from symcute.kernel.symexec import scan
from symcute.kernel.symexec.flights import MAX_TURNS, Carried
from symcute.kernel.symexec.induction import Probes, local_names
from symcute.kernel.symexec.invariants import said_of, stated
from symcute.kernel.symexec.loop_summary import BEFORE, Executes, Headers, Plan, again, cleaned
from symcute.kernel.symexec.record import Mark
from symcute.kernel.symexec.renaming import Renaming
from symcute.kernel.symexec.state import (
    NOTHING,
    Needs,
    Path,
    Start,
    State,
    Value,
)
from symcute.kernel.symexec.trip_count import Course, course, first_failure, settled

__all__ = ["Executes", "Loops"]

#: Loops are walked round by round up to so many rounds, and so many statements in all.
MAX_ROUNDS, MAX_UNROLLED = 64, 4096
#: A loop is walked so often to find the barriers with which its rounds end.
MAX_WALKS = 6


@dataclass(slots=True)
class _Round:
    """One round: where it ends to begin again, where the test ended it, and the test."""

    back: State | None
    out: State | None
    test: Value
    paths: tuple[Path | None, Path | None]


class Loops:
    """Executes loops."""

    def __init__(self, walker: Executes) -> None:
        self._walker = walker
        self._recorder = walker.recorder
        self._heads = Headers(walker)
        self._behind: State | None = None

    def name_of(self, label: str) -> str:
        """Return the variable that counts the rounds of a loop."""
        return self._heads.name_of(label)

    def symexecute(self, s: Loop, state: State) -> State | None:
        """Return the state behind a loop."""
        # What is meant to wrap has wrapped before the first round: rounds count from there.
        meant = {
            n
            for n in self._walker.scan.assigned(s)
            if isinstance(v := state.env.get(n), Value) and v.wraps
        }
        if meant:
            state = state.at(state.path)
            self._use(state, meant)
        plan = self._plan(s, state)
        if not plan.goes_on:
            return self._at_most_once(s, state)
        if self._worth_unrolling(s, plan, state):
            found = self._unrolled(s, state)
            if found is not None:
                return found[0]
        carried = Carried(self._recorder, self.name_of(s.label), scan.ages(s))
        for _ in range(MAX_WALKS + (MAX_TURNS if scan.is_late(s) or state.flights else 0)):
            mark, exits = self._recorder.mark(), self._exits()
            new, known = self._from_round(s, state, plan, carried)
            if known and new <= set(plan.starts):
                return self._behind
            self._rewind(mark, exits)
            plan.starts = tuple(dict.fromkeys((*plan.starts, *sorted(new, key=repr))))
        # Nothing is known of its barriers but that they order less than one might hope.
        self._walker.unordered += 1
        _, known = self._from_round(s, state, plan, carried)
        self._walker.unordered -= 1
        if not known:
            reason = "which copies are on their way in a loop"
            self._recorder.unsupported(Unsupported(reason, s.place, effect="order"))
        return self._behind

    # --- one round ------------------------------------------------------------------------------

    def _round(
        self, s: Loop, state: State, reached: Path | None = None, whole: Term | None = None
    ) -> _Round:  # fmt: skip
        """Walk one round.

        `reached` is the path on which it begins, if that says more; `whole` holds where the test
        did in all rounds up to this one, so that the body needs no more.
        """
        w, mark = self._walker, self._recorder.mark()
        st: State | None = state if reached is None else state.at(reached)
        if s.test_last:
            for part in (s.body, s.step, s.before):
                st = None if st is None else w.block(part, st)
        else:
            st = w.block(s.before, st) if st is not None else None
        if st is None:
            return _Round(None, None, Value(True), (None, None))
        test = Value(True) if s.test is None else w.test(s.test, st)
        inside = st.path.under(test.term, test.needs)
        outside = st.path.under(terms.negate(test.term), test.needs)
        out = None if outside is None else st.at(outside)
        back = None if inside is None else st.at(inside)
        if back is not None and not s.test_last:
            if reached is not None and whole is not None:
                way = state.path.under(whole, test.needs) or state.path
                self._recorder.holds_also(reached, way, mark)
                needs = way.needs | back.path.needs
                back.path = replace(way, known=back.path.known, needs=needs)
            for part in (s.body, s.step):
                back = None if back is None else w.block(part, back)
        return _Round(back, out, test, (inside, outside))

    def _at_most_once(self, s: Loop, state: State) -> State | None:
        """Walk a loop that never begins a second round."""
        found = self._round(s, state)
        ways = self._walker.exits.pop(s.label, [])
        return self._walker.merger.merged(([found.out] if found.out else []) + ways)

    # --- round by round -------------------------------------------------------------------------

    def _worth_unrolling(self, s: Loop, plan: Plan, state: State) -> bool:
        if scan.ages(s):  # of few rounds it is known which one waits for what
            held = [state.env.get(name) for name in plan.tested]
            return all(isinstance(v, Value) and type(v.term) is int for v in held)
        for name in sorted(plan.tested):
            c, before = plan.carried.get(name), state.env.get(name)
            if c is not None and c.step is None and not c.cycle:
                return isinstance(before, Value) and type(before.term) is int
        return False

    def _unrolled(self, s: Loop, state: State) -> tuple[State | None] | None:
        """Return the state behind a loop whose test is a number in every round, or None."""
        mark, exits = self._recorder.mark(), self._exits()
        ways: list[State] = []
        size = sum(1 for _ in every((s,)))
        st: State | None = state.at(state.path)
        for _ in range(min(MAX_ROUNDS, MAX_UNROLLED // size)):
            assert st is not None
            found = self._round(s, st)
            if None not in found.paths:
                break
            ways += [found.out] if found.out else []
            st = found.back
            if st is None:
                ways += self._walker.exits.pop(s.label, [])
                return (self._walker.merger.merged(ways),)
        self._rewind(mark, exits)
        return None

    # --- the first execution --------------------------------------------------------------------

    def _plan(self, s: Loop, state: State) -> Plan:
        walker, recorder = self._walker, self._recorder
        probes = Probes(recorder, state, walker.scan.types, walker.scan.assigned(s))
        kept = [x for x in stated(s) if self._holds(x, state)]
        walker.arithmetic.around.append(s.label)
        try:
            for turn in count():
                mark, exits = recorder.mark(), self._exits()
                head = self._heads.head(s, state, probes.place())
                head.starts, head.flights = BEFORE[: 1 + walker.scan.warps], ()
                self._heads.count(s.label)
                head.path = self._heads.keeping(kept, head)
                found = self._round(s, head)
                plan = self._examined(s, probes, found, mark, exits)
                still = [x for x in kept if found.back is None or self._holds(x, found.back)]
                back = found.back
                wider = back is not None and probes.widen(back)
                wider |= back is not None and probes.refuse(back)
                wider |= turn == 0 and probes.guess(plan.carried)
                wider |= len(still) < len(kept)
                if back is not None and not wider:
                    plan.relations = walker.relations.kept(
                        probes, plan.carried, plan.test, back, plan.local
                    )
                self._rewind(mark, exits)
                if not wider:
                    break
                kept = still
        finally:
            walker.arithmetic.around.pop()
        plan.kept = kept
        texts = {text for text, _ in kept}
        for text in s.invariants:
            if text not in texts:
                reason = f"the invariant {text} is not seen to hold, and not used"
                recorder.unsupported(Unsupported(reason, s.place, ()))
        return plan

    def _holds(self, invariant: tuple[str, Term], state: State) -> bool:
        said = said_of(invariant, state, self._recorder.reserved, self._walker.arithmetic.used)
        return state.path.decides(said.term) is True

    def _examined(
        self, s: Loop, probes: Probes, found: _Round, mark: Mark, exits: dict[str, int]
    ) -> Plan:  # fmt: skip
        recorder, back = self._recorder, found.back
        local = local_names(recorder, mark) - probes.of.keys()
        if back is not None:
            changing = local | probes.of.keys()
            free = {n for n in probes.worlds if not probes.steps(n, back, changing)}
            probes.entry = probes.entry.at(probes.entry.path)
            self._use(probes.entry, free)
            self._use(back, free)
        carried = {} if back is None else probes.classified(back, mark)
        agreed = {name for name, c in carried.items() if c.uniform}
        ways = [
            st
            for label, states in self._walker.exits.items()
            for st in states[exits.get(label, 0) :]
        ]
        first = len(probes.entry.path.guards)
        orderly = not any(map(scan.strays, every((s,))))
        for st in ways:
            orderly = orderly and not st.path.lost
            for g in st.path.guards[first:]:
                orderly = orderly and probes.is_uniform(g, agreed)
        k = self._heads.name_of(s.label)
        starts = () if back is None else cleaned(back.starts, local - {k})
        return Plan(
            carried, found.test.term, dict(probes.of), starts, back is not None, local, orderly,
            {probes.of[n] for n in terms.names(found.test.term) if n in probes.of}, [],
        )  # fmt: skip

    # --- the generic round ----------------------------------------------------------------------

    def _from_round(
        self, s: Loop, state: State, plan: Plan, carried: Carried
    ) -> tuple[set[Start], bool]:  # fmt: skip
        """Walk round k, and leave the state behind the loop.

        Returns the starts it ended with, and whether all that it leaves on its way was known.
        """
        walker, recorder = self._walker, self._recorder
        around = walker.arithmetic.around
        around.append(s.label)
        mark, exits = recorder.mark(), self._exits()
        k = self._heads.count(s.label)
        groups = {name: tuple(recorder.group() for _ in range(3)) for name in plan.carried}
        test_group = recorder.group()
        head, known = self._heads.at_round(s, state, plan, k, groups)
        tested, alone = self._heads.test(plan, head)
        if tested is not None:
            tested = settled(tested, k, known.known)
        before = again(tested, k)
        going = course(tested if tested is not None else "?", k, {"?"}, known.known)
        going = replace(going, once=going.once and alone)
        early = scan.leaves(s)
        head.path = replace(
            known,
            exact=known.exact and going.once and not early,
            lost=known.lost or not plan.orderly,
        )
        head.path = self._heads.keeping(plan.kept, head)
        head.starts = self._heads.starts(s, state, plan, k)
        head.flights = carried.begin(state.flights, tuple(around[:-1]))
        reached = head.path
        if before is not None:
            # Said as a guard even where the ranges of steps, which are none, have it in them.
            plain = replace(head.path, known=state.path.known)
            way = plain.under(before, frozenset({test_group}))
            if way is not None and way is not plain:
                reached = replace(way, known=head.path.known.narrowed(before))
        events = mark.events
        found = self._round(s, head, reached, tested if going.once else None)
        if found.back is not None:
            self._use(found.back, {n for n, c in plan.carried.items() if c.step is None})
        self._resolve(groups, test_group, found)
        around.pop()
        new, known_all = set[Start](), True
        if found.back is not None:
            local = local_names(recorder, mark, frozenset({k}))
            known_all = carried.end(found.back.flights, local)
            ends = cleaned(found.back.starts, local - {k})
            new = {st if st.event >= events else BEFORE[st.warp] for st in ends}
        self._leave(s, state, found, exits, mark, going, tested)
        return {st for st in new if walker.scan.has_barrier(s, st.warp)}, known_all

    def _use(self, state: State, names: Iterable[str]) -> None:
        """Ask of variables whether their types hold them."""
        for name in sorted(names):
            world = state.env.get(name)
            if isinstance(world, Value):
                state.env[name] = self._walker.arithmetic.used(world, state.path)

    def _resolve(
        self, groups: dict[str, tuple[int, ...]], test_group: int, found: _Round
    ) -> None:  # fmt: skip
        for name, (needs, low, seen) in groups.items():
            world = None if found.back is None else found.back.env.get(name)
            path = NOTHING if found.back is None else found.back.path.needs
            if isinstance(world, Value):
                sets = (world.needs, world.low, world.seen)
            else:
                sets = (NOTHING,) * 3 if world is None else (world.needs, world.needs, world.seen)
            for group, rest in zip((needs, low, seen), sets, strict=True):
                self._recorder.resolve(group, rest | path)
        self._recorder.resolve(test_group, found.test.needs)

    # --- behind the loop ------------------------------------------------------------------------

    def _leave(
        self, s: Loop, state: State, found: _Round, exits: dict[str, int], mark: Mark,
        going: Course, tested: Term | None,
    ) -> None:  # fmt: skip
        """Make the state behind the loop, and say what left it for elsewhere in new names."""
        walker, recorder, base = self._walker, self._recorder, state.path
        k = self._heads.name_of(s.label)
        local = local_names(recorder, mark, frozenset({k}))
        own = walker.exits.pop(s.label, [])[exits.get(s.label, 0) :]
        for label, states in walker.exits.items():
            if label == "kernel":
                continue
            for i in range(exits.get(label, 0), len(states)):
                away = Renaming(recorder, local, walker.arithmetic.around)
                away.count(k, "the round in which a loop is left")
                way = replace(base, exact=False, lost=states[i].path.lost)
                states[i] = away.state(states[i], base, way)
        ways = ([found.out] if found.out is not None else []) + own
        self._behind = None
        if not ways:
            return
        uniform = not own and recorder.is_uniform(found.test.term)
        renaming = Renaming(recorder, local, walker.arithmetic.around, uniform)
        alone = not own and going.once and tested is not None
        last = first_failure(tested, k, base.known) if alone and tested is not None else None
        if last is not None:
            renaming.terms[k] = last
        else:
            renaming.count(k, "how often a loop has gone round", alone and going.ends)
        beyond = scan.leaves(s, beyond=True)
        needs: Needs = frozenset().union(*(w.path.needs for w in ways))
        behind = replace(
            base,
            ends=base.ends | needs,
            exact=base.exact and going.ends and not beyond,
            lost=base.lost or (beyond and any(w.path.lost for w in ways)),
        )
        assigned = set(walker.scan.assigned(s))

        def changed(name: str | tuple[str, int, int]) -> bool:
            return walker.scan.writes(s, name[0]) if isinstance(name, tuple) else name in assigned

        # What the loop does not set is as it was before.
        ways = [
            replace(w, env={name: world for name, world in w.env.items() if changed(name)})
            for w in ways
        ]
        merged = walker.merger.merged([renaming.state(w, base, behind) for w in ways])
        assert merged is not None
        rest = merged.path.guards[len(base.guards) :]
        if last is None and rest:
            recorder.bound(renaming.counter, *rest, home=base.guards)
        env = {name: world for name, world in state.env.items() if not changed(name)}
        env |= merged.env
        self._behind = State(behind, env, merged.starts, merged.flights)

    def _exits(self) -> dict[str, int]:
        return {label: len(states) for label, states in self._walker.exits.items()}

    def _rewind(self, mark: Mark, exits: dict[str, int]) -> None:
        self._recorder.rewind(mark)
        for label, states in self._walker.exits.items():
            del states[exits.get(label, 0) :]
