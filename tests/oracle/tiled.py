"""Random tiled copies, tiled MMAs and tiles of tensors, by symcute and in CuTe C++."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from symcute import Layout, make_layout
from symcute.interop import to_cpp
from symcute.layout.atoms import atom
from symcute.layout.tv import (
    TiledCopy,
    TiledMMA,
    local_partition,
    local_tile,
    make_copy_atom,
    make_tiled_copy,
    make_tiled_copy_A,
    make_tiled_copy_B,
    make_tiled_copy_C,
    make_tiled_mma,
)

INCLUDES = """\
#include <cstdio>
#include <cute/tensor.hpp>
#include <cute/atom/mma_atom.hpp>
#include <cute/atom/copy_atom.hpp>
"""
#: What the C++ of a case is printed by.
HELPERS = """\
using namespace cute;
#define P(n, ...) do { printf("%d ", n); print(__VA_ARGS__); printf("\\n"); } while (0)
template <class L> auto numbered(L const& layout) {
  return make_tensor(counting_iterator<int>{0}, layout);
}
"""

#: Atoms of every kind of layout that registers have.
MMAS = (
    "SM70_8x8x4_F16F16F16F16_TN", "SM70_8x8x4_F32F16F16F32_NT", "SM75_8x8x16_S32S8S8S32_TN",
    "SM80_16x8x8_F32F16F16F32_TN", "SM80_16x8x16_F32F16F16F32_TN", "SM80_16x8x8_F32TF32TF32F32_TN",
    "SM80_8x8x4_F64F64F64F64_TN", "SM80_16x8x64_S32U4U4S32_TN",
    "SM80_8x8x128_S32U1U1S32_TN_XORPOPC",
    "SM89_16x8x32_F32E4M3E5M2F32_TN", "SM90_16x8x16_F64F64F64F64_TN",
)  # fmt: skip
REPEATED = (
    Layout((1, 1, 1)), Layout((2, 2, 1)), Layout((2, 2)), Layout((4, 1, 1)), Layout((1, 4)),
    Layout((2, 3, 1)), Layout((2, 2, 1), (2, 1, 0)), Layout((2, 1, 2)), Layout((2, 2, 2)),
)  # fmt: skip
#: Copy instruction, bits of an element, and the C++ type of that width.
COPIES = (
    ("UniversalCopy<uint16_t>", 16), ("UniversalCopy<uint128_t>", 16),
    ("UniversalCopy<uint64_t>", 32), ("UniversalCopy<uint32_t>", 8),
    ("SM80_CP_ASYNC_CACHEALWAYS<uint128_t>", 16), ("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", 32),
    ("SM75_U32x1_LDSM_N", 16), ("SM75_U32x2_LDSM_N", 16), ("SM75_U32x4_LDSM_N", 16),
    ("SM75_U32x4_LDSM_N", 8), ("SM75_U16x2_LDSM_T", 16), ("SM75_U16x8_LDSM_T", 16),
    ("SM90_U32x2_STSM_N", 16), ("SM90_U32x4_STSM_N", 32), ("SM90_U16x8_STSM_T", 16),
)  # fmt: skip
TYPES = {8: "uint8_t", 16: "half_t", 32: "float", 64: "double"}


@dataclass(frozen=True)
class Case:
    """What is compared: the C++ that prints it, and what symcute says."""

    what: str
    cpp: str
    ours: Callable[[], str]


def cases(rng: random.Random, count: int) -> Iterator[Case]:
    """Yield the comparisons of so many tiled MMAs, tiled copies and tiles each."""
    for _ in range(count):
        yield from _mma(rng)
        yield from _copy(rng)
        yield from _mma_copy(rng)
        yield from _local(rng)


def _compact(rng: random.Random, shape: tuple[int, ...]) -> Layout:
    """Draw an order of the modes, and padding now and then."""
    order, strides, current = rng.sample(range(len(shape)), len(shape)), [0] * len(shape), 1
    for k in order:
        strides[k] = current
        current *= shape[k]
        current += rng.choice((0, 0, 8)) if current > 1 else 0
    return Layout(shape, tuple(strides))


def _moved(pair: tuple[Any, Any]) -> str:
    """Return a layout at an offset as CuTe prints a tensor of a counting iterator."""
    return f"counting_iter({pair[1]}) o {pair[0]}"


def _permutation(rng: random.Random, unit: int) -> tuple[Any, str]:
    """Draw what permutes a mode, and its C++ text."""
    kind = rng.randrange(5)
    if kind == 0:
        extent = unit * rng.choice((1, 2))
        return extent, f"Int<{extent}>{{}}"
    if kind == 1 and unit % 4 == 0:
        # The second half of the unit beside the first, in groups of two.
        layout = Layout((2, unit // 4, 2), (1, 4, 2))
        return layout, to_cpp(layout)
    return None, "_"


def _cpp(layout: Layout) -> str:
    return to_cpp(layout)


def _drawn_mma(rng: random.Random) -> tuple[TiledMMA, str]:
    name = rng.choice(MMAS)
    # Quad pairs of a warp come in twos: 3 of them are refused.
    layout = rng.choice([x for x in REPEATED if not (3 in x.shape and name.startswith("SM70"))])
    extents = [*(int(s) for s in layout.shape), 1, 1][:3]
    shape = atom(name).shape_mnk
    perms = [_permutation(rng, s * n) for s, n in zip(shape, extents, strict=True)]
    tile = f"make_tile({', '.join(text for _, text in perms)})"
    written = f"make_tiled_mma({name}{{}}, {_cpp(layout)}, {tile})"
    return make_tiled_mma(name, layout, tuple(p for p, _ in perms)), written


def _mma(rng: random.Random) -> Iterator[Case]:
    mma, written = _drawn_mma(rng)
    yield Case(
        f"threads of {mma}", f"{written}.get_thr_layout_vmnk()", lambda: str(mma.thr_layout_vmnk)
    )
    for operand, modes in (("A", (0, 2)), ("B", (1, 2)), ("C", (0, 1))):
        get, deal = getattr(mma, f"get_layout{operand}_TV"), getattr(mma, f"thrfrg_{operand}")
        yield Case(
            f"layout{operand}_TV of {mma}",
            f"{written}.get_layout{operand}_TV()",
            lambda g=get: str(g()),
        )
        shape = tuple(mma.tile_size(m) * rng.choice((1, 2, 3)) for m in modes)
        shape = (*shape, 3) if rng.random() < 0.3 else shape
        tensor = _compact(rng, shape)
        yield Case(
            f"thrfrg_{operand} of {tensor} by {mma}",
            f"{written}.thrfrg_{operand}({_cpp(tensor)})",
            lambda d=deal, t=tensor: str(d(t)),
        )
        thread = rng.randrange(mma.size())
        share = getattr(mma.get_slice(thread), f"partition_{operand}")
        yield Case(
            f"partition_{operand} of {tensor} for thread {thread} by {mma}",
            f"{written}.get_slice({thread}).partition_{operand}(numbered({_cpp(tensor)}))",
            lambda s=share, t=tensor: _moved(s(t)),
        )


def _drawn_copy(rng: random.Random) -> tuple[TiledCopy, str]:
    """Draw a tiled copy whose values are those of the instruction, once or more."""
    name, bits = rng.choice(COPIES)
    unit = make_copy_atom(name, bits)
    threads, values = (int(mode.size()) for mode in unit.layout_ref)
    rows, columns = rng.choice(((8, 4), (16, 2), (4, 8), (32, 1), (2, 32), (16, 8), (8, 16)))
    while rows * columns % threads:
        rows *= 2
    thr = rng.choice((Layout((rows, columns)), Layout((rows, columns), (columns, 1))))
    times = rng.choice((1, 1, 2))
    val = rng.choice(
        (
            Layout((1, values * times)),
            Layout((values * times, 1)),
            Layout((2, values * times)),
            Layout((times, values), (values, 1)),
        )
    )
    written = f"make_tiled_copy(Copy_Atom<{name}, {TYPES[bits]}>{{}}, {_cpp(thr)}, {_cpp(val)})"
    return make_tiled_copy(unit, thr, val), written


def _copy(rng: random.Random) -> Iterator[Case]:
    copy, written = _drawn_copy(rng)
    yield from _sides(rng, copy, written)


def _sides(rng: random.Random, copy: TiledCopy, written: str) -> Iterator[Case]:
    for side in "SD":
        get, deal = getattr(copy, f"get_layout{side}_TV"), getattr(copy, f"tidfrg_{side}")
        yield Case(
            f"layout{side}_TV of {copy}", f"{written}.get_layout{side}_TV()", lambda g=get: str(g())
        )
        tile: Any = copy.tile_shape()
        tensor = _compact(rng, tuple(int(s) * rng.choice((1, 2, 3)) for s in tile))
        yield Case(
            f"tidfrg_{side} of {tensor} by {copy}",
            f"{written}.tidfrg_{side}({_cpp(tensor)})",
            lambda d=deal, t=tensor: str(d(t)),
        )
        thread = rng.randrange(int(copy.size()))
        share = getattr(copy.get_slice(thread), f"partition_{side}")
        yield Case(
            f"partition_{side} of {tensor} for thread {thread} by {copy}",
            f"{written}.get_slice({thread}).partition_{side}(numbered({_cpp(tensor)}))",
            lambda s=share, t=tensor: _moved(s(t)),
        )


def _mma_copy(rng: random.Random) -> Iterator[Case]:
    """Yield the copies that bring an MMA its operands by ldmatrix, and their order of registers."""
    layout = rng.choice((Layout((2, 2)), Layout((4, 1)), Layout((1, 2))))
    mma = make_tiled_mma("SM80_16x8x16_F32F16F16F32_TN", layout, (None, 32, 16))
    written = (
        f"make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{{}}, {_cpp(layout)}, "
        "make_tile(_, Int<32>{}, Int<16>{}))"
    )
    operand, make = rng.choice(
        (("A", make_tiled_copy_A), ("B", make_tiled_copy_B), ("C", make_tiled_copy_C))
    )
    name = rng.choice(("UniversalCopy<uint32_t>", "SM75_U32x2_LDSM_N", "SM75_U16x4_LDSM_T"))
    copy = make(make_copy_atom(name, 16), mma)
    text = f"make_tiled_copy_{operand}(Copy_Atom<{name}, half_t>{{}}, {written})"
    yield from _sides(rng, copy, text)
    shape = tuple(s * rng.choice((1, 2)) for s in copy.tile_shape())
    share = getattr(mma.get_slice(0), f"partition_{operand}")(Layout(shape))[0]
    registers = Layout(share.shape)
    yield Case(
        f"retile of {registers} by {copy}",
        f"{text}.retile({_cpp(registers)})",
        lambda: str(copy.retile(registers)),
    )


def _local(rng: random.Random) -> Iterator[Case]:
    tile = tuple(rng.choice((2, 4, 8)) for _ in range(2))
    tensor = _compact(rng, tuple(t * rng.choice((2, 3, 4)) for t in tile))
    coord = tuple(rng.choice((0, 1, None)) for _ in range(2))
    text = ", ".join("_" if c is None else str(c) for c in coord)
    yield Case(
        f"local_tile of {tensor} by {tile} at {coord}",
        f"local_tile(numbered({_cpp(tensor)}), Shape<Int<{tile[0]}>,Int<{tile[1]}>>{{}}, "
        f"make_coord({text}))",
        lambda: _moved(local_tile(tensor, tile, coord)),
    )
    proj = rng.choice(((1, None, 1), (None, 1, 1), (1, 1, None)))
    step = ", ".join("Underscore" if p is None else "_1" for p in proj)
    cta = (tile[0], tile[0], tile[1]) if proj[2] else (*tile, 4)
    at = (1, 0, None) if proj[2] else (1, 1, None)
    spelled = ", ".join("_" if c is None else str(c) for c in at)
    yield Case(
        f"local_tile of {tensor} by {cta} at {at} over {proj}",
        f"local_tile(numbered({_cpp(tensor)}), "
        f"Shape<{','.join(f'Int<{t}>' for t in cta)}>{{}}, make_coord({spelled}), "
        f"Step<{step}>{{}})",
        lambda: _moved(local_tile(tensor, cta, at, proj)),
    )
    threads = rng.choice((Layout(tile), Layout(tile, (tile[1], 1))))
    index = rng.randrange(int(threads.size()))
    yield Case(
        f"local_partition of {tensor} over {threads} for {index}",
        f"local_partition(numbered({_cpp(tensor)}), {_cpp(threads)}, {index})",
        lambda: _moved(local_partition(tensor, threads, index)),
    )
    flat = make_layout(*threads, Layout(1, 0))
    yield Case(
        f"local_partition of {tensor} over {flat} for {index}",
        f"local_partition(numbered({_cpp(tensor)}), {_cpp(flat)}, {index}, "
        "Step<_1,_1,Underscore>{})",
        lambda: _moved(local_partition(tensor, flat, index, (1, 1, None))),
    )
