"""Symbolic claims whose truth is known: templates, the script that builds the corpus, the data."""

from pathlib import Path

#: The corpus as data, a claim a line.
CORPUS = Path(__file__).parent / "claims.jsonl"
#: Claims of index arithmetic, likewise.
ARITHMETIC = Path(__file__).parent / "arithmetic.jsonl"
