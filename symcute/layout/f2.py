"""Maps over F2: layouts and swizzles of power-of-two extents as matrices of bits.

Where no addition carries, an offset is the exclusive or of one column for every bit of the index.
Then rank and elimination decide exactly what enumeration would: whether the map is injective, what
its inverse is, whether two maps agree; in microseconds, whatever the size.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from symcute.errors import InputError, NotAdmissible
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout, Swizzle

__all__ = ["BitMatrix", "from_f2", "straightened", "to_f2"]


@dataclass(frozen=True, slots=True)
class BitMatrix:
    """A linear map from bits to bits: column k, as an int, is where bit k of the index goes.

    Errors: InputError for a column that is negative or needs more than `height` bits.

    >>> m = BitMatrix((2, 1), 2)
    >>> [m(i) for i in range(4)], m.rank()
    ([0, 2, 1, 3], 2)
    """

    columns: tuple[int, ...]
    height: int

    def __post_init__(self) -> None:
        if not isinstance(self.columns, tuple) or type(self.height) is not int:
            raise InputError(
                f"a matrix of the columns {self.columns!r} and the height {self.height!r}",
                "write BitMatrix((2, 1), 2)",
            )
        for c in self.columns:
            if type(c) is not int or c < 0 or c >> self.height:
                raise InputError(
                    f"the column {c!r} does not fit {self.height} bits",
                    f"columns are ints from 0 to 2**{self.height} - 1",
                )

    @classmethod
    def identity(cls, bits: int) -> BitMatrix:
        """Return the identity on so many bits."""
        return cls(tuple(1 << k for k in range(bits)), bits)

    @property
    def width(self) -> int:
        """The number of bits of the index."""
        return len(self.columns)

    def __call__(self, index: int) -> int:
        """Return the image of an index.

        Errors: InputError when the index has more bits than the matrix has columns.
        """
        if index < 0 or index >> self.width:
            raise InputError(f"{index} has no image", f"indices are from 0 to 2**{self.width} - 1")
        total = 0
        while index:
            total ^= self.columns[(index & -index).bit_length() - 1]
            index &= index - 1
        return total

    def __matmul__(self, other: BitMatrix) -> BitMatrix:
        """Return this map after the other.

        Errors: InputError when the other gives more bits than this one takes.
        """
        if other.height > self.width:
            raise InputError(
                f"{other.height} bits do not fit the {self.width} columns", "widen the left matrix"
            )
        return BitMatrix(tuple(self(c) for c in other.columns), self.height)

    def rank(self) -> int:
        """Return the dimension of the image: 2**rank different values.

        >>> BitMatrix((1, 2, 3), 2).rank()
        2
        """
        return len(_eliminated(self.columns)[0])

    def kernel(self) -> tuple[int, ...]:
        """Return a basis of the indices that go to 0; empty when the map is injective.

        >>> BitMatrix((1, 2, 3), 2).kernel()
        (7,)
        """
        return tuple(_eliminated(self.columns)[1])

    def solve(self, value: int) -> int | None:
        """Return an index with that image, None where there is none.

        >>> BitMatrix((3, 1), 2).solve(2), BitMatrix((3,), 2).solve(2)
        (3, None)
        """
        rest, index = _cleared(value, 0, _eliminated(self.columns)[0])
        return None if rest else index

    def solves(self, other: BitMatrix) -> BitMatrix | None:
        """Return X with self @ X == other, None where there is none.

        Where the kernel leaves a choice, no column is used that depends on those before it.

        >>> BitMatrix((1, 2, 3), 2).solves(BitMatrix((3,), 2)).columns
        (3,)
        """
        pivots = _eliminated(self.columns)[0]
        found = [_cleared(column, 0, pivots) for column in other.columns]
        if any(rest for rest, _ in found):
            return None
        return BitMatrix(tuple(index for _, index in found), self.width)

    def largest(self, start: int = 0) -> tuple[int, int]:
        """Return the largest `start ^ self(index)`, and the index.

        >>> BitMatrix((3, 1), 2).largest(), BitMatrix((3, 1), 2).largest(2)
        ((3, 1), (3, 2))
        """
        pivots, found = _eliminated(self.columns)[0], 0
        for lead in sorted(pivots, reverse=True):
            if not start >> lead - 1 & 1:
                start, found = start ^ pivots[lead][0], found ^ pivots[lead][1]
        return start, found

    def is_injective(self) -> bool:
        """Return whether different indices have different images."""
        return self.rank() == self.width

    def is_bijective(self) -> bool:
        """Return whether every value of `height` bits is the image of exactly one index."""
        return self.rank() == self.width == self.height

    def inverse(self) -> BitMatrix:
        """Return the inverse map.

        Errors: NotAdmissible when the map is no bijection; the witness is an index that goes to 0,
        or a value that is not reached.

        >>> BitMatrix((1, 3), 2).inverse().columns
        (1, 3)
        """
        pivots, kernel = _eliminated(self.columns)
        if kernel:
            raise NotAdmissible(
                "inverse", condition="the map is injective", witness=f"index {kernel[0]}, sent to 0"
            )
        columns = []
        for bit in range(self.height):
            rest, index = _cleared(1 << bit, 0, pivots)
            if rest:
                raise NotAdmissible(
                    "inverse", condition="every value is reached", witness=f"value {1 << bit}"
                )
            columns.append(index)
        return BitMatrix(tuple(columns), self.width)

    def __str__(self) -> str:
        """Return the matrix as rows of 0 and 1, the lowest bit of the image first."""
        rows = ("".join(str(c >> r & 1) for c in self.columns) for r in range(self.height))
        return "\n".join(rows)


#: By the length of its bits: a value, and the index that gives it.
Pivots = dict[int, tuple[int, int]]


def _cleared(value: int, index: int, pivots: Pivots) -> tuple[int, int]:
    """Clear leading bits of a value as long as there is a pivot, and follow its index."""
    while value:
        pivot = pivots.get(value.bit_length())
        if pivot is None:
            break
        value ^= pivot[0]
        index ^= pivot[1]
    return value, index


def _eliminated(columns: Iterable[int]) -> tuple[Pivots, list[int]]:
    """Return what the columns span, and a basis of the indices that go to 0."""
    pivots: Pivots = {}
    kernel = []
    for k, column in enumerate(columns):
        value, index = _cleared(column, 1 << k, pivots)
        if value:
            pivots[value.bit_length()] = (value, index)
        else:
            kernel.append(index)
    return pivots, kernel


def to_f2(layout: Layout | ComposedLayout, height: int | None = None) -> BitMatrix:
    """Return the matrix of a static layout, or of a swizzle after one, as a map of its 1-D index.

    Pre-conditions: every extent is a power of two, no stride is negative, and no addition of
    strides carries (no two columns share a bit); the offset of a composed layout is 0.
    Post-conditions: to_f2(L)(i) == L(i) for every i below the size.
    Errors: NotAdmissible, naming the mode or the two columns that carry.

    >>> to_f2(Layout((4, 2), (2, 1))).columns
    (2, 4, 1)
    >>> to_f2(ComposedLayout(Swizzle(1, 0, 1), 0, Layout(4))).columns
    (1, 3)
    """
    where = f"to_f2({layout})"
    swizzle = None
    if isinstance(layout, ComposedLayout):
        if layout.offset != 0:
            raise NotAdmissible(where, condition="the offset is 0", witness=str(layout.offset))
        swizzle, layout = layout.swizzle, layout.layout
    columns: list[int] = []
    for s, d in layout.modes():
        if not isinstance(s, int) or not isinstance(d, int):
            raise InputError(f"{where} has dims", "give values for all dims")
        if s & (s - 1):
            raise NotAdmissible(where, condition="every extent is a power of two", witness=f"{s}")
        if d < 0:
            raise NotAdmissible(where, condition="no stride is negative", witness=f"{d}")
        columns += [d << b for b in range(s.bit_length() - 1)]
    taken = 0
    for c in columns:
        if c & taken:
            other = next(x for x in columns if x & c)
            raise NotAdmissible(
                where, condition="no addition carries", witness=f"the strides {other} and {c}"
            )
        taken |= c
    if swizzle is not None:
        columns = [swizzle(c) for c in columns]
    least = max((c.bit_length() for c in columns), default=0)
    return BitMatrix(tuple(columns), least if height is None else height)


def from_f2(matrix: BitMatrix) -> Layout | ComposedLayout:
    """Return the layout of a matrix, or the swizzle after a layout.

    Pre-conditions: no two columns share a bit, or one swizzle makes it so.
    Post-conditions: to_f2(result, matrix.height) == matrix.
    Errors: NotAdmissible when the map is neither.

    >>> print(from_f2(BitMatrix((2, 4, 1), 3)), from_f2(BitMatrix((1, 3), 2)))
    (4,2):(2,1) Sw<1,0,1> o 0 o 4:1
    """
    swizzle, columns = straightened(matrix, "from_f2")
    layout = _layout_of(columns)
    return layout if swizzle is None else ComposedLayout(swizzle, 0, layout)


def straightened(matrix: BitMatrix, where: str) -> tuple[Swizzle | None, tuple[int, ...]]:
    """Return a swizzle and columns of which no two share a bit: the matrix is the one after these.

    None where the columns of the matrix are such already.
    Errors: NotAdmissible where no swizzle does it.
    """
    if _apart(matrix.columns):
        return None, matrix.columns
    for bits in range(1, matrix.height // 2 + 1):
        for base in range(matrix.height - 2 * bits + 1):
            for shift in range(bits, matrix.height - bits - base + 1):
                for sign in (1, -1):
                    swizzle = Swizzle(bits, base, sign * shift)
                    columns = tuple(map(swizzle, matrix.columns))
                    if _apart(columns):
                        return swizzle, columns
    raise NotAdmissible(where, condition="the map is a layout or one swizzle after a layout")


def _apart(columns: tuple[int, ...]) -> bool:
    """Return whether no two columns share a bit."""
    taken = 0
    for c in columns:
        if c & taken:
            return False
        taken |= c
    return True


def _layout_of(columns: tuple[int, ...]) -> Layout:
    """Return the layout with these columns, no two of which share a bit, extents merged."""
    modes: list[list[int]] = []
    for c in columns:
        if modes and c == modes[-1][0] * modes[-1][1]:
            modes[-1][0] *= 2
        else:
            modes.append([2, c])
    if not modes:
        return Layout(1, 0)
    if len(modes) == 1:
        return Layout(*modes[0])
    return Layout(tuple(s for s, _ in modes), tuple(d for _, d in modes))
