"""The settings of a folder: symcute.toml, [tool.symcute] in pyproject.toml, and their schema."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from jsonschema import Draft7Validator

from symcute.errors import InputError
from symcute.kernel.launch import project, settings
from symcute.kernel.launch.notes import read_setting
from symcute.kernel.launch.project import Request, Task, run_task, tasks

SCHEMA = json.loads(
    (Path(project.__file__).parents[2] / "schemas" / "settings" / "symcute.json").read_text("utf-8")
)
SOURCE = "__global__ void fill(float *x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 0; }\n"
SETTINGS = """\
files = ["*.cu"]
given = ["n <= 2**20"]
timeout = 30
define = { TILE = 32 }

[kernel.fill]
launch = "grid=1 block=256"
extent = { x = "n" }
"""
IN_PROJECT = "[project]\nname = 'other'\n[tool.symcute]\n" + SETTINGS.replace(
    "[kernel", "[tool.symcute.kernel"
)


def found(folder: Path) -> list[Task]:
    every = list(tasks(str(folder), Request()))
    good = [t for t in every if isinstance(t, Task)]
    assert good == every
    return good


def test_both_files_say_the_same(tmp_path: Path) -> None:
    requests = []
    for name, text in (("symcute.toml", SETTINGS), ("pyproject.toml", IN_PROJECT)):
        folder = tmp_path / name.partition(".")[0]
        folder.mkdir()
        (folder / "fill.cu").write_text(SOURCE)
        (folder / name).write_text(text)
        (task,) = found(folder)
        requests.append(task.request)
    assert requests[0] == requests[1]
    assert requests[0].launch == "grid=1 block=256"
    assert requests[0].given == ("n <= 2**20",)
    assert (requests[0].timeout, requests[0].extents) == (30.0, {"x": "n"})


def test_a_project_without_our_table_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "fill.cu").write_text(SOURCE)
    (tmp_path / "pyproject.toml").write_text("[tool.ruff]\nline-length = 100\n")
    (task,) = found(tmp_path)
    assert task.request.given == ()


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"symcute.toml": SETTINGS, "pyproject.toml": IN_PROJECT}, "both have settings"),
        ({"pyproject.toml": "[tool.symcute]\nfile = []\n"}, "pyproject.toml: unknown key file"),
        ({"pyproject.toml": "[tool.symcute]\nfiles = 3\n"}, "files is no list of texts"),
        ({"pyproject.toml": "[tool]\nsymcute = 3\n"}, "the settings are no table"),
        ({"symcute.toml": "kernel = 3\n"}, "the settings are no table"),
        ({"pyproject.toml": "[tool\n"}, "cannot read .*pyproject.toml"),
    ],
)
def test_wrong_settings_are_refused(tmp_path: Path, files: dict[str, str], message: str) -> None:
    (tmp_path / "fill.cu").write_text(SOURCE)
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=message):
        list(tasks(str(tmp_path), Request()))


def test_the_schema_has_the_keys_that_are_read() -> None:
    Draft7Validator.check_schema(SCHEMA)
    assert SCHEMA["properties"].keys() == {*settings.KEYS}
    kernel = SCHEMA["definitions"]["kernel"]["properties"]
    assert kernel.keys() == {*settings.KERNEL_KEYS}
    assert all(field["description"] for field in (*SCHEMA["properties"].values(), *kernel.values()))


def test_the_schema_accepts_and_refuses() -> None:
    schema = Draft7Validator(SCHEMA)
    settings = tomllib.loads(SETTINGS)
    assert schema.is_valid(settings)
    for wrong in ({"file": []}, {"files": "k.cu"}, {"kernel": {"k": {"lunch": "x"}}}, {"given": 3}):
        assert not schema.is_valid(settings | wrong)


def test_what_is_assumed_of_a_folder_keeps_to_kernels_that_have_the_dims(tmp_path: Path) -> None:
    (tmp_path / "two.cu").write_text(
        "__global__ void a(int n, float* x) { if (threadIdx.x < n) x[threadIdx.x] = 1; }\n"
        "__global__ void b(float* x) { x[threadIdx.x] = 1; }\n"
    )
    (tmp_path / "symcute.toml").write_text(
        'given = ["n <= K", "K <= L", "Q <= 4", "Q < 1"]\n'
        '[kernel.a]\nlaunch = "grid=1 block=256"\nextent = { x = "n" }\n'
        '[kernel.b]\nlaunch = "grid=1 block=256"\nextent = { x = "R" }\n'
    )
    said = []
    for task in found(tmp_path):
        request = task.request
        setting = read_setting(
            task.kernel, launch=request.launch, given=request.given, extents=request.extents
        )
        said.append(str(setting.given))
    assert said == ["n <= K, K <= L", ""]
    # Only what ties to a dim of the kernel can make an instance of it, or leave one out.
    (bad,) = (f for f in run_task(task) if f.property == "in_bounds")
    assert bad.counterexample is not None and bad.counterexample.dims == {"R": 1}
