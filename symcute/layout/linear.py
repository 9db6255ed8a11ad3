"""Linear layouts: which element of a tile each register of each lane of each warp holds.

As in Triton, a layout is given by bases: where bit k of the register, lane, warp or block number
sends an element, as a coordinate of the tile; an index goes to the exclusive or of the bases of its
bits. So all of it is linear algebra over F2: exact, and a matter of microseconds at any size.

Source: Triton, include/triton/Tools/LinearLayout.h; "Linear Layouts: Robust Code Generation of
Efficient Tensor Computation Using F2" (Zhou et al., 2025).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from symcute.errors import InputError, NotAdmissible
from symcute.expr.htuple import product, show
from symcute.layout.f2 import BitMatrix, straightened, to_f2
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout

__all__ = ["PLACES", "Conversion", "LinearLayout", "conversion", "from_linear", "to_linear"]

#: A coordinate of the tile for every bit of a number.
Bases: TypeAlias = tuple[tuple[int, ...], ...]

#: What holds elements, from the inside out: an element of the layout is in a register of a lane of
#: a warp of a block.
PLACES = ("register", "lane", "warp", "block")

#: The most bits of an index, and of a coordinate.
MAX_BITS = 62


@dataclass(frozen=True, slots=True)
class LinearLayout:
    """Bases by place, and the shape of the tile.

    Errors: InputError for an extent that is no power of two, a basis outside of the tile, and a
    place that is none of register, lane, warp and block or out of that order.

    >>> L = LinearLayout((("register", ((0, 1),)), ("lane", ((1, 0), (2, 0)))), (4, 2))
    >>> L(register=1, lane=3), L.is_bijective()
    ((3, 1), True)
    """

    bases: tuple[tuple[str, Bases], ...]
    shape: tuple[int, ...]

    def __post_init__(self) -> None:
        pairs = isinstance(self.bases, tuple) and all(
            isinstance(x, tuple) and len(x) == 2 and isinstance(x[1], tuple) for x in self.bases
        )
        if not pairs or not isinstance(self.shape, tuple):
            raise InputError(
                f"a linear layout of {self.bases!r} on {self.shape!r}",
                'write LinearLayout((("lane", ((0, 1),)),), (1, 2)), or use to_linear',
            )
        for s in self.shape:
            if type(s) is not int or s < 1 or s & (s - 1):
                raise InputError(
                    f"the tile {show(self.shape)} of a linear layout has the extent {s}",
                    "extents are powers of two",
                )
        names = [name for name, _ in self.bases]
        if names != [name for name in PLACES if name in names]:
            raise InputError(
                f"a linear layout over {', '.join(names)}", f"the places are {', '.join(PLACES)}"
            )
        for name, vectors in self.bases:
            for v in vectors:
                if len(v) != len(self.shape) or not all(
                    type(x) is int and 0 <= x < s for x, s in zip(v, self.shape, strict=True)
                ):
                    raise InputError(
                        f"the basis {list(v)} of {name} is no coordinate of {show(self.shape)}",
                        "give a coordinate of the tile for every bit",
                    )
        if max(sum(len(v) for _, v in self.bases), product(self.shape).bit_length()) > MAX_BITS:
            raise InputError(f"a linear layout of more than {MAX_BITS} bits", "give a smaller tile")

    def bits(self, place: str) -> int:
        """Return the number of bits of a place, 0 where it does not occur."""
        return next((len(vectors) for name, vectors in self.bases if name == place), 0)

    def size(self, place: str) -> int:
        """Return how many registers, lanes, warps or blocks there are."""
        return 1 << self.bits(place)

    def columns(self, *places: str) -> tuple[int, ...]:
        """Return the bases of places as 1-D indices of the tile, first mode fastest."""
        steps, current = [], 1
        for s in self.shape:
            steps.append(current)
            current *= s
        return tuple(
            sum(x * step for x, step in zip(v, steps, strict=True))
            for name, vectors in self.bases
            if name in places
            for v in vectors
        )

    def matrix(self, *places: str) -> BitMatrix:
        """Return the map from the bits of the places, all without any, to the index in the tile.

        >>> LinearLayout((("register", ((0, 1),)), ("lane", ((1, 0), (2, 0)))), (4, 2)).matrix()
        BitMatrix(columns=(4, 1, 2), height=3)
        """
        columns = self.columns(*(places or PLACES))
        return BitMatrix(columns, product(self.shape).bit_length() - 1)

    def index(self, places: Mapping[str, int]) -> int:
        """Return the bits of all places as one number, those of the first place lowest.

        Errors: InputError for a place that is not there, or a number beyond its end.
        """
        found = shift = 0
        for name, x in places.items():
            if name not in PLACES or not 0 <= x < self.size(name):
                raise InputError(
                    f"{name}={x} is no place of {self}", f"there are {self.size(name)}"
                )
        for name, vectors in self.bases:
            found |= places.get(name, 0) << shift
            shift += len(vectors)
        return found

    def places(self, index: int) -> dict[str, int]:
        """Return the numbers of the places in an index; the inverse of `index`."""
        found = {}
        for name, vectors in self.bases:
            found[name] = index & (1 << len(vectors)) - 1
            index >>= len(vectors)
        return found

    def __call__(self, **places: int) -> tuple[int, ...]:
        """Return the coordinate of the element that is held at a place."""
        index = self.matrix()(self.index(places))
        found = []
        for s in self.shape:
            index, digit = divmod(index, s)
            found.append(digit)
        return tuple(found)

    def is_injective(self) -> bool:
        """Return whether no element is held twice."""
        return self.matrix().is_injective()

    def is_surjective(self) -> bool:
        """Return whether every element of the tile is held somewhere."""
        matrix = self.matrix()
        return matrix.rank() == matrix.height

    def is_bijective(self) -> bool:
        """Return whether every element of the tile is held exactly once."""
        return self.matrix().is_bijective()

    def holder(self, *coordinate: int) -> dict[str, int]:
        """Return a place that holds an element, the first where several do.

        Errors: InputError for a coordinate outside of the tile; NotAdmissible where none holds it.

        >>> L = LinearLayout((("register", ((0, 1),)), ("lane", ((1, 0), (2, 0)))), (4, 2))
        >>> L.holder(3, 1)
        {'register': 1, 'lane': 3}
        """
        if len(coordinate) != len(self.shape) or not all(
            0 <= x < s for x, s in zip(coordinate, self.shape, strict=True)
        ):
            raise InputError(
                f"{show(tuple(coordinate))} is no coordinate of {show(self.shape)}",
                "give one number for each mode of the tile",
            )
        index, step = 0, 1
        for x, s in zip(coordinate, self.shape, strict=True):
            index, step = index + x * step, step * s
        found = self.matrix().solve(index)
        if found is None:
            raise NotAdmissible(
                f"holder{show(tuple(coordinate))} of {self}", condition="some place holds it"
            )
        return self.places(found)

    def __str__(self) -> str:
        """Return the bases as Triton writes them."""
        parts = (
            f"{name} = [{', '.join(str(list(v)) for v in vectors)}]" for name, vectors in self.bases
        )
        return f"{{{', '.join(parts)}}}"


@dataclass(frozen=True, slots=True)
class Conversion:
    """How elements get from one linear layout to another.

    `within` is the smallest of thread, warp, block and cluster that no element has to leave; `map`
    sends the bits of a place of the target to those of a place of the source that holds its
    element, inside of that.
    """

    source: LinearLayout
    target: LinearLayout
    within: str
    map: BitMatrix

    @property
    def needs(self) -> str:
        """What moves the elements: nothing, registers, shuffles, or a kind of shared memory."""
        if self.within == "thread":
            return "nothing" if self.map == BitMatrix.identity(self.map.width) else "registers"
        return _NEEDS[self.within]

    def __call__(self, **places: int) -> dict[str, int]:
        """Return where the element that the target wants at a place comes from."""
        return self.source.places(self.map(self.target.index(places)))


_WITHIN = {"thread": ("register",), "warp": PLACES[:2], "block": PLACES[:3], "cluster": PLACES}
_NEEDS = {"warp": "shuffles", "block": "shared memory", "cluster": "distributed shared memory"}


def conversion(source: LinearLayout, target: LinearLayout) -> Conversion:
    """Return where each place of the target gets its element from, as near by as possible.

    An element stays in a thread when some register of that thread holds it in the source; all do
    exactly when those of the bases do, as both layouts are linear; so for warps and blocks.
    Pre-conditions: both have the same tile, lanes, warps and blocks.
    Post-conditions: source(**result(**p)) == target(**p) for every place p of the target, and p and
    result(**p) agree in the places outside of `result.within`.
    Errors: InputError when a pre-condition is false; NotAdmissible when the target holds an element
    that the source does not.

    >>> rows = LinearLayout((("register", ((0, 1),)), ("lane", ((1, 0),))), (2, 2))
    >>> columns = LinearLayout((("register", ((1, 0),)), ("lane", ((0, 1),))), (2, 2))
    >>> found = conversion(rows, columns)
    >>> found.within, found.needs, found(register=1, lane=0)
    ('warp', 'shuffles', {'register': 0, 'lane': 1})
    """
    if source.shape != target.shape:
        raise InputError(
            f"tiles of {show(source.shape)} and {show(target.shape)}", "convert one tile"
        )
    for place in PLACES[1:]:
        if source.bits(place) != target.bits(place):
            raise InputError(
                f"{source.size(place)} and {target.size(place)} {place}s hold the tile",
                f"give both layouts the same number of {place}s",
            )
    whole, wanted = source.matrix(), target.columns(*PLACES)
    names = [name for name, vectors in target.bases for _ in vectors]
    for within, free in _WITHIN.items():
        # The bits of the free places are the lowest on both sides; the others stay as they are.
        count = sum(len(vectors) for name, vectors in source.bases if name in free)
        others = iter(range(count, whole.width))
        kept = [None if name in free else next(others) for name in names]
        part = BitMatrix(whole.columns[:count], whole.height)
        rest = (w if k is None else w ^ whole.columns[k] for w, k in zip(wanted, kept, strict=True))
        found = part.solves(BitMatrix(tuple(rest), whole.height))
        if found is not None:
            columns = tuple(
                x if k is None else x | 1 << k for x, k in zip(found.columns, kept, strict=True)
            )
            return Conversion(source, target, within, BitMatrix(columns, whole.width))
    raise NotAdmissible(
        f"conversion({source}, {target})",
        condition="the source holds every element that the target does",
        fix="some elements of the target are nowhere in the source",
    )


def to_linear(
    layout: Layout | ComposedLayout, shape: tuple[int, ...], *, lanes: int = 32, warps: int = 0
) -> LinearLayout:
    """Return the linear layout of a thread-value layout ((threads), (values)) into a tile.

    The offsets are 1-D indices of the tile, first mode fastest, as CuTe's TV layouts have them. The
    lowest bits of the thread are the lane, then `warps` warps (0: all that follow), then blocks.
    Pre-conditions: the layout has two modes, and `to_f2` takes it; lanes and warps are powers of
    two.
    Errors: InputError for another rank or number of lanes; NotAdmissible as `to_f2`.

    >>> print(to_linear(Layout.parse("((4,8),(2,2)):((32,1),(16,8))"), (16, 8)))
    {register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []}
    """
    if layout.rank() != 2 or not isinstance(layout.shape, tuple):
        raise InputError(f"{layout} is no thread-value layout", "give ((threads), (values))")
    for name, n in (("lanes", lanes), ("warps", warps or 1)):
        if type(n) is not int or n < 1 or n & (n - 1):
            raise InputError(f"{n} {name}", f"give a power of two for the {name}")
    if not isinstance(shape, tuple) or not all(type(s) is int for s in shape):
        raise InputError(f"the tile {shape!r}", "give its extents: (16, 8)")
    columns = to_f2(layout).columns
    threads = int(layout[0].size()).bit_length() - 1
    end = product(shape)
    if any(c >= end for c in columns):
        raise InputError(
            f"{layout} leaves the tile {show(shape)}", "give the tile that it partitions"
        )
    lane = min(lanes.bit_length() - 1, threads)
    warp = min(lane + warps.bit_length() - 1, threads) if warps else threads

    def vectors(some: tuple[int, ...]) -> Bases:
        return tuple(_coordinate(c, shape) for c in some)

    bases = [("register", vectors(columns[threads:])), ("lane", vectors(columns[:lane]))]
    bases.append(("warp", vectors(columns[lane:warp])))
    if warps:
        bases.append(("block", vectors(columns[warp:threads])))
    return LinearLayout(tuple(bases), tuple(shape))


def _coordinate(index: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    found = []
    for s in shape:
        index, digit = divmod(index, s)
        found.append(digit)
    return tuple(found)


def from_linear(linear: LinearLayout) -> Layout | ComposedLayout:
    """Return the thread-value layout ((threads), (values)) of a linear layout.

    Lanes, warps and blocks are the threads, registers the values; a swizzle comes first where the
    bases need one.
    Post-conditions: result(t, v) is the 1-D index of the element that register v of thread t holds.
    Errors: NotAdmissible where the map is neither a layout nor one swizzle after one.

    >>> mma = LinearLayout((("register", ((0, 1), (8, 0))),
    ...     ("lane", ((0, 2), (0, 4), (1, 0), (2, 0), (4, 0)))), (16, 8))
    >>> print(from_linear(mma))
    ((4,8),(2,2)):((32,1),(16,8))
    """
    threads = linear.columns(*PLACES[1:])
    every = BitMatrix(
        (*threads, *linear.columns("register")), product(linear.shape).bit_length() - 1
    )
    swizzle, columns = straightened(every, f"from_linear({linear})")
    modes = [_mode(columns[: len(threads)]), _mode(columns[len(threads) :])]
    layout = Layout(tuple(s for s, _ in modes), tuple(d for _, d in modes))
    return layout if swizzle is None else ComposedLayout(swizzle, 0, layout)


def _mode(columns: tuple[int, ...]) -> tuple[tuple[int, ...] | int, tuple[int, ...] | int]:
    """Return shape and stride of the bits, neighbours merged."""
    modes: list[tuple[int, int]] = []
    for c in columns:
        if modes and c == modes[-1][0] * modes[-1][1]:
            modes[-1] = (2 * modes[-1][0], modes[-1][1])
        else:
            modes.append((2, c))
    if not modes:
        return 1, 0
    return tuple(s for s, _ in modes), tuple(d for _, d in modes)
