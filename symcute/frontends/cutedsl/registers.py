"""Truths that a thread keeps in registers: the predicates of copies.

A fragment of predicates is filled element by element, by loops whose counters are its coordinates,
or one store for each element. What it holds is then a truth for each coordinate of its modes. All
other fragments hold data, which no address rests on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import product as every_of
from math import prod
from typing import Any

from symcute.expr.leaf import Expression
from symcute.frontends.cutedsl.arithmetic import BOOL, I32, Unwritten, joined, negated
from symcute.kernel.ir.expression import (
    Base,
    Binary,
    Builtin,
    Cast,
    Const,
    Expr,
    PtrAdd,
    Select,
    Unary,
    Var,
)
from symcute.kernel.ir.inside import inside, reads, with_parts
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Int
from symcute.layout.coordinates import idx2crd
from symcute.layout.layout import Layout

__all__ = ["Content", "Counter", "Registers", "digits"]

_EXPRESSIONS = (Const, Var, Builtin, Unary, Binary, Select, Cast, Base, PtrAdd)
#: The most elements of a fragment that are stored one by one.
_MOST = 1 << 10

_HELD, _CLEARED, _ZERO = Const(1, BOOL), Const(0, BOOL), Const(0, I32)


@dataclass(frozen=True)
class Counter:
    """What a store stands in: a loop over so many numbers from 0, or else a branch (no name)."""

    name: str = ""
    count: int | None = None


@dataclass(frozen=True)
class Content:
    """What a fragment of a layout holds at coordinates: one number for each of its modes.

    That is `at` where `kept` holds, and nothing where the fragment was cleared. It rests on the
    variables `names`.
    """

    layout: Layout
    names: frozenset[str]
    at: Callable[[Sequence[Expr], Place], Expr]
    kept: Expr = _HELD

    def truth(self, positions: Sequence[Expr], place: Place) -> Expr:
        """Return what it holds at numbers."""
        if isinstance(self.kept, Const):
            return self.at(positions, place) if self.kept.value else self.kept
        return joined("&&", self.kept, self.at(positions, place), place)

    def where(self, kept: Expr) -> Content:
        """Return the same where a truth holds, and nothing where it does not."""
        return replace(self, kept=kept, names=self.names | reads(kept))


class Registers:
    """The contents of fragments, by their roots, as the walk over a kernel goes on.

    `levels` say how many loops and branches are around the place where a variable is set. `shared`
    are roots of registers that may be those of another root: of them nothing is known.
    """

    def __init__(self, levels: dict[str, int], shared: frozenset[str]) -> None:
        self.levels, self.shared = levels, shared
        self.contents: dict[str, Content] = {}
        self._filled: list[tuple[int, str, Content]] = []
        self._points: dict[str, tuple[Layout, dict[tuple[int, ...], Expr]]] = {}

    def store(
        self, root: str, layout: Layout, coordinate: Any, truth: Expr, around: Sequence[Counter]
    ) -> None:
        """Take in the store of a truth at a coordinate, inside loops and branches."""
        known = self.contents.pop(root, None)
        points = self._points.pop(root, None)
        shape = _shape(layout)
        if root in self.shared or not _is_injective(layout):
            return
        at = coordinate if isinstance(coordinate, tuple) else None
        if at is None and isinstance(coordinate, int):
            at = idx2crd(coordinate, shape)
        if at is not None and all(isinstance(x, int) for x in map(_index, at, shape)):
            place = tuple(int(_index(c, s)) for c, s in zip(at, shape, strict=True))
            found = dict(points[1]) if points and points[0] == layout and known else {}
            if not known or points:
                found[place] = truth
                self._points[root] = layout, found
                names = frozenset().union(*map(reads, found.values()))
                self.contents[root] = Content(layout, names, _of_points(layout, found))
            return
        self._fill(root, layout, coordinate if at is None else at, truth, around)

    def _fill(
        self, root: str, layout: Layout, at: Any, truth: Expr, around: Sequence[Counter]
    ) -> None:
        """Keep what loops fill, until they end: all of the fragment, or nothing."""
        shape = _shape(layout)
        sizes = [prod(_flat(s)) for s in shape]
        strides = [any(d != 0 for s, d in layout[k].modes() if s != 1) for k in range(len(sizes))]
        used: dict[str, tuple[int, ...]] = {}  # a counter, and the modes that it counts
        if not isinstance(at, tuple):
            if not all(strides[k] or sizes[k] == 1 for k in range(len(sizes))):
                return
            used[_counter(at)] = tuple(range(len(sizes)))
        else:
            for k, (c, s) in enumerate(zip(at, shape, strict=True)):
                index = _index(c, s)
                if isinstance(index, int):
                    if index or (sizes[k] > 1 and strides[k]):
                        return
                elif (sizes[k] > 1 and not strides[k]) or _counter(index) in used:
                    return
                else:
                    used[_counter(index)] = (k,)
        names = [c.name for c in around]
        if "" in used or not used.keys() <= set(names):
            return
        first = min(names.index(n) for n in used)
        counts = {c.name: c.count for c in around[first:]}
        whole = all(counts[n] == prod(sizes[k] for k in modes) for n, modes in used.items())
        others = frozenset(reads(truth)) - used.keys()
        if not whole or any(n not in used for n in names[first:]):
            return
        if not self._outside(others, first):
            return

        def holds(positions: Sequence[Expr], place: Place) -> Expr:
            values = {}
            for name, modes in used.items():
                value, weight = positions[modes[0]], sizes[modes[0]]
                for k in modes[1:]:
                    value = _sum(value, _times(positions[k], weight, place), place)
                    weight *= sizes[k]
                values[name] = value
            return replaced(truth, values)

        self._filled.append((first, root, Content(layout, others, holds)))

    def _outside(self, names: frozenset[str], level: int) -> bool:
        """Return whether variables are set with no more than so many loops and branches around."""
        return all(n in self.levels and self.levels[n] <= level for n in names)

    def clear(self, root: str, layout: Layout) -> None:
        """Let a fragment hold nothing."""
        self.forget({root})
        if root not in self.shared:
            self.contents[root] = Content(layout, frozenset(), _nothing, _CLEARED)

    def forget(self, roots: set[str]) -> None:
        """Forget what fragments hold."""
        for root in roots:
            self.contents.pop(root, None)
            self._points.pop(root, None)
        self._filled = [x for x in self._filled if x[1] not in roots]

    def left(self, depth: int, stores: Mapping[str, int]) -> None:
        """Leave a loop that has so many around it; so often it says to store to a fragment."""
        ready = [x for x in self._filled if x[0] == depth]
        outer = [x for x in self._filled if x[0] < depth]
        inside = {r for r, c in self.contents.items() if not self._outside(c.names, depth)}
        self.forget({*stores, *inside})
        self._filled = outer
        for _, root, content in ready:
            # Of two stores in one loop it is not looked at which is the last.
            if stores.get(root) == 1 and self._outside(content.names, depth):
                self.contents[root] = content

    def copy(self) -> Registers:
        """Return the same, to go on in a branch."""
        found = Registers(self.levels, self.shared)
        found.contents = dict(self.contents)
        found._points = dict(self._points)
        return found

    def merge(self, test: Expr | None, yes: Registers, no: Registers, depth: int) -> None:
        """Take what the branches of a condition leave, which has so many loops around it."""
        self._points = {k: v for k, v in yes._points.items() if no._points.get(k) is v}
        self.contents = {}
        for root in yes.contents.keys() & no.contents.keys():
            one, other = yes.contents[root], no.contents[root]
            kept = None if test is None else _either(test, one, other)
            if one is other:
                self.contents[root] = one
            elif kept is not None and one.layout == other.layout:
                made = (other if one.at is _nothing else one).where(kept)
                if self._outside(one.names | other.names, depth):
                    self.contents[root] = replace(made, names=made.names | one.names | other.names)
            elif test is not None and one.layout == other.layout:
                names = one.names | other.names
                if self._outside(names, depth):
                    names |= reads(test)
                    self.contents[root] = Content(one.layout, names, _chosen(test, one, other))

    def holds(self, root: str, layout: Layout, first: Expr, rest: Expr, place: Place) -> Expr:
        """Return what a fragment (V, Rest) holds at a vector of V, and at an element of Rest.

        Errors: Unwritten where that is not known.
        """
        found = self.contents.get(root)
        if found is None:
            raise Unwritten("what the predicates of the copy are is not known")
        seen: dict[tuple[Any, Any], Expr] = {}
        for k, index in enumerate((first, rest)):
            modes = layout[k].modes()
            numbers = digits(index, [int(n) for n, _ in modes], place)
            seen |= {m: x for m, x in zip(modes, numbers, strict=True) if _tells(m)}
        shape = _shape(found.layout)
        own = [found.layout[k].modes() for k in range(len(shape))]
        if not seen.keys() <= {mode for each in own for mode in each}:
            raise Unwritten(f"the predicates {found.layout} are seen as {layout}")
        # Elements of one register hold one truth; a mode that is not seen is seen at its start.
        positions = []
        for each in own:
            position: Expr = _ZERO
            weight = 1
            for mode in each:
                position = _sum(position, _times(seen.get(mode, _ZERO), weight, place), place)
                weight *= int(mode[0])
            positions.append(position)
        return found.truth(positions, place)


# --- inside ---------------------------------------------------------------------------------------


def _tells(mode: tuple[Any, Any]) -> bool:
    """Return whether elements of a mode are in several registers."""
    return bool(mode[0] != 1 and mode[1] != 0)


def _is_injective(layout: Layout) -> bool:
    """Return whether elements have a register each, but those of modes that repeat them."""
    modes = [(int(s), int(d)) for s, d in layout.modes() if d != 0]
    if prod(s for s, _ in modes) > _MOST:
        return False
    places = [sum(x) for x in every_of(*([i * d for i in range(s)] for s, d in modes))]
    return len({*places}) == len(places)


def _shape(layout: Layout) -> tuple[Any, ...]:
    return layout.shape if isinstance(layout.shape, tuple) else (layout.shape,)


def _flat(x: Any) -> list[int]:
    return [n for y in x for n in _flat(y)] if isinstance(x, tuple) else [x]


def _index(coordinate: Any, shape: Any) -> Any:
    """Return the index of a coordinate of a mode, first extents first."""
    if not isinstance(coordinate, tuple):
        return coordinate
    if not isinstance(shape, tuple) or len(shape) != len(coordinate):
        return None
    found, weight = 0, 1
    for c, s in zip(coordinate, shape, strict=True):
        inner = _index(c, s)
        if inner is None:
            return None
        found, weight = found + inner * weight, weight * prod(_flat(s))
    return found


def _counter(index: Any) -> str:
    """Return the dim that an index is; "" for what is more than a dim."""
    return str(index) if isinstance(index, Expression) and index.op == "dim" else ""


def _sum(left: Expr, right: Expr, place: Place) -> Expr:
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Const) and one.value == 0:
            return other
    return Binary("+", left, right, I32, place)


def _times(x: Expr, factor: int, place: Place) -> Expr:
    if factor == 1 or (isinstance(x, Const) and x.value == 0):
        return x
    return Binary("*", x, Const(factor, I32), I32, place)


def digits(index: Expr, sizes: Sequence[int], place: Place) -> list[Expr]:
    """Return the coordinates of an index in modes of some sizes, the first one fastest."""
    found: list[Expr] = []
    for k, n in enumerate(sizes):
        rest = [m for m in sizes[k + 1 :] if m > 1]
        if n == 1:
            found.append(Const(0, I32))
            continue
        found.append(Binary("%", index, Const(n, I32), I32, place) if rest else index)
        if rest:
            index = Binary("/", index, Const(n, I32), I32, place)
    return found


def replaced(e: Expr, values: Mapping[str, Expr]) -> Expr:
    """Return an expression with other values of some variables."""
    if not isinstance(e, Var):
        return with_parts(e, lambda x: replaced(x, values))
    found = values.get(e.name, e)
    if found.type != e.type:
        raise Unwritten(f"{e.name} has another type")
    return found


def _nothing(positions: Sequence[Expr], place: Place) -> Expr:
    return _CLEARED


def _either(test: Expr, one: Content, other: Content) -> Expr | None:
    """Return where a fragment keeps what it held, behind the branches of a test.

    None where the branches leave something else in it.
    """
    if one.at is not other.at and _nothing not in (one.at, other.at):
        return None
    place = _place_of(test)
    yes = joined("&&", test, one.kept, place)
    return joined("||", yes, joined("&&", negated(test, place), other.kept, place), place)


def _place_of(e: Expr) -> Place:
    places = (x.place for x in inside(e) if isinstance(x, Binary | Unary | Cast | PtrAdd))
    return next(places, Place("module.mlir", 1, 1))


def _chosen(test: Expr, one: Content, other: Content) -> Callable[[Sequence[Expr], Place], Expr]:
    def holds(positions: Sequence[Expr], place: Place) -> Expr:
        yes = joined("&&", test, one.truth(positions, place), place)
        no = joined("&&", negated(test, place), other.truth(positions, place), place)
        return joined("||", yes, no, place)

    return holds


def _of_points(
    layout: Layout, points: Mapping[tuple[int, ...], Expr]
) -> Callable[[Sequence[Expr], Place], Expr]:
    """Return what a fragment holds of which each element was stored at a coordinate of numbers."""
    sizes = [int(layout[k].size()) for k in range(len(_shape(layout)))]
    flat = [_flat(s) for s in _shape(layout)]
    kept = [any(d != 0 for s, d in layout[k].modes() if s != 1) for k in range(len(sizes))]

    def holds(positions: Sequence[Expr], place: Place) -> Expr:
        places = list(every_of(*(range(n if kept[k] else 1) for k, n in enumerate(sizes))))
        if len(places) > _MOST or any(p not in points for p in places) or len(points) > len(places):
            raise Unwritten("not all of the predicates of the copy are known")
        axes = [(k, n, prod(flat[k][:m])) for k in range(len(sizes)) for m, n in enumerate(flat[k])]
        axes = [(k, n, w) for k, n, w in axes if n > 1 and kept[k]]
        each = [d for k in range(len(sizes)) for d in digits(positions[k], flat[k], place)]
        own = [n > 1 and kept[k] for k in range(len(sizes)) for n in flat[k]]
        at = [d for d, use in zip(each, own, strict=True) if use]
        numbers = {p: tuple(p[k] // w % n for k, n, w in axes) for p in places}
        return _fitted([(numbers[p], points[p]) for p in places], at, place)

    return holds


def _apart(e: Expr) -> tuple[Expr, int]:
    """Return a sum as what is summed, and the number that is added to it."""
    match e:
        case Binary(op="+", left=left, right=Const(value=value)):
            return left, value
    return e, 0


def _fitted(cases: list[tuple[tuple[int, ...], Expr]], at: Sequence[Expr], place: Place) -> Expr:
    """Return an expression in some digits that is each case at its digits; numbers are affine."""
    first = cases[0][1]
    if all(e == first for _, e in cases):
        return first
    apart = [_apart(e) for _, e in cases]
    if isinstance(first.type, Int) and all(rest == apart[0][0] for rest, _ in apart):
        # A sum with a number, which is not written where it is 0.
        kind = first.type
        pairs = zip(cases, apart, strict=True)
        numbers: list[tuple[tuple[int, ...], Expr]] = [
            (n, Const(c, kind)) for (n, _), (_, c) in pairs
        ]
        return Binary("+", apart[0][0], _fitted(numbers, at, place), kind, place)
    if any(type(e) is not type(first) for _, e in cases):
        raise Unwritten("the predicates of the copy are of several forms")
    if isinstance(first, Const):
        zero = dict(cases)
        start = zero[tuple(0 for _ in at)]
        steps = []
        for k in range(len(at)):
            unit = zero[tuple(int(j == k) for j in range(len(at)))]
            assert isinstance(unit, Const) and isinstance(start, Const)
            steps.append(unit.value - start.value)
        assert isinstance(start, Const)
        for n, e in cases:
            assert isinstance(e, Const)
            if e.value != start.value + sum(a * b for a, b in zip(n, steps, strict=True)):
                raise Unwritten("the predicates of the copy follow no rule that is seen")
        if start.type == BOOL:
            raise Unwritten("the predicates of the copy are several numbers")
        found: Expr = start
        for d, step in zip(at, steps, strict=True):
            if step:
                digit = d if d.type == start.type else Cast(d, start.type, place)
                scaled = Binary("*", digit, Const(step, start.type), start.type, place)
                found = Binary("+", found, scaled, start.type, place)
        return found
    parts: dict[str, Any] = {}
    for f in fields(first):
        values = [(n, getattr(e, f.name)) for n, e in cases]
        if f.name == "place":
            continue
        if isinstance(values[0][1], _EXPRESSIONS):
            parts[f.name] = _fitted(values, at, place)
        elif any(v != values[0][1] for _, v in values):
            raise Unwritten("the predicates of the copy are of several forms")
    return replace(first, **parts)
