"""What every claim can do: say itself in words, write itself as a query, check an instance.

A claim is a value. Some claims are conjunctions of others (`parts`); the rest are primitive: they
encode "a counterexample exists" as an SMT query, and read a counterexample back from its model.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import product as cartesian
from typing import Any, ClassVar, Self, TypeAlias

from symcute.claims.fields import (
    at_dims,
    dims_in,
    each_leaf,
    layouts_in,
    leaves_in,
    show_field,
    swizzled_in,
)
from symcute.claims.statement import Statement
from symcute.errors import InputError
from symcute.expr.arguments import classes_of, refuse_others, types_of
from symcute.expr.assumptions import Assumptions, Given
from symcute.expr.basis import require_integers
from symcute.expr.expression import NO_DIMS, as_leaf
from symcute.expr.htuple import Leaf, leaves, show, show_leaf, unflatten
from symcute.expr.notebook import Shown
from symcute.expr.parser import parse
from symcute.hardware.access import Access
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout
from symcute.solve.smtlib import Query, apply

__all__ = [
    "AnyLayout",
    "Claim",
    "Counterexample",
    "NoQuery",
    "Where",
    "call",
    "coordinates",
    "dot",
    "inside",
    "natural",
    "numbers",
    "plain",
    "where_words",
]

#: Guards: the claim speaks of the coordinates where each layout's offset is less than its bound.
Where: TypeAlias = tuple[tuple[Layout, Leaf], ...]

#: What the claims about injectivity and bounds speak of: a layout, or a swizzle after one.
AnyLayout: TypeAlias = Layout | ComposedLayout

#: The name of claims that our grammar has no name for.
UNNAMED = "agree"
#: The largest domain that is enumerated to check an instance by brute force.
MAX_ENUMERATED = 1 << 20


class NoQuery(Exception):
    """A claim that is not decided in this way: of several parts, by enumeration, or by a lemma."""


@dataclass(frozen=True)
class Counterexample:
    """Values of the dims, and what goes wrong there, in words."""

    dims: Mapping[str, int]
    text: str

    def __str__(self) -> str:
        """Return the values of the dims and what goes wrong."""
        at = ", ".join(f"{k}={v}" for k, v in sorted(self.dims.items()))
        return f"{at}: {self.text}" if at else self.text

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {"dims": dict(sorted(self.dims.items())), "text": self.text}


@dataclass(frozen=True)
class Claim(Shown, ABC):
    """A statement about layouts. Subclasses are frozen dataclasses; see the module docstring.

    One that was read from text keeps it: `text` is what was asked, `spelled` the same with what the
    operations in it came to. It is no field, so that claims are equal where they say the same of
    the same layouts, and `replace` leaves it behind.
    """

    #: The name of the claim in our grammar.
    name: ClassVar[str] = ""
    #: Whether it may speak of swizzled layouts.
    takes_swizzles: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Refuse what is no layout or number where one is named, and layouts that do not fit.

        These are layouts that give coordinates, and swizzled ones where the claim takes none.
        """
        swizzled = [x for v in self._values() for x in swizzled_in(v)]
        if swizzled and not self.takes_swizzles:
            raise InputError(
                f"{self.name} does not speak of swizzled layouts, as {swizzled[0]} is",
                "injective, bijective, compact, in_bounds and equal do",
            )
        kind: Any = type(self)
        for field, classes in _field_classes(kind).items():
            value = getattr(self, field)
            if classes == _NUMBER:
                object.__setattr__(self, field, as_leaf(value, self.name))
            elif not isinstance(value, ComposedLayout):
                refuse_others(self.name, classes, value)
        for layout in self.layouts():
            if layout.coordinate_strides:
                require_integers(layout.stride, self.name)

    def text(self) -> str:
        """Return the claim in our grammar: as it was written, where it was read from text."""
        stated: Statement | None = self.__dict__.get("_stated")
        return self.spelled() if stated is None else stated.text

    def spelled(self) -> str:
        """Return the claim in our grammar, without operations."""
        return f"{self.name}({', '.join(show_field(v) for v in self._values())})"

    def statement(self) -> Statement:
        """Return the text that states the claim."""
        stated: Statement | None = self.__dict__.get("_stated")
        if stated is not None:
            return stated
        # A part of a claim that has no name in our grammar asks for what its layouts ask for.
        text = self.spelled()
        read = f"({','.join(map(str, self.layouts()))},)" if self.name == UNNAMED else text
        return Statement(read, text, parse(read))

    def stated(self, statement: Statement) -> Self:
        """Return the claim as the one that a text states."""
        found = copy(self)
        object.__setattr__(found, "_stated", statement)
        return found

    @abstractmethod
    def words(self) -> str:
        """Return the claim as a sentence."""

    def parts(self) -> tuple[Claim, ...]:
        """Return the primitive claims of which this one is the conjunction."""
        return (self,)

    def layouts(self) -> tuple[Layout, ...]:
        """Return the layouts the claim speaks of, swizzled ones without their swizzle."""
        return tuple(x for v in self._values() for x in layouts_in(v))

    def maps(self) -> tuple[Layout | ComposedLayout, ...]:
        """Return the layouts the claim speaks of, swizzled ones with their swizzle."""
        found: list[Layout | ComposedLayout] = []
        for value in self._values():
            value = value.layout if isinstance(value, Access) else value
            found += [*swizzled_in(value)] or [*layouts_in(value)]
        return tuple(found)

    def leaves(self) -> tuple[Leaf, ...]:
        """Return every leaf of the layouts, shapes, bounds and formulas the claim speaks of."""
        return tuple(x for v in self._values() for x in leaves_in(v))

    def dims(self) -> set[str]:
        """Return the names of the dims that occur, in the text that states the claim too."""
        stated: Statement | None = self.__dict__.get("_stated")
        return set().union(*(dims_in(v) for v in self._values()), stated.names if stated else ())

    def at(self, dims: Mapping[str, int] = NO_DIMS, /, **named: int) -> Self:
        """Return the claim at integer values of the dims.

        Errors: InputError where a layout is none there (an extent below 1, a quotient no integer).
        """
        dims = {**dims, **named}
        values = {f.name: at_dims(getattr(self, f.name), dims) for f in fields(self)}
        return replace(self, **values)

    def with_leaves(self, function: Callable[[Leaf], Leaf]) -> Self:
        """Return the same claim, stated by the same text, with a function of each leaf."""
        values = {f.name: each_leaf(function, getattr(self, f.name)) for f in fields(self)}
        return replace(self, **values).stated(self.statement())

    def encode(self, query: Query) -> None:
        """Assert, over fresh coordinates, that a counterexample exists.

        Errors: NoQuery for a claim of parts, and for one that would take a quantifier.
        """
        raise NoQuery(self.text())

    def smt(self, given: Given = ()) -> str:
        """Return the queries "a counterexample exists", one a part, as an SMT-LIB script.

        The claim holds when each is unsatisfiable and the conditions in its comments hold.
        """
        assumptions = Assumptions.of(given)
        scripts = []
        for part in self.parts():
            query = Query()
            for fact in assumptions.all(part.dims()):
                query.assume(fact)
            try:
                part.encode(query)
            except NoQuery:
                scripts.append(
                    f"; {part.text()}: decided by evaluation or a lemma, without a query"
                )
                continue
            notes = [f"; provided that {c}" for c in query.conditions]
            scripts.append("\n".join([f"; {part.text()}", *notes, query.script(), "(check-sat)"]))
        return "\n\n(reset)\n".join(scripts)

    def fails_at(self, model: Mapping[str, int]) -> str | None:
        """Return what goes wrong at the coordinates of a model of `encode`, or None (static)."""
        raise NoQuery(self.text())

    def brute(self) -> str | None:
        """Return what goes wrong, found by enumerating the domain, or None (static).

        Errors: InputError when the domain is too large to enumerate; NoQuery for a claim of parts.
        """
        raise NoQuery(self.text())

    def worded(self, number: int, dims: Mapping[str, int]) -> str | None:
        """Return what goes wrong with the part of that number, in the words of the claim.

        None where the part is no formula, or is not false as it is written.
        """
        parts = self.parts()
        return parts[number].reason_at(dims) if number < len(parts) else None

    def reason_at(self, dims: Mapping[str, int]) -> str | None:
        """Return what goes wrong with a formula at integer dims; None for any other claim."""
        return None

    def _values(self) -> list[Any]:
        return [getattr(self, f.name) for f in fields(self)]

    def _guarded_text(self, *values: Any) -> str:
        """Return the claim in our grammar with its guards behind the values."""
        where: Where = getattr(self, "where", ())
        guards = [f"where({g}, {show_field(bound)})" for g, bound in where]
        return f"{self.name}({', '.join([*(show_field(v) for v in values), *guards])})"

    def _check_guards(self, layout: AnyLayout, where: Any) -> Where:
        """Return the guards as pairs of layout and bound.

        Errors: InputError for what is no such pair, and a guard whose extents are not written like
        those of the layout.
        """
        found: list[tuple[Layout, Leaf]] = []
        for item in where:
            pair = item if isinstance(item, tuple) and len(item) == 2 else (None, None)
            if not isinstance(pair[0], Layout):
                raise InputError(
                    f"{item!r} is not a guard of {self.name}", "give pairs (layout, bound)"
                )
            if not same_leaves(pair[0].shape, layout.shape):
                raise InputError(
                    f"the guard {pair[0]} and {layout} have different extents",
                    "write the guard's extents like those of the layout",
                )
            if pair[0].coordinate_strides:
                require_integers(pair[0].stride, self.name)
            found.append((pair[0], as_leaf(pair[1], "a guard")))
        return tuple(found)

    def __str__(self) -> str:
        """Return the claim in our grammar."""
        return self.text()

    def __bool__(self) -> bool:
        """Refuse: a claim is a statement, not an answer."""
        raise TypeError(f"the claim {self.text()} has no truth value; use prove()")


#: Stands for the classes of a field that is a leaf.
_NUMBER = (int,)


@cache
def _field_classes(claim: type[Claim]) -> dict[str, tuple[type, ...]]:
    """Return the classes of the fields that are looked at, in order."""
    types = types_of(claim)
    found = {
        f.name: _NUMBER if f.type == "Leaf" else classes_of(types[f.name]) for f in fields(claim)
    }
    return {name: classes for name, classes in found.items() if classes}


def coordinates(query: Query, layout: Layout, name: str) -> list[str]:
    """Declare a natural coordinate inside the layout's shape and return its constants."""
    found = []
    for k, s in enumerate(leaves(layout.shape)):
        x = query.name(f"{name}!{k}")
        query.require(f"(and (<= 0 {x}) (< {x} {query.leaf(s)}))")
        found.append(x)
    return found


def dot(query: Query, crd: list[str], layout: Layout) -> str:
    """Return the term of the offset of a layout at a natural coordinate."""
    strides = zip(crd, leaves(layout.stride), strict=True)
    return apply("+", [f"(* {c} {query.leaf(d)})" for c, d in strides], "0")


def within(query: Query, crd: list[str], where: Where) -> None:
    """Assert that a natural coordinate is one the guards let through."""
    for guard, bound in where:
        query.require(f"(< {dot(query, crd, guard)} {query.leaf(bound)})")


def inside(flat: tuple[int, ...], layout: Layout, where: Where = ()) -> bool:
    """Return whether a flat coordinate is one of a static layout that the guards let through."""
    extents = leaves(layout.shape)
    return all(0 <= x < static(s) for x, s in zip(flat, extents, strict=True)) and all(
        flat_offset(guard, flat) < static(bound) for guard, bound in where
    )


def numbers(model: Mapping[str, int], layout: Layout, name: str) -> tuple[int, ...]:
    """Return the natural coordinate that a model gives for the constants of `coordinates`."""
    return tuple(model[f"{name}!{k}"] for k in range(len(list(leaves(layout.shape)))))


def where_words(where: Where) -> str:
    """Return the guards as the end of a noun: empty, or ` where G(c) < M`."""
    guards = [f"({g})(c) < {show_leaf(bound)}" for g, bound in where]
    return f" at the coordinates c where {' and '.join(guards)}" if guards else ""


def plain(layout: AnyLayout) -> Layout:
    """Return a layout that has no swizzle, as those of primitive claims have none.

    Errors: NoQuery for one that has.
    """
    if isinstance(layout, ComposedLayout):
        raise NoQuery(f"{layout} has no strides: ask for the parts of the claim")
    return layout


def natural(layout: Layout, flat: tuple[int, ...]) -> Any:
    """Return a flat coordinate in the hierarchy of the layout's shape."""
    return unflatten(flat, layout.shape)


def call(layout: Layout, coordinate: Any) -> str:
    """Return `L(coordinate)` as one writes it."""
    inner = show(coordinate)
    if isinstance(coordinate, tuple):
        inner = inner[1:-1]
    return f"L({inner})"


def domain(layout: Layout) -> Iterator[tuple[int, ...]]:
    """Yield the flat natural coordinates of a static layout in colexicographic order.

    Errors: InputError when there are too many.
    """
    extents = [int(s) for s in leaves(layout.shape)]
    size = int(layout.size())
    if size > MAX_ENUMERATED:
        raise InputError(
            f"{layout} has {size} coordinates, too many to enumerate",
            f"brute force takes at most {MAX_ENUMERATED}",
        )
    for reverse in cartesian(*(range(s) for s in reversed(extents))):
        yield reverse[::-1]


def flat_offset(layout: Layout, flat: tuple[int, ...]) -> int:
    """Return the offset of a static layout at a flat natural coordinate, from first principles."""
    return sum(x * int(d) for x, d in zip(flat, leaves(layout.stride), strict=True))


def static(leaf: Leaf) -> int:
    """Return a leaf that must be an int by now."""
    if not isinstance(leaf, int):
        raise InputError(f"{show_leaf(leaf)} is not a number", "give values for all dims")
    return leaf


def same_leaves(a: Any, b: Any) -> bool:
    """Return whether two htuples have the same leaves, hierarchy apart."""
    return list(leaves(a)) == list(leaves(b))
