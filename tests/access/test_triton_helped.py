"""Functions that hosts of Triton kernels call for blocks: which are followed, and verdicts then."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from symcute import check_kernel
from symcute.frontends.python.jit_families import launches_of
from tests.full import some

FILE = Path(__file__).parents[1] / "triton" / "launches" / "helped.py"
#: Functions behind whose launches nothing may be known of the block.
OPEN = {
    "nothing_at_the_end", "one_of_two", "of_its_own", "given", "that_changes_more",
    "rebound_at_last", "behind",
}  # fmt: skip
KNOWN = {
    "from_a_module", "with_defaults", "with_more", "only_demanded", "of_this_file",
    "names_that_are_the_same", "shadowed", "of_shapes", "starred", "starred_between",
}  # fmt: skip
SETTINGS = """import triton
def settings(n):
    block = triton.next_power_of_2(n)
    if block > 64:
        raise RuntimeError
    return block, 4 if block < 32 else 8
"""
SIZED = """SIZE = 64
def warps():
    return 16
def settings(n):
    return SIZE // warps(), 4
"""
#: What puts another SIZE into it, and what does not.
PUTS = (
    "m = lib.settings\nm.SIZE = 8",
    "def put(m):\n    m.SIZE = 8\nput(lib.settings)",
    "for m in (lib.settings,):\n    m.SIZE = 8",
    "del lib.settings.SIZE",
    "setattr(lib.settings, 'SI' + 'ZE', 8)",
    "for name in ['SIZE']:\n    setattr(lib.settings, name, 'eight')",
    "import builtins\nbuiltins.setattr(lib.settings, 'SIZE', 8)",
    "import sys\nm = sys.modules['lib.settings']\nm.SIZE = 8",
    "f = setattr\nf(lib.settings, 'SIZE', 8)",
    "for f in (setattr,):\n    f(lib.settings, 'SIZE', 8)",
    "list(map(setattr, [lib.settings], ['SIZE'], [8]))",
    "import operator\nf = operator.setitem\nf(sys.modules, 'lib.settings', None)",
    "eval('setattr(lib.settings, \"SIZE\", 8)')",
    "locals()['settings'] = lambda n: (8, 4)",
    "lib.settings.__dict__ |= {'SIZE': 8}",
    "from unittest import mock\nmock.patch(target='lib.settings.SIZE', new=8)",
    "from unittest import mock as m\nname = 'SIZE'\nm.patch.object(lib.settings, name, new=8)",
    "from unittest import mock\np = mock.patch\np('lib.settings.SIZE', 8).start()",
    "from unittest import mock\nmock.patch.dict('lib.settings.__dict__', {'SIZE': 8})",
    "def test_it(to, name):\n    to.setattr(lib.settings, name, 8, raising=False)",
    "__import__('lib.settings').settings.SIZE = 8",
    "lib.settings.__dict__['SIZE'] = 8",
    "lib.settings.__dict__.update(SIZE=8)",
    "settings.__globals__['SIZE'] = 8",
    "settings.__code__ = (lambda n: (8, 4)).__code__",
    "from unittest import mock\nmock.patch('lib.settings.SIZE', 8).start()",
    "from unittest import mock\nmock.patch.object(lib.settings, 'SIZE', 8).start()",
    "from unittest import mock\nmock.patch.multiple('lib.settings', SIZE=8).start()",
    "def test_it(monkeypatch):\n    monkeypatch.setattr('lib.settings.SIZE', 8)",
)
NO_PUTS = (
    "from unittest import mock\nmock.patch.multiple(lib.settings, OTHER=8).start()",
    "def tiles(patch):\n    return [patch, setattr(patch, 'OTHER', 8), locals()]",
    "class C:\n    SIZE = 4\n    def f(self):\n        self.SIZE = self.__dict__['SIZE']",
    "def forward(ctx, x):\n    ctx.SIZE = x.SIZE",
    "m = lib.settings\nm.OTHER = 8\nsetattr(m, 'MORE', 8)",
)
HOST = """import torch
import triton
import triton.language as tl
from lib.settings import settings
@triton.jit
def row(x, n, B: tl.constexpr):
    at = tl.arange(0, B)
    tl.store(x + tl.program_id(0).to(tl.int64) * n + at, 0.0{mask})
def host(x):
    x = x.contiguous()
    rows, n = x.shape
    block, warps = settings(n)
    row[(rows,)](x, n, B=block, num_warps=warps)
"""


def test_what_is_plain_is_followed_and_nothing_else() -> None:
    text = FILE.read_text(encoding="utf-8")
    spans = {
        f.name: range(f.lineno, (f.end_lineno or 0) + 1) for f in ast.parse(text).body
        if isinstance(f, ast.FunctionDef)
    }  # fmt: skip
    found = launches_of(str(FILE), text)["row"]
    unknown = {
        name: [f.family.unknown for f in found if f.family.place.line in spans[name]]
        for name in OPEN | KNOWN
    }
    assert all(unknown.values())
    assert all("BLOCK" in u for name in OPEN for u in unknown[name])
    assert not any("BLOCK" in u for name in KNOWN for u in unknown[name])


@pytest.mark.parametrize(
    ("mask", "expected"),
    [
        (", mask=at < n", {"proved"}),
        ("", {"proved", "refuted"}),  # of one element the block has no more
        (", mask=at <= n", {"proved", "refuted"}),
    ],
)
def test_a_block_has_its_relation_to_the_size_that_it_is_made_of(
    tmp_path: Path, mask: str, expected: set[str]
) -> None:
    for name, text in (("settings", SETTINGS), ("__init__", "")):
        (tmp_path / "lib").mkdir(exist_ok=True)
        (tmp_path / "lib" / f"{name}.py").write_text(text)
    file = tmp_path / "k.py"
    file.write_text(HOST.format(mask=mask))
    found = check_kernel(file, properties=("in_bounds",))
    assert len(found) == 7  # 1 to 64
    assert {f.status for f in found} == expected


@pytest.mark.parametrize(
    ("files", "more", "followed"),
    some([
        ({"lib/__init__.py": "", "lib/settings.py": SETTINGS}, "", True),
        ({"lib/__init__.py": "", "lib/settings/__init__.py": SETTINGS}, "", True),
        ({"lib/__init__.py": "", "lib/settings.py": "from .more import settings",
          "lib/more.py": SETTINGS}, "", True),
        ({"lib/__init__.py": "", "lib/settings.py": SETTINGS.replace(
            "return block, 4 if block < 32 else 8",
            "warps = 4\n    warps += block // 32\n    return block, warps")}, "", True),
        # A package of this name may lie elsewhere.
        ({"lib/settings.py": SETTINGS}, "", False),
        ({"lib/__init__.py": "", "lib/settings.py": SETTINGS},
         "import lib.settings\nlib.settings.settings = lambda n: (8, 4)\n", False),
        ({"lib/__init__.py": "", "lib/settings.py": f"{SETTINGS}settings = print\n"}, "", False),
        ({"lib/__init__.py": "", "lib/settings.py": f"import functools\n{SETTINGS}".replace(
            "def ", "@functools.cache\ndef ")}, "", False),
        ({"lib/__init__.py": "", "lib/settings.py": f"{SETTINGS}def other():\n  global settings\n"
          "  settings = print\n"}, "", False),
        # What is put into a module is what a function there goes by.
        ({"lib/__init__.py": "", "lib/settings.py": SIZED}, "", True),
        ({"lib/__init__.py": "", "lib/settings.py": SIZED},
         "import lib.settings\nlib.settings.OTHER = 8\n", True),
        ({"lib/__init__.py": "", "lib/settings.py": SIZED},
         "import lib.settings\nlib.settings.SIZE = 8\n", False),
        ({"lib/__init__.py": "", "lib/settings.py": SIZED},
         "from lib import settings as s\nsetattr(s, 'SIZE', 8)\n", False),
        ({"lib/__init__.py": "", "lib/settings.py": SIZED},
         "import lib.settings\nlib.settings.warps = lambda: 8\n", False),
        # What other modules put into it that the file imports, whoever calls them.
        *(({"lib/__init__.py": "", "lib/settings.py": SIZED, "lib/more.py": text}, more, kept)
          for text, kept in (("from lib import settings\nsettings.SIZE = 8\n", False),
                             ("def put(m):\n    m.SIZE = 8\n", False),
                             ("def put(m, name):\n    setattr(m, name, 8)\n", False),
                             ("def put(m):\n    m.OTHER = 8\n", True))
          for more in ("import lib.more", "from lib.more import put", "from lib import more")),
        *(({"lib/__init__.py": "", "lib/settings.py": SIZED}, f"import lib.settings\n{put}\n", kept)
          for puts, kept in ((PUTS, False), (NO_PUTS, True)) for put in puts),
        ({"lib/__init__.py": "",
          "lib/settings.py": f"{SETTINGS}triton.next_power_of_2 = lambda n: 8\n"}, "", False),
    ], 3),
)  # fmt: skip
def test_which_modules_are_read(
    tmp_path: Path, files: dict[str, str], more: str, followed: bool
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    text = HOST.format(mask=", mask=at < n") + more
    found = launches_of(str(tmp_path / "k.py"), text).get("row", ())
    # There is none where nobody knows what names mean.
    assert ["B" not in launch.family.unknown for launch in found] == [followed] * len(found)
    assert found or not followed
