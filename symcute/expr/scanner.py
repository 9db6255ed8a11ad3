"""Text to tokens: what only the left context can tell is settled here.

`<` opens a tiler where a value is expected and compares after one, `>` closes the tiler it is
directly inside, `o` is composition after a value and a name elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = [
    "ENDS_VALUE",
    "MAX_DIGITS",
    "MAX_HEX_DIGITS",
    "MAX_NESTING",
    "Refusal",
    "Scanner",
]

#: Brackets open at one place.
MAX_NESTING = 64
#: Digits of a decimal number (Python itself stops at 4300).
MAX_DIGITS = 4_000
#: Digits of a hexadecimal number: such a number stays below MAX_DIGITS in decimal.
MAX_HEX_DIGITS = 3_200


class Refusal(Exception):
    """What is wrong and where, before the text and its kind are known."""

    def __init__(self, what: str, position: int, fix: str) -> None:
        self.what = what
        self.position = position
        self.fix = fix
        super().__init__(what)


# Also what stands in pasted text: scopes, types and their values, pointers as CuTe prints them.
_TOKEN = re.compile(
    r"""
      (?P<SPACE>   [ \t\r\n]+ | ; [ \t\r\n]* \Z
                 | (?: ::)? (?: (?:cute|cutlass|std|SM90|SM100|GMMA|UMMA) :: )+ (?=\w)
                 | torch \. (?=[a-z]) )
    | (?P<POINTER> SW_[0-9]+_[0-9]+_[0-9]+ \b
                 | (?: Sw<[-0-9,]+>_ )? (?: [gsrt]mem_ )? (?: ptr )? \[ [0-9]+ b\]
                   \( (?: unset | \(nil\) | [A-Z][A-Z_0-9]* | 0x[0-9a-fA-F.]+ ) \) )
    | (?P<TRITON>  (?: \#\w+ \s*=\s* )?
                   (?: (?: tensor | !ttg\.memdesc ) < [0-9x]+ x\w+ ,\s*
                       \#[\w.]+ \s* <\{ [^{}"]* \}> \s* (?: ,\s* \#?[\w.]+ \s* )* >
                     | \#[\w.]+ \s* <\{ [^{}"]* \}> ) )
    | (?P<SIZE>    torch\.Size\( \s* \[ )
    | (?P<SIZEEND> \] \s* \) )
    | (?P<BRACES>  \{ \s* \} )
    | (?P<NUMBER>  0[xX][0-9a-fA-F]+ (?:_[0-9a-fA-F]+)* | [0-9]+ (?:_[0-9]+)*
                 | _[-m]?[0-9]+ (?![A-Za-z0-9_]) )
    | (?P<SWIZZLE> (?:Swizzle|Sw)(?=<)
                 | S(?=<-?[0-9]+,-?[0-9]+,-?[0-9]+> \s* (?: o\b | [^-+\w\s("<] | $ )) )
    | (?P<TEMPLATE> (?: Layout | ComposedLayout | Shape | Stride | Step | Tile | Coord | tuple | Int
                   | constant | integral_constant | smem_ptr_flag_bits
                   | Layout_\w+_Atom (?:_Bits)? ) (?=<)
                 | (?:C | E) (?= < -?[0-9]+ > \s* [{,>)] ) )
    | (?P<NAME>    (?: (?: cutlass\.)? cute\. (?=[a-z]) )? [A-Za-z_][A-Za-z0-9_]* )
    | (?P<STRING>  "[^"\n]*" )
    | (?P<SIGN>    \*\* | // | << | >> | <= | >= | == | != | => | && | \|\|
                 | [-+*/%<>()=:,@|!&^~\[\]] )
    """,
    re.VERBOSE,
)

_SIGNS = {
    "**": "POW", "//": "FLOORDIV", "<<": "SHL", ">>": "SHR", "<=": "LE", ">=": "GE", "==": "EQ",
    "!=": "NE", "=>": "IMPLIES", "&&": "AND", "||": "OR", "-": "MINUS", "+": "PLUS", "*": "STAR",
    "/": "SLASH", "%": "PERCENT", "<": "LT", ">": "GT", "(": "LPAR", ")": "RPAR", "=": "ASSIGN",
    ":": "COLON", ",": "COMMA", "@": "AT", "|": "BAR", "!": "NOT",
    "&": "AMPERSAND", "^": "CARET", "~": "TILDE", "[": "LBRACK", "]": "RBRACK",
}  # fmt: skip
_WORDS = {
    "and": "AND", "or": "OR", "not": "NOT", "implies": "IMPLIES", "_": "ANY", "Underscore": "ANY",
}  # fmt: skip
#: Values of Python that would read as dims, and what they are here.
_OF_PYTHON = {
    "None": "write _ for all of a mode",
    "True": "write a relation that holds, such as 0 <= 1",
    "False": "write a relation that fails, such as 1 <= 0",
}
ENDS_VALUE = frozenset(
    {"NUMBER", "NAME", "STRING", "ANY", "RPAR", "RANGLE", "RBRACK", "POINTER", "TRITON"}
)
#: What marks a text as C++, and as CuTe DSL; of names, those that stand for an order.
_CPP = re.compile(r"\{\s*\}|\w::\w|\bmake_(?:shape|stride|tuple|coord)\b|\b(?:Shape|Stride|Int)<")
_DSL = re.compile(r"\bcute\.[a-z]")
_EXISTS = re.compile(r"exists\s+[A-Za-z_]\w*\s*<(?!<)")
_TYPES = ("LayoutLeft", "LayoutRight", "GenColMajor", "GenRowMajor", "Underscore")
_DECLARED = re.compile(
    r"\s* (?: (?: (?:static|constexpr|const|inline) \s+ )* (?:auto|using) \s* &? \s+ \w+"
    r" \s* = (?!=) (?: \s* typename \b )?"
    r"| \w+ \s* = \s* (?= (?:cutlass\.)? cute\. | torch\. | make_layout\b | Layout\("
    r"                       | empty_strided | reinterpret_tensor )"
    r"| \w+ \s* :? \s+ (?= Sw<[-0-9,]+>_?[gsrt]mem_ | [gsrt]mem_(?:ptr)?\["
    r"                       | ptr\[ | ArithTuple\( ) )",
    re.VERBOSE,
)
_INSTEAD = {
    "≤": "<=", "≥": ">=", "≠": "!=", "∘": "o", "−": "-", "×": "*", "·": "*", "∧": "and",
    "∨": "or", "¬": "not", "⇒": "=>", "→": "=>", "∣": "|", ".": "integers only", "⊕": "^",
    "'": 'double quotes (")', "{": "( and )", "}": "( and )", ";": ",", "∃": "exists",
}  # fmt: skip


class Scanner:
    """Cuts a text into tokens (kind, start, end), lazily, left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        #: The brackets open so far: the character and its offset.
        self.open: list[tuple[str, int]] = []
        #: Whether the text has marks of C++ and of CuTe DSL, once that is asked.
        self.is_cpp: bool | None = None
        self.is_dsl = False

    def __iter__(self) -> Iterator[tuple[str, int, int]]:
        declared = _DECLARED.match(self.text)
        position, after_value, before = declared.end() if declared else 0, False, ""
        while position < len(self.text):
            match = _TOKEN.match(self.text, position)
            if match is None:
                raise self._unknown(position)
            kind, end = match.lastgroup or "", match.end()
            if kind == "SIZEEND" and self._of_table():
                kind, end = self._sign("]", position, after_value)
            elif kind in ("SIZE", "SIZEEND"):
                kind = self._size(kind, position)
            elif kind == "BRACES":
                self._check_braces(before, position)
                kind = "SPACE"  # a type and a value of it are one here
            elif kind == "SIGN":
                kind, end = self._sign(match.group(), position, after_value)
            elif kind == "NAME":
                word = match.group()
                kind = "OF" if after_value and word == "o" else _WORDS.get(word, kind)
                kind = "EXISTS" if _EXISTS.match(self.text, position) else kind
                if fix := _OF_PYTHON.get(word):
                    raise Refusal(f"'{word}' is no value here", position, fix)
            elif kind == "NUMBER":
                _check_number(match.group(), position)
            elif kind == "STRING":
                self._check_string(match.group(), position)
            if kind != "SPACE":
                yield kind, position, end
                after_value = kind in ENDS_VALUE
                before = match.group() if kind != "GT" else ""
            position = end

    def _size(self, kind: str, position: int) -> str:
        """Return the kind of a bracket of `torch.Size([4, 8])`."""
        if kind == "SIZE":
            self.open.append(("[", position))
            return "LPAR"
        if not self.open or self.open.pop()[0] != "[":
            raise self._unknown(position)
        return "RPAR"

    def _of_table(self) -> bool:
        """Return whether the bracket opened last is that of `page[i]`."""
        return bool(self.open) and self.text[self.open[-1][1]] == "["

    def _check_braces(self, before: str, position: int) -> None:
        if before[:1] != "_" and before not in (">", *_TYPES):
            start = position - len(before)
            before = f"'{before}'" if before else "before these braces"
            fix = "give the type that it stands for, such as Layout<Shape<_8,_4>>{}"
            raise Refusal(f"the type {before} is not known here", max(start, 0), fix)

    def _sign(self, sign: str, position: int, after_value: bool) -> tuple[str, int]:
        """Return the kind and the end of a sign, keeping count of the brackets."""
        inside = self.open[-1][0] if self.open else ""
        if sign in ("//", "%"):
            self._check_reading(sign, position)
        if sign == ")" and inside == "[":
            raise Refusal("expected ']'", position, "close the '['")
        if sign in ("[", "]") and not (after_value if sign == "[" else self._of_table()):
            raise Refusal(f"'{sign}' is no bracket here", position, "write ( and )")
        if sign in ("(", "[") or (sign[0] == "<" and not after_value):
            if len(self.open) == MAX_NESTING:
                raise Refusal(
                    f"brackets are nested more than {MAX_NESTING} deep", position, "nest them less"
                )
            self.open.append((sign[0], position))
            return {"(": "LPAR", "[": "LBRACK"}.get(sign, "LANGLE"), position + 1
        if sign[0] == ">" and inside == "<":
            self.open.pop()
            return "RANGLE", position + 1
        if (sign == ")" and inside == "(") or sign == "]":
            self.open.pop()
        return _SIGNS[sign], position + len(sign)

    def _check_reading(self, sign: str, position: int) -> None:
        """Refuse signs that another language reads otherwise, in a text of that language."""
        if self.is_cpp is None:
            self.is_cpp = _CPP.search(self.text) is not None
            self.is_dsl = _DSL.search(self.text) is not None
        if self.is_cpp:
            what = "begins a comment in C++" if sign == "//" else "rounds towards 0 in C++"
        elif sign == "%" and self.is_dsl:
            what = "has the sign of what is divided in CuTe DSL"
        else:
            return
        fix = "write floor_div(a,b) or a/b" if sign == "//" else "write mod(a,b)"
        raise Refusal(f"'{sign}' {what}, and has another meaning here", position, fix)

    def _check_string(self, string: str, position: int) -> None:
        if not string.isprintable():
            bad = next(k for k, character in enumerate(string) if not character.isprintable())
            raise self._unknown(position + bad)

    def _unknown(self, position: int) -> Refusal:
        character = self.text[position]
        if character == '"':
            return Refusal("this double quote is not closed", position, 'write the second "')
        if not character.isprintable():
            return Refusal(f"the character {character!a} cannot be used", position, "remove it")
        if character.isalnum():
            fix = "names are made of the letters a-z and A-Z, digits and _"
            return Refusal(f"the letter '{character}' cannot be used", position, fix)
        if character == "?":
            fix = "write a dim in its place; assume what is known of it, such as LD % 8 == 0"
            return Refusal("'?' is an integer that has no name here", position, fix)
        instead = _INSTEAD.get(character)
        fix = f"write {instead}" if instead else "remove it"
        return Refusal(f"the character '{character}' means nothing here", position, fix)


def _check_number(number: str, position: int) -> None:
    digits = number.replace("_", "").removeprefix("-")
    if digits[:2] in ("0x", "0X"):
        size, limit = len(digits) - 2, MAX_HEX_DIGITS
    else:
        size, limit = len(digits), MAX_DIGITS
        if size > 1 and digits[0] == "0" and size <= limit:
            fix = f"write {digits.lstrip('0') or '0'}"
            raise Refusal("a number starts with 0", position, fix)
    if size > limit:
        raise Refusal(
            f"a number has {size} digits", position, f"numbers have at most {limit} digits"
        )
