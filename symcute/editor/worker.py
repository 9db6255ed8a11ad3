"""Decides what the editor shows of one file, in a process that may be killed at any time.

    python -m symcute.editor.worker

It is asked to open a file and answers with the units of work; asked for the next unit it answers
with what is to be said of that. A theorem file is Python, which is run: here, and nowhere else.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, Protocol

from symcute.processes.serving import limit_memory, serve

__all__ = ["main"]


class _File(Protocol):
    remarks: list[Any]

    def units(self) -> list[Any]: ...
    def decide(self, number: int) -> list[Any]: ...


def _opened(request: dict[str, Any]) -> _File:
    path, root, seconds = Path(request["path"]), Path(request["root"]), float(request["seconds"])
    if path.suffix == ".py":
        from symcute.editor.theorems import TheoremFile

        return TheoremFile(path, request["text"], root, seconds)
    from symcute.editor.kernels import Kernels

    return Kernels(path, root, seconds)


def main() -> None:
    """Answer requests until standard input closes."""
    limit_memory(int(sys.argv[1]) * 2**20)
    opened: list[_File] = []

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        if "path" in request:
            os.chdir(request["root"])
            opened[:] = [_opened(request)]
            file = opened[0]
            return {
                "units": [vars(u) for u in file.units()],
                "remarks": [r.to_json() for r in file.remarks],
            }
        return {"remarks": [r.to_json() for r in opened[0].decide(int(request["unit"]))]}

    serve({"ready": True}, answer)


if __name__ == "__main__":
    main()
