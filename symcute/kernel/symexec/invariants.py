"""What comments say that a loop keeps: used where a round is seen to keep it."""

from __future__ import annotations

from collections.abc import Callable

from symcute.errors import InputError
from symcute.expr import terms
from symcute.expr.assumptions import Assumptions, ambient
from symcute.expr.definedness import of_operators
from symcute.expr.node import Term
from symcute.expr.parser import parse
from symcute.kernel.ir.program import Loop
from symcute.kernel.symexec.entry import truth_of
from symcute.kernel.symexec.state import Path, State, Value
from symcute.solve.entailment import facts

__all__ = ["said_of", "stated"]


def stated(loop: Loop) -> list[tuple[str, Term]]:
    """Return the invariants that comments give, as text and over the names of variables.

    Errors: TextError for text that is no relation, InputError for one that may have no value.
    """
    outer, known = ambient().formulas, facts()
    found = []
    for text in loop.invariants:
        for condition in of_operators(parse(text), text):
            if not known.proves(condition.formula):
                raise InputError(f"the invariant {text}: {condition.wrong}", condition.fix)
        formulas = [f for f in Assumptions.of(text).formulas if f not in outer]
        found.append((text, terms.all_of(*map(truth_of, formulas))))
    return found


def said_of(
    invariant: tuple[str, Term],
    state: State,
    dims: frozenset[str],
    used: Callable[[Value, Path], Value],
) -> Value:
    """Return what an invariant says at a point, with all that this rests on.

    Errors: InputError for a name that is neither an integer there nor a dim.
    """
    text, term = invariant
    found = Value(term)
    values: dict[str, Term] = {}
    for name in terms.names(term):
        held = state.env.get(name)
        if isinstance(held, Value) and not terms.is_truth(held.term):
            held = used(held, state.path)
            values[name] = held.term
            found = found.resting_on(held.needs)
        elif name not in dims:
            raise InputError(
                f"the invariant {text} speaks of {name}, which is no integer there",
                "name variables of the kernel, its parameters or dims",
            )
    return Value(terms.substitute(term, values), found.needs, found.low, found.seen)
