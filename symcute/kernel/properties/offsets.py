"""The byte offsets of a warp's lanes at one access, and what a request costs at most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import isinf, prod
from typing import Any, cast

import numpy as np

from symcute.claims.requests import Requests
from symcute.expr import limits
from symcute.expr.assumptions import Assumptions
from symcute.expr.intervals import Range
from symcute.expr.node import Term
from symcute.expr.ranges import Names
from symcute.expr.terms import Polynomial, from_polynomial, names, polynomial, show, substitute
from symcute.kernel.properties.affine import Affine, Unbounded, affine, claim_of
from symcute.kernel.properties.transactions import Serving
from symcute.kernel.properties.warps import reduced
from symcute.prover import prove
from symcute.prover.decision import Open, Settled
from symcute.prover.requests import settle, suspects
from symcute.solve.entailment import Entailment
from symcute.solve.enumeration import TooLarge, grid, points_in, vector

__all__ = ["Bound", "Lanes"]

#: Points of a box, over which all lanes are evaluated; different requests among them; cases in
#: which offsets become polynomials.
MAX_POINTS, MAX_REQUESTS, MAX_CASES = 1 << 13, 1 << 12, 64
ARITHMETIC, ENUMERATION = "arithmetic", "enumeration of all points"
#: The work of solvers for the certificate of a claim that is known to hold.
WORK = 2000


@dataclass(frozen=True)
class Bound:
    """The most that a request costs, and how that is known."""

    most: int
    how: str
    rests_on: tuple[str, ...] = (ARITHMETIC,)
    document: dict[str, Any] | None = None


@dataclass
class Lanes:
    """The offsets of a warp's 32 lanes in bytes, and the guards of each.

    `known` are the ranges of names, `given` is assumed of the dims.
    """

    offsets: Sequence[Term]
    guards: Sequence[Sequence[Term]]
    known: Names
    serving: Serving
    given: Assumptions
    dims: frozenset[str]

    def bound(self, at_least: int = 0) -> Bound:
        """Return the smallest bound that is found; nobody asks for one below `at_least`.

        Errors: Unbounded where there is none.
        """
        try:
            found = self._by_points()
        except TooLarge:
            return self._by_claims(at_least)
        document = self._document(found.most)
        return found if document is None else Bound(found.most, "residues", document=document)

    # --- what the offsets are -------------------------------------------------------------------

    @cached_property
    def _terms(self) -> list[Term]:
        """The offsets without what all have in common and what changes no cost."""
        found = [polynomial(x) for x in self.offsets]
        if any(p is None for p in found):
            return list(self.offsets)
        every = cast(list[Polynomial], found)
        first = every[0]
        common = {
            m
            for m, c in first.items()
            if m and c % self.serving.row == 0 and all(p.get(m) == c for p in every)
        }
        return [from_polynomial({m: c for m, c in p.items() if m not in common}) for p in every]

    # --- every point ----------------------------------------------------------------------------

    def _by_points(self) -> Bound:
        """Return the most over all points of what the offsets hang on.

        Errors: TooLarge where that is not bounded, Unbounded where an access is not aligned.
        """
        wanted = frozenset[str]().union(*map(names, self._terms))
        size = points_in(wanted, self.known)
        if size > MAX_POINTS:
            raise TooLarge(f"{size} points")
        every = sorted(wanted | self._of_guards(wanted, size))
        size = points_in(every, self.known)
        if size == 0:
            return Bound(0, "it never happens")
        values, ranges = grid(every, self.known), Names(self.known)
        columns = [vector(x, values, ranges, size) for x in self._terms]
        active = []
        for guards in self.guards:
            met = np.ones(size, dtype=bool)
            for g in guards:
                if names(g) <= set(every):
                    met &= vector(g, values, ranges, size) != 0
            active.append(met)
        table, on = np.stack(columns, axis=1), np.stack(active, axis=1)
        most = max(self._costliest(table + start, on) for start in self.serving.starts)
        return Bound(most, "enumeration", (ARITHMETIC, ENUMERATION))

    def _of_guards(self, wanted: frozenset[str], size: int) -> set[str]:
        """Return more names that are worth enumerating, since the guards of lanes hang on them."""
        found: set[str] = set()
        for guards in zip(*self.guards, strict=True):
            more = {n for g in guards for n in names(g)} - wanted - found
            if all(g == guards[0] for g in guards):
                continue
            try:
                size *= points_in(more, self.known)
            except TooLarge:
                continue
            if size > MAX_POINTS:
                break
            found |= more
        return found

    def _costliest(self, table: Any, on: Any) -> int:
        """Return the most that a request costs, a row of the table for each."""
        table, on = table[on.any(axis=1)], on[on.any(axis=1)]
        if not len(table):
            return 0
        if (table[on] % self.serving.width).any():
            raise Unbounded("an address is no multiple of the width of the access; see aligned")
        low = np.where(on, table, np.iinfo(np.int64).max).min(axis=1, keepdims=True)
        moved = np.where(on, table - low // self.serving.row * self.serving.row, -1)
        requests = np.unique(moved, axis=0)
        limits.spend(20 * len(requests) + moved.size // 4)
        if len(requests) > MAX_REQUESTS:
            raise TooLarge(f"{len(requests)} requests")
        return max(self.serving.cost([None if x < 0 else int(x) for x in r]) for r in requests)

    # --- claims ---------------------------------------------------------------------------------

    @cached_property
    def _cases(self) -> list[Affine]:
        """The offsets as polynomials, one for each value of what is inside of other operations.

        None where they are none, or their distances follow no steps; `_why` then says so.
        """
        self._why = ""
        found: list[Affine] = []
        inner = self._inner()
        if inner is None:
            return []
        every = sorted(inner)
        for values in product(*(range(int(a), int(b) + 1) for a, b in map(self._range, every))):
            at: dict[str, Term] = dict(zip(every, values, strict=True))
            terms = [reduced(substitute(x, at)) for x in self._terms]
            case = affine(terms)
            if isinstance(case, str):
                self._why = case
                return []
            if case not in found:
                found.append(case)
        return found

    def _range(self, name: str) -> Range:
        return self.known.get(name, (-float("inf"), float("inf")))

    def _inner(self) -> set[str] | None:
        """Return the names inside of operations that are not the same in all lanes."""
        atoms: list[set[Term]] = []
        for term in self._terms:
            p = polynomial(term)
            if p is None:
                self._why = "the lanes' addresses are too large a term"
                return None
            atoms.append({a for m in p for a in m if not isinstance(a, str)})
        shared = set.intersection(*atoms)
        found = {n for a in set.union(*atoms) - shared for n in names(a)}
        sizes = [self._range(n) for n in found]
        if any(isinf(a) or isinf(b) for a, b in sizes) or (
            prod(int(b) - int(a) + 1 for a, b in sizes) > MAX_CASES
        ):
            odd = min(set.union(*atoms) - shared, key=lambda a: len(show(a)))
            self._why = f"the lanes are not at distances that are known: {show(odd)}"
            return None
        return found

    def _by_claims(self, at_least: int) -> Bound:
        """Return the smallest bound that residues prove, over all cases.

        Errors: Unbounded where there is none.
        """
        cases = self._cases
        if not cases:
            raise Unbounded(self._why)
        most = at_least
        for case in cases:
            low, high = most, self.serving.worst
            worst = settle(*self._claim(case, high))
            if isinstance(worst, Open):
                raise Unbounded(f"{worst.reason} (is every address aligned?)")
            while low < high:
                middle = (low + high) // 2
                if self._shown(case, middle):
                    high = middle
                else:
                    low = middle + 1
            most = high
        most = self.serving.rounded(most)
        document = self._document(most)
        rests = (ARITHMETIC,) if len(cases) == 1 else (ARITHMETIC, ENUMERATION)
        return Bound(most, "residues", rests, document)

    def _shown(self, case: Affine, most: int) -> bool:
        return isinstance(settle(*self._claim(case, most)), Settled)

    def _document(self, most: int) -> dict[str, Any] | None:
        """Return a certificate of a bound, where there is one case and residues show it."""
        if len(self._cases) != 1 or self.serving.rounded(most) != most:
            return None
        try:
            claim, known = self._claim(self._cases[0], most)
        except Unbounded:
            return None
        if isinstance(settle(claim, known), Open):
            return None
        verdict = prove(claim, list(known.assumptions.formulas), work=WORK)
        return verdict.certificate if verdict.status == "proved" else None

    def _claim(self, case: Affine, most: int) -> tuple[Requests, Entailment]:
        """Return the claim that a bound is one, and what is known of its dims."""
        return claim_of(case, most, self.serving, self.given, self.dims, self.known)

    def suspects(self, most: int) -> Iterator[dict[str, int]]:
        """Yield values at which a request perhaps costs more."""
        for case in self._cases:
            claim, known = self._claim(case, most)
            about = [f for f in known.assumptions.formulas if f.dims() <= claim.dims()]
            yield from suspects(
                claim, Entailment(Assumptions(tuple(about)), frozenset(claim.dims()))
            )
