"""What a solver said about one script."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from symcute.processes import serving

__all__ = ["Answer", "Status", "is_mishap", "nobody", "timeout_reason", "work_reason"]

Status = Literal["sat", "unsat", "unknown"]


@dataclass(frozen=True)
class Answer:
    """A solver's verdict on a script, with the model when there is one.

    `model` gives every declared constant a value when `status` is "sat", and is empty otherwise:
    integers as they are, reals as `fractions.Fraction`, bit-vectors as unsigned integers, Booleans
    as 0 and 1. `reason` says why the status is "unknown", and is empty otherwise; `limit` is "work"
    where the work allowed was done, "time" where the time ran out before. `work` is what was done,
    in the units of `solve`, and `seconds` the time that took, without the start of the worker.

    >>> Answer("unknown", reason=work_reason(2000), limit="work", solver="z3").model
    {}
    """

    status: Status
    model: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    solver: str = ""
    version: str = ""
    limit: Literal["", "work", "time"] = ""
    work: int = 0
    seconds: float = 0.0


def nobody() -> Answer | None:
    """Return the answer where no solver can be asked at all, whatever is installed; else None.

    >>> nobody() is None
    True
    """
    if serving.PROCESSES:
        return None
    return Answer("unknown", reason=f"no solver here: {serving.NO_PROCESSES}")


def timeout_reason(seconds: float) -> str:
    """Say that the time limit was reached.

    >>> timeout_reason(10.0)
    'the time limit of 10 s was reached'
    """
    return f"the time limit of {seconds:g} s was reached"


def work_reason(work: int) -> str:
    """Say that the work allowed was done.

    >>> work_reason(4000)
    'the work limit of 4,000 was reached'
    """
    return f"the work limit of {work:,} was reached"


_MISHAP = re.compile(r"memory limit|solver (died|did not start|printed|closed its output)")


def is_mishap(reason: str) -> bool:
    """Say whether a reason tells of the machine: the same question may be answered next time.

    >>> is_mishap("z3: solver died (signal 9)"), is_mishap(timeout_reason(10))
    (True, False)
    """
    return _MISHAP.search(reason) is not None
