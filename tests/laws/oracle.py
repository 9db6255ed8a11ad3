"""Plain-loop definitions of what every claim and operation means, shared by the law tests.

Nothing here uses the prover, the polynomials, or `Layout.__call__`: leaves are evaluated by walking
the expression tree in fractions, layouts by the definition of colexicographic indexing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from typing import Any

Env = Mapping[str, int]
Modes = list[tuple[int, int]]


class NoSuchLayout(Exception):
    """A leaf is not an integer here, or an extent is below 1."""


class TooLarge(Exception):
    """The domain is too large to enumerate."""


MAX_DOMAIN = 20_000


def integer(x: Fraction) -> int:
    if x.denominator != 1:
        raise NoSuchLayout(f"{x} is not an integer")
    return int(x)


def fraction(leaf: Any, env: Env) -> Fraction:
    """Return the value of an expression tree; the arguments of // and % must be integers."""
    if isinstance(leaf, int):
        return Fraction(leaf)
    if leaf.is_Symbol:
        return Fraction(env[leaf.name])
    if leaf.is_Rational:
        return Fraction(int(leaf.p), int(leaf.q))
    if leaf.is_Add:
        return sum((fraction(x, env) for x in leaf.args), Fraction(0))
    if leaf.is_Mul:
        return prod((fraction(x, env) for x in leaf.args), start=Fraction(1))
    if leaf.is_Pow:
        base, exponent = fraction(leaf.base, env), int(leaf.exp)
        if base == 0 and exponent < 0:
            raise NoSuchLayout("division by 0")
        return base**exponent
    a, b = (integer(fraction(x, env)) for x in leaf.args)
    kind = type(leaf).__name__
    if kind in ("FloorDiv", "CeilDiv", "Modulo") and b == 0:
        raise NoSuchLayout("division by 0")
    functions = {
        "FloorDiv": lambda: a // b,
        "CeilDiv": lambda: -((-a) // b),
        "Modulo": lambda: a - b * (a // b),
        "Minimum": lambda: a if a < b else b,
        "Maximum": lambda: a if a > b else b,
    }
    return Fraction(functions[kind]())


def number(leaf: Any, env: Env) -> int:
    return integer(fraction(leaf, env))


def leaves(t: Any) -> Iterator[Any]:
    if isinstance(t, tuple):
        for x in t:
            yield from leaves(x)
    else:
        yield t


def modes(layout: Any, env: Env) -> Modes:
    """Return the flat (extent, stride) pairs of a layout at an instance."""
    shape = [number(x, env) for x in leaves(layout.shape)]
    stride = [number(x, env) for x in leaves(layout.stride)]
    if min(shape) < 1:
        raise NoSuchLayout(f"extent {min(shape)}")
    return list(zip(shape, stride, strict=True))


def size(flat: Modes) -> int:
    return prod(s for s, _ in flat)


def at(flat: Modes, index: int) -> int:
    """Return the offset of a 1-D index; the last mode takes what is left."""
    total = 0
    for s, d in flat[:-1]:
        total += index % s * d
        index //= s
    return total + index * flat[-1][1]


def small(n: int) -> range:
    if n > MAX_DOMAIN:
        raise TooLarge(n)
    return range(n)


def image(flat: Modes) -> list[int]:
    """Return all offsets in colexicographic order, from the natural coordinates."""
    small(size(flat))
    reverse = product(*(range(s) for s, _ in reversed(flat)))
    return [sum(x * d for x, (_, d) in zip(crd[::-1], flat, strict=True)) for crd in reverse]


def injective(a: Modes) -> bool:
    offsets = image(a)
    return len(set(offsets)) == len(offsets)


def bijective(a: Modes) -> bool:
    return sorted(image(a)) == list(range(size(a)))


def in_bounds(a: Modes, bound: int) -> bool:
    return all(0 <= x < bound for x in image(a))


def equal(a: Modes, b: Modes) -> bool:
    return size(a) == size(b) and image(a) == image(b)


def disjoint(a: Modes, b: Modes) -> bool:
    return set(image(a)) & set(image(b)) <= {0}


def is_complement(b: Modes, a: Modes, cotarget: int) -> bool:
    increasing = all(x < y for x, y in pairwise(image(b)))
    filtered = prod(s for s, d in a if d != 0)
    return disjoint(a, b) and increasing and filtered * size(b) >= cotarget


def is_composition(c: Modes, a: Modes, b: Modes) -> bool:
    return size(c) == size(b) and all(at(c, i) == at(a, at(b, i)) for i in small(size(b)))


def is_right_inverse(r: Modes, a: Modes) -> bool:
    return all(at(a, at(r, i)) == i for i in small(size(r)))


def is_left_inverse(inverse: Modes, a: Modes) -> bool:
    return all(at(inverse, at(a, i)) == i for i in small(size(a)))


def compatible(a: Any, b: Any, env: Env) -> bool:
    if not isinstance(a, tuple):
        return number(a, env) == prod(number(x, env) for x in leaves(b))
    if not isinstance(b, tuple) or len(a) != len(b):
        return False
    parts = [compatible(x, y, env) for x, y in zip(a, b, strict=True)]  # all must be integers
    return all(parts)


def formula(f: Any, env: Env) -> bool:
    """Evaluate a formula; a part that is not an integer raises where it matters (Kleene)."""
    if f.op in ("true", "false"):
        return bool(f.op == "true")
    if f.op == "not":
        return not formula(f.args[0], env)
    if f.op in ("and", "or", "implies"):
        decisive = f.op != "and"
        undefined = None
        for n, x in enumerate(f.args):
            try:
                value = formula(x, env)
            except NoSuchLayout as error:
                undefined = error
                continue
            if (not value if f.op == "implies" and n == 0 else value) == decisive:
                return decisive
        if undefined is not None:
            raise undefined
        return not decisive
    a, b = (number(x, env) for x in f.args)
    if f.op == "divides":
        return a != 0 and b % a == 0
    return {"eq": a == b, "ne": a != b, "le": a <= b, "lt": a < b}[f.op]


def holds(claim: Any, env: Env) -> bool:
    """Return whether a claim is true at an instance, by its definition.

    Raises NoSuchLayout where a layout of the claim is none, TooLarge where loops take too long.
    """
    name = claim.name
    if name == "holds":
        return formula(claim.formula, env)
    if name == "compatible":
        return compatible(_shape(claim.left), _shape(claim.right), env)
    args = []
    for field in claim.__dataclass_fields__:
        if field != "name":
            x = getattr(claim, field)
            args.append(modes(x, env) if hasattr(x, "shape") else number(x, env))
    return bool(_MEANING[name](*args))


def _shape(x: Any) -> Any:
    return x.shape if hasattr(x, "shape") else x


_MEANING: dict[str, Any] = {
    "injective": injective,
    "bijective": bijective,
    "in_bounds": in_bounds,
    "equal": equal,
    "disjoint": disjoint,
    "is_complement": is_complement,
    "is_composition": is_composition,
    "is_right_inverse": is_right_inverse,
    "is_left_inverse": is_left_inverse,
}


def layout_of(values: list[int]) -> Modes | None:
    """Return modes of a layout of size len(values) with exactly these values, or None."""
    n = len(values)
    if n == 1:
        return [] if values[0] == 0 else None
    if values[0] != 0:
        return None
    for extent in range(2, n + 1):
        if n % extent:
            continue
        step = values[1]
        rest = values[::extent]
        if all(values[i] == i % extent * step + rest[i // extent] for i in range(n)):
            below = layout_of(rest)
            if below is not None:
                return [(extent, step), *below]
    return None


def composition_exists(a: Modes, b: Modes) -> bool:
    """Return whether some layout with the hierarchy of b is the map i -> a(b(i))."""
    small(size(b))
    strides = [d for _, d in b]
    columns = []
    for s, d in b:
        column = [at(a, x * d) for x in range(s)]
        if layout_of(column) is None:
            return False
        columns.append(column)
    for crd in product(*(range(s) for s, _ in b)):
        whole = at(a, sum(x * d for x, d in zip(crd, strides, strict=True)))
        if whole != sum(column[x] for column, x in zip(columns, crd, strict=True)):
            return False
    return True
