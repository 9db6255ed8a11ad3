"""What oracles answered, as data: `make test` compares with it, `pytest --full` asks them again.

The first line of `answers/NAME.jsonl` says who answered, every other one is a question and its
answer. `pytest --record tests/oracle tests/access tests/triton` asks, and writes the files anew.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.full import full, recording

from .dsl import Answer

FOLDER = Path(__file__).with_name("answers")
#: An answer: what was printed, or {"refused": why}.
Json = Any
#: So much is kept of why something was refused, which compilers say in their own words.
WHY = 90


#: Who answers: packages, and the compiler.
DSL = ("nvidia-cutlass-dsl",)
HEADERS = ("nvidia-cutlass", "g++")
TYPES = (
    "nvidia-cuda-runtime-cu12", "nvidia-cuda-nvcc-cu12", "nvidia-cuda-cccl-cu12",
    "nvidia-curand-cu12", "g++",
)  # fmt: skip
COMPILER = ("g++",)


def recorded(
    name: str,
    oracle: Sequence[str],
    questions: Sequence[str],
    ask: Callable[[], Sequence[Json]],
    *,
    part: bool = False,
    again: bool = True,
) -> list[Json]:
    """The answers to the questions, in their order; `ask` has the oracle answer all of them.

    They may be a `part` of those that are written down. With `--full` the oracle is asked `again`,
    and what is in the file must be what it says. Its version is no condition: what another one says
    alike is still so.
    """
    path = FOLDER / f"{name}.jsonl"
    if recording():
        answers = list(ask())
        _write(path, versions(oracle), dict(zip(questions, answers, strict=True)))
        return answers
    who, known = _read(path)
    anew = f"pytest --record tests/oracle tests/access tests/triton writes {path.name} anew"
    if not full() or not again:
        missing = [question for question in questions if question not in known]
        assert not missing, f"{len(missing)} answers are not recorded, as {missing[0]}; {anew}"
        return [known[question] for question in questions]
    answers = list(ask())
    said = dict(zip(questions, answers, strict=True))
    gone = set[str]() if part else known.keys() - said.keys()
    assert not gone, f"{len(gone)} recorded answers are asked for no more, as {min(gone)}; {anew}"
    other = [(q, a, said[q]) for q, a in known.items() if q in said and not _alike(a, said[q])]
    asked = f"{who} answered, {versions(oracle)} answers otherwise"
    assert not other, f"{asked} {len(other)} times, as {other[0]}; {anew}"
    return answers


def versions(oracle: Sequence[str]) -> dict[str, str]:
    """The versions of who answers; fails where somebody is missing."""
    return {name: _compiler() if name == "g++" else version(name) for name in oracle}


def _compiler() -> str:
    path = shutil.which("g++")
    assert path is not None, "g++ is needed to ask the oracles: apt install g++"
    said = subprocess.run([path, "-dumpfullversion"], capture_output=True, text=True, check=True)
    return said.stdout.strip()


def _alike(a: Json, b: Json) -> bool:
    """Whether two answers are the same; why something is refused is said in many ways."""
    refused = [isinstance(x, dict) and "refused" in x for x in (a, b)]
    return all(refused) or a == b


def _write(path: Path, who: dict[str, str], answers: dict[str, Json]) -> None:
    rows = [who, *map(list, answers.items())]
    text = "".join(json.dumps(r, separators=(",", ":"), ensure_ascii=False) + "\n" for r in rows)
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _read(path: Path) -> tuple[dict[str, str], dict[str, Json]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return json.loads(lines[0]), dict(map(json.loads, lines[1:]))


def packed(answer: Answer) -> Json:
    """An answer as data."""
    return answer.text if answer.text is not None else refused(answer.error)


def refused(why: str) -> Json:
    """A refusal as data."""
    return {"refused": " ".join(why.split())[:WHY]}


def unpacked(data: Json) -> Answer:
    """The answer that was written down."""
    return Answer(error=data["refused"]) if isinstance(data, dict) else Answer(data)
