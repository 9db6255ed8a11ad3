"""Variables out of memory, round by round, without the losses of an optimizer.

LLVM's own passes turn variables into values, but writes outside of a local array are dropped on the
way. So only variables of which every access is seen to lie inside are taken out of memory: the
others are held there by a call of a function, as are all from which a pointer goes elsewhere. This
is done in rounds, since pointers become known when the variables that hold them have gone. A copy
of a struct between memory and a variable is accesses as wide as its alignment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import gcd

from symcute.frontends.llvm.folding import folded
from symcute.frontends.llvm.preparing import ALLOCA, DOUBT, HOLD, LARGE, NAME, OWN, written
from symcute.frontends.llvm.text import Global, Items, Literal, Local, Module, Operand, Tokens
from symcute.frontends.llvm.types import (
    Listed,
    LType,
    Number,
    Other,
    Real,
    Record,
    is_odd,
    leaves,
    natural,
    size_of,
    within,
)

__all__ = ["Promoting"]

#: Copies of more pieces are not taken apart.
_PIECES = 32
_COPY = re.compile(
    r"^  (?:tail )?call void @llvm\.(memcpy|memmove)\.[\w.]+\("
    r"ptr (?:noundef )?(?:nonnull )?align (\d+)"
    r" (?:dereferenceable\(\d+\) )?(\S+), ptr (?:noundef )?(?:nonnull )?align (\d+)"
    r" (?:dereferenceable\(\d+\) )?(\S+), i64 (\d+), i1 (\w+)\)(.*)$"
)
_ALIGNED = re.compile(r", align (\d+)")
_SET = re.compile(
    r"^  (?:tail )?call void @llvm\.memset\.[\w.]+\("
    r"ptr (?:[\w()]+ )*?align (\d+) (\S+), i8 \S+ i64 (\d+),"
)


@dataclass
class _Variable:
    """A variable in memory: its type, and whether all its accesses are seen to lie inside."""

    type: LType
    size: int
    align: int
    clean: bool = True
    copies: list[tuple[str, int | None, re.Match[str], str]] = field(default_factory=list)


class Promoting:
    """A module whose variables leave memory, as far as nothing is lost.

    `text` is what a pass that promotes variables may be given; `waiting` whether it would do
    something.
    """

    def __init__(self, text: str, round: int) -> None:
        self._module, self._round = Module(text), round
        self.waiting = False
        self.count = 0
        out: list[str] = []
        lines = text.split("\n")
        at = 0
        while at < len(lines):
            if not lines[at].startswith("define "):
                out.append(lines[at])
                at += 1
                continue
            end = lines.index("}", at)
            out += self._function(lines[at : end + 1])
            at = end + 1
        for called in (HOLD, DOUBT):
            if f"declare void @{called}(ptr)" not in out:  # a pass has dropped it
                out += [f"declare void @{called}(ptr)", ""]
        self.text = "\n".join(out)

    def _function(self, lines: list[str]) -> list[str]:
        lines = [x for x in lines if f"@{HOLD}(" not in x and "@llvm.lifetime." not in x]
        lines = folded(lines)
        found: dict[str, _Variable] = {}
        self._declared: set[str] = set()
        #: Accesses of variables, and of which.
        self._within: dict[str, str] = {}
        #: Pointers into variables: which one, and how far behind its start, if that is known.
        into: dict[str, tuple[str, int | None]] = {}
        before = -1
        while before < len(into):  # a block may stand before one that it follows
            before = len(into)
            out = [self._line(line, found, into) for line in lines]
        self._settle(found)
        self.count += len(found)
        self.waiting |= any(v.clean for v in found.values())
        done: list[str] = []
        for number, line in enumerate(out):
            made = ALLOCA.match(line)
            if made and not found[made[1]].clean:
                done += [line, f"  call void @{HOLD}(ptr {made[1]})"]
            elif copied := _COPY.match(line):
                done += self._copied(line, copied, found, into, number)
            else:
                if line in self._within and found[self._within[line]].clean:
                    # Nobody else sees it, and it lies inside.
                    line = line.replace(" volatile ", " ", 1)
                done.append(line)
        return done

    def _settle(self, found: dict[str, _Variable]) -> None:
        """Hold what is copied to or from where it does not lie."""
        moving = True
        while moving:
            moving = False
            for v in found.values():
                for other, at, copied, pointer in v.copies:
                    there, size = found[other], int(copied[6])
                    inside = at is not None and at >= 0 and at + size <= there.size
                    held = not there.clean and self._hard(copied, v, pointer)
                    if v.clean and (not inside or held):
                        v.clean, moving = False, True

    def _line(
        self, line: str, found: dict[str, _Variable], into: dict[str, tuple[str, int | None]]
    ) -> str:
        """Look at a line; return it, plainer where it is an access of a variable."""
        made = ALLOCA.match(line)
        if made and made[1] in found:
            return line
        if made:
            type = Tokens(made[2], self._module).type()
            size = size_of(type)
            plain = size <= LARGE or not any(not isinstance(leaf, Real) for leaf, _ in _first(type))
            found[made[1]] = _Variable(
                type, size, int(made[3]), plain and not isinstance(type, Other)
            )
            into[made[1]] = (made[1], 0)
            return line
        if " = getelementptr " in line:
            name, _, moved = line.strip().partition(" = ")
            base = NAME.search(moved.partition("ptr ")[2])
            if "@" in moved or (base and base[0] in self._declared):
                self._declared.add(name)
        used = [n for n in NAME.findall(line.partition(", !dbg")[0]) if n in into]
        if not used:
            return line
        text = line.strip()
        result, equals, rest = text.partition(" = ")
        if not equals or not result.startswith("%"):
            result, rest = "", text
        op = rest.partition(" ")[0]
        if op == "getelementptr":
            return self._moved(line, result, rest, found, into)
        if op in ("load", "store"):
            return self._accessed(line, op, rest, found, into)
        if copied := _COPY.match(line):
            size = int(copied[6])
            for own, there in ((3, 5), (5, 3)):
                if copied[own] not in into:
                    continue
                root, at = into[copied[own]]
                self._touch(found[root], at, size, int(copied[own - 1]))
                if copied[there] in into:
                    found[root].copies.append((*into[copied[there]], copied, copied[own]))
                    found[root].clean &= not self._differ(copied, found, into)
                elif self._hard(copied, found[root], copied[own]):
                    found[root].clean = False
            return line
        filled = _SET.match(line)
        if filled and used == [filled[2]]:
            root, at = into[filled[2]]
            self._touch(found[root], at, int(filled[3]), int(filled[1]))
            return line
        for name in used:
            found[into[name][0]].clean = False
            if result and not rest.startswith(("icmp", "ptrtoint", "call")):
                into[result] = (into[name][0], None)
        return line

    def _touch(self, variable: _Variable, at: int | None, size: int, align: int) -> None:
        """Hold a variable where an access may lie outside, or asks for more alignment."""
        inside = at is not None and at >= 0 and at + size <= variable.size
        variable.clean &= inside and not (at or 0) % align and not variable.align % align

    def _moved(
        self, line: str, result: str, rest: str, found: dict[str, _Variable],
        into: dict[str, tuple[str, int | None]],
    ) -> str:  # fmt: skip
        """Follow a pointer that moves; one that moves by a number moves by bytes from here on."""
        body = re.sub(r"(?:, ![\w.]+ !\d+)+$", "", rest.partition(" ")[2])
        tokens = Tokens(body, self._module)
        while tokens.take("inbounds", "nuw", "nusw"):
            pass
        source = tokens.type()
        tokens.need(",")
        _, base = tokens.typed()
        indices = []
        while tokens.take(","):
            indices.append(tokens.typed())
        name = f"%{base.name}" if isinstance(base, Local) else ""
        if name not in into and isinstance(base, Local):
            name = f'%"{base.name}"'
        root, at = into[name]
        by = _offset(source, indices)
        if by is None or at is None or not 0 <= at + by <= found[root].size:
            found[root].clean = False
            into[result] = (root, None)
            return line
        into[result] = (root, at + by)
        debug = re.search(r", !dbg !\d+", line)
        return f"  {result} = getelementptr i8, ptr {name}, i64 {by}{debug[0] if debug else ''}"

    def _accessed(
        self, line: str, op: str, rest: str, found: dict[str, _Variable],
        into: dict[str, tuple[str, int | None]],
    ) -> str:  # fmt: skip
        body = rest.partition(" ")[2]
        tokens = Tokens(re.sub(r"(?:, ![\w.]+ !\d+)+$", "", body), self._module)
        if tokens.take("atomic"):
            for name in NAME.findall(rest):
                if name in into:
                    found[into[name][0]].clean = False
            return line
        tokens.take("volatile")
        stored: Operand | None = None
        if op == "store":
            type, stored = tokens.typed()
        else:
            type = tokens.type()
        tokens.need(",")
        _, pointer = tokens.typed()
        for held in (stored, pointer):
            name = _known(held, into)
            if name and held is stored:
                found[into[name][0]].clean = False  # a pointer goes elsewhere
            elif name:
                root, at = into[name]
                aligned = _ALIGNED.search(rest)
                align, size = int(aligned[1]) if aligned else 1, size_of(type)
                if not (self._module.packed or isinstance(type, Record | Listed) or is_odd(type)):
                    align = max(align, natural(size))  # clang says less of a variable that it sees
                self._touch(found[root], at, size, align)
                self._within[line] = root
        return line

    def _copied(
        self, line: str, copied: re.Match[str], found: dict[str, _Variable],
        into: dict[str, tuple[str, int | None]], number: int,
    ) -> list[str]:  # fmt: skip
        """Return the accesses that a copy between memory and a variable is."""
        target, source, size = copied[3], copied[5], int(copied[6])
        clean = [p for p in (target, source) if p in into and found[into[p][0]].clean]
        if len(clean) != 1:
            return [line]
        ours = into[clean[0]]
        piece, out, end = self._piece(copied, found[ours[0]]), [], copied[8]
        inside, quiet = list(leaves(found[ours[0]].type)), self._constant(source, size)
        first = ours[1] or 0
        here = [(x, k - first) for x, k in inside if first <= k < first + size]
        known: dict[tuple[LType, int], int] = {}
        if self._asks(copied, clean[0]) == "doubt":
            out.append(f"  call void @{DOUBT}(ptr {target if source in clean else source}){end}")
        pieces = [(at, piece) for at in range(0, size, piece)]
        if quiet:  # nobody asks how a constant of the compiler's own is read: by its fields
            known = {(x, k): n for x, k, n in _numbers(quiet.type, quiet.value)}
            pieces = [(k, size_of(x)) for x, k in here]
        for at, wide in pieces:
            of = [x for x, k in here if at <= k < at + wide]
            type, fixed = _as_one(of, wide), known.get((of[0], at)) if of else None
            name = f"%copy.{self._round}.{number}.{at}"
            ends = []
            for side, pointer in (("from", source), ("to", target)):
                moved = f"{name}.{side}"
                if quiet and side == "from":
                    moved = f"getelementptr (i8, ptr {pointer}, i64 {at})"
                else:
                    out.append(f"  {moved} = getelementptr i8, ptr {pointer}, i64 {at}{end}")
                ends.append(moved)
            loud = ["" if p in clean or quiet else "volatile " for p in (source, target)]
            aligned = [min(int(copied[k]), wide) for k in (4, 2)]
            stored = name if fixed is None else str(fixed)
            if fixed is None:
                read = f"load {loud[0]}{type}, ptr {ends[0]}, align {aligned[0]}"
                out.append(f"  {name} = {read}{end}")
            out.append(f"  store {loud[1]}{type} {stored}, ptr {ends[1]}, align {aligned[1]}{end}")
        return out

    def _hard(self, copied: re.Match[str], variable: _Variable, pointer: str) -> bool:
        """Whether a copy between memory and a variable is not made of accesses."""
        many = int(copied[6]) // self._piece(copied, variable) > _PIECES
        return many or self._asks(copied, pointer) == "more"

    def _asks(self, copied: re.Match[str], ours: str) -> str:
        """Return what is not settled of how a copy's memory is to be aligned, if anything is.

        "more": clang takes it to be aligned as the type is, and knows less of the variable;
        "doubt": it knows less of the memory than the type may ask for.
        """
        ends = [(copied[3], int(copied[2])), (copied[5], int(copied[4]))]
        (memory, align), (_, own) = sorted(ends, key=lambda e: e[0] == ours)
        if memory.startswith(OWN):
            return ""
        most = natural(int(copied[6]))
        if self._seen(memory):  # asked as the variable's type
            align = max(align, own)
        if own < min(align, most):
            return "more"
        settled = max(align, own) if copied[7] == "true" else most
        return "doubt" if align < min(settled, most) else ""

    def _differ(
        self, copied: re.Match[str], found: Mapping[str, _Variable],
        into: Mapping[str, tuple[str, int | None]],
    ) -> bool:  # fmt: skip
        """Whether one of two variables is aligned less than the type that is copied may ask."""
        if copied[7] == "true":
            return False
        said = int(copied[2]), int(copied[4])
        known = []
        for least, pointer in zip(said, (copied[3], copied[5]), strict=True):
            root, at = into[pointer]
            # Of a parameter clang says how its type is aligned, and not how the variable is.
            known.append(least if at is None else max(least, gcd(found[root].align, at)))
        return min(known) < min(max(said), natural(int(copied[6])))

    def _seen(self, pointer: str) -> bool:
        """Whether clang sees which array a pointer is into."""
        return pointer in self._declared or pointer.startswith("@")

    def _constant(self, pointer: str, size: int) -> Global | None:
        """Return the constant of the compiler's own that is read, if all of it lies within.

        Of a struct without fields clang copies a byte; that is no access of the source.
        """
        if not pointer.startswith(OWN):
            return None
        found = self._module.variable(pointer[1:].strip('"'))
        return found if found and found.constant and size <= size_of(found.type) else None

    def _piece(self, copied: re.Match[str], variable: _Variable) -> int:
        """Return the bytes that are copied at once: as many as the type is aligned to.

        Of an address in an array that clang sees it says less; a call of `memcpy` knows of none.
        """
        size, piece = int(copied[6]), min(int(copied[2]), int(copied[4]), 16)
        if piece > 1 and any(map(self._seen, (copied[3], copied[5]))):
            piece = min(variable.align, 16)
        while size % piece:
            piece //= 2
        return piece


def _numbers(type: LType, value: Operand | None, at: int = 0) -> Iterator[tuple[Number, int, int]]:
    """Yield the integers in a constant, with their offsets in bytes and what they are."""
    match type, value:
        case Number(), Literal(number):
            yield type, at, number
        case Listed() | Record(), Items(items):
            parts = (within(type, n)[1] for n in range(len(items)))
            for (kind, item), by in zip(items, parts, strict=True):
                yield from _numbers(kind, item, at + by)
        case Listed() | Record(), Literal(0):
            for leaf, by in leaves(type, at):
                if isinstance(leaf, Number):
                    yield leaf, by, 0


def _first(type: LType) -> list[tuple[LType, int]]:
    """Return what a type consists of, once each."""
    match type:
        case Listed(_, element):
            return _first(element)
        case Record(fields):
            return [x for f in fields for x in _first(f)]
    return [(type, 0)]


def _known(operand: Operand | None, into: dict[str, tuple[str, int | None]]) -> str:
    if not isinstance(operand, Local):
        return ""
    names = (f"%{operand.name}", f'%"{operand.name}"')
    return next((n for n in names if n in into), "")


def _offset(source: LType, indices: list[tuple[LType, Operand]]) -> int | None:
    """Return the bytes that a pointer moves by, if these are numbers."""
    at, type = 0, source
    for k, (_, index) in enumerate(indices):
        if not isinstance(index, Literal):
            return None
        if k == 0:
            at += index.value * size_of(type)
        elif isinstance(type, Listed):
            type = type.element
            at += index.value * size_of(type)
        else:
            type, by = within(type, index.value)
            at += by
    return at


def _as_one(parts: list[LType], size: int) -> str:
    """Return a type of a size that shows what it consists of, if that is of one kind."""
    if parts and len(set(parts)) == 1 and size_of(parts[0]) * len(parts) == size:
        one = written(parts[0])
        return one if len(parts) == 1 else f"<{len(parts)} x {one}>"
    return f"i{8 * size}" if size <= 4 else f"<{size // 4} x i32>"
