"""Text to values: expressions, claims and assumptions in our grammar, read and computed.

The grammar is in `text.py`; here are the tables of functions and claims that text can name. Nothing
is ever evaluated as Python.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from symcute import claims
from symcute.claims import Claim, Holds, PrintsAs, Statement
from symcute.claims.statement import written
from symcute.errors import InputError, SymcuteError, TextError
from symcute.expr.assumptions import Assumptions, Given, assuming
from symcute.expr.basis import make_basis_like
from symcute.expr.expression import FUNCTIONS as LEAF_FUNCTIONS
from symcute.expr.expression import is_symbolic, read, read_leaf
from symcute.expr.formula import Formula, all_of, any_of, implies, not_, read_formula
from symcute.expr.htuple import show
from symcute.expr.parser import parse
from symcute.expr.syntax import Node, ungrouped
from symcute.expr.unparse import unparse
from symcute.hardware.access import Access
from symcute.layout import algebra, atoms, measures, slices, tv
from symcute.layout import coordinates as evaluation
from symcute.layout import layout as layouts
from symcute.layout.algebra.alignment import max_alignment
from symcute.layout.layout import Layout, read_layout
from symcute.layout.swizzle import (
    ComposedLayout,
    Swizzle,
    UnswizzledLayout,
    get_nonswizzle_portion,
    get_swizzle_portion,
)

__all__ = ["CLAIMS", "FUNCTIONS", "evaluate", "read_claim", "show_value"]


@dataclass(frozen=True)
class Entry:
    """A function that text can call; `takes` has a letter a parameter, `*` repeats, `?` is
    optional.

    L layout (a bare shape stands for its column-major layout), O the same or a swizzled layout,
    M the same or a swizzle, S shape or layout, T tiler, P the same, a swizzled layout or a swizzle,
    X leaf, C coordinate, V any value, Q quoted text, R rows, W guard `where(layout, bound)`.
    """

    function: Callable[..., Any]
    takes: str
    help: str


_MODES = "(layout) or (layout, 1, 0) for a mode"

FUNCTIONS: dict[str, Entry] = {
    "make_layout": Entry(layouts.make_layout, "V*", "make_layout((4,8), (8,1))"),
    "make_ordered_layout": Entry(algebra.make_ordered_layout, "VV", "(shape, order)"),
    "make_identity_layout": Entry(algebra.make_identity_layout, "S", "(shape)"),
    "make_layout_like": Entry(algebra.make_layout_like, "L", "(layout)"),
    "make_fragment_like": Entry(algebra.make_fragment_like, "S", "(layout or shape)"),
    "make_basis_like": Entry(make_basis_like, "V", "(shape)"),
    "compact_major": Entry(algebra.compact_major, "VQ?V", '(shape, "right")'),
    "compact_order": Entry(algebra.compact_order, "VV", '(shape, order) or (shape, "right")'),
    "shape": Entry(measures.shape, "O?XXXX", _MODES),
    "stride": Entry(measures.stride, "L?XXXX", _MODES),
    "size": Entry(measures.size, "S?XXXX", _MODES),
    "rank": Entry(measures.rank, "S?XXXX", _MODES),
    "depth": Entry(measures.depth, "S?XXXX", _MODES),
    "cosize": Entry(measures.cosize, "O?XXXX", _MODES),
    "coshape": Entry(measures.coshape, "L?XXXX", _MODES),
    "get": Entry(algebra.get, "O?XXXX", "(layout, 1, 0): CuTe's layout<1,0>"),
    "take": Entry(algebra.take, "OXX", "(layout, 0, 2)"),
    "select": Entry(algebra.select, "OX*", "(layout, 1, 0)"),
    "group": Entry(algebra.group, "OX?X", "(layout, 0, 2)"),
    "append": Entry(algebra.append, "O?VV", "(layout), (layout, 4) or (layout, 4, x)"),
    "prepend": Entry(algebra.prepend, "O?VV", "(layout), (layout, 4) or (layout, 4, x)"),
    "replace": Entry(algebra.replace, "OXL", "(layout, 1, x)"),
    "zip": Entry(algebra.zip_, "O*", "(A, B)"),
    "tile_unzip": Entry(algebra.tile_unzip, "OT", "(layout, tiler)"),
    "flatten": Entry(algebra.flatten, "O", "(layout)"),
    "unflatten": Entry(algebra.unflatten, "LV", "(layout, profile)"),
    "filter": Entry(algebra.filter_, "O?V", "(layout) or (layout, profile)"),
    "filter_zeros": Entry(algebra.filter_zeros, "L?V", "(layout) or (layout, profile)"),
    "coalesce": Entry(algebra.coalesce, "O?V", "(layout) or (layout, profile)"),
    "crd2idx": Entry(evaluation.crd2idx, "CV?V", "(coordinate, shape, stride)"),
    "idx2crd": Entry(evaluation.idx2crd, "CV", "(index, shape)"),
    "crd2crd": Entry(algebra.crd2crd, "CVV", "(coordinate, shape, shape)"),
    "slice": Entry(slices.slice_, "CO", "((_,1,_), layout)"),
    "slice_and_offset": Entry(slices.slice_and_offset, "CO", "((_,1,_), layout)"),
    "dice": Entry(algebra.dice, "CL", "((_,1,_), layout)"),
    "domain_offset": Entry(algebra.domain_offset, "CO", "((1,2), layout)"),
    "composition": Entry(algebra.composition, "MP", "(A, B)"),
    "complement": Entry(algebra.complement, "OS", "(A, M)"),
    "right_inverse": Entry(algebra.right_inverse, "M", "(layout)"),
    "left_inverse": Entry(algebra.left_inverse, "M", "(layout)"),
    "nullspace": Entry(algebra.nullspace, "O", "(layout)"),
    "max_common_layout": Entry(algebra.max_common_layout, "OO", "(A, B)"),
    "max_common_vector": Entry(algebra.max_common_vector, "OO", "(A, B)"),
    "max_alignment": Entry(max_alignment, "M", "(layout)"),
    "get_swizzle_portion": Entry(get_swizzle_portion, "O", "(layout)"),
    "get_nonswizzle_portion": Entry(get_nonswizzle_portion, "O", "(layout)"),
    "domain_distribute": Entry(algebra.domain_distribute, "SX", "(shape, size)"),
    "greatest_common_domain": Entry(algebra.greatest_common_domain, "SS", "(A, B)"),
    "layout_add": Entry(algebra.layout_add, "LL", "(A, B)"),
    "logical_divide": Entry(algebra.logical_divide, "OT", "(A, tiler)"),
    "guarded_divide": Entry(algebra.guarded_divide, "LT", "(A, tiler): rounded up, with a guard"),
    "zipped_divide": Entry(algebra.zipped_divide, "OT", "(A, tiler)"),
    "tiled_divide": Entry(algebra.tiled_divide, "OT", "(A, tiler)"),
    "flat_divide": Entry(algebra.flat_divide, "OT", "(A, tiler)"),
    "logical_product": Entry(algebra.logical_product, "OP", "(A, tiler)"),
    "zipped_product": Entry(algebra.zipped_product, "OP", "(A, tiler)"),
    "tiled_product": Entry(algebra.tiled_product, "OP", "(A, tiler)"),
    "flat_product": Entry(algebra.flat_product, "OP", "(A, tiler)"),
    "blocked_product": Entry(algebra.blocked_product, "OL", "(A, B)"),
    "raked_product": Entry(algebra.raked_product, "OL", "(A, B)"),
    "tile_to_shape": Entry(algebra.tile_to_shape, "OV?V", "(block, shape, order)"),
    "upcast": Entry(algebra.upcast, "MX", "(layout, n)"),
    "downcast": Entry(algebra.downcast, "MX", "(layout, n)"),
    "recast": Entry(algebra.recast, "MXX", "(layout, old bits, new bits)"),
    "shape_div": Entry(algebra.shape_div, "VV", "(shape, divisor)"),
    "atom_layout": Entry(atoms.atom_layout, "QQ", '("SM80_16x8x16_F32F16F16F32_TN", "A")'),
    "smem_layout_atom": Entry(atoms.smem_layout_atom, "QX", '("Layout_K_SW128_Atom", 16)'),
    "make_layout_tv": Entry(tv.make_layout_tv, "LL", "(threads, values): tile and TV layout"),
    "tiled_mma_layout": Entry(
        tv.tiled_mma_layout, "QQ?LV", '("SM80_16x8x16_F32F16F16F32_TN", "A", (2,2,1), (_,32,16))'
    ),
    "local_tile": Entry(tv.local_tile, "OTC?V", "(A, (128,64), (1,_)): the tile, its offset"),
    "local_partition": Entry(tv.local_partition, "OLX?V", "(A, threads, thread)"),
    "access": Entry(
        Access,
        "OX?XX",
        "((32,4):(64,1), 16, 32, B): lanes and requests, bits (of an access), base",
    ),
}

_GUARDS = "W" * 8

CLAIMS: dict[str, Entry] = {
    "injective": Entry(
        lambda layout, *where: claims.Injective(layout, where),
        f"O?{_GUARDS}",
        "(layout) or (layout, where(G, M)): where G(c) < M",
    ),
    "bijective": Entry(claims.Bijective, "O", "(layout): onto [0, size)"),
    "compact": Entry(claims.Compact, "O", "(layout): strides 0 apart, onto [0, size)"),
    "in_bounds": Entry(
        lambda layout, bound, *where: claims.InBounds(layout, bound, where),
        f"OX?{_GUARDS}",
        "(layout, bound) or (layout, bound, where(G, M))",
    ),
    "equal": Entry(claims.Equal, "OO", "(A, B): the same map"),
    "compatible": Entry(claims.Compatible, "SS", "(shape A, shape B)"),
    "refines": Entry(claims.Refines, "SS", "(shape A, shape B): B is compatible with A"),
    "disjoint": Entry(claims.Disjoint, "LL", "(A, B): but for offset 0"),
    "apart": Entry(claims.Apart, "LL?X", "(A, B) or (A, B, shift): A and shift + B"),
    "covers": Entry(claims.Covers, "LX", "(layout, M): all of [0, M)"),
    "partition": Entry(claims.Partition, "VV", "(layout, M) or ((L0,L1), (M0,M1))"),
    "partition_exact": Entry(
        claims.PartitionExact,
        "LS?X",
        "(TV, tile) or (TV, tile, copies): each element in one (thread, value)",
    ),
    "same_elements": Entry(claims.SameElements, "LL", "(A, B): each thread holds the same"),
    "same_image": Entry(claims.SameImage, "LL", "(A, B): the same offsets"),
    "monotone": Entry(claims.Monotone, "L", "(layout): L(i) <= L(i+1)"),
    "increasing": Entry(claims.Increasing, "L", "(layout): L(i) < L(i+1)"),
    "aligned": Entry(claims.Aligned, "LX", "(layout, n): offsets are multiples of n"),
    "bank_conflict": Entry(
        claims.BankConflict, "VX?X", "(access(L, 32), k): at most k ways; (A, k, n): at least n"
    ),
    "sectors": Entry(
        claims.Sectors, "VX?X", "(access(L, 32), k): at most k a request; (A, k, n): at least n"
    ),
    "coalesced": Entry(claims.Coalesced, "V", "(access(L, 32)): no more sectors than it fills"),
    "vectorizable": Entry(
        claims.Vectorizable, "OXX?X", "(layout, 16, 128): bits of an element and of a vector"
    ),
    "no_overflow": Entry(claims.NoOverflow, "V?X", '("i*LD + j", 32) or (layout, 32)'),
    "is_complement": Entry(claims.Complement, "LLX", "(B, A, M)"),
    "is_composition": Entry(claims.Composition, "LLL", "(C, A, B): C is A after B"),
    "is_right_inverse": Entry(claims.RightInverse, "LL", "(R, L): L(R(i)) == i"),
    "is_left_inverse": Entry(claims.LeftInverse, "LL", "(I, L): I(L(i)) == i"),
    "prints_as": Entry(claims.PrintsAs, "VQ", '(value, "text")'),
    "table": Entry(claims.Table, "LR", "(layout, ((row), (row)))"),
}

#: Functions whose first argument may itself depend on assumptions take them from `assuming`.
_RELATIONS = {"eq", "ne", "le", "lt", "ge", "gt", "divides"}
_CONNECTIVES = {"and", "or", "not", "implies"}


def evaluate(text: str, given: Given = ()) -> Any:
    """Return the value of an expression: a leaf, a layout, a tuple, a formula, or a claim.

    Errors: TextError with the place; NotAdmissible or Undecided from the operations.

    >>> print(evaluate("logical_divide((256,512), (128,64))"))
    ((128,2),(64,8)):((1,128),(256,16384))
    >>> evaluate("size((M,N):(N,1))")
    M*N
    """
    node = parse(text)
    with assuming(Assumptions.of(given)):
        return _Reader(text).value(node)


def read_claim(text: str, given: Given = ()) -> Claim:
    """Return the claim that a text states; a relation between expressions is a claim too.

    Errors: TextError when the text states nothing.

    >>> read_claim("size(4:2) == 4").words()
    '4 == 4 holds'
    """
    node = parse(text, what="claim")
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
        tree = self._marked(node, operations)
        return Statement(self.text, written(node), tree, tuple(operations.items()))

    def _marked(self, node: Node, operations: dict[str, str]) -> Node:
        """Return a tree with the results of operations, which are added to `operations`.

        Inside an operation everything stays as it is written.
        """
        if node in self.results:
            text = operations.setdefault(unparse(node), show_value(self.results[node]))
            found = Node("result", (node, parse(text), text), node.pos, node.end)
        else:
            parts = (self._marked(x, operations) if isinstance(x, Node) else x for x in node.args)
            found = Node(node.op, tuple(parts), node.pos, node.end)
        return Node("shape", (found,), node.pos, node.end) if id(node) in self.shapes else found

    def _other(self, node: Node) -> Any:
        """Compute what is not leaf arithmetic."""
        if node.op == "layout":
            return read_layout(node, self.text, self._other)
        if node.op in ("call", "apply"):
            if node not in self.results:
                value = self._call(node) if node.op == "call" else self._apply(node)
                if isinstance(value, (Claim, Access)) or id(node) in self.swizzled:
                    return value
                self.results[node] = value
            return self.results[node]
        if node.op in _RELATIONS:
            return self._relation(node)
        if node.op in _CONNECTIVES:
            return self._connective(node)
        if node.op == "text":
            return str(node.args[0])
        if node.op == "swizzle":
            return self._run(node, Swizzle, list(node.args))
        raise TextError(f"{node.op} cannot be computed with", self.text, node.pos)

    def _relation(self, node: Node) -> Formula:
        left, right = (self.value(ungrouped(x)) for x in node.args if isinstance(x, Node))
        tuples = node.op in ("eq", "ne") and tuple in (type(left), type(right))
        for side, value in zip(node.args, (left, right), strict=True):
            if not (tuples or _is_leaf(value)) and isinstance(side, Node):
                layout = isinstance(value, Layout)
                fix = "compare layouts with equal(A, B)" if layout else "write such as 4 or M*N"
                raise TextError("expected a number or an expression", self.text, side.pos, fix)
        return read_formula(node, self.text, self._other)

    def _connective(self, node: Node) -> Formula:
        parts = []
        for x in node.args:
            if isinstance(x, Node):
                value = self.value(ungrouped(x))
                if not isinstance(value, Formula):
                    fix = "claims are not joined: prove each by itself"
                    fix = fix if isinstance(value, Claim) else "join relations only"
                    raise TextError("expected a relation such as M <= N", self.text, x.pos, fix)
                parts.append(value)
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
