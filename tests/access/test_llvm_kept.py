"""What clang made is kept by the text that it made it of; what cannot be read is made again."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from symcute.frontends.llvm import kept
from symcute.frontends.llvm.kept import keep, key_of, known
from symcute.frontends.llvm.source import read_through_llvm

TEXTS = ("a\n" * 500, "".join(map(chr, range(32, 300))))
SOURCE = '#include "size.h"\n__global__ void k(int *x) { x[SIZE * threadIdx.x] = 1; }\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path / ".cache/symcute/llvm"


def test_texts_are_found_again_by_what_they_were_made_of(folder: Path) -> None:
    key = key_of(["source", "sm_90"])
    assert known(key) is None
    keep(key, TEXTS)
    assert known(key) == TEXTS
    assert [f.name for f in folder.iterdir()] == [f"{key}.json.gz"]
    others = (["source", "sm_80"], ["sources", "m_90"], ["source"], ["source", "sm_90", ""])
    assert key not in map(key_of, others)


def test_a_file_that_is_damaged_is_none(folder: Path) -> None:
    key = key_of(["source"])
    keep(key, TEXTS)
    file = folder / f"{key}.json.gz"
    whole, rng = file.read_bytes(), Random(1)
    for _ in range(300):
        damaged = bytearray(whole)
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        file.write_bytes(damaged[: rng.choice((None, rng.randrange(len(damaged))))])
        assert known(key) in (None, TEXTS)


def test_those_used_last_are_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_MOST", 3)
    for n in range(6):
        keep(f"{n}", TEXTS)
    assert len(list(folder.iterdir())) == 3


def test_without_a_place_for_them_none_is_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nowhere() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(Path, "home", nowhere)
    keep("0", TEXTS)
    assert known("0") is None
    monkeypatch.undo()
    monkeypatch.setenv("HOME", "/proc/none")
    keep("0", TEXTS)
    assert known("0") is None


@pytest.mark.full
def test_clang_reads_what_changed_and_says_so(folder: Path, tmp_path: Path) -> None:
    file, header = tmp_path / "k.cu", tmp_path / "size.h"
    file.write_text(SOURCE, encoding="utf-8")
    said = []
    for size in (2, 2, 3, 2):
        header.write_text(f"#define SIZE {size}\n", encoding="utf-8")
        said.append(read_through_llvm(file).compiled)
    assert [s.endswith("has read it before") for s in said] == [False, True, False, True], said
    assert all("s of the processor" in said[k] for k in (0, 2))
