"""What is handed over by value lies where no pointer that is handed over leads to."""

from __future__ import annotations

import pytest

from symcute.frontends.cuda import read_kernels
from symcute.kernel.ir.inside import every
from symcute.kernel.ir.program import NotUnderstood

HEAD = """
struct S { int *p[4]; int n[4]; };
struct L { L *next[2]; int v[2]; };
struct Q { int *q[2]; };
__constant__ S c;
"""
#: Kernels that write through what they were handed, and those that may write to it themselves.
ELSEWHERE = (
    "void k(S s, int j) { int *p = s.p[j & 3]; p[threadIdx.x] = s.n[j & 3]; }",
    "void k(S s, int j) { for (int *p = s.p[j]; *p < 9; p++) atomicAdd(p, s.n[0]); }",
    "void k(S s, S t, int j) { int *p = j ? s.p[0] : t.p[1]; *p = t.n[j & 3]; }",
)
WITHIN = (
    "void k(S s, int j) { s.n[j & 3] = 5; }",
    "void k(S s, int j) { s.p[j & 3] = s.n; int *p = s.p[0]; *p = 5; }",
    "void k(S s, int j) { Q h; h.q[j] = s.n; int *p = h.q[j]; *p = 5; }",
    "void k(S s, int j, int **out) { out[0] = s.n; int *p = out[j]; *p = 5; }",
    "void k(S s, int j) { int *p = j ? s.p[0] : s.n; *p = 5; }",
    "void k(S s, int j) { int *p = s.n; for (int i = 0; i < j; i++) { *p = 5; p = s.p[i]; } }",
    # What stands in memory of the grid may be an address that a thread wrote there.
    "void k(L l, int j) { L *p = l.next[j & 1]; p = p->next[0]; p->v[0] = 1; }",
    "void k(S s, int *x, long j) { *(int *)j = s.n[0]; }",
)


def why(text: str) -> list[str]:
    kernel = read_kernels(f"{HEAD}__global__ {text}\n").kernels["k"]
    return [s.reason for s in every(kernel.body) if isinstance(s, NotUnderstood)]


@pytest.mark.parametrize("text", ELSEWHERE)
def test_pointers_that_are_handed_over_lead_elsewhere(text: str) -> None:
    assert why(text) == []


@pytest.mark.parametrize("text", WITHIN)
def test_others_may_lead_to_what_is_handed_over(text: str) -> None:
    assert "a write to what is handed over by value" in why(text)
