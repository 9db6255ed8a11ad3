"""Types of TTIR: what an element is, and how many of them a value has along each axis."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from symcute.kernel.ir.program import Int, Pointer, Type

__all__ = ["BOOL", "BYTES", "I32", "I64", "Shaped", "Unread", "element_bytes", "read_type"]

BOOL, I32, I64 = Int(1, False), Int(32, True), Int(64, True)
_TENSOR = re.compile(r"tensor<((?:\d+x)*)(.+)>")
_DESCRIPTOR = re.compile(r"!tt\.tensordesc<(.+)>")
_POINTER = re.compile(r"!tt\.ptr<(.+?)(?:, *\d+)?>")
_FLOAT = re.compile(r"(?:bf|f|tf)(\d+)(?:E\d+M\d+\w*)?")
#: The bytes of an element in memory.
BYTES = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "bf16": 2, "f16": 2, "f32": 4, "f64": 8}


class Unread(Exception):
    """Text that is not read."""


@dataclass(frozen=True, slots=True)
class Shaped:
    """The type of a value: `element` as it is written, extents (none for a scalar).

    `pointee` is what it points to, where it is a pointer; `block` that it is a descriptor of.
    """

    element: str
    shape: tuple[int, ...] = ()
    pointee: str | None = None
    described: Shaped | None = None

    @property
    def held(self) -> Type | None:
        """What a program holds of an element: an integer, a pointer, nothing (None).

        >>> read_type("tensor<4x!tt.ptr<f32>>").held, read_type("i1").held
        (Pointer(), Int(bits=1, signed=False))
        """
        if self.pointee is not None:
            return Pointer()
        found = re.fullmatch(r"i(\d+)", self.element)
        if self.described is not None or found is None:
            return None
        return BOOL if found[1] == "1" else Int(int(found[1]), True)

    def of(self, element: str) -> Shaped:
        """Return the type of the same shape with another element."""
        return replace(read_type(element), shape=self.shape)


def read_type(text: str) -> Shaped:
    """Return the type that is written.

    Errors: Unread.

    >>> read_type("tensor<16x4xi32>")
    Shaped(element='i32', shape=(16, 4), pointee=None, described=None)
    >>> read_type("!tt.tensordesc<16xsi8>").described == read_type("tensor<16xi8>")
    True
    """
    text = text.strip()
    if found := _TENSOR.fullmatch(text):
        inner = read_type(found[2])
        if inner.shape or inner.described is not None:
            raise Unread(f"the type {text}")
        return replace(inner, shape=tuple(int(n) for n in found[1].split("x")[:-1]))
    if found := _DESCRIPTOR.fullmatch(text):
        block = found[1]
        parts = read_type(block if block.startswith("tensor<") else f"tensor<{block}>")
        return Shaped("descriptor", described=parts)
    if found := _POINTER.fullmatch(text):
        read_type(found[1])
        return Shaped(text, pointee=found[1])
    if found := re.fullmatch(r"[su](i\d+)", text):  # only blocks of descriptors have a sign
        return Shaped(found[1])
    if re.fullmatch(r"i\d+|index|none", text) or _FLOAT.fullmatch(text):
        return Shaped(text)
    raise Unread(f"the type {text}")


def element_bytes(element: str) -> int:
    """Return the bytes of an element in memory.

    Errors: Unread.

    >>> element_bytes("bf16"), element_bytes("f8E4M3FN"), element_bytes("!tt.ptr<f32>")
    (2, 1, 8)
    """
    if element in BYTES:
        return BYTES[element]
    if _POINTER.fullmatch(element):
        return 8
    found = _FLOAT.fullmatch(element)
    if found and int(found[1]) % 8 == 0:
        return int(found[1]) // 8
    raise Unread(f"memory of {element}")
