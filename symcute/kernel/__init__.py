"""Kernels: what they touch, from source to verdict."""
