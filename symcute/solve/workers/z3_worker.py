"""Z3 in a process of its own, `python -m symcute.solve.workers.z3_worker`: the one place of it.

The order of strategies was measured on 64 queries of the kind layouts give rise to (injectivity of
two to six modes on coordinates and in difference form, bounds, quotient and remainder witnesses,
overflow). Z3's core behind three preprocessing steps decided them in a median of 3 ms and at most
66 ms. The bare core is as fast, but gave up on a witness where substituting equations helps, and
found a factor that the others did not. So: preprocessed core, bare core, and at last a search for a
model among numbers of few bits, which is another engine; each has half of the work that is left.
Z3's own strategy for these queries is not used: its parts are limited by seconds.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from fractions import Fraction

import z3

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

_PREPARED, _BARE, _BITS, _DEFAULT = "prepared core", "bare core", "few bits", "default"
_PREPARATION = ("simplify", "propagate-values", "solve-eqs", "smt")
_TO_BITS = ("simplify", "propagate-values", "solve-eqs", "nla2bv", "qfbv")

_TOKEN = re.compile(r';[^\n]*|\|[^|]*\||"(?:[^"]|"")*"|[()]|[^\s()|";]+')
_WORK_OUTS = frozenset({"canceled", "max. resource limit exceeded"})
_MEMORY_OUTS = ("out of memory", "max. memory exceeded", "memout")
_LONGEST_REASON = 300
#: How many of Z3's own resources a unit of work is: what it uses in about a millisecond.
RESOURCES = 2000
#: Products of more factors are not turned into bits: Z3 does not count the work of it, seconds.
MOST_FACTORS = 2
#: What Z3 takes for its limit is a number of 32 bits.
_MOST_RESOURCES = 2**32 - 1


class _Malformed(Exception):
    """The script is not of the form that the worker answers."""


class _Irrational(Exception):
    """A constant of the model is a root, which no fraction is equal to."""


def answer(smt2: str, work: int, timeout: float, memory_mb: int) -> Reply:
    """Decide a script without `check-sat`, with so much work, at most `timeout` seconds.

    >>> answer("(declare-const x Int) (assert (= (* x x x) 27))", 100, 5.0, 1024)
    Reply(status='sat', model={'x': 3}, reason='', work=1)
    """
    deadline = time.monotonic() + timeout
    z3.set_param("memory_max_size", memory_mb)
    try:
        constants = _constants(smt2)
        context = z3.Context()
        assertions = z3.parse_smt2_string(smt2, ctx=context)
        return _check(context, assertions, constants, work, deadline)
    except _Malformed as error:
        return refused(str(error))
    except z3.Z3Exception as error:
        return _refusal(error)


def _check(
    context: z3.Context,
    assertions: z3.AstVector,
    constants: dict[str, str],
    work: int,
    deadline: float,
) -> Reply:
    sorts = set(constants.values())
    if sorts <= {"Int", "Bool"}:
        strategies: tuple[str, ...] = (_PREPARED, _BARE, _BITS)
    else:
        # Bit-vectors are best left to the default solver, which picks a procedure for them.
        strategies = (_PREPARED, _BARE) if "Real" in sorts else (_DEFAULT,)
    reply, left, short = Reply("unknown"), work * RESOURCES, False
    for strategy in strategies:
        share = left if strategy == strategies[-1] else left // 2
        if strategy == _BITS and _factors(assertions) > MOST_FACTORS:
            break
        solver = _solver(context, strategy)
        solver.set("rlimit", min(max(1, share), _MOST_RESOURCES))
        solver.set("timeout", max(1, round((deadline - time.monotonic()) * 1000)))
        solver.add(assertions)
        result = solver.check()
        if strategy == _BITS and result == z3.unsat:
            result = z3.unknown  # of few bits, that is
        reply = _reply(solver, result, assertions, constants)
        # The count is that of the context: all strategies together.
        done = int(solver.statistics().get_key_value("rlimit count"))
        reply, left = reply._replace(work=-(-done // RESOURCES)), work * RESOURCES - done
        short = short or reply.reason == WORK_REASON
        if reply.status != "unknown" or reply.reason in (MEMORY_REASON, TIMEOUT_REASON):
            return reply
        if left <= 0:
            break
    # Where one strategy gives up and another had too little work, more of it may help.
    return reply._replace(reason=WORK_REASON) if short else reply


def _factors(assertions: z3.AstVector) -> int:
    """Return how many factors that are no numbers the largest product has."""
    found: dict[int, int] = {}

    def degree(x: z3.ExprRef) -> int:
        if x.get_id() not in found:
            inner = [degree(y) for y in x.children()]
            leaf = int(not inner and not z3.is_int_value(x))
            found[x.get_id()] = sum(inner) if z3.is_mul(x) else max([leaf, *inner])
        return found[x.get_id()]

    return max(map(degree, assertions), default=0)


def _solver(context: z3.Context, strategy: str) -> z3.Solver:
    if strategy == _PREPARED:
        steps = [z3.Tactic(name, ctx=context) for name in _PREPARATION]
        return z3.Then(*steps, ctx=context).solver()
    if strategy == _BITS:
        steps = [z3.Tactic(name, ctx=context) for name in _TO_BITS]
        return z3.Then(*steps, ctx=context).solver()
    return z3.SimpleSolver(ctx=context) if strategy == _BARE else z3.Solver(ctx=context)


def _reply(
    solver: z3.Solver,
    result: z3.CheckSatResult,
    assertions: z3.AstVector,
    constants: dict[str, str],
) -> Reply:
    if result == z3.unsat:
        return Reply("unsat")
    if result == z3.unknown:
        return Reply("unknown", reason=_reason(solver.reason_unknown()))
    model = solver.model()
    values: dict[str, int | Fraction] = {}
    for name, sort in constants.items():
        try:
            value = _value(model, name, sort)
        except _Irrational:
            return Reply("unknown", reason=IRRATIONAL_REASON)
        if value is not None:
            values[name] = value
    # After the constants are completed, the model must satisfy what it is a model of.
    if any(z3.is_false(model.eval(a, model_completion=True)) for a in assertions):
        return Reply("unknown", reason="the solver's model does not satisfy the script")
    return Reply("sat", values)


def _value(model: z3.ModelRef, name: str, sort: str) -> int | Fraction | None:
    context = model.ctx
    if sort == "Real":
        real = model.eval(z3.Real(name, context), model_completion=True)
        if not z3.is_rational_value(real):
            raise _Irrational
        return Fraction(real.numerator_as_long(), real.denominator_as_long())
    if sort == "Int":
        return int(model.eval(z3.Int(name, context), model_completion=True).as_long())
    if sort == "Bool":
        return int(z3.is_true(model.eval(z3.Bool(name, context), model_completion=True)))
    width = re.fullmatch(r"_ BitVec (\d+)", sort)
    if width is None:
        return None
    constant = z3.BitVec(name, int(width[1]), context)
    return int(model.eval(constant, model_completion=True).as_long())


def _reason(text: str) -> str:
    if any(part in text for part in _MEMORY_OUTS):
        return MEMORY_REASON
    if text in _WORK_OUTS:
        return WORK_REASON
    if text == "timeout":
        return TIMEOUT_REASON
    return text[:_LONGEST_REASON] or "the solver gave no reason"


def _refusal(error: z3.Z3Exception) -> Reply:
    text = error.value
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    text = str(text).strip()
    if _reason(text) == MEMORY_REASON:
        return Reply("unknown", reason=MEMORY_REASON)
    quoted = re.search(r'\(error "(.*)"\)', text)
    text = quoted[1] if quoted else text
    return refused(text)


def _constants(smt2: str) -> dict[str, str]:
    """Return the declared constants and their sorts; the parser drops those that are unused."""
    constants: dict[str, str] = {}
    for command in _commands(smt2):
        head = command[0] if command else ""
        if head not in COMMANDS:
            raise _Malformed(f"command {head[:40]!r} is not one of {', '.join(COMMANDS)}")
        sort: list[str] = []
        if head == "declare-const":
            sort = command[2:]
        elif head == "declare-fun" and command[2:4] == ["(", ")"]:
            sort = command[4:]
        if sort:
            constants[command[1].strip("|")] = " ".join(sort).strip("() ")
    return constants


def _commands(smt2: str) -> Iterator[list[str]]:
    """Yield the tokens of each outermost list, without its own brackets."""
    depth = 0
    command: list[str] = []
    for token in _TOKEN.findall(smt2):
        if token.startswith(";"):
            continue
        if token == "(":  # noqa: S105
            depth += 1
            if depth == 1:
                command = []
                continue
        elif token == ")":  # noqa: S105
            depth -= 1
            if depth == 0:
                yield command
                continue
        command.append(token)


if __name__ == "__main__":
    serve(z3.get_version_string(), answer)
