"""From programs to access maps."""

from symcute.kernel.walking.statements import walk

__all__ = ["walk"]
