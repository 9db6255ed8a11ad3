"""Short integer relations between strides, exactly, by lattice reduction.

The vectors x with sum x_k * d_k == 0 are a lattice of one dimension less. A reduced basis of it
(Lenstra, Lenstra, Lovász 1982, in the integral form of Cohen, A Course in Computational Algebraic
Number Theory, algorithm 2.6.7) leaves few combinations that can lie in a box, and all of them are
looked at. Numbers are integers and fractions throughout, so that "none" is a proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt

from symcute.prover.box import TooHard

__all__ = ["relation"]

#: How many combinations may be looked at.
MAX_NODES = 20_000
#: How many strides may be looked at.
MAX_STRIDES = 64

Vector = list[int]


def relation(strides: Sequence[int], widths: Sequence[int]) -> Vector | None:
    """Return x != 0 with |x_k| <= widths[k] and sum x_k * strides[k] == 0, or None.

    Pre-conditions: at least one stride, none of them 0; every width at least 1.
    Errors: TooHard, for more than 64 strides too: the work grows with the fourth power.

    >>> relation([6, 10, 15], [4, 4, 4])
    [0, -3, 2]
    >>> relation([6, 10, 15], [4, 2, 1]) is None
    True
    """
    if len(strides) > MAX_STRIDES:
        raise TooHard(f"the exact search was given up: more than {MAX_STRIDES} modes")
    scale = max(widths) << 32
    # A vector in the box has sum of weight * x^2 at most n * scale^2.
    weights = [(scale // w) ** 2 for w in widths]
    basis = _Basis(_kernel(strides), weights)
    basis.reduce()
    return _within(basis, widths, len(strides) * scale**2)


def _kernel(strides: Sequence[int]) -> list[Vector]:
    """Return a basis of the x with sum x_k * strides[k] == 0, by Euclid's algorithm."""
    n = len(strides)
    found: list[Vector] = []
    combined, value = [int(k == 0) for k in range(n)], strides[0]
    for k in range(1, n):
        unit = [int(j == k) for j in range(n)]
        g, u, v = _bezout(value, strides[k])
        a, b = strides[k] // g, value // g
        found.append([a * x - b * y for x, y in zip(combined, unit, strict=True)])
        combined = [u * x + v * y for x, y in zip(combined, unit, strict=True)]
        value = g
    return found


def _bezout(a: int, b: int) -> tuple[int, int, int]:
    """Return g, u, v with u*a + v*b == g, and g a common divisor of both."""
    (r, u, v), (s, x, y) = (a, 1, 0), (b, 0, 1)
    while s:
        q = r // s
        (r, u, v), (s, x, y) = (s, x, y), (r - q * s, u - q * x, v - q * y)
    return r, u, v


class _Basis:
    """Vectors, and their Gram-Schmidt coefficients times determinants, which are integers.

    With the vectors numbered from 0: the square of the k-th orthogonal vector is
    `det[k + 1] / det[k]`, and the k-th vector has the share `low[k][j] / det[j + 1]` of the j-th.
    """

    def __init__(self, vectors: list[Vector], weights: Vector) -> None:
        self.vectors = vectors
        self.weights = weights
        self.det = [1]
        self.low: list[Vector] = []

    def _add(self, k: int) -> None:
        """Orthogonalise the next vector."""
        row: Vector = []
        for j in range(k + 1):
            pairs = zip(self.weights, self.vectors[k], self.vectors[j], strict=True)
            u = sum(w * x * y for w, x, y in pairs)
            other = row if j == k else self.low[j]
            for i in range(j):
                u = (self.det[i + 1] * u - row[i] * other[i]) // self.det[i]
            if j < k:
                row.append(u)
            else:
                self.det.append(u)
        self.low.append(row)

    def reduce(self) -> None:
        """Make the vectors short, and nearly orthogonal."""
        n = len(self.vectors)
        if n:
            self._add(0)
        k = 1
        while k < n:
            if k == len(self.low):
                self._add(k)
            self._shorten(k, k - 1)
            det, share = self.det, self.low[k][k - 1]
            if 4 * (det[k + 1] * det[k - 1] + share * share) < 3 * det[k] * det[k]:
                self._swap(k)
                k = max(1, k - 1)
                continue
            for j in range(k - 2, -1, -1):
                self._shorten(k, j)
            k += 1

    def _shorten(self, k: int, j: int) -> None:
        """Take from vector k what is nearest to its share of vector j."""
        share, whole = self.low[k][j], self.det[j + 1]
        if 2 * abs(share) <= whole:
            return
        q = (2 * share + whole) // (2 * whole)
        pairs = zip(self.vectors[k], self.vectors[j], strict=True)
        self.vectors[k] = [x - q * y for x, y in pairs]
        self.low[k][j] -= q * whole
        for i in range(j):
            self.low[k][i] -= q * self.low[j][i]

    def _swap(self, k: int) -> None:
        """Exchange the vectors k and k - 1."""
        vectors, low, det = self.vectors, self.low, self.det
        vectors[k], vectors[k - 1] = vectors[k - 1], vectors[k]
        share = low[k][k - 1]
        low[k][: k - 1], low[k - 1] = low[k - 1], low[k][: k - 1]
        changed = (det[k - 1] * det[k + 1] + share * share) // det[k]
        for row in low[k + 1 :]:
            t = row[k]
            row[k] = (det[k + 1] * row[k - 1] - share * t) // det[k]
            row[k - 1] = (changed * t + share * row[k]) // det[k + 1]
        det[k] = changed


def _within(basis: _Basis, widths: Sequence[int], bound: int) -> Vector | None:
    """Return a combination of the vectors inside the box, not 0, or None. Errors: TooHard."""
    vectors, det = basis.vectors, basis.det
    n = len(vectors)
    squares = [Fraction(det[k + 1], det[k]) for k in range(n)]
    shares = [[Fraction(x, det[j + 1]) for j, x in enumerate(row)] for row in basis.low]
    chosen = [0] * n
    nodes = 0

    def visit(k: int, left: Fraction) -> Vector | None:
        nonlocal nodes
        nodes += 1
        if nodes > MAX_NODES:
            raise TooHard(f"the exact search was given up after {MAX_NODES} combinations")
        if k < 0:
            rows = zip(chosen, vectors, strict=True)
            x = [sum(column) for column in zip(*([c * y for y in v] for c, v in rows), strict=True)]
            inside = all(abs(y) <= w for y, w in zip(x, widths, strict=True))
            return x if inside and any(x) else None
        centre = -sum((chosen[j] * shares[j][k] for j in range(k + 1, n)), Fraction(0))
        reach = isqrt(left // squares[k]) + 1
        nearest = round(centre)
        for c in sorted(range(nearest - reach, nearest + reach + 1), key=lambda c: abs(c - centre)):
            rest = left - (c - centre) ** 2 * squares[k]
            if rest < 0:
                break
            chosen[k] = c
            found = visit(k - 1, rest)
            if found:
                return found
        chosen[k] = 0
        return None

    return visit(n - 1, Fraction(bound)) if n else None
