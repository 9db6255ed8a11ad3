"""Instances of the dims that meet the assumptions: to refute by, and to guess by."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import islice
from threading import RLock

from symcute.errors import InputError
from symcute.expr import limits
from symcute.expr.assumptions import Assumptions
from symcute.expr.formula import Formula, states_power
from symcute.expr.lowering import lower
from symcute.expr.polynomial import ONE, UNIT, Poly, sub
from symcute.expr.ratio import ATOMS
from symcute.solve.obligations.instances import large_parameters, small_instances, spread_instances
from symcute.solve.obligations.parametrisation import Parametrisation

__all__ = ["Pool"]

#: How many formulas are known as functions.
KEPT = 1 << 14
#: How many instances are looked at for the large one.
MAX_INSTANCES = 400
#: How many instances of the parent are looked through, and how many of its own beside them.
MAX_INHERITED, MAX_OWN = 120, 300
#: How many small and how many larger instances guesses are made by.
FEW_SMALL, FEW_SPREAD = 6, 5

#: The largest exponent of a dim that is a power of two.
MAX_POWER = 30
#: How b - a compares with 0 where a relation between them holds.
COMPARED = {"eq": operator.eq, "ne": operator.ne, "le": operator.ge, "lt": operator.gt}

#: Values of dims, by name.
Instance = dict[str, int]


class Pool:
    """The instances of some assumptions, found when they are asked for and then kept.

    Those of a parent, which has fewer assumptions, are looked through first.
    """

    def __init__(
        self,
        assumptions: Assumptions,
        ways: Callable[[frozenset[str]], list[Parametrisation]],
        parent: Pool | None = None,
    ) -> None:
        self._assumptions = assumptions
        self._parent = parent
        self._ways = ways
        self._lock = RLock()
        self._tests = tuple(_test(f) for f in assumptions.formulas)
        self._found: dict[frozenset[str], tuple[list[Instance], Iterator[Instance]]] = {}
        self._samples: dict[frozenset[str], list[Instance]] = {}
        self._lows: dict[str, int] = {}
        self._large: dict[frozenset[str], Instance | None] = {}

    def holds(self, values: Instance) -> bool:
        """Return whether the assumptions are true at an instance."""
        limits.spend(len(self._tests))
        lows = self._lows
        for n, v in values.items():
            if v < (lows[n] if n in lows else self._low(n)):
                return False
        tests = self._tests
        for k, test in enumerate(tests):
            if not test(values):
                if k:  # what fails often is asked first
                    self._tests = (*tests[: k - 1], test, tests[k - 1], *tests[k + 1 :])
                return False
        return True

    def _low(self, name: str) -> int:
        self._lows[name] = low = self._assumptions.lower_bound(name)
        return low

    def instances(self, names: Iterable[str], limit: int) -> Iterator[Instance]:
        """Yield up to `limit` different small instances."""
        wanted = self._wanted(names)
        found, more = self._found.setdefault(wanted, ([], self._search(wanted)))
        for k in range(limit):
            with self._lock:  # threads share the facts that `facts` remembers
                if k == len(found):
                    try:
                        found.extend(islice(more, 1))
                    except Exception:  # a limit was reached: whoever asks again begins anew
                        self._found.pop(wanted, None)
                        raise
                if k == len(found):
                    return
            yield found[k]

    def _wanted(self, names: Iterable[str]) -> frozenset[str]:
        return frozenset(names) | frozenset(self._assumptions.dims())

    def _search(self, wanted: frozenset[str]) -> Iterator[Instance]:
        seen: set[tuple[int, ...]] = set()
        order = sorted(wanted)
        for values in self._candidates(wanted):
            key = tuple([values[n] for n in order])
            if key not in seen and self.holds(values):
                seen.add(key)
                yield values

    def _candidates(self, wanted: frozenset[str]) -> Iterator[Instance]:
        own = small_instances(self._ways(wanted), wanted)
        powers = [f.args[0].args[0] for f in self._assumptions.formulas if states_power(f)]
        if powers:
            own = _with_powers(own, powers)
        if self._parent is None:
            yield from own
        else:
            yield from self._parent.samples(wanted)
            yield from self._parent.instances(wanted, MAX_INHERITED)
            yield from islice(own, MAX_OWN)

    def samples(self, names: Iterable[str]) -> list[Instance]:
        """Return a few instances to guess by: small ones, then larger.

        In the larger ones the dims differ from each other, so that strides show their order.
        """
        wanted = self._wanted(names)
        if wanted not in self._samples:
            spread = spread_instances(self._ways(wanted), wanted)
            held = list(islice(filter(self.holds, spread), FEW_SPREAD))
            self._samples[wanted] = [*self.instances(wanted, FEW_SMALL), *held[::-1]]
        return self._samples[wanted]

    def large(self, names: Iterable[str]) -> Instance | None:
        """Return an instance whose dims are all large if possible; None when none is found."""
        wanted = frozenset(names)
        if not self._assumptions.formulas:
            points = large_parameters(len(wanted))
            return {n: 1 + k for n, k in zip(sorted(wanted), points, strict=True)}
        if wanted not in self._large:
            found = self.instances(wanted, MAX_INSTANCES)
            self._large[wanted] = max(
                found, key=lambda at: (min(at.values(), default=0), sum(at.values())), default=None
            )
        return self._large[wanted]

    def breaks(self, formula: Formula, instances: Iterable[Instance]) -> Instance | None:
        """Return the first of the instances that breaks a formula, or at which it is undefined."""
        test = _test(formula)
        return next((at for at in instances if not test(at)), None)


def _with_powers(instances: Iterable[Instance], names: list[str]) -> Iterator[Instance]:
    """Yield instances, and each once more with powers of two for some of its dims."""
    for at in instances:
        yield at
        yield {**at, **{n: 1 << min(at[n] - 1, MAX_POWER) for n in names if at.get(n, 0) > 0}}


@lru_cache(maxsize=KEPT)
def _test(f: Formula) -> Callable[[Instance], bool]:
    """Return the formula as a function, false where a quotient is no integer."""
    plain = _plain(f)

    def holds(values: Instance) -> bool:
        try:
            return f.holds(values) if plain is None else plain(values)
        except (InputError, KeyError):  # a dim has no value
            return False

    return holds


def _plain(f: Formula) -> Callable[[Instance], bool] | None:
    """Return a formula of relations between polynomials as a function, which KeyErrors leave."""
    if f.op in ("and", "or", "not"):
        parts = [_plain(x) for x in f.args]
        some = [x for x in parts if x is not None]
        if len(some) < len(parts):
            return None
        if f.op == "not":
            return lambda values: not some[0](values)
        every = all if f.op == "and" else any
        return lambda values: every(part(values) for part in some)
    if f.op not in COMPARED:
        return None
    try:
        a, b = (lower(x) for x in f.args)
    except InputError:
        return None
    gap = sub(b.num, a.num)
    if not a.den == b.den == ONE or any(v in ATOMS for m in gap for v, _ in m):
        return None
    return _relation(gap, COMPARED[f.op])


def _relation(gap: Poly, compare: Callable[[int, int], bool]) -> Callable[[Instance], bool]:
    """Return how a polynomial without atoms compares with 0: most relations are that."""
    start, steps = gap.get(UNIT, 0), len(gap) + 1
    single = [(m[0][0], c) for m, c in gap.items() if len(m) == 1 and m[0][1] == 1]
    products = [
        ([v for v, e in m for _ in range(e)], c)
        for m, c in gap.items()
        if m and not (len(m) == 1 and m[0][1] == 1)
    ]

    def relation(values: Instance) -> bool:
        limits.spend(steps)
        total = start
        for name, c in single:
            total += c * values[name]
        for names, c in products:
            for name in names:
                c *= values[name]
            total += c
        return compare(total, 0)

    return relation
