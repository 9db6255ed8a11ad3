"""Documents that are damaged, huge, or meant to hang the checker: rejected, soon, with a reason."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from symcute import checker as core
from symcute.checker.poly import MAX_WORK, budget
from symcute.recheck import check

from .certificates import ACCEPTED, W, anew, chain, formula, make, part, sign


def rejected(document: Any) -> str:
    # That it ends is what the checker's budget of work sees to.
    result = check(document if isinstance(document, str) else json.dumps(document))
    assert budget.left > -MAX_WORK  # no step beyond the last one is long
    assert not result.accepted
    assert result.reason
    assert "\n" not in result.reason
    assert len(result.reason) <= 400
    return result.reason


CHAIN = ACCEPTED["chain"]


TEXT = json.dumps(CHAIN)


@pytest.mark.parametrize(
    "text",
    ["", "{", "null", "[]", "3", '"x"', "{}", '{"version": 2}', "\x00", "{" * 100_000,
     "[" * 100_000, '{"a": 1, "a": 1}', TEXT[:-1], TEXT.replace("2", "2.0", 1),
     TEXT.replace("2", "NaN", 1), TEXT.replace("2", "9" * 5000, 1),
     TEXT.replace('"claim"', '"claim": "1 == 1", "claim"')],
)  # fmt: skip
def test_no_certificate(text: str) -> None:
    rejected(text)


@pytest.mark.parametrize("key", sorted(CHAIN))
def test_every_key_is_needed_and_checked(key: str) -> None:
    rejected(sign({k: v for k, v in CHAIN.items() if k != key}) if key != "digest" else
             {k: v for k, v in CHAIN.items() if k != key})  # fmt: skip
    for value in (None, 3, True, "x", [], {}, [[]], [None], {"a": []}):
        if key != "digest" and value != CHAIN[key] and (key, value) != ("instance", None):
            rejected(sign(CHAIN | {key: value}))
    assert "the digest" in rejected(CHAIN | {"digest": "0" * 64})


def test_a_document_that_is_too_long() -> None:
    assert "longer than" in rejected(" " * 4_000_001)


def test_deep_text() -> None:
    for text in ("(" * 5000 + "1" + ")" * 5000, "-" * 9000 + "1", "not " * 3000 + "1 == 1",
                 "+".join("1" * 9000), "2**" * 3000 + "1", "1 == 1" + " implies 1 == 1" * 1000,
                 "<".join("1" * 5000), "1" * 19_999, "x" * 30_000):  # fmt: skip
        rejected(formula(text, "-"))


def test_deep_proofs() -> None:
    by: Any = W
    for _ in range(3000):
        by = ["absurd", by]
    assert "recursion" in rejected(sign_text(formula("1 <= M", "BY", "M from 1"), json_deep(3000)))


def json_deep(depth: int) -> str:
    return '["absurd",' * depth + '["sum",0]' + "]" * depth


def sign_text(document: Any, by: str) -> str:
    return json.dumps(document).replace('"BY"', by)


@pytest.mark.parametrize(
    "claim",
    ["(M+N+K+L)**64 <= (M+N+K+L)**64 + 1", "(M+1)**64*(N+1)**64*(K+1)**64 >= 1",
     "2**64**64 >= 1", "((M**64)**64)**64 >= 1", "(9**64)**64*(9**64)**64*M >= 1",
     "((((M+N)**8)**8)**8) >= 0", "(M**63 + N**62 + 1)//(M - N + 1) >= 0"],
)  # fmt: skip
def test_polynomials_that_explode(claim: str) -> None:
    rejected(formula(claim, W, "M from 1; N from 1; K from 1; L from 1"))


def test_a_sum_of_very_many_products() -> None:
    names = [f"x{k}" for k in range(20)]
    claim = "1 <= " + "*".join(f"(9 - {n})" for n in names)
    terms = [["1", [["u", f"{n}'"] for n in names]]] * 4000
    rejected(formula(claim, ["sum", 0, terms], "; ".join(f"{n} from 1" for n in names),
                     given=tuple(f"{n} <= 8" for n in names)))  # fmt: skip


def test_much_work() -> None:
    by = ["sum", 0, [["1", [0] * 40]] * 5_000]
    document = anew({
        "claim": "M <= N", "given": ["(M + N + 1)**2 <= 9*M*N"], "operations": [],
        "definitions": [[]], "rests_on": ["arithmetic"],
        "proof": {"defined": [], "parts": [part("formula", [by])]},
    })  # fmt: skip
    assert "too much work" in rejected(document)


def test_many_coordinates() -> None:
    for claim in ("injective((65536,2):(1,65536))", "covers(4:1, 99999999)",
                  f"injective(({','.join('2' * 40)}):({','.join('1' * 40)}))",
                  f"in_bounds({10**300}:1, {10**300})"):  # fmt: skip
        rejected(make(claim, {"lemma": "evaluate"}))


def test_many_modes() -> None:
    layout = f"({','.join('1' * 5000)}):({','.join('1' * 5000)})"
    rejected(make(f"injective({layout})", chain(["-"] * 5000, list(range(5000)))))


def test_many_rewrites() -> None:
    steps: Any = [["first"], ["rewrite", [["split", 0, "1"]] * 3000]]
    rejected(make("equal(4:1, 4:1)", part("formula", ["-"]), part("agree", [], left=steps,
                  right=[["first"]])))  # fmt: skip


def test_the_checker_loads_nothing_else() -> None:
    code = (
        "import sys, json; import symcute.checker, symcute.recheck; "
        "names = {m.split('.')[0] for m in sys.modules}; "
        "print(json.dumps([sorted(names - sys.stdlib_module_names), "
        "sorted(m for m in sys.modules if m.startswith('symcute'))]))"
    )
    run = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True,
        cwd=__file__.rsplit("/", 3)[0],
    )  # fmt: skip
    foreign, own = json.loads(run.stdout)
    assert set(foreign) <= {"symcute", "__main__"}
    assert all(m == "symcute" or m.startswith(("symcute.checker", "symcute.recheck")) for m in own)


def requests(layout: Any, service: list[Any], steps: list[Any], proof: Any, **beside: Any) -> Any:
    """Return a document about requests alone, as data; its texts say something else."""
    dims = {"B": 0, "M": 1, "N": 1}
    claim = {"kind": "requests", "layouts": [layout], "body": service, **beside}
    return sign(CHAIN | {
        "statement": {"dims": dims, "given": [], "defined": [], "parts": [claim]},
        "proof": proof, "definitions": [steps], "instance": dims, "rests_on": ["arithmetic"],
    })  # fmt: skip


BY_RESIDUES = {"lemma": "residues", "definition": 0, "ends": {}}


def test_no_access_is_wider_than_a_unit() -> None:
    """What is added behind a swizzle is looked at modulo a unit, where accesses are aligned."""
    whole = {"defined": [], "parts": [BY_RESIDUES]}
    one = [[1, 0]]
    for width, unit, aligned in ((32, 32, True), (32, 128, True), (128, 32, False)):
        service = [32, width, 1, unit, 32, 8, 1, 0, False]
        said = core.check(requests(one, service, [], whole, leaf="B"))
        assert said.accepted == aligned, said


def test_a_class_without_members_hides_no_endless_one() -> None:
    """Where N is below 1 there is no member; M has 2**40 residues."""
    steps = [["from", n, 1, ["sum", 0, [["1", [n]]]]] for n in ("M", "N")]
    inner = {"defined": [], "parts": [BY_RESIDUES | {"ends": {"N'": 0}}]}
    case = {"cases": ["case", ["<=", "N", 0], inner, {"defined": [], "parts": [BY_RESIDUES]}]}
    layout = [[2, "M"], [4, "N"]]
    service = [8, 8, 1, 8, 1 << 20, 8, 2, 0, False]
    said = core.check(requests(layout, service, steps, case, swizzle=[1, 19, 20], leaf=0))
    assert "too much work" in said.reason, said
