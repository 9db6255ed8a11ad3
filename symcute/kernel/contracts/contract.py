"""contract(kernel): under which conditions a kernel is right of whose launches nothing is known.

What the search guesses, the ordinary engine proves: each property under its lines and nothing else
but what a device asks of every launch. A line is said to be necessary where an execution outside of
it, and inside of all others, goes wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from math import inf
from typing import Any

from symcute.errors import InputError
from symcute.expr import limits
from symcute.expr.expression import value_at
from symcute.expr.node import names
from symcute.expr.terms import add, at_most, negate
from symcute.kernel.checking import check, check_map, has_none
from symcute.kernel.contracts.launched import Launched
from symcute.kernel.contracts.lines import Line, Unlaunched
from symcute.kernel.contracts.search import NEEDED, NOTHING, Open, Search
from symcute.kernel.execution import Executor
from symcute.kernel.findings import (
    GOOD,
    KNOWN,
    NO_LAUNCH,
    PROPERTIES,
    RACES,
    Example,
    Finding,
    Status,
    verdict_of,
)
from symcute.kernel.ir.families import Family
from symcute.kernel.ir.inside import every as every_statement
from symcute.kernel.ir.program import ALONE, Kernel, Promise
from symcute.kernel.ir.setting import Setting
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.launches import to_be_met
from symcute.kernel.symexec import symexecute

__all__ = ["Condition", "Contract", "contract"]

#: The work for the search, for each property in the end, and to execute what lies outside a line.
SEARCH, DECIDING, OUTSIDE = 6000, 2500, 1500
#: The work for the search and for each property where a contract is only one of many.
QUICK = 10000, 250
#: The steps of work that an execution counts for each access and computation in a search that is
#: quick, and in one that comes second: there it is about what it takes.
EXECUTED, SECOND = 250, 1000
#: The work for what lies outside of all lines together, where a contract is only one of many, and
#: to say why properties are open that the search found no lines for.
QUICK_OUTSIDE, QUICK_OPEN = 500, 300
#: Small sizes at which is executed what lies outside of a line.
FEW = 12
#: The largest of what is a small size: loops of more rounds take their time.
SMALL = 4096
#: Why a property is open that holds of a guess.
GUESSED = f"{NO_LAUNCH}: types and constants are guessed, and {ALONE}"
#: How lines are to be read, and what none of them says.
READING = "of whole numbers, // rounding down; arrays of different parameters do not overlap"
#: Properties that have their lines together, in the order in which lines are found.
GROUPS = (
    ("no_overflow",), ("promises_kept",), ("in_bounds",), ("aligned",), ("barrier_uniform",), RACES,
)  # fmt: skip


@dataclass(frozen=True)
class Condition:
    """One line of a contract: what must be so, for which properties, and what happens if it is not.

    `counterexamples` has executions by the property that fails in them: each meets all other lines
    of that property, and not this one, which is then necessary for it.
    """

    text: str
    properties: tuple[str, ...]
    line: Line
    counterexamples: Mapping[str, Example] = field(default_factory=dict)

    @property
    def known(self) -> str:
        """For which properties it is known to be necessary, in words."""
        needed = [p for p in self.properties if p in self.counterexamples]
        if not needed:
            return "sufficient"
        every = len(needed) == len(self.properties)
        return "necessary" if every else f"necessary for {', '.join(needed)}"

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "text": self.text,
            "properties": list(self.properties),
            "known": self.known,
            "counterexamples": {p: e.to_json() for p, e in self.counterexamples.items()},
        }


@dataclass(frozen=True)
class Contract:
    """The lines of a kernel, what was found of each property under its own, and all as notes.

    `limits` are what a device asks of every launch; all is proved under them. `left` is the work
    of the search that was not done.
    """

    conditions: tuple[Condition, ...]
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    blank: Unlaunched
    limits: tuple[str, ...] = ()
    left: float = 0

    def is_of(self, family: Family | None) -> bool:
        """Return whether it is about the launches of a family, and no others."""
        return isinstance(self.blank, Launched) and self.blank.family == family

    def holds(
        self, properties: Iterable[str], setting: Setting, alignment: Mapping[str, int]
    ) -> bool:
        """Return whether properties are proved of a launch of numbers: one comparison a line.

        `alignment` is that of the arrays' addresses.
        """
        verdicts, wanted = self.verdicts(), {*properties}
        lines = [t.line for t in self.conditions if not wanted.isdisjoint(t.properties)]
        good = all(verdicts.get(p) in GOOD for p in wanted)
        return good and self.blank.holds(lines, setting, alignment)

    def verdicts(self) -> dict[str, Status]:
        """Return the verdict on each property under its lines: unknown where none were found."""
        found = verdict_of(self.findings)
        return {p: "unknown" if v == "refuted" else v for p, v in found.items()}

    def unconditional(self) -> list[Finding]:
        """Return what is known of the kernel where its launch is not: proved where no line is.

        Post-conditions: what holds under lines, or is refuted under them, is unknown, and all that
        is found of a kernel of which types and constants are guessed.
        """
        found, guessed = [], any(g.endswith(ALONE) for g in self.blank.kernel.granted)
        for f in self.findings:
            lines = [t.text for t in self.conditions if f.property in t.properties]
            lines += self.limits if f.property == "launch_valid" else ()
            if f.status == "refuted":
                reason = (
                    f"no condition was found under which it holds: {f.counterexample or f.text}"
                )
                f = replace(f, status="unknown", counterexample=None, reason=reason)
            elif f.status in GOOD and lines:
                text = ", ".join(lines)
                f = replace(f, status="unknown", holds_if=text, how="", rests_on=())
                f = replace(f, reason=NO_LAUNCH)
            elif f.status in GOOD and guessed:
                f = replace(f, status="unknown", how="", rests_on=(), reason=GUESSED)
            found.append(f)
        return found

    def comment(self) -> list[str]:
        """Return the contract as a comment above the kernel, which `symcute check` reads.

        Each line of the contract says what it is for; the notes below say all of them at once.
        """
        note = self.blank.kernel.target.note
        sign = note.partition(" ")[0]
        found = [f"{sign}   {READING}"] if self.conditions else []
        found += [f"{sign}   given {text}" for text in self._given]
        for t in self.conditions:
            found.append(f"{sign}   {t.text}  ({', '.join(t.properties)}; {t.known})")
        return [*found, *(f"{note} {text}" for text in self.notes)]

    @property
    def _given(self) -> list[str]:
        """What is assumed besides, and what reading the kernel took for granted."""
        return [*self.blank.given, *self.blank.kernel.granted]

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "lines": [t.to_json() for t in self.conditions],
            "given": self._given,
            "limits": list(self.limits),
            "verdicts": self.verdicts(),
            "notes": list(self.notes),
        }


@limits.collecting_rarely()
def contract(
    kernel: Kernel,
    properties: Iterable[str] = PROPERTIES,
    *,
    given: Iterable[str] = (),
    architecture: str | None = None,
    same_value: bool = False,
    timeout: float = inf,
    quick: bool = False,
    family: Family | None = None,
    most: float | None = None,
) -> Contract:
    """Return the contract of a kernel of which no launch is known, or of one family of launches.

    Pre-conditions: the kernel has no notes. `given` is assumed besides, of parameters by name, or
    of the dims of the `family`. What is `quick` asks less at length, and looks for what lies
    outside of lines at small sizes, of no family; symbolic executions count as work there, and
    more where `most` is the work of the search.
    Post-conditions: a property is proved under its lines by `check`, and by nothing else.
    Errors: InputError for a family that is not understood.
    """
    blank = (
        Unlaunched(kernel, given, architecture)
        if family is None
        else Launched(kernel, family, given, architecture)
    )
    wanted = {*properties}
    promises = any(isinstance(s, Promise) for s in every_statement(kernel.body))
    if promises and wanted.issuperset(PROPERTIES):
        wanted.add("promises_kept")
    found: dict[tuple[str, ...], tuple[Line, ...]] = {}
    open_: dict[str, Open] = {}
    late: set[tuple[str, ...]] = set()
    if "launch_valid" in wanted:
        found["launch_valid",] = _of_launch(blank)
    work = most if most is not None else QUICK[0] if quick else SEARCH
    with limits.within(timeout), limits.budget(inf) as search:
        counted = SECOND if most is not None else EXECUTED if quick else 0
        guessed = _guessed(Search(blank, counted), wanted, work)
        for group, (lines, left) in guessed.items():
            asked = tuple(p for p in group if p in wanted)
            if asked:
                found[asked] = lines
                late |= {asked} if left is None else set()
                # Of what comes first the others are no more than more of the same.
                open_ |= {x.question.property: x for x in reversed(left or ())}
    findings: list[Finding] = []
    held: dict[tuple[str, ...], tuple[Line, ...]] = {}
    for group, lines in found.items():
        setting = blank.setting(lines)
        # To ask again what no lines were found for costs more than the rest.
        unknown = [open_[p] for p in group if p in open_] if quick else []
        asked = tuple(p for p in group if not quick or p not in open_)
        told = [_open(kernel, x) for x in unknown]
        if asked:
            told += _decided(blank, setting, asked, timeout, quick, same_value, group in late)
        findings += told
        verdicts = verdict_of(told)
        holds = [p for p, v in verdicts.items() if v in GOOD]
        nothing = [p for p in holds if lines and verdicts[p] == "not applicable"]
        idle = [p for p in nothing if _idle(blank, p)]
        for some, under in ((idle, ()), ([p for p in holds if p not in idle], lines)):
            if some:
                held[tuple(some)] = under
    conditions = _conditions(blank, held, timeout, quick)
    every = tuple(dict.fromkeys(x for lines in held.values() for x in lines))
    findings.sort(key=lambda f: KNOWN.index(f.property))
    notes, limits_met = tuple(blank.notes(every)), tuple(map(blank.words, blank.of_launch()))
    return Contract(conditions, tuple(findings), notes, blank, limits_met, work - search.done)


def _decided(
    blank: Unlaunched, setting: Setting, group: tuple[str, ...], timeout: float, quick: bool,
    same_value: bool, late: bool,
) -> list[Finding]:  # fmt: skip
    """Return what is found of properties under lines, `late` where the search came to no end."""
    kernel, work = blank.kernel, QUICK[1] if quick and late else DECIDING
    map = symexecute(kernel, setting)
    if not (quick and late):
        return check_map(
            map, setting, group, kernel=kernel, timeout=timeout, work=work, same_value=same_value,
            hints=0,
        )  # fmt: skip
    # To execute what no lines were found for, or to ask it at length, costs more than the rest.
    try:
        with limits.budget(QUICK_OPEN):
            return check_map(
                map, setting, group, timeout=timeout, work=work, same_value=same_value, hints=0
            )
    except limits.WorkLimit:
        why = NOTHING
        return [Finding(p, "unknown", kernel.place, why, kernel.name, reason=why) for p in group]


def _of_launch(blank: Unlaunched) -> tuple[Line, ...]:
    """Return what a launch that was found must meet; of any other that is taken for granted."""
    if not isinstance(blank, Launched):
        return ()
    setting = blank.setting(())
    context = Context(symexecute(blank.kernel, setting), setting)
    goals = to_be_met(context, blank.kernel)
    return tuple(Line("assume", t) for t in goals) if False not in goals else ()


def _open(kernel: Kernel, x: Open) -> Finding:
    """Return what is said of a property of which a question is open."""
    q = x.question
    text = f"{q.subject} {q.claim}"
    return Finding(q.property, "unknown", q.place, text, kernel.name, q.subject, None, x.reason)


def _idle(blank: Unlaunched, name: str) -> bool:
    """Return whether a kernel has nothing that a property is about, whatever its launch.

    Under lines it may seem so, where they keep threads from all of it. To execute it says nothing.
    """
    setting = blank.setting(())
    return has_none(symexecute(blank.kernel, setting), setting, name)


def _guessed(
    search: Search, wanted: set[str], work: float
) -> dict[tuple[str, ...], tuple[tuple[Line, ...], tuple[Open, ...] | None]]:
    """Return lines for each group of properties, none of them proved, and what they leave open.

    None stands for a search that came to no end.
    """
    # Everything rests on arithmetic that does not wrap, races on barriers besides.
    needed = {*wanted, "no_overflow", *(("barrier_uniform",) if wanted & {*RACES} else ())}
    if any(isinstance(s, Promise) for s in every_statement(search.blank.kernel.body)):
        needed.add("promises_kept")
    groups = [g for g in GROUPS if needed & {*g}]
    found: dict[tuple[str, ...], tuple[tuple[Line, ...], tuple[Open, ...] | None]]
    found = dict.fromkeys(groups, ((), None))
    try:
        with limits.budget(work) as purse:
            whole, late = search.start(), dict.fromkeys(groups)
            for group in groups:
                # One may take half of what is left, so that others come to their turn.
                with (
                    suppress(limits.WorkLimit),
                    limits.budget(purse.left / (1 if group == groups[-1] else 2)),
                ):
                    found[group] = search.lines(group, whole)
                    del late[group]
                if group in NEEDED:
                    whole = tuple(dict.fromkeys((*whole, *found[group][0])))
            for group in late:
                # What others have left is for those that came to no end.
                found[group] = search.lines(group, whole)
    except (limits.WorkLimit, limits.TimeLimit):
        pass
    # Of what came to no end some may be proved under the lines that were found until then.
    return {g: (search.begun.get(g, ()), None) if x[1] is None else x for g, x in found.items()}


def _conditions(
    blank: Unlaunched, held: dict[tuple[str, ...], tuple[Line, ...]], timeout: float, quick: bool
) -> tuple[Condition, ...]:
    """Return the lines of all properties, each with an execution outside of it."""
    properties: dict[Line, tuple[str, ...]] = {}
    shown: dict[Line, dict[str, Example]] = {}
    every = sum(map(len, held.values()))
    work = min(OUTSIDE, QUICK_OUTSIDE // max(1, every)) if quick else OUTSIDE
    # Where there is a launch, what holds is said under lines, whatever happens outside of them.
    shows = not (quick and isinstance(blank, Launched))
    for group, lines in held.items():
        for line in lines:
            properties[line] = (*properties.get(line, ()), *group)
            # A line that was sought beyond small sizes once is not so for other properties.
            small = quick or line in shown
            found = _outside(blank, line, lines, group, timeout, small, work) if shows else {}
            shown.setdefault(line, {}).update(found)
    return tuple(Condition(blank.words(x), p, x, shown[x]) for x, p in properties.items())


def _outside(
    blank: Unlaunched, line: Line, lines: tuple[Line, ...], group: tuple[str, ...],
    timeout: float, small: bool, work: int,
) -> dict[str, Example]:  # fmt: skip
    """Return executions outside of a line, `small` ones or any, by the properties that fail."""
    broken = _broken(line)
    if line.kind == "extent":  # no array has fewer elements than none
        lines = (*lines, Line("assume", at_most(1, line.term)))
    params = [n for n in blank.params.values() if not _about_signs(line, {*blank.params.values()})]
    usual = [Line("assume", at_most(1, n)) for n in params]
    beside = [x for x in lines if x != line]
    found: dict[str, Example] = {}

    def executed(under: Iterable[Line]) -> None:
        setting = blank.setting(tuple(dict.fromkeys(under)))
        for name, example in _executed(blank.kernel, setting, group, small):
            if _sized(setting, example):
                found.setdefault(name, example)

    try:
        with limits.budget(work):
            executed((*beside, broken, *usual))
            if not found and usual:
                executed((*beside, broken))
            if not found and not small:
                setting = blank.setting(tuple(dict.fromkeys((*beside, broken, *usual))))
                told = check(blank.kernel, setting, group, work=0, timeout=timeout, hints=0)
                for f in told:
                    if f.counterexample is not None and _sized(setting, f.counterexample):
                        found.setdefault(f.property, f.counterexample)
    except (InputError, limits.WorkLimit):
        pass  # what was executed until then counts
    return found


def _sized(setting: Setting, example: Example) -> bool:
    """Return whether no array has fewer elements than none in an execution."""
    return all(value_at(x, example.dims) >= 0 for x in setting.extents.values())


def _about_signs(line: Line, params: set[str]) -> bool:
    """Return whether a line is about parameters alone, whose signs may then be any."""
    return line.kind == "assume" and names(line.term) <= params


def _executed(
    kernel: Kernel, setting: Setting, group: tuple[str, ...], small: bool
) -> Iterator[tuple[str, Example]]:
    """Yield what goes wrong in executions at a few small sizes, with the property."""
    executor = Executor(kernel, Context(symexecute(kernel, setting), setting, kernel))
    missing = {*group}
    for dims in islice(executor.sizes.instances(), FEW):
        if (small and max(dims.values(), default=0) > SMALL) or not missing:
            continue
        for execution in executor.at(dims):
            for event in execution.events:
                if event.property in group and event.certain:
                    missing.discard(event.property)
                    yield event.property, event.example


def _broken(line: Line) -> Line:
    """Return what is so just outside of a line."""
    term = line.term
    if line.kind == "assume":
        return replace(line, term=negate(term))
    if line.kind == "align":
        assert isinstance(term, int)
        return replace(line, term=term // 2)
    return replace(line, term=add(term, -1 if line.kind == "extent" else 1))
