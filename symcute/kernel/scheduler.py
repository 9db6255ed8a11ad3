"""The questions about one kernel, put to one road after another.

Cheap proofs come first; then the kernel is executed at a few small sizes, which refutes; then
points and solvers look at what is left, and what they refute is executed before it counts; larger
sizes are executed for what is still open. What others rest on comes first. Work is counted, and
goes round: no question waits for a hard one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from itertools import chain, islice
from math import inf

from symcute.expr import limits
from symcute.kernel.budget import LEAST, ROADS, Purse, Road
from symcute.kernel.events import Event, Execution
from symcute.kernel.execution import STEPS, Executor
from symcute.kernel.findings import BEFORE_PROMISES, CONTRADICTORY, KNOWN, RACES, Example
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Kernel
from symcute.kernel.item import Item, fits
from symcute.kernel.properties.asking import questions
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.question import Question
from symcute.solve.entailment import facts
from symcute.solve.obligation import Answer
from symcute.solve.tiers import quickly

__all__ = ["Work"]

#: The work of executions at small sizes, after which none is begun; how many of these, and how
#: many where nothing is open any more: they bear out what was proved.
EXECUTION_WORK, MAX_INSTANCES, FEW_INSTANCES = 800, 14, 4
#: The same work, and the steps of an execution, before anything is asked patiently: most of what
#: fails does so in a few steps, and most of what holds is proved for less than long executions
#: take.
GLANCE_WORK, GLANCE_STEPS = 60, 8000
#: What a question may cost before that.
FIRST = 40
#: The properties in the order of the work: what others rest on first. Everything rests on a launch
#: that is one, on arithmetic that does not wrap and on what compilers are promised, races on
#: barriers besides.
ORDER = ("launch_valid", "barrier_uniform", "aligned", "no_overflow", "promises_kept")
#: Those on which others rest, whatever is wanted.
BESIDE = ("barrier_uniform", "no_overflow", "promises_kept")


class Work:
    """The work on one kernel."""

    def __init__(
        self, context: Context, kernel: Kernel | None, purse: Purse, same_value: bool,
        every: Collection[str] = (), certifies: bool = False, before: Work | None = None,
    ) -> None:  # fmt: skip
        #: The work on the same accesses where less was known.
        self._before = before
        self.context, self.kernel, self.purse = context, kernel, purse
        self.same_value, self.every, self.certifies = same_value, every, certifies
        self.items: dict[str, list[Item]] = {}
        self.strays: dict[str, list[Event]] = {}
        self._by_places: dict[str, tuple[int, dict[frozenset[Place], list[Item]]]] = {}
        self._computations: dict[int | None, Item] = {}
        self.wanted: frozenset[str] = frozenset()
        self._needed: frozenset[int] = frozenset()
        self.vacuous = self._vacuous()
        self._asked = self.late = False
        #: What `shaky_barrier` says at the end, when no answer changes any more.
        self._barrier: dict[bool, str] = {}
        #: Sizes to execute at, those at which executions were cut off, how many there were in all.
        self._sizes: Iterator[dict[str, int]] | None = None
        self._cut: list[dict[str, int]] = []
        self._executed = 0
        #: The work of executions at models.
        self._replayed = 0
        self.executor = None if kernel is None else Executor(kernel, context, same_value)

    # --- the order of the work --------------------------------------------------------------------

    def decide(self, wanted: Iterable[str]) -> None:
        """Ask all questions of the properties that are wanted, once."""
        if not self._asked:
            self._asked = True
            self._ask({*wanted})
            self._barrier = {warps: self.shaky_barrier(warps) for warps in (False, True)}

    def go_on(self, wanted: Iterable[str], purse: Purse) -> None:
        """Ask at length, with a purse anew, for some properties of which all were asked before."""
        self.purse = purse
        if self.vacuous:
            return
        self.wanted, self._barrier = frozenset(wanted), {}
        rested = {*self.wanted, *BESIDE}
        self.items = {name: items for name, items in self.items.items() if name in rested}
        self._need()
        self._go_round(execute=False, begun=True)
        self._barrier = {warps: self.shaky_barrier(warps) for warps in (False, True)}

    def decide_launch(self) -> None:
        """Ask only whether the device accepts the launch, where it accepts none that is meant."""
        self.items["launch_valid"] = self.asked_of("launch_valid")
        self.items["no_overflow"] = []
        self._go_round(execute=False)

    def _vacuous(self) -> str:
        """Return why nothing meets the assumptions, if that is so."""
        self.impossible = True
        known = facts(given := self.context.setting.given)
        if given.formulas and known.contradictory():
            core = "; ".join(map(str, known.contradiction()))
            return f"{CONTRADICTORY}: {core}"
        self.impossible = False
        here = self.context.at(())
        with suppress(limits.WorkLimit), limits.budget(LEAST):  # most is seen in a few units
            if here.empty or quickly(here, False).status == "proved":
                return "vacuous: no launch that a device accepts meets what is assumed"
        return ""

    def _ask(self, wanted: set[str]) -> None:
        self.wanted = frozenset(wanted)
        wanted = {*wanted, "no_overflow"}
        if wanted & set(RACES) and self.context.map.events:
            wanted.add("barrier_uniform")
        if self.context.map.promises:
            wanted.add("promises_kept")
        for name in sorted(wanted, key=_rank):
            self.items[name] = self.asked_of(name)
        if all(i.question.property in BEFORE_PROMISES for i in self._all()):
            wanted &= {*self.wanted, "no_overflow"}  # nothing rests on promises
            self.items = {n: items for n, items in self.items.items() if n in wanted}
        if self._before is not None:
            self._take_over(self._before)
        self._need()
        self._go_round(execute=True)

    def _need(self) -> None:
        """Find out which computations others rest on."""
        others = (i.question for i in self._all() if self._reported(i.question))
        self._needed = frozenset[int]().union(*(q.needs for q in others))

    def _take_over(self, before: Work) -> None:
        """Take what was proved where less was known: of each question that reads like one."""
        known: dict[object, list[Answer]] = {}
        for item in before._all():
            known.setdefault(item.question.key(), []).append(item.answer)
        for item in self._all():
            answers = known.get(item.question.key(), ())
            if answers and all(a.status == "proved" for a in answers):
                item.answer = answers[0]

    def _go_round(self, execute: bool, begun: bool = False) -> None:
        """Put the questions to their roads, with more and more work."""
        try:
            with limits.within(self.purse.timeout), self.purse.whole():
                self._rounds(execute, begun)
        except limits.TimeLimit as late:
            self.late = True
            for item in self._all():
                if item.answer.status == "open" and len(item.ends) < len(ROADS):
                    reason = item.question.unsupported or str(late)
                    item.answer = Answer("open", reason=reason)

    def _rounds(self, execute: bool, begun: bool) -> None:
        if execute:
            # What fails at a glance is not worth a long search for a proof.
            with limits.budget(self.purse.most / 2):
                self._ask_all("quick", FIRST)
            if self._every_proved():
                return
            self._execute(GLANCE_WORK, GLANCE_STEPS)
        late = execute
        for limit in () if self.purse.glance else self.purse.rounds(begun):
            self._ask_all("quick", limit)
            if self._every_proved():
                return
            self._ask_all("patient", limit)
            if late and limit > LEAST:
                self._execute(EXECUTION_WORK)
                late = False
        if late:
            self._execute(EXECUTION_WORK)

    def _ask_all(self, road: Road, limit: int) -> None:
        for item in self._all():
            self._go(item, road, limit)

    def _every_proved(self) -> bool:
        return all(i.answer.status == "proved" or self._idle(i) for i in self._all())

    def _go(self, item: Item, road: Road, limit: int) -> None:
        """Put a question that is open to a road, unless that came to its end before."""
        settled = item.answer.status == "proved" or item.example is not None
        modelled = "patient" in item.ends and item.answer.model
        if settled or modelled or road in item.ends or self._idle(item):
            return
        if limit > LEAST and self._told(item):
            return
        if self._sunk(item) and (road == "quick" or self._refuted(item.question.property)):
            return  # a proof is none, and one more counterexample says no more of the property
        answer, ended = self.purse.answer(item.question, road, limit)
        if ended:
            item.ends[road] = answer
        if ended and answer.status == "open":
            answer = item.ends.get("patient", answer)
        item.answer = answer
        if road == "patient" and (answer.model or answer.status == "refuted"):
            self._replay(item)

    def asked_of(self, name: str) -> list[Item]:
        """Return what is asked for a property, without any answer."""
        dear = name in self.every
        return [Item(q) for q in questions(self.context, self.kernel, name, self.same_value, dear)]

    def _all(self) -> Iterator[Item]:
        for items in self.items.values():
            yield from items

    def _execute(self, most: float, steps: int | None = None) -> None:
        """Execute a few small instances, the smallest first, but for those that ran to their end.

        None is begun after so much work; each execution may be cut off after so many steps.
        """
        if self.executor is None:
            return
        if self._sizes is None:
            self._sizes = islice(self.executor.sizes.instances(), MAX_INSTANCES)
        again, self._cut = self._cut, []
        with limits.budget(inf) as work:
            for dims in chain(again, self._sizes):
                enough = self._executed >= FEW_INSTANCES or steps is None
                if enough and all(map(self._decided, self._all())):
                    return
                cut = False
                for execution in self.executor.at(dims, steps):
                    self._take(execution)
                    cut = cut or execution.cut
                    if work.done > most:
                        break
                if cut or work.done > most:
                    self._cut.append(dims)
                self._executed += 1
                if work.done > most:
                    return

    def _decided(self, item: Item) -> bool:
        """Return whether an execution has nothing more to say of a question."""
        if item.example is not None or self._idle(item):
            return True
        return item.answer.status == "proved" and not self.shaky(item)

    def beside(self, q: Question) -> bool:
        """Return whether a computation reaches neither an address nor a condition."""
        c = q.computation
        return c is not None and self.context.map.computations[c].role == "other"

    def _idle(self, item: Item) -> bool:
        """Return whether an answer changes nothing: an overflow on which nothing rests.

        Unless overflows are asked for, that is so of each that no other question needs.
        """
        return not self._reported(item.question) and item.question.computation not in self._needed

    def _reported(self, q: Question) -> bool:
        """Return whether an answer is one of a verdict that is wanted."""
        return q.computation is None or ("no_overflow" in self.wanted and not self.beside(q))

    def _told(self, item: Item) -> bool:
        """Return whether nothing rests on an answer, since an execution refuted the property.

        What is asked at length would not change the verdict; nor would a proof of what rests on
        something else that an execution refuted.
        """
        q = item.question
        if q.property in ("launch_valid", "barrier_uniform"):
            return False
        resting = (i for i in self._all() if q.computation in i.question.needs)
        return self._sunk(item) or (
            self._refuted(q.property)
            and all(self._refuted(i.question.property) or self._sunk(i) for i in resting)
        )

    def _sunk(self, item: Item) -> bool:
        """Return whether an execution refuted what a proof would rest on.

        A number that wraps lets threads meet: of a race there is more to be found.
        """
        q = item.question
        if q.property in RACES:
            return False
        wrapped = {i.question.computation for i in self.items["no_overflow"] if i.example}
        promised = zip(self.items.get("promises_kept", ()), self.context.map.promises, strict=True)
        return bool(wrapped & q.needs) or (
            q.property not in BEFORE_PROMISES
            and any(p.believed and i.example is not None for i, p in promised)
        )

    def _refuted(self, name: str) -> bool:
        return name in self.strays or any(i.example for i in self.items.get(name, ()))

    def _replay(self, item: Item) -> None:
        """Execute what a model says, but where no execution would show it."""
        if item.question.property == "launch_valid":
            self._evaluate_launch(item)
            return
        if item.question.property in RACES and self.context.disordered:
            return
        if self.executor is None:
            item.suspect = "no kernel to execute"
            return
        dims = self.executor.sizes.of_model(item.answer.model)
        if dims is None:
            item.suspect = "its sizes do not meet the facts"
            return
        variables = [*item.question.variables]
        variables += [v for a in item.question.accesses for v in a.variables]
        if item.question.computation is not None:
            variables = list(self.context.map.computations[item.question.computation].variables)
        ordered, model = item.question.property in RACES, item.answer.model
        counts = {n for v in variables if v.kind == "round" for n in _of_both(v.name)}
        near = all(model.get(n, 0) < STEPS for n in counts)
        # What goes wrong may do so long before the end of loops at the sizes of a model, and what
        # does in a round too far away is not come to.
        for steps in (GLANCE_STEPS, STEPS)[: 1 + near]:
            if steps == STEPS and self._replayed > EXECUTION_WORK:
                break
            with limits.budget(inf) as work:
                execution = self.executor.follow(model, variables, dims, ordered, steps)
            self._replayed += work.done
            if ordered and execution.unordered and item.question.common is not None:
                item.question.common.tells = True  # nor would it show a race of others like it
            self._take(execution)
            if item.example is not None or not execution.cut:
                break

    def _evaluate_launch(self, item: Item) -> None:
        """A launch needs no execution: the model was evaluated in integers."""
        dims = {n: item.answer.model.get(n, 1) for n in self.context.dims}
        if self.context.setting.given.hold(dims):
            grid, block = (1, 1, 1), (1, 1, 1)
            text = f"{item.question.subject} is not {item.question.claim}"
            item.example = Example(dims, grid, block, text)

    def _take(self, execution: Execution) -> None:
        """Take in what an execution showed."""
        for event in execution.events:
            about = [i for i in self._near(event) if fits(i, event, self.context.map.computations)]
            if not event.certain:
                for item in about:
                    item.suspect = item.suspect or f"{event.example}; {event.why_not}"
                continue
            # Where several questions are at one place, it is about those that are not proved.
            sure = [i for i in about if i.answer.status == "proved" and not self.shaky(i)]
            if about and len(sure) == len(about):
                for item in sure:
                    item.contradicted = item.contradicted or event.example
            elif about:
                for item in about:
                    if item not in sure and item.example is None:
                        item.example = event.example
            elif event.property != "no_overflow":
                self.strays.setdefault(event.property, []).append(event)

    def _near(self, event: Event) -> Iterable[Item]:
        """Return the items that an event may be about: by their places, if it has any."""
        items = self.items.get(event.property, [])
        if event.array:
            return items
        known = self._by_places.get(event.property)
        if known is None or known[0] != len(items):
            by_places: dict[frozenset[Place], list[Item]] = {}
            for i in items:
                q = i.question
                places = frozenset({q.place} if q.other is None else {q.place, q.other})
                by_places.setdefault(places, []).append(i)
            self._by_places[event.property] = known = (len(items), by_places)
        return known[1].get(frozenset(event.places), [])

    # --- what a proof rests on --------------------------------------------------------------------

    def shaky(self, item: Item, endless: bool = True) -> str:
        """Return why a proof in integers is none for the machine, or nothing."""
        q = item.question
        if q.unsupported or (endless and q.endless):
            return q.unsupported or q.endless
        wrapping = self.wrapping(q.needs)
        if wrapping is not None:
            c = self.context.map.computations[wrapping]
            return f"it rests on {c.text or 'arithmetic'} at {c.place}, which may wrap"
        promise = self.shaky_promise() if q.property not in BEFORE_PROMISES else ""
        if promise:
            return promise
        barrier = self.shaky_barrier(q.warps) if q.property in RACES else ""
        if barrier and q.unordered is not None and q.unordered().status == "proved":
            return ""  # it does not rest on barriers
        return barrier

    def shaky_promise(self) -> str:
        """Return what a compiler is promised that is not proved, or nothing."""
        items = self.items.get("promises_kept", ())
        for i, p in zip(items, self.context.map.promises, strict=True):
            if p.believed and (not self._holds(i) or self.shaky(i)):
                return f"it rests on {p.name} at {p.place}, which may not be so"
        return ""

    def shaky_barrier(self, warps: bool) -> str:
        """Return which barrier, of `warps` or not, is not proved to be met by all, or nothing."""
        if warps in self._barrier:
            return self._barrier[warps]
        items = self.items.get("barrier_uniform", ())
        for i, m in zip(items, self.context.map.events, strict=False):
            if m.scope == "elected" or (m.scope == "warp" and not warps):
                continue  # no proof rests on it
            if not self._holds(i) or self.shaky(i, endless=False):
                return f"it rests on the barrier at {i.question.place}"
        return ""

    def disagree(self, item: Item) -> bool:
        """Return whether an execution says other than a proof: behind a barrier that not all
        threads meet, others are met by some alone, whatever leads to them.
        """
        barriers = self.items.get("barrier_uniform", ())
        missed = any(i.answer.status != "proved" or i.example is not None for i in barriers)
        about_barrier = item.question.property == "barrier_uniform"
        return item.contradicted is not None and not (about_barrier and missed)

    def wrapping(self, needs: Iterable[int]) -> int | None:
        """Return a computation among those needed that is not proved to stay in its type."""
        if not self._computations:
            self._computations = {i.question.computation: i for i in self.items["no_overflow"]}
        for k in sorted(needs):
            item = self._computations.get(k)
            if item is None or not self._holds(item):
                return k
        return None

    @staticmethod
    def _holds(item: Item) -> bool:
        """Return whether what is asked is proved, and no execution says otherwise."""
        return item.answer.status == "proved" and not (item.example or item.contradicted)


def _of_both(name: str) -> tuple[str, ...]:
    """Return what a model calls a variable, and that of each of two threads."""
    return name, f"{name}__1", f"{name}__2"


def _rank(name: str) -> tuple[int, int]:
    """Return when a property's turn is."""
    return (ORDER.index(name) if name in ORDER else len(ORDER)), KNOWN.index(name)
