"""Does the generated C compute what the library computes, and is a wrong function caught?"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from symcute.claims import Injective
from symcute.claims.language import read_claim
from symcute.codegen import (
    Check,
    checks_of,
    fits,
    index_function,
    instances,
    narrow_function,
    source,
)
from symcute.errors import InputError, SymcuteError
from symcute.evidence.backends import HostBackend, Outcome
from symcute.evidence.backends.base import PRELUDE, parameters_array, read_result
from symcute.evidence.backends.host import find_compiler
from symcute.expr.assumptions import Assumptions
from symcute.layout.layout import Layout

STATIC = [
    "1:0", "1:5", "8:1", "8:0", "7:-3", "(8):(1)", "((8)):((1))", "(4,8):(1,4)", "(4,8):(8,1)",
    "(5,3):(-1,5)", "(3,5):(0,1)", "(3,5):(0,0)", "(1,1,1):(0,0,0)", "(1,7):(9,2)", "(7,1):(2,9)",
    "(4,(2,2)):(2,(1,8))", "((2,2),(2,4)):((1,4),(2,8))", "((4,8),(2,2)):((16,1),(8,256))",
    "((2,(3,2)),5):((1,(2,6)),12)", "(((2,2),2),2):(((8,4),2),1)", "(2,2,2,2,2):(16,8,4,2,1)",
    "(3,4,5):(20,5,1)", "(9,4,8):(59,13,1)", "(6,10):(-10,-1)", "((3,1),(1,4)):((4,7),(-2,1))",
    "(2,3):(1099511627776,-7)", "(128,5):(5,1)", "(11,13):(17,19)", "(2,(1,(3,1))):(3,(5,(1,2)))",
    "(4,4):(1,1)", "(32,2,(2,2)):(2,1,(64,128))", "(16,(4,2)):(0,(16,1))",
]  # fmt: skip
SYMBOLIC: list[tuple[str, list[str]]] = [
    ("M:1", []), ("M:0", []), ("M:-1", []), ("M:K", []), ("M:-K", []), ("(M):(2)", []),
    ("(M,N):(1,M)", []), ("(M,N):(N,1)", []), ("(M,N):(LD,1)", ["LD >= N"]),
    ("(M,N):(-LD,1)", ["LD >= N"]), ("(M,N):(0,1)", []), ("(M,1,N):(N,3,1)", []),
    ("(M,N,K):(N*K,K,1)", []), ("(M,N,K):(1,M,M*N)", []), ("((M,N),K):((1,M*K),M)", []),
    ("(4,M/4):(1,4)", ["M % 4 == 0"]), ("(4,M/4):(M/4,1)", ["M % 4 == 0"]),
    ("((8,M/8),(4,N/4)):((N,8*N),(1,4))", ["M % 8 == 0", "N % 4 == 0"]),
    ("(M/K,K):(K,1)", ["M % K == 0"]), ("((M+1)/2,N):(N,1)", ["M % 2 == 1"]),
    ("(N/(2*K),M):(1,N)", ["N == 2*K*P"]), ("((M*N+N)/4):(3)", ["N % 4 == 0"]),
    ("(ceil_div(M,8),8):(8,1)", []), ("(8,ceil_div(M,8)):(1,8)", []),
    ("(ceil_div(M,N),N):(N,1)", []), ("(ceil_div(M,8),ceil_div(N,4)):(ceil_div(N,4),1)", []),
    ("(M // 8 + 1,N):(N,M % 8)", []), ("(M % 8 + 1,N):(1,M % 8 + 1)", []),
    ("(min(M,N),max(M,N)):(max(M,N),1)", []), ("(min(M,16)):(max(K,3))", []),
    ("(M,N):(M**2,N**3-M)", []), ("(M,N):((M-N)*(M+N),1-M*N)", []),
    ("(M,4):((N-5) // 3,mod(2-N,3))", []), ("(r+1,N):(r,1)", ["r >= 0"]),
    ("(ceil_div(M // 2 + 3,N % 4 + 1),2):(min(M,N // 2),7)", []),
    ("(int,NULL):(i,errno)", []), ("(x,s,dims):(long,dim_x,1)", []), ("(M,5):(P,Q)", ["Q == 3*P"]),
]  # fmt: skip
CASES = [(text, []) for text in STATIC] + SYMBOLIC


ROADS = ("wide", "narrow")


def offset_checks(layout: Layout, roads: tuple[str, ...] = ROADS) -> list[Check]:
    return [c for c in checks_of(Injective(layout), roads) if c.expects == layout]


def size_of(layout: Layout) -> Any:
    return lambda dims: int(layout.at(dims).size())


def run(module: Any, number: int, check: Check, dims: dict[str, int], aux: Any) -> list[Outcome]:
    """Run a check as evidence does, and return the outcome of each of its entries."""
    low, bits = check.window(dims) if check.marks else (0, 0)
    return [
        module.start(
            f"check_{number}_{k}", [*step.parameters(dims), low, bits], step.count(dims), aux
        ).read()
        for k, step in enumerate(check.steps)
    ]


def expected(layout: Layout, dims: dict[str, int]) -> Any:
    static = layout.at(dims)
    return np.array([static(i) for i in range(static.size())], dtype=np.int64)


@pytest.fixture(scope="session")
def host() -> HostBackend:
    return HostBackend()


@pytest.fixture(scope="session")
def checks() -> list[Check]:
    return [c for text, _ in CASES for c in offset_checks(Layout.parse(text))]


@pytest.fixture(scope="session")
def compiled(host: HostBackend, checks: list[Check]) -> dict[str, Any]:
    return {road: host.load(source(checks, road), road) for road in ROADS}


def test_the_list_is_long_enough(checks: list[Check]):
    assert len(STATIC) >= 30
    assert len(SYMBOLIC) >= 30
    # One layout has a stride beyond 32 bits, and so no narrow function.
    assert len(checks) == 2 * len(CASES) - 1


@pytest.mark.full
@pytest.mark.parametrize(("text", "given_"), CASES, ids=[text for text, _ in CASES])
def test_generated_c_equals_the_library(compiled, checks, text: str, given_: list[str]):
    layout = Layout.parse(text)
    chosen, why = instances(layout.dims(), size_of(layout), given_, count=4, limit=800)
    chosen = [dims for dims in chosen if fits(layout, dims)]
    assert len(chosen) >= (1 if layout.is_static() else 3), why
    ran = 0
    for number, check in enumerate(checks):
        if check.expects != layout:
            continue
        for dims in chosen:
            if check.runs_at(dims):
                outcomes = run(compiled[check.road], number, check, dims, expected(layout, dims))
                assert outcomes == [(0, None)], (check.label, dims)
                ran += 1
    assert ran >= len(chosen)


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    def shape(depth: int):
        leaf = st.integers(1, 6)
        if depth == 0:
            return draw(leaf)
        return tuple(shape(draw(st.integers(0, depth - 1))) for _ in range(draw(st.integers(1, 3))))

    def strides(s):
        return tuple(map(strides, s)) if isinstance(s, tuple) else draw(st.integers(-50, 50))

    tuples = shape(draw(st.integers(0, 2)))
    return Layout(tuples, strides(tuples))


@pytest.mark.full
@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(layouts(), min_size=15, max_size=30))
def test_random_static_layouts(chosen: list[Layout]):
    every = [c for layout in dict.fromkeys(chosen) for c in offset_checks(layout)]
    modules = {road: HostBackend().load(source(every, road), road) for road in ROADS}
    for number, check in enumerate(every):
        assert check.expects is not None
        want = expected(check.expects, {})
        assert run(modules[check.road], number, check, {}, want) == [(0, None)], check.label


@pytest.mark.full
def test_helpers_round_as_python_for_all_signs(host: HostBackend):
    functions = ["floor_div", "ceil_div", "mod", "min", "max"]
    every = [
        c for f in functions for c in offset_checks(Layout.parse(f"2:{f}(a-6,b-6)"), ("wide",))
    ]
    loaded = host.load(source(every, "wide"), "wide")
    compared = 0
    for a in range(1, 13):
        for b in range(1, 13):
            for number, check in enumerate(every):
                if b == 6 and number < 3:
                    continue
                dims = {"a": a, "b": b}
                assert check.expects is not None
                want = expected(check.expects, dims)
                assert run(loaded, number, check, dims, want) == [(0, None)], (check.what, dims)
                compared += 1
    assert compared == 12 * 12 * 5 - 3 * 12


@settings(max_examples=300, deadline=None)
@given(st.integers(1, 2**31 - 1), st.lists(st.integers(0, 2**31 - 1), min_size=1, max_size=50))
def test_division_by_multiplication(divisor: int, numbers: list[int]):
    """The arithmetic of sc_by and sc_quotient, in Python."""
    shift = (divisor - 1).bit_length()
    factor = (((1 << shift) - divisor) << 32) // divisor + 1
    assert factor < 1 << 32
    for n in [*numbers, 0, 1, divisor - 1, divisor, 2**31 - 1, (2**31 - 1) // divisor * divisor]:
        high = n * factor >> 32
        assert high + n < 1 << 32
        assert high + n >> shift == n // divisor


@pytest.mark.full
def test_division_by_multiplication_in_c(host: HostBackend):
    """Extents around powers of two and primes, where a wrong factor would show."""
    layout = Layout.parse("(M,N):(1,-3)")
    every = offset_checks(layout, ("narrow",))
    loaded = host.load(source(every, "narrow"), "narrow")
    for m in (1, 2, 3, 5, 7, 31, 32, 33, 127, 128, 129, 641, 1023, 1024, 1025, 4093, 65535, 65537):
        dims = {"M": m, "N": max(2, 70000 // m)}
        assert run(loaded, 0, every[0], dims, expected(layout, dims)) == [(0, None)]


@pytest.mark.full
def test_a_wrong_function_is_a_mismatch(host: HostBackend):
    layout = Layout.parse("(M,N):(N,1)")
    for road, right, wrong in (
        ("wide", "x += i * 1LL;", "x += i * 2LL;"),
        ("narrow", "x += (int)i * 1;", "x += (int)i * 2;"),
    ):
        every = offset_checks(layout, (road,))
        text = source(every, road)
        broken = text.replace(right, wrong)
        assert broken != text
        dims = {"M": 3, "N": 4}
        want = expected(layout, dims)
        assert run(host.load(text, road), 0, every[0], dims, want) == [(0, None)]
        # Column 0 is right by chance, the nine others are not; index 3 is the first of them.
        assert run(host.load(broken, road), 0, every[0], dims, want) == [(9, 3)]


#: Claims, dims, and how many failures each entry of the claim's own checks has there.
OUTCOMES = [
    ("injective((M,N):(LD,1))", {"M": 3, "N": 4, "LD": 4}, [[0]]),
    ("injective((M,N):(LD,1))", {"M": 3, "N": 4, "LD": 3}, [[2]]),
    ("injective((M,N):(-LD,1))", {"M": 3, "N": 4, "LD": 3}, [[2]]),
    ("injective((4,P):(1,2), where((4,P):(1,4), M))", {"P": 2, "M": 4}, [[0]]),
    ("injective((4,P):(1,2), where((4,P):(1,4), M))", {"P": 2, "M": 5}, [[1]]),
    ("in_bounds((M,N):(N,1), B)", {"M": 3, "N": 4, "B": 12}, [[0]]),
    ("in_bounds((M,N):(N,1), B)", {"M": 3, "N": 4, "B": 10}, [[2]]),
    ("in_bounds((M,N):(-N,1), B)", {"M": 3, "N": 4, "B": 12}, [[8]]),
    ("equal((M,N):(1,M), (M*N):1)", {"M": 3, "N": 4}, [[0]]),
    ("equal((M,N):(1,L), (M*N):1)", {"M": 3, "N": 4, "L": 4}, [[9]]),
    ("is_composition(4:6, 8:2, 4:3)", {}, [[0]]),
    ("is_right_inverse((N,M):(M,1), (M,N):(N,1))", {"M": 3, "N": 4}, [[0]]),
    ("is_right_inverse((M,N):(M,1), (M,N):(N,1))", {"M": 3, "N": 4}, [[9]]),
    ("is_left_inverse((N,M):(M,1), (M,N):(N,1))", {"M": 3, "N": 4}, [[0]]),
    ("disjoint(4:1, M:4)", {"M": 5}, [[0, 0]]),
    ("disjoint(4:1, M:3)", {"M": 5}, [[0, 1]]),
    ("apart(M:1, M:1, S)", {"M": 5, "S": 5}, [[0, 0]]),
    ("apart(M:1, M:1, S)", {"M": 5, "S": 3}, [[0, 2]]),
    ("apart(M:1, M:1, -S)", {"M": 5, "S": 3}, [[0, 2]]),
    ("same_image((M,N):(N,1), M*N:1)", {"M": 3, "N": 5}, [[0, 0], [0, 0]]),
    ("same_image(M:1, M:2)", {"M": 4}, [[0, 2], [0, 2]]),
    ("covers((4,P):(1,4), M)", {"P": 3, "M": 12}, [[0]]),
]


@pytest.mark.full
@pytest.mark.parametrize(("text", "dims", "failures"), OUTCOMES)
def test_checks_of_claims(host: HostBackend, text: str, dims: dict, failures: list[list[int]]):
    claim = read_claim(text)
    for road in ROADS:
        every = [c for c in checks_of(claim, [road]) if c.expects is None]
        if road == "wide":
            assert len(every) == len(failures)
        loaded = host.load(source(every, road), road)
        for number, (check, want) in enumerate(zip(every, failures, strict=False)):
            aux = host.bitmap(check.window(dims)[1]) if check.marks else None
            found = [o.failures for o in run(loaded, number, check, dims, aux)]
            assert found == want, (check.label, text)


@pytest.mark.full
def test_coverage_is_counted(host: HostBackend):
    for text, missing in (("covers((4,P):(1,4), 12)", 0), ("covers((4,P):(2,5), 12)", 3)):
        (check,) = [c for c in checks_of(read_claim(text), ["wide"]) if c.full is not None]
        loaded = host.load(source([check], "wide"), "wide")
        bitmap = host.bitmap(12)
        run(loaded, 0, check, {"P": 3}, bitmap)
        assert 12 - host.count_bits(bitmap) == missing


@pytest.mark.full
def test_the_domain_is_split_over_threads(host: HostBackend):
    every = checks_of(read_claim("injective((M,N):(N,1))"), ["wide"])[1:]
    loaded = host.load(source(every, "wide"), "wide")
    for n, failures in ((1000, 0), (999, 999)):
        # One row too close: row k ends where row k+1 begins.
        text = source(every, "wide").replace("i % s * dim_N", f"i % s * {n}LL")
        loaded = host.load(text, "wide")
        dims = {"M": 1000, "N": 1000}
        bitmap = host.bitmap(1000 * 1000)
        assert [o.failures for o in run(loaded, 0, every[0], dims, bitmap)] == [failures]


@pytest.mark.full
def test_cute_says_the_same():
    host = HostBackend(cute=True)
    assumed = {Layout.parse(text): given_ for text, given_ in [*CASES[:12], *SYMBOLIC[5:30:3]]}
    every = [c for layout in assumed for c in offset_checks(layout, ("cute",))]
    every += checks_of(read_claim("is_composition((M,N):(2*N,2), M*N:2, (M,N):(N,1))"), ["cute"])
    loaded = host.load(source(every, "cute"), "cute")
    ran = 0
    for number, check in enumerate(every):
        domain = check.steps[0].domain
        names = sorted({n for step in check.steps for n in step.names})
        chosen, _ = instances(names, size_of(domain), assumed.get(domain, []), 4, 2000)
        dims = chosen[-1]
        aux = expected(check.expects, dims) if check.expects is not None else None
        assert run(loaded, number, check, dims, aux) == [(0, None)], check.label
        ran += 1
    assert ran >= 20


def test_what_overflows_is_not_run():
    narrow, wide = (offset_checks(Layout.parse("(M,N):(N,1)"), (r,))[0] for r in ("narrow", "wide"))
    assert narrow.runs_at({"M": 2**15, "N": 2**15})
    assert not narrow.runs_at({"M": 2**16, "N": 2**15})
    assert wide.runs_at({"M": 2**16, "N": 2**15})
    assert not wide.runs_at({"M": 2**32, "N": 2**32})
    # A stride counts even where its extent is 1, and an inner map's values are indices.
    assert not offset_checks(Layout.parse("M:K"), ("narrow",))[0].runs_at({"M": 1, "K": 2**31})
    chain = checks_of(read_claim("is_composition(M:K, M:K, M:1)"), ["narrow"])[-1]
    assert chain.runs_at({"M": 2**10, "K": 2**20})
    assert not chain.runs_at({"M": 2**10, "K": 2**22})
    # A negative index is split otherwise in C.
    backwards = checks_of(read_claim("is_composition(M:1, M:1, M:-1)"), ["wide"])[-1]
    assert not backwards.runs_at({"M": 4})


def test_a_machine_that_looks_at_nothing_is_no_agreement():
    with pytest.raises(SymcuteError, match="looked at 0 of 8"):
        read_result(np.array([0, 2**64 - 1, 0], dtype=np.uint64), 8)


@pytest.mark.full
def test_the_code_compiles_without_warnings(tmp_path: Path, checks: list[Check]):
    every = checks[::3] + checks_of(read_claim("apart((M,N):(1,M), 4:K, M*N)"))
    file = tmp_path / "module.c"
    file.write_text(PRELUDE + source(every, "wide") + source(every, "narrow"))
    strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-Wno-unused-function"]
    done = subprocess.run([find_compiler(), *strict, str(file)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_text_is_the_same_each_time():
    text = "(N/(2*K)+M,M*N+K):(M*K-N*M+2,-N)"
    for write in (index_function, narrow_function):
        assert write(Layout.parse(text), "f") == write(Layout.parse(text), "f")


@pytest.mark.parametrize("name", ["", "2x", "a b", "f()", "é", "f\n"])
def test_names_that_c_does_not_accept(name: str):
    for write in (index_function, narrow_function):
        with pytest.raises(InputError, match="not a name that C accepts"):
            write(Layout(4), name)


def test_a_dim_whose_name_is_no_identifier():
    from symcute.expr.leaf import dim

    with pytest.raises(InputError, match="not a name that C accepts"):
        index_function(Layout(dim("M; system(0)"), 1), "f")


def test_a_constant_beyond_64_bits():
    with pytest.raises(InputError, match="does not fit 64 bits"):
        index_function(Layout((2, 2), (2**63, 1)), "f")
    with pytest.raises(InputError, match="does not fit 32 bits"):
        narrow_function(Layout((2, 2), (2**31, 1)), "f")


def test_fits_looks_at_intermediate_values():
    # The quotient is M, but M * 2**40 is computed on the way.
    layout = Layout.parse(f"4:floor_div(M*{2**40},{2**40}+1)")
    assert fits(layout, {"M": 2**10})
    assert not fits(layout, {"M": 2**30})
    # A zero does not hide a large product.
    assert not fits(Layout.parse("4:M*N*(r)"), {"M": 2**40, "N": 2**40, "r": 0})
    assert not fits(Layout((2, 2**62), (1, 2)), {})


def test_instances_meet_the_assumptions_and_the_limit():
    layout = Layout.parse("((8,M/8),N):((1,8),LD)")
    given_ = ["M % 8 == 0", "LD >= M", "N != 2"]
    chosen, why = instances(layout.dims(), size_of(layout), given_, count=6, limit=5000)
    assert len(chosen) == 6
    assert why == ""
    found = [layout.at(dims).size() for dims in chosen]
    assert found == sorted(found)
    assert found[0] == 8
    assert 1000 < found[-1] <= 5000
    assert all(Assumptions.of(given_).hold(dims) for dims in chosen)
    assert any(len(set(dims.values())) == 3 for dims in chosen)


def test_instances_without_dims():
    assert instances([], lambda _: 32) == ([{}], "")
    assert instances([], lambda _: 4096, limit=1000)[0] == []


def test_instances_reach_large_sizes_and_primes():
    layout = Layout.parse("(M,N):(N,1)")
    chosen, _ = instances(layout.dims(), size_of(layout), [], count=20, limit=2**26)
    assert len(chosen) == 20
    assert layout.at(chosen[-1]).size() > 2**24
    odd = [v for dims in chosen for v in dims.values() if v % 2]
    assert max(odd) > 50
    powers = [v for dims in chosen for v in dims.values() if v & (v - 1) == 0]
    assert max(powers) >= 256


@pytest.mark.parametrize(
    ("text", "given_", "reason"),
    [
        ("1099511627776:1", [], "more than the limit of 1000"),
        ("M:1", ["M >= 3", "M <= 2"], "no instance of the assumptions"),
        ("M:1", ["M >= 4000"], "the smallest instance has 4000 coordinates"),
        ("(M,N-M):(1,M)", ["M == N"], "extent 0 in the shape"),
    ],
)
def test_why_there_is_no_instance(text: str, given_: list[str], reason: str):
    layout = Layout.parse(text)
    chosen, why = instances(layout.dims(), size_of(layout), given_, limit=1000)
    assert chosen == []
    assert reason in why


def test_no_compiler_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("symcute.evidence.backends.host.shutil.which", lambda name: None)
    with pytest.raises(InputError, match="no C compiler on the PATH"):
        HostBackend()


@pytest.mark.full
def test_no_headers_are_said_in_one_line(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("symcute.evidence.backends.host.cutlass_headers", lambda: None)
    with pytest.raises(InputError, match="CUTLASS headers are not there"):
        HostBackend(cute=True).load("", "cute")


@pytest.mark.full
def test_code_the_compiler_refuses(host: HostBackend):
    with pytest.raises(SymcuteError, match="refused the generated code"):
        host.load("this is not C;", "wide")


def test_values_that_do_not_fit():
    with pytest.raises(InputError, match="does not fit 64 bits"):
        parameters_array([2**63])
