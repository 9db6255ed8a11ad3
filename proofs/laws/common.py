"""Laws of what layouts have in common, of their sums, and of layouts made like others."""

from __future__ import annotations

from symcute import (
    Bijective,
    Claim,
    Composition,
    Equal,
    Formula,
    InBounds,
    Injective,
    Layout,
    RightInverse,
    composition,
    cosize,
    dims,
    divides,
    domain_distribute,
    eq,
    filter_zeros,
    greatest_common_domain,
    guarded_divide,
    implies,
    layout_add,
    le,
    logical_divide,
    lt,
    make_fragment_like,
    make_layout,
    make_layout_like,
    max_common_layout,
    max_common_vector,
    nullspace,
    size,
    theorem,
)

HEADER = "cute/layout.hpp, max_common_layout, max_common_vector, nullspace"
PAPER = "C. Cecka, CuTe Layout Representation and Algebra, arXiv:2603.02298"
FRAGMENT = "cute/layout.hpp, make_layout_like, make_fragment_like"

REAL = ["M >= 2", "N >= 2", "K >= 2"]
INSIDE = ["0 <= i", "i < M", "0 <= j", "j < N"]

MATRIX = Layout.parse("(M,N):(D,E)")
OTHER = Layout.parse("(M,N):(F,G)")
ROWS = Layout.parse("(M,N):(N,1)")
COLUMNS = Layout.parse("(M,N):(1,M)")
PITCHED = Layout.parse("(M,N):(1,M+K)")


@theorem(given=INSIDE, source=PAPER)
def layout_add_is_pointwise() -> Formula:
    """(A + B)(i,j) is A(i,j) + B(i,j)."""
    i, j = dims("i j")
    return eq(layout_add(MATRIX, OTHER)(i, j), MATRIX(i, j) + OTHER(i, j))


@theorem(source=PAPER)
def layout_add_is_commutative() -> Claim:
    """A + B is B + A, for A row-major and B a vector."""
    b = Layout.parse("M*N:D")
    return Equal(layout_add(ROWS, b), layout_add(b, ROWS))


@theorem(source=PAPER)
def layout_add_is_associative() -> Claim:
    """(A + B) + C is A + (B + C)."""
    c = Layout.parse("M*N:K")
    return Equal(layout_add(layout_add(MATRIX, OTHER), c), layout_add(MATRIX, layout_add(OTHER, c)))


@theorem(source=PAPER)
def layout_add_has_a_zero() -> Claim:
    """A + n:0 is A."""
    return Equal(layout_add(MATRIX, Layout.parse("M*N:0")), MATRIX)


@theorem(source=PAPER)
def layout_add_distributes_over_composition() -> Claim:
    """(A + B) o C is (A o C) + (B o C): a transposed read of a sum."""
    c = Layout.parse("(N,M):(M,1)")
    return Equal(
        composition(layout_add(MATRIX, OTHER), c),
        layout_add(composition(MATRIX, c), composition(OTHER, c)),
    )


@theorem(source=PAPER)
def layout_add_makes_a_matrix_of_its_modes() -> Claim:
    """A matrix is the sum of its rows and its columns, each broadcast along the other."""
    return Equal(layout_add(Layout.parse("(M,N):(D,0)"), Layout.parse("(M,N):(0,E)")), MATRIX)


@theorem(given=REAL, expect="refuted")
def layout_add_keeps_injectivity_neighbour() -> Claim:
    """The sum of two injective layouts is injective: row-major and column-major of a square."""
    return Injective(layout_add(Layout.parse("(M,M):(M,1)"), Layout.parse("(M,M):(1,M)")))


@theorem(source=PAPER)
def layout_add_reaches_as_far_as_both() -> Formula:
    """The largest offset of a sum is the sum of the largest offsets, for strides of at least 0."""
    both = layout_add(MATRIX, OTHER)
    return eq(cosize(both) - 1, (cosize(MATRIX) - 1) + (cosize(OTHER) - 1))


@theorem(source=PAPER)
def contract_greatest_common_domain_of_tiles() -> tuple[Claim, ...]:
    """What (M,N*K) and (M*N,K) have in common is (M,N,K), and both contain it."""
    M, N, K = dims("M N K")
    common = greatest_common_domain((M, N * K), (M * N, K))
    shapes = Layout((M, N * K)), Layout((M * N, K))
    return (
        Equal(common, Layout((M, N, K))),
        *(Composition(common, x, common) for x in shapes),
    )


@theorem(source=PAPER)
def greatest_common_domain_is_symmetric() -> Claim:
    """Which shape comes first does not matter; a shape with itself has all of it in common."""
    M, N, K = dims("M N K")
    a, b = (M, N * K), (M * N, K)
    return Equal(greatest_common_domain(a, b), greatest_common_domain(b, a))


@theorem(given=REAL, expect="refuted")
def contract_greatest_common_domain_neighbour() -> Claim:
    """What (M,N*K) and (M*N,K) have in common is the mode M."""
    M, N, K = dims("M N K")
    return Equal(greatest_common_domain((M, N * K), (M * N, K)), Layout(M, 1))


@theorem(source=HEADER)
def contract_max_common_vector_of_columns() -> tuple[Claim | Formula, ...]:
    """A matrix and its padded copy share columns: M consecutive elements, for both the same."""
    M = dims("M")
    common = max_common_layout(COLUMNS, PITCHED)
    return (
        eq(max_common_vector(COLUMNS, PITCHED), M),
        RightInverse(common, COLUMNS),
        RightInverse(common, PITCHED),
    )


@theorem(source=HEADER)
def max_common_vector_of_equal_layouts() -> tuple[Formula, Formula]:
    """Compact layouts have all their elements in common with themselves, whatever their order."""
    M, N = dims("M N")
    return eq(max_common_vector(ROWS, ROWS), M * N), eq(max_common_vector(COLUMNS, COLUMNS), M * N)


@theorem(source=HEADER)
def max_common_vector_is_symmetric() -> Formula:
    """Which layout comes first does not matter."""
    return eq(max_common_vector(COLUMNS, PITCHED), max_common_vector(PITCHED, COLUMNS))


@theorem(given=REAL, expect="refuted")
def contract_max_common_vector_neighbour() -> Formula:
    """A matrix and its padded copy have all elements in common."""
    return eq(max_common_vector(COLUMNS, PITCHED), size(COLUMNS))


@theorem(source=HEADER)
def contract_filter_zeros_keeps_strides() -> tuple[Claim | Formula, ...]:
    """Only the extents of stride-0 modes change: the size is that of the other modes."""
    layout = Layout.parse("(M,B,N):(D,0,E)")
    kept = filter_zeros(layout)
    return eq(size(kept), size(MATRIX)), Equal(kept, MATRIX)


@theorem(given=["B >= 2"], expect="refuted")
def contract_filter_zeros_neighbour() -> Formula:
    """Filtering zeros keeps the size."""
    layout = Layout.parse("(M,B,N):(D,0,E)")
    return eq(size(filter_zeros(layout)), size(layout))


@theorem(source=HEADER)
def nullspace_and_the_rest_make_the_layout() -> Formula:
    """The size of a layout is that of its nullspace times that of its other modes."""
    layout = Layout.parse("(M,B,N):(D,0,E)")
    return eq(size(nullspace(layout)) * size(filter_zeros(layout)), size(layout))


@theorem(source=HEADER)
def nullspace_of_an_injective_layout_is_a_point() -> tuple[Claim, Claim]:
    """Layouts without a broadcast send only the index 0 to 0."""
    return Equal(nullspace(MATRIX), Layout(1, 0)), Equal(nullspace(ROWS), Layout(1, 0))


@theorem(source=HEADER)
def nullspace_moves_nothing() -> Claim:
    """Read along its nullspace last, a layout with a broadcast is its other modes, repeated."""
    M, N, B, D, E = dims("M N B D E")
    layout = Layout((M, B, N), (D, 0, E))
    others = Layout((M, N), (1, M * B))
    read = composition(layout, make_layout(others, nullspace(layout)))
    return Equal(read, Layout((M, N, B), (D, E, 0)))


@theorem(given=[*REAL, "B >= 2"], expect="refuted")
def nullspace_neighbour() -> Claim:
    """The nullspace of a broadcast is the first B indices."""
    return Equal(nullspace(Layout.parse("(M,B,N):(D,0,E)")), Layout.parse("B:1"))


@theorem(given="M % 128 == 0", source="cute/layout.hpp, domain_distribute")
def domain_distribute_is_a_tile() -> tuple[Claim, Claim]:
    """128 threads on the first mode of (M,N): a tile whose divide keeps every element once."""
    M, N = dims("M N")
    threads = domain_distribute((M, N), 128)
    return (
        Equal(threads, Layout(128, 1)),
        Bijective(logical_divide(Layout((M, N), (1, M)), threads)),
    )


@theorem(source=FRAGMENT)
def contract_make_fragment_like_is_compact() -> tuple[Claim, ...]:
    """The fragment of a padded tile of registers is compact: mode 0 first, then by stride."""
    layout = Layout.parse("((4,2),3,5):((LD,0),1,64*LD)")
    fragment = make_fragment_like(layout)
    return (
        Equal(fragment, Layout.parse("((4,2),3,5):((1,0),4,12)")),
        Injective(filter_zeros(fragment)),
        Equal(make_fragment_like(Layout.parse("(4,M):(M,1)")), Layout.parse("(4,M):(1,4)")),
    )


@theorem(given="LD >= 8", expect="refuted")
def contract_make_fragment_like_neighbour() -> Claim:
    """The fragment of a padded tile has the strides of the tile."""
    layout = Layout.parse("(4,3,5):(LD,1,64*LD)")
    return Equal(make_fragment_like(layout), layout)


@theorem(source=FRAGMENT)
def make_layout_like_keeps_the_order() -> tuple[Claim, Claim]:
    """The compact layout like a row-major or column-major matrix is row-major or column-major."""
    return (
        Equal(make_layout_like(Layout.parse("(M,N):(N+8,1)")), ROWS),
        Equal(make_layout_like(COLUMNS), COLUMNS),
    )


@theorem(given=REAL, expect="refuted")
def make_layout_like_keeps_the_order_neighbour() -> Claim:
    """The compact layout like a row-major batch is row-major.

    Symbolic strides are ordered as CuTe orders them, from left to right, after those known to be 1.
    """
    batch = Layout.parse("(M,N,K):(N*K,K,1)")
    return Equal(make_layout_like(batch), batch)


@theorem(
    given=["0 <= i", "i < 128", "0 <= b"],
    source="CUTLASS, CuTe kernels: predication of the residue tile",
)
def contract_guarded_divide_is_guarded() -> tuple[Formula, Formula]:
    """Of a matrix cut into tiles of 128 rows, what the guard lets through is in bounds."""
    i, b, M, N = dims("i b M N")
    guarded = guarded_divide(Layout((M, N), (1, M)), (128,))
    rows = guarded.layout[0]
    inside = guarded.guard.formula(((i, b), 0))
    return (
        implies(inside, lt(rows(i, b), M)),
        le(M, size(rows)),
    )


@theorem(given=["0 <= i", "i < 128", "0 <= b", "b < M"], expect="refuted")
def contract_guarded_divide_neighbour() -> Formula:
    """Of a matrix cut into tiles of 128 rows, every row of every tile is in bounds."""
    i, b, M, N = dims("i b M N")
    rows = guarded_divide(Layout((M, N), (1, M)), (128,)).layout[0]
    return implies(lt(b, size(rows[1])), lt(rows(i, b), M))


@theorem(source=HEADER)
def common_layout_is_inside_both() -> tuple[Claim, Claim, Formula]:
    """The common run of a matrix and its padded copy has indices of both, and divides the size."""
    common = max_common_layout(COLUMNS, PITCHED)
    return (
        InBounds(common, size(COLUMNS)),
        InBounds(make_layout(common), size(PITCHED)),
        divides(size(common), size(COLUMNS)),
    )
