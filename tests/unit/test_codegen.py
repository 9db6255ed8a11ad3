"""Does the generated C compute what the library computes, and is a wrong function caught?"""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from symcute.assumptions import Assumptions
from symcute.backends import HostBackend
from symcute.backends.base import dims_array, expected_array, read_result
from symcute.backends.host import find_compiler
from symcute.codegen import fits_int64, index_function, instances, module, why_none
from symcute.errors import InputError, SymcuteError
from symcute.layout import Layout

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


@pytest.fixture(scope="session")
def host() -> HostBackend:
    return HostBackend()


@pytest.fixture(scope="session")
def compiled(host: HostBackend):
    return host.load(module([Layout.parse(text) for text, _ in CASES]))


def own(layout: Layout, dims: dict[str, int]) -> dict[str, int]:
    return {name: dims[name] for name in layout.dims()}


def test_the_list_is_long_enough():
    assert len(STATIC) >= 30
    assert len(SYMBOLIC) >= 30


@pytest.mark.parametrize("number", range(len(CASES)), ids=[text for text, _ in CASES])
def test_generated_c_equals_the_library(compiled, number: int):
    text, given_ = CASES[number]
    layout = Layout.parse(text)
    chosen = instances(layout, given_, count=4, limit=800)
    assert len(chosen) >= (1 if layout.is_static() else 3)
    for dims in chosen:
        static = layout.at(dims)
        expected = [static(i) for i in range(static.size())]
        table = compiled.table(number, own(layout, dims), 0, len(expected))
        assert table.tolist() == expected
        result = compiled.compare(number, own(layout, dims), np.array(expected, dtype=np.int64))
        assert result == (0, None)


def test_table_starts_anywhere_and_runs_past_the_size(compiled):
    number = [text for text, _ in CASES].index("(4,(2,2)):(2,(1,8))")
    layout = Layout.parse("(4,(2,2)):(2,(1,8))")
    assert compiled.table(number, {}, 5, 20).tolist() == [layout(i) for i in range(5, 25)]


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


@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(layouts(), min_size=15, max_size=30))
def test_random_static_layouts(chosen: list[Layout]):
    loaded = HostBackend().load(module(chosen))
    for number, layout in enumerate(chosen):
        size = min(layout.size(), 500)
        expected = [layout(i) for i in range(size)]
        assert loaded.table(number, {}, 0, size).tolist() == expected


def test_helpers_round_as_python_for_all_signs(host: HostBackend):
    functions = ["floor_div", "ceil_div", "mod", "min", "max"]
    texts = [f"2:{f}(a-6,b-6)" for f in functions]
    parsed = [Layout.parse(text) for text in texts]
    loaded = host.load(module(parsed))
    compared = 0
    for a in range(1, 13):
        for b in range(1, 13):
            for number, layout in enumerate(parsed):
                if b == 6 and number < 3:
                    continue
                want = layout.at({"a": a, "b": b})(1)
                got = loaded.table(number, {"a": a, "b": b}, 1, 1)[0]
                assert got == want, (texts[number], a, b)
                compared += 1
    assert compared == 12 * 12 * 5 - 3 * 12


def test_a_wrong_function_is_a_mismatch(host: HostBackend):
    layout = Layout.parse("(M,N):(N,1)")
    source = module([layout])
    wrong = source.replace("x += i * 1LL;", "x += i * 2LL;")
    assert wrong != source
    expected = np.array([layout.at({"M": 3, "N": 4})(i) for i in range(12)], dtype=np.int64)
    dims = {"M": 3, "N": 4}
    assert host.load(source).compare(0, dims, expected) == (0, None)
    # Column 0 is right by chance, the nine others are not; index 3 is the first of them.
    assert host.load(wrong).compare(0, dims, expected) == (9, 3)


def test_a_wrong_expectation_is_a_mismatch(compiled):
    number = [text for text, _ in CASES].index("8:1")
    assert compiled.compare(number, {}, np.array([0, 1, 2, 9, 4], dtype=np.int64)) == (1, 3)


def test_a_machine_that_compares_nothing_is_no_agreement():
    with pytest.raises(SymcuteError, match="compared 0 of 8"):
        read_result(np.array([0, 2**64 - 1, 0], dtype=np.uint64), 8)


def test_the_module_compiles_without_warnings(tmp_path: Path):
    source = tmp_path / "module.c"
    source.write_text(module([Layout.parse(text) for text, _ in CASES[::3]]))
    strict = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only"]
    run = subprocess.run([find_compiler(), *strict, str(source)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_the_text_is_the_same_each_time():
    text = "(N/(2*K)+M,M*N+K):(M*K-N*M+2,-N)"
    assert index_function(Layout.parse(text), "f") == index_function(Layout.parse(text), "f")


@pytest.mark.parametrize("name", ["", "2x", "a b", "f()", "é", "f\n"])
def test_names_that_c_does_not_accept(name: str):
    with pytest.raises(InputError, match="not a name that C accepts"):
        index_function(Layout(4), name)


def test_a_dim_whose_name_is_no_identifier():
    from symcute.symbols import symbol

    with pytest.raises(InputError, match="not a name that C accepts"):
        index_function(Layout(symbol("M; system(0)"), 1), "f")


def test_a_constant_beyond_64_bits():
    with pytest.raises(InputError, match="does not fit 64 bits"):
        index_function(Layout((2, 2), (2**63, 1)), "f")


def test_fits_looks_at_intermediate_values():
    # The quotient is M, but M * 2**40 is computed on the way.
    layout = Layout.parse(f"4:floor_div(M*{2**40},{2**40}+1)")
    assert fits_int64(layout, {"M": 2**10})
    assert not fits_int64(layout, {"M": 2**30})
    # A zero does not hide a large product.
    assert not fits_int64(Layout.parse("4:M*N*(r)"), {"M": 2**40, "N": 2**40, "r": 0})
    assert not fits_int64(Layout((2, 2**62), (1, 2)), {})


def test_instances_meet_the_assumptions_and_the_limit():
    layout = Layout.parse("((8,M/8),N):((1,8),LD)")
    given_ = ["M % 8 == 0", "LD >= M", "N != 2"]
    chosen = instances(layout, given_, count=6, limit=5000)
    assert len(chosen) == 6
    sizes = [layout.at(dims).size() for dims in chosen]
    assert sizes == sorted(sizes)
    assert sizes[0] == 8
    assert 1000 < sizes[-1] <= 5000
    assert all(Assumptions.of(given_).hold(dims) for dims in chosen)
    assert any(len(set(dims.values())) == 3 for dims in chosen)


def test_instances_of_a_static_layout():
    assert instances(Layout((4, 8))) == [{}]
    assert instances(Layout(4096), limit=1000) == []


def test_instances_reach_large_sizes():
    chosen = instances(Layout.parse("(M,N):(N,1)"), [], count=4, limit=2**26)
    assert Layout.parse("(M,N):(N,1)").at(chosen[-1]).size() > 2**24


@pytest.mark.parametrize(
    ("text", "given_", "reason"),
    [
        ("1099511627776:1", [], "more than the limit of 1000"),
        ("M:1", ["M >= 3", "M <= 2"], "no instance of the assumptions"),
        ("M:1", ["M >= 4000"], "the smallest instance has 4000 coordinates"),
        ("(M,N-M):(1,M)", ["M == N"], "integers of at least 1"),
        (f"M:K*{2**62}", ["M == 4"], "offsets fit 64 bits"),
    ],
)
def test_why_there_is_no_instance(text: str, given_: list[str], reason: str):
    layout = Layout.parse(text)
    assert instances(layout, given_, limit=1000) == []
    assert reason in why_none(layout, given_, limit=1000)


def test_no_compiler_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("symcute.backends.host.shutil.which", lambda name: None)
    with pytest.raises(InputError, match="no C compiler on the PATH"):
        HostBackend()


def test_code_the_compiler_refuses(host: HostBackend):
    with pytest.raises(SymcuteError, match="refused the generated code"):
        host.load("this is not C;")


def test_values_that_do_not_fit():
    with pytest.raises(InputError, match="does not fit 64 bits"):
        dims_array({"M": 2**63})
    with pytest.raises(InputError, match="1-D int64"):
        expected_array(np.array([2**70], dtype=object))
