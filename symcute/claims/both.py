"""Several claims at once: all of them hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from symcute.claims.base import Claim
from symcute.expr.expression import NO_DIMS
from symcute.expr.htuple import Leaf

__all__ = ["Both"]


@dataclass(frozen=True)
class Both(Claim):
    """Claims joined by `and`; relations between expressions may be among them.

    >>> from symcute.claims.language import read_claim
    >>> claim = read_claim("injective((M,N):(N,1)) and in_bounds((M,N):(N,1), M*N)")
    >>> print(claim.words())
    no two coordinates of (M,N):(N,1) share an offset; every offset of (M,N):(N,1) is at least 0 \
and less than M*N
    """

    claims: tuple[Any, ...]
    name: ClassVar[str] = "and"
    takes_swizzles: ClassVar[bool] = True

    def spelled(self) -> str:
        """Return the claims in our grammar, joined."""
        return " and ".join(x.spelled() for x in self.claims)

    def words(self) -> str:
        """Return the claims as sentences."""
        return "; ".join(x.words() for x in self.claims)

    def parts(self) -> tuple[Claim, ...]:
        """Return the primitive claims of all of them."""
        return tuple(part for x in self.claims for part in x.parts())

    def worded(self, number: int, dims: Mapping[str, int]) -> str | None:
        """Return what goes wrong with the part of that number, in the words of its claim."""
        for x in self.claims:
            count = len(x.parts())
            if number < count:
                found: str | None = x.worded(number, dims)
                return found
            number -= count
        return None

    def at(self, dims: Mapping[str, int] = NO_DIMS, /, **named: int) -> Both:
        """Return the claims at integer values of the dims."""
        return Both(tuple(x.at({**dims, **named}) for x in self.claims))

    def with_leaves(self, function: Callable[[Leaf], Leaf]) -> Both:
        """Return the same claims, stated by the same text, with a function of each leaf."""
        found = Both(tuple(x.with_leaves(function) for x in self.claims))
        return found.stated(self.statement())

    def brute(self) -> str | None:
        """Return what goes wrong with the first that fails."""
        return next((said for x in self.parts() if (said := x.brute()) is not None), None)

    def _values(self) -> list[Any]:
        return [v for x in self.claims for v in x._values()]
