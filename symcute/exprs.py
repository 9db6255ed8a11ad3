"""Leaf arithmetic that stays in plain ints when it can, and reads arithmetic out of a syntax tree.

`+`, `-` and `*` need no help: Python and SymPy do them. Division does, because it must be exact, or
rounded in a stated direction. NumPy arrays pass through unchanged.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from symcute.basis import ArithmeticTuple, ScaledBasis
from symcute.errors import InputError, TextError
from symcute.htuple import HTuple, Leaf
from symcute.poly import Ratio, evaluate_ratio, lower, names_in
from symcute.text import Node

__all__ = [
    "FUNCTIONS",
    "as_leaf",
    "ceil_div",
    "divisors_of",
    "exact_div",
    "floor_div",
    "free_dims",
    "is_symbolic",
    "maximum",
    "minimum",
    "mod",
    "read",
    "value_at",
]

#: The largest exponent, and the largest result in bits, that text may ask for.
MAX_EXPONENT = 64
MAX_BITS = 4096


def is_symbolic(leaf: Any) -> bool:
    """Return whether a leaf is a SymPy expression (asked without importing SymPy)."""
    return hasattr(leaf, "free_symbols")


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
    if is_symbolic(value):
        from symcute.symbols import check_leaf

        leaf: Leaf = check_leaf(value, where)
        return leaf
    if not isinstance(value, bool):
        try:
            return operator.index(value)
        except TypeError:
            pass
    raise InputError(
        f"{value!r} in {where} is a {type(value).__name__}, not an integer",
        "leaves are ints or expressions in dims",
    )


def _binary(name: str, on_ints: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def function(a: Any, b: Any) -> Any:
        if type(a) is int and type(b) is int:
            return on_ints(a, b)
        if is_symbolic(a) or is_symbolic(b):
            from symcute import symbols

            result = getattr(symbols, name)(a, b)
            return int(result) if result.is_Integer else result
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
    """Return `a / b`, which the caller knows to be an integer.

    Errors: InputError when both are ints and `b` does not divide `a`, and for a dim divided by 0.

    >>> exact_div(12, 4)
    3
    """
    if isinstance(a, int) and isinstance(b, int):
        quotient, rest = divmod(a, b)
        if rest:
            raise InputError(f"{a}/{b} is not an integer", "use // or ceil_div to round")
        return quotient
    if isinstance(b, int) and b == 1:
        return a
    if b == 0:
        raise InputError(f"{a} is divided by 0", "give a divisor of at least 1")
    if a is b or a == b:
        return 1
    result: Any = a / b
    return int(result) if result.is_Integer else result


def free_dims(leaf: Any) -> set[str]:
    """Return the names of the dims in a leaf.

    >>> free_dims(3)
    set()
    """
    if isinstance(leaf, Ratio):
        return names_in(leaf)
    if not is_symbolic(leaf):
        return set()
    return set(_names(leaf))


@lru_cache(maxsize=65536)
def _names(leaf: Any) -> frozenset[str]:
    return frozenset(s.name for s in leaf.free_symbols)


def divisors_of(leaf: Any) -> Iterator[Any]:
    """Yield what a leaf divides by exactly, `x` for every `1/x` that is not a number.

    >>> list(divisors_of(3))
    []
    """
    if is_symbolic(leaf):
        if leaf.is_Pow and leaf.exp.is_negative:
            yield leaf.base
        for x in leaf.args:
            yield from divisors_of(x)


def value_at(leaf: Any, dims: Mapping[str, int]) -> int:
    """Return the integer that a leaf is at the given dims; exact at any size.

    Errors: InputError when a dim has no value, or a quotient is not an integer there.
    """
    if isinstance(leaf, int):
        return leaf
    return evaluate_ratio(lower(leaf), dims)


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
    "div": exact_div,
    "floordiv": floor_div,
    "mod": mod,
    "pow": _power,
    "shl": _shift,
    "shr": lambda a, b: floor_div(a, _shift(1, b)),
}

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
        from symcute.symbols import symbol

        return symbol(str(node.args[0]))
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
        operand = read_term if node.op in LINEAR else read_leaf
        operands = [operand(_node(x), text, hook) for x in node.args]
        return _apply(OPERATORS[node.op], operands, node, text)
    if node.op == "call" and node.args[0] in FUNCTIONS:
        operands = [read_leaf(_node(x), text, hook) for x in node.args[1:]]
        return _apply(FUNCTIONS[str(node.args[0])], operands, node, text)
    return hook(node)


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


def _apply(function: Callable[..., Any], operands: list[Any], node: Node, text: str) -> Any:
    try:
        result = function(*operands)
    except TypeError as error:
        raise TextError(f"wrong number of arguments ({error})", text, node.pos) from None
    except ZeroDivisionError:
        raise TextError("division by 0", text, node.pos, "give a divisor of at least 1") from None
    except InputError as error:
        raise TextError(error.what, text, node.pos, error.fix) from None
    if isinstance(result, (ScaledBasis, ArithmeticTuple)):
        return result
    if isinstance(result, int) and result.bit_length() > MAX_BITS:
        raise TextError(f"a number of more than {MAX_BITS} bits", text, node.pos)
    if not isinstance(result, int) and result.is_Integer:
        return int(result)
    leaf: Leaf = result
    return leaf
