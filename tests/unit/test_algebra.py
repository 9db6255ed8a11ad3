"""The algebra: refusals that name their condition, and results at the edges."""

from __future__ import annotations

import pytest

from symcute.claims.language import evaluate
from symcute.errors import InputError, NotAdmissible, SymcuteError, Undecided
from tests.work import calls


def text(expression: str, *given: str) -> str:
    return str(evaluate(expression, given=list(given)))


def test_an_inadmissible_composition_names_condition_and_witness() -> None:
    with pytest.raises(NotAdmissible) as caught:
        evaluate("composition((4,6,8):(2,3,5), 6:3)")
    assert "stride 3 divides 4" in caught.value.condition
    # A(B(2)) = A(6) = 2*2 + 3*1 = 7, which no layout of stride A(B(1)) = 6 reaches.
    assert "index 2" in caught.value.witness
    assert "= 7" in caught.value.witness


def test_an_undecided_composition_names_what_would_decide_it() -> None:
    with pytest.raises(Undecided) as caught:
        evaluate("composition((M,N):(N,1), 4:1)")
    assert caught.value.assumption
    assert text("composition((M,N):(N,1), 4:1)", caught.value.assumption) == "4:N"


def test_a_composition_that_no_dims_admit_is_refused_without_a_crash() -> None:
    with pytest.raises(NotAdmissible):
        evaluate("composition((4,6,8):(2,3,5), (6,N):(3,100))")


def test_the_last_mode_is_unbounded() -> None:
    assert text("composition((4,1):(1,9), (2):(4))") == "(2):(9)"
    assert text("composition((4,N):(1,9), (2):(4))") == "(2):(9)"


@pytest.mark.parametrize(
    "expression",
    [
        "complement((4,4):(1,2), 16)",
        "complement(4:-1, 16)",
        "complement((2,2):(3,2), 16)",
        "left_inverse((2,2):(1,1))",
        "left_inverse((2,2):(2,3))",
        "logical_product((2,2):(1,1), 4)",
    ],
)
def test_what_has_no_right_result_is_refused(expression: str) -> None:
    with pytest.raises(NotAdmissible):
        evaluate(expression)


@pytest.mark.parametrize(
    "expression",
    ["complement((M,N):(1,LD), M*N)", "left_inverse((M,N):(LD,1))", "logical_divide(M:1, 4)"],
)
def test_what_depends_on_the_dims_is_undecided(expression: str) -> None:
    with pytest.raises(Undecided, match="assume"):
        evaluate(expression)


@pytest.mark.parametrize(
    "expression",
    [
        "complement((M,N):(K,LD), M*N)",
        "left_inverse((M,N):(K,LD))",
        "logical_divide((M,N):(K,LD), (4,4))",
    ],
)
def test_contradictory_assumptions_do_not_crash_an_operation(expression: str) -> None:
    try:
        evaluate(expression, given=["M <= N - 1", "N <= M"])
    except SymcuteError as error:
        assert str(error)


def test_a_complement_up_to_less_than_1_is_refused() -> None:
    with pytest.raises(InputError, match="cotarget"):
        evaluate("complement(4:1, 0)")


B = 1 << 20
GOOD = f"({B},{B},{B}):({B},1,{B * B})"


@pytest.mark.parametrize(
    "expression",
    [
        f"coalesce({GOOD})",
        f"composition({GOOD}, {GOOD})",
        f"composition(({B},{B}):({B},1), ({B},{B}):(3,{B}))",
        f"complement({GOOD}, {B**3})",
        f"right_inverse({GOOD})",
        f"left_inverse({GOOD})",
        f"logical_divide({GOOD}, (128,128,128))",
        f"logical_divide({GOOD}, {B}:3)",
        f"zipped_divide({GOOD}, ({B},2))",
        f"tiled_divide({GOOD}, ({B},2))",
        f"flat_divide({GOOD}, ({B},2))",
        f"logical_product({GOOD}, {GOOD})",
        f"zipped_product({GOOD}, {GOOD})",
        f"blocked_product({GOOD}, {GOOD})",
        f"raked_product({GOOD}, {GOOD})",
        f"({GOOD})({B**3 - 1})",
    ],
)
def test_operations_on_2_to_the_60_elements_answer_at_once(expression: str) -> None:
    evaluate("coalesce(4:1)")  # what is loaded for the first
    try:
        calls(lambda: evaluate(expression), 200_000)
    except NotAdmissible as error:
        assert error.witness
