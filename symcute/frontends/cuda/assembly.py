"""Inline PTX in a source: its text, and what it is given."""

from __future__ import annotations

from itertools import takewhile

from clang.cindex import Cursor

from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.instructions import Context, Operands, lowered
from symcute.frontends.cuda.library import children, pure_constant
from symcute.frontends.cuda.memory import unknown, write
from symcute.frontends.cuda.rules import not_understood, spot_of, statement_rule, value_of
from symcute.frontends.cuda.values import Value
from symcute.kernel.ir.expression import Const
from symcute.kernel.ir.program import Int

__all__: list[str] = []


@statement_rule("ASM_STMT")
def _asm(b: Builder, cursor: Cursor) -> None:
    written = _written(cursor)
    operands = [c for c in children(cursor) if c.kind.is_expression()]
    if written is None or len(written[1]) != len(operands):
        not_understood(b, cursor, "inline assembly")
        return
    text, names, outputs = written
    place = b.place(cursor)
    values = [_operand(b, c) for c in operands[outputs:]]
    held = Operands(names, outputs, values)
    reason = lowered(Context(b, place, held), text, not outputs or _stays(cursor))
    if reason:
        not_understood(b, cursor, reason)
        return
    for operand in operands[:outputs]:
        type = b.types(operand.type)
        value = unknown(b, type, "the result of inline assembly", place)
        write(b, spot_of(b, operand), value, type, place)


def _stays(cursor: Cursor) -> bool:
    """Return whether a compiler leaves an `asm` that has outputs where it is."""
    qualifiers = takewhile(lambda t: t != "(", (t.spelling for t in cursor.get_tokens()))
    return not {"volatile", "__volatile__", "__volatile"}.isdisjoint(qualifiers)


def _operand(b: Builder, cursor: Cursor) -> Value:
    """Evaluate what an instruction reads; a number that clang computes is that number."""
    type, known = b.types(cursor.type), pure_constant(cursor)
    if known is not None and isinstance(type, Int):
        return Const(type.wrap(known), type)
    return value_of(b, cursor)


def _written(cursor: Cursor) -> tuple[str, list[str], int] | None:
    """Return the text, the names of the operands and how many are outputs, or None."""
    tokens = [t.spelling for t in cursor.get_tokens()]
    if not tokens or tokens[0] not in ("asm", "__asm__", "__asm") or "(" not in tokens:
        return None
    at = tokens.index("(") + 1
    text: list[str] = []
    while at < len(tokens) and tokens[at].startswith('"'):
        text.append(tokens[at][1:-1])
        at += 1
    names: list[list[str]] = [[]]
    depth, last = 0, ""
    for here in tokens[at:]:
        if depth == 0 and here in (":", "::"):
            names += [[] for _ in here]
            last = ""
        elif depth == 0 and here == ")":
            break
        elif len(names) == 1:
            return None  # more text, which a macro stands for
        elif here == "(":
            if depth == 0:
                names[-1].append(last)
            depth += 1
        elif here == ")":
            depth -= 1
        elif depth == 0 and here == ",":
            last = ""
        elif depth == 0 and here.isidentifier():
            last = here
        elif depth == 0 and not here.startswith(('"', "[", "]")):
            return None
    else:
        return None
    if not text or names[0]:
        return None
    found = "".join(text).replace("\\n", "\n").replace("\\t", " ")
    sections = [*names[1:], [], []]
    return found, sections[0] + sections[1], len(sections[0])
