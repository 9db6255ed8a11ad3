"""Bank conflicts and sectors, by the residues of the dims.

What a request costs depends on the offsets of its lanes modulo the bits that all places hold
together, and on which lanes ask for the same unit. The offsets are polynomials in parameters, and
in the coordinates of the requests; modulo a number they depend on each variable modulo a divisor of
it. So the claim comes down to finitely many classes of residues, each decided by evaluation
(`proofs/lemmas/residues.py`).

Lanes whose offsets differ by a number ask for the same unit or not, exactly. Any others count as
different units towards the most a phase costs, and as one unit towards the least, unless their
distance is proved to be a unit. Lanes that may go in pairs are taken to do so as well as not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, product
from math import gcd, prod

from symcute.claims import Requests
from symcute.expr.htuple import Leaf
from symcute.expr.lowering import lower
from symcute.expr.polynomial import (
    ONE,
    UNIT,
    Poly,
    add,
    constant,
    mul,
    neg,
    sub,
    variable,
    variables,
)
from symcute.expr.ratio import evaluate
from symcute.prover.box import TooHard
from symcute.prover.decision import Open, Settled, Step
from symcute.solve.entailment import Entailment
from symcute.solve.obligations import Parametrisation
from symcute.solve.obligations.parametrisation import NoValue

__all__ = ["decide", "settle", "suspects"]

#: How many ways of writing the dims are tried.
MAX_WAYS = 4
#: How many lanes are evaluated for a claim, over all classes of residues.
MAX_EVALUATED = 1 << 17
#: How many failing classes are turned into instances, and how many periods are added to each dim.
MAX_SUSPECTS, SCALES = 6, (0, 1, 2)
#: How many values of each dim are looked at where classes led to no counterexample.
SWEPT = 72

#: Variables to residues: a class of instances and requests.
Residues = Mapping[str, int]


class _Unfit(Exception):
    """The claim cannot be decided by residues in a way; says why."""


@dataclass
class _Lanes:
    """The offsets of the lanes in elements, over the parameters of a way.

    `inner` are those that are swizzled; `outer` is common to all lanes and added behind.
    """

    claim: Requests
    way: Parametrisation
    inner: list[Poly] = field(default_factory=list)
    outer: Poly = field(default_factory=dict)
    #: How many values a variable has, where that is known.
    ends: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        access = self.claim.access
        start = self._poly(access.offset)
        for k, (s, d) in enumerate(access.requests):
            if s != 1:
                start = add(start, mul(variable(_request(k)), self._poly(d)))
                if isinstance(s, int):
                    self.ends[_request(k)] = s
        modes = [(int(s), self._poly(d)) for s, d in access.lanes if isinstance(s, int)]
        for reverse in product(*(range(s) for s, _ in reversed(modes))):
            terms = zip(reverse[::-1], modes, strict=True)
            lane = start
            for x, (_, d) in terms:
                lane = add(lane, mul(constant(x), d))
            self.inner.append(lane)
        self.outer = self._poly(access.base)
        if not access.swizzle.bits:
            first = self.inner[0]
            self.outer = add(self.outer, first)
            self.inner = [sub(x, first) for x in self.inner]
        self.ends |= {v: end + 1 for v, end in self.way.boxes.items()}

    def _poly(self, leaf: Leaf) -> Poly:
        found = self.way.value(lower(leaf))
        if found.den != ONE:
            raise _Unfit(f"{leaf} is no polynomial in what the assumptions say of its dims")
        return found.num

    @cached_property
    def moduli(self) -> tuple[int, int]:
        """What inner and outer offsets count modulo, in elements.

        The inner ones beyond every bit that the swizzle reads or changes.
        """
        access, service = self.claim.access, self.claim.service
        row = service.unit * service.places // access.element_bits
        swizzle = access.swizzle
        beyond = swizzle.reach
        return max(row, beyond), service.unit // access.element_bits

    @cached_property
    def domains(self) -> dict[str, range]:
        """The residues of each variable that tell classes apart.

        Errors: _Unfit when there are too many.
        """
        periods: dict[str, int] = defaultdict(lambda: 1)
        inner, outer = self.moduli
        for p, modulus in [(self.outer, outer), *((p, inner) for p in self.inner)]:
            for monomial, c in p.items():
                for v, _ in monomial:
                    periods[v] = max(periods[v], modulus // gcd(modulus, c))
        found = {v: range(min(n, self.ends.get(v, n))) for v, n in sorted(periods.items())}
        count = prod(r.stop for r in found.values()) * len(self.inner)
        if count > MAX_EVALUATED:
            names = ", ".join(v for v, r in found.items() if r.stop > 1)
            raise _Unfit(f"there are too many classes of residues of {names}")
        return found

    def failing(self) -> Iterator[Residues]:
        """Yield the classes in which the claim is not shown."""
        claim, access, service = self.claim, self.claim.access, self.claim.service
        numbers = [p.get(UNIT, 0) for p in self.inner]
        rests = [sub(p, constant(c)) for p, c in zip(self.inner, numbers, strict=True)]
        parts = list({frozenset(p.items()): p for p in rests}.values())
        groups = [parts.index(p) for p in rests]
        phases = self._phases(service.lanes)
        for values in product(*self.domains.values()):
            residues = dict(zip(self.domains, values, strict=True))
            outer = evaluate(self.outer, residues)
            shifts = [evaluate(p, residues) for p in parts]
            offsets = [shifts[g] + c for g, c in zip(groups, numbers, strict=True)]
            bits = [access.element_bits * (outer + access.swizzle(x)) for x in offsets]
            units = [(g, x // service.unit) for g, x in zip(groups, bits, strict=True)]
            if any(x % access.width for x in bits) or any(
                self._most(phase, units) > claim.most or self._least(phase, units) < claim.least
                for phase in phases
            ):
                yield residues
            elif self._steps and self._paired(groups, offsets):
                pairs = self._phases(2 * service.lanes)
                if any(self._most(phase, units) > claim.most for phase in pairs):
                    yield residues

    def _phases(self, lanes: int) -> list[range]:
        count = len(self.inner)
        return [range(k, min(k + lanes, count)) for k in range(0, count, lanes)]

    @cached_property
    def _steps(self) -> list[int]:
        """The steps by which lanes may go in pairs: no pair is known to differ."""
        lanes = range(len(self.inner)) if self.claim.service.pairs else range(0)

        def differ(a: int, b: int) -> bool:
            return b in lanes and self._distance(a, b, 1)

        return [s for s in (1, 2) if lanes and not any(differ(n, n ^ s) for n in lanes)]

    def _paired(self, groups: list[int], offsets: list[int]) -> bool:
        """Return whether lanes may go in pairs in a class.

        Offsets of a group are alike where they are, others perhaps where their residues are.
        """
        lanes, (modulus, _) = range(len(offsets)), self.moduli

        def alike(a: int, b: int) -> bool:
            gap = offsets[a] - offsets[b]
            return gap == 0 if groups[a] == groups[b] else gap % modulus == 0

        return any(all(alike(n, n ^ s) for n in lanes if n ^ s in lanes) for s in self._steps)

    def _distance(self, a: int, b: int, least: int) -> bool:
        """Return whether the inner offsets of two lanes are so far apart in every instance."""
        gap = sub(self.inner[a], self.inner[b])
        return self.way.at_least(gap, least) or self.way.at_least(neg(gap), least)

    def at(self, residues: Residues, scale: int, p: Poly) -> Residues:
        """Return values of the variables of p in a class, some periods above the smallest.

        A variable that no offset has, such as an extent, is so large that the request is there.
        """
        last = max((x for v, x in residues.items() if v.startswith("[")), default=0)
        return {
            v: residues[v] + scale * self.domains[v].stop if v in residues else last + scale
            for v in variables(p)
        }

    def _most(self, phase: Iterable[int], units: list[tuple[int, int]]) -> int:
        """Return the most units of a place that a phase may need."""
        places: dict[int, set[tuple[int, int]]] = defaultdict(set)
        for lane in phase:
            places[units[lane][1] % self.claim.service.places].add(units[lane])
        return max(map(len, places.values()))

    def _least(self, phase: Iterable[int], units: list[tuple[int, int]]) -> int:
        """Return how many different units of a place a phase needs for certain, at least."""
        if not self.claim.least:
            return 0
        places: dict[int, list[int]] = defaultdict(list)
        for lane in phase:
            chosen = places[units[lane][1] % self.claim.service.places]
            if all(self._different(lane, other, units) for other in chosen):
                chosen.append(lane)
        return max(map(len, places.values()))

    def _different(self, a: int, b: int, units: list[tuple[int, int]]) -> bool:
        if units[a][0] == units[b][0]:
            return units[a] != units[b]
        return frozenset((a, b)) in self._apart

    @cached_property
    def _apart(self) -> set[frozenset[int]]:
        """The pairs of lanes whose distance is a unit or more in every instance.

        A swizzle moves an offset by less than its period.
        """
        access = self.claim.access
        unit = -(-self.claim.service.unit // access.element_bits)
        if access.swizzle.bits:
            unit += 2 * (access.swizzle.period - 1)
        lanes = range(len(self.inner))
        pairs = ((a, b) for a in lanes for b in range(a))
        return {frozenset(x) for x in pairs if self._distance(*x, unit)}


def _request(k: int) -> str:
    """Return the variable of a coordinate of the requests, a name that no dim has."""
    return f"[{k}]"


def decide(claim: Requests) -> str | None:
    """Return what goes wrong, or None when the static claim is true.

    Errors: TooHard when there are too many classes of requests.
    """
    try:
        failing = next(_Lanes(claim, Parametrisation([], {}, {})).failing(), None)
    except _Unfit as error:
        raise TooHard(str(error)) from None
    if failing is None:
        return None
    failure = claim.failure(
        tuple(failing.get(_request(k), 0) for k in range(len(claim.access.requests)))
    )
    if failure is None:
        raise RuntimeError(f"{failing} is no failure of {claim}")
    return failure


def settle(claim: Requests, known: Entailment) -> Settled | Open:
    """Prove a claim by the residues of its dims, in one of the ways of writing them."""
    reason = "there is no way of writing the dims"
    for way in _ways(claim, known):
        try:
            failing = next(_Lanes(claim, way).failing(), None)
        except (_Unfit, NoValue) as error:
            reason = str(error) or "a divisor is not known to be positive"
            continue
        if failing is None:
            step = Step("residues", {"parametrisation": way})
            return Settled("structural: residues", step, rests_on=("arithmetic",))
        shown = ", ".join(f"{v} = {x}" for v, x in failing.items())
        reason = f"residues do not decide it, where {shown}" if shown else "residues do not decide"
    return Open(reason)


def suspects(claim: Requests, known: Entailment) -> Iterator[dict[str, int]]:
    """Yield instances that meet the assumptions, from classes in which the claim is not shown."""
    for way in _ways(claim, known):
        try:
            lanes = _Lanes(claim, way)
            classes = list(islice(lanes.failing(), MAX_SUSPECTS))
        except (_Unfit, NoValue):
            continue
        for scale, residues in product(SCALES, classes):
            values = {n: evaluate(p, lanes.at(residues, scale, p)) for n, p in way.values.items()}
            if known.assumptions.hold(values):
                yield values
    yield from _sweep(claim, known)


def _sweep(claim: Requests, known: Entailment) -> Iterator[dict[str, int]]:
    """Yield instances in which one dim takes all values of a round of the banks.

    For what residues of dims do not tell: dims inside roundings and maxima.
    """
    first = next(known.instances(claim.dims(), 1), None)
    for name in sorted(first or ()):
        for value in range(SWEPT):
            values = {**(first or {}), name: known.assumptions.lower_bound(name) + value}
            if known.assumptions.hold(values):
                yield values


def _ways(claim: Requests, known: Entailment) -> list[Parametrisation]:
    return known.ways(claim.dims(), claim.leaves())[:MAX_WAYS]
