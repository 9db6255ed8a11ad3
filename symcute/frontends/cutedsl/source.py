"""What a Python file says of its CuTe DSL host functions, without running it: notes above them.

    # symcute: type mA, mB = Float16 (M,N):(8*ld,1) align 16     tensors, their sizes and strides
    # symcute: type n = Int32                                    a number
    # symcute: type stream = Stream
    # symcute: constexpr tile = (128, 64)                        what is known when it is traced
    # symcute: assume N <= 2**20                                 of sizes, for what threads access
    # symcute: bank_conflicts 1                                  ways of a bank that are allowed
    # symcute: arch sm_90a
    @cute.jit
    def host(mA, mB, n: cutlass.Int32, stream, tile: cutlass.Constexpr):

A size is a number, a name or a number times a name, of which it is then a multiple. Constants for
names that a method under `cute.jit` does not have are given to its class.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from symcute.frontends.comments import commented
from symcute.frontends.front_end import SourceError
from symcute.kernel.ir.place import Place

__all__ = ["Host", "bind", "constant", "hosts", "kind"]

_NOTE = re.compile(r"# symcute:\s*")
_NAMES = re.compile(r"[A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*")
_WORDS = "type, constexpr, assume, bank_conflicts, arch"
_TYPE = "type mA = Float16 (M,N):(8*ld,1) align 16"
_CONSTEXPR = "constexpr tile = (128, 64)"
_TENSOR = re.compile(
    r"(?P<element>\w+)\s+(?P<shape>\([^:]*\)|\w+):(?P<stride>\(.*\)|\w+)(?:\s+align\s+(?P<align>\d{1,4}))?"
)
_SIZE = re.compile(r"(?:(\d{1,9})\s*\*\s*)?([A-Za-z_]\w*)")
#: Numbers, in the DSL's words.
_NUMBERS = re.compile(r"(?:Uint|Int)(?:8|16|32|64)|Float(?:16|32|64)|BFloat16|Boolean")
_STREAMS = ("Stream", "CUstream")


@dataclass
class Host:
    """A function, or a method of `owner`, under `cute.jit`: its parameters and what is noted.

    `optional` are parameters that may be left out, `keywords` those that are given by name;
    `types` and `constants` are what stands for the others, as JSON has it.
    """

    name: str
    place: Place
    parameters: list[str]
    optional: frozenset[str] = frozenset()
    keywords: frozenset[str] = frozenset()
    owner: str = ""
    types: dict[str, Any] = field(default_factory=dict)
    constants: dict[str, Any] = field(default_factory=dict)
    given: list[str] = field(default_factory=list)
    ways: int | None = None
    arch: str | None = None
    noted: bool = False


def hosts(path: str, text: str) -> list[Host]:
    """Return the host functions of a file: those with notes, or else all that launch a kernel.

    Errors: SourceError for a note that does not make sense, and for what is no Python.
    """
    if "cute" not in text or "jit" not in text:
        return []
    tree, comments = commented(path, text)
    known = _names_of_jit(tree)
    found = [
        _read(path, node, owner, after, comments)
        for node, owner, after in _functions(tree.body)
        if any(ast.unparse(_called(d)) in known for d in node.decorator_list)
        and (_launches(node) or _noted(node, after, comments))
    ]
    return [x for x in found if x.noted] or found


def _functions(
    body: list[ast.stmt], owner: str = "", end: int = 0
) -> Iterator[tuple[ast.FunctionDef, str, int]]:
    """Yield functions and methods, each with its class and the line behind which notes begin."""
    for node in body:
        if isinstance(node, ast.FunctionDef):
            yield node, owner, end
        elif isinstance(node, ast.ClassDef) and not owner:
            yield from _functions(node.body, node.name, node.lineno)
        end = node.end_lineno or end


def _names_of_jit(tree: ast.Module) -> set[str]:
    """Return how a file calls `cute.jit`: other packages have functions called jit."""
    found = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for a in node.names:
                if a.name == "cutlass.cute":
                    found.add(f"{a.asname or a.name}.jit")
                elif a.name == "cutlass":
                    found.add(f"{a.asname or a.name}.cute.jit")
        elif isinstance(node, ast.ImportFrom) and node.module == "cutlass":
            found |= {f"{a.asname or a.name}.jit" for a in node.names if a.name == "cute"}
        elif isinstance(node, ast.ImportFrom) and node.module == "cutlass.cute":
            found |= {a.asname or a.name for a in node.names if a.name == "jit"}
    return found


def _called(node: ast.expr) -> ast.expr:
    return node.func if isinstance(node, ast.Call) else node


def _launches(node: ast.FunctionDef) -> bool:
    return any(isinstance(x, ast.Attribute) and x.attr == "launch" for x in ast.walk(node))


def _above(
    node: ast.FunctionDef, after: int, comments: Mapping[int, tuple[str, int]]
) -> Iterator[tuple[int, int, str]]:
    """Yield the notes above a function: line, column, text."""
    for line in range(after + 1, node.body[0].lineno):
        text, column = comments.get(line, ("", 1))
        if head := _NOTE.match(text):
            yield line, column, text[head.end() :].strip()


def _noted(node: ast.FunctionDef, after: int, comments: Mapping[int, tuple[str, int]]) -> bool:
    return any(True for _ in _above(node, after, comments))


def _read(
    path: str,
    node: ast.FunctionDef,
    owner: str,
    after: int,
    comments: Mapping[int, tuple[str, int]],
) -> Host:
    given = node.args
    plain = [*given.posonlyargs, *given.args]
    late = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    optional = [a.arg for a in plain[len(plain) - len(given.defaults) :]]
    optional += [a.arg for a, value in late if value is not None]
    every = [*plain, *given.kwonlyargs][bool(owner) :]
    place = Place(path, node.lineno, node.col_offset + 1)
    name = f"{owner}.{node.name}" if owner else node.name
    keywords = frozenset(a.arg for a in given.kwonlyargs)
    found = Host(name, place, [a.arg for a in every], frozenset(optional), keywords, owner)
    for a in every:
        word = ast.unparse(a.annotation).rpartition(".")[2] if a.annotation else ""
        if _NUMBERS.fullmatch(word) or word in _STREAMS:
            found.types[a.arg] = kind(word)
    for line, column, text in _above(node, after, comments):
        found.noted = True
        _take(found, text, Place(path, line, column))
    return found


def _take(found: Host, text: str, place: Place) -> None:
    word, _, rest = (part.strip() for part in text.partition(" "))
    if word == "assume" and rest:
        found.given.append(rest)
    elif word == "arch" and rest:
        found.arch = rest
    elif word == "bank_conflicts" and re.fullmatch(r"[1-9]\d?", rest):
        found.ways = int(rest)
    elif word in ("type", "constexpr"):
        names, _, value = (part.strip() for part in rest.partition("="))
        example = _TYPE if word == "type" else _CONSTEXPR
        if not _NAMES.fullmatch(names) or not value:
            raise SourceError(f"{rest!r} binds nothing", f"write {example}", place)
        for name in re.split(r"\s*,\s*", names):
            bind(found, word, name, value, place)
    else:
        raise SourceError(f"{text!r} is no note of a host function", f"known are {_WORDS}", place)


def bind(found: Host, word: str, name: str, value: str, place: Place | None = None) -> None:
    """Take in what a parameter is: its `type`, or the `constexpr` that it is.

    Errors: SourceError for another parameter, and for what is no type and no constant.
    """
    if name not in found.parameters and not (word == "constexpr" and found.owner):
        known = ", ".join(found.parameters) or "none"
        raise SourceError(f"{found.name} has no parameter {name}", f"there are: {known}", place)
    try:
        if word == "type":
            found.types[name] = kind(value)
        else:
            found.constants[name] = constant(value)
    except ValueError as error:
        example = _TYPE if word == "type" else _CONSTEXPR
        raise SourceError(str(error), f"write {example}", place) from None


def kind(text: str) -> list[Any]:
    """Return the type of an argument as JSON has it. Errors: ValueError.

    A size is a number, or [name, what it is a multiple of].

    >>> kind("Float16 (M,64):(8*ld,1) align 16")
    ['tensor', 'Float16', [['M', 1], 64], [['ld', 8], 1], 16]
    >>> kind("Int32")
    ['number', 'Int32']
    """
    if text in _STREAMS:
        return ["stream"]
    if _NUMBERS.fullmatch(text):
        return ["number", text]
    found = _TENSOR.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no type of an argument")
    shape, stride = (_sizes(found[x]) for x in ("shape", "stride"))
    if not shape or len(stride) != len(shape):
        raise ValueError(f"{text!r} has other strides than modes")
    both = {x[0] for x in shape if isinstance(x, list)} & {
        x[0] for x in stride if isinstance(x, list)
    }
    if both:
        raise ValueError(f"{min(both)} is an extent and a stride: give the stride its own name")
    return ["tensor", found["element"], shape, stride, int(found["align"] or 0) or None]


def _sizes(text: str) -> list[Any]:
    parts = text.removeprefix("(").removesuffix(")").split(",")
    return [_size(part.strip()) for part in parts if part.strip()]


def _size(text: str) -> Any:
    if re.fullmatch(r"\d{1,9}", text):
        return int(text)
    found = _SIZE.fullmatch(text)
    if found is None or found[1] == "0":
        raise ValueError(f"{text!r} is no size: write a number, a name or 8*name")
    return [found[2], int(found[1] or 1)]


def constant(text: str) -> Any:
    """Return a constant as JSON has it; a tuple is ["tuple", ...], a type ["type", its name].

    Errors: ValueError.

    >>> [constant(t) for t in ("-1", "True", "(2, 2.5)", "'x'", "cutlass.Float32")]
    [-1, True, ['tuple', 2, 2.5], 'x', ['type', 'Float32']]
    """
    try:
        return _constant(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f"{text!r} is no constant") from None


def _constant(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value) if value is None or isinstance(value, bool | int | float | str):
            return value
        case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as value)):
            return -value
        case ast.Tuple(parts):
            return ["tuple", *map(_constant, parts)]
        case ast.List(parts):
            return ["list", *map(_constant, parts)]
        case ast.Name(name) | ast.Attribute(ast.Name("cutlass"), name) if name[:1].isupper():
            return ["type", name]
    raise ValueError
