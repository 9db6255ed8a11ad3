"""Claims joined by `and`, `or`, `not` and `implies`, relations among them.

What is joined comes down to clauses, the conjunction of which it is: a clause says that one of some
primitive claims, or of the denials of such, is true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, ClassVar, Self

from symcute.claims.base import Claim
from symcute.claims.formulas import Holds
from symcute.errors import InputError
from symcute.expr.expression import NO_DIMS
from symcute.expr.formula import not_
from symcute.expr.htuple import Leaf
from symcute.layout.layout import Layout

__all__ = ["Denied", "Either", "Joined"]

#: How many clauses a claim may come to.
MAX_CLAUSES = 64


@dataclass(frozen=True)
class _OfClaims(Claim):
    """What is said of claims."""

    claims: tuple[Any, ...]
    takes_swizzles: ClassVar[bool] = True

    def layouts(self) -> tuple[Layout, ...]:
        """Return the layouts that the claims speak of."""
        return tuple(layout for x in self.claims for layout in x.layouts())

    def leaves(self) -> tuple[Leaf, ...]:
        """Return the leaves of the claims."""
        return tuple(leaf for x in self.claims for leaf in x.leaves())

    def dims(self) -> set[str]:
        """Return the names of the dims that occur, in the text that states the claims too."""
        return super().dims().union(*(x.dims() for x in self.claims))

    def at(self, dims: Mapping[str, int] = NO_DIMS, /, **named: int) -> Self:
        """Return the claims at integer values of the dims."""
        return self._of(x.at({**dims, **named}) for x in self.claims)

    def with_leaves(self, function: Callable[[Leaf], Leaf]) -> Self:
        """Return the same claims, stated by the same text, with a function of each leaf."""
        found = self._of(x.with_leaves(function) for x in self.claims)
        return found.stated(self.statement())

    def _of(self, claims: Iterator[Any]) -> Self:
        return type(self)(tuple(claims))

    def _values(self) -> list[Any]:
        return [v for x in self.claims for v in x._values()]

    def _joined(self, op: str) -> str:
        inner = [x.spelled() for x in self.claims]
        inner = [f"({x})" if isinstance(c, (Joined, Holds)) else x
                 for c, x in zip(self.claims, inner, strict=True)]  # fmt: skip
        return f" {op} ".join(inner)


@dataclass(frozen=True)
class Joined(_OfClaims):
    """Claims joined by `and`, `or` or `implies`, or one that `not` denies.

    >>> from symcute.claims.language import read_claim
    >>> claim = read_claim("injective((M,N):(N,1)) and in_bounds((M,N):(N,1), M*N)")
    >>> print(claim.words())
    no two coordinates of (M,N):(N,1) share an offset; every offset of (M,N):(N,1) is at least 0 \
and less than M*N
    >>> print(*read_claim("not (M == 2 and bijective((M,N):(N,1)))").parts())
    not M == 2 or not injective((M,N):(N,1)) or not in_bounds((M,N):(N,1), M*N)
    """

    op: str = "and"
    name: ClassVar[str] = "joined"

    def spelled(self) -> str:
        """Return the claims in our grammar, joined."""
        return f"not ({self.claims[0].spelled()})" if self.op == "not" else self._joined(self.op)

    def words(self) -> str:
        """Return the claims as sentences."""
        words = [x.words() for x in self.claims]
        if self.op == "not":
            return f"it is not so that {words[0]}"
        if self.op == "implies":
            return f"if {words[0]}, then {words[1]}"
        return ("; " if self.op == "and" else ", or ").join(words)

    def parts(self) -> tuple[Claim, ...]:
        """Return the clauses; one of a single claim is that.

        Errors: InputError where they are too many.
        """
        return tuple(x[0] if len(x) == 1 else Either(x) for x in _clauses(self, False))

    def worded(self, number: int, dims: Mapping[str, int]) -> str | None:
        """Return what goes wrong with the part of that number, in the words of its claim."""
        for x in self.claims if self.op == "and" else ():
            count = len(x.parts())
            if number < count:
                found: str | None = x.worded(number, dims)
                return found
            number -= count
        return None

    def brute(self) -> str | None:
        """Return what goes wrong with the first clause that fails."""
        return next((said for x in self.parts() if (said := x.brute()) is not None), None)

    def _of(self, claims: Iterator[Any]) -> Joined:
        return Joined(tuple(claims), self.op)


def _clauses(claim: Claim, denied: bool) -> list[tuple[Claim, ...]]:
    """Return the disjunctions of which a claim, or its denial, is the conjunction."""
    if not isinstance(claim, Joined):
        parts = claim.parts()
        return [tuple(map(_denial, parts))] if denied else [(x,) for x in parts]
    if claim.op == "not":
        return _clauses(claim.claims[0], not denied)
    sides = [_clauses(x, denied != (claim.op == "implies" and k == 0))
             for k, x in enumerate(claim.claims)]  # fmt: skip
    if (claim.op == "and") != denied:
        return [x for side in sides for x in side]
    if prod(map(len, sides)) > MAX_CLAUSES:
        raise InputError(f"more than {MAX_CLAUSES} cases", "state the parts one by one")
    return [tuple(x for clause in found for x in clause) for found in product(*sides)]


def _denial(part: Claim) -> Claim:
    return Holds(not_(part.formula)) if isinstance(part, Holds) else Denied((part,))


@dataclass(frozen=True)
class Either(_OfClaims):
    """One of some primitive claims is true."""

    name: ClassVar[str] = "either"

    def spelled(self) -> str:
        """Return the claims in our grammar, joined."""
        return " or ".join(x.spelled() for x in self.claims)

    def words(self) -> str:
        """Return the claims as sentences."""
        return ", or ".join(x.words() for x in self.claims)

    def brute(self) -> str | None:
        """Return what goes wrong with each of them, if all are false."""
        found = [x.brute() for x in self.claims]
        return None if None in found else "; ".join(map(str, found))


@dataclass(frozen=True)
class Denied(_OfClaims):
    """A primitive claim is false."""

    name: ClassVar[str] = "denied"

    def spelled(self) -> str:
        """Return the denial in our grammar."""
        return f"not {self.claims[0].spelled()}"

    def words(self) -> str:
        """Return the denial as a sentence."""
        return f"it is not so that {self.claims[0].words()}"

    def brute(self) -> str | None:
        """Return the claim as a sentence, if it is true."""
        found: str = self.claims[0].words()
        return found if self.claims[0].brute() is None else None
