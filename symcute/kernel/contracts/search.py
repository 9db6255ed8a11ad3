"""The search for the weakest conditions under which the properties of a kernel are proved.

Lines are added for what is open, as the accesses suggest them, and those left out again without
which all is still proved. What they come to is nothing but a guess until it is checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from math import inf
from typing import NamedTuple

from symcute.errors import InputError
from symcute.expr import limits
from symcute.expr.node import Term, names
from symcute.kernel.access_map import AccessMap
from symcute.kernel.budget import LEAST, Purse
from symcute.kernel.contracts.joining import joined
from symcute.kernel.contracts.lines import Line, Unlaunched, dim_of, sizes_of, together, weaker
from symcute.kernel.contracts.relevance import Relevance
from symcute.kernel.contracts.suggesting import Suggestion, suggestions
from symcute.kernel.contracts.trying import holds_under
from symcute.kernel.findings import BEFORE_PROMISES, RACES
from symcute.kernel.properties.barriers import barrier_uniform
from symcute.kernel.properties.bounds import aligned, in_bounds
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.overflow import no_overflow
from symcute.kernel.properties.promises import promises_kept
from symcute.kernel.properties.question import Question
from symcute.kernel.properties.races import read_write_race_free, write_race_free
from symcute.kernel.symexec import symexecute
from symcute.solve.entailment import facts

__all__ = ["NEEDED", "Open", "Search"]

#: Properties on which others rest, which have their lines by themselves.
NEEDED = (("no_overflow",), ("promises_kept",), ("barrier_uniform",))
#: Why a question is open that nothing else keeps from an answer.
NOTHING = "no condition was found under which it holds"

#: How often what is open is looked at anew, and how many suggestions are tried for one question.
ROUNDS, TRIED = 6, 40
#: Executions of more statements are counted as work, with so many steps for each.
SHORT, LONG_STEP = 5000, 40
#: What a question may cost before solvers are asked.
FIRST = 100
#: How many of them solvers are asked about, and what that may cost of two threads.
ASKED, OF_TWO = 2, 400
#: How many times the work of a proof is done for one under fewer lines, and how much besides.
LONGER, GLANCE, TRIAL = 2, 100, 2000
Lines = tuple[Line, ...]
_QUESTIONS: dict[str, Callable[[Context], Iterator[Question]]] = {
    "in_bounds": in_bounds,
    "no_overflow": lambda context: no_overflow(context, every=True),
    "aligned": aligned,
    "write_race_free": write_race_free,
    "read_write_race_free": read_write_race_free,
    "barrier_uniform": barrier_uniform,
    "promises_kept": promises_kept,
}


class Search:
    """Looks for lines. What was proved once is under more lines, what was open is under fewer."""

    def __init__(self, blank: Unlaunched, counted: int = 0) -> None:
        """Look for lines of a kernel; of an execution so many steps are `counted` as work for each
        access and each computation.
        """
        self.blank, self._counted = blank, counted
        #: The lines that were found last, of properties whose search may come to no end.
        self.begun: dict[tuple[str, ...], Lines] = {}
        #: Whether solvers are asked, and whether no more is done for a proof than it took before.
        self._patient = self._thrifty = False
        self._contexts: dict[Lines, Context | None] = {}
        self._executions: dict[object, AccessMap] = {}
        self._questions: dict[tuple[str, Lines], list[_Asked]] = {}
        self._numbered: dict[Lines, dict[int | None, _Asked]] = {}
        self._shown: dict[object, list[frozenset[Line]]] = {}
        self._open: dict[object, list[frozenset[Line]]] = {}
        self._cost: dict[object, int] = {}
        self._empty: dict[Lines, bool] = {}
        self._relevance: Relevance | None = None
        #: Lines under which that was proved on which others rest.
        self._founding: frozenset[Line] = frozenset()
        self._most = LEAST

    def start(self) -> Lines:
        """Return what is assumed first, to be left out later: parameters are at least 1, what
        the kernel promises of them, and that nothing wraps in host code.
        """
        said = together(self.blank.signs(), (*self._promised(), *self._contents()))
        every = together(said, self.blank.unwrapped)
        return said if self._contradict(every) else every

    def _promised(self) -> Lines:
        """Return what the kernel promises of its parameters alone."""
        context, params = self.context(()), {*self.blank.params.values()}
        truths = [p.truth for p in context.map.promises] if context is not None else []
        said = tuple(
            Line("assume", t)
            for t in truths
            if t is not None and not isinstance(t, bool) and names(t) <= params
        )
        if self.context(said) is not None:  # mostly: to execute each by itself takes its time
            return said
        return tuple(line for line in said if self.context((line,)) is not None)

    def _contents(self) -> Lines:
        """Return that the integers of arrays have a bound, where they reach an offset."""
        context = self.context(())
        if context is None:
            return ()
        map = context.map
        written = {a.array for a in map.accesses if a.kind != "read"}
        loads = {a.place: a.array for a in map.accesses if a.kind == "read"}
        found: dict[str, None] = {}
        for a in map.accesses:
            for v in a.variables:
                array = loads.get(v.place) if v.kind == "havoc" and v.place else None
                if array in self.blank.ends and array not in written and v.name in names(a.offset):
                    found[array] = None
        return tuple(Line("contents", self.blank.ends[n], n) for n in found)

    def lines(self, wanted: tuple[str, ...], start: Lines) -> tuple[Lines, tuple[Open, ...]]:
        """Return lines under which most questions are proved, and those that they leave open."""
        unfounded = self._unfounded(wanted, start)
        if unfounded:
            return start, tuple(self._why(q, start) for q in unfounded)
        lines, open_ = self._found(wanted, start)
        left = len(open_)
        if self._hopeless(wanted, open_):
            return lines, tuple(self._why(q, lines) for q in open_)
        with suppress(limits.WorkLimit):  # what was found until then does, too
            lines, left = self._meeting(wanted, start, lines, left)
            for fewer in joined(lines, self._meant(lines)):
                if fewer == lines or len(self._left(wanted, fewer, left)) <= left:
                    lines = fewer
                    break
        if wanted in NEEDED:
            self._founding |= {*lines}
        return lines, tuple(self._why(q, lines) for q in open_)

    def _unfounded(self, wanted: tuple[str, ...], lines: Lines) -> list[_Asked]:
        """Return questions that rest on what may wrap, of properties of which lines do not help.

        Those that keep numbers in their types are found by then, if there are any.
        """
        if not {*wanted} <= {"in_bounds", "aligned"}:
            return []
        with self._mood(patient=True):
            every = [x for name in wanted for x in self._asked(name, lines)]
            return [x for x in every if not self._founded(x.question, lines)]

    def _hopeless(self, wanted: tuple[str, ...], open_: Sequence[_Asked]) -> bool:
        """Return whether nothing is to be said under lines, nor asked again at length."""
        quick = wanted not in NEEDED or self._counted > 0
        return quick and {*wanted} == {x.question.property for x in open_}

    def _why(self, asked: _Asked, lines: Lines) -> Open:
        """Return a question that is open, and why it is."""
        q, context = asked.question, self.context(lines)
        reason = q.unsupported or q.endless or NOTHING
        with suppress(limits.WorkLimit):
            if reason == NOTHING and context is not None and not self._founded(q, lines):
                k = next(k for k in sorted(q.needs) if not self._founds(k, lines))
                c = context.map.computations[k]
                reason = f"it rests on {c.text or 'arithmetic'} at {c.place}, which may wrap"
        return Open(q, reason)

    def _meant(self, lines: Lines) -> tuple[Term, ...]:
        """Return what lines say but for extents."""
        return tuple(self.blank.truths(x) for x in lines if x.kind in ("assume", "pin"))

    def _meeting(
        self, wanted: tuple[str, ...], start: Lines, lines: Lines, left: int
    ) -> tuple[Lines, int]:
        """Return lines that leave no fewer accesses than there are without what is said of signs.

        What is at least 0 from the start may keep all threads from what they do otherwise.
        """
        for sign in filter(dim_of, lines):
            about = dim_of(sign)
            beside = tuple(x for x in together(lines, start) if dim_of(x) != about)
            if sign in lines and self._hides(lines, beside):
                others, more = self._found(wanted, beside)
                if len(more) <= left and not self._hides(others, beside):
                    lines = others
        return lines, left

    def _hides(self, lines: Lines, fewer: Lines) -> bool:
        """Return whether there are accesses that happen under fewer lines alone."""
        some, every = (self.context(x) for x in (lines, fewer))
        if some is None or every is None:
            return False
        met = {(a.place, a.array, a.kind) for a in some.map.accesses}
        return any((a.place, a.array, a.kind) not in met for a in every.map.accesses)

    def _found(self, wanted: tuple[str, ...], start: Lines) -> tuple[Lines, list[_Asked]]:
        """Return lines and the questions that they leave open."""
        lines = start
        for self._patient in (False, True):
            for _ in range(ROUNDS):
                left = self._left(wanted, lines)
                more = self._more(lines, left)
                lines = self.begun[wanted] = together(lines, more)
                if not left or not more:
                    break
            if not left:
                break
        if self._hopeless(wanted, left):
            return lines, left
        return self._fewer(wanted, lines, len(left)), left

    # --- what is proved under lines ---------------------------------------------------------------

    def context(self, lines: Lines) -> Context | None:
        """Return the context of a kernel under lines; None where these do not make sense."""
        if lines not in self._contexts:
            try:
                setting = self.blank.setting(lines, searching=True)
                map = symexecute(self.blank.kernel, setting, self._executions)
                sizes = sizes_of(lines)
                self._contexts[lines] = Context(map, setting, self.blank.kernel, sizes)
            except InputError:
                self._contexts[lines] = None
            else:
                limits.spend(self._counted * (len(map.accesses) + len(map.computations)))
                limits.spend(LONG_STEP * max(0, map.steps - SHORT))
        return self._contexts[lines]

    def _asked(self, name: str, lines: Lines) -> list[_Asked]:
        context = self.context(lines)
        if context is None:
            return []
        if (name, lines) not in self._questions:
            met: Counter[object] = Counter()
            found = self._questions[name, lines] = []
            for q in _QUESTIONS[name](context):
                place = q.property, q.place, q.other, q.subject, q.computation
                found.append(_Asked(q, (place, met[place])))
                met[place] += 1
        return self._questions[name, lines]

    def _left(self, wanted: tuple[str, ...], lines: Lines, most: int | None = None) -> list[_Asked]:
        """Return the questions that are open, or more than `most` of them."""
        found: list[_Asked] = []
        for asked in (x for name in wanted for x in self._asked(name, lines)):
            if not self._beside(asked.question, lines) and not self._proved(asked, lines):
                found.append(asked)
                if most is not None and len(found) > most:
                    break
        return found

    def _beside(self, q: Question, lines: Lines) -> bool:
        """Return whether a computation reaches neither an address nor a condition."""
        context = self.context(lines)
        if q.computation is None or context is None:
            return False
        return context.map.computations[q.computation].role == "other"

    def _proved(self, asked: _Asked, lines: Lines) -> bool:
        """Return whether a question is proved, with all that it rests on."""
        q = asked.question
        doubt = q.unsupported or q.endless or not self._founded(q, lines)
        if doubt or not self._answered(asked, lines):
            return False
        if q.property not in BEFORE_PROMISES and not self._kept(lines):
            return False
        if q.property not in RACES:
            return True
        context, barriers = self.context(lines), self._asked("barrier_uniform", lines)
        events = context.map.events if context is not None else ()
        # Behind those come waits, which order no more than they do.
        if all(self._proved(b, lines) for b, _ in zip(barriers, events, strict=False)):
            return True
        return q.unordered is not None and q.unordered().status == "proved"

    def _founded(self, q: Question, lines: Lines) -> bool:
        """Return whether all numbers that a question rests on stay in their types."""
        return all(self._founds(k, lines) for k in q.needs)

    def _founds(self, computation: int, lines: Lines) -> bool:
        asked = self._asked("no_overflow", lines)  # not in the order of their numbers
        if lines not in self._numbered:
            self._numbered[lines] = {x.question.computation: x for x in asked}
        return self._answered(self._numbered[lines][computation], lines)

    def _kept(self, lines: Lines) -> bool:
        """Return whether all that a compiler is promised is so."""
        context = self.context(lines)
        promises = context.map.promises if context is not None else ()
        asked = self._asked("promises_kept", lines)
        both = zip(asked, promises, strict=True)
        return all(self._proved(q, lines) for q, p in both if p.believed)

    def _answered(self, asked: _Asked, lines: Lines) -> bool:
        """Return whether a question is answered, nothing else being asked."""
        q, key = asked
        here = self._telling(q, lines)
        if any(known <= here for known in self._shown.get(key, ())):
            return True
        if not self._thrifty and self._sizeless(q, lines):
            return False  # unless it never happens, of which fewer lines are asked
        how = key, self._patient, self._thrifty
        if any(here <= known for known in self._open.get(how, ())):
            return False
        most = self._most if self._patient else FIRST
        if self._thrifty and key in self._cost:
            most = min(self._most, GLANCE + LONGER * self._cost[key])
        purse = Purse(0)
        with limits.budget(inf) as work:
            proved = purse.ask(q.quick, LEAST, most)[0].status == "proved"
            if not proved and self._patient:
                proved = purse.ask(q.patient, LEAST, most)[0].status == "proved"
        if proved:
            self._shown.setdefault(key, []).append(here)
            self._cost[key] = max(work.done, self._cost.get(key, 0))
        else:
            self._open.setdefault(how, []).append(here)
        return proved

    def _sizeless(self, q: Question, lines: Lines) -> bool:
        """Return whether a question is about an access to an array that may have no elements."""
        context = self.context(lines)
        if q.property != "in_bounds" or context is None:
            return False
        said = {x.name for x in lines if x.kind == "extent"}
        unsaid = (a for a in q.accesses if a.array in self.blank.extents and a.array not in said)
        return any(not context.at(a.guard).empty for a in unsaid)

    def _telling(self, q: Question, lines: Lines) -> frozenset[Line]:
        """Return the lines that may be of use for a question."""
        context, always = self.context(lines), self.context(())
        if context is None or always is None:
            return frozenset(lines)
        if self._relevance is None:
            self._relevance = Relevance(self.blank, always)
        return self._relevance.of(q, context, lines)

    # --- more lines, and fewer ------------------------------------------------------------------

    def _more(self, lines: Lines, left: list[_Asked]) -> Lines:
        """Return lines under which questions are proved that are open."""
        context = self.context(lines)
        found: Lines = ()
        for asked in left:
            q = asked.question
            # Lines about arrays keep no number in its type.
            if (
                q.unsupported
                or (q.property in ("in_bounds", "aligned") and not self._founded(q, lines))
                or context is None
                or (found and self._again(asked, together(lines, found)))
            ):
                continue
            for k, suggestion in enumerate(suggestions(self.blank, context, q, self._patient)):
                if k >= TRIED:
                    break
                most = OF_TWO if q.property in RACES else LEAST
                with self._mood(patient=self._patient and k < ASKED, most=most):
                    helps = self._helps(asked, together(lines, found), suggestion)
                if helps:
                    found = together(found, suggestion)
                    break
        return found

    @contextmanager
    def _mood(self, patient: bool, thrifty: bool = False, most: int = LEAST) -> Iterator[None]:
        """Set how much is done for an answer in a block."""
        before = self._patient, self._thrifty, self._most
        self._patient, self._thrifty, self._most = patient, thrifty, most
        try:
            yield
        finally:
            self._patient, self._thrifty, self._most = before

    def _helps(self, asked: _Asked, lines: Lines, more: Suggestion) -> bool:
        """Return whether lines more answer a question."""
        q, every, context = asked.question, together(lines, more), self.context(lines)
        if q.under is None or q.property == "no_overflow":
            return self._again(asked, every) and not self._contradict(every)
        with limits.budget(inf) as work:
            if context is None or not holds_under(self.blank, context, q, every):
                return False
        if not self._possible(every) or self._contradict(every):
            return False
        # Asked again, with what others ask for besides, it may take longer.
        self._shown.setdefault(asked.key, []).append(self._telling(q, every))
        self._cost[asked.key] = max(work.done, self._cost.get(asked.key, 0))
        return True

    def _possible(self, lines: Lines) -> bool:
        context = self.context(lines)
        return context is not None and not context.at(()).empty

    def _contradict(self, lines: Lines) -> bool:
        """Return whether polynomials show that no launch meets lines."""
        context = self.context(lines)
        if lines not in self._empty and context is not None:
            with suppress(limits.WorkLimit), limits.budget(LEAST):
                self._empty[lines] = facts(context.setting.given).contradicted() is not None
        return self._empty.get(lines, False)

    def _again(self, asked: _Asked, lines: Lines) -> bool:
        """Return whether a question is proved under other lines, which some launches meet."""
        if not self._possible(lines):
            return False
        same = [x for x in self._asked(asked.question.property, lines) if x.key == asked.key]
        return all(self._proved(other, lines) for other in same)

    def _fewer(self, wanted: tuple[str, ...], lines: Lines, open: int) -> Lines:
        """Return lines without those that are not needed, or with weaker ones in their place."""

        def enough(fewer: Lines) -> bool:
            return self._possible(fewer) and len(self._left(wanted, fewer, open)) <= open

        with (
            suppress(limits.WorkLimit),  # more lines than are needed do, too
            self._mood(self._patient, thrifty=True),
            limits.budget(limits.allowance() / 2),
        ):
            unsigned = tuple(x for x in lines if not weaker(x))
            found = next((fewer for fewer in ((), unsigned) if enough(fewer)), lines)
            founding = tuple(x for x in lines if not weaker(x) or x in self._founding)
            with self._mood(self._patient, thrifty=True, most=TRIAL):
                lines = founding if found == lines != founding and enough(founding) else found
            for line in reversed(lines):
                for less in ((), *weaker(line)):
                    fewer = tuple(y for x in lines for y in (less if x == line else (x,)))
                    if enough(fewer):
                        lines = fewer
                        break
        return lines


class Open(NamedTuple):
    """A question that no lines were found for, and why."""

    question: Question
    reason: str


class _Asked(NamedTuple):
    """A question, and what is the same of it under other lines."""

    question: Question
    key: object
