"""Terms folded under hypotheses: quotients of sums with a small rest, choices that are settled.

Where `0 <= r < b`, `(q*b + r) // b` is q and `(q*b + r) % b` is r; of `x % b` in a sum that is
divided by b again only x counts; a factor that b shares with all of a sum but a small rest is
divided out first. Of minima, maxima and choices what is certain to be taken is left. Each condition
is shown, so that a folded term has the value of the term wherever the hypotheses hold: the rules
are theorems of `proofs/lemmas/` (inverse, rounding, bits). Folding leaves no certificate itself:
one is looked for afterwards, by the tiers that write terms in the words of certificates.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import reduce
from itertools import chain
from math import gcd

from symcute.expr.node import Node, Term
from symcute.expr.terms import (
    add,
    all_of,
    any_of,
    at_most,
    build,
    from_polynomial,
    less,
    mul,
    names,
    negate,
    plus,
    polynomial,
)
from symcute.expr.terms.sums import Polynomial
from symcute.solve.sampling import Points
from symcute.solve.sequent import Sequent

__all__ = ["Folding", "choice_in", "choices", "divided", "instead_of", "ways"]

#: How often a leading term is divided out of a polynomial.
MAX_DIVIDED = 32
_CHOICES = frozenset({"min", "max", "if"})
_ORDERS = {"<": less, "<=": at_most}


class Folding:
    """Folds terms under the hypotheses `here`, where `shows` says what follows from hypotheses.

    What it folded and what was shown is remembered. What fails at `points` is not asked, at which
    the hypotheses hold.
    """

    def __init__(
        self, here: Sequent, shows: Callable[[Sequent, Term], bool], points: Points | None = None
    ) -> None:
        self.here, self._asked = here, shows
        self._points = here.drawn if points is None else points
        self._folded: dict[Term, Term] = {}
        self._shown: dict[Term, bool] = {}
        self._asking, self._circular = set[Term](), False
        self._names: dict[Term, str] = {}
        self._named: dict[tuple[Term, ...], Sequent] = {}
        self._whole: Folding | None = None

    def holds(self, truth: Term) -> bool:
        """Return whether a truth is shown, of a minimum or a quotient by what it is of."""
        if isinstance(truth, bool):
            return truth
        if truth in self._shown:
            return self._shown[truth]
        if truth in self._asking:  # what is asked for on the way to itself leads nowhere
            self._circular = True
            return False
        before, self._circular = self._circular, False
        self._asking.add(truth)
        try:
            found = self._points.breaks(truth) is None and (
                self._by_parts(truth) or (_op(truth) != "and" and self._shows(truth))
            )
        finally:
            self._asking.discard(truth)
        if found or not self._circular or not self._asking:
            self._shown[truth] = found  # what a circle left open is asked again
        self._circular = bool(self._asking) and (before or self._circular)
        return found

    def bare(self, truth: Term) -> bool:
        """Return whether nothing is known of a truth but what is asked where nothing is folded."""
        return not _composed(truth) and self.named(truth) is None

    def folded(self) -> Folding:
        """Return what folds under the hypotheses and what they are when they are folded.

        Where a limit of work ends it, it goes on from there when it is asked for again.
        """
        if self._whole is None:
            more = [x for h in self.here.hypotheses if (x := self.fold(h)) != h]
            inner = self.here.extended(more) if more else self.here
            self._whole = Folding(inner, self._asked, self._points) if more else self
        return self._whole

    def _by_parts(self, truth: Term) -> bool:
        told = _said(truth)
        if not isinstance(told, Node):
            return told is True
        if told.op in ("and", "or"):
            return (all if told.op == "and" else any)(map(self.holds, told.args))
        if told.op not in _ORDERS:
            return False
        a, b = told.args
        if isinstance(b, Node) and b.op == "//" and self.holds(at_most(1, b.args[1])):
            low = a if told.op == "<=" else add(a, 1)
            return self.holds(at_most(mul(low, b.args[1]), b.args[0]))
        if isinstance(a, Node) and a.op == "//" and self.holds(at_most(1, a.args[1])):
            high = b if told.op == "<" else add(b, 1)
            return self.holds(less(a.args[0], mul(high, a.args[1])))
        return False

    def _shows(self, truth: Term) -> bool:
        """Return whether a truth is shown, with names for what divides and is no polynomial."""
        if self._asked(self.here, truth):
            return True
        named = self.named(truth)
        return named is not None and self._asked(*named)

    def named(self, truth: Term) -> tuple[Sequent, Term] | None:
        """Return what is to be shown with names for minima, choices and quotients of dims.

        Of those that divide, and of quotients of what is the same everywhere. A name stands for
        what has it, wherever that stands, and what bounds that is said of the name.
        """
        own = names(truth) - self.here.dims
        near = [h for h in self.here.hypotheses if not own.isdisjoint(names(h))]
        told = chain.from_iterable(_told(x, self.here.dims) for x in (truth, *near))
        found = tuple(x for x in dict.fromkeys(told) if self._bounds(x))
        if not found or not names(truth).isdisjoint(self._names.values()):
            return None
        taken = set(names(truth)).union(self.here.dims, *map(names, self.here.hypotheses))
        for x in found:
            name = f"n_{len(self._names)}"
            while name in taken or name in self._names.values():
                name += "_"
            self._names.setdefault(x, name)
        instead: dict[Term, Term] = {x: self._names[x] for x in found}
        if not taken.isdisjoint(map(str, instead.values())):
            return None
        if found not in self._named:
            given = [instead_of(h, instead) for h in self.here.hypotheses]
            given += [instead_of(h, instead) for x in found for h in self._bounds(x)]
            self._named[found] = Sequent(given, {*self.here.dims, *map(str, instead.values())})
        return self._named[found], instead_of(truth, instead)

    def _bounds(self, x: Node) -> list[Term]:
        """Return what is known of a minimum, a choice or a quotient that is at least 0 or 1."""
        low = 1 if self.holds(at_most(1, x)) else 0
        if not low and not self.holds(at_most(0, x)):
            return []
        found = [at_most(low, x)]
        if x.op == "//":
            a, b = x.args
            if self.holds(at_most(1, b)):
                found += [at_most(mul(b, x), a), less(a, add(mul(b, x), b)), at_most(x, a)]
        elif x.op != "if":
            found += [at_most(x, y) if x.op == "min" else at_most(y, x) for y in x.args]
        return found

    def fold(self, x: Term) -> Term:
        """Return a term that has the same value wherever the hypotheses hold.

        >>> index = [Node("<=", 0, "i"), Node("<", "i", "n"), Node("<=", 1, "n")]
        >>> a = Node("+", Node("*", "j", "n"), "i")
        >>> folding = Folding(Sequent(index, {"n"}), lambda here, x: x in index)
        >>> folding.fold(Node("//", a, "n")), folding.fold(Node("%", a, "n"))
        ('j', 'i')
        """
        if not isinstance(x, Node):
            return x
        if x not in self._folded:
            self._folded[x] = self._operation(build(x.op, *map(self.fold, x.args)))
        return self._folded[x]

    def _operation(self, x: Term) -> Term:
        if not isinstance(x, Node):
            return x
        op, args = x.op, x.args
        if op in ("//", "%"):
            found = self._divided(*args)
            if found is None and op == "%":
                found = self._without_remainders(*args)
            return x if found is None else found[op == "%"]
        if op in ("min", "max"):
            a, b = args
            low, high = (a, b) if self.holds(at_most(a, b)) else (b, a)
            settled = low == a or self.holds(at_most(b, a))
            return x if not settled else low if op == "min" else high
        if op in _ORDERS:
            return _said(x)
        if op == "if":
            test, then, other = args
            if self.holds(test):
                return then
            return other if self.holds(negate(test)) else x
        if op in ("|", "^"):
            for a, b in (args, args[::-1]):
                step = reduce(gcd, (polynomial(a) or {(): 1}).values(), 0)
                step &= -step
                if step > 1 and self.holds(at_most(0, b)) and self.holds(less(b, step)):
                    return add(a, b)
        return x

    def _divided(self, a: Term, b: Term) -> tuple[Term, Term] | None:
        """Return quotient and remainder of a division where they are seen, folded."""
        p, d = polynomial(a), polynomial(b)
        if p is None or not d or not self.holds(at_most(1, b)):
            return None
        q, rest = divided(p, d)
        for q_, rest_ in ((q, rest), (plus(q, {(): 1}, -1), plus(rest, d))):  # it may be below 0
            r = from_polynomial(rest_)
            if self.holds(at_most(0, r)) and self.holds(less(r, b)):
                return from_polynomial(q_), r
        for g, e in _factors(p, d):
            q, rest = divided(p, g)
            r, factor = from_polynomial(rest), from_polynomial(g)
            if q and self.holds(at_most(0, r)) and self.holds(less(r, factor)):
                whole, divisor = from_polynomial(q), from_polynomial(e)
                if self.holds(at_most(1, divisor)):
                    left = self.fold(build("%", whole, divisor))
                    return self.fold(build("//", whole, divisor)), add(mul(left, factor), r)
        return None

    def _without_remainders(self, a: Term, b: Term) -> tuple[Term, Term] | None:
        """Return the remainder, which is that of a sum without remainders by b, if one is seen.

        What is beside it is not the quotient of a.
        """
        p = polynomial(a)
        if p is None or not any(map(_remains(b), (atom for m in p for atom in m))):
            return None
        left: Polynomial = {}
        for m, c in p.items():
            inner = [
                atom.args[0] if isinstance(atom, Node) and _remains(b)(atom) else atom for atom in m
            ]
            product: Term = c
            for y in inner:
                product = mul(product, y)
            q = polynomial(product)
            if q is None:
                return None
            left = plus(left, q)
        return self._divided(from_polynomial(left), b)


def _remains(b: Term) -> Callable[[Term], bool]:
    """Return whether a term is a remainder by b."""
    return lambda x: isinstance(x, Node) and x.op == "%" and x.args[1] == b


def _op(x: Term) -> str:
    return x.op if isinstance(x, Node) else ""


def _composed(x: Term) -> bool:
    """Return whether something in a term rounds or chooses."""
    return isinstance(x, Node) and (x.op in ("//", *_CHOICES) or any(map(_composed, x.args)))


def choices(x: Term) -> Iterator[Node]:
    """Yield choices, minima and maxima in a term, the inner ones first."""
    if isinstance(x, Node):
        for y in x.args:
            yield from choices(y)
        if x.op in _CHOICES:
            yield x


def choice_in(x: Term, most: int) -> Node | None:
    """Return a choice in a term, whose own parts hold none, if there are at most so many."""
    found = [c for c in choices(x) if c.op == "if"]
    return found[0] if 1 <= len(found) <= most else None


def ways(x: Term, most: int) -> Iterator[tuple[Term, Term]]:
    """Yield what a term is without choices, each with when it is that.

    A term with more choices than `most` is taken as it is.

    >>> from symcute.expr.terms import if_, sub
    >>> [*ways(if_(less("i", "n"), "i", sub("i", "n")), 4)] == [
    ...     (less("i", "n"), "i"), (at_most("n", "i"), sub("i", "n"))]
    True
    """
    choice = choice_in(x, most)
    if choice is None:
        yield True, x
        return
    test, *sides = choice.args
    for decided, side in zip((test, negate(test)), sides, strict=True):
        for truth, way in ways(instead_of(x, {choice: side}), most):
            yield all_of(decided, truth), way


def _told(x: Term, dims: Collection[str], divides: bool = False) -> Iterator[Node]:
    """Yield minima, choices and quotients by which something is divided, the inner ones first.

    And quotients of dims, wherever they stand.
    """
    if not isinstance(x, Node):
        return
    for k, y in enumerate(x.args):
        sums = divides and x.op in ("+", "*")
        yield from _told(y, dims, sums or (k == 1 and x.op in ("//", "%")))
    if (divides and x.op in _CHOICES) or (x.op == "//" and (divides or names(x) <= {*dims})):
        yield x


def instead_of(x: Term, instead: Mapping[Term, Term]) -> Term:
    """Return a term with other terms in place of some, the outer ones first."""
    if x in instead:
        return instead[x]
    return build(x.op, *(instead_of(y, instead) for y in x.args)) if isinstance(x, Node) else x


def _said(truth: Term) -> Term:
    """Return what a relation with a minimum or a maximum says of those that it is of."""
    if not isinstance(truth, Node) or truth.op not in _ORDERS:
        return truth
    a, b = truth.args
    order = _ORDERS[truth.op]
    if isinstance(b, Node) and b.op in ("min", "max"):
        return (all_of if b.op == "min" else any_of)(*(_said(order(a, x)) for x in b.args))
    if isinstance(a, Node) and a.op in ("min", "max"):
        return (all_of if a.op == "max" else any_of)(*(_said(order(x, b)) for x in a.args))
    return truth


def divided(p: Polynomial, d: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Return q and r with p == q*d + r, what is a multiple of d's leading term being in q.

    >>> divided({("i", "n"): 1, ("j",): 1}, {("n",): 1})
    ({('i',): 1}, {('j',): 1})
    """
    lead = max(d, key=lambda m: (len(m), repr(m)))
    q: Polynomial = {}
    rest = p
    for _ in range(MAX_DIVIDED):
        step = next(filter(None, (_times(m, c, lead, d[lead]) for m, c in rest.items())), None)
        if step is None:
            break
        m, c = step
        q = plus(q, {m: c})
        rest = plus(rest, {tuple(sorted((*m, *n), key=repr)): c * k for n, k in d.items()}, -1)
    return q, rest


def _times(
    m: tuple[Term, ...], c: int, lead: tuple[Term, ...], k: int
) -> tuple[tuple[Term, ...], int] | None:
    """Return what times a leading term a monomial is; of a number as often as it goes in."""
    left = list(m)
    for atom in lead:
        if atom not in left:
            return None
        left.remove(atom)
    whole, over = divmod(c, k)
    if over and (left or lead):
        return None
    return (tuple(left), whole) if whole else None


def _factors(p: Polynomial, d: Polynomial) -> Iterator[tuple[Polynomial, Polynomial]]:
    """Yield g and e with d == g*e, g shared with a term of p, the largest first; d is one term."""
    if len(d) != 1:
        return
    ((n, k),) = d.items()
    found: dict[tuple[tuple[Term, ...], int], None] = {}
    for m, c in p.items():
        left, common = list(n), []
        for atom in m:
            if atom in left:
                left.remove(atom)
                common.append(atom)
        g = tuple(sorted(common, key=repr)), gcd(c, k)
        if g != ((), 1) and g != (tuple(sorted(n, key=repr)), abs(k)):
            found[g] = None
    for common_, c in sorted(found, key=lambda g: (-len(g[0]), -g[1], repr(g))):
        e, rest = divided(d, {common_: c})
        if not rest:
            yield {common_: c}, e
