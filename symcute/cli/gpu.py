"""`symcute gpu`: runs what the theorems say on a GPU, or on the CPU, and keeps the evidence."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from symcute.cli import options
from symcute.cli.failures import EXPECTED, UNEXPECTED
from symcute.errors import InputError, SymcuteError

if TYPE_CHECKING:
    from symcute.evidence import Evidence, Subject

__all__ = ["gpu_command"]

_GPU_FOLDER, _CPU_FOLDER = Path("reports/gpu"), Path("reports/latest")
#: How many notes are printed.
_NOTES = 5
#: Instances a claim, and coordinates an instance, where no option says otherwise.
_INSTANCES = {"cuda": 20, "cpu": 6}
_LIMITS = {"cuda": 1 << 20, "cpu": 1 << 14}


@click.command("gpu", short_help="Run what the theorems say on a GPU, and keep the evidence.")
@click.argument("paths", nargs=-1, metavar="[PATH...]")
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
    metavar="N",
    help=f"Instances of each claim (default: {_INSTANCES['cuda']}, CPU {_INSTANCES['cpu']}).",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"Coordinates of an instance at most (default: {_LIMITS['cuda']}, CPU {_LIMITS['cpu']}).",
)
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Stop after this time; what has not run is recorded as skipped.",
)
@click.option(
    "--memory",
    "memory_mb",
    type=click.IntRange(min=1),
    default=1024,
    show_default=True,
    metavar="MB",
    help="Memory that one check may take on the machine.",
)
@click.option("--cute", is_flag=True, help="On the CPU, go through NVIDIA's CuTe headers as well.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help=f"Where the evidence goes (default: {_GPU_FOLDER}, from the CPU {_CPU_FOLDER}).",
)
@click.option("--fresh", is_flag=True, help="Do not take up a run that was stopped.")
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
@click.option("--quiet", "-q", is_flag=True, help="Print the outcome only.")
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
    quiet: bool,
) -> int:
    """Run the checks of every decided claim over whole domains, at many instances of the dims.

    The theorems in PATH... are decided first. For each claim about layouts the index functions are
    generated as C in 64 and in 32 bits, and written with NVIDIA's CuTe headers; they are compiled,
    run, and compared with exact offsets and with what the claim says: nothing twice, nothing
    outside, maps that agree. A refuted claim is run at its counterexample, where it must fail. The
    evidence is written as JSON and as a page; `symcute verify` shows it in its report. A run that
    is stopped is taken up again.

    A GPU needs CuPy (pip install "symcute[gpu]"). Without one the same C runs on the CPU.

    \b
    symcute gpu proofs/
    symcute gpu proofs/notes --only "coalesce*" --backend cpu --instances 3
    symcute gpu proofs/ --time 120 --memory 4096
    symcute gpu proofs/ --status
    symcute gpu --verify-evidence reports/gpu/nvidia-h200.json

    Exit codes: 0 all as expected, 1 something failed, is missing or stale, or nothing was compared,
    2 bad input, 3 internal error.
    """
    if check_file is not None:
        return _verify(check_file)
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
        return _status(_subjects(paths, only, timeout, quiet), folder)
    kind = _kind(backend)
    subjects = _subjects(paths, only, timeout, quiet)
    machine = "cuda" if kind == "cuda" else "cpu"
    folder = out or (_GPU_FOLDER if kind == "cuda" else _CPU_FOLDER)
    evidence = _run(
        subjects,
        kind + ("+cute" if cute and kind == "cpu" else ""),
        instances or _INSTANCES[machine],
        limit or _LIMITS[machine],
        memory_mb,
        seconds,
        folder / f"{machine}.partial.jsonl",
        fresh,
        quiet,
    )
    return _keep(evidence, folder)


def _kind(backend: str) -> str:
    """Return the backend asked for; on `auto` without a GPU, say so and return the CPU."""
    from symcute.backends import cupy_available

    if backend == "cpu":
        return "cpu"
    reason = cupy_available()
    if not reason:
        return "cuda"
    if backend == "cuda":
        raise InputError(reason, "run on the CPU, or install cupy-cuda13x beside an NVIDIA GPU")
    click.echo(f"no GPU: {reason}; the same C runs on the CPU")
    return "cpu"


def _subjects(paths: tuple[str, ...], only: str, timeout: float, quiet: bool) -> list[Subject]:
    """Decide the theorems and return the claims that are proved or refuted."""
    from symcute.evidence import Subject
    from symcute.report.terminal import Ticker
    from symcute.running.runner import results
    from symcute.theorems import find

    theorems = find(paths, only)
    found: dict[tuple[str, str], Subject] = {}
    with Ticker(len(theorems), quiet, "deciding") as ticker:
        for result in results(theorems, timeout=timeout):
            ticker.finished(result)
            for p in result["parts"]:
                if p["status"] in ("proved", "refuted"):
                    dims = (p["counterexample"] or {}).get("dims")
                    given = tuple(result["given"])
                    subject = Subject(result["name"], p["claim"], given, p["status"], dims)
                    found[subject.key] = subject
    order = {t.name: k for k, t in enumerate(theorems)}
    return sorted(found.values(), key=lambda s: order[s.theorem])


def _run(
    subjects: list[Subject],
    kind: str,
    instances: int,
    limit: int,
    memory_mb: int,
    seconds: float | None,
    partial: Path,
    fresh: bool,
    quiet: bool,
) -> Evidence:
    from symcute.evidence import Options
    from symcute.evidence.isolated import collect
    from symcute.report.terminal import Ticker

    if not subjects:
        raise SymcuteError("no claim is proved or refuted", "nothing can be run")
    if fresh:
        partial.unlink(missing_ok=True)
    # A check holds 64-bit offsets, or a bitmap.
    limit = min(limit, memory_mb << 17)
    chosen = Options(
        instances, limit, memory_mb << 23, float("inf") if seconds is None else seconds
    )
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


def _keep(evidence: Evidence, folder: Path) -> int:
    from symcute.evidence import write
    from symcute.report.evidence import write_evidence_page

    device = evidence.backend.get("device", "")
    host = evidence.backend.get("name") != "cupy"
    name = "cpu" if host else re.sub(r"[^a-z0-9]+", "-", device.lower()).strip("-") or "gpu"
    path = folder / f"{name}.json"
    write(evidence, path)
    write_evidence_page(path.with_suffix(".html"), evidence.to_json())
    _tell(evidence.to_json())
    click.echo(f"evidence: {path}")
    return EXPECTED if evidence.ok else UNEXPECTED


def _tell(data: dict[str, Any]) -> None:
    totals, about = data["totals"], data["backend"]
    driver = f", driver {about['driver']}" if about.get("driver") else ""
    click.echo(f"{about.get('device', 'no machine')}{driver}, {about.get('compiler', '')}")
    if about.get("name") == "cupy" and not about.get("cute_compiler"):
        click.echo("without CuTe: nvcc, or NVIDIA's headers (CUTLASS_PATH), are not there")
    for item in data["items"]:
        for line in _went_wrong(item):
            click.echo(line)
    notes = [f"note {item['theorem']}: {x}" for item in data["items"] for x in item["notes"]]
    for line in notes[:_NOTES]:
        click.echo(line)
    if len(notes) > _NOTES:
        click.echo(f"... and {len(notes) - _NOTES} more notes in the evidence")
    reasons = Counter(item["skipped"] for item in data["items"] if item["skipped"])
    for reason, count in reasons.most_common(8):
        click.echo(f"skipped {count}: {reason}")
    click.echo(
        f"{totals['items']} claims ({totals['skipped']} skipped), {totals['instances']} instances, "
        f"{totals['coordinates']} coordinates compared in {data['seconds']:.0f} s, "
        f"{totals['mismatches']} mismatches, {totals['reproduced']} refutations reproduced"
        + (f", {totals['not_reproduced']} NOT" if totals["not_reproduced"] else "")
    )


def _went_wrong(item: dict[str, Any]) -> list[str]:
    """Return a line for each check that did not come out as it should."""
    from symcute.evidence.record import must_fail

    lines = []
    for run in item["runs"]:
        at = ", ".join(f"{k}={v}" for k, v in zip(item["names"], run["dims"], strict=True))
        for label, outcome in zip(item["checks"], run["outcomes"], strict=True):
            if outcome is not None and outcome[1] and not must_fail(item, label):
                lines.append(
                    f"MISMATCH {item['theorem']}: {label} at {at or 'its only instance'}: "
                    f"{outcome[1]} of {outcome[0]}, the first at {outcome[2]}"
                )
    return lines


def _verify(path: Path) -> int:
    from symcute.evidence import verify

    problems = verify(_read(path))
    for problem in problems:
        click.echo(f"symcute: {path}: {problem}", err=True)
    if not problems:
        click.echo(f"{path}: consistent")
    return UNEXPECTED if problems else EXPECTED


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(
            f"cannot read {path}: {error.strerror}", "name a file of evidence"
        ) from None
    except ValueError as error:
        raise InputError(
            f"{path} is no JSON: {error}", "name a file that symcute gpu wrote"
        ) from None


def _status(subjects: list[Subject], folder: Path) -> int:
    from symcute.evidence import staleness

    fresh = True
    for path in sorted(folder.glob("*.json")):
        states = staleness(_read(path), subjects)
        counts = Counter(state.partition(":")[0] for state in states.values())
        for (theorem, claim), state in states.items():
            if state.startswith(("missing", "stale")):
                fresh = False
                click.echo(f"{theorem}: {claim}: {state}")
        click.echo(f"{path}: " + ", ".join(f"{n} {word}" for word, n in sorted(counts.items())))
    return EXPECTED if fresh else UNEXPECTED
