"""A function under `triton.jit`, as it is in this process: what it is launched as, and its TTIR.

It and the worker are the only files that import Triton. No GPU, no driver and no PyTorch
are needed for TTIR.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from symcute.frontends.importing import said_by

__all__ = [
    "LOST", "UNIMPORTED", "WRITTEN", "NoGPU", "compiled", "marked", "only_compiled_for",
    "specialised", "version",
]  # fmt: skip

#: What is said of a file that does not run.
UNIMPORTED = "it does not import: "
#: In a module of a user: the names that it does not have here, with the line and why.
LOST = "__symcute_lost__"
#: There: functions of which decorators failed, without these.
WRITTEN = "__symcute_written__"

#: The machine that is compiled for: TTIR hangs on it in nothing but what dot products may be.
_CAPABILITY, _WARP = 90, 32


def version() -> str:
    """Return the version of Triton."""
    import triton

    return str(triton.__version__)


@cache
def _backend() -> tuple[Any, Any]:
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import make_backend

    target = GPUTarget("cuda", _CAPABILITY, _WARP)
    return target, make_backend(target)


class NoGPU(RuntimeError):
    """A file asks for a machine's properties, and there is no GPU."""


class _NoDriver:
    """The machine that is compiled for, for files that ask; there is no more of it."""

    def get_current_target(self) -> Any:
        return _backend()[0]

    def __getattr__(self, name: str) -> Any:
        raise NoGPU("there is no GPU here")


def only_compiled_for() -> None:
    """Have Triton name the machine that is compiled for, where there is no other."""
    from triton.runtime.driver import driver

    try:
        driver.active.get_current_target()
    except Exception:
        driver.set_active(_NoDriver())


def specialised(function: Any, values: Sequence[Any]) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the types of arguments and the constants, as Triton itself takes a launch.

    An integer that is 1, and None, are constants; whether it is i32 or i64 hangs on its value.
    Errors: TypeError for what Triton takes no argument of; ValueError for a tuple.
    """
    from triton._C.libtriton import native_specialize_impl

    backend = type(_backend()[1])
    types: dict[str, str] = {}
    constants: dict[str, Any] = {}
    for p, value in zip(function.params, values, strict=True):
        if p.is_constexpr:
            constants[p.name] = getattr(value, "value", value)
            continue
        said = p.annotation_type
        if said and (said == "u1" or said[:2] in ("fp", "bf")):
            types[p.name] = said
            continue
        kind, held = native_specialize_impl(
            backend, value, p.is_const, not p.do_not_specialize, False
        )
        if said:
            types[p.name] = said
        elif kind == "constexpr":
            constants[p.name] = getattr(held, "value", held)
        elif isinstance(kind, str):
            types[p.name] = kind
        else:
            raise ValueError(f"{p.name} is a tuple")
    return types, constants


def compiled(function: Any, types: Mapping[str, str], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the TTIR of a function for types and constants, or what is missing or wrong."""
    signature: dict[str, str] = {}
    constants: dict[str, Any] = {}
    missing: list[str] = []
    for p in function.params:
        if p.name in given:
            signature[p.name], constants[p.name] = "constexpr", given[p.name]
        elif p.is_constexpr and p.name in types:  # what it is makes no other program of it
            signature[p.name] = types[p.name]
        elif p.is_constexpr and p.has_default:
            signature[p.name], constants[p.name] = "constexpr", p.default
        elif p.is_constexpr:
            missing.append(f"constexpr {p.name} = ...")
        elif p.name in types:
            signature[p.name] = types[p.name]
        else:
            missing.append(f"type {p.name} = ...")
    if missing:
        return {"missing": missing}
    try:
        text = _ttir(function, signature, constants)
    except Exception as error:
        at = getattr(getattr(error, "node", None), "lineno", None)
        line = {"line": _first_line(function) + at - 1} if type(at) is int else {}
        return {"error": f"Triton does not take it: {said_by(error)}", **line}
    return {
        "text": text,
        "parameters": [[n, t] for n, t in signature.items() if t != "constexpr"],
        "name": function.__name__,
        "numbers": {n: v for n, v in constants.items() if type(v) is int},
    }


def _first_line(function: Any) -> int:
    """Return the line of the `def`, behind the decorators."""
    above = enumerate(function.raw_src)
    return int(function.starting_line_number + next(k for k, s in above if s.startswith("def ")))


#: What promises something of the elements of a tensor, and leaves nothing in TTIR where it does.
_PROMISES = ("multiple_of", "max_contiguous", "max_constancy")
_MARK = re.compile(rf"symcute ({'|'.join(_PROMISES)}) (-?\d+(?:,-?\d+)*)")


def marked(text: str) -> tuple[str, list[int]] | None:
    """Return what a mark among the operations says: the promise, and its number for each axis.

    >>> marked("symcute max_contiguous 1,64"), marked("x = ")
    (('max_contiguous', [1, 64]), None)
    """
    found = _MARK.fullmatch(text)
    return (found[1], [int(v) for v in found[2].split(",")]) if found else None


class _Promises:
    """Marks promises of elements with a `tt.print` of what they speak of, where they are made.

    Triton's own methods are put back behind the `with`.
    """

    def __enter__(self) -> None:
        from triton.language.semantic import TritonSemantic

        self._plain = {name: getattr(TritonSemantic, name) for name in _PROMISES}
        for name, plain in self._plain.items():
            setattr(TritonSemantic, name, self._marking(name, plain))

    def __exit__(self, *_: object) -> None:
        from triton.language.semantic import TritonSemantic

        for name, plain in self._plain.items():
            setattr(TritonSemantic, name, plain)

    @staticmethod
    def _marking(name: str, plain: Any) -> Any:
        def method(semantic: Any, x: Any, values: Any) -> Any:
            result = plain(semantic, x, values)
            mark = f"symcute {name} {','.join(map(str, values))}"
            semantic.builder.create_print(mark, False, [x.handle], [True])
            return result

        return method


class _Signs:
    """Writes down which arithmetic is unsigned: TTIR itself does not tell, and unsigned wraps.

    Sums, differences, products and shifts of integers are marked with `tt.unsigned`, 0 or 1, in
    functions that have unsigned ones; what a pass of Triton makes of them anew has no mark.
    Triton's own methods are put back behind the `with`.
    """

    def __init__(self, marks: bool) -> None:
        self.seen, self.marks = False, marks
        self._plain: dict[str, Any] = {}

    def __enter__(self) -> _Signs:
        from triton.language.semantic import TritonSemantic

        for name in ("add", "sub", "mul", "shl"):
            self._plain[name] = getattr(TritonSemantic, name)
            setattr(TritonSemantic, name, self._watched(self._plain[name]))
        return self

    def __exit__(self, *_: object) -> None:
        from triton.language.semantic import TritonSemantic

        for name, plain in self._plain.items():
            setattr(TritonSemantic, name, plain)

    def _watched(self, plain: Any) -> Any:
        from triton._C.libtriton import ir

        def method(semantic: Any, *args: Any, **more: Any) -> Any:
            result = plain(semantic, *args, **more)
            type = result.type.scalar
            if type.is_int():
                unsigned = type.is_int_unsigned()
                self.seen = self.seen or unsigned
                if self.marks:
                    mark = ir.make_attr([int(unsigned)], result.handle.get_context())
                    result.handle.set_attr("tt.unsigned", mark)
            return result

        return method


def _ttir(function: Any, signature: dict[str, str], constants: dict[str, Any]) -> str:
    """Return TTIR, with marks where there is unsigned arithmetic."""
    with _Signs(marks=False) as signs:
        text = _made(function, signature, constants)
    if not signs.seen:
        return text
    with _Signs(marks=True):
        return _made(function, signature, constants)


def _made(function: Any, signature: dict[str, str], constants: dict[str, Any]) -> str:
    """Return TTIR in which all that is promised or asserted stands."""
    with _Promises():
        return _plainly_made(function, signature, constants)


def _plainly_made(function: Any, signature: dict[str, str], constants: dict[str, Any]) -> str:
    from triton._C.libtriton import ir
    from triton.compiler import ASTSource

    target, backend = _backend()
    options = backend.parse_options({"debug": True, "sanitize_overflow": False})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    module = ASTSource(function, signature, constants, None).make_ir(
        target,
        options,
        backend.get_codegen_implementation(options),
        backend.get_module_map(),
        context,
    )
    return str(backend.make_ttir(module, {}, options, _CAPABILITY).str())
