"""What Python code asks of devices before it launches: that all is on one keeps no size away.

A launch that needs two devices to be the same is one that may happen, so that what goes wrong in it
is refuted; one that needs them to differ may be none.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from symcute import check_kernel
from symcute.frontends.python.jit_families import launches_of
from symcute.kernel.findings import verdict_of

HEAD = """import torch
import triton
import triton.language as tl
DEVICE = triton.runtime.driver.active.get_active_torch_device()
OTHER = torch.device("cuda:1")
TWICE = triton.runtime.driver.active.get_active_torch_device()
TWICE = OTHER
@triton.jit
def k(x, y, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(x + at, tl.load(y + at, mask=at < n), mask=at < n)
"""
LAUNCH = "k[(triton.cdiv(x.numel(), 64),)](x, y, x.numel(), B=64)"


@pytest.mark.parametrize(
    ("lines", "certain"),
    [
        (f"assert x.device == DEVICE and y.device == DEVICE\n{LAUNCH}", True),
        (f"assert x.device == y.device\n{LAUNCH}", True),
        (f"if x.device != y.device: raise ValueError\n{LAUNCH}", True),
        (f"assert x.is_cuda\n{LAUNCH}", True),
        (f"if not (x.is_cuda and y.is_cuda): return\n{LAUNCH}", True),
        (f"if not x.is_cuda or x.numel() < 9: return\n{LAUNCH}", True),
        (f"if x.device == y.device: return\n{LAUNCH}", False),
        (f"if x.is_cuda: return\n{LAUNCH}", False),
        (f"assert x.device != y.device\n{LAUNCH}", False),
        (f"assert x.device == y.device\nif x.device != DEVICE: {LAUNCH}", False),
        (f"assert x.device == y.device\nassert not x.device == y.device\n{LAUNCH}", False),
        (f"if x.device == DEVICE:\n    if x.device != y.device: {LAUNCH}", False),
        (f"same = x.device == y.device\nif not same: return\n{LAUNCH}", False),
        (f"there = x.device\nif there != y.device: return\n{LAUNCH}", False),
        (f"assert x.device == OTHER\n{LAUNCH}", False),
        (f"assert x.device == TWICE\n{LAUNCH}", False),
        (f"assert x.device == torch.device('cpu')\n{LAUNCH}", False),
        (f"assert torch.empty(9, device='cpu').device == x.device\n{LAUNCH}", False),
        (f"z = torch.empty(9, device='cpu:0')\nassert z.device == x.device\n{LAUNCH}", False),
        (f"z = torch.empty(9, device=x.device)\nassert z.device == DEVICE\n{LAUNCH}", True),
        (f"assert x.device.type == 'cpu'\n{LAUNCH}", False),
        (f"assert (x.device == y.device) == (x.numel() > 5)\n{LAUNCH}", False),
        (f"if x.device == y.device: z = 1\nelse: z = 2\nif z == 2: {LAUNCH}", False),
    ],
)
def test_one_device_may_be_that_of_all_at_all_sizes(lines: str, certain: bool) -> None:
    body = "".join(f"    {line}\n" for line in lines.splitlines())
    found = [one.family for one in launches_of("k.py", f"{HEAD}def f(x, y):\n{body}")["k"]]
    assert found and not any(f.trouble for f in found)
    assert {not f.unknown for f in found} == {certain}


def test_what_is_launched_on_one_device_alone_is_checked_besides(tmp_path: Path) -> None:
    """A kernel is proved for the launches with two devices too, and refuted for those with one."""
    file = tmp_path / "k.py"
    apart = HEAD.replace("def k(", "def apart(")[HEAD.index("@triton.jit") :]
    file.write_text(f"""{HEAD}{apart}
def f(x, y):
    assert x.device == y.device
    {LAUNCH}
def g(x, y):
    if x.device != y.device:
        apart[(triton.cdiv(x.numel(), 64),)](x, y, x.numel(), B=64)
def h(x, y):
    if x.device != DEVICE:
        assert x.device == y.device and x.numel() == y.numel()
        apart[(triton.cdiv(x.numel(), 64),)](x, y, x.numel(), B=64)
""")
    found = check_kernel(file, properties=("in_bounds",))
    verdicts = {n: verdict_of([f for f in found if f.kernel == n]) for n in ("k", "apart")}
    assert verdicts["k"]["in_bounds"] == "refuted"
    assert verdicts["apart"]["in_bounds"] == "unknown"
