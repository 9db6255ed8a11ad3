"""From programs to access maps."""

from symcute.kernel.symexec.statements import symexecute, under

__all__ = ["symexecute", "under"]
