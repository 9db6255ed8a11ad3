"""Swizzled tiles in shared memory: the canonical atoms of Hopper's tensor cores, tiled.

`Sw<B,4,3>` turns bytes around: rows of 16*2**B bytes, 16 bytes at a time. In elements of 2 bytes
it is `Sw<B,3,3>`, of 4 bytes `Sw<B,2,3>`.
"""

from __future__ import annotations

from itertools import product

from symcute import Bijective, ComposedLayout, InBounds, Layout, Swizzle, theorem

ATOMS = "CUTLASS: cute/atom/mma_traits_sm90_gmma.hpp, canonical layouts"
TILED = "CUTLASS: tile_to_shape of a swizzled atom, sm90 collective builders"
STAGES = "CUTLASS: sm90_mma_tma_gmma_ss_warpspecialized.hpp, stages of swizzled tiles"

SWIZZLE = "CuTe: cute/swizzle.hpp"
SLICES = "CuTe: cute/swizzle_layout.hpp, slice_and_offset"
INVERSES = "CuTe: cute/swizzle_layout.hpp, left_inverse and right_inverse"

#: All swizzles of at most 3 bits whose fields lie within 8 bits.
SMALL = [
    Swizzle(bits, base, sign * shift)
    for bits, base, shift, sign in product(range(4), range(3), range(4), (1, -1))
    if bits <= shift and bits + base + shift <= 8
]

#: Bits of the swizzle, and the bytes of a row of its atom.
WIDTHS = ((0, 16), (1, 32), (2, 64), (3, 128))


def tiles(base: int, k_major: bool) -> tuple[str, ...]:
    """Return that the atoms of elements of 2**(4-base) bytes, tiled over (M,K) atoms, are onto."""
    found = []
    for bits, width in WIDTHS:
        row = width >> (4 - base)
        atom, tile = (f"(8,{row}):({row},1)", f"(8*M,{row}*K)") if k_major else (
            f"({row},8):(1,{row})", f"({row}*M,8*K)")  # fmt: skip
        found.append(f"bijective(tile_to_shape(Sw<{bits},{base},3> o 0 o {atom}, {tile}))")
    return tuple(found)


@theorem(source=ATOMS)
def swizzled_atoms_in_other_units() -> tuple[str, ...]:
    """The 128-byte atom of bytes is that of 16-bit and of 32-bit elements, and back."""
    atom = "Sw<3,4,3> o 0 o (8,128):(128,1)"
    return (
        f'prints_as(recast({atom}, 8, 16), "Sw<3,3,3> o 0 o (8,64):(64,1)")',
        f'prints_as(recast({atom}, 8, 32), "Sw<3,2,3> o 0 o (8,32):(32,1)")',
        f'prints_as(recast(Sw<3,3,3> o 0 o (8,64):(64,1), 16, 8), "{atom}")',
    )


@theorem(expect="refuted", source=ATOMS)
def swizzled_atoms_keep_their_swizzle_in_other_units() -> str:
    """In 16-bit elements the swizzle is that of the bytes."""
    return (
        'prints_as(recast(Sw<3,4,3> o 0 o (8,128):(128,1), 8, 16), "Sw<3,4,3> o 0 o (8,64):(64,1)")'
    )


@theorem(source=TILED)
def swizzled_atoms_tiled_to_any_shape() -> str:
    """Tiling repeats the layout of the atom; swizzle and offset stay."""
    return (
        "prints_as(tile_to_shape(Sw<3,3,3> o 0 o (8,64):(64,1), (8*M,64*K)), "
        '"Sw<3,3,3> o 0 o ((8,M),(64,K)):((64,512),(1,512*M))")'
    )


@theorem(source=ATOMS)
def swizzled_k_major_atoms_of_bytes() -> tuple[str, ...]:
    """K-major atoms of bytes, 8 rows of 16 to 128 bytes, fill any number of atoms exactly."""
    return tiles(4, k_major=True)


@theorem(source=ATOMS)
def swizzled_k_major_atoms_of_halves() -> tuple[str, ...]:
    """K-major atoms of 16-bit elements fill any number of atoms exactly."""
    return tiles(3, k_major=True)


@theorem(source=ATOMS)
def swizzled_k_major_atoms_of_floats() -> tuple[str, ...]:
    """K-major atoms of 32-bit elements fill any number of atoms exactly."""
    return tiles(2, k_major=True)


@theorem(source=ATOMS)
def swizzled_mn_major_atoms() -> tuple[str, ...]:
    """M-major and N-major atoms of bytes and of 16-bit elements fill their atoms exactly."""
    return *tiles(4, k_major=False), *tiles(3, k_major=False)


@theorem(expect="refuted", source=ATOMS)
def swizzled_rows_of_any_length() -> str:
    """Rows of any number of 16-bit elements can be swizzled inside the tile's memory."""
    return "bijective(Sw<3,3,3> o 0 o (8*M,N):(N,1))"


@theorem(given=["N % 8 == 0"], expect="refuted", source=ATOMS)
def swizzled_rows_of_whole_vectors() -> str:
    """It is enough that rows consist of whole vectors of 16 bytes."""
    return "bijective(Sw<3,3,3> o 0 o (M,N):(N,1))"


@theorem(given=["M*N % 64 == 0"], source=ATOMS)
def swizzled_tiles_of_whole_periods() -> str:
    """Any dense tile whose size is a multiple of 64 elements can be swizzled by Sw<3,3,3>."""
    return "bijective(Sw<3,3,3> o 0 o (M,N):(N,1))"


@theorem(source=ATOMS)
def swizzled_atoms_without_the_swizzle() -> tuple[str, ...]:
    """The swizzle moves nothing out of what the plain tile uses."""
    tile = "tile_to_shape((8,64):(64,1), (8*M,64*K))"
    return f"bijective({tile})", f"in_bounds(Sw<3,3,3> o 0 o {tile}, size({tile}))"


@theorem(source=TILED)
def swizzled_atoms_in_any_order() -> tuple[str, ...]:
    """The atoms of a tile may follow one another along K first or along M first."""
    return tuple(
        f"bijective(tile_to_shape(Sw<3,3,3> o 0 o (8,64):(64,1), (8*M,64*K), {order}))"
        for order in ("(1,2)", "(2,1)")
    )


@theorem(source=STAGES)
def swizzled_stages_fill_the_buffer() -> str:
    """S stages of a swizzled tile use every element of the buffer exactly once."""
    return "bijective(tile_to_shape(Sw<3,3,3> o 0 o (8,64):(64,1), (8*M,64*K,S)))"


@theorem(given=["0 <= s", "s < S"], source=STAGES)
def swizzled_stage_stays_in_the_buffer() -> tuple[str, ...]:
    """Stage s of S, at its offset, is injective and ends where the next one begins."""
    stage = "tile_to_shape(Sw<3,3,3> o 512*s*M*K o (8,64):(64,1), (8*M,64*K))"
    return (
        f"injective({stage})",
        f"in_bounds({stage}, 512*(s+1)*M*K)",
        f"in_bounds({stage}, 512*S*M*K)",
    )


@theorem(given=["0 <= s"], expect="refuted", source=STAGES)
def swizzled_stage_at_any_vector() -> str:
    """A stage, be it a single atom, may begin at any multiple of 16 bytes."""
    return "in_bounds(Sw<3,3,3> o 8*s o (8,64):(64,1), 8*s + 512)"


@theorem(given=["0 <= s"], source=STAGES)
def swizzled_stage_at_any_row() -> str:
    """A stage may begin at any row of 128 bytes without leaving its room."""
    return "in_bounds(tile_to_shape(Sw<3,3,3> o 64*s o (8,64):(64,1), (8*M,64*K)), 64*s + 512*M*K)"


@theorem(given=["pad >= 0"], source=STAGES)
def swizzled_stages_with_rows_between() -> tuple[str, ...]:
    """Stages with rows of padding between them do not meet and fit into their rooms."""
    stages = "Sw<3,3,3> o 0 o (64,M,S):(1,64,64*(M+pad))"
    return f"injective({stages})", f"in_bounds({stages}, 64*(M+pad)*S)"


@theorem(given=["pad >= 0"], expect="refuted", source=STAGES)
def swizzled_stages_with_vectors_between() -> str:
    """The same with padding of any number of vectors behind each stage, none behind the last."""
    return "in_bounds(Sw<3,3,3> o 0 o (64,M,S):(1,64,64*M + 8*pad), (64*M + 8*pad)*S)"


@theorem(source=SWIZZLE)
def swizzles_permute_their_blocks() -> tuple[Bijective | InBounds, ...]:
    """Every small swizzle permutes [0, period), and maps the next blocks into themselves."""
    found: list[Bijective | InBounds] = []
    for swizzle in SMALL:
        block, period = Layout(swizzle.period), swizzle.period
        found.append(Bijective(ComposedLayout(swizzle, 0, block)))
        found += [
            InBounds(ComposedLayout(swizzle, k * period, block), (k + 1) * period)
            for k in (1, 2, 5)
        ]
    return tuple(found)


@theorem(expect="refuted", source=SWIZZLE)
def swizzles_permute_half_their_blocks() -> str:
    """Half the period is enough: Sw<2,0,-2> permutes [0, 8)."""
    return "bijective(Sw<2,0,-2> o 0 o 8:1)"


@theorem(source=SWIZZLE)
def swizzles_undo_themselves() -> tuple[str, ...]:
    """A swizzle after itself is none; of the same shift, two beside each other are one."""
    return (
        'prints_as(Sw<3,4,3> o Sw<3,4,3>, "Sw<0,0,0>")',
        'prints_as(Sw<1,4,3> o Sw<2,5,3>, "Sw<3,4,3>")',
        "equal(Sw<0,0,0> o 0 o (M,N):(N,1), (M,N):(N,1))",
    )


@theorem(source=TILED)
def swizzled_tiles_are_one_map_however_they_are_written() -> tuple[str, ...]:
    """Behind one swizzle, layouts that are the same map stay that, at the same offset."""
    return (
        "equal(Sw<3,3,3> o 512*s o (64,M,K):(1,64,64*M), Sw<3,3,3> o 512*s o (64,M*K):(1,64))",
        "equal(coalesce(Sw<3,3,3> o x o (64,(M,K)):(1,(64,64*M))), Sw<3,3,3> o x o 64*M*K:1)",
    )


@theorem(expect="refuted", source=TILED)
def swizzled_tiles_at_other_offsets() -> str:
    """The stages of a swizzled tile are the same map."""
    return "equal(Sw<3,3,3> o 512*s o (8,64):(64,1), Sw<3,3,3> o 512*s + 512 o (8,64):(64,1))"


@theorem(expect="refuted", source=SWIZZLE)
def swizzled_tiles_without_their_swizzle() -> str:
    """One row of vectors is not turned around, so neither is a tile of any number of rows."""
    return "equal(Sw<3,3,3> o 0 o (64,M):(1,64), (64,M):(1,64))"


@theorem(source=SWIZZLE)
def swizzled_rows_below_the_first() -> str:
    """Row 0, whose offsets have no bit that the swizzle reads, stays as it is."""
    return "equal(Sw<3,3,3> o 0 o 64:1, 64:1)"


@theorem(source=STAGES)
def swizzled_tiles_that_are_read_again() -> str:
    """A tile that every warp of W reads, all of it, is used without a gap."""
    return "compact(Sw<3,3,3> o 0 o (8,64,M,W):(64,1,512,0))"


@theorem(expect="refuted", source=STAGES)
def swizzled_tiles_of_half_periods() -> str:
    """The same for tiles of any number of 32 elements, half a period."""
    return "compact(Sw<3,3,3> o 0 o (4,8,M,W):(8,1,32,0))"


@theorem(source=SLICES)
def swizzled_rows_are_layouts() -> tuple[str, ...]:
    """A row of the atom is a layout: the swizzle moves its vectors up or down."""
    atom = "Sw<3,3,3> o 0 o (8,64):(64,1)"
    return (
        f'prints_as(slice_and_offset((1,_), {atom}), "(((8,2,4)):((1,-8,16)),72)")',
        f"prints_as(slice_and_offset(((0,i),_), tile_to_shape({atom}, (8*M,64*K))), "
        '"(((64,K)):((1,512*M)),512*i)")',
    )


@theorem(expect="refuted", source=SLICES)
def swizzled_rows_are_plain_rows() -> str:
    """Row 1 of the atom is a plain row, 64 elements on."""
    return 'prints_as(slice_and_offset((1,_), Sw<3,3,3> o 0 o (8,64):(64,1)), "((64):(1),64)")'


@theorem(source=INVERSES)
def swizzled_layouts_are_undone() -> tuple[str, ...]:
    """A dense tile of whole atoms is undone by the swizzle; at an offset that comes off first."""
    return (
        'prints_as(right_inverse(Sw<3,3,3> o 0 o (64,8*M):(1,64)), "Sw<3,3,3> o 0 o 512*M:1")',
        "prints_as(left_inverse(Sw<3,3,3> o 512*s o (64,8*M):(1,64)), "
        '"512*M:1 o -512*s o Sw<3,3,3>")',
    )
