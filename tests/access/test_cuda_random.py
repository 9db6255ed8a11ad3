"""Random C++ read by the front end and executed, against g++ on the same text."""

from __future__ import annotations

import subprocess
from hashlib import sha256
from itertools import chain
from pathlib import Path
from random import Random

import pytest

from symcute.frontends.cuda import read_kernels
from symcute.kernel.ir.interpreter import run
from symcute.kernel.ir.program import Kernel
from symcute.kernel.ir.setting import Setting
from tests.access.random_c import HEAD, OUTPUTS, PARAMETERS, arguments, kernel
from tests.oracle.recorded import COMPILER, recorded

KERNELS, RUNS = 40, 4
RECORDED = (1, 2)

_HOST = """
#include <algorithm>
#include <cstdio>
using std::min; using std::max;
#define __global__
#define __device__
#define __shared__ static
"""


def native(text: str, names: list[str], inputs: list[tuple[int, ...]], folder: Path) -> list[int]:
    """Return what g++'s program puts out for every kernel and every input."""
    calls = []
    for name in names:
        for given in inputs:
            shown = ", ".join(f"({v + 1}ll - 1)" if v < 0 else f"{v}ull" for v in given)
            calls.append(f'{name}(out, {shown}); for (auto v : out) printf("%lld\\n", v);')
    main = f"int main() {{ long long out[{OUTPUTS}];\n" + "\n".join(calls) + "\n}\n"
    source, program = folder / "random.cpp", folder / "random"
    source.write_text(_HOST + text + main, encoding="utf-8")
    subprocess.run(["g++", "-std=c++17", "-O0", "-w", "-fwrapv", "-o", program, source], check=True)
    done = subprocess.run([program], check=True, capture_output=True, text=True, timeout=20)
    return [int(line) for line in done.stdout.split()]


def ours(program: Kernel, given: tuple[int, ...]) -> list[int | None]:
    """Return what the program that we read puts out."""
    setting = Setting((1, 1, 1), (1, 1, 1), extents={"out": OUTPUTS})
    trace = run(program, setting, dict(zip(PARAMETERS, given, strict=True)))
    assert trace.complete, trace.stopped
    assert not trace.unsupported, trace.unsupported
    found: dict[int, int | None] = {}
    for touch in trace.accesses:
        if touch.array == "out":
            found[touch.offset // 8] = touch.value
    return [found[n] for n in range(OUTPUTS)]


def compare(seed: int, folder: Path, kernels: int = KERNELS) -> int:
    """Compare some random kernels, and return how many numbers were the same.

    What the compiler computes is recorded for the seeds of `RECORDED`.
    """
    rng = Random(seed)
    names = [f"k{n}" for n in range(kernels)]
    texts = {name: kernel(rng, name) for name in names}
    inputs = [arguments(rng) for _ in range(RUNS)]
    text = HEAD + "".join(texts.values())

    def ask() -> list[list[int]]:
        numbers, size = native(text, names, inputs, folder), RUNS * OUTPUTS
        return [numbers[k : k + size] for k in range(0, len(numbers), size)]

    questions = [sha256(f"{texts[n]}{inputs}".encode()).hexdigest()[:16] for n in names]
    known = seed in RECORDED
    said = recorded(f"random_c_{seed}", COMPILER, questions, ask) if known else ask()
    expected = chain.from_iterable(said)
    programs = read_kernels(text).kernels
    same = 0
    for name in names:
        for given in inputs:
            right = [next(expected) for _ in range(OUTPUTS)]
            assert ours(programs[name], given) == right, (seed, given, texts[name])
            same += OUTPUTS
    return same


@pytest.mark.parametrize("seed", [1, *(pytest.param(s, marks=pytest.mark.full) for s in (2, 3))])
def test_what_is_computed_is_what_a_compiler_computes(seed: int, tmp_path: Path) -> None:
    assert compare(seed, tmp_path) == KERNELS * RUNS * OUTPUTS
