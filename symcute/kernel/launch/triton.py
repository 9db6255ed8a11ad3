"""The guard before launches of Triton: `kernel[grid](...)` is checked, then launched.

What Triton compiles a launch for is asked of Triton, so that families are its own. Autotuning and
heuristics choose constants first, and each choice is checked where it would be launched. A tensor
is what lies between the first and the last of its elements. Where that is not enough, or tensors
have memory in common, it is the whole storage, at the place in it where the tensor begins.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from symcute.errors import InputError, LaunchRefused
from symcute.frontends.triton.descriptors import numbers_of
from symcute.frontends.triton.live import Family, family_of
from symcute.kernel.findings import Finding
from symcute.kernel.ir.program import Int
from symcute.kernel.launch.arguments import Arguments
from symcute.kernel.launch.deciding import Decider, Policy, three
from symcute.kernel.launch.tensors import (
    Block,
    Tensor,
    alignment_of,
    blocks_of,
    is_descriptor,
    key_of,
    meet,
    overlaps,
    own,
    places_of,
    same_launch,
    storage_of,
    tensors_of,
    worth,
)

__all__ = ["GuardedTriton", "guarded_triton", "is_triton"]

#: How many launches, and how many programs, are remembered.
MAX_REMEMBERED, MAX_PROGRAMS = 4096, 256


def is_triton(kernel: Any) -> bool:
    """Return whether it is a function under `triton.jit`, or under what chooses its constants."""
    return any(c.__module__.startswith("triton.runtime.") for c in type(kernel).__mro__)


def guarded_triton(kernel: Any, policy: Policy) -> GuardedTriton:
    """Return the guard of a kernel. Errors: InputError for one that is interpreted."""
    classes = {c.__name__ for c in type(kernel).__mro__}
    if "JITFunction" in classes:
        return GuardedTriton(kernel, policy)
    if not hasattr(kernel, "fn") or "InterpretedFunction" in classes:
        raise InputError(
            f"{kernel!r} is interpreted by Python", "unset TRITON_INTERPRET, or leave out the guard"
        )
    return _Choosing(kernel, policy)


class GuardedTriton:
    """A function under `triton.jit` that is checked before it is launched: `guarded[grid](...)`."""

    def __init__(self, kernel: Any, policy: Policy) -> None:
        self.kernel, self._policy = kernel, policy
        self._deciders: dict[Any, Decider] = {}
        self._passed: dict[Any, Any] = {}
        self._right: set[Any] = set()
        #: Launches that were right, with the addresses of their tensors.
        self._again: set[Any] = set()
        params = getattr(kernel, "params", ())
        self._constant = [p.is_constexpr for p in params]
        self._names = [p.name for p in params]

    @property
    def fn(self) -> Any:
        """The kernel that is guarded."""
        return self.kernel

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "kernel":
            raise AttributeError(name)
        return getattr(self.kernel, name)

    def __getitem__(self, grid: Any) -> Callable[..., Any]:
        """Return what launches the kernel on a grid, as Triton's functions do."""
        return partial(self.run, grid=grid, warmup=False)

    def run(self, *args: Any, grid: Any, warmup: bool = False, **more: Any) -> Any:
        """Launch the kernel, unless something would go wrong.

        Errors: LaunchRefused for what was refuted, and with on_unknown="raise" for what could not
        be decided; InputError for tensors of which the shape is not known.
        """
        if warmup:
            return self.kernel.run(*args, grid=grid, warmup=True, **more)
        values = self._values(args, more)
        if callable(grid):
            grid = grid(dict(zip(self._names, values, strict=True)))
        grid = tuple(grid)
        same = same_launch(grid, values, self._constant)
        if same not in self._again:
            self._decide(grid, values, same)
        return self.kernel.run(*args, grid=grid, warmup=False, **more)

    def check(self, grid: Any, *args: Any, **more: Any) -> tuple[Finding, ...]:
        """Check a launch without launching; return what was found.

        Errors: as those of a call.
        """
        values = self._values(args, more)
        if callable(grid):
            grid = grid(dict(zip(self._names, values, strict=True)))
        return self._checked(tuple(grid), values)[0]

    def _values(self, args: Sequence[Any], more: Mapping[str, Any]) -> list[Any]:
        """Return the values of all parameters, in their order."""
        if [*more] == self._names[len(args) :]:  # as launches are mostly written
            return [*args, *more.values()]
        values = list(args)
        for p in self.kernel.params[len(values) :]:
            if p.name in more:
                values.append(more[p.name])
            elif p.has_default:
                values.append(p.default)
            else:
                raise InputError(
                    f"{self.kernel.__name__} lacks {p.name}", f"pass {p.name}=... to the launch"
                )
        return values

    def _decide(self, grid: tuple[Any, ...], values: Sequence[Any], same: Any) -> None:
        """Check a launch, unless another one like it was; remember that it is right."""
        if 0 in grid:  # Triton launches nothing
            return
        key, starts = key_of(grid, values, self._constant)
        spans = self._passed.get(key)
        together = (key, tuple(s - starts[0] for s in starts))
        if len(self._again) >= MAX_REMEMBERED:
            self._again.clear()
        if (spans is not None and not meet(starts, spans)) or together in self._right:
            self._again.add(same)
            return
        tensors = tensors_of(values)
        stored = (key, places_of(tensors))
        if stored in self._right:
            return
        _, taken = self._checked(grid, values)
        if len(self._passed) + len(self._right) >= MAX_REMEMBERED:
            self._passed.clear()
            self._right.clear()
        if taken != "stored":  # where a storage ends, addresses do not say
            self._again.add(same)
        if taken == "alone":
            self._passed[key] = tuple(t.bytes for t in tensors)
        else:
            self._right.add(together if taken == "together" else stored)

    def _checked(
        self, grid: tuple[Any, ...], values: Sequence[Any]
    ) -> tuple[tuple[Finding, ...], str]:
        """Return what was found, and what tensors were taken for.

        Each for an array "alone"; those that meet for one array "together"; or "stored", each with
        all of its storage.
        """
        family = family_of(self.kernel, values)
        names = [p.name for p in self.kernel.params]
        tensors = {names[t.position]: t for t in tensors_of(values)}
        tensors = {n: t for n, t in tensors.items() if n in family.types}
        numbers = {n: int(v) for n, v in zip(names, values, strict=True) if isinstance(v, int)}
        for n, v in zip(names, values, strict=True):
            if is_descriptor(v):
                held = (*v.shape, *v.strides[:-1])
                numbers |= zip(numbers_of(n, len(v.shape)), map(int, held), strict=True)
        launch = three(grid)
        apart = {n: Block(t.start, t.start + t.bytes, n) for n, t in tensors.items()}
        pairs = tuple(overlaps(list(apart.values())))
        near, wide = (blocks_of(tensors, f) for f in (own, storage_of))
        blocks = near if pairs and near is not None else apart
        open_pairs = pairs if blocks is apart else ()
        try:
            found = self._found(family, launch, numbers, tensors, blocks, open_pairs)
            return found, "together" if pairs else "alone"
        except LaunchRefused as refused:
            beyond = "in_bounds" in {f.property for f in refused.findings}
            if not beyond or wide is None or wide == blocks:
                raise
        return self._found(family, launch, numbers, tensors, wide, ()), "stored"

    def _found(
        self,
        family: Family,
        launch: tuple[int, int, int],
        numbers: Mapping[str, int],
        tensors: Mapping[str, Tensor],
        blocks: Mapping[str, Block],
        pairs: tuple[tuple[str, str], ...],
    ) -> tuple[Finding, ...]:
        """Check a launch whose tensors lie in these blocks of memory."""
        places = {
            n: (b.name, (tensors[n].start - b.start) // tensors[n].item) for n, b in blocks.items()
        }
        decider = self._decider(family, places)
        program = decider.program
        held = {b.name: b for b in blocks.values()}
        found = Arguments(
            {p.name: numbers[p.name] for p in program.params if isinstance(p.type, Int)},
            {a.name: (held[a.name].end - held[a.name].start) // a.element for a in program.arrays},
            {a.name: alignment_of(held[a.name].start) for a in program.arrays},
        )
        block = program.block or (1, 1, 1)
        return decider.check((launch, block, 0), found, pairs)

    def _decider(self, family: Family, places: Mapping[str, tuple[str, int]]) -> Decider:
        key = (
            tuple(family.types.items()),
            tuple((n, type(v), worth(v)) for n, v in family.constants.items()),
            tuple(places.items()),
        )
        found = self._deciders.get(key)
        if found is None:
            if len(self._deciders) >= MAX_PROGRAMS:
                self._deciders.clear()
            program = family.program(places)
            policy = replace(self._policy, options=_written(self._policy.options, family))
            found = self._deciders[key] = Decider(program, policy, family.name)
        return found


class _Choosing(GuardedTriton):
    """A kernel under what chooses constants: it is run as it is, with what it launches guarded."""

    def __init__(self, kernel: Any, policy: Policy) -> None:
        super().__init__(kernel, policy)
        self._inner = guarded_triton(kernel.fn, policy)
        self._running = copy.copy(kernel)
        self._running.fn = self._inner

    def run(self, *args: Any, grid: Any, warmup: bool = False, **more: Any) -> Any:
        """Let it choose, and launch what it chooses; see `GuardedTriton.run`."""
        return self._running.run(*args, grid=grid, warmup=warmup, **more)

    def check(self, grid: Any, *args: Any, **more: Any) -> tuple[Finding, ...]:
        """Check the launches of every choice; see `GuardedTriton.check`."""
        found: list[Finding] = []
        for chosen in self._choices(args, more):
            found += self._inner.check(grid, *args, **chosen)
        return tuple(found)

    def _choices(self, args: Sequence[Any], more: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        if hasattr(self.kernel, "configs"):
            asked = copy.copy(self.kernel)
            asked.nargs = dict(zip(asked.arg_names, args, strict=False))
            one = len(asked.configs) == 1  # which is taken as it is
            for config in asked.configs if one else asked.prune_configs(dict(more)):
                hooks = config.pre_hook is not None or asked.user_defined_pre_hook
                if hooks and any(map(is_descriptor, (*args, *more.values()))):
                    what = f"{self.kernel.fn.__name__} has hooks that may set blocks of descriptors"
                    raise InputError(what, "launch it: each launch is checked as it is made")
                yield {**more, **config.all_kwargs()}
            return
        chosen = dict(more)
        given = dict(zip(self.kernel.arg_names, args, strict=False))
        for name, choose in self.kernel.values.items():
            chosen[name] = choose({**given, **chosen})
        yield chosen


def _written(options: Mapping[str, Any], family: Family) -> dict[str, Any]:
    """Return what is said of launches, with the constants of a family for their names."""

    def put(said: Any) -> Any:
        if isinstance(said, str):
            return family.with_numbers(said)
        if isinstance(said, Mapping):
            return {n: put(v) for n, v in said.items()}
        return [put(v) for v in said] if isinstance(said, list | tuple) else said

    return {name: put(said) for name, said in options.items()}
