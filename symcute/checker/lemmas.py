"""The lemmas: each works out, from a primitive claim and hints, what there is to prove.

A lemma returns its obligations and the primitive claims left over for the parts inside it. What it
says is true instance by instance: where the obligations hold and so do the inner claims, so does
the claim. Every extent is at least 1 (`Primitive.conditions`), or the claim is empty (`merge`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeAlias

from symcute.checker.primitive import Primitive
from symcute.checker.swizzle import PLAIN, period
from symcute.checker.terms import (
    Modes,
    Node,
    Refused,
    asked,
    divides,
    eq,
    every,
    le,
    listed,
    lit,
    number,
    term,
    total,
)  # fmt: skip

Found: TypeAlias = tuple[list[Node], dict[str, Primitive]]


class Hints:
    """The hints of a part; what they ask for as leaves is kept in `asked`."""

    def __init__(self, part: dict[str, Any]) -> None:
        self.part, self.asked, self.used = part, list[Node](), {"lemma", "by"}

    def get(self, key: str) -> Any:
        """Return a hint."""
        self.used.add(key)
        if key not in self.part:
            raise Refused(f"the hint {key} is missing")
        return self.part[key]

    def read(self, item: Any) -> Node:
        """Return the term that data is."""
        found = term(item)
        self.asked += asked(found)
        return found

    def leaves(self, key: str, count: int) -> list[Node]:
        """Return a list of leaves."""
        return [self.read(x) for x in listed(self.get(key), *[object] * count)]

    def signs(self, count: int) -> list[int]:
        """Return +1 or -1 for each mode."""
        found = listed(self.get("signs"), *[int] * count)
        if any(x not in (1, -1) for x in found):
            raise Refused("a sign is 1 or -1")
        return found

    def indices(self, key: str, count: int) -> list[int]:
        """Return different numbers below count."""
        found = [number(x, count) for x in every(self.get(key))]
        if len(set(found)) < len(found):
            raise Refused(f"{key} names a mode twice")
        return found


def size(layout: Modes) -> Node:
    """Return the product of the extents."""
    found = lit(1)
    for s, _ in layout:
        found = found * s
    return found


def walk(layout: Modes, order: list[int], signs: list[int]) -> tuple[list[Node], Node]:
    """Return the obligations of a chain and its reach.

    Take coordinates that differ, and the last mode k of the order where they do: its extent is not
    1, so sign*d_k >= 1 + R, and its share of the difference exceeds what the earlier modes can
    make up for, which is at most R = sum of (s_j - 1)*|d_j|. This speaks of differences, so no
    non-zero vector of differences below the extents gives 0.
    """
    found, reach = [], lit(0)
    for k in order:
        s, d = layout[k][0], layout[k][1] * signs[k]
        found.append(le(0, (s - 1) * (d - 1 - reach)))
        reach = reach + (s - 1) * d
    return found, reach


def chain(hint: Hints, claim: Primitive) -> Found:
    """All modes, in some order, outweigh the ones before."""
    layout = claim.layouts[0]
    order = hint.indices("order", len(layout))
    if len(order) < len(layout):
        raise Refused("order leaves a mode out")
    return walk(layout, order, hint.signs(len(layout)))[0], {}


def together(hint: Hints, claim: Primitive) -> Found:
    """A(x) == B(y) is a vanishing combination of the differences x, -y of A's and B's modes. Where
    those that stay are injective together it vanishes at 0 alone, and the others contribute
    nothing: the offset is 0."""
    layout = claim.layouts[0] + claim.layouts[1]
    out = hint.indices("modes", len(layout))
    kept = tuple(m for k, m in enumerate(layout) if k not in out)
    nothing = [eq(0, (s - 1) * d) for k, (s, d) in enumerate(layout) if k in out]
    return nothing, {"rest": Primitive("injective", (kept,))}


def mod(hint: Hints, claim: Primitive) -> Found:
    """Take a vanishing combination of differences, u times. Modulo g only the outer modes are seen,
    with the residues of u*d, and their sum is below g in size: it is 0, and so are their
    differences, as those modes are injective. What is left of the combination itself is g times
    one of the inner modes, which vanishes as g is not 0."""
    layout = claim.layouts[0]
    g, u = hint.read(hint.get("modulus")), hint.read(hint.get("times"))
    inner, new = hint.indices("inner", len(layout)), hint.leaves("strides", len(layout))
    found = [le(1, g)]
    for k, (_, d) in enumerate(layout):
        found.append(eq(d, g * new[k]) if k in inner else divides(g, u * d - new[k]))
    pairs = [(s, e) for (s, _), e in zip(layout, new, strict=True)]
    outer, rest = (tuple(x for k, x in enumerate(pairs) if (k in inner) == side)
                   for side in (False, True))  # fmt: skip
    signed, low, high = ends(outer, hint.signs(len(outer)))
    found += [*signed, le(high - low, g - 1)]
    return found, {"outer": Primitive("injective", (outer,)),
                   "rest": Primitive("injective", (rest,))}  # fmt: skip


def merge(hint: Hints, claim: Primitive) -> Found:
    """The modes t, b, ... of extents T, P, ... are the digits of one index m = t + T*b + ..., of
    which guard and offset are functions: m itself is what the guard compares with M, so that m
    runs inside [0, M) (through nothing where M < 1). Different coordinates have different m."""
    layout = claim.layouts[0]
    k = number(hint.get("guard"), len(claim.guards))
    guard, bound = claim.guards[k]
    joined = hint.indices("modes", len(layout))
    if len(joined) < 2:
        raise Refused("merge is for two modes or more")
    t, others = joined[0], claim.guards[:k] + claim.guards[k + 1 :]
    found, scale, scales = [eq(guard[t][1], 1)], layout[t][0], []
    for b in joined[1:]:
        found += [eq(layout[b][1], scale * layout[t][1]), eq(guard[b][1], scale)]
        scales.append((b, scale))
        scale = scale * layout[b][0]
    found += [eq(0, (s - 1) * guard[j][1]) for j, (s, _) in enumerate(layout) if j not in joined]
    found += [eq(h[b][1], x * h[t][1]) for h, _ in others for b, x in scales]

    def one(m: Modes) -> Modes:
        kept = [(bound, d) if j == t else (s, d) for j, (s, d) in enumerate(m)]
        return tuple(x for j, x in enumerate(kept) if j not in joined[1:])

    guards = tuple((one(h), m) for h, m in others)
    return found, {"rest": replace(claim, layouts=(one(layout),), guards=guards)}


def ends(layout: Modes, signs: list[int]) -> tuple[list[Node], Node, Node]:
    """Return the obligations of the signs, the smallest and the largest offset: a mode contributes
    from 0 to (s-1)*d, or to 0 from there."""
    spans = [(s - 1) * d for s, d in layout]
    pairs = list(zip(spans, signs, strict=True))
    low, high = (total(x for x, sign in pairs if sign == wanted) for wanted in (-1, 1))
    return [le(0, x * sign) for x, sign in pairs], low, high


def bounds(hint: Hints, claim: Primitive) -> Found:
    """The extremes are at the ends."""
    layout, x = claim.layouts[0], claim.offset
    found, low, high = ends(layout, hint.signs(len(layout)))
    return [*found, le(0, x + low), le(x + high + 1, _unswizzled(claim).leaf)], {}


def swizzle(hint: Hints, claim: Primitive) -> Found:
    """The swizzle maps [0, q) onto itself for each q that its period divides: what is inside
    before stays inside."""
    q = hint.read(hint.get("bound"))
    found = [divides(lit(period(claim.swizzle)), q), le(q, claim.leaf)]
    return found, {"rest": replace(claim, leaf=q, swizzle=PLAIN)}


def given_bound(hint: Hints, claim: Primitive) -> Found:
    """Where the offsets are what the guard compares with M, they are below M."""
    guard, m = claim.guards[number(hint.get("guard"), len(claim.guards))]
    layout, x = claim.layouts[0], claim.offset
    found = [eq(0, (s - 1) * (d - g)) for (s, d), (_, g) in zip(layout, guard, strict=True)]
    found += [le(0, (s - 1) * d) for s, d in layout]
    return [*found, le(0, x), le(x + m, _unswizzled(claim).leaf)], {}


def _unswizzled(claim: Primitive) -> Primitive:
    if claim.swizzle != PLAIN:
        raise Refused("the lemma is for layouts that are not swizzled")
    return claim


def cover(hint: Hints, claim: Primitive) -> Found:
    """[0, R] is covered by the modes so far; steps of at most R + 1 leave no gap. The other modes
    stay at 0."""
    layout, found, reach = claim.layouts[0], [], lit(0)
    for k in hint.indices("order", len(layout)):
        s, d = layout[k]
        found += [le(0, d), le(d, reach + 1)]
        reach = reach + (s - 1) * d
    return [*found, le(claim.leaf, reach + 1)], {}


def beyond(hint: Hints, claim: Primitive) -> Found:
    """One image ends before the other begins."""
    a, b = claim.layouts
    signs, below = hint.signs(len(a) + len(b)), number(hint.get("below"), 2)
    one, low, high = ends(a, signs[: len(a)])
    other, least, most = ends(b, signs[len(a) :])
    left, right = (high, claim.leaf + least) if below == 0 else (claim.leaf + most, low)
    return [*one, *other, le(left + 1, right)], {}


def offset_mod(hint: Hints, claim: Primitive) -> Found:
    """Modulo g the offsets of A lie in [0, Q], those of shift + B in [rho, rho + S], Q < rho, and
    rho + S < g: residues in two intervals that do not meet."""
    a, b = claim.layouts
    g, rho = hint.read(hint.get("modulus")), hint.read(hint.get("rho"))
    new = hint.leaves("residues", len(a) + len(b))
    found = [le(1, g), divides(g, claim.leaf - rho)]
    for (s, d), r in zip(a + b, new, strict=True):
        found += [divides(g, d - r), le(0, (s - 1) * r)]
    spans = [(s - 1) * r for (s, _), r in zip(a + b, new, strict=True)]
    found += [le(total(spans[: len(a)]) + 1, rho), le(rho + total(spans[len(a) :]), g - 1)]
    return found, {}


def agree(hint: Hints, claim: Primitive) -> Found:
    """Both chains as flat lists of modes on [0, size of the domain), mode by mode the same."""
    if _unswizzled(claim).body != PLAIN or claim.offset != claim.leaf:
        raise Refused("the lemma is for chains that begin at the same offset, not swizzled")
    chains = claim.layouts[: claim.split], claim.layouts[claim.split : -1]
    found: list[Node] = []
    lists = [
        _side(hint, key, layouts, claim.layouts[-1], found)
        for key, layouts in zip(("left", "right"), chains, strict=True)
    ]
    if len(lists[0]) != len(lists[1]):
        raise Refused(f"the sides come to {len(lists[0])} and {len(lists[1])} modes")
    for (s, d), (t, e) in zip(*lists, strict=True):
        found += [eq(s, t), eq(0, (s - 1) * (d - e))]
    return found, {}


def _side(
    hint: Hints, key: str, layouts: tuple[Modes, ...], domain: Modes, found: list[Node]
) -> Modes:
    """Apply a chain from the right to the identity on [0, size of the domain)."""
    now: Modes = ((size(domain), lit(1)),)
    waiting = list(layouts)
    for n, step in enumerate(every(hint.get(key), list)):
        if step == ["first"] and n == 0 and waiting:
            # On all indices of the domain the layout is the list of its modes.
            now = waiting.pop()
            found.append(eq(size(now), size(domain)))
        elif step[:1] == ["rewrite"]:
            now = _rewritten(hint, now, listed(step, str, list)[1], True, found)
        elif step[:1] == ["after"] and waiting:
            now = _after(hint, now, waiting.pop(), step, found)
        else:
            raise Refused(f"the step {str(step)[:40]} is not possible here")
    if waiting:
        raise Refused(f"{key} does not apply every layout")
    return now


def _rewritten(
    hint: Hints, now: Modes, rewrites: list[Any], bounded: bool, found: list[Node]
) -> Modes:
    """Rewrite a list of modes to one with the same map on [0, size).

    Beyond its size a layout goes on in its last mode, whatever the extent of that. To split it
    keeps this, and so does to merge it with the one before where its stride is what that comes to;
    to drop it needs an index inside.
    """
    for item in every(rewrites, list):
        kind, k, *more = item if len(item) in (2, 3) else [""] * 2
        k = number(k, len(now) - (kind == "merge"))
        (s, d), last = now[k], not bounded and k + 1 + (kind == "merge") == len(now)
        if kind == "drop" and not more and not last:
            found.append(eq(s, 1))
            now = now[:k] + now[k + 1 :]
        elif kind == "merge" and not more:
            t, e = now[k + 1]
            found.append(eq(e, s * d) if last else eq(0, (t - 1) * (e - s * d)))
            now = (*now[:k], (s * t, d), *now[k + 2 :])
        elif kind == "split" and more:
            t = hint.read(more[0])
            found += [le(1, t), divides(t, s)]
            now = (*now[:k], (t, d), (Node("div", (s, t)), t * d), *now[k + 1 :])
        else:
            raise Refused(f"{str(item)[:40]} is no rewrite here")
    return now


def _after(hint: Hints, now: Modes, layout: Modes, step: list[Any], found: list[Node]) -> Modes:
    """Apply a layout to a map whose digits never carry between the layout's modes.

    With b_k = sum of c_kj*A_j the index at x is sum of A_j*v_j, v_j = sum of x_k*c_kj. Where
    0 <= v_j < a_j for all j but the last, those are its digits, and the offset is sum of v_j*e_j.
    """
    _, rewrites, rows, bounded = listed(step, str, list, list, bool)
    layout = _rewritten(hint, layout, rewrites, bounded, found)
    digits = [[hint.read(c) for c in listed(row, *[object] * len(layout))]
              for row in listed(rows, *[list] * len(now))]  # fmt: skip
    radices = [size(layout[:j]) for j in range(len(layout))]
    for (_, b), row in zip(now, digits, strict=True):
        found.append(eq(b, total(c * r for c, r in zip(row, radices, strict=True))))
    found += [le(0, c) for row in digits for c in row if c.op != "int" or c.args[0] < 0]
    for j, (a, _) in enumerate(layout if bounded else layout[:-1]):
        found.append(
            le(total((s - 1) * row[j] for (s, _), row in zip(now, digits, strict=True)), a - 1)
        )
    return tuple(
        (s, total(c * e for c, (_, e) in zip(row, layout, strict=True)))
        for (s, _), row in zip(now, digits, strict=True)
    )


def reorder(hint: Hints, claim: Primitive) -> Found:
    """An offset is a sum over the modes, in whatever order they are taken, and modes that add 0
    change none. So what is the same map, of the same size, has the same offsets."""
    found, kept = [], []
    for key, layout in zip(("left", "right"), claim.layouts, strict=True):
        order = hint.indices(key, len(layout))
        found += [eq(0, (s - 1) * d) for k, (s, d) in enumerate(layout) if k not in order]
        kept.append(tuple(layout[k] for k in order) or ((lit(1), lit(0)),))
    found.append(eq(*map(size, kept)))
    return found, {"rest": Primitive("agree", (*kept, kept[0]), split=1, body=PLAIN)}


def one(hint: Hints, claim: Primitive) -> Found:
    """One of the claims is true (`proofs/lemmas/joined.py`, as "denial")."""
    return [], {"rest": claim.body[number(hint.get("which"), len(claim.body))]}


def denial(hint: Hints, claim: Primitive) -> Found:
    """A claim is true, or it is false: then its denial is."""
    k = number(hint.get("which"), len(claim.body))
    if claim.body[k].kind != "denied" or claim.body[k].body[0] not in claim.body:
        raise Refused(f"claim {k} denies none of the others")
    return [], {}


def missing(hint: Hints, claim: Primitive) -> Found:
    """A number below the bound, from 0, that is no offset: the layout lies apart from it."""
    [denied], [at] = claim.body, hint.leaves("at", 1)
    if denied.kind != "covers":
        raise Refused(f"no number is missing in {denied.kind}")
    alone = ((lit(1), lit(0)),)
    rest = Primitive("apart", (*denied.layouts, alone), leaf=at)
    return [le(0, at), le(at + 1, denied.leaf)], {"rest": rest}


def witness(hint: Hints, claim: Primitive) -> Found:
    """Coordinates that break the claim, at which its guards hold."""
    [denied] = claim.body
    layouts = broken_by(denied)
    if layouts is None:
        raise Refused(f"there is no witness against {denied.kind}, a chain or what is swizzled")
    keys = ("at", "other")[: len(layouts)]
    points = [hint.leaves(key, len(m)) for key, m in zip(keys, layouts, strict=True)]
    return breaking(denied, points), {}


def broken_by(claim: Primitive) -> tuple[Modes, ...] | None:
    """Return the layouts whose coordinates break a claim: two with one offset, one whose offset is
    out of bounds, or two with one index, in the first layout all those that are meant."""
    if claim.swizzle != PLAIN or claim.body not in (None, PLAIN):
        return None
    if claim.kind in ("injective", "in_bounds"):
        return claim.layouts * (2 if claim.kind == "injective" else 1)
    if claim.kind in ("disjoint", "apart"):
        return claim.layouts
    equal = claim.kind == "agree" and claim.split == 1 and claim.layouts[2:] == claim.layouts[:1]
    return claim.layouts[:2] if equal else None


def breaking(claim: Primitive, points: list[list[Node]]) -> list[Node]:
    """Return what says that points are coordinates, and break a claim."""
    layouts, found = broken_by(claim) or (), list[Node]()
    for m, at in zip(layouts, points, strict=True):
        for c, (s, _) in zip(at, m, strict=True):
            found += [le(0, c), le(c + 1, s)]
        found += [Node("lt", (offset(at, g), bound)) for g, bound in claim.guards]
    offsets = [offset(at, m) for m, at in zip(layouts, points, strict=True)]
    x, y = claim.offset + offsets[0], claim.leaf + offsets[-1]
    if claim.kind == "in_bounds":
        return [*found, Node("or", (Node("lt", (x, lit(0))), le(claim.leaf, x)))]
    if claim.kind == "injective":
        differ = (Node("ne", pair) for pair in zip(*points, strict=True))
        return [*found, eq(*offsets), Node("or", tuple(differ))]
    if claim.kind == "agree":
        indices = (offset(at, radices(m)) for m, at in zip(layouts, points, strict=True))
        return [*found, eq(*indices), Node("ne", (x, y))]
    return [*found, eq(x, y), *[Node("ne", (x, lit(0)))][: claim.kind == "disjoint"]]


def offset(at: list[Node], layout: Modes) -> Node:
    """Return the offset at a coordinate."""
    return total(c * d for c, (_, d) in zip(at, layout, strict=True))


def radices(layout: Modes) -> Modes:
    """Return the layout with how far each mode moves the index in the place of its strides."""
    return tuple((s, size(layout[:k])) for k, (s, _) in enumerate(layout))


def _formula(hint: Hints, claim: Primitive) -> Found:
    return [claim.body], {}


LEMMAS: dict[tuple[str, str], Any] = {
    ("chain", "injective"): chain, ("mod", "injective"): mod, ("merge", "injective"): merge,
    ("merge", "in_bounds"): merge, ("bounds", "in_bounds"): bounds,
    ("given bound", "in_bounds"): given_bound, ("swizzle", "in_bounds"): swizzle,
    ("cover", "covers"): cover, ("together", "disjoint"): together, ("beyond", "apart"): beyond,
    ("offset mod", "apart"): offset_mod, ("formula", "holds"): _formula,
    ("agree", "agree"): agree, ("reorder", "same_image"): reorder,
    ("one", "either"): one, ("denial", "either"): denial,
    ("witness", "denied"): witness, ("missing", "denied"): missing,
}  # fmt: skip
