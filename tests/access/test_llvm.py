"""The road through LLVM alone: what is true of kernels under `llvm/`, which say it themselves."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from symcute.frontends.cuda import read_kernels
from symcute.frontends.llvm import compiling
from symcute.frontends.llvm.calls import _OPERAND
from symcute.frontends.llvm.compiling import Compiled, compiled, kernels_of
from symcute.frontends.llvm.source import programs, read_through_llvm
from symcute.kernel.checking import check
from symcute.kernel.findings import GOOD, verdict_of
from symcute.kernel.ir.expression import Const, PtrAdd
from symcute.kernel.ir.inside import every
from symcute.kernel.ir.interpreter import Choice, run
from symcute.kernel.ir.program import Let, NotUnderstood, Store
from symcute.kernel.ir.setting import Setting
from symcute.kernel.ir.verify import verified
from symcute.kernel.launch.notes import read_setting
from tests.access.cases import PROPERTIES, Case, Run
from tests.access.cases import read as cases_of
from tests.access.ground_truth import launch_fault, violations
from tests.access.host import execute
from tests.access.random_c import HEAD, OUTPUTS, PARAMETERS, arguments
from tests.access.random_c import kernel as random_c
from tests.access.replay import alike, records, simulate
from tests.access.roads import decided, read, through_llvm, wrong
from tests.access.test_cuda_random import native
from tests.full import recording, some
from tests.oracle.cutedsl_modules import PACKAGES
from tests.oracle.recorded import HEADERS, Json, recorded

HERE = Path(__file__).parent / "llvm"


# --- text that clang wrote -----------------------------------------------------------------------


#: Fields of debug information that lead to what is not asked.
_ELSEWHERE = re.compile(r",? ?(?:unit|retainedNodes|declaration|templateParams): !\d+")


def trimmed(raw: str, text: str) -> str:
    """What is asked of the text before passes: kernels, names and types of the source."""
    nodes = dict(re.findall(r"^!(\d+) = (.*)$", raw, re.MULTILINE))
    names = set(re.findall(r'@[-\w$.]+|%"?(?:struct|class)[-\w$.:"]*', text))
    shown = [line for line in raw.split("\n") if line.partition(" = ")[0] in names]
    linked = [f'linkageName: "{k}"' for k in kernels_of(raw)]
    waiting = [n for n, t in nodes.items() if re.search(r'!"(?:kernel|maxntid.)", i32', t)]
    for number, node in nodes.items():
        if node.startswith("distinct !DISubprogram(") and any(k in node for k in linked):
            waiting.append(number)
    own = {f"scope: !{n}," for n in waiting}
    for number, node in nodes.items():
        if node.startswith("!DILocalVariable(") and "arg:" in node and any(k in node for k in own):
            waiting.append(number)
    waiting += [n for line in shown for n in re.findall(r"!dbg !(\d+)", line)]
    kept: dict[str, str] = {}
    while waiting:
        number = waiting.pop()
        if number not in kept and number in nodes:
            kept[number] = _ELSEWHERE.sub("", nodes[number])
            waiting += re.findall(r"!(\d+)", kept[number])
    return "\n".join([*shown, *(f"!{n} = {kept[n]}" for n in sorted(kept, key=int)), ""])


def test_what_an_optimizer_would_lose_is_asked_about() -> None:
    """The text of clang and its passes is data here; it is written anew by `--record`."""
    source = HERE / "kept.cu"
    files = HERE / "kept.raw.ll", HERE / "kept.ll"
    if recording():
        done = compiled("kept.cu", source.read_text(), {}, [], 100)
        for file, text in zip(files, (trimmed(done.raw, done.text), done.text), strict=True):
            file.write_text(PACKAGES.sub("site-packages/", text))
    raw, text = (f.read_text() for f in files)
    kernels = programs(Compiled(raw, text, 0.0), "kept.cu", source.read_text())
    seen = Counter[bool]()
    for case in cases_of(source):
        verdicts = decided(kernels[case.name], dict(case.truth))
        assert not wrong(dict(case.truth), verdicts), case.name
        seen.update(v != "unknown" for v in verdicts.values())
    assert seen[True] >= 95, seen


# --- clang asked ---------------------------------------------------------------------------------


@pytest.mark.full
def test_cute() -> None:
    """Layouts of CuTe C++ are seen through; false neighbours are not proved."""
    source = HERE / "layouts.cu"
    kernels = read(source)
    noted = r"// truth: (.*)\n(?:template.*\n)?__global__ void (\w+)"
    truths = {name: said for said, name in re.findall(noted, source.read_text())}
    seen = Counter[str]()
    for title, kernel in kernels.items():
        said = truths[title.split("<")[0]]
        truth = {p: f"{p}=no" not in said.split() for p in PROPERTIES}
        assert not any(isinstance(s, NotUnderstood) for s in every(kernel.body)), title
        verdicts = decided(kernel, truth)
        assert not wrong(truth, verdicts), title
        seen.update("decided" if v in (*GOOD, "refuted") else v for v in verdicts.values())
    assert len(kernels) == len(truths) == 5
    assert seen["decided"] >= 0.9 * seen.total(), seen


# --- CuTe: tiles, as they are executed ------------------------------------------------------------


def tiles() -> list[tuple[Case, list[Run]]]:
    """Kernels of CuTe C++, with the sizes at which they are executed."""
    found = cases_of(HERE / "tiles.cu")
    sizes = ((c, [*c.small_runs(3, 0), *c.runs]) for c in found)
    return [(c, [r for r in runs if not launch_fault(c, r.dims)]) for c, runs in sizes]


def test_what_is_true_of_tiles_executions_bear_out() -> None:
    """g++ compiles the kernels with CUTLASS' own headers; what is not so is seen to be violated."""
    asked = [f"{case.name} {run.dims}" for case, runs in tiles() for run in runs]

    def ask() -> list[Json]:
        done = ((c, zip(runs, execute(c, runs), strict=True)) for c, runs in tiles())
        return [sorted(violations(c, *one)) for c, pairs in done for one in pairs]

    said = iter(recorded("tiles", HEADERS, asked, ask))
    for case, runs in tiles():
        seen = {name for _ in runs for name in next(said)}
        assert seen == {name for name, so in case.truth.items() if not so}, case.label
    assert len(tiles()) >= 33


@pytest.mark.full
def test_tiles_are_decided() -> None:
    seen = Counter[bool]()
    for case, _ in some(tiles(), 4, 0, 4):
        kernel = through_llvm(case)
        assert kernel is not None, case.label
        assert not any(isinstance(s, NotUnderstood) for s in every(kernel.body)), case.label
        verdicts = decided(kernel, dict(case.truth))
        assert not wrong(dict(case.truth), verdicts), case.label
        seen.update(v != "unknown" for v in verdicts.values())
    assert seen[True] >= 0.95 * seen.total(), seen


@pytest.mark.full
def test_accesses_of_tiles_are_those_of_the_cpu() -> None:
    """One by one, but for the lines, which on the CPU are those of CuTe's headers."""
    compared = 0
    for case, runs in some(tiles(), 2, 1, 2):
        for run_, execution in zip(runs, execute(case, runs), strict=True):
            trace, asked = simulate(case, run_)
            if execution.status != "done" or not trace.complete or asked:
                continue
            ours = [r for r in records(case, run_, trace) if not r.array.startswith("__const")]
            theirs = [r for r in execution.records if not r.array.startswith("__const")]
            one, other = (alike([r._replace(line=0) for r in x]) for x in (ours, theirs))
            assert one == other, (case.label, dict(run_.dims))
            compared += 1
    assert compared >= 35


@pytest.mark.full
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_is_computed_is_what_a_compiler_computes(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Random C++, executed as this road reads it, puts out what g++'s program does.

    What hangs on a value that is not known here is left out, and is little. Numbers that overflow
    among themselves are no error here, as they are none for g++.
    """
    kept = (a for a in compiling._ARGUMENTS if a != "-Werror=integer-overflow")
    monkeypatch.setattr(compiling, "_ARGUMENTS", (*kept,))
    rng, seen = Random(seed), Counter[bool]()
    names = [f"k{n}" for n in range(40)]
    text = HEAD + "".join(random_c(rng, name) for name in names)
    inputs = [arguments(rng) for _ in range(4)]
    right = iter(native(text, names, inputs, tmp_path))
    kernels = read_through_llvm(text).kernels
    setting = Setting((1, 1, 1), (1, 1, 1), extents={"out": OUTPUTS})
    for name in names:
        for given in inputs:
            asked: list[Choice] = []

            def answer(choice: Choice, asked: list[Choice] = asked) -> int:
                asked.append(choice)
                return min(max(0, choice.low), choice.high)

            dims = dict(zip(PARAMETERS, given, strict=True))
            trace = run(verified(kernels[name]), setting, dims, choices=answer)
            wanted = [next(right) for _ in range(OUTPUTS)]
            assert trace.complete and not trace.unsupported
            found = {t.offset // 8: t.value for t in trace.accesses if t.array == "out"}
            got = [found[n] for n in range(OUTPUTS)]
            pairs = zip(got, wanted, strict=True)
            same = all(g is not None and (g - w) % 2**64 == 0 for g, w in pairs)
            assert same or asked, (seed, name, given)
            seen[same] += 1
    assert seen[True] >= 0.95 * seen.total(), seen


UNSAID = """
// symcute: launch grid=(1) block=(8)
// symcute: assume -4 <= k <= 4
// symcute: extent y = 8
__global__ void compared_without_sign(int k, int *y) {
  if (k == threadIdx.x) y[3] = 1;
}
// symcute: launch grid=(1) block=(8)
// symcute: extent y = 8
__global__ void more_than_a_bit_field_holds(int *y) {
  struct { unsigned a : 3; unsigned b : 5; } s;
  s.a = threadIdx.x + 5;
  y[s.a] = 1;
}
// symcute: launch grid=(1) block=(8)
// symcute: assume -4 <= k <= 4
// symcute: extent y = 8
__global__ void bits_of_both_kinds(int k, int *y) {
  if ((k | threadIdx.x) == 5u) y[3] = 1;
}
"""


@pytest.mark.full
def test_conversions_that_leave_no_trace_but_one_are_not_taken_to_be_meant() -> None:
    """LLVM does not say that C converts here: what the other road refutes is no proof on this."""
    for kernels, said in (
        (read_kernels(UNSAID).kernels, "refuted"),
        (read_through_llvm(UNSAID).kernels, "unknown"),
    ):
        for kernel in kernels.values():
            assert decided(kernel, {"no_overflow": False}) == {"no_overflow": said}, kernel.name


def test_operands_in_braces_are_told_from_those_that_stand_alone() -> None:
    """`{$0, $1}` is two operands in braces, and `${1}` one that is written with them."""
    text = "ldmatrix.sync.aligned.x2.m8n8.shared.b16 {$0, $1}, [${2}];"
    assert _OPERAND.sub(r"%\1\2", text).endswith(" {%0, %1}, [%2];")


@pytest.mark.parametrize(
    ("asked", "holds"),
    some(
        [
            ("__CUDA_ARCH__ >= 900", True),
            ("__CUDA_ARCH__ > 900", False),
            ("defined(__NVCC__)", True),
            ("__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ == 4", True),
            ("defined(__USE_FAST_MATH__)", False),
            ("defined(__CUDACC__) && CUDART_VERSION >= 12000", True),
        ],
        3,
        1,
    ),
)
def test_both_roads_read_a_source_as_for_one_device_by_one_compiler(
    asked: str, holds: bool
) -> None:
    text = f"""#include <cuda_runtime.h>
    __global__ void k(int *x) {{
    #if {asked}
      x[1] = 0;
    #else
      x[2] = 0;
    #endif
    }}"""
    for reader in (read_kernels, read_through_llvm):
        (kernel,) = reader(text).kernels.values()
        (store,) = (s for s in every(kernel.body) if isinstance(s, Store))
        assert store.place.line == (4 if holds else 6)


def test_what_a_header_asks_of_its_compiler_is_said(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text("#ifdef __NVCC__\n#define N 1\n#else\n#define N 2\n#endif\n")
    file = tmp_path / "k.cu"
    file.write_text('#include "own.h"\n__global__ void k(int *x) { x[N] = 0; }\n')
    (kernel,) = read_through_llvm(file).kernels.values()
    assert any("own.h" in said and "__NVCC__" in said for said in kernel.granted)


def test_steps_of_pointers_that_are_numbers_are_added_as_the_machine_has_it(tmp_path: Path) -> None:
    """2^64 / 5 elements of 4 bytes are as many bytes below 0."""
    source = tmp_path / "far.cu"
    source.write_text("__global__ void far(int *y) { y[(size_t)-1 / 5] = 1; }\n")
    kernel = verified(read_through_llvm(source).kernels["far"])
    (step,) = (s.value for s in every(kernel.body) if isinstance(s, Let))
    assert isinstance(step, PtrAdd) and isinstance(step.index, Const)
    assert step.index.value == 2**64 // 5 * 4 - 2**64


@pytest.mark.parametrize(
    ("declared", "verdict"),
    [
        ("static int e = 2;", "unknown"), ("static int e[2] = {1, 2};", "unknown"),
        ("static const int e = 2;", "proved"), ("int e = 2;", "proved"), ("int e = 64;", "refuted"),
    ],
)  # fmt: skip
def test_static_variables_do_not_hold_what_one_likes(declared: str, verdict: str) -> None:
    at = "e[threadIdx.x & 1]" if "[" in declared else "e"
    text = f"__global__ void k() {{ __shared__ int s[64]; {declared} s[{at}] = 1; }}"
    kernel = verified(read_through_llvm(f"// symcute: launch grid=1 block=64\n{text}").kernels["k"])
    said = verdict_of(check(kernel, read_setting(kernel), ("in_bounds",)))
    assert said == {"in_bounds": verdict}
