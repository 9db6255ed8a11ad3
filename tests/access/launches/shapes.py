"""Python code that launches kernels, where shapes are compared, changed and taken before."""

# ruff: noqa: F841, SIM102, SIM105

import cupy as cp

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


def taken_before(x, y, n):
    M = y.shape[0]
    assert x.shape == y.shape
    rows((M,), (32,), (x, y, M, x.shape[0]))


def all_taken_before(x, y, n):
    M, N = x.shape
    if y.shape != x.shape:
        raise ValueError
    rows((M,), (N,), (x, y, x.shape[0], x.shape[1]))


def another_name_compared(x, y, n):
    z = y
    assert x.shape == y.shape and y.ndim == 2
    rows((z.shape[0],), (32,), (x, y, z.shape[0], x.shape[1]))


def made_and_compared(x, y, n):
    z = cp.zeros((3, x.shape[-1]), dtype=cp.float32)
    assert z.shape == x.shape
    rows((z.shape[0],), (32,), (x, z, z.shape[0], x.shape[1]))


def two_made_and_compared(x, y, n):
    z = cp.zeros((x.shape[0], 5), dtype=cp.float32)
    w = cp.zeros((3, x.shape[-1]), dtype=cp.float32)
    assert w.shape == z.shape
    rows((z.shape[0],), (32,), (w, z, w.shape[0], x.shape[-1]))


def compared_twice(x, y, n):
    assert x.shape == y.shape
    assert y.shape == x.shape
    rows((x.shape[0],), (32,), (x, y, y.shape[0], y.shape[-1]))


def last_taken_before(x, y, n):
    N = y.shape[-1]
    assert x.shape == y.shape
    rows((x.size // N,), (32,), (x, y, x.shape[-1], N))


def compared_perhaps(x, y, n):
    if n > 3:
        assert x.shape == y.shape
    rows((x.shape[0],), (32,), (x, y, y.shape[0], 3))


def compared_in_a_loop(x, y, n):
    for i in range(3):
        assert x.shape == y.shape
        x = cp.zeros((n, 5), dtype=cp.float32)
        number((x.shape[0],), (32,), (y.shape[0], i, 0.0))


def compared_and_caught(x, y, n):
    try:
        assert x.shape == y.shape
    except AssertionError:
        pass
    rows((x.shape[0],), (32,), (x, y, y.shape[0], 3))


def compared_with_five_dims(x, y, n):
    if x.shape == y.shape:
        if x.ndim == 5:
            number((x.shape[3],), (32,), (y.shape[4], x.shape[4], 0.0))


def steps_of_one_element(x, y, n):
    if x.ndim == 2 and x.flags.c_contiguous:
        number((1,), (32,), (x.strides[0], x.strides[1], 0.0))


def steps_asked_for(x, y, n):
    if x.ndim == 2 and x.strides[1] == x.itemsize:
        number((1,), (32,), (x.strides[0], x.shape[1], 0.0))


def only_looked_at(x, y, n):
    x.shape[2]
    one((n,), (32,), (x, x.ndim))


def looked_at_and_dropped(x, y, n):
    m = x.shape[1]
    m = "a"
    one((n,), (32,), (x, x.ndim))


def divided_and_dropped(x, y, n):
    q = n / (n - 4)
    one((n,), (32,), (x, n))


def reshaped_as_a_check(x, y, n):
    z = x.reshape(3, -1)
    one((n,), (32,), (x, x.size))


def steps_of_what_is_like(x, y, n):
    z = cp.zeros_like(x)
    if x.ndim == 2:
        number((1,), (32,), (z.strides[0], z.strides[1], 0.0))


def none_is_given(x, y, n):
    if y is None:
        y = x
    pair((1,), (32,), (x, y, y.size))


def only_its_truth(x, y, n):
    if n:
        one((2,), (32,), (x, x.size))
    else:
        one((1,), (32,), (x, x.size))


def truth_of_a_list(x, y, n):
    left = [1, 2]
    for i in range(3):
        if left:
            left.pop()
            one((i + 1,), (32,), (x, x.size))
    if not left:
        one((9,), (32,), (x, x.size))
