"""Files that are damaged or meant to do harm: each gets its line, and the others their results."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from symcute.cli import recheck
from symcute.errors import SymcuteError

from .certificates import ACCEPTED, changed

GOOD = json.dumps(ACCEPTED["chain"])
NUMBER = '"version": '
assert NUMBER in GOOD


def written(text: str | bytes) -> Callable[[Path], object]:
    return lambda p: p.write_bytes(text if isinstance(text, bytes) else text.encode())


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(100 << 20)


#: What a file may be, with a word of the reason why it is rejected.
HOSTILE: dict[str, tuple[Callable[[Path], Any], str]] = {
    "empty": (written(""), "no certificate in it"),
    "blank": (written(" \n\n"), "no certificate in it"),
    "an empty list": (written("[]"), "no certificate in it"),
    "deep": (written("[" * 200_000), "recursion"),
    "deep and closed": (written('{"a":' * 50_000 + "1" + "}" * 50_000), "recursion"),
    "a long number": (written(GOOD.replace(NUMBER, NUMBER + "9" * 100_000)), "digits"),
    "a number with an exponent": (written(GOOD.replace(NUMBER, NUMBER + "1e99")), "no integer"),
    "no UTF-8": (written(b'{"version": "\xff\xfe"}'), "no UTF-8"),
    "zeros": (written(b"\0" * 1000), "no JSON"),
    "compressed": (written(bytes([31, 139, 8, 0, 0, 0, 0, 0])), "no UTF-8"),
    "cut off": (written(GOOD[:-30]), "no JSON"),
    "a long line": (written(" " * 5_000_000), "no certificate"),
    "a long certificate": (written('{"claim": "' + "x" * 5_000_000 + '"}'), "longer than"),
    "100 MB": (sparse, "longer than 67108864 bytes"),
    "a folder": (lambda p: p.mkdir(), "no regular file"),
    "a pipe": (lambda p: os.mkfifo(p), "no regular file"),
    "a link to nothing": (lambda p: p.symlink_to("nothing"), "cannot be read"),
    "a link to itself": (lambda p: p.symlink_to(p.name), "cannot be read"),
    "a list of anything": (written("[1, null, [], {}]"), "the keys are not"),
    "a name that is none": (
        written(json.dumps({"name": {"a": 1}, "part": [], "certificate": 3})), "the keys"),
    "half a surrogate": (written(GOOD.replace("injective", "\\ud800")), "digest"),
}  # fmt: skip


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """What one run says of a folder with all of them, and good ones between."""
    folder = tmp_path_factory.mktemp("hostile")
    for k, make in enumerate(HOSTILE.values()):
        make[0](folder / f"{2 * k:03}.certificates.json")
        (folder / f"{2 * k + 1:03}.certificates.json").write_text(GOOD)
    found: dict[str, list[dict[str, Any]]] = {}
    for result in recheck.checked(sorted(folder.rglob(recheck.PATTERN))):
        found.setdefault(Path(result["file"]).name[:3], []).append(result)
    return found


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_rejected_alone(name: str, told: dict[str, list[dict[str, Any]]]) -> None:
    number = 2 * list(HOSTILE).index(name)
    results = told[f"{number:03}"]
    assert {r["status"] for r in results} == {"rejected"}
    assert HOSTILE[name][1] in " ".join(r["reason"] for r in results)
    (good,) = told[f"{number + 1:03}"]
    assert (good["status"], good["reason"]) == ("checked", "")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text(GOOD)
    file.chmod(0)
    (result,) = recheck.checked([file])
    assert (result["status"], result["reason"]) == ("rejected", "cannot be read: Permission denied")


#: A checker that dies on some files, is silent on others, and says a word before.
FAKE = """
import json, os, sys, time

def named(file, word):
    return word in os.path.basename(file)

for file in sys.argv[3:]:
    print(json.dumps({"file": file}), flush=True)
    result = {"file": file, "name": "", "part": 0, "status": "checked", "statement": "s",
              "reason": "", "rests_on": ["arithmetic"], "queries": []}
    print(json.dumps(result), flush=True)
    if named(file, "dies"):
        print("out of something", file=sys.stderr, flush=True)
        os.kill(os.getpid(), 9)
    if named(file, "hangs"):
        time.sleep(600)
    if named(file, "half"):
        print('{"file": "cut', flush=True, end="")
        sys.exit(0)
"""


def test_a_checker_that_dies_or_hangs_goes_on_with_the_next_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recheck, "_BOOT", FAKE)
    monkeypatch.setattr(recheck, "SILENCE_S", 2.0)
    names = ["a", "dies", "b", "hangs", "c", "half", "dies last"]
    found = recheck.checked([tmp_path / name for name in names])
    told = [(Path(r["file"]).name, r["status"]) for r in found]
    assert told == [
        ("a", "checked"), ("dies", "checked"), ("dies", "rejected"), ("b", "checked"),
        ("hangs", "checked"), ("hangs", "rejected"), ("c", "checked"), ("half", "checked"),
        ("half", "rejected"), ("dies last", "checked"), ("dies last", "rejected"),
    ]  # fmt: skip
    reasons = [r["reason"] for r in found if r["reason"]]
    assert reasons[0] == "the checker died (signal 9) out of something"
    assert reasons[1] == "the checker was silent for 2 s"


def test_a_checker_that_does_not_begin_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recheck, "_BOOT", "import sys; sys.exit('no')")
    with pytest.raises(SymcuteError, match=r"the checker died \(exit code 1\) no"):
        recheck.checked([tmp_path / "x"])


def test_memory_is_bounded(tmp_path: Path) -> None:
    """What a document makes the checker hold is too much for it alone."""
    lines = "\n".join(["[" + "[]," * 1_300_000 + "1]"] * 12)
    (tmp_path / "a.json").write_text(lines)
    (tmp_path / "b.json").write_text(GOOD)
    *bad, good = recheck.checked([tmp_path / "a.json", tmp_path / "b.json"])
    assert {r["status"] for r in bad} == {"rejected"}
    assert good["status"] == "checked"


def test_what_a_file_says_cannot_pass_for_a_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "x\nchecked 1 == 2\n1 certificate: 1 checked\x1b[2J"
    claim = 'prints_as(1, "\x1b[2K\r1")'
    bad = changed("prints_as", claim=claim)
    entry = {"name": name, "part": 0, "certificate": bad}
    (tmp_path / "x.json").write_text(json.dumps(entry))
    (result,) = recheck.checked([tmp_path / "x.json"])
    told = recheck.told(result)
    assert len(told.splitlines()) == 2
    assert all(c.isprintable() or c == "\n" for c in told)
    assert told.startswith("REJECTED x?checked 1 == 2?1 certificate")
