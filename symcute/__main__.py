"""`python -m symcute` is the command `symcute`."""

from __future__ import annotations

from symcute.cli import main

if __name__ == "__main__":
    main()
