"""Parameters that are no sizes: truths and values of enums, 0 and numbers below it among them."""

from __future__ import annotations

import pytest

from symcute.frontends.cuda import read_kernels
from symcute.frontends.llvm.source import read_through_llvm
from symcute.kernel.checking import check
from symcute.kernel.findings import verdict_of
from symcute.kernel.ir.verify import verified
from symcute.kernel.launch.notes import read_setting

HEAD = """
enum Mode { FIRST, SECOND };
enum class Kind : int { A = 0, B };
enum Signed { M = -2, P = 1 };
struct S { bool b; Mode m; };
struct Bits { unsigned f : 2; };
// symcute: launch grid=(1) block=(1)NOTES
// symcute: extent p = EXTENT
__global__ void k(int *p, PARAMETERS) { BODY }
"""

#: Parameters, a body, of how many elements it is right, and what else is said.
CASES = [
    ("bool b", "if (!b) p[0] = 1;", 1, ""),
    ("bool b", "p[b] = 1;", 2, ""),
    ("Mode m", "if (m == FIRST) p[0] = 1;", 1, ""),
    ("Kind m", "if (m == Kind::A) p[0] = 1;", 1, ""),
    ("Signed m", "if (m == M) p[0] = 1;", 1, ""),
    ("S s", "if (!s.b && s.m == FIRST) p[0] = 1;", 1, ""),
    ("bool b", "if (b) p[0] = 1;", 0, "// symcute: arg b = 0"),
    ("bool b", "if (!b) p[0] = 1;", 0, "// symcute: assume b >= 1"),
    ("Mode m", "if (m == FIRST) p[0] = 1;", 0, "// symcute: assume m >= 1"),
]


def said(road: str, parameters: str, body: str, extent: int, notes: str) -> str:
    text = (
        HEAD.replace("PARAMETERS", parameters)
        .replace("BODY", body)
        .replace("NOTES", f"\n{notes}" if notes else "")
    )
    text = text.replace("EXTENT", str(extent))
    read = read_kernels if road == "tree" else read_through_llvm
    kernel = verified(read(text).kernels["k"])
    return verdict_of(check(kernel, read_setting(kernel), ("in_bounds",)))["in_bounds"]


@pytest.mark.parametrize("road", ["tree", "llvm"])
@pytest.mark.parametrize(("parameters", "body", "least", "notes"), CASES)
def test_what_is_no_size_begins_where_its_type_does(
    parameters: str, body: str, least: int, notes: str, road: str
) -> None:
    assert said(road, parameters, body, least, notes) in ("proved", "not applicable")
    if least:
        assert said(road, parameters, body, least - 1, notes) == "refuted"


def test_a_field_of_bits_begins_at_0() -> None:
    assert said("tree", "Bits s", "if (s.f == 0) p[0] = 1;", 0, "") == "refuted"
    assert said("tree", "Bits s", "p[s.f] = 1;", 4, "") == "proved"
    assert said("tree", "Bits s", "p[s.f] = 1;", 3, "") == "refuted"


def test_no_execution_has_a_number_that_is_no_value_of_an_enum() -> None:
    notes = "// symcute: assume n == m"
    body = "if (m == FIRST && n == 2) p[0] = 1;"
    assert said("tree", "Mode m, int n", body, 0, notes) in ("proved", "not applicable")
    assert said("tree", "Mode m, int n", body.replace("2", "1"), 0, notes) != "refuted"
    assert said("tree", "Mode m, int n", "p[m] = 1;", 2, "") == "proved"
    assert said("tree", "Mode m, int n", "p[m] = 1;", 1, "") == "refuted"
