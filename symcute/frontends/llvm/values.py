"""Values of LLVM as expressions of programs, and statements for them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.memory import EXPRS
from symcute.frontends.cuda.values import OPAQUE, Described, Numbered, Opaque
from symcute.frontends.llvm.constants import Known
from symcute.frontends.llvm.debug import Debug
from symcute.frontends.llvm.text import (
    Computed,
    Instruction,
    Items,
    Literal,
    Local,
    Module,
    Named,
    Operand,
    Tokens,
    Unknown,
    Unread,
)
from symcute.frontends.llvm.types import (
    Listed,
    LType,
    Number,
    Ptr,
    Record,
    integer,
    size_of,
    within,
)
from symcute.kernel.ir.expression import Base, Binary, Cast, Const, Expr, PtrAdd, Var
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Array, Int, NotUnderstood, Pointer

__all__ = ["BOOL", "LONG", "UNDEFINED", "Lowering", "NoRule", "Value"]

UNDEFINED = "what the source leaves undefined"
BOOL, LONG = Int(1, False), Int(64, True)
#: An array of zeros with more elements is not written down.
_MOST = 4096
#: What names of variables in functions begin with. Source: Itanium C++ ABI, 5.1.4.
_LOCAL = "_ZZ"
_SPACES = {0: "global", 1: "global", 3: "shared", 4: "constant", 5: "private"}


class NoRule(Exception):
    """An instruction, or what it is given, that has no rule; the text says what."""


#: A number or pointer, what no integer comes from, a pointer as a number, a descriptor, or parts of
#: a whole.
Value: TypeAlias = "Expr | Opaque | Numbered | Described | tuple[Value, ...]"


#: A pointer that is an operand.
_POINTER = re.compile(r'\bptr (?:addrspace\(\d+\) )?(?:\w+ |\w+\(\d+\) )*%(?:"([^"]+)"|([-\w$.]+))')


@dataclass
class Lowering:
    """A function that becomes a program: what its names stand for so far.

    `debug` are the places of the module, `described` the names and types of its source.
    """

    module: Module
    debug: Debug
    known: Known
    b: Builder
    described: Debug
    shown: Callable[[str], str]
    here: Place
    names: dict[str, Value] = field(default_factory=dict)
    arrays: dict[str, str] = field(default_factory=dict)
    #: What variables that are set once are set to.
    kept: dict[str, Expr] = field(default_factory=dict)
    #: Pointers that CuTe's tensors lead to: the array, and the layouts, that of a slice first.
    tensors: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    layouts: dict[tuple[Place, str, str], None] = field(default_factory=dict)
    #: The instructions that give names, and what is taken for granted.
    made: dict[str, Instruction] = field(default_factory=dict)
    granted: dict[str, None] = field(default_factory=dict)

    # --- places -----------------------------------------------------------------------------------

    def at(self, each: Instruction) -> Place:
        """Return the place of an instruction; what has none stands where the last did."""
        found = self.debug.place(each.debug, self.shown)
        if found is not None:
            self.here = found
        return self.here

    def seen(self, each: Instruction, operand: Operand, base: Value) -> None:
        """Remember through which tensors of CuTe an instruction moves a pointer."""
        held = operand.name if isinstance(operand, Local) else ""
        array, layouts = self.tensors.get(held, ("", ()))
        if isinstance(base, Base):
            array = base.array
        own = self.debug.layout(each.debug)
        if own and own not in layouts[:1]:
            layouts = (own, *layouts)
        if array:
            self.tensors[each.result] = array, layouts

    def touched(self, each: Instruction) -> None:
        """Remember the layouts through which an instruction accesses memory."""
        for quoted, name in _POINTER.findall(each.rest):
            array, layouts = self.tensors.get(quoted or name, ("", ()))
            if layouts:
                self.layouts[self.here, array, " in ".join(layouts[:2])] = None

    # --- operands ---------------------------------------------------------------------------------

    def typed(self, tokens: Tokens) -> tuple[LType, Value]:
        """Take a type and an operand."""
        type, operand = tokens.typed()
        return type, self.value(type, operand)

    def value(self, type: LType, operand: Operand) -> Value:
        """Return what an operand is; an integer or a pointer is an expression, or a `Numbered`."""
        found = self._value(type, operand)
        if isinstance(found, Opaque) and isinstance(type, Number | Ptr):
            return self.any(type, "a value of which nothing is known")
        return found

    def _value(self, type: LType, operand: Operand) -> Value:
        number = self.known.number(type, operand)
        if number is not None and isinstance(type, Number):
            signed = integer(type, signed=True)
            return Const(signed.wrap(number), signed)
        match operand:
            case Local(name):
                if name not in self.names:
                    raise NoRule(f"%{name} is used before it is computed")
                return self.names[name]
            case Named(name):
                return self._global(name)
            case Literal(0):
                return self._zero(type)
            case Items(items):
                return tuple(self._value(kind, x) for kind, x in items)
            case Computed():
                return self._computed(operand)
            case Unknown(undefined=True) if isinstance(type, Number):
                self.b.emit(NotUnderstood(UNDEFINED, self.here, barrier=True))
        return OPAQUE

    def _zero(self, type: LType) -> Value:
        match type:
            case Ptr():
                return self._null()
            case Listed(count, element) if count <= 64:
                return (self._zero(element),) * count
            case Record(fields):
                return tuple(self._zero(f) for f in fields)
            case Number():
                return Const(0, integer(type, signed=True))
        return OPAQUE

    def _null(self) -> Expr:
        name = "nullptr"
        if name not in self.b.arrays:
            self.b.taken.add(name)
            self.b.arrays[name] = Array(name, "global", 1, 0, 1, self.here, "nullptr")
        return Base(name)

    def _computed(self, e: Computed) -> Value:
        if e.op == "getelementptr":
            args = [self.value(t, x) for t, x in e.args]
            return self.moved(e.source, args[0], args[1:])
        if e.op in ("addrspacecast", "bitcast") and isinstance(e.type, Ptr):
            return self.value(*e.args[0])
        if e.op == "ptrtoint":
            return self.numbered(*e.args[0])
        return OPAQUE

    def numbered(self, type: LType, operand: Operand) -> Value:
        """Return the number that a pointer is."""
        pointer = self.value(type, operand)
        if not isinstance(type, Ptr) or not isinstance(pointer, EXPRS):
            return OPAQUE
        return Numbered(pointer, type.space == 3)

    # --- expressions ------------------------------------------------------------------------------

    def any(self, type: LType, reason: str, uniform: bool = False) -> Expr:
        """Return any integer or pointer of a type."""
        kind = integer(type, signed=True) if isinstance(type, Number) else Pointer()
        if isinstance(kind, Int) and kind.bits > 128:
            raise NoRule("an integer of more than 128 bits")
        return self.b.havoc(kind, reason, self.here, uniform=uniform)

    def number(self, value: Value, type: LType, signed: bool | None) -> Expr:
        """Return an integer with a sign or without, or as it is.

        LLVM does not say whether the source converts here, so a change of sign may be meant.
        """
        if not isinstance(value, EXPRS) or not isinstance(value.type, Int):
            return self.number(self.any(type, "a number made of something else"), type, signed)
        if signed is None or value.type.bits == 1 or value.type.signed == signed:
            return value
        return self.cast(value, Int(value.type.bits, signed))

    def cast(self, value: Expr, type: Int, explicit: bool = False) -> Expr:
        """Return an integer converted."""
        if value.type == type:
            return value
        assert isinstance(value.type, Int)
        narrow = not explicit and type.bits < value.type.bits
        if isinstance(value, Const):
            if not narrow or type.wrap(value.value) == value.value:
                return Const(type.wrap(value.value), type)
            value = self.held(value)
        return Cast(value, type, self.here, explicit)

    def held(self, value: Expr) -> Expr:
        """Return a number in a variable.

        What is lost of numbers alone is meant where the source writes them; clang computes these,
        so that a number here is what a variable is known to be.
        """
        return self.b.let("t", value, self.here)

    def truth(self, value: Value) -> Expr:
        """Return a bit."""
        if isinstance(value, EXPRS) and value.type == BOOL:
            return value
        return self.any(Number(1), "a truth made of something else")

    def pointer(self, value: Value) -> Expr:
        """Return a pointer."""
        if isinstance(value, EXPRS) and value.type == Pointer():
            return value
        return self.any(Ptr(), "a pointer made of something else")

    def moved(self, source: LType, base: Value, indices: list[Value]) -> Value:
        """Return a pointer that steps through a type, as `getelementptr` does."""
        if not isinstance(base, EXPRS):
            return OPAQUE  # pointers side by side
        pointer, type, constant = self.pointer(base), source, 0
        for k, index in enumerate(indices):
            if k and isinstance(type, Record):
                if not isinstance(index, Const):
                    raise NoRule("a field without a number")
                type, by = within(type, index.value)
                constant += by
                continue
            if k:
                if not isinstance(type, Listed):
                    raise NoRule("a step into what has no parts")
                type = type.element
            size = size_of(type)
            if isinstance(index, Const):
                constant += index.value * size
                continue
            if not isinstance(index, EXPRS):
                return OPAQUE
            step = self.number(index, Number(64), True)
            pointer = PtrAdd(pointer, step, size, self.here) if size else pointer
        if constant:
            # As the machine adds it: modulo 2^64.
            pointer = PtrAdd(pointer, Const(LONG.wrap(constant), LONG), 1, self.here)
        return pointer

    def keep(self, name: str, value: Value) -> None:
        """Let a name stand for a value from here on."""
        if isinstance(value, EXPRS) and not isinstance(value, Const | Base | Var):
            var = self.b.let(name if not name[:1].isdigit() else "t", value, self.here)
            self.kept[var.name] = value
            value = var
        elif isinstance(value, tuple):
            value = tuple(self._steady(v) for v in value)
        self.names[name] = value

    def _steady(self, value: Value) -> Value:
        if isinstance(value, tuple):
            return tuple(self._steady(v) for v in value)
        if isinstance(value, EXPRS) and not isinstance(value, Const | Base | Var):
            return self.b.let("t", value, self.here)
        return value

    def compared(self, op: str, left: Expr, right: Expr) -> Expr:
        """Return whether two numbers of one type, or two pointers, compare so."""
        return Binary(op, left, right, BOOL, self.here)

    # --- variables of the module ------------------------------------------------------------------

    def _global(self, name: str) -> Value:
        if name in self.arrays:
            return Base(self.arrays[name])
        found = self.module.variable(name)
        if found is None:
            return OPAQUE  # a function
        title, described = self.described.variable(name)
        size = size_of(found.type)
        space = _SPACES.get(found.space)
        if space is None:
            raise NoRule(f"memory of the address space {found.space}")
        if found.space in (0, 1) and found.constant:
            space = "constant"
        elif space == "global" and name.startswith(_LOCAL):
            # Host code does not see it: what it holds is what it began with, or what kernels wrote.
            raise NoRule(f"the static variable {title or name}")
        if space == "shared" and size == 0 and found.value is None:
            return Base(self._dynamic(name, title or name, found.align))
        element, values = _element(found.type), None
        if found.constant:
            values = self._numbers(found.type, found.value) or ()
        elif space == "constant":
            values = ()  # the host may change it, and need not; zeros may be what the source says
        kind = described.integer if described is not None else None
        if isinstance(element, Number) and (kind is None or kind.bits != element.bits):
            kind = integer(element, signed=True)
        if values and kind is not None:
            values = tuple(map(kind.wrap, values))
        array = self.b.fresh(title or name)
        self.arrays[name] = array
        self.b.arrays[array] = Array(
            array, space, max(1, size_of(element)), size or None, found.align, self.here,
            f"{space} {described.text if described else name}",
            kind if isinstance(element, Number) else None, values,
        )  # fmt: skip
        return Base(array)

    def _dynamic(self, name: str, title: str, align: int) -> str:
        """Return dynamic shared memory, which is the same whatever it is called."""
        if not self.b.dynamic:
            self.b.dynamic = self.b.fresh(title)
            found = self.module.variable(name)
            element = _element(found.type) if found else Number(8)
            self.b.arrays[self.b.dynamic] = Array(
                self.b.dynamic, "shared", max(1, size_of(element)), None, align, self.here,
                "shared",
            )  # fmt: skip
        self.b.align(self.b.dynamic, align)
        self.arrays[name] = self.b.dynamic
        return self.b.dynamic

    def _numbers(self, type: LType, value: Operand | None) -> tuple[int, ...] | None:
        """Return the integers that an array is made of, where these are known."""
        if isinstance(type, Listed) and isinstance(value, Items):
            parts = [self._numbers(kind, x) for kind, x in value.items]
            if any(p is None for p in parts):
                return None
            return tuple(n for p in parts for n in p or ())
        if isinstance(type, Number) and isinstance(value, Literal):
            return (value.value,)
        if isinstance(type, Listed) and value == Literal(0) and type.count <= _MOST:
            return self._numbers(type.element, value) and tuple(
                n for _ in range(type.count) for n in self._numbers(type.element, value) or ()
            )
        return None


def _element(type: LType) -> LType:
    return _element(type.element) if isinstance(type, Listed) and not type.vector else type


def unread(error: Unread | NoRule | IndexError) -> str:
    """Return what is said of an instruction that has no rule."""
    return str(error) or "a number of a part that there is not"
