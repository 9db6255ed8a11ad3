"""MMA atoms, copies and tiled copies: every element of a tile belongs to exactly one thread."""

from __future__ import annotations

from symcute import (
    Bijective,
    Claim,
    Equal,
    Layout,
    PartitionExact,
    SameElements,
    atom_layout,
    copy_ops,
    dims,
    make_copy_atom,
    make_layout_tv,
    make_tiled_copy,
    make_tiled_copy_A,
    make_tiled_copy_C,
    make_tiled_mma,
    mma_atoms,
    smem_layout_atom,
    theorem,
)
from symcute.claims import repetitions
from symcute.layout.atoms import SMEM_ATOMS

SM70 = "cute/atom/mma_traits_sm70.hpp"
SM80 = "cute/atom/mma_traits_sm75.hpp, mma_traits_sm80.hpp, mma_traits_sm89.hpp"
SM90 = "cute/atom/mma_traits_sm90.hpp, mma_traits_sm90_gmma.hpp, mma_traits_sm90_gmma_ext.hpp"
SM100 = "cute/atom/mma_traits_sm100.hpp"
SM120 = "cute/atom/mma_traits_sm120.hpp"
COPY = "cute/atom/copy_traits*.hpp"
SMEM = "cute/atom/mma_traits_sm90_gmma.hpp, Layout_*_Atom_Bits"
TILED_COPY = "cute/atom/copy_atom.hpp; CUTLASS examples/cute/tutorial/tiled_copy.cu"
TILED_MMA = "cute/atom/mma_atom.hpp; CUTLASS examples/cute/tutorial/sgemm_sm80.cu"

M, N, K = dims("M N K")

#: A warp of 16-bit MMAs, two by two, and the K and N that make whole ldmatrix instructions.
MMA = make_tiled_mma("SM80_16x8x16_F32F16F16F32_TN", Layout((2, 2)), (None, 32, 16))
MMA_GIVEN = ["M % 32 == 0", "N % 32 == 0", "K % 16 == 0"]
#: 256 threads copy 32x64 elements of 16 bits, 8 each.
COPY_16B = make_tiled_copy(
    make_copy_atom("UniversalCopy<uint128_t>", 16), Layout((32, 8), (8, 1)), Layout((1, 8))
)
COPY_GIVEN = ["M % 32 == 0", "K % 64 == 0"]


def _exact(*archs: str, copies: bool = False) -> tuple[Claim, ...]:
    """Return that each layout of these architectures is exact, but for what a note takes out."""
    found = [
        (layout, tile)
        for arch in archs
        for x in (copy_ops(arch) if copies else mma_atoms(arch))
        for name, (layout, tile) in x.layouts().items()
        if not (name == "B" and x.name.startswith("SM80_16x8x32_S32") and "4" in x.types[2])
    ]
    return tuple(
        PartitionExact(layout, tile, repetitions(layout)) for layout, tile in dict.fromkeys(found)
    )


@theorem(source=SM70)
def atoms_of_volta() -> tuple[Claim, ...]:
    """Eight threads of a quad pair hold every element of A, B and C of m8n8k4 exactly once."""
    return _exact("sm61", "sm70")


@theorem(source=SM80)
def atoms_of_turing_ampere_ada() -> tuple[Claim, ...]:
    """A warp holds every element of A, B and C exactly once: every mma, but one B (see below)."""
    return _exact("sm75", "sm80", "sm89")


@theorem(expect="refuted", source=SM80)
def atom_16x8x32_of_4_bits_B() -> Claim:
    """A warp holds every element of B of SM80_16x8x32_S32S4S4S32_TN exactly once."""
    return PartitionExact(atom_layout("SM80_16x8x32_S32S4S4S32_TN", "B"), (8, 32))


@theorem(source="NVIDIA/cutlass#3140", corrects="atom_16x8x32_of_4_bits_B")
def atom_16x8x32_of_4_bits_B_corrected() -> Claim:
    """With the threads along K 8 values apart, as the 4-bit A has them, B is held exactly once.

    The header has them 4 apart: `Stride<Stride<_32,_1>,Stride<_8>>` for 8 values of a thread.
    """
    return PartitionExact(Layout(((4, 8), (8,)), ((64, 1), (8,))), (8, 32))


@theorem(source=SM90)
def atoms_of_hopper() -> tuple[Claim, ...]:
    """A warpgroup holds A and C in registers exactly once; in shared memory every thread sees all.

    So the 128 threads repeat B, and A where it is in shared memory, 128 times.
    """
    return _exact("sm90")


@theorem(given=["N % 8 == 0"], source=SM90)
def atom_wgmma_accumulator_for_all_N() -> Claim:
    """The accumulator of wgmma m64nN holds every element once, for every multiple N of 8."""
    return PartitionExact(Layout(((4, 8, 4), (2, 2, N / 8)), ((128, 1, 16), (64, 8, 512))), (64, N))


@theorem(given=["N % 8 == 0"], expect="refuted", source=SM90)
def atom_wgmma_accumulator_too_wide() -> Claim:
    """The same layout holds every element of a tile 8 columns wider."""
    return PartitionExact(
        Layout(((4, 8, 4), (2, 2, N / 8)), ((128, 1, 16), (64, 8, 512))), (64, N + 8)
    )


@theorem(source=SM100)
def atoms_of_blackwell() -> tuple[Claim, ...]:
    """One SM, or two with half the rows each, hold every element of A, B and C exactly once."""
    return _exact("sm100")


@theorem(given=["M % 2 == 0"], source=SM100)
def atom_umma_of_two_SMs_for_all_shapes() -> Claim:
    """Two SMs with half the rows each hold every element once, for all even M and all N."""
    return PartitionExact(Layout((2, (M / 2, N)), (M / 2, (1, M))), (M, N))


@theorem(given=["M % 2 == 0", "M >= 4"], expect="refuted", source=SM100)
def atom_umma_of_two_SMs_row_by_row() -> Claim:
    """The same when the second SM starts at the second row."""
    return PartitionExact(Layout((2, (M / 2, N)), (1, (1, M))), (M, N))


@theorem(source=SM120)
def atoms_of_blackwell_workstations() -> tuple[Claim, ...]:
    """A warp holds A, B, C exactly once; each scale factor of A is held twice, of B four times."""
    return _exact("sm120")


@theorem(source=COPY)
def copies_of_every_architecture() -> tuple[Claim, ...]:
    """Each bit of a copy is moved once; of fewer than 4 matrices the addresses come repeatedly."""
    return _exact("universal", "sm75", "sm80", "sm90", "sm100", copies=True)


@theorem(expect="refuted", source=COPY)
def copy_ldmatrix_x1_needs_every_address() -> Claim:
    """ldmatrix.x1 reads each bit at the address of exactly one thread."""
    return PartitionExact(atom_layout("SM75_U32x1_LDSM_N", "Src"), (1024,))


@theorem(source=SMEM)
def shared_memory_atoms_are_bijections() -> tuple[Claim, ...]:
    """The K- and MN-major blocks, swizzled or not, hold every element once, at each width."""
    return tuple(
        Bijective(smem_layout_atom(name, bits)) for name in SMEM_ATOMS for bits in (4, 8, 16, 32)
    )


@theorem(expect="refuted", source=SM80)
def atom_with_one_value_too_many() -> Claim:
    """The accumulator of m16n8 with a third pair of values holds every element once."""
    return PartitionExact(Layout(((4, 8), (2, 3)), ((32, 1), (16, 8))), (16, 8))


@theorem(expect="refuted", source=SM80)
def atom_with_overlapping_threads() -> Claim:
    """The accumulator of m16n8 with threads one column apart holds every element once."""
    return PartitionExact(Layout(((4, 8), (2, 2)), ((16, 1), (16, 8))), (16, 8))


@theorem(given=COPY_GIVEN, source=TILED_COPY)
def tiled_copy_moves_every_element_once() -> tuple[Claim, ...]:
    """256 threads copy M x K elements, each by one thread, for all multiples of 32 and 64."""
    tile = Layout((M, K))
    return (
        PartitionExact(COPY_16B.tidfrg_S(tile, given=COPY_GIVEN), (M, K)),
        PartitionExact(COPY_16B.tidfrg_D(tile, given=COPY_GIVEN), (M, K)),
    )


@theorem(given=COPY_GIVEN, expect="refuted", source=TILED_COPY)
def tiled_copy_of_a_tile_with_one_more_row() -> Claim:
    """The same copy moves every element of a tile with one row more."""
    return PartitionExact(COPY_16B.tidfrg_S(Layout((M, K)), given=COPY_GIVEN), (M + 1, K))


@theorem(given=COPY_GIVEN, expect="refuted", source=TILED_COPY)
def tiled_copy_with_rows_of_threads_too_close() -> Claim:
    """256 threads whose rows are 7 threads long instead of 8 move every element once."""
    threads, values, (rows, columns) = ((8, 32), 8, (M / 32, K / 64))
    return PartitionExact(
        Layout((threads, (values, rows, columns)), ((7 * M, 1), (M, 32, 64 * M))), (M, K)
    )


@theorem(source=TILED_COPY)
def thread_value_layouts_of_whole_tiles() -> tuple[Claim, ...]:
    """Threads and values laid out over a tile, rows or columns first, hold every element once."""
    found = []
    for threads in (Layout((32, 8), (8, 1)), Layout((32, 8)), Layout((4, (8, 8)), (8, (1, 32)))):
        for values in (Layout((1, 8)), Layout((4, 2)), Layout((2, 2), (2, 1))):
            tile, layout_tv = make_layout_tv(threads, values)
            found.append(PartitionExact(layout_tv, tile))
    return tuple(found)


@theorem(given=MMA_GIVEN, source=TILED_MMA)
def tiled_mma_holds_every_element_once() -> tuple[Claim, ...]:
    """Four warps hold an M x N accumulator, and A and B of any K, every element once a warp row."""
    return (
        PartitionExact(MMA.thrfrg_C(Layout((M, N)), given=MMA_GIVEN), (M, N)),
        PartitionExact(MMA.thrfrg_A(Layout((M, K)), given=MMA_GIVEN), (M, K)),
        PartitionExact(MMA.thrfrg_B(Layout((N, K)), given=MMA_GIVEN), (N, K)),
    )


@theorem(source=TILED_MMA)
def tiled_mma_repeats_A_over_the_warps_along_N() -> tuple[Claim, ...]:
    """Two warps along N hold the same A, two along M the same B: each element twice; C once."""
    return (
        PartitionExact(MMA.get_layoutA_TV(), (32, 16), 2),
        PartitionExact(MMA.get_layoutB_TV(), (32, 16), 2),
        PartitionExact(MMA.get_layoutC_TV(), (32, 32)),
    )


@theorem(expect="refuted", source=TILED_MMA)
def tiled_mma_holds_A_once() -> Claim:
    """The four warps hold every element of A exactly once."""
    return PartitionExact(MMA.get_layoutA_TV(), (32, 16))


@theorem(source=TILED_MMA)
def ldmatrix_brings_the_fragments_of_A() -> tuple[Claim, ...]:
    """What ldmatrix.x4 gives each thread are the elements of A that its MMA takes, in order."""
    copy = make_tiled_copy_A(make_copy_atom("SM75_U32x4_LDSM_N", 16), MMA)
    return (
        SameElements(copy.get_layoutD_TV(), MMA.get_layoutA_TV()),
        Equal(copy.get_layoutD_TV(), MMA.get_layoutA_TV()),
    )


@theorem(expect="refuted", source=TILED_MMA)
def ldmatrix_reads_where_the_fragments_are() -> Claim:
    """Each thread gets from ldmatrix.x4 the elements whose addresses it gives."""
    copy = make_tiled_copy_A(make_copy_atom("SM75_U32x4_LDSM_N", 16), MMA)
    return SameElements(copy.get_layoutS_TV(), MMA.get_layoutA_TV())


@theorem(given=MMA_GIVEN, source=TILED_MMA)
def stored_accumulators_are_those_computed() -> Claim:
    """A copy made for C stores of an M x N tile, thread by thread, what the MMA leaves there."""
    copy = make_tiled_copy_C(make_copy_atom("UniversalCopy<uint64_t>", 32), MMA)
    tile = Layout((M, N))
    return SameElements(copy.tidfrg_S(tile, given=MMA_GIVEN), MMA.thrfrg_C(tile, given=MMA_GIVEN))


@theorem(given=["M % 32 == 0", "K % 64 == 0"], source=TILED_COPY)
def rows_and_columns_of_threads_hold_the_same() -> Claim:
    """The values of a thread may be taken in any order: it holds the same elements."""
    return SameElements(
        Layout((32, (M / 32, K)), (1, (32, M))), Layout((32, (K, M / 32)), (1, (M, 32)))
    )


@theorem(given=["M % 32 == 0", "M >= 64"], expect="refuted", source=TILED_COPY)
def blocks_and_strides_of_threads_hold_the_same() -> Claim:
    """A thread holds the same elements whether threads are interleaved or take blocks of rows."""
    return SameElements(
        Layout((32, (M / 32, K)), (1, (32, M))), Layout((32, (M / 32, K)), (M / 32, (1, M)))
    )
