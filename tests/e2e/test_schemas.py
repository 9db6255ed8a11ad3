"""Is every JSON that symcute writes what its published schema says, and is what is not refused?"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from symcute.cli import main
from symcute.schemas import schema, schema_names
from tests.checker.certificates import ACCEPTED

ROOT = Path(__file__).parents[2]
FILES = ROOT / "symcute/schemas"
CLAIM = "injective((M,N):(LD,1))"
THEOREM = '''from symcute import theorem


@theorem(given=["LD >= N"])
def padded():
    """Rows do not meet."""
    return "injective((M,N):(LD,1))"


@theorem(expect="refuted")
def unpadded():
    """Rows do not meet."""
    return "injective((M,N):(LD,1))"
'''
#: A document of each form: the exit code, and the command that prints it.
COMMANDS: dict[str, list[tuple[int, tuple[str, ...]]]] = {
    "prove": [
        (1, ("prove", CLAIM)),
        (0, ("prove", CLAIM, "-g", "LD >= N", "--certificate", "one.json")),
        (1, ("prove", CLAIM, "-g", "M < 1", "--no-suggest")),
    ],
    "eval": [(0, ("eval", "logical_divide((256,512), (128,64))"))],
    "show": [
        (0, ("show", "(2,(2,2)):(4,(2,1))")),
        (0, ("show", "Sw<1,0,1> o 4 o (M,2):(2,1)")),
    ],
    "find-padding": [
        (0, ("find-padding", "access((32,32):(32+P,1), 32)")),
        (1, ("find-padding", "access((32,32):(32+P,1), 32)", "--most", "0")),
    ],
    "find-swizzle": [
        (0, ("find-swizzle", "access((32,32):(32,1), 32)", "--ways", "16")),
        (1, ("find-swizzle", "access((32,32):(64,1), 32)", "--bits", "2")),
    ],
    "atoms": [(0, ("atoms", "SM80_CP_ASYNC_*")), (0, ("atoms", "SM70_8x8x4_F16*"))],
    "atom": [(0, ("atoms", "SM80_8x8x4_F64F64F64F64_TN"))],
    "recheck": [(1, ("recheck", "one.json", "wrong.json"))],
    "doctor": [(0, ("doctor",))],
    "gpu": [
        (0, ("gpu", "mine.py", "--backend", "cpu", "--instances", "1", "--coordinates", "16")),
    ],
    "gpu-evidence": [(0, ("gpu", "--verify-evidence", "reports/latest/cpu.json"))],
    "gpu-status": [(0, ("gpu", "mine.py", "--status", "--out", "reports/latest"))],
    "explore": [(0, ("explore", "(4,8):(8,1)", "--out", "page.html"))],
    "error": [
        (2, ("prove", "injective((M,N)")),
        (1, ("eval", "logical_divide(M, 128)")),
        (2, ("find-swizzle", "(8,8)")),
        (2, ("atoms", "nonsense")),
        (2, ("check", "none.cu")),
        (2, ("recheck", "none.json")),
    ],
}  # fmt: skip
#: What no --json prints alone, or other tests hold to its schema.
ELSEWHERE = {
    "certificate", "certificates", "check", "eval-line", "evidence", "prove-line", "report",
}  # fmt: skip
#: Keys that need not be there, and those under which names are the user's.
OPTIONAL = {"suggestion", "position", "id", "solver", "tile", "leaf", "guards", "swizzle", "offset"}
FREE = {
    "dims", "backend", "rests_on", "states", "layouts", "verdicts", "rounds", "values", "claims",
    "machine", "padding", "id", "instance",
}  # fmt: skip
MUTANTS = 24


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(schema(name))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("documents")
    (found / "mine.py").write_text(THEOREM)
    (found / "wrong.json").write_text(json.dumps(ACCEPTED["chain"] | {"claim": "injective(4:0)"}))
    return found


def said(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    return int(stop.value.code or 0), capsys.readouterr().out


def test_every_schema_is_put_to_the_test() -> None:
    assert COMMANDS.keys() | ELSEWHERE == set(schema_names())


@pytest.mark.parametrize("name", (*schema_names(), "common"))
def test_a_schema_is_one_and_describes_every_field(name: str) -> None:
    written = json.loads((FILES / f"{name}.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(written)
    assert written["title"] and written["$id"] == f"urn:symcute:schema:{name}"
    assert name == "common" or written["description"]
    for place, field in fields(written):
        assert "description" in field or "$ref" in field or "anyOf" in field, place


def fields(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Yield what stands under `properties` of an object, but for what narrows a field."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "properties" and ("required" in value or "title" in value):
                yield from ((f"{place}/{k}", field) for k, field in inner.items())
            if key not in ("if", "then", "else", "allOf"):
                yield from fields(inner, f"{place}/{key}")


#: Of these the first takes a C compiler, and the others what it writes.
COMPILED = ("gpu", "gpu-evidence", "gpu-status")


@pytest.mark.parametrize(
    "name", [pytest.param(x, marks=[pytest.mark.full] * (x in COMPILED)) for x in COMMANDS]
)
def test_a_command_prints_what_its_schema_says(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    for code, arguments in COMMANDS[name]:
        found, out = said((*arguments, "--json"), capsys)
        document = json.loads(out)
        validator(name).validate(document)
        version = {"check": 3, "recheck": 2}.get(name, 1)
        assert document["schema"] == {"name": f"symcute-{name}", "version": version}
        assert found == code, arguments
        assert_mutants_are_refused(name, document)


def assert_mutants_are_refused(name: str, document: Any) -> None:
    every = list(mutants(document))
    assert len(every) >= 4
    for what, mutant in every[:: len(every) // MUTANTS + 1]:
        assert not validator(name).is_valid(mutant), f"{name}: {what} is accepted"


def mutants(document: Any) -> Iterator[tuple[str, Any]]:
    """Yield documents with a key too few, a key too many, or a status that there is not."""
    for path, value in objects(document, ()):
        place = "/".join(map(str, path))
        yield f"{place}/surprise", changed(document, path, value | {"surprise": 1})
        for key in value.keys() - OPTIONAL:
            rest = {k: v for k, v in value.items() if k != key}
            yield f"{place} without {key}", changed(document, path, rest)
        if "status" in value:
            yield f"{place} maybe", changed(document, path, value | {"status": "maybe"})


def objects(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    if isinstance(value, dict):
        if not path or path[-1] not in FREE:
            yield path, value
        for key, inner in value.items():
            yield from objects(inner, (*path, key))
    elif isinstance(value, list):
        for key, inner in enumerate(value):
            yield from objects(inner, (*path, key))


def changed(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    found = copy.copy(document)
    found[path[0]] = changed(document[path[0]], path[1:], value)
    return found


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("prove-line", [{"claim": CLAIM, "id": [3]}, {"claim": "injective(4:1)"}, {"claim": "("}]),
        ("eval-line", [{"expr": "size((4,8))", "id": "a"}, {"expr": "("}, {"expr": 1}, []]),
    ],
)
def test_a_batch_has_the_lines_that_its_schema_says(
    name: str, lines: list[Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    batch = tmp_path / "batch.jsonl"
    batch.write_text("".join(json.dumps(line) + "\n" for line in lines) + "no JSON\n")
    code, out = said((name.removesuffix("-line"), "--batch", str(batch)), capsys)
    answers = [json.loads(line) for line in out.splitlines()]
    assert code == 2 and len(answers) == len(lines) + 1
    for answer in answers:
        validator(name).validate(answer)
        assert not validator(name).is_valid(answer | {"surprise": 1})
        assert not validator(name).is_valid({k: v for k, v in answer.items() if k != "seconds"})


def test_certificates_of_every_lemma_are_what_the_schema_says() -> None:
    for name, document in ACCEPTED.items():
        validator("certificate").validate(document)
        for k, part in enumerate(document["proof"].get("parts", ())):
            wrong = changed(document, ("proof", "parts", k), part | {"hint": 1})
            assert not validator("certificate").is_valid(wrong), name


def test_the_certificates_and_the_evidence_that_are_kept() -> None:
    files = sorted((ROOT / "proofs").rglob("*.certificates.jsonl"))
    assert len(files) >= 60
    for file in files:
        lines = file.read_text(encoding="utf-8").splitlines()
        validator("certificates").validate(json.loads(lines[len(lines) // 2]))
    (kept,) = (ROOT / "reports/gpu").glob("*.json")
    evidence = json.loads(kept.read_text(encoding="utf-8"))
    evidence["items"] = evidence["items"][::150]
    validator("evidence").validate(evidence)
    assert_mutants_are_refused("evidence", evidence | {"items": evidence["items"][:2]})


@pytest.mark.full
def test_the_sample_report() -> None:
    sample = json.loads((ROOT / "reports/sample/report.json").read_text(encoding="utf-8"))
    sample["theorems"] = sample["theorems"][::8]
    validator("report").validate(sample)
    assert_mutants_are_refused("report", sample | {"theorems": sample["theorems"][:2]})
    # What is proved has proofs, what is refuted a counterexample.
    proved = next(t for t in sample["theorems"] if t["status"] == "proved")
    for status in ("refuted", "unknown"):
        lie = sample | {"theorems": [proved | {"status": status}]}
        assert not validator("report").is_valid(lie), status


def test_the_command_lists_them_and_prints_one(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = said(("schema",), capsys)
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == list(schema_names())
    code, out = said(("schema", "report"), capsys)
    assert code == 0 and json.loads(out) == schema("report")
    code, _ = said(("schema", "nonsense"), capsys)
    assert code == 2


def test_a_printed_schema_needs_no_other_file() -> None:
    for name in schema_names():
        whole = schema(name)
        inside = {whole["$id"], *(x.get("$id") for x in whole.get("$defs", {}).values())}
        targets = set(references(whole))
        assert {t.partition("#")[0] for t in targets if not t.startswith("#")} <= inside


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from ([value["$ref"]] if isinstance(value.get("$ref"), str) else [])
        for inner in value.values():
            yield from references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from references(inner)
