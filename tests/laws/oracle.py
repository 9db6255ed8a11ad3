"""Plain-loop definitions of what every claim and operation means, shared by the law tests.

Nothing here uses the prover, the polynomials, or `Layout.__call__`: leaves are evaluated by walking
the expression tree in fractions, layouts by the definition of colexicographic indexing. Only the
syntax trees of text are the project's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise, product
from math import prod
from typing import Any

from symcute.expr.parser import parse

Env = Mapping[str, int]
Modes = list[tuple[int, int]]
#: Guards (G, M): only the coordinates c with G(c) < M count.
Guards = Sequence[tuple[Modes, int]]


class Swizzled(Modes):
    """The modes of a layout, an offset that is added, and the fields of a swizzle after that."""

    fields: tuple[int, int, int]
    offset: int

    def turn(self, x: int) -> int:
        """Return an offset with each bit of one field exclusive-ored with one of the other."""
        bits, base, shift = self.fields
        x += self.offset
        low = x % (1 << (base + bits + abs(shift)))  # what is above neither turns nor is turned
        return x - low + _turned(low, bits, base, shift)


@lru_cache(maxsize=1 << 16)
def _turned(x: int, bits: int, base: int, shift: int) -> int:
    for k in range(base, base + bits):
        if x >> (k + max(shift, 0)) & 1:
            x ^= 1 << (k + max(-shift, 0))
    return x


class NoSuchLayout(Exception):
    """A leaf is not an integer here, or an extent is below 1."""


class TooLarge(Exception):
    """The domain is too large to enumerate."""


MAX_DOMAIN = 20_000


#: A number; whole ones are plain integers, which are faster.
Number = int | Fraction


def integer(x: Number) -> int:
    if x.denominator != 1:
        raise NoSuchLayout(f"{x} is not an integer")
    return int(x)


def fraction(leaf: Any, env: Env) -> Number:
    """Return the value of an expression tree; the arguments of // and % must be integers."""
    if isinstance(leaf, int):
        return leaf
    kind = leaf.op
    if kind == "dim":
        return env[leaf.args[0]]
    if kind == "/":
        return Fraction(*leaf.args)
    if kind == "+":
        return sum(fraction(x, env) for x in leaf.args)
    if kind == "*":
        return prod(fraction(x, env) for x in leaf.args)
    if kind == "**":
        base, exponent = fraction(leaf.args[0], env), leaf.args[1]
        if base == 0 and exponent < 0:
            raise NoSuchLayout("division by 0")
        return base**exponent if exponent >= 0 else Fraction(base) ** exponent
    a, b = (integer(fraction(x, env)) for x in leaf.args)
    if kind in ("FloorDiv", "CeilDiv", "Modulo", "Quotient") and b == 0:
        raise NoSuchLayout("division by 0")
    if kind == "Quotient":
        return integer(Fraction(a, b))
    functions = {
        "FloorDiv": lambda: a // b,
        "CeilDiv": lambda: -((-a) // b),
        "Modulo": lambda: a - b * (a // b),
        "Minimum": lambda: a if a < b else b,
        "Maximum": lambda: a if a > b else b,
    }
    return functions[kind]()


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
    found = [0]
    for s, d in flat:
        found = [x + k * d for k in range(s) for x in found]
    return [flat.turn(x) for x in found] if isinstance(flat, Swizzled) else found


def guarded(a: Modes, where: Guards) -> list[int]:
    """Return the offsets at the coordinates that the guards let through."""
    if not where:
        return image(a)
    rows = zip(image(a), *(image(g) for g, _ in where), strict=True)
    bounds = [bound for _, bound in where]
    return [x for x, *gs in rows if all(g < b for g, b in zip(gs, bounds, strict=True))]


def injective(a: Modes, where: Guards = ()) -> bool:
    offsets = guarded(a, where)
    return len(set(offsets)) == len(offsets)


def compact(a: Modes) -> bool:
    kept = type(a)((s, d) for s, d in a if d != 0)
    if isinstance(a, Swizzled) and isinstance(kept, Swizzled):
        kept.fields, kept.offset = a.fields, a.offset
    return bijective(kept)


def bijective(a: Modes) -> bool:
    return sorted(image(a)) == list(range(size(a)))


def in_bounds(a: Modes, bound: int, where: Guards = ()) -> bool:
    if size(a) > MAX_DOMAIN and not where and not isinstance(a, Swizzled):
        return not _outside(a, 0, bound)
    return all(0 <= x < bound for x in guarded(a, where))


def _outside(a: Modes, low: int, high: int) -> bool:
    """Return True when a corner of a large domain has an offset outside; else the size decides."""
    corners = product(*({0, s - 1} for s, _ in a))
    if any(not low <= sum(x * d for x, (_, d) in zip(c, a, strict=True)) < high for c in corners):
        return True
    raise TooLarge(size(a))


def covers(a: Modes, bound: int) -> bool:
    return set(small(max(bound, 0))) <= set(image(a))


def partition(a: Any, bound: Any) -> bool:
    if isinstance(bound, list):
        return all(partition(x, m) for x, m in zip(a, bound, strict=True))
    offsets = image(a)
    visits = [x for x in offsets if x < bound]
    return min(offsets) >= 0 and sorted(visits) == list(small(max(bound, 0)))


def monotone(a: Modes) -> bool:
    return all(x <= y for x, y in pairwise(image(a)))


def increasing(a: Modes) -> bool:
    return all(x < y for x, y in pairwise(image(a)))


def aligned(a: Modes, n: int) -> bool:
    return n >= 1 and all(x % n == 0 for x in image(a))


def apart(a: Modes, b: Modes, shift: int) -> bool:
    return not set(image(a)) & {shift + x for x in image(b)}


def no_overflow(a: Modes, bits: int) -> bool:
    """Return whether all products and partial sums fit, coordinate by coordinate."""
    low, high = -(1 << (bits - 1)), 1 << (bits - 1)
    if size(a) > MAX_DOMAIN:
        return not _outside(a, low, high)
    return all(
        low <= x < high
        for crd in product(*(range(s) for s, _ in a))
        for products in [[x * d for x, (_, d) in zip(crd, a, strict=True)]]
        for x in (*products, *accumulate(products))
    )


def computed(node: Any, env: Env, seen: list[int]) -> int:
    """Return the value of a syntax tree, and add it and all it was computed from to `seen`.

    A negative number is one number; parentheses only group.
    """
    if node.op == "paren":
        return computed(node.args[0], env, seen)
    if node.op == "int":
        value = node.args[0]
    elif node.op == "name":
        value = env[node.args[0]]
    elif node.op == "neg" and node.args[0].op == "int":
        value = -node.args[0].args[0]
    else:
        name, *args = node.args if node.op == "call" else (node.op, *node.args)
        value = _OPERATIONS[name](*(computed(x, env, seen) for x in args))
    seen.append(value)
    return int(value)


def _quotient(a: int, b: int) -> int:
    return integer(Fraction(a, _divisor(b)))


def _divisor(b: int) -> int:
    if b == 0:
        raise NoSuchLayout("division by 0")
    return b


_OPERATIONS: dict[str, Any] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "neg": lambda a: -a,
    "div": _quotient,
    "floordiv": lambda a, b: a // _divisor(b),
    "floor_div": lambda a, b: a // _divisor(b),
    "mod": lambda a, b: a % _divisor(b),
    "pow": lambda a, b: a**b,
    "shl": lambda a, b: a * 2**b,
    "shr": lambda a, b: a // 2**b,
    "ceil_div": lambda a, b: -(-a // _divisor(b)),
    "min": min,
    "max": max,
}


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
    if name == "joined":
        said = [holds(x, env) for x in claim.claims]
        if claim.op in ("and", "or"):
            return all(said) if claim.op == "and" else any(said)
        return not said[0] or (claim.op == "implies" and said[1])
    if name == "compatible":
        return compatible(_shape(claim.left), _shape(claim.right), env)
    if name == "refines":
        return compatible(_shape(claim.right), _shape(claim.left), env)
    if name in ("bank_conflict", "sectors", "coalesced"):
        return requests(claim, env)
    if name == "vectorizable":
        return vectorizable(claim, env)
    if name == "partition_exact":
        return partition_exact(claim, env)
    if name == "same_elements":
        one, other = (held(x, env) for x in (claim.left, claim.right))
        return one.keys() == other.keys() and all(set(one[t]) == set(other[t]) for t in one)
    if name == "no_overflow" and isinstance(claim.expression, str):
        seen: list[int] = []
        computed(parse(claim.expression), env, seen)
        return all(-(1 << (claim.bits - 1)) <= x < 1 << (claim.bits - 1) for x in seen)
    return bool(_MEANING[name](*(_argument(getattr(claim, f.name), env) for f in fields(claim))))


def held(layout: Any, env: Env) -> dict[int, list[int]]:
    """Return the elements that each thread holds; the threads are the first mode."""
    threads = prod(number(s, env) for s in leaves(layout.shape[0]))
    found: dict[int, list[int]] = {}
    for k, element in enumerate(image(modes(layout, env))):
        found.setdefault(k % threads, []).append(element)
    return found


def partition_exact(claim: Any, env: Env) -> bool:
    """Return whether each element of the tile is held that often, and nothing else is."""
    extents = [number(s, env) for s in leaves(claim.tile)]
    if min(extents) < 1:
        raise NoSuchLayout(f"extent {min(extents)}")
    elements = image(modes(claim.tv, env))
    often = [0] * len(small(prod(extents)))
    for x in elements:
        if not 0 <= x < len(often):
            return False
        often[x] += 1
    return set(often) == {number(claim.copies, env)}


def requests(claim: Any, env: Env) -> bool:
    """Return whether each request is aligned and costs what is said, word by word."""
    access = claim.access
    layout = _argument(access.layout, env)
    first = access.inner.shape[0] if isinstance(access.inner.shape, tuple) else access.inner.shape
    count = prod(number(s, env) for s in leaves(first))
    starts = [access.element_bits * (number(access.base, env) + x) for x in image(layout)]
    for k in range(0, len(starts), count):
        lanes = starts[k : k + count]  # the lanes are the first mode
        if any(x % access.width for x in lanes):
            return False
        if claim.name == "bank_conflict":
            together = 32 if access.width <= 32 else 1024 // access.width
            phases = [lanes[j : j + together] for j in range(0, count, together)]
            partners = [[(n, n ^ s) for n in range(count) if n ^ s < count] for s in (1, 2)]
            if any(all(lanes[n] == lanes[m] for n, m in pairs) for pairs in partners):
                phases += [lanes[j : j + 2 * together] for j in range(0, count, 2 * together)]
            costs = [max(_uses(x, access.width).values()) for x in phases]
        else:
            costs = [len(_units(lanes, access.width, 256))]
        full = -(-count * access.width // 256)
        most, least = (full, 0) if claim.name == "coalesced" else (claim.most, claim.least)
        if not all(least <= cost <= most for cost in costs):
            return False
    return True


def _uses(lanes: list[int], width: int) -> Counter[int]:
    """Return of how many different 32-bit words each of the 32 banks is asked for."""
    return Counter(word % 32 for word in _units(lanes, width, 32))


def _units(lanes: list[int], width: int, bits: int) -> set[int]:
    """Return the units of so many bits that the lanes touch, from first to last bit."""
    return {unit for x in lanes for unit in range(x // bits, (x + width - 1) // bits + 1)}


def vectorizable(claim: Any, env: Env) -> bool:
    """Return whether the index order makes whole, contiguous, aligned vectors."""
    offsets = image(_argument(claim.layout, env))
    v, base = claim.vector_bits // claim.element_bits, number(claim.base, env)
    return len(offsets) % v == 0 and all(
        (base + offsets[i - i % v]) % v == 0 and offsets[i] == offsets[i - i % v] + i % v
        for i in range(len(offsets))
    )


def _argument(x: Any, env: Env) -> Any:
    """Return a field of a claim at an instance: modes, a number, or a list of such."""
    if isinstance(x, tuple):
        return [_argument(y, env) for y in x]
    if hasattr(x, "swizzle"):
        found = Swizzled(modes(x.layout, env))
        found.offset = number(x.offset, env)
        found.fields = (x.swizzle.bits, x.swizzle.base, x.swizzle.shift)
        return found
    return modes(x, env) if hasattr(x, "shape") else number(x, env)


def _shape(x: Any) -> Any:
    return x.shape if hasattr(x, "shape") else x


_MEANING: dict[str, Any] = {
    "injective": injective,
    "bijective": bijective,
    "compact": compact,
    "same_image": lambda a, b: set(image(a)) == set(image(b)),
    "covers": covers,
    "partition": partition,
    "monotone": monotone,
    "increasing": increasing,
    "aligned": aligned,
    "apart": apart,
    "no_overflow": no_overflow,
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
