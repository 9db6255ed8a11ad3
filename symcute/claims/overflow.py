"""Index arithmetic that fits a machine's integers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar, NoReturn

from symcute.claims.base import Claim
from symcute.claims.formulas import Holds
from symcute.errors import InputError, TextError
from symcute.expr.expression import NO_DIMS, read_leaf
from symcute.expr.formula import Formula, all_of, le, lt
from symcute.expr.htuple import Leaf
from symcute.expr.parser import parse
from symcute.expr.syntax import Node
from symcute.expr.unparse import unparse
from symcute.layout.layout import Layout

__all__ = ["NoOverflow"]

#: The widest integer, and how many modes of a layout may have a stride whose sign is not evident.
MAX_BITS, MAX_SIGNS = 128, 6


@dataclass(frozen=True)
class NoOverflow(Claim):
    """Every intermediate of an index expression lies in [-2^(bits-1), 2^(bits-1)).

    The expression is text, because only text has an order of evaluation; names in it are dims, so
    that the ranges of loop variables are assumptions (`i >= 0`, `i < M`). Or a layout: then these
    are all products of coordinate and stride, and their partial sums in the order of the modes.
    Errors: InputError for anything else, and a width outside 1 to 128; TextError for text that is
    no expression in dims.

    >>> print(NoOverflow("i*LD + j"))
    no_overflow("i*LD + j", 32)
    >>> print(NoOverflow(Layout.parse("(M,N):(N,1)"), 8).parts()[0])
    -128 <= 0 and N-1 < 128 and -128 <= N*(M-1) and N*(M-1)+N-1 < 128
    """

    expression: Any
    bits: int = 32
    name: ClassVar[str] = "no_overflow"

    def __post_init__(self) -> None:
        """Check that there is an order of evaluation, and the width."""
        bits = self.bits
        if isinstance(bits, bool) or not isinstance(bits, int) or not 1 <= bits <= MAX_BITS:
            raise InputError(f"{bits!r} bits in no_overflow", f"give a width from 1 to {MAX_BITS}")
        if isinstance(self.expression, str):
            self._values_in_order()
            object.__setattr__(self, "expression", unparse(parse(self.expression)))
        elif not isinstance(self.expression, Layout):
            raise InputError(
                f"{self.expression!r} has no order of evaluation",
                'write the expression as text, no_overflow("i*LD + j", 32), or give a layout',
            )
        super().__post_init__()

    def words(self) -> str:
        """Return the claim as a sentence."""
        what = "offset arithmetic of" if isinstance(self.expression, Layout) else "computing"
        return f"{what} {self.expression} stays inside {self.bits}-bit signed integers"

    def dims(self) -> set[str]:
        """Return the names of the dims that occur, those that no offset depends on included."""
        if isinstance(self.expression, Layout):
            return self.expression.dims()
        return self._formula().dims()

    def leaves(self) -> tuple[Leaf, ...]:
        """Return every leaf of the layout, or every intermediate of the expression."""
        if isinstance(self.expression, Layout):
            return super().leaves()
        return tuple(self._values_in_order())

    def at(self, dims: Mapping[str, int] = NO_DIMS, /, **named: int) -> NoOverflow:
        """Return the claim at integer values of the dims."""
        dims = {**dims, **named}
        if isinstance(self.expression, Layout):
            return super().at(dims)
        return NoOverflow(unparse(_replaced(parse(self.expression), dims)), self.bits)

    def parts(self) -> tuple[Claim, ...]:
        """Return the bounds of every intermediate, as one formula."""
        return (Holds(self._formula()),)

    def _formula(self) -> Formula:
        limit = 1 << (self.bits - 1)
        if isinstance(self.expression, Layout):
            pairs = _extremes(self.expression)
        else:
            pairs = [(x, x) for x in self._values_in_order()]
        return all_of(*(f for low, high in pairs for f in (le(-limit, low), lt(high, limit))))

    def _values_in_order(self) -> list[Leaf]:
        text = self.expression
        found: dict[Node, Leaf] = {}
        for node in _in_order(parse(text)):
            if node not in found:
                found[node] = read_leaf(node, text, lambda n: _refuse(n, text))
        return list(found.values())


def _refuse(node: Node, text: str) -> NoReturn:
    raise TextError("expected an expression in dims", text, node.pos)


def _in_order(node: Node) -> list[Node]:
    """Return the numbers, names and operations of an expression, operands first."""
    if node.op == "neg" and isinstance(node.args[0], Node) and node.args[0].op == "int":
        return [node]  # -5 is a number
    inner = [x for part in node.args if isinstance(part, Node) for x in _in_order(part)]
    return inner if node.op == "paren" else [*inner, node]


def _replaced(node: Node, dims: Mapping[str, int]) -> Node:
    """Return the expression with its names replaced by numbers."""
    if node.op == "name":
        value = dims.get(str(node.args[0]))
        if value is None:
            return node
        number = Node("int", (abs(value),), node.pos, node.end)
        return number if value >= 0 else Node("neg", (number,), node.pos, node.end)
    args = tuple(_replaced(x, dims) if isinstance(x, Node) else x for x in node.args)
    return Node(node.op, args, node.pos, node.end)


def _extremes(layout: Layout) -> list[tuple[Leaf, Leaf]]:
    """Return pairs of which the first are the smallest offsets, the second the largest.

    Every product and partial sum is the offset of a coordinate that is 0 from there on, so the
    offsets are all there is. A mode whose stride is no number may be of either sign: each set of
    such modes gives a pair.
    """
    low: Leaf = 0
    high: Leaf = 0
    open_: list[Leaf] = []
    for s, d in layout.modes():
        if not isinstance(d, int):
            open_.append((s - 1) * d)
        elif d < 0:
            low = low + (s - 1) * d
        else:
            high = high + (s - 1) * d
    if len(open_) > MAX_SIGNS:
        raise InputError(
            f"{layout} has {len(open_)} strides that are no numbers",
            f"no_overflow takes at most {MAX_SIGNS}; write the expression as text",
        )
    pairs = []
    for chosen in product((0, 1), repeat=len(open_)):
        extra = sum((x for x, c in zip(open_, reversed(chosen), strict=True) if c), start=0)
        pairs.append((low + extra, high + extra))
    return pairs
