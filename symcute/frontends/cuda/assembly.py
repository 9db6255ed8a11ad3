"""Inline PTX: what stays in registers gives any number, the rest is not understood."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

from clang.cindex import Cursor

from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.library import children, kind_of
from symcute.frontends.cuda.memory import unknown, write
from symcute.frontends.cuda.rules import not_understood, spot_of, statement_rule, value_of

__all__: list[str] = []

#: Instructions, and a directive, that touch no memory and order nothing.
_REGISTERS = """
mov add sub mul mad mul24 mad24 div rem abs neg min max popc clz bfind brev bfe bfi fns szext bmsk
dp4a dp2a and or xor not cnot lop3 shf shl shr prmt cvt selp slct set setp fma rcp sqrt rsqrt sin
cos lg2 ex2 tanh copysign testp sad mma vabsdiff4 vadd vsub vmad reg
"""


@statement_rule("ASM_STMT")
def _asm(b: Builder, cursor: Cursor) -> None:
    instructions = set(_instructions(cursor))
    if not instructions or not instructions <= set(_REGISTERS.split()):
        not_understood(b, cursor, "inline assembly")
        return
    for operand in children(cursor):
        # What is read is converted to a value first, what is written is a place.
        if kind_of(operand) in ("DECL_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR"):
            type, place = b.types(operand.type), b.place(operand)
            value = unknown(b, type, "the result of inline assembly", place)
            write(b, spot_of(b, operand), value, type, place)
        elif operand.kind.is_expression():
            value_of(b, operand)


def _instructions(cursor: Cursor) -> Iterator[str]:
    """Yield the names of the instructions in the text, which ends where operands begin."""
    tokens = (t.spelling for t in cursor.get_tokens())
    written = takewhile(lambda t: not t.startswith(":"), tokens)
    text = "".join(t.strip('"') for t in written if t.startswith('"'))
    for line in re.split(r";|\\n|[{}]", text.replace("\\t", " ")):
        words = line.split()
        if words and words[0].startswith("@"):  # under a predicate
            words.pop(0)
        if words:
            yield words[0].lstrip(".").split(".")[0]
