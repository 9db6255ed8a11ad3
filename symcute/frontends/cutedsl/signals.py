"""What threads do to mbarriers, and which of them do what one of a warp does for all.

An mbarrier that is used in a way that is not followed is memory that is accessed; what that orders
is not known, so that no race is certain, and a proof rests on none of it.
"""

from __future__ import annotations

import re

from symcute.frontends.cutedsl.arithmetic import BOOL, I32
from symcute.frontends.cutedsl.evaluation import Step
from symcute.frontends.cutedsl.text import Operation
from symcute.frontends.cutedsl.values import dims_of
from symcute.frontends.cutedsl.walk import ELECTED, Rule, Walk
from symcute.kernel.ir.expression import Binary, Builtin, Const, Expr, Var
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Atomic, Barrier, Fence, Havoc, NotUnderstood, Signal, Store
from symcute.kernel.ir.semantics import MBARRIER, unordered

__all__ = ["RULES", "elected", "touched"]

#: What makes an mbarrier of memory, and memory of an mbarrier.
_MADE = ("nvvm.mbarrier.init", "nvvm.mbarrier.inval")
#: The fences behind which agents see shared memory.
_PROXIES = ("#nvvm.proxy_kind<async.shared>", "#nvvm.proxy_kind<async>")
#: A group of one block: its MMAs are of no pair.
_GROUP = "cta_group<cta_1>"


def elected() -> Expr:
    """Return that a thread is the one of its warp that is elected.

    Which lane that is nobody knows; for one mask of lanes it is always the same (PTX ISA,
    elect.sync), and the DSL elects of all lanes.
    """
    return Binary("==", Builtin("laneId", I32), Var(ELECTED, I32), BOOL, Place("elect.sync", 1, 1))


def _elect(walk: Walk, step: Step, at: Place) -> None:
    # All lanes wait for each other; what they wrote before is not ordered by that.
    walk.out.append(Barrier("elected", at))
    walk.truths[step.operation.results[0].name] = elected()


def _mbarrier(walk: Walk, step: Step, at: Place) -> None:
    """An mbarrier is signalled, or accessed where it is not followed what that orders."""
    operation = step.operation
    pointer = walk.carried.get(operation.operands[0].name)
    if pointer is None or not _signalled(walk, step, pointer, at):
        made = operation.name in _MADE
        if _conditional(operation):
            pointer = None
        touched(walk, operation.name, pointer, at, made)
        if not made:
            # What returns nothing waits, for ever perhaps, so that a barrier behind may not be met.
            waits = "wait" in operation.name and not operation.results
            walk.out.append(unordered("an mbarrier", at, barrier=waits))
    for result in operation.results:
        if result.type == "i1":
            name = walk.name()
            walk.out.append(Havoc(name, BOOL, f"what {operation.name} gives", at))
            walk.registers.levels[name] = len(walk.around)
            walk.truths[result.name] = Var(name, BOOL)


def _signalled(walk: Walk, step: Step, pointer: Expr, at: Place) -> bool:
    """Let a thread signal; return whether it is known how."""
    operation = step.operation
    name = operation.name.removeprefix("nvvm.mbarrier.")
    given = step.operands[1:]
    if _conditional(operation) or operation.properties.get("relaxed", "false") != "false":
        return False
    bytes = given[0] if given and type(given[0]) is int else None
    match name:
        case "init" if bytes is not None and bytes >= 1:
            walk.out.append(Signal("init", pointer, Const(bytes, I32), at))
        case "arrive" if given in ((), (1,), [], [1]) and _is_of_block(operation):
            walk.out.append(Signal("arrive", pointer, None, at))
        case "expect_tx" if bytes is not None and bytes >= 1 and _is_of_block(operation):
            walk.out.append(Signal("expect", pointer, Const(bytes, I32), at))
        case "arrive.expect_tx" if bytes is not None and bytes >= 1 and _is_of_block(operation):
            walk.out.append(Signal("expect", pointer, Const(bytes, I32), at))
            walk.out.append(Signal("arrive", pointer, None, at))
        case "try_wait.parity" if (
            not operation.results and len(given) == 2 and dims_of(given[0]) <= walk.phases
        ):
            # It waits again until the phase is over; how long it sleeps at a time is its own.
            parity = walk.integer(given[0], at, I32)
            walk.out.append(Signal("wait", pointer, parity, at))
        case "nvvm.tcgen05.commit" if not given and _GROUP in operation.properties.get("group", ""):
            walk.out.append(Signal("commit", pointer, None, at))
        case _:
            return False
    return True


def _is_of_block(operation: Operation) -> bool:
    """Return whether a signal is to the threads of a block, and of no cluster."""
    return operation.properties.get("scope") == "#nvvm.mem_scope<cta>"


def _conditional(operation: Operation) -> bool:
    """Return whether an operand may say that an mbarrier is left alone: any behind the second."""
    sizes = re.findall(
        r"\d+", operation.properties.get("operandSegmentSizes", "").partition(":")[2]
    )
    return any(x != "0" for x in sizes[2:])


def touched(walk: Walk, what: str, pointer: Expr | None, at: Place, made: bool = False) -> None:
    """Access an mbarrier: one that is `made` is written as other memory is."""
    if pointer is None:
        reason = f"where the mbarrier of {what} lies is not known"
        shared = walk.shares.in_space("shared")
        walk.out.append(NotUnderstood(reason, at, (), shared, False, "access"))
    elif made:
        walk.out.append(Store(pointer, MBARRIER, at))
    else:
        walk.out.append(Atomic(what, pointer, MBARRIER, at, scope="block"))


def _proxy(walk: Walk, step: Step, at: Place) -> None:
    """A fence between what threads write and what agents see."""
    if step.operation.properties.get("kind", "") in _PROXIES:
        walk.out.append(Fence("proxy", at))
    else:
        walk.out.append(unordered("a fence", at))


def _made(walk: Walk, step: Step, at: Place) -> None:
    walk.out.append(Fence("init", at))


RULES: dict[str, Rule] = {
    "nvvm.elect.sync": _elect,
    "nvvm.fence.mbarrier.init": _made,
    "nvvm.fence.proxy": _proxy,
    "nvvm.tcgen05.commit": _mbarrier,
    **{
        f"nvvm.mbarrier.{name}": _mbarrier
        for name in (
            "init", "inval", "arrive", "arrive.nocomplete", "arrive.expect_tx", "expect_tx",
            "complete_tx", "test.wait", "try_wait", "wait.parity", "try_wait.parity",
        )
    },
}  # fmt: skip
