"""Hosts of Triton's kernels, drawn at random, that call functions of theirs for numbers."""

from __future__ import annotations

from random import Random

__all__ = ["drawn_hosts"]

HEAD = '''"""Drawn."""
import torch
import triton
import triton.language as tl
from settings import {names}
LIMIT = 5
FEW = 3


@triton.jit
def row(x, length, stride, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(x + tl.program_id(0) * stride + at, 0.0, mask=at < length)


'''
BESIDE = "import triton\n\nLIMIT = 7\nMORE = LIMIT + 2\n\n\n"
#: Names that functions bind, and that modules have too.
OWN: tuple[str, ...] = ("a", "b", "n", "m", "LIMIT")


class _Drawn:
    """Functions one after the other; `known` are those to be called: parameters, and results."""

    def __init__(self, rng: Random, constants: tuple[str, ...], known: dict[str, tuple[int, int]]):
        self.rng, self.constants, self.known = rng, constants, known
        self.names: list[str] = []
        self.own = OWN
        self.host = False

    def number(self, depth: int = 1) -> str:
        rng = self.rng
        at = rng.randrange(9 if depth else 3)
        if at <= 1 or not depth:
            shapes = ["x.shape[0]", "x.numel()", "y.dim()"] if self.host else []
            constants = [c for c in self.constants if c not in self.own]
            names = [*self.names, *self.names, *constants, *shapes]
            return rng.choice(names) if names and at else str(rng.randint(0, 9))
        a, b = self.number(depth - 1), self.number(depth - 1)
        match at:
            case 2 | 3:
                return f"({a} {rng.choice(['+', '-', '*'])} {b})"
            case 4:
                return f"({a} {rng.choice(['//', '%'])} {b})"
            case 5:
                return f"{rng.choice(['min', 'max', 'triton.cdiv'])}({a}, {b})"
            case 6:
                return f"({a} if {self.test(1)} else {b})"
            case 7:
                return f"triton.next_power_of_2({a})"
        called = self.called(1)
        return called or a

    def test(self, depth: int = 1) -> str:
        rng = self.rng
        at = rng.randrange(8 if depth else 4)
        if at <= 3:
            sign = rng.choice(["<", "<=", ">", ">=", "==", "!="])
            return f"{self.number(1)} {sign} {self.number(0)}"
        if at == 4:
            return f"{self.number(0)} < {self.number(1)} <= {self.number(0)}"
        if at == 5:
            return f"not ({self.test(depth - 1)})"
        if at == 6 and self.names:
            return f"{rng.choice(self.names)} is {rng.choice(['', 'not '])}None"
        return f"({self.test(depth - 1)} {rng.choice(['and', 'or'])} {self.test(depth - 1)})"

    def called(self, results: int) -> str:
        rng = self.rng
        able = [f for f, (_, r) in self.known.items() if r == results]
        if not able:
            return ""
        name = rng.choice(able)
        most, _ = self.known[name]
        given = [self.number(1) for _ in range(most)]
        if most == 2 and rng.random() < 0.5:
            given = [given[0]] if rng.random() < 0.5 else [f"b={given[1]}", f"a={given[0]}"]
        return f"{name}({', '.join(given)})"

    def lines(self, depth: int, end: str) -> list[str]:
        """Return statements; `end` is what may be written for what leaves the function."""
        rng = self.rng
        found: list[str] = []
        for _ in range(rng.randint(1, 2)):
            at = rng.randrange(12)
            name = rng.choice(self.own)
            if at <= 2:
                found.append(f"{name} = {self.number()}")
                self.names.append(name)
            elif at == 3 and self.names:
                name = rng.choice(self.names)
                found.append(f"{name} {rng.choice(['+=', '*=', '-='])} {self.number(1)}")
            elif at <= 5 and self.called(2):
                other = rng.choice(self.own)
                found.append(f"{name}, {other} = {self.called(2)}")
                self.names += [name, other]
            elif at <= 7 and self.called(1):
                found.append(f"{name} = {self.called(1)}")
                self.names.append(name)
            elif at == 8:
                test = self.test()
                found.append(rng.choice([f"assert {test}", f"if {test}: raise ValueError"]))
            elif at <= 10 and depth:
                found.append(f"if {self.test()}:")
                before = [*self.names]
                ways = [self.body(depth - 1, end)]
                if rng.random() < 0.5:
                    self.names = before if rng.random() < 0.5 else self.names
                    ways.append(self.body(depth - 1, end))
                    found += [*ways[0], "else:", *ways[1]]
                else:
                    found += ways[0]
                if rng.random() < 0.6:
                    self.names = before
            elif at == 11 and self.host and depth:
                found.append(f"for {name} in range({self.number(0)} % 4):")
                self.names.append(name)
                found += self.body(depth - 1, end)
        return found

    def body(self, depth: int, end: str) -> list[str]:
        found = self.lines(depth, end)
        if self.rng.random() < 0.3 or not found:
            found.append(self.leaving(end))
        return [f"    {line}" for line in found]

    def leaving(self, end: str) -> str:
        if end == "launch":
            return self.rng.choice(["return", "pass", self.launch(), self.launch()])
        return self.returned(int(end))

    def returned(self, results: int) -> str:
        return f"return {', '.join(self.number() for _ in range(results))}"

    def launch(self) -> str:
        rng = self.rng
        options = f", num_warps={self.number(0)}" if rng.random() < 0.3 else ""
        return f"row[({self.number(1)},)](x, {self.number()}, {self.number()}, 4{options})"

    def helper(self, name: str) -> str:
        rng = self.rng
        parameters, results = rng.randint(1, 2), rng.randint(1, 2)
        default = rng.choice(["", "=2"])
        self.names = ["a", "b"][:parameters]
        self.own = OWN[: rng.choice([4, 5])]
        given = ["a", f"b{default}"][:parameters]
        self.host = False
        body = self.lines(2, str(results))
        if results == 1 or rng.random() < 0.9:
            body.append(self.returned(results))
        self.known[name] = parameters, results
        return _function(f"{name}({', '.join(given)})", body or ["pass"])

    def hosting(self, name: str) -> str:
        self.host, self.names, self.own = True, ["n"], OWN[: self.rng.choice([4, 5])]
        body = [*self.lines(2, "launch"), self.launch()]
        return _function(f"{name}(x, y, n)", body)


def _function(title: str, body: list[str]) -> str:
    return f"def {title}:\n" + "".join(f"    {x}\n" for x in body)


def drawn_hosts(rng: Random, hosts: int) -> tuple[str, str]:
    """Return a file of hosts, and that of the module `settings` beside it."""
    known: dict[str, tuple[int, int]] = {}
    beside = _Drawn(rng, ("LIMIT", "MORE"), known)
    module = [beside.helper(f"beside_{k}") for k in range(rng.randint(1, 4))]
    names = ", ".join(known)
    own = _Drawn(rng, ("LIMIT", "FEW"), known)
    text = [own.helper(f"here_{k}") for k in range(rng.randint(1, 4))]
    text += [own.hosting(f"host_{k}") for k in range(hosts)]
    return HEAD.format(names=names) + "\n\n".join(text), BESIDE + "\n\n".join(module)
