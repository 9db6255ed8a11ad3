"""Words that are put together of an address in shared memory and of bits: descriptors.

clang writes bit-fields, unions and halves of words as shifts and masks; what comes of these is
known bit by bit, where all but the address are numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from symcute.frontends.cuda.values import Described, Numbered
from symcute.frontends.llvm.constants import flags
from symcute.frontends.llvm.text import Instruction, Local, Operand, Tokens, Unread
from symcute.frontends.llvm.types import LType, Number
from symcute.frontends.llvm.values import Lowering, Value
from symcute.kernel.ir.expression import Base, Const, Expr, PtrAdd, Var

__all__ = ["Word", "described"]

#: The low bits of a descriptor are those of an address above its last four.
_FIELD, _DROPPED = 14, 4
_LOW = (1 << _FIELD) - 1
#: The bits of a descriptor that mean something, but for the address.
_MEANT = sum(((1 << n) - 1) << at for at, n in ((16, 14), (32, 14), (49, 3), (62, 2)))
#: What has a swizzle begins at a multiple of at most so many bytes.
_MOST = 1024


@dataclass(frozen=True)
class Word:
    """Bits: those of `known` are those of `value`; the low ones are an address, if it has one."""

    known: int = 0
    value: int = 0
    address: Expr | None = None

    def masked(self, mask: int) -> Word:
        """Return the bits of a mask, and zeros."""
        if self.address is not None and mask & _LOW not in (0, _LOW):
            return Word()
        address = self.address if mask & _LOW else None
        return Word(self.known | ~mask, self.value & mask, address)

    def joined(self, other: Word) -> Word:
        """Return what is set in one word or the other."""
        for one, two in ((self, other), (other, self)):
            if one.address is not None and (two.address is not None or not two.is_free):
                return Word()
        ones = self.known & self.value | other.known & other.value
        zeros = self.known & ~self.value & other.known & ~other.value
        return Word(ones | zeros, ones, self.address or other.address)

    @property
    def is_free(self) -> bool:
        """Are the bits of an address zeros?"""
        return self.known & _LOW == _LOW and self.value & _LOW == 0

    def shifted(self, by: int) -> Word:
        """Return the bits so many places further up, or down: an address goes out, if it can."""
        if self.address is not None and by > -_FIELD:
            return self if by == 0 else Word()
        if by >= 0:
            return Word(self.known << by | (1 << by) - 1, self.value << by)
        return Word(self.known >> -by, self.value >> -by)


def described(k: Lowering, type: LType, operand: Operand) -> Described | None:
    """Return a descriptor whose bits are all known, or None."""
    if type != Number(64):
        return None
    word = _word(k, type, operand)
    if word.address is None or word.known & _MEANT != _MEANT:
        return None
    array = _array(k, word.address)
    if array is None or k.b.arrays[array].space != "shared":
        return None
    aligned = k.b.arrays[array].alignment
    if array == k.b.dynamic and aligned < _MOST:
        aligned = _MOST
        k.granted[f"{array} begins at a multiple of {_MOST} bytes, as swizzles in it need"] = None
    return Described(array, word.address, word.value & _MEANT, aligned)


def _array(k: Lowering, pointer: Expr) -> str | None:
    """Return the array that a pointer points into, where that is one."""
    while isinstance(pointer, PtrAdd | Var):
        if isinstance(pointer, PtrAdd):
            pointer = pointer.pointer
        elif pointer.name in k.kept:
            pointer = k.kept[pointer.name]
        else:
            return None
    return pointer.array if isinstance(pointer, Base) else None


def _word(k: Lowering, type: LType, operand: Operand) -> Word:
    """Return what is known of the bits of an integer, those above its width zeros."""
    number = k.known.number(type, operand)
    if number is not None:
        return Word(-1, number)
    made = k.made.get(operand.name) if isinstance(operand, Local) else None
    if made is None or not isinstance(type, Number):
        return Word()
    try:
        found = _made(k, made, Tokens(made.rest, k.module))
    except Unread:
        return Word()
    return found.masked((1 << type.bits) - 1)


def _made(k: Lowering, made: Instruction, tokens: Tokens) -> Word:
    """Return what an instruction gives."""
    flags(tokens)
    type, left = tokens.typed()
    if made.op in ("trunc", "zext"):
        return _word(k, type, left)
    if made.op not in ("and", "or", "shl", "lshr", "add"):
        return Word()
    tokens.need(",")
    right = tokens.operand(type)
    number = k.known.number(type, right)
    match made.op:
        case "and" if number is not None:
            return _word(k, type, left).masked(number)
        case "or":
            return _word(k, type, left).joined(_word(k, type, right))
        case "shl" if number is not None:
            return _word(k, type, left).shifted(number)
        case "lshr" if number is not None:
            address = _address(k, type, left) if number == _DROPPED else None
            return address or _word(k, type, left).shifted(-number)
        case "add":
            word, by = _word(k, type, left), k.value(type, right)
            if word.address is None or not (isinstance(by, Const) or _is_set_once(k, by)):
                return Word()
            # What leaves the bits of the address is seen to where matrices are read.
            step = k.number(by, type, True)
            return replace(word, address=PtrAdd(word.address, step, 1 << _DROPPED, k.here))
    return Word()


def _address(k: Lowering, type: LType, operand: Operand) -> Word | None:
    """Return the address in shared memory that a number is, without the bits that are dropped."""
    if not isinstance(operand, Local):
        return None
    value, made = k.names.get(operand.name), k.made.get(operand.name)
    if isinstance(value, Numbered):
        return Word(address=value.pointer) if value.shared else None
    if made is None or made.op not in ("and", "trunc", "zext"):
        return None
    tokens = Tokens(made.rest, k.module)
    flags(tokens)
    inner_type, inner = tokens.typed()
    found, mask = _address(k, inner_type, inner), None
    if made.op == "and":
        tokens.need(",")
        mask = k.known.number(type, tokens.operand(type)) or 0
    elif made.op == "trunc" and isinstance(type, Number):
        mask = (1 << type.bits) - 1
    return found if found is None or mask is None else found.masked(mask >> _DROPPED)


def _is_set_once(k: Lowering, value: Value) -> bool:
    return isinstance(value, Var) and value.name in k.kept
