"""Commands run as children of a process that has loaded symcute already.

Most of what a small command costs is loading the package and the grammar. Here one server loads all
of it once and forks for each command: the child has a working directory, an environment and streams
of its own, runs `symcute.cli.main` and exits as the command does.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import select
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
#: What commands load, so that no child has to.
LOADED = (
    "rich.console", "rich.table", "symcute.kernel.checking",
    "symcute.kernel.launch.project",
    "symcute.cli", "symcute.claims.language", "symcute.prover", "symcute.prover.suggestion",
    "symcute.report.html", "symcute.report.pictures", "symcute.report.terminal",
    "symcute.prover.theorems",
)  # fmt: skip


def load() -> None:
    """Load what commands need; the first expression makes the parser."""
    for name in LOADED:
        importlib.import_module(name)
    importlib.import_module("symcute.claims.language").evaluate(
        "guarded_divide((K,9):(9,1), (2,3))"
    )


def serve() -> None:
    """Read a job a line, run it in a child, and answer with its exit code."""
    load()
    gc.freeze()
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            _become(json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def _become(job: dict[str, Any]) -> None:
    """Run a command in this process, as if it had been started for it."""
    os.chdir(job["folder"])
    os.environ.clear()
    os.environ.update(job["environment"])
    for stream, path in enumerate(job["streams"]):
        opened = os.open(path, os.O_RDONLY if stream == 0 else os.O_WRONLY)
        os.dup2(opened, stream)
        os.close(opened)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.argv = ["symcute", *job["args"]]
    try:
        importlib.import_module("symcute.cli").main(job["args"])
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)  # taking down all that was loaded would take longer than most commands


def surroundings() -> dict[str, str]:
    """Return the environment without what changes the output of every command."""
    return {k: v for k, v in os.environ.items() if k not in ("SYMCUTE_DEBUG", "FORCE_COLOR")}


class Forks:
    """The server, and what its children said."""

    def __init__(self) -> None:
        self.server = subprocess.Popen(
            [sys.executable, "-c", "from tests.e2e.forks import serve; serve()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**surroundings(), "PYTHONPATH": str(ROOT)},
        )

    def run(
        self, args: Sequence[str], folder: Path, text: str = "", **environment: str
    ) -> tuple[int, str, str]:
        """Run `symcute ARGS...` in a folder; return its exit code, its output and its errors.

        `text` is its standard input, `environment` what is added to ours.
        """
        with TemporaryDirectory() as made:
            streams = [Path(made, name) for name in ("in", "out", "err")]
            for path, content in zip(streams, (text, "", ""), strict=True):
                path.write_text(content, encoding="utf-8")
            job = {"args": args, "folder": str(folder), "streams": list(map(str, streams))}
            code = self._done(job | {"environment": surroundings() | environment})
            return code, streams[1].read_text("utf-8"), streams[2].read_text("utf-8")

    def _done(self, job: dict[str, Any]) -> int:
        """Hand the server a job, and return the exit code."""
        assert self.server.stdin and self.server.stdout
        self.server.stdin.write(json.dumps(job) + "\n")
        self.server.stdin.flush()
        if not select.select([self.server.stdout], [], [], 120)[0]:
            self.server.kill()
            raise TimeoutError(f"symcute {' '.join(job['args'])} took more than 120 s")
        return int(self.server.stdout.readline())

    def close(self) -> None:
        """End the server."""
        assert self.server.stdin
        self.server.stdin.close()
        self.server.wait(10)
