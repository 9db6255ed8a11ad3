"""Does the oracle notice what it must notice: wrong results, crashes, refusals?"""

from __future__ import annotations

import pytest

from .cases import FLOOR, GENERATORS, cases, lay
from .dsl import Request, ask
from .operations import CPP_ONLY
from .postconditions import BEYOND, PROMISES, Arg, broken

RIGHT_AND_WRONG: list[tuple[str, tuple[str | Arg, ...], str, str]] = [
    ("make_layout", ((2, (2, 2)),), "(2,(2,2)):(1,(2,4))", "(2,(2,2)):(4,(2,1))"),
    ("make_ordered_layout", ((2, 3), (1, 0)), "(2,3):(3,1)", "(2,3):(3,2)"),
    ("size", ("(4,6):(1,4)",), "24", "25"),
    ("cosize", ("8:2",), "15", "16"),
    ("rank", ("(8):(1)",), "1", "0"),
    ("depth", ("(8):(1)",), "1", "0"),
    ("crd2idx", ((1, 2), "(2,3):(1,2)"), "5", "4"),
    ("evaluate", ("(2,3):(1,2)", 5), "5", "4"),
    ("idx2crd", (16, (3, (2, 3))), "(1,(1,2))", "(1,(1,1))"),
    ("slice_", ((None, 1), "(5,2):(1,4)"), "(5):(1)", "5:1"),
    ("slice_and_offset", ((None, 1), "(5,2):(1,4)"), "((5):(1),4)", "((5):(1),0)"),
    ("flatten", ("(2,(1,3)):(1,(6,2))",), "(2,1,3):(1,6,2)", "(2,3):(1,2)"),
    ("coalesce", ("(2,(1,6)):(1,(6,2))",), "12:1", "(2,1,6):(1,6,2)"),
    ("coalesce_by_mode", ("(2,(1,6)):(1,(6,2))", (1, 1)), "(2,6):(1,2)", "12:1"),
    ("composition", ("(4,6,8):(2,3,5)", "2:3"), "2:6", "2:3"),
    ("composition", ("(4,6,8):(2,3,5)", "6:4"), "6:3", "(3,2):(6,3)"),
    ("composition_by_mode", ("(8,4):(4,1)", (2, 4)), "(2,4):(4,1)", "(2,4):(1,4)"),
    ("complement", ("4:2", 24), "(2,3):(1,8)", "(3,2):(8,1)"),
    ("right_inverse", ("(4,8):(8,1)",), "(8,4):(4,1)", "(4,8):(8,1)"),
    ("left_inverse", ("8:2",), "(2,8):(0,1)", "8:1"),
    ("logical_divide", ("8:3", "2:4"), "(2,4):(12,3)", "(2,4):(3,6)"),
    ("logical_divide_by_mode", ("(8,4):(1,8)", (2,)), "((2,4),4):((1,2),8)", "(2,16):(1,2)"),
    ("zipped_divide", ("(8,4):(1,8)", (2,)), "((2),(4,4)):((1),(2,8))", "(2,4,4):(1,2,8)"),
    ("tiled_divide", ("(8,4):(1,8)", (2, 2)), "((2,2),4,2):((1,8),2,16)", "(2,2,4,2):(1,8,2,16)"),
    ("flat_divide", ("(8,4):(1,8)", (2, 2)), "(2,2,4,2):(1,8,2,16)", "(2,4,2,2):(1,2,8,16)"),
    ("logical_product", ("2:1", "3:1"), "(2,3):(1,2)", "(3,2):(2,1)"),
    ("logical_product_by_mode", ("(4,2):(1,4)", (2,)), "((4,2),2):((1,4),4)", "(8,2):(1,4)"),
    ("zipped_product", ("2:1", "3:1"), "(2,3):(1,2)", "6:1"),
    ("tiled_product", ("2:1", "3:1"), "(2,3):(1,2)", "(2,3):(3,1)"),
    ("flat_product", ("2:1", "3:1"), "(2,3):(1,2)", "(2,3):(3,1)"),
    ("blocked_product", ("2:1", "3:1"), "((2,3)):((1,2))", "((3,2)):((2,1))"),
    ("raked_product", ("2:1", "3:1"), "((3,2)):((2,1))", "((2,3)):((1,2))"),
]


MORE_RIGHT_AND_WRONG: list[tuple[str, tuple[str | Arg, ...], str, str]] = [
    ("get", ("(4,(2,3)):(1,(4,8))", (1, 0)), "2:4", "2:8"),
    ("shape_of_mode", ("(4,(2,3)):(1,(4,8))", (1,)), "(2,3)", "(2,4)"),
    ("stride_of_mode", ("(4,(2,3)):(1,(4,8))", (1,)), "(4,8)", "(2,3)"),
    ("size_of_mode", ("(4,(2,3)):(1,(4,8))", (1,)), "6", "24"),
    ("rank_of_mode", ("(4,(2,3)):(1,(4,8))", (1,)), "2", "1"),
    ("depth_of_mode", ("(4,(2,3)):(1,(4,8))", (1,)), "1", "2"),
    ("cosize_of_mode", ("(4,(2,3)):(1,(4,8))", (1,)), "21", "24"),
    ("coshape_of_mode", ("(4,(2,3)):(1,(4,8))", (1,)), "21", "24"),
    ("take", ("(4,5,6):(1,4,20)", 1, 3), "(5,6):(4,20)", "(4,5):(1,4)"),
    ("select", ("(4,5,6):(1,4,20)", (2, 0)), "(6,4):(20,1)", "(4,6):(1,20)"),
    ("group", ("(2,3,5):(1,2,6)", 0, 2), "((2,3),5):((1,2),6)", "(2,3,5):(1,2,6)"),
    ("unflatten", ("(2,3,5):(1,2,6)", (0, (0, 0))), "(2,(3,5)):(1,(2,6))", "(2,3,5):(1,2,6)"),
    ("append", ("(4,8):(1,4)", 3, None), "(4,8,1):(1,4,0)", "(1,4,8):(0,1,4)"),
    ("prepend", ("(4,8):(1,4)", 3, None), "(1,4,8):(0,1,4)", "(4,8,1):(1,4,0)"),
    ("replace", ("(4,8):(1,4)", 0, "2:7"), "(2,8):(7,4)", "(4,2):(1,7)"),
    ("zip", ("(2,3):(1,2)", "(5,7):(7,1)"), "((2,5),(3,7)):((1,7),(2,1))", "(2,3):(1,2)"),
    ("transform_leaf", ("(2,3):(1,2)",), "(2,3):(2,4)", "(2,3):(1,2)"),
    ("filter", ("(2,3,5):(1,0,2)",), "10:1", "(2,3,5):(1,0,2)"),
    ("filter_by_mode", ("(2,(3,5)):(1,(0,2))", (1, 1)), "(2,5):(1,2)", "10:1"),
    ("filter_zeros", ("(2,3):(1,0)",), "(2,1):(1,0)", "(2,3):(1,0)"),
    ("compact_major", ((4, 3), 1, 1), "(3,1)", "(1,4)"),
    ("compact_order", ((4, 3), (1, 0)), "(3,1)", "(4,1)"),
    ("make_layout_like", ("(2,3,4):(40,0,1)",), "(2,3,4):(4,0,1)", "(2,3,4):(1,0,1)"),
    ("make_fragment_like", ("(2,3,4):(40,100,1)",), "(2,3,4):(1,8,2)", "(2,3,4):(1,8,8)"),
    ("dice", ((1, None), "(5,2):(1,4)"), "(5):(1)", "(2):(4)"),
    ("domain_offset", ((1, 1), "(5,2):(1,4)"), "((5,2):(1,4),5)", "((5,2):(1,4),6)"),
    ("crd2crd", (7, (2, 4), (4, 2)), "(3,1)", "(1,3)"),
    ("congruent", ((1, (2, 3)), (4, (5, 6))), "1", "0"),
    ("weakly_congruent", (8, (4, 2)), "1", "0"),
    ("compatible", (8, (4, 3)), "0", "1"),
    ("evenly_divides", ((256, 100), (128, 64)), "0", "1"),
    ("ceil_div", ((256, 100), (128, 64)), "(2,2)", "(2,1)"),
    ("shape_div", ((4, 6), 8), "(1,3)", "(1,4)"),
    ("make_identity_layout", ((4, (2, 3)),), "(4,(2,3)):(1@0,(1@0@1,1@1@1))", "(4,6):(1@0,1@1)"),
    ("composition_of_identity", ((4, 3), "6:2"), "(2,3):(2@0,1@1)", "(2,3):(1@0,1@1)"),
    ("composition_by_mode_of_identity", ((4, 3), (2, 3)), "(2,3):(1@0,1@1)", "(2,3):(1@1,1@0)"),
    (
        "logical_divide_by_mode_of_identity",
        ((4, 3), (2,)),
        "((2,2),3):((1@0,2@0),1@1)",
        "((2,2),3):((2@0,1@0),1@1)",
    ),
    (
        "zipped_divide_of_identity",
        ((4, 3), (2,)),
        "((2),(2,3)):((1@0),(2@0,1@1))",
        "((2),(2,3)):((1@0),(2@0,2@1))",
    ),
    ("max_common_layout", ("(4,8):(1,4)", "(4,8):(1,8)"), "4:1", "8:1"),
    ("max_common_vector", ("(4,8):(1,4)", "(4,8):(1,8)"), "4", "8"),
    ("domain_distribute", ((15, 14), 6), "(3,2):(1,15)", "6:1"),
    ("nullspace", ("(2,3):(1,0)",), "3:2", "3:1"),
    ("tile_to_shape", ("2:1", 6, None), "((2,3)):((1,2))", "((2,3)):((1,3))"),
    ("tile_unzip", ("((2,3)):((1,2))", (1,)), "((2),(3)):((1),(2))", "((3),(2)):((2),(1))"),
    ("upcast", ("(8,4):(1,8)", 2), "(4,4):(1,4)", "(4,4):(1,8)"),
    ("downcast", ("(8,4):(1,8)", 2), "(16,4):(1,16)", "(16,4):(1,8)"),
    ("recast_layout", ("(8,4):(1,8)", 8, 16), "(4,4):(1,4)", "(16,4):(1,16)"),
]


@pytest.mark.parametrize(
    ("op", "args", "right", "wrong"),
    MORE_RIGHT_AND_WRONG,
    ids=[row[0] for row in MORE_RIGHT_AND_WRONG],
)
def test_promises_of_more_operations_tell_right_from_wrong(
    op: str, args: tuple[str | Arg, ...], right: str, wrong: str
) -> None:
    values = tuple(lay(arg) if isinstance(arg, str) else arg for arg in args)
    assert CPP_ONLY[op].broken(values, right) == ""
    assert CPP_ONLY[op].broken(values, wrong) != ""


def test_more_operations_have_promises_examples() -> None:
    assert set(CPP_ONLY) == {row[0] for row in MORE_RIGHT_AND_WRONG}


@pytest.mark.parametrize(
    ("op", "args", "right", "wrong"), RIGHT_AND_WRONG, ids=[row[0] for row in RIGHT_AND_WRONG]
)
def test_promises_tell_right_from_wrong(
    op: str, args: tuple[str | Arg, ...], right: str, wrong: str
) -> None:
    values = tuple(lay(arg) if isinstance(arg, str) else arg for arg in args)
    assert broken(op, values, right) == ""
    assert broken(op, values, wrong) != ""


def test_every_operation_has_promises_examples_and_enough_cases() -> None:
    assert set(GENERATORS) == set(PROMISES) == {row[0] for row in RIGHT_AND_WRONG}
    assert all(len(cases(op)) >= FLOOR for op in GENERATORS)


def test_cases_are_the_same_every_time() -> None:
    assert cases("composition") == cases("composition")


def test_a_difference_beyond_the_domain_is_told_apart() -> None:
    args = (lay("(4,2):(1,7)"), lay("16:1"))
    assert broken("composition", args, "(4,4):(1,7)") == ""
    assert broken("composition", args, "(4,2,2):(1,7,0)").startswith(BEYOND)
    assert not broken("composition", args, "(4,4):(1,0)").startswith(BEYOND)


def test_an_extent_of_zero_breaks_every_promise() -> None:
    assert broken("complement", (lay("(2,2):(1,1)"), 8), "(0,4):(2,2)") == "an extent below 1"


@pytest.mark.full
def test_the_worker_outlives_refusals_and_is_replaced_after_a_crash() -> None:
    def layout(shape: object, stride: object) -> dict[str, object]:
        return {"layout": [shape, stride]}

    block = layout([2, 2], [1, 1])
    answers = ask(
        [
            Request("composition", (layout([4, 8], [8, 1]), layout(6, 1))),
            Request("composition", (layout([6, 2], [8, 2]), layout([4, 3], [3, 1]))),
            Request("logical_product", (block, layout(3, 1))),
            Request("size", (block,)),
        ]
    )
    assert answers[0].text is None and "MLIRError" in answers[0].error
    assert answers[1].text == "((2,2),3):((24,2),8)"
    assert answers[2].crashed
    assert answers[3].text == "4"
