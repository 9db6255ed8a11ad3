"""Laws of the inverses: R with A(R(i)) = i, and I with I(A(i)) = i; bijections are a group.

Layouts that take every offset below their size once ("compact") form a group under composition;
the theorems show its laws for reorderings of two, three and four modes. Padded layouts have a left
inverse only, which is one on every offset they take.
"""

from __future__ import annotations

from symcute import (
    Bijective,
    Claim,
    Composition,
    Equal,
    Formula,
    InBounds,
    Layout,
    LeftInverse,
    PrintsAs,
    RightInverse,
    coalesce,
    composition,
    dims,
    eq,
    le,
    left_inverse,
    logical_product,
    make_layout,
    right_inverse,
    size,
    theorem,
)

HEADER = "cute/layout.hpp, right_inverse and left_inverse"
PAPER = "C. Cecka, CuTe Layout Representation and Algebra, arXiv:2603.02298: inverses"
SHAH = "J. Shah, A note on the algebra of CuTe layouts: permutations expressible as layouts"

REAL = ["S >= 2", "T >= 2", "U >= 2"]

ROWS = Layout.parse("(S,T):(T,1)")
#: Every order of three modes but the first, which is the identity.
ORDERS = tuple(
    Layout.parse(x)
    for x in (
        "(S,T,U):(1,S*U,S)",
        "(S,T,U):(T,1,S*T)",
        "(S,T,U):(T*U,1,T)",
        "(S,T,U):(U,S*U,1)",
        "(S,T,U):(T*U,U,1)",
    )
)
FOUR = Layout.parse("(S,T,U,V):(V,S*V*U,S*V,1)")


@theorem(source=HEADER)
def right_inverse_of_three_modes() -> tuple[Claim, ...]:
    """In every order of three modes, A(right_inverse(A)(i)) is i for all i below the size of A."""
    return tuple(RightInverse(right_inverse(a), a) for a in ORDERS)


@theorem(source=HEADER)
def left_inverse_of_three_modes() -> tuple[Claim, ...]:
    """In every order of three modes, left_inverse(A)(A(i)) is i for all i below the size of A."""
    return tuple(LeftInverse(left_inverse(a), a) for a in ORDERS)


@theorem(source=HEADER)
def inverses_of_four_modes() -> tuple[Claim, Claim]:
    """Four modes, the last fastest, then the first, third, second: inverses on both sides."""
    return RightInverse(right_inverse(FOUR), FOUR), LeftInverse(left_inverse(FOUR), FOUR)


@theorem(source=PAPER)
def inverses_of_a_bijection_agree() -> tuple[Claim, ...]:
    """The right and the left inverse of a compact layout print the same."""
    return tuple(PrintsAs(right_inverse(a), str(left_inverse(a))) for a in (ROWS, *ORDERS, FOUR))


@theorem(given=[*REAL, "D >= 1"], expect="refuted")
def inverses_agree_neighbour() -> Claim:
    """The right inverse of a padded matrix is a left inverse of it."""
    padded = Layout.parse("(S,T):(T+D,1)")
    return LeftInverse(right_inverse(padded), padded)


@theorem(source=PAPER)
def inverse_of_the_inverse() -> tuple[Claim, ...]:
    """The inverse of the inverse of a compact layout is that layout."""
    return tuple(Equal(right_inverse(right_inverse(a)), a) for a in (ROWS, *ORDERS, FOUR))


@theorem(given=[*REAL], expect="refuted")
def inverse_of_the_inverse_neighbour() -> Claim:
    """The inverse of a row-major matrix is that matrix: transposing is its own inverse."""
    return Equal(right_inverse(ROWS), ROWS)


@theorem(source=PAPER)
def inverse_composed_on_the_right_is_the_identity() -> tuple[Claim, ...]:
    """A o right_inverse(A) is n:1, with n the size of the inverse."""
    return tuple(
        Equal(composition(a, right_inverse(a)), Layout(size(a), 1)) for a in (ROWS, *ORDERS, FOUR)
    )


@theorem(source=PAPER)
def inverse_composed_on_the_left_is_the_identity() -> tuple[Claim, ...]:
    """left_inverse(A) o A is n:1, with n the size of A."""
    return tuple(
        Equal(composition(left_inverse(a), a), Layout(size(a), 1)) for a in (ROWS, *ORDERS, FOUR)
    )


@theorem(source=SHAH)
def inverse_of_a_composition() -> Claim:
    """The inverse of A o B is the inverse of B after that of A."""
    a, b = Layout.parse("(S,T,U):(T*U,U,1)"), Layout.parse("(T,S,U):(S,1,S*T)")
    both = composition(a, b)
    return Equal(right_inverse(both), composition(right_inverse(b), right_inverse(a)))


@theorem(given="S >= 2", expect="refuted")
def inverse_of_a_composition_neighbour() -> Claim:
    """The inverse of A o B is the inverse of A after that of B: two exchanges in a cube."""
    a, b = Layout.parse("(S,S,S):(S,1,S*S)"), Layout.parse("(S,S,S):(1,S*S,S)")
    both = composition(a, b)
    return Equal(right_inverse(both), composition(right_inverse(a), right_inverse(b)))


@theorem(source=SHAH)
def bijections_are_closed_under_composition() -> tuple[Claim, ...]:
    """A compact layout after another of the same size is compact: three reorderings of a batch."""
    there = Layout.parse("(T,S,U):(S,1,S*T)")
    return tuple(Bijective(composition(a, there)) for a in ORDERS)


@theorem(source=SHAH)
def bijections_are_closed_under_inverses() -> tuple[Claim, ...]:
    """The inverse of a compact layout is compact."""
    return tuple(Bijective(right_inverse(a)) for a in (ROWS, *ORDERS, FOUR))


@theorem(source=PAPER)
def left_inverse_of_a_padded_matrix_is_a_bijection() -> Claim:
    """The left inverse of a padded matrix is compact: it has indices for the padding too."""
    return Bijective(left_inverse(Layout.parse("(S,T):(T+D,1)")))


@theorem(given=REAL, expect="refuted")
def left_inverse_of_a_padded_matrix_neighbour() -> Formula:
    """The left inverse of a padded matrix has the size of the matrix."""
    padded = Layout.parse("(S,T):(T+D,1)")
    return eq(size(left_inverse(padded)), size(padded))


@theorem(source=SHAH)
def bijections_cancel_on_the_left() -> Claim:
    """What A o B leaves of B when A is undone is B."""
    a, b = Layout.parse("(S,T):(T,1)"), Layout.parse("(T,S):(S,1)")
    return Equal(composition(left_inverse(a), composition(a, b)), b)


@theorem(source=SHAH)
def bijections_solve_an_equation() -> Claim:
    """X o A == B has the solution B o right_inverse(A), for A row-major and B padded."""
    b = Layout.parse("(S,T):(1,S+D)")
    return Composition(b, composition(b, right_inverse(ROWS)), ROWS)


@theorem(given="S >= 2", expect="refuted")
def bijections_solve_an_equation_neighbour() -> Claim:
    """X o A == B has the solution B o A, for A a rotation of the modes of a cube, B padded."""
    a, b = Layout.parse("(S,S,S):(S,S*S,1)"), Layout.parse("(S,S,S):(1,S,S*S+D)")
    return Composition(b, composition(b, a), a)


@theorem(source=HEADER)
def right_inverse_finds_the_first_run() -> tuple[Claim, Formula]:
    """Of a padded matrix the right inverse is its first row: T elements, S indices apart."""
    S, T, D = dims("S T D")
    padded = Layout((S, T), (T + D, 1))
    return Equal(right_inverse(padded), Layout(T, S)), eq(size(right_inverse(padded)), T)


@theorem(source=HEADER)
def right_inverse_stays_inside() -> tuple[Claim, ...]:
    """The right inverse gives indices below the size, of a padded matrix and of a cut batch."""
    layouts = (Layout.parse("(S,T):(T+D,1)"), Layout.parse("(S,T,U):(1,S,S*T+D)"))
    return tuple(InBounds(right_inverse(a), size(a)) for a in layouts)


@theorem(source=HEADER)
def right_inverse_is_no_longer_than_the_layout() -> tuple[Formula, ...]:
    """The right inverse has at most as many elements as the layout."""
    layouts = (Layout.parse("(S,T):(T+D,1)"), Layout.parse("(S,T,U):(1,S,S*T+D)"), ROWS)
    return tuple(le(size(right_inverse(a)), size(a)) for a in layouts)


@theorem(source=HEADER)
def right_inverse_without_a_unit_stride_is_a_point() -> Claim:
    """Without a mode of stride 1 only the offset 0 can be undone."""
    return Equal(right_inverse(Layout.parse("(S,T):(2*D,2*E)")), Layout(1, 0))


@theorem(source=PAPER)
def right_inverse_does_not_see_coalescing() -> Claim:
    """A tiled layout and its coalesced form have the same right inverse."""
    tiled = Layout.parse("((S,U),T):((T,T*S),1)")
    return Equal(right_inverse(tiled), right_inverse(coalesce(tiled)))


@theorem(given="LD >= T", source=PAPER)
def left_inverse_of_a_padded_batch() -> Claim:
    """Of a padded batch whose pitch is a multiple of LD the left inverse finds every index."""
    padded = Layout.parse("(S,T,U):(LD,1,K*S*LD)")
    return LeftInverse(left_inverse(padded, given="LD >= T"), padded)


@theorem(given=["LD >= T", "S >= 2", "LD > T"], expect="refuted")
def left_inverse_of_a_padded_batch_neighbour() -> Claim:
    """The left inverse of a padded matrix undoes the matrix without the padding."""
    inverse = left_inverse(Layout.parse("(S,T):(LD,1)"), given="LD >= T")
    return LeftInverse(inverse, ROWS)


@theorem(given="LD >= T", source=PAPER)
def left_inverse_restores_every_offset() -> Claim:
    """A(I(x)) is x for every offset x that A takes: of a padded matrix A, I its left inverse."""
    padded = Layout.parse("(S,T):(LD,1)")
    inverse = left_inverse(padded, given="LD >= T")
    return Composition(padded, padded, composition(inverse, padded))


@theorem(source=PAPER)
def left_inverse_passes_over_a_broadcast() -> Claim:
    """A(I(A(i))) is A(i) for a broadcast row-major matrix A: the index itself is lost."""
    broadcast = Layout.parse("(S,U,T):(T,0,1)")
    inverse = left_inverse(broadcast)
    return Composition(broadcast, broadcast, composition(inverse, broadcast))


@theorem(given=REAL, expect="refuted")
def left_inverse_passes_over_a_broadcast_neighbour() -> Claim:
    """I(A(i)) is i for a broadcast row-major matrix A."""
    broadcast = Layout.parse("(S,U,T):(T,0,1)")
    return LeftInverse(left_inverse(broadcast), broadcast)


@theorem(source=PAPER)
def inverse_of_a_product() -> Claim:
    """A row-major block repeated K times is undone by (T,S,K):(S,1,S*T)."""
    repeated = logical_product(ROWS, Layout.parse("K:1"))
    return Equal(right_inverse(repeated), Layout.parse("(T,S,K):(S,1,S*T)"))


@theorem(source=PAPER)
def inverse_of_tiles_is_untiling() -> tuple[Claim, Claim]:
    """The inverse of a matrix of row-major tiles takes a storage index to its place in the matrix.

    The S*P x T*Q matrix, column-major as an index, is stored tile by tile, S x T row-major each.
    """
    tiles = Layout.parse("((S,P),(T,Q)):((T,S*T),(1,S*T*P))")
    place = right_inverse(tiles)
    return RightInverse(place, tiles), LeftInverse(place, tiles)


@theorem(given=[*REAL, "P >= 2"], expect="refuted")
def inverse_of_tiles_neighbour() -> Claim:
    """A matrix of row-major tiles is undone as a row-major matrix is."""
    tiles = Layout.parse("((S,P),(T,Q)):((T,S*T),(1,S*T*P))")
    return RightInverse(Layout.parse("(T*Q,S*P):(S*P,1)"), tiles)


@theorem(source=SHAH)
def inverse_of_a_concatenation_of_levels() -> Claim:
    """Two compact levels, one on top of the other, are undone level by level.

    (A, B scaled by size(A)) is undone by (inverse of A, inverse of B scaled by size(A)).
    """
    S, T = dims("S T")
    low, high = Layout.parse("(S,T):(T,1)"), Layout.parse("(U,V):(V,1)")
    scale = Layout(size(high), S * T)
    levels = make_layout(low, composition(scale, high))
    undone = make_layout(right_inverse(low), composition(scale, right_inverse(high)))
    return LeftInverse(undone, levels)
