"""A small run each time, with floors; the meanings on their own; and that faults are seen."""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from symcute import recheck
from symcute.claims import vocabulary
from symcute.frontends.cuda import read_kernels
from symcute.frontends.front_end import Source, SourceError
from symcute.kernel.findings import Finding
from symcute.kernel.ir.place import Place
from tests.access import host
from tests.access.replay import kernel_of
from tests.full import many

from . import certificates, claims, kernels, roads
from .__main__ import PARTS, report, soak
from .assumed import lower_bounds
from .box import box
from .drawing import KINDS
from .evaluate import FUNCTIONS, Senseless, formula
from .meanings import CLAIMS, truth
from .reading import Unreadable, names, read
from .tally import Tally

INDEPENDENT = ("reading", "evaluate", "assumed", "meanings", "box", "tally")


@pytest.mark.parametrize("name", INDEPENDENT)
def test_the_meanings_share_nothing_with_the_package(name: str) -> None:
    tree = ast.parse((Path(__file__).parent / f"{name}.py").read_text(encoding="utf-8"))
    imported = {
        node.module or ""
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and not node.level
    } | {a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names}
    assert imported and not any("symcute" in x or "tests" in x for x in imported)


def test_every_claim_can_be_drawn_and_has_a_meaning() -> None:
    assert set(KINDS) == {*vocabulary.CLAIMS, "exists", "formula", "joined"}
    assert CLAIMS.keys() == vocabulary.CLAIMS.keys()
    assert FUNCTIONS.keys() <= vocabulary.FUNCTIONS.keys()


@pytest.mark.parametrize(
    "text, dims, expected",
    [
        ("injective((M,N):(N,1))", {"M": 3, "N": 2}, True),
        ("injective((M,N):(1,1))", {"M": 2, "N": 2}, False),
        ("injective((M,N):(1,1), where((M,N):(1,2), 2))", {"M": 2, "N": 2}, True),
        ("in_bounds((M,N):(N,1), M*(N/8)*8)", {"M": 1, "N": 8}, True),
        ("in_bounds((M,N):(N,1), M*(N/8)*8)", {"M": 1, "N": 7}, None),
        ("bijective(Sw<2,0,2> o 0 o (4,4):(4,1))", {}, True),
        ("5 % -3 == -1 and -5 // 2 == -3 and ceil_div(5, -3) == -1", {}, True),
        ("N == 1 or N/2 >= 1", {"N": 1}, None),
        ("N != 1 implies 6 / (N-1) >= 1", {"N": 1}, True),
        ("0 * (M // (N-1)) == 0", {"M": 4, "N": 1}, None),
        ("M % N == 0", {"M": 4, "N": 0}, False),
        ("_4 | M", {"M": 8}, True),
        ('no_overflow("i*LD + j - j", 8)', {"i": 1, "LD": 120, "j": 9}, False),
        ("bank_conflict(access(32:32, 32), 31)", {}, False),
        ("bank_conflict(access(32:33, 32), 1)", {}, True),
        ("partition_exact((4,(2,3)):(1,(0,4)), (4,3), 2)", {}, True),
        ("partition((4,3):(1,4), 10)", {}, True),
        ("vectorizable((4,N):(1,4*(LD/4)), 32, 128)", {"N": 2, "LD": 8}, True),
        ('prints_as((2,(4,8)):(1,(2,8)), "(2,(4,8)):(1,(2,8))")', {}, True),
        ("table((2,3):(3,1), ((0,1,2),(3,4,5)))", {}, True),
        ("injective((N-1):1)", {"N": 1}, None),
    ],
)
def test_meanings(text: str, dims: dict[str, int], expected: bool | None) -> None:
    try:
        found: bool | None = truth(read(text), dims)
    except Senseless:
        found = None
    assert found is expected


def test_reading() -> None:
    assert read("<128, 64:2>") == ("tuple", ("int", 128), ("layout", ("int", 64), ("int", 2)))
    assert read("a - b - c < -2**2")[0] == "<" and names(read("o o o")) == {"o"}
    assert read("a < b <= c") == ("and", ("<", *_names("ab")), ("<=", *_names("bc")))
    assert formula(read("1 << 2 + 1 == 8 and not 1 > 2 or 0 == 1"), {})
    for text in ("(4,", "a b", "4 $ 5", "min(", "a <"):
        with pytest.raises(Unreadable):
            read(text)


def _names(text: str) -> list[tuple[str, str]]:
    return [("name", c) for c in text]


def test_bounds_and_instances() -> None:
    given = [read(t) for t in ("0 <= M < N", "N % 4 == 0", "K == 3", "P >= 2 or P == 0")]
    assert lower_bounds(given, set("MNKP")) == {"M": 0, "N": 1, "K": 3, "P": 1}
    for text, bound in (
        ("not (M < N - N)", 0),
        ("M + 1 > 5 - 3", 1),
        ("M > 5 - 3", 3),
        ("min(M,M) > 2", 1),
        ("M + M % 2*0 > 2", 3),
        ("M >= N", 1),
    ):
        assert lower_bounds([read(text)], {"M"}) == {"M": bound}
    found = list(box(given, [], Random(1), 30))
    assert len(found) == 30
    assert all(0 <= e["M"] < e["N"] and e["N"] % 4 == 0 and e["K"] == 3 for e in found)


# --- small runs ---------------------------------------------------------------------------------


def _sum(counts: Counter[str], ending: str) -> int:
    return sum(n for k, n in counts.items() if k.endswith(f": {ending}"))


def test_claims(tmp_path: Path) -> None:
    wanted, kept = {"claims": 250, "certificates": 0, "kernels": 0}, tmp_path / "done"
    tally = soak(wanted, "small", 600, 1, kept)
    assert not tally.faults, "\n".join(tally.faults)
    c = tally.counts
    assert _sum(c, "proved") >= 60 and _sum(c, "refuted") >= 60
    assert c["certificates of proofs accepted"] == _sum(c, "proved")
    assert c["instances compared"] >= 400 and c["counterexamples compared"] >= 60
    assert len({k.split(":")[0] for k in c if k.endswith(": proved")}) >= 20
    # What is done is not done again.
    assert c["claims"] == 250 and len(kept.read_text(encoding="utf-8").splitlines()) == 1
    assert soak(wanted, "small", 600, 1, kept).counts == c
    report(tally, "small", 1.0, tmp_path / "soak.md")
    assert "- claims: 250" in (tmp_path / "soak.md").read_text(encoding="utf-8")


def test_certificates() -> None:
    tally = Tally()
    certificates.run("small", range(16), tally)
    assert not tally.faults, "\n".join(tally.faults)
    assert tally.counts["certificates"] >= 200
    # Many are rejected, as a proof that says each step is wrong wherever it is changed; those that
    # are written another way hold as a rule.
    assert tally.counts["certificates checked"] >= 20
    assert tally.counts["instances of checked certificates compared"] >= 300


@pytest.mark.full
def test_kernels() -> None:
    tally = Tally()
    kernels.run("small", range(1), tally)
    assert not tally.faults, "\n".join(tally.faults)
    assert tally.counts["kernels"] == kernels.BATCH and tally.counts["executions"] >= 40
    assert tally.counts["in_bounds: proved"] >= 2
    assert _sum(tally.counts, "proved") >= 15


@pytest.mark.full
@pytest.mark.parametrize(
    "name, count", [("claims", 2_000), ("certificates", 2_000), ("kernels", 32)]
)
def test_a_long_run(name: str, count: int, tmp_path: Path) -> None:
    wanted = {p.name: count if p.name == name else 0 for p in PARTS}
    tally = soak(wanted, "long", 1800, 2, tmp_path / "done")
    assert not tally.faults, "\n".join(tally.faults)
    assert tally.counts[name] >= 0.8 * count  # not every draw has a proof
    if name == "certificates":
        assert tally.counts["certificates checked"] >= 0.08 * count  # 11 to 17 % were
    else:
        decided = _sum(tally.counts, "proved") + _sum(tally.counts, "refuted")
        assert decided >= 0.4 * count


@pytest.mark.full
def test_roads() -> None:
    tally = Tally()
    roads.run("small", range(many(1, 2)), tally)
    assert not tally.faults, "\n".join(tally.faults)
    c = tally.counts
    assert c["roads"] >= 0.8 * roads.BATCH
    assert c["executions on roads compared"] >= 1.5 * c["roads"]
    assert c["on roads, proved"] >= 60 and c["on roads, refuted"] >= 5


# --- faults are seen ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, lie, seen",
    [
        ("injective((M,N):(1,1))", "proved", "WRONG proved"),
        ("N/2 >= 0", "proved", "makes no sense"),
        ("N >= 1", "refuted", "WRONG refuted"),
        ("N >= 1", "vacuous", "WRONG vacuous"),
    ],
)
def test_a_wrong_verdict_is_seen(
    text: str, lie: Any, seen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    true = claims.prove("N >= 1")
    example = claims.prove("N >= 2").counterexample
    false = replace(
        true,
        status="unknown" if lie == "vacuous" else lie,
        vacuous=lie == "vacuous",
        counterexample=example,
    )
    monkeypatch.setattr(claims, "prove", lambda *_, **__: false)
    tally = Tally()
    claims.compare("formula", text, [], tally, Random(1))
    assert any(seen in x for x in tally.faults)


def test_a_certificate_of_something_else_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    other = claims.prove("N >= 1")
    monkeypatch.setattr(claims, "prove", lambda *_, **__: replace(other, certificate={}))
    tally = Tally()
    claims.compare("formula", "N + 1 >= 2", [], tally, Random(1))
    assert any(x.startswith("REJECTED") for x in tally.faults)
    false = certificates.signed(dict(other.certificate or {}) | {"claim": "N >= 2"})
    monkeypatch.setattr(claims, "prove", lambda *_, **__: replace(other, certificate=false))
    accepts = replace(recheck.check(other.certificate), statement="N >= 2")
    monkeypatch.setattr(recheck, "check", lambda *_: accepts)
    claims.compare("formula", "N + 1 >= 2", [], tally, Random(1))
    assert any(x.startswith("STATES") for x in tally.faults)
    certificates.judge(false, tally, Random(1), "")
    assert any(x.startswith("CHECKED, false") for x in tally.faults)


@pytest.mark.full
def test_a_wrong_verdict_on_a_kernel_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "one.cu"
    file.write_text(
        "// One.\n\n// symcute: launch grid=(ceil_div(n,32)) block=(32)\n"
        "// symcute: assume n <= 2**20\n// symcute: extent y = n\n"
        "__global__ void k0(int n, float *y) {\n  y[blockIdx.x * 32 + threadIdx.x] = 1;\n}\n",
        encoding="utf-8",
    )
    program = host.Program(file)
    (case,) = program.cases
    lie = Finding("in_bounds", "proved", kernel_of(case).place, "")
    monkeypatch.setattr(kernels, "check", lambda *_, **__: [lie])
    tally = Tally()
    kernels.judge(case, program, False, tally, Random(1), "")
    assert any(x.startswith("WRONG proved in_bounds") for x in tally.faults)


def test_what_nothing_uses_may_overflow() -> None:
    head = "__global__ void k(int n, int *y) {\n  int t = 7;\n  t = (n * t);\n"
    assert kernels.unused(f"{head}  y[0] = 1;\n}}\n", 3)
    assert not kernels.unused(f"{head}  y[t] = 1;\n}}\n", 3)
    assert not kernels.unused(f"{head}  y[n * n] = 1;\n}}\n", 4)
    assert not kernels.unused(head.replace("int t", "for (;;) ; int t") + "  y[0] = 1;\n}\n", 3)


GUARDED = """// symcute: launch grid=(1) block=(32)
// symcute: extent y = 32
__global__ void k0_0(int n, int *y) {
  if (threadIdx.x < 31) y[threadIdx.x] = 1;
}
"""


@pytest.mark.parametrize(
    ("changed", "seen"),
    [
        (GUARDED, ""),
        (GUARDED.replace("< 31", "< 30"), "OTHER ACCESSES"),
        (GUARDED.replace("y[threadIdx.x]", "y[threadIdx.x + 2]"), "CONTRADICTION in_bounds"),
        (GUARDED.replace("k0_0", "other"), "MISSING"),
    ],
)
def test_roads_that_differ_are_seen(
    changed: str, seen: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roads, "read_through_llvm", lambda *_, **__: read_kernels(changed))
    monkeypatch.setattr(roads, "ASKED", 1)
    tally = Tally()
    roads.look([GUARDED], tmp_path, "1", tally)
    assert any(fault.startswith(seen) for fault in tally.faults) if seen else not tally.faults
    assert tally.counts["roads"] == 1


def test_what_does_not_compile_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel in whose lines the fault is; those before and behind it are compared."""

    def compiled(file: Path, **_: Any) -> Source:
        before, wrong, _ = file.read_text(encoding="utf-8").partition("unheard_of")
        if wrong:
            raise SourceError("undeclared", "", Place(str(file), before.count("\n") + 1, 1))
        return read_kernels(file)

    monkeypatch.setattr(roads, "read_through_llvm", compiled)
    texts = [GUARDED.replace("k0_0", f"k0_{n}") for n in range(3)]
    texts[1] = texts[1].replace("31", "unheard_of")
    tally = Tally()
    roads.look(texts, tmp_path, "1", tally)
    assert not tally.faults
    assert tally.counts["roads"] == 2 and tally.counts["kernels that do not compile"] == 1
