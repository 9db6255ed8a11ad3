"""A layout's offset as one C or Python expression with as few operations as we know how to need.

The layout is coalesced first; each mode then gives one digit of the index, `i / p % s`, times its
stride. Nothing is divided by 1, the last digit needs no remainder, a stride 0 leaves no term, and
rounded quotients that the assumptions make exact are folded into the extents. With `shifts`, digits
between powers of two become masks and shifts, and modes that move by the same distance share one.

These expressions are for kernels. Evidence uses the first-principles functions of `functions`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from symcute.errors import InputError
from symcute.expr.assumptions import Given
from symcute.expr.basis import require_integers
from symcute.expr.expression import divided
from symcute.expr.htuple import Leaf, show
from symcute.expr.leaf import Expression, rebuilt
from symcute.expr.order import coefficient
from symcute.interop.infix import PYTHON, C, Dialect, Term, Writer, binary, check_name, total
from symcute.layout.algebra.coalesce import merged
from symcute.layout.layout import Layout
from symcute.solve.entailment import Entailment, facts

__all__ = ["c_expression", "python_expression"]

#: The name of an index, or a (nested) sequence of names that fits the shape.
Index: TypeAlias = str | Sequence[Any]
Modes: TypeAlias = tuple[tuple[Leaf, Leaf], ...]
#: A summand and whether it is subtracted.
Part: TypeAlias = tuple[bool, Term]


def c_expression(
    layout: Layout,
    index: Index = "i",
    *,
    given: Given = (),
    shifts: bool = False,
    quotients: str = "",
) -> str:
    """Return a C expression for the layout's offset.

    `index` names the 1-D coordinate, or gives names that fit the shape (`("row", "col")`), each a
    1-D coordinate of its mode. `shifts` writes powers of two as shifts and masks. `quotients` is a
    prefix: quotients that are needed twice are then named (`q1`, `q2`...) in declarations, one a
    line, before the expression in the last line.
    Pre-conditions: each index is at least 0 and below the size of its mode; the indices and the
    layout's dims are variables of one signed integer type that holds the layout's size and cosize.
    Post-conditions: for dims that meet the assumptions, at which all extents and strides are
    integers, the expression is layout(index).
    Errors: InputError for names that C does not accept, that stand twice, that are dims, or that do
    not fit the shape; for a constant beyond 64 bits; for a coordinate stride.

    >>> c_expression(Layout((4, 8), (8, 1)))
    'i % 4 * 8 + i / 4'
    >>> c_expression(Layout((4, 8), (8, 1)), shifts=True)
    '((i & 3) << 3) + (i >> 2)'
    >>> c_expression(Layout.parse("(M,N):(LD,1)"), ("m", "n"))
    'm * LD + n'
    >>> L = Layout.parse("(128,floor_div(M,128),N):(1,128,M)")
    >>> c_expression(L), c_expression(L, given="M % 128 == 0")
    ('i % (128 * (M / 128)) + i / (128 * (M / 128)) * M', 'i')
    """
    return _Expression(C, index, facts(given), shifts, quotients).of(layout)


def python_expression(
    layout: Layout,
    index: Index = "i",
    *,
    given: Given = (),
    shifts: bool = False,
    quotients: str = "",
) -> str:
    """Return a Python expression for the layout's offset; also of NumPy arrays of indices.

    The arguments, pre- and post-conditions and errors are those of `c_expression`.

    >>> python_expression(Layout.parse("((4,M),8):((1,32),4)"), ("i", "j"))
    'i % 4 + i // 4 * 32 + j * 4'
    >>> print(python_expression(Layout.parse("(2,3,5):(15,5,1)"), quotients="q"))
    q1 = i // 2
    i % 2 * 15 + q1 % 3 * 5 + q1 // 3
    """
    return _Expression(PYTHON, index, facts(given), shifts, quotients).of(layout)


@dataclass
class _Expression:
    """Writes one expression."""

    dialect: Dialect
    index: Index
    known: Entailment
    shifts: bool
    quotients: str
    named: list[str] = field(default_factory=list)

    def of(self, layout: Layout) -> str:
        """Return the declarations, if any, and the expression."""
        if layout.coordinate_strides:
            require_integers(layout.stride, f"the {self.dialect.name} expression")
        self.writer = Writer(self.dialect, self.known)
        pairs = list(_by_name(self.index, layout, self.index))
        names = [check_name(name, self.dialect) for name, _ in pairs]
        self.taken = {*names, *layout.dims()}
        if len(self.taken) < len(names) + len(layout.dims()):
            raise InputError(
                f"the names {', '.join(names)} are not all different from one another and from the"
                f" dims of {layout}",
                "rename the index",
            )
        parts = [part for name, mode in pairs for part in self._mode(name, mode)]
        return "\n".join([*self.named, self._sum(parts).text])

    def _sum(self, parts: list[Part]) -> Term:
        parts = sorted(parts, key=lambda part: part[0])
        if not parts:
            return self.writer.integer(0)
        if parts[0][0]:  # all are subtracted
            parts = [(False, self.writer.negated(parts[0][1])), *parts[1:]]
        return total(parts)

    def _mode(self, name: str, layout: Layout) -> Iterator[Part]:
        """Yield the terms that one index adds."""
        folded = ((_folded(s, self.known), _folded(d, self.known)) for s, d in layout.modes())
        modes = merged(folded, self.known)
        digits = [k for k, (_, stride) in enumerate(modes) if not self.known.same(stride, 0)]
        if self.shifts and not self.quotients and modes and digits:
            moves = _moves(modes, digits)
        else:
            moves = {}
        moved = {k for _, ks in moves.items() for k in ks}
        start = self.writer.name(name)
        for (distance, negative), places in moves.items():
            yield negative, self._moved(start, modes, places, distance)
        yield from self._digits(start, modes, [k for k in digits if k not in moved])

    def _digits(self, start: Term, modes: Modes, digits: list[int]) -> Iterator[Part]:
        """Yield digit times stride for the modes at the places `digits`."""
        quotient, since = start, 0  # `quotient` is the index over the extents before `since`
        for k in digits:
            divisor: Leaf = 1
            for extent, _ in modes[since:k]:
                divisor = divisor * extent
            here = self._over(quotient, divisor)
            last = k == len(modes) - 1
            if self.quotients and here is not quotient and not last and digits[-1] > k:
                quotient, since = self._name(here), k
                here = quotient
            extent, stride = modes[k]
            yield self._times(here if last else self._rest(here, extent), stride)

    def _name(self, quotient: Term) -> Term:
        """Return a new name for a quotient."""
        name = f"{self.quotients}{len(self.named) + 1}"
        if check_name(name, self.dialect) in self.taken:
            raise InputError(f"the name {name} is taken", "give quotients= another prefix")
        kind, end = ("const long long ", ";") if self.dialect is C else ("", "")
        self.named.append(f"{kind}{name} = {quotient.text}{end}")
        return self.writer.name(name)

    def _over(self, term: Term, divisor: Leaf) -> Term:
        if isinstance(divisor, int) and divisor == 1:
            return term
        power = self._power(divisor)
        if power is not None:
            return binary(">>", term, self.writer.integer(power))
        return self.writer.divided(term, self.writer.leaf(divisor))

    def _rest(self, term: Term, extent: Leaf) -> Term:
        if isinstance(extent, int) and self._power(extent) is not None:
            return binary("&", term, self.writer.integer(extent - 1))
        return binary("%", term, self.writer.leaf(extent))

    def _times(self, digit: Term, stride: Leaf) -> Part:
        """Return digit times stride, the sign of the stride apart."""
        negative = _negative(stride)
        factor = -stride if negative else stride
        if isinstance(factor, int) and factor == 1:
            return negative, digit
        power = self._power(factor)
        if power is not None:
            return negative, binary("<<", digit, self.writer.integer(power))
        return negative, binary("*", digit, self.writer.leaf(factor))

    def _power(self, value: Leaf) -> int | None:
        """Return k when shifts are wanted and the value is 2**k."""
        return _log2(value) if self.shifts else None

    def _moved(self, index: Term, modes: Modes, places: list[int], distance: int) -> Term:
        """Return the bits of the digits at `places`, moved up by `distance` (or down)."""
        low = [_bits(modes[:k]) for k in places]
        one_mask = distance == 0 < low[0] and _log2(modes[places[-1]][0]) is not None
        if places == [len(modes) - 1] and not one_mask:  # nothing lies above the last digit
            up = low[0] + distance
            index = _shifted(index, -low[0], self.writer)
            return _shifted(index, up, self.writer)
        mask = sum(
            ((1 << _bits(modes[k : k + 1])) - 1) << start
            for k, start in zip(places, low, strict=True)
        )
        if distance < 0 and low[0] == -distance:  # the smaller mask: after the shift
            index = _shifted(index, distance, self.writer)
            return binary("&", index, self.writer.integer(mask >> -distance))
        return _shifted(binary("&", index, self.writer.integer(mask)), distance, self.writer)


def _by_name(index: Index, layout: Layout, whole: Index) -> Iterator[tuple[str, Layout]]:
    """Yield each name of an index with the mode it stands for."""
    if isinstance(index, str):
        yield index, layout
        return
    fits = isinstance(index, (tuple, list)) and isinstance(layout.shape, tuple)
    if not fits or len(index) != layout.rank():
        raise InputError(
            f"the names {whole!r} do not fit the shape {show(layout.shape)}",
            "give one name, or one for each mode",
        )
    for item, mode in zip(index, layout, strict=True):
        yield from _by_name(item, mode, whole)


def _moves(modes: Modes, digits: list[int]) -> dict[tuple[int, bool], list[int]]:
    """Return the digits that are bits of the index, by how far and with which sign they move.

    A digit is a run of bits when all extents up to its own are powers of two, those before it and,
    unless it is the last, its own; it moves when its stride is a power of two.
    """
    moves: dict[tuple[int, bool], list[int]] = {}
    position = 0
    for k, (extent, stride) in enumerate(modes):
        bits, last = _log2(extent), k == len(modes) - 1
        power = _log2(abs(stride)) if isinstance(stride, int) else None
        if k in digits and power is not None and (last or bits is not None):
            # Only a last digit of known width can share a mask with others.
            key = (power - position, _negative(stride))
            if bits is not None or key not in moves:
                moves.setdefault(key, []).append(k)
        if bits is None:
            break
        position += bits
    return moves


def _bits(modes: Modes) -> int:
    """Return the bits that digits of these extents take, all of them powers of two."""
    return sum(_log2(extent) or 0 for extent, _ in modes)


def _log2(value: Leaf) -> int | None:
    """Return k when the value is the int 2**k, else None."""
    if isinstance(value, int) and value > 0 and value & (value - 1) == 0:
        return value.bit_length() - 1
    return None


def _shifted(term: Term, distance: int, writer: Writer) -> Term:
    if distance == 0:
        return term
    return binary("<<" if distance > 0 else ">>", term, writer.integer(abs(distance)))


def _negative(leaf: Any) -> bool:
    """Return whether a leaf is a negative int, or a product with a negative factor in front."""
    if isinstance(leaf, int):
        return leaf < 0
    return leaf.op != "+" and coefficient(leaf)[0] < 0


def _folded(leaf: Any, known: Entailment) -> Any:
    """Return an equal leaf without the rounding, minima and maxima that the facts decide."""
    if not isinstance(leaf, Expression) or leaf.op == "dim":
        return leaf
    args = [_folded(x, known) for x in leaf.args]
    result = _decided(leaf.op, args[0], args[1], known) if len(args) == 2 else None
    return rebuilt(leaf, args) if result is None else result


def _decided(kind: str, a: Any, b: Any, known: Entailment) -> Any:
    """Return the value of an integer function where the facts settle it, else None."""
    if kind in ("FloorDiv", "CeilDiv", "Modulo"):
        if known.divides(b, a):
            return 0 if kind == "Modulo" else divided(a, b)
        if kind != "CeilDiv" and known.at_most(0, a) and known.at_most(a + 1, b):
            return a if kind == "Modulo" else 0
    elif kind == "Minimum":
        return a if known.at_most(a, b) else b if known.at_most(b, a) else None
    elif kind == "Maximum":
        return b if known.at_most(a, b) else a if known.at_most(b, a) else None
    return None
