"""What an editor is told of theorem files, kernels and settings: the language server."""
