"""The checker in Gallina: its theorems, what claims mean there, and that the core agrees."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from symcute.rocq import ask, machine, missing
from symcute.rocq.extracted import answers, line, program
from symcute.rocq.gallina import HEAD, data_terms
from symcute.rocq.machine import KERNEL, LIBRARY, PROGRAM, compiled
from symcute.rocq.plain import theorem
from tests.full import at_length, many

from . import brute_data
from .certificates import ACCEPTED, sign
from .differential import bases, by_core, compared, mutants
from .test_mutations import kept

FULL = pytest.mark.full
# --- what needs no Rocq


def test_what_is_missing_is_named() -> None:
    found = {name: missing(document) for name, document in ACCEPTED.items()}
    assert found["chain"] == "" and found["a claim or its denial"] == ""
    assert set(found.values()) >= {"prints_as", "the lemma solver"}
    kept_ones = Counter(missing(d) for d in kept() if d["rests_on"] == ["arithmetic"])
    covered = kept_ones.pop("")
    assert covered >= 2200 and set(kept_ones) == {"prints_as"}


def test_terms_say_what_json_says() -> None:
    lines, [term] = data_terms([{"a": [1, -2, "x'", True, None, [1]], "é": {}}])
    text = "\n".join([*lines, term])
    assert "DInt (-0x2)" in text and "DBool true" in text and "DNull" in text
    for word in ("x'", "é"):
        assert f"{int.from_bytes(bytes([1]) + word.encode(), 'big'):#x}%positive" in text
    # What stands twice is written once.
    assert text.count("DInt (0x1)") == 1


def test_lines_say_what_json_says() -> None:
    said = line({"a": [1, -26, "x'", True, False, None, [], 1 << 70], "é": {}})
    assert said == "{S61[I1I-1aS7827TFN[]I400000000000000000]Sc3a9{}}"


def test_the_program_is_asked_again_where_it_fails(tmp_path: Path) -> None:
    """A document on which it dies, or of which it says nothing sensible, is left to the kernel."""
    made = tmp_path / "checker"
    made.write_text(f"#!{sys.executable}\nimport sys\nfor line in sys.stdin:\n"
                    "    if 'I7' in line: sys.exit(2)\n"
                    "    print('?' if 'I8' in line else 1, flush=True)\n")  # fmt: skip
    made.chmod(0o755)
    documents = [{"proof": k} for k in (1, 7, 8, 7, 2, 7)]
    assert answers(made, documents, 60.0) == [1, None, None, None, 1, None]
    assert answers(tmp_path / "absent", documents, 60.0) == [None] * 6


def test_theorems_are_proved_and_assume_nothing() -> None:
    """As texts; that Rocq says so is asked below."""
    for file in LIBRARY.glob("*.v"):
        text = re.sub(r"\(\*.*?\*\)", "", file.read_text(), flags=re.DOTALL)
        assert not re.search(r"\b(Admitted|Axiom|Parameter|Conjecture|admit|Abort)\b", text), file
        assert len(file.read_text().splitlines()) <= 450, file


def test_all_files_are_compiled_in_order() -> None:
    names = re.findall(r"\S+\.v", (LIBRARY / "_CoqProject").read_text())
    assert sorted(names) == sorted(x.name for x in LIBRARY.glob("*.v"))
    for k, name in enumerate(names):
        asked = re.findall(r"From Symcute Require Import ([\w ]+)\.", (LIBRARY / name).read_text())
        assert {f"{x}.v" for line in asked for x in line.split()} <= {*names[:k]}


def test_cases_are_told_apart_by_one_word_or_the_other() -> None:
    found = 0
    for document in ACCEPTED.values():
        cases = document["proof"].get("cases", [""])
        if cases[0] == "either":
            found += 1
            other = {"cases": ["", *cases[1:]]}
            assert by_core(document) and not by_core(document | {"proof": other})
    assert found >= 2


def test_the_command_without_rocq_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(ACCEPTED["chain"]))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    said = run(["recheck", "--rocq", str(file)])
    assert said == (1, "", "symcute: Rocq's compiler coqc is not installed\n"
                    "Debian and Ubuntu have it: apt install coq\n")  # fmt: skip


def test_what_takes_too_long_is_not_covered(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(arguments: list[str], folder: Path) -> Any:
        raise subprocess.TimeoutExpired("coqc", 1)

    monkeypatch.setattr(machine, "compiled", lambda notice: Path())
    monkeypatch.setattr(machine, "_coqc", slow)
    monkeypatch.setenv("PATH", "")
    said = ask([ACCEPTED["chain"]] * 2)
    where = "in Rocq's kernel: ocamlfind is not installed"
    assert [(x.verdict, x.missing, x.checker) for x in said] == [("not covered", "time", where)] * 2


def test_a_theorem_is_stated_without_terms() -> None:
    text = theorem(ACCEPTED["chain"])
    said = text[text.index("Definition claimed") : text.index("Definition x0")]
    assert ACCEPTED["chain"]["claim"] in text and "forall LD M N : Z" in said, said
    assert not re.search("D(Int|Str|List|Obj)|Injective|offset", said), said
    # A dim may be called as Gallina's own words are, and as what a claim binds.
    other = json.loads(json.dumps(ACCEPTED["chain"]).replace('"M"', '"forall"'))
    assert " forall_ " in theorem(other) and " forall " not in theorem(other).partition(":=")[0]


def run(arguments: list[str]) -> tuple[int, str, str]:
    command = [sys.executable, "-m", "symcute", *arguments]
    found = subprocess.run(command, capture_output=True, text=True)
    return found.returncode, found.stdout, found.stderr


# --- Rocq


def coqc(text: str, folder: Path) -> str:
    """Return what coqc prints of a file that uses the library."""
    program = shutil.which("coqc")
    assert program, "coqc is not here: apt install coq"
    (folder / "Asked.v").write_text(text)
    command = [program, "-q", "-R", str(compiled()), "Symcute", "Asked.v"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


@FULL
def test_the_theorems_rest_on_nothing(tmp_path: Path) -> None:
    text = (LIBRARY / "Assumptions.v").read_text()
    count = len(re.findall("^Print Assumptions", text, re.MULTILINE))
    assert count >= 5
    assert coqc(text, tmp_path).count("Closed under the global context") == count


def number(rng: random.Random) -> int:
    return rng.choice((-3, -2, -1, 0, 0, 1, 1, 1, 2, 2, 3, 4, 6, 8))


def modes(rng: random.Random, rank: int) -> list[list[int]]:
    return [[rng.choice((1, 2, 2, 3, 4)), number(rng)] for _ in range(rank)]


def field(rng: random.Random) -> list[int]:
    bits = rng.choice((0, 0, 1, 2))
    return [bits, rng.choice((0, 1)), rng.choice((1, -1)) * (bits + rng.choice((0, 1)))]


def drawn(rng: random.Random, depth: int = 0) -> dict[str, Any]:
    """Return a primitive claim in numbers."""
    kinds = ["injective", "in_bounds", "covers", "disjoint", "apart", "same_image", "agree",
             "vectors", "holds", "requests"]  # fmt: skip
    kind = rng.choice(kinds if depth else [*kinds, "either", "denied"])
    rank = rng.choice((1, 1, 2, 2, 3))
    claim: dict[str, Any] = {"kind": kind}
    one = modes(rng, rank)
    beside = {"swizzle": field(rng), "offset": number(rng)}
    guards = [[[[s, number(rng)] for s, _ in one], rng.choice((0, 1, 2, 5))]]
    if kind == "injective":
        claim |= {"layouts": [one], "guards": rng.choice(([], guards))}
    elif kind == "in_bounds":
        claim |= {"layouts": [one], "leaf": rng.choice((1, 4, 8, 16, 32)), **beside}
        claim |= {"guards": rng.choice(([], guards))}
    elif kind == "covers":
        claim |= {"layouts": [one], "leaf": rng.choice((0, 1, 2, 4, 6))}
    elif kind in ("disjoint", "apart", "same_image"):
        other = rng.choice((one[::-1], modes(rng, rank)))
        claim |= {"layouts": [one, other]}
        claim |= {"leaf": rng.choice((1, 5, 9, 40))} if kind == "apart" else {}
    elif kind == "agree":
        chain = [one, rng.choice((one, modes(rng, rank))), modes(rng, 1), one]
        count, split = rng.choice((2, 3)), rng.choice((1, 1, 2, 0))
        claim |= {"layouts": [*chain[:count], one], "split": split}
        if rng.random() < 0.5:
            same = field(rng)
            claim |= {"swizzle": same, "body": rng.choice((same, field(rng)))}
            claim |= {"offset": number(rng), "leaf": number(rng)}
    elif kind == "vectors":
        claim |= {"layouts": [one], "split": rng.choice((1, 2, 2, 4)), "leaf": number(rng)}
        claim |= beside
    elif kind == "requests":
        width, element = rng.choice((8, 16)), rng.choice((4, 8, 8))
        most, least = rng.choice((1, 1, 2, 2, 3, 4)), rng.choice((0, 0, 1, 2))
        service = [element, width, rng.choice((1, rank)), width * rng.choice((1, 2))]
        service += [rng.choice((1, 2, 4)), rng.choice((1, 2, 4)), most, least]
        claim |= {"layouts": [one], "leaf": number(rng), **beside}
        claim |= {"body": [*service, rng.random() < 0.7]}
    elif kind == "holds":
        ops = ["//", "%", "ceil_div", "min", "max", "+", "*", "-"]
        a, b = (number(rng) for _ in range(2))
        side = [rng.choice(ops), a, b or 3]
        claim |= {"body": [rng.choice(("==", "<=", "<", "!=", "|")), side, number(rng)]}
    elif kind == "either":
        claim |= {"body": [drawn(rng, 1) for _ in range(rng.choice((1, 2)))]}
    else:
        inner = drawn(rng, 1)
        while inner["kind"] in ("holds", "requests"):
            inner = drawn(rng, 1)
        claim |= {"body": [inner]}
    return claim


@FULL
def test_claims_mean_what_brute_force_says(tmp_path: Path) -> None:
    """`is_true` holds just where the meaning does, by a theorem, and `evaluated` says the same, of
    requests by classes of residues; here they are compared with a meaning in plain integers."""
    rng = random.Random(7)
    claims = [drawn(rng) for _ in range(1500)]
    lines, terms = data_terms(claims)
    text = "\n".join([
        *lines,
        "Definition said d := match claim_of 9 d with None => 2",
        "  | Some c => if eqb (is_true (instance zero_env c)) (evaluated c)",
        "    then if evaluated c then 1 else 0 else 3 end.",
        f"Eval vm_compute in map said [{'; '.join(terms)}].",
    ])  # fmt: skip
    head = HEAD + "From Coq Require Import Bool.\nFrom Symcute Require Import Claims Evaluation.\n"
    said = coqc(head + text, tmp_path).partition("=")[2].partition(":")[0]
    codes = re.findall(r"\b[0123]\b", said)
    assert len(codes) == len(claims)
    counted: Counter[tuple[str, bool]] = Counter()
    for claim, code in zip(claims, codes, strict=True):
        truth = brute_data.holds(claim, {})
        counted[claim["kind"], truth] += 1
        assert code == str(int(truth)), claim
    assert len(counted) >= 20 and min(counted.values()) >= 3, counted


@FULL
def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    chain = ACCEPTED["chain"]
    forged = sign(chain | {"statement": chain["statement"] | {"given": []}})
    printed = next(d for d in ACCEPTED.values() if missing(d) == "prints_as")
    (tmp_path / "all.json").write_text(json.dumps([chain, forged, printed]))
    code, said, _ = run(["recheck", "--rocq", "--json", "all.json"])
    found = json.loads(said)
    verdicts = [x.get("rocq") for x in found["certificates"]]
    accepted = {"verdict": "accepted", "text": True, "missing": "", "checker": PROGRAM}
    other = {"verdict": "not covered", "text": False, "missing": "prints_as", "checker": ""}
    assert code == 1 and accepted in verdicts and other in verdicts and None in verdicts
    counts = {"accepted": 1, "rejected": 0, "not_covered": 1}
    assert found["totals"]["rocq"] == counts | {"checkers": {PROGRAM: 1}}
    (tmp_path / "one.json").write_text(json.dumps(chain))
    for option, where in ((), PROGRAM), (("--kernel",), f"{KERNEL}: as --kernel asks"):
        code, said, _ = run(["recheck", "--rocq", *option, "--quiet", "one.json"])
        assert code == 0 and said.endswith(f"; Rocq accepts 1, rejects 0; checked 1 {where}\n")
    if not at_length():
        return
    # A user without compiled theorems is told what takes so long: about a minute.
    monkeypatch.setenv("HOME", str(tmp_path))
    for told in "compiles the theorems", "":
        code, _, noticed = run(["recheck", "--rocq", "--quiet", "one.json"])
        assert code == 0 and (told in noticed if told else noticed == "")


#: A claim of each kind, with what is given; as texts, so that the command proves and writes them.
EXPORTED: dict[str, tuple[str, ...]] = {
    "injective((M,N):(x0,1))": ("x0 >= N",),
    "injective((128,P):(1,128), where((128,P):(1,128), Z))": (),
    "in_bounds((M,N):(-1,M), M*N + 1)": ("M == 1",),
    "in_bounds(Sw<2,0,2> o 0 o (4,4*M):(1,4), 16*M)": (),
    "covers((M,N):(N,1), M*N)": (),
    "disjoint((M,2):(4,1), 2:2)": (),
    "apart(M:1, N:1, M)": (),
    "same_image((M,N):(1,M), (N,M):(M,1))": (),
    "equal(composition((M,N):(N,1), N:M), N:1)": (),
    "compact((4,M):(M,1)) or M % 2 == 3": (),
    "M / 4 * 4 + min(N, 3) <= M + 3": ("M % 4 == 0",),
    "bijective((2,3):(3,1))": (),
    "bank_conflict(access(Sw<3,3,3> o 0 o (8,8,M):(64,8,512), 16, 128), 1)": (),
    "sectors(access((32,R):(LD,1), 32, 32, B), 32, 32)": ("LD >= 8",),
    "M % 8 == 0 implies (M // 2) % 4 == 0": (),
}


@FULL
def test_exported_theorems_are_proved_and_false_ones_are_not(tmp_path: Path) -> None:
    proved = 0
    for claim, given in EXPORTED.items():
        code, text, said = run(["export", "--rocq", claim, *(x for g in given for x in ("-g", g))])
        if code:
            assert "no theorem" in said, (claim, said)
            continue
        proved += 1
        assert "Closed under the global context" in coqc(text, tmp_path), claim
    assert proved >= 11
    text = theorem(ACCEPTED["chain"])
    for old, new in ("N <= LD ->", "M <= LD ->"), ("x1 < N", "x1 <= N"), ("x0 = y0", "x0 = y1"):
        assert old in text
        with pytest.raises(AssertionError, match="Error"):
            coqc(text.replace(old, new), tmp_path)


@FULL
def test_of_one_mind_on_certificates_by_hand() -> None:
    said = ask([ACCEPTED[name] for name in ACCEPTED])
    counted: Counter[str] = Counter()
    for (name, document), found in zip(ACCEPTED.items(), said, strict=True):
        counted[found.verdict] += 1
        if found.verdict != "not covered":
            assert (found.verdict == "accepted") == by_core(document), name
    assert counted["accepted"] >= 20, counted


@FULL
def test_a_layout_without_modes_has_the_index_0_alone() -> None:
    """At another it has no value in the core, and 0 as a sum of nothing."""
    wide = {"kind": "agree", "layouts": [[], [[2, 0]], [[2, 1]]], "split": 1}
    one = wide | {"layouts": [[], [[2, 0]], [[1, 1]]]}
    differ = wide | {"layouts": [[], [[2, 1], [1, 0]], [[2, 1]]], "leaf": 1}
    either = {"kind": "either", "body": [one, wide]}
    documents = []
    for claim in (
        wide,
        one,
        differ,
        either,
        either | {"body": [wide, one]},
        {"kind": "denied", "body": [differ]},
        {"kind": "denied", "body": [wide]},
    ):
        statement = {"dims": {}, "given": [], "defined": [], "parts": [claim]}
        proof = {"defined": [], "parts": [{"lemma": "evaluate"}]}
        documents.append(
            ACCEPTED["chain"]
            | {"statement": statement, "proof": proof}
            | {"instance": {}, "definitions": [], "rests_on": ["arithmetic"]}
        )
    mine = [by_core(d) for d in documents]
    assert mine == [False, True, False, True, False, True, False]
    assert [x.verdict == "accepted" for x in ask(documents)] == mine


@FULL
def test_the_program_says_what_the_kernel_says() -> None:
    assert shutil.which("ocamlfind"), "OCaml is not here: apt install ocaml-findlib"
    assert program(compiled(), lambda *_: None), "the checker is not extracted"
    rng, items = random.Random(3), list(ACCEPTED.values())
    short = [d for d in kept() if len(str(d)) < 3000]
    chosen = rng.sample(short, many(10, 40)) + rng.sample([d for d in short if missing(d)], 5)
    items += mutants(rng, chosen, 4)
    by_program, by_kernel = ask(items), ask(items, kernel=True)
    assert {s.checker for s in by_program} & {s.checker for s in by_kernel} <= {""}
    assert [replace(s, checker="") for s in by_program] == [
        replace(s, checker="") for s in by_kernel
    ]
    assert min(Counter(x.verdict for x in by_program).values()) >= 10


@FULL
def test_of_one_mind_on_mutants() -> None:
    """Of certificates that are kept and those by hand, data or proof changed in one place."""
    rng = random.Random(11)
    known = [d for d in bases() if len(str(d)) < 4000]
    counted, differ = compared(list(mutants(rng, rng.sample(known, many(30, 400)), 10)))
    assert not differ, json.dumps(differ[0])
    assert counted["accepted", "accepted"] >= 10 and counted["rejected", "rejected"] >= 100, counted
