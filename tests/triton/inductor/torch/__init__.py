"""What stands for PyTorch where kernels of its compiler are read."""
