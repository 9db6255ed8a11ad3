"""Are kept verdicts of kernels those that would come out again, whatever changes?"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from symcute.frontends.cuda.inclusion import fingerprint
from symcute.kernel.findings import Finding, verdict_of
from symcute.kernel.ir.place import Place
from symcute.kernel.launch.project import Known, Request, Task, run_task
from symcute.run import kernels, store
from symcute.run.kernels import KernelCache
from tests.full import some

NOTES = """// symcute: launch grid=1 block=64
// symcute: extent x = N
// symcute: assume N >= {least}
"""
SOURCE = '#include "size.h"\n' + NOTES.format(least=64)
SOURCE += "__global__ void first(float *x) { x[threadIdx.x + SIZE] = 0; }\n"
OTHER = NOTES.format(least=64) + "__global__ void other(float *x) { x[threadIdx.x] = 1; }\n"
USUAL = Request(include=("include",), properties=("in_bounds",), defines={"UNUSED": "1"})


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with two kernels and a header beside them."""
    monkeypatch.chdir(tmp_path)
    Path("include").mkdir()
    Path("include/size.h").write_text('#include "deeper.h"\n')
    Path("include/deeper.h").write_text("#define SIZE 0\n")
    Path("k.cu").write_text(SOURCE + OTHER)
    return tmp_path / ".symcute" / "cache.sqlite"


def run(
    place: Path, request: Request = USUAL, target: str = "k.cu", tell: Any = None
) -> dict[str, tuple[str, bool]]:
    """Return the verdict on each kernel, and whether it was kept from an earlier run."""
    found = {}
    with KernelCache(place, tell or _fail) as shelf:
        for task in shelf.tasks(target, request):
            assert isinstance(task, Task)
            result = shelf.result(task)
            if result is None:
                result = _decided(task)
                shelf.keep(task, result)
            found[task.kernel.name] = result["verdicts"]["in_bounds"], result["cached"]
    return found


def _decided(task: Task) -> dict[str, Any]:
    findings = run_task(task)
    return {
        "kernel": task.kernel.name,
        "verdicts": verdict_of(findings),
        "findings": [f.to_json() for f in findings],
        "cached": False,
    }


def _fail(notice: str) -> None:
    raise AssertionError(notice)


PROVED = {"first": ("proved", False), "other": ("proved", False)}
KEPT = {"first": ("proved", True), "other": ("proved", True)}


def test_the_second_run_neither_reads_nor_decides(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(place) == PROVED
    monkeypatch.setattr(kernels, "read_file", None)
    assert run(place) == KEPT
    assert run(place, replace(USUAL, timeout=1e6)) == KEPT  # what is decided is so for any time


def put(name: str, text: str) -> Callable[[], object]:
    def write() -> None:
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)

    return write


#: What may change on disk, and the verdict on `first` then: nothing of it may be overlooked.
CHANGES: dict[str, tuple[Callable[[], object], str]] = {
    "a header of a header": (put("include/deeper.h", "#define SIZE 1\n"), "refuted"),
    "a header": (put("include/size.h", "#define SIZE 2\n"), "refuted"),
    "a header that comes before": (put("size.h", "#define SIZE 3\n"), "refuted"),
    "one that comes before, deeper": (put("deeper.h", "#define SIZE 0\n"), "proved"),
    "a note": (put("k.cu", SOURCE.replace("N >= 64", "N >= 63") + OTHER), "refuted"),
    "the launch": (put("k.cu", SOURCE.replace("block=64", "block=65") + OTHER), "refuted"),
    "the text": (put("k.cu", SOURCE.replace("SIZE]", "SIZE + 1]") + OTHER), "refuted"),
    "the place": (put("k.cu", "\n" + SOURCE + OTHER), "proved"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_changes_on_disk_is_seen(name: str, place: Path) -> None:
    change, verdict = CHANGES[name]
    assert run(place) == PROVED
    change()
    found = run(place)
    # The same program out of another text is the same; a place is told, so that it is no other.
    same = name == "one that comes before, deeper"
    assert found["first"] == (verdict, same)
    assert found["other"] == ("proved", name != "the place")
    assert run(place)["first"] == (verdict, True)


@pytest.mark.parametrize(
    ("change", "verdict"),
    some(
        [
            ({"launch": "grid=1 block=128"}, "refuted"),
            ({"given": ("N >= 100",)}, "proved"),
            ({"extents": {"x": "N - 1"}}, "refuted"),
            ({"alignment": {"x": "512"}}, "proved"),
            ({"properties": ("in_bounds", "aligned")}, "proved"),
            ({"architecture": "sm80"}, "proved"),
            ({"same_value": True}, "proved"),
            ({"certificates": True}, "proved"),
            ({"include": ("include", "more")}, "proved"),
            ({"defines": {"UNUSED": "2"}}, "proved"),
        ],
        3,
    ),
)
def test_what_is_asked_for_is_part_of_the_key(
    change: dict[str, Any], verdict: str, place: Path
) -> None:
    assert run(place) == PROVED
    asked = replace(USUAL, **change)
    assert run(place, asked)["first"] == (verdict, False)
    assert run(place, asked)["first"] == (verdict, True)
    assert run(place) == KEPT


def test_a_project_file_is_part_of_the_key(place: Path) -> None:
    Path("symcute.toml").write_text('files = ["k.cu"]\n')
    assert run(place, target=".") == PROVED
    assert run(place, target=".") == KEPT
    Path("symcute.toml").write_text('files = ["k.cu"]\n[kernel.other]\nextent = { x = "3" }\n')
    changed = {"first": ("proved", True), "other": ("refuted", False)}
    assert run(place, target=".") == changed


def test_a_change_costs_only_what_it_changes(place: Path) -> None:
    run(place)
    Path("k.cu").write_text(SOURCE + OTHER.replace("= 1", "= 2") + "// the end")
    found = run(place)
    assert found["first"] == ("proved", True)


def test_another_engine_has_other_verdicts(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(place)
    real = store.this_engine()
    monkeypatch.setattr(store, "this_engine", lambda: replace(real, version=real.version + "x"))
    assert run(place) == PROVED


def test_a_file_that_changes_while_it_is_read_is_not_kept(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = kernels.read_file

    def read_file(*args: Any) -> Any:
        monkeypatch.setattr(kernels, "read_file", real)
        found = real(*args)
        put("include/deeper.h", "#define SIZE 1\n")()
        return found

    monkeypatch.setattr(kernels, "read_file", read_file)
    assert run(place) == PROVED
    assert run(place)["first"] == ("refuted", False)
    put("include/deeper.h", "#define SIZE 0\n")()
    monkeypatch.setattr(kernels, "read_file", read_file)
    assert run(place) == KEPT  # read again, for what it said then was not kept


def task(reason: str = "") -> tuple[Task, dict[str, Any]]:
    """A kernel that was read, and a finding of it that is unknown."""
    at = Place("k.cu", 1, 1)
    known = Known("k", at, "k.cu", "program")
    finding = Finding("in_bounds", "unknown", at, "", "k", reason=reason)
    result = {"verdicts": verdict_of([finding]), "findings": [finding.to_json()], "cached": False}
    return Task(known, replace(USUAL, timeout=10)), result


def test_an_unknown_answers_for_no_longer_time(place: Path) -> None:
    asked, result = task("the work limit of 1,500 was reached")
    with KernelCache(place, _fail) as shelf:
        shelf.keep(asked, result)
    for seconds, there in ((10.0, True), (5.0, True), (11.0, False)):
        with KernelCache(place, _fail) as shelf:
            again = replace(asked, request=replace(asked.request, timeout=seconds))
            assert (shelf.result(again) is not None) == there


@pytest.mark.parametrize("reason", ["z3: solver died (signal 9)", "memory limit"])
def test_a_mishap_is_not_kept(reason: str, place: Path) -> None:
    asked, result = task(reason)
    with KernelCache(place, _fail) as shelf:
        shelf.keep(asked, result)
    with KernelCache(place, _fail) as shelf:
        assert shelf.result(asked) is None


def test_a_kernel_that_was_not_read_is_not_decided() -> None:
    with pytest.raises(TypeError, match="k was not read"):
        run_task(task()[0])


def test_a_damaged_cache_is_set_aside(place: Path) -> None:
    run(place)
    place.write_bytes(b"this is no database\n" * 500)
    notices: list[str] = []
    assert run(place, tell=notices.append) == PROVED
    assert [n.endswith("and a fresh one is begun") for n in notices] == [True]
    assert run(place) == KEPT


def test_an_entry_that_was_changed_is_no_verdict(place: Path) -> None:
    run(place)
    with sqlite3.connect(place) as other:
        other.execute("UPDATE entries SET body = replace(body, 'proved', 'refuted')")
    other.close()
    notices: list[str] = []
    assert run(place, tell=notices.append) == PROVED
    assert len(notices) == 1


# --- what a source may include --------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "#define NAME <size.h>\n#include NAME",
        '# /* a\n comment */ include "size.h"',
        '/* a */ # /* b */ include "size.h"',
        '#line 7 "other.cu"',
        '# 7 "other.cu"',
        "#define HAS(x) __has_include(x)\n",
        '#embed "size.h"',
        '%:include "size.h"',
    ],
)
def test_what_is_not_plain_to_see_has_no_digest(line: str, place: Path) -> None:
    Path("k.cu").write_text(line + "\n" + OTHER)
    assert fingerprint(Path("k.cu"), ["include"]) is None


def test_a_source_without_a_digest_is_read_every_time(place: Path) -> None:
    Path("k.cu").write_text(SOURCE.replace('"size.h"', "HEADER") + OTHER)
    request = replace(USUAL, defines={"HEADER": "<size.h>"})
    assert run(place, request) == PROVED
    assert run(place, request) == KEPT  # the programs are what they were
    put("include/deeper.h", "#define SIZE 1\n")()
    assert run(place, request)["first"] == ("refuted", False)


@pytest.mark.parametrize(
    "text",
    [
        "#inc\\\nlude <size.h>\n",
        "#inc\\\rlude <size.h>\r",
        '#include "../{here}/include/size.h"\n',
        '#if 0\n#include "size.h"\n#endif\n',
        "#if __has_include(<size.h>)\n#endif\n",
        "#include_next <size.h>\n",
        '#\tinclude\t"size.h"// why\n',
    ],
)
def test_whatever_is_named_is_looked_for(text: str, place: Path) -> None:
    Path("k.cu").write_text(text.replace("{here}", place.parents[1].name) + OTHER, newline="")
    before = fingerprint(Path("k.cu"), ["include"])
    assert before is not None
    put("include/deeper.h", "// changed\n")()
    changed = fingerprint(Path("k.cu"), ["include"])
    assert changed not in (before, None)
    Path("include/deeper.h").unlink()
    gone = fingerprint(Path("k.cu"), ["include"])
    assert gone not in (before, changed, None)
    Path("include/deeper.h").mkdir()
    assert fingerprint(Path("k.cu"), ["include"]) not in (before, changed, gone, None)


def test_clang_reads_nothing_that_nobody_asked_for(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from symcute.frontends.cuda import read_kernels, source
    from symcute.processes.programs import Stock

    Path("include").rename("elsewhere")
    monkeypatch.setenv("CPATH", str(Path("elsewhere").resolve()))
    fresh = Stock(source._READERS._command)
    monkeypatch.setattr(source, "_READERS", fresh)
    assert read_kernels(Path("k.cu")).missing == ("size.h",)
    assert read_kernels(Path("k.cu"), include_dirs=["elsewhere"]).missing == ()
    fresh.close()


def test_clang_reads_nothing_more_on_the_road_through_llvm(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What it read there would be in no fingerprint: verdicts would outlive a change of it.
    from symcute.errors import InputError
    from symcute.frontends.llvm.compiling import compiled

    Path("include").rename("elsewhere")
    for variable in ("CPATH", "CPLUS_INCLUDE_PATH"):
        monkeypatch.setenv(variable, str(Path("elsewhere").resolve()))
    with pytest.raises(InputError, match=r"size\.h"):
        compiled("k.cu", '#include "size.h"\n', {}, [], 20)


def test_what_clang_finds_by_itself_is_looked_for(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("symcute.frontends.cuda.inclusion._ALWAYS", ("include",))
    before = fingerprint(Path("k.cu"))
    put("include/deeper.h", "// changed\n")()
    assert fingerprint(Path("k.cu")) not in (before, None)
