"""Which of NVIDIA's examples of CuTe DSL its tracer accepts without a GPU, and which are read.

    pip install torch   # of any build; what asks for a GPU gets memory of the CPU
    python -m benchmarks.cutedsl_read CUTLASS/examples/python/CuTeDSL --out FILE.md

Each file that can be run is run as its command line would, in a process of its own, for the
architecture that its folder names: each host function that it calls or compiles is traced, its
module read and evaluated, and nothing is compiled or launched. The examples' own Python runs here,
and what comes of host functions is a mock, so that it ends where it looks at results.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import runpy
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

#: The architecture of a folder, by a part of its name; the first that fits.
ARCHITECTURES = {
    "ampere": "sm_80", "hopper": "sm_90a", "geforce": "sm_120a", "blackwell": "sm_100a",
    "cute_ext": "sm_100a", "experimental": "sm_100a", "": "sm_80",
}  # fmt: skip
SECONDS = 240
#: What a device is told to have of multiprocessors, and of clusters at one time.
MANY = 148


class _Traced(BaseException):
    """A module is there; nothing more is to be done with this host function."""


def _without_device(architecture: str) -> Any:
    """Let PyTorch and the DSL's questions about a device be answered without one.

    Returns the context in which PyTorch's tensors lie in memory of the CPU.
    """
    import cutlass.utils
    import torch

    class Cpu(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, f: Any, _: Any, args: Any = (), kwargs: Any = None) -> Any:
            kwargs = dict(kwargs or {})
            if "device" in kwargs:
                kwargs["device"] = "cpu"
            if getattr(f, "__name__", "") == "cuda":
                return args[0]
            if getattr(f, "__name__", "") == "to":
                device = (a for a in args if isinstance(a, torch.device))
                far = [*device, *(a for a in args if isinstance(a, str) and a.startswith("cuda"))]
                args = tuple("cpu" if any(a is x for x in far) else a for a in args)
            return f(*args, **kwargs)

    from cuda.bindings import driver

    for name in vars(driver):  # what is asked of the driver itself: so many, and all is well
        if re.match(r"cu[A-Z]", name):
            setattr(driver, name, lambda *_, **__: (driver.CUresult.CUDA_SUCCESS, MANY))
    number = int(re.findall(r"\d+", architecture)[0])
    stream = MagicMock(cuda_stream=0)
    for name, value in {
        "is_available": True, "current_stream": stream, "default_stream": stream,
        "synchronize": None, "manual_seed": None, "current_device": 0, "device_count": 1,
        "get_device_capability": divmod(number, 10), "set_device": None,
    }.items():  # fmt: skip
        setattr(torch.cuda, name, lambda *_, _value=value, **__: _value)
    for name in vars(cutlass.utils.HardwareInfo):
        if name == "__init__":
            setattr(cutlass.utils.HardwareInfo, name, lambda *_, **__: None)
        elif not name.startswith("_"):
            setattr(cutlass.utils.HardwareInfo, name, lambda *_, **__: MANY)
    return Cpu()


def one(file: Path) -> dict[str, Any]:
    """Return how far the tracer comes with a file, and what is read of its modules."""
    from cutlass.base_dsl.dsl import BaseDSL
    from cutlass.cutlass_dsl import CuTeDSL

    texts: list[str] = []
    called = BaseDSL._func

    def take(_: Any, module: Any, __: str) -> None:
        form = {"print_generic_op_form": True, "enable_debug_info": True}
        texts.append(module.operation.get_asm(**form))
        raise _Traced

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return called(*args, **kwargs)
        except _Traced:
            return MagicMock()

    end = "ended"
    sys.argv = [str(file)]
    sys.path.insert(0, str(file.parent))
    setattr(BaseDSL, "_func", call)  # noqa: B010
    try:
        mode = _without_device(os.environ["CUTE_DSL_ARCH"])
        hooked = CuTeDSL._get_dsl().trace_finalize_hooks(take)
        with contextlib.redirect_stdout(io.StringIO()), hooked, mode:
            runpy.run_path(str(file), run_name="__main__")
    except BaseException as error:
        told = [line for line in str(error).splitlines() if line.strip()]
        end = f"{type(error).__name__}: {' '.join(told[:1])}"
    return {"end": end, "modules": [*map(read, texts)]}


def read(text: str) -> dict[str, Any] | str:
    """Return how many operations of a module have which status, or why it is not read.

    Under "told" stands each whose result differs from what our algebra computes.
    """
    from symcute.frontends.cutedsl.evaluation import evaluate
    from symcute.frontends.cutedsl.text import read_module

    try:
        steps = [s for s in evaluate(read_module(text), (), ()).steps() if s.operation.results]
        told = [
            f"{s.operation.name} at {s.operation.place}: "
            f"{', '.join(x.type for x in s.operation.results)}; ours is "
            f"{', '.join(map(str, s.computed)) or s.reason}"
            for s in steps
            if s.status == "differs"
        ]
        return {"counts": dict(Counter(s.status for s in steps)), "told": told}
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def run(folder: Path) -> dict[str, dict[str, Any]]:
    """Return what becomes of each file that can be run."""
    found: dict[str, dict[str, Any]] = {}
    for file in sorted(folder.rglob("*.py")):
        if "__main__" not in file.read_text(encoding="utf-8", errors="replace"):
            continue
        name = file.relative_to(folder).as_posix()
        architecture = next(a for k, a in ARCHITECTURES.items() if k in name)
        env = {**os.environ, "CUTE_DSL_ARCH": architecture}
        command = [sys.executable, "-W", "ignore", "-m", "benchmarks.cutedsl_read", "--one"]
        try:
            done = subprocess.run(
                [*command, str(file)], capture_output=True, text=True, env=env, timeout=SECONDS
            )
            last = done.stdout.splitlines()[-1:]
            ended = {"end": f"the process ends with {done.returncode}", "modules": []}
            found[name] = json.loads(last[0]) if last and last[0][:1] == "{" else ended
        except subprocess.TimeoutExpired:
            found[name] = {"end": f"no end in {SECONDS} s", "modules": []}
        print(name, json.dumps(found[name])[:200], file=sys.stderr)
    return found


def markdown(found: dict[str, dict[str, Any]], version: str) -> str:
    """Return the counts, and why nothing is traced of the files of which nothing is."""
    traced = {name: x["modules"] for name, x in found.items() if x["modules"]}
    lost = {n: m for n, modules in traced.items() for m in modules if isinstance(m, str)}
    modules = [m for each in traced.values() for m in each if not isinstance(m, str)]
    lines = [
        "# Which of NVIDIA's examples of CuTe DSL are read", "",
        f"`python -m benchmarks.cutedsl_read FOLDER`, with nvidia-cutlass-dsl {version}, on a",
        "machine without a GPU: each file with a command line of its own is run, and the host",
        "functions that it calls or compiles are traced, until it looks at a result. Of",
        f"{len(found)} files {len(traced)} have a host function that is traced,",
        f"{sum(map(len, traced.values()))} in all; {len(modules)} of these are read.", "",
        "| what is known of an operation's results | operations |", "|---|---:|",
    ]  # fmt: skip
    statuses: Counter[str] = sum((Counter(m["counts"]) for m in modules), Counter())
    lines += [f"| {k} | {n} |" for k, n in statuses.most_common()]
    ends = (x["end"] for x in found.values() if not x["modules"])
    counts = Counter(re.sub(r"\x1b\[[\d;]*m|/\S+", "", end)[:110] for end in ends)
    lines += ["", "| why nothing is traced | files |", "|---|---:|"]
    lines += [f"| {k.replace('|', '/')} | {n} |" for k, n in counts.most_common()]
    lines += ["", *(f"- {name}: {why[:200]}" for name, why in lost.items())] if lost else []
    told = {
        f"- {name}: {line}"
        for name, each in traced.items()
        for m in each
        if not isinstance(m, str)
        for line in m["told"]
    }
    lines += ["", "What differs:", "", *sorted(told)] if told else []
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run all files of a folder, or one file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("path", type=Path)
    parser.add_argument("--one", action="store_true", help="the path is a file: run it here")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(one(options.path)))
        return
    from importlib.metadata import version

    text = markdown(run(options.path), version("nvidia-cutlass-dsl"))
    if options.out:
        options.out.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
