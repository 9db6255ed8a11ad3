"""Drawn kernels of one loop: as C++, and in plain Python at sizes that are numbers.

A loop counts, halves or multiplies; beside its counter it carries up to two numbers, which add,
double, halve, go round or are exchanged; it may leave early, and numbers are used behind it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

Expr = int | str | tuple[str, "Expr", "Expr"]
#: A test (None: always), what is done: set, store, load, barrier, break; a name and a term.
Step = tuple[Expr | None, str, str, Expr]

RACES = ("write_race_free", "read_write_race_free")
WORDS = {"t": "(int)threadIdx.x", "p": "(int)blockDim.x"}
#: After so many rounds a loop is taken for one without end.
MOST_ROUNDS = 400


class Overflow(Exception):
    """A number left its type, or a divisor was 0."""


class Endless(Exception):
    """A loop with too many rounds."""


class _Left(Exception):
    pass


def text(e: Expr) -> str:
    """Return an expression in C++."""
    if not isinstance(e, tuple):
        return WORDS.get(str(e), str(e))
    return f"({text(e[1])} {e[0]} {text(e[2])})"


def value(e: Expr, at: dict[str, int]) -> int:
    """Return what an expression is, by the rules of C."""
    if not isinstance(e, tuple):
        return e if isinstance(e, int) else at[e]
    a, b = value(e[1], at), value(e[2], at)
    if e[0] in "/%" and b == 0:
        raise Overflow
    quotient = 0 if e[0] not in "/%" else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    found = {
        "+": a + b, "-": a - b, "*": a * b, "/": quotient, "%": a - b * quotient,
        "^": a ^ b, ">>": a >> 1, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b,
        "==": a == b, "!=": a != b,
    }[e[0]]  # fmt: skip
    if not -(2**31) <= found < 2**31:
        raise Overflow
    return int(found)


@dataclass(frozen=True)
class Program:
    """A loop with what is before and behind it; extents of a and, in shared memory, of s."""

    start: Expr
    test: Expr
    step: Expr
    before: tuple[Step, ...]
    body: tuple[Step, ...]
    behind: tuple[Step, ...]
    sizes: tuple[Expr, Expr]
    power: bool

    def source(self) -> str:
        """Return the kernel, with its notes."""
        sizes = [text(e).replace(WORDS["p"], "p") for e in self.sizes]
        before, body, behind = ("".join(map(_line, x)) for x in self._parts())
        return (
            f"// symcute: launch grid=1 block=(p) shared=4*{sizes[1]}\n"
            "// symcute: assume p <= 64\n// symcute: assume n <= 2**20\n"
            + "// symcute: assume pow2(p)\n"
            * self.power
            + f"// symcute: extent a = {sizes[0]}\n// symcute: extent o = p\n"
            "__global__ void k(int *a, int *o, int n) {\n"
            "  extern __shared__ int s[];\n  int v = 0, u = 0, w = 0;\n"
            f"{before}  for (int h = {text(self.start)}; {text(self.test)}; h = {text(self.step)})"
            f" {{\n{body}  }}\n{behind}  o[threadIdx.x] = v;\n}}\n"
        )

    def _parts(self) -> tuple[tuple[Step, ...], ...]:
        return self.before, self.body, self.behind

    def wrong(self, n: int, p: int) -> set[str]:
        """Return what is untrue at two sizes; of races only where nothing else is."""
        ways = [list(self._thread({"t": t, "n": n, "p": p, "u": 0, "w": 0})) for t in range(p)]
        places = {"a": value(self.sizes[0], {"n": n, "p": p})}
        places["s"] = value(self.sizes[1], {"n": n, "p": p})
        found: set[str] = set()
        for way in ways:
            for kind, array, k in way:
                if array and not 0 <= k < places[array]:
                    found.add("in_bounds")
                if kind == "overflow":
                    found.add("no_overflow")
        return found if "no_overflow" in found else found | _races(ways)

    def _thread(self, at: dict[str, int]) -> Iterator[tuple[str, str, int]]:
        """Yield what a thread does: kind, array, element."""
        rounds = 0
        try:
            yield from self._steps(self.before, at)
            at["h"] = value(self.start, at)
            while value(self.test, at):
                rounds += 1
                if rounds > MOST_ROUNDS:
                    raise Endless
                try:
                    yield from self._steps(self.body, at)
                except _Left:
                    break
                at["h"] = value(self.step, at)
            yield from self._steps(self.behind, at)
        except Overflow:
            yield "overflow", "", 0

    def _steps(
        self, steps: Sequence[Step], at: dict[str, int]
    ) -> Iterator[tuple[str, str, int]]:  # fmt: skip
        for test, kind, name, e in steps:
            if test is not None and not value(test, at):
                continue
            if kind == "set":
                at[name] = value(e, at)
            elif kind == "break":
                raise _Left
            else:
                yield kind, name, value(e, at) if name else 0


def _races(ways: list[list[tuple[str, str, int]]]) -> set[str]:
    counts = {sum(kind == "barrier" for kind, _, _ in way) for way in ways}
    if len(counts) > 1:
        return {"barrier_uniform"}
    users: dict[tuple[int, str, int], list[tuple[str, int]]] = {}
    for t, way in enumerate(ways):
        between = 0
        for kind, array, k in way:
            between += kind == "barrier"
            if array:
                users.setdefault((between, array, k), []).append((kind, t))
    found: set[str] = set()
    for each in users.values():
        writers = {t for kind, t in each if kind == "store"}
        readers = {t for kind, t in each if kind == "load"}
        if len(writers) > 1:
            found.add(RACES[0])
        if any(a != b for a in writers for b in readers):
            found.add(RACES[1])
    return found


def _line(step: Step) -> str:
    test, kind, name, e = step
    done = {
        "set": f"{name} = {text(e)};", "store": f"{name}[{text(e)}] = 1;",
        "load": f"v += {name}[{text(e)}];", "barrier": "__syncthreads();", "break": "break;",
    }[kind]  # fmt: skip
    return f"    {'' if test is None else f'if ({text(test)}) '}{done}\n"


def drawn(random: Random) -> Program:
    """Return a program, of which about half of the questions are true."""
    stages = random.choice([2, 3, 4])
    choice = random.choice

    def number() -> str:
        return choice(["h", "u", "w"])

    def index(first: str) -> Expr:
        options: list[Expr] = [
            ("+", "t", first), ("+", "t", first), "t", "t", first, ("-", first, 1),
            ("^", "t", first),
            ("+", ("*", first, "p"), "t"), ("+", ("*", ("%", first, stages), "p"), "t"),
            ("*", "t", first), ("+", ("*", ("*", 2, first), "t"), first),
            ("%", ("+", "t", first), choice(["p", "n"])), ("-", ("-", "p", 1), "t"),
        ]  # fmt: skip
        return choice(options)

    def changed(x: str) -> Expr:
        options: list[Expr] = [
            ("/", x, 2), (">>", x, 1), ("*", x, 2), ("+", x, x), ("+", x, 1), ("+", x, "p"),
            ("-", x, 2), ("/", ("+", x, 1), 2), ("^", x, 1), ("%", ("+", x, 1), stages),
            ("+", x, choice(["u", "w"])), ("-", stages - 1, x), ("*", x, 3), ("-", "n", x),
        ]  # fmt: skip
        return choice(options)

    def guard(x: str) -> Expr | None:
        options: list[Expr | None] = [
            None, None, None, ("<", "t", x), (">=", "t", x), ("<", ("+", "t", x), "n"),
            ("<", ("+", "t", x), "p"), ("==", "t", 0), ("<", ("*", ("*", 2, x), "t"), "p"),
            ("<", "t", "n"), (">", x, 0), ("<", x, "n"), ("==", ("%", x, 2), 0),
        ]  # fmt: skip
        return choice(options)

    def step(inside: bool) -> Step:
        own = number() if inside else choice(["u", "w"])
        kind = choice([*["store"] * 3, *["load"] * 2, "barrier", *["set"] * 3, "break"])
        if kind == "set":
            name = choice(["u", "w"])
            return guard(own), kind, name, changed(name)
        if kind == "break":
            test: Expr = ("==", own, choice([0, 1, 2]))
            return (test, kind, "", 0) if inside else (None, "barrier", "", 0)
        if kind == "barrier":
            return None, kind, "", 0
        return guard(own), kind, choice("as") if kind == "store" else "s", index(own)

    starts: list[Expr] = [1, 1, 2, 0, "n", "p", "t", ("/", "n", 2), (">>", "p", 1), ("-", "n", 1)]
    down = random.random() < 0.35
    begins: list[Expr] = ["n", "p", ("/", "n", 2), (">>", "p", 1)] if down else starts[:4]
    tests: list[Expr] = [("<", "h", "n"), ("<=", "h", "n"), ("<", "h", "p")]
    tests.append(("<", "h", ("-", "n", 1)))
    moves: list[Expr] = [("*", "h", 2), ("+", "h", "h"), ("+", "h", 1), ("+", "h", "p")]
    moves.append(("*", "h", 3))
    if down:
        tests = [(">", "h", 0), (">", "h", 1), (">=", "h", 1)]
        moves = [("/", "h", 2), (">>", "h", 1), ("-", "h", 1), ("/", "h", 3)]
    extents: list[Expr] = [
        "n", "p", ("+", "n", "p"), ("*", 2, "n"), ("*", 2, "p"), ("*", "n", "p"),
        ("*", stages, "p"),
    ]  # fmt: skip
    return Program(
        choice(begins), choice(tests), choice(moves),
        tuple((None, "set", name, choice(starts)) for name in "uw"),
        tuple(step(True) for _ in range(random.randint(1, 4))),
        tuple(step(False) for _ in range(random.randint(0, 2))),
        (choice(extents), choice(extents)), random.random() < 0.3,
    )  # fmt: skip
