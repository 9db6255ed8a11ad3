"""The identity layout: every natural coordinate to itself, as coordinate strides.

Source: cute/layout.hpp, make_identity_layout; cute/numeric/arithmetic_tuple.hpp.
"""

from __future__ import annotations

from symcute.expr.basis import make_basis_like
from symcute.expr.htuple import HTuple
from symcute.layout.layout import Layout

__all__ = ["make_identity_layout"]


def make_identity_layout(shape: HTuple | Layout) -> Layout:
    """Return the layout that maps every natural coordinate of the shape (of a layout) to itself.

    Over a shape that is a number the result is `n:1`.
    Post-conditions:
        result.shape == Layout(shape).shape if not isinstance(shape, Layout)
        # Index and natural coordinate both go to the natural coordinate.
        idx2crd(result(i), result.shape) == idx2crd(i, result.shape) for i in range(size(shape))
        idx2crd(result(idx2crd(i, result.shape)), result.shape) == idx2crd(i, result.shape)
            for i in range(size(shape))
    Errors: InputError for a shape that is none.

    >>> L = make_identity_layout((4, (2, 3)))
    >>> print(L, L(7), L(3, (1, 2)))
    (4,(2,3)):(1@0,(1@0@1,1@1@1)) (3,(1,0)) (3,(1,2))
    >>> print(make_identity_layout(Layout.parse("(M,N)")))
    (M,N):(1@0,1@1)
    """
    domain = shape if isinstance(shape, Layout) else Layout(shape)
    return Layout(domain.shape, make_basis_like(domain.shape))
