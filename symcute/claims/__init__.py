"""Claims: statements about layouts, as values. One file per family."""

from symcute.claims.apart import Apart
from symcute.claims.base import Claim, Counterexample
from symcute.claims.bounds import Aligned, InBounds
from symcute.claims.complement import Complement, Disjoint
from symcute.claims.formulas import Compatible, Holds, PrintsAs, Refines, Table
from symcute.claims.image import SameImage
from symcute.claims.injective import Bijective, Compact, Injective
from symcute.claims.joined import Denied, Either, Joined
from symcute.claims.maps import Agree, Composition, Equal, LeftInverse, RightInverse
from symcute.claims.order import Increasing, Monotone
from symcute.claims.overflow import NoOverflow
from symcute.claims.requests import BankConflict, Coalesced, Requests, Sectors
from symcute.claims.statement import Statement
from symcute.claims.swizzled import SwizzledAgree, SwizzledInBounds
from symcute.claims.threads import PartitionExact, SameElements, repetitions
from symcute.claims.tiling import Covers, Partition
from symcute.claims.vectorizable import Vectorizable

__all__ = [
    "Agree",
    "Aligned",
    "Apart",
    "BankConflict",
    "Bijective",
    "Claim",
    "Coalesced",
    "Compact",
    "Compatible",
    "Complement",
    "Composition",
    "Counterexample",
    "Covers",
    "Denied",
    "Disjoint",
    "Either",
    "Equal",
    "Holds",
    "InBounds",
    "Increasing",
    "Injective",
    "Joined",
    "LeftInverse",
    "Monotone",
    "NoOverflow",
    "Partition",
    "PartitionExact",
    "PrintsAs",
    "Refines",
    "Requests",
    "RightInverse",
    "SameElements",
    "SameImage",
    "Sectors",
    "Statement",
    "SwizzledAgree",
    "SwizzledInBounds",
    "Table",
    "Vectorizable",
    "repetitions",
]
