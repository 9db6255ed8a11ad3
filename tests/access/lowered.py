"""What a piece of CUDA C++ becomes, as lines of text."""

from __future__ import annotations

from typing import Any

from symcute.frontends.cuda import read_kernels
from symcute.kernel.ir.inside import every
from symcute.kernel.ir.program import Kernel, NotUnderstood
from symcute.kernel.ir.text import listing

HEAD = "int *x, float *f, unsigned *u, char *c, int n, int m, unsigned w, long long g"


def kernel(text: str, name: str = "k", **options: Any) -> Kernel:
    """Return the kernel of that name in a text."""
    return read_kernels(text + "\n", **options).kernels[name]


def program(inside: str, before: str = "") -> Kernel:
    """Return the kernel with these statements, over the parameters of HEAD."""
    return kernel(f"{before}\n__global__ void k({HEAD}) {{ {inside} }}")


def lines(inside: str, before: str = "") -> list[str]:
    """Return what statements become, without indentation but for what lies inside others."""
    return [line[2:] for line in listing(program(inside, before)).splitlines()[1:]]


def unsupported(found: Kernel) -> list[NotUnderstood]:
    """Return what was not understood in a kernel."""
    return [s for s in every(found.body) if isinstance(s, NotUnderstood)]
