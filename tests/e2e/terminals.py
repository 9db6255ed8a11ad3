"""Commands whose standard output or standard error is a terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

__all__ = ["on_a_terminal", "started", "wait_for"]


def on_a_terminal(*args: str, stream: str = "stdout", **environment: str) -> str:
    """Return what the command prints on `stream`, which is a terminal."""
    leader, follower = pty.openpty()
    other = {"stdout": "stderr", "stderr": "stdout"}[stream]
    streams: dict[str, Any] = {stream: follower, other: subprocess.DEVNULL}
    with subprocess.Popen(_command(*args), env=_environment(environment), **streams) as process:
        os.close(follower)
        shown = b""
        while chunk := _read(leader):
            shown += chunk
        process.wait(60)
    os.close(leader)
    return shown.decode()


def started(*args: str, cwd: Path, **options: Any) -> tuple[subprocess.Popen[str], int]:
    """Start a command whose progress is shown on a terminal; return it and the terminal."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        _command(*args),
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=follower,
        text=True,
        env=_environment({"NO_COLOR": "1"}),
        **options,
    )
    os.close(follower)
    return process, leader


def wait_for(leader: int, text: str) -> None:
    """Read from a terminal until it has shown a text."""
    shown = ""
    while text not in shown:
        chunk = _read(leader)
        assert chunk, f"the command ended without {text!r}: {shown}"
        shown += chunk.decode(errors="replace")


def _command(*args: str) -> list[str]:
    return [sys.executable, "-m", "symcute", *args]


def _environment(more: dict[str, str]) -> dict[str, str]:
    hidden = ("NO_COLOR", "TERM", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "SYMCUTE_DEBUG")
    inherited = {k: v for k, v in os.environ.items() if k not in hidden}
    return {**inherited, "TERM": "xterm-256color", **more}


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:  # the other end is closed
        return b""
