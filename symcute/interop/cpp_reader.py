"""Reads CuTe C++ text: one method for each thing the text may hold.

Source: cute/layout.hpp (make_layout, Layout), cute/numeric/integral_constant.hpp (Int, C; `_4`,
`_m1`; printed: `_4`, `_-1`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from symcute.errors import InputError, TextError
from symcute.expr.assumptions import dims
from symcute.expr.expression import ceil_div, divided, floor_div, maximum, minimum, mod
from symcute.expr.formula import divides, le
from symcute.expr.htuple import HTuple, Leaf, show_leaf
from symcute.interop.tokens import Token, TokenReader
from symcute.layout.layout import Layout, make_layout
from symcute.layout.shape_stride import compact_col_major
from symcute.solve.entailment import Entailment

__all__ = ["Reader"]

#: Brackets open at one place, operators in a text, characters of an integer.
MAX_NESTING, MAX_OPERATORS, MAX_DIGITS = 32, 200, 40

#: Names are without the namespaces of CuTe and C++.
_TOKEN = re.compile(
    r"""
      (?P<SPACE>  \s+ | //[^\n]* | /\*.*?\*/ )
    | (?: (?:::)? cute:: )? (?P<STATIC> _[m-]?[0-9]+ (?!\w) )
    | (?P<NUMBER> (?: 0[xX][0-9a-fA-F]+ | [0-9]+ (?:'[0-9]+)* ) (?: [uUlL]{1,3} | _c )? (?!\w) )
    | (?: (?:::)? (?:cute|std):: (?=[A-Za-z_]) )?
      (?P<NAME>   (?:::)? [A-Za-z_]\w* (?: ::[A-Za-z_]\w* )* )
    | (?P<SIGN>   [-+*/%<>(){},:;=] )
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_SHAPES = ("make_shape", "make_stride", "make_tuple")
_SHAPE_TYPES = ("Shape", "Stride", "tuple")
_COLUMN_MAJOR, _ROW_MAJOR = ("LayoutLeft", "GenColMajor"), ("LayoutRight", "GenRowMajor")
_UNNAMED = (
    "int", "long", "unsigned", "size_t", "ptrdiff_t", "int32_t", "int64_t", "uint32_t", "uint64_t",
)  # fmt: skip
_FUNCTIONS: dict[str, Callable[..., Any]] = {"ceil_div": ceil_div, "min": minimum, "max": maximum}


class Reader(TokenReader):
    """Reads one text; `layout()` is its only door."""

    def __init__(self, text: str, known: Entailment, names: tuple[str, ...]) -> None:
        super().__init__(text, _TOKEN, "C++", "name the integer before, and use that")
        self.known, self.names = known, names
        self.unnamed = self.nesting = self.operators = 0

    def layout(self) -> Layout:
        """Return the layout of the whole text; TextError where it is not understood."""
        self._declaration()
        result = self._layout()
        self._take(";")
        if self._here.kind != "END":
            self._refuse("expected the end of the layout")
        if self.unnamed != len(self.names):
            raise InputError(
                f"the text has {self.unnamed} unnamed integers, {len(self.names)} names were given",
                "name each int from left to right, and nothing else",
            )
        return result

    # --- tokens ------------------------------------------------------------------------------

    @property
    def _next(self) -> Token:
        return self.tokens[min(self.place + 1, len(self.tokens) - 1)]

    def _opened(self, kind: str) -> None:
        self._need(kind)
        self.nesting += 1
        if self.nesting > MAX_NESTING:
            self._refuse(f"brackets are nested more than {MAX_NESTING} deep")

    def _items(self, opening: str, closing: str, item: Callable[[], Any]) -> tuple[Any, ...]:
        """Return one or more items between brackets."""
        self._opened(opening)
        items = [item()]
        while self._take(","):
            items.append(item())
        self._need(closing)
        self.nesting -= 1
        return tuple(items)

    def _braces(self, needed: bool = False) -> None:
        """Read the `{}` or `()` that makes a value of a type."""
        for opening, closing in ("{}", "()"):
            if self._here.kind == opening and self._next.kind == closing:
                self.place += 2
                return
        if needed:
            self._refuse("expected {} to make a value of the type")

    # --- layouts -----------------------------------------------------------------------------

    def _declaration(self) -> None:
        """Pass over `auto name =`, `constexpr auto name =` or `using Name =`."""
        start = self.place
        while self._here.text in ("static", "constexpr", "const", "auto", "using"):
            self.place += 1
        if self.place > start:
            if not self._take("NAME"):
                self._refuse("expected a name")
            self._need("=")

    def _layout(self) -> Layout:
        token = self._here
        try:
            if token.text == "make_layout":
                self.place += 1
                return self._made()
            if token.text == "Layout":
                self.place += 1
                return self._typed()
            shape = self._printed()
            self._need(":")
            return Layout(shape, self._printed())
        except TextError:
            raise
        except InputError as error:
            raise TextError(error.what, self.text, token.pos, error.fix) from None

    def _made(self) -> Layout:
        """Read the arguments of make_layout."""
        arguments = self._items("(", ")", self._argument)
        layouts = [x for x in arguments if isinstance(x, Layout)]
        if len(layouts) == len(arguments):
            return make_layout(*layouts)
        if layouts or len(arguments) > 2 or isinstance(arguments[0], str):
            raise InputError(
                "make_layout takes a shape, a shape and a stride, or layouts", "give one of these"
            )
        if len(arguments) == 1:
            return Layout(arguments[0])
        shape, stride = arguments
        if isinstance(stride, str):
            return _row_major(shape) if stride in _ROW_MAJOR else Layout(shape)
        return Layout(shape, stride)

    def _argument(self) -> Any:
        """Read a layout, an order of modes (its name), or an htuple."""
        if self._here.text in ("make_layout", "Layout"):
            return self._layout()
        if self._here.text in _COLUMN_MAJOR + _ROW_MAJOR:
            self.place += 1
            name = self.tokens[self.place - 1].text
            self._braces(needed=True)
            return name
        return self._tuple()

    def _tuple(self) -> HTuple:
        if self._here.text in _SHAPES:
            self.place += 1
            return self._items("(", ")", self._tuple)
        if self._here.text in _SHAPE_TYPES:
            result = self._type()
            self._braces(needed=True)
            return result
        return self._sum()

    def _typed(self) -> Layout:
        """Read the arguments of the type Layout."""
        parts = self._items("<", ">", self._type)
        self._braces()
        if len(parts) > 2:
            raise InputError("Layout has a shape and a stride", "give no more than these")
        return Layout(*parts)

    def _type(self) -> HTuple:
        if self._here.text in _SHAPE_TYPES:
            self.place += 1
            return self._items("<", ">", self._type)
        if self._here.text in _UNNAMED:
            return self._run_time()
        if self._here.kind == "STATIC" or self._here.text in ("Int", "C", "integral_constant"):
            return self._primary()
        return self._refuse("expected Shape, Stride, a static integer or int")

    def _run_time(self) -> Leaf:
        """Read an unnamed integer, which takes the next name."""
        token = self._here
        while self._here.text in _UNNAMED:
            self.place += 1
        self.unnamed += 1
        if self.unnamed > len(self.names):
            self._refuse("an integer without a name", "give names=[...]", token)
        return self._dim(self.names[self.unnamed - 1], token)

    def _printed(self) -> HTuple:
        if self._here.kind == "(" and self._closes_item():
            return self._items("(", ")", self._printed)
        return self._sum()

    def _closes_item(self) -> bool:
        """Return whether the bracket here closes a whole item: a tuple, not a group of terms."""
        depth = 0
        for place in range(self.place, len(self.tokens)):
            depth += {"(": 1, ")": -1}.get(self.tokens[place].kind, 0)
            if depth == 0:
                return self.tokens[place + 1].kind in (",", ")", ":", ";", "END")
        return True

    # --- integers ----------------------------------------------------------------------------

    def _sum(self) -> Leaf:
        result = self._product()
        while self._here.kind in ("+", "-"):
            sign = self._operator()
            other = self._product()
            result = self._bounded(result + other if sign.kind == "+" else result - other, sign)
        return result

    def _product(self) -> Leaf:
        result = self._signed()
        while self._here.kind in ("*", "/", "%"):
            sign = self._operator()
            other = self._signed()
            if sign.kind == "*":
                result = self._bounded(result * other, sign)
            else:
                result = self._divided(sign.kind, result, other, sign)
        return result

    def _signed(self) -> Leaf:
        negative = False
        while self._here.kind in ("+", "-"):
            negative ^= self._operator().kind == "-"
        result = self._primary()
        return -result if negative else result

    def _operator(self) -> Token:
        token = self._here
        self.place += 1
        self.operators += 1
        if self.operators > MAX_OPERATORS:
            self._refuse(f"more than {MAX_OPERATORS} operators", "name parts of it", token)
        return token

    def _primary(self) -> Leaf:
        token = self._here
        self.place += 1
        if token.kind in ("NUMBER", "STATIC") and len(token.text) > MAX_DIGITS:
            self._refuse("an integer beyond 64 bits", "", token)
        if token.kind == "NUMBER":
            digits = re.sub(r"(_c|[uUlL]+)\Z", "", token.text).replace("'", "")
            if len(digits) > 1 and digits[0] == "0" and digits[1] not in "xX":
                self._refuse("C++ reads a number that starts with 0 as octal", "", token)
            return self._bounded(int(digits, 0), token)
        if token.kind == "STATIC":
            self._braces()
            return self._bounded(int(token.text[1:].replace("m", "-")), token)
        if token.kind == "(":
            self.place -= 1
            values = self._items("(", ")", self._sum)
            if len(values) != 1:
                self._refuse("parentheses around several integers", "write make_shape", token)
            inner: Leaf = values[0]
            return inner
        if token.kind == "NAME":
            return self._named(token)
        return self._refuse("expected an integer, a variable or '('", "", token)

    def _named(self, token: Token) -> Leaf:
        if token.text in ("Int", "C"):
            return self._constant(self._items("<", ">", self._sum), token)
        if token.text in ("constant", "integral_constant"):
            self._opened("<")
            while self._here.text in _UNNAMED:
                self.place += 1
            self._need(",")
            value = self._sum()
            self._need(">")
            self.nesting -= 1
            return self._constant((value,), token)
        if self._here.kind == "(":
            return self._called(token)
        return self._dim(token.text, token)

    def _constant(self, values: tuple[Leaf, ...], token: Token) -> Leaf:
        if len(values) != 1:
            self._refuse("one integer makes a static integer", "", token)
        self._braces()
        return values[0]

    def _called(self, token: Token) -> Leaf:
        if token.text not in _FUNCTIONS:
            fix = "read are make_layout, make_shape, make_stride, ceil_div, min and max"
            self._refuse("this function is not understood", fix, token)
        values = self._items("(", ")", self._sum)
        if len(values) != 2:
            self._refuse("this function takes two integers", "", token)
        if token.text == "ceil_div":
            return self._divided("ceil", *values, token)
        result: Leaf = _FUNCTIONS[token.text](*values)
        return result

    def _dim(self, name: str, token: Token) -> Leaf:
        if not re.match(r"[A-Za-z_]\w*\Z", name, re.ASCII) or name == "_":
            self._refuse(f"{name!r} is no plain name", "give it a name of its own", token)
        leaf: Leaf = dims(name)
        return leaf

    def _bounded(self, leaf: Leaf, token: Token) -> Leaf:
        if isinstance(leaf, int) and abs(leaf) >= 2**63:
            self._refuse("an integer beyond 64 bits", "", token)
        return leaf

    def _divided(self, sign: str, a: Leaf, b: Leaf, token: Token) -> Leaf:
        """Return what C++ computes, if neither operand can be negative."""
        if b == 0:
            self._refuse("division by 0", "", token)
        if self.known.proves(divides(b, a), solver=False):
            return 0 if sign == "%" else divided(a, b)
        for fact in (le(0, a), le(1, b)):
            if not self.known.proves(fact, solver=False):
                what = f"C++ rounds {show_leaf(a)} over {show_leaf(b)} towards 0"
                self._refuse(what, f'assume "{fact}"', token)
        rounded = {"/": floor_div, "%": mod, "ceil": ceil_div}[sign]
        result: Leaf = rounded(a, b)
        return result


def _row_major(shape: HTuple) -> Layout:
    def turned(t: HTuple) -> HTuple:
        return tuple(turned(x) for x in reversed(t)) if isinstance(t, tuple) else t

    return Layout(shape, turned(compact_col_major(turned(shape))))
