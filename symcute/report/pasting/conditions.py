"""Formulas as conditions of Python: the smallest part that is false, and what it comes to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from symcute.errors import InputError
from symcute.expr.expression import value_at
from symcute.expr.formula import Formula
from symcute.expr.htuple import Leaf
from symcute.interop.infix import PYTHON, Term, Writer, binary
from symcute.solve.entailment import facts

__all__ = ["Falsehood", "false_condition"]

#: Each relation in Python, and its opposite.
_SIGNS = {"eq": ("==", "!="), "ne": ("!=", "=="), "le": ("<=", ">"), "lt": ("<", ">=")}


class Falsehood(NamedTuple):
    """A condition that is false, what it comes to, and conditions before it that are true."""

    condition: str
    outcome: str
    true: tuple[str, ...] = ()


def false_condition(formula: Formula, dims: Mapping[str, int]) -> Falsehood | None:
    """Return the smallest part of a formula that is false at integer dims, as Python over them.

    None where the formula is true, or Python cannot say it.
    Errors: InputError when a dim has no value.

    >>> from symcute import all_of, dims, divides, le
    >>> M, N = dims("M N")
    >>> false_condition(all_of(le(M, 8), divides(M, N)), {"M": 4, "N": 6})[:2]
    ('M != 0 and N % M == 0', '6 % 4 == 2')
    """
    if formula.holds(dims):
        return None
    try:
        return _false(formula, dims)
    except InputError:
        return None


def _false(f: Formula, dims: Mapping[str, int]) -> Falsehood:
    if f.op == "and":
        return _false(next(x for x in f.args if not x.holds(dims)), dims)
    if f.op == "implies":
        premise, conclusion = f.args
        false = _false(conclusion, dims)
        return false._replace(true=(_python(premise), *false.true))
    if f.op == "divides":
        a, b = (value_at(x, dims) for x in f.args)
        return Falsehood(_python(f), f"{b} % {a} == {b % a}" if a else f"{a} == 0")
    if f.op in _SIGNS:
        a, b = (value_at(x, dims) for x in f.args)
        return Falsehood(_python(f), f"{a} {_SIGNS[f.op][1]} {b}")
    return Falsehood(_python(f), "it is False")


def _python(f: Formula) -> str:
    """Return a formula as a condition of Python. Errors: InputError where there is none."""
    if f.op in ("true", "false"):
        return f.op.capitalize()
    if f.op in ("and", "or"):
        return f" {f.op} ".join(map(_inside, f.args))
    if f.op == "not":
        return f"not {_inside(f.args[0])}"
    if f.op == "implies":
        return f"not {_inside(f.args[0])} or {_inside(f.args[1])}"
    a, b = map(_leaf, f.args)
    if f.op != "divides":
        return f"{a.text} {_SIGNS[f.op][0]} {b.text}"
    multiple = f"{binary('%', b, a).text} == 0"
    return multiple if a.text.isdigit() else f"{a.text} != 0 and {multiple}"


def _inside(f: Formula) -> str:
    return f"({_python(f)})"


def _leaf(leaf: Leaf) -> Term:
    return Writer(PYTHON, facts()).leaf(leaf)
