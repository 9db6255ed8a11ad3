"""Theorems run in parallel, here or on a cluster, with verdicts kept from run to run."""

from __future__ import annotations

from symcute.run.runner import run_all

__all__ = ["run_all"]
