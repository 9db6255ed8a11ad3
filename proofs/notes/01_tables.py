"""Claims in circulation, 1 to 11: tables and evaluation."""

from __future__ import annotations

from itertools import product

from symcute import Claim, Formula, Layout, PrintsAs, Table, dims, eq, slice_and_offset, theorem


@theorem(source="claims in circulation, 1")
def note_01_rows() -> Claim:
    """`(2,(2,2)):(4,(2,1))` has the rows `0 2 1 3` and `4 6 5 7`."""
    return Table(Layout.parse("(2,(2,2)):(4,(2,1))"), ((0, 2, 1, 3), (4, 6, 5, 7)))


@theorem(source="claims in circulation, 2")
def note_02_first_row() -> tuple[Claim | Formula, ...]:
    """`(4,(4,2)):(4,(1,16))` has the first row `0 1 2 3 16 17 18 19`.

    The row is the slice at row 0, with its offset; it has eight cells, so all of them are compared.
    """
    row, offset = slice_and_offset((0, None), Layout.parse("(4,(4,2)):(4,(1,16))"))
    return eq(offset, 0), eq(row.size(), 8), Table(row, ((0, 1, 2, 3, 16, 17, 18, 19),))


@theorem(source="claims in circulation, 3")
def note_03_visits_an_offset_twice() -> Formula:
    """`((2,3),4):((3,1),1)` visits some offset more than once (it is not injective).

    Shown by two coordinates with one offset, those that the engine finds when it refutes that the
    layout is injective.
    """
    layout = Layout.parse("((2,3),4):((3,1),1)")
    return eq(layout((0, 0), 1), layout((0, 1), 0))


@theorem(expect="refuted", source="claims in circulation, 3")
def note_03_injective_neighbour() -> str:
    """`((2,3),4):((3,1),1)` is injective."""
    return "injective(((2,3),4):((3,1),1))"


@theorem(source="claims in circulation, 4")
def note_04_size_and_cosize_of_4_2() -> tuple[str, str]:
    """`4:2` has size 4 and cosize 7."""
    return "size(4:2) == 4", "cosize(4:2) == 7"


@theorem(source="claims in circulation, 5")
def note_05a_size_of_8_2() -> str:
    """`8:2` has size 8."""
    return "size(8:2) == 8"


@theorem(expect="refuted", source="claims in circulation, 5")
def note_05b_cosize_of_8_2() -> str:
    """`8:2` has cosize 16."""
    return "cosize(8:2) == 16"


@theorem(source="claims in circulation, 5", corrects="note_05b_cosize_of_8_2")
def note_05b_corrected() -> tuple[str, str, str]:
    """`8:2` has cosize 15, one more than its largest offset, which is 14.

    The cosize is not extent times stride: behind the last element no stride follows. Every offset
    is below 15, and 14 is one of them.
    """
    return "cosize(8:2) == 15", "in_bounds(8:2, 15)", "(8:2)(7) == 14"


@theorem(source="claims in circulation, 6")
def note_06_size_and_cosize_of_8_0() -> tuple[str, str]:
    """`8:0` has size 8 and cosize 1."""
    return "size(8:0) == 8", "cosize(8:0) == 1"


@theorem(source="claims in circulation, 7")
def note_07_values() -> tuple[str, str, str]:
    """Three values: 5, 9 and 5.

    `(2,3):(1,2)` at `(1,2)` is 5; `(4,(2,2)):(4,(1,2))` at `(2,(1,0))` is 9; `(4,(2,2)):(2,(1,8))`
    at `(2,(1,0))` is 5.
    """
    return (
        "((2,3):(1,2))(1,2) == 5",
        "((4,(2,2)):(4,(1,2)))(2,(1,0)) == 9",
        "((4,(2,2)):(2,(1,8)))(2,(1,0)) == 5",
    )


@theorem(source="claims in circulation, 8")
def note_08_coordinates() -> tuple[str, ...]:
    """In the shape `(3,(2,3))` the 1-D coordinate 16 is `(1,5)` and `(1,(1,2))`.

    The whole 18-row table of 1-D, 2-D and natural coordinates follows colexicographic order. The
    rows are made here by counting with the leftmost digit fastest, and compared with the splitting
    of the 1-D coordinate, the splitting of the 2-D one, and the way back.
    """
    sixteen = ("idx2crd(16, (3,(2,3))) == (1,(1,2))", "idx2crd((1,5), (3,(2,3))) == (1,(1,2))")
    rows: list[str] = []
    for index, (c, b, a) in enumerate(product(range(3), range(2), range(3))):
        natural = f"({a},({b},{c}))"
        rows.append(f"idx2crd({index}, (3,(2,3))) == {natural}")
        rows.append(f"idx2crd(({a},{b + 2 * c}), (3,(2,3))) == {natural}")
        rows.append(f"crd2idx(({a},{b + 2 * c}), (3,(2,3))) == {index}")
        rows.append(f"crd2idx({natural}, (3,(2,3))) == {index}")
    return ("size((3,(2,3))) == 18", *sixteen, *rows)


@theorem(source="claims in circulation, 9")
def note_09_rows() -> Claim:
    """`(3,(2,3)):(3,(12,1))` has the rows `0 12 1 13 2 14`, `3 15 4 16 5 17`, `6 18 7 19 8 20`."""
    rows = ((0, 12, 1, 13, 2, 14), (3, 15, 4, 16, 5, 17), (6, 18, 7, 19, 8, 20))
    return Table(Layout.parse("(3,(2,3)):(3,(12,1))"), rows)


@theorem(given=["0 <= i", "i < M*N"], source="claims in circulation, 10")
def note_10a_rank_2() -> Formula:
    """A layout of rank 2 has one offset at the 1-D and at the 2-D form of a coordinate.

    For all extents M, N and all strides a, b: the index i is the coordinate `(i % M, i // M % N)`.
    """
    M, N, a, b, i = dims("M N a b i")
    layout = Layout((M, N), (a, b))
    return eq(layout(i), layout(i % M, i // M % N))


@theorem(given=["0 <= i", "i < M*N*K"], source="claims in circulation, 10")
def note_10b_one_nested_mode() -> tuple[Formula, Formula]:
    """A layout of shape `(M,(N,K))` has one offset at 1-D, 2-D and natural coordinates.

    For all extents and all strides: the index i is `(i % M, i // M)` and
    `(i % M, (i // M % N, i // (M*N) % K))`.
    """
    M, N, K, a, b, c, i = dims("M N K a b c i")
    layout = Layout((M, (N, K)), (a, (b, c)))
    natural = layout(i % M, (i // M % N, i // (M * N) % K))
    return eq(layout(i), layout(i % M, i // M)), eq(layout(i), natural)


@theorem(given=["0 <= i", "i < A*B*C*D"], source="claims in circulation, 10")
def note_10c_two_nested_modes() -> tuple[str, str]:
    """A layout of shape `((A,B),(C,D))` has one offset at 1-D, 2-D and natural coordinates.

    For all extents and all strides: the index i is `(m, i // (A*B))` with `m = i % (A*B)`, and
    `((m % A, m // A), (i // (A*B) % C, i // (A*B*C) % D))`.
    """
    layout = "(((A,B),(C,D)):((a,b),(c,d)))"
    natural = "((i % (A*B) % A, i % (A*B) // A), (i // (A*B) % C, i // (A*B*C) % D))"
    return (
        f"{layout}(i) == {layout}(i % (A*B), i // (A*B))",
        f"{layout}(i) == {layout}{natural}",
    )


@theorem(given=["0 <= i", "i < M*N*K"], source="claims in circulation, 10")
def note_10d_rank_3() -> Formula:
    """A layout of rank 3 has one offset at the 1-D and at the 3-D form of a coordinate.

    For all extents and all strides: the index i is `(i % M, i // M % N, i // (M*N) % K)`.
    """
    M, N, K, a, b, c, i = dims("M N K a b c i")
    layout = Layout((M, N, K), (a, b, c))
    return eq(layout(i), layout(i % M, i // M % N, i // (M * N) % K))


@theorem(given=["0 <= i", "i < M*N*K*J"], source="claims in circulation, 10")
def note_10e_nested_twice() -> tuple[Formula, Formula]:
    """A layout of shape `(M,(N,(K,J)))` has one offset at 1-D, 2-D and natural coordinates.

    Claim 10 speaks of every shape. What is proved in 10a to 10e, for all extents and all strides
    (of at least 1), are the profiles `(M,N)`, `(M,(N,K))`, `((A,B),(C,D))`, `(M,N,K)` and
    `(M,(N,(K,J)))`; deeper nesting and more modes are not covered.
    """
    M, N, K, J, a, b, c, d, i = dims("M N K J a b c d i")
    layout = Layout((M, (N, (K, J))), (a, (b, (c, d))))
    last = i // M // N
    natural = layout(i % M, (i // M % N, (last % K, last // K % J)))
    return eq(layout(i), layout(i % M, i // M)), eq(layout(i), natural)


@theorem(given=["0 <= i", "i < M*N"], expect="refuted", source="claims in circulation, 10")
def note_10_row_major_order_neighbour() -> Formula:
    """The index i of a layout of rank 2 is the coordinate `(i // N, i % N)`."""
    M, N, a, b, i = dims("M N a b i")
    layout = Layout((M, N), (a, b))
    return eq(layout(i), layout(i // N, i % N))


@theorem(given=["0 <= i", "i < M*N*K"], expect="refuted", source="claims in circulation, 10")
def note_10_digits_swapped_neighbour() -> Formula:
    """In `(M,(N,K))` the digits of the nested mode come with the last one fastest."""
    M, N, K, a, b, c, i = dims("M N K a b c i")
    layout = Layout((M, (N, K)), (a, (b, c)))
    return eq(layout(i), layout(i % M, (i // (M * K) % N, i // M % K)))


@theorem(source="claims in circulation, 11")
def note_11_strides_from_a_shape() -> Claim:
    """A layout made from the shape `(2,(2,2))` alone has the strides `(1,(2,4))`."""
    return PrintsAs(Layout((2, (2, 2))).stride, "(1,(2,4))")
