"""Triton's interpreter with arrays that are addresses: its builder, observed.

Run with TRITON_INTERPRET=1. Of the interpreter its own arithmetic is kept; loads, stores and
atomics go to `Memory`. A loop's counter, which the interpreter leaves to Python, is an i32 or i64.
"""

from __future__ import annotations

import builtins
import inspect
import sys
from types import FrameType
from typing import Any

import numpy as np
import triton.language as tl
from triton.language.semantic import TritonSemantic
from triton.runtime import interpreter

from . import shadow
from .memory import Memory
from .shadow import wrapped

Handle = interpreter.TensorHandle
_rmw = interpreter._ir.ATOMIC_OP
_ATOMICS = {
    _rmw.ADD: np.add, _rmw.FADD: np.add, _rmw.MIN: np.minimum, _rmw.UMIN: np.minimum,
    _rmw.MAX: np.maximum, _rmw.UMAX: np.maximum, _rmw.AND: np.bitwise_and,
    _rmw.OR: np.bitwise_or, _rmw.XOR: np.bitwise_xor, _rmw.XCHG: lambda old, new: new,
}  # fmt: skip


class OutOfWork(Exception):
    """More operations than an execution may take."""


class Observed(interpreter.InterpreterBuilder):
    """The builder: what it computes is Triton's, what it touches is kept."""

    def __init__(self, work: int) -> None:
        super().__init__()
        self.options = interpreter.InterpreterOptions(debug=True, sanitize_overflow=False)
        self.file, self.work, self.left = "", work, work
        self.memory = Memory([])
        self.any = 1
        #: The first place of each: any operation leaves its type, an address or a condition does.
        self.events: dict[str, str] = {}

    def begin(self, memory: Memory, file: str) -> None:
        self.memory, self.file, self.left, self.events = memory, file, self.work, {}

    def line(self) -> int:
        """The line of the kernel's file that is executed."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            if frame.f_code.co_filename == self.file:
                return frame.f_lineno
            frame = frame.f_back
        return 0

    def event(self, kind: str, what: str = "") -> None:
        self.events.setdefault(kind, f"line {self.line()}{': ' if what else ''}{what}")

    def used(self, handle: Any, active: Any = None) -> None:
        """An address or a condition is made of this."""
        found = wrapped(handle)
        if found.any() and (active is None or np.any(found & active)):
            self.event("overflow")

    # --- memory ---------------------------------------------------------------------------------

    def _touch(self, kind: str, ptrs: Any, mask: Any, width: int) -> Any:
        self.memory.line = self.line()
        shape = np.broadcast_shapes(ptrs.data.shape, mask.data.shape)
        active = np.broadcast_to(mask.data, shape).astype(bool)
        self.used(mask)
        self.used(ptrs, active)
        lanes = np.flatnonzero(active.ravel())
        self.memory.shape = shape
        found = self.memory.split(np.broadcast_to(ptrs.data, shape).ravel()[lanes])
        return shape, [(array, lanes[places], at) for array, places, at in found]

    def create_load(self, ptr: Any, *more: Any) -> Any:
        return self.create_masked_load(ptr, _all(ptr), None, *more)

    def create_store(self, ptr: Any, val: Any, *more: Any) -> Any:
        return self.create_masked_store(ptr, val, _all(ptr), *more)

    def create_masked_load(self, ptrs: Any, mask: Any, other: Any, *_: Any, **__: Any) -> Any:
        kind = ptrs.get_element_ty()
        dtype = interpreter._get_np_dtype(kind)
        shape, parts = self._touch("read", ptrs, mask, dtype.itemsize)
        if other is None:  # any value, for nothing says which
            found = np.full(shape, self.any, dtype).ravel()
        else:
            found = np.broadcast_to(other.data, shape).astype(dtype).ravel()
        for array, lanes, at in parts:
            self.memory.note("read", array, at, lanes, dtype.itemsize)
            found[lanes] = array.read(at, dtype.itemsize).copy().view(dtype).ravel()
        return Handle(found.reshape(shape), kind)

    def create_masked_store(self, ptrs: Any, value: Any, mask: Any, *_: Any) -> None:
        dtype = interpreter._get_np_dtype(ptrs.get_element_ty())
        shape, parts = self._touch("write", ptrs, mask, dtype.itemsize)
        held = np.ascontiguousarray(np.broadcast_to(value.data, shape).astype(dtype)).ravel()
        for array, lanes, at in parts:
            rows = held[lanes].view(np.uint8).reshape(-1, dtype.itemsize)
            self.memory.note("write", array, at, lanes, dtype.itemsize, rows)
            array.write(at, rows)

    def create_atomic_rmw(self, op: Any, ptr: Any, val: Any, mask: Any, _: Any, scope: Any) -> Any:
        return self._atomic(ptr, mask, val, scope, lambda old, new, _: _ATOMICS[op](old, new))

    def create_atomic_cas(self, ptr: Any, cmp: Any, val: Any, _: Any, scope: Any) -> Any:
        expected = np.broadcast_to(cmp.data, ptr.data.shape).ravel()

        def swap(old: Any, new: Any, lane: int) -> Any:
            return new if old == expected[lane] else old

        return self._atomic(ptr, _all(ptr), val, scope, swap)

    def _atomic(self, ptr: Any, mask: Any, val: Any, scope: Any, op: Any) -> Any:
        kind = ptr.get_element_ty()
        dtype = interpreter._get_np_dtype(kind)
        shape, parts = self._touch("atomic", ptr, mask, dtype.itemsize)
        new = np.broadcast_to(val.data, shape).astype(dtype).ravel()
        found = np.zeros(new.size, dtype)
        own = scope == interpreter._ir.MEM_SYNC_SCOPE.CTA
        for array, lanes, at in parts:
            self.memory.note("own atomic" if own else "atomic", array, at, lanes, dtype.itemsize)
            for lane, where in zip(lanes.tolist(), at.tolist(), strict=True):
                place = np.array([where])
                old = array.read(place, dtype.itemsize).copy().view(dtype).ravel()
                found[lane] = old[0]
                made = np.array([op(old[0], new[lane], lane)]).astype(dtype)
                array.write(place, made.view(np.uint8).reshape(1, -1))
        return Handle(found.reshape(shape), kind)

    def create_make_tensor_descriptor(self, base: Any, shape: Any, strides: Any, *more: Any) -> Any:
        for handle in (base, *shape, *strides):
            self.used(handle)
        try:
            return super().create_make_tensor_descriptor(base, shape, strides, *more)
        except AssertionError as error:
            self.event("promise" if "stride" in str(error) else "aligned", str(error))
            return interpreter.TensorDescHandle(base, shape, strides, more[0], more[2])

    def create_descriptor_load(self, desc: Any, indices: Any, policy: Any) -> Any:
        for handle in indices:
            self.used(handle)
        return super().create_descriptor_load(desc, indices, policy)

    def create_descriptor_store(self, desc: Any, value: Any, indices: Any) -> Any:
        for handle in indices:
            self.used(handle)
        return super().create_descriptor_store(desc, value, indices)

    def create_barrier(self, *_: Any) -> None:
        self.memory.barriers += 1

    # --- promises -------------------------------------------------------------------------------

    def create_assert(self, condition: Any, message: str) -> None:
        if not np.all(condition.data):
            self.event("promise", message)

    def create_assume(self, condition: Any) -> None:
        if not np.all(condition.data):
            self.event("promise", "assume")

    def promise(self, input: Any, values: Any, name: str) -> Any:
        """`tl.multiple_of` and its likes: claimed of every value, or of the first of each run."""
        if isinstance(input, tl.tensor):
            values = values if isinstance(values, (list, tuple)) else [values]
            said = [getattr(v, "value", v) for v in values]
            if not _kept(input.handle.data, said, name):
                self.event("promise", name)
        return input


def _kept(data: Any, values: Any, name: str) -> bool:
    if data.ndim != len(values) or data.size == 1:
        return name != "multiple_of" or bool(np.all(data.astype(np.int64) % values[-1] == 0))
    for axis, value in enumerate(values):
        rows = np.moveaxis(data.astype(np.int64), axis, -1)
        count = min(value, rows.shape[-1])
        runs = rows.reshape(*rows.shape[:-1], -1, count)
        rising = bool(np.all(runs == runs[..., :1] + np.arange(count)))
        if name == "multiple_of" and not (
            np.all(rows % value == 0) or (rising and np.all(runs[..., 0] % value == 0))
        ):
            return False
        if name == "max_contiguous" and not rising:
            return False
        if name == "max_constancy" and not np.all(runs == runs[..., :1]):
            return False
    return True


def _all(ptr: Any) -> Any:
    return Handle(np.ones_like(ptr.data, dtype=bool), tl.int1)


def _shadowed(name: str) -> Any:
    """A method of the builder that carries along what left its type."""
    plain = getattr(interpreter.InterpreterBuilder, name)

    def method(self: Observed, *args: Any) -> Any:
        self.left -= 1
        if self.left < 0:
            raise OutOfWork
        with np.errstate(all="ignore"):
            result = plain(self, *args)
        handles = [a for a in args if isinstance(a, Handle)]
        if not isinstance(result, Handle) or not handles:
            return result
        if shadow.carry(name, plain, self, args, handles, result):
            self.event("any overflow", f"{name[7:]} in {result.dtype.scalar}")
        return result

    return method


_OWN = set(vars(Observed))
for _name, _member in inspect.getmembers(interpreter.InterpreterBuilder, callable):
    if _name.startswith("create_") and _name not in _OWN:
        setattr(Observed, _name, _shadowed(_name))


def _loop(first: Any, last: Any = None, step: Any = None, **_: Any) -> Any:
    """Count as a loop of Triton's does on the device: in i32, or i64 where a bound is one."""
    if last is None:
        first, last = 0, first
    step = 1 if step is None else step
    bounds = [
        getattr(v, "value", v) if isinstance(v, tl.constexpr) else v for v in (first, last, step)
    ]
    ends = [int(b.handle.data.item()) if isinstance(b, tl.tensor) else int(b) for b in bounds]
    types = [b.dtype for b in bounds if isinstance(b, tl.tensor)]
    wide = any(t.primitive_bitwidth > 32 for t in types) or any(
        not -(2**31) <= e < 2**31 for e in ends
    )
    builder = interpreter.interpreter_builder
    for b in bounds:
        if isinstance(b, tl.tensor):
            builder.used(b.handle)
    kind, dtype = (tl.int64, np.int64) if wide else (tl.int32, np.int32)
    at, last, by = ends
    bits = kind.primitive_bitwidth
    while at < last if by > 0 else at > last:
        yield tl.tensor(Handle(np.array([at], dtype), kind), kind)
        at += by
        if at > np.iinfo(dtype).max:  # as on the device, which goes on from the other end
            builder.event("overflow", "the counter of a loop")
            at -= 1 << bits
        builder.left -= 1
        if builder.left < 0:
            raise OutOfWork


def _static(first: Any, last: Any = None, step: Any = None, **_: Any) -> Any:
    ends = (first, last, step)
    first, last, step = (None if v is None else int(getattr(v, "value", v)) for v in ends)
    return builtins.range(first, last, step or 1) if last is not None else builtins.range(first)


def _truth(self: Any) -> bool:
    interpreter.interpreter_builder.used(self.handle)
    data = self.handle.data
    return bool(data.all()) if data.size == 1 else True


def _index(self: Any) -> int:
    interpreter.interpreter_builder.used(self.handle)
    return int(self.handle.data.squeeze())


def _reduced(self: Any, input: Any) -> Any:
    """Reduce or scan; what comes of what left its type did so, and so does a sum too large."""
    parts = input if isinstance(input, tuple) else (input,)
    result = _apply(self, input)
    lost = any(wrapped(p.handle).any() for p in parts)
    if self.combine_fn is tl.standard._sum_combine and parts[0].dtype.is_int_signed():
        exact = np.cumsum(parts[0].handle.data.astype(np.int64), axis=self.axis)
        bits = parts[0].dtype.primitive_bitwidth
        lost |= bool(np.any((exact < -(1 << bits - 1)) | (exact >= 1 << bits - 1)))
    if lost:
        for p in result if isinstance(result, tuple) else (result,):
            p.handle.wrapped = np.ones(p.handle.data.shape, bool)
    return result


_apply = interpreter.ReduceScanOpInterface.apply


def install(builder: Observed) -> None:
    """Make this builder the interpreter's."""
    interpreter.interpreter_builder = builder
    interpreter.interpreter_semantic = TritonSemantic(builder)
    interpreter.ReduceScanOpInterface.apply = _reduced
    before = interpreter._patch_lang_core

    def core(lang: Any, scope: Any) -> None:
        before(lang, scope)
        scope.set_attr(lang, "range", _loop)
        scope.set_attr(lang, "static_range", _static)
        for name in ("gdc_wait", "gdc_launch_dependents"):  # there is no other launch
            scope.set_attr(tl.extra.cuda, name, lambda: None)
        for name in ("multiple_of", "max_contiguous", "max_constancy"):
            scope.set_attr(
                lang, name, lambda x, values, name=name: builder.promise(x, values, name)
            )
        for kind in {lang.tensor, tl.tensor}:
            scope.set_attr(kind, "__bool__", _truth)
            scope.set_attr(kind, "__index__", _index)

    interpreter._patch_lang_core = core


def prepared(kernel: Any) -> Any:
    """The function of a kernel, rewritten as the interpreter does."""
    kernel.fn.__globals__["range"] = _loop
    return kernel.rewrite()
