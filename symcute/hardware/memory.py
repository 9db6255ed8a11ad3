"""What memory does with one request of a warp: wavefronts of shared memory, sectors of global.

Plain integers: the addresses in bytes of the lanes, lane 0 first, None for a lane that does not
take part. This is the model that the claims about memory are about, and that hardware counters
are compared with. How a request is cut into groups of lanes is said in `groups`, nowhere else.

Source: CUDA C++ Programming Guide, Shared Memory (compute capability 5.x and later); NVIDIA
developer forums, "Unexpected shared memory bank conflict" (the pairs of `groups`) and
"Clarification: bank conflicts metric vs wavefronts for shared memory (LDS.128)"; Nsight Compute
documentation, Metrics Decoder (wavefronts, sectors). Compared with the counters of an H200 (sm90)
on the patterns of gpu/memory; of the other architectures it is what the guides say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TypeAlias

from symcute.errors import InputError
from symcute.hardware.architecture import Architecture, architecture

__all__ = [
    "Addresses",
    "bank_conflicts",
    "groups",
    "ldmatrix_wavefronts",
    "phases",
    "sectors",
    "shared_wavefronts",
    "ways",
]

#: The byte addresses of a warp's lanes; None where a lane is inactive.
Addresses: TypeAlias = Sequence[int | None]

#: Bytes of a row that ldmatrix and stmatrix move for one lane's address, and rows of a matrix.
MATRIX_ROW_BYTES, MATRIX_ROWS = 16, 8


def phases(width: int, arch: str | Architecture = "sm90") -> list[range]:
    """Return the lanes that shared memory serves together, for accesses of `width` bytes a lane.

    As many lanes as fill all banks once: all 32 up to 4 bytes, half warps for 8, quarter warps
    for 16.
    Errors: InputError for a width that is no power of two or wider than the architecture takes.

    >>> phases(16)
    [range(0, 8), range(8, 16), range(16, 24), range(24, 32)]
    """
    a = architecture(arch)
    _check_width(width, a.largest_shared_access, a, "shared")
    lanes = min(a.warp, a.row_bytes // width)
    return [range(k, k + lanes) for k in range(0, a.warp, lanes)]


def groups(
    addresses: Addresses, width: int, arch: str | Architecture = "sm90", *, store: bool = False
) -> list[list[tuple[int, int]]]:
    """Return the active lanes, with their addresses, in the groups that are served together.

    The rule: a request is cut into its `phases`. Of a load, neighbouring phases (the halves of a
    warp for 8 bytes, the quarters of each half for 16) are served as one when in the whole warp
    the lanes n and n^1 have the same address wherever both are active, or the lanes n and n^2
    have; of a store they never are. A group without an active lane costs nothing and is left out.
    Errors: InputError for more lanes than a warp has, a bad width, and addresses that are negative
    or no multiple of the width.

    >>> [len(g) for g in groups([8 * lane for lane in range(32)], 8)]
    [16, 16]
    >>> pairs = [8 * (lane // 2) for lane in range(32)]
    >>> [len(g) for g in groups(pairs, 8)], [len(g) for g in groups(pairs, 8, store=True)]
    ([32], [16, 16])
    """
    a = architecture(arch)
    found = phases(width, a)
    given = _checked(addresses, width, a)
    if len(found) > 1 and not store and _paired(given):
        found = [range(found[k].start, found[k + 1].stop) for k in range(0, len(found), 2)]
    served = [[(lane, x) for lane in g if (x := given[lane]) is not None] for g in found]
    return [g for g in served if g]


def _paired(given: Addresses) -> bool:
    """Return whether the lanes n and n^1, or n and n^2, have the same address where active."""

    def same(n: int, m: int) -> bool:
        return given[n] is None or given[m] is None or given[n] == given[m]

    return any(all(same(n, n ^ step) for n in range(len(given))) for step in (1, 2))


def ways(
    addresses: Sequence[int], width: int, arch: str | Architecture = "sm90"
) -> tuple[int, int]:
    """Return how often the busiest bank is used by lanes served together, and which bank it is.

    A bank is used once for each different word of it that is asked for: lanes that read the same
    word, or bytes of it, share one use.

    >>> ways([0, 128, 256, 4], 4), ways([0, 1, 2, 3], 1), ways([], 4)
    ((3, 0), (1, 0), (0, 0))
    """
    a = architecture(arch)
    words: dict[int, set[int]] = defaultdict(set)
    for x in addresses:
        for word in range(x // a.bank_bytes, (x + width - 1) // a.bank_bytes + 1):
            words[word % a.banks].add(word)
    busiest = min(words, key=lambda bank: (-len(words[bank]), bank), default=0)
    return len(words[busiest]), busiest


def shared_wavefronts(
    addresses: Addresses, width: int, arch: str | Architecture = "sm90", *, store: bool = False
) -> int:
    """Return the wavefronts of one request to shared memory, a load or a store.

    Each group takes as many as its busiest bank has uses. Corresponds to the counters
    `l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld` and `_st`.
    Errors: InputError as for `groups`.

    >>> column = [4 * 32 * lane for lane in range(32)]
    >>> padded = [4 * 33 * lane for lane in range(32)]
    >>> shared_wavefronts(column, 4), shared_wavefronts(padded, 4)
    (32, 1)
    """
    served = groups(addresses, width, arch, store=store)
    return sum(ways([x for _, x in g], width, arch)[0] for g in served)


def bank_conflicts(
    addresses: Addresses, width: int, arch: str | Architecture = "sm90", *, store: bool = False
) -> int:
    """Return the wavefronts of a request beyond one for each group.

    Corresponds to the counters `l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld` and `_st`.
    Errors: InputError as for `groups`.

    >>> bank_conflicts([4 * 32 * lane for lane in range(32)], 4)
    31
    >>> bank_conflicts([16 * lane for lane in range(32)], 16)
    0
    """
    served = groups(addresses, width, arch, store=store)
    return shared_wavefronts(addresses, width, arch, store=store) - len(served)


def ldmatrix_wavefronts(rows: Sequence[int], arch: str | Architecture = "sm90") -> int:
    """Return the wavefronts of an ldmatrix or stmatrix with these row addresses, in bytes.

    There are 8, 16 or 32 rows, of 16 bytes each; each matrix of 8 rows is served by itself.
    Errors: InputError for another number of rows, and rows that are not aligned to 16 bytes.

    >>> ldmatrix_wavefronts([64 * row for row in range(8)])
    4
    >>> ldmatrix_wavefronts([80 * row for row in range(32)])
    4
    """
    if len(rows) not in (8, 16, 32):
        raise InputError(f"ldmatrix with {len(rows)} rows", "it takes 8, 16 or 32 row addresses")
    found = [x for x in _checked(rows, MATRIX_ROW_BYTES, architecture(arch)) if x is not None]
    if len(found) != len(rows):
        raise InputError("ldmatrix with a row that is None", "give an address for every row")
    matrices = [found[k : k + MATRIX_ROWS] for k in range(0, len(rows), MATRIX_ROWS)]
    return sum(ways(matrix, MATRIX_ROW_BYTES, arch)[0] for matrix in matrices)


def sectors(addresses: Addresses, width: int, arch: str | Architecture = "sm90") -> int:
    """Return the different 32-byte sectors that one request to global memory touches.

    Corresponds to the counters `l1tex__t_sectors_pipe_lsu_mem_global_op_ld` and `_st`.
    Errors: InputError for more lanes than a warp has, a bad width, and addresses that are negative
    or no multiple of the width.

    >>> sectors([4 * lane for lane in range(32)], 4), sectors([4 * 8 * x for x in range(32)], 4)
    (4, 32)
    """
    a = architecture(arch)
    _check_width(width, a.largest_global_access, a, "global")
    touched = [x for x in _checked(addresses, width, a) if x is not None]
    ends = ((x // a.sector_bytes, (x + width - 1) // a.sector_bytes) for x in touched)
    return len({s for first, last in ends for s in range(first, last + 1)})


def _check_width(width: int, largest: int, a: Architecture, memory: str) -> None:
    if type(width) is not int or width < 1 or width & (width - 1):
        raise InputError(f"an access of {width!r} bytes a lane", "the width is a power of two")
    if width > largest:
        raise InputError(
            f"an access of {width} bytes a lane to {memory} memory",
            f"{a} takes at most {largest} bytes a lane there",
        )


def _checked(addresses: Addresses, width: int, a: Architecture) -> list[int | None]:
    """Return the addresses of a whole warp, inactive lanes added at the end."""
    if len(addresses) > a.warp:
        raise InputError(f"{len(addresses)} lanes", f"a warp of {a} has {a.warp}")
    for lane, x in enumerate(addresses):
        if x is not None and (type(x) is not int or x < 0):
            raise InputError(f"the address {x!r} of lane {lane}", "addresses are ints from 0 on")
        if x is not None and x % width:
            raise InputError(
                f"the address {x} of lane {lane} is no multiple of {width}",
                f"an access of {width} bytes is aligned to {width} bytes",
            )
    return [*addresses, *[None] * (a.warp - len(addresses))]
