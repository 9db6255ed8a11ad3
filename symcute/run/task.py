"""One theorem as a piece of work: sent to a process, run there, its outcome sent back.

What travels is plain data: the text of the theorem file and a name, never a function or a claim.
"""

from __future__ import annotations

import contextvars
import os
import platform
import threading
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from symcute.claims import Claim
from symcute.errors import InputError, NotAdmissible, SymcuteError, Undecided
from symcute.prover.theorems import Theorem, add_up, decide, load
from symcute.report.json import part_record
from symcute.run.cache import Cache
from symcute.run.engine import this_engine
from symcute.run.keys import claim_key, self_contained, theorem_key
from symcute.solve.solvers import is_mishap

__all__ = ["Outcome", "Task", "failed", "perform", "task_of"]


@dataclass(frozen=True)
class Task:
    """A theorem to run: the text of its file, its name, and the limit of a solver query in seconds.

    `engine` is the engine that is asked for, empty for whichever there is; `cache` the file in
    which verdicts may be looked up, empty for none.
    """

    name: str
    file: str
    text: bytes
    timeout: float
    engine: str = ""
    cache: str = ""


@dataclass(frozen=True)
class Outcome:
    """What running a theorem gave, as plain data.

    `parts` has a record for each claim that was decided; `keys` the key of each in the cache, empty
    for one that has none.
    `lasting` says that the same would come out again (not so after a mishap of the machine),
    `failed` that the theorem could not be run (its status is error where the mistake is in
    it, else unknown), `recalled` that all of it is from the cache.
    """

    status: str
    how: str
    reason: str
    parts: tuple[dict[str, Any], ...] = ()
    keys: tuple[str, ...] = ()
    seconds: float = 0.0
    lasting: bool = False
    failed: bool = False
    recalled: bool = False

    def record(self, theorem: Theorem[Any]) -> dict[str, Any]:
        """Return the record of the theorem as reports show it."""
        basis = (x for part in self.parts for x in part["rests_on"])
        return {
            **theorem.to_json(),
            "code": theorem.code,
            "status": self.status,
            "ok": self.status == theorem.expected and not self.failed,
            "how": self.how,
            "reason": self.reason,
            "rests_on": list(dict.fromkeys(basis)),
            "parts": list(self.parts),
            "seconds": round(self.seconds, 6),
            "cached": self.recalled
            or (bool(self.parts) and all(part["cached"] for part in self.parts)),
        }


def failed(reason: str, seconds: float = 0.0) -> Outcome:
    """Return the outcome of a theorem that did not live to an answer: unknown, with the reason."""
    return Outcome("unknown", "", reason, seconds=seconds, failed=True)


def _wrong(reason: str, started: float) -> Outcome:
    """Return the outcome of a theorem with a mistake in it: an error, whatever is expected."""
    return Outcome("error", "", reason, seconds=time.perf_counter() - started, failed=True)


def task_of(theorem: Theorem[Any], timeout: float, engine: str = "", cache: str = "") -> Task:
    """Return the theorem as a task.

    Errors: InputError for a theorem that was not read from a file.
    """
    if not theorem.text:
        raise InputError(
            f"the theorem {theorem.name} was not read from a file",
            "find it with symcute.prover.theorems.find, or run it with symcute.prover.theorems.run",
        )
    # The place as it is seen from anywhere.
    file = str(Path(theorem.file).resolve())
    return Task(theorem.name, file, theorem.text, timeout, engine, cache)


def perform(task: Task) -> Outcome:
    """Run a theorem; whatever goes wrong with it becomes its outcome, but for a lack of memory.

    Assumptions of an enclosing `assuming` block do not reach it: a theorem states its own. Threads
    of one process take turns.
    """
    started = time.perf_counter()
    try:
        _require_engine(task.engine)
    except InputError as error:
        return failed(str(error))
    try:
        with _TURN.lock:
            return contextvars.Context().run(_perform, task, started)
    except SymcuteError as error:
        reason = str(error)
    except MemoryError:
        raise
    except (Exception, SystemExit) as error:
        # The body of a theorem is its author's Python, which may fail in any way.
        reason = f"{Path(task.file).name} raised {type(error).__name__}: {error}"
    return _wrong(reason, started)


class _Turn:
    """One theorem at a time in a process: what the engine remembers is not made for threads."""

    def __init__(self) -> None:
        self.renew()
        os.register_at_fork(after_in_child=self.renew)

    def renew(self) -> None:
        """Make a lock that nobody holds; one that was copied by a fork may be held for ever."""
        self.lock = threading.Lock()


_TURN = _Turn()


def _require_engine(asked: str) -> None:
    if not asked:
        return
    here = this_engine().version
    if here == asked:
        return
    theirs, ours = dict(_fields(asked)), dict(_fields(here))
    other = ", ".join(k for k in theirs if theirs[k] != ours.get(k))
    raise InputError(
        f"the worker on {platform.node()} has another engine ({other} differ)",
        "install the same symcute and libraries there",
    )


def _fields(version: str) -> list[tuple[str, str]]:
    return [(k, v) for k, _, v in (field.partition("=") for field in version.split())]


def _perform(task: Task, started: float) -> Outcome:
    theorems = load(Path(task.file), task.text)
    theorem = next((t for t in theorems if t.name == task.name), None)
    if theorem is None:
        raise InputError(f"{task.file} has no theorem {task.name}", "run the file again")
    try:
        claims = theorem.build()
    except (NotAdmissible, Undecided) as error:
        # What the algebra cannot decide may be expected to stay unknown; a mistake may not.
        reason = str(error)
        seconds = time.perf_counter() - started
        return Outcome("unknown", "", reason, seconds=seconds, lasting=not is_mishap(reason))
    except InputError as error:
        return _wrong(str(error), started)
    except MemoryError:
        raise
    except Exception as error:
        reason = f"{theorem.file}:{theorem.line} raised {type(error).__name__}: {error}"
        return _wrong(reason, started)
    parts, keys = [], []
    for index, claim in enumerate(claims):
        key = _key(task, theorem, claim, index)
        part = _recalled(task, key) or {
            **part_record(decide(theorem, claim, task.timeout)),
            "cached": False,
        }
        parts.append(part)
        keys.append(key)
        if part["status"] == "refuted":
            break
    status, how, reason = add_up([(p["status"], p["how"], p["reason"]) for p in parts])
    lasting = not any(p["status"] == "unknown" and is_mishap(p["reason"]) for p in parts)
    # What it took to decide its claims, in this run or in another.
    seconds = sum(p["seconds"] for p in parts)
    return Outcome(status, how, reason, tuple(parts), tuple(keys), seconds, lasting)


def _key(task: Task, theorem: Theorem[Any], claim: Claim, index: int) -> str:
    """Return the key of a claim: by its structure, else by its place in this very text.

    It is empty where neither says what the claim is.
    """
    key = claim_key(task.engine, theorem, claim)
    if key is None and self_contained(task.text):
        key = theorem_key(task.engine, task.text, f"{task.name} {index}")
    return key or ""


def _recalled(task: Task, key: str) -> dict[str, Any] | None:
    if not (key and task.cache and task.engine):
        return None
    part: dict[str, Any] | None = _opened(task.cache).get(key, task.timeout)
    return None if part is None else {**part, "cached": True}


@lru_cache(maxsize=4)
def _opened(path: str) -> Cache:
    """Return the cache for reading; trouble with it is told by the run that writes it."""
    return Cache(Path(path), readonly=True)
