"""`symcute.guard` with a stand-in for the device: what is launched, and what is refused first."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np
import pytest

from symcute import InputError, LaunchRefused, UndecidedLaunch, guard
from tests.work import calls

SOURCE = r"""
extern "C" __global__ void saxpy(const float* x, float* y, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}

extern "C" __global__ void residuals(float* residuals, int x_dim, int y_dim) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < x_dim && y < y_dim) residuals[x * y_dim + y] = 1.f;
}

extern "C" __global__ void shift(float* x, int n) {
    int i = threadIdx.x;
    if (i + 1 < n) x[i] = x[i + 1];
}

extern "C" __global__ void stride(float* x, unsigned short n) {
    unsigned short step = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) x[i] = 0.f;
}

extern "C" __global__ void scatter(float* x, const int* where, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[where[i]] = 1.f;
}

extern "C" __global__ void widths(double* x, unsigned char* b, long long n, double a) {
    if (threadIdx.x < n && threadIdx.x < 8) x[threadIdx.x] = a * b[threadIdx.x];
}

// symcute: launch grid=(ceil_div(n,128)) block=(128)
// symcute: extent x = n
// symcute: assume n <= 2**30
extern "C" __global__ void fill(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 1.f;
}
"""


CODE_OF_TWO_READS = """
extern "C" __global__ void sum(const float* a, const float* b, float* out) {
    out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}"""


@dataclass(frozen=True)
class Memory:
    """Where an array lies."""

    ptr: int


class OnDevice:
    """An array as CuPy describes one: nothing of it is there but shape, strides and address."""

    #: Each array lies far from all others.
    places = count(0x7F0000000000, 1 << 36)

    def __init__(self, shape: Any, dtype: Any = np.float32, *, at: int | None = None) -> None:
        self.dtype = np.dtype(dtype)
        self.shape = (shape,) if isinstance(shape, int) else tuple(shape)
        self.strides = tuple(
            self.dtype.itemsize * int(np.prod(self.shape[k + 1 :], dtype=object))
            for k in range(len(self.shape))
        )
        self.data = Memory(next(self.places) if at is None else at)

    def viewed(self, shape: tuple[int, ...], strides: tuple[int, ...]) -> OnDevice:
        """Return a view with strides in bytes."""
        view = OnDevice(shape, self.dtype, at=self.data.ptr)
        view.strides = strides
        return view


@dataclass
class RawKernel:
    """Stands in for `cupy.RawKernel`: it takes down what is launched."""

    code: str
    name: str
    options: tuple[str, ...] = ()
    launched: list[Any] = field(default_factory=list)

    def __call__(self, grid: Any, block: Any, args: Any, **more: Any) -> None:
        """Take down a launch."""
        self.launched.append((grid, block, args, more))


def test_a_right_launch_goes_through() -> None:
    kernel = RawKernel(SOURCE, "saxpy")
    guarded = guard(kernel)
    x, y = OnDevice(1000), OnDevice(1000)
    guarded((4,), (256,), (x, y, np.float32(2), np.int32(1000)), shared_mem=16, stream=None)
    assert kernel.launched == [
        ((4,), (256,), (x, y, np.float32(2), 1000), {"shared_mem": 16, "stream": None})
    ]


@pytest.mark.parametrize(
    ("arguments", "what", "fix"),
    [
        (lambda x: (x, x, np.float32(2)), "takes 4 arguments, not 3", "its parameters are"),
        (
            lambda x: (x, x, 2.0, 1000),
            "float a got 2.0 of type float, which is not passed as 4 bytes of a float",
            "pass numpy.float32(2.0)",
        ),
        (
            lambda x: (x, x, np.float32(2), 2**31),
            "int n got 2147483648 of type int, of which the kernel reads -2147483648",
            "int holds -2147483648 to 2147483647",
        ),
        (lambda x: (x, x, np.float32(2), 1.5), "int n got 1.5 of type float", "numpy.int32"),
        (
            lambda x: (x, OnDevice(1000, np.float64), np.float32(2), 1000),
            "got an array of float64, with 8 bytes an element",
            "the kernel reads elements of 4 bytes",
        ),
        (
            lambda x: (x, OnDevice(1000, np.int32), np.float32(2), 1000),
            "got an array of int32",
            "the kernel reads elements of 4 bytes",
        ),
        (
            lambda x: (x, np.zeros(1000, np.float32), np.float32(2), 1000),
            "which is no array on the device",
            "pass a CuPy array",
        ),
        (
            lambda x: (OnDevice(2000).viewed((1000,), (8,)), x, np.float32(2), 1000),
            "got a view of shape (1000,) with strides (8,) in bytes",
            "pass cupy.ascontiguousarray(x), or name it in strided=",
        ),
    ],
)  # fmt: skip
def test_arguments_that_the_kernel_would_misread(arguments: Any, what: str, fix: str) -> None:
    kernel = RawKernel(SOURCE, "saxpy")
    with pytest.raises(InputError) as error:
        guard(kernel)((4,), (256,), arguments(OnDevice(1000)))
    assert what in error.value.what
    assert fix in error.value.fix
    assert kernel.launched == []


def test_numbers_are_read_at_the_width_that_is_passed() -> None:
    kernel = RawKernel(SOURCE, "widths")
    guarded = guard(kernel)
    x, b = OnDevice(8, np.float64), OnDevice(8, np.uint8)
    for n, a in ((8, 1.5), (np.int64(8), np.float64(1.5))):
        guarded((1,), (8,), (x, b, n, a))
    assert len(kernel.launched) == 2
    with pytest.raises(InputError, match="4 bytes where the kernel reads 8"):
        guarded((1,), (8,), (x, b, np.int32(8), 1.5))
    with pytest.raises(InputError, match=r"pass numpy\.float64"):
        guarded((1,), (8,), (x, b, 8, np.float32(1.5)))


def test_an_access_beyond_the_array_is_refused_with_the_first_size() -> None:
    kernel = RawKernel(SOURCE, "saxpy")
    with pytest.raises(LaunchRefused) as error:
        guard(kernel)((4,), (256,), (OnDevice(1000), OnDevice(1000), np.float32(2), 1001))
    assert "in_bounds fails at" in error.value.what
    assert "n=1000 is right and n=1001 is not" in error.value.fix
    assert {f.property for f in error.value.findings} == {"in_bounds"}
    assert kernel.launched == []


def test_an_index_that_wraps_is_refused_with_the_first_size() -> None:
    # cupy/cupy#7539: 429498 x 5000 elements of a float32 array, indexed with ints.
    kernel = RawKernel(SOURCE, "residuals")
    guarded = guard(kernel)

    def launch(x: int) -> None:
        grid = (-(-x // 32), -(-5000 // 32))
        guarded(grid, (32, 32), (OnDevice((x, 5000)), x, 5000))

    launch(429496)
    with pytest.raises(LaunchRefused) as error:
        launch(429498)
    assert "x_dim=429496 is right and x_dim=429497 is not" in error.value.fix
    assert len(kernel.launched) == 1


@pytest.mark.full
def test_a_stride_that_becomes_0_is_refused() -> None:
    # cupy/cupy#882: the stride of a loop over the grid, cut to a narrower type.
    kernel = RawKernel(SOURCE, "stride")
    with pytest.raises(LaunchRefused):
        guard(kernel)((256,), (256,), (OnDevice(65535), 65535))
    guard(kernel)((8,), (256,), (OnDevice(65535), 65535))
    assert len(kernel.launched) == 1


def test_a_race_is_refused() -> None:
    kernel = RawKernel(SOURCE, "shift")
    with pytest.raises(LaunchRefused, match="read_write_race_free fails at"):
        guard(kernel)((1,), (64,), (OnDevice(64), 64))
    assert kernel.launched == []


@pytest.mark.parametrize(("grid", "block"), [((4,), (2048,)), ((0,), (256,)), ((1, 70000), (64,))])
def test_a_launch_that_the_device_refuses(grid: Any, block: Any) -> None:
    kernel = RawKernel(SOURCE, "saxpy")
    x = OnDevice(1000)
    with pytest.raises(LaunchRefused, match="launch_valid fails at"):
        guard(kernel)(grid, block, (x, OnDevice(1000), np.float32(2), 1000))
    assert kernel.launched == []


def test_what_is_not_known_warns_raises_or_goes_ahead() -> None:
    x, where = OnDevice(100), OnDevice(50, np.int32)
    kernel = RawKernel(SOURCE, "scatter")
    arguments = ((1,), (64,), (x, where, 50))
    bounds = {"properties": ["in_bounds"]}
    with pytest.raises(LaunchRefused):  # an element of `where` may be anything
        guard(kernel, **bounds)(*arguments)
    guard(kernel, contents={"where": "[0, 100)"}, launch="grid=(1) block=(64)", **bounds)(
        *arguments
    )
    assert len(kernel.launched) == 1


def test_a_table_that_is_a_permutation_meets_no_race() -> None:
    kernel = RawKernel(SOURCE, "scatter")
    said: Any = {"launch": "grid=(ceil_div(n,64)) block=(64)", "extents": {"x": "n", "where": "n"}}
    for where, launched in (("[0, n)", 0), ("distinct in [0, n)", 1)):
        arguments = ((2,), (64,), (OnDevice(100), OnDevice(100, np.int32), 100))
        checked = guard(kernel, contents={"where": where}, **said)
        if launched:
            checked(*arguments)
        else:
            with pytest.raises(LaunchRefused, match="write_race_free fails at"):
                checked(*arguments)
        assert len(kernel.launched) == launched
    # Of a table with more elements, the note says nothing.
    with pytest.raises(LaunchRefused, match="write_race_free fails at"):
        checked((2,), (64,), (OnDevice(100), OnDevice(101, np.int32), 100))


def test_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    from symcute.kernel.findings import Finding
    from symcute.kernel.ir.place import Place
    from symcute.kernel.launch import deciding as before_launch

    finding = Finding("in_bounds", "unknown", Place("k.cu", 3, 1), "read of x", reason="a reason")
    monkeypatch.setattr(before_launch, "check", lambda *_, **__: [finding])
    kernel = RawKernel(SOURCE, "saxpy")
    arguments = ((4,), (256,), (OnDevice(1000), OnDevice(1000), np.float32(2), 1000))
    with pytest.warns(
        UndecidedLaunch, match="in_bounds at k.cu:3:1 could not be decided: a reason"
    ):
        guard(kernel)(*arguments)
    guard(kernel, on_unknown="launch")(*arguments)
    assert len(kernel.launched) == 2
    with pytest.raises(LaunchRefused, match="could not be decided"):
        guard(kernel, on_unknown="raise")(*arguments)
    assert len(kernel.launched) == 2


def test_a_family_is_proved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from symcute.kernel.launch import deciding as before_launch

    checked: list[Any] = []
    original = before_launch.check
    monkeypatch.setattr(
        before_launch,
        "check",
        lambda kernel, setting, **more: (
            checked.append(setting) or original(kernel, setting, **more)
        ),
    )
    kernel = RawKernel(SOURCE, "fill")
    guarded = guard(kernel)
    for n in (1, 77, 1000, 123456):
        guarded((-(-n // 128),), (128,), (OnDevice(n), n))
    assert len(checked) == 1  # of the family; each launch was seen to be one of it
    guarded((5,), (128,), (OnDevice(200), 200))  # not of the family: more blocks than it has
    assert len(checked) == 2
    with pytest.raises(LaunchRefused):
        guarded((2,), (128,), (OnDevice(200), 256))
    assert len(kernel.launched) == 5


def test_a_launch_that_meets_the_contract_is_compared_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from symcute.kernel.launch import deciding as before_launch

    checked: list[Any] = []
    original = before_launch.check
    monkeypatch.setattr(
        before_launch,
        "check",
        lambda kernel, setting, **more: (
            checked.append(setting) or original(kernel, setting, **more)
        ),
    )
    kernel = RawKernel(SOURCE, "saxpy")
    guarded = guard(kernel, contract=True)
    for n in (1, 77, 1000, 0, -5):
        arguments = (OnDevice(max(n, 0)), OnDevice(2000), np.float32(2), n)
        found = guarded.check((8,), (256,), arguments)
        assert {f.property for f in found} >= {"in_bounds", "write_race_free"}
        assert {f.status for f in found} <= {"proved", "not applicable"}
    assert not checked
    # Outside of a line: too few elements, blocks along y, an address between two elements.
    x, y = OnDevice(1000), OnDevice(1000)
    between = OnDevice(1000, at=0x7F0000000002)
    for grid, args, broken in (
        ((4,), (x, y, np.float32(2), 1001), "in_bounds"),
        ((4, 2), (x, y, np.float32(2), 1000), "write_race_free"),
        ((4,), (x, between, np.float32(2), 1000), "aligned"),
        ((0,), (x, y, np.float32(2), 1000), "launch_valid"),
    ):
        with pytest.raises(LaunchRefused, match=broken):
            guarded(grid, (256,), args)
    assert len(checked) >= 4 and kernel.launched == []
    # What an index array holds is not known of a launch, whatever its contract says.
    scatter = guard(RawKernel(SOURCE, "scatter"), contract=True, properties=["in_bounds"])
    with pytest.raises(LaunchRefused):
        scatter((1,), (64,), (OnDevice(100), OnDevice(50, np.int32), 50))


def test_arrays_that_overlap_are_not_taken_to_be_apart() -> None:
    # Proofs take the arrays of different parameters to be apart.
    x, y = OnDevice(1000), OnDevice(1000)
    kernel = RawKernel(SOURCE, "saxpy")
    guarded = guard(kernel, on_unknown="raise")
    beside = OnDevice(1000, at=x.data.ptr + 4000)
    guarded((4,), (256,), (x, y, np.float32(2), 1000))
    guarded((4,), (256,), (x, beside, np.float32(2), 1000))
    for other in (x, OnDevice(1000, at=x.data.ptr + 4), OnDevice(1000, at=x.data.ptr + 3996)):
        with pytest.raises(
            LaunchRefused, match="x and y have memory in common, and one is written"
        ):
            guarded((4,), (256,), (x, other, np.float32(2), 1000))
    assert len(kernel.launched) == 2
    both = RawKernel(CODE_OF_TWO_READS, "sum")
    guard(both, on_unknown="raise")((1,), (32,), (x, x, y))  # two that are only read
    assert len(both.launched) == 1


def test_a_view_with_less_alignment_is_none_of_the_family() -> None:
    code = """// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
extern "C" __global__ void k(float4* x) { x[threadIdx.x] = make_float4(0, 0, 0, 0); }"""
    kernel = RawKernel(code, "k")
    guarded = guard(kernel)
    guarded((1,), (64,), (OnDevice(256),))
    with pytest.raises(LaunchRefused, match="aligned fails at"):
        guarded((1,), (64,), (OnDevice(256, at=0x7F0000000004),))
    assert len(kernel.launched) == 1


def test_strided_arrays_that_the_kernel_accounts_for() -> None:
    kernel = RawKernel(SOURCE, "saxpy")
    view = OnDevice(2000).viewed((1000,), (8,))
    guarded = guard(kernel, strided={"x"})
    guarded((4,), (256,), (view, OnDevice(1999), np.float32(2), 1999))
    with pytest.raises(LaunchRefused):
        guarded((8,), (256,), (view, OnDevice(2000), np.float32(2), 2000))


def test_macros_of_the_options_count() -> None:
    code = 'extern "C" __global__ void k(float* x) { if (threadIdx.x < SIZE) x[threadIdx.x] = 0; }'
    arguments = ((1,), (64,), (OnDevice(32),))
    guard(RawKernel(code, "k", ("-DSIZE=32",)))(*arguments)
    with pytest.raises(LaunchRefused):
        guard(RawKernel(code, "k", ("-DSIZE=33",)))(*arguments)


def test_a_struct_as_a_parameter_is_said() -> None:
    code = """struct Row { float* x; int n; };
extern "C" __global__ void k(Row r, int m) { if (threadIdx.x < r.n) r.x[threadIdx.x] = m; }"""
    with pytest.raises(InputError, match="k takes a struct as a parameter"):
        guard(RawKernel(code, "k"))((1,), (32,), (OnDevice(32), 32, 1))


def test_a_kernel_without_source() -> None:
    with pytest.raises(InputError, match=r"has no source to check; pass a cupy\.RawKernel"):
        guard(lambda *_: None)
    with pytest.raises(InputError, match="on_unknown='ignore'"):
        guard(RawKernel(SOURCE, "saxpy"), on_unknown="ignore")
    with pytest.raises(InputError, match="saxpi"):
        guard(RawKernel(SOURCE, "saxpi"))


def test_a_later_call_costs_little() -> None:
    guarded = guard(RawKernel(SOURCE, "saxpy"))
    call = ((4,), (256,), (OnDevice(1000), OnDevice(1000), np.float32(2), 1000))
    guarded(*call)
    assert calls(lambda: guarded(*call), 100) <= 100


NOTED = r"""
// symcute: launch grid=1 block=32 shared=128
// symcute: contents where in [0, m)
// symcute: extent where = 32
// symcute: extent x = m
__global__ void scatter(const int* where, float* x, int m, int seed) {
    extern __shared__ int held[];
    held[threadIdx.x] = seed;
    x[where[threadIdx.x]] = 1;
}
"""


def test_a_number_that_notes_alone_speak_of_is_one_that_matters() -> None:
    guarded = guard(RawKernel(NOTED, "scatter"), on_unknown="raise", properties=["in_bounds"])
    where, x = OnDevice(32, np.int32), OnDevice(10)
    for seed in (1, 2):
        guarded((1,), (32,), (where, x, np.int32(10), np.int32(seed)), shared_mem=128)
    with pytest.raises(LaunchRefused, match="write to x"):
        guarded((1,), (32,), (where, x, np.int32(11), np.int32(1)), shared_mem=128)


@pytest.mark.parametrize(("size", "fails"), [(127, "in_bounds"), (232_449, "launch_valid")])
def test_shared_memory_is_neither_too_little_nor_too_much(size: int, fails: str) -> None:
    guarded = guard(
        RawKernel(NOTED, "scatter"), on_unknown="raise", properties=["in_bounds", "launch_valid"]
    )
    arguments = OnDevice(32, np.int32), OnDevice(10), np.int32(10), np.int32(1)
    guarded((1,), (32,), arguments, shared_mem=256)
    with pytest.raises(LaunchRefused, match=fails):
        guarded((1,), (32,), arguments, shared_mem=size)


@pytest.mark.parametrize(
    "options",
    [("--define-macro=MOST=20",), ("-D", "MOST=20"), ("--pre-include=most.h",), ("-UMOST",)],
)
def test_options_that_may_change_a_text_are_not_passed_over(options: tuple[str, ...]) -> None:
    text = "#ifndef MOST\n#define MOST 10\n#endif\n__global__ void k(float* x) { x[MOST] = 1; }"
    with pytest.raises(InputError, match="are not understood"):
        guard(RawKernel(text, "k", options))
