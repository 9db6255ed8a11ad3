"""Text to syntax trees: the grammar of layouts, expressions, assumptions and claims.

`parse` reads text into a `Node`, `unparse` writes a node as canonical text. Nothing here knows
what a layout is: names and shapes get their meaning from whoever walks the tree.

The work is split in three. A scanner cuts the text into tokens and settles what only the left
context can tell: `<` opens a tiler where a value is expected and compares after one, `>` closes
the tiler it is directly inside, `o` is composition after a value and a name elsewhere. A LALR
parser (grammar.lark) then needs no backtracking and no recursion, and one method of `_Builder`
for each rule makes the node.

The notation is CuTe's: https://docs.nvidia.com/cutlass (layouts, tilers, swizzles, `1@0` strides).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from symcute.errors import InputError, TextError

if TYPE_CHECKING:
    from lark import Lark, Token
    from lark.exceptions import UnexpectedToken

__all__ = [
    "MAX_DIGITS",
    "MAX_HEX_DIGITS",
    "MAX_LENGTH",
    "MAX_NESTING",
    "MAX_TREE_DEPTH",
    "Node",
    "parse",
    "swizzled",
    "ungrouped",
    "unparse",
]

#: Characters of one text.
MAX_LENGTH = 100_000
#: Brackets open at one place.
MAX_NESTING = 64
#: Nodes on a path from the root of a tree. Whoever walks a tree may recurse, and comparing two
#: nodes takes four frames a level of the thousand that Python has.
MAX_TREE_DEPTH = 128
#: Digits of a decimal number (Python itself stops at 4300).
MAX_DIGITS = 4_000
#: Digits of a hexadecimal number: such a number stays below MAX_DIGITS in decimal.
MAX_HEX_DIGITS = 3_200

# The middle of `a < b < c` is one node in two places, so chains inside chains can make a tree
# exponentially larger than its text; every other tree has at most one node a character.
_MAX_NODES = MAX_LENGTH


@dataclass(frozen=True, slots=True)
class Node:
    """A construct of the text: what it is, its parts, and where it stands.

    Two nodes are equal when they say the same thing, wherever they stand.

    | op | args |
    |---|---|
    | int, name, text | the value: an int, a str, the str between the quotes |
    | any | none: `_` |
    | paren | the one item in the parentheses |
    | tuple | the items of `(a,b)`, `(a,)`, `()` or `<a,b>` |
    | layout | shape, stride |
    | call | the name (a str), then the arguments; `A o B` is the call of composition |
    | apply | what is applied (not a bare name), then the arguments |
    | keyword | the name (a str), the value; only among arguments |
    | basis | the value, then the modes (ints): `2@1`, `1@0@1` |
    | swizzle | three ints |
    | neg, not | the operand |
    | add, sub, mul, div, floordiv, mod, pow, shl, shr | left, right |
    | eq, ne, le, lt, ge, gt, divides | left, right |
    | and, or | two or more items; `a < b < c` is the `and` of its links |
    | implies | the condition, the conclusion |

    >>> parse("M*2").args
    (Node(op='name', args=('M',), pos=0, end=1), Node(op='int', args=(2,), pos=2, end=3))
    """

    op: str
    args: tuple[Node | str | int, ...]
    #: Offset of the first character.
    pos: int = field(compare=False)
    #: Offset just past the last character.
    end: int = field(compare=False)


def parse(text: str, *, what: str = "expression") -> Node:
    """Return the syntax tree of the text.

    Pre-conditions: `what` names the kind of text ("expression", "layout", "assumption", "claim");
    only messages use it.
    Post-conditions: no path in the tree is longer than MAX_TREE_DEPTH, and
    `parse(unparse(parse(text))) == parse(text)`.
    Raises TextError where the text is not in the grammar or exceeds a limit, InputError where it
    is not a str.

    >>> parse("(4,2):(2,1)").op
    'layout'
    >>> parse("(4,", what="layout")
    Traceback (most recent call last):
    ...
    symcute.errors.TextError: in this layout: expected a number, a name, '(' or ')', found \
the end at column 4; close the '(' of column 1
    """
    if not isinstance(text, str):
        raise InputError(f"the {what} is a {type(text).__name__}", "give it as a str")
    if len(text) > MAX_LENGTH:
        raise TextError(
            f"this {what} is longer than {MAX_LENGTH} characters", text, MAX_LENGTH, "split it"
        )
    parser, unexpected = _machine()
    try:
        tree = cast(Node, parser.parse(text))
        _bound(tree)
    except unexpected as error:
        refusal = _explain(text, what, cast("UnexpectedToken", error))
    except _RefusedError as error:
        refusal = error
    else:
        return tree
    raise TextError(f"in this {what}: {refusal.what}", text, refusal.position, refusal.fix)


def ungrouped(node: Node) -> Node:
    """Return a tree without the parentheses around it."""
    while node.op == "paren" and isinstance(node.args[0], Node):
        node = node.args[0]
    return node


class _RefusedError(Exception):
    """What is wrong and where, before the text and its kind are known."""

    def __init__(self, what: str, position: int, fix: str) -> None:
        self.what = what
        self.position = position
        self.fix = fix
        super().__init__(what)


# --- the scanner ---------------------------------------------------------------------------------

_TOKEN = re.compile(
    r"""
      (?P<SPACE>   [ \t\r\n]+ )
    | (?P<NUMBER>  0[xX][0-9a-fA-F]+ (?:_[0-9a-fA-F]+)* | [0-9]+ (?:_[0-9]+)*
                 | _-?[0-9]+ (?![A-Za-z0-9_]) )
    | (?P<SWIZZLE> (?:Swizzle|Sw)(?=<)
                 | S(?=<-?[0-9]+,-?[0-9]+,-?[0-9]+> \s* (?: o\b | [^-+\w\s("<] | $ )) )
    | (?P<NAME>    [A-Za-z_][A-Za-z0-9_]* )
    | (?P<STRING>  "[^"\n]*" )
    | (?P<SIGN>    \*\* | // | << | >> | <= | >= | == | != | => | && | \|\| | [-+*/%<>()=:,@|!] )
    """,
    re.VERBOSE,
)

_SIGNS = {
    "**": "POW", "//": "FLOORDIV", "<<": "SHL", ">>": "SHR", "<=": "LE", ">=": "GE", "==": "EQ",
    "!=": "NE", "=>": "IMPLIES", "&&": "AND", "||": "OR", "-": "MINUS", "+": "PLUS", "*": "STAR",
    "/": "SLASH", "%": "PERCENT", "<": "LT", ">": "GT", "(": "LPAR", ")": "RPAR", "=": "ASSIGN",
    ":": "COLON", ",": "COMMA", "@": "AT", "|": "BAR", "!": "NOT",
}  # fmt: skip
_WORDS = {"and": "AND", "or": "OR", "not": "NOT", "implies": "IMPLIES", "_": "ANY"}
_ENDS_VALUE = frozenset({"NUMBER", "NAME", "STRING", "ANY", "RPAR", "RANGLE"})
_INSTEAD = {
    "≤": "<=", "≥": ">=", "≠": "!=", "∘": "o", "−": "-", "×": "*", "·": "*", "∧": "and",
    "∨": "or", "¬": "not", "⇒": "=>", "→": "=>", "∣": "|", "^": "**", ".": "integers only",
    "'": 'double quotes (")', "[": "( and )", "]": "( and )", "{": "( and )", "}": "( and )",
    ";": ",", "&": "&&",
}  # fmt: skip


class _Scanner:
    """Cuts a text into tokens (kind, start, end), lazily, left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        #: The brackets open so far: the character and its offset.
        self.open: list[tuple[str, int]] = []

    def __iter__(self) -> Iterator[tuple[str, int, int]]:
        position, after_value = 0, False
        while position < len(self.text):
            match = _TOKEN.match(self.text, position)
            if match is None:
                raise self._unknown(position)
            kind, end = match.lastgroup or "", match.end()
            if kind == "SIGN":
                kind, end = self._sign(match.group(), position, after_value)
            elif kind == "NAME":
                word = match.group()
                kind = "OF" if after_value and word == "o" else _WORDS.get(word, kind)
            elif kind == "NUMBER":
                _check_number(match.group(), position)
            elif kind == "STRING":
                self._check_string(match.group(), position)
            if kind != "SPACE":
                yield kind, position, end
                after_value = kind in _ENDS_VALUE
            position = end

    def _sign(self, sign: str, position: int, after_value: bool) -> tuple[str, int]:
        """Return the kind and the end of a sign, keeping count of the brackets."""
        inside = self.open[-1][0] if self.open else ""
        if sign == "(" or (sign[0] == "<" and not after_value):
            if len(self.open) == MAX_NESTING:
                raise _RefusedError(
                    f"brackets are nested more than {MAX_NESTING} deep", position, "nest them less"
                )
            self.open.append((sign[0], position))
            return ("LPAR" if sign == "(" else "LANGLE"), position + 1
        if sign[0] == ">" and inside == "<":
            self.open.pop()
            return "RANGLE", position + 1
        if sign == ")" and inside == "(":
            self.open.pop()
        return _SIGNS[sign], position + len(sign)

    def _check_string(self, string: str, position: int) -> None:
        if not string.isprintable():
            bad = next(k for k, character in enumerate(string) if not character.isprintable())
            raise self._unknown(position + bad)

    def _unknown(self, position: int) -> _RefusedError:
        character = self.text[position]
        if character == '"':
            return _RefusedError("this double quote is not closed", position, 'write the second "')
        if not character.isprintable():
            return _RefusedError(
                f"the character {character!a} cannot be used", position, "remove it"
            )
        if character.isalnum():
            fix = "names are made of the letters a-z and A-Z, digits and _"
            return _RefusedError(f"the letter '{character}' cannot be used", position, fix)
        instead = _INSTEAD.get(character)
        fix = f"write {instead}" if instead else "remove it"
        return _RefusedError(f"the character '{character}' means nothing here", position, fix)


def _check_number(number: str, position: int) -> None:
    digits = number.replace("_", "").removeprefix("-")
    if digits[:2] in ("0x", "0X"):
        size, limit = len(digits) - 2, MAX_HEX_DIGITS
    else:
        size, limit = len(digits), MAX_DIGITS
        if size > 1 and digits[0] == "0" and size <= limit:
            fix = f"write {digits.lstrip('0') or '0'}"
            raise _RefusedError("a number starts with 0", position, fix)
    if size > limit:
        raise _RefusedError(
            f"a number has {size} digits", position, f"numbers have at most {limit} digits"
        )


# --- the parser ----------------------------------------------------------------------------------


@cache
def _machine() -> tuple[Lark, type[Exception]]:
    """Return the parser and the error it raises (built once, when first needed)."""
    from lark import Lark, Token
    from lark.exceptions import UnexpectedToken
    from lark.lexer import Lexer

    class Tokens(Lexer):
        """The scanner as lark calls it."""

        def __init__(self, lexer_conf: object) -> None:
            """Take lark's configuration, which the scanner does without."""

        # lark's own signature takes its lexer state; with this one it passes the plain text.
        def lex(self, data: str) -> Iterator[Token]:  # type: ignore[override]
            for kind, start, end in _Scanner(data):
                yield Token(kind, data[start:end], start_pos=start, end_pos=end)

    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    builder = cast(Any, _Builder())
    return Lark(grammar, parser="lalr", lexer=Tokens, transformer=builder), UnexpectedToken


def _bound(tree: Node) -> None:
    """Refuse a tree that is too deep to recurse over, or too large."""
    seen = 0
    stack = [(tree, 1)]
    while stack:
        node, depth = stack.pop()
        seen += 1
        if depth > MAX_TREE_DEPTH:
            what = f"more than {MAX_TREE_DEPTH} operators and brackets inside one another"
            raise _RefusedError(what, node.pos, "group the terms in parentheses, or split it")
        if seen > _MAX_NODES:
            what = "chains of comparisons inside chains of comparisons"
            raise _RefusedError(what, tree.pos, "join two comparisons with and")
        stack.extend((part, depth + 1) for part in node.args if isinstance(part, Node))


_BINARY = {
    "PLUS": "add", "MINUS": "sub", "STAR": "mul", "SLASH": "div", "FLOORDIV": "floordiv",
    "PERCENT": "mod", "POW": "pow", "SHL": "shl", "SHR": "shr", "EQ": "eq", "NE": "ne",
    "LE": "le", "LT": "lt", "GE": "ge", "GT": "gt", "BAR": "divides",
}  # fmt: skip

_Parts = list["Node | Token"]


class _Builder:
    """Makes the node of each rule; a method has the name of its rule and takes the rule's parts."""

    def number(self, parts: _Parts) -> Node:
        found = _node("int", (abs(_value(parts[0])),), parts)
        return _node("neg", (found,), parts) if _word(parts[0]).startswith("_-") else found

    def name(self, parts: _Parts) -> Node:
        return _node("name", (_word(parts[0]),), parts)

    def string(self, parts: _Parts) -> Node:
        return _node("text", (_word(parts[0])[1:-1],), parts)

    def anything(self, parts: _Parts) -> Node:
        return _node("any", (), parts)

    def items(self, parts: _Parts) -> Node:
        return _node("tuple", _nodes(parts), parts)

    def paren(self, parts: _Parts) -> Node:
        return _node("paren", _nodes(parts), parts)

    def layout(self, parts: _Parts) -> Node:
        return _node("layout", _nodes(parts), parts)

    def swizzle(self, parts: _Parts) -> Node:
        words = "".join(map(_word, parts))
        start = words.index("<") + 1
        return _node("swizzle", tuple(map(_integer, words[start:-1].split(","))), parts)

    def basis(self, parts: _Parts) -> Node:
        modes = [_value(part) for part in parts[1:] if _kind(part) == "NUMBER"]
        if min(modes) < 0:
            raise _RefusedError("a mode is below 0", _start(parts[-1]), "modes count from 0")
        return _node("basis", (*_nodes(parts), *modes), parts)

    def keyword(self, parts: _Parts) -> Node:
        return _node("keyword", (_word(parts[0]), *_nodes(parts)), parts)

    def apply(self, parts: _Parts) -> Node:
        callee, *arguments = _nodes(parts)
        if callee.op == "tuple":
            fix = "write ',' or ':' before it, or parentheses round a layout: (S:D)(c)"
            raise _RefusedError("a tuple cannot be applied", _start(parts[1]), fix)
        if callee.op == "name":
            return _node("call", (*callee.args, *arguments), parts)
        return _node("apply", (callee, *arguments), parts)

    def compose(self, parts: _Parts) -> Node:
        return _node("call", ("composition", *_nodes(parts)), parts)

    def positive(self, parts: _Parts) -> Node:
        return _nodes(parts)[0]

    def negative(self, parts: _Parts) -> Node:
        return _node("neg", _nodes(parts), parts)

    def binary(self, parts: _Parts) -> Node:
        return _node(_BINARY[_kind(parts[1])], _nodes(parts), parts)

    def compare(self, parts: _Parts) -> Node:
        signs = parts[1::2]
        if len(signs) > 1 and any(_kind(sign) == "BAR" for sign in signs):
            fix = "join two facts with and"
            raise _RefusedError("'|' in a chain of comparisons", _start(signs[1]), fix)
        links = [self.binary(parts[k - 1 : k + 2]) for k in range(1, len(parts), 2)]
        return links[0] if len(links) == 1 else _node("and", tuple(links), parts)

    def deny(self, parts: _Parts) -> Node:
        return _node("not", _nodes(parts), parts)

    def both(self, parts: _Parts) -> Node:
        """Join the conditions, and the links of those that are chains, in one `and`."""
        items: list[Node | str | int] = []
        for node in _nodes(parts):
            items.extend(node.args if node.op == "and" else (node,))
        return _node("and", tuple(items), parts)

    def either(self, parts: _Parts) -> Node:
        return _node("or", _nodes(parts), parts)

    def implies(self, parts: _Parts) -> Node:
        return _node("implies", _nodes(parts), parts)


def _node(op: str, args: tuple[Node | str | int, ...], parts: _Parts) -> Node:
    last = parts[-1]
    end = last.end if isinstance(last, Node) else last.end_pos or 0
    return Node(op, args, _start(parts[0]), end)


def _nodes(parts: _Parts) -> tuple[Node, ...]:
    return tuple(part for part in parts if isinstance(part, Node))


def _start(part: Node | Token) -> int:
    return part.pos if isinstance(part, Node) else part.start_pos or 0


def _kind(part: Node | Token) -> str:
    return "" if isinstance(part, Node) else part.type


def _word(part: Node | Token) -> str:
    return "" if isinstance(part, Node) else str(part)


def _value(part: Node | Token) -> int:
    return _integer(_word(part))


def _integer(word: str) -> int:
    """Return the value of digits; `_8` and `_-1` are how CuTe prints what is part of a type."""
    if word.startswith("-_"):
        return -_integer(word[1:])
    return int(word.removeprefix("_"), 0)


# --- messages ------------------------------------------------------------------------------------

_OPERATORS = frozenset(_BINARY) | {"AND", "OR", "IMPLIES", "OF", "COLON", "AT"}
_CLOSERS = {"COMMA": "','", "RPAR": "')'", "RANGLE": "'>'", "$END": "the end"}
_STARTS_VALUE = frozenset({"NUMBER", "NAME", "STRING", "ANY", "SWIZZLE", "LPAR", "LANGLE", "NOT"})


def _explain(text: str, what: str, error: UnexpectedToken) -> _RefusedError:
    """Say in words what could have stood where the parser met a token that fits nowhere."""
    token = error.token
    at_end = token.type == "$END"
    position = len(text) if at_end else token.start_pos or 0
    possible = frozenset(cast(Any, error).interactive_parser.accepts())
    scanner = _Scanner(text)
    before = list(takewhile(lambda lexeme: lexeme[1] < position, scanner))
    # The parser may have closed a value already because of the token that it then refused; an
    # operator could still have followed it, but for the bare ints of a swizzle.
    if before and before[-1][0] in _ENDS_VALUE and possible not in ({"COMMA"}, {"RANGLE"}):
        possible |= _OPERATORS
    if at_end:
        found, fix = "the end", _how_to_end(scanner, before, what, possible)
    else:
        found = f"'{token}'" if len(token) <= 20 else f"'{token[:20]}...'"
        fix = _how_to_go_on(token.type, possible)
    return _RefusedError(f"expected {_expected(possible)}, found {found}", position, fix)


def _expected(possible: frozenset[str]) -> str:
    words = []
    if "NUMBER" in possible:
        words.append("a number")
        words += ["a name", "'('"] if "NAME" in possible else []
    elif possible & _OPERATORS:
        words.append("an operator")
    words += [word for kind, word in _CLOSERS.items() if kind in possible]
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _how_to_end(
    scanner: _Scanner, before: list[tuple[str, int, int]], what: str, possible: frozenset[str]
) -> str:
    if not before:
        return f"write the {what}"
    if scanner.open and possible & {"RPAR", "RANGLE"}:
        bracket, position = scanner.open[-1]
        return f"close the '{bracket}' of column {position + 1}"
    _, start, end = before[-1]
    return f"write what follows '{scanner.text[start:end]}'"


def _how_to_go_on(found: str, possible: frozenset[str]) -> str:
    after_value = "NUMBER" not in possible
    if found == "ASSIGN":
        return "write == to compare"
    if found == "COMMA" and "$END" in possible:
        return "put the items of a tuple in parentheses"
    if found == "COLON" and after_value:
        return "a layout has one ':', so put the inner layout in parentheses"
    if found in ("RPAR", "RANGLE") and after_value and not possible & {"RPAR", "RANGLE"}:
        return "remove it, or open the bracket that it closes"
    if found in _STARTS_VALUE and after_value:
        return "put an operator or ',' before it"
    return "remove it, or write what is missing before it"


# --- writing -------------------------------------------------------------------------------------

# How tightly a construct binds; a part that binds less than its place asks for gets parentheses.
_IMPLIES, _OR, _AND, _NOT, _COMPARE, _COMPOSED, _LAYOUT, _SHIFT, _SUM, _PRODUCT = range(10)
_SIGNED, _POWER, _OPERAND, _HEAD, _CALLEE = range(10, 15)

# sign, how tightly it binds, what its left and its right part must bind at least
_INFIX: dict[str, tuple[str, int, int, int]] = {
    "implies": (" implies ", _IMPLIES, _OR, _IMPLIES),
    **{
        op: (sign, _COMPARE, _COMPOSED, _COMPOSED)
        for op, sign in {
            "eq": " == ", "ne": " != ", "le": " <= ", "lt": " < ", "ge": " >= ", "gt": " > ",
            "divides": " | ",
        }.items()
    },
    "layout": (":", _LAYOUT, _SHIFT, _SHIFT),
    "shl": (" << ", _SHIFT, _SHIFT, _SUM),
    "shr": (" >> ", _SHIFT, _SHIFT, _SUM),
    "add": (" + ", _SUM, _SUM, _PRODUCT),
    "sub": (" - ", _SUM, _SUM, _PRODUCT),
    "mul": ("*", _PRODUCT, _PRODUCT, _SIGNED),
    "div": ("/", _PRODUCT, _PRODUCT, _SIGNED),
    "floordiv": ("//", _PRODUCT, _PRODUCT, _SIGNED),
    "mod": (" % ", _PRODUCT, _PRODUCT, _SIGNED),
    "pow": ("**", _POWER, _OPERAND, _SIGNED),
}  # fmt: skip

_LINKS = frozenset({"eq", "ne", "le", "lt", "ge", "gt"})

# A piece of the output: text, or a part with how tightly it must bind there.
_Piece = str | tuple["Node | str | int", int]


def unparse(node: Node) -> str:
    """Return the canonical text of a tree.

    Post-conditions: `parse(unparse(node)) == node` for each node that parse returns. A tree built
    by hand gets the parentheses it needs, and those are nodes when it is read again.
    Raises InputError where the tree has a node that no text gives.

    >>> unparse(parse("( 0x10, 2 ) : <1,16>  o 4:1"))
    'composition((16,2):(1,16), 4:1)'
    >>> unparse(parse("0<=i && i<N => !(N==0)"))
    '0 <= i < N implies not (N == 0)'
    """
    written: list[str] = []
    stack: list[_Piece] = [(node, _IMPLIES)]
    while stack:
        piece = stack.pop()
        if isinstance(piece, str):
            written.append(piece)
            continue
        part, needed = piece
        if not isinstance(part, Node):
            written.append(str(part))
            continue
        binds, pieces = _pieces(part)
        stack.extend(reversed(pieces if binds >= needed else ["(", *pieces, ")"]))
    return "".join(written)


def _pieces(node: Node) -> tuple[int, list[_Piece]]:
    """Return how tightly a construct binds, and its text with its parts still to be written."""
    if node.op in _INFIX:
        sign, binds, left, right = _INFIX[node.op]
        return binds, [(node.args[0], left), sign, (node.args[1], right)]
    writer = _WRITERS.get(node.op)
    if writer is None or (node.op == "text" and '"' in str(node.args[0])):
        raise InputError(f"no text gives the node {node.op} with {node.args!r}")
    return writer(node)


def _joined(parts: Iterable[Node | str | int], sign: str, needed: int) -> list[_Piece]:
    pieces: list[_Piece] = []
    for part in parts:
        pieces += [sign, (part, needed)] if pieces else [(part, needed)]
    return pieces


def _write_tuple(node: Node) -> tuple[int, list[_Piece]]:
    close = ",)" if len(node.args) == 1 else ")"
    # A tuple cannot be applied, but it can be scaled: `(2,3)@1` is for later stages to judge.
    return _HEAD, ["(", *_joined(node.args, ",", _IMPLIES), close]


def _write_and(node: Node) -> tuple[int, list[_Piece]]:
    links = [part for part in node.args if isinstance(part, Node) and part.op in _LINKS]
    if len(links) < len(node.args) or any(
        left.args[1] != right.args[0] for left, right in pairwise(links)
    ):
        return _AND, _joined(node.args, " and ", _NOT)
    pieces: list[_Piece] = [(links[0].args[0], _COMPOSED)]
    for link in links:
        pieces += [_INFIX[link.op][0], (link.args[1], _COMPOSED)]
    return _COMPARE, pieces


def _write_call(node: Node) -> tuple[int, list[_Piece]]:
    parts = swizzled(node)
    if parts:
        first, *others = parts
        return _COMPOSED, [(first, _HEAD), *(x for y in others for x in (" o ", (y, _LAYOUT)))]
    return _CALLEE, [(node.args[0], _CALLEE), "(", *_joined(node.args[1:], ", ", _IMPLIES), ")"]


def swizzled(node: Node) -> tuple[Node | str | int, ...]:
    """Return the parts of a swizzle after a layout, with or without an offset; else none.

    >>> len(swizzled(parse("Sw<3,3,3> o 0 o (8,64)"))), swizzled(parse("A o B"))
    (3, ())
    """
    if node.op != "call" or node.args[0] != "composition" or len(node.args) != 3:
        return ()
    first, last = node.args[1:]
    if not isinstance(first, Node) or (isinstance(last, Node) and last.op == "swizzle"):
        return ()
    if first.op == "swizzle":
        return first, last
    inner = swizzled(first)
    return (*inner, last) if len(inner) == 2 else ()


_WRITERS: dict[str, Callable[[Node], tuple[int, list[_Piece]]]] = {
    "int": lambda node: (_HEAD, [(node.args[0], 0)]),
    "name": lambda node: (_CALLEE, [(node.args[0], 0)]),
    "text": lambda node: (_OPERAND, [f'"{node.args[0]}"']),
    "any": lambda node: (_OPERAND, ["_"]),
    "paren": lambda node: (_CALLEE, ["(", (node.args[0], _IMPLIES), ")"]),
    "tuple": _write_tuple,
    "call": _write_call,
    "apply": _write_call,
    "keyword": lambda node: (_IMPLIES, [f"{node.args[0]}=", (node.args[1], _IMPLIES)]),
    "basis": lambda node: (_OPERAND, [(node.args[0], _HEAD), *(f"@{m}" for m in node.args[1:])]),
    "swizzle": lambda node: (_CALLEE, [f"Sw<{','.join(map(str, node.args))}>"]),
    "neg": lambda node: (_SIGNED, ["-", (node.args[0], _SIGNED)]),
    "not": lambda node: (_NOT, ["not ", (node.args[0], _NOT)]),
    "and": _write_and,
    "or": lambda node: (_OR, _joined(node.args, " or ", _AND)),
}
