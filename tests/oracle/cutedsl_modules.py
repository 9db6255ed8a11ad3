"""What NVIDIA's DSL traces of the kernels in `cutedsl/`: asked of a worker, and kept packed."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
import zlib
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from .recorded import DSL, recorded, refused

FOLDER = Path(__file__).with_name("cutedsl")
ROOT = Path(__file__).parents[2]
#: How often a case is tried that takes its worker down.
TRIES = 3
#: Where packages lie is another folder on each machine.
PACKAGES = re.compile(r'(?<=")[^"]*/site-packages/')
#: Where the package itself calls the DSL: a line that moves with the package's text.
OURS = re.compile(r'(?<="symcute/)([^"]*"):\d+:\d+')


def modules_of(name: str, cases: Mapping[str, Any]) -> dict[str, Any]:
    """The text of each case's module by its name, or {"refused": why}."""
    answers = recorded(name, DSL, list(cases), lambda: _traced(cases))
    return {
        case: x if isinstance(x, dict) else zlib.decompress(base64.b64decode(x)).decode()
        for case, x in zip(cases, answers, strict=True)
    }


def _traced(cases: Mapping[str, Any]) -> list[Any]:
    """What the DSL makes of each case; a worker that it takes down is started anew behind it.

    What comes after others may go down by what they left, and does so by chance: only a case that
    is the first of its worker each time is refused.
    """
    todo = [json.dumps(asdict(case)) for case in cases.values()]
    answers: list[Any] = []
    crashes = 0
    while len(answers) < len(todo):
        command = [sys.executable, str(FOLDER / "worker.py")]
        text = "\n".join(todo[len(answers) :]) + "\n"
        done = subprocess.run(command, input=text, capture_output=True, text=True)
        told = done.stdout.splitlines()
        answers += [_packed(json.loads(line)) for line in told]
        crashes = 0 if told else crashes + 1
        if crashes == TRIES:
            crashes = 0
            answers.append(refused("the DSL crashed"))
    return answers


def _packed(answer: dict[str, str]) -> Any:
    if "text" not in answer:
        return refused(answer["refused"])
    text = PACKAGES.sub("site-packages/", answer["text"]).replace(f"{ROOT}/", "")
    text = OURS.sub(r"\1:0:0", text)
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()
