"""Kernels: their programs executed, and what is said of them held against executions."""
