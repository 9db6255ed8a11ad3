"""Does a source that its reader does not survive cost only itself?"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from symcute.frontends import SourceError
from symcute.frontends.cuda import read_kernels, source
from symcute.processes.programs import Stock

GOOD = "__global__ void k(int *x) { x[0] = 0; }"


def test_a_reader_that_is_late_is_killed_and_replaced() -> None:
    read_kernels(GOOD)
    before = source._READERS.pids()
    (pid,) = before
    os.kill(pid, signal.SIGSTOP)
    with pytest.raises(SourceError, match=r"kernel.cu was not read within 0.2 s; look for macros"):
        read_kernels(GOOD, timeout=0.2)
    assert list(read_kernels(GOOD).kernels) == ["k"]
    assert source._READERS.pids() != before


def test_a_reader_that_dies_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    dies = "import sys; print('{}', flush=True); sys.stdin.readline(); sys.exit(3)"
    monkeypatch.setattr(source, "_READERS", Stock([sys.executable, "-c", dies]))
    told = r"clang died \(exit code 3\) while it read kernel.cu; give the kernel alone"
    with pytest.raises(SourceError, match=told):
        read_kernels(GOOD)
    assert source._READERS.pids() == []


def test_paths_start_where_we_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, size in (("a", 1), ("b", 2)):
        (tmp_path / folder).mkdir()
        monkeypatch.chdir(tmp_path / folder)
        Path("size.h").write_text(f"#define SIZE {size}")
        Path("k.cu").write_text('#include "size.h"\n__global__ void k(int *x) { x[SIZE] = 0; }')
        body = read_kernels(Path("k.cu")).kernels["k"].body
        assert f"Const(value={size}, " in str(body)
