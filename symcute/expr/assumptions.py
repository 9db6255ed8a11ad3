"""Dims and the assumptions about them.

A dim is an integer symbol that is at least 1, unless an assumption bounds it from below by a
constant (`r >= 0`). Assumptions are formulas, given as text in our grammar or as SymPy relations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

from symcute.errors import InputError, TextError
from symcute.expr.definedness import Condition, of_operators
from symcute.expr.expression import is_symbolic, mod
from symcute.expr.formula import (
    TRUE,
    Formula,
    eq,
    from_sympy,
    is_modulo,
    le,
    negation,
    read_formula,
)
from symcute.expr.leaf import NAME, Expression, dim
from symcute.expr.lowering import lower
from symcute.expr.parser import parse
from symcute.expr.polynomial import ONE, is_constant
from symcute.expr.ratio import ATOMS
from symcute.expr.syntax import Node, conjuncts
from symcute.expr.unparse import unparse

__all__ = ["Assumptions", "Given", "ambient", "assuming", "dims"]

_RELATIONS = ("eq", "ne", "le", "lt", "ge", "gt", "divides")
#: What `given=` accepts: text, SymPy relations, formulas, or a sequence of them.
Given: TypeAlias = Any


def dims(names: str) -> Any:
    """Return the dims of these names (separated by spaces or commas), one alone or a tuple.

    Each is an integer, at least 1 unless an assumption bounds it from below. Arithmetic makes
    expressions of them, which SymPy reads (`sympy.sympify`).
    Errors: InputError for a name that is not an identifier, or that text reads as something else:
    a number, as `_4`, or an operator, as `not`.

    >>> M, N = dims("M N")
    >>> M * N
    M*N
    >>> dims("_4")
    Traceback (most recent call last):
    symcute.errors.InputError: '_4' is not a name for a dim; use letters, digits and _
    """
    found = names.replace(",", " ").split()
    for name in found:
        if not NAME.match(name):
            raise InputError(f"{name!r} is not a name for a dim", "use letters, digits and _")
    if not found:
        raise InputError("no dim is named", 'write dims("M N")')
    return dim(found[0]) if len(found) == 1 else tuple(map(dim, found))


@dataclass(frozen=True)
class Assumptions:
    """A set of facts over dims, in the order given.

    >>> print(Assumptions.of(["LD >= N", "M % 128 == 0"]))
    LD >= N, M % 128 == 0
    """

    formulas: tuple[Formula, ...] = ()
    #: The assumptions as they were written, each with how many of the first formulas it comes to.
    written: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of(cls, given: Given = ()) -> Assumptions:
        """Return the assumptions that `given` states, after those of enclosing `assuming` blocks.

        Errors: TextError for text our grammar does not accept, InputError for a bare bool.
        """
        if isinstance(given, (str, Formula, Assumptions, bool)) or is_symbolic(given):
            given = (given,)
        elif not isinstance(given, Iterable):
            raise InputError(f"{given!r} is not a list of assumptions", 'write given=["LD >= N"]')
        found = {text: facts for item in (ambient(), *given) for text, facts in _read(item)}
        return cls(
            tuple(f for facts in found.values() for f in facts),
            tuple((text, len(facts)) for text, facts in found.items()),
        )

    def __str__(self) -> str:
        """Return the assumptions in our grammar, separated by commas."""
        return ", ".join(self.texts())

    def texts(self) -> tuple[str, ...]:
        """Return each assumption in our grammar, as it was written."""
        return tuple(text for text, _ in self._stated())

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        """What has to hold for the assumptions to have a value.

        One that is a relation by itself is met only where its quotients are integers.
        """
        return tuple(
            c
            for text, _ in self._stated()
            for part in conjuncts(parse(text))
            for c in of_operators(part, text)
            if part.op not in _RELATIONS or c.kind != "quotient"
        )

    def _stated(self) -> Iterator[tuple[str, tuple[Formula, ...]]]:
        """Yield each assumption as it is written, with what it comes to."""
        start = 0
        for text, count in self.written:
            yield text, self.formulas[start : start + count]
            start += count
        yield from ((str(f), (f,)) for f in self.formulas[start:])

    def dims(self) -> set[str]:
        """Return the names of the dims that occur."""
        return set().union(*(f.dims() for f in self.formulas))

    def about(self, names: Iterable[str]) -> Assumptions:
        """Return the assumptions on these dims, and on dims that those tie to them.

        >>> print(Assumptions.of(["M <= N", "P >= 2", "N < Q", "2 <= 3"]).about({"Q"}))
        M <= N, N < Q, 2 <= 3
        """
        known, left = set(names), list(self._stated())
        kept: list[str] = []
        while more := [(text, facts) for text, facts in left if _tied(facts, known)]:
            known |= set().union(*(f.dims() for _, facts in more for f in facts))
            kept += [text for text, _ in more]
            left = [(text, facts) for text, facts in left if text not in kept]
        stated = [(text, facts) for text, facts in self._stated() if text in kept]
        return Assumptions(
            tuple(f for _, facts in stated for f in facts),
            tuple((text, len(facts)) for text, facts in stated),
        )

    def lower_bound(self, name: str) -> int:
        """Return the constant below which a dim cannot lie: 1, unless an assumption names another.

        >>> Assumptions.of("r >= 0").lower_bound("r"), Assumptions.of().lower_bound("r")
        (0, 1)
        """
        return self._bounds.get(name, 1)

    @cached_property
    def _bounds(self) -> dict[str, int]:
        """The largest constant that an assumption puts below a dim, for each that has one."""
        bounds: dict[str, int] = {}
        for f in self.formulas:
            found = _constant_bound(f)
            if found is not None:
                name, bound = found
                bounds[name] = max(bound, bounds.get(name, bound))
        return bounds

    def all(self, names: Iterable[str] = ()) -> tuple[Formula, ...]:
        """Return the facts with the lower bound of every dim, those in `names` included."""
        every = sorted(self.dims() | set(names))
        return (*(le(self.lower_bound(n), dim(n)) for n in every), *self.formulas)

    def hold(self, values: Mapping[str, int]) -> bool:
        """Return whether all facts are true at integer dims."""
        return all(values[n] >= self.lower_bound(n) for n in values) and all(
            f.holds(values) for f in self.formulas
        )


def _tied(facts: Sequence[Formula], names: set[str]) -> bool:
    """Return whether facts are about one of the dims, or about none at all."""
    dims = set().union(*(f.dims() for f in facts))
    return not dims or not dims.isdisjoint(names)


_AMBIENT: ContextVar[Assumptions] = ContextVar("symcute_assumptions")
_NONE = Assumptions()


def ambient() -> Assumptions:
    """Return the assumptions of the enclosing `assuming` blocks."""
    return _AMBIENT.get(_NONE)


@contextmanager
def assuming(given: Given = ()) -> Iterator[None]:
    """Make assumptions hold for every operation and proof inside the block.

    >>> from symcute import Layout, logical_divide
    >>> with assuming("M % 4 == 0"):
    ...     print(logical_divide(Layout.parse("M:1"), 4))
    (4,M/4):(1,4)
    """
    token = _AMBIENT.set(Assumptions.of(given))
    try:
        yield
    finally:
        _AMBIENT.reset(token)


def _read(item: Any) -> Iterator[tuple[str, tuple[Formula, ...]]]:
    """Yield the assumptions that an item states: as they are written, and what they come to."""
    if isinstance(item, str):
        yield _read_text(item)
        return
    if isinstance(item, Assumptions):
        yield from item._stated()
        return
    if isinstance(item, Formula):
        formula = item
    elif isinstance(item, bool) or is_symbolic(item):
        formula = from_sympy(item)
    else:
        raise InputError(f"{item!r} is not an assumption", 'give a relation such as "LD >= N"')
    for part in _opened(formula):
        text = str(part)
        asked = _asked(parse(text), text) if "/" in text and part.op in _RELATIONS else ()
        yield text, (part, *asked)


@lru_cache(maxsize=4096)
def _read_text(text: str) -> tuple[str, tuple[Formula, ...]]:
    tree = parse(text, what="assumption")
    return unparse(tree), tuple(_facts(tree, text))


def _facts(tree: Node, text: str) -> Iterator[Formula]:
    """Yield what an assumption says: each of its parts, and that its quotients are integers."""
    for part in conjuncts(tree):
        yield from _opened(read_formula(part, text, _no_hook(text)))
        if part.op in _RELATIONS:
            yield from _asked(part, text)


def _asked(part: Node, text: str) -> Iterator[Formula]:
    return (c.formula for c in of_operators(part, text) if c.kind == "quotient")


def _opened(f: Formula) -> Iterator[Formula]:
    """Yield the parts of a conjunction, `not` pushed inwards: relations say more to the prover."""
    if f.op == "not":
        f = negation(f.args[0])
    if f.op == "and":
        for x in f.args:
            yield from _opened(x)
    elif f != TRUE:
        yield _parity(f)


def _parity(f: Formula) -> Formula:
    """Return `x % 2 == 1` for what says that x is not even; any other formula as it is.

    An equation says more to the prover than what is not one.
    """
    if f.op == "not" and f.args[0].op == "divides" and f.args[0].args[0] == 2:
        return eq(mod(f.args[0].args[1], 2), 1)
    if f.op == "ne" and f.args[1] == 0 and is_modulo(f.args[0]):
        return eq(f.args[0], 1) if f.args[0].args[1] == 2 else f
    return f


def _no_hook(text: str) -> Callable[[Node], Any]:
    def hook(node: Node) -> Any:
        raise TextError(
            "expected a relation between expressions in dims", text, node.pos, "write LD >= N"
        )

    return hook


def _folds(leaf: Any) -> bool:
    """Return whether a leaf has the minimum or maximum of one thing, which stays what it is."""
    if not isinstance(leaf, Expression) or leaf.op == "dim":
        return False
    alike = leaf.op in ("Minimum", "Maximum") and len({*map(lower, leaf.args)}) == 1
    return alike or any(map(_folds, leaf.args))


def _constant_bound(f: Formula) -> tuple[str, int] | None:
    """Return (name, c) when the formula says `name >= c`, `name > c - 1` or `name == c`."""
    if f.op not in ("le", "lt", "eq") or any(map(_folds, f.args)):
        return None
    a, b = (lower(x) for x in f.args)
    for c, x in ((a, b), (b, a)) if f.op == "eq" else ((a, b),):
        bound = is_constant(c.num) if c.den == ONE else None
        names = list(x.num)
        if bound is None or x.den != ONE or len(names) != 1 or x.num[names[0]] != 1:
            continue
        if len(names[0]) == 1 and names[0][0][1] == 1 and names[0][0][0] not in ATOMS:
            return names[0][0][0], bound + (f.op == "lt")
    return None
