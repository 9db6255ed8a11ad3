"""Linear layouts against plain loops, and against what Triton's own tests expect."""

from __future__ import annotations

import random
from itertools import product
from math import prod
from typing import Any

import pytest

from symcute import (
    ComposedLayout,
    Layout,
    LinearLayout,
    NotAdmissible,
    Swizzle,
    blocked_layout,
    conversion,
    from_linear,
    from_triton,
    to_linear,
    to_triton,
)
from symcute.errors import InputError, TextError
from symcute.layout.linear import PLACES, Bases


def linear(shape: tuple[int, ...], **bases: list[list[int]]) -> LinearLayout:
    return LinearLayout(
        tuple((name, tuple(map(tuple, vectors))) for name, vectors in bases.items()), shape
    )


def everywhere(layout: LinearLayout) -> list[dict[str, int]]:
    """All places of a layout."""
    names = [name for name, _ in layout.bases]
    ranges = [range(layout.size(name)) for name in names]
    return [dict(zip(names, x, strict=True)) for x in product(*ranges)]


def by_hand(layout: LinearLayout, places: dict[str, int]) -> tuple[int, ...]:
    """The coordinate, from the definition: the exclusive or of the bases of the bits."""
    found = [0] * len(layout.shape)
    for name, vectors in layout.bases:
        for k, v in enumerate(vectors):
            if places[name] >> k & 1:
                found = [a ^ b for a, b in zip(found, v, strict=True)]
    return tuple(found)


def random_linear(rng: random.Random, shape: tuple[int, ...], sizes: list[int]) -> LinearLayout:
    """Bases drawn at random: mostly different bits of the tile, some zero, some mixed."""
    bits = [
        tuple(1 << k if j == m else 0 for j in range(len(shape)))
        for m, s in enumerate(shape)
        for k in range(s.bit_length() - 1)
    ]
    rng.shuffle(bits)
    vectors = bits[: sum(sizes)]
    while len(vectors) < sum(sizes):
        vectors.append((0,) * len(shape))
    for k in range(len(vectors)):
        if rng.random() < 0.25:
            other = rng.choice(vectors)
            vectors[k] = tuple(a ^ b for a, b in zip(vectors[k], other, strict=True))
    rng.shuffle(vectors)
    found: list[tuple[str, Bases]] = []
    for name, n in zip(PLACES, sizes, strict=False):
        found.append((name, tuple(vectors[:n])))
        vectors = vectors[n:]
    return LinearLayout(tuple(found), shape)


@pytest.mark.parametrize("seed", range(40))
def test_maps_against_loops(seed: int) -> None:
    rng = random.Random(seed)
    shape = rng.choice([(8, 8), (16, 4), (64,), (4, 4, 4)])
    layout = random_linear(rng, shape, [rng.randint(0, 2), rng.randint(1, 3), rng.randint(0, 2)])
    held = [by_hand(layout, p) for p in everywhere(layout)]
    assert [layout(**p) for p in everywhere(layout)] == held
    assert layout.is_injective() == (len(set(held)) == len(held))
    assert layout.is_surjective() == (len(set(held)) == prod(shape))
    assert layout.is_bijective() == (layout.is_injective() and layout.is_surjective())
    for x in product(*(range(s) for s in shape)):
        if x in held:
            assert layout(**layout.holder(*x)) == x
        else:
            with pytest.raises(NotAdmissible):
                layout.holder(*x)
    again = from_triton(to_triton(layout), shape)
    assert dict(again.bases) == {"block": (), **dict(layout.bases)}


WITHIN = {"thread": ("register",), "warp": PLACES[:2], "block": PLACES[:3], "cluster": PLACES}


def nearest(source: LinearLayout, target: LinearLayout) -> str | None:
    """By loops: the smallest unit in which the source has every element the target wants there."""
    for within, free in WITHIN.items():
        stay = [name for name, _ in source.bases if name not in free]
        held = {(tuple(p[name] for name in stay), by_hand(source, p)) for p in everywhere(source)}
        if all(
            (tuple(p[name] for name in stay), by_hand(target, p)) in held
            for p in everywhere(target)
        ):
            return within
    return None


def test_conversions_against_loops() -> None:
    rng = random.Random(5)
    seen: dict[str | None, int] = {}
    for _ in range(250):
        shape = rng.choice([(4, 4), (8, 2), (16,)])
        sizes = [rng.randint(1, 3), rng.randint(0, 2), rng.randint(0, 1), rng.randint(0, 1)]
        source = random_linear(rng, shape, sizes)
        if rng.random() < 0.4:  # the same threads, other registers
            kept = dict(source.bases)
            registers = list(kept["register"])
            rng.shuffle(registers)
            if registers and rng.random() < 0.5:
                registers.append(rng.choice(registers))
            kept["register"] = tuple(registers)
            target = LinearLayout(tuple(kept.items()), shape)
        else:
            target = random_linear(rng, shape, [rng.randint(0, 3), *sizes[1:]])
        within = nearest(source, target)
        seen[within] = seen.get(within, 0) + 1
        if within is None:
            with pytest.raises(NotAdmissible):
                conversion(source, target)
            continue
        found = conversion(source, target)
        assert found.within == within, (source, target)
        for p in everywhere(target):
            origin = found(**p)
            assert by_hand(source, origin) == by_hand(target, p)
            assert all(
                origin[name] == p[name] for name, _ in source.bases if name not in WITHIN[within]
            )
    assert all(seen[key] >= 5 for key in (*WITHIN, None)), seen


def test_what_a_conversion_needs() -> None:
    layout = blocked_layout((64, 64), (1, 4), (8, 4), (2, 2), (1, 0))
    assert conversion(layout, layout).needs == "nothing"
    swapped = blocked_layout((64, 64), (4, 1), (8, 4), (2, 2), (1, 0))
    assert conversion(layout, swapped).needs == "shared memory"
    mma = from_triton(
        "#ttg.linear<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], "
        "[4, 0]], warp = [], block = []}>"
    )
    rows = from_triton(
        "#ttg.linear<{register = [[8, 0], [0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], "
        "[4, 0]], warp = [], block = []}>"
    )
    columns = from_triton(
        "#ttg.linear<{register = [[0, 2], [0, 4]], lane = [[0, 1], [1, 0], [2, 0], [4, 0], "
        "[8, 0]], warp = [], block = []}>"
    )
    assert conversion(mma, rows).needs == "registers"
    assert conversion(mma, columns).needs == "shuffles"


#: (shape, arguments of the blocked layout, bases): what Triton's own tests expect.
#: Source: Triton, unittest/Dialect/TritonGPU/LinearLayoutConversionsTest.cpp.
PUBLISHED: list[tuple[Any, ...]] = [
    ("SimpleBlocked", (16,), ([1], [4], [4], [0]), {}, [], [[1], [2]], [[4], [8]], []),
    ("CTADuplication", (32,), ([1], [4], [4], [0]),
     {"blocks": [4], "split": [2]}, [], [[1], [2]], [[4], [8]], [[16], [0]]),
    ("CTABroadcast", (64, 128), ([8, 1], [8, 4], [1, 4], [0, 1]),
     {"blocks": [1, 2], "split": [1, 2], "block_order": [1, 0]},
     [[1, 0], [2, 0], [4, 0], [0, 16], [0, 32]],
     [[8, 0], [16, 0], [32, 0], [0, 1], [0, 2]], [[0, 4], [0, 8]], [[0, 64]]),
    ("ShapeLargerThanLayout", (128,), ([1], [4], [4], [0]), {},
     [[16], [32], [64]], [[1], [2]], [[4], [8]], []),
    ("ShapeLargerThanLayout2DDegenerate", (128, 1), ([1, 1], [4, 1], [4, 1], [0, 1]), {},
     [[16, 0], [32, 0], [64, 0]], [[1, 0], [2, 0]], [[4, 0], [8, 0]], []),
    ("ShapeSmallerThanLayout", (8,), ([4], [4], [4], [0]), {},
     [[1], [2]], [[4], [0]], [[0], [0]], []),
    ("ReversedOrder", (1, 64), ([1, 1], [32, 1], [1, 8], [0, 1]), {},
     [[0, 8], [0, 16], [0, 32]], [[0, 0]] * 5, [[0, 1], [0, 2], [0, 4]], []),
    ("ReplicateInRegisterDim", (32,), ([2], [4], [1], [0]), {},
     [[1], [8], [16]], [[2], [4]], [], []),
    ("OneDimTooLargeAnotherTooSmall", (128, 16), ([1, 4], [8, 4], [4, 1], [1, 0]),
     {"blocks": [2, 2], "split": [2, 1], "block_order": [1, 0]},
     [[0, 1], [0, 2], [32, 0]], [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]],
     [[8, 0], [16, 0]], [[0, 0], [64, 0]]),
    ("RepeatInCTGDimFirst", (4,), ([1], [1], [4], [0]), {"blocks": [2], "split": [2]},
     [], [], [[1], [0]], [[2]]),
    ("SmallerThanCTALayout", (2,), ([1], [1], [1], [0]), {"blocks": [4], "split": [4]},
     [], [], [], [[1], [0]]),
    ("Skinny", (64, 1), ([8, 1], [8, 4], [1, 4], [0, 1]), {"blocks": [1, 2], "split": [1, 2]},
     [[1, 0], [2, 0], [4, 0]], [[8, 0], [16, 0], [32, 0], [0, 0], [0, 0]],
     [[0, 0], [0, 0]], [[0, 0]]),
    ("BlockedOrder", (1024, 128), ([2, 2], [4, 8], [2, 2], [1, 0]),
     {"blocks": [2, 2], "split": [2, 2], "block_order": [1, 0]},
     [[0, 1], [1, 0], [0, 32], [16, 0], [32, 0], [64, 0], [128, 0], [256, 0]],
     [[0, 2], [0, 4], [0, 8], [2, 0], [4, 0]], [[0, 16], [8, 0]], [[0, 64], [512, 0]]),
    ("Blocked4D", (2, 1, 1, 1),
     ([1, 1, 1, 4], [2, 1, 1, 16], [1, 2, 4, 1], [3, 0, 1, 2]), {"block_order": [3, 2, 1, 0]},
     [[0, 0, 0, 0]] * 2, [[0, 0, 0, 0]] * 4 + [[1, 0, 0, 0]], [[0, 0, 0, 0]] * 3, []),
]  # fmt: skip


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case[0])
def test_blocked_layouts_are_those_of_triton(case: tuple[Any, ...]) -> None:
    _, shape, lists, more, *bases = case
    expected = linear(shape, **dict(zip(PLACES, bases, strict=True)))
    assert blocked_layout(shape, *lists, **more) == expected
    names = ("sizePerThread", "threadsPerWarp", "warpsPerCTA", "order")
    fields = [f"{name} = {x}" for name, x in zip(names, lists, strict=True)]
    words = {"blocks": "CTAsPerCGA", "split": "CTASplitNum", "block_order": "CTAOrder"}
    fields += [f"{words[key]} = {x}" for key, x in more.items()]
    assert from_triton(f"#b = #ttg.blocked<{{{', '.join(fields)}}}>", shape) == expected


def test_blocked_layouts_against_the_definition() -> None:
    """A thread holds `size_per_thread` neighbours, a warp its threads side by side, and so on.

    Where the tile goes on the same threads hold the next part of it in more registers.
    """
    rng = random.Random(9)
    for _ in range(60):
        rank = rng.choice((1, 2, 2, 3))
        order = rng.sample(range(rank), rank)
        per_thread, lanes, warps = (
            [rng.choice((1, 1, 2, 4)) for _ in range(rank)] for _ in range(3)
        )
        shape = [
            a * b * c * rng.choice((1, 1, 2, 4))
            for a, b, c in zip(per_thread, lanes, warps, strict=True)
        ]
        more = [
            s // (a * b * c) for s, a, b, c in zip(shape, per_thread, lanes, warps, strict=True)
        ]
        layout = blocked_layout(shape, per_thread, lanes, warps, order)
        if sum(layout.bits(name) for name in PLACES) > 10:
            continue

        def digits(index: int, sizes: list[int], order: list[int] = order) -> list[int]:
            found = [0] * len(sizes)
            for m in order:
                index, found[m] = divmod(index, sizes[m])
            return [*found, index]

        for p in everywhere(layout):
            *r, again = digits(p["register"], per_thread)
            rep, lane, warp = (
                digits(x, n) for x, n in ((again, more), (p["lane"], lanes), (p["warp"], warps))
            )
            assert layout(**p) == tuple(
                r[m] + per_thread[m] * (lane[m] + lanes[m] * (warp[m] + warps[m] * rep[m]))
                for m in range(rank)
            )


#: NVIDIA's thread-value layouts (cute/atom/mma_traits_sm80.hpp and others) and tiled ones.
TVS = [
    ("((4,8),(2,2)):((32,1),(16,8))", (16, 8)),
    ("((4,8),(2,2,2)):((32,1),(16,8,128))", (16, 16)),
    ("((8,4,4),(2,2)):((1,64,16),(8,256))", (64, 16)),
    ("(32,(2,2)):(1,(32,64))", (32, 4)),
    ("((4,8),(2,2)):((0,1),(16,8))", (16, 8)),
]


@pytest.mark.parametrize(("text", "shape"), TVS)
def test_thread_value_layouts_there_and_back(text: str, shape: tuple[int, ...]) -> None:
    tv = Layout.parse(text)
    found = to_linear(tv, shape)
    threads, values = int(tv[0].size()), int(tv[1].size())
    for t, v in product(range(threads), range(values)):
        place = {"register": v, "lane": t % 32, "warp": t // 32}
        m, n = found(**place)
        assert m + shape[0] * n == tv(t, v)
    back = from_linear(found)
    assert all(back(t, v) == tv(t, v) for t, v in product(range(threads), range(values)))
    assert to_linear(back, shape) == found


@pytest.mark.parametrize(
    ("text", "shape", "bases"),
    [
        # SM80_16x8_Row (cute/atom/mma_traits_sm80.hpp); MMAv2 without the repetitions of the tile.
        (
            "((4,8),(2,2)):((32,1),(16,8))",
            (16, 8),
            "{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], "
            "warp = []}",
        ),
        # CLayout_64x16 (cute/atom/mma_traits_sm90_gmma.hpp); MMAv3_64x16.
        (
            "((4,8,4),(2,2,2)):((128,1,16),(64,8,512))",
            (64, 16),
            "{register = [[0, 1], [8, 0], [0, 8]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], "
            "[4, 0]], warp = [[16, 0], [32, 0]]}",
        ),
    ],
)
def test_accumulators_of_cute_are_those_of_triton(
    text: str, shape: tuple[int, ...], bases: str
) -> None:
    """Source: Triton, unittest/Dialect/TritonGPU/LinearLayoutConversionsTest.cpp."""
    assert str(to_linear(Layout.parse(text), shape)) == bases


def test_swizzled_thread_value_layouts() -> None:
    tv = ComposedLayout(Swizzle(2, 0, 3), 0, Layout(((4, 8), 2), ((1, 8), 4)))
    found = to_linear(tv, (8, 8))
    assert found.is_bijective()
    back = from_linear(found)
    assert isinstance(back, ComposedLayout)
    assert all(back(t, v) == tv(t, v) for t, v in product(range(32), range(2)))


def test_warps_and_blocks_of_threads() -> None:
    tv = Layout.parse("((32,4,2),2):((1,64,256),32)")
    found = to_linear(tv, (512,), warps=4)
    assert [found.size(name) for name in PLACES] == [2, 32, 4, 2]
    assert found(register=1, lane=3, warp=2, block=1) == (32 + 3 + 128 + 256,)
    assert to_linear(tv, (512,), lanes=64).size("lane") == 64


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: LinearLayout((), (12, 4)),
            "the tile (12,4) of a linear layout has the extent 12; extents are powers of two",
        ),
        (
            lambda: linear((4, 4), register=[[4, 0]]),
            "the basis [4, 0] of register is no coordinate of (4,4); give a coordinate of the tile "
            "for every bit",
        ),
        (
            lambda: linear((4,), lane=[[1]], register=[[2]]),
            "a linear layout over lane, register; the places are register, lane, warp, block",
        ),
        (
            lambda: linear((4,), thread=[[1]]),
            "a linear layout over thread; the places are register, lane, warp, block",
        ),
        (
            lambda: linear((4,), register=[[1]])(register=2),
            "register=2 is no place of {register = [[1]]}; there are 2",
        ),
        (
            lambda: linear((4,), register=[[1]])(lane=1),
            "lane=1 is no place of {register = [[1]]}; there are 1",
        ),
        (
            lambda: linear((4,), register=[[1]]).holder(2),
            "holder(2) of {register = [[1]]} needs that some place holds it",
        ),
        (
            lambda: linear((4,), register=[[1]]).holder(4),
            "(4) is no coordinate of (4); give one number for each mode of the tile",
        ),
        (
            lambda: conversion(linear((4,), lane=[[1], [2]]), linear((8,), lane=[[1], [2]])),
            "tiles of (4) and (8); convert one tile",
        ),
        (
            lambda: conversion(linear((4,), lane=[[1], [2]]), linear((4,), lane=[[1]])),
            "4 and 2 lanes hold the tile; give both layouts the same number of lanes",
        ),
        (
            lambda: conversion(linear((4,), lane=[[1]]), linear((4,), lane=[[2]])),
            "conversion({lane = [[1]]}, {lane = [[2]]}) needs that the source holds every element "
            "that the target does; some elements of the target are nowhere in the source",
        ),
        (
            lambda: to_linear(Layout((6, 4)), (24,)),
            "to_f2((6,4):(1,6)) needs that every extent is a power of two; it fails at 6",
        ),
        (
            lambda: to_linear(Layout((8, 4)), (16,)),
            "(8,4):(1,8) leaves the tile (16); give the tile that it partitions",
        ),
        (
            lambda: to_linear(Layout((8, 4)), (32,), lanes=24),
            "24 lanes; give a power of two for the lanes",
        ),
        (
            lambda: to_linear(Layout(8), (8,)),
            "8:1 is no thread-value layout; give ((threads), (values))",
        ),
        (
            lambda: blocked_layout((16,), (3,), (4,), (1,), (0,)),
            "size_per_thread [3] has 3; give powers of two",
        ),
        (
            lambda: blocked_layout((16, 16), (1, 1), (4,), (1, 1), (0, 1)),
            "threads_per_warp [4] has 1 modes, the shape 2; give one for each",
        ),
        (
            lambda: blocked_layout((16, 16), (1, 1), (4, 8), (1, 1), (0, 0)),
            "order [0, 0] orders no 2 modes; permute 0 ... 1",
        ),
        (
            lambda: blocked_layout((16,), (1,), (4,), (1,), (0,), blocks=(2,), split=(4,)),
            "split [4] of the blocks [2]; each divides its number of blocks",
        ),
    ],
)
def test_bad_input(make: Any, words: str) -> None:
    with pytest.raises(InputError) as error:
        make()
    assert str(error.value) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expected #ttg.linear or #ttg.blocked"),
        ("#ttg.shared<{vec = [1]}>", "expected #ttg.linear or #ttg.blocked, found '#ttg.shared' "
         "at column 1"),
        ("#ttg.linear<{register = [[1, 0], lane = []}>", "expected number, found 'lane' at column "
         "34"),
        ("#ttg.linear<{register = [[-1]]}>", "the character '-' is not understood at column 27; "
         "give one linear or blocked layout"),
        ("#ttg.linear<{register = [[1]], register = []}>", "register is given twice, found "
         "'register' at column 32"),
        ("#ttg.linear<{register = [[1]]}> 4", "expected the end of the layout, found '4' at column "
         "33"),
        ("#ttg.linear<{register = [[[1]]]}>", "expected number, found '[' at column 27"),
        ("#ttg.linear<{thread = [[1]]}>", "thread = ((1)) in a linear layout; give lists of "
         "coordinates for register, lane, warp, block"),
        ("#ttg.linear<{register = [1]}>", "register = (1) in a linear layout; give lists of "
         "coordinates for register, lane, warp, block"),
        ("#ttg.linear<{register = []}>", "the bases do not tell the rank of the tile; give its "
         "shape"),
        ("#ttg.linear<{register = [[1], [1, 0]]}>", "the bases do not tell the rank of the tile; "
         "give its shape"),
        ("#ttg.blocked<{sizePerThread = [1]}>", "a blocked layout without threadsPerWarp; give "
         "sizePerThread, threadsPerWarp, warpsPerCTA, order"),
        ("#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [4], warpsPerCTA = [1], order = "
         "[0]}>", "a blocked layout by itself has no tile; give the shape of the tile"),
        ("#ttg.linear<{register = [[" + "9" * 30 + "]]}>", "a number of more than 20 digits"),
    ],
)  # fmt: skip
def test_text_that_is_refused(text: str, words: str) -> None:
    with pytest.raises(InputError) as error:
        from_triton(text)
    assert str(error.value).startswith(words)


def test_text_that_is_no_text_or_too_long() -> None:
    with pytest.raises(InputError, match="from_triton takes a text, not 4; give it as a str"):
        from_triton(4)
    with pytest.raises(TextError, match="longer than 20000 characters"):
        from_triton("#" * 20_001)
