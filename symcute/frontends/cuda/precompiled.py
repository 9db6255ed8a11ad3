"""Our headers, read once by a process that reads more than one text: they are most of the work."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from clang import cindex

from symcute.frontends.cuda.headers import ROOT, headers

__all__ = ["precompiled"]

#: Where only what may stand in a header is parsed, and so that it can be kept.
_INCOMPLETE, _FOR_SERIALIZATION = 0x02, 0x10
_FROM = f"{ROOT}/symcute_precompiled.h"


@cache
def precompiled(arguments: tuple[str, ...], includes: tuple[str, ...]) -> tuple[Sequence[str], int]:
    """Return the arguments by which clang has read what is to be included, in so many words.

    With them comes how many declarations that puts before those of the text.

    What clang keeps lies in memory that goes with this process, under a name that only the process
    has. Where a system has no such memory, or clang keeps nothing, the headers are included.
    """
    plain = [word for header in includes for word in ("-include", header)]
    if not hasattr(os, "memfd_create"):
        return plain, 0
    text = "".join(f'#include "{header}"\n' for header in includes)
    try:
        unit = cindex.Index.create().parse(
            _FROM, args=arguments, unsaved_files=[(_FROM, text), *headers().items()],
            options=_INCOMPLETE | _FOR_SERIALIZATION,
        )  # fmt: skip
        if list(unit.diagnostics):
            return plain, 0
        count = sum(1 for _ in unit.cursor.get_children())
        with tempfile.TemporaryDirectory() as folder:
            kept = Path(folder) / "kept"
            unit.save(str(kept))
            data = kept.read_bytes()
        held = os.memfd_create("symcute headers")
        with os.fdopen(held, "wb", closefd=False) as memory:
            memory.write(data)
    except (OSError, cindex.TranslationUnitLoadError, cindex.TranslationUnitSaveError):
        return plain, 0
    name = f"/proc/self/fd/{held}"
    return (["-include-pch", name], count) if Path(name).exists() else (plain, 0)
