"""One line for each array, in the shortest words: what several accesses ask of its elements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from math import gcd

from symcute.errors import InputError
from symcute.expr.node import Node, Term, names
from symcute.expr.terms import (
    Polynomial,
    add,
    build,
    divide,
    evaluate,
    from_polynomial,
    maximum,
    mul,
    plus,
    polynomial,
)
from symcute.kernel.contracts.lines import Line

__all__ = ["elements", "joined", "lowest"]

#: Points at which two terms are compared before anything is proved of them.
POINTS = 200


def lowest(term: Term) -> Term:
    """Return a term with its quotients in lowest terms, and remainders that quotients make up for.

    >>> from symcute.expr.terms import remainder, show
    >>> show(lowest(divide(add(mul("n", 4), 3), 4)))
    'n'
    >>> show(lowest(add(remainder("n", 4), mul(4, divide("n", 4)))))
    'n'
    """
    if not isinstance(term, Node):
        return term
    p = polynomial(term)
    if term.op in ("+", "*") and p is not None:
        total: Term = 0
        for m, c in p.items():
            product: Term = c
            for atom in m:
                product = mul(product, lowest(atom))
            total = add(total, product)
        whole = polynomial(_without_remainders(total))
        return total if whole is None or len(whole) >= len(p) else from_polynomial(whole)
    if term.op == "//" and isinstance(term.args[1], int):
        return _quotient(lowest(term.args[0]), term.args[1])
    return build(term.op, *map(lowest, term.args))


def _quotient(a: Term, by: int) -> Term:
    """Return a // by: (4*n + 7) // 8 is (n + 1) // 2, what is left over being less than 4."""
    p = polynomial(a)
    common = gcd(by, *(c for m, c in p.items() if m)) if p and by > 0 else 1
    if p is None or common <= 1:
        return divide(a, by)
    return divide(from_polynomial({m: c // common for m, c in p.items()}), by // common)


def _without_remainders(term: Term) -> Term:
    """Return a sum in which a % k is a - a // k * k."""
    p = polynomial(term) or {}
    total: Term = 0
    for m, c in p.items():
        product: Term = c
        for atom in m:
            if isinstance(atom, Node) and atom.op == "%":
                a, by = atom.args
                atom = add(a, mul(-1, mul(divide(a, by), by)))
            product = mul(product, atom)
        total = add(total, product)
    return total


def joined(lines: tuple[Line, ...], known: Iterable[Term] = ()) -> Iterator[tuple[Line, ...]]:
    """Yield lines with one for each array, those first that say it in fewer words.

    What is `known` may make them say as much.

    >>> from symcute.expr.terms import at_most
    >>> lines = Line("extent", "n", "x"), Line("extent", add("m", 1), "x")
    >>> [line.term for line in next(joined(lines, [at_most(add("m", 1), "n")]))]
    ['n']
    """
    extents: dict[str, list[Term]] = {}
    for x in lines:
        if x.kind == "extent":
            extents.setdefault(x.name, []).append(x.term)
    rest = tuple(x for x in lines if x.kind != "extent")
    known = tuple(known)
    plain = {name: _plain(terms, known) for name, terms in extents.items()}
    largest = {name: [_largest(terms)] for name, terms in extents.items()}
    for choice in (plain, largest):
        found = (Line("extent", t, name) for name, terms in choice.items() for t in terms)
        yield (*rest, *found)


def _plain(terms: list[Term], known: tuple[Term, ...]) -> list[Term]:
    """Return the one plain term that is as large as the largest, as n is for n//2*2 and n - 1."""
    if len(terms) == 1:
        return terms
    for term in map(_exact, terms):
        if term is not None and _same(term, _largest(terms), known):
            return [term]
    return [_largest(terms)]


def _largest(terms: Iterable[Term]) -> Term:
    first, *more = terms
    for term in more:
        first = maximum(first, term)
    return first


def _exact(term: Term) -> Term | None:
    """Return a sum in which a // k * k is a."""
    p = polynomial(term)
    if p is None:
        return None
    found: Polynomial = {}
    for m, c in p.items():
        atom = m[0] if len(m) == 1 else None
        by = atom.args[1] if isinstance(atom, Node) and atom.op == "//" else None
        a = polynomial(atom.args[0]) if isinstance(atom, Node) and isinstance(by, int) else None
        inside = {m: c} if a is None or not isinstance(by, int) or c % by else a
        times = 1 if inside == {m: c} or not isinstance(by, int) else c // by
        for n, k in inside.items():
            found[n] = found.get(n, 0) + times * k
    return from_polynomial({m: c for m, c in found.items() if c})


def _same(a: Term, b: Term, known: tuple[Term, ...] = ()) -> bool:
    """Return whether two terms are the same at all points that are tried and both have a value at.

    At points at which something that is known is not so, they may differ.

    >>> rows = build("//", "n", build("//", "m", 2))
    >>> _same(rows, rows), _same(rows, "n")
    (True, False)
    """
    dims = sorted(names(a).union(names(b), *map(names, known)))
    for k in range(POINTS):
        at = {n: 1 + (k * (2 * j + 7) + j * k * k) % 101 for j, n in enumerate(dims)}
        with suppress(InputError):
            if evaluate(a, at) != evaluate(b, at) and all(evaluate(t, at) for t in known):
                return False
    return True


def elements(size: Polynomial, element: int) -> Term:
    """Return how many elements bytes are, rounded up."""
    if all(c % element == 0 for m, c in size.items() if m):
        whole = {m: c // element if m else -(-c // element) for m, c in size.items()}
        return from_polynomial(_inside_quotient({m: c for m, c in whole.items() if c}))
    return lowest(divide(from_polynomial(plus(size, {(): element - 1})), element))


def _inside_quotient(p: Polynomial) -> Polynomial:
    """Return (n - 1) // 4 * 4 + 4 as (n + 3) // 4 * 4."""
    more = p.get((), 0)
    for m, c in p.items():
        if (
            more
            and len(m) == 1
            and isinstance(m[0], Node)
            and m[0].op == "//"
            and c > 0 == more % c
        ):
            a, b = m[0].args
            if isinstance(b, int):
                whole = divide(add(a, more // c * b), b)
                return {**{n: d for n, d in p.items() if n not in (m, ())}, (whole,): c}
    return p
