"""Lines of a contract, and the launch of which nothing else is known, as a setting.

All that may differ between launches is a dim: blocks and threads along each axis, integer
parameters, elements of arrays, bytes of dynamic shared memory.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from symcute.errors import InputError
from symcute.expr.leaf import NAME, dim
from symcute.expr.node import Node, Term, names
from symcute.expr.terms import at_most, equal, evaluate, maximum, mul, show, substitute
from symcute.hardware.architecture import architecture
from symcute.kernel.ir.program import Array, Int, Kernel
from symcute.kernel.ir.setting import OWN, Setting
from symcute.kernel.launch.notes import read_setting
from symcute.kernel.symexec.entry import term_of

__all__ = ["Line", "Unlaunched", "dim_of", "sizes_of", "together", "weaker"]

AXES = "xyz"
Kind = Literal["assume", "pin", "extent", "contents", "align"]


@dataclass(frozen=True)
class Line:
    """One condition of a contract.

    `term` is a relation of dims ("assume"); a number that a dim of the launch is ("pin", `name`);
    how many elements the array `name` has at least ("extent"); what its integers are below, all
    being at least 0 ("contents"); what its first byte is at a multiple of ("align").
    """

    kind: Kind
    term: Term
    name: str = ""


class Unlaunched:
    """A kernel of whose launches nothing is known: its dims, and the setting under lines."""

    #: What has to be so of a launch that was found for nothing to wrap in host code.
    unwrapped: tuple[Line, ...] = ()

    def __init__(self, kernel: Kernel, given: Iterable[str] = (), arch: str | None = None) -> None:
        """Name the dims; `given` is assumed besides, of parameters by their names.

        Pre-conditions: the kernel has no notes.
        """
        self.kernel, self.given, self.arch = kernel, tuple(given), arch
        # What a reader sees of a parameter is its own name, which no other dim may have.
        self._names = {p.name for p in kernel.params if not isinstance(p.type, Int)}
        #: Dims by what they are: parameters, axes of the launch, extents and contents of arrays.
        self.params = {
            p.name: self._fresh(p.name) for p in kernel.params if isinstance(p.type, Int)
        }
        self._names |= {*self.params}
        self._blocks = tuple(self._fresh(f"gridDim_{axis}") for axis in AXES)
        self._threads = tuple(self._fresh(f"blockDim_{axis}") for axis in AXES)
        #: What a launch may choose.
        self.grid: tuple[Term, ...] = self._blocks
        self.block: tuple[Term, ...] = self._threads
        #: The extents of a block that the source fixes stand for the dims.
        self._fixed: dict[str, Term] = dict(zip(self._threads, kernel.block or (), strict=False))
        self.extents = {a.name: self._fresh(f"numel_{a.name}") for a in self.pointed()}
        self._bytes = self._fresh("shared_bytes")
        self.shared: Term = self._bytes
        self.ends = {
            a.name: self._fresh(f"end_{a.name}")
            for a in self.pointed()
            if a.integer is not None and a.integer.bits > 8
        }

    def _fresh(self, name: str) -> str:
        """Return a name for a dim that no other has."""
        found = re.sub(r"\W", "_", name)
        while found in self._names or OWN.fullmatch(found) or not NAME.match(found):
            found += "_"
        self._names.add(found)
        return found

    def pointed(self) -> Iterator[Array]:
        """Yield the arrays whose extent the source does not say, but for shared memory."""
        for a in self.kernel.arrays:
            if a.space in ("global", "constant") and a.bytes is None:
                yield a

    @cached_property
    def limits(self) -> tuple[Term, ...]:
        """What a device asks of every launch, and the ranges of the parameters' types."""
        target, device = self.kernel.target, architecture(self.arch or "sm90")
        found: list[Term] = []
        for most, extents in ((target.grid, self._blocks), (target.block, self._threads)):
            found += [at_most(n, high) for n, high in zip(extents, most, strict=True)]
        x, y, z = self._threads
        threads = min(target.threads, self.kernel.launch_bounds or target.threads)
        found.append(at_most(mul(mul(x, y), z), threads))
        static = sum(a.declared for a in self.kernel.arrays)
        found += [at_most(0, self._bytes), at_most(self._bytes, device.shared_bytes - static)]
        for p in self.kernel.params:
            if p.numbers is not None:
                found.append(at_most(p.numbers.low, self.params[p.name]))
        found += [at_most(0, n) for n in self.extents.values()]
        found += [at_most(1, n) for n in self.ends.values()]
        return tuple(found)

    def signs(self) -> tuple[Line, ...]:
        """Return that parameters are at least 1, as most are."""
        return tuple(Line("assume", at_most(1, n)) for n in self.params.values())

    def of_launch(self) -> list[Line]:
        """Return the limits that are about a launch, as lines."""
        dims = {*self._blocks, *self._threads, *({self._bytes} if self.dynamic else ())}
        found = (substitute(t, self._fixed) for t in self.limits if names(t) <= dims)
        return [Line("assume", t) for t in found if t is not True]

    @property
    def dynamic(self) -> bool:
        """Whether the kernel has shared memory whose bytes the launch says."""
        return any(a.space == "shared" and a.bytes is None for a in self.kernel.arrays)

    def truths(self, line: Line) -> Term:
        """Return a line as a relation of dims; True for one that is none."""
        if line.kind == "pin":
            return substitute(equal(line.name, line.term), self._fixed)
        if line.kind == "extent":
            return substitute(at_most(line.term, self.extents[line.name]), self._fixed)
        return substitute(line.term, self._fixed) if line.kind == "assume" else True

    def holds(self, lines: Iterable[Line], setting: Setting, alignment: Mapping[str, int]) -> bool:
        """Return whether a launch, of numbers alone, meets lines and what all launches meet.

        What integers an array holds is not known of a launch: a line that asks for it does not
        hold. `alignment` is that of the arrays' addresses.
        """
        dims: dict[str, Any] = {n: setting.arguments.get(p) for p, n in self.params.items()}
        dims |= {n: setting.extents.get(a) for a, n in self.extents.items()}
        dims |= zip(self._blocks + self._threads, setting.grid + setting.block, strict=True)
        dims[self._bytes] = setting.shared
        known = {n: v for n, v in dims.items() if isinstance(v, int)}
        wanted = {a.name: a.alignment for a in self.pointed()}
        truths: list[Term] = [at_most(1, n) for n in self._blocks + self._threads]
        truths += [t for t in self.limits if not names(t) & {*self.ends.values()}]
        for line in lines:
            if line.kind == "contents":
                return False
            if line.kind == "align":
                wanted[line.name] = int(str(line.term))
            truths.append(self.truths(line))
        if any(alignment.get(a, 1) % least for a, least in wanted.items()):
            return False
        try:
            return all(names(t) <= known.keys() and evaluate(t, known) for t in truths)
        except InputError:
            return False

    def dims(self, setting: Setting) -> dict[str, Term]:
        """Return what the dims are in a setting, those of which all is said there.

        A parameter of which nothing is said is a dim of its own name there.
        """
        axes = zip(self._blocks + self._threads, setting.grid + setting.block, strict=True)
        found = {n: term_of(leaf) for n, leaf in (*axes, (self._bytes, setting.shared))}
        found |= {n: term_of(setting.arguments.get(p, dim(p))) for p, n in self.params.items()}
        sizes = {n: setting.extents.get(a) for a, n in self.extents.items()}
        return found | {n: term_of(leaf) for n, leaf in sizes.items() if leaf is not None}

    def words(self, line: Line) -> str:
        """Return a line as a reader has it who knows the kernel, and none of the dims here."""
        if line.kind == "align":
            return f"{line.name} at a multiple of {line.term} bytes"
        term = line.term if line.kind in ("contents", "extent") else self.truths(line)
        text = re.sub(
            r"[A-Za-z_]\w*", lambda found: self._called.get(found[0], found[0]), _written(term)
        )
        if line.kind == "contents":
            return f"0 <= {line.name}[i] < {text} for all i read"
        return f"numel({line.name}) >= {text}" if line.kind == "extent" else text

    @cached_property
    def _called(self) -> dict[str, str]:
        """What the source calls the dims that it has names for."""
        found = {dim: name for name, dim in self.params.items()}
        for dims, name in ((self._blocks, "gridDim"), (self._threads, "blockDim")):
            found |= {dim: f"{name}.{axis}" for axis, dim in zip(AXES, dims, strict=True)}
        return found

    def setting(self, lines: Collection[Line], searching: bool = False) -> Setting:
        """Return the setting under lines; while `searching`, extents are dims.

        Errors: InputError where a line has no value for all dims, such as by a quotient by 0.
        """
        notes = self._said(lines, searching)
        grid, block, shared = notes.launch
        return read_setting(
            self.kernel,
            launch=f"grid={grid}{'' if self._fixed else f' block={block}'} shared={shared}",
            given=[*self.given, *notes.given],
            arguments=notes.arguments,
            extents=notes.extents,
            contents=notes.contents,
            alignment=notes.alignment,
            architecture=self.arch,
        )

    def notes(self, lines: Collection[Line]) -> list[str]:
        """Return lines as notes that can stand above the kernel, what a device asks included."""
        said = self._said(lines, False)
        grid, block, shared = said.launch
        found = [f"launch grid={grid}{'' if self._fixed else f' block={block}'} shared={shared}"]
        found += [f"arg {p} = {n}" for p, n in said.arguments.items()]
        found += [f"extent {a} = {n}" for a, n in said.extents.items()]
        found += [f"contents {a} in {r}" for a, r in said.contents.items()]
        found += [f"align {a} = {n}" for a, n in said.alignment.items()]
        return [*found, *(f"assume {text}" for text in (*self.given, *said.given))]

    def _said(self, lines: Collection[Line], searching: bool) -> _Said:
        """Return lines and limits in the words of notes."""
        pins: dict[str, Term] = {x.name: x.term for x in lines if x.kind == "pin"}
        pins = {n: substitute(t, self._fixed) for n, t in pins.items()} | self._fixed

        def text(term: Term) -> str:
            return show(substitute(term, pins))

        contents = {x.name: f"[0, {text(x.term)})" for x in lines if x.kind == "contents"}
        extents = dict(self.extents) if searching else self._largest(lines)
        truths = [self.truths(x) for x in lines if searching or x.kind == "assume"]
        idle = {n for a, n in self.ends.items() if a not in contents}
        idle |= {n for a, n in self.extents.items() if extents[a] != n}
        idle |= set() if self.dynamic else {self._bytes}
        given = [t for t in (*self.limits, *truths) if not names(t) & idle]
        relations = dict.fromkeys(substitute(t, pins) for t in given)
        return _Said(
            (*(f"({','.join(text(n) for n in axes)})" for axes in (self._blocks, self._threads)),
             self._bytes if self.dynamic else "0"),
            {p: n for p, n in self.params.items() if p != n},
            {a: text(n) for a, n in extents.items()},
            contents,
            {x.name: int(str(x.term)) for x in lines if x.kind == "align"}
            | {a.name: a.alignment for a in self.pointed() if not any(
                x.kind == "align" and x.name == a.name for x in lines)},
            [show(t) for t in relations if t is not True],
        )  # fmt: skip

    def _largest(self, lines: Collection[Line]) -> dict[str, Term]:
        """Return extents that are no more than the lines ask for."""
        found: dict[str, Term] = dict(self.extents)
        for x in lines:
            if x.kind == "extent":
                first = found[x.name] == self.extents[x.name]
                found[x.name] = x.term if first else maximum(found[x.name], x.term)
        return found


def weaker(line: Line) -> Sequence[tuple[Line, ...]]:
    """Return weaker lines: at least 0 for at least 1."""
    low, high = getattr(line.term, "args", (0, 0))[:2]
    if line.kind == "assume" and low == 1 and isinstance(high, str):
        return [(Line("assume", at_most(0, high)),)]
    return []


def sizes_of(lines: tuple[Line, ...]) -> dict[str, Term]:
    """Return how many elements arrays have of which one line says it."""
    said = [x for x in lines if x.kind == "extent"]
    times = Counter(x.name for x in said)
    return {x.name: x.term for x in said if times[x.name] == 1}


def dim_of(line: Line) -> str:
    """Return the dim that a line says to be at least 0, or 1, if it says only that."""
    low, high = getattr(line.term, "args", (None, None))[:2]
    return high if line.kind == "assume" and low in (0, 1) and isinstance(high, str) else ""


def together(lines: tuple[Line, ...], more: Iterable[Line]) -> tuple[Line, ...]:
    """Return lines and more, each once."""
    return tuple(dict.fromkeys((*lines, *more)))


def _written(term: Term) -> str:
    """Return a term as text, in which what is rounded up is seen to be.

    >>> from symcute.expr.terms import add, divide
    >>> _written(mul(divide(add("n", 3), 4), 4))
    'ceil_div(n, 4)*4'
    """
    if not isinstance(term, Node):
        return show(term)
    rounded = {}
    for atom in _quotients(term):
        a, by = atom.args
        if isinstance(by, int) and isinstance(a, Node) and a.op == "+" and a.args[1] == by - 1:
            rounded[atom] = f"ceil_div({show(a.args[0])}, {by})"
    for atom, text in rounded.items():
        term = _replaced(term, atom, text)
    return show(term)


def _quotients(term: Term) -> Iterator[Node]:
    if isinstance(term, Node):
        if term.op == "//":
            yield term
        for x in term.args:
            yield from _quotients(x)


def _replaced(term: Term, old: Node, new: str) -> Term:
    """Return a term in which a name that is only shown stands for a part."""
    if term is old:
        return new
    if not isinstance(term, Node):
        return term
    return Node(term.op, *(_replaced(x, old, new) for x in term.args))


@dataclass(frozen=True)
class _Said:
    """What notes say of a launch: grid, block and shared memory, and the rest by names."""

    launch: tuple[str, ...]
    arguments: dict[str, str]
    extents: dict[str, str]
    contents: dict[str, str]
    alignment: dict[str, int]
    given: list[str]
