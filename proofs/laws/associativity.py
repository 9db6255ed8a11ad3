"""Composition with itself and with concatenation: associative, distributive, blind to nesting.

Extents S, T, U, V and strides D, E, F, G of the layout on the left are arbitrary. That
`(A o B) o C` and `A o (B o C)` are one map is no surprise; that the algebra finds a layout for
both, and the same one, is what is proved.
"""

from __future__ import annotations

from symcute import (
    Claim,
    Composition,
    Equal,
    Layout,
    coalesce,
    composition,
    flatten,
    make_layout,
    theorem,
)

DOC = "CuTe documentation, 02_layout_algebra, Composition"
SHAH = "J. Shah, A note on the algebra of CuTe layouts: composition"
PAPER = "C. Cecka, CuTe Layout Representation and Algebra, arXiv:2603.02298: composition"

REAL = ["S >= 2", "T >= 2", "U >= 2"]

VECTOR = Layout.parse("S:D")
MATRIX = Layout.parse("(S,T):(D,E)")
CUBE = Layout.parse("(S,T,U):(D,E,F)")
FOUR = Layout.parse("(S,T,U,V):(D,E,F,G)")
#: A matrix whose extents have three factors each, to be cut on two levels.
CUT = Layout.parse("(S*P*Q,T*R*K):(D,E)")


@theorem(source=SHAH)
def composition_is_associative_rank_1() -> Claim:
    """(A o B) o C == A o (B o C) for vectors, whatever their strides."""
    a, b, c = Layout.parse("S:D"), Layout.parse("T:E"), Layout.parse("U:F")
    return Equal(composition(composition(a, b), c), composition(a, composition(b, c)))


@theorem(source=SHAH)
def composition_is_associative_rank_2() -> Claim:
    """(A o B) o C == A o (B o C): a matrix A, a tile B of it, and a sub-tile C of B.

    A is (SPQ,TRK):(D,E); B takes every P-th of its rows, with S*Q of them, and every column; C is a
    transposed read of B.
    """
    b = Layout.parse("(S*Q,T*R*K):(P,S*P*Q)")
    c = Layout.parse("(T*R*K,S*Q):(S*Q,1)")
    return Equal(composition(composition(CUT, b), c), composition(CUT, composition(b, c)))


@theorem(source=SHAH)
def composition_is_associative_on_two_levels_of_tiles() -> Claim:
    """(A o B) o C == A o (B o C): B a tile of the matrix A, C a tile of that tile."""
    b = Layout.parse("(S*P,T*R):(1,S*P*Q)")
    c = Layout.parse("(S,T):(1,S*P)")
    return Equal(composition(composition(CUT, b), c), composition(CUT, composition(b, c)))


@theorem(source=SHAH)
def composition_is_associative_rank_3() -> Claim:
    """(A o B) o C == A o (B o C): a batch A, its transposes B, one row of each C."""
    b = Layout.parse("(T,S,U):(S,1,S*T)")
    c = Layout.parse("(T,U):(1,S*T)")
    return Equal(composition(composition(CUBE, b), c), composition(CUBE, composition(b, c)))


@theorem(source=SHAH)
def composition_is_associative_rank_4() -> Claim:
    """(A o B) o C == A o (B o C): NCHW to NHWC by B, and the channels of one pixel by C."""
    b = Layout.parse("(U,S,T,V):(S*T,1,S,S*T*U)")
    c = Layout.parse("(U,V):(1,S*T*U)")
    return Equal(composition(composition(FOUR, b), c), composition(FOUR, composition(b, c)))


@theorem(given="S >= 2", expect="refuted")
def composition_is_commutative_neighbour() -> Claim:
    """A o B == B o A: a cube with its first two modes exchanged, and with its last two."""
    first, last = Layout.parse("(S,S,S):(S,1,S*S)"), Layout.parse("(S,S,S):(1,S*S,S)")
    return Equal(composition(first, last), composition(last, first))


@theorem(source=DOC)
def composition_distributes_over_concatenation() -> Claim:
    """A o (B, C) == (A o B, A o C): rows and columns of a matrix, taken apart and together."""
    b, c = Layout.parse("S:1"), Layout.parse("T:S")
    return Equal(
        composition(MATRIX, make_layout(b, c)),
        make_layout(composition(MATRIX, b), composition(MATRIX, c)),
    )


@theorem(source=DOC)
def composition_distributes_over_three_modes() -> Claim:
    """A o (B, C, D) == (A o B, A o C, A o D): a batch read with its modes in another order."""
    parts = [Layout.parse(x) for x in ("U:S*T", "S:1", "T:S")]
    whole = composition(CUBE, make_layout(*parts))
    return Equal(whole, make_layout(*(composition(CUBE, x) for x in parts)))


@theorem(source=DOC)
def composition_distributes_over_tiles() -> Claim:
    """A o (B, C) == (A o B, A o C): a tile of a matrix, and the tiles next to it."""
    b, c = Layout.parse("(S,T):(1,S*P*Q)"), Layout.parse("(P*Q,R*K):(S,S*P*Q*T)")
    return Equal(
        composition(CUT, make_layout(b, c)), make_layout(composition(CUT, b), composition(CUT, c))
    )


@theorem(source=DOC)
def composition_of_a_vector_distributes() -> Claim:
    """A vector distributes over every concatenation: nothing can carry."""
    b, c = Layout.parse("(S,T):(E,F)"), Layout.parse("U:G")
    return Equal(
        composition(VECTOR, make_layout(b, c)),
        make_layout(composition(VECTOR, b), composition(VECTOR, c)),
    )


@theorem(given=["S >= 2", "E > S*D"], expect="refuted")
def composition_distributes_where_digits_carry_neighbour() -> Claim:
    """A o (B, C) == (A o B, A o C) also where the offsets of B and C together leave a column.

    B and C both take the S rows of a column; their sums run into the next column.
    """
    column = Layout.parse("S:1")
    apart = make_layout(composition(MATRIX, column), composition(MATRIX, column))
    return Composition(apart, MATRIX, make_layout(column, column))


@theorem(given=REAL, expect="refuted")
def composition_distributes_on_the_left_neighbour() -> Claim:
    """(A, B) o C == (A o C, B o C)."""
    a, b, c = Layout.parse("S:D"), Layout.parse("T:E"), Layout.parse("S:1")
    return Equal(
        composition(make_layout(a, b), c), make_layout(composition(a, c), composition(b, c))
    )


@theorem(source=PAPER)
def composition_ignores_how_the_left_is_nested() -> tuple[Claim, Claim]:
    """Flattening or coalescing A changes nothing about A o B."""
    a = Layout.parse("((S,T),U):((D,S*D),E)")
    b = Layout.parse("(U,S*T):(S*T,1)")
    return (
        Equal(composition(flatten(a), b), composition(a, b)),
        Equal(composition(coalesce(a), b), composition(a, b)),
    )


@theorem(source=PAPER)
def composition_ignores_how_the_right_is_nested() -> Claim:
    """Flattening B changes nothing about A o B."""
    b = Layout.parse("((T,U),S):((S,S*T),1)")
    return Equal(composition(CUBE, flatten(b)), composition(CUBE, b))
