"""Programs as text, for people and tests."""

from __future__ import annotations

from collections.abc import Iterator

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
from symcute.kernel.ir.program import (
    Atomic,
    Barrier,
    Commit,
    Fence,
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
    Promise,
    Scope,
    Signal,
    Stmt,
    Store,
    Type,
    Wait,
)
from symcute.kernel.ir.semantics import BITS, GATHERS

__all__ = ["listing", "show_expr"]


def show_type(type: Type | None) -> str:
    """Return `i32`, `u64`, `bool`, `ptr`."""
    if isinstance(type, Int):
        return "bool" if type.bits == 1 else f"{'i' if type.signed else 'u'}{type.bits}"
    return "ptr" if isinstance(type, Pointer) else "-"


def show_expr(e: Expr) -> str:
    """Return an expression on one line; a type stands where it is not an `int`.

    >>> from symcute.kernel.ir.place import Place
    >>> i32 = Int(32, True)
    >>> show_expr(Binary("+", Var("i", i32), Const(1, i32), i32, Place("k.cu", 1, 1)))
    '(i + 1)'
    """
    match e:
        case Const(value, type):
            return (
                str(value) if type.bits in (1, 32) and type.signed else f"{value}:{show_type(type)}"
            )
        case Var(name) | Builtin(name):
            return name
        case Base(array):
            return f"&{array}"
        case Unary(op, arg) if op in BITS:
            return f"{op}({show_expr(arg)})"
        case Unary(op, arg):
            return f"{op}{show_expr(arg)}"
        case Binary(op, left, right, type):
            shown = "" if type in (Int(32, True), Int(1, False)) else f":{show_type(type)}"
            if op in ("min", "max"):
                return f"{op}{shown}({show_expr(left)}, {show_expr(right)})"
            return f"({show_expr(left)} {op}{shown} {show_expr(right)})"
        case Select(test, then, other):
            return f"({show_expr(test)} ? {show_expr(then)} : {show_expr(other)})"
        case Cast(arg, type):
            return f"{show_type(type)}({show_expr(arg)})"
        case PtrAdd(pointer, index, scale):
            times = f"*{scale}" if scale != 1 else ""
            return f"{show_expr(pointer)}[{show_expr(index)}{times}]"


def _parameter(p: Param) -> str:
    within = f" of {p.within.low} to {p.within.high}" if p.within not in (None, p.type) else ""
    return f"{show_type(p.type)} {p.name}{within}"


def listing(kernel: Kernel) -> str:
    """Return a kernel as text: its parameters, arrays and statements."""
    head = ", ".join(map(_parameter, kernel.params))
    lines = [f"kernel {kernel.name}({head})"]
    named = {p.array for p in kernel.params}
    for a in kernel.arrays:
        if a.name not in named:
            size = "?" if a.bytes is None else str(a.bytes)
            lines.append(f"  {a.space} {a.name}: {size} bytes, aligned to {a.alignment}")
    lines += _block(kernel.body, 1)
    return "\n".join(lines) + "\n"


def _block(statements: tuple[Stmt, ...], depth: int) -> Iterator[str]:
    for s in statements:
        for line in _lines(s):
            yield "  " * depth + line


def _lines(s: Stmt) -> Iterator[str]:
    match s:
        case Let(name, value):
            yield f"{name} = {show_expr(value)}"
        case Load(pointer, width, parts=parts, late=late, agent=agent):
            into = ", ".join(f"{n}:{show_type(t)}@{o}" for n, o, t in parts)
            when = "late " if late else f"{agent}'s " if agent else ""
            yield f"{into + ' = ' if into else ''}{when}load{width} {show_expr(pointer)}"
        case Store(pointer, width, value=value, late=late, agent=agent):
            shown = "_" if value is None else show_expr(value)
            when = "late " if late else f"{agent}'s " if agent else ""
            yield f"{when}store{width} {show_expr(pointer)} = {shown}"
        case Atomic(op, pointer, width, result=result, value=value):
            into = f"{result[0]} = " if result else ""
            shown = "_" if value is None else show_expr(value)
            yield f"{into}{op}{width} {show_expr(pointer)} {shown}"
        case Havoc(name, type, reason, low=low, high=high, uniform=uniform):
            within = f" in [{low}, {high}]" if low is not None or high is not None else ""
            same = " uniform" if uniform else ""
            yield f"{name} = any {show_type(type)}{within}{same} ({reason})"
        case If(test, then, other):
            yield f"if {show_expr(test)}:"
            yield from _block(then, 1)
            if other:
                yield "else:"
                yield from _block(other, 1)
        case Loop(label, before, test, body, step, test_last=last):
            shown = "" if test is None else f" {'until not' if last else 'while'} {show_expr(test)}"
            yield f"loop {label}{shown}:"
            yield from _block(body, 1)
            if step:
                yield "step:"
                yield from _block(step, 1)
            if before:
                yield "before the test:"
                yield from _block(before, 1)
        case Scope(label, body):
            yield f"scope {label}:"
            yield from _block(body, 1)
        case Leave(label, stops=stops):
            yield f"leave {label}{', which stops the launch' if stops else ''}"
        case Barrier(scope, number=number):
            yield f"barrier {scope}{'' if number is None else f' with number {number}'}"
        case Commit():
            yield "commit"
        case Wait(groups):
            yield "wait for all" if groups is None else f"wait for all groups but {groups}"
        case Signal(op, pointer, value):
            given = "" if value is None else f" {show_expr(value)}"
            what = "barrier" if op in GATHERS else "mbarrier"
            yield f"{what} {op} {show_expr(pointer)}{given}"
        case Fence(of):
            yield f"fence {of}"
        case Promise(name, test, believed=believed):
            shown = "?" if test is None else show_expr(test)
            yield f"promise {shown} ({name}{'' if believed else ', which may be checked'})"
        case NotUnderstood(reason, place, variables, arrays, barrier, effect):
            sets = "anything" if variables is None else ", ".join(variables) or "nothing"
            touches = "anything" if arrays is None else ", ".join(arrays) or "nothing"
            may = ", a barrier" if barrier else ""
            may += "" if effect == "any" else f", {effect} alone"
            yield f"?? {reason} (sets {sets}, touches {touches}{may}) at {place}"
