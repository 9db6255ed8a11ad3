"""Programs of others, run to their end within limits of processor time and memory."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence

from symcute.processes.programs import Failed, Late, OutOfMemory

__all__ = ["finished", "used"]

#: The clock is a backstop: so many times the processor's seconds pass on a machine that is busy.
_TIMES = 30
_LIMITS = 'ulimit -v "$1" 2>/dev/null; ulimit -t "$2"; shift 2; exec "$@"'
_OUT_OF_MEMORY = ("out of memory", "bad_alloc", "Cannot allocate memory")


def finished(
    command: Sequence[str], seconds: float, memory_mb: int, without: Sequence[str] = ()
) -> tuple[int, str]:
    """Run a command; return its exit code, and what it said of errors.

    Variables of the environment that it is `without` are not there for it.

    Errors: Late where it takes more seconds of the processor, OutOfMemory where it asks for more
    memory, Failed where it does not start.
    """
    most = max(1, round(seconds))
    environment = {name: said for name, said in os.environ.items() if name not in without}
    limits = ["sh", "-c", _LIMITS, "sh", str(memory_mb * 1024), str(most)]
    try:
        done = subprocess.run(
            [*limits, *command], capture_output=True, text=True, timeout=_TIMES * most,
            check=False, errors="replace", stdin=subprocess.DEVNULL, env=environment,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise Late(f"did not end within {_TIMES * most} s") from None
    except OSError as error:
        raise Failed(f"did not start ({error})") from None
    if done.returncode and any(said in done.stderr for said in _OUT_OF_MEMORY):
        raise OutOfMemory
    if done.returncode < 0 or done.returncode > 128:
        number = -done.returncode if done.returncode < 0 else done.returncode - 128
        if number in _OF_TIME:
            raise Late(f"took more than {most} s of the processor")
    return done.returncode, done.stderr


#: SIGXCPU, and SIGKILL where that is not heard.
_OF_TIME = (24, 9)


def used() -> float:
    """Return the seconds of the processor that programs took which have ended."""
    spent = os.times()
    return spent.children_user + spent.children_system
