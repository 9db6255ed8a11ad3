"""From programs to access maps."""

from symcute.access.walking.statements import walk

__all__ = ["walk"]
