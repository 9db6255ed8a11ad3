"""Layouts to and from CuTe DSL: its printed layouts in, Python text out.

The DSL prints static integers plainly and run-time ones as `?`, or `?{i64 div=8}` where it knows
their width or a divisor. Nothing of the DSL is imported: a layout is read by its text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from symcute.errors import InputError, TextError
from symcute.expr.assumptions import Given
from symcute.expr.basis import require_integers
from symcute.expr.expression import read_leaf
from symcute.expr.htuple import HTuple, Leaf, show_leaf, transform
from symcute.expr.parser import parse
from symcute.expr.syntax import Node
from symcute.interop.infix import DSL, Writer
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout
from symcute.solve.entailment import facts

__all__ = ["dsl_facts", "from_dsl", "to_dsl"]

_UNNAMED = re.compile(r"\?(?:\{(?P<about>[^{}]*)\})?")
_DIVISOR = re.compile(r"\bdiv=([1-9][0-9]*)")
_TYPE = re.compile(r'\s*!cute\.layout<"(?P<layout>[^"]*)">\s*\Z')
#: What an unnamed integer is called until its name takes its place.
_STAND_IN = "symcute_unnamed_"


def from_dsl(layout: Any, names: Sequence[str] | str = ()) -> Layout:
    """Return the layout that a CuTe DSL layout, or the text it prints, stands for.

    `names` names each `?` from left to right: a dim, or an expression in dims such as `"M*N"`.
    A name may stand more than once, where the same integer does. Divisors that the DSL knows are
    what `dsl_facts` returns.
    Errors: InputError when there are more or fewer names than `?`; TextError for other text.

    >>> print(from_dsl("(4,?):(?{i64 div=8},1)", "M LD"))
    (4,M):(LD,1)
    """
    text, found = _parts(layout)
    named = {f"{_STAND_IN}{k}": x for k, x in enumerate(_leaves(found, names, text))}
    stand_ins = iter(named)
    raw = Layout.parse(_UNNAMED.sub(lambda _: next(stand_ins), text))

    def rename(leaf: Leaf) -> Leaf:
        return named.get(show_leaf(leaf), leaf)

    result = Layout(transform(rename, raw.shape), transform(rename, raw.stride))
    if any(name.startswith(_STAND_IN) for name in result.dims()):
        raise InputError(f"a ? in {text} is no leaf by itself", "give the text that the DSL prints")
    return result


def dsl_facts(layout: Any, names: Sequence[str] | str = ()) -> tuple[str, ...]:
    """Return the divisibility that a DSL layout's text states, as assumptions.

    Errors: as `from_dsl`.

    >>> dsl_facts("(4,?):(?{i64 div=8},1)", "M LD")
    ('LD % 8 == 0',)
    """
    text, found = _parts(layout)
    result = []
    for match, leaf in zip(found, _leaves(found, names, text), strict=True):
        divisor = _DIVISOR.search(match.group("about") or "")
        if divisor and divisor.group(1) != "1":
            left = show_leaf(leaf)
            result.append(f"{left if left.isidentifier() else f'({left})'} % {divisor[1]} == 0")
    return tuple(dict.fromkeys(result))


def _parts(layout: Any) -> tuple[str, list[re.Match[str]]]:
    """Return the printed text and its unnamed integers."""
    text = layout if isinstance(layout, str) else str(layout)
    match = _TYPE.match(text)
    text = match.group("layout") if match else text
    return text, list(_UNNAMED.finditer(text))


def _leaves(found: list[re.Match[str]], names: Sequence[str] | str, text: str) -> list[Leaf]:
    """Return what each unnamed integer is called."""
    words = names.replace(",", " ").split() if isinstance(names, str) else list(names)
    if len(words) != len(found):
        raise InputError(
            f"{text} has {len(found)} unnamed integers and {len(words)} names were given",
            'name each ? from left to right, as in from_dsl(layout, "M N")',
        )

    return [_named(word) for word in words]


def _named(word: str) -> Leaf:
    def refuse(node: Node) -> Any:
        raise TextError("expected a dim, or an expression in dims", word, node.pos)

    return read_leaf(parse(word, what="name"), word, refuse)


def to_dsl(layout: Layout | ComposedLayout, *, given: Given = ()) -> str:
    """Return Python text that makes the layout in CuTe DSL, its dims being variables.

    Errors: InputError for a dim that is a Python keyword, or a coordinate stride; NotAdmissible or
    Undecided for a rounded quotient whose operands may be negative.

    >>> print(to_dsl(Layout.parse("((4),M/4):((M),1)")))
    cute.make_layout(((4,), M // 4), stride=((M,), 1))
    """
    writer = Writer(DSL, facts(given))
    if isinstance(layout, ComposedLayout):
        sw, offset = layout.swizzle, writer.leaf(layout.offset).text
        made = f"cute.make_swizzle({sw.bits}, {sw.base}, {sw.shift})"
        inner = to_dsl(layout.layout, given=given)
        return f"cute.make_composed_layout({made}, {offset}, {inner})"
    if layout.coordinate_strides:
        require_integers(layout.stride, "to_dsl")

    def text(t: HTuple) -> str:
        if not isinstance(t, tuple):
            return writer.leaf(t).text
        inner = ", ".join(text(x) for x in t)
        return f"({inner},)" if len(t) == 1 else f"({inner})"

    return f"cute.make_layout({text(layout.shape)}, stride={text(layout.stride)})"
