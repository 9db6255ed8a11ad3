"""`python -m gpu`: run every kernel of this folder on the CUDA device, and keep what was seen."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gpu import _run
from symcute import __version__
from symcute.evidence.backends import CupyBackend, cupy_available

KERNELS = ("transpose", "copy", "sgemm", "im2col", "nhwc", "reduction")


def main() -> int:
    """Run, print a line a kernel and size, write the evidence; 1 when some output is wrong."""
    parser = argparse.ArgumentParser(prog="python -m gpu", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"kernel files (default: {', '.join(KERNELS)})")
    parser.add_argument("--out", type=Path, default=Path("reports/gpu/kernels/kernels.json"))
    arguments = parser.parse_args()
    reason = cupy_available()
    if reason:
        print(f"no GPU: {reason}; the kernels run on a CUDA device only", file=sys.stderr)
        return 2
    import numpy as np

    seen: dict[str, list[dict[str, Any]]] = {}
    for name in arguments.names or KERNELS:
        file = importlib.import_module(f"gpu.{name}")
        for result in file.run(np.random.default_rng(1), _run):
            seen.setdefault(name, []).append(asdict(result))
            worst = f", worst {result.worst:.1e}" if result.worst else ""
            print(f"{result.kernel:20} {result.size:28} {result.compared:>9} compared, "
                  f"{result.wrong} wrong{worst}")  # fmt: skip
    every = [x for results in seen.values() for x in results]
    document = {
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "symcute": __version__,
        "backend": CupyBackend().describe(),
        "totals": {
            "runs": len(every),
            "compared": sum(x["compared"] for x in every),
            "wrong": sum(x["wrong"] for x in every),
        },
        "kernels": seen,
    }
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    print(f"{document['totals']}, evidence: {arguments.out}")
    return 0 if document["totals"]["wrong"] == 0 < document["totals"]["compared"] else 1


if __name__ == "__main__":
    sys.exit(main())
