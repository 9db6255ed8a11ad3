"""Structs, arrays and vectors as values: their parts."""

from __future__ import annotations

from collections.abc import Mapping

from symcute.frontends.cuda.values import OPAQUE
from symcute.frontends.llvm.arithmetic import Rule, opaque
from symcute.frontends.llvm.text import Instruction, Tokens
from symcute.frontends.llvm.types import (
    Listed,
    LType,
    Number,
    Ptr,
    Record,
    within,
)
from symcute.frontends.llvm.values import Lowering, Value
from symcute.kernel.ir.expression import Const

__all__ = ["PARTS"]

#: What has more parts is taken as a whole.
_PARTS = 64


def _part(k: Lowering, value: Value, type: LType, path: list[int]) -> Value:
    for number in path:
        type, _ = within(type, number)
        value = value[number] if isinstance(value, tuple) else OPAQUE
    if value is OPAQUE and isinstance(type, Number | Ptr):
        return k.any(type, "a part of what is not known")
    return value


def _path(tokens: Tokens) -> list[int]:
    path = []
    while tokens.take(","):
        path.append(tokens.whole())
    tokens.end()
    return path


def _extractvalue(k: Lowering, each: Instruction, tokens: Tokens) -> Value:
    type, value = k.typed(tokens)
    return _part(k, value, type, _path(tokens))


def _insertvalue(k: Lowering, each: Instruction, tokens: Tokens) -> Value:
    type, whole = k.typed(tokens)
    tokens.need(",")
    _, part = k.typed(tokens)
    return _with(whole, type, _path(tokens), part)


def _with(whole: Value, type: LType, path: list[int], part: Value) -> Value:
    if not path:
        return part
    count = type.count if isinstance(type, Listed) else len(type.fields) if isinstance(
        type, Record) else 0  # fmt: skip
    if not 0 <= path[0] < count <= _PARTS:
        return OPAQUE
    parts: list[Value] = list(whole) if isinstance(whole, tuple) else [OPAQUE] * count
    parts[path[0]] = _with(parts[path[0]], within(type, path[0])[0], path[1:], part)
    return tuple(parts)


def _extractelement(k: Lowering, each: Instruction, tokens: Tokens) -> Value:
    type, value = k.typed(tokens)
    tokens.need(",")
    _, index = k.typed(tokens)
    tokens.end()
    if isinstance(index, Const):
        return _part(k, value, type, [index.value])
    element = type.element if isinstance(type, Listed) else type
    return k.any(element, "a lane") if isinstance(element, Number | Ptr) else OPAQUE


def _insertelement(k: Lowering, each: Instruction, tokens: Tokens) -> Value:
    type, value = k.typed(tokens)
    tokens.need(",")
    _, part = k.typed(tokens)
    tokens.need(",")
    _, index = k.typed(tokens)
    tokens.end()
    return _with(value, type, [index.value], part) if isinstance(index, Const) else OPAQUE


PARTS: Mapping[str, Rule] = {
    "extractvalue": _extractvalue, "insertvalue": _insertvalue,
    "extractelement": _extractelement, "insertelement": _insertelement, "shufflevector": opaque,
}  # fmt: skip
