"""The algebra of layouts: free functions under their CuTe names, in CuTe's argument order.

Every operation takes `given=` (assumptions about the dims) and either returns a right result, valid
for all instances that meet the assumptions, or raises: NotAdmissible with a witness when its side
condition is false, Undecided naming the assumption that would decide it.
"""

from symcute.algebra.coalesce import coalesce, filter_zeros, flatten, select
from symcute.algebra.complement import complement
from symcute.algebra.composition import composition
from symcute.algebra.divide import flat_divide, logical_divide, tiled_divide, zipped_divide
from symcute.algebra.inverse import left_inverse, right_inverse
from symcute.algebra.product import (
    blocked_product,
    flat_product,
    logical_product,
    raked_product,
    tiled_product,
    zipped_product,
)

__all__ = [
    "blocked_product",
    "coalesce",
    "complement",
    "composition",
    "filter_zeros",
    "flat_divide",
    "flat_product",
    "flatten",
    "left_inverse",
    "logical_divide",
    "logical_product",
    "raked_product",
    "right_inverse",
    "select",
    "tiled_divide",
    "tiled_product",
    "zipped_divide",
    "zipped_product",
]
