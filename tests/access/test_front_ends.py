"""Another language than CUDA C++: nothing outside a front end knows which one it is."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from symcute.cli import main
from symcute.errors import InputError
from symcute.frontends import FrontEnd, Source, SourceError, for_file, front_end, register
from symcute.frontends.cuda.target import CUDA
from symcute.kernel.findings import GOOD
from symcute.kernel.ir.expression import Base, Binary, Builtin, Cast, Expr, PtrAdd, Var
from symcute.kernel.ir.interpreter import run
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Array, Barrier, If, Int, Kernel, Param, Pointer, Stmt, Store
from symcute.kernel.ir.setting import Setting
from symcute.kernel.ir.target import Target
from symcute.kernel.launch.project import Request, Task, contract_of, run_task, tasks

TOY = Target(
    name="Toy", grid=(1000, 1, 1), block=(4096, 1, 1), threads=4096, warp=16, allocated=8,
    allocated_by="memory that the toy box hands out", dynamic=8, grid_name="teams",
    block_name="players", note="# symcute:",
)  # fmt: skip
I32, U32, BOOL = Int(32, True), Int(32, False), Int(1, False)
#: What only one who writes CUDA C++ has heard of.
FOREIGN = re.compile(
    r"cuda|c\+\+|clang|nvidia|\.cu\b|// symcute|__\w|nullptr|malloc|(thread|block|grid)(Idx|Dim)",
    re.I,
)


def read_toy(path_or_text: str | Path, **_: object) -> Source:
    """Read kernels, a statement a line, for player i: `put x 4 if i < n`, `barrier block`."""
    path = Path(path_or_text)
    kernels: dict[str, Kernel] = {}
    notes: list[tuple[str, Place]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        at = Place(str(path), number, 1)
        if line.startswith(f"{TOY.note} "):
            notes.append((line.removeprefix(f"{TOY.note} "), at))
        elif found := re.fullmatch(r"kernel (\w+) of (\w+) with (\w+)", line):
            name, array, size = found.groups()
            params = (Param(array, Pointer(), at, "row", array), Param(size, I32, at, "whole"))
            row = Array(array, "global", 4, None, 4, at, "row", I32)
            kernels[name] = Kernel(name, params, (row,), (), at, TOY, tuple(notes))
            notes = []
        elif line.strip() and line[0] != "#":
            name, kernel = next(reversed(kernels.items()))
            body = (*kernel.body, _statement(line.strip(), at))
            kernels[name] = dataclasses.replace(kernel, body=body)
    return Source(str(path), "", kernels)


def _statement(line: str, at: Place) -> Stmt:
    what, _, test = line.partition(" if ")
    words = what.split()
    made: Stmt
    if words[0] == "put":
        step = int(words[4]) if words[3:] else 4  # `put x 16 each 16`
        made = Store(PtrAdd(Base(words[1]), _player(at), step, at), int(words[2]), at)
    elif words[0] == "barrier":
        made = Barrier(words[1], at)
    else:
        raise SourceError(f"{line!r} is no toy", "write put or barrier", at)
    if not test:
        return made
    size = Var(test.removeprefix("i < "), I32)
    return If(Binary("<", _player(at), size, BOOL, at), (made,), (), at)


def _player(at: Place) -> Expr:
    team, size, player = (
        Cast(Builtin(f"{name}.x", U32), I32, at) for name in ("blockIdx", "blockDim", "threadIdx")
    )
    return Binary("+", Binary("*", team, size, I32, at), player, I32, at)


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> Iterator[FrontEnd]:
    monkeypatch.setattr(front_end, "_KNOWN", {})
    yield register(FrontEnd("Toy", (".toy",), read_toy, TOY, "a kernel is a line `kernel ...`"))


RIGHT = """
# symcute: launch grid=(ceil_div(n,64)) block=(64)
# symcute: assume n <= 60000
# symcute: extent x = n
kernel fill of x with n
  put x 4 if i < n
  barrier block
"""


def findings(tmp_path: Path, text: str, **options: Any) -> Mapping[str, Any]:
    path = tmp_path / "k.toy"
    path.write_text(text)
    (task,) = tasks(str(path), Request(**options))
    assert isinstance(task, Task)
    return {f.property: f for f in run_task(task)}


def said(found: Mapping[str, Any]) -> str:
    return "\n".join(f"{f} {f.to_json()}" for f in found.values())


def test_a_kernel_of_another_language_is_decided(tmp_path: Path) -> None:
    found = findings(tmp_path, RIGHT)
    assert {f.status for f in found.values()} <= {*GOOD}
    assert found["in_bounds"].status == found["write_race_free"].status == "proved"
    assert not FOREIGN.search(said(found)), FOREIGN.search(said(found))


@pytest.mark.parametrize(
    ("change", "property", "shown"),
    [
        (("put x 4 if i < n", "put x 4"), "in_bounds", "bytes"),
        (("block=(64)", "block=(5000)"), "launch_valid", "players.x = 5000"),
        (("n <= 60000", "n <= 600000"), "launch_valid", "teams.x"),
        (("barrier block", "barrier block if i < n"), "barrier_uniform", "barrier"),
        (("put x 4 if i < n", "put x 8 if i < n"), "write_race_free", "x"),
    ],
)
def test_what_is_wrong_is_said_in_its_words(
    tmp_path: Path, change: tuple[str, str], property: str, shown: str
) -> None:
    found = findings(tmp_path, RIGHT.replace(*change))
    assert found[property].status == "refuted"
    assert shown in said({property: found[property]})
    assert not FOREIGN.search(said(found)), FOREIGN.search(said(found))


def test_limits_are_those_of_the_target(tmp_path: Path) -> None:
    wide = RIGHT.replace("block=(64)", "block=(4096)").replace("n,64", "n,4096")
    assert findings(tmp_path, wide)["launch_valid"].status == "proved"
    assert CUDA.threads < 4096


def test_alignment_is_that_of_the_target(tmp_path: Path) -> None:
    found = findings(tmp_path, RIGHT.replace("put x 4", "put x 16 each 16"))["aligned"]
    assert found.status == "refuted" and f"aligned to {TOY.allocated}" in found.text
    whole = findings(tmp_path, RIGHT.replace("put x 4", "put x 8 each 8"))["aligned"]
    assert whole.status == "proved" and TOY.allocated_by in said({"aligned": whole})


def test_warps_are_those_of_the_target(tmp_path: Path) -> None:
    # The first 16 of 32 players are a warp of 16, and half a warp of 32.
    text = RIGHT.replace("barrier block", "barrier warp if i < n").replace("64", "32")
    first = findings(tmp_path, text.replace("n <= 60000", "n == 16"))["barrier_uniform"]
    assert first.status == "proved"
    second = findings(tmp_path, text.replace("n <= 60000", "n == 24"))["barrier_uniform"]
    assert second.status != "proved"
    (task,) = tasks(str(tmp_path / "k.toy"), Request())
    assert isinstance(task, Task)
    trace = run(task.kernel, Setting((1, 1, 1), (32, 1, 1)), {"n": 32})
    assert len({t.warp for t in trace.accesses}) == 2 and not trace.divergence


def test_requests_of_other_warps_are_not_guessed(tmp_path: Path) -> None:
    found = findings(tmp_path, RIGHT, properties=("sectors",))["sectors"]
    assert found.status != "proved" and "warps of 32 threads" in said({"sectors": found})


def test_contracts_are_of_cuda_alone(tmp_path: Path) -> None:
    """Their dims are CUDA's; of another language a block may not be the launch's to choose."""
    path = tmp_path / "k.toy"
    path.write_text("kernel fill of x with n\n  put x 4 if i < n\n")
    for request in (Request(contract="quick"), Request(contract="long")):
        (task,) = tasks(str(path), request)
        assert isinstance(task, Task) and contract_of(task) is None


def test_messages_of_sources_name_what_is_read(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        for_file("saxpy.cu")
    assert str(refused.value) == "saxpy.cu is no source that is read; those end in .toy"
    empty, folder = tmp_path / "empty.toy", tmp_path / "folder"
    empty.write_text("")
    folder.mkdir()
    for target, shown in (
        (empty, "a kernel is a line `kernel ...`"),
        (folder, f"{folder} has no file with kernels"),
        (tmp_path / "k.cu", "those end in .toy"),
    ):
        with pytest.raises(InputError, match=re.escape(shown)):
            list(tasks(str(target), Request()))
    without = RIGHT.replace("# symcute: launch", "#")
    with pytest.raises(InputError) as missing:
        findings(tmp_path, without)
    assert "# symcute: launch" in str(missing.value)
    assert not FOREIGN.search(str(missing.value))


def test_the_command_checks_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "k.toy").write_text(RIGHT)
    with pytest.raises(SystemExit) as end:
        main(["check", str(tmp_path)])
    out = capsys.readouterr().out
    assert end.value.code == 0 and "fill" in out and not FOREIGN.search(out)
    (tmp_path / "k.toy").write_text(RIGHT + "  sing\n")
    with pytest.raises(SystemExit) as end:
        main(["check", str(tmp_path)])
    assert end.value.code == 2 and "'sing' is no toy" in capsys.readouterr().err
