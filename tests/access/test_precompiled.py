"""Our headers, precompiled or included: what is read of a text is the same, to every place."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from clang.cindex import TranslationUnit

from symcute.frontends.cuda import failing, library, precompiled
from symcute.frontends.cuda.headers import HOST, SHIM, is_ours
from symcute.frontends.cuda.library import kind_of, place_of
from symcute.frontends.cuda.outermost import lacks_ours, top_level
from symcute.frontends.cuda.reading import Request, read
from symcute.kernel.ir.document import to_json
from symcute.kernel.ir.place import Place
from tests.full import some

FILES = sorted(Path(__file__).parent.glob("kernels/*.cu"))
K = "__global__ void k(int *a, int n) { BODY }\n"
TEXTS = [
    # What is asked of the headers, or changed of what they say.
    '#include "missing.h"\n#include <torch/extension.h>\n' + K.replace("BODY", "a[n] = 0;"),
    "#include <cuda_fp16.h>\n#include <cooperative_groups.h>\n" + K.replace("BODY", "a[1] = 2;"),
    f'#include "{SHIM}"\n#include "{HOST}"\n' + K.replace("BODY", "a[threadIdx.x] = __ldg(a);"),
    "#define min(x, y) (x)\n" + K.replace("BODY", "a[min(n, 4)] = 0;"),
    "#undef __restrict__\n#define __restrict__\n" + K.replace("BODY", "a[0] = max(n, 1);"),
    "#ifdef __CUDA_ARCH__\n" + K.replace("BODY", "a[__COUNTER__ + __COUNTER__] = 0;") + "#endif\n",
    "struct float4 { int x; };\n" + K.replace("BODY", "float4 f{n}; a[f.x] = 0;"),
    "template <class T> __global__ void t(T *a) { a[blockIdx.x] = atomicAdd(a, T(1)); }\n"
    "void h(int *a) { t<int><<<1, 32>>>(a); }\n" + K.replace("BODY", "a[sizeof(uint4)] = 0;"),
    K.replace("BODY", "no a;"),
]


def answers(text: str, defines: Mapping[str, str]) -> object:
    request = Request("kernel.cu", text, None, dict(defines), {}, [])
    kernels, missing = read(request)
    return [(name, to_json(kernel)) for name, kernel in kernels.items()], missing


@pytest.mark.parametrize("defines", some([{}, {"__restrict__": ""}], 2))
@pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="the system has no such memory")
def test_what_is_read_is_the_same(defines: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [*TEXTS, *(f.read_text(encoding="utf-8") for f in some(FILES, 36))]
    words, _ = library.precompiled(library._ARGUMENTS, (SHIM, HOST))
    assert words[0] == "-include-pch"
    next(library._PARSED)  # the first text of a process is read without
    found = [answers(text, defines) for text in texts]
    monkeypatch.setattr(library, "precompiled", lambda *_: (library._INCLUDED, 0))
    for text, mine in zip(texts, found, strict=True):
        assert answers(text, defines) == mine, text


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="the system has no such memory")
def test_what_a_text_declares_stands_behind_what_was_read_before(text: str) -> None:
    def own(unit: TranslationUnit) -> list[tuple[str, str, Place]]:
        every = [(c.spelling, kind_of(c), place_of(c)) for c in top_level(unit)]
        return [x for x in every if not is_ours(x[2].file)]

    next(library._PARSED)
    quick, _ = library.parse("kernel.cu", text, defines={})
    whole, _ = library.parse("kernel.cu", text, defines={}, whole=True)
    assert own(quick) == own(whole) != []
    assert lacks_ours(quick) and len(top_level(quick)) < len(top_level(whole)) - 1000
    assert failing._common(quick) == failing._common(whole)


def test_where_nothing_can_be_kept_the_headers_are_included(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(os, "memfd_create", raising=False)
    words = precompiled.precompiled.__wrapped__(library._ARGUMENTS, (SHIM, HOST))
    assert words == (["-include", SHIM, "-include", HOST], 0)
