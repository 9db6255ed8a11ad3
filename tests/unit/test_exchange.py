"""Do layouts survive the way to C++, to CuTe DSL and to arrays, and what is refused?"""

from __future__ import annotations

import subprocess
import sys
import types
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symcute.errors import InputError, TextError, Undecided
from symcute.expr.assumptions import dims
from symcute.expr.htuple import leaves, unflatten
from symcute.interop import (
    dsl_facts,
    from_cpp,
    from_dsl,
    layout_of,
    offsets,
    strided_view,
    to_cpp,
    to_dsl,
)
from symcute.layout.layout import Layout, make_layout
from symcute.layout.measures import size

# --- layouts to generate -----------------------------------------------------------------------

PROFILES = [0, (0,), (0, 0), ((0, 0), 0), (0, (0, (0,))), ((0,), (0, 0), 0)]
EXTENTS = st.sampled_from([1, 2, 3, 4, 5, 8])
STRIDES = st.integers(-12, 40)


@st.composite
def static_layouts(draw: st.DrawFn) -> Layout:
    profile = draw(st.sampled_from(PROFILES))
    count = len(list(leaves(profile)))
    shape = tuple(draw(EXTENTS) for _ in range(count))
    stride = tuple(draw(STRIDES) for _ in range(count))
    return Layout(unflatten(shape, profile), unflatten(stride, profile))


LEAVES = [
    "1", "4", "M", "N", "M*N", "2*M+N", "M**2*N", "ceil_div(M,4)", "floor_div(N+27,M)", "M/4",
    "(M+N)/4", "min(M,N)", "max(M*N,3)", "3*(M/4)*(N+1)", "mod(M,5)+1", "ceil_div(M+N,N)*2",
]  # fmt: skip
SIGNED = [*LEAVES, "-1", "-M", "0", "1-M", "-M*N/4"]
GIVEN = ["M % 4 == 0", "N % 4 == 0"]


@st.composite
def symbolic_layouts(draw: st.DrawFn) -> Layout:
    profile = draw(st.sampled_from(PROFILES))
    count = len(list(leaves(profile)))

    def text(words: list[str]) -> str:
        items = iter([draw(st.sampled_from(words)) for _ in range(count)])

        def build(p: object) -> str:
            if not isinstance(p, tuple):
                return next(items)
            return "(" + ",".join(build(x) for x in p) + ")"

        return build(profile)

    return Layout.parse(f"{text(LEAVES)}:{text(SIGNED)}")


# --- C++ ---------------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(static_layouts())
def test_static_layouts_come_back_from_every_form_of_cpp(layout: Layout):
    for form in ("value", "type", "printed"):
        assert from_cpp(to_cpp(layout, form=form)) == layout, form


@settings(max_examples=120, deadline=None)
@given(symbolic_layouts())
def test_symbolic_layouts_come_back_from_cpp(layout: Layout):
    text = to_cpp(layout, given=GIVEN)
    again = from_cpp(text, given=GIVEN)
    for m in (4, 12, 20):
        for n in (4, 8, 28):
            dims = {"M": m, "N": n}
            assert again.at(dims) == layout.at(dims), text


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        ("make_layout(make_shape(Int<4>{}, M), make_stride(N, Int<1>{}))", "(4,M):(N,1)"),
        ("cute::make_layout(cute::make_shape(cute::_4{},M),cute::make_stride(N,_1()))",
         "(4,M):(N,1)"),
        ("Layout<Shape<_4,_8>,Stride<_8,_1>>", "(4,8):(8,1)"),
        ("Layout<Shape <_4,_8>, Stride<_8,_1> >{}", "(4,8):(8,1)"),
        ("cute::Layout<cute::Shape<cute::Int<128>, C<3>>>{};", "(128,3):(1,128)"),
        ("Layout<_8,_m1>", "8:-1"),
        ("Layout<Shape<Shape<_2,_2>,_4>,Stride<Stride<_1,_8>,_2>>", "((2,2),4):((1,8),2)"),
        ("(_4,M):(_1,4)", "(4,M):(1,4)"),
        ("(_4,(7,_2)):(_-1,(_4,28))", "(4,(7,2)):(-1,(4,28))"),
        ("_8:_2", "8:2"),
        ("(_8):(_2)", "(8):(2)"),
        ("make_layout(Int<8>{}, 2)", "8:2"),
        ("make_layout(make_shape(8), make_stride(2))", "(8):(2)"),
        ("make_layout(make_shape(_3{}, make_shape(7, _5{}), 3), LayoutRight{})",
         "(3,(7,5),3):(105,(15,3),1)"),
        ("make_layout(make_shape(_3{}, _1{}, N), GenRowMajor{})", "(3,1,N):(N,0,1)"),
        ("make_layout(make_shape(_3{}, _1{}, N), LayoutLeft{})", "(3,1,N):(1,0,3)"),
        ("make_layout(make_layout(4, 1), Layout<_8,_4>{})", "(4,8):(1,4)"),
        ("auto layout = make_layout(128_c, integral_constant<int, 2>{});", "128:2"),
        ("using L = Layout<Shape<_4>>;", "(4):(1)"),
        ("// tile\nmake_layout( /* rows */ make_shape(1'024u, 0x10), make_stride(16ll, 1))",
         "(1024,16):(16,1)"),
        ("make_layout(make_shape(M * (N + 1) - 2, -(-M)), make_stride(- 1, +N))",
         "(M*(N+1)-2,M):(-1,N)"),
        ("make_layout(ceil_div(M, 4), cute::min(M, N))", "ceil_div(M,4):min(M,N)"),
        ("make_layout(M % 8, Int<kN>{})", "mod(M,8):kN"),
        ("make_layout(Shape<_4,_2>{}, Stride<_2,_1>{})", "(4,2):(2,1)"),
    ],
)  # fmt: skip
def test_cpp_as_it_is_written(text: str, layout: str):
    assert from_cpp(text) == Layout.parse(layout)


def test_cpp_names_unnamed_integers():
    text = "Layout<Shape<_4,int>,Stride<int64_t,unsigned long>>"
    assert from_cpp(text, names=["M", "LD", "M"]) == Layout.parse("(4,M):(LD,M)")
    with pytest.raises(InputError, match="without a name"):
        from_cpp(text, names=["M"])
    with pytest.raises(InputError, match="1 unnamed integers, 2 names"):
        from_cpp("Layout<int,_1>", names=["M", "N"])


def test_cpp_division_is_exact_only_where_that_is_known():
    text = "make_layout(M / 4, 1)"
    assert from_cpp(text) == Layout.parse("floor_div(M,4):1")
    assert from_cpp(text, given="M % 8 == 0") == Layout.parse("M/4:1")
    with pytest.raises(TextError, match="towards 0, found '/' at column 25; assume"):
        from_cpp("make_layout(5, (M - N)  / 4)")
    assert from_cpp("make_layout((M-N)/4, 1)", given="M >= N") == Layout.parse("floor_div(M-N,4):1")


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("", 1, "expected an integer"),
        ("make_layout(4,", 15, "expected an integer"),
        ("make_layout(4, 1", 17, "expected ')'"),
        ("make_layout(make_shape(4, 8), 1)", 1, "differ in hierarchy"),
        ("make_layout(4, x.y)", 17, "'.' is not understood"),
        ("make_layout(size<0>(x), 1)", 17, "expected ')'"),
        ("make_layout(size(x), 1)", 13, "this function"),
        ("make_layout(Traits::kM, 1)", 13, "no plain name"),
        ("make_layout(4 / 0, 1)", 15, "division by 0"),
        ("make_layout(010, 1)", 13, "octal"),
        ("make_layout(4) 5", 16, "expected the end"),
        ("make_layout(9223372036854775808, 1)", 13, "beyond 64 bits"),
        ("make_layout(" + "9" * 5000 + ", 1)", 13, "beyond 64 bits"),
        ("make_layout(4000000000 * 4000000000, 1)", 24, "beyond 64 bits"),
        ("make_layout(" + "(" * 40 + "4" + ")" * 40 + ", 1)", 45, "nested"),
        ("make_layout(" + "-" * 300 + "4, 1)", 213, "operators"),
        ("Layout<Shape<_4,M>>", 17, "expected Shape"),
        ("Layout<Shape<_4,int>>", 17, "without a name"),
        ("Layout<_4,_1,_2>", 1, "no more than these"),
        ("make_layout(0, 1)", 1, "extent 0"),
        ("make_layout(4, 1, 2)", 1, "make_layout takes"),
        ("make_layout(_{}, 1)", 13, "no plain name"),
        ("auto x make_layout(4)", 8, "expected '='"),
        ("(4,8)", 6, "expected ':'"),
        ("x" * 30000, 20001, "longer"),
    ],
)
def test_cpp_errors_carry_their_place(text: str, column: int, words: str):
    with pytest.raises(TextError, match=rf"at column {column}\b") as caught:
        from_cpp(text)
    assert words in str(caught.value)


def test_cpp_refuses_what_it_cannot_say():
    with pytest.raises(InputError, match="does not fit 64 bits"):
        to_cpp(Layout(4, 2**63))
    assert "C<4294967296>{}" in to_cpp(Layout(4, 2**32))
    for form in ("value", "type"):
        with pytest.raises(InputError, match="does not fit 64 bits"):
            to_cpp(Layout(2**64), form=form)
    with pytest.raises(InputError, match="has dims"):
        to_cpp(Layout.parse("M:1"), form="type")
    with pytest.raises(InputError, match="no form"):
        to_cpp(Layout(4), form="rust")
    for name in ("int", "make_shape", "_m1", "template"):
        with pytest.raises(InputError, match="not a name"):
            to_cpp(Layout(dims(name), 1))
    with pytest.raises(Undecided, match='assume "0 <= M-N"'):
        to_cpp(Layout.parse("4:floor_div(M-N,4)"))
    text = to_cpp(Layout.parse("4:floor_div(M-N,4)"), given="M >= N")
    assert text == "make_layout(Int<4>{}, (M - N) / 4)"
    with pytest.raises(InputError, match="coordinate stride"):
        to_cpp(Layout.parse("(4,8):(1@0,1@1)"))


# --- CuTe DSL ----------------------------------------------------------------------------------


def test_dsl_text_is_read_with_names():
    text = "(4,(?,8)):(1,(?{i64 div=8},4))"
    assert from_dsl(text, "M LD") == Layout.parse("(4,(M,8)):(1,(LD,4))")
    assert from_dsl(text, ["M*N", "M"]) == Layout.parse("(4,(M*N,8)):(1,(M,4))")
    assert dsl_facts(text, ["M", "M+N"]) == ("(M+N) % 8 == 0",)
    assert from_dsl('!cute.layout<"(?):(?)">', "M M") == Layout.parse("(M):(M)")
    assert from_dsl("((8)):((1))") == Layout(((8,),), ((1,),))

    class Printed:
        def __str__(self) -> str:
            return "?:1"

    assert from_dsl(Printed(), "M") == Layout.parse("M:1")


def test_dsl_refuses():
    with pytest.raises(InputError, match="2 unnamed integers and 1 names"):
        from_dsl("(?,?):(1,4)", "M")
    with pytest.raises(TextError):
        from_dsl("?:1", ["M,N"])
    with pytest.raises(TextError):
        from_dsl("?:1", ["M:N"])
    for text in ("4*?:1", "?M:1", "?:?@0"):
        with pytest.raises(InputError, match="no leaf by itself"):
            from_dsl(text, "M N"[: 2 * text.count("?") - 1])
    with pytest.raises(TextError):
        from_dsl("S<2,0,3> o 0 o (4):(1)")
    with pytest.raises(InputError, match="not a name"):
        to_dsl(Layout.parse("lambda:1"))
    with pytest.raises(Undecided):
        to_dsl(Layout.parse("4:mod(M-N,4)"))


@settings(max_examples=60, deadline=None)
@given(static_layouts())
def test_static_layouts_come_back_from_dsl_text(layout: Layout):
    assert from_dsl(str(layout)) == layout


# --- arrays ------------------------------------------------------------------------------------


def positions(array: np.ndarray, element: int) -> dict[tuple[int, ...], int]:
    """Where each element lies, counted from the first one, found by address."""
    start = array.__array_interface__["data"][0]
    return {
        at: (array[tuple(slice(x, x + 1) for x in at)].__array_interface__["data"][0] - start)
        // element
        for at in np.ndindex(array.shape)
    }


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((4, 6)),
        np.zeros((4, 6), order="F"),
        np.zeros((4, 6), dtype=np.float16)[::-1, ::2],
        np.zeros((3, 4, 5), dtype=np.int8).transpose(2, 0, 1)[1:, ::-2],
        np.broadcast_to(np.zeros((1, 3), dtype=np.complex128), (4, 3)),
        np.zeros(7)[::3],
        np.zeros(4, dtype=[("a", "i4"), ("b", "f4")])["b"],
    ],
)
def test_layout_of_numpy_arrays(array: np.ndarray):
    layout = layout_of(array)
    assert layout.shape == array.shape
    for at, offset in positions(array, array.itemsize).items():
        assert layout(*at) == offset


def test_layout_of_what_has_no_layout():
    assert layout_of(np.float32(3)) == layout_of(np.zeros(())) == Layout(1, 0)
    uneven = np.zeros(4, dtype=[("a", "i8"), ("b", "i4")])["a"]
    with pytest.raises(InputError, match="axis 0 is 12 bytes, no multiple of the 8 bytes"):
        layout_of(uneven)
    with pytest.raises(InputError, match="no elements"):
        layout_of(np.zeros((4, 0)))
    with pytest.raises(InputError, match="a list has no strides"):
        layout_of([1, 2])
    with pytest.raises(InputError, match="has no strides"):
        layout_of(Layout(4))


class Tensor:
    """A stand-in for PyTorch's: `stride()` in elements."""

    def __init__(self, shape: tuple[int, ...], strides: tuple[int, ...]) -> None:
        self.shape, self._strides = shape, strides

    def stride(self) -> tuple[int, ...]:
        return self._strides


class Device:
    """A stand-in for an array in device memory."""

    def __init__(self, **interface: object) -> None:
        self.__cuda_array_interface__ = interface


class Packed:
    """A stand-in for an array that offers DLPack alone."""

    def __init__(self, array: np.ndarray, device: tuple[int, int] = (1, 0)) -> None:
        self._array, self._device = array, device

    def __dlpack__(self, **options: Any) -> object:
        if self._device[0] != 1:
            raise BufferError("not in host memory")
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device


def test_layout_of_stand_ins():
    assert layout_of(Tensor((4, 6), (1, 4))) == Layout((4, 6), (1, 4))
    assert layout_of(Tensor((), ())) == Layout(1, 0)
    device = Device(shape=(4, 6), typestr="<f4", strides=(4, 16), data=(0, False), version=3)
    assert layout_of(device) == Layout((4, 6), (1, 4))
    whole = Device(shape=(2, 3, 4), typestr="<f8", strides=None, data=(0, False), version=3)
    assert layout_of(whole) == Layout((2, 3, 4), (12, 4, 1))
    with pytest.raises(InputError, match="cannot be read"):
        layout_of(Device(shape=(4,), strides=(4,)))
    assert layout_of(Packed(np.zeros((4, 6), dtype=np.int16)[:, ::2])) == Layout((4, 3), (6, 2))
    with pytest.raises(InputError, match="cannot be read"):
        layout_of(Packed(np.zeros(4), device=(2, 0)))

    class Sparse(Tensor):
        def stride(self) -> tuple[int, ...]:
            raise RuntimeError("sparse tensors have no strides")

    with pytest.raises(InputError, match="sparse tensors"):
        layout_of(Sparse((4,), (1,)))


@settings(max_examples=150, deadline=None)
@given(static_layouts())
def test_offsets_equal_the_layout(layout: Layout):
    expected = [layout(i) for i in range(size(layout))]
    assert offsets(layout).tolist() == expected
    assert offsets(layout, range(len(expected))).tolist() == expected
    assert offsets(layout, np.arange(len(expected), dtype=np.uint16)).tolist() == expected


def test_offsets_at_coordinates():
    layout = Layout.parse("((2,3),(4,5)):((1,-4),(0,9))")
    i, j = np.arange(6)[:, None], np.arange(20)
    assert offsets(layout, (i, j)).tolist() == [[layout(x, y) for y in range(20)] for x in range(6)]
    assert offsets(layout, ((1, [0, 1, 2]), 7)).tolist() == [layout((1, x), 7) for x in range(3)]
    assert offsets(layout, [[0, 1], [2, 200]]).tolist() == [[0, 1], [layout(2), layout(200)]]
    assert offsets(layout, []).shape == (0,)
    assert offsets(layout, 7) == layout(7) and offsets(layout, (3, 7)) == layout(3, 7)
    with pytest.raises(InputError, match="does not fit the shape"):
        offsets(layout, ([1], [2], [3]))
    for wrong in ([0.5], np.array([True]), np.array([0.5], dtype=object)):
        with pytest.raises(InputError, match="integer array"):
            offsets(layout, wrong)
    with pytest.raises(InputError, match="symbolic"):
        offsets(Layout.parse("M:1"), [0])
    with pytest.raises(InputError, match="coordinate stride"):
        offsets(Layout.parse("(4,8):(1@0,1@1)"))


def test_offsets_never_wrap():
    far = Layout((3, 2), (2**62, 1))
    assert offsets(far).tolist() == offsets(far, range(6)).tolist() == [far(i) for i in range(6)]
    # A last mode has no end: coordinates beyond it may leave 64 bits.
    layout = Layout(8, 2**40)
    assert offsets(layout, [2**40]).tolist() == [2**80]
    assert offsets(layout, np.array([2**64 - 1], dtype=np.uint64)).tolist() == [(2**64 - 1) << 40]
    small = offsets(Layout((2**40, 2**40)), (np.array([1]), np.array([0])))
    assert small.tolist() == [1] and small.dtype == np.int64


def test_the_whole_domain_of_a_large_layout():
    layout = Layout.parse("((16,8),(64,128)):((1,1024),(16,8192))")
    found = offsets(layout)
    assert found.size == 2**20
    assert found[: 2**12].tolist() == [layout(i) for i in range(2**12)]


def test_offsets_of_another_library():
    """A stand-in for CuPy: NumPy's functions under another name, without Python integers."""

    def no_objects(x: object, dtype: object = None) -> np.ndarray:
        result = np.asarray(x, dtype=dtype)
        assert result.dtype != object
        return result

    cupy = types.SimpleNamespace(
        __name__="cupy", int64=np.int64, zeros=np.zeros, arange=np.arange, asarray=no_objects
    )
    layout = Layout.parse("((2,3),4):((1,-4),9)")
    assert offsets(layout, xp=cupy).tolist() == offsets(layout).tolist()
    assert offsets(layout, range(24), xp=cupy).tolist() == offsets(layout).tolist()
    for coordinates in (None, [1]):
        with pytest.raises(InputError, match="do not fit the 64 bits of cupy"):
            offsets(Layout((3, 2), (2**62, 1)), coordinates, xp=cupy)


# --- views -------------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(static_layouts(), st.integers(0, 300), st.sampled_from([1, 2, -1]))
def test_a_view_shows_the_buffer_or_is_refused(layout: Layout, start: int, step: int):
    buffer = np.arange(600)[::step][:300]
    reached = [start + layout(i) for i in range(size(layout))]
    if min(reached) < 0 or max(reached) >= len(buffer):
        with pytest.raises(InputError, match="reaches element"):
            strided_view(buffer, layout, start)
        return
    view = strided_view(buffer, layout, start)
    assert view.shape == tuple(leaves(layout.shape))
    assert view.ravel(order="F").tolist() == buffer[reached].tolist()
    distinct = len(set(reached)) == len(reached)
    assert distinct or not view.flags.writeable
    assert not np.shares_memory(view, buffer) or view.base is not None


def test_views_write_only_where_that_is_safe():
    buffer = np.zeros(12)
    view = strided_view(buffer, Layout((3, 2), (1, 6)))
    view[2, 1] = 5
    assert buffer.tolist() == [0] * 8 + [5] + [0] * 3
    assert not strided_view(buffer, Layout((3, 2), (1, 0))).flags.writeable
    assert not strided_view(buffer, Layout((3, 2), (1, 2))).flags.writeable
    buffer.flags.writeable = False
    assert not strided_view(buffer, Layout(4)).flags.writeable


def test_views_refuse():
    buffer = np.zeros(12)
    for wrong in (np.zeros((3, 4)), [1, 2], b"abc", np.ma.masked_array(buffer)):
        with pytest.raises(InputError, match="no 1-D NumPy array"):
            strided_view(wrong, Layout(2))
    with pytest.raises(InputError, match="symbolic"):
        strided_view(buffer, Layout.parse("M:1"))
    with pytest.raises(InputError, match="reaches element -2"):
        strided_view(buffer, Layout(3, -1))
    assert strided_view(buffer, Layout(3, -1), 2).shape == (3,)
    with pytest.raises(InputError, match="at most 32 axes"):
        strided_view(buffer, Layout((1,) * 33))
    with pytest.raises(InputError, match="coordinates"):
        strided_view(buffer, Layout(2**62, 0))
    with pytest.raises(InputError, match="reaches element 0 of a buffer of 0"):
        strided_view(np.zeros(0), Layout(1))


def test_nothing_heavy_is_loaded():
    code = (
        "import sys, symcute.interop as e, symcute.codegen.index as i\n"
        "from symcute.layout.layout import Layout\n"
        "L = e.from_cpp('Layout<Shape<_4,_8>>')\n"
        "e.to_cpp(L), e.to_dsl(L), e.from_dsl('4:1'), i.c_expression(L)\n"
        "print(sorted({'numpy', 'cupy', 'torch', 'cutlass', 'sympy', 'z3'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_layouts_of_layouts_agree():
    layout = make_layout(Layout(4), Layout((2, 2), (8, 4)))
    assert from_cpp(to_cpp(layout)) == layout
