"""Tests, grouped by what they ask; see CONTRIBUTING.md."""
