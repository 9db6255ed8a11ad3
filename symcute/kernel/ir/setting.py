"""What is known of a launch: the grid, the arguments, the sizes of arrays, what is assumed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from symcute.expr.assumptions import Assumptions
from symcute.expr.htuple import Leaf
from symcute.layout.layout import Layout

__all__ = ["OWN", "Setting", "Table"]

#: The names of indices of blocks and threads in formulas, and of what one of two threads has.
OWN = re.compile(r"[bt][xyz]|.*__[12]")


@dataclass(frozen=True)
class Table:
    """How the integers that an array holds hang together, besides what they lie between.

    `distinct`: no two elements are equal. `increasing`: none is less than the one before; the first
    is the least that `contents` allows and the last the largest. `inverse` names the array of which
    it is the inverse: both are permutations of their indices.
    """

    distinct: bool = False
    increasing: bool = False
    inverse: str = ""


@dataclass(frozen=True)
class Setting:
    """One launch, or a family of launches, of a kernel.

    `grid` and `block` are extents in blocks and threads, `shared` the bytes of dynamic shared
    memory; `arguments` give integer parameters (one that is missing is a dim of its own name, at
    least 1 as every dim unless assumed otherwise, and within its type); `extents` the elements of
    arrays; `contents` what the integers in an array lie between, both ends included; `alignment`
    the bytes to which the start of an array is aligned. `covers` are arrays each element of which
    is to be written exactly once, `implements` those of which the elements of a layout are.
    `tables` say how the contents of an array hang together; its extent and contents are given then.
    `limits` say what a request of a warp costs at most: bank conflicts for an array in shared
    memory, sectors for one in global memory.
    """

    grid: tuple[Leaf, Leaf, Leaf]
    block: tuple[Leaf, Leaf, Leaf]
    shared: Leaf = 0
    arguments: Mapping[str, Leaf] = field(default_factory=dict)
    extents: Mapping[str, Leaf] = field(default_factory=dict)
    contents: Mapping[str, tuple[Leaf, Leaf]] = field(default_factory=dict)
    alignment: Mapping[str, int] = field(default_factory=dict)
    given: Assumptions = field(default_factory=lambda: Assumptions.of(()))
    architecture: str = "sm90"
    covers: tuple[str, ...] = ()
    implements: Mapping[str, Layout] = field(default_factory=dict)
    limits: Mapping[str, int] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)
