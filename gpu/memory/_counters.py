"""Hardware counters of kernel launches, read with Nsight Compute."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from symcute.errors import SymcuteError

__all__ = ["OTHERS", "available", "collect", "missing_profiler", "parse", "version"]

ROOT = Path(__file__).resolve().parents[2]

#: Counters that are kept beside those with a prediction, where the profiler knows them.
OTHERS = (
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "l1tex__data_pipe_lsu_wavefronts.sum",
    "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_st.sum",
    "smsp__inst_executed_op_ldsm.sum",
    "smsp__inst_executed_op_shared_stsm.sum",
    "smsp__inst_executed_op_shared_ld.sum",
    "smsp__inst_executed_op_shared_st.sum",
    "smsp__inst_executed_op_global_ld.sum",
    "smsp__inst_executed_op_global_st.sum",
)


def missing_profiler() -> str:
    """Return why Nsight Compute cannot be used here, or "" when it is there."""
    return "" if shutil.which("ncu") else "Nsight Compute (ncu) is not on the PATH"


def version() -> str:
    """Return the version of ncu, "" where it does not say one.

    Errors: SymcuteError when ncu fails.
    """
    found = re.search(r"Version (\d[\w.]*)", _ncu("--version"))
    return found[1] if found else ""


def available(metrics: Sequence[str]) -> list[str]:
    """Return those of the metrics that ncu knows on this device, in their order."""
    known = set(re.findall(r"^(\w+)", _ncu("--query-metrics"), re.MULTILINE))
    return [m for m in dict.fromkeys(metrics) if m.split(".")[0] in known]


def _ncu(*arguments: str) -> str:
    run = subprocess.run(["ncu", *arguments], capture_output=True, text=True, check=False)
    if run.returncode:
        said = (run.stdout + run.stderr).strip().splitlines()
        raise SymcuteError(f"ncu {arguments[0]} failed: {_reason(said)}", "see ncu itself")
    return run.stdout


def _reason(lines: Sequence[str]) -> str:
    """Return the line that says what went wrong."""
    wrong = [line for line in lines if "ERROR" in line or "rror:" in line]
    return (wrong or list(lines) or ["it said nothing"])[0].strip()


def collect(arguments: Sequence[str], metrics: Sequence[str]) -> dict[str, dict[str, float]]:
    """Run `python -m gpu.memory` with arguments under ncu; return the counters of each kernel.

    Errors: SymcuteError when the program fails, or a kernel was launched more than once.
    """
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "counters.csv"
        command = [
            "ncu", "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none",
            "--log-file", str(log), "--metrics", ",".join(metrics),
            sys.executable, "-m", "gpu.memory", *arguments,
        ]  # fmt: skip
        run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        text = log.read_text(encoding="utf-8") if log.exists() else ""
    if run.returncode:
        said = [*text.splitlines(), *run.stdout.splitlines(), *run.stderr.splitlines()]
        raise SymcuteError(f"the run under ncu failed: {_reason(said)}", "see ncu itself")
    return parse(text)


def parse(text: str) -> dict[str, dict[str, float]]:
    """Return from ncu's raw page as CSV what each metric of each kernel is.

    The page has a line a launch after one with the units; lines of ncu's own stand around it.
    Errors: SymcuteError when there is no table, or a kernel was launched more than once.

    >>> parse('''==PROF== Connected
    ... "ID","Kernel Name","a__x.sum","b__x.sum"
    ... "","","",""
    ... "0","p_one","1,024","n/a"
    ... ''')
    {'p_one': {'a__x.sum': 1024}}
    """
    lines = text.splitlines()
    start = next((k for k, line in enumerate(lines) if line.startswith('"ID",')), None)
    if start is None:
        raise SymcuteError(f"ncu gave no counters: {_reason(lines)}", "see ncu itself")
    table = csv.DictReader(line for line in lines[start:] if line.startswith('"'))
    found: dict[str, dict[str, float]] = {}
    for row in table:
        kernel = (row.get("Kernel Name") or "").split("(")[0]
        if not row.get("ID"):
            continue  # the units
        if kernel in found:
            raise SymcuteError(f"{kernel} was launched twice", "report this as a fault")
        found[kernel] = {
            name: value
            for name, entry in row.items()
            if name and "__" in name and (value := _number(entry)) is not None
        }
    return found


def _number(entry: str | None) -> float | None:
    """Return a number as ncu prints it, an int where it is one; None for n/a."""
    try:
        value = float((entry or "").replace(",", ""))
    except ValueError:
        return None
    return int(value) if value.is_integer() else value
