"""What the explorer's page computes, against the library: the same text, or both refuse."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from symcute.claims.language import evaluate, show_value
from symcute.errors import SymcuteError
from symcute.expr.htuple import unflatten
from symcute.hardware.memory import bank_conflicts, shared_wavefronts
from symcute.layout import algebra
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout, Swizzle
from symcute.report.explorer.page import explorer_page
from symcute.report.pictures import panels_of

pytestmark = pytest.mark.full

#: Cases of each operation.
CASES = 2000


@pytest.fixture(scope="module")
def computing(browser: Any, tmp_path_factory: Any) -> Iterator[Any]:
    """A page whose functions are called from here; it may complain of nothing."""
    path = tmp_path_factory.mktemp("explore") / "explore.html"
    path.write_text(explorer_page(Layout((4, 8), (8, 1))), encoding="utf-8")
    context = browser.new_context(offline=True)
    opened = context.new_page()
    wrong: list[str] = []
    opened.on("console", lambda m: wrong.append(m.text))
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.goto(path.as_uri())
    yield opened
    context.close()
    assert wrong == []


SAID = """texts => texts.map((text) => {
  const found = attempt(() => evaluate(text));
  if (found instanceof Refusal) return null;
  return isTuple(found) || found === null ? show(found) : String(found);
})"""


class Draw:
    """Layouts, swizzles and tilers of one seed; half of them of powers of two, which fit often."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def extents(self, count: int) -> list[int]:
        some = (1, 2, 2, 4, 4, 8) if self.rng.random() < 0.6 else (1, 2, 3, 4, 5, 6, 7, 12)
        return self.rng.choices(some, k=count)

    def strides(self, extents: list[int]) -> list[int]:
        """Return strides: compact in some order, with gaps and zeros, or anything."""
        rng, found = self.rng, [0] * len(extents)
        if rng.random() < 0.3:
            return rng.choices((-4, -1, 0, 0, 1, 1, 2, 3, 4, 6, 8, 16), k=len(extents))
        step = rng.choice((1, 1, 1, 2, 3, 4))
        for k in rng.sample(range(len(extents)), len(extents)):
            found[k] = 0 if rng.random() < 0.08 else step
            step *= extents[k] * rng.choice((1, 1, 1, 1, 2, 3))
        return found

    def profile(self, count: int) -> Any:
        """Return a hierarchy of so many leaves."""
        if count == 1:
            return 0 if self.rng.random() < 0.9 else (0,)
        cuts = sorted(self.rng.sample(range(1, count), self.rng.randint(1, min(2, count - 1))))
        ends = zip([0, *cuts], [*cuts, count], strict=True)
        return tuple(self.profile(end - start) for start, end in ends)

    def layout(self, most: int = 4) -> Layout:
        extents = self.extents(self.rng.randint(1, most))
        profile = self.profile(len(extents))
        strides = self.strides(extents)
        return Layout(unflatten(tuple(extents), profile), unflatten(tuple(strides), profile))

    def map(self, most: int = 4) -> Layout | ComposedLayout:
        layout = self.layout(most)
        if self.rng.random() > 0.25:
            return layout
        return ComposedLayout(self.swizzle(), self.rng.choice((0, 0, 0, 4, 5)), layout)

    def swizzle(self) -> Swizzle:
        bits = self.rng.randint(0, 3)
        shift = self.rng.choice((1, -1)) * self.rng.randint(bits, 4)
        return Swizzle(bits, self.rng.randint(0, 4), shift)

    def tile(self) -> Any:
        """Return an extent or a layout."""
        if self.rng.random() < 0.5:
            return self.rng.choice((1, 2, 2, 3, 4, 4, 6, 8))
        return self.layout(2)

    def tiler(self, rank: int) -> Any:
        """Return a tile, or a tuple of such and of `_`."""
        if self.rng.random() < 0.4:
            return self.tile()
        count = self.rng.randint(1, rank + (self.rng.random() < 0.1))
        return tuple(None if self.rng.random() < 0.1 else self.tile() for _ in range(count))


def written(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({','.join(map(written, value))}{',' * (len(value) == 1)})"
    return "_" if value is None else str(value)


def one(draw: Draw) -> tuple[Any, ...]:
    return (draw.map(),)


def with_tiler(draw: Draw) -> tuple[Any, ...]:
    layout = draw.map()
    return layout, draw.tiler(layout.rank())


def with_repetitions(draw: Draw) -> tuple[Any, ...]:
    layout = draw.map(3)
    swizzled = draw.rng.random() < 0.1
    return layout, ComposedLayout(draw.swizzle(), 0, draw.layout(2)) if swizzled else draw.tiler(
        layout.rank()
    )


def with_anything(draw: Draw) -> tuple[Any, ...]:
    layout, what = draw.map(), draw.rng.random()
    if what < 0.55:
        return layout, draw.layout(3)
    if what < 0.7:
        return layout, draw.swizzle()
    return layout, draw.map(2) if what < 0.85 else draw.tiler(layout.rank())


def with_size(draw: Draw) -> tuple[Any, ...]:
    what = draw.rng.random()
    size = draw.layout(2) if what < 0.3 else (4, draw.rng.randint(1, 40)) if what < 0.5 else None
    return draw.map(), size or draw.rng.choice((0, 1, 7, 24, 64, 100, 512))


def with_layout(draw: Draw) -> tuple[Any, ...]:
    return draw.map(3), draw.layout(3)


def with_profile(draw: Draw) -> tuple[Any, ...]:
    layout = draw.map()
    return layout, draw.rng.choice(((1,), (1, 1), (1, 1, 1), ((1, 1), 1)))


FUNCTIONS: dict[str, tuple[Callable[..., Any], Callable[[Draw], tuple[Any, ...]]]] = {
    "coalesce": (algebra.coalesce, one),
    "flatten": (algebra.flatten, one),
    "filter": (algebra.filter_, one),
    "right_inverse": (algebra.right_inverse, one),
    "left_inverse": (algebra.left_inverse, one),
    "complement": (algebra.complement, with_size),
    "composition": (algebra.composition, with_anything),
    "logical_divide": (algebra.logical_divide, with_tiler),
    "zipped_divide": (algebra.zipped_divide, with_tiler),
    "tiled_divide": (algebra.tiled_divide, with_tiler),
    "flat_divide": (algebra.flat_divide, with_tiler),
    "logical_product": (algebra.logical_product, with_repetitions),
    "zipped_product": (algebra.zipped_product, with_repetitions),
    "tiled_product": (algebra.tiled_product, with_repetitions),
    "flat_product": (algebra.flat_product, with_repetitions),
    "blocked_product": (algebra.blocked_product, with_layout),
    "raked_product": (algebra.raked_product, with_layout),
}


def compared(page: Any, cases: list[tuple[str, str | None]]) -> int:
    """Return how many of the cases have a result; the page must give each letter by letter."""
    said = page.evaluate(SAID, [text for text, _ in cases])
    wrong = [
        (text, wanted, got)
        for (text, wanted), got in zip(cases, said, strict=True)
        if wanted != got
    ]
    assert wrong == [], f"{len(wrong)} of {len(cases)} differ, the first: {wrong[:3]}"
    return sum(wanted is not None for _, wanted in cases)


def outcome(function: Callable[..., Any], *arguments: Any) -> str | None:
    try:
        return show_value(function(*arguments))
    except SymcuteError:
        return None


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_operation_gives_what_the_library_gives(computing: Any, name: str) -> None:
    function, arguments = FUNCTIONS[name]
    draw = Draw(8)
    cases = []
    for _ in range(CASES):
        given = arguments(draw)
        text = f"{name}({', '.join(map(written, given))})"
        cases.append((text, outcome(function, *given)))
    there = compared(computing, cases)
    # Both roads are taken, but by the operations that never refuse.
    assert there >= CASES // 8
    assert there == CASES or CASES - there >= CASES // 50


def expression(draw: Draw, deep: int = 0) -> str:
    """Return text of the grammar: arithmetic, layouts, swizzles, chains; some of it malformed."""
    rng = draw.rng
    if deep > 2 or rng.random() < 0.3:
        return rng.choice(("4", "2", "0x10", "1_6", "07", "-3", "(8)", "0", "12", "_", "(4,)"))
    parts = [expression(draw, deep + 1) for _ in range(2)]
    small = written(draw.layout(3))
    sign = rng.choice(("+", "-", "*", "/", "//", "%", "**", " << ", " >> "))
    swizzle = f"{rng.choice(('Sw', 'Swizzle', 'S'))}<{rng.randint(0, 3)},{rng.randint(-1, 3)},3>"
    return rng.choice(
        (
            f"{parts[0]}{sign}{parts[1]}",
            f"({parts[0]},{parts[1]})",
            f"({parts[0]}):({parts[1]})",
            f"{parts[0]}:{parts[1]}",
            f"{rng.choice(('min', 'max', 'ceil_div', 'floor_div', 'mod'))}({parts[0]},{parts[1]})",
            f"{swizzle} o {small}",
            f"Sw<2,0,3> o {parts[0]} o {small}",
            f"{small} o {parts[0]} o Sw<1,0,2>",
            f"{small} o <{parts[0]},{parts[1]}>",
            f"{small} o {written(draw.layout(2))}",
            f"coalesce({small})",
            f"({parts[0]}",
            f"{parts[0]} {parts[1]}",
        )
    )


def test_text_means_what_the_library_reads(computing: Any) -> None:
    draw = Draw(5)
    texts = {expression(draw) for _ in range(700)}
    cases = [(text, outcome(evaluate, text)) for text in sorted(texts)]
    there = compared(computing, cases)
    assert len(texts) // 4 <= there <= 3 * len(texts) // 4


@pytest.mark.parametrize(
    "text",
    [
        "((M+1)//2,N%4+1):(3*M-3,M**2*N)",
        "(ceil_div(M,3),min(M,N)):(max(M,N),N-M)",
        "(M/2,N):(1,M/2)",
        "((128,M/128),(64,N/64)):((N,128*N),(1,64))",
        "Sw<3,3,3> o N o (M,N):(N,1)",
    ],
)
def test_dims_have_the_values_they_are_given(computing: Any, text: str) -> None:
    printed = show_value(evaluate(text, ["M % 128 == 0", "N % 64 == 0"]))
    layout = evaluate(printed, ["M % 128 == 0", "N % 64 == 0"])
    for m, n in ((128, 64), (256, 192), (7, 9)):
        try:
            wanted = str(layout.at({"M": m, "N": n}))
        except SymcuteError:
            wanted = None
        at = f"{{M: {m}n, N: {n}n}}"
        got = computing.evaluate(
            f"text => {{ const x = attempt(() => layoutOf(text, {at}));"
            " return x instanceof Refusal ? null : String(x); }",
            printed,
        )
        assert got == wanted


PLAIN = "(rows) => rows.map((row) => row.map(({ lines, fill }) => [lines, fill ? fill[0] : '']))"
CELLS = f"""([view, text, bits]) =>
  ({PLAIN})(cellsOf(view, layoutOf(text), {{ bits: BigInt(bits) }}))"""

LAYOUTS = [
    "((2,2),(2,4)):((1,4),(2,8))", "(8,4):(4,1)", "7:3", "((2,3)):((5,1))", "(4,6):(-6,1)",
    "(5,1):(0,7)",
    "Sw<3,3,3> o 0 o (8,64):(64,1)",
    "(2,3,4)", "((2,2),3,(2,2)):((1,12),2,(24,6))", "Sw<2,0,-3> o 5 o (4,8):(8,1)",
    "Sw<5,0,5> o 0 o (32,32):(1,32)", "Sw<0,4,3> o 1 o (3,3)", "Sw<4,1,4> o 0 o (16,32):(32,1)",
]  # fmt: skip


def lines(panel: Any) -> list[Any]:
    return [[[list(cell.lines), cell.fill] for cell in row] for row in panel.rows]


@pytest.mark.parametrize("text", LAYOUTS)
def test_tables_are_those_of_the_pictures(computing: Any, text: str) -> None:
    value = evaluate(text)
    value = Layout(value) if isinstance(value, tuple) else value
    shown = computing.evaluate(CELLS, ["offsets", text, 32])
    assert shown == lines(panels_of(value, grouped=True)[-1])
    if value.rank() <= 2:
        for width in (8, 16, 32, 64, 128):
            banks = computing.evaluate(CELLS, ["banks", text, width])
            assert banks == lines(panels_of(value, banks=True, element_bytes=width // 8)[0])


OWNERS = f"""([text, tile]) => {{
  const layout = layoutOf(tile);
  const owners = attempt(() => ownersOf(layoutOf(text), layout.size));
  if (owners instanceof Refusal) return null;
  return ({PLAIN})(cellsOf("threads", layout, {{ holding: {{ owners }} }}));
}}"""


@pytest.mark.parametrize(
    ("text", "tile"),
    [
        ("((4,8),(2,2)):((32,1),(16,8))", (16, 8)),
        ("((4,8),1):((8,1),0)", (8, 4)),
        ("(4,4):(1,2)", (5, 2)),
        ("(2,3):(1,1)", (4, 1)),
        ("(8,2):(3,1)", (4, 4)),
        ("(4,2):(-1,1)", (4, 2)),
        ("Sw<1,0,2> o 0 o (4,4):(4,1)", (4, 4)),
        ("8:1", (4, 2)),
    ],
)
def test_who_holds_what_is_that_of_the_pictures(computing: Any, text: str, tile: Any) -> None:
    try:
        wanted = lines(panels_of(evaluate(text), tile=tile)[0])
    except SymcuteError:
        wanted = None
    assert computing.evaluate(OWNERS, [text, str(tile)]) == wanted


TILES = """([text, tiler]) => {
  const { tiles, beyond } = tilesOf(layoutOf(text), evaluate(tiler));
  const told = ([index, pairs]) => pairs.map((pair) => [index, ...pair].map(Number));
  const found = [...tiles].flatMap(told);
  return [found, Number(beyond)];
}"""


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
def test_tiles_are_where_zipped_divide_puts_them(computing: Any, text: str, tiler: str) -> None:
    """Where the page shows an element, the divided layout has its offset."""
    layout = evaluate(f"make_layout({text})") if ":" not in text else evaluate(text)
    divided = evaluate(f"zipped_divide({text}, {tiler})")
    found, beyond = computing.evaluate(TILES, [text, tiler])
    for index, place, tile in found:
        assert layout(index) == divided(place, tile)
    assert sorted(index for index, _, _ in found) == list(range(layout.size()))
    assert len(found) + beyond == divided.size()


WAVES = """cases => cases.map(([addresses, width]) => {
  const { found, served } = wavefronts(addresses.map(BigInt), BigInt(width));
  return [Number(found), Number(served)];
})"""


def test_wavefronts_are_those_of_the_memory_model(computing: Any) -> None:
    rng, cases = random.Random(3), []
    for _ in range(400):
        width = rng.choice((1, 2, 4, 8, 16))
        step, lanes = (
            rng.choice((0, 1, 1, 2, 3, 4, 8, 16, 32, 33)),
            rng.choice((4, 8, 16, 31, 32)),
        )
        pair = rng.choice((1, 1, 2, 4))
        jump = rng.choice((0, 0, 1, 17))
        cases.append(
            ([width * (lane // pair * step + lane % 4 * jump) for lane in range(lanes)], width)
        )
    wanted = []
    for addresses, width in cases:
        waves = shared_wavefronts(addresses, width)
        wanted.append([waves, waves - bank_conflicts(addresses, width)])
    assert computing.evaluate(WAVES, cases) == wanted
    assert sum(waves > served for waves, served in wanted) > 100


FACTS = """texts => texts.map((text) => {
  const facts = Object.fromEntries(factsOf(layoutOf(text)));
  return Object.values(facts).map((x) => String(x).replace(/^no: .*/, "no"));
})"""


def test_facts_are_those_of_the_library(computing: Any) -> None:
    draw, wanted = Draw(11), {}
    for layout in (draw.map() for _ in range(500)):
        offsets = [layout(i) for i in range(int(layout.size()))]
        injective = len(set(offsets)) == len(offsets)
        bijective = sorted(offsets) == list(range(len(offsets)))
        measures = (layout.size(), layout.cosize(), layout.rank(), layout.depth())
        spanned = f"{min(offsets)} to {max(offsets)}"
        answers = ("yes" if injective else "no", "yes" if bijective else "no")
        wanted[str(layout)] = [*map(str, measures), spanned, *answers]
    assert computing.evaluate(FACTS, list(wanted)) == list(wanted.values())
    assert {x[-2] for x in wanted.values()} == {x[-1] for x in wanted.values()} == {"yes", "no"}
