"""`guard`: a CuPy kernel that is proved right for its arguments before it is launched.

The first call with arguments of a kind reads the source, checks the arguments against it and proves
the properties: for the family of launches that the source's `// symcute:` notes describe, when this
launch is one of it, and otherwise for these very sizes. What is proved is remembered, so that
later calls only look it up.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal

from symcute.errors import InputError, LaunchRefused, UndecidedLaunch
from symcute.expr.assumptions import Given
from symcute.expr.expression import free_dims, value_at
from symcute.expr.htuple import Leaf
from symcute.frontends import CUDA_CPP
from symcute.kernel.checking import PROPERTIES, check
from symcute.kernel.contracts.contract import Contract
from symcute.kernel.contracts.contract import contract as contract_of
from symcute.kernel.findings import GOOD, Finding
from symcute.kernel.ir.program import Array, Int, Kernel
from symcute.kernel.ir.setting import Setting, Table
from symcute.kernel.launch.arguments import Arguments, overlapping, read_arguments, signature
from symcute.kernel.launch.notes import read_setting
from symcute.kernel.symexec import symexecute

__all__ = ["Guarded", "guard"]

#: How many kinds of arguments are remembered.
MAX_REMEMBERED = 4096
#: How often sizes are checked to find those from which on a launch is wrong.
SEARCH_CHECKS = 80


class Guarded:
    """A kernel that is checked before it is launched; called like the kernel itself."""

    def __init__(
        self,
        kernel: Callable[..., Any],
        program: Kernel,
        options: Mapping[str, Any],
        properties: Collection[str],
        on_unknown: Literal["warn", "raise", "launch"],
        strided: Collection[str],
        contract: bool,
    ) -> None:
        self.kernel = kernel
        self.program = program
        self._options = options
        self._properties = tuple(properties)
        self._on_unknown = on_unknown
        self._strided = frozenset(strided)
        self._by_contract = contract
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
        launch = (_three(grid), _three(block), shared_mem)
        family = self._family
        setting = self._setting(launch, found, family)
        common = tuple(self._common(args, setting))
        findings: tuple[Finding, ...] = ()
        if family is not None and _contains(family, self.program, launch, found):
            findings = self._of_family
        asked = [p for p in self._properties if p not in ("covers", "implements")]
        contract = self._contract if family is None else None
        if contract is not None and contract.holds(asked, setting, found.alignment):
            findings = tuple(f for f in contract.findings if f.property in asked)
        if not findings or any(f.status not in GOOD for f in findings):
            findings = tuple(check(self.program, setting, properties=self._properties))
        findings += common
        self._judge(findings, setting)
        return findings

    def _common(self, args: Sequence[Any], setting: Setting) -> Iterator[Finding]:
        """Yield what memory that arrays have in common leaves open.

        Proofs take arrays of different parameters to be apart; that matters where one is written.
        """
        pairs = overlapping(args)
        if not pairs:
            return
        written = {a.array for a in symexecute(self.program, setting).accesses if a.kind != "read"}
        for pair in pairs:
            one, other = (self.program.params[k] for k in pair)
            if {one.array, other.array} & written:
                yield Finding(
                    "read_write_race_free",
                    "unknown",
                    one.place,
                    f"{one.name} and {other.name} overlap",
                    self.program.name,
                    reason=f"{one.name} and {other.name} have memory in common, and one is written",
                )

    @cached_property
    def _family(self) -> Setting | None:
        """The launches that the notes and the options describe; None when they name none."""
        try:
            return read_setting(self.program, **self._options)
        except InputError:
            if self._options.get("launch") is not None:
                raise
            return None

    @cached_property
    def _contract(self) -> Contract | None:
        """The conditions under which the kernel is right, where notes do not say more."""
        if not self._by_contract or self.program.notes:
            return None
        return contract_of(self.program, self._properties)

    @cached_property
    def _of_family(self) -> tuple[Finding, ...]:
        assert self._family is not None
        return tuple(check(self.program, self._family, properties=self._properties))

    def _setting(
        self,
        launch: tuple[tuple[int, int, int], tuple[int, int, int], int],
        found: Arguments,
        family: Setting | None,
    ) -> Setting:
        """Return the setting of these very sizes; the contents of arrays are what the notes say."""
        contents: dict[str, tuple[Leaf, Leaf]] = {}
        if family is not None:
            for name, bounds in family.contents.items():
                if all(free_dims(x) <= set(found.integers) for x in bounds):
                    low, high = (value_at(x, found.integers) for x in bounds)
                    contents[name] = (low, high)
        grid, block, shared = launch
        return Setting(
            grid=grid,
            block=block,
            shared=shared,
            arguments=dict(found.integers),
            extents=dict(found.extents),
            contents=contents,
            alignment=dict(found.alignment),
            tables=_tables(family, contents, found) if family is not None else {},
        )

    def _judge(self, findings: Sequence[Finding], setting: Setting) -> None:
        """Raise for what was refuted; warn of, or raise for, what is not known."""
        wrong = [f for f in findings if f.status == "refuted"]
        if wrong:
            first = wrong[0]
            more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
            smallest = "; ".join(
                f"{name}={value - 1} is right and {name}={value} is not"
                for name, value in self._smallest(setting, first.property)
            )
            raise LaunchRefused(
                f"{self.program.name} was not launched: {first.property} fails at {first.place}: "
                f"{first.text}{more}",
                f"with the rest as it is, {smallest}"
                if smallest
                else "fix the kernel or the launch",
                wrong,
            )
        unknown = [f for f in findings if f.status == "unknown"]
        if not unknown or self._on_unknown == "launch":
            return
        first = unknown[0]
        what = (
            f"{self.program.name}: {first.property} at {first.place} could not be decided: "
            f"{first.reason}"
        )
        if self._on_unknown == "raise":
            raise LaunchRefused(what, 'assume what is missing, or on_unknown="warn"', unknown)
        warnings.warn(what, UndecidedLaunch, stacklevel=4)

    def _smallest(self, setting: Setting, broken: str) -> Iterator[tuple[str, int]]:
        """Yield the parameters with the value from which on a property fails.

        The property is proved for the value before it, the rest being as it is.
        """
        checks = iter(range(SEARCH_CHECKS))
        for name, value in setting.arguments.items():
            right, wrong = 0, int(value)
            while wrong - right > 1 and next(checks, None) is not None:
                middle = (right + wrong) // 2
                changed = replace(setting, arguments={**setting.arguments, name: middle})
                found = {f.status for f in check(self.program, changed, properties=(broken,))}
                if found <= {*GOOD}:
                    right = middle
                elif "refuted" in found:
                    wrong = middle
                else:
                    break
            if right and wrong - right == 1:
                yield name, wrong


def _three(extents: Sequence[int]) -> tuple[int, int, int]:
    """Return the extents of a grid or a block, of which CuPy fills in those that are missing."""
    if not 1 <= len(extents) <= 3:
        raise InputError(f"{tuple(extents)} is no grid and no block", "give one to three extents")
    x, y, z = (*extents, 1, 1)[:3]
    return int(x), int(y), int(z)


def _contains(
    family: Setting,
    kernel: Kernel,
    launch: tuple[tuple[int, int, int], tuple[int, int, int], int],
    found: Arguments,
) -> bool:
    """Return whether a launch is one of a family; False where that cannot be seen.

    Every dim must be given by a parameter that is that dim alone.
    """
    dims: dict[str, int] = {}
    fixed: list[tuple[Leaf, int]] = []
    for param in kernel.params:
        if not isinstance(param.type, Int):
            continue
        value = found.integers[param.name]
        leaf = family.arguments.get(param.name)
        name = param.name if leaf is None else str(leaf)
        if leaf is not None and free_dims(leaf) != {name}:
            fixed.append((leaf, value))
        elif dims.setdefault(name, value) != value or value < 1:
            return False
    grid, block, shared = launch
    same = [*zip((*family.grid, *family.block), (*grid, *block), strict=True), *fixed]
    try:
        return (
            all(value_at(leaf, dims) == value for leaf, value in same)
            and value_at(family.shared, dims) <= shared
            and all(value_at(x, dims) <= found.extents[a] for a, x in family.extents.items())
            # Of a longer one, what is said of the last element would be said of another.
            and all(value_at(family.extents[a], dims) == found.extents[a] for a in family.tables)
            and all(
                found.alignment.get(a.name, 0) >= family.alignment.get(a.name, _usual(kernel, a))
                for a in kernel.arrays
                if a.name in found.alignment
            )
            and family.given.hold(dims)
        )
    except (InputError, KeyError):
        return False


def _tables(family: Setting, contents: Collection[str], found: Arguments) -> dict[str, Table]:
    """Return the tables of which the contents are known and that are as long as is said."""
    kept = {}
    for name, table in family.tables.items():
        extent = family.extents[name]
        known = name in contents and free_dims(extent) <= set(found.integers)
        if known and value_at(extent, found.integers) == found.extents.get(name):
            kept[name] = table
    return kept


def _usual(kernel: Kernel, array: Array) -> int:
    """Return the alignment that a proof takes for granted where nothing is said of it."""
    return max(kernel.target.allocated, array.alignment)


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
) -> Guarded:
    """Return the kernel with a check before each launch of a new kind.

    `kernel` is a `cupy.RawKernel`, or a function of a `cupy.RawModule` with its `source`; `launch`,
    `given`, `extents` and `contents` describe the launches as the `// symcute:` notes do, and are
    proved once for all of them. `strided` names arrays whose strides the kernel accounts for. With
    `contract`, conditions are found once under which the kernel is right if there are no notes: a
    launch that meets them is compared with them and no more, others are checked by themselves.
    Pre-conditions: the source is CUDA C++ that `symcute check` reads.
    Errors: InputError when there is no source, or no kernel of that name.
    """
    if on_unknown not in ("warn", "raise", "launch"):
        raise InputError(f"on_unknown={on_unknown!r}", 'it is "warn", "raise" or "launch"')
    text = source if source is not None else getattr(kernel, "code", None)
    called = name if name is not None else getattr(kernel, "name", None)
    if not isinstance(text, str) or not isinstance(called, str):
        raise InputError(
            f"{kernel!r} has no source to check", "pass a cupy.RawKernel, or source= and name="
        )
    found = CUDA_CPP.read(text, name=called, **_compiled_with(getattr(kernel, "options", ())))
    options = {"launch": launch, "given": given, "extents": extents, "contents": contents}
    return Guarded(
        kernel,
        found.kernels[called],
        {key: value for key, value in options.items() if value},
        tuple(properties),
        on_unknown,
        strided,
        contract,
    )


def _compiled_with(options: Iterable[str]) -> dict[str, Any]:
    """Return the macros and folders that the options of a compiler give."""
    defines: dict[str, str] = {}
    folders: list[str] = []
    for option in options:
        if option.startswith("-D"):
            macro, _, value = option[2:].partition("=")
            defines[macro] = value or "1"
        elif option.startswith("-I"):
            folders.append(option[2:])
    return {"defines": defines, "include_dirs": tuple(folders)}
