"""Random kernels as programs: small, and with every statement that a front end writes."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from symcute.expr.assumptions import dims
from symcute.frontends.cuda.target import CUDA
from symcute.kernel.ir.expression import (
    Base,
    Binary,
    Builtin,
    Cast,
    Const,
    Expr,
    PtrAdd,
    Select,
    Unary,
    Var,
)
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import (
    Array,
    Atomic,
    Barrier,
    Havoc,
    If,
    Int,
    Kernel,
    Leave,
    Let,
    Load,
    Loop,
    NotUnderstood,
    Param,
    Pointer,
    Scope,
    Stmt,
    Store,
    Type,
)
from symcute.kernel.ir.setting import Setting

U32, I32, BOOL, POINTER = Int(32, False), Int(32, True), Int(1, False), Pointer()
TYPES = (I32, U32, I32, U32, Int(8, True), Int(8, False), Int(64, True), Int(64, False))
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


@dataclass
class Writer:
    """Writes one kernel."""

    rng: Random
    type: Int
    #: Threads come to the same barriers: loops and what may leave them do not ask who they are.
    calm: bool = False
    inside: int = 0  # how many conditions are around
    line: int = 0
    labels: int = 0
    size: int = 0
    variables: list[str] = field(default_factory=list)
    pointers: list[str] = field(default_factory=list)
    breaks: list[str] = field(default_factory=list)
    frozen: list[str] = field(default_factory=list)  # what loops count by
    #: What is read where it may not have been set: a front end says so at the start.
    astray: dict[str, Type] = field(default_factory=dict)

    def place(self) -> Place:
        self.line += 1
        return Place("k.cu", self.line, 1)

    def chance(self, percent: int) -> bool:
        return self.rng.randrange(100) < percent

    # --- expressions ----------------------------------------------------------------------------

    def const(self, low: int = 0, high: int = 6) -> Const:
        return Const(self.rng.randint(low, high), self.type)

    def builtin(self) -> Expr:
        name = self.rng.choice(["threadIdx.x", "threadIdx.x", "blockIdx.x", "blockDim.x"])
        if self.chance(10):
            name = self.rng.choice(["threadIdx.y", "gridDim.x", "laneId", "warpSize"])
        return self.cast(Builtin(name, U32), self.type)

    def cast(self, e: Expr, type: Int) -> Expr:
        if e.type == type:
            return e
        return Cast(e, type, self.place(), self.chance(40))

    def leaf(self) -> Expr:
        kind = self.rng.randrange(10)
        if kind < 4 and self.variables:
            return Var(self.rng.choice(self.variables), self.type)
        if kind < 6:
            return Var(self.rng.choice(["n", "m"]), self.type)
        return self.builtin() if kind < 8 else self.const()

    def number(self, depth: int = 2) -> Expr:
        if depth == 0 or self.chance(30):
            return self.leaf()
        kind = self.rng.randrange(22)
        if kind < 12:
            op = self.rng.choice(["+", "+", "-", "*"])
            return Binary(
                op, self.number(depth - 1), self.number(depth - 1), self.type, self.place()
            )
        if kind < 14:
            op = self.rng.choice(["/", "%"])
            right = self.const(1, 5) if self.chance(70) else self.number(depth - 1)
            return Binary(op, self.number(depth - 1), right, self.type, self.place())
        if kind < 16:
            right = Const(self.rng.choice([1, 3, 7, 2, 4, 6]), self.type)
            op = self.rng.choice(["&", "&", "|", "^"])
            return Binary(op, self.number(depth - 1), right, self.type, self.place())
        if kind < 18:
            op = self.rng.choice(["<<", ">>"])
            right = self.const(0, 3) if self.chance(80) else self.number(0)
            return Binary(op, self.number(depth - 1), right, self.type, self.place())
        if kind == 18:
            op = self.rng.choice(["min", "max"])
            return Binary(
                op, self.number(depth - 1), self.number(depth - 1), self.type, self.place()
            )
        if kind == 19:
            return Unary(self.rng.choice("-~"), self.number(depth - 1), self.type, self.place())
        if kind == 20:
            return Select(self.truth(1), self.number(depth - 1), self.number(depth - 1), self.type)
        other = self.rng.choice(TYPES)
        return self.cast(self.cast(self.number(depth - 1), other), self.type)

    def truth(self, depth: int = 2) -> Expr:
        if depth and self.chance(25):
            if self.chance(20):
                return Unary("!", self.truth(depth - 1), BOOL, self.place())
            op = self.rng.choice(["&&", "||"])
            return Binary(op, self.truth(depth - 1), self.truth(depth - 1), BOOL, self.place())
        op = self.rng.choice(COMPARISONS)
        return Binary(op, self.number(1), self.number(1), BOOL, self.place())

    def pointer(self) -> Expr:
        if self.pointers and self.chance(30):
            base: Expr = Var(self.rng.choice(self.pointers), POINTER)
        elif self.chance(10):
            base = Select(self.truth(1), Base("x"), Base("y"), POINTER)
        elif self.chance(30):
            base = Var(self.rng.choice("xyr"), POINTER)
        else:
            base = Base(self.rng.choice(["x", "y", "sh", "sh", "p", "r"]))
        index = self.number(2) if self.chance(80) else self.const()
        return PtrAdd(base, index, 4, self.place())

    # --- statements -----------------------------------------------------------------------------

    def fresh(self) -> str:
        return f"v{len(self.variables)}_{self.line}"

    def target(self) -> str:
        """Return a variable to set: an old one or a new one."""
        old = [v for v in self.variables if v not in self.frozen]
        if old and self.chance(60):
            return self.rng.choice(old)
        name = self.fresh()
        self.variables.append(name)
        return name

    def block(self, depth: int, most: int) -> tuple[Stmt, ...]:
        found: list[Stmt] = []
        for _ in range(self.rng.randint(1, most)):
            found += self.statement(depth)
        return tuple(found)

    def statement(self, depth: int) -> list[Stmt]:
        self.size += 1
        kind = self.rng.randrange(100)
        if depth and self.size < 24:
            if kind < 14:
                return [self.branch(depth)]
            if kind < 34:
                return self.loop(depth)
            if kind < 37:
                self.labels += 1
                label = f"S{self.labels}"
                self.inside += 1
                body = self.block(depth - 1, 2)
                self.inside -= 1
                leave = If(self.truth(1), (Leave(label, self.place()),), (), self.place())
                known = len(self.variables), len(self.pointers)
                self.inside += 1
                rest = self.block(depth - 1, 2)
                self.inside -= 1
                self.stray(*known)
                return [Scope(label, (*body, leave, *rest))]
        if kind < 50:
            value = self.number()
            return [Let(self.target(), value, self.place())]
        if kind < 64:
            value = self.number(1) if self.chance(60) else None
            return [Store(self.pointer(), 4, self.place(), value and self.cast(value, I32))]
        if kind < 76:
            pointer = self.pointer()
            name = f"l{self.line}"
            load = Load(pointer, 4, self.place(), ((name, 0, I32),))
            value = self.cast(Var(name, I32), self.type)
            return [load, Let(self.target(), value, self.place())]
        if kind < 86 and not (self.calm and self.inside):
            return [Barrier("block" if self.chance(85) else "warp", self.place())]
        if kind < 89:
            low = self.rng.randint(0, 3)
            high = low + self.rng.randint(0, 3)
            uniform = self.chance(40)
            return [Havoc(self.target(), self.type, "any", self.place(), low, high, uniform)]
        if kind < 91:
            at = self.pointer()
            return [Atomic("atomicAdd", at, 4, self.place(), None, Const(1, I32))]
        if kind < 94:
            value = self.pointer()
            name = f"q{len(self.pointers)}"
            if self.pointers and self.chance(50):
                name = self.rng.choice(self.pointers)
            else:
                self.pointers.append(name)
            return [Let(name, value, self.place())]
        if kind < 96 and depth < 3 and not self.calm:
            return [If(self.truth(1), (Leave("kernel", self.place()),), (), self.place())]
        if kind < 98 and self.breaks and not self.calm:
            label = self.rng.choice(self.breaks)
            return [If(self.truth(1), (Leave(label, self.place()),), (), self.place())]
        known = len(self.variables), len(self.pointers)
        made = Let(self.target(), self.number(), self.place())
        self.stray(*known)  # it may be set to what it was
        return [made]

    def stray(self, known: int, pointers: int) -> None:
        """Keep in mind what has been named since, and may be read behind here."""
        self.astray |= dict.fromkeys(self.variables[known:], self.type)
        self.astray |= dict.fromkeys(self.pointers[pointers:], POINTER)

    def branch(self, depth: int) -> Stmt:
        test = self.truth()
        self.inside += 1
        known, pointers = len(self.variables), len(self.pointers)
        then = self.block(depth - 1, 3)
        if self.chance(70):  # else what is set here may be read where it is not set
            del self.variables[known:], self.pointers[pointers:]
        self.stray(known, pointers)
        other = self.block(depth - 1, 2) if self.chance(40) else ()
        if self.chance(70):
            del self.variables[known:], self.pointers[pointers:]
        self.stray(known, pointers)
        self.inside -= 1
        return If(test, then, other, self.place())

    def loop(self, depth: int) -> list[Stmt]:
        self.labels += 1
        label = f"L{self.labels}"
        i = f"i{self.labels}"
        start = self.number(1) if self.chance(60) else self.const(0, 2)
        end = self.number(1) if self.chance(50) else Var(self.rng.choice("nm"), self.type)
        if self.calm:
            start, end = self.const(0, 2), Var(self.rng.choice("nm"), self.type)
        var, down = Var(i, self.type), False
        kind = self.rng.randrange(10)
        if kind < 5:
            step: Expr = Binary("+", var, self.const(1, 2), self.type, self.place())
        elif kind == 5:
            by = self.cast(Builtin("blockDim.x", U32), self.type)
            step = Binary("+", var, by, self.type, self.place())
        elif kind == 6:
            step = Binary("*", var, Const(2, self.type), self.type, self.place())
        elif kind == 7:
            step = Binary(">>", var, Const(1, self.type), self.type, self.place())
            down = True
            start = Const(self.rng.choice([4, 8, 5]), self.type) if self.chance(60) else start
            if self.calm and self.chance(50):
                start = Var(self.rng.choice("nm"), self.type)
        elif kind == 8:
            step = Binary("-", var, self.const(1, 2), self.type, self.place())
            down = True
        else:
            by = self.number(0 if self.calm else 1)
            if self.calm:
                by = Var(self.rng.choice("nm"), self.type)
            step = Binary("+", var, by, self.type, self.place())
        if down:
            test: Expr | None = Binary(">", var, self.const(0, 1), BOOL, self.place())
        else:
            op = "<" if self.chance(70) else self.rng.choice(["<=", "!="])
            test = Binary(op, var, end, BOOL, self.place())
        if self.chance(10) and not self.calm:
            test = Binary("&&", test, self.truth(1), BOOL, self.place())
        before: list[Stmt] = []
        if self.chance(15) and not self.calm:
            name = f"e{self.labels}"
            before = [Load(PtrAdd(Base("r"), self.number(1), 4, self.place()), 4, self.place(),
                           ((name, 0, I32),))]  # fmt: skip
            right = self.cast(Var(name, I32), self.type)
            test = Binary("<", var, right, BOOL, self.place())
        known, pointers = len(self.variables), len(self.pointers)
        self.variables.append(i)
        self.frozen.append(i)
        if self.chance(8) and not self.calm:
            test = None
        self.breaks.append(label)
        body = list(self.block(depth - 1, 3))
        if self.calm and not self.inside and self.chance(70):
            body += [Barrier("block", self.place()), *self.block(depth - 1, 2)]
        if test is None:
            body.append(If(self.truth(1), (Leave(label, self.place()),), (), self.place()))
        self.breaks.pop()
        self.frozen.pop()
        if self.chance(70):
            del self.variables[known + 1 :], self.pointers[pointers:]
        self.stray(known + 1, pointers)
        if self.chance(60):
            self.variables.remove(i)
        steps: list[Stmt] = [Let(i, step, self.place())]
        if self.pointers and self.chance(30):
            q = self.rng.choice(self.pointers)
            moved = PtrAdd(Var(q, POINTER), self.number(0), 4, self.place())
            steps.append(Let(q, moved, self.place()))
        if len(self.pointers) > 1 and self.chance(30):
            q, r = self.pointers[:2]
            steps += [
                Let("swap", Var(q, POINTER), self.place()),
                Let(q, Var(r, POINTER), self.place()),
                Let(r, Var("swap", POINTER), self.place()),
            ]
        if self.chance(15):
            flag = f"f{self.labels}"
            flip = Binary("-", Const(1, self.type), Var(flag, self.type), self.type, self.place())
            steps.append(Let(flag, flip, self.place()))
            body.insert(0, Store(PtrAdd(Base("sh"), Var(flag, self.type), 4, self.place()), 4,
                                 self.place()))  # fmt: skip
            first: list[Stmt] = [Let(flag, Const(0, self.type), self.place())]
        else:
            first = []
        if self.chance(25):  # what is carried from round to round, and is no step
            kept = f"c{self.labels}"
            twice = Binary("*", Var(kept, self.type), Const(2, self.type), self.type, self.place())
            more = Binary("+", twice, self.leaf(), self.type, self.place())
            cut = Binary("&", more, Const(7, self.type), self.type, self.place())
            body += [
                Store(PtrAdd(Base("sh"), Var(kept, self.type), 4, self.place()), 4, self.place()),
                Let(kept, cut, self.place()),
            ]
            if self.chance(50):
                body.append(Load(PtrAdd(Base("sh"), Var(kept, self.type), 4, self.place()), 4,
                                 self.place()))  # fmt: skip
            first.append(Let(kept, self.const(0, 1), self.place()))
        last = self.chance(15)
        made = Loop(label, tuple(before), test, tuple(body), tuple(steps), self.place(), last)
        return [*first, Let(i, start, self.place()), made]


def kernel(rng: Random, *, unsupported: bool = False, calm: bool = False) -> Kernel:
    """Return a kernel; a calm one has its barriers where all threads of a block come to them."""
    w = Writer(rng, I32 if calm else rng.choice(TYPES), calm)
    at = w.place()
    arrays = (
        Array("x", "global", 4, None, 4, at, "int *x", I32),
        Array("y", "global", 4, None, 4, at, "int *y", I32),
        Array("r", "global", 4, None, 4, at, "const int *r", I32),
        Array("sh", "shared", 4, 4096, 4, at, "int sh[1024]", I32),
        Array("p", "private", 4, 64, 4, at, "int p[16]", I32),
    )
    params = (
        *(Param(a, POINTER, at, "int *", a) for a in "xyr"),
        Param("n", w.type, at, "n"),
        Param("m", w.type, at, "m"),
    )
    body = w.block(3, 6)
    if unsupported:
        more = NotUnderstood("asm", w.place(), tuple(w.variables[:1]), ("x",))
        body = (*body, more, *w.block(2, 3))
    unset: list[Stmt] = [
        Let(name, Base("x"), at)
        if isinstance(type, Pointer)
        else Havoc(name, type, "not initialised", at)
        for name, type in w.astray.items()
    ]
    body = (*unset, *body)
    return Kernel("k", params, arrays, body, at, CUDA)


def setting(rng: Random) -> tuple[Setting, dict[str, int]]:
    """Return a launch, and dims at which it is small."""
    g, b, _n, _m = dims("G B n m")
    at = {
        "n": rng.randint(1, 5),
        "m": rng.randint(1, 9),
        "G": rng.randint(1, 2),
        "B": rng.randint(1, 4),
    }
    grid: Any = rng.choice([(1, 1, 1), (2, 1, 1), (g, 1, 1)])
    block: Any = rng.choice([(4, 1, 1), (b, 1, 1), (2, 2, 1), (3, 1, 1), (b, 2, 1)])
    contents: dict[str, tuple[Any, Any]] = {}
    if rng.randrange(2):
        contents["r"] = rng.choice([(0, 5), (0, _n), (-1, 3)])
    return Setting(grid, block, contents=contents), at
