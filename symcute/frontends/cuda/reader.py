"""The process that reads sources: libclang may hang or die on them."""

from __future__ import annotations

import gc
import os
import sys
from dataclasses import asdict
from typing import Any

from symcute import __version__
from symcute.frontends.cuda.failing import Failure
from symcute.frontends.cuda.headers import SEARCHED
from symcute.frontends.cuda.reading import read
from symcute.frontends.cuda.unit import Request
from symcute.kernel.ir.document import to_json
from symcute.processes.serving import limit_memory, serve

__all__: list[str] = []

#: Address space; macros that explode reach it before they reach the end of the machine's.
_MEMORY = 8 * 2**30
_RECURSION = 20_000
_REPORT = "please report it; meanwhile read the other kernels by their names"


def answer(asked: dict[str, Any]) -> dict[str, object]:
    """Return the answer to one request, whose paths start at its folder."""
    try:
        os.chdir(asked["folder"])
        kernels, missing = read(Request(**asked["request"]))
    except Failure as failure:
        place = None if failure.place is None else asdict(failure.place)
        return {"what": failure.what, "fix": failure.fix, "place": place}
    except (MemoryError, RecursionError):
        return {"what": "the source is nested too deeply, or too large", "fix": "", "place": None}
    except Exception as error:  # a fault of ours, on one source, is not the end of the process
        said = f"{type(error).__name__}: {error}"
        return {"what": f"the front end fails on it ({said})", "fix": _REPORT, "place": None}
    programs = [[name, to_json(kernel)] for name, kernel in kernels.items()]
    return {"kernels": programs, "missing": missing}


def main() -> None:
    """Answer requests from standard input until it closes."""
    for variable in SEARCHED:
        os.environ.pop(variable, None)
    limit_memory(_MEMORY)
    sys.setrecursionlimit(_RECURSION)
    # Trees and programs are large, and all of one request goes at once; what is loaded stays.
    gc.disable()
    gc.freeze()
    serve({"version": __version__}, answer, after=gc.collect)


if __name__ == "__main__":
    main()
