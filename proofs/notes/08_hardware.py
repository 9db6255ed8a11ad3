"""Claims in circulation, 46, 48 and 50: banks, sectors, a swizzle."""

from __future__ import annotations

from symcute import theorem


@theorem(source="claims in circulation, 46")
def note_46_columns_of_a_tile_and_padding() -> tuple[str, ...]:
    """A 32x32 row-major float32 tile in shared memory read down a column conflicts 32 ways; padded
    to stride 33 it is free of conflicts by row and by column; the padding costs 3.125 % memory.
    """
    return (
        "bank_conflict(access((32,32):(32,1), 32), 32, 32)",
        "bank_conflict(access((32,32):(1,33), 32), 1)",
        "bank_conflict(access((32,32):(33,1), 32), 1)",
        "100000*(32*33 - 32*32) == 3125*(32*32)",
    )


@theorem(expect="refuted", source="claims in circulation, 46")
def note_46_columns_without_padding_neighbour() -> str:
    """The tile read down a column is free of conflicts without the padding."""
    return "bank_conflict(access((32,32):(32,1), 32), 1)"


@theorem(given=["LD % 32 == 0"], source="claims in circulation, 46")
def note_46_columns_for_every_multiple_of_the_banks() -> str:
    """For every row stride that is a multiple of 32 floats, a column conflicts 32 ways."""
    return "bank_conflict(access((32,C):(LD,1), 32), 32, 32)"


@theorem(given=["LD % 2 == 1"], source="claims in circulation, 46")
def note_46_columns_for_every_odd_stride() -> tuple[str, ...]:
    """For every odd row stride, not 33 alone, rows and columns are free of conflicts."""
    return (
        "bank_conflict(access((32,R):(1,LD), 32), 1)",
        "bank_conflict(access((32,C):(LD,1), 32), 1)",
    )


@theorem(expect="refuted", source="claims in circulation, 46")
def note_46_columns_for_every_stride_neighbour() -> str:
    """For every row stride, columns are free of conflicts."""
    return "bank_conflict(access((32,C):(LD,1), 32), 1)"


@theorem(given=["N % 32 == 0"], source="claims in circulation, 48")
def note_48_sectors_of_a_row() -> str:
    """A warp reading a row of a row-major float32 matrix whose width is a multiple of 32 touches
    exactly four 32-byte sectors per request.

    The matrix begins at a multiple of 32 bytes, as what `cudaMalloc` returns does.
    """
    return "sectors(access((32,N/32,M):(1,32,N), 32), 4, 4)"


@theorem(given=["M % 32 == 0", "N >= 8"], source="claims in circulation, 48")
def note_48_sectors_of_a_column() -> str:
    """Reading a column touches 32, when the row is at least 8 elements wide."""
    return "sectors(access((32,M/32,N):(N,32*N,1), 32), 32, 32)"


@theorem(given=["M % 32 == 0", "N >= 7"], expect="refuted", source="claims in circulation, 48")
def note_48_sectors_of_a_column_neighbour() -> str:
    """The same when the row is at least 7 elements wide."""
    return "sectors(access((32,M/32,N):(N,32*N,1), 32), 32, 32)"


@theorem(given=["N % 32 == 0", "B % 8 == 0"], source="claims in circulation, 48")
def note_48_sectors_of_a_row_of_a_part() -> str:
    """A matrix that begins at any multiple of 8 floats: a row touches exactly four sectors."""
    return "sectors(access((32,N/32,M):(1,32,N), 32, 32, B), 4, 4)"


@theorem(given=["N % 32 == 0"], expect="refuted", source="claims in circulation, 48")
def note_48_sectors_of_a_row_of_any_part_neighbour() -> str:
    """The same for a matrix that begins at any float."""
    return "sectors(access((32,N/32,M):(1,32,N), 32, 32, B), 4, 4)"


@theorem(given=["32 <= N"], expect="refuted", source="claims in circulation, 48")
def note_48_sectors_of_a_row_of_any_width_neighbour() -> str:
    """The same for rows of any width of at least 32."""
    return "sectors(access((32,M):(1,N), 32), 4, 4)"


@theorem(source="claims in circulation, 50")
def note_50_swizzled_tile() -> tuple[str, ...]:
    """`Swizzle<3,3,3>` over `(8,64):(64,1)` of 2-byte elements is a bijection, and eight threads
    each reading 16 bytes down a column touch all 32 banks once.

    Eight accesses of four words each, no two of them in one bank, are the 32 banks.
    """
    return (
        "bijective(Sw<3,3,3> o 0 o (8,64):(64,1))",
        "bank_conflict(access(Sw<3,3,3> o 0 o (8,8):(64,8), 16, 128), 1, 1)",
    )


@theorem(expect="refuted", source="claims in circulation, 50")
def note_50_swizzled_tile_neighbour() -> str:
    """The same without the swizzle."""
    return "bank_conflict(access((8,8):(64,8), 16, 128), 1)"


@theorem(expect="refuted", source="claims in circulation, 50")
def note_50_a_smaller_swizzle_neighbour() -> str:
    """The same with `Swizzle<2,3,3>`."""
    return "bank_conflict(access(Sw<2,3,3> o 0 o (8,8):(64,8), 16, 128), 1)"


@theorem(source="claims in circulation, 50")
def note_50_swizzled_tiles_of_any_size() -> str:
    """The same in every tile of (8*M, 64*K) such atoms, wherever the eight rows are."""
    return "bank_conflict(access(Sw<3,3,3> o 0 o (8,8,M,K):(64,8,512,512*M), 16, 128), 1, 1)"
