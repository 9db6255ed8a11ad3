"""Layouts, expressions and claims as mathematics: in TeX, and in plain signs.

TeX is written from the syntax tree of our own text, so that every dim is a name and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symcute.claims import Claim
from symcute.expr.formula import Formula
from symcute.expr.htuple import show
from symcute.expr.parser import parse
from symcute.expr.syntax import Node
from symcute.hardware.access import Access
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout
from symcute.report.statements import statement

__all__ = ["in_signs", "tex", "tex_of_claim", "tex_of_words"]

_SIGNS = {
    "add": "+", "sub": "-", "div": "/", "floordiv": r"\mathbin{//}", "mod": r"\bmod ",
    "shl": r"\ll ", "shr": r"\gg ", "eq": "=", "ne": r"\neq ", "le": r"\le ", "lt": "<",
    "ge": r"\ge ", "gt": ">", "divides": r"\mid ", "implies": r"\implies ",
}  # fmt: skip
_FUNCTIONS = {
    "ceil_div": r"\lceil %s/%s\rceil ", "floor_div": r"\lfloor %s/%s\rfloor ",
    "mod": r"%s\bmod %s", "composition": r"%s\circ %s",
}  # fmt: skip
_TEXT = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
}  # fmt: skip
#: What writes itself in our grammar; all else is an htuple.
_WRITTEN = (Layout, ComposedLayout, Access, Formula)
#: The signs of statements in TeX.
_COMMANDS = {
    "∀": r"\forall ", "∃!": r"\exists!\,", "∃": r"\exists ", "≠": r"\neq ", "≤": r"\le ",
    "∈": r"\in ", "∣": r"\mid ", "⟹": r"\implies ", "⟺": r"\iff ", ":": r"\colon ", "′": "'",
    "|A|": r"\lvert A\rvert ", "|B|": r"\lvert B\rvert ", "|C|": r"\lvert C\rvert ",
    "|L|": r"\lvert L\rvert ", "|R|": r"\lvert R\rvert ",
}  # fmt: skip


def tex(value: Any) -> str:
    r"""Return a layout, an access, a formula or an htuple as TeX.

    >>> print(tex(Layout.parse("(M,N/4):(LD,1)")))
    (M,N/4):(\mathit{LD},1)
    """
    if isinstance(value, Layout) and value.plain:
        return str(value)
    text = str(value) if isinstance(value, _WRITTEN) else show(value)
    return _tex(parse(text))


def _tex(node: Node) -> str:
    op = node.op
    parts = [_tex(x) if isinstance(x, Node) else str(x) for x in node.args]
    if op in ("int", "name", "text"):
        return _leaf(op, parts[0])
    if op in _SIGNS:
        return f"{parts[0]}{_SIGNS[op]}{parts[1]}"
    if op in ("call", "apply"):
        return _call(parts)
    if op == "mul":
        return f"{parts[0]}{_times(parts[1])}{parts[1]}"
    if op in ("and", "or"):
        return rf"\;\text{{ {op} }}\;".join(parts)
    return {
        "any": r"\_",
        "paren": f"({parts[0]})" if parts else "",
        "tuple": f"({','.join(parts)})",
        "layout": ":".join(parts),
        "keyword": "=".join(parts),
        "basis": "@".join(parts),
        "swizzle": rf"\mathrm{{Sw}}\langle {','.join(parts)}\rangle ",
        "neg": f"-{parts[0]}" if parts else "",
        "not": rf"\lnot {parts[0]}" if parts else "",
        "pow": "^".join(f"{{{x}}}" for x in parts),
    }[op]


def _leaf(op: str, text: str) -> str:
    if op == "text":
        return rf"\text{{{tex_of_words(text)}}}"
    if op == "name" and len(text) > 1:
        return rf"\mathit{{{tex_of_words(text)}}}"
    return text


def _times(right: str) -> str:
    """Return the sign between factors: numbers would run together."""
    return r"\cdot " if right[:1].isdigit() else r"\,"


def _call(parts: list[str]) -> str:
    name, *args = parts
    if name in _FUNCTIONS and len(args) == 2:
        return _FUNCTIONS[name] % tuple(args)
    return rf"\operatorname{{{tex_of_words(name)}}}({','.join(args)})"


def tex_of_words(text: str) -> str:
    r"""Return words as TeX that means nothing else.

    >>> print(tex_of_words("50% of x_1"))
    50\% of x\_1
    """
    return "".join(_TEXT.get(letter, letter) for letter in text)


def tex_of_claim(claim: Claim) -> str:
    r"""Return what a claim says, as TeX: a formula, and what its letters stand for.

    >>> from symcute import Injective
    >>> print(tex_of_claim(Injective(Layout.parse("(M,N):(LD,1)"))))
    \forall c\neq c'\colon L(c)\neq L(c')\quad\text{where }L=(M,N):(\mathit{LD},1)
    """
    said = statement(claim)
    if said is None:
        return rf"\text{{{tex_of_words(claim.words())}}}"
    formula = said.formula.replace(" ", "")
    for sign, command in _COMMANDS.items():
        formula = formula.replace(sign, command)
    formula = _filled(formula, {name: tex(value) for name, value in said.values.items()})
    where = r",\;".join(f"{x.replace('′', chr(39))}={tex(v)}" for x, v in said.letters.items())
    return rf"{formula}\quad\text{{where }}{where}" if where else formula


def in_signs(claim: Claim) -> str:
    """Return what a claim says, in signs; an empty text where words say it better.

    >>> from symcute import Injective
    >>> in_signs(Injective(Layout(8)))
    '∀ c ≠ c′: L(c) ≠ L(c′), where L = 8:1'
    """
    said = statement(claim)
    if said is None:
        return ""
    formula = _filled(said.formula, {name: _shown(value) for name, value in said.values.items()})
    where = ", ".join(f"{name} = {value}" for name, value in said.letters.items())
    return f"{formula}, where {where}" if where else formula


def _filled(formula: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        formula = formula.replace(f"«{name}»", value)
    return formula


def _shown(value: Any) -> str:
    return str(value) if isinstance(value, Formula) else show(value)
