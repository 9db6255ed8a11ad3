"""Enums of host code: a number that is cast to one is one of its values, or there is no launch."""

from __future__ import annotations

import pytest

from symcute import check_kernel
from tests.access.launched import told

#: Where `p` is written it is written behind its end; `n` is what `mode` is cast from.
PROGRAM = """
enum Mode { FIRST = 0, SECOND = 1 };
__global__ void k(float *v, float *p, Mode mode, int n) {
  if (TEST) p[threadIdx.x] = 1.0f; else v[threadIdx.x] = 2.0f;
}
void run(PARAMETER) {
  float *v, *p;
  cudaMalloc(&v, 4);
  cudaMalloc(&p, 0);
  CALL
}
"""
CASTS = (
    ("int n", "k<<<1, 1>>>(v, p, (Mode)n, n);"),
    ("long n", "k<<<1, 1>>>(v, p, static_cast<Mode>(n), (int)n);"),
    ("int n", "Mode mode = Mode(n); k<<<1, 1>>>(v, p, mode, n);"),
    ("Mode n", "k<<<1, 1>>>(v, p, n, n);"),
)


def program(test: str, parameter: str, call: str) -> str:
    written = PROGRAM.replace("TEST", test).replace("PARAMETER", parameter)
    return written.replace("CALL", call)


@pytest.mark.parametrize(("parameter", "call"), CASTS)
@pytest.mark.parametrize(
    ("test", "verdict"),
    [
        ("mode == FIRST", "refuted"),
        ("mode == FIRST && n == 0", "refuted"),
        ("mode == SECOND && n == 1", "refuted"),
        ("mode == FIRST && n == 2", "proved"),
        ("mode == SECOND && n == -1", "proved"),
        ("mode != FIRST && mode != SECOND", "proved"),
    ],
)
def test_a_number_is_no_other_value_of_an_enum(
    parameter: str, call: str, test: str, verdict: str
) -> None:
    assert told(program(test, parameter, call)) == {verdict}


def test_a_counterexample_has_a_value_of_the_enum() -> None:
    (found,) = check_kernel(program("mode == FIRST", *CASTS[0]), properties=("in_bounds",))
    assert found.status == "refuted" and found.counterexample is not None
    assert found.counterexample.dims == {"mode": 0}


@pytest.mark.parametrize(("number", "verdict"), [("0", "proved"), ("1", "refuted")])
def test_a_constant_is_the_value_that_it_is(number: str, verdict: str) -> None:
    call = f"k<<<1, 1>>>(v, p, (Mode){number}, 0);"
    assert told(program("mode == SECOND", "int n", call)) == {verdict}


def test_what_is_no_value_is_not_taken_for_one() -> None:
    assert told(program("mode == FIRST", "int n", "k<<<1, 1>>>(v, p, (Mode)2, 0);")) == {
        "not followed"
    }


def test_an_enum_whose_type_is_fixed_has_all_of_its_numbers() -> None:
    text = program("mode == FIRST && n == 2", *CASTS[0]).replace("enum Mode", "enum Mode : int")
    assert told(text) == {"proved"}
    text = program("mode != FIRST && n == 2", *CASTS[0]).replace("enum Mode", "enum Mode : int")
    assert told(text) == {"refuted"}
