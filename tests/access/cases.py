"""The kernels under kernels/, read on their own: signature, launch, and what is true of each.

A kernel's comments are those directly above it, and those at the top of its file:

    // symcute: launch grid=(ceil_div(N,256)) block=(256)    how it is launched (arg, extent, ...)
    // truth: in_bounds=no no_overflow=no                    what is not so; everything else is
    // run: N=2147483647 blocks=8388607 threads=255          one execution besides the usual ones
    // run: N=8 a[0]=8                                       one that starts with this in an array
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, product
from math import prod
from pathlib import Path
from random import Random

from symcute.expr.parser import parse
from symcute.expr.syntax import Node
from tests.full import full, some

KERNELS = Path(__file__).parent / "kernels"
#: How files begin whose kernels take numbers apart, or whose loops are more than counted.
HARD = ("radix_", "loops_", "tables")
PROPERTIES = (
    "in_bounds", "write_race_free", "read_write_race_free", "barrier_uniform", "no_overflow",
    "aligned", "launch_valid",
)  # fmt: skip
#: Those that only some kernels are asked for.
MORE = ("covers", "implements")
#: Values that dims take, those that make tails and those that do not.
SIZES = (1, 2, 3, 4, 5, 7, 8, 12, 16, 31, 32, 33, 48, 64, 96, 100, 127, 128, 129, 192, 255, 256,
         257, 300, 384, 512, 513, 640, 1000, 1024, 1025)  # fmt: skip
THREADS_PER_RUN = 1200
#: A table as a whole is given to an execution with at most so many elements.
MOST_TABLE = 4000
#: The product of the dims, by which the accesses of a run grow at most.
MOST_WORK = 20_000
_TYPES = {
    "int": (32, True), "unsigned": (32, False), "unsigned int": (32, False), "short": (16, True),
    "long long": (64, True), "unsigned long long": (64, False), "size_t": (64, False),
    "bool": (8, False), "char": (8, True), "unsigned char": (8, False), "long": (64, True),
    "int64_t": (64, True), "uint32_t": (32, False), "uint64_t": (64, False),
    "signed char": (8, True), "unsigned short": (16, False),
}  # fmt: skip
#: How many of which.
_VECTORS = {"float": (1, "float"), "double": (1, "double"), "float2": (2, "float"),
            "float3": (3, "float"), "float4": (4, "float"), "double2": (2, "double"),
            "int2": (2, "int"), "int4": (4, "int")}  # fmt: skip

#: Bytes of numbers that are no integers and not of four.
_BYTES = {"double": 8, "__half": 2}


@dataclass(frozen=True)
class Parameter:
    """A parameter, or a field of a struct that is one: `p.n` is named `p_n`, of struct `p`."""

    name: str
    pointer: bool
    type: str
    struct: str = ""
    fields: int = 0  # of four bytes, where it points to structs

    @property
    def size(self) -> int:
        return 8 if self.pointer else self.element

    @property
    def element(self) -> int:
        """Bytes of what it is, or of what it points to."""
        lanes, scalar = self.parts
        return lanes * (_TYPES[scalar][0] // 8 if scalar in _TYPES else _BYTES.get(scalar, 4))

    @property
    def parts(self) -> tuple[int, str]:
        """How many numbers an element has, and of which type."""
        return (self.fields, "int") if self.fields else _VECTORS.get(self.type, (1, self.type))

    @property
    def integer(self) -> tuple[int, bool] | None:
        """Bits and sign of its numbers, where they are integers."""
        return _TYPES.get(self.parts[1])


@dataclass(frozen=True)
class Run:
    """One execution: the dims, and the blocks and threads that run (None: all).

    `cells` are numbers in arrays at the start, by array and element; the rest is as always.
    """

    dims: Mapping[str, int]
    blocks: tuple[tuple[int, int, int], ...] | None = None
    threads: tuple[tuple[int, int, int], ...] | None = None
    cells: Mapping[tuple[str, int], int] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Case:
    """A kernel of ours with its setting and what is true of it."""

    file: Path
    name: str
    template: str
    parameters: tuple[Parameter, ...]
    grid: tuple[str, str, str]
    block: tuple[str, str, str]
    shared: str
    arguments: Mapping[str, str]
    extents: Mapping[str, str]
    contents: Mapping[str, tuple[str, str]]
    tables: Mapping[str, str]  # distinct, increasing, or the inverse of another
    alignment: Mapping[str, int]
    assumed: tuple[str, ...]
    truth: Mapping[str, bool]
    runs: tuple[Run, ...]
    written: tuple[tuple[str, str, str], ...]  # covers or implements, the array, its layout
    body: str = field(repr=False)

    @property
    def label(self) -> str:
        return f"{self.file.stem}.{self.name}"

    @property
    def hard(self) -> bool:
        """Whether it is one of the many that are about hard index arithmetic."""
        return self.file.stem.startswith(HARD)

    def dims(self) -> list[str]:
        """The names of the dims, those of the parameters first."""
        own = [self.arguments.get(p.name, p.name) for p in self.parameters if _is_number(p)]
        texts = [*own, *self.grid, *self.block, self.shared, *self.extents.values()]
        found: dict[str, None] = {}
        for text in texts:
            found.update(dict.fromkeys(sorted(_names(parse(text)))))
        return list(found)

    def argument(self, parameter: Parameter, dims: Mapping[str, int]) -> int:
        return value(self.arguments.get(parameter.name, parameter.name), dims)

    def admits(self, dims: Mapping[str, int]) -> bool:
        """Whether the dims meet the assumptions, and the arguments their types."""
        if not all(value(text, dims) for text in self.assumed):
            return False
        for name, kind in self.tables.items():
            count = value(self.extents[name], dims)
            low, high = (value(t, dims) for t in self.contents[name])
            if kind != "increasing" and count > high - low + 1:
                return False
            if kind == "increasing" and not (
                low == high if count == 1 else count > 1 and low <= high
            ):
                return False
        for p in self.parameters:
            if _is_number(p):
                bits, signed = p.integer or (32, True)
                low, high = (
                    (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
                )
                if not low <= self.argument(p, dims) <= high:
                    return False
        return True

    def launch(self, dims: Mapping[str, int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return tuple(value(t, dims) for t in self.grid), tuple(value(t, dims) for t in self.block)

    def small_runs(self, count: int, seed: int = 0) -> list[Run]:
        """Executions of all threads at small dims, which meet the assumptions."""
        names, random = self.dims(), Random(f"{self.label} {seed}")
        found: list[Run] = []
        for sizes in _samples(len(names), random):
            if len(found) == count:
                break
            dims = dict(zip(names, sizes, strict=True))
            if prod(dims.values()) <= MOST_WORK and self.admits(dims):
                extents = [value(t, dims) for t in self.extents.values()]
                if all(0 <= e <= 1 << 22 for e in extents):
                    run = self._some_blocks(dims)
                    found += [run] if run is not None else []
        return found

    def large_run(self, seed: int = 0) -> Run | None:
        """The ends of a launch at dims that grow, in a random order, until they cannot."""
        small = self.small_runs(1, seed)
        if not small or not small[0].dims:
            return None
        dims, random = dict(small[0].dims), Random(f"{self.label} large {seed}")
        ones = dict.fromkeys(dims, 1)
        if random.random() < 0.5 and self._holds(ones):
            dims = ones
        for name in random.sample(list(dims), len(dims)):
            for factor in (1 << 16, 16, 2, 1.25, 1.01):
                while random.random() < 0.95:
                    more = dims | {name: max(int(dims[name] * factor), dims[name] + 1)}
                    if not self._holds(more):
                        break
                    dims = more
        blocks, threads = (
            tuple(sorted({(0, 0, 0), (x - 1, y - 1, z - 1)})) for x, y, z in self.launch(dims)
        )
        return Run(dims, blocks, threads)

    def _holds(self, dims: Mapping[str, int]) -> bool:
        """Whether a launch at these dims is one, and its arrays are in the CPU's reach."""
        if max(dims.values()) >= 1 << 31 or not self.admits(dims):
            return False
        if any(value(self.extents[name], dims) > MOST_TABLE for name in self.tables):
            return False
        sizes = [value(self.extents[p.name], dims) * p.element for p in self.parameters
                 if p.name in self.extents]  # fmt: skip
        x, y, z, *block = chain(*self.launch(dims))
        fits = 0 < x < 1 << 31 and 0 < y < 1 << 16 and 0 < z < 1 << 16 and min(block) > 0
        return fits and prod(block) <= 1024 and all(0 <= size < 1 << 34 for size in sizes)

    def _some_blocks(self, dims: Mapping[str, int]) -> Run | None:
        """An execution of all blocks if they are few, of those at the ends if they are many."""
        (x, y, z), block = self.launch(dims)
        threads = prod(block)
        if min(x, y, z, threads) <= 0 or threads > THREADS_PER_RUN:
            return None
        if x * y * z * threads <= THREADS_PER_RUN:
            return Run(dims)
        ends = product({0, z - 1}, {0, y - 1}, sorted({0, 1 % x, x - 1}))
        blocks = [(i, j, k) for k, j, i in ends][: THREADS_PER_RUN // threads]
        return Run(dims, tuple(dict.fromkeys(blocks)))


def _samples(count: int, random: Random) -> Iterator[tuple[int, ...]]:
    if count == 0:
        yield ()
        return
    if count == 1:
        yield from random.sample([(k,) for k in SIZES], len(SIZES))
        return
    small, sizes = [k for k in SIZES if k <= 9], SIZES if count < 3 else SIZES[:20]
    for k in range(8000):
        yield tuple(random.choice(sizes if k % 2 else small) for _ in range(count))


def _is_number(p: Parameter) -> bool:
    return not p.pointer and p.integer is not None


# --- expressions --------------------------------------------------------------------------------

_BINARY = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
    "div": lambda a, b: a // b, "floordiv": lambda a, b: a // b, "mod": lambda a, b: a % b,
    "pow": lambda a, b: a**b, "shl": lambda a, b: a << b, "shr": lambda a, b: a >> b,
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "le": lambda a, b: a <= b,
    "lt": lambda a, b: a < b, "ge": lambda a, b: a >= b, "gt": lambda a, b: a > b,
}  # fmt: skip
_CALLS = {"ceil_div": lambda a, b: -(-a // b), "min": min, "max": max}


@cache
def _tree(text: str) -> Node:
    return parse(text)


def value(text: str, dims: Mapping[str, int]) -> int:
    """What an expression or a relation is at given dims."""
    return _value(_tree(text), dims)


def _value(node: Node, dims: Mapping[str, int]) -> int:
    match node.op:
        case "int":
            return int(str(node.args[0]))
        case "name":
            return dims[str(node.args[0])]
        case "paren":
            return _value(_node(node.args[0]), dims)
        case "neg":
            return -_value(_node(node.args[0]), dims)
        case "and":
            return all(_value(_node(a), dims) for a in node.args)
        case "or":
            return any(_value(_node(a), dims) for a in node.args)
        case "call":
            return _CALLS[str(node.args[0])](*(_value(_node(a), dims) for a in node.args[1:]))
        case _:
            return _BINARY[node.op](*(_value(_node(a), dims) for a in node.args))


def _node(arg: object) -> Node:
    assert isinstance(arg, Node)
    return arg


def _names(node: Node) -> set[str]:
    if node.op == "name":
        return {str(node.args[0])}
    return {n for a in node.args if isinstance(a, Node) for n in _names(a)}


# --- files --------------------------------------------------------------------------------------

KERNEL = re.compile(
    r"((?:^[ \t]*//.*\n)*)(?:^template <([^\n]*)>\n)?"
    r"^__global__ void (?:__launch_bounds__\(\d+\) )?(\w+)\(([^)]*)\)\s*\{",
    re.MULTILINE,
)
_STRUCT = re.compile(r"^struct (\w+) \{([^}]*)\};", re.MULTILINE)


@cache
def cases() -> tuple[Case, ...]:
    """All kernels, in the order of their files, the hard ones last."""
    files = sorted(KERNELS.glob("*.cu"), key=lambda f: (f.stem.startswith(HARD), f.stem))
    return tuple(case for file in files for case in read(file))


@cache
def some_cases(step: int) -> tuple[Case, ...]:
    """Every second kernel, with `--full` those left out without, and hard ones; or all."""
    easy, hard = ([c for c in cases() if c.hard == kind] for kind in (False, True))
    return (*some(easy, 2, int(full()), 2), *some(hard, step, 0, 2))


def read(file: Path) -> list[Case]:
    """The kernels of a file."""
    text = file.read_text(encoding="utf-8")
    head = re.match(r"(?:^//.*\n)*", text, re.MULTILINE)
    top = (head.group(0) if head and text[head.end() :].startswith("\n") else "").splitlines()
    structs = {m[1]: m[2] for m in _STRUCT.finditer(text)}
    found = []
    for m in KERNEL.finditer(text):
        notes = [line.strip().removeprefix("//").strip() for line in [*top, *m[1].splitlines()]]
        end = text.index("\n}", m.end())
        found.append(_case(file, m, notes, structs, text[m.end() : end]))
    return found


def _case(
    file: Path, m: re.Match[str], notes: list[str], structs: dict[str, str], body: str
) -> Case:
    said: dict[str, dict[str, str]] = {k: {} for k in ("arg", "extent", "contents", "align")}
    written: list[tuple[str, str, str]] = []
    assumed, truth, runs, template, launch = [], dict.fromkeys(PROPERTIES, True), [], "", {}
    for note in notes:
        kind, _, rest = note.partition(":")
        rest = rest.strip()
        if kind == "truth":
            for word in rest.split():
                name, _, answer = word.partition("=")
                assert name in (*PROPERTIES, *MORE) and answer in ("yes", "no"), (file, note)
                truth[name] = answer == "yes"
        elif kind == "run":
            runs.append(_run(rest))
        elif kind == "symcute":
            word, _, rest = rest.partition(" ")
            if word == "launch":
                launch = dict(re.findall(r"(grid|block|shared)=(\S+)", rest))
            elif word == "assume":
                assumed.append(rest)
            elif word == "template":
                template = ",".join(v.split("=")[1] for v in rest.split())
            elif word in ("arg", "extent", "align"):
                name, _, text = rest.partition("=")
                said[word][name.strip()] = text.strip()
            elif word == "contents":
                name, _, text = rest.partition(" ")
                said[word][name.strip()] = text.strip()
            else:
                assert word in ("implements", "covers"), (file, note)
                name, _, layout = rest.partition("=")
                written.append((word, name.strip(), layout.strip()))
                truth.setdefault(word, True)
    kinds = dict(zip(_template_names(m[2] or ""), template.split(","), strict=False))
    contents, tables = {}, {}
    for name, text in said["contents"].items():
        kind, _, text = text.rpartition("in ") if "in " in text else ("", "", text)
        words = text.split()
        if words[0] in ("increasing", "inverse"):  # from 0 to T; of another
            tables[name] = words[0]
            own = ("0", f"({said['extent'][name]}) - 1")
            contents[name] = own if words[0] == "inverse" else (words[2], words[4])
            continue
        if kind:
            tables[name] = kind.strip()
        low, high = text[1:-1].split(",")
        contents[name] = (low.strip(), f"({high.strip()}) - 1" if text[-1] == ")" else high.strip())
    return Case(
        file, m[3], template, tuple(_parameters(m[4], structs, kinds)),
        _three(launch["grid"]), _three(launch["block"]), launch.get("shared", "0"),
        said["arg"], said["extent"], contents, tables,
        {k: int(v) for k, v in said["align"].items()},
        tuple(assumed), truth, tuple(runs), tuple(written), body,
    )  # fmt: skip


def _template_names(text: str) -> list[str]:
    return [part.split()[-1] for part in text.split(",")] if text else []


def _three(text: str) -> tuple[str, str, str]:
    """`(a,b)` to three texts; commas inside brackets do not count."""
    parts, level = [""], 0
    for c in text.removeprefix("(").removesuffix(")"):
        level += (c == "(") - (c == ")")
        if c == "," and level == 0:
            parts.append("")
        else:
            parts[-1] += c
    x, y, z = (*parts, "1", "1")[:3]
    return x, y, z


def _run(text: str) -> Run:
    chosen: dict[str, tuple[tuple[int, int, int], ...]] = {}
    dims, cells = {}, {}
    for word in text.split():
        name, _, what = word.partition("=")
        if name in ("blocks", "threads"):
            found = [(*map(int, at.split(",")), 0, 0) for at in what.split(";")]
            chosen[name] = tuple((x, y, z) for x, y, z, *_ in found)
        elif "[" in name:
            array, _, element = name.removesuffix("]").partition("[")
            cells[array, int(element)] = value(what, {})
        else:
            dims[name] = value(what, {})
    return Run(dims, chosen.get("blocks"), chosen.get("threads"), cells)


def _parameters(text: str, structs: dict[str, str], kinds: dict[str, str]) -> Iterator[Parameter]:
    for part in filter(None, (p.strip() for p in text.split(","))):
        words = part.replace("*", " * ").replace("const", "").replace("__restrict__", "").split()
        name, pointer = words[-1], "*" in words
        type_ = " ".join(w for w in words[:-1] if w != "*")
        type_ = kinds.get(type_, type_)
        if type_ in structs and pointer:
            found = sum(len(f.split(",")) for f in structs[type_].split(";") if f.strip())
            yield Parameter(name, True, type_, fields=found)
        elif type_ in structs:
            for fields in filter(None, (f.strip() for f in structs[type_].split(";"))):
                kind, _, names = (
                    fields.rpartition(" ") if "," not in fields else fields.partition(" ")
                )
                for field_name in names.split(","):
                    field_name = field_name.strip()
                    star = "*" in field_name or "*" in kind
                    yield Parameter(
                        f"{name}_{field_name.lstrip('*')}",
                        star,
                        kind.replace("*", "").strip(),
                        name,
                    )
        else:
            yield Parameter(name, pointer, type_)
