"""What libclang leaves out of its tree, or has no name for: nothing of it is passed over."""

from __future__ import annotations

import pytest

from symcute.frontends.cuda.hidden import has_hidden_starts
from symcute.frontends.cuda.source import read_kernels
from symcute.kernel.ir.inside import every
from symcute.kernel.ir.program import NotUnderstood
from tests.access.launched import told

KERNELS = """
#define SET n = 2;
#define THEN(x) n = 2; x
#define OVER(x) switch (x) { case 0: ; }
#define OVER_TOO(x) OVER(x)
__global__ void other(int a) { }
__global__ void k(int m) { __shared__ int s[64]; if (threadIdx.x == 0) s[m - 5] = 0; }
cudaStream_t set(int &n, cudaStream_t s) { n = 2; return s; }
"""
HOST = "void f(int n, int m, cudaStream_t s) { if (n > 4 && n < 69) { BODY k<<<1, 32>>>(n); } }"
DEVICE = """
#define END __attribute__((cleanup(set)))
#define ATTRIBUTE(x) __attribute__((x))
__device__ void set(int **p) { **p = 100; }
// symcute: launch grid=1 block=32
__global__ void k(int n) { __shared__ int s[64]; int i = threadIdx.x % 32; BODY s[i] = 0; }
"""


@pytest.mark.parametrize(
    "body",
    [
        "other<<<1, 32, 0, (n = 2, s)>>>(1);",
        "other<<<1, 32, 0, set(n, s)>>>(1);",
        "other<<<1, 32, 0, [&] { n = 2; return s; }()>>>(1);",
        "int v = 1; void *a[] = {&v}; "
        "cudaLaunchKernel((void *)other, dim3(1), dim3(32), a, 0, (n = 2, s));",
        "auto set = [&m = n] { m = 2; }; set();",
        "auto set = [&n = n] { n = 2; }; set();",
        "[&m = n] { m = 2; }();",
        "int *p = &n; auto set = [q = p] { *q = 2; }; set();",
        "switch (n = 2; m) { case 0: ; }",
        "switch (SET m) { case 0: ; }",
        "switch (THEN(m)) { case 0: ; }",
        "OVER(n = 2; m)",
        "OVER(SET m)",
        "OVER_TOO(THEN(m))",
        "int a[1] = {1}; for (n = 2; int e : a) m = e;",
        "int a[1] = {1}; for (SET int e : a) m = e;",
        "(m - m) ?: (n = 2);",
        "__atomic_store_n(&n, 2, 0);",
        "__atomic_fetch_sub(&n, 64, 0);",
        "int z = 2; __atomic_load(&z, &n, 0);",
        "int z[n++];",
        "typedef int T[n++];",
        "(void)(int (*)[n++])0;",
    ],
)
def test_what_host_code_does_where_clang_does_not_show_it(body: str) -> None:
    assert told((KERNELS + HOST).replace("BODY", body)) in (
        {"unknown"},
        {"refuted"},
        {"not followed"},
    )


MAY_STOP = (
    "bool asks(int n); [[noreturn]] void ends();\nvoid f(int n, int m) { BODY k<<<1, 32>>>(n); }"
)


@pytest.mark.parametrize(
    "body",
    [
        "try { if (n < 5 || n > 68) throw 1; } catch (int) { return; }",
        "try { if (n < 5 || n > 68) return; } catch (int) { }",
        "if (n < 5 || n > 68) ends();",
        "asks(n);",
        "struct L { L(int m) { if (m < 5 || m > 68) throw 1; } }; struct M { L l; }; M q{n};",
        "bool b = asks(n);",
        "auto ask = asks; ask(n);",
        "bool b = n > 4 && n < 69; no_such_check(b);",
    ],
)
def test_host_code_that_may_not_come_to_the_launch_refutes_nothing(body: str) -> None:
    assert "refuted" not in told((KERNELS + MAY_STOP).replace("BODY", body))
    assert told((KERNELS + MAY_STOP).replace("BODY", "int z = m; cudaDeviceSynchronize();")) == {
        "refuted"
    }


@pytest.mark.parametrize("calls", ["W w{70};", "S s[1] = {70};", "S t(7); t = 70;"])
def test_launches_in_what_is_called_unasked_are_told(calls: str) -> None:
    hosts = """
    struct S { S(int n) { k<<<1, 32>>>(n); } };
    struct W { S s; };
    void f() { S s(6); CALLS }
    """
    assert {"proved", "not followed"} <= told(KERNELS + hosts.replace("CALLS", calls))


def test_launches_of_functions_that_call_each_other_are_told() -> None:
    calls = """
    static void b(int n);
    static void a(int n) { if (n <= LAST) { k<<<1, 32>>>(n); b(n + 1); } }
    static void b(int n) { a(n); }
    int main() { b(5); }
    """
    assert "unknown" in told(KERNELS + calls.replace("LAST", "69"))


@pytest.mark.parametrize(
    "body",
    [
        "",
        "other<<<1, 32, 0, s>>>(1);",
        "int m2 = 2; auto set = [&m2] { m2 = 3; }; set();",
        "switch (m) { case 0: ; }",
        "switch (n) { case 7: n = 8; }",
        "for (int e : {7, 8}) n = e;",
        "for (int i = 0; i < 2; i++) m = 7;",
        "int z[3];",
        "decltype(n = 2) z = m;",
        "(void)(decltype(n = 2))m;",
    ],
)
def test_what_host_code_does_where_all_is_shown(body: str) -> None:
    assert told(
        (KERNELS.partition("#define OVER")[2].partition("\n")[2] + HOST).replace("BODY", body)
    ) == {"proved"}


@pytest.mark.parametrize(
    "body",
    [
        "switch (i = 100; n) { case 0: ; }",
        "int a[1] = {1}; for (i = 100; int e : a) n = e;",
        "int z = 100; i = z ?: 3;",
        "int z = n | 64; i = z ?: 3;",
        "(void)(int (*)[(i = 100)])0;",
        "auto set = [&j = i] { j = 100; }; set();",
        "#define EMPTY\nswitch EMPTY (i = 100; n) { case 0: ; }",
        "#define OVER switch\nOVER (i = 100; n) { case 0: ; }",
        "#define LOOP for\nint a[1] = {1}; LOOP (i = 100; int e : a) n = e;",
        "switch (i = 100\\\n; n) { case 0: ; }",
        "long v = 100; long long &&r = v; r = 3; i = v;",
        "long v = 100; const long long &r = v; v = 3; i = r;",
        "enum E { A = 100, B = 3 } e = A; const int &r = e; e = B; i = r;",
        "struct { int c : 9; } q; q.c = 100; const int &r = q.c; q.c = 3; i = r;",
        "struct W { int w; __device__ operator int &() { return w; } } w{3}; "
        "const int &r = (const int &)w; w.w = 100; i = r;",
        # nvcc has a copy here, and g++ and clang have none.
        "int a[2] = {3, 100}; int *q = a; const int *const &r = q; q = a + 1; i = *r;",
        "int a[2] = {100, 3}; int *q = a; const int *const &r = q; q = a + 1; i = *r;",
        "int a[2] = {100, 3}; int *q = a; const int *const &r = {q}; q = a + 1; i = *r;",
        "int a[2] = {100, 3}; int *q = a; auto &r = static_cast<const int *const &>(q);"
        " q = a + 1; i = *r;",
        "int a[2] = {100, 3}; int *q[1] = {a}; for (const int *const &r : q)"
        " { q[0] = a + 1; i = *r; }",
        "long a[1] = {100}; for (const long long &e : a) { a[0] = 3; i = e; }",
        "int a[1] = {100}; for (const long &e : a) { a[0] = 3; i = e; }",
        "int v = 100; for (const int &e : {v}) { v = 3; i = e; }",
        "{ int *q __attribute__((cleanup(set))) = &i; }",
        "{ int *q __attribute__((unused, __cleanup__(set))) = &i; }",
        "{ [[gnu::cleanup(set)]] int *q = &i; }",
        "{ [[using gnu: cleanup(set)]] int *q = &i; }",
        "{ END int *q = &i; }",
        "{ ATTRIBUTE(cleanup(set)) int *q = &i; }",
        "if (END int *q = &i) { }",
        "for (END int *q = &i; n < 0; n++) { }",
        "int *a[1] = {&i}; for (END int *q : a) { }",
        "for (END int *q : {&i}) { }",
        "auto f = [](int &j, int z[(j = 100, 4)]) {}; f(i, nullptr);",
        "auto f = [](int &j, int (*z)[(j = 100, 4)]) {}; f(i, nullptr);",
    ],
)
def test_what_a_kernel_does_where_clang_does_not_show_it(body: str) -> None:
    assert told(DEVICE.replace("BODY", body)) in ({"unknown"}, {"refuted"})


@pytest.mark.parametrize(
    "body",
    [
        "long v = 3; long long &&r = v; r = 100; i = v;",
        "int v = 3; const int &r = v; v = 4; i = r;",
        "struct { int c : 9; } q; q.c = 3; const int &r = q.c; q.c = 100; i = r;",
        "int v = 3; for (const int &e : {v}) { v = 100; i = e; }",
        "[[maybe_unused]] int *q = nullptr; int z __attribute__((unused)) = 3; i = z;",
        "auto f = [](int &j, int z[4]) { j = 3; }; f(i, nullptr);",
    ],
)
def test_what_a_reference_is_to(body: str) -> None:
    assert told(DEVICE.replace("BODY", body)) == {"proved"}


BASES = "struct A { int a[100]; }; struct B { int b[100]; }; struct D : A, B { int d; };\n"


@pytest.mark.parametrize(
    "body",
    [
        "B &r = *p; r.b[threadIdx.x / 2] = 1;",
        "static_cast<B &>(*p).b[threadIdx.x / 2] = 1;",
        "B *r = p; r->b[threadIdx.x / 2] = 1;",
        "((B *)p)->b[threadIdx.x / 2] = 1;",
        "D d; B &r = d; static_cast<D &>(r).d = 100; p->d = d.d;",
    ],
)
def test_a_base_that_may_lie_elsewhere_is_not_understood(body: str) -> None:
    found = read_kernels(f"{BASES}__global__ void k(D *p) {{ {body} }}").kernels["k"]
    reasons = [s.reason for s in every(found.body) if isinstance(s, NotUnderstood)]
    assert any("one of its bases" in r for r in reasons)


def test_where_a_statement_may_hide() -> None:
    plain = "#define FOR(i, n) for (int i = 0; i < n; i++)\n#define DO(x) f(x); g(x)\n"
    assert not has_hidden_starts([plain + "void f() { FOR(i, 3) { h([&] { DO(1); }); } }"])
    assert not has_hidden_starts(
        ['if (int i = f(); i) { } asm("a; b"); h([&] { f(); g(); }); // (;)']
    )
    assert not has_hidden_starts(["#if A\nvoid f() {\n#else\nvoid g() {\n#endif\n f(); }"])
    over = "#define OVER(x, ...) switch (x) { case 0: { __VA_ARGS__; break; } }\n"
    assert not has_hidden_starts([over + "void f() { OVER(n, g(); h();) }"])
    assert not has_hidden_starts([over + "#define ALL(...) OVER(n, __VA_ARGS__)\nALL(g(); h();)"])
    for hidden in (
        over + "void f() { OVER(n = 2; m, g();) }",
        over + "#define ALL(x, ...) OVER(x, __VA_ARGS__)\nALL(n = 2; m, h();)",
        over + "#define ALL(x) OVER(n = 2; x, g())",
        "#define SAME(x) x\nvoid f() { switch (SAME(n = 2; m)) { } }",
        "#define SAME(x) x\n#define OVER(x) switch (x)\nvoid f() { OVER(SAME(n = 2; m)) { } }",
        "switch (int i = 0; n) { }",
        "for (int i = 0; int e : a) { }",
        "#define BEGIN switch (n = 2;\nvoid f() { BEGIN m) { } }",
        "#define SET n = 2;\n#define AGAIN SET\nvoid f() { switch (AGAIN m) { } }",
        "#define OVER(x) switch (x)\nvoid f() { OVER(n = 2; m) { } }",
        "#define IF if\n#define if switch\nvoid f() { if (n = 2; m) { } }",
        "#define OPEN (\nvoid f() { switch OPEN n = 2; m) { } }",
        "#define SET n = 2;\n#define GLUE(a, b) a##b\nvoid f() { switch (GLUE(S, ET) m) { } }",
        "#define FOR(x) for (x)\nvoid f() { FOR(n = 2; int e : a) { } }",
    ):
        assert has_hidden_starts([plain + hidden]), hidden
