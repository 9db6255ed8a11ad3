"""What is built for PyPI, and what it brings into a clean environment."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from itertools import product
from pathlib import Path

import pytest
import yaml

import symcute
from symcute import cli
from tests.full import full, some

ROOT = Path(__file__).parents[2]


def _pythons() -> list[str]:
    """Return a Python of every minor version that can be had: from the PATH, or pyenv's."""
    found = {sys.version_info[:2]: sys.executable}
    pyenv = Path.home() / ".pyenv" / "versions"
    named = [p for n in range(11, 16) if (p := shutil.which(f"python3.{n}"))]
    for program in (*named, *map(str, sorted(pyenv.glob("3.*/bin/python3")))):
        asked = [program, "-c", "import sys, venv; print(*sys.version_info[:2])"]
        run = subprocess.run(asked, capture_output=True, text=True)
        if run.returncode == 0 and (version := tuple(map(int, run.stdout.split()))) >= (3, 11):
            found.setdefault(version, program)
    return [found[version] for version in sorted(found)]


#: The most that `pip install symcute` may bring, in bytes, before Python compiles it: of symcute
#: itself, and of what it needs. Z3's wheel has its library three times: 89 MB.
OWN, NEEDED = 6.5e6, 125.5e6


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the wheel, and of the source distribution that it was built from."""
    out = tmp_path_factory.mktemp("dist")
    for target, source in (("sdist", ROOT), ("wheel", out / "source")):
        build = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", out]
        subprocess.run(build, cwd=source, check=True, capture_output=True)
        if target == "sdist":
            with tarfile.open(next(out.glob("*.tar.gz"))) as archive:
                # Python 3.11 has filters of archives from 3.11.4 on.
                filtered = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
                archive.extractall(out, **filtered)
            (out / f"symcute-{symcute.__version__}").rename(out / "source")
    return out


def test_the_wheel_has_every_file_of_the_package(built: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "symcute", "symcute_pytest.py", "proofs/rocq"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    expected = {
        name.replace("proofs/rocq/", "symcute/rocq/library/")
        for name in listed.stdout.splitlines()
        if (ROOT / name).exists()
    }
    wheel = next(built.glob("*.whl"))
    names = set(zipfile.ZipFile(wheel).namelist())
    inside = {name for name in names if ".dist-info/" not in name}
    assert {"symcute/py.typed", "symcute/__init__.pyi", "symcute_pytest.py"} <= inside
    assert len(inside) >= 400
    assert inside == expected and "symcute/rocq/library/_CoqProject" in inside
    assert wheel.stat().st_size < 3e6


def test_the_version_is_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    changes = re.search(r"^## ([\d.]+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert cited and changes
    assert {project["version"], cited[1], changes[1]} == {symcute.__version__}


@pytest.mark.full
@pytest.mark.parametrize(
    ("python", "form"),
    some(list(product(_pythons(), ["whl", "tar.gz"])), 5, 0, 5) if full() else [],
    ids=lambda x: Path(x).resolve().name,
)
def test_a_clean_environment(built: Path, tmp_path: Path, python: str, form: str) -> None:
    def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    assert run(python, "-m", "venv", "clean").returncode == 0
    clean = tmp_path / "clean" / "bin"
    before = _size(tmp_path)
    installed = run(clean / "python", "-m", "pip", "install", next(built.glob(f"*.{form}")))
    assert installed.returncode == 0, installed.stderr
    own = _size(next((tmp_path / "clean").glob("lib/python*/site-packages/symcute")))
    needed = _size(tmp_path) - before - own
    assert 4e6 < own <= OWN and 50e6 < needed <= NEEDED, (own, needed)
    proved = run(clean / "symcute", "prove", "injective((M,N):(LD,1))", "-g", "LD >= N")
    assert (proved.returncode, proved.stdout.split()[0]) == (0, "PROVED"), proved.stderr
    by_solver = "a*a + b*b >= 2*a*b"
    assert run(clean / "symcute", "prove", by_solver).stdout.startswith("PROVED")
    (tmp_path / "mine.cu").write_text("__global__ void k(int *x) { x[0] = 1; }\n")
    checked = run(clean / "symcute", "check", "mine.cu")
    assert checked.returncode == 2
    assert 'pip install "symcute[cuda]"' in checked.stderr


def _size(folder: Path) -> int:
    files = (f for f in folder.rglob("*") if f.is_file() and not f.is_symlink())
    return sum(f.stat().st_size for f in files if f.suffix != ".pyc")


def test_the_hooks_and_the_action_call_what_there_is() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    entries = [hook["entry"] for hook in hooks]
    entries += [
        line
        for step in action["runs"]["steps"]
        for line in step["run"].splitlines()
        if line.startswith("symcute ")
    ]
    assert len(entries) == 4
    for entry in entries:
        name, command, *words = entry.split()
        known = {o for p in cli.symcute.commands[command].params for o in p.opts}
        assert name == "symcute"
        assert {word for word in words if word.startswith("--")} <= known


def test_pre_commit_runs_the_hooks(tmp_path: Path) -> None:
    """As pre-commit does: the entry, then its arguments."""
    (tmp_path / "proofs").mkdir()
    theorem = (
        "from symcute import theorem\n@theorem()\ndef one():\n    '''One.'''\n    return '{}'\n"
    )
    hook = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))[0]
    words = [sys.executable, "-m", *hook["entry"].split(), *hook["args"]]
    for claim, code in (("injective(4)", 0), ("injective(4:0)", 1)):
        (tmp_path / "proofs" / "mine.py").write_text(theorem.format(claim))
        assert subprocess.run(words, cwd=tmp_path, capture_output=True).returncode == code
