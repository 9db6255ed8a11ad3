"""launch_valid: the device accepts the launch: extents, threads of a block, shared memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from symcute.expr import limits
from symcute.expr.node import Node, Term
from symcute.expr.terms import add, at_most, mul, remainder, show
from symcute.hardware.architecture import architecture
from symcute.kernel.ir.program import Kernel, NotUnderstood
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.question import Question, about
from symcute.kernel.symexec.entry import term_of, truth_of
from symcute.solve.sequent import Sequent

__all__ = ["launch_valid", "to_be_met"]

#: The work for what is plain of a launch.
PLAIN = 40


def launch_valid(context: Context, kernel: Kernel | None) -> Iterator[Question]:
    """Yield what a launch must meet; what is given and what the parameters hold is assumed."""
    return (q for q, _ in _asked(context, kernel))


def to_be_met(context: Context, kernel: Kernel) -> list[Term]:
    """Return what is not plain to be met by each launch."""
    given = set(map(truth_of, context.setting.given.formulas))
    found = []
    for q, goal in _asked(context, kernel):
        if goal in given:
            continue
        with suppress(limits.WorkLimit), limits.budget(PLAIN):
            if q.quick().status == "proved":
                continue
        found.append(goal)
    return found


#: What a grid is of where clusters are not understood.
WHOLE = "whole clusters"


def _asked(context: Context, kernel: Kernel | None) -> Iterator[tuple[Question, Term]]:
    """Yield what a launch must meet, with that as a relation."""
    setting, map = context.setting, context.map
    target, device = map.target, architecture(setting.architecture)
    known = [at_most(setting.given.lower_bound(n), n) for n in sorted(context.dims)]
    known += [truth_of(f) for f in setting.given.formulas]
    for p in kernel.params if kernel is not None else ():
        if p.numbers is not None:
            value = term_of(setting.arguments[p.name]) if p.name in setting.arguments else p.name
            known += [at_most(p.numbers.low, value), at_most(value, p.numbers.high)]
    here = Sequent(known, context.dims)
    place = kernel.place if kernel is not None else map.arrays[0].place if map.arrays else None
    # Of a kernel that is not understood at all, nobody knows how much memory it declares.
    whole = kernel.body if kernel is not None else ()
    nothing = len(whole) == 1 and isinstance(whole[0], NotUnderstood) and whole[0].variables is None
    goals: list[tuple[str, str, Term, Term]] = []
    for what, extents, most in (
        (target.grid_name, setting.grid, target.grid),
        (target.block_name, setting.block, target.block),
    ):
        for axis, leaf, high in zip("xyz", extents, most, strict=True):
            extent = term_of(leaf)
            name = f"{what}.{axis} = {show(extent)}"
            goals.append((name, "at least 1", 1, extent))
            goals.append((name, f"at most {high}", extent, high))
    cluster = kernel.cluster if kernel is not None else None
    for axis, leaf, blocks in zip("xyz", setting.grid, cluster or (), strict=False):
        extent = term_of(leaf)
        subject = f"{target.grid_name}.{axis} = {show(extent)}"
        said = f"a multiple of {blocks}, the blocks of a cluster"
        goals.append((subject, said, remainder(extent, blocks), 0))
    if cluster == ():
        goals.append((target.grid_name, WHOLE, 0, 0))
    threads: Term = 1
    for leaf in setting.block:
        threads = mul(threads, term_of(leaf))
    allowed = target.threads
    if kernel is not None and kernel.launch_bounds is not None:
        allowed = min(allowed, kernel.launch_bounds)
    subject = f"{show(threads)} threads of a block"
    goals.append((subject, f"at most {allowed}", threads, allowed))
    static = sum(a.declared for a in map.arrays)
    total = add(term_of(setting.shared), static)
    goals.append(
        (
            f"{show(total)} bytes of shared memory",
            f"at most {device.shared_bytes} on {device.name}",
            total,
            device.shared_bytes,
        )
    )
    if not target.asks_for_shared:
        least = device.static_shared_bytes
        goals.append((f"{static} bytes of static shared memory", f"at most {least}", static, least))
    for subject, claim, less, more in goals:
        if place is not None:
            goal = Node("<=", less, more)
            quick, patient = about(here, goal)
            unsupported = context.doubtful_barriers() if nothing and "shared" in subject else ""
            if claim == WHOLE:
                unsupported = "of how many blocks a cluster is, is not understood"
            yield (
                Question(
                    "launch_valid", place, subject, claim, quick, patient, unsupported=unsupported
                ),
                at_most(less, more),
            )
