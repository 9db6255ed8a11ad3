"""Asks NVIDIA's CuTe DSL, in a worker process that may crash.

`ask` sends all requests to one worker.  When the worker dies, the request it was busy with is
answered "crashed", and a new worker continues with the next one.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WORKER = Path(__file__).with_name("dsl_worker.py")
SECONDS_TO_START = 60.0
SECONDS_PER_REQUEST = 0.05
MOST_CRASHES = 400


class OracleMissing(RuntimeError):
    """nvidia-cutlass-dsl is not installed, or does not work at all."""


@dataclass(frozen=True)
class Request:
    """One operation of the DSL; `args` hold ints, None, lists and {"layout": [shape, stride]}."""

    op: str
    args: tuple[Any, ...]


@dataclass(frozen=True)
class Answer:
    """Either the DSL's printed result, or how it failed: an error's text, or "crashed"."""

    text: str | None = None
    error: str = ""

    @property
    def crashed(self) -> bool:
        return self.text is None and self.error.startswith("crashed")


def ask(requests: Sequence[Request]) -> list[Answer]:
    """The answers to the requests, in their order.

    Raises OracleMissing when the DSL is not installed or its worker never answers.
    """
    if importlib.util.find_spec("nvidia_cutlass_dsl") is None:
        raise OracleMissing(
            "the oracle tests need nvidia-cutlass-dsl; install the project with its test extra"
        )
    answers: list[Answer] = []
    crashes = 0
    while len(answers) < len(requests):
        got, ending = _one_worker(requests[len(answers) :])
        if not got and not answers and crashes >= 1:
            raise OracleMissing(f"the CuTe DSL's worker answers nothing: {ending}")
        answers += got
        if len(answers) < len(requests):
            answers.append(Answer(error=f"crashed: {ending}"))
            crashes += 1
        if crashes > MOST_CRASHES:
            raise OracleMissing(f"the CuTe DSL crashed {crashes} times, last: {ending}")
    return answers


def _one_worker(requests: Sequence[Request]) -> tuple[list[Answer], str]:
    """What one worker answered before it ended, and how it ended."""
    lines = [
        json.dumps({"id": number, "op": request.op, "args": request.args})
        for number, request in enumerate(requests)
    ]
    process = subprocess.Popen(
        [sys.executable, str(WORKER)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        out, err = process.communicate(
            "\n".join(lines) + "\n", SECONDS_TO_START + SECONDS_PER_REQUEST * len(lines)
        )
        ending = f"exit status {process.returncode}: {err[-500:].strip()}"
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        ending = "out of time"
    answers = []
    for number, line in enumerate(out.splitlines()):
        record = json.loads(line)
        if record["id"] != number:
            raise RuntimeError(f"the worker answered {record['id']} where {number} was due")
        answers.append(Answer(record.get("text"), record.get("error", "")))
    return answers, ending
