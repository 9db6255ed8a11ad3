"""What notebooks show of a value: a mixin for the classes that a user meets.

How values are shown is said in `report/notebooks.py`, which stands above them all: it is reached
through the front door, when a notebook asks.
"""

from __future__ import annotations

from typing import Any

__all__ = ["Shown"]


class Shown:
    """A value that a notebook shows as HTML, and exports as LaTeX."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows: text, facts and pictures."""
        import symcute

        found: str | None = symcute.to_html(self)
        return found

    def _repr_latex_(self) -> str | None:
        """Return the value as mathematics, None where it is none."""
        import symcute

        found: str | None = symcute.to_latex(self)
        return found

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """Return the text that `print` gives, which stands beside HTML and LaTeX."""
        return {"text/plain": str(self)}
