"""Two roads over one source: where they contradict each other, that is a fault of this program."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from symcute.cli import main
from symcute.cli.outcomes import check_all
from symcute.cli.roads import contradictions
from symcute.errors import InputError
from symcute.frontends import CUDA_CPP, CUDA_THROUGH_LLVM, for_file
from symcute.frontends.cuda import read_kernels
from symcute.frontends.llvm import compiling
from symcute.frontends.llvm.source import read_through_llvm
from symcute.kernel.checking import check
from symcute.kernel.findings import GOOD, verdict_of
from symcute.kernel.ir.verify import verified
from symcute.kernel.launch.notes import read_setting

KERNEL = """// symcute: launch grid=(1) block=(32)
// symcute: extent y = 32
__global__ void k(float *y) { y[threadIdx.x] = 0; }
"""


def result(verdicts: dict[str, str], place: str = "", kernel: str = "k") -> dict[str, Any]:
    launch = {"place": place} if place else None
    said = {"verdicts": verdicts, "findings": []}
    return {"file": "a.cu", "kernel": kernel, "launch": launch, **said}


@pytest.mark.parametrize(
    ("one", "other", "contradict"),
    [
        ("proved", "refuted", True),
        ("refuted", "proved", True),
        ("not applicable", "refuted", True),
        ("refuted", "not applicable", True),
        ("proved", "not applicable", False),
        ("proved", "unknown", False),
        ("unknown", "refuted", False),
        ("refuted", "refuted", False),
    ],
)
def test_what_contradicts(one: str, other: str, contradict: bool) -> None:
    first, second = result({"in_bounds": one}), result({"in_bounds": other})
    found = list(contradictions([first], [second]))
    assert len(found) == contradict
    for where, error in found:
        assert where == "a.cu::k"
        assert f"in_bounds of a.cu::k is {one} on one road and {other} on the other" in str(error)


def test_arithmetic_of_a_choice_between_data_may_be_asked_on_the_other_road_alone() -> None:
    none, wraps = result({"no_overflow": "not applicable"}), result({"no_overflow": "refuted"})
    assert not list(contradictions([none], [wraps]))
    assert list(contradictions([wraps], [none]))


CONVERSIONS = """// symcute: launch grid=(1) block=(32)
// symcute: assume -4 <= n <= 4
// symcute: extent y = 32
__global__ void bits(int n, int *y) { if (3u == (threadIdx.x | -1)) y[n & 7] = 1; }
// symcute: launch grid=(1) block=(32)
// symcute: assume 1 <= n <= 2**30
// symcute: extent y = 2**32
__global__ void shifted(int n, int *y) { y[(unsigned)(n << 1)] = 1; }
// symcute: launch grid=(1) block=(32)
// symcute: assume 1 <= n <= 2**30
// symcute: extent y = 2**32
__global__ void doubled(int n, int *y) { y[(unsigned)(n * 2)] = 1; }
"""

#: `++v` wraps in a round to come, as v is a number without a sign wherever it comes from.
CARRIED = """// symcute: launch grid=(1) block=(3)
// symcute: extent y = 8
// symcute: assume b <= 100
__global__ void k(int *y, int b) {{
  {type} v = {start};
  for (int i = 0; i < 2; i++) {{ {body} }}
  y[threadIdx.x] = 1;
}}
"""


def test_kernels_are_the_same_by_name_and_launch() -> None:
    one = [result({"aligned": "proved"}, "a.cu:1"), result({"aligned": "proved"}, "a.cu:2")]
    other = [result({"aligned": "refuted"}, "a.cu:2"), result({"aligned": "refuted"}, kernel="l")]
    assert len(list(contradictions(one, other))) == 1
    assert not list(contradictions(one, []))
    assert not list(contradictions(one, [result({"in_bounds": "refuted"}, "a.cu:1")]))


def command(*args: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(args)
    said = capsys.readouterr()
    return int(stop.value.code or 0), said.out, said.err


def test_a_contradiction_is_an_internal_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second road, which is made to say the opposite of the first, is not believed."""
    source = tmp_path / "k.cu"
    source.write_text(KERNEL)
    asked: list[str] = []

    def said(targets: Any, request: Any, *more: Any) -> Any:
        asked.append(request.road)
        results, errors = check_all(targets, replace(request, road="ast"), *more)
        if request.road == "llvm":
            results = [
                {**r, "verdicts": {**r["verdicts"], "in_bounds": "refuted"}} for r in results
            ]
        return results, errors

    monkeypatch.setattr("symcute.cli.check.check_all", said)
    code, out, err = command("check", str(source), "--no-cache", "--road", "both", capsys=capsys)
    assert asked == ["ast", "llvm"]
    assert code == 3
    assert "in_bounds" in err and "is proved on one road and refuted on the other" in err
    assert "k.cu" in out
    assert command("check", str(source), "--no-cache", capsys=capsys)[0] == 0


def test_files_with_cute_take_the_road_through_llvm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there is a compiler for it; a road that is named is taken whatever is included."""
    plain, cute = tmp_path / "plain.cu", tmp_path / "cute.cu"
    plain.write_text(KERNEL + "// #include <cute/tensor.hpp> is not needed\n")
    cute.write_text(f"#include <cute/tensor.hpp>\n{KERNEL}")
    monkeypatch.setattr(compiling, "compiler", lambda: None)
    assert for_file(plain).name == CUDA_CPP.name and for_file(cute) is CUDA_THROUGH_LLVM
    assert for_file(cute, "ast") is CUDA_CPP and for_file(plain, "llvm") is CUDA_THROUGH_LLVM
    assert for_file(tmp_path / "missing.cu").name == CUDA_CPP.name

    def missing() -> None:
        raise InputError("no clang")

    monkeypatch.setattr(compiling, "compiler", missing)
    assert for_file(cute).name == CUDA_CPP.name


@pytest.mark.full
def test_roads_agree(capsys: pytest.CaptureFixture[str]) -> None:
    source = Path(__file__).parents[1] / "access" / "llvm" / "kept.cu"
    code, out, err = command("check", str(source), "--no-cache", "--road", "both", capsys=capsys)
    assert code == 1 and "on one road" not in err
    assert "bytes_out_of_step" in out


@pytest.mark.full
def test_conversions_without_a_trace_are_no_contradiction(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "k.cu"
    source.write_text(CONVERSIONS)
    roads = []
    for road in ("ast", "llvm"):
        given = ("--road", road, "--no-cache", "--json", "--property", "no_overflow")
        roads.append(json.loads(command("check", str(source), *given, capsys=capsys)[1])["kernels"])
    ast, llvm = ({r["kernel"]: r["verdicts"]["no_overflow"] for r in road} for road in roads)
    assert ast == dict.fromkeys(("bits", "shifted", "doubled"), "refuted")
    # A shift has no sign in LLVM; of a product it is said.
    assert llvm == {"bits": "not applicable", "shifted": "not applicable", "doubled": "refuted"}
    assert not list(contradictions(*roads))
    wrapped = [r for r in roads[0] if r["kernel"] == "doubled"]
    proved = [{**wrapped[0], "verdicts": {"no_overflow": "proved"}}]
    assert list(contradictions(wrapped, proved))


def carried(type: str, start: str, body: str, folder: Path) -> list[list[dict[str, Any]]]:
    """Return what is said of CARRIED on each road."""
    source = folder / "k.cu"
    source.write_text(CARRIED.format(type=type, start=start, body=body))
    said = []
    for through in (read_kernels, read_through_llvm):
        kernel = verified(through(source).kernels["k"])
        found = check(kernel, read_setting(kernel), ("no_overflow",), hints=0)
        what = {"findings": [f.to_json() for f in found]}
        said.append([{**result(dict(verdict_of(found))), **what}])
    return said


@pytest.mark.full
@pytest.mark.parametrize(
    "then",
    [
        "v ^= 5;", "v = ~v;", "v |= 6;", "v ^= b - 3;", "v ^= 1u << b % 7;",
        "v = b > 7 ? 1 : v ^ 5;", "v = b > 7 ? b > 9 ? 3 : v | 8 : v ^ 5;",
    ],
)  # fmt: skip
def test_what_is_carried_around_a_loop_has_no_sign_on_both_roads(then: str, tmp_path: Path) -> None:
    """What is made of bits of unsigned numbers is unsigned, as C has it, and may wrap alike."""
    said = carried("unsigned", "b - 101u", f"if (++v) v += 1; {then}", tmp_path)
    for road in said:
        assert road[0]["verdicts"]["no_overflow"] not in GOOD
    assert not list(contradictions(*said))
    # Bits of signed numbers have a sign: nothing is asked of comparing them with one.
    for road in carried("int", "b - 101", f"if (v < 3) {{ {then} }}", tmp_path):
        assert road[0]["verdicts"]["no_overflow"] in GOOD


@pytest.mark.full
def test_a_wrap_that_one_road_alone_sees_is_a_contradiction(tmp_path: Path) -> None:
    """In a loop too, whether or not what is carried decides anything."""
    for body in ("v -= 1; if (v > 3) v = 0;", "v -= 1; if (v > 3) y[v & 7] = 1;"):
        ast, llvm = carried("unsigned", "0", body, tmp_path)
        assert ast[0]["verdicts"]["no_overflow"] == "refuted"
        assert not list(contradictions(ast, llvm))
        holds = [{**llvm[0], "verdicts": {"no_overflow": "proved"}}]
        assert len(list(contradictions(ast, holds))) == 1
