"""What kernels use of CUB, where its headers are not there: who touches what between barriers.

The storage has CUB's layout (the CUB module of `tests/oracle/`); here are right uses, each with
neighbours that are wrong.
"""

from __future__ import annotations

from typing import Any

import pytest

from symcute import check_kernel
from symcute.frontends.cuda import read_kernels
from symcute.kernel.findings import verdict_of
from symcute.kernel.ir.inside import every
from symcute.kernel.ir.program import NotUnderstood
from tests.full import some

HEAD = """#include <cub/cub.cuh>
typedef cub::BlockReduce<float, 128> Reduce;
typedef cub::BlockScan<int, 64, cub::BLOCK_SCAN_WARP_SCANS> Scan;
"""
KERNEL = "__global__ void k(const float *x, float *y, int n) {\n%s\n}\n"
#: A block's sum of what is there of `x`, twice.
SUMS = """__shared__ Reduce::TempStorage temp;
int i = blockIdx.x * 128 + threadIdx.x;
float v = i < n ? x[i] : 0;
float s = Reduce(temp).Sum(v);
__syncthreads();
float m = Reduce(temp).Reduce(v, cub::Max());
if (threadIdx.x == 0) y[blockIdx.x] = s + m;"""
LAUNCH: dict[str, Any] = {
    "launch": "grid=ceil_div(n,128) block=128",
    "extents": {"x": "n", "y": "ceil_div(n,128)"},
    "given": ["n <= 2**20"],
}


def verdicts(body: str, **changed: Any) -> dict[str, str]:
    """Return the verdicts on a kernel with this body."""
    found = verdict_of(check_kernel(HEAD + KERNEL % body, **{**LAUNCH, **changed}))
    return {p: v for p, v in found.items() if v != "not applicable"}


def test_sums_of_a_block() -> None:
    assert {*verdicts(SUMS).values()} == {"proved"}


@pytest.mark.parametrize(
    ("old", "new", "broken"),
    [
        # Storage is used again while the first thread may still read the sums of warps.
        ("__syncthreads();\n", "", "read_write_race_free"),
        # Threads leave before the others meet.
        ("float v =", "if (i >= n) return;\nfloat v =", "barrier_uniform"),
        ("float s = Reduce", "float s = 0; if (threadIdx.x < 64) s = Reduce",
         "barrier_uniform"),
        # Every thread writes the sum.
        ("if (threadIdx.x == 0) y", "y", "write_race_free"),
        ("i < n ?", "i <= n ?", "in_bounds"),
    ],
)  # fmt: skip
def test_sums_that_are_wrong(old: str, new: str, broken: str) -> None:
    assert SUMS.count(old) == 1
    assert verdicts(SUMS.replace(old, new))[broken] == "refuted"


def test_a_block_larger_than_is_said() -> None:
    said = verdicts(SUMS, launch="grid=ceil_div(n,256) block=256")
    assert said["in_bounds"] == "refuted"


SCANS = """__shared__ Scan::TempStorage temp;
int place = 1;
Scan(temp).ExclusiveSum(place, place);
if (place >= 0 && place < n) y[place] = 1;"""
OF_SCANS: dict[str, Any] = {"launch": "grid=1 block=64", "extents": {"x": "n", "y": "n"}}


@pytest.mark.parametrize("threads", ["64, cub::BLOCK_SCAN_WARP_SCANS", "64", "128"])
def test_storage_of_scans_used_again(threads: str) -> None:
    body = """typedef cub::BlockScan<int, %s> S; __shared__ S::TempStorage temp; int place, all;
S(temp).InclusiveSum(1, place, all);
__syncthreads();
S(temp).InclusiveSum(1, place, all);"""
    given: Any = {**OF_SCANS, "launch": f"grid=1 block={threads.split(',')[0]}"}
    said = verdicts(body % threads, **given)
    assert said["in_bounds"] == said["barrier_uniform"] == said["write_race_free"] == "proved"
    assert said["read_write_race_free"] == "proved"
    # Raking, each thread lays down where it took from; by warps, sums may still be read.
    again = verdicts(body.replace("__syncthreads();\n", "") % threads, **given)
    assert again["read_write_race_free"] == ("refuted" if "WARP" in threads else "proved")
    other = body.rpartition("S(temp)")[0] + "if (threadIdx.x == 63) ((int *)&temp)[%d] = 0;"
    first = 0 if "WARP" in threads else 4
    for text, status in ((other, "proved"), (other.replace("__syncthreads();\n", ""), "refuted")):
        said = verdicts(text % (threads, first), **given)
        assert said["read_write_race_free"] == status


def test_scans_give_any_number() -> None:
    said = verdicts(SCANS, **OF_SCANS)
    assert said["in_bounds"] == said["read_write_race_free"] == "proved"
    assert said["write_race_free"] == "unknown"  # that they differ is not known
    assert verdicts(SCANS.replace("&& place < n", ""), **OF_SCANS)["in_bounds"] != "proved"


@pytest.mark.parametrize("how", ["WARP_SCANS", "RAKING"])
def test_what_is_asked_for_behind_a_scan_is_executed(how: str) -> None:
    before = (
        "struct Before { float *at; int n; __device__ int operator()(int all) { %s return 0; } };"
    )
    body = "__shared__ Scan::TempStorage temp; Before before = {y, n}; int item = 1;\n"
    body += "Scan(temp).InclusiveSum(item, item, before);"
    for what, bounds, races in (
        ("if (threadIdx.x == 0) at[0] = 1;", "proved", "proved"),
        ("if (threadIdx.x == 0) at[n] = 1;", "refuted", "proved"),
        ("at[0] = 1;", "proved", "refuted"),
        # The first warp alone executes it.
        ("at[threadIdx.x] = 1;", "proved", "proved"),
    ):
        text = HEAD.replace("WARP_SCANS", how) + before % what + KERNEL % body
        given: Any = {**OF_SCANS, "extents": {"x": "n", "y": "n"}, "given": ["n >= 32"]}
        said = verdict_of(check_kernel(text, **given))
        assert (said["in_bounds"], said["write_race_free"]) == (bounds, races), what


COPIES = """typedef cub::BlockLoad<float, 64, 4, cub::BLOCK_LOAD_%s> Load;
typedef cub::BlockStore<float, 64, 4, cub::BLOCK_STORE_%s> Store;
__shared__ Load::TempStorage load; __shared__ Store::TempStorage store;
float items[4];
int first = blockIdx.x * 256;
Load(load).Load(x + first, items%s);
Store(store).Store(y + first, items%s);"""
OF_COPIES: dict[str, Any] = {"extents": {"x": "n", "y": "n"}}


LOADS = ["DIRECT", "STRIPED", "VECTORIZE", "TRANSPOSE", "WARP_TRANSPOSE"]


@pytest.mark.parametrize("load", some(LOADS, 3))
def test_loads_of_whole_tiles(load: str) -> None:
    store = "TRANSPOSE" if load == "TRANSPOSE" else "DIRECT"
    body = COPIES % (load, store, "", "")
    whole = verdicts(body, **OF_COPIES, launch="grid=n//256 block=64", given=["n % 256 == 0"])
    assert {*whole.values()} == {"proved"}
    beyond = verdicts(body, **OF_COPIES, launch="grid=ceil_div(n,256) block=64")
    assert beyond["in_bounds"] == "refuted"


@pytest.mark.parametrize("how", ["DIRECT", "STRIPED"])
def test_loads_of_what_is_left(how: str) -> None:
    given: Any = {**OF_COPIES, "launch": "grid=ceil_div(n,256) block=64", "given": ["n <= 2**20"]}
    right = COPIES % (how, how, ", n - first", ", n - first")
    assert {*verdicts(right, **given).values()} == {"proved"}
    for wrong in ((", n - first + 1", ", n - first"), (", n - first, 0.f", ", n - first + 1")):
        assert verdicts(COPIES % (how, how, *wrong), **given)["in_bounds"] == "refuted"


#: Items change threads: `y` is written in the order that they have then.
EXCHANGES = """typedef cub::BlockExchange<float, 64, 4> Exchange;
__shared__ Exchange::TempStorage temp;
float items[4];
int at = blockIdx.x * 256;
for (int i = 0; i < 4; i++) items[i] = x[at + threadIdx.x * 4 + i];
Exchange(temp).%s(items, items);
for (int i = 0; i < 4; i++) y[at + threadIdx.x + 64 * i] = items[i];"""


@pytest.mark.parametrize("how", ["BlockedToStriped", "StripedToBlocked", "BlockedToWarpStriped"])
def test_items_that_change_threads(how: str) -> None:
    given: Any = {**OF_COPIES, "launch": "grid=n//256 block=64", "given": ["n % 256 == 0"]}
    said = verdicts(EXCHANGES % how, **given)
    assert {*said.values()} == {"proved"}
    again = (EXCHANGES % how).replace(
        "for (int i = 0; i < 4; i++) y", "%s for (int i = 0; i < 4; i++) y"
    )
    twice = f"__syncthreads(); Exchange(temp).{how}(items);"
    races = "read_write_race_free"
    assert verdicts(again % twice, **given)[races] == "proved"
    # What is read at last, others write again.
    assert verdicts(again % twice.partition(" ")[2], **given)[races] == "refuted"
    said = verdicts((EXCHANGES % how).replace("Exchange(", "if (n > 256) Exchange("), **given)
    assert said["barrier_uniform"] == "proved"
    odd = (EXCHANGES % how).replace("Exchange(temp)", "if (threadIdx.x % 2) Exchange(temp)")
    open_ = "unknown" if "Warp" in how else "refuted"  # lanes that never come are not waited for
    assert verdicts(odd, **given)["barrier_uniform"] == open_
    large = verdicts(EXCHANGES % how, **{**given, "launch": "grid=n//256 block=128"})
    assert large["in_bounds"] == "refuted"


def test_how_many_are_valid_is_what_the_first_thread_says() -> None:
    given: Any = {**OF_COPIES, "launch": "grid=1 block=64", "given": ["n <= 256"]}
    said = verdicts(COPIES % ("DIRECT", "TRANSPOSE", ", n", ", threadIdx.x ? n : n + 1"), **given)
    assert said["in_bounds"] != "proved"


@pytest.mark.parametrize(
    "text",
    [
        "cub::BlockScan<int, 48>::TempStorage temp;",
        "cub::BlockScan<int, 64, cub::BLOCK_SCAN_RAKING_MEMOIZE>::TempStorage temp;",
        "cub::BlockReduce<int, 64, cub::BLOCK_REDUCE_RAKING>::TempStorage temp;",
        "cub::BlockRadixSort<int, 64, 1>::TempStorage temp;",
        "cub::BlockStore<int, 64, 4, cub::BLOCK_STORE_VECTORIZE>::TempStorage temp;",
        "cub::BlockReduce<int, 24>::TempStorage temp;",
        "cub::BlockExchange<int, 64, 4, true>::TempStorage temp;",
        "typedef cub::BlockExchange<int, 48, 4> E; __shared__ E::TempStorage t; int v[4];"
        " E(t).WarpStripedToBlocked(v);",
    ],
)
def test_what_is_not_modelled_is_not_understood(text: str) -> None:
    kernel = read_kernels(HEAD + KERNEL % text).kernels["k"]
    assert any(isinstance(s, NotUnderstood) for s in every(kernel.body))


#: A warp rakes over what 128 threads have laid down, by CUB's places.
RAKED = """typedef cub::BlockRakingLayout<float, 128> Grid;
__shared__ Grid::TempStorage grid;
unsigned thread = cub::RowMajorTid(128, 1, 1);
float *own = Grid::PlacementPtr(grid, thread);
*own = x[blockIdx.x * 128 + thread];
__syncthreads();
if (thread < Grid::RAKING_THREADS) {
  float *line = Grid::RakingPtr(grid, thread), sum = 0;
  for (int i = 0; i < Grid::SEGMENT_LENGTH; i++) sum += line[i];
  sum = cub::ShuffleDown<32>(sum, 1, 31, cub::WarpMask<32>(0));
  for (int i = 0; i < Grid::SEGMENT_LENGTH; i++) line[i] = sum;
}
__syncthreads();  // all is laid down
y[blockIdx.x * 128 + thread] = *own;"""
RAKING: dict[str, Any] = {"launch": "grid=n block=128", "extents": {"x": "n*128", "y": "n*128"}}


@pytest.mark.parametrize(
    ("old", "new", "broken"),
    some(
        [
            ("__syncthreads();\nif", "if", "read_write_race_free"),
            ("__syncthreads();  // all is laid down", "", "read_write_race_free"),
            ("< Grid::RAKING", "<= Grid::RAKING", "in_bounds"),
            ("LENGTH; i++) line", "LENGTH + 2; i++) line", "write_race_free"),
            ("float, 128>", "float, 64>", "in_bounds"),
        ],
        2,
    ),
)
def test_parts_of_scans_of_ones_own(old: str, new: str, broken: str) -> None:
    assert {*verdicts(RAKED, **RAKING).values()} == {"proved"}
    assert RAKED.count(old) == 1
    assert verdicts(RAKED.replace(old, new), **RAKING)[broken] == "refuted"


def test_what_is_shuffled_is_any_number() -> None:
    body = "int i = cub::ShuffleIndex<32>((int)threadIdx.x, 0, ~0u); y[i] = x[i];"
    found = verdicts(body, launch="grid=1 block=32", extents={"x": "32", "y": "32"})
    assert found["in_bounds"] == "unknown"


@pytest.mark.parametrize(
    ("old", "new", "broken"),
    [
        ("", "", ""),
        ("__syncthreads();\n", "", "read_write_race_free"),
        ("if (threadIdx.x == 0) y", "y", "write_race_free"),
    ],
)
def test_storage_constructs_nothing(old: str, new: str, broken: str) -> None:
    both = """struct Both {
      float low, high;
      __device__ Both() : low(1), high(0) {}
      __device__ Both(float x) : low(x), high(x) {}
      __device__ Both &operator&=(const Both &o) { low += o.low; high += o.high; return *this; }
    };
    """
    body = SUMS.replace("Reduce(temp).Sum(v)", "Pairs(temp).Reduce(Both(v), op, 128).low")
    body = body.replace(
        "Reduce(temp).Reduce(v, cub::Max())", "Pairs(temp).Reduce(Both(v), op).high"
    )
    body = body.replace("Reduce::TempStorage", "typename Pairs::TempStorage")
    body = body.replace(
        "int i =", "auto op = [](Both a, const Both &b) { a &= b; return a; };\nint i ="
    )
    head = HEAD + both + "typedef cub::BlockReduce<Both, 128> Pairs;\n"
    changed = body.replace(old, new) if old else body
    found = verdict_of(check_kernel(head + KERNEL % changed, **LAUNCH))
    wrong = {p for p, v in found.items() if v not in ("proved", "not applicable")}
    assert wrong == ({broken} if broken else set()), found
