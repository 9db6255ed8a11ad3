"""What a piece of CUDA C++ becomes, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symcute.frontends.cuda import read_kernels
from symcute.kernel.ir.program import If, Kernel, Loop, NotUnderstood, Scope, Stmt
from symcute.kernel.ir.text import listing

HEAD = "int *x, float *f, unsigned *u, char *c, int n, int m, unsigned w, long long g"


def kernel(text: str, name: str = "k", **options: object) -> Kernel:
    """Return the kernel of that name in a text."""
    return read_kernels(text + "\n", **options).kernels[name]  # type: ignore[arg-type]


def program(inside: str, before: str = "") -> Kernel:
    """Return the kernel with these statements, over the parameters of HEAD."""
    return kernel(f"{before}\n__global__ void k({HEAD}) {{ {inside} }}")


def lines(inside: str, before: str = "") -> list[str]:
    """Return what statements become, without indentation but for what lies inside others."""
    return [line[2:] for line in listing(program(inside, before)).splitlines()[1:]]


def every(block: Sequence[Stmt]) -> Iterator[Stmt]:
    """Yield statements and those inside them."""
    for s in block:
        yield s
        match s:
            case If(then=then, other=other):
                yield from every((*then, *other))
            case Loop(before=before, body=body, step=step):
                yield from every((*before, *body, *step))
            case Scope(body=body):
                yield from every(body)


def unsupported(found: Kernel) -> list[NotUnderstood]:
    """Return what was not understood in a kernel."""
    return [s for s in every(found.body) if isinstance(s, NotUnderstood)]
