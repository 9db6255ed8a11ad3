"""Two accesses by different threads: do they ever touch the same byte?

The threads have variables of their own and share others: dims; for threads of one block its index,
and rounds that a barrier ties together. Suppose the bytes overlap. Then, digit by digit from the
largest stride down, the variables of both threads are shown to be equal (were one larger, the
smaller digits could not make up for it), until the threads are the same one, or the supposition
contradicts itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import product
from math import inf

from symcute.expr import limits
from symcute.expr.node import Node, Term
from symcute.expr.polynomial import ONE
from symcute.expr.ranges import Names
from symcute.expr.ratio import evaluate
from symcute.expr.terms import (
    add,
    all_of,
    at_most,
    equal,
    from_polynomial,
    less,
    names,
    negate,
    polynomial,
    substitute,
    unequal,
)
from symcute.kernel.ir.setting import Table
from symcute.kernel.properties.meeting import (
    model_at,
    points_meeting,
    points_of,
    small,
    without_common,
)
from symcute.kernel.properties.sides import ANY, THREADS, Order, Side
from symcute.kernel.symexec.tables import alike
from symcute.solve.bits import with_bits
from symcute.solve.enumeration import TooLarge
from symcute.solve.inverse import Equation, Inverse
from symcute.solve.obligation import ARITHMETIC, ENUMERATION, Answer, Obligation
from symcute.solve.remainders import few, periods
from symcute.solve.sequent import Sequent
from symcute.solve.smt import at_a_glance
from symcute.solve.tiers import by_digits, patiently, shows
from symcute.solve.wording import Wording, number

__all__ = ["Pair"]

#: The largest box of points that is enumerated for each of the two accesses.
MAX_POINTS = 1 << 20
#: How large a dim is taken to be where strides are put in order.
LARGE, SMALL = 1009, 31
#: How many orders of two threads are looked at by more than bounds.
THOROUGH = 8
#: The work of digits before solvers are asked at a glance, and where these have a proof.
AT_ONCE, SOON = 15, 60
#: A number that was read, and the index that it was read at.
Numbered = tuple[Term, Term]
#: How many tables are looked through, the index in one being what another holds.
MAX_CHAIN = 4


@dataclass(frozen=True)
class Pair:
    """Two accesses that threads differing in one of `differ` may make at the same time.

    `shared` are the names with one value for both threads; `facts` hold for each. `alike`: both
    sides are the same access at the same times. With `values` only writes of different values
    count. `ties` are terms of the first and the second thread that are equal. Where one of `orders`
    holds, they are not made at the same time. What `wider` says of the same accesses is asked as
    well: whether threads meet that share less. Where `plain`, a shorter one, is apart, this is.
    """

    a: Side
    b: Side
    facts: tuple[Term, ...]
    dims: frozenset[str]
    differ: tuple[str, ...]
    shared: frozenset[str]
    alike: bool = False
    values: bool = False
    ties: tuple[tuple[Term, Term], ...] = ()
    tables: Mapping[str, Table] = field(default_factory=dict, hash=False)
    orders: tuple[Order, ...] = ()
    wider: Pair | None = field(default=None, compare=False, repr=False)
    plain: Pair | None = field(default=None, compare=False, repr=False)

    # --- both threads in one sequent ------------------------------------------------------------

    @cached_property
    def unit(self) -> int:
        """A number of bytes of which all offsets and widths are multiples."""
        widths = self.a.access.width, self.b.access.width
        unit = max(widths)
        offsets = [polynomial(s.access.offset) for s in (self.a, self.b)]
        if None in offsets:
            return 1
        while any(w % unit for w in widths) or any(
            c % unit for p in offsets if p for c in p.values()
        ):
            unit -= 1
        return unit

    def _offset(self, side: Side) -> Term:
        p = polynomial(side.access.offset) if self.unit > 1 else None
        if p is None:
            return side.access.offset
        return from_polynomial({m: c // self.unit for m, c in p.items()})

    def _own(self, term: Term, side: Side, who: int) -> Term:
        """Return a term as it stands for one of the threads, whose names get its number."""
        given = dict(side.terms)
        own = {
            n: given.get(n, f"{n}__{who}")
            for n in names(term)
            if n in given or not (n in self.shared or n in self.dims)
        }
        return substitute(term, own)

    @cached_property
    def offsets(self) -> tuple[Term, Term]:
        """Both offsets, in units."""
        a, b = self.a, self.b
        return self._own(self._offset(a), a, 1), self._own(self._offset(b), b, 2)

    @cached_property
    def _overlap(self) -> tuple[Term, ...]:
        x, y = self.offsets
        wide, high = self.a.access.width // self.unit, self.b.access.width // self.unit
        if wide == high == 1:
            return at_most(x, y), at_most(y, x)
        return less(x, add(y, high)), less(y, add(x, wide))

    @cached_property
    def _elements(self) -> tuple[tuple[Table, Numbered, Numbered], ...]:
        """What the two threads read of one table, each a number with its index."""
        found = []
        for v, w in product(self.a.access.variables, self.b.access.variables):
            if v.element is None or w.element is None or v.element[0] != w.element[0]:
                continue
            one = self._own(v.name, self.a, 1), self._own(v.element[1], self.a, 1)
            other = self._own(w.name, self.b, 2), self._own(w.element[1], self.b, 2)
            if one != other and v.element[0] in self.tables:
                found.append((self.tables[v.element[0]], one, other))
        return tuple(found)

    @cached_property
    def _supposed(self) -> Sequent:
        """Both accesses happen, and their bytes overlap."""
        found: list[Term] = []
        for side, who in ((self.a, 1), (self.b, 2)):
            found += [self._own(h, side, who) for h in (*self.facts, *side.access.guard)]
        found += [equal(self._own(x, self.a, 1), self._own(y, self.b, 2)) for x, y in self.ties]
        x, y = self.a.access.value, self.b.access.value
        if self.values and x is not None and y is not None:
            found.append(unequal(self._own(x, self.a, 1), self._own(y, self.b, 2)))
        for table, one, other in self._elements:
            found += alike(table, one, other)
        found += [*(negate(self._order(o)) for o in self.orders), *self._overlap]
        return with_bits(_always(self.facts, self.dims).extended(found), found, shows)

    def _order(self, o: Order) -> Term:
        *same, (x, y) = (
            (self._own(one, self.a, 1), self._own(other, self.b, 2))
            for one, other in (*o.equal, o.at_most)
        )
        return all_of(*(equal(a, b) for a, b in same), at_most(y, x) if o.back else at_most(x, y))

    @cached_property
    def _same_elements(self) -> tuple[tuple[Obligation, Term], ...]:
        """Distinct elements of tables that are shown to be equal, and that their indices are."""
        here, found = self._supposed, list[tuple[Obligation, Term]]()
        left = [e for e in self._elements if e[0].distinct]
        for _ in left[:MAX_CHAIN]:
            for e in left:
                _, (x, i), (y, j) = e
                if not isinstance(x, str) or not isinstance(y, str):
                    continue
                asked = self._asked(here, equal(x, y), ((x, y),))
                if by_digits(here, asked, 0) is not None:
                    found.append((asked, equal(i, j)))
                    here, left = here.extended([equal(i, j)]), [o for o in left if o is not e]
                    break
            else:
                break
        return tuple(found)

    @cached_property
    def together(self) -> Sequent:
        """Both accesses happen, their bytes overlap, and what follows for elements of tables."""
        same = [x for _, x in self._same_elements]
        return self._supposed.extended(same) if same else self._supposed

    @cached_property
    def different(self) -> Term:
        """The threads differ, unless these may be one."""
        if ANY in self.differ:
            return True
        return Node("or", *(unequal(f"{n}__1", f"{n}__2") for n in self.differ))

    @cached_property
    def asked(self) -> Obligation:
        """What is to be shown: where bytes overlap, the threads are one."""
        plain = [n for n in self.differ if n.isidentifier()]
        same = [equal(f"{n}__1", f"{n}__2") for n in plain]
        return self._asked(self.together, all_of(*same) if plain == [*self.differ] else False)

    def _asked(
        self, here: Sequent, goal: Term, first: tuple[tuple[str, str], ...] = ()
    ) -> Obligation:
        overlap = tuple(h for h in self._overlap if h is not True)
        return Obligation(here.hypotheses, goal, self.dims, (*first, *self._pairs), overlap)

    @cached_property
    def _pairs(self) -> tuple[tuple[str, str], ...]:
        return tuple((f"{n}__1", f"{n}__2") for n in self._digits() if n.isidentifier())

    def _about(self, found: Answer) -> Answer:
        found = found.about(self.asked)
        first = tuple(asked for asked, _ in self._same_elements)
        return replace(found, obligations=(*first, *found.obligations)) if first else found

    # --- polynomials ---------------------------------------------------------------------------

    def quickly(self) -> Answer:
        """Prove that no byte is touched by both: by ranges and polynomials, then by all points."""
        return self._about(self._quickly())

    def patiently(self) -> Answer:
        """Decide what `quickly` left open: by all points, then by a solver."""
        return self._about(self._patiently())

    def _quickly(self) -> Answer:
        here = self.together
        if not self.differ or here.empty:
            return Answer("proved", "ranges", (ARITHMETIC,))
        found = self._by_points(1 << 14)
        if found is not None and found.status == "proved":
            return found
        return (
            self._by_bounds
            or self._by_plain()
            or self._by_inverse
            or found
            or Answer("open", reason="polynomials do not keep the threads apart")
        )

    def _by_plain(self) -> Answer | None:
        """Show it of the plain pair, with half of what may be done."""
        if self.plain is None:
            return None
        with suppress(limits.WorkLimit), limits.budget(limits.allowance() / 2):
            found = self.plain.quickly()
            if found.status == "proved":
                return Answer("proved", found.how, found.rests_on)
        return None

    def _patiently(self) -> Answer:
        found = self._by_points(MAX_POINTS)
        if found is not None and found.status != "open":
            return found
        if known := (None if self._both.tried else self._soon()) or self._by_digits:
            return known
        asked = patiently(self._both, False)
        return found if found is not None and asked.status == "open" else asked

    def _soon(self) -> Answer | None:
        """Take the proof that little work finds, or the model: digits do not know when to stop."""
        if (found := self._few_digits(AT_ONCE)) is not None:
            return found
        asked = at_a_glance(self._both, False)
        if asked is not None and asked.status == "proved":
            return self._few_digits(SOON) or asked  # what digits show needs no solver
        return None if asked is None or asked.status == "open" else asked

    def _few_digits(self, work: int) -> Answer | None:
        with suppress(limits.WorkLimit), limits.budget(work):
            return by_digits(self.together, self.asked, THOROUGH)
        return None

    @cached_property
    def _both(self) -> Sequent:
        """Two threads that differ touch the same byte."""
        return self.together.extended([self.different])

    # Each round asks again: what digits said to the end is remembered.

    @cached_property
    def _by_bounds(self) -> Answer | None:
        """Show it digit by digit, by bounds alone."""
        return by_digits(self.together, self.asked, 0)

    @cached_property
    def _by_inverse(self) -> Answer | None:
        """Show it by what the index says of the thread: two of one index are one thread."""
        if self._inverse is None:
            return None
        inverse, here, equations = self._inverse
        known = frozenset[str]() if self.wider is None else self.wider._one_thread
        if not {*self.differ} <= known and inverse.points(here, equations) is None:
            return None
        return Answer("proved", "the inverse of the index", (ARITHMETIC,))

    @cached_property
    def _one_thread(self) -> frozenset[str]:
        """The names that are one where the index is, if that is shown, whatever else is said."""
        shown = self._inverse and not self.shared and self._by_inverse
        return self._inverse[0].own if self._inverse and shown else frozenset()

    @cached_property
    def _inverse(self) -> tuple[Inverse, Sequent, list[Equation]] | None:
        """What is asked of the index, where both threads have one alike, and there is nothing else.

        It is kept: each round goes on with it.
        """
        a, b, index = self.a, self.b, self._offset(self.a)
        widths, names_of = {a.access.width, b.access.width}, {*self.differ}
        plain = widths == {self.unit} and all(map(str.isidentifier, names_of))
        if index != self._offset(b) or a.terms or b.terms or not plain:
            return None
        hypotheses = (*self.facts, *(h for h in a.access.guard if h in b.access.guard))
        own = names(index) - self.shared - self.dims
        if not names_of <= own:
            return None
        taken = {*self.dims, *self.shared}.union(*map(names, hypotheses))
        taken.add(c := min({"c", "c_", "c__"} - taken, default="c___"))
        here = with_bits(_always(self.facts, self.dims).extended(hypotheses), [index], shows)
        given = (t for h in hypotheses for t in _settled(h, own, self.dims | self.shared))
        return Inverse(own, taken, shows), here, [Equation(index, c), *given]

    @cached_property
    def _by_digits(self) -> Answer | None:
        """Show it digit by digit, looking thoroughly at some orders of the threads."""
        return by_digits(self.together, self.asked, THOROUGH)

    def _digits(self) -> list[str]:
        """Return the names that each thread has a value of its own for, largest stride first."""
        every = set(self.differ)
        for side, other in ((self.a, self.b), (self.b, self.a)):
            mine = {v.name for v in side.access.variables} | names(side.access.offset)
            theirs = {v.name for v in other.access.variables} | names(other.access.offset)
            every |= mine & theirs
        given = {n for n, _ in (*self.a.terms, *self.b.terms)}
        own = every - self.shared - self.dims - given
        strides = self._strides(own)
        return sorted(own, key=lambda n: (-strides.get(n, 0), n))

    def _strides(self, own: Collection[str]) -> Mapping[str, int]:
        """Guess strides by their values at large dims."""
        offset = self._offset(self.a)
        wording = Wording(Names(dict.fromkeys(names(offset), (0, inf))), self.dims)
        p = number(wording.leaf(offset))
        # The extents of a block are smaller than those of arrays.
        small = {n for h in self.facts for n in names(h) if any(_bounds(h, t) for t in THREADS)}
        found: dict[str, int] = {}
        if p.den != ONE:
            return found
        for m, c in p.num.items():
            here = [v for v, _ in m if v in own]
            if len(here) == 1:
                values = {v: SMALL if v in small else LARGE for v, _ in m} | {here[0]: 1}
                found[here[0]] = found.get(here[0], 0) + evaluate({m: c}, values)
        return {n: abs(c) for n, c in found.items()}

    # --- all points ------------------------------------------------------------------------------

    def _by_points(self, limit: int) -> Answer | None:
        """Evaluate both accesses everywhere; None where there are too many points."""
        if limit not in self._enumerations:
            try:
                self._enumerations[limit] = self._enumerated(limit)
            except TooLarge:
                self._enumerations[limit] = None
        return self._enumerations[limit]

    @cached_property
    def _enumerations(self) -> dict[int, Answer | None]:
        """What enumerations up to a limit said: each round asks again."""
        return {}

    def _enumerated(self, limit: int) -> Answer:
        """Compare the units that all threads touch, for each value of what is shared.

        What both offsets have in common cancels; hypotheses about large numbers are left out, which
        allows more, as are numbers of which only remainders matter: such a number is one of few.
        """
        if self.values or self.ties or self._elements or self.orders:
            raise TooLarge("rounds, values that differ or elements of tables")
        ends = [substitute(self._offset(s), dict(s.terms)) for s in (self.a, self.b)]
        x, y = without_common(ends[0], ends[1], self.shared | self.dims)
        key = sorted((names(x) | names(y)) & (self.shared | self.dims))
        given = [
            [substitute(h, dict(s.terms)) for h in (*self.facts, *s.access.guard)]
            for s in (self.a, self.b)
        ]
        # What is shared is the same number on both sides; who a thread is hangs on no remainder.
        always = len(self.facts)
        few_values = small(given[0], always) & small(given[1], always)
        of = periods((x, y), (names(x) | names(y)) - few_values - {*self.differ})
        wanted = [*key, *self.differ]
        first, whole_a = points_of(x, few(given[0], of), always, key, wanted, limit)
        other = (first, whole_a)
        if not self.alike:
            other = points_of(y, few(given[1], of), always, key, wanted, limit)
        second, whole_b = other
        widths = self.a.access.width // self.unit, self.b.access.width // self.unit
        hit = points_meeting(first, second, widths, key, self.differ)
        if hit is None:
            return Answer("proved", "enumeration", (ARITHMETIC, ENUMERATION))
        if of or self.a.terms or self.b.terms:
            raise TooLarge("rounds of which not all is known")
        model = model_at((first, second), hit, self.shared | self.dims)
        if whole_a and whole_b:
            return Answer("refuted", "enumeration", model=model)
        return Answer("open", reason="threads meet where not all is known", model=model)


def _settled(h: Term, own: Collection[str], shared: Collection[str]) -> Iterator[Equation]:
    """Yield what a hypothesis says that a term in own names is, if it says so."""
    if isinstance(h, Node) and h.op == "==":
        for term, value in (h.args, h.args[::-1]):
            moving = names(term) - {*shared}
            if names(value) <= {*shared} and moving and moving <= {*own}:
                yield Equation(term, value)


def _bounds(truth: Term, name: str) -> bool:
    return isinstance(truth, Node) and truth.op == "<" and truth.args[0] == name


@lru_cache(maxsize=8)
def _always(facts: tuple[Term, ...], dims: frozenset[str]) -> Sequent:
    """Return the sequent of what facts say of dims, which is the same for all threads."""
    return Sequent((h for h in facts if names(h) <= dims), dims)
