"""Swizzles pulled through layouts, slices that decay, inverses: against plain loops."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import product
from typing import Any

import pytest

from symcute import (
    ComposedLayout,
    Layout,
    NotAdmissible,
    Swizzle,
    Undecided,
    UnswizzledLayout,
    complement,
    composition,
    evaluate,
    left_inverse,
    logical_product,
    right_inverse,
    slice_,
    slice_and_offset,
)
from symcute.errors import InputError
from symcute.expr.expression import value_at
from symcute.layout.algebra.swizzled import merged_swizzles, narrowed, reached_bits

FIELDS = [
    Swizzle(b, m, s * sign) for b, m, s in product(range(4), range(4), range(5)) for sign in (1, -1)
    if s >= b
]  # fmt: skip


def test_two_swizzles_as_one() -> None:
    merged = 0
    for last, first in product(FIELDS, FIELDS):
        try:
            one = merged_swizzles(last, first)
        except NotAdmissible:
            continue
        merged += 1
        # Both are linear over F2, so single bits decide.
        assert all(one(1 << k) == last(first(1 << k)) for k in range(16)), (last, first)
    assert merged > 500


def test_narrowed_swizzles_do_the_same_where_it_counts() -> None:
    for swizzle in FIELDS:
        for reached in (0, 0b1, 0b1010, 0b110000, 0b11111111, -1):
            less = narrowed(swizzle, reached)
            assert all(less(x & reached) == swizzle(x & reached) for x in range(300))


def test_reached_bits() -> None:
    for text in ("(4,3):(1,8)", "(4,2):(1,8)", "(2,2):(0,3)", "5:3", "1:0"):
        layout = Layout.parse(text)
        bits = 0
        for i in range(int(layout.size())):
            bits |= layout(i)
        assert reached_bits(layout) == bits
    assert reached_bits(Layout.parse("M:1")) == -1


def random_composed(rng: random.Random) -> ComposedLayout:
    bits = rng.randint(0, 3)
    swizzle = Swizzle(
        bits, rng.randint(0, 3), rng.choice((bits, bits + 1, bits + 2, -bits, -bits - 1))
    )
    shape = tuple(rng.choice((1, 2, 3, 4, 8, 16)) for _ in range(rng.randint(1, 3)))
    strides = tuple(rng.choice((0, 1, 2, 4, 8, 16, 32, 64, 3, 5, -1, 24)) for _ in shape)
    layout = Layout(shape, strides) if rng.random() < 0.6 else Layout(shape)
    return ComposedLayout(swizzle, rng.choice((0, 0, 0, 8, 64, 5, 256, 100, -8)), layout)


def sliced_as(C: Any, crd: tuple[Any, ...], kept: Any, offset: Any) -> bool:
    """Whether a slice plus its offset is the layout at the coordinates with all values for `_`."""
    shape = C.shape
    for x in product(*(range(s) if c is None else (c,) for s, c in zip(shape, crd, strict=True))):
        free = tuple(v for v, c in zip(x, crd, strict=True) if c is None)
        inside = kept(free) if free else getattr(kept, "offset", 0)
        if not free and isinstance(kept, ComposedLayout):
            inside = kept.swizzle(kept.offset)
        if inside + offset != C(x):
            return False
    return True


def test_slices_against_loops() -> None:
    rng = random.Random(1)
    kinds = Counter[str]()
    for _ in range(1200):
        C = random_composed(rng)
        crd = tuple(None if rng.random() < 0.5 else rng.randrange(s) for s in C.shape)
        kept, offset = slice_and_offset(crd, C)
        kinds[type(kept).__name__] += 1
        assert sliced_as(C, crd, kept, offset), (C, crd)
        assert slice_(crd, C) == kept
    assert kinds["Layout"] > 500 and kinds["ComposedLayout"] > 300


TILE = "Sw<3,3,3> o 0 o ((8,M),(64,K)):((64,512),(1,512*M))"


@pytest.mark.parametrize(
    ("crd", "text", "given", "decays"),
    [
        ("((0,i),_)", TILE, [], True),
        ("((3,i),_)", TILE, [], True),
        ("(_,(8,j))", TILE, [], True),
        ("((i,0),_)", TILE, [], False),
        ("(_,(j,0))", TILE, [], False),
        ("(i,_)", "Sw<2,0,2> o 16*s + 4 o (M,4):(16,1)", [], True),
        ("(i,_)", "Sw<2,0,2> o 8*s o (M,4):(16,1)", [], False),
        ("(i,_)", "Sw<2,0,2> o 8*s o (M,4):(16,1)", ["s % 2 == 0"], True),
        ("(i,_)", "Sw<2,0,-2> o 16*s o (M,8,2):(16,1,8)", [], None),
        ("(_,i,1)", "Sw<2,0,2> o 0 o (4,M,2):(1,32,8)", [], True),
        ("(_,1)", "Sw<2,0,2> o 4*s o (M,4):(4,1)", [], False),
    ],
)
def test_slices_of_symbolic_layouts(
    crd: str, text: str, given: list[str], decays: bool | None
) -> None:
    if decays is None:
        with pytest.raises(InputError):
            evaluate(f"slice_and_offset({crd}, {text})")
        return
    kept, offset = evaluate(f"slice_and_offset({crd}, {text})", given)
    assert isinstance(kept, Layout) == decays
    for i, j, s, M, K in product((0, 1, 5), (0, 3), (2, 4, 6), (1, 3), (1, 2)):
        dims = {"i": i, "j": j, "s": s, "M": max(M, i + 1), "K": max(K, j + 1)}

        found = evaluate(_at(f"slice_and_offset({crd}, {text})", dims))
        mine = kept.at({k: v for k, v in dims.items() if k in kept.dims()})
        moved = value_at(offset, dims)
        size = int(mine.size())
        assert [mine(x) + moved for x in range(size)] == [
            found[0](x) + found[1] for x in range(size)
        ]


def _at(text: str, dims: dict[str, int]) -> str:
    """Return a text with numbers for the dims."""
    return re.sub(r"\b[ijsMK]\b", lambda m: str(dims[m[0]]), text)


@pytest.mark.parametrize(
    ("left", "right", "given"),
    [
        ("(8,8*M):(8,64)", "Sw<2,0,3>", []),
        ("(8,8,M):(8,1,64)", "Sw<3,0,3>", []),
        ("(8,8,M):(8,1,LD)", "Sw<3,0,3>", ["LD % 64 == 0"]),
        ("(N,M):(1,N)", "Sw<1,0,1>", ["N % 4 == 0"]),
        ("(64,M):(1,64)", "Sw<3,0,3> o 0 o (8,8):(8,1)", []),
        ("(64,M):(1,64)", "Sw<3,0,3> o 0 o (8,8,M):(8,1,64)", []),
        ("Sw<1,0,4> o 0 o (64,M):(1,64)", "Sw<1,1,4> o 0 o 64:1", []),
    ],
)
def test_symbolic_compositions_with_swizzles(left: str, right: str, given: list[str]) -> None:
    result = evaluate(f"composition({left}, {right})", given)
    A, B = evaluate(left), evaluate(right)
    for M, N, LD in product((1, 2, 3), (4, 8), (64, 128)):
        dims = {"M": M, "N": N, "LD": LD}

        def at(x: Any, dims: dict[str, int] = dims) -> Any:
            return x if isinstance(x, Swizzle) else x.at(dims)

        a, b, c = at(A), at(B), at(result)
        assert all(c(i) == a(b(i)) for i in range(int(c.size())))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("(8,8,M):(8,1,LD)", "Sw<3,0,3>"),  # LD may cut into the field
        ("(N,M):(1,N)", "Sw<1,0,1>"),  # so may N
        ("(8,M):(1,8)", "Sw<3,0,3> o 0 o (8,8):(8,1)"),  # A may end before the image of B
        ("Sw<1,0,4> o M o (64,M):(1,64)", "Sw<1,1,4>"),
    ],
)
def test_symbolic_compositions_that_are_open(left: str, right: str) -> None:
    with pytest.raises((NotAdmissible, Undecided, InputError)):
        evaluate(f"composition({left}, {right})")


def power_layout(rng: random.Random) -> Layout:
    places = rng.sample(range(7), rng.randint(2, 6))
    return Layout((2,) * len(places), tuple(1 << p for p in places))


def test_static_compositions_with_swizzles_against_loops() -> None:
    rng = random.Random(2)
    done = 0
    for _ in range(600):
        a, swizzle = power_layout(rng), random_composed(rng).swizzle
        b = ComposedLayout(swizzle, 0, power_layout(rng))
        for right in (swizzle, b):
            size = int((a if right is swizzle else b).size())
            try:
                found = composition(a, right)
            except NotAdmissible:
                continue
            done += 1
            assert all(found(i) == a(right(i)) for i in range(size)), (a, right)
    assert done > 200


def test_products_by_swizzled_layouts_against_loops() -> None:
    rng = random.Random(3)
    done = 0
    for _ in range(100):
        block = power_layout(rng)
        tiler = ComposedLayout(random_composed(rng).swizzle, 0, power_layout(rng))
        try:
            found = logical_product(block, tiler)
        except NotAdmissible:
            continue
        done += 1
        gaps = complement(block, int(block.size()) * int(tiler.cosize()))
        count = int(block.size())
        for i in range(int(found.size())):
            assert found(i) == block(i % count) + gaps(tiler(i // count)), (block, tiler)
    assert done > 50


def test_inverses_against_loops() -> None:
    rng = random.Random(4)
    done = Counter[str]()
    for _ in range(400):
        C = ComposedLayout(
            random_composed(rng).swizzle, rng.choice((0, 0, 128, 96, -5)), power_layout(rng)
        )
        try:
            left = left_inverse(C)
        except NotAdmissible:
            continue
        done[type(left).__name__] += 1
        assert all(left(C(i)) == i for i in range(int(C.size()))), C
        try:
            right = right_inverse(C)
        except NotAdmissible:
            continue
        done["right"] += 1
        assert all(C(right(i)) == i for i in range(int(right.size()))), C
    assert done["right"] > 50 and done["ComposedLayout"] > 50 and done["UnswizzledLayout"] > 50


@pytest.mark.parametrize(
    "text",
    [
        "Sw<3,3,3> o 0 o (8*M,64):(64,1)",
        "Sw<3,3,3> o 0 o (64,8*M):(1,64)",
        "Sw<2,0,-2> o 0 o (M,16):(16,1)",
        "Sw<1,1,4> o 0 o (4,M):(M,1)",
    ],
)
def test_right_inverses_with_dims(text: str) -> None:
    C = evaluate(text)
    R = right_inverse(C, given=["M % 16 == 0"])
    for M in (16, 32, 80):
        c, r = C.at({"M": M}), R.at({"M": M})
        assert int(r.size()) == int(c.size())
        assert all(c(r(i)) == i and 0 <= r(i) < int(c.size()) for i in range(int(r.size())))


def test_left_inverses_with_dims() -> None:
    C = evaluate("Sw<3,3,3> o 64*s o (8*M,64):(64,1)")
    undone = left_inverse(C)
    assert isinstance(undone, UnswizzledLayout)
    assert str(undone) == "(64,8*M):(8*M,1) o -64*s o Sw<3,3,3>"
    for M, s in product((1, 2, 5), (1, 3, 8)):
        c, u = C.at({"M": M, "s": s}), undone.at({"M": M, "s": s})
        assert all(u(c(i)) == i for i in range(int(c.size())))
    assert undone.dims() == {"M", "s"}


@pytest.mark.parametrize(
    ("text", "given", "expected"),
    [
        ("(64,M):(1,LD)", [], 1),
        ("(64,M):(1,LD)", ["LD % 8 == 0"], 8),
        ("(64,M):(1,LD)", ["LD % 128 == 0"], 64),
        ("(M,64):(1,M)", [], 1),
        ("(8,8,M):(1,8,64)", [], 64),
        ("Sw<2,3,3> o 16*s o (64,M):(1,64)", [], 8),
        ("Sw<2,3,3> o s o (64,M):(1,64)", ["s % 4 == 0"], 4),
        ("(4096,8,M):(1,4096,N)", ["N % 1024 == 0"], 1024),
    ],
)
def test_alignment_with_dims(text: str, given: list[str], expected: int) -> None:
    assert evaluate(f"max_alignment({text})", given) == expected
    for M, LD, s, N in product((1, 2, 3), (128, 256), (4, 8), (1024, 3072)):
        layout = evaluate(text).at({"M": M, "LD": LD, "s": s, "N": N})
        reached = {layout(i) for i in range(min(int(layout.size()), 1 << 12))}
        if int(layout.size()) <= 1 << 12:
            starts = {x - x % expected for x in reached}
            assert reached == {x + k for x in starts for k in range(expected)}
