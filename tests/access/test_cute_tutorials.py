"""CUTLASS' own tutorials of CuTe, for all sizes that their tiles divide; and what is wrong of them.

The files are those of the wheel `nvidia-cutlass`; mutants are made of their text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from symcute.frontends.llvm.folding import folded
from symcute.frontends.llvm.source import read_through_llvm
from symcute.kernel.checking import check
from symcute.kernel.findings import GOOD, PROPERTIES, verdict_of
from symcute.kernel.ir.inside import every
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Kernel, NotUnderstood
from symcute.kernel.ir.verify import verified
from symcute.kernel.launch.notes import read_setting
from tests.full import some

HERE = Place("tutorial", 1, 1)
#: Rows of A and B lie along M and N, or along K.
ALONG = {"nt": ("dA_1", "dB_1"), "tn": ("dA_0", "dB_0")}


def product(strides: str, more: Sequence[str] = ()) -> list[str]:
    """How a kernel for a matrix product is launched: sizes that its tiles divide."""
    a, b = ALONG[strides]
    rows = {"nt": ("128*m", "128*n"), "tn": ("8*k", "8*k")}[strides]
    sizes = {"nt": ("8*lda*k", "8*ldb*k"), "tn": ("128*lda*m", "128*ldb*n")}[strides]
    return [
        "launch grid=(m,n) block=(256)", "arg shape_MNK_0 = 128*m", "arg shape_MNK_1 = 128*n",
        "arg shape_MNK_2 = 8*k", f"arg {a} = lda", f"arg {b} = ldb", "arg dC_1 = ldc",
        f"assume lda >= {rows[0]}", f"assume ldb >= {rows[1]}", "assume ldc >= 128*m",
        "assume m >= 1", "assume n >= 1", "assume k >= 1", "assume n <= 65535",
        f"extent A = {sizes[0]}", f"extent B = {sizes[1]}", "extent C = 128*ldc*n",
        *(f"assume {size} <= 2**31-1" for size in (*sizes, "128*ldc*n")),
        "assume lda <= 2**26", "assume ldb <= 2**26", "assume ldc <= 2**23",
        "assume 128*m <= 2**30", "assume 128*n <= 2**30", "assume 8*k <= 2**30", *more,
    ]  # fmt: skip


def halves(strides: str, shared: int, rings: bool) -> list[str]:
    """How a kernel for a product of halves is launched, tiles of K in a ring of shared memory.

    `rings`: threads copy the first tiles, of which there are three, whatever K is.
    """
    a, b = ALONG[strides] if rings else ("", "")
    sizes = {"nt": ("64*lda*k", "64*ldb*k"), "tn": ("128*lda*m", "128*ldb*n")}[strides]
    rows = {"nt": ("128*m", "128*n"), "tn": ("64*k", "64*k")}[strides]
    return [
        f"launch grid=(m,n) block=(128) shared={shared}", "arg shape_MNK_0 = 128*m",
        "arg shape_MNK_1 = 128*n", "arg shape_MNK_2 = 64*k", "arg dC_1 = ldc",
        "assume ldc >= 128*m", "assume m >= 1", "assume n >= 1", "assume k >= 1",
        "assume n <= 65535", "extent C = 128*ldc*n", "assume 128*ldc*n <= 2**31-1",
        "assume ldc <= 2**23", "assume 128*m <= 2**30", "assume 128*n <= 2**30",
        "assume 64*k <= 2**30",
        *([
            f"arg {a} = lda", f"arg {b} = ldb", f"assume lda >= {rows[0]}",
            f"assume ldb >= {rows[1]}", "assume lda % 8 == 0", "assume ldb % 8 == 0",
            f"extent A = {sizes[0]}", f"extent B = {sizes[1]}",
            *(f"assume {size} <= 2**31-1" for size in sizes),
            "assume lda <= 2**23", "assume ldb <= 2**23",
        ] if rings else ()),
    ]  # fmt: skip


def tensors(*notes: str) -> list[str]:
    """What is said of S and of D alike."""
    return [n.replace("T", t) for n in notes for t in "SD"]


WHOLE = [
    "launch grid=(m,n) block=(256)", "assume m >= 1", "assume n >= 1", "assume n <= 65535",
    "assume 8192*m*n <= 2**31-1",
    *tensors("arg T_shape_1 = m", "arg T_shape_2 = n", "arg T_stride_0_1 = 128*m",
             "arg T_stride_2 = 8192*m", "extent T_ptr = 8192*m*n"),
]  # fmt: skip
ANY = [
    "launch grid=(ceil_div(m,128),ceil_div(n,64)) block=(256)", "assume m >= 1", "assume n >= 1",
    "assume n <= 65535", "assume m*n <= 2**30", "assume m <= 2**23",
    *tensors("arg T_shape_0 = m", "arg T_shape_1 = n", "arg T_stride_1 = m", "extent T_ptr = m*n"),
]  # fmt: skip


@dataclass(frozen=True)
class Tutorial:
    """A kernel of a file: the start of its name, which of those, how it is launched."""

    file: str
    name: str
    number: int
    notes: Sequence[str]
    unknown: tuple[str, ...] = ()


TUTORIALS = [
    Tutorial("sgemm_1", "gemm_device<", 0, product("nt")),
    Tutorial("sgemm_1", "gemm_device<", 1, product("tn")),
    # Vectors are written to shared memory that is declared as floats.
    Tutorial("sgemm_2", "gemm_device<", 0,
             product("nt", ("assume lda % 4 == 0", "assume ldb % 4 == 0")), ("aligned",)),
    Tutorial("sgemm_2", "gemm_device<", 1, product("tn")),
    Tutorial("sgemm_sm70", "gemm_device<", 0,
             product("nt", ("assume lda % 4 == 0", "assume ldb % 4 == 0")), ("aligned",)),
    Tutorial("sgemm_sm70", "gemm_device<", 1, product("tn")),
    Tutorial("sgemm_sm80", "gemm_device<", 0, halves("tn", 98304, True)),
    Tutorial("tiled_copy", "copy_kernel_vectorized<", 0, WHOLE),
    Tutorial("tiled_copy_if", "copy_if_kernel<", 0, ANY),
    Tutorial("tiled_copy_if", "copy_if_kernel_vectorized<", 0, [*ANY, "assume m % 4 == 0"]),
    # No thread waits for what others copy, nor tells MMAs of it: no barrier, and no fence.
    *(
        Tutorial("hopper/wgmma_sm90", "gemm_device<", number,
                 [*halves(strides, 98304, True), "assume k >= 3"], ("read_write_race_free",))
        for number, strides in enumerate(("nt", "tn"))
    ),
]  # fmt: skip


#: Of these most is not decided: what TMA touches, and when.
HOPPER = [
    Tutorial("hopper/wgmma_tma_sm90", "gemm_device<", 0, halves("nt", 98352, False)),
    Tutorial("hopper/wgmma_tma_sm90", "gemm_device<", 1, halves("tn", 98352, False)),
]


def path_of(name: str) -> Path:
    spec = find_spec("cutlass_library")
    roots = (spec.submodule_search_locations if spec else None) or ()
    return next(iter(Path(r) for r in roots)) / "source/examples/cute/tutorial" / f"{name}.cu"


@cache
def kernels(name: str, change: Callable[[str], str] = str) -> list[Kernel]:
    text = path_of(name).read_text()
    changed = change(text)
    assert (changed == text) == (change is str)
    # How they are launched is said here: host code is not asked.
    return list(read_through_llvm(changed, timeout=600, launched={}).kernels.values())


def verdicts(
    t: Tutorial, change: Callable[[str], str] = str, asked: Sequence[str] = PROPERTIES
) -> dict[str, str]:
    """What is said of a kernel, or of what a change of its text makes of it."""
    kernel = [k for k in kernels(t.file, change) if k.name.startswith(t.name)][t.number]
    # What TMA and MMAs do on their own is named, and nothing else is left open.
    unread = [s for s in every(kernel.body) if isinstance(s, NotUnderstood)]
    assert t in HOPPER or not unread, t
    assert all(s.effect != "any" for s in unread), t
    kernel = replace(kernel, notes=tuple((note, HERE) for note in t.notes))
    # Work is counted: a busy machine takes longer for the same.
    return dict(verdict_of(check(verified(kernel), read_setting(kernel), asked, timeout=600)))


@pytest.mark.full
@pytest.mark.parametrize("t", TUTORIALS, ids=lambda t: f"{t.file}-{t.name}{t.number}")
def test_tutorials_are_proved(t: Tutorial) -> None:
    found = verdicts(t)
    assert {p for p, v in found.items() if v not in GOOD} == set(t.unknown), found
    assert all(found[p] == "unknown" for p in t.unknown)


def _without_barrier(number: int) -> Callable[[str], str]:
    def change(text: str) -> str:
        first, *rest = re.split(r"(__syncthreads\(\);)", text)
        rest[2 * number - 2] = ";"
        return "".join([first, *rest])

    return change


def _replaced(old: str, new: str, number: int = 0) -> Callable[[str], str]:
    """Replace a text: everywhere, or where it stands for that time."""

    def change(text: str) -> str:
        first, *rest = text.split(old)
        return first + "".join(
            (new if number in (0, n) else old) + part for n, part in enumerate(rest, 1)
        )

    return change


def _everywhere(text: str) -> str:
    return re.sub(r"return elem_less\(c, shape_S\);", "return true;", text)


def _threads_that_meet(text: str) -> str:
    return re.sub(
        r"auto tC = make_layout\((make_shape\(Int<16>\{\}, Int<16>\{\}\))\);",
        r"auto tC = make_layout(\1, make_stride(Int<1>{}, Int<8>{}));",
        text,
    )


SM80 = TUTORIALS[6]
WGMMA = TUTORIALS[10]
RACES = {"read_write_race_free"}
#: What is broken, and whether some of that is refuted: threads that meet are not seen to.
MUTANTS = [
    (TUTORIALS[0], _without_barrier(1), {"read_write_race_free"}, True),
    (TUTORIALS[0], _without_barrier(2), {"read_write_race_free"}, True),
    (TUTORIALS[0], _threads_that_meet, {"write_race_free"}, False),
    (TUTORIALS[4], _without_barrier(1), {"read_write_race_free"}, True),
    (SM80, _replaced("PIPE_MAX-2>", "PIPE_MAX-1>"), RACES, True),
    (SM80, _replaced("cp_async_wait<K_PIPE_MAX-2>();", ";", 2), RACES, True),
    (
        SM80,
        _replaced("smem_pipe_read == K_PIPE_MAX-1", "smem_pipe_read == K_PIPE_MAX-2"),
        RACES,
        True,
    ),
    (SM80, _without_barrier(2), RACES, True),
    (TUTORIALS[8], _everywhere, {"in_bounds", "write_race_free"}, True),
    # MMAs of a tile that lies behind the last one.
    (WGMMA, _replaced("k_pipe_read == K_PIPE_MAX", "k_pipe_read == K_PIPE_MAX+1"), {"in_bounds"},
     False),
]  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize(("t", "change", "broken", "seen"), some(MUTANTS, 4, 3, 5))
def test_mutants_are_not_proved(
    t: Tutorial, change: Callable[[str], str], broken: set[str], seen: bool
) -> None:
    found = verdicts(t, change, [p for p in PROPERTIES if p in broken])
    assert all(found[name] in ("refuted", "unknown") for name in broken), found
    assert any(found[name] == "refuted" for name in broken) is seen, found


# --- structs that are taken apart -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        (["%a = insertvalue {i32, i32} poison, i32 %x, 0", "%b = extractvalue {i32, i32} %a, 0",
          "use i32 %b"], ["use i32 %x"]),
        (["%a = insertvalue {i32, i32} %w, i32 %x, 0", "%b = extractvalue {i32, i32} %a, 1",
          "use i32 %b"], None),
        (["%a = insertvalue {{i32, i32}} poison, i32 %x, 0, 1",
          "%b = extractvalue {{i32, i32}} %a, 0", "%c = extractvalue {i32, i32} %b, 1",
          "use i32 %c"], ["use i32 %x"]),
        (["%a = insertvalue {{i32, i32}} poison, {i32, i32} %s, 0",
          "%b = extractvalue {{i32, i32}} %a, 0, 1", "use i32 %b"], None),
        (["%a = insertvalue {{i32, i32}} %w, i32 %x, 0, 1",
          "%b = extractvalue {{i32, i32}} %a, 0", "use {i32, i32} %b"], None),
        (["%a = insertvalue {{i32, i32}} poison, {i32, i32} { i32 1, i32 2 }, 0",
          "%b = extractvalue {{i32, i32}} %a, 0", "use {i32, i32} %b"], None),
        (["%a = load volatile i32, ptr %p", "%b = call i32 @symcute.op.add.i32.i32(i32 1)",
          "%c = call i32 @symcute.any.1()", "%d = getelementptr i8, ptr %p, i64 4"],
         ["%a = load volatile i32, ptr %p", "%b = call i32 @symcute.op.add.i32.i32(i32 1)",
          "%d = getelementptr i8, ptr %p, i64 4"]),
    ],
)  # fmt: skip
def test_parts_are_what_was_put_there(lines: list[str], left: list[str] | None) -> None:
    """What is only partly put there stays; so do accesses and arithmetic that nobody uses."""
    given = [f"  {line}" for line in lines]
    assert folded(given) == ([f"  {line}" for line in left] if left is not None else given)
