"""The types that kernels see are laid out as NVIDIA's are: each of our header's, without a list.

A type that is defined there has the size, the alignment, the fields and the enumerators that g++
finds in NVIDIA's own headers; of a template these are asked of instances, and every definition of
one needs an instance below. What is only declared has no layout: nothing that needs one is read.
"""

from __future__ import annotations

import importlib.util
import re
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from clang.cindex import AccessSpecifier, Cursor

from symcute.frontends.cuda.headers import is_ours
from symcute.frontends.cuda.library import children, key, kind_of, parse, place_of, template_of

from .recorded import TYPES, Json, recorded, refused

HEADERS = (
    "cuda.h", "cuda_runtime.h", "cuda_fp16.h", "cuda_bf16.h", "cuda_fp8.h", "cuda_fp4.h",
    "cuComplex.h", "curand_kernel.h", "mma.h", "cooperative_groups.h",
    "cooperative_groups/reduce.h", "cuda/atomic", "cuda/barrier", "cuda/pipeline", "cuda/std/array",
    "cuda/std/complex", "cuda/std/utility", "array", "atomic", "complex", "cstddef",
    "cstdint", "initializer_list", "limits", "utility", "type_traits", "ctime", "sys/types.h",
    "sys/time.h", "vector", "optional", "map", "iostream", "cstdio", "string", "deque",
    "mutex",
)  # fmt: skip


def _made(form: str, **choices: str) -> list[str]:
    """Return a template's name with every choice of arguments, separated by semicolons."""
    values = [[v.strip() for v in c.split(";")] for c in choices.values()]
    return [form.format(**dict(zip(choices, v, strict=True))) for v in product(*values)]


_WMMA = "nvcuda::wmma"
_OPERAND = f"{_WMMA}::fragment<{_WMMA}::matrix_{{side}}, {{shape}}, {{type}}, {_WMMA}::{{order}}>"
_SUMS = f"{_WMMA}::fragment<{_WMMA}::accumulator, {{shape}}, {{type}}>"
_SHAPES = "16, 16, 16; 32, 8, 16; 8, 32, 16"
_SUBBYTE = f"{_WMMA}::experimental::precision"
_GROUPS = "cooperative_groups"
_BLOCK = f"{_GROUPS}::thread_block"
_TILE = f"{_GROUPS}::thread_block_tile"
_BOTH = "row_major; col_major"
#: What is asked of templates.
INSTANCES = (
    *("std::integral_constant<int, 3>", "std::enable_if<true, int>", "std::enable_if<false, int>"),
    *_made("std::conditional<{test}, int, char>", test="true; false"),
    *_made("std::is_same<int, {type}>", type="int; long"),
    *_made("std::remove_reference<int{sign}>", sign="; &; &&"),
    *_made("std::remove_const<{sign} int>", sign="; const"),
    *_made("std::remove_cv<{sign} int>", sign="; const; volatile; const volatile"),
    *_made("std::remove_pointer<int{sign}>", sign="; *"),
    "std::decay<const int &>",
    *_made(
        "std::is_{trait}<{type}>",
        trait="floating_point; integral; arithmetic; signed; unsigned; pointer; void; "
        "trivially_copyable",
        type="char; unsigned long; const float; double; int *; float4",
    ),
    *_made("std::is_{trait}<{type}>", trait="enum; class", type="int; float4; std::byte"),
    *_made("std::is_const<{sign} int>", sign="; const"),
    *("std::underlying_type<std::byte>", "std::add_const<int>", "std::add_pointer<int &>"),
    *("std::common_type<int, long>", "std::conjunction<std::true_type, std::false_type>"),
    *("std::disjunction<std::true_type, std::false_type>", "std::negation<std::true_type>"),
    *("std::aligned_storage<16, 8>", "std::aligned_storage<16, 8>::type"),
    *("std::aligned_storage<4>::type", "std::initializer_list<int>", "std::vector<int>"),
    *("std::map<int, double>", "std::deque<int>", "std::basic_string<char>"),
    *_made("std::is_pod<{type}>", type="int; float2; std::vector<int>"),
    *("std::optional<int>", "std::optional<double>"),
    *("std::is_base_of<int, int>", "std::is_convertible<int, int *>"),
    *("std::make_unsigned<char>", "std::make_signed<unsigned>"),
    *("std::pair<char, double>", "std::pair<float, int>", "std::integer_sequence<int, 1, 2>"),
    *("std::array<float, 5>", "cuda::std::array<float4, 3>", "cuda::std::array<char, 3>"),
    *_made(f"{_TILE}<{{size}}>", size="4; 32; 64"),
    *_made(f"{_TILE}<{{size}}, {_BLOCK}>", size="1; 16; 32; 64; 512"),
    f"{_TILE}<8, {_TILE}<32, {_BLOCK}>>",
    *_made(f"{_GROUPS}::{{f}}<int>", f="plus; less; greater; bit_and; bit_or; bit_xor"),
    *_made(
        _OPERAND,
        side="a; b",
        shape=_SHAPES,
        type="__half; __nv_bfloat16; signed char; unsigned char",
        order=_BOTH,
    ),
    *_made(_SUMS, shape=_SHAPES, type="__half; float; int"),
    *_made(_SUMS, shape="16, 16, 8", type="float"),
    *_made(_SUMS, shape="8, 8, 4", type="double"),
    *_made(_SUMS, shape="8, 8, 32; 8, 8, 128", type="int"),
    *_made(_OPERAND, side="a; b", shape="16, 16, 8", type=f"{_WMMA}::precision::tf32", order=_BOTH),
    *_made(_OPERAND, side="a; b", shape="8, 8, 4", type="double", order=_BOTH),
    *(
        instance
        for side, order in (("a", "row_major"), ("b", "col_major"))
        for shape, types in (
            ("8, 8, 32", f"{_SUBBYTE}::u4; {_SUBBYTE}::s4"),
            ("8, 8, 128", f"{_SUBBYTE}::b1"),
        )
        for instance in _made(_OPERAND, side=side, shape=shape, type=types, order=order)
    ),
    *_made("{space}::complex<{type}>", space="std; cuda::std", type="float; double"),
    *_made(
        "std::numeric_limits<{type}>",
        type="bool; char; signed char; unsigned char; short; unsigned short; int; unsigned; long; "
        "unsigned long; long long; unsigned long long; float; double",
    ),
    "cuda::pipeline<cuda::thread_scope_thread>",
    *("cuda::aligned_size_t<16>", "cuda::aligned_size_t<4>"),
    *_made("cuda::barrier<cuda::thread_scope_{scope}>", scope="block; device; system"),
    *_made(
        "cuda::atomic_ref<{type}, cuda::thread_scope_{scope}>",
        type="int; char; double",
        scope="thread; block; device; system",
    ),
    *_made(
        "cuda::atomic<{type}, cuda::thread_scope_{scope}>",
        type="int; unsigned; long; unsigned long; long long; unsigned long long; float; double",
        scope="block; system",
    ),
)
#: What NVIDIA's headers of today do not have, and why it is here.
ELSEWHERE = {
    "texture": "of CUDA 11: the host binds it, and kernels can only hand it to texture functions",
    "surface": "of CUDA 11: the host binds it, and kernels can only hand it to surface functions",
    "remove_cvref": "of C++20, for sources that have it",
    "type_identity": "of C++20, for sources that have it",
    "uchar": "of OpenCV, for sources that are read without it",
    "cublasHandle_t": "of cuBLAS, whose documentation says that it is a pointer to what it keeps",
    "cufftComplex": "of cuFFT, whose documentation says that it is cuComplex",
    "cufftDoubleComplex": "of cuFFT, whose documentation says that it is cuDoubleComplex",
    "cufftReal": "of cuFFT, whose documentation says that it is float",
    "cufftDoubleReal": "of cuFFT, whose documentation says that it is double",
}
#: What must be found to be wrong, beside all that must be right.
WRONG = ("sizeof(float4) == 12", "sizeof(curandState) == 40", "sizeof(no_such_type) == 1")
_SPACES = ("NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL")
_STRUCTS = ("STRUCT_DECL", "CLASS_DECL", "UNION_DECL")
_TEMPLATES = ("CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION")


@cache
def tree() -> Cursor:
    """Return our header with the instances, read as kernels are."""
    text = "".join(f"struct ask{n} {{ {name} held; }};\n" for n, name in enumerate(INSTANCES))
    unit, _ = parse("ask.cu", text, defines={})
    assert not [d.spelling for d in unit.diagnostics if d.severity >= 3]
    return unit.cursor


@pytest.fixture(scope="module", autouse=True)
def let_go() -> Iterator[None]:
    """Let go of the tree before clang is unloaded."""
    yield
    tree.cache_clear()


def declarations(cursor: Cursor) -> Iterator[Cursor]:
    """Yield the types that our header declares."""
    for c in children(cursor):
        if kind_of(c) in _SPACES:
            yield from declarations(c)
        elif is_ours(place_of(c).file) and not c.spelling.startswith("symcute_"):
            yield c


def instances() -> dict[str, Cursor]:
    """Return the declaration of each instance that is asked for."""
    asks = [c for c in children(tree()) if c.spelling.startswith("ask")]
    fields = [next(f for f in c.type.get_fields()) for c in asks]
    return {
        name: f.type.get_canonical().get_declaration()
        for name, f in zip(INSTANCES, fields, strict=True)
    }


def layout(name: str, cursor: Cursor) -> Iterator[str]:
    """Yield what is so of a struct, in C++."""
    type = cursor.type
    yield f"sizeof({name}) == {type.get_size()}"
    yield f"alignof({name}) == {type.get_align()}"
    for member in children(cursor):
        public = member.access_specifier == AccessSpecifier.PUBLIC
        if not public or not member.spelling or "symcute_" in member.spelling:
            continue
        if kind_of(member) == "FIELD_DECL":
            at = member.get_field_offsetof() // 8
            yield f"__builtin_offsetof({name}, {member.spelling}) == {at}"
            yield f"sizeof({name}::{member.spelling}) == {member.type.get_size()}"
        elif kind_of(member) == "ENUM_DECL":
            yield from (f"(int){name}::{e.spelling} == {e.enum_value}" for e in children(member))


def facts() -> dict[str, str]:
    """Return what must be so, in C++, each with the type that it is about."""
    found: dict[str, str] = {}
    for c in declarations(tree()):
        kind, name = kind_of(c), c.type.spelling or c.spelling
        if c.spelling in ELSEWHERE:
            continue
        if kind in _STRUCTS and c.is_definition() and template_of(c) is None:
            found |= dict.fromkeys(layout(name, c), name)
        elif kind in ("TYPEDEF_DECL", "TYPE_ALIAS_DECL"):
            of = c.type.get_canonical()
            if of.get_size() > 0:
                found[f"sizeof({name}) == {of.get_size()}"] = name
                found[f"alignof({name}) == {of.get_align()}"] = name
        elif kind == "ENUM_DECL" and c.is_definition():
            scope = name.rpartition("::")[0]
            for e in children(c):
                full = f"{scope}::{e.spelling}" if scope and not c.is_anonymous() else e.spelling
                found[f"(long){full} == {e.enum_value}"] = name
    for name, declaration in instances().items():
        found |= dict.fromkeys(layout(name, declaration), name)
    return found


@cache
def answers() -> dict[str, str]:
    """Return what g++ has against facts in NVIDIA's headers, those that are wrong included."""
    asked = [*facts(), *WRONG]
    said = recorded("cuda_types", TYPES, asked, lambda: ask(asked))
    return {fact: x["refused"] for fact, x in zip(asked, said, strict=True) if x is not True}


def ask(asked: list[str], headers: Sequence[str] = HEADERS) -> list[Json]:
    """Return of each fact whether g++ takes it, in one program behind NVIDIA's headers."""
    spec = importlib.util.find_spec("nvidia")
    wheels = [Path(p) for p in spec.submodule_search_locations or ()] if spec else []
    folders = [folder for wheel in wheels for folder in sorted(wheel.glob("*/include"))]
    assert folders, "the wheels of the test extra have NVIDIA's headers; install it"
    # The device's view; what g++ lacks of the device's functions is none of the types' business.
    macros = ("CUDACC__", "CUDA_ARCH__=900", "CUDACC_VER_MAJOR__=12", "CUDACC_VER_MINOR__=9")
    lines = [f"#include <{h}>" for h in headers]
    lines += [f'static_assert({fact}, "");' for fact in asked]
    command = ["g++", "-x", "c++", "-std=c++17", "-fsyntax-only", "-w", "-fmax-errors=0"]
    command += ["-fdiagnostics-plain-output", *(f"-D__{m}" for m in macros)]
    command += [*(f"-I{folder}" for folder in folders), "-"]
    text = "\n".join(lines)
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=600)
    wrong: dict[str, str] = {}
    for number, text in re.findall(
        r"^<stdin>:(\d+):\d+: (?:fatal )?error: (.*)$", done.stderr, re.MULTILINE
    ):
        at = int(number) - len(headers) - 1
        assert at >= 0, f"{lines[int(number) - 1]}: {text}"
        wrong.setdefault(asked[at], text)
    return [refused(wrong[fact]) if fact in wrong else True for fact in asked]


def test_every_type_is_laid_out_as_nvidias_is() -> None:
    asked = facts()
    assert len(asked) >= 900
    found = {fact: why for fact, why in answers().items() if fact not in WRONG}
    assert not {f"{asked.get(fact)}: {fact}": why for fact, why in found.items()}


def test_every_definition_of_a_template_is_asked_for() -> None:
    asked = instances().values()
    made = {key(t) for d in asked if (t := template_of(d)) is not None} | {key(d) for d in asked}
    missing = [
        f"{c.displayname} at {place_of(c)}"
        for c in declarations(tree())
        if (kind_of(c) in _TEMPLATES or template_of(c) is not None) and c.is_definition()
        and c.spelling not in ELSEWHERE and key(c) not in made
    ]  # fmt: skip
    assert not missing


def test_a_wrong_fact_is_found() -> None:
    assert {*WRONG} <= {*answers()}


def test_what_is_only_declared_has_no_layout() -> None:
    declared = [
        c.type.spelling or c.spelling for c in declarations(tree())
        if kind_of(c) in (*_STRUCTS, *_TEMPLATES) and c.get_definition() is None
    ]  # fmt: skip
    assert {"curandStateMtgp32", "std::mutex"} <= {*declared}


def test_names_that_are_excused_are_here() -> None:
    named = {c.spelling for c in declarations(tree())}
    assert {*ELSEWHERE} <= named and all(ELSEWHERE.values())
