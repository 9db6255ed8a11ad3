"""`cuda::barrier`: one that waits for each thread of a block, once a phase, orders what they do."""

from __future__ import annotations

import pytest

from symcute import check_kernel
from symcute.kernel.findings import verdict_of

KERNEL = """__global__ void k(int *x, int *y) {
    __shared__ int s[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    int t = threadIdx.x;
    if (t == 0) init(&bar, blockDim.x);
    __syncthreads();
    s[t] = x[t];
    auto token = bar.arrive();
    y[t] = 0;
    bar.wait(std::move(token));
    x[t] = s[63 - t];
}
"""
#: What a tile is staged through, round by round: whoever writes waits for who has read.
ROUNDS = """__global__ void k(int *x, int n) {
    __shared__ int s[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    int t = threadIdx.x;
    if (t == 0) init(&bar, 64);
    __syncthreads();
    for (int i = 0; i < n; i++) {
        s[t] = i;
        bar.arrive_and_wait();
        x[blockIdx.x * 64 + t] = s[63 - t];
        bar.arrive_and_wait();
    }
}
"""
INIT = "if (t == 0) init(&bar, blockDim.x);"
WAIT = "bar.wait(std::move(token));"
RACES = "read_write_race_free"


def said(old: str = "", new: str = "", text: str = KERNEL, block: str = "64") -> dict[str, str]:
    """Return the verdicts on a kernel with something else in it."""
    assert not old or text.count(old) == 1
    text = text.replace(old, new) if old else text
    extents = {"x": 64, "y": 64} if text.count("int *y") else {"x": 64}
    found = check_kernel(text, launch=f"grid=1 block={block}", extents=extents)
    return dict(verdict_of(found))


def test_it_orders_as_a_barrier_of_the_block_does() -> None:
    found = said()
    assert [found[p] for p in ("in_bounds", "aligned")] == ["proved", "proved"]
    assert [found[p] for p in ("write_race_free", RACES, "barrier_uniform")] == ["proved"] * 3


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("blockDim.x);", "64);"),
        ("if (t == 0)", "if (threadIdx.x + blockDim.x * threadIdx.y == 0)"),
        (WAIT, f"if (t < 5) y[t] = 1; {WAIT}"),  # what some do before they wait
        (WAIT, f"__syncthreads(); {WAIT}"),
        # A later phase.
        ("s[t] = x[t];", "bar.arrive_and_wait(); s[t] = x[t]; bar.arrive_and_wait();"),
        # Written by who has arrived, read behind the next arrival and wait.
        (WAIT, f"s[t] = t; {WAIT} bar.arrive_and_wait();"),
    ],
)
def test_what_is_right_is_proved(old: str, new: str) -> None:
    found = said(old, new)
    assert (found[RACES], found["barrier_uniform"]) == ("proved", "proved")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # It waits for more or fewer than come.
        ("blockDim.x);", "blockDim.x + 1);"),
        ("blockDim.x);", "blockDim.x - 1);"),
        ("blockDim.x);", "blockDim.x / 2);"),
        ("blockDim.x);", "x[0]);"),
        # Nothing orders what made it; it is made later, again, by others, or for one block.
        ("__syncthreads();", ""),
        (f"{INIT}\n    __syncthreads();", f"__syncthreads(); {INIT}"),
        ("s[t] = x[t];", f"{INIT} s[t] = x[t];"),
        (INIT, "init(&bar, blockDim.x);"),
        (INIT, "if (t < 2) init(&bar, blockDim.x);"),
        (INIT, "if (t == 1) init(&bar, blockDim.x);"),
        (INIT, "if (t == 0 && x[0] == 7) init(&bar, blockDim.x);"),
        (INIT, ""),
        ("s[t] = x[t];", "*(unsigned long *)&bar = 1; s[t] = x[t];"),
        ("s[t] = x[t];", "((char *)&s)[x[t]] = 1; memset(&bar, 0, 4); s[t] = x[t];"),
        # Who has arrived is not behind it, nor are others who have.
        ("y[t] = 0;", "y[t] = s[63 - t];"),
        ("y[t] = 0;", "s[t] = 1;"),
        ("y[t] = 0;", "s[t] = 1; __syncthreads(); s[t] = 2;"),
        # Arrivals that are not awaited, of some threads, or of more than one.
        ("auto token", "bar.arrive(); auto token"),
        ("auto token", "if (t < 32) bar.arrive_and_wait(); auto token"),
        ("auto token", "if (t < 32) bar.arrive(); auto token"),
        ("bar.arrive();", "bar.arrive(2);"),
        ("auto token", "bar.arrive_and_drop(); auto token"),
        (WAIT, f"if (t < 32) {WAIT}"),
        (WAIT, "auto again = bar.arrive(); bar.wait(std::move(token));"),
        ("auto token = bar.arrive();", "unsigned long token = 0;"),
        (WAIT, "token++; bar.wait(std::move(token));"),
        # Those who end, or go round more often, do not come.
        ("auto token", "if (t == 5) return; auto token"),
        ("auto token", "for (int i = 0; i < t; i++) bar.arrive_and_wait(); auto token"),
        ("thread_scope_block", "thread_scope_device"),
    ],
)
def test_what_is_wrong_is_not(old: str, new: str) -> None:
    assert said(old, new)[RACES] != "proved"


def test_tokens_of_another_barrier() -> None:
    text = KERNEL.replace(" bar;", " bar, two;").replace(
        INIT, "if (t == 0) { init(&bar, blockDim.x); init(&two, blockDim.x); }"
    )
    both = "auto other = two.arrive(); two.wait(std::move(other));"
    assert said(WAIT, f"{WAIT} {both}", text)[RACES] == "proved"
    mixed = "auto other = two.arrive(); two.wait(std::move(token));"
    assert said(WAIT, mixed, text)[RACES] != "proved"
    assert said(WAIT, "two.arrive_and_wait(); bar.wait(std::move(token));", text)[RACES] != "proved"
    assert said("init(&two, blockDim.x)", "init(&two, 1)", text)[RACES] == "proved"  # unused


def test_blocks_of_two_dimensions() -> None:
    text = KERNEL.replace("t = threadIdx.x", "t = threadIdx.x + 8 * threadIdx.y")
    assert said(text=text, block="(8,8)")[RACES] != "proved"
    whole = "init(&bar, blockDim.x * blockDim.y)"
    assert said("init(&bar, blockDim.x)", whole, text, "(8,8)")[RACES] == "proved"
    assert said("init(&bar, blockDim.x)", "init(&bar, 8)", text, "(8,8)")[RACES] != "proved"


def test_rounds_of_a_loop() -> None:
    found = said(text=ROUNDS)
    assert (found[RACES], found["barrier_uniform"]) == ("proved", "proved")
    once = ROUNDS.rsplit("        bar.arrive_and_wait();\n", 1)
    assert said(text="".join(once))[RACES] != "proved"
    assert said("i < n;", "i < n + t;", ROUNDS)[RACES] != "proved"
    carried = ROUNDS.replace("for (int", "auto token = bar.arrive();\n    for (int")
    begun = "bar.wait(std::move(token)); token = bar.arrive();"
    assert said("s[t] = i;\n        bar.arrive_and_wait();", f"s[t] = i; {begun}", carried)[
        RACES
    ] != "proved"  # fmt: skip


def test_each_block_has_its_own() -> None:
    text = ROUNDS.replace("int n", "int n, int b").replace(
        "if (t == 0)", "if (t == 0 && blockIdx.x == b)"
    )
    assert said(text=text)[RACES] != "proved"


def test_threads_of_a_warp() -> None:
    text = KERNEL.replace("y[t] = 0;", "y[t] = 0; __syncwarp();")
    assert said(text=text)[RACES] == "proved"
    assert said("y[t] = 0;", "s[t] = 3; y[t] = s[t ^ 1];", text)[RACES] != "proved"


@pytest.mark.parametrize(
    ("old", "new", "property", "verdict"),
    [
        # Executions do not count arrivals: behind a wait nothing is certain to happen.
        ("s[63 - t]", "s[64 - t]", "in_bounds", "unknown"),
        ("y[t] = 0", "y[t + 1] = 0", "in_bounds", "refuted"),
        ("y[t] = 0", "y[t / 2] = 0", "write_race_free", "unknown"),
        # Each thread reads what it wrote itself.
        ("s[63 - t]", "s[t]", RACES, "proved"),
        (WAIT, "", RACES, "refuted"),
        # Of one that may order nothing a wait may never end.
        ("blockDim.x);", "blockDim.x + 1);", "barrier_uniform", "unknown"),
    ],
)
def test_neighbours(old: str, new: str, property: str, verdict: str) -> None:
    assert said(old, new)[property] == verdict


def test_a_barrier_of_the_block_orders_as_ever() -> None:
    text = KERNEL.replace("blockDim.x);", "x[0]);")
    assert said(WAIT, f"{WAIT} __syncthreads();", text)[RACES] == "proved"
    assert said(WAIT, "bar.arrive_and_wait();", text)[RACES] == "unknown"


def test_a_block_whose_size_is_a_dim() -> None:
    text = KERNEL.replace("int *y", "int *y, int b")
    found = dict(
        verdict_of(
            check_kernel(
                text.replace("63 - t", "b - 1 - t").replace("s[64]", "s[1024]"),
                launch="grid=1 block=b", extents={"x": "b", "y": "b"},
            )
        )
    )  # fmt: skip
    assert found[RACES] == "proved"
