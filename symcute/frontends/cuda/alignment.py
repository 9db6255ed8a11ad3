"""How variables are aligned: by their types, and by what their declarations ask for besides."""

from __future__ import annotations

import re

from clang.cindex import Cursor

from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.library import children, file_text, kind_of, place_of
from symcute.frontends.cuda.values import Memory, Spot
from symcute.kernel.ir.expression import Base

__all__ = ["aligned"]

#: Types that are named in `alignas(float4)`, by their letters.
_SCALARS = {
    "char": 1, "uchar": 1, "bool": 1, "short": 2, "ushort": 2, "half": 2, "__half": 2,
    "__nv_bfloat16": 2, "int": 4, "uint": 4, "unsigned": 4, "float": 4, "uint32_t": 4,
    "int32_t": 4, "long": 8, "ulong": 8, "longlong": 8, "ulonglong": 8, "double": 8,
    "size_t": 8, "uint64_t": 8, "int64_t": 8,
}  # fmt: skip


def aligned(b: Builder, cursor: Cursor, spot: Spot) -> None:
    """Give the array of a variable the alignment that its declaration asks for."""
    if not isinstance(spot, Memory) or not isinstance(spot.pointer, Base):
        return
    name = spot.pointer.array
    wanted = max(1, cursor.type.get_align())
    for attribute in children(cursor):
        if kind_of(attribute) != "ALIGNED_ATTR":
            continue
        found = _asked(b, attribute)
        if found is None:
            reason = f"the alignment of {cursor.spelling} is not known"
            b.not_understood(reason, b.place(cursor), (), [spot.pointer], barrier=False)
        else:
            wanted = max(wanted, found)
    b.align(name, wanted)


def _asked(b: Builder, attribute: Cursor) -> int | None:
    """Return the number in the parentheses of `__align__(16)` or `alignas(float4)`."""
    text = file_text(attribute, place_of(attribute).file)
    start = text.find("(", attribute.extent.start.offset)
    end, depth = start, 0
    for end in range(start, min(len(text), start + 200)):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        if depth == 0:
            break
    inner = text[start + 1 : end]
    product = 1
    for factor in re.split(r"\*", inner):
        value = _factor(b, factor.strip(" ()\t"), text)
        if value is None:
            return None
        product *= value
    return product


def _factor(b: Builder, factor: str, text: str) -> int | None:
    found = re.fullmatch(r"(0[xX][0-9a-fA-F]+|\d+)[uUlL]*", factor)
    if found:
        return int(found.group(1), 0)
    if factor in b.constants:
        return b.constants[factor]
    macro = re.search(rf"(?m)^\s*#\s*define\s+{re.escape(factor)}\s+\(?(\d+)\)?\s*(//.*)?$", text)
    constant = re.search(rf"\bconst(?:expr)?\b[^;=]*\b{re.escape(factor)}\s*=\s*(\d+)\s*;", text)
    if named := macro or constant:
        return int(named.group(1))
    inner = re.sub(r"^(sizeof|alignof|__alignof__|__alignof)\s*\(?\s*", "", factor)
    vector = re.fullmatch(r"(\w*?)([1-4]?)", inner)
    if vector and inner in _SCALARS:
        return _SCALARS[inner]
    if vector and vector.group(1) in _SCALARS and vector.group(2):
        size = _SCALARS[vector.group(1)]
        return size if vector.group(2) in "13" else min(16, size * int(vector.group(2)))
    return None
