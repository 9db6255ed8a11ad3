"""Laws of shapes: sizes, and their division, rounded up or not."""

from __future__ import annotations

from symcute import (
    Claim,
    Equal,
    Formula,
    Layout,
    all_of,
    ceil_div,
    compact_major,
    compact_order,
    depth,
    dims,
    divides,
    eq,
    evenly_divides,
    le,
    lt,
    make_ordered_layout,
    rank,
    shape_div,
    size,
    theorem,
)

TUPLE = "cute/int_tuple.hpp, size, ceil_div, shape_div, evenly_divides"
STRIDE = "cute/stride.hpp, compact_major, compact_order"

DIVIDED = ["M % m == 0", "N % n == 0"]


@theorem(source=TUPLE)
def size_is_the_product_of_the_modes() -> tuple[Formula, ...]:
    """The size of a shape is the product of the sizes of its modes, however they nest."""
    M, N, K, L = dims("M N K L")
    shapes = (M, N, K, L), ((M, N), (K, L)), (M, (N, (K, L))), (((M, N), K), L)
    return tuple(eq(size(s), M * N * K * L) for s in shapes)


@theorem(source=TUPLE)
def size_is_at_least_that_of_a_mode() -> Formula:
    """No mode is larger than the shape."""
    M, N, K = dims("M N K")
    return all_of(*(le(s, size((M, (N, K)))) for s in (M, N * K, N, K)))


@theorem(expect="refuted")
def size_is_the_sum_neighbour() -> Formula:
    """The size of a shape is at least the sum of its extents."""
    M, N = dims("M N")
    return le(M + N, size((M, N)))


@theorem(source=TUPLE)
def rank_and_depth_of_a_nested_shape() -> tuple[Formula, ...]:
    """Nesting a shape once more makes its rank 1 and adds 1 to its depth."""
    M, N, K = dims("M N K")
    shape = (M, (N, K))
    return eq(rank((shape,)), 1), eq(depth((shape,)), depth(shape) + 1), eq(rank(shape), 2)


@theorem(source=TUPLE)
def contract_ceil_div_covers() -> tuple[Formula, Formula]:
    """Tiles of m, rounded up, cover M, and one tile less does not."""
    M, m = dims("M m")
    tiles = ceil_div(M, m)
    return le(M, m * tiles), lt(m * (tiles - 1), M)


@theorem(expect="refuted")
def contract_ceil_div_neighbour() -> Formula:
    """Tiles of m, rounded up, cover M + 1."""
    M, m = dims("M m")
    return le(M + 1, m * ceil_div(M, m))


@theorem(source=TUPLE)
def ceil_div_twice_is_once() -> Formula:
    """ceil(ceil(M/a)/b) is ceil(M/(a*b)): blocks of warps of threads need no second rounding."""
    M, a, b = dims("M a b")
    return eq(ceil_div(ceil_div(M, a), b), ceil_div(M, a * b))


@theorem(expect="refuted")
def ceil_div_twice_neighbour() -> Formula:
    """ceil(M/a) * b is ceil(M*b/a)."""
    M, a, b = dims("M a b")
    return eq(ceil_div(M, a) * b, ceil_div(M * b, a))


@theorem(source=TUPLE)
def ceil_div_is_floor_div_of_one_less() -> tuple[Formula, Formula]:
    """ceil(M/m) is (M + m - 1) // m, and (M - 1) // m + 1."""
    M, m = dims("M m")
    return eq(ceil_div(M, m), (M + m - 1) // m), eq(ceil_div(M, m), (M - 1) // m + 1)


@theorem(expect="refuted")
def ceil_div_is_floor_div_neighbour() -> Formula:
    """ceil(M/m) is (M + m) // m."""
    M, m = dims("M m")
    return eq(ceil_div(M, m), (M + m) // m)


@theorem(given="M <= N", source=TUPLE)
def ceil_div_is_monotone() -> Formula:
    """A longer extent needs at least as many tiles."""
    M, N, m = dims("M N m")
    return le(ceil_div(M, m), ceil_div(N, m))


@theorem(given="m <= n", source=TUPLE)
def ceil_div_falls_with_the_tile() -> Formula:
    """A longer tile needs at most as many tiles."""
    M, m, n = dims("M m n")
    return le(ceil_div(M, n), ceil_div(M, m))


@theorem(given="m < n", expect="refuted")
def ceil_div_falls_strictly_neighbour() -> Formula:
    """A longer tile needs fewer tiles."""
    M, m, n = dims("M m n")
    return lt(ceil_div(M, n), ceil_div(M, m))


@theorem(source=TUPLE)
def ceil_div_by_mode_covers_the_shape() -> Formula:
    """Tiles counted by mode, times the tile, are at least the shape."""
    M, N, m, n = dims("M N m n")
    return le(size((M, N)), size(ceil_div((M, N), (m, n))) * size((m, n)))


@theorem(given=DIVIDED, source=TUPLE)
def contract_shape_div_is_exact() -> tuple[Formula, Formula]:
    """Where tiles divide, shape_div counts them: tiles times tile is the shape."""
    M, N, m, n = dims("M N m n")
    by_mode = shape_div((M, N), (m, n))
    return eq(size(by_mode) * m * n, M * N), eq(shape_div(M, m) * m, M)


@theorem(given="M % m == 0", source=TUPLE)
def shape_div_of_a_tuple_divides_from_the_left() -> Formula:
    """A tuple divided by m loses it in the first mode that m divides: (M,N) / m is (M/m, N)."""
    M, N, m = dims("M N m")
    first, second = shape_div((M, N), m)
    return all_of(eq(first * m, M), eq(second, N))


@theorem(given=[*DIVIDED, "m >= 2", "n >= 2"], expect="refuted")
def contract_shape_div_neighbour() -> Formula:
    """Dividing by m in mode 0 divides mode 1 too."""
    M, N, m = dims("M N m")
    return eq(size(shape_div((M, N), m)) * m * m, M * N)


@theorem(given=DIVIDED, source=TUPLE)
def contract_evenly_divides_by_mode() -> tuple[Formula, Formula]:
    """What divides by mode divides the size, and the rounded-up division is exact."""
    M, N, m, n = dims("M N m n")
    says = evenly_divides((M, N), (m, n))
    return (
        all_of(eq(int(says), 1), divides(m * n, M * N)),
        eq(size(ceil_div((M, N), (m, n))) * m * n, M * N),
    )


@theorem(given="(M*N) % (m*n) == 0", expect="refuted")
def contract_evenly_divides_neighbour() -> Formula:
    """A tile whose size divides the size of the shape divides it by mode."""
    M, N, m, n = dims("M N m n")
    return all_of(divides(m, M), divides(n, N))


@theorem(given=["M % m == 0", "m % k == 0"], source=TUPLE)
def divisibility_is_transitive() -> Formula:
    """A divisor of the tile divides what the tile divides: k | m and m | M give k | M."""
    M, k = dims("M k")
    return divides(k, M)


@theorem(given=["M % m == 0", "M % k == 0"], expect="refuted")
def divisibility_of_a_product_neighbour() -> Formula:
    """Two divisors of M divide it together: m | M and k | M give m*k | M."""
    M, m, k = dims("M m k")
    return divides(m * k, M)


@theorem(source=STRIDE)
def contract_compact_order_follows_its_order() -> tuple[Claim, ...]:
    """Compact strides in the order (1,2,0), and "left" and "right", are those of the layouts."""
    M, N, K = dims("M N K")
    shape = (M, N, K)
    return (
        Equal(Layout(shape, compact_order(shape, (1, 2, 0))), Layout(shape, (K, K * M, 1))),
        Equal(Layout(shape, compact_order(shape, "left")), Layout(M * N * K, 1)),
        Equal(Layout(shape, compact_order(shape, "right")), Layout(shape, (N * K, K, 1))),
        Equal(
            Layout(shape, compact_order(shape, (1, 2, 0))), make_ordered_layout(shape, (1, 2, 0))
        ),
    )


@theorem(given=["M >= 2", "N >= 2"], expect="refuted")
def contract_compact_order_neighbour() -> Claim:
    """Order (1,0) gives the mode that comes first in the order of the modes the stride 1."""
    M, N = dims("M N")
    return Equal(Layout((M, N), compact_order((M, N), (1, 0))), Layout((M, N), (1, M)))


@theorem(source=STRIDE)
def compact_major_left_and_right_are_mirrors() -> Claim:
    """Row-major strides of (M,N,K) are the column-major strides of (K,N,M), mirrored."""
    M, N, K = dims("M N K")
    mirrored = tuple(reversed(compact_major((K, N, M), "left")))
    return Equal(Layout((M, N, K), compact_major((M, N, K), "right")), Layout((M, N, K), mirrored))


@theorem(source=STRIDE)
def compact_major_continues_a_stride() -> Claim:
    """Starting at a stride c, the compact strides of a shape are c times those that start at 1."""
    M, N, c = dims("M N c")
    return Equal(Layout((M, N), compact_major((M, N), "left", c)), Layout(M * N, c))


@theorem(given=["0 <= i", "i < M", "0 <= b", "i + m*b < M"], source=TUPLE)
def tile_count_bounds_the_tiles_that_touch() -> Formula:
    """A tile that holds an element below M is one of the ceil(M/m) tiles that are counted."""
    b, M, m = dims("b M m")
    return lt(b, ceil_div(M, m))


@theorem(given=["0 <= b", "m*b < M + m"], expect="refuted")
def tile_count_bounds_the_tiles_neighbour() -> Formula:
    """A tile that begins at most one tile behind the last element is one of those counted."""
    b, M, m = dims("b M m")
    return lt(b, ceil_div(M, m))


@theorem(given=["M % m == 0", "0 <= i", "i < m", "0 <= b", "b < M/m"], source=TUPLE)
def tiles_that_divide_leave_no_tail() -> Formula:
    """Where m divides M every element of every counted tile lies below M."""
    M, m, i, b = dims("M m i b")
    return lt(i + m * b, M)
