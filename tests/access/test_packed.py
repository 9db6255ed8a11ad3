"""Fields of packed structs: compilers take accesses of them apart, and none is misaligned."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from symcute.frontends.cuda import read_kernels
from symcute.frontends.front_end import Source
from symcute.frontends.llvm.source import read_through_llvm
from symcute.kernel.checking import check
from symcute.kernel.findings import verdict_of
from symcute.kernel.launch.notes import read_setting
from tests.full import some

TEXT = """
struct __attribute__((packed)) P { char c; int v; };
struct __attribute__((packed, aligned(4))) Q { short s; int v; };
#pragma pack(push, 1)
struct R { char c; double v; };
#pragma pack(pop)
struct O { int n; P p; };
struct __attribute__((packed)) N { int n; int v; };
struct alignas(16) W { int n; float v; };
// symcute: launch grid=1 block=32
// symcute: extent x = 64
__global__ void k(TYPE *x) { int i = threadIdx.x; BODY; }
"""
STORE = "x[i].FIELD = 1"
COPY = "x[i] = x[i + 32]"

Reader = Callable[[str], Source]


def aligned(reader: Reader, type: str, body: str) -> str:
    field = "p.v" if type == "O" else "v"
    text = TEXT.replace("TYPE", type).replace("BODY", body.replace("FIELD", field))
    (kernel,) = reader(text).kernels.values()
    return verdict_of(check(kernel, read_setting(kernel), ("aligned",)))["aligned"]


@pytest.mark.parametrize("reader", [read_kernels, read_through_llvm])
@pytest.mark.parametrize("type", some(["P", "Q", "R", "O", "N"], 3))
def test_a_field_of_a_packed_struct_is_no_access_of_its_width(reader: Reader, type: str) -> None:
    assert aligned(reader, type, STORE) in ("unknown", "proved")
    assert aligned(reader, type, COPY) in ("unknown", "proved", "not applicable")


@pytest.mark.parametrize("reader", [read_kernels, read_through_llvm])
def test_others_are(reader: Reader) -> None:
    assert aligned(reader, "W", STORE) == aligned(reader, "W", COPY) == "proved"
    assert aligned(reader, "int", "*(int *)((char *)x + i) = 1") == "refuted"
    # Of a pointer that a function is given nobody knows that its struct was packed.
    assert aligned(reader, "P", "int *p = (int *)((char *)x + 1); p[i] = 1") == "refuted"
