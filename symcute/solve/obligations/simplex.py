"""A point of a polyhedron with rational coordinates, found exactly.

The simplex method without an objective: a row that is violated leaves the basis, a column that
mends it enters. Rows are kept as integers. Source: R. G. Bland, "New finite pivoting rules for the
simplex method", 1977.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd

from symcute.expr import limits

__all__ = ["feasible"]

#: How many entries of the table are changed before the search is given up.
MAX_WORK = 20_000
#: Key of the right-hand side in a row.
_BOUND = -1


def feasible(
    rows: Sequence[dict[int, int]], bounds: Sequence[Fraction], columns: int
) -> list[Fraction] | None:
    """Return x >= 0 with `sum rows[i][j]*x[j] <= bounds[i]` for all i, or None.

    None says that there is none, or that it was not found within `MAX_WORK` changes.

    >>> feasible([{0: -2}, {0: 3}], [Fraction(-1), Fraction(2)], 1)
    [Fraction(1, 2)]
    >>> feasible([{0: -1}, {0: 1}], [Fraction(-2), Fraction(1)], 1) is None
    True
    """
    # Row i says: sum of table[i][j] * x_j = table[i][_BOUND] over all j, slacks from `columns` on;
    # the coefficient of basis[i], which is in no other row, is positive.
    table: list[dict[int, int]] = []
    for i, (row, bound) in enumerate(zip(rows, bounds, strict=True)):
        scale = bound.denominator
        found = {j: a * scale for j, a in row.items() if a}
        table.append({**found, columns + i: scale, _BOUND: bound.numerator})
    basis = [columns + i for i in range(len(table))]
    work = 0
    while True:
        violated = [i for i, row in enumerate(table) if row[_BOUND] < 0]
        if not violated:
            return _point(table, basis, columns)
        r = min(violated, key=lambda i: basis[i])
        mending = [j for j, a in table[r].items() if a < 0 and j != _BOUND]
        if not mending or work > MAX_WORK:
            return None
        work += _pivot(table, r, min(mending))
        basis[r] = min(mending)


def _point(table: list[dict[int, int]], basis: list[int], columns: int) -> list[Fraction]:
    x = [Fraction(0)] * columns
    for row, name in zip(table, basis, strict=True):
        if name < columns:
            x[name] = Fraction(row[_BOUND], row[name])
    return x


def _pivot(table: list[dict[int, int]], r: int, c: int) -> int:
    """Clear column c from all rows but r, where it becomes positive; return the work done."""
    row = {j: -a for j, a in table[r].items()}
    table[r] = row
    pivot = row[c]
    work = 0
    for i, other in enumerate(table):
        a = other.get(c, 0)
        if i == r or not a:
            continue
        common = gcd(a, pivot)
        up, down = pivot // common, a // common
        found = {j: value * up for j, value in other.items()}
        for j, value in row.items():
            found[j] = found.get(j, 0) - down * value
        content = gcd(*found.values())
        table[i] = {j: value // content for j, value in found.items() if value or j == _BOUND}
        work += len(found)
    limits.spend(work // 2)
    return work
