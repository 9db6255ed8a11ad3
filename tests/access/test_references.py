"""Structs that host functions get by reference: taken apart, but where something else may write."""

from __future__ import annotations

import pytest

from symcute.frontends.cuda import read_kernels
from symcute.kernel.findings import verdict_of
from symcute.kernel.launch.project import Request, each, run_task

TEXT = """struct P {{ int n, m; int *x; float s; {field} }};
struct Q {{ P p; int other; }};
P shared_one; int number; int *somewhere;
void elsewhere(); void given(int);
static void more(P &p) {{ p.n += 2; }}
static int twice(const P &p) {{ return 2 * p.n; }}
__global__ void k(P p) {{ if (threadIdx.x < p.n) p.x[threadIdx.x] = p.m; }}
void f({parameters}) {{
  if (p.n > 4) {{
    {before}
    k<<<p.n, 64>>>(p);
  }}
}}
"""


def launches(before: str = "", parameters: str = "P &p", field: str = "") -> set[str]:
    """Return the grids of the launches, and the least that they are known to be."""
    text = TEXT.format(before=before, parameters=parameters, field=field)
    found = set()
    for f in read_kernels(text).kernels["k"].families:
        said = [n.text for n in f.notes]
        grid = [s.split(" block")[0] for s in said if "grid" in s]
        least = [s.removeprefix("assume ") for s in said if s.startswith("assume p_n >=")]
        found.add(" ".join([*grid, *least, f.trouble]).strip())
    return found


KNOWN = "launch grid=(p_n) p_n >= 5"


@pytest.mark.parametrize("parameters", ["P &p", "const P &p", "P &p, cudaStream_t s", "P &p, int n",
                                        "P &p, const int &n", "P &p, int *n"])  # fmt: skip
def test_a_struct_is_taken_apart(parameters: str) -> None:
    assert launches(parameters=parameters) == {KNOWN}


@pytest.mark.parametrize(
    ("before", "grid"),
    [
        ("p.n = 7;", "launch grid=(7)"),
        ("more(p);", "launch grid=(p_n_2 + 2)"),
        ("P &q = p; q.n = 7;", "launch grid=(7)"),
        ("int &n = p.n; n = 7;", "launch grid=(7)"),
        ("int own[3]; own[0] = 1; p.m = 2;", KNOWN),
        ("P q = p; q.n = 7;", KNOWN),
        ("p.n = twice(p) - p.n;", "launch grid=(p_n_2*2 - p_n_2)"),
        ("[&] { p.n = 7; }();", "launch grid=(7)"),
    ],
)
def test_what_the_function_writes_itself(before: str, grid: str) -> None:
    assert launches(before) == {grid}


@pytest.mark.parametrize(
    ("before", "parameters"),
    [
        ("q.n = 7;", "P &p, P &q"),
        ("q.p.n = 7;", "P &p, Q &q"),
        ("n = 7;", "P &p, int &n"),
        ("n = 7;", "const P &p, int &n"),
        ("q.n = 7;", "const P &p, P &q"),
        ("*n = 7;", "P &p, int *n"),
        ("n[number] = 7;", "P &p, int *n"),
        ("q->n = 7;", "P &p, P *q"),
        ("q.x[0] = 7;", "P &p, P q"),
        ("p.x[0] = 7;", "P &p"),
        ("*somewhere = 7;", "P &p"),
        ("shared_one.n = 7;", "P &p"),
        ("elsewhere();", "P &p"),
        ("given(p.n);", "P &p"),
        ("given(3);", "P &p"),
        ("given(3);", "const P &p"),
        ("not_declared(3);", "P &p"),
        ("int *q = &p.n; elsewhere();", "P &p"),
        ("int *q = &p.n; q += n; *q = *q + 0; elsewhere();", "P &p, int n"),
        ("for (int i = 0; i < 2; i++) { *n = 7; }", "P &p, int *n"),
        ("for (int i = 0; i < 2; i++) elsewhere();", "P &p"),
        ("for (int i = 0; i < 2; i++) { if (p.n < 5) break; q.n = 7; }", "P &p, P &q"),
        ("atomicAdd(n, 1);", "P &p, int *n"),
    ],
)
def test_what_something_else_may_write(before: str, parameters: str) -> None:
    (found,) = launches(before, parameters)
    # What is told apart on the way is not what is launched.
    assert "any" in found or found == "launch grid=(p_n)"


@pytest.mark.parametrize("field", ["~P();"])
def test_no_plain_struct(field: str) -> None:
    assert KNOWN not in launches(field=field)


def test_a_struct_with_a_union_is_read_from_memory() -> None:
    """So it is known as long as nothing is written to memory."""
    field = "union { int a; float b; };"
    assert launches(field=field) == {KNOWN}
    for before in ("p.m = 2;", "*somewhere = 7;", "elsewhere();"):
        (found,) = launches(before, field=field)
        assert found == "launch grid=(p_n)"


#: `s[m - 5]` is right from 5 on; what is written to a struct may be what else is read.
SEEN_TWICE = """struct P {{ int n, m; }};
struct V {{ const P *d; }};
__global__ void writes(int *d) {{ *d = 2; }}
__global__ void writes_all(P *d) {{ d->n = 2; }}
__global__ void k(int m) {{ __shared__ int s[64]; if (threadIdx.x == 0) s[m - 5] = 0; }}
void f({parameters}) {{ {body} }}
"""


@pytest.mark.parametrize(
    ("parameters", "body"),
    [
        ("P &p, const int *n", "if (*n > 4 && *n < 69) {{ {} k<<<1, 32>>>(*n); }}"),
        ("P &p, const int &n", "if (n > 4 && n < 69) {{ {} k<<<1, 32>>>(n); }}"),
        ("P &p, const P *q", "if (q->n > 4 && q->n < 69) {{ {} k<<<1, 32>>>(q->n); }}"),
        ("P &p, const P &q", "if (q.n > 4 && q.n < 69) {{ {} k<<<1, 32>>>(q.n); }}"),
        ("P &p, V v", "if (v.d[0].n > 4 && v.d[0].n < 69) {{ {} k<<<1, 32>>>(v.d[0].n); }}"),
    ],
)
def test_what_is_written_to_a_struct_may_be_read_elsewhere(parameters: str, body: str) -> None:
    assert in_bounds(parameters, body.format("")) == "proved"
    assert in_bounds(parameters, body.format("p.n = 2;")) == "unknown"
    assert in_bounds(parameters, body.format("for (int i = 0; i < 2; i++) p.n = 2;")) == "unknown"


@pytest.mark.parametrize(
    ("parameters", "launch"),
    [
        ("P &p", "writes_all<<<1, 1>>>(&p);"),
        ("const P &p, int *d", "writes<<<1, 1>>>(d);"),
        ("const P &p, int *d", "for (int i = 0; i < 2; i++) writes<<<1, 1>>>(d);"),
    ],
)
def test_a_kernel_may_write_to_a_struct(parameters: str, launch: str) -> None:
    body = "if (p.n > 4 && p.n < 69) {{ {} k<<<1, 32>>>(p.n); }}"
    assert in_bounds(parameters, body.format("")) == "proved"
    assert in_bounds(parameters, body.format(launch)) == "unknown"
    assert in_bounds(parameters, body.format(f"{launch} cudaDeviceSynchronize();")) == "unknown"
    again = "if (p.n > 4 && p.n < 69) for (int i = 0; i < 2; i++) {{ k<<<1, 32>>>(p.n); {} }}"
    assert in_bounds(parameters, again.format(launch)) == "unknown"


def in_bounds(parameters: str, body: str) -> str:
    """Return the worst verdict on the accesses of `k`, of all its launches."""
    kernel = read_kernels(SEEN_TWICE.format(parameters=parameters, body=body)).kernels["k"]
    found = [verdict_of(run_task(task))["in_bounds"] for task in each(kernel, Request())]
    return min(found, key=("refuted", "unknown", "proved").index)
