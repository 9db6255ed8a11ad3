"""check(kernel, setting): the properties of a kernel, decided for all sizes of a launch.

A proof counts only where no arithmetic that it rests on wraps, and all was understood; what is
refuted was executed.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Any

from symcute.errors import InputError
from symcute.expr import limits
from symcute.kernel.access_map import AccessMap
from symcute.kernel.aggregation import findings, is_idle
from symcute.kernel.budget import HINTS, WORK, Purse
from symcute.kernel.findings import GOOD, KNOWN, LIMIT, PROPERTIES, RACES, WORDS, Finding
from symcute.kernel.ir.program import Kernel
from symcute.kernel.ir.semantics import disordered
from symcute.kernel.ir.setting import Setting
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.requests import limited
from symcute.kernel.properties.transactions import COUNTED
from symcute.kernel.scheduler import Work
from symcute.kernel.symexec import symexecute, under

__all__ = ["KNOWN", "PROPERTIES", "WORDS", "Check", "check", "check_map", "has_none"]


@limits.collecting_rarely()
def check(
    kernel: Kernel,
    setting: Setting,
    properties: Iterable[str] = PROPERTIES,
    *,
    timeout: float = LIMIT,
    work: int = WORK,
    same_value: bool = False,
    certificates: bool = False,
    hints: int = HINTS,
    most: float = inf,
    glance: bool = False,
    freer: Setting | None = None,
) -> list[Finding]:
    """Decide properties of a kernel for every launch that a setting describes.

    `work` is what the questions that are not decided at once may take together, in units of about a
    millisecond that are counted: the findings are the same on a machine that is busy. `timeout`
    bounds the seconds for the kernel; what it leaves open is unknown, and says so. With
    `same_value`, threads may write the same value to one place. With `certificates`, proofs come
    with what can be checked again of them, which takes its own time. `hints` is the work to say
    under which bounds more would be proved. `most` is the work for all questions and executions
    together. What is asked at a `glance` is what is cheap: proofs that are found at once, and a few
    executions. `freer` is the setting without conditions that are seldom needed, and much work: it
    comes first, and what is proved of it is not asked again. Of more conditions no statement is
    understood that orders accesses, so that races which such a one leaves unknown stay so.
    Post-conditions: each property has one finding that is proved or not applicable, or one or more
    that are refuted or unknown. A refutation was executed with the arithmetic of the machine.
    Errors: InputError for a property that there is not, or a setting that does not fit the kernel.
    """
    options: dict[str, Any] = {
        "kernel": kernel, "timeout": timeout, "work": work, "same_value": same_value,
        "certificates": certificates, "hints": hints, "most": most, "glance": glance,
    }  # fmt: skip
    if freer is None:
        return _findings(*_work(symexecute(kernel, setting), setting, properties, **options))
    map = symexecute(kernel, freer)
    first, wanted = _work(map, freer, properties, **options)
    found = _findings(first, wanted)
    left = _left(found, kernel)
    if left:
        map = under(map, kernel, setting)
        more = _findings(*_work(map, setting, left, **options, before=first))
        found = [*(f for f in found if f.property not in left), *more]
    return sorted(found, key=lambda f: KNOWN.index(f.property))


def _left(found: Iterable[Finding], kernel: Kernel) -> set[str]:
    """Return the properties of which more may be proved where more is known."""
    left = {f.property for f in found if f.status not in GOOD}
    doubtful = {f.property for f in found if f.is_doubt()} if disordered(kernel.body) else set()
    return left - (doubtful & {*RACES})


def check_map(
    map: AccessMap,
    setting: Setting,
    properties: Iterable[str] = PROPERTIES,
    *,
    kernel: Kernel | None = None,
    timeout: float = LIMIT,
    work: int = WORK,
    same_value: bool = False,
    certificates: bool = False,
    hints: int = HINTS,
    most: float = inf,
    glance: bool = False,
) -> list[Finding]:
    """Decide properties of an access map; without the kernel nothing is refuted.

    Post-conditions and errors are those of `check`.
    """
    options: dict[str, Any] = {
        "kernel": kernel, "timeout": timeout, "work": work, "same_value": same_value,
        "certificates": certificates, "hints": hints, "most": most, "glance": glance,
    }  # fmt: skip
    return _findings(*_work(map, setting, properties, **options))


def _work(
    map: AccessMap, setting: Setting, properties: Iterable[str], *, kernel: Kernel | None,
    timeout: float, work: int, same_value: bool, certificates: bool, hints: int, most: float,
    glance: bool, sparing: bool = False, before: Work | None = None,
) -> tuple[Work, set[str]]:  # fmt: skip
    """Return the work on an access map, before any is done, and the properties that are wanted."""
    wanted = set(_known(properties))
    context, every = Context(map, setting, kernel), wanted & COUNTED.keys()
    if wanted.issuperset(PROPERTIES):
        wanted |= limited(context) | ({"promises_kept"} if map.promises else set())
    purse = Purse(work, timeout, hints, most, glance, sparing)
    return Work(context, kernel, purse, same_value, every, certificates, before), wanted


def _findings(work: Work, wanted: set[str]) -> list[Finding]:
    return [f for name in KNOWN if name in wanted for f in findings(work, name, wanted)]


class Check:
    """A check that can be gone on with at length, in which nothing is asked anew."""

    def __init__(
        self, kernel: Kernel, setting: Setting, properties: Iterable[str], *,
        timeout: float, work: int, same_value: bool, certificates: bool, sparing: bool,
        hints: int = HINTS,
    ) -> None:  # fmt: skip
        """Take what is asked, as `check` does; with `sparing`, nothing is said of what would have
        to be assumed where something is open.
        """
        self._kernel, self._timeout, self._hints = kernel, timeout, hints
        self._work, self._wanted = _work(
            symexecute(kernel, setting), setting, properties, kernel=kernel, timeout=timeout,
            work=work, same_value=same_value, certificates=certificates, hints=hints, most=inf,
            glance=False, sparing=sparing,
        )  # fmt: skip

    @limits.collecting_rarely()
    def findings(self) -> list[Finding]:
        """Return what is found of all properties."""
        return _findings(self._work, self._wanted)

    @limits.collecting_rarely()
    def longer(self, properties: Iterable[str], work: int) -> list[Finding]:
        """Return what is found of some of them in so much work, behind what was done before."""
        wanted = set(properties)
        self._work.go_on(wanted, Purse(work, self._timeout, self._hints))
        return _findings(self._work, wanted)


def has_none(map: AccessMap, setting: Setting, name: str) -> bool:
    """Return whether there is nothing in a map that a property is about, asking nothing."""
    return is_idle(Work(Context(map, setting), None, Purse(0), same_value=False), name)


def _known(properties: Iterable[str]) -> list[str]:
    wanted = [properties] if isinstance(properties, str) else list(properties)
    for name in wanted:
        if name not in KNOWN:
            raise InputError(f"there is no property {name!r}", f"known are {', '.join(KNOWN)}")
    return wanted
