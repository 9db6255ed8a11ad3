"""The guard before launches of Triton: `kernel[grid](...)` is checked, then launched.

What Triton compiles a launch for is asked of Triton, so that families are its own. Autotuning and
heuristics choose constants first, and each choice is checked where it would be launched. A tensor
is what lies between the first and the last of its elements. Where that is not enough, or tensors
have memory in common, it is the whole storage, at the place in it where the tensor begins.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from symcute.errors import InputError, LaunchRefused
from symcute.frontends.triton.descriptors import numbers_of
from symcute.frontends.triton.live import Family, family_of
from symcute.kernel.findings import Finding
from symcute.kernel.ir.program import Int
from symcute.kernel.launch.arguments import MAX_ALIGNMENT, Arguments
from symcute.kernel.launch.deciding import Decider, Policy, three

__all__ = ["GuardedTriton", "guarded_triton", "is_triton"]

#: How many launches, and how many programs, are remembered.
MAX_REMEMBERED, MAX_PROGRAMS = 4096, 256


_PLAIN = (bool, float, int, str)


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
        same = _same(grid, values, self._constant)
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
        key, starts = _key(grid, values, self._constant)
        spans = self._passed.get(key)
        together = (key, tuple(s - starts[0] for s in starts))
        if len(self._again) >= MAX_REMEMBERED:
            self._again.clear()
        if (spans is not None and not _meet(starts, spans)) or together in self._right:
            self._again.add(same)
            return
        tensors = _tensors(values)
        stored = (key, _places(tensors))
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
        tensors = {names[t.position]: t for t in _tensors(values)}
        tensors = {n: t for n, t in tensors.items() if n in family.types}
        numbers = {n: int(v) for n, v in zip(names, values, strict=True) if isinstance(v, int)}
        for n, v in zip(names, values, strict=True):
            if _is_descriptor(v):
                held = (*v.shape, *v.strides[:-1])
                numbers |= zip(numbers_of(n, len(v.shape)), map(int, held), strict=True)
        launch = three(grid)
        apart = {n: _Block(t.start, t.start + t.bytes, n) for n, t in tensors.items()}
        pairs = tuple(_overlaps(list(apart.values())))
        near, wide = (_blocks(tensors, f) for f in (_own, _storage))
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
        tensors: Mapping[str, _Tensor],
        blocks: Mapping[str, _Block],
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
            {a.name: _alignment(held[a.name].start) for a in program.arrays},
        )
        block = program.block or (1, 1, 1)
        return decider.check((launch, block, 0), found, pairs)

    def _decider(self, family: Family, places: Mapping[str, tuple[str, int]]) -> Decider:
        key = (
            tuple(family.types.items()),
            tuple((n, type(v), _worth(v)) for n, v in family.constants.items()),
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
                if hooks and any(map(_is_descriptor, (*args, *more.values()))):
                    raise InputError(
                        f"{self.kernel.fn.__name__} has hooks that may set blocks of its descriptors",
                        "launch it with a guard: each launch is checked as it is made",
                    )
                yield {**more, **config.all_kwargs()}
            return
        chosen = dict(more)
        given = dict(zip(self.kernel.arg_names, args, strict=False))
        for name, choose in self.kernel.values.items():
            chosen[name] = choose({**given, **chosen})
        yield chosen


# --- tensors ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Tensor:
    """A tensor: which argument it is, its first byte, and how many there are up to the last."""

    position: int
    value: Any
    start: int
    item: int
    bytes: int


@dataclass(frozen=True)
class _Block:
    """Memory from a byte to behind another, with a name."""

    start: int
    end: int
    name: str


def _same(
    grid: tuple[Any, ...], values: Sequence[Any], constant: Sequence[bool]
) -> tuple[Any, ...]:
    """Return what a launch is, addresses and all: the few lines of every call."""
    key: list[Any] = [grid]
    floats = False
    for v in values:
        kind = type(v)
        if kind is int:
            key.append(v)
        elif hasattr(v, "data_ptr"):
            key += (v.data_ptr(), v.dtype, v.shape, v.stride())
        elif kind is float:
            key.append(kind)  # no address is made of one that is no constant
            floats = True
        elif _is_descriptor(v):
            key += (v.base.data_ptr(), *_described(v))
        else:
            key += (kind, _worth(v))
    if floats:
        key += [v for v, fixed in zip(values, constant, strict=True) if fixed]
    return tuple(key)


def _key(
    grid: tuple[Any, ...], values: Sequence[Any], constant: Sequence[bool]
) -> tuple[Any, list[int]]:
    """Return what a verdict can depend on, and where tensors begin."""
    key: list[Any] = [grid]
    starts: list[int] = []
    for v, fixed in zip(values, constant, strict=True):
        kind = type(v)
        if kind is int:
            key.append(v)
            continue
        at = getattr(v.base if _is_descriptor(v) else v, "data_ptr", None)
        if at is not None:
            start = at()
            starts.append(start)
            told = _described(v) if _is_descriptor(v) else (v.dtype, v.shape, v.stride())
            key += (*told, start % MAX_ALIGNMENT)
        elif kind is float and not fixed:
            key.append(kind)  # no address is made of it
        else:
            key += (kind, _worth(v))
    return tuple(key), starts


def _is_descriptor(value: Any) -> bool:
    """Return whether this is the host's `TensorDescriptor`."""
    return hasattr(value, "block_shape") and hasattr(value, "base")


def _described(value: Any) -> tuple[Any, ...]:
    """Return what a descriptor says of memory, but for where it begins."""
    base, said = value.base, (value.shape, value.strides, value.block_shape)
    return (base.dtype, tuple(base.shape), base.stride(), *map(tuple, said))


def _worth(constant: Any) -> Any:
    """Return what tells a constant from others; functions of one name may differ."""
    if constant is None or type(constant) in _PLAIN or hasattr(constant, "fn"):
        return constant
    if isinstance(constant, tuple):
        return tuple((type(c), _worth(c)) for c in constant)
    return repr(constant)


def _meet(starts: Sequence[int], spans: Sequence[int]) -> bool:
    """Return whether two of the tensors, of so many bytes, have memory in common."""
    if len(starts) < 2:
        return False
    end = 0
    for start, span in sorted(zip(starts, spans, strict=True)):
        if start < end and span:
            return True
        end = max(end, start + span)
    return False


def _tensors(values: Sequence[Any]) -> list[_Tensor]:
    found = []
    for k, v in enumerate(values):
        if _is_descriptor(v):
            if v.strides[-1] != 1:
                what = f"argument {k + 1} is a descriptor whose last stride is {v.strides[-1]}"
                raise InputError(what, "make it of a tensor whose last stride is 1")
            v = v.base
        if not hasattr(v, "data_ptr"):
            continue
        try:
            shape, strides = tuple(v.shape), tuple(v.stride())
            item = v.dtype.itemsize if hasattr(v.dtype, "itemsize") else v.element_size()
        except (AttributeError, TypeError):
            raise InputError(
                f"argument {k + 1} is a tensor without shape, stride or bytes of an element",
                "pass a tensor of PyTorch, or an object with shape, stride() and dtype.itemsize",
            ) from None
        if any(d < 0 for d in strides):
            raise InputError(f"argument {k + 1} has a negative stride", "pass a copy of it")
        last = sum((n - 1) * d for n, d in zip(shape, strides, strict=True))
        size = 0 if 0 in shape else (last + 1) * item
        found.append(_Tensor(k, v, v.data_ptr(), item, size))
    return found


def _storage(tensor: _Tensor) -> tuple[int, int]:
    """Return the bytes of the storage of a tensor, or of itself where that is not known."""
    start, end = tensor.start, tensor.start + tensor.bytes
    storage = getattr(tensor.value, "untyped_storage", None)
    if storage is None:
        return start, end
    held = storage()
    first, size = held.data_ptr(), held.nbytes()
    return (first, first + size) if first <= start and end <= first + size else (start, end)


def _own(tensor: _Tensor) -> tuple[int, int]:
    return tensor.start, tensor.start + tensor.bytes


def _blocks(
    tensors: Mapping[str, _Tensor], span: Callable[[_Tensor], tuple[int, int]]
) -> dict[str, _Block] | None:
    """Return the block in which the span of each tensor lies, those that meet made one.

    None where tensors that meet have elements of different sizes, or lie between two elements.
    """
    order = sorted((*span(t), name) for name, t in tensors.items())
    blocks: list[tuple[int, int, list[str]]] = []
    for start, end, name in order:
        if blocks and start < blocks[-1][1]:
            low, high, names = blocks[-1]
            blocks[-1] = (low, max(high, end), [*names, name])
        else:
            blocks.append((start, end, [name]))
    found: dict[str, _Block] = {}
    for start, end, names in blocks:
        kinds = {(tensors[n].item, str(tensors[n].value.dtype)) for n in names}
        if len(kinds) > 1:
            return None
        for n in names:
            if (tensors[n].start - start) % tensors[n].item:
                return None
            found[n] = _Block(start, end, names[0])
    return {n: found[n] for n in tensors}


def _places(tensors: Sequence[_Tensor]) -> Any:
    """Return how the storages of tensors lie to each other, as something to look up.

    Each is so many bytes behind the first of those that it meets; how far apart others lie, no
    verdict depends on.
    """
    storages = [_storage(t) for t in tensors]
    starts: dict[int, tuple[int, int]] = {}
    first = end = 0
    for low, high in sorted(storages):
        if low >= end:
            first = low
        end = max(end, high)
        starts[low] = (first, low - first)
    groups = {first: n for n, first in enumerate(dict.fromkeys(starts[x][0] for x, _ in storages))}
    return tuple(
        (low % MAX_ALIGNMENT, t.start - low, high - low, groups[starts[low][0]], starts[low][1])
        for t, (low, high) in zip(tensors, storages, strict=True)
    )


def _overlaps(blocks: Sequence[_Block]) -> Iterator[tuple[str, str]]:
    for k, one in enumerate(blocks):
        for other in blocks[k + 1 :]:
            if max(one.start, other.start) < min(one.end, other.end):
                yield one.name, other.name


def _alignment(start: int) -> int:
    return min(MAX_ALIGNMENT, start & -start or MAX_ALIGNMENT)


def _written(options: Mapping[str, Any], family: Family) -> dict[str, Any]:
    """Return what is said of launches, with the constants of a family for their names."""

    def put(said: Any) -> Any:
        if isinstance(said, str):
            return family.with_numbers(said)
        if isinstance(said, Mapping):
            return {n: put(v) for n, v in said.items()}
        return [put(v) for v in said] if isinstance(said, list | tuple) else said

    return {name: put(said) for name, said in options.items()}
