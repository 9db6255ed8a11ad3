"""`symcute show` and `symcute eval`."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest


def test_show_prints_measures_and_the_table(symcute) -> None:
    outcome = symcute("show", "((2,2),(2,4)):((1,4),(2,8))")
    assert outcome == (
        0,
        "((2,2),(2,4)):((1,4),(2,8))\n"
        "size 32, cosize 32, rank 2, depth 2\n"
        "\n"
        "        0    1    2    3    4    5    6    7\n"
        "     +----+----+----+----+----+----+----+----+\n"
        "   0 |  0 |  2 |  8 | 10 | 16 | 18 | 24 | 26 |\n"
        "     +----+----+----+----+----+----+----+----+\n"
        "   1 |  1 |  3 |  9 | 11 | 17 | 19 | 25 | 27 |\n"
        "     +----+----+----+----+----+----+----+----+\n"
        "   2 |  4 |  6 | 12 | 14 | 20 | 22 | 28 | 30 |\n"
        "     +----+----+----+----+----+----+----+----+\n"
        "   3 |  5 |  7 | 13 | 15 | 21 | 23 | 29 | 31 |\n"
        "     +----+----+----+----+----+----+----+----+\n",
        "",
    )


def test_show_says_why_there_is_no_table(symcute) -> None:
    symbolic = symcute("show", "(M,N):(LD,1)").out.splitlines()[-1]
    how = "--at LD=4 --at M=4 --at N=4"
    assert symbolic == f"symbolic in LD, M, N: no table; {how} gives one"
    assert "\n   3 | 12 | 13 | 14 | 15 |\n" in symcute("show", "(M,N):(LD,1)", *how.split()).out
    assert symcute("show", "(2,3,4)").out.endswith(
        "rank 3: no table (tables have rows and columns)\n"
    )
    huge = symcute("show", "(1073741824,1073741824)")
    assert huge.out.endswith("no table: 1152921504606846976 offsets are more than 4096\n")
    assert len(symcute("show", "(4,8)", "--no-table").out.splitlines()) == 2


def test_show_takes_expressions_and_assumptions(symcute) -> None:
    outcome = symcute(
        "show", "logical_divide((M,N):(N,1), (128,64))", "-g", "M % 128 == 0 and N % 64 == 0"
    )
    assert outcome.out.startswith("((128,M/128),(64,N/64)):((N,128*N),(1,64))\n")


def test_show_as_json(symcute) -> None:
    told = json.loads(symcute("show", "(2,(2,2)):(4,(2,1))", "--json").out)
    assert told["table"] == [[0, 2, 1, 3], [4, 6, 5, 7]]
    assert (told["size"], told["cosize"], told["rank"], told["depth"]) == (8, 8, 2, 2)
    symbolic = json.loads(symcute("show", "(M,4):(4,1)", "--json").out)
    assert (symbolic["size"], symbolic["dims"], symbolic["table"]) == ("4*M", ["M"], None)


def test_show_swizzled_layouts(symcute) -> None:
    outcome = symcute("show", "Sw<1,0,1> o 0 o (2,2):(2,1)")
    assert outcome.out.splitlines()[3:] == [
        "       0   1",
        "     +---+---+",
        "   0 | 0 | 1 |",
        "     +---+---+",
        "   1 | 3 | 2 |",
        "     +---+---+",
    ]
    told = json.loads(symcute("show", "Sw<1,0,1> o 4 o (2,2):(2,1)", "--json").out)
    assert (told["swizzle"], told["offset"], told["table"]) == ("Sw<1,0,1>", 4, [[4, 5], [7, 6]])


def test_show_at_values_of_the_dims(symcute) -> None:
    outcome = symcute("show", "(M,2):(LD,1)", "--at", "M=2", "--at", "LD=9")
    assert outcome.out.splitlines()[0] == "(2,2):(9,1)"
    assert "   1 |  9 | 10 |" in outcome.out


def test_show_banks(symcute) -> None:
    outcome = symcute("show", "(2,2):(33,1)", "--banks")
    assert "   0 |  0 b0  |  1 b1  |" in outcome.out
    assert "   1 | 33 b1  | 34 b2  |" in outcome.out
    wide = symcute("show", "(2,2):(33,1)", "--banks", "--element-bytes", "8").out
    assert "   1 | 33 b2  | 34 b4  |" in wide
    assert "\x1b" not in outcome.out


def test_show_draws_a_picture(symcute, tmp_path) -> None:
    outcome = symcute("show", "((4,8),(2,2)):((32,1),(16,8))", "--tv", "(16,8)", "--svg", "a/b.svg")
    assert (outcome.code, outcome.err) == (0, "symcute: wrote a/b.svg, in the new folder a\n")
    root = ET.fromstring((tmp_path / "a" / "b.svg").read_text(encoding="utf-8"))
    texts = [t.text for t in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts.count("T31") == texts.count("T0") == 4
    banks = ("--banks", "--element-bytes", "2", "--svg", "c.svg", "--no-table")
    assert symcute("show", "Sw<3,3,3> o 0 o (8,64):(64,1)", *banks).code == 0
    assert "elements of 2 bytes" in (tmp_path / "c.svg").read_text(encoding="utf-8")


def test_atoms_draws_the_operands(symcute, tmp_path) -> None:
    outcome = symcute("atoms", "SM80_16x8x16_F32F16F16F32_TN", "--svg", "operands.svg")
    assert (outcome.code, outcome.err) == (0, "symcute: wrote operands.svg\n")
    root = ET.fromstring((tmp_path / "operands.svg").read_text(encoding="utf-8"))
    captions = [t.text for t in root.iter() if t.get("class") == "caption"]
    assert [c.split(":")[0] for c in captions] == ["A", "B", "C"]
    refused = symcute("atoms", "--svg", "x.svg")
    assert (refused.code, refused.err.splitlines()[0]) == (
        2,
        "symcute: --svg without the name of an atom",
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["(M,2):(2,1)", "--svg", "x.svg"], "symbolic in M: there is no picture\ngive values for"),
        (["(M,N):(N,1)", "--at", "M=2"], "--at gives N no value\nadd --at N=8"),
        (["(M,2):(2,1)", "--at", "M=2", "--at", "K=1"], "has no dim K\n"),
        (["(M,2):(2,1)", "--at", "M"], "--at M gives no dim an integer\nwrite it as --at M=8"),
        (["(2,2)", "--element-bytes", "2"], "--element-bytes without --banks\n"),
        (["(2,2)", "--tv", "(2,2)"], "--tv without --svg FILE\n"),
        (["(4,2):(1,4)", "--tv", "(2,2)", "--svg", "x.svg"], "outside the tile (2,2)\n"),
        (["(2,2,2)", "--svg", "x.svg"], "has rank 3: a picture has rows and columns\n"),
        (["(512,512)", "--svg", "x.svg"], "too many for a picture\n"),
        (["(2,2)", "--svg", "/dev/null/x.svg"], "cannot write /dev/null/x.svg"),
    ],
)
def test_show_says_what_it_cannot_draw(symcute, tmp_path, arguments, message) -> None:
    outcome = symcute("show", *arguments)
    assert outcome.code == 2
    assert message in outcome.err
    assert not (tmp_path / "x.svg").exists()


def test_show_refuses_what_is_no_layout(symcute) -> None:
    outcome = symcute("show", "M <= N")
    assert (outcome.code, outcome.err) == (
        2,
        "symcute: M <= N is not a layout\nuse symcute eval for other expressions\n",
    )


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("logical_divide((256,512), (128,64))", "((128,2),(64,8)):((1,128),(256,16384))"),
        ("coalesce((192,N):(1,192))", "192*N:1"),
        ("size((M,N))", "M*N"),
        ("((4,8):(8,1))(2,3)", "19"),
    ],
)
def test_eval(symcute, expression, result) -> None:
    assert symcute("eval", expression) == (0, result + "\n", "")


def test_eval_reads_standard_input(symcute) -> None:
    assert symcute("eval", "-", text="cosize(4:2)\n").out == "7\n"


def test_eval_as_json_tells_errors_too(symcute) -> None:
    told = json.loads(symcute("eval", "size(4:2)", "--json").out)
    assert told["result"] == "4"
    assert told["seconds"] >= 0
    outcome = symcute("eval", "4 +* 2", "--json")
    assert outcome.code == 2
    assert json.loads(outcome.out)["error"]["position"] == 3


def test_eval_of_what_cannot_be_decided_names_the_assumption(symcute) -> None:
    outcome = symcute("eval", "logical_divide(M:1, 128)")
    assert (outcome.code, outcome.out) == (1, "")
    assert "cannot decide 128 | M" in outcome.err
    assert outcome.err.endswith('\nassume "M % 128 == 0"\n')
    assert symcute("eval", "logical_divide(M:1, 128)", "-g", "M % 128 == 0").code == 0


def test_eval_of_what_is_not_admissible_names_a_witness(symcute) -> None:
    outcome = symcute("eval", "composition((6,2):(8,2), (5,3):(3,1))")
    assert outcome.code == 2
    assert "it fails at index" in outcome.err
