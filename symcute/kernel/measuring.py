"""The requests of the warps in an execution: which lanes access what together, and the cost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from symcute.errors import InputError
from symcute.expr.terms import evaluate
from symcute.hardware.access import WARP
from symcute.hardware.architecture import architecture
from symcute.kernel.access_map import Access, AccessMap
from symcute.kernel.findings import Example
from symcute.kernel.ir.interpreter import Touch
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.setting import Setting
from symcute.kernel.properties.context import AXES
from symcute.kernel.properties.transactions import Serving

__all__ = ["Request", "requests_of"]


@dataclass(frozen=True)
class Request:
    """What the lanes of a warp access together: their touches, by lane."""

    place: Place
    array: str
    kind: str
    width: int
    lanes: dict[int, Touch]

    def access_of(self, map: AccessMap, dims: Mapping[str, int]) -> Access | None:
        """Return the access of a map that this is a request of, or None where that is not known.

        Of several at one place, as an unrolled loop leaves them, it is one that all lanes come to
        and that touches what they touched; loops around it are not looked into.
        """
        here = (self.place, self.array, self.kind, self.width)
        found = [a for a in map.accesses if here == (a.place, a.array, a.kind, a.width)]
        if len(found) == 1:
            return found[0]
        return next((a for a in found if self._explained(a, dims)), None)

    def _explained(self, access: Access, dims: Mapping[str, int]) -> bool:
        for t in self.lanes.values():
            at = {**dims, **dict(zip(AXES, (*t.block, *t.thread), strict=True))}
            try:
                met = all(evaluate(g, at) for g in access.guard)
                if not met or evaluate(access.offset, at) != t.offset:
                    return False
            except InputError:
                return False
        return True

    def example(self, make: Callable[..., Example], property: str, cost: int) -> Example:
        """Return the request as an example: what it costs, and the bytes of the first lanes."""
        many = {"bank_conflicts": "bank conflict", "sectors": "sector"}[property]
        shown = [f"lane {n} at byte {t.offset}" for n, t in sorted(self.lanes.items())[:3]]
        more = ", ..." if len(self.lanes) > 3 else ""
        text = f"the warp's request costs {cost} {many}{'s' * (cost != 1)}: "
        text += f"{', '.join(shown)}{more} of {self.array}"
        first = self.lanes[min(self.lanes)]
        return make(text, first.block, first.thread, first.rounds, None)

    def cost(self, property: str, setting: Setting) -> int | None:
        """Return the cost by the model, or None where it has none: an address that is no address.

        The array is taken to begin at a multiple of all banks.
        """
        addresses = [t.offset if (t := self.lanes.get(n)) else None for n in range(WARP)]
        try:
            arch = architecture(setting.architecture)
            return Serving(property, self.width, WARP, arch, self.kind == "write").cost(addresses)
        except InputError:
            return None


def requests_of(touches: Iterable[Touch], block: tuple[int, int, int]) -> Iterator[Request]:
    """Yield the requests among touches: of one warp, at one place, in the same rounds.

    Where a lane is at a place twice in the same rounds, which of its accesses go with which of
    other lanes is not known: those are left out.
    """
    found: dict[tuple[object, ...], list[Touch]] = defaultdict(list)
    for t in touches:
        key = (t.place, t.array, t.kind, t.width, t.block, t.warp, t.rounds, t.epoch, t.grid)
        found[key].append(t)
    for together in found.values():
        lanes = {_index(t.thread, block) % WARP: t for t in together}
        if len(lanes) == len(together):
            t = together[0]
            yield Request(t.place, t.array, t.kind, t.width, lanes)


def _index(thread: tuple[int, int, int], block: tuple[int, int, int]) -> int:
    return thread[0] + block[0] * (thread[1] + block[1] * thread[2])
