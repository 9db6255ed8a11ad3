"""Does a source that its reader does not survive cost only itself?"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
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


@pytest.mark.skipif(
    not Path("/proc").exists(), reason="nothing says here which processes there are"
)
def test_a_process_at_work_ends_when_who_started_it_is_killed() -> None:
    works = (
        "from symcute.processes.serving import serve\n"
        "def forever(request):\n"
        "    while True: pass\n"
        "serve({}, forever)\n"
    )
    starts = (
        "import subprocess, sys\n"
        f"child = subprocess.Popen([sys.executable, '-c', {works!r}], stdin=subprocess.PIPE,"
        " stdout=subprocess.PIPE)\n"
        "child.stdout.readline()\n"
        "child.stdin.write(b'{}\\n'); child.stdin.flush()\n"
        "print(child.pid, flush=True)\n"
        "sys.stdin.read()\n"
    )
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", starts], stdin=pipe, stdout=pipe) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert runs(pid)
        parent.kill()
    for _ in range(600):
        if not runs(pid):
            return
        time.sleep(0.1)
    os.kill(pid, signal.SIGKILL)
    pytest.fail("it goes on")


def runs(pid: int) -> bool:
    """Whether there is a process that has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
