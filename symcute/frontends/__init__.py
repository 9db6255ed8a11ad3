"""Front ends: from source to programs, a folder for each language."""
