"""What a project's build files say of its sources is used, and is part of what was read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from symcute.frontends.cuda import read_kernels
from symcute.frontends.cuda.inclusion import fingerprint
from symcute.frontends.cuda.project import MOST_INCLUDERS
from symcute.frontends.cuda.unit import MOST_MADE
from symcute.kernel.ir.program import NotUnderstood

KERNEL = '#include "ours.h"\n__global__ void k(int *a, int n) { if (n < LIMIT) a[n] = 0; }\n'


def missing(file: Path) -> tuple[str, ...]:
    """Return what is not found; a kernel is understood where that is nothing."""
    source = read_kernels(file)
    whole = any(isinstance(s, NotUnderstood) for s in source.kernels["k"].body)
    assert whole == bool(source.missing)
    return source.missing


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("CMakeLists.txt", "include_directories(${CMAKE_SOURCE_DIR}/deep/headers)"),
        ("CMakeLists.txt", 'target_include_directories(t PUBLIC "deep/headers" ${OTHER})'),
        ("CMakeLists.txt", "target_include_directories(t\n  $<BUILD_INTERFACE:deep/headers>)"),
        ("setup.py", "CUDAExtension('x', include_dirs=[this / 'deep' / 'headers', other])"),
        ("setup.py", "CUDAExtension('x', include_dirs=[os.path.join(here, 'deep/headers')])"),
        ("Makefile", "k: k.cu\n\tnvcc -O2 -I deep/headers -Iother k.cu\n"),
    ],
)
def test_folders_that_build_files_include(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "deep/headers").mkdir(parents=True)
    (tmp_path / "deep/headers/ours.h").write_text("#define LIMIT 3\n")
    (tmp_path / "src/cuda").mkdir(parents=True)
    file = tmp_path / "src/cuda/k.cu"
    file.write_text(KERNEL)
    assert missing(file) == ("ours.h",)
    before = fingerprint(file)
    (tmp_path / name).write_text(text)
    assert missing(file) == ()
    assert fingerprint(file) not in (before, None)
    (tmp_path / name).write_text(text.replace("headers", "elsewhere"))
    assert missing(file) == ("ours.h",)


def test_a_header_that_lies_elsewhere_in_its_project(tmp_path: Path) -> None:
    file = tmp_path / "csrc/kernels/k.cu"
    (tmp_path / "csrc/deep/team/more").mkdir(parents=True)
    file.parent.mkdir()
    file.write_text(KERNEL.replace("ours.h", "team/ours.h"))
    header = tmp_path / "csrc/deep/team/ours.h"
    header.write_text('#include "team/more/limit.h"\n')
    (tmp_path / "csrc/deep/team/more/limit.h").write_text("#define LIMIT 3\n")
    assert missing(file) == ("team/ours.h",)  # nothing says that both are of one project
    before = fingerprint(file)
    (tmp_path / ".git").mkdir()
    assert missing(file) == ()
    found = fingerprint(file)
    assert found not in (before, None)
    header.write_text('#include "team/more/limit.h"\n#define OTHER\n')
    assert fingerprint(file) not in (before, found, None)
    # Of two nobody knows which is meant.
    (tmp_path / "other/team").mkdir(parents=True)
    (tmp_path / "other/team/ours.h").write_text("#define LIMIT 4\n")
    assert missing(file) == ("team/ours.h",)
    assert fingerprint(file) not in (before, found, None)


@pytest.mark.parametrize(
    ("folder", "found"), [(".", True), ("csrc", True), ("csrc/other", False), ("include_it", False)]
)
def test_a_header_that_lies_above(tmp_path: Path, folder: str, found: bool) -> None:
    file = tmp_path / "csrc/kernels/k.cu"
    file.parent.mkdir(parents=True)
    file.write_text(KERNEL)
    (tmp_path / "setup.py").write_text("")
    assert missing(file) == ("ours.h",)
    before = fingerprint(file)
    (tmp_path / folder).mkdir(exist_ok=True)
    (tmp_path / folder / "ours.h").write_text("#define LIMIT 3\n")
    assert missing(file) == (() if found else ("ours.h",))
    assert (fingerprint(file) != before) == found
    # Of two it is not known which is meant.
    (tmp_path / "two").mkdir()
    (tmp_path / "two/ours.h").write_text("#define LIMIT 4\n")
    assert missing(file) == ("ours.h",)


@pytest.mark.parametrize("mark", [".git", "pyproject.toml", "setup.py"])
def test_the_usual_folder_of_headers(tmp_path: Path, mark: str) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "include/ours.h").write_text("#define LIMIT 3\n")
    (tmp_path / "src").mkdir()
    file = tmp_path / "src/k.cu"
    file.write_text(KERNEL)
    assert missing(file) == ("ours.h",)  # nothing says that both are of one project
    (tmp_path / mark).touch()
    assert missing(file) == ()


@pytest.mark.parametrize("form", ["command", "arguments"])
def test_a_compilation_database(tmp_path: Path, form: str) -> None:
    (tmp_path / "h").mkdir()
    (tmp_path / "h/ours.h").write_text("#define LIMIT VALUE\n")
    file = tmp_path / "k.cu"
    file.write_text(KERNEL)
    words = ["nvcc", "-c", "-I", "h", "-DVALUE=7", "k.cu"]
    said = words if form == "arguments" else " ".join(words)
    entry = {"directory": str(tmp_path), "file": "k.cu", form: said}
    (tmp_path / "compile_commands.json").write_text(json.dumps([{"file": "other.cu"}, entry]))
    assert missing(file) == ()
    assert "7" in str(read_kernels(file).kernels["k"].body)
    (tmp_path / "compile_commands.json").write_text("{not json")
    assert missing(file) == ("ours.h",)


HEADER = """
template <int B> __global__ void cut(float *x, int n) {
  int i = blockIdx.x * B + threadIdx.x;
  if (i < n) x[i] = 0;
}
__global__ void other(float *x, int n) { x[n] = 0; }
"""


def test_a_header_is_launched_by_what_includes_it(tmp_path: Path) -> None:
    (tmp_path / "setup.py").write_text("")
    (tmp_path / "src/inner").mkdir(parents=True)
    header = tmp_path / "src/inner/k.cuh"
    header.write_text(HEADER)
    alone = read_kernels(header).kernels
    assert {n: len(k.families) for n, k in alone.items()} == {"cut<32>": 0, "other": 0}
    (tmp_path / "src/all.cuh").write_text('#include "inner/k.cuh"\n__global__ void mine() {}\n')
    (tmp_path / "src/run.cu").write_text(
        '#include "all.cuh"\n'
        "void run(float *x, int n) { cut<128><<<(n + 127) / 128, 128>>>(x, n); }\n"
    )
    found = read_kernels(header).kernels
    assert {n: len(k.families) for n, k in found.items()} == {"cut<128>": 1, "other": 0}
    assert found["cut<128>"].families[0].place.file.endswith("run.cu")
    assert {Path(k.place.file).name for k in found.values()} == {"k.cuh"}


def test_every_source_that_includes_a_header_launches_its_kernels(tmp_path: Path) -> None:
    (tmp_path / "setup.py").write_text("")
    header = tmp_path / "k.cuh"
    header.write_text("#ifndef SIZE\n#define SIZE 1\n#endif\n" + HEADER)
    run = '#include "k.cuh"\nvoid run(float *x) { cut<64><<<1, 64>>>(x, N); }\n'
    for number in range(MOST_INCLUDERS):
        (tmp_path / f"run{number}.cu").write_text(run.replace("N", str(number)))
    kernel = read_kernels(header).kernels["cut<64>"]
    assert len(kernel.families) == MOST_INCLUDERS
    assert not any(f.trouble for f in kernel.families)
    (tmp_path / "more.cu").write_text(run.replace("64>", "32>").replace("N", "9"))
    found = read_kernels(header).kernels
    assert {"cut<32>", "cut<64>"} <= set(found)
    for k in (found["cut<32>"], found["cut<64>"]):
        (said,) = [f.trouble for f in k.families if f.trouble]
        assert said == f"run{MOST_INCLUDERS - 1}.cu includes it and is not read"


def test_a_header_that_sources_read_differently_is_several_kernels(tmp_path: Path) -> None:
    (tmp_path / "setup.py").write_text("")
    header = tmp_path / "k.cuh"
    header.write_text("__global__ void k(int *x) { x[threadIdx.x + SHIFT] = 0; }\n")
    run = '#define SHIFT N\n#include "k.cuh"\nvoid run(int *x) { k<<<1, 64>>>(x); }\n'
    for number in range(2):
        (tmp_path / f"run{number}.cu").write_text(run.replace("N", str(number)))
    found = read_kernels(header).kernels
    assert set(found) == {"k", "k in run1.cu"}
    assert [f.place.file.endswith("run1.cu") for f in found["k in run1.cu"].families] == [True]


def test_what_includes_a_header_counts_for_its_digest(tmp_path: Path) -> None:
    (tmp_path / "setup.py").write_text("")
    header, run = tmp_path / "k.cuh", tmp_path / "run.cu"
    header.write_text(HEADER)
    first = fingerprint(header)
    run.write_text('#include "k.cuh"\nvoid run(float *x) { cut<64><<<1, 64>>>(x, 64); }\n')
    second = fingerprint(header)
    run.write_text('#include "k.cuh"\nvoid run(float *x) { cut<64><<<1, 64>>>(x, 63); }\n')
    assert len({None, first, second, fingerprint(header)}) == 4


def test_more_instances_of_one_template_than_are_read_are_told() -> None:
    launches = "".join(f"cut<{k}><<<1, 32>>>(x, n);" for k in range(1, MOST_MADE + 4))
    text = HEADER + f"void run(float *x, int n) {{ {launches} }}"
    found = read_kernels(text).kernels
    assert sum(n.startswith("cut<") and n != "cut<...>" for n in found) == MOST_MADE
    (why,) = found["cut<...>"].body
    assert isinstance(why, NotUnderstood)
    assert why.reason.startswith("3 more instances")
    assert len(read_kernels(text, name=f"cut<{MOST_MADE + 3}>").kernels) == 1


def test_a_number_that_nobody_gives_a_template_is_a_warps_lanes() -> None:
    text = "template <class T, int N, bool B> __global__ void k(T *x) { if (B) x[N] = 0; }"
    assert list(read_kernels(text).kernels) == ["k<float, 32, false>"]
    text = "struct S { int n; }; template <S *P> __global__ void k(int *x) { x[P->n] = 0; }"
    (kernel,) = read_kernels(text).kernels.values()
    assert isinstance(kernel.body[0], NotUnderstood)
