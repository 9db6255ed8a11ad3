"""What the text of a contract says of a launch, and executions of launches that meet it.

Only the printed lines are read, and the arithmetic is Python's: nothing of how lines were found.
"""

from __future__ import annotations

import ast
import operator
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import Any

from symcute.errors import InputError
from symcute.kernel.findings import Example
from symcute.kernel.ir.interpreter import Choice, Trace, run
from symcute.kernel.ir.program import Int, Kernel
from symcute.kernel.ir.setting import Setting

AXES = [f"{name}Dim.{axis}" for name in ("grid", "block") for axis in "xyz"]
#: An array has fewer bytes than addresses reach.
ADDRESSES = 1 << 62
_NUMEL = re.compile(r"numel\((\w+)\) >= (.*)")
_ALIGNED = re.compile(r"(\w+) at a multiple of (\d+) bytes")
_CONTENTS = re.compile(r"0 <= (\w+)\[i\] < (\w+) for all i read")
_AXIS = re.compile(r"((?:block|grid)Dim\.[xyz]) (==|<=) (\d+)")
_OPERATORS: dict[type, Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
    ast.LtE: operator.le, ast.GtE: operator.ge, ast.Eq: operator.eq,
}  # fmt: skip
_FUNCTIONS: dict[str, Callable[..., int]] = {
    "ceil_div": lambda a, b: -(-a // b), "min": min, "max": max,
}  # fmt: skip
#: Which property an event of an execution is about.
_FAULTS = {"in_bounds": {"bounds", "pointer"}, "aligned": {"misaligned"},
           "no_overflow": {"division", "shift"}}  # fmt: skip


def worth(text: str, at: Mapping[str, int]) -> int:
    """Return what a line or a part of one comes to, in whole numbers."""
    return _value(ast.parse(re.sub(r"\bfrom\b", "from_", text), mode="eval").body, at)


def _value(node: ast.expr, at: Mapping[str, int]) -> int:
    match node:
        case ast.Constant(value=int() as value):
            return value
        case ast.Name() | ast.Attribute():
            return at[ast.unparse(node).replace("from_", "from")]
        case ast.UnaryOp(op=ast.USub()):
            return -_value(node.operand, at)
        case ast.BinOp():
            return _OPERATORS[type(node.op)](_value(node.left, at), _value(node.right, at))
        case ast.Compare(ops=[op], comparators=[right]):
            return _OPERATORS[type(op)](_value(node.left, at), _value(right, at))
        case ast.Call(func=ast.Name(id=name)):
            return _FUNCTIONS[name](*(_value(x, at) for x in node.args))
    raise ValueError(ast.dump(node))


class Told:
    """What lines of a contract say of a kernel's launches."""

    def __init__(self, kernel: Kernel, lines: Sequence[str]) -> None:
        self.kernel = kernel
        self.relations: list[str] = []
        self.numel: list[tuple[str, str]] = []
        self.aligned: dict[str, int] = {}
        self.contents: dict[str, str] = {}
        for line in lines:
            if found := _ALIGNED.fullmatch(line):
                self.aligned[found[1]] = int(found[2])
            elif found := _CONTENTS.fullmatch(line):
                self.contents[found[1]] = found[2]
            elif found := _NUMEL.fullmatch(line):
                self.numel.append((found[1], found[2]))
            else:
                self.relations.append(line)
        self.params = [p for p in kernel.params if isinstance(p.type, Int)]
        self.arrays = [
            a for a in kernel.arrays if a.space in ("global", "constant") and a.bytes is None
        ]

    def hold(self, at: Mapping[str, int]) -> bool:
        """Return whether all relations hold."""
        return all(worth(text, at) for text in self.relations)

    def launches(self, draw: random.Random, large: bool, count: int) -> Iterator[dict[str, int]]:
        """Yield launches that meet the lines, with no more elements than they ask for."""
        for _ in range(100 * count):
            at = self._drawn(draw, large)
            if not (self._accepted(at) and self.hold(at)):
                continue
            sizes = {a.name: 0 for a in self.arrays}
            for name, text in self.numel:
                sizes[name] = max(sizes[name], worth(text, at))
            if all(sizes[a.name] * a.element < ADDRESSES for a in self.arrays):
                yield at | {f"numel({name})": n for name, n in sizes.items()}
                count -= 1
            if count == 0:
                return

    def _drawn(self, draw: random.Random, large: bool) -> dict[str, int]:
        at = dict.fromkeys(AXES, 1)
        at["blockDim.x"] = draw.choice((1, 2, 3, 4, 5, 8, 31, 32, 33, 64))
        at["gridDim.x"] = draw.choice((1, 1, 2, 3))
        if large:
            at["blockDim.x"] = draw.choice((1, 2, 256, 1000, 1024))
            most = (1, 2, 2**21 - 1, 2**21, 2**22, 2**23, 2**31 - 1)
            at["gridDim.x"] = draw.choice((*most, draw.randrange(1, 2**31)))
        for axis in AXES:
            if axis[-1] != "x" and draw.random() < 0.3:
                at[axis] = draw.choice((1, 2, 3, 16, 32))
        for text in self.relations:
            if found := _AXIS.fullmatch(text):
                n = int(found[3])
                at[found[1]] = n if found[2] == "==" else min(at[found[1]], n)
        for p in self.params:
            assert isinstance(p.type, Int)
            values = [-3, -1, 0, 1, 2, 3, 4, 5, 7, 8, 12, 16, 31, 32, 33, 64, 100]
            if large:
                values = [p.type.low, p.type.high, p.type.high - 1, p.type.high // 2, 46341]
                values += [65536, -1, 0, 1, at["gridDim.x"] * at["blockDim.x"]]
            at[p.name] = draw.choice([v for v in values if p.type.low <= v <= p.type.high])
        for end in self.contents.values():
            at[end] = draw.choice((1, 2, 3, 5, 9, 2**31) if large else (1, 2, 3, 5, 9))
        at["shared_bytes"] = draw.choice((0, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096))
        return at

    def _accepted(self, at: Mapping[str, int]) -> bool:
        """Return whether a device accepts a launch."""
        gx, gy, gz, *block = (at[axis] for axis in AXES)
        threads = min(1024, self.kernel.launch_bounds or 1024)
        return gx < 2**31 and max(gy, gz) < 65536 and block[2] <= 64 and prod(block) <= threads

    def execute(self, at: Mapping[str, int], draw: random.Random) -> tuple[Trace, bool]:
        """Run a launch, or its corners where it is large, and whether all its threads ran."""
        gx, gy, gz, bx, by, bz = (at[axis] for axis in AXES)
        grid, block = (gx, gy, gz), (bx, by, bz)
        setting = Setting(
            grid, block, at["shared_bytes"],
            {p.name: at[p.name] for p in self.params},
            {a.name: at[f"numel({a.name})"] for a in self.arrays},
            {a: (0, at[end] - 1) for a, end in self.contents.items()},
            {a.name: max(self.aligned.get(a.name, 1), a.alignment) for a in self.arrays},
        )  # fmt: skip
        style = draw.choice(("low", "high", "near", "any"))

        def choose(c: Choice) -> int:
            near = draw.randint(max(c.low, min(-1, c.high)), min(c.high, max(4, c.low)))
            ends = {"low": c.low, "high": c.high, "near": near}
            return ends.get(style, draw.choice((c.low, c.high, draw.randint(c.low, c.high))))

        blocks = threads = None
        if prod(grid) * prod(block) > 1024:
            blocks = _corners(grid)
            threads = _corners(block) if prod(block) * len(blocks) > 1024 else None
        found = run(
            self.kernel, setting, {}, blocks=blocks, threads=threads, choices=choose, limit=8_000
        )
        return found, threads is None


def _corners(extents: Sequence[int]) -> list[Any]:
    x, y, z = (sorted({0, min(1, n - 1), n - 1}) for n in extents)
    every = [(i, j, k) for k in z for j in y for i in x]
    return list(dict.fromkeys((*every[:6], every[-1])))


def wrong(trace: Trace, whole: bool, name: str) -> list[object]:
    """Return what goes against a property in an execution."""
    found: list[object] = [f for f in trace.faults if f.kind in _FAULTS.get(name, ())]
    if name == "no_overflow":
        found += [w for w in trace.wraps if not w.explicit and w.role != "other"]
    if name == "barrier_uniform" and whole:
        found += trace.divergence
    for race in trace.races if name.endswith("race_free") else ():
        reads = "read" in (race.first.kind, race.second.kind)
        found += [race] if reads == (name == "read_write_race_free") else []
    return found


def faults(kernel: Kernel, lines: Sequence[str], name: str, count: int) -> tuple[int, list[Any]]:
    """Return how many launches that meet lines were executed, and those that go wrong."""
    told, draw, executed, found = Told(kernel, lines), random.Random(kernel.name + name), 0, []
    for large in (False, True):
        for at in told.launches(draw, large, count):
            try:
                trace, whole = told.execute(at, draw)
            except InputError:
                continue
            if trace.unsupported:
                continue
            # What is read outside of an array is anything: not what a line says of all that is.
            lost = {f.touch.array for f in trace.faults if f.kind == "bounds" and f.touch}
            if name != "in_bounds" and lost & told.contents.keys():
                continue
            executed += 1
            events = wrong(trace, whole, name)
            if events:
                found.append((at, events[0]))
    return executed, found


def meets(kernel: Kernel, example: Example, dims: Mapping[str, str], lines: Sequence[str]) -> bool:
    """Return whether a counterexample meets lines, whose names are those of `dims`."""
    told = Told(kernel, lines)
    at = dict.fromkeys((*AXES, *told.contents.values()), 1)
    at |= {dims.get(n, n): v for n, v in example.dims.items()}
    at |= zip(AXES, (*example.grid, *example.block_size), strict=True)
    return told.hold(at)
