"""Layouts found: the smallest padding, the smallest swizzle, with the proof that it is."""

from symcute.synthesis.padding import Padding, find_padding
from symcute.synthesis.swizzling import Swizzling, find_swizzle

__all__ = ["Padding", "Swizzling", "find_padding", "find_swizzle"]
