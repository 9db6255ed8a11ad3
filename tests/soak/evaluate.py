"""What claims mean, in plain integers, at one value of every dim.

Three answers: True, False, or `Senseless`: a `/` that is not exact, a divisor 0, an extent below 1,
wherever in the text it stands but right of an `implies` whose premise is false. Nothing of the
package is used; the definitions are those of the reference, by loops over all coordinates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import prod
from typing import Any

from .reading import Tree, names

Env = Mapping[str, int]
#: A shape, or strides: a number or a tuple of such.
Nested = Any
#: Larger layouts are not enumerated.
MOST = 4096


class Senseless(Exception):
    """The text has no value here."""


class Unclear(Exception):
    """The reference leaves open what is meant, or it takes too long to find out here."""


# --- numbers ------------------------------------------------------------------------------------


def _nonzero(b: int) -> int:
    if b == 0:
        raise Senseless("a divisor is 0")
    return b


def _exact(a: int, b: int) -> int:
    if a % _nonzero(b):
        raise Senseless(f"{b} does not divide {a}")
    return a // b


def _shifted(a: int, b: int, up: bool) -> int:
    if b < 0 or b > 4096:
        raise Senseless("a shift by a number below 0") if b < 0 else Unclear("a long shift")
    return a << b if up else a >> b


def _power(a: int, b: int) -> int:
    if b < 0:
        raise Senseless("an exponent below 0")
    if b > 512:
        raise Unclear("a large power")
    return int(a**b)


OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _exact,
    "//": lambda a, b: a // _nonzero(b),
    "%": lambda a, b: a % _nonzero(b),
    "**": _power,
    "<<": lambda a, b: _shifted(a, b, True),
    ">>": lambda a, b: _shifted(a, b, False),
    "floor_div": lambda a, b: a // _nonzero(b),
    "ceil_div": lambda a, b: -(-a // _nonzero(b)),
    "mod": lambda a, b: a % _nonzero(b),
    "exact_div": _exact,
    "min": min,
    "max": max,
}


def number(tree: Tree, env: Env, seen: list[int] | None = None) -> int:
    """Return the value of an expression; what it was computed from is added to `seen`."""
    op = tree[0]
    if op == "paren":
        return number(tree[1], env, seen)
    if op == "int":
        value = tree[1]
    elif op == "name":
        value = env[tree[1]]
    elif op == "neg":
        # A negative number is one number.
        value = -number(tree[1], env, None if tree[1][0] == "int" else seen)
    elif op in OPERATORS:
        value = OPERATORS[op](number(tree[1], env, seen), number(tree[2], env, seen))
    elif op == "call" and tree[1] in OPERATORS:
        parts = [number(x, env, seen) for x in tree[2:]]
        value = parts[0]
        for x in parts[1:]:
            value = OPERATORS[tree[1]](value, x)
    else:
        value = thing(tree, env)
        if isinstance(value, tuple) and len(value) == 1:
            (value,) = value
    if not isinstance(value, int) or isinstance(value, bool):
        raise Unclear(f"{op} where a number is expected")
    if seen is not None:
        seen.append(value)
    return value


# --- layouts ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Layout:
    """A layout; a swizzled one has the fields of its swizzle, and an offset before that."""

    shape: Nested
    stride: Nested
    swizzle: tuple[int, int, int] | None = None
    offset: int = 0
    #: Whether a stride that is no number in the text is 0 here, in a mode of extent above 1.
    vanishing: bool = False

    @property
    def modes(self) -> list[tuple[int, int]]:
        return list(zip(leaves(self.shape), leaves(self.stride), strict=True))

    @property
    def size(self) -> int:
        return prod(leaves(self.shape))

    def turned(self, x: int) -> int:
        return x if self.swizzle is None else swizzled(self.offset + x, *self.swizzle)

    def image(self) -> list[int]:
        """Return all offsets, in the order of the index."""
        if self.size > MOST:
            raise Unclear(f"{self.size} coordinates")
        return _image(self)

    def at(self, index: int) -> int:
        """Return the offset of any index; the last mode takes what is left."""
        *inner, (_, last) = self.modes or [(1, 0)]
        total = 0
        for s, d in inner:
            total += index % s * d
            index //= s
        return self.turned(total + index * last)


@lru_cache(maxsize=4096)
def _image(layout: Layout) -> list[int]:
    found = [0]
    for s, d in layout.modes:
        found = [x + k * d for k in range(s) for x in found]
    return [layout.turned(x) for x in found]


def swizzled(x: int, bits: int, base: int, shift: int) -> int:
    """Return x with bits [base, base+bits) turned by those `shift` above, or the other way."""
    for k in range(base, base + bits):
        if shift >= 0:
            x ^= (x >> (k + shift) & 1) << k
        else:
            x ^= (x >> k & 1) << (k - shift)
    return x


def leaves(t: Nested) -> Iterator[int]:
    if isinstance(t, tuple):
        for x in t:
            yield from leaves(x)
    else:
        yield t


def nested(tree: Tree, env: Env) -> Nested:
    """Return a shape or strides; parentheses around one item make a tuple of one."""
    if tree[0] in ("tuple", "paren"):
        return tuple(nested(x, env) for x in tree[1:])
    return number(tree, env)


def _same_form(a: Nested, b: Nested) -> bool:
    if isinstance(a, tuple) != isinstance(b, tuple):
        return False
    if not isinstance(a, tuple):
        return True
    return len(a) == len(b) and all(map(_same_form, a, b))


def _columns(shape: Nested) -> Nested:
    """Return the column-major strides of a shape."""
    strides = accumulate(leaves(shape), lambda a, b: a * b, initial=1)

    def build(s: Nested) -> Nested:
        return tuple(build(x) for x in s) if isinstance(s, tuple) else next(strides)

    return build(shape)


def _literal(tree: Tree) -> Iterator[bool]:
    """Yield of each leaf of strides whether it is written as a number."""
    if tree[0] in ("tuple", "paren"):
        for x in tree[1:]:
            yield from _literal(x)
    else:
        yield not names(tree)


def plain(tree: Tree, env: Env) -> Layout:
    """Return a layout as it is written: `shape:stride`, or a shape, whose columns are counted."""
    literal: list[bool] = []
    if tree[0] == "layout":
        if (tree[1][0] == "paren") != (tree[2][0] == "paren"):  # then they only group
            tree = ("layout", ungrouped(tree[1]), ungrouped(tree[2]))
        shape, stride = nested(tree[1], env), nested(tree[2], env)
        literal = list(_literal(tree[2]))
    else:
        shape = nested(tree, env)
        stride = _columns(shape)
    if not _same_form(shape, stride):
        raise Unclear("shape and stride differ in form")
    extents = list(leaves(shape))
    if not extents or min(extents) < 1:
        raise Senseless("an extent is below 1")
    strides = zip(leaves(stride), extents, literal, strict=False)
    return Layout(shape, stride, vanishing=any(d == 0 < s - 1 and not x for d, s, x in strides))


def thing(tree: Tree, env: Env) -> Any:
    """Return the value of a tree: a number, a tuple, or a layout."""
    op = tree[0]
    if op == "layout":
        return plain(tree, env)
    if op == "compose":
        chain = [tree[2]]
        while tree[1][0] == "compose":
            tree = tree[1]
            chain.insert(0, tree[2])
        chain.insert(0, tree[1])
        if chain[0][0] != "swizzle" or len(chain) > 3:
            raise Unclear("a composition")
        inner = plain(bare(chain[-1]), env)
        offset = number(chain[1], env) if len(chain) == 3 else 0
        return Layout(inner.shape, inner.stride, chain[0][1:], offset, inner.vanishing)
    if op in ("tuple", "paren"):
        return tuple(thing(x, env) for x in tree[1:])
    if op == "call" and tree[1] in FUNCTIONS:
        return FUNCTIONS[tree[1]](tree[2:], env)
    if op in ("call", "apply", "any", "basis", "swizzle") and tree[1:2] not in [
        (k,) for k in OPERATORS
    ]:
        raise Unclear(f"the value of {tree[:2]}")
    return number(tree, env)


def bare(tree: Tree) -> Tree:
    """Drop parentheses around a layout; around a number they make a tuple."""
    core = ungrouped(tree)
    made = core[0] == "call" and core[1] not in OPERATORS
    return core if made or core[0] in ("layout", "compose") else tree


def layout(tree: Tree, env: Env) -> Layout:
    """Return what stands for a layout."""
    tree = bare(tree)
    value = thing(tree, env) if tree[0] in ("layout", "compose", "call") else None
    if isinstance(value, Layout):
        return value
    return plain(tree, env) if value is None or isinstance(value, int) else _of_shape(value)


def _of_shape(shape: Nested) -> Layout:
    if min(leaves(shape), default=0) < 1:
        raise Senseless("an extent is below 1")
    return Layout(shape, _columns(shape))


# --- functions of layouts -----------------------------------------------------------------------


def _mode(args: tuple[Tree, ...], env: Env) -> Layout:
    """Return a layout, or the mode of it that the numbers behind it name."""
    found = layout(args[0], env)
    for x in args[1:]:
        k = number(x, env)
        if not isinstance(found.shape, tuple) or not 0 <= k < len(found.shape):
            raise Unclear("a mode that is not there")
        found = Layout(found.shape[k], found.stride[k], vanishing=found.vanishing)
    return found


def _depth(t: Nested) -> int:
    return 1 + max(map(_depth, t), default=0) if isinstance(t, tuple) else 0


def _cosize(a: Layout) -> int:
    if a.swizzle is not None:
        return max(a.image()) + 1
    return 1 + sum((s - 1) * abs(d) for s, d in a.modes)


def _select(args: tuple[Tree, ...], env: Env) -> Layout:
    whole = layout(args[0], env)
    picked = [_mode((args[0], x), env) for x in args[1:]]
    return Layout(
        tuple(x.shape for x in picked), tuple(x.stride for x in picked), vanishing=whole.vanishing
    )


def _flatten(args: tuple[Tree, ...], env: Env) -> Layout:
    a = layout(args[0], env)
    if not isinstance(a.shape, tuple):
        return a
    shape, stride = tuple(leaves(a.shape)), tuple(leaves(a.stride))
    return Layout(shape, stride, a.swizzle, a.offset, a.vanishing)


FUNCTIONS: dict[str, Callable[[tuple[Tree, ...], Env], Any]] = {
    "size": lambda args, env: _mode(args, env).size,
    "cosize": lambda args, env: _cosize(_mode(args, env)),
    "rank": lambda args, env: len(s) if isinstance(s := _mode(args, env).shape, tuple) else 1,
    "depth": lambda args, env: _depth(_mode(args, env).shape),
    "shape": lambda args, env: _mode(args, env).shape,
    "stride": lambda args, env: _mode(args, env).stride,
    "get": _mode,
    "select": _select,
    "flatten": _flatten,
}


# --- formulas -----------------------------------------------------------------------------------

_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<=": lambda a, b: a <= b,
    "<": lambda a, b: a < b,
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
    "|": lambda a, b: a != 0 and b % a == 0,
}


def is_formula(tree: Tree) -> bool:
    while tree[0] == "paren":
        tree = tree[1]
    return tree[0] in _COMPARED or tree[0] in ("and", "or", "not", "implies")


def formula(tree: Tree, env: Env) -> bool:
    """Return whether a formula is true; every part must make sense, but behind a false premise."""
    op = tree[0]
    if op == "paren":
        return formula(tree[1], env)
    if op == "not":
        return not formula(tree[1], env)
    if op == "implies":
        return formula(tree[2], env) if formula(tree[1], env) else True
    if op in ("and", "or"):
        values = [formula(x, env) for x in tree[1:]]
        return all(values) if op == "and" else any(values)
    if op not in _COMPARED:
        raise Unclear(f"{op} where a formula is expected")
    left, right = (ungrouped(x) for x in tree[1:])
    if right == ("int", 0) and op in ("==", "!=") and left[0] == "%":
        # `x % c == 0` says that c divides x, and 0 divides nothing.
        a, b = (number(x, env) for x in left[1:])
        if b == 0 and op == "!=":
            raise Unclear("x % 0 != 0")
        return (b != 0 and a % b == 0) == (op == "==")
    if left == ("int", 0) and op in ("==", "!=") and right[0] == "%":
        b = number(right[2], env)
        if b == 0:
            raise Unclear("0 == x % 0")
    a, b = (_compared(x, env) for x in (left, right))
    if isinstance(a, tuple) or isinstance(b, tuple):
        if op not in ("==", "!="):
            raise Unclear("tuples in an order")
        return (a == b) == (op == "==")
    return _COMPARED[op](a, b)


def ungrouped(tree: Tree) -> Tree:
    while tree[0] == "paren":
        tree = tree[1]
    return tree


def _compared(tree: Tree, env: Env) -> Any:
    value = thing(tree, env) if tree[0] in ("tuple", "call", "layout") else number(tree, env)
    if isinstance(value, Layout):
        raise Unclear("a layout in a relation")
    return value
