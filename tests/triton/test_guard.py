"""`symcute.guard` of Triton kernels: what is launched, and what is refused first.

Tensors are addresses alone. What executions showed of a launch is held against what the guard says.
"""

from __future__ import annotations

import importlib.util
import warnings
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from symcute import InputError, LaunchRefused, UndecidedLaunch, guard
from symcute.kernel.launch.triton import GuardedTriton
from tests.full import some
from tests.work import calls

from .cases import KERNELS, PROPERTIES, Case, cases
from .executions import answers, named, runs
from .guarded import Meta, arguments, module

GOOD = ("proved", "not applicable")
CHOSEN = some(cases(), 26, 3, 4)

SOURCE = """
import triton
import triton.language as tl
import symcute


@triton.jit
def add(x, y, out, n, scale, seed, BLOCK: tl.constexpr = 128):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    held = tl.load(x + at, mask=mask) * scale + tl.load(y + at, mask=mask)
    tl.store(out + at, tl.where(tl.rand(seed, at) < 0.5, held, 0.0), mask=mask)


@symcute.guard
@triton.jit
def reverse(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + n - 1 - at, tl.load(x + at, mask=at < n), mask=at < n)


@triton.autotune([triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 256})], key=["n"])
@triton.jit
def whole_blocks(x, n, BLOCK: tl.constexpr):
    tl.store(x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK), 0.0)


@triton.autotune(
    [triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 256})],
    key=["n"],
    prune_configs_by={
        "early_config_prune": lambda configs, args, **more: [
            c for c in configs if args["n"] % c.kwargs["BLOCK"] == 0
        ]
    },
)
@triton.jit
def pruned_blocks(x, n, BLOCK: tl.constexpr):
    tl.store(x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK), 0.0)


@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def fill(x, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        tl.store(x + at, 0.0)
    else:
        tl.store(x + at, 0.0, mask=at < n)


@triton.heuristics({"EVEN": lambda args: args["n"] % 2 == 0})
@triton.jit
def fill_halves(x, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        tl.store(x + at, 0.0)
    else:
        tl.store(x + at, 0.0, mask=at < n)


@triton.jit
def backwards(x, out, n, step, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at * step, mask=at < n), mask=at < n)


def by(n):
    distance = tl.constexpr(n)

    @triton.jit
    def move(at):
        return at + distance

    return move


@triton.jit
def moved(x, MOVE: tl.constexpr, BLOCK: tl.constexpr):
    tl.store(x + MOVE(tl.arange(0, BLOCK)), 0.0)


@triton.jit
def gather(x, index, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    where = tl.load(index + at, mask=at < n)
    tl.store(out + at, tl.load(x + where, mask=at < n), mask=at < n)


@triton.jit
def mirrored(x, y, z, n, step, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    there = tl.load(x + at * step, mask=at < n) + tl.load(y + n - 1 - at, mask=at < n)
    tl.store(z + at, there, mask=at < n)


@triton.jit
def of_blocks(x, out):
    at = tl.program_id(0) * 16
    out.store([at, 0], x.load([at, 0]))


def before(nargs):
    nargs["out"].block_shape = [nargs["BLOCK"], 16]


@triton.autotune([triton.Config({"BLOCK": 32}, pre_hook=before)], key=[])
@triton.jit
def of_chosen_blocks(out, BLOCK: tl.constexpr):
    out.store([tl.program_id(0) * BLOCK, 0], tl.zeros([BLOCK, 16], tl.float16))


# symcute: launch grid=(rows)
# symcute: extent x = rows*stride
# symcute: extent out = rows*cols
# symcute: assume cols <= stride and cols <= 128 and rows*stride <= 2**30
@triton.jit
def rows_of(x, out, cols, stride, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * stride + at, mask=at < cols)
    tl.store(out + row * cols + at, v, mask=at < cols)
"""


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("guarded") / "mine.py"
    path.write_text(SOURCE, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("mine", path)
    assert spec and spec.loader
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


@pytest.fixture(autouse=True)
def launched(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """What would have been launched: grid and arguments."""
    from triton.runtime.jit import JITFunction

    found: list[Any] = []
    monkeypatch.setattr(
        JITFunction, "run", lambda self, *args, grid, warmup, **more: found.append((grid, more))
    )
    yield found


def test_a_right_launch_goes_through(kernels: Any, launched: list[Any]) -> None:
    x, y, out = (Meta((1000,)) for _ in range(3))
    guarded = guard(kernels.add)
    guarded[lambda meta: (-(-1000 // meta["BLOCK"]),)](x, y, out, 1000, 2.0, 7, num_warps=8)
    assert launched == [((8,), {"num_warps": 8})]


def test_a_wrong_launch_is_refused_with_the_first_size(kernels: Any, launched: list[Any]) -> None:
    x, y, out = Meta((1000,)), Meta((1000,)), Meta((2000,))
    with pytest.raises(LaunchRefused) as error:
        guard(kernels.add)[(8,)](x, y, out, 1001, 2.0, 7)
    assert "add[BLOCK=128] was not launched: in_bounds fails at" in error.value.what
    assert "read of 4 bytes at byte 4000 of x, which has 4000" in error.value.what
    assert "n=1000 is right and n=1001 is not" in error.value.fix
    assert not launched


@pytest.mark.full
def test_descriptors_are_tensors_with_a_shape(kernels: Any, launched: list[Any]) -> None:
    from triton.tools.tensor_descriptor import TensorDescriptor

    x, out = (TensorDescriptor.from_tensor(Meta((20, 16), "fp16"), [16, 16]) for _ in range(2))
    guarded = guard(kernels.of_blocks)
    guarded[(2,)](x, out)
    guarded[(2,)](x, out)
    assert len(launched) == 2
    # What is the same but for a shape of rows that are not there is another launch.
    x.shape = (21, 16)
    with pytest.raises(LaunchRefused, match="of x, which has 640"):
        guarded[(2,)](x, out)
    # Rows that meet, two descriptors of one tensor, and elements that lie apart.
    with pytest.raises(LaunchRefused, match="race"):
        guarded[(2,)](out, TensorDescriptor(out.base, (20, 16), (8, 1), [16, 16]))
    shifted = TensorDescriptor.from_tensor(out.base.view((4, 16), (16, 1), 16), [16, 16])
    with pytest.raises(LaunchRefused, match="race"):
        guarded[(2,)](out, shifted)
    out.strides = (16, 2)
    with pytest.raises(InputError, match="last stride is 2"):
        guarded[(2,)](out, out)
    assert len(launched) == 2


def test_hooks_set_blocks_of_descriptors_before_they_are_checked(
    kernels: Any, launched: list[Any]
) -> None:
    from triton.tools.tensor_descriptor import TensorDescriptor

    out = TensorDescriptor.from_tensor(Meta((40, 16), "fp16"), [8, 16])
    guarded = guard(kernels.of_chosen_blocks)
    with pytest.raises(InputError, match="of_chosen_blocks has hooks"):
        guarded.check((2,), out)
    guarded[(2,)](out)
    assert out.block_shape == [32, 16] and len(launched) == 1
    out.shape = (41, 16)
    with pytest.raises(LaunchRefused, match=r"of_chosen_blocks\[BLOCK=32\] was not launched"):
        guarded[(2,)](out)


def test_families_are_told_apart(kernels: Any) -> None:
    guarded = guard(kernels.add)
    for n, right in (((1 << 31) - 128, True), ((1 << 31) + 5, False)):
        x, y, out = (Meta((n,)) for _ in range(3))
        launch = (-(-n // 128),), x, y, out, n, 1.0, 7
        if right:
            assert not bad(guarded.check(*launch))
        else:  # the number is an i64 now, and what is compared with it still has 32 bits
            with pytest.raises(
                LaunchRefused, match=r"add\[BLOCK=128, n: i64\] .* at byte -8589934592"
            ):
                guarded.check(*launch)
    assert not bad(guarded.check((1,), x, Meta((1,)), Meta((1,)), 1, 1.0, 7))
    with pytest.raises(LaunchRefused, match=r"add\[n=1, BLOCK=128\]"):
        guarded.check((1,), x, Meta((0,)), Meta((1,)), 1, 1.0, 7)


def bad(findings: Any) -> list[Any]:
    return [f for f in findings if f.status not in GOOD]


def test_tensors_that_are_one_are_one_array(kernels: Any, launched: list[Any]) -> None:
    x, out = Meta((1000,)), Meta((1000,))
    kernels.reverse[(8,)](x, out, 1000, BLOCK=128)
    with pytest.raises(LaunchRefused, match="read_write_race_free fails at"):
        kernels.reverse[(8,)](x, x, 1000, BLOCK=128)
    guarded = guard(kernels.add, on_unknown="raise")
    guarded[(8,)](x, out, x, 1000, 2.0, 7)  # in place: each element is read before it is written
    assert len(launched) == 2
    # One element further on it is another program's, or another lane's.
    whole = Meta((1001,))
    one, next_one = whole.view((1000,), (1,)), whole.view((1000,), (1,), 1)
    with pytest.raises(LaunchRefused, match="read_write_race_free fails at"):
        guarded[(8,)](one, out, next_one, 1000, 2.0, 7)
    halves = whole.view((500,), (1,)), whole.view((500,), (1,), 500)
    guarded[(4,)](halves[0], out, halves[1], 500, 2.0, 7)
    # Bytes of two types are not told apart.
    with pytest.raises(LaunchRefused, match="have memory in common, and one is written"):
        guarded[(4,)](
            x, out, Meta((500,), "fp16", storage=x.storage), 500, 2.0, 7
        )  # fmt: skip
    assert len(launched) == 3


def test_what_lies_about_a_view_is_its_storage(kernels: Any, launched: list[Any]) -> None:
    guarded = guard(kernels.backwards)
    x, out = Meta((1000,)), Meta((1000,))
    last = x.view((1,), (1,), 999)
    guarded[(8,)](last, out, 1000, -1, BLOCK=128)
    with pytest.raises(LaunchRefused, match="in_bounds fails at"):
        guarded[(8,)](x.view((1,), (1,), 998), out, 1000, -1, BLOCK=128)
    guarded[(8,)](x.view((500,), (2,)), Meta((500,)), 500, 2, BLOCK=128)
    guarded[(8,)](x.view((1000,), (0,)), out, 1000, 0, BLOCK=128)
    with pytest.raises(LaunchRefused, match="in_bounds fails at"):
        guarded[(8,)](x.view((500,), (2,)), Meta((501,)), 501, 2, BLOCK=128)
    assert len(launched) == 3
    # The same view of a storage that ends with it is another launch.
    short = Meta((999,))
    with pytest.raises(LaunchRefused, match="in_bounds fails at"):
        guarded[(8,)](short.view((1,), (1,), 998), out, 1000, -1, BLOCK=128)


def test_storages_far_away_may_be_one(kernels: Any, launched: list[Any]) -> None:
    guarded = guard(kernels.mirrored)
    last = Meta((1000,)).view((1,), (1,), 999)
    y, z = Meta((1000,)), Meta((1000,))
    guarded[(8,)](last, y, z, 1000, -1, BLOCK=128)
    with pytest.raises(LaunchRefused, match="read_write_race_free fails at"):
        guarded[(8,)](last, y, y, 1000, -1, BLOCK=128)
    assert len(launched) == 1


def test_choices_of_heuristics_are_checked_as_they_are_made(
    kernels: Any, launched: list[Any]
) -> None:
    x = Meta((1000,))
    right, wrong = guard(kernels.fill), guard(kernels.fill_halves)
    right[(8,)](x, 1000, BLOCK=128)
    right[(8,)](Meta((1024,)), 1024, BLOCK=128)
    wrong[(8,)](Meta((1023,)), 1023, BLOCK=128)
    assert [more["EVEN"] for _, more in launched] == [False, True, False]
    with pytest.raises(LaunchRefused, match=r"EVEN=True.*in_bounds fails at"):
        wrong[(8,)](x, 1000, BLOCK=128)
    assert not bad(right.check((8,), x, 1000, BLOCK=128))


def test_every_configuration_is_checked(kernels: Any) -> None:
    guarded = guard(kernels.whole_blocks)

    def grid(meta: Any) -> tuple[int]:
        return (-(-meta["n"] // meta["BLOCK"]),)

    assert not bad(guarded.check(grid, Meta((1024,)), 1024))
    with pytest.raises(LaunchRefused, match=r"whole_blocks\[BLOCK=256\] was not launched"):
        guarded.check(grid, Meta((960,)), 960)  # 15 blocks of 64, but no 3.75 of 256
    pruned = guard(kernels.pruned_blocks)
    assert not bad(pruned.check(grid, Meta((960,)), 960))
    with pytest.raises(LaunchRefused, match=r"pruned_blocks\[BLOCK=64\] was not launched"):
        pruned.check(grid, Meta((900,)), 960)


def test_functions_of_one_name_are_told_apart(kernels: Any, launched: list[Any]) -> None:
    guarded = guard(kernels.moved)
    near, far = kernels.by(0), kernels.by(1)
    assert repr(near) == repr(far)
    guarded[(1,)](Meta((64,)), MOVE=near, BLOCK=64)
    with pytest.raises(LaunchRefused, match="in_bounds fails at"):
        guarded[(1,)](Meta((64,)), MOVE=far, BLOCK=64)
    assert len(launched) == 1


def test_what_arrays_hold_is_asked_for(kernels: Any, launched: list[Any]) -> None:
    x, index, out = Meta((100,)), Meta((50,), "i32"), Meta((50,))
    with pytest.raises(LaunchRefused) as error:
        guard(kernels.gather)[(1,)](x, index, out, 50, BLOCK=64)
    assert 'contents={"index": "[0, n)"}' in error.value.fix
    said: Any = {"launch": "grid=(1)", "extents": {"x": 100, "index": "n", "out": "n"}}
    guard(kernels.gather, contents={"index": "[0, 100)"}, **said)[(1,)](x, index, out, 50, BLOCK=64)
    assert len(launched) == 1


def test_a_family_is_proved_once(
    kernels: Any, launched: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from symcute.kernel.launch import deciding

    checked: list[Any] = []
    original = deciding.check
    monkeypatch.setattr(
        deciding, "check",
        lambda kernel, setting, **more: (
            checked.append(setting) or original(kernel, setting, **more)
        ),
    )  # fmt: skip
    guarded = guard(kernels.rows_of)
    for rows, cols, stride in ((3, 20, 32), (1000, 128, 128), (7, 100, 101)):
        guarded[(rows,)](Meta((rows, stride)), Meta((rows, cols)), cols, stride, BLOCK=128)
    assert len(checked) == 1 and len(launched) == 3
    with pytest.raises(LaunchRefused, match="in_bounds fails at"):
        guarded[(4,)](Meta((3, 32)), Meta((4, 20)), 20, 32, BLOCK=128)


def test_bad_arguments(kernels: Any, launched: list[Any]) -> None:
    x = Meta((100,))
    guarded = guard(kernels.add)
    with pytest.raises(InputError, match="add lacks seed; pass seed="):
        guarded[(1,)](x, x, x, 100, 1.0)
    with pytest.raises(InputError, match="failed to specialize"):
        guarded[(1,)](x, "x", x, 100, 1.0, 1)
    with pytest.raises(InputError, match="no grid"):
        guarded[(1, 1, 1, 1)](x, x, x, 100, 1.0, 1)
    with pytest.raises(InputError, match="negative stride"):
        guarded[(1,)](x, x.view((100,), (-1,), 99), x, 100, 1.0, 1)
    guarded[(0,)](x, x, x, 1000, 1.0, 1)  # Triton launches nothing
    assert len(launched) == 1


def test_what_triton_does_not_take_is_left_to_it(kernels: Any, launched: list[Any]) -> None:
    x = Meta((100,))
    with pytest.warns(UndecidedLaunch, match="Triton does not take it"):
        guard(kernels.add)[(1,)](x, x, x, 100, 1.0, 1, BLOCK=100)
    assert len(launched) == 1


def test_a_later_call_costs_little(kernels: Any) -> None:
    guarded = guard(kernels.add)
    x, y, out = (Meta((1000,)) for _ in range(3))
    launch = (x, y, out, 1000, 2.0, 7)
    guarded[(8,)](*launch)
    assert calls(lambda: guarded[(8,)](*launch), 100) <= 40
    guarded[(8,)](x, y, x, 1000, 2.0, 7)
    assert calls(lambda: guarded[(8,)](x, y, x, 1000, 2.0, 7), 100) <= 40


# --- held to executions ---------------------------------------------------------------------------


def said(case: Case) -> Iterator[tuple[str, set[str]]]:
    """What the guard says of launches of a kernel, and what executions show of these."""
    guarded = guard(getattr(module(KERNELS / case.file.name), case.name), on_unknown="launch")
    assert isinstance(guarded, GuardedTriton)
    for run in [r for r in runs(case) if r.programs is None][:3]:
        given = arguments(case, run)
        if given is None or 0 in (grid := tuple(case.launch(run.dims))):
            continue
        shown = {*answers()[named(case, run)]["faults"]} & {*PROPERTIES}
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                findings = guarded.check(grid, **given)
            except LaunchRefused as refused:
                yield "refused " + " ".join(sorted({f.property for f in refused.findings})), shown
                continue
        open_ones = {f.property for f in findings if f.status not in GOOD}
        yield "open" if open_ones else "right", shown - open_ones


@cache
def told(number: int) -> list[tuple[str, set[str]]]:
    return list(said(CHOSEN[number]))


@pytest.mark.parametrize("number", range(len(CHOSEN)), ids=lambda k: CHOSEN[k].label)
def test_the_guard_and_executions_agree(number: int) -> None:
    case = CHOSEN[number]
    for what, shown in told(number):
        if what.startswith("refused "):
            names = what.split()[1:]
            assert not any(case.truth.get(n, True) for n in names), (case.label, what)
        else:
            assert not shown, (case.label, what, shown)


def test_most_launches_are_decided() -> None:
    seen = Counter(what.partition(" ")[0] for k in range(len(CHOSEN)) for what, _ in told(k))
    assert sum(seen.values()) >= 30
    assert seen["open"] <= sum(seen.values()) // 8
    assert min(seen["right"], seen["refused"]) >= sum(seen.values()) // 6
