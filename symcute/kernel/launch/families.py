"""Launches that host code comes to: which of them are checked, and what their verdicts rest on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from symcute.errors import InputError
from symcute.kernel.findings import Finding
from symcute.kernel.ir.families import Family
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Kernel

__all__ = ["followed", "qualified", "understood"]

_MOST_SHOWN = 3
#: What following host code takes for granted of what it does not see.
UNSEEN = (
    "functions that are not read return, and free and resize nothing; "
    "copies end before their data is read"
)

#: An access before the place that a pointer is to.
_BEFORE = re.compile(r"at byte -\d+ of (\w+)")

#: An access that an array is not aligned for.
_ALIGNED = re.compile(r"of (\w+), which is aligned to")


def followed(
    families: Sequence[Family], notes: Iterable[tuple[str, Place]], launch: str | None
) -> tuple[int | None, ...]:
    """Return the numbers of the families to check; (None,) where a launch is given by hand.

    >>> followed((), (), "grid=1 block=1"), followed((), (), None)
    ((None,), (None,))
    """
    by_hand = launch is not None or any(text.split(" ")[0] == "launch" for text, _ in notes)
    return (None,) if by_hand or not families else tuple(range(len(families)))


def understood(kernel: Kernel, family: Family) -> Family:
    """Return a family that is understood. Errors: InputError, with what is not."""
    if family.trouble:
        note = f"{kernel.target.note} launch grid=..." + " block=..." * (kernel.block is None)
        raise InputError(
            f"the launch of {kernel.name} at {family.place} is not known: {family.trouble}",
            f'give it above the kernel: "{note}", or --launch',
        )
    return family


def qualified(findings: Iterable[Finding], family: Family) -> list[Finding]:
    """Return findings with what was inferred of their launch.

    A proof rests on it; where it is not known that every value can be met, an execution that goes
    wrong refutes nothing.
    """
    rests = (*(f"{n.text} ({n.why}, {n.place})" for n in family.notes), UNSEEN)
    if family.inner:
        rests += (f"arrays that {' and '.join(family.inner)} point to do not overlap others",)
    sized = {n.text.split()[1] for n in family.notes if n.text.startswith("extent ")}
    found = []
    for f in findings:
        if f.status == "proved":
            f = replace(f, rests_on=(*f.rests_on, *rests))
        elif f.status == "refuted":
            doubts = list(family.unknown[:_MOST_SHOWN])
            before = _BEFORE.search(f.text)
            if f.property == "in_bounds" and before and before[1] in family.inner:
                doubts.append(f"memory begins where {before[1]} points to")
            odd = _ALIGNED.search(f.text)
            if f.property == "aligned" and odd and odd[1] in family.inner and odd[1] not in sized:
                doubts.append(f"memory begins where it is taken to for {odd[1]}")
            if doubts:
                why = f"it fails ({f.counterexample or f.text}), if the launch can be so: "
                reason = why + ", ".join(doubts)
                f = replace(f, status="unknown", counterexample=None, reason=reason)
        found.append(f)
    return found
