"""Evidence: what a machine said when it ran the generated checks of claims.

For each claim the index functions are generated along several roads (64 bits, 32 bits, NVIDIA's
CuTe), compiled, and run over the whole domain at many instances of the dims: their offsets against
the library's, and what the claim says of them. A refuted claim is run at its counterexample, where
it must fail.

Evidence backs a proof, it is none: it speaks of the instances that ran.
"""

from symcute.evidence.audit import staleness, verify
from symcute.evidence.record import Evidence, Item, Run, Subject, source_hash, write
from symcute.evidence.run import Options, gather

__all__ = [
    "Evidence",
    "Item",
    "Options",
    "Run",
    "Subject",
    "gather",
    "source_hash",
    "staleness",
    "verify",
    "write",
]
