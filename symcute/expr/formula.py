"""Formulas over dims: relations between leaves, joined by and, or, not, implies.

A formula is what an assumption says and what a formula claim states. It evaluates itself on integer
dims and prints itself in our grammar; it knows nothing of layouts or solvers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from symcute.errors import InputError, TextError
from symcute.expr.expression import as_leaf, free_dims, read, read_leaf, value_at
from symcute.expr.htuple import Leaf, same_profile, show_leaf
from symcute.expr.leaf import Expression
from symcute.expr.syntax import Node, ungrouped

__all__ = [
    "FALSE",
    "POWERS",
    "TRUE",
    "Formula",
    "all_of",
    "any_of",
    "divides",
    "eq",
    "from_sympy",
    "ge",
    "gt",
    "implies",
    "is_modulo",
    "is_zero",
    "le",
    "lt",
    "ne",
    "negation",
    "not_",
    "pow2",
    "read_formula",
    "remainder",
    "states_power",
]

#: Powers of two are what divides this: sizes fit into 64 bits.
POWERS = 1 << 64

_SIGNS = {"eq": "==", "ne": "!=", "le": "<=", "lt": "<"}


@dataclass(frozen=True, slots=True)
class Formula:
    """A quantifier-free formula.

    `op` is eq, ne, le, lt (two leaves), divides (a | b: a is not 0 and divides b), and, or
    (formulas), not, implies, true or false.
    """

    op: str
    args: tuple[Any, ...] = ()

    def holds(self, dims: Mapping[str, int]) -> bool:
        """Return whether the formula is true at integer dims.

        Errors: InputError when a dim has no value or a quotient is not an integer there.

        >>> eq(4, 2 + 2).holds({})
        True
        """
        op, args = self.op, self.args
        if op in ("true", "false"):
            return op == "true"
        if op == "and":
            return all(f.holds(dims) for f in args)
        if op == "or":
            return any(f.holds(dims) for f in args)
        if op == "not":
            return not args[0].holds(dims)
        if op == "implies":
            return not args[0].holds(dims) or args[1].holds(dims)
        a, b = value_at(args[0], dims), value_at(args[1], dims)
        if op == "divides":
            return a != 0 and b % a == 0
        if op in ("eq", "ne"):
            return (a == b) is (op == "eq")
        return a <= b if op == "le" else a < b

    def dims(self) -> set[str]:
        """Return the names of the dims that occur."""
        found: set[str] = set()
        for x in self.args:
            found |= x.dims() if isinstance(x, Formula) else free_dims(x)
        return found

    def __str__(self) -> str:
        """Return the formula in our grammar."""
        op, args = self.op, self.args
        if op in ("true", "false"):
            return "0==0" if op == "true" else "0==1"
        if op in ("and", "or"):
            return f" {op} ".join(_inside(f) for f in args)
        if op == "not":
            return f"not {_inside(args[0])}"
        if op == "implies":
            return f"{_inside(args[0])} implies {_inside(args[1])}"
        a, b = (show_leaf(x) for x in args)
        return f"{_factor(b)} % {_factor(a)} == 0" if op == "divides" else f"{a} {_SIGNS[op]} {b}"

    def balanced(self) -> Formula:
        """Return the formula as one says it: of numbers added on both sides the rest on one.

        >>> from symcute.expr.assumptions import Assumptions
        >>> print(*(f.balanced() for f in Assumptions.of("P-1 <= M-1 and 2*P+3 < M+1").formulas))
        P <= M 2*P+2 < M
        """
        if self.op in ("and", "or", "not", "implies"):
            return Formula(self.op, tuple(f.balanced() for f in self.args))
        numbers = [_number_in(x) for x in self.args]
        if self.op in ("true", "false", "divides") or min(numbers) * max(numbers) <= 0:
            return self
        least: int = min(numbers, key=abs)
        return Formula(self.op, tuple(x - least for x in self.args))

    def __bool__(self) -> bool:
        """Refuse: a formula is a statement, not an answer."""
        raise TypeError(f"the formula {self} has no truth value; use prove() or .holds(dims)")


def _inside(f: Formula) -> str:
    return f"({f})" if f.op in ("and", "or", "implies", "not") else str(f)


def _number_in(leaf: Any) -> int:
    """Return the number that is added in a sum of dims, 0 elsewhere."""
    added = leaf.args if isinstance(leaf, Expression) and leaf.op == "+" else ()
    return sum(x for x in added if isinstance(x, int))


def _factor(text: str) -> str:
    return text if text.replace("_", "").isalnum() else f"({text})"


TRUE, FALSE = Formula("true"), Formula("false")


def _relation(op: str, a: Any, b: Any) -> Formula:
    return Formula(op, (as_leaf(a, "a formula"), as_leaf(b, "a formula")))


def eq(a: Leaf, b: Leaf) -> Formula:
    """Return `a == b`; of a remainder and 0 that it divides, as text is read.

    >>> from symcute.expr.assumptions import dims
    >>> eq(dims("M") % 4, 0) == divides(4, dims("M"))
    True
    """
    found = _relation("eq", a, b)
    left, right = found.args
    if is_modulo(left) and isinstance(right, int) and right == 0:
        return divides(left.args[1], left.args[0])
    return found


def ne(a: Leaf, b: Leaf) -> Formula:
    """Return `a != b`."""
    return _relation("ne", a, b)


def le(a: Leaf, b: Leaf) -> Formula:
    """Return `a <= b`."""
    return _relation("le", a, b)


def lt(a: Leaf, b: Leaf) -> Formula:
    """Return `a < b`."""
    return _relation("lt", a, b)


def ge(a: Leaf, b: Leaf) -> Formula:
    """Return `a >= b`, written `b <= a`."""
    return _relation("le", b, a)


def gt(a: Leaf, b: Leaf) -> Formula:
    """Return `a > b`, written `b < a`."""
    return _relation("lt", b, a)


def divides(a: Leaf, b: Leaf) -> Formula:
    """Return `a | b`: a is not 0 and b is a multiple of it.

    >>> print(divides(4, 12))
    12 % 4 == 0
    """
    return _relation("divides", a, b)


def pow2(a: Leaf) -> Formula:
    """Return that `a` is a power of two, of at most 2**64: at least 1, and it divides that.

    >>> pow2(8).holds({}), pow2(12).holds({})
    (True, False)
    """
    return all_of(le(1, a), divides(a, POWERS))


def states_power(f: Formula) -> bool:
    """Return whether a formula says of a dim that it is, but for its sign, a power of two."""
    x = f.args[0] if f.op == "divides" and f.args[1] == POWERS else None
    return isinstance(x, Expression) and x.op == "dim"


def all_of(*formulas: Formula) -> Formula:
    """Return the conjunction, without `true` and with nested conjunctions opened."""
    flat: list[Formula] = []
    for f in formulas:
        flat.extend(f.args if f.op == "and" else () if f.op == "true" else (f,))
    if not flat:
        return TRUE
    return flat[0] if len(flat) == 1 else Formula("and", tuple(flat))


def any_of(*formulas: Formula) -> Formula:
    """Return the disjunction."""
    if not formulas:
        return FALSE
    return formulas[0] if len(formulas) == 1 else Formula("or", tuple(formulas))


def not_(f: Formula) -> Formula:
    """Return the negation."""
    return Formula("not", (f,))


def negation(f: Formula) -> Formula:
    """Return the negation, `not` pushed inwards as far as it goes.

    >>> from symcute.expr.assumptions import Assumptions
    >>> print(negation(Assumptions.of("M <= N or M == 3").formulas[0]))
    N < M and M != 3
    """
    op, args = f.op, f.args
    if op in ("le", "lt"):
        return Formula("lt" if op == "le" else "le", (args[1], args[0]))
    if op in ("eq", "ne"):
        return Formula("ne" if op == "eq" else "eq", args)
    if op == "not":
        inner: Formula = args[0]
        return inner
    if op == "and":
        return any_of(*(negation(x) for x in args))
    if op == "or":
        return all_of(*(negation(x) for x in args))
    if op == "implies":
        return all_of(args[0], negation(args[1]))
    if op in ("true", "false"):
        return FALSE if op == "true" else TRUE
    return not_(f)


def implies(a: Formula, b: Formula) -> Formula:
    """Return `a implies b`."""
    return Formula("implies", (a, b))


def from_sympy(relation: Any) -> Formula:
    """Return the formula that a SymPy relation (`LD >= N`, `Eq(M, 4*P)`) states.

    Errors: InputError for a bare bool (SymPy's `==` compares structure and yields one) and for
    anything that is not a relation.
    """
    if isinstance(relation, bool):
        raise InputError(
            f"an assumption is the bare bool {relation}; SymPy's == compares structure",
            'write it as text, "M == 4*P", or as sympy.Eq(M, 4*P)',
        )
    import sympy

    if relation is sympy.true or relation is sympy.false:
        return TRUE if relation is sympy.true else FALSE
    if isinstance(relation, sympy.And):
        return all_of(*(from_sympy(x) for x in relation.args))
    if isinstance(relation, sympy.Or):
        return any_of(*(from_sympy(x) for x in relation.args))
    if isinstance(relation, sympy.Not):
        return not_(from_sympy(relation.args[0]))
    kinds = {
        sympy.Equality: eq,
        sympy.Unequality: ne,
        sympy.LessThan: le,
        sympy.StrictLessThan: lt,
        sympy.GreaterThan: ge,
        sympy.StrictGreaterThan: gt,
    }
    for kind, make in kinds.items():
        if isinstance(relation, kind):
            return make(relation.lhs, relation.rhs)
    raise InputError(
        f"{relation!r} is not an assumption",
        'give a relation such as "LD >= N" or "M % 128 == 0"',
    )


def is_modulo(leaf: Any) -> bool:
    """Return whether a leaf is the remainder of something in dims."""
    return isinstance(leaf, Expression) and leaf.op == "Modulo"


def read_formula(node: Node, text: str, hook: Any) -> Formula:
    """Return the formula a syntax tree states; tuples are equal leaf by leaf.

    Errors: TextError when it is no relation, or a side of a relation is not a number.
    """
    args = [x for x in node.args if isinstance(x, Node)]
    if node.op == "paren":
        return read_formula(args[0], text, hook)
    if node.op in ("and", "or", "not", "implies"):
        parts = [read_formula(x, text, hook) for x in args]
        if node.op == "and":
            return all_of(*parts)
        return any_of(*parts) if node.op == "or" else Formula(node.op, tuple(parts))
    if node.op == "call" and node.args[0] == "pow2" and len(args) == 1:
        return pow2(read_leaf(args[0], text, hook))
    makers = {"eq": eq, "ne": ne, "le": le, "lt": lt, "ge": ge, "gt": gt, "divides": divides}
    if node.op not in makers:
        raise TextError("expected a relation such as LD >= N", text, node.pos)
    divided = remainder(args[0]) if node.op == "eq" and is_zero(args[1]) else ()
    if divided:
        read_leaf(args[0], text, hook)  # refuses a divisor that is the number 0
        b, a = (read_leaf(x, text, hook) for x in divided)
        return divides(a, b)
    if node.op in ("eq", "ne"):
        values = [read(ungrouped(x), text, hook) for x in args]
        if any(isinstance(x, tuple) for x in values):
            same = _equal_tuples(*values)
            return same if node.op == "eq" else not_(same)
    return makers[node.op](*(read_leaf(x, text, hook) for x in args))


def remainder(node: Node) -> tuple[Node, ...]:
    """Return x and c of `x % c` or `mod(x, c)`; nothing for any other tree."""
    node = ungrouped(node)
    if node.op == "mod" or (node.op == "call" and node.args[0] == "mod" and len(node.args) == 3):
        return tuple(x for x in node.args if isinstance(x, Node))
    return ()


def is_zero(node: Node) -> bool:
    """Return whether a tree is the number 0."""
    node = ungrouped(node)
    return node.op == "int" and node.args[0] == 0


def _equal_tuples(a: Any, b: Any) -> Formula:
    if not same_profile(a, b):
        return FALSE
    if isinstance(a, tuple):
        return all_of(*(_equal_tuples(x, y) for x, y in zip(a, b, strict=True)))
    return eq(a, b)
