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


def kernels(name):
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    from symcute.frontends.cutedsl.tracing import traced

    family, pieces = kernels("kernels"), kernels("pieces")
    accesses = [kernels(x) for x in ("accesses", "predicates", "widths", "ordering", "stages",
                                      "rounds")]  # fmt: skip
    for line in sys.stdin:
        case = SimpleNamespace(**{k: tuples(v) for k, v in json.loads(line).items()})
        try:
            if hasattr(case, "family"):
                (source,) = [x for x in accesses if case.family in x.HOSTS]
                host, arguments = source.traced_as(case)
            elif hasattr(case, "kind"):
                host, arguments = pieces.traced_as(case)
            else:
                host = family.copy_through
                both = [family.tensor(case.divisor, case.alignment) for _ in range(2)]
                arguments = (*both, case)
            with contextlib.redirect_stdout(io.StringIO()):
                text, *_ = traced(host, arguments, {})
            answer = {"text": text.replace(str(HERE), "cutedsl")}
        except Exception as error:
            answer = {"refused": str(error)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
