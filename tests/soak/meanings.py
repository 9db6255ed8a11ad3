"""What each kind of claim means, by loops over all coordinates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import accumulate, pairwise
from itertools import product as coordinates
from math import prod
from typing import Any

from .evaluate import (
    MOST,
    Env,
    Layout,
    Nested,
    Senseless,
    Unclear,
    bare,
    formula,
    layout,
    leaves,
    number,
    thing,
)
from .reading import Tree, names, read


def _guards(args: tuple[Tree, ...], env: Env, whole: Layout) -> list[bool]:
    """Return of each coordinate whether the guards let it through."""
    rows: list[list[int]] = []
    bounds = []
    for tree in args:
        if tree[:2] != ("call", "where"):
            raise Unclear("no guard")
        guard = layout(tree[2], env)
        if list(leaves(guard.shape)) != list(leaves(whole.shape)):
            raise Unclear("a guard of another shape")
        rows.append(guard.image())
        bounds.append(number(tree[3], env))
    every = zip(*rows, strict=True) if rows else ((),) * whole.size
    return [all(g < b for g, b in zip(gs, bounds, strict=True)) for gs in every]


def _let_through(args: tuple[Tree, ...], env: Env, whole: Layout) -> list[int]:
    offsets = whole.image()
    return [x for x, yes in zip(offsets, _guards(args, env, whole), strict=True) if yes]


def _injective(args: tuple[Tree, ...], env: Env) -> bool:
    offsets = _let_through(args[1:], env, layout(args[0], env))
    return len(set(offsets)) == len(offsets)


def _in_bounds(args: tuple[Tree, ...], env: Env) -> bool:
    whole, bound = layout(args[0], env), number(args[1], env)
    if len(args) == 2 and whole.swizzle is None:
        low = sum(min(0, (s - 1) * d) for s, d in whole.modes)
        return low >= 0 and sum(max(0, (s - 1) * d) for s, d in whole.modes) < bound
    return all(0 <= x < bound for x in _let_through(args[2:], env, whole))


def _onto(a: Layout) -> bool:
    return sorted(a.image()) == list(range(a.size))


def _compact(args: tuple[Tree, ...], env: Env) -> bool:
    a = layout(args[0], env)
    if a.vanishing:
        raise Unclear("a stride that is 0 here only")
    modes = [(s, d) for s, d in a.modes if d != 0] or [(1, 0)]
    shape, stride = (tuple(m[k] for m in modes) for k in (0, 1))
    return _onto(Layout(shape, stride, a.swizzle, a.offset))


def _covers(args: tuple[Tree, ...], env: Env) -> bool:
    offsets, bound = set(layout(args[0], env).image()), number(args[1], env)
    return bound <= len(offsets) and all(m in offsets for m in range(bound))


def _partition(args: tuple[Tree, ...], env: Env) -> bool:
    pairs = [args]
    if args[1][0] == "tuple":
        pairs = list(zip(args[0][1:], args[1][1:], strict=True))
    values = [(layout(a, env), number(b, env)) for a, b in pairs]
    return all(_tiles(a, bound) for a, bound in values)


def _tiles(a: Layout, bound: int) -> bool:
    offsets = a.image()
    visits = sorted(x for x in offsets if x < bound)
    return min(offsets) >= 0 and len(visits) == max(bound, 0) and visits == list(range(bound))


def _equal(args: tuple[Tree, ...], env: Env) -> bool:
    a, b = (layout(x, env) for x in args)
    return a.size == b.size and a.image() == b.image()


def _fits(a: Nested, b: Nested) -> bool:
    """Return whether shape a is compatible with shape b."""
    if not isinstance(a, tuple):
        return bool(a == prod(leaves(b)))
    return isinstance(b, tuple) and len(a) == len(b) and all(map(_fits, a, b))


def _shape(tree: Tree, env: Env) -> Nested:
    value = thing(bare(tree), env)
    return value.shape if isinstance(value, Layout) else value


def _compatible(args: tuple[Tree, ...], env: Env) -> bool:
    a, b = (_shape(x, env) for x in args)
    return _fits(a, b)


def _refines(args: tuple[Tree, ...], env: Env) -> bool:
    a, b = (_shape(x, env) for x in args)
    return _fits(b, a)


def _disjoint(a: Layout, b: Layout) -> bool:
    return set(a.image()) & set(b.image()) <= {0}


def _apart(args: tuple[Tree, ...], env: Env) -> bool:
    a, b = (layout(x, env) for x in args[:2])
    shift = number(args[2], env) if len(args) > 2 else 0
    return not set(a.image()) & {shift + x for x in b.image()}


def _is_complement(args: tuple[Tree, ...], env: Env) -> bool:
    b, a, bound = layout(args[0], env), layout(args[1], env), number(args[2], env)
    if a.vanishing:
        raise Unclear("a stride that is 0 here only")
    grows = all(x < y for x, y in pairwise(b.image()))
    moving = prod(s for s, d in a.modes if d != 0)
    return _disjoint(a, b) and grows and moving * b.size >= bound


def _is_composition(args: tuple[Tree, ...], env: Env) -> bool:
    c, a, b = (layout(x, env) for x in args)
    if c.size != b.size:
        return False
    if b.image() and min(b.image()) < 0:
        raise Unclear("a negative index")
    return all(x == a.at(y) for x, y in zip(c.image(), b.image(), strict=True))


def _is_right_inverse(args: tuple[Tree, ...], env: Env) -> bool:
    r, a = (layout(x, env) for x in args)
    if min(r.image()) < 0:
        raise Unclear("a negative index")
    return all(a.at(x) == i for i, x in enumerate(r.image()))


def _is_left_inverse(args: tuple[Tree, ...], env: Env) -> bool:
    inverse, a = (layout(x, env) for x in args)
    if min(a.image()) < 0:
        raise Unclear("a negative index")
    return all(inverse.at(x) == i for i, x in enumerate(a.image()))


def _held(a: Layout) -> dict[int, list[int]]:
    if not isinstance(a.shape, tuple) or len(a.shape) < 2:
        raise Unclear("no thread and value")
    threads = prod(leaves(a.shape[0]))
    found: dict[int, list[int]] = {}
    for k, x in enumerate(a.image()):
        found.setdefault(k % threads, []).append(x)
    return found


def _partition_exact(args: tuple[Tree, ...], env: Env) -> bool:
    a, tile = layout(args[0], env), _shape(args[1], env)
    copies = number(args[2], env) if len(args) > 2 else 1
    if min(leaves(tile)) < 1:
        raise Senseless("an extent of the tile is below 1")
    if a.vanishing:
        raise Unclear("a stride that is 0 here only")
    often = Counter(x for held in _held(a).values() for x in held)
    whole = prod(leaves(tile))
    return len(often) == whole and often == dict.fromkeys(range(whole), copies)


def _same_elements(args: tuple[Tree, ...], env: Env) -> bool:
    a, b = (_held(layout(x, env)) for x in args)
    return a.keys() == b.keys() and all(set(a[t]) == set(b[t]) for t in a)


def _aligned(args: tuple[Tree, ...], env: Env) -> bool:
    a, n = layout(args[0], env), number(args[1], env)
    return n >= 1 and all(x % n == 0 for x in a.image())


def _no_overflow(args: tuple[Tree, ...], env: Env) -> bool:
    bits = number(args[1], env) if len(args) > 1 else 32
    low, high = -(1 << bits - 1), 1 << bits - 1
    if args[0][0] == "text":
        seen: list[int] = []
        number(read(args[0][1]), env, seen)
        return all(low <= x < high for x in seen)
    a = layout(args[0], env)
    if a.size > MOST:
        raise Unclear(f"{a.size} coordinates")
    strides = [d for _, d in a.modes]
    for at in coordinates(*(range(s) for s, _ in a.modes)):
        products = [x * d for x, d in zip(at, strides, strict=True)]
        if not all(low <= x < high for x in (*products, *accumulate(products))):
            return False
    return True


def _vectorizable(args: tuple[Tree, ...], env: Env) -> bool:
    a, element, vector = layout(args[0], env), number(args[1], env), number(args[2], env)
    base, v = number(args[3], env) if len(args) > 3 else 0, vector // element
    image = a.image()
    return len(image) % v == 0 and all(
        (base + image[i - i % v]) % v == 0 and x == image[i - i % v] + i % v
        for i, x in enumerate(image)
    )


def _requests(kind: str, args: tuple[Tree, ...], env: Env) -> bool:
    """Return whether each request is aligned and costs what is said, word by word."""
    if args[0][:2] != ("call", "access"):
        raise Unclear("no access")
    where, *rest = args[0][2:]
    a, (element, *more) = layout(where, env), [number(x, env) for x in rest]
    width, base = more[0] if more else element, more[1] if len(more) > 1 else 0
    lanes = prod(leaves(a.shape[0] if isinstance(a.shape, tuple) else a.shape))
    limits = [number(x, env) for x in args[1:]]
    full = -(-lanes * width // 256)
    most, least = (full, 0) if kind == "coalesced" else (limits[0], (limits[1:] or [0])[0])
    starts = [element * (base + x) for x in a.image()]
    for k in range(0, len(starts), lanes):
        request = starts[k : k + lanes]
        if any(x % width for x in request):
            return False
        costs = _conflicts(request, width) if kind == "bank_conflict" else [
            len(_units(request, width, 256))
        ]  # fmt: skip
        if not all(least <= cost <= most for cost in costs):
            return False
    return True


def _units(starts: list[int], width: int, bits: int) -> set[int]:
    return {unit for x in starts for unit in range(x // bits, (x + width - 1) // bits + 1)}


def _conflicts(request: list[int], width: int) -> list[int]:
    """Return how often a bank is asked, phase by phase; wide loads of pairs are served together."""
    lanes, phase = len(request), 32 if width <= 32 else 1024 // width
    steps = [phase]
    pairs = [[(n, n ^ s) for n in range(lanes) if n ^ s < lanes] for s in (1, 2)]
    if any(all(request[n] == request[m] for n, m in those) for those in pairs):
        steps.append(2 * phase)
    groups = [request[j : j + step] for step in steps for j in range(0, lanes, step)]
    return [
        max(Counter(word % 32 for word in _units(group, width, 32)).values()) for group in groups
    ]


def _table(args: tuple[Tree, ...], env: Env) -> bool:
    a, rows = layout(args[0], env), thing(args[1], env)
    sizes = [prod(leaves(s)) for s in a.shape] if isinstance(a.shape, tuple) else [a.size]
    if len(sizes) > 2:
        raise Unclear("a table of rank 3")
    rows = rows if isinstance(rows, tuple) else (rows,)
    rows = tuple(row if isinstance(row, tuple) else (row,) for row in rows)
    count = sizes[0] if len(sizes) == 2 else 1
    return rows == tuple(tuple(a.image()[i::count]) for i in range(count))


def printed(value: Any) -> str:
    """Return what symcute writes for numbers, tuples and layouts of numbers."""
    if isinstance(value, Layout):
        found = f"{printed(value.shape)}:{printed(value.stride)}"
        if value.swizzle is None:
            return found
        bits, base, shift = value.swizzle
        return f"Sw<{bits},{base},{shift}> o {value.offset} o {found}"
    if isinstance(value, tuple):
        return f"({','.join(map(printed, value))})"
    return str(value)


def _prints_as(args: tuple[Tree, ...], env: Env) -> bool:
    if names(args[0]):
        raise Unclear("names, printed")
    return printed(thing(bare(args[0]), env)) == args[1][1]


CLAIMS: dict[str, Callable[[tuple[Tree, ...], Env], bool]] = {
    "injective": _injective,
    "bijective": lambda args, env: _onto(layout(args[0], env)),
    "compact": _compact,
    "in_bounds": _in_bounds,
    "equal": _equal,
    "compatible": _compatible,
    "refines": _refines,
    "disjoint": lambda args, env: _disjoint(layout(args[0], env), layout(args[1], env)),
    "apart": _apart,
    "covers": _covers,
    "partition": _partition,
    "partition_exact": _partition_exact,
    "same_elements": _same_elements,
    "same_image": lambda args, env: (
        set(layout(args[0], env).image()) == set(layout(args[1], env).image())
    ),
    "monotone": lambda args, env: all(x <= y for x, y in pairwise(layout(args[0], env).image())),
    "increasing": lambda args, env: all(x < y for x, y in pairwise(layout(args[0], env).image())),
    "aligned": _aligned,
    "bank_conflict": lambda args, env: _requests("bank_conflict", args, env),
    "sectors": lambda args, env: _requests("sectors", args, env),
    "coalesced": lambda args, env: _requests("coalesced", args, env),
    "vectorizable": _vectorizable,
    "no_overflow": _no_overflow,
    "is_complement": _is_complement,
    "is_composition": _is_composition,
    "is_right_inverse": _is_right_inverse,
    "is_left_inverse": _is_left_inverse,
    "prints_as": _prints_as,
    "table": _table,
}


def relates(tree: Tree) -> bool:
    """Return whether a claim is made of relations alone."""
    if tree[0] in ("paren", "not", "and", "or", "implies"):
        return all(map(relates, tree[1:]))
    return tree[0] != "exists" and (tree[0] != "call" or tree[1] not in CLAIMS)


def truth(tree: Tree, env: Env) -> bool:
    """Return whether a claim is true here. Raises Senseless where its text has no value.

    Behind a premise that is false, and beside a relation that is true in an `or`, nothing needs to
    have one.
    """
    op = tree[0]
    if op == "paren":
        return truth(tree[1], env)
    if op == "not":
        return not truth(tree[1], env)
    if op == "implies":
        return not truth(tree[1], env) or truth(tree[2], env)
    if op == "or" and not relates(tree) and True in [truth(x, env) for x in tree[1:] if relates(x)]:
        return True
    if op in ("and", "or"):
        values = [truth(x, env) for x in tree[1:]]
        return all(values) if op == "and" else any(values)
    if op == "exists":
        _, name, end, inner = tree
        most = number(end, env)
        if most > MOST:
            raise Unclear(f"{most} numbers")
        return True in [truth(inner, {**env, name: k}) for k in range(most)]
    if op == "call" and tree[1] in CLAIMS:
        return CLAIMS[tree[1]](tree[2:], env)
    return formula(tree, env)
