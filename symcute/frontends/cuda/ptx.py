"""PTX text: its instructions, what they are given, and what each does to memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["SILENT", "Instruction", "instructions", "width_of"]

#: A loop that goes round until a phase of an mbarrier is over: by two jumps or by one.
_AWAITS = re.compile(
    r"(?P<again>[\w$%={}]+):\s*mbarrier\.(?:try|test)_wait\.(?P<how>[\w.:]+)\s+"
    r"(?P<over>[%\w]+)\s*,(?P<what>[^;]*);\s*"
    r"(?:@(?P=over)\s+bra(?:\.uni)?\s+(?P<done>[\w$%={}]+)\s*;\s*"
    r"bra(?:\.uni)?\s+(?P=again)\s*;\s*(?P=done):"
    r"|@!(?P=over)\s+bra(?:\.uni)?\s+(?P=again)\s*;)"
)

#: Instructions, and a directive, that touch no memory and order nothing that is asked about: those
#: of registers, of a warp's lanes among each other, hints, and what passes between grids.
SILENT = frozenset(
    word
    for line in (
        "mov add sub mul mad mul24 mad24 div rem abs neg min max popc clz bfind brev bfe bfi fns",
        "szext bmsk dp4a dp2a and or xor not cnot lop3 shf shl shr prmt cvt selp slct set setp fma",
        "rcp sqrt rsqrt sin cos lg2 ex2 tanh copysign testp sad mma vabsdiff4 vadd vsub vmad reg",
        "shfl vote match redux activemask elect nanosleep pmevent setmaxnreg cvta isspacep addc",
        "subc madc membar prefetch prefetchu griddepcontrol createpolicy",
    )
    for word in line.split()
)
_BYTES = {"8": 1, "16": 2, "32": 4, "64": 8, "128": 16}
_TYPE = re.compile(r"(?:[bus]|f|bf)(8|16|32|64|128)(x2)?$")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_OPERAND = re.compile(r"\{[^{}]*\}|\[[^\[\]]*\]|[^,\s][^,]*")


@dataclass(frozen=True)
class Instruction:
    """An instruction: its name in parts, its operands as text, and the predicate it is under."""

    parts: tuple[str, ...]
    operands: tuple[str, ...]
    predicate: str = ""

    @property
    def name(self) -> str:
        """The first part."""
        return self.parts[0]


def instructions(text: str) -> Iterator[Instruction]:
    """Yield the instructions of PTX text.

    >>> [i.operands for i in instructions("{ld.global.v2.u32 {%0, %1}, [%2+8];}")]
    [('{%0, %1}', '[%2+8]')]

    A loop around a test of an mbarrier is one instruction, which waits:

    >>> loop = "L: mbarrier.try_wait.parity.b64 p, [%0], %1; @!p bra L;"
    >>> [(".".join(i.parts), i.operands) for i in instructions(loop)]
    [('mbarrier.await.parity.b64', ('[%0]', '%1'))]
    """
    text = _AWAITS.sub(r" mbarrier.await.\g<how> \g<what>;", _COMMENT.sub(" ", text))
    for piece in text.split(";"):
        line = re.sub(r"^[\s{}]+", "", piece).strip()
        line = line.rstrip("} \t\n") if line.count("}") > line.count("{") else line
        if not line:
            continue
        predicate = ""
        if line[0] == "@":
            predicate, _, line = line.partition(" ")
        name, _, rest = line.strip().partition(" ")
        operands = tuple(o.strip() for o in _OPERAND.findall(rest.replace("\t", " ")))
        yield Instruction(tuple(name.lstrip(".").split(".")), operands, predicate)


def width_of(parts: tuple[str, ...]) -> tuple[int, int] | None:
    """Return the bytes that an access moves at once, and those of one element of it.

    >>> width_of(("ld", "global", "v4", "f32"))
    (16, 4)
    """
    found = _TYPE.match(parts[-1])
    if found is None:
        return None
    unit = _BYTES[found.group(1)] * (2 if found.group(2) else 1)
    vector = [int(p[1:]) for p in parts if re.fullmatch(r"v[248]", p)]
    return unit * (vector[0] if vector else 1), unit
