"""Functions that torch.compile's Inductor compiles for a GPU, and the files that it leaves of them.

    python3 -m benchmarks.inductor_functions FOLDER --jobs 16     # with torch and a GPU: minutes

Each is compiled for sizes that are numbers (`FOLDER/static/NAME`) and for sizes that are symbols
(`FOLDER/dynamic/NAME`), some backwards too, in a process of its own, and run once. What is checked
are those files (`benchmarks/inductor.py`): nothing of symcute is needed here.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple


class Function(NamedTuple):
    """What is compiled: shapes of its arguments (`i` before one is of integers), how it is made."""

    make: Callable[[Any], Callable[..., Any]]
    shapes: tuple[Any, ...]
    backward: bool = False


#: Seconds that a function may take.
LIMIT = 240
MATRIX, VECTOR, IMAGE = (384, 1000), (100_000,), (2, 16, 33, 47)


def _functional(name: str, *more: Any, **named: Any) -> Callable[[Any], Callable[..., Any]]:
    """Return a way to make a call of `torch.nn.functional` of what is given, and of these."""
    return lambda torch: lambda *x: getattr(torch.nn.functional, name)(*x, *more, **named)


FUNCTIONS = {
    # One element after the other
    "add": Function(lambda torch: lambda x, y: x + y, (MATRIX, MATRIX)),
    "gelu": Function(_functional("gelu"), (MATRIX,), True),
    "swiglu": Function(
        lambda torch: lambda x, y: torch.nn.functional.silu(x) * y, (MATRIX, MATRIX), True),
    "bias_of_rows": Function(lambda torch: lambda x, b: (x + b).relu(), (MATRIX, (1000,))),
    "bias_of_columns": Function(lambda torch: lambda x, b: x * b[:, None], (MATRIX, (384,))),
    "transposed": Function(lambda torch: lambda x, y: x.t() + y, (MATRIX, (1000, 384))),
    "contiguous": Function(lambda torch: lambda x: x.permute(0, 2, 3, 1).contiguous(), (IMAGE,)),
    "converted": Function(lambda torch: lambda x: x.to(torch.float16), (MATRIX,)),
    "where": Function(lambda torch: lambda x, y: torch.where(x > 0, x, y), (MATRIX, MATRIX)),
    "clamped": Function(lambda torch: lambda x: x.clamp(-1, 1), (VECTOR,)),
    "dropout": Function(_functional("dropout", 0.5), (MATRIX,)),
    "triangle": Function(lambda torch: lambda x: x.tril(), (MATRIX,)),
    "in_place": Function(lambda torch: lambda x: x.mul_(2).add_(1), (MATRIX,)),
    "outer": Function(lambda torch: lambda x, y: x[:, None] * y[None, :], ((300,), (500,))),
    # Sums, and what is made of rows
    "sum_of_all": Function(lambda torch: lambda x: x.sum(), (VECTOR,)),
    "sum_of_rows": Function(lambda torch: lambda x: x.sum(1), (MATRIX,)),
    "sum_of_columns": Function(lambda torch: lambda x: x.sum(0), (MATRIX,)),
    "mean_and_variance": Function(lambda torch: lambda x: (x.mean(1), x.var(1)), (MATRIX,)),
    "largest": Function(lambda torch: lambda x: x.max(1), (MATRIX,)),
    "where_largest": Function(lambda torch: lambda x: x.argmax(1), (MATRIX,)),
    "softmax": Function(lambda torch: lambda x: x.softmax(-1), (MATRIX,), True),
    "log_softmax": Function(lambda torch: lambda x: x.log_softmax(-1), (MATRIX,)),
    "layer_norm": Function(
        lambda torch: lambda x, w, b: torch.nn.functional.layer_norm(x, x.shape[1:], w, b),
        (MATRIX, (1000,), (1000,)), True),
    "rms_norm": Function(
        lambda torch: lambda x, w: x * (x.pow(2).mean(-1, keepdim=True) + 1e-6).rsqrt() * w,
        (MATRIX, (1000,)), True),
    "group_norm": Function(_functional("group_norm", 4), (IMAGE,)),
    "normalized": Function(_functional("normalize"), (MATRIX,)),
    "cumulated": Function(lambda torch: lambda x: x.cumsum(1), (MATRIX,)),
    "any_and_all": Function(lambda torch: lambda x: ((x > 0).any(1), (x > 0).all(1)), (MATRIX,)),
    "cross_entropy": Function(_functional("cross_entropy"), (MATRIX, ("i", 384)), True),
    # Indices
    "embedding": Function(_functional("embedding"), (("i", 7, 50), MATRIX)),
    "gathered": Function(lambda torch: lambda x, i: x.gather(1, i), (MATRIX, ("i", 384, 30))),
    "chosen_rows": Function(lambda torch: lambda x, i: x.index_select(0, i), (MATRIX, ("i", 30))),
    "scattered": Function(
        lambda torch: lambda x, i, y: x.scatter_add(0, i, y), (VECTOR, ("i", 777), (777,))),
    "one_hot": Function(lambda torch: lambda i: (i[:, None] == torch.arange(
        300, device=i.device)).to(torch.float32), (("i", 500),)),
    "put": Function(
        lambda torch: lambda x, i, y: x.index_put((i,), y), (MATRIX, ("i", 30), (30, 1000))),
    # Views, and what lies beside another
    "joined": Function(lambda torch: lambda x, y: torch.cat([x, y], 1), (MATRIX, (384, 200))),
    "stacked": Function(lambda torch: lambda x, y: torch.stack([x, y]), (MATRIX, MATRIX)),
    "rolled": Function(lambda torch: lambda x: x.roll(3, 1), (MATRIX,)),
    "flipped": Function(lambda torch: lambda x: x.flip(0), (MATRIX,)),
    "sliced": Function(lambda torch: lambda x: x[:, 1:] - x[:, :-1], (MATRIX,)),
    "every_second": Function(lambda torch: lambda x: x[::2, 1::2] + 1, (MATRIX,)),
    "rotated_halves": Function(
        lambda torch: lambda x, c: torch.cat(
            [-x[..., x.shape[-1] // 2:], x[..., : x.shape[-1] // 2]], -1) * c,
        ((4, 8, 100, 64), (100, 64)), True),
    # Images
    "padded": Function(_functional("pad", (1, 2, 3, 4)), (IMAGE,)),
    "reflected": Function(_functional("pad", (2, 2, 2, 2), mode="reflect"), (IMAGE,)),
    "max_pooled": Function(_functional("max_pool2d", 3, 2, 1), (IMAGE,)),
    "mean_pooled": Function(_functional("avg_pool2d", 2), (IMAGE,)),
    "enlarged": Function(_functional("interpolate", scale_factor=2), (IMAGE,)),
    "shuffled": Function(_functional("pixel_shuffle", 4), (IMAGE,)),
    # Behind a product of matrices
    "linear_gelu": Function(
        lambda torch: lambda x, w, b: torch.nn.functional.gelu(x @ w + b),
        (MATRIX, (1000, 200), (200,))),
    "attention": Function(
        lambda torch: lambda q, k, v: ((q @ k.transpose(-2, -1)) / 8).softmax(-1) @ v,
        ((2, 4, 100, 64),) * 3),
}  # fmt: skip


def compiled(name: str, dynamic: bool) -> None:
    """Compile a function and run it once; its files lie in `TORCHINDUCTOR_CACHE_DIR`."""
    import torch

    function = FUNCTIONS[name]
    torch.manual_seed(1)
    given = [_tensor(torch, s, function.backward) for s in function.shapes]
    call = torch.compile(function.make(torch), dynamic=dynamic)
    result = call(*given)
    if function.backward:
        result.sum().backward()
    torch.cuda.synchronize()


def _tensor(torch: Any, shape: tuple[Any, ...], gradient: bool) -> Any:
    if shape[0] == "i":
        return torch.randint(0, 30, shape[1:], device="cuda")
    return torch.randn(shape, device="cuda", requires_grad=gradient)


def _made(folder: Path, kind: str, name: str) -> str:
    """Compile in a process of its own, and return what is said of it."""
    cache = folder / kind / name
    env = {
        **os.environ, "TORCHINDUCTOR_CACHE_DIR": str(cache), "TORCHINDUCTOR_COMPILE_THREADS": "1",
        "TORCHINDUCTOR_FX_GRAPH_CACHE": "0", "TORCHINDUCTOR_AUTOGRAD_CACHE": "0",
        "OMP_NUM_THREADS": "1",
    }  # fmt: skip
    command = [sys.executable, "-m", "benchmarks.inductor_functions", str(folder), "--one"]
    try:
        ran = subprocess.run(
            [*command, kind, name],
            env=env,
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )
    except subprocess.TimeoutExpired:
        return f"{kind}/{name}: not compiled in 240 s"
    wrappers = [f for f in cache.rglob("*.py") if "async_compile.triton(" in f.read_text("utf-8")]
    trouble = ran.stderr.strip().splitlines()[-1:] if ran.returncode else []
    return f"{kind}/{name}: {len(wrappers)} wrappers {' '.join(trouble)}".rstrip()


def main() -> None:
    """Compile all, or one."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--jobs", type=int, default=16)
    parser.add_argument("--one", nargs=2, metavar=("KIND", "NAME"), help="compile this one here")
    args = parser.parse_args()
    if args.one:
        compiled(args.one[1], args.one[0] == "dynamic")
        return
    with ThreadPoolExecutor(args.jobs) as pool:
        kinds = [(k, n) for n in FUNCTIONS for k in ("static", "dynamic")]
        for said in pool.map(lambda at: _made(args.folder.resolve(), *at), kinds):
            print(said, flush=True)


if __name__ == "__main__":
    main()
