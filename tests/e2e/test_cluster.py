"""`symcute verify --executor tcp://...` on a real dask cluster of processes of this machine."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import dask
import distributed
import pytest

from symcute.prover.theorems import find
from symcute.run import run_all
from tests.e2e import terminals

HEAD = "from symcute import Injective, Layout, dims, theorem\n"
ROWS = '''

@theorem(given=["LD >= N"], expect="{expect}")
def rows_{n}():
    """Rows that are padded."""
    {wait}
    M, N, LD = dims("M N LD")
    return Injective(Layout((M, N), (LD + {n}{less}, 1)))
'''


def library(folder: Path, count: int, wait: str = "pass") -> Path:
    file = folder / "rows.py"
    texts = [
        ROWS.format(n=n, wait=wait, less="", expect="proved")
        if n % 3
        else ROWS.format(n=n, wait=wait, less=f" - {n} - 1", expect="refuted")
        for n in range(count)
    ]
    file.write_text(HEAD + "".join(texts))
    return file


@pytest.fixture(scope="module")
def cluster() -> Iterator[distributed.LocalCluster]:
    # How many workers a task may have killed before the scheduler gives it up.
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=2, processes=True, dashboard_address=":0"
        ) as running,
    ):
        yield running


def verify(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "symcute", "verify", "rows.py", "--no-cache", *args],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )


def records(folder: Path) -> list[dict]:
    report = json.loads((folder / "reports/latest/report.json").read_text(encoding="utf-8"))
    for record in report["theorems"]:
        for timed in (record, *record["parts"]):
            timed.pop("seconds")
    return report["theorems"]


@pytest.mark.full
def test_the_results_are_those_of_a_local_run(cluster, tmp_path: Path) -> None:
    library(tmp_path, 20)
    local = verify(tmp_path)
    assert local.returncode == 0
    assert "20 theorems: 13 proved, 7 refuted, 0 unknown; all as expected" in local.stdout
    expected = records(tmp_path)
    remote = verify(tmp_path, "--executor", cluster.scheduler_address)
    assert remote.returncode == 0, remote.stdout
    assert records(tmp_path) == expected


@pytest.mark.full
def test_a_client_of_ones_own(cluster, tmp_path: Path) -> None:
    theorems = find([library(tmp_path, 6)])
    with distributed.Client(cluster, set_as_default=False) as client:
        found = run_all(theorems, executor=client.get_executor(pure=False))
        assert client.submit(abs, -1).result() == 1  # the client is not closed
    assert [r["status"] for r in found] == [t.expected for t in theorems]


@pytest.mark.full
def test_a_killed_worker_loses_nothing(cluster, tmp_path: Path) -> None:
    theorems = find([library(tmp_path, 24, wait="import time; time.sleep(0.4)")])
    told: list[str] = []
    with distributed.Client(cluster, set_as_default=False) as client:
        victims = [w["pid"] for w in client.run(_about).values()]
        assert len(victims) == 2

        def kill() -> None:
            while len(told) < 3:
                time.sleep(0.05)
            os.kill(victims[0], signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        found = run_all(
            theorems,
            executor=client.get_executor(pure=False),
            progress=lambda r: told.append(r["name"]),
        )
        killer.join()
    assert [r["status"] for r in found] == [t.expected for t in theorems]
    assert sorted(told) == sorted(t.name for t in theorems)


def _about() -> dict[str, int]:
    return {"pid": os.getpid()}


@pytest.mark.full
def test_a_theorem_that_kills_its_worker_is_unknown_and_the_others_are_not(
    cluster, tmp_path: Path
) -> None:
    file = library(tmp_path, 6)
    deadly = (
        "\n\n@theorem()\ndef deadly():\n    '''D.'''\n    import os\n    os.kill(os.getpid(), 9)\n"
    )
    file.write_text(file.read_text() + deadly)
    theorems = find([file])
    with distributed.Client(cluster, set_as_default=False) as client:
        found = {r["name"]: r for r in run_all(theorems, executor=client.get_executor(pure=False))}
    reason = found.pop("deadly")["reason"]
    assert reason.startswith(
        "the process that ran it died, and once more when it ran alone (Killed"
    )
    assert all(r["ok"] for r in found.values())
    assert len(found) == 6


@pytest.mark.full
def test_a_scheduler_that_dies_keeps_what_is_done(tmp_path: Path) -> None:
    library(tmp_path, 12, wait="import time; time.sleep(1.0)")
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    started = [daemon(tmp_path, "scheduler", "--port", str(port), "--no-dashboard")]
    try:
        started.append(daemon(tmp_path, "worker", address, "--nthreads", "1", "--no-dashboard"))
        run, terminal = terminals.started("verify", "rows.py", "--executor", address, cwd=tmp_path)
        terminals.wait_for(terminal, " 1/12")
        started[0].kill()
        out, _ = run.communicate(timeout=90)
        os.close(terminal)
    finally:
        for process in started:
            process.kill()
            process.wait()
    assert run.returncode == 1
    found = records(tmp_path)
    assert len(found) == 12
    done = [r for r in found if r["status"] != "unknown"]
    assert done
    assert all(r["ok"] for r in done)
    lost = [r["reason"] for r in found if r["status"] == "unknown"]
    assert lost
    # The one that was sent once more while the client still hoped is told to be cancelled.
    told = ("dask scheduler is gone", "Cancelled")
    assert all(any(t in reason for t in told) for reason in lost), set(lost)
    assert "12 theorems" in out


def daemon(folder: Path, *args: str) -> subprocess.Popen[bytes]:
    log = (folder / f"{args[0]}.log").open("wb")
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_" + args[0], *args[1:]],
        cwd=folder,
        stdout=log,
        stderr=log,
    )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.full
def test_addresses_where_nothing_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library(tmp_path, 1)
    wrong = verify(tmp_path, "--executor", "localhost:8786")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr == (
        "symcute: 'localhost:8786' is no address of a dask scheduler\nwrite it as tcp://host:8786\n"
    )
    address = f"tcp://127.0.0.1:{free_port()}"
    silent = verify(tmp_path, "--executor", address)
    assert (silent.returncode, silent.stdout) == (2, "")
    what, fix = silent.stderr.splitlines()
    assert what.startswith(f"symcute: no dask scheduler answers at {address} within 10 s (")
    assert fix == "start one with: dask scheduler"


def test_a_scheduler_without_workers(tmp_path: Path) -> None:
    from symcute.errors import InputError
    from symcute.run.cluster import dask_crew

    with distributed.LocalCluster(n_workers=0, dashboard_address=":0") as empty:
        address = empty.scheduler_address
        with (
            pytest.raises(
                InputError,
                match=f"^the dask scheduler at {address} has no worker; "
                f"start one: dask worker {address}$",
            ),
            dask_crew(address, limit=1.0),
        ):
            pass


def test_dask_that_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library(tmp_path, 1)
    (tmp_path / "absent" / "distributed").mkdir(parents=True)
    (tmp_path / "absent" / "distributed" / "__init__.py").write_text("raise ImportError\n")
    path = os.pathsep.join([str(tmp_path / "absent"), os.environ.get("PYTHONPATH", "")])
    monkeypatch.setenv("PYTHONPATH", path)
    done = verify(tmp_path, "--executor", "tcp://127.0.0.1:1")
    assert done.returncode == 2
    assert done.stderr == (
        "symcute: --executor needs dask.distributed, which is not installed\n"
        'bring it with: pip install "symcute[dask]"\n'
    )
