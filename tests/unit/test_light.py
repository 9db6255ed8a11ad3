"""A light installation, and another system: what works without the extras, and what is said."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from symcute import prove

#: Makes libraries absent, for a process and all that it starts.
_ABSENT = """\
import os, sys

class Absent:
    names = set(os.environ["TEST_ABSENT"].split())

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent())
"""
EXTRAS = ("numpy", "cvc5", "clang", "distributed", "cupy")
#: Modules that only some systems have.
POSIX = ("resource", "fcntl", "pwd", "grp", "termios", "tty", "pty", "syslog")

#: Claims with what is assumed: by lemmas, by refutation, by a solver, and open.
CLAIMS: list[tuple[str, list[str]]] = [
    ("injective((M,N):(LD,1))", ["LD >= N"]),
    ("injective((M,N):(LD,1))", []),
    ("bijective((4,M):(1,4))", []),
    ("equal((M,N):(1,M), (M*N):(1))", []),
    ("in_bounds((M,N):(N,1), M*N)", []),
    ("a*a + b*b >= 2*a*b", []),
    ("a*a*a != 2*b*b*b", []),
]


@pytest.fixture
def light(tmp_path: Path):
    """Return what runs Python text without some libraries."""
    (tmp_path / "sitecustomize.py").write_text(_ABSENT, encoding="utf-8")

    def run(*command: str, absent: tuple[str, ...] = EXTRAS) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join([str(tmp_path), *sys.path])
        env = {**os.environ, "PYTHONPATH": path, "TEST_ABSENT": " ".join(absent)}
        return subprocess.run(
            [sys.executable, *command], env=env, cwd=tmp_path, capture_output=True, text=True
        )

    return run


_PROVE = """\
import json, sys
from symcute import prove
told = [prove(claim, given, work=300) for claim, given in json.load(open(sys.argv[1]))]
print(json.dumps([[v.status, v.how, v.reason, v.rests_on] for v in told]))
assert not {"numpy", "cvc5", "clang"} & sys.modules.keys()
"""


def test_proving_needs_sympy_and_one_solver(light, tmp_path: Path) -> None:
    (tmp_path / "claims.json").write_text(json.dumps(CLAIMS), encoding="utf-8")
    run = light("-c", _PROVE, "claims.json")
    assert run.stderr == ""
    alone: list[list[Any]] = json.loads(run.stdout)
    together = [prove(claim, given, work=300) for claim, given in CLAIMS]
    assert {status for status, *_ in alone} == {"proved", "refuted", "unknown"}
    for (status, _, reason, rests_on), whole in zip(alone, together, strict=True):
        # One solver fewer decides no more, and never otherwise.
        assert status in (whole.status, "unknown")
        assert not any("cvc5" in x for x in rests_on)
        if status == "unknown" and "work limit" in reason:
            assert "z3 alone, without cvc5, which is not installed: " in reason


def test_a_second_solver_that_is_asked_for_is_not_left_out(light, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from symcute import prove, theorem\n"
        '@theorem(given=["u >= 0", "u <= R", "d > R"], solvers=("z3", "cvc5"))\n'
        "def smaller():\n"
        '    """What is at most R is below d."""\n'
        '    return "u < d"\n',
        encoding="utf-8",
    )
    run = light("-m", "symcute", "verify", "mine.py", "--no-cache", "--json", "-")
    told = json.loads(run.stdout)["theorems"][0]
    assert (told["status"], told["rests_on"]) == ("unknown", [])
    assert "solver cvc5 is not installed" in told["reason"]
    assert 'pip install "symcute[cvc5]"' in told["reason"]


COMMANDS = {
    ("symcute", "check", "mine.cu"): "cuda",
    ("symcute", "verify", "mine.py", "--executor", "tcp://127.0.0.1:1"): "dask",
    ("symcute", "recheck", "one.json", "--solver", "cvc5"): "cvc5",
    ("symcute", "gpu", "mine.py"): "cuda",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_what_needs_an_extra_names_it(light, tmp_path: Path, command: tuple[str, ...]) -> None:
    certificate = prove("bijective((4,M):(1,4))").certificate
    (tmp_path / "one.json").write_text(json.dumps(certificate), encoding="utf-8")
    (tmp_path / "mine.cu").write_text("__global__ void k(int *x) { x[0] = 1; }\n")
    (tmp_path / "mine.py").write_text(
        "from symcute import theorem\n@theorem()\ndef one():\n    '''One.'''\n    return '1 == 1'\n"
    )
    run = light("-m", *command)
    assert run.returncode == 2
    assert f'pip install "symcute[{COMMANDS[command]}]"' in run.stderr
    assert "internal error" not in run.stderr


def test_a_kernel_is_not_read_without_libclang(light, tmp_path: Path) -> None:
    (tmp_path / "mine.cu").write_text("__global__ void k(int *x) { x[0] = 1; }\n")
    run = light("-m", "symcute", "check", "mine.cu", absent=("clang",))
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == (
        "symcute: reading CUDA C++ needs libclang, which is not installed\n"
        'bring it with: pip install "symcute[cuda]"\n'
    )


CALLS = ("offsets(Layout(4))", "check_kernel('__global__ void k(int *x) { x[0] = 1; }')", "guard")


@pytest.mark.parametrize("call", CALLS)
def test_functions_that_need_an_extra_name_it(light, call: str) -> None:
    run = light("-c", f"import symcute\nfrom symcute import Layout\nsymcute.{call}")
    assert run.stderr.splitlines()[-1].startswith("symcute.errors.InputError: ")
    assert run.stderr.endswith(
        'which is not installed; bring it with: pip install "symcute[cuda]"\n'
    )


_EVERY_MODULE = """\
import importlib, pkgutil, symcute
count = 0
for found in pkgutil.walk_packages(symcute.__path__, "symcute."):
    if not found.name.endswith("__main__"):
        importlib.import_module(found.name)
        count += 1
from symcute.processes.serving import MEMORY_LIMITS
print(count, MEMORY_LIMITS)
"""


def test_no_module_needs_what_only_some_systems_have(light) -> None:
    run = light("-c", _EVERY_MODULE, absent=(*POSIX, "cupy"))
    assert run.stderr == ""
    count, limits = run.stdout.split()
    assert int(count) >= 350
    assert limits == "False"


@pytest.mark.full
def test_doctor_says_that_there_are_no_limits(light) -> None:
    run = light("-m", "symcute", "doctor", "--json", absent=POSIX)
    parts = {part["name"]: part for part in json.loads(run.stdout)["parts"]}
    assert parts["limits"]["status"] == "missing"
    assert "--memory has no effect" in parts["limits"]["found"]
    assert parts["prover"]["status"] == "ok"


_NO_POLL = """\
import select
del select.poll
from symcute import check_kernel, prove
print(prove("injective((M,N):(LD,1))", ["LD >= N"]).status, prove("injective((M,N):(LD,1))").status)
print(prove("a*a*a != 2*b*b*b").reason)
check_kernel("__global__ void k(int *x) { x[0] = 1; }")
"""


def test_without_what_waits_for_pipes_no_solver_is_asked_and_no_kernel_read(light) -> None:
    run = light("-c", _NO_POLL, absent=POSIX)
    decided, reason = run.stdout.splitlines()
    assert decided == "proved refuted"
    assert "did not start (this system cannot wait for a pipe: use Linux or macOS)" in reason
    assert "clang did not start (this system cannot" in run.stderr.splitlines()[-1]
