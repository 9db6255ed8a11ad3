"""Text to values: expressions, claims and assumptions in our grammar, read and computed.

`vocabulary.py` says which functions and claims there are. Nothing is ever evaluated as Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from difflib import get_close_matches
from typing import Any

from symcute.claims import Claim, Holds, Joined, PrintsAs, Statement
from symcute.claims.statement import written
from symcute.claims.vocabulary import CLAIMS, FUNCTIONS, Entry
from symcute.errors import InputError, SymcuteError, TextError
from symcute.expr.assumptions import Assumptions, Given, assuming
from symcute.expr.definedness import CONNECTIVES, RELATIONS, is_relation, of_operators
from symcute.expr.expression import FUNCTIONS as LEAF_FUNCTIONS
from symcute.expr.expression import is_symbolic, read, read_leaf
from symcute.expr.formula import Formula, all_of, any_of, implies, not_, read_formula
from symcute.expr.htuple import show
from symcute.expr.parser import parse
from symcute.expr.syntax import Node, bitwise, ungrouped
from symcute.expr.unparse import unparse
from symcute.hardware.access import Access
from symcute.layout.layout import Layout, read_layout
from symcute.layout.swizzle import (
    ComposedLayout,
    Swizzle,
    UnswizzledLayout,
)

__all__ = [
    "alternatives", "defined_at", "evaluate", "premises", "read_claim", "sense", "show_value",
]  # fmt: skip


def evaluate(text: str, given: Given = ()) -> Any:
    """Return the value of an expression: a leaf, a layout, a tuple, a formula, or a claim.

    Errors: TextError with the place; NotAdmissible or Undecided from the operations.

    >>> print(evaluate("logical_divide((256,512), (128,64))"))
    ((128,2),(64,8)):((1,128),(256,16384))
    >>> evaluate("size((M,N):(N,1))")
    M*N
    """
    node = bitwise(parse(text))
    with assuming(Assumptions.of(given)):
        return _Reader(text).value(node)


def defined_at(text: str, values: Mapping[str, int], given: Given = ()) -> None:
    """Refuse values of the dims at which an operator of an expression, as written, has no value.

    What the expression comes to may have one there: `(M/2)*(N/2)` comes to `M*N/4`.
    Errors: InputError; as `evaluate`.

    >>> defined_at("(M/2)*(N/2)", {"M": 1, "N": 4})
    Traceback (most recent call last):
    symcute.errors.InputError: M/2 has no value at M=1; give values at which it has one
    """
    node, reader = bitwise(parse(text)), _Reader(text)
    with assuming(Assumptions.of(given)):
        reader.value(node)
    for condition in of_operators(reader.marked(node, {}), text):
        names = condition.formula.dims()
        if not names <= values.keys():
            continue
        try:
            holds = condition.formula.holds(values)
        except InputError:
            holds = False
        if not holds:
            at = ", ".join(f"{name}={values[name]}" for name in sorted(names))
            what = f"{condition.source} has no value at {at}"
            raise InputError(what, "give values at which it has one")


def read_claim(text: str, given: Given = (), *, whole: str = "") -> Claim:
    """Return the claim that a text states; a relation between expressions is a claim too.

    Where the text is what `premises` took from a `whole`, an error has its place there.
    Errors: TextError when the text states nothing.

    >>> read_claim("size(4:2) == 4").words()
    '4 == 4 holds'
    """
    if whole and whole != text:
        try:
            return read_claim(text, given)
        except TextError as error:
            raise _placed(error, whole, given) from None
    node = bitwise(parse(text, what="claim"))
    reader = _Reader(text)
    with assuming(Assumptions.of(given)):
        value = reader.value(node)
    if isinstance(value, Formula):
        value = Holds(value)
    if not isinstance(value, Claim):
        names = ", ".join(CLAIMS)
        raise TextError(
            f"this is {show_value(value)}, not a claim",
            text,
            0,
            f"write a relation, such as size(A) == M*N, or one of {names}",
        )
    return value.stated(reader.statement(node, value))


def _placed(error: TextError, whole: str, given: Given) -> TextError:
    """Return an error in the claim behind premises as what reading it in its place says."""
    node, _ = _behind(whole)
    try:
        with assuming(Assumptions.of(given)):
            _Reader(whole).value(node)
    except TextError as found:
        return found
    return TextError(error.wrong, whole, node.pos, error.fix)


def premises(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a claim, and the relations behind which it stands, which are as if they were given.

    But that they have a value is asked, by `sense`.

    >>> premises("LD >= N implies injective((M,N):(LD,1))")
    ('injective((M,N):(LD,1))', ('LD >= N',))
    >>> premises("injective((M,N):(LD,1)) or LD < N")
    ('injective((M,N):(LD,1))', ('not LD < N',))

    Behind a relation they stay in the claim, and what they say that a dim is at least is given.

    >>> premises("k >= 0 and M == 1 implies M*k == k")
    ('k >= 0 and M == 1 implies M*k == k', ('k >= 0',))
    """
    node, found = _behind(text)
    return (unparse(node), tuple(found)) if found else (text, tuple(_lowered(text)))


def alternatives(text: str) -> str:
    """Return what may be true in place of the claim behind an `or`; nothing where there is none.

    >>> alternatives("injective((M,N):(LD,1)) or LD < N or LD == 0")
    'LD < N or LD == 0'
    >>> alternatives("N >= 2 or (LD < N implies injective((M,N):(LD,1)))")
    'N >= 2 or not LD < N'
    """
    node, found = ungrouped(bitwise(parse(text, what="claim"))), list[Node]()
    if node.op == "or":
        for op, said, _ in _steps(node):
            found += said if op == "or" else map(_denied, said)
    return " or ".join(map(unparse, found))


def sense(text: str) -> str:
    """Return what has to have a value before a claim, as a claim of relations; nothing without.

    >>> sense("N/2 >= 2 implies injective((M,N):(LD,1))"), sense("injective((M,N):(N,1))")
    ('(N/2 >= 2) implies (0 == 0)', '')
    >>> sense("N >= 2 or (LD < N implies injective((M,N):(LD,1)))")
    '(N >= 2) or ((LD < N) implies (0 == 0))'
    """
    steps = list(_steps(ungrouped(bitwise(parse(text, what="claim")))))
    found = "0 == 0" if steps else ""
    for op, said, _ in reversed(steps):
        found = f" {op} ".join(f"({x})" for x in (*map(unparse, said), found))
    return found


def _lowered(text: str) -> Iterator[str]:
    """Yield what the premises of a relation let dims be that are at least 1 else."""
    node = ungrouped(bitwise(parse(text, what="claim")))
    while node.op == "implies":
        premise, conclusion = (x for x in node.args if isinstance(x, Node))
        with suppress(SymcuteError):  # it is no relation of dims alone
            said = Assumptions.of(unparse(premise))
            bounds = ((n, said.lower_bound(n)) for n in sorted(said.dims()))
            yield from (f"{n} >= {bound}" for n, bound in bounds if bound < 1)
        node = ungrouped(conclusion)


def _behind(text: str) -> tuple[Node, list[str]]:
    """Return the tree of the claim behind the premises of a text, and these."""
    found: list[str] = []
    node = ungrouped(bitwise(parse(text, what="claim")))
    for op, said, left in _steps(node):
        found += [unparse(x if op == "implies" else _denied(x)) for x in said]
        node = left
    return node, found


def _steps(node: Node) -> Iterator[tuple[str, list[Node], Node]]:
    """Yield how relations stand before the one claim, from outside: by what, they, the rest."""
    while node.op in ("implies", "or"):
        parts = [x for x in node.args if isinstance(x, Node)]
        said = [x for x in parts if is_relation(x)]
        left = [x for x in parts if x not in said]
        if len(left) != 1 or (node.op == "implies" and left[0] is parts[0]):
            return
        op, node = node.op, ungrouped(left[0])
        yield op, said, node


def _denied(node: Node) -> Node:
    plain = ungrouped(node).op in RELATIONS
    inner = node if plain else Node("paren", (node,), node.pos, node.end)
    return Node("not", (inner,), node.pos, node.end)


#: What prints itself as our grammar writes it, also in a tuple.
_SHOWN = (Layout, ComposedLayout, UnswizzledLayout, Swizzle)


def show_value(value: Any) -> str:
    """Return a value as our grammar writes it."""
    if isinstance(value, tuple) and any(isinstance(x, _SHOWN) for x in value):
        return f"({','.join(show_value(x) for x in value)})"
    if isinstance(value, (Layout, ComposedLayout, Swizzle, Access, Formula, Claim)):
        return str(value)
    return show(value)


class _Reader:
    """Computes the value of a syntax tree; keeps the text for the places in messages."""

    def __init__(self, text: str) -> None:
        self.text = text
        #: What the operations came to, and which nodes are shapes that stand for layouts.
        self.results: dict[Node, Any] = {}
        self.shapes: set[int] = set()
        self.swizzled: set[int] = set()

    def value(self, node: Node) -> Any:
        return read(node, self.text, self._other)

    def statement(self, node: Node, claim: Claim) -> Statement:
        """Return the text as what states the claim that was read from it."""
        operations: dict[str, str] = {}
        if isinstance(claim, PrintsAs):
            # What is printed stands in the text twice: written, and as it was printed.
            node = ungrouped(node)
            value = next(x for x in node.args if isinstance(x, Node))
            return Statement(self.text, written(node), node, ((unparse(value), claim.printed()),))
        tree = self.marked(node, operations)
        return Statement(self.text, written(node), tree, tuple(operations.items()))

    def marked(self, node: Node, operations: dict[str, str]) -> Node:
        """Return a tree with the results of operations, which are added to `operations`.

        Inside an operation everything stays as it is written.
        """
        if node in self.results:
            text = operations.setdefault(unparse(node), show_value(self.results[node]))
            found = Node("result", (node, parse(text), text), node.pos, node.end)
        else:
            parts = (self.marked(x, operations) if isinstance(x, Node) else x for x in node.args)
            found = Node(node.op, tuple(parts), node.pos, node.end)
        return Node("shape", (found,), node.pos, node.end) if id(node) in self.shapes else found

    def _other(self, node: Node) -> Any:
        """Compute what is not leaf arithmetic."""
        if node.op == "layout":
            return read_layout(node, self.text, self._other)
        if node.op == "call" and node.args[0] == "pow2":
            return read_formula(node, self.text, self._other)
        if node.op in ("call", "apply"):
            if node not in self.results:
                value = self._call(node) if node.op == "call" else self._apply(node)
                if isinstance(value, (Claim, Access)) or id(node) in self.swizzled:
                    return value
                self.results[node] = value
            return self.results[node]
        if node.op in RELATIONS:
            return self._relation(node)
        if node.op in CONNECTIVES:
            return self._connective(node)
        if node.op == "text":
            return str(node.args[0])
        if node.op == "swizzle":
            return self._run(node, Swizzle, list(node.args))
        fix = "write exists i < N: ... as the whole claim, or behind implies"
        what = f"{node.op} cannot be computed with"
        raise TextError(what, self.text, node.pos, fix if node.op == "exists" else "")

    def _relation(self, node: Node) -> Formula:
        left, right = (self.value(ungrouped(x)) for x in node.args if isinstance(x, Node))
        tuples = node.op in ("eq", "ne") and tuple in (type(left), type(right))
        for side, value in zip(node.args, (left, right), strict=True):
            if not (tuples or _is_leaf(value)) and isinstance(side, Node):
                layout = isinstance(value, Layout)
                fix = "compare layouts with equal(A, B)" if layout else "write such as 4 or M*N"
                raise TextError("expected a number or an expression", self.text, side.pos, fix)
        return read_formula(node, self.text, self._other)

    def _connective(self, node: Node) -> Formula | Claim:
        parts = []
        for x in node.args:
            if isinstance(x, Node):
                parts.append(self.value(ungrouped(x)))
                if not isinstance(parts[-1], (Formula, Claim)):
                    fix = "join relations and claims"
                    raise TextError("expected a relation such as M <= N", self.text, x.pos, fix)
        if any(isinstance(x, Claim) for x in parts):
            joined = (Holds(x) if isinstance(x, Formula) else x for x in parts)
            return Joined(tuple(joined), node.op)
        if node.op == "and":
            return all_of(*parts)
        if node.op == "or":
            return any_of(*parts)
        return not_(parts[0]) if node.op == "not" else implies(parts[0], parts[1])

    def _apply(self, node: Node) -> Any:
        callee, *args = (x for x in node.args if isinstance(x, Node))
        value = self.value(ungrouped(callee))
        if not isinstance(value, (Layout, ComposedLayout, UnswizzledLayout, Swizzle)):
            raise TextError("only a layout can be applied to a coordinate", self.text, node.pos)
        return self._run(
            node, value, [self.value(ungrouped(x) if len(args) == 1 else x) for x in args]
        )

    def _call(self, node: Node) -> Any:
        name, args = str(node.args[0]), [x for x in node.args[1:] if isinstance(x, Node)]
        if name == "composition" and len(args) == 2:
            swizzled = self._swizzled(node, *args)
            if swizzled is not None:
                if isinstance(swizzled, ComposedLayout):
                    self.swizzled.add(id(node))
                return swizzled
        entry = FUNCTIONS.get(name) or CLAIMS.get(name)
        if entry is None:
            close = get_close_matches(name, [*FUNCTIONS, *CLAIMS, *LEAF_FUNCTIONS], 1)
            fix = f"did you mean {close[0]}?" if close else "see symcute eval --help for the names"
            raise TextError(f"there is no function {name}", self.text, node.pos, fix)
        kinds = self._kinds(entry, name, len(args), node)
        return self._run(
            node, entry.function, [self._argument(k, x) for k, x in zip(kinds, args, strict=True)]
        )

    def _swizzled(
        self, node: Node, first: Node, last: Node
    ) -> ComposedLayout | UnswizzledLayout | None:
        """Compute `swizzle o layout`, `swizzle o offset o layout`, `layout o offset o swizzle`.

        None for other chains. An int between a layout and a swizzle is the offset that CuTe prints,
        no tiler.
        """
        offset: Any = 0
        middle = None
        if first.op == "call" and first.args[0] == "composition" and len(first.args) == 3:
            first, middle = (x for x in first.args[1:] if isinstance(x, Node))
            offset = self.value(ungrouped(middle))
        if last.op == "swizzle":
            if middle is None or first.op == "swizzle" or not _is_leaf(offset):
                return None
            layout = self._argument("L", first)
            return UnswizzledLayout(layout, offset, self.value(last))
        if first.op != "swizzle" or not _is_leaf(offset):
            return None
        parts = [self.value(first), offset, self._argument("L", last)]
        found: ComposedLayout = self._run(node, ComposedLayout, parts)
        return found

    def _kinds(self, entry: Entry, name: str, count: int, node: Node) -> str:
        needed, _, optional = entry.takes.partition("?")
        if needed.endswith("*"):
            needed = needed[:-1] + needed[-2] * max(0, count - len(needed) + 1)
        every = needed + optional
        if not len(needed) <= count <= len(every):
            raise TextError(
                f"{name} got {count} argument{'' if count == 1 else 's'}",
                self.text,
                node.pos,
                f"write {name}{entry.help}"
                if not entry.help.startswith(name)
                else f"write {entry.help}",
            )
        return every[:count]

    def _argument(self, kind: str, node: Node) -> Any:
        if node.op == "keyword":
            raise TextError(
                "arguments have no names here", self.text, node.pos, "give them in their order"
            )
        if kind == "X":
            return read_leaf(node, self.text, self._other)
        if kind == "W":
            return self._guard(node)
        value = self.value(node)
        if kind in "OMP" and isinstance(value, ComposedLayout):
            return value
        if isinstance(value, Swizzle):
            if kind in "MPV":
                return value
            raise self._expected(
                "a layout, not a swizzle", node, "write Sw<3,3,3> o 0 o (8,64):(64,1)"
            )
        if isinstance(value, UnswizzledLayout) and kind != "V":
            raise self._expected("a layout, which has coordinates", node, "leave the swizzle out")
        if isinstance(value, ComposedLayout) and kind in "LCT":
            raise self._expected("a layout without a swizzle", node, "leave the swizzle out")
        if kind in "LOM" and not isinstance(value, Layout):
            if _is_shape(value):
                self.shapes.add(id(node))
                return self._run(node, Layout, [value])
            raise self._expected("a layout such as (4,8):(8,1)", node, "write shape:stride")
        if kind == "Q" and not isinstance(value, str):
            raise self._expected('"text"', node, "put it in double quotes")
        if kind in "STP" and isinstance(value, (Formula, Claim, str)):
            raise self._expected("a layout, a shape or a tiler", node, "write such as (4,8):(8,1)")
        if kind == "R":
            rows = value if isinstance(value, tuple) else (value,)
            return tuple(row if isinstance(row, tuple) else (row,) for row in rows)
        return value

    def _expected(self, what: str, node: Node, fix: str) -> TextError:
        return TextError(f"expected {what}", self.text, node.pos, fix)

    def _guard(self, node: Node) -> tuple[Any, ...]:
        parts = [x for x in node.args[1:] if isinstance(x, Node)]
        if node.op != "call" or node.args[0] != "where" or len(parts) != 2:
            raise self._expected(
                "a guard",
                node,
                "write where((128,P):(1,128), M); a layout is one argument, shape:stride",
            )
        return tuple(self._argument(k, x) for k, x in zip("LX", parts, strict=True))

    def _run(self, node: Node, function: Callable[..., Any], args: list[Any]) -> Any:
        try:
            return function(*args)
        except TextError:
            raise
        except SymcuteError as error:
            if type(error) is InputError:
                raise TextError(error.what, self.text, node.pos, error.fix) from None
            raise


def _is_shape(value: Any) -> bool:
    if isinstance(value, tuple):
        return bool(value) and all(_is_shape(x) for x in value)
    return _is_leaf(value)


def _is_leaf(value: Any) -> bool:
    return (isinstance(value, int) and not isinstance(value, bool)) or is_symbolic(value)
