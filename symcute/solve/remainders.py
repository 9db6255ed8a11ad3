"""Names of which only remainders matter: each is as good as one of few numbers.

Let a name occur in terms only as `(name + c) % m`, c and m being numbers, and let M be a common
multiple of all m. Every term has the same value where the name is taken modulo M. So what holds for
the numbers from 0 to M - 1 holds for all, whatever else is known of the name
(`proofs/lemmas/classes.py`). These are enumerated: there is no certificate of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import lcm

from symcute.expr.node import Node, Term
from symcute.expr.ranges import Names
from symcute.expr.terms import at_most, less, names
from symcute.solve.obligation import Answer
from symcute.solve.points import by_few_points
from symcute.solve.sequent import Sequent

__all__ = ["by_remainders", "few", "periods"]

#: More numbers than these are not gone through.
MOST = 64


def periods(terms: Iterable[Term], among: Iterable[str]) -> dict[str, int]:
    """Return the names of which only remainders matter in terms, with how many numbers these are.

    >>> k = Node("%", Node("+", "k", 1), 3)
    >>> periods([Node("+", k, "i"), Node("%", "k", 2)], ["k", "i"])
    {'k': 6}
    """
    found = dict.fromkeys(among, 1)
    todo, seen = list(terms), set[Term]()
    while todo:
        x = todo.pop()
        if isinstance(x, str):
            found.pop(x, None)
        if not isinstance(x, Node) or x in seen:
            continue
        seen.add(x)
        inner = _moved(x.args[0]) if x.op == "%" else None
        if inner is None or inner not in found:
            todo += x.args
        elif isinstance(x.args[1], int) and 0 < x.args[1] <= MOST:
            found[inner] = lcm(found[inner], x.args[1])
        else:
            found.pop(inner)
    return {n: count for n, count in found.items() if 1 < count <= MOST}


def _moved(term: Term) -> str | None:
    """Return the name in `name` or `name + c`."""
    if isinstance(term, Node) and term.op == "+":
        one, *rest = term.args
        return one if isinstance(one, str) and all(type(c) is int for c in rest) else None
    return term if isinstance(term, str) else None


def few(hypotheses: Iterable[Term], of: Mapping[str, int]) -> list[Term]:
    """Return what is still so where names are taken modulo their periods.

    That is what speaks of none of them otherwise than by remainders that divide its period.
    """
    kept = []
    for h in hypotheses:
        here = names(h) & of.keys()
        own = periods([h], here)
        if all(n in own and of[n] % own[n] == 0 for n in here):
            kept.append(h)
    for n, count in of.items():
        kept += [at_most(0, n), less(n, count)]
    return kept


def by_remainders(here: Sequent, goal: Term) -> Answer | None:
    """Prove a goal at all points, numbers of which only remainders matter being few."""
    large = [n for n in sorted(names(goal)) if not _small(here.ranges, n)]
    of = periods([goal], large)
    if not large or len(of) < len(large):
        return None
    found = by_few_points(Sequent(few(here.hypotheses, of), here.dims - of.keys()), goal)
    return found if found is not None and found.status == "proved" else None


def _small(known: Names, name: str) -> bool:
    low, high = known.get(name, (0, float("inf")))
    return high - low < 1 << 16
