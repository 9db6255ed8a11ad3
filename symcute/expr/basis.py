"""Coordinate strides: scaled basis elements `2@1`, and arithmetic tuples, which are their sums.

`E(0)` is `(1,0,...)`, `E(0, 1)` is `((0,1,...),0,...)`. A layout whose strides are such elements
maps coordinates to coordinates; `make_identity_layout` maps each natural coordinate to itself. CuTe
writes the modes from the inside out: `E(0, 1)` prints as `1@1@0`, and our text reads it so.

Source: cute/numeric/arithmetic_tuple.hpp; CuTe white paper, section on strides and integer-modules.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from symcute.errors import InputError
from symcute.expr.htuple import HTuple, Leaf, leaves, show, show_leaf

__all__ = [
    "ArithmeticTuple",
    "E",
    "ScaledBasis",
    "as_arithmetic_tuple",
    "canonical",
    "check_summable",
    "fit",
    "make_basis_like",
    "number",
    "require_integers",
    "rescaled",
    "scaled",
]


class ScaledBasis:
    """The coordinate that has `value` in the mode that `modes` names, outermost first, and 0 else.

    Immutable and hashable. Make one with `E(0, 1)`, scale it with `*`; sums are arithmetic tuples.
    Errors: InputError for no modes or modes that are not integers of at least 0.

    >>> print(2 * E(1), -E(0, 1), E(0) + 3 * E(1, 0))
    2@1 -1@1@0 (1,(3))
    """

    __slots__ = ("modes", "value")
    value: Any
    modes: tuple[int, ...]

    #: NumPy leaves `array * basis` to us: the result is one basis element with an array in it.
    __array_ufunc__ = None

    def __init__(self, value: Leaf, modes: Iterable[int]) -> None:
        path = tuple(modes) if isinstance(modes, Iterable) else (modes,)
        if not path or not all(type(m) is int and m >= 0 for m in path):
            raise InputError(f"{path} names no mode", "give modes such as E(0) or E(0, 1)")
        object.__setattr__(self, "value", value)
        object.__setattr__(self, "modes", path)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a ScaledBasis is immutable")

    def __reduce__(self) -> Any:
        return ScaledBasis, (self.value, self.modes)

    def __eq__(self, other: object) -> bool:
        """Return whether mode and value are the same."""
        if not isinstance(other, ScaledBasis):
            return NotImplemented
        return self.modes == other.modes and bool(self.value == other.value)

    def __hash__(self) -> int:
        return hash((ScaledBasis, self.value, self.modes))

    def __str__(self) -> str:
        """Return the text that CuTe prints; a value that is a sum or product gets parentheses."""
        value = show_leaf(self.value)
        if not (isinstance(self.value, int) or value.isidentifier()):
            value = f"({value})"
        return "@".join((value, *(str(m) for m in reversed(self.modes))))

    def __repr__(self) -> str:
        return str(self)

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __mul__(self, factor: Any) -> ScaledBasis:
        """Return the element scaled by an int, an expression in dims, or an array of ints."""
        if isinstance(factor, (ScaledBasis, tuple)):
            _refuse(f"{self} * {factor}", "scale a basis element by a number")
        return ScaledBasis(self.value * factor, self.modes)

    __rmul__ = __mul__

    def __neg__(self) -> ScaledBasis:
        return self * -1

    def __add__(self, other: Any) -> Any:
        """Return the sum as an arithmetic tuple; 0 adds nothing."""
        return _add(self, other)

    def __radd__(self, other: Any) -> Any:
        return _add(other, self)

    def __sub__(self, other: Any) -> Any:
        return _add(self, -other)

    def __rsub__(self, other: Any) -> Any:
        return _add(other, -self)


class ArithmeticTuple(tuple[Any, ...]):
    """A tuple that adds by component; the shorter one is taken to end in zeros.

    >>> ArithmeticTuple((1, 2)) + ArithmeticTuple((10, (3, 4), 5))
    Traceback (most recent call last):
    symcute.errors.InputError: 2 + (3,4) adds a number and a tuple; ...
    >>> ArithmeticTuple((1, 0)) + ArithmeticTuple((10, (3, 4), 5)) == (11, (3, 4), 5)
    True
    """

    __slots__ = ()
    __array_ufunc__ = None

    def __add__(self, other: Any) -> Any:
        return _add(self, other)

    def __radd__(self, other: Any) -> Any:
        return _add(other, self)

    def __neg__(self) -> ArithmeticTuple:
        return self * -1

    def __sub__(self, other: Any) -> Any:
        return _add(self, -other)

    def __rsub__(self, other: Any) -> Any:
        return _add(other, -self)

    def __mul__(self, factor: Any) -> ArithmeticTuple:
        return ArithmeticTuple(x * factor for x in self)

    __rmul__ = __mul__

    def __str__(self) -> str:
        return show(self)

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


def E(*modes: int) -> Any:
    """Return the unit element of the mode; `E()` is the number 1.

    >>> print(E(0), E(0, 1), E())
    1@0 1@1@0 1
    """
    return scaled(1, modes)


def scaled(value: Leaf, modes: Iterable[int]) -> Any:
    """Return `value` in the mode that `modes` names, outermost first; without modes the number.

    >>> print(scaled(2, (1,)), scaled(2, ()))
    2@1 2
    """
    path = tuple(modes)
    return ScaledBasis(value, path) if path else value


def make_basis_like(shape: HTuple) -> HTuple:
    """Return the basis element of every leaf of a shape, congruent to it.

    >>> from symcute.expr.htuple import show
    >>> show(make_basis_like((4, (2, 3)))), make_basis_like(8)
    ('(1@0,(1@0@1,1@1@1))', 1)
    """

    def build(t: HTuple, path: tuple[int, ...]) -> HTuple:
        if isinstance(t, tuple):
            return tuple(build(x, (*path, k)) for k, x in enumerate(t))
        return E(*path)

    return build(shape, ())


def as_arithmetic_tuple(x: Any) -> Any:
    """Return a basis element, or a tuple with such in it, as an arithmetic tuple.

    >>> print(as_arithmetic_tuple(5 * E(1, 2)))
    (0,(0,0,5))
    >>> as_arithmetic_tuple(7)
    7
    """
    if isinstance(x, ScaledBasis):
        value = x.value
        for m in reversed(x.modes):
            value = ArithmeticTuple((*((0,) * m), value))
        return value
    if isinstance(x, tuple):
        return ArithmeticTuple(as_arithmetic_tuple(y) for y in x)
    return x


def canonical(x: Any) -> Any:
    """Return a value of a layout without trailing zeros: equal values become equal objects.

    >>> canonical(2 * E(0)) == canonical(ArithmeticTuple((2, (0, 0)))) == (2,)
    True
    >>> canonical(0 * E(1)), canonical(3)
    (0, 3)
    """
    x = as_arithmetic_tuple(x)
    if not isinstance(x, tuple):
        return x
    parts = [canonical(y) for y in x]
    while parts and isinstance(parts[-1], int) and parts[-1] == 0:
        parts.pop()
    return tuple(parts) if parts else 0


def fit(crd: Any, shape: HTuple) -> Any:
    """Return a coordinate that a layout gave as a coordinate of `shape`: zeros are added.

    >>> fit(2 * E(0), (4, (2, 3))), fit(ArithmeticTuple((1, 5)), (4, (2, 3)))
    ((2, 0), (1, 5))
    """
    crd = as_arithmetic_tuple(crd)
    if not isinstance(crd, ArithmeticTuple) or not isinstance(shape, tuple):
        return crd
    padded = (*crd, *((0,) * (len(shape) - len(crd))))
    return tuple(fit(c, s) for c, s in zip(padded, shape, strict=False)) + tuple(crd[len(shape) :])


def check_summable(strides: Iterable[Any]) -> None:
    """Raise unless sums of multiples of the strides make sense.

    Errors: InputError for a number other than 0 beside a basis element, and for two elements of
    which one names a mode inside the other's.

    >>> check_summable([E(0), E(1), 0])
    >>> check_summable([E(0), 1])
    Traceback (most recent call last):
    symcute.errors.InputError: the strides 1@0 and 1 have no sum; ...
    """
    seen: list[Any] = []
    for d in strides:
        for other in seen:
            if not _summable(other, d):
                raise InputError(
                    f"the strides {show_leaf(other)} and {show_leaf(d)} have no sum",
                    "give each its own mode, or use numbers only",
                )
        if d not in seen:
            seen.append(d)


def _summable(a: Any, b: Any) -> bool:
    if isinstance(a, ScaledBasis) and isinstance(b, ScaledBasis):
        common = min(len(a.modes), len(b.modes))
        return a.modes == b.modes or a.modes[:common] != b.modes[:common]
    if isinstance(a, ScaledBasis) or isinstance(b, ScaledBasis):
        number = b if isinstance(a, ScaledBasis) else a
        return isinstance(number, int) and number == 0
    return True


def require_integers(stride: HTuple, operation: str) -> None:
    """Raise where a stride is a coordinate, for an operation that needs numbers.

    Errors: InputError naming the stride.

    >>> require_integers((1, 2 * E(0)), "complement")
    Traceback (most recent call last):
    symcute.errors.InputError: complement of the coordinate stride 2@0; ...
    """
    for d in leaves(stride):
        if isinstance(d, ScaledBasis):
            raise InputError(
                f"{operation} of the coordinate stride {d}",
                "it is defined for strides that are numbers",
            )


def number(leaf: Any) -> Any:
    """Return the number of a stride leaf: of a basis element its value.

    >>> number(3 * E(0)), number(3)
    (3, 3)
    """
    return leaf.value if isinstance(leaf, ScaledBasis) else leaf


def rescaled(leaf: Any, value: Leaf) -> Any:
    """Return the stride leaf with its number replaced.

    >>> print(rescaled(3 * E(0), 5), rescaled(3, 5))
    5@0 5
    """
    return ScaledBasis(value, leaf.modes) if isinstance(leaf, ScaledBasis) else value


def _add(a: Any, b: Any) -> Any:
    if isinstance(a, int) and a == 0:
        return b
    if isinstance(b, int) and b == 0:
        return a
    x, y = as_arithmetic_tuple(a), as_arithmetic_tuple(b)
    if isinstance(x, tuple) and isinstance(y, tuple):
        short, long = sorted((x, y), key=len)
        head = (_add(c, d) for c, d in zip(short, long, strict=False))
        return ArithmeticTuple((*head, *long[len(short) :]))
    if isinstance(x, tuple) or isinstance(y, tuple):
        _refuse(
            f"{show(a)} + {show(b)} adds a number and a tuple", "add coordinates of one hierarchy"
        )
    return x + y


def _refuse(what: str, fix: str) -> NoReturn:
    raise InputError(what, fix)
