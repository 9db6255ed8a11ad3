"""Do the lines that show a counterexample run as they stand, and fail as they say?"""

from __future__ import annotations

import ast
import re
import traceback
from collections import defaultdict
from collections.abc import Iterator

import pytest

from symcute import Layout, Table, prove, read_claim
from symcute.claims import Claim, Counterexample
from symcute.prover.theorems import find
from symcute.report.pasting import call_lines

#: Theorem files in which claims of every family are refuted, and how many of each are looked at.
FILES = (
    "cutlass/banks", "cutlass/swizzles", "laws/order", "laws/partition", "lemmas/complement",
    "matrices/majors", "notes/08_hardware", "notes/09_threads", "tilings/grids", "tilings/overflow",
)  # fmt: skip
MOST = 4
WORDS = ("it is False", "is no offset of", "is in one of them only")


def refuted() -> Iterator[tuple[Claim, Counterexample]]:
    """Yield claims of the theorem files that are refuted, some of each family."""
    seen: dict[str, int] = defaultdict(int)
    for theorem in find(f"proofs/{name}.py" for name in FILES):
        if theorem.expected != "refuted":
            continue
        for claim in theorem.build():
            if seen[claim.name] >= MOST:
                continue
            found = prove(claim, list(theorem.given)).counterexample
            if found is not None:
                seen[claim.name] += 1
                yield claim, found


def failing(lines: tuple[str, ...]) -> tuple[int, dict[str, object]]:
    """Run lines and return the number of the one whose assertion fails, with the values then."""
    values: dict[str, object] = {}
    try:
        exec(compile("\n".join(lines), "pasted", "exec"), values)
    except AssertionError as error:
        return traceback.extract_tb(error.__traceback__)[-1].lineno or 0, values
    return 0, values


def wrong(claim: Claim, found: Counterexample) -> str:
    """Return what is wrong with the lines of a refutation, or an empty text."""
    lines = call_lines(claim, found)
    if not lines:
        return "there are none"
    number, values = failing(lines)
    if number != len(lines):
        return f"line {number} of {lines} fails"
    condition, outcome = lines[-1].removeprefix("assert ").split("  # ")
    if any(words in outcome for words in WORDS) or outcome == found.text:
        return ""
    if eval(outcome) is not True:
        return f"{outcome} is not so"
    test = ast.parse(condition, mode="eval").body
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and "%" not in outcome:
        left = eval(compile(ast.Expression(test.left), "left", "eval"), values)
        if not outcome.startswith(repr(left)):
            return f"{condition} begins with {left!r}, not as in {outcome}"
    return ""


def test_every_family_is_pasted_as_lines_that_fail_as_they_say() -> None:
    families, said = set(), []
    claims = list(refuted())
    for claim, found in claims:
        families.add(claim.name)
        if trouble := wrong(claim, found):
            said.append(f"{claim} at {found}: {trouble}")
    assert said == []
    assert len(claims) >= 60
    assert len(families) >= 26


@pytest.mark.parametrize(
    ("text", "last"),
    [
        (
            "injective((2,M):(1,1), where((2,M):(1,2), 3))",
            "assert L(1, 0) != L(0, 1)  # 1 == 1",
        ),
        ("in_bounds((2,M):(1,-1), 2)", "assert 0 <= L(0, 1) < 2  # -1 < 0"),
        ("aligned((4,8):(1,4), 4)", "assert L(1, 0) % 4 == 0  # 1 % 4 == 1"),
        ("no_overflow((M,4):(64,1), 8)", "assert -128 <= L(2, 3) < 128  # 131 >= 128"),
        ("monotone((2,3):(1,-1))", "assert L(1) <= L(2)  # 1 > -1"),
        (
            "same_elements((2,2):(1,2), (2,2):(2,1))",
            "assert {A(i) for i in range(0, A.size(), A[0].size())} == "
            "{B(i) for i in range(0, B.size(), B[0].size())}  # 1 is in one of them only",
        ),
        ("apart(4:1, 4:1, 3)", "assert A(3) != 3 + B(0)  # 3 == 3"),
        (
            "same_image(4:1, 4:2)",
            "assert A(1) in {B(i) for i in range(B.size())}  # 1 is no offset of B",
        ),
        ("equal(4:1, 5:1)", "assert A.size() == B.size()  # 4 != 5"),
        ("M <= 8 and N % M == 0", "assert M != 0 and N % M == 0  # 1 % 2 == 1"),
        ("M >= 1 implies ceil_div(N,M) == N/1", "assert -(-N // M) == N  # 1 != 2"),
    ],
)
def test_the_lines_of_a_claim(text: str, last: str) -> None:
    verdict = prove(read_claim(text))
    assert verdict.counterexample is not None
    lines = call_lines(verdict.claim, verdict.counterexample)
    assert lines[-1] == last
    assert failing(lines)[0] == len(lines)


def test_a_guard_lets_both_coordinates_through() -> None:
    claim = read_claim("injective((2,4):(1,1), where((2,4):(1,2), 3))")
    lines = call_lines(claim, Counterexample({}, str(claim.brute())))
    assert [x for x in lines if x.startswith("assert G0")] == [
        "assert G0(1, 0) < 3",
        "assert G0(0, 1) < 3",
    ]


def test_the_cell_of_a_table() -> None:
    claim = Table(Layout((2, 2)), ((0, 2), (1, 4)))
    lines = call_lines(claim, Counterexample({}, str(claim.brute())))
    assert lines[-1] == "assert L(1, 1) == 4  # 3 != 4"


def test_text_that_names_no_place_leads_to_a_check_of_the_claim() -> None:
    claim = read_claim("injective((M,N):(LD,1))")
    lines = call_lines(claim, Counterexample({"LD": 1, "M": 2, "N": 2}, "it goes wrong"))
    assert lines[1:] == (
        "from symcute import check",
        "assert check('injective((M,N):(LD,1))', LD=1, M=2, N=2) is None  # it goes wrong",
    )
    assert failing(lines)[0] == 3


def test_what_is_true_has_no_lines() -> None:
    claim = read_claim("injective((M,N):(LD,1))")
    text = "L(1,0) = L(0,1) = 1 in L = (2,2):(1,1)"
    assert call_lines(claim, Counterexample({"LD": 2, "M": 2, "N": 2}, text)) == ()


def test_coordinates_are_written_in_the_hierarchy_of_the_shape() -> None:
    claim = read_claim("injective(((2,2),M):((1,2),1))")
    found = prove(claim).counterexample
    assert found is not None
    assert re.search(r"L\(\(\d, \d\), \d\)", call_lines(claim, found)[-1])
