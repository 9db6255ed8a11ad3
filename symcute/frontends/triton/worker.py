"""A process that imports users' files, and has Triton compile their kernels to TTIR.

Importing a file runs it, as far as it goes where something that it imports is not installed.
"""

from __future__ import annotations

import os
import re
import warnings
from pathlib import Path
from typing import Any

from symcute.frontends.importing import place_in, said_by
from symcute.frontends.triton.compiling import (
    LOST,
    UNIMPORTED,
    WRITTEN,
    compiled,
    only_compiled_for,
)
from symcute.frontends.triton.inductor_import import generated_source
from symcute.processes.serving import serve

__all__ = ["main"]


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
    path, lines = request["file"], request.get("lines")
    key = f"{path} {lines}"
    if key not in modules:
        try:
            modules[key] = (
                _whole_or_partly(Path(path).resolve()) if lines is None
                else generated_source(Path(path).resolve(), *lines)
            )  # fmt: skip
        except ModuleNotFoundError as error:
            if lines is None or error.name != "torch":
                return {"error": f"{UNIMPORTED}{said_by(error)}"}
            return {"error": "a kernel of Inductor's imports torch", "torch": "missing"}
        except BaseException as error:
            return {"error": f"{UNIMPORTED}{said_by(error)}", **place_in(path, error)}
    module, ask = modules[key], _tuning if request.get("asked") == "tuning" else _compiled
    try:
        answer = ask(module, request)
    except Exception as error:
        answer = {"error": said_by(error)}
    given: dict[str, tuple[int, str]] = vars(module).get(LOST, {})
    lost = {name: said for name, said in given.items() if not hasattr(module, name)}
    if lost and "error" in answer:
        name = request["name"] if request["name"] in lost else _undefined(answer["error"])
        if name in lost:
            chain = [name]
            while (before := _undefined(lost[chain[-1]][1])) in lost and before not in chain:
                chain.append(before)
            line, why = lost[chain[-1]]
            return {"error": f"{name} is not known here, for {why} (line {line})", "line": line}
    reasons = {why for _, why in lost.values() if not why.startswith("NameError")}
    return {**answer, "lost": sorted(reasons)} if lost else answer


def _undefined(error: str) -> str:
    """Return the name that Python or Triton says to have no value, or nothing."""
    found = re.search(r"(\w+)'? is not defined", error)
    return found[1] if found else "?"


def _whole_or_partly(path: Path) -> Any:
    """Import a file; where this machine lacks something for that, as far as it goes."""
    from symcute.frontends.triton.partial import (
        imported_partly,
        imported_whole,
        lacks_something,
    )

    try:
        return imported_whole(path)
    except Exception as error:
        if not lacks_something(error):
            raise
    only_compiled_for()
    return imported_partly(path)


def _function(module: Any, name: str) -> Any:
    """Return the jitted function of a name, below autotuning and heuristics."""
    from triton.runtime.jit import JITFunction

    found = getattr(module, name, None) or _as_written(module, name)
    while found is not None and not isinstance(found, JITFunction):
        found = getattr(found, "fn", None)
    return found


def _as_written(module: Any, name: str) -> Any:
    """Return a function under `triton.jit` of which nothing but its decorators failed, or None."""
    import triton

    written = vars(module).get(WRITTEN, {})
    return triton.jit(written[name]) if name in written else None


def _tuning(module: Any, request: dict[str, Any]) -> dict[str, Any]:
    """Return what decorators say of a kernel: its configurations, constexprs and defaults."""
    from triton.runtime.autotuner import Autotuner
    from triton.runtime.jit import JITFunction

    found, configs, pruned = getattr(module, request["name"], None), None, False
    trouble = ""
    if found is None and (found := _as_written(module, request["name"])) is not None:
        trouble = f"what stands above it did not run: {vars(module)[LOST][request['name']][1]}"
    while found is not None and not isinstance(found, JITFunction):
        if isinstance(found, Autotuner):
            configs = [{k: _plain(v) for k, v in c.all_kwargs().items()} for c in found.configs]
            may = found.early_config_prune is not None or found.perf_model is not None
            pruned = may and len(configs) > 1  # one is taken as it is
        found = getattr(found, "fn", None)
    if found is None:
        return {"error": "it is no function under triton.jit once the file has run"}
    return {
        "trouble": trouble,
        "configs": configs,
        "pruned": pruned,
        "constexprs": [p.name for p in found.params if p.is_constexpr],
        "defaults": {p.name: _plain(p.default) for p in found.params if p.has_default},
        "types": {p.name: p.annotation_type for p in found.params if p.annotation_type},
        "general": [p.name for p in found.params if p.do_not_specialize],
    }


def _plain(value: Any) -> Any:
    """Return a constant as JSON has it; what is none is ["?"]."""
    import triton.language as tl

    value = getattr(value, "value", value) if isinstance(value, tl.constexpr) else value
    if isinstance(value, tl.dtype):
        return ["type", str(value)] if hasattr(tl, str(value)) else ["?"]
    return value if value is None or isinstance(value, (bool, int, float, str)) else ["?"]


def _constant(value: Any) -> Any:
    import triton.language as tl

    return getattr(tl, value[1]) if isinstance(value, list) else value


def _compiled(module: Any, request: dict[str, Any]) -> dict[str, Any]:
    function = _function(module, request["name"])
    if function is None:
        return {"error": "it is no function under triton.jit once the file has run"}
    given = {name: _constant(value) for name, value in request["constants"].items()}
    return compiled(function, request["types"], given)


if __name__ == "__main__":
    main()
