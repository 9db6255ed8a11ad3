"""The worker's side of the conversation: one JSON object a line in, one a line out.

The first line out is the greeting `{"version": ...}`. Then each request
`{"id", "smt2", "work", "timeout", "memory_mb"}` is answered by
`{"id", "status", "model", "reason", "work"}`; a value of the model is an integer, or
`[numerator, denominator]`. The worker ends when its standard input closes. It needs nothing but the
standard library.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from symcute.processes import serving
from symcute.processes.serving import MEMORY_REASON

__all__ = [
    "COMMANDS",
    "IRRATIONAL_REASON",
    "MEMORY_REASON",
    "TIMEOUT_REASON",
    "WORK_REASON",
    "Reply",
    "refused",
    "serve",
]

#: The reasons that every worker gives by the same name, whatever its solver calls them.
TIMEOUT_REASON = "timeout"
WORK_REASON = "work limit"
IRRATIONAL_REASON = "the solver's model has a value that is no fraction"

#: The commands of a script. One that is not listed could change what the assertions mean (push,
#: pop, reset).
COMMANDS = ("assert", "declare-const", "declare-fun", "define-fun", "set-info", "set-logic")
_LONGEST_REASON = 300

# Address space of the idle worker (about 100 MB) and of the solver's timer thread; the limit that
# the caller names is meant for the query, so it comes on top.
_HEADROOM_MB = 512

# The parent kills a worker that is late by half a second; this alarm ends one whose parent is gone.
_ORPHAN_GRACE_S = 3.0


class Reply(NamedTuple):
    """What a solver says to one script; `model` maps the names of constants to numbers.

    `work` is what it has done, in the units of the request.
    """

    status: str
    model: Mapping[str, int | Fraction] = {}
    reason: str = ""
    work: int = 0


def refused(text: str) -> Reply:
    """Return what is said where a solver does not take a script."""
    return Reply("unknown", reason=f"error: {text[:_LONGEST_REASON]}")


def serve(version: str, answer: Callable[[str, int, float, int], Reply]) -> None:
    """Answer requests from standard input until it closes.

    `answer` is called with the script, the work limit, the time limit in seconds and the memory
    limit in MB.
    """
    serving.serve({"version": version}, lambda request: _answered(request, answer))


def _answered(
    request: Mapping[str, Any], answer: Callable[[str, int, float, int], Reply]
) -> dict[str, object]:
    work, timeout = int(request["work"]), float(request["timeout"])
    memory_mb = int(request["memory_mb"])
    serving.limit_memory((memory_mb + _HEADROOM_MB) * 2**20)
    _alarm(timeout + _ORPHAN_GRACE_S)
    try:
        reply = answer(request["smt2"], work, timeout, memory_mb)
    except MemoryError:
        reply = Reply("unknown", reason=MEMORY_REASON)
    except ValueError as error:
        # Text that cannot be encoded, or a value too long for Python to write in decimal.
        reply = refused(str(error))
    _alarm(0.0)
    model = {name: _plain(value) for name, value in reply.model.items()}
    return {"id": request["id"], **reply._asdict(), "model": model}


def _alarm(seconds: float) -> None:
    """End this process in so many seconds, where the system has alarms; 0 takes that back."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _plain(value: int | Fraction) -> int | list[int]:
    """Return a number as JSON has it: a fraction as its numerator and denominator."""
    return [value.numerator, value.denominator] if isinstance(value, Fraction) else value
