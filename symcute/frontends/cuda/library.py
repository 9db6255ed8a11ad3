"""libclang: what its Python binding lacks, and parsing with nothing from the machine it runs on."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from clang import cindex
from clang.cindex import Cursor, CursorKind, TranslationUnit, TypeKind

from symcute.frontends.cuda.headers import HOST, ROOT, SHIM, headers, is_ours, part_of
from symcute.frontends.cuda.nested import kept, lost
from symcute.frontends.cuda.precompiled import precompiled
from symcute.kernel.ir.place import Place

__all__ = [
    "argument_kind",
    "binary_operator",
    "callee",
    "children",
    "configuration",
    "constant",
    "file_text",
    "gathered",
    "has_effects",
    "initializer",
    "is_written_here",
    "key",
    "kind_of",
    "of_block",
    "once",
    "own_files",
    "parse",
    "place_of",
    "pure_constant",
    "template_of",
    "unary_operator",
    "walk",
    "within",
]

#: CXBinaryOperatorKind and CXUnaryOperatorKind, in their order.
_BINARY = (
    "?", ".*", "->*", "*", "/", "%", "+", "-", "<<", ">>", "<=>", "<", ">", "<=", ">=", "==", "!=",
    "&", "^", "|", "&&", "||", "=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|=",
    ",",
)  # fmt: skip
_UNARY = (
    "?", "_++", "_--", "++", "--", "&", "*", "+", "-", "~", "!", "real", "imag", "extension",
    "co_await",
)  # fmt: skip

VISIT = cindex.callbacks["cursor_visit"]

#: Sizes are those of the device; nothing is included but headers of this package and the user's.
_ARGUMENTS = (
    "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90", "-nocudainc", "-nocudalib",
    "-fsyntax-only", "-std=gnu++17", "-nostdinc", "-ferror-limit=0", "-w",
    "-Wno-register", "-Wno-c++11-narrowing", "-Wno-reserved-user-defined-literal", f"-I{ROOT}",
    # Of these clang makes no body, as it knows what they do.
    *(f"-fno-builtin-std-{name}" for name in ("move", "forward", "as_const", "addressof")),
)  # fmt: skip
_INCLUDED = ("-include", SHIM, "-include", HOST)
#: How many texts this process has parsed: for one alone nothing is worth keeping.
_PARSED = count()
#: Go on behind a missing header; keep what macros are.
_KEEP_GOING = 0x200
_POINTING = (TypeKind.POINTER, TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE)
_CALLED = (TypeKind.FUNCTIONPROTO, TypeKind.FUNCTIONNOPROTO)
_CONFIGURE = ("cudaConfigureCall", "__cudaPushCallConfiguration")
_HARMLESS = {
    "INTEGER_LITERAL", "CHARACTER_LITERAL", "CXX_BOOL_LITERAL_EXPR", "FLOATING_LITERAL",
    "DECL_REF_EXPR", "MEMBER_REF_EXPR", "UNEXPOSED_EXPR", "PAREN_EXPR", "BINARY_OPERATOR",
    "CONDITIONAL_OPERATOR", "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "CXX_FUNCTIONAL_CAST_EXPR",
    "CXX_UNARY_EXPR", "TYPE_REF", "TEMPLATE_REF", "NAMESPACE_REF", "SIZE_OF_PACK_EXPR",
}  # fmt: skip
_ERROR = 3
_LATE_ALIGNAS = re.compile(r"(\b__(?:shared|constant|device)__\s+)alignas\b")
_MISSING = re.compile(r"'(.+)' file not found")


T = TypeVar("T")


class _Evaluated(ctypes.c_void_p):
    """What libclang hands back for a constant."""


@cache
def _library() -> ctypes.CDLL:
    lib: ctypes.CDLL = cindex.conf.lib
    for name, arguments, result in (
        ("clang_getCursorBinaryOperatorKind", [Cursor], ctypes.c_int),
        ("clang_getCursorUnaryOperatorKind", [Cursor], ctypes.c_int),
        ("clang_Cursor_Evaluate", [Cursor], _Evaluated),
        ("clang_EvalResult_getKind", [_Evaluated], ctypes.c_int),
        ("clang_EvalResult_isUnsignedInt", [_Evaluated], ctypes.c_uint),
        ("clang_EvalResult_getAsUnsigned", [_Evaluated], ctypes.c_ulonglong),
        ("clang_EvalResult_getAsLongLong", [_Evaluated], ctypes.c_longlong),
        ("clang_EvalResult_dispose", [_Evaluated], None),
        (
            "clang_getFileContents",
            [TranslationUnit, cindex.File, ctypes.POINTER(ctypes.c_size_t)],
            ctypes.c_void_p,
        ),
        ("clang_Cursor_getVarDeclInitializer", [Cursor], Cursor),
        ("clang_getSpecializedCursorTemplate", [Cursor], Cursor),
    ):
        function = getattr(lib, name)
        function.argtypes, function.restype = arguments, result
    return lib


def parse(
    path: str,
    text: str,
    *,
    defines: Mapping[str, object],
    include_dirs: Sequence[str | Path] = (),
    missing: Collection[str] = (),
    whole: bool = False,
) -> tuple[TranslationUnit, list[str]]:
    """Return the syntax tree of CUDA C++ text, and the headers that were not found.

    Those, and the ones that are `missing` already, are taken for the part of them that is known, or
    for empty: behind what clang calls fatal it makes nothing of templates any more, and says
    nothing of that. What our headers declare is among what stands at the outermost level where it
    is to be `whole`, and where they are read anew.
    """
    # Macros that are defined beforehand may change what our headers say.
    known = next(_PARSED) and not defines and not whole
    included, ours = precompiled(_ARGUMENTS, (SHIM, HOST)) if known else (_INCLUDED, 0)
    arguments = [*_ARGUMENTS, *included]
    arguments += [f"-D{name}={value}" for name, value in defines.items()]
    arguments += [f"-I{folder}" for folder in include_dirs]
    # nvcc takes `alignas` behind `__shared__`, clang only C's word for it: the shim's macro, which
    # is as long.
    text = _LATE_ALIGNAS.sub(r"\1alignAS", text)
    files = {path: text, **headers()}
    absent = dict.fromkeys(missing)
    while True:
        empty = {(n if n.startswith("/") else f"{ROOT}/{n}"): part_of(n) for n in absent}
        unit = cindex.Index.create().parse(
            path, args=arguments, unsaved_files=[*files.items(), *empty.items()],
            options=_KEEP_GOING,
        )  # fmt: skip
        found = [_MISSING.match(d.spelling) for d in unit.diagnostics if d.severity >= _ERROR]
        absentees = [m.group(1) for m in found if m and m.group(1) not in absent]
        absent |= dict.fromkeys(absentees)
        more = bool(absentees)
        if not more and files[path] == text:
            files[path] = kept(text, lost(unit, path))
            more = files[path] != text
        if not more:
            once(unit, "before", lambda: ours)
            return unit, list(absent)


def binary_operator(cursor: Cursor) -> str:
    """Return the operator as it is written: `+`, `<<=`, `,`."""
    return _BINARY[_library().clang_getCursorBinaryOperatorKind(cursor)]


def unary_operator(cursor: Cursor) -> str:
    """Return the operator as it is written; those behind their operand are `_++` and `_--`."""
    return _UNARY[_library().clang_getCursorUnaryOperatorKind(cursor)]


def constant(cursor: Cursor) -> int | None:
    """Return the integer that clang computes for an expression, or None."""
    lib = _library()
    result = lib.clang_Cursor_Evaluate(cursor)
    if not result:
        return None
    try:
        if lib.clang_EvalResult_getKind(result) != 1:
            return None
        if lib.clang_EvalResult_isUnsignedInt(result):
            return int(lib.clang_EvalResult_getAsUnsigned(result))
        return int(lib.clang_EvalResult_getAsLongLong(result))
    finally:
        lib.clang_EvalResult_dispose(result)


def initializer(cursor: Cursor) -> Cursor | None:
    """Return what a variable is initialised with, or None."""
    found = _library().clang_Cursor_getVarDeclInitializer(cursor)
    if found.kind.is_invalid():
        return None
    found._tu = cursor._tu
    return found


def callee(call: Cursor) -> Cursor | None:
    """Return the declaration that a call calls by its name, or None where it is given by a value.

    Of `pick()(x)` clang calls `pick` what is referenced.
    """
    inner = next(map(within, children(call)), None)
    if inner is None or kind_of(inner) in ("DECL_REF_EXPR", "MEMBER_REF_EXPR"):
        return call.referenced
    type = inner.type.get_canonical()
    called = type.get_pointee() if type.kind in _POINTING else type
    return None if called.kind in _CALLED else call.referenced


def configuration(call: Cursor) -> Cursor | None:
    """Return what stands between `<<<` and `>>>` of a call, as a call; None where it has none."""
    inner = children(call)[1:2] if kind_of(call) == "CALL_EXPR" else []
    return next((c for c in inner if c.spelling in _CONFIGURE), None)


def key(cursor: Cursor) -> int:
    """Return what tells one declaration, or one expression, from another within a tree."""
    return int((cursor.data[0] if cursor.kind.is_declaration() else cursor.data[1]) or 0)


def template_of(cursor: Cursor) -> Cursor | None:
    """Return the template of which a declaration is an instance, or None."""
    found = _library().clang_getSpecializedCursorTemplate(cursor)
    if found is None or found.kind.is_invalid():
        return None
    found._tu = cursor._tu
    return found


def argument_kind(function: Cursor, number: int) -> str:
    """Return the kind of a template argument; one that the binding does not know is `?`."""
    try:
        return str(function.get_template_argument_kind(number).name)
    except ValueError:  # a pack
        return "?"


_KIND_NAMES: dict[int, str] = {kind.value: kind.name for kind in CursorKind.get_all_kinds()}
_DECLARATIONS = {kind.value for kind in CursorKind.get_all_kinds() if kind.is_declaration()}


def kind_of(cursor: Cursor) -> str:
    """Return the name of a cursor's kind; kinds that the binding does not know have none."""
    return _KIND_NAMES.get(cursor._kind_id, "?")


def children(cursor: Cursor) -> list[Cursor]:
    """Return the children of a cursor."""
    return list(_children(cursor))


def _children(cursor: Cursor) -> list[Cursor]:
    # The binding's own way is several times slower, and is where most of the time went.
    known: list[Cursor] | None = getattr(cursor, "symcute_children", None)
    if known is None:
        unit = cursor._tu
        # Each expression that names a declaration has a cursor of its own for it.
        named = cursor._kind_id in _DECLARATIONS
        name = (cursor._kind_id, *cursor.data[:2])
        known = _below(unit).get(name) if named else None
        if known is None:
            known = []

            def visit(child: Cursor, parent: Cursor, into: list[Cursor]) -> int:
                child._tu = unit
                into.append(child)
                return 1

            cindex.conf.lib.clang_visitChildren(cursor, VISIT(visit), known)
            if named:
                _below(unit)[name] = known
        cursor.symcute_children = known
    return known


def _below(unit: TranslationUnit) -> dict[object, Any]:
    """Return what is known of declarations and blocks of a unit."""
    known: dict[object, Any] | None = getattr(unit, "symcute_below", None)
    if known is None:
        known = unit.symcute_below = {}
    return known


def once(unit: TranslationUnit, name: str, made: Callable[[], T]) -> T:
    """Return what is made of a unit, which is made once and remembered by its name."""
    held = _below(unit)
    if name not in held:
        held[name] = made()
    known: T = held[name]
    return known


def own_files(unit: TranslationUnit) -> Mapping[str, str]:
    """Return the texts of the user's files of a unit, by their names."""
    names = {unit.spelling, *(i.include.name for i in unit.get_includes())}
    return {n: file_text(unit.cursor, n) for n in sorted(names) if not is_ours(n)}


def is_written_here(cursor: Cursor) -> bool:
    """Return whether something begins where it is written, and not in what a macro writes.

    What a macro writes has its tokens where the macro is defined, and its parts where it is used.
    """
    first = next(iter(cursor.get_tokens()), None)
    if first is None:
        return False
    written, start = first.location, cursor.extent.start
    if written.file is None or start.file is None:
        return False
    return bool((written.file.name, written.offset) == (start.file.name, start.offset))


def within(cursor: Cursor) -> Cursor:
    """Return what stands within parentheses, and within what clang adds to an expression."""
    while kind_of(cursor) in ("UNEXPOSED_EXPR", "PAREN_EXPR") and len(children(cursor)) == 1:
        cursor = children(cursor)[0]
    return cursor


def of_block(cursor: Cursor, name: str, made: Callable[[], T]) -> T:
    """Return what is made of a cursor; of a block it is made once, and remembered by its name.

    Lambdas in lambdas are asked from each of them.
    """
    if kind_of(cursor) != "COMPOUND_STMT":
        return made()
    held, at = _below(cursor._tu), (name, key(cursor))
    if at not in held:
        held[at] = made()
    known: T = held[at]
    return known


def gathered(
    cursor: Cursor, name: str, of: Callable[[Cursor], Iterable[tuple[int, T]]]
) -> dict[int, T]:
    """Return what `of` finds at a cursor and at all below it, the first of each number."""
    return of_block(cursor, name, lambda: _gathered(cursor, name, of))


def _gathered(
    cursor: Cursor, name: str, of: Callable[[Cursor], Iterable[tuple[int, T]]]
) -> dict[int, T]:
    known: dict[int, T] = {}
    stack = [cursor]
    while stack:
        here = stack.pop()
        if here is not cursor and kind_of(here) == "COMPOUND_STMT":
            found: Iterable[tuple[int, T]] = gathered(here, name, of).items()
        else:
            found = of(here)
            stack += reversed(_children(here))
        for number, one in found:
            known.setdefault(number, one)
    return known


def walk(cursor: Cursor, but: Sequence[str] = ()) -> Iterator[Cursor]:
    """Yield a cursor and everything below it, but not what is below cursors of some kinds."""
    stack = [cursor]
    while stack:
        here = stack.pop()
        yield here
        if here is cursor or not but or kind_of(here) not in but:
            stack += reversed(_children(here))


def place_of(cursor: Cursor) -> Place:
    """Return where something stands; what a macro wrote stands where the macro is used."""
    known: Place | None = getattr(cursor, "symcute_place", None)
    if known is None:
        lib = cindex.conf.lib
        lib.clang_getInstantiationLocation(
            lib.clang_getCursorLocation(cursor),
            ctypes.byref(_FILE), ctypes.byref(_LINE), ctypes.byref(_COLUMN), ctypes.byref(_OFFSET),
        )  # fmt: skip
        # Files are few, and their names are asked for once.
        files, at = once(cursor._tu, "files", _no_names), ctypes.cast(_FILE, ctypes.c_void_p).value
        if at not in files:
            file = cursor.location.file
            files[at] = file.name if file else ""
        known = Place(files[at], _LINE.value, _COLUMN.value)
        cursor.symcute_place = known
    return known


def spelled(cursor: Cursor) -> str:
    """Return the text from where something is written on: within a macro, where that says it."""
    start = cursor.extent.start
    empty = cindex.SourceRange.from_locations(start, start)
    # Of an empty range clang gives the first token, which lies where it is written.
    where = next(iter(cursor._tu.get_tokens(extent=empty))).location
    return file_text(cursor, where.file.name)[where.offset :] if where.file else ""


_FILE, _LINE, _COLUMN, _OFFSET = (
    cindex.c_object_p(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint(),
)  # fmt: skip


def _no_names() -> dict[int | None, str]:
    return {}


def file_text(cursor: Cursor, path: str) -> str:
    """Return the text of a file as clang has read it; offsets in it are clang's.

    What clang declares by itself (`std::align_val_t`, where something is made by `new`) is in none.
    """
    unit = cursor._tu
    if not path:
        return ""

    def read() -> str:
        size = ctypes.c_size_t()
        file = cindex.File.from_name(unit, path)
        data = _library().clang_getFileContents(unit, file, ctypes.byref(size))
        return (ctypes.string_at(data, size.value) if data else b"").decode("latin-1")

    return once(unit, f"text of {path}", read)


def has_effects(cursor: Cursor) -> bool:
    """May evaluating an expression do anything but give a value?"""
    return any(_may_act(c) for c in walk(cursor))


def _may_act(cursor: Cursor) -> bool:
    kind = kind_of(cursor)
    if kind == "UNARY_OPERATOR":
        return unary_operator(cursor).endswith(("++", "--"))
    if kind == "BINARY_OPERATOR":
        return binary_operator(cursor) == "="
    return kind not in _HARMLESS


def pure_constant(cursor: Cursor) -> int | None:
    """Return the integer that clang computes for an expression without effects, or None."""
    return None if has_effects(cursor) else constant(cursor)
