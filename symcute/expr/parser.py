"""Text to syntax trees: the grammar of layouts, expressions, assumptions and claims.

The scanner cuts the text into tokens, `lalr.py` finds the rules (of grammar.lark) that they make
up, and one method of `_Builder` for each rule makes the node.
"""

from __future__ import annotations

from functools import lru_cache

from symcute.errors import InputError, TextError
from symcute.expr import pasted
from symcute.expr.lalr import Token, Unexpected, run
from symcute.expr.refusals import BINARY, BITWISE, explain
from symcute.expr.scanner import Refusal, Scanner
from symcute.expr.syntax import Node, ungrouped

__all__ = ["MAX_LENGTH", "MAX_TREE_DEPTH", "parse"]

#: Characters of one text.
MAX_LENGTH = 100_000
#: Nodes on a path from the root of a tree. Whoever walks a tree may recurse, and comparing two
#: nodes takes four frames a level of the thousand that Python has.
MAX_TREE_DEPTH = 128

# The middle of `a < b < c` is one node in two places, so chains inside chains can make a tree
# exponentially larger than its text; every other tree has at most one node a character.
_MAX_NODES = MAX_LENGTH


def parse(text: str, *, what: str = "expression") -> Node:
    """Return the syntax tree of the text.

    Pre-conditions: `what` names the kind of text ("expression", "layout", "assumption", "claim");
    only messages use it.
    Post-conditions: no path in the tree is longer than MAX_TREE_DEPTH, and
    `parse(unparse(parse(text))) == parse(text)`, but for parentheses that pasted text did without.
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
    try:
        return _parsed(text)
    except Unexpected as error:
        refusal = explain(text, what, error)
    except Refusal as error:
        refusal = error
    raise TextError(f"in this {what}: {refusal.what}", text, refusal.position, refusal.fix)


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Node:
    tokens = (Token(kind, text[start:end], start, end) for kind, start, end in Scanner(text))
    tree: Node = run(tokens, len(text), _BUILDER)
    _bound(tree)
    return tree


def _bound(tree: Node) -> None:
    """Refuse a tree that is too deep to recurse over, or too large."""
    seen = 0
    stack = [(tree, 1)]
    while stack:
        node, depth = stack.pop()
        seen += 1
        if depth > MAX_TREE_DEPTH:
            what = f"more than {MAX_TREE_DEPTH} operators and brackets inside one another"
            raise Refusal(what, node.pos, "group the terms in parentheses, or split it")
        if seen > _MAX_NODES:
            what = "chains of comparisons inside chains of comparisons"
            raise Refusal(what, tree.pos, "join two comparisons with and")
        stack.extend((part, depth + 1) for part in node.args if isinstance(part, Node))


_Parts = list[Node | Token]


class _Builder:
    """Makes the node of each rule; a method has the name of its rule and takes the rule's parts."""

    def number(self, parts: _Parts) -> Node:
        found = _node("int", (abs(_value(parts[0])),), parts)
        return _node("neg", (found,), parts) if _word(parts[0])[:2] in ("_-", "_m") else found

    def name(self, parts: _Parts) -> Node:
        return _node("name", (_word(parts[0]).rpartition(".")[2],), parts)

    def template(self, parts: _Parts) -> Node:
        return pasted.template(_word(parts[0]), _nodes(parts), *_span(parts))

    def pointer(self, parts: _Parts) -> Node:
        return pasted.pointer(_word(parts[0]), *_span(parts))

    def triton(self, parts: _Parts) -> Node:
        return pasted.triton(_word(parts[0]), *_span(parts))

    def string(self, parts: _Parts) -> Node:
        return _node("text", (_word(parts[0])[1:-1],), parts)

    def anything(self, parts: _Parts) -> Node:
        return _node("any", (), parts)

    def items(self, parts: _Parts) -> Node:
        if _word(parts[0]).startswith("torch"):
            return _node("call", ("torch.Size", _node("tuple", _nodes(parts), parts)), parts)
        return pasted.size_and_stride(_nodes(parts), *_span(parts)) or _node(
            "tuple", _nodes(parts), parts
        )

    def paren(self, parts: _Parts) -> Node:
        if _word(parts[0]).startswith("torch"):
            return self.items(parts)
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
            raise Refusal("a mode is below 0", parts[-1].pos, "modes count from 0")
        return _node("basis", (*_nodes(parts), *modes), parts)

    def keyword(self, parts: _Parts) -> Node:
        return _node("keyword", (_word(parts[0]), *_nodes(parts)), parts)

    def apply(self, parts: _Parts) -> Node:
        callee, *arguments = _nodes(parts)
        name = str(callee.args[0]) if callee.op == "name" else ""
        if callee.end - callee.pos > len(name) > 0:  # `cute.make_layout`: Python
            arguments = [pasted.grouped(x) for x in arguments]
        made = pasted.applied(callee, arguments, *_span(parts))
        made = made or pasted.call(name, arguments, *_span(parts))
        if made is not None:
            return made
        if callee.op == "tuple":
            fix = "write ',' or ':' before it, or parentheses round a layout: (S:D)(c)"
            raise Refusal("a tuple cannot be applied", parts[1].pos, fix)
        if callee.op == "name":
            return _node("call", (*callee.args, *arguments), parts)
        return _node("apply", (callee, *arguments), parts)

    def compose(self, parts: _Parts) -> Node:
        left, right = _nodes(parts)
        return pasted.composed(left, right, *_span(parts))

    def positive(self, parts: _Parts) -> Node:
        return _nodes(parts)[0]

    def negative(self, parts: _Parts) -> Node:
        return _node("neg", _nodes(parts), parts)

    def inverted(self, parts: _Parts) -> Node:
        return _node("call", ("bit_not", *map(ungrouped, _nodes(parts))), parts)

    def entry(self, parts: _Parts) -> Node:
        return _node("entry", (_word(parts[0]), *_nodes(parts)), parts)

    def exists(self, parts: _Parts) -> Node:
        return _node("exists", (_word(parts[1]), *_nodes(parts)), parts)

    def binary(self, parts: _Parts) -> Node:
        if _kind(parts[1]) in BITWISE:
            sides = map(ungrouped, _nodes(parts))
            return _node("call", (BITWISE[_kind(parts[1])], *sides), parts)
        return _node(BINARY[_kind(parts[1])], _nodes(parts), parts)

    def compare(self, parts: _Parts) -> Node:
        signs = parts[1::2]
        if len(signs) > 1 and any(_kind(sign) == "BAR" for sign in signs):
            fix = "join two facts with and"
            raise Refusal("'|' in a chain of comparisons", signs[1].pos, fix)
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


_BUILDER = _Builder()


def _node(op: str, args: tuple[Node | str | int, ...], parts: _Parts) -> Node:
    return Node(op, args, *_span(parts))


def _span(parts: _Parts) -> tuple[int, int]:
    return parts[0].pos, parts[-1].end


def _nodes(parts: _Parts) -> tuple[Node, ...]:
    return tuple(part for part in parts if isinstance(part, Node))


def _kind(part: Node | Token) -> str:
    return "" if isinstance(part, Node) else part.kind


def _word(part: Node | Token) -> str:
    return "" if isinstance(part, Node) else part.word


def _value(part: Node | Token) -> int:
    return _integer(_word(part))


def _integer(word: str) -> int:
    """Return the value of digits; `_8` and `_-1` are how CuTe prints what is part of a type."""
    if word.startswith("-_"):
        return -_integer(word[1:])
    return int(word.removeprefix("_").replace("m", "-"), 0)
