"""The checker of `proofs/rocq` extracted to OCaml: a program that answers as Rocq's kernel does."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from symcute.rocq.gallina import CODES, DEPTH, part

__all__ = ["NotMade", "answers", "line", "program"]

#: What Rocq writes of the checker, and how OCaml makes a program of that.
_EXTRACTED = """From Coq Require Extraction ExtrOcamlBasic.
From Symcute Require Import Data Text Stated.
Extraction "checker.ml" verdict read_alike.
"""
_OCAML = ("ocamlopt", "-O3", "-w", "-a", "checker.mli", "checker.ml", "main.ml", "-o", "checker")


class NotMade(Exception):
    """The program cannot be made here; with the reason."""


def program(library: Path, coqc: Callable[[list[str], Path], Any]) -> Path:
    """Return the program of a compiled library, made once. Errors: NotMade."""
    made = library / "checker"
    if made.is_file():
        return made
    ocaml = shutil.which("ocamlfind")
    if ocaml is None:
        raise NotMade("ocamlfind is not installed")
    with tempfile.TemporaryDirectory(dir=library.parent) as name:
        folder = Path(name)
        (folder / "Extracted.v").write_text(_EXTRACTED)
        shutil.copy(library / "main.ml", folder)
        try:
            if coqc(["-R", str(library), "Symcute", "Extracted.v"], folder).returncode:
                raise NotMade("Rocq does not extract the checker")
            compiled = subprocess.run(
                [ocaml, *_OCAML], cwd=folder, capture_output=True, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            raise NotMade("making the program fails, or takes too long") from None
        if compiled.returncode:
            raise NotMade("OCaml does not compile the checker")
        (folder / "checker").replace(made)
    return made


def answers(made: Path, documents: list[dict[str, Any]], timeout: float) -> list[int | None]:
    """Return what the program says of each document, as `batch` says it; None where it fails."""
    found: list[int | None] = []
    lines = [line(part(d)) for d in documents]
    while len(found) < len(documents):
        text = "".join(f"{line}\n" for line in lines[len(found) :])
        try:
            run = subprocess.run([made, str(DEPTH)], input=text, capture_output=True, text=True,
                                 timeout=timeout, check=False)  # fmt: skip
            said, ended = run.stdout, run.returncode == 0
        except (OSError, subprocess.TimeoutExpired):
            return [*found, *[None] * (len(documents) - len(found))]
        found += [int(x) if x in CODES else None for x in said.split()]
        if not ended or len(found) != len(documents):
            found.append(None)
    return found[: len(documents)]


def line(item: Any) -> str:
    """Return data as a line of what `main.ml` reads."""
    if item is None:
        return "N"
    if isinstance(item, bool):
        return "T" if item else "F"
    if isinstance(item, int):
        return f"I{item:x}"
    if isinstance(item, str):
        return f"S{item.encode('utf-8', 'surrogatepass').hex()}"
    if isinstance(item, list):
        return f"[{''.join(map(line, item))}]"
    return f"{{{''.join(line(k) + line(x) for k, x in item.items())}}}"
