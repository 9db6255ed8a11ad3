"""Swizzles against NVIDIA's pycute, and their matrices over F2 against plain loops."""

from __future__ import annotations

import random
from inspect import unwrap

import numpy as np
import pycute
import pytest
from hypothesis import given
from hypothesis import strategies as st

import symcute
from symcute.claims.language import evaluate, show_value
from symcute.errors import InputError, NotAdmissible, TextError, Undecided
from symcute.layout.f2 import BitMatrix, from_f2, to_f2
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout, Swizzle, make_swizzle

FIELDS = [
    (b, m, s * sign) for b in range(4) for m in range(5) for s in range(b, 6) for sign in (1, -1)
]


def test_swizzles_are_those_of_nvidia() -> None:
    offsets = [*range(300), 12345, 65535, (1 << 20) + 77]
    for fields in FIELDS:
        if fields[2]:  # pycute shifts by 0 without an end
            ours, theirs = Swizzle(*fields), pycute.Swizzle(*fields)
            assert [ours(x) for x in offsets] == [theirs(x) for x in offsets], fields
            assert list(ours(np.array(offsets))) == [theirs(x) for x in offsets], fields


def test_a_swizzle_permutes_each_block_and_undoes_itself() -> None:
    for fields in FIELDS:
        sw = Swizzle(*fields)
        for start in (0, sw.period, 5 * sw.period):
            block = range(start, start + sw.period)
            assert sorted(map(sw, block)) == list(block), fields
        assert all(sw(sw(x)) == x for x in range(2 * sw.period)), fields


def test_no_smaller_block_is_permuted() -> None:
    for fields in FIELDS:
        sw = Swizzle(*fields)
        half = sw.period // 2
        if fields[0]:
            assert any(sw(x) // half != x // half for x in range(sw.source + 1)), fields


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ((3, 0, 1), "the two fields of Sw<3,0,1> overlap; the shift is at least 3 either way"),
        ((2, 0, -1), "the two fields of Sw<2,0,-1> overlap; the shift is at least 2 either way"),
        ((-1, 0, 1), "Sw<-1,0,1> has a negative field; bits and base are at least 0"),
        ((1, -2, 1), "Sw<1,-2,1> has a negative field; bits and base are at least 0"),
        ((3, 40, 30), "Sw<3,40,30> reaches beyond bit 63; bits + base + |shift| is at most 64"),
        ((1.5, 0, 2), "bits of a swizzle is 1.5; bits, base and shift are ints"),
    ],
)
def test_wrong_fields_are_refused(fields: tuple[int, int, int], words: str) -> None:
    with pytest.raises(InputError) as error:
        Swizzle(*fields)
    assert str(error.value) == words


def test_masks_make_the_swizzle_again() -> None:
    for fields in FIELDS:
        if fields[0]:
            sw = Swizzle(*fields)
            assert make_swizzle(sw.source, sw.target) == sw


@pytest.mark.parametrize(
    ("source", "target", "words"),
    [
        (0b101, 0b11000, "the source mask 0b101 is no run of bits; give one run of ones"),
        (0b11, 0b100, "the masks 0b11 and 0b100 have different numbers of bits"),
        (0b110, 0b011, "the two fields of Sw<2,0,1> overlap"),
        (0, 0b1, "the source mask 0b0 is no run of bits"),
    ],
)
def test_masks_that_are_no_swizzle(source: int, target: int, words: str) -> None:
    with pytest.raises(InputError) as error:
        make_swizzle(source, target)
    assert str(error.value).startswith(words)


def test_composed_layouts_are_those_of_nvidia() -> None:
    ours = ComposedLayout(Swizzle(2, 1, 3), 5, Layout((8, (4, 2)), (1, (8, 64))))
    theirs = pycute.Swizzle(2, 1, 3)
    inner = pycute.Layout((8, (4, 2)), (1, (8, 64)))
    assert [ours(i) for i in range(64)] == [theirs(5 + inner(i)) for i in range(64)]
    assert ours(3, (1, 1)) == theirs(5 + inner(3, (1, 1)))
    assert str(ours) == "Sw<2,1,3> o 5 o (8,(4,2)):(1,(8,64))"


def test_composed_layouts_carry_dims() -> None:
    composed = ComposedLayout(Swizzle(3, 3, 3), 0, Layout.parse("(8,N):(N,1)"))
    assert composed.dims() == {"N"}
    assert not composed.is_static()
    assert str(composed.at({"N": 64})) == "Sw<3,3,3> o 0 o (8,64):(64,1)"


def powers(rng: random.Random) -> Layout:
    """Return a layout whose bits go to different places, now and then with a stride 0."""
    places = rng.sample(range(9), rng.randint(1, 6))
    if rng.random() < 0.2:
        return Layout((2,) * (len(places) + 1), (*(1 << p for p in places), 0))
    return Layout((2,) * len(places), tuple(1 << p for p in places))


@pytest.mark.parametrize("seed", range(150))
def test_matrices_against_loops(seed: int) -> None:
    rng = random.Random(seed)
    layout: Layout | ComposedLayout = powers(rng)
    if rng.random() < 0.6:
        b = rng.randint(1, 3)
        layout = ComposedLayout(
            Swizzle(b, rng.randint(0, 3), rng.choice((b, b + 1, -b))), 0, layout
        )
    matrix = to_f2(layout)
    values = [layout(i) for i in range(layout.size())]
    assert [matrix(i) for i in range(len(values))] == values
    assert matrix.is_injective() == (len(set(values)) == len(values))
    assert 1 << matrix.rank() == len(set(values))
    assert matrix.is_bijective() == (sorted(values) == list(range(1 << matrix.height)))
    kernel = matrix.kernel()
    assert all(matrix(k) == 0 and k for k in kernel)
    assert len(kernel) == matrix.width - matrix.rank()
    back = from_f2(matrix)
    assert to_f2(back, matrix.height) == matrix
    assert [back(i) for i in range(len(values))] == values


@given(
    st.integers(1, 7).flatmap(
        lambda n: st.tuples(
            st.just(n), st.lists(st.integers(0, (1 << n) - 1), min_size=n, max_size=n)
        )
    )
)
def test_inverses(case: tuple[int, list[int]]) -> None:
    n, columns = case
    matrix = BitMatrix(tuple(columns), n)
    values = [matrix(i) for i in range(1 << n)]
    if len(set(values)) < len(values):
        with pytest.raises(NotAdmissible):
            matrix.inverse()
        return
    inverse = matrix.inverse()
    assert [inverse(v) for v in values] == list(range(1 << n))
    assert inverse @ matrix == BitMatrix.identity(n) == matrix @ inverse


@pytest.mark.parametrize(
    ("layout", "words"),
    [
        (Layout(6), "to_f2(6:1) needs that every extent is a power of two; it fails at 6"),
        (Layout(4, -1), "to_f2(4:-1) needs that no stride is negative; it fails at -1"),
        (
            Layout((4, 2), (1, 2)),
            "to_f2((4,2):(1,2)) needs that no addition carries; it fails at the strides 2 and 2",
        ),
        (
            ComposedLayout(Swizzle(1, 0, 1), 3, Layout(4)),
            "to_f2(Sw<1,0,1> o 3 o 4:1) needs that the offset is 0; it fails at 3",
        ),
    ],
)
def test_what_is_not_linear_is_refused(layout: Layout | ComposedLayout, words: str) -> None:
    with pytest.raises(NotAdmissible) as error:
        to_f2(layout)
    assert str(error.value) == words


def test_a_matrix_that_is_neither() -> None:
    with pytest.raises(NotAdmissible, match="a layout or one swizzle after a layout"):
        from_f2(BitMatrix((0b111, 0b110, 0b101), 3))


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("Sw<3,4,3> o 0 o (8,64):(64,1)", "Sw<3,4,3> o 0 o (8,64):(64,1)"),
        ("S<3,4,3> o (8,64):(64,1)", "Sw<3,4,3> o 0 o (8,64):(64,1)"),
        ("composition(Swizzle<2,0,-2>, (M,N))", "Sw<2,0,-2> o 0 o (M,N):(1,M)"),
        ("Sw<1,4,3> o -8 o 8:1", "Sw<1,4,3> o -8 o 8:1"),
        ("Sw<1,4,3> o 2*M+1 o coalesce((2,M):(1,2))", "Sw<1,4,3> o 2*M+1 o 2*M:1"),
        ("Sw<0,4,3> o 0 o 8:1", "Sw<0,4,3> o 0 o 8:1"),
        ("Sw<3,4,3>", "Sw<3,4,3>"),
        ("Sw<3,4,3>(640)", "720"),
        ("Sw<3,0,3>(-3)", "-6"),
        ("(Sw<3,0,3> o 0 o (8,8):(8,1))(1,1)", "8"),
        ("(Sw<3,0,3> o 16 o (8,8):(8,1))(1,1)", "26"),
        ("(Sw<3,0,3> o 0 o (8,8):(8,1), 7)", "(Sw<3,0,3> o 0 o (8,8):(8,1),7)"),
    ],
)
def test_text_of_swizzled_layouts(text: str, printed: str) -> None:
    assert show_value(evaluate(text)) == printed
    assert show_value(evaluate(printed)) == printed


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "Sw<3,4,2> o 0 o 8:1",
            "the two fields of Sw<3,4,2> overlap at column 1; the shift is at least 3 either way",
        ),
        (
            "Sw<1,0,1>(M)",
            "Sw<1,0,1> takes numbers, not M at column 1; give numbers, and values for all dims",
        ),
        (
            "(Sw<1,0,1> o 0 o (8,N):(N,1))(1,1)",
            "Sw<1,0,1> takes numbers, not N+1 at column 1; give numbers, and values for all dims",
        ),
        (
            "Sw<1,0,1> o 0 o (4,4):(1@0,1@1)",
            "(4,4):(1@0,1@1) gives coordinates, which cannot be swizzled at column 1; "
            "give a layout whose strides are numbers",
        ),
        (
            "Sw<1,0,1> o 0 o (M < 2)",
            "expected a layout such as (4,8):(8,1) at column 17; write shape:stride",
        ),
    ],
)
def test_text_that_is_no_swizzled_layout(text: str, words: str) -> None:
    with pytest.raises(TextError) as error:
        evaluate(text)
    assert str(error.value) == words


def test_public_names() -> None:
    assert symcute.Swizzle is Swizzle and symcute.ComposedLayout is ComposedLayout
    assert symcute.make_swizzle is make_swizzle and symcute.BitMatrix is BitMatrix
    assert unwrap(symcute.to_f2) is to_f2 and unwrap(symcute.from_f2) is from_f2


ATOM = "Sw<3,3,3> o 0 o (8,64):(64,1)"


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        (f"{ATOM} o (4,(2,8)):(1,(4,8))", "Sw<3,3,3> o 0 o (4,(2,8)):(64,(256,1))"),
        (f"composition({ATOM}, (4,_))", "Sw<3,3,3> o 0 o (4,64):(64,1)"),
        (f"zipped_divide({ATOM}, (4,8))", "Sw<3,3,3> o 0 o ((4,8),(2,8)):((64,1),(256,8))"),
        (f"tiled_divide({ATOM}, (4,8))", "Sw<3,3,3> o 0 o ((4,8),2,8):((64,1),256,8)"),
        (f"flat_divide({ATOM}, (4,8))", "Sw<3,3,3> o 0 o (4,8,2,8):(64,1,256,8)"),
        (
            f"tile_to_shape({ATOM}, (8*M,64*K), (2,1))",
            "Sw<3,3,3> o 0 o ((8,M),(64,K)):((64,512*K),(1,512))",
        ),
        (f"raked_product({ATOM}, (2,3))", "Sw<3,3,3> o 0 o ((2,8),(3,64)):((512,64),(1024,1))"),
        (f"get({ATOM}, 1)", "Sw<3,3,3> o 0 o 64:1"),
        (f"(size({ATOM}), rank({ATOM}), depth({ATOM}), cosize({ATOM}, 1))", "(512,2,1,64)"),
        (f"shape({ATOM}, 1)", "64"),
        (f"domain_offset((1,8), {ATOM})", "(Sw<3,3,3> o 72 o (8,64):(64,1),0)"),
        (f"({ATOM})(1,_)", "Sw<3,3,3> o 64 o (64):(1)"),
        (f"recast({ATOM}, 16, 8)", "Sw<3,4,3> o 0 o (8,128):(128,1)"),
        ("upcast(Sw<3,2,3> o 16*K o (8,M):(M,1), 16)", ""),
        ("upcast(Sw<3,2,3> o 16*K o (8,16*M):(16*M,1), 16)", "Sw<1,0,3> o K o (8,M):(M,1)"),
        (f"right_inverse({ATOM})", "Sw<3,0,-6> o 0 o (64,8):(8,1)"),
        (f"complement({ATOM}, 1024)", "2:512"),
        (f"max_common_vector({ATOM}, (8,M):(M,1))", ""),
        (f"max_common_vector({ATOM}, (8,64):(64,1))", "8"),
        (f"prepend({ATOM}, 2:512)", "Sw<3,3,3> o 0 o (2,8,64):(512,64,1)"),
        (f"replace({ATOM}, 0, M:64)", "Sw<3,3,3> o 0 o (M,64):(64,1)"),
        (
            "zip(Sw<1,0,3> o 0 o ((2,4),(8,M)):((1,2),(8,64)))",
            "Sw<1,0,3> o 0 o ((2,8),(4,M)):((1,8),(2,64))",
        ),
        (f"make_fragment_like({ATOM})", "(8,64):(1,8)"),
        ("nullspace(Sw<1,0,3> o 0 o (4,M):(0,1))", "4:1"),
        ("Sw<1,0,3> o Sw<1,1,3>", "Sw<2,0,3>"),
        ("Sw<2,0,3> o Sw<1,1,3>", "Sw<1,0,3>"),
        ("Sw<2,0,3> o Sw<2,0,3>", "Sw<0,0,0>"),
        ("(8,8):(8,1) o Sw<3,0,3>", "Sw<3,0,-3> o 0 o (8,8):(8,1)"),
        ("(8,8*M):(8,64) o Sw<2,0,3>", "Sw<2,3,3> o 0 o (8,8*M):(8,64)"),
        ("(64,M):(1,64) o (Sw<3,0,3> o 0 o (8,8):(8,1))", "Sw<3,0,3> o 0 o (8,8):(8,1)"),
        ("logical_product(4:1, Sw<2,0,2> o 0 o (4,4))", "Sw<2,2,2> o 0 o (4,(4,4)):(1,(4,16))"),
        (f"left_inverse({ATOM})", "Sw<3,0,-6> o 0 o (64,8):(8,1)"),
        ("left_inverse(Sw<1,0,1> o 2 o 8:1)", "8:1 o -2 o Sw<1,0,1>"),
        ("left_inverse(Sw<3,3,3> o 64*s o (8,M):(M,1))", "(M,8):(8,1) o -64*s o Sw<3,3,3>"),
        ("right_inverse(Sw<3,3,3> o 0 o (64,8*M):(1,64))", "Sw<3,3,3> o 0 o 512*M:1"),
        ("right_inverse(Sw<3,3,3> o 0 o (8*M,64):(64,1))", "(64,8*M):(8*M,1) o 0 o Sw<3,3,3>"),
        ("(8:1 o -2 o Sw<1,0,1>)(7)", "4"),
        (
            "(upcast(Sw<3,4,3>, 4), downcast(Sw<3,0,3>, 2), recast(Sw<3,4,3>, 8, 16))",
            "(Sw<3,2,3>,Sw<3,1,3>,Sw<3,3,3>)",
        ),
        ("right_inverse(Sw<3,4,3>)", "Sw<3,4,3>"),
        (f"(max_alignment({ATOM}), max_alignment(Sw<3,3,3> o 4 o (64,M):(1,64)))", "(8,4)"),
        ("max_alignment(Sw<2,4,3>)", "16"),
        (f"get_swizzle_portion({ATOM})", "Sw<3,3,3>"),
        (f"get_nonswizzle_portion({ATOM})", "(8,64):(64,1)"),
        ("slice((3,_), Sw<3,0,3> o 0 o (8,8):(8,1))", "((4,2)):((-1,4))"),
        (f"slice_and_offset((1,_), {ATOM})", "(((8,2,4)):((1,-8,16)),72)"),
        (f"slice_and_offset((_,_), {ATOM})", f"({ATOM},0)"),
        (
            f"slice_and_offset(((0,i),_), tile_to_shape({ATOM}, (8*M,64*K)))",
            "(((64,K)):((1,512*M)),512*i)",
        ),
        (f"slice_and_offset((i,_), {ATOM})", "(Sw<3,3,3> o 64*i o (64):(1),0)"),
    ],
)
def test_operations_act_on_the_layout(text: str, printed: str) -> None:
    if not printed:
        with pytest.raises((NotAdmissible, Undecided)):
            evaluate(text)
        return
    assert show_value(evaluate(text)) == printed


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "upcast(Sw<3,4,-3> o 0 o (8,64):(64,1), 64)",
            "upcast(Sw<3,4,-3> o 0 o (8,64):(64,1), 64) needs that no bit inside a word changes "
            "one above; it fails at bit 4; the swizzle turns elements of one word into different "
            "words",
        ),
        (
            f"downcast({ATOM}, 3)",
            f"downcast({ATOM}, 3) needs that the factor of a swizzled layout is a power of two; "
            "it fails at 3",
        ),
        (
            "right_inverse(Sw<1,0,1> o 2 o 8:1)",
            "right_inverse(Sw<1,0,1> o 2 o 8:1) needs that the offset is 0; it fails at 2",
        ),
        (
            "right_inverse(Sw<1,0,1> o 0 o 3:1)",
            "right_inverse(Sw<1,0,1> o 0 o 3:1) needs that 3:1 after Sw<1,0,1> is Sw<1,0,1> after "
            "it; it fails at index 2",
        ),
        (
            "right_inverse(Sw<1,0,1> o 0 o M:1)",
            "cannot decide M % 4 == 0 in right_inverse(Sw<1,0,1> o 0 o M:1) (this "
            "condition is false at M=1); "
            'assume "M % 4 == 0"',
        ),
        (
            "right_inverse(Sw<1,0,1> o 0 o (N,M):(M,1))",
            "right_inverse(Sw<1,0,1> o 0 o (N,M):(M,1)) has dims at column 1; give values for all "
            "dims",
        ),
        (
            "Sw<1,0,3> o Sw<1,1,4>",
            "composition(Sw<1,0,3>, Sw<1,1,4>) needs that both swizzles have the same shift; it "
            "fails at 3 and 4",
        ),
        (
            "Sw<1,0,3> o Sw<1,2,3>",
            "composition(Sw<1,0,3>, Sw<1,2,3>) needs that one swizzle does both; it fails at the "
            "source mask 0b101000 is no run of bits",
        ),
        (
            "(4,4):(4,1) o (Sw<2,0,2> o 1 o 16:1)",
            "composition((4,4):(4,1), Sw<2,0,2> o 1 o 16:1) needs that the offset is 0; it fails "
            "at 1",
        ),
        (
            "composition((4,4):(1,2), Sw<1,0,2> o 0 o 16:1)",
            "composition((4,4):(1,2), Sw<1,0,2> o 0 o 16:1) needs that it is Sw<1,0,1> o 0 o "
            "(4,4):(1,2); it fails at index 2",
        ),
        (
            "coalesce(Sw<1,0,3>)",
            "expected a layout, not a swizzle at column 10; write Sw<3,3,3> o 0 o (8,64):(64,1)",
        ),
        (
            "size(8:1 o -2 o Sw<1,0,1>)",
            "expected a layout, which has coordinates at column 6; leave the swizzle out",
        ),
        (
            f"zip({ATOM}, {ATOM})",
            "swizzled layouts have no common zip at column 1; zip the modes of one: zip(A)",
        ),
        (
            f"covers({ATOM}, 8)",
            "expected a layout without a swizzle at column 8; leave the swizzle out",
        ),
    ],
)
def test_operations_that_are_refused(text: str, words: str) -> None:
    with pytest.raises((NotAdmissible, TextError, Undecided)) as error:
        evaluate(text)
    assert str(error.value) == words


def test_what_has_no_strides_says_so() -> None:
    with pytest.raises(InputError, match="has no strides; ask for those of its layout"):
        _ = evaluate(ATOM).stride
