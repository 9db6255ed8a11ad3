"""`symcute gpu`: runs what the theorems say on a GPU, or on the CPU, and keeps the evidence."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import click

from symcute.cli import options
from symcute.cli.failures import EXPECTED, UNEXPECTED
from symcute.errors import InputError, SymcuteError

if TYPE_CHECKING:
    from symcute.evidence import Evidence, Options, Subject

__all__ = ["gpu_command"]

_GPU_FOLDER, _CPU_FOLDER = Path("reports/gpu"), Path("reports/latest")
#: Instances a claim, and coordinates an instance, where no option says otherwise.
_INSTANCES = {"cuda": 20, "cpu": 6}
_LIMITS = {"cuda": 1 << 20, "cpu": 1 << 14}


@click.command("gpu", short_help="Compare claims with a GPU, and keep the evidence.")
@click.argument("paths", nargs=-1, metavar="[PATH...]", shell_complete=options.paths)
@options.only
@options.timeout
@click.option(
    "--backend",
    type=click.Choice(["auto", "cuda", "cpu"]),
    default="auto",
    show_default=True,
    help="Where to run; auto takes the GPU if there is one.",
)
@click.option(
    "--instances",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"Values of dims for a claim (default: {_INSTANCES['cuda']}, CPU {_INSTANCES['cpu']}).",
)
@click.option(
    "--coordinates",
    "limit",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"Coordinates for each value (default: {_LIMITS['cuda']}, CPU {_LIMITS['cpu']}).",
)
@click.option(
    "--time",
    "seconds",
    type=options.seconds,
    metavar="SECONDS",
    help="Stop after this time, and record the rest as skipped.",
)
@click.option(
    "--memory",
    "memory_mb",
    type=click.IntRange(min=1),
    default=1024,
    show_default=True,
    metavar="MB",
    help="Memory limit of one check.",
)
@click.option("--cute", is_flag=True, help="On the CPU, use NVIDIA's CuTe headers as well.")
@click.option(
    "--out",
    type=options.out_folder,
    metavar="DIR",
    help=f"The folder for the evidence (default: {_GPU_FOLDER}, from the CPU {_CPU_FOLDER}).",
)
@click.option(
    "--fresh", is_flag=True, help="Begin again instead of continuing a run that was stopped."
)
@click.option(
    "--verify-evidence",
    "check_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Run nothing; check that a file of evidence is consistent.",
)
@click.option(
    "--status",
    is_flag=True,
    help="Run nothing; list the claims of PATH... whose evidence is missing or stale.",
)
@options.json_flag
@options.quiet
def gpu_command(
    paths: tuple[str, ...],
    only: str,
    timeout: float,
    backend: str,
    instances: int | None,
    limit: int | None,
    seconds: float | None,
    memory_mb: int,
    cute: bool,
    out: Path | None,
    fresh: bool,
    check_file: Path | None,
    status: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """Run the layouts of decided claims on a GPU, and compare the results with the claims.

    The theorems in PATH... are decided first. For each claim about layouts, generated C code
    computes every offset: in 64 bits, in 32 bits, and with NVIDIA's CuTe headers. It runs for many
    values of the dims. The offsets are compared with exact ones and with the claim. A refuted
    claim is run at its counterexample, where it must fail.

    The evidence is written as JSON and as a page, and `symcute verify` shows it in its report. A
    run that was stopped is continued by the next. A GPU needs CuPy (pip install cupy-cuda13x).
    Without a GPU the same code runs on the CPU.

    \b
    symcute gpu proofs/
    symcute gpu proofs/notes --only "note_3*" --backend cpu --instances 3
    symcute gpu proofs/ --time 120 --memory 4096
    symcute gpu proofs/ --status
    symcute gpu --verify-evidence reports/gpu/nvidia-h200.json

    Exit codes: 0 all as expected, 1 something failed, is missing or stale, or nothing was compared,
    2 bad input, 3 internal error.
    """
    from symcute.cli.evidence import tell_consistency, tell_states
    from symcute.evidence import Options

    if check_file is not None:
        return tell_consistency(check_file, as_json)
    if not paths:
        raise InputError(
            "no theorem file is named", "give files or folders, as in symcute gpu proofs/"
        )
    if status:
        folder = out or _GPU_FOLDER
        if not any(folder.glob("*.json")):
            raise InputError(
                f"no evidence in {folder}", "run symcute gpu, or name its folder with --out"
            )
        return tell_states(_subjects(paths, only, timeout, quiet), folder, as_json)
    machine = _machine(backend)
    folder = out or (_GPU_FOLDER if machine == "cuda" else _CPU_FOLDER)
    options.make_folder(folder)
    subjects = _subjects(paths, only, timeout, quiet)
    chosen = Options(
        instances or _INSTANCES[machine],
        # A check holds 64-bit offsets, or a bitmap.
        min(limit or _LIMITS[machine], memory_mb << 17),
        memory_mb << 23,
        float("inf") if seconds is None else seconds,
    )
    partial = folder / f"{machine}.partial.jsonl"
    if fresh:
        partial.unlink(missing_ok=True)
    kind = machine + "+cute" * (cute and machine == "cpu")
    return _keep(_run(subjects, kind, chosen, partial, quiet), folder, as_json)


def _machine(backend: str) -> str:
    """Return the machine asked for; on `auto` without a GPU, say so and return the CPU."""
    from symcute.evidence.backends import cupy_available

    if backend == "cpu":
        return "cpu"
    reason = cupy_available()
    if not reason:
        return "cuda"
    if backend == "cuda":
        raise InputError(reason, "run on the CPU, or install cupy-cuda13x beside an NVIDIA GPU")
    options.notice(f"no GPU: {reason}; the same C runs on the CPU")
    return "cpu"


def _subjects(paths: tuple[str, ...], only: str, timeout: float, quiet: bool) -> list[Subject]:
    """Decide the theorems and return the claims that are proved or refuted."""
    from symcute.evidence import Subject
    from symcute.prover.theorems import find
    from symcute.report.terminal import Ticker
    from symcute.run.runner import results

    theorems = find(paths, only)
    found: dict[tuple[str, str], Subject] = {}
    with Ticker(len(theorems), quiet, "deciding") as ticker:
        for result in results(theorems, timeout=timeout):
            ticker.step(result["name"])
            for p in result["parts"]:
                if p["status"] in ("proved", "refuted"):
                    dims = (p["counterexample"] or {}).get("dims")
                    given = tuple(result["given"])
                    subject = Subject(result["name"], p["claim"], given, p["status"], dims)
                    found[subject.key] = subject
    order = {t.name: k for k, t in enumerate(theorems)}
    return sorted(found.values(), key=lambda s: order[s.theorem])


def _run(
    subjects: list[Subject], kind: str, chosen: Options, partial: Path, quiet: bool
) -> Evidence:
    from symcute.evidence.isolated import collect
    from symcute.report.terminal import Ticker

    if not subjects:
        raise SymcuteError("no claim is proved or refuted", "nothing can be run")
    with Ticker(len(subjects), quiet, "running") as ticker:
        return collect(subjects, kind, chosen, partial=partial, commit=_commit(), done=ticker.step)


def _commit() -> str:
    """Return the commit of the working directory, with + when it has changes; "" outside git.

    The variable SYMCUTE_COMMIT says it where a tree came without its history.
    """
    if os.environ.get("SYMCUTE_COMMIT"):
        return os.environ["SYMCUTE_COMMIT"]
    try:
        head = subprocess.run(
            ["git", "rev-parse", "--short=12", "HEAD"],
            capture_output=True, text=True, timeout=10, check=True,
        ).stdout.strip()  # fmt: skip
        changed = subprocess.run(
            ["git", "status", "--porcelain", "--untracked-files=no"],
            capture_output=True, text=True, timeout=10, check=True,
        ).stdout.strip()  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return ""
    return head + "+" * bool(changed)


def _keep(evidence: Evidence, folder: Path, as_json: bool) -> int:
    from symcute.cli.evidence import tell_evidence
    from symcute.evidence import write
    from symcute.report.evidence import write_evidence_page

    device = evidence.backend.get("device", "")
    host = evidence.backend.get("name") != "cupy"
    name = "cpu" if host else re.sub(r"[^a-z0-9]+", "-", device.lower()).strip("-") or "gpu"
    path = folder / f"{name}.json"
    write(evidence, path)
    write_evidence_page(path.with_suffix(".html"), evidence.to_json())
    tell_evidence(evidence.to_json(), path, as_json)
    return EXPECTED if evidence.ok else UNEXPECTED
