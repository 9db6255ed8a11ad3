"""Claims in circulation, 29 to 32: complement."""

from __future__ import annotations

from itertools import pairwise

from symcute import (
    Bijective,
    Claim,
    Disjoint,
    Formula,
    Layout,
    PrintsAs,
    ceil_div,
    complement,
    cosize,
    dims,
    eq,
    le,
    lt,
    make_layout,
    theorem,
)

#: In a layout of symbolic extents the extents that matter are at least 2: CuTe drops the others.
REAL_EXTENTS = ["S >= 2", "T >= 2", "U >= 2"]


@theorem(source="claims in circulation, 29")
def note_29_complement() -> tuple[Claim | Formula, ...]:
    """`complement((2,4,8):(8,1,64), 460)` prints as `(2,4):(4,16)`.

    The layout has cosize 460, the complement cosize 53, the two together cosize 512.
    """
    layout = Layout.parse("(2,4,8):(8,1,64)")
    rest = complement(layout, 460)
    return (
        PrintsAs(rest, "(2,4):(4,16)"),
        eq(cosize(layout), 460),
        eq(cosize(rest), 53),
        eq(cosize(make_layout(layout, rest)), 512),
    )


@theorem(source="claims in circulation, 30")
def note_30_complements() -> tuple[Claim, ...]:
    """`complement(4:1,24)` is `6:4`; three more complements up to 24.

    `complement(6:4,24)` is `4:1`; `complement((4,6):(1,4),24)` is `1:0`; `complement(4:2,24)` is
    `(2,3):(1,8)`.
    """
    return (
        PrintsAs(complement(Layout.parse("4:1"), 24), "6:4"),
        PrintsAs(complement(Layout.parse("6:4"), 24), "4:1"),
        PrintsAs(complement(Layout.parse("(4,6):(1,4)"), 24), "1:0"),
        PrintsAs(complement(Layout.parse("4:2"), 24), "(2,3):(1,8)"),
    )


def layouts() -> tuple[Layout, ...]:
    """Return every layout that has a complement, of up to three modes, in some order of the modes.

    A layout with positive strides has a complement exactly when, sorted, each stride is a multiple
    of the extent times the stride before it.
    """
    S, T, U, D, E, F = dims("S T U D E F")
    second = S * D * E
    third = T * second * F
    return (
        Layout(S, D),
        Layout((S, T), (D, second)),
        Layout((T, S), (second, D)),
        Layout((S, (T, U)), (D, (second, third))),
        Layout((U, S, T), (third, D, second)),
    )


@theorem(given=REAL_EXTENTS, source="claims in circulation, 31")
def note_31a_images_meet_in_0() -> tuple[Claim, ...]:
    """For `B = complement(A, M)`, the images of A and B meet only in 0.

    For every M >= 1. Claim 31 speaks of every A; what is proved in 31a to 31d are all layouts of
    one and of two modes with positive strides that have a complement, and those of three modes in
    two orders; more modes, negative strides and stride 0 are not covered.
    """
    M = dims("M")
    return tuple(Disjoint(a, complement(a, M)) for a in layouts())


@theorem(given=REAL_EXTENTS, source="claims in circulation, 31")
def note_31b_strides_increase() -> tuple[Formula, ...]:
    """For `B = complement(A, M)`, B's strides increase strictly.

    For the layouts of 31a and every M >= 1.
    """
    M = dims("M")
    return tuple(
        lt(d, e) for a in layouts() for (_, d), (_, e) in pairwise(complement(a, M).modes())
    )


@theorem(given=REAL_EXTENTS, source="claims in circulation, 31")
def note_31c_sizes_cover() -> tuple[Formula, ...]:
    """For `B = complement(A, M)`, `size(B) >= M / size(A)`.

    For the layouts of 31a and every M >= 1; as `size(A) * size(B) >= M`, without a division.
    """
    M = dims("M")
    return tuple(le(M, a.size() * complement(a, M).size()) for a in layouts())


@theorem(given=REAL_EXTENTS, expect="refuted", source="claims in circulation, 31")
def note_31d_cosize_rounded_up() -> tuple[Formula, ...]:
    """For `B = complement(A, M)`, `cosize(B) <= ceil(M / cosize(A)) * cosize(A)`.

    For the layouts of 31a and every M >= 1. It fails for layouts of one mode already.
    """
    M = dims("M")
    return tuple(
        le(cosize(complement(a, M)), ceil_div(M, cosize(a)) * cosize(a)) for a in layouts()
    )


@theorem(
    given=REAL_EXTENTS,
    source="claims in circulation, 31",
    corrects="note_31d_cosize_rounded_up",
)
def note_31d_corrected() -> tuple[Formula, ...]:
    """For `B = complement(A, M)`, `cosize(B) <= ceil(M / P) * P`, with P the period of A.

    The period is extent times stride of the mode with the largest stride: what A would occupy if
    its last gap were kept. It is larger than the cosize unless that stride is 1. For the layouts of
    31a.
    """
    M = dims("M")

    def period(a: Layout) -> object:
        S, T, U, D, E, F = dims("S T U D E F")
        return {1: S * D, 2: T * S * D * E, 3: U * T * S * D * E * F}[len(a.modes())]

    return tuple(
        le(cosize(complement(a, M)), ceil_div(M, period(a)) * period(a)) for a in layouts()
    )


@theorem(given=REAL_EXTENTS, expect="refuted", source="claims in circulation, 31")
def note_31_cosize_below_m_neighbour() -> tuple[Formula, ...]:
    """For `B = complement(A, M)`, `cosize(B) <= M`."""
    M = dims("M")
    return tuple(le(cosize(complement(a, M)), M) for a in layouts())


@theorem(given=REAL_EXTENTS, expect="refuted", source="claims in circulation, 31")
def note_31_off_by_one_neighbour() -> Claim:
    """The images of `S:D` and `(D,M):(1,S*D-1)` meet only in 0."""
    S, D, M = dims("S D M")
    return Disjoint(Layout(S, D), Layout((D, M), (1, S * D - 1)))


@theorem(source="claims in circulation, 32")
def note_32_symbolic_cotarget() -> tuple[Claim | Formula, ...]:
    """For every M >= 1, `complement(4:2, 8*M)` is `(2,M):(1,8)`.

    And A with it is a bijection onto `[0, 8*M)`.
    """
    M = dims("M")
    layout = Layout(4, 2)
    rest = complement(layout, 8 * M)
    both = make_layout(layout, rest)
    return PrintsAs(rest, "(2,M):(1,8)"), Bijective(both), eq(both.size(), 8 * M)


@theorem(expect="refuted", source="claims in circulation, 32")
def note_32_not_a_multiple_of_8_neighbour() -> Formula:
    """For every M >= 1, `4:2` with its complement up to M has size M."""
    M = dims("M")
    return eq(make_layout(Layout(4, 2), complement(Layout(4, 2), M)).size(), M)
