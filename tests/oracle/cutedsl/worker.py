"""A process that traces kernels: a line of JSON with a case in, one with the module's text out."""

import contextlib
import importlib.util
import io
import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace

os.environ["CUTE_DSL_ARCH"] = "sm_90a"
HERE = Path(__file__).parent


def tuples(x):
    return tuple(map(tuples, x)) if isinstance(x, list) else x


def kernels():
    spec = importlib.util.spec_from_file_location("kernels", HERE / "kernels.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    from symcute.frontends.cutedsl.tracing import traced

    family = kernels()
    for line in sys.stdin:
        case = SimpleNamespace(**{k: tuples(v) for k, v in json.loads(line).items()})
        arguments = [family.tensor(case.divisor, case.alignment) for _ in range(2)]
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                text, _ = traced(family.copy_through, (*arguments, case), {})
            answer = {"text": text.replace(str(HERE), "cutedsl")}
        except Exception as error:
            answer = {"refused": str(error)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
