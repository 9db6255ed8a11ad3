"""Arrays and tensors in Python code: what is said of their shapes, as expressions of C++.

The C++ is that of PyTorch (`frontends/cuda/torch.h`), whose tensors are followed to the launch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = [
    "ATTRIBUTES",
    "DTYPES",
    "JIT_ATTRIBUTES",
    "ONE_DEVICE",
    "SCALARS",
    "THE_DEVICE",
    "TUPLES",
    "Value",
    "attribute",
    "in_order",
    "made",
    "method",
    "plain",
    "viewed",
]  # fmt: skip


@dataclass(frozen=True)
class Value:
    """What an expression gives: its kind, its text in C++, its parts if it is a tuple.

    Kinds are `int`, those of `SCALARS`, `float`, `tensor`, `dtype`, `word` (a name of NumPy),
    `tuple`, `list`, `shape` (of the tensor `text`), `strides`, `none`, and `any`, of which nothing
    is known.
    """

    kind: str
    text: str = ""
    parts: tuple[Value, ...] = ()


ANY = Value("any")
#: Names of types of elements in NumPy, CuPy and PyTorch, and what PyTorch calls them in C++.
DTYPES = {
    "float32": "kFloat", "single": "kFloat", "float64": "kDouble",
    "double": "kDouble", "float16": "kHalf", "half": "kHalf", "bfloat16": "kBFloat16",
    "int8": "kChar", "uint8": "kByte", "int16": "kShort", "short": "kShort", "int32": "kInt",
    "intc": "kInt", "int64": "kLong", "bool": "kBool", "bool_": "kBool", "f4": "kFloat",
    "f8": "kDouble", "i4": "kInt", "i8": "kLong", "f": "kFloat", "d": "kDouble", "i": "kInt",
}  # fmt: skip
#: What only a tensor has. Others have a shape and a size too, which need not fit each other.
ATTRIBUTES = frozenset({
    "strides", "ndim", "nbytes", "itemsize", "flags", "numel", "is_contiguous", "contiguous",
    "data_ptr", "gpudata", "astype", "element_size",
})  # fmt: skip
#: What is a tensor where Triton's kernels are launched.
JIT_ATTRIBUTES = ATTRIBUTES | {"shape", "stride", "view", "reshape", "dim", "device", "is_cuda"}
#: Integers of NumPy, which wrap: their types in C++, and their bits.
SCALARS = {
    "int8": ("signed char", 8), "uint8": ("unsigned char", 8), "int16": ("short", 16),
    "uint16": ("unsigned short", 16), "int32": ("int", 32), "uint32": ("unsigned", 32),
    "int64": ("int64_t", 64),
}  # fmt: skip
#: Kinds of values that have parts.
TUPLES = ("tuple", "list")
_MAKING = ("empty", "zeros", "ones", "full", "ndarray", "random", "random_sample")
#: What may be said besides the shape and changes nothing of it.
_SAID = {"dtype", "device", "requires_grad", "pin_memory"}
_OF_DIMS = ("rand", "randn")
#: That two tensors lie on one device, or one on the GPU of the launch: they may at all sizes.
ONE_DEVICE = "(at::symcute_on_one_device() || a_condition_of_Python())"
#: What gives the GPU of the launch.
THE_DEVICE = "triton.runtime.driver.active.get_active_torch_device"
#: What gives an array of the same shape, which may be the one that it is given.
_SAME = ("ascontiguousarray", "asarray", "array", "to_gpu")


def number(text: str) -> Value:
    """Return an integer."""
    return Value("int", text)


def plain(value: Value) -> Value:
    """Return a value with an integer of Python for one of NumPy."""
    if value.kind in SCALARS:
        return number(f"(int64_t)({value.text})")
    return Value(value.kind, value.text, tuple(map(plain, value.parts)))


def attribute(x: str, name: str) -> Value:
    """Return an attribute of a tensor."""
    match name:
        case "shape" | "strides":
            return Value(name, x)
        case "size":
            return number(f"{x}.numel()")
        case "ndim":
            return number(f"{x}.dim()")
        case "nbytes":
            return number(f"(int64_t){x}.nbytes()")
        case "itemsize":
            return number(f"(int64_t){x}.element_size()")
        case "dtype":
            return Value("dtype", f"{x}.scalar_type()")
        case "data" | "gpudata" | "ptr":
            return Value("tensor", x)
        case "device":
            return Value("device")
    return ANY


def method(x: str, name: str, args: Sequence[Value]) -> Value:
    """Return what a method of a tensor gives."""
    match name, args:
        case ("numel" | "nelement", []):
            return number(f"{x}.numel()")
        case ("dim" | "ndimension", []):
            return number(f"{x}.dim()")
        case ("size" | "stride", [Value(kind="int", text=axis)]):
            return number(f"{x}.{name}({axis})")
        case ("size" | "stride", []):
            return Value("shape" if name == "size" else "steps", x)
        case ("element_size", []):
            return number(f"(int64_t){x}.element_size()")
        case ("data_ptr", []):
            return Value("tensor", x)
        case ("is_contiguous", []):
            return number(f"(int64_t){x}.is_contiguous()")
        case ("contiguous", []):
            return Value("tensor", f"{x}.contiguous()")
        case ("astype", [Value(kind="dtype", text=dtype)]):
            return Value("tensor", f"symcute_like_it({x}, {dtype})")
        case ("to", [Value(kind="dtype", text=dtype)]):
            return Value("tensor", f"symcute_cast({x}, {dtype})")
        case ("float" | "half" | "double", []):
            return Value("tensor", f"symcute_cast({x}, torch::k{name.capitalize()})")
        case ("clone" | "copy", []):
            return Value("tensor", f"symcute_like_it({x}, {x}.scalar_type())")
        case ("cuda", []):
            return Value("tensor", f"symcute_moved({x})")
    return ANY


def made(
    title: str, args: Sequence[Value], words: dict[str, Value], default: Callable[[str], str | None]
) -> Value:
    """Return the array that a function of NumPy, CuPy or PyTorch makes, or ANY."""
    library, _, name = title.partition(".")
    name = name.rpartition(".")[2]
    dtype = words.get("dtype")
    given = [*args]
    if name.endswith("_like") and name[:-5] in _MAKING and given and given[0].kind == "tensor":
        x = given[0].text
        if dtype is None and library != "torch" and len(given) > 1:
            dtype = given[1] if name != "full_like" else None
        if set(words) - _SAID:
            return ANY
        return Value("tensor", f"symcute_like_it({x}, {_type(dtype, f'{x}.scalar_type()')})")
    if name in _SAME and given and given[0].kind == "tensor":
        x = given[0].text
        if dtype is None and len(given) > 1:
            dtype = given[1]
        if set(words) - {"dtype"} or len(given) > 2:
            return ANY
        if dtype is not None:
            x = f"symcute_cast({x}, {_type(dtype, '')})"
        packed = name == "ascontiguousarray"
        return Value("tensor", f"symcute_{'packed' if packed else 'moved'}({x})")
    if set(words) - {*_SAID, "size", "fill_value", "shape"}:
        return ANY
    shape: tuple[Value, ...] | None = None
    if name in _OF_DIMS or (library == "torch" and name in _MAKING and _are_ints(given)):
        shape = tuple(given) if given else None
    elif name == "arange" and len(given) == 1:
        if given[0].kind == "int":  # NumPy takes less than nothing for nothing
            shape = (number(f"symcute_max(0, {given[0].text})"),)
        if library != "torch" and dtype is None:
            dtype = Value("dtype", "torch::kLong")
        elif dtype is None:
            return ANY
    elif name in _MAKING:
        first = given[0] if given else words.get("shape", words.get("size"))
        if first is not None:
            shape = first.parts if first.kind in TUPLES else (first,)
        if name == "full" and dtype is None:
            return ANY
        most = 2 if name == "full" else 1
        if library != "torch" and len(given) == most + 1 and dtype is None:
            dtype = given.pop()
        if len(given) > most:  # an order, or a place in memory
            return ANY
        if first is not None and first.kind == "shape":
            held = _type(dtype, default(library) or "")
            whole = f"at::symcute_made({first.text}.sizes(), {held})"
            return Value("tensor", whole) if held else ANY
    if shape is None or not _are_ints(shape) or not 1 <= len(shape) <= 5:
        return ANY
    held = _type(dtype, default(library) or "")
    return Value("tensor", in_order(shape, held)) if held else ANY


def in_order(shape: Sequence[Value], held: str) -> str:
    """Return a new tensor of a shape, whose elements lie in order without gaps."""
    sizes = ", ".join(f"(int64_t)({v.text})" for v in shape)
    made = f"at::symcute_made(at::IntArrayRef({sizes}), {held})"
    return f"SYMCUTE_STEPPED_{len(shape)}({made}, {sizes})"


def viewed(x: str, name: str, args: Sequence[Value]) -> Value:
    """Return what a tensor of PyTorch's is by other dims, one of which may be -1."""
    if name == "flatten" and not args:
        args = [number("(-(1))")]
    elif name not in ("view", "reshape"):
        return ANY
    shape = list(args[0].parts) if len(args) == 1 and args[0].kind in TUPLES else list(args)
    if len(args) == 1 and args[0].kind == "shape":
        whole = f"at::symcute_made({args[0].text}.sizes(), {x}.scalar_type())"
    elif not _are_ints(shape) or not 1 <= len(shape) <= 5:
        return ANY
    else:
        open = [n for n, v in enumerate(shape) if v.text in ("-1", "(-(1))")]
        if len(open) > 1:
            return ANY
        for n in open:
            known = " * ".join(f"(int64_t)({v.text})" for v in shape if v is not shape[n]) or "1"
            shape[n] = number(f"symcute_the_rest({x}.numel(), {known})")
        whole = in_order(shape, f"{x}.scalar_type()")
    return Value("tensor", f"symcute_{'view' if name == 'view' else 'reshap'}ed({x}, {whole})")


def _are_ints(values: Sequence[Value]) -> bool:
    return bool(values) and all(v.kind == "int" for v in values)


def _type(dtype: Value | None, default: str) -> str:
    if dtype is None:
        return default
    return dtype.text if dtype.kind == "dtype" else "(at::ScalarType)at::symcute_any()"
