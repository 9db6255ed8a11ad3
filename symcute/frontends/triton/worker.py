"""A process that imports users' files, and has Triton compile their kernels to TTIR.

It is the only file that imports Triton. No GPU, no driver and no PyTorch are needed for TTIR, but
what a user's file imports must be there. Importing a file runs it.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import warnings
from functools import cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

from symcute.processes.serving import serve

__all__ = ["main"]

#: The machine that is compiled for: TTIR hangs on it in nothing but what dot products may be.
_CAPABILITY, _WARP = 90, 32


def main() -> None:
    """Greet, then answer requests for TTIR."""
    os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")
    os.environ["TRITON_INTERPRET"] = "0"
    warnings.simplefilter("ignore")
    try:
        import triton
    except ImportError as error:
        serve({"missing": str(error)}, lambda request: {"error": "no Triton"})
        return
    modules: dict[str, Any] = {}
    serve({"triton": triton.__version__}, lambda request: _answer(request, modules))


def _answer(request: dict[str, Any], modules: dict[str, Any]) -> dict[str, Any]:
    path = request["file"]
    if path not in modules:
        try:
            modules[path] = _imported(Path(path).resolve())
        except BaseException as error:
            return {"error": f"it does not import: {_line(error)}", **_place_in(path, error)}
    try:
        return _compiled(modules[path], request)
    except Exception as error:
        return {"error": _line(error)}


class _AsItIs(SourceFileLoader):
    """Compiles a file as it is: by its second and its size alone, kept bytecode may be older."""

    def get_code(self, fullname: str) -> CodeType:
        found: CodeType = self.source_to_code(self.get_data(self.path), self.path)
        return found


def _imported(path: Path) -> Any:
    """Import a file by its name in its package, where it is in one."""
    parts, folder = [path.stem], path.parent
    while (folder / "__init__.py").exists():
        parts.insert(0, folder.name)
        folder = folder.parent
    sys.path.insert(0, str(folder))
    if len(parts) > 1:
        importlib.import_module(".".join(parts[:-1]))
    name = ".".join(parts) if len(parts) > 1 else f"symcute_read_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path, loader=_AsItIs(name, str(path)))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _line(error: BaseException) -> str:
    """Return the last line of what an error says, with its class where that says more."""
    lines = [s.strip() for s in str(error).splitlines() if s.strip(" ^")]
    said = lines[-1] if lines else ""
    name = type(error).__name__
    return said if name == "CompilationError" and said else f"{name}: {said}".rstrip(": ")


def _place_in(path: str, error: BaseException) -> dict[str, Any]:
    """Return the last line of a file that an error went through."""
    trace, line = error.__traceback__, getattr(error, "lineno", None)
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(Path(path).resolve()):
            line = trace.tb_lineno
        trace = trace.tb_next
    return {"line": line} if isinstance(line, int) else {}


def _function(module: Any, name: str) -> Any:
    """Return the jitted function of a name, below autotuning and heuristics."""
    from triton.runtime.jit import JITFunction

    found = getattr(module, name, None)
    while found is not None and not isinstance(found, JITFunction):
        found = getattr(found, "fn", None)
    return found


def _first_line(function: Any) -> int:
    """Return the line of the `def`, behind the decorators."""
    above = enumerate(function.raw_src)
    return int(function.starting_line_number + next(k for k, s in above if s.startswith("def ")))


def _constant(value: Any) -> Any:
    import triton.language as tl

    return getattr(tl, value[1]) if isinstance(value, list) else value


def _compiled(module: Any, request: dict[str, Any]) -> dict[str, Any]:
    function = _function(module, request["name"])
    if function is None:
        return {"error": "it is no function under triton.jit once the file has run"}
    types, given = request["types"], request["constants"]
    signature: dict[str, str] = {}
    constants: dict[str, Any] = {}
    missing: list[str] = []
    for p in function.params:
        if p.name in given:
            signature[p.name], constants[p.name] = "constexpr", _constant(given[p.name])
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
        return {"error": f"Triton does not take it: {_line(error)}", **line}
    return {
        "text": text,
        "parameters": [[n, t] for n, t in signature.items() if t != "constexpr"],
        "name": function.__name__,
        "numbers": {n: v for n, v in constants.items() if type(v) is int},
    }


class _Signs:
    """Writes down which arithmetic is unsigned: TTIR itself does not tell, and unsigned wraps.

    Sums, differences, products and shifts of integers are marked with `tt.unsigned`, 0 or 1, in
    functions that have unsigned ones; what a pass of Triton makes of them anew has no mark.
    """

    def __init__(self) -> None:
        from triton.language.semantic import TritonSemantic

        self.seen = self.marks = False
        for name in ("add", "sub", "mul", "shl"):
            setattr(TritonSemantic, name, self._watched(getattr(TritonSemantic, name)))

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


@cache
def _signs() -> _Signs:
    return _Signs()


def _ttir(function: Any, signature: dict[str, str], constants: dict[str, Any]) -> str:
    """Return TTIR, with marks where there is unsigned arithmetic."""
    signs = _signs()
    signs.seen = signs.marks = False
    text = _made(function, signature, constants)
    if signs.seen:
        signs.marks = True
        text = _made(function, signature, constants)
    return text


def _made(function: Any, signature: dict[str, str], constants: dict[str, Any]) -> str:
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    from triton.compiler.compiler import make_backend

    target = GPUTarget("cuda", _CAPABILITY, _WARP)
    backend = make_backend(target)
    options = backend.parse_options({})
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


if __name__ == "__main__":
    main()
