"""Random C++ with integers: the same text for a C++ compiler and for the front end.

What is generated is defined under `-fwrapv`: counts of shifts are masked, divisors are never 0, and
side effects stand where C++17 orders them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

TYPES = (
    "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long long",
    "unsigned long long",
)  # fmt: skip
BITS = (8, 8, 16, 16, 32, 32, 64, 64)
PARAMETERS = "abcdefgh"
OUTPUTS = 12

CALLS = (
    "twice({0})", "pick({0}, {1})", "symexecute({0})", "mixed({0}, {1})",
    "mixed<unsigned char>({0}, {1})", "(int)min((int){0}, (int){1})",
    "max((unsigned){0}, (unsigned){1})", "static_cast<short>({0})",
)  # fmt: skip

HEAD = """
struct pair { int x; unsigned char y; };
__device__ int twice(short v) { return v * 2; }
__device__ unsigned pick(unsigned v, int w) { if (v & 1) return w; if (w > 5) return v;
  return 7; }
__device__ void bump(int &r, unsigned short *p) { r += 3; *p = *p - 1; (*p)++; *p += r; }
__device__ int symexecute(int v) { int s = 0;
  for (int i = v & 7; i; --i) { if (i == 3) continue; s += i; } return s; }
template <class T, class U> __device__ auto quotient(T v, U w) { return v / w; }
template <class T, class U> __device__ auto rest(T v, U w) { return v % w; }
template <class T> __device__ T mixed(T v, int w) { T u = v; u *= w; return u ^ (T)w; }
__device__ pair swapped(pair p) { pair q = {p.y, (unsigned char)p.x}; return q; }
"""


@dataclass
class Writer:
    """Writes the body of one function."""

    rng: Random
    locals: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    count: int = 0
    loops: int = 0

    def name(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def variable(self) -> str:
        return self.rng.choice([*self.locals, *PARAMETERS])

    def literal(self) -> str:
        r = self.rng
        return r.choice(
            [
                str(r.randrange(10)), str(r.randrange(1 << 31)), f"{r.randrange(1 << 32)}u",
                f"0x{r.randrange(1 << 16):x}", "'q'", "true", "2147483647", "(-2147483647 - 1)",
                f"{r.randrange(1 << 62)}ll", f"{r.randrange(1 << 63)}ull", "sizeof(int)", "-1",
            ]
        )  # fmt: skip

    def leaf(self) -> str:
        return self.literal() if self.rng.random() < 0.3 else self.variable()

    def expression(self, depth: int) -> str:
        r = self.rng
        if depth == 0:
            return self.leaf()
        one, two = self.expression(depth - 1), self.expression(depth - 1)
        kind = r.randrange(26)
        if kind < 8:
            return f"({one} {r.choice(['+', '-', '*', '&', '|', '^'])} {two})"
        if kind < 10:
            # No divisor is -1, since the smallest number divided by it traps; and a compiler that
            # sees -(x / 2) makes x / -2 of it.
            return f"{r.choice(['quotient', 'rest'])}({one}, ({two} & 63) + 1)"
        if kind < 12:
            return f"({one} {r.choice(['<<', '>>'])} ({two} & 7))"
        if kind < 14:
            return f"({one} {r.choice(['<', '<=', '>', '>=', '==', '!='])} {two})"
        if kind < 16:
            return f"({one} {r.choice(['&&', '||'])} {two})"
        if kind < 18:
            return f"({one} ? {two} : {self.expression(depth - 1)})"
        if kind < 20:
            return f"{r.choice(['-', '~', '!', '+'])}({one})"
        if kind < 22:
            return f"(({r.choice(TYPES)}){one})"
        return r.choice(CALLS).format(one, two)

    def statement(self, depth: int) -> None:
        r = self.rng
        kind = r.randrange(22)
        add = self.lines.append
        if kind < 5:
            type = r.choice(TYPES)
            value = self.expression(2)
            name = self.name()
            # What is added is no bool, which could not be counted up.
            add(r.choice([f"{type} {name} = {value};", f"auto {name} = 0 + {value};"]))
            self.locals.append(name)
        elif not self.locals:
            self.statement(depth)
        elif kind < 9:
            op = r.choice(["=", "+=", "-=", "*=", "&=", "|=", "^="])
            add(f"{r.choice(self.locals)} {op} {self.expression(2)};")
        elif kind == 9:
            add(f"{r.choice(self.locals)} {r.choice(['<<=', '>>='])} ({self.expression(1)} & 7);")
        elif kind == 10:
            add(f"{r.choice(self.locals)} {r.choice('/%')}= (({self.expression(1)} & 31) + 1);")
        elif kind == 11:
            name = self.name()
            old = r.choice(self.locals)
            step = r.choice([f"{old}++", f"--{old}", f"++{old}", f"{old}--"])
            add(f"long long {name} = {step};")
            self.locals.append(name)
        elif kind == 12:
            a, b = r.choice(self.locals), r.choice(self.locals)
            add(f"if ({self.expression(1)} && ++{a}) {b} += 1;")
        elif kind == 13:
            a, b = r.choice(self.locals), r.choice(self.locals)
            add(f"{a} = {b} = {self.expression(2)};")
        elif kind == 14:
            a = r.choice(self.locals)
            add(f"{a} = ({a}++, {self.expression(1)} ? {a} : {a} + 2);")
        elif kind == 15:
            n = self.name()
            add(f"int {n} = {self.expression(1)}; unsigned short {n}s = {self.leaf()};")
            add(f"bump({n}, &{n}s); bump({n}, &{n}s);")
            self.locals += [n, f"{n}s"]
        elif kind == 16:
            n = self.name()
            add(f"pair {n} = {{(int){self.leaf()}, (unsigned char){self.leaf()}}};")
            add(f"{n} = swapped({n}); {n}.x += {self.leaf()}; {n}.y--;")
            add(f"pair {n}b = {n}; {n}b.y += {n}.x;")
            self.locals += [f"{n}.x", f"{n}.y", f"{n}b.y"]
        elif kind == 17:
            n = self.name()
            add(f"int {n}[3] = {{(int){self.leaf()}, 2}};")
            add(f"{n}[2] = {self.expression(1)}; {n}[{self.leaf()} & 1] += 5;")
            add(f"int *{n}p = {n}; *++{n}p -= 4; {n}p[1] ^= {n}p - {n};")
            self.locals += [f"{n}[1]", f"{n}[2]", f"(*{n}p)"]
        elif depth > 0:
            self.block(kind, depth)
        else:
            self.statement(depth)

    def block(self, kind: int, depth: int) -> None:
        r, add = self.rng, self.lines.append
        outer = list(self.locals)
        if kind == 18:
            add(f"if ({self.expression(2)}) {{")
            self.body(depth)
            if r.random() < 0.6:
                self.locals = list(outer)
                add("} else {")
                self.body(depth)
            add("}")
        elif kind == 19:
            i = self.name()
            self.loops += 1
            down = r.random() < 0.4
            head = f"int {i} = {r.randrange(1, 6)}; {i} > 0; {i}--" if down else (
                f"int {i} = 0; {i} < {r.randrange(1, 6)}; {i} += {r.randrange(1, 3)}")  # fmt: skip
            add(f"for ({head}) {{")
            if r.random() < 0.5:
                add(f"if ({self.expression(1)} > 90) {r.choice(['continue', 'break'])};")
            add(f"{r.choice(outer)} += {i};")
            self.body(depth)
            add("}")
            self.loops -= 1
        elif kind == 20:
            i = self.name()
            add(f"int {i} = {r.randrange(4)};")
            first = r.random() < 0.5
            add(f"while ({i}-- > 0) {{" if first else f"do {{ if (++{i} > 4) break;")
            self.body(depth)
            add("}" if first else f"}} while ({i} < 3);")
        else:
            add(f"switch ({self.expression(1)} & 3) {{")
            for label in r.sample(["case 0:", "case 1:", "case 2:", "default:"], 3):
                self.locals = list(outer)
                add(f"{label} {{")
                self.body(depth)
                add(r.choice(["} break;", "} break;", "}"]))
            add("}")
        self.locals = outer

    def body(self, depth: int) -> None:
        for _ in range(self.rng.randrange(1, 4)):
            self.statement(depth - 1)


def kernel(rng: Random, name: str) -> str:
    """Return the text of one kernel that puts numbers into `out`."""
    w = Writer(rng)
    for _ in range(rng.randrange(4, 12)):
        w.statement(2)
    outputs = [w.variable() for _ in range(OUTPUTS)]
    w.lines += [f"out[{n}] = {v};" for n, v in enumerate(outputs)]
    head = ", ".join(f"{t} {p}" for t, p in zip(TYPES, PARAMETERS, strict=True))
    inner = "\n  ".join(w.lines)
    return f"__global__ void {name}(long long *out, {head}) {{\n  {inner}\n}}\n"


def arguments(rng: Random) -> tuple[int, ...]:
    """Return arguments for the parameters: small ones, and those at the ends of the types."""
    found = []
    for bits, type in zip(BITS, TYPES, strict=True):
        signed = not type.startswith("unsigned")
        low = -(1 << bits - 1) if signed else 0
        high = (1 << bits - signed) - 1
        near = rng.randrange(0, 9)
        found.append(rng.choice([near, near, low, high, high - near, low + near,
                                 rng.randint(low, high)]))  # fmt: skip
    return tuple(found)
