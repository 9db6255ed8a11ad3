"""Small instances of the dims, as the ways of writing them suggest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice, product
from typing import TypeAlias

from symcute.errors import InputError
from symcute.expr.polynomial import ONE, is_constant
from symcute.expr.ratio import evaluate_ratio
from symcute.solve.obligations.parametrisation import Definition, Parametrisation

__all__ = ["large_parameters", "small_instances", "spread_instances"]

#: How many points of the parameters are looked at in one way, and for a large point.
MAX_TRIED, MAX_POINTS = 3000, 400
#: Parameters that differ from each other, so that strides show their order; and how often they are
#: taken, by which factor: beyond the numbers that tiles have, too.
SPREAD, FACTORS = (2, 5, 11, 4, 7), (300, 1, 1, 1)


def small_instances(
    ways: Sequence[Parametrisation], names: Iterable[str]
) -> Iterator[dict[str, int]]:
    """Yield values of the dims `names`: smallest parameters first, then corners and larger values.

    Whoever takes them must check the assumptions: a way may ignore some.
    """
    wanted = sorted(names)
    for k, way in enumerate(ways):
        count, prepared = _free(way), _prepared(way)
        for point in islice(_grid(count), MAX_TRIED if k == 0 else MAX_TRIED // 8):
            values = _values(prepared, point)
            if values is not None:
                yield {n: values[n] for n in wanted}


def spread_instances(
    ways: Sequence[Parametrisation], names: Iterable[str]
) -> Iterator[dict[str, int]]:
    """Yield values of the dims `names` at points whose parameters differ from each other.

    Whoever takes them must check the assumptions: a way may ignore some.
    """
    wanted = sorted(names)
    for start, factor in enumerate(FACTORS):
        for way in ways:
            point = tuple(factor * SPREAD[(start + k) % len(SPREAD)] for k in range(_free(way)))
            values = _values(_prepared(way), point)
            if values is not None:
                yield {n: values[n] for n in wanted}


def _free(way: Parametrisation) -> int:
    """Return how many parameters a way has."""
    return sum({"is": 0, "rest": 2}.get(d.kind, 1) for d in way.definitions)


#: A definition, the number that it is over if it is one, and from where multiples count.
_Prepared: TypeAlias = tuple[Definition, int | None, int]


def _prepared(way: Parametrisation) -> list[_Prepared]:
    return [
        (d, is_constant(d.p.num) if d.p.den == ONE else None,
         d.start(way.floor(d.name)) if d.kind in ("times", "residue") else 0)
        for d in way.definitions
    ]  # fmt: skip


def _values(prepared: Sequence[_Prepared], point: tuple[int, ...]) -> dict[str, int] | None:
    """Return the dims at a point of the parameters."""
    values: dict[str, int] = {}
    free = iter(point)
    for (name, kind, p, r), plain, start in prepared:
        try:
            base = evaluate_ratio(p, values) if plain is None else plain
        except InputError:
            return None
        if kind == "is":
            values[name] = base
        elif kind in ("times", "residue"):
            values[name] = base * (start + next(free)) + r
        elif kind == "rest":
            values[name] = base * next(free) + next(free) % base
        else:
            step = next(free)
            values[name] = base + step if kind == "from" else base - step
    return values


@cache
def large_parameters(n: int) -> tuple[int, ...]:
    """Return a point of n parameters that are all large, as far as the first points go."""
    return max(islice(_grid(n), MAX_POINTS), key=lambda at: (min(at, default=0), sum(at)))


@cache
def _first(n: int) -> tuple[tuple[int, ...], ...]:
    return tuple(islice(_points(n), MAX_POINTS))


def _grid(n: int) -> Iterator[tuple[int, ...]]:
    yield from _first(n)
    yield from islice(_points(n), MAX_POINTS, None)


def _points(n: int) -> Iterator[tuple[int, ...]]:
    if n == 0:
        yield ()
        return
    for total in range(13):
        yield from islice(_compositions(total, n), 1000)
    yield from islice(product((0, 1, 6, 15, 16, 30, 31, 127), repeat=n), 4096)


def _compositions(total: int, n: int) -> Iterator[tuple[int, ...]]:
    if n == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _compositions(total - first, n - 1):
            yield (first, *rest)
