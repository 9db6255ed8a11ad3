"""Contracts: under which conditions a kernel is right of whose launches nothing is known."""
