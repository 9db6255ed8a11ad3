"""`guard`: a kernel that is proved right for its arguments before it is launched.

The first call with arguments of a kind reads the source, checks the arguments against it and proves
the properties: for the family of launches that the source's `symcute:` notes describe, when this
launch is one of it, and otherwise for these very sizes. What is proved is remembered, so that
later calls only look it up. Kernels are those of CuPy, here, and those of Triton, in `triton.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Literal

from symcute.errors import InputError
from symcute.expr.assumptions import Given
from symcute.frontends import CUDA_CPP
from symcute.frontends.cuda.options import macros
from symcute.kernel.checking import PROPERTIES
from symcute.kernel.findings import Finding
from symcute.kernel.ir.program import Kernel
from symcute.kernel.launch.arguments import overlapping, read_arguments, signature
from symcute.kernel.launch.deciding import Decider, Policy, three
from symcute.kernel.launch.triton import GuardedTriton, guarded_triton, is_triton

__all__ = ["Guarded", "guard"]

#: How many kinds of arguments are remembered.
MAX_REMEMBERED = 4096


class Guarded:
    """A kernel that is checked before it is launched; called like the kernel itself."""

    def __init__(
        self, kernel: Callable[..., Any], program: Kernel, policy: Policy, strided: Collection[str]
    ) -> None:
        self.kernel = kernel
        self.program = program
        self._decider = Decider(program, policy)
        self._strided = frozenset(strided)
        self._passed: set[Any] = set()

    def __call__(
        self,
        grid: Sequence[int],
        block: Sequence[int],
        args: Sequence[Any],
        *,
        shared_mem: int = 0,
        **options: Any,
    ) -> Any:
        """Launch the kernel, unless something would go wrong.

        Errors: InputError for arguments that do not fit the parameters, LaunchRefused for what was
        refuted, and with on_unknown="raise" for what could not be decided.
        """
        key = (tuple(grid), tuple(block), shared_mem, overlapping(args), *map(signature, args))
        if key not in self._passed:
            self.check(grid, block, args, shared_mem=shared_mem)
            if len(self._passed) >= MAX_REMEMBERED:
                self._passed.clear()
            self._passed.add(key)
        return self.kernel(grid, block, args, shared_mem=shared_mem, **options)

    def check(
        self,
        grid: Sequence[int],
        block: Sequence[int],
        args: Sequence[Any],
        *,
        shared_mem: int = 0,
    ) -> tuple[Finding, ...]:
        """Check a launch without launching; return what was found.

        Errors: as those of a call.
        """
        found = read_arguments(self.program, args, self._strided)
        names = [p.array or p.name for p in self.program.params]
        pairs = [(names[i], names[k]) for i, k in overlapping(args)]
        return self._decider.check((three(grid), three(block), shared_mem), found, pairs)


def guard(
    kernel: Any,
    *,
    name: str | None = None,
    source: str | None = None,
    launch: str | None = None,
    given: Given = (),
    extents: Mapping[str, Any] | None = None,
    contents: Mapping[str, Any] | None = None,
    properties: Iterable[str] = PROPERTIES,
    on_unknown: Literal["warn", "raise", "launch"] = "warn",
    strided: Collection[str] = (),
    contract: bool = False,
) -> Guarded | GuardedTriton:
    """Return the kernel with a check before each launch of a new kind.

    `kernel` is a `cupy.RawKernel`, a function of a `cupy.RawModule` with its `source`, or what
    `triton.jit`, `triton.autotune` or `triton.heuristics` makes, below `@symcute.guard`. `launch`,
    `given`, `extents` and `contents` describe the launches as `symcute:` notes do, and are
    proved once for all of them. `strided` names arrays whose strides the kernel accounts for; those
    of Triton are taken as they are. With
    `contract`, conditions are found once under which the kernel is right if there are no notes: a
    launch that meets them is compared with them and no more, others are checked by themselves.
    Pre-conditions: the source is CUDA C++ or Triton that `symcute check` reads.
    Errors: InputError when there is no source, or no kernel of that name, and for options of the
    compiler that are not understood.
    """
    if on_unknown not in ("warn", "raise", "launch"):
        raise InputError(f"on_unknown={on_unknown!r}", 'it is "warn", "raise" or "launch"')
    options = {"launch": launch, "given": given, "extents": extents, "contents": contents}
    said = {key: value for key, value in options.items() if value}
    policy = Policy(said, tuple(properties), on_unknown, contract)
    if is_triton(kernel):
        return guarded_triton(kernel, policy)
    text = source if source is not None else getattr(kernel, "code", None)
    called = name if name is not None else getattr(kernel, "name", None)
    if not isinstance(text, str) or not isinstance(called, str):
        raise InputError(
            f"{kernel!r} has no source to check", "pass a cupy.RawKernel, or source= and name="
        )
    found = CUDA_CPP.read(text, name=called, **_compiled_with(getattr(kernel, "options", ())))
    return Guarded(kernel, found.kernels[called], policy, strided)


def _compiled_with(options: Sequence[str]) -> dict[str, Any]:
    """Return the macros and folders that the options of a compiler give.

    Errors: InputError for options by which the text may mean something else.
    """
    defines = macros(options)
    if defines is None:
        raise InputError(
            f"the options {tuple(options)} are not understood", "write -DNAME=VALUE, one a macro"
        )
    folders = tuple(option[2:] for option in options if option.startswith("-I"))
    return {"defines": defines, "include_dirs": folders}
