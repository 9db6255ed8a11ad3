"""Layout claims of CuTe DSL kernels, against the same kernels replayed in plain integers.

The modules are what NVIDIA's DSL traced of `cutedsl/kernels.py`, packed in `answers/cutedsl.jsonl`;
the replay knows a case's numbers alone, and nothing of the package.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import product
from math import prod
from typing import Any

import pytest

from symcute.errors import InputError
from symcute.frontends.cutedsl.checking import check_module
from symcute.frontends.cutedsl.evaluation import evaluate
from symcute.frontends.cutedsl.text import Value, read_module
from symcute.frontends.cutedsl.types import read_type
from symcute.frontends.front_end import SourceError
from symcute.recheck import check

from .cutedsl_modules import FOLDER, modules_of

BITS = 16


@dataclass(frozen=True)
class Case:
    """A tile of A through shared memory, by a tiled copy that is given as layouts."""

    tile: tuple[int, int] = (64, 64)
    tiler: tuple[int, int] = (16, 64)
    tv_shape: Any = ((8, 16), 8)
    tv_stride: Any = ((128, 1), 16)
    smem_shape: Any = (64, 64)
    smem_stride: Any = (64, 1)
    swizzle: tuple[int, int, int] | None = None
    allocated: int = 4096
    smem_align: int = 128
    bits: int = 128
    divisor: int = 8
    alignment: int = 16
    threads: int = 128


RIGHT = Case()
CASES = {
    "right": RIGHT,
    "padded": replace(RIGHT, smem_stride=(72, 1), allocated=64 * 72),
    "swizzled": replace(RIGHT, swizzle=(3, 3, 3), smem_align=1024),
    "columns": replace(
        RIGHT, tiler=(64, 16), tv_shape=((8, 16), 8), tv_stride=((8, 64), 1), bits=16
    ),
    "narrow": replace(RIGHT, bits=64, divisor=4, alignment=8),
    "narrow, down columns": replace(
        RIGHT,
        tv_shape=((16, 8), 8),
        tv_stride=((1, 128), 16),
        bits=64,
        divisor=4,
        alignment=8,
    ),
    "threads down columns": replace(RIGHT, tv_shape=((16, 8), 8), tv_stride=((1, 128), 16)),
    "threads down columns, padded": replace(
        RIGHT,
        tv_shape=((16, 8), 8),
        tv_stride=((1, 128), 16),
        smem_stride=(72, 1),
        allocated=64 * 72,
    ),
    "threads down columns, swizzled": replace(
        RIGHT, tv_shape=((16, 8), 8), tv_stride=((1, 128), 16), swizzle=(3, 3, 3), smem_align=1024
    ),
    "swizzle of no bits": replace(RIGHT, swizzle=(0, 4, 3), smem_align=1024),
    "tile does not divide": replace(RIGHT, tile=(72, 64), smem_shape=(72, 64), allocated=72 * 64),
    "a row is left out": replace(RIGHT, tv_shape=((8, 15), 8), threads=120),
    "a column is held twice": replace(RIGHT, tv_stride=((112, 1), 16)),
    "threads beyond the tile": replace(RIGHT, tv_shape=((8, 17), 8), threads=136),
    "values held twice": replace(RIGHT, tv_stride=((128, 1), 0)),
    "too little room": replace(RIGHT, allocated=4096 - 64),
    "one element short": replace(RIGHT, smem_stride=(72, 1), allocated=63 * 72 + 63),
    "rows overlap": replace(RIGHT, smem_stride=(56, 1)),
    "rows are not aligned": replace(RIGHT, smem_stride=(68, 1), allocated=64 * 68),
    "column-major in shared memory": replace(RIGHT, smem_stride=(1, 64)),
    "swizzle within vectors": replace(RIGHT, swizzle=(2, 2, 3), smem_align=1024),
    "leading dimension is odd": replace(RIGHT, divisor=1),
    "threads that carry": replace(RIGHT, tv_shape=((8, 16), 8), tv_stride=((2, 1), 16)),
    "vectors across the tile": replace(RIGHT, tv_stride=((128, 1), 32)),
}


# --- the replay: plain integers ----------------------------------------------------------------


def offsets(shape: Any, stride: Any) -> list[int]:
    """The values of a layout, the first mode counting fastest."""
    pairs = list(_flat(shape, stride))
    ranges = [range(s) for s, _ in reversed(pairs)]
    strides = [d for _, d in reversed(pairs)]
    return [sum(i * d for i, d in zip(x, strides, strict=True)) for x in product(*ranges)]


def _flat(shape: Any, stride: Any) -> Iterator[tuple[int, int]]:
    if isinstance(shape, tuple):
        for s, d in zip(shape, stride, strict=True):
            yield from _flat(s, d)
    else:
        yield shape, stride


def swizzled(offset: int, swizzle: tuple[int, int, int] | None) -> int:
    if swizzle is None:
        return offset
    bits, base, shift = swizzle
    return offset ^ ((offset >> shift) & (((1 << bits) - 1) << base))


def held(case: Case) -> list[list[int]]:
    """For each thread the elements of the tile that it holds, in the order of its values."""
    threads = offsets(case.tv_shape[0], case.tv_stride[0])
    values = offsets(case.tv_shape[1], case.tv_stride[1])
    return [[t + v for v in values] for t in threads]


def exact(case: Case) -> bool:
    counts = Counter(e for thread in held(case) for e in thread)
    return counts == Counter(range(prod(case.tiler)))


def divides(case: Case) -> bool:
    return all(t % s == 0 for t, s in zip(case.tile, case.tiler, strict=True))


def smem(case: Case) -> list[int]:
    return [swizzled(x, case.swizzle) for x in offsets(case.smem_shape, case.smem_stride)]


def whole(case: Case, where: Any, alignment: int) -> bool:
    """Whether each vector of each thread is contiguous and aligned; `where` maps (i, j)."""
    length = case.bits // BITS
    repeats = [range(0, t, s) for t, s in zip(case.tile, case.tiler, strict=True)]
    for elements in held(case):
        for (row, column), k in product(product(*repeats), range(0, len(elements), length)):
            vector = elements[k : k + length]
            at = [where(row + e % case.tiler[0], column + e // case.tiler[0]) for e in vector]
            if at != list(range(at[0], at[0] + length)) or at[0] % length:
                return False
    return 8 * alignment % case.bits == 0


def at_gmem(leading: int, i: int, j: int) -> int:
    return i * leading + j


def at_smem(case: Case) -> Any:
    rows, columns = case.smem_stride
    return lambda i, j: swizzled(i * rows + j * columns, case.swizzle)


def touched(case: Case) -> Iterator[int]:
    """Where in shared memory the threads touch, the tile rounded up to whole tilers."""
    repeats = [range(0, t, s) for t, s in zip(case.tile, case.tiler, strict=True)]
    for elements in held(case):
        for (row, column), e in product(product(*repeats), elements):
            yield at_smem(case)(row + e % case.tiler[0], column + e // case.tiler[0])


def free_of_conflicts(case: Case) -> bool:
    """Whether each request of each warp to shared memory needs a bank once, and is aligned.

    Lanes are served as many at a time as make 128 bytes, each asking for units of at least a word.
    """
    length, width = case.bits // BITS, case.bits // 8
    threads, unit = held(case), max(4, width)
    together = min(32, 128 // width)
    repeats = [range(0, t, s) for t, s in zip(case.tile, case.tiler, strict=True)]
    for row, column in product(*repeats):
        for k in range(0, len(threads[0]), length):
            for first in range(0, len(threads), together):
                asked: dict[int, set[int]] = {}
                for elements in threads[first : first + together]:
                    e = elements[k]
                    place = at_smem(case)(row + e % case.tiler[0], column + e // case.tiler[0])
                    if place * BITS % case.bits:
                        return False
                    number = place * BITS // 8 // unit
                    asked.setdefault(number % (128 // unit), set()).add(number)
                if max(map(len, asked.values())) > 1:
                    return False
    return True


def free_as_compiled(case: Case) -> bool:
    """Whether it is so as written, or where a compiler makes neighbouring vectors one access."""
    width = case.bits
    while not free_of_conflicts(replace(case, bits=width)):
        width *= 2
        if width > 128 or not whole(replace(case, bits=width), at_smem(case), case.smem_align):
            return False
    return True


@cache
def truth(case: Case) -> dict[str, bool]:
    """What is true of a case, by property and by what is looked at."""
    found = smem(case)
    gmem = all(
        whole(case, partial(at_gmem, case.divisor * k), case.alignment) for k in (16, 17, 25)
    )
    return {
        "partition_exact": exact(case),
        "divides": divides(case),
        "in_bounds": max(found) < case.allocated,
        "in_bounds of a share": max(touched(case)) < case.allocated,
        "injective": len(set(found)) == len(found),
        "vectorizable source": gmem,
        "bank_conflicts": free_as_compiled(case),
        "vectorizable destination": whole(case, at_smem(case), case.smem_align),
    }


# --- the modules -------------------------------------------------------------------------------


@cache
def modules() -> dict[str, Any]:
    return modules_of("cutedsl", CASES)


@cache
def found(name: str) -> dict[str, list[Any]]:
    """The findings of a case, by what the replay calls them."""
    result: dict[str, list[Any]] = {}
    for finding in check_module(modules()[name], kernel=name, bank_conflicts=1, properties=()):
        key = finding.property
        if key in ("vectorizable", "bank_conflicts"):
            # The first copy, from A to shared memory, has the width that the case says.
            if "cute.copy(load" not in line_of(finding.place.line):
                continue
            if key == "vectorizable":
                key += " source" if finding.text.startswith("source") else " destination"
        if key == "in_bounds" and "sA = " not in line_of(finding.place.line):
            key = "in_bounds of a share"
        result.setdefault(key, []).append(finding)
    return result


@cache
def lines() -> list[str]:
    return (FOLDER / "kernels.py").read_text(encoding="utf-8").splitlines()


def line_of(number: int) -> str:
    return lines()[number - 1]


#: What the DSL traces; it takes the process down over the others.
CARRIES = "threads that carry"
READ = [name for name in CASES if name != "threads beyond the tile"]
#: Findings of all cases that are proved or refuted.
DECIDED_AT_LEAST = 150


@pytest.mark.parametrize("name", READ)
def test_verdicts_are_true(name: str) -> None:
    said, told = truth(CASES[name]), found(name)
    if name == CARRIES:  # what a thread touches is not what its elements of the tile say
        said = {key: said[key] for key in ("partition_exact", "divides", "in_bounds", "injective")}
    assert said.keys() - told.keys() <= {"in_bounds of a share"}
    for key, findings in told.items():
        for finding in findings:
            if finding.status in ("proved", "refuted") and key in said:
                assert said[key] == (finding.status == "proved"), finding


def test_nearly_all_is_decided() -> None:
    every = [(key, f) for name in READ for key, x in found(name).items() for f in x]
    told = [(key, f) for key, f in every if key in truth(RIGHT) and f.kernel != CARRIES]
    open_ = {(key, f.kernel) for key, f in told if f.status == "unknown"}
    assert sum(f.status != "unknown" for _, f in told) >= DECIDED_AT_LEAST
    assert open_ == {
        # What a tile that does not divide gives a thread.
        ("in_bounds of a share", "tile does not divide"),
        ("bank_conflicts", "tile does not divide"),
        ("bank_conflicts", "a row is left out"),
        # As written there are some; the DSL's compiler makes neighbours one access.
        ("bank_conflicts", "narrow"),
        # The strides that a thread has hang on it.
        ("vectorizable destination", "swizzle within vectors"),
    }
    false = {name for name in READ if not all(truth(CASES[name]).values())}
    refuted = {f.kernel for _, f in every if f.status == "refuted"}
    assert refuted == false


def test_the_algebra_is_the_dsl_s() -> None:
    for name in READ:
        if name != CARRIES:
            (finding,) = found(name)["types_agree"]
            assert finding.status == "proved" and finding.count > 200, finding


def test_where_the_dsl_composes_what_carries_it_is_told() -> None:
    """NVIDIA/cutlass#3177: strides are composed one by one where their sum goes over a mode."""
    told = found(CARRIES)["types_agree"]
    assert {f.status for f in told} == {"unknown"}
    assert all("29 + 1 <= 16" in f.reason for f in told), told
    assert "tAgA = thread.partition_S(gA)" in line_of(told[0].place.line)


def test_a_finding_stands_at_its_line() -> None:
    (finding,) = found("too little room")["in_bounds"]
    assert finding.place.file == "cutedsl/kernels.py"
    assert "sA = cute.make_tensor(room, layout)" in line_of(finding.place.line)
    assert (
        str(finding.counterexample) == "L(63,63) = 4095, outside [0, 4032), in L = (64,64):(64,1)"
    )


def test_proofs_are_checked_again() -> None:
    documents = [
        line["certificate"]
        for name in ("right", "swizzled", "leading dimension is odd")
        for findings in found(name).values()
        for finding in findings
        for line in finding.certificates
    ]
    assert len(documents) >= 20
    for document in documents:
        assert check(document).status == "checked", document["claim"]


#: Operations whose results our algebra computes, and how many of each are looked at.
COMPUTED = (
    "cute.ceil_div", "cute.crd2idx", "cute.get_layout", "cute.get_shape", "cute.group_modes",
    "cute.local_tile", "cute.make_composed_layout", "cute.make_layout", "cute.make_layout_like",
    "cute.size", "cute.tiled.copy.partition_D", "cute.tiled.copy.partition_S",
)  # fmt: skip


def _changed(type_: str) -> str | None:
    """A type with its first extent, or integer above 1, one larger."""
    quoted = re.search(r'"[^"]*"', type_)
    number = quoted and re.search(
        r"(?<![<{=,0-9@])(?:(?<=\()|(?<=\"))([2-9]|[1-9][0-9]+)", quoted[0]
    )
    if not quoted or not number:
        return None
    at = quoted.start() + number.start(1)
    end = quoted.start() + number.end(1)
    return f"{type_[:at]}{int(number[1]) + 1}{type_[end:]}"


def test_another_type_is_told() -> None:
    """Each type that says another number than what we compute is a difference at its place."""
    seen: Counter[str] = Counter()
    for name in ("right", "swizzled"):
        module = read_module(modules()[name])
        for operation in [x for x in module.walk() if x.name in COMPUTED]:
            (result,) = operation.results
            other = _changed(result.type)
            if other is None:
                continue
            operation.results = (Value(result.name, other),)
            (step,) = [s for s in evaluate(module).steps() if s.operation is operation]
            operation.results = (result,)
            if step.status != "typed":
                assert step.status == "differs", (operation.name, result.type, other)
                seen[operation.name] += 1
    assert seen.keys() >= {"cute.local_tile", "cute.size", "cute.tiled.copy.partition_D"}, seen


MODULE = """"builtin.module"() ({
  "func.func"() <{sym_name = "f"}> ({
    %0 = "arith.constant"() <{value = 3 : i32}> : () -> i32 loc(#loc1)
    %1:2 = "k.two"(%0, %0) {a, b = [1, "x}"]} : (i32, i32) -> (i32, !cute.shape<"(1,2)">)
  }) : () -> ()
}) : () -> ()
#loc1 = loc("named"("k.py":7:4))
"""


def test_text_is_read() -> None:
    operations = {x.name: x for x in read_module(MODULE).walk()}
    two = operations["k.two"]
    assert [x.type for x in two.results] == ["i32", '!cute.shape<"(1,2)">']
    assert two.properties == {"a": "unit", "b": '[1, "x}"]'}
    assert str(operations["arith.constant"].place) == "k.py:7:5" and two.place is None


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("(%0, %0)", "(%0, %2)", "%2 is no value of type i32 here"),
        ("(i32, i32) ->", "(i32, i64) ->", "%0 is no value of type i64 here"),
        ("(i32, i32) ->", "(i32) ->", "other numbers of values and of types"),
        ("%1:2", "%1:3", "other numbers of values and of types"),
        ("%1:2 = ", "%0, %1 = ", "%0 is defined twice"),
        ('[1, "x}"]', '[1, "x}"', "'}' closes nothing"),
        ("{a, b", "{b, b", "a name stands twice"),
        ("#loc1 = ", "#loc2 = ", "#loc1 is no location"),
        ('loc("named"', "loc(fused", "is no location that is read"),
        ("-> i32 loc", "-> !two loc", "!two is not defined"),
        ('%1:2 = "k.two"', "%1:2 = k.two", "expected an operation"),
        ("}) : () -> ()\n#loc1", "#loc1", "expected an operation"),
        ("{a,", "[^bb1] {a,", "goes on at other blocks"),
    ],
)
def test_other_text_is_refused(old: str, new: str, said: str) -> None:
    assert old in MODULE
    with pytest.raises(SourceError) as caught:
        read_module(MODULE.replace(old, new, 1))
    assert said in str(caught.value), caught.value


@pytest.mark.parametrize(
    "text",
    [
        '!cute.layout<"(4,8):(1)">', '!cute.layout<"(4,8)">', '!cute.layout<"(4,8):(1,4)x">',
        '!cute.memref<f32, gmem, odd<3>, "4:1">', '!cute.tile<"[4:1;8:1">', "!cute.layout<4:1>",
        '!cute.shape<"(4,?{div=0})">', '!cute.swizzle<"S<1,2>">',
    ],
)  # fmt: skip
def test_other_types_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_type(text)
