"""Inline PTX: what touches memory or orders it is modelled or not understood, never passed over."""

from __future__ import annotations

from typing import Any

import pytest

from symcute.frontends.cuda import read_kernels
from symcute.frontends.llvm.source import read_through_llvm
from symcute.kernel.ir.inside import every
from symcute.kernel.ir.program import Atomic, Barrier, If, Load, NotUnderstood, Store
from symcute.kernel.launch.sources import check_kernel
from tests.access.lowered import program, unsupported
from tests.full import some


def accesses(inside: str) -> list[tuple[str, int]]:
    """Return kinds and widths of the accesses of a kernel in which all is understood."""
    found = program(inside)
    assert not unsupported(found)
    steps = (s for s in every(found.body) if isinstance(s, Load | Store | Atomic | Barrier))
    return sorted((type(s).__name__, getattr(s, "width", 0)) for s in steps)


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ('asm("ld.global.u32 %0, [%1];" : "=r"(n) : "l"(x));', [("Load", 4)]),
        ('asm volatile("{ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4+16];}"'
         ' : "=f"(r[0]), "=f"(r[1]), "=f"(r[2]), "=f"(r[3]) : "l"(x));',
         [("Load", 16), *[("Store", 4)] * 4]),
        ('asm("st.global.b64 [%0], %1;" :: "l"(x), "l"(8ll) : "memory");', [("Store", 8)]),
        ('asm("st.global.v2.b16 [%[to]], {%[v], %[v]};" :: [to] "l"(x), [v] "h"((short)1));',
         [("Store", 4)]),
        ('asm("red.global.add.f32 [%0], %1;" :: "l"(x), "f"(1.f));', [("Atomic", 4)]),
        ('asm("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(n) : "l"(x), "r"(m), "r"(n));',
         [("Atomic", 4)]),
        ('asm("bar.sync 0;");', [("Barrier", 0)]),
        ('asm("barrier.sync %0;" :: "n"(1));', [("Barrier", 0)]),
        ('asm("bar.warp.sync 0xffffffff;");', [("Barrier", 0)]),
        ('asm("membar.gl; fence.acq_rel.gpu;");', []),
        ('asm("" ::: "memory");', []),
        ('asm("griddepcontrol.wait;"); asm("prefetch.global.L2 [%0];" :: "l"(x));', []),
        ('asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0}, {%1}, {%2}, {%0};"'
         ' : "+r"(n) : "r"(m), "r"(m));', []),
        ('asm("{.reg .pred p; setp.ne.b32 p, %0, 0; @p st.global.u8 [%1], 0;}" :: "r"(n), "l"(x));',
         [("Store", 1)]),
        ('asm("ld.global.u32 %0, [%1]; // bar.sync 0;\\n" : "=r"(n) : "l"(x));', [("Load", 4)]),
    ],
)  # fmt: skip
def test_what_instructions_do(inside: str, expected: list[tuple[str, int]]) -> None:
    assert accesses("float r[4]; " * ("r[0]" in inside) + inside) == expected


SETP = 'asm("{.reg .pred p, q; setp.ne.b32 p, %0, 0; '


@pytest.mark.parametrize(
    "inside",
    [
        'asm("cp.async.bulk.shared::cluster.global [%0], [%1], 16;" :: "l"(x), "l"(x));',
        'asm("mbarrier.arrive.shared.b64 _, [%0];" :: "r"(n));',
        'asm("wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%0}, [%1], %2;"'
        ' : "=r"(n) : "l"(x), "r"(m));',
        'asm("bar.sync 1, 64;");',
        'asm("bar.sync 16;");',  # there are 16 of them
        'asm("bar.arrive 1, 64;");',
        'asm("bar.sync 0; mov.u32 %0, 1;" : "=r"(n));',  # a compiler may move it
        'asm("bar.sync %0;" :: "r"(n));',
        'asm("st.local.u32 [%0], 1;" :: "l"(x));',
        'asm("ld.const.u32 %0, [%1];" : "=r"(n) : "l"(x));',
        'asm("ld.param::func.u32 %0, [%1];" : "=r"(n) : "l"(x));',
        'asm("st.shared.u32 [%0], 1;" :: "r"(n));',  # an address of unknown origin
        'asm("st.shared.u32 [%0], 1;" :: "l"(x));',
        'asm("st.global.u32 [%0], 1;" :: "l"((long)n));',
        'asm("st.global.u32 [%0 + %1], 1;" :: "l"(x), "r"(n));',
        'asm("st.async.shared::cluster.u32 [%0], 1, [%1];" :: "r"(n), "r"(n));',
        'asm("{.reg .pred p; @p st.global.u32 [%0], 1;}" :: "l"(x));',
        'asm("{.reg .pred p; setp.lt.s32 p, %0, 9; @p st.global.u32 [%1], 1;}" :: "r"(n), "l"(x));',
        'asm("W: bra W;");',
        'asm("W: st.global.u32 [%0], 1; bra W;" :: "l"(x));',
        'asm("{.reg .pred p; bra D; W: mbarrier.try_wait.shared.b64 p, [%0], 0; @p bra W; D: }"'
        ' :: "r"((unsigned)__cvta_generic_to_shared(s)));',
        'asm("mbarrier.arrive.shared.b64 _, [%0], [%0];" :: "r"(n));',
        'asm("wgmma.mma_sync;");',
        'asm("cp.async.bulk.tensor.1d.shared::cluster.global [%0], [%1, {%2}];"'
        ' :: "r"(n), "l"(x), "r"(n));',
        'asm("exit;");',
        'asm("call f;");',
        '\n#define ST "st.global.u32 [%0], 1;"\nasm(ST :: "l"(x));',
        '\n#define ST "st.global.u32 [%0], 1;"\nasm("mov.u32 a, 1;" ST :: "l"(x));',
        "\n#define MOVE(a) asm(#a)\nMOVE(bar.sync 0;);",
        'asm(R"(bar.sync 0;)");',
        # A predicate that is written again, or another of its name; a number that no int is.
        SETP + 'not.pred p, p; @p st.global.u32 [%1], 1;}" :: "r"(n), "l"(x));',
        SETP + 'setp.eq.b32 p|q, %0, 0; @p st.global.u32 [%1], 1;}" :: "r"(n), "l"(x));',
        SETP + 'setp.eq.or.b32 p, %0, 0, p; @p st.global.u32 [%1], 1;}" :: "r"(n), "l"(x));',
        SETP + '{.reg .pred p; setp.eq.b32 p, %0, 0;} @p st.global.u32 [%1], 1;}"'
        ' :: "r"(n), "l"(x));',
        SETP.replace(", 0;", ", 4294967296;") + '@p st.global.u32 [%1], 1;}" :: "r"(n), "l"(x));',
        # What is only read is written; a comment ends where it does not seem to.
        'asm("add.u64 %0, %0, 4; st.global.u32 [%0], 1;" :: "l"(x));',
        'asm("// \\x0a st.global.u32 [%0], 1;" :: "l"(x));',
        'asm("ld.f32 %0, [%1];" : "=r"(n) : "l"(__cvta_generic_to_shared(x)));',
    ],
)
def test_what_has_no_rule(inside: str) -> None:
    found = unsupported(program(inside))
    assert found
    assert any(d.arrays is None and d.barrier for d in found)


SHARED = "__shared__ __align__(16) int s[64], t[4]; unsigned a; "
ADDRESS = '"r"((unsigned)__cvta_generic_to_shared(s))'
ORDER = ("order", (), False)


@pytest.mark.parametrize(
    ("inside", "touched", "said"),
    [
        ('asm("cp.async.bulk.commit_group;");', [], [ORDER]),
        ('asm("wgmma.fence.sync.aligned;"); asm("wgmma.commit_group.sync.aligned;");',
         [("Barrier", 0)] * 2, []),
        ('asm("barrier.cluster.arrive;");', [], [("order", (), True)]),
        (f'asm("mbarrier.inval.shared::cta.b64 [%0];" :: {ADDRESS});', [("Store", 8)], []),
        (f'asm("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 64;" :: {ADDRESS});',
         [("Atomic", 8)], [ORDER]),
        ('t[0] = n; asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0}, 1, 2, p,'
         ' 1, 1, 0, 0;" : "+f"(f[0])); s[0] = n;', [("Barrier", 0), *[("Store", 4)] * 3],
         [("access", ("s", "t"), False)]),
        ('asm("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 16,'
         f' [%0];" :: {ADDRESS}, "l"(x));', [], [("access", ("s", "x"), False)]),
        ('asm("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%1, {%2}], [%0];"'
         f' :: {ADDRESS}, "l"(x), "r"(n));', [],
         [("access", ("s", "x"), False), ("inside", None, False)]),
        ('asm("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0],'
         f' [%1, {{%2}}], [%0];" :: {ADDRESS}, "l"(x), "r"(n));', [],
         [("access", ("s", "x"), False), ("order", None, False)]),
    ],
)  # fmt: skip
def test_what_happens_on_its_own(
    inside: str, touched: list[tuple[str, int]], said: list[tuple[str, object, bool]]
) -> None:
    found = program(SHARED + inside)
    steps = (s for s in every(found.body) if isinstance(s, Load | Store | Atomic | Barrier))
    assert sorted((type(s).__name__, getattr(s, "width", 0)) for s in steps) == touched
    assert [(d.effect, d.arrays, d.barrier) for d in unsupported(found)] == said


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("bar.sync 0; mov.u32 %0, 1;", True),
        ("fence.proxy.async; mov.u32 %0, 1;", True),
        ("wgmma.fence.sync.aligned; mov.u32 %0, 1;", True),
        ("mov.u32 %0, 1;", False),
    ],
)
@pytest.mark.parametrize("volatile", some([True, False], 2))
def test_what_has_to_stay_to_order(text: str, orders: bool, volatile: bool) -> None:
    """What is not volatile, and gives something, a compiler may move, or leave out."""
    inside = f'int y; asm {"volatile" if volatile else ""} ("{text}" : "=r"(y)); x[0] = y;'
    source = f"__global__ void k(int *x, int n) {{ {inside} }}"
    (through_llvm,) = read_through_llvm(source, timeout=600).kernels.values()
    for kernel in (program(inside), through_llvm):
        assert bool(unsupported(kernel)) is (orders and not volatile)


# --- addresses within shared memory, and asynchronous copies --------------------------------------

HEAD = r"""
#define COPY(t, f) asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" :: "r"(t), "l"(f))
#define COMMIT() asm volatile("cp.async.commit_group;\n" ::)
#define WAIT(n) asm volatile("cp.async.wait_group %0;\n" ::"n"(n))
static __device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__global__ void k(int *a, int *o, int n) {
  __shared__ __align__(16) int s[1024];
  int i = threadIdx.x;
"""
SETTING = "grid=1 block=256"


def verdicts(body: str) -> dict[str, str]:
    """Return the verdicts on a kernel of 256 threads, with a[1024] and o[1024]."""
    found = check_kernel(HEAD + body + "\n}\n", launch=SETTING, extents={"a": "1024", "o": "1024"})
    names = {"in_bounds", "read_write_race_free", "write_race_free", "barrier_uniform", "aligned"}
    return {f.property: f.status for f in reversed(found) if f.property in names}


GOOD = "COPY(at(&s[4 * i]), a + 4 * i); COMMIT(); WAIT(0); __syncthreads(); o[i] = s[i ^ 1];"
PIPELINE = """__pipeline_memcpy_async(&s[4 * i], a + 4 * i, 16); __pipeline_commit();
  __pipeline_wait_prior(0); __syncthreads(); o[i] = s[i ^ 1];"""


@pytest.mark.parametrize(
    ("body", "wrong"),
    some([
        (GOOD, {}),
        (GOOD.replace("at(&s[4 * i])", "at(s) + i * 16"), {}),
        (GOOD.replace("WAIT(0)", 'asm volatile("cp.async.wait_all;")'), {}),
        (GOOD.replace("WAIT(0)", "constexpr int stages = 2; WAIT(stages - 2)"), {}),
        (PIPELINE, {}),
        ("for (int j = 0; j < 2; j++) { COPY(at(&s[4 * i]), a + 4 * i); COMMIT(); WAIT(0);"
         " __syncthreads(); o[i] = s[i ^ 1]; __syncthreads(); }", {}),
        # Beyond the end, not aligned, one barrier missing.
        (GOOD.replace("4 * i])", "4 * i + 4])"), {"in_bounds"}),
        (GOOD.replace("a + 4 * i)", "a + 4 * i + 1)"), {"in_bounds", "aligned"}),
        (GOOD.replace("__syncthreads();", ""), {"read_write_race_free"}),
        (GOOD.replace("4 * i]", "0]"), {"write_race_free"}),
        # The wait is missing, comes too late, or leaves the last group.
        (GOOD.replace("WAIT(0);", ""), {"read_write_race_free"}),
        (GOOD.replace("WAIT(0);", "WAIT(1);"), {"read_write_race_free"}),
        # The copy is of no group, or not in all threads; waiting for all needs none.
        (GOOD.replace("COMMIT();", ""), {"read_write_race_free"}),
        ("COMMIT(); " + GOOD.replace("COMMIT();", ""), {"read_write_race_free"}),
        (GOOD.replace("COMMIT();", "if (i < n) COMMIT();"), {"read_write_race_free"}),
        (PIPELINE.replace("__pipeline_commit();", ""), {"read_write_race_free"}),
        (GOOD.replace("COMMIT();", "").replace("WAIT(0)", 'asm volatile("cp.async.wait_all;")'),
         {}),
        (GOOD.replace("WAIT(0); __syncthreads();", "__syncthreads(); WAIT(0);"),
         {"read_write_race_free"}),
        (GOOD.replace("WAIT(0);", "int v = s[4 * i]; o[i + 256] = v; WAIT(0);"),
         {"read_write_race_free"}),
        (GOOD.replace("WAIT(0);", "a[4 * i] = 1; WAIT(0);"), {"read_write_race_free"}),
        (GOOD.replace("WAIT(0);", "if (i < n) WAIT(0);"), {"read_write_race_free"}),
        ("for (int j = 0; j < 2; j++) { if (j) o[i] = s[i ^ 1]; __syncthreads();"
         " COPY(at(&s[4 * i]), a + 4 * i); COMMIT(); } WAIT(0);", {"read_write_race_free"}),
    ], 3),
)  # fmt: skip
def test_asynchronous_copies(body: str, wrong: set[str]) -> None:
    found = verdicts(body)
    assert {name for name, said in found.items() if said != "proved"} >= set(wrong)
    if not wrong:
        assert set(found.values()) == {"proved"}


def test_an_address_made_a_number_of_something_else() -> None:
    use = 'asm("st.shared.u32 [%0], 1;" :: "r"(p));'
    for made in ("at(a)", "at(s); p = p * 2", "at(s); p ^= 4"):
        body = f"unsigned p = {made}; {use}"
        (kernel,) = read_kernels(HEAD + body + "\n}\n").kernels.values()
        assert any(isinstance(s, NotUnderstood) and s.arrays is None for s in every(kernel.body))


@pytest.mark.parametrize("address", ["&s[i]", "i < 4 ? a + i : s + i", "held + i % 2"])
@pytest.mark.parametrize("access", ["ld.global.u32 %0, [%1];", "ld.global.nc.u32 %0, [%1];"])
def test_an_address_of_global_memory_that_may_lie_elsewhere(address: str, access: str) -> None:
    reads = f'asm("{access}" : "=r"(v) : "l"({address}));'
    body = f"int held[2] = {{1, 1}}, v; {reads} o[i] = v + held[i % 2];"
    (kernel,) = read_kernels(HEAD + body + "\n}\n").kernels.values()
    assert any(isinstance(s, NotUnderstood) and s.barrier for s in every(kernel.body))
    generic = body.replace("ld.global.nc", "ld").replace("ld.global", "ld")
    (kernel,) = read_kernels(HEAD + generic + "\n}\n").kernels.values()
    assert not any(isinstance(s, NotUnderstood) for s in every(kernel.body))


@pytest.mark.parametrize(("many", "lanes"), [("x1", 8), ("x2", 16), ("x4", None)])
def test_lanes_that_name_rows_of_a_matrix(many: str, lanes: int | None) -> None:
    outputs = {"x1": 1, "x2": 2, "x4": 4}[many]
    named = ", ".join(f"%{n}" for n in range(outputs))
    body = f"""unsigned r[4]; asm volatile("ldmatrix.sync.aligned.m8n8.{many}.trans.shared.b16
{{{named}}}, [%{outputs}];" : {", ".join(f'"=r"(r[{n}])' for n in range(outputs))}
 : "r"(at(&s[4 * i])));""".replace("\n{", " {")
    (kernel,) = read_kernels(HEAD + body + "\n}\n").kernels.values()
    steps: list[Any] = list(every(kernel.body))
    assert not any(isinstance(s, NotUnderstood) for s in steps)
    assert any(isinstance(s, Load) and s.width == 16 for s in steps)
    guards = [s.test.right.value for s in steps if isinstance(s, If)]
    assert guards == ([] if lanes is None else [lanes])


LATE = """__device__ void elsewhere(int *p);
__device__ void moved(int at) {{ at += 16; }}
__device__ void shifted(int &at) {{ at += 16; }}
__global__ void k(int n) {{
  __shared__ __align__(16) char raw[{bytes}];
  int at;
  at = (int)__cvta_generic_to_shared(raw);
  {between}
  int t;
  t = threadIdx.x + 1;
  asm volatile("st.shared.v4.b32 [%0], {{%1,%1,%1,%1}};" :: "r"(at + t * 16), "r"(n));
}}
"""


@pytest.mark.parametrize(
    ("bytes", "between", "bounds"),
    [
        (1040, "", "proved"),
        (1024, "", "refuted"),  # one row too few
        (1040, "{ int at; at = n; }", "proved"),  # of another
        # It is set again.
        (1056, "if (n) at = at + 16;", "proved"),
        (1040, "if (n) at = at + 16;", "refuted"),
        (1072, "for (int r = 0; r < 2; r++) at += 16;", "proved"),
        (1056, "for (int r = 0; r < 2; r++) at += 16;", "refuted"),
        # What it held is kept.
        (1040, "int was = at; at += 16; at = was;", "proved"),
        (1056, "int was = at; at += 16; was = at; at = was;", "proved"),
        (1040, "int was = at; at += 16; was = at; at = was;", "refuted"),
        (1056, "at = at++ + 16;", "proved"),
        (1040, "at = (at += 16);", "refuted"),
        (1056, "int *p = &at; *p += 16;", "proved"),
        (1040, "int *p = &at; *p += 16;", "refuted"),
        (1040, "moved(at);", "proved"),  # a copy
        (1056, "shifted(at);", "proved"),
        (1040, "shifted(at);", "refuted"),
        # It may hold anything.
        (1056, "if (n) at = n;", "unknown"),
        (1056, "at ^= 16;", "unknown"),
        (1056, "if (n) at = at * 2;", "unknown"),
        (1056, 'asm volatile("mov.u32 %0, 0;" : "=r"(at));', "unknown"),
        (1056, "elsewhere(&at);", "unknown"),
        (1056, "at += 16; elsewhere(&at);", "unknown"),
    ],
)
def test_an_address_that_a_variable_is_set_to_behind_its_declaration(
    bytes: int, between: str, bounds: str
) -> None:
    text = LATE.format(bytes=bytes, between=between)
    found = check_kernel(text, launch="grid=1 block=64", properties=["in_bounds"])
    assert {f.status for f in found} == {bounds}


@pytest.mark.parametrize(
    ("block", "guard", "proved"),
    [
        ("128", "1", True),
        ("256", "threadIdx.x < 128", True),
        ("256", "threadIdx.x / 128 == 1", True),
        ("64,4", "threadIdx.y / 2 == 1", True),
        ("128", "threadIdx.x < 64", False),
        ("128", "threadIdx.x / 32 != 3", False),
        ("256", "threadIdx.x >= 96 && threadIdx.x < 224", False),
        ("64,4", "threadIdx.y == 1", False),
        # The group has no fourth warp.
        ("96", "1", False),
        ("64", "1", False),
        ("160", "threadIdx.x < 128 || threadIdx.x > 0", False),
    ],
)
def test_all_of_a_warpgroup_have_to_come(block: str, guard: str, proved: bool) -> None:
    text = f"""
    __global__ void k() {{
      if ({guard}) asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
      if ({guard}) asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
      if ({guard}) asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    }}
    """
    found = check_kernel(text, launch=f"grid=(1) block=({block})", properties=["barrier_uniform"])
    assert {f.status for f in found} == {"proved" if proved else "unknown"}


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ('asm volatile("bar.sync 1;")', 'asm volatile("bar.sync 1;")', "unknown"),
        ("__barrier_sync(1)", "__barrier_sync(1)", "unknown"),
        ('asm volatile("bar.sync 1;")', 'asm volatile("bar.sync 2;")', "refuted"),
        ("__syncthreads()", "__syncthreads()", "refuted"),  # CUDA asks for one decision of all
    ],
)
def test_warps_meet_at_one_number_of_a_barrier_wherever_it_stands(
    first: str, second: str, expected: str
) -> None:
    text = f"\n__global__ void k() {{ if (threadIdx.x < 32) {first}; else {second}; }}\n"
    told = check_kernel(text, launch="grid=1 block=64", properties=["barrier_uniform"])
    found = {f.status for f in told}
    assert expected in found and "proved" not in found
    assert expected == "refuted" or "refuted" not in found
