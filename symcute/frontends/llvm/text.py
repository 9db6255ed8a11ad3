"""LLVM IR as text: modules, functions, instructions, types, operands.

Only as much is read as kernels need; a line that is anything else is kept as its tokens, and who
asks for what is not there gets `Unread`. Source: the LLVM Language Reference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from symcute.frontends.llvm.types import Listed, LType, Number, Other, Ptr, Real, Record

__all__ = [
    "Computed",
    "Function",
    "Global",
    "Instruction",
    "Items",
    "Literal",
    "Local",
    "Module",
    "Named",
    "Operand",
    "Tokens",
    "Unknown",
    "Unread",
]

_TOKEN = re.compile(
    r'\s*(c?"[^"]*"|[%@]"[^"]*"|[%@][-\w$.]+|[!#]\d+|![-\w$.]+|-?\d+\.\d+(?:e[-+]?\d+)?'
    r"|0x[0-9A-Fa-fHKLMR]+|-?\d+|\.\.\.|[\w$.]+|.)"
)
_META = re.compile(r"(?:, ![\w.]+ !(?:\d+|\{\}))+$")
_DEBUG = re.compile(r"!dbg !(\d+)")
_LABEL = re.compile(r'^(?:([-\w$.]+)|"([^"]*)"):')
_DEFINED = re.compile(r'^define [^@]*@([-\w$.]+|"[^"]*")\(')
_TYPED = re.compile(r'^(%(?:[-\w$.]+|"[^"]*")) = type (.*)$')
_GLOBAL = re.compile(r'^@([-\w$.]+|"[^"]*") = (.*)$')
_METADATA = re.compile(r"^!([\w.]+) = (?:distinct )?(!.*)$")
_REALS = {"half": 2, "bfloat": 2, "float": 4, "double": 8, "fp128": 16}
#: Words before a type of a global variable.
_SPACE = re.compile(r"addrspace\((\d+)\)")
_KINDS = re.compile(r"\b(global|constant) ")


class Unread(Exception):
    """Text that is not what was looked for."""


# --- operands -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Local:
    """`%x`: what an instruction gave, or an argument."""

    name: str


@dataclass(frozen=True, slots=True)
class Named:
    """`@x`: a global variable or a function."""

    name: str


@dataclass(frozen=True, slots=True)
class Literal:
    """An integer; the null pointer is 0, and all that is zero."""

    value: int


@dataclass(frozen=True, slots=True)
class Unknown:
    """No integer: a number with a point, text, or what is undefined."""

    undefined: bool = False


@dataclass(frozen=True, slots=True)
class Items:
    """The elements of a constant array, vector or struct."""

    items: tuple[tuple[LType, Operand], ...]


@dataclass(frozen=True, slots=True)
class Computed:
    """A constant expression; `source` is the type that `getelementptr` steps through."""

    op: str
    args: tuple[tuple[LType, Operand], ...]
    type: LType
    source: LType


Operand: TypeAlias = Local | Named | Literal | Unknown | Items | Computed


# --- modules --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Instruction:
    """An instruction: what it gives (a name, or nothing), its name, the rest, its place."""

    result: str
    op: str
    rest: str
    debug: int | None


@dataclass
class Function:
    """A function: its header, and its blocks in order."""

    name: str
    header: str
    blocks: dict[str, list[Instruction]] = field(default_factory=dict)
    debug: int | None = None


@dataclass(frozen=True)
class Global:
    """A variable of a module: address space, type, whether nothing writes it, its value."""

    name: str
    space: int
    type: LType
    constant: bool
    value: Operand | None
    align: int
    debug: int | None


class Module:
    """A module; what is nobody's business is not read."""

    def __init__(self, text: str) -> None:
        self.structs: dict[str, str] = {}
        self.metadata: dict[str, str] = {}
        self._globals: dict[str, str] = {}
        #: Whether there are structs whose fields are not aligned.
        self.packed = "<{" in text
        self._types: dict[str, LType] = {}
        self._lines = text.split("\n")
        for line in self._lines:
            if line.startswith("%") and (m := _TYPED.match(line)):
                self.structs[m[1]] = m[2]
            elif line.startswith("@") and (m := _GLOBAL.match(line)):
                self._globals[m[1].strip('"')] = m[2]
            elif line.startswith("!") and (m := _METADATA.match(line)):
                self.metadata[m[1]] = m[2]

    @cached_property
    def functions(self) -> dict[str, Function]:
        """The functions, by the names that linkers know. Errors: Unread for lines that are none."""
        lines = iter(self._lines)
        made = (_function(line, lines) for line in lines if line.startswith("define "))
        return {f.name: f for f in made}

    def named(self, name: str) -> LType:
        """Return the struct of a name."""
        if name not in self._types:
            self._types[name] = Other(name)  # one that is in itself has no size
            text = self.structs.get(name, "opaque")
            self._types[name] = Other(name) if text == "opaque" else Tokens(text, self).type()
        return self._types[name]

    def variable(self, name: str) -> Global | None:
        """Return a global variable, or None for what is none."""
        text = self._globals.get(name)
        kind = None if text is None else _KINDS.search(text)
        if text is None or kind is None:
            return None
        space = _SPACE.search(text[: kind.start()])
        debug = _DEBUG.search(text)
        aligned = re.search(r", align (\d+)", text)
        tokens = Tokens(_META.sub("", text[kind.end() :]), self)
        type = tokens.type()
        value: Operand | None = None
        if not tokens.ended and tokens.peek != ",":
            try:
                value = tokens.operand(type)
            except Unread:
                value = Unknown()
        return Global(
            name, int(space[1]) if space else 0, type, kind[1] == "constant", value,
            int(aligned[1]) if aligned else 1, int(debug[1]) if debug else None,
        )  # fmt: skip


def _function(header: str, lines: Iterator[str]) -> Function:
    found = _DEFINED.match(header)
    if found is None:
        raise Unread(header[:80])
    debug = _DEBUG.search(header)
    f = Function(found[1].strip('"'), header, debug=int(debug[1]) if debug else None)
    here = f.blocks.setdefault("", [])
    for line in lines:
        if line == "}":
            if not f.blocks[""]:
                del f.blocks[""]
            return f
        label = _LABEL.match(line)
        if label:
            here = f.blocks.setdefault(label[1] or label[2], [])
        elif line.startswith("  "):
            text = line.strip()
            if text.startswith("switch ") and text.endswith(
                "["
            ):  # its cases have lines of their own
                while not text.split(", !")[0].endswith("]"):
                    text += f" {next(lines).strip()}"
            if not text.startswith("#"):
                here.append(instruction(text))
    raise Unread("a function that does not end")


def instruction(text: str) -> Instruction:
    """Return one line as an instruction.

    >>> instruction("%a = add nsw i32 %b, 1, !dbg !7").rest
    'nsw i32 %b, 1'
    """
    debug = _DEBUG.search(text)
    line = _META.sub("", text)
    result = ""
    if line.startswith("%"):
        name, _, line = line.partition(" = ")
        result = name[1:].strip('"')
    op, _, rest = line.partition(" ")
    if op in ("tail", "musttail", "notail"):
        op, _, rest = rest.partition(" ")
    return Instruction(result, op, rest, int(debug[1]) if debug else None)


# --- tokens ---------------------------------------------------------------------------------------


class Tokens:
    """The tokens of a line, from the left."""

    def __init__(self, text: str, module: Module) -> None:
        self._module = module
        self._all = [m[1] for m in _TOKEN.finditer(text)]
        self._at = 0

    @property
    def peek(self) -> str:
        """The next token, or nothing."""
        return self._all[self._at] if self._at < len(self._all) else ""

    @property
    def ended(self) -> bool:
        """Is nothing left?"""
        return self._at >= len(self._all)

    def next(self) -> str:
        """Take a token."""
        self._at += 1
        if self._at > len(self._all):
            raise Unread("the line ends")
        return self._all[self._at - 1]

    def take(self, *words: str) -> str:
        """Take a token if it is one of these; return it, or nothing."""
        return self.next() if self.peek in words else ""

    def need(self, word: str) -> None:
        """Take this very token."""
        if self.next() != word:
            raise Unread(f"{word} is missing")

    def end(self) -> None:
        """Ask that nothing is left but attributes of the line."""
        while self.peek.startswith("#"):
            self.next()
        if not self.ended:
            raise Unread(f"{self.peek} is left")

    def whole(self) -> int:
        """Take an integer."""
        token = self.next()
        if not re.fullmatch(r"-?\d+", token):
            raise Unread(f"{token} is no number")
        return int(token)

    def local(self) -> str:
        """Take the name of a local value."""
        token = self.next()
        if not token.startswith("%"):
            raise Unread(f"{token} is no name")
        return token[1:].strip('"')

    def type(self) -> LType:
        """Take a type."""
        word = self.next()
        if re.fullmatch(r"i\d+", word):
            return Number(int(word[1:]))
        if word in _REALS:
            return Real(_REALS[word])
        if word == "ptr":
            if not self.take("addrspace"):
                return Ptr()
            self.need("(")
            space = self.whole()
            self.need(")")
            return Ptr(space)
        if word.startswith("%"):
            return self._module.named(word)
        if word in ("[", "<"):
            if word == "<" and self.take("{"):
                return self._record(packed=True)
            count = self.whole()
            self.need("x")
            element = self.type()
            self.need("]" if word == "[" else ">")
            return Listed(count, element, word == "<")
        if word == "{":
            return self._record(packed=False)
        if word in ("void", "label", "metadata", "token"):
            return Other(word)
        raise Unread(f"{word} is no type")

    def _record(self, packed: bool) -> Record:
        fields: list[LType] = []
        while not self.take("}"):
            fields.append(self.type())
            self.take(",")
        if packed:
            self.need(">")
        return Record(tuple(fields), packed)

    def typed(self) -> tuple[LType, Operand]:
        """Take a type, what is said of an argument, and an operand."""
        type = self.type()
        return type, self.operand(type)

    def argument(self) -> tuple[LType, Operand, dict[str, str]]:
        """Take an argument of a call, with its attributes."""
        type = self.type()
        said = self.attributes()
        return type, self.operand(type), said

    def attributes(self) -> dict[str, str]:
        """Take attributes, `noundef align 8 byval(T)`; of each what it says."""
        found: dict[str, str] = {}
        while re.fullmatch(r"[a-z_]+", self.peek) and self.peek not in _NO_ATTRIBUTES:
            name = self.next()
            found[name] = ""
            if name == "align" and re.fullmatch(r"\d+", self.peek):
                found[name] = self.next()
            elif self.peek == "(":
                found[name] = self._bracketed()
        return found

    def _bracketed(self) -> str:
        depth, words = 0, []
        while True:
            word = self.next()
            depth += {"(": 1, ")": -1}.get(word, 0)
            words.append(word)
            if depth == 0:
                return " ".join(words[1:-1])

    def operand(self, type: LType) -> Operand:
        """Take an operand of a type."""
        word = self.next()
        if word.startswith("%"):
            return Local(word[1:].strip('"'))
        if word.startswith("@"):
            return Named(word[1:].strip('"'))
        if word in ("true", "false"):
            return Literal(int(word == "true"))
        if word in ("null", "zeroinitializer"):
            return Literal(0)
        if word in ("undef", "poison"):
            return Unknown(undefined=True)
        if isinstance(type, Real) or word.startswith('c"'):
            return Unknown()
        if re.fullmatch(r"-?\d+", word):
            return Literal(int(word))
        if word in ("[", "<", "{"):
            if word == "<" and self.take("{"):
                word = "<{"
            return self._items({"[": "]", "<": ">", "{": "}", "<{": "}"}[word], word == "<{")
        if word == "splat" and isinstance(type, Listed):
            self.need("(")
            one = self.typed()
            self.need(")")
            return Items((one,) * type.count)
        if word in _EXPRESSIONS:
            return self._computed(word)
        raise Unread(f"{word} is no operand")

    def _items(self, close: str, packed: bool) -> Items:
        found: list[tuple[LType, Operand]] = []
        while not self.take(close):
            found.append(self.typed())
            self.take(",")
        if packed:
            self.need(">")
        return Items(tuple(found))

    def _computed(self, op: str) -> Computed:
        source: LType = Other("none")
        while self.take("inbounds", "nuw", "nusw", "nsw", "exact"):
            pass
        if self.take("inrange"):
            self._bracketed()
        self.need("(")
        if op == "getelementptr":
            source = self.type()
            self.need(",")
        args = [self.typed()]
        while self.take(","):
            args.append(self.typed())
        target = self.type() if self.take("to") else Other("none")
        self.need(")")
        return Computed(op, tuple(args), target, source)


_NUMBERS = {"true", "false", "null", "zeroinitializer", "undef", "poison", "splat", "none"}
_EXPRESSIONS = {
    "getelementptr", "addrspacecast", "inttoptr", "ptrtoint", "bitcast", "trunc", "add", "sub",
    "mul", "xor",
}  # fmt: skip
_NO_ATTRIBUTES = {
    *_NUMBERS, *_EXPRESSIONS, *_REALS, "void", "ptr", "label", "metadata", "token", "x", "asm",
}  # fmt: skip
