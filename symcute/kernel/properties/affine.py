"""Offsets of lanes that follow the bits of the lane's number, as claims about requests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd, isinf, prod
from typing import Any, cast

from symcute.claims.requests import BankConflict, Requests, Sectors
from symcute.expr.assumptions import Assumptions, dims
from symcute.expr.htuple import Leaf
from symcute.expr.node import Node, Term
from symcute.expr.ranges import Names
from symcute.expr.terms import Polynomial, plus, polynomial, show
from symcute.hardware.access import WARP, Access
from symcute.kernel.properties.transactions import Serving
from symcute.layout.layout import Layout
from symcute.solve.entailment import Entailment

__all__ = ["Affine", "Unbounded", "affine", "claim_of"]

#: Classes of residues that are told apart.
MAX_CLASSES = 1 << 9
#: Stand for where an array begins, and for what all lanes have in common, in multiples.
START: Term = Node("*", "start", "?")
BASE: Term = Node("*", "base", "?")


class Unbounded(Exception):
    """No bound is found; says why."""


@dataclass(frozen=True)
class Affine:
    """Offsets that are a base and a step for each bit of the lane's number."""

    base: Polynomial
    steps: tuple[Polynomial, ...]


def affine(terms: Sequence[Term]) -> Affine | str:
    """Return the offsets of 32 lanes by the bits of their numbers, or why they are not such.

    >>> found = affine([Node("+", "b", 4 * lane) for lane in range(32)])
    >>> found.base, [step[()] for step in found.steps]
    ({('b',): 1}, [4, 8, 16, 32, 64])
    """
    found = [polynomial(x) for x in terms]
    if any(p is None for p in found):
        return "the lanes' addresses are too large a term"
    every = cast(list[Polynomial], found)
    first = every[0]
    steps = tuple(plus(every[1 << k], first, -1) for k in range(WARP.bit_length() - 1))
    for n, p in enumerate(every):
        total = first
        for k, step in enumerate(steps):
            if n >> k & 1:
                total = plus(total, step)
        if total != p:
            return "the lanes are not at distances that the bits of their numbers give"
    return Affine(first, steps)


def claim_of(
    case: Affine,
    most: int,
    serving: Serving,
    given: Assumptions,
    taken: frozenset[str],
    known: Names,
) -> tuple[Requests, Entailment]:
    """Return the claim that a request costs at most so much, and what is known of its dims.

    `taken` are the dims, of which `given` is assumed; other names have their ranges in `known`.
    Errors: Unbounded where nothing is known from below of what becomes a dim.
    """
    atoms = _Atoms(taken)
    extents: list[int] = []
    strides: list[Leaf] = []
    last: Polynomial = {}
    for step in case.steps:  # neighbouring bits are one mode where their steps double
        if strides and step == {m: 2 * c for m, c in last.items()}:
            extents[-1] *= 2
        else:
            extents.append(2)
            strides.append(atoms.leaf(step))
        last = step
    base = atoms.leaf(_base(case, serving))
    if serving.start < serving.unit:
        base = base + serving.start * dims(atoms.name(START))
    access = Access(Layout((tuple(extents),), (tuple(strides),)), 8, 8 * serving.width, base)
    if serving.counted == "sectors":
        claim: Requests = Sectors(access, most)
    else:
        claim = BankConflict(access, serving.ways(most))
    formulas = list(given.formulas)
    for atom, name in atoms.names.items():
        if name not in taken and name in claim.dims():
            low = 0 if atom in (START, BASE) else known.ranges.of(atom)[0]
            if isinf(low):
                raise Unbounded(f"nothing is known from below of {show(atom)}")
            formulas += Assumptions.of(f"{name} >= {int(low)}").formulas
    facts = Assumptions(tuple(formulas))
    return claim, Entailment(facts, frozenset(claim.dims() | facts.dims()))


def _base(case: Affine, serving: Serving) -> Polynomial:
    """Return the base, or any multiple of its step where it has too many classes of residues.

    What all lanes have in common counts modulo the unit only, so the multiple is at least 0.
    """
    periods: dict[Term, int] = {}
    for p in (case.base, *case.steps):
        for m, c in p.items():
            for atom in m:
                periods[atom] = max(periods.get(atom, 1), serving.row // gcd(serving.row, c))
    if prod(periods.values()) <= MAX_CLASSES:
        return case.base
    number = case.base.get((), 0)
    step = gcd(*(c for m, c in case.base.items() if m))
    return plus({(): number}, {(BASE,): step})


class _Atoms:
    """Polynomials over terms as leaves over dims: an operation is a dim of its own."""

    def __init__(self, taken: frozenset[str]) -> None:
        self.names: dict[Term, str] = {}
        self._taken = taken

    def leaf(self, p: Polynomial) -> Leaf:
        """Return a polynomial as a leaf."""
        total: Any = 0
        for m, c in sorted(p.items(), key=repr):
            factor: Any = c
            for atom in m:
                factor = factor * dims(self.name(atom))
            total = total + factor
        return cast(Leaf, total)

    def name(self, atom: Term) -> str:
        """Return the name of an atom: its own, or a new one."""
        if atom not in self.names:
            name = atom if isinstance(atom, str) else f"q_{len(self.names)}"
            while not isinstance(atom, str) and name in self._taken:
                name += "_"
            self.names[atom] = name
        return self.names[atom]
