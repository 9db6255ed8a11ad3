"""Layouts and their algebra; atoms and thread-value layouts made of them."""
