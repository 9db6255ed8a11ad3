"""What is asked of a kernel, at length or at a glance, and what comes of it together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from symcute.kernel.budget import HINTS, LEAST
from symcute.kernel.checking import Check, check
from symcute.kernel.contracts.contract import Contract
from symcute.kernel.findings import GOOD, KNOWN, Finding, verdict_of
from symcute.kernel.ir.families import Family
from symcute.kernel.ir.program import Kernel
from symcute.kernel.ir.setting import Setting
from symcute.kernel.launch.families import qualified

__all__ = ["Asking", "asked", "with_lines"]

#: How many times less work there is for what is asked at length where lines were sought quickly:
#: more is seldom enough where neither a glance nor lines are.
QUICKER = 10
#: Why a property is open that was asked at a glance.
GLANCED = "asked at a glance alone: the first program of this launch is not right in it"


def asked(
    kernel: Kernel, setting: Setting, properties: Sequence[str], glance: Sequence[str] = (),
    most: int | None = None, **more: Any,
) -> list[Finding]:  # fmt: skip
    """Return what is found of properties, and of those that are asked at a `glance`.

    Where some are asked at a glance, all are first: that may be enough for the others, too. `most`
    is the work for each of both times, without hints, and `more` is as `check` has it.
    Errors: InputError for a setting that does not fit the kernel.
    """
    limited: dict[str, Any] = {} if most is None else {"hints": 0, "most": most}
    decided = partial(check, kernel, setting, **limited, **more)
    if not glance:
        return decided(properties=properties)
    found = decided(properties=(*properties, *glance), glance=True)
    verdicts = verdict_of(found)
    left = [p for p in properties if verdicts.get(p) == "unknown"]
    found = [
        replace(f, reason=GLANCED) if f.status == "unknown" else f
        for f in found
        if f.property not in left
    ]
    rest = decided(properties=left) if left else []
    return sorted((*found, *rest), key=lambda f: KNOWN.index(f.property))


class Asking:
    """What is asked of a launch that was found: at once what is cheap, and some of it at length."""

    def __init__(
        self, kernel: Kernel, setting: Setting, family: Family, properties: Sequence[str], *,
        timeout: float, work: int, same_value: bool, certificates: bool, quick: bool = False,
    ) -> None:  # fmt: skip
        """Take what is asked; what is `quick` has less work for what is asked at length."""
        self._family, self._work = family, work // QUICKER if quick else work
        self._check = Check(
            kernel, setting, properties, timeout=timeout, work=min(work, LEAST),
            same_value=same_value, certificates=certificates, sparing=True,
            # What is refuted of a launch that is not known will be open.
            hints=0 if family.unknown else HINTS,
        )  # fmt: skip

    def begin(self) -> list[Finding]:
        """Return what is found with the work that each question may take by itself."""
        return qualified(self._check.findings(), self._family)

    def longer(self, found: Iterable[Finding], properties: Collection[str]) -> list[Finding]:
        """Return what was found, with what is found of properties in all the work there is."""
        more = self._check.longer(properties, self._work)
        return _merged(found, qualified(more, self._family))


def _merged(found: Iterable[Finding], more: Iterable[Finding]) -> list[Finding]:
    """Return findings, with what is found of some properties in the place of what was before."""
    later = list(more)
    told = {f.property for f in later}
    kept = (f for f in found if f.property not in told)
    return sorted((*kept, *later), key=lambda f: KNOWN.index(f.property))


def with_lines(found: list[Finding], contract: Contract | None, family: Family) -> list[Finding]:
    """Return findings with the lines under which they hold; without any, they are proved."""
    if contract is None:
        return found
    said = contract.unconditional()
    verdicts, known = verdict_of(said), verdict_of(found)
    if contract.is_of(family):
        plain = {p for p, v in verdicts.items() if v in GOOD and known.get(p) == "unknown"}
        proved = [f for f in said if f.property in plain]
        found = _merged(found, qualified(proved, family))
    lines = {f.property: f.holds_if for f in said if f.holds_if}
    return [
        replace(f, holds_if=lines[f.property])
        if f.status in ("unknown", "refuted") and not f.holds_if and f.property in lines
        else f
        for f in found
    ]
