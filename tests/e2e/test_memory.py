"""gpu/memory: the patterns are what the kernels do, the predictions hold, the evidence agrees."""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import random
import subprocess
import sys
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from symcute import Access, BankConflict, Sectors, prove
from symcute.errors import SymcuteError
from symcute.evidence.backends.host import find_compiler

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module", autouse=True)
def root() -> Any:
    sys.path.insert(0, str(ROOT))
    yield
    sys.path.remove(str(ROOT))


@pytest.fixture(scope="module")
def patterns() -> tuple[Any, ...]:
    return importlib.import_module("gpu.memory.patterns").PATTERNS


def part(name: str) -> Any:
    return importlib.import_module(f"gpu.memory.{name}")


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gpu.memory", *arguments], capture_output=True, text=True, cwd=ROOT,
        env={**os.environ, **environment}, check=False,
    )  # fmt: skip


def words_of(pattern: Any, lanes: list[tuple[int, int]]) -> int:
    """Return the wavefronts of lanes that are served together, counted word by word."""
    words = {
        (a + k) // 4 for _, a in lanes for k in range(pattern.width)
    }  # a word that several ask for is read once
    return max(Counter(word % 32 for word in words).values(), default=0)


def test_there_are_patterns_of_every_kind(patterns: tuple[Any, ...]) -> None:
    assert len(patterns) >= 60
    assert {p.kind for p in patterns} == set(part("patterns").KINDS)
    assert len({p.name for p in patterns}) == len({p.kernel for p in patterns}) == len(patterns)
    assert {p.width for p in patterns if p.kind == "shared load"} == {1, 2, 4, 8, 16}


def test_addresses_are_aligned_and_inside(patterns: tuple[Any, ...]) -> None:
    for p in patterns:
        assert int(p.layout[0].size()) == p.warps * p.lanes, p.name
        room = part("_kernels").room(p)
        for lanes in p.every():
            for a in lanes:
                assert a is None or (a % p.width == 0 and 0 <= a <= room - p.width), p.name


def test_words_and_narrower_are_predicted_as_counted_by_hand(patterns: tuple[Any, ...]) -> None:
    checked = 0
    for p in patterns:
        if p.kind in ("shared load", "shared store") and p.width <= 4:
            active = [[(n, a) for n, a in enumerate(x) if a is not None] for x in p.every()]
            assert part("_model").predicted(p)["wavefronts"] == sum(words_of(p, x) for x in active)
            checked += 1
    assert checked >= 100


def test_sectors_are_predicted_as_counted_by_hand(patterns: tuple[Any, ...]) -> None:
    for p in patterns:
        if p.kind.startswith("global"):
            count = sum(
                len({(a + k) // 32 for a in lanes if a is not None for k in range(p.width)})
                for lanes in p.every()
            )
            assert part("_model").predicted(p) == {"requests": p.warps * p.requests,
                                                   "sectors": count}, p.name  # fmt: skip


@pytest.mark.parametrize(
    ("name", "number", "value"),
    [
        # The statements in circulation about a 32 x 32 tile, rows and columns of a matrix, and
        # the swizzle of 64 halves.
        ("lds.32 column 5 of a 32x32 tile", "wavefronts", 32),
        ("lds.32 column 5 of a padded 32x33 tile", "wavefronts", 1),
        ("lds.32 row 7 of a padded 32x33 tile", "wavefronts", 1),
        ("lds.32 column 5 of a swizzled tile", "wavefronts", 1),
        ("ldg.32 row 3 of a matrix 64 wide", "sectors", 4),
        ("ldg.32 column 3 of a matrix 64 wide", "sectors", 32),
        ("ldg.32 stride 8", "sectors", 32),
        ("ldg.32 stride 7", "sectors", 28),
        ("lds.128 8 threads down 64 halves", "wavefronts", 8),
        ("lds.128 8 threads down swizzled 64 halves", "wavefronts", 1),
        # Stores of several words are served phase by phase, loads two phases at once.
        ("lds.128 all alike", "wavefronts", 2),
        ("sts.128 all alike", "wavefronts", 4),
        ("ldmatrix.x4 16x16 of 64 halves", "wavefronts", 32),
        ("ldmatrix.x4 16x16 of 72 halves", "wavefronts", 4),
        ("ldmatrix.x4 16x16 of 64 swizzled halves", "wavefronts", 4),
    ],
)
def test_what_is_known_of_some(name: str, number: str, value: int) -> None:
    assert part("_model").predicted(part("patterns").by_name(name))[number] == value


@pytest.mark.full
def test_the_kernels_index_functions_are_the_layouts(
    patterns: tuple[Any, ...], tmp_path: Path
) -> None:
    """Compiled for the host, at every thread and request."""
    lab = importlib.import_module("gpu._run")
    text = lab.header({f"{p.kernel}_at": (p.layout, ("t", "r")) for p in patterns})
    code, library = tmp_path / "f.c", tmp_path / "f.so"
    code.write_text(text.replace("__device__ __forceinline__ ", ""))
    subprocess.run([find_compiler(), "-shared", "-fPIC", "-o", library, code], check=True)
    loaded = ctypes.CDLL(str(library))
    for p in patterns:
        call = getattr(loaded, f"{p.kernel}_at")
        call.restype, call.argtypes = ctypes.c_longlong, [ctypes.c_longlong] * 2
        for warp in range(p.warps):
            for request in range(p.requests):
                for lane, address in enumerate(p.addresses(warp, request)):
                    at = (p.base + call(warp * p.lanes + lane, request)) * p.bytes
                    assert address in (None, at), (p.name, lane)


def test_a_kernel_has_the_one_instruction_of_its_pattern(patterns: tuple[Any, ...]) -> None:
    kernels = part("_kernels")
    forms = {kernels.request(p).split('"')[1].split()[0] for p in patterns}
    assert {
        "ld.shared.u8", "ld.shared.v4.u32", "st.shared.v2.u32", "ld.global.u16",
        "st.global.v4.u32", "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
        "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16",
        "stmatrix.sync.aligned.m8n8.x2.shared.b16",
    } <= forms  # fmt: skip
    p = part("patterns").by_name("lds.64 stride 3")
    text = kernels.source([p])
    assert text.count("asm volatile") == 1
    assert f'extern "C" __global__ void {p.kernel}(' in text


def test_values_are_followed_through_a_simulated_machine(patterns: tuple[Any, ...]) -> None:
    """What loads should give and stores should leave, computed once more byte by byte."""
    import numpy as np

    kernels = part("_kernels")
    for p in random.Random(5).sample(patterns, 120):
        memory = kernels.words(kernels.room(p) // 4).tobytes()
        if p.kind in ("shared load", "global load"):
            wanted = b"".join(
                b"".join(
                    (b"" if a is None else memory[a : a + p.width]).ljust(16, b"\0")
                    for a in p.addresses(w, r)
                )
                for r in range(p.requests)
                for w in range(p.warps)
            )
            assert kernels.loaded(p).tobytes() == wanted, p.name
        elif "load" in p.kind:
            # PTX ISA, ldmatrix: a lane gets the elements 2*(t%4) and the next of row t/4 of each
            # matrix, of its transpose with .trans.
            found = kernels.loaded(p).reshape(p.requests, p.warps, 32, 4)
            for t, k, half in product(range(32), range(p.matrices), range(2)):
                row, column = t // 4, 2 * (t % 4) + half
                if p.kind.endswith("trans"):
                    row, column = column, row
                a = p.addresses(p.warps - 1, p.requests - 1)[8 * k + row] + 2 * column
                got = int(found[-1, -1, t, k]) >> 16 * half & 0xFFFF
                assert got.to_bytes(2, "little") == memory[a : a + 2], p.name
        elif "store" in p.kind:
            left = np.zeros(kernels.room(p), dtype=np.uint8)
            for a, data in kernels.writes(p):
                left[a : a + len(data)] = list(data)
            assert kernels.wrong_bytes(p, left) == 0
            left[p.extent() - 1] ^= 1
            assert kernels.wrong_bytes(p, left) >= 1, p.name


class TestCounters:
    TABLE = (
        "==PROF== Connected to process 7\n"
        '"ID","Process ID","Kernel Name","l1tex__a.sum","smsp__b.sum"\n'
        '"","","","",""\n'
        '"0","7","p_one","1,024","2"\n'
        '"1","7","p_two(unsigned *)","3","n/a"\n'
        "==PROF== Disconnected\n"
    )

    def test_the_page_of_the_profiler(self) -> None:
        assert part("_counters").parse(self.TABLE) == {
            "p_one": {"l1tex__a.sum": 1024, "smsp__b.sum": 2},
            "p_two": {"l1tex__a.sum": 3},
        }

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "no counters: it said nothing"),
            ("==ERROR== ERR_NVGPUCTRPERM\n", "no counters: ==ERROR== ERR_NVGPUCTRPERM"),
            (TABLE + '"2","7","p_one","1","1"\n', "p_one was launched twice"),
        ],
    )
    def test_what_is_no_page(self, text: str, message: str) -> None:
        with pytest.raises(SymcuteError, match=message):
            part("_counters").parse(text)

    def test_only_metrics_that_the_profiler_knows(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        tool = tmp_path / "ncu"
        tool.write_text("#!/bin/sh\necho 'Device x'\necho 'smsp__b   Counter'\n")
        tool.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))
        counters = part("_counters")
        assert counters.missing_profiler() == ""
        assert counters.available(["l1tex__a.sum", "smsp__b.sum"]) == ["smsp__b.sum"]
        tool.write_text("#!/bin/sh\necho '==ERROR== no device' >&2\nexit 1\n")
        with pytest.raises(SymcuteError, match="ncu --query-metrics failed: ==ERROR== no device"):
            counters.available([])


class TestEvidence:
    @pytest.fixture
    def some(self, patterns: tuple[Any, ...]) -> list[Any]:
        return [p for p in patterns if "stride 4" in p.name]

    @pytest.fixture
    def data(self, some: list[Any]) -> dict[str, Any]:
        """Evidence as a machine would give that does what the model says."""
        model = part("_model")
        counters = {
            p.kernel: {model.METRICS[p.kind][n]: v for n, v in model.predicted(p).items()}
            for p in some
        }
        metrics = sorted({m for of in model.METRICS.values() for m in of.values()})
        backend = {"device": "device", "driver": "1.2"}
        machine = {"backend": backend, "profiler": "3.4", "architecture": "sm90"}
        wrong = {p.name: 0 for p in some}
        return part("_evidence").document(some, counters, wrong, metrics, machine)

    def test_what_agrees(self, some: list[Any], data: dict[str, Any], tmp_path: Path) -> None:
        evidence = part("_evidence")
        evidence.write(data, tmp_path / "deep" / "memory.json")
        read = evidence.read(tmp_path / "deep" / "memory.json")
        assert read == json.loads(json.dumps(data))
        assert evidence.check(read, some) == []
        said = run("--check", str(tmp_path / "deep" / "memory.json"), "--only", "stride 4")
        assert said.returncode == 0, said.stdout + said.stderr
        assert f"{len(some)} as predicted, 0 not" in said.stdout
        missing = run("--check", str(tmp_path / "deep" / "memory.json"), "--only", "stride 5")
        assert missing.returncode == 1
        assert "not measured" in missing.stdout

    def test_what_does_not(self, some: list[Any], data: dict[str, Any], tmp_path: Path) -> None:
        first, second, third, fourth = data["patterns"][:4]
        first["measured"] = [v and v + 1 for v in first["measured"]]
        second["wrong_values"] = 3
        third["layout"] = "(32,1):(5,0)"
        fourth["measured"] = []
        problems = part("_evidence").check(data, some)
        assert len(problems) == 4
        assert "wavefronts: predicted" in problems[0]
        assert "3 of the values it moved are wrong" in problems[1]
        assert "measured of another layout" in problems[2]
        assert "measured nothing" in problems[3]
        part("_evidence").write(data, tmp_path / "memory.json")
        said = run("--check", str(tmp_path / "memory.json"), "--only", "stride 4")
        assert (said.returncode, said.stderr) == (1, "")

    @pytest.mark.parametrize("text", ["", "[]", '{"schema": 0}'])
    def test_what_is_none(self, text: str, tmp_path: Path) -> None:
        (tmp_path / "x.json").write_text(text)
        with pytest.raises(SymcuteError, match=r"x\.json"):
            part("_evidence").read(tmp_path / "x.json")


def test_predictions_need_no_device() -> None:
    said = run("--predict", "--only", "lds.32 stride 16")
    assert said.returncode == 0
    assert said.stdout.split(maxsplit=3)[-1] == "instructions 1, wavefronts 16, conflicts 15\n"


def test_without_a_device_it_says_so() -> None:
    said = run(CUDA_VISIBLE_DEVICES="", PATH="")
    assert said.returncode == 2
    assert said.stderr.startswith("gpu.memory: no GPU: ")
    assert run("--only", "nothing like it").returncode == 2


class TestWhatAnH200Said:
    """The evidence that is kept: does it still agree with the patterns and the model of today?"""

    KEPT = ROOT / "reports/gpu/memory/memory.json"

    def test_every_counter_is_as_predicted(self, patterns: tuple[Any, ...]) -> None:
        evidence = part("_evidence")
        data = evidence.read(self.KEPT)
        assert "H200" in data["backend"]["device"]
        assert {entry["name"] for entry in data["patterns"]} == {p.name for p in patterns}
        assert evidence.check(data, patterns) == []

    def test_each_number_was_measured_not_copied(self, patterns: tuple[Any, ...]) -> None:
        """Counters that the model does not speak of are there too, and hang together."""
        data = part("_evidence").read(self.KEPT)
        ways = {"shared load": "ld", "shared store": "st", "matrix load": "ld",
                "matrix load trans": "ld", "matrix store": "st"}  # fmt: skip
        for entry in data["patterns"]:
            seen = dict(zip(data["metrics"], entry["measured"], strict=True))
            way = ways.get(entry["kind"])
            if way is None:
                continue
            other = {"ld": "st", "st": "ld"}[way]
            name = "l1tex__data_pipe_lsu_wavefronts_mem_shared"
            assert seen[f"{name}_op_{other}.sum"] == 0, entry["name"]
            assert seen[f"{name}.sum"] >= seen[f"{name}_op_{way}.sum"] > 0, entry["name"]

    def test_the_table_is_that_of_the_evidence(self, patterns: tuple[Any, ...]) -> None:
        data = part("_evidence").read(self.KEPT)
        kept = self.KEPT.with_suffix(".md").read_text(encoding="utf-8")
        assert kept == part("_table").table(data, patterns)
        assert f"{len(patterns)} as predicted, 0 not" in kept

    def test_what_is_proved_is_what_was_measured(self, patterns: tuple[Any, ...]) -> None:
        """The claims about a warp's requests, decided, beside the counters of the same requests."""
        data = part("_evidence").read(self.KEPT)
        rows = {row["name"]: row["measured"] for row in part("_evidence").rows(data, patterns)}
        checked: Counter[str] = Counter()
        for p in patterns:
            if p.matrices or p.warps > 1 or p.active != 0xFFFFFFFF or p.layout(0, 0) < 0:
                continue
            access = Access(p.layout, 8 * p.bytes, 8 * p.width, p.base)
            seen, name = rows[p.name], p.name
            if p.kind.startswith("global"):
                count, rest = divmod(seen["sectors"], p.requests)
                assert rest == 0
                exactly = Sectors(access, count, count)
                fewer = Sectors(access, count - 1)
            else:
                phases = max(1, p.width // 4)
                count = next(k for k in range(1, 33) if proved(BankConflict(access, k)))
                exactly = BankConflict(access, count, count)
                fewer = BankConflict(access, count - 1)
                wavefronts = seen["wavefronts"] // p.requests
                assert wavefronts <= phases * count, name
                if p.kind == "shared store" and proved(exactly):
                    assert wavefronts == phases * count, name
                if p.width > 4:
                    checked[p.kind] += 1
                    continue
                assert wavefronts == count, name
            assert proved(exactly), name
            assert prove(fewer).status == "refuted", name
            checked[p.kind] += 1
        assert all(checked[k] >= 80 for k in ("shared load", "shared store", "global load"))


def proved(claim: Any) -> bool:
    return prove(claim).status == "proved"
