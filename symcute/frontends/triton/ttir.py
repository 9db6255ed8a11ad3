"""The text of TTIR, as Triton prints it, to operations; what is not read is an error at its place.

MLIR's text is one operation after the other: results, a name, what it takes, attributes, regions
between braces, types behind a colon, and a location. How these are mixed is a matter of each
operation: an `Op` keeps the words of its head in their order, and who knows the operation reads
them. Values are resolved here: each use is the `Value` that its definition made.

Source: MLIR Language Reference; `TritonOps.td` of Triton 3.9.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count

from symcute.frontends.triton.operations import Block, Function, Op, TtirError, Value
from symcute.frontends.triton.places import Places
from symcute.frontends.triton.results import result_types, types_of
from symcute.frontends.triton.types import Shaped, Unread, read_type
from symcute.kernel.ir.place import Place

__all__ = ["read_ttir"]


_TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*)
    |(?P<string>"(?:[^"\\]|\\.)*")
    |(?P<value>%[\w$.-]+(?:\#\d+)?)
    |(?P<label>\^[\w$.-]+)
    |(?P<symbol>@(?:[\w$.-]+|"(?:[^"\\]|\\.)*"))
    |(?P<alias>\#[A-Za-z_][\w$.]*)
    |(?P<type>(?:tensor|dense|array|!tt\.\w+)<)
    |(?P<name>[A-Za-z_][\w$.]*)
    |(?P<number>-?(?:0x[0-9A-Fa-f]+|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?))
    |(?P<arrow>->|<\{|\}>|::)
    |(?P<sign>[][(){}<>=,:*+?!-])
    """,
    re.VERBOSE,
)
_BARE = re.compile(r"(?:\d+x)*(?:!tt\.|[a-z]+\d+)")
_ANGLES = re.compile(r'->|<|>|"(?:[^"\\]|\\.)*"')
_OPEN, _CLOSE = ("(", "[", "{", "<{", "<"), (")", "]", "}", "}>", ">")


def _tokens(text: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise TtirError(f"TTIR that is not read: {text[at : at + 40]!r}", None)
        at = found.end()
        bare = found.lastgroup == "sign" and found[0] == "<" and _bare(text, at)
        if found.lastgroup == "type" or bare:
            at = _closed(text, at)
            yield text[found.start() : at]
        elif found.lastgroup != "space":
            yield found[0]


def _bare(text: str, at: int) -> bool:
    """Return whether what an angle bracket opens is a type without its name: `<16x16xf32>`."""
    return _BARE.match(text, at) is not None


def _closed(text: str, at: int) -> int:
    """Return where the angle bracket ends that was opened before."""
    level = 1
    for found in _ANGLES.finditer(text, at):
        level += {"<": 1, ">": -1}.get(found[0], 0)
        if not level:
            return found.end()
    raise TtirError("TTIR that ends inside angle brackets", None)


# --- operations ---------------------------------------------------------------------------------


def read_ttir(text: str, default: Place) -> list[Function]:
    """Return the functions of a module; `default` is the place of what has none.

    Errors: TtirError.
    """
    return _Reader(text, default).module()


class _Reader:
    """Goes through the words of a module once."""

    def __init__(self, text: str, default: Place) -> None:
        self._places = Places(text, default)
        self._words = list(_tokens(re.sub(r"^#\w+ = .*$", "", text, flags=re.MULTILINE)))
        self._at = 0
        self._place = default
        self._numbers = count()
        self._scopes: list[dict[str, Value]] = [{}]
        self._labels: list[dict[str, Block]] = []

    def module(self) -> list[Function]:
        """Read the module."""
        self._take("module")
        if self._word == "attributes":
            self._at += 1
            self._skip_group()
        self._take("{")
        found = []
        while self._word != "}":
            found.append(self._function())
        return found

    @property
    def _word(self) -> str:
        return self._words[self._at] if self._at < len(self._words) else ""

    def _ahead(self, n: int) -> str:
        return self._words[self._at + n] if self._at + n < len(self._words) else ""

    def _next(self) -> str:
        word = self._word
        if not word:
            raise self._unread("its end")
        self._at += 1
        return word

    def _take(self, word: str) -> None:
        if self._next() != word:
            self._at -= 1
            raise self._unread(f"{self._word!r} in place of {word!r}")

    def _unread(self, what: str) -> TtirError:
        near = " ".join(self._words[max(0, self._at - 8) : self._at + 4])
        return TtirError(f"TTIR that is not read: {what} (in ... {near} ...)", self._place)

    def _skip_group(self) -> list[str]:
        """Go behind a bracket and what it opens, and return the words in it."""
        start, level = self._at, 0
        while True:
            word = self._next()
            level += (word in _OPEN) - (word in _CLOSE)
            if not level:
                return self._words[start + 1 : self._at - 1]

    def _location(self) -> Place:
        self._take("loc")
        return self._places.of(_joined(self._skip_group()))

    # --- functions

    def _function(self) -> Function:
        self._take("tt.func")
        while not self._word.startswith("@"):
            self._next()
        name = self._next()[1:]
        self._scopes.append({})
        arguments = self._typed_arguments()
        while self._word != "{":
            if self._word == "attributes":
                self._at += 1
                self._skip_group()
            elif self._word in _OPEN:
                self._skip_group()
            else:
                self._next()
        blocks = self._region(arguments)
        self._scopes.pop()
        return Function(name, blocks, self._location())

    def _typed_arguments(self) -> list[Value]:
        """Read `(%a: type {attributes} loc(...), ...)`."""
        self._take("(")
        found = []
        while self._word != ")":
            name = self._next()
            self._take(":")
            found.append(self._define(name, self._type()))
            if self._word == "{":
                self._skip_group()
            if self._word == "loc":
                self._location()
            if self._word == ",":
                self._at += 1
        self._take(")")
        return found

    def _type(self) -> Shaped:
        try:
            return read_type(self._next())
        except Unread as unread:
            raise self._unread(str(unread)) from None

    def _define(self, name: str, type: Shaped, op: Op | None = None, index: int = 0) -> Value:
        value = Value(next(self._numbers), type, _plain(name), op, index)
        self._scopes[-1][name] = value
        return value

    def _use(self, name: str) -> Value:
        base, _, number = name.partition("#")
        name = f"{base}#{number or 0}"
        for scope in reversed(self._scopes):
            found = scope.get(name) or (scope.get(base) if not number else None)
            if found is not None:
                return found
        raise self._unread(f"{name}, which is not defined before")

    # --- regions

    def _region(self, arguments: Sequence[Value] = ()) -> list[Block]:
        """Read the blocks between braces; the first may have arguments that stand before them."""
        self._take("{")
        self._labels.append({})
        blocks: list[Block] = []
        if not self._word.startswith("^"):
            blocks.append(Block(list(arguments)))
        while self._word != "}":
            if self._word.startswith("^"):
                blocks.append(self._labelled())
            else:
                blocks[-1].ops.append(self._op())
        self._take("}")
        if any(b not in blocks for b in self._labels.pop().values()):
            raise self._unread("a block that is not there")
        return blocks

    def _labelled(self) -> Block:
        block = self._block_of(self._next())
        if self._word == "(":
            block.arguments = self._typed_arguments()
        self._take(":")
        return block

    def _block_of(self, label: str) -> Block:
        return self._labels[-1].setdefault(label, Block([]))

    def _op(self) -> Op:
        names = self._results()
        name = self._next().strip('"')
        op = Op(name, [], [], [], {}, [], [], [], self._place)
        self._scopes.append({})
        typed = False
        while self._word != "loc":
            word = self._word
            if word == "<{" or (word == "{" and self._is_attributes()):
                op.attributes.update(_attributes(self._skip_group()))
            elif word == "{":
                if not op.regions:
                    self._type_entry(op)
                op.regions.append(self._region(() if op.regions else op.entry))
            elif word == "(" and self._ahead(1) == "{":
                self._at += 1
                while self._word != ")":
                    op.regions.append(self._region())
                    if self._word == ",":
                        self._at += 1
                self._take(")")
            elif typed and word.startswith("%"):
                typed = False  # operands behind attributes, as those of `tt.print`
            elif typed and word not in ("do", "else"):
                op.types.append(self._next())
            elif word == ":":
                typed = True
                self._at += 1
            else:
                self._head(op, word)
        self._scopes.pop()
        op.place = self._place = self._location()
        self._finish(op, names)
        self._end_regions(op)
        return op

    def _end_regions(self, op: Op) -> None:
        """Write down the `scf.yield` without values that is not printed."""
        if op.name not in ("scf.for", "scf.if"):
            return
        for blocks in op.regions:
            if len(blocks) != 1:
                raise self._unread(f"{op.name} with a region of several blocks")
            ops = blocks[0].ops
            if not ops or ops[-1].name != "scf.yield":
                ops.append(Op("scf.yield", [], [], [], {}, [], [], [], op.place))

    def _head(self, op: Op, word: str) -> None:
        """Take a word of the head, which may be a value that is used, or defined for a region."""
        if word.startswith("^"):
            target, passed = self._block_of(self._next()), []
            if self._word == "(":
                passed = [self._use(w) for w in self._skip_group() if w.startswith("%")]
            op.successors.append((target, passed))
            return
        if word == "->" and not op.regions:  # `-> (types)` of a loop or a branch
            self._at += 1
            types = self._skip_group() if self._word == "(" else [self._next()]
            op.types += [w for w in types if w != ","]
            return
        op.head.append(self._next())
        if not word.startswith("%"):
            return
        if self._word == "=" and op.name in ("scf.for", "scf.while"):
            op.entry.append(self._define(word, Shaped("none")))
        else:
            op.operands.append(self._use(word))

    def _type_entry(self, op: Op) -> None:
        """Give the values that a loop defines for its first region their types."""
        if not op.entry:
            return
        words = op.types
        try:
            if op.name == "scf.for":
                numbers = words[-1:] if len(words) > len(op.entry) - 1 else ["index"]
                types = [*types_of(numbers), *types_of(words[: len(op.entry) - 1])]
            else:
                types = types_of(w for w in words[: words.index("->")] if w not in ("(", ")"))
        except (Unread, ValueError) as unread:
            raise self._unread(f"the types of {op.name}: {unread}") from None
        if len(types) != len(op.entry):
            raise self._unread(f"{op.name} with {len(op.entry)} values of {len(types)} types")
        for value, type in zip(op.entry, types, strict=True):
            value.type = type

    def _results(self) -> list[tuple[str, int]]:
        """Read `%a, %b:2 =`, and return names with how many values each has."""
        found: list[tuple[str, int]] = []
        while self._word.startswith("%"):
            name, many = self._next(), 1
            if self._word == ":":
                self._at += 1
                many = int(self._next())
            found.append((name, many))
            self._take("=" if self._word == "=" else ",")
        return found

    def _is_attributes(self) -> bool:
        """Return whether a brace opens attributes, and no region."""
        first, second = self._ahead(1), self._ahead(2)
        return first == "}" or (first[:1] not in ("%", "^") and second in ("=", ",", "}"))

    def _finish(self, op: Op, names: list[tuple[str, int]]) -> None:
        wanted = sum(many for _, many in names)
        try:
            types = result_types(op, wanted)
        except (Unread, IndexError) as unread:
            raise self._unread(f"the types of {op.name}: {unread}") from None
        if len(types) != wanted:
            raise self._unread(f"{op.name} with {wanted} results of {len(types)} types")
        position = 0
        for name, many in names:
            for k in range(many):
                full = f"{name}#{k}" if many > 1 else name
                value = self._define(full, types[position], op, position)
                op.results.append(value)
                position += 1


def _joined(words: Sequence[str]) -> str:
    """Return words as the text that they were, so far as locations and attributes go."""
    text = " ".join(words)
    text = re.sub(r" ?([():\[\]]) ?", r"\1", text)
    return re.sub(r" ,", ",", text)


def _attributes(words: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    name, level, value = "", 0, list[str]()
    for word in [*words, ","]:
        level += (word in _OPEN) - (word in _CLOSE)
        if word == "," and not level:
            found[name.strip('"')] = " ".join(value)
            name, value = "", []
        elif not name:
            name = word
        elif word != "=" or value:
            value.append(word)
    found.pop("", None)
    return found


def _plain(name: str) -> str:
    """Return the name in the source of which the name of a value is made.

    >>> _plain("%offs_12"), _plain("%12"), _plain("%am#1")
    ('offs', 'v', 'am')
    """
    found = re.fullmatch(r"%([A-Za-z]\w*?)(?:_\d+)?(?:#\d+)?", name)
    return found[1] if found else "v"
