"""Leaf arithmetic that stays in plain ints when it can, and reads arithmetic out of a syntax tree.

`+`, `-` and `*` need no help. Division does, because it must be exact, or rounded in a stated
direction. NumPy arrays pass through unchanged.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any

from symcute.errors import InputError, TextError
from symcute.expr.arguments import kind, shown
from symcute.expr.basis import ArithmeticTuple, ScaledBasis
from symcute.expr.htuple import HTuple, Leaf
from symcute.expr.leaf import Expression, dim, fraction, inert, rebuilt
from symcute.expr.lowering import lower
from symcute.expr.order import coefficient, powers
from symcute.expr.polynomial import ONE, variables
from symcute.expr.ratio import ATOMS, Ratio, evaluate_ratio, names_in
from symcute.expr.syntax import Node
from symcute.expr.unparse import unparse

__all__ = [
    "FUNCTIONS",
    "NO_DIMS",
    "as_leaf",
    "ceil_div",
    "divided",
    "exact_div",
    "floor_div",
    "free_dims",
    "is_symbolic",
    "maximum",
    "minimum",
    "mod",
    "read",
    "unrounded",
    "value_at",
    "with_values",
]

#: The largest exponent, and the largest result in bits, that text may ask for.
MAX_EXPONENT = 64
MAX_BITS = 4096


def is_symbolic(leaf: Any) -> bool:
    """Return whether a value is an expression in dims, ours or SymPy's."""
    if type(leaf) is int:
        return False
    return isinstance(leaf, Expression) or hasattr(type(leaf), "free_symbols")


def as_leaf(value: Any, where: str = "a layout") -> Leaf:
    """Return `value` as an int or an integer expression in dims.

    Errors: InputError for a bool, a float, text, or an expression that is not an integer.

    >>> as_leaf(4)
    4
    >>> as_leaf(2.5)
    Traceback (most recent call last):
    symcute.errors.InputError: 2.5 in a layout is a float, not an integer; ...
    """
    if type(value) is int or isinstance(value, Ratio):
        return value
    if isinstance(value, Expression):
        if _is_broken(value):
            raise InputError(f"{value} in {where} is not an integer", "use ints and dims")
        return value
    if is_symbolic(value):
        from symcute.expr.sympy_values import from_sympy

        leaf: Leaf = from_sympy(value, where)
        return leaf
    if not isinstance(value, bool):
        try:
            return operator.index(value)
        except TypeError:
            pass
    raise InputError(
        f"{shown(value)} in {where} is {kind(value)}, not an integer",
        "leaves are ints or expressions in dims",
    )


@lru_cache(maxsize=65536)
def _is_broken(leaf: Expression) -> bool:
    """Return whether an expression is an integer nowhere: it ends in a fraction, and no other."""
    if leaf.op != "+":
        return leaf.op == "/"
    *others, last = map(coefficient, leaf.args)
    return (
        last[1] == 1
        and last[0].denominator > 1
        and all(front.denominator == 1 and min(powers(rest).values()) > 0 for front, rest in others)
    )


def _binary(name: str, on_ints: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def function(a: Any, b: Any) -> Any:
        if type(a) is int and type(b) is int:
            return on_ints(a, b)
        if is_symbolic(a) or is_symbolic(b):
            return inert(name, as_leaf(a, "an expression"), as_leaf(b, "an expression"))
        try:
            return on_ints(a, b)
        except TypeError:
            raise InputError(
                f"{a!r} and {b!r} are no numbers", "give integers or expressions in dims"
            ) from None

    return function


floor_div = _binary("FloorDiv", lambda a, b: a // b)
"""Return `a // b`, rounded down; with dims it stays as it is written."""
#: `a / b` rounded up.
ceil_div = _binary("CeilDiv", lambda a, b: -(-a // b))
mod = _binary("Modulo", lambda a, b: a % b)
"""Return the remainder of `a` by `b`; with dims it stays as it is written."""
#: The smaller; the larger.
minimum = _binary("Minimum", min)
maximum = _binary("Maximum", max)


def exact_div(a: Leaf, b: Leaf) -> Leaf:
    """Return `a / b`, which has to be an integer for what it stands in to have a value.

    With dims it stays as it is written: nothing cancels it.
    Errors: InputError when both are ints and `b` does not divide `a`, and for a division by 0.

    >>> from symcute.expr.assumptions import dims
    >>> exact_div(12, 4), exact_div(dims("M"), 4) * 4
    (3, 4*(M/4))
    """
    if isinstance(a, int) and isinstance(b, int):
        quotient, rest = divmod(a, b)
        if rest:
            raise InputError(f"{a}/{b} is not an integer", "use // or ceil_div to round")
        return quotient
    result: Leaf = inert("Quotient", as_leaf(a, "a quotient"), as_leaf(b, "a quotient"))
    return result


def divided(a: Leaf, b: Leaf) -> Leaf:
    """Return `a / b`, which the caller knows to be an integer: what can be cancelled is.

    Errors: as `exact_div`.
    """
    if isinstance(a, int) and isinstance(b, int):
        return exact_div(a, b)
    if isinstance(b, int) and b == 1:
        return a
    if b == 0:
        raise InputError(f"{a} is divided by 0", "give a divisor of at least 1")
    if a is b or a == b:
        return 1
    result: Any = a / b
    return result


def unrounded(leaf: Leaf, divides: Callable[[Any, Any], bool]) -> Leaf:
    """Return a leaf in which `//`, `ceil_div` and `%` are gone where `divides(divisor, dividend)`.

    Pre-conditions: `divides` says so only of what divides in every instance.

    >>> from symcute.expr.assumptions import dims
    >>> unrounded(ceil_div(dims("N"), 16), lambda b, a: b == 16)
    N/16
    """
    if not isinstance(leaf, Expression) or leaf.op == "dim":
        return leaf
    found = rebuilt(leaf, [unrounded(x, divides) for x in leaf.args])
    if not isinstance(found, Expression) or found.op not in _DIVISIONS:
        return found
    a, b = found.args
    if not divides(b, a):
        return found
    return 0 if found.op == "Modulo" else divided(a, b)


def with_values(leaf: Leaf, values: Mapping[str, int]) -> Leaf:
    """Return a leaf with numbers for some of its dims.

    >>> from symcute.expr.assumptions import dims
    >>> with_values(dims("M") * (dims("N") + 1), {"N": 3})
    4*M
    """
    if not isinstance(leaf, Expression):
        return leaf
    if leaf.op == "dim":
        return values.get(leaf.args[0], leaf)
    return rebuilt(leaf, [with_values(x, values) for x in leaf.args])


_DIVISIONS = ("FloorDiv", "CeilDiv", "Modulo", "Quotient")


def free_dims(leaf: Any) -> set[str]:
    """Return the names of the dims in a leaf.

    >>> free_dims(3)
    set()
    """
    if isinstance(leaf, Ratio):
        return names_in(leaf)
    return set(leaf.names) if isinstance(leaf, Expression) else set()


#: What `at` takes where every dim has its value by name.
NO_DIMS: Mapping[str, int] = MappingProxyType({})


def value_at(leaf: Any, dims: Mapping[str, int]) -> int:
    """Return the integer that a leaf is at the given dims; exact at any size.

    Errors: InputError when a dim has no value, or a quotient is not an integer there.
    """
    if isinstance(leaf, int):
        return leaf
    for quotient in _quotients(leaf):
        evaluate_ratio(lower(quotient), dims)
    return evaluate_ratio(lower(leaf), dims)


@lru_cache(maxsize=65536)
def _quotients(leaf: Any) -> tuple[Expression, ...]:
    """Return the quotients inside a leaf: what is around one may have a value where it has none."""
    if not isinstance(leaf, Expression) or leaf.op == "dim":
        return ()
    parts = [x for x in leaf.args if isinstance(x, Expression)]
    found = [*(q for x in parts for q in _quotients(x)), *(x for x in parts if x.op == "Quotient")]
    return tuple(dict.fromkeys(found))


def _power(a: Leaf, b: Leaf) -> Leaf:
    if not isinstance(b, int) or not 0 <= b <= MAX_EXPONENT:
        raise InputError(
            f"the exponent {b} is not a number from 0 to {MAX_EXPONENT}",
            "write the power out, or use a smaller one",
        )
    result: Leaf = a**b
    return result


def _shift(a: Leaf, b: Leaf) -> Leaf:
    if not isinstance(b, int) or not 0 <= b <= MAX_BITS:
        raise InputError(f"the shift {b} is not a number from 0 to {MAX_BITS}", "use * or /")
    return a * 2**b


#: Operators of the grammar on leaves.
OPERATORS: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "neg": lambda a: -a,
    "div": divided,
    "floordiv": floor_div,
    "mod": mod,
    "pow": _power,
    "shl": _shift,
    "shr": lambda a, b: floor_div(a, _shift(1, b)),
}

#: Operators whose right side is a number, not an expression that only comes to one.
_COUNTED = {
    "pow": ("exponent", MAX_EXPONENT), "shl": ("shift", MAX_BITS), "shr": ("shift", MAX_BITS)
}  # fmt: skip

#: The operators that make sense on coordinates.
LINEAR = frozenset({"add", "sub", "mul", "neg"})

#: Functions of the grammar on leaves.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "ceil_div": ceil_div,
    "floor_div": floor_div,
    "mod": mod,
    "min": minimum,
    "max": maximum,
}

Hook = Callable[[Node], Any]


def read(node: Node, text: str, hook: Hook) -> HTuple:
    """Return the htuple a syntax tree stands for: numbers, dims, arithmetic and tuples.

    `hook` is called for every other construct (a call, a layout, a relation).
    Errors: TextError with the place.
    """
    if node.op == "int":
        return node.args[0]
    if node.op == "name":
        return dim(str(node.args[0]))
    if node.op == "any":
        return None
    if node.op == "tuple":
        return tuple(read(x, text, hook) for x in node.args if isinstance(x, Node))
    if node.op == "paren":
        # `(8)` standing alone is CuTe's rank-1 tuple; under an operator it only groups.
        item = read(_node(node.args[0]), text, hook)
        return (item,) if item is None or _is_htuple(item) else item
    if node.op == "basis":
        value, *modes = node.args
        path = [m for m in reversed(modes) if isinstance(m, int)]
        return ScaledBasis(read_leaf(_node(value), text, hook), path)
    if node.op in OPERATORS:
        if node.op in _COUNTED and _speaks(_node(node.args[1])):
            what, most = _COUNTED[node.op]
            said = f"the {what} {unparse(_node(node.args[1]))} is not a number from 0 to {most}"
            raise TextError(said, text, node.pos, "write a number")
        operand = read_term if node.op in LINEAR else read_leaf
        operands = [operand(_node(x), text, hook) for x in node.args]
        function = OPERATORS[node.op]
        if node.op in _SIMPLIFIED:
            function = partial(_kept, node.op)
        return _apply(function, operands, node, text)
    if node.op == "call" and node.args[0] in FUNCTIONS:
        name, count = str(node.args[0]), len(node.args) - 1
        if count != 2:
            what = f"{name} got {count} argument{'' if count == 1 else 's'}"
            once = f"{name}(a,b)"
            more = count > 2 and name in ("min", "max")
            fix = f"write {name}({once},c)" if more else f"write {once}"
            raise TextError(what, text, node.pos, fix)
        operands = [read_leaf(_node(x), text, hook) for x in node.args[1:]]
        return _apply(FUNCTIONS[name], operands, node, text)
    return hook(node)


def _speaks(node: Node) -> bool:
    """Return whether a dim stands in arithmetic, but for what a rank or a size is computed from."""
    if node.op == "call" and node.args[0] not in FUNCTIONS:
        return False
    return node.op == "name" or any(_speaks(x) for x in node.args if isinstance(x, Node))


def read_leaf(node: Node, text: str, hook: Hook) -> Leaf:
    """Return the leaf a syntax tree stands for; parentheses only group."""
    value = read_term(node, text, hook)
    if isinstance(value, (ScaledBasis, ArithmeticTuple)):
        raise TextError(
            "expected a number, not a coordinate", text, node.pos, "write an integer or a dim"
        )
    leaf: Leaf = value
    return leaf


def read_term(node: Node, text: str, hook: Hook) -> Any:
    """Return the leaf or the coordinate a syntax tree stands for; parentheses only group."""
    while node.op == "paren":
        node = _node(node.args[0])
    value = read(node, text, hook)
    if isinstance(value, (ScaledBasis, ArithmeticTuple)):
        return value
    if isinstance(value, bool) or not (isinstance(value, int) or is_symbolic(value)):
        raise TextError(
            "expected a number or an expression in dims", text, node.pos, "write such as 4 or M*N"
        )
    return value


def _node(x: Any) -> Node:
    if not isinstance(x, Node):
        raise TypeError(f"expected a syntax tree, got {x!r}")
    return x


def _is_htuple(x: Any) -> bool:
    return isinstance(x, (int, tuple, ScaledBasis)) or is_symbolic(x)


#: Operators that cancel.
_SIMPLIFIED = ("add", "sub", "mul", "neg", "pow", "shl", "div")


def _kept(op: str, *operands: Any) -> Any:
    """Return what an operator makes of operands; a quotient that it would cancel, `4*(N/4)`, stays
    as it is written.
    """
    result = OPERATORS[op](*operands)
    below = [_fraction(x) for x in operands]
    if op == "div" and is_symbolic(operands[0] + operands[1]):
        below[1] = below[1][::-1]
    whole = _fraction(result)[1]
    if all(_contains(whole, den) for _, den in below if not _is_one(den)):
        return result
    if op == "div":
        return result if _is_multiple(*operands) else exact_div(*operands)
    kept = [x if _is_one(den) else exact_div(num, den)
            for x, (num, den) in zip(operands, below, strict=True)]  # fmt: skip
    return OPERATORS[op](*kept)


def _is_multiple(a: Leaf, b: Leaf) -> bool:
    """Return whether b is a number times dims, and a multiple of it whatever the dims are."""
    p, q = lower(a), lower(b)
    plain = p.den == q.den == ONE and len(q.num) == 1 and ATOMS.keys().isdisjoint(variables(q.num))
    return plain and (p / q).den == ONE


def _contains(whole: Any, den: Any) -> bool:
    if isinstance(whole, int) and isinstance(den, int):
        return whole % den == 0
    return _is_one(_fraction(whole / den)[1])


def _is_one(den: Any) -> bool:
    return isinstance(den, int) and den == 1


def _fraction(leaf: Any) -> tuple[Any, Any]:
    """Return a leaf as numerator and denominator, 1 where nothing is divided."""
    return fraction(leaf) if _has_quotient(leaf) else (leaf, 1)


def _has_quotient(leaf: Any) -> bool:
    if not isinstance(leaf, Expression):
        return False
    if leaf.op in ("+", "*"):
        return any(map(_has_quotient, leaf.args))
    return leaf.op == "/" or (leaf.op == "**" and leaf.args[1] < 0)


def _apply(function: Callable[..., Any], operands: list[Any], node: Node, text: str) -> Any:
    try:
        result = function(*operands)
    except ZeroDivisionError:
        raise TextError("division by 0", text, node.pos, "give a divisor of at least 1") from None
    except InputError as error:
        raise TextError(error.what, text, node.pos, error.fix) from None
    if isinstance(result, (ScaledBasis, ArithmeticTuple)):
        return result
    if isinstance(result, int) and result.bit_length() > MAX_BITS:
        raise TextError(f"a number of more than {MAX_BITS} bits", text, node.pos)
    leaf: Leaf = result
    return leaf
