"""Claims: statements about layouts, as values. One file per family."""

from symcute.claims.base import Claim, Counterexample
from symcute.claims.bounds import InBounds
from symcute.claims.complement import Complement, Disjoint
from symcute.claims.formulas import Compatible, Holds, PrintsAs, Table
from symcute.claims.injective import Bijective, Injective
from symcute.claims.maps import Agree, Composition, Equal, LeftInverse, RightInverse

__all__ = [
    "Agree",
    "Bijective",
    "Claim",
    "Compatible",
    "Complement",
    "Composition",
    "Counterexample",
    "Disjoint",
    "Equal",
    "Holds",
    "InBounds",
    "Injective",
    "LeftInverse",
    "PrintsAs",
    "RightInverse",
    "Table",
]
