"""What a file says that runs in part: no name has another value than where nothing is missing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from symcute.frontends.triton.compiler import Compiler
from symcute.frontends.triton.source import jitted

HEAD = "import triton\nimport triton.language as tl\n"
KERNEL = """
WIDTH = tl.constexpr(B)
# symcute: type x = *fp32
# symcute: launch grid=(1)
# symcute: extent x = 16
@triton.jit
def fill(x):
    tl.store(x + tl.arange(0, WIDTH), 1.0)
"""


class Case(NamedTuple):
    """Text before a kernel that hangs on B, which is 8 here; is it so where nothing is missing?"""

    label: str
    known: bool
    text: str
    #: The text of `cfg.py` beside it.
    config: str = ""


CASES = (
    Case(
        "caught name", False,
        "import no_such_module\ntry:\n    B = 16 if no_such_module.x() else 8\n"
        "except Exception:\n    B = 8\nimport no_such_module\n",
    ),
    Case(
        "caught in function", False,
        "import no_such_module\ndef f():\n    try:\n        return no_such_module.x()\n"
        "    except BaseException:\n        return 8\nB = f()\nimport no_such_module\n",
    ),
    Case(
        "whole caught", False,
        "try:\n    import no_such_module\n    B = 16\nexcept ImportError:\n    B = 8\n",
    ),
    Case(
        "whole find_spec", False,
        "import importlib.util\nB = 16 if importlib.util.find_spec('no_such_module') else 8\n",
    ),
    Case(
        "metadata", False,
        "from importlib.metadata import version\ntry:\n    version('no_such_module')\n"
        "    B = 16\nexcept Exception:\n    B = 8\n",
    ),
    Case(
        "metadata2", False,
        "import no_such_module\nfrom importlib.metadata import version\ntry:\n"
        "    version('no_such_module')\n    B = 16\nexcept Exception:\n    B = 8\n"
        "import no_such_module\n",
    ),
    Case(
        "pkgutil", False,
        "import pkgutil\nB = 16 if pkgutil.find_loader('no_such_module') else 8\n",
    ),
    Case(
        "triton testing", False,
        "import triton.testing\ntry:\n"
        "    B = triton.testing.get_max_simd_tflops(tl.float32, 1) and 16\n"
        "except Exception:\n    B = 8\n",
    ),
    Case(
        "driver", False,
        "def f():\n    try:\n"
        "        triton.runtime.driver.active.utils.get_device_properties(0)\n"
        "        return 16\n    except BaseException:\n        return 8\nB = f()\n",
    ),
    Case(
        "simple namespace", False,
        "import no_such_module\nfrom types import SimpleNamespace\nC = SimpleNamespace(B=8)\n"
        "if no_such_module.x:\n    C.B = 16\nB = C.B\nimport no_such_module\n",
    ),
    Case(
        "class attr", False,
        "import no_such_module\nclass C:\n    B = 8\nif no_such_module.x:\n    C.B = 16\n"
        "B = C.B\nimport no_such_module\n",
    ),
    Case(
        "alias", False,
        "import no_such_module\nA = [8]\nD = A\nA[0] = no_such_module.x\nB = D[0]\n"
        "import no_such_module\n",
    ),
    Case(
        "alias nested", False,
        "import no_such_module\nA = [8]\nD = (A, 2)\nA[0] = no_such_module.x\nB = D[0][0]\n"
        "import no_such_module\n",
    ),
    Case(
        "closure", False,
        "import no_such_module\ndef make(l):\n    def add(x):\n        l[0] = x\n"
        "    return add\nA = [8]\nadd = make(A)\nfor k in (1, 2):\n    add(16)\n"
        "    no_such_module.x\nB = A[0]\nimport no_such_module\n",
    ),
    Case(
        "lru", False,
        "import no_such_module\nimport functools\nA = [8]\n@functools.lru_cache\ndef f():\n"
        "    A[0] = 16\n    no_such_module.x()\nf()\nB = A[0]\nimport no_such_module\n",
    ),
    Case(
        "lru global", False,
        "import no_such_module\nimport functools\nB = 8\n@functools.lru_cache\ndef f():\n"
        "    global B\n    B = 16\n    no_such_module.x()\nf()\nimport no_such_module\n",
    ),
    Case(
        "partial", False,
        "import no_such_module\nimport functools\nB = 8\ndef f(x):\n    global B\n"
        "    B = 16\n    no_such_module.x()\ng = functools.partial(f, 1)\ng()\n"
        "import no_such_module\n",
    ),
    Case(
        "method", False,
        "import no_such_module\nB = 8\nclass S:\n    def run(self):\n        global B\n"
        "        B = 16\n        no_such_module.x()\nS().run()\nimport no_such_module\n",
    ),
    Case(
        "instance method", False,
        "import no_such_module\nB = 8\nclass S:\n    def run(self):\n        global B\n"
        "        B = 16\n        no_such_module.x()\ns = S()\ns.run()\n"
        "import no_such_module\n",
    ),
    Case(
        "lost def", False,
        "import no_such_module\nB = 8\n@no_such_module.no_grad()\ndef setup():\n"
        "    global B\n    B = 16\nsetup()\nimport no_such_module\n",
    ),
    Case(
        "lost class", False,
        "import no_such_module\nB = 8\nclass S(no_such_module.T):\n    def __init__(self):\n"
        "        global B\n        B = 16\nS()\nimport no_such_module\n",
    ),
    Case(
        "star", False,
        "import no_such_module\nB = 8\nfrom no_such_module import *\nimport no_such_module\n",
    ),
    Case(
        "globals", False,
        "import no_such_module\nB = 8\nfor n in ('B',):\n"
        "    globals()[n] = no_such_module.x\nimport no_such_module\n",
    ),
    Case(
        "own names held", False,
        "import sys\nimport no_such_module\nB = 8\nheld = sys.modules[__name__].__dict__\n"
        "held['B'] = no_such_module.x\nimport no_such_module\n",
    ),
    Case(
        "names beside a kernel", True,
        "import no_such_module\nmade = []\nfor k in (1, 2):\n"
        "    made.append(no_such_module.x)\nB = 8\nimport no_such_module\n",
    ),
    Case(
        "setattr self", False,
        "import no_such_module, sys\nB = 8\n"
        "setattr(sys.modules[__name__], 'B', no_such_module.x)\nimport no_such_module\n",
    ),
    Case(
        "setattr self2", False,
        "import sys\nimport no_such_module\nB = 8\n"
        "setattr(sys.modules[__name__], 'B', no_such_module.x)\nimport no_such_module\n",
    ),
    Case(
        "environ", False,
        "import os\nimport no_such_module\nif no_such_module.x:\n"
        "    os.environ['MY_B'] = '16'\nB = int(os.environ.get('MY_B', 8))\n"
        "import no_such_module\n",
    ),
    Case(
        "patch", False,
        "import no_such_module\nif no_such_module.x:\n    tl.cdiv = None\n"
        "B = tl.constexpr(8).value\nimport no_such_module\n",
    ),
    Case(
        "mapping rest", False,
        "import no_such_module\nB = 8\nmatch {'a': 1}:\n    case {**B} if no_such_module.x:\n"
        "        pass\nimport no_such_module\n",
    ),
    Case(
        "kernel configs", False,
        "import no_such_module\nC = triton.Config({'B': 8})\n"
        "@triton.autotune(configs=[C], key=[])\n@triton.jit\ndef k(x, B: tl.constexpr):\n"
        "    pass\nif no_such_module.x:\n    k.configs = []\nB = k.configs[0].kwargs['B']\n"
        "import no_such_module\n",
    ),
    Case(
        "kernel launched", True,
        "import no_such_module\nC = triton.Config({'B': 8})\n"
        "@triton.autotune(configs=[C], key=[])\n@triton.jit\ndef k(x, B: tl.constexpr):\n"
        "    pass\nk[(1,)](no_such_module.x)\nB = k.configs[0].kwargs['B']\n"
        "import no_such_module\n",
    ),
    Case(
        "config kwargs", False,
        "import no_such_module\nL = [triton.Config({'B': 8})]\nfor c in L:\n"
        "    c.kwargs['B'] = no_such_module.x\nB = L[0].kwargs['B']\nimport no_such_module\n",
    ),
    Case(
        "logger", True,
        "import logging\nimport no_such_module\nlog = logging.getLogger()\ndef f():\n"
        "    log.info('x')\n    no_such_module.x()\nf()\nlog.info('y')\nB = 8\n"
        "import no_such_module\n",
    ),
    Case(
        "class used", True,
        "import no_such_module\nclass C:\n    B = 8\nclass D(no_such_module.T):\n    pass\n"
        "B = C.B\nimport no_such_module\n",
    ),
    Case(
        "read only", True,
        "import no_such_module\nA = (8, 16)\nC = A[0] + no_such_module.x\nB = A[0]\n"
        "import no_such_module\n",
    ),
    Case(
        "launch helper", True,
        "import no_such_module\nA = 8\n@triton.jit\ndef k(x):\n    pass\ndef run():\n"
        "    k[(1,)](no_such_module.zeros(A))\nrun()\nB = A\nimport no_such_module\n",
    ),
    Case(
        "version fallback", True,
        "try:\n    from triton.language.extra.nothing import rsqrt\n    B = 16\n"
        "except ModuleNotFoundError:\n    B = 8\n",
    ),
    Case(
        "own module caught", False,
        "import no_such_module\ntry:\n    from cfg import X\n    B = 16\n"
        "except ImportError:\n    B = 8\nimport no_such_module\n",
        (
            "import no_such_module\nX = no_such_module.x\n"
        ),
    ),
    Case(
        "own getattr", False,
        "import no_such_module\nimport cfg\nB = getattr(cfg, 'X', 8)\nimport no_such_module\n",
        (
            "import no_such_module\nX = no_such_module.x\n"
        ),
    ),
    Case(
        "own hasattr", False,
        "import no_such_module\nimport cfg\nB = 16 if hasattr(cfg, 'X') else 8\n"
        "import no_such_module\n",
        (
            "import no_such_module\nX = no_such_module.x\n"
        ),
    ),
    Case(
        "own star", False,
        "import no_such_module\nB = 8\nfrom cfg import *\nimport no_such_module\n",
        (
            "import no_such_module\nB = no_such_module.x\n"
        ),
    ),
    Case(
        "own setup", False,
        "import no_such_module\nimport cfg\ncfg.setup()\nB = cfg.B\nimport no_such_module\n",
        (
            "import no_such_module\nB = 8\ndef setup():\n    global B\n    B = 16\n"
            "    no_such_module.x\n"
        ),
    ),
    Case(
        "own attr", False,
        "import cfg\nimport no_such_module\ncfg.B = no_such_module.x\nfrom cfg import B\n"
        "import no_such_module\n",
        (
            "import no_such_module\nB = 8\n"
        ),
    ),
    Case(
        "own list", False,
        "import cfg\nimport no_such_module\ncfg.L[0] = no_such_module.x\nfrom cfg import L\n"
        "B = L[0]\nimport no_such_module\n",
        (
            "import no_such_module\nL = [8]\n"
        ),
    ),
    Case(
        "own list2", False,
        "from cfg import L\nimport no_such_module\nL[0] = no_such_module.x\nimport cfg\n"
        "B = cfg.L[0]\nimport no_such_module\n",
        (
            "import no_such_module\nL = [8]\n"
        ),
    ),
    Case(
        "own fine", True,
        "import no_such_module\nfrom cfg import B\nimport no_such_module\n",
        (
            "import no_such_module\nB = 8\n"
        ),
    ),
)  # fmt: skip


@pytest.fixture(scope="module")
def compiler() -> Iterator[Compiler]:
    held = Compiler(120)
    yield held
    held.close()


def compiled(compiler: Compiler, path: Path, text: str) -> dict[str, Any]:
    path.write_text(text, encoding="utf-8")
    (kernel,) = (k for k in jitted(str(path), text) if k.name == "fill")
    return compiler.ttir(kernel)


@pytest.mark.full
@pytest.mark.parametrize("case", CASES, ids=lambda c: c.label.replace(" ", "-"))
def test_what_hangs_on_something_missing_is_not_known(
    case: Case, compiler: Compiler, tmp_path: Path
) -> None:
    (tmp_path / "cfg.py").write_text(case.config, encoding="utf-8")
    answer = compiled(compiler, tmp_path / "mine.py", HEAD + case.text + KERNEL)
    if case.known:
        assert "tensor<8xf32>" in answer["text"]
    else:
        assert " is not known here, for " in answer["error"]


@pytest.mark.full
def test_a_file_imports_from_its_own_folder(compiler: Compiler, tmp_path: Path) -> None:
    text = HEAD + "from config import B\n" + KERNEL
    for folder, name, width in (("a", "one", 8), ("b", "two", 16), ("a", "three", 8)):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "config.py").write_text(f"B = {width}\n", encoding="utf-8")
        answer = compiled(compiler, tmp_path / folder / f"{name}.py", text)
        assert f"tensor<{width}xf32>" in answer["text"]
