"""Laws of coordinates: indices and coordinates of a shape, identity layouts, cosizes."""

from __future__ import annotations

from symcute import (
    Claim,
    Equal,
    Formula,
    InBounds,
    Layout,
    all_of,
    composition,
    coshape,
    cosize,
    crd2crd,
    crd2idx,
    dims,
    eq,
    group,
    idx2crd,
    le,
    lt,
    make_identity_layout,
    make_layout,
    size,
    theorem,
)

DOC = "CuTe documentation, 01_layout, Coordinate Mapping and Index Mapping"
STRIDE = "cute/stride.hpp, crd2idx, idx2crd, crd2crd"
PAPER = "C. Cecka, CuTe Layout Representation and Algebra, arXiv:2603.02298: coordinates"

BOX2 = ["0 <= i", "i < M", "0 <= j", "j < N"]
BOX3 = [*BOX2, "0 <= k", "k < K"]
MATRIX = Layout.parse("(M,N):(D,E)")
CUBE = Layout.parse("(M,N,K):(D,E,F)")


@theorem(given=BOX2, source=STRIDE)
def contract_crd2idx_of_a_pair() -> tuple[Formula, Formula]:
    """The index of (i,j) in (M,N) is i + M*j, below M*N."""
    i, j, M, N = dims("i j M N")
    index = crd2idx((i, j), (M, N))
    return eq(index, i + M * j), lt(index, M * N)


@theorem(given=BOX3, source=STRIDE)
def crd2idx_of_a_triple() -> tuple[Formula, Formula]:
    """The index of (i,j,k), and of (i,(j,k)), is i + M*(j + N*k), below M*N*K."""
    i, j, k, M, N, K = dims("i j k M N K")
    index = crd2idx((i, j, k), (M, N, K))
    return (
        all_of(eq(index, i + M * (j + N * k)), lt(index, M * N * K)),
        eq(crd2idx((i, (j, k)), (M, (N, K))), index),
    )


@theorem(given=[*BOX2, "M > N", "N >= 2"], expect="refuted")
def contract_crd2idx_neighbour() -> Formula:
    """The index of (i,j) in (M,N) is j + N*i: the last coordinate runs fastest."""
    i, j, M, N = dims("i j M N")
    return eq(crd2idx((i, j), (M, N)), j + N * i)


@theorem(given=["0 <= i", "i < M*N*K"], source=STRIDE)
def contract_idx2crd_and_crd2idx_undo_each_other() -> tuple[Formula, ...]:
    """The index of the coordinate of i is i, in (M,N*K), (M,N,K) and (M,(N,K))."""
    i, M, N, K = dims("i M N K")
    shapes = (M, N * K), (M, N, K), (M, (N, K))
    return tuple(eq(crd2idx(idx2crd(i, s), s), i) for s in shapes)


@theorem(given=["0 <= i", "i < M*N*K"], source=STRIDE)
def idx2crd_stays_in_the_shape() -> tuple[Formula, ...]:
    """The coordinate of an index below the size lies in the shape, in every mode."""
    i, M, N, K = dims("i M N K")
    a, b, c = idx2crd(i, (M, N, K))
    return tuple(all_of(le(0, x), lt(x, s)) for x, s in ((a, M), (b, N), (c, K)))


@theorem(given=["0 <= i", "i < M*N*K", "N >= 2"], expect="refuted")
def contract_idx2crd_neighbour() -> Formula:
    """The second coordinate of i in (M,N,K) is i // M."""
    i, M, N, K = dims("i M N K")
    return eq(idx2crd(i, (M, N, K))[1], i // M)


@theorem(given=BOX2, source=STRIDE)
def idx2crd_finds_the_coordinate() -> tuple[Formula, ...]:
    """The coordinate of the index of (i,j) is (i,j)."""
    i, j, M, N = dims("i j M N")
    a, b = idx2crd(crd2idx((i, j), (M, N)), (M, N))
    return eq(a, i), eq(b, j)


@theorem(given=BOX3, source=STRIDE)
def contract_crd2crd_keeps_the_index() -> tuple[Formula, Formula]:
    """A coordinate of (M,N*K), read in (M,N,K), has the same index, and the other way round."""
    i, j, k, M, N, K = dims("i j k M N K")
    flat = crd2crd((i, (j, k)), (M, (N, K)), (M, N * K))
    return eq(flat[0], i), eq(flat[1], j + N * k)


@theorem(given=["0 <= i", "i < M*N"], source=STRIDE)
def crd2crd_to_another_shape_of_equal_size() -> Formula:
    """An index of M*N, as a coordinate of (M,N), has that index."""
    i, M, N = dims("i M N")
    return eq(crd2idx(crd2crd(i, M * N, (M, N)), (M, N)), i)


@theorem(given=[*BOX3, "K >= 2", "N >= 2"], expect="refuted")
def contract_crd2crd_neighbour() -> Formula:
    """Read in (M,N*K), the coordinate (i,(j,k)) is (i, k + K*j)."""
    i, j, k, M, N, K = dims("i j k M N K")
    return eq(crd2crd((i, (j, k)), (M, (N, K)), (M, N * K))[1], k + K * j)


@theorem(given=BOX3, source=DOC)
def layout_is_crd2idx_with_its_strides() -> tuple[Formula, Formula]:
    """A layout is linear in its natural coordinates: D*i + E*j + F*k, also where modes nest."""
    i, j, k, D, E, F = dims("i j k D E F")
    linear = D * i + E * j + F * k
    return eq(CUBE(i, j, k), linear), eq(group(CUBE, 1, 3)(i, (j, k)), linear)


@theorem(given=[*BOX2, "D > E"], expect="refuted")
def layout_is_crd2idx_neighbour() -> Formula:
    """A layout does not see the order of coordinates that both lie in its shape."""
    i, j, M = dims("i j M")
    square = Layout.parse("(M,M):(D,E)")
    return eq(square(i, j % M), square(j % M, i))


@theorem(given=BOX3, source="cute/layout.hpp, make_identity_layout")
def contract_make_identity_layout_gives_the_coordinate() -> tuple[Formula, ...]:
    """The identity layout of (M,(N,K)) at (i,(j,k)) is (i,(j,k))."""
    i, j, k, M, N, K = dims("i j k M N K")
    a, (b, c) = make_identity_layout((M, (N, K)))(i, (j, k))
    return eq(a, i), eq(b, j), eq(c, k)


@theorem(source="cute/layout.hpp, make_identity_layout")
def identity_layout_is_an_identity_of_composition() -> tuple[Claim, Claim]:
    """A layout after the identity layout of its shape is the layout, also with modes exchanged."""
    M, N, D, E = dims("M N D E")
    exchanged = make_layout(*reversed(list(make_identity_layout((M, N)))))
    return (
        Equal(composition(MATRIX, make_identity_layout((M, N))), MATRIX),
        Equal(composition(MATRIX, exchanged), Layout((N, M), (E, D))),
    )


@theorem(given=["0 <= i", "i < M*N", "N >= 2"], expect="refuted")
def contract_make_identity_layout_neighbour() -> Formula:
    """The identity layout of (M,N) at the index i is (i // N, i % N)."""
    i, M, N = dims("i M N")
    return eq(make_identity_layout((M, N))(i)[0], i // N)


@theorem(given=BOX3, source=DOC)
def contract_cosize_bounds_the_offsets() -> tuple[Claim | Formula, ...]:
    """Every offset is below the cosize, and the last index has the offset cosize - 1."""
    M, N, K = dims("M N K")
    return InBounds(CUBE, cosize(CUBE)), eq(CUBE(M - 1, N - 1, K - 1), cosize(CUBE) - 1)


@theorem(given=["M >= 2", "D >= 2"], expect="refuted")
def contract_cosize_neighbour() -> Claim:
    """Every offset of a layout is below its size."""
    return InBounds(CUBE, size(CUBE))


@theorem(expect="refuted")
def cosize_is_the_smallest_bound_neighbour() -> Claim:
    """Every offset is below cosize - 1."""
    return InBounds(CUBE, cosize(CUBE) - 1)


@theorem(source=DOC)
def cosize_of_a_compact_layout_is_its_size() -> tuple[Formula, ...]:
    """Compact layouts, column-major, row-major and tiled, have as many offsets as elements."""
    layouts = (
        Layout.parse("(M,N,K):(1,M,M*N)"),
        Layout.parse("(M,N,K):(N*K,K,1)"),
        Layout.parse("((M,N),(K,L)):((L,K*M*L),(M*L,1))"),
    )
    return tuple(eq(cosize(x), size(x)) for x in layouts)


@theorem(source=DOC)
def cosize_of_a_mode_is_at_most_that_of_the_layout() -> Formula:
    """No mode reaches further than the layout."""
    return all_of(*(le(cosize(CUBE, k), cosize(CUBE)) for k in range(3)))


@theorem(source=DOC)
def cosize_of_a_padded_matrix() -> Formula:
    """A row-major matrix with a pitch LD needs (M-1)*LD + N elements, not M*LD."""
    M, N, LD = dims("M N LD")
    return eq(cosize(Layout((M, N), (LD, 1))), (M - 1) * LD + N)


@theorem(given="LD > N", expect="refuted")
def cosize_of_a_padded_matrix_neighbour() -> Formula:
    """A row-major matrix with a pitch LD needs M*LD elements."""
    M, N, LD = dims("M N LD")
    return eq(cosize(Layout((M, N), (LD, 1))), M * LD)


@theorem(source="cute/layout.hpp, coshape")
def contract_coshape_has_the_cosize() -> tuple[Formula, Formula]:
    """The coshape of a layout whose offsets are numbers is its cosize, mode by mode too."""
    return eq(coshape(CUBE), cosize(CUBE)), eq(coshape(CUBE, 1), cosize(CUBE[1]))


@theorem(given=["M >= 2", "N >= 2"], expect="refuted")
def contract_coshape_neighbour() -> Formula:
    """The coshape of a layout is the sum of the coshapes of its modes."""
    return eq(coshape(MATRIX), coshape(MATRIX, 0) + coshape(MATRIX, 1))


@theorem(given=["LD >= N", *BOX2], source=PAPER)
def padded_matrix_offset_finds_its_coordinate() -> tuple[Formula, Formula]:
    """In a row-major matrix with a pitch LD >= N, (i,j) is (offset // LD, offset % LD)."""
    i, j, M, N, LD = dims("i j M N LD")
    offset = Layout((M, N), (LD, 1))(i, j)
    return eq(offset // LD, i), eq(offset % LD, j)


@theorem(given=["LD >= 1", *BOX2], expect="refuted")
def padded_matrix_offset_neighbour() -> Formula:
    """The same for every pitch."""
    i, j, M, N, LD = dims("i j M N LD")
    return eq(Layout((M, N), (LD, 1))(i, j) // LD, i)
