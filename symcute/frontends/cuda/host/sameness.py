"""Two integers that are found to be one: one of them stands for both from there on."""

from __future__ import annotations

from dataclasses import replace

from symcute.expr import terms
from symcute.expr.node import Term
from symcute.frontends.cuda.host.numbers import Fact, Numbers
from symcute.frontends.cuda.host.state import Pending, Spot, State, Value
from symcute.kernel.ir.place import Place

__all__ = ["united"]

_WHY = "two shapes are one"


def united(state: State, a: Term, b: Term, numbers: Numbers, place: Place) -> State:
    """Return a state in which two integers are one.

    A symbol among them falls away. Nobody need speak of its tensor any more, of which the number of
    dims would have to be known then: that two shapes are one is so for any number.
    """
    if a == b:
        return state
    symbols = [(x, y) for x, y in ((b, a), (a, b)) if x in numbers.symbols and _apart(x, y)]
    # One that a caller gives falls away first: of the other no more is known than before.
    symbols.sort(key=lambda pair: not numbers.symbols[str(pair[0])].free)
    if not symbols:
        return _with(state, terms.equal(a, b), place)
    old, new = symbols[0]
    assert isinstance(old, str)
    low, high = numbers.ranges[old]
    state = _replaced(state, old, new)
    least, most = numbers.known(state.facts).of(new)
    if least < low:
        state = _with(state, terms.at_most(int(low), new), place)
    if most > high:
        state = _with(state, terms.at_most(new, int(high)), place)
    if numbers.defines(old):  # what wraps or is cut still speaks of it
        state = _with(state, terms.equal(old, new), place)
    return state


def _apart(symbol: Term, other: Term) -> bool:
    return symbol not in terms.names(other)


def _with(state: State, holds: Term, place: Place) -> State:
    return replace(state, facts=(*state.facts, Fact(holds, place, _WHY)))


def _replaced(state: State, old: str, new: Term) -> State:
    """Return a state in which a term stands for a symbol wherever this stood."""

    def of(value: Value | Pending) -> Value | Pending:
        if isinstance(value, Spot):
            bytes = value.memory.bytes
            memory = value.memory if bytes is None else replace(value.memory, bytes=term(bytes))
            return Spot(memory, term(value.offset))
        return value if value is None or isinstance(value, Pending) else term(value)

    def term(value: Term) -> Term:
        return terms.substitute(value, {old: new}) if old in terms.names(value) else value

    env = {name: of(value) for name, value in state.env.items()}
    facts = tuple(replace(f, holds=term(f.holds)) for f in state.facts)
    return replace(state, env=env, facts=facts, loaded=(), same=(*state.same, (old, new)))
