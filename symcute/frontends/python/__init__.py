"""Python sources that hand CUDA C++ to CuPy, PyCUDA or PyTorch: read, never executed."""
