"""Launches of many programs: which there are, what each is asked, and what is said of all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from symcute import check_kernel
from symcute.cli import main
from symcute.frontends.python.front_end import PYTHON
from symcute.kernel.ir.families import Family
from symcute.kernel.ir.program import Kernel
from tests.full import some

KERNEL = """
import torch
import triton
import triton.language as tl


@triton.autotune(configs=[CONFIGS], key=["m"])
@triton.jit
def k(x, m, n, A: tl.constexpr, B: tl.constexpr, WORD: tl.constexpr):
    across = tl.cdiv(n, B)
    i = tl.program_id(0) // across * A + tl.arange(0, A)
    j = tl.program_id(0) % across * B + tl.arange(0, B)
    v = tl.full((A, B), 1.0, tl.float32)
    if WORD == "twice":
        v = v + v
    at = i[:, None].to(tl.int64) * n + j[None, :]
    tl.store(x + at, v, mask=MASK)


def f(x: torch.Tensor, word=""):
    assert x.is_contiguous()
    m, n = x.shape
    LINE
    grid = lambda meta: (triton.cdiv(m, meta["A"]) * triton.cdiv(n, meta["B"]),)
    k[grid](x, m, n, WORD=word)
"""
CONFIGS = ", ".join(f'triton.Config({{"A": {a}, "B": {b}}})' for a in (16, 32) for b in (16, 64))
#: One of them.
ALONE = 'triton.Config({"A": 16, "B": 32})'
MASK = "(i[:, None] < m) & (j[None, :] < n)"
SMALL = ("--given", "m <= 4096", "--given", "n <= 4096")


def text(configs: str = CONFIGS, mask: str = MASK, line: str = "pass") -> str:
    """Return the file."""
    return KERNEL.replace("CONFIGS", configs).replace("MASK", mask).replace("LINE", line)


def families(folder: Path, written: str) -> list[tuple[Kernel, Family]]:
    """Return the programs of a file with their launches."""
    (folder / "k.py").write_text(written, encoding="utf-8")
    return [(k, f) for k in PYTHON.read(folder / "k.py").kernels.values() for f in k.families]


def checked(folder: Path, written: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Return what the command says of a file, of small sizes."""
    file = folder / "k.py"
    file.write_text(written, encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["check", str(file), "--no-cache", "--jobs", "1", *SMALL])
    return int(ended.value.code or 0), capsys.readouterr().out


def test_a_grid_is_the_product_of_rounded_up_quotients(tmp_path: Path) -> None:
    found = families(tmp_path, text())
    grids = {n.text for _, f in found for n in f.notes if n.text.startswith("launch ")}
    assert grids == {
        f"launch grid=((m + {a} - 1) // {a}*((n + {b} - 1) // {b}))"
        for a in (16, 32) for b in (16, 64)
    }  # fmt: skip
    assert not any(f.trouble or f.unknown for _, f in found)


@pytest.mark.full
def test_a_grid_hangs_on_what_is_chosen_though_the_program_does_not(tmp_path: Path) -> None:
    text = """import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"B": 64}), triton.Config({"B": LEAST})], key=["n"])
@triton.jit
def k(x, n, B: tl.constexpr):
    i = tl.program_id(0)
    tl.store(x + 2 * i, 1.0, mask=i < n)


def f(x: torch.Tensor):
    n = x.numel()
    assert x.is_contiguous() and n < 1000000
    k[lambda meta: (triton.cdiv(n, meta["B"]),)](x, n)
"""
    for least, expected in (("2", {"proved"}), ("1", {"proved", "refuted"})):
        (tmp_path / "k.py").write_text(text.replace("LEAST", least), encoding="utf-8")
        found = check_kernel(tmp_path / "k.py", properties=("in_bounds",))
        assert {f.status for f in found} == expected, least


def test_programs_that_are_the_same_are_one_and_say_so(tmp_path: Path) -> None:
    found = families(tmp_path, text())
    whys = {n.why for _, f in found for n in f.notes if n.text.startswith("constexpr WORD")}
    assert len(found) == 4 and whys == {"the program for this, and the same for ''"}
    other = text().replace("v = v + v", "j = j + 1")
    assert len(families(tmp_path, other)) == 8


@pytest.mark.parametrize(
    ("line", "free"),
    some(
        [
            ("pass", True),
            ('word = "once"', False),
            ("word = word or m", False),
            ("assert word in WORDS", False),
            ("m = SIZES[word]", False),
        ],
        3,
    ),
)
def test_what_the_host_asks_of_a_word_is_not_known(tmp_path: Path, line: str, free: bool) -> None:
    found = families(tmp_path, text(ALONE, line=line))
    assert found
    assert all(bool(f.unknown or f.trouble) != free for _, f in found), [
        f.unknown for _, f in found
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    some(
        [
            ("def f(", "@checked\ndef f("),  # it may hand on something else, or raise
            ("    k[grid]", "    other[(1,)](WORD=word)\n    k[grid]"),  # one that does not compile
            ("WORD=word)", "WORD=word, OTHER=word)"),  # both are one text
        ],
        3,
    ),
)
def test_what_else_is_done_with_a_word_leaves_it_unknown(
    tmp_path: Path, old: str, new: str
) -> None:
    plain = text(ALONE).replace(
        "WORD: tl.constexpr)", 'WORD: tl.constexpr, OTHER: tl.constexpr = "")'
    )
    plain = plain.replace("v = v + v", 'v = v + (0.0 if OTHER == "twice" else v)')
    plain += """

@triton.jit
def other(WORD: tl.constexpr):
    tl.static_assert(WORD != "twice")
"""
    assert not any(f.unknown or f.trouble for _, f in families(tmp_path, plain))
    found = [f for k, f in families(tmp_path, plain.replace(old, new)) if k.name == "k"]
    assert found and all(f.unknown or f.trouble for f in found)


def test_what_only_the_function_around_hands_on_is_not_known(tmp_path: Path) -> None:
    head, _, host = text(ALONE).partition("def f(")
    inside = "def outer(x):\n    def f(" + host.replace("\n", "\n    ") + "\n    f(x)\n"
    found = families(tmp_path, head + inside)
    assert found and all(f.unknown or f.trouble for _, f in found)


@pytest.mark.full
def test_of_many_programs_the_first_tells_what_the_others_are_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = checked(tmp_path, text(mask="(i[:, None] < m) & (j[None, :] <= n)"), capsys)
    assert code == 1 and "4 programs" in said
    (line,) = (x for x in said.splitlines() if "in_bounds" in x and " of 4: " in x)
    assert line.split()[0] == "REFUTED" and "4 of 4" in line  # at a glance is enough for that
    assert "launch_valid          all 4" in said


#: No three numbers are so, which nobody is asked to prove here.
FERMAT = "(m.to(tl.int64) * m * m + n.to(tl.int64) * n * n == w.to(tl.int64) * w * w)"
#: Twelve programs.
TWELVE = [(a, b) for a in (16, 32) for b in (8, 16, 32, 64, 128, 256)]


def configurations(sizes: list[tuple[int, int]]) -> str:
    return ", ".join(f'triton.Config({{"A": {a}, "B": {b}}})' for a, b in sizes)


@pytest.mark.full
def test_of_twelve_programs_the_ninth_is_refuted_where_the_first_is_open(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sizes = [*TWELVE[:8], (64, 32), *TWELVE[9:]]
    mask = "(i[:, None] < m) & (j[None, :] < n + A // 64)"
    written = text(configurations(sizes), mask, "assert w > 0 and w < 4096")
    hard = "at = i[:, None].to(tl.int64) * n + j[None, :]"
    written = written.replace(hard, f"{hard} + {FERMAT}.to(tl.int64) * (1 << 40)")
    written = written.replace("k(x, m, n, A", "k(x, m, n, w, A")
    written = written.replace("(x, m, n, WORD", "(x, m, n, w, WORD")
    written = written.replace('word=""', 'w: int, word=""')
    code, said = checked(tmp_path, written, capsys)
    first = said.split(", as above, where")[0]
    assert code == 1 and "UNKNOWN  in_bounds" in first and "REFUTED  in_bounds" not in first
    (line,) = (x for x in said.splitlines() if "in_bounds" in x and " of 12" in x)
    assert line.split()[0] == "REFUTED" and "1 of 12: " in line and "A = 64" in line


@pytest.mark.full
def test_what_is_not_asked_any_more_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "k.py").write_text(text(configurations(TWELVE)), encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["check", str(tmp_path / "k.py"), "--no-cache", "--work", "1", "--json", *SMALL])
    kernels = json.loads(capsys.readouterr().out)["kernels"]
    assert ended.value.code == 1 and len(kernels) == 12
    reasons = [{f["reason"][:9] for f in k["findings"]} for k in kernels]
    assert reasons[-3:] == [{"not asked"}] * 3 and {"not asked"} not in reasons[:-3]
    assert all("work" not in k for k in kernels)


@pytest.mark.full
def test_what_is_proved_is_proved_of_all_programs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = checked(tmp_path, text(), capsys)
    assert code == 0, said
    assert "in_bounds             all 4" in said and "write_race_free       all 4" in said


def test_what_fails_in_a_later_program_alone_is_refuted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mask = "(i[:, None] < m) & (j[None, :] < n + A // 32)"
    code, said = checked(tmp_path, text(mask=mask), capsys)
    assert code == 1
    (line,) = (x for x in said.splitlines() if "in_bounds" in x and " of 4: " in x)
    assert "2 of 4" in line and line.count("A = 32") == 2


HOST = """
import torch
import triton
import triton.language as tl
from torch import inference_mode


def checked(f):
    def g(x, n):
        assert n == x.numel()
        return f(x, n)

    return g


class Mine:
    pass


@triton.jit
def k(x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, 0.0, mask=at < n)


DECORATED
def f(x: torch.Tensor, n: int):
    assert x.is_contiguous() and n < 1000
    k[(triton.cdiv(n, 64),)](x, n, BLOCK=64)
"""


@pytest.mark.parametrize(
    ("decorators", "plain"),
    some(
        [
            ("", True),
            ("@torch.no_grad()", True),
            ("@torch.compile(dynamic=True)", True),
            ("@inference_mode()", True),
            ("@checked", False),
            ("@torch.no_grad()\n@checked", False),
            ("@torch.checked", False),
            ("@pytest.mark.parametrize('n', [1])", False),
            ("def inference_mode():\n    return checked\n\n\n@inference_mode()", False),
            ("torch.no_grad = lambda: checked\n\n\n@torch.no_grad()", False),
        ],
        3,
    ),
)
def test_what_a_decorator_does_that_is_not_known_refutes_nothing(
    tmp_path: Path, decorators: str, plain: bool
) -> None:
    (tmp_path / "k.py").write_text(HOST.replace("DECORATED", decorators), encoding="utf-8")
    found = {f.status for f in check_kernel(tmp_path / "k.py", properties=("in_bounds",))}
    assert found == {"refuted" if plain else "unknown"}


@pytest.mark.full
def test_what_fixtures_give_a_test_is_not_whatever_a_caller_gives(tmp_path: Path) -> None:
    for name, expected in (("f", "refuted"), ("test_f", "unknown")):
        host = HOST.replace("DECORATED\ndef f(", f"def {name}(")
        (tmp_path / "k.py").write_text(host, encoding="utf-8")
        found = {f.status for f in check_kernel(tmp_path / "k.py", properties=("in_bounds",))}
        assert found == {expected}, name


@pytest.mark.full
def test_the_decorator_of_a_class_may_change_its_methods(tmp_path: Path) -> None:
    host, _, body = HOST.partition("DECORATED\n")
    for line in ("class A:", "class A(metaclass=Mine):", "@checked\nclass A:"):
        method = "    @staticmethod\n    " + body.replace("\n    ", "\n        ")
        (tmp_path / "k.py").write_text(f"{host}{line}\n{method}", encoding="utf-8")
        found = {f.status for f in check_kernel(tmp_path / "k.py", properties=("in_bounds",))}
        assert found == {"refuted" if line == "class A:" else "unknown"}, line
