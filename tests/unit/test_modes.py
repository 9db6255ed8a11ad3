"""The structural operations, example by example, against what NVIDIA prints.

The texts were printed by the C++ headers (CUTLASS 4.2, g++), `Int<>` written as plain numbers.
Those marked "dsl" were printed the same by CuTe DSL 4.8.1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from symcute.errors import InputError, NotAdmissible, Undecided
from symcute.expr.assumptions import dims
from symcute.expr.basis import make_basis_like
from symcute.expr.htuple import show
from symcute.layout.algebra.build import (
    compact_major,
    compact_order,
    make_fragment_like,
    make_layout_like,
    make_ordered_layout,
)
from symcute.layout.algebra.coalesce import filter_, filter_zeros, select
from symcute.layout.algebra.coordinates import crd2crd, dice, domain_offset
from symcute.layout.algebra.modes import (
    append,
    get,
    group,
    prepend,
    replace,
    take,
    transform_leaf,
    unflatten,
    zip_,
)
from symcute.layout.algebra.shape_division import ceil_div, evenly_divides, shape_div
from symcute.layout.algebra.shapes import compatible, congruent, weakly_compatible, weakly_congruent
from symcute.layout.layout import Layout
from symcute.layout.measures import coshape, cosize, depth, rank, shape, size, stride

a, b, M, N, K, LD = dims("a b M N K LD")


def lay(text: str) -> Layout:
    return Layout.parse(text)


L = lay("(4,(2,3),5):(1,(4,8),24)")
Z = lay("(2,(3,4),5):(1,(0,2),0)")
I3 = Layout((4, 8, 2), make_basis_like((4, 8, 2)))
H = (4, (1, (2, 3)), 5)

NVIDIA: list[tuple[Callable[[], Any], str]] = [
    # layout<I>, take, group, unflatten
    (lambda: get(L, 1), "(2,3):(4,8)"),  # dsl
    (lambda: get(L, 1, 1), "3:8"),  # dsl
    (lambda: get(L), str(L)),
    (lambda: take(L, 0, 2), "(4,(2,3)):(1,(4,8))"),
    (lambda: take(L, 1, 2), "((2,3)):((4,8))"),
    (lambda: take(lay("8:1"), 0, 1), "(8):(1)"),
    (lambda: select(L, 2, 0), "(5,4):(24,1)"),  # dsl
    (lambda: group(L, 0, 2), "((4,(2,3)),5):((1,(4,8)),24)"),  # dsl
    (lambda: group(L, 1, -1), "(4,((2,3),5)):(1,((4,8),24))"),
    (lambda: group(L, 1, 1), str(L)),
    (lambda: group(lay("8:1"), 0, 1), "((8)):((1))"),
    (lambda: group(lay("8:1"), 0, 0), "(8):(1)"),
    (lambda: group(I3, 0, 2), "((4,8),2):((1@0,1@1),1@2)"),
    (
        lambda: unflatten(lay("(4,2,3,5):(1,4,8,24)"), ((1, 1), (1, 1))),
        "((4,2),(3,5)):((1,4),(8,24))",
    ),
    (lambda: unflatten(lay("8:1"), (1,)), "(8):(1)"),
    (lambda: unflatten(lay("(8):(1)"), 1), "8:1"),
    # append, prepend, replace
    (lambda: append(L), "(4,(2,3),5,1):(1,(4,8),24,0)"),
    (lambda: append(L, lay("7:2")), "(4,(2,3),5,7):(1,(4,8),24,2)"),  # dsl
    (lambda: append(L, 5), "(4,(2,3),5,1,1):(1,(4,8),24,0,0)"),
    (lambda: append(L, 5, lay("7:2")), "(4,(2,3),5,7,7):(1,(4,8),24,2,2)"),  # dsl
    (
        lambda: append(L, 5, lay("(7,2):(1,7)")),
        "(4,(2,3),5,(7,2),(7,2)):(1,(4,8),24,(1,7),(1,7))",
    ),
    (lambda: append(L, 3), str(L)),
    (lambda: append(lay("8:1")), "(8,1):(1,0)"),
    (lambda: append(lay("8:1"), 1), "8:1"),
    (lambda: append(lay("8:1"), 3), "(8,1,1):(1,0,0)"),  # dsl
    (lambda: append(lay("(8):(1)"), 2), "(8,1):(1,0)"),
    (lambda: append(I3), "(4,8,2,1):(1@0,1@1,1@2,0)"),
    (lambda: prepend(L), "(1,4,(2,3),5):(0,1,(4,8),24)"),
    (lambda: prepend(L, lay("7:2")), "(7,4,(2,3),5):(2,1,(4,8),24)"),  # dsl
    (lambda: prepend(L, 5, lay("7:2")), "(7,7,4,(2,3),5):(2,2,1,(4,8),24)"),
    (lambda: prepend(lay("8:1"), 3), "(1,1,8):(0,0,1)"),
    (lambda: prepend(lay("8:1"), lay("3:9")), "(3,8):(9,1)"),  # dsl
    (lambda: prepend(lay("8:1"), 1), "8:1"),
    (lambda: replace(L, 1, lay("7:2")), "(4,7,5):(1,2,24)"),
    (lambda: replace(lay("8:1"), 0, lay("(7,2):(1,7)")), "(7,2):(1,7)"),
    (lambda: replace(lay("(8):(1)"), 0, lay("(7,2):(1,7)")), "((7,2)):((1,7))"),
    # zip
    (lambda: zip_(lay("8:1"), lay("4:2")), "((8,4)):((1,2))"),
    (lambda: zip_(lay("8:1"), lay("(4,2):(1,4)")), "((8,(4,2))):((1,(1,4)))"),
    (
        lambda: zip_(lay("(8,3):(1,8)"), lay("((4,2),5):((1,4),8)")),
        "((8,(4,2)),(3,5)):((1,(1,4)),(8,8))",
    ),
    (lambda: zip_(lay("8:1")), "8:1"),
    (lambda: zip_(lay("(8,3):(1,8)")), "((8,3)):((1,8))"),
    (lambda: zip_(lay("((8,3),(2,5)):((1,8),(24,48))")), "((8,2),(3,5)):((1,24),(8,48))"),
    (lambda: zip_(lay("((8,3)):((1,8))")), "((8),(3)):((1),(8))"),
    (lambda: zip_(lay("(8,(2,3)):(1,(8,16))")), "((8,(2,3))):((1,(8,16)))"),
    (
        lambda: zip_(lay("((8,3),(2,5),((2,2),7)):((1,8),(24,48),((240,480),960))")),
        "((8,2,(2,2)),(3,5,7)):((1,24,(240,480)),(8,48,960))",
    ),
    (lambda: zip_(I3, I3), "((4,4),(8,8),(2,2)):((1@0,1@0),(1@1,1@1),(1@2,1@2))"),
    # filter_zeros, filter
    (lambda: filter_zeros(Z), "(2,(1,4),1):(1,(0,2),0)"),  # dsl
    (lambda: filter_zeros(Z, (0, (1, 0), 3)), "(1,(3,1),5):(1,(0,2),0)"),
    (lambda: filter_zeros(Z, (2, 0, 3)), "(2,(1,1),5):(1,(0,2),0)"),
    (lambda: filter_zeros(Z, 0), "(1,(1,1),1):(1,(0,2),0)"),
    (lambda: filter_zeros(Z, 1), str(Z)),
    (lambda: filter_zeros(I3), str(I3)),
    (lambda: filter_(Z), "8:1"),  # dsl
    (lambda: filter_(Z, (1, 1)), "(2,4,5):(1,2,0)"),
    (lambda: filter_(Z, (1, (1, 1))), "(2,(1,4),5):(1,(0,2),0)"),
    (lambda: filter_(lay("4:0")), "1:0"),  # dsl
    (lambda: filter_(lay("(4):(0)"), (1,)), "(1):(0)"),
    # dice, domain_offset, crd2crd
    (lambda: dice((1, None, (2, 3)), Layout((4, 5, (6, 7)))), "(4,6,7):(1,20,120)"),  # dsl
    (lambda: dice((1, (None, 2), None), L), "(4,3):(1,8)"),  # dsl
    (lambda: dice(1, L), str(L)),  # dsl
    (lambda: dice(None, L), "():()"),  # dsl
    (lambda: dice((None, None, None), L), "():()"),
    (lambda: dice((1, None, None), L), "(4):(1)"),  # dsl
    (lambda: dice((1, 2, None), L), "(4,(2,3)):(1,(4,8))"),
    (lambda: dice((1, None, None), I3), "(4):(1@0)"),
    (lambda: domain_offset((1, 2, 3), L), f"({L},81)"),
    (lambda: domain_offset((1, (1, 2), 3), L), f"({L},93)"),
    (lambda: domain_offset((1, 2, 1), I3), f"({I3},(1,2,1))"),
    (lambda: crd2crd(7, (2, 4), (4, 2)), "(3,1)"),
    (lambda: crd2crd((1, 3), (2, 4), (2, (2, 2))), "(1,(1,1))"),
    (lambda: crd2crd((1, 3), (2, 4), 8), "7"),
    (lambda: crd2crd((1, (1, 1)), (2, (2, 2)), (1, 1)), "(1,3)"),
    # compact_major, compact_order, make_ordered_layout
    (lambda: compact_major(H, "left"), "(1,(0,(4,8)),24)"),
    (lambda: compact_major(H, "right"), "(30,(0,(15,5)),1)"),
    (lambda: compact_major(H, "right", 7), "(210,(0,(105,35)),7)"),
    (lambda: compact_major(H, "right", (1, (2, 3), 4)), "(1,(0,(9,3)),4)"),
    (lambda: compact_order(H, "right"), "(30,(0,(15,5)),1)"),
    (lambda: compact_order(H, (1, 2, 0)), "(5,(0,(20,40)),1)"),
    (lambda: make_ordered_layout((2, 3, 4, 5), (2, a, b, 50)), "(2,3,4,5):(1,10,30,2)"),
    (lambda: make_ordered_layout((2, (3, 4), 5), (a, b, 50)), "(2,(3,4),5):(5,(10,30),1)"),
    (lambda: make_ordered_layout((2, (3, 4), 5), (a, (9, b), 3)), "(2,(3,4),5):(15,(5,30),1)"),
    (lambda: make_ordered_layout((2, 3, 5), (a, -3, -5)), "(2,3,5):(15,5,1)"),
    (lambda: make_ordered_layout((1, 3, 5), (2, 2, 1)), "(1,3,5):(0,5,1)"),  # dsl
    # make_layout_like; a symbolic leaf against a run-time number
    (lambda: make_layout_like(lay("(2,2,2,2):(0,2,4,1)")), "(2,2,2,2):(0,2,4,1)"),  # dsl
    (lambda: make_layout_like(lay("(2,3,4):(40,0,1)")), "(2,3,4):(4,0,1)"),  # dsl
    (lambda: make_layout_like(lay("(4,3,2):(-1,4,0)")), "(4,3,2):(1,4,0)"),
    (lambda: make_layout_like(lay("(4,3):(1,-4)")), "(4,3):(3,1)"),  # dsl
    (lambda: make_layout_like(lay("(1,4,3):(1,1,9)")), "(1,4,3):(0,1,4)"),  # dsl
    (lambda: make_layout_like(lay("8:0")), "8:0"),
    (lambda: make_layout_like(lay("(4,2,2):(0,0,3)")), "(4,2,2):(0,0,1)"),
    (
        lambda: make_layout_like(lay("((2,4),(3,1),5):((8,1),(70,900),2)")),
        "((2,4),(3,1),5):((20,1),(40,0),4)",  # dsl
    ),
    (lambda: make_layout_like(lay("(2,3,4,5):(0,LD,1,0)")), "(2,3,4,5):(0,4,1,0)"),
    (lambda: make_layout_like(lay("(2,3,4):(12*K,4*K,1)")), "(2,3,4):(4,8,1)"),
    # make_fragment_like
    (lambda: make_fragment_like(lay("(2,2,2,2):(0,2,4,1)")), "(2,2,2,2):(0,2,4,1)"),
    (lambda: make_fragment_like(lay("(2,3,4):(40,0,1)")), "(2,3,4):(1,2,6)"),  # dsl
    (lambda: make_fragment_like(lay("(4,3,2):(-1,4,0)")), "(4,3,2):(1,8,4)"),
    (lambda: make_fragment_like(lay("(8):(2)")), "(8):(1)"),
    (lambda: make_fragment_like(lay("8:0")), "8:1"),
    (lambda: make_fragment_like(lay("(4,2,2):(0,0,3)")), "(4,2,2):(0,1,2)"),
    (lambda: make_fragment_like(lay("((2,4),3,5):((0,8),1,1000)")), "((2,4),3,5):((0,1),4,12)"),
    (
        lambda: make_fragment_like(lay("((2,4),(3,1),5):((8,1),(70,900),2)")),
        "((2,4),(3,1),5):((1,2),(40,0),8)",
    ),
    (lambda: make_fragment_like(lay("(1,1,4):(0,0,3)")), "(1,1,4):(0,0,1)"),
    (lambda: make_fragment_like(lay("(4,1,1):(3,7,7)")), "(4,1,1):(1,0,0)"),
    (lambda: make_fragment_like(lay("(2,3,4):(3*K,K,1)")), "(2,3,4):(1,8,2)"),
    (lambda: make_fragment_like(lay("((2,2),3,4):((K,0),M,1)")), "((2,2),3,4):((1,0),8,2)"),
    (lambda: make_fragment_like(lay("(2,M,4):(12,4,1)")).at({"M": 3}), "(2,3,4):(1,2,6)"),
    # shapes
    (lambda: shape_div((4, 5, 6), 40), "(1,1,3)"),  # dsl
    (lambda: shape_div((12, 3), (4, 6)), "(3,1)"),  # dsl
    (lambda: shape_div(24, (2, 3)), "4"),  # dsl
    (lambda: shape_div((4, (2, 6)), 24), "(1,(1,2))"),
    (lambda: ceil_div((256, 100), (128, 64)), "(2,2)"),  # dsl
    (lambda: ceil_div((4, 5, 6), 40), "(1,1,3)"),
    (lambda: ceil_div(100, (8, 4)), "4"),
    (lambda: ceil_div((7, 9, 5), (2,)), "(4,9,5)"),  # dsl
    (lambda: ceil_div((6, (4, 3), 5), 12), "(1,(2,3),5)"),
    (lambda: ceil_div((7, (9, 5)), (2, (2,))), "(4,(5,5))"),
    (lambda: coshape(I3), "(4,8,2)"),
    (lambda: cosize(L, 1), "21"),  # dsl
    (lambda: cosize(L, 1, 0), "5"),  # dsl
    (lambda: size(L, 1), "6"),  # dsl
    (lambda: rank(L, 1), "2"),  # dsl
    (lambda: depth(L), "2"),  # dsl
]


def text(value: Any) -> str:
    if isinstance(value, tuple) and value and isinstance(value[0], Layout):
        return f"({','.join(text(x) for x in value)})"
    return str(value) if isinstance(value, Layout) else show(value)


@pytest.mark.parametrize(("call", "expected"), NVIDIA, ids=range(len(NVIDIA)))
def test_prints_what_nvidia_prints(call: Callable[[], Any], expected: str) -> None:
    assert text(call()) == expected


def test_of_rank_two_a_fragment_keeps_the_shape() -> None:
    # The headers print (4,(3)):(1,(4)), not the same shape; the DSL prints this.
    assert str(make_fragment_like(lay("(4,3):(1,-4)"))) == "(4,3):(1,4)"


def test_predicates_as_nvidia_answers() -> None:
    assert evenly_divides((256, 512), (128, 64))
    assert not evenly_divides((256, 100), (128, 64))
    assert evenly_divides((2, 6), 4)
    assert not evenly_divides((6, 4), 4)
    assert not evenly_divides((6, 2), 4)
    assert evenly_divides(8, (2,))
    assert not evenly_divides(8, (2, 2))
    assert evenly_divides(((2, 4), 3), ((2, 2),))
    assert evenly_divides(((2, 4), 3), (4,))
    assert evenly_divides((2, 4), ((2,),))
    assert weakly_congruent((8, 3), ((4, 2), 3))
    assert not weakly_congruent((4, 2), 8)
    assert congruent(lay("(4,(2,2))"), (1, (4, 8)))
    assert compatible(24, (4, 6))
    assert not compatible((4, 6), 24)
    assert compatible((4, 6), ((2, 2), 6))


def test_predicates_are_bools_or_undecided() -> None:
    shape_ = (M, (N, 4))
    assert compatible((M, 4 * N), shape_) is True
    assert compatible((M, 4 * N + 1), shape_) is False
    assert compatible((M, N), shape_) is False  # N is at least 1, so N == 4*N nowhere
    with pytest.raises(Undecided, match="K == 4\\*N") as caught:
        compatible((M, K), shape_)
    assert compatible((M, K), shape_, given=caught.value.assumption) is True
    assert weakly_compatible((1, 2), shape_) is True
    assert weakly_compatible((M, 3), shape_, given="N % 3 == 0") is True
    with pytest.raises(Undecided):
        weakly_compatible((M, 3), shape_)
    assert evenly_divides((M, N), (64, 8), given=["M % 128 == 0", "N % 8 == 0"]) is True
    with pytest.raises(Undecided, match="M % 64 == 0"):
        evenly_divides((M, N), (64,))
    # A mode that never fits settles it, whatever the others are.
    assert evenly_divides((M, 10), (64, 4)) is False


def test_evenly_divides_means_that_no_tile_is_rounded_up() -> None:
    assert evenly_divides((M, (4, N)), (8, 4), given="M % 8 == 0") is True
    assert ceil_div((M, (4, N)), (8, 4), given="M % 8 == 0") == (M / 8, (1, N))


def test_shape_div_of_symbolic_extents() -> None:
    assert shape_div((M, N), 128, given="M % 128 == 0") == (M / 128, N)
    assert shape_div(M * N, (M, 1)) == N
    assert shape_div(M, M * N) == 1
    with pytest.raises(Undecided) as caught:
        shape_div(M, 8)
    assert show(shape_div(M, 8, given=caught.value.assumption)) == "ceil_div(M,8)"
    assert shape_div(M, 8, given="M % 8 == 0") == M / 8
    assert shape_div(M, 8, given="8 % M == 0") == 1
    with pytest.raises(NotAdmissible):
        shape_div((12, 5), (8, 5))
    with pytest.raises(Undecided, match="1 <= M-N"):
        ceil_div(8, M - N)


def test_sizes_by_mode_of_symbolic_layouts() -> None:
    layout = lay("(M,(N,4)):(4*N,(1,N))")
    assert shape(layout, 1) == (N, 4)
    assert stride(layout, 1, 1) == N
    assert size(layout, 1) == 4 * N
    assert size((M, (N, 4)), 1, 0) == N
    assert (rank(layout, 1), depth(layout, 1), depth(layout, 1, 0)) == (2, 1, 0)
    assert cosize(layout, 1) == (N - 1) + 3 * N + 1
    assert shape(lay("8:1"), 0) == 8
    assert shape(layout, -1) == (N, 4)


def test_transform_leaf() -> None:
    doubled = transform_leaf(lay("(M,(4,2)):(8,(2,1))"), lambda s, d: (s, 2 * d))
    assert str(doubled) == "(M,(4,2)):(16,(4,2))"
    nested = transform_leaf(lay("(4,2):(2,1)"), lambda s, d: ((s, 3), (d, 0)))
    assert str(nested) == "((4,3),(2,3)):((2,0),(1,0))"


def test_dynamic_order_entries_have_no_values() -> None:
    # Whatever a and b are, a comes before b, and both after 50.
    for order in ((2, a, b, 50), (2, b, a, 50), (2, a, a, 50), (2, 100 * a, b - 7, 50)):
        assert str(make_ordered_layout((2, M, N, 5), order)) == "(2,M,N,5):(1,10,10*M,2)"


REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: get(L, 3), "has no mode 3"),
    (lambda: get(L, 0, 1), "has no mode 1"),
    (lambda: size(L, 1, 2), "has no mode 2"),
    (lambda: stride(L, M), "has no mode M"),
    (lambda: cosize(L, 7), "has no mode 7"),
    (lambda: take(L, 1, 1), "takes no mode"),
    (lambda: take(L, 1, 4), "has no modes"),
    (lambda: take(L, 0, -1), "has no modes"),
    (lambda: group(L, 2, 1), "has no modes"),
    (lambda: group(L, 0, M), "has no modes"),
    (lambda: unflatten(L, (1, (1, 1), 1)), "is not flat"),
    (lambda: unflatten(lay("(4,2):(1,4)"), (1, (1, 1))), "3 leaves"),
    (lambda: append(L, 2), "rank 3, above 2"),
    (lambda: append(L, lay("2:1"), 4), "then a rank"),
    (lambda: prepend(lay("(4,2):(1,4)"), 1), "rank 2, above 1"),
    (lambda: replace(L, 3, lay("2:1")), "has no mode 3"),
    (lambda: replace(L, 1, 5), "is not a layout"),
    (lambda: zip_(), "needs a layout"),
    (lambda: zip_(lay("(4,2):(1,4)"), lay("4:1")), "ranks differ"),
    (lambda: zip_(lay("((4,2),3):((1,4),8)")), "ranks differ"),
    (lambda: transform_leaf(L, lambda s, d: s), "return a pair"),
    (lambda: filter_zeros(Z, (0, 0)), "does not fit"),
    (lambda: filter_(Z, (0, 0, 0, 0)), "4 modes"),
    (lambda: dice((1, None), L), "does not fit"),
    (lambda: dice(((1, None), 1, 1), L), "does not fit"),
    (lambda: domain_offset((1, None, 2), L), "has _"),
    (lambda: crd2crd((1, 2), (2, 4, 3), (2, 4)), "ranks"),
    (lambda: compact_major((4, 2), "up"), "no major order"),
    (lambda: compact_major((4, 2), "left", (1, 2, 3)), "do not fit"),
    (lambda: compact_major((4, 0), "left"), "extent 0"),
    (lambda: make_layout_like(I3), "not an integer"),
    (lambda: shape_div((4, 2), (2,)), "ranks"),
    (lambda: ceil_div((4,), (2, 2)), "ranks"),
    (lambda: ceil_div((4, 2), 0), "extent 0"),
    (lambda: evenly_divides((4, 2), lay("2:1")), "is a layout"),
]


@pytest.mark.parametrize(("call", "words"), REFUSED, ids=range(len(REFUSED)))
def test_refuses_with_a_reason(call: Callable[[], Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        call()


@pytest.mark.parametrize(
    "call",
    [
        # NVIDIA: (2,3,4):(4,4,1), (4,2):(1,1), (4,2,2):(1,4,4), which overlap
        lambda: make_ordered_layout((2, 3, 4), (1, 1, 0)),
        lambda: make_layout_like(lay("(4,2):(1,1)")),
        lambda: make_fragment_like(lay("(4,2,2):(1,0,0)")),
    ],
)
def test_refuses_tied_orders_that_overlap(call: Callable[[], Any]) -> None:
    with pytest.raises(NotAdmissible, match="its own place"):
        call()


def test_refuses_coordinates_between_shapes_of_other_sizes() -> None:
    with pytest.raises(NotAdmissible, match="8 == 6"):
        crd2crd(7, (2, 4), (2, 3))
    with pytest.raises(NotAdmissible):
        crd2crd(7, [2, 4], [2, 3])
    with pytest.raises(Undecided) as caught:
        crd2crd(7, (2, M), (N, 3))
    crd = crd2crd(7, (2, M), (N, 3), given=caught.value.assumption)
    assert show(crd) == "(mod(7,N),floor_div(7,N))"


def test_a_stride_that_may_be_zero_is_undecided() -> None:
    layout = lay("(4,8):(1,M-N)")
    with pytest.raises(Undecided, match="M-N != 0"):
        filter_zeros(layout)
    assert filter_(layout, given="M > N") == layout
    assert filter_(layout, given="M == N") == lay("4:1")
