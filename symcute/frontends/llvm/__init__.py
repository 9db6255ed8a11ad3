"""CUDA C++ to programs, by clang's LLVM IR."""
