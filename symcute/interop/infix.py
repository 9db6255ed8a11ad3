"""Leaves as C and Python text: infix expressions with no more parentheses than they need.

Quotients of leaves are exact wherever a layout is defined, so that C's truncation does them no
harm. A rounded quotient or a remainder is C's own only where its operands are known not to be
negative; elsewhere C gets a longer expression that rounds as ours does.
"""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass
from typing import Any, NamedTuple

from symcute.errors import InputError
from symcute.expr.formula import le
from symcute.expr.htuple import Leaf, show_leaf
from symcute.expr.leaf import fraction
from symcute.expr.order import coefficient, ordered_terms, powers
from symcute.solve.entailment import Entailment

__all__ = [
    "CUTE",
    "DSL",
    "PYTHON",
    "C",
    "Dialect",
    "Term",
    "Writer",
    "binary",
    "check_name",
    "total",
]

#: How strongly an expression holds together; both C and Python bind in this order.
AND, SHIFT, SUM, PRODUCT, SIGN, WHOLE = range(6)
_LEVELS = {
    "&": AND, "<<": SHIFT, ">>": SHIFT, "+": SUM, "-": SUM,
    "*": PRODUCT, "/": PRODUCT, "//": PRODUCT, "%": PRODUCT,
}  # fmt: skip
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
#: One more than the largest 64-bit signed integer.
_LIMIT = 2**63

_C_WORDS = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl concept
    const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype
    default delete do double dynamic_cast else enum explicit export extern false float for friend
    goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq
    private protected public register reinterpret_cast requires restrict return short signed sizeof
    static static_assert static_cast struct switch template this thread_local throw true try typedef
    typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq
"""
_CUTE_WORDS = """
    cute std C E Int Layout LayoutLeft LayoutRight GenColMajor GenRowMajor Shape Stride constant
    integral_constant tuple make_layout make_shape make_stride make_tuple
"""


@dataclass(frozen=True)
class Dialect:
    """A language that expressions are written in.

    `quotient` is its sign for division; `words` cannot be names; `prefix` stands before functions
    of CuTe. A dialect with a prefix is strict: it refuses what would need more than the language's
    own rounding of operands that are not negative.
    """

    name: str
    quotient: str
    words: frozenset[str]
    prefix: str = ""

    @property
    def is_python(self) -> bool:
        """Return whether it divides with `//`, rounding down."""
        return self.quotient == "//"


_PYTHON_WORDS = frozenset(keyword.kwlist)
C = Dialect("C", "/", frozenset(_C_WORDS.split()))
PYTHON = Dialect("Python", "//", _PYTHON_WORDS)
CUTE = Dialect("CuTe C++", "/", C.words | set(_CUTE_WORDS.split()), "cute::")
DSL = Dialect("CuTe DSL", "//", _PYTHON_WORDS | {"cute", "min", "max"}, "cute.")


class Term(NamedTuple):
    """An expression and how strongly it holds together."""

    text: str
    level: int


def binary(sign: str, a: Term, b: Term) -> Term:
    """Return `a sign b` with the parentheses it needs, and those around a shift or sum under `&`.

    >>> i, s = Term("i", WHOLE), Term("i + 1", SUM)
    >>> binary("*", s, i).text, binary("-", i, s).text, binary("&", binary(">>", i, i), i).text
    ('(i + 1) * i', 'i - (i + 1)', '(i >> i) & i')
    """
    level = _LEVELS[sign]
    # A shift inside a sum, or a sum inside a shift, is legal without, and misread.
    least = SIGN if sign in ("&", "<<", ">>") else level
    left = _inside(a, PRODUCT if sign in ("<<", ">>") else least)
    return Term(f"{left} {sign} {_inside(b, max(least, level + 1))}", level)


def _inside(term: Term, least: int) -> str:
    return term.text if term.level >= least else f"({term.text})"


def total(parts: list[tuple[bool, Term]]) -> Term:
    """Return the sum of terms, those marked True subtracted; the first one is not.

    >>> total([(False, Term("i", WHOLE)), (True, Term("j", WHOLE))]).text
    'i - j'
    """
    (_, result), *rest = parts
    for negative, term in rest:
        result = binary("-" if negative else "+", result, term)
    return result


def check_name(name: str, dialect: Dialect) -> str:
    """Return a name that the dialect accepts for a variable; InputError for any other."""
    word = isinstance(name, str) and _NAME.match(name)
    if not word or name in dialect.words or (dialect is CUTE and re.match(r"_m?[0-9]*\Z", name)):
        raise InputError(f"{name!r} is not a name for a variable in {dialect.name}", "rename it")
    return name


class Writer:
    """Writes leaves in a dialect, under facts that tell which operands cannot be negative."""

    def __init__(self, dialect: Dialect, known: Entailment) -> None:
        self.dialect = dialect
        self.known = known

    def name(self, name: str) -> Term:
        """Return a variable."""
        return Term(check_name(name, self.dialect), WHOLE)

    def integer(self, value: int) -> Term:
        """Return a number; InputError for one beyond 64 bits where the dialect ends there."""
        if not self.dialect.is_python and abs(value) >= _LIMIT:
            raise InputError(f"the constant {value} does not fit 64 bits", "use a smaller layout")
        return Term(str(value), WHOLE if value >= 0 else SIGN)

    def divided(self, a: Term, b: Term) -> Term:
        """Return the quotient in the dialect's own rounding."""
        return binary(self.dialect.quotient, a, b)

    def leaf(self, leaf: Leaf) -> Term:
        """Return an int or an expression in dims.

        Errors: InputError for what the dialect cannot say; in a strict dialect NotAdmissible or
        Undecided for a rounded quotient whose operands may be negative.

        >>> from symcute.expr.assumptions import dims
        >>> from symcute.solve.entailment import facts
        >>> M, N = dims("M N")
        >>> Writer(C, facts()).leaf(N * (M + 1) / 4 - 2).text
        '(N * (M + 1) - 8) / 4'
        """
        if isinstance(leaf, int):
            return self.integer(leaf)
        num, den = fraction(leaf)
        if isinstance(den, int) and den == 1:
            return self._whole(num)
        return self.divided(self._whole(num), self._whole(den))

    def _whole(self, e: Any) -> Term:
        if isinstance(e, int):
            return self.integer(e)
        if e.op == "dim":
            return self.name(e.args[0])
        if e.op == "+":
            parts = sorted((self._signed(x) for x in ordered_terms(e)), key=lambda p: p[0])
            if parts[0][0]:
                parts[0] = (False, self.negated(parts[0][1]))
            return total(parts)
        if e.op in ("*", "**"):
            return self._product(e)
        if e.op == "Quotient":
            return self.divided(*map(self.leaf, e.args))
        return self._function(e.op, *e.args)

    def negated(self, term: Term) -> Term:
        """Return minus the term."""
        # Parentheses around more than a name: Python's -a // b is not -(a // b).
        return Term(f"-{_inside(term, WHOLE)}", SIGN)

    def _signed(self, e: Any) -> tuple[bool, Term]:
        """Return whether a summand is negative, and it without its sign."""
        front, _ = coefficient(e)
        return (True, self._whole(-e)) if front < 0 else (False, self._whole(e))

    def _product(self, e: Any) -> Term:
        front, rest = coefficient(e)
        if front == -1:
            return self.negated(self._whole(rest))
        factors = [] if front == 1 else [self.integer(int(front))]
        for base, exponent in powers(rest).items():
            if not 1 <= exponent <= 64:
                raise InputError(f"{e} has the power {exponent}", "use powers from 1 to 64")
            factors += [self._whole(base)] * exponent
        result, *others = factors
        for factor in others:
            result = binary("*", result, factor)
        return result

    def _function(self, kind: str, x: Any, y: Any) -> Term:
        a, b = self.leaf(x), self.leaf(y)
        if kind in ("Minimum", "Maximum"):
            return self._choice(kind, a, b)
        if self.dialect.prefix:
            for fact in (le(0, x), le(1, y)):
                where = f"{show_leaf(x)} over {show_leaf(y)} in {self.dialect.name}"
                self.known.require(fact, where)
            if kind == "CeilDiv":
                return Term(f"{self.dialect.prefix}ceil_div({a.text}, {b.text})", WHOLE)
        if not self.dialect.is_python:
            if not (self.known.at_most(0, x) and self.known.at_most(1, y)):
                return _any_sign(kind, _inside(a, PRODUCT), _inside(b, WHOLE))
            if kind == "CeilDiv":
                a = binary("-", binary("+", a, b), Term("1", WHOLE))
                return binary("/", a, b)
        elif kind == "CeilDiv":
            return Term(f"-(-{_inside(a, WHOLE)} // {_inside(b, WHOLE)})", SIGN)
        return self.divided(a, b) if kind == "FloorDiv" else binary("%", a, b)

    def _choice(self, kind: str, a: Term, b: Term) -> Term:
        """Return the smaller or the larger of two."""
        if self.dialect is C:
            left, right = _inside(a, PRODUCT), _inside(b, PRODUCT)
            sign = "<" if kind == "Minimum" else ">"
            return Term(f"({left} {sign} {right} ? {left} : {right})", WHOLE)
        prefix = "" if self.dialect.is_python else self.dialect.prefix
        return Term(f"{prefix}{kind[:3].lower()}({a.text}, {b.text})", WHOLE)


def _any_sign(kind: str, a: str, b: str) -> Term:
    """Return C that rounds as Python does for every combination of signs."""
    if kind == "Modulo":
        return Term(f"({a} % {b} + {b}) % {b}", PRODUCT)
    sign, same = ("-", "!=") if kind == "FloorDiv" else ("+", "==")
    text = f"({a} / {b} {sign} ({a} % {b} != 0 && ({a} < 0) {same} ({b} < 0)))"
    return Term(text, WHOLE)
