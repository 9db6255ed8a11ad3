"""Kernels compiled for the CPU by g++ and executed there, every access recorded.

The compiler's own instrumentation (`-fsanitize=thread` and that of undefined behaviour) says what
is accessed; host/runtime.cpp stands in for its libraries. Nothing of symcute reads kernels here.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import re
import shutil
import struct
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from tempfile import gettempdir
from typing import NamedTuple

from symcute.frontends.llvm.compiling import compiler as compiler_of_llvm
from tests.access.cases import MOST_TABLE, Case, Parameter, Run, read, value

HOST = Path(__file__).parent / "host"
KINDS = ("read", "write", "atomic")
STATUS = ("done", "too many accesses", "crashed", "too long")
EVENTS = {1: "overflow", 2: "shift", 3: "division", 4: "index", 5: "exited", 6: "elsewhere"}
MOST_RECORDS = 100_000
#: Numbers that an array is given at the start; behind them it is 0.
MOST_CONTENTS = 5000
_COMPILE = ("-std=c++17", "-O0", "-g", "-w", "-fno-pie", "-iquote", str(HOST))
_INSTRUMENT = (
    "-fsanitize=thread",
    "-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero,bounds",
)


class Record(NamedTuple):
    """One access, by the line it stands in."""

    array: str
    kind: str
    offset: int
    width: int
    block: int  # blocks and threads by their number
    thread: int
    epoch: int
    warp: int
    grid: int
    line: int


class Event(NamedTuple):
    """Something that C leaves undefined, or a barrier that not all threads reach."""

    kind: str
    line: int
    column: int
    block: int
    thread: int


@dataclass(frozen=True)
class Execution:
    """What a run left behind. `status` is "done" where every thread came to its end."""

    status: str
    records: list[Record]
    events: list[Event]


def compiler() -> str | None:
    return shutil.which("g++")


@dataclass(frozen=True)
class Static:
    """A static variable: shared or constant memory."""

    function: str
    name: str
    address: int
    size: int


class Program:
    """The kernels of one file, compiled; kept in a folder of the system for the next time."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.cases = read(file)
        self.path = _build(file, self.cases)
        self.statics = _statics(self.path)
        self._lines: dict[int, int] = {}

    def run(self, case: Case, runs: Sequence[Run], records: int = MOST_RECORDS) -> list[Execution]:
        """Execute a kernel several times, each until so many accesses are recorded."""
        statics = " ".join(f"{s.address} {s.size}" for s in self.statics)
        jobs = [f"{len(self.statics)} {statics}"]
        jobs += [self._job(case, r, records) for r in runs]
        done = subprocess.run(
            [self.path],
            input="\n".join(jobs).encode(),
            capture_output=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, (done.returncode, done.stderr[-500:])
        return self._read(done.stdout, case, runs)

    def _job(self, case: Case, run: Run, records: int) -> str:
        dims = run.dims
        grid, block = case.launch(dims)
        words: list[object] = [
            [c.name for c in self.cases].index(case.name),
            *grid,
            *block,
            records,
        ]
        words.append(int("this_grid()" in case.body))
        arrays = [p for p in case.parameters if p.pointer]
        words.append(len(arrays))
        for p in arrays:
            content = contents(case, p, run)
            width = p.element // p.parts[0]
            words += [width, int(p.integer is None), len(content), *content]
        words += _arguments(case, dims, [p.name for p in arrays])
        shared = [s for s in self.statics if s.function]
        words += [len(shared), *(w for s in shared for w in (s.address, s.size))]
        for chosen in (run.blocks, run.threads):
            words += [-1] if chosen is None else [len(chosen), *(k for at in chosen for k in at)]
        return " ".join(map(str, words))

    def _read(self, output: bytes, case: Case, runs: Sequence[Run]) -> list[Execution]:
        region, slot, dynamic, dynamic_size = struct.unpack_from("<4Q", output)
        arrays = [p.name for p in case.parameters if p.pointer]

        def where(address: int) -> tuple[str, int]:
            if region <= address < region + 16 * slot:
                # Beyond the last array is far behind it.
                number = min((address - region) // slot, len(arrays) - 1)
                return arrays[number], address - region - number * slot - slot // 2
            if dynamic <= address < dynamic + dynamic_size:
                return "dynamic", address - dynamic - dynamic_size // 2
            static = self._static(address)
            return static.name, address - static.address

        at, found = 32, []
        for _ in runs:
            status, n_records, n_events = struct.unpack_from("<3Q", output, at)
            at += 24
            raw = list(struct.iter_unpack("<Q8I", output[at : at + 40 * n_records]))
            at += 40 * n_records
            events = list(struct.iter_unpack("<6I", output[at : at + 24 * n_events]))
            at += 24 * n_events
            self._resolve({r[1] for r in raw})
            records = []
            for address, place, *rest, width, kind in raw:
                name, offset = where(address)
                line = self._lines[place]
                records.append(Record(name, KINDS[kind], offset, width, *rest, line))
            said = [Event(EVENTS[k], line, column, b, t) for k, line, column, b, t, _ in events]
            found.append(Execution(STATUS[status], records, said))
        return found

    def _static(self, address: int) -> Static:
        """The array whose 64 KiB an address is in, or that behind it if it is nearer."""
        return max(
            (s for s in self.statics if s.address - 8192 <= address), key=lambda s: s.address
        )

    def _resolve(self, places: set[int]) -> None:
        """Find the lines of some return addresses."""
        new = sorted(places - self._lines.keys())
        if not new:
            return
        said = subprocess.run(
            ["addr2line", "-e", self.path], input="\n".join(hex(p - 1) for p in new),
            capture_output=True, text=True, check=True,
        ).stdout.splitlines()  # fmt: skip
        for place, text in zip(new, said, strict=True):
            line = re.search(r":(\d+)", text)
            self._lines[place] = int(line[1]) if line else 0


def contents(case: Case, p: Parameter, run: Run) -> list[int]:
    """What an array of parameters holds at the start, as integers: within its range, and varied.

    But where the run says what it holds.
    """
    found = _varied(case, p, run.dims)
    for (name, k), number in run.cells.items():
        if name == p.name and k < MOST_CONTENTS:
            found += [0] * (k + 1 - len(found))
            found[k] = number
    return found


def _varied(case: Case, p: Parameter, dims: Mapping[str, int]) -> list[int]:
    if p.name not in case.extents:
        return []
    count = min(value(case.extents[p.name], dims) * p.parts[0], MOST_CONTENTS)
    if p.name not in case.contents:
        below = 5 if p.integer is None or p.integer[1] else 0
        return [(k * 7 + 3) % 11 - below for k in range(count)]
    low, high = (value(t, dims) for t in case.contents[p.name])
    if p.name in case.tables and value(case.extents[p.name], dims) <= MOST_TABLE:
        return _whole(case, p.name, case.tables[p.name], dims, low, high)
    return [low + k * 40503 % (high - low + 1) for k in range(count)]


def _whole(
    case: Case, name: str, kind: str, dims: Mapping[str, int], low: int, high: int
) -> list[int]:
    """What a table holds of which more is said than a range: drawn, but always alike."""
    count = value(case.extents[name], dims)
    random = Random(f"{case.label} {sorted(dims.items())}")
    if kind == "increasing":
        between = sorted(random.randint(low, high) for _ in range(count - 2))
        return [low, *between, high][-count:]
    found = random.sample(range(low, high + 1), count)
    return found if kind == "distinct" else [found.index(k) for k in range(count)]


def _arguments(case: Case, dims: Mapping[str, int], arrays: list[str]) -> list[object]:
    groups: list[list[Parameter]] = []
    for p in case.parameters:
        if p.struct and groups and groups[-1][0].struct == p.struct:
            groups[-1].append(p)
        else:
            groups.append([p])
    words: list[object] = [len(groups)]
    for group in groups:
        if group[0].struct:
            fields, offset, widest = [], 0, 1
            for p in group:
                offset += -offset % p.size
                number = arrays.index(p.name) if p.pointer else case.argument(p, dims)
                fields += [offset, p.size, int(p.pointer), number]
                offset, widest = offset + p.size, max(widest, p.size)
            words += [2, offset + -offset % widest, len(group), *fields]
        elif group[0].pointer:
            words += [1, arrays.index(group[0].name)]
        else:
            words += [0, case.argument(group[0], dims) if group[0].integer else 2]
    return words


# --- compiling ----------------------------------------------------------------------------------

#: Headers of CuTe, which bring those of CUDA and with them its types.
_CUTE = re.compile(r"^#include <cute/.*$", re.MULTILINE)
_DYNAMIC = re.compile(r"extern __shared__ ((?:__align__\(\d+\) )?)([\w ]+?) (\w+)\[\];")


def _source(file: Path, cases: list[Case]) -> str:
    text = _DYNAMIC.sub(r"\2 *\3 = (\2 *)host_dynamic();", file.read_text(encoding="utf-8"))
    text = re.sub(r"^#include <(cuda|cooperative)[^>]*>", "", text, flags=re.MULTILINE)
    entries = "".join(
        f'  {{"{c.name}", [](Arguments &a) {{ call(&{c.name}'
        f"{f'<{c.template}>' if c.template else ''}, a); }}}},\n"
        for c in cases
    )
    first = "".join(f"{line}\n" for line in _CUTE.findall(text))
    if first:
        text = _CUTE.sub("", text)
        first += "#define HOST_HAS_TYPES\n"
    return (
        f'{first}#include "machine.h"\n#line 1 "{file.name}"\n{text}\n'
        f"extern const Entry entries[] = {{\n{entries}}};\n"
    )


def _build(file: Path, cases: list[Case]) -> Path:
    source = _source(file, cases)
    parts = [source, *(p.read_text(encoding="utf-8") for p in sorted(HOST.iterdir()))]
    parts.append(inspect.getsource(_build))
    key = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
    folder = Path(gettempdir()) / f"symcute-host-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    assert folder.stat().st_uid == os.getuid(), f"{folder} belongs to somebody else"
    path = folder / f"{file.stem}-{key}"
    if not path.exists():
        of_machine = hashlib.sha256("\0".join(parts[1:]).encode()).hexdigest()[:16]
        runtime = folder / f"runtime-{of_machine}.o"
        if not runtime.exists():
            _compile(["-c", str(HOST / "runtime.cpp")], runtime)
        # Another process may be at the same file.
        unit = folder / f"{path.name}.{os.getpid()}.cpp"
        unit.write_text(source, encoding="utf-8")
        object_ = unit.with_suffix(".o")
        headers = [f"-I{h}" for h in compiler_of_llvm().headers] if _CUTE.search(source) else []
        _compile([*_INSTRUMENT, *headers, "-c", str(unit)], object_)
        # The machine first: none of its variables may lie behind the last array of the kernels.
        _compile(["-no-pie", str(runtime), str(object_)], path)
        object_.unlink()
        unit.unlink()
    return path


def _compile(words: list[str], to: Path) -> None:
    program = compiler()
    assert program is not None, "g++ is needed (apt install g++)"
    # Under a name of this process until it is whole.
    new = f"{to}.{os.getpid()}"
    done = subprocess.run(
        [program, *_COMPILE, *words, "-o", new], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    Path(new).rename(to)


def _statics(path: Path) -> list[Static]:
    said = subprocess.run(
        ["nm", "-S", "-C", path], capture_output=True, text=True, check=True
    ).stdout
    found = []
    for line in said.splitlines():
        m = re.match(r"(\w+) (\w+) [bBdDuVv] (.*)$", line)
        if m and int(m[1], 16) % 65536 == 0 and "@" not in m[3]:
            function, _, name = m[3].rpartition("::")
            found.append(Static(function, name, int(m[1], 16), int(m[2], 16)))
    return found


@cache
def program(file: Path) -> Program:
    """The program of a file, compiled once."""
    return Program(file)


def execute(case: Case, runs: Sequence[Run]) -> list[Execution]:
    """Execute a kernel on the CPU."""
    return program(case.file).run(case, runs)
