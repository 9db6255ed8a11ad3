"""Banks of shared memory, sectors of global memory, vectors: the accesses of CUTLASS kernels.

In `access(L, element bits, access bits, base)` the first mode of L is the lane of a warp, the
others enumerate requests. A base is counted in elements.
"""

from __future__ import annotations

from symcute import theorem

BANKS = "CUDA C++ Programming Guide, Shared Memory"
PADDED = "CUTLASS examples/cute/tutorial/sgemm_sm80.cu: (bM,bK):(1,bM+pad)"
ATOMS = "CUTLASS: cute/atom/mma_traits_sm90_gmma.hpp, canonical layouts"
LDMATRIX = "PTX ISA, ldmatrix; CUTLASS: cute/arch/copy_sm75.hpp"
FLASH = "FlashAttention: kernel_traits.h, SmemLayoutAtomQ"
GLOBAL = "CUDA C++ Best Practices Guide, Coalesced Access to Global Memory"
VECTORS = (
    "CUTLASS: cute/algorithm/copy.hpp, AutoVectorizingCopy; cute/layout.hpp, max_common_vector"
)


# --- rows, columns, padding ---------------------------------------------------------------------


@theorem(source=BANKS)
def banks_of_rows() -> tuple[str, ...]:
    """Lanes along a row do not conflict: 8, 16, 32 bits, rows any distance apart, at any base."""
    return tuple(f"bank_conflict(access((32,R):(1,LD), {b}, {b}, B), 1)" for b in (8, 16, 32))


@theorem(expect="refuted", source=BANKS)
def banks_of_every_other_element_of_a_row() -> str:
    """Lanes two floats apart do not conflict."""
    return "bank_conflict(access((32,R):(2,LD), 32), 1)"


@theorem(source=BANKS)
def banks_of_a_broadcast() -> tuple[str, ...]:
    """Lanes that read one element, or groups of 8 that do, do not conflict."""
    return (
        "bank_conflict(access((32,K):(0,LD), 32), 1)",
        "bank_conflict(access(((8,4),K):((0,1),LD), 32), 1)",
    )


@theorem(source=BANKS)
def banks_of_pairs_of_lanes_on_one_double() -> str:
    """Pairs of lanes that read one double each along a row do not conflict, loaded all at once."""
    return "bank_conflict(access(((2,16),K):((0,1),LD), 64), 1)"


@theorem(expect="refuted", source=BANKS)
def banks_of_pairs_of_lanes_in_two_rows() -> str:
    """The same when the halves of the warp read two rows of 32 doubles."""
    return "bank_conflict(access(((2,8,2),K):((0,1,32),8), 64), 1)"


@theorem(given=["B % 2 == 0", "LD % 2 == 0"], source=BANKS)
def banks_of_rows_by_two() -> str:
    """Lanes that read two floats each along a row do not conflict, at even offsets."""
    return "bank_conflict(access((32,R):(2,LD), 32, 64, B), 1)"


@theorem(given=["B % 2 == 0"], expect="refuted", source=BANKS)
def banks_of_rows_by_two_at_odd_rows() -> str:
    """The same when the rows are any distance apart."""
    return "bank_conflict(access((32,R):(2,LD), 32, 64, B), 1)"


@theorem(given=["B % 4 == 0", "LD % 4 == 0"], source=BANKS)
def banks_of_rows_by_four() -> str:
    """Lanes that read four floats each along a row do not conflict, at multiples of four."""
    return "bank_conflict(access((32,R):(4,LD), 32, 128, B), 1)"


@theorem(given=["LD % 2 == 1"], source=BANKS)
def banks_of_columns_at_odd_distances() -> tuple[str, ...]:
    """Lanes down a column of floats, or of doubles, an odd distance apart do not conflict."""
    return tuple(f"bank_conflict(access((32,C):(LD,1), {b}), 1)" for b in (32, 64))


@theorem(given=["LD % 2 == 0"], expect="refuted", source=BANKS)
def banks_of_columns_at_even_distances() -> str:
    """Lanes down a column of floats an even distance apart do not conflict."""
    return "bank_conflict(access((32,C):(LD,1), 32), 1)"


@theorem(given=["LD % 4 == 2"], source=BANKS)
def banks_of_columns_twice_an_odd_distance_apart() -> str:
    """Lanes down a column of floats twice an odd distance apart conflict two ways, no more."""
    return "bank_conflict(access((32,C):(LD,1), 32), 2, 2)"


@theorem(given=["LD % 64 == 2"], source=BANKS)
def banks_of_columns_of_halves() -> str:
    """Lanes down a column of 16-bit elements do not conflict when rows are padded by 2."""
    return "bank_conflict(access((32,C):(LD,1), 16), 1)"


@theorem(given=["LD % 64 == 1"], expect="refuted", source=BANKS)
def banks_of_columns_of_halves_padded_by_one() -> str:
    """The same when rows of 16-bit elements are padded by 1."""
    return "bank_conflict(access((32,C):(LD,1), 16), 1)"


@theorem(given=["bM % 32 == 0"], source=PADDED)
def banks_of_k_major_writes_padded_by_four() -> str:
    """A warp that writes 8 along k, 4 along m into an m-major tile padded by 4 has no conflict."""
    return "bank_conflict(access(((8,4),R):((bM+4,1),4), 32), 1)"


@theorem(given=["bM % 32 == 0"], source=PADDED)
def banks_of_k_major_writes_padded_by_one() -> str:
    """The same, padded by 1, conflicts four ways."""
    return "bank_conflict(access(((8,4),R):((bM+1,1),4), 32), 4, 4)"


@theorem(given=["bM % 32 == 0", "0 <= pad", "pad < 4"], expect="refuted", source=PADDED)
def banks_of_k_major_writes_padded_by_less() -> str:
    """Some padding below 4, and so every one, is enough for it."""
    return "bank_conflict(access(((8,4),R):((bM+pad,1),4), 32), 1)"


@theorem(given=["LD % 64 == 8"], source=LDMATRIX)
def banks_of_fragments_of_A_from_padded_rows() -> tuple[str, ...]:
    """Operand A of m16n8k16, two halves a load without ldmatrix, from rows padded by 8 halves.

    The values of a thread lie in pairs along a row, so that a load takes one pair.
    """
    atom = 'atom_layout("SM80_16x8x16_F32F16F16F32_TN", "A")'
    return (
        f"equal(composition((16,16):(LD,1), {atom}), ((4,8),(2,2,2)):((2,LD),(1,8*LD,8)))",
        "bank_conflict(access(((4,8),(2,2),K):((2,LD),(8*LD,8),16), 16, 32), 1)",
    )


@theorem(given=["LD % 64 == 0"], expect="refuted", source=LDMATRIX)
def banks_of_fragments_of_A_from_plain_rows() -> str:
    """The same from rows that are not padded."""
    return "bank_conflict(access(((4,8),(2,2),K):((2,LD),(8*LD,8),16), 16, 32), 1)"


# --- swizzled tiles -----------------------------------------------------------------------------


@theorem(source=ATOMS)
def banks_of_swizzled_atoms_read_by_ldmatrix() -> tuple[str, ...]:
    """Eight rows of any column of a K-major atom of 128, 64, 32 and 16 bytes: no conflict."""
    atoms = (f"Sw<{b},3,3> o 0 o (8,{2**b},M):({8 * 2**b},8,{64 * 2**b})" for b in range(4))
    return tuple(f"bank_conflict(access({atom}, 16, 128), 1)" for atom in atoms)


@theorem(expect="refuted", source=ATOMS)
def banks_of_atoms_read_by_ldmatrix_without_a_swizzle() -> str:
    """The same for rows of 32 bytes that are not swizzled."""
    return "bank_conflict(access((8,2,M):(16,8,128), 16, 128), 1)"


@theorem(expect="refuted", source=ATOMS)
def banks_of_wide_atoms_with_the_narrow_swizzle() -> str:
    """The same for rows of 128 bytes that are swizzled as those of 64 are."""
    return "bank_conflict(access(Sw<2,3,3> o 0 o (8,8,M):(64,8,512), 16, 128), 1)"


@theorem(source=LDMATRIX)
def banks_of_ldmatrix_x4() -> str:
    """Four matrices, 16 rows by 16 columns of a swizzled tile, each served without conflict."""
    return "bank_conflict(access(Sw<3,3,3> o 0 o ((8,2,2),4,M):((64,512,8),16,1024), 16, 128), 1)"


@theorem(given=["0 <= s"], source=ATOMS)
def banks_of_swizzled_stages() -> str:
    """The same in any stage, s atoms behind the first."""
    return "bank_conflict(access(Sw<3,3,3> o 512*s o (8,8):(64,8), 16, 128), 1)"


@theorem(given=["0 <= s"], source=ATOMS)
def banks_of_a_swizzled_tile_at_any_row() -> str:
    """The rows read may begin at any row of the tile, not at a multiple of 8 only."""
    return "bank_conflict(access(Sw<3,3,3> o 64*s o (8,8):(64,8), 16, 128), 1)"


@theorem(given=["0 <= s"], expect="refuted", source=ATOMS)
def banks_of_a_swizzled_tile_at_any_element() -> str:
    """The rows read may begin at any element of the tile."""
    return "bank_conflict(access(Sw<3,3,3> o s o (8,8):(64,8), 16, 128), 1)"


@theorem(source=FLASH)
def banks_of_swizzled_tiles_written_by_rows() -> tuple[str, ...]:
    """Lanes that write 16 bytes each along rows of 64 and of 32 halves do not conflict."""
    return (
        "bank_conflict(access(Sw<3,3,3> o 0 o ((8,4),R):((8,64),256), 16, 128), 1)",
        "bank_conflict(access(Sw<2,3,3> o 0 o ((4,8),R):((8,32),256), 16, 128), 1)",
    )


@theorem(source=BANKS)
def banks_of_a_swizzled_transpose() -> tuple[str, ...]:
    """Swizzled by `Sw<5,0,5>`, 32 x 32 floats are written by rows and read by columns freely."""
    tile = "bank_conflict(access(Sw<5,0,5> o 0 o (32,32):{}, 32), 1)"
    return tile.format("(1,32)"), tile.format("(32,1)")


@theorem(expect="refuted", source=BANKS)
def banks_of_a_transpose_with_a_bit_less() -> str:
    """`Sw<4,0,5>` is enough for it."""
    return "bank_conflict(access(Sw<4,0,5> o 0 o (32,32):(32,1), 32), 1)"


# --- global memory ------------------------------------------------------------------------------


@theorem(given=["LD % 8 == 0", "B % 8 == 0"], source=GLOBAL)
def sectors_of_rows() -> str:
    """Rows of floats that begin at multiples of 32 bytes are read with every byte used."""
    return "coalesced(access((32,C,R):(1,32,LD), 32, 32, B))"


@theorem(given=["LD % 4 == 0", "B % 8 == 0"], expect="refuted", source=GLOBAL)
def sectors_of_rows_at_half_sectors() -> str:
    """The same for rows that begin at multiples of 16 bytes."""
    return "coalesced(access((32,C,R):(1,32,LD), 32, 32, B))"


@theorem(source=GLOBAL)
def sectors_of_unaligned_rows() -> str:
    """Rows of floats that begin anywhere take one sector more at most."""
    return "sectors(access((32,C,R):(1,32,LD), 32, 32, B), 5)"


@theorem(given=["LD % 8 == 0"], source=GLOBAL)
def sectors_of_rows_of_halves_by_eight() -> str:
    """Rows of 16-bit elements, 16 bytes a lane: a request touches the 16 sectors it fills."""
    return "sectors(access((32,R):(8,2*LD), 16, 128), 16, 16)"


@theorem(given=["LD >= 8"], source=GLOBAL)
def sectors_of_columns() -> str:
    """Columns of floats in rows of at least 32 bytes cost a sector a lane, for any base."""
    return "sectors(access((32,R):(LD,1), 32, 32, B), 32, 32)"


@theorem(given=["LD % 8 == 0"], source=GLOBAL)
def sectors_of_tiles_of_four_rows() -> str:
    """Lanes in 4 rows of 8 floats use every byte they touch."""
    return "coalesced(access(((8,4),R,C):((1,LD),4*LD,8), 32))"


@theorem(given=["LD % 8 == 0"], expect="refuted", source=GLOBAL)
def sectors_of_tiles_of_eight_rows() -> str:
    """Lanes in 8 rows of 4 floats use every byte they touch."""
    return "coalesced(access(((4,8),R,C):((1,LD),8*LD,4), 32))"


# --- vectors ------------------------------------------------------------------------------------


@theorem(given=["N % 8 == 0", "LD % 8 == 0", "B % 8 == 0"], source=VECTORS)
def vectors_of_rows() -> tuple[str, ...]:
    """Rows of 16-bit elements at multiples of 16 bytes, read by 32, 64 and 128 bits."""
    return tuple(f"vectorizable((N,M):(1,LD), 16, {bits}, B)" for bits in (32, 64, 128))


@theorem(given=["N % 8 == 0", "LD % 4 == 0", "B % 8 == 0"], expect="refuted", source=VECTORS)
def vectors_of_rows_at_half_vectors() -> str:
    """The same by 128 bits when rows are multiples of 8 bytes apart."""
    return "vectorizable((N,M):(1,LD), 16, 128, B)"


@theorem(given=["N % 8 == 0", "LD % 8 == 0"], expect="refuted", source=VECTORS)
def vectors_of_rows_at_any_base() -> str:
    """The same for a base of any alignment."""
    return "vectorizable((N,M):(1,LD), 16, 128, B)"


@theorem(source=VECTORS)
def vectors_of_swizzled_tiles() -> str:
    """A tile swizzled by `Sw<3,3,3>` keeps its vectors of 8 elements."""
    return "vectorizable(Sw<3,3,3> o 0 o (64,8*M):(1,64), 16, 128)"


@theorem(expect="refuted", source=VECTORS)
def vectors_of_tiles_swizzled_inside_them() -> str:
    """A tile swizzled by `Sw<3,2,3>` keeps its vectors of 8 elements."""
    return "vectorizable(Sw<3,2,3> o 0 o (64,8*M):(1,64), 16, 128)"


@theorem(source=VECTORS)
def vectors_of_padded_tiles() -> tuple[str, ...]:
    """A tile whose columns are padded by 8 halves is written by 128 bits, by 4 halves by 64."""
    return "vectorizable((64,K):(1,72), 16, 128)", "vectorizable((64,K):(1,68), 16, 64)"


@theorem(expect="refuted", source=VECTORS)
def vectors_of_tiles_padded_by_four() -> str:
    """A tile whose columns are padded by 4 halves is written by 128 bits."""
    return "vectorizable((64,K):(1,68), 16, 128)"
