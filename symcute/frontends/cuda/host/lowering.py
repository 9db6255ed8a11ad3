"""Host code to statements: the rules of device code, and what is the host's alone.

Device code that is not understood refuses a kernel; host code is full of what is not known here, so
of a statement that is not understood it is said which variables it may have changed: those that it
names, by its tree or, where clang could make none of it, by its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn, cast

from clang.cindex import Cursor, TypeKind

from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.ctype import Callable, CArray, CPointer, CType, Other, Record, Reference
from symcute.frontends.cuda.headers import is_ours
from symcute.frontends.cuda.host.by_name import handed, is_configured, is_list
from symcute.frontends.cuda.host.dims import goes_through_dims
from symcute.frontends.cuda.host.errors import Errors, by_python, by_value, words_of
from symcute.frontends.cuda.host.program import Free, HostStmt
from symcute.frontends.cuda.host.references import stands_alone
from symcute.frontends.cuda.host.tensors import may_hold_tensor, received, tensor_in
from symcute.frontends.cuda.library import (
    children,
    configuration,
    file_text,
    gathered,
    initializer,
    key,
    kind_of,
    place_of,
    walk,
)
from symcute.frontends.cuda.lifetimes import ends
from symcute.frontends.cuda.memory import declare, unknown
from symcute.frontends.cuda.rules import involved
from symcute.frontends.cuda.values import OPAQUE, Bound, Closure, Lost, Slot, Spot, Value
from symcute.kernel.ir.expression import Expr, Var
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import If, Int, Leave, Pointer, Stmt

__all__ = ["HostCode", "Opaque", "Refused", "emit", "is_launch", "launches"]

#: Statements that a function and what it calls may come to.
MOST = 20_000
_WHOLE = {"SWITCH_STMT", "CXX_FOR_RANGE_STMT", "CXX_TRY_STMT", "LABEL_STMT"}
_CONTROL = {"IF_STMT", "FOR_STMT", "WHILE_STMT", "DO_STMT"}
_BOOL = Int(1, False)


class Refused(Exception):
    """A function is not followed at all: why."""


class Opaque(Exception):
    """A function that is called must not be followed, since it may return where that is not seen.

    `function` is the key of its declaration.
    """

    def __init__(self, function: int) -> None:
        self.function = function
        super().__init__(function)


def emit(b: Builder, statement: HostStmt) -> None:
    """Append a statement of host code."""
    b.emit(cast(Stmt, statement))


@dataclass
class HostCode:
    """What the rules ask of host code while they lower one function."""

    errors: Errors
    root: Cursor
    #: Variables whose types are not what clang took them for.
    tainted: set[str] = field(default_factory=set)
    #: Texts that are not understood: what they call may launch.
    lost: list[Cursor] = field(default_factory=list)
    #: Words of texts that clang does not understand.
    words: set[str] = field(default_factory=set)
    #: Functions that are not followed.
    opaque: frozenset[int] = frozenset()
    #: Is a struct that is handed over by reference taken apart, and into what?
    refers: bool = True
    took: bool = False
    referred: list[str] = field(default_factory=list)
    #: What numbers were read of, as it is written.
    asked: set[str] = field(default_factory=set)
    _behind: list[int] = field(default_factory=list)
    _ending: list[list[Cursor]] = field(default_factory=list)
    #: What may give memory back up to the end of its statement, in so many blocks.
    _lasting: tuple[Cursor, int] | None = None
    _count: int = 0
    _taking: bool = False

    # --- parameters

    def taken_as(self, b: Builder, type: CType) -> CType:
        """Return the type that a parameter is taken for: a tensor by reference is the tensor.

        So is a struct that nothing but its name leads to.
        """
        target = b.types(type.target) if isinstance(type, Reference) else type
        if not isinstance(type, Reference) or may_hold_tensor(target):
            return target
        if self.refers and not self.took and stands_alone(b, self.root, type):
            self.took = self._taking = True
            return target
        return type

    def received(self, b: Builder, name: str, spot: Spot | None, place: Place) -> None:
        """Say of a parameter that it is a tensor, if it is."""
        tensor = tensor_in(spot)
        if tensor is not None:
            emit(b, received(name, tensor, place))
        elif self._taking:
            self.referred += [slot.name for slot in slots(spot)]
        self._taking = False

    # --- statements

    def takes(self, b: Builder, cursor: Cursor) -> bool:
        """Lower a statement that has errors in it, if it is one."""
        self._count += 1
        if self._count > MOST:
            raise Refused("it comes to too many statements")
        kind = kind_of(cursor)
        if kind == "CXX_THROW_EXPR":
            b.emit(Leave("kernel", b.place(cursor)))
            return True
        declared = children(cursor) if kind == "DECL_STMT" else []
        if declared and all(map(is_list, declared)):
            return True  # what it leads to is read where it is launched
        for declaration in declared:
            self._kept(b, declaration)
        if kind == "COMPOUND_STMT" or not self._has_trouble(cursor, kind):
            return goes_through_dims(b, cursor)
        self._not_understood(b, cursor, self._words(cursor))
        for declaration in declared:
            self._declared(b, declaration)
        return True

    def _kept(self, b: Builder, declaration: Cursor) -> None:
        """Remember a variable of which the destructor runs where its block ends."""
        if kind_of(declaration) != "VAR_DECL" or not ends(b.types(declaration.type)):
            return
        if len(b.frames) > 1:
            raise Opaque(b.active[-1])
        if b.frame.loops:
            raise Refused(f"{declaration.spelling} has a destructor, which runs in a loop")
        self._ending[-1].append(declaration)

    def enter(self, cursor: Cursor) -> None:
        """Begin a block."""
        self._behind.append(cursor.extent.start.offset)
        self._ending.append([])

    def before(self, b: Builder, cursor: Cursor, end: bool = False) -> None:
        """Say what clang has dropped before a statement, or at the end of a block."""
        if self._lasting is not None and len(self._behind) <= self._lasting[1]:
            emit(b, Free(None, b.place(self._lasting[0])))
            self._lasting = None
        extent = cursor.extent
        stop = extent.end.offset if end else extent.start.offset
        start = self._behind[-1]
        if extent.start.file is not None:
            name = extent.start.file.name
            if self.errors.between(name, start, stop - (not end and stop > start)):
                text = file_text(cursor, name)[start:stop]
                self._not_understood(b, cursor, text if stop > start else None)
        self._behind[-1] = max(start, extent.end.offset)
        if end:
            self._behind.pop()
            for declaration in self._ending.pop():
                self.not_understood(b, declaration, f"the destructor of {declaration.spelling}")
                self._give_back(b, declaration)

    def _has_trouble(self, cursor: Cursor, kind: str) -> bool:
        found = self.errors.within(cursor)
        if found and kind in _CONTROL:
            inner = [c for c in children(cursor) if kind_of(c) == "COMPOUND_STMT"]
            held = {o for c in inner for o in self.errors.within(c)}
            # In the text of a macro every part stands at one place.
            if all(o in held for o in found) and all(
                c.extent.start.offset > cursor.extent.start.offset for c in inner
            ):
                found = []
        return bool(found) or (kind not in _CONTROL | _WHOLE and self._names_trouble(cursor))

    def _names_trouble(self, cursor: Cursor) -> bool:
        # The statements of a function that is called come again with each call.
        known: bool | None = getattr(cursor, "symcute_trouble", None)
        if known is None:
            known = cursor.symcute_trouble = self._names_error(cursor)
        return known

    def _names_error(self, cursor: Cursor) -> bool:
        return bool(gathered(cursor, "errors", self._error_at))

    def _error_at(self, c: Cursor) -> Iterator[tuple[int, bool]]:
        """Yield once if an expression or type names what is declared with an error."""
        kind = kind_of(c)
        if kind.endswith("_REF") or kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR"):
            named = c.referenced
            if named is not None and self.errors.declared(named):
                yield 0, True

    def _declared(self, b: Builder, declaration: Cursor) -> None:
        """Declare a variable of which the first value is not known, or its type neither."""
        if kind_of(declaration) != "VAR_DECL":
            return
        type, place = b.types(declaration.type), b.place(declaration)
        if isinstance(type, Reference):
            b.bound[key(declaration)] = Lost()
            return
        name = declaration.spelling
        spot = declare(b, key(declaration), type, name, place, declaration.type.spelling)
        b.bound[key(declaration)] = spot
        for slot in slots(spot):
            b.havoc_into(slot.name, slot.type, "a first value that is not understood", place)
            initial = initializer(declaration)
            if initial is None or self.errors.declared(declaration) or self._odd(declaration):
                self.tainted.add(slot.name)

    def _odd(self, declaration: Cursor) -> bool:
        return any(
            kind_of(c).endswith("_REF") and c.referenced and self.errors.declared(c.referenced)
            for c in children(declaration)
        )

    def is_odd(self, parameter: Cursor) -> bool:
        """May the type of a parameter be another than clang took it for?"""
        return bool(self.errors.within(parameter)) or self._odd(parameter)

    # --- what is not understood

    def refused(self, reason: str) -> NoReturn:
        """Give up the whole function: what is hidden may change what else is named in it."""
        raise Refused(reason)

    def not_understood(self, b: Builder, cursor: Cursor, reason: str) -> Value:
        """Say that an expression or statement may have changed what it names, and return any value.

        What a value is read of is not changed.
        """
        variables: list[str] = []
        pointers: list[Expr] = []
        self._named(b, cursor, variables, pointers)
        self.lost.append(cursor)
        place = b.place(cursor)
        if kind_of(cursor) != "VAR_DECL":  # of which the end comes later
            self._give_back(b, cursor)
        stops = may_stop(cursor)
        b.not_understood(reason, place, tuple(dict.fromkeys(variables)), pointers, barrier=stops)
        if kind_of(cursor) == "?" or not cursor.kind.is_expression():
            self._leaves(b, cursor, self._words(cursor))
            return OPAQUE
        return unknown(b, b.types(cursor.type), reason, place)

    def _give_back(self, b: Builder, cursor: Cursor, text: str | None = None) -> None:
        """Let memory be given back by what is not understood, if anything that it leads to does."""
        said = self._words(cursor) if text is None else text
        kinds = f"{cursor.type.spelling} {cursor.type.get_canonical().spelling}"
        words = None if said is None else words_of(f"{said} {kinds}")
        away = self.errors.leads_away(words) or any(map(by_value, walk(cursor)))
        given = _given(b, cursor) if away else []
        if given is None or self.errors.gives_back(words):
            emit(b, Free(None, b.place(cursor)))
            self._lasting = cursor, len(self._behind)
        for pointer in given or ():
            emit(b, Free(pointer, b.place(cursor)))

    def _named(self, b: Builder, top: Cursor, variables: list[str], pointers: list[Expr]) -> None:
        stack, seen = [top], set[int]()
        while stack:
            here = stack.pop()
            kind = kind_of(here)
            if kind == "UNEXPOSED_EXPR" and _is_read(b, here):
                continue
            stack += children(here)
            if kind == "CXX_THIS_EXPR":
                involved(b, b.frame.this, variables, pointers)
            if kind != "DECL_REF_EXPR" or here.referenced is None:
                continue
            name = key(here.referenced)
            spot = b.bound.get(name)
            if isinstance(spot, Bound) and isinstance(spot.value, Closure) and name not in seen:
                seen.add(name)
                self.lost.append(spot.value.cursor)
                stack.append(spot.value.cursor)
                for copy in spot.value.copies.values():
                    involved(b, copy, variables, pointers)
            involved(b, spot, variables, pointers)

    def _not_understood(self, b: Builder, cursor: Cursor, text: str | None) -> None:
        """Say that a text may have changed what it names; None is a text that is not known."""
        place = b.place(cursor)
        reason = "host code that clang does not understand"
        self.lost.append(cursor)
        words = words_of(text) if text is not None else set()
        self.words |= self.errors.behind(words if text is not None else None)
        if text is None or any(map(self.errors.is_macro, words)):
            b.not_understood(reason, place)
            self._give_back(b, cursor, text)
            self._leaves(b, cursor, None)
            return
        variables: list[str] = []
        pointers: list[Expr] = []
        for function in (self.root, *b.reached):
            for c in walk(function):
                if kind_of(c) in ("VAR_DECL", "PARM_DECL") and c.spelling in words:
                    spot = b.bound.get(key(c))
                    involved(b, spot, variables, pointers)
                    if isinstance(spot, Bound) and isinstance(spot.value, Closure):
                        self.lost.append(spot.value.cursor)
                        self._named(b, spot.value.cursor, variables, pointers)
        involved(b, b.frame.this, variables, pointers)
        self._give_back(b, cursor, text)
        for pointer in pointers:
            emit(b, Free(pointer, place))
        b.not_understood(reason, place, tuple(dict.fromkeys(variables)), pointers, barrier=True)
        self._leaves(b, cursor, text)

    def _leaves(self, b: Builder, cursor: Cursor, text: str | None) -> None:
        """Let a loop be left where a text may leave it; None is a text that is not known."""
        if text is None or any(map(self.errors.is_macro, words_of(text))):
            text = "break continue return"
        place = b.place(cursor)
        if len(b.frames) > 1 and re.search(r"\b(return|goto)\b", text):
            raise Opaque(b.active[-1])
        if re.search(r"\bgoto\b", text):
            raise Refused("it has a goto that is not understood")
        for word, which in (("break", 0), ("continue", 1)):
            target = next((pair[which] for pair in b.frame.loops[::-1] if pair[which]), "")
            if target and re.search(rf"\b{word}\b", text):
                test = b.havoc(_BOOL, "whether a loop is left", place)
                b.frame.used.add(target)
                b.emit(If(test, (Leave(target, place),), (), place))

    def _words(self, cursor: Cursor) -> str | None:
        """Return the text of a statement; None where a macro may have written it."""
        start, end = cursor.extent.start, cursor.extent.end
        if start.file is None or end.offset <= start.offset:
            return None
        return file_text(cursor, start.file.name)[start.offset : end.offset]


#: What stands in the host code that is written for Python's, and is any of its kind.
_OF_PRELUDE = ("symcute_tensor", "symcute_float")


def may_stop(cursor: Cursor) -> bool:
    """May what is not followed end the program, or throw? What our headers have does not."""
    return not cursor.kind.is_expression() or any(map(_stops, walk(cursor)))


def _stops(cursor: Cursor) -> bool:
    kind = kind_of(cursor)
    if kind == "CALL_EXPR":
        called = cursor.referenced
        if called is None:
            return True
        known = called.spelling in _OF_PRELUDE or by_python(called.spelling)
        return not (known or is_ours(place_of(called).file))
    if kind in ("CXX_NEW_EXPR", "CXX_DELETE_EXPR"):
        held = cursor if kind == "CXX_NEW_EXPR" else children(cursor)[-1]
        return bool(held.type.get_pointee().get_canonical().kind == TypeKind.RECORD)
    return kind in ("?", "CXX_THROW_EXPR", "UNEXPOSED_STMT") or cursor.kind.is_statement()


def _given(b: Builder, cursor: Cursor) -> list[Expr] | None:
    """Return what may be given back where a text is handed to what is not here.

    It is the pointers to numbers that are named; of what holds pointers itself any are, for which
    None stands.
    """
    found: list[Expr] = []
    if kind_of(cursor) == "VAR_DECL":
        return None
    for c in walk(cursor):
        if kind_of(c) == "CXX_THIS_EXPR":
            return None
        named = c.referenced if kind_of(c) == "DECL_REF_EXPR" else None
        if named is None or kind_of(named) not in ("VAR_DECL", "PARM_DECL"):
            continue
        type, spot = b.types(c.type), b.bound.get(key(named))
        if _is_plain(type) or isinstance(type, Callable):
            continue
        if not isinstance(type, CPointer) or not isinstance(spot, Slot):
            return None
        if isinstance(b.types(type.target), Callable):
            continue
        if not _is_plain(b.types(type.target)):
            return None
        found.append(Var(spot.name, Pointer()))
    return found


def _is_plain(type: CType) -> bool:
    """Holds a value of a type no pointer?"""
    match type:
        case Int():
            return True
        case Other(number=number):
            return number
        case CArray(element=element):
            return _is_plain(element)
        case Record(fields=fields, trouble=""):
            return all(_is_plain(f.type) for f in fields)
    return False


def slots(spot: Spot | None) -> Iterator[Slot]:
    """Yield the variables that a place consists of."""
    if isinstance(spot, Slot):
        yield spot
    for inner in getattr(spot, "spots", {}).values():
        yield from slots(inner)


def _is_read(b: Builder, cursor: Cursor) -> bool:
    """Does an expression only read a variable, which stays what it is?"""
    inner = children(cursor)
    while len(inner) == 1 and kind_of(inner[0]) == "PAREN_EXPR":
        inner = children(inner[0])
    if len(inner) != 1 or kind_of(inner[0]) != "DECL_REF_EXPR":
        return False
    own = cursor.type.get_canonical()
    read = inner[0].type.get_canonical()
    same = own == read or (read.is_const_qualified() and not own.is_const_qualified())
    return same and not isinstance(b.types(own), Record) and own.spelling != "<dependent type>"


def launches(cursor: Cursor) -> list[Cursor]:
    """Return the launches below a cursor, and calls that come to one in our headers."""
    found = gathered(
        cursor, "launches", lambda c: [(key(c), c)] if is_launch(c) or is_configured(c) else ()
    )
    return [*found.values()]


def is_launch(cursor: Cursor) -> bool:
    """Is an expression `kernel<<<...>>>(...)`, or a call that launches what it is handed?"""
    is_call = kind_of(cursor) == "CALL_EXPR"
    return is_call and (handed(cursor) is not None or configuration(cursor) is not None)
