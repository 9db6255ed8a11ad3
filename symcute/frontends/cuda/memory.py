"""Variables and memory: declared, read, written, converted."""

from __future__ import annotations

from collections.abc import Iterator

from symcute.frontends.cuda.builder import Builder, NeedsMemory, NeedsNumber, NeedsVariable
from symcute.frontends.cuda.ctype import (
    BOOL,
    CArray,
    CPointer,
    CType,
    Field,
    Record,
    Reference,
    Void,
    align_of,
    size_of,
)
from symcute.frontends.cuda.library import children, kind_of
from symcute.frontends.cuda.values import (
    OPAQUE,
    Address,
    Bits,
    Bound,
    Choice,
    Closure,
    Fields,
    Function,
    Hole,
    Lost,
    Memory,
    Numbered,
    Parts,
    Slot,
    Spot,
    Value,
    Window,
)
from symcute.kernel.ir.expression import (
    Base,
    Binary,
    Builtin,
    Cast,
    Const,
    Expr,
    PtrAdd,
    Select,
    Unary,
    Var,
)
from symcute.kernel.ir.inside import reads
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import (
    Array,
    Havoc,
    If,
    Int,
    Let,
    Load,
    NotUnderstood,
    Pointer,
    Store,
)

__all__ = [
    "EXPRS",
    "LONG",
    "PRINTED",
    "address",
    "as_pointer",
    "declare",
    "field_of",
    "holds_lambda",
    "kept",
    "null",
    "numbered",
    "read",
    "shift",
    "unknown",
    "write",
]

#: A struct of more pieces than this is moved in one go.
_PIECES = 64
#: What an expression of the program is.
EXPRS = (Const, Var, Builtin, Unary, Binary, Select, Cast, Base, PtrAdd)

BYTE = Int(8, False)
LONG = Int(64, True)
#: Where what is printed goes; no source has its address.
PRINTED = "printf buffer"


# --- declaring ------------------------------------------------------------------------------------


def declare(b: Builder, owner: int, type: CType, name: str, place: Place, text: str) -> Spot:
    """Return a new place for a variable of a type; nothing is in it yet."""
    if owner in b.in_memory or _lies_in_memory(type):
        return Memory(Base(b.array(name, "private", type, place, text)), type)
    match type:
        case Int():
            return Slot(b.fresh(name), type, owner)
        case CPointer() | Reference():
            return Slot(b.fresh(name), Pointer(), owner)
        case Record(fields=fields):
            spots: dict[str, Spot] = {}
            for f in fields:
                title = f"{name}.{f.name}"
                if f.bits is not None and isinstance(f.type, Int):
                    spots[f.name] = Slot(b.fresh(title), f.type, owner, f.bits)
                else:
                    spots[f.name] = declare(b, owner, f.type, title, place, text)
            return Parts(type, spots, owner)
        case _:
            return Hole(owner)


def numbered(b: Builder, owner: int, value: Value, name: str, place: Place) -> Spot | None:
    """Return the place of a variable that begins with the number of an address, if it does.

    One that is never changed stands for it.
    """
    if not isinstance(value, Numbered) or owner in b.in_memory | b.counted:
        return None
    if owner not in b.changed:
        return Bound(value, owner)
    b.emit(Let(at := b.fresh(f"{name}.at"), value.pointer, place))
    return Window(at, value.shared, owner)


def _lies_in_memory(type: CType) -> bool:
    match type:
        case CArray():
            return True
        case Record():
            return bool(type.union or type.trouble)
        case _:
            return False


def unknown(b: Builder, type: CType, reason: str, place: Place) -> Value:
    """Return any value of a type."""
    match type:
        case Int():
            return b.havoc(type, reason, place)
        case CPointer() | Reference():
            return b.havoc(Pointer(), reason, place)
        case Record(fields=fields):
            return Fields(type, {f.name: unknown(b, f.type, reason, place) for f in fields})
        case _:
            return OPAQUE


# --- pointers -------------------------------------------------------------------------------------


def null(b: Builder, place: Place) -> Expr:
    """Return the null pointer."""
    name = "nullptr"
    if name not in b.arrays:
        b.taken.add(name)
        b.arrays[name] = Array(name, "global", 1, 0, 1, place, "nullptr")
    return Base(name)


def as_pointer(b: Builder, value: Value, place: Place) -> Expr:
    """Return a pointer as an expression of the program."""
    if isinstance(value, Address):
        owner = getattr(value.spot, "owner", 0)
        if owner and owner not in b.in_memory:
            raise NeedsMemory(owner)
        return b.havoc(Pointer(), "the address of something that is not in memory", place)
    if isinstance(value, EXPRS) and value.type == Pointer():
        return value
    return b.havoc(Pointer(), "a pointer made of something else", place)


def shift(pointer: Expr, by: int, place: Place) -> Expr:
    """Return a pointer moved by bytes."""
    return PtrAdd(pointer, Const(by, LONG), 1, place) if by else pointer


def address(b: Builder, spot: Spot, place: Place) -> Value:
    """Return a pointer to a place."""
    match spot:
        case Memory(pointer):
            return pointer
        case Lost():
            return b.havoc(Pointer(), "the address of something not understood", place)
        case Bound(value, 0) if isinstance(value, Function | Choice | Closure):
            return value
        case _:
            return Address(spot)


def field_of(b: Builder, spot: Spot, f: Field, place: Place) -> Spot:
    """Return the place of a field of a struct."""
    match spot:
        case Parts(_, spots):
            return spots[f.name]
        case Memory(pointer):
            if f.bits is not None and isinstance(f.type, Int):
                return Bits(shift(pointer, f.offset, place), f.type, f.bits)
            if isinstance(spot.type, Record) and _is_packed(spot.type, f):
                # Compilers take such an access apart, as far as they see where it is.
                said = NotUnderstood("a field of a packed struct", place, (), ())
                b.touching(said, (pointer,))
                b.emit(said)
            return Memory(shift(pointer, f.offset, place), f.type)
        case Bound(Fields(_, values)):
            return Bound(values[f.name])
        case Hole(owner):
            return Hole(owner)
        case _:
            return Lost()


def _is_packed(record: Record, field: Field) -> bool:
    align = align_of(field.type)
    return bool(align and (record.align % align or field.offset % align))


# --- reading --------------------------------------------------------------------------------------


def read(b: Builder, spot: Spot, type: CType, place: Place) -> Value:
    """Return what is at a place."""
    match spot:
        case Slot(name, kind):
            return Var(name, kind)
        case Parts(record, spots):
            values = {f.name: read(b, spots[f.name], f.type, place) for f in record.fields}
            return Fields(record, values)
        case Bound(value):
            return value
        case Window(name, shared):
            # What it holds later is not what was read.
            return Numbered(b.let("at", Var(name, Pointer()), place), shared)
        case Memory(pointer, kind):
            return _load(b, pointer, kind, place)
        case Hole():
            return OPAQUE
        case Bits(pointer, kind, bits):
            b.emit(Load(pointer, size_of(kind), place))
            return b.havoc(kind, "a bit-field", place, bits.low, bits.high)
        case _:
            return unknown(b, type, "read from a place that was not understood", place)


def _leaves(type: CType, offset: int = 0) -> Iterator[tuple[CType, int]]:
    """Yield the numbers and pointers in a type, with their offsets in bytes."""
    match type:
        case Record(fields=fields, union=False, trouble=""):
            for f in fields:
                if f.bits is None:
                    yield from _leaves(f.type, offset + f.offset)
        case Int() | CPointer() | Reference():
            yield type, offset


def _pieces(type: CType) -> list[tuple[int, int]]:
    """Return offset and width of the accesses that move a value."""
    size, width = size_of(type), min(align_of(type), 16)
    if width < 1 or size % width or size // width > _PIECES:
        return [(0, size)]
    return [(start, width) for start in range(0, size, width)]


def _load(b: Builder, pointer: Expr, type: CType, place: Place) -> Value:
    if isinstance(type, CArray):
        return pointer  # an array as a value is a pointer to it
    if isinstance(type, Void) or size_of(type) == 0:
        return OPAQUE
    names: dict[int, Var] = {}
    leaves = list(_leaves(type))
    for start, width in _pieces(type):
        parts: list[tuple[str, int, Int | Pointer]] = []
        for kind, offset in leaves:
            if start <= offset and offset + size_of(kind) <= start + width:
                plain: Int | Pointer = Pointer()
                if isinstance(kind, Int):
                    plain = BYTE if kind == BOOL else kind
                names[offset] = Var(b.fresh("v"), plain)
                parts.append((names[offset].name, offset - start, plain))
        b.emit(Load(shift(pointer, start, place), width, place, tuple(parts)))
    return _gather(type, 0, names, place)


def _gather(type: CType, offset: int, names: dict[int, Var], place: Place) -> Value:
    match type:
        case Record(fields=fields):
            values = {
                f.name: _gather(f.type, offset + f.offset, names, place)
                if f.bits is None
                else OPAQUE
                for f in fields
            }
            return Fields(type, values)
        case Int() if offset in names:
            return Cast(names[offset], BOOL, place) if type == BOOL else names[offset]
        case CPointer() | Reference() if offset in names:
            return names[offset]
        case _:
            return OPAQUE


# --- writing --------------------------------------------------------------------------------------


def holds_lambda(b: Builder, spot: Spot, f: Field, value: Value) -> bool:
    """Let a field be the lambda that it begins with, if that is one of device code.

    No lambda is assigned later, and one that is not `mutable` never changes what it holds copies
    of. Where a field may begin with one of several, it is not known which.
    """
    lambda_ = isinstance(f.type, Record) and f.type.closure
    if not (lambda_ and isinstance(spot, Parts) and isinstance(value, Closure)) or b.host:
        return False
    record = value.cursor.type.get_canonical().get_declaration()
    found = [c for c in children(record) if c.spelling == "operator()"]
    kept = [kind_of(c) for c in found] == ["CXX_METHOD"] and found[0].is_const_method()
    before, now = spot.spots[f.name], Bound(value)
    other = isinstance(before, Lost) or (isinstance(before, Bound) and before != now)
    spot.spots[f.name] = Lost() if other or not kept else now
    return True


def write(b: Builder, spot: Spot, value: Value, type: CType, place: Place) -> None:
    """Put a value of the type of the place into it."""
    match spot:
        case Slot(name, kind, bits=bits):
            if isinstance(kind, Pointer):
                b.emit(Let(name, as_pointer(b, value, place), place))
            elif isinstance(value, EXPRS):
                b.emit(Let(name, kept(value, kind, bits, place), place))
            else:
                within = bits or kind
                reason = "not an integer before"
                b.emit(Havoc(name, kind, reason, place, within.low, within.high))
        case Parts(record, spots):
            if not isinstance(value, Fields):
                value = unknown(b, record, "a struct that was not understood", place)
            assert isinstance(value, Fields)
            value = _untangled(b, value, place)
            for f in record.fields:
                inner = value.values.get(f.name, OPAQUE)
                if not holds_lambda(b, spot, f, inner):
                    write(b, spots[f.name], inner, f.type, place)
        case Memory(pointer, kind):
            _store(b, pointer, value, kind, place)
        case Bound(_, owner) if owner and owner not in b.changed:
            raise NeedsVariable(owner)
        case Window(name, shared, owner):
            if not isinstance(value, Numbered) or value.shared != shared:
                raise NeedsNumber(owner)
            b.emit(Let(name, value.pointer, place))
        case Hole():
            pass
        case Bits(pointer, kind, bits):
            if isinstance(value, EXPRS):
                # Nothing follows what is in memory, so what fits is asked here.
                left = kept(value, kind, bits, place)
                if left != value:
                    b.emit(If(Binary("==", left, value, BOOL, place), (), (), place))
            # The other bits of the integer are kept.
            b.emit(Load(pointer, size_of(kind), place))
            b.emit(Store(pointer, size_of(kind), place))
        case _:
            b.not_understood("written to a place that was not understood", place)


def kept(value: Expr, type: Int, to: Int | None, place: Place, explicit: bool = False) -> Expr:
    """Return what an integer of fewer bits keeps of a number of a type, as one of that type.

    An integer of one bit is no bool: of the rest it is not asked whether it is 0.
    """
    fits = isinstance(value, Const) and to is not None and to.low <= value.value <= to.high
    if to is None or to.bits >= type.bits or fits:
        return value
    if to.bits == 1:
        low = Binary("&", value, Const(1, type), type, place)
        return Unary("-", low, type, place) if to.signed else low
    return Cast(Cast(value, to, place, explicit), type, place)


def _untangled(b: Builder, value: Fields, place: Place) -> Fields:
    """Return a struct's value of which no field changes while another is written."""
    if sum(1 for v in _flat(value) if reads(v)) < 2:
        return value
    return _steady(b, value, place)


def _flat(value: Value) -> Iterator[Expr]:
    if isinstance(value, Fields):
        for inner in value.values.values():
            yield from _flat(inner)
    elif isinstance(value, EXPRS):
        yield value


def _steady(b: Builder, value: Fields, place: Place) -> Fields:
    steady: dict[str, Value] = {}
    for name, inner in value.values.items():
        if isinstance(inner, Fields):
            steady[name] = _steady(b, inner, place)
        else:
            steady[name] = b.steady(inner, name, place) if isinstance(inner, EXPRS) else inner
    return Fields(value.record, steady)


def _values(
    type: CType, value: Value, offset: int = 0
) -> Iterator[tuple[int, Int | CPointer, Expr]]:
    """Yield the numbers and pointers in a value, with their offsets in bytes and types."""
    match type:
        case Record(fields=fields, union=False, trouble="") if isinstance(value, Fields):
            for f in fields:
                if f.bits is None and f.name in value.values:
                    yield from _values(f.type, value.values[f.name], offset + f.offset)
        case Int() | CPointer() if isinstance(value, EXPRS):
            if isinstance(type, Int) or value.type == Pointer():
                yield offset, type, value


def _store(b: Builder, pointer: Expr, value: Value, type: CType, place: Place) -> None:
    if isinstance(type, Void) or size_of(type) == 0:
        return
    if isinstance(value, Address):
        as_pointer(b, value, place)
    if isinstance(type, CArray) and isinstance(value, EXPRS):
        for start, width in _pieces(type):
            b.emit(Load(shift(value, start, place), width, place))
    known = {offset: (kind, v) for offset, kind, v in _values(type, value)}
    for start, width in _pieces(type):
        stored: Expr | None = None
        if start in known and size_of(known[start][0]) == width:
            kind, stored = known[start]
            if kind == BOOL:
                stored = Cast(stored, BYTE, place)
        b.emit(Store(shift(pointer, start, place), width, place, stored))
