"""TTIR evaluated in NumPy, a program after the other, whole tensors at a time.

What it says of memory is the truth that lowered programs are held to: it knows nothing of threads,
coordinates or statements, and shares with the front end only the reader of the text. Floats are not
computed. A value that is not known here ends the evaluation with an error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np

from symcute.frontends.triton.operations import Block, Function, Op, Value

#: What is touched: array, first byte, bytes, what is done, line; in one program.
Touch = tuple[str, int, int, str, int]
_BYTES = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8, "i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8}
_SIGNED = {1: np.bool_, 8: np.int8, 16: np.int16, 32: np.int32, 64: np.int64}
_UNSIGNED = {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}
_COMPARE = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
    "ge": np.greater_equal,
}  # fmt: skip


@dataclass
class Pointers:
    """A tensor of pointers: arrays by number, and bytes from their start."""

    array: Any
    offset: Any


@dataclass
class Machine:
    """Memory: what integers arrays hold at the start, and what is touched."""

    names: list[str]
    contents: Mapping[str, Sequence[int]]
    touched: list[tuple[tuple[int, int, int], Touch]] = field(default_factory=list)


def run(
    function: Function, arguments: Sequence[Any], grid: tuple[int, int, int], machine: Machine
) -> None:
    """Run all programs of a grid.

    Arguments are integers, names of arrays, descriptors (name, shape and strides), or None.
    """
    for z, y, x in product(*(range(n) for n in reversed(grid))):
        _Program(machine, grid, (x, y, z)).run(function, arguments)


class _Program:
    def __init__(self, machine: Machine, grid: tuple[int, ...], at: tuple[int, int, int]) -> None:
        self.machine, self.grid, self.at = machine, grid, at
        self.values: dict[int, Any] = {}

    def run(self, function: Function, arguments: Sequence[Any]) -> None:
        block = function.blocks[0]
        for v, a in zip(block.arguments, arguments, strict=True):
            if isinstance(a, str):
                a = self.start(a)
            elif isinstance(a, tuple):
                a = self.start(a[0]), *a[1:]
            elif a is not None:
                a = np.array(a).astype(_SIGNED[int(v.type.element[1:])])
            self.values[v.number] = a
        while True:
            last = self.block(block)
            if last.name == "tt.return":
                return
            way = 0 if last.name == "cf.br" or self.of(last.operands[0]) else 1
            block, passed = last.successors[way]
            self.set(block.arguments, [self.values.get(p.number) for p in passed])

    def start(self, array: str) -> Pointers:
        return Pointers(np.array(self.machine.names.index(array)), np.array(0, np.int64))

    def block(self, block: Block) -> Op:
        for op in block.ops[:-1]:
            self.op(op)
        return block.ops[-1]

    def of(self, value: Value) -> Any:
        found = self.values[value.number]
        assert found is not None, f"{value.op and value.op.name} is not known here"
        return found

    def set(self, values: Sequence[Value], held: Sequence[Any]) -> None:
        for v, h in zip(values, held, strict=True):
            self.values[v.number] = h

    def op(self, op: Op) -> None:
        if op.name.startswith("scf."):
            self.control(op)
            return
        method = getattr(self, op.name.replace(".", "_"), None)
        found: Any = None
        if method is not None:
            found = method(op)
        elif op.name in _INTEGER and isinstance(op.results[0].type.held, object):
            found = self.integer(op)
        if len(op.results) > 1:
            self.set(op.results, found if found is not None else [None] * len(op.results))
        elif op.results:
            self.set(op.results, [found])

    # --- control

    def control(self, op: Op) -> None:
        if op.name == "scf.if":
            taken = op.regions[0] if self.of(op.operands[0]) else (op.regions[1:] or [None])[0]
            if taken is not None:
                last = self.block(taken[0])
                self.set(op.results, [self.values.get(v.number) for v in last.operands])
        elif op.name == "scf.for":
            low, high, step = (int(self.of(v)) for v in op.operands[:3])
            held = [self.values.get(v.number) for v in op.operands[3:]]
            type = _SIGNED[int(op.entry[0].type.element[1:])]
            for i in range(low, high, step):
                self.set(op.entry, [np.array(i, type), *held])
                held = [self.values.get(v.number) for v in self.block(op.regions[0][0]).operands]
            self.set(op.results, held)
        else:
            assert op.name == "scf.while"
            held = [self.values.get(v.number) for v in op.operands]
            while True:
                self.set(op.entry, held)
                test, *passed = self.block(op.regions[0][0]).operands
                held = [self.values.get(v.number) for v in passed]
                if not self.of(test):
                    break
                self.set(op.regions[1][0].arguments, held)
                held = [self.values.get(v.number) for v in self.block(op.regions[1][0]).operands]
            self.set(op.results, held)

    # --- integers

    def integer(self, op: Op) -> Any:
        type = op.results[0].type.element
        if not re.fullmatch(r"i\d+", type):
            return None
        bits = int(type[1:])
        a, b = (self.of(v) for v in op.operands)
        name = op.name.removeprefix("arith.")
        if name[-2:] == "ui":
            a, b = a.astype(_UNSIGNED[bits]), b.astype(_UNSIGNED[bits])
        with np.errstate(over="ignore"):
            return np.asarray(_INTEGER[op.name](a, b)).astype(_SIGNED[bits])

    def arith_constant(self, op: Op) -> Any:
        type = op.results[0].type
        found = re.fullmatch(r"(?:dense<)?(-?\d+|true|false)>?", op.head[0])
        if not re.fullmatch(r"i\d+", type.element) or found is None:
            return None
        number = {"true": 1, "false": 0}.get(found[1]) if found[1][0] in "tf" else int(found[1])
        wide = np.array(number, np.int64 if number < 2**63 else np.uint64)
        return np.broadcast_to(wide.astype(_SIGNED[int(type.element[1:])]), type.shape)

    def arith_cmpi(self, op: Op) -> Any:
        a, b = (self.of(v) for v in op.operands)
        word = op.head[0]
        if word[0] == "u" and a.dtype != np.bool_:
            bits = int(op.operands[0].type.element[1:])
            a, b = a.astype(_UNSIGNED[bits]), b.astype(_UNSIGNED[bits])
        return _COMPARE[word[-2:]](a, b)

    def _converted(self, op: Op) -> Any:
        a, bits = self.of(op.operands[0]), int(op.results[0].type.element[1:])
        if op.name == "arith.trunci":
            return (a & 1).astype(np.bool_) if bits == 1 else a.astype(_SIGNED[bits])
        source = int(op.operands[0].type.element[1:])
        if op.name == "arith.extui" and source > 1:
            a = a.astype(_UNSIGNED[source])
        elif op.name == "arith.extsi" and source == 1:
            return -a.astype(_SIGNED[bits])
        return a.astype(_SIGNED[bits])

    arith_trunci = arith_extsi = arith_extui = _converted

    def arith_select(self, op: Op) -> Any:
        test, one, other = (self.values[v.number] for v in op.operands)
        if test is None or one is None or other is None:
            return None
        if isinstance(one, Pointers):
            return Pointers(
                np.where(test, one.array, other.array), np.where(test, one.offset, other.offset)
            )
        return np.where(test, one, other)

    def math_absi(self, op: Op) -> Any:
        return np.abs(self.of(op.operands[0]))

    def tt_get_program_id(self, op: Op) -> Any:
        return np.array(self.at["xyz".index(op.head[0])], np.int32)

    def tt_get_num_programs(self, op: Op) -> Any:
        return np.array(self.grid["xyz".index(op.head[0])], np.int32)

    # --- shapes

    def tt_make_range(self, op: Op) -> Any:
        return np.arange(op.number("start"), op.number("end"), dtype=np.int32)

    def _moved(self, op: Op) -> Any:
        shape = op.results[0].type.shape
        move = {
            "tt.splat": lambda a: np.broadcast_to(a, shape),
            "tt.broadcast": lambda a: np.broadcast_to(a, shape),
            "tt.expand_dims": lambda a: a.reshape(shape),
            "tt.reshape": lambda a: a.reshape(shape),
            "tt.trans": lambda a: a.transpose(
                [int(n) for n in re.findall(r"\d+", op.attributes["order"].split(":")[1])]
            ),
        }[op.name]
        a = self.values[op.operands[0].number]
        if isinstance(a, Pointers):
            return Pointers(move(a.array), move(a.offset))
        return None if a is None else move(a)

    tt_splat = tt_broadcast = tt_expand_dims = tt_reshape = tt_trans = _moved

    def tt_join(self, op: Op) -> Any:
        a, b = (self.values[v.number] for v in op.operands)
        return None if a is None else np.stack([a, b], axis=-1)

    def tt_split(self, op: Op) -> Any:
        a = self.values[op.operands[0].number]
        return None if a is None else [a[..., 0], a[..., 1]]

    # --- memory

    def tt_addptr(self, op: Op) -> Any:
        p, by = (self.of(v) for v in op.operands)
        size = _BYTES[op.results[0].type.pointee]
        return Pointers(p.array, p.offset + by.astype(np.int64) * size)

    def _touch(self, op: Op, p: Pointers, mask: Any, kind: str, size: int) -> None:
        for array, offset, on in np.broadcast(p.array, p.offset, mask):
            if on:
                touch = (self.machine.names[int(array)], int(offset), size, kind, op.place.line)
                self.machine.touched.append((self.at, touch))

    def tt_load(self, op: Op) -> Any:
        p, *rest = (self.values[v.number] for v in op.operands)
        mask = rest[0] if rest else np.array(True)
        element = op.operands[0].type.pointee
        size = _BYTES[element]
        self._touch(op, p, mask, "read", size)
        if not element.startswith("i"):
            return None
        other = rest[1] if len(rest) > 1 else np.array(0)

        def read(array: int, offset: int, on: bool, instead: int) -> int:
            held = self.machine.contents[self.machine.names[array]]
            return held[offset // size] if on else instead

        found = np.vectorize(read, otypes=[np.int64])(p.array, p.offset, mask, other)
        return found.astype(_SIGNED[int(element[1:])])

    def tt_store(self, op: Op) -> None:
        p, _, *mask = (self.values[v.number] for v in op.operands)
        size = _BYTES[op.operands[0].type.pointee]
        self._touch(op, p, mask[0] if mask else np.array(True), "write", size)

    def tt_atomic_rmw(self, op: Op) -> None:
        p, _, mask = (self.values[v.number] for v in op.operands)
        self._touch(op, p, mask, "atomic", _BYTES[op.operands[0].type.pointee])

    def tt_make_tensor_descriptor(self, op: Op) -> Any:
        base, *rest = (self.of(v) for v in op.operands)
        half = len(rest) // 2
        return base, [int(n) for n in rest[:half]], [int(n) for n in rest[half:]]

    def _described(self, op: Op) -> Any:
        (base, shape, strides), *rest = (self.values[v.number] for v in op.operands)
        block = op.operands[0].type.described
        size = _BYTES[block.element]
        kind = "read" if op.name == "tt.descriptor_load" else "write"
        starts = [int(n) for n in rest[: len(shape)]]
        found = np.zeros(block.shape, np.int64)
        held = self.machine.contents.get(self.machine.names[int(base.array)], ())
        for at in np.ndindex(*block.shape):
            index = [s + c for s, c in zip(starts, at, strict=True)]
            if all(0 <= i < n for i, n in zip(index, shape, strict=True)):
                offset = base.offset + size * sum(
                    i * s for i, s in zip(index, strides, strict=True)
                )
                self._touch(op, Pointers(base.array, offset), np.array(True), kind, size)
                if kind == "read" and 0 <= offset // size < len(held):
                    found[at] = held[offset // size]
        if kind == "read" and block.element.startswith("i"):
            type = _SIGNED[int(block.element[1:])]
            return found.reshape(op.results[0].type.shape).astype(type)
        return None

    tt_descriptor_load = tt_descriptor_store = _described


def _divided(a: Any, b: Any) -> Any:
    quotient = np.abs(a.astype(object)) // np.abs(b.astype(object))
    return np.where((a < 0) != (b < 0), -quotient, quotient)


def _left(a: Any, b: Any) -> Any:
    return a.astype(object) - _divided(a, b) * b.astype(object)


_INTEGER: Mapping[str, Any] = {
    "arith.addi": np.add, "arith.subi": np.subtract, "arith.muli": np.multiply,
    "arith.divsi": _divided, "arith.remsi": _left, "arith.divui": np.floor_divide,
    "arith.remui": np.remainder, "arith.andi": np.bitwise_and, "arith.ori": np.bitwise_or,
    "arith.xori": np.bitwise_xor, "arith.shli": np.left_shift, "arith.shrsi": np.right_shift,
    "arith.shrui": np.right_shift, "arith.minsi": np.minimum, "arith.maxsi": np.maximum,
    "arith.minui": np.minimum, "arith.maxui": np.maximum,
}  # fmt: skip
