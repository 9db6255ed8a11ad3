"""What stands for PyTorch where it is not there: shapes, strides and memory, and no numbers.

A tensor is a place in memory with sizes and strides; a view has the memory of another.
"""

# ruff: noqa: B905

from __future__ import annotations

from math import prod

__all__ = ["Tensor", "empty", "empty_like", "zeros", "zeros_like"]


class dtype:
    def __init__(self, name, itemsize):
        self.name, self.itemsize = name, itemsize


float32, float16, bfloat16 = dtype("fp32", 4), dtype("fp16", 2), dtype("bf16", 2)
int64, int32, int8, float64 = dtype("i64", 8), dtype("i32", 4), dtype("i8", 1), dtype("fp64", 8)
bool = dtype("i1", 1)


class Tensor:
    """Sizes and strides over `held` elements of a memory that is the same object in all views."""

    def __init__(self, shape, strides, type=float32, memory=None, device="cuda"):
        if any(n < 0 for n in shape):
            raise RuntimeError("negative dimension")
        self.shape, self._strides, self.dtype = tuple(shape), tuple(strides), type
        self.memory = memory if memory is not None else [self.extent()]
        self.device = device

    def extent(self):
        """Return how many elements lie from the first to the last."""
        if 0 in self.shape:
            return 0
        return 1 + sum((n - 1) * s for n, s in zip(self.shape, self._strides))

    def numel(self):
        return prod(self.shape)

    nelement = numel

    def dim(self):
        return len(self.shape)

    @property
    def ndim(self):
        return len(self.shape)

    def size(self, axis=None):
        return self.shape if axis is None else self.shape[axis]

    def stride(self, axis=None):
        return self._strides if axis is None else self._strides[axis]

    def element_size(self):
        return self.dtype.itemsize

    def is_contiguous(self):
        step = 1
        for n, s in zip(self.shape[::-1], self._strides[::-1]):
            if n != 1 and s != step and self.numel() > 0:
                return False
            step *= n
        return True

    def contiguous(self):
        return self if self.is_contiguous() else empty(*self.shape, dtype=self.dtype)

    def clone(self):
        return empty_like(self)

    def to(self, type):
        return self if type is self.dtype else empty_like(self, dtype=type)

    def float(self):
        return self.to(float32)

    def view(self, *shape):
        shape = _shape(shape)
        if -1 in shape:
            known = prod(n for n in shape if n != -1)
            if known == 0 or self.numel() % known:
                raise RuntimeError("shape is invalid")
            shape = [self.numel() // known if n == -1 else n for n in shape]
        if prod(shape) != self.numel():
            raise RuntimeError("shape is invalid")
        if not self.is_contiguous():
            strides = _split(self, shape)
            if strides is None:
                raise RuntimeError("view size is not compatible")
            return Tensor(shape, strides, self.dtype, self.memory)
        return Tensor(shape, _steps(shape), self.dtype, self.memory)

    def reshape(self, *shape):
        try:
            return self.view(*shape)
        except RuntimeError:
            if self.is_contiguous():
                raise
            return self.contiguous().view(*shape)

    def flatten(self):
        return self.reshape(-1)

    def t(self):
        return Tensor(self.shape[::-1], self._strides[::-1], self.dtype, self.memory)

    def resize_(self, *shape):
        self.shape, self._strides = _shape(shape), _steps(_shape(shape))
        self.memory = [prod(self.shape)]
        return self


def _shape(shape):
    return tuple(shape[0]) if len(shape) == 1 and not isinstance(shape[0], int) else tuple(shape)


def _steps(shape):
    return tuple(prod(max(n, 1) for n in shape[k + 1 :]) for k in range(len(shape)))


def _split(x, shape):
    """Return strides of a view of what is not contiguous, where only dims of 1 come or go."""
    kept = [(n, s) for n, s in zip(x.shape, x._strides) if n != 1]
    if [n for n in shape if n != 1] != [n for n, _ in kept]:
        return None
    steps = iter(kept)
    return tuple(next(steps)[1] if n != 1 else 1 for n in shape)


def empty(*shape, dtype=None, device=None, requires_grad=False):
    shape = _shape(shape)
    return Tensor(shape, _steps(shape), dtype or float32)


zeros = ones = empty


def empty_like(x, dtype=None, device=None):
    dense = sorted((s, n) for n, s in zip(x.shape, x._strides) if n != 1)
    step, packed = 1, True
    for s, n in dense:
        packed, step = packed and s == step, step * n
    strides = x._strides if packed or x.is_contiguous() else _steps(x.shape)
    return Tensor(x.shape, strides, dtype or x.dtype)


zeros_like = ones_like = empty_like


def add(x, y, out):
    """Return a sum in a tensor that is made as large as it."""
    return out.resize_(x.shape)


class cuda:
    """What is asked of a device."""

    class _Properties:
        multi_processor_count = 132

    @staticmethod
    def get_device_properties(device):
        return cuda._Properties

    @staticmethod
    def device(device):
        import contextlib

        return contextlib.nullcontext()
