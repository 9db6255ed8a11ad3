"""How shared memory is aligned in the PTX that the DSL makes of a kernel."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from .recorded import DSL, recorded

FOLDER = Path(__file__).with_name("cutedsl")
FOR = ("sm_80", "sm_90a", "sm_100a", "sm_120a")


def begun() -> dict[str, str]:
    """Return, for each architecture, what is declared of the alignment."""
    found = recorded("cutedsl_shared", DSL, list(FOR), lambda: [_compiled(x) for x in FOR])
    return dict(zip(FOR, found, strict=True))


def _compiled(architecture: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "CUTE_DSL_ARCH": architecture, "CUTE_DSL_KEEP": "ptx",
               "CUTE_DSL_DUMP_DIR": folder}  # fmt: skip
        command = [sys.executable, str(FOLDER / "compiled.py")]
        subprocess.run(command, env=env, check=True, capture_output=True)
        (path,) = Path(folder).glob("*.ptx")
        found = re.findall(r"\.shared (\.align \d+) \.b8 \w+\[\];", path.read_text())
    (alignment,) = found
    return str(alignment)
