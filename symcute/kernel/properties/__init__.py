"""Properties of access maps: one file a family, and how their obligations are decided."""
