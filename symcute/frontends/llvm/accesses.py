"""Memory: local variables, pointers that move, accesses, atomic ones, copies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from symcute.frontends.cuda.memory import EXPRS
from symcute.frontends.cuda.values import OPAQUE
from symcute.frontends.llvm.arithmetic import Rule
from symcute.frontends.llvm.text import Instruction, Tokens
from symcute.frontends.llvm.types import (
    Listed,
    LType,
    Number,
    Ptr,
    Record,
    align_of,
    integer,
    is_odd,
    leaves,
    natural,
    size_of,
    within,
)
from symcute.frontends.llvm.values import BOOL, LONG, Lowering, NoRule, Value
from symcute.kernel.ir.expression import Base, Const, Expr, PtrAdd, Var
from symcute.kernel.ir.program import Array, Atomic, If, Int, Load, NotUnderstood, Pointer, Store

__all__ = ["ACCESSES", "apart", "copied", "filled", "read"]

_ATOMICS = {
    "add": "atomicAdd", "sub": "atomicSub", "and": "atomicAnd", "or": "atomicOr",
    "xor": "atomicXor", "max": "atomicMax", "umax": "atomicMax", "min": "atomicMin",
    "umin": "atomicMin", "xchg": "atomicExch", "fadd": "atomicAdd", "fsub": "atomicAdd",
    "fmax": "atomicMax", "fmin": "atomicMin", "uinc_wrap": "atomicInc", "udec_wrap": "atomicDec",
    "nand": "atomicNand",
}  # fmt: skip
#: Synchronization scopes of LLVM for NVIDIA; none is everyone, of which CUDA promises a device.
_SCOPES = {'""': "device", '"block"': "block", '"device"': "device", '"singlethread"': "thread"}
_ORDERS = ("unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst")
#: A copy of more pieces is one access, or two.
_PIECES = 64


def _alloca(k: Lowering, each: Instruction, tokens: Tokens) -> Value:
    tokens.take("inalloca")
    type, align = tokens.type(), 1
    while tokens.take(","):
        if tokens.take("align"):
            align = tokens.whole()
        else:
            raise NoRule("a local array of a size that is computed")
    tokens.end()
    element = type
    while isinstance(element, Listed) and not element.vector:
        element = element.element
    while isinstance(element, Record) and len(element.fields) == 1:
        element = element.fields[0]
        while isinstance(element, Listed) and not element.vector:
            element = element.element
    kind = integer(element, signed=True) if isinstance(element, Number) else None
    name = k.b.fresh(each.result)
    k.b.arrays[name] = Array(
        name, "private", max(1, size_of(element)), size_of(type) or None, align, k.here, "private",
        kind,
    )  # fmt: skip
    return Base(name)


def _gep(k: Lowering, each: Instruction, tokens: Tokens) -> Value:
    while tokens.take("inbounds", "nuw", "nusw"):
        pass
    source = tokens.type()
    tokens.need(",")
    type, operand = tokens.typed()
    base = k.value(type, operand)
    indices = []
    while tokens.take(","):
        indices.append(k.typed(tokens)[1])
    tokens.end()
    k.seen(each, operand, base)
    return k.moved(source, base, indices)


def _order(tokens: Tokens) -> tuple[str, int]:
    """Take what is behind an access: the scope of an atomic one, and the alignment."""
    scope = "device"
    if tokens.take("syncscope"):
        tokens.need("(")
        named = tokens.next()
        if named not in _SCOPES:
            raise NoRule(f"the scope {named}")
        scope = _SCOPES[named]
        tokens.need(")")
    while tokens.take(*_ORDERS):
        pass
    align = 0
    if tokens.take(","):
        tokens.need("align")
        align = tokens.whole()
    tokens.end()
    return scope, align


def _window(k: Lowering, type: LType, access: Load | Store | Atomic) -> None:
    """Append an access through a pointer, which is of the memory that its type says."""
    k.b.emit(access)
    if isinstance(type, Ptr) and type.space not in (0, 5):
        name = {1: "global", 3: "shared", 4: "constant"}.get(type.space)
        if name is None:
            raise NoRule(f"memory of the address space {type.space}")
        k.b.windows.append((access, name))


def _load(k: Lowering, each: Instruction, tokens: Tokens) -> Value:
    atomic = bool(tokens.take("atomic"))
    tokens.take("volatile")
    type = tokens.type()
    tokens.need(",")
    kind, pointer = k.typed(tokens)
    scope, align = _order(tokens)
    return read(k, type, kind, k.pointer(pointer), align, scope if atomic else "")


def read(
    k: Lowering, type: LType, kind: LType, pointer: Expr, align: int, scope: str = ""
) -> Value:
    """Read a value of a type, and return it."""
    align = _aligned(k, type, pointer, align)
    names: dict[int, Value] = {}
    for start, width in accesses(type, align):
        parts = []
        for leaf, at in leaves(type):
            if not start <= at or not at + size_of(leaf) <= start + width:
                continue
            if isinstance(leaf, Number) and leaf.bits % 8 == 0:
                var = Var(k.b.fresh("v"), _element(k, pointer, leaf))
            elif isinstance(leaf, Ptr):
                var = Var(k.b.fresh("v"), Pointer())
            else:
                continue
            names[at] = var
            parts.append((var.name, at - start, var.type))
        _window(k, kind, Load(_by(k, pointer, start), width, k.here, tuple(parts), scope))
    return _gathered(type, 0, names)


def _aligned(k: Lowering, type: LType, pointer: Expr, align: int) -> int:
    """Return how far an access is taken to be aligned: as its type is, or less.

    Clang says less of an address in an array that it sees and that is of something else, and may
    take the access apart; other compilers do not. It says less of what is packed, too.
    """
    wanted = min(16, align_of(type))
    if not align or align >= wanted or isinstance(type, Record) or is_odd(type):
        return align
    if _declared(k, pointer) and not k.module.packed:
        return wanted
    apart(k, pointer)
    return align


def _declared(k: Lowering, pointer: Expr) -> bool:
    """Does a pointer lie in an array that the source declares?"""
    while isinstance(pointer, PtrAdd | Var):
        moved = pointer.pointer if isinstance(pointer, PtrAdd) else k.kept.get(pointer.name)
        if moved is None:
            return False
        pointer = moved
    array = k.b.arrays.get(pointer.array) if isinstance(pointer, Base) else None
    return array is not None and (array.space != "global" or array.bytes is not None)


def apart(k: Lowering, pointer: Expr) -> None:
    """Say that accesses through a pointer may be wider than they are here."""
    reason = "an access that is aligned less than its type"
    said = NotUnderstood(reason, k.here, (), (), effect="aligned")
    k.b.touching(said, (pointer,))
    k.b.emit(said)


def _element(k: Lowering, pointer: Expr, leaf: Number) -> Int:
    """Return the type of an integer that is read: with the sign that the array's have."""
    here: Expr | None = pointer
    while isinstance(here, PtrAdd | Var):
        here = here.pointer if isinstance(here, PtrAdd) else k.kept.get(here.name)
    array = k.b.arrays.get(here.array) if isinstance(here, Base) else None
    kind = array.integer if array is not None else None
    return kind if kind is not None and kind.bits == leaf.bits else Int(leaf.bits, leaf.bits > 8)


def _by(k: Lowering, pointer: Expr, at: int) -> Expr:
    return PtrAdd(pointer, Const(at, LONG), 1, k.here) if at else pointer


def _gathered(type: LType, at: int, names: Mapping[int, Value]) -> Value:
    count = type.count if isinstance(type, Listed) else len(type.fields) if isinstance(
        type, Record) else 0  # fmt: skip
    if not count or count > _PIECES:
        return names.get(at, OPAQUE)
    parts = (within(type, n) for n in range(count))
    return tuple(_gathered(part, at + by, names) for part, by in parts)


def accesses(type: LType, align: int) -> Iterator[tuple[int, int]]:
    """Yield start and width of the accesses that move a value of a type."""
    if isinstance(type, Record) or (isinstance(type, Listed) and not type.vector):
        for leaf, at in leaves(type):
            yield from ((at + start, width) for start, width in accesses(leaf, align))
        return
    if isinstance(type, Number) and is_odd(type):  # of a bit-field: compilers take it apart
        yield from ((start, 1) for start in range(type.bits // 8))
        return
    size = type.count * size_of(type.element) if isinstance(type, Listed) else size_of(type)
    if not size:
        raise NoRule("an access of what has no size")
    piece = size if not align else min(size & -size, align)
    if align and piece < min(size & -size, 16):
        yield from ((start, piece) for start in range(0, size, piece))
    else:
        yield 0, size


def _store(k: Lowering, each: Instruction, tokens: Tokens) -> None:
    atomic = bool(tokens.take("atomic"))
    tokens.take("volatile")
    type, value = k.typed(tokens)
    tokens.need(",")
    kind, pointer = k.typed(tokens)
    scope, align = _order(tokens)
    where = k.pointer(pointer)
    align = _aligned(k, type, where, align)
    for start, width in accesses(type, align):
        part = value if isinstance(value, EXPRS) and not start else None
        stored = part if isinstance(part, EXPRS) and _bytes(part) == width else None
        if isinstance(type, Number) and type.bits % 8:
            raise NoRule("an integer of a part of a byte")
        store = Store(_by(k, where, start), width, k.here, stored, scope if atomic else "")
        _window(k, kind, store)


def _bytes(e: Expr) -> int:
    return max(1, e.type.bits // 8) if isinstance(e.type, Int) else 8


def _atomicrmw(k: Lowering, each: Instruction, tokens: Tokens) -> Value:
    tokens.take("volatile")
    word = tokens.next()
    if word not in _ATOMICS:
        raise NoRule(f"atomicrmw {word}")
    kind, pointer = k.typed(tokens)
    tokens.need(",")
    type, value = k.typed(tokens)
    scope, _ = _order(tokens)
    return atomic(k, _ATOMICS[word], kind, k.pointer(pointer), type, value, scope, word)


def atomic(
    k: Lowering, op: str, kind: LType, where: Expr, type: LType, value: Value | None, scope: str,
    word: str = "",
) -> Value:  # fmt: skip
    """Read and write at once, and return what was there."""
    unit = 0
    if isinstance(type, Listed):
        unit = size_of(type.element)
    if isinstance(type, Number) and isinstance(value, EXPRS):
        number = _element(k, where, type)
        if word in ("max", "min", "umax", "umin"):
            number = Int(type.bits, word[0] != "u")
        stored = k.cast(k.number(value, type, None), number, True)
        found = Var(k.b.fresh("old"), number)
        _window(
            k, kind, Atomic(op, where, size_of(type), k.here, (found.name, number), stored, scope)
        )
        return found
    _window(k, kind, Atomic(op, where, size_of(type), k.here, None, None, scope, unit))
    return OPAQUE


def _cmpxchg(k: Lowering, each: Instruction, tokens: Tokens) -> Value:
    if tokens.take("weak"):
        raise NoRule("an exchange that may fail for no reason")
    tokens.take("volatile")
    kind, pointer = k.typed(tokens)
    tokens.need(",")
    type, _ = k.typed(tokens)
    tokens.need(",")
    k.typed(tokens)
    scope, _ = _order(tokens)
    # What is stored hangs on what was there.
    found = atomic(k, "atomicCAS", kind, k.pointer(pointer), type, None, scope)
    if not isinstance(type, Number):
        return found, k.any(Number(1), "whether an exchange happened")
    return k.any(type, "what an exchange found"), k.any(Number(1), "whether an exchange happened")


def _fence(k: Lowering, each: Instruction, tokens: Tokens) -> None:
    return None


def copied(
    k: Lowering, kinds: tuple[LType, LType], ends: tuple[Expr, Expr], aligned: tuple[int, int],
    size: int, asks: bool,
) -> None:  # fmt: skip
    """Copy bytes from the second to the first of two pointers, as wide as each is aligned.

    `asks`: its type may ask for more alignment than clang knows of both. What clang knows of an
    address may be more than the type asks for: that of a member, or of a variable that is aligned
    as nothing in it is. So where one end is aligned less, both ways to copy are looked at.
    """
    narrow = [min(align, natural(size)) for align in aligned]
    wide = list(narrow)
    for end, own, other in ((0, *narrow), (1, *reversed(narrow))):
        if own < other and (not asks or (_declared(k, ends[end]) and not k.module.packed)):
            wide[end] = other
        if asks and wide[end] < natural(size):
            apart(k, ends[end])
    if wide == narrow:
        _move(k, kinds, ends, narrow, size)
        return
    asked = k.b.havoc(BOOL, "whether a copy asks for more alignment", k.here)
    with k.b.block() as then:
        _move(k, kinds, ends, wide, size)
    with k.b.block() as other_way:
        _move(k, kinds, ends, narrow, size)
    k.b.emit(If(asked, tuple(then), tuple(other_way), k.here))


def _move(
    k: Lowering, kinds: tuple[LType, LType], ends: tuple[Expr, Expr], widths: Sequence[int],
    size: int,
) -> None:  # fmt: skip
    target, source = (list(_pieces(size, width)) for width in widths)
    alike = target == source
    for at, width in source:
        # What is as wide as an int may be one.
        held = Var(k.b.fresh("v"), Int(8 * width, True)) if width in (1, 2, 4) else None
        parts = () if held is None else ((held.name, 0, held.type),)
        _window(k, kinds[1], Load(_by(k, ends[1], at), width, k.here, parts))
        if alike:
            _window(k, kinds[0], Store(_by(k, ends[0], at), width, k.here, held))
    for at, width in () if alike else target:
        _window(k, kinds[0], Store(_by(k, ends[0], at), width, k.here))


def filled(
    k: Lowering, kind: LType, where: Expr, aligned: int, size: int, byte: int | None
) -> None:
    """Write bytes, all the same if that is known, as wide as the pointer is aligned."""
    for at, width in _pieces(size, aligned):
        stored = None
        if byte is not None and width in (1, 2, 4, 8):
            number = Int(8 * width, True)
            stored = Const(number.wrap(int.from_bytes(bytes([byte & 255]) * width)), number)
        _window(k, kind, Store(_by(k, where, at), width, k.here, stored))


def _pieces(size: int, aligned: int) -> Iterator[tuple[int, int]]:
    """Yield start and width of the accesses that touch bytes: each as wide as these are aligned.

    Of many pieces come one access or two, of which none asks for more alignment.
    """
    piece = min(aligned, 16, size & -size)
    if size // piece <= _PIECES:
        yield from ((at, piece) for at in range(0, size, piece))
        return
    first = size - piece if piece < min(16, size & -size) else size
    yield 0, first
    if first < size:
        yield first, piece


ACCESSES: Mapping[str, Rule] = {
    "alloca": _alloca, "getelementptr": _gep, "load": _load, "store": _store,
    "atomicrmw": _atomicrmw, "cmpxchg": _cmpxchg, "fence": _fence,
}  # fmt: skip
