"""Results as people and programs read them: JSON, one HTML page, the terminal."""
