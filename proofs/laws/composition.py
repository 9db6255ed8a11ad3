"""Laws of composition: A o B is the map A(B(i)), as a layout.

The extents S, T, U, V and strides D, E, F, G of the layout on the left are arbitrary, and so are
those of the right one as far as its strides divide: that is what CuTe asks of a composition. Each
theorem builds the compositions by the algebra, which refuses what is not admissible, and compares
the maps.
"""

from __future__ import annotations

from symcute import (
    Bijective,
    Claim,
    Compatible,
    Composition,
    Equal,
    Formula,
    InBounds,
    Injective,
    Layout,
    PrintsAs,
    composition,
    cosize,
    dims,
    eq,
    le,
    logical_divide,
    make_layout,
    rank,
    select,
    size,
    theorem,
)

DOC = "CuTe documentation, 02_layout_algebra, Composition"
BY_MODE = "CuTe documentation, 02_layout_algebra, By-mode composition"
SHAH = "J. Shah, A note on the algebra of CuTe layouts: composition"
PAPER = "C. Cecka, CuTe Layout Representation and Algebra, arXiv:2603.02298: composition"
TRACT = "Categorical Foundations for CuTe Layouts, arXiv:2601.05972: composition of morphisms"

REAL = ["S >= 2", "T >= 2", "U >= 2"]

VECTOR = Layout.parse("S:D")
MATRIX = Layout.parse("(S,T):(D,E)")
CUBE = Layout.parse("(S,T,U):(D,E,F)")
FOUR = Layout.parse("(S,T,U,V):(D,E,F,G)")


def identity(layout: Layout) -> Layout:
    """Return the identity on the indices of a layout."""
    return Layout(layout.size(), 1)


@theorem(source=SHAH)
def composition_with_the_identity_on_the_right() -> tuple[Claim, ...]:
    """A o n:1, with n the size of A, is A: layouts of rank 1 to 4."""
    return tuple(Equal(composition(a, identity(a)), a) for a in (VECTOR, MATRIX, CUBE, FOUR))


@theorem(source=SHAH)
def composition_with_the_identity_on_the_left() -> tuple[Claim, ...]:
    """n:1 o A prints as A, for layouts of rank 1 to 4."""
    one = Layout.parse("N:1")
    return tuple(PrintsAs(composition(one, a), str(a)) for a in (VECTOR, MATRIX, CUBE, FOUR))


@theorem(given=REAL, expect="refuted")
def composition_with_the_identity_neighbour() -> Claim:
    """A o n:1 is A for the size n of the first mode of A."""
    S = dims("S")
    return Equal(composition(MATRIX, Layout(S, 1)), MATRIX)


@theorem(source=DOC)
def composition_of_vectors_multiplies_strides() -> str:
    """s:a o t:b is t:(a*b)."""
    return "is_composition(T:(D*E), S:D, T:E)"


@theorem(expect="refuted")
def composition_of_vectors_neighbour() -> str:
    """s:a o t:b is t:(a+b)."""
    return "is_composition(T:(D+E), S:D, T:E)"


@theorem(source=PAPER)
def composition_with_a_scale_multiplies_every_stride() -> tuple[Claim, ...]:
    """n:k o B is B with every stride times k, for B of rank 2, 3, 4."""
    scale = Layout.parse("N:K")
    return (
        Composition(Layout.parse("(S,T):(K*D,K*E)"), scale, MATRIX),
        Composition(Layout.parse("(S,T,U):(K*D,K*E,K*F)"), scale, CUBE),
        Composition(Layout.parse("(S,T,U,V):(K*D,K*E,K*F,K*G)"), scale, FOUR),
    )


@theorem(given="S % r == 0", source=DOC)
def composition_takes_every_rth_row() -> Claim:
    """Where r divides S, every r-th row of an S x T matrix, all columns, has row stride r*D."""
    S, T, D, E, r = dims("S T D E r")
    rows = Layout(S * T / r, r)
    return Composition(Layout((S / r, T), (r * D, E)), MATRIX, rows)


@theorem(given=["S >= r + 1", "T >= 2", "r >= 2"], expect="refuted")
def composition_takes_every_rth_row_neighbour() -> Claim:
    """The first T indices r apart are a row of stride r*D, whether or not r*T stays below S."""
    T, D, r = dims("T D r")
    return Composition(Layout(T, r * D), MATRIX, Layout(T, r))


@theorem(given="S % n == 0", source=DOC)
def composition_takes_the_first_rows() -> Claim:
    """Where n divides S, the first n indices of a matrix are the first n rows of column 0."""
    n, D = dims("n D")
    return Composition(Layout(n, D), MATRIX, Layout(n, 1))


@theorem(source=DOC)
def composition_takes_a_row() -> Claim:
    """T indices S apart are the first row of an S x T matrix."""
    S, T, E = dims("S T E")
    return Composition(Layout(T, E), MATRIX, Layout(T, S))


@theorem(source=DOC)
def composition_leaves_the_last_mode_open() -> Claim:
    """Beyond its size a layout goes on along its last mode: (S,T):(D,E) o (S,K):(1,S) for any K."""
    return Composition(Layout.parse("(S,K):(D,E)"), MATRIX, Layout.parse("(S,K):(1,S)"))


@theorem(source=DOC)
def composition_has_the_shape_of_the_right() -> tuple[Claim, ...]:
    """The shape of B is compatible with A o B: a coordinate of B is one of A o B."""
    b = Layout.parse("(S*T,U):(1,S*T)")
    c = Layout.parse("(U,(S*T)):(S*T,(1))")
    return Compatible(b, composition(CUBE, b)), Compatible(c, composition(CUBE, c))


@theorem(source=DOC)
def composition_has_the_size_of_the_right() -> Formula:
    """A o B has the size of B, not of A."""
    b = Layout.parse("(T,S):(S,1)")
    return eq(size(composition(CUBE, b)), size(b))


@theorem(given=REAL, expect="refuted")
def composition_has_the_size_of_the_left_neighbour() -> Formula:
    """A o B has the size of A."""
    return eq(size(composition(CUBE, Layout.parse("(T,S):(S,1)"))), size(CUBE))


@theorem(source=SHAH)
def composition_stays_below_the_cosize() -> tuple[Claim, Formula]:
    """A o B stays below the cosize of A where B stays below the size of A."""
    b = Layout.parse("(T,S):(S,1)")
    both = composition(CUBE, b)
    return InBounds(both, cosize(CUBE)), le(cosize(both), cosize(CUBE))


@theorem(given=REAL, expect="refuted")
def composition_stays_below_the_cosize_neighbour() -> Claim:
    """A o B stays below the cosize of A also where B is one row longer."""
    longer = composition(MATRIX, Layout.parse("(S,T+1):(1,S)"))
    return InBounds(longer, cosize(MATRIX))


@theorem(source=TRACT)
def composition_of_injective_layouts_is_injective() -> tuple[Claim, ...]:
    """A padded matrix after a transposition is injective, as both are."""
    a, b = Layout.parse("(S,T):(1,S+D)"), Layout.parse("(T,S):(S,1)")
    return Injective(a), Injective(b), Injective(composition(a, b))


@theorem(given=REAL, expect="refuted")
def composition_of_injective_layouts_neighbour() -> Claim:
    """An injective layout after a broadcast is injective."""
    return Injective(composition(Layout.parse("(S,T):(1,S+D)"), Layout.parse("(S,T):(1,0)")))


@theorem(source=TRACT)
def composition_of_bijective_layouts_is_bijective() -> tuple[Claim, ...]:
    """Two reorderings of a batch, one after the other, still take every offset once."""
    a, b = Layout.parse("(S,T,U):(T*U,U,1)"), Layout.parse("(U,S,T):(S*T,1,S)")
    return Bijective(a), Bijective(b), Bijective(composition(a, b))


@theorem(source=PAPER)
def transposing_twice_changes_nothing() -> Claim:
    """The index map of a transpose, and then that of the transpose back, are the identity."""
    there, back = Layout.parse("(T,S):(S,1)"), Layout.parse("(S,T):(T,1)")
    return Equal(composition(there, back), Layout.parse("S*T:1"))


@theorem(given=["S > T"], expect="refuted")
def transposing_twice_neighbour() -> Claim:
    """The same transposition twice is the identity, also where the matrix is not square."""
    there = Layout.parse("(T,S):(S,1)")
    return Composition(Layout.parse("S*T:1"), there, there)


@theorem(source=PAPER)
def composition_transposes_as_select_does() -> Claim:
    """A matrix after the index map of the transpose is the matrix with its modes exchanged."""
    return Equal(composition(MATRIX, Layout.parse("(T,S):(S,1)")), select(MATRIX, 1, 0))


@theorem(given=["S % s == 0", "T % t == 0"], source=BY_MODE)
def composition_by_mode_is_the_modes_composed() -> Claim:
    """A o <s,t> is (A[0] o s, A[1] o t)."""
    s, t = dims("s t")
    apart = make_layout(composition(MATRIX[0], Layout(s, 1)), composition(MATRIX[1], Layout(t, 1)))
    return PrintsAs(composition(MATRIX, (s, t)), str(apart))


@theorem(given=["S % s == 0", "T % t == 0"], source=BY_MODE)
def composition_by_mode_is_the_tile_of_a_divide() -> tuple[Claim, ...]:
    """A o <s,t> is the tiles, without the rests, of logical_divide by <s,t>."""
    s, t = dims("s t")
    tile, divided = composition(MATRIX, (s, t)), logical_divide(MATRIX, (s, t))
    return tuple(Equal(tile[k], divided[k][0]) for k in range(2))


@theorem(given=["S % s == 0", "T % t == 0"], source=BY_MODE)
def composition_by_mode_is_one_composition() -> Claim:
    """A o <s,t> is A after the layout (s,t):(1,S): tilers are layouts in disguise."""
    S, s, t = dims("S s t")
    return Composition(composition(MATRIX, (s, t)), MATRIX, Layout((s, t), (1, S)))


@theorem(given=["S % s == 0", "T % t == 0", "s < S", "t >= 2", "E > D"], expect="refuted")
def composition_by_mode_neighbour() -> Claim:
    """A o <s,t> takes the first s*t indices of A."""
    s, t = dims("s t")
    return Composition(composition(MATRIX, (s, t)), MATRIX, Layout(s * t, 1))


@theorem(given="T % t == 0", source=BY_MODE)
def composition_by_mode_with_a_gap_keeps_a_mode() -> tuple[Claim | Formula, ...]:
    """A o <_,t> keeps mode 0 as it is; the modes beyond the tiler are dropped."""
    t = dims("t")
    kept = composition(CUBE, (None, t))
    return Equal(kept[0], CUBE[0]), Equal(kept[1], Layout.parse("t:E")), eq(rank(kept), 2)


@theorem(source=DOC)
def composition_with_a_broadcast_is_a_broadcast() -> Claim:
    """A o n:0 is n:0, and a mode of stride 0 in B stays one."""
    b = Layout.parse("(S,K):(1,0)")
    return Equal(composition(MATRIX, b), Layout.parse("(S,K):(D,0)"))
