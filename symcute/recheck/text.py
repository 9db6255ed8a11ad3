"""Text to trees and back: a reading of claims and assumptions that is not the prover's.

Beside the operators of terms a tree has `text` with its value, `paren`, `tuple`, `call` and more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from symcute.checker.terms import ATOMS, MAX_EXPONENT, Node, Refused, lit
from symcute.checker.values import Undefined, number

MAX_CHARACTERS, MAX_DEPTH, MAX_SHIFT = 20_000, 150, 4096

_TOKEN = re.compile(
    r"[ \t\r\n]*(?:(Sw<[0-9]{1,3},[0-9]{1,3},-?[0-9]{1,3}>|[0-9]+|"
    r'[A-Za-z_][A-Za-z0-9_]*|"[^"\n]*"|\*\*|//|<<|>>|[<>=!]=|[-+*/%<>():,|@])|$)'
)
_NAME = re.compile("(?!_m?[0-9]+$)[A-Za-z_][A-Za-z0-9_]*")
_RELATIONS = {"==": "eq", "!=": "ne", "<=": "le", "<": "lt", ">=": "ge", ">": "gt", "|": "divides"}
_INFIX = _RELATIONS | {"implies": "implies", "or": "or", "and": "and", ":": "layout", "+": "add"}
_INFIX |= {"-": "sub", "*": "mul", "/": "div", "//": "floor_div", "%": "mod", "**": "pow"}
_INFIX |= {"<<": "shl", ">>": "shr"}
_SIGNS = {name: sign for sign, name in _INFIX.items()}
#: How tightly an operator binds; a part that binds less than its place asks is in parentheses.
_LEVEL = {"implies": 0, "or": 1, "and": 2, "not": 3, "layout": 5, "shl": 6, "shr": 6, "add": 7}
_LEVEL |= dict.fromkeys(_RELATIONS.values(), 4) | dict.fromkeys(("mul", "div", "mod"), 8)
_LEVEL |= {"sub": 7, "floor_div": 8, "neg": 9, "pow": 10}


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
        found = self.simple()
        while self.next in ("(", "@"):
            if self.take("("):  # a layout at a coordinate
                if found.op not in ("paren", "call", "apply", "swizzle"):
                    raise self.unexpected("(")
                found = Node("apply", (found, *self.items()[0]))
            else:
                self.advance()
                found = Node("basis", (found, Node("text", (self.advance(),))))
        return found

    def simple(self) -> Node:
        word = self.advance()
        if word == "-":
            inner = self.expression(_LEVEL["neg"])
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
            fields = tuple(map(int, word[3:-1].split(",")))
            return Node("swizzled", (*fields, *self.turned())) if self.next == "o" else Node(
                "swizzle", fields)  # fmt: skip
        if word == "_":
            return Node("any", ())
        # `_8` and `_m1` are how CuTe writes numbers: elsewhere they are read as such.
        if not _NAME.fullmatch(word) or word in ("and", "or", "implies"):
            raise self.unexpected(word)
        return Node("call", (word, *self.items()[0])) if self.take("(") else Node("dim", (word,))

    def turned(self) -> tuple[Node, ...]:
        """Return the offset, 0 where none is written, and the layout behind a swizzle."""
        found: list[Node] = []
        while len(found) < 2 and self.take("o"):
            found.append(self.expression(_LEVEL["layout"]))
        return tuple(found) if len(found) == 2 else (lit(0), *found)

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
    """Return a tree without the parentheses around it; of an operation what it came to."""
    return strip(node.args[-1]) if node.op in ("paren", "result") else node


def leaf(node: Node) -> Node:
    """Return the expression that a tree stands for."""
    node = strip(node)
    op, args = node.op, node.args
    if op in ("int", "dim"):
        return node
    if op == "call" and args[0] in ATOMS and len(args) == 3:
        op, args = args[0], args[1:]
    if op in ("shl", "shr"):
        op, args = "mul" if op == "shl" else "floor_div", (args[0], _shift(args[1]))
    if op not in (*ATOMS, "add", "sub", "mul", "div", "neg", "pow"):
        raise Refused(f"{show(node)} is no expression")
    found = tuple(leaf(x) for x in args)
    if op == "pow":
        k = _number(found[1])
        if k is None or not 0 <= k <= MAX_EXPONENT:
            raise Refused(f"the exponent of {show(node)} is not a number from 0 to {MAX_EXPONENT}")
        found = found[0], lit(k)
    return Node(op, found)


def _shift(count: Node) -> Node:
    """Return 2 to a power that is a number."""
    k = _number(leaf(count))
    if k is None or not 0 <= k <= MAX_SHIFT:
        raise Refused(f"a shift by {show(count)} is not one by a number up to {MAX_SHIFT}")
    return lit(1 << k)


def _number(x: Node) -> int | None:
    """Return what an expression of numbers is; None with dims, without a value, or far too long."""
    try:
        return number(x, {})
    except (Undefined, KeyError):
        return None


def htuple(node: Node) -> Any:
    """Return nested tuples of leaves; a parenthesis standing alone is a tuple of one."""
    if node.op == "result":
        return htuple(node.args[1])
    return tuple(map(htuple, node.args)) if node.op in ("tuple", "paren") else leaf(node)


def names(node: Node) -> Iterator[str]:
    """Yield the dims in a tree; of quoted text that of an expression counts."""
    if node.op == "dim":
        yield node.args[0]
    for x in _quoted(node) or node.args:
        if isinstance(x, Node):
            yield from names(x)


def _quoted(node: Node) -> tuple[Node, ...]:
    """Return the expression that a claim about index arithmetic quotes, and what stands behind."""
    first = node.args[1] if node.op == "call" and len(node.args) > 1 else None
    quotes = isinstance(first, Node) and first.op == "text" and node.args[0] == "no_overflow"
    return (parse(first.args[0]), *node.args[2:]) if first is not None and quotes else ()


def show(node: Node, place: int = 0) -> str:
    """Return a tree as text."""
    op, args = node.op, node.args
    if op in ("int", "dim", "text"):
        return f'"{args[0]}"' if op == "text" else str(args[0])
    if op in ("paren", "tuple"):
        return f"({','.join(map(show, args))}{',' if op == 'tuple' and len(args) == 1 else ''})"
    if op == "result":
        return show(args[0], place)
    if op == "basis":
        return f"{show(args[0], 11)}@{args[1].args[0]}"
    if op in ("any", "swizzle"):
        return "_" if op == "any" else f"Sw<{','.join(map(str, args))}>"
    if op == "swizzled":
        b, m, s, offset, layout = args
        found = f"Sw<{b},{m},{s}> o {show(offset, 5)} o {show(layout, 5)}"
        return f"({found})" if place > 4 else found
    if op == "apply":
        return f"{show(args[0], 11)}({', '.join(map(show, args[1:]))})"
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
