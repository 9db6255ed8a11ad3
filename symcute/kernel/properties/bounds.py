"""in_bounds: every access lies inside its array; aligned: it is at a multiple of its alignment."""

from __future__ import annotations

from collections.abc import Iterator

from symcute.expr.node import Node, Term
from symcute.expr.terms import add, show
from symcute.kernel.access_map import Access
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.question import Question, about, settled, under
from symcute.solve.obligation import ARITHMETIC, Answer, Obligation

__all__ = ["aligned", "in_bounds", "inside"]

#: What alignment rests on where it is read off the program.
STEPS = "pointers that move by whole elements"
#: The widest access that has to be aligned to all of its width.
MAX_ALIGNMENT = 16


def in_bounds(context: Context) -> Iterator[Question]:
    """Yield, for every access, that its bytes are those of its array."""
    for access in context.touches:
        array = context.arrays[access.array]
        size = context.bytes_of(array)
        remedy = None
        unsupported = context.unsupported(access.array)
        if size is None:
            reason = (
                f"the extent of {array.name} is not given; write --extent {array.name}=..., "
                f"or the comment {context.map.target.note} extent {array.name} = ..."
            )
            quick, patient = settled(Answer("open", reason=reason))
            claim = "inside the array"
        else:
            goal = inside(access, size)
            quick, patient = about(context.at(access.guard), goal)
            claim = f"bytes 0 to {show(size)} of {array.name}"
            remedy = under(context.at(access.guard), goal)
        yield Question(
            "in_bounds",
            access.place,
            subject(access),
            claim,
            quick,
            patient,
            needs=access.needs,
            unsupported=unsupported,
            accesses=(access,),
            under=remedy,
        )


def inside(access: Access, size: Term) -> Term:
    """Return that the bytes of an access are among the first `size` ones."""
    end = add(access.offset, access.width)
    return Node("and", Node("<=", 0, access.offset), Node("<=", end, size))


def aligned(context: Context) -> Iterator[Question]:
    """Yield, for every access of several bytes, that its address is a multiple of its alignment."""
    for access in context.touches:
        wanted = min(access.width & -access.width, MAX_ALIGNMENT)
        array = context.arrays[access.array]
        if wanted == 1:
            continue
        start, why = context.alignment_of(array)
        needs = access.needs
        rests = (why,) if why else ()
        goal = Node("==", Node("%", access.offset, wanted), 0)
        if start % wanted:
            reason = (
                f"the start of {array.name} is only known to be a multiple of {start} bytes; write "
                f"{context.map.target.note} align {array.name} = {wanted}"
            )
            quick, patient = settled(Answer("open", reason=reason))
        elif context.step(array.name) % wanted == 0:
            # Whatever is computed, and however it wraps, pointers move by multiples.
            shown = Obligation(context.at(access.guard).hypotheses, goal, context.at(()).dims)
            steps = Answer("proved", "steps of pointers", (ARITHMETIC,), obligations=(shown,))
            quick, patient = settled(steps)
            needs, rests = frozenset(), (STEPS, *rests)
        else:
            quick, patient = about(context.at(access.guard), goal)
        yield Question(
            "aligned",
            access.place,
            subject(access),
            f"at a multiple of {wanted} bytes",
            quick,
            patient,
            needs=needs,
            unsupported=context.unsupported(access.array, width=True),
            rests_on=rests,
            accesses=(access,),
        )


def subject(access: Access) -> str:
    """Return what an access is, in words."""
    if access.kind == "atomic":
        return f"{access.text or 'atomic'} on {access.array}"
    return f"{'read of' if access.kind == 'read' else 'write to'} {access.array}"
