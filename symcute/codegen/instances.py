"""Which dims to run generated code at: a spread from the smallest instance to the largest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import log2
from typing import TypeAlias

from symcute.errors import InputError
from symcute.expr.assumptions import Assumptions, Given
from symcute.solve.entailment import facts

__all__ = ["Measure", "instances"]

#: How many coordinates there are at given dims. Errors: InputError where there is no such instance.
Measure: TypeAlias = Callable[[dict[str, int]], int]

#: How many small instances are looked at, and how many of them are stretched to larger sizes.
LOOKED_AT, STRETCHED = 120, 6
#: By what dims are multiplied: primes, so that nothing divides by accident, and powers of two.
PRIMES = (2, 3, 5, 7, 11, 13, 17, 31, 61, 127, 251, 509, 1021, 2039, 4093, 8191, 65521)
FACTORS = sorted({*PRIMES, *(1 << k for k in range(2, 31))})

_Key: TypeAlias = tuple[tuple[str, int], ...]


def instances(
    names: Iterable[str], measure: Measure, given: Given = (), count: int = 5, limit: int = 2**20
) -> tuple[list[dict[str, int]], str]:
    """Return up to `count` instances of the dims, by growing size, and why there is none.

    Post-conditions: each instance meets the assumptions and `measure` gives it at most `limit`
    coordinates; the smallest one found is the first, the largest the last, the others lie between
    with different values of the dims. The second value is "" when there is an instance. Without
    names there is one instance, `{}`.
    Errors: TextError for assumptions that our grammar does not accept.

    >>> found, why = instances(["M"], lambda at: at["M"], ["M % 4 == 0"], count=4, limit=1000)
    >>> found[0], len(found), found[-1]["M"] > 500, why
    ({'M': 4}, 4, True, '')
    >>> instances(["M"], lambda at: 2**30 + at["M"])[1]
    'the smallest instance has 1073741825 coordinates, more than the limit of 1048576'
    """
    wanted = sorted(set(names))
    found: dict[_Key, int] = {}
    smallest: int | None = None
    refusal = ""
    met = False
    for dims in _candidates(wanted, measure, given, limit):
        met = True
        try:
            size = measure(dims)
        except InputError as error:
            refusal = refusal or error.what
            continue
        smallest = size if smallest is None else min(size, smallest)
        if size <= limit:
            found[tuple(sorted(dims.items()))] = size
    if found:
        return [dict(key) for key in _spread(found, count)], ""
    if not met:
        return [], "no instance of the assumptions was found"
    if smallest is None:
        return [], refusal
    return [], f"the smallest instance has {smallest} coordinates, more than the limit of {limit}"


def _candidates(
    names: list[str], measure: Measure, given: Given, limit: int
) -> Iterator[dict[str, int]]:
    """Yield small instances that meet the assumptions, then stretched ones."""
    if not names:
        yield {}
        return
    known = facts(given)
    small = list(known.instances(names, LOOKED_AT))
    yield from small
    step = max(1, len(small) // STRETCHED)
    for base in [*small[:1], *small[step - 1 :: step]]:
        yield from _stretched(base, measure, known.assumptions, limit)


def _stretched(
    base: dict[str, int], measure: Measure, assumptions: Assumptions, limit: int
) -> Iterator[dict[str, int]]:
    """Yield the instance with all dims, or one dim, multiplied by growing factors."""
    for names in [tuple(base), *((n,) for n in base if len(base) > 1)]:
        for factor in FACTORS:
            dims = {n: v * factor if n in names else v for n, v in base.items()}
            try:
                if not assumptions.hold(dims):
                    continue
                size = measure(dims)
            except InputError:
                continue
            yield dims
            if size > limit or factor > limit:
                break


def _spread(found: dict[_Key, int], count: int) -> list[_Key]:
    """Return `count` keys, the smallest and the largest, the others geometrically spaced in size.

    Among sizes within a factor of two the instance with more different values of dims is taken
    (where all dims are equal, a wrong order of modes cannot be seen), then the one whose smallest
    dim is largest (an extent of 1 hides its stride).
    """
    if not found or count < 1:
        return []
    # For each key: the logarithm of its size, and what makes it worse than others of that size.
    left = {
        key: (log2(size), (-len({v for _, v in key}), -min((v for _, v in key), default=0)))
        for key, size in sorted(found.items(), key=lambda item: (item[1], item[0]))
    }
    ends = [log for log, _ in left.values()]
    start, largest = min(ends), max(ends)
    chosen = [next(iter(left))]
    del left[chosen[0]]
    for k in range(1, count):
        if not left:
            break
        target = start + (largest - start) * k / (count - 1)

        def badness(key: _Key, target: float = target) -> tuple[int, tuple[int, int], float, _Key]:
            log, worse = left[key]
            return round(abs(log - target)), worse, abs(log - target), key

        chosen.append(min(left, key=badness))
        del left[chosen[-1]]
    return sorted(chosen, key=lambda key: (found[key], key))
