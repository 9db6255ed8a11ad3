"""`symcute gpu`: runs the index functions of proved layouts on a GPU, or on the CPU."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from symcute.cli import options
from symcute.cli.failures import EXPECTED, UNEXPECTED
from symcute.errors import SymcuteError

if TYPE_CHECKING:
    from symcute.backends import Backend
    from symcute.evidence import Evidence, Item
    from symcute.theorems import Theorem

__all__ = ["gpu_command"]

_GPU_FOLDER, _CPU_FOLDER = Path("reports/gpu"), Path("reports/latest")


@click.command("gpu", short_help="Run proved layouts on a GPU and compare the offsets.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@options.only
@options.timeout
@click.option(
    "--backend",
    type=click.Choice(["auto", "cuda", "cpu"]),
    default="auto",
    show_default=True,
    help="auto is the GPU where there is one, else the CPU.",
)
@click.option(
    "--instances",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    metavar="N",
    help="Instances of the dims for each layout.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help=f"Where the evidence goes (default: {_GPU_FOLDER}, from the CPU {_CPU_FOLDER}).",
)
@click.option("--quiet", "-q", is_flag=True, help="Print the outcome only.")
def gpu_command(
    paths: tuple[str, ...],
    only: str,
    timeout: float,
    backend: str,
    instances: int,
    out: Path | None,
    quiet: bool,
) -> int:
    """Run the index function of every proved layout, and compare all offsets with exact ones.

    The theorems in PATH... are proved first. For each layout of a proved claim the index function
    is generated as C, compiled, run over the whole domain at several instances of the dims, and
    compared with the offsets computed on the host. The evidence (device, driver, source hash,
    instances, coordinates, mismatches) is written as JSON; `symcute verify` shows it in its page.

    A GPU needs CuPy (pip install cupy-cuda13x). Without one the same C runs on the CPU.

    \b
    symcute gpu proofs/
    symcute gpu proofs/notes --only "coalesce*" --backend cpu --instances 3

    Exit codes: 0 all offsets agree, 1 some differ or nothing was compared, 2 bad input,
    3 internal error.
    """
    from symcute.evidence import write
    from symcute.theorems import find

    theorems = find(paths, only)
    machine = _machine(backend)
    items = _proved(paths, theorems, timeout, quiet)
    evidence = _check(items, machine, instances, quiet)
    path = (out or _folder(machine)) / f"{_file_name(evidence)}.json"
    write(evidence, path)
    _tell(evidence, path)
    return EXPECTED if evidence.ok else UNEXPECTED


def _machine(backend: str) -> Backend:
    """Return the backend asked for; on `auto` without a GPU, say so and return the CPU."""
    from symcute.backends import CupyBackend, HostBackend, cupy_available

    if backend == "cuda":
        return CupyBackend()
    if backend == "auto":
        reason = cupy_available()
        if not reason:
            return CupyBackend()
        click.echo(f"no GPU: {reason}; the same C runs on the CPU")
    return HostBackend()


def _folder(machine: Backend) -> Path:
    return _CPU_FOLDER if machine.name == "host" else _GPU_FOLDER


def _file_name(evidence: Evidence) -> str:
    """Return the machine's name as a file name: `nvidia-h200`, or `cpu`."""
    if evidence.backend["name"] == "host":
        return "cpu"
    return re.sub(r"[^a-z0-9]+", "-", evidence.backend["device"].lower()).strip("-") or "gpu"


def _proved(
    paths: tuple[str, ...], theorems: list[Theorem], timeout: float, quiet: bool
) -> list[Item]:
    """Prove the theorems and return the layouts of the claims that are proved."""
    from symcute.cli.runner import cpus, results
    from symcute.evidence import Item
    from symcute.report.terminal import Ticker

    proved: dict[str, set[str]] = {}
    with Ticker(len(theorems), quiet, "proving") as ticker:
        for result in results(paths, theorems, timeout, cpus()):
            ticker.finished(result)
            claims = {p["claim"] for p in result["parts"] if p["status"] == "proved"}
            proved[result["name"]] = claims
    return [
        Item(theorem.name, claim.text(), layout, theorem.given)
        for theorem in theorems
        if proved[theorem.name]
        for claim in theorem.build()
        if claim.text() in proved[theorem.name]
        for layout in dict.fromkeys(claim.layouts())
    ]


def _check(items: list[Item], machine: Backend, instances: int, quiet: bool) -> Evidence:
    from symcute.evidence import check
    from symcute.report.terminal import Ticker

    if not items:
        raise SymcuteError("no claim about a layout is proved", "nothing can be run")
    with Ticker(len(items), quiet, "running") as ticker:

        def progress(_done: int, _total: int, theorem: str) -> None:
            ticker.step(theorem)

        return check(items, machine, count=instances, progress=progress)


def _tell(evidence: Evidence, path: Path) -> None:
    totals = evidence.totals()
    about = evidence.backend
    driver = f", driver {about['driver']}" if about.get("driver") else ""
    click.echo(f"{about['device']}{driver}, {about['compiler']}")
    for item in evidence.items:
        for run in item.runs:
            if run.mismatches:
                at = ", ".join(f"{k}={v}" for k, v in sorted(run.dims.items()))
                click.echo(
                    f"MISMATCH {item.theorem}: {item.layout} at {at or 'its only instance'}: "
                    f"{run.mismatches} of {run.coordinates} offsets differ, "
                    f"the first {run.first_mismatch}"
                )
    click.echo(
        f"{totals['items']} layouts ({totals['skipped']} skipped), "
        f"{totals['instances']} instances, {totals['coordinates']} coordinates compared, "
        f"{totals['mismatches']} mismatches"
    )
    click.echo(f"evidence: {path}")
