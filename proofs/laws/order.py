"""Laws of the relations between shapes: congruent, compatible, and their weak forms.

"A is compatible with B" says that every coordinate of A is one of B: B refines A. What
`proofs/notes/02_ranks.py` shows of all pairs of small profiles is not repeated; here the order is
followed through the operations that make shapes finer.
"""

from __future__ import annotations

from symcute import (
    Claim,
    Compatible,
    Equal,
    Formula,
    Layout,
    all_of,
    coalesce,
    compatible,
    composition,
    congruent,
    crd2idx,
    dims,
    divides,
    eq,
    flatten,
    group,
    idx2crd,
    logical_divide,
    make_layout,
    size,
    stride,
    theorem,
    weakly_compatible,
    weakly_congruent,
)

TUPLE = "cute/int_tuple.hpp, congruent, compatible, weakly_congruent"
DOC = "CuTe documentation, 01_layout, Shape Compatibility"
PAPER = "C. Cecka, CuTe Layout Representation and Algebra, arXiv:2603.02298: refinement"

REAL = ["M >= 2", "N >= 2", "K >= 2", "L >= 2"]


def says(*answers: bool) -> Formula:
    """Return the formula that the answers are all yes."""
    return all_of(*(eq(int(x), 1) for x in answers))


@theorem(source=DOC)
def contract_compatible_along_a_chain() -> tuple[Claim | Formula, ...]:
    """The size, the rows and columns, and the tiles of a matrix: each refines the one before."""
    M, N, K, L = dims("M N K L")
    chain = M * N * K * L, (M * N, K * L), ((M, N), K * L), ((M, N), (K, L))
    pairs = [(a, b) for k, a in enumerate(chain) for b in chain[k:]]
    return *(Compatible(a, b) for a, b in pairs), says(*(compatible(a, b) for a, b in pairs))


@theorem(given=REAL, expect="refuted")
def contract_compatible_neighbour() -> Claim:
    """Shapes of equal size and rank are compatible."""
    M, N, K = dims("M N K")
    return Compatible((M * N, K), (M, N * K))


@theorem(given=["0 <= i", "i < M*N*K"], source=DOC)
def compatible_shapes_share_indices() -> tuple[Formula, ...]:
    """A coordinate of the coarser shape has one index in both: (M*N,K) and ((M,N),K)."""
    i, M, N, K = dims("i M N K")
    coarse, fine = (M * N, K), ((M, N), K)
    return eq(crd2idx(idx2crd(i, coarse), fine), i), eq(crd2idx(idx2crd(i, fine), fine), i)


@theorem(given=["M % m == 0", "N % n == 0"], source=DOC)
def divide_refines_the_shape() -> Claim:
    """A matrix divided by mode has every coordinate of the matrix."""
    matrix = Layout.parse("(M,N):(D,E)")
    return Compatible(matrix, logical_divide(matrix, dims("m n")))


@theorem(given=["M % m == 0", "m >= 2", "M > m"], expect="refuted")
def divide_refines_the_shape_neighbour() -> Claim:
    """A matrix divided as a whole has every coordinate of the matrix."""
    matrix = Layout.parse("(M,N):(D,E)")
    return Compatible(matrix, logical_divide(matrix, dims("m")))


@theorem(source=PAPER)
def composition_refines_the_right_shape() -> Claim:
    """A o B refines the shape of B: a leaf of B that runs across modes of A is split."""
    a, b = Layout.parse("(M,N,K):(D,E,F)"), Layout.parse("(M*N,K):(1,M*N)")
    return Compatible(b, composition(a, b))


@theorem(given=REAL, expect="refuted")
def composition_refines_the_left_shape_neighbour() -> Claim:
    """A o B refines the shape of A."""
    a, b = Layout.parse("(M,N):(D,E)"), Layout.parse("(N,M):(M,1)")
    return Compatible(a, composition(a, b))


@theorem(source=PAPER)
def compatible_is_kept_by_concatenation() -> Claim:
    """If A is compatible with A' and B with B', then (A, B) is with (A', B')."""
    M, N, K, L = dims("M N K L")
    return Compatible((M * N, K * L), ((M, N), (K, L)))


@theorem(source=PAPER)
def flatten_and_group_are_ends_of_the_order() -> tuple[Claim, ...]:
    """The size is the coarsest shape; grouping modes coarsens a shape."""
    layout = Layout.parse("(M,N,K,L):(D,E,F,G)")
    M, N, K, L = dims("M N K L")
    return (
        Compatible(size(layout), layout),
        Compatible(size(layout), group(layout, 0, 2)),
        Compatible((M * N, K, L), group(layout, 0, 2)),
    )


@theorem(source=PAPER)
def coalesce_coarsens_a_mode() -> Claim:
    """The coalesced tiles of a matrix have a shape with which the tiles are compatible."""
    layout = Layout.parse("((M,N),(K,L)):((D,M*D),(E,K*E))")
    return Compatible(coalesce(layout, (1, 1)), layout)


@theorem(given=REAL, expect="refuted")
def flatten_keeps_compatibility_neighbour() -> Claim:
    """A shape is compatible with its flattened form."""
    layout = Layout.parse("((M,N),(K,L)):((D,E),(F,G))")
    return Compatible(layout, flatten(layout))


@theorem(source=TUPLE)
def contract_congruent_shapes_and_strides() -> Formula:
    """Shape and stride of a layout are congruent, also after grouping, dividing and composing."""
    M, N, K = dims("M N K")
    layout = Layout((M, (N, K)))
    layouts = layout, make_layout(layout, layout), logical_divide(Layout(M * N), N)
    return says(*(congruent(x.shape, stride(x)) for x in layouts))


@theorem(expect="refuted")
def contract_congruent_neighbour() -> Formula:
    """Shapes of the same extents are congruent."""
    M, N, K = dims("M N K")
    return says(congruent((M, (N, K)), ((M, N), K)))


@theorem(source=TUPLE)
def contract_weakly_congruent_profiles_refine() -> Formula:
    """Weak congruence is a partial order: reflexive, transitive, and both ways only if congruent.

    Along the chain n, (n,n), ((n,n),n), ((n,n),(n,n)) of profiles.
    """
    M, N, K, L = dims("M N K L")
    chain = M, (M, N), ((M, N), K), ((M, N), (K, L))
    finer = [weakly_congruent(a, b) for k, a in enumerate(chain) for b in chain[k:]]
    coarser = [weakly_congruent(b, a) for k, a in enumerate(chain) for b in chain[k + 1 :]]
    return says(*finer, *(not x for x in coarser))


@theorem(expect="refuted")
def contract_weakly_congruent_neighbour() -> Formula:
    """Of two shapes of rank 2 one is weakly congruent to the other."""
    M, N, K = dims("M N K")
    a, b = (M, (N, K)), ((M, N), K)
    return says(weakly_congruent(a, b) or weakly_congruent(b, a))


@theorem(source="cute/int_tuple.hpp of CUTLASS 3.5, weakly_compatible")
def contract_weakly_compatible_divides() -> tuple[Formula, ...]:
    """(M,4) is weakly compatible with (M*N,(2,2*K)): each size is a multiple."""
    M, N, K = dims("M N K")
    a, b = (M, 4), (M * N, (2, 2 * K))
    return says(weakly_compatible(a, b)), divides(M, M * N), divides(size(a), size(b))


@theorem(expect="refuted")
def contract_weakly_compatible_neighbour() -> Formula:
    """Where the size of (M,4) divides that of a shape, it is weakly compatible with it."""
    M, N = dims("M N")
    return all_of(divides(4 * M, 4 * M * N), divides(4, N))


@theorem(source=PAPER)
def refining_twice_is_refining() -> tuple[Claim, ...]:
    """A tile of a tile refines the matrix: (M*N*K) to (M,N*K) to (M,(N,K)), each of the others."""
    M, N, K = dims("M N K")
    first, second, third = M * N * K, (M, N * K), (M, (N, K))
    return Compatible(first, second), Compatible(second, third), Compatible(first, third)


@theorem(source=PAPER)
def equal_maps_have_equal_sizes() -> tuple[Claim, Formula]:
    """A layout and its coalesced form are one map, of one size, though of different shapes."""
    layout = Layout.parse("((M,N),K):((D,M*D),E)")
    return Equal(coalesce(layout), layout), eq(size(coalesce(layout)), size(layout))
