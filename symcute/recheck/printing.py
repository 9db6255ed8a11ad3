"""How values print: numbers, sums of products of dims, quotients, tuples, layouts and swizzles.

Terms stand in lexicographic order of their powers, factors in that of their names, numbers first;
`-d*s+e`, `8*LD`, `(M+1)/2`, `M/(2*N)`; of two terms a positive number stands before a negative
multiple of one factor, `1-N`. A product or power of sums prints as it was made, so that it
has no one form: what it prints as is not known here.
"""

from __future__ import annotations

import re

from symcute.checker.poly import ONE, Poly, combine, constant, mul, power, variable
from symcute.checker.poly import value as number
from symcute.checker.swizzle import fields_of
from symcute.checker.terms import ATOMS, Node, Refused, lit
from symcute.checker.values import number as at
from symcute.recheck import forms
from symcute.recheck.division import integral, lowest, over_integers, reduced
from symcute.recheck.text import leaf, names, parse, strip

_CLAIM = re.compile(r'prints_as\((.*), "([^"\n]*)"\)', re.DOTALL)
#: A stride of coordinates such as 1@0, M@1@0, and the names that stand for them.
_STRIDE, _MARK = re.compile("(?:[1-9][0-9]*|[A-Za-z_][A-Za-z0-9_]*)(?:@[0-9]+)+"), "stride__"
_NAMED = "of_dim_"
#: A coordinate that is left open.
_ALL, _OPEN = re.compile("([(,] *)_(?= *[,)])"), "open__"
_SWIZZLE = re.compile("Sw<([0-9]{1,3}),([0-9]{1,3}),(-?[0-9]{1,3})>")


class Unknown(Refused):
    """What a value prints as is not known here."""


def said(claim: str) -> tuple[str, str]:
    """Return the value and the text of which a claim says that it prints so."""
    match = _CLAIM.fullmatch(claim)
    if match is None:
        raise Refused(f"cannot read {claim[:60]!r}")
    return match[1], match[2]


def printed(text: str) -> str:
    """Return what a value prints as.

    Errors: Unknown for one of which that is not known; Refused for what is no value.
    """
    # Strides of coordinates, 1@0, are read as dims that no text names.
    strides: list[str] = []

    def named(match: re.Match[str]) -> str:
        strides.append(match[0])
        return f"{_MARK}{'' if match[0][0].isdigit() else _NAMED}{len(strides)}"

    plain = _ALL.sub(rf"\1{_OPEN}", _STRIDE.sub(named, text))
    if _MARK in text or _OPEN in text or "@" in plain:
        raise Unknown("a stride of coordinates")
    try:
        found = _tree(parse(plain))
    except Unknown:
        raise
    except Refused:
        # A swizzle by itself, or one of which a layout takes what comes after it.
        *before, last = plain.split(" o ")
        match = _SWIZZLE.fullmatch(last)
        if match is None or len(before) not in (0, 2):
            raise
        found = "Sw<{},{},{}>".format(*fields_of([int(x) for x in match.groups()]))
        if before:
            layout, offset = map(parse, before)
            found = f"{_layout(layout)} o {_leaf(leaf(offset))} o {found}"
    found = found.replace(_OPEN, "_")
    return re.sub(f"{_MARK}(?:{_NAMED})?([0-9]+)", lambda m: strides[int(m[1]) - 1], found)


def _tree(node: Node) -> str:
    op, args = node.op, node.args
    if op in ("paren", "tuple"):
        return f"({','.join(map(_tree, args))})"
    if op == "layout":
        return _layout(node)
    if op == "swizzled":
        bits, base, shift = fields_of(list(args[:3]))
        return f"Sw<{bits},{base},{shift}> o {_leaf(leaf(args[3]))} o {_layout(args[4])}"
    x = leaf(node)
    if x.op != "dim" and _OPEN in names(x):
        raise Refused("_ is no expression")
    return _leaf(x)


def _layout(node: Node) -> str:
    """Print a layout; a shape that stands for one has the strides of its columns."""
    node = forms.layout(node)
    if node.op != "layout" or _OPEN in names(node):
        raise Refused("it is no layout")
    shape, stride = forms.sides(node)
    if not forms.congruent(shape, stride):
        raise Refused("its shape and stride differ in their hierarchy")
    if any(s.op == "int" and s.args[0] < 1 for s in forms.flat(shape)):
        raise Refused("an extent is below 1")
    if any(n.startswith(_MARK) for s in forms.flat(shape) for n in names(s)):
        raise Refused("an extent is no number")
    left, right = node.args
    if (left.op == "paren") != (right.op == "paren"):
        left, right = strip(left), strip(right)
    return f"{_tree(left)}:{_tree(right)}"


def _leaf(x: Node) -> str:
    coordinates = [n for n in names(x) if n.startswith(_MARK)]
    inner = x.args[0] if x.op == "neg" and _NAMED not in str(coordinates) else x
    if coordinates and inner.op != "dim":
        raise Unknown("arithmetic of strides of coordinates")
    p, d = lowest(*over_integers(*_ratio(x)))
    if d == ONE:
        return _sum(p)
    if number(p) is not None and number(d) is not None:
        raise Refused("a quotient is no integer")
    top, bottom = _sum(p), _sum(d)
    top = f"({top})" if len(p) > 1 else top
    return f"{top}/{bottom}" if bottom.isalnum() else f"{top}/({bottom})"


def _ratio(x: Node) -> tuple[Poly, Poly]:
    """Return a leaf over a divisor of one term."""
    op, args = x.op, x.args
    if op == "int":
        return constant(args[0]), ONE
    if op == "dim":
        return variable(args[0]), ONE
    if op in ATOMS:
        a, b = (_ratio(y) for y in args)
        if op not in ("min", "max") and number(b[0]) == 0:
            raise Refused("a division by 0")
        values = [number(p) for p, d in (a, b) if d == ONE]
        if len(values) == 2 and None not in values:
            return constant(at(Node(op, tuple(lit(int(c or 0)) for c in values)), {})), ONE
        return variable(f"{op}({_leaf(args[0])},{_leaf(args[1])})"), ONE
    (p, d), (q, e) = _ratio(args[0]), _ratio(args[1]) if len(args) > 1 else (ONE, ONE)
    if op == "neg":
        return combine({}, p, -1), d
    if op in ("add", "sub"):
        if number(d) is None or number(e) is None:
            raise Unknown("a sum of quotients")
        return reduced(combine(mul(p, e), mul(d, q), 1 if op == "add" else -1), mul(d, e))
    if op == "pow":
        k = args[1].args[0]
        if len(p) > 1 and k != 1:
            raise Unknown("a power of a sum")
        return power(p, k), power(d, k)
    below = mul(_below(p, d), _below(q, e) if op == "mul" else over_integers(q, e)[0])
    if op == "div":
        q, e = e, q
    for one, other in ((p, q), (q, p), (p, e), (d, e), (e, d)):
        if len(one) > 1 and number(other) is None:
            raise Unknown("a product of sums")
    found = reduced(mul(p, q), mul(d, e))
    if all(number(y) is not None for y in (p, q, d, e)):
        if op == "div" and found[1] == ONE and not integral(found[0]):
            raise Refused("a quotient is no integer")
    elif found[0] and _below(*found) != below:
        raise Unknown("a quotient that cancels")
    return found


def _below(p: Poly, d: Poly) -> Poly:
    """Return what stands below the line."""
    return lowest(*over_integers(p, d))[1]


def _sum(p: Poly) -> str:
    """Return a sum of terms as text."""
    atoms = {v for m in p for v, _ in m if "(" in v}
    if len(atoms) > 1:
        raise Unknown("a sum of several functions")
    variables = sorted({v for m in p for v, _ in m}, key=_rank)

    def powers(m: tuple[tuple[str, int], ...]) -> list[int]:
        return [-dict(m).get(v, 0) for v in variables]

    text, order = "", sorted(p, key=powers)
    if len(p) == 2 and len(order[0]) == 1 and p[order[0]] < 0 < p.get((), 0):
        order.reverse()  # 1-N
    for m in order:
        factors = [v if e == 1 else f"{v}**{e}" for v, e in sorted(m, key=lambda x: _rank(x[0]))]
        c = int(p[m])
        if abs(c) != 1 or not factors:
            factors.insert(0, str(abs(c)))
        text += ("-" if c < 0 else "+" if text else "") + "*".join(factors)
    return text or "0"


def _rank(name: str) -> tuple[bool, str]:
    """Put functions behind dims."""
    return "(" in name, name
