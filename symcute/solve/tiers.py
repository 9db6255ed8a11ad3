"""Does a goal follow from hypotheses? The tiers, from the cheap to the patient, and who asks them.

A tier is a function of a sequent and a goal, in a file of its own: it returns a proof, a model, or
nothing. What refutes is a model: values at which the hypotheses hold and the goal does not,
evaluated in integers; whether the machine does the same is for execution to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from math import inf, prod
from typing import NamedTuple, TypeAlias

from symcute.expr import limits
from symcute.expr.node import Node, Term
from symcute.expr.terms import at_most, evaluate, names, negate
from symcute.solve.bits import doubled, with_bits
from symcute.solve.congruences import by_congruences
from symcute.solve.digits import Digits, merged
from symcute.solve.folding import Folding, choices
from symcute.solve.obligation import ARITHMETIC, Answer, Obligation, Shown
from symcute.solve.parts import by_parts
from symcute.solve.places import by_places
from symcute.solve.points import by_all_points, by_few_points
from symcute.solve.polynomials import (
    by_elimination,
    by_named,
    by_plain,
    by_products,
    in_cases,
    multiplied,
)
from symcute.solve.remainders import by_remainders
from symcute.solve.search import RANGE, gap_of
from symcute.solve.sequent import Sequent
from symcute.solve.smt import by_solver
from symcute.solve.stated import Stated
from symcute.solve.wording import conjuncts, formula

__all__ = [
    "PATIENT", "QUICK", "Tier", "by_digits", "decide", "patiently", "proofs", "quickly", "shows",
]  # fmt: skip

#: How many points a box has at most that is cut to the end.
MAX_CUT = 1 << 14
#: How many orders of two threads are looked at by more than bounds for a certificate.
THOROUGH = 8
#: The work that taking equations of two threads apart is worth, at first and thoroughly.
MERGING = 30, 100
#: How many choices are gone through by cases, one in a case of another.
DEEP = 3


Road: TypeAlias = Callable[[Sequent, Term], Answer | None]


class Tier(NamedTuple):
    """A way to an answer, and the work that it may do for a question, in units of `limits`."""

    road: Road
    work: float


def by_ranges(here: Sequent, goal: Term) -> Answer | None:
    """Prove a goal by constant ranges, or because nothing meets the hypotheses."""
    told = here.empty or here.ranges.ranges.decides(goal)
    return Answer("proved", "ranges", (ARITHMETIC,)) if told else None


def by_doubling(here: Sequent, goal: Term) -> Answer | None:
    """Prove that a power of two, doubled, is one."""
    return Answer("proved", "powers of two", (ARITHMETIC,)) if doubled(here, goal) else None


def by_drawing(here: Sequent, goal: Term) -> Answer | None:
    """Refute a goal by a point at which the hypotheses hold."""
    model = here.drawn.breaks(goal)
    if model is None or not here.met(model) or evaluate(goal, model):
        return None
    return Answer("refuted", "points drawn", model=model)


@lru_cache(maxsize=64)
def _folding(here: Sequent) -> Folding:
    """Return what folds terms under hypotheses, and remembers what it folded."""
    return Folding(here, shows)


def by_premises(here: Sequent, goal: Term) -> Answer | None:
    """Prove one of two where the other is not so: what a premise implies under the premise."""
    if not isinstance(goal, Node) or goal.op != "or":
        return None
    # What an implication concludes stands last.
    for k, part in reversed([*enumerate(goal.args)]):
        others = [negate(x) for j, x in enumerate(goal.args) if j != k]
        if _ask(CHEAP, inner := here.extended(others), part).status == "proved":
            return Answer("proved", "premises", (ARITHMETIC,))
        found = by_equations(inner, part)
        if found is not None:
            return replace(found, shown=None)
    return None


def by_equations(here: Sequent, goal: Term) -> Answer | None:
    """Prove equations by those that are given, names that these make equal being one."""
    if not all(map(_equation, conjuncts(goal))) or not any(map(_equation, here.hypotheses)):
        return None
    named = here.stated(goal, named=True)
    by = merged(named.search(used := named.rings[-1]), named.goal, ())
    return by and Answer("proved", "equations", (ARITHMETIC,), shown=named.shown(by, used))


def _equation(h: Term) -> bool:
    return isinstance(h, Node) and h.op == "=="


def by_bits(here: Sequent, goal: Term) -> Answer | None:
    """Prove a goal with what follows from powers of two."""
    inner = with_bits(here, [goal], shows)
    found = None if inner is here else _ask(CHEAP, inner, goal)
    return replace(found, shown=None) if found and found.status == "proved" else None


def by_folding(here: Sequent, goal: Term) -> Answer | None:
    """Prove a goal with what rounds and what chooses folded, by cases of what it hangs on."""
    return Answer("proved", "terms folded", (ARITHMETIC,)) if _folded(here, goal, DEEP) else None


def _folded(here: Sequent, goal: Term, depth: int) -> bool:
    # Under hypotheses which are said of folded terms as well.
    folding = _folding(here).folded()
    told = folding.fold(goal)
    if depth == DEEP and told == goal and folding.here is here and folding.bare(goal):
        return False  # it is asked as it is before and after
    if folding.holds(told):
        return True
    test = next((x.args[0] if x.op == "if" else at_most(*x.args) for x in choices(told)), None)
    if test is None or not depth or folding.here.drawn.breaks(told) is not None:
        return False
    return all(_folded(here.extended([x]), told, depth - 1) for x in (test, negate(test)))


#: What is asked at once: proofs by ranges and polynomials. A point that is drawn spares the search.
#: Most of what folding shows it shows with little work: what takes more is for products first.
QUICK = (
    Tier(by_ranges, 100),
    Tier(by_doubling, 100),
    Tier(by_congruences, 100),
    Tier(by_drawing, 100),
    Tier(by_plain, 100),
    Tier(by_places, 300),
    Tier(by_remainders, 200),
    Tier(by_parts, 150),
    Tier(by_named, 100),
    Tier(by_bits, 150),
    Tier(by_premises, 150),
    Tier(by_equations, 100),
    Tier(by_folding, 120),
    Tier(by_products, 9000),
    Tier(by_folding, 2000),
)
#: What is asked of the many small truths on which a term hangs.
CHEAP = (*QUICK[:5], QUICK[7], Tier(by_products, 60))
#: What is asked of goals that these leave open.
PATIENT = (Tier(by_few_points, 9000), Tier(by_solver, 9000), Tier(by_all_points, 9000))


def quickly(here: Sequent, goal: Term) -> Answer:
    """Decide a goal by the tiers that ask no solver.

    >>> from symcute.expr.node import Node
    >>> few = Sequent([Node("<=", 0, "i"), Node("<", "i", "N")], {"N"})
    >>> quickly(few, Node("<=", Node("+", Node("*", 4, "i"), 4), Node("*", 4, "N"))).status
    'proved'
    >>> found = quickly(few, Node("<", Node("+", "i", 1), "N"))
    >>> found.status, found.model["i"] + 1 == found.model["N"]
    ('refuted', True)
    """
    return _ask(QUICK, here, goal)


def shows(here: Sequent, truth: Term) -> bool:
    """Return whether a truth is shown by what costs little."""
    return _ask(CHEAP, here, truth).status == "proved"


def patiently(here: Sequent, goal: Term) -> Answer:
    """Decide a goal that the cheap tiers left open."""
    return _ask(PATIENT, here, goal)


def decide(here: Sequent, goal: Term) -> Answer:
    """Decide a goal by all tiers."""
    found = quickly(here, goal)
    return found if found.status == "proved" else patiently(here, goal)


def by_digits(here: Sequent, asked: Obligation, tries: int) -> Answer | None:
    """Show a goal where an overlap makes pairs of names equal, one pair after another.

    More than bounds is tried so often.
    """
    left = iter(range(tries))
    stated = here.stated(asked.goal, asked.overlap)
    by = _by_digits(stated, asked.digits, left, tries > 0)
    if by is not None:
        return Answer("proved", "digits", (ARITHMETIC,), shown=by)
    if any(gap_of(formula(h)) is None for h in stated.overlap):  # there are quotients in it
        named = here.stated(asked.goal, asked.overlap, named=True)
        try:
            with limits.budget(MERGING[tries > 0]):
                by = merged(named.search(named.rings[-1]), named.goal, named.overlap)
        except limits.WorkLimit:
            if limits.allowance() <= 0:
                raise
            by = None
        if by is not None:
            return Answer("proved", "digits", (ARITHMETIC,), shown=named.shown(by, named.rings[-1]))
    return None


def _by_digits(
    stated: Stated, pairs: Sequence[tuple[str, str]], tries: Iterator[int], thorough: bool
) -> Shown | None:
    parts = {*stated.overlap}
    digits = Digits(stated.goal, pairs, parts, tries)
    for used in stated.rings if thorough else stated.rings[-1:]:
        by = digits.proof(stated.search(used)) if parts <= {*used} else None
        if by is not None:
            return stated.shown(by, used)
    return None


def _ask(tiers: Sequence[Tier], here: Sequent, goal: Term) -> Answer:
    """Put a goal to one tier after the other; the last reason is why it is open.

    Errors: WorkLimit where the work of the block around is done.
    """
    left = Answer("open")
    for tier in tiers:
        try:
            with limits.budget(tier.work):
                found = _asked(tier.road, here, goal)
        except limits.WorkLimit:
            if limits.allowance() <= 0 or tier.road is by_solver:
                raise
            found = Answer("open", reason=f"the work limit of {tier.work:,} was reached")
        if found is not None and found.status != "open":
            return found.about(Obligation(here.hypotheses, goal, here.dims))
        left = found or left
    return left


def _asked(road: Road, here: Sequent, goal: Term) -> Answer | None:
    """Take a road, or recall what it came to."""
    if road is by_solver:  # which has its own ways to go on
        return road(here, goal)
    return here.memory.recall((road, goal), partial(road, here, goal))


# --- proofs that are asked for afterwards ---------------------------------------------------------


def proofs(asked: Obligation) -> Iterator[Shown]:
    """Yield proofs of what was shown, for certificates: that of the tier which answered.

    Ranges, points and solvers leave none: then those that the other tiers have.
    """
    if asked.shown is not None:
        yield asked.shown
        return
    here = Sequent(asked.hypotheses, asked.dims)
    stated = here.stated(asked.goal, asked.overlap)
    for used in (stated.rings[0], stated.rings[-1]):
        yield stated.shown(RANGE, used)
    yield from _worked(lambda: _polynomials(here, asked))
    for used in stated.rings:
        every = set(names(stated.goal)).union(*map(names, used))
        known = stated.search(used).ranges
        sizes = {n: b - a + 1 for n in every for a, b in [known.get(n, (-inf, inf))]}
        small = sorted((n for n in every if sizes[n] <= MAX_CUT), key=lambda n: (sizes[n], n))
        first = [n for n in small if n in names(stated.goal)]
        for cut in (first, [*first, *(n for n in small if n not in first)]):
            if cut and prod(max(1, sizes[n]) for n in cut) <= MAX_CUT**2:
                yield stated.shown(("range", tuple(cut)), used)


def _polynomials(here: Sequent, asked: Obligation) -> Iterable[Shown | None]:
    if asked.overlap:
        found = by_digits(here, asked, THOROUGH)
        yield None if found is None else found.shown
    found = by_elimination(here, asked.goal)
    yield None if found is None else found.shown
    yield getattr(by_places(here, asked.goal), "shown", None)
    yield getattr(by_parts(here, asked.goal), "shown", None)
    yield by_products(here, asked.goal).shown
    named = here.stated(asked.goal, named=True)
    yield multiplied(named) or in_cases(named)


def _worked(tried: Callable[[], Iterable[Shown | None]]) -> Iterator[Shown]:
    try:
        with limits.budget(PATIENT[0].work):
            for shown in tried():
                if shown is not None:
                    yield shown
    except limits.WorkLimit:
        return
