"""Theorems run in parallel, here or on a cluster, with verdicts kept from run to run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symcute.run.runner import run_all

__all__ = ["run_all"]


def __getattr__(name: str) -> Any:
    """Return the public name, loaded when it is first used: kernels do without theorems."""
    if name != "run_all":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from symcute.run.runner import run_all

    return run_all
