"""What a claim says: the primitive claims it is made of, and what it takes to make sense."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

from symcute.checker.lemmas import size
from symcute.checker.primitive import Primitive
from symcute.checker.swizzle import PLAIN, Fields
from symcute.checker.terms import (
    ATOMS,
    Modes,
    Node,
    Refused,
    conjunction,
    divides,
    eq,
    le,
    lit,
)
from symcute.recheck.forms import (
    SWIZZLED,
    alike,
    congruent,
    flat,
    formula,
    htuple,
    layout,
    leaf,
    modes,
    sides,
    turned,
)
from symcute.recheck.requests import access, bank_conflict, filled, sectors
from symcute.recheck.text import parse, show, strip

ZERO, ONE, WIDTH = lit(0), lit(1), lit(32)
#: How many disjunctions a claim may come to.
MAX_CLAUSES = 64


def holds(*parts: Node) -> Primitive:
    """Return that formulas are true."""
    return Primitive("holds", body=conjunction(list(parts)))


def is_literal(x: Node, value: int | None = None) -> bool:
    """Return whether a leaf is written as a number (as that number)."""
    return x.op == "int" and (value is None or x.args[0] == value)


def each(pairs: Modes, relation: Any) -> Node:
    """Return that each mode has extent 1 or the relation."""
    return conjunction([Node("or", (eq(s, 1), relation(s, d))) for s, d in pairs])


def growing(pairs: Modes, op: str) -> Node:
    """Return that the offsets grow with the index: `le` never fall, `lt` rise.

    From an index to the next the modes below some k fall back and mode k takes a step: the offset
    changes by d_k - sum of (s_j - 1)*d_j over j < k. That happens exactly where s_k > 1.
    """
    below, parts = lit(0), []
    for s, d in pairs:
        parts.append(Node("or", (eq(s, 1), Node(op, (below, d)))))
        below = below + (s - 1) * d
    return conjunction(parts)


def moving(pairs: Modes) -> Modes:
    """Return the modes whose stride is not the number 0."""
    return tuple((s, d) for s, d in pairs if not is_literal(d, 0))


def primitives(claim: Node) -> list[Primitive]:
    """Return the primitive claims of which the claim is the conjunction."""
    clauses = _clauses(strip(claim), False)
    return [x[0] if len(x) == 1 else Primitive("either", body=x) for x in clauses]


def _clauses(claim: Node, denied: bool) -> list[tuple[Primitive, ...]]:
    """Return the disjunctions of which a claim, or its denial, is the conjunction."""
    if is_relation(claim):
        said = formula(claim)
        return [(holds(Node("not", (said,)) if denied else said),)]
    if claim.op == "not":
        return _clauses(strip(claim.args[0]), not denied)
    if claim.op in ("and", "or", "implies"):
        sides = [_clauses(strip(x), denied != (claim.op == "implies" and k == 0))
                 for k, x in enumerate(claim.args)]  # fmt: skip
        if (claim.op == "and") != denied:
            return [x for side in sides for x in side]
        if prod(map(len, sides)) > MAX_CLAUSES:
            raise Refused(f"more than {MAX_CLAUSES} disjunctions")
        return [tuple(x for clause in found for x in clause) for found in product(*sides)]
    parts = _called(claim)
    if not denied:
        return [(x,) for x in parts]
    return [tuple(holds(Node("not", (x.body,))) if x.kind == "holds" else
                  Primitive("denied", body=(x,)) for x in parts)]  # fmt: skip


def _called(claim: Node) -> list[Primitive]:
    """Return the primitive claims that a call of a claim comes to."""
    name, *args = claim.args if claim.op == "call" else ("", *claim.args)
    guards = tuple(
        (modes(x.args[1]), leaf(x.args[2]))
        for x in args[1:]
        if x.op == "call" and x.args[0] == "where" and len(x.args) == 3
    )
    args = args[: len(args) - len(guards)]
    reader = _CLAIMS.get((name, len(args)))
    if reader is None or (guards and name not in ("injective", "in_bounds")):
        raise Refused(f"no claim {name} of {len(args)} arguments")
    found: list[Primitive] = reader(*args)
    for g, _ in guards:
        own = found[0].layouts[0]
        if len(g) != len(own) or not all(alike(g[k][0], own[k][0]) for k in range(len(g))):
            raise Refused("the extents of a guard are not those of the layout")
    return [replace(x, guards=x.guards + guards) for x in found]


def is_relation(node: Node) -> bool:
    """Return whether a tree is made of relations, without claims about layouts."""
    node = strip(node)
    if node.op in ("and", "or", "not", "implies"):
        return all(map(is_relation, node.args))
    return node.op != "call" or node.args[0] in (*ATOMS, "pow2")


def _injective(a: Node) -> list[Primitive]:
    # A swizzle undoes itself: with it, different offsets stay different and equal ones equal.
    a = layout(a)
    return [Primitive("injective", (modes(turned(a)[2] if a.op == SWIZZLED else a),))]


def _in_bounds(a: Node, b: Node) -> list[Primitive]:
    a = layout(a)
    if a.op != SWIZZLED:
        return [Primitive("in_bounds", (modes(a),), leaf(b))]
    fields, offset, inner = turned(a)
    return [Primitive("in_bounds", (modes(inner),), leaf(b), swizzle=fields, offset=offset)]


def _onto(a: Node) -> list[Primitive]:
    [injective] = _injective(a)
    return [injective, *_in_bounds(a, size(injective.layouts[0]))]


def _compact(a: Node) -> list[Primitive]:
    found = _onto(a)
    kept = moving(found[0].layouts[0]) or ((lit(1), lit(0)),)
    return [replace(found[0], layouts=(kept,)), replace(found[1], layouts=(kept,), leaf=size(kept))]


def _agree(left: list[Node], right: list[Node], domain: Node) -> Primitive:
    found = tuple(map(modes, (*left, *right, domain)))
    return Primitive("agree", found, split=len(left), body=PLAIN)


def _same_size(a: Node, b: Node) -> Primitive:
    return holds(eq(size(modes(a)), size(modes(b))))


def _equal(a: Node, b: Node) -> list[Primitive]:
    a, b = layout(a), layout(b)
    if SWIZZLED not in (a.op, b.op):
        return [_same_size(a, b), _agree([a], [b], a)]
    (one, x, left), (other, y, right) = _turned(a), _turned(b)
    sizes = _same_size(left, right)
    if one == other or one[0] == other[0] == 0:
        # The swizzle comes off: x + A(i) == y + B(i), which at i = 0 says x == y.
        return [sizes, holds(eq(x, y)), _agree([left], [right], left)]
    same = replace(_agree([left], [right], left), swizzle=one, offset=x, body=other, leaf=y)
    return [sizes, same]


def _complement(b: Node, a: Node, m: Node) -> list[Primitive]:
    # A mode whose stride is 0 somewhere must not count there: that is asked of those strides that
    # are no numbers. `increasing` has B's modes in their order and no reflections.
    filtered = moving(modes(a))
    real = tuple((s, d) for s, d in filtered if not is_literal(d))
    ne = each(real, lambda s, d: Node("ne", (d, lit(0))))
    enough = le(leaf(m), size(filtered) * size(modes(b)))
    disjoint = Primitive("disjoint", (modes(a), modes(b)))
    return [disjoint, holds(growing(modes(b), "lt")), holds(ne, enough)]


def _partition(a: Node, m: Node) -> list[Primitive]:
    items, bounds = (strip(a), strip(m))
    pairs = [(items, bounds)]
    if items.op == "tuple" and bounds.op == "tuple" and len(items.args) == len(bounds.args):
        pairs = list(zip(items.args, bounds.args, strict=True))
    found = []
    for x, y in pairs:
        if strip(x).op != "layout":
            raise Refused("a partition is of layouts")
        found_in, bound = modes(x), leaf(y)
        found.append(Primitive("injective", (found_in,), guards=((found_in, bound),)))
        found.append(Primitive("covers", (found_in,), bound))
        found.append(holds(each(found_in, lambda s, d: le(0, d))))
    return found


def _partition_exact(a: Node, tile: Node, copies: Node = ONE) -> list[Primitive]:
    # Of the modes that move the largest offset occurs once; so they repeat nothing evenly, and the
    # others, of stride 0, repeat everything as often as their extents multiply to.
    _threads(a)
    extents = flat(shape_of(tile))
    if not extents or any(is_literal(s) and s.args[0] < 1 for s in extents):
        raise Refused("an extent of the tile is below 1")
    kept = moving(modes(a)) or ((lit(1), lit(0)),)
    still = tuple((s, d) for s, d in modes(a) if is_literal(d, 0))
    whole = size(tuple((s, s) for s in extents))
    sizes = (eq(size(kept), whole), eq(size(still), leaf(copies)))
    positive = [le(1, s) for s in extents if not is_literal(s)]
    bound = Primitive("in_bounds", (kept,), whole)
    return [holds(*sizes, *positive), Primitive("injective", (kept,)), bound]


def _same_elements(a: Node, b: Node) -> list[Primitive]:
    # Thread t holds the elements f(t) + S. f(0) = 0, so thread 0 holds S; and finite sets f(t) + S
    # and g(t) + S are the same only where f(t) = g(t), as their least elements are.
    starts = [modes(x)[: _threads(x)] for x in (a, b)]
    values = tuple(modes(x)[_threads(x) :] for x in (a, b))
    same = Primitive("agree", (*starts, starts[0]), split=1, body=PLAIN)
    return [holds(eq(*map(size, starts))), same, Primitive("same_image", values)]


def _threads(a: Node) -> int:
    """Return how many modes the first part of a layout of threads and values has."""
    shape = shape_of(a)
    if not isinstance(shape, tuple) or len(shape) < 2:
        raise Refused("a thread-value layout has threads and values")
    return len(flat(shape[0]))


def _aligned(a: Node, n: Node) -> list[Primitive]:
    return [holds(le(1, leaf(n))), holds(each(modes(a), lambda s, d: divides(leaf(n), d)))]


def _turned(node: Node) -> tuple[Fields, Node, Node]:
    node = layout(node)
    return turned(node) if node.op == SWIZZLED else (PLAIN, ZERO, node)


def shape_of(node: Node) -> Any:
    """Return a shape, or that of a layout."""
    inner = strip(node)
    if inner.op == SWIZZLED:
        return shape_of(turned(inner)[2])
    if inner.op != "layout":
        return htuple(node)
    left, right = sides(inner, lambda node: node)
    shape = htuple(left)
    if not congruent(shape, _strides(right)):
        raise Refused(f"shape and stride of {show(inner)} differ in their hierarchy")
    return shape


def _strides(node: Node) -> Any:
    """Return nested tuples of leaves; of a stride of coordinates, `M@1@0`, that of its number."""
    found = strip(node) if node.op == "result" else node
    if found.op in ("tuple", "paren"):
        return tuple(map(_strides, found.args))
    if found.op == "neg" and found.args[0].op == "basis":
        found = found.args[0]
    while found.op == "basis":
        found, mode = found.args
        if not mode.args[0].isdigit():
            raise Refused(f"{show(node)} is no stride")
    return leaf(found)


def _requests(service: Any, a: Node, most: Node | None = None, least: Node = ZERO) -> Any:
    found_in, base, element, width, lanes = access(strip(a))
    fields, offset, plain = _turned(found_in)
    found = modes(plain)
    most = filled(found, lanes, width) if most is None else most
    body = service(element, width, lanes, most, least)
    return [Primitive("requests", (found,), base, body=body, swizzle=fields, offset=offset)]


def _vectorizable(a: Node, element: Node, vector: Node, base: Node = ZERO) -> list[Primitive]:
    # In order the modes have no run that goes on in the next one, once those of numbers that
    # continue each other are joined; in vectors of v then the first has stride 1 and whole vectors,
    # and the others and the base start them at multiples of v. A swizzle that keeps the bits of an
    # index inside a vector keeps that, if it holds before the base is added.
    element, vector = leaf(element), leaf(vector)
    if not (is_literal(element) and is_literal(vector)):
        raise Refused("the widths of vectorizable are numbers")
    bits, all_bits = element.args[0], vector.args[0]
    if not 1 <= bits <= all_bits <= 256 or bits & (bits - 1) or all_bits & (all_bits - 1):
        raise Refused(f"vectors of {all_bits} bits, elements of {bits} bits")
    v = all_bits // bits
    fields, offset, inner = _turned(a)
    moves, number = fields[0] and v > 1, is_literal(offset)
    if moves and (1 << fields[1] < v or (number and offset.args[0] % v)):
        return [Primitive("vectors", (modes(inner),), leaf(base), split=v, swizzle=fields,
                          offset=offset)]  # fmt: skip
    if v == 1:
        return [holds()]
    (s, d), *others = _joined(modes(inner)) or [(ONE, ZERO)]
    starts = [Node("or", (eq(t, 1), divides(lit(v), e))) for t, e in others]
    ends = [leaf(base) + offset] if number or not moves else [leaf(base), offset]
    return [holds(divides(lit(v), s), eq(d, 1), *starts, *(divides(lit(v), x) for x in ends))]


def _joined(pairs: Modes) -> list[tuple[Node, Node]]:
    found: list[tuple[Node, Node]] = []
    for s, d in pairs:
        if is_literal(s, 1):
            continue
        t, e = found[-1] if found else (s, s)
        if found and is_literal(t) and is_literal(e) and is_literal(d, t.args[0] * e.args[0]):
            joined = lit(t.args[0] * s.args[0]) if is_literal(s) else t * s
            found[-1] = (joined, e)
        else:
            found.append((s, d))
    return found


def _compatible(a: Node, b: Node) -> list[Primitive]:
    return [holds(_fits(shape_of(a), shape_of(b)))]


def _fits(a: Any, b: Any) -> Node:
    if isinstance(a, Node):
        return eq(a, size(tuple((x, x) for x in flat(b))))
    if isinstance(b, Node) or len(a) != len(b):
        return eq(0, 1)
    return conjunction([_fits(x, y) for x, y in zip(a, b, strict=True)])


def _no_overflow(what: Node, bits: Node = WIDTH) -> list[Primitive]:
    bits = leaf(bits)
    if not is_literal(bits) or not 1 <= bits.args[0] <= 128:
        raise Refused("the width of no_overflow is not a number from 1 to 128")
    limit, extremes = 1 << (bits.args[0] - 1), []
    if what.op == "text":
        extremes = [(leaf(x),) * 2 for x in dict.fromkeys(_in_order(parse(what.args[0])))]
    elif strip(what).op != "layout":
        raise Refused(f"{show(what)} has no order of evaluation")
    else:
        # Every product and partial sum is the offset of a coordinate that is 0 from there on; a
        # stride that is no number may have either sign, so each set of those gives its two ends.
        pairs = modes(what)
        unsigned = [(s - 1) * d for s, d in pairs if not is_literal(d)]
        if len(unsigned) > 6:
            raise Refused("no_overflow of more than 6 strides that are no numbers")
        ends = [lit(0), lit(0)]
        for s, d in pairs:
            if is_literal(d):
                ends[d.args[0] >= 0] = ends[d.args[0] >= 0] + (s - 1) * d
        for chosen in product((0, 1), repeat=len(unsigned)):
            low, high = ends
            for x, c in zip(unsigned, reversed(chosen), strict=True):
                low, high = (low + x, high + x) if c else (low, high)
            extremes.append((low, high))
    parts = [f for x, y in extremes for f in (le(-limit, x), Node("lt", (y, lit(limit))))]
    return [holds(*parts)]


def _in_order(node: Node) -> Iterator[Node]:
    """Yield the numbers, names and operations of an expression, operands first."""
    for x in node.args:
        if isinstance(x, Node):
            yield from _in_order(x)
    if node.op != "paren":
        yield node


def _table(a: Node, rows: Node) -> list[Primitive]:
    shape = shape_of(a)
    sizes = [shape] if isinstance(shape, Node) else list(shape)
    if len(sizes) not in (1, 2) or not all(map(is_literal, flat(shape))):
        raise Refused("a table is of a layout of rank 1 or 2, whose extents are numbers")
    height = prod(s.args[0] for s in flat(sizes[0])) if len(sizes) == 2 else 1
    width, body = prod(s.args[0] for s in flat(sizes[-1])), htuple(rows)
    cells = [row if isinstance(row, tuple) else () for row in body] if type(body) is tuple else []
    if [len(row) for row in cells] != [width] * height or \
            not all(isinstance(x, Node) for row in cells for x in row):  # fmt: skip
        raise Refused("a table has all rows of its layout, in full")
    parts = [eq(_at(modes(a), i + height * j), x)
             for i, row in enumerate(cells) for j, x in enumerate(row)]  # fmt: skip
    return [holds(*parts)]


def _at(pairs: Modes, index: int) -> Node:
    """Return the offset at an index, for extents that are numbers."""
    found = []
    for s, d in pairs:
        index, digit = divmod(index, s.args[0])
        found += [d * digit] if digit else []
    return sum(found[1:], found[0]) if found else lit(0)


_CLAIMS: dict[tuple[str, int], Any] = {
    ("injective", 1): _injective,
    ("in_bounds", 2): _in_bounds,
    ("bijective", 1): _onto,
    ("compact", 1): _compact,
    ("equal", 2): _equal,
    ("is_composition", 3): lambda c, a, b: [_same_size(c, b), _agree([c], [a, b], b)],
    ("is_right_inverse", 2): lambda r, a: [_agree([a, r], [], r)],
    ("is_left_inverse", 2): lambda i, a: [_agree([i, a], [], a)],
    ("disjoint", 2): lambda a, b: [Primitive("disjoint", (modes(a), modes(b)))],
    ("apart", 2): lambda a, b: [Primitive("apart", (modes(a), modes(b)))],
    ("apart", 3): lambda a, b, x: [Primitive("apart", (modes(a), modes(b)), leaf(x))],
    ("is_complement", 3): _complement,
    ("covers", 2): lambda a, m: [Primitive("covers", (modes(a),), leaf(m))],
    ("partition", 2): _partition,
    ("partition_exact", 2): _partition_exact,
    ("partition_exact", 3): _partition_exact,
    ("same_elements", 2): _same_elements,
    ("same_image", 2): lambda a, b: [Primitive("same_image", (modes(a), modes(b)))],
    ("bank_conflict", 2): lambda a, k: _requests(bank_conflict, a, k),
    ("bank_conflict", 3): lambda a, k, n: _requests(bank_conflict, a, k, n),
    ("sectors", 2): lambda a, k: _requests(sectors, a, k),
    ("sectors", 3): lambda a, k, n: _requests(sectors, a, k, n),
    ("coalesced", 1): lambda a: _requests(sectors, a),
    ("vectorizable", 3): _vectorizable,
    ("vectorizable", 4): _vectorizable,
    ("monotone", 1): lambda a: [holds(growing(modes(a), "le"))],
    ("increasing", 1): lambda a: [holds(growing(modes(a), "lt"))],
    ("aligned", 2): _aligned,
    ("compatible", 2): _compatible,
    ("refines", 2): lambda a, b: _compatible(b, a),
    ("no_overflow", 1): _no_overflow,
    ("no_overflow", 2): _no_overflow,
    ("table", 2): _table,
}


#: The names of the claims.
CLAIMS = frozenset(name for name, _ in _CLAIMS)
