"""Whether a suggestion helps: a question of some lines under more of them, without an execution."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from symcute.expr import limits
from symcute.expr.terms import all_of, mul
from symcute.kernel.contracts.lines import Line, Unlaunched, sizes_of
from symcute.kernel.properties.bounds import inside
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.question import Question
from symcute.solve.tiers import quickly

__all__ = ["holds_under"]

#: What it may cost to see whether a suggestion helps.
UNDER = 2000


def holds_under(blank: Unlaunched, context: Context, q: Question, lines: Iterable[Line]) -> bool:
    """Return whether a question that is one of a context is answered where lines hold besides.

    Pre-conditions: it is one that says what it would be if more were assumed.
    Errors: WorkLimit, where the work of the block around is done.
    """
    every = tuple(lines)
    sizes = sizes_of(every)
    said = [blank.truths(x) for x in every if x.kind != "extent" or x.name not in sizes]
    with suppress(limits.WorkLimit), limits.budget(UNDER):
        if q.property != "in_bounds":
            return q.under is not None and q.under(all_of(*said))
        # That an array has more elements than a sum is harder to use than that it has as many.
        (access,) = q.accesses
        array = context.arrays[access.array]
        size = context.bytes_of(array) or 0
        if array.name in blank.extents:
            size = mul(sizes.get(array.name, blank.extents[array.name]), array.element)
        here = context.at(access.guard).extended(said)
        return quickly(here, inside(access, size)).status == "proved"
    if limits.allowance() <= 0:
        raise limits.WorkLimit
    return False
