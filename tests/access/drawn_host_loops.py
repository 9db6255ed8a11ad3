"""Host functions of CUDA, drawn at random, that launch in loops and by what these count."""

from __future__ import annotations

from random import Random

__all__ = ["drawn_host_loops"]

HEAD = """#include "unseen.h"
__global__ void k(float *x, int n) {}
__global__ void any(float *x, unsigned n) {}
static int halved(int n) { return n / 2; }
static int least(int a, int b) { return a < b ? a : b; }
"""
NUMBERS = ("n", "m", "t")
UNSIGNED = ("u", "v")


class _Drawn:
    """One function; `inside` are the loops around what is drawn next."""

    def __init__(self, rng: Random):
        self.rng = rng
        self.inside = 0
        self.counters: list[str] = []

    def number(self, depth: int = 1) -> str:
        rng = self.rng
        at = rng.randrange(9 if depth else 3)
        if at <= 1:
            return rng.choice([*NUMBERS, *UNSIGNED, *self.counters, "a", "b"])
        if at == 2:
            return str(rng.choice([0, 1, 2, 3, 5, 7, 32, 40]))
        one, other = self.number(depth - 1), self.number(depth - 1)
        match at:
            case 3 | 4:
                return f"({one} {rng.choice(['+', '-'])} {other})"
            case 5:
                return (
                    f"({one} {rng.choice(['*', '/', '%', '>>', '<<'])} {rng.choice([1, 2, 3, 5])})"
                )
            case 6:
                return f"({self.test(0)} ? {one} : {other})"
        return rng.choice([f"halved({one})", f"least({one}, {other})"])

    def test(self, depth: int = 1) -> str:
        rng = self.rng
        at = rng.randrange(7 if depth else 4)
        if at <= 2:
            sign = rng.choice(["<", "<", "<=", ">", ">=", "==", "!="])
            return f"{self.number(0)} {sign} {self.number(0)}"
        if at == 3:
            return f"{self.stepped()} {rng.choice(['<', '>', '!='])} {rng.randint(0, 9)}"
        if at == 4:
            return f"(1u << {self.number(0)} % 8u) < {self.number(0)}"
        return f"({self.test(depth - 1)}) {rng.choice(['&&', '&&', '||'])} ({self.test(depth - 1)})"

    def stepped(self) -> str:
        name = self.rng.choice([*NUMBERS, *UNSIGNED])
        return self.rng.choice([f"{name}++", f"++{name}", f"{name}--", f"--{name}"])

    def line(self, depth: int) -> list[str]:
        rng = self.rng
        name = rng.choice([*NUMBERS, *UNSIGNED])
        at = rng.randrange(14)
        if at <= 2:
            return [f"{name} = {self.number()};"]
        if at <= 4:
            return [
                f"{name} {rng.choice(['+=', '-=', '*=', '/=', '>>='])} {rng.choice([1, 2, 3])};"
            ]
        if at == 5:
            return [f"{self.stepped()};"]
        if at <= 7 and self.inside:
            return [f"if ({self.test()}) {rng.choice(['break', 'continue', 'return'])};"]
        if at <= 9 and depth:
            other = ["} else {", *self.body(depth - 1)] if rng.random() < 0.4 else []
            return [f"if ({self.test()}) {{", *self.body(depth - 1), *other, "}"]
        if at == 10:
            return [self.launch()]
        return self.loop(depth - 1) if depth else [f"{self.stepped()};"]

    def body(self, depth: int) -> list[str]:
        return [x for _ in range(self.rng.randint(1, 2)) for x in self.line(depth)]

    def launch(self) -> str:
        rng = self.rng
        grid = rng.choice(["1", "1", self.number()])
        of = rng.choice([*NUMBERS, *UNSIGNED, *self.counters, self.number()])
        kernel, type = rng.choice([("k", "int"), ("any", "unsigned")])
        return f"{kernel}<<<{grid}, 32>>>(x, ({type})({of}));"

    def loop(self, depth: int) -> list[str]:
        rng = self.rng
        self.inside += 1
        kind = rng.randrange(4)
        head, end = "", "}"
        if kind == 0:
            head = f"while ({self.test()}) {{"
        elif kind == 1:
            head, end = "do {", f"}} while ({self.test()});"
        else:
            name = rng.choice([f"i{self.inside}", *NUMBERS, *UNSIGNED])
            new = name.startswith("i")
            step = rng.choice([f"{name}++", f"{name} += 3", f"{name}--", f"{name} *= 2", ""])
            first = f"{'int ' if new else ''}{name} = {self.number()}"
            self.counters += [name] * new
            head = f"for ({first}; {self.test(rng.randrange(2))}; {step}) {{"
        counters = [*self.counters]
        found = [head, "/*turn*/", *self.body(depth), end]
        self.counters = [c for c in counters if c != f"i{self.inside}"]
        self.inside -= 1
        return found

    def function(self, name: str) -> str:
        rng = self.rng
        first = [f"int {n} = {rng.choice(['a', 'b', '0', '1', '9'])};" for n in NUMBERS]
        first += [f"unsigned {n} = {rng.choice(['a', 'b', '0', '1', '40'])};" for n in UNSIGNED]
        lines = ["float *x;", "cudaMalloc(&x, 4096);", *first, *self.loop(2), self.launch()]
        if rng.random() < 0.5:
            lines += [*self.loop(1), self.launch()]
        return f"void {name}(int a, int b) {{\n" + "".join(f"  {x}\n" for x in lines) + "}\n"


def drawn_host_loops(rng: Random, functions: int) -> str:
    """Return a file of host functions; a comment stands where each round of a loop begins."""
    return HEAD + "\n".join(_Drawn(rng).function(f"host_{k}") for k in range(functions))
