"""Bounds of a polynomial by dims alone: what the variables of threads and rounds are eliminated to.

That `i <= n - 1` and `0 <= i` says of sums that they are at least 0. To bound a sum from above, a
multiple of such a sum is added to it that takes one of its products with a variable away, until
none is left. The multiples are taken to be at least 0, as most sizes are: what comes out is a
guess, for a prover.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from math import gcd

from symcute.expr.node import Node, Term, names
from symcute.expr.terms import (
    Polynomial,
    at_most,
    divide,
    from_polynomial,
    mul,
    plus,
    polynomial,
)

__all__ = ["above", "inequality"]

#: Sums that are looked at for one bound, how many bounds are returned, and the most products.
STEPS, MOST, LARGEST = 300, 8, 12


def above(p: Polynomial, known: Iterable[Term], dims: Collection[str]) -> list[Polynomial]:
    """Return sums of dims alone that p is perhaps at most, where all that is known holds.

    >>> from symcute.expr.terms import add, less
    >>> known = [less(add(mul("bx", "B"), "tx"), "n"), at_most(0, "tx")]
    >>> above({("B", "bx"): 4, ("tx",): 4, (): 4}, known, {"B", "n"})
    [{('n',): 4}]
    >>> from symcute.expr.terms import divide
    >>> above({(divide("bx", "d"),): 64}, [at_most("bx", "n")], {"d", "n"})
    [{(('//', 'n', 'd'),): 64}, {('n',): 64}]
    """
    search = _Search(p, known, frozenset(dims))
    return list(search.found.values())


def inequality(p: Polynomial) -> Term:
    """Return p <= 0 as a relation with nothing negative on either side but a number alone.

    >>> from symcute.expr.terms import show
    >>> show(inequality({("M", "N"): 4, ("K",): -2, (): -7}))
    'M*N*2 <= K + 3'
    >>> show(inequality({("n",): -1, (): -7}))
    '-7 <= n'
    """
    divisor = gcd(*(c for m, c in p.items() if m))
    if divisor == 0:
        return p.get((), 0) <= 0
    p = {m: c // divisor if m else -(-c // divisor) for m, c in p.items()}
    constant = p.pop((), 0)
    if len(p) == 1:  # a bound of one product: the number stands alone
        ((m, c),) = p.items()
        alone = from_polynomial({m: abs(c)})
        return at_most(alone, -constant) if c > 0 else at_most(constant, alone)
    left = {m: c for m, c in p.items() if c > 0}
    right = {m: -c for m, c in p.items() if c < 0}
    side = right if constant < 0 or not left else left
    if constant:
        side[()] = abs(constant) if side is (right if constant < 0 else left) else -abs(constant)
    return at_most(from_polynomial(left), from_polynomial(right))


class _Search:
    """The sums that one is eliminated to, from the shortest way to longer ones."""

    def __init__(self, p: Polynomial, known: Iterable[Term], dims: frozenset[str]) -> None:
        self._dims = dims
        self._sums = list(self._constraints(p, known))
        self.found: dict[frozenset[object], Polynomial] = {}
        seen: set[frozenset[object]] = set()
        todo = [p]
        for k in range(STEPS):
            if k >= len(todo) or len(self.found) >= MOST:
                break
            one = todo[k]
            target = self._target(one)
            if target is None:
                self.found[frozenset(one.items())] = one
                continue
            for more in self._without(one, target):
                key = frozenset(more.items())
                if key not in seen and len(more) <= LARGEST:
                    seen.add(key)
                    todo.append(more)

    def _fixed(self, atom: Term) -> bool:
        return names(atom) <= self._dims

    def _target(self, p: Polynomial) -> tuple[Term, ...] | None:
        """Return the product to take away next: the one with most variables in it."""
        varying = [m for m in p if not all(map(self._fixed, m))]
        if not varying:
            return None
        return max(
            varying, key=lambda m: (sum(not self._fixed(a) for a in m), len(m), p[m] > 0, repr(m))
        )

    def _without(self, p: Polynomial, target: tuple[Term, ...]) -> Iterator[Polynomial]:
        c = p[target]
        for known in self._sums:
            for m, d in known.items():
                times = _quotient(target, m)
                if times is None or all(map(self._fixed, m)) or c * d > 0 or c % d:
                    continue
                scaled = {tuple(sorted((*n, *times), key=repr)): k for n, k in known.items()}
                yield plus(p, scaled, -c // d)

    def _constraints(self, p: Polynomial, known: Iterable[Term]) -> Iterator[Polynomial]:
        """Yield sums that are at least 0: what relations say, and what roundings are."""
        todo: list[Polynomial] = []
        for fact in known:
            if isinstance(fact, Node) and fact.op in ("<", "<=", "=="):
                a, b = (polynomial(x) for x in fact.args)
                if a is not None and b is not None:
                    todo.append(plus(plus(b, a, -1), {(): -1 if fact.op == "<" else 0}))
                    if fact.op == "==":
                        todo.append(plus(a, b, -1))
        seen: set[Term] = set()
        for one in (*todo, p):
            atoms = [a for m in one for a in m]
            while atoms:
                atom = atoms.pop()
                if isinstance(atom, Node) and atom not in seen and not self._fixed(atom):
                    seen.add(atom)
                    for more in (*_rounding(atom), *self._quotients(atom, known)):
                        todo.append(more)
                        atoms += [a for m in more for a in m]
        for one in todo:
            if self._target(one) is not None:
                yield from self._tightened(one)

    def _quotients(self, atom: Node, known: Iterable[Term]) -> Iterator[Polynomial]:
        """Yield what a // b is at most: g - 1 where a is less than b*g, else its bound over b."""
        if atom.op != "//" or not self._fixed(atom.args[1]) or isinstance(atom.args[1], Node):
            return
        by, a = atom.args[1], polynomial(atom.args[0])
        plain = [f for f in known if not self._divides(f)]  # so that this comes to an end
        for most in above(a, plain, self._dims) if a is not None else ():
            whole = {m: c for m, c in most.items() if m}
            if isinstance(by, int):
                least = polynomial(divide(from_polynomial(most), by)) if by > 0 else None
                if least is not None:
                    yield plus(least, {(atom,): 1}, -1)
            elif most.get((), 0) < 0 and all(by in m for m in whole):
                less: Polynomial = {(): -1, (atom,): -1}
                for m, c in whole.items():
                    k = m.index(by)
                    less[(*m[:k], *m[k + 1 :])] = c
                yield less
            else:
                yield {(divide(from_polynomial(most), by),): 1, (atom,): -1}

    def _divides(self, term: Term) -> bool:
        """Return whether there is a quotient or remainder in a term of what is no dim."""
        if not isinstance(term, Node):
            return False
        mine = term.op in ("//", "%") and not self._fixed(term)
        return mine or any(map(self._divides, term.args))

    def _tightened(self, p: Polynomial) -> Iterator[Polynomial]:
        """Yield a sum, and before it what it says of integers where its variables are multiples."""
        varying = {m: c for m, c in p.items() if not all(map(self._fixed, m))}
        divisor = gcd(*varying.values())
        if divisor > 1:
            fixed = from_polynomial({m: c for m, c in p.items() if m not in varying})
            rest = polynomial(divide(fixed, divisor)) or {}
            yield plus({m: c // divisor for m, c in varying.items()}, rest)
        yield p


def _rounding(atom: Node) -> Iterator[Polynomial]:
    """Yield sums at least 0 of what an operation says of itself, its divisor being at least 1."""
    op, args = atom.op, atom.args
    if op not in ("//", "%", "min", "max", ">>"):
        return
    a, b = (polynomial(x) for x in args)
    if a is None or b is None:
        return
    mine: Polynomial = {(atom,): 1}
    if op == "//":
        product = polynomial(mul(atom, args[1]))
        if product is not None:
            yield plus(a, product, -1)
            yield mine
        if not isinstance(args[1], int):
            yield plus(a, mine, -1)
    elif op == ">>":
        yield plus(a, mine, -1)
        yield mine
    elif op == "%":
        whole = polynomial(mul(divide(*args), args[1]))
        if whole is not None and not isinstance(args[1], int):
            yield plus(plus(a, mine, -1), whole, -1)  # what is taken times b besides makes it a
        yield plus(plus(b, mine, -1), {(): -1})
        yield plus(a, mine, -1)
        yield mine
    else:
        for side in (a, b):
            yield plus(side, mine, -1) if op == "min" else plus(mine, side, -1)


def _quotient(m: tuple[Term, ...], by: tuple[Term, ...]) -> tuple[Term, ...] | None:
    """Return the product that `by` is to be taken times to be m."""
    left = Counter(m)
    left.subtract(by)
    if any(n < 0 for n in left.values()):
        return None
    return tuple(left.elements())
