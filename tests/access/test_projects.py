"""What a project's build files say of its sources is used, and is part of what was read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from symcute.frontends.cuda import read_kernels
from symcute.frontends.cuda.inclusion import fingerprint
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


def test_the_usual_folder_of_headers(tmp_path: Path) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "include/ours.h").write_text("#define LIMIT 3\n")
    (tmp_path / "src").mkdir()
    file = tmp_path / "src/k.cu"
    file.write_text(KERNEL)
    assert missing(file) == ("ours.h",)  # nothing says that both are of one project
    (tmp_path / ".git").mkdir()
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
