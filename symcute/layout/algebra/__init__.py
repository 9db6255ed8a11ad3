"""The algebra of layouts: free functions under their CuTe names, in CuTe's argument order.

Every operation takes `given=` (assumptions about the dims) and either returns a right result, valid
for all instances that meet the assumptions, or raises: NotAdmissible with a witness when its side
condition is false, Undecided naming the assumption that would decide it.
"""

from symcute.layout.algebra.build import (
    compact_major,
    compact_order,
    make_fragment_like,
    make_layout_like,
    make_ordered_layout,
)
from symcute.layout.algebra.coalesce import coalesce, filter_, filter_zeros, flatten, select
from symcute.layout.algebra.common import (
    domain_distribute,
    greatest_common_domain,
    layout_add,
    max_common_layout,
    max_common_vector,
    nullspace,
)
from symcute.layout.algebra.complement import complement
from symcute.layout.algebra.composition import composition
from symcute.layout.algebra.coordinates import crd2crd, dice, domain_offset
from symcute.layout.algebra.divide import (
    flat_divide,
    logical_divide,
    tile_unzip,
    tiled_divide,
    zipped_divide,
)
from symcute.layout.algebra.guarded import Guard, GuardedLayout, guarded_divide
from symcute.layout.algebra.identity import make_identity_layout
from symcute.layout.algebra.inverse import left_inverse, right_inverse
from symcute.layout.algebra.modes import (
    append,
    get,
    group,
    prepend,
    replace,
    take,
    transform_leaf,
    unflatten,
    zip_,
)
from symcute.layout.algebra.product import (
    blocked_product,
    flat_product,
    logical_product,
    raked_product,
    tiled_product,
    zipped_product,
)
from symcute.layout.algebra.shape_division import ceil_div, evenly_divides, shape_div
from symcute.layout.algebra.shapes import (
    compatible,
    congruent,
    weakly_compatible,
    weakly_congruent,
)
from symcute.layout.algebra.tile import downcast, recast, tile_to_shape, upcast

__all__ = [
    "Guard",
    "GuardedLayout",
    "append",
    "blocked_product",
    "ceil_div",
    "coalesce",
    "compact_major",
    "compact_order",
    "compatible",
    "complement",
    "composition",
    "congruent",
    "crd2crd",
    "dice",
    "domain_distribute",
    "domain_offset",
    "downcast",
    "evenly_divides",
    "filter_",
    "filter_zeros",
    "flat_divide",
    "flat_product",
    "flatten",
    "get",
    "greatest_common_domain",
    "group",
    "guarded_divide",
    "layout_add",
    "left_inverse",
    "logical_divide",
    "logical_product",
    "make_fragment_like",
    "make_identity_layout",
    "make_layout_like",
    "make_ordered_layout",
    "max_common_layout",
    "max_common_vector",
    "nullspace",
    "prepend",
    "raked_product",
    "recast",
    "replace",
    "right_inverse",
    "select",
    "shape_div",
    "take",
    "tile_to_shape",
    "tile_unzip",
    "tiled_divide",
    "tiled_product",
    "transform_leaf",
    "unflatten",
    "upcast",
    "weakly_compatible",
    "weakly_congruent",
    "zip_",
    "zipped_divide",
    "zipped_product",
]
