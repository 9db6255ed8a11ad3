"""Claims in circulation, 12 and 13: rank, depth, compatibility."""

from __future__ import annotations

from itertools import product
from typing import Any

from symcute import (
    Compatible,
    Formula,
    Holds,
    all_of,
    any_of,
    congruent,
    dims,
    eq,
    implies,
    size,
    theorem,
)


def shapes(prefix: str) -> list[Any]:
    """Return a shape of each profile, with dims of their own."""
    M, N, K, L = dims(" ".join(f"{prefix}{k}" for k in range(4)))
    return [M, (M,), (M, N), (M, (N, K)), ((M, N), (K, L))]


def compatible(a: Any, b: Any) -> Formula:
    """Return the equations between extents that make shape a compatible with shape b."""
    parts = Compatible(a, b).parts()
    return all_of(*(part.formula for part in parts if isinstance(part, Holds)))


def same(a: Any, b: Any) -> Formula:
    """Return the formula that says that two shapes are the same tuple."""
    if not congruent(a, b):
        return any_of()
    if isinstance(a, tuple):
        return all_of(*(same(x, y) for x, y in zip(a, b, strict=True)))
    return eq(a, b)


@theorem(source="claims in circulation, 12")
def note_12_ranks_and_depths() -> tuple[str, ...]:
    """`(8)`, `(4,2)`, `(M,N,K)` and `((2,2),2)` have the ranks 1, 2, 3 and 2.

    The depths of `6`, `(4,3)`, `(3,(6,2),8)` and `((2,(1,3)),4)` are 0, 1, 2 and 3.
    """
    return (
        "rank((8)) == 1",
        "rank((4,2)) == 2",
        "rank((M,N,K)) == 3",
        "rank(((2,2),2)) == 2",
        "depth(6) == 0",
        "depth((4,3)) == 1",
        "depth((3,(6,2),8)) == 2",
        "depth(((2,(1,3)),4)) == 3",
    )


@theorem(source="claims in circulation, 13")
def note_13a_reflexive() -> tuple[Formula, ...]:
    """Every shape is compatible with itself.

    Claim 13 speaks of all shapes. What is proved in 13a to 13d, for all extents, are the profiles
    `M`, `(M)`, `(M,N)`, `(M,(N,K))` and `((M,N),(K,L))`, in every combination; others are not
    covered.
    """
    return tuple(compatible(a, a) for a in shapes("a"))


@theorem(source="claims in circulation, 13")
def note_13b_antisymmetric() -> tuple[Formula, ...]:
    """Shapes that are compatible with each other are the same.

    For all 25 pairs of the five profiles, each shape with dims of its own. Between different
    profiles compatibility holds one way at most.
    """
    return tuple(
        implies(all_of(compatible(a, b), compatible(b, a)), same(a, b))
        for a, b in product(shapes("a"), shapes("b"))
    )


@theorem(source="claims in circulation, 13")
def note_13c_transitive() -> Formula:
    """If shape A is compatible with B, and B with C, then A is compatible with C.

    For all 125 triples of the five profiles, each shape with dims of its own.
    """
    return all_of(
        *(
            implies(all_of(compatible(a, b), compatible(b, c)), compatible(a, c))
            for a, b, c in product(shapes("a"), shapes("b"), shapes("c"))
        )
    )


@theorem(source="claims in circulation, 13")
def note_13d_equal_sizes() -> tuple[Formula, ...]:
    """Compatible shapes have the same size."""
    return tuple(
        implies(compatible(a, b), eq(size(a), size(b)))
        for a, b in product(shapes("a"), shapes("b"))
    )


@theorem(expect="refuted", source="claims in circulation, 13")
def note_13_symmetric_neighbour() -> Formula:
    """If the shape M is compatible with `(N,K)`, then `(N,K)` is compatible with M."""
    M, N, K = dims("M N K")
    return implies(compatible(M, (N, K)), compatible((N, K), M))


@theorem(expect="refuted", source="claims in circulation, 13")
def note_13_equal_sizes_are_enough_neighbour() -> Formula:
    """Shapes of rank 2 and of equal size are compatible."""
    M, N, K, L = dims("M N K L")
    return implies(eq(M * N, K * L), compatible((M, N), (K, L)))
