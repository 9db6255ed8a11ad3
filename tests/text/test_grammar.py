"""Does the grammar read each notation as meant, say what is wrong elsewhere, and never break?"""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from symcute.errors import InputError, TextError
from symcute.expr.parser import parse
from symcute.expr.syntax import Node
from symcute.expr.unparse import unparse
from tests.full import many
from tests.work import calls


def lisp(part: Node | str | int) -> str:
    """The tree as one line: `(op arg ...)`, with ints, names and `_` bare."""
    if not isinstance(part, Node):
        return str(part)
    if part.op in ("int", "name"):
        return str(part.args[0])
    if part.op == "any":
        return "_"
    return f"({' '.join([part.op, *map(lisp, part.args)])})"


def walk(node: Node) -> Iterator[Node]:
    yield node
    for part in node.args:
        if isinstance(part, Node):
            yield from walk(part)


def without_parens(node: Node) -> Node:
    if node.op == "paren":
        inner = node.args[0]
        assert isinstance(inner, Node)
        return without_parens(inner)
    args = tuple(without_parens(a) if isinstance(a, Node) else a for a in node.args)
    return Node(node.op, args, node.pos, node.end)


# --- what each notation means --------------------------------------------------------------------

READINGS = [
    # atoms
    ("7", "7"),
    ("1_000", "1000"),
    ("0x1F", "31"),
    ("0xff_ff", "65535"),
    ("0", "0"),
    ("M", "M"),
    ("_x1", "_x1"),
    ("_", "_"),
    ('"row major"', "(text row major)"),
    # bits, tables, existence
    ("x & 31 == 0", "(eq (call bit_and x 31) 0)"),
    ("a ^ b & ~c << 2", "(call bit_xor a (call bit_and b (shl (call bit_not c) 2)))"),
    ("(x | 3) + 1", "(add (paren (divides x 3)) 1)"),
    ("page[t // B]*B", "(mul (entry page (floordiv t B)) B)"),
    ("f(inv[perm[i]])", "(call f (entry inv (entry perm i)))"),
    ("exists i < N: i*2 == x", "(exists i N (eq (mul i 2) x))"),
    ("a => exists i<M: exists j<N: b", "(implies a (exists i M (exists j N b)))"),
    ("exists + 1", "(add exists 1)"),
    # tuples
    ("()", "(tuple)"),
    ("(8,)", "(tuple 8)"),
    ("(8)", "(paren 8)"),
    ("( 4 ,\n\t2 )", "(tuple 4 2)"),
    ("(4,2,)", "(tuple 4 2)"),
    ("((2,2),(2,4))", "(tuple (tuple 2 2) (tuple 2 4))"),
    ("(_,3)", "(tuple _ 3)"),
    # layouts
    ("4:1", "(layout 4 1)"),
    ("(4,2):(2,1)", "(layout (tuple 4 2) (tuple 2 1))"),
    ("4:-1", "(layout 4 (neg 1))"),
    ("-4:1", "(layout (neg 4) 1)"),
    ("M*N:N+1", "(layout (mul M N) (add N 1))"),
    ("(4:1, 2:3)", "(tuple (layout 4 1) (layout 2 3))"),
    ("(4,2):(1@0,1@1)", "(layout (tuple 4 2) (tuple (basis 1 0) (basis 1 1)))"),
    # basis strides
    ("2@1", "(basis 2 1)"),
    ("1@0@1", "(basis 1 0 1)"),
    ("M@2", "(basis M 2)"),
    ("(M*N)@0", "(basis (paren (mul M N)) 0)"),
    ("-1@0", "(neg (basis 1 0))"),
    ("2*1@0", "(mul 2 (basis 1 0))"),
    # tiler brackets against comparisons and shifts
    ("<8>", "(tuple 8)"),
    ("<2:3,(2,3):(1,8)>", "(tuple (layout 2 3) (layout (tuple 2 3) (tuple 1 8)))"),
    ("<4,<2:1>>", "(tuple 4 (tuple (layout 2 1)))"),
    ("<<2:1>,4>", "(tuple (tuple (layout 2 1)) 4)"),
    ("<_,4>", "(tuple _ 4)"),
    ("<A o B,4>", "(tuple (call composition A B) 4)"),
    ("<(a < b),4>", "(tuple (paren (lt a b)) 4)"),
    ("<4>==<4>", "(eq (tuple 4) (tuple 4))"),
    ("<4>>=<4>", "(ge (tuple 4) (tuple 4))"),
    ("<4> > <3>", "(gt (tuple 4) (tuple 3))"),
    ("a < <3>", "(lt a (tuple 3))"),
    ("f(A, <2:1>)", "(call f A (tuple (layout 2 1)))"),
    ("<1<<2,(8>>1)>", "(tuple (shl 1 2) (paren (shr 8 1)))"),
    # calls and application
    ("f()", "(call f)"),
    ("logical_divide(A, (4:1,2))", "(call logical_divide A (tuple (layout 4 1) 2))"),
    ("f(a,)", "(call f a)"),
    ("f(a, order=(1,0))", "(call f a (keyword order (tuple 1 0)))"),
    ("f(a==b)", "(call f (eq a b))"),
    ("A(2)", "(call A 2)"),
    ("((4,2):(2,1))(1,0)", "(apply (paren (layout (tuple 4 2) (tuple 2 1))) 1 0)"),
    ("composition(A,B)(3)", "(apply (call composition A B) 3)"),
    ("A(1)(2)()", "(apply (apply (call A 1) 2))"),
    ("Sw<1,0,1>(5)", "(apply (swizzle 1 0 1) 5)"),
    ("A((1,0))", "(call A (tuple 1 0))"),
    # composition and swizzles
    ("A o B", "(call composition A B)"),
    ("A o B o C", "(call composition (call composition A B) C)"),
    ("(4,3):(1,4) o 12:1", "(call composition (layout (tuple 4 3) (tuple 1 4)) (layout 12 1))"),
    ("size(A o B) == 4", "(eq (call size (call composition A B)) 4)"),
    ("A o B == C o D", "(eq (call composition A B) (call composition C D))"),
    ("o", "o"),
    ("o + 1", "(add o 1)"),
    ("o o o", "(call composition o o)"),
    ("o(o)", "(call o o)"),
    (
        "Sw<3,3,3> o 0 o (8,8):(8,1)",
        "(call composition (call composition (swizzle 3 3 3) 0) (layout (tuple 8 8) (tuple 8 1)))",
    ),
    ("Swizzle< 3, 4, -3 >", "(swizzle 3 4 -3)"),
    ("Sw<_3, -_4, _-3>", "(swizzle 3 -4 -3)"),
    ("Sw<3, 4, -_-3>", "(swizzle 3 4 3)"),
    ("S<3,4,3> o 0", "(call composition (swizzle 3 4 3) 0)"),
    ("S<3", "(lt S 3)"),
    ("Sw < 3", "(lt Sw 3)"),
    ("f(S<3,4,3>x)", "(call f (lt S 3) 4 (gt 3 x))"),
    # arithmetic
    ("1+2*3", "(add 1 (mul 2 3))"),
    ("a-b-c", "(sub (sub a b) c)"),
    ("a*b//c/d%e", "(mod (div (floordiv (mul a b) c) d) e)"),
    ("-a*b", "(mul (neg a) b)"),
    ("-2**2", "(neg (pow 2 2))"),
    ("2**-1", "(pow 2 (neg 1))"),
    ("2**3**2", "(pow 2 (pow 3 2))"),
    ("--1", "(neg (neg 1))"),
    ("+1", "1"),
    ("a++b", "(add a b)"),
    ("1<<20", "(shl 1 20)"),
    ("1<<a+b>>2", "(shr (shl 1 (add a b)) 2)"),
    ("1<<2:1", "(layout (shl 1 2) 1)"),
    # comparisons
    ("a != b", "(ne a b)"),
    ("a >= b", "(ge a b)"),
    ("0 <= i < N", "(and (le 0 i) (lt i N))"),
    ("a == b != c > d", "(and (eq a b) (ne b c) (gt c d))"),
    ("128 | M", "(divides 128 M)"),
    ("4*P | M + 1", "(divides (mul 4 P) (add M 1))"),
    ("M % 128 == 0", "(eq (mod M 128) 0)"),
    ("4:1 == A", "(eq (layout 4 1) A)"),
    # logic
    ("a and b and c", "(and a b c)"),
    ("(a and b) and c", "(and (paren (and a b)) c)"),
    ("0 <= i < N and p", "(and (le 0 i) (lt i N) p)"),
    ("a or b and c", "(or a (and b c))"),
    ("not a == b", "(not (eq a b))"),
    ("not not a", "(not (not a))"),
    ("not a and b", "(and (not a) b)"),
    ("not 0 <= i < N", "(not (and (le 0 i) (lt i N)))"),
    ("a || b && !c", "(or a (and b (not c)))"),
    ("a implies b => c", "(implies a (implies b c))"),
    ("a or b => c and d", "(implies (or a b) (and c d))"),
    ("4 | M && 8 | N", "(and (divides 4 M) (divides 8 N))"),
]


@pytest.mark.parametrize(("text", "tree"), READINGS)
def test_each_notation_is_read_as_meant(text: str, tree: str) -> None:
    assert lisp(parse(text)) == tree


@pytest.mark.parametrize("text", [text for text, _ in READINGS])
def test_canonical_text_reads_the_same(text: str) -> None:
    tree = parse(text)
    canonical = unparse(tree)
    assert parse(canonical) == tree
    assert unparse(parse(canonical)) == canonical


@pytest.mark.parametrize("text", [text for text, _ in READINGS])
@pytest.mark.parametrize("pad", ["", " \n"])
def test_every_node_stands_where_it_says(text: str, pad: str) -> None:
    text = pad + text + pad
    for node in walk(parse(text)):
        piece = text[node.pos : node.end]
        assert piece == piece.strip()
        if node.op != "keyword":
            assert parse(piece) == node


def test_the_places_of_one_tree() -> None:
    tree = parse(" f( a , 2*b )")
    assert [(n.op, n.pos, n.end) for n in walk(tree)] == [
        ("call", 1, 13),
        ("name", 4, 5),
        ("mul", 8, 11),
        ("int", 8, 9),
        ("name", 10, 11),
    ]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("( ( 4,2 ) : ( 2,1 ) ) ( 1 , 0 )", "((4,2):(2,1))(1, 0)"),
        ("<2:3, 4>", "(2:3,4)"),
        ("<4>", "(4,)"),
        ("A o 0x10", "composition(A, 16)"),
        ("a&&b||!c=>d", "a and b or not c implies d"),
        ("0<=i and i<N", "0 <= i < N"),
        ("0<=i and j<N", "0 <= i and j < N"),
        ("f( x,order = 1)", "f(x, order=1)"),
        ("Swizzle<3,4,-3>", "Sw<3,4,-3>"),
        ("1<<(M-1)//2", "1 << (M - 1)//2"),
    ],
)
def test_canonical_text(text: str, canonical: str) -> None:
    assert unparse(parse(text)) == canonical


# --- any tree, any text --------------------------------------------------------------------------

INFIX = ["add", "sub", "mul", "div", "floordiv", "mod", "pow", "shl", "shr", "layout"]
RELATIONS = ["eq", "ne", "le", "lt", "ge", "gt", "divides"]
RESERVED = {"and", "or", "not", "implies", "_"}

names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,3}", fullmatch=True) | st.sampled_from(
    ["o", "S", "Sw", "M", "N", "ceil_div"]
)
names = names.filter(lambda name: name not in RESERVED and not re.fullmatch("_m?[0-9]+", name))


def node(op: str, *args: Node | str | int) -> Node:
    return Node(op, args, 0, 0)


leaves = st.one_of(
    st.integers(0, 2**70).map(lambda value: node("int", value)),
    names.map(lambda name: node("name", name)),
    st.just(node("any")),
    st.text(st.characters(min_codepoint=32, max_codepoint=126, exclude_characters='"')).map(
        lambda text: node("text", text)
    ),
    st.tuples(*[st.integers(-9, 9)] * 3).map(lambda ints: node("swizzle", *ints)),
)


def larger(trees: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    some = st.lists(trees, max_size=3)
    arguments = st.lists(
        trees | st.tuples(names, trees).map(lambda pair: node("keyword", *pair)), max_size=3
    )
    unnamed = trees.filter(lambda tree: tree.op != "name")
    not_and = trees.filter(lambda tree: tree.op != "and")
    modes = st.lists(st.integers(0, 12), min_size=1, max_size=3)
    return st.one_of(
        some.map(lambda items: node("tuple", *items)),
        trees.map(lambda tree: node("paren", tree)),
        st.builds(node, st.sampled_from(INFIX + RELATIONS + ["implies"]), trees, trees),
        st.builds(node, st.sampled_from(["neg", "not"]), trees),
        st.builds(lambda name, args: node("call", name, *args), names, arguments),
        st.builds(lambda name, index: node("entry", name, index), names, trees),
        st.builds(lambda name, end, body: node("exists", name, end, body), names, trees, trees),
        st.builds(lambda callee, args: node("apply", callee, *args), unnamed, arguments),
        st.builds(lambda tree, ints: node("basis", tree, *ints), trees, modes),
        st.lists(not_and, min_size=2, max_size=3).map(lambda items: node("and", *items)),
        st.lists(trees, min_size=2, max_size=3).map(lambda items: node("or", *items)),
        st.builds(
            lambda a, b, c, first, second: node("and", node(first, a, b), node(second, b, c)),
            *[trees] * 3,
            *[st.sampled_from(RELATIONS[:-1])] * 2,
        ),
    )


trees = st.recursive(leaves, larger, max_leaves=12)


@settings(max_examples=many(150, 400), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(trees)
@example(node("pow", node("neg", node("int", 2)), node("pow", node("int", 1), node("int", 1))))
@example(node("lt", node("name", "Sw"), node("tuple", node("int", 3))))
def test_any_tree_is_written_so_that_it_reads_the_same(tree: Node) -> None:
    text = unparse(tree)
    read = parse(text)
    # Parentheses that a hand-made tree needed are nodes now; the meaning is the same.
    assert without_parens(read) == without_parens(tree)
    assert parse(unparse(read)) == read
    for part in walk(read):
        if part.op != "keyword":
            assert parse(text[part.pos : part.end]) == part


def check_that_text_is_read_or_refused(text: str) -> bool:
    """Return whether the text is in the grammar; it must be read and written well, or refused."""
    try:
        tree = parse(text)
    except TextError as error:
        assert 0 <= error.position <= len(text)
        assert error.fix
        assert "\n" not in str(error)
        assert error.picture().count("^") >= 1
        return False
    assert parse(unparse(tree)) == tree
    return True


@settings(max_examples=many(150, 300), deadline=None)
@given(st.text(max_size=60))
def test_random_text_is_read_or_refused(text: str) -> None:
    check_that_text_is_read_or_refused(text)


# Also pieces that are wrong on their own.
WORDS = [*"()()<>,:=@|!+-*/%_oSMx01 ", "<<", ">>", "<=", ">=", "==", "!=", "=>"]
WORDS += ["||", "&&", "//", "**", "Sw", "S<3,4,3>", "Sw<", "f(", "12", "0x1f", "007", '"t"', '"']
WORDS += [
    "exists",
    "exists i <",
    "[",
    "]",
    "&",
    "^",
    "~",
    "x[",
    "and",
    "or",
    "not",
    "implies",
    "\n",
    "\x00",
    "é",
    "≤",
    "A(1)",
    "(2,3):(1,2)",
    "1@0",
]


@settings(max_examples=many(500, 1500), deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=25), st.sampled_from(["", " "]))
@example(["exists", "S<3,4,3>"], " ")
def test_random_words_are_read_or_refused(words: list[str], between: str) -> None:
    check_that_text_is_read_or_refused(between.join(words))


@settings(max_examples=many(150, 400), deadline=None)
@given(trees, st.data())
def test_text_with_one_character_changed_is_read_or_refused(
    tree: Node, data: st.DataObject
) -> None:
    text = unparse(tree)
    place = data.draw(st.integers(0, len(text)))
    put = data.draw(st.sampled_from(["", *"()<>,:=|@!o_S1 "]))
    cut = data.draw(st.integers(0, 2))
    check_that_text_is_read_or_refused(text[:place] + put + text[place + cut :])


def test_a_node_that_no_text_gives_is_refused() -> None:
    with pytest.raises(InputError, match="no text gives the node xor"):
        unparse(node("xor", node("int", 1)))
    with pytest.raises(InputError, match="no text gives the node text"):
        unparse(node("text", 'a"b'))


# --- cost ----------------------------------------------------------------------------------------


def test_parsing_loads_no_library() -> None:
    code = (
        "import sys, symcute.expr.parser as t; t.parse('(M,N):(N,1)');"
        "assert not {'lark', 'sympy', 'z3', 'numpy', 'rich', 'jinja2'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_the_tables_are_those_that_lark_makes_of_the_grammar() -> None:
    path = Path(__file__).parents[2] / "tools" / "grammar.py"
    tool = runpy.run_path(str(path))
    kept = (tool["FOLDER"] / "grammar.json").read_text(encoding="utf-8")
    assert kept == tool["written"](), "run: python tools/grammar.py"


def test_parsing_is_linear() -> None:
    def work(modes: int) -> int:
        text = "(" + ",".join("M*2+1" for _ in range(modes)) + ")"
        return calls(lambda: parse(text), 10**8)

    parse("1")
    # Ten times the text: a quadratic parser would do a hundred times the work.
    assert work(800) < 12 * work(80)
