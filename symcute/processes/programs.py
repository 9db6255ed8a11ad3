"""Commands in processes of their own: told one JSON object a line, and answering one a line."""

from __future__ import annotations

import contextlib
import json
import math
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any

from symcute.processes import serving
from symcute.processes.serving import MEMORY_EXIT, MEMORY_REASON

__all__ = ["Ended", "Failed", "Late", "OutOfMemory", "Program", "Stock", "ended"]

#: Seconds that a process has to greet: what it imports is loaded by then.
START_LIMIT_S = 20.0

_LONGEST_LINE = 64 * 2**20
_CHUNK = 2**16
_EXIT_GRACE_S = 0.2


class Failed(Exception):
    """A process did not do as agreed; the text says what it did, without its name."""

    def told(self, name: str) -> str:
        """Return what became of the process of that name."""
        return f"{name} {self}"


class Late(Failed):
    """It said nothing in time."""


class Ended(Failed):
    """It ended: `code` is its exit code, or the signal that ended it below 0."""

    def __init__(self, code: int) -> None:
        self.code = code
        super().__init__(f"died ({f'signal {-code}' if code < 0 else f'exit code {code}'})")


class OutOfMemory(Failed):
    """It reached its memory limit."""

    def __init__(self) -> None:
        super().__init__(MEMORY_REASON)

    def told(self, name: str) -> str:
        """Return the reason, which is the same whoever met it."""
        return MEMORY_REASON


def ended(code: int) -> Failed:
    """Return what is to be said of a process that ended."""
    return OutOfMemory() if code == MEMORY_EXIT else Ended(code)


class Program:
    """A process that runs a command.

    It has a session of its own, so Ctrl-C in the terminal reaches us and not the process; whoever
    holds it kills it. Deadlines are on the clock of `time.monotonic`. After any exception the
    process is of no more use.
    """

    def __init__(self, command: Sequence[str], errors: int | IO[str] = subprocess.DEVNULL) -> None:
        """Start the command; what it prints of errors goes to `errors`. Raises `Failed`."""
        if not serving.PROCESSES:
            raise Failed(f"did not start ({serving.NO_PROCESSES})")
        if not hasattr(select, "poll"):
            raise Failed("did not start (this system cannot wait for a pipe: use Linux or macOS)")
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                bufsize=0,
                start_new_session=True,
                env=_environment(),
            )
        except OSError as error:
            raise Failed(f"did not start ({error})") from error
        assert process.stdin is not None and process.stdout is not None
        self._process, self._pipes = process, (process.stdin, process.stdout)
        self._in, self._out = process.stdin.fileno(), process.stdout.fileno()
        os.set_blocking(self._in, False)
        self._received = bytearray()
        self.pid = process.pid
        self.greeting: dict[str, Any] = {}

    def ready(self) -> bool:
        """Say whether the process runs and has nothing to say without being asked."""
        if self._received or self._process.poll() is not None:
            return False
        return not _waited(self._out, select.POLLIN, 0)

    def greeted(self, seconds: float) -> Program:
        """Return the process when it has greeted; one that does not is killed. Raises `Failed`."""
        try:
            self.greeting = self.hear(time.monotonic() + seconds)
        except Late as error:
            self.kill()
            raise Failed(f"did not start within {seconds:g} s") from error
        except BaseException:
            self.kill()
            raise
        return self

    def ask(self, request: Mapping[str, Any], deadline: float) -> dict[str, Any]:
        """Send one object and return the one that answers it; see `say` and `hear`."""
        self.say(request, deadline)
        return self.hear(deadline)

    def say(self, message: Mapping[str, Any], deadline: float) -> None:
        """Send one object. Raises `Late` past the deadline, `Failed` when the process has ended."""
        unsent = memoryview((json.dumps(message) + "\n").encode("ascii"))
        while unsent:
            self._await(self._in, select.POLLOUT, deadline)
            try:
                unsent = unsent[os.write(self._in, unsent[:_CHUNK]) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise self._death() from None

    def hear(self, deadline: float) -> dict[str, Any]:
        """Return the next object that the process says.

        Raises `Late` past the deadline, `Failed` when it has ended, or what comes is no object.
        """
        seen = 0
        while (end := self._received.find(b"\n", seen)) < 0:
            seen = len(self._received)
            self._await(self._out, select.POLLIN, deadline)
            data = os.read(self._out, _CHUNK)
            if not data:
                raise self._death()
            self._received += data
            if len(self._received) > _LONGEST_LINE:
                raise Failed("printed an endless line")
        line = bytes(self._received[:end])
        del self._received[: end + 1]
        return _parsed(line)

    def stop(self) -> None:
        """End the process at once; the thread that talks to it sees its output close."""
        self._process.kill()

    def kill(self) -> None:
        """End the process at once and let go of it; calling it again does nothing."""
        self.stop()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_EXIT_GRACE_S)
        for pipe in self._pipes:
            pipe.close()

    def _await(self, descriptor: int, event: int, deadline: float) -> None:
        left = deadline - time.monotonic()
        if left <= 0 or not _waited(descriptor, event, left):
            raise Late("was silent for too long")

    def _death(self) -> Failed:
        try:
            return ended(self._process.wait(_EXIT_GRACE_S))
        except subprocess.TimeoutExpired:
            return Failed("closed its output")


class Stock:
    """Processes of one command that are kept warm, for any number of threads.

    One that failed is let go, and replaced when the next is needed.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._lock = threading.Lock()
        self._idle: list[Program] = []
        self._busy: set[Program] = set()
        self._owner = os.getpid()
        self._closed = False

    @contextlib.contextmanager
    def taken(self) -> Iterator[Program]:
        """Lend a process that has greeted to the block; it is killed when the block raises.

        Also on Ctrl-C: a process in the middle of something is of no use to anyone. Raises `Failed`
        when none starts.
        """
        program, keep = self._take(), False
        try:
            yield program
            keep = True
        finally:
            with self._lock:
                self._busy.discard(program)
                keep = keep and not self._closed
                if keep:
                    self._idle.append(program)
            if not keep:
                program.kill()

    def close(self) -> None:
        """Kill all processes; whoever talks to one sees it die. Calling again is fine."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
            if self._owner != os.getpid():
                return
            for program in idle:
                program.kill()
            # The pipes of these are in use; the thread that uses them lets go of them.
            for program in self._busy:
                program.stop()

    def pids(self) -> list[int]:
        """Return the process ids, of the idle and the busy."""
        with self._lock:
            return [program.pid for program in (*self._idle, *self._busy)]

    def _take(self) -> Program:
        with self._lock:
            if self._owner != os.getpid():
                # After a fork they belong to the parent process: two must not share one.
                self._idle, self._busy, self._owner = [], set(), os.getpid()
            while self._idle:
                program = self._idle.pop()
                if program.ready():
                    self._busy.add(program)
                    return program
                program.kill()
        program = Program(self._command).greeted(START_LIMIT_S)
        with self._lock:
            if not self._closed:
                self._busy.add(program)
                return program
        program.kill()
        raise Failed("did not start (no more are wanted)")


def _waited(descriptor: int, event: int, seconds: float) -> bool:
    poll = select.poll()
    poll.register(descriptor, event)
    return bool(poll.poll(math.ceil(seconds * 1000)))


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise Failed(f"printed junk: {line[:60]!r}")
    return message


def _environment() -> dict[str, str]:
    # The process finds its modules exactly where this one does: a package that runs from a
    # checkout is found, and a file `z3.py` in the current directory is not.
    path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)  # noqa: PTH109
    return {**os.environ, "PYTHONPATH": path, "PYTHONSAFEPATH": "1"}
