"""What a front end knows of every launch, and what it calls things."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Target"]


@dataclass(frozen=True, slots=True)
class Target:
    """What the language of a program and the machines it runs on fix, whatever the program says.

    `grid` and `block` are the most blocks and threads along x, y, z that a launch may have,
    `threads` the most of a block in all, `warp` how many run together. `allocated` is what the
    first byte of memory is a multiple of that a launch hands over, and `allocated_by` where such
    memory is from, `dynamic` what that of dynamic shared memory is a multiple of. In messages the
    extents are `grid_name` and `block_name`, and a comment that speaks of a launch begins with
    `note`. With `asks_for_shared` a launch asks for the shared memory that a program declares, so
    that the limit of what needs not be asked for does not matter.
    """

    name: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    threads: int
    warp: int
    allocated: int
    allocated_by: str
    dynamic: int
    grid_name: str
    block_name: str
    note: str
    asks_for_shared: bool = False
