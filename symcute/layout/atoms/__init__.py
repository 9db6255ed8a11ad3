"""Instructions of NVIDIA's GPUs as data: MMA atoms, copies, shared-memory layout atoms."""

from symcute.layout.atoms.catalogue import ARCHITECTURES, atom, atom_layout, copy_ops, mma_atoms
from symcute.layout.atoms.entry import CopyOp, MmaAtom
from symcute.layout.atoms.shared import SMEM_ATOMS, smem_layout_atom

__all__ = [
    "ARCHITECTURES",
    "SMEM_ATOMS",
    "CopyOp",
    "MmaAtom",
    "atom",
    "atom_layout",
    "copy_ops",
    "mma_atoms",
    "smem_layout_atom",
]
