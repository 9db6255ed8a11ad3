"""How memory serves the requests to one array: what counts as alike, and what a request costs."""

from __future__ import annotations

from dataclasses import dataclass

from symcute.hardware import memory
from symcute.hardware.access import WARP
from symcute.hardware.architecture import Architecture

__all__ = ["COUNTED", "Serving"]

#: The properties that count requests, and the memory that they are about.
COUNTED = {"bank_conflicts": "shared", "sectors": "global"}


@dataclass(frozen=True)
class Serving:
    """Accesses of `width` bytes to an array that begins at a multiple of `start` bytes.

    `counted` is what is counted, bank conflicts or sectors.

    >>> from symcute.hardware.architecture import architecture
    >>> tile = Serving("bank_conflicts", 4, 16, architecture("sm90"))
    >>> tile.cost([128 * lane for lane in range(32)]), tile.worst
    (31, 31)
    """

    counted: str
    width: int
    start: int
    arch: Architecture
    store: bool = False

    @property
    def unit(self) -> int:
        """Bytes: what all lanes have in common counts modulo this."""
        if self.counted == "sectors":
            return self.arch.sector_bytes
        return max(self.arch.bank_bytes, self.width)

    @property
    def row(self) -> int:
        """Bytes: by so many an address may move without any change in where it is served."""
        return self.arch.sector_bytes if self.counted == "sectors" else self.arch.row_bytes

    @property
    def starts(self) -> range:
        """Where the array may begin, modulo the unit."""
        return range(0, max(self.unit, self.start), self.start)

    @property
    def phases(self) -> int:
        """The wavefronts that a request takes in any case."""
        return len(memory.phases(self.width, self.arch)) if self.counted != "sectors" else 1

    @property
    def worst(self) -> int:
        """What an aligned request costs at most, whatever its addresses."""
        return WARP if self.counted == "sectors" else WARP - self.phases

    def ways(self, conflicts: int) -> int:
        """Return how many ways of each phase make at most so many conflicts in all."""
        return conflicts // self.phases + 1

    def rounded(self, most: int) -> int:
        """Return the bound that follows from the claim for a bound, which is about ways."""
        return most if self.counted == "sectors" else self.phases * (self.ways(most) - 1)

    def cost(self, addresses: memory.Addresses) -> int:
        """Return what one request costs by the model of the hardware.

        Errors: InputError for addresses that are negative or not aligned.
        """
        if self.counted == "sectors":
            return memory.sectors(addresses, self.width, self.arch)
        used = memory.shared_wavefronts(addresses, self.width, self.arch, store=self.store)
        return max(0, used - self.phases)
