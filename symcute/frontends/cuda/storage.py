"""Variables by where they lie: shared, constant and global memory, and those of one thread."""

from __future__ import annotations

from clang.cindex import Cursor, StorageClass, Type

from symcute.frontends.cuda.alignment import aligned
from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.library import children, initializer, key, kind_of
from symcute.frontends.cuda.tables import values_of
from symcute.frontends.cuda.values import Memory, Spot
from symcute.kernel.ir.expression import Base

__all__ = ["global_spot", "is_static", "space_of"]

_SPACES = {
    "CUDASHARED_ATTR": "shared",
    "CUDACONSTANT_ATTR": "constant",
    "CUDADEVICE_ATTR": "global",
}


def space_of(cursor: Cursor) -> str | None:
    """Return the memory that a declaration names, or None."""
    found = {kind_of(c) for c in children(cursor)}
    return next((space for name, space in _SPACES.items() if name in found), None)


def is_static(cursor: Cursor) -> bool:
    """Is this declared static?"""
    return bool(cursor.storage_class == StorageClass.STATIC)


def global_spot(b: Builder, cursor: Cursor) -> Spot | None:
    """Return the place of a variable that outlives a function's call, or None."""
    name = key(cursor.canonical)
    space = space_of(cursor)
    type = b.types(cursor.type)
    fixed = _is_const(cursor.type)
    if space is None:
        if not fixed:
            return None
        space = "constant"
    if name not in b.shared:
        dynamic = space == "shared" and cursor.storage_class == StorageClass.EXTERN
        # The host may change what is not const; what is there to begin with it need not.
        held = fixed or (space == "constant" and _begins(cursor))
        values: tuple[int, ...] | None = () if held and space != "shared" else None
        if fixed and space != "shared":
            values = values_of(b, type, cursor) or ()
        # All names of dynamic shared memory stand for the same bytes.
        b.shared[name] = (b.dynamic if dynamic else "") or b.array(
            cursor.spelling, space, type, b.place(cursor), f"{space} {cursor.type.spelling}", values
        )
        if dynamic:
            b.dynamic = b.shared[name]
        aligned(b, cursor, Memory(Base(b.shared[name]), type))
    return Memory(Base(b.shared[name]), type)


def _begins(cursor: Cursor) -> bool:
    """Does the source say what a variable holds at first?"""
    definition = cursor.get_definition()
    return definition is not None and initializer(definition) is not None


def _is_const(type: Type) -> bool:
    """Is a variable of this type never changed? Of an array, clang says it of any level."""
    type = type.get_canonical()
    if type.is_volatile_qualified():
        return False
    if type.is_const_qualified():
        return True
    return type.kind.name in ("CONSTANTARRAY", "INCOMPLETEARRAY") and _is_const(type.element_type)
