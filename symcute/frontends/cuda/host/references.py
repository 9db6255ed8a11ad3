"""Structs that host functions are handed by reference, taken apart as if by value.

That is what they are as long as nothing else writes them: no other reference does, no memory but
the function's own is written, and what is not understood may have changed them.
"""

from __future__ import annotations

from clang.cindex import Cursor

from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.ctype import CPointer, CType, Other, Record, Reference
from symcute.frontends.cuda.headers import is_ours
from symcute.frontends.cuda.host.tensors import is_tensor
from symcute.frontends.cuda.inlining import parameters
from symcute.frontends.cuda.library import place_of
from symcute.frontends.cuda.lifetimes import ends
from symcute.kernel.ir.expression import Base
from symcute.kernel.ir.inside import every
from symcute.kernel.ir.program import Atomic, Int, Kernel, Store

__all__ = ["stands_alone", "writes_elsewhere"]


def stands_alone(b: Builder, function: Cursor, type: Reference) -> bool:
    """Is a parameter a struct of numbers and pointers that no other parameter is written through?

    Tensors are no part of such a struct.
    """
    written = sum(_is_written(b, b.types.of_parameter(p)) for p in parameters(function))
    return written == _is_written(b, type) and _is_plain(b, b.types(type.target))


def _is_written(b: Builder, type: CType) -> bool:
    if not isinstance(type, Reference) or type.target.is_const_qualified():
        return False
    return not is_tensor(b.types(type.target))


def _is_plain(b: Builder, type: CType) -> bool:
    """Is a type a struct of numbers, pointers and such structs, where nothing runs by itself?"""
    return (
        isinstance(type, Record)
        and not (type.union or type.trouble or type.closure or ends(type))
        and not is_ours(place_of(type.cursor).file)
        and all(isinstance(f.type, Int | CPointer | Other) or _is_plain(b, f.type)
                for f in type.fields)
    )  # fmt: skip


def writes_elsewhere(program: Kernel) -> bool:
    """May host code write to memory that is not its own variables'?"""
    own = {a.name for a in program.arrays if a.space == "private"}
    return any(
        isinstance(s, Store | Atomic)
        and not (isinstance(s.pointer, Base) and s.pointer.array in own)
        for s in every(program.body)
    )
