"""What is asked of a kernel, at length or at a glance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from symcute.kernel.checking import check
from symcute.kernel.findings import KNOWN, Finding, verdict_of
from symcute.kernel.ir.program import Kernel
from symcute.kernel.ir.setting import Setting

__all__ = ["asked"]

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
