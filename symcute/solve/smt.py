"""Tier: solvers, asked for a point at which the hypotheses hold and the goal does not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from symcute.errors import InputError
from symcute.expr import limits
from symcute.expr.formula import le, negation
from symcute.expr.node import Node, Term
from symcute.expr.polynomial import ONE, variable
from symcute.expr.ratio import Ratio
from symcute.expr.terms import evaluate, names
from symcute.solve import solvers
from symcute.solve.obligation import ARITHMETIC, Answer
from symcute.solve.polynomials import by_elimination, by_products
from symcute.solve.sequent import Sequent
from symcute.solve.smtlib import Query
from symcute.solve.wording import formula

__all__ = ["at_a_glance", "by_solver"]

#: The work of each solver for one obligation: a glance, and more when that is worth it; and what
#: two solvers need of it, second looks included.
SOLVER_WORK, BOTH = (100, 600, 1500), 2.3
#: What finds most models that there are.
GLANCE = 40


def at_a_glance(here: Sequent, goal: Term) -> Answer | None:
    """Ask as `by_solver` does, once, with little work; None where there is not even that."""
    return None if limits.allowance() < BOTH * GLANCE else _by_solver(here, goal, (GLANCE,))


def by_solver(here: Sequent, goal: Term) -> Answer:
    """Ask whether the hypotheses hold and the goal does not; a model is evaluated in integers.

    Errors: WorkLimit where the block around has not the work for more.
    """
    return _by_solver(here, goal, SOLVER_WORK)


def _by_solver(here: Sequent, goal: Term, work: tuple[int, ...]) -> Answer:
    stated = here.stated(goal, choices=True)
    query = Query()
    for h in stated.plain:
        query.assume(formula(h))
    query.assume(negation(formula(stated.truth)))
    asked = names(goal).union(*map(names, here.hypotheses))
    for name in sorted(asked):
        query.name(name)
        low = here.ranges.get(name, (0, 0))[0]
        if name in here.ranges and low > -float("inf"):
            query.assume(le(int(low), Ratio(variable(name), ONE)))
    answer = _asked(here, query.script(), work)
    if answer.status == "unsat":
        if not all(_positive(here, d) for d in _divisors([goal, *here.hypotheses])):
            return Answer("open", reason="a divisor may be 0")
        solver = f"solver {answer.solver} {answer.version}"
        return Answer("proved", f"smt: {answer.solver}", (ARITHMETIC, solver))
    if answer.status == "sat":
        model = {k: int(v) for k, v in answer.model.items() if k in asked}
        try:
            if here.met(model) and not evaluate(goal, model):
                return Answer("refuted", f"smt: {answer.solver}", model=model)
        except (KeyError, InputError, ZeroDivisionError):
            pass
        return Answer("open", reason=f"{answer.solver} gave a model that is none in integers")
    return Answer("open", reason=answer.reason)


def _divisors(terms: Iterable[Term]) -> Iterator[Term]:
    """Yield what terms are divided by that is no number."""
    stack, seen = list(terms), set[Term]()
    while stack:
        x = stack.pop()
        if isinstance(x, Node) and x not in seen:
            seen.add(x)
            if x.op in ("//", "%") and not isinstance(x.args[1], int):
                yield x.args[1]
            stack += x.args


def _positive(here: Sequent, divisor: Term) -> bool:
    """Return whether a divisor is at least 1."""
    goal = Node("<=", 1, divisor)
    told = here.ranges.ranges.decides(goal) or by_elimination(here, goal)
    return bool(told) or by_products(here, goal).status == "proved"


def _asked(here: Sequent, script: str, each: tuple[int, ...]) -> solvers.Answer:
    """Ask the solvers; what they had too little work for is not begun again with as much.

    Errors: WorkLimit where the block around has not the work for more.
    """
    while True:
        work = next((w for w in each if w > here.tried.get(script, 0)), each[-1])
        if limits.allowance() < BOTH * work:
            raise limits.WorkLimit
        answer = solvers.portfolio(script, work=work, first=work)
        if answer.limit != "work":
            return answer
        here.tried[script] = work
        if work == each[-1]:
            return answer
