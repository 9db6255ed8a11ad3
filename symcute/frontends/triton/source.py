"""What a Python file says of its Triton kernels, without running it: functions, and notes above.

    # symcute: type x, y = *fp32           what parameters are, in the words of Triton's signatures
    # symcute: type n = i32
    # symcute: constexpr BLOCK = 1024      what a constexpr is, or a parameter that is a constant
    # symcute: launch grid=(ceil_div(n,BLOCK))
    # symcute: extent x = n
    @triton.jit
    def kernel(x, y, n, BLOCK: tl.constexpr):

All other notes are those of kernels in any language; numbers that are constants may be named there.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field

from symcute.frontends.comments import commented
from symcute.frontends.front_end import SourceError
from symcute.frontends.triton.blocks import Block, blocks_of
from symcute.frontends.triton.constants import Constants, constants
from symcute.frontends.triton.target import TRITON
from symcute.frontends.triton.uses import (
    addresses,
    asked,
    described,
    extents,
    folded,
    tested,
    unrolled,
    uses,
)
from symcute.kernel.ir.place import Place

__all__ = ["Constant", "Jitted", "constant", "is_constant", "jitted", "shown", "with_numbers"]

#: A constant as JSON has it; a type of Triton is ["type", its name].
Constant = int | float | bool | str | None | list[str]
_ELEMENT = r"(?:[iu](?:1|8|16|32|64)|fp(?:16|32|64)|bf16|fp8\w+)"
_TYPE = re.compile(rf"\*?{_ELEMENT}|tensordesc<{_ELEMENT}\[\d+(?:, ?\d+)*\]>")
_NAMES = re.compile(r"[A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*")


@dataclass
class Jitted:
    """A function under `triton.jit`: what stands above it, and which others it may call."""

    name: str
    place: Place
    parameters: list[str]
    types: dict[str, str] = field(default_factory=dict)
    constants: dict[str, Constant] = field(default_factory=dict)
    notes: list[tuple[str, Place]] = field(default_factory=list)
    noted: bool = False
    mentions: set[str] = field(default_factory=set)
    #: Parameters that addresses begin with, and others that are in addresses and masks.
    pointers: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    #: Those from which addresses are loaded.
    addresses: frozenset[str] = frozenset()
    #: Those of which the kernel may ask what they are.
    asked: frozenset[str] = frozenset()
    #: Those of which it may matter whether they are None, and those that are extents of tensors.
    tested: frozenset[str] = frozenset()
    extents: frozenset[str] = frozenset()
    #: Those that say how often what is unrolled is repeated.
    unrolled: frozenset[str] = frozenset()
    uses: Constants = field(default_factory=Constants)
    #: Those that are tensor descriptors, with how many axes each has, and of which blocks hosts
    #: make descriptors that are called so.
    described: Mapping[str, int] = field(default_factory=dict)
    blocks: Mapping[str, list[Block]] = field(default_factory=dict)
    #: Those with which Python computes otherwise than a device, where they are constants.
    folded: frozenset[str] = frozenset()
    #: In a file of Inductor's, the lines that its source is.
    lines: tuple[int, int] | None = None


def jitted(path: str, text: str, launched: Container[str] = ()) -> list[Jitted]:
    """Return the kernels of a file: functions with notes, those that are `launched`, and others.

    Others are those that return nothing and that no function of Triton's mentions.

    Errors: SourceError for a note that does not make sense, and for what is no Python.
    """
    tree, comments = commented(path, text)
    known = _names_of_jit(tree)
    functions = [(f, after) for f, after in _functions(tree.body) if _is_jitted(f, known)]
    named = {f.name: f for f, _ in functions}
    found = [_read(path, node, after, comments, text, named) for node, after in functions]
    if any(f.described for f in found):
        blocks = blocks_of(tree)
        for f in found:
            f.blocks = {p: blocks[p] for p in f.described if p in blocks}
    called = {name for f in found for name in f.mentions if name != f.name}
    inner = called | {f.name for f, _ in functions if _gives_a_value(f)}
    return [f for f in found if f.noted or f.name in launched or f.name not in inner]


def _gives_a_value(function: ast.FunctionDef) -> bool:
    nodes = ast.walk(function)
    return any(isinstance(n, ast.Return) and n.value is not None for n in nodes)


def _functions(body: list[ast.stmt]) -> Iterator[tuple[ast.FunctionDef, int]]:
    """Yield the functions of a module, each with the line behind which its notes begin."""
    end = 0
    for node in body:
        if isinstance(node, ast.FunctionDef):
            yield node, end
        elif isinstance(node, (ast.If, ast.Try, ast.With)):
            yield from _functions(node.body)
            yield from _functions(getattr(node, "orelse", []))
        end = node.end_lineno or end


def _names_of_jit(tree: ast.Module) -> set[str]:
    """Return how a file calls `triton.jit`: other packages have functions called jit."""
    found = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {f"{a.asname or a.name}.jit" for a in node.names if a.name == "triton"}
        elif isinstance(node, ast.ImportFrom) and node.module == "triton" and not node.level:
            found |= {a.asname or a.name for a in node.names if a.name == "jit"}
    return found


def _is_jitted(function: ast.FunctionDef, known: set[str]) -> bool:
    """Return whether a decorator is one of these names, called or not."""
    inner = [d.func if isinstance(d, ast.Call) else d for d in function.decorator_list]
    titles = [ast.unparse(d) for d in inner]
    if any(t.startswith("triton_heuristics.") for t in titles):
        return False  # of Inductor: `inductor.py` reads it
    return any(t in known for t in titles)


def _read(
    path: str,
    node: ast.FunctionDef,
    after: int,
    comments: Mapping[int, tuple[str, int]],
    text: str,
    functions: Mapping[str, ast.FunctionDef],
) -> Jitted:
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    place = Place(path, node.lineno, node.col_offset + 1)
    found = Jitted(node.name, place, [a.arg for a in every])
    found.pointers, found.numbers = uses(node, frozenset(found.parameters), functions)
    found.addresses = addresses(node) & found.pointers
    found.asked = asked(node, functions)
    found.tested = tested(node, frozenset(found.parameters))
    found.extents = extents(node, frozenset(found.parameters))
    found.unrolled = unrolled(node, frozenset(found.parameters))
    found.uses = constants(node, text)
    found.folded = folded(node, frozenset(found.parameters), functions)
    found.described = described(node, functions)
    found.mentions = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    lines = range(after + 1, node.body[0].lineno)
    for line in lines:
        text, column = comments.get(line, ("", 1))
        head = re.match(rf"{re.escape(TRITON.note)}\s*", text)
        if head is not None:
            found.noted = True
            _take(found, text[head.end() :].strip(), Place(path, line, column))
    return found


def _take(found: Jitted, text: str, place: Place) -> None:
    kind, _, rest = text.partition(" ")
    if kind not in ("type", "constexpr"):
        found.notes.append((text, place))
        return
    names, _, value = (part.strip() for part in rest.partition("="))
    example = "type x = *fp32" if kind == "type" else "constexpr BLOCK = 1024"
    if not _NAMES.fullmatch(names) or not value:
        raise SourceError(f"{rest!r} binds nothing", f"write {example}", place)
    for name in re.split(r"\s*,\s*", names):
        if name not in found.parameters:
            known = ", ".join(found.parameters) or "none"
            raise SourceError(f"{found.name} has no parameter {name}", f"there are: {known}", place)
        if kind == "constexpr":
            try:
                found.constants[name] = constant(value)
            except ValueError as error:
                raise SourceError(str(error), f"write {example}", place) from None
        elif not _TYPE.fullmatch(value):
            raise SourceError(
                f"{value!r} is no type of a parameter", "write *fp32, *i64, i32, fp32 ...", place
            )
        else:
            found.types[name] = value


def constant(text: str) -> Constant:
    """Return the constant that is written. Errors: ValueError.

    >>> [constant(t) for t in ("1024", "2**4", "True", "None", "'tf32'", "tl.float16")]
    [1024, 16, True, None, 'tf32', ['type', 'float16']]
    """
    words: dict[str, Constant] = {"True": True, "False": False, "None": None}
    text = text.strip()
    if text in words:
        return words[text]
    if re.fullmatch(r"-?\d{1,19}", text):
        return int(text)
    if found := re.fullmatch(r"(\d{1,3})\s*\*\*\s*(\d{1,2})", text):
        return int(pow(int(found[1]), int(found[2])))
    if re.fullmatch(r"-?\d+(\.\d*)?([eE][-+]?\d+)?|-?inf", text):
        return float(text)
    if found := re.fullmatch(r"\"([^\"\\]*)\"|'([^'\\]*)'", text):
        return found[1] if found[1] is not None else found[2]
    if found := re.fullmatch(r"tl\.(\w+)", text):
        return ["type", found[1]]
    raise ValueError(f"{text!r} is no constant")


def shown(value: Constant) -> str:
    """Return a constant as it is written.

    >>> [shown(constant(t)) for t in ("2**4", "'tf32'", "tl.float16")]
    ['16', "'tf32'", 'tl.float16']
    """
    if isinstance(value, list):
        return f"tl.{value[1]}"
    return repr(value) if isinstance(value, str) else str(value)


def is_constant(value: object) -> bool:
    """Return whether this is a constant that a parameter may be.

    >>> is_constant(1), is_constant(None), is_constant((1, 2))
    (True, True, False)
    """
    return value is None or isinstance(value, (bool, int, float, str))


def with_numbers(numbers: Mapping[str, int], text: str) -> str:
    """Return a note in which constants stand for their names.

    >>> with_numbers({"B": 8}, "launch grid=(ceil_div(n,B))")
    'launch grid=(ceil_div(n,8))'
    """

    def value(found: re.Match[str]) -> str:
        number = str(numbers.get(found[0], found[0]))
        return f"({number})" if number.startswith("-") else number

    return re.sub(r"\b[A-Za-z_]\w*", value, text)
