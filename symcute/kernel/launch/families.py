"""Launches that host code comes to: which of them are checked, and what their verdicts rest on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import inf

from symcute.errors import InputError
from symcute.kernel.findings import Finding
from symcute.kernel.ir.families import Family
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Kernel

__all__ = ["followed", "meant", "qualified", "understood"]

_MOST_SHOWN = 3
#: What following host code takes for granted of what it does not see.
UNSEEN = (
    "functions that are not read return, and free and resize nothing; "
    "copies end before their data is read"
)

#: From which size on a program is run, and up to which a size is given.
_FROM = re.compile(r"assume (\w+) >= (\d+)")
_MOST = re.compile(r"(\w+)\s*(<=|<)\s*(\d{1,19})(?:\s*\*\*\s*(\d{1,2}))?")

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


def meant(
    launches: Sequence[tuple[Place, Family | None]], given: Iterable[str]
) -> tuple[bool, ...]:
    """Return which launches of kernels at places are to be checked where something is given.

    One that only numbers of 64 bits run is not, where an upper bound is given that leaves these
    out, and another one of the same launch is.

    >>> from symcute.kernel.ir.families import Inferred
    >>> place, why = Place("k.py", 1, 1), "n has 64 bits from there on"
    >>> wide = Family(place, "f", (Inferred("assume n >= 2147483648", place, why),))
    >>> launches = ((place, wide), (place, Family(place, "f", ())))
    >>> [meant(launches, (g,)) for g in ("n <= 2**20", "n <= 2**31", "m <= 8")]
    [(False, True), (True, True), (True, True)]
    >>> meant(launches[:1], ("n <= 2**20",))
    (True,)
    """
    said = [m for m in (_MOST.fullmatch(text.strip()) for text in given) if m is not None]
    most = {m[1]: int(m[3]) ** int(m[4] or 1) - (m[2] == "<") for m in said}

    def is_out(family: Family | None) -> bool:
        notes = family.notes if family is not None else ()
        wide = (_FROM.fullmatch(n.text) for n in notes if n.why.endswith("64 bits from there on"))
        return any(m is not None and most.get(m[1], inf) < int(m[2]) for m in wide)

    out = [is_out(family) for _, family in launches]
    sites = [(kernel, family and family.place) for kernel, family in launches]
    left = {site for site, is_so in zip(sites, out, strict=True) if not is_so}
    return tuple(not (o and site in left) for o, site in zip(out, sites, strict=True))


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
