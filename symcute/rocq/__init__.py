"""Certificates before Rocq, the proof assistant: as terms, and what its kernel computes of them."""

from symcute.rocq.gallina import missing
from symcute.rocq.machine import Said, Unavailable, ask, documents

__all__ = ["Said", "Unavailable", "ask", "documents", "missing"]
