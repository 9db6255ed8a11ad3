"""Which kernels are to be checked, and how each is launched: files, folders, `symcute.toml`.

    # symcute.toml
    files = ["kernels/*.cu"]              # default: every file below that a front end reads
    include = ["include"]
    given = ["N <= 2**20"]                # assumed for all kernels
    define = { TILE = 32 }

    [kernel.saxpy]
    launch = "grid=(ceil_div(N,256)) block=(256)"
    arg = { n = "N" }
    extent = { x = "N", y = "N" }

The same may stand under `[tool.symcute]` in the folder's `pyproject.toml`. `schemas/settings/` has
the form of both. What is said there of a kernel takes the place of the notes in its source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from symcute.errors import InputError, InternalError, SymcuteError
from symcute.expr import limits
from symcute.frontends import for_file, searched
from symcute.kernel.budget import LEAST, WORK
from symcute.kernel.findings import GOOD, LIMIT, PROPERTIES, Finding, verdict_of
from symcute.kernel.ir.families import Family
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Kernel
from symcute.kernel.launch.families import followed, meant
from symcute.kernel.launch.reading import read_source
from symcute.kernel.launch.settings import config_of

if TYPE_CHECKING:
    from symcute.kernel.contracts.contract import Contract
    from symcute.kernel.ir.setting import Setting

__all__ = [
    "Decided",
    "Found",
    "Known",
    "Reader",
    "Request",
    "Task",
    "Trouble",
    "checked",
    "contract_of",
    "each",
    "read_file",
    "run_task",
    "tasks",
]

#: Properties of what notes say of an array: without notes there is nothing to ask.
SAID = {"covers", "implements"}


@dataclass(frozen=True)
class Request:
    """What is asked for beside the notes in the source."""

    launch: str | None = None
    given: tuple[str, ...] = ()
    arguments: Mapping[str, str] = field(default_factory=dict)
    extents: Mapping[str, str] = field(default_factory=dict)
    contents: Mapping[str, str] = field(default_factory=dict)
    alignment: Mapping[str, str] = field(default_factory=dict)
    template: Mapping[str, str] = field(default_factory=dict)
    defines: Mapping[str, str] = field(default_factory=dict)
    include: tuple[str, ...] = ()
    properties: tuple[str, ...] = PROPERTIES
    architecture: str | None = None
    timeout: float = LIMIT
    same_value: bool = False
    limits: tuple[str, ...] = ()
    certificates: bool = False
    work: int = WORK
    #: How long a contract is looked for where no launch is known.
    contract: Literal["no", "quick", "long"] = "no"
    #: What a host function of CuTe DSL is given, by the names of its parameters.
    types: Mapping[str, str] = field(default_factory=dict)
    #: The road by which files are read that several front ends read.
    road: str = ""
    #: The work for all that is asked of a kernel; what properties are asked only at a glance.
    most: int | None = None
    glance: tuple[str, ...] = ()


@dataclass(frozen=True)
class Known:
    """A kernel that an earlier run read: the file that was, and the digest of the program.

    `families` are how it is launched, `notes` what is written above it.
    """

    name: str
    place: Place
    file: str
    program: str
    notes: tuple[tuple[str, Place], ...] = ()
    families: tuple[Family, ...] = ()


class Decided(Protocol):
    """A kernel without a program: its front end decides what there is to be said of it."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def place(self) -> Place:
        """Where it stands."""

    @property
    def families(self) -> tuple[Family, ...]:
        """There are none."""

    @property
    def notes(self) -> tuple[tuple[str, Place], ...]:
        """There are none that others read."""

    def findings(self, request: Request) -> list[Finding]:
        """Return what is found of it. Errors: InputError."""


#: What is checked.
Found = Kernel | Known | Decided


@dataclass(frozen=True)
class Task:
    """One kernel to be checked, in one of its families of launches if none is given by hand."""

    kernel: Found
    request: Request
    number: int | None = None

    @property
    def has_program(self) -> bool:
        """Is there a program to be checked? Else the front end decides by itself."""
        return isinstance(self.kernel, Kernel | Known)

    @property
    def family(self) -> Family | None:
        """The family of launches."""
        return None if self.number is None else self.kernel.families[self.number]

    @property
    def troubles(self) -> tuple[str, ...]:
        """Launches that are not understood: this one, and all others that its contract is of."""
        own = self.family
        if own is None or not own.trouble:
            return ()
        all = self.kernel.families if _has_contract(self) else (own,)
        return tuple(f"{f.place}: {f.trouble}" for f in all if f.trouble)


@dataclass(frozen=True)
class Trouble:
    """Something that cannot be checked, and why."""

    where: str
    error: SymcuteError


def read_file(
    path: Path, name: str | None, request: Request, tell: Callable[[str], None] = lambda _: None
) -> Sequence[Kernel | Known]:
    """Return the kernels of a file, or those of that name; `tell` gets what was not found for it.

    Errors: InputError.
    """
    source = read_source(for_file(path, request.road), path, request, name)
    if source.compiled:
        tell(f"{path}: {source.compiled}")
    if source.missing:
        tell(f"{path} includes what was not found: {', '.join(source.missing)} (give -I)")
    return list(source.kernels.values())


#: What reads a file.
Reader = Callable[[Path, str | None, Request], Sequence[Found]]


def tasks(target: str, request: Request, read: Reader = read_file) -> Iterator[Task | Trouble]:
    """Yield the kernels that `FILE`, `FILE::kernel` or a folder stands for.

    Errors: InputError when there is no such file or kernel, or nothing to check.
    """
    path, _, name = target.partition("::")
    if not path.strip():
        raise InputError("the name of a source is empty", "name a file, a kernel of it or a folder")
    if Path(path).is_dir():
        if name:
            raise InputError(f"{path} is a folder", "name one file: FILE::kernel")
        yield from _of_folder(Path(path), request, read)
        return
    found = read(Path(path), name or None, request)
    if not found:
        raise InputError(f"{path} has no kernel", for_file(path).kernels)
    made = [task for kernel in found for task in each(kernel, request)]
    yield from compress(made, meant([(t.kernel.place, t.family) for t in made], request.given))


def run_task(task: Task) -> list[Finding]:
    """Check one kernel.

    Errors: InputError where the launch is missing or the setting does not fit.
    """
    # A run that has all its answers from an earlier one does without these.
    from symcute.kernel.launch.asking import asked
    from symcute.kernel.launch.families import qualified

    r, family = task.request, task.family
    found = asked(*_launched(task), r.properties, r.glance, r.most, **_how(r))
    return found if family is None else qualified(found, family)


def _how(r: Request) -> dict[str, Any]:
    """Return how everything is asked."""
    return {
        "timeout": r.timeout, "work": r.work, "same_value": r.same_value,
        "certificates": r.certificates,
    }  # fmt: skip


def _launched(task: Task) -> tuple[Kernel, Setting]:
    """Return a kernel and what is known of its launch."""
    from symcute.kernel.launch.families import understood
    from symcute.kernel.launch.notes import read_setting

    r, kernel, family = task.request, task.kernel, task.family
    if not isinstance(kernel, Kernel):
        raise TypeError(f"{kernel.name} was not read")
    if family is not None:
        family = understood(kernel, family)
    setting = read_setting(
        kernel, launch=r.launch, given=r.given,
        arguments=r.arguments,
        extents=r.extents,
        contents=r.contents,
        alignment=r.alignment,
        architecture=r.architecture,
        limits=r.limits,
        family=family,
    )  # fmt: skip
    return kernel, setting


def contract_of(task: Task) -> Contract | None:
    """Return the contract of a kernel, where one is asked for and nothing is known of its launch.

    Errors: InputError where what is assumed does not fit.
    """
    return _contract_of(task, task.request.properties, None) if _has_contract(task) else None


def checked(task: Task) -> tuple[list[Finding], Contract | None]:
    """Check one kernel, and look for its contract where no launch is known, or too little of it.

    Post-conditions: what is unknown of a launch that was found holds where that meets `holds_if`.
    Errors: as those of `run_task` and `contract_of`.
    """
    if not isinstance(task.kernel, Kernel | Known):
        return task.kernel.findings(task.request), None
    contract = contract_of(task)
    if contract is not None:
        return contract.unconditional(), contract
    family, r = task.family, task.request
    if family is not None and family.avoided:
        return _avoidable(task, family.avoided), None
    if family is None or not _may_have_contract(task):
        return run_task(task), None
    from symcute.kernel.launch.asking import Asking, with_lines

    remaining = limits.countdown(r.timeout)
    # Of programs of one launch that share the work of a kernel, all is asked at once.
    shared = r.glance or r.most is not None
    how = _how(r) | {"quick": r.contract == "quick"}
    asking = None if shared else Asking(*_launched(task), family, r.properties, **how)
    found = run_task(task) if asking is None else asking.begin()
    # Neither lines nor more work help what hangs on a statement that is not understood.
    doubtful = {f.property for f in found if f.is_doubt()} if r.contract == "quick" else set()
    open_ = [p for p, v in verdict_of(found).items() if v == "unknown"]
    open_ = [p for p in open_ if p not in SAID | doubtful]
    if not open_:
        return found, None
    contract = None
    # What is found until the time is over counts.
    with suppress(limits.TimeLimit), limits.within(remaining()):
        contract = _lines_of(task, open_, family)
        known = {} if contract is None else contract.verdicts()
        # Whether that holds without lines for which some were found is asked at length if all is.
        left = [p for p in open_ if known.get(p) not in GOOD or r.contract == "long"]
        if left and asking is not None:
            found = asking.longer(found, left)
    return with_lines(found, contract, family), contract


def _avoidable(task: Task, holds: str) -> list[Finding]:
    """Return what little work finds of launches, of which there are none where that `holds`."""
    from symcute.kernel.budget import LEAST

    request = replace(task.request, most=min(task.request.most or LEAST, LEAST))
    return [
        replace(f, holds_if=holds) if f.status in ("unknown", "refuted") and not f.holds_if else f
        for f in run_task(replace(task, request=request))
    ]


def _lines_of(task: Task, open_: Sequence[str], family: Family) -> Contract | None:
    """Return the contract of a launch that was found, with what that of all launches says besides.

    What is not known of the launch may be what matters. That a device accepts it never is: of all
    launches that is taken for granted.
    """
    own = _contract_of(task, open_, family)
    if own is None or not family.unknown:
        return own
    said = own.verdicts()
    left = [p for p in open_ if said[p] not in GOOD and p != "launch_valid"]
    if not left or own.left <= LEAST:
        return own
    from symcute.kernel.contracts.wider import beside

    wide = _contract_of(task, left, None, own.left)
    return own if wide is None else beside(own, wide, _launched(task)[1])


def _contract_of(
    task: Task, properties: Sequence[str], family: Family | None, most: float | None = None
) -> Contract | None:
    from symcute.kernel.contracts.contract import contract

    r, kernel = task.request, task.kernel
    limits.check()
    if not isinstance(kernel, Kernel):
        raise TypeError(f"{kernel.name} was not read")
    if kernel.target.name != "CUDA" and kernel.block is None:
        return None  # what may be a block there is not known
    return contract(
        kernel, properties,
        given=r.given, architecture=r.architecture, same_value=r.same_value, timeout=r.timeout,
        quick=r.contract == "quick",
        family=family,
        most=most,
    )  # fmt: skip


def _has_contract(task: Task) -> bool:
    """Is a contract asked for, and is there nothing that says how the kernel is launched?"""
    return _may_have_contract(task) and (task.family is None or bool(task.family.trouble))


def _may_have_contract(task: Task) -> bool:
    """Is a contract asked for, and is nothing said by hand?"""
    r = task.request
    said = (r.launch, r.arguments, r.extents, r.contents, r.alignment, r.limits, r.certificates)
    if r.contract == "no" or task.kernel.notes or any(said):
        return False
    return r.properties == PROPERTIES or {*r.properties} <= {*PROPERTIES} - SAID


def each(kernel: Found, request: Request) -> Iterator[Task]:
    """Yield a kernel for each family of its launches that is to be checked.

    Those that are not understood are one where it has a contract: that speaks of all launches.
    """
    lost = False
    for number in followed(kernel.families, kernel.notes, request.launch):
        task = Task(kernel, request, number)
        if task.troubles and _has_contract(task):
            if lost:
                continue
            lost = True
        yield task


# --- folders ------------------------------------------------------------------------------------


def _of_folder(folder: Path, request: Request, read: Reader) -> Iterator[Task | Trouble]:
    path, config = config_of(folder)
    base = _merged(request, config, folder)
    kernels: dict[str, Any] = config.get("kernel", {})
    globs = config.get("files", [f"**/*{suffix}" for suffix in searched()])
    files = sorted({f for g in globs for f in folder.glob(g)})
    if "files" not in config:
        files = [f for f in files if for_file(f).is_marked(f)]
    if not files:
        raise InputError(
            f"{folder} has no file with kernels",
            f"name them in {path}: files = [...]",
        )
    unused = dict(kernels)
    for file in files:
        try:
            found = read(file, None, base)
        except (InputError, InternalError) as error:
            yield Trouble(str(file), error)
            continue
        for kernel in found:
            own = kernels.get(kernel.name, {})
            if own.get("file", file.name) not in (file.name, file.relative_to(folder).as_posix()):
                own = {}
            else:
                unused.pop(kernel.name, None)
            yield from each(kernel, _merged(base, own, folder) if own else base)
    for name in unused:
        known = f"is it in {', '.join(f.name for f in files[:5])}?"
        yield Trouble(name, InputError(f"{path}: there is no kernel {name}", known))


def _merged(request: Request, table: Mapping[str, Any], folder: Path) -> Request:
    """Return a request with what a table says; what was asked on the command line stays."""

    def joined(name: str, old: Mapping[str, str]) -> dict[str, str]:
        return {**{k: str(v) for k, v in table.get(name, {}).items()}, **old}

    properties = request.properties
    if "property" in table and properties == PROPERTIES:
        properties = tuple(table["property"])
    timeout = request.timeout
    if "timeout" in table and timeout == LIMIT:
        timeout = float(table["timeout"])
    return replace(
        request,
        launch=request.launch or table.get("launch"),
        given=(*request.given, *table.get("given", ())),
        arguments=joined("arg", request.arguments),
        extents=joined("extent", request.extents),
        contents=joined("contents", request.contents),
        alignment=joined("align", request.alignment),
        template=joined("template", request.template),
        types=joined("type", request.types),
        defines=joined("define", request.defines),
        include=(*request.include, *(str(folder / x) for x in table.get("include", ()))),
        properties=properties,
        architecture=request.architecture or table.get("arch"),
        timeout=timeout,
        limits=(*table.get("limit", ()), *request.limits),
    )
