"""The parts of a machine that symcute uses, each of them tried rather than looked up."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from symcute.errors import SymcuteError

__all__ = ["PARTS", "Finding", "Missing", "Part", "findings"]

_SECONDS = 30
_REINSTALL = "install symcute again with pip, which brings what it needs"
_LIBRARIES = ("click", "jinja2", "rich")
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_KERNEL = "__global__ void k(float *x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 0; }"
_QUERY = "(declare-const x Int) (assert (> (* 7 x) 27)) (assert (< (* 7 x) 35))"


class Missing(Exception):
    """A part is not there; the text says what was looked for."""


class Part(NamedTuple):
    """Something symcute uses: what for, how to get it, and a trial that says what it found."""

    name: str
    serves: str
    remedy: str
    required: bool
    trial: Callable[[], str]


class Finding(NamedTuple):
    """What came of trying a part: `status` is ok, missing or broken."""

    part: Part
    status: str
    found: str


def findings() -> Iterator[Finding]:
    """Try every part in turn; whatever goes wrong in one is its finding."""
    for part in PARTS:
        try:
            yield Finding(part, "ok", part.trial())
        except Missing as error:
            yield Finding(part, "missing", str(error))
        except SymcuteError as error:
            yield Finding(part, "broken", error.what)
        except Exception as error:
            yield Finding(part, "broken", f"{type(error).__name__}: {error}".splitlines()[0][:200])


def _installed(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        raise Missing(f"the package {package} is not installed") from None


def _on_path(*names: str) -> str:
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        raise Missing(f"not on the PATH (looked for {', '.join(names)})")
    return found


def _line(*command: str, last: bool = False) -> str:
    """Return the first (or last) line that a program prints."""
    run = subprocess.run(
        command, capture_output=True, text=True, timeout=_SECONDS, check=False, errors="replace"
    )
    lines = (run.stdout or run.stderr).strip().splitlines() or [""]
    if run.returncode:
        raise SymcuteError(f"{command[0]} fails: {lines[0][:200]}")
    return lines[-1 if last else 0].strip()


def _python() -> str:
    return f"{'.'.join(map(str, sys.version_info[:3]))}, {sys.executable}"


def _libraries() -> str:
    from symcute.claims.language import evaluate, show_value

    found = ", ".join(f"{name} {_installed(name)}" for name in _LIBRARIES)
    if show_value(evaluate("logical_divide((8,4), (2,2))")) != "((2,4),(2,2)):((1,2),(8,16))":
        raise SymcuteError(f"a static division comes out wrong with {found}")
    return found


def _sympy() -> str:
    from symcute.claims.language import evaluate, show_value

    found = _installed("sympy")
    said = show_value(evaluate("size(logical_divide((M,N), (8,N)))", ["M % 8 == 0"]))
    if said != "M*N":
        raise SymcuteError(f"the size of M*N elements comes out as {said}")
    return found


def _solver(name: str, package: str) -> Callable[[], str]:
    def trial() -> str:
        from symcute.solve.solvers import solve

        found, started = _installed(package), time.perf_counter()
        answer = solve(_QUERY, solver=name, timeout=_SECONDS)
        if answer.status != "sat" or (answer.model or {}).get("x") != 4:
            raise SymcuteError(f"{found} answers {answer.status} {answer.reason} instead of x = 4")
        return f"{found}, answered in {time.perf_counter() - started:.1f} s"

    return trial


def _prover() -> str:
    from symcute.cli.recheck import checked
    from symcute.prover import prove

    verdict = prove("injective((M,N):(LD,1))", ["LD >= N"], timeout=_SECONDS)
    if verdict.status != "proved" or verdict.certificate is None:
        raise SymcuteError(f"{verdict.claim} is {verdict.status} instead of proved")
    with tempfile.TemporaryDirectory(prefix="symcute-") as folder:
        file = Path(folder, "one.json")
        file.write_text(json.dumps(verdict.certificate), encoding="utf-8")
        if not all(x["status"] == "checked" for x in checked([file])):
            raise SymcuteError("the checker does not accept a good certificate")
    return "a claim proved, its certificate checked"


def _clang() -> str:
    from symcute.frontends.cuda.source import read_kernels

    found = _installed("libclang")
    if len(read_kernels(_KERNEL, timeout=_SECONDS).kernels) != 1:
        raise SymcuteError("a kernel was not found in its source")
    return f"{found}, read a kernel"


def _through_llvm() -> str:
    from symcute.errors import InputError
    from symcute.frontends.llvm.compiling import compiler
    from symcute.frontends.llvm.source import read_through_llvm

    try:
        found = compiler()
    except InputError as error:
        raise Missing(error.what) from None
    if len(read_through_llvm(_KERNEL, timeout=_SECONDS).kernels) != 1:
        raise SymcuteError("a kernel was not found in its source")
    return f"{_line(found.clang, '--version')}, compiled a kernel"


def _triton() -> str:
    from symcute.frontends.triton.compiler import version

    return f"triton {version()}, asked in a process of its own"


def _c_compiler() -> str:
    _installed("numpy")
    from symcute.evidence.backends import HostBackend
    from symcute.evidence.backends.host import COMPILERS

    _on_path(*COMPILERS)
    backend = HostBackend()
    backend.load("", "wide")
    return f"{backend.describe()['compiler']}, compiled a module"


def _cpp_compiler() -> str:
    _installed("numpy")
    from symcute.evidence.backends.host import CPP_COMPILERS

    return _line(_on_path(*CPP_COMPILERS), "--version")


def _cutlass() -> str:
    _installed("numpy")
    from symcute.evidence.backends.base import cutlass_headers

    found = cutlass_headers()
    if found is None:
        raise Missing("neither CUTLASS_PATH nor the package nvidia-cutlass has them")
    return str(found)


def _gpu() -> str:
    query = "--query-gpu=name,driver_version,compute_cap"
    said = _line(_on_path("nvidia-smi"), query, "--format=csv,noheader").split(", ")
    name, driver, capability = [*said, "unknown", "unknown"][:3]
    return f"{name}, driver {driver}, compute capability {capability}"


def _cupy() -> str:
    _installed("numpy")
    from symcute.evidence.backends import CupyBackend, cupy_available

    if reason := cupy_available():
        raise Missing(reason)
    backend = CupyBackend()
    backend.load("", "wide")
    said = backend.describe()
    return f"{said['cupy']}, {said['compiler']}, compiled for {said['compute_capability']}"


def _nvcc() -> str:
    return _line(_on_path("nvcc"), "--version", last=True).removeprefix("Build ")


def _browser() -> str:
    named = os.environ.get("SYMCUTE_BROWSER")
    return _line(named or _on_path(*_BROWSERS), "--version")


def _cache() -> str:
    import sqlite3

    path = Path(os.environ.get("SYMCUTE_CACHE") or ".symcute/cache.sqlite").absolute()
    if path.exists():
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=5)
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        finally:
            connection.close()
    folder = next(p for p in path.parents if p.is_dir())
    with tempfile.NamedTemporaryFile(dir=folder, prefix=".symcute-"):
        return f"{path}{'' if path.exists() else ', not there yet'}, {folder} takes files"


def _limits() -> str:
    from symcute.processes.serving import MEMORY_LIMITS

    if not MEMORY_LIMITS:
        raise Missing("this system cannot limit the memory of a process: --memory has no effect")
    return "the memory of processes can be limited"


def _terminal() -> str:
    from symcute.report.terminal import coloured

    size = shutil.get_terminal_size()
    kind = os.environ.get("TERM", "not set") if sys.stdout.isatty() else "a pipe or a file"
    colours = "with" if coloured(sys.stdout) else "without"
    return f"{kind}, {size.columns} columns, {sys.stdout.encoding}, {colours} colours"


PARTS = (
    Part("Python", "everything", "install Python 3.11 or later", True, _python),
    Part("libraries", "text, tables, pictures", _REINSTALL, True, _libraries),
    Part("SymPy", "dims", "pip install sympy", True, _sympy),
    Part(
        "Z3",
        "claims that no lemma decides",
        "pip install z3-solver",
        True,
        _solver("z3", "z3-solver"),
    ),
    Part(
        "cvc5",
        "claims that Z3 leaves open, a second solver",
        'pip install "symcute[cvc5]"',
        False,
        _solver("cvc5", "cvc5"),
    ),
    Part("prover", "symcute prove, verify, recheck", _REINSTALL, True, _prover),
    Part("libclang", "symcute check", 'pip install "symcute[cuda]"', False, _clang),
    Part(
        "clang",
        "symcute check --road llvm",
        "apt install clang-19 llvm-19, and pip install 'symcute[llvm]'",
        False,
        _through_llvm,
    ),
    Part(
        "NumPy",
        "symcute check and gpu, arrays",
        'pip install "symcute[cuda]"',
        False,
        lambda: _installed("numpy"),
    ),
    Part("Triton", "symcute check of Triton", 'pip install "symcute[triton]"', False, _triton),
    Part(
        "cache",
        "verdicts kept from run to run",
        "set SYMCUTE_CACHE to a file that can be written",
        False,
        _cache,
    ),
    Part("limits", "--memory", "use Linux or macOS", False, _limits),
    Part("terminal", "output", "set TERM, and LC_ALL=C.UTF-8", False, _terminal),
    Part("C compiler", "symcute gpu without a GPU", "install gcc or clang", False, _c_compiler),
    Part("C++ compiler", "symcute gpu --cute", "install g++ or clang++", False, _cpp_compiler),
    Part(
        "CUTLASS headers",
        "index functions through NVIDIA's CuTe",
        "pip install nvidia-cutlass, or set CUTLASS_PATH",
        False,
        _cutlass,
    ),
    Part("GPU", "symcute gpu on a GPU", "an NVIDIA GPU and its driver", False, _gpu),
    Part(
        "CuPy",
        "symcute gpu on a GPU, symcute.guard",
        "pip install cupy-cuda13x, on a machine with an NVIDIA GPU",
        False,
        _cupy,
    ),
    Part("nvcc", "CuTe's own functions on a GPU", "install the CUDA toolkit", False, _nvcc),
    Part(
        "browser",
        "the tests of pages (tests/browser)",
        "apt-get install chromium, or set SYMCUTE_BROWSER",
        False,
        _browser,
    ),
)
