"""What instructions of PTX do to memory; what has no rule here is not understood."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from symcute.frontends.cuda import asynchrony
from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.conversions import to_int
from symcute.frontends.cuda.copies import commit, copy, wait, wait_for_all
from symcute.frontends.cuda.ctype import BOOL, INT
from symcute.frontends.cuda.matrices import matrices, reading
from symcute.frontends.cuda.memory import EXPRS, LONG
from symcute.frontends.cuda.ptx import SILENT, Instruction, instructions, width_of
from symcute.frontends.cuda.values import Described, Numbered, Value
from symcute.kernel.ir.expression import Binary, Builtin, Const, Expr, PtrAdd
from symcute.kernel.ir.inside import every
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import (
    Atomic,
    Barrier,
    Commit,
    Fence,
    If,
    Int,
    Load,
    Pointer,
    Signal,
    Stmt,
    Store,
    Wait,
)
from symcute.kernel.ir.semantics import BARRIERS

__all__ = ["Context", "Operands", "lowered"]

_UNSIGNED = Int(32, False)
_WRITTEN = re.compile(r"%(?:\[(\w+)\]|(\d+))")
_ADDRESS = re.compile(r"\[\s*(%\[\w+\]|%\d+)\s*(?:\+\s*(\d+)\s*)?\]$")
_OPERAND_NAME = re.compile(r"%\[\w+\]|%\d+")
_REGISTER = re.compile(r"(?<![\w.$\[])[A-Za-z_$][\w$]*")
#: Instructions without a rule of which the first operand is not written.
_READ_ONLY = ("membar", "prefetch", "prefetchu", "griddepcontrol", "nanosleep", "pmevent",
              "setmaxnreg")  # fmt: skip
_ORDER = (Barrier, Commit, Fence, Signal, Wait)
_WORDS = ("b32", "u32", "s32")
_SCOPES = {"cta": "block", "gpu": "device", "sys": "system"}
_SHARED = ("shared", "shared::cta")
_ALL_LANES = 0xFFFFFFFF


class Unknown(Exception):
    """An instruction, or what it is given, that has no rule."""


@dataclass
class Operands:
    """The operands of an `asm`: names, how many are written, and the values of those read."""

    names: list[str]
    outputs: int
    values: list[Value]

    def value(self, text: str) -> Value:
        """Return the value of an operand that is only read."""
        found = _WRITTEN.fullmatch(text.strip())
        if found is None:
            if re.fullmatch(r"-?[1-9]\d*|0|0x[0-9a-fA-F]+", text.strip()):
                return Const(int(text, 0), LONG)
            raise Unknown
        named, number = found.groups()
        at = self.names.index(named) if named in self.names else int(number or -1)
        if not self.outputs <= at < self.outputs + len(self.values):
            raise Unknown
        return self.values[at - self.outputs]

    def is_input(self, text: str) -> bool:
        """Is an operand one that must not be written?"""
        try:
            self.value(text)
        except Unknown:
            return False
        return True

    def number(self, text: str) -> int:
        """Return the number that an operand is."""
        value = self.value(text)
        if not isinstance(value, Const):
            raise Unknown
        return value.value


@dataclass
class Context:
    """Where an instruction stands."""

    b: Builder
    place: Place
    operands: Operands

    def address(self, text: str, window: str) -> Expr:
        """Return the pointer that `[%n + 16]` is, into shared memory or not."""
        shared = window == "shared"
        found = _ADDRESS.match(text.strip())
        if found is None:
            raise Unknown
        value = self.operands.value(found.group(1))
        if isinstance(value, Numbered) and value.shared == shared:
            pointer = value.pointer
        elif isinstance(value, EXPRS) and value.type == Pointer() and not shared:
            pointer = value
        else:
            raise Unknown
        by = int(found.group(2) or 0)
        return PtrAdd(pointer, Const(by, LONG), 1, self.place) if by else pointer

    def emit(self, statement: Stmt, window: str = "") -> None:
        """Append an access, which must be one of global or of shared memory where it says so."""
        self.b.emit(statement)
        if window:
            self.b.windows.append((statement, window))


def lowered(c: Context, text: str, stays: bool) -> str:
    """Append what instructions do; return why not, or nothing.

    Where they do not have to stay, what they order may be ordered elsewhere or not at all.
    """
    with c.b.block() as out:
        reason = _lowered(c, text)
    if not reason and not stays and any(isinstance(s, _ORDER) for s in every(out)):
        reason = "inline assembly that orders, and may be moved or left out: it is not volatile"
    if not reason:
        c.b.out += out
    return reason


def _lowered(c: Context, text: str) -> str:
    if "\\" in text:
        return "inline assembly with escape sequences"
    tests: dict[str, Expr] = {}
    seen: set[tuple[bool, str]] = set()
    for each in instructions(text):
        rule = _RULES.get(each.name)
        try:
            if each.name in SILENT:
                _remember(c, each, tests, seen)
                continue
            if rule is None:
                raise Unknown
            with c.b.block() as out:
                rule(c, each)
            if each.predicate:
                test = tests.get(each.predicate.lstrip("@!%"))
                if test is None:
                    raise Unknown
                then, other = ((), tuple(out)) if "!" in each.predicate else (tuple(out), ())
                c.b.emit(If(test, then, other, c.place))
            else:
                c.b.out += out
        except (Unknown, IndexError):
            return f"the instruction {'.'.join(each.parts)}"
    return ""


def _remember(
    c: Context, each: Instruction, tests: dict[str, Expr], seen: set[tuple[bool, str]]
) -> None:
    """Keep what a predicate says that compares an operand with a number.

    Nothing is kept of a register that is written, or of a name that is declared, more than once.
    """
    if each.name in _READ_ONLY or not each.operands:
        return
    declares = each.name == "reg"
    texts = " ".join(each.operands if declares else each.operands[:1])
    if not declares and any(map(c.operands.is_input, _OPERAND_NAME.findall(texts))):
        raise Unknown
    targets = set(_REGISTER.findall(texts))
    again = {t for t in targets if (declares, t) in seen}
    seen |= {(flag, t) for t in again for flag in (True, False)}
    seen |= {(declares, t) for t in targets}
    for target in again:
        tests.pop(target, None)
    target = each.operands[0].lstrip("%")
    signs = {"ne": "!=", "eq": "=="}
    whole = each.name == "setp" and len(each.operands) == len(each.parts) == 3
    if not whole or target not in targets - again or each.parts[2] not in _WORDS:
        return
    try:
        value, number = c.operands.value(each.operands[1]), c.operands.number(each.operands[2])
    except Unknown:
        return
    plain = isinstance(value, EXPRS) and value.type in (INT, _UNSIGNED) and not each.predicate
    if each.parts[1] in signs and plain and INT.low <= number <= INT.high:
        held = to_int(c.b, value, INT, c.place, True)
        tests[target] = Binary(signs[each.parts[1]], held, Const(number, INT), BOOL, c.place)


# --- rules ----------------------------------------------------------------------------------------


#: Other memory than that of arrays: a plain pointer is no address of it.
_ELSEWHERE = ("local", "param", "const", "mmio", "async")


def _window(each: Instruction) -> str:
    """Return where its address must lie: "global", "shared" (of this block), or nothing."""
    if "shared::cluster" in each.parts or any(p.split("::")[0] in _ELSEWHERE for p in each.parts):
        raise Unknown
    if any(p in each.parts for p in _SHARED):
        return "shared"
    return "global" if "global" in each.parts else ""


def _strong(each: Instruction) -> str:
    """Return the scope of an access that is atomic, or nothing."""
    if not {"relaxed", "acquire", "release"} & set(each.parts):
        return ""
    if "cluster" in each.parts:
        raise Unknown
    return next(s for p, s in (*_SCOPES.items(), ("", "device")) if not p or p in each.parts)


def _load(c: Context, each: Instruction) -> None:
    width, window = width_of(each.parts), _window(each)
    if width is None or len(each.operands) not in (2, 3):
        raise Unknown
    address = c.address(each.operands[1], window)
    c.emit(Load(address, width[0], c.place, (), _strong(each)), window)


def _store(c: Context, each: Instruction) -> None:
    width, window = width_of(each.parts), _window(each)
    if width is None or len(each.operands) not in (2, 3):
        raise Unknown
    address = c.address(each.operands[0], window)
    c.emit(Store(address, width[0], c.place, None, _strong(each)), window)


def _atomic(c: Context, each: Instruction) -> None:
    width, window = width_of(each.parts), _window(each)
    if width is None or "cluster" in each.parts:
        raise Unknown
    scope = next((s for p, s in _SCOPES.items() if p in each.parts), "device")
    address = c.address(each.operands[0 if each.name == "red" else 1], window)
    unit = width[1] if width[0] != width[1] else 0
    c.emit(
        Atomic(".".join(each.parts), address, width[0], c.place, None, None, scope, unit), window
    )


def _matrix(c: Context, each: Instruction) -> None:
    """Of `ldmatrix` and `stmatrix` the lanes of the first rows name a row of 16 bytes each."""
    counts = [int(p[1:]) for p in each.parts if re.fullmatch(r"x[124]", p)]
    if (
        not counts
        or "m8n8" not in each.parts
        or _window(each) != "shared"
        or each.parts[-1] != "b16"
    ):
        raise Unknown
    reads = each.name == "ldmatrix"
    address = c.address(each.operands[1 if reads else 0], "shared")
    with c.b.block() as out:
        c.emit((Load if reads else Store)(address, 16, c.place), "shared")
    if counts[0] == 4:
        c.b.out += out
    else:
        rows = Const(8 * counts[0], _UNSIGNED)
        c.b.emit(If(Binary("<", _lane(c.place), rows, BOOL, c.place), tuple(out), (), c.place))


def _lane(place: Place) -> Expr:
    """Return the number of a thread in its warp."""

    def of(name: str) -> Expr:
        return Builtin(name, _UNSIGNED)

    def joined(operator: str, one: Expr, other: Expr) -> Expr:
        return Binary(operator, one, other, _UNSIGNED, place)

    rows = joined("+", joined("*", of("threadIdx.z"), of("blockDim.y")), of("threadIdx.y"))
    rank = joined("+", joined("*", rows, of("blockDim.x")), of("threadIdx.x"))
    return joined("%", rank, Const(32, _UNSIGNED))


def _barrier(c: Context, each: Instruction) -> None:
    if each.parts[1] == "cluster":
        asynchrony.cluster(c)
        return
    if "arrive" in each.parts or "red" in each.parts:
        raise Unknown
    if "warp" in each.parts:
        if c.operands.number(each.operands[0]) & _ALL_LANES != _ALL_LANES:
            raise Unknown
        c.emit(Barrier("warp", c.place))
        return
    if "sync" not in each.parts or "cluster" in each.parts or len(each.operands) != 1:
        raise Unknown
    number = c.operands.number(each.operands[0])
    if number not in BARRIERS:
        raise Unknown
    c.emit(Barrier("block", c.place, number))


def _copied(c: Context, each: Instruction) -> None:
    """`cp.async`: the copies of one thread from global to shared memory, and the waits for them."""
    kind = each.parts[2] if each.parts[1] == "async" else ""
    if kind == "bulk":
        _bulk(c, each)
        return
    if kind == "commit_group":
        commit(c.b, c.place)
        return
    if kind == "wait_all":
        wait_for_all(c.b, c.place)
        return
    if kind == "wait_group":
        wait(c.b, c.operands.number(each.operands[0]), c.place)
        return
    cached = any(p.startswith("L2::cache_hint") for p in each.parts)
    count = len(each.operands) - cached
    shared = each.parts[3] in _SHARED and each.parts[4] == "global"
    if kind not in ("ca", "cg") or not shared or count not in (3, 4):
        raise Unknown
    to, source = c.address(each.operands[0], "shared"), c.address(each.operands[1], "global")
    size = c.operands.number(each.operands[2])
    read: Expr = Const(size, INT)
    if count == 4:
        given = c.operands.value(each.operands[3])
        if not isinstance(given, EXPRS) or not isinstance(given.type, Int):
            raise Unknown
        read = given
    c.b.windows.append((copy(c.b, to, source, size, read, c.place), "shared"))


def _signal(c: Context, each: Instruction) -> Signal | None:
    """Return how a thread makes an mbarrier of its block, arrives or waits for a phase, or None."""
    op, parts, operands = each.parts[1], {*each.parts[2:]}, each.operands
    known = {"init": set(), "arrive": {"release"}, "await": {"parity", "acquire"}}.get(op)
    if known is None or not parts <= {*known, "cta", *_SHARED, "b64"} or _window(each) != "shared":
        return None
    if op == "arrive":
        # What is written is the state of the phase, a number of which nothing is known.
        if len(operands) != 2 or c.operands.is_input(operands[0]):
            return None
        return Signal(op, c.address(operands[1], "shared"), None, c.place)
    if (op == "await") != ("parity" in parts) or len(operands) > (2 if op == "init" else 3):
        return None
    value = c.operands.value(operands[1])
    if not isinstance(value, EXPRS) or not isinstance(value.type, Int):
        return None
    name = "wait" if op == "await" else op
    return Signal(name, c.address(operands[0], "shared"), value, c.place)


def _bulk(c: Context, each: Instruction) -> None:
    """`cp.async.bulk`: what TMA copies, and the waits for it."""
    kind = each.parts[3]
    if kind in ("commit_group", "wait_group"):
        asynchrony.ordered(c)
    elif kind != "prefetch" and not asynchrony.copied(c, each):
        raise Unknown


def _fence(c: Context, each: Instruction) -> None:
    """A fence orders nothing between threads, but agents see behind one what a thread wrote."""
    kind = each.parts[1:3]
    if kind == ("proxy", "async") and "global" not in each.parts:
        c.emit(Fence("proxy", c.place))
    elif kind[:1] == ("mbarrier_init",):
        c.emit(Fence("init", c.place))


def _mbarrier(c: Context, each: Instruction) -> None:
    first, signal = each.operands[0], _signal(c, each)
    if signal is not None:
        c.emit(signal, "shared")
    elif c.operands.is_input(first) or not asynchrony.mbarrier(c, each, _window(each)):
        raise Unknown


def _warpgroup(c: Context, each: Instruction) -> None:
    """`wgmma`: products of a warpgroup, and the waits for them."""
    if each.parts[1] not in ("mma_async", "fence", "commit_group", "wait_group"):
        raise Unknown
    # A warp's threads wait for each other there, and all of the group have to come by.
    c.emit(Barrier("warpgroup", c.place))
    if each.parts[1] == "mma_async":
        _multiplied(c, each)


def _multiplied(c: Context, each: Instruction) -> None:
    """An MMA reads what its descriptors name; each warp of the group begins to on its own."""
    found = None
    sources, turned = each.operands[1:3], each.operands[6:]
    given = [None if s.startswith("{") else c.operands.value(s) for s in sources]
    known = [g for g in given if g is None or isinstance(g, Described)]
    if len(known) == 2 and known[1] is not None:
        found = matrices(each.parts, known, [c.operands.number(t) for t in turned])
    if found is None:
        asynchrony.multiplied(c)
        return
    first = Binary("==", _lane(c.place), Const(0, _UNSIGNED), BOOL, c.place)
    for of, m in found:
        reads = reading(of, m, lambda: c.b.fresh("piece"), c.place)
        c.emit(If(first, tuple(reads), (), c.place))


_RULES: dict[str, Callable[[Context, Instruction], None]] = {
    "ld": _load, "ldu": _load, "st": _store, "atom": _atomic, "red": _atomic, "bar": _barrier,
    "barrier": _barrier, "fence": _fence, "ldmatrix": _matrix, "stmatrix": _matrix, "cp": _copied,
    "mbarrier": _mbarrier, "wgmma": _warpgroup,
}  # fmt: skip
