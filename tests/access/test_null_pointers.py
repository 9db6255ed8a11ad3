"""Whether a kernel is handed an array or a null pointer: who may choose it, and who may not."""

from __future__ import annotations

import pytest

from symcute import check_kernel

#: Two threads write to one place, if they come there.
TEXT = """
extern void look(const int *most);
__global__ void k(float *x, const int *most, int n) {
    int i = threadIdx.x;
    KERNEL
    x[i / 2] = 0;
}
HOST
"""
ASKED = "if (most && i >= *most) return;"
PLAIN = "void f(float *x, const int *most, int n) { BEFORE k<<<1, 64>>>(x, MOST, n); }"


def status(kernel: str, host: str) -> str:
    text = TEXT.replace("KERNEL", kernel).replace("HOST", host)
    (found,) = check_kernel(text, properties=("write_race_free",))
    return found.status


def host(before: str = "", most: str = "most") -> str:
    return PLAIN.replace("BEFORE", before).replace("MOST", most)


@pytest.mark.parametrize(
    ("kernel", "expected"),
    [
        (ASKED, "refuted"),
        ("if (most) return;", "refuted"),  # where there is none
        ("if (!most || i >= *most) return;", "refuted"),  # where there is one
        ("if (most) return; n = *most;", "unknown"),  # what is read is there
        ("int m = *most; if (most) return; n = m;", "unknown"),
        # Some thread, which is none of the two, reads it whether it is there or not.
        ("if (i == 40) x[i] = *most; if (most) return;", "unknown"),
        ("if (most || !most) return;", "not applicable"),
    ],
)
def test_a_caller_may_hand_over_none(kernel: str, expected: str) -> None:
    assert status(kernel, host()) == expected


@pytest.mark.parametrize(
    "given",
    [
        host("if (!most) return;"),
        host("if (most == nullptr) return;"),
        host("assert(most);"),
        host("if (n != (most ? 3 : 4)) return;"),
        host("look(most);"),
        host("CHECK(most);"),
        host(most="most + 1"),
        host(most="most ? most : (const int *)x"),
        host("int *own; cudaMalloc(&own, 4);", "own"),
        "static " + host(),
        host("most = made();").replace("void f", "const int *made(); void f"),
    ],
)
def test_what_host_code_hands_over_by_itself_is_no_choice(given: str) -> None:
    assert status("if (most) return;", given) == "unknown"
