"""The arguments of a launch of Triton: tensors, where they lie, and what tells launches apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from symcute.errors import InputError
from symcute.kernel.launch.arguments import MAX_ALIGNMENT

__all__ = [
    "Block", "Tensor", "alignment_of", "blocks_of", "is_descriptor", "key_of", "meet",
    "overlaps", "own", "places_of", "same_launch", "storage_of", "tensors_of", "worth",
]  # fmt: skip

_PLAIN = (bool, float, int, str)


@dataclass(frozen=True)
class Tensor:
    """A tensor: which argument it is, its first byte, and how many there are up to the last."""

    position: int
    value: Any
    start: int
    item: int
    bytes: int


@dataclass(frozen=True)
class Block:
    """Memory from a byte to behind another, with a name."""

    start: int
    end: int
    name: str


def same_launch(
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
        elif is_descriptor(v):
            key += (v.base.data_ptr(), *_described(v))
        else:
            key += (kind, worth(v))
    if floats:
        key += [v for v, fixed in zip(values, constant, strict=True) if fixed]
    return tuple(key)


def key_of(
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
        at = getattr(v.base if is_descriptor(v) else v, "data_ptr", None)
        if at is not None:
            start = at()
            starts.append(start)
            told = _described(v) if is_descriptor(v) else (v.dtype, v.shape, v.stride())
            key += (*told, start % MAX_ALIGNMENT)
        elif kind is float and not fixed:
            key.append(kind)  # no address is made of it
        else:
            key += (kind, worth(v))
    return tuple(key), starts


def is_descriptor(value: Any) -> bool:
    """Return whether this is the host's `TensorDescriptor`."""
    return hasattr(value, "block_shape") and hasattr(value, "base")


def _described(value: Any) -> tuple[Any, ...]:
    """Return what a descriptor says of memory, but for where it begins."""
    base, said = value.base, (value.shape, value.strides, value.block_shape)
    return (base.dtype, tuple(base.shape), base.stride(), *map(tuple, said))


def worth(constant: Any) -> Any:
    """Return what tells a constant from others; functions of one name may differ."""
    if constant is None or type(constant) in _PLAIN or hasattr(constant, "fn"):
        return constant
    if isinstance(constant, tuple):
        return tuple((type(c), worth(c)) for c in constant)
    return repr(constant)


def meet(starts: Sequence[int], spans: Sequence[int]) -> bool:
    """Return whether two of the tensors, of so many bytes, have memory in common."""
    if len(starts) < 2:
        return False
    end = 0
    for start, span in sorted(zip(starts, spans, strict=True)):
        if start < end and span:
            return True
        end = max(end, start + span)
    return False


def tensors_of(values: Sequence[Any]) -> list[Tensor]:
    """Return the tensors among arguments, those of descriptors too.

    Errors: InputError for no known shape, negative strides, or a descriptor of elements apart.
    """
    found = []
    for k, v in enumerate(values):
        if is_descriptor(v):
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
        found.append(Tensor(k, v, v.data_ptr(), item, size))
    return found


def storage_of(tensor: Tensor) -> tuple[int, int]:
    """Return the bytes of the storage of a tensor, or of itself where that is not known."""
    start, end = tensor.start, tensor.start + tensor.bytes
    storage = getattr(tensor.value, "untyped_storage", None)
    if storage is None:
        return start, end
    held = storage()
    first, size = held.data_ptr(), held.nbytes()
    return (first, first + size) if first <= start and end <= first + size else (start, end)


def own(tensor: Tensor) -> tuple[int, int]:
    """Return the bytes from the first element of a tensor to its last."""
    return tensor.start, tensor.start + tensor.bytes


def blocks_of(
    tensors: Mapping[str, Tensor], span: Callable[[Tensor], tuple[int, int]]
) -> dict[str, Block] | None:
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
    found: dict[str, Block] = {}
    for start, end, names in blocks:
        kinds = {(tensors[n].item, str(tensors[n].value.dtype)) for n in names}
        if len(kinds) > 1:
            return None
        for n in names:
            if (tensors[n].start - start) % tensors[n].item:
                return None
            found[n] = Block(start, end, names[0])
    return {n: found[n] for n in tensors}


def places_of(tensors: Sequence[Tensor]) -> Any:
    """Return how the storages of tensors lie to each other, as something to look up.

    Each is so many bytes behind the first of those that it meets; how far apart others lie, no
    verdict depends on.
    """
    storages = [storage_of(t) for t in tensors]
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


def overlaps(blocks: Sequence[Block]) -> Iterator[tuple[str, str]]:
    """Yield the names of each two blocks that have memory in common."""
    for k, one in enumerate(blocks):
        for other in blocks[k + 1 :]:
            if max(one.start, other.start) < min(one.end, other.end):
                yield one.name, other.name


def alignment_of(start: int) -> int:
    """Return the power of two that an address is a multiple of, up to the largest that counts."""
    return min(MAX_ALIGNMENT, start & -start or MAX_ALIGNMENT)
