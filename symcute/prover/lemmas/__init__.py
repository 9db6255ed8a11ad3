"""The lemmas, one file per family: each yields steps, suggestions of how a claim may be proved."""
