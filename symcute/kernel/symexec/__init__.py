"""From programs to access maps."""

from symcute.kernel.symexec.statements import symexecute

__all__ = ["symexecute"]
