"""Kernels of which nothing is right but the C++: what two readers of a language may read otherwise.

Expressions and statements are those of `random_c`: narrow types, signs, casts, shifts, remainders
below zero, bools that are added, side effects behind `&&` and `?:`, loops that end early, switches,
structs by value, templates. Here what they come to is where threads read and write: at rows of
arrays of arrays, through pointers that move, before barriers and behind them.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tests.access.random_c import HEAD, PARAMETERS, TYPES, Writer

__all__ = ["HEAD", "spelled"]

#: Elements of what is passed to a kernel, and of its own arrays.
EXTENT, ROWS, COLUMNS = 509, 5, 8
ELEMENTS = ("int", "unsigned", "short", "unsigned char", "long long", "float")
INDICES = ("threadIdx.x", "(int)threadIdx.x", "blockIdx.x", "threadIdx.y", "blockDim.x", "i", "w")
#: What begins every kernel.
_BEGIN = (
    "int i = blockIdx.x * blockDim.x + threadIdx.x;",
    "unsigned w = threadIdx.y * blockDim.x + threadIdx.x;",
)


@dataclass
class Spelled(Writer):
    """Writes a kernel: its numbers are small, and its parameters large."""

    element: str = "int"
    nested: int = 0

    def variable(self) -> str:
        r = self.rng
        return r.choice(INDICES) if r.random() < 0.3 else super().variable()

    def literal(self) -> str:
        r = self.rng
        return r.choice(
            [
                str(r.randrange(10)), str(r.randrange(300)), f"{r.randrange(100)}u", "'q'", "true",
                f"0x{r.randrange(1 << 12):x}", f"{r.randrange(100)}ll", "-1", "sizeof(short)",
            ]
        )  # fmt: skip

    def at(self, extent: int) -> str:
        """Return an index that lies in an array, or nearly."""
        r, value = self.rng, self.expression(self.rng.choice((0, 1, 1, 2)))
        kind = r.randrange(8)
        if kind < 4:
            wide = r.choice(("unsigned", "unsigned long long", "unsigned"))
            return f"({wide})({value}) % {extent}"
        if kind == 4:
            return f"(({value}) & {(1 << extent.bit_length() - 1) - 1})"
        if kind == 5:
            return f"(unsigned char)({value}) % {extent}"
        if kind == 6:
            small = min(extent // 2, 100)
            return f"({small} + (int)rest({value}, {small}))"
        return r.choice((f"({value} ? {extent - 1} : 0)", f"!({value})", f"(bool)({value}) + 1"))

    def access(self) -> None:
        """Write statements that touch memory."""
        r, add = self.rng, self.lines.append
        kind = r.randrange(13)
        if kind < 3:
            add(f"y[{self.at(EXTENT)}] = x[{self.at(EXTENT)}];")
        elif kind == 3:
            op = r.choice(("+=", "-=", "=", "*="))
            add(f"y[{self.at(EXTENT)}] {op} 1;")
        elif kind == 4:
            add(f"s[{self.at(ROWS)}][{self.at(COLUMNS)}] = {self.leaf()};")
        elif kind == 5:
            add(f"y[{self.at(EXTENT)}] = s[{self.at(ROWS)}][{self.at(COLUMNS)}];")
        elif kind == 6:
            p = self.name()
            half = EXTENT // 2
            add(f"{self.element} *{p} = y + ({self.at(half)});")
            step = r.choice((f"{p}++", f"++{p}", f"{p} += {r.randrange(4)}", f"{p} = &{p}[2]"))
            add(f"{step}; *{p} = 1; {p}[{self.at(half)}] = 2;")
        elif kind == 7:
            add(f"atomicAdd(&counts[{self.at(COLUMNS)}], 1);")
        elif kind == 8:
            add(f"if ({self.expression(1)} {r.choice(('&&', '||'))} counts[{self.at(COLUMNS)}]++) "
                f"y[{self.at(EXTENT)}] = 3;")  # fmt: skip
        elif kind == 9:
            one, two = (f"y[{self.at(EXTENT)}]" for _ in range(2))
            add(f"{self.expression(1)} ? {one} = 1 : {two} = 2;")
        elif kind == 10 and not self.nested:
            add(f"if ({self.expression(2)}) return;")
        elif kind == 11 and not self.nested:
            add("__syncthreads();")
        else:
            q = self.name()
            add(f"{self.element} (*{q})[{COLUMNS}] = s; {q} += {r.randrange(ROWS)} & w;")
            add(f"{q}[0][{self.at(COLUMNS)}] = {self.leaf()};")

    def body(self, depth: int) -> None:
        self.nested += 1
        super().body(depth)
        if self.rng.random() < 0.5:
            self.access()
        self.nested -= 1


def given(rng: Random, name: str, type: str) -> str:
    """Return what a parameter is for a size of the same name: small, below zero, or an end."""
    bits = {"char": 8, "short": 16, "int": 32, "unsigned": 32}.get(type.split()[-1], 64)
    if type.startswith("unsigned"):
        high = (1 << (32 if type == "unsigned" else bits)) - 1
        return rng.choice((name, f"{name} - 1", f"{high} - {name} % 7"))
    high = (1 << bits - 1) - 1
    return rng.choice(
        (name, f"{name} - 4", f"-{name}", f"{high} - {name} % 5", f"{name} % 9 - {high + 1}")
    )


def spelled(rng: Random, name: str) -> str:
    """Return the text of one kernel, with its notes; `HEAD` has to stand before it."""
    w = Spelled(rng, element=rng.choice(ELEMENTS))
    w.lines += [*_BEGIN, f"__shared__ {w.element} s[{ROWS}][{COLUMNS}];"]
    for _ in range(rng.randrange(3, 8)):
        w.statement(2)
        if rng.random() < 0.7:
            w.access()
    w.access()
    notes = [
        f"launch grid=({rng.randrange(1, 3)}) block=({rng.choice(('4', '3,2', '33', '2'))})",
        f"extent x = {EXTENT}", f"extent y = {EXTENT}", f"extent counts = {COLUMNS}",
    ]  # fmt: skip
    for type, parameter in zip(TYPES, PARAMETERS, strict=True):
        notes += [f"arg {parameter} = {given(rng, parameter, type)}", f"assume {parameter} <= 100"]
    head = ", ".join(f"{t} {p}" for t, p in zip(TYPES, PARAMETERS, strict=True))
    arrays = f"const {w.element} *x, {w.element} *y, int *counts"
    said = "".join(f"// symcute: {n}\n" for n in notes)
    inner = "\n  ".join(w.lines)
    return f"{said}__global__ void {name}({arrays}, {head}) {{\n  {inner}\n}}\n"
