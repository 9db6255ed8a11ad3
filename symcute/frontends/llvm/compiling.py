"""clang: CUDA C++ to LLVM IR of which nothing is lost that is asked about."""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from symcute.errors import InputError
from symcute.frontends.cuda.headers import SEARCHED
from symcute.frontends.front_end import SourceError
from symcute.frontends.llvm.kept import keep, key_of, known
from symcute.frontends.llvm.preparing import prepared, restored
from symcute.frontends.llvm.promoting import Promoting
from symcute.frontends.llvm.text import Module, Unread
from symcute.kernel.ir.place import Place
from symcute.processes.limited import finished, used
from symcute.processes.programs import Failed, Late, OutOfMemory

__all__ = ["Compiled", "Compiler", "compiled", "compiler", "compiler_digest", "kernels_of"]

#: Later versions write kernels and barriers in another way.
_VERSIONS = ("19",)
_ARGUMENTS = (
    "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib",
    "-include", "__clang_cuda_runtime_wrapper.h", "-O0", "-Xclang", "-disable-O0-optnone", "-g",
    "-Xclang", "-disable-llvm-passes",
    "-fno-discard-value-names", "-Xclang", "-target-sdk-version=12.3",
    "-fno-builtin-memcpy", "-fno-builtin-memmove", "-Wno-everything", "-Werror=integer-overflow",
    "-fdebug-compilation-dir=.", "-S", "-emit-llvm",
)  # fmt: skip
_STANDARD = "-std=c++17"
#: The device, which is that of the other road: `__CUDA_ARCH__` decides what a kernel is. It has
#: Hopper's instructions for sources that name them, where no other one is asked for; CUTLASS has
#: these only where a compiler of CUDA 12 says that it is one.
_DEVICE = ("--cuda-gpu-arch=sm_90",)
_HOPPER = ("--cuda-gpu-arch=sm_90a", "-D__CUDACC_VER_MAJOR__=12", "-D__CUDACC_VER_MINOR__=3")
_NAMES_HOPPER = re.compile(r"SM90|sm_?90|wgmma|\b[Tt][Mm][Aa]\b")
#: A copy that is asked for is told from one that an assignment is.
_FIRST = "#define __builtin_memcpy memcpy\n#define __builtin_memmove memmove\n"
#: What nvcc defines, which headers of CUDA take for nvcc itself, or clang alone: the names that
#: stand for it in the user's text, as long as its own, and what they are.
_NVCC = {
    "__NVCC__": ("SYM_NVCC", "1"),
    "__CUDACC_VER_MAJOR__": ("SYM_CUDACC_VER_MAJOR", "12"),
    "__CUDACC_VER_MINOR__": ("SYM_CUDACC_VER_MINOR", "4"),
    "__USE_FAST_MATH__": ("SYM_USE_FAST_MATH", ""),
}
#: nvcc lets `alignas` follow what says where a variable lies; clang takes an attribute there.
_ALIGNED = re.compile(r"(?<=\b__shared__ )alignas(?= *\()")
_ALIGNS = "SYM_ALS"
_NAMES_NVCC = re.compile(rf"\b(?:{'|'.join(_NVCC)})\b")
_FILES = re.compile(r'^# \d+ "([^"<]+)"', re.MULTILINE)
_PARTED = re.compile(r'^# \d+ "([^"]+)".*$', re.MULTILINE)
#: What makes a pointer or a reference one to another type, or might.
_CAST = re.compile(r"(?:reinterpret|const)_cast\b|[*&]\s*(?:(?:const|volatile|__restrict__)\s*)*\)")
#: Wheels of NVIDIA, and folders of headers in them.
_WHEELS = ("cuda_runtime", "curand", "cuda_nvcc", "cuda_cccl")
#: Parts of headers that are seen where these are not there.
_PARTS = Path(__file__).parent / "headers"
#: From the callees up, so that what is put into another function is small by then.
_INLINED = "strip-nonlinetable-debuginfo,cgscc(inline,function(mem2reg)),globaldce"
_PROMOTED = "function(sroa<preserve-cfg>)"
_ROUNDS = 40
_LONGEST = 400_000_000
#: What clang or opt may take of memory.
_MEMORY_MB = 6000
_ERROR = re.compile(r"^(.*?):(\d+):(\d+): (?:fatal )?error: (.*)$", re.MULTILINE)
_BODY = re.compile(r"^define .*?^}$\n?", re.MULTILINE | re.DOTALL)
_FUNCTION = re.compile(r'^define [^@]*@([-\w$.]+|"[^"]*")\(')
_CALL = re.compile(r'^  (?:\S+ = )?(?:tail )?call [^@"]*?(?:%"[^"]*" )?@([-\w$.]+|"[^"]*")\(')
_NOTED = re.compile(r'!\{ptr @([-\w$.]+|"[^"]*"), !"kernel", i32 1\}')
_BOUND = re.compile(r'!\{ptr @([-\w$.]+|"[^"]*"), !"maxntid([xyz])", i32 (\d+)\}')
_FIX = "apt install clang-19 llvm-19, and pip install 'symcute[llvm]'"


@dataclass(frozen=True)
class Compiler:
    """Where clang and its passes are, which version, and the headers of CUDA."""

    clang: str
    opt: str
    version: str
    headers: tuple[str, ...]


@dataclass(frozen=True)
class Compiled:
    """A module as clang writes it, the same with values for variables, and the seconds it took.

    Of the first there are no functions, only what is said of them; seconds are the processor's.
    Headers that it is `lacking` are not there, and a part of them that host code needs was put in.
    What is `granted` is taken to mean the same as to NVIDIA's compiler with all headers.
    """

    raw: str
    text: str
    seconds: float
    lacking: tuple[str, ...] = ()
    granted: tuple[str, ...] = ()


@cache
def compiler() -> Compiler:
    """Return the compiler of this machine.

    Errors: InputError, with what is missing.
    """
    for version in _VERSIONS:
        clang, opt = shutil.which(f"clang-{version}"), shutil.which(f"opt-{version}")
        if clang and opt:
            break
    else:
        names = " or ".join(f"clang-{v} with opt-{v}" for v in _VERSIONS)
        raise InputError(f"the road through LLVM needs {names}, which is not there", _FIX)
    headers = tuple(
        str(folder)
        for root in _roots("nvidia")
        for wheel in _WHEELS
        if (folder := root / wheel / "include").is_dir()
    )
    if not any(Path(h, "cuda_runtime.h").is_file() for h in headers):
        raise InputError("the road through LLVM needs the headers of CUDA 12", _FIX)
    cutlass = [root / "source" for root in _roots("cutlass_library")]
    places = [c / inner for c in cutlass for inner in ("include", "tools/util/include")]
    found = [str(place) for place in places if place.is_dir()]
    return Compiler(clang, opt, version, (*headers, *found))


def _roots(package: str) -> list[Path]:
    spec = find_spec(package)
    places = (spec.submodule_search_locations if spec else None) or ()
    return [Path(p) for p in places]


def compiled(
    path: str,
    text: str,
    defines: Mapping[str, str],
    include_dirs: Sequence[str],
    timeout: float,
) -> Compiled:
    """Return a source as LLVM IR.

    Errors: SourceError for what does not compile, or not within the seconds of the processor that
    are given, or the memory that there is; InputError without a compiler.
    """
    clang, started = compiler(), used()
    end = started + timeout
    with tempfile.TemporaryDirectory(prefix="symcute-") as folder:
        here = Path(path).parent
        own = [*(f"-D{k}={v}" for k, v in defines.items()), f"-I{here}"]
        own += [f"-I{folder}" for folder in include_dirs]
        own += [part for header in clang.headers for part in ("-isystem", header)]
        own += ["-idirafter", str(_PARTS)]
        source = Path(folder, "source.cu")
        title = re.sub(r'([\\"])', r"\\\1", path).replace("\n", " ")
        known_as = "".join(f"#define {n} {what}\n" for n, what in _NVCC.values() if what)
        known_as += f"#define {_ALIGNS}(...) __attribute__((aligned(__VA_ARGS__)))\n"
        own_text = _ALIGNED.sub(_ALIGNS, _NAMES_NVCC.sub(lambda m: _NVCC[m[0]][0], text))
        start = f'{_FIRST}{known_as}#line 1 "{title}"\n'
        source.write_text(f"{start}{own_text}", encoding="utf-8")
        raw_file, whole = Path(folder, "raw.ll"), Path(folder, "whole.cu")
        own_device = "__CUDA_ARCH__" not in defines and _NAMES_HOPPER.search(text)
        device = _HOPPER if own_device else _DEVICE
        command = [clang.clang, *_ARGUMENTS, _STANDARD, *device, *own, str(source), "-o"]
        _run([*command, str(whole), "-E"], path, end)
        seen = _text(whole, path)
        lacking = tuple(f.name for f in sorted(_PARTS.iterdir()) if f'"{f}"' in seen)
        granted = tuple(_granted(seen, lacking, (folder, path, *clang.headers)))
        key = key_of([seen.replace(folder, ""), *device, *_built(clang)])
        if (kept := known(key)) is not None and len(kept) == 2:
            return Compiled(*kept, 0.0, lacking, granted)
        _run([*command, str(raw_file)], path, end)
        raw = _text(raw_file, path)
        try:
            done = prepared(raw, Module(raw), kernels_of(raw), _uncast(seen, clang.headers))
            done = _passed(clang, done, _INLINED, folder, path, end)
            left = None
            for number in range(_ROUNDS):
                here_now = Promoting(done, number)
                calls = _calls(here_now.text)
                if left == (left := (done.count(" = alloca "), calls)) or not (
                    here_now.waiting or calls
                ):
                    break
                passes = f"{_PROMOTED},{_INLINED}" if calls else _PROMOTED
                done = _passed(clang, here_now.text, passes, folder, path, end)
            done = restored(done)
        except (Unread, IndexError) as error:
            raise SourceError(f"{path}: clang's output is not understood ({error})") from None
    said = _BODY.sub("", raw)
    keep(key, [said, done])
    return Compiled(said, done, used() - started, lacking, granted)


def _granted(seen: str, lacking: Sequence[str], others: Sequence[str]) -> Iterator[str]:
    """Yield what is taken for granted of text that clang saw: headers, and who compiles them."""
    if lacking:
        yield f"what is read means the same with {', '.join(lacking)}, which was not found"
    for file in dict.fromkeys(_FILES.findall(seen)):
        if not file.startswith(("/usr/", str(_PARTS), *others)) and Path(file).is_file():
            own = Path(file).read_text(encoding="utf-8", errors="replace")
            if names := sorted(set(_NAMES_NVCC.findall(own))):
                name = Path(file).name
                yield f"{name} means the same to clang, which has no {', '.join(names)}"


def _uncast(seen: str, headers: tuple[str, ...]) -> frozenset[str]:
    """Return the files of NVIDIA's headers in which clang saw no pointer or reference be cast.

    They cast by name, or to a type that is written with its `*` or `&`.
    """
    _, *parts = _PARTED.split(seen)
    texts = list(zip(parts[::2], parts[1::2], strict=True))
    cast = {file for file, text in texts if _CAST.search(text)}
    return frozenset(file for file, _ in texts if file.startswith(headers) and file not in cast)


def _built(clang: Compiler) -> Iterator[str]:
    """Yield what tells a compiler from another one under the same name."""
    yield repr(clang)
    for program in (clang.clang, clang.opt):
        here = Path(program).resolve().stat()
        yield f"{here.st_size} {here.st_mtime_ns}"


def compiler_digest() -> str:
    """Return what tells this machine's compiler and headers from others; nothing without one."""
    try:
        known = compiler()
    except InputError:
        return ""
    said = [*_built(known), *(f"{h} {Path(h).stat().st_mtime_ns}" for h in known.headers)]
    return hashlib.sha256("\n".join(said).encode("utf-8", "surrogateescape")).hexdigest()


def kernels_of(text: str) -> dict[str, int | None]:
    """Return the names of kernels, as linkers know them, with the most threads of a block."""
    bounds: dict[str, int] = {}
    for name, _, count in _BOUND.findall(text):
        bounds[name.strip('"')] = bounds.get(name.strip('"'), 1) * int(count)
    return {n.strip('"'): bounds.get(n.strip('"')) for n in _NOTED.findall(text)}


def _calls(text: str) -> int:
    """Return how many calls are of functions in the text that never come to call themselves."""
    called: dict[str, list[str]] = {}
    here: list[str] = []
    for line in text.split("\n"):
        if found := _FUNCTION.match(line):
            here = called.setdefault(found[1], [])
        elif found := _CALL.match(line):
            here.append(found[1])
    again = {f for f in called if f in _reached(f, called)}
    return sum(f in called and f not in again for calls in called.values() for f in calls)


def _reached(function: str, called: Mapping[str, list[str]]) -> set[str]:
    seen: set[str] = set()
    waiting = [function]
    while waiting:
        for other in called.get(waiting.pop(), ()):
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return seen


def _passed(clang: Compiler, text: str, passes: str, folder: str, path: str, end: float) -> str:
    one, other = Path(folder, "in.ll"), Path(folder, "out.ll")
    one.write_text(text, encoding="utf-8")
    command = [clang.opt, "-S", f"-passes={passes}", "-inline-threshold=1000000", str(one)]
    _run([*command, "-o", str(other)], path, end)
    return _text(other, path)


def _text(file: Path, path: str) -> str:
    if file.stat().st_size > _LONGEST:
        raise SourceError(f"{path} comes to too much code", "give the kernels alone")
    return file.read_text(encoding="utf-8", errors="replace")


def _run(command: list[str], path: str, end: float) -> None:
    name = Path(command[0]).name
    try:
        code, said = finished(command, end - used(), _MEMORY_MB, SEARCHED)
    except Late:
        raise SourceError(f"{path} was not compiled in time", "give the kernel alone") from None
    except OutOfMemory:
        why = f"{path}: {name} needs more than {_MEMORY_MB} MB"
        raise SourceError(why, "give the kernel alone") from None
    except Failed as failure:
        raise SourceError(f"{path}: {failure.told(name)}") from None
    if code:
        error = _ERROR.search(said)
        if error:
            place = Place(error[1], max(1, int(error[2])), max(1, int(error[3])))
            raise SourceError(error[4], "clang has to compile the file", place)
        reason = (said.strip().splitlines() or ["no reason given"])[0]
        raise SourceError(f"{path}: {name} fails: {reason[:200]}")
