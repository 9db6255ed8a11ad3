"""What is said about text that is not in the grammar, and about too much of it."""

from __future__ import annotations

import pytest

from symcute.errors import InputError, TextError
from symcute.expr.parser import MAX_LENGTH, MAX_TREE_DEPTH, parse
from symcute.expr.scanner import MAX_DIGITS, MAX_HEX_DIGITS, MAX_NESTING
from symcute.expr.unparse import unparse
from tests.full import many
from tests.work import calls

VALUE = "a number, a name or '('"

MESSAGES = [
    ("(4,", 3, "expected a number, a name, '(' or ')', found the end", "close the '(' of column 1"),
    ("4:", 2, f"expected {VALUE}, found the end", "write what follows ':'"),
    (
        "((2,2):(1",
        9,
        "expected an operator, ',' or ')', found the end",
        "close the '(' of column 8",
    ),
    ("4 5", 2, "expected an operator or the end, found '5'", "put an operator or ',' before it"),
    ("a ==", 4, f"expected {VALUE}, found the end", "write what follows '=='"),
    (
        "injective(",
        10,
        "expected a number, a name, '(' or ')', found the end",
        "close the '(' of column 10",
    ),
    (
        "(M,N):(N,1",
        10,
        "expected an operator, ',' or ')', found the end",
        "close the '(' of column 7",
    ),
    ("2 = 3", 2, "expected an operator or the end, found '='", "write == to compare"),
    ("x && ", 5, f"expected {VALUE}, found the end", "write what follows '&&'"),
    ("", 0, f"expected {VALUE}, found the end", "write the claim"),
    ("  ", 2, f"expected {VALUE}, found the end", "write the claim"),
    (
        "1:2:3",
        3,
        "expected an operator or the end, found ':'",
        "a layout has one ':', so put the inner layout in parentheses",
    ),
    ("f(2=3)", 3, "expected an operator, ',' or ')', found '='", "write == to compare"),
    (
        "(2,2)(1,2)",
        5,
        "a tuple cannot be applied",
        "write ',' or ':' before it, or parentheses round a layout: (S:D)(c)",
    ),
    (
        "<1,2>(3)",
        5,
        "a tuple cannot be applied",
        "write ',' or ':' before it, or parentheses round a layout: (S:D)(c)",
    ),
    (
        "4,5",
        1,
        "expected an operator or the end, found ','",
        "put the items of a tuple in parentheses",
    ),
    (
        "4)",
        1,
        "expected an operator or the end, found ')'",
        "remove it, or open the bracket that it closes",
    ),
    (
        "<1,2)",
        4,
        "expected an operator, ',' or '>', found ')'",
        "remove it, or write what is missing before it",
    ),
    ("<1,2", 4, "expected an operator, ',' or '>', found the end", "close the '<' of column 1"),
    (
        "<>",
        1,
        f"expected {VALUE}, found '>'",
        "remove it, or write what is missing before it",
    ),
    ("a|b|c", 3, "'|' in a chain of comparisons", "join two facts with and"),
    ("a == b | c", 7, "'|' in a chain of comparisons", "join two facts with and"),
    ("1@x", 2, "expected a number, found 'x'", "remove it, or write what is missing before it"),
    ("Sw<3", 4, "expected ',', found the end", "write what follows '3'"),
    ("2(3)", 1, "expected an operator or the end, found '('", "put an operator or ',' before it"),
    ("4x", 1, "expected an operator or the end, found 'x'", "put an operator or ',' before it"),
    ("a == not b", 5, f"expected {VALUE}, found 'not'", None),
    (
        "f(a b)",
        4,
        "expected an operator, ',' or ')', found 'b'",
        "put an operator or ',' before it",
    ),
    ("1 " + "z" * 30, 2, f"expected an operator or the end, found '{'z' * 20}...'", None),
    ("[4]", 0, "'[' is no bracket here", "write ( and )"),
    ("(a]", 2, "']' is no bracket here", "write ( and )"),
    ("page[i", 6, "expected an operator, found the end", "write what follows 'i'"),
    ("08", 0, "a number starts with 0", "write 8"),
    ("(4,None)", 3, "'None' is no value here", "write _ for all of a mode"),
    ("a == True", 5, "'True' is no value here", "write a relation that holds, such as 0 <= 1"),
    ("False", 0, "'False' is no value here", "write a relation that fails, such as 1 <= 0"),
    ("1.5", 1, "the character '.' means nothing here", "write integers only"),
    ("a ≤ b", 2, "the character '≤' means nothing here", "write <="),
    ("a $ b", 2, "the character '$' means nothing here", "remove it"),
    (
        "(é,1)",
        1,
        "the letter 'é' cannot be used",
        "names are made of the letters a-z and A-Z, digits and _",
    ),
    ("Mé", 1, "the letter 'é' cannot be used", None),
    ("٣", 0, "the letter '٣' cannot be used", None),
    ("a\x00", 1, "the character '\\x00' cannot be used", "remove it"),
    ("a\u00a0b", 1, "the character '\\xa0' cannot be used", "remove it"),
    ("\ud800", 0, "the character '\\ud800' cannot be used", "remove it"),
    ('f("a', 2, "this double quote is not closed", 'write the second "'),
    ('"a\nb"', 0, "this double quote is not closed", 'write the second "'),
    ('"a\x1b"', 2, "the character '\\x1b' cannot be used", "remove it"),
]


@pytest.mark.parametrize(("text", "position", "what", "fix"), MESSAGES)
def test_the_message_for_bad_text(text: str, position: int, what: str, fix: str | None) -> None:
    with pytest.raises(TextError) as caught:
        parse(text, what="claim")
    error = caught.value
    assert error.what == f"in this claim: {what} at column {position + 1}"
    assert error.position == position
    assert error.text == text
    assert error.fix
    assert fix is None or error.fix == fix


def test_the_caret_stands_under_the_place() -> None:
    with pytest.raises(TextError) as caught:
        parse("(4,2):\n(2 1)", what="layout")
    assert caught.value.picture() == "(2 1)\n   ^"


def test_text_must_be_a_str() -> None:
    with pytest.raises(InputError, match="the layout is a bytes; give it as a str"):
        parse(b"4:1", what="layout")


# --- limits: an error at once, never a crash -----------------------------------------------------

#: Terms of a long text; a reading that is quadratic shows in the shorter ones as well.
LONG = many(4_000, 30_000)
TOO_MUCH = [
    ("x" * (MAX_LENGTH + 1), "longer than 100000 characters", MAX_LENGTH),
    ("(1," * 333_333, "longer than 100000 characters", MAX_LENGTH),
    ("(" * 10_000 + "1" + ")" * 10_000, "nested more than 64 deep", MAX_NESTING),
    ("<" * 10_000, "nested more than 64 deep", MAX_NESTING),
    ("f(" * 10_000, "nested more than 64 deep", 2 * MAX_NESTING + 1),
    ("9" * (MAX_DIGITS + 1), "has 4001 digits", 0),
    ("1+" + "0" * 50_000, "has 50000 digits", 2),
    ("0x" + "f" * (MAX_HEX_DIGITS + 1), "has 3201 digits", 0),
    ("+".join("1" * LONG), "more than 128 operators", None),
    ("**".join("1" * LONG), "more than 128 operators", None),
    (" => ".join("a" * (LONG // 2)), "more than 128 operators", None),
    ("-" * (3 * LONG) + "1", "more than 128 operators", MAX_TREE_DEPTH),
    ("!" * (3 * LONG) + "a", "more than 128 operators", MAX_TREE_DEPTH),
    (" o ".join("A" * (LONG // 2)), "more than 128 operators", None),
    ("A" + "(1)" * LONG, "more than 128 operators", None),
]


@pytest.mark.parametrize(("text", "what", "position"), TOO_MUCH)
def test_too_much_is_refused_quickly(text: str, what: str, position: int | None) -> None:
    with pytest.raises(TextError, match=what) as caught:
        # Far above what it takes, far below what a quadratic or worse reading would take.
        calls(lambda: parse(text), 100 * len(text) + 100_000)
    assert caught.value.fix
    assert position is None or caught.value.position == position
    assert len(caught.value.picture()) < 500


def test_chains_in_chains_do_not_explode() -> None:
    text = "x"
    for _ in range(40):
        text = f"0 <= ({text}) < 1"
    with pytest.raises(TextError, match="chains of comparisons inside chains"):
        parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "(" * MAX_NESTING + "1" + ")" * MAX_NESTING,
        "-" * (MAX_TREE_DEPTH - 1) + "1",
        "+".join("1" * MAX_TREE_DEPTH),
        "9" * MAX_DIGITS,
        "0x" + "f" * MAX_HEX_DIGITS,
        "(" + ",".join("1" * (LONG // 3)) + ")",
        " or ".join("a" * (LONG // 3)),
        "a < " * (LONG // 3) + "a",
    ],
)
def test_what_is_just_within_the_limits_is_read_and_written(text: str) -> None:
    tree = parse(text)
    assert parse(unparse(tree)) == tree
    assert hash(tree) == hash(parse(text))
