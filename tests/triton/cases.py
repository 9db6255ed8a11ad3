"""The Triton kernels under kernels/, read on their own: how they are launched, and what is true.

The notes above a kernel are those of CUDA kernels, with `#` for `//`, and say types and constants:

    # symcute: type x, y = *fp32
    # symcute: constexpr BLOCK = 64
    # symcute: launch grid=(ceil_div(n,BLOCK))
    # truth: in_bounds=no                     what is not so; everything else is
    # run: n=2147483647 programs=0;33554431   one execution besides the usual ones
    # run: n=8 idx[0]=8
    # symcute: offset x = n - 1               what x points to, in elements of what is stored
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from itertools import product
from math import prod
from pathlib import Path
from random import Random
from typing import Any

from symcute.expr.parser import parse
from tests.access.cases import _names, value

KERNELS = Path(__file__).parent / "kernels"
PROPERTIES = (
    "in_bounds", "write_race_free", "read_write_race_free", "no_overflow", "aligned",
)  # fmt: skip
#: What only some kernels are asked for, and how they say that they promise something.
MORE = ("covers", "implements", "promises_kept")
_PROMISE = re.compile(r"tl\.(assume|device_assert|multiple_of|max_con|make_tensor_d)|\bassert ")
#: Values that dims take in the usual executions, those that make tails and those that do not.
SIZES = (1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 96, 100, 127, 128, 129,
         192, 256, 257)  # fmt: skip
#: What a usual execution may have: programs, and the product of its dims.
MOST_PROGRAMS, MOST_WORK = 160, 60_000
HOW = ("random", "low", "high", "rising")


@dataclass(frozen=True)
class Run:
    """One execution: the dims, the programs that run (None: all), and what arrays hold."""

    dims: Mapping[str, int]
    programs: tuple[tuple[int, ...], ...] | None = None
    cells: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    how: str = "random"


@dataclass(frozen=True, eq=False)
class Case:
    """A kernel of ours with its setting and what is true of it."""

    file: Path
    name: str
    types: Mapping[str, str]
    constants: Mapping[str, Any]
    grid: tuple[str, ...]
    arguments: Mapping[str, str]
    extents: Mapping[str, str]
    offsets: Mapping[str, str]
    contents: Mapping[str, tuple[str, str]]
    alignment: Mapping[str, int]
    assumed: tuple[str, ...]
    written: tuple[tuple[str, str, str], ...]
    truth: Mapping[str, bool]
    runs: tuple[Run, ...]
    source: str = field(repr=False)  # of the kernel, and of what it may call
    line: int

    @property
    def label(self) -> str:
        return f"{self.file.stem}.{self.name}"

    @property
    def digest(self) -> str:
        """A name for what Triton is given."""
        given = [self.line, sorted(self.types.items()), sorted(map(str, self.constants.items()))]
        return sha256(f"{given} {self.source}".encode()).hexdigest()[:12]

    def dims(self) -> list[str]:
        """The names of the dims, those of the parameters first."""
        own = [self.arguments.get(n, n) for n, kind in self.types.items() if is_int(kind)]
        found: dict[str, None] = {}
        for text in [*own, *self.grid, *self.extents.values()]:
            found.update(dict.fromkeys(sorted(_names(parse(text)))))
        return [n for n in found if n not in self.constants]

    def value(self, text: str, dims: Mapping[str, int]) -> int:
        constants = {k: v for k, v in self.constants.items() if isinstance(v, int)}
        return value(text, constants | dict(dims))

    def admits(self, dims: Mapping[str, int]) -> bool:
        """Whether the dims meet the assumptions, and the arguments their types."""
        if not all(self.value(text, dims) for text in self.assumed):
            return False
        for name, kind in self.types.items():
            if is_int(kind):
                held = self.value(self.arguments.get(name, name), dims)
                bits, signed = int(kind[1:]), kind[0] == "i"
                low = -(1 << bits - 1) if signed else 0
                if not low <= held < low + (1 << bits):
                    return False
        return True

    def launch(self, dims: Mapping[str, int]) -> list[int]:
        return [self.value(t, dims) for t in (*self.grid, "1", "1")[:3]]

    def usual_runs(self, count: int, seed: int = 0) -> list[Run]:
        """Executions of all programs at small dims, which meet the assumptions."""
        names, random = self.dims(), Random(f"{self.label} {seed}")
        found: list[Run] = []
        for dims in _samples(names, random):
            if len(found) == count:
                break
            if prod(dims.values()) > MOST_WORK or not self.admits(dims):
                continue
            extents = [self.value(t, dims) for t in self.extents.values()]
            grid = self.launch(dims)
            if all(0 <= e <= 1 << 22 for e in extents) and min(grid) > 0:
                some = None if prod(grid) <= MOST_PROGRAMS else _ends(grid)
                found.append(Run(dims, some, how=HOW[len(found) % len(HOW)]))
            if not names:
                break
        return found

    def question(self, run: Run) -> str:
        """What the judge is asked: everything as numbers."""
        assert self.admits(run.dims), (self.label, run.dims)
        arrays = {
            name: {
                "type": self.types[name].removeprefix("*"),
                "size": self.value(text, run.dims),
                "align": self.alignment.get(name, element_bytes(self.types[name])),
                "offset": self.value(self.offsets.get(name, "0"), run.dims),
            }
            for name, text in self.extents.items()
        }
        for name, (low, high) in self.contents.items():
            arrays[name]["contents"] = [self.value(low, run.dims), self.value(high, run.dims) + 1]
        for name, cells in run.cells.items():
            arrays[name]["cells"] = dict(cells)
        numbers: dict[str, list[Any]] = {}
        for name, kind in self.types.items():
            if is_int(kind):
                numbers[name] = [kind, self.value(self.arguments.get(name, name), run.dims)]
            elif not kind.startswith("*"):
                numbers[name] = [kind, 0.5]
        covers = []
        for kind, array, layout in self.written:
            covers.append([kind, array, self._layout(layout, run.dims) if layout else None])
        return json.dumps({
            "file": self.file.name if self.file.parent == KERNELS else str(self.file),
            "kernel": self.name, "grid": self.launch(run.dims),
            "constexprs": self.constants, "numbers": numbers, "arrays": arrays, "covers": covers,
            "programs": run.programs, "how": run.how,
        }, separators=(",", ":"))  # fmt: skip

    def _layout(self, text: str, dims: Mapping[str, int]) -> list[list[int]]:
        return [[self.value(t, dims) for t in _extents(part)] for part in text.split(":")]


def element_bytes(pointer: str) -> int:
    """Bytes of what a pointer points to; its array is as aligned, unless a note says otherwise."""
    bits = 8 if pointer.startswith("*fp8") else int("".join(c for c in pointer if c.isdigit()))
    return max(bits // 8, 1)


def is_int(kind: str) -> bool:
    return kind[0] in "iu" and kind[1:].isdigit()


def _ends(grid: list[int]) -> tuple[tuple[int, ...], ...]:
    corners = product(*(sorted({0, 1 % n, n // 2, n - 1}) for n in reversed(grid)))
    return tuple((i, j, k) for k, j, i in corners)


def _samples(names: list[str], random: Random) -> Iterator[dict[str, int]]:
    if len(names) <= 1:
        yield from (dict.fromkeys(names, k) for k in random.sample(SIZES, len(SIZES)))
        return
    small = [k for k in SIZES if k <= 8]
    for k in range(6000):
        yield {n: random.choice((SIZES, small, SIZES[:20])[k % 3]) for n in names}


@cache
def cases() -> tuple[Case, ...]:
    """All kernels, in the order of their files."""
    return tuple(case for file in sorted(KERNELS.glob("*.py")) for case in read(file))


def read(file: Path) -> list[Case]:
    """The kernels of a file: its functions with notes above them."""
    text = file.read_text(encoding="utf-8")
    lines, found, helpers = text.splitlines(), [], ""
    for node in ast.parse(text).body:
        if not isinstance(node, ast.FunctionDef) or not node.decorator_list:
            continue
        first = node.decorator_list[0].lineno - 1
        start = first
        while start and (lines[start - 1].startswith("#") or not lines[start - 1]):
            start -= 1
        notes = [line.removeprefix("#").strip() for line in lines[start:first]]
        if any(note.startswith("symcute:") for note in notes):
            found.append(_case(file, node, notes, helpers + ast.unparse(node)))
        else:
            helpers += ast.unparse(node)
    return found


def _case(file: Path, node: ast.FunctionDef, notes: list[str], source: str) -> Case:
    said: dict[str, dict[str, str]] = {k: {} for k in ("arg", "extent", "offset", "align")}
    types: dict[str, str] = {}
    constants: dict[str, Any] = {}
    contents: dict[str, tuple[str, str]] = {}
    assumed, written, runs, grid = [], [], [], ""
    truth = dict.fromkeys(PROPERTIES, True)
    for a, default in zip(reversed(node.args.args), reversed(node.args.defaults), strict=False):
        constants[a.arg] = ast.literal_eval(default)
    for note in notes:
        kind, _, rest = note.partition(":")
        rest = rest.strip()
        if kind == "truth":
            for word in rest.split():
                name, _, yes = word.partition("=")
                assert name in (*PROPERTIES, *MORE) and yes in ("yes", "no"), (file, note)
                truth[name] = yes == "yes"
        elif kind == "run":
            runs.append(_run(rest))
        elif kind == "symcute":
            word, _, rest = rest.partition(" ")
            name, _, text = (part.strip() for part in rest.partition("="))
            if word == "launch":
                grid = text
            elif word == "assume":
                assumed.append(rest)
            elif word == "type":
                types.update(dict.fromkeys(re.split(r"\s*,\s*", name), text))
            elif word == "constexpr":
                constants[name] = ast.literal_eval(text)
            elif word in said:
                said[word][name] = text
            elif word == "contents":
                name, _, text = (part.strip() for part in rest.partition(" in "))
                low, high = text[1:-1].split(",")
                last = f"({high.strip()}) - 1" if text[-1] == ")" else high.strip()
                contents[name] = (low.strip(), last)
            else:
                assert word in ("covers", "implements"), (file, note)
                written.append((word, name, text))
                truth.setdefault(word, True)
    if _PROMISE.search(source):
        truth.setdefault("promises_kept", True)
    alignment = {k: int(v) for k, v in said["align"].items()}
    return Case(
        file, node.name, types, constants, _extents(grid), said["arg"], said["extent"],
        said["offset"], contents, alignment, tuple(assumed), tuple(written), truth, tuple(runs),
        source, node.lineno,
    )  # fmt: skip


def _extents(text: str) -> tuple[str, ...]:
    """`(a,b)` to its parts; commas inside brackets do not count."""
    parts, level = [""], 0
    for c in text.strip()[1:-1]:
        level += (c == "(") - (c == ")")
        if c == "," and level == 0:
            parts.append("")
        else:
            parts[-1] += c
    return tuple(part.strip() for part in parts)


def _run(text: str) -> Run:
    dims: dict[str, int] = {}
    programs, how = None, "random"
    cells: dict[str, dict[int, int]] = {}
    for word in text.split():
        name, _, what = word.partition("=")
        if name == "programs":
            found = [tuple(int(k) for k in at.split(",")) for at in what.split(";")]
            programs = tuple((*at, 0, 0)[:3] for at in found)
        elif name == "how":
            how = what
        elif "[" in name:
            array, _, element = name.removesuffix("]").partition("[")
            cells.setdefault(array, {})[int(element)] = int(what)
        else:
            dims[name] = value(what, {})
    return Run(dims, programs, cells, how)
