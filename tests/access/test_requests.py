"""bank_conflicts and sectors against the requests of every warp in executions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice, product
from math import inf, prod
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symcute.errors import InputError
from symcute.expr.expression import value_at
from symcute.expr.node import Node, Term
from symcute.expr.terms import add, at_most, evaluate, less, mul
from symcute.frontends.cuda import read_kernels
from symcute.frontends.cuda.target import CUDA
from symcute.hardware import memory
from symcute.hardware.architecture import architecture
from symcute.kernel.access_map import Access, AccessMap, Variable
from symcute.kernel.checking import PROPERTIES, check
from symcute.kernel.findings import GOOD, Finding, verdict_of
from symcute.kernel.ir.interpreter import run
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Array, Kernel
from symcute.kernel.ir.setting import Setting
from symcute.kernel.launch.notes import read_setting
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.requests import bank_conflicts, sectors
from symcute.kernel.properties.transactions import COUNTED, Serving
from symcute.kernel.sizes import Sizes
from symcute.kernel.symexec import symexecute
from symcute.recheck import check as check_document
from tests.access.cases import KERNELS
from tests.full import many, some

AT = Place("map.cu", 1, 1)
ASKED, SM90 = tuple(COUNTED), architecture("sm90")

TILE = """
// symcute: launch grid=(ceil_div(N,32),ceil_div(M,32)) block=(32,%(rows)s)
// symcute: arg m = M
// symcute: arg n = N
// symcute: extent a = M*N
// symcute: extent b = M*N
// symcute: assume M*N <= 2**20
__global__ void tile(int m, int n, const float *a, float *b) {
  __shared__ float t[32 * 40];
  int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * 32 + x;
  for (int r = 0; r < 32; r += %(rows)s) {
    int row = blockIdx.y * 32 + y + r;
    if (row < m && col < n) t[%(write)s] = a[row * n + col];
  }
  __syncthreads();
  int to = blockIdx.y * 32 + x;
  for (int r = 0; r < 32; r += %(rows)s) {
    int row = blockIdx.x * 32 + y + r;
    if (row < n && to < m) b[row * m + to] = t[%(read)s];
  }
}
"""
ONE = """
// symcute: launch %(launch)s
// symcute: extent x = 2**22
// symcute: extent out = 2**22
// symcute: assume n <= 64
%(notes)s
__global__ void one(int n, const %(type)s *x, float *out) {
  __shared__ __align__(16) %(type)s s[8192];
  int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x;
  %(body)s
}
"""
SIZES = (1, 5, 8, 31, 32, 33, 64)


def tile(write: str, read: str, rows: int = 8) -> str:
    return TILE % {"write": write, "read": read, "rows": rows}


def one(
    body: str, launch: str = "grid=(2) block=(64)", notes: str = "", type: str = "float"
) -> str:
    return ONE % {"body": body, "launch": launch, "notes": notes, "type": type}


@cache
def read(text: str) -> Kernel:
    (kernel,) = read_kernels(text).kernels.values()
    return kernel


def measured(
    kernel: Kernel, setting: Setting, at: Mapping[str, int]
) -> dict[tuple[Place, str], int]:
    """Return the most that a request of each access costs in an execution, grouped here anew."""
    x, y, _ = (value_at(e, at) for e in setting.block)
    spaces = {a.name: a.space for a in kernel.arrays}
    trace = run(kernel, setting, at, limit=400_000)
    assert not trace.unsupported
    lanes: dict[tuple[Any, ...], list[int | None]] = defaultdict(lambda: [None] * 32)
    for t in trace.accesses:
        n = t.thread[0] + x * (t.thread[1] + y * t.thread[2])
        key = (t.place, t.kind, t.array, t.width, t.block, n // 32, t.rounds)
        assert lanes[key][n % 32] is None
        lanes[key][n % 32] = t.offset
    found: dict[tuple[Place, str], int] = defaultdict(int)
    for (place, kind, array, width, *_), addresses in lanes.items():
        if spaces[array] == "shared":
            waves = memory.shared_wavefronts(addresses, width, store=kind == "write")
            cost = max(0, waves - max(1, width // 4))
        else:
            cost = memory.sectors(addresses, width)
        found[place, kind] = max(found[place, kind], cost)
    return found


def bound_of(text: str) -> int:
    return 0 if text.startswith("no ") else int(text.split()[2])


def bounds(kernel: Kernel, setting: Setting) -> dict[object, tuple[int, Finding]]:
    """Return what is proved of each access, by its place and kind."""
    found: dict[object, tuple[int, Finding]] = {}
    for f in check(kernel, setting, ASKED, hints=0):
        if not f.subject:
            assert f.status == "not applicable" and f.count == 0
            continue
        assert f.status == "proved", str(f) + f.reason
        number = bound_of(f.text.split(": ")[1])
        key = f.place, {"read": "read", "writ": "write"}[f.text[:4]]
        if key not in found or found[key][0] < number:  # an unrolled loop has several
            found[key] = number, f
    return found


EXACT = {
    "plain": tile("(y + r) * 32 + x", "x * 32 + y + r"),
    "padded": tile("(y + r) * 33 + x", "x * 33 + y + r"),
    "padded by two": tile("(y + r) * 34 + x", "x * 34 + y + r"),
    "swizzled": tile("(y + r) * 32 + (x ^ (y + r))", "x * 32 + (x ^ (y + r))"),
    "square block": tile("(y + r) * 36 + x", "x * 36 + y + r", rows=32),
    "strided": one("out[tx] = x[2 * tx];"),
    "any stride": one("s[tx * n] = 1; __syncthreads(); out[tx] = s[tx * n + 1];"),
    "float4": one("((float4 *)out)[tx] = ((const float4 *)x)[tx + bx * 64];"),
    "float4 in a tile": one("((float4 *)s)[tx] = make_float4(1, 2, 3, 4); __syncthreads();"
                            "((float4 *)out)[tx] = ((float4 *)s)[(tx % 8) * 9 + tx / 8];"),
    "float2 columns": one("((float2 *)s)[tx * 16] = make_float2(1, 2); __syncthreads();"
                          "((float2 *)out)[tx] = ((float2 *)s)[tx / 2 * 16];"),
    "broadcast": one("if (tx == 0) s[0] = x[0]; __syncthreads(); out[tx] = s[0];"),
    "bytes": one("s[tx] = 1; __syncthreads(); out[tx] = s[tx * 4 + 1];", type="char"),
    "small rows": one("s[ty * 17 + tx] = x[ty * n + tx]; __syncthreads(); out[tx] = s[tx * 17];",
                      "grid=(1) block=(16,4)"),
    "odd block": one("s[tx * 8 + ty] = 1; __syncthreads(); out[ty * 5 + tx] = s[ty * 16 + tx];",
                     "grid=(1) block=(5,7,2)"),
    "interleaved": one("for (int d = 1; d < 64; d *= 2) { int i = 2 * d * tx;"
                       "if (i < 64) s[i] = 1; __syncthreads(); }"),
    "grid stride": one("for (int i = bx * 64 + tx; i < n; i += 128) out[i] = x[i];"),
    "rows of eight": one("out[bx * 8 * n + tx] = 1;", "grid=(3) block=(32)"),
    "offset": one("out[tx + 1] = x[tx + n];"),
    "half of the lanes": one("if (tx % 2 == 0) s[tx * 32] = 1;"),
}  # fmt: skip


@pytest.mark.parametrize("name", some([*EXACT], 3))
def test_what_is_proved_is_the_most_that_executions_need(name: str) -> None:
    kernel = read(EXACT[name])
    setting = read_setting(kernel)
    proved = bounds(kernel, setting)
    most: dict[object, int] = defaultdict(int)
    names = sorted({"M", "N"} if "M*N" in EXACT[name] else {"n"})
    points = [(33, 35), (5, 40), (64, 9)] if len(names) == 2 else [(s,) for s in SIZES]
    for values in points:
        for key, cost in measured(kernel, setting, dict(zip(names, values, strict=True))).items():
            most[key] = max(most[key], cost)
    assert most == {key: number for key, (number, _) in proved.items()}


def test_proofs_that_are_claims_have_certificates_that_hold() -> None:
    checked = 0
    for name in ("padded", "any stride", "float4 in a tile", "offset"):
        kernel = read(EXACT[name])
        for finding in check(kernel, read_setting(kernel), ASKED, certificates=True):
            for line in finding.certificates:
                assert check_document(line["certificate"]).status == "checked"
                checked += 1
    assert checked >= 8


@pytest.mark.parametrize(
    ("text", "limit", "status"),
    [
        (tile("(y + r) * 33 + x", "x * 33 + y + r"), "t <= 0", "proved"),
        (tile("(y + r) * 32 + x", "x * 32 + y + r"), "t <= 0", "refuted"),
        pytest.param(tile("(y + r) * 34 + x", "x * 34 + y + r"), "t <= 0", "refuted",
                     marks=pytest.mark.full),
        (tile("(y + r) * 34 + x", "x * 34 + y + r"), "t <= 1", "proved"),
        (tile("(y + r) * 32 + (x ^ (y + r))", "x * 32 + (x ^ (y + r))"), "t <= 0", "proved"),
        (tile("(y + r) * 32 + (x ^ y)", "x * 32 + (x ^ (y + r)) / 2"), "t <= 0", "refuted"),
        (one("out[tx] = x[2 * tx];"), "x <= 8", "proved"),
        (one("out[tx] = x[2 * tx];"), "x <= 7", "refuted"),
        (one("out[tx] = x[tx + n];"), "x <= 5", "proved"),
        (one("out[tx] = x[tx + n];"), "x <= 4", "refuted"),
        (one("out[tx] = x[tx + n];", notes="// symcute: assume n % 8 == 0"), "x <= 4", "proved"),
        (one("out[tx] = x[tx * n];"), "x <= 31", "refuted"),
        (EXACT["interleaved"], "s <= 1", "proved"),
        (EXACT["interleaved"], "s <= 0", "refuted"),
        (one("out[tx] = x[tx];", notes="// symcute: align x = 4"),
         "x <= 4", "unknown"),
    ],
)  # fmt: skip
def test_limits(text: str, limit: str, status: str) -> None:
    kernel = read(text)
    setting = read_setting(kernel, limits=[limit])
    array, _, most = limit.split()
    found = check(kernel, setting, ASKED, hints=0)
    of_array = [f for f in found if f.subject.endswith(f" {array}")]
    assert set(verdict_of(of_array).values()) == {status}
    for f in of_array:
        if f.status == "refuted":
            assert f.counterexample is not None
            costs = measured(kernel, setting, f.counterexample.dims)
            assert max(c for (place, _), c in costs.items() if place == f.place) > int(most)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (one("out[tx] = x[(int)x[tx] & 1023];", type="int"), "what each has of its own"),
        (one("atomicAdd(out + tx, 1.0f);"), "atomics"),
        (one("out[ty * 8 + tx] = 1;", "grid=(1) block=(n,2)"), "which threads are a warp"),
        (one("float4 v = *(const float4 *)(x + n + 4 * tx); out[tx] = v.x;"), "aligned"),
        (one("float4 v = ((float4 *)x)[tx]; out[tx] = v.x;", notes="// symcute: align x = 4"),
         "align x"),
        (one("out[(bx * 64 + tx) % n] = 1;", "grid=(n*n*n) block=(64)"), "not at distances"),
    ],
)  # fmt: skip
def test_what_is_not_known_is_said(text: str, reason: str) -> None:
    kernel = read(text)
    found = [f for f in check(kernel, read_setting(kernel), ASKED, hints=0) if f.status not in GOOD]
    assert {f.status for f in found} == {"unknown"}
    assert any(reason in f.reason for f in found), [f.reason for f in found]


def test_a_guard_on_what_each_lane_has_of_its_own_switches_off_none() -> None:
    body = "if (((const unsigned char *)x)[tx] % 2 == tx % 2) s[tx * 32] = 1;"
    kernel = read(one(body))
    setting = read_setting(kernel)
    proved = {f.text.split(" ")[0]: f for f in check(kernel, setting, ["bank_conflicts"])}
    assert "at most 31" in proved["write"].text


def test_nothing_is_asked_without_a_limit() -> None:
    kernel = read(EXACT["strided"])
    assert not set(ASKED) & set(PROPERTIES)
    assert not {f.property for f in check(kernel, read_setting(kernel))} & set(ASKED)
    limited = check(kernel, read_setting(kernel, limits=["x <= 8"]))
    (found,) = (f for f in limited if f.property in ASKED)
    assert found.status == "proved" and found.subject == "read of x"


def test_an_index_that_wraps_leaves_it_open() -> None:
    text = one("out[tx + (tx + n * 2000000000) / 4] = 1;", notes="// symcute: assume n >= 2")
    kernel = read(text)
    (finding,) = check(kernel, read_setting(kernel), ["sectors"])
    assert finding.status == "unknown" and "may wrap" in finding.reason


@pytest.mark.parametrize("limit", ["q <= 1", "x < 1", "x <= n", "x <= -1"])
def test_bad_limits(limit: str) -> None:
    with pytest.raises(InputError):
        read_setting(read(EXACT["strided"]), limits=[limit])


def test_a_limit_for_the_wrong_memory() -> None:
    kernel = read(one("s[tx] = 1;", notes="// symcute: sectors s <= 4"))
    with pytest.raises(InputError, match="shared memory"):
        read_setting(kernel)


@pytest.mark.full
@pytest.mark.parametrize("path", some(sorted(KERNELS.glob("*.cu")), 4, 1, 4), ids=lambda p: p.stem)
def test_no_kernel_costs_more_than_is_proved(path: Path) -> None:
    compared = 0
    for kernel in read_kernels(path).kernels.values():
        context = Context(symexecute(kernel, setting := read_setting(kernel)), setting)
        most: dict[object, float] = defaultdict(int)
        for q in (*bank_conflicts(context), *sectors(context)):
            answer = q.quick()
            key = q.place, q.accesses[0].kind
            shown = answer.status == "proved" and not q.unsupported
            most[key] = max(most[key], bound_of(answer.said) if shown else inf)
        for dims in islice(Sizes(kernel, context).instances(), 6):
            try:
                costs = measured(kernel, setting, dims)
            except (AssertionError, InputError):
                continue  # not understood, or not aligned
            # Nothing is asked of private and constant arrays.
            asked = {key: cost for key, cost in costs.items() if key in most}
            assert all(cost <= most[key] for key, cost in asked.items())
            compared += len(asked)
    assert compared > 10


# --- random maps ----------------------------------------------------------------------------------

BLOCKS = [(32,), (64,), (40,), (20,), (32, 3), (16, 4), (8, 3), (5, 7), (4, 2, 6), (64, 2)]
N_VALUES, K_VALUES = range(1, 9), range(2)


@st.composite
def cases(draw: st.DrawFn) -> tuple[Context, Access, tuple[int, ...]]:
    block = draw(st.sampled_from(BLOCKS))
    x, y, z = (*block, 1, 1)[:3]
    size = (x, y, z)
    axes = [a for a, n in zip(("tx", "ty", "tz"), size, strict=True) if n > 1]
    width = draw(st.sampled_from([1, 2, 4, 4, 8, 16]))

    def index() -> Term:
        total: Term = draw(st.integers(0, 3))
        for name in (*axes, "k", "N"):
            factors: list[Term] = [0, 1, 1, 2, 3, 8, 16, 33, "N"]
            total = add(total, mul(name, draw(st.sampled_from(factors))))
        turn = draw(st.sampled_from(["", "", "", "", "^", "%", "//", "&"]))
        other = draw(st.sampled_from([*axes, "k"])) if turn == "^" else draw(st.integers(1, 40))
        return Node(turn, total, other) if turn else total

    space = draw(st.sampled_from(["shared", "global"]))
    offset = mul(add(index(), draw(st.sampled_from([0, "tx", mul("N", 8)]))), width)
    guard: list[Term] = [at_most(0, "k"), at_most("k", K_VALUES[-1])]
    for name, n in zip(("tx", "ty", "tz"), size, strict=True):
        guard += [at_most(0, name), less(name, n)] if n > 1 else []
    if draw(st.booleans()):
        relation = draw(st.sampled_from(["<", "<=", "!="]))
        guard.append(Node(relation, index(), draw(st.integers(1, 50))))
    variables = [Variable(a, "thread") for a in axes] + [Variable("k", "round", True, "L")]
    kind = draw(st.sampled_from(["read", "write"]))
    start = draw(st.sampled_from([width, 16, 32])) if width < 16 else 16
    array = Array("x", space, 4, 1 << 20, start, AT, "x")
    access = Access("x", kind, offset, width, tuple(guard), tuple(variables), (), AT)
    facts: tuple[Term, ...] = (at_most(1, "N"), at_most("N", N_VALUES[-1]))
    map = AccessMap("k", CUDA, (array,), (access,), (), (), (), facts, frozenset({"N"}))
    alignment = {"x": start}
    setting = Setting((1, 1, 1), size, alignment=alignment)
    return Context(map, setting), access, size


def requests(access: Access, size: tuple[int, ...]) -> Iterator[list[int | None]]:
    x, y, _ = size
    for n, k, warp in product(N_VALUES, K_VALUES, range(-(-prod(size) // 32))):
        lanes: list[int | None] = []
        for i in range(32 * warp, min(32 * warp + 32, prod(size))):
            at = {"N": n, "k": k, "tx": i % x, "ty": i // x % y, "tz": i // x // y}
            met = all(evaluate(g, at) for g in access.guard)
            lanes.append(int(evaluate(access.offset, at)) if met else None)
        yield lanes


TALLY: Counter[str] = Counter()


@settings(max_examples=many(20, 400), deadline=None)
@given(cases())
def test_random_maps(case: tuple[Context, Access, tuple[int, ...]]) -> None:
    context, access, size = case
    space = context.arrays["x"].space
    name = "bank_conflicts" if space == "shared" else "sectors"
    (question,) = (bank_conflicts if space == "shared" else sectors)(context)
    answer = question.quick()
    TALLY[answer.status] += 1
    if answer.status != "proved":
        assert answer.reason
        return
    most = bound_of(answer.said)
    start = context.setting.alignment["x"]
    unit = 32 if space == "global" else max(4, access.width)
    serving = Serving(name, access.width, start, SM90, access.kind == "write")
    for lanes in requests(access, size):
        for shift in range(0, unit, start) if start < unit else (0,):
            moved = [None if x is None else x + shift for x in lanes]
            assert serving.cost(moved) <= most


def test_most_random_maps_are_decided() -> None:
    assert TALLY["proved"] >= 20 and TALLY["proved"] >= 0.6 * TALLY.total()


@given(
    st.lists(st.integers(0, 80), min_size=32, max_size=32),
    st.sets(st.integers(0, 31)),
    st.sampled_from([1, 2, 4, 8, 16]),
    st.booleans(),
    st.sampled_from(ASKED),
    st.sampled_from([1, 2, 4]),
)
def test_lanes_that_are_switched_off_only_lower_the_cost(
    at: list[int], off: set[int], width: int, store: bool, name: str, repeat: int
) -> None:
    every: list[int | None] = [at[n // repeat] * width for n in range(32)]
    fewer = [None if n in off else x for n, x in enumerate(every)]
    serving = Serving(name, width, 32, SM90, store)
    assert serving.cost(fewer) <= serving.cost(every)
