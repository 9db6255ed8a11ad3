"""barrier_uniform: no thread misses a barrier that others of its block (or warp) reach.

Let one thread be at a barrier, in some round of the loops around it. All that its guard says must
be true of every other thread of the block in the same round. To a barrier with a number, which
counts threads, those have to come whose coordinates allow it, and so many. A wait for an mbarrier
is asked about where it is not known to end: who waits for ever misses what others reach.
"""

from __future__ import annotations

from collections.abc import Iterator

from symcute.expr.node import Term
from symcute.expr.terms import all_of, equal, mul, names, remainder, substitute
from symcute.kernel.access_map import BarrierEvent
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.mbarriers import Mbarriers
from symcute.kernel.properties.question import Question, Ways, about, settled
from symcute.solve.obligation import Answer
from symcute.solve.sequent import Sequent

__all__ = ["barrier_uniform"]

THREADS = ("tx", "ty", "tz")
_SUBJECTS = {
    "block": "barrier", "warp": "barrier of a warp", "grid": "barrier of a grid",
    "elected": "election of a lane of a warp", "lanes": "barrier of lanes of a warp",
    "warpgroup": "instruction of a warpgroup", "numbered": "barrier with a number",
    "gather": "arrival at a barrier that counts", "gathered": "wait for a barrier that counts",
}  # fmt: skip
_WAIT = "wait for an mbarrier"
_UNMET = "whether just as many threads come to the barrier as it counts is not known"


def barrier_uniform(context: Context) -> Iterator[Question]:
    """Yield, for every barrier, that all threads come to it together."""
    mbarriers = Mbarriers(context)
    for event in context.map.events:
        endless = context.endless(event.phases, event, mbarriers.ending)
        yield _asked(context, event, "reached by all threads or none", endless)
    for number, a in enumerate(context.map.accesses):
        if a.signal != "wait":
            continue
        ends = number in mbarriers.ending
        if context.arrays[a.array].numbered:
            event = BarrierEvent(
                "numbered", a.guard, a.variables, a.place, a.needs, a.exact, a.phases
            )
            said = "reached by all threads that it counts or none"
            yield _asked(context, event, said, "" if ends else _UNMET)
        elif not ends:
            answer = Answer("open", reason=f"whether the {_WAIT} at {a.place} ends is not known")
            yield Question("barrier_uniform", a.place, _WAIT, "ends", *settled(answer))


def _asked(context: Context, event: BarrierEvent, claim: str, endless: str) -> Question:
    """Return the question whether those who have to come to a barrier do."""
    return Question(
        "barrier_uniform",
        event.place,
        _SUBJECTS[event.scope],
        claim,
        *_sure(event, about(*_other_thread(context, event))),
        needs=event.needs,
        unsupported=context.doubtful_barriers(),
        endless=endless,
    )


def _other_thread(context: Context, event: BarrierEvent) -> tuple[Sequent, Term]:
    """Return the guard of one thread as sequent, that of another as goal."""
    loops = {v.loop for v in event.variables if v.kind == "round"}
    own = {
        v.name
        for v in event.variables
        if v.kind == "havoc" and not (v.uniform and loops.issuperset(v.around))
    }
    axes = [n for n in THREADS if n in context.extents]
    if event.scope == "grid":
        axes += [n for n in ("bx", "by", "bz") if n in context.extents]
        own |= {v.name for v in event.variables if v.kind == "havoc"}
    rename = {n: f"{n}__2" for n in own | set(axes)}
    facts = context.axis_facts(tuple(context.extents))
    given: list[Term] = [*context.map.facts, *facts, *event.guard]
    given += [substitute(f, {n: f"{n}__2" for n in axes}) for f in facts]
    size = context.map.target.warp * (4 if event.scope == "warpgroup" else 1)
    if event.scope in ("warp", "elected", "lanes", "warpgroup"):
        given.append(equal(context.unit(size), context.unit(size, rename)))
    if event.scope == "numbered":
        given += [substitute(g, rename) for g in event.guard if names(g) <= set(axes)]
    wanted = [g for g in event.guard if names(g) & rename.keys()]
    ranges = {f for f in facts if names(f) & set(axes)}
    goals = [substitute(g, rename) for g in wanted if g not in ranges]
    if event.scope == "warpgroup":
        # No warpgroup that comes there lacks a warp.
        goals.append(equal(remainder(_count(context), size), 0))
    return Sequent(given, context.dims), all_of(*goals)


def _count(context: Context) -> Term:
    """Return how many threads a block has."""
    count: Term = 1
    for n in context.extents.keys() & set(THREADS):
        count = mul(count, context.extents[n])
    return count


def _sure(event: BarrierEvent, ways: Ways) -> Ways:
    """Return ways that prove only where the guard says exactly when the barrier is reached."""
    free = [v for v in event.variables if v.kind == "havoc" and not (v.uniform or v.exact)]
    quick, patient = ways

    def checked(answer: Answer) -> Answer:
        if answer.status == "proved" and not event.exact and free:
            what = free[0].reason or "a value that is not known"
            return Answer("open", reason=f"whether it is reached hangs on {what}")
        return answer

    return (lambda: checked(quick())), (lambda: checked(patient()))
