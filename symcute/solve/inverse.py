"""The inverse of an index: what its value says of the names in it, digit by digit.

Where `index == s*above + below` and `0 <= below < s`, the value of the index gives both, as
quotient and remainder by s. A number is known by its quotient and its remainder, a digit by its
remainder after a known shift. So one step after another says which atoms have one value wherever
the index has one, and which value that is. Where all names are known at last, no two points have
one index (`proofs/lemmas/inverse.py`), and whoever shows that the index of what was found is what
was started from has shown that every value is taken.

Choices, minima and maxima are gone through by cases, once what they hang on is known.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from symcute.expr.node import Node, Term
from symcute.expr.terms import (
    add,
    all_of,
    at_most,
    build,
    divide,
    from_polynomial,
    less,
    mul,
    names,
    negate,
    plus,
    polynomial,
    remainder,
    sub,
    substitute,
)
from symcute.expr.terms.sums import Polynomial
from symcute.solve.folding import Folding, choices, divided
from symcute.solve.nesting import measure, nested, plain
from symcute.solve.sequent import Sequent

__all__ = ["Equation", "Inverse", "Point", "Step"]

#: How many choices are gone through, one in a case of another.
MAX_CASES = 3


@dataclass(frozen=True)
class Equation:
    """A term with its value, which is below `end` where there is one, and at least 0 if natural."""

    term: Term
    value: Term
    end: Term | None = None
    natural: bool = False


@dataclass(frozen=True)
class Step:
    """What follows for values: names that exist with `facts` where `needs` holds, or a case."""

    needs: Term
    facts: tuple[Term, ...]


@dataclass(frozen=True)
class Point:
    """The values of names in one case; each step rests on those before it.

    `digits` are sums that names of values are: where one says more than the name, it stands for it.
    `closed` are the values in quotients and remainders of the values that the equations have.
    """

    values: dict[str, Term]
    steps: tuple[Step, ...]
    digits: dict[str, Term]
    closed: dict[str, Term]


@dataclass
class _State:
    """What is known under hypotheses, and what is still to be taken apart."""

    here: Sequent
    left: list[Equation]
    known: dict[Term, Equation] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()
    digits: dict[str, Term] = field(default_factory=dict)
    made: dict[str, Term] = field(default_factory=dict)

    def point(self, wanted: Collection[str]) -> Point:
        """Return the values of names, in digits as far as there are any."""
        digits: dict[str, Term] = {}
        for name in reversed(self.digits):
            digits[name] = substitute(self.digits[name], digits)

        def told(x: Term) -> Term:
            return substitute(x, digits)

        steps = tuple(Step(told(s.needs), tuple(map(told, s.facts))) for s in self.steps)
        made: dict[str, Term] = {}
        for name, x in self.made.items():
            made[name] = substitute(x, made)
        values = {n: self.known[n].value for n in sorted(wanted)}
        closed = {n: substitute(x, made) for n, x in values.items()}
        return Point({n: told(x) for n, x in values.items()}, steps, digits, closed)


class Inverse:
    """Takes equations of terms in `own` names apart, under the hypotheses of a point.

    `shows` says whether a truth follows. Names that are made are none of `taken`. What was shown
    is remembered: who has no more work left, and comes again, goes on from there.
    """

    def __init__(
        self, own: Collection[str], taken: Collection[str], shows: Callable[[Sequent, Term], bool]
    ) -> None:
        self.own, self._shows = frozenset(own), shows
        self._given = frozenset((*taken, *own))
        self._taken: set[str] = set()
        self._foldings: dict[tuple[tuple[Term, ...], frozenset[str]], list[Folding]] = {}

    def points(self, here: Sequent, equations: Sequence[Equation]) -> list[Point] | None:
        """Return the values of all own names in the equations, case by case, or None.

        The cases are all that there are.

        >>> from symcute.solve.tiers import shows
        >>> box = [Node("<=", 0, "i"), Node("<", "i", "n"), Node("<=", 0, "j")]
        >>> index = Node("+", Node("*", "j", "n"), "i")
        >>> found = Inverse({"i", "j"}, {"n", "c"}, shows)
        >>> (point,) = found.points(Sequent(box, {"n"}), [Equation(index, "c")])
        >>> sorted(point.values)
        ['i', 'j']
        """
        self._taken = {*self._given}
        wanted = self.own & set[str]().union(*(names(e.term) for e in equations))
        return self._cases(_State(here, [*equations]), wanted, MAX_CASES)

    def _cases(self, at: _State, wanted: Collection[str], depth: int) -> list[Point] | None:
        folding = self._folding(at.here)
        at.here = folding.here
        terms = nested([e.term for e in at.left], folding)
        at.left = [replace(e, term=t) for e, t in zip(at.left, terms, strict=True)]
        _Taking(self, at, folding).run()
        if all(n in at.known for n in wanted):
            return [at.point(wanted)]
        test = next(self._tests(at), None) if depth else None
        if test is None:
            return None
        found: list[Point] = []
        for truth in (test, negate(test)):
            divisors = (at_most(1, valued(b, at.known)) for b in _divisors(truth))
            case = Step(all_of(*divisors), (valued(truth, at.known),))
            again = [*at.known.values(), *at.left]
            inner = _State(at.here.extended([truth]), again, {}, (*at.steps, case), {**at.digits},
                           {**at.made})  # fmt: skip
            points = self._cases(inner, wanted, depth - 1)
            if points is None:
                return None
            found += points
        return found

    def _folding(self, here: Sequent) -> Folding:
        """Return what folds terms under hypotheses, which are said of folded terms as well."""
        found = self._foldings.setdefault((here.hypotheses, here.dims), [])
        if not found:
            found.append(Folding(here, self._shows))
        if len(found) < 2:
            found.append(found[0].folded())
        return found[1]

    def _tests(self, at: _State) -> Iterator[Term]:
        """Yield tests on which terms hang, of which everything is known."""
        for e in (*at.left, *at.known.values()):
            for x in choices(e.term):
                test = x.args[0] if x.op == "if" else at_most(*x.args)
                if names(x) & self.own and self.free(test, at.known):
                    yield test

    def free(self, x: Term, known: Collection[Term]) -> bool:
        """Return whether everything in a term is known, or is none of the own names."""
        if x in known:
            return True
        if isinstance(x, Node):
            return names(x).isdisjoint(self.own) or all(self.free(y, known) for y in x.args)
        return x not in self.own

    def fresh(self, name: str) -> str:
        """Return a name that is not taken."""
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name


class _Taking:
    """Takes equations apart until nothing more follows."""

    def __init__(self, inverse: Inverse, at: _State, folding: Folding) -> None:
        self.inverse, self.at, self.folding = inverse, at, folding

    def run(self) -> None:
        """Make known what follows."""
        before = -1
        while before != len(self.at.known):
            before = len(self.at.known)
            left, self.at.left = self.at.left, []
            for e in left:
                self._apart(e)
            self._divisions()
            self._exclusive()

    def _apart(self, e: Equation) -> None:
        """Take a sum apart, or keep it for later."""
        p = polynomial(e.term)
        if p is None:
            return
        unknown = {m: c for m, c in p.items() if not self._free(m)}
        if not unknown:
            return
        if len(unknown) == 1:
            ((m, c),) = unknown.items()
            if len(m) == 1 and c in (1, -1):
                rest = plus(p, unknown, -1)
                value = sub(e.value, self._valued(from_polynomial(rest))) if rest else e.value
                self._know(m[0], e if not rest and c == 1 else Equation(m[0], mul(value, c)))
                return
        for sum_, s, above, below in self._splits(e, p, unknown):
            if not all(map(self.folding.holds, (at_most(1, s), at_most(0, below), less(below, s)))):
                continue
            for part in self._parts(sum_, s, above, below):
                self._apart(part)
            return
        fixed = plus(p, unknown, -1)
        if fixed:  # a shift, which the rest was too large with
            shifted = sub(e.value, self._valued(from_polynomial(fixed)))
            self._apart(Equation(from_polynomial(unknown), shifted))
        else:
            self.at.left.append(e)

    def _parts(self, e: Equation, s: Term, above: Term, below: Term) -> tuple[Equation, ...]:
        """Return equations for what a stride counts and for the rest, with names for the values."""
        q = self.inverse.fresh("q")
        rest: Term
        if isinstance(e.value, str) and e.value not in self.at.digits:
            rest = self.inverse.fresh("r")
            self.at.digits[e.value] = add(mul(q, s), rest)
            self.at.made[rest] = remainder(e.value, s)
        else:
            rest = sub(e.value, mul(q, s))
        self.at.made[q] = divide(e.value, s)
        facts = [at_most(0, rest), less(rest, s), *([at_most(0, q)] if e.natural else [])]
        needs, end = at_most(1, s), None
        if e.end is not None:
            end, shared = end_of_counts(e.end, s)
            if self.folding.holds(at_most(1, shared)):
                needs = all_of(needs, at_most(1, shared))
                facts.append(less(q, end))
            else:
                end = None
        self.at.steps = (*self.at.steps, Step(needs, tuple(facts)))
        return Equation(above, q, end, e.natural), Equation(below, rest, s, True)

    def _splits(
        self, e: Equation, p: Polynomial, unknown: Polynomial
    ) -> Iterator[tuple[Equation, Term, Term, Term]]:
        """Yield the equation, a stride, what it counts and the rest, large strides first.

        What is known goes to what a stride counts, or all to the rest. Where nothing is known, the
        rest may be at most 0: then all is raised by the largest rest.
        """
        fixed = plus(p, unknown, -1)
        for d in self._strides(unknown):
            s = from_polynomial(d)
            above, below = divided(unknown, d)
            if not above or len(below) >= len(unknown):
                continue
            count, (more, rest) = from_polynomial(above), divided(fixed, d)
            yield e, s, count, from_polynomial(plus(below, fixed))
            if more:
                yield e, s, from_polynomial(plus(above, more)), from_polynomial(plus(below, rest))
            if not fixed:
                most = sub(s, 1)
                raised = replace(e, term=add(e.term, most), value=add(e.value, most), end=None)
                yield raised, s, count, add(from_polynomial(below), most)

    def _strides(self, unknown: Polynomial) -> list[Polynomial]:
        """Return what unknown names are multiplied by, and its parts, the largest first."""
        whole: dict[tuple[Term, ...], Polynomial] = {}
        for m, c in unknown.items():
            beside = tuple(x for x in m if not names(x) & self.inverse.own)
            own = tuple(x for x in m if names(x) & self.inverse.own)
            whole[own] = plus(whole.get(own, {}), {beside: c})
        every = [q if measure(from_polynomial(q)) > 0 else plus({}, q, -1)
                 for q in whole.values() if len(q) > 1]  # fmt: skip
        every += [{m: abs(c)} for q in whole.values() for m, c in q.items()]
        found = {from_polynomial(q): q for q in every if q != {(): 1}}
        return sorted(found.values(), key=lambda q: (-measure(from_polynomial(q)), repr(q)))

    def _free(self, m: tuple[Term, ...]) -> bool:
        return all(self.inverse.free(x, self.at.known) for x in m)

    def _valued(self, x: Term) -> Term:
        return valued(x, self.at.known)

    def _know(self, x: Term, e: Equation) -> None:
        self.at.known.setdefault(x, replace(e, term=x))

    # --- what divisions say --------------------------------------------------------------------

    def _divisions(self) -> None:
        """Make known what quotients and remainders that are known say of what is divided."""
        known = self.at.known
        for x in [x for x in known if isinstance(x, Node) and x.op == "%"]:
            a, b = x.args
            if self.inverse.free(a, known) or not self.inverse.free(b, known):
                continue
            if not self.folding.holds(at_most(1, b)):
                continue
            r, q = known[x], known.get(divide(a, b))
            size = self._valued(b)
            if q is not None:
                whole = r.natural and r.end is not None and plain(r.end) == plain(size)
                end = mul(q.end, size) if whole and q.end is not None else None
                value = add(mul(q.value, size), r.value)
                self._apart(Equation(a, value, end, whole and q.natural))
            else:
                self._shifted(a, b, r)

    def _exclusive(self) -> None:
        """Make known what is exclusive-ored with what is known to what is known."""
        known = self.at.known
        for x in [x for x in known if isinstance(x, Node) and x.op == "^"]:
            for a, b in (x.args, x.args[::-1]):
                if self.inverse.free(b, known) and not self.inverse.free(a, known):
                    self._apart(Equation(a, build("^", known[x].value, self._valued(b))))

    def _shifted(self, a: Term, b: Term, r: Equation) -> None:
        """Make known what lies in [0, b) and is known up to multiples of b."""
        p = polynomial(a) or {}
        unknown = {m: c for m, c in p.items() if not self._free(m)}
        if len(unknown) != 1:
            return
        ((m, c),) = unknown.items()
        if len(m) != 1 or c not in (1, -1):
            return
        z = m[0]
        if not (self.folding.holds(at_most(0, z)) and self.folding.holds(less(z, b))):
            return
        size, k = self._valued(b), self.inverse.fresh("k")
        shift = self._valued(from_polynomial(plus(p, unknown, -1)))
        whole = divide(mul(sub(r.value, shift), c), size)
        self.at.made[k] = mul(whole, -c)
        value = mul(add(sub(r.value, shift), mul(k, size)), c)
        facts = at_most(0, value), less(value, size)
        self.at.steps = (*self.at.steps, Step(at_most(1, size), facts))
        self._know(z, Equation(z, value, size, True))


def end_of_counts(end: Term, s: Term) -> tuple[Term, Term]:
    """Return how often a stride goes into an end, rounded up, and what both have as a factor.

    Where q*s < end, and s and this factor are at least 1, q is less than that.
    """
    p, d = polynomial(end), polynomial(s)
    if not p or not d:
        return divide(add(end, sub(s, 1)), s), 1
    whole, over = divided(p, d)
    if not over:
        return from_polynomial(whole), 1
    shared: list[Term] = []
    left = [[*m] for m in (*p, *d)]
    for atom in next(iter(d)):
        if all(atom in m for m in left):
            shared.append(atom)
            for m in left:
                m.remove(atom)
    p, d = (
        dict(zip(map(tuple, some), q.values(), strict=True))
        for some, q in ((left[: len(p)], p), (left[len(p) :], d))
    )
    by, factor = from_polynomial(d), from_polynomial({tuple(shared): 1})
    return divide(add(from_polynomial(p), sub(by, 1)), by), factor


def valued(x: Term, known: dict[Term, Equation]) -> Term:
    """Return a term with values for what is known in it."""
    if x in known:
        return known[x].value
    return build(x.op, *(valued(y, known) for y in x.args)) if isinstance(x, Node) else x


def _divisors(x: Term) -> Iterator[Term]:
    """Yield by what is divided in a term."""
    if isinstance(x, Node):
        if x.op in ("//", "%"):
            yield x.args[1]
        for y in x.args:
            yield from _divisors(y)
