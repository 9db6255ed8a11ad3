"""The questions about one kernel, put to one road after another.

Cheap proofs come first; then the kernel is executed at a few small sizes, which refutes; then
points and solvers look at what is left, and what they refute is executed before it counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from symcute.access.execution import Event, Execution, Executor
from symcute.access.finding import KNOWN, RACES, Example
from symcute.access.program import Kernel, Place
from symcute.access.properties.barriers import barrier_uniform
from symcute.access.properties.bounds import aligned, in_bounds
from symcute.access.properties.covering import covers, implements
from symcute.access.properties.launches import launch_valid
from symcute.access.properties.obligations import Answer, Clock
from symcute.access.properties.overflow import no_overflow
from symcute.access.properties.question import Question
from symcute.access.properties.races import read_write_race_free, write_race_free
from symcute.access.properties.requests import bank_conflicts, sectors
from symcute.access.properties.scene import Scene
from symcute.facts import facts

__all__ = ["Item", "Work"]

#: Seconds for executions at small sizes; how many of these.
EXECUTION_SECONDS, MAX_INSTANCES = 1.5, 14
TIME_LIMIT = Answer("open", reason="time limit")


@dataclass
class Item:
    """A question, its answer so far, and what an execution showed."""

    question: Question
    answer: Answer = TIME_LIMIT
    example: Example | None = None
    suspect: str = ""
    contradicted: Example | None = None


class Work:
    """The work on one kernel."""

    def __init__(
        self,
        scene: Scene,
        kernel: Kernel | None,
        clock: Clock,
        same_value: bool,
        every: Collection[str] = (),
    ) -> None:
        self.scene, self.kernel, self.clock = scene, kernel, clock
        self.same_value, self.every = same_value, every
        self.items: dict[str, list[Item]] = {}
        self.strays: dict[str, list[Event]] = {}
        self._by_places: dict[str, tuple[int, dict[frozenset[Place], list[Item]]]] = {}
        self._computations: dict[int | None, Item] = {}
        self.vacuous = self._vacuous()
        self._asked = False
        self.executor = None if kernel is None else Executor(kernel, scene, same_value)

    # --- the order of the work --------------------------------------------------------------------

    def decide(self, wanted: Iterable[str]) -> None:
        """Ask all questions of the properties that are wanted, once."""
        if not self._asked:
            self._asked = True
            self._ask({*wanted})

    def decide_launch(self) -> None:
        """Ask only whether the device accepts the launch, where it accepts none that is meant."""
        self.items["launch_valid"] = [Item(q, q.quick()) for q in self._questions("launch_valid")]
        self.items["no_overflow"] = []
        self._look_closer()

    def _vacuous(self) -> str:
        """Return why nothing meets the assumptions, if that is so."""
        self.impossible = True
        given = self.scene.setting.given
        known = facts(given)
        if given.formulas and known.contradictory():
            core = "; ".join(map(str, known.contradiction()))
            return f"vacuous: the assumptions contradict each other: {core}"
        self.impossible = False
        here = self.scene.at(())
        if here.empty or here.quickly(False).status == "proved":
            return "vacuous: no launch that a device accepts meets what is assumed"
        return ""

    def _ask(self, wanted: set[str]) -> None:
        # Everything rests on arithmetic that does not wrap, races on barriers besides.
        order = ["no_overflow", *(p for p in KNOWN if p != "no_overflow" and p in wanted)]
        if wanted & set(RACES) and "barrier_uniform" not in wanted and self.scene.map.meetings:
            order.append("barrier_uniform")
        for name in order:
            self.items[name] = [Item(q) for q in self._questions(name)]
        for item in self._all():
            if self.clock.left() > 0:
                item.answer = item.question.quick()
        if any(i.answer.status != "proved" for i in self._all()):
            self._execute_small()
            self._look_closer()

    def _questions(self, name: str) -> Iterator[Question]:
        scene = self.scene
        makers: Mapping[str, Callable[[], Iterator[Question]]] = {
            "launch_valid": lambda: launch_valid(scene, self.kernel),
            "in_bounds": lambda: in_bounds(scene),
            "no_overflow": lambda: no_overflow(scene, every=True),
            "aligned": lambda: aligned(scene),
            "write_race_free": lambda: write_race_free(scene, self.same_value),
            "read_write_race_free": lambda: read_write_race_free(scene),
            "barrier_uniform": lambda: barrier_uniform(scene),
            "covers": lambda: covers(scene),
            "implements": lambda: implements(scene),
            "bank_conflicts": lambda: bank_conflicts(scene, name in self.every),
            "sectors": lambda: sectors(scene, name in self.every),
        }
        return makers[name]()

    def _all(self) -> Iterator[Item]:
        for items in self.items.values():
            yield from items

    def _execute_small(self) -> None:
        """Execute a few small instances, the smallest first."""
        if self.executor is None:
            return
        until = time.monotonic() + min(EXECUTION_SECONDS, self.clock.left())
        for dims in islice(self.executor.instances(), MAX_INSTANCES):
            self._take(self.executor.at(dims))
            if time.monotonic() > until:
                break

    def _look_closer(self) -> None:
        """Put what is open to the patient roads, what all else rests on first."""
        for item in self._all():
            if item.answer.status == "proved" or item.example is not None or self._idle(item):
                continue
            if self.clock.left() <= 0:
                continue
            item.answer = item.question.patient(self.clock)
            if item.answer.model or item.answer.status == "refuted":
                self._replay(item)

    def beside(self, q: Question) -> bool:
        """Return whether a computation reaches neither an address nor a condition."""
        c = q.computation
        return c is not None and self.scene.map.computations[c].role == "other"

    def _idle(self, item: Item) -> bool:
        """Return whether an answer changes nothing: an overflow on which nothing rests."""
        c = item.question.computation
        return self.beside(item.question) and not any(
            c in i.question.needs for i in self._all() if i.question.computation is None
        )

    def _replay(self, item: Item) -> None:
        """Execute what a model says."""
        if item.question.property == "launch_valid":
            self._evaluate_launch(item)
            return
        if self.executor is None:
            item.suspect = "no kernel to execute"
            return
        dims = self.executor.dims_of(item.answer.model)
        if dims is None:
            item.suspect = "its sizes do not meet the facts"
            return
        variables = [v for a in item.question.accesses for v in a.variables]
        if item.question.computation is not None:
            variables = list(self.scene.map.computations[item.question.computation].variables)
        self._take(self.executor.follow(item.answer.model, variables, dims))

    def _evaluate_launch(self, item: Item) -> None:
        """A launch needs no execution: the model was evaluated in integers."""
        dims = {n: item.answer.model.get(n, 1) for n in self.scene.dims}
        if self.scene.setting.given.hold(dims):
            grid, block = (1, 1, 1), (1, 1, 1)
            text = f"{item.question.subject} is not {item.question.claim}"
            item.example = Example(dims, grid, block, text)

    def _take(self, execution: Execution) -> None:
        """Take in what an execution showed."""
        for event in execution.events:
            about = [i for i in self._near(event) if self._fits(i, event)]
            # Where several questions are at one place, it is about those that are not proved.
            sure = [i for i in about if i.answer.status == "proved" and not self.shaky(i)]
            if not event.certain:
                for item in about:
                    item.suspect = item.suspect or f"{event.example}; {event.why_not}"
            elif about and len(sure) == len(about):
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

    def _fits(self, item: Item, event: Event) -> bool:
        """Return whether an event is about what a question asks."""
        q = item.question
        if event.array:
            return q.subject.startswith(f"{event.array}[")
        if event.access is not None and event.access not in q.accesses:
            return False
        if event.wrap is not None and q.computation is not None:
            c = self.scene.map.computations[q.computation]
            return (c.type, c.conversion) == event.wrap
        if event.kinds and q.accesses:
            return {a.kind for a in q.accesses} == event.kinds
        return True

    # --- what a proof rests on --------------------------------------------------------------------

    def shaky(self, item: Item) -> str:
        """Return why a proof in integers is none for the machine, or nothing."""
        barrier = self.shaky_barrier() if item.question.property in RACES else ""
        return self.weakness(item) or barrier

    def weakness(self, item: Item) -> str:
        """Return why a proof is none for the machine, barriers apart, or nothing."""
        q = item.question
        if q.doubt:
            return q.doubt
        wrapping = self.wrapping(q.needs)
        if wrapping is not None:
            c = self.scene.map.computations[wrapping]
            return f"it rests on {c.text or 'arithmetic'} at {c.place}, which may wrap"
        return ""

    def shaky_barrier(self) -> str:
        """Return which barrier is not proved to be met by all, or nothing."""
        for i in self.items.get("barrier_uniform", ()):
            if i.answer.status != "proved" or i.example is not None or self.shaky(i):
                return f"it rests on the barrier at {i.question.place}"
        return ""

    def wrapping(self, needs: Iterable[int]) -> int | None:
        """Return a computation among those needed that is not proved to stay in its type."""
        if not self._computations:
            self._computations = {i.question.computation: i for i in self.items["no_overflow"]}
        for k in sorted(needs):
            item = self._computations.get(k)
            if item is None or item.answer.status != "proved" or item.example or item.contradicted:
                return k
        return None
