"""Tensor descriptors that a launch hands over: each is made on entry of a pointer and numbers.

Triton hands a descriptor over with its shape, as integers of 32 bits, and its strides. The machine
holds accesses to the shape in 64 bits, and has no stride for the last axis: it is 1, which the
host's `TensorDescriptor` asserts, as it asserts that the others are multiples of 16 bytes. So an
argument of `descriptor<f16[64,64]>` becomes a pointer, the extents and all strides but the last,
each of 64 bits, and an operation at the head of the function that makes the descriptor of them.

Source: `triton/tools/tensor_descriptor.py` and `fill_tma_descriptor_tiled` of Triton 3.9.
"""

from __future__ import annotations

import re

from symcute.frontends.triton.operations import Block, Function, Op, Value
from symcute.frontends.triton.types import Shaped, Unread

__all__ = ["MAKES_A_DESCRIPTOR", "descriptor", "numbers_of", "with_descriptors"]

#: What makes a descriptor, and how that is called in the source.
MAKES_A_DESCRIPTOR = {
    "tt.make_tensor_descriptor": "tl.make_tensor_descriptor",
    "host.descriptor": "TensorDescriptor",
}
_TYPE = re.compile(r"tensordesc<((?:[iu]|fp|bf)\w+)\[(\d+(?:, ?\d+)*)\]>")


def descriptor(text: str) -> tuple[str, int] | None:
    """Return what a descriptor is of, and how many axes it has; None for another type.

    >>> descriptor("tensordesc<fp16[64, 32]>"), descriptor("*fp16")
    (('fp16', 2), None)
    """
    found = _TYPE.fullmatch(text)
    return (found[1], found[2].count(",") + 1) if found else None


def numbers_of(name: str, rank: int) -> list[str]:
    """Return the parameters that are numbers of a descriptor: extents, and strides but the last.

    >>> numbers_of("a", 2)
    ['a_shape_0', 'a_shape_1', 'a_stride_0']
    """
    shape = [f"{name}_shape_{k}" for k in range(rank)]
    return shape + [f"{name}_stride_{k}" for k in range(rank - 1)]


def with_descriptors(function: Function) -> Function:
    """Return the function with its descriptors made on entry of what is handed over for them.

    Post-conditions: it takes as many arguments as it did: for each descriptor a pointer, extents
    and strides of 64 bits.
    Errors: Unread for a descriptor without its shape and strides.
    """
    first, *blocks = function.blocks
    arguments: list[Value] = []
    made: list[Op] = []
    waiting = list(first.arguments)
    while waiting:
        value = waiting.pop(0)
        if value.type.described is None:
            arguments.append(value)
            continue
        rank = len(value.type.described.shape)
        numbers, waiting = waiting[: 2 * rank], waiting[2 * rank :]
        if [v.type.element for v in numbers] != ["i32"] * rank + ["i64"] * rank:
            raise Unread("a descriptor that is handed over without its shape and strides")
        element = value.type.described.element
        base = _in_place_of(value, Shaped(f"!tt.ptr<{element}>", pointee=element))
        extents = [_in_place_of(v, Shaped("i64")) for v in numbers[:rank]]
        strides = numbers[rank:]
        made += [
            _op("arith.trunci", [], [wide], v, function)
            for wide, v in zip(extents, numbers, strict=False)
        ]
        head = ["%", "[", *"%" * rank, "]", "[", *"%" * rank, "]"]
        made.append(_op("host.descriptor", head, [base, *extents, *strides], value, function))
        arguments += [base, *extents, *strides]
    entry = Block(arguments, made + first.ops)
    return Function(function.name, [entry, *blocks], function.place) if made else function


def _in_place_of(value: Value, type: Shaped) -> Value:
    """Return the argument that another value is made of: no number of a value is negative."""
    return Value(-1 - value.number, type, value.name)


def _op(name: str, head: list[str], operands: list[Value], result: Value, of: Function) -> Op:
    op = Op(name, head, operands, [result], {}, [], [], [], of.place)
    result.op = op
    return op
