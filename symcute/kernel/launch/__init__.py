"""Launches: what is said of them in notes, files and arguments, and the guard before one."""
