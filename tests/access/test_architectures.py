"""The architecture that is asked for is the one that a source is read for, on both roads."""

from __future__ import annotations

from pathlib import Path

import pytest

from symcute import check_kernel
from symcute.frontends import for_file
from symcute.kernel.findings import verdict_of
from symcute.kernel.launch.project import Request, read_file, run_task, tasks
from symcute.run.kernels import KernelCache

NOTES = "// symcute: launch grid=1 block=32\n// symcute: extent x = 32\n"
BODY = """__global__ void NAME(int *x) {
#if __CUDA_ARCH__ >= 900
  x[threadIdx.x + 1] = 1;
#elif __CUDA_ARCH__ >= 800
  x[threadIdx.x] = 1;
#else
  x[threadIdx.x - 1] = 1;
#endif
}
"""
TEXT = NOTES + BODY.replace("NAME", "k")
SAID = {None: "refuted", "sm90": "refuted", "sm80": "proved", "sm86": "proved", "sm70": "refuted"}
ROADS = [pytest.param("ast"), pytest.param("llvm", marks=pytest.mark.full)]


def verdicts(file: Path, road: str, architecture: str | None) -> dict[str, str]:
    request = Request(road=road, architecture=architecture, properties=("in_bounds",))
    return {
        t.kernel.name: verdict_of(run_task(t))["in_bounds"]
        for t in tasks(str(file), request)
    }  # fmt: skip


@pytest.mark.parametrize("road", ROADS)
def test_a_source_is_read_for_the_architecture_that_is_asked_for(tmp_path: Path, road: str) -> None:
    file = tmp_path / "k.cu"
    file.write_text(TEXT, encoding="utf-8")
    for architecture, said in SAID.items():
        assert verdicts(file, road, architecture) == {"k": said}, architecture


@pytest.mark.parametrize("road", ROADS)
def test_each_kernel_is_read_for_what_is_written_above_it(tmp_path: Path, road: str) -> None:
    file = tmp_path / "k.cu"
    noted = [
        f"{NOTES}// symcute: arch {a}\n{BODY.replace('NAME', a)}" for a in ("sm90", "sm80", "sm70")
    ]
    file.write_text(TEXT + "".join(noted), encoding="utf-8")
    said = {"k": "refuted", "sm90": "refuted", "sm80": "proved", "sm70": "refuted"}
    assert verdicts(file, road, None) == said
    # What is asked for counts.
    assert set(verdicts(file, road, "sm80").values()) == {"proved"}


def test_texts_and_settings_are_read_so_too(tmp_path: Path) -> None:
    for architecture, said in SAID.items():
        assert (
            check_kernel(TEXT, architecture=architecture, properties=["in_bounds"]).status == said
        )
    (tmp_path / "k.cu").write_text(TEXT, encoding="utf-8")
    (tmp_path / "symcute.toml").write_text('arch = "sm80"\n', encoding="utf-8")
    assert verdicts(tmp_path, "ast", None) == {"k": "proved"}
    # Macros that are given are taken as given.
    request = Request(architecture="sm80", defines={"__CUDA_ARCH__": "900"})
    assert read_file(tmp_path / "k.cu", None, request) == read_file(
        tmp_path / "k.cu", None, Request(architecture="sm90")
    )


def test_what_is_kept_is_of_one_architecture(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(TEXT, encoding="utf-8")
    with KernelCache(tmp_path / "cache") as shelf:
        for architecture in (*SAID, *SAID):
            request = Request(architecture=architecture, properties=("in_bounds",))
            (task,) = shelf.tasks(str(file), request)
            result = shelf.result(task)
            if result is None:
                said = dict(verdict_of(run_task(task)))
                result = {"verdicts": said, "findings": []}
                shelf.keep(task, result)
            assert result["verdicts"]["in_bounds"] == SAID[architecture], architecture


def test_other_languages_have_no_such_macros() -> None:
    assert for_file("k.py").defines("sm80", {"a": "1"}) == {"a": "1"}
    assert for_file("k.cu").defines("sm80", {}) == {"__CUDA_ARCH__": "800"}
    assert for_file("k.cu").defines(None, {}) == for_file("k.cu").defines("sm90", {}) == {}


def test_instances_that_are_others_there_are_read(tmp_path: Path) -> None:
    text = """
    #if __CUDA_ARCH__ >= 900
    constexpr int WIDTH = 16;
    #else
    constexpr int WIDTH = 8;
    #endif
    NOTE
    // symcute: launch grid=1 block=32
    // symcute: extent x = 256
    template <int W> __global__ void k(int *x) { x[threadIdx.x * W] = 1; }
    template __global__ void k<WIDTH>(int *);
    """
    file = tmp_path / "k.cu"
    file.write_text(text.replace("NOTE", ""), encoding="utf-8")
    assert verdicts(file, "ast", None) == {"k<16>": "refuted"}
    file.write_text(text.replace("NOTE", "// symcute: arch sm80"), encoding="utf-8")
    assert verdicts(file, "ast", None) == {"k<8>": "proved"}
