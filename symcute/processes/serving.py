"""The other side: what a process does that is spoken to, with nothing but the standard library."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any

try:
    import resource

    _LIMITS = True
except ImportError:  # Windows has no such limits
    _LIMITS = False

__all__ = [
    "MEMORY_EXIT",
    "MEMORY_LIMITS",
    "MEMORY_REASON",
    "NO_PROCESSES",
    "PROCESSES",
    "end_with",
    "limit_memory",
    "serve",
]

#: What is said of a process that reached its memory limit, and how it ends when it cannot say so
#: itself; Z3 ends by this code too.
MEMORY_REASON = "memory limit"
MEMORY_EXIT = 101
#: Whether the memory of a process can be limited here.
MEMORY_LIMITS = _LIMITS
#: Whether processes can be started here, which in a browser they cannot, and what is said then.
PROCESSES = sys.platform not in ("emscripten", "wasi")
NO_PROCESSES = "a page in a browser starts no processes"

#: Seconds from one look at who started us to the next.
_WATCH = 1.0


def serve(
    greeting: Mapping[str, Any],
    answer: Callable[[dict[str, Any]], Mapping[str, Any]],
    after: Callable[[], object] = lambda: None,
) -> None:
    """Say the greeting, then answer requests from standard input until it closes.

    Each is one JSON object a line. `after` is called when an answer is on its way. What libraries
    print must not mix with our lines: it goes nowhere. Where who started us is killed, so that
    nobody waits for the answer at work, we end as well.
    """
    end_with(os.getppid())
    out = os.dup(1)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.close(silence)
    _say(out, greeting)
    for line in sys.stdin.buffer:
        _say(out, answer(json.loads(line)))
        after()


def limit_memory(size: int) -> None:
    """Limit this process to so many bytes of address space, as far as it is not limited already.

    The hard limit stays: a process that this one starts has a limit of its own. Where the system
    has no such limit there is none; `symcute doctor` says so.
    """
    if not MEMORY_LIMITS:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    soft = size if hard == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def end_with(parent: int) -> None:
    """End this process, whatever it does, soon after its parent is another one."""
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    never = threading.Event()
    while os.getppid() == parent:
        never.wait(_WATCH)
    os._exit(0)


def _say(descriptor: int, message: Mapping[str, Any]) -> None:
    data = memoryview((json.dumps(message) + "\n").encode("ascii"))
    while data:
        data = data[os.write(descriptor, data) :]
