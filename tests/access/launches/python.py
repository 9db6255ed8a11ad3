"""Python code that launches kernels, each function with what may deceive who reads it."""

import math

import cupy as cp
import numpy as np

BLOCK = 128
SOURCE = r"""
extern "C" {
__global__ void one(float *x, long long n) {}
__global__ void pair(float *x, float *y, long long n) {}
__global__ void rows(const float *x, float *y, int M, int N) {}
__global__ void number(int n, int m, float a) {}
}
"""
module = cp.RawModule(code=SOURCE, options=("-std=c++17",))
one, pair = module.get_function("one"), module.get_function("pair")
rows = module.get_function("rows")
number = module.get_function("number")


def rounded_up(x, y, n):
    pair(((x.size + BLOCK - 1) // BLOCK,), (BLOCK,), (x, y, x.size))


def rounded_by_signs(x, y, n):
    one((-(-x.size // 32),), (32,), (x, x.size))


def rounded_by_math(x, y, n):
    one((math.ceil(x.size / 32),), (32,), (x, x.size))


def rounded_by_numpy(x, y, n):
    one((int(np.ceil(x.size / 32)),), (32,), (x, x.size))


def floored(x, y, n):
    number((8,), (32,), (n // 7, n % 7, np.float32(1)))


def floored_by_a_negative(x, y, n):
    number((8,), (32,), (n // -7, n % -5, 0.5))


def divisor_of_any_sign(x, y, n):
    number((8,), (32,), (100 // n, -100 % n, 0.5))


def of_a_shape(x, y, n):
    M, N = x.shape
    z = cp.empty((M, N), dtype=cp.float32)
    rows((M,), (128,), (x, z, M, N))


def of_the_last(x, y, n):
    N = x.shape[-1]
    rows((x.size // N, 1, 1), (32, 2), (x, y, x.size // N, N))


def checked(x, y, n):
    assert x.dtype == cp.float32 and y.dtype == cp.float32
    if x.shape != y.shape:
        raise ValueError("shapes differ")
    if not x.flags.c_contiguous or not y.flags.c_contiguous:
        x = cp.ascontiguousarray(x)
        y = cp.ascontiguousarray(y)
    pair((1,), (32,), (x, y, x.size))


def one_of_two(x, y, n):
    if n > 3:
        z = cp.zeros(n, dtype=cp.float32)
        m = n
    else:
        z = cp.zeros((5, n * n), dtype=cp.float32)
        m = 5 * n * n
    one((1,), (32,), (z, m))


def chosen(x, y, n):
    threads = 64 if x.size > 100 else 32
    one((1,), (threads,), (x, min(x.size, max(n, 4))))


def in_a_loop(x, y, n):
    size = x.size
    step = 1
    for _ in range(4):
        one((step,), (32,), (x, size))
        size = (size + 1) // 2
        step *= 2


def in_a_loop_over_something(x, y, n):
    for s in (3, 4, 5):
        one((s,), (32,), (x, n + s))


def while_it_lasts(x, y, n):
    k = x.size
    while k > 3:
        one((k,), (32,), (x, k))
        k //= 2


def arguments_beforehand(x, y, n):
    arguments = (x, n)
    n = 5
    one((n,), (32,), arguments)


def a_list_that_grows(x, y, n):
    grid = [1]
    grid[0] = 7
    one((grid[0],), (32,), (x, n))


def two_names_for_a_list(x, y, n):
    shape = [4, 4]
    other = shape
    other[0] = 2
    z = cp.empty(shape, dtype=cp.float32)
    one((1,), (32,), (z, n))


def swapped(x, y, n):
    x, y = y, x
    pair((1,), (32,), (x, y, x.size))


def the_same_twice(x, y, n):
    z = y
    pair((1,), (32,), (z, y, y.size))


def the_same_perhaps(x, y, n):
    z = cp.ascontiguousarray(x)
    pair((1,), (32,), (x, z, x.size))


def the_same_or_copied(x, y, n):
    z = cp.asarray(x, dtype=cp.float32)
    pair((1,), (32,), (x, z, x.size))


def of_another_type(x, y, n):
    z = x.astype(cp.float32)
    one((1,), (32,), (z, z.size))


def default_type(x, y, n):
    z = cp.zeros((3, 5))
    one((1,), (32,), (z, z.nbytes))


def made_like(x, y, n):
    z = cp.empty_like(x)
    w = cp.zeros_like(x, dtype=cp.float32)
    pair((1,), (32,), (z, w, z.nbytes + w.nbytes))


def narrowed(x, y, n):
    number((1,), (32,), (np.int32(n), np.int16(n * 1000), np.float32(n)))


def a_closure_sees_later(x, y, n):
    def inner():
        one((2,), (32,), (x, n))

    inner()


def caught(x, y, n):
    m = 4
    try:
        m = 100 // n
        _, N = x.shape
        m = N
    except (ValueError, ZeroDivisionError):
        pass
    one((1,), (32,), (x, m))


def raised_inside(x, y, n):
    try:
        if n > 2:
            raise ValueError
        m = 1
    except ValueError:
        m = 2
    finally:
        k = 3
    number((m,), (32,), (k, m, 0.0))


def by_keywords(x, y, n):
    one(grid=(2, 3), block=(BLOCK // 4,), args=(x, x.size), shared_mem=4 * BLOCK)


def powers(x, y, n):
    one((2**5,), (1 << 5,), (x, (n & 7) | 8))


def strides_in_bytes(x, y, n):
    if x.ndim == 2:
        number((1,), (32,), (x.strides[0], x.strides[1] // x.itemsize, 0.0))


def length(x, y, n):
    number((len(x),), (32,), (len(x.shape) + 1, x.ndim + 2, 0.0))


def true_is_one(x, y, n):
    flag = n > 3
    number((1,), (32,), (int(True), 2 * (n == 3) if n else 1, 0.0))
    if flag:
        number((2,), (32,), (1, 2, 0.0))


def cut(x, y, n):
    z = x[1:]
    one((1,), (32,), (z, z.size))


def given_to_others(x, y, n):
    change(x)
    one((1,), (32,), (x, x.size))


def change(x):
    if x.flags.owndata and x.flags.c_contiguous:
        x.shape = (x.size,)


def shape_assigned(x, y, n):
    z = cp.zeros((4, 6), dtype=cp.float32)
    w = z
    w.shape = (24,)
    number((1,), (32,), (z.shape[0], n, 0.0))


def returned_early(x, y, n):
    if x.size == 0:
        return None
    if n < 2:
        return x
    one((x.size,), (n,), (x, n))
    return None


def deleted(x, y, n):
    m = 4
    for m in range(n):
        if m == 2:
            continue
        if m > 5:
            break
        number((1,), (32,), (m, n, 0.0))
    number((2,), (32,), (m, n, 0.0))


def shadowed(x, y, n):
    min = max
    one((1,), (32,), (x, min(n, 3)))


def asserted_shapes(x, y, n):
    assert x.shape == y.shape and n > 0
    pair((y.shape[0],), (32,), (x, y, x.size))


def compared_shapes(x, y, n):
    if x.shape != y.shape:
        raise ValueError
    M, N = y.shape
    rows((M,), (N,), (x, y, M, x.shape[1]))


def compared_shapes_with_strides(x, y, n):
    if x.shape != y.shape:
        raise ValueError
    number((y.ndim,), (32,), (y.strides[0] // y.itemsize, x.shape[0], 0.0))


def shapes_that_differ(x, y, n):
    if x.shape != y.shape:
        one((1,), (32,), (x, n))
