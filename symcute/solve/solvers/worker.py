"""One worker process seen from our side: started, spoken to within a deadline, killed."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Sequence

from symcute.solve.solvers.serve import MEMORY_REASON

__all__ = ["START_LIMIT_S", "Late", "Worker", "WorkerFailed"]

#: Seconds a worker has for its start (the import of its solver).
START_LIMIT_S = 20.0

_LONGEST_LINE = 64 * 2**20
_CHUNK = 2**16
_EXIT_GRACE_S = 0.2
_MEMORY_EXIT = 101  # the exit code of Z3 when it cannot go on without memory


class WorkerFailed(Exception):
    """The worker did not answer as agreed; the text is the reason, fit for an `Answer`."""


class Late(WorkerFailed):
    """The worker did not answer in time."""


class Worker:
    """A solver process that is told one JSON object a line and answers one a line.

    The worker has a session of its own, so Ctrl-C in the terminal reaches us and not the worker;
    whoever holds the worker kills it.
    """

    def __init__(self, command: Sequence[str], start_limit: float = START_LIMIT_S) -> None:
        """Start the worker and wait for its greeting.

        Raises `WorkerFailed` when it does not start, or says something else.
        """
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                start_new_session=True,
                env=_environment(),
            )
        except OSError as error:
            raise WorkerFailed(f"solver did not start ({error})") from error
        if self._process.stdin is None or self._process.stdout is None:
            raise WorkerFailed("solver did not start (no pipes)")
        self._in = self._process.stdin.fileno()
        self._out = self._process.stdout.fileno()
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)
        try:
            greeting = self._exchange(b"", time.monotonic() + start_limit)
        except Late as error:
            self.kill()
            raise WorkerFailed(f"solver did not start within {start_limit:g} s") from error
        except BaseException:
            self.kill()
            raise
        version = greeting.get("version")
        if not isinstance(version, str):
            self.kill()
            raise WorkerFailed("solver printed junk instead of its greeting")
        self.version = version

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def ready(self) -> bool:
        """Say whether the process runs and has nothing to say without being asked."""
        if self._process.poll() is not None:
            return False
        with selectors.DefaultSelector() as selector:
            selector.register(self._out, selectors.EVENT_READ)
            return not selector.select(0)

    def ask(self, request: dict[str, object], deadline: float) -> dict[str, object]:
        """Send one object and return the one that answers it.

        `deadline` is on the clock of `time.monotonic`. After any exception the worker is of no
        more use. Raises `Late` past the deadline, `WorkerFailed` when the worker died or what
        came is not one JSON object in one line.
        """
        return self._exchange((json.dumps(request) + "\n").encode("ascii"), deadline)

    def stop(self) -> None:
        """End the process at once; the thread that talks to it sees its output close."""
        self._process.kill()

    def kill(self) -> None:
        """End the process at once and let go of it; calling it again does nothing."""
        self.stop()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_EXIT_GRACE_S)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _exchange(self, data: bytes, deadline: float) -> dict[str, object]:
        unsent = memoryview(data)
        received = bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(self._out, selectors.EVENT_READ)
            if unsent:
                selector.register(self._in, selectors.EVENT_WRITE)
            while not received.endswith(b"\n"):
                left = deadline - time.monotonic()
                if left <= 0:
                    raise Late("timeout")
                for key, _ in selector.select(left):
                    if key.fd == self._in:
                        unsent = unsent[self._write(unsent) :]
                        if not unsent:
                            selector.unregister(self._in)
                    else:
                        received += self._read()
                        if len(received) > _LONGEST_LINE:
                            raise WorkerFailed("solver printed an endless line")
        if unsent:
            raise WorkerFailed("solver printed junk before it had read the query")
        return _parsed(bytes(received))

    def _write(self, data: memoryview) -> int:
        try:
            return os.write(self._in, data[:_CHUNK])
        except BlockingIOError:
            return 0
        except BrokenPipeError:
            raise self._death() from None

    def _read(self) -> bytes:
        try:
            data = os.read(self._out, _CHUNK)
        except BlockingIOError:
            return b""
        if not data:
            raise self._death()
        return data

    def _death(self) -> WorkerFailed:
        try:
            code = self._process.wait(_EXIT_GRACE_S)
        except subprocess.TimeoutExpired:
            return WorkerFailed("solver closed its output")
        if code == _MEMORY_EXIT:
            return WorkerFailed(MEMORY_REASON)
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return WorkerFailed(f"solver died ({how})")


def _parsed(line: bytes) -> dict[str, object]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise WorkerFailed(f"solver printed junk: {line[:60]!r}")
    return message


def _environment() -> dict[str, str]:
    # The worker finds its modules exactly where this process does: a package that runs from a
    # checkout is found, and a file `z3.py` in the current directory is not.
    path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)  # noqa: PTH109
    return {**os.environ, "PYTHONPATH": path, "PYTHONSAFEPATH": "1"}
