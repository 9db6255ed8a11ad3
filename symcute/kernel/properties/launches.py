"""launch_valid: the device accepts the launch: extents, threads of a block, shared memory."""

from __future__ import annotations

from collections.abc import Iterator

from symcute.expr.node import Node, Term
from symcute.expr.terms import add, at_most, mul, show
from symcute.hardware.architecture import architecture
from symcute.kernel.ir.program import Int, Kernel, NotUnderstood
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.question import Question, about
from symcute.kernel.symexec.entry import term_of, truth_of
from symcute.solve.sequent import Sequent

__all__ = ["launch_valid"]


def launch_valid(context: Context, kernel: Kernel | None) -> Iterator[Question]:
    """Yield what a launch must meet; what is given and what the parameters hold is assumed."""
    setting, map = context.setting, context.map
    target, limits = map.target, architecture(setting.architecture)
    known = [at_most(setting.given.lower_bound(n), n) for n in sorted(context.dims)]
    known += [truth_of(f) for f in setting.given.formulas]
    for p in kernel.params if kernel is not None else ():
        if isinstance(p.type, Int):
            value = term_of(setting.arguments[p.name]) if p.name in setting.arguments else p.name
            known += [at_most(p.type.low, value), at_most(value, p.type.high)]
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
            f"at most {limits.shared_bytes} on {limits.name}",
            total,
            limits.shared_bytes,
        )
    )
    if not target.asks_for_shared:
        least = limits.static_shared_bytes
        goals.append((f"{static} bytes of static shared memory", f"at most {least}", static, least))
    for subject, claim, less, more in goals:
        if place is not None:
            quick, patient = about(here, Node("<=", less, more))
            unsupported = context.doubtful_barriers() if nothing and "shared" in subject else ""
            yield Question(
                "launch_valid", place, subject, claim, quick, patient, unsupported=unsupported
            )
