"""The process that reads sources: libclang may hang or die on them.

It is told one JSON object a line and answers one a line, as the solvers' processes do.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import sys
from dataclasses import asdict

from symcute import __version__
from symcute.frontends.cuda.failing import Failure
from symcute.frontends.cuda.reading import Request, read
from symcute.kernel.ir.document import to_json

__all__: list[str] = []

#: Address space; macros that explode reach it before they reach the end of the machine's.
_MEMORY = 8 * 2**30
_RECURSION = 20_000
_REPORT = "please report it; meanwhile read the other kernels by their names"


def answer(line: bytes) -> dict[str, object]:
    """Return the answer to one request."""
    try:
        kernels = read(Request(**json.loads(line)))
    except Failure as failure:
        place = None if failure.place is None else asdict(failure.place)
        return {"what": failure.what, "fix": failure.fix, "place": place}
    except (MemoryError, RecursionError):
        return {"what": "the source is nested too deeply, or too large", "fix": "", "place": None}
    except Exception as error:  # a fault of ours, on one source, is not the end of the process
        said = f"{type(error).__name__}: {error}"
        return {"what": f"the front end fails on it ({said})", "fix": _REPORT, "place": None}
    return {"kernels": [[name, to_json(kernel)] for name, kernel in kernels.items()]}


def serve() -> None:
    """Answer requests from standard input until it closes."""
    out = os.fdopen(os.dup(1), "w", encoding="ascii")
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = _MEMORY if hard == resource.RLIM_INFINITY else min(_MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    sys.setrecursionlimit(_RECURSION)
    # Trees and programs are large, and all of one request goes at once.
    gc.disable()
    print(json.dumps({"version": __version__}), file=out, flush=True)
    for line in sys.stdin.buffer:
        print(json.dumps(answer(line)), file=out, flush=True)
        gc.collect()


if __name__ == "__main__":
    serve()
