"""Text to trees and back: the checker's own reading of claims, assumptions and hints."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

MAX_CHARACTERS, MAX_DEPTH, MAX_MODES, MAX_EXPONENT = 20_000, 150, 64, 64


class Refused(Exception):
    """Why a certificate is rejected."""


@dataclass(frozen=True, slots=True)
class Node:
    """A construct: `int`, `dim` and `text` with their value, else an operator and its operands."""

    op: str
    args: tuple[Any, ...]

    def __add__(self, other: Node | int) -> Node:
        return Node("add", (self, lit(other)))

    def __sub__(self, other: Node | int) -> Node:
        return Node("sub", (self, lit(other)))

    def __mul__(self, other: Node | int) -> Node:
        return Node("mul", (self, lit(other)))


#: The modes of a layout, flat: (extent, stride).
Modes: TypeAlias = tuple[tuple[Node, Node], ...]


def lit(value: Node | int) -> Node:
    """Return an int as a leaf."""
    return value if isinstance(value, Node) else Node("int", (value,))


def total(terms: Any) -> Node:
    """Return a sum."""
    found = lit(0)
    for x in terms:
        found = found + x
    return found


_TOKEN = re.compile(
    r"[ \t\r\n]*(?:(Sw<[0-9]{1,3},[0-9]{1,3},-?[0-9]{1,3}>|[0-9]+|"
    r'[A-Za-z_][A-Za-z0-9_]*|"[^"\n]*"|\*\*|//|[<>=!]=|[-+*/%<>():,|])|$)'
)
_RELATIONS = {"==": "eq", "!=": "ne", "<=": "le", "<": "lt", ">=": "ge", ">": "gt", "|": "divides"}
_INFIX = _RELATIONS | {"implies": "implies", "or": "or", "and": "and", ":": "layout", "+": "add"}
_INFIX |= {"-": "sub", "*": "mul", "/": "div", "//": "floor_div", "%": "mod", "**": "pow"}
_SIGNS = {name: sign for sign, name in _INFIX.items()}
#: How tightly an operator binds; a part that binds less than its place asks is in parentheses.
_LEVEL = {"implies": 0, "or": 1, "and": 2, "not": 3, "layout": 5, "add": 6, "sub": 6, "mul": 7}
_LEVEL |= dict.fromkeys(_RELATIONS.values(), 4) | {"div": 7, "neg": 8, "pow": 9}
_LEVEL |= {"floor_div": 7, "mod": 7}
#: The integer functions that are no polynomials, beside the quotient `div`.
ATOMS = ("floor_div", "ceil_div", "mod", "min", "max")


def parse(text: object) -> Node:
    """Return the tree of a text; parentheses stay in it, as tuples of one need them."""
    if not isinstance(text, str) or len(text) > MAX_CHARACTERS:
        raise Refused(f"{str(text)[:40]!r} is no text of at most {MAX_CHARACTERS} characters")
    parser = _Parser(text)
    tree = parser.expression(0)
    if parser.next:
        raise parser.unexpected(parser.next)
    stack: list[tuple[Any, int]] = [(tree, 0)]
    while stack:
        node, depth = stack.pop()
        if depth > MAX_DEPTH:
            raise Refused(f"{text[:40]!r} is nested too deeply")
        stack.extend((x, depth + 1) for x in node.args if isinstance(x, Node))
    return tree


class _Parser:
    """Precedence climbing over the words."""

    def __init__(self, text: str) -> None:
        self.text, self.end, self.next = text, 0, ""
        self.advance()

    def unexpected(self, word: str) -> Refused:
        return Refused(f"cannot read {self.text[:60]!r}: unexpected {word[:20] or 'end'!r}")

    def advance(self) -> str:
        word, match = self.next, _TOKEN.match(self.text, self.end)
        if match is None:
            raise self.unexpected(self.text[self.end :].strip())
        self.next, self.end = match[1] or "", match.end()
        return word

    def take(self, word: str) -> bool:
        return self.next == word and bool(self.advance())

    def expression(self, floor: int) -> Node:
        left = self.operand()
        while _LEVEL.get(op := _INFIX.get(self.next, ""), -1) >= floor:
            self.advance()
            level = _LEVEL[op]
            right = self.expression(level - 1 if op == "pow" else level + (op != "implies"))
            if level == 4 and left.op in ("and", *_RELATIONS.values()):  # a < b < c
                links = left.args if left.op == "and" else (left,)
                left = Node("and", (*links, Node(op, (links[-1].args[1], right))))
            elif op in ("and", "or") and left.op == op:
                left = Node(op, (*left.args, right))
            else:
                left = Node(op, (left, right))
        return left

    def operand(self) -> Node:
        word = self.advance()
        if word == "-":
            inner = self.expression(8)
            return lit(-inner.args[0]) if inner.op == "int" else Node("neg", (inner,))
        if word == "not":
            return Node("not", (self.expression(3),))
        if word == "(":
            items, bare = self.items()
            return Node("paren" if bare and len(items) == 1 else "tuple", items)
        if word.isdigit():
            return lit(int(word))
        if word[:1] == '"':
            return Node("text", (word[1:-1],))
        if word[:3] == "Sw<":
            return Node("swizzled", (*map(int, word[3:-1].split(",")), *self.turned()))
        if not word.isidentifier() or word in ("and", "or", "implies"):
            raise self.unexpected(word)
        return Node("call", (word, *self.items()[0])) if self.take("(") else Node("dim", (word,))

    def turned(self) -> Iterator[Node]:
        """Yield the offset and the layout behind a swizzle."""
        for floor in (6, 5):
            if not self.take("o"):
                raise self.unexpected(self.next)
            yield self.expression(floor)

    def items(self) -> tuple[tuple[Node, ...], bool]:
        """Return what stands up to the closing parenthesis, and whether no comma ends it."""
        found: list[Node] = []
        comma = True
        while not self.take(")"):
            if not comma:
                raise self.unexpected(self.next)
            found.append(self.expression(0))
            comma = self.take(",")
        return tuple(found), not comma


def strip(node: Node) -> Node:
    """Return a tree without the parentheses around it."""
    return strip(node.args[0]) if node.op == "paren" else node


def leaf(node: Node) -> Node:
    """Return the expression that a tree stands for."""
    node = strip(node)
    op, args = node.op, node.args
    if op in ("int", "dim"):
        return node
    if op == "call" and args[0] in ATOMS and len(args) == 3:
        op, args = args[0], args[1:]
    if op not in (*ATOMS, "add", "sub", "mul", "div", "neg", "pow"):
        raise Refused(f"{show(node)} is no expression")
    found = tuple(leaf(x) for x in args)
    power = found[1] if op == "pow" else lit(0)
    if power.op != "int" or not 0 <= power.args[0] <= MAX_EXPONENT:
        raise Refused(f"the exponent of {show(node)} is not a number from 0 to {MAX_EXPONENT}")
    return Node(op, found)


def htuple(node: Node) -> Any:
    """Return nested tuples of leaves; a parenthesis standing alone is a tuple of one."""
    return tuple(map(htuple, node.args)) if node.op in ("tuple", "paren") else leaf(node)


def flat(item: Any) -> list[Node]:
    """Return the leaves of nested tuples."""
    return [item] if isinstance(item, Node) else [x for part in item for x in flat(part)]


def modes(node: Node) -> Modes:
    """Return the modes of a layout."""
    if node.op != "layout":
        raise Refused(f"{show(node)} is no layout")
    left, right = node.args
    if (left.op == "paren") != (right.op == "paren"):
        left, right = strip(left), strip(right)  # `(M*N):1` groups, `(8):(1)` has rank-1 tuples
    shape, stride = htuple(left), htuple(right)
    if not _congruent(shape, stride) or len(flat(shape)) > MAX_MODES:
        raise Refused(f"shape and stride of {show(node)} differ in their hierarchy, or are long")
    return tuple(zip(flat(shape), flat(stride), strict=True))


def _congruent(a: Any, b: Any) -> bool:
    if isinstance(a, Node) or isinstance(b, Node):
        return isinstance(a, Node) and isinstance(b, Node)
    return len(a) == len(b) and all(map(_congruent, a, b))


def formula(node: Node) -> Node:
    """Return the formula of a tree; `x % c == 0` says that c is not 0 and divides x."""
    node = strip(node)
    if node.op in ("and", "or", "not", "implies"):
        parts = [formula(x) for x in node.args]
        return conjunction(parts) if node.op == "and" else Node(node.op, tuple(parts))
    if node.op not in _RELATIONS.values():
        raise Refused(f"{show(node)} is no formula")
    a, b = (leaf(x) for x in node.args)
    if node.op == "eq" and a.op == "mod" and b == lit(0):
        if a.args[1] == lit(0):
            raise Refused(f"{show(node)} divides by 0")
        return Node("divides", a.args[::-1])
    return Node({"ge": "le", "gt": "lt"}[node.op], (b, a)) if node.op in ("ge", "gt") else Node(
        node.op, (a, b))  # fmt: skip


def conjunction(parts: list[Node]) -> Node:
    """Return the flat conjunction; of one part that part, of none what is true."""
    found = tuple(y for x in parts for y in (x.args if x.op == "and" else (x,)))
    return found[0] if len(found) == 1 else Node("and", found)


def names(node: Node) -> Iterator[str]:
    """Yield the dims in a tree."""
    if node.op == "dim":
        yield node.args[0]
    for x in (parse(node.args[0]),) if node.op == "text" else node.args:
        if isinstance(x, Node):
            yield from names(x)


def show(node: Node, place: int = 0) -> str:
    """Return a tree as text."""
    op, args = node.op, node.args
    if op in ("int", "dim", "text"):
        return f'"{args[0]}"' if op == "text" else str(args[0])
    if op in ("paren", "tuple"):
        return f"({','.join(map(show, args))}{',' if op == 'tuple' and len(args) == 1 else ''})"
    if op == "swizzled":
        b, m, s, offset, layout = args
        return f"Sw<{b},{m},{s}> o {show(offset, 6)} o {show(layout, 5)}"
    if op in ("call", "ceil_div", "min", "max"):
        head, parts = (args[0], args[1:]) if op == "call" else (op, args)
        return f"{head}({', '.join(map(show, parts))})"
    level = _LEVEL[op]
    if op in ("not", "neg"):
        text = ("not " if op == "not" else "-") + show(args[0], level + (op == "not"))
    else:
        sign = _SIGNS[op] if op in ("layout", "pow", "mul", "div") else f" {_SIGNS[op]} "
        right = op in ("implies", "pow")  # these group from the right
        places = [level + (level in (1, 2, 4, 5) or right != (k > 0)) - (k > 0 and right)
                  for k in range(len(args))]  # fmt: skip
        text = sign.join(map(show, args, places)) or "true"
    return f"({text})" if level < place else text
