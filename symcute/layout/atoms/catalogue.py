"""Atoms by name and by architecture."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import Any

from symcute.errors import InputError
from symcute.layout.atoms.entry import CopyOp, MmaAtom
from symcute.layout.layout import Layout

__all__ = ["ARCHITECTURES", "atom", "atom_layout", "copy_ops", "mma_atoms"]

#: One file of data each, read when it is asked for. `universal` has the copies of every one.
ARCHITECTURES = (
    "universal", "sm61", "sm70", "sm75", "sm80", "sm89", "sm90", "sm100", "sm120",
)  # fmt: skip


def mma_atoms(arch: str | None = None) -> tuple[MmaAtom, ...]:
    """Return the MMA atoms of an architecture, or of all.

    An architecture has those that it brought; most run on later ones too.
    Errors: InputError for an architecture that is not in the catalogue.

    >>> [a.name for a in mma_atoms("sm75")]
    ['SM75_16x8x8_F32F16F16F32_TN', 'SM75_8x8x16_S32S8S8S32_TN']
    """
    return _of(arch, "MMA_ATOMS")


def copy_ops(arch: str | None = None) -> tuple[CopyOp, ...]:
    """Return the copy instructions of an architecture, or of all.

    Errors: InputError for an architecture that is not in the catalogue.

    >>> [c.name for c in copy_ops("sm90")][:2]
    ['SM90_U32x1_STSM_N', 'SM90_U32x2_STSM_N']
    """
    return _of(arch, "COPY_OPS")


def atom(name: str) -> MmaAtom | CopyOp:
    """Return the MMA atom or the copy instruction of that name, the name of CuTe's struct.

    Errors: InputError for another name, with those nearest to it.

    >>> atom("SM80_16x8x16_F32F16F16F32_TN").shape_mnk
    (16, 8, 16)
    >>> atom("SM80_16x8x15_F32F16F16F32_TN")
    Traceback (most recent call last):
    symcute.errors.InputError: there is no atom 'SM80_16x8x15_F32F16F16F32_TN'; did you mean ...
    """
    table = _by_name()
    found = table.get(name.replace(" ", ""))
    if found is None:
        close = [known for known in table if known.startswith(name)][:3] if name else []
        close = close or get_close_matches(name, table, 3)
        raise InputError(
            f"there is no atom {name!r}",
            f"did you mean {', '.join(close)}?" if close else "symcute atoms lists them",
        )
    return found


def atom_layout(name: str, operand: str) -> Layout:
    """Return a thread-value layout of an atom: A, B, C (SFA, SFB) of an MMA, Src, Dst of a copy.

    Errors: InputError for another atom or operand.

    >>> print(atom_layout("SM80_16x8x16_F32F16F16F32_TN", "B"))
    ((4,8),(2,2)):((16,1),(8,64))
    """
    layouts = atom(name).layouts()
    if operand not in layouts:
        raise InputError(f"{name} has no operand {operand!r}", f"give {' or '.join(layouts)}")
    return layouts[operand][0]


@cache
def _by_name() -> dict[str, MmaAtom | CopyOp]:
    found: tuple[MmaAtom | CopyOp, ...] = (*mma_atoms(), *copy_ops())
    return {x.name: x for x in found}


@cache
def _of(arch: str | None, table: str) -> tuple[Any, ...]:
    if arch is None:
        return tuple(x for name in ARCHITECTURES for x in _of(name, table))
    name = str(arch).lower().replace("_", "")
    if name not in ARCHITECTURES:
        close = get_close_matches(name, ARCHITECTURES, 1)
        near = f"did you mean {close[0]}? " if close else ""
        raise InputError(
            f"there is no architecture {arch!r} in the catalogue",
            f"{near}it has {', '.join(ARCHITECTURES)}",
        )
    found: tuple[Any, ...] = getattr(import_module(f"symcute.layout.atoms.{name}"), table, ())
    return found
