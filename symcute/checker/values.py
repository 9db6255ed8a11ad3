"""Terms and formulas at an instance of the dims, in plain integers."""

from __future__ import annotations

from symcute.checker.poly import budget
from symcute.checker.terms import Node, Refused

#: The longest number that is computed, in bits.
MAX_BITS = 1 << 13

Instance = dict[str, int]


class Undefined(Refused):
    """A quotient that is no integer, a divisor of 0, or a number that is too long."""


def number(x: Node, at: Instance) -> int:
    """Return what an expression is at an instance."""
    op = x.op
    if op in ("int", "dim"):
        return int(x.args[0] if op == "int" else at[x.args[0]])
    a, *rest = (number(y, at) for y in x.args)
    budget.spend(1)
    if op == "neg":
        return -a
    [b] = rest
    if op in ("mul", "pow") and a.bit_length() * (b if op == "pow" else 1) > MAX_BITS:
        raise Undefined("a number is too long")
    if op in ("add", "sub", "mul"):
        return a + b if op == "add" else a - b if op == "sub" else a * b
    if op == "pow":
        return int(a**b)
    if op in ("min", "max"):
        return min(a, b) if op == "min" else max(a, b)
    if b == 0 or (op == "div" and a % b):
        raise Undefined("an operator has no value at the instance")
    return a % b if op == "mod" else -(-a // b) if op == "ceil_div" else a // b


def truth(f: Node, at: Instance) -> bool:
    """Return whether a formula is true at an instance."""
    if f.op in ("and", "or", "not", "implies"):
        if f.op == "implies":
            return not truth(f.args[0], at) or truth(f.args[1], at)
        found = (truth(x, at) for x in f.args)
        return all(found) if f.op == "and" else any(found) if f.op == "or" else not next(found)
    a, b = (number(x, at) for x in f.args)
    if f.op == "divides":
        return a != 0 and b % a == 0
    return {"eq": a == b, "ne": a != b, "le": a <= b}.get(f.op, a < b)


def meets(facts: list[Node], at: Instance) -> bool:
    """Return whether an instance meets assumptions; one that has no value is not met."""
    try:
        return all(truth(f, at) for f in facts)
    except Undefined:
        return False
