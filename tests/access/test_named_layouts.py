"""What is found of CuTe C++ names the layouts of the tensors through which memory is accessed."""

from __future__ import annotations

import random

import pytest

from symcute import Layout
from symcute.frontends.llvm.layouts import layout_of_tensor
from symcute.frontends.llvm.source import read_through_llvm
from symcute.kernel.checking import check
from symcute.kernel.findings import Finding
from symcute.kernel.launch.notes import read_setting

TEXT = """
#include <cute/tensor.hpp>
using namespace cute;
// symcute: launch grid=1 block=128
// symcute: extent A = 1023
// symcute: extent C = 128
__global__ void k(const float *A, float *C, int n) {
  __shared__ float held[1024];
  auto layout = Layout<Shape<_128,_8>>{};
  Tensor sA = make_tensor(make_smem_ptr(held), layout);
  Tensor gA = make_tensor(make_gmem_ptr(A), layout);
  Tensor tS = local_partition(sA, Layout<Shape<_32,_4>>{}, threadIdx.x);
  Tensor tG = local_partition(gA, Layout<Shape<_32,_4>>{}, threadIdx.x);
  copy(tG, tS);
  C[threadIdx.x] = sA(threadIdx.x, 7);
}
"""
WHOLE = "(_128,_8):(_1,_128)"
SLICE = "((_4,_2)):((_32,_512)) in ((_32,_4),(_4,_2)):((_1,_128),(_32,_512))"


def refuted(text: str) -> dict[str, Finding]:
    (kernel,) = read_through_llvm(text).kernels.values()
    return {f.property: f for f in check(kernel, read_setting(kernel)) if f.status == "refuted"}


@pytest.mark.full
def test_findings_name_the_layouts_of_tensors() -> None:
    found = refuted(TEXT)
    assert found["in_bounds"].layouts == (f"A: {SLICE}",)
    # The write of the copy, and the read of the whole tensor, which nothing orders.
    assert set(found["read_write_race_free"].layouts) == {f"held: {SLICE}", f"held: {WHOLE}"}
    # The layout that is shown is the one that the accesses have: byte 3584 is what thread 0 reads.
    assert Layout.parse("(128,8):(1,128)")((0, 7)) * 4 == 3584
    assert "3584" in str(found["read_write_race_free"].counterexample)


def test_pointers_that_no_tensor_leads_to_have_no_layout() -> None:
    found = refuted("// symcute: launch grid=1 block=32\n// symcute: extent x = 31\n"
                    "__global__ void k(int *x) { x[threadIdx.x] = 0; }\n")  # fmt: skip
    assert found["in_bounds"].layouts == ()


@pytest.mark.parametrize(
    ("name", "layout"),
    [
        ("Layout<tuple<C<128>,C<8>>,tuple<C<1>,C<128>>>", WHOLE),
        ("cute::Layout<cute::C<4>, cute::C<-2> >", "_4:_-2"),
        ("Layout<tuple<int, tuple<long, unsigned int>>, tuple<C<1>, tuple<int, C<0>>>>",
         "(?,(?,?)):(_1,(?,_0))"),
        ("ComposedLayout<Swizzle<2, 3, 3>, smem_ptr_flag_bits<16>, Layout<C<8>, C<1>>>",
         "Sw<2,3,3> o smem_ptr[16b] o _8:_1"),
        # Coordinates are no offsets; a type of that name, and what is no type at all.
        ("Layout<tuple<C<8>>, tuple<ScaledBasis<C<1>, 0>>>", None),
        ("Layout<C<8> *, C<1>>", None),
        ("Layout<C<8>, C<1>, C<2>>", None),
        ("Layout<C<N + 1>, C<1>>", None),
        ("Layout<C<8>, C<1>>>", None),
        ("Layout<tuple<C<__import__('os')>>, C<1>>", None),
    ],
)  # fmt: skip
def test_names_of_layouts(name: str, layout: str | None) -> None:
    assert layout_of_tensor(f"Tensor<cute::ViewEngine<float *>, {name}>") == layout


def test_a_swizzle_of_addresses_is_said() -> None:
    engine = "ViewEngine<smem_ptr<swizzle_ptr<Swizzle<3, 4, 3>, float *> > >"
    found = layout_of_tensor(f"Tensor<{engine}, Layout<C<8>, C<1>>>")
    assert found == "_8:_1, addresses by Sw<3,4,3>"


def test_any_text_is_read() -> None:
    rng = random.Random(1)
    parts = ["Tensor<", "Layout<", "tuple<", "C<", "Swizzle<", ">", ">", ",", "8", "-1", "int", "*",
             " const", "unsigned", "'", "\\", "cute::"]  # fmt: skip
    for _ in range(3000):
        layout_of_tensor("".join(rng.choices(parts, k=rng.randrange(30))))
    assert layout_of_tensor("Tensor<" * 5000) is None
    assert layout_of_tensor("Tensor<E,Layout<" + "tuple<" * 39 + "C<1>" + ">" * 99) is None
