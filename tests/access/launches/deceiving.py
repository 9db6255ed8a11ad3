"""Python code that launches kernels, where names, exceptions and shapes deceive who reads it."""

# ruff: noqa: B007, B008, C416, E731, F841, RUF059, SIM105, SIM300

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


def changed_by_an_inner_function(x, y, n):
    m = 4

    def inner():
        nonlocal m
        m = 8

    inner()
    one((1,), (32,), (x, m))


def a_type_beside_a_shape(x, y, n):
    z = cp.empty(x.shape, cp.float32)
    one((1,), (32,), (z, z.nbytes))


def the_rest_of_a_shape(x, y, n):
    M, *rest = x.shape
    one((1,), (32,), (x, M))


def no_tuple_is_a_list(x, y, n):
    if x.shape == [3, 5]:
        return
    one((1,), (32,), (x, x.size))


def caught_division(x, y, n):
    try:
        m = 100 // n
    except ZeroDivisionError:
        pass
    one((1,), (32,), (x, n))


def caught_axis(x, y, n):
    try:
        N = x.shape[1]
    except IndexError:
        N = 1
    one((1,), (32,), (x, x.ndim))


def broken_off_with_an_end(x, y, n):
    m = 1
    for i in range(3):
        try:
            break
        finally:
            m = 9
    one((1,), (32,), (x, m))


def parts_with_names(x, y, n):
    t = (4, n)
    t_0 = 7
    one((t[0],), (32,), (x, t_0))


def up_to_a_negative(x, y, n):
    z = cp.arange(n)
    one((1,), (32,), (z, n))


def asarray_of_any(x, y, n):
    z = cp.asarray(x)
    one((1,), (32,), (z, z.size))


def contiguous_of_none(x, y, n):
    z = cp.ascontiguousarray(x)
    one((1,), (32,), (z, z.ndim))


def changed_inside(x, y, n):
    z = cp.zeros((4, 6), dtype=cp.float32)

    def change_it():
        z.shape = (24,)

    change_it()
    one((1,), (32,), (z, z.shape[0]))


def nested_tuples(x, y, n):
    z = cp.zeros((4, 6), dtype=cp.float32)
    t = ((z, 1), 2)
    z.shape = (24,)
    one((1,), (32,), (z, t[0][0].shape[0]))


def typed_again(x, y, n):
    z = cp.zeros((4, 6), dtype=cp.float64)
    w = z
    w.dtype = cp.float32
    one((1,), (32,), (z, z.shape[1]))


def while_changed(x, y, n):
    z = cp.zeros((4, 6), dtype=cp.float32)
    m = 0
    k = 0
    while turned(z):
        one((1,), (32,), (z, m - z.shape[0]))
        m = z.shape[0]
        k += 1
        if k > 3:
            break


def turned(z):
    z.shape = z.shape[::-1]
    return True


def own_range(x, y, n):
    range = lambda n: (n, n + 5)
    for i in range(3):
        one((1,), (32,), (x, i))


def in_place(x, y, n):
    t = (1, n)
    t += (3,)
    one((len(t),), (32,), (x, t[2]))


def loop_else(x, y, n):
    m = 0
    for i in range(n):
        if i == 3:
            break
    else:
        m = 5
    one((1,), (32,), (x, m))


def loop_var_after(x, y, n):
    i = 50
    for i in range(n, 5):
        i += 10
    one((1,), (32,), (x, i))


def comprehension(x, y, n):
    i = 7
    t = [i for i in range(3)]
    one((1,), (32,), (x, i))


def with_swallow(x, y, n):
    import contextlib

    with contextlib.suppress(ZeroDivisionError):
        m = 3 // n
    with np.testing.assert_raises(ZeroDivisionError):
        m = 4 // n
    one((1,), (32,), (x, n))


def bools(x, y, n):
    one((1 + True,), (32,), (x, True + (n > 3)))
    one((1,), (32,), (x, n & True))


def chains(x, y, n):
    if 0 < n < 4 != 5:
        one((1,), (32,), (x, n))
    if n == n > 2:
        one((2,), (32,), (x, n))


def lambda_launch(x, y, n):
    f = lambda m: one((1,), (32,), (x, m))
    f(n)
    one((2,), (32,), (x, 2))


def default_arg(x, y, n):
    def f(a=one((3,), (32,), (x, n))):
        pass

    one((2,), (32,), (x, 2))


def raised_before(x, y, n):
    try:
        if n > 4:
            raise ValueError
        one((1,), (32,), (x, n))
    except ValueError:
        pass


def names(x, y, n):
    int64_t = n
    INFINITY = 4
    NULL = 3
    threadIdx = 5
    size_t = 7
    one((1,), (32,), (x, int64_t + INFINITY + NULL + threadIdx))


def floats(x, y, n):
    if n > 0:
        one((1,), (32,), (x, int(n / 2)))
        one((1,), (32,), (x, int(n // 2.0)))
        one((1,), (32,), (x, round(n / 2)))


def shape_cmp(x, y, n):
    if x.shape == (3, 5) == x.shape:
        one((1,), (32,), (x, n))
    if (3, 5) != x.shape:
        one((2,), (32,), (x, n))
    if x.shape > (3, 4):
        one((3,), (32,), (x, n))


def wrapped(x, y, n):
    m = np.int16(n % 100) * np.int16(1000) // np.int16(7)
    one((1,), (32,), (x, int(m)))


def of_another_width(x, y, n):
    k = np.int32(n)
    number((1,), (32,), (k, np.int32(7), np.float32(1)))
    number((2,), (32,), (np.int64(n), 7, np.float32(1)))


def caught_and_ended(x, y, n):
    m = 1
    try:
        m = 2
        if n > 3:
            raise ValueError
        m = 3
        assert n != 2
    except ValueError:
        m += 10
    else:
        m += 100
    finally:
        m += 1000
    one((1,), (32,), (x, m))


def returned_with_an_end(x, y, n):
    try:
        if n > 2:
            return
        one((1,), (32,), (x, n))
    finally:
        one((2,), (32,), (x, n))


def by_the_name_of_a_type(x, y, n):
    def number(a):
        return a

    one((1,), (32,), (x, number(n)))


def cdiv(a, b):
    """Round up."""
    return (a + b - 1) // b


def twice(a):
    return a + a


def twice(a):  # noqa: F811
    return a + a + 1


def either_way(a, b):
    return a if b > 3 else b // 0


def first(a, b):
    return a


def last_given(a, b=7):
    return a + b


def of_others(a):
    return a + n_of_nobody + BLOCK


n_of_nobody = 3
n_of_nobody += 1
padded = lambda a: cdiv(a, 32) * 32 + BLOCK


def by_a_helper(x, y, n):
    one((cdiv(x.size, 32),), (32,), (x, x.size))
    one((cdiv(b=32, a=x.size),), (32,), (x, cdiv(n, -3)))
    one((1,), (32,), (x, padded(n)))


def by_a_helper_of_zero(x, y, n):
    one((1,), (32,), (x, cdiv(5, n)))


def by_one_of_two_helpers(x, y, n):
    one((1,), (32,), (x, twice(n)))


def by_a_helper_that_chooses(x, y, n):
    one((1,), (32,), (x, either_way(n, n)))


def by_a_helper_that_leaves_out(x, y, n):
    one((1,), (32,), (x, first(n, 5 // (n - 2))))


def by_a_helper_with_a_default(x, y, n):
    one((1,), (32,), (x, last_given(n)))
    one((2,), (32,), (x, last_given(n, 8)))


def by_a_helper_of_others(x, y, n):
    one((1,), (32,), (x, of_others(n)))


def by_a_name_of_its_own(x, y, n):
    cdiv = lambda a, b: a + b
    one((1,), (32,), (x, cdiv(n, 32)))


def by_a_parameter(x, y, n, cdiv=max):
    one((1,), (32,), (x, cdiv(n, 2)))


def twice_evaluated(x, y, n):
    def square(a):
        return a * a

    n = square(n + 1)
    one((1,), (32,), (x, square(n)))
