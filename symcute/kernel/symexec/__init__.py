"""From programs to access maps."""

from symcute.kernel.symexec.statements import walk

__all__ = ["walk"]
