"""Commands run as children of a process that has loaded symcute already.

A page of the documentation runs many commands, and most of what each costs is loading SymPy and the
grammar. Here one server loads everything once and forks for each command: the child has a working
directory and streams of its own, runs `symcute.cli.main` and exits as the command does.
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
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
#: What commands load, so that no child has to.
LOADED = (
    "rich.console", "rich.table", "sympy", "symcute.kernel.checking",
    "symcute.kernel.launch.project",
    "symcute.cli", "symcute.claims.language", "symcute.prover", "symcute.prover.suggestion",
    "symcute.report.html", "symcute.report.pictures", "symcute.report.terminal",
    "symcute.expr.symbols", "symcute.prover.theorems",
)  # fmt: skip


def load() -> None:
    """Load what commands need; the first expression makes the parser, and wakes SymPy."""
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
    for stream, path in enumerate((os.devnull, job["out"], job["err"])):
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


class Forks:
    """The server, and what its children said."""

    def __init__(self) -> None:
        clean = {k: v for k, v in os.environ.items() if k not in ("SYMCUTE_DEBUG", "FORCE_COLOR")}
        self.server = subprocess.Popen(
            [sys.executable, "-c", "from tests.e2e.forks import serve; serve()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**clean, "PYTHONPATH": str(ROOT)},
        )

    def run(self, args: list[str], folder: Path, streams: Path) -> tuple[int, str, str]:
        """Run `symcute ARGS...` in a folder; return its exit code, its output and its errors."""
        assert self.server.stdin and self.server.stdout
        out, err = streams / "out", streams / "err"
        for path in (out, err):
            path.write_text("")
        job = {"args": args, "folder": str(folder), "out": str(out), "err": str(err)}
        self.server.stdin.write(json.dumps(job) + "\n")
        self.server.stdin.flush()
        if not select.select([self.server.stdout], [], [], 120)[0]:
            self.server.kill()
            raise TimeoutError(f"symcute {' '.join(args)} took more than 120 s")
        return int(self.server.stdout.readline()), out.read_text("utf-8"), err.read_text("utf-8")

    def close(self) -> None:
        """End the server."""
        assert self.server.stdin
        self.server.stdin.close()
        self.server.wait(10)
