"""Is a launch right? What is decided before a kernel is launched, whoever launches it.

For the family of launches that the notes of a kernel describe, when a launch is one of it; for all
that meet its contract, where one is asked for; and otherwise for the very sizes of a launch.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from symcute.errors import InputError, LaunchRefused, UndecidedLaunch
from symcute.expr.expression import free_dims, value_at
from symcute.expr.htuple import Leaf
from symcute.kernel.checking import check
from symcute.kernel.contracts.contract import Contract
from symcute.kernel.contracts.contract import contract as contract_of
from symcute.kernel.findings import GOOD, Finding
from symcute.kernel.ir.program import Array, Int, Kernel
from symcute.kernel.ir.setting import Setting, Table
from symcute.kernel.launch.arguments import Arguments
from symcute.kernel.launch.notes import read_setting
from symcute.kernel.symexec import symexecute

__all__ = ["Decider", "Launch", "Policy", "three"]

#: How often sizes are checked to find those from which on a launch is wrong.
SEARCH_CHECKS = 80
#: How many launches are remembered.
MAX_REMEMBERED = 4096
#: Grid, block, and bytes of dynamic shared memory.
Launch = tuple[tuple[int, int, int], tuple[int, int, int], int]


@dataclass(frozen=True)
class Policy:
    """What is asked of launches: properties, what is said of a family, what to do in doubt."""

    options: Mapping[str, Any]
    properties: tuple[str, ...]
    on_unknown: Literal["warn", "raise", "launch"]
    contract: bool


class Decider:
    """Decides the launches of one program; `name` is what it is called in messages."""

    def __init__(self, program: Kernel, policy: Policy, name: str = "") -> None:
        self.program, self.policy = program, policy
        self.name = name or program.name
        self._right: dict[Any, tuple[Finding, ...]] = {}

    def check(
        self, launch: Launch, found: Arguments, pairs: Sequence[tuple[str, str]] = ()
    ) -> tuple[Finding, ...]:
        """Return what was found of a launch; `pairs` are arrays that have memory in common.

        Errors: LaunchRefused for what was refuted, and with on_unknown="raise" for what could not
        be decided.
        """
        numbers = tuple(found.integers[n] for n in self._named)
        sizes = tuple(found.extents.items()), tuple(found.alignment.items())
        key = (launch, numbers, sizes, tuple(pairs))
        if key not in self._right:
            findings = self._found(launch, found, pairs)
            if len(self._right) >= MAX_REMEMBERED:
                self._right.clear()
            self._right[key] = findings
        return self._right[key]

    @cached_property
    def _named(self) -> tuple[str, ...]:
        """The numbers that the program uses, or what is said of its launches.

        A seed of random numbers is none of them.
        """
        used = set(re.findall(r"'(\w+)'", repr(self.program.body)))
        used |= set(re.findall(r"\w+", f"{self.program.notes} {self.policy.options}"))
        numbers = (p.name for p in self.program.params if isinstance(p.type, Int))
        return tuple(n for n in numbers if n in used)

    def _found(
        self, launch: Launch, found: Arguments, pairs: Sequence[tuple[str, str]]
    ) -> tuple[Finding, ...]:
        family = self._family
        setting = self._setting(launch, found, family)
        common = tuple(self._common(pairs, setting))
        findings: tuple[Finding, ...] = ()
        if family is not None and _contains(family, self.program, launch, found):
            findings = self._of_family
        asked = [p for p in self.policy.properties if p not in ("covers", "implements")]
        contract = self._contract if family is None else None
        if contract is not None and contract.holds(asked, setting, found.alignment):
            findings = tuple(f for f in contract.findings if f.property in asked)
        if not findings or any(f.status not in GOOD for f in findings):
            findings = tuple(check(self.program, setting, properties=self.policy.properties))
        findings += common
        self._judge(findings, setting)
        return findings

    def _common(self, pairs: Sequence[tuple[str, str]], setting: Setting) -> Iterator[Finding]:
        """Yield what memory that arrays have in common leaves open.

        Proofs take arrays of different names to be apart; that matters where one is written.
        """
        if not pairs:
            return
        written = {a.array for a in symexecute(self.program, setting).accesses if a.kind != "read"}
        params = {p.array or p.name: p for p in self.program.params}
        for pair in pairs:
            one, other = (params[k] for k in pair)
            if {*pair} & written:
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
            return read_setting(self.program, **self.policy.options)
        except InputError:
            if self.policy.options.get("launch") is not None:
                raise
            return None

    @cached_property
    def _contract(self) -> Contract | None:
        """The conditions under which the kernel is right, where notes do not say more."""
        if not self.policy.contract or self.program.notes:
            return None
        return contract_of(self.program, self.policy.properties)

    @cached_property
    def _of_family(self) -> tuple[Finding, ...]:
        assert self._family is not None
        return tuple(check(self.program, self._family, properties=self.policy.properties))

    def _setting(
        self,
        launch: Launch,
        found: Arguments,
        family: Setting | None,
    ) -> Setting:
        """Return the setting of these very sizes; the contents of arrays are what the notes say."""
        contents: dict[str, tuple[Leaf, Leaf]] = {}
        if family is not None:
            dims = _lengths(family, found, found.integers)
            for name, bounds in family.contents.items():
                if all(free_dims(x) <= set(dims) for x in bounds):
                    low, high = (value_at(x, dims) for x in bounds)
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
            fix = f"with the rest as it is, {smallest}" if smallest else ""
            if array := _read_from(first):
                fix = f'say what lies in it, if that cannot be: contents={{"{array}": "[0, n)"}}'
            raise LaunchRefused(
                f"{self.name} was not launched: {first.property} fails at {first.place}: "
                f"{first.text}{more}",
                fix or "fix the kernel or the launch",
                wrong,
            )
        unknown = [f for f in findings if f.status == "unknown"]
        if not unknown or self.policy.on_unknown == "launch":
            return
        first = unknown[0]
        what = (
            f"{self.name}: {first.property} at {first.place} could not be decided: {first.reason}"
        )
        if self.policy.on_unknown == "raise":
            raise LaunchRefused(what, 'assume what is missing, or on_unknown="warn"', unknown)
        warnings.warn(what, UndecidedLaunch, stacklevel=6)

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


def _read_from(finding: Finding) -> str:
    """Return an array on whose contents a counterexample rests, of which nothing is known."""
    values = finding.counterexample.values if finding.counterexample is not None else ()
    return next((name.partition("[")[0] for name in values if "[" in name), "")


def three(extents: Sequence[int]) -> tuple[int, int, int]:
    """Return the extents of a grid or a block, where those that are left out are 1."""
    if not 1 <= len(extents) <= 3:
        raise InputError(f"{tuple(extents)} is no grid and no block", "give one to three extents")
    x, y, z = (*extents, 1, 1)[:3]
    return int(x), int(y), int(z)


def _contains(
    family: Setting,
    kernel: Kernel,
    launch: Launch,
    found: Arguments,
) -> bool:
    """Return whether a launch is one of a family; False where that cannot be seen.

    Every dim must be given by a parameter or an extent of the grid that is that dim alone, or by
    the extent of an array in which it is the only one left.
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
    for leaf, value in same:  # a dim that is an extent of the grid alone
        if free_dims(leaf) == {str(leaf)} and dims.setdefault(str(leaf), value) != value:
            return False
    dims = _lengths(family, found, dims)
    try:
        return (
            all(value_at(leaf, dims) == value for leaf, value in same)
            and value_at(family.shared, dims) == shared  # more may be too much
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


def _lengths(family: Setting, found: Arguments, known: Mapping[str, int]) -> dict[str, int]:
    """Return the dims that are known, and those that follow from the extent of an array."""
    dims = dict(known)
    for name, leaf in family.extents.items():
        left = free_dims(leaf) - set(dims)
        if len(left) != 1 or name not in found.extents:
            continue
        (dim,) = left
        try:
            none, one = (value_at(leaf, {**dims, dim: k}) for k in (0, 1))
            number = (found.extents[name] - none) // (one - none) if one > none else 0
            if number > 0 and value_at(leaf, {**dims, dim: number}) <= found.extents[name]:
                dims[dim] = number
        except (InputError, KeyError):
            continue
    return dims


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
