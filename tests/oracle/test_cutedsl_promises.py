"""What a source promises of integers, and what it asserts: neither is taken on faith."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from symcute.frontends.cutedsl.checking import check_module
from symcute.kernel.findings import Finding

#: As the DSL writes `cute.assume(mA.shape[0], divby=16)`, `cute.make_ptr`, `cute.testing.assert_`.
MODULE = """
!copy = !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f16, 128 b>, layout_copy_tv = <"((8,16),8):((128,1),16)">, tiler_mn = <"[16:1;64:1]">>
!given = !cute.memref<f16, gmem, align<16>, "(ROWS,64):(64,1)">
!made = !cute.memref<f16, gmem, align<16>, "(?{div=16},64):(64,1)">
!share = !cute.memref<f16, gmem, align<16>, "((8,1),?,1):((1,0),1024,0)">
"builtin.module"() ({
  "func.func"() <{sym_name = "host"}> ({
  ^bb0(%arg0: !given, %arg1: !copy, %arg2: i1):
    %0 = "cute.get_layout"(%arg0) : (!given) -> !cute.layout<"(ROWS,64):(64,1)">
    %1 = "cute.get_shape"(%0) : (!cute.layout<"(ROWS,64):(64,1)">) -> !cute.shape<"(ROWS,64)">
    %2:2 = "cute.get_leaves"(%1) : (!cute.shape<"(ROWS,64)">) -> (!cute.shape<"ROWS">, !cute.shape<"64">)
    %3 = "cute.to_int_tuple"(%2#0) : (!cute.shape<"ROWS">) -> !cute.int_tuple<"ROWS">
    %4 = "cute.get_scalars"(%3) : (!cute.int_tuple<"ROWS">) -> i32
    ASSERTED
    %5 = "cute.assume"(%4) : (i32) -> !cute.i32<divby 16> loc(#loc1)
    %6 = "cute.make_int_tuple"(%5) : (!cute.i32<divby 16>) -> !cute.int_tuple<"?{div=16}">
    %7 = "cute.make_shape"(%6) : (!cute.int_tuple<"?{div=16}">) -> !cute.shape<"(?{div=16},64)">
    %8 = "cute.make_stride"() : () -> !cute.stride<"(64,1)">
    %9 = "cute.make_layout"(%7, %8) <{operandSegmentSizes = array<i32: 1, 1>}> : (!cute.shape<"(?{div=16},64)">, !cute.stride<"(64,1)">) -> !cute.layout<"(?{div=16},64):(64,1)">
    %10 = "cute.get_iter"(%arg0) : (!given) -> !cute.ptr<f16, gmem, align<16>>
    %11 = "cute.make_view"(%10, %9) : (!cute.ptr<f16, gmem, align<16>>, !cute.layout<"(?{div=16},64):(64,1)">) -> !made
    %12 = "arith.constant"() <{value = 3 : i32}> : () -> i32
    %13 = "cute.make_coord"(%12) : (i32) -> !cute.coord<"?">
    %14 = "cute.tiled.copy.partition_S"(%arg1, %11, %13) : (!copy, !made, !cute.coord<"?">) -> !share loc(#loc2)
    %15 = "cute.tiled.copy.partition_S"(%arg1, %arg0, %13) : (!copy, !given, !cute.coord<"?">) -> !share loc(#loc3)
    %16 = "arith.constant"() <{value = BEHIND : i32}> : () -> i32
    %17 = "cute.make_int_tuple"(%16) : (i32) -> !cute.int_tuple<"?">
    %18 = "cute.add_offset"(%10, %17) : (!cute.ptr<f16, gmem, align<16>>, !cute.int_tuple<"?">) -> !cute.ptr<f16, gmem>
    %19 = "cute.ptrtoint"(%18) : (!cute.ptr<f16, gmem>) -> i64
    ROUNDED
    %21 = "cute.assume"(%19) : (i64) -> !cute.i64<divby 16> loc(#loc4)
    %22 = "cute.inttoptr"(%21) : (!cute.i64<divby 16>) -> !cute.ptr<f16, gmem, align<16>>
    %23 = "cute.static"() : () -> !cute.layout<"((8,1),1):((1,0),0)">
    %24 = "cute.make_view"(%22, %23) : (!cute.ptr<f16, gmem, align<16>>, !cute.layout<"((8,1),1):((1,0),0)">) -> !cute.memref<f16, gmem, align<16>, "((8,1),1):((1,0),0)">
    "cute.copy"(%arg1, %24, %24) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (!copy, !cute.memref<f16, gmem, align<16>, "((8,1),1):((1,0),0)">, !cute.memref<f16, gmem, align<16>, "((8,1),1):((1,0),0)">) -> () loc(#loc5)
  }) : () -> ()
}) : () -> ()
#loc1 = loc("k.py":11:1)
#loc2 = loc("k.py":12:1)
#loc3 = loc("k.py":13:1)
#loc4 = loc("k.py":14:1)
#loc5 = loc("k.py":15:1)
"""  # noqa: E501
ASSERTION = '"cf.assert"(%arg2) <{msg = "rows"}> : (i1) -> ()'
ROUNDED = """%29 = "arith.constant"() <{value = 15 : i64}> : () -> i64
    %28 = "arith.constant"() <{value = -16 : i64}> : () -> i64
    %27 = "arith.addi"(%19, %29) : (i64, i64) -> i64
    %20 = "arith.andi"(%27, %28) : (i64, i64) -> i64"""


def told(
    rows: str = "?", behind: int = 0, asserted: str = "", rounded: str = ""
) -> dict[int, list[Finding]]:
    text = MODULE.replace("ROWS", rows).replace("BEHIND", str(behind))
    text = text.replace("ASSERTED", asserted).replace("ROUNDED", rounded)
    if rounded:
        text = text.replace('"cute.assume"(%19)', '"cute.assume"(%20)')
    found: dict[int, list[Finding]] = {}
    for finding in check_module(text):
        if finding.property != "types_agree" and finding.place is not None:
            found.setdefault(finding.place.line, []).append(finding)
    return found


def statuses(findings: Sequence[Finding]) -> set[str]:
    return {f.status for f in findings}


@pytest.mark.parametrize(
    ("rows", "promise", "rests"),
    [
        ("?", "refuted", "unknown"),
        ("?{div=8}", "refuted", "unknown"),
        ("?{div=16}", "proved", "proved"),
        ("?{div=48}", "proved", "proved"),
    ],
)
def test_what_is_promised_is_asked_and_what_rests_on_it_is_open(
    rows: str, promise: str, rests: str
) -> None:
    found = told(rows)
    assert {f.property for f in found[11]} == {"promises_kept"}
    assert statuses(found[11]) == {promise}
    assert statuses(found[12]) == {rests}
    if rests == "unknown":
        assert all("promise at line 11" in f.reason for f in found[12])


@pytest.mark.parametrize(
    ("behind", "rounded", "promise", "rests"),
    [
        (0, "", "proved", "proved"),
        (8, "", "proved", "proved"),
        (1, "", "unknown", "unknown"),
        (1, ROUNDED, "proved", "proved"),
    ],
)
def test_an_address_is_a_multiple_where_that_is_seen(
    behind: int, rounded: str, promise: str, rests: str
) -> None:
    found = told("?{div=16}", behind, rounded=rounded)
    assert statuses(found[14]) == {promise}
    vectors = [f for f in found[15] if f.property == "vectorizable"]
    assert vectors and statuses(vectors) == {rests}


def test_behind_an_assertion_nothing_is_refuted() -> None:
    assert "refuted" in statuses(told()[13])
    found = told(asserted=ASSERTION)
    assert statuses(found[13]) == {"unknown"}
    assert "refuted" not in {f.status for each in found.values() for f in each}


@pytest.mark.parametrize(
    ("factor", "divisor", "status"),
    [
        (3, 3, "refuted"),  # 3 * -2**31 is -2**31 there
        (12, 6, "refuted"),
        (8, 8, "proved"),  # 8 divides what 32 bits cut off, too
        (12, 8, "refuted"),
    ],
)
def test_a_multiple_that_wraps_is_one_of_powers_of_two_alone(
    factor: int, divisor: int, status: str
) -> None:
    text = f"""
"builtin.module"() ({{
  "func.func"() <{{sym_name = "host"}}> ({{
  ^bb0(%arg0: i32):
    %0 = "arith.constant"() <{{value = {factor} : i32}}> : () -> i32
    %1 = "arith.muli"(%arg0, %0) : (i32, i32) -> i32
    %2 = "cute.assume"(%1) : (i32) -> !cute.i32<divby {divisor}> loc(#loc1)
  }}) : () -> ()
}}) : () -> ()
#loc1 = loc("k.py":11:1)
"""
    (found,) = (f for f in check_module(text) if f.property == "promises_kept")
    assert found.status == status, found
