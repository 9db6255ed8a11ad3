"""What the values of a module are: layouts of our algebra, and what points into memory.

An integer that a type shows as `?` is a dim, times the divisor that the DSL knows: `?{div=8}` is
8*n. What a dim is at least stands in the scope. All is taken as integers that do not wrap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from symcute.errors import SymcuteError
from symcute.expr.assumptions import dims
from symcute.expr.basis import ArithmeticTuple, ScaledBasis
from symcute.expr.expression import free_dims, is_symbolic
from symcute.expr.formula import divides, eq
from symcute.expr.htuple import HTuple, Leaf, show
from symcute.frontends.cutedsl import types
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout, Swizzle
from symcute.solve.entailment import facts

__all__ = [
    "UNKNOWN",
    "AnyLayout",
    "Bent",
    "Pointer",
    "Scope",
    "Tensor",
    "Tile",
    "differs",
    "dims_of",
]

AnyLayout: TypeAlias = Layout | ComposedLayout


class _Unknown:
    """What is not known of a value: anything."""

    def __repr__(self) -> str:
        return "unknown"


UNKNOWN = _Unknown()


@dataclass(frozen=True)
class Pointer:
    """`offset` elements behind a `root`, whose alignment in bytes is known.

    The swizzle acts on bytes. `taken` says that all this was taken from the type of a value, and
    not computed. For what a partition gave to thread `tid.x`, `threads` maps each thread to where
    its share is behind `base`.
    """

    element: str
    space: str
    root: str
    alignment: int
    offset: Leaf = 0
    swizzle: tuple[int, int, int] | None = None
    taken: bool = False
    threads: Layout | None = None
    base: Leaf = 0
    #: How many threads the block has that `threads` are of.
    block: int = 0

    def moved(self, offset: Leaf) -> Pointer:
        """Return the pointer so many elements further."""
        base = self.base + offset if self.threads is not None else self.base
        return replace(self, offset=self.offset + offset, base=base)


@dataclass(frozen=True)
class Tensor:
    """A layout behind a pointer or a coordinate."""

    start: Any
    layout: AnyLayout


@dataclass(frozen=True)
class Tile:
    """A layout, an extent or None for each mode; or a single layout for all of them."""

    modes: tuple[Layout | Tile | None, ...]
    by_mode: bool

    def tiler(self) -> Any:
        """Return the tile as the algebra takes it; n:1 is the extent n."""
        found = tuple([_extent(x) for x in self.modes])
        return found if self.by_mode else found[0]


def _extent(layout: Layout | Tile | None) -> Any:
    if isinstance(layout, Tile):
        return layout.tiler()
    if layout is None or isinstance(layout.shape, tuple) or layout.stride != 1:
        return layout
    return layout.shape


@dataclass(frozen=True)
class Bent:
    """A share of what is swizzled: `inner` is where it begins in it, for each number of `thread`.

    All of it lies `base` elements behind a root; there are `count` threads.
    """

    swizzle: Swizzle
    base: Leaf
    inner: Leaf
    thread: str
    count: int


@dataclass
class Scope:
    """The dims of a module: how they are called, and what each is at least where that is not 1."""

    least: dict[str, int] = field(default_factory=dict)
    count: dict[str, int] = field(default_factory=dict)
    #: How many bits the integer has of which a dim is a part, where these are not 32.
    bits: dict[str, int] = field(default_factory=dict)
    #: What an integer is a multiple of, of which a dim is a part.
    divisors: dict[str, int] = field(default_factory=dict)
    #: The dims of the host function: of its arguments, and of what it computes.
    host: set[str] = field(default_factory=set)
    #: The numbers of threads and blocks, as (kind, axis).
    registers: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    #: What stands for one integer wherever it is met: a dim, by a symbol of the caller's.
    symbols: dict[str, Any] = field(default_factory=dict)
    #: The dims of the extents and strides of the caller's tensors.
    sizes: set[str] = field(default_factory=set)
    #: The dims of the host function's arguments, which the caller gives.
    arguments: set[str] = field(default_factory=set)
    #: The numbers of threads, with how many there are, and those of blocks.
    threads: dict[str, int] = field(default_factory=dict)
    blocks: set[str] = field(default_factory=set)
    #: How many threads a block has whose threads are numbered in x alone.
    whole: dict[str, int] = field(default_factory=dict)
    #: What the counters of loops stay below, and what integers of few bits do.
    below: dict[str, Leaf] = field(default_factory=dict)
    #: The counters of loops that take every value there is for them.
    reached: set[str] = field(default_factory=set)
    #: What all lanes of a warp have the same of.
    uniform: set[str] = field(default_factory=set)
    #: Dims of values that are known by their types alone.
    typed: set[str] = field(default_factory=set)
    #: Where pointers begin that the caller gives; of others types may say less than is true.
    given_roots: set[str] = field(default_factory=set)
    #: Dims of swizzled shares: of which, by how much a unit of it moves before the swizzle (None
    #: for where a share begins), and what it is for each thread.
    bent: dict[str, tuple[Bent, int | None, tuple[int, ...]]] = field(default_factory=dict)
    #: Dims of integers that have to be inside their types: what they are, and in how many bits.
    settled: dict[str, tuple[Leaf, int]] = field(default_factory=dict)
    #: What dims of the host are that it chooses, where they are known.
    defined: dict[str, Leaf] = field(default_factory=dict)
    #: Integers of the host that such a dim is one of.
    compared: dict[str, tuple[Leaf, ...]] = field(default_factory=dict)
    roots: int = 0

    def integer(
        self, name: str = "n", divisor: int = 1, least: int | None = None, bits: int = 32
    ) -> Any:
        """Return a new integer that is a multiple of `divisor`, and of `least` at least.

        With no `least` nothing is known of its sign. A name that ends in `_` goes on with a number.
        """
        full = ""
        while not full or full in self.least:  # another's name may end in a number
            k = self.count[name] = self.count.get(name, 0) + 1
            full = f"{name}{k}" if name.endswith("_") else f"{name}_{k}" if k > 1 else name
        self.least[full] = -(2**63) if least is None else least
        if bits != 32:
            self.bits[full] = bits
        if divisor != 1:
            self.divisors[full] = divisor
        return divisor * dims(full)

    def given(self, *values: Any) -> tuple[str, ...]:
        """Return what is known of the dims in some values, as assumptions."""
        high = {**self.threads, **self.below}
        found, more = set[str](), set().union(*(dims_of(x) for x in values))
        while more := (more & self.least.keys()) - found:  # a bound speaks of others
            found |= more
            more = set().union(*(dims_of(high[x]) for x in more if x in high))
        names = sorted(found)
        low = [f"{x} >= {self.least[x]}" for x in names if self.least[x] != 1]
        return (*low, *(f"{x} < {show(high[x])}" for x in names if x in high))

    def is_uniform(self, value: Any) -> bool:
        """Return whether all lanes of a warp are known to have the same value."""
        return dims_of(value) <= self.uniform

    def may_be(self, values: Mapping[str, int]) -> bool:
        """Return whether it is known that dims may have these values at once.

        That is: at most one is of the caller's arguments, which may be tied to each other; threads
        are of a block whose size is known, a block is the first, and a counter takes all values.
        """
        others = values.keys() - self.arguments
        if len(values) - len(others) > 1:
            return False
        free = self.threads.keys() | self.reached
        return all(x in free or (x in self.blocks and values[x] == 0) for x in others)

    def filled(self, tree: Any, each: Iterator[Any]) -> Any:
        """Return integers with each `?` replaced by the next of some values."""
        return types.filled(tree, lambda hole: next(each), lambda x, modes: ScaledBasis(x, modes))

    def definitions(self, names: Iterable[str]) -> dict[str, Leaf]:
        """Return what dims are that the host chooses, and those of which these are made."""
        found: dict[str, Leaf] = {}
        todo = list(names)
        while todo:
            name = todo.pop()
            if name in self.defined and name not in found:
                found[name] = self.defined[name]
                todo += dims_of(found[name])
        return found

    def one_of(self, made: Any, values: Sequence[Any]) -> None:
        """Bound a new integer, which is one of some values, by the least of these."""
        low = [x if type(x) is int else self.least.get(str(x)) for x in values]
        known = [x for x in low if x is not None]
        if str(made) in self.least and known and len(known) == len(low):
            self.least[str(made)] = max(self.least[str(made)], min(known))

    def make(
        self,
        type_: Any,
        root: str,
        name: str = "n",
        least: int | None = None,
        symbols: Iterator[str] | None = None,
    ) -> Any:
        """Return the value that a type describes, with new dims where it has `?`.

        `least` is what extents of a layout are at least; its strides are then at least 0. A symbol
        for each `?` of a tensor says which are one integer; "" says nothing.
        """

        def integer(hole: types.Hole, smallest: int | None) -> Any:
            symbol = next(symbols, "") if symbols is not None else ""
            key = f"{symbol} {hole.divisor} {hole.bits}" if symbol else ""
            if key in self.symbols:
                return self.symbols[key]
            found = self.integer(symbol or name, hole.divisor, smallest, hole.bits)
            if key:
                self.symbols[key] = found
            return found

        def tree(t: Any, smallest: int | None = None) -> Any:
            return types.filled(
                t,
                lambda hole: integer(hole, smallest),
                lambda value, modes: ScaledBasis(value, modes),
            )

        match type_:
            case types.TupleType():
                return tree(type_.tree)
            case types.LayoutType():
                stride = None if least is None else 0
                layout = Layout(tree(type_.shape, least), tree(type_.stride, stride))
                if type_.swizzle is None:
                    return layout
                return ComposedLayout(Swizzle(*type_.swizzle), tree(type_.offset), layout)
            case types.TileType():
                modes = tuple(None if x is None else self.make(x, root) for x in type_.modes)
                return Tile(modes, type_.by_mode)
            case types.PointerType(element, space, alignment, swizzle):
                self.roots += 1  # a name may stand for another value in another region
                root = f"{root}.{self.roots}"
                return Pointer(element, space, root, alignment, 0, swizzle, taken=True)
            case types.TensorType():
                start = self.make(type_.start, root, name)
                return Tensor(start, self.make(type_.layout, root, name, least, symbols))
            case types.SwizzleType():
                return Swizzle(*type_.swizzle)
            case types.IntegerType(bits, divisor):
                least = -(2 ** (bits - 1) // divisor)
                found = self.integer(name, divisor, least, bits)
                for dim in dims_of(found):
                    self.below[dim] = (2 ** (bits - 1) - 1) // divisor + 1
                return found
            case None:
                return UNKNOWN
        return type_


def dims_of(x: Any) -> set[str]:
    """Return the dims in a value."""
    match x:
        case Layout() | ComposedLayout():
            return x.dims()
        case Tensor():
            return dims_of(x.start) | dims_of(x.layout)
        case Pointer():
            return dims_of(x.offset)
        case Tile():
            return set().union(*map(dims_of, x.modes))
        case ScaledBasis():
            return dims_of(x.value)
        case tuple():
            return set().union(*map(dims_of, x))
    return set(free_dims(x)) if is_symbolic(x) else set()


def _pairs(type_: Any, value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield what a type says beside what was computed, leaf by leaf.

    Errors: ValueError where they are not of the same form.
    """
    match type_, value:
        case types.TupleType(), _:
            yield from _leaves(type_.tree, value)
        case types.LayoutType(swizzle=None), Layout():
            yield from _leaves(type_.shape, value.shape)
            yield from _strides(type_.shape, type_.stride, value.stride)
        case types.LayoutType(swizzle=(_, _, _)), ComposedLayout(swizzle=swizzle):
            yield type_.swizzle, (swizzle.bits, swizzle.base, swizzle.shift)
            yield from _leaves(type_.offset, value.offset)
            yield from _pairs(types.LayoutType(type_.shape, type_.stride), value.layout)
        case types.TileType(), Tile():
            if type_.by_mode != value.by_mode or len(type_.modes) != len(value.modes):
                raise ValueError
            for left, right in zip(type_.modes, value.modes, strict=True):
                if (left is None) != (right is None):
                    raise ValueError
                if left is not None:
                    yield from _pairs(left, right)
        case types.PointerType(), Pointer():
            yield type_.element, value.element
            yield type_.space, value.space
            yield type_.swizzle, value.swizzle
        case types.TensorType(), Tensor():
            yield from _pairs(type_.start, value.start)
            yield from _pairs(type_.layout, value.layout)
        case types.SwizzleType(), Swizzle():
            yield from zip(type_.swizzle, (value.bits, value.base, value.shift), strict=True)
        case types.IntegerType(), _ if isinstance(value, int) or is_symbolic(value):
            return
        case ((types.AtomType() | types.TiledCopyType() | types.TiledMmaType()), _):
            yield type_, value
        case _:
            raise ValueError


def _leaves(tree: Any, value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(tree, tuple):
        if not isinstance(value, tuple) or len(tree) != len(value):
            raise ValueError
        for left, right in zip(tree, value, strict=True):
            yield from _leaves(left, right)
    elif isinstance(value, tuple):
        raise ValueError
    else:
        yield tree, value


def _strides(shape: Any, stride: Any, value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield strides side by side, but for modes of extent 1, where none matters."""
    if isinstance(shape, tuple):
        if not isinstance(value, tuple) or len(shape) != len(value):
            raise ValueError
        for s, left, right in zip(shape, stride, value, strict=True):
            yield from _strides(s, left, right)
    elif shape != 1:
        yield from _leaves(stride, value)


def differs(type_: Any, value: Any, scope: Scope) -> bool | None:
    """Return whether a type and a value that was computed differ; None where that is not known.

    They agree when they have the same form, the same numbers, and for each `?` a multiple of its
    divisor. A stride of a mode of extent 1 is not looked at.
    """
    try:
        pairs = list(_pairs(type_, value))
    except ValueError:
        return True
    found: list[bool | None] = [_differ(left, right, scope) for left, right in pairs]
    return True if True in found else None if None in found else False


def _differ(left: Any, right: Any, scope: Scope) -> bool | None:
    if isinstance(left, types.Basis):
        if isinstance(right, ScaledBasis):
            return left.modes != right.modes or _differ(left.value, right.value, scope)
        return True
    if isinstance(right, ScaledBasis):
        return True
    symbolic = is_symbolic(right)
    if isinstance(left, types.Hole):
        if left.divisor == 1 and (symbolic or isinstance(right, int)):
            return False
        if isinstance(right, int):
            return right % left.divisor != 0
        return None if not symbolic else _undecided(divides(left.divisor, right), right, scope)
    if symbolic and isinstance(left, int):
        return _undecided(eq(left, right), right, scope)
    return bool(left != right)


def _undecided(formula: Any, value: Any, scope: Scope) -> bool | None:
    try:
        return False if facts(scope.given(value)).proves(formula) else None
    except SymcuteError:
        return None


def added(start: Any, offset: Any) -> Any:
    """Return a coordinate, or an offset, moved by another."""
    if isinstance(start, tuple):
        moved = ArithmeticTuple(start) + offset
        return _padded(start, moved)
    return start + offset


def _padded(like: HTuple, found: HTuple) -> Any:
    if not isinstance(like, tuple):
        return found
    return tuple([_padded(a, b) for a, b in zip(like, found, strict=True)])
