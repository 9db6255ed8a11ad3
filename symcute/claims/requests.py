"""What a warp's requests cost: ways of bank conflicts, sectors.

Both count the same way. A request is served in phases of some lanes; memory is cut into units of
some bits, which lie in places round robin; a phase costs as much as the place of which it needs
most different units. For shared memory the unit is a word (or a whole access, where that is wider,
as an access is aligned to its width) and the places are the banks; for global memory the unit is a
sector, there is one place, and one phase.

Source: `hardware/memory.py`, which is compared with the counters of a GPU.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from symcute.claims.base import MAX_ENUMERATED, Claim, static
from symcute.errors import InputError
from symcute.expr.htuple import show
from symcute.hardware import memory
from symcute.hardware.access import WARP, Access
from symcute.hardware.architecture import ARCHITECTURES

__all__ = ["BankConflict", "Coalesced", "Requests", "Sectors", "Service"]

(_BANKS,) = {a.banks for a in ARCHITECTURES.values()}
(_BANK,) = {8 * a.bank_bytes for a in ARCHITECTURES.values()}
(_SECTOR,) = {8 * a.sector_bytes for a in ARCHITECTURES.values()}
(_WIDEST,) = {8 * a.largest_shared_access for a in ARCHITECTURES.values()}


class Service(NamedTuple):
    """How requests are served: the bits of a unit, how many places there are, lanes of a phase.

    `pairs` says that two neighbouring phases may be served as one: those of a load in which the
    lanes n and n^1 go to one address throughout the warp, or n and n^2 do.
    """

    unit: int
    places: int
    lanes: int
    pairs: bool = False


@dataclass(frozen=True)
class Requests(Claim):
    """Each phase of each request costs at most `most` and at least `least`, and is aligned.

    An access that is not aligned to its width is a fault of the kernel, whatever it would cost.
    Errors: InputError when the numbers are none, or an access is too wide.
    """

    access: Access
    most: int
    least: int = 0
    takes_swizzles: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the numbers."""
        super().__post_init__()
        for x in (self.most, self.least):
            if type(x) is not int or x < 0:
                raise InputError(f"{self.name} with {show(x)}", "give a number from 0 on")

    @property
    @abstractmethod
    def service(self) -> Service:
        """How memory serves the requests."""

    def spelled(self) -> str:
        """Return the claim in our grammar; a least number of 0 is not written."""
        numbers = [self.most] + [self.least] * (self.least > 0)
        return f"{self.name}({', '.join(map(str, [self.access, *numbers]))})"

    def failure(self, request: tuple[int, ...]) -> str | None:
        """Return what goes wrong in one request of a static claim, or None.

        By the model of `hardware/memory.py`, lane by lane.
        """
        access, where = self.access, f"in request {show(request)}" if request else "in the request"
        for lane, bits in enumerate(access.bit_addresses(request)):
            if bits % access.width:
                at = f"byte {bits // 8}" if bits % 8 == 0 else f"bit {bits}"
                return (
                    f"{where} of {access}, lane {lane} accesses {access.width} bits at {at}, "
                    f"which is not aligned"
                )
        for count, words in self.costs(access.addresses(request)):
            if count > self.most:
                return f"{where} of {access}, {words}, more than {self.most}"
            if count < self.least:
                return f"{where} of {access}, {words}, less than {self.least}"
        return None

    @abstractmethod
    def costs(self, addresses: list[int]) -> Iterator[tuple[int, str]]:
        """Yield what each phase of a request costs, and that in words."""

    def brute(self) -> str | None:
        """Return the first request that goes wrong."""
        requests = 1
        for s, _ in self.access.requests:
            requests *= static(s)
        if requests * WARP > MAX_ENUMERATED:
            raise InputError(
                f"{self.access} has {requests} requests, too many to enumerate",
                f"brute force takes at most {MAX_ENUMERATED // WARP}",
            )
        return next((f for x in self.access.coordinates() if (f := self.failure(x))), None)


@dataclass(frozen=True)
class BankConflict(Requests):
    """In shared memory, each phase of each request is at most a `most`-way conflict; 1 is none.

    A phase is what memory serves at once: all lanes for accesses of up to 32 bits, half a warp for
    64, a quarter for 128; for a load whose lanes go in pairs two of those (`memory.groups`). Its
    ways are the most different words that it needs of one bank. The claim is about loads and
    stores alike. In wavefronts a request takes the sum of the ways of its phases. With `least`,
    each phase is at least so many ways.
    Errors: InputError as `Requests`, and for an access wider than shared memory takes.

    >>> from symcute.layout.layout import Layout
    >>> column = Access(Layout((32, 32), (32, 1)), 32)
    >>> print(BankConflict(column, 31).brute())
    in request (0) of access((32,32):(32,1), 32), 32 ways in bank 0 (lane 0 at byte 0, lane 1 at ...
    >>> print(BankConflict(Access(Layout((32, 32), (33, 1)), 32), 1).brute())
    None
    """

    name: ClassVar[str] = "bank_conflict"

    def __post_init__(self) -> None:
        """Check the width."""
        super().__post_init__()
        if self.access.width > _WIDEST:
            raise InputError(
                f"{self.access} in shared memory", f"its accesses are at most {_WIDEST} bits wide"
            )

    @property
    def service(self) -> Service:
        """How shared memory serves the requests."""
        row, unit = _BANKS * _BANK, max(_BANK, self.access.width)
        lanes = min(WARP, row // self.access.width)
        return Service(unit, row // unit, lanes, pairs=lanes < WARP)

    def costs(self, addresses: list[int]) -> Iterator[tuple[int, str]]:
        """Yield the ways of each phase, of a store and of a load, with a bank that needs them."""
        width, row = self.access.width // 8, _BANKS * _BANK // 8
        start = min(addresses) // row * row  # the model takes addresses from 0 on
        moved = [x - start for x in addresses]
        store, load = (memory.groups(moved, width, store=x) for x in (True, False))
        for phase in store if store == load else store + load:
            lanes = {n: x + start for n, x in phase}
            ways, bank = memory.ways(list(lanes.values()), width)
            asked = {_word(x, width, bank): n for n, x in reversed(lanes.items())}
            first = sorted(n for word, n in asked.items() if word is not None)
            shown = [f"lane {n} at byte {lanes[n]}" for n in first]
            shown[2:] = ["..."] * (len(shown) > 2)
            yield ways, f"{ways} way{'s' * (ways > 1)} in bank {bank} ({', '.join(shown)})"

    def words(self) -> str:
        """Return the claim as a sentence."""
        least = f" and at least {self.least}" if self.least else ""
        ways = "1 way" if self.most == 1 else f"{self.most} ways"
        return f"each phase of each request of {self.access} needs at most {ways}{least} of a bank"


def _word(address: int, width: int, bank: int) -> int | None:
    """Return the word of a bank that an access needs, if it needs one."""
    first, last = address * 8 // _BANK, (address + width - 1) * 8 // _BANK
    return next((word for word in range(first, last + 1) if word % _BANKS == bank), None)


@dataclass(frozen=True)
class Sectors(Requests):
    """In global memory, each request touches at most `most` sectors of 32 bytes.

    With `least`, at least so many; both the same number: exactly that many.
    Errors: InputError as `Requests`.

    >>> from symcute.layout.layout import Layout
    >>> row = Access(Layout((32, 8), (1, 64)), 32)
    >>> Sectors(row, 4, 4).brute() is None, Sectors(row, 3).brute()[-30:]
    (True, 'touches 4 sectors, more than 3')
    """

    name: ClassVar[str] = "sectors"

    @property
    def service(self) -> Service:
        """How global memory serves the requests."""
        return Service(_SECTOR, 1, WARP)

    def costs(self, addresses: list[int]) -> Iterator[tuple[int, str]]:
        """Yield the sectors of the request."""
        count = len({x * 8 // _SECTOR for x in addresses})
        yield count, f"it touches {count} sectors"

    def words(self) -> str:
        """Return the claim as a sentence."""
        least = f" and at least {self.least}" if self.least else ""
        return f"each request of {self.access} touches at most {self.most}{least} sectors"


@dataclass(frozen=True)
class Coalesced(Claim):
    """Each request touches no more sectors than its lanes' bytes fill.

    >>> from symcute.layout.layout import Layout
    >>> print(Coalesced(Access(Layout((32, 8), (1, 64)), 32)).parts()[0])
    sectors(access((32,8):(1,64), 32), 4)
    """

    access: Access
    name: ClassVar[str] = "coalesced"
    takes_swizzles: ClassVar[bool] = True

    def words(self) -> str:
        """Return the claim as a sentence."""
        return f"the lanes of each request of {self.access} fill the sectors they touch"

    def parts(self) -> tuple[Claim, ...]:
        """Return the bound on the sectors."""
        lanes = 1
        for s, _ in self.access.lanes:
            lanes *= static(s)
        return (Sectors(self.access, -(-lanes * self.access.width // _SECTOR)),)
