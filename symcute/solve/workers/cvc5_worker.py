"""cvc5 in a process of its own, `python -m symcute.solve.workers.cvc5_worker`: the one place of it.

The option `nl-cov` stays off: with it cvc5 overruns its own time limit.
"""

from __future__ import annotations

import time
from fractions import Fraction

import cvc5

from symcute.solve.workers.serve import (
    COMMANDS,
    IRRATIONAL_REASON,
    MEMORY_REASON,
    TIMEOUT_REASON,
    WORK_REASON,
    Reply,
    refused,
    serve,
)

__all__ = ["answer"]

#: How many of cvc5's own resources a unit of work is: what it uses in about a millisecond.
RESOURCES = 150


def answer(smt2: str, work: int, timeout: float, memory_mb: int) -> Reply:
    """Decide a script without `check-sat`, with so much work, at most `timeout` seconds.

    `memory_mb` is held by the process's own limit; cvc5 has no setting for it.

    >>> answer("(set-logic QF_NIA)(declare-const x Int)(assert (= (* 2 x) 6))", 100, 5.0, 1024)
    Reply(status='sat', model={'x': 3}, reason='', work=1)
    """
    deadline = time.monotonic() + timeout
    manager = cvc5.TermManager()
    solver = cvc5.Solver(manager)
    solver.setOption("produce-models", "true")
    solver.setOption("rlimit-per", str(work * RESOURCES))
    symbols = cvc5.SymbolManager(manager)
    try:
        problem = _read(solver, symbols, smt2)
        if problem:
            return refused(problem)
        left = deadline - time.monotonic()
        if left <= 0:
            return Reply("unknown", reason=TIMEOUT_REASON)
        solver.setOption("tlimit-per", str(max(1, round(left * 1000))))
        return _reply(solver, symbols)._replace(work=_done(solver))
    except RuntimeError as error:
        return _refusal(error)


def _read(solver: cvc5.Solver, symbols: cvc5.SymbolManager, smt2: str) -> str:
    """Read the script into the solver; return what is wrong with it, or an empty text."""
    parser = cvc5.InputParser(solver, symbols)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, smt2, "script")
    while not (command := parser.nextCommand()).isNull():
        name = command.getCommandName()
        if name not in COMMANDS:
            return f"command {name!r} is not one of {', '.join(COMMANDS)}"
        said = command.invoke(solver, symbols)
        if "error" in said:
            return str(said).strip()
    return ""


def _reply(solver: cvc5.Solver, symbols: cvc5.SymbolManager) -> Reply:
    result = solver.checkSat()
    if result.isUnsat():
        return Reply("unsat")
    if result.isSat():
        model = _model(solver, symbols)
        return Reply("unknown", reason=IRRATIONAL_REASON) if model is None else Reply("sat", model)
    why = result.getUnknownExplanation().name
    named = {"TIMEOUT": TIMEOUT_REASON, "MEMOUT": MEMORY_REASON, "RESOURCEOUT": WORK_REASON}
    return Reply("unknown", reason=named.get(why, why.lower()))


def _done(solver: cvc5.Solver) -> int:
    """Return the work that a solver has done, rounded up."""
    used = solver.getStatistics().get(True, True)["resource::resourceUnitsUsed"]["value"]
    return -(-int(used) // RESOURCES)


def _model(solver: cvc5.Solver, symbols: cvc5.SymbolManager) -> dict[str, int | Fraction] | None:
    """Return the values of the constants, or None when one is a root, which is no fraction."""
    values: dict[str, int | Fraction] = {}
    for term in symbols.getDeclaredTerms():
        sort = term.getSort()
        if sort.isInteger():
            values[term.getSymbol()] = int(solver.getValue(term).getIntegerValue())
        elif sort.isReal():
            real = solver.getValue(term)
            if not real.isRealValue():
                return None
            values[term.getSymbol()] = Fraction(real.getRealValue())
        elif sort.isBoolean():
            values[term.getSymbol()] = int(solver.getValue(term).getBooleanValue())
        elif sort.isBitVector():
            values[term.getSymbol()] = int(solver.getValue(term).getBitVectorValue(10))
    return values


def _refusal(error: RuntimeError) -> Reply:
    text = str(error).strip()
    if "bad_alloc" in text:
        return Reply("unknown", reason=MEMORY_REASON)
    return refused(text)


if __name__ == "__main__":
    serve(cvc5.__version__, answer)
