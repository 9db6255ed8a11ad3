"""The table of a layout: the offset at every (row, column), as CuTe's print_layout draws it.

Source: cute/util/print_tensor.hpp, print_layout.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout

__all__ = ["LIMIT", "Grid", "grid", "picture"]

#: The most offsets a table shows.
LIMIT = 4096


@dataclass(frozen=True)
class Grid:
    """The offsets of a layout in rows; a layout of rank 1 is one row."""

    rows: tuple[tuple[int, ...], ...]

    @property
    def columns(self) -> int:
        """The number of columns."""
        return len(self.rows[0])


def grid(layout: Layout | ComposedLayout, limit: int = LIMIT) -> Grid | None:
    """Return the offsets of a static layout of rank 1 or 2, or None for any other or a larger one.

    >>> grid(Layout((2, (2, 2)), (4, (2, 1)))).rows
    ((0, 2, 1, 3), (4, 6, 5, 7))
    >>> grid(Layout(2**60)) is None
    True
    """
    size = layout.size()
    if not layout.is_static() or layout.rank() > 2 or not isinstance(size, int) or size > limit:
        return None
    if layout.rank() == 1:
        return Grid((tuple(layout(i) for i in range(size)),))
    rows, columns = (int(mode.size()) for mode in layout)
    return Grid(tuple(tuple(layout(i, j) for j in range(columns)) for i in range(rows)))


def picture(cells: Grid, label: Callable[[int], str] = str) -> str:
    """Return the table as text, with the row and column numbers at its edges.

    `label` says what stands for an offset.

    >>> print(picture(grid(Layout((2, 2), (2, 1)))))
           0   1
         +---+---+
       0 | 0 | 1 |
         +---+---+
       1 | 2 | 3 |
         +---+---+
    """
    labels = [[label(x) for x in row] for row in cells.rows]
    width = max(len(str(cells.columns - 1)), *(len(x) for row in labels for x in row))
    margin = max(4, len(str(len(cells.rows) - 1)) + 1)
    rule = " " * (margin + 1) + "+" + f"{'-' * (width + 2)}+" * cells.columns
    head = " " * (margin + 1) + "".join(f"  {j:>{width}} " for j in range(cells.columns))
    lines = [head.rstrip(), rule]
    for i, row in enumerate(labels):
        lines.append(f"{i:>{margin}} |" + "".join(f" {x:>{width}} |" for x in row))
        lines.append(rule)
    return "\n".join(lines)
