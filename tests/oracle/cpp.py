"""Asks NVIDIA's C++ headers (CuTe of CUTLASS), compiled by the host's g++.

`ask` turns C++ expressions into programs, some dozens of expressions in each.  An expression is
evaluated by the compiler, so its value is its type, and the compiler tells it in a warning: nothing
need be linked and run.  A value that is not all in its type is printed by CuTe's own `print`.
A refusal of CuTe is a failed static assertion, thus an error of the whole program; the compiler
names the lines of all of them at once, and the program is compiled again without those.
"""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from .dsl import Answer, OracleMissing

#: The time of g++ grows faster than the length of a program, and a refusal costs its program one
#: more compilation: a failed template is named once, also when several expressions need it.
CASES_PER_PROGRAM = 60
SECONDS_PER_COMPILATION = 1800.0

INCLUDES = """\
#include <cstdio>
#include <cute/layout.hpp>
#include <cute/layout_composed.hpp>
#include <cute/swizzle.hpp>
#include <cute/swizzle_layout.hpp>
"""
PROLOGUE = (
    INCLUDES
    + """\
using namespace cute;
#define P(n, ...) \\
  do { printf("%d ", n); print(decltype(__VA_ARGS__){}); printf("\\n"); } while (0)
template <int n, class T> [[deprecated]] constexpr void type_of() {}
struct Twice {
  template <class T> constexpr auto operator()(T const& value) const {
    return Int<2>{} * value;
  }
};
int main() {
"""
)
#: Without -w, under which g++ 12 is silent on deprecation too.  With -O1 g++ writes half as much as
#: with -O0, as inlined functions go; the parameters let it collect its garbage less often.
OPTIONS = (
    *("-std=c++17", "-O1", "-fmax-errors=0", "-fdiagnostics-plain-output"),
    *("--param=ggc-min-expand=1000", "--param=ggc-min-heapsize=1000000"),
)
#: What g++ says of `type_of<n, T>()`.
_TYPE = re.compile(r"void type_of\(\) \[with int n = (\d+); T = (.*)\][’'] is deprecated")
_PLACE = re.compile(r"program\.cpp:(\d+):\d+:")
_NEEDED = ("cuda_runtime_api.h", "crt/host_defines.h", "cuda/std/utility")


def _cuda_folders() -> list[Path]:
    """The include folders of a CUDA toolkit, else those of NVIDIA's wheels."""
    for root in sorted(Path("/usr/local").glob("cuda*/include"), reverse=True):
        folders = [root, root / "cccl"]
        if all(any((folder / name).exists() for folder in folders) for name in _NEEDED):
            return folders
    spec = importlib.util.find_spec("nvidia")
    places = list(spec.submodule_search_locations or ()) if spec else []
    folders = [path for place in places for path in sorted(Path(place).glob("*/include"))]
    if all(any((folder / name).exists() for folder in folders) for name in _NEEDED):
        return folders
    raise OracleMissing(
        "the C++ oracle needs the CUDA runtime's headers: install a CUDA toolkit, or the project "
        "with its test extra (nvidia-cuda-runtime-cu12, nvidia-cuda-nvcc-cu12, "
        "nvidia-cuda-cccl-cu12)"
    )


@cache
def compiler() -> tuple[str, ...]:
    """The command that compiles a program; raises OracleMissing when a part of it is missing."""
    program = shutil.which("g++")
    if program is None:
        raise OracleMissing("the C++ oracle needs g++; install it (apt install g++)")
    spec = importlib.util.find_spec("cutlass_library")
    places = list(spec.submodule_search_locations or ()) if spec else []
    cutlass = [Path(place) / "source" / "include" for place in places]
    if not any((folder / "cute" / "layout.hpp").exists() for folder in cutlass):
        raise OracleMissing(
            "the C++ oracle needs CUTLASS' headers: install the project with its test extra "
            "(nvidia-cutlass)"
        )
    includes = [f"-I{folder}" for folder in (*cutlass, *_cuda_folders())]
    return (program, *OPTIONS, *includes)


@cache
def _precompiled() -> tuple[TemporaryDirectory[str], str]:
    """The folder of CuTe's headers, compiled once for this process, and their name."""
    folder = TemporaryDirectory(prefix="cute-headers-")
    header = Path(folder.name) / "headers.h"
    header.write_text(INCLUDES)
    done = subprocess.run(
        [*compiler(), "-x", "c++-header", header, "-o", f"{header}.gch"],
        capture_output=True,
        text=True,
        timeout=SECONDS_PER_COMPILATION,
    )
    if done.returncode:
        raise OracleMissing(f"g++ cannot compile CuTe's headers: {done.stderr[-1500:]}")
    return folder, str(header)


def ask(
    calls: Sequence[str], kept: Path | None = None, doubtful: Collection[str] = ()
) -> list[Answer]:
    """The value that CuTe prints for each expression, or its refusal, in their order.

    With `kept`, a file of JSON lines, answers are looked up there first and new ones added.
    The `doubtful` expressions are compiled apart, so that the other programs compile at once.
    Raises OracleMissing when nothing can be compiled.
    """
    known = _read(kept) if kept else {}
    missing = [call for call in dict.fromkeys(calls) if call not in known]
    apart = frozenset(doubtful)
    sure = [call for call in missing if call not in apart]
    unsure = [call for call in missing if call in apart]
    for part in (sure, unsure):
        for start in range(0, len(part), CASES_PER_PROGRAM):
            batch = part[start : start + CASES_PER_PROGRAM]
            answers = _program(batch)
            known.update(zip(batch, answers, strict=True))
            if kept:
                _add(kept, batch, answers)
    return [known[call] for call in calls]


def all_kept(calls: Iterable[str], kept: Path) -> bool:
    """Whether the file has the answers of all these expressions."""
    known = _read(kept)
    return all(call in known for call in calls)


def _add(kept: Path, calls: Sequence[str], answers: Sequence[Answer]) -> None:
    with kept.open("a") as file:
        for call, answer in zip(calls, answers, strict=True):
            file.write(json.dumps([call, answer.text, answer.error]) + "\n")


#: How far a file of kept answers has been read, and its answers.
_KEPT: dict[Path, tuple[int, dict[str, Answer]]] = {}


def _read(kept: Path) -> dict[str, Answer]:
    """The answers in the file; what was read before is not read again."""
    if not kept.exists():
        return {}
    start, known = _KEPT.get(kept, (0, {}))
    with kept.open() as file:
        if file.seek(0, 2) < start:
            start, known = 0, {}
        file.seek(start)
        for line in file.read().splitlines():
            call, text, error = json.loads(line)
            known[call] = Answer(text, error)
        _KEPT[kept] = file.tell(), known
    return dict(known)


def _program(calls: Sequence[str]) -> list[Answer]:
    """The answers to one program's expressions."""
    with TemporaryDirectory() as folder:
        lines = [f"type_of<{n}, decltype({call})>();" for n, call in enumerate(calls)]
        said, refused = _without_refusals(PROLOGUE, lines, Path(folder), "-fsyntax-only")
    answers = {n: Answer(error=why) for n, why in refused.items()}
    for found in _TYPE.finditer(said):
        text = value_of(found[2])
        if text is not None:
            answers.setdefault(int(found[1]), Answer(text))
    others = [n for n in range(len(calls)) if n not in answers]
    if others:
        printing = [f"P({k}, {calls[n]});" for k, n in enumerate(others)]
        printed, why = run_lines(PROLOGUE, printing, lambda number: "")
        for k, n in enumerate(others):
            answers[n] = Answer(error=why[k]) if k in why else Answer(plain(printed[k][0]))
    return [answers[n] for n in range(len(calls))]


def value_of(text: str) -> str | None:
    """A type as CuTe prints its value, without underscores; None if it is not all constants."""
    name, _, rest = text.strip().partition("<")
    name = name.removeprefix("cute::")
    if not rest:
        return "_" if name == "Underscore" else None
    parts = _arguments(rest.rsplit(">", 1)[0])
    if name == "C":
        number = {"true": "1", "false": "0"}.get(parts[0], parts[0])
        return number if re.fullmatch(r"-?\d+", number) else None
    if name == "ScaledBasis":
        modes = reversed(parts[1:])
        first = value_of(parts[0])
        return None if first is None else "@".join((first, *modes))
    if name == "Swizzle":
        return f"Sw<{','.join(parts)}>"
    values = [value_of(part) for part in parts]
    if None in values or name not in ("tuple", "Layout", "ComposedLayout"):
        return None
    words = [word for word in values if word is not None]
    if name == "ComposedLayout":
        return " o ".join(words)
    return ":".join(words) if name == "Layout" else f"({','.join(words)})"


def _arguments(text: str) -> list[str]:
    """The template arguments, split at the commas that are not inside of one."""
    parts, level = [""], 0
    for character in text:
        level += (character == "<") - (character == ">")
        if character == "," and level == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def run_lines(
    prologue: str, lines: Sequence[str], given: Callable[[int], str]
) -> tuple[dict[int, list[str]], dict[int, str]]:
    """Compile and run the prologue, the lines that compile, and `}`.

    Line k prints lines that begin with k; `given(k)` is what it reads.  The result is what each
    line printed, and why the others do not compile.
    """
    with TemporaryDirectory() as folder:
        program = Path(folder) / "program"
        _, refused = _without_refusals(prologue, lines, Path(folder), "-o", str(program))
        run = subprocess.run(
            [program],
            input="\n".join(given(n) for n in range(len(lines)) if n not in refused),
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
    printed: dict[int, list[str]] = {n: [] for n in range(len(lines)) if n not in refused}
    for line in run.stdout.splitlines():
        number, text = line.split(" ", 1)
        printed[int(number)].append(text)
    return printed, refused


def _source(prologue: str, lines: Sequence[str], refused: Collection[int]) -> str:
    kept = ["" if n in refused else line for n, line in enumerate(lines)]
    return prologue + "\n".join(kept) + "\n}\n"


def _without_refusals(
    prologue: str, lines: Sequence[str], folder: Path, *options: str
) -> tuple[str, dict[int, str]]:
    """What the compiler says of the lines that compile, and why the others do not.

    A template that failed for one line is not named again for the next: hence in turns.
    """
    refused: dict[int, str] = {}
    while True:
        done = _compiled(_source(prologue, lines, refused), folder, *options)
        if not done.returncode:
            return done.stderr, refused
        found = _refusals(done.stderr, prologue.count("\n") + 1)
        if not found or not found.keys().isdisjoint(refused):
            raise OracleMissing(f"g++ cannot compile CuTe's headers: {done.stderr[-1500:]}")
        refused.update(found)


def compile_program(source: str, folder: Path) -> str:
    """Compile the source into `folder/program`; what the compiler said if it failed, else ""."""
    done = _compiled(source, folder, "-o", str(folder / "program"))
    return done.stderr if done.returncode else ""


def _compiled(source: str, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    path = folder / "program.cpp"
    path.write_text(source)
    return subprocess.run(
        [*compiler(), "-include", _precompiled()[1], path, *options],
        capture_output=True,
        text=True,
        timeout=SECONDS_PER_COMPILATION,
    )


def _refusals(errors: str, first: int) -> dict[int, str]:
    """The numbers of the expressions that do not compile, with the first error of each."""
    found: dict[int, str] = {}
    number = None
    for line in errors.splitlines():
        place = _PLACE.search(line)
        if place:
            number = int(place.group(1)) - first
        if "error:" in line and number is not None and number >= 0:
            found.setdefault(number, line.split("error:", 1)[1].strip())
    return found


def plain(text: str) -> str:
    """CuTe's text without the underscore that marks a number the compiler knows."""
    return re.sub(r"_(?=-?\d)", "", text)
