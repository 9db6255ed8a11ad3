"""Barriers that count (`cuda::barrier`), where each thread of a block arrives once a phase.

A thread arrives, and waits with the token of that arrival until the phase is over of which it was.
Let such a barrier be made by one thread, before the first barrier of the block that any comes by,
for as many arrivals as the block has threads; let nothing else touch it; and let each arrival be
awaited by who arrived, behind the same conditions, before the next one. All threads come to the
same arrivals in the same rounds, which is asked as of any barrier (`properties/barriers.py`). Then
the k-th phase takes the k-th arrival of each thread, by induction over k: a thread arrives again
only where the phase before is over. So what a thread does before its arrival comes before what
another does behind its wait for that phase, since an arrival releases and a wait acquires (libcu++,
`cuda::barrier`); and that wait ends. Between the two a thread may be in either interval.

Where this is not shown, nothing is ordered, and whether a wait ends is not known.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from symcute.expr.node import Term
from symcute.expr.terms import add, at_most, equal, less, mul, names, substitute
from symcute.kernel.access_map import Access, AccessMap
from symcute.kernel.ir.semantics import GATHERS, MBARRIER
from symcute.kernel.ir.setting import Setting
from symcute.kernel.symexec.entry import term_of
from symcute.kernel.symexec.state import Address
from symcute.solve.sequent import Sequent
from symcute.solve.tiers import shows

__all__ = ["gathered", "held_at"]

_THREADS, _BLOCKS = ("tx", "ty", "tz"), ("bx", "by", "bz")


def held_at(address: Address) -> tuple[str, Term] | None:
    """Return the array and the byte of a barrier, if that is one place for all threads."""
    if len(address.options) != 1 or address.options[0].when or address.needs:
        return None
    option = address.options[0]
    whole = option.array is not None and type(option.offset) is int
    return (option.array, option.offset) if whole and option.array is not None else None


def gathered(map: AccessMap, setting: Setting) -> AccessMap | None:
    """Return a map in which barriers that count order accesses, or None where one may not.

    Pre-conditions: `map` was made as if all of them did. Its barriers rest on what they are made
    with, in what is returned.
    """
    events = [(n, e) for n, e in enumerate(map.events) if e.scope in GATHERS]
    arrivals = [n for n, e in events if e.scope == "gather"]
    awaited = [e.arrival for _, e in events if e.scope == "gathered"]
    if None in awaited or sorted(n for n in awaited if n is not None) != arrivals:
        return None
    own = {e.accesses - 1 for _, e in events}
    needs = frozenset[int]()
    for held in dict.fromkeys(e.held for _, e in events):
        others = [] if held is None else _others(map, held, own)
        if held is None or len(others) != 1:
            return None
        if not _is_made(map, setting, others[0], held) or _is_doubtful(map, held[0]):
            return None
        needs |= others[0].needs | others[0].value_needs | others[0].ends
    if any(not a.phases or any(p.start < 0 for p in a.phases) for a in _numbered(map, own)):
        return None
    told = (replace(e, needs=e.needs | needs) if e.scope in GATHERS else e for e in map.events)
    return replace(map, events=tuple(told))


def _numbered(map: AccessMap, numbers: Collection[int]) -> list[Access]:
    """Return the accesses of so many numbers."""
    return [a for n, a in enumerate(map.accesses) if n in numbers]


def _others(map: AccessMap, held: tuple[str, Term], own: Collection[int]) -> list[Access]:
    """Return what may touch a barrier, but for arrivals and waits, which have these numbers."""
    array, start = held
    found = []
    for n, a in enumerate(map.accesses):
        if a.array != array or (n in own and a.offset == start):
            continue
        known = Sequent((*map.facts, *a.guard), map.dims)
        ends = at_most(add(a.offset, a.width), start), at_most(add(start, MBARRIER), a.offset)
        if not any(shows(known, e) for e in ends):
            found.append(a)
    return found


def _is_doubtful(map: AccessMap, array: str) -> bool:
    """Return whether what is not understood, or another view of its memory, may touch a barrier."""
    return (
        any(a.name == array and a.space != "shared" for a in map.arrays)
        or any(a.view_of and array in (a.name, a.view_of) for a in map.arrays)
        or any(
            u.effect != "aligned" and (u.arrays is None or array in u.arrays)
            for u in map.unsupported
        )
    )


def _is_made(map: AccessMap, setting: Setting, init: Access, held: tuple[str, Term]) -> bool:
    """Return whether the first thread of each block, alone, makes a barrier for all of it."""
    block = [term_of(x) for x in setting.block]
    axes = [t for t, extent in zip(_THREADS, block, strict=True) if extent != 1]
    count: Term = 1
    for extent in block:
        count = mul(count, extent)
    blocks = [
        fact
        for b, extent in zip(_BLOCKS, setting.grid, strict=True)
        for fact in (at_most(0, b), less(b, term_of(extent)))
    ]
    here = Sequent((*map.facts, *blocks), map.dims)
    behind = Sequent((*map.facts, *init.guard), map.dims)
    first = [substitute(g, dict.fromkeys(_THREADS, 0)) for g in init.guard]
    plain = init.kind == "write" and not (init.signal or init.late or init.agent or init.around)
    return (
        plain
        and init.exact
        and (init.offset, init.width) == (held[1], MBARRIER)
        and all(v.kind in ("block", "thread") for v in init.variables)
        and bool(init.phases)
        and all(p.start == -1 for p in init.phases)
        and init.value is not None
        and names(init.value) <= map.dims
        and shows(here, equal(init.value, count))
        and all(shows(behind, equal(t, 0)) for t in axes)
        and all(shows(here, g) for g in first)
    )
