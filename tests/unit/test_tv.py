"""Tiled copies, tiled MMAs, tiles and shares: against loops over threads and coordinates."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import product

import pytest

from symcute import ComposedLayout, Layout, Swizzle, dims, make_identity_layout, smem_layout_atom
from symcute.claims.language import evaluate, show_value
from symcute.errors import InputError, NotAdmissible, Undecided
from symcute.expr.expression import value_at
from symcute.layout.tv import (
    TiledCopy,
    TiledMMA,
    local_partition,
    local_tile,
    make_copy_atom,
    make_cotiled_copy,
    make_layout_tv,
    make_tiled_copy,
    make_tiled_copy_A,
    make_tiled_copy_B,
    make_tiled_copy_C,
    make_tiled_copy_D,
    make_tiled_copy_S,
    make_tiled_mma,
    tiled_mma_layout,
)

MMA = make_tiled_mma("SM80_16x8x16_F32F16F16F32_TN", Layout((2, 2)), (None, 32, 16))
VECTORS = make_tiled_copy(
    make_copy_atom("UniversalCopy<uint128_t>", 16), Layout((32, 8), (8, 1)), Layout((1, 8))
)
GIVEN = ["M % 32 == 0", "K % 64 == 0"]


def offsets(share: tuple[Layout | ComposedLayout, int]) -> list[int]:
    layout, offset = share
    return [offset + layout(i) for i in range(int(layout.size()))]


def copies() -> list[TiledCopy]:
    """Tiled copies of one-thread and of warp-wide instructions."""
    found = [VECTORS]
    for name, bits in (
        ("UniversalCopy<uint32_t>", 16), ("SM75_U32x4_LDSM_N", 16), ("SM75_U16x8_LDSM_T", 16),
        ("SM90_U32x2_STSM_N", 16), ("SM80_CP_ASYNC_CACHEALWAYS<uint64_t>", 8),
    ):  # fmt: skip
        unit = make_copy_atom(name, bits)
        values = int(unit.layout_ref[1].size())
        for thr in (Layout((16, 4)), Layout((8, 8), (8, 1))):
            for val in (Layout((1, values)), Layout((2, values))):
                found.append(make_tiled_copy(unit, thr, val))
    return found


@pytest.mark.parametrize("copy", copies(), ids=str)
def test_the_threads_of_a_copy_share_out_a_tensor(copy: TiledCopy) -> None:
    rows, columns = (int(s) for s in copy.tile_shape())
    tensor = Layout((2 * rows, 3 * columns), (3 * columns + 5, 1))
    for side in "SD":
        held = Counter(
            x
            for t in range(int(copy.size()))
            for x in offsets(getattr(copy.get_slice(t), f"partition_{side}")(tensor))
        )
        addresses = getattr(copy.atom, f"layout_{'src' if side == 'S' else 'dst'}")
        often = {int(addresses.size()) // int(copy.atom.layout_ref.size())}
        assert set(held.values()) == often, side
        assert set(held) == {tensor(i) for i in range(int(tensor.size()))}


@pytest.mark.parametrize("name", ["SM70_8x8x4_F32F16F16F32_NT", "SM80_16x8x16_F32F16F16F32_TN"])
@pytest.mark.parametrize("threads", [(1, 1, 1), (2, 2, 1), (1, 2, 2)])
def test_the_threads_of_an_mma_share_out_its_operands(name: str, threads: tuple[int, ...]) -> None:
    mma = make_tiled_mma(name, Layout(threads))
    ids = [mma.thr_layout_vmnk(i) for i in range(mma.size())]
    m, n, k = (2 * x for x in mma.tile_shape())
    for operand, shape, shared in (
        ("A", (m, k), threads[1]), ("B", (n, k), threads[0]), ("C", (m, n), threads[2])
    ):  # fmt: skip
        tensor = Layout(shape, (shape[1] + 3, 1))
        held = Counter(
            x
            for t in ids
            for x in offsets(getattr(mma.get_slice(t), f"partition_{operand}")(tensor))
        )
        assert set(held.values()) == {shared}
        assert set(held) == {tensor(i) for i in range(int(tensor.size()))}


def test_the_layouts_of_the_tile_are_the_shares_of_a_tile() -> None:
    for operand, shape in (("A", (32, 16)), ("B", (32, 16)), ("C", (32, 32))):
        layout_tv = getattr(MMA, f"get_layout{operand}_TV")()
        for t in range(MMA.size()):
            share = offsets(getattr(MMA.get_slice(t), f"partition_{operand}")(Layout(shape)))
            assert share == [layout_tv(t, v) for v in range(len(share))]
    for side in "SD":
        layout_tv = getattr(VECTORS, f"get_layout{side}_TV")()
        for t in (0, 7, 100, 255):
            share = offsets(getattr(VECTORS.get_slice(t), f"partition_{side}")(Layout((32, 64))))
            assert share == [layout_tv(t, v) for v in range(8)]


def test_symbolic_tiles_are_right_at_every_instance() -> None:
    tensor = Layout.parse("(M,K):(K,1)")
    for t in (0, 9, 255):
        layout, offset = VECTORS.get_slice(t).partition_S(tensor, given=GIVEN)
        for m, k in ((32, 64), (64, 192)):
            at = {"M": m, "K": k}
            wanted = VECTORS.get_slice(t).partition_S(tensor.at(at))
            assert layout.at(at).shape == wanted[0].shape
            assert offsets((layout.at(at), value_at(offset, at))) == offsets(wanted)
    share, _ = MMA.get_slice(3).partition_C(
        Layout.parse("(M,N):(N,1)"), given=["M % 32 == 0", "N % 32 == 0"]
    )
    assert str(share) == "((2,2),M/32,N/16):((1,8*N),32*N,16)"


def test_a_symbolic_thread() -> None:
    tensor = Layout((64, 64), (64, 1))
    layout, offset = VECTORS.get_slice(dims("t")).partition_S(tensor)
    for number in (1, 8, 9, 200):
        wanted = VECTORS.get_slice(number).partition_S(tensor)
        assert (layout, value_at(offset, {"t": number})) == wanted


def test_swizzled_tensors() -> None:
    tile = ComposedLayout(Swizzle(3, 3, 3), 0, Layout((32, 64), (64, 1)))
    for t in range(256):
        layout, offset = VECTORS.get_slice(t).partition_D(tile)
        assert [offset + layout(i) for i in range(8)] == [
            tile(t // 8, t % 8 * 8 + v) for v in range(8)
        ]


def test_coordinates_of_the_elements_of_a_thread() -> None:
    layout, offset = MMA.get_slice(5).partition_C(make_identity_layout((32, 32)))
    found = [tuple(offset + layout(i)) for i in range(int(layout.size()))]
    numbers, first = MMA.get_slice(5).partition_C(Layout((32, 32)))
    assert found == [((first + numbers(i)) % 32, (first + numbers(i)) // 32) for i in range(8)]


def test_fragments() -> None:
    tensor = Layout((64, 32), (32, 1))
    thread = MMA.get_slice(0)
    assert str(thread.partition_fragment_C(Layout((64, 64)))) == "((2,2),2,4):((1,2),4,8)"
    assert int(thread.partition_fragment_A(tensor).cosize()) == 32
    assert MMA.partition_shape_A((64, 32)) == ((2, 2, 2), 2, 2)
    assert MMA.partition_shape_B((64, 32)) == thread.partition_B(Layout((64, 32)))[0].shape
    assert MMA.partition_shape_C((64, 64)) == ((2, 2), 2, 4)
    wgmma = make_tiled_mma("SM90_64x128x16_F32F16F16_SS")
    with pytest.raises(InputError, match="does not take A from registers"):
        wgmma.get_slice(0).partition_fragment_A(Layout((64, 16)))


def test_copies_made_for_an_mma_hold_what_it_holds() -> None:
    unit = make_copy_atom("UniversalCopy<uint16_t>", 16)
    for make, operand in (
        (make_tiled_copy_A, "A"),
        (make_tiled_copy_B, "B"),
        (make_tiled_copy_C, "C"),
    ):
        copy, wanted = make(unit, MMA), getattr(MMA, f"get_layout{operand}_TV")()
        for layout_tv in (copy.get_layoutS_TV(), copy.get_layoutD_TV()):
            assert [layout_tv(i) for i in range(int(wanted.size()))] == [
                wanted(i) for i in range(int(wanted.size()))
            ]


def test_copies_made_for_another_copy() -> None:
    ldmatrix = make_tiled_copy_A(make_copy_atom("SM75_U32x4_LDSM_N", 16), MMA)
    plain = make_copy_atom("UniversalCopy<uint16_t>", 16)
    assert make_tiled_copy_S(plain, ldmatrix).layout_tv == ldmatrix.get_layoutS_TV()
    assert make_tiled_copy_D(plain, ldmatrix).layout_tv == ldmatrix.get_layoutD_TV()


def test_retile_gives_the_registers_of_the_copy() -> None:
    copy = make_tiled_copy_A(make_copy_atom("SM75_U32x4_LDSM_N", 16), MMA)
    share = MMA.get_slice(0).partition_A(Layout((64, 32)))[0]
    registers = Layout(share.shape)
    again = copy.get_slice(5).retile_D(registers)
    assert again == copy.get_slice(0).retile_S(registers) == copy.retile(registers)
    assert sorted(again(i) for i in range(32)) == list(range(32))
    loaded = copy.get_slice(0).partition_D(Layout((64, 32)))[0]
    assert [mode.size() for mode in again] == [mode.size() for mode in loaded]


def test_cotiled_copy_follows_the_offsets() -> None:
    data = Layout((8, 16), (16, 1))
    layout_tv = Layout((16, 8), (8, 1))
    copy = make_cotiled_copy(make_copy_atom("UniversalCopy<uint128_t>", 16), layout_tv, data)
    for t in range(16):
        assert offsets(copy.get_slice(t).partition_S(data)) == [8 * t + v for v in range(8)]
    with pytest.raises(NotAdmissible, match="of threads and values are offsets of the data"):
        make_cotiled_copy(
            make_copy_atom("UniversalCopy<uint128_t>", 16), layout_tv, Layout((8, 8), (16, 1))
        )


def test_tiles_and_shares_of_tensors() -> None:
    tensor = Layout((24, 32), (40, 1))
    for i, j in product(range(3), range(4)):
        layout, offset = local_tile(tensor, (8, 8), (i, j))
        assert [offset + layout(r, c) for c in range(8) for r in range(8)] == [
            tensor(8 * i + r, 8 * j + c) for c in range(8) for r in range(8)
        ]
    layout, offset = local_tile(tensor, (8, 8), (1, None))
    assert (str(layout), offset) == ("(8,8,4):(40,1,8)", 320)
    for thread in range(32):
        layout, offset = local_partition(tensor, Layout((4, 8), (8, 1)), thread)
        assert [offset + layout(i) for i in range(24)] == [
            tensor(thread // 8 + 4 * r, thread % 8 + 8 * c) for c in range(4) for r in range(6)
        ]


def test_a_projection_takes_modes_out() -> None:
    a = Layout((256, 64), (64, 1))
    tiler, coord = (128, 64, 32), (1, 0, None)
    assert local_tile(a, tiler, coord, (1, None, 1)) == local_tile(a, (128, 32), (1, None))
    threads = Layout((2, 16, 1), (16, 1, 0))
    assert local_partition(a, threads, 21, (1, None, 1)) == local_partition(
        a, Layout((2, 1), (16, 0)), 21
    )


def test_random_thread_value_layouts_are_what_the_products_say() -> None:
    rng = random.Random(0)
    for _ in range(60):
        thr, val = (
            Layout(shape, rng.choice((None, (shape[1], 1))))
            for shape in (
                (rng.choice((1, 2, 4, 3)), rng.choice((2, 8, 5))),
                (rng.choice((1, 2, 3)), rng.choice((1, 4))),
            )
        )
        tile, layout_tv = make_layout_tv(thr, val)
        place = Layout(tile)
        for (i, j), (k, m) in product(
            product(range(thr.shape[0]), range(thr.shape[1])),
            product(range(val.shape[0]), range(val.shape[1])),
        ):
            element = place(i * val.shape[0] + k, j * val.shape[1] + m)
            assert layout_tv(thr(i, j), val(k, m)) == element


def test_the_text_names() -> None:
    assert show_value(evaluate('tiled_mma_layout("SM80_16x8x16_F32F16F16F32_TN", "C", (2,2))')) == (
        str(tiled_mma_layout("SM80_16x8x16_F32F16F16F32_TN", "C", (2, 2)))
    )
    assert show_value(evaluate("make_layout_tv((4,8):(8,1), (2,2))")) == (
        "((8,16),((8,4),(2,2)):((16,2),(1,8)))"
    )
    assert show_value(evaluate("local_tile((64,64):(64,1), (32,16), (1,_))")) == (
        "((32,16,4):(64,1,16),2048)"
    )
    assert str(evaluate('smem_layout_atom("Layout_K_SW64_Atom", 16)')) == str(
        smem_layout_atom("Layout_K_SW64_Atom", 16)
    )


UNIT = make_copy_atom("SM75_U32x4_LDSM_N", 16)


@pytest.mark.parametrize(
    ("kind", "call", "says"),
    [
        (NotAdmissible, lambda: MMA.get_slice(0).partition_A(Layout((48, 32))),
         "the M mode of (48,32):(1,48) as operand A of TiledMMA(SM80_16x8x16_F32F16F16F32_TN"),
        (NotAdmissible, lambda: MMA.get_slice(0).partition_A(Layout((48, 32))), "32 divides 48"),
        (Undecided, lambda: MMA.get_slice(0).partition_C(Layout.parse("(M,32)")), "32 | M"),
        (InputError, lambda: MMA.get_slice(128), "has no thread 128; give one of 0 ... 127"),
        (InputError, lambda: MMA.thrfrg_A(Layout(32)), "give a layout of (M,K,...)"),
        (InputError, lambda: make_tiled_mma("SM75_U32x4_LDSM_N"), "is no MMA atom"),
        (InputError, lambda: make_tiled_mma("SM80_16x8x16_F16"), "did you mean SM80_16x8x16"),
        (NotAdmissible, lambda: make_tiled_mma("SM80_16x8x16_F32F16F16F32_TN", None, (24,)),
         "needs that 16 divides 24"),
        (NotAdmissible, lambda: make_tiled_mma("SM70_8x8x4_F16F16F16F16_TN", Layout((2, 3))),
         "the threads (4,2):(1,16) of the atom repeat over (2,3,1)"),
        (InputError, lambda: make_tiled_mma("SM61_DP4A", Layout((1, 1, 1, 1))), "three modes"),
        (InputError, lambda: make_tiled_mma("SM61_DP4A", Layout((1025,))), "at most 1024"),
        (InputError, lambda: make_tiled_mma("SM61_DP4A", Layout.parse("(M,2)")), "has dims"),
        (InputError, lambda: make_tiled_mma("SM61_DP4A", None, (0,)), "extents are at least 1"),
        (InputError, lambda: make_tiled_mma("SM61_DP4A", None, (-4,)), "extents are at least 1"),
        (NotAdmissible, lambda: make_tiled_mma("SM61_DP4A", Layout((2, 2), (1, 1))),
         "no two thread groups of (2,2,1):(1,1,0) are the same threads"),
        (InputError, lambda: tiled_mma_layout("SM61_DP4A", "D"), "give A, B or C"),
        (InputError, lambda: make_copy_atom("SM61_DP4A", 8), "is no copy instruction"),
        (InputError, lambda: make_copy_atom("SM75_U32x4_LDSM_N", 24), "elements of 24 bits"),
        (NotAdmissible, lambda: make_tiled_copy(UNIT, Layout((8, 2)), Layout((1, 8))),
         "the threads of TiledCopy(SM75_U32x4_LDSM_N"),
        (NotAdmissible, lambda: make_tiled_copy(UNIT, Layout((8, 4)), Layout((1, 4))),
         "needs that 8 divides 4"),
        (NotAdmissible, lambda: make_layout_tv(Layout((4, 8), (1, 3)), Layout(2)),
         "(4,8):(1,3) is a bijection onto 0 ... 32 - 1"),
        (NotAdmissible, lambda: VECTORS.get_slice(0).partition_S(Layout((40, 64))),
         "mode 0 of (40,64):(1,40) as a tensor of TiledCopy"),
        (InputError, lambda: VECTORS.get_slice(0).partition_S(Layout(64)), "fewer modes"),
        (InputError, lambda: VECTORS.get_slice(256), "has no thread 256"),
        (InputError, lambda: TiledCopy(UNIT, Layout(32), (32,)), "is no thread-value layout"),
        (InputError, lambda: local_tile(Layout((8, 8)), (2, 2), (0, 0), (1,)), "does not fit"),
        (NotAdmissible, lambda: local_tile(Layout((30, 32)), (16, 16), (0, 0)), "16 divides 30"),
        (NotAdmissible, lambda: local_tile(Layout((30, 32)), 128, 0), "128 divides 960"),
        (Undecided, lambda: local_tile(Layout.parse("(M,32)"), (Layout(16),), (0,)), "16 | M"),
        (NotAdmissible, lambda: local_partition(Layout((32, 30)), Layout((4, 8)), 1),
         "mode 1 of (32,30):(1,32) as a tensor of local_partition needs that 8 divides 30"),
        (InputError, lambda: local_partition(Layout((8, 8)), Layout((2, 2), (0, 1)), 1),
         "its stride 0 is below 1"),
    ],
)  # fmt: skip
def test_errors_name_the_object_and_the_rule(
    kind: type[InputError], call: Callable[[], object], says: str
) -> None:
    with pytest.raises(kind) as error:
        call()
    assert says in str(error.value)


def test_objects_say_what_they_were_made_of() -> None:
    assert str(MMA) == "TiledMMA(SM80_16x8x16_F32F16F16F32_TN, (2,2,1):(1,2,0), (_,32,16))"
    assert str(VECTORS.atom) == "UniversalCopy<uint128_t> of 16-bit elements"
    assert (
        isinstance(MMA, TiledMMA)
        and make_tiled_mma("SM80_16x8x16_F32F16F16F32_TN", Layout((2, 2)), (None, 32, 16)) == MMA
    )
