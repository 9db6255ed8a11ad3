"""What claims about memory need to know of each GPU architecture, as data.

Source: GUIDE and PTX below; each field says where in them.
"""

from __future__ import annotations

from dataclasses import dataclass

from symcute.errors import InputError

__all__ = ["ARCHITECTURES", "Architecture", "architecture"]

GUIDE = "CUDA C++ Programming Guide, Compute Capabilities, Features and Technical Specifications"
TUNING = "Tuning Guide, Occupancy; Unified Shared Memory/L1/Texture Cache"
PTX = "Parallel Thread Execution ISA 8.8"

KIB = 1024


@dataclass(frozen=True, slots=True)
class Architecture:
    """One compute capability: its shared memory, its requests to memory, its limits.

    >>> sm90 = architecture("sm90")
    >>> sm90.banks * sm90.bank_bytes, sm90.shared_bytes
    (128, 232448)
    """

    name: str
    #: The most shared memory a block gets when it asks for it (GUIDE: maximum amount of shared
    #: memory per thread block).
    shared_bytes: int
    #: The most resident threads of a multiprocessor (GUIDE).
    threads_per_multiprocessor: int
    #: The widest access of a thread to global memory (PTX, ld: 256 bits require sm_100).
    largest_global_access: int = 16
    #: Where the numbers that differ between architectures are from.
    source: str = GUIDE
    #: The banks of shared memory, and their width (GUIDE, Shared Memory, of each capability).
    banks: int = 32
    bank_bytes: int = 4
    #: What a request to global memory is counted in, and the line of the cache that holds four
    #: (CUDA C++ Best Practices Guide, Coalesced Access to Global Memory).
    sector_bytes: int = 32
    line_bytes: int = 128
    #: Threads that issue one request together (GUIDE, SIMT Architecture).
    warp: int = 32
    #: The widest access of a thread to shared memory (PTX, ld: at most 128 bits but for global).
    largest_shared_access: int = 16
    #: The shared memory a block has without asking (GUIDE: limit of static allocations).
    static_shared_bytes: int = 48 * KIB

    @property
    def row_bytes(self) -> int:
        """What all banks hold at one depth: addresses so far apart are in the same bank."""
        return self.banks * self.bank_bytes

    def __str__(self) -> str:
        """Return its name."""
        return self.name


#: The architectures known, by name.
ARCHITECTURES = {
    a.name: a
    for a in (
        Architecture("sm70", 96 * KIB, 2048, source=f"{GUIDE}; Volta {TUNING}"),
        Architecture("sm75", 64 * KIB, 1024, source=f"{GUIDE}; Turing {TUNING}"),
        Architecture("sm80", 163 * KIB, 2048, source=f"{GUIDE}; NVIDIA Ampere GPU {TUNING}"),
        Architecture("sm86", 99 * KIB, 1536, source=f"{GUIDE}; NVIDIA Ampere GPU {TUNING}"),
        Architecture("sm87", 163 * KIB, 1536),
        Architecture("sm89", 99 * KIB, 1536, source=f"{GUIDE}; NVIDIA Ada GPU {TUNING}"),
        Architecture("sm90", 227 * KIB, 2048, source=f"{GUIDE}; Hopper {TUNING}"),
        Architecture("sm100", 227 * KIB, 2048, 32, f"{GUIDE}; Blackwell {TUNING}; {PTX}, ld"),
        Architecture("sm103", 227 * KIB, 2048, 32, f"{GUIDE}; {PTX}, ld"),
        Architecture("sm120", 99 * KIB, 1536, 32, f"{GUIDE}; {PTX}, ld"),
    )
}


def architecture(name: str | Architecture) -> Architecture:
    """Return the architecture of that name.

    Errors: InputError for a name that is not known.

    >>> architecture("sm80").shared_bytes
    166912
    """
    if isinstance(name, Architecture):
        return name
    found = ARCHITECTURES.get(name) if isinstance(name, str) else None
    if found is None:
        raise InputError(
            f"there is no architecture {name!r}", f"known are {', '.join(ARCHITECTURES)}"
        )
    return found
