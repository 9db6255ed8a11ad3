"""The soak run: random claims, certificates and kernels against meanings that share no code with
the package."""
