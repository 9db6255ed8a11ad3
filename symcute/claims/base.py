"""What every claim can do: say itself in words, write itself as a query, check an instance.

A claim is a value. Some claims are conjunctions of others (`parts`); the rest are primitive: they
encode "a counterexample exists" as an SMT query, and read a counterexample back from its model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from itertools import product as cartesian
from typing import Any, ClassVar, Self

from symcute.assumptions import Assumptions, Given
from symcute.basis import require_integers
from symcute.errors import InputError
from symcute.exprs import free_dims, is_symbolic, value_at
from symcute.formula import Formula
from symcute.htuple import Leaf, leaves, show, show_leaf, unflatten
from symcute.layout import Layout
from symcute.smtlib import Query

__all__ = ["Claim", "Counterexample", "call", "coordinates", "natural", "show_field"]

#: The largest domain that is enumerated to check an instance by brute force.
MAX_ENUMERATED = 1 << 20


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
class Claim:
    """A statement about layouts. Subclasses are frozen dataclasses; see the module docstring."""

    #: The name of the claim in our grammar.
    name: ClassVar[str] = ""

    def __post_init__(self) -> None:
        """Refuse layouts that give coordinates: claims speak of offsets that are numbers."""
        for layout in self.layouts():
            if layout.coordinate_strides:
                require_integers(layout.stride, self.name)

    def text(self) -> str:
        """Return the claim in our grammar."""
        return f"{self.name}({', '.join(show_field(v) for v in self._values())})"

    def words(self) -> str:
        """Return the claim as a sentence."""
        raise NotImplementedError

    def parts(self) -> tuple[Claim, ...]:
        """Return the primitive claims of which this one is the conjunction."""
        return (self,)

    def layouts(self) -> tuple[Layout, ...]:
        """Return the layouts the claim speaks of."""
        return tuple(x for v in self._values() for x in _layouts(v))

    def leaves(self) -> tuple[Leaf, ...]:
        """Return every leaf of the layouts, shapes, bounds and formulas the claim speaks of."""
        return tuple(x for v in self._values() for x in _leaves(v))

    def dims(self) -> set[str]:
        """Return the names of the dims that occur."""
        return set().union(*(_dims(v) for v in self._values()))

    def at(self, dims: Mapping[str, int]) -> Self:
        """Return the claim at integer values of the dims.

        Errors: InputError where a layout is none there (an extent below 1, a quotient no integer).
        """
        values = {f.name: _at(getattr(self, f.name), dims) for f in fields(self)}
        return replace(self, **values)

    def encode(self, query: Query) -> None:
        """Assert, over fresh coordinates, that a counterexample exists (primitive claims)."""
        raise NotImplementedError

    def smt(self, given: Given = ()) -> str:
        """Return the queries "a counterexample exists", one a part, as SMT-LIB text.

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
            except NotImplementedError:
                scripts.append(f"; {part.text()}: decided by evaluation, without a query")
                continue
            notes = [f"; provided that {c}" for c in query.conditions]
            scripts.append("\n".join([f"; {part.text()}", *notes, query.script(), "(check-sat)"]))
        return "\n\n".join(scripts)

    def fails_at(self, model: Mapping[str, int]) -> str | None:
        """Return what goes wrong at the coordinates of a model of `encode`, or None (static)."""
        raise NotImplementedError

    def brute(self) -> str | None:
        """Return what goes wrong, found by enumerating the domain, or None (static).

        Errors: InputError when the domain is too large to enumerate.
        """
        raise NotImplementedError

    def _values(self) -> list[Any]:
        return [getattr(self, f.name) for f in fields(self)]

    def __str__(self) -> str:
        """Return the claim in our grammar."""
        return self.text()

    def __bool__(self) -> bool:
        """Refuse: a claim is a statement, not an answer."""
        raise TypeError(f"the claim {self.text()} has no truth value; use prove()")


def show_field(value: Any) -> str:
    """Return a field of a claim in our grammar."""
    if isinstance(value, (Layout, Formula)):
        return str(value)
    return f'"{value}"' if isinstance(value, str) else show(value)


def _layouts(value: Any) -> Iterator[Layout]:
    if isinstance(value, Layout):
        yield value
    elif isinstance(value, tuple):
        for x in value:
            yield from _layouts(x)


def _leaves(value: Any) -> Iterator[Leaf]:
    if isinstance(value, Layout):
        yield from leaves(value.shape)
        yield from leaves(value.stride)
    elif isinstance(value, (Formula, tuple)):
        for x in value.args if isinstance(value, Formula) else value:
            yield from _leaves(x)
    elif not isinstance(value, str):
        yield value


def _dims(value: Any) -> set[str]:
    if isinstance(value, (Layout, Formula)):
        return value.dims()
    if isinstance(value, tuple):
        return set().union(*(_dims(x) for x in value))
    return free_dims(value)


def _at(value: Any, dims: Mapping[str, int]) -> Any:
    if isinstance(value, Layout):
        return value.at(dict(dims))
    if isinstance(value, Formula):
        return Formula(value.op, tuple(_at(x, dims) for x in value.args))
    if isinstance(value, tuple):
        return tuple(_at(x, dims) for x in value)
    return value_at(value, dims) if is_symbolic(value) else value


def coordinates(query: Query, layout: Layout, name: str) -> list[str]:
    """Declare a natural coordinate inside the layout's shape and return its constants."""
    found = []
    for k, s in enumerate(leaves(layout.shape)):
        x = query.name(f"{name}!{k}")
        query.require(f"(and (<= 0 {x}) (< {x} {query.leaf(s)}))")
        found.append(x)
    return found


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
