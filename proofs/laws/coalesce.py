"""Laws of coalesce, flatten and filter: simpler layouts that are the same map.

Extents S, T, U, V and strides D, E, F, G are arbitrary unless a theorem says otherwise; `D - E` is
a stride of any sign.
"""

from __future__ import annotations

from symcute import (
    Bijective,
    Claim,
    Equal,
    Formula,
    Injective,
    Layout,
    PrintsAs,
    coalesce,
    cosize,
    dims,
    eq,
    filter_,
    filter_zeros,
    flatten,
    implies,
    make_layout,
    size,
    theorem,
)

DOC = "CuTe documentation, 02_layout_algebra, Coalesce"
SHAH = "J. Shah, A note on the algebra of CuTe layouts: coalesce"
PAPER = "C. Cecka, CuTe Layout Representation and Algebra, arXiv:2603.02298: coalesce"
HEADER = "cute/layout.hpp, filter"

#: Extents that are not 1: where a mode can be told from none.
REAL = ["S >= 2", "T >= 2", "U >= 2"]
NESTED = Layout.parse("((S,T),(U,V)):((D,S*D),(E,U*E))")


@theorem(source=DOC)
def coalesce_merges_two_modes() -> str:
    """Two modes merge when the second stride is the first extent times the first stride."""
    return "equal(coalesce((S,T):(D,S*D)), S*T:D)"


@theorem(source=DOC)
def coalesce_merges_three_modes() -> str:
    """Three modes, each beginning where the one before ends, are one."""
    return "equal(coalesce((S,T,U):(D,S*D,S*T*D)), S*T*U:D)"


@theorem(source=DOC)
def coalesce_merges_four_modes() -> str:
    """Four modes, each beginning where the one before ends, are one."""
    return "equal(coalesce((S,T,U,V):(D,S*D,S*T*D,S*T*U*D)), S*T*U*V:D)"


@theorem()
def coalesce_merges_strides_of_any_sign() -> str:
    """The rule of two modes holds for negative strides and for 0 too."""
    return "equal((S,T):(D-E,S*D-S*E), S*T:(D-E))"


@theorem(given=[*REAL, "E > S*D"], expect="refuted")
def coalesce_merges_two_modes_neighbour() -> str:
    """Two modes with a gap between them merge."""
    return "equal((S,T):(D,E), S*T:D)"


@theorem(expect="refuted")
def coalesce_merges_a_row_major_matrix_neighbour() -> str:
    """A row-major matrix is a vector: the modes need not be in order."""
    return "equal((S,T):(T,1), S*T:1)"


@theorem(given=REAL)
def coalesce_rule_is_needed() -> Formula:
    """A layout of two modes is a vector only if the second stride is S times the first.

    At the index 1 the offset is D, at the index S it is E; in a vector of stride d they are d and
    S*d. So the rule by which modes merge leaves nothing out.
    """
    S, T, D, E, d = dims("S T D E d")
    layout, vector = Layout((S, T), (D, E)), Layout(S * T, d)
    return implies(eq(layout(1, 0), vector(1)), implies(eq(layout(0, 1), vector(S)), eq(E, S * D)))


@theorem(given=REAL, expect="refuted")
def coalesce_rule_is_needed_neighbour() -> Formula:
    """A layout of two modes that starts like a vector is that vector."""
    S, T, D, E = dims("S T D E")
    layout = Layout((S, T), (D, E))
    return implies(eq(layout(1, 0), Layout(S * T, D)(1)), eq(layout(0, 1), S * D))


@theorem(source=DOC)
def coalesce_drops_unit_modes() -> tuple[str, str, str]:
    """A mode of extent 1 adds nothing, whatever its stride, at the front, inside or at the end."""
    return (
        "equal(coalesce((1,S,T):(F,D,E)), (S,T):(D,E))",
        "equal(coalesce((S,1,T):(D,F,E)), (S,T):(D,E))",
        "equal(coalesce((S,T,1):(D,E,F)), (S,T):(D,E))",
    )


@theorem(source=DOC)
def coalesce_merges_across_a_unit_mode() -> str:
    """A mode of extent 1 does not keep its neighbours apart."""
    return "equal(coalesce((S,1,T):(D,F,S*D)), S*T:D)"


@theorem(given=REAL, expect="refuted")
def coalesce_drops_short_modes_neighbour() -> str:
    """A mode of extent 2 adds nothing."""
    return "equal((S,2,T):(D,F,E), (S,T):(D,E))"


@theorem()
def coalesce_merges_broadcasts() -> str:
    """Neighbouring modes of stride 0 are one mode of stride 0."""
    return "equal(coalesce((S,T,U):(0,0,D)), (S*T,U):(0,D))"


@theorem(source=DOC)
def coalesce_is_idempotent() -> tuple[Claim, ...]:
    """Coalescing twice prints what coalescing once prints."""
    layouts = (
        NESTED,
        Layout.parse("(S,1,(T,U)):(D,F,(S*D,E))"),
        Layout.parse("((S,(T,1)),U,V):((1,(S,7)),S*T,E)"),
    )
    return tuple(PrintsAs(coalesce(coalesce(x)), str(coalesce(x))) for x in layouts)


@theorem(source=PAPER)
def coalesce_of_compact_shapes() -> tuple[Claim, ...]:
    """The column-major layout of a shape, however it is nested, is the vector of its size."""
    S, T, U, V = dims("S T U V")
    shapes = ((S, T), (S, T, U), ((S, T), (U, V)), (S, (T, (U, V))), (((S, T), U), V))
    return tuple(Equal(Layout(s), Layout(size(s), 1)) for s in shapes)


@theorem(given=REAL, expect="refuted")
def coalesce_of_compact_shapes_neighbour() -> Claim:
    """Exchanging the modes of a column-major layout leaves the vector of its size."""
    S, T = dims("S T")
    return Equal(Layout((T, S), (S, 1)), Layout(S * T, 1))


@theorem(source=DOC)
def coalesce_by_mode_keeps_the_rank() -> tuple[Claim, ...]:
    """With a profile of two entries each mode is coalesced by itself: rank and sizes stay."""
    result = coalesce(NESTED, (1, 1))
    return (
        PrintsAs(result, "(S*T,U*V):(D,E)"),
        Equal(result[0], NESTED[0]),
        Equal(result[1], NESTED[1]),
        Equal(result, NESTED),
    )


@theorem(given=["U >= 2", "V >= 2"], expect="refuted")
def coalesce_by_mode_neighbour() -> Claim:
    """Coalescing each of two modes by itself leaves a vector."""
    return Equal(coalesce(NESTED, (1, 1)), Layout.parse("S*T*U*V:D"))


@theorem()
def coalesce_by_mode_comes_before_coalesce() -> Claim:
    """Coalescing by mode first makes no difference to coalescing the whole."""
    layout = Layout.parse("((S,T),(U,V)):((D,S*D),(S*T*D,S*T*U*D))")
    return PrintsAs(coalesce(coalesce(layout, (1, 1))), str(coalesce(layout)))


@theorem(source=PAPER)
def coalesce_of_a_concatenation() -> Claim:
    """Coalescing the parts of a concatenation first makes no difference."""
    a, b = NESTED[0], NESTED[1]
    apart = make_layout(coalesce(a), coalesce(b))
    return PrintsAs(coalesce(apart), str(coalesce(make_layout(a, b))))


@theorem()
def coalesce_keeps_injectivity() -> tuple[Claim, ...]:
    """A layout of tiles and its coalesced form are injective together: both are."""
    tiled = Layout.parse("((S,T),(U,V)):((1,S),(S*T,S*T*U))")
    return Injective(tiled), Injective(coalesce(tiled)), Equal(tiled, coalesce(tiled))


@theorem(expect="refuted")
def coalesce_keeps_injectivity_neighbour() -> Claim:
    """A layout of two modes that both have stride D is injective."""
    return Injective(Layout.parse("(S,T):(D,D)"))


@theorem()
def coalesce_keeps_the_cosize() -> Formula:
    """A layout and its coalesced form have the same cosize."""
    layout = Layout.parse("((S,T),U):((D,S*D),E)")
    return eq(cosize(coalesce(layout)), cosize(layout))


@theorem(expect="refuted")
def coalesce_cosize_is_extent_times_stride_neighbour() -> Formula:
    """The cosize of a coalesced vector is its extent times its stride."""
    S, T, D = dims("S T D")
    return eq(cosize(coalesce(Layout((S, T), (D, S * D)))), S * T * D)


@theorem(source=SHAH)
def flatten_keeps_the_map_of_any_nesting() -> tuple[Claim, ...]:
    """Parentheses do not matter to a layout on indices: all nestings of four modes are one map."""
    S, T, U, V, D, E, F, G = dims("S T U V D E F G")
    flat = Layout((S, T, U, V), (D, E, F, G))
    nestings = (
        Layout(((S, T), (U, V)), ((D, E), (F, G))),
        Layout((S, (T, (U, V))), (D, (E, (F, G)))),
        Layout((((S, T), U), V), (((D, E), F), G)),
        Layout((S, (T, U), V), (D, (E, F), G)),
    )
    return tuple(Equal(x, flat) for x in nestings)


@theorem(given=REAL, expect="refuted")
def flatten_keeps_the_map_neighbour() -> str:
    """Flattening may list the leaves of a mode in reverse."""
    return "equal((S,(T,U)):(D,(E,F)), (S,U,T):(D,F,E))"


@theorem(source=SHAH)
def flatten_is_idempotent() -> Claim:
    """Flattening twice prints what flattening once prints."""
    return PrintsAs(flatten(flatten(NESTED)), str(flatten(NESTED)))


@theorem(source=SHAH)
def flatten_comes_before_coalesce() -> Claim:
    """Flattening first makes no difference to coalescing."""
    return PrintsAs(coalesce(flatten(NESTED)), str(coalesce(NESTED)))


@theorem(source=HEADER)
def filter_zeros_keeps_the_other_modes() -> tuple[Claim, Formula]:
    """Setting the extents of stride-0 modes to 1 keeps the map on the others."""
    S, U = dims("S U")
    kept = filter_zeros(Layout.parse("(S,T,U):(D,0,E)"))
    return Equal(kept, Layout.parse("(S,U):(D,E)")), eq(size(kept), S * U)


@theorem(source=HEADER)
def filter_is_idempotent() -> Claim:
    """Filtering twice prints what filtering once prints."""
    layout = Layout.parse("(S,(T,U),V):(D,(0,S*D),0)")
    return PrintsAs(filter_(filter_(layout)), str(filter_(layout)))


@theorem(source=HEADER)
def filter_makes_a_broadcast_injective() -> tuple[Claim, Claim]:
    """Without its broadcast modes a row-major batch takes every offset once."""
    layout = Layout.parse("(S,T,U):(U,0,1)")
    return Injective(filter_(layout)), Bijective(filter_(layout))


@theorem(given=REAL, expect="refuted")
def filter_makes_a_broadcast_injective_neighbour() -> str:
    """A row-major batch with a broadcast mode takes no offset twice."""
    return "injective((S,T,U):(U,0,1))"


@theorem(source=HEADER)
def filter_of_nonzero_strides_is_coalesce() -> Claim:
    """Where no stride is 0, filtering is coalescing."""
    return PrintsAs(filter_(NESTED), str(coalesce(NESTED)))
