"""Python files to kernels: each text of CUDA C++, with the launches that the file makes of it."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from symcute.frontends.cuda.source import TIMEOUT_S, read_text
from symcute.frontends.cuda.target import CUDA
from symcute.frontends.front_end import Source, SourceError
from symcute.frontends.python.host import Lost, translated
from symcute.frontends.python.jit_launches import Line
from symcute.frontends.python.names import ours
from symcute.frontends.python.prelude import OF_TRITON, PRELUDE
from symcute.frontends.python.sources import Code, Sources
from symcute.kernel.ir.document import from_json, to_json
from symcute.kernel.ir.families import Family
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Kernel, NotUnderstood

__all__ = ["document", "placed", "read_python"]


def read_python(
    path_or_text: str | Path,
    *,
    name: str | None = None,
    defines: Mapping[str, object] | None = None,
    template_args: Mapping[str, object] | None = None,
    include_dirs: Sequence[str | Path] = (),
    timeout: float = TIMEOUT_S,
) -> Source:
    """Return the kernels in the CUDA C++ texts of a Python file, as programs; nothing is executed.

    A text is what is handed to `RawKernel` or `RawModule` of CuPy, `SourceModule` of PyCUDA or
    `load_inline` of PyTorch, if it is constant. Launches in the file are followed where they are
    made by the kernel's name, with sizes that come from arrays, arguments and constants.

    Pre-conditions: none; what is not understood is `NotUnderstood` in the program.
    Post-conditions: places are lines of the Python file.
    Errors: SourceError for a file that is no Python, or has no such kernel; those of CUDA C++.
    Source: the documentation of CuPy, "User-defined kernels".

    >>> code = "__global__ void k(int *x) { x[threadIdx.x] = 0; }"
    >>> text = f'import cupy\\nk = cupy.RawKernel("{code}", "k")\\n'
    >>> text += "def f(x):\\n  k((1,), (x.size,), (x,))"
    >>> [n.text for n in read_python(text).kernels["k"].families[0].notes][:1]
    ['launch grid=(1) block=(x_numel)']
    """
    path, text = _text(path_or_text)
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        place = Place(path, line, 1) if line else None
        raise SourceError(f"this is not Python: {error}", "mend the file", place) from None
    sources = Sources(tree)
    default = "" if "set_default_dtype" in text or "set_default_tensor_type" in text else _FLOAT
    told = {
        "defines": defines or {},
        "template_args": template_args or {},
        "include_dirs": [Path(path).parent, *include_dirs],
        "timeout": timeout,
    }
    kernels: dict[str, Kernel] = {}
    missing: dict[str, None] = {}
    for code in sources.codes:
        if code.trouble:
            continue
        found = _read(path, code, sources, default, told)
        missing |= dict.fromkeys(found.missing)
        for title, kernel in found.kernels.items():
            kernels[title if title not in kernels else f"{title}:{kernel.place.line}"] = kernel
    for code in sources.codes:
        if code.trouble:
            place = Place(path, code.node.lineno, code.node.col_offset + 1)
            nothing = (NotUnderstood(code.trouble, place, barrier=True),)
            title = f"line {place.line}"
            kernels[title] = Kernel(title, (), (), nothing, place, CUDA)
    if name is not None:
        if name not in kernels:
            known = ", ".join(kernels) or "none"
            raise SourceError(f"{path} has no kernel {name}", f"it has: {known}")
        kernels = {name: kernels[name]}
    return Source(path, text, kernels, tuple(missing))


_FLOAT = "torch::kFloat"


def _text(path_or_text: str | Path) -> tuple[str, str]:
    if isinstance(path_or_text, str) and "\n" in path_or_text:
        return "kernels.py", path_or_text
    path = Path(path_or_text)
    try:
        return str(path), path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        reason = error.strerror or "no file"
        raise SourceError(f"cannot read {path}: {reason}", "name a Python file") from None


def _read(
    path: str,
    code: Code,
    sources: Sources,
    default: str,
    told: dict[str, Any],
) -> Source:
    """Return the kernels of one text, with the launches that the file makes of them."""
    lines, lost, made = translated(code, sources, default)
    everything = document(code, lines)
    source = read_text(
        path,
        "\n".join(line.text for line in everything),
        **told,
    )
    kernels = {n: placed(k, path, everything) for n, k in source.kernels.items()}
    seen = {(f.place.line, f.place.column) for k in kernels.values() for f in k.families}
    for each in made:
        if (each.node.lineno, each.node.col_offset + 1) not in seen:
            lost.append(each)
    for each in lost:
        kernels = _with_lost(kernels, each, path)
    return replace(source, kernels=kernels)


def document(code: Code, host: Sequence[Line]) -> list[Line]:
    """Return the C++ that is read: what is needed, the text, and the functions of the file."""
    begin = code.node.lineno
    end = code.node.end_lineno or begin
    text = code.text.split("\n")
    # Where no line of the text is written as more or less than one, it stands line by line.
    step = 1 if len(text) - 1 == end - begin else 0
    of_triton = code.library == "triton"
    lines = [Line("#define SYMCUTE_ELEMENTS", begin, 1)] if of_triton else []
    lines += [Line(t, begin, 1) for t in (PRELUDE + of_triton * OF_TRITON).split("\n")]
    lines += [Line(f"#define {n} {v}", begin, 1) for n, v in code.defines]
    lines += [Line(t, begin + step * n) for n, t in enumerate(text)]
    lines += [Line("", end, 1)]  # a text may end with a backslash
    # Others may be types of elements; no name in the host's code is one of them.
    hiding = [m for m in code.macros if m in ours()]
    return [*lines, *(Line(f"#undef {m}", begin, 1) for m in hiding), *host]


def placed(kernel: Kernel, path: str, lines: Sequence[Line]) -> Kernel:
    """Return a kernel whose places are lines of the Python file."""

    def moved(value: Any) -> Any:
        if isinstance(value, list):
            if value[:2] == ["Place", path] and len(value) == 4:
                # What the reader writes behind a text, instances of templates, stands at its end.
                line = lines[min(value[2], len(lines)) - 1]
                return [*value[:2], line.line, line.column or value[3]]
            return [moved(v) for v in value]
        return value

    placed: Kernel = from_json(moved(to_json(kernel)))
    return placed


def _plain(title: str) -> str:
    """Return the name of a kernel without its namespace and the arguments of its template."""
    return title.split("<")[0].split("(")[0].split("::")[-1].strip()


def _with_lost(kernels: dict[str, Kernel], lost: Lost, path: str) -> dict[str, Kernel]:
    """Return kernels with a launch that is not followed."""
    place = Place(path, lost.node.lineno, lost.node.col_offset + 1)
    family = Family(place, lost.host, (), trouble=lost.why)
    return {
        n: replace(k, families=(*k.families, family))
        if not lost.kernel or _plain(n) == _plain(lost.kernel)
        else k
        for n, k in kernels.items()
    }
