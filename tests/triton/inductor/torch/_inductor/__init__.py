"""What stands for the compiler of PyTorch."""
