"""Beside the core: what the text of a certificate says, and what the core leaves to others.

It imports nothing of the package but the core, and of Python only the standard library. `check`
answers for a certificate with its text; `python -m symcute.recheck FILE...` checks files.
"""

from symcute.recheck.document import check
from symcute.recheck.writing import written

__all__ = ["check", "written"]
