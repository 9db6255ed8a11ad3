"""The kernels of a module as programs, each with the launches that its host function comes to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from symcute.errors import InputError, SymcuteError
from symcute.expr.assumptions import Assumptions
from symcute.expr.htuple import Leaf, show
from symcute.frontends.cuda.target import CUDA
from symcute.frontends.cutedsl import types
from symcute.frontends.cutedsl.arithmetic import I32, I64, RESTS
from symcute.frontends.cutedsl.evaluation import Evaluation, Function, Step
from symcute.frontends.cutedsl.lowering import lowered, pointed_to
from symcute.frontends.cutedsl.transfers import Descriptor
from symcute.frontends.cutedsl.values import UNKNOWN, Scope, Tensor, dims_of
from symcute.frontends.cutedsl.values import Pointer as Start
from symcute.frontends.cutedsl.walk import ELECTED
from symcute.kernel.checking import check
from symcute.kernel.findings import Finding
from symcute.kernel.ir.families import Family
from symcute.kernel.ir.inside import every, expressions, reads
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import (
    Array,
    Int,
    Kernel,
    Load,
    NotUnderstood,
    Param,
    Pointer,
    Stmt,
    Store,
)
from symcute.kernel.ir.setting import Setting
from symcute.kernel.ir.verify import verified
from symcute.kernel.launch.families import qualified
from symcute.layout.layout import Layout

__all__ = ["Launched", "decided", "launches"]

#: What the host function launches: with as much dynamic shared memory as the kernel allocates.
_TARGET = replace(CUDA, name="CuTe DSL", asks_for_shared=True)
#: No tensor has more bytes.
_MEMORY = 1 << 40
#: Extents are so much below what their type has: that rounding up to tiles does not wrap.
_SLACK = 1 << 16
#: How many reasons are told for a property.
_TOLD = 3
#: Where the DSL's own operations are.
_LIBRARY = ("cutlass/utils/smem_allocator.py",)
_TAKEN = (
    "tensors of the arguments do not overlap, and have at most 2**40 bytes, as their strides do",
    "extents are at most 2**31 - 2**16, and what the host computes does not wrap",
)
_BESIDE = (
    "TMA stays inside of the tensor that its descriptor is of",
    "an MMA reads of shared memory what the layout of its fragment says",
    "one lane of a warp, that which elect.sync elects of all, begins copies by TMA and MMAs",
)


@dataclass(frozen=True)
class Launched:
    """A kernel with a launch of it; `trouble` says why they are not known.

    `freer` is a launch of which less is known: not what the host chooses between numbers.
    """

    name: str
    place: Place
    kernel: Kernel | None = None
    setting: Setting | None = None
    freer: Setting | None = None
    unknown: tuple[str, ...] = ()
    trouble: str = ""


def decided(
    found: Evaluation, wanted: tuple[str, ...], given: Sequence[str] = (), **options: Any
) -> Iterator[Finding]:
    """Decide properties of each kernel of a module that is launched, where assumptions hold."""
    for each in launches(found, given):
        if each.kernel is None or each.setting is None:
            for name in wanted:
                yield Finding(
                    name, "unknown", each.place, each.trouble, each.name, each.name,
                    reason=each.trouble,
                )  # fmt: skip
            continue
        family = Family(each.place, each.name, (), each.unknown)
        try:
            every = check(each.kernel, each.setting, wanted, freer=each.freer, **options)
        except SymcuteError as error:
            reason = str(error).splitlines()[0]
            every = [
                Finding(n, "unknown", each.place, reason, each.name, each.name, reason=reason)
                for n in wanted
            ]
        yield from _together(qualified(every, family))


def _together(found: list[Finding]) -> Iterator[Finding]:
    """Yield findings, those of what is not understood as one for each property."""
    doubts: dict[str, list[Finding]] = {}
    for f in found:
        if f.is_doubt():
            doubts.setdefault(f.property, []).append(f)
    told = set[str]()
    for f in found:
        if f not in doubts.get(f.property, ()):
            yield f
        elif f.property not in told:
            told.add(f.property)
            each = doubts[f.property]
            reasons = list(dict.fromkeys(x.reason.removesuffix(f"; {RESTS}") for x in each))
            more = f", and {len(reasons) - _TOLD} more" if len(reasons) > _TOLD else ""
            reason = f"not understood: {'; '.join(reasons[:_TOLD])}{more}"
            yield replace(f, text=f"{len(each)} statements", reason=reason, count=len(each))


def launches(found: Evaluation, given: Sequence[str] = ()) -> Iterator[Launched]:
    """Yield the kernels that an evaluated module launches, in the order of their launches."""
    hosts = [f for f in found.functions if not f.is_kernel]
    for function in found.functions:
        if not function.is_kernel:
            continue
        short = _short(function)
        at = _place(function)
        try:
            yield _launched(function, hosts, found, tuple(given), short, at)
        except SymcuteError as error:
            yield Launched(short, at, trouble=str(error).splitlines()[0])


def _launched(
    function: Function,
    hosts: list[Function],
    found: Evaluation,
    assumed: tuple[str, ...],
    short: str,
    at: Place,
) -> Launched:
    launch, scope = function.launch, found.scope
    if launch is None:
        raise InputError(f"no launch of {short} is found", "call it from the host function")
    host = next(h for h in hosts if any(s is launch for s in h.steps))
    arrays, extents, alignment = _tensors(host, found.names)
    for k, step in enumerate(_rooms(function)):
        (made,) = step.results
        place = step.operation.place or at
        bits = types.bits_of(made.start.element)
        size = -(-int(made.layout.cosize()) * bits // 8)
        arrays[made.start.root] = Array(
            f"smem{k + 1}", "shared", max(1, bits // 8), size, made.start.alignment, place, "smem"
        )
    block, grid = _extents(host, launch)
    known = {d: I64 if scope.bits.get(d, 32) > 32 else I32 for d in sorted(scope.host)}
    elects = ELECTED not in known
    if elects:
        known[ELECTED] = I32
    body = lowered(function, scope, arrays, known, at, _descriptors(function, host, arrays))
    used = _named(body) | dims_of((*grid, *block, *extents.values()))
    chosen = scope.definitions(used)
    used |= chosen.keys() | set().union(*map(dims_of, chosen.values()))
    computed = used & scope.host - scope.arguments - chosen.keys()
    believed = [s for s in host.steps if s.operation.name == "cute.assume" and s.status == "typed"]
    if believed and (computed or chosen):
        raise InputError("it rests on what cute.assume says, which is not seen to be", "compute it")
    params = [Param(d, t, at, "an integer of the host") for d, t in known.items() if d in used]
    tensors = [
        Param(a.name, Pointer(), a.place, a.text, a.name)
        for a in arrays.values()
        if a.space == "global"
    ]
    given = [x for x in assumed if Assumptions.of(x).dims() <= used]
    for name, type in known.items():
        if name == ELECTED and elects:
            given += [f"{name} >= 0", f"{name} < {CUDA.warp}"] if name in used else []
        elif name in used:
            most = _most(scope, name, type) // scope.divisors.get(name, 1)
            given += [f"{name} >= {scope.least[name]}", f"{name} <= {most}"]
    sizes = {a.name: a.element for a in arrays.values()}
    given += [f"({show(n)})*{sizes[x]} <= {_MEMORY}" for x, n in extents.items()]
    # What the host computes does not wrap.
    fits = {x for name in sorted(chosen) for x in scope.compared.get(name, ())}
    given += [f"({show(x)}) <= {I32.high}" for x in sorted(fits, key=show) if dims_of(x)]
    apart = list(_apart(host, arrays, _written(body)))
    freer = Setting(
        grid=grid,
        block=block,
        extents=extents,
        alignment=alignment,
        given=Assumptions.of([*given, *apart]),
    )
    defined = [f"{name} == {show(x)}" for name, x in chosen.items()]
    setting = replace(freer, given=Assumptions.of([*given, *apart, *defined]))
    beside = any(
        (isinstance(s, NotUnderstood) and s.effect == "inside")
        or (isinstance(s, Load | Store) and s.agent)
        for s in every(body)
    )
    granted = (
        *_TAKEN,
        *(_BESIDE if beside else ()),
        *(f"{x}: no elements share a place, an earlier mode is inside" for x in apart),
    )
    kernel = Kernel(
        short, (*tensors, *params), tuple(arrays.values()), body, at, _TARGET, granted=granted
    )
    unknown = ["the host comes to the launch"] if launch.conditional else []
    if not found.tied and len([x for x in extents.values() if dims_of(x)]) > 1:
        unknown.append(
            "sizes of several tensors are as unlike: give those that are one integer one symbol"
        )
    if computed:
        unknown.append("the host computes such numbers")
    return Launched(
        short, at, verified(kernel), setting, freer if defined else None, tuple(unknown)
    )


def _descriptors(
    function: Function, host: Function, arrays: dict[str, Array]
) -> dict[str, Descriptor]:
    """Return what the descriptors of TMA are of that a kernel's arguments are."""
    (block,) = function.operation.regions[0]
    launch = function.launch
    assert launch is not None
    given = launch.operation.operands[-len(block.arguments) :] if block.arguments else ()
    found: dict[str, Descriptor] = {}
    made = {r.name: (s, k) for s in host.steps for k, r in enumerate(s.operation.results)}
    for argument, value in zip(block.arguments, given, strict=True):
        step, number = made.get(value.name, (None, 0))
        if step is None or number or ".make_non_exec_tiled_tma_" not in step.operation.name:
            continue
        tensor = step.operands[0]
        array = arrays.get(getattr(getattr(tensor, "start", None), "root", ""))
        if array is not None and isinstance(tensor, Tensor):
            found[argument.name] = Descriptor(array.name, tensor, step.results[1])
    return found


def _short(function: Function) -> str:
    """Return a kernel's name in its source, as far as the module tells it."""
    found = re.search(
        r"kernel_cutlass_(.+?)_(?:tensorptr|coordtensor|Tiled|Copy|[A-Z])", function.name
    )
    return found.group(1) if found else function.name


def _place(function: Function) -> Place:
    """Return the first place in a kernel's source."""
    places = [s.operation.place for s in function.steps if s.operation.place]
    own = [p for p in places if not p.file.endswith(_LIBRARY)]
    return (own or places or [Place("module.mlir", function.operation.line, 1)])[0]


def _tensors(
    host: Function, names: Mapping[str, str]
) -> tuple[dict[str, Array], dict[str, Leaf], dict[str, int]]:
    """Return the arrays that a host function's arguments point to, by roots, and their extents."""
    (block,) = host.operation.regions[0]
    arrays: dict[str, Array] = {}
    extents: dict[str, Leaf] = {}
    alignment: dict[str, int] = {}
    for k, value in enumerate(host.arguments[id(block)]):
        start = value.start if isinstance(value, Tensor) else value
        if not isinstance(start, Start) or start.space != "gmem":
            continue
        layout = value.layout if isinstance(value, Tensor) else None
        if isinstance(layout, Layout) and _goes_back(layout):
            continue
        bits = types.bits_of(start.element)
        name = names.get(block.arguments[k].name, f"arg{k}")
        at = Place("module.mlir", host.operation.line, 1)
        array = Array(name, "global", max(1, bits // 8), None, start.alignment, at, start.element)
        arrays[start.root], alignment[name] = array, start.alignment
        if isinstance(layout, Layout) and bits % 8 == 0:
            extents[name] = layout.cosize()
    return arrays, extents, alignment


def _goes_back(layout: Layout) -> bool:
    """Return whether elements may lie before the first one, so that the size says not where."""
    return any(isinstance(d, int) and d < 0 for _, d in layout.modes())


def _rooms(function: Function) -> list[Step]:
    """Return the allocations in shared memory of a kernel."""
    found = []
    for step in function.steps:
        if step.operation.name == "cute.memref.alloca":
            (made,) = step.results
            start = made.start if isinstance(made, Tensor) else None
            if isinstance(start, Start) and start.space == "smem" and made.layout.is_static():
                found.append(step)
    return found


def _extents(host: Function, launch: Step) -> tuple[Any, Any]:
    """Return the extents of block and grid of a launch."""
    name = launch.operation.operands[0].name
    # Regions beside each other have the same names: the last one before the launch is meant.
    number = next(k for k, s in enumerate(host.steps) if s is launch)
    for step in reversed(host.steps[:number]):
        made = step.operation.results
        if step.operation.name == "cuda.launch_cfg.create" and made and made[0].name == name:
            found = step.operands[:3], step.operands[4:7]
            if not any(x is UNKNOWN for each in found for x in each):
                return found
    raise InputError("the extents of the launch are not known", "please report it")


def _most(scope: Scope, name: str, type: Int) -> int:
    """Return the most that a number of the host is taken to be."""
    if name not in scope.sizes:
        below = scope.below.get(name)
        return min(type.high, below - 1) if isinstance(below, int) else type.high
    return min(type.high - _SLACK, _MEMORY)


def _apart(host: Function, arrays: dict[str, Array], written: set[str] | None) -> Iterator[str]:
    """Yield what keeps elements of written tensors apart: strides reach over what is inside.

    The innermost mode is the one of the least stride that is a number; of those that are not, the
    first is inside the next.
    """
    (block,) = host.operation.regions[0]
    for value in host.arguments[id(block)]:
        if not isinstance(value, Tensor) or not isinstance(value.layout, Layout):
            continue
        array = arrays.get(getattr(value.start, "root", ""))
        if array is None or (written is not None and array.name not in written):
            continue
        modes = [(s, d) for s, d in value.layout.modes() if s != 1]
        modes.sort(key=lambda m: (not isinstance(m[1], int), m[1] if isinstance(m[1], int) else 0))
        below: Any = 1
        for extent, stride in modes:
            if not isinstance(stride, int):
                yield f"{show(stride)} >= {show(below)}"
            below = extent * stride


def _written(body: tuple[Stmt, ...]) -> set[str] | None:
    """Return the arrays that statements store to; None where that is not seen.

    One that TMA stores to, nobody knows where, is one of them.
    """
    found = pointed_to(s.pointer for s in every(body) if isinstance(s, Store))
    if found is None:
        return None
    inside = [s for s in every(body) if isinstance(s, NotUnderstood) and s.effect == "inside"]
    return {*found, *(s.arrays[0] for s in inside if s.arrays is not None and len(s.arrays) == 1)}


def _named(body: tuple[Stmt, ...]) -> set[str]:
    """Return the variables that statements read."""
    return {n for s in every(body) for e in expressions(s) for n in reads(e)}
