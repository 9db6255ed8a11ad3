"""Terms: integers and truths, built with what is certain folded, and what is asked of them."""

from symcute.expr.node import names
from symcute.expr.terms.integers import (
    add,
    bit_and,
    bit_or,
    bit_xor,
    divide,
    maximum,
    minimum,
    mul,
    remainder,
    shift_left,
    shift_right,
    sub,
)
from symcute.expr.terms.reading import build, evaluate, size, substitute
from symcute.expr.terms.sums import Polynomial, difference, from_polynomial, polynomial
from symcute.expr.terms.truths import (
    all_of,
    any_of,
    at_most,
    equal,
    if_,
    if_truth,
    is_truth,
    less,
    negate,
    number_of,
    unequal,
)
from symcute.expr.terms.writing import show

__all__ = [
    "Polynomial",
    "add",
    "all_of",
    "any_of",
    "at_most",
    "bit_and",
    "bit_or",
    "bit_xor",
    "build",
    "difference",
    "divide",
    "equal",
    "evaluate",
    "from_polynomial",
    "if_",
    "if_truth",
    "is_truth",
    "less",
    "maximum",
    "minimum",
    "mul",
    "names",
    "negate",
    "number_of",
    "polynomial",
    "remainder",
    "shift_left",
    "shift_right",
    "show",
    "size",
    "sub",
    "substitute",
    "unequal",
]
