"""The checker against certificates that hold, that do not, and that are hostile."""
