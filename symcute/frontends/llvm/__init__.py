"""CUDA C++ to programs, by clang's LLVM IR."""

from symcute.frontends.llvm.source import read_through_llvm

__all__ = ["read_through_llvm"]
