"""What the explorer is answered, against the algebra, the pictures, and plain evaluation."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from symcute.claims.language import evaluate
from symcute.codegen.forms import to_text
from symcute.errors import SymcuteError
from symcute.expr.assumptions import Assumptions
from symcute.hardware.memory import bank_conflicts, shared_wavefronts
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout
from symcute.processes import serving
from symcute.report.explorer import answers, views
from symcute.report.explorer.answers import FIELDS, WIDTHS, answer, answer_text, values_for
from symcute.report.explorer.page import EXAMPLES
from symcute.report.explorer.views import VIEWS
from symcute.report.pictures import panels_of

LAYOUTS = [
    "((2,2),(2,4)):((1,4),(2,8))", "(8,4):(4,1)", "7:3", "((2,3)):((5,1))", "(4,6):(-6,1)",
    "(5,1):(0,7)", "Sw<3,3,3> o 0 o (8,64):(64,1)", "(2,3,4)", "Sw<2,0,-3> o 5 o (4,8):(8,1)",
    "((2,2),3,(2,2)):((1,12),2,(24,6))", "Sw<5,0,5> o 0 o (32,32):(1,32)",
    "Sw<0,4,3> o 1 o (3,3)", "Sw<4,1,4> o 0 o (16,32):(32,1)",
]  # fmt: skip


def draw(layout: str, **fields: Any) -> dict[str, Any]:
    told = answer({"ask": "draw", "layout": layout, **fields})
    assert json.loads(json.dumps(told)) == json.loads(answer_text(json.dumps(
        {"ask": "draw", "layout": layout, **fields}
    )))  # fmt: skip
    return told


def cells(told: dict[str, Any], view: str) -> list[Any]:
    table = told["views"][view]
    colours = ["", *(fill for fill, _ in table["palette"])]
    return [[[list(c[0]), colours[c[1] + 1]] for c in row] for row in table["cells"]]


def lines(panel: Any) -> list[Any]:
    return [[[list(cell.lines), cell.fill] for cell in row] for row in panel.rows]


def layout_of(text: str) -> Layout | ComposedLayout:
    value = evaluate(text)
    return value if isinstance(value, (Layout, ComposedLayout)) else Layout(value)


@pytest.mark.parametrize("text", LAYOUTS)
def test_tables_are_those_of_the_pictures(text: str) -> None:
    value = layout_of(text)
    assert cells(draw(text), "offsets") == lines(panels_of(value, grouped=True)[-1])
    if value.rank() <= 2:
        for width in WIDTHS[1:]:
            told = draw(text, bits=str(width), views=["banks"])
            assert cells(told, "banks") == lines(
                panels_of(value, banks=True, element_bytes=width // 8)[-1]
            )


@pytest.mark.parametrize(
    ("text", "tile"),
    [
        ("((4,8),(2,2)):((32,1),(16,8))", "(16,8)"),
        ("((4,8),1):((8,1),0)", "(8,4)"),
        ("(4,4):(1,2)", "(5,2)"),
        ("(8,2):(3,1)", "(4,4)"),
        ("(4,2):(-1,1)", "(4,2)"),
        ("Sw<1,0,2> o 0 o (4,4):(4,1)", "(4,4)"),
        ("8:1", "(4,2)"),
    ],
)
def test_who_holds_what_is_that_of_the_pictures(text: str, tile: str) -> None:
    told = draw(tile, threads=text, views=["threads"])
    try:
        wanted = lines(panels_of(evaluate(text), tile=evaluate(tile))[0])
    except SymcuteError:
        assert "threads" in told["problems"] and "problem" in told["views"]["threads"]
        return
    assert cells(told, "threads") == wanted


@pytest.mark.parametrize(
    ("text", "tiler"),
    [
        ("((2,2),(2,4)):((1,4),(2,8))", "(2,4)"),
        ("(12,6):(6,1)", "<4:3,2:1>"),
        ("(8,8)", "(2,4):(1,16)"),
        ("10:2", "4"),
        ("(4,6,2)", "(2,3)"),
        ("Sw<3,3,3> o 0 o (8,64):(64,1)", "(4,8)"),
        # Tiles that reach beyond their mode, and not into the next one.
        ("(10,6):(6,1)", "(4,4)"),
        ("((3,2),5,2):((10,30),2,1)", "((2,2),3)"),
        ("(1,4):(7,1)", "(2,3)"),
        ("(4,1):(1,9)", "2"),
    ],
)
def test_tiles_are_where_zipped_divide_puts_them(text: str, tiler: str) -> None:
    """Where an element is shown, the divided layout has its offset."""
    layout, divided = layout_of(text), evaluate(f"zipped_divide(make_layout({text}), {tiler})") \
        if ":" not in text else evaluate(f"zipped_divide({text}, {tiler})")  # fmt: skip
    tiling = views.Tiling(layout, evaluate(tiler))
    for index, pairs in tiling.tiles.items():
        for place, tile in pairs:
            assert layout(index) == divided(place, tile)
    assert sorted(tiling.tiles) == list(range(int(layout.size())))
    count = sum(map(len, tiling.tiles.values()))
    assert count + tiling.beyond == divided.size()


@pytest.mark.parametrize(
    ("text", "bits", "there"),
    [
        ("Sw<3,3,3> o 0 o (8,64):(64,1)", 16, True),
        ("(64,8):(1,64)", 16, True),
        ("(4,8):(8,1)", 32, True),
        ("(4,4):(4,1)", 128, True),
        ("(8,64):(64,1)", 4, True),
        ("Sw<3,2,3> o 0 o (8,64):(64,1)", 16, False),  # four elements at a time
        ("(4,8):(9,1)", 32, False),  # rows that begin inside a chunk
        ("(4,6):(6,1)", 32, False),
        ("(8,8):(8,2)", 16, False),
    ],
)
def test_chunks_are_16_bytes(text: str, bits: int, there: bool) -> None:
    told = draw(text, bits=bits, views=["chunks"])["views"]["chunks"]
    if not there:
        assert "lie in 16 bytes are not always neighbours" in told["problem"]
        return
    layout, seen = layout_of(text), {}
    down, across = (len(layout[k].size() * [0]) for k in (0, 1))
    tall, wide = down // len(told["rows"]), across // len(told["columns"])
    assert tall * wide * bits == 128
    for i in range(down):
        for j in range(across):
            first = layout(i, j) * bits // 8
            shown, _, _ = told["cells"][i // tall][j // wide]
            assert shown == (
                str(first // 16),
                f"b{first // 16 * 4 % 32}-{first // 16 * 4 % 32 + 3}",
            )
            seen.setdefault(first // 16, set()).add((i // tall, j // wide))
    assert all(len(places) == 1 for places in seen.values())


def test_facts_are_those_of_evaluation() -> None:
    rng, seen = random.Random(11), set()
    for _ in range(150):
        shape = tuple(rng.choice((1, 2, 3, 4, 8)) for _ in range(rng.randint(1, 3)))
        stride = tuple(rng.choice((0, 1, 2, 3, 4, 8, 16, -1)) for _ in shape)
        layout: Any = Layout(shape, stride)
        if rng.random() < 0.3 and min(stride) >= 0:
            layout = evaluate(f"Sw<{rng.randint(0, 2)},{rng.randint(0, 2)},3> o 0 o {layout}")
        offsets = [layout(i) for i in range(int(layout.size()))]
        told = dict(draw(str(layout))["facts"])
        injective = len(set(offsets)) == len(offsets)
        bijective = sorted(offsets) == list(range(len(offsets)))
        assert told["size"] == str(layout.size())
        assert told["offsets"] == f"{min(offsets)} to {max(offsets)}"
        assert (told["injective"] == "yes", told["bijective"] == "yes") == (injective, bijective)
        assert injective or told["injective"].startswith("no: ")
        seen |= {(injective, bijective)}
    assert seen == {(True, True), (True, False), (False, False)}


@pytest.mark.parametrize("text", ["(32,32):(32,1)", "(32,32):(33,1)", "(32,32):(1,64)"])
@pytest.mark.parametrize("bits", [8, 32, 128])
def test_reads_cost_what_the_memory_model_says(text: str, bits: int) -> None:
    told, layout = dict(draw(text, bits=bits)["costs"]), evaluate(text)
    for how, place in (
        ("down a column", lambda k, n: (k, n)),
        ("along a row", lambda k, n: (n, k)),
    ):
        found = []
        for n in range(32):
            addresses = [layout(*place(k, n)) * bits // 8 for k in range(32)]
            more = bank_conflicts(addresses, bits // 8)
            found.append((more, shared_wavefronts(addresses, bits // 8)))
        more, waves = max(found, key=lambda x: x[0])
        least = f"{waves} wavefronts instead of {waves - more}, worst in " if more else "no bank"
        assert least in told[f"32 lanes {how}"]


def test_reads_of_values_are_those_of_the_partition() -> None:
    threads = "((4,8),(2,2)):((32,1),(16,8))"
    told = dict(draw("(16,8):(1,16)", threads=threads)["costs"])
    partition = evaluate(f"composition((16,8):(1,16), {threads})")
    assert told[f"composition(A, {threads})"] == str(partition)
    addresses = [4 * partition(t, 0) for t in range(32)]
    waves = shared_wavefronts(addresses, 4)
    assert told["32 lanes, a value each"].startswith(f"{waves} wavefronts instead of 1, worst")
    assert dict(draw("(8,8)", bits=4)["costs"])["8 lanes down a column"].startswith("not told")


def test_operations_are_those_of_the_language() -> None:
    told = draw("(8,8):(8,1)", **{"with": "(2,4)"})["operations"]
    assert len(told) == 18
    for call, result, wrong in told:
        text = call.replace("size(A)", "64").replace("(A", "((8,8):(8,1)")
        text = text.replace(" B)", " (2,4))").replace("(B,", "((2,4),")
        try:
            assert evaluate(result) == evaluate(text) or str(evaluate(text)) == result
            assert not wrong
        except SymcuteError as error:
            assert not result and str(error).split(" at column")[0] in wrong
    told = draw("(4,6,8):(2,3,5)", **{"with": "6:3"})["operations"]
    refused = {call: wrong for call, _, wrong in told}
    assert "needs that the stride 3 divides 4" in refused["composition(A, B)"]
    alone = [call for call, _, _ in draw("(8,8)")["operations"]]
    assert alone == [f"{n}(A)" for n in answers._UNARY]


def test_without_a_value_nothing_poses_as_a_result() -> None:
    told = draw("(8,8)", views=["tiles", "threads"])
    assert told["views"]["tiles"]["problem"].startswith("no tile is given")
    assert told["views"]["threads"]["problem"].startswith("no threads are given")
    assert [how for how, _ in told["costs"]] == ["8 lanes down a column", "8 lanes along a row"]


PASTED = [
    ("(_128,_64):(_1,_128)", "(128,64):(1,128)"),
    ("Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)", "Sw<3,3,3> o 0 o (8,64):(64,1)"),
    ("make_layout(make_shape(Int<8>{}, Int<4>{}), make_stride(Int<4>{}, Int<1>{}))", "(8,4):(4,1)"),
    ("cute.make_layout((8, 64), stride=(64, 1))", "(8,64):(64,1)"),
    ("Layout<Shape<_8,_4>,Stride<_4,_1>>{}", "(8,4):(4,1)"),
]


@pytest.mark.parametrize(("text", "title"), PASTED)
def test_fields_take_what_is_taken_everywhere(text: str, title: str) -> None:
    told = draw(text)
    assert (told["title"], told["problems"]) == (title, {})
    assert bool(told["remarks"]) == ("smem_ptr" in text)
    held = draw("(8,64)", tile="" if "128" in text or "Sw" in text else text, **{"with": text})
    assert not held["problems"], held["problems"]


def test_forms_are_those_that_are_copied() -> None:
    for text in ("Sw<3,3,3> o 0 o (8,64):(64,1)", "(M,N):(LD,1)"):
        for form, shown, wrong in draw(text)["forms"]:
            try:
                assert shown == to_text(evaluate(text), form)
            except SymcuteError as error:
                assert wrong == str(error)


def test_dims_have_values_that_meet_what_is_assumed() -> None:
    told = draw("(M,N):(LD,1)", given="LD >= N; M % 48 == 0", dims={"N": "9", "LD": "x"})
    values = told["dims"]
    assert values["N"] == 9 and values["LD"] >= 9 and values["M"] % 48 == 0
    assert told["title"] == "({M},9):({LD},1)".format(**values)
    told = draw("(M,N):(LD,1)", given="LD >= N", dims={"M": "2", "N": "9", "LD": "3"})
    assert told["problems"] == {"dims": "the values of the dims do not meet N <= LD; give others"}
    assert "views" not in told
    told = draw("(8,8)", tile="(T,2)")
    assert told["dims"] == {"T": 8}
    with pytest.raises(SymcuteError, match="not an integer"):
        values_for(evaluate("(M/7,8):(8,1)", ["M % 7 == 0"]), Assumptions.of([]), {"M": 3})


@pytest.mark.parametrize(
    ("fields", "field", "said"),
    [
        ({"layout": "(4,8"}, "layout", "close the '(' of column 1"),
        ({"layout": "(4,0)"}, "layout", "extent 0"),
        ({"layout": "(4,8):(1@0,1@1)"}, "layout", "has coordinates: no offsets to show"),
        ({"layout": "size((4,8)) == 3"}, "layout", "is not a layout"),
        ({"layout": "SM80_nothing"}, "layout", "there is no atom"),
        ({"layout": "logical_divide((M,N), (128,64))"}, "layout", 'assume "'),
        ({"layout": "(4,8)", "given": "M >="}, "given", "expected"),
        ({"layout": "(4,8)", "tile": "(3,2,2)"}, "tile", "the tiler has 3 modes"),
        ({"layout": "(4,8)", "threads": "(8,8):(1,8)"}, "threads", "is at 32, outside"),
        ({"layout": "(4,8)", "with": "(2,"}, "with", "close the '('"),
        ({"layout": "(1024,1024)", "tile": "(2,2)"}, "tile", "more than 16384 elements"),
    ],
)
def test_what_is_wrong_is_told_at_its_field(fields: Any, field: str, said: str) -> None:
    told = answer({"ask": "draw", **fields})
    assert list(told["problems"]) == [field] and said in told["problems"][field]
    assert ("views" in told) == (field != "layout")


@pytest.mark.parametrize(
    "text", ["{", "[]", '"x"', "{}", '{"ask": "draw", "bits": "7", "layout": "8"}']
)
def test_whatever_is_asked_there_is_an_answer(text: str) -> None:
    assert "problem" in json.loads(answer_text(text))


def test_an_instruction_is_drawn() -> None:
    for text in ("SM80_16x8x16_F32F16F16F32_TN", "MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>{}"):
        told = draw(text)
        assert told["picture"].startswith("<svg") and "views" not in told
        assert dict(told["costs"])["B"] == "((4,8),(2,2)):((16,1),(8,64)) into (8,16)"


def test_a_claim_is_decided_and_its_certificate_checked() -> None:
    asked = {"ask": "prove", "claim": "injective((M,N):(LD,1))"}
    refuted = answer(asked)
    assert (refuted["status"], refuted["suggest"]) == ("refuted", True)
    assert "certificate" not in refuted and "LD=1, M=2, N=2" in refuted["html"]
    found = answer({**asked, "ask": "suggest"})
    assert found == {"assumption": "LD >= N"}
    proved = answer({**asked, "given": found["assumption"]})
    assert (proved["status"], proved["checked"]) == ("proved", "checked")
    assert "injective" in proved["statement"] and json.loads(proved["certificate"])["given"]
    vacuous = answer({**asked, "given": "M > 4\nM < 2"})
    assert (vacuous["status"], vacuous["suggest"]) == ("unknown", False)
    assert "problem" in json.loads(answer_text(json.dumps({**asked, "claim": "injective("})))


def test_without_processes_a_solver_is_missed_and_said_so(monkeypatch: Any) -> None:
    monkeypatch.setattr(serving, "PROCESSES", False)
    told = answer({"ask": "prove", "claim": "M*M != 2*N*N"})
    assert told["status"] == "unknown" and "no solver here" in told["text"]


def test_the_examples_are_what_they_say() -> None:
    said = []
    for example in EXAMPLES:
        assert set(example) <= {*FIELDS, "name", "bits", "view", "dims"}
        told = draw(**{k: v for k, v in example.items() if k not in ("name", "claim")}, views=VIEWS)
        assert not told["problems"], example
        if "view" in example:
            assert "problem" not in told["views"][example["view"]]
        if "claim" in example:
            said.append(answer({"ask": "prove", **example})["status"])
    assert said == ["refuted", "proved", "proved", "proved", "proved"]


def test_where_a_part_of_the_text_has_no_value_nothing_is_drawn() -> None:
    at = {"M": "1", "N": "4"}
    told = draw("((M/2)*(N/2),4)", dims=at)
    assert told["problems"]["layout"].startswith("M/2 has no value at M=1") and "views" not in told
    told = draw("(M,N)", dims=at, tile="((M/2)*(N/2),1)")
    assert told["problems"]["tile"].startswith("M/2 has no value at M=1")
    assert draw("((M/2)*(N/2),4)", dims={"M": "2", "N": "4"})["problems"] == {}
