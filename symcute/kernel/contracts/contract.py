"""contract(kernel): under which conditions a kernel is right of whose launches nothing is known.

What the search guesses, the ordinary engine proves: each property under its lines and nothing else
but what a device asks of every launch. A line is said to be necessary where an execution outside of
it, and inside of all others, goes wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from math import inf
from typing import Any

from symcute.errors import InputError
from symcute.expr import limits
from symcute.expr.expression import value_at
from symcute.expr.node import names
from symcute.expr.terms import add, at_most, negate
from symcute.kernel.checking import check
from symcute.kernel.contracts.lines import Line, Unlaunched
from symcute.kernel.contracts.search import Search
from symcute.kernel.execution import Executor
from symcute.kernel.findings import PROPERTIES, RACES, Example, Finding, Status, verdict_of
from symcute.kernel.ir.program import Kernel
from symcute.kernel.ir.setting import Setting
from symcute.kernel.properties.context import Context
from symcute.kernel.symexec import symexecute

__all__ = ["Condition", "Contract", "contract"]

#: The work for the search, for each property in the end, and to execute what lies outside a line.
SEARCH, DECIDING, OUTSIDE = 6000, 2500, 1500
#: Small sizes at which is executed what lies outside of a line.
FEW = 4
#: Properties that have their lines together, in the order in which lines are found.
GROUPS = (
    ("no_overflow",), ("in_bounds",), ("aligned",), ("barrier_uniform",), RACES,
)  # fmt: skip


@dataclass(frozen=True)
class Condition:
    """One line of a contract: what must be so, for which properties, and what happens if it is not.

    `counterexample` is an execution that meets all other lines of one of the properties, and not
    this one.
    """

    text: str
    properties: tuple[str, ...]
    line: Line
    counterexample: Example | None = None

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        example = self.counterexample
        return {
            "text": self.text,
            "properties": list(self.properties),
            "necessary": example is not None,
            "counterexample": None if example is None else example.to_json(),
        }


@dataclass(frozen=True)
class Contract:
    """The lines of a kernel, what was found of each property under its own, and all as notes.

    `limits` are what a device asks of every launch.
    """

    conditions: tuple[Condition, ...]
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    limits: tuple[str, ...] = ()

    def verdicts(self) -> dict[str, Status]:
        """Return the verdict on each property under its lines: unknown where none were found."""
        found = verdict_of(self.findings)
        return {p: "unknown" if v == "refuted" else v for p, v in found.items()}

    def unconditional(self) -> list[Finding]:
        """Return what is known of the kernel where its launch is not: proved where no line is.

        Post-conditions: what is proved under lines, or refuted under them, is unknown.
        """
        found = []
        for f in self.findings:
            lines = [t.text for t in self.conditions if f.property in t.properties]
            lines += self.limits if f.property == "launch_valid" else ()
            if f.status == "refuted":
                reason = (
                    f"no condition was found under which it holds: {f.counterexample or f.text}"
                )
                f = replace(f, status="unknown", counterexample=None, reason=reason)
            elif f.status == "proved" and lines:
                text = ", ".join(lines)
                reason = "no launch is known"
                f = replace(f, status="unknown", reason=reason, holds_if=text, how="", rests_on=())
            found.append(f)
        return found

    def comment(self) -> list[str]:
        """Return the contract as a comment above the kernel, which `symcute check` reads.

        Each line of the contract says what it is for; the notes below say all of them at once.
        """
        found = []
        for t in self.conditions:
            known = "necessary" if t.counterexample is not None else "sufficient"
            found.append(f"//   {t.text}  ({', '.join(t.properties)}; {known})")
        return [*found, *(f"// symcute: {note}" for note in self.notes)]

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "lines": [t.to_json() for t in self.conditions],
            "verdicts": self.verdicts(),
            "notes": list(self.notes),
        }


def contract(
    kernel: Kernel,
    properties: Iterable[str] = PROPERTIES,
    *,
    given: Iterable[str] = (),
    architecture: str | None = None,
    same_value: bool = False,
    timeout: float = inf,
) -> Contract:
    """Return the contract of a kernel of which no launch is known.

    Pre-conditions: the kernel has no notes. `given` is assumed besides, of parameters by name.
    Post-conditions: a property is proved under its lines by `check`, and by nothing else.
    """
    blank = Unlaunched(kernel, given, architecture)
    wanted = {*properties}
    found: dict[tuple[str, ...], tuple[Line, ...]] = {}
    if "launch_valid" in wanted:
        found["launch_valid",] = ()
    with limits.within(timeout):
        for group, lines in _guessed(blank).items():
            asked = tuple(p for p in group if p in wanted)
            if asked:
                found[asked] = lines
    findings: list[Finding] = []
    proved: dict[tuple[str, ...], tuple[Line, ...]] = {}
    for group, lines in found.items():
        told = check(
            kernel, blank.setting(lines), group,
            timeout=timeout, work=DECIDING, same_value=same_value,
        )  # fmt: skip
        findings += told
        holds = {p: v for p, v in verdict_of(told).items() if v == "proved"}
        if holds:
            proved[tuple(holds)] = lines
    conditions = _conditions(blank, proved, timeout)
    every = tuple(dict.fromkeys(x for lines in proved.values() for x in lines))
    findings.sort(key=lambda f: PROPERTIES.index(f.property))
    notes, limits_met = tuple(blank.notes(every)), tuple(map(blank.words, blank.of_launch()))
    return Contract(conditions, tuple(findings), notes, limits_met)


def _guessed(blank: Unlaunched) -> dict[tuple[str, ...], tuple[Line, ...]]:
    """Return lines for each group of properties, none of them proved."""
    search = Search(blank)
    found: dict[tuple[str, ...], tuple[Line, ...]] = dict.fromkeys(GROUPS, ())
    try:
        with limits.budget(SEARCH):
            whole = search.start()
            for group in GROUPS:
                found[group] = search.lines(group, whole)
                # Everything rests on arithmetic that does not wrap, races on barriers besides.
                if group in (("no_overflow",), ("barrier_uniform",)):
                    whole = tuple(dict.fromkeys((*whole, *found[group])))
    except (limits.WorkLimit, limits.TimeLimit):
        pass
    return found


def _conditions(
    blank: Unlaunched, proved: dict[tuple[str, ...], tuple[Line, ...]], timeout: float
) -> tuple[Condition, ...]:
    """Return the lines of all properties, each with an execution outside of it."""
    found: dict[Line, Condition] = {}
    for group, lines in proved.items():
        for line in lines:
            if line in found:
                old = found[line]
                found[line] = replace(old, properties=(*old.properties, *group))
            else:
                example = _outside(blank, line, lines, group, timeout)
                found[line] = Condition(blank.words(line), group, line, example)
    return tuple(found.values())


def _outside(
    blank: Unlaunched, line: Line, lines: tuple[Line, ...], group: tuple[str, ...], timeout: float
) -> Example | None:
    """Return an execution just outside of a line, in which one of the properties fails."""
    broken = _broken(line)
    if line.kind == "extent":  # no array has fewer elements than none
        lines = (*lines, Line("assume", at_most(1, line.term)))
    params = [n for n in blank.params.values() if not _about_signs(line, {*blank.params.values()})]
    usual = [Line("assume", at_most(1, n)) for n in params]
    beside = [x for x in lines if x != line]
    try:
        setting = blank.setting(tuple(dict.fromkeys((*beside, broken, *usual))))
        with limits.budget(OUTSIDE):
            examples = list(_executed(blank.kernel, setting, group))
            if not examples:
                told = check(blank.kernel, setting, group, work=0, timeout=timeout)
                examples = [f.counterexample for f in told if f.counterexample is not None]
    except (InputError, limits.WorkLimit):
        return None
    for example in examples:
        if all(value_at(x, example.dims) >= 0 for x in setting.extents.values()):
            return example
    return None


def _about_signs(line: Line, params: set[str]) -> bool:
    """Return whether a line is about parameters alone, whose signs may then be any."""
    return line.kind == "assume" and names(line.term) <= params


def _executed(kernel: Kernel, setting: Setting, group: tuple[str, ...]) -> Iterator[Example]:
    """Yield what goes wrong in executions at a few small sizes."""
    executor = Executor(kernel, Context(symexecute(kernel, setting), setting, kernel))
    for dims in islice(executor.instances(), FEW):
        for execution in executor.at(dims):
            for event in execution.events:
                if event.property in group and event.certain:
                    yield event.example


def _broken(line: Line) -> Line:
    """Return what is so just outside of a line."""
    term = line.term
    if line.kind == "assume":
        return replace(line, term=negate(term))
    if line.kind == "align":
        assert isinstance(term, int)
        return replace(line, term=term // 2)
    return replace(line, term=add(term, -1 if line.kind == "extent" else 1))
