"""Programs written by hand, as a front end would hand them over."""

from __future__ import annotations

from itertools import count
from typing import Any

from symcute.frontends.cuda.target import CUDA
from symcute.kernel.ir.expression import Base, Binary, Builtin, Cast, Const, Expr, PtrAdd, Var
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import (
    Array,
    Barrier,
    If,
    Int,
    Kernel,
    Leave,
    Let,
    Load,
    Loop,
    Param,
    Pointer,
    Stmt,
    Store,
)
from symcute.kernel.ir.setting import Setting

I32, U32, I64, BOOL = Int(32, True), Int(32, False), Int(64, True), Int(1, False)
_LINES = count(1)
TESTS = {"<", "<=", ">", ">=", "==", "!=", "&&", "||"}


def at() -> Place:
    """A place that nothing else has."""
    return Place("k.cu", next(_LINES), 1)


def n(value: int, type: Int = I32) -> Const:
    return Const(value, type)


def v(name: str, type: Int = I32) -> Var:
    return Var(name, type)


def op(sign: str, left: Expr, right: Expr) -> Binary:
    type: Any = BOOL if sign in TESTS else left.type
    return Binary(sign, left, right, type, at())


TX = Cast(Builtin("threadIdx.x", U32), I32, at())
BX = Cast(Builtin("blockIdx.x", U32), I32, at())
WIDTH = Cast(Builtin("blockDim.x", U32), I32, at())
GLOBAL_X = Let("i", op("+", op("*", BX, WIDTH), TX), at())


def place_of(array: str, index: Expr, scale: int = 4) -> PtrAdd:
    return PtrAdd(Base(array), index, scale, at())


def store(array: str, index: Expr, value: Expr | None = None, width: int = 4) -> Store:
    return Store(place_of(array, index, width), width, at(), value)


def load(array: str, index: Expr, into: str | None = None, width: int = 4) -> Load:
    parts = () if into is None else ((into, 0, I32),)
    return Load(place_of(array, index, width), width, at(), parts)


def let(name: str, value: Expr) -> Let:
    return Let(name, value, at())


def when(test: Expr, *then: Stmt, other: tuple[Stmt, ...] = ()) -> If:
    return If(test, then, other, at())


def leave(label: str = "kernel") -> Leave:
    return Leave(label, at())


def barrier(scope: str = "block") -> Barrier:
    return Barrier(scope, at())


def loop(label: str, test: Expr, *body: Stmt, step: tuple[Stmt, ...] = ()) -> Loop:
    return Loop(label, (), test, body, step, at())


def kernel(*body: Stmt, ints: tuple[str, ...] = ("n",), **arrays: str) -> Kernel:
    """A kernel with int parameters and arrays of 4-byte integers: `x="global"`, `s="shared:64"`."""
    params = [Param(name, I32, at(), "int") for name in ints]
    memory = []
    for name, text in arrays.items():
        space, _, size = text.partition(":")
        if space == "global":
            params.append(Param(name, Pointer(), at(), "int *", name))
        bytes_ = 4 * int(size) if size else None
        memory.append(Array(name, space, 4, bytes_, 16, at(), f"int {name}", I32))
    return Kernel("k", tuple(params), tuple(memory), body, at(), CUDA)


def launch(grid: Any = 1, block: Any = 1, **more: Any) -> Setting:
    """A setting with blocks and threads in x only."""
    return Setting((grid, 1, 1), (block, 1, 1), **more)
