"""What a solver said about one script."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["Answer", "Status", "is_mishap", "timeout_reason"]

Status = Literal["sat", "unsat", "unknown"]


@dataclass(frozen=True)
class Answer:
    """A solver's verdict on a script, with the model when there is one.

    `model` gives every declared constant a value when `status` is "sat", and is empty otherwise:
    integers as they are, reals as `fractions.Fraction`, bit-vectors as unsigned integers, Booleans
    as 0 and 1. `reason` says why the status is "unknown", and is empty otherwise. `seconds` is the
    time the query took, without the start of the worker.

    >>> Answer("unknown", reason="timeout after 10 s", solver="z3", version="4.13.0").model
    {}
    """

    status: Status
    model: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    solver: str = ""
    version: str = ""
    seconds: float = 0.0


def timeout_reason(seconds: float) -> str:
    """Say that the time limit was reached.

    >>> timeout_reason(10.0)
    'timeout after 10 s'
    """
    return f"timeout after {seconds:g} s"


_MISHAP = re.compile(r"memory limit|solver (died|did not start|printed|closed its output)")


def is_mishap(reason: str) -> bool:
    """Say whether a reason tells of the machine: the same question may be answered next time.

    >>> is_mishap("z3: solver died (signal 9)"), is_mishap("timeout after 10 s")
    (True, False)
    """
    return _MISHAP.search(reason) is not None
