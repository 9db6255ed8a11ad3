"""Kernels that take tensor descriptors: what is guessed of them, and launches that give them."""

from __future__ import annotations

import ast
from pathlib import Path

from symcute.frontends.triton.uses import asked
from symcute.kernel.contracts.contract import contract
from symcute.kernel.ir.program import NotUnderstood
from tests.access.test_triton_guessed import LAUNCH, read

OF_DESCRIPTORS = """
@triton.jit
def put(d, at, value):
    d.store([at, 0, 0], value)

@triton.jit
def described(x, y, BLOCK: tl.constexpr):
    at = tl.program_id(0)
    put(y, at, x.load([at, 0]).reshape(1, BLOCK, BLOCK))
"""


def test_what_loads_blocks_is_a_descriptor(tmp_path: Path) -> None:
    (kernel,) = read(tmp_path, OF_DESCRIPTORS).values()
    said = "type x = tensordesc<fp32[64,64]>, type y = tensordesc<fp32[1,64,64]>, "
    assert kernel.granted[0].startswith(said)
    found = contract(kernel, quick=True)
    assert {*found.verdicts().values()} == {"proved", "not applicable"}
    texts = {c.text for c in found.conditions}
    aligned = {"x_stride_0 % 4 == 0", "y_stride_0 % 4 == 0 and y_stride_1 % 4 == 0"}
    assert {
        *aligned,
        "64 <= y_stride_1",
        "numel(x) >= x_shape_0*x_stride_0 - x_stride_0 + 64",
    } <= texts
    # What is made a descriptor there, or is none on some way, is a pointer.
    made = "x = tl.make_tensor_descriptor(x, [64, 64], [64, 1], [BLOCK, BLOCK])\n    put(y, at"
    (kernel,) = read(tmp_path, OF_DESCRIPTORS.replace("put(y, at", made)).values()
    assert "type x = *fp32, type y = tensordesc<fp32[1,64,64]>" in kernel.granted[0]


OF_HOOKS = """
def before(nargs):
    WIDE = nargs["BLOCK"]
    nargs["x"].block_shape = [WIDE, 1, 2 * WIDE] if WIDE else gone
    if nargs["IS_TURNED"]:
        nargs["x"].block_shape = [WIDE, 2 * WIDE]
    else:
        nargs["x"].block_shape = [2 * WIDE, WIDE // 2]

def host(a):
    y = TensorDescriptor(a, a.shape, a.stride(), [1, 1])
    z = TensorDescriptor.from_tensor(a, block_shape=[UNKNOWN, BLOCK])

@triton.jit
def hooked(x, y, z, BLOCK: tl.constexpr, IS_TURNED: tl.constexpr):
    block = x.load([0, 0])
    if IS_TURNED:
        tl.static_assert(x.block_shape[0] == {0})
    y.store([0, 0], tl.sum(block) + z.load([0, 0]))
"""


def test_blocks_of_descriptors_are_those_that_hosts_say(tmp_path: Path) -> None:
    (kernel,) = read(tmp_path, OF_HOOKS.format("BLOCK")).values()
    y, z = (f"type {n} = tensordesc<fp32[64,64]>" for n in "yz")
    said = f"type x = tensordesc<fp32[64,128]>, {y}, {z}, constexpr BLOCK = 64, "
    assert kernel.granted[0].startswith(said)
    # Where that is not taken, flags are not set, and the last block is.
    (kernel,) = read(tmp_path, OF_HOOKS.format("3")).values()
    assert kernel.granted[0].startswith("type x = tensordesc<fp32[128,32]>, ")


OF_EITHER = """
from triton.tools.tensor_descriptor import TensorDescriptor

@triton.jit
def made(x, n, B: tl.constexpr):
    if isinstance(x, tl.tensor_descriptor):
        return x
    else:
        return tl.make_tensor_descriptor(x, [n, 16], [16, 1], [B, 16])

@triton.jit
def fill(x, n, B: tl.constexpr):
    d = made(x, n, B)
    d.store([tl.program_id(0) * B, 0], tl.zeros((B, 16), tl.float32))
"""
OF_ROWS_THAT_MEET = "y = TensorDescriptor(x, (8, 16), (8, 1), [16, 16])\n    fill[(1,)](y, 8, B=16)"


def test_what_may_be_a_descriptor_is_not_taken_for_a_pointer(tmp_path: Path) -> None:
    """Of the pointer all is proved, while rows of the descriptor that is launched meet."""
    (kernel,) = read(tmp_path, OF_EITHER + LAUNCH.format(OF_ROWS_THAT_MEET)).values()
    assert kernel.families[0].trouble.endswith("and the kernel asks what it is")
    # One that is nothing else is guessed as it is.
    text = OF_EITHER.replace("d = made(x, n, B)", "d = x") + LAUNCH.format(OF_ROWS_THAT_MEET)
    (kernel,) = read(tmp_path, text.replace("d.store", "x.store")).values()
    assert kernel.families[0].trouble.startswith("x is a tensor descriptor, and what it is made of")
    assert kernel.granted[-1].startswith("type x = tensordesc<fp32[16,16]>, ")
    # A tensor that is known to be one is no question.
    launch = LAUNCH.format("fill[(1,)](torch.empty((8, 16)), 8, B=16)")
    (kernel,) = read(tmp_path, OF_EITHER + launch).values()
    assert not kernel.families[0].trouble


def test_what_a_kernel_asks_of_its_arguments() -> None:
    helper = "def inner(a, b):\n    return isinstance(b, tl.tensor_descriptor)\n"
    for line, named in (
        ("isinstance(x, tl.tensor)", "x"), ("inner(x, n)", "n"), ("inner(n, b=x)", "x"),
        ("z = x\n    of_another_file(z)", "x"), ("other.is_one(n, 1)", "n"), ("x.dtype == n", "x"),
        ("x.dtype.element_ty == n", ""), ("tl.load(x + n.to(tl.int64))", ""), ("x.load([n])", ""),
        ("z = n + 1\n    z.to(x)", ""), ("min(x, n)", ""), ("inner(x, 1)", ""),
    ):  # fmt: skip
        inner, node = ast.parse(f"{helper}def k(x, n):\n    {line}\n").body
        assert isinstance(inner, ast.FunctionDef) and isinstance(node, ast.FunctionDef)
        assert asked(node, {"inner": inner, "k": node}) == {*named}, line


def test_a_number_of_a_descriptor_may_have_the_name_of_a_parameter(tmp_path: Path) -> None:
    """Which of the two a note or a line of a contract would be about, nobody could tell."""
    text = OF_DESCRIPTORS.replace("described(x, y,", "described(x, y, x_shape_1,")
    (kernel,) = read(tmp_path, text).values()
    (doubt,) = kernel.body
    assert isinstance(doubt, NotUnderstood)
    assert doubt.reason == "a number of the descriptor x has the name of a parameter"
    (kernel,) = read(tmp_path, text.replace("x_shape_1", "x_shape_2")).values()
    assert not any(isinstance(s, NotUnderstood) for s in kernel.body)
