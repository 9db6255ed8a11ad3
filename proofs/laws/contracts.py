"""The post-conditions of the algebra as claims about symbolic layouts, with false neighbours.

The docstring of an operation holds the condition; here it is stated for row-major, padded, batched
and tiled layouts, for all dims that are as assumed.
"""

from __future__ import annotations

from symcute import (
    Bijective,
    Claim,
    Compatible,
    Complement,
    Composition,
    Equal,
    Formula,
    InBounds,
    Layout,
    LeftInverse,
    RightInverse,
    coalesce,
    compact_major,
    complement,
    composition,
    domain_distribute,
    eq,
    filter_,
    flatten,
    group,
    layout_add,
    left_inverse,
    make_layout_like,
    make_ordered_layout,
    max_common_layout,
    nullspace,
    right_inverse,
    size,
    theorem,
    unflatten,
)

ROWS = Layout.parse("(M,N):(N,1)")
PADDED = Layout.parse("(M,N):(LD,1)")
BATCHED = Layout.parse("(M,N,B):(N,1,M*N)")
TILED = Layout.parse("((4,M),(8,N)):((8,32*N),(1,32))")
VECTOR = Layout.parse("M*N:1")
BROADCAST = Layout.parse("(M,B,N):(N,0,1)")
MATRICES = Layout.parse("(M*N,B):(1,M*N)")
FOURTH_ROWS = Layout.parse("M/4:4")
COLUMNS = Layout.parse("(M,N):(1,M)")
PITCHED = Layout.parse("(M,N):(1,LD)")

REAL = ["M >= 2", "N >= 2"]


@theorem()
def contract_flatten_keeps_the_map() -> Claim:
    """Flattening a tiled layout keeps the offset at every index."""
    return Equal(flatten(TILED), TILED)


@theorem(given=REAL, expect="refuted")
def contract_flatten_neighbour() -> Claim:
    """Flattening a tiled layout gives the row-major layout of the same size."""
    return Equal(flatten(TILED), Layout.parse("(4*M,8*N):(8*N,1)"))


@theorem()
def contract_coalesce_tiled() -> Claim:
    """Coalescing a tiled layout keeps the offset at every index."""
    return Equal(coalesce(TILED), TILED)


@theorem()
def contract_coalesce_batched() -> Claim:
    """Coalescing a stack of column-major matrices keeps the offset at every index."""
    return Equal(coalesce(Layout.parse("(M,N,B):(1,M,M*N)")), Layout.parse("(M,N,B):(1,M,M*N)"))


@theorem()
def contract_coalesce_by_profile() -> Claim:
    """Coalescing the two modes of a tiled layout apart keeps the offset at every index."""
    return Equal(coalesce(TILED, (1, 1)), TILED)


@theorem(given=["LD >= M"], expect="refuted")
def contract_coalesce_neighbour() -> Claim:
    """A matrix whose columns lie LD apart coalesces to a vector."""
    return Equal(coalesce(PITCHED), VECTOR)


@theorem()
def contract_filter_size() -> Formula:
    """Filtering leaves out the broadcast mode and the unit mode: the size is M*N."""
    return eq(size(filter_(Layout.parse("(M,8,N,1):(N,0,1,7)"))), size(ROWS))


@theorem(expect="refuted")
def contract_filter_neighbour() -> Formula:
    """Filtering keeps the size of a layout with a broadcast mode."""
    return eq(size(filter_(Layout.parse("(M,8,N):(N,0,1)"))), size(Layout.parse("(M,8,N)")))


@theorem()
def contract_group_keeps_the_map() -> Claim:
    """Grouping the last two modes of a batch keeps the offset at every index."""
    return Equal(group(BATCHED, 1, 3), BATCHED)


@theorem(given=REAL, expect="refuted")
def contract_group_neighbour() -> Claim:
    """Grouping the last two modes of a batch gives the batch of transposed matrices."""
    return Equal(group(BATCHED, 1, 3), Layout.parse("(N,M,B):(1,N,M*N)"))


@theorem()
def contract_unflatten_keeps_the_map() -> Claim:
    """Giving a batch a hierarchy keeps the offset at every index."""
    return Equal(unflatten(BATCHED, ((0, 0), 0)), BATCHED)


@theorem(given=["N >= 2", "B >= 2"], expect="refuted")
def contract_unflatten_neighbour() -> Claim:
    """A hierarchy swaps the order in which a batch is walked."""
    return Equal(unflatten(BATCHED, (0, (0, 0))), Layout.parse("(M,(B,N)):(N,(M*N,1))"))


@theorem()
def contract_composition_transposes() -> Claim:
    """Composing row-major with the transposed index layout is one map after the other."""
    return Composition(
        composition(ROWS, Layout.parse("(N,M):(M,1)")), ROWS, Layout.parse("(N,M):(M,1)")
    )


@theorem(given=["M % 4 == 0"])
def contract_composition_takes_rows() -> Claim:
    """Every fourth row of a padded matrix is the padded matrix after that choice of rows."""
    return Composition(
        composition(PADDED, FOURTH_ROWS, given="M % 4 == 0"),
        PADDED,
        FOURTH_ROWS,
    )


@theorem()
def contract_composition_reshapes_a_vector() -> Claim:
    """A vector read as row-major matrix is the vector after the row-major layout."""
    return Composition(composition(VECTOR, ROWS), VECTOR, ROWS)


@theorem()
def contract_composition_of_a_batch() -> Claim:
    """The matrices of a batch, flattened, are the batch after the index layout."""
    return Composition(
        composition(BATCHED, MATRICES),
        BATCHED,
        MATRICES,
    )


@theorem()
def contract_composition_is_compatible() -> Claim:
    """The shape of the right operand is compatible with the composition."""
    return Compatible(Layout.parse("(M*N,B)"), composition(BATCHED, MATRICES))


@theorem(given=["LD > N", "M >= 2"], expect="refuted")
def contract_composition_neighbour() -> Claim:
    """Composition forgets the padding of its right operand."""
    return Composition(composition(VECTOR, ROWS), VECTOR, PADDED)


@theorem()
def contract_complement_of_a_column() -> Claim:
    """The complement of a column up to the matrix fills the matrix."""
    return Complement(complement(Layout.parse("M:N"), size(ROWS)), Layout.parse("M:N"), size(ROWS))


@theorem(given=["LD % N == 0"])
def contract_complement_of_a_padded_matrix() -> Claim:
    """The complement of a padded matrix fills the padding."""
    return Complement(
        complement(PADDED, size(Layout.parse("M*LD")), given="LD % N == 0"),
        PADDED,
        size(Layout.parse("M*LD")),
    )


@theorem()
def contract_complement_of_a_tile() -> Claim:
    """The complement of a vector of 8 with stride M is disjoint, ordered and covers."""
    return Complement(
        complement(Layout.parse("8:M"), size(Layout.parse("8*M*N"))),
        Layout.parse("8:M"),
        size(Layout.parse("8*M*N")),
    )


@theorem(given=REAL, expect="refuted")
def contract_complement_neighbour() -> Claim:
    """The complement of a column is as many columns, side by side from 0 on."""
    return Complement(Layout.parse("M:1"), Layout.parse("M:N"), size(ROWS))


@theorem()
def contract_right_inverse_of_rows() -> Claim:
    """The right inverse of row-major gives the index at every offset."""
    return RightInverse(right_inverse(ROWS), ROWS)


@theorem()
def contract_right_inverse_of_padded_rows() -> Claim:
    """The right inverse of padded rows finds the elements of the first row."""
    return RightInverse(right_inverse(PADDED), PADDED)


@theorem()
def contract_right_inverse_of_a_batch() -> Claim:
    """The right inverse of a batch gives the index at every offset."""
    return RightInverse(right_inverse(BATCHED), BATCHED)


@theorem()
def contract_right_inverse_of_tiles() -> Claim:
    """The right inverse of a tiled layout gives the index at every offset."""
    return RightInverse(right_inverse(TILED), TILED)


@theorem(given=REAL, expect="refuted")
def contract_right_inverse_neighbour() -> Claim:
    """Row-major is its own right inverse."""
    return RightInverse(ROWS, ROWS)


@theorem()
def contract_left_inverse_of_rows() -> Claim:
    """The left inverse of row-major takes every offset back to its index."""
    return LeftInverse(left_inverse(ROWS), ROWS)


@theorem(given=["LD >= N"])
def contract_left_inverse_of_padded_rows() -> Claim:
    """The left inverse of a padded matrix takes every offset back to its index."""
    return LeftInverse(left_inverse(PADDED, given="LD >= N"), PADDED)


@theorem()
def contract_left_inverse_of_tiles() -> Claim:
    """The left inverse of a tiled layout takes every offset back to its index."""
    return LeftInverse(left_inverse(TILED), TILED)


@theorem(given=["LD >= N", *REAL], expect="refuted")
def contract_left_inverse_neighbour() -> Claim:
    """Padding leaves the left inverse of row-major a left inverse."""
    return LeftInverse(left_inverse(ROWS), PADDED)


@theorem()
def contract_layout_add_is_the_sum() -> Claim:
    """Row-major plus a column of stride K is the matrix with rows N+K apart."""
    return Equal(layout_add(ROWS, Layout.parse("(M,N):(K,0)")), Layout.parse("(M,N):(N+K,1)"))


@theorem(given=REAL, expect="refuted")
def contract_layout_add_neighbour() -> Claim:
    """Adding a vector to row-major changes nothing."""
    return Equal(layout_add(ROWS, VECTOR), ROWS)


@theorem()
def contract_nullspace_is_sent_to_0() -> Claim:
    """A layout with broadcast modes is 0 on its nullspace."""
    return Composition(Layout((size(nullspace(BROADCAST)),), (0,)), BROADCAST, nullspace(BROADCAST))


@theorem(given=["M >= 2", "B >= 2"], expect="refuted")
def contract_nullspace_neighbour() -> Claim:
    """A layout with broadcast modes is 0 on its first B indices."""
    return Composition(Layout.parse("B:0"), BROADCAST, Layout.parse("B:1"))


@theorem()
def contract_max_common_layout_is_common() -> tuple[Claim, ...]:
    """The run common to a matrix and its padded copy has the same offsets in both."""
    return (
        RightInverse(max_common_layout(COLUMNS, PITCHED), COLUMNS),
        RightInverse(max_common_layout(COLUMNS, PITCHED), PITCHED),
    )


@theorem(given=["LD > M", "N >= 2"], expect="refuted")
def contract_max_common_layout_neighbour() -> Claim:
    """The run that a matrix and its padded copy have in common is all of the matrix."""
    return RightInverse(right_inverse(COLUMNS), PITCHED)


@theorem(given=["M % 64 == 0"], expect="refuted")
def contract_domain_distribute_neighbour() -> Claim:
    """64 coordinates taken from (M,N) lie in the first 32."""
    return InBounds(domain_distribute(Layout.parse("(M,N)"), 64, given="M % 64 == 0"), 32)


@theorem()
def contract_compact_major_is_onto() -> Claim:
    """Compact row-major strides take every offset once."""
    return Bijective(Layout(BATCHED.shape, compact_major(BATCHED.shape, "right")))


@theorem(given=REAL, expect="refuted")
def contract_compact_major_neighbour() -> Claim:
    """Compact row-major strides are compact column-major ones."""
    return Equal(
        Layout(BATCHED.shape, compact_major(BATCHED.shape, "right")), Layout(BATCHED.shape)
    )


@theorem()
def contract_make_ordered_layout_is_onto() -> Claim:
    """A compact layout in a given order takes every offset once."""
    return Bijective(make_ordered_layout(BATCHED.shape, (1, 2, 0)))


@theorem(given=[*REAL, "B >= 2"], expect="refuted")
def contract_make_ordered_layout_neighbour() -> Claim:
    """The order of the modes does not matter."""
    return Equal(make_ordered_layout(BATCHED.shape, (1, 2, 0)), Layout(BATCHED.shape))


@theorem()
def contract_make_layout_like_is_onto() -> Claim:
    """The compact layout like a padded batch takes every offset once."""
    return Bijective(make_layout_like(Layout.parse("(M,N,B):(N+8,1,M*N+64)")))


@theorem(given=["LD > N", "M >= 2"], expect="refuted")
def contract_make_layout_like_neighbour() -> Claim:
    """The layout like a padded matrix keeps the padding."""
    return Equal(make_layout_like(PADDED), PADDED)
