"""The layout explorer: one page that computes."""
