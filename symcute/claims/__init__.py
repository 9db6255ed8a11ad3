"""Claims: statements about layouts, as values. One file per family."""

from symcute.claims.apart import Apart
from symcute.claims.base import Claim, Counterexample
from symcute.claims.bounds import Aligned, InBounds
from symcute.claims.complement import Complement, Disjoint
from symcute.claims.formulas import Compatible, Holds, PrintsAs, Refines, Table
from symcute.claims.injective import Bijective, Compact, Injective
from symcute.claims.maps import Agree, Composition, Equal, LeftInverse, RightInverse
from symcute.claims.order import Increasing, Monotone
from symcute.claims.overflow import NoOverflow
from symcute.claims.swizzled import SwizzledInBounds
from symcute.claims.tiling import Covers, Partition

__all__ = [
    "Agree",
    "Aligned",
    "Apart",
    "Bijective",
    "Claim",
    "Compact",
    "Compatible",
    "Complement",
    "Composition",
    "Counterexample",
    "Covers",
    "Disjoint",
    "Equal",
    "Holds",
    "InBounds",
    "Increasing",
    "Injective",
    "LeftInverse",
    "Monotone",
    "NoOverflow",
    "Partition",
    "PrintsAs",
    "Refines",
    "RightInverse",
    "SwizzledInBounds",
    "Table",
]
