"""`symcute find-padding` and `symcute find-swizzle`."""

from __future__ import annotations

import json

COLUMNS = "bank_conflict(access((32,32):(32+P,1), 32), 1)"
ROWS = "bank_conflict(access((32,32):(1,32+P), 32), 1)"


def test_a_padding_is_found_with_proofs_and_the_refutations_of_smaller_ones(symcute) -> None:
    outcome = symcute("find-padding", ROWS, COLUMNS)
    assert outcome.code == 0
    assert outcome.out.splitlines() == [
        "FOUND  P = 1",
        "  proved   bank_conflict(access((32,32):(1,32 + P), 32), 1)",
        "  proved   bank_conflict(access((32,32):(32 + P,1), 32), 1)",
        "  refuted  P = 0: P=0: in request (0) of access((32,32):(32,1), 32), 32 ways in bank 0 "
        "(lane 0 at byte 0, lane 1 at byte 128, ...), more than 1",
    ]


def test_a_padding_of_another_name_in_steps_as_json(symcute) -> None:
    claim = "bank_conflict(access((8,R):(N+pad,8), 16, 128), 1)"
    arguments = ("--pad", "pad", "--step", "8", "-g", "N % 64 == 0", "--json")
    outcome = symcute("find-padding", claim, *arguments)
    assert outcome.code == 0
    told = json.loads(outcome.out)
    assert told["padding"] == {"pad": 8} and told["minimal"] is True
    assert [v["status"] for v in told["proofs"]] == ["proved"]
    assert all(v["certificate"] for v in told["proofs"])
    (smaller,) = told["smaller"]
    assert smaller["padding"] == 0 and smaller["verdict"]["status"] == "refuted"


def test_no_padding_and_one_that_makes_no_sense(symcute) -> None:
    outcome = symcute("find-padding", COLUMNS, "--most", "0")
    assert outcome.code == 1
    assert outcome.out.splitlines() == [
        "NOT FOUND  no P up to 0 is proved to do; --most looks further",
        "  refuted  P = 0: P=0: in request (0) of access((32,32):(32,1), 32), 32 ways in bank 0 "
        "(lane 0 at byte 0, lane 1 at byte 128, ...), more than 1",
    ]
    told = json.loads(symcute("find-padding", COLUMNS, "--most", "0", "--json").out)
    assert (told["found"], [x["padding"] for x in told["smaller"]]) == (False, [0])
    other = symcute("find-padding", ROWS, "--pad", "Q")
    assert other.code == 2
    assert "does not speak of Q" in other.err and "write a stride such as 32+Q" in other.err


def test_a_swizzle_is_found(symcute) -> None:
    outcome = symcute("find-swizzle", "access((32,32):(1,32), 32)", "access((32,32):(32,1), 32)")
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[0] == "FOUND  Sw<5,0,5>"
    assert lines[1] == "  proved   bank_conflict(access(Sw<5,0,5> o 0 o (32,32):(1,32), 32), 1)"
    assert lines[-1] == "  refuted  95 of 95 smaller ones in all"


def test_a_swizzle_that_leaves_some_ways_as_json(symcute) -> None:
    outcome = symcute("find-swizzle", "access((32,32):(32,1), 32)", "--ways", "4", "--json")
    told = json.loads(outcome.out)
    assert told["swizzle"].startswith("Sw<3,") and told["minimal"] is True
    assert (told["lowest"], told["bits"]) == (0, 10)
    assert {v["verdict"]["status"] for v in told["fewer"]} == {"refuted"}


def test_no_swizzle_and_those_that_make_no_sense(symcute) -> None:
    outcome = symcute("find-swizzle", "access((32,32):(64,1), 32)", "--bits", "8")
    assert outcome.code == 1
    head, *why = outcome.out.splitlines()
    assert head.startswith("NOT FOUND  no swizzle within ")
    assert head.endswith(" bits is proved to leave at most 1 way; --bits looks further")
    assert why[0].startswith("  refuted  Sw<0,0,0>: in request (0) of ")
    unknown = symcute("find-swizzle", "access((8,8):(64,8), 16)", "--arch", "sm42")
    assert unknown.code == 2
    assert "there is no architecture 'sm42'" in unknown.err and "known are sm70" in unknown.err
    told = json.loads(symcute("find-swizzle", "(8,8)", "--json").out)
    assert told["error"]["what"] == "(8,8) is no access"
