"""The swizzle of the fewest bits with which accesses are free of bank conflicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from symcute.claims import BankConflict
from symcute.claims.language import evaluate
from symcute.errors import InputError
from symcute.expr.assumptions import Assumptions, Given
from symcute.hardware.access import Access
from symcute.layout.swizzle import ComposedLayout, Swizzle
from symcute.prover import Verdict
from symcute.synthesis.proving import Least, NotFound, as_list, proved

__all__ = ["Swizzling", "find_swizzle", "search_swizzle"]

#: The most bits of offsets that are looked at.
MAX_BITS = 24


@dataclass(frozen=True)
class Swizzling(Least):
    """A swizzle, the proofs for all accesses with it, and what became of those with fewer bits.

    `fewer` has, for each swizzle of fewer bits, the verdict of an access that is not proved. All
    swizzles Sw<b,m,s> were looked at with s >= b, m >= `lowest` and b+m+s <= `bits`.
    """

    swizzle: Swizzle
    proofs: tuple[Verdict, ...]
    fewer: tuple[tuple[Swizzle, Verdict], ...]
    lowest: int
    bits: int

    @property
    def tried(self) -> list[tuple[str, Verdict]]:
        """The swizzles of fewer bits as text, with their verdicts."""
        return [(str(swizzle), verdict) for swizzle, verdict in self.fewer]

    def __str__(self) -> str:
        """Return the swizzle."""
        return str(self.swizzle)

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "swizzle": str(self.swizzle),
            "minimal": self.minimal,
            "lowest": self.lowest,
            "bits": self.bits,
            "proofs": [v.to_json() for v in self.proofs],
            "fewer": _shown(self.fewer),
        }


def _shown(fewer: Iterable[tuple[Swizzle, Verdict]]) -> list[dict[str, Any]]:
    return [{"swizzle": str(s), "verdict": v.to_json()} for s, v in fewer]


def find_swizzle(
    accesses: Access | str | Iterable[Access | str],
    given: Given = (),
    *,
    ways: int = 1,
    bits: int | None = None,
    arch: str = "sm90",
    timeout: float = 60.0,
) -> Swizzling | None:
    """Return the swizzle of fewest bits with which no access has more than `ways` ways, or None.

    The accesses are through the same tile, without a swizzle. The swizzles are those that keep the
    elements of every access together, read bits above those that they change, and stay within
    `bits` bits of an offset: those that the offsets of all accesses have, unless it is given. Of
    those with as few bits the one with the lowest fields is returned.
    Errors: InputError for an access that is swizzled, makes no sense or is none, bits below 0 or
    above 24, for offsets without a largest one where bits are not given, an unknown architecture
    and one that does not take an access.

    >>> found = find_swizzle(["access((32,32):(1,32), 32)", "access((32,32):(32,1), 32)"])
    >>> print(found.swizzle, found.minimal, len(found.fewer))
    Sw<5,0,5> True 95
    >>> print(find_swizzle("access((8,8):(64,8), 16, 128)").swizzle)
    Sw<3,3,3>
    """
    found = search_swizzle(accesses, given, ways=ways, bits=bits, arch=arch, timeout=timeout)
    return found if isinstance(found, Swizzling) else None


def search_swizzle(
    accesses: Access | str | Iterable[Access | str],
    given: Given = (),
    *,
    ways: int = 1,
    bits: int | None = None,
    arch: str = "sm90",
    timeout: float = 60.0,
) -> Swizzling | NotFound:
    """Do what `find_swizzle` does, and say of what is not found what was tried."""
    base = Assumptions.of(given)
    several = as_list(accesses, (Access, str))
    read = [_read(x, base).on(arch, shared=True) for x in several]
    if not read:
        raise InputError(
            "no access to find a swizzle for", 'give one, as "access((8,8):(64,8), 16)"'
        )
    lowest = max((x.width // x.element_bits).bit_length() - 1 for x in read)
    bits = max(map(_bits, read)) if bits is None else bits
    if type(bits) is not int or not 0 <= bits <= MAX_BITS:
        raise InputError(f"swizzles of {bits} bits of an offset", f"0 to {MAX_BITS} are looked at")
    fewer: list[tuple[Swizzle, Verdict]] = []
    failed: list[tuple[Swizzle, Verdict]] = []
    for swizzle in swizzles(lowest, bits):
        if failed and failed[-1][0].bits < swizzle.bits:
            fewer, failed = [*fewer, *failed], []
        proofs = proved(_claims(read, swizzle, ways), base, timeout)
        if isinstance(proofs, Verdict):
            failed.append((swizzle, proofs))
        else:
            return Swizzling(swizzle, proofs, tuple(fewer), lowest, bits)
    every = [*fewer, *failed]
    tried = [(str(swizzle), verdict) for swizzle, verdict in every]
    return NotFound(tried, {"lowest": lowest, "bits": bits, "fewer": _shown(every)})


def swizzles(lowest: int, bits: int) -> Iterator[Swizzle]:
    """Yield none, then the swizzles upwards of `lowest` within so many bits, fewest bits first.

    >>> print(*swizzles(1, 4))
    Sw<0,0,0> Sw<1,1,1> Sw<1,1,2> Sw<1,2,1>
    """
    yield Swizzle(0, 0, 0)
    for count in range(1, bits + 1):
        for base in range(lowest, bits - 2 * count + 1):
            for shift in range(count, bits - count - base + 1):
                yield Swizzle(count, base, shift)


def _read(value: Access | str, given: Assumptions) -> Access:
    found = evaluate(value, given) if isinstance(value, str) else value
    if not isinstance(found, Access):
        raise InputError(
            f"{value} is no access",
            "write access((8,8):(64,8), 16, 128): a layout, the bits of an element, of an access",
        )
    if isinstance(found.layout, ComposedLayout) and found.swizzle.bits:
        raise InputError(f"{found} is swizzled already", "give the access without its swizzle")
    return found


def _bits(access: Access) -> int:
    """Return how many bits the offsets of a static layout have."""
    modes = [*access.inner.modes(), (2, access.offset)]
    spans = [(s - 1) * d for s, d in modes if isinstance(s, int) and isinstance(d, int)]
    if len(spans) < len(modes) or min(spans) < 0:
        raise InputError(
            f"the offsets of {access} are no numbers from 0 to a largest one",
            "say how many bits of them a swizzle may use",
        )
    return sum(spans).bit_length()


def _claims(accesses: Sequence[Access], swizzle: Swizzle, ways: int) -> Iterator[BankConflict]:
    for access in accesses:
        layout = ComposedLayout(swizzle, access.offset, access.inner)
        turned = Access(layout, access.element_bits, access.access_bits, access.base)
        yield BankConflict(turned, ways)
