"""Pictures as SVG: well formed, and in every cell what the layout says."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from itertools import combinations
from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

import symcute
from symcute import ComposedLayout, Layout, Swizzle, to_svg
from symcute.errors import InputError
from symcute.report.pictures import BANKS, LARGEST, LIGHT, STEPS, WIDEST, bank_of
from symcute.report.svg import text_colour

SVG = "{http://www.w3.org/2000/svg}"


def panels(svg: str) -> list[list[list[tuple[list[str], str]]]]:
    """Return for each panel its rows of cells: the lines of text, and the colour."""
    root = ET.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    found = []
    for panel in root.findall(f"{SVG}g[@class='panel']"):
        rows = []
        for group in panel.find(f"{SVG}g").findall(f"{SVG}g"):
            cells = group.findall(f"{SVG}g[@class='cell']")
            fills = [c.find(f"{SVG}rect").get("fill").replace("none", "") for c in cells]
            rows.append(
                [
                    ([t.text for t in c.findall(f"{SVG}text")], fill)
                    for c, fill in zip(cells, fills, strict=True)
                ]
            )
        found.append(rows)
    return found


def texts(rows: list) -> list[list[str]]:
    return [["/".join(lines) for lines, _ in row] for row in rows]


@given(st.integers(1, 9), st.integers(1, 9), st.integers(-40, 40), st.integers(-40, 40))
def test_every_cell_has_its_offset(m: int, n: int, d: int, e: int) -> None:
    (rows,) = panels(to_svg(Layout((m, n), (d, e))))
    assert texts(rows) == [[str(i * d + j * e) for j in range(n)] for i in range(m)]
    assert {fill for row in rows for _, fill in row} == {""}


def test_nested_modes_and_rank_1() -> None:
    (rows,) = panels(to_svg(Layout(((2, 2), (2, 4)), ((1, 4), (2, 8)))))
    assert texts(rows)[1] == ["1", "3", "9", "11", "17", "19", "25", "27"]
    (rows,) = panels(to_svg(Layout(5, 3)))
    assert texts(rows) == [["0", "3", "6", "9", "12"]]
    (rows,) = panels(to_svg(Layout(((2, 2),), ((10, 1),))))
    assert texts(rows) == [["0", "10", "1", "11"]]


def test_a_layout_of_coordinates() -> None:
    (rows,) = panels(to_svg(symcute.make_identity_layout((2, 3))))
    assert texts(rows)[1] == ["(1,0)", "(1,1)", "(1,2)"]


@pytest.mark.parametrize("width", [1, 2, 4, 8, 16])
def test_banks_are_those_of_the_addresses(width: int) -> None:
    (rows,) = panels(to_svg(Layout((8, 16), (17, 1)), banks=True, element_bytes=width))
    for i, row in enumerate(rows):
        for j, (lines, fill) in enumerate(row):
            offset = 17 * i + j
            bank = (offset * width) % 128 // 4
            assert lines == [str(offset), f"b{bank}"]
            assert fill == BANKS[bank]


def test_each_bank_has_its_own_colour() -> None:
    assert len(set(BANKS)) == 32
    (rows,) = panels(to_svg(Layout((1, 64), (0, 1)), banks=True))
    fills = [fill for _, fill in rows[0]]
    assert len(set(fills[:32])) == 32
    assert fills[:32] == fills[32:]


def test_banks_can_be_told_apart() -> None:
    """Any two colours are as far apart in OKLab as four steps of the even scale, or farther."""

    def oklab(fill: str) -> list[float]:
        channels = [int(fill[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        lms = (
            (0.4122214708, 0.5363325363, 0.0514459929),
            (0.2119034982, 0.6806995451, 0.1073969566),
            (0.0883024619, 0.2817188376, 0.6299787005),
        )
        roots = [sum(w * c for w, c in zip(row, linear, strict=True)) ** (1 / 3) for row in lms]
        lab = (
            (0.2104542553, 0.7936177850, -0.0040720468),
            (1.9779984951, -2.4285922050, 0.4505937099),
            (0.0259040371, 0.7827717662, -0.8086757660),
        )
        return [sum(w * c for w, c in zip(row, roots, strict=True)) for row in lab]

    def least(colours: Sequence[str]) -> float:
        return min(dist(oklab(a), oklab(b)) for a, b in combinations(colours, 2))

    assert least(BANKS) > 0.11 > 4 * least(STEPS)


def test_operands_lie_as_cute_arranges_them() -> None:
    """Rows of A beside those of C, columns of B above those of C, B with K down."""
    atom = symcute.atom("SM80_16x8x16_F32F16F16F32_TN")
    root = ET.fromstring(symcute.tilings_to_svg(atom.layouts(), atom.name))
    found = [g for g in root.iter(f"{SVG}g") if g.get("class") == "panel"]
    (ax, ay), (bx, by), (cx, cy) = (
        map(int, re.findall(r"\d+", g.get("transform", ""))) for g in found
    )
    assert ay == cy and bx == cx and ax < cx and by < cy


def test_a_swizzle_before_and_after() -> None:
    before, after = panels(to_svg(ComposedLayout(Swizzle(2, 1, 3), 0, Layout((8, 16), (16, 1)))))
    for i in range(8):
        for j in range(16):
            offset = 16 * i + j
            moved = offset ^ ((offset >> 4 & 3) << 1)
            assert before[i][j] == ([str(offset)], LIGHT[offset >> 1 & 3])
            assert after[i][j] == ([str(moved)], LIGHT[moved >> 1 & 3])


def test_banks_before_and_after_a_swizzle() -> None:
    layout = ComposedLayout(Swizzle(2, 1, 3), 0, Layout((8, 16), (16, 1)))
    before, after = panels(to_svg(layout, banks=True, element_bytes=8))
    for i in range(8):
        for j in range(16):
            offset = 16 * i + j
            moved = offset ^ ((offset >> 4 & 3) << 1)
            assert before[i][j][0] == [str(offset), f"b{offset * 8 % 128 // 4}"]
            assert after[i][j] == ([str(moved), f"b{moved * 8 % 128 // 4}"], BANKS[moved * 2 % 32])


def test_a_swizzle_that_was_found() -> None:
    rows, column = "access((8,2):(8,64), 16, 128)", "access((8,8):(64,8), 16, 128)"
    found = symcute.find_swizzle([rows, column])
    svg = symcute.swizzling_to_svg(found)
    assert len(panels(svg)) == 4
    before, after = panels(svg)[2:]
    for request in range(8):
        plain = [64 * lane + 8 * request for lane in range(8)]
        moved = [x ^ ((x >> 6 & 7) << 3) for x in plain]
        for table, offsets in ((before, plain), (after, moved)):
            banks = [f"b{2 * x % 128 // 4}" for x in offsets]
            assert [table[i][request][0] for i in range(8)] == [
                [str(x), b] for x, b in zip(offsets, banks, strict=True)
            ]
            assert len(set(banks)) == (1 if table is before else 8)
    notes = [t.text for t in ET.fromstring(svg).iter(f"{SVG}text") if t.get("class") == "note"]
    assert notes[2:] == [
        "lanes are rows; framed: 8 ways in bank 0", "proved: at most 1 way in every request",
    ]  # fmt: skip
    frames = [p.get("d") for p in ET.fromstring(svg).iter(f"{SVG}path") if p.get("class") == "mark"]
    assert [frame.count("M") for frame in frames] == [8, 8, 8, 8]


def test_a_swizzle_of_a_tile_with_dims_is_drawn_at_the_counterexample() -> None:
    found = symcute.find_swizzle("access((8,8,M):(64,8,512), 16, 128)", bits=9)
    assert [len(rows[0]) for rows in panels(symcute.swizzling_to_svg(found))] == [8, 8]
    free = symcute.find_swizzle("access((32,M):(1,32), 32)", bits=5)
    assert str(free) == "Sw<0,0,0>"
    with pytest.raises(InputError, match="nothing says what M is"):
        symcute.swizzling_to_svg(free)
    moved = symcute.find_swizzle("access((32,2):(1,32), 32, 32, 5)", bits=5)
    with pytest.raises(InputError, match="without a base"):
        symcute.swizzling_to_svg(moved)


@pytest.mark.parametrize("swizzle", [Swizzle(0, 4, 3), Swizzle(6, 0, 6), Swizzle(1, 0, -1)])
def test_swizzles_of_every_width_are_drawn(swizzle: Swizzle) -> None:
    layout = ComposedLayout(swizzle, 3, Layout((4, 4), (4, 1)))
    before, after = panels(to_svg(layout))
    assert texts(before) == [[str(3 + 4 * i + j) for j in range(4)] for i in range(4)]
    assert texts(after) == [[str(layout(i, j)) for j in range(4)] for i in range(4)]


def test_who_holds_each_element_of_a_tile() -> None:
    # The accumulator of the tensor core's 16x8 tile (PTX ISA, mma.m16n8k16): row 8*(v/2) + t/4,
    # column 2*(t%4) + v%2.
    (rows,) = panels(to_svg(Layout(((4, 8), (2, 2)), ((32, 1), (16, 8))), tile=(16, 8)))
    for t in range(32):
        for v in range(4):
            assert rows[8 * (v // 2) + t // 4][2 * (t % 4) + v % 2] == (
                [f"T{t}", f"V{v}"], LIGHT[t % 8],
            )  # fmt: skip


def test_elements_held_twice_or_by_none() -> None:
    (rows,) = panels(to_svg(Layout((4, 2), (0, 2)), tile=(2, 2)))
    assert texts(rows) == [["T0/V0 +3", "T0/V1 +3"], ["-", "-"]]


def test_the_operands_of_an_instruction() -> None:
    atom = symcute.atom("SM80_16x8x16_F32F16F16F32_TN")
    a, turned, c = panels(symcute.tilings_to_svg(atom.layouts(), atom.name))
    b = list(zip(*turned, strict=True))  # drawn with K down
    for rows, (layout, (m, n)) in zip((a, b, c), atom.layouts().values(), strict=True):
        assert (len(rows), len(rows[0])) == (m, n)
        for t in range(32):
            for v in range(int(layout[1].size())):
                i, j = layout(t, v) % m, layout(t, v) // m
                assert rows[i][j][0] == [f"T{t}", f"V{v}"]


def test_a_request_to_shared_memory() -> None:
    (rows,) = panels(symcute.request_to_svg(symcute.Access(Layout((32, 4), (32, 1)), 32), (3,)))
    assert texts(rows) == [[f"{128 * lane + 12}/b3" for lane in range(32)]]
    wide = symcute.Access(Layout((32, 4), (4, 1)), 32, 128)
    (rows,) = panels(symcute.request_to_svg(wide))
    assert [len(row) for row in rows] == [8, 8, 8, 8]
    for i, row in enumerate(rows):
        for j, (lines, fill) in enumerate(row):
            lane = 8 * i + j
            assert lines == [str(16 * lane), f"b{4 * lane % 32}-{4 * lane % 32 + 3}"]
            assert fill == BANKS[4 * lane % 32]


def test_lanes_that_meet_in_a_bank_have_a_frame() -> None:
    half = symcute.request_to_svg(symcute.Access(Layout(((16, 2),), ((1, 32),)), 32))
    root = ET.fromstring(half)
    (frame,) = (p for p in root.iter(f"{SVG}path") if p.get("class") == "mark")
    assert frame.get("d").count("M") == 2  # lanes 0 and 16, in bank 0
    free = symcute.request_to_svg(symcute.Access(Layout(((16, 2),), ((1, 48),)), 32))
    assert 'class="mark"' not in free
    same = symcute.request_to_svg(symcute.Access(Layout((32,), (0,)), 32))
    assert 'class="mark"' not in same  # one word, read once


def test_lanes_that_go_in_pairs_stand_in_one_row() -> None:
    pairs = symcute.Access(Layout(((2, 8, 2),), ((0, 1, 32),)), 64)
    svg = symcute.request_to_svg(pairs)  # of a load: both halves need bank 0, at bytes 0 and 256
    (rows,) = panels(svg)
    assert [len(row) for row in rows] == [32]
    (frame,) = (p for p in ET.fromstring(svg).iter(f"{SVG}path") if p.get("class") == "mark")
    assert frame.get("d").count("M") == 4
    (rows,) = panels(symcute.request_to_svg(symcute.Access(Layout((32,), (-1,)), 64)))
    assert [len(row) for row in rows] == [16, 16]


def test_accesses_that_are_not_aligned_have_a_frame() -> None:
    svg = symcute.request_to_svg(symcute.Access(Layout(((16, 2),), ((2, 33),)), 32, 64))
    (frame,) = (p for p in ET.fromstring(svg).iter(f"{SVG}path") if p.get("class") == "mark")
    assert frame.get("d").count("M") == 16  # the lanes at an odd offset
    assert "framed: not aligned to 8 bytes" in svg


def test_a_request_to_global_memory() -> None:
    access = symcute.Access(Layout((32, 2), (3, 1000)), 32)
    (rows,) = panels(symcute.request_to_svg(access, (1,), sectors=True))
    for lane in range(32):
        address = 4 * (3 * lane + 1000)
        lines, fill = rows[lane // 8][lane % 8]
        assert lines == [str(address), f"s{address // 32}"]
        assert fill == LIGHT[address // 32 % 8]


@pytest.mark.parametrize("request_", [(4,), (-1,), (), (0, 0)])
def test_requests_that_are_not_there(request_: tuple) -> None:
    with pytest.raises(InputError, match="has no request"):
        symcute.request_to_svg(symcute.Access(Layout((32, 4), (32, 1)), 32), request_)


def test_a_request_of_unknown_strides() -> None:
    with pytest.raises(InputError, match="symbolic in LD"):
        symcute.request_to_svg(symcute.Access(Layout.parse("(32,4):(LD,1)"), 32))


def test_marked_cells_have_a_frame() -> None:
    root = ET.fromstring(to_svg(Layout((3, 3), (1, 1)), mark=[(0, 1), (1, 0)]))
    (frame,) = (p for p in root.iter(f"{SVG}path") if p.get("class") == "mark")
    assert frame.get("d").count("M") == 2
    assert "marked are (0,1), (1,0)" in root.find(f"{SVG}desc").text


def test_text_stands_out_from_every_colour() -> None:
    """WCAG 2, level AA: a contrast of at least 4.5."""
    for fill in (*STEPS, *LIGHT, *BANKS):
        channels = [int(fill[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        light = sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
        ink = {"dark": 0.0, "light": 1.0}[text_colour(fill)]
        assert (max(light, ink) + 0.05) / (min(light, ink) + 0.05) >= 4.5, fill


def titles(svg: str) -> list[str]:
    """Return the tooltips of the cells, row by row."""
    cells = ET.fromstring(svg).iter(f"{SVG}g")
    return [c.find(f"{SVG}title").text for c in cells if c.get("class") == "cell"]


def test_a_cell_says_what_is_known_of_it() -> None:
    assert titles(to_svg(Layout(((2, 2), 2), ((1, 40), 2))))[6] == (
        "coordinate ((1,1),0): offset 41, bank 9 (elements of 4 bytes)"
    )
    assert titles(to_svg(Layout(4, 20), banks=True, element_bytes=2))[3] == (
        "coordinate 3: offset 60, bank 30 (elements of 2 bytes)"
    )
    assert (
        titles(to_svg(symcute.make_identity_layout((2, 3))))[1] == "coordinate (0,1): offset (0,1)"
    )
    tile = to_svg(Layout(((2, 2), 2), ((0, 1), 2)), tile=(2, 4))
    assert titles(tile)[0] == "element (0,0), index 0: thread 0 = (0,0), value 0, and 1 more"
    assert titles(tile)[2] == "element (0,2), index 4: held by nobody"
    wide = symcute.request_to_svg(symcute.Access(Layout((32,), (4,)), 32, 128))
    assert titles(wide)[9] == "lane 9: byte 144, banks 4 to 7"
    rows = symcute.request_to_svg(symcute.Access(Layout((32,), (1,)), 32), sectors=True)
    assert titles(rows)[9] == "lane 9: byte 36, sector 1"


def test_a_picture_stands_by_itself() -> None:
    svg = to_svg(Layout((2, 2)))
    root = ET.fromstring(svg)
    assert root.find(f"{SVG}title").text == "(2,2):(1,2)"
    assert "prefers-color-scheme: dark" in root.find(f"{SVG}style").text
    assert "href" not in svg
    assert "url(" not in svg


def test_a_notebook_shows_it() -> None:
    assert panels(Layout((2, 2))._repr_svg_())
    assert len(panels(ComposedLayout(Swizzle(1, 0, 1), 0, Layout((2, 2)))._repr_svg_())) == 2
    assert Layout((2, 2, 2))._repr_svg_() is None
    assert Layout.parse("(M,N):(N,1)")._repr_svg_() is None


@pytest.mark.parametrize(
    ("layout", "more", "message"),
    [
        (Layout.parse("(M,4):(4,1)"), {}, "symbolic in M: there is no picture.*--at M=8"),
        (Layout((2, 2, 2)), {}, "has rank 3"),
        (Layout(()), {}, "has no modes"),
        (Layout((LARGEST // 64 + 1, 64)), {}, "too many for a picture"),
        (Layout((1, WIDEST + 1)), {}, "too many for a picture"),
        (Layout((2, 2)), {"banks": True, "tile": (2, 2)}, "banks of a thread-value layout"),
        (Layout((2, 2)), {"banks": True, "element_bytes": 0}, "elements of 0 bytes"),
        (Layout((4, 2), (1, 4)), {"tile": (2, 2)}, "thread 0, value 1 is at 4, outside"),
        (Layout((4, 2), (1, 4)), {"tile": (2, 2, 2)}, "the tile"),
        (Layout((4, 2), (1, 4)), {"tile": "x"}, "the tile"),
        (Layout((4, 2), (-1, 4)), {"tile": (8, 1)}, "outside the tile"),
        (Layout(8), {"tile": (8, 1)}, "has rank 1"),
        (Layout.parse("(M,4):(4,1)"), {"tile": (8, 1)}, "symbolic in M"),
        (Layout((2, 2)), {"mark": [(2, 0)]}, "no cell"),
        (symcute.make_identity_layout((2, 3)), {"banks": True}, "coordinates"),
    ],
)
def test_what_cannot_be_drawn_says_why(layout: Layout, more: dict, message: str) -> None:
    with pytest.raises(InputError, match=f"(?s){message}"):
        to_svg(layout, **more)


def test_the_bank_of_an_element() -> None:
    assert [bank_of(x, 2) for x in (0, 1, 2, 63, 64)] == [0, 0, 1, 31, 0]


def test_a_notebook_shows_tilings() -> None:
    mma = symcute.make_tiled_mma("SM80_16x8x16_F32F16F16F32_TN", Layout((2, 1)))
    a, b, c = panels(mma._repr_svg_())
    assert (len(a), len(b), len(b[0]), len(c)) == (32, 16, 8, 32)
    assert texts(b)[0][0] == "T0/V0 +1"  # two atoms share the operand B
    copy = symcute.make_tiled_copy(
        symcute.make_copy_atom("UniversalCopy<uint16_t>", 16), Layout((32, 1)), Layout((1, 8))
    )
    source, target = panels(copy._repr_svg_())
    assert source == target
    assert texts(source)[5] == [f"T5/V{v}" for v in range(8)]
    assert len(panels(symcute.atom("SM70_8x8x4_F16F16F16F16_TN")._repr_svg_())) == 3
