"""The worker's side of the conversation: one JSON object a line in, one a line out.

The first line out is the greeting `{"version": ...}`. Then each request
`{"id", "smt2", "work", "timeout", "memory_mb"}` is answered by
`{"id", "status", "model", "reason", "work"}`; a value of the model is an integer, or
`[numerator, denominator]`. The worker ends when its standard input closes. It needs nothing but the
standard library.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

__all__ = [
    "IRRATIONAL_REASON",
    "MEMORY_REASON",
    "TIMEOUT_REASON",
    "WORK_REASON",
    "Reply",
    "serve",
]

#: The reasons that every worker gives by the same name, whatever its solver calls them.
MEMORY_REASON = "memory limit"
TIMEOUT_REASON = "timeout"
WORK_REASON = "work limit"
IRRATIONAL_REASON = "the solver's model has a value that is no fraction"

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


def serve(version: str, answer: Callable[[str, int, float, int], Reply]) -> None:
    """Answer requests from standard input until it closes.

    `answer` is called with the script, the work limit, the time limit in seconds and the memory
    limit in MB.
    """
    out = os.fdopen(os.dup(1), "w", encoding="ascii")
    # What the solver's library prints must not mix with our lines.
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.close(silence)
    _say(out.fileno(), {"version": version})
    for line in sys.stdin.buffer:
        request = json.loads(line)
        work, timeout = int(request["work"]), float(request["timeout"])
        memory_mb = int(request["memory_mb"])
        _limit_memory(memory_mb)
        signal.setitimer(signal.ITIMER_REAL, timeout + _ORPHAN_GRACE_S)
        try:
            reply = answer(request["smt2"], work, timeout, memory_mb)
        except MemoryError:
            reply = Reply("unknown", reason=MEMORY_REASON)
        except ValueError as error:
            # Text that cannot be encoded, or a value too long for Python to write in decimal.
            reply = Reply("unknown", reason=f"error: {error}")
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        model = {name: _plain(value) for name, value in reply.model.items()}
        _say(out.fileno(), {"id": request["id"], **reply._asdict(), "model": model})


def _plain(value: int | Fraction) -> int | list[int]:
    """Return a number as JSON has it: a fraction as its numerator and denominator."""
    return [value.numerator, value.denominator] if isinstance(value, Fraction) else value


def _limit_memory(memory_mb: int) -> None:
    wanted = (memory_mb + _HEADROOM_MB) * 2**20
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))


def _say(descriptor: int, message: Mapping[str, object]) -> None:
    data = memoryview((json.dumps(message) + "\n").encode("ascii"))
    while data:
        data = data[os.write(descriptor, data) :]
