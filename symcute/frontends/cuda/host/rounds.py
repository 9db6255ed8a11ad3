"""What loops of host code make of the numbers that they change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf

from symcute.expr import terms
from symcute.frontends.cuda.host.numbers import Numbers
from symcute.frontends.cuda.host.state import Pending, Spot, State

__all__ = ["bound"]


def bound(heads: Mapping[str, str], first: State, ends: Iterable[State], numbers: Numbers) -> None:
    """Bound the symbols that variables are wherever a round of a loop begins.

    `first` is the state in which the loop is come to, `ends` are those in which another round
    begins, after one out of any state, which the symbols stand for.

    A number is never below the least of what it is at first, and of what rounds leave that may make
    it less: induction over the rounds, of which one that does not make it less leaves what is not
    below what the one before has left (`round_stays_above` of `proofs/lemmas/rounds.py`). Nor is it
    above the greatest, likewise.
    """
    ends = list(ends)
    for name, head in heads.items():
        start = _between(first, name, None, numbers)
        rounds = [_between(s, name, head, numbers) for s in ends]
        if start is None or None in rounds:
            continue
        known = [start, *(r for r in rounds if r is not None)]
        numbers.bound(head, min(low for low, _ in known), max(high for _, high in known))


def _between(
    state: State, name: str, head: str | None, numbers: Numbers
) -> tuple[float, float] | None:
    """Return what a variable lies between, on the side to which it has gone from its head alone."""
    value = state.env.get(name)
    if value is None or isinstance(value, Pending | Spot) or terms.is_truth(value):
        return None
    known = numbers.known(state.facts)
    low, high = known.of(value)
    if head is not None:
        gap = terms.polynomial(terms.sub(value, head))
        less, more = known.of(terms.from_polynomial(gap)) if gap is not None else (-1, 1)
        low, high = low if less < 0 else inf, high if more > 0 else -inf
    return low, high
