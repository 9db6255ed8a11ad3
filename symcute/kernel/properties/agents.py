"""What agents access beside the threads that begin it: by TMA, and by MMAs.

An agent accesses memory at any time from where its thread begins that. What comes before is ordered
with it as with its thread: what the thread did, what it has waited for, and what lies before a
barrier that all came to. What comes behind is ordered with it by mbarriers alone, even what its own
thread does; so that its thread and another may be one.

What a thread wrote an agent sees behind a fence (PTX ISA, Async proxy), which the thread that wrote
has to come by: before it arrives, or comes to the barrier, by which the two are ordered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from symcute.expr.node import Term
from symcute.expr.terms import add
from symcute.kernel.access_map import Access, Fenced
from symcute.kernel.properties.apart import Pair
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.sides import ANY, Order

__all__ = ["Agents", "fenced"]


class Agents:
    """What agents of an access map access, and what comes before that."""

    def __init__(self, context: Context) -> None:
        self._context = context

    @cached_property
    def _arrays(self) -> frozenset[str]:
        return frozenset(a.array for a in self._context.map.accesses if a.agent)

    def place(self, access: Access) -> object:
        """Return what is to be known of where an access stands, if agents access its array."""
        if access.array not in self._arrays:
            return None
        return access.agent, access.around, self._context.number(access)

    def pairs(
        self, base: Pair, threads: tuple[str, ...], orders: tuple[Order, ...] | None
    ) -> Iterator[Pair]:
        """Yield how the two accesses of a pair may be made at once, one of them by an agent.

        Without `orders`, nothing orders them.
        """
        a, b = base.a.access, base.b.access
        rounds = [v.name for v in a.variables if v.kind == "round"]
        differ = (*threads, *rounds) if base.alike else (ANY,)
        if orders is None:
            yield replace(base, differ=differ)
        elif not (self._parted(a, b) or self._parted(b, a)):
            own = (*self._begun(a, b, threads), *self._begun(b, a, threads, back=True))
            yield replace(base, differ=differ, orders=(*orders, *own))

    def _parted(self, first: Access, agent: Access) -> bool:
        """Return whether a barrier of the block lies between an access and what an agent begins."""
        if first.agent or not agent.agent or not first.phases or not agent.phases:
            return False
        last, start = max(p.start for p in first.phases), min(p.start for p in agent.phases)
        if last >= start or not all(map(self._context.begins_once, first.phases)):
            return False
        return not _written(first) or any(f.barriers <= start for f in fenced(self._context, first))

    def _begun(
        self, first: Access, agent: Access, threads: tuple[str, ...], back: bool = False
    ) -> Iterator[Order]:
        """Yield when a thread itself has made an access before it begins that of an agent."""
        m, n = self._context.number(first), self._context.number(agent)
        if first.agent or not agent.agent or m is None or n is None or first.late:
            return
        if _written(first) and not any(f.accesses <= n for f in fenced(self._context, first)):
            return
        same: list[tuple[Term, Term]] = [(t, t) for t in threads]
        common = [x for x, y in zip(first.around, agent.around, strict=False) if x == y]
        if first.around[: len(common)] != (*common,) or agent.around[: len(common)] != (*common,):
            return
        ends: tuple[Term, Term] = (0, 0)
        if common:
            mine, theirs = first.rounds, agent.rounds
            if common[0] not in mine or common[0] not in theirs:
                return
            sooner = m < n and len(common) == 1
            ends = add(mine[common[0]], 0 if sooner else 1), theirs[common[0]]
        elif m > n:
            return
        yield Order((*same,), ends[::-1] if back else ends, back)


def _written(access: Access) -> bool:
    """Return whether a thread wrote what an agent sees but behind a fence."""
    return access.kind != "read" and not access.agent and not access.signal


def fenced(context: Context, access: Access, of: tuple[str, ...] = ("proxy",)) -> Iterator[Fenced]:
    """Yield the fences of some kinds that a thread comes by behind an access."""
    number = context.number(access)
    if number is None:
        return
    for f in context.map.fences:
        behind = f.of in of and f.accesses > number
        behind = behind and access.around[: len(f.around)] == f.around
        if behind and context.implies(access.guard, f.guard):
            yield f
