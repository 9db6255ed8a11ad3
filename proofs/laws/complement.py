"""Laws of complement: the layout of what another leaves out.

What `proofs/notes` show of every complement (disjoint, ordered, covering) is not repeated here;
these laws relate complements to one another and to the whole they complete. A layout has a
complement when, sorted, each stride is a multiple of the extent times the stride before it:
`DIVISIBLE` are all such layouts of one, two and three modes with positive strides, up to order.
"""

from __future__ import annotations

from symcute import (
    Bijective,
    Claim,
    Complement,
    Disjoint,
    Equal,
    Formula,
    InBounds,
    Injective,
    Layout,
    PrintsAs,
    coalesce,
    complement,
    cosize,
    dims,
    eq,
    filter_,
    le,
    make_layout,
    size,
    theorem,
)

DOC = "CuTe documentation, 02_layout_algebra, Complement"
SHAH = "J. Shah, A note on the algebra of CuTe layouts: complement"
PAPER = "C. Cecka, CuTe Layout Representation and Algebra, arXiv:2603.02298: complement"
TRACT = "Categorical Foundations for CuTe Layouts, arXiv:2601.05972: complement of a morphism"

REAL = ["S >= 2", "T >= 2", "U >= 2", "D >= 2", "E >= 2", "F >= 2"]

ONE = Layout.parse("S:D")
TWO = Layout.parse("(S,T):(D,S*D*E)")
THREE = Layout.parse("(S,T,U):(D,S*D*E,S*D*E*T*F)")
DIVISIBLE = (ONE, TWO, THREE)
#: What each of them would occupy if the gap after its last element were kept.
PERIODS = tuple(size(Layout.parse(x)) for x in ("S*D", "S*D*E*T", "S*D*E*T*F*U"))


@theorem(given=REAL, source=SHAH)
def complement_completes_to_a_bijection() -> tuple[Claim, ...]:
    """A with its complement up to a multiple of its period takes every offset below it once."""
    M = dims("M")
    return tuple(
        Bijective(make_layout(a, complement(a, M * p)))
        for a, p in zip(DIVISIBLE, PERIODS, strict=True)
    )


@theorem(given=[*REAL, "M >= 2"], expect="refuted")
def complement_completes_to_a_bijection_neighbour() -> Claim:
    """A with the complement of its cosize, not its period, takes every offset once."""
    D, M = dims("D M")
    return Bijective(make_layout(ONE, Layout((D, M), (1, cosize(ONE)))))


@theorem(given=REAL, source=SHAH)
def complement_size_is_the_quotient() -> tuple[Formula, ...]:
    """size(A) * size(complement(A, M)) is M for M a multiple of the period."""
    M = dims("M")
    return tuple(
        eq(size(a) * size(complement(a, M * p)), M * p)
        for a, p in zip(DIVISIBLE, PERIODS, strict=True)
    )


@theorem(given=REAL, expect="refuted")
def complement_size_is_the_quotient_neighbour() -> Formula:
    """size(A) * size(complement(A, M)) is M for M a multiple of the size of A."""
    M = dims("M")
    return eq(size(ONE) * size(complement(ONE, M * size(ONE))), M * size(ONE))


@theorem(given=REAL, source=TRACT)
def complement_of_the_complement_is_the_layout() -> tuple[Claim, ...]:
    """Up to its period, the complement of the complement of A is A."""
    return tuple(
        Equal(complement(complement(a, p), p), a) for a, p in zip(DIVISIBLE, PERIODS, strict=True)
    )


@theorem(given=[*REAL, "M >= 2"], expect="refuted")
def complement_of_the_complement_neighbour() -> Claim:
    """Up to a multiple of the period the complement of the complement repeats A."""
    S, D, M = dims("S D M")
    whole = S * D * M
    return Equal(complement(complement(ONE, whole), whole), Layout((S, M), (D, S * D)))


@theorem(given=REAL, source=TRACT)
def complement_of_the_complement_sorts() -> Claim:
    """The complement of the complement of A has the modes of A in the order of their strides."""
    unsorted = Layout.parse("(T,S):(S*D*E,D)")
    period = PERIODS[1]
    return Equal(complement(complement(unsorted, period), period), TWO)


@theorem(given=REAL, expect="refuted")
def complement_of_the_complement_sorts_neighbour() -> Claim:
    """The complement of the complement of A is A, also where its strides do not increase."""
    unsorted = Layout.parse("(T,S):(S*D*E,D)")
    period = PERIODS[1]
    return Equal(complement(complement(unsorted, period), period), unsorted)


@theorem(given=REAL, source=DOC)
def complement_does_not_see_order_and_nesting() -> tuple[Claim, ...]:
    """Modes in another order, or nested, have the same complement."""
    M = dims("M")
    others = (
        Layout.parse("(U,T,S):(S*D*E*T*F,S*D*E,D)"),
        Layout.parse("((T,S),U):((S*D*E,D),S*D*E*T*F)"),
        Layout.parse("(S,(U,T)):(D,(S*D*E*T*F,S*D*E))"),
    )
    rest = str(complement(THREE, M))
    return tuple(PrintsAs(complement(x, M), rest) for x in others)


@theorem(given=REAL, source=DOC)
def complement_does_not_see_coalescing() -> Claim:
    """A layout and its coalesced form have the same complement."""
    M = dims("M")
    split = Layout.parse("(S,T,U):(D,S*D,S*T*D*E)")
    return PrintsAs(complement(split, M), str(complement(coalesce(split), M)))


@theorem(given=REAL, source=DOC)
def complement_does_not_see_broadcasts() -> Claim:
    """Modes of stride 0 do not matter to the complement."""
    M = dims("M")
    layout = Layout.parse("(S,4,T):(D,0,S*D*E)")
    return PrintsAs(complement(layout, M), str(complement(filter_(layout), M)))


@theorem(given=REAL, source=PAPER)
def complement_of_a_multiple_goes_on() -> tuple[Claim, ...]:
    """Up to M times the period, the complement is that of one period and M repetitions of it."""
    M = dims("M")
    return tuple(
        Equal(complement(a, M * p), make_layout(complement(a, p), Layout(M, p)))
        for a, p in zip(DIVISIBLE, PERIODS, strict=True)
    )


@theorem(given=[*REAL, "M >= 2"], expect="refuted")
def complement_of_a_multiple_neighbour() -> Claim:
    """The repetitions lie one cosize of A apart."""
    M = dims("M")
    p = PERIODS[0]
    return Equal(complement(ONE, M * p), make_layout(complement(ONE, p), Layout(M, cosize(ONE))))


@theorem(source=DOC)
def complement_of_a_compact_layout_is_a_vector() -> tuple[Claim, ...]:
    """What a compact layout of size n leaves of n*M is M:n, whatever the order of its modes."""
    S, T, M = dims("S T M")
    compact = Layout((S, T)), Layout.parse("(S,T):(T,1)"), Layout.parse("(S,T,U):(U,S*U,1)")
    return tuple(Equal(complement(a, size(a) * M), Layout(M, size(a))) for a in compact)


@theorem(source=DOC)
def complement_of_a_bijection_is_nothing() -> tuple[Claim, ...]:
    """What a compact layout leaves of its own size is the one offset 0."""
    compact = Layout.parse("(S,T):(T,1)"), Layout.parse("((S,T),U):((U,S*U),1)")
    return tuple(Equal(complement(a, size(a)), Layout(1, 0)) for a in compact)


@theorem(given=REAL, expect="refuted")
def complement_of_a_bijection_neighbour() -> Claim:
    """What a padded matrix leaves of its size is the one offset 0."""
    return Equal(complement(TWO, size(TWO) * 2), Layout(1, 0))


@theorem(source=DOC)
def complement_of_one_offset_is_everything() -> tuple[Claim, Claim]:
    """What the offset 0 alone leaves of M is M:1, also when it is taken many times."""
    M = dims("M")
    return (
        Equal(complement(Layout(1, 0), M), Layout(M, 1)),
        Equal(complement(Layout.parse("S:0"), M), Layout(M, 1)),
    )


@theorem(given=["N % n == 0"], source=DOC)
def complement_of_a_row_of_a_matrix() -> Claim:
    """What a tile of n columns leaves of a row-major M x N matrix: tiles to the right, and rows."""
    return Complement(
        complement(Layout.parse("n:1"), size(Layout.parse("M*N"))),
        Layout.parse("n:1"),
        size(Layout.parse("M*N")),
    )


@theorem(given=["M % m == 0", "N % n == 0"], source=PAPER)
def complement_of_a_tile_of_a_matrix() -> tuple[Claim, ...]:
    """What an m x n tile leaves of a row-major M x N matrix; together they are the matrix."""
    M, N = dims("M N")
    tile = Layout.parse("(m,n):(N,1)")
    rest = complement(tile, M * N)
    return Complement(rest, tile, M * N), Bijective(make_layout(tile, rest))


@theorem(given=["m >= 2", "n >= 2", "N > n"], expect="refuted")
def complement_of_a_tile_of_a_matrix_neighbour() -> Claim:
    """The tiles of a row-major matrix begin m*n apart."""
    return Disjoint(Layout.parse("(m,n):(N,1)"), Layout.parse("K:m*n"))


@theorem(given=REAL, source=SHAH)
def complement_is_injective() -> tuple[Claim, ...]:
    """A complement takes no offset twice."""
    M = dims("M")
    return tuple(Injective(complement(a, M * p)) for a, p in zip(DIVISIBLE, PERIODS, strict=True))


@theorem(given=REAL, source=DOC)
def complement_stays_below_the_cotarget() -> tuple[Claim, ...]:
    """Every offset of the complement lies below M, a multiple of the period."""
    M = dims("M")
    return tuple(
        InBounds(complement(a, M * p), M * p) for a, p in zip(DIVISIBLE, PERIODS, strict=True)
    )


@theorem(given=REAL, source=DOC)
def complement_has_the_cosize_of_what_is_left() -> tuple[Formula, ...]:
    """cosize(complement(A, M)) is at most M, and with A it reaches M - 1."""
    M = dims("M")
    rests = [complement(a, M * p) for a, p in zip(DIVISIBLE, PERIODS, strict=True)]
    return tuple(
        eq(cosize(a) + cosize(b) - 1, M * p)
        for a, b, p in zip(DIVISIBLE, rests, PERIODS, strict=True)
    )


@theorem(given=REAL, expect="refuted")
def complement_has_the_cosize_neighbour() -> Formula:
    """cosize(A) * cosize(complement(A, M)) is at most M."""
    M = dims("M")
    p = PERIODS[0]
    return le(cosize(ONE) * cosize(complement(ONE, M * p)), M * p)


@theorem(given=REAL, source=SHAH)
def complement_meets_every_multiple_only_in_0() -> tuple[Claim, Claim]:
    """A and its complement stay disjoint when both are scaled by K."""
    K = dims("K")
    rest = complement(TWO, PERIODS[1])

    def scaled(x: Layout) -> Layout:
        return Layout(x.shape, tuple(K * d for _, d in x.modes()))

    return Disjoint(TWO, rest), Disjoint(scaled(TWO), scaled(rest))


@theorem(given=REAL, expect="refuted")
def complement_meets_only_in_0_neighbour() -> Claim:
    """A and its complement stay disjoint when one of them is scaled."""
    return Disjoint(Layout.parse("S:D"), Layout.parse("D:S"))
