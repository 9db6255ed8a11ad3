"""Rocq beside us: its library compiled once, and batches of certificates computed by its kernel."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symcute.checker import load
from symcute.checker.terms import Refused
from symcute.recheck.__main__ import entries, read
from symcute.rocq.extracted import NotMade, answers, program
from symcute.rocq.gallina import KEYS, batch, missing

__all__ = ["LIBRARY", "Said", "Unavailable", "ask", "documents"]

#: The theorems and the checker that they are about: in a checkout, or where a wheel has them.
_PLACES = (Path(__file__).parents[2] / "proofs" / "rocq", Path(__file__).parent / "library")
LIBRARY = next((x for x in _PLACES if (x / "_CoqProject").is_file()), _PLACES[0])
#: Where what is compiled of them is kept, by digest: not in a project, which may be another's.
KEPT = Path.home() / ".cache" / "symcute" / "rocq"
#: What computes the checker, and why it was not the program.
PROGRAM, KERNEL = "extracted to OCaml", "in Rocq's kernel"
#: The longest batch, in documents and characters of JSON, and how long Rocq may be silent.
MAX_DOCUMENTS, MAX_CHARACTERS, SILENCE_S = 400, 1 << 20, 600.0


class Unavailable(Exception):
    """Rocq or its library is not there, or it does not do as agreed; with what to do."""

    def __init__(self, what: str, remedy: str) -> None:
        self.what, self.remedy = what, remedy
        super().__init__(what)


@dataclass(frozen=True)
class Said:
    """What Rocq says of a certificate: `accepted`, `rejected`, or `not covered`.

    `met` says that an instance meets what is assumed, `text` that what the texts say is proved, as
    Gallina reads them; `missing` names what the checker there has not, where the certificate is not
    covered. `checker` says where it ran, and why there; it is empty where it was not asked.
    """

    verdict: str
    met: bool = False
    text: bool = False
    missing: str = ""
    checker: str = ""


def documents(file: str) -> Iterator[Any]:
    """Yield the certificates in a file, in order; None in the place of one that cannot be read."""
    try:
        found = list(entries(read(file)))
    except Refused:
        return
    for entry in found:
        try:
            item = load(entry) if isinstance(entry, str) else entry
        except Refused:
            yield None
            continue
        if isinstance(item, dict) and sorted(item) == ["certificate", "name", "part"]:
            item = item["certificate"]
        yield item


def _silent(text: str) -> None:
    """Take what is being done, and say nothing."""


def ask(
    items: list[Any], notice: Callable[[str], None] = _silent, kernel: bool = False
) -> list[Said]:
    """Return what Rocq says of each document; `notice` takes what is being done where that is long.

    Where OCaml is there its checker runs extracted to that; with `kernel` Rocq's kernel computes
    it, as it does where OCaml is not there, or the program fails: each answer says which it was.

    Errors: Unavailable.
    """
    found: dict[int, Said] = {}
    waiting: list[int] = []
    for k, item in enumerate(items):
        if not isinstance(item, dict):
            found[k] = Said("rejected")
        elif lacking := missing(item):
            found[k] = Said("not covered", missing=lacking)
        else:
            waiting.append(k)
    if waiting:
        library = compiled(notice)
        checker, why = None, "as --kernel asks"
        if not kernel:
            try:
                checker, why = program(library, _coqc), "the program fails on it"
            except NotMade as reason:
                why = str(reason)
        for group in _groups(waiting, items):
            said = _answered(library, checker, [items[k] for k in group], f"{KERNEL}: {why}")
            found |= dict(zip(group, said, strict=True))
    return [found[k] for k in range(len(items))]


def _said(code: int | None, checker: str) -> Said:
    if code is None:
        return Said("not covered", missing="time", checker=checker)
    verdict = "accepted" if code else "rejected"
    return Said(verdict, code in (2, 4), code > 2, checker=checker)


def _groups(waiting: list[int], items: list[Any]) -> Iterator[list[int]]:
    group, size = list[int](), 0
    for k in waiting:
        length = sum(len(str(items[k].get(key))) for key in KEYS)
        if group and (len(group) >= MAX_DOCUMENTS or size + length > MAX_CHARACTERS):
            yield group
            group, size = [], 0
        group.append(k)
        size += length
    if group:
        yield group


def _answered(
    library: Path, checker: Path | None, group: list[dict[str, Any]], otherwise: str
) -> list[Said]:
    """Return what the program says of documents, and the kernel where that says nothing."""
    said = answers(checker, group, SILENCE_S) if checker else [None] * len(group)
    left = [document for document, code in zip(group, said, strict=True) if code is None]
    computed = iter(_computed(library, left) if left else ())
    return [_said(next(computed), otherwise) if code is None else _said(code, PROGRAM)
            for code in said]  # fmt: skip


def _computed(library: Path, group: list[dict[str, Any]]) -> list[int | None]:
    """Return the codes of documents; of one on which Rocq fails alone it is 0, and None where it
    took too long."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "Batch.v"
        file.write_text(batch(group), encoding="utf-8")
        try:
            said = _coqc(["-R", str(library), "Symcute", file.name], Path(folder))
        except subprocess.TimeoutExpired:
            said = None
    if said is not None and said.returncode == 0:
        codes = re.findall(r"\b[0-4]\b", said.stdout.partition("=")[2].partition(":")[0])
        if len(codes) == len(group):
            return [int(x) for x in codes]
    if len(group) == 1:
        return [None if said is None else 0]
    half = len(group) // 2
    return _computed(library, group[:half]) + _computed(library, group[half:])


def compiled(notice: Callable[[str], None] = _silent) -> Path:
    """Return the folder with the compiled library; it is compiled once for each version of it.

    Errors: Unavailable.
    """
    if not (LIBRARY / "_CoqProject").is_file():
        raise Unavailable(
            f"the theorems are not at {LIBRARY}", "run it in a checkout of symcute, which has them"
        )
    names = [x for x in (LIBRARY / "_CoqProject").read_text().split() if x.endswith(".v")]
    names.append("main.ml")
    texts = {name: (LIBRARY / name).read_bytes() for name in names}
    version = _version()
    known = hashlib.sha256(version.encode() + b"".join(n.encode() + t for n, t in texts.items()))
    kept = KEPT / known.hexdigest()[:16]
    if kept.is_dir():
        return kept
    notice("coqc compiles the theorems, which is done once and takes about a minute")
    kept.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
        made = Path(folder) / "made"
        made.mkdir()
        for name, text in texts.items():
            (made / name).write_bytes(text)
            if not name.endswith(".v"):
                continue
            said = _coqc(["-R", ".", "Symcute", name], made)
            if said.returncode:
                reason = " ".join(said.stderr.split())[:200]
                raise Unavailable(f"coqc does not compile {name}: {reason}", "try Rocq 8.16")
        if not kept.is_dir():
            made.rename(kept)
    return kept


def _version() -> str:
    try:
        return _coqc(["--version"], Path()).stdout
    except FileNotFoundError:
        raise Unavailable(
            "Rocq's compiler coqc is not installed", "Debian and Ubuntu have it: apt install coq"
        ) from None


def _coqc(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    program = shutil.which("coqc")
    if program is None:
        raise FileNotFoundError("coqc")
    return subprocess.run(
        [program, "-q", *arguments] if arguments != ["--version"] else [program, *arguments],
        cwd=folder, capture_output=True, text=True, timeout=SILENCE_S, check=False,
    )  # fmt: skip
