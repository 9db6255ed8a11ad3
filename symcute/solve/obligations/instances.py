"""Small instances of the dims, as the ways of writing them suggest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice, product
from typing import NamedTuple

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
#: Numbers that may be as low as this are counted from 1, the others on the way: most that is said
#: of a signed number is met near 0, and nowhere near its least.
FAR, NEAR = -1024, (1, 2, 0, 3, -1, 4)


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


class _Prepared(NamedTuple):
    """A definition, its number where it is over one, and from where it counts."""

    definition: Definition
    plain: int | None
    start: int = 0
    far: bool = False


def _prepared(way: Parametrisation) -> list[_Prepared]:
    found = []
    for d in way.definitions:
        plain = is_constant(d.p.num) if d.p.den == ONE else None
        if d.kind in ("times", "residue"):
            start = d.start(way.floor(d.name))
            far = start <= FAR
            found.append(_Prepared(d, plain, 0 if far else start, far))
        else:
            far = d.kind == "from" and plain is not None and plain <= FAR
            found.append(_Prepared(d, 0 if far else plain, far=far))
    return found


def _values(prepared: Sequence[_Prepared], point: tuple[int, ...]) -> dict[str, int] | None:
    """Return the dims at a point of the parameters."""
    values: dict[str, int] = {}
    free = iter(point)
    for (name, kind, p, r), plain, start, far in prepared:
        if kind == "from" and plain is not None and not far:  # as most do
            values[name] = plain + next(free)
            continue
        try:
            base = evaluate_ratio(p, values) if plain is None else plain
        except InputError:
            return None
        if kind == "is":
            values[name] = base
            continue
        step = next(free)
        if far:
            step = NEAR[step] if step < len(NEAR) else step + 1
        if kind in ("times", "residue"):
            values[name] = base * (start + step) + r
        elif kind == "rest":
            values[name] = base * step + next(free) % base
        else:
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
