"""Post-conditions of every operation on static layouts, and of symbolic results at instances."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symcute import Layout
from symcute.errors import NotAdmissible, Undecided
from symcute.layout import algebra

from . import oracle

SETTINGS = settings(max_examples=80, deadline=None)

strides = st.one_of(st.sampled_from([0, 1, 1, 2, 3, 4, 6, 8, 12, 16, 24]), st.integers(-4, 30))


@st.composite
def shapes(draw: st.DrawFn, depth: int = 2) -> Any:
    if depth == 0 or draw(st.integers(0, 2)) == 0:
        return draw(st.sampled_from([1, 2, 2, 3, 4, 4, 6, 8]))
    return tuple(draw(shapes(depth - 1)) for _ in range(draw(st.integers(1, 3))))


@st.composite
def layouts(draw: st.DrawFn, compact: bool | None = None) -> Layout:
    shape = draw(shapes())
    if compact if compact is not None else draw(st.booleans()):
        flat = list(oracle.leaves(shape))
        order = draw(st.permutations(range(len(flat))))
        found, current = [0] * len(flat), 1
        for k in order:
            found[k] = current
            current *= flat[k] * draw(st.sampled_from([1, 1, 1, 2]))
        numbers = iter(found)
    else:
        numbers = iter([draw(strides) for _ in oracle.leaves(shape)])
    layout = Layout(shape, _filled(shape, numbers))
    assume(int(layout.size()) <= 512)
    return layout


def _filled(shape: Any, numbers: Any) -> Any:
    if isinstance(shape, tuple):
        return tuple(_filled(s, numbers) for s in shape)
    return next(numbers)


def flat(layout: Layout, **dims: int) -> oracle.Modes:
    return oracle.modes(layout, dims)


def result(operation: Any, *args: Any) -> Layout:
    """Return the operation's result; a refusal ends the example."""
    try:
        found: Layout = operation(*args)
    except NotAdmissible:
        assume(False)
    return found


@SETTINGS
@given(layouts())
def test_coalesce_and_flatten_keep_the_map(a: Layout) -> None:
    for b in (algebra.coalesce(a), algebra.flatten(a), algebra.coalesce(a, (1,) * a.rank())):
        assert oracle.equal(flat(a), flat(b))


@SETTINGS
@given(layouts())
def test_coalesce_leaves_nothing_to_merge(a: Layout) -> None:
    modes = flat(algebra.coalesce(a))
    assert all(s > 1 for s, _ in modes) or modes == [(1, 0)]
    assert all(d1 != s0 * d0 for (s0, d0), (_, d1) in pairwise(modes))


@SETTINGS
@given(layouts(), layouts())
def test_composition_is_one_map_after_the_other(a: Layout, b: Layout) -> None:
    c = result(algebra.composition, a, b)
    assert oracle.is_composition(flat(c), flat(a), flat(b))
    assert oracle.compatible(b.shape, c.shape, {})


@SETTINGS
@given(layouts(), layouts(compact=True))
def test_a_refused_composition_has_a_coordinate_to_show(a: Layout, b: Layout) -> None:
    try:
        algebra.composition(a, b)
    except NotAdmissible as error:
        assert error.condition
        assert "index" in error.witness or "extent" in str(error)


@SETTINGS
@given(layouts(), layouts(), layouts())
def test_composition_is_associative_as_a_map(a: Layout, b: Layout, c: Layout) -> None:
    left = result(algebra.composition, result(algebra.composition, a, b), c)
    right = result(algebra.composition, a, result(algebra.composition, b, c))
    inside = max(oracle.image(flat(c))) < int(b.size()) and min(oracle.image(flat(c))) >= 0
    assume(inside)
    assert oracle.equal(flat(left), flat(right))


@SETTINGS
@given(layouts(), st.integers(1, 600))
def test_a_complement_is_disjoint_ordered_and_covers(a: Layout, cotarget: int) -> None:
    b = result(algebra.complement, a, cotarget)
    assert oracle.is_complement(flat(b), flat(a), cotarget)


@SETTINGS
@given(layouts())
def test_a_right_inverse_is_undone(a: Layout) -> None:
    assert oracle.is_right_inverse(flat(algebra.right_inverse(a)), flat(a))


@SETTINGS
@given(layouts(compact=True))
def test_a_left_inverse_undoes(a: Layout) -> None:
    inverse = flat(result(algebra.left_inverse, a))
    assert oracle.is_left_inverse(inverse, flat(a))


@SETTINGS
@given(layouts())
def test_a_layout_with_a_left_inverse_is_injective_but_for_stride_0(a: Layout) -> None:
    result(algebra.left_inverse, a)
    assert oracle.injective([(s, d) for s, d in flat(a) if d != 0] or [(1, 0)])


@SETTINGS
@given(layouts(), layouts(compact=True))
def test_a_divide_visits_the_offsets_of_the_layout(a: Layout, tile: Layout) -> None:
    assume(int(a.size()) % int(tile.size()) == 0)
    assume(max(oracle.image(flat(tile))) < int(a.size()))
    divided = result(algebra.logical_divide, a, tile)
    whole = [oracle.at(flat(a), x) for x in oracle.image(flat(tile))]
    assert oracle.image(flat(divided))[: len(whole)] == whole
    if int(divided.size()) == int(a.size()):
        assert sorted(oracle.image(flat(divided))) == sorted(oracle.image(flat(a)))


@SETTINGS
@given(layouts(), st.sampled_from([1, 2, 4]), st.sampled_from([1, 2, 3]))
def test_the_divides_are_one_set_of_offsets(a: Layout, one: int, other: int) -> None:
    tiler = (one, other)[: a.rank()]
    divides = (
        algebra.logical_divide,
        algebra.zipped_divide,
        algebra.tiled_divide,
        algebra.flat_divide,
    )
    images = [sorted(oracle.image(flat(result(f, a, tiler)))) for f in divides]
    assert all(x == images[0] for x in images)


@SETTINGS
@given(layouts(compact=True), layouts(compact=True))
def test_a_product_repeats_the_block_without_overlap(a: Layout, b: Layout) -> None:
    product = result(algebra.logical_product, a, b)
    assume(int(product.size()) <= 4096)
    assert int(product.size()) == int(a.size()) * int(b.size())
    assert oracle.image(flat(product))[: int(a.size())] == oracle.image(flat(a))
    assert oracle.injective(flat(product))


@SETTINGS
@given(layouts(compact=True), layouts(compact=True))
def test_blocked_and_raked_products_are_one_set_of_offsets(a: Layout, b: Layout) -> None:
    blocked = result(algebra.blocked_product, a, b)
    raked = result(algebra.raked_product, a, b)
    assume(int(blocked.size()) <= 4096)
    assert blocked.rank() == raked.rank() == max(a.rank(), b.rank())
    assert sorted(oracle.image(flat(blocked))) == sorted(oracle.image(flat(raked)))
    assert oracle.injective(flat(blocked))


SYMBOLIC = {
    "composition((M,N):(N,1), (M,N):(1,M))": [],
    "composition((M,N):(N,1), M:1)": [],
    "composition((M,N):(K,1), (M,N/4):(1,4*M))": ["N % 4 == 0"],
    "complement(M:N, M*N)": [],
    "logical_divide((M,N):(N,1), (4,2))": ["M % 4 == 0", "N % 2 == 0"],
    "logical_product((M,2):(1,M), N:1)": [],
    "coalesce((M,N,K):(1,M,M*N))": [],
}


@SETTINGS
@given(
    st.sampled_from(sorted(SYMBOLIC)),
    st.fixed_dictionaries({n: st.integers(1, 9) for n in "MNK"}),
)
def test_a_symbolic_result_at_an_instance_is_the_static_result(
    text: str, dims: dict[str, int]
) -> None:
    from symcute.claims.language import evaluate
    from symcute.expr.assumptions import Assumptions

    given_ = SYMBOLIC[text]
    assume(Assumptions.of(given_).hold(dims))
    symbolic = evaluate(text, given=given_)
    static = text
    for name, value in dims.items():
        static = static.replace(name, str(value))
    try:
        expected = evaluate(static)
    except Undecided:
        assume(False)
    assert oracle.equal(oracle.modes(symbolic, dims), oracle.modes(expected, {}))


@SETTINGS
@given(st.fixed_dictionaries({n: st.integers(1, 9) for n in "MNK"}))
def test_symbolic_inverses_are_inverses_at_every_instance(dims: dict[str, int]) -> None:
    assume(dims["K"] >= dims["N"])
    compact, padded = Layout.parse("(M,N):(N,1)"), Layout.parse("(M,N):(K,1)")
    right = algebra.right_inverse(compact)
    left = algebra.left_inverse(padded, given="K >= N")
    assert oracle.is_right_inverse(flat(right, **dims), flat(compact, **dims))
    assert oracle.size(flat(right, **dims)) == dims["M"] * dims["N"]
    assert oracle.is_left_inverse(flat(left, **dims), flat(padded, **dims))
