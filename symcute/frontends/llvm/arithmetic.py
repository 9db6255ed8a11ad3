"""Arithmetic, comparisons, conversions and choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from symcute.frontends.cuda.memory import EXPRS
from symcute.frontends.cuda.values import OPAQUE, Numbered
from symcute.frontends.llvm.constants import COMPARISONS, flags
from symcute.frontends.llvm.text import Instruction, Tokens, Unknown
from symcute.frontends.llvm.types import (
    Listed,
    LType,
    Number,
    Ptr,
    integer,
    within,
)
from symcute.frontends.llvm.values import BOOL, LONG, Lowering, NoRule, Value
from symcute.kernel.ir.expression import Base, Binary, Cast, Const, Expr, PtrAdd, Select, Unary, Var
from symcute.kernel.ir.program import Int, Pointer

__all__ = ["ARITHMETIC", "Rule", "opaque"]

#: What an instruction gives, or None where it gives nothing.
Rule = Callable[[Lowering, Instruction, Tokens], "Value | None"]
_ARITHMETIC = {"add": "+", "sub": "-", "mul": "*"}
_DIVISIONS = {"udiv": ("/", False), "urem": ("%", False), "sdiv": ("/", True), "srem": ("%", True)}
_BITS = {"and": "&", "or": "|", "xor": "^"}
#: What clang names the number that it puts into a bit-field.
_STORED = "bf.value"
#: What LLVM calls a number of which a part is still to be put in.
_INSERTED = ".insert.mask"
_LOGIC = {"and": "&&", "or": "||", "xor": "!="}
_FLOATS = ("fadd", "fsub", "fmul", "fdiv", "frem", "fneg", "sitofp", "uitofp", "fptrunc", "fpext")


def _two(k: Lowering, tokens: Tokens, partly: bool = False) -> tuple[LType, Value, Value]:
    """Take two operands; `partly`: of the first a part is left undefined, which may be anything."""
    type, operand = tokens.typed()
    undefined = partly and operand == Unknown(undefined=True)
    left = k.any(type, "what is not set yet") if undefined else k.value(type, operand)
    tokens.need(",")
    right = k.value(type, tokens.operand(type))
    tokens.end()
    if isinstance(left, Const) and isinstance(right, Const):
        left = k.held(left)
    return type, left, right


def _lanes(type: LType) -> bool:
    return isinstance(type, Listed)


def _binary(k: Lowering, each: Instruction, tokens: Tokens) -> Value:
    said = flags(tokens)
    type, left, right = _two(k, tokens, each.op == "and" and each.result.endswith(_INSERTED))
    if _lanes(type):
        return OPAQUE
    if not isinstance(type, Number):
        raise NoRule(f"{each.op} of what is no integer")
    if each.op == "sub" and isinstance(left, Numbered) and isinstance(right, Numbered):
        return Binary("-", left.pointer, right.pointer, LONG, k.here)
    if isinstance(left, Numbered) or isinstance(right, Numbered):
        return _shifted(k, each, type, left, right)
    if each.op == "and" and each.result.startswith(_STORED) and isinstance(right, Const):
        return _stored(k, type, left, right.value)
    if each.op in _BITS:
        return _bits(k, each.op, type, left, right)
    if each.op in _ARITHMETIC:
        signed = "nsw" in said
        narrow = not signed and type.bits < 32
        if not narrow:
            a, b = k.number(left, type, signed), k.number(right, type, signed)
            if each.op == "add" and isinstance(right, Const) and right.value < 0 and not signed:
                # `i - 1` of an unsigned number is written so.
                less = k.cast(Const(-right.value, LONG), integer(type), True)
                return Binary("-", a, less, integer(type), k.here)
            return Binary(_ARITHMETIC[each.op], a, b, integer(type, signed), k.here)
        # C computes in an int, and converts what comes of it.
        a, b = k.number(left, type, None), k.number(right, type, None)
        ends = k.cast(a, LONG, True), k.cast(b, LONG, True)
        exact = Binary(_ARITHMETIC[each.op], *ends, LONG, k.here)
        return Cast(exact, integer(type, _signed(a)), k.here)
    op, signed = _DIVISIONS[each.op]
    a, b = k.number(left, type, signed), k.number(right, type, signed)
    return Binary(op, a, b, integer(type, signed), k.here)


def _stored(k: Lowering, type: Number, left: Value, mask: int) -> Expr:
    """Return what a bit-field keeps of a number: what it does not hold is lost, and nobody says so.

    Of one bit it is not asked whether the rest is 0.
    """
    held = Int(max(1, (mask & ((1 << type.bits) - 1)).bit_length()), False)
    value, kind = k.number(left, type, None), integer(type)
    if held.bits == 1:
        whole = k.cast(value, kind, True)
        return Binary("&", whole, Const(1, kind), kind, k.here)
    return k.cast(k.cast(value, held), kind, True)


def _shifted(k: Lowering, each: Instruction, type: Number, left: Value, right: Value) -> Value:
    """Return an address in shared memory, as a number, that moves by a number; or bits of it."""
    if isinstance(right, Numbered):
        left, right = right, left
        if each.op not in ("add", "and"):
            return OPAQUE
    if not isinstance(left, Numbered) or not isinstance(right, EXPRS):
        return OPAQUE
    if each.op == "and" and isinstance(right, Const) and _in_block(k, left.pointer):
        return k.any(type, "bits of an address in shared memory", uniform=True)
    if each.op != "add" or not isinstance(right.type, Int) or not left.shared:
        return OPAQUE
    step = k.number(right, Number(right.type.bits), True)
    return Numbered(PtrAdd(left.pointer, step, 1, k.here), True)


def _in_block(k: Lowering, pointer: Expr | None) -> bool:
    """Is a pointer a place in shared memory that is the same for all threads of a block?"""
    while isinstance(pointer, PtrAdd | Var):
        if isinstance(pointer, Var):
            pointer = k.kept.get(pointer.name)
        else:
            pointer = pointer.pointer if isinstance(pointer.index, Const) else None
    return isinstance(pointer, Base) and k.b.arrays[pointer.array].space == "shared"


def _bits(k: Lowering, op: str, type: Number, left: Value, right: Value) -> Value:
    if type.bits == 1:
        return Binary(_LOGIC[op], k.truth(left), k.truth(right), BOOL, k.here)
    a, b = k.number(left, type, None), k.number(right, type, None)
    signed = not (isinstance(a.type, Int) and not a.type.signed)
    if isinstance(a, Const) and isinstance(b.type, Int):
        signed = b.type.signed
    # C converts a number with a sign to one without where either has none: that may lose it.
    mixed = isinstance(a.type, Int) and isinstance(b.type, Int) and a.type.signed != b.type.signed
    mixed = mixed and not (isinstance(a, Const) or isinstance(b, Const))
    kind = integer(type, signed and not mixed)
    ends = k.cast(a, kind, not mixed), k.cast(b, kind, not mixed)
    return Binary(_BITS[op], *ends, kind, k.here)


def _shift(k: Lowering, each: Instruction, tokens: Tokens) -> Value:
    said = flags(tokens)
    type, left, right = _two(k, tokens)
    if _lanes(type):
        return OPAQUE
    if not isinstance(type, Number):
        raise NoRule(f"{each.op} of what is no integer")
    by = k.number(right, type, None)
    if each.op != "shl":
        value = k.number(left, type, each.op == "ashr")
        return Binary(">>", value, by, integer(type, each.op == "ashr"), k.here)
    value = k.number(left, type, None)
    assert isinstance(value.type, Int)
    if said or not value.type.signed:
        return Binary("<<", value, by, value.type, k.here)
    # Whether the number has a sign is not said: what its type does not hold may be meant.
    if isinstance(by, Const) and 0 <= by.value < type.bits:
        double = Int(max(64, 2 * type.bits), True)
        factor = Const(1 << by.value, double)
        wide = Binary("*", k.cast(value, double, True), factor, double, k.here)
        return Cast(wide, value.type, k.here)
    kind = integer(type)
    return Cast(Binary("<<", k.cast(value, kind, True), by, kind, k.here), value.type, k.here)


def _icmp(k: Lowering, each: Instruction, tokens: Tokens) -> Value:
    flags(tokens)
    word = tokens.next()
    if word not in COMPARISONS:
        raise NoRule(f"the comparison {word}")
    op, signed = COMPARISONS[word]
    type, left, right = _two(k, tokens)
    if _lanes(type):
        return OPAQUE
    if isinstance(type, Ptr):
        return k.compared(op, k.pointer(left), k.pointer(right))
    if type == Number(1) and signed is None:
        return k.compared(op, k.truth(left), k.truth(right))
    a, b = k.number(left, type, signed), k.number(right, type, signed)
    if a.type != b.type:  # C compares without a sign where either has none
        assert isinstance(a.type, Int) and isinstance(b.type, Int)
        numbers = isinstance(a, Const) or isinstance(b, Const)
        first = isinstance(b, Const) or not (isinstance(a, Const) or a.type.signed)
        kind = a.type if first else b.type
        a, b = k.cast(a, kind, numbers), k.cast(b, kind, numbers)
    return k.compared(op, a, b)


def _fcmp(k: Lowering, each: Instruction, tokens: Tokens) -> Value:
    return k.any(Number(1), "a comparison of floating point") if "<" not in each.rest else OPAQUE


def opaque(k: Lowering, each: Instruction, tokens: Tokens) -> Value:
    """Return what no integer comes from."""
    return OPAQUE


def _to_integer(k: Lowering, each: Instruction, tokens: Tokens) -> Value:
    type = _target(tokens)
    return k.any(type, "an integer of floating point") if isinstance(type, Number) else OPAQUE


def _target(tokens: Tokens) -> LType:
    tokens.typed()
    tokens.need("to")
    type = tokens.type()
    tokens.end()
    return type


def _conversion(k: Lowering, each: Instruction, tokens: Tokens) -> Value:
    flags(tokens)
    source, value = k.typed(tokens)
    tokens.need("to")
    target = tokens.type()
    tokens.end()
    if not isinstance(source, Number) or not isinstance(target, Number):
        return OPAQUE
    if isinstance(value, Numbered):
        # An address in shared memory has 32 bits, as a number of either width.
        kept = value.shared and target.bits >= 32 and each.op != "sext"
        return value if kept else k.any(target, "a part of an address")
    if each.op == "trunc":
        plain = k.number(value, source, None)
        if target.bits == 1:
            one = Const(1, integer(source, _signed(plain)))
            odd = Binary("&", plain, one, one.type, k.here)
            return k.compared("!=", odd, Const(0, one.type))
        return k.cast(plain, integer(target, _signed(plain)))
    if source.bits == 1:
        sign = k.cast(k.truth(value), Int(target.bits, True), True)
        return sign if each.op == "zext" else Unary("-", sign, Int(target.bits, True), k.here)
    plain = k.number(value, source, each.op == "sext")
    # A byte or a short becomes an int; what is wider stays without a sign.
    signed = each.op == "sext" or (source.bits < 32 and target.bits <= 32)
    return k.cast(plain, integer(target, signed), True)


def _signed(e: Expr) -> bool:
    return isinstance(e.type, Int) and e.type.signed


def _bitcast(k: Lowering, each: Instruction, tokens: Tokens) -> Value:
    source, value = k.typed(tokens)
    tokens.need("to")
    target = tokens.type()
    tokens.end()
    same = source == target or (isinstance(source, Ptr) and isinstance(target, Ptr))
    if same:
        return value
    return k.any(target, "the bits of something") if isinstance(target, Number | Ptr) else OPAQUE


def _ptrtoint(k: Lowering, each: Instruction, tokens: Tokens) -> Value:
    type, operand = tokens.typed()
    tokens.need("to")
    target = tokens.type()
    tokens.end()
    found = k.numbered(type, operand)
    wide = isinstance(target, Number) and target.bits >= 32
    return found if wide and isinstance(found, Numbered) else OPAQUE


def _inttoptr(k: Lowering, each: Instruction, tokens: Tokens) -> Value:
    _, value = k.typed(tokens)
    tokens.need("to")
    target = tokens.type()
    tokens.end()
    if (
        isinstance(value, Numbered)
        and isinstance(target, Ptr)
        and value.shared == (target.space == 3)
    ):
        return value.pointer
    return k.any(Ptr(), "a pointer made of a number")


def _freeze(k: Lowering, each: Instruction, tokens: Tokens) -> Value:
    _, value = k.typed(tokens)
    tokens.end()
    return value


def _select(k: Lowering, each: Instruction, tokens: Tokens) -> Value:
    while tokens.take("fast", "contract", "nnan", "ninf", "nsz"):
        pass
    test_type, chosen = k.typed(tokens)
    tokens.need(",")
    type, then = k.typed(tokens)
    tokens.need(",")
    _, other = k.typed(tokens)
    tokens.end()
    if test_type != Number(1):
        return OPAQUE
    return _chosen(k, k.truth(chosen), type, then, other)


def _chosen(k: Lowering, test: Expr, type: LType, then: Value, other: Value) -> Value:
    """Return one of two values."""
    if isinstance(then, tuple) and isinstance(other, tuple) and len(then) == len(other):
        kinds = [within(type, n)[0] for n in range(len(then))]
        parts = zip(kinds, then, other, strict=True)
        return tuple(_chosen(k, test, t, a, b) for t, a, b in parts)
    if isinstance(type, Number) and type.bits == 1:
        return Select(test, k.truth(then), k.truth(other), BOOL)
    if isinstance(type, Number):
        if isinstance(then, Numbered) or isinstance(other, Numbered):
            return OPAQUE
        a, b = k.number(then, type, None), k.number(other, type, None)
        kind = b.type if isinstance(a, Const) else a.type
        assert isinstance(kind, Int)
        return Select(test, k.cast(a, kind, True), k.cast(b, kind, True), kind)
    if isinstance(type, Ptr):
        return Select(test, k.pointer(then), k.pointer(other), Pointer())
    return OPAQUE


ARITHMETIC: Mapping[str, Rule] = {
    **dict.fromkeys((*_ARITHMETIC, *_DIVISIONS, *_BITS), _binary),
    **dict.fromkeys(("shl", "lshr", "ashr"), _shift),
    **dict.fromkeys(_FLOATS, opaque),
    **dict.fromkeys(("fptosi", "fptoui"), _to_integer),
    **dict.fromkeys(("sext", "zext", "trunc"), _conversion),
    **dict.fromkeys(("bitcast", "addrspacecast"), _bitcast),
    "icmp": _icmp, "fcmp": _fcmp, "ptrtoint": _ptrtoint, "inttoptr": _inttoptr,
    "freeze": _freeze, "select": _select,
}  # fmt: skip
