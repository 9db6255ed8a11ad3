"""What kernels import."""
